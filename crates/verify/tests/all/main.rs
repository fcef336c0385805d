//! Files of tests are compiled and run: one program, linked once, whose tests run side by side.

mod measure;
mod support;
mod tables;
mod time;
mod verification;
