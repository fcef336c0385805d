//! What recorded runs logged, read into a [`testcase::recording::Recording`]; see `docs/design/recordings.md`.
//!
//! * `log`: the arrays of `covolve.runtime.Record`
//! * `objects`: which reference is which object, and what is known of it for good
//! * `reader`: events and statements

mod log;
pub(crate) mod nearby;
mod objects;
mod reader;

pub(crate) use log::Log;
pub(crate) use reader::{LoggedRun, read};
