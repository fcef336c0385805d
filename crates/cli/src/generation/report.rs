//! What is reported of a class when it is done.

use std::collections::BTreeMap;

use coverage::goal::GoalId;
use output::report::SuiteAccount;

use super::client::History;
use super::delivery::{Delivered, Outcome};
use super::subject::Subject;
use crate::json::{ClassReport, CriterionReport, Loss, Losses, Seconds, TimelinePoint};
use crate::options::Options;

/// The report of a class whose file was delivered, or not, `total` seconds after its class path was known.
pub(super) fn report(
    subject: &Subject,
    options: &Options,
    history: History,
    outcome: &Outcome,
    total: f64,
) -> ClassReport {
    let start = history.search_start.unwrap_or_default();
    let search = history.search_end.unwrap_or(start).saturating_sub(start).as_secs_f64();
    let executions = history.executions;
    let mut report = ClassReport {
        class: subject.target.class.binary(),
        seed: options.seed,
        algorithm: options.algorithm.clone(),
        executions,
        executions_per_second: if search > 0.0 { executions as f64 / search } else { 0.0 },
        seconds: Seconds {
            start: start.as_secs_f64(),
            search,
            minimize: history.minimize.as_secs_f64(),
            assertions: history.assertions.as_secs_f64(),
            verify: outcome.verify.as_secs_f64(),
            total,
        },
        timeline: history
            .timeline
            .points()
            .iter()
            .map(|point| TimelinePoint {
                seconds: point.elapsed.as_secs_f64(),
                executions: point.executions,
                covered: point.covered,
            })
            .collect(),
        losses: outcome.account.as_ref().map(losses).unwrap_or_default(),
        ..ClassReport::default()
    };
    report.diagnostics.clone_from(&subject.nest.diagnostics);
    report.diagnostics.extend(history.diagnostics);
    report.diagnostics.extend(outcome.diagnostics.iter().cloned());
    fill_in(&mut report, subject, options, outcome.delivered.as_ref());
    report
}

/// Says what the file holds.
pub(super) fn fill_in(
    report: &mut ClassReport,
    subject: &Subject,
    options: &Options,
    delivered: Option<&Delivered>,
) {
    report.file = delivered.map(|delivered| delivered.path.display().to_string());
    report.tests = delivered.map_or(0, |delivered| delivered.printed.tests.len());
    report.statements = delivered.map_or(0, |delivered| delivered.file.statements_in(&delivered.printed));
    let is_covered = |goal: GoalId| delivered.is_some_and(|delivered| delivered.goals.contains(&goal));
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for id in subject.goals.ids() {
        let (goals, covered) = counts.entry(&subject.goals.goal(id).criterion).or_default();
        *goals += 1;
        *covered += usize::from(is_covered(id));
    }
    report.criteria = options
        .criteria
        .iter()
        .map(|name| {
            let (goals, covered) = counts.get(name.as_str()).copied().unwrap_or_default();
            CriterionReport { name: name.clone(), goals, covered }
        })
        .collect();
}

fn losses(account: &SuiteAccount) -> Losses {
    let causes =
        account.losses.iter().map(|loss| Loss { cause: loss.cause.to_string(), goals: loss.goals.len() });
    Losses {
        archived: account.archived,
        minimized: account.minimized,
        compiled: account.compiled,
        verified: account.verified,
        causes: causes.collect(),
    }
}
