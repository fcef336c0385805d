//! Carrying statements of one test over to another: the second half of crossover (Fraser and Arcuri 2013, §3.3).
//!
//! # Differences
//! Statements of every kind are carried over, arrays with their elements and collections with their contents, and
//! literals as they are. The reference implementation looks for all inputs anew and loses arrays, writes and nulls.

use super::TestFactory;
use super::edit::{for_each_input, set_input};
use super::satisfy::{Role, Slot};
use crate::cluster::TypeId;
use crate::random::Random;
use crate::statement::{Statement, VarRef};
use crate::test_case::TestCase;

/// A position of the other test that was not carried over.
const NOWHERE: u16 = u16::MAX;

/// Carries statements of `other`, from position `from` on, to the end of a test.
struct Carrier<'f, 'a> {
    factory: &'f mut TestFactory<'a>,
    other: &'f TestCase,
    from: usize,
    random: &'f mut Random,
}

impl TestFactory<'_> {
    /// Appends the statements of `other` from position `from` on. An object that they use from before that position is
    /// replaced by one that fits and that the test holds, where it holds one
    /// ([`super::options::FactoryOptions::object_reuse`]), else carried over as well, like literals and arrays. Stops
    /// at the longest length allowed. Whether anything was appended.
    pub fn append_tail(
        &mut self,
        test: &mut TestCase,
        other: &TestCase,
        from: usize,
        random: &mut Random,
    ) -> bool {
        self.begin_carrying(test, other);
        let before = test.len();
        let mut carrier = Carrier { factory: self, other, from: from.min(other.len()), random };
        for position in carrier.from..other.len() {
            carrier.carry_whole(test, position);
        }
        debug_assert_eq!(test.validate(self.cluster), Ok(()));
        test.len() > before
    }

    /// Appends one statement of `other` with what it needs, as [`TestFactory::append_tail`] does. False, and nothing
    /// changed, when there is no room.
    pub fn append(
        &mut self,
        test: &mut TestCase,
        other: &TestCase,
        position: usize,
        random: &mut Random,
    ) -> bool {
        if position >= other.len() {
            return false;
        }
        self.begin_carrying(test, other);
        let appended = Carrier { factory: self, other, from: position, random }.carry_whole(test, position);
        debug_assert_eq!(test.validate(self.cluster), Ok(()));
        appended
    }

    fn begin_carrying(&mut self, test: &TestCase, other: &TestCase) {
        let cluster = self.cluster;
        let scratch = &mut self.scratch;
        scratch.map.clear();
        scratch.map.resize(other.len(), NOWHERE);
        scratch.slots.clear();
        scratch.slots.extend(test.statements().iter().map(|statement| Slot::of(cluster, statement)));
    }
}

impl Carrier<'_, '_> {
    /// Carries a statement over with everything it needs, or nothing at all.
    fn carry_whole(&mut self, test: &mut TestCase, position: usize) -> bool {
        let before = test.len();
        let carried = self.carry(test, position).is_some();
        if !carried {
            test.truncate(before);
            let scratch = &mut self.factory.scratch;
            scratch.slots.truncate(before);
            for target in scratch.map.iter_mut().filter(|target| **target != NOWHERE) {
                if usize::from(*target) >= before {
                    *target = NOWHERE;
                }
            }
        }
        carried
    }

    /// Appends a statement; where it went.
    fn carry(&mut self, test: &mut TestCase, position: usize) -> Option<u16> {
        let known = self.factory.scratch.map[position];
        if known != NOWHERE {
            return Some(known);
        }
        let (factory, other) = (&*self.factory, self.other);
        let mut inputs: smallvec::SmallVec<[(usize, VarRef, TypeId, Role); 6]> = smallvec::SmallVec::new();
        let statement = &other.statements()[position];
        let type_of = |variable: VarRef| factory.cluster.type_of(other.statement(variable));
        for_each_input(factory.cluster, statement, type_of, |number, variable, wanted, role| {
            inputs.push((number, variable, wanted, role));
        });
        let mut statement = statement.clone();
        for (number, variable, wanted, role) in inputs {
            let target = self.input(test, &statement, number, variable, wanted, role)?;
            set_input(&mut statement, number, VarRef(target));
        }
        if test.len() >= self.factory.options.max_length {
            return None;
        }
        let target = test.len() as u16;
        self.factory.scratch.slots.push(Slot::of(self.factory.cluster, &statement));
        test.push(statement);
        self.factory.scratch.map[position] = target;
        self.carry_contents(test, position);
        Some(target)
    }

    /// Where a variable of the other test is in this one.
    fn input(
        &mut self,
        test: &mut TestCase,
        statement: &Statement,
        number: usize,
        variable: VarRef,
        wanted: TypeId,
        role: Role,
    ) -> Option<u16> {
        let known = self.factory.scratch.map[variable.index()];
        if known != NOWHERE {
            // A variable that took the place of another may be null where that was not, or of another type.
            let slot = self.factory.scratch.slots[usize::from(known)];
            if slot.fits(&self.factory.plan, wanted, role) {
                return Some(known);
            }
        }
        let is_array = matches!(statement, Statement::ArrayWrite { .. }) && number == 0;
        if variable.index() < self.from
            && !is_array
            && self.is_object(variable)
            && self.random.chance(self.factory.options.object_reuse)
            && let Some(own) = self.own(wanted, role)
        {
            self.factory.scratch.map[variable.index()] = own;
            return Some(own);
        }
        if known == NOWHERE { self.carry(test, variable.index()) } else { self.own(wanted, role) }
    }

    /// Whether the variable is no literal and no array.
    fn is_object(&self, variable: VarRef) -> bool {
        match self.other.statement(variable) {
            Statement::Primitive { .. }
            | Statement::Null { .. }
            | Statement::EnumConstant { .. }
            | Statement::ClassLiteral { .. }
            | Statement::Array { .. } => false,
            Statement::Constructor { .. }
            | Statement::Method { .. }
            | Statement::FieldRead { .. }
            | Statement::FieldWrite { .. }
            | Statement::ArrayWrite { .. }
            | Statement::Stub { .. } => true,
        }
    }

    /// A variable of this test that fits.
    fn own(&mut self, wanted: TypeId, role: Role) -> Option<u16> {
        let super::satisfy::Scratch { slots, candidates, .. } = &mut self.factory.scratch;
        candidates.clear();
        let fitting = |slot: &Slot| slot.fits(&self.factory.plan, wanted, role) && !slot.is_null();
        for (position, slot) in slots.iter().enumerate() {
            if fitting(slot) {
                candidates.push(position as u16);
            }
        }
        self.random.choose(candidates).copied()
    }

    /// What was put into an array or collection before the part that is carried over belongs to it.
    fn carry_contents(&mut self, test: &mut TestCase, position: usize) {
        if position >= self.from {
            return;
        }
        let variable = VarRef::from(position);
        for later in position + 1..self.from {
            let statement = &self.other.statements()[later];
            let is_element = matches!(statement, Statement::ArrayWrite { array, .. } if *array == variable);
            let fills = statement.receiver() == Some(variable)
                && statement.callable().is_some_and(|callable| {
                    let of = self.factory.cluster.type_of(self.other.statement(variable));
                    of.is_some_and(|of| self.factory.plan.fillers(of).contain(callable))
                });
            if (is_element || fills) && self.factory.scratch.map[later] == NOWHERE {
                self.carry_whole(test, later);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::*;
    use super::*;
    use crate::factory::options::FactoryOptions;

    fn other(foo: &Foo) -> TestCase {
        test(vec![
            make(foo.construct),
            array(foo.ints, 2),
            int(7),
            write(1, 1, 2),
            make(foo.new_list),
            call(foo.add, 4, &[0]),
            call(foo.take, 0, &[1, 4]),
            call(foo.run, 0, &[2]),
        ])
    }

    #[test]
    fn a_call_brings_its_array_with_elements_and_its_collection_with_contents() {
        let foo = Foo::new();
        let other = other(&foo);
        let mut test = TestCase::default();
        assert!(foo.factory().append(&mut test, &other, 6, &mut Random::new(1, 0)));
        assert_eq!(test.statements(), &other.statements()[..7]);
    }

    #[test]
    fn objects_of_the_test_take_the_place_of_those_before_the_cut() {
        let foo = Foo::new();
        let options = FactoryOptions { object_reuse: 1.0, ..FactoryOptions::default() };
        let mut factory = TestFactory::new(&foo.cluster, options);
        let mut test = test(vec![make(foo.construct), int(1)]);
        assert!(factory.append_tail(&mut test, &other(&foo), 7, &mut Random::new(1, 0)));
        assert_eq!(test.statements(), [make(foo.construct), int(1), int(7), call(foo.run, 0, &[2])]);
    }

    #[test]
    fn what_follows_the_cut_is_carried_over_as_it_is() {
        let foo = Foo::new();
        let other = other(&foo);
        let mut test = TestCase::default();
        assert!(foo.factory().append_tail(&mut test, &other, 0, &mut Random::new(1, 0)));
        assert_eq!(test, other);
    }

    #[test]
    fn without_room_nothing_is_left_half_done() {
        let foo = Foo::new();
        let options = FactoryOptions { max_length: 3, ..FactoryOptions::default() };
        let mut factory = TestFactory::new(&foo.cluster, options);
        let mut test = test(vec![int(1)]);
        assert!(!factory.append(&mut test, &other(&foo), 6, &mut Random::new(1, 0)));
        assert_eq!(test.statements(), [int(1)]);
    }
}
