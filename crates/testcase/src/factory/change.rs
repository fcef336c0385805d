//! Changing one statement: another value, other inputs, or another statement whose variable fits the same uses.

use super::TestFactory;
use super::edit::{for_each_input, replace, set_input, splice};
use super::satisfy::{Role, Scratch};
use super::values::Values;
use crate::cluster::{FieldId, Parameter, TypeId};
use crate::random::Random;
use crate::statement::{Statement, VarRef};
use crate::test_case::TestCase;
use crate::value::Value;

/// Most steps by which the length of an array changes at once.
const LENGTH_STEPS: i32 = 3;

impl TestFactory<'_> {
    /// Changes the statement at the position; statements that its new inputs need go before it. Whether it changed.
    pub fn change(&mut self, test: &mut TestCase, position: usize, random: &mut Random) -> bool {
        if position >= test.len() {
            return false;
        }
        let changed = match &test.statements()[position] {
            Statement::Primitive { value, .. } => {
                let values = Values { options: &self.options, pools: &self.pools };
                let parameter = self.passed_to(test, position);
                let hint = parameter.and_then(|parameter| self.hint(parameter, value, random));
                let is_size = parameter.is_some_and(|parameter| parameter.is_size);
                let mutate = if is_size { Values::mutate_size } else { Values::mutate };
                let new = hint.unwrap_or_else(|| mutate(values, value, random));
                if let Statement::Primitive { value, .. } = &mut test.statements_mut()[position] {
                    *value = new;
                }
                true
            }
            Statement::EnumConstant { field } => {
                let field = *field;
                self.change_enum_constant(test, position, field, random)
            }
            Statement::Null { .. } | Statement::ClassLiteral { .. } => self.remake(test, position, random),
            Statement::Array { length, .. } => {
                let length = *length;
                self.change_length(test, position, length, random)
            }
            Statement::ArrayWrite { .. } => {
                if random.chance(0.5) {
                    self.change_index(test, position, random)
                } else {
                    self.change_input(test, position, random)
                }
            }
            Statement::FieldWrite { .. } => self.change_input(test, position, random),
            Statement::Stub { .. } => self.change_stub(test, position, random),
            Statement::Constructor { .. } | Statement::Method { .. } | Statement::FieldRead { .. } => {
                random.chance(self.options.change_input) && self.change_input(test, position, random)
                    || self.change_call(test, position, random)
            }
        };
        debug_assert_eq!(test.validate(self.cluster), Ok(()));
        changed
    }

    fn change_enum_constant(
        &mut self,
        test: &mut TestCase,
        position: usize,
        field: FieldId,
        random: &mut Random,
    ) -> bool {
        let constants = &self.cluster.ty(self.cluster.field(field).of).enum_constants;
        if constants.len() < 2 {
            return self.remake(test, position, random);
        }
        let current = constants.iter().position(|constant| *constant == field).unwrap_or(0);
        // One of the others, uniformly.
        let other = (current + 1 + random.below(constants.len() - 1)) % constants.len();
        test.statements_mut()[position] = Statement::EnumConstant { field: constants[other] };
        true
    }

    /// A length that is drawn anew, or a little more or less than that of an array.
    fn other_length(&self, test: &TestCase, position: usize, length: u16, random: &mut Random) -> u16 {
        let is_primitive = matches!(test.statements()[position], Statement::Array { of, .. }
            if self.cluster.ty(of).element.is_some_and(|element| !self.cluster.is_reference(element)));
        let values = Values { options: &self.options, pools: &self.pools };
        if is_primitive && let Some(constant) = values.constant_length(random) {
            return constant;
        }
        let longest = self.options.max_array as i32;
        let new = if random.chance(self.options.redraw) {
            random.below(self.options.max_array + 1) as i32
        } else {
            let step = 1 + random.below(LENGTH_STEPS as usize) as i32;
            i32::from(length) + if random.chance(0.5) { step } else { -step }
        };
        // An array may have been longer than new ones are from the start.
        new.clamp(0, longest.max(i32::from(length))) as u16
    }

    /// Another length; writes beyond the new end go.
    fn change_length(
        &mut self,
        test: &mut TestCase,
        position: usize,
        length: u16,
        random: &mut Random,
    ) -> bool {
        let new = self.other_length(test, position, length, random);
        if new == length {
            return false;
        }
        let statements = test.statements_mut();
        if let Statement::Array { length, .. } = &mut statements[position] {
            *length = new;
        }
        self.scratch.marks.clear();
        let beyond = |statement: &Statement| {
            matches!(statement, Statement::ArrayWrite { array, index, .. }
                if array.index() == position && *index >= new)
        };
        self.scratch.marks.extend(test.statements().iter().map(beyond));
        if self.scratch.marks.contains(&true) {
            self.delete_marked(test, random);
        }
        true
    }

    fn change_index(&mut self, test: &mut TestCase, position: usize, random: &mut Random) -> bool {
        let Statement::ArrayWrite { array, index, .. } = test.statements()[position] else {
            return false;
        };
        let Statement::Array { length, .. } = *test.statement(array) else {
            return false;
        };
        if length < 2 {
            return self.change_input(test, position, random);
        }
        let other = (usize::from(index) + 1 + random.below(usize::from(length) - 1)) % usize::from(length);
        if let Statement::ArrayWrite { index, .. } = &mut test.statements_mut()[position] {
            *index = other as u16;
        }
        true
    }

    /// Binds one input, uniform among all, to another variable or a new one. The array of a write stays.
    pub(super) fn change_input(&mut self, test: &mut TestCase, position: usize, random: &mut Random) -> bool {
        let array = if let Statement::ArrayWrite { array, .. } = test.statements()[position] {
            Some(array)
        } else {
            None
        };
        let is_element = array.is_some();
        let mut draft = self.draft(test, position, random);
        draft.filled = array;
        let mut inputs: smallvec::SmallVec<[(usize, VarRef, TypeId, Role); 6]> = smallvec::SmallVec::new();
        let slots = &draft.scratch.slots;
        let type_of = |variable: VarRef| slots[variable.index()].ty();
        for_each_input(
            draft.cluster,
            &test.statements()[position],
            type_of,
            |number, variable, wanted, role| {
                if !(is_element && number == 0) {
                    inputs.push((number, variable, wanted, role));
                }
            },
        );
        let Some(&(number, current, wanted, role)) = draft.random.choose(&inputs) else {
            return false;
        };
        let other = if draft.random.chance(0.5) { draft.known(wanted, role, Some(current)) } else { None };
        let other = match other {
            Some(other) => Some(other),
            None => draft.create(wanted, role, 1).or_else(|| draft.known(wanted, role, Some(current))),
        };
        let Some(other) = other else {
            return false;
        };
        let inserted = draft.scratch.pending.len();
        splice(test, position, &mut self.scratch.pending);
        set_input(&mut test.statements_mut()[position + inserted], number, other);
        true
    }

    /// Another call in place of this one: one whose result fits all uses, or, when nothing uses it, any call of the
    /// class under test or on the same receiver.
    pub(super) fn change_call(&mut self, test: &mut TestCase, position: usize, random: &mut Random) -> bool {
        self.note_uses(test, position);
        if !self.scratch.wanted.is_empty() {
            return self.remake(test, position, random);
        }
        let cluster = self.cluster;
        let receiver = test.statements()[position].receiver().filter(|_| random.chance(0.5));
        let group = self.weights.draw(random);
        let mut draft = self.draft(test, position, random);
        draft.room += 1; // the statement that goes
        let call = match receiver {
            Some(receiver) => {
                let of = cluster.type_of(test.statement(receiver)).unwrap_or(TypeId::OBJECT);
                draft.random.choose(cluster.modifiers(of)).copied()
            }
            None => group.and_then(|group| draft.preferred(&cluster.test_calls[group])),
        };
        let Some(call) = call else {
            return false;
        };
        if test.statements()[position].call() == Some(call) {
            return self.change_input(test, position, random);
        }
        if !draft.any_call(call, receiver) {
            return false;
        }
        replace(test, position, &mut self.scratch.pending, None);
        true
    }

    /// Makes the variable of a statement anew in another way that fits all its uses; any way when it has none.
    fn remake(&mut self, test: &mut TestCase, position: usize, random: &mut Random) -> bool {
        self.note_uses(test, position);
        let own = self.cluster.type_of(&test.statements()[position]);
        let Some((wanted, _)) =
            random.choose(&self.scratch.wanted).copied().or(own.map(|of| (of, Role::Argument)))
        else {
            return false;
        };
        // The uses are needed again, and the draft writes into the other buffers only.
        let uses = std::mem::take(&mut self.scratch.wanted);
        let is_null = matches!(test.statements()[position], Statement::Null { .. });
        let mut draft = self.draft(test, position, random);
        draft.room += 1;
        let role = if is_null { Role::Receiver } else { Role::Argument };
        let made = draft.create(wanted, role, 0);
        let fits = made.filter(|made| {
            let slot = draft.scratch.slots[made.index()];
            uses.iter().all(|(wanted, role)| slot.fits(draft.plan, *wanted, *role))
        });
        self.scratch.wanted = uses;
        let Some(made) = fits else {
            return false;
        };
        let same = matches!(self.scratch.pending.as_slice(), [only] if *only == test.statements()[position]);
        if same {
            return false;
        }
        replace(test, position, &mut self.scratch.pending, Some(made));
        true
    }

    /// The parameter of the first call that takes the variable at the position.
    fn passed_to(&self, test: &TestCase, position: usize) -> Option<&Parameter> {
        test.statements()[position + 1..].iter().find_map(|statement| {
            let callable = self.cluster.callable(statement.callable()?);
            let (mut number, mut found) = (0_usize, None);
            statement.for_each_use(|used| {
                found = found.or((used.index() == position).then_some(number));
                number += 1;
            });
            let index = found?.checked_sub(usize::from(statement.receiver().is_some()))?;
            let parameter = callable.parameters.get(index)?;
            (parameter.is_size || !parameter.hints.is_empty()).then_some(parameter)
        })
    }

    /// Another value that the call is known to ask for, now and then.
    fn hint(&self, parameter: &Parameter, value: &Value, random: &mut Random) -> Option<Value> {
        if self.options.hint == 0.0 {
            return None;
        }
        let hints = Some(&parameter.hints).filter(|hints| !hints.is_empty())?;
        let drawn = if random.chance(self.options.redraw) { random.choose(hints) } else { None };
        drawn.filter(|drawn| *drawn != value && drawn.primitive_type() == value.primitive_type()).cloned()
    }

    /// Notes the types and roles in which the variable of a statement is used.
    fn note_uses(&mut self, test: &TestCase, position: usize) {
        let Scratch { wanted, .. } = &mut self.scratch;
        wanted.clear();
        let type_of = |variable: VarRef| self.cluster.type_of(test.statement(variable));
        for statement in &test.statements()[position + 1..] {
            for_each_input(self.cluster, statement, type_of, |_, variable, of, role| {
                if variable.index() == position && !wanted.contains(&(of, role)) {
                    wanted.push((of, role));
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::fixtures::*;
    use super::*;
    use crate::cluster::StaticConstants;
    use crate::cluster::testing::taking_objects;
    use crate::constant_pools::ConstantPools;
    use crate::factory::options::FactoryOptions;

    /// The class whose method makes as much as its argument says.
    fn sized() -> Foo {
        let mut foo = Foo::new();
        foo.cluster.callables[foo.run.index()].parameters[0].is_size = true;
        foo
    }

    #[test]
    fn sizes_are_drawn_small() {
        let foo = sized();
        let mut random = Random::new(4, 0);
        let (mut small, mut all) = (0, 0);
        for _ in 0..300 {
            let test = foo.factory().random_test(&mut random);
            for statement in test.statements() {
                let Statement::Method { callable, arguments, .. } = statement else { continue };
                if *callable != foo.run {
                    continue;
                }
                let Statement::Primitive { value, .. } = test.statement(arguments[0]) else { continue };
                small += u32::from(value.as_integer().is_some_and(|size| (0..=10).contains(&size)));
                all += 1;
            }
        }
        assert!(all > 100 && small * 10 > all * 8, "{small} of {all}");
    }

    #[test]
    fn sizes_move_in_small_steps() {
        let foo = sized();
        let mut random = Random::new(4, 0);
        let original = test(vec![make(foo.construct), int(500), call(foo.run, 0, &[1])]);
        let mut near = 0;
        for _ in 0..300 {
            let mut test = original.clone();
            assert!(foo.factory().change(&mut test, 1, &mut random));
            let Statement::Primitive { value, .. } = &test.statements()[1] else { panic!("still a number") };
            let size = value.as_integer().unwrap();
            assert_ne!(size, 500);
            near += u32::from((497..=503).contains(&size) || (0..=10).contains(&size));
        }
        assert!(near > 260, "{near}");
    }

    #[test]
    fn an_array_is_no_element_of_itself() {
        let (cluster, ..) = taking_objects();
        let mut factory = TestFactory::new(&cluster, FactoryOptions::default());
        let mut random = Random::new(5, 0);
        let is_inside = |test: &TestCase| {
            let mut all = test.statements().iter();
            all.any(|one| matches!(one, Statement::ArrayWrite { array, value, .. } if array == value))
        };
        let mut elements = 0;
        for _ in 0..300 {
            let mut test = factory.random_test(&mut random);
            let is_write = |one: &&Statement| matches!(one, Statement::ArrayWrite { .. });
            elements += test.statements().iter().filter(is_write).count();
            assert!(!is_inside(&test), "{test:?}");
            for _ in 0..5 {
                let before = test.len();
                factory.mutate(&mut test, before, &mut random);
                assert!(!is_inside(&test), "{test:?}");
            }
        }
        assert!(elements > 100, "{elements}");
    }

    #[test]
    fn a_shorter_array_loses_the_elements_beyond_its_end() {
        let foo = Foo::new();
        let mut random = Random::new(3, 0);
        let original = test(vec![array(foo.ints, 2), int(5), write(0, 0, 1), write(0, 1, 1)]);
        let mut lengths = [false; 11];
        for _ in 0..300 {
            let mut test = original.clone();
            assert!(foo.factory().change(&mut test, 0, &mut random) || test == original);
            let Statement::Array { length, .. } = test.statements()[0] else { panic!("still an array") };
            lengths[usize::from(length)] = true;
            assert_eq!(test.len(), 2 + usize::from(length.min(2)));
        }
        assert!(lengths.iter().filter(|seen| **seen).count() > 6, "{lengths:?}");
    }

    #[test]
    fn an_array_of_numbers_gets_a_length_that_the_code_names() {
        let foo = Foo::new();
        let constants = StaticConstants {
            class_under_test: [16, 100, 1000, -1].map(Value::Int).to_vec(),
            ..StaticConstants::default()
        };
        let lengths = |of, constant_lengths| {
            let options = FactoryOptions { constant_lengths, project_pool: 0.0, ..FactoryOptions::default() };
            let mut factory = TestFactory::new(&foo.cluster, options);
            factory.pools = ConstantPools::new(&constants, &factory.options);
            let mut random = Random::new(3, 0);
            let mut seen = BTreeSet::new();
            for _ in 0..300 {
                let mut test = test(vec![array(of, 2)]);
                factory.change(&mut test, 0, &mut random);
                seen.extend(test.statements().iter().filter_map(|statement| match statement {
                    Statement::Array { length, .. } if *length > 10 => Some(*length),
                    _ => None,
                }));
            }
            seen.into_iter().collect::<Vec<u16>>()
        };
        assert_eq!(lengths(foo.ints, 0.5), [16, 100]);
        assert!(lengths(foo.ints, 0.0).is_empty());
    }

    #[test]
    fn a_call_whose_variable_is_used_gives_way_only_to_what_fits() {
        let foo = Foo::new();
        let mut random = Random::new(3, 0);
        let original = test(vec![make(foo.construct), int(1), call(foo.run, 0, &[1])]);
        let mut seen_other = false;
        for _ in 0..300 {
            let mut test = original.clone();
            foo.factory().change(&mut test, 0, &mut random);
            assert_eq!(test.validate(&foo.cluster), Ok(()));
            seen_other |= test.statements().iter().any(|statement| statement.callable() == Some(foo.other));
            assert!(test.statements().iter().any(|statement| statement.callable() == Some(foo.run)));
        }
        assert!(seen_other, "`other` makes a Foo as well");
    }

    #[test]
    fn inputs_change_and_null_becomes_an_object() {
        let foo = Foo::new();
        let mut random = Random::new(3, 0);
        let null = Statement::Null { of: foo.list };
        let original = test(vec![make(foo.construct), array(foo.ints, 0), null, call(foo.take, 0, &[1, 2])]);
        let mut test = original.clone();
        assert!(foo.factory().change(&mut test, 2, &mut random));
        assert!(test.statements().iter().any(|statement| statement.callable() == Some(foo.new_list)));
        let changed = (0..50).filter(|_| {
            let mut test = original.clone();
            foo.factory().change(&mut test, 3, &mut random) && test != original
        });
        assert!(changed.count() > 40);
    }

    #[test]
    fn a_constant_of_an_enum_becomes_another_one() {
        let foo = Foo::new();
        let constants = foo.cluster.types.iter().find(|ty| !ty.enum_constants.is_empty()).unwrap();
        let [red, green] = constants.enum_constants[..] else { panic!("two constants") };
        let mut test = test(vec![Statement::EnumConstant { field: red }]);
        assert!(foo.factory().change(&mut test, 0, &mut Random::new(1, 0)));
        assert_eq!(test.statements(), [Statement::EnumConstant { field: green }]);
    }
}
