//! Why goals stay open: reasons on known landscapes, searched and not.

use std::sync::Arc;

use crate::landscape::{
    Comparison, FakeExecutor, IntSource, Landscape, Node, Operand, budget, if_equal, method, private,
};
use bytecode::probe_map::BranchKind;
use coverage::goal::Goal;
use coverage::goal_graph::GoalGraph;
use search::context::SearchEnvironment;
use search::open_goals::explain::{Facts, Rerun, explain};
use search::open_goals::near_misses::NearMisses;
use search::open_goals::{Barrier, OpenGoal, Reason, Undeliverable, Unfinished, Unmade};
use search::options::SearchOptions;
use search::search::{Search, StepOutcome};
use testcase::cluster::TypeId;
use testcase::execution::{ExecutionResult, Touched};
use testcase::random::Random;

const EXECUTIONS: u64 = 3000;

/// Searches and explains what is open.
fn searched(landscape: &Landscape) -> Vec<OpenGoal> {
    searched_with(landscape, &landscape.graph(true), SearchOptions::default())
}

fn searched_with(landscape: &Landscape, graph: &GoalGraph, options: SearchOptions) -> Vec<OpenGoal> {
    let mut search = Search::new(landscape.request("dynamosa", graph, options)).unwrap();
    let (mut executor, mut source) = (FakeExecutor::new(landscape), IntSource::new(landscape));
    let (mut random, mut budget) = (Random::new(0, 0), budget(EXECUTIONS));
    let mut environment = SearchEnvironment {
        executor: &mut executor,
        source: &mut source,
        random: &mut random,
        budget: &mut budget,
        events: &mut |_| (),
    };
    while search.step(&mut environment) == StepOutcome::Running {}
    let facts = Facts {
        goals: &landscape.goals,
        graph,
        maps: &landscape.maps,
        cluster: &landscape.cluster,
        near_misses: search.near_misses(),
        executions: search.executions(),
        covered: &search.archive().covered().iter().map(|goal| goal.index()).collect(),
    };
    let mut result = ExecutionResult::new(landscape.probes, landscape.outcomes);
    explain(facts, Some(Rerun { executor: &mut executor, result: &mut result, has_time: &mut || true }))
}

/// Explains all goals as if nothing had ever been run in a search of so many executions.
fn unsearched(landscape: &Landscape, executions: u64) -> Vec<OpenGoal> {
    let graph = landscape.graph(true);
    let facts = Facts {
        goals: &landscape.goals,
        graph: &graph,
        maps: &landscape.maps,
        cluster: &landscape.cluster,
        near_misses: &NearMisses::new(landscape.goals.len()),
        executions,
        covered: &[].into_iter().collect::<fixedbitset::FixedBitSet>(),
    };
    explain(facts, None)
}

/// A reason in short.
fn brief(reason: &Reason) -> String {
    match reason {
        Reason::NoObject { of, why: Unmade::NoWay } => format!("no {of}"),
        Reason::NoObject { of, why: Unmade::Throws(class) } => format!("no {of}: {class}"),
        Reason::NoValue(comparison) => {
            assert_eq!(comparison.kind, BranchKind::Integer);
            assert!(comparison.runs > 100, "{comparison:?}");
            let varied = if comparison.varied { "" } else { ", always" };
            format!("{} off{varied}", comparison.distance.unwrap_or_default())
        }
        Reason::Unmet(unmet) => {
            assert!(unmet.runs > 100, "{unmet:?}");
            format!(
                "unmet, {}{}",
                unmet.distance.unwrap_or_default(),
                if unmet.varied { "" } else { ", always" }
            )
        }
        Reason::NoCall(Barrier::NeverCalled) => "never called".to_owned(),
        Reason::NoCall(Barrier::Serialization) => "serialization".to_owned(),
        Reason::NoCall(Barrier::Inaccessible) => "inaccessible".to_owned(),
        Reason::NoCall(Barrier::LeftOut) => "left out".to_owned(),
        Reason::Exception(raised) => format!("{}", raised.class),
        Reason::Undeliverable(Undeliverable::Files) => "files".to_owned(),
        Reason::Undeliverable(other) => format!("{other:?}"),
        Reason::Uncarried => "uncarried".to_owned(),
        Reason::Budget(Unfinished::Rare(_)) => "rare".to_owned(),
        Reason::Budget(unfinished) => format!("{unfinished:?}"),
    }
}

/// Checks goals and reasons, in order; a goal behind another says which.
fn check(landscape: &Landscape, open: &[OpenGoal], expect: &[&str]) {
    let name = |goal: &Goal| goal.to_string().replace("Landscape#", "");
    let found: Vec<String> = open
        .iter()
        .map(|open| {
            let behind = open
                .behind
                .map_or_else(String::new, |root| format!(" behind {}", name(landscape.goals.goal(root))));
            format!("{}{behind}: {}", name(landscape.goals.goal(open.goal)), brief(&open.reason))
        })
        .collect();
    assert_eq!(found, expect);
}

/// `if (state == 5)`, which never changes.
fn impossible(then: Vec<Node>) -> Node {
    Node::If(Operand::State(0), Comparison::Equal, Operand::Constant(5), then, vec![])
}

#[test]
fn a_comparison_that_never_comes_out_and_what_lies_behind_it() {
    let inner = if_equal(0, 3, vec![Node::Line]);
    let landscape = Landscape::new(&["branch", "line"], vec![method("f", 1, vec![impossible(vec![inner])])]);
    check(
        &landscape,
        &searched(&landscape),
        &[
            "branch f(I)V@0:0: 5 off, always",
            "branch f(I)V@1:0 behind branch f(I)V@0:0: 5 off, always",
            "branch f(I)V@1:1 behind branch f(I)V@0:0: 5 off, always",
            "line f(I)V@line4 behind branch f(I)V@0:0: 5 off, always",
        ],
    );
}

#[test]
fn what_lies_behind_a_call_is_behind_what_guards_the_call() {
    let landscape = Landscape::new(
        &["branch"],
        vec![
            method("f", 1, vec![impossible(vec![Node::Call("g")])]),
            private("g", 1, vec![if_equal(0, 3, vec![])]),
        ],
    );
    check(
        &landscape,
        &searched(&landscape),
        &[
            "branch f(I)V@0:0: 5 off, always",
            "branch g(I)V@0:0 behind branch f(I)V@0:0: 5 off, always",
            "branch g(I)V@0:1 behind branch f(I)V@0:0: 5 off, always",
        ],
    );
}

#[test]
fn what_comes_first() {
    let landscape = Landscape::new(
        &["branch", "line"],
        vec![
            method("crash", 0, vec![Node::Crash, Node::Line]),
            method("write", 0, vec![Node::Touch(Touched::FILE_WRITE), Node::Line]),
            private("dead", 0, vec![Node::Line]),
            private("readObject", 0, vec![]),
        ],
    );
    check(
        &landscape,
        &searched(&landscape),
        &[
            "branch write()V@entry: files",
            "branch dead()V@entry: never called",
            "branch readObject()V@entry: serialization",
            "line crash()V@line2: java/lang/ArithmeticException",
            "line write()V@line4: files",
            "line dead()V@line6: never called",
        ],
    );
}

#[test]
fn what_can_be_called_is_a_question_of_the_cluster() {
    let two = || vec![method("f", 1, vec![]), method("g", 1, vec![])];
    // Nothing was run at all.
    let mut landscape = Landscape::new(&["branch"], two());
    check(
        &landscape,
        &unsearched(&landscape, 1000),
        &["branch f(I)V@entry: NotCalled", "branch g(I)V@entry: NotCalled"],
    );
    check(
        &landscape,
        &unsearched(&landscape, 0),
        &["branch f(I)V@entry: Unknown", "branch g(I)V@entry: Unknown"],
    );
    // The second is an instance method of a class that cannot be made, and the first is left out.
    let class = landscape.cluster.callables[1].owner;
    landscape.cluster.callables[1].kind = testcase::cluster::CallableKind::InstanceMethod;
    landscape.cluster.callables[0].name = Arc::from("other");
    check(
        &landscape,
        &unsearched(&landscape, 1000),
        &["branch f(I)V@entry: left out", "branch g(I)V@entry: no Landscape"],
    );
    // A class that may not be named.
    landscape.cluster.types[class.index()].accessible = false;
    landscape.cluster.callables.clear();
    check(
        &landscape,
        &unsearched(&landscape, 1000),
        &["branch f(I)V@entry: inaccessible", "branch g(I)V@entry: inaccessible"],
    );
    assert!(class.index() >= TypeId::WELL_KNOWN);
}

#[test]
fn reasons_do_not_depend_on_the_order_of_circles() {
    // Two private methods that call each other and nothing else does.
    let landscape = Landscape::new(
        &["branch"],
        vec![
            method("f", 0, vec![]),
            private("odd", 0, vec![Node::Call("even")]),
            private("even", 0, vec![Node::Call("odd")]),
        ],
    );
    check(
        &landscape,
        &searched(&landscape),
        &["branch odd()V@entry: never called", "branch even()V@entry: never called"],
    );
}

#[test]
fn a_mutant_that_runs_execute_and_nothing_tells_is_no_place_that_none_came_to() {
    let (a, b) = (Operand::Argument(0), Operand::Argument(1));
    let body = vec![Node::If(a, Comparison::Equal, b, vec![Node::Use(a, b)], vec![])];
    let landscape = Landscape::new(&["weak-mutation"], vec![method("f", 2, body)]);
    check(&landscape, &searched(&landscape), &["weak-mutation f(II)V@mutant16: unmet, 1, always"]);
}

#[test]
fn a_goal_that_does_not_guide_was_not_aimed_at() {
    let (a, b) = (Operand::Argument(0), Operand::Argument(1));
    // Where two variables are equal, no run infects a mutant that uses one for the other.
    let body = vec![Node::If(a, Comparison::Equal, b, vec![Node::Use(a, b)], vec![])];
    let landscape = Landscape::new(&["branch", "weak-mutation"], vec![method("f", 2, body)]);
    let goals = landscape.goals.goals();
    let branches = (0..goals.len()).filter(|&index| &*goals[index].criterion == "branch");
    let mut graph = landscape.graph(true);
    graph.guide_by(&branches.collect());
    let open = |rest_guides| {
        searched_with(&landscape, &graph, SearchOptions { rest_guides, ..SearchOptions::default() })
    };
    let left = open(false);
    assert!(!left.is_empty());
    for goal in left {
        assert_eq!(&*landscape.goals.goal(goal.goal).criterion, "weak-mutation");
        assert_eq!(goal.reason, Reason::Budget(Unfinished::NotAimedAt));
    }
    // When all that guides is covered, it is aimed at as well.
    check(&landscape, &open(true), &["weak-mutation f(II)V@mutant16: unmet, 1, always"]);
}
