//! `DynaMOSA`: many-objective sorting with dynamic selection of the targets.
//!
//! Panichella, Kifetew and Tonella 2018, "Automated Test Case Generation as a Many-Objective Optimisation Problem
//! with Dynamic Selection of the Targets", Algorithms 2 to 7. The comments name the lines of Algorithm 6.
//!
//! # Differences
//! * The whole first front survives by default ([`crate::options::SearchOptions::keep_first_front`]).
//! * Those of the whole family: [`super::many_objective`].

use super::many_objective::offspring::{generate_offspring, initial_population};
use super::many_objective::survival::{Survival, by_subvector_dominance, survive};
use super::many_objective::union;
use crate::algorithm::{AlgorithmRow, ArchivePolicy, LocalSearchUse, SearchAlgorithm, paper};
use crate::chromosome::TestCaseChromosome;
use crate::context::SearchContext;
use crate::operators::ranking::Ranking;
use crate::phase::Phase;

/// The row of the table.
pub(crate) const ROW: AlgorithmRow = AlgorithmRow {
    name: "dynamosa",
    summary: "many-objective search that aims at the goals whose control dependences are covered (DynaMOSA)",
    paper: paper::DYNAMOSA,
    explanation: "\
Evolves test cases, with one objective per target. Targets are the uncovered goals that only depend on covered ones: \
what lies behind an uncovered branch joins them when that branch is covered. The first front holds the best test of \
each target, the shorter one among equals (preference criterion); the others are ranked by Pareto dominance. Within a \
front, tests that are better than all others in many objectives come first (subvector dominance). The archive keeps \
the shortest test of each covered goal, and is the result.",
    archive: ArchivePolicy::Collects,
    follows_control: true,
    is_blind: false,
    pursues_mutants: false,
    local_search: LocalSearchUse::Beside,
    new: || Box::new(DynaMosa::default()),
};

/// The algorithm.
#[derive(Debug, Default)]
struct DynaMosa {
    /// `P_t`; empty before the first generation.
    population: Vec<TestCaseChromosome>,
}

impl SearchAlgorithm for DynaMosa {
    fn step(&mut self, context: &mut SearchContext<'_, '_>) {
        // Lines 5 and 9, UPDATE-ARCHIVE, happen run by run.
        let mut offspring = if self.population.is_empty() {
            // Lines 2 and 4: the targets without control dependences, RANDOM-POPULATION.
            context.aim_at(context.class.graph.roots());
            context.update_targets(&mut []);
            initial_population(context)
        } else {
            // Line 8: GENERATE-OFFSPRING.
            generate_offspring(&self.population, context)
        };
        context.state.clock.enter(Phase::Ranking);
        // Lines 6 and 10: UPDATE-TARGETS.
        context.update_targets(&mut [&mut self.population, &mut offspring]);
        // Line 11.
        let union = union(offspring, &mut self.population);
        // Line 12: PREFERENCE-SORTING.
        let size = context.options.population;
        let fronts = Ranking::new(&union).preference_sorting(size);
        // Lines 13 to 20.
        let survival = Survival { size, keep_first_front: context.options.keep_first_front };
        self.population = survive(union, fronts, survival, by_subvector_dominance);
    }
}
