//! The search: evolves test cases until the goals are covered or the budget is spent, and keeps the best test of each
//! covered goal. It must never know the JVM behind the executor, the criteria behind the goals, nor how tests are
//! written down.
//!
//! Start with [`search::Search`], then `algorithms/dynamosa.rs`.
//!
//! * [`search`]: a search of one class, in steps or in one go
//! * [`options`]: its options, with the source of each default
//! * [`parameters`]: the table of them, by name and as text
//! * [`profiles`]: the table of the papers' set-ups
//! * [`algorithm`]: the table of algorithms; one file each in `algorithms/`
//! * [`operators`]: crossover, mutation, selection, ranking
//! * [`context`]: what algorithms work with: `evaluation` runs tests, `guidance` says what to aim at, `kept` and `first_shown`
//!   keep tests
//! * [`chromosome`], [`archive`], [`targets`]: individuals, what was found, what is aimed at
//! * [`performance`]: what tests cost to run
//! * [`source`]: where tests come from
//! * [`call_weights`]: which calls still lead to open goals
//! * [`open_goals`]: why goals stay open
//! * `spending`: what tests cost, and what the search got for it
//! * `stages`: when which goals become targets
//! * `patience`: which tests that were cut short are run again with all the steps there are
//! * [`budget`], [`phase`], [`event`], [`auc`]: when to stop, where the time went, what happened, how soon

pub mod algorithm;
mod algorithms;
pub mod archive;
pub mod auc;
pub mod budget;
pub mod call_weights;
pub mod chromosome;
pub mod context;
mod evaluation;
pub mod event;
mod first_shown;
mod guidance;
mod kept;
pub mod local_search;
pub mod open_goals;
pub mod operators;
pub mod options;
pub mod parameters;
mod patience;
pub mod performance;
pub mod phase;
pub mod profiles;
pub mod search;
pub mod source;
mod spending;
mod stages;
pub mod targets;
