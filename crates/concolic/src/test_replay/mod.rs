//! Replays of whole tests: statements one after the other over one heap, with the literals of the test as inputs, and the way
//! from a solved model back to a test.
//!
//! * `inputs`: what a solver may choose, and where it stands in the test
//! * `run`: the statements
//! * `built`: a changed copy of the test

mod built;
mod inputs;
mod run;

use crate::interpreter::{End, PathCondition, Unmodelled};

pub use built::built;
pub use inputs::{Input, Inputs};
pub use run::{Replaying, replay_test};

/// A condition of the path of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestCondition {
    /// The condition.
    pub condition: PathCondition,
    /// The statement in which it arose.
    pub statement: usize,
}

/// How the replay of a test ended.
#[derive(Debug, Clone, PartialEq)]
pub enum TestEnd {
    /// All statements that the run began were replayed.
    Completed,
    /// It could not go on.
    Stopped {
        /// The statement at which.
        statement: usize,
        /// Why: something that no statement ends with.
        end: End,
    },
}

/// The replay of a test.
#[derive(Debug, Clone)]
pub struct ReplayedTest {
    /// The conditions of the path, in order.
    pub conditions: Vec<TestCondition>,
    /// The inputs, with their values in the run.
    pub inputs: Inputs,
    /// How it ended.
    pub end: TestEnd,
    /// What was given values with terms and is not modelled.
    pub unmodelled: Unmodelled,
    /// How many terms became concrete because they were too large.
    pub oversized: u64,
    /// Instructions.
    pub steps: u64,
}
