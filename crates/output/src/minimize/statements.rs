//! Reduces a test to the statements that its goals need.

use std::collections::BTreeSet;

use coverage::goal::GoalId;
use testcase::cluster::{CallableKind, Generator, TestCluster};
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;

use super::runner::{Candidate, Runner};
use super::scripts::reduce_script;

/// Passes over a test; what one removes may free what an earlier one could not.
const PASSES: usize = 4;
/// Variables tried in the place of another.
const REPLACEMENTS: usize = 2;

/// Reduces a test to what it needs for the goals `required`.
pub(super) fn reduce(
    runner: &mut Runner<'_>,
    cluster: &TestCluster,
    start: Candidate,
    required: &[GoalId],
) -> Candidate {
    runner.is_long = start.is_long;
    let mut best = shortest_prefix(runner, start, required);
    for _ in 0..PASSES {
        let length = best.test.len();
        best = pass(runner, cluster, best, required);
        if best.test.len() == length || runner.stopped {
            break;
        }
    }
    best
}

/// Cuts what stands behind the last useful statement. A longer prefix covers no less, so the cut is found by
/// bisection.
fn shortest_prefix(runner: &mut Runner<'_>, start: Candidate, required: &[GoalId]) -> Candidate {
    let mut best = start;
    let (mut fails, mut holds) = (0, best.test.len());
    while holds - fails > 1 {
        let length = usize::midpoint(fails, holds);
        let mut prefix = best.test.clone();
        prefix.truncate(length);
        match runner.accept(prefix, required, best.ending) {
            Some(shorter) => {
                best = shorter;
                holds = best.test.len().min(length);
            }
            None => fails = length,
        }
    }
    best
}

/// One pass from the last statement to the first.
fn pass(runner: &mut Runner<'_>, cluster: &TestCluster, start: Candidate, required: &[GoalId]) -> Candidate {
    let mut best = start;
    if let Some(tidy) = without_unused(&best.test)
        && let Some(accepted) = runner.accept(tidy, required, best.ending)
    {
        best = accepted;
    }
    let mut position = best.test.len();
    while position > 0 && !runner.stopped {
        position -= 1;
        if position >= best.test.len() {
            continue;
        }
        for changed in changes(cluster, &best.test, position) {
            if let Some(accepted) = runner.accept(changed, required, best.ending) {
                best = accepted;
                break;
            }
        }
        best = reduce_script(runner, cluster, best, position, required);
    }
    best
}

/// Ways to do without a statement, boldest first: leave it and all that needs it out; let an earlier variable stand
/// in; make the object in a simpler way.
fn changes(cluster: &TestCluster, test: &TestCase, position: usize) -> Vec<TestCase> {
    let variable = VarRef::from(position);
    if is_input(test.statement(variable)) {
        return Vec::new(); // goes with what uses it
    }
    let mut changed: Vec<TestCase> = without(test, position).into_iter().collect();
    if test.is_used(variable) {
        changed.extend(replaced(cluster, test, variable));
        changed.extend(simpler(cluster, test, variable));
    }
    changed
}

/// Statements that only provide a value: they do nothing and can always be left out when nobody uses them.
pub(super) fn is_input(statement: &Statement) -> bool {
    match statement {
        Statement::Primitive { .. }
        | Statement::Null { .. }
        | Statement::EnumConstant { .. }
        | Statement::ClassLiteral { .. } => true,
        Statement::Array { .. }
        | Statement::Constructor { .. }
        | Statement::Method { .. }
        | Statement::FieldRead { .. }
        | Statement::FieldWrite { .. }
        | Statement::ArrayWrite { .. }
        | Statement::Stub { .. } => false,
    }
}

/// The test without a statement, without those that use it, directly or not, and without inputs left unused; `None`
/// when nothing would be left.
pub(super) fn without(test: &TestCase, position: usize) -> Option<TestCase> {
    let mut gone = BTreeSet::from([position]);
    for (later, statement) in test.statements().iter().enumerate().skip(position + 1) {
        let mut uses = false;
        statement.for_each_use(|used| uses |= gone.contains(&used.index()));
        if uses {
            gone.insert(later);
        }
    }
    let mut left = test.clone();
    for &position in gone.iter().rev() {
        left.remove(position);
    }
    let left = without_unused(&left).unwrap_or(left);
    (!left.is_empty()).then_some(left)
}

/// The test without inputs that nobody uses; `None` when there are none.
pub(super) fn without_unused(test: &TestCase) -> Option<TestCase> {
    let mut tidy = test.clone();
    for position in (0..test.len()).rev() {
        let variable = VarRef::from(position);
        let statement = tidy.statement(variable);
        let unused =
            (is_input(statement) || matches!(statement, Statement::Array { .. })) && !tidy.is_used(variable);
        // A test that is nothing but an input stays one: its last statement may be what throws.
        if unused && tidy.len() > 1 {
            tidy.remove(position);
        }
    }
    (tidy.len() < test.len()).then_some(tidy)
}

/// The test with an earlier variable of a type that fits in the place of this one, nearest first.
fn replaced(cluster: &TestCluster, test: &TestCase, variable: VarRef) -> Vec<TestCase> {
    let Some(wanted) = test.variable_type(cluster, variable) else {
        return Vec::new();
    };
    let fits = |&earlier: &usize| {
        let statement = test.statement(VarRef::from(earlier));
        !matches!(statement, Statement::Null { .. })
            && cluster.type_of(statement).is_some_and(|of| cluster.is_assignable(of, wanted))
    };
    (0..variable.index())
        .rev()
        .filter(fits)
        .take(REPLACEMENTS)
        .map(|earlier| {
            let mut changed = test.clone();
            for statement in &mut changed.statements_mut()[variable.index() + 1..] {
                statement.for_each_use_mut(|used| {
                    if *used == variable {
                        *used = VarRef::from(earlier);
                    }
                });
            }
            changed.remove(variable.index());
            without_unused(&changed).unwrap_or(changed)
        })
        .collect()
}

/// The test with the variable made by a constructor or factory without parameters.
fn simpler(cluster: &TestCluster, test: &TestCase, variable: VarRef) -> Vec<TestCase> {
    let statement = test.statement(variable);
    let mut needs_something = false;
    statement.for_each_use(|_| needs_something = true);
    let Some(of) = cluster.type_of(statement).filter(|_| needs_something) else {
        return Vec::new();
    };
    plain_generators(cluster, of)
        .take(REPLACEMENTS)
        .map(|made| {
            let mut changed = test.clone();
            changed.statements_mut()[variable.index()] = made;
            without_unused(&changed).unwrap_or(changed)
        })
        .collect()
}

/// Statements that make a value of a type from nothing, in the order of the cluster's generators.
pub(super) fn plain_generators(
    cluster: &TestCluster,
    of: testcase::cluster::TypeId,
) -> impl Iterator<Item = Statement> + '_ {
    cluster.generators(of).iter().filter_map(|generator| {
        let Generator::Callable(id) = *generator else {
            return None;
        };
        let callable = cluster.callable(id);
        if !callable.parameters.is_empty() {
            return None;
        }
        let arguments = testcase::statement::Arguments::new();
        match callable.kind {
            CallableKind::Constructor => Some(Statement::Constructor { callable: id, arguments }),
            CallableKind::StaticMethod => Some(Statement::Method { callable: id, receiver: None, arguments }),
            CallableKind::InstanceMethod => None,
        }
    })
}
