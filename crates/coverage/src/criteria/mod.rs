//! The criteria, one file each.

pub(crate) mod branch;
pub(crate) mod line;
