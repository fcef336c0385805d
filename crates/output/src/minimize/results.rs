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

use std::collections::BTreeMap;

use testcase::assertion::{ObservationPoint, ObservationTarget, ObservedValue};
use testcase::cluster::{CallableId, TestCluster};
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::Value;

use super::runner::{Candidate, Ending, Runner};
use super::statements::reduce;
use super::values::simplify;

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
            ObservedValue::EnumConstant(..) | ObservedValue::Class(_) => Self::Object,
            ObservedValue::Array(elements) => of_size(elements.len()),
            ObservedValue::Object { size, .. } => {
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
    fn is_telling(self) -> bool {
        match self {
            Self::True | Self::Negative | Self::Positive | Self::NotANumber | Self::Filled | Self::Object => {
                true
            }
            Self::Null | Self::False | Self::Zero | Self::Empty => false,
        }
    }
}

/// The result that the last call of a test shows, when it is one that simplification must not lose.
pub(super) fn telling_result(
    runner: &mut Runner<'_>,
    cluster: &TestCluster,
    candidate: &Candidate,
) -> Option<Shown> {
    if candidate.ending != Ending::Passes {
        return None;
    }
    let last = candidate.test.len().checked_sub(1)?;
    let (_, shown) = results(runner, cluster, &candidate.test, last).pop()?;
    shown.kind.is_telling().then_some(shown)
}

/// Tests for kinds of results that none of `suite` shows, in the order of methods and kinds.
pub(super) fn missing_results(
    runner: &mut Runner<'_>,
    cluster: &TestCluster,
    suite: &[Candidate],
    originals: &[Candidate],
) -> Vec<Candidate> {
    let mut best: BTreeMap<Shown, Option<(usize, usize)>> = BTreeMap::new();
    for test in suite.iter().filter(|test| test.ending == Ending::Passes) {
        runner.is_long = test.is_long;
        for (_, shown) in results(runner, cluster, &test.test, test.test.len().saturating_sub(1)) {
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
    let mut added = Vec::new();
    for (shown, found) in best {
        let Some((position, index)) = found else {
            continue;
        };
        if runner.stopped || added.len() == runner.options.results {
            break;
        }
        runner.is_long = originals[index].is_long;
        runner.shown = Some(shown);
        let mut prefix = originals[index].test.clone();
        prefix.truncate(position + 1);
        if let Some(start) = runner.accept(prefix, &[], Ending::Passes) {
            let reduced = reduce(runner, cluster, start, &[]);
            added.push(simplify(runner, cluster, reduced, &[]));
        }
        runner.shown = None;
    }
    added
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
}
