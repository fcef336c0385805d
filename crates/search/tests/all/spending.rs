//! Tests that cost much and bring nothing do not take the budget.

use crate::landscape;
use crate::landscape::{
    FakeExecutor, IntSource, Landscape, Node, Operand, Setup, evolution_alone, if_equal, method, setup,
};
use search::options::{AutoOptions, SearchOptions};

/// A branch that nothing reaches: no test changes the state.
fn never() -> Node {
    Node::If(Operand::State(0), landscape::Comparison::Equal, Operand::Constant(5), vec![Node::Line], vec![])
}

/// One method that computes long and has a goal that cannot be covered, beside some that compute nothing.
fn one_dear_method() -> Landscape {
    let dear = method("dear", 1, vec![Node::Loop(Operand::Constant(1000), 100, 0), never()]);
    let cheap = |name, constant| method(name, 1, vec![if_equal(0, constant, vec![Node::Line]), never()]);
    Landscape::new(
        &["branch"],
        vec![dear, cheap("one", 1_000), cheap("two", -300), cheap("three", 77), cheap("four", 5_000)],
    )
}

/// A method that computes as long as its argument says, with a goal for one of few rounds and one that cannot be covered.
fn rounds_by_argument() -> Landscape {
    let body = vec![Node::Loop(Operand::Argument(0), 1000, 0), if_equal(1, 40, vec![Node::Line]), never()];
    Landscape::new(&["branch"], vec![method("fill", 2, body)])
}

/// Covered goals and steps of a search, for one that minds costs and one that does not.
fn both(landscape: &Landscape, executions: u64, seed: u64) -> [(usize, u64); 2] {
    [true, false].map(|spares| {
        let auto = AutoOptions { spares, ..AutoOptions::default() };
        let options = SearchOptions { auto, ..evolution_alone() };
        let mut executor = FakeExecutor::new(landscape);
        let mut source = IntSource::new(landscape);
        let setup = Setup { seed, options, ..setup("auto", executions) };
        let result = landscape.search_on(setup, &mut executor, &mut source, &mut |_| ());
        (result.archive.covered().len(), executor.steps)
    })
}

#[test]
fn what_was_dear_and_barren_takes_little_of_the_second_half() {
    for seed in 0..3 {
        let landscape = one_dear_method();
        let [(spared, steps), (covered, all)] = both(&landscape, 4_000, seed);
        assert_eq!(spared, covered, "seed {seed}");
        // Of the half that is left to spare, most is spared; what the first half cost stays.
        assert!(steps * 10 < all * 7, "seed {seed}: {steps} steps of {all}");
    }
}

#[test]
fn the_same_goals_are_covered_with_parents_that_cost_less() {
    for seed in 0..3 {
        let landscape = rounds_by_argument();
        let [(spared, steps), (covered, all)] = both(&landscape, 2_000, seed);
        assert_eq!(spared, covered, "seed {seed}");
        assert!(steps * 2 < all, "seed {seed}: {steps} steps of {all}");
    }
}
