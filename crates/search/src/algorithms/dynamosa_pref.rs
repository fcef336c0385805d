//! `DynaMOSA` with the preference criterion alone: the ablation without Pareto ranking.
//!
//! Panichella, Kifetew and Tonella 2018 (DynaMOSA), §4.3, `DynaMOSA_Pref`: "at each generation it creates only two
//! fronts: the first containing all best test cases selected according to preference criterion, while all the remaining
//! tests are assigned to the second front". The comments name the lines of Algorithm 6.
//!
//! # Differences
//! As for [`super::dynamosa`].

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
    name: "dynamosa-pref",
    summary: "dynamosa without Pareto ranking: its preference criterion alone",
    paper: paper::DYNAMOSA,
    explanation: "\
The ablation of research question 4.2: dynamic targets and archive as dynamosa has them, and two fronts only, the best \
test of each target and all others. It holds up where targets are so many that the first front fills the population.",
    archive: ArchivePolicy::Collects,
    follows_control: true,
    is_blind: false,
    pursues_mutants: false,
    local_search: LocalSearchUse::Beside,
    new: || Box::new(DynaMosaPref::default()),
};

/// The algorithm.
#[derive(Debug, Default)]
struct DynaMosaPref {
    /// `P_t`; empty before the first generation.
    population: Vec<TestCaseChromosome>,
}

impl SearchAlgorithm for DynaMosaPref {
    fn step(&mut self, context: &mut SearchContext<'_, '_>) {
        let mut offspring = if self.population.is_empty() {
            // Lines 2 and 4.
            context.aim_at(context.class.graph.roots());
            context.update_targets(&mut []);
            initial_population(context)
        } else {
            // Line 8.
            generate_offspring(&self.population, context)
        };
        context.state.clock.enter(Phase::Ranking);
        // Lines 6 and 10.
        context.update_targets(&mut [&mut self.population, &mut offspring]);
        // Line 11.
        let union = union(offspring, &mut self.population);
        // In place of line 12: the best test of each target, and the others.
        let fronts = Ranking::new(&union).preference_fronts();
        // Lines 13 to 20.
        let survival =
            Survival { size: context.options.population, keep_first_front: context.options.keep_first_front };
        self.population = survive(union, fronts, survival, by_subvector_dominance);
    }
}
