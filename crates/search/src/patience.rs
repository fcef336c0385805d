//! Which tests that were cut short are run again, with all the steps that a test may take, and which calls are given up.
//!
//! Most tests need few steps, and most that use up a small limit would use up any: values drawn at random make loops
//! endless. A search that gave each of them the full limit would spend most of its time there. Yet there are classes
//! of which nothing can be covered within few steps, since the only constructor computes tables.
//!
//! A call that only ever ends the tests it is in makes those useless: it is given up after a few, and drawn rarely until
//! it completes for once.

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;
use testcase::cluster::{Call, TestCluster};
use testcase::test_case::TestCase;

/// Tests in which a call must have been cut short before it is given all steps.
const ENOUGH: u32 = 10;

/// Executions until the next full run after one that was in vain; doubled with each of them. A full run takes as long
/// as ten thousand tests, but where a call never ended within few steps there is often nothing else to be had: of
/// `DfpField`, half of the numbers of digits drawn at random take all steps.
const PRICE: u64 = 50;

/// Tests that a call must have ended before it is given up.
const GIVEN_UP: u32 = 3;

/// Decides about tests that were cut short. What it decides depends on the tests and their runs alone.
#[derive(Debug)]
pub(crate) struct Patience {
    /// Callables that completed within the small limit at least once.
    completed: FixedBitSet,
    /// Tests that were cut short in a callable that never completed.
    cut_short: BTreeMap<usize, u32>,
    /// Tests that ended in a callable for good, cut short or with the JVM.
    ended: BTreeMap<usize, u32>,
    /// Executions from which on another full run may be in vain.
    paid_at: u64,
    price: u64,
}

impl Patience {
    /// Of a cluster with that many callables.
    pub(crate) fn new(callables: usize) -> Self {
        let completed = FixedBitSet::with_capacity(callables);
        Self { completed, cut_short: BTreeMap::new(), ended: BTreeMap::new(), paid_at: 0, price: PRICE }
    }

    /// Notes the calls of a test that completed within the small limit. Whether one of them was given up.
    pub(crate) fn note(&mut self, cluster: &TestCluster, test: &TestCase, executed: usize) -> bool {
        let mut changed = false;
        for statement in test.statements().iter().take(executed) {
            if let Some(callable) = cluster.called_by(statement) {
                self.completed.grow_and_insert(callable.index());
                changed |= !self.ended.is_empty() && self.take_up(callable.index());
            }
        }
        changed
    }

    fn take_up(&mut self, callable: usize) -> bool {
        self.ended.remove(&callable).is_some_and(|ended| ended >= GIVEN_UP)
    }

    /// Notes the call that a test ended in, cut short or with the JVM. Whether it is given up from now on.
    pub(crate) fn note_end(&mut self, cluster: &TestCluster, test: &TestCase, executed: usize) -> bool {
        let call = test.statements().get(executed).and_then(|statement| cluster.called_by(statement));
        let Some(callable) = call.filter(|callable| !self.completed.contains(callable.index())) else {
            return false;
        };
        let ended = self.ended.entry(callable.index()).or_default();
        *ended += 1;
        *ended == GIVEN_UP
    }

    /// Which groups of test calls are given up as a whole.
    pub(crate) fn given_up(&self, cluster: &TestCluster) -> FixedBitSet {
        let is_given_up = |call: &Call| match call {
            Call::Callable(id) => self.ended.get(&id.index()).is_some_and(|ended| *ended >= GIVEN_UP),
            Call::Read(_) | Call::Write(_) | Call::Implement(_) => false,
        };
        let mut groups = FixedBitSet::with_capacity(cluster.test_calls.len());
        if !self.ended.is_empty() {
            let calls = cluster.test_calls.iter().enumerate();
            groups.extend(calls.filter(|(_, calls)| calls.iter().all(is_given_up)).map(|(group, _)| group));
        }
        groups
    }

    /// Whether a test that was cut short behind `executed` statements is worth a full run: the call that did not end
    /// never did, in several tests.
    pub(crate) fn is_worth_it(
        &mut self,
        cluster: &TestCluster,
        test: &TestCase,
        executed: usize,
        executions: u64,
    ) -> bool {
        let call = test.statements().get(executed).and_then(|statement| cluster.called_by(statement));
        let Some(callable) = call.filter(|callable| !self.completed.contains(callable.index())) else {
            return false;
        };
        let cut_short = self.cut_short.entry(callable.index()).or_default();
        *cut_short += 1;
        *cut_short > ENOUGH && executions >= self.paid_at
    }

    /// A full run was in vain.
    pub(crate) fn pay(&mut self, executions: u64) {
        self.paid_at = executions.saturating_add(self.price);
        self.price = self.price.saturating_mul(2);
    }
}

#[cfg(test)]
mod tests {
    use testcase::cluster::CallableId;
    use testcase::statement::Statement;

    use super::*;

    fn test() -> TestCase {
        let call =
            |id| Statement::Constructor { callable: CallableId(id), arguments: [].into_iter().collect() };
        TestCase::new(vec![call(0), call(1)])
    }

    /// Tests cut short there until one is worth a full run.
    fn tests_until(patience: &mut Patience, executed: usize, executions: u64) -> Option<u32> {
        (1..=2 * ENOUGH)
            .find(|_| patience.is_worth_it(&TestCluster::default(), &test(), executed, executions))
    }

    #[test]
    fn a_call_that_never_ended_is_given_time_after_a_while() {
        let mut patience = Patience::new(2);
        assert_eq!(tests_until(&mut patience, 1, 0), Some(ENOUGH + 1));
        assert_eq!(tests_until(&mut patience, 1, 0), Some(1));
        patience.note(&TestCluster::default(), &test(), 1);
        assert_eq!(tests_until(&mut patience, 0, 0), None, "it completed once");
        assert_eq!(tests_until(&mut patience, 2, 0), None, "there is no such statement");
    }

    #[test]
    fn a_call_that_only_ends_tests_is_given_up_until_it_completes() {
        let cluster = TestCluster {
            test_calls: [0, 1].map(|id| vec![Call::Callable(CallableId(id))]).to_vec(),
            ..TestCluster::default()
        };
        let mut patience = Patience::new(2);
        assert!(!patience.note(&cluster, &test(), 1));
        let ends: Vec<bool> = (0..4).map(|_| patience.note_end(&cluster, &test(), 1)).collect();
        assert_eq!(ends, [false, false, true, false]);
        assert_eq!(patience.given_up(&cluster).ones().collect::<Vec<_>>(), [1]);
        // It completed before, and may do so again.
        assert!((0..4).all(|_| !patience.note_end(&cluster, &test(), 0)));
        assert!(patience.note(&cluster, &test(), 2));
        assert_eq!(patience.given_up(&cluster).count_ones(..), 0);
        assert!((0..4).all(|_| !patience.note_end(&cluster, &test(), 1)));
    }

    #[test]
    fn what_was_in_vain_is_tried_again_ever_more_rarely() {
        let mut patience = Patience::new(2);
        tests_until(&mut patience, 0, 0);
        let mut check = |executions: u64, expect: bool| {
            assert_eq!(
                patience.is_worth_it(&TestCluster::default(), &test(), 0, executions),
                expect,
                "{executions}"
            );
            if expect {
                patience.pay(executions);
            }
        };
        check(10, true);
        check(9 + PRICE, false);
        check(10 + PRICE, true);
        check(10 + 2 * PRICE, false);
        check(10 + 3 * PRICE, true);
    }
}
