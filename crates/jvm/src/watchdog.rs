//! The watchdog: ends executions that take too long.
//!
//! What counts is the time that the process could make use of ([`processes::meter`]) and what it had of the processors, so that
//! a loaded machine ends nothing that an idle one does not. An execution that makes next to no use of it waits for what
//! does not come, and is not given more than the limit of a brief one.
//!
//! Steps end nearly everything. What has none (the JDK's own loops, a regular expression gone wild) meets three
//! measures, one after the other: the flag at which probes stop, an exception thrown into the thread, and the end
//! of the process, which the parent answers with a new one.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use processes::meter::{Meter, Spent};

use crate::agent::Agent;
use crate::error::JvmError;
use crate::jni::Global;
use crate::process::Process;
use crate::runtime::Stop;
use crate::vm::Invocation;

/// Exit codes of a process whose JVM cannot go on. The parent starts another one, without the test that ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum Exit {
    /// An execution could not be ended.
    Stuck = 92,
    /// The code under test ended the JVM on a way that no probe stands on.
    Halted = 93,
    /// The JVM may be damaged, and another process should go on.
    Tainted = 94,
}

/// Ends the process without running exit handlers: the JVM's would wait for threads that may never end.
pub fn leave_process(code: i32) -> ! {
    // SAFETY: it takes any number and does not return.
    unsafe { libc::_exit(code) }
}

/// Ends a process whose JVM cannot go on.
pub fn leave(exit: Exit) -> ! {
    leave_process(exit as i32)
}

/// What the watchdog and the thread that runs tests share.
#[derive(Debug, Default)]
struct Shared {
    /// Number of the execution that runs, 0 between executions.
    execution: AtomicU64,
    /// Set while the watchdog looks at the number and acts on it.
    acting: AtomicBool,
    /// Number of the execution that an exception was thrown into.
    thrown_into: AtomicU64,
    /// Number of the execution that the flag was raised for.
    flagged: AtomicU64,
    /// Limits that the execution has.
    patience: AtomicU32,
    /// The limit in microseconds.
    limit: AtomicU64,
}

/// Watches over executions.
#[derive(Debug)]
pub(crate) struct Watchdog {
    shared: Arc<Shared>,
    executions: u64,
    initializers: u32,
}

/// How a watched execution ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Watched {
    /// On its own, or by its steps.
    Ended,
    /// It had used up its time, and stopped at a probe.
    Flagged,
    /// An exception was thrown into the thread. It may still be pending, and may have hit the JDK in the middle of
    /// something.
    ThrownInto,
}

/// How long the watchdog waits before it acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Patience {
    /// The limit.
    Short,
    /// For runs that are logged: steps take many times as long, and a run that waits is to be ended all the same.
    Logged,
    /// For class initializers: their steps take part of it, and one that is cut short loses its class.
    Medium,
    /// For all steps there are: they alone may take a good part of it, and must be what ends the run.
    Long,
}

/// Limits that an execution has which is logged.
const LOGGED: u32 = 2;

/// Limits that an execution with all steps has.
const LONG: u32 = 10;

/// An execution that had less than this part of the time on a processor waits.
const IDLE: u32 = 16;

/// Times its limit that an execution may take, however little use it makes of the time.
const SLOW: u32 = 4;

/// Whether an execution with so many limits has had them.
fn is_over(spent: Spent, limit: Duration, patience: u32) -> bool {
    let Spent { usable, processor } = spent;
    let allowed = limit * patience;
    (usable >= limit && processor * IDLE <= usable)
        || usable.min(processor) >= allowed
        || usable >= allowed * SLOW
}

/// What the watchdog works with.
#[derive(Debug)]
pub(crate) struct Means {
    /// To attach its thread.
    pub(crate) invocation: Invocation,
    /// To throw into the thread.
    pub(crate) agent: Agent,
    /// What ends a run.
    pub(crate) stop: Stop,
    /// The thread that runs tests.
    pub(crate) test_thread: Global,
    /// Limit of one execution.
    pub(crate) limit: Duration,
    /// Limits that class initializers have.
    pub(crate) initializers: u32,
    /// Time spent loading classes that does not count, in each execution: it is spent once.
    pub(crate) loading: Duration,
    /// Time for each measure to work.
    pub(crate) grace: Duration,
}

impl Watchdog {
    /// Starts watching.
    pub(crate) fn start(means: Means) -> Result<Self, JvmError> {
        let shared = Arc::new(Shared::default());
        let initializers = means.initializers;
        shared.set_limit(means.limit);
        let watched = Arc::clone(&shared);
        let (attached, wait) = mpsc::channel();
        std::thread::Builder::new()
            .name("watchdog".into())
            .spawn(move || watch(&watched, &means, &attached))
            .map_err(|reason| JvmError::System { what: "the watchdog did not start", reason })?;
        // Its thread must be one of the JVM's before tests start threads of their own.
        let _ = wait.recv();
        Ok(Self { shared, executions: 0, initializers })
    }

    /// From now on this is the limit of an execution.
    pub(crate) fn set_limit(&self, limit: Duration) {
        self.shared.set_limit(limit);
    }

    /// An execution begins.
    pub(crate) fn begin(&mut self, patience: Patience) {
        self.executions += 1;
        let limits = match patience {
            Patience::Short => 1,
            Patience::Logged => LOGGED,
            Patience::Medium => self.initializers,
            Patience::Long => LONG,
        };
        self.shared.patience.store(limits, SeqCst);
        self.shared.execution.store(self.executions, SeqCst);
    }

    /// The execution ends. From here on the watchdog does nothing to it any more.
    pub(crate) fn end(&mut self) -> Watched {
        self.shared.execution.store(0, SeqCst);
        // Either the watchdog sees the 0, or this sees that it is acting and waits.
        while self.shared.acting.load(SeqCst) {
            std::thread::yield_now();
        }
        if self.shared.thrown_into.load(SeqCst) == self.executions {
            Watched::ThrownInto
        } else if self.shared.flagged.load(SeqCst) == self.executions {
            Watched::Flagged
        } else {
            Watched::Ended
        }
    }
}

impl Shared {
    fn set_limit(&self, limit: Duration) {
        self.limit.store(u64::try_from(limit.as_micros()).unwrap_or(u64::MAX), SeqCst);
    }

    fn limit(&self) -> Duration {
        Duration::from_micros(self.limit.load(SeqCst))
    }

    /// Does something to an execution, unless it has ended.
    fn act(&self, execution: u64, act: impl FnOnce()) {
        self.acting.store(true, SeqCst);
        if self.execution.load(SeqCst) == execution {
            act();
        }
        self.acting.store(false, SeqCst);
    }
}

/// Time of an execution in which classes were loaded: those are there the next time.
#[derive(Debug)]
struct Loading {
    /// How much of it does not count.
    most: Spent,
    /// Classes loaded until the last look, and what was spent.
    loaded: u32,
    before: Spent,
    /// What does not count.
    forgiven: Spent,
}

impl Loading {
    fn new(most: Duration, loaded: u32) -> Self {
        let most = Spent { usable: most, processor: most };
        Self { most, loaded, before: Spent::default(), forgiven: Spent::default() }
    }

    /// What counts of what an execution has spent, given the classes loaded by now.
    fn take_off(&mut self, spent: Spent, loaded: u32) -> Spent {
        if std::mem::replace(&mut self.loaded, loaded) != loaded {
            let since = spent.without(self.before);
            let forgiven = &mut self.forgiven;
            forgiven.usable = (forgiven.usable + since.usable).min(self.most.usable);
            forgiven.processor = (forgiven.processor + since.processor).min(self.most.processor);
        }
        self.before = spent;
        spent.without(self.forgiven)
    }
}

fn watch(shared: &Shared, means: &Means, attached: &mpsc::Sender<()>) {
    let Some(env) = means.invocation.attach() else { leave(Exit::Stuck) };
    // Nobody waits any more only when the start has failed.
    let _ = attached.send(());
    let period = || (shared.limit() / 4).min(means.grace).max(Duration::from_millis(1));
    let meter = || Meter::of_this_process(period());
    let loaded = || Process::get().map_or(0, |process| process.transformer.loaded());
    let (mut seen, mut since, mut measures) = (0, meter(), 0);
    let mut loading = Loading::new(means.loading, loaded());
    loop {
        std::thread::sleep(period());
        let execution = shared.execution.load(SeqCst);
        if execution == 0 || execution != seen {
            (seen, since, measures) = (execution, meter(), 0);
            loading = Loading::new(means.loading, loaded());
            continue;
        }
        let spent = since.look();
        let is_over = match measures {
            0 => is_over(loading.take_off(spent, loaded()), shared.limit(), shared.patience.load(SeqCst)),
            _ => is_over(spent, means.grace, 1),
        };
        if !is_over {
            continue;
        }
        shared.act(execution, || match measures {
            0 => {
                means.stop.set(env);
                shared.flagged.store(execution, SeqCst);
            }
            1 => {
                means.agent.stop_thread(means.test_thread, means.stop.exception());
                shared.thrown_into.store(execution, SeqCst);
            }
            _ => leave(Exit::Stuck),
        });
        (since, measures) = (meter(), measures + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_counts_is_time_that_could_be_used() {
        let check = |usable, processor, patience: u32, expect| {
            let spent =
                Spent { usable: Duration::from_millis(usable), processor: Duration::from_millis(processor) };
            assert_eq!(is_over(spent, Duration::from_secs(1), patience), expect, "{spent:?}");
        };
        check(999, 999, 1, false);
        check(1000, 1000, 1, true);
        check(2000, 999, 1, false);
        check(500, 1000, 1, false);
        check(4000, 999, 1, true);
        check(9999, 9999, LONG, false);
        check(10_000, 10_000, LONG, true);
        // Waiting for what does not come.
        check(999, 0, LONG, false);
        check(1000, 60, LONG, true);
        check(1000, 70, LONG, false);
    }

    #[test]
    fn time_in_which_classes_were_loaded_does_not_count_up_to_a_bound() {
        let spent = |usable, processor| Spent {
            usable: Duration::from_millis(usable),
            processor: Duration::from_millis(processor),
        };
        let mut loading = Loading::new(Duration::from_millis(500), 70);
        let mut check = |usable, loaded, expect| {
            assert_eq!(loading.take_off(spent(usable, usable), loaded), spent(expect, expect), "{usable}");
        };
        check(100, 70, 100);
        check(300, 80, 100);
        check(400, 80, 200);
        // Who loads classes without end is not waited for.
        check(800, 90, 300);
        check(900, 91, 400);
    }
}
