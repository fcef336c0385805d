//! From the archive to a small suite of short tests.
//!
//! 1. For each goal that no chosen test covers yet, the best archived test is reduced to what that goal needs: one
//!    idea per test ([`statements`]).
//! 2. Tests whose goals others cover are dropped, the worst first ([`suite`]).
//! 3. Values become natural, in all tests where that takes a run or two before in one of them where it takes many, as long as the goals that only this test covers stay covered ([`values`], texts by what they are: [`roles`]), and
//!    objects different from one another ([`operands`]), a call without result changes something ([`effects`]); where anything will do,
//!    a text does ([`anything`]).
//! 4. Type arguments are those of most tests, where these fit ([`type_arguments`]).
//! 5. Tests are added for kinds of results that the archive shows and these tests do not ([`results`]).
//!
//! Every change is proved by running the test, once for all suites of a search ([`memory`]). Work is bounded by a number of
//! executions and by a callback; what is done when either ends is a valid suite. The same archive, executor and number of executions give the same suite.
//!
//! # Differences
//! `EvoSuite` reduces a test to one goal as well, but from the back only, and leaves values to a separate step of
//! inlining; it prefers the shortest test whatever exception ends it.

pub(crate) mod anything;
mod effects;
pub mod memory;
mod operands;
mod results;
pub(crate) mod roles;
mod runner;
pub(crate) mod scripts;
mod stand_ins;
pub(crate) mod statements;
pub mod suite;
mod type_arguments;
pub(crate) mod values;

use coverage::goal::GoalId;
use testcase::cluster::TestCluster;
use testcase::execution::{Thrown, Touched};
use testcase::test_case::TestCase;

use crate::asserted_test::AssertedTest;
use crate::report::Dropped;

/// Bounds and preferences of minimization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MinimizeOptions {
    /// Most executions. 200,000 are about half a second on a fast class, and more than 500 tests of 20 statements
    /// need.
    pub executions: u64,
    /// Archived tests tried for a goal when the first ends in an exception that the JVM made.
    pub alternatives: usize,
    /// Most executions for the value of one statement: bisecting a whole number takes 32, a string a few more.
    pub executions_per_value: u64,
    /// Most tests added for results that no test with a goal of its own shows.
    pub results: usize,
    /// What a delivered test must not have touched.
    pub forbidden: Touched,
}

impl Default for MinimizeOptions {
    fn default() -> Self {
        let files = Touched::FILE_READ.union(Touched::FILE_WRITE);
        let outside = Touched::NETWORK.union(Touched::PROCESS).union(Touched::ENVIRONMENT);
        Self {
            executions: 200_000,
            alternatives: 3,
            executions_per_value: 60,
            results: 60,
            forbidden: files.union(outside).union(Touched::EXIT).union(Touched::WAIT),
        }
    }
}

/// A test of an archive.
#[derive(Debug, Clone, Copy)]
pub struct Archived<'a> {
    /// Its statements.
    pub test: &'a TestCase,
    /// The goals that it is kept for, ascending.
    pub goals: &'a [GoalId],
}

/// A test of the minimized suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MinimizedTest {
    /// Its statements. When it throws, the throwing one is the last.
    pub test: TestCase,
    /// All goals that it covers, ascending.
    pub goals: Vec<GoalId>,
    /// The exception that ends it.
    pub thrown: Option<Thrown>,
}

/// What minimization gives.
#[derive(Debug, Clone, PartialEq)]
pub struct Minimized {
    /// The tests, in the order of the goals that they were made for.
    pub tests: Vec<MinimizedTest>,
    /// Archived goals that no test of the suite covers, by cause, for [`crate::report::SuiteAccount::close`].
    pub dropped: Vec<Dropped>,
    /// Executions used.
    pub executions: u64,
    /// How much of the work was done when it ended, as far as can be told: from 0 to 1, which is all of it.
    pub progress: f64,
}

/// A test that there was no time to minimize, and that asserts nothing yet, without what does nothing that anybody could see.
pub fn without_idle(cluster: &TestCluster, mut asserted: AssertedTest) -> AssertedTest {
    asserted.test = statements::without_idle(cluster, &asserted.test, &mut asserted.expected);
    asserted
}
