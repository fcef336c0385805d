//! Runs of covolve over subjects, budgets and seeds, what they cost and give, and how two sets of them compare.
//!
//! * [`eval`]: runs over a list of subjects, kept as `raw.csv`
//! * [`compare`]: what got better or worse from one of these to another
//! * [`measure`]: runs looked at for one thing each: time, memory, same bytes, algorithms …
//! * [`subject`], [`suites`]: what is measured, and the suites that came of it
//! * [`values`]: classes of ours of which it is known what can be covered
//! * [`runs`], [`machine`]: where results are kept, and what they were measured on
//! * [`options`]: options that chores share
//! * [`maven`], [`tools`], [`repository`], [`console`]: jars, programs, this tree, words of a command line
//!
//! It knows no chore and no judge; judges (`crates/judge`) and chores (`xtask`) use it.

#![expect(clippy::disallowed_methods, reason = "runs are timed, and their results are written and read")]

pub mod compare;
pub mod console;
pub mod eval;
pub mod machine;
pub mod maven;
pub mod measure;
pub mod options;
pub mod repository;
pub mod runs;
pub mod subject;
pub mod suites;
pub mod tools;
pub mod values;
