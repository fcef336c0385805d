//! Threads that a test leaves behind: they are asked to end, and given up when they do not. One that waits harms nobody.
//! One that goes on computing does: it would take the user's build its time, so its test is of no use.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::time::Duration;

use crate::agent::Agent;
use crate::jdk::Jdk;
use crate::jni::{Env, FieldId, Kind, MethodId, Ref};
use crate::pools::{Emptied, Pools};
use crate::runtime::{Stop, describe_pending};

/// How often it is looked whether threads have ended: for some 20 ms, since most end at once.
const LOOKS: u32 = 24;
/// The pause behind the first look; each further one is twice as long.
const SHORTEST_PAUSE: Duration = Duration::from_micros(50);
/// The longest pause between two looks.
const LONGEST_PAUSE: Duration = Duration::from_millis(1);

/// Behind so many looks those that are still there are asked again: what a pool repeats is put back into its queue when it is done, which
/// may have been behind the moment in which that was emptied.
const LOOKS_UNTIL_ASKED: u32 = 6;

/// How often it is looked before whether those that run have ended or wait by themselves: much longer than what a test
/// gives them to do takes, on a busy machine too.
const LOOKS_AT_RUNNING: u32 = 204;

/// Threads given up after which the process is spent: they take time from every later test.
const MOST_GIVEN_UP: usize = 64;

/// Knows the threads that belong to nobody's test.
#[derive(Debug)]
pub(crate) struct Threads {
    /// The ids of those of the JVM, and of those given up. No two threads of a process have the same.
    known: BTreeSet<i64>,
    /// Where a thread keeps its id. A JDK that keeps it elsewhere has its threads left alone.
    id: Option<FieldId>,
    given_up: usize,
    interrupt: Option<MethodId>,
    /// Looked up when a test first leaves a thread behind.
    pools: OnceCell<Option<Pools>>,
}

/// Waits between a look and the next one.
fn pause(look: u32) {
    std::thread::sleep(SHORTEST_PAUSE.saturating_mul(1 << look.min(8)).min(LONGEST_PAUSE));
}

impl Threads {
    /// All threads there are now belong to the JVM.
    pub(crate) fn new(env: Env<'_>, jdk: &Jdk, agent: Agent) -> Self {
        let class = jdk.thread_class.get();
        let interrupt = env.method(class, "interrupt", "()V").inspect_err(|_| env.clear()).ok();
        let id = env.field(class, "tid", "J").inspect_err(|_| env.clear()).ok();
        let mut threads = Self { known: BTreeSet::new(), id, given_up: 0, interrupt, pools: OnceCell::new() };
        threads.known = threads.unknown(env, agent).into_iter().map(|(_, id)| id).collect();
        threads
    }

    /// Ends what a test left behind: probes stop, waits are interrupted, pools let idle threads go. Gives whether some of it ran on
    /// and on.
    pub(crate) fn end(&mut self, env: Env<'_>, agent: Agent, jdk: &Jdk, stop: Stop) -> bool {
        // Nothing is learned of the threads of a run that was cut short.
        let mut runs = !stop.is_set(env) && self.has_running(env, agent);
        for look in 0..LOOKS_AT_RUNNING {
            if !runs {
                break;
            }
            pause(look);
            runs = self.has_running(env, agent);
        }
        let left = env.frame(64, |env| {
            let left = self.unknown(env, agent);
            if left.is_empty() {
                return Vec::new();
            }
            let pools = self.pools.get_or_init(|| Pools::find(env, jdk)).as_ref();
            let threads: Vec<Ref<'_>> = left.iter().map(|(thread, _)| *thread).collect();
            let emptied: Vec<Emptied<'_>> = pools.map(|pools| pools.empty(env, &threads)).unwrap_or_default();
            stop.set(env);
            let interrupt = || threads.iter().for_each(|thread| self.interrupt(env, *thread));
            interrupt();
            let left = self.left_in_the_end(env, agent, &|| {
                if let Some(pools) = pools {
                    pools.drop_work(env, &emptied);
                }
                interrupt();
            });
            if let Some(pools) = pools {
                pools.put_back(env, &emptied);
            }
            left
        });
        self.given_up += left.len();
        self.known.extend(left);
        runs
    }

    /// The ids of those that do not end although they were asked to, several times.
    fn left_in_the_end(&self, env: Env<'_>, agent: Agent, ask_again: &dyn Fn()) -> Vec<i64> {
        let left = || -> Vec<i64> {
            env.frame(64, |env| self.unknown(env, agent).into_iter().map(|(_, id)| id).collect())
        };
        for look in 0..LOOKS {
            if left().is_empty() {
                return Vec::new();
            }
            pause(look);
            if look % LOOKS_UNTIL_ASKED == LOOKS_UNTIL_ASKED - 1 {
                ask_again();
            }
        }
        left()
    }

    fn has_running(&self, env: Env<'_>, agent: Agent) -> bool {
        env.frame(64, |env| self.unknown(env, agent).iter().any(|(thread, _)| agent.is_runnable(*thread)))
    }

    /// Whether no thread lives that a test started, once all that it left behind were to end.
    pub(crate) fn has_ended_all(&self) -> bool {
        self.given_up == 0
    }

    /// Whether so many threads were given up that the process should be replaced.
    pub(crate) fn are_too_many(&self) -> bool {
        self.given_up > MOST_GIVEN_UP
    }

    /// The threads of a test, with their ids.
    fn unknown<'f>(&self, env: Env<'f>, agent: Agent) -> Vec<(Ref<'f>, i64)> {
        let Some(id) = self.id else { return Vec::new() };
        // SAFETY: the field is one of every thread, and a `long`.
        let id_of = |thread: Ref<'f>| unsafe { env.get(thread, id, Kind::Long).j };
        let threads = agent.threads(env).into_iter().map(|thread| (thread, id_of(thread)));
        threads.filter(|(_, id)| !self.known.contains(id)).collect()
    }

    fn interrupt(&self, env: Env<'_>, thread: Ref<'_>) {
        let Some(interrupt) = self.interrupt else { return };
        // SAFETY: a thread's method that takes and returns nothing; it may be overridden and throw.
        if unsafe { env.call(thread, interrupt, &[], None) }.is_err() {
            tracing::debug!(exception = describe_pending(env), "a thread refused to be interrupted");
        }
    }
}
