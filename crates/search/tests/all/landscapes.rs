//! What the algorithms find on known landscapes, over 20 seeds each, with the options of DynaMOSA's paper. Budgets and bounds
//! were chosen with seeds 0 to 19, which nothing here uses.

use crate::landscape;
use crate::landscape::{Comparison, Landscape, Node, Operand, Setup, if_equal, method, private, setup};
use search::options::SearchOptions;

/// Checks in how many of 20 seeds all goals are covered: at least, and at most.
fn check(landscape: &Landscape, executions: u64, dynamosa: usize, random: usize) {
    let found = landscape.many_seeds(&paper("dynamosa", executions));
    assert!(found >= dynamosa, "DynaMOSA covers all in {found} of 20");
    let found = landscape.many_seeds(&paper("random", executions));
    assert!(found <= random, "random covers all in {found} of 20");
}

/// The set-up of paper 004.
fn paper(algorithm: &str, executions: u64) -> Setup<'_> {
    Setup { options: SearchOptions::paper_004(), call_dependences: false, ..setup(algorithm, executions) }
}

/// Three conditions on different parameters, one inside the other.
fn nested() -> Landscape {
    let inner = if_equal(2, 700, vec![Node::Line]);
    let middle = if_equal(1, -500, vec![inner]);
    Landscape::new(&["branch", "line"], vec![method("run", 3, vec![if_equal(0, 300, vec![middle])])])
}

#[test]
fn nested_conditions() {
    check(&nested(), 15_000, 16, 2);
}

#[test]
fn a_needle_with_a_gradient() {
    // Far beyond what the source draws: only the gradient leads there.
    let needle = Landscape::new(&["branch"], vec![method("run", 1, vec![if_equal(0, 7_000, vec![])])]);
    check(&needle, 12_000, 18, 6);
}

#[test]
fn many_objectives_at_once() {
    // All are executed by every run, so that hardly any test dominates another.
    let body = (0..30).map(|index| if_equal(index % 3, 6_000 + 37 * index as i64, vec![Node::Line]));
    check(&Landscape::new(&["branch"], vec![method("run", 3, body.collect())]), 10_000, 18, 2);
}

#[test]
fn a_sequence_of_calls() {
    let enough =
        Node::If(Operand::Constant(6), Comparison::Less, Operand::State(0), vec![Node::Line], vec![]);
    let methods = vec![
        method("push", 0, vec![Node::Add(0, 1)]),
        method("pop", 0, vec![Node::Add(0, -3)]),
        method("run", 1, vec![if_equal(0, 2000, vec![enough])]),
    ];
    check(&Landscape::new(&["branch", "line"], methods), 6_000, 18, 4);
}

/// A private method behind a condition, and another behind one in it.
fn helpers() -> Landscape {
    let methods = vec![
        method("other", 2, vec![if_equal(0, 1, vec![]), if_equal(1, 2, vec![])]),
        method("run", 3, vec![if_equal(0, 999, vec![Node::Call("helper")])]),
        private("helper", 3, vec![if_equal(1, 555, vec![Node::Call("deep")])]),
        private("deep", 3, vec![if_equal(2, -444, vec![Node::Line])]),
    ];
    Landscape::new(&["branch", "line"], methods)
}

#[test]
fn private_methods_behind_conditions() {
    // Ours: the paper has no dependences on calls.
    let found = helpers().many_seeds(&setup("dynamosa", 12_000));
    assert!(found >= 17, "DynaMOSA covers all in {found} of 20");
}

#[test]
fn nested_conditions_with_our_options() {
    let found = nested().many_seeds(&setup("dynamosa", 12_000));
    assert!(found >= 17, "DynaMOSA covers all in {found} of 20");
}

#[test]
fn the_dynamic_pool_tells_constants() {
    // No gradient leads so far within this budget.
    let needle = Landscape::new(&["branch"], vec![method("run", 1, vec![if_equal(0, 123_456_789, vec![])])]);
    let mut source = landscape::IntSource::new(&needle);
    let result = needle.search_with(setup("dynamosa", 500), &mut source, &mut |_| ());
    assert!(result.archive.is_complete());
    assert!(source.pool.contains(&123_456_789));
}

#[test]
fn what_touches_the_world_outside_is_not_kept() {
    use testcase::execution::Touched;
    let touching = |touched| if_equal(0, 3, vec![Node::Touch(touched), Node::Line]);
    let methods = |touched| vec![method("run", 1, vec![touching(touched), Node::Line])];
    let covered = |touched| {
        let landscape = Landscape::new(&["branch", "line"], methods(touched));
        let result = landscape.search(setup("dynamosa", 5_000));
        result.archive.covered().len()
    };
    assert_eq!(covered(Touched::FILE_WRITE), 2, "the other outcome and the line behind");
    assert_eq!(covered(Touched::THREAD), 4);
}

#[test]
fn nothing_but_useless_runs_ends_with_the_budget() {
    use testcase::execution::Touched;
    let body = vec![Node::Touch(Touched::NETWORK)];
    let landscape = Landscape::new(&["branch"], vec![method("run", 0, body)]);
    for algorithm in ["dynamosa", "random"] {
        let result = landscape.search(setup(algorithm, 500));
        assert_eq!((result.executions, result.archive.covered().len()), (500, 0));
    }
}

#[test]
fn a_test_that_crashes_gives_way_to_one_that_does_not() {
    let body = vec![Node::Line, if_equal(0, 0, vec![Node::Crash]), Node::Line];
    let landscape = Landscape::new(&["line"], vec![method("run", 1, body)]);
    // Both lines are covered at once, or the first alone by a crash.
    let result = landscape.search(setup("dynamosa", 300));
    for (archived, _) in result.archive.tests() {
        assert_eq!(archived.penalty, search::archive::Penalty::NONE);
    }
}

#[test]
fn the_real_factory_finds_them_too() {
    use testcase::factory::TestFactory;
    use testcase::factory::options::FactoryOptions;

    let landscape = nested();
    let found = (0..10).filter(|&seed| {
        let mut factory = TestFactory::new(&landscape.cluster, FactoryOptions::default());
        let setup = Setup { seed, ..setup("dynamosa", 12_000) };
        landscape.search_with(setup, &mut factory, &mut |_| ()).archive.is_complete()
    });
    assert!(found.count() >= 9);
}

#[test]
fn a_step_ends_though_no_test_may_enter_the_population() {
    use testcase::execution::Touched;
    let body = vec![Node::Touch(Touched::FILE_WRITE), if_equal(0, 3, vec![Node::Line])];
    let landscape = Landscape::new(&["branch"], vec![method("f", 1, body)]);
    for algorithm in ["auto", "dynamosa", "mosa", "ws", "mio", "random"] {
        let result = landscape.search(setup(algorithm, 1000));
        assert!(result.archive.covered().is_empty(), "{algorithm}");
        assert!(result.generations > 5, "{algorithm}: {} generations", result.generations);
    }
}
