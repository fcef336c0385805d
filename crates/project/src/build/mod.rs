//! The user's build: which modules it has, and what each of them has for tests. Nothing of the build is changed.
//!
//! * [`tool`]: the table of build tools, and the one that a folder is built with
//! * [`maven`], [`gradle`], [`plain`]: one build tool each
//! * [`answer`]: what build tools say; [`command`]: how they are run
//! * [`module`]: a module; [`freshness`]: whether its classes are those of its sources; [`libraries`]: what its tests may use;
//!   [`findings`]: what is wrong with it
//! * [`formatters`]: steps of a build that format source files; [`form`]: how new ones get there
//! * [`requests`]: what is asked of each module; [`root`]: how far up a build reaches

pub mod answer;
pub mod command;
pub mod findings;
pub mod form;
pub mod formatters;
pub mod freshness;
pub mod gradle;
pub mod libraries;
pub mod maven;
pub mod module;
pub mod plain;
pub mod requests;
pub mod root;
pub mod tool;
