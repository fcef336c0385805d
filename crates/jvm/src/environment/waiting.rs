//! Waiting: timed waits of the test end soon and move the clock; endless ones end the run when nobody is left who
//! could end them.
//!
//! Monitors and permits may wake up without cause (Java language specification §17.2.1, `LockSupport.park`), so a
//! wait that returns early is within the contract of both: code that waits for a condition waits again.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use testcase::clock::Clock;
use testcase::execution::Touched;

use crate::jni::{Env, JNIEnv};
use crate::options::MOST_TURNS;
use crate::process::Process;
use crate::runtime::Stop;

/// Milliseconds that all waits of a test together really take when it has started threads: they need time to do
/// their part, however busy the machine is.
const MOST_MS: i64 = 500;

/// Milliseconds of one endless wait, after which the condition is looked at again.
const SLICE_MS: i64 = 10;

/// Endless waits per test when no thread lives that a test started. More than one, since the first may consume a permit.
const MOST_ALONE: u32 = 3;

/// Threads that a run may start. Those of a run that starts more would take what memory there is.
const MOST_THREADS: u32 = 100;

/// Steps in the time that it takes to start a thread and to see it end, or to wait once: some milliseconds.
const STEPS_PER_THREAD: u64 = 50_000;
const STEPS_PER_WAIT: u64 = 20_000;

const MILLISECOND: i64 = 1_000_000;

/// How waits of the test's thread are kept short.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    /// Whether a test started a thread that may still live.
    threads: AtomicBool,
    /// Threads that this run started.
    own_threads: AtomicU32,
    /// Position of the statement that runs.
    statement: AtomicUsize,
    /// Position of the statement that started the first thread.
    starter: AtomicUsize,
    /// Whether this run was ended here, after waiting as long as it may or with more threads than it may have.
    gave_up: AtomicBool,
    /// Milliseconds that this run has waited beside other threads.
    spent_ms: AtomicI64,
    /// Endless waits of this run.
    endless: AtomicU32,
    /// Timed waits of this run.
    timed: AtomicU32,
    /// How often this run gave way.
    turns: AtomicU32,
    /// How long it gives way at a time.
    gives_way: Duration,
    /// What ends a run.
    stop: OnceLock<Stop>,
}

impl Waiting {
    /// The test's thread gives way for so long behind each statement.
    pub(crate) fn new(gives_way: Duration) -> Self {
        Self { gives_way, ..Self::default() }
    }

    /// A run begins.
    pub(crate) fn reset(&self) {
        self.own_threads.store(0, Relaxed);
        self.statement.store(0, Relaxed);
        self.starter.store(0, Relaxed);
        self.gave_up.store(false, Relaxed);
        self.spent_ms.store(0, Relaxed);
        self.endless.store(0, Relaxed);
        self.timed.store(0, Relaxed);
        self.turns.store(0, Relaxed);
    }

    /// A statement is done: threads of the run have their turn, where they are to have it first.
    pub(crate) fn give_way(&self) {
        let has_threads = !self.gives_way.is_zero() && self.own_threads.load(Relaxed) > 0;
        if has_threads && self.turns.fetch_add(1, Relaxed) < MOST_TURNS {
            std::thread::sleep(self.gives_way);
        }
    }

    /// The run comes to a statement.
    pub(crate) fn reach(&self, statement: usize) {
        self.statement.store(statement, Relaxed);
    }

    /// A thread is started by a test.
    ///
    /// # Safety
    /// `env` is the environment of the calling thread.
    pub(crate) unsafe fn thread_started(&self, env: *mut JNIEnv) {
        self.threads.store(true, Relaxed);
        let before = self.own_threads.fetch_add(1, Relaxed);
        if before == 0 {
            self.starter.store(self.statement.load(Relaxed), Relaxed);
        }
        if before < MOST_THREADS {
            return;
        }
        // SAFETY: as the caller promises.
        let env = unsafe { Env::new(env) };
        if let (Some(env), Some(stop)) = (env, self.stop.get()) {
            self.gave_up.store(true, Relaxed);
            stop.set(env);
        }
    }

    /// No thread lives that a test started.
    pub(crate) fn is_alone(&self) {
        self.threads.store(false, Relaxed);
    }

    /// Position of the statement that started the first thread of this run.
    pub(crate) fn starter(&self) -> usize {
        self.starter.load(Relaxed)
    }

    /// Steps that this run is charged for its threads and waits: each takes as long as so many.
    pub(crate) fn charge(&self) -> u64 {
        let waits = self.endless.load(Relaxed).saturating_add(self.timed.load(Relaxed));
        u64::from(self.own_threads.load(Relaxed)) * STEPS_PER_THREAD + u64::from(waits) * STEPS_PER_WAIT
    }

    /// Whether this run was ended here, at the cost of time.
    pub(crate) fn gave_up(&self) -> bool {
        self.gave_up.load(Relaxed)
    }

    /// What ends a run, once there is a JVM.
    pub(crate) fn set_stop(&self, stop: Stop) {
        let _ = self.stop.set(stop);
    }

    /// A wait of the test's thread, for so many nanoseconds or without end. `wait` really waits for a number of
    /// milliseconds.
    pub(crate) fn wait(
        &self,
        process: &Process,
        env: *mut JNIEnv,
        asked: Option<i64>,
        wait: impl FnOnce(i64),
    ) {
        match asked {
            Some(nanoseconds) => {
                process.touch(Touched::CLOCK);
                self.timed(process, nanoseconds, wait);
            }
            None => self.endless(env, wait),
        }
    }

    fn timed(&self, process: &Process, nanoseconds: i64, wait: impl FnOnce(i64)) {
        let left = if self.own_threads.load(Relaxed) > 0 { MOST_MS - self.spent_ms.load(Relaxed) } else { 0 };
        let most = nanoseconds.saturating_add(MILLISECOND - 1) / MILLISECOND;
        let slice = left.min(most).max(1);
        let clock = Clock::start();
        wait(slice);
        let elapsed = i64::try_from(clock.now().as_millis()).unwrap_or(i64::MAX);
        self.spent_ms.store(self.spent_ms.load(Relaxed).saturating_add(elapsed), Relaxed);
        // Woken up early: somebody notified, so the time asked for has not passed.
        let has_passed = elapsed >= slice;
        self.timed.store(self.timed.load(Relaxed).saturating_add(1), Relaxed);
        process.clock.sleep(if has_passed { nanoseconds } else { MILLISECOND });
    }

    fn endless(&self, env: *mut JNIEnv, wait: impl FnOnce(i64)) {
        let has_threads = self.threads.load(Relaxed);
        wait(if has_threads { SLICE_MS } else { 1 });
        let waits = self.endless.load(Relaxed) + 1;
        self.endless.store(waits, Relaxed);
        let is_over = if has_threads { i64::from(waits) * SLICE_MS >= MOST_MS } else { waits >= MOST_ALONE };
        if is_over {
            // Alone it took next to no time.
            self.gave_up.store(has_threads, Relaxed);
            self.end_run(env);
        }
    }

    /// Nobody will end this wait: ends the run, unless the wait itself threw.
    fn end_run(&self, env: *mut JNIEnv) {
        // SAFETY: the environment of the calling thread, as the JVM passed it to a native method.
        let (Some(env), Some(stop)) = (unsafe { Env::new(env) }, self.stop.get()) else { return };
        if env.check().is_ok() {
            stop.set(env);
            env.throw(stop.exception().get());
        }
    }
}
