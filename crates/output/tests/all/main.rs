//! From tests of the search to those that are delivered: one program, linked once, whose tests run side by side.

mod assertions;
mod common;
mod files;
mod fixtures;
mod javac;
mod minimize;
mod mutants;
mod names;
mod oracles;
mod overloads;
mod snapshots;
mod stubs;
mod tables;
