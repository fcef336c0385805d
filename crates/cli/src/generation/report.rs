//! What is reported of a class when it is done.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use coverage::goal::{Goal, GoalId};
use coverage::goal_graph::GoalGraph;
use output::report::{Cause, Dropped, Stage, SuiteAccount};
use search::open_goals::explain::{Facts, explain};
use search::open_goals::near_misses::NearMisses;
use search::open_goals::{OpenGoal, Reason, Unfinished};
use subject::Subject;

use super::client::History;
use super::delivered::Delivered;
use super::delivery::Outcome;
use crate::goals::no_goals_of;
use crate::json::{
    ClassReport, CriterionReport, Loss, Losses, LostGoal, OpenGoalReport, Seconds, TimelinePoint,
};
use crate::messages::{self, Why};
use crate::options::{Budget, Options};
use crate::statistics::{Found, GoalRecord, GoalStatus};

/// The report of a class whose file was delivered, or not, `total` seconds after its class path was known.
pub(super) fn report(
    subject: &Subject,
    options: &Options,
    history: History,
    outcome: &Outcome,
    fates: &Fates,
    total: f64,
) -> ClassReport {
    let start = history.search_start.unwrap_or_default();
    let search_end = history.search_end.unwrap_or(start);
    let search = search_end.saturating_sub(start + history.between).as_secs_f64();
    let spent = history.spent;
    let mut report = ClassReport {
        class: subject.identity.class.binary(),
        seed: options.seed,
        algorithm: options.algorithm.clone(),
        executions: spent.executions,
        generations: spent.generations,
        fitness_evaluations: spent.evaluations,
        statements_executed: spent.statements,
        executions_per_second: if search > 0.0 { spent.executions as f64 / search } else { 0.0 },
        seconds: Seconds {
            start: start.as_secs_f64(),
            search,
            minimize: history.minimize.as_secs_f64(),
            assertions: history.assertions.as_secs_f64(),
            verify: outcome.verify.as_secs_f64(),
            total,
        },
        budget_used: budget_used(
            options.budget,
            history.spent.executions,
            search_end.max(outcome.written.unwrap_or_default()),
        ),
        timeline: history
            .timeline
            .points()
            .iter()
            .map(|point| TimelinePoint {
                seconds: point.elapsed.as_secs_f64(),
                executions: point.executions,
                generation: point.generation,
                covered: point.covered,
            })
            .collect(),
        ..ClassReport::default()
    };
    report.diagnostics.clone_from(&subject.nest.diagnostics);
    report.diagnostics.extend(history.diagnostics);
    report.diagnostics.extend(outcome.diagnostics.iter().cloned());
    fill_in(&mut report, subject, options, outcome.delivered.as_ref(), fates);
    let without_goals = report.criteria.iter().filter(|criterion| criterion.goals == 0);
    report.diagnostics.extend(without_goals.filter_map(|criterion| no_goals_of(&criterion.name)));
    report
}

/// The part of a budget after which nothing searched or improved any more, 0 to 1: `last` is when the search ended or the
/// file was written last.
fn budget_used(budget: Budget, executions: u64, last: Duration) -> f64 {
    let used = match budget {
        Budget::Time(time) => last.as_secs_f64() / time.as_secs_f64(),
        Budget::Executions(all) => executions as f64 / all as f64,
    };
    if used.is_finite() { used.min(1.0) } else { 1.0 }
}

/// What is known of the goals of a class besides its file.
#[derive(Debug)]
pub(super) struct Fates {
    /// All goals that were ever archived.
    archived: Vec<GoalId>,
    /// What became of those of the suite that was verified last.
    account: SuiteAccount,
    /// Why others are open.
    open: BTreeMap<GoalId, OpenGoal>,
    /// When the search covered each first.
    found: BTreeMap<GoalId, Found>,
    /// Goals of tests that were dropped when files were verified together, and why.
    together: Vec<Dropped>,
}

impl Fates {
    /// Takes from the history what tells of goals. Goals that no worker explained are explained by class files alone.
    pub(super) fn new(subject: &Subject, history: &mut History, account: Option<&SuiteAccount>) -> Self {
        let archived = std::mem::take(&mut history.archived);
        let found = std::mem::take(&mut history.found);
        let mut open = std::mem::take(&mut history.open_goals);
        if open.is_empty() && archived.len() < subject.goals().len() {
            open = explain_unsearched(subject, &archived);
        }
        let open = open.into_iter().map(|goal| (goal.goal, goal)).collect();
        let account = account.cloned().unwrap_or_else(|| SuiteAccount::new([]));
        Self { archived, account, open, found, together: Vec::new() }
    }

    /// Notes that these goals lost a test when files were verified together.
    pub(super) fn dropped_together(&mut self, goals: Vec<GoalId>, how: String) {
        self.together.push((Cause::FailedTogether(how), goals));
    }

    /// What became of all archived goals, given those of the file.
    fn settled(&self, delivered: &BTreeSet<GoalId>) -> SuiteAccount {
        let mut account = self.account.clone();
        if !self.together.is_empty() {
            let is_dropped = |goal: &GoalId| self.together.iter().any(|(_, goals)| goals.contains(goal));
            let is_left = |goal: &GoalId| delivered.contains(goal) || !is_dropped(goal);
            let left: Vec<GoalId> = account.left().filter(is_left).collect();
            account.close(Stage::Verified, left, &self.together);
        }
        account.settle(self.archived.iter().copied(), delivered)
    }

    fn losses(subject: &Subject, account: &SuiteAccount) -> Losses {
        let causes =
            account.losses.iter().map(|loss| Loss { cause: loss.cause.to_string(), goals: loss.goals.len() });
        let goals = account.losses.iter().flat_map(|loss| loss.goals.iter().map(move |goal| (loss, *goal)));
        Losses {
            archived: account.archived,
            minimized: account.minimized,
            compiled: account.compiled,
            verified: account.verified,
            causes: causes.collect(),
            goals: goals
                .map(|(loss, goal)| LostGoal {
                    goal: messages::goal(subject.goals().goal(goal), &subject.nest.maps),
                    stage: loss.stage,
                    cause: loss.cause.kind().to_owned(),
                    detail: loss.cause.to_string(),
                })
                .collect(),
        }
    }

    /// The goals that are not delivered, ascending.
    fn open_goals(
        &self,
        subject: &Subject,
        account: &SuiteAccount,
        delivered: &BTreeSet<GoalId>,
        asked: &[String],
    ) -> Vec<OpenGoalReport> {
        let goals = subject.goals();
        let is_asked = |goal: &GoalId| asked.iter().any(|name| **name == *goals.goal(*goal).criterion);
        let open = goals.ids().filter(|goal| is_asked(goal) && !delivered.contains(goal));
        open.map(|id| {
            let goal = goals.goal(id);
            let (why, behind) = match (account.loss_of(id), self.open.get(&id)) {
                (Some((_, cause)), _) => (lost(cause), None),
                (None, Some(open)) => (messages::why(&open.reason), open.behind),
                (None, None) => (messages::why(&Reason::Budget(Unfinished::Unknown)), None),
            };
            OpenGoalReport {
                goal: messages::goal(goal, &subject.nest.maps),
                criterion: goal.criterion.to_string(),
                class: goal.class.binary(),
                method: goal.method.to_string(),
                line: goal.line,
                reason: why.reason.to_owned(),
                cause: why.cause,
                detail: why.detail,
                behind: behind.map(|root| messages::goal(subject.goals().goal(root), &subject.nest.maps)),
            }
        })
        .collect()
    }
}

/// What became of each goal, in their order.
pub(super) fn records(subject: &Subject, delivered: Option<&Delivered>, fates: &Fates) -> Vec<GoalRecord> {
    let nothing = BTreeSet::new();
    let covered = delivered.map_or(&nothing, |delivered| &delivered.goals);
    let account = fates.settled(covered);
    let tests = delivered.map(Delivered::tests).unwrap_or_default();
    let record = |(id, goal): (GoalId, &Goal)| {
        let open = fates.open.get(&id);
        let (status, reason) = match (covered.contains(&id), account.loss_of(id)) {
            (true, _) => (GoalStatus::Covered, None),
            (false, Some(_)) => (GoalStatus::Lost, Some(messages::LOST)),
            (false, None) => {
                let unknown = Reason::Budget(Unfinished::Unknown);
                let reason = open.map_or(&unknown, |open| &open.reason);
                (GoalStatus::Open, Some(messages::why(reason).reason))
            }
        };
        GoalRecord {
            id: goal.to_string(),
            goal: messages::goal(goal, &subject.nest.maps),
            criterion: goal.criterion.to_string(),
            class: goal.class.binary(),
            method: goal.method.to_string(),
            line: goal.line,
            status,
            test: tests.get(&id).map(|&test| test.to_owned()),
            fitness: match status {
                GoalStatus::Covered | GoalStatus::Lost => Some(0.0),
                GoalStatus::Open => open.and_then(|open| open.fitness),
            },
            reason: reason.map(str::to_owned),
            found: fates.found.get(&id).copied(),
        }
    };
    subject.goals().ids().zip(subject.goals().goals()).map(record).collect()
}

fn lost(cause: &Cause) -> Why {
    Why { reason: messages::LOST, cause: cause.kind().replace('_', " "), detail: cause.to_string() }
}

/// Reasons as far as class files tell, where no search came to its end.
fn explain_unsearched(subject: &Subject, archived: &[GoalId]) -> Vec<OpenGoal> {
    let facts = Facts {
        goals: &subject.goals(),
        graph: &GoalGraph::new(&subject.nest.maps, &subject.goals(), true),
        maps: &subject.nest.maps,
        cluster: &subject.cluster,
        near_misses: &NearMisses::new(subject.goals().len()),
        executions: 0,
        covered: &archived.iter().map(|goal| goal.index()).collect(),
    };
    explain(facts, None)
}

/// Says what the file holds.
pub(super) fn fill_in(
    report: &mut ClassReport,
    subject: &Subject,
    options: &Options,
    delivered: Option<&Delivered>,
    fates: &Fates,
) {
    report.file = delivered.map(|delivered| delivered.path.display().to_string());
    report.tests = delivered.map_or(0, |delivered| delivered.printed.tests.len());
    report.statements = delivered.map_or(0, |delivered| delivered.file.statements_in(&delivered.printed));
    let nothing = BTreeSet::new();
    let goals = delivered.map_or(&nothing, |delivered| &delivered.goals);
    let account = fates.settled(goals);
    report.losses = Fates::losses(subject, &account);
    report.open_goals = fates.open_goals(subject, &account, goals, &options.criteria);
    let is_covered = |goal: GoalId| goals.contains(&goal);
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let all = subject.goals();
    for id in all.ids() {
        let (goals, covered) = counts.entry(&all.goal(id).criterion).or_default();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_used_up_to_the_end_of_the_search_or_the_last_file() {
        let seconds = Duration::from_secs_f64;
        for (budget, executions, last, expect) in [
            (Budget::Time(seconds(10.0)), 7, 9.6, 0.96),
            (Budget::Time(seconds(2.0)), 7, 2.1, 1.0),
            (Budget::Time(seconds(0.0)), 0, 0.0, 1.0),
            (Budget::Executions(200), 150, 99.0, 0.75),
            (Budget::Executions(0), 0, 0.0, 1.0),
        ] {
            assert!((budget_used(budget, executions, seconds(last)) - expect).abs() < 1e-9, "{budget:?}");
        }
    }
}
