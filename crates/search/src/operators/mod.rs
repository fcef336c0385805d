//! The operators that algorithms are made of.

pub mod changes;
mod codes;
pub mod crossover;
pub(crate) mod exchange;
pub mod mutation;
pub mod ranking;
pub mod selection;
pub mod subvector;
