//! Reports of a project: one program, linked once, whose tests run side by side.

mod browser;
mod html;
mod support;
mod text_formats;
