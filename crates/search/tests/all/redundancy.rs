//! What paper 002 claims of smart selection, on a landscape whose criteria are as redundant as real ones: long basic blocks,
//! direct branches beside branches, a dozen mutants at every place. Which goals guide is decided by `coverage::selection`;
//! all goals are counted, whichever guided. 20 seeds each that tuned nothing, those of `proofs.rs`.

#![expect(clippy::print_stdout, reason = "the figures belong to the proof")]

use std::collections::BTreeMap;
use std::ops::Range;

use crate::landscape::{Comparison, FakeExecutor, IntSource, Landscape, Node, Operand, Setup, method, setup};
use coverage::selection::{GoalSelection, LINE_THRESHOLD, guiding};
use fixedbitset::FixedBitSet;
use search::algorithm::algorithm;
use search::options::SearchOptions;
use statistics::{Comparison as Statistics, median};

const SEEDS: Range<u64> = 1_000..1_020;

const CRITERIA: [&str; 6] =
    ["branch", "direct-branch", "line", "weak-mutation", "method", "method-no-exception"];

const NAMES: [&str; 26] = [
    "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s", "t", "u",
    "v", "w", "x", "y", "z",
];

/// A class of that many methods of eight branches. In each, two variables are equal at two places: what uses one there could
/// use the other, so that mutants of variables cannot be infected. Two conditions are hard.
fn class(methods: usize) -> Landscape {
    let [a, b, c] = [0, 1, 2].map(Operand::Argument);
    let same = |x, y| {
        let inner = vec![Node::Block(9), Node::Use(x, y), Node::Use(y, x)];
        Node::If(x, Comparison::Equal, y, inner, vec![Node::Block(2)])
    };
    let far = |number: i64| {
        let (argument, constant) =
            (Operand::Argument(number as usize % 3), Operand::Constant(number * 97 % 2_001 - 1_000));
        let inner = vec![Node::Block(9), Node::Sum(a, c)];
        Node::If(argument, Comparison::Equal, constant, inner, vec![Node::Block(2)])
    };
    let body = |index: usize| {
        let number = 11 * index as i64;
        vec![Node::Block(8), same(a, b), same(b, c), far(number), far(number + 1)]
    };
    Landscape::new(
        &CRITERIA,
        NAMES[..methods].iter().enumerate().map(|(index, name)| method(name, 3, body(index))).collect(),
    )
}

/// Coverage in percent, by criterion and then by seed.
type Shares = BTreeMap<String, Vec<f64>>;

fn search(landscape: &Landscape, name: &str, executions: u64, guides: &FixedBitSet) -> Shares {
    let mut totals: BTreeMap<&str, f64> = BTreeMap::new();
    for goal in landscape.goals.goals() {
        *totals.entry(&goal.criterion).or_default() += 1.0;
    }
    let mut shares = Shares::new();
    for seed in SEEDS {
        let mut source = IntSource::new(landscape);
        source.has_pool = false;
        let options = SearchOptions::paper_002();
        let setup = Setup { seed, options, call_dependences: false, ..setup(name, executions) };
        let mut executor = FakeExecutor::new(landscape);
        let result = landscape.search_guided(setup, Some(guides), &mut executor, &mut source, &mut |_| ());
        let covered = result.archive.covered();
        for (&criterion, total) in &totals {
            let is_of = |goal: &&_| &*landscape.goals.goal(**goal).criterion == criterion;
            let count = covered.iter().filter(is_of).count() as f64;
            shares.entry(criterion.to_owned()).or_default().push(100.0 * count / total);
        }
    }
    shares
}

/// Mean over the criteria, by seed.
fn means(shares: &Shares) -> Vec<f64> {
    let runs = shares.values().map(Vec::len).max().unwrap_or(0);
    (0..runs).map(|run| shares.values().map(|of| of[run]).sum::<f64>() / shares.len() as f64).collect()
}

/// Compares smart selection with all goals, and checks that no criterion is more than two points behind with less than a
/// third of the goals.
fn check(name: &str, methods: usize, executions: u64) -> Statistics {
    let landscape = class(methods);
    let asked: Vec<String> = CRITERIA.map(str::to_owned).into();
    let follows_control = algorithm(name).unwrap().follows_control;
    let guides = |selection| {
        let maps = &landscape.maps;
        guiding(&landscape.goals, maps, (&asked, selection), follows_control, LINE_THRESHOLD)
    };
    let [all, few] = [GoalSelection::Combine, GoalSelection::Smart].map(guides);
    assert_eq!(all.count_ones(..), landscape.goals.len());
    assert!(3 * few.count_ones(..) < all.count_ones(..), "too many goals guide");
    let combine = search(&landscape, name, executions, &all);
    let smart = search(&landscape, name, executions, &few);
    let comparison = Statistics::new(&means(&smart), &means(&combine));
    println!("{name}, {} of {} goals: {comparison:?}", few.count_ones(..), all.count_ones(..));
    for (criterion, shares) in &smart {
        let (with_few, with_all) = (median(shares), median(&combine[criterion]));
        println!("  {criterion}: {with_few:.1} / {with_all:.1}");
        assert!(with_few >= with_all - 2.0, "{criterion}");
    }
    comparison
}

#[test]
fn smart_selection_keeps_what_dynamosa_covers_with_far_fewer_goals() {
    // 002 §4.4.
    let comparison = check("dynamosa", 13, 3_000);
    assert!(!comparison.is_smaller(), "{comparison:?}");
}

#[test]
fn smart_selection_keeps_what_ws_covers_with_far_fewer_goals() {
    // 002 §4.2 has it ahead on large classes. Here it is not: suite fitness has a gradient for every goal that is left out.
    let comparison = check("ws", 13, 2_000);
    assert!(!comparison.is_smaller(), "{comparison:?}");
}

#[test]
fn smart_selection_is_ahead_with_mosa_on_a_large_class() {
    // 002 §4.3: more than 200 branches.
    let comparison = check("mosa", 26, 6_000);
    assert!(comparison.is_larger(), "{comparison:?}");
}
