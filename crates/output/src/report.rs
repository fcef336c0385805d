//! What became of the goals on the way from the archive to the delivered file: how many are left at each stage, and
//! why the others are not.

use std::collections::BTreeSet;
use std::fmt;

use coverage::goal::GoalId;
use serde::{Deserialize, Serialize};

/// Stages on the way, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Minimization runs every archived test again.
    #[default]
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
    /// The suite as a whole, run one test after the other, does not cover it: its test does so alone, or behind certain
    /// other tests.
    OrderDependent,
    /// Its test ends alike with its mutant, and no assertion that could be made of it fails.
    Survived,
    /// Neither structure nor a mutant depends on its test, which a compact suite leaves out.
    LeftOut,
    /// No time was left to run its test again.
    OutOfTime,
    /// Its test cannot be written in Java: why.
    Unprintable(String),
    /// `javac` refuses its test: what it says.
    NotCompiled(String),
    /// Its test fails in a plain JVM: how, as what it did.
    Failed(String),
    /// Its test passes in one run and fails in another.
    Unstable,
    /// Its test passes alone and fails beside the files of other classes: how, as what it did.
    FailedTogether(String),
    /// Its test passed, and another suite with more goals is the one that is delivered.
    NotDelivered,
    /// No test that was dropped accounts for it.
    Unexplained,
}

impl Cause {
    /// A name for the kind of cause.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::NotReproduced => "not_reproduced",
            Self::TimedOut => "timed_out",
            Self::Exited => "exited",
            Self::JvmError => "jvm_error",
            Self::Touched => "touched",
            Self::OrderDependent => "order_dependent",
            Self::Survived => "survived",
            Self::LeftOut => "left_out",
            Self::OutOfTime => "out_of_time",
            Self::Unprintable(_) => "unprintable",
            Self::NotCompiled(_) => "not_compiled",
            Self::Failed(_) => "failed",
            Self::Unstable => "unstable",
            Self::FailedTogether(_) => "failed_together",
            Self::NotDelivered => "not_delivered",
            Self::Unexplained => "unexplained",
        }
    }
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
            Self::OrderDependent => formatter
                .write_str("its test covers it only in a certain order of tests, through static state"),
            Self::Survived => formatter.write_str("no assertion of its test kills its mutant"),
            Self::LeftOut => formatter.write_str(
                "a compact suite leaves its test out, since no line, branch or mutant depends on it (--suite complete keeps it)",
            ),
            Self::OutOfTime => formatter.write_str("no time was left for its test"),
            Self::Unprintable(why) => write!(formatter, "its test cannot be written in Java: {why}"),
            Self::NotCompiled(what) => write!(formatter, "javac refuses its test: {what}"),
            Self::Failed(how) => write!(formatter, "its test {how}"),
            Self::Unstable => formatter.write_str("its test does not always pass"),
            Self::FailedTogether(how) => {
                write!(formatter, "beside the files of other classes its test {how}")
            }
            Self::NotDelivered => formatter.write_str("the file of another suite was delivered"),
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
    /// The goals, ascending.
    pub goals: Vec<GoalId>,
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
    pub fn close(&mut self, stage: Stage, surviving: impl IntoIterator<Item = GoalId>, dropped: &[Dropped]) {
        let surviving: BTreeSet<GoalId> = surviving.into_iter().collect();
        let lost: Vec<GoalId> = self.left.difference(&surviving).copied().collect();
        for goal in lost {
            self.left.remove(&goal);
            let cause = dropped.iter().find(|(_, covered)| covered.contains(&goal));
            let cause = cause.map_or(Cause::Unexplained, |(cause, _)| cause.clone());
            self.charge(stage, cause, goal);
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

    fn charge(&mut self, stage: Stage, cause: Cause, goal: GoalId) {
        match self.losses.iter_mut().find(|loss| loss.stage == stage && loss.cause == cause) {
            Some(loss) => loss.goals.push(goal),
            None => self.losses.push(Loss { stage, cause, goals: vec![goal] }),
        }
    }

    /// Stage and cause by which a goal was lost.
    pub fn loss_of(&self, goal: GoalId) -> Option<(Stage, &Cause)> {
        let loss = self.losses.iter().find(|loss| loss.goals.binary_search(&goal).is_ok());
        loss.map(|loss| (loss.stage, &loss.cause))
    }

    /// The account of what was delivered in the end, out of that of a suite: `archived` is all that was ever archived,
    /// and `delivered` are the goals of the file. A goal that the file of another suite covers is not lost; one that
    /// was archived when there was no time for another suite is lost by that.
    pub fn settle(
        &self,
        archived: impl IntoIterator<Item = GoalId>,
        delivered: &BTreeSet<GoalId>,
    ) -> SuiteAccount {
        let mut settled = Self::new(archived);
        let lost: Vec<GoalId> = settled.left.difference(delivered).copied().collect();
        for &goal in &lost {
            let (stage, cause) = match self.loss_of(goal) {
                Some((stage, cause)) => (stage, cause.clone()),
                // The suite that was verified had it, but an earlier one is on disk, or none.
                None if self.left.contains(&goal) => (Stage::Verified, Cause::NotDelivered),
                None => (Stage::Minimized, Cause::OutOfTime),
            };
            settled.left.remove(&goal);
            settled.charge(stage, cause, goal);
        }
        let lost_up_to = |stage: Stage| {
            settled
                .losses
                .iter()
                .filter(|loss| loss.stage <= stage)
                .map(|loss| loss.goals.len())
                .sum::<usize>()
        };
        (settled.minimized, settled.compiled, settled.verified) = (
            settled.archived - lost_up_to(Stage::Minimized),
            settled.archived - lost_up_to(Stage::Compiled),
            settled.archived - lost_up_to(Stage::Verified),
        );
        settled
    }

    /// Takes over what an earlier account says of goals that this one does not know.
    pub fn inherit(&mut self, earlier: &SuiteAccount) {
        let known: BTreeSet<GoalId> =
            self.losses.iter().flat_map(|loss| loss.goals.iter().copied()).collect();
        for loss in &earlier.losses {
            let is_new = |goal: &&GoalId| !known.contains(goal) && !self.left.contains(goal);
            let new: Vec<GoalId> = loss.goals.iter().filter(is_new).copied().collect();
            for goal in new {
                self.charge(loss.stage, loss.cause.clone(), goal);
            }
        }
        for loss in &mut self.losses {
            loss.goals.sort_unstable();
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
    use super::*;

    fn ids(ids: &[u32]) -> Vec<GoalId> {
        ids.iter().copied().map(GoalId).collect()
    }

    #[test]
    fn every_lost_goal_is_charged_once() {
        let mut account = SuiteAccount::new((0..5).map(GoalId));
        account.close(Stage::Minimized, ids(&[0, 1, 2, 3]), &[(Cause::TimedOut, ids(&[3, 4]))]);
        account.close(Stage::Compiled, ids(&[0, 1, 2, 3, 4]), &[]);
        account.close(Stage::Verified, ids(&[1]), &[(Cause::Unstable, ids(&[0, 1, 2]))]);
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
        assert_eq!(account.losses[0].goals, ids(&[4]));
        assert_eq!(account.loss_of(GoalId(2)), Some((Stage::Verified, &Cause::Unstable)));
        assert_eq!(account.loss_of(GoalId(1)), None);
        assert_eq!(account.left().collect::<Vec<_>>(), [GoalId(1)]);
        assert!((account.lost_share() - 0.8).abs() < 1e-12);
    }

    #[test]
    fn an_addition_knows_what_was_lost_before_it() {
        let mut earlier = SuiteAccount::new(ids(&[0, 1, 2, 3]));
        earlier.close(Stage::Minimized, ids(&[0, 2]), &[(Cause::TimedOut, ids(&[1, 3]))]);
        let mut account = SuiteAccount::new(ids(&[0, 1, 4, 5]));
        account.close(Stage::Minimized, ids(&[0, 1, 5]), &[(Cause::TimedOut, ids(&[4]))]);
        account.inherit(&earlier);
        let causes: Vec<_> =
            (0..6).map(|goal| account.loss_of(GoalId(goal)).map(|(_, cause)| cause.kind())).collect();
        assert_eq!(causes, [None, None, None, Some("timed_out"), Some("timed_out"), None]);
    }

    #[test]
    fn what_counts_in_the_end_is_the_file() {
        let mut account = SuiteAccount::new(ids(&[0, 1, 2, 3]));
        account.close(Stage::Minimized, ids(&[0, 1, 2]), &[(Cause::TimedOut, ids(&[3]))]);
        account.close(Stage::Compiled, ids(&[0, 1]), &[(Cause::Unstable, ids(&[2]))]);
        let check =
            |archived: &[u32], delivered: &[u32], counts: [usize; 4], lost: &[(u32, Stage, Cause)]| {
                let settled = account.settle(ids(archived), &ids(delivered).into_iter().collect());
                assert_eq!([settled.archived, settled.minimized, settled.compiled, settled.verified], counts);
                let losses: Vec<_> = (0..9)
                    .filter_map(|goal| {
                        settled.loss_of(GoalId(goal)).map(|(stage, cause)| (goal, stage, cause.clone()))
                    })
                    .collect();
                assert_eq!(losses, lost);
            };
        let (minimized, compiled) =
            ((3, Stage::Minimized, Cause::TimedOut), (2, Stage::Compiled, Cause::Unstable));
        check(&[0, 1, 2, 3], &[0, 1], [4, 3, 2, 2], &[compiled.clone(), minimized.clone()]);
        // An earlier suite has the third goal.
        check(&[0, 1, 2, 3], &[0, 1, 2], [4, 3, 3, 3], std::slice::from_ref(&minimized));
        // A fifth was archived too late; the suite with the first is not the one on disk.
        let late = (4, Stage::Minimized, Cause::OutOfTime);
        let other = (0, Stage::Verified, Cause::NotDelivered);
        check(&[0, 1, 2, 3, 4], &[1], [5, 3, 2, 1], &[other, compiled, minimized, late]);
    }
}
