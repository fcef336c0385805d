//! Regular expressions of `java.util.regex` (JDK 17) as automata, for `String.matches`, `Matcher.find` and their like.

mod automaton;
mod check;
mod class;
mod expression;
mod extent;
mod syntax;

pub use automaton::Pattern;
pub use class::Class;
pub use expression::Expression;
pub use syntax::{PatternError, Tree};
