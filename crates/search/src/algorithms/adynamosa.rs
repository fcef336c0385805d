//! aDynaMOSA: `DynaMOSA` that prefers tests that cost less, where that does not hold the search up.
//!
//! Grano, Laaber, Panichella and Panichella 2019, "Testing with Fewer Resources", Algorithms 1 and 2. The comments name
//! the lines of Algorithm 1; the performance proxies are in [`crate::performance`], the rule of Algorithm 2 in
//! [`HeuristicSwitch`].
//!
//! # Differences
//! * Stagnation is judged over the current targets, in place of all uncovered goals: the others order tests as these do.
//!   A target that is newly covered is progress.
//! * The initial population is ranked too, by the performance heuristic.
//! * Of two tests of one score the archive keeps the first; a test that ends in an exception of the JVM gives way to one
//!   that does not, whatever it costs ([`crate::archive`]).
//! * Those of [`super::dynamosa`].

use super::many_objective::offspring::{generate_offspring, initial_population};
use super::many_objective::survival::{Secondary, Survival, by_subvector_dominance, survive};
use super::many_objective::union;
use crate::algorithm::{AlgorithmRow, ArchivePolicy, LocalSearchUse, SearchAlgorithm, paper};
use crate::chromosome::TestCaseChromosome;
use crate::context::SearchContext;
use crate::operators::ranking::Ranking;
use crate::performance::{Proxies, ProxySet, heuristic};
use crate::phase::Phase;

/// What orders the tests of a front in aDynaMOSA.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecondaryHeuristic {
    /// Performance or crowding distance, whichever the search stagnates less under.
    Adaptive,
    /// Always the performance heuristic.
    Performance,
    /// Always subvector dominance.
    CrowdingDistance,
}

/// What is preferred among tests that are equally near to a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PreferenceTie {
    /// The shorter test.
    Length,
    /// The test of lower performance score.
    Performance,
}

/// What aDynaMOSA takes tests to cost, and what that decides. "003" is Grano et al. 2019, "004" Panichella et al. 2018.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ADynamosaOptions {
    /// What orders the tests of a front in aDynaMOSA. Default adaptive (003 Algorithm 2; always performance in §5.4).
    pub secondary_heuristic: SecondaryHeuristic,
    /// What aDynaMOSA prefers among tests that are equally near to a target. Default the shorter one (004 Definition 3;
    /// the cheaper one in 003 §3.2.1).
    pub preference_tie: PreferenceTie,
    /// The performance proxies that count in aDynaMOSA. Default all (003 Table 1; one at a time in §6).
    pub proxies: ProxySet,
}

impl Default for ADynamosaOptions {
    fn default() -> Self {
        Self {
            secondary_heuristic: SecondaryHeuristic::Adaptive,
            preference_tie: PreferenceTie::Length,
            proxies: ProxySet::ALL,
        }
    }
}

/// The row of the table.
pub(crate) const ROW: AlgorithmRow = AlgorithmRow {
    name: "adynamosa",
    summary: "dynamosa that also prefers tests of little run time and memory while that costs no coverage (aDynaMOSA)",
    paper: paper::ADYNAMOSA,
    explanation: "\
As dynamosa, and seven proxies predict what a test costs to run: loop iterations, method calls, objects made, \
instructions, its own calls, statements and length. The archive replaces a test by one whose performance score is lower. \
Within a front cheap tests survive, or diverse ones, as dynamosa has it: when the search makes no progress with the one \
heuristic, it switches to the one under which it has stagnated less.",
    archive: ArchivePolicy::CollectsCheapest,
    follows_control: true,
    is_blind: false,
    pursues_mutants: false,
    local_search: LocalSearchUse::Beside,
    new: || Box::new(ADynaMosa::default()),
};

/// H: what orders the tests of a front.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Heuristic {
    Performance,
    CrowdingDistance,
}

/// GET-SECONDARY-HEURISTIC (Algorithm 2).
#[derive(Debug)]
struct HeuristicSwitch {
    /// `H_{i-1}`.
    current: Heuristic,
    /// Generations in which the search stagnated, by heuristic, since it last made progress with it.
    performance_counter: u32,
    crowding_counter: u32,
}

impl Default for HeuristicSwitch {
    /// Lines 2 to 5.
    fn default() -> Self {
        Self { current: Heuristic::Performance, performance_counter: 0, crowding_counter: 0 }
    }
}

impl HeuristicSwitch {
    /// Lines 10 to 24.
    fn next(&mut self, stagnates: bool) -> Heuristic {
        let counter = match self.current {
            Heuristic::Performance => &mut self.performance_counter,
            Heuristic::CrowdingDistance => &mut self.crowding_counter,
        };
        if !stagnates {
            *counter = 0;
            return self.current;
        }
        *counter += 1;
        self.current = if self.performance_counter <= self.crowding_counter {
            Heuristic::Performance
        } else {
            Heuristic::CrowdingDistance
        };
        self.current
    }
}

/// Lines 6 to 9: whether no best value of the offspring is better than that of the generation before.
fn stagnates(before: &[f64], now: &[f64]) -> bool {
    before.iter().zip(now).all(|(before, now)| now >= before)
}

/// The best value of these individuals for each objective; empty of nobody.
fn best_values(individuals: &[TestCaseChromosome]) -> Vec<f64> {
    let Some(first) = individuals.first() else { return Vec::new() };
    let mut best = first.fitness.to_values();
    for (column, value) in individuals.iter().flat_map(|individual| individual.fitness.reached_values()) {
        best[column] = best[column].min(value);
    }
    best
}

/// The algorithm.
#[derive(Debug, Default)]
struct ADynaMosa {
    /// `P_i`; empty before the first generation.
    population: Vec<TestCaseChromosome>,
    switch: HeuristicSwitch,
    /// The best values of `Q_{i-1}` for the current targets; `None` before there were any offspring.
    best: Option<Vec<f64>>,
}

impl SearchAlgorithm for ADynaMosa {
    fn step(&mut self, context: &mut SearchContext<'_, '_>) {
        let options = context.options;
        let is_first = self.population.is_empty();
        // Lines 6 and 10, PERFORMANCE-UPDATE-ARCHIVE, happen run by run.
        let mut offspring = if is_first {
            // Lines 3 and 5.
            context.aim_at(context.class.graph.roots());
            context.update_targets(&mut []);
            initial_population(context)
        } else {
            // Line 9.
            generate_offspring(&self.population, context)
        };
        context.state.clock.enter(Phase::Ranking);
        // Line 11.
        let adapted = match &self.best {
            Some(before) => self.switch.next(stagnates(before, &best_values(&offspring))),
            None => self.switch.current,
        };
        let current = match options.adynamosa.secondary_heuristic {
            SecondaryHeuristic::Adaptive => adapted,
            SecondaryHeuristic::Performance => Heuristic::Performance,
            SecondaryHeuristic::CrowdingDistance => Heuristic::CrowdingDistance,
        };
        // Line 12.
        context.update_targets(&mut [&mut self.population, &mut offspring]);
        self.best = (!is_first).then(|| best_values(&offspring));
        // Line 13.
        let union = union(offspring, &mut self.population);
        let size = options.population;
        let ranking = Ranking::new(&union);
        let fronts = match options.adynamosa.preference_tie {
            PreferenceTie::Length => ranking.preference_sorting(size),
            PreferenceTie::Performance => ranking.preference_sorting_by(size, |individual| {
                individual.proxies.score(options.adynamosa.proxies)
            }),
        };
        // Lines 14 to 24.
        let survival = Survival { size, keep_first_front: options.keep_first_front };
        self.population = match current {
            Heuristic::CrowdingDistance => survive(union, fronts, survival, by_subvector_dominance),
            Heuristic::Performance => survive(union, fronts, survival, |union, _, front| {
                let front: Vec<Proxies> = front.iter().map(|&index| union[index].proxies).collect();
                heuristic(&front, options.adynamosa.proxies).into_iter().map(Secondary::of).collect()
            }),
        };
    }
}

#[cfg(test)]
mod tests {
    use coverage::fitness::FitnessVector;
    use testcase::test_case::TestCase;

    use super::Heuristic::{CrowdingDistance, Performance};
    use super::*;
    use crate::chromosome::RunSummary;

    #[test]
    fn the_best_value_for_each_target_is_taken_over_all_offspring_line_8() {
        let offspring = |vectors: &[&[f64]]| -> Vec<TestCaseChromosome> {
            let individual = |vector: &&[f64]| {
                let fitness = FitnessVector::of(vector.to_vec(), 9.0);
                TestCaseChromosome::new(0, TestCase::default(), fitness, RunSummary::default())
            };
            vectors.iter().map(individual).collect()
        };
        assert_eq!(best_values(&offspring(&[&[3.0, 9.0, 1.0], &[2.0, 9.0, 5.0]])), [2.0, 9.0, 1.0]);
        assert!(best_values(&[]).is_empty());
    }

    /// Heuristics chosen in a row of generations that stagnate or not.
    fn check(generations: &[(bool, Heuristic)]) {
        let mut switch = HeuristicSwitch::default();
        for (index, &(stagnates, expect)) in generations.iter().enumerate() {
            assert_eq!(switch.next(stagnates), expect, "generation {index}");
        }
    }

    #[test]
    fn the_first_heuristic_is_performance_and_stays_while_there_is_progress_lines_2_to_5_and_24() {
        assert_eq!(HeuristicSwitch::default().current, Performance);
        check(&[(false, Performance), (false, Performance)]);
    }

    #[test]
    fn stagnation_switches_to_the_lower_counter_and_ties_to_performance_lines_10_to_18() {
        // Counters of performance and crowding after each: 1 0, 1 1, 2 1, 2 2.
        check(&[
            (true, CrowdingDistance),
            (true, Performance),
            (true, CrowdingDistance),
            (true, Performance),
        ]);
    }

    #[test]
    fn progress_resets_the_counter_of_the_heuristic_in_use_only_lines_20_to_23() {
        // 1 0, then progress with crowding 1 0, then 1 1: performance; 2 1: crowding.
        check(&[
            (true, CrowdingDistance),
            (false, CrowdingDistance),
            (true, Performance),
            (true, CrowdingDistance),
            // 2 2: performance; progress: 0 2; 1 2: performance again; 2 2: performance; 3 2: crowding.
            (true, Performance),
            (false, Performance),
            (true, Performance),
            (true, Performance),
            (true, CrowdingDistance),
        ]);
    }

    #[test]
    fn any_better_value_is_progress_lines_7_to_9() {
        assert!(stagnates(&[0.5, 2.0], &[0.5, 2.0]));
        assert!(stagnates(&[0.5, 2.0], &[0.7, 2.0]));
        assert!(!stagnates(&[0.5, 2.0], &[0.9, 1.9]));
        assert!(!stagnates(&[0.5], &[0.0]), "newly covered");
        assert!(stagnates(&[0.5], &[]), "no offspring");
    }
}
