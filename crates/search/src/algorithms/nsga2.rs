//! NSGA-II over all goals.
//!
//! Deb, Pratap, Agarwal and Meyarivan 2002, "A Fast and Elitist Multiobjective Genetic Algorithm: NSGA-II", as
//! Panichella, Kifetew and Tonella 2018 (DynaMOSA) have it in Algorithm 1, whose lines the comments name.
//!
//! # Differences
//! * The result of the listing is its last population. The archive that is kept beside it only collects: nothing that
//!   it holds is inserted, and covered goals stay objectives.
//! * Those of the whole family: [`super::many_objective`].

use super::many_objective::offspring::{initial_population, offspring_of_population};
use super::many_objective::survival::{Secondary, Survival, survive};
use super::many_objective::union;
use crate::algorithm::{AlgorithmRow, ArchivePolicy, LocalSearchUse, SearchAlgorithm, paper};
use crate::chromosome::TestCaseChromosome;
use crate::context::SearchContext;
use crate::operators::ranking::Ranking;
use crate::phase::Phase;

/// The row of the table.
pub(crate) const ROW: AlgorithmRow = AlgorithmRow {
    name: "nsga2",
    summary: "multi-objective search over all goals, ranked by Pareto dominance and crowding distance (NSGA-II)",
    paper: paper::NSGA2,
    explanation: "\
Evolves test cases with every goal as an objective to the end, covered or not. Fronts by Pareto dominance; within a \
front, tests with distant neighbours come first (crowding distance). The archive collects a test for each goal that is \
ever covered and has no influence on the search, nor on the calls and values that tests are made of.",
    archive: ArchivePolicy::Collects,
    follows_control: false,
    is_blind: true,
    pursues_mutants: false,
    local_search: LocalSearchUse::Beside,
    new: || Box::new(Nsga2::default()),
};

/// The algorithm.
#[derive(Debug, Default)]
struct Nsga2 {
    /// `P_t`; empty before the first generation.
    population: Vec<TestCaseChromosome>,
}

impl SearchAlgorithm for Nsga2 {
    fn step(&mut self, context: &mut SearchContext<'_, '_>) {
        let offspring = if self.population.is_empty() {
            context.aim_at_all_for_good();
            context.update_targets(&mut []);
            // Line 3: RANDOM-POPULATION.
            initial_population(context)
        } else {
            // Line 5: GENERATE-OFFSPRING.
            offspring_of_population(&self.population, context.options.population, context)
        };
        context.state.clock.enter(Phase::Ranking);
        // Line 6.
        let union = union(offspring, &mut self.population);
        // Line 7: FAST-NONDOMINATED-SORT.
        let size = context.options.population;
        let everyone = (0..union.len()).collect();
        let fronts = Ranking::new(&union).nondominated_fronts(everyone, size);
        // Lines 8 to 15.
        let survival = Survival { size, keep_first_front: false };
        self.population = survive(union, fronts, survival, |union, _, front| {
            Ranking::new(union).crowding_distance(front).into_iter().map(Secondary::of).collect()
        });
    }
}
