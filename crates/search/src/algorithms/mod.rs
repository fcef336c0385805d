//! The algorithms, one file each.

pub(crate) mod dynamosa;
pub(crate) mod random;
