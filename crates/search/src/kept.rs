//! What a search keeps of its runs: the archive, filled as the algorithm has it ([`ArchivePolicy`]).

use std::sync::Arc;

use coverage::goal::{GoalId, GoalSet};
use coverage::method_table::MethodTable;
use testcase::execution::ExecutionResult;
use testcase::test_case::TestCase;

use crate::algorithm::ArchivePolicy;
use crate::archive::{Archive, ArchivedTest, delivered_length};
use crate::options::SearchOptions;
use crate::performance::{Proxies, ProxyTable};

/// The archive with its policy.
#[derive(Debug)]
pub(crate) struct Kept {
    archive: Archive,
    /// What the archive holds.
    policy: ArchivePolicy,
    /// Fitness and length of the best individual so far, where it is what the archive holds.
    best: Option<(f64, usize)>,
    /// What runs cost, where the archive asks.
    prices: ProxyTable,
    /// What the last run cost, where the archive asks.
    proxies: Proxies,
}

impl Kept {
    /// Nothing yet, for that many goals.
    pub(crate) fn new(
        policy: ArchivePolicy,
        goals: usize,
        methods: &MethodTable,
        options: &SearchOptions,
    ) -> Self {
        Self {
            archive: Archive::new(goals, options.archive_replaces_equal),
            policy,
            best: None,
            prices: match policy {
                ArchivePolicy::CollectsCheapest => ProxyTable::new(methods),
                ArchivePolicy::Collects | ArchivePolicy::BestIndividual => ProxyTable::default(),
            },
            proxies: Proxies::default(),
        }
    }

    /// The archive.
    pub(crate) fn archive(&self) -> &Archive {
        &self.archive
    }

    /// The archive, for what comes to it otherwise than by [`Kept::archive_run`].
    pub(crate) fn archive_mut(&mut self) -> &mut Archive {
        &mut self.archive
    }

    /// The archive, when the search is over.
    pub(crate) fn into_archive(self) -> Archive {
        self.archive
    }

    /// Whether the archive holds the best individual alone, so that what is covered can be lost.
    pub(crate) fn is_best_individual(&self) -> bool {
        self.policy == ArchivePolicy::BestIndividual
    }

    /// What the last run cost, where the archive asks; otherwise all 0.
    pub(crate) fn proxies(&self) -> Proxies {
        self.proxies
    }

    /// Shows a run to the archive; the test when it entered.
    pub(crate) fn archive_run(
        &mut self,
        goals: &GoalSet,
        test: &TestCase,
        result: &ExecutionResult,
        options: &SearchOptions,
    ) -> Option<Arc<ArchivedTest>> {
        let Self { archive, policy, prices, proxies, .. } = self;
        match policy {
            ArchivePolicy::Collects => archive.update(goals, test, result).cloned(),
            ArchivePolicy::CollectsCheapest => {
                let length = delivered_length(test, &result.outcome);
                *proxies = prices.measure(test, length, &result.trace);
                archive
                    .update_by_score(goals, test, result, proxies.score(options.adynamosa.proxies))
                    .cloned()
            }
            ArchivePolicy::BestIndividual => None,
        }
    }

    /// The archive is to hold these tests, with the goals that each covers; gives what that changes.
    pub(crate) fn replacement<'t>(
        &mut self,
        tests: impl IntoIterator<Item = (&'t [GoalId], &'t Arc<ArchivedTest>)>,
    ) -> Replacement<'t> {
        let mut best = self.archive.best_of(tests);
        let mut lost: Vec<GoalId> = self.archive.covered().to_vec();
        lost.retain(|goal| best.binary_search_by_key(goal, |&(goal, _)| goal).is_err());
        lost.sort_unstable();
        self.archive.forget(&lost);
        best.retain(|&(goal, test)| self.archive.test(goal).is_none_or(|kept| **kept != **test));
        let mut entering = Vec::new();
        // Test by test, in the order of the first goal of each.
        while let Some(&(_, test)) = best.first() {
            let is_of_test = |other: &Arc<ArchivedTest>| Arc::ptr_eq(other, test);
            let goals = best.iter().filter(|(_, other)| is_of_test(other)).map(|&(goal, _)| goal).collect();
            best.retain(|(_, other)| !is_of_test(other));
            entering.push((goals, test));
        }
        Replacement { lost, entering }
    }

    /// Forgets the best individual: fitness is another from now on.
    pub(crate) fn forget_best(&mut self) {
        self.best = None;
    }

    /// Whether an individual of this fitness and length is the best so far; from now on it is.
    pub(crate) fn is_best(&mut self, fitness: f64, length: usize) -> bool {
        let is_best = self.best.is_none_or(|best| (fitness, length) < best);
        if is_best {
            self.best = Some((fitness, length));
        }
        is_best
    }
}

/// What changes when the tests of a better individual become the archive.
#[derive(Debug)]
pub(crate) struct Replacement<'t> {
    /// Goals that are covered no more, ascending; the archive has forgotten them.
    pub(crate) lost: Vec<GoalId>,
    /// Tests that are to enter, with the goals whose test each is, ascending.
    pub(crate) entering: Vec<(Vec<GoalId>, &'t Arc<ArchivedTest>)>,
}

#[cfg(test)]
mod tests {
    use testcase::execution::Outcome;

    use super::*;
    use crate::archive::Penalty;

    fn kept(policy: ArchivePolicy) -> Kept {
        Kept::new(policy, 4, &MethodTable::new(&[]), &SearchOptions::default())
    }

    #[test]
    fn an_individual_is_the_best_by_fitness_then_length_until_fitness_is_another() {
        let mut kept = kept(ArchivePolicy::BestIndividual);
        let rows =
            [((0.5, 9), true), ((0.5, 9), false), ((0.6, 1), false), ((0.5, 8), true), ((0.1, 90), true)];
        for ((fitness, length), expect) in rows {
            assert_eq!(kept.is_best(fitness, length), expect, "{fitness} {length}");
        }
        kept.forget_best();
        assert!(kept.is_best(0.9, 99));
    }

    #[test]
    fn the_tests_of_a_better_individual_replace_those_before() {
        let test = |length| {
            let statements =
                vec![testcase::statement::Statement::Null { of: testcase::cluster::TypeId(9) }; length];
            Arc::new(ArchivedTest::new(&TestCase::new(statements), Penalty::NONE, &Outcome::Passed))
        };
        let (one, two, three) = (test(1), test(2), test(3));
        let ids = |goals: &[u32]| goals.iter().copied().map(GoalId).collect::<Vec<_>>();
        let mut kept = kept(ArchivePolicy::BestIndividual);
        let mut check = |tests: &[(&[u32], &Arc<ArchivedTest>)],
                         lost: &[u32],
                         entering: &[(&[u32], usize)]| {
            let tests: Vec<_> = tests.iter().map(|(goals, test)| (ids(goals), *test)).collect();
            let replacement = kept.replacement(tests.iter().map(|(goals, test)| (goals.as_slice(), *test)));
            assert_eq!(replacement.lost, ids(lost));
            let found: Vec<_> =
                replacement.entering.iter().map(|(goals, test)| (goals.clone(), test.test.len())).collect();
            let expect: Vec<_> = entering.iter().map(|&(goals, length)| (ids(goals), length)).collect();
            assert_eq!(found, expect);
            for (goals, test) in replacement.entering {
                kept.archive_mut().put(goals, test);
            }
        };
        check(&[(&[0, 2], &two), (&[2, 3], &one)], &[], &[(&[0], 2), (&[2, 3], 1)]);
        check(&[(&[0, 2], &two)], &[3], &[(&[2], 2)]);
        check(&[(&[0, 1], &three)], &[2], &[(&[0, 1], 3)]);
    }
}
