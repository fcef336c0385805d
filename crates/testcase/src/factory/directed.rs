//! Changes of one statement that local search and the variations of finished tests ask for, beside those that mutation draws.

use super::TestFactory;
use super::edit::{for_each_input, set_input, splice};
use super::satisfy::Role;
use super::values::Values;
use crate::cluster::{Call, StubId, TypeId};
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

    /// Passes an object that the test implements itself where another one is passed, or given by another such object: what the code
    /// calls on it is written down then. The place is drawn among those where one can be; whether there was one.
    pub fn implement_input(&mut self, test: &mut TestCase, random: &mut Random) -> bool {
        let cluster = self.cluster;
        let mut places: Vec<(usize, usize, StubId)> = Vec::new();
        for (position, statement) in test.statements().iter().enumerate() {
            let type_of = |variable: VarRef| test.variable_type(cluster, variable);
            for_each_input(cluster, statement, type_of, |number, variable, wanted, role| {
                let is_implemented = matches!(test.statement(variable), Statement::Stub { .. });
                if role == Role::Argument && !is_implemented {
                    places.extend(cluster.recorder(wanted).map(|stub| (position, number, stub)));
                }
            });
        }
        let Some(&(position, number, stub)) = random.choose(&places) else { return false };
        if test.len() >= self.options.max_length {
            return false;
        }
        let mut draft = self.draft(test, position, random);
        let Some(made) = draft.stub(stub, 1) else { return false };
        let inserted = draft.scratch.pending.len();
        splice(test, position, &mut self.scratch.pending);
        set_input(&mut test.statements_mut()[position + inserted], number, made);
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
    use crate::cluster::Generator;
    use crate::cluster::testing::ClusterBuilder;
    use crate::factory::fixtures::Foo;
    use crate::factory::options::FactoryOptions;

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

    #[test]
    fn what_is_passed_becomes_an_object_that_writes_down_what_is_called() {
        let mut builder = ClusterBuilder::new("p/Group");
        let group = builder.class_under_test();
        let member = builder.class("p/Member");
        let real = builder.class("p/RealMember");
        builder.subtype(real, member);
        let make = builder.constructor(real, &[]);
        let stub = builder.stub(member, None, &[("start", &[], None), ("stop", &[], None)], &[]);
        builder.generator(member, Generator::Stub(stub));
        let add = builder.static_method(group, "add", &[member, TypeId::STRING], None);
        let cluster = builder.build();
        let mut factory = TestFactory::new(&cluster, FactoryOptions::default());
        let mut test = TestCase::new(vec![
            Statement::Constructor { callable: make, arguments: Vec::new().into() },
            Statement::Primitive { value: Value::String("a".into()), boxed: false },
            Statement::Method { callable: add, receiver: None, arguments: vec![VarRef(0), VarRef(1)].into() },
        ]);
        let mut random = Random::new(0, 0);
        assert!(factory.implement_input(&mut test, &mut random));
        let used = test.statements().last().expect("the call").used();
        assert!(matches!(test.statement(used[0]), Statement::Stub { stub: made, .. } if *made == stub));
        assert_eq!(used[1], VarRef(1));
        // There is no other place.
        assert!(!factory.implement_input(&mut test, &mut random));
    }
}
