//! Inputs with which a call changes something.
//!
//! `order.setClosed(false)` of a new order covers its line, and so does `order.setName(null)`; but what they do cannot be seen, and what is
//! asserted behind them is what was there before.

use coverage::goal::GoalId;
use testcase::assertion::{ObservationPoint, ObservedValue};
use testcase::cluster::TestCluster;
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;

use super::operands::other_values;
use super::runner::{Candidate, Runner};
use super::values::{candidates, in_place_of_null};
use crate::ending::Ending;

/// Most things that are asked of the object.
const QUESTIONS: usize = 12;
/// Changes tried, of each argument and of all.
const VARIANTS_OF_ARGUMENT: usize = 4;
const VARIANTS: usize = 8;

/// Looks for inputs of a last call without result, or of a setter that gives its object, with which it changes what can be seen of that, where it
/// changes nothing of it, while the test covers `required`.
pub(super) fn change_more(
    runner: &mut Runner<'_>,
    cluster: &TestCluster,
    start: Candidate,
    required: &[GoalId],
) -> Candidate {
    runner.is_long = start.is_long;
    if start.ending != Ending::Passes || changes(runner, cluster, &start.test) != Some(false) {
        return start;
    }
    for variant in variants(cluster, &start.test) {
        if let Some(accepted) = runner.accept(variant, required, Ending::Passes)
            && changes(runner, cluster, &accepted.test) == Some(true)
        {
            return accepted;
        }
    }
    start
}

/// Whether the last call changes what can be seen of its object; `None` where it has a result, or nothing can be seen.
fn changes(runner: &mut Runner<'_>, cluster: &TestCluster, test: &TestCase) -> Option<bool> {
    let last = test.len().checked_sub(1)?;
    let object = silent_receiver(cluster, test)?;
    let mut state = cluster.state(object, test.variable_type(cluster, object)?, true);
    cluster.sort_by_relevance(&mut state, test.statement(VarRef::from(last)).callable());
    state.truncate(QUESTIONS);
    if state.is_empty() {
        return None;
    }
    let at = |after: usize| {
        let after = VarRef::from(after);
        state.iter().map(move |&target| ObservationPoint { after, target })
    };
    let points: Vec<ObservationPoint> = at(last - 1).chain(at(last)).collect();
    let observed = runner.observe(test, &points);
    let (before, behind) = observed.split_at_checked(state.len())?;
    let differs = |(before, behind): (&Option<ObservedValue>, &Option<ObservedValue>)| {
        before.is_some() && behind.is_some() && before != behind
    };
    Some(before.iter().zip(behind).any(differs))
}

/// What the last call is made on, if it has no result but that, and gets something that may be another value.
fn silent_receiver(cluster: &TestCluster, test: &TestCase) -> Option<VarRef> {
    let Statement::Method { callable, receiver: Some(receiver), arguments } = test.statements().last()?
    else {
        return None;
    };
    let is_input = |argument: &VarRef| {
        matches!(test.statement(*argument), Statement::Primitive { .. } | Statement::Null { .. })
    };
    let called = cluster.callable(*callable);
    let of = test.variable_type(cluster, *receiver)?;
    let is_silent = match called.result {
        None => true,
        Some(result) => called.name.starts_with("set") && cluster.is_assignable(of, result),
    };
    (is_silent && arguments.iter().any(is_input)).then_some(*receiver)
}

/// The test with another value in the place of one that the last call gets.
fn variants(cluster: &TestCluster, test: &TestCase) -> Vec<TestCase> {
    let Some(Statement::Method { arguments, .. }) = test.statements().last() else { return Vec::new() };
    let mut found = Vec::new();
    for &argument in arguments {
        // tidy: other statements make no value that another one could stand for
        let instead: Vec<Statement> = match test.statement(argument) {
            Statement::Primitive { value, boxed } => {
                let others = candidates(value, 0).into_iter().chain(other_values(value));
                let others = others.filter(|other| other != value);
                others.map(|value| Statement::Primitive { value, boxed: *boxed }).collect()
            }
            Statement::Null { of } => in_place_of_null(cluster, *of, 0),
            _ => Vec::new(),
        };
        for other in instead.into_iter().take(VARIANTS_OF_ARGUMENT) {
            let mut changed = test.clone();
            changed.statements_mut()[argument.index()] = other;
            found.push(changed);
        }
    }
    found.truncate(VARIANTS);
    found
}
