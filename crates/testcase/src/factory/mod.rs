//! The test factory: makes random tests and changes tests, so that they stay well-formed
//! ([`crate::test_case::TestCase::validate`]).
//!
//! * [`options`]: what is drawn how often
//! * [`random_test`], [`insert`]: new tests, new calls
//! * [`satisfy`]: variables for parameters, reused or made
//! * [`stubs`]: what the test implements itself; [`insisting`]: builders that want more than others
//! * [`values`]: values of primitive types and strings
//! * [`delete`], [`change`], [`mutate`]: mutation; [`directed`]: what local search asks for
//! * [`transfer`]: compared values put into the inputs that they came from
//! * [`append`]: carrying statements of one test over to another, for crossover
//! * [`plan`], [`edit`]: tables over the cluster, and splicing
//!
//! All of it runs tens of thousands of times a second: nothing is allocated where a buffer can be kept, and no
//! statement is looked at more often than it must be.

mod append;
mod change;
mod delete;
mod directed;
mod edit;
mod entries;
#[cfg(test)]
mod fixtures;
mod insert;
mod insisting;
mod mutate;
pub mod options;
mod plan;
mod random_test;
mod replace;
mod satisfy;
mod stubs;
mod transfer;
mod values;

use crate::cluster::TestCluster;
use crate::constant_pools::ConstantPools;
use crate::random::Random;
use crate::test_case::TestCase;

use insert::CallWeights;
use insisting::Insisting;
use options::FactoryOptions;
use plan::Plan;
use satisfy::{Draft, Scratch};

/// Most fields that a container fills for which tests may be longer.
const MOST_INJECTED: usize = 30;

/// Makes and changes test cases over one cluster.
///
/// Positions named `executed` are the number of statements that completed when the test ran
/// ([`crate::execution::ExecutionResult::executed`]); the statement there threw, and what follows never ran. Give the
/// length of a test that has not been run.
#[derive(Debug)]
pub struct TestFactory<'a> {
    cluster: &'a TestCluster,
    options: FactoryOptions,
    pools: ConstantPools,
    plan: Plan,
    weights: CallWeights,
    insisting: Insisting,
    scratch: Scratch,
}

impl<'a> TestFactory<'a> {
    /// A factory over a cluster; all test calls are drawn equally often.
    pub fn new(cluster: &'a TestCluster, mut options: FactoryOptions) -> Self {
        if options.inject > 0.0 {
            // What an object of the goals is given by its container comes on top: a mock and a statement for each field.
            options.max_length += 2 * cluster.injected_into_goals().min(MOST_INJECTED);
        }
        Self {
            cluster,
            pools: ConstantPools::new(&cluster.constants, &options),
            plan: Plan::new(cluster, options.even_generators),
            weights: CallWeights::uniform(cluster.test_calls.len()),
            insisting: Insisting::new(cluster),
            scratch: Scratch::default(),
            options,
        }
    }

    /// The cluster.
    pub fn cluster(&self) -> &'a TestCluster {
        self.cluster
    }

    /// The options.
    pub fn options(&self) -> &FactoryOptions {
        &self.options
    }

    /// The constant pools, to observe operands and to name open branches.
    pub fn pools_mut(&mut self) -> &mut ConstantPools {
        &mut self.pools
    }

    /// Weights of the groups of test calls, by index into [`TestCluster::test_calls`]; 0 where no goal is open, those
    /// missing count as 0. Closed groups are still drawn now and then ([`FactoryOptions::closed_weight`]); when all
    /// are closed, all are drawn equally often.
    pub fn set_call_weights(&mut self, weights: &[f64]) {
        let groups = self.cluster.test_calls.len();
        self.weights = CallWeights::new(weights, groups, self.options.closed_weight);
    }

    /// Learns from a run of a test, in which so many statements completed, which builders insist on being given more.
    pub fn note_run(&mut self, test: &TestCase, executed: usize) {
        if self.options.fill_all > 0.0 {
            self.insisting.note(test, executed);
        }
    }

    /// An empty set of new statements for a position of a test.
    fn draft<'f>(&'f mut self, test: &TestCase, position: usize, random: &'f mut Random) -> Draft<'f> {
        let room = self.options.max_length.saturating_sub(test.len());
        let mut draft = Draft {
            cluster: self.cluster,
            plan: &self.plan,
            options: &self.options,
            pools: &self.pools,
            insisting: &self.insisting,
            scratch: &mut self.scratch,
            random,
            position,
            room,
            filled: None,
            place: None,
        };
        draft.start(test);
        draft
    }
}
