//! What became of the goals on the way from the archive to the delivered file: how many are left at each stage, and
//! why the others are not.

use std::collections::BTreeSet;
use std::fmt;

use coverage::goal::{GoalId, GoalSet};
use serde::{Deserialize, Serialize};

/// Stages on the way, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Stage {
    /// Minimization runs every archived test again.
    Minimized,
    /// Printing and compiling.
    Compiled,
    /// Running in plain JVMs.
    Verified,
}

/// Why a goal was lost.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Cause {
    /// Run again, no archived test covers it.
    NotReproduced,
    /// Run again, its test ran into a limit.
    TimedOut,
    /// Its test tried to end the JVM.
    Exited,
    /// Its test ends in an error of the JVM itself (stack, memory, linkage), which depends on the machine.
    JvmError,
    /// Its test touched files, processes, sockets or the environment.
    Touched,
    /// No time was left to run its test again.
    OutOfTime,
    /// Its test cannot be written in Java: why.
    Unprintable(String),
    /// `javac` refuses its test: what it says.
    NotCompiled(String),
    /// Its test fails in a plain JVM: how.
    Failed(String),
    /// Its test passes in one run and fails in another.
    Unstable,
    /// No test that was dropped accounts for it.
    Unexplained,
}

impl fmt::Display for Cause {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotReproduced => formatter.write_str("its test no longer covers it"),
            Self::TimedOut => formatter.write_str("its test ran into a limit"),
            Self::Exited => formatter.write_str("its test tried to end the JVM"),
            Self::JvmError => formatter.write_str("its test ends in an error of the JVM"),
            Self::Touched => {
                formatter.write_str("its test touched files, processes, sockets or the environment")
            }
            Self::OutOfTime => formatter.write_str("no time was left for its test"),
            Self::Unprintable(why) => write!(formatter, "its test cannot be written in Java: {why}"),
            Self::NotCompiled(what) => write!(formatter, "javac refuses its test: {what}"),
            Self::Failed(how) => write!(formatter, "its test fails in a plain JVM: {how}"),
            Self::Unstable => formatter.write_str("its test does not always pass"),
            Self::Unexplained => formatter.write_str("unexplained"),
        }
    }
}

/// Goals lost at one stage for one cause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loss {
    /// The stage that did not keep them.
    pub stage: Stage,
    /// Why.
    pub cause: Cause,
    /// Names of the goals, in the order of their numbers.
    pub goals: Vec<String>,
}

/// The account of one suite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuiteAccount {
    /// Goals that the search archived.
    pub archived: usize,
    /// Goals that the minimized suite covers, of those.
    pub minimized: usize,
    /// Goals that the tests that compile cover, of those.
    pub compiled: usize,
    /// Goals that the delivered tests cover, of those.
    pub verified: usize,
    /// What was lost, by stage and cause.
    pub losses: Vec<Loss>,
    #[serde(skip)]
    left: BTreeSet<GoalId>,
}

/// Something that was dropped at a stage: why, and the goals that it covered.
pub type Dropped = (Cause, Vec<GoalId>);

impl SuiteAccount {
    /// Opens the account with the goals of the archive.
    pub fn new(archived: impl IntoIterator<Item = GoalId>) -> Self {
        let left: BTreeSet<GoalId> = archived.into_iter().collect();
        let count = left.len();
        Self { archived: count, minimized: count, compiled: count, verified: count, losses: Vec::new(), left }
    }

    /// Closes a stage: `surviving` are the goals that what came through it covers. A goal that did not come through
    /// is charged to the first entry of `dropped` that covered it.
    pub fn close(
        &mut self,
        stage: Stage,
        goals: &GoalSet,
        surviving: impl IntoIterator<Item = GoalId>,
        dropped: &[Dropped],
    ) {
        let surviving: BTreeSet<GoalId> = surviving.into_iter().collect();
        let lost: Vec<GoalId> = self.left.difference(&surviving).copied().collect();
        for goal in lost {
            self.left.remove(&goal);
            let cause = dropped.iter().find(|(_, covered)| covered.contains(&goal));
            let cause = cause.map_or(Cause::Unexplained, |(cause, _)| cause.clone());
            self.charge(stage, cause, goals.goal(goal).to_string());
        }
        let count = self.left.len();
        if stage <= Stage::Minimized {
            self.minimized = count;
        }
        if stage <= Stage::Compiled {
            self.compiled = count;
        }
        self.verified = count;
    }

    fn charge(&mut self, stage: Stage, cause: Cause, goal: String) {
        match self.losses.iter_mut().find(|loss| loss.stage == stage && loss.cause == cause) {
            Some(loss) => loss.goals.push(goal),
            None => self.losses.push(Loss { stage, cause, goals: vec![goal] }),
        }
    }

    /// Goals that are still covered, ascending.
    pub fn left(&self) -> impl Iterator<Item = GoalId> + '_ {
        self.left.iter().copied()
    }

    /// Share of the archived goals that were lost, 0 to 1.
    pub fn lost_share(&self) -> f64 {
        if self.archived == 0 { 0.0 } else { (self.archived - self.verified) as f64 / self.archived as f64 }
    }
}

#[cfg(test)]
mod tests {
    use bytecode::name::ClassName;
    use bytecode::probe_map::ProbeId;
    use coverage::goal::{Goal, GoalKind};

    use super::*;

    fn goals(count: u32) -> GoalSet {
        let goal = |line| Goal {
            criterion: "line".into(),
            class: ClassName::new("p/Foo"),
            hash: 0,
            method: "f()V".into(),
            kind: GoalKind::Line(line),
            entry: ProbeId(0),
            outcome: None,
            covered_by: Vec::new(),
            controlled_by: Vec::new(),
        };
        GoalSet::new((0..count).map(goal).collect())
    }

    #[test]
    fn every_lost_goal_is_charged_once() {
        let goals = goals(5);
        let mut account = SuiteAccount::new((0..5).map(GoalId));
        let ids = |ids: &[u32]| -> Vec<GoalId> { ids.iter().copied().map(GoalId).collect() };
        account.close(Stage::Minimized, &goals, ids(&[0, 1, 2, 3]), &[(Cause::TimedOut, ids(&[3, 4]))]);
        account.close(Stage::Compiled, &goals, ids(&[0, 1, 2, 3, 4]), &[]);
        account.close(Stage::Verified, &goals, ids(&[1]), &[(Cause::Unstable, ids(&[0, 1, 2]))]);
        assert_eq!((account.archived, account.minimized, account.compiled, account.verified), (5, 4, 4, 1));
        let charged: Vec<(Stage, &Cause, usize)> =
            account.losses.iter().map(|loss| (loss.stage, &loss.cause, loss.goals.len())).collect();
        assert_eq!(
            charged,
            [
                (Stage::Minimized, &Cause::TimedOut, 1),
                (Stage::Verified, &Cause::Unstable, 2),
                (Stage::Verified, &Cause::Unexplained, 1),
            ]
        );
        assert_eq!(account.losses[0].goals, ["line p/Foo#f()V@line4"]);
        assert_eq!(account.left().collect::<Vec<_>>(), [GoalId(1)]);
        assert!((account.lost_share() - 0.8).abs() < 1e-12);
    }
}
