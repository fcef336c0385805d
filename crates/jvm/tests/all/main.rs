//! Tests run in a real JVM: one program, linked once, whose tests run side by side.

mod calls;
mod common;
mod containers;
mod determinism;
mod environment;
mod execution;
mod files;
mod limits;
mod mutants;
mod printed;
mod recordings;
mod sandbox;
mod state;
mod stubs;
mod threads;
mod values;
mod worker;
