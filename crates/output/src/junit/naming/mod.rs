//! Names that a person would give: of variables and of tests.
//!
//! * [`words`]: names taken apart and put together
//! * [`variables`]: from parameters, types and the methods that made the value
//! * [`test_names`]: from the call that a test is about, its outcome, and what tells it from its siblings
//! * [`describer`]: what can be said of a test: [`inputs`] of the call, [`outcomes`], values ([`value_words`])

pub(crate) mod describer;
mod inputs;
mod outcomes;
pub mod test_names;
pub(crate) mod value_words;
pub(crate) mod variables;
pub(crate) mod words;
