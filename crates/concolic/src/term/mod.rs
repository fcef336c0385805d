//! Terms: what a run computed from its inputs, with exactly Java's meaning.
//!
//! * `sort`, `value`, `operator`: what terms are made of
//! * `terms`: the pool of terms, each of which exists once, and its constructors; `simplify` has their identities
//! * `plan`: evaluation of terms, in one pass and without recursion
//! * `arithmetic`, `text`, `numeral`: what the operators compute
//! * `pattern`: regular expressions as automata

mod arithmetic;
mod numeral;
mod operator;
pub mod pattern;
mod plan;
mod simplify;
mod sort;
mod terms;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod text;
mod value;

pub(crate) use arithmetic::mask;
pub use operator::{Operator, PatternId, TextId};
pub use plan::{Plan, Register};
pub use sort::Sort;
pub(crate) use terms::MOST_OPERANDS;
pub use terms::{InputId, TermId, Terms};
pub use value::{Model, Value};
