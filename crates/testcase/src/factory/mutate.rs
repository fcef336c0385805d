//! Mutation of a test: deleting, changing, inserting (Fraser and Arcuri 2013, §3.3; Panichella et al. 2018, §4.5).
//!
//! # Differences
//! Only statements that ran are deleted and changed, in the order of the operators of the reference implementation; a
//! deletion that would leave nothing is not made.

use super::TestFactory;
use crate::random::Random;
use crate::test_case::TestCase;

/// How far a test ran.
#[derive(Debug, Clone, Copy)]
struct Ran {
    /// Statements that completed.
    completed: usize,
    /// The same and the one that threw.
    reached: usize,
}

impl TestFactory<'_> {
    /// Mutates a test: each of deleting, changing and inserting happens with probability 1/3
    /// ([`super::options::FactoryOptions::each_mutation`]), each statement is deleted (changed) with probability 1 / n
    /// of the `n` that ran. A test of full length first loses what never ran. Whether anything changed; it may well
    /// not.
    pub fn mutate(&mut self, test: &mut TestCase, executed: usize, random: &mut Random) -> bool {
        let mut changed = false;
        let executed = executed.min(test.len());
        let mut ran = Ran { completed: executed, reached: (executed + 1).min(test.len()) };
        if test.len() >= self.options.max_length && ran.reached < test.len() {
            test.truncate(ran.reached);
            changed = true;
        }
        if random.chance(self.options.each_mutation) {
            changed |= self.delete_some(test, &mut ran, random);
        }
        if random.chance(self.options.each_mutation) {
            let before = test.len();
            changed |= self.change_some(test, ran.reached, random);
            ran.completed = (ran.completed + test.len()).saturating_sub(before);
        }
        if random.chance(self.options.each_mutation) {
            changed |= self.insert_some(test, ran.completed, random);
        }
        debug_assert_eq!(test.validate(self.cluster), Ok(()));
        changed
    }

    fn delete_some(&mut self, test: &mut TestCase, ran: &mut Ran, random: &mut Random) -> bool {
        let each = 1.0 / ran.reached.max(1) as f64;
        let marks = &mut self.scratch.marks;
        marks.clear();
        marks.extend((0..ran.reached).map(|_| random.chance(each)));
        let any = marks.contains(&true);
        marks.resize(test.len(), false);
        if !any || !self.delete_marked(test, random) {
            return false;
        }
        let left = |marks: &[bool]| marks.iter().filter(|marked| !**marked).count();
        let marks = &self.scratch.marks;
        *ran = Ran { completed: left(&marks[..ran.completed]), reached: left(&marks[..ran.reached]) };
        true
    }

    fn change_some(&mut self, test: &mut TestCase, reached: usize, random: &mut Random) -> bool {
        let mut changed = false;
        let each = 1.0 / reached.max(1) as f64;
        // From the end, so that what a change inserts does not shift what is still to come.
        for position in (0..reached).rev() {
            if position < test.len() && random.chance(each) {
                changed |= self.change(test, position, random);
            }
        }
        changed
    }

    fn insert_some(&mut self, test: &mut TestCase, executed: usize, random: &mut Random) -> bool {
        let mut changed = false;
        let mut executed = executed;
        let mut again = 1.0;
        while test.len() < self.options.max_length && random.chance(again) {
            let before = test.len();
            changed |= self.insert_random(test, executed, random);
            executed += test.len() - before;
            again *= self.options.further_insertion;
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::*;
    use super::*;
    use crate::factory::options::FactoryOptions;
    use crate::statement::Statement;

    #[test]
    fn a_test_of_full_length_loses_what_never_ran() {
        let foo = Foo::new();
        let options = FactoryOptions { max_length: 4, each_mutation: 0.0, ..FactoryOptions::default() };
        let mut factory = TestFactory::new(&foo.cluster, options);
        let mut test =
            test(vec![make(foo.construct), int(1), call(foo.run, 0, &[1]), call(foo.run, 0, &[1])]);
        assert!(factory.mutate(&mut test, 2, &mut Random::new(1, 0)));
        assert_eq!(test.len(), 3);
        assert!(!factory.mutate(&mut test, 3, &mut Random::new(1, 0)));
    }

    #[test]
    fn calls_are_inserted_where_they_run() {
        let foo = Foo::new();
        let mut factory = foo.factory();
        let original =
            test(vec![make(foo.construct), int(1), call(foo.run, 0, &[1]), call(foo.run, 0, &[1])]);
        let mut random = Random::new(2, 0);
        for _ in 0..200 {
            let mut test = original.clone();
            // The third statement threw.
            if factory.insert_random(&mut test, 2, &mut random) {
                let behind = test.statements()[test.len() - 2..].iter();
                assert!(behind.map(Statement::callable).all(|called| called == Some(foo.run)), "{test:?}");
            }
        }
    }

    #[test]
    fn calls_are_inserted_behind_what_threw_where_the_options_say_so() {
        let foo = Foo::new();
        let options =
            FactoryOptions { calls_before_throw: false, test_call: 1.0, ..FactoryOptions::default() };
        let mut factory = TestFactory::new(&foo.cluster, options);
        let original = vec![make(foo.construct), int(1), call(foo.run, 0, &[1]), int(2)];
        let mut random = Random::new(2, 0);
        for _ in 0..50 {
            let mut test = test(original.clone());
            assert!(factory.insert_random(&mut test, 2, &mut random));
            assert_eq!(test.statements()[..3], original[..3], "the third statement threw");
            assert!(factory.insert_random(&mut test, 99, &mut random));
        }
    }

    #[test]
    fn statements_that_never_ran_are_neither_changed_nor_deleted_on_their_own() {
        let foo = Foo::new();
        let options =
            FactoryOptions { each_mutation: 1.0, further_insertion: 0.0, ..FactoryOptions::default() };
        let mut factory = TestFactory::new(&foo.cluster, options);
        let mut random = Random::new(2, 0);
        let tail = [int(901), int(902), int(903)];
        let original = TestCase::new(
            [vec![make(foo.construct), int(1), call(foo.run, 0, &[1])], tail.to_vec()].concat(),
        );
        for _ in 0..200 {
            let mut test = original.clone();
            factory.mutate(&mut test, 2, &mut random);
            assert!(test.statements().ends_with(&tail), "{test:?}");
        }
    }
}
