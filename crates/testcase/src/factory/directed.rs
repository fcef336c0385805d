//! Changes of one statement that local search asks for, beside those that mutation draws.

use super::TestFactory;
use super::edit::splice;
use super::values::Values;
use crate::cluster::{Call, TypeId};
use crate::random::Random;
use crate::statement::{Statement, VarRef};
use crate::test_case::TestCase;
use crate::value::Value;

impl TestFactory<'_> {
    /// Changes the call, or use of a field, at the position in one of three ways, each as likely: another one in its place;
    /// another parameter or receiver; a further call on what it makes. What these need goes before them. Where the statement
    /// stands now; `None` if nothing changed.
    pub fn mutate_call(
        &mut self,
        test: &mut TestCase,
        position: usize,
        random: &mut Random,
    ) -> Option<usize> {
        let behind = test.len().checked_sub(position)?;
        let changed = match random.below(3) {
            0 => self.change_call(test, position, random),
            1 => self.change_input(test, position, random),
            _ => return self.call_on(test, position, random).then_some(position),
        };
        debug_assert_eq!(test.validate(self.cluster), Ok(()));
        if changed { test.len().checked_sub(behind) } else { None }
    }

    /// A value of the type of another, drawn as for a new test.
    pub fn draw_like(&self, value: &Value, random: &mut Random) -> Value {
        Values { options: &self.options, pools: &self.pools }.draw(value.primitive_type(), random)
    }

    /// Calls a method on the object that the statement at the position makes, right behind it; whether there was one to call.
    pub fn call_on(&mut self, test: &mut TestCase, position: usize, random: &mut Random) -> bool {
        self.call_on_at(test, position, position + 1, random)
    }

    /// As [`TestFactory::call_on`], at the end of the test.
    pub fn call_at_end(&mut self, test: &mut TestCase, position: usize, random: &mut Random) -> bool {
        self.call_on_at(test, position, test.len(), random)
    }

    fn call_on_at(&mut self, test: &mut TestCase, position: usize, at: usize, random: &mut Random) -> bool {
        let cluster = self.cluster;
        let receiver = VarRef::from(position);
        let of = test.variable_type(cluster, receiver).filter(|of| of.as_primitive().is_none());
        let Some(of) = of.filter(|of| *of != TypeId::STRING) else { return false };
        if !self.runs_behind(test, position) {
            return false;
        }
        let mut draft = self.draft(test, at, random);
        let Some(call) = draft.random.choose(cluster.modifiers(of)).copied() else { return false };
        if !draft.any_call(call, Some(receiver)) {
            return false;
        }
        splice(test, at, &mut self.scratch.pending);
        debug_assert_eq!(test.validate(self.cluster), Ok(()));
        true
    }

    /// Makes a call right before the statement at the position, with what it needs, on a variable or on none, as the call takes one.
    /// Whether it was made: the variable must fit.
    pub fn call_before(
        &mut self,
        test: &mut TestCase,
        position: usize,
        call: Call,
        receiver: Option<VarRef>,
        random: &mut Random,
    ) -> bool {
        let fits = |variable: VarRef, wanted: TypeId| {
            !matches!(test.statement(variable), Statement::Null { .. })
                && test.variable_type(self.cluster, variable).is_some_and(|of| self.plan.fits(wanted, of))
        };
        let is_possible = match (receiver, self.cluster.receiver_of(call)) {
            (Some(variable), Some(wanted)) => fits(variable, wanted),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        if !is_possible || position >= test.len() || test.len() >= self.options.max_length {
            return false;
        }
        let mut draft = self.draft(test, position, random);
        if !draft.any_call(call, receiver) {
            return false;
        }
        splice(test, position, &mut self.scratch.pending);
        debug_assert_eq!(test.validate(self.cluster), Ok(()));
        true
    }

    /// Whether a statement may follow this one.
    fn runs_behind(&self, test: &TestCase, position: usize) -> bool {
        test.len() < self.options.max_length && !matches!(test.statements()[position], Statement::Null { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::factory::fixtures::Foo;

    #[test]
    fn a_call_is_replaced_rebound_or_followed_by_another_and_the_test_stays_valid() {
        let foo = Foo::new();
        let (mut changed, mut grown) = (0, 0);
        for seed in 0..200 {
            let mut random = Random::new(seed, 0);
            let mut factory = foo.factory();
            let mut test = factory.random_test(&mut random);
            let before = test.clone();
            let calls = |test: &TestCase| test.statements().iter().position(|one| one.callable().is_some());
            let Some(position) = calls(&test) else { continue };
            if let Some(now) = factory.mutate_call(&mut test, position, &mut random) {
                assert!(now < test.len() && test.validate(factory.cluster()).is_ok());
                assert_eq!(test.statements()[..position.min(now)], before.statements()[..position.min(now)]);
                changed += usize::from(test != before);
                grown += usize::from(test.len() > before.len());
            }
        }
        assert!(changed > 60 && grown > 10, "{changed} {grown}");
    }
}
