//! Calls that are modelled and not interpreted: `table` names the classes, each of which has a file or shares one. A model that
//! declines leaves the call to what [`crate::interpreter::Outside`] knows.

mod arrays;
mod boxes;
mod builders;
mod characters;
mod languages;
mod math;
mod patterns;
mod strings;
pub(super) mod table;
mod texts;

pub(super) use table::Modelled;
