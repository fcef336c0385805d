//! What tests can be made of, and how they are made: one program, linked once, whose tests run side by side.

mod asked;
mod builders;
mod cluster;
mod contexts;
mod declarations;
mod enums;
mod factory;
mod files;
mod injected;
mod inspectors;
mod java;
mod javac;
mod mocks;
mod platform;
mod reach;
mod sections;
mod settings;
mod sources;
mod stubs;
