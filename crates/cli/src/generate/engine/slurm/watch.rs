//! Waiting for an array. What a shard has left decides; what the cluster says of its tasks tells only of those that leave nothing.

use std::collections::BTreeMap;
use std::thread;
use std::time::Duration;

use testcase::clock::Clock;

use super::cluster::{Answer, Cluster, Job, Standing};
use super::folder::RunFolder;
use crate::console::Console;
use crate::exit_code::ExitCode;
use crate::interrupt::Interrupt;

/// How a shard ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum End {
    /// By itself, with this exit code.
    Code(i32),
    /// Without one, and what the cluster calls that.
    Lost(Option<String>),
}

/// How often it is looked what shards have left.
const LOOK: Duration = Duration::from_secs(1);

/// How often the cluster is asked: it has many users.
const ASK: Duration = Duration::from_secs(10);

/// How long after a task is over what it left may still appear.
const LATE: Duration = Duration::from_secs(2);

/// The same of a task that the cluster only does not name: a second answer must say so.
const UNNAMED: Duration = ASK.saturating_add(LATE);

/// How long tasks that are cancelled are waited for where nobody knows of them: longer than Slurm gives them to end.
const CANCELLED: Duration = Duration::from_mins(1);

impl End {
    /// Whether the shard did what it was asked to, as far as that can be done.
    pub(super) fn is_well(&self) -> bool {
        match self {
            Self::Code(code) => {
                [ExitCode::Success, ExitCode::NotAllWell].iter().any(|well| i32::from(well.number()) == *code)
            }
            Self::Lost(_) => false,
        }
    }

    /// What it means for the command.
    pub(super) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Code(code) => {
                let known = ExitCode::ALL.into_iter().map(|(known, _)| known);
                known
                    .into_iter()
                    .find(|known| i32::from(known.number()) == *code)
                    .unwrap_or(ExitCode::NotAllWell)
            }
            Self::Lost(_) => ExitCode::NotAllWell,
        }
    }
}

/// The shards that have not ended yet.
#[derive(Debug)]
struct Watch {
    /// Since when the cluster says that they are over, and what it calls that.
    open: BTreeMap<usize, Option<(Duration, Option<String>)>>,
}

impl Watch {
    fn new(shards: &[usize]) -> Self {
        Self { open: shards.iter().map(|shard| (*shard, None)).collect() }
    }

    /// The shards that have ended since, by what has been left and what the cluster answered, if it was asked.
    fn look(
        &mut self,
        now: Duration,
        codes: &BTreeMap<usize, i32>,
        answer: Option<&Answer>,
    ) -> Vec<(usize, End)> {
        let mut ended = Vec::new();
        for (shard, over) in &mut self.open {
            if let Some(code) = codes.get(shard) {
                ended.push((*shard, End::Code(*code)));
                continue;
            }
            match answer.map(|answer| answer.of(*shard)) {
                Some(Standing::Over(state)) => {
                    let (_, known) = over.get_or_insert((now, None));
                    *known = state.map(str::to_owned).or(known.take());
                }
                Some(Standing::Awaited) => *over = None,
                None => {}
            }
            if let Some((since, state)) = over
                && now.saturating_sub(*since) >= if state.is_some() { LATE } else { UNNAMED }
            {
                ended.push((*shard, End::Lost(state.clone())));
            }
        }
        for (shard, _) in &ended {
            self.open.remove(shard);
        }
        ended
    }

    /// Gives all shards up that have not ended.
    fn give_up(&mut self) -> Vec<(usize, End)> {
        std::mem::take(&mut self.open).into_keys().map(|shard| (shard, End::Lost(None))).collect()
    }
}

/// What is waited for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Awaited<'a> {
    pub cluster: &'a Cluster,
    pub job: &'a Job,
    pub folder: &'a RunFolder,
    /// Which of the run's arrays it is.
    pub number: u32,
    pub shards: &'a [usize],
}

/// Waits until all shards have ended; `on_end` is told of each. When the user wants an end, all are cancelled. A folder that cannot be
/// read for a while is waited for too.
pub(super) fn wait(
    awaited: Awaited<'_>,
    interrupt: &Interrupt,
    console: &Console,
    on_end: &mut dyn FnMut(usize, End),
) {
    let Awaited { cluster, job, folder, number, shards } = awaited;
    let clock = Clock::start();
    let mut watch = Watch::new(shards);
    let (mut asked, mut cancelled) = (None::<Duration>, None::<Duration>);
    let (mut is_told, mut is_unread_told) = (false, false);
    loop {
        let now = clock.now();
        if interrupt.is_set() && cancelled.is_none() {
            cancelled = Some(now);
            console.note(&format!("job {} is cancelled; what its shards have found stays", job.id));
            if let Err(why) = cluster.cancel(job) {
                console.note(&format!(
                    "job {} cannot be cancelled: {why}; see to it with scancel {}",
                    job.id, job.id
                ));
            }
        }
        let pause = if cancelled.is_some() { LOOK } else { ASK };
        let is_due = asked.is_none_or(|asked| now.saturating_sub(asked) >= pause);
        let answer = is_due.then(|| cluster.states(job));
        if is_due {
            asked = Some(now);
        }
        // After the answer: what a task that is over by then has left is there.
        let codes = folder.codes(number).unwrap_or_else(|error| {
            if !std::mem::replace(&mut is_unread_told, true) {
                console.note(&format!(
                    "what the shards of job {} leave cannot be read: {error}; it is tried again, Ctrl-C ends the wait",
                    job.id
                ));
            }
            BTreeMap::new()
        });
        if let Some(Err(why)) = &answer
            && !is_told
        {
            is_told = true;
            console.note(&format!(
                "job {}: only what its shards leave tells that they have ended, since {why}; Ctrl-C ends the wait",
                job.id
            ));
        }
        let answer = answer.and_then(Result::ok);
        watch.look(now, &codes, answer.as_ref()).into_iter().for_each(|(shard, end)| on_end(shard, end));
        if cancelled.is_some_and(|cancelled| now.saturating_sub(cancelled) >= CANCELLED) {
            watch.give_up().into_iter().for_each(|(shard, end)| on_end(shard, end));
        }
        if watch.open.is_empty() {
            return;
        }
        thread::sleep(LOOK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A second: exit codes that are there, and what the cluster says of tasks where it is asked.
    type Second<'a> = (u64, &'a [(usize, i32)], Option<&'a [(usize, &'a str)]>);

    fn check(shards: &[usize], seconds: &[Second<'_>], expect: &[(u64, usize, End)]) {
        let mut watch = Watch::new(shards);
        let mut ended = Vec::new();
        for &(second, codes, states) in seconds {
            let answer = states.map(|states| Answer {
                states: states.iter().map(|&(task, state)| (task, state.to_owned())).collect(),
                is_whole: true,
            });
            let codes = codes.iter().copied().collect();
            let found = watch.look(Duration::from_secs(second), &codes, answer.as_ref());
            ended.extend(found.into_iter().map(|(shard, end)| (second, shard, end)));
        }
        assert_eq!(ended, expect);
    }

    fn lost(state: &str) -> End {
        End::Lost(Some(state.to_owned()))
    }

    #[test]
    fn what_a_shard_has_left_decides() {
        let codes: &[(usize, i32)] = &[(1, 0), (2, 70)];
        check(
            &[1, 2],
            &[(0, &[], Some(&[(1, "RUNNING")])), (1, codes, Some(&[(1, "FAILED"), (2, "PENDING")]))],
            &[(1, 1, End::Code(0)), (1, 2, End::Code(70))],
        );
        check(
            &[1],
            &[(0, &[], None), (1000, &[], None), (1001, &[(1, 1)], None)],
            &[(1001, 1, End::Code(1))],
        );
    }

    #[test]
    fn what_it_leaves_may_come_late() {
        check(
            &[1],
            &[(0, &[], Some(&[(1, "COMPLETED")])), (1, &[], None), (1, &[(1, 0)], None)],
            &[(1, 1, End::Code(0))],
        );
    }

    #[test]
    fn a_task_that_is_over_and_left_nothing_is_lost() {
        check(
            &[1, 2, 3],
            &[
                (10, &[], Some(&[(1, "TIMEOUT"), (2, "RUNNING")])),
                (11, &[], None),
                (12, &[], None),
                (20, &[], Some(&[(2, "NODE_FAIL")])),
                (22, &[], None),
            ],
            &[(12, 1, lost("TIMEOUT")), (22, 2, lost("NODE_FAIL")), (22, 3, End::Lost(None))],
        );
    }

    #[test]
    fn a_task_that_lives_again_is_waited_for() {
        check(
            &[1],
            &[
                (0, &[], Some(&[(1, "PREEMPTED")])),
                (1, &[], Some(&[(1, "PENDING")])),
                (9, &[], None),
                (10, &[(1, 0)], None),
            ],
            &[(10, 1, End::Code(0))],
        );
    }

    #[test]
    fn classes_without_a_test_are_no_failure_of_their_shard() {
        let check = |end: End, is_well: bool, code: ExitCode| {
            assert_eq!((end.is_well(), end.exit_code()), (is_well, code), "{end:?}");
        };
        check(End::Code(0), true, ExitCode::Success);
        check(End::Code(1), true, ExitCode::NotAllWell);
        check(End::Code(3), false, ExitCode::Input);
        check(End::Code(5), false, ExitCode::Interrupted);
        check(End::Code(127), false, ExitCode::NotAllWell);
        check(lost("TIMEOUT"), false, ExitCode::NotAllWell);
    }
}
