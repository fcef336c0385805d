//! What is read of class files, and what becomes of them when they are instrumented: one program, linked once, whose tests run side by side.

mod analysis;
mod class_path;
mod deprecation;
mod fleeting;
mod instrument;
mod parameter_uses;
mod purity;
mod settings;
mod values;
mod verification;
