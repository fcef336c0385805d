//! JUnit source: a suite of asserted tests as one compilation unit that `javac` reads as it is meant.
//!
//! Start with [`writer::JunitWriter`].
//!
//! * [`writer`]: from the suite to the text
//! * [`printed`]: the text, and from its lines back to tests and assertions
//! * [`style`]: the versions of JUnit
//! * [`lower`]: a test case as a syntax tree ([`ast`], [`implementations`]), with [`overload`] and [`access`] as the compiler has them
//! * [`naming`], [`imports`], [`literals`]: what a reader sees
//! * [`arrangement`]: which tests stand together: in classes by method, as rows of [`tables`], with [`fixtures`] before them; [`part`]: a method with its tests
//! * [`print`], [`layout`]: the text
//! * [`folder`]: the folder that each test has to itself; [`streams`]: what tests print; [`settings`]: what they set of the JVM; [`statics`]: static state that they
//!   change; [`injection`]: what they do in the place of a container
//! * [`header`]: how a file is known as ours and unedited, by its [`tokens`]

mod access;
pub mod arrangement;
mod ast;
mod fixtures;
mod folder;
pub mod header;
mod implementations;
mod imports;
pub mod injection;
mod layout;
mod literals;
pub mod lower;
pub mod naming;
mod overload;
pub mod part;
mod print;
pub mod printed;
mod settings;
mod statics;
mod streams;
pub mod style;
mod tables;
pub mod tokens;
mod warning;
pub mod writer;
