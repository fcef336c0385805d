//! MOSA: many-objective sorting over all uncovered goals.
//!
//! Panichella, Kifetew and Tonella 2018 (DynaMOSA), §3.2.1, Algorithm 2, whose lines the comments name (Panichella,
//! Kifetew and Tonella 2015, "Reformulating Branch Coverage as a Many-Objective Optimization Problem", has it first).
//!
//! # Differences
//! As for [`super::dynamosa`]. `keep_first_front` goes with the listing in the profile of the paper only.

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
    name: "mosa",
    summary: "many-objective search that aims at all uncovered goals at once (MOSA)",
    paper: paper::DYNAMOSA,
    explanation: "\
As dynamosa, with every uncovered goal as an objective from the start. Goals behind uncovered branches order tests as \
those branches do, so both algorithms select the same tests from the same population; this one compares more values to \
get there.",
    archive: ArchivePolicy::Collects,
    follows_control: false,
    is_blind: false,
    pursues_mutants: false,
    local_search: LocalSearchUse::Beside,
    new: || Box::new(Mosa::default()),
};

/// The algorithm.
#[derive(Debug, Default)]
struct Mosa {
    /// `P_t`; empty before the first generation.
    population: Vec<TestCaseChromosome>,
}

impl SearchAlgorithm for Mosa {
    fn step(&mut self, context: &mut SearchContext<'_, '_>) {
        // Lines 4 and 7, UPDATE-ARCHIVE, happen run by run.
        let mut offspring = if self.population.is_empty() {
            context.aim_at_all();
            context.update_targets(&mut []);
            // Line 3: RANDOM-POPULATION.
            initial_population(context)
        } else {
            // Line 6: GENERATE-OFFSPRING.
            generate_offspring(&self.population, context)
        };
        context.state.clock.enter(Phase::Ranking);
        // "u_i is uncovered" in Algorithms 3 and 4: what is covered leaves the objectives.
        context.update_targets(&mut [&mut self.population, &mut offspring]);
        // Line 8.
        let union = union(offspring, &mut self.population);
        // Line 9: PREFERENCE-SORTING.
        let size = context.options.population;
        let fronts = Ranking::new(&union).preference_sorting(size);
        // Lines 10 to 17.
        let survival = Survival { size, keep_first_front: context.options.keep_first_front };
        self.population = survive(union, fronts, survival, by_subvector_dominance);
    }
}
