//! What is known of the classes of a project from run to run: a file `state.db` in a folder `.covolve`. It keeps texts, bytes and
//! hashes that others make, and must never know what they mean.
//!
//! Start with [`state::Store`].
//!
//! * [`state`]: the file: opened, made anew where it is of no use, read and written class by class
//! * [`record`]: what is kept of a class

pub mod record;
pub mod state;
