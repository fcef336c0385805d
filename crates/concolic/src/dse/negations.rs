//! What a solver is asked of one path, for those who judge solvers.

use bytecode::name::ClassName;
use testcase::test_case::TestCase;

use super::ExplorationOptions;
use super::pool::Path;
use crate::interpreter::Site;
use crate::term::{Model, TermId, Terms};
use crate::test_replay::ReplayedTest;

/// The queries that an exploration may put to a solver once a test was replayed: each of the conditions that it chooses, negated,
/// with those before it that share inputs.
#[derive(Debug)]
pub struct Negations {
    path: Path,
}

impl Negations {
    /// Of a test, its replay and the pool of its terms. `is_platform` tells the classes of the platform, whose conditions take no room
    /// from those of the class path.
    pub fn new(
        test: TestCase,
        replay: ReplayedTest,
        is_platform: impl Fn(&ClassName) -> bool,
        options: &ExplorationOptions,
        terms: &mut Terms,
    ) -> Self {
        let mut path = Path::new(test, replay.conditions, replay.inputs, terms);
        path.choose(options.conditions, is_platform, terms);
        Self { path }
    }

    /// The number of queries.
    pub fn len(&self) -> usize {
        self.path.chosen().len()
    }

    /// Whether there is nothing to negate.
    pub fn is_empty(&self) -> bool {
        self.path.chosen().is_empty()
    }

    /// The conditions of a query, the negated one behind the others.
    ///
    /// # Panics
    /// If there are fewer queries.
    pub fn conditions(&self, query: usize, terms: &mut Terms) -> Vec<TermId> {
        self.path.negation(self.path.chosen()[query], terms)
    }

    /// The branch of the condition that a query negates.
    ///
    /// # Panics
    /// If there are fewer queries.
    pub fn site(&self, query: usize) -> &Site {
        &self.path.conditions[self.path.chosen()[query]].condition.site
    }

    /// The values of the inputs in the run.
    pub fn seed(&self) -> &Model {
        self.path.inputs.seed()
    }
}
