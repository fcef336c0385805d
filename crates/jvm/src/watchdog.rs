//! The watchdog: ends executions that take too long on the wall clock.
//!
//! Steps end nearly everything. What has none (the JDK's own loops, a regular expression gone wild) meets three
//! measures, one after the other: the flag at which probes stop, an exception thrown into the thread, and the end
//! of the process, which the parent answers with a new one.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use crate::agent::Agent;
use crate::error::JvmError;
use crate::jni::Global;
use crate::runtime::Stop;
use crate::vm::Invocation;
use crate::wall_clock::Stopwatch;

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
    /// Whether the execution has a multiple of the limit.
    is_patient: AtomicBool,
}

/// Watches over executions.
#[derive(Debug)]
pub(crate) struct Watchdog {
    shared: Arc<Shared>,
    executions: u64,
}

/// How a watched execution ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Watched {
    /// On its own, or by the flag.
    Ended,
    /// An exception was thrown into the thread. It may still be pending, and may have hit the JDK in the middle of
    /// something.
    ThrownInto,
}

/// How long the watchdog waits before it acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Patience {
    /// The limit.
    Short,
    /// Ten times the limit: the steps alone may take a good part of it, and must be what ends the run whatever else
    /// the machine does.
    Long,
}

/// Limits that a patient watchdog waits.
const LONG: u32 = 10;

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
    /// Time for each measure to work.
    pub(crate) grace: Duration,
}

impl Watchdog {
    /// Starts watching.
    pub(crate) fn start(means: Means) -> Result<Self, JvmError> {
        let shared = Arc::new(Shared::default());
        let watched = Arc::clone(&shared);
        let (attached, wait) = mpsc::channel();
        std::thread::Builder::new()
            .name("watchdog".into())
            .spawn(move || watch(&watched, &means, &attached))
            .map_err(|reason| JvmError::System { what: "the watchdog did not start", reason })?;
        // Its thread must be one of the JVM's before tests start threads of their own.
        let _ = wait.recv();
        Ok(Self { shared, executions: 0 })
    }

    /// An execution begins.
    pub(crate) fn begin(&mut self, patience: Patience) {
        self.executions += 1;
        self.shared.is_patient.store(patience == Patience::Long, SeqCst);
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
        } else {
            Watched::Ended
        }
    }
}

impl Shared {
    /// Does something to an execution, unless it has ended.
    fn act(&self, execution: u64, act: impl FnOnce()) {
        self.acting.store(true, SeqCst);
        if self.execution.load(SeqCst) == execution {
            act();
        }
        self.acting.store(false, SeqCst);
    }
}

fn watch(shared: &Shared, means: &Means, attached: &mpsc::Sender<()>) {
    let Some(env) = means.invocation.attach() else { leave(Exit::Stuck) };
    // Nobody waits any more only when the start has failed.
    let _ = attached.send(());
    let period = (means.limit / 4).max(Duration::from_millis(1));
    let (mut seen, mut since, mut measures) = (0, Stopwatch::start(), 0);
    loop {
        std::thread::sleep(period.min(means.grace.max(Duration::from_millis(1))));
        let execution = shared.execution.load(SeqCst);
        if execution == 0 || execution != seen {
            (seen, since, measures) = (execution, Stopwatch::start(), 0);
            continue;
        }
        let elapsed = since.elapsed();
        let limit = means.limit * if shared.is_patient.load(SeqCst) { LONG } else { 1 };
        if measures == 0 && elapsed >= limit {
            shared.act(execution, || means.stop.set(env));
            measures = 1;
        } else if measures == 1 && elapsed >= limit + means.grace {
            shared.act(execution, || {
                means.agent.stop_thread(means.test_thread, means.stop.exception());
                shared.thrown_into.store(execution, SeqCst);
            });
            measures = 2;
        } else if measures == 2 && elapsed >= limit + 2 * means.grace {
            shared.act(execution, || leave(Exit::Stuck));
        }
    }
}
