//! The solvers, one file each; `crate::solver` has the table.

pub(crate) mod bit_blasting;
pub(crate) mod built_in;
mod circuit;
mod circuit_floats;
mod circuit_texts;
mod distance;
mod lengths;
mod moves;
pub(crate) mod search;
pub(crate) mod smt_lib;
#[cfg(test)]
mod tests;
