//! JUnit source: a suite of asserted tests as one compilation unit that `javac` reads as it is meant.
//!
//! Start with [`writer::JunitWriter`].
//!
//! * [`writer`]: from the suite to the text
//! * [`printed`]: the text, and from its lines back to tests and assertions
//! * [`style`]: the versions of JUnit
//! * [`lower`]: a test case as a syntax tree ([`ast`]), with [`overload`] and [`access`] as the compiler has them
//! * [`naming`], [`imports`], [`literals`]: what a reader sees
//! * [`print`], [`layout`]: the text
//! * [`folder`]: the folder that each test has to itself
//! * [`header`]: how a file is known as ours and unedited

mod access;
mod ast;
mod folder;
pub mod header;
mod imports;
mod layout;
mod literals;
pub mod lower;
pub mod naming;
mod overload;
mod print;
pub mod printed;
pub mod style;
pub mod writer;
