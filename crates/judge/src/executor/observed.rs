//! Reads all that can be read of a test: every variable behind its statement, and inspectors and identities at the end.

use output::asserted_test::AssertedTest;
use testcase::assertable::{Lengths, assertable, is_inherited_from_object};
use testcase::assertion::{Assertion, ObservationPoint, ObservationTarget, ObservedValue};
use testcase::cluster::{TestCluster, TypeId};
use testcase::execution::{ExecutionResult, ExecutionTrace, Executor, Outcome, Touched};
use testcase::run_request::RunRequest;
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;

/// What tests may touch without being set aside: nothing, since a plain JVM has other surroundings.
const TOUCHES: [(Touched, &str); 8] = [
    (Touched::FILE_READ, "reads files"),
    (Touched::FILE_WRITE, "writes files"),
    (Touched::NETWORK, "uses the network"),
    (Touched::PROCESS, "starts processes"),
    (Touched::ENVIRONMENT, "reads the environment"),
    (Touched::EXIT, "ends the JVM"),
    (Touched::THREAD, "starts threads"),
    (Touched::CLOCK, "reads the clock or chance"),
];
/// Longest string and array that are compared; the executor reads no longer ones.
const LENGTHS: Lengths = Lengths { string: 4096, array: 32 };
/// Most inspectors, and most fields, asked of one object.
const INSPECTORS: usize = 40;

/// A test with all that was read of it.
pub(super) struct Seen {
    pub(super) test: AssertedTest,
    /// Questions without an answer that may be asserted.
    pub(super) dropped: usize,
    /// What the statements alone covered.
    pub(super) trace: ExecutionTrace,
}

/// Runs and reads a test; the reason if it cannot be compared.
pub(super) fn see(
    cluster: &TestCluster,
    mut test: TestCase,
    executor: &mut dyn Executor,
    (probes, outcomes): (usize, usize),
) -> Result<Seen, String> {
    let mut result = ExecutionResult::new(probes, outcomes);
    executor.execute(&test, &RunRequest::default(), &mut result);
    if let Some((_, reason)) = TOUCHES.iter().find(|(touched, _)| result.touched.intersects(*touched)) {
        return Err((*reason).to_owned());
    }
    let expected = match &result.outcome {
        Outcome::Passed => None,
        Outcome::Threw(thrown) => Some(thrown.clone()),
        Outcome::TimedOut => return Err("exceeds a limit".to_owned()),
        Outcome::Exited => return Err("ends the JVM".to_owned()),
    };
    if let Some(thrown) = &expected {
        test.truncate(thrown.position + 1);
    }
    let mut points = questions(cluster, &test, expected.is_some());
    let asked = points.len();
    // An inspector may change what the next one reads, so what is printed must be exactly what was asked last.
    loop {
        let seen = executor.observe(&test, &points);
        if seen.outcome != result.outcome {
            return Err(format!("ended with {:?}, observed with {:?}", result.outcome, seen.outcome));
        }
        let answers: Vec<Option<ObservedValue>> = points
            .iter()
            .zip(seen.values)
            .map(|(point, value)| {
                assertable(&value?, &test, LENGTHS)
                    .filter(|_| !is_inherited_from_object(cluster, &test, point.target))
            })
            .collect();
        let complete: Option<Vec<ObservedValue>> = answers.iter().cloned().collect();
        if let Some(values) = complete {
            let assertions = points
                .iter()
                .zip(values)
                .map(|(point, expected)| Assertion { after: point.after, target: point.target, expected })
                .collect();
            let dropped = asked - points.len();
            let test = AssertedTest { assertions, expected, ..AssertedTest::new(test) };
            return Ok(Seen { test, dropped, trace: result.trace });
        }
        let mut answers = answers.into_iter();
        points.retain(|_| answers.next().flatten().is_some());
    }
}

/// What is asked: of a test that throws only what asking cannot change.
fn questions(cluster: &TestCluster, test: &TestCase, throws: bool) -> Vec<ObservationPoint> {
    let completed = test.len() - usize::from(throws);
    let mut points = Vec::new();
    for position in 0..completed {
        let after = VarRef::from(position);
        let is_input = matches!(test.statement(after), Statement::Primitive { .. } | Statement::Null { .. });
        if !is_input && test.variable_type(cluster, after).is_some() {
            points.push(ObservationPoint { after, target: ObservationTarget::Value(after) });
        }
    }
    if throws {
        let of_exception = [ObservationTarget::Message, ObservationTarget::Cause];
        points.extend(of_exception.map(|target| ObservationPoint { after: VarRef::from(completed), target }));
        return points;
    }
    if completed == 0 {
        return points;
    }
    let after = VarRef::from(completed - 1);
    let typed = (0..completed).map(VarRef::from).filter_map(|variable| {
        let of = test.variable_type(cluster, variable)?;
        Some((variable, of))
    });
    let objects: Vec<(VarRef, TypeId)> =
        typed.filter(|(_, of)| of.index() >= TypeId::WELL_KNOWN || *of == TypeId::OBJECT).collect();
    for (index, &(variable, of)) in objects.iter().enumerate() {
        let comparable = |other: TypeId| cluster.is_assignable(of, other) || cluster.is_assignable(other, of);
        if let Some(&(other, _)) = objects[..index].iter().rev().find(|(_, other)| comparable(*other)) {
            points.push(ObservationPoint { after, target: ObservationTarget::Same(other, variable) });
        }
        // Arrays are values: they may have changed.
        if cluster.ty(of).element.is_some() && variable != after {
            points.push(ObservationPoint { after, target: ObservationTarget::Value(variable) });
        }
    }
    for (variable, of) in objects {
        for &inspector in cluster.inspectors(of).iter().take(INSPECTORS) {
            if cluster.callable(inspector).exceptions.is_empty() {
                let target = ObservationTarget::Inspector(variable, inspector);
                points.push(ObservationPoint { after, target });
            }
        }
        for &field in cluster.public_fields(of).iter().take(INSPECTORS) {
            points.push(ObservationPoint { after, target: ObservationTarget::Field(variable, field) });
        }
    }
    points
}
