//! What tests cost, and what the search got for it.
//!
//! A few tests may take nearly all the time: those that fill a matrix with a million elements, start threads or start a
//! framework. Where nothing is gained by them, two measures keep them from being bred on and on: among tests that are as
//! near to the targets a much cheaper one is preferred ([`dearness`], [`spare`]), and the second half of a budget is not
//! spent on calls that the first half showed to be dear and barren ([`Spending`]).
//!
//! Costs are counted in steps, so that a budget in executions gives the same result every time. Under a budget in time, a
//! run costs as many steps as it took time for, if that is more ([`crate::budget::Budget::cost`]).

use std::collections::BTreeMap;

use testcase::cluster::{CallableId, TestCluster};
use testcase::test_case::TestCase;

use crate::chromosome::TestCaseChromosome;
use crate::operators::ranking::dominates;

/// Steps up to which tests are equally cheap: what else there is to do for a test takes as long.
const CHEAP: u64 = 1000;

/// Share of the budget after which the search knows what is barren.
pub(crate) const LEARNED: f64 = 0.5;

/// Runs in which a call must have cost the most before it is judged.
const ENOUGH: u64 = 10;

/// Part of all that was spent that a call must have taken at least.
const SHARE: f64 = 0.1;

/// Times that its runs must have cost more than the others, on average.
const DEARER: f64 = 8.0;

/// Times that the others must have brought more for as many steps.
const MORE_FRUITFUL: f64 = 10.0;

/// How dear a test is that cost so many steps: 0 is cheap, and each further class costs four times as much as the one
/// before. Finer differences do not outweigh length.
pub(crate) fn dearness(steps: u64) -> u32 {
    (steps / CHEAP).checked_ilog2().map_or(0, |log| 1 + log / 2)
}

/// Drops dear individuals for which there is a cheaper one that is at least as near to every target.
pub(crate) fn spare(individuals: &mut Vec<TestCaseChromosome>) {
    let class = |individual: &TestCaseChromosome| dearness(individual.run.steps);
    let is_outdone = |one: &TestCaseChromosome| {
        let of_one = class(one);
        of_one > 0
            && individuals.iter().any(|other| {
                class(other) < of_one
                    && (dominates(&other.fitness, &one.fitness) || other.fitness == one.fitness)
            })
    };
    let outdone: Vec<bool> = individuals.iter().map(is_outdone).collect();
    let mut outdone = outdone.into_iter();
    individuals.retain(|_| !outdone.next().unwrap_or(false));
}

/// What runs cost and brought.
#[derive(Debug, Clone, Copy, Default)]
struct Account {
    runs: u64,
    steps: f64,
    /// Runs that covered something or came nearer to it.
    gains: u64,
}

impl Account {
    fn add(&mut self, steps: u64, is_gain: bool) {
        self.runs += 1;
        self.steps += steps as f64;
        self.gains += u64::from(is_gain);
    }
}

/// What was spent, by the call that cost the most of each run.
#[derive(Debug, Default)]
pub(crate) struct Spending {
    by_call: BTreeMap<CallableId, Account>,
    all: Account,
}

impl Spending {
    /// Notes a run of a test that cost so many steps, most of them in the statement `dearest`.
    pub(crate) fn note(
        &mut self,
        cluster: &TestCluster,
        test: &TestCase,
        (steps, dearest): (u64, usize),
        is_gain: bool,
    ) {
        self.all.add(steps, is_gain);
        let call = test.statements().get(dearest).and_then(|statement| cluster.called_by(statement));
        if let Some(call) = call {
            self.by_call.entry(call).or_default().add(steps, is_gain);
        }
    }

    /// Calls that took a good part of what was spent, cost much more than others do, and brought next to nothing for it,
    /// ascending.
    pub(crate) fn barren(&self) -> Vec<CallableId> {
        let is_barren = |account: &Account| {
            let rest = Account {
                runs: self.all.runs - account.runs,
                steps: self.all.steps - account.steps,
                gains: self.all.gains - account.gains,
            };
            account.runs >= ENOUGH
                && account.steps >= SHARE * self.all.steps
                && account.steps * rest.runs as f64 > DEARER * rest.steps * account.runs as f64
                && MORE_FRUITFUL * account.gains as f64 * rest.steps.max(1.0)
                    < rest.gains as f64 * account.steps
        };
        self.by_call.iter().filter(|(_, account)| is_barren(account)).map(|(&call, _)| call).collect()
    }
}

/// Whether a test makes any of these calls (ascending).
pub(crate) fn calls_any(cluster: &TestCluster, test: &TestCase, calls: &[CallableId]) -> bool {
    let mut called = test.statements().iter().filter_map(|statement| cluster.called_by(statement));
    called.any(|call| calls.binary_search(&call).is_ok())
}

#[cfg(test)]
mod tests {
    use coverage::fitness::FitnessVector;
    use testcase::statement::Statement;

    use super::*;
    use crate::chromosome::RunSummary;

    fn test(calls: &[u32]) -> TestCase {
        let call = |&id: &u32| Statement::Constructor {
            callable: CallableId(id),
            arguments: [].into_iter().collect(),
        };
        TestCase::new(calls.iter().map(call).collect())
    }

    #[test]
    fn tests_are_dearer_by_factors_of_four() {
        for (steps, expect) in [(0, 0), (999, 0), (1000, 1), (3999, 1), (4000, 2), (16_000, 3), (1 << 40, 16)]
        {
            assert_eq!(dearness(steps), expect, "{steps}");
        }
    }

    #[test]
    fn a_dear_test_stays_only_if_nothing_cheaper_is_as_near() {
        let check = |individuals: &[(u64, &[f64])], expect: &[u64]| {
            let individual = |(serial, (steps, fitness)): (usize, &(u64, &[f64]))| {
                let mut run = RunSummary::default();
                run.steps = *steps;
                let fitness = FitnessVector::of(fitness.to_vec(), 100.0);
                TestCaseChromosome::new(serial as u64, test(&[0]), fitness, run)
            };
            let mut individuals: Vec<_> = individuals.iter().enumerate().map(individual).collect();
            spare(&mut individuals);
            assert_eq!(individuals.iter().map(|one| one.serial).collect::<Vec<_>>(), expect);
        };
        check(&[(9_000, &[2.0, 5.0]), (10, &[2.0, 5.0])], &[1]);
        check(&[(9_000, &[2.0, 5.0]), (10, &[1.0, 5.0])], &[1]);
        check(&[(9_000, &[2.0, 5.0]), (10, &[1.0, 6.0])], &[0, 1]);
        check(&[(900, &[2.0, 5.0]), (10, &[1.0, 5.0])], &[0, 1]);
        check(&[(9_000, &[2.0, 5.0]), (9_100, &[1.0, 5.0])], &[0, 1]);
        check(&[(90_000, &[2.0]), (9_000, &[2.0]), (10, &[2.0])], &[2]);
    }

    #[test]
    fn what_is_dear_and_brings_little_is_barren() {
        let cluster = TestCluster::default();
        let check = |accounts: &[(u32, u64, u64, u64)], expect: &[u32]| {
            let mut spending = Spending::default();
            for &(call, runs, steps, gains) in accounts {
                (0..runs).for_each(|run| spending.note(&cluster, &test(&[call]), (steps, 0), run < gains));
            }
            let expect: Vec<_> = expect.iter().copied().map(CallableId).collect();
            assert_eq!(spending.barren(), expect, "{accounts:?}");
        };
        check(&[(0, 100, 10, 20), (1, 20, 20_000, 0)], &[1]);
        check(&[(0, 100, 10, 20), (1, 20, 20_000, 1)], &[1]);
        // It brought as much for its cost.
        check(&[(0, 100, 1_000, 2), (1, 20, 20_000, 8)], &[]);
        // All that there is may be dear.
        check(&[(1, 200, 20_000, 0)], &[]);
        check(&[(0, 100, 3_000, 20), (1, 20, 20_000, 0)], &[]);
        // Too few runs, and too small a part.
        check(&[(0, 100, 10, 20), (1, 9, 20_000, 0)], &[]);
        check(&[(0, 10_000, 100, 20), (1, 20, 2_000, 0)], &[]);
        assert!(calls_any(&cluster, &test(&[3, 1]), &[CallableId(1), CallableId(2)]));
        assert!(!calls_any(&cluster, &test(&[3, 0]), &[CallableId(1), CallableId(2)]));
    }
}
