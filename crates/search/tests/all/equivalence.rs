//! Paper 004, §3.2.3: aiming at the targets whose control dependences are covered selects as aiming at all uncovered
//! goals does. What falls is the number of objectives.

use std::collections::BTreeSet;

use crate::landscape::{
    Comparison, FakeExecutor, IntSource, Landscape, Node, Operand, if_equal, method, private,
};
use coverage::distance::Normalization;
use coverage::fitness::{FitnessFunction, FitnessVector};
use coverage::goal::GoalId;
use search::chromosome::{RunSummary, TestCaseChromosome};
use search::operators::ranking::Ranking;
use search::source::TestSource;
use search::targets::Targets;
use testcase::execution::{ExecutionResult, Executor};
use testcase::random::Random;
use testcase::run_request::RunRequest;

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
            executor.execute(&test, &RunRequest::default(), &mut result);
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

#[test]
fn in_figure_3_what_b1_controls_is_one_level_farther_than_b1() {
    // 004 §3.2.3: while b1 is not covered, f2 = f3 = f1 + 1 for every test.
    let [a, b, c] = [0, 1, 2].map(Operand::Argument);
    let inner = Node::If(c, Comparison::Less, a, vec![Node::Line], vec![Node::Line]);
    let body = vec![
        Node::If(a, Comparison::Equal, b, vec![inner], vec![]),
        Node::If(b, Comparison::Equal, c, vec![Node::Line], vec![]),
    ];
    let landscape = Landscape::new(&["branch"], vec![method("example", 3, body)]);
    let graph = landscape.graph(false);
    let mut function = FitnessFunction::new(&landscape.goals, &graph, Normalization::Ratio);
    let objectives = function.objectives(landscape.goals.ids());
    let mut source = IntSource::new(&landscape);
    let mut executor = FakeExecutor::new(&landscape);
    let mut result = ExecutionResult::new(landscape.probes, landscape.outcomes);
    let (mut random, mut compared) = (Random::new(0, 0), 0);
    for _ in 0..400 {
        executor.execute(&source.random_test(&mut random), &RunRequest::default(), &mut result);
        let mut fitness = FitnessVector::default();
        let mut covered = Vec::new();
        landscape.goals.covered(&result.trace, &mut covered);
        function.evaluate(&result.trace, &objectives, &covered, &mut fitness);
        // Outcomes of the three conditions, two each: b1 is the first, b2 and b3 are those of the second.
        let [b1, _, b2, b3, ..] = *fitness.to_values() else { panic!("six goals") };
        if b1 > 0.0 {
            compared += 1;
            assert_eq!((b2, b3), (b1 + 1.0, b1 + 1.0));
        }
    }
    assert!(compared > 50, "{compared}");
}
