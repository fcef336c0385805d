//! Instrumented classes, judged by a JVM: they behave as the originals, and their probes report what is to be
//! reported.

mod behaviour;
mod control;
mod corrupt;
mod distances;
mod driver;
mod flags;
mod listing;
mod mutants;
mod opened;
mod predicates;
mod readers;
mod runtime;
