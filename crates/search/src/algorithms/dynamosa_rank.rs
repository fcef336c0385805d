//! `DynaMOSA` with Pareto ranking alone: the ablation without preference criterion.
//!
//! Panichella, Kifetew and Tonella 2018 (DynaMOSA), §4.3, `DynaMOSA_Rank`: "the traditional NSGA-II algorithm, enriched
//! with the archive strategy and with a dynamic selection of coverage targets". The comments name the lines of
//! Algorithm 6.
//!
//! # Differences
//! * Fronts are ordered by subvector dominance, as everywhere in the paper but in NSGA-II itself.
//! * The first front is always cut to the population: with many targets nearly every test is in it.
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
    name: "dynamosa-rank",
    summary: "dynamosa without its preference criterion: Pareto ranking alone",
    paper: paper::DYNAMOSA,
    explanation: "\
The ablation of research question 4.1: dynamic targets and archive as dynamosa has them, and fronts by Pareto \
dominance alone. With many targets hardly any test dominates another, and selection loses its direction.",
    archive: ArchivePolicy::Collects,
    follows_control: true,
    is_blind: false,
    pursues_mutants: false,
    local_search: LocalSearchUse::Beside,
    new: || Box::new(DynaMosaRank::default()),
};

/// The algorithm.
#[derive(Debug, Default)]
struct DynaMosaRank {
    /// `P_t`; empty before the first generation.
    population: Vec<TestCaseChromosome>,
}

impl SearchAlgorithm for DynaMosaRank {
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
        // In place of line 12: FAST-NONDOMINATED-SORT.
        let size = context.options.population;
        let everyone = (0..union.len()).collect();
        let fronts = Ranking::new(&union).nondominated_fronts(everyone, size);
        // Lines 13 to 20.
        let survival = Survival { size, keep_first_front: false };
        self.population = survive(union, fronts, survival, by_subvector_dominance);
    }
}
