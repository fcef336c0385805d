//! Regular expressions of `java.util.regex` (JDK 17) as automata, for `String.matches`.

mod automaton;
mod check;
mod class;
mod syntax;

pub use automaton::Pattern;
pub use class::Class;
pub use syntax::{PatternError, Tree};
