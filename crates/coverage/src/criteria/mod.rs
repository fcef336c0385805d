//! The criteria, one file each.

pub(crate) mod branch;
pub(crate) mod input;
pub(crate) mod line;
pub(crate) mod output;
