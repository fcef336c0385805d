//! The process with the JVM in it: records and replays.

use std::sync::Arc;

use anyhow::Result;
use concolic::interpreter::{Code, End, Following, Limits};
use concolic::term::{Terms, Value};
use concolic::test_replay::{Replaying, TestEnd, replay_test};
use testcase::clock::Clock;
use testcase::cluster::TestCluster;
use testcase::execution::{ExecutionResult, Executor as _};
use testcase::recording::{Event, Recording};
use testcase::run_request::RunRequest;
use testcase::statement::Statement;
use testcase::test_case::TestCase;

use super::{Job, Row};
use crate::random_tests::{RandomTests, record};
use crate::started::{Started, World, as_process, start};

/// Does the job in this process and writes the row into its folder.
pub(super) fn run(job: &Job) -> Result<()> {
    as_process(&job.folder.join("row.json"), || judge(job))
}

fn judge(job: &Job) -> Result<Row> {
    let Started { world, mut executor, ids } =
        start(&job.class, &job.class_path, &job.java_home, &job.folder)?;
    let (probes, outcomes) = (ids.probes as usize, ids.outcomes as usize);
    let made = RandomTests { cluster: &world.cluster, probes, outcomes }.make(&mut executor, &job.choice);
    let mut row = Row::of(&job.class);
    let mut result = ExecutionResult::new(probes, outcomes);
    let clock = Clock::start();
    for test in &made.tests {
        executor.execute(test, &RunRequest::brief(), &mut result);
    }
    row.plain_us = clock.now().as_micros() as u64;
    let clock = Clock::start();
    let recorded = record(&made.tests, &mut executor, result);
    row.recorded_us = clock.now().as_micros() as u64;
    row.unrecorded = (made.tests.len() - recorded.len()) as u64;
    let code = Arc::default();
    for (test, recording) in recorded {
        replay(test, &recording, &world, &code, &mut row);
    }
    Ok(row)
}

fn replay(test: &TestCase, recording: &Recording, world: &World, code: &Arc<Code>, row: &mut Row) {
    let replaying =
        Replaying { cluster: &world.cluster, hierarchy: &world.hierarchy, code, limits: Limits::default() };
    let mut following = Following::new(recording);
    let mut terms = Terms::new();
    let clock = Clock::start();
    let replayed = replay_test(test, recording.statements.len(), &replaying, &mut following, &mut terms);
    row.replayed_us += clock.now().as_micros() as u64;
    row.tests += 1;
    row.events += recording.events.len() as u64;
    row.steps += replayed.steps;
    row.conditions += replayed.conditions.len() as u64;
    for (method, calls) in replayed.unmodelled.by_calls() {
        *row.unmodelled.entry(method.to_string()).or_insert(0) += calls;
    }
    for condition in &replayed.conditions {
        if terms.value(condition.condition.term, replayed.inputs.seed()) != Value::Bool(true) {
            row.wrong_conditions += 1;
            note(row, format!("a condition does not hold at {:?}", condition.condition.site));
        }
    }
    match &replayed.end {
        TestEnd::Completed => row.completed += 1,
        TestEnd::Stopped { end: End::Diverged { site, difference, event }, statement } => {
            row.diverged += 1;
            let around = recording.events.iter().skip(event.saturating_sub(3)).take(6);
            let around = around.map(|logged| logged.event).collect::<Vec<_>>();
            let what = what(&test.statements()[*statement], &world.cluster);
            let thrown = thrown(recording, *event);
            note(row, format!("diverged at {site:?} in {what}: {difference:?} in {around:?}{thrown}"));
        }
        TestEnd::Stopped { end, .. } => {
            row.stopped += 1;
            note(row, format!("stopped: {end:?}"));
        }
    }
}

/// What was thrown in the run at an event or, where there are no more, out of the test; in words.
fn thrown(recording: &Recording, event: usize) -> String {
    let exception = match recording.events.get(event).map(|logged| logged.event) {
        Some(Event::Caught { exception, .. }) => Some(exception),
        Some(_) => None,
        None => recording.statements.last().and_then(|statement| statement.exception),
    };
    let exception = exception.and_then(|exception| recording.objects.get(exception.index()));
    exception.map_or_else(String::new, |exception| format!(", where the run threw {:?}", exception.class))
}

/// What a statement does, in words.
fn what(statement: &Statement, cluster: &TestCluster) -> String {
    let callable =
        if let Statement::Constructor { callable, .. } | Statement::Method { callable, .. } = statement {
            Some(*callable)
        } else if let Statement::Stub { stub, .. } = statement {
            cluster.stub(*stub).constructor()
        } else {
            None
        };
    let Some(callable) = callable.map(|callable| cluster.callable(callable)) else {
        return format!("{statement:?}");
    };
    let of = if matches!(statement, Statement::Stub { .. }) { "a stub with " } else { "" };
    format!("{of}{}.{}{}", callable.declared_in, callable.name, callable.descriptor)
}

fn note(row: &mut Row, reason: String) {
    *row.reasons.entry(reason).or_insert(0) += 1;
}
