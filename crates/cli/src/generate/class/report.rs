//! What is reported of a class, once nothing changes its file any more.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use coverage::goal::{Goal, GoalId};
use coverage::goal_graph::GoalGraph;
use coverage::selection::is_pursued;
use output::report::{Cause, Dropped, Stage, SuiteAccount};
use search::local_search::tools::AppliedTool;
use search::open_goals::explain::{Facts, explain};
use search::open_goals::near_misses::NearMisses;
use search::open_goals::{OpenGoal, Reason, Unfinished};
use subject::Subject;
use testcase::transfer::{DeliveredTest, NamedTests};

use super::TestedClass;
use super::joint::Together;
use super::verified_file::{TestsOfGoal, VerifiedFile};
use crate::generate::{DeliveredFile, Report};
use crate::goals::no_goals_of;
use crate::json::{
    ClassReport, CriterionReport, IslandReport, LocalSearchReport, Loss, Losses, LostGoal, OpenGoalReport,
    Seconds, TimelinePoint,
};
use crate::messages::{self, Why};
use crate::options::{Budget, Options};
use crate::statistics::{Found, GoalRecord, GoalStatus};

/// The report of a class, with what became of each goal.
pub(super) fn report(class: &TestedClass, options: &Options) -> Report {
    let goals = Goals::new(class);
    Report {
        class: class_report(class, options, &goals),
        goals: goals.records(&options.criteria),
        interrupted: class.history.interrupted,
        stood_still: class.history.stood_still,
        is_cut_short: class.test_file.is_cut_short,
        file: class.test_file.on_disk.as_ref().map(|file| DeliveredFile {
            path: file.printed.path(),
            text: file.printed.text.clone(),
            tests: file.printed.tests.iter().map(|test| test.method.clone()).collect(),
        }),
        suite: suite(class),
    }
}

/// The tests of the file, for the next run. They are plain data: there is nothing that could fail.
fn suite(class: &TestedClass) -> Vec<u8> {
    let tests = class.test_file.on_disk.as_ref().map(VerifiedFile::kept).unwrap_or_default();
    let methods = class.test_file.on_disk.iter().flat_map(|file| &file.printed.tests);
    let tests = tests.into_iter().zip(methods).map(|(verified, printed)| DeliveredTest {
        method: printed.method.clone(),
        test: verified.test.test,
        assertions: verified.test.assertions,
        expected: verified.test.expected,
    });
    let tests = tests.collect();
    postcard::to_stdvec(&NamedTests::new(&class.subject.cluster.get(), tests)).unwrap_or_default()
}

fn class_report(class: &TestedClass, options: &Options, goals: &Goals<'_>) -> ClassReport {
    let TestedClass { subject, history, test_file, total, .. } = class;
    let file = test_file.on_disk.as_ref();
    let start = history.search_start.unwrap_or_default();
    let search_end = history.search_end.unwrap_or(start);
    let search = search_end.saturating_sub(start + history.between).as_secs_f64();
    let spent = history.spent;
    let last = search_end.max(test_file.written.unwrap_or_default());
    let criteria = goals.by_criterion(&options.criteria);
    let islands = history.islands.iter();
    let islands = islands.map(|&(executions, covered_first)| IslandReport { executions, covered_first });
    ClassReport {
        class: subject.identity.class.binary(),
        // It is put in by the run, which knows.
        module: None,
        file: file.map(|file| file.path.display().to_string()),
        seed: options.seed,
        algorithm: options.algorithm.clone(),
        tests: file.map_or(0, |file| file.printed.tests.len()),
        failing: file.map(|file| file.file.failing_in(&file.printed)).unwrap_or_default(),
        statements: file.map_or(0, |file| file.file.statements_in(&file.printed)),
        islands: islands.collect(),
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
            verify: test_file.verify.as_secs_f64(),
            total: total.as_secs_f64(),
        },
        budget_used: budget_used(class.budget, spent.executions, last),
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
        local_search: history.local_search.iter().map(local_search).collect(),
        symbolic_execution: history.symbolic.clone(),
        losses: goals.losses(),
        open_goals: goals.open_goals(&options.criteria),
        diagnostics: diagnostics(class, &criteria),
        criteria,
    }
}

/// What an operator of local search or a test search did.
fn local_search(tool: &AppliedTool) -> LocalSearchReport {
    let AppliedTool { name, applied } = tool;
    LocalSearchReport {
        name: name.clone(),
        tried: applied.tried,
        improved: applied.improved,
        covered: applied.covered,
        executions: applied.executions,
        seconds: applied.time.as_secs_f64(),
    }
}

/// What the user should know, in the order in which it came up.
fn diagnostics(class: &TestedClass, criteria: &[CriterionReport]) -> Vec<String> {
    let TestedClass { subject, history, test_file, together, .. } = class;
    let found = [&subject.nest.diagnostics, &history.diagnostics, &test_file.diagnostics];
    let without_goals = criteria.iter().filter(|criterion| criterion.goals + criterion.existing == 0);
    let without_goals = without_goals.filter_map(|criterion| no_goals_of(&criterion.name));
    let together = together.iter().map(|note| match note {
        Together::Dropped { how, .. } => format!("together with the other files, a test was dropped: {how}"),
        Together::Unverified(why) => format!("its file was not verified together with the others: {why}"),
    });
    found.into_iter().flatten().cloned().chain(without_goals).chain(together).collect()
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

/// What became of the goals of a class.
struct Goals<'a> {
    subject: &'a Subject,
    /// The tests of the file that are for each.
    tests: BTreeMap<GoalId, TestsOfGoal>,
    /// Those that the file covers.
    delivered: BTreeSet<GoalId>,
    /// How others that were archived were lost.
    account: SuiteAccount,
    /// Why others are open.
    open: BTreeMap<GoalId, OpenGoal>,
    /// When the search covered each first.
    found: &'a BTreeMap<GoalId, Found>,
}

impl<'a> Goals<'a> {
    fn new(class: &'a TestedClass) -> Self {
        let TestedClass { subject, history, test_file, together, .. } = class;
        let file = test_file.on_disk.as_ref();
        let delivered = file.map(|file| file.goals.clone()).unwrap_or_default();
        let open = if history.open_goals.is_empty() && history.archived.len() < subject.goals().len() {
            // No worker came so far as to explain them.
            explain_unsearched(subject, &history.archived)
        } else {
            history.open_goals.clone()
        };
        let account = test_file.account.clone().unwrap_or_else(|| SuiteAccount::new([]));
        Self {
            subject,
            tests: file.map(VerifiedFile::tests).unwrap_or_default(),
            account: settled(account, together, &history.archived, &delivered),
            delivered,
            open: open.into_iter().map(|goal| (goal.goal, goal)).collect(),
            found: &history.found,
        }
    }

    fn losses(&self) -> Losses {
        let account = &self.account;
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
                    goal: self.sentence(goal),
                    stage: loss.stage,
                    cause: loss.cause.kind().to_owned(),
                    detail: loss.cause.to_string(),
                })
                .collect(),
        }
    }

    /// A goal in one sentence.
    fn sentence(&self, goal: GoalId) -> String {
        messages::goal(self.subject.goals().goal(goal), &self.subject.nest.maps)
    }

    /// The goals of these criteria that are not delivered, ascending.
    fn open_goals(&self, asked: &[String]) -> Vec<OpenGoalReport> {
        let goals = self.subject.goals();
        let is_asked = |goal: &GoalId| asked.iter().any(|name| **name == *goals.goal(*goal).criterion);
        let open = goals.ids().filter(|goal| is_asked(goal) && !self.delivered.contains(goal));
        open.map(|id| {
            let goal = goals.goal(id);
            let (why, behind) = match (self.account.loss_of(id), self.open.get(&id)) {
                (Some((_, cause)), _) => (lost(cause), None),
                (None, Some(open)) => (messages::why(&open.reason), open.behind),
                (None, None) => (messages::why(&Reason::Budget(Unfinished::Unknown)), None),
            };
            OpenGoalReport {
                goal: self.sentence(id),
                criterion: goal.criterion.to_string(),
                class: goal.class.binary(),
                method: goal.method.to_string(),
                line: goal.line,
                reason: why.reason.to_owned(),
                cause: why.cause,
                detail: why.detail,
                behind: behind.map(|root| self.sentence(root)),
            }
        })
        .collect()
    }

    /// What became of each goal, in their order, but for those that are the search's alone.
    fn records(&self, asked: &[String]) -> Vec<GoalRecord> {
        let record = |(id, goal): (GoalId, &Goal)| {
            let open = self.open.get(&id);
            let (status, reason) = match (self.delivered.contains(&id), self.account.loss_of(id)) {
                (true, _) => (GoalStatus::Covered, None),
                (false, Some(_)) => (GoalStatus::Lost, Some(messages::LOST)),
                (false, None) => {
                    let unknown = Reason::Budget(Unfinished::Unknown);
                    let reason = open.map_or(&unknown, |open| &open.reason);
                    (GoalStatus::Open, Some(messages::why(reason).reason))
                }
            };
            let TestsOfGoal { covering, killing } = self.tests.get(&id).cloned().unwrap_or_default();
            GoalRecord {
                tests: covering,
                killers: killing,
                fitness: match status {
                    GoalStatus::Covered | GoalStatus::Lost => Some(0.0),
                    GoalStatus::Open | GoalStatus::Existing => open.and_then(|open| open.fitness),
                },
                found: self.found.get(&id).copied(),
                ..self.record(goal, status, reason)
            }
        };
        let goals = self.subject.goals();
        let own = goals.ids().zip(goals.goals()).filter(|(_, goal)| !is_pursued(goal, asked));
        let own = own.map(record);
        let existing = |goal| self.record(goal, GoalStatus::Existing, Some(messages::EXISTING));
        own.chain(self.subject.settled.goals.iter().map(existing)).collect()
    }

    /// What became of a goal for which there is no test of ours.
    fn record(&self, goal: &Goal, status: GoalStatus, reason: Option<&str>) -> GoalRecord {
        GoalRecord {
            id: goal.to_string(),
            goal: messages::goal(goal, &self.subject.nest.maps),
            criterion: goal.criterion.to_string(),
            class: goal.class.binary(),
            method: goal.method.to_string(),
            line: goal.line,
            status,
            tests: Vec::new(),
            killers: Vec::new(),
            fitness: None,
            reason: reason.map(str::to_owned),
            found: None,
        }
    }

    /// How many goals of these criteria there are and how many are delivered.
    fn by_criterion(&self, asked: &[String]) -> Vec<CriterionReport> {
        let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        let all = self.subject.goals();
        for id in all.ids() {
            let (goals, covered) = counts.entry(&all.goal(id).criterion).or_default();
            *goals += 1;
            *covered += usize::from(self.delivered.contains(&id));
        }
        let is_killed = |id: &GoalId| self.tests.get(id).is_some_and(|tests| !tests.killing.is_empty());
        let settled = &self.subject.settled.goals;
        let row = |name: &String| {
            let killed =
                self.delivered.iter().filter(|id| *all.goal(**id).criterion == **name && is_killed(id));
            let (goals, covered) = counts.get(name.as_str()).copied().unwrap_or_default();
            let existing = settled.iter().filter(|goal| *goal.criterion == **name).count();
            CriterionReport { name: name.clone(), goals, covered, existing, killed: killed.count() }
        };
        asked.iter().map(row).collect()
    }
}

/// What became of all `archived` goals, given those of the file and the account of the suite that was verified last.
fn settled(
    mut account: SuiteAccount,
    together: &[Together],
    archived: &[GoalId],
    delivered: &BTreeSet<GoalId>,
) -> SuiteAccount {
    let dropped = together.iter().filter_map(|note| match note {
        Together::Dropped { how, goals } => Some((Cause::FailedTogether(how.clone()), goals.clone())),
        Together::Unverified(_) => None,
    });
    let dropped: Vec<Dropped> = dropped.collect();
    if !dropped.is_empty() {
        let is_dropped = |goal: &GoalId| dropped.iter().any(|(_, goals)| goals.contains(goal));
        let is_left = |goal: &GoalId| delivered.contains(goal) || !is_dropped(goal);
        let left: Vec<GoalId> = account.left().filter(is_left).collect();
        account.close(Stage::Verified, left, &dropped);
    }
    account.settle(archived.iter().copied(), delivered)
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
        cluster: &subject.cluster.get(),
        near_misses: &NearMisses::new(subject.goals().len()),
        executions: 0,
        covered: &archived.iter().map(|goal| goal.index()).collect(),
    };
    explain(facts, None)
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
