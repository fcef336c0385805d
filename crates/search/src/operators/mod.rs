//! The operators that algorithms are made of.

pub mod crossover;
pub mod mutation;
pub mod ranking;
pub mod selection;
pub mod subvector;
