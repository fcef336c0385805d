//! What static fields reach: collections, arrays and objects that tests fill and later tests would find filled. It
//! is copied when the initializer of a class ends, looked at after every test, and written back where it changed.
//!
//! The undo log of static *fields* cannot see such changes: the field itself stays as it is. Writing all fields of
//! all objects back restores the structure exactly, whatever its type, as long as it was copied as a whole.

mod initializer;
mod roots;
mod shape;
mod snapshot;

pub(crate) use initializer::register;
pub(crate) use roots::Checkpoints;
