//! Builds as their own tools see them: one program, linked once, whose tests run side by side.

mod builds;
mod gradle;
