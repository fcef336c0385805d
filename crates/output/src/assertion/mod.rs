//! What a test asserts: values that its run showed, the few that say most of what the test is about, none that
//! another run or another machine would not show.
//!
//! 1. [`points`]: what to ask: the result of the last call, its object's inspectors and fields before and after it, arrays passed
//!    to it, whether it returned its own object.
//! 2. [`testcase::assertable`]: what of the answers may be asserted at all.
//! 3. [`policy`]: which few are; [`doubles`]: what says the same twice.
//! 4. [`generator`]: asks, asks again, keeps what agrees.
//! 5. [`mutants`]: adds what it takes to kill the mutants that a test is kept for.
//! 6. [`oracles`]: the same for mutants that tests only had to infect; and which tests are kept for what they kill.
//! 7. [`live`]: further tests for mutants that live, with the numbers of [`telling`].
//! 8. [`redundancy`]: of all these the cheapest that show the same.
//! 9. [`merging`]: one test in the place of two that are about the same call; [`united`]: what is done in both, in one.
//! 10. [`messages`]: what exceptions say, where that tells tests apart; [`beginnings`]: what tests make their object of, alike in all;
//!     [`injections`]: what they put into the fields that a container fills; [`fluent`]: calls of builders, chained.
//!
//! [`standing`]: what tests that a file has already are worth as they are.

pub mod beginnings;
mod doubles;
pub mod fluent;
pub mod generator;
mod injections;
pub mod live;
mod makings;
mod merging;
pub mod messages;
pub mod mutants;
pub mod oracles;
mod points;
mod policy;
mod redundancy;
pub mod standing;
mod telling;
pub(crate) mod united;

use testcase::assertable::Lengths;

/// How much is asserted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AssertionOptions {
    /// Most inspectors and fields asked of one object: asking costs a call each, twice.
    pub inspectors: usize,
    /// Most assertions about state that the last call changed.
    pub changed: usize,
    /// Most assertions about other state, made only when nothing else can be asserted.
    pub informative: usize,
    /// Whether tests look at what an exception says and leaves, at what the objects of an object are like, at what iterators and
    /// streams give, and at what is printed.
    pub further_looks: bool,
    /// How much of one value.
    pub lengths: Lengths,
}

impl Default for AssertionOptions {
    fn default() -> Self {
        Self { inspectors: 12, changed: 3, informative: 2, further_looks: true, lengths: Lengths::default() }
    }
}
