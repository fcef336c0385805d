//! Symbolic execution on a landscape that runs tests by the interpreter.

use std::collections::BTreeSet;

use concolic::dse::{ExplorationOptions, Statistics, SymbolicExecution};
use concolic::solver::SOLVERS;
use search::local_search::climb::{Climb, Landscape, Reaction};
use search::local_search::options::LocalSearchOptions;
use search::local_search::test_search::{OpenOutcome, TestSearch};
use search::source::TestSource;
use testcase::random::Random;
use testcase::recording::{RecordedValue, Recording};
use testcase::statement::Statement;
use testcase::test_case::TestCase;
use testcase::value::Value;

use crate::recordings::subject::{Subject, int, text};

/// Every test is as good as any other; what they return is kept.
struct Runs<'s> {
    subject: &'s Subject,
    results: BTreeSet<i32>,
    exceptions: usize,
    wanted: i32,
    /// Runs that are left of the budget.
    left: usize,
}

impl Landscape for Runs<'_> {
    fn attempt(&mut self, test: &TestCase) -> Reaction {
        self.record(test).0
    }

    fn record(&mut self, test: &TestCase) -> (Reaction, Option<Box<Recording>>) {
        if self.results.contains(&self.wanted) || self.left == 0 {
            return (Reaction::Over, None);
        }
        self.left -= 1;
        let (recording, _) = self.subject.record(test);
        let last = recording.statements.last().expect("a statement");
        if let Some(RecordedValue::Int(result)) = last.result {
            self.results.insert(result);
        }
        self.exceptions += usize::from(last.exception.is_some());
        (Reaction::Same, Some(Box::new(recording)))
    }

    fn open_outcomes(&self) -> BTreeSet<OpenOutcome> {
        BTreeSet::new()
    }

    fn begun(&self) -> usize {
        0
    }

    fn compared(&self) -> Vec<Value> {
        Vec::new()
    }

    fn longest(&self) -> usize {
        20
    }

    fn source(&mut self) -> (&mut dyn TestSource, &mut Random) {
        panic!("symbolic execution draws nothing")
    }
}

/// What tests return that are found from one, until one returns what is wanted.
fn explore(subject: &Subject, start: &TestCase, wanted: i32) -> (BTreeSet<i32>, usize, Statistics) {
    explore_in_parts(subject, start, wanted, &[usize::MAX])
}

/// The same in several applications, each with so many runs.
fn explore_in_parts(
    subject: &Subject,
    start: &TestCase,
    wanted: i32,
    parts: &[usize],
) -> (BTreeSet<i32>, usize, Statistics) {
    let mut runs = Runs { subject, results: BTreeSet::new(), exceptions: 0, wanted, left: 0 };
    let options = LocalSearchOptions::default();
    let hierarchy = subject.hierarchy.clone();
    let mut search =
        SymbolicExecution::new(move || Some(hierarchy), ExplorationOptions::default(), &SOLVERS[0]);
    for &part in parts {
        runs.left = part;
        search.improve(&mut Climb::new(start.clone(), &mut runs, &subject.cluster, &options));
    }
    let statistics = search.statistics().clone();
    (runs.results, runs.exceptions, statistics)
}

#[test]
fn an_exploration_that_was_cut_short_goes_on_where_it_was() {
    let subject = Subject::compile();
    let start = subject.static_call("date", text("yyyy-mm-dd"));
    let (_, _, whole) = explore_in_parts(&subject, &start, 42, &[usize::MAX]);
    let (results, _, parts) = explore_in_parts(&subject, &start, 42, &[4, 6, usize::MAX]);
    assert!(results.contains(&42), "{parts:?}");
    assert_eq!((parts.applications, parts.repeated), (3, whole.repeated));
    // A run that is refused is asked for in vain, and that one does not come again.
    assert!(parts.runs <= whole.runs + 2, "{parts:?} {whole:?}");
    // One that came to its end is not done again.
    let (_, _, once) = explore_in_parts(&subject, &start, -1, &[usize::MAX]);
    let (_, _, twice) = explore_in_parts(&subject, &start, -1, &[usize::MAX, usize::MAX]);
    assert_eq!((twice.runs, twice.negated), (once.runs, once.negated));
}

#[test]
fn one_application_finds_what_random_values_do_not() {
    let subject = Subject::compile();
    let boxed = |value| Statement::Primitive { value: Value::Int(value), boxed: true };
    let double = |value| Statement::Primitive { value: Value::Double(value), boxed: false };
    let starts = [
        ("magic", subject.instance_call(0, "magic", &[int(0), text("")])),
        ("touched", subject.instance_call(0, "touched", &[int(0)])),
        ("apply", subject.stub_call(0)),
        ("chain", subject.chained_stub_call(0)),
        ("sum", subject.array_call(0)),
        ("pick", subject.static_call("pick", int(0))),
        ("boxed", subject.static_call("boxed", boxed(0))),
        ("text", subject.static_call("text", int(0))),
        ("caught", subject.static_call("caught", int(0))),
        ("lambda", subject.static_call("lambda", int(0))),
        ("root", subject.static_call("root", double(5.0))),
        ("date", subject.static_call("date", text("yyyy-mm-dd"))),
        ("code", subject.static_call("code", text("no"))),
    ];
    let mut missed = Vec::new();
    for (name, start) in starts {
        let (results, _, statistics) = explore(&subject, &start, 42);
        if !results.contains(&42) || statistics.strayed + statistics.diverged > 0 {
            missed.push(format!("{name}: {results:?} {statistics:?}"));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn exceptions_and_null_are_found_and_the_search_ends_by_itself() {
    let subject = Subject::compile();
    let (_, exceptions, statistics) = explore(&subject, &subject.static_call("thrown", int(0)), -1);
    assert_eq!((exceptions, statistics.runs, statistics.solved), (1, 2, 1), "{statistics:?}");
    let (results, _, statistics) =
        explore(&subject, &subject.instance_call(0, "magic", &[int(0), text("")]), -1);
    assert_eq!(results.into_iter().collect::<Vec<_>>(), [0, 1, 2, 42], "{statistics:?}");
    assert_eq!((statistics.strayed, statistics.diverged), (0, 0), "{statistics:?}");
}

#[test]
fn what_becomes_of_inputs_in_code_that_is_not_modelled_makes_no_defect() {
    let subject = Subject::compile();
    let (results, _, statistics) = explore(&subject, &subject.static_call("hidden", int(0)), -1);
    assert_eq!(results.into_iter().collect::<Vec<_>>(), [0, 1], "{statistics:?}");
    assert_eq!((statistics.strayed, statistics.strayed_behind), (0, 1), "{statistics:?}");
}

#[test]
fn literals_with_the_same_text_are_one_object_and_other_strings_are_not() {
    let subject = Subject::compile();
    let own = Statement::Primitive { value: Value::String("b".into()), boxed: true };
    // Two that are null are the same, too.
    for (other, expect) in [(text("b"), &[0, 42][..]), (own, &[0, 2, 42])] {
        let start = subject.instance_call(0, "twins", &[text("a"), other]);
        let (results, _, statistics) = explore(&subject, &start, -1);
        assert_eq!(results.into_iter().collect::<Vec<_>>(), expect, "{statistics:?}");
        assert_eq!((statistics.strayed, statistics.diverged), (0, 0), "{statistics:?}");
    }
}
