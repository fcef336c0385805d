//! Replays of compiled Java: results, conditions that hold, and conditions that lead the other way when they are negated.

mod cases;
mod harness;
mod outside;

use cases::{CASES, Case};
use concolic::interpreter::{End, Limits, Way};
use harness::{Explored, Subject};

#[test]
fn results_are_those_of_the_jvm() {
    let subject = Subject::compile();
    for case in CASES {
        let model = Subject::model(case.method, case.arguments);
        assert_eq!(subject.result(case.method, &model), case.result, "{} {:?}", case.method, case.arguments);
    }
}

#[test]
fn conditions_hold_and_their_negations_lead_to_all_other_results() {
    let subject = Subject::compile();
    let mut missed = Vec::new();
    for Case { method, arguments, others, .. } in CASES {
        let explored = Explored::new(&subject, method, arguments);
        missed.extend(
            others
                .iter()
                .filter(|other| !explored.results.contains(**other))
                .map(|other| format!("{method}: {other} not in {:?}", explored.results)),
        );
        if explored.strayed > 0 {
            missed.push(format!("{method}: {} models took another way", explored.strayed));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn a_comparison_of_longs_is_one_condition() {
    let subject = Subject::compile();
    let model = Subject::model("longs(J)I", &["5"]);
    let (replay, terms) = subject.replay("longs(J)I", &model, Limits::default());
    let [condition] = &replay.conditions[..] else { panic!("{:?}", replay.conditions) };
    assert!(terms.size(condition.term) <= 4, "{condition:?}");
    assert_eq!(condition.way, Way::Jumped);
}

#[test]
fn what_is_not_modelled_is_asked_for_and_counted() {
    let subject = Subject::compile();
    let model = Subject::model("root(D)I", &["9.0"]);
    let (replay, _) = subject.replay("root(D)I", &model, Limits::default());
    let counted = replay.unmodelled.by_calls();
    let names: Vec<_> = counted.iter().map(|(method, calls)| (&*method.name, *calls)).collect();
    assert_eq!(names, [("sqrt", 1)]);
    assert!(replay.conditions.is_empty());
}

#[test]
fn limits_end_a_replay() {
    let subject = Subject::compile();
    let end = |method: &str, limits: Limits| {
        let model = Subject::model(method, &["1"]);
        subject.replay(method, &model, limits).0.end
    };
    let limits = Limits { steps: 1_000, depth: 50, ..Limits::default() };
    assert_eq!(end("forever(I)I", limits), End::OutOfSteps);
    assert_eq!(end("deep(I)I", limits), End::TooDeep);
}

#[test]
fn terms_that_grow_become_concrete_and_are_counted() {
    let subject = Subject::compile();
    let model = Subject::model("grow(I)I", &["3"]);
    let limits = Limits { term_size: 20, ..Limits::default() };
    let (replay, terms) = subject.replay("grow(I)I", &model, limits);
    assert!(replay.oversized > 0);
    assert!(replay.conditions.iter().all(|condition| terms.size(condition.term) <= 20));
}

#[test]
fn casts_and_type_tests_are_facts() {
    let subject = Subject::compile();
    let model = Subject::model("shape(I)I", &["1"]);
    let (replay, _) = subject.replay("shape(I)I", &model, Limits::default());
    let facts: Vec<_> = replay.facts.iter().map(|fact| (fact.target.as_str(), fact.holds)).collect();
    assert_eq!(facts, [("p/Puzzles$Square", false), ("p/Puzzles$Circle", true)]);
}
