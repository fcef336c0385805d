//! Judges of covolve that share no code with what they judge: plain JVMs, `JaCoCo`, PIT, published tests, an SMT solver.
//! One module each; `docs/design/judges.md` says what each compares.
//!
//! * [`executor`]: what the executor saw of random tests, against plain JVMs
//! * [`replay`]: what replays of recorded runs compute, against the JVM that made the runs
//! * [`solvers`]: what the built-in solver answers of conditions of such runs, beside a solver that is installed
//! * [`instrumentation`]: published tests with instrumented classes, against the same tests without
//! * [`criteria`], [`mutants`]: what covolve claims of delivered suites, against `JaCoCo` and PIT
//! * [`files`]: delivered files, in the ways in which builds compile and run them
//! * [`values`]: what the marks of the fixtures of values say, against `JaCoCo`
//! * [`subsumption`]: the tables of subsuming mutants, against an SMT solver

#![expect(clippy::disallowed_methods, reason = "judges write files, start processes and wait for them")]

pub mod criteria;
pub mod executor;
pub mod files;
pub mod instrumentation;
pub mod mutants;
mod random_tests;
pub mod replay;
mod setup;
pub mod solvers;
mod started;
pub mod subsumption;
mod suites;
pub mod values;
