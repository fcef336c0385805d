//! What a project's tests cover and what they do not, in the formats that people and other tools read. It must never know
//! where the data come from: no files, no processes, no class files, nothing of the search.
//!
//! Start with [`model::ProjectReport`], which every format reads, and [`format::FORMATS`], the table of formats.
//!
//! * [`model`]: projects, modules, classes, goals, tests
//! * [`tally`]: goals and how many of them are covered; [`lines`]: what goals say of source lines
//! * [`reasons`]: why goals are open, summed up, and what to do about it
//! * [`format`]: the table; [`formats`]: one file per format

pub mod format;
pub mod formats;
pub mod lines;
pub mod model;
pub mod reasons;
pub mod tally;
