//! Deletion of statements. What used their variables is bound to others where there are any, else deleted as well.

use super::TestFactory;
use super::edit::{for_each_input, set_input};
use super::satisfy::{Role, Slot};
use crate::cluster::TypeId;
use crate::random::Random;
use crate::statement::{Statement, VarRef};
use crate::test_case::TestCase;

impl TestFactory<'_> {
    /// Deletes the statement at the position. Uses of its variable go to a random one that fits; what finds none is
    /// deleted too. False, and nothing changed, when no statement would be left.
    pub fn delete(&mut self, test: &mut TestCase, position: usize, random: &mut Random) -> bool {
        if position >= test.len() {
            return false;
        }
        self.scratch.marks.clear();
        self.scratch.marks.resize(test.len(), false);
        self.scratch.marks[position] = true;
        let deleted = self.delete_marked(test, random);
        debug_assert_eq!(test.validate(self.cluster), Ok(()));
        deleted
    }

    /// Deletes what is marked in the scratch buffer, as [`TestFactory::delete`].
    pub(super) fn delete_marked(&mut self, test: &mut TestCase, random: &mut Random) -> bool {
        let cluster = self.cluster;
        let slots = &mut self.scratch.slots;
        slots.clear();
        slots.extend(test.statements().iter().map(|statement| Slot::of(cluster, statement)));
        if !self.mark_dependents(test, random) {
            return false;
        }
        self.remove_marked(test);
        true
    }

    /// Rebinds or marks what uses marked variables. False when everything is marked.
    fn mark_dependents(&mut self, test: &mut TestCase, random: &mut Random) -> bool {
        let mut left = 0;
        for position in 0..test.len() {
            if !self.scratch.marks[position] && !self.rebind(test, position, random) {
                self.scratch.marks[position] = true;
            }
            left += usize::from(!self.scratch.marks[position]);
        }
        left > 0
    }

    /// Binds the inputs of a statement that are marked to others. False when one finds none.
    fn rebind(&mut self, test: &mut TestCase, position: usize, random: &mut Random) -> bool {
        let statement = &test.statements()[position];
        if matches!(statement, Statement::Stub { .. }) {
            return self.repair_script(test, position, random);
        }
        let mut lost: smallvec::SmallVec<[(usize, TypeId, Role); 4]> = smallvec::SmallVec::new();
        let mut is_lost_element = false;
        let (slots, marks) = (&self.scratch.slots, &self.scratch.marks);
        let type_of = |variable: VarRef| slots[variable.index()].ty();
        for_each_input(self.cluster, statement, type_of, |number, variable, wanted, role| {
            if marks[variable.index()] {
                // An element belongs to its array, and its index to the array's length.
                is_lost_element |= number == 0 && matches!(statement, Statement::ArrayWrite { .. });
                lost.push((number, wanted, role));
            }
        });
        if is_lost_element {
            return false;
        }
        let array = if let Statement::ArrayWrite { array, .. } = statement { Some(*array) } else { None };
        for (number, wanted, role) in lost {
            let Some(chosen) = self.unmarked(position, (wanted, role), array, random) else {
                return false;
            };
            set_input(&mut test.statements_mut()[position], number, chosen);
        }
        true
    }

    /// A variable before the position that fits and stays, but not this one.
    pub(super) fn unmarked(
        &mut self,
        position: usize,
        (wanted, role): (TypeId, Role),
        but: Option<VarRef>,
        random: &mut Random,
    ) -> Option<VarRef> {
        let (slots, marks) = (&self.scratch.slots, &self.scratch.marks);
        let candidates = &mut self.scratch.candidates;
        candidates.clear();
        let fitting = |&other: &usize| !marks[other] && slots[other].fits(&self.plan, wanted, role);
        let others = (0..position).filter(|&other| Some(VarRef::from(other)) != but);
        candidates.extend(others.filter(fitting).map(|other| other as u16));
        random.choose(candidates).map(|chosen| VarRef(*chosen))
    }

    /// Takes the marked statements out; nothing that stays uses them.
    fn remove_marked(&mut self, test: &mut TestCase) {
        let super::satisfy::Scratch { marks, map, .. } = &mut self.scratch;
        map.clear();
        let mut next = 0;
        for marked in marks.iter() {
            map.push(next);
            next += u16::from(!marked);
        }
        let statements = test.statements_mut();
        let mut position = 0;
        statements.retain_mut(|statement| {
            let keep = !marks[position];
            position += 1;
            if keep {
                statement.for_each_use_mut(|used| used.0 = map[used.index()]);
            }
            keep
        });
    }

    /// Removes statements that do nothing for any other: literals, nulls, enum constants, class literals and arrays
    /// that nothing uses, and writes to arrays that nothing else uses. Whether there were any; nothing is removed
    /// from a test that has no other statements.
    pub fn remove_unused(&mut self, test: &mut TestCase) -> bool {
        let super::satisfy::Scratch { marks, candidates, .. } = &mut self.scratch;
        let statements = test.statements();
        // Uses other than as the array of a write: a write matters also when it comes last, because the array may
        // have been stored by then.
        candidates.clear();
        candidates.resize(statements.len(), 0);
        for statement in statements {
            statement.for_each_use(|used| candidates[used.index()] += 1);
            if let Statement::ArrayWrite { array, .. } = statement {
                candidates[array.index()] -= 1;
            }
        }
        marks.clear();
        marks.resize(statements.len(), false);
        let mut left = statements.len();
        // An array may hold another one, and be written to before or behind that; so until nothing is new.
        loop {
            let before = left;
            for (position, statement) in statements.iter().enumerate().rev() {
                if !marks[position] && is_unused(statement, position, candidates) {
                    marks[position] = true;
                    left -= 1;
                    if let Statement::ArrayWrite { value, .. } = statement {
                        candidates[value.index()] -= 1;
                    }
                }
            }
            if left == before {
                break;
            }
        }
        if left == 0 || left == statements.len() {
            return false;
        }
        self.remove_marked(test);
        debug_assert_eq!(test.validate(self.cluster), Ok(()));
        true
    }
}

/// Whether a statement does nothing for any other, given how often each variable is used.
fn is_unused(statement: &Statement, position: usize, uses: &[u16]) -> bool {
    match statement {
        Statement::Primitive { .. }
        | Statement::Null { .. }
        | Statement::EnumConstant { .. }
        | Statement::ClassLiteral { .. }
        | Statement::Array { .. } => uses[position] == 0,
        Statement::ArrayWrite { array, .. } => uses[array.index()] == 0,
        Statement::Constructor { .. }
        | Statement::Method { .. }
        | Statement::FieldRead { .. }
        | Statement::FieldWrite { .. }
        | Statement::Stub { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::*;
    use super::*;

    #[test]
    fn what_used_a_deleted_variable_takes_another_that_fits() {
        let foo = Foo::new();
        let mut test = test(vec![make(foo.construct), int(1), int(2), call(foo.run, 0, &[2])]);
        assert!(foo.factory().delete(&mut test, 2, &mut Random::new(1, 0)));
        assert_eq!(test.statements(), [make(foo.construct), int(1), call(foo.run, 0, &[1])]);
    }

    #[test]
    fn what_finds_no_other_variable_goes_too_but_never_everything() {
        let foo = Foo::new();
        let list = [make(foo.new_list), call(foo.add, 0, &[0])];
        let mut test =
            test([list.to_vec(), vec![make(foo.construct), int(1), call(foo.run, 2, &[3])]].concat());
        assert!(foo.factory().delete(&mut test, 2, &mut Random::new(1, 0)));
        assert_eq!(test.statements(), [list.to_vec(), vec![int(1)]].concat());
        let mut single = TestCase::new(vec![make(foo.construct), call(foo.other, 0, &[])]);
        single.truncate(1);
        assert!(!foo.factory().delete(&mut single, 0, &mut Random::new(1, 0)));
        assert_eq!(single.len(), 1);
    }

    #[test]
    fn elements_go_with_their_array_and_are_not_bound_to_another() {
        let foo = Foo::new();
        let mut test = test(vec![array(foo.ints, 1), array(foo.ints, 2), int(5), write(1, 1, 2)]);
        assert!(foo.factory().delete(&mut test, 1, &mut Random::new(1, 0)));
        assert_eq!(test.statements(), [array(foo.ints, 1), int(5)]);
    }

    #[test]
    fn unused_literals_go_and_writes_to_arrays_in_use_stay() {
        let foo = Foo::new();
        let unused = [array(foo.ints, 1), int(3), write(0, 0, 1)];
        let mut test = test(
            [
                unused.to_vec(),
                vec![make(foo.construct), array(foo.ints, 1), make(foo.new_list), call(foo.take, 3, &[4, 5])],
                vec![int(7), write(4, 0, 7)],
            ]
            .concat(),
        );
        assert!(foo.factory().remove_unused(&mut test));
        let kept = [
            make(foo.construct),
            array(foo.ints, 1),
            make(foo.new_list),
            call(foo.take, 0, &[1, 2]),
            int(7),
            write(1, 0, 4),
        ];
        assert_eq!(test.statements(), kept);
        let mut nothing_else = TestCase::new(unused.to_vec());
        assert!(!foo.factory().remove_unused(&mut nothing_else));
    }
}
