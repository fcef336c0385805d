//! What a class under test is for the search: one program, linked once, whose tests run side by side.

mod numbering;
mod pools;
