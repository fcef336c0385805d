//! A test case with what it asserts, and the goals that it is kept for.

use coverage::goal::GoalId;
use serde::{Deserialize, Serialize};
use testcase::assertion::Assertion;
use testcase::execution::Thrown;
use testcase::test_case::TestCase;

/// A test case with what it asserts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssertedTest {
    /// The statements. When an exception is expected, its statement is the last one.
    pub test: TestCase,
    /// Assertions, ascending by position.
    pub assertions: Vec<Assertion>,
    /// The exception that the last statement throws.
    pub expected: Option<Thrown>,
    /// Goals that it covers, ascending.
    pub goals: Vec<GoalId>,
    /// The goals among these that only assertions cover, ascending, each with the indices of the assertions of which any
    /// does.
    pub kills: Vec<(GoalId, Vec<usize>)>,
    /// Its method, where a file has it already: it stays in the file, and keeps its name.
    pub name: Option<String>,
    /// Whether it is known to fail: it stays in the file all the same, and neither runs nor covers anything.
    pub fails: bool,
}

impl AssertedTest {
    /// A test that ends without an exception, asserts nothing and is kept for nothing.
    pub fn new(test: TestCase) -> Self {
        let (assertions, goals, kills) = (Vec::new(), Vec::new(), Vec::new());
        Self { test, assertions, expected: None, goals, kills, name: None, fails: false }
    }

    /// Goals that it covers with these assertions alone, ascending.
    pub fn goals_with(&self, assertions: &[usize]) -> Vec<GoalId> {
        let is_left = |goal: &&GoalId| {
            let kills = self.kills.binary_search_by_key(*goal, |(goal, _)| *goal);
            kills.map_or(true, |index| self.kills[index].1.iter().any(|by| assertions.contains(by)))
        };
        self.goals.iter().filter(is_left).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_that_assertions_cover_goes_with_the_last_of_them() {
        let test = AssertedTest {
            goals: [2, 3, 5].map(GoalId).to_vec(),
            kills: vec![(GoalId(3), vec![0, 2]), (GoalId(5), vec![1])],
            ..AssertedTest::new(TestCase::default())
        };
        for (assertions, expect) in
            [(vec![0, 1, 2], vec![2, 3, 5]), (vec![2], vec![2, 3]), (vec![1], vec![2, 5]), (vec![], vec![2])]
        {
            let left: Vec<u32> = test.goals_with(&assertions).iter().map(|goal| goal.0).collect();
            assert_eq!(left, expect, "{assertions:?}");
        }
    }
}
