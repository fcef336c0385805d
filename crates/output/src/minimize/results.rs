//! Tests that show results which no other test shows.
//!
//! A suite may cover every branch of `isOpen()` or `find(name)` and only ever see `false` and `null`: a class whose
//! methods always return those would pass it. Archived tests often make calls with other results on the way; for each
//! kind of result of a method that the suite does not show, the shortest of them is cut behind that call and reduced.
//!
//! # Differences
//! Rojas et al., "Combining multiple coverage criteria in search-based unit test generation" (SSBSE 2015), §2.1.6,
//! make kinds of results goals of the search ("output coverage"). Here they only select among what the search found
//! for other goals.

use std::collections::{BTreeMap, BTreeSet};

use testcase::assertion::{ObservationPoint, ObservationTarget, ObservedValue};
use testcase::cluster::{CallableId, TestCluster};
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::Value;

use super::operands::{transplants, variants};
use super::runner::{Candidate, Runner};
use super::statements::reduce;
use super::values::Simplifier;
use crate::ending::Ending;

/// Kinds of results that a reader would tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ResultKind {
    Null,
    False,
    True,
    Negative,
    Zero,
    Positive,
    NotANumber,
    /// A string, array or collection without elements.
    Empty,
    /// One with elements.
    Filled,
    /// An object of which nothing else is known, an enum constant or a class.
    Object,
}

/// What the last call of a test must go on to give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Shown {
    pub callable: CallableId,
    pub kind: ResultKind,
}

impl ResultKind {
    pub(super) fn of(value: &ObservedValue) -> Self {
        let of_size = |size: usize| if size == 0 { Self::Empty } else { Self::Filled };
        match value {
            ObservedValue::Null => Self::Null,
            ObservedValue::Primitive(value) | ObservedValue::Boxed(value) => match value {
                Value::Boolean(false) => Self::False,
                Value::Boolean(true) => Self::True,
                Value::String(text) => of_size(text.len()),
                Value::Float(number) => Self::of_number(f64::from(*number)),
                Value::Double(number) => Self::of_number(*number),
                Value::Byte(_) | Value::Short(_) | Value::Char(_) | Value::Int(_) | Value::Long(_) => {
                    match value.as_integer().unwrap_or_default().signum() {
                        -1 => Self::Negative,
                        0 => Self::Zero,
                        _ => Self::Positive,
                    }
                }
            },
            ObservedValue::EnumConstant(..)
            | ObservedValue::Class(_)
            | ObservedValue::Calls(_)
            | ObservedValue::Files(_) => Self::Object,
            ObservedValue::Array(elements) | ObservedValue::Container(_, elements) => of_size(elements.len()),
            ObservedValue::Text { text, size: None } | ObservedValue::Beginning(text) => of_size(text.len()),
            ObservedValue::Object { size, .. } | ObservedValue::Text { size, .. } => {
                size.map_or(Self::Object, |size| of_size(usize::try_from(size).unwrap_or(usize::MAX)))
            }
        }
    }

    fn of_number(number: f64) -> Self {
        if number.is_nan() {
            Self::NotANumber
        } else if number == 0.0 {
            Self::Zero
        } else if number < 0.0 {
            Self::Negative
        } else {
            Self::Positive
        }
    }

    /// Whether a method that returned a default (`null`, zero, nothing) would be noticed.
    pub(super) fn is_telling(self) -> bool {
        match self {
            Self::True | Self::Negative | Self::Positive | Self::NotANumber | Self::Filled | Self::Object => {
                true
            }
            Self::Null | Self::False | Self::Zero | Self::Empty => false,
        }
    }
}

/// The result that the last call of a test that passes shows.
pub(super) fn last_result(
    runner: &mut Runner<'_>,
    cluster: &TestCluster,
    candidate: &Candidate,
) -> Option<Shown> {
    if candidate.ending != Ending::Passes {
        return None;
    }
    let last = candidate.test.len().checked_sub(1)?;
    results(runner, cluster, &candidate.test, last).pop().map(|(_, shown)| shown)
}

/// What the last call of a test that passes gives, if it is one of the class under test.
pub(super) fn last_value(
    runner: &mut Runner<'_>,
    cluster: &TestCluster,
    candidate: &Candidate,
) -> Option<ObservedValue> {
    let last = candidate.test.len().checked_sub(1).filter(|_| candidate.ending == Ending::Passes)?;
    called(cluster, candidate.test.statement(VarRef::from(last)))?;
    runner.observe(&candidate.test, &[result_at(last)]).pop().flatten()
}

/// The same, when it is one that simplification must not lose.
pub(super) fn telling_result(
    runner: &mut Runner<'_>,
    cluster: &TestCluster,
    candidate: &Candidate,
) -> Option<Shown> {
    last_result(runner, cluster, candidate).filter(|shown| shown.kind.is_telling())
}

/// Tests for kinds of results that none of `suite` shows, in the order of methods and kinds.
pub(super) fn missing_results(
    runner: &mut Runner<'_>,
    cluster: &TestCluster,
    suite: &[Candidate],
    originals: &[Candidate],
) -> Vec<Candidate> {
    let mut best: BTreeMap<Shown, Option<(usize, usize)>> = BTreeMap::new();
    for test in suite {
        runner.is_long = test.is_long;
        if let Some(shown) = last_result(runner, cluster, test) {
            best.insert(shown, None);
        }
    }
    for (index, original) in originals.iter().enumerate() {
        runner.is_long = original.is_long;
        for (position, shown) in results(runner, cluster, &original.test, 0) {
            let found = best.entry(shown).or_insert(Some((position, index)));
            *found = found.map(|found| found.min((position, index)));
        }
    }
    let shows: BTreeSet<Shown> =
        best.iter().filter(|(_, found)| found.is_none()).map(|(shown, _)| *shown).collect();
    let mut added = Vec::new();
    for (shown, found) in best.clone() {
        let Some((position, index)) = found.filter(|_| is_missed(&shows, shown)) else {
            continue;
        };
        if runner.stopped || added.len() >= runner.options.results {
            break;
        }
        let mut prefix = originals[index].test.clone();
        prefix.truncate(position + 1);
        added.extend(showing(runner, cluster, prefix, originals[index].is_long, shown));
    }
    let mut muted: BTreeSet<CallableId> = best.keys().map(|shown| shown.callable).collect();
    muted.retain(|&callable| !best.keys().any(|shown| shown.callable == callable && shown.kind.is_telling()));
    for test in suite.iter().filter(|test| test.ending == Ending::Passes) {
        if runner.stopped || added.len() >= runner.options.results {
            break;
        }
        if let Some(callable) = test.last_call().filter(|callable| muted.contains(callable))
            && let Some(found) = telling_variant(runner, cluster, suite, test)
        {
            muted.remove(&callable);
            added.push(found);
        }
    }
    added
}

/// A test with other inputs or constants, or on an object of another test, whose last call gives more than a default.
fn telling_variant(
    runner: &mut Runner<'_>,
    cluster: &TestCluster,
    suite: &[Candidate],
    test: &Candidate,
) -> Option<Candidate> {
    let moved = transplants(cluster, suite, &test.test);
    for variant in variants(cluster, &test.test).into_iter().chain(moved) {
        runner.is_long = test.is_long;
        if let Some(found) = runner.accept(variant, &[], Ending::Passes)
            && let Some(shown) = telling_result(runner, cluster, &found)
        {
            return showing(runner, cluster, found.test, test.is_long, shown);
        }
    }
    None
}

/// Whether a mistake in a method would be noticed by this kind of its results and by none that the suite shows: `false`
/// beside `true` and the reverse, else whatever tells more than a default where nothing does yet.
fn is_missed(shows: &BTreeSet<Shown>, shown: Shown) -> bool {
    let of_method = |other: &&Shown| other.callable == shown.callable;
    let is_boolean = matches!(shown.kind, ResultKind::True | ResultKind::False);
    !shows.contains(&shown)
        && (is_boolean
            || shown.kind.is_telling()
                && !shows.iter().filter(of_method).any(|other| other.kind.is_telling()))
}

/// The test reduced to what its last call needs to show that result.
fn showing(
    runner: &mut Runner<'_>,
    cluster: &TestCluster,
    test: TestCase,
    is_long: bool,
    shown: Shown,
) -> Option<Candidate> {
    runner.is_long = is_long;
    runner.shown = Some(shown);
    let found = runner.accept(test, &[], Ending::Passes).map(|start| {
        let reduced = reduce(runner, cluster, start, &[]);
        Simplifier::of(runner, cluster, reduced, &[]).at_once().one_by_one().best
    });
    runner.shown = None;
    found
}

/// The results of calls of the class under test at a position or behind it, with their positions.
fn results(
    runner: &mut Runner<'_>,
    cluster: &TestCluster,
    test: &TestCase,
    from: usize,
) -> Vec<(usize, Shown)> {
    let calls: Vec<(usize, CallableId)> = test
        .statements()
        .iter()
        .enumerate()
        .skip(from)
        .filter_map(|(position, statement)| Some((position, called(cluster, statement)?)))
        .collect();
    let points: Vec<ObservationPoint> = calls.iter().map(|&(position, _)| result_at(position)).collect();
    let values = runner.observe(test, &points);
    let shown = calls.iter().zip(values).filter_map(|(&(position, callable), value)| {
        Some((position, Shown { callable, kind: ResultKind::of(&value?) }))
    });
    shown.collect()
}

/// The method of the class under test that a statement calls, if it gives a result.
fn called(cluster: &TestCluster, statement: &Statement) -> Option<CallableId> {
    let Statement::Method { callable, .. } = statement else {
        return None;
    };
    let method = cluster.callable(*callable);
    let is_own = cluster.class_under_test.as_ref() == Some(&method.declared_in);
    (is_own && method.result.is_some()).then_some(*callable)
}

pub(super) fn result_at(position: usize) -> ObservationPoint {
    let after = VarRef::from(position);
    ObservationPoint { after, target: ObservationTarget::Value(after) }
}

#[cfg(test)]
mod tests {
    use bytecode::name::ClassName;

    use super::*;

    #[test]
    fn results_are_told_apart_by_sign_and_size() {
        let primitive = ObservedValue::Primitive;
        let object = |size| ObservedValue::Object { class: ClassName::object(), size };
        for (value, expect) in [
            (primitive(Value::Int(-3)), ResultKind::Negative),
            (primitive(Value::Double(-0.0)), ResultKind::Zero),
            (primitive(Value::Float(f32::NAN)), ResultKind::NotANumber),
            (ObservedValue::Boxed(Value::Long(7)), ResultKind::Positive),
            (primitive(Value::String("".into())), ResultKind::Empty),
            (ObservedValue::Array(vec![ObservedValue::Null]), ResultKind::Filled),
            (object(Some(0)), ResultKind::Empty),
            (object(None), ResultKind::Object),
        ] {
            assert_eq!(ResultKind::of(&value), expect, "{value:?}");
        }
    }

    #[test]
    fn both_booleans_are_wanted_and_of_other_results_one_that_tells() {
        use ResultKind::{False, Filled, Negative, Null, Positive, True, Zero};
        let shown = |kind| Shown { callable: CallableId::from(7_usize), kind };
        for (shows, kind, expect) in [
            (vec![False], True, true),
            (vec![True], False, true),
            (vec![True, False], True, false),
            (vec![Null], Filled, true),
            (vec![Filled], Null, false),
            (vec![Positive], Negative, false),
            (vec![], Zero, false),
        ] {
            let known: BTreeSet<Shown> = shows.iter().map(|&kind| shown(kind)).collect();
            assert_eq!(is_missed(&known, shown(kind)), expect, "{kind:?} beside {shows:?}");
        }
    }
}
