//! Where test cases come from: the trait through which the search makes and changes them.

use bytecode::probe_map::ProbeId;
use fixedbitset::FixedBitSet;
use testcase::cluster::Call;
use testcase::execution::ComparisonOperand;
use testcase::factory::TestFactory;
use testcase::random::Random;
use testcase::statement::VarRef;
use testcase::test_case::TestCase;
use testcase::value::Value;

/// Makes and changes test cases. Every test case it gives is valid for its cluster and within its length limit.
pub trait TestSource {
    /// A new test case.
    fn random_test(&mut self, random: &mut Random) -> TestCase;

    /// Changes a test case by deleting, changing and inserting statements; whether it differs now.
    ///
    /// `executed` is the number of statements known to complete when the test runs, at most its length.
    fn mutate(&mut self, test: &mut TestCase, executed: usize, random: &mut Random) -> bool;

    /// Appends the statements of `other` from `position` on, giving them inputs from what the test has, as far as
    /// there is room; whether anything was appended.
    fn append(&mut self, test: &mut TestCase, other: &TestCase, position: usize, random: &mut Random)
    -> bool;

    /// Inserts one random call where it will run; whether that succeeded. `executed` as for [`TestSource::mutate`].
    fn insert_random(&mut self, test: &mut TestCase, executed: usize, random: &mut Random) -> bool;

    /// Puts one value in the place of another in one of the inputs that hold it, drawn at random; whether there was one.
    /// As it stands for sources whose tests have no values.
    fn transfer(&mut self, _test: &mut TestCase, _from: &Value, _to: &Value, _random: &mut Random) -> bool {
        false
    }

    /// Changes the call or the use of a field at a position, or calls a method on what it makes
    /// ([`TestFactory::mutate_call`]); where it stands now, if anything changed. As it stands for sources without calls.
    fn mutate_call(&mut self, _test: &mut TestCase, _position: usize, _random: &mut Random) -> Option<usize> {
        None
    }

    /// Changes the statement at a position in any way ([`TestFactory::change`]); where it, or what takes its place, stands now,
    /// if anything changed. As it stands for sources whose statements do not change.
    fn change_statement(
        &mut self,
        _test: &mut TestCase,
        _position: usize,
        _random: &mut Random,
    ) -> Option<usize> {
        None
    }

    /// A value of the type of another, as new tests get theirs: from the pools of constants, or any. As it stands for sources that
    /// have none.
    fn draw_like(&mut self, _value: &Value, _random: &mut Random) -> Option<Value> {
        None
    }

    /// Calls a method on the object that the statement at a position makes, right behind it ([`TestFactory::call_on`]); whether
    /// there was one to call. As it stands for sources without calls.
    fn call_on(&mut self, _test: &mut TestCase, _position: usize, _random: &mut Random) -> bool {
        false
    }

    /// Makes a call right before the statement at a position, on a variable where it takes a receiver ([`TestFactory::call_before`]);
    /// whether that succeeded. As it stands for sources without calls.
    fn call_before(
        &mut self,
        _test: &mut TestCase,
        _position: usize,
        _call: Call,
        _receiver: Option<VarRef>,
        _random: &mut Random,
    ) -> bool {
        false
    }

    /// Removes statements without effect whose variables nothing uses.
    fn remove_unused(&mut self, test: &mut TestCase);

    /// Sets how often calls are drawn, by group of [`testcase::cluster::TestCluster::test_calls`], 0 or more.
    fn set_call_weights(&mut self, weights: &[f64]);

    /// Names the branches that still have an outcome to cover, by the index of their probe.
    fn set_open_branches(&mut self, open: &FixedBitSet);

    /// Names the numbers that switches wait for: the probe of the branch, and a key of an outcome to cover. Sources
    /// without pools have no use for them.
    fn set_wanted(&mut self, _wanted: &[(ProbeId, i64)]) {}

    /// Learns from a run of a test, in which so many statements completed ([`TestFactory::note_run`]). Sources without calls have no use for it.
    fn note_run(&mut self, _test: &TestCase, _executed: usize) {}

    /// Takes values that were compared at open branches into the dynamic constant pool.
    fn observe(&mut self, operands: &[ComparisonOperand]);
}

impl TestSource for TestFactory<'_> {
    fn random_test(&mut self, random: &mut Random) -> TestCase {
        Self::random_test(self, random)
    }

    fn mutate(&mut self, test: &mut TestCase, executed: usize, random: &mut Random) -> bool {
        Self::mutate(self, test, executed, random)
    }

    fn append(
        &mut self,
        test: &mut TestCase,
        other: &TestCase,
        position: usize,
        random: &mut Random,
    ) -> bool {
        self.append_tail(test, other, position, random)
    }

    fn insert_random(&mut self, test: &mut TestCase, executed: usize, random: &mut Random) -> bool {
        Self::insert_random(self, test, executed, random)
    }

    fn transfer(&mut self, test: &mut TestCase, from: &Value, to: &Value, random: &mut Random) -> bool {
        Self::transfer(self, test, from, to, random)
    }

    fn mutate_call(&mut self, test: &mut TestCase, position: usize, random: &mut Random) -> Option<usize> {
        Self::mutate_call(self, test, position, random)
    }

    fn change_statement(
        &mut self,
        test: &mut TestCase,
        position: usize,
        random: &mut Random,
    ) -> Option<usize> {
        let behind = test.len().checked_sub(position)?;
        let changed = Self::change(self, test, position, random);
        if changed { test.len().checked_sub(behind) } else { None }
    }

    fn draw_like(&mut self, value: &Value, random: &mut Random) -> Option<Value> {
        Some(Self::draw_like(self, value, random))
    }

    fn call_on(&mut self, test: &mut TestCase, position: usize, random: &mut Random) -> bool {
        Self::call_on(self, test, position, random)
    }

    fn call_before(
        &mut self,
        test: &mut TestCase,
        position: usize,
        call: Call,
        receiver: Option<VarRef>,
        random: &mut Random,
    ) -> bool {
        Self::call_before(self, test, position, call, receiver, random)
    }

    fn remove_unused(&mut self, test: &mut TestCase) {
        Self::remove_unused(self, test);
    }

    fn set_call_weights(&mut self, weights: &[f64]) {
        Self::set_call_weights(self, weights);
    }

    fn set_open_branches(&mut self, open: &FixedBitSet) {
        self.pools_mut().set_open(open.clone());
    }

    fn set_wanted(&mut self, wanted: &[(ProbeId, i64)]) {
        self.pools_mut().set_wanted(wanted);
    }

    fn note_run(&mut self, test: &TestCase, executed: usize) {
        Self::note_run(self, test, executed);
    }

    fn observe(&mut self, operands: &[ComparisonOperand]) {
        self.pools_mut().observe(operands);
    }
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// Makes nothing and changes nothing.
    #[derive(Debug)]
    pub(crate) struct NoSource;

    impl TestSource for NoSource {
        fn random_test(&mut self, _: &mut Random) -> TestCase {
            TestCase::default()
        }

        fn mutate(&mut self, _: &mut TestCase, _: usize, _: &mut Random) -> bool {
            false
        }

        fn append(&mut self, _: &mut TestCase, _: &TestCase, _: usize, _: &mut Random) -> bool {
            false
        }

        fn insert_random(&mut self, _: &mut TestCase, _: usize, _: &mut Random) -> bool {
            false
        }

        fn remove_unused(&mut self, _: &mut TestCase) {}

        fn set_call_weights(&mut self, _: &[f64]) {}

        fn set_open_branches(&mut self, _: &FixedBitSet) {}

        fn observe(&mut self, _: &[ComparisonOperand]) {}
    }
}
