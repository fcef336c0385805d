//! Solvers, recordings and replays: one program, linked once, whose tests run side by side.

mod conformance;
mod models;
mod problems;
mod recordings;
mod replay;
