//! Solvers that are installed, in the language of SMT-LIB 2.6: the theories of bits, floats, strings and integers.
//!
//! * `pipe`: the process and its answers
//! * `script`: what it is told; `integers` has the numbers that it is told as integers, `texts` the operators on texts, `languages`
//!   literals and regular expressions
//! * `values`: what it prints

mod integers;
mod languages;
mod pipe;
mod script;
mod texts;
mod values;

pub(crate) use pipe::{ENTRY, installed};
pub(crate) use script::written;
