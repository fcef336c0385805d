//! The solvers, one file each; `crate::solver` has the table.

pub(crate) mod bit_blasting;
pub(crate) mod built_in;
mod circuit;
mod circuit_floats;
mod circuit_texts;
mod distance;
mod moves;
pub(crate) mod search;
#[cfg(test)]
mod tests;
