//! Paper 004, §3.2.3: aiming at the targets whose control dependences are covered selects as aiming at all uncovered
//! goals does. What falls is the number of objectives.

mod landscape;

use std::collections::BTreeSet;

use coverage::distance::Normalization;
use coverage::fitness::{FitnessFunction, FitnessVector};
use coverage::goal::GoalId;
use landscape::{FakeExecutor, IntSource, Landscape, Node, if_equal, method, private};
use search::chromosome::{RunSummary, TestCaseChromosome};
use search::operators::ranking::Ranking;
use search::source::TestSource;
use search::targets::Targets;
use testcase::execution::{ExecutionResult, Executor};
use testcase::random::Random;

fn landscape() -> Landscape {
    let deep = |constant: i64| {
        let inner = if_equal(2, constant + 2, vec![Node::Line, if_equal(0, 7, vec![Node::Line])]);
        if_equal(0, constant, vec![Node::Line, if_equal(1, constant + 1, vec![inner]), Node::Line])
    };
    let methods = vec![
        method("a", 3, vec![deep(10), deep(500), Node::Call("helper")]),
        method("b", 3, vec![if_equal(1, 0, vec![deep(-3)]), deep(-900)]),
        private("helper", 3, vec![deep(0)]),
    ];
    Landscape::new(&["branch", "line"], methods)
}

#[test]
fn dynamic_targets_give_the_fronts_of_all_uncovered_goals() {
    let landscape = landscape();
    let graph = landscape.graph(false);
    let mut function = FitnessFunction::new(&landscape.goals, &graph, Normalization::Ratio);
    for seed in 0..40 {
        let mut random = Random::new(seed, 0);
        let mut source = IntSource::new(&landscape);
        let mut executor = FakeExecutor::new(&landscape);
        let mut result = ExecutionResult::new(landscape.probes, landscape.outcomes);
        let mut covered = BTreeSet::new();
        let mut runs = Vec::new();
        for _ in 0..60 {
            let test = source.random_test(&mut random);
            executor.execute(&test, &mut result);
            landscape.goals.for_each_covered(&result.trace, |goal| {
                covered.insert(goal);
            });
            runs.push((test, result.trace.clone()));
        }
        let mut targets = Targets::new(landscape.goals.len());
        targets.activate(graph.roots());
        targets.update(&graph, |goal| covered.contains(&goal));

        let mut fronts = |goals: Vec<GoalId>| {
            let objectives = function.objectives(goals);
            let individual = |(serial, (test, trace)): (usize, &(_, _))| {
                let mut fitness = FitnessVector::default();
                function.evaluate(trace, &objectives, &[], &mut fitness);
                TestCaseChromosome::new(serial as u64, Clone::clone(test), fitness, RunSummary::default())
            };
            let population: Vec<_> = runs.iter().enumerate().map(individual).collect();
            Ranking::new(&population).preference_sorting(population.len())
        };
        let dynamic: Vec<GoalId> = targets.goals().collect();
        let all: Vec<GoalId> = landscape.goals.ids().filter(|goal| !covered.contains(goal)).collect();
        assert!(dynamic.len() < all.len(), "{} of {} goals", dynamic.len(), all.len());
        assert_eq!(fronts(dynamic), fronts(all), "seed {seed}");
    }
}
