//! Mutation of a test: deleting, changing, inserting (Fraser and Arcuri 2013, §3.3; Panichella et al. 2018, §4.5).
//!
//! # Differences
//! Only statements that ran are deleted and changed, in the order of the operators of the reference implementation; a
//! deletion that would leave nothing is not made.

use super::TestFactory;
use crate::random::Random;
use crate::test_case::TestCase;

impl TestFactory<'_> {
    /// Mutates a test: each of deleting, changing and inserting happens with probability 1/3
    /// ([`super::options::FactoryOptions::each_mutation`]), each statement is deleted (changed) with probability 1 / n
    /// of the `n` that ran. A test of full length first loses what never ran. Whether anything changed; it may well
    /// not.
    pub fn mutate(&mut self, test: &mut TestCase, executed: usize, random: &mut Random) -> bool {
        let mut changed = false;
        let mut executed = executed.min(test.len());
        if test.len() >= self.options.max_length && executed + 1 < test.len() {
            test.truncate(executed + 1);
            changed = true;
        }
        if random.chance(self.options.each_mutation) {
            let before = test.len();
            let deleted = self.delete_some(test, executed, random);
            changed |= deleted;
            executed = if deleted { executed.saturating_sub(before - test.len()) } else { executed };
        }
        if random.chance(self.options.each_mutation) {
            let before = test.len();
            changed |= self.change_some(test, executed, random);
            executed = executed.saturating_add(test.len()).saturating_sub(before);
        }
        if random.chance(self.options.each_mutation) {
            changed |= self.insert_some(test, executed, random);
        }
        debug_assert_eq!(test.validate(self.cluster), Ok(()));
        changed
    }

    /// Number of statements that ran, the one that threw included.
    fn reached(test: &TestCase, executed: usize) -> usize {
        (executed + 1).min(test.len())
    }

    fn delete_some(&mut self, test: &mut TestCase, executed: usize, random: &mut Random) -> bool {
        let reached = Self::reached(test, executed);
        let each = 1.0 / reached.max(1) as f64;
        let marks = &mut self.scratch.marks;
        marks.clear();
        marks.extend((0..reached).map(|_| random.chance(each)));
        let any = marks.contains(&true);
        marks.resize(test.len(), false);
        any && self.delete_marked(test, random)
    }

    fn change_some(&mut self, test: &mut TestCase, executed: usize, random: &mut Random) -> bool {
        let mut changed = false;
        let reached = Self::reached(test, executed);
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
