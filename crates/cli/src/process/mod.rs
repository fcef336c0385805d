//! Child processes: the worker that searches, and the sandbox that goes around what runs code of others.
//!
//! * [`sandboxed`]: the hidden subcommand that confines itself and becomes another program
//! * [`streams`]: moving the protocol out of the reach of the code under test
//! * [`message`]: what parent and worker say; [`channel`]: how
//! * [`supervisor`]: the parent's side: start, watch, restart, kill
//! * [`worker`]: the worker's side

mod group;

pub mod channel;
pub mod message;
pub mod sandboxed;
pub mod streams;
pub mod supervisor;
pub mod worker;

pub(crate) use group::ChildGroup;
