//! Waiting: timed waits of the test end at once and move the clock; endless ones end the run when nobody is left
//! who could end them.
//!
//! Monitors and permits may wake up without cause (Java language specification §17.2.1, `LockSupport.park`), so a
//! wait that returns early is within the contract of both: code that waits for a condition waits again.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

use testcase::execution::Touched;

use crate::jni::{Env, JNIEnv};
use crate::process::Process;
use crate::runtime::Stop;
use crate::wall_clock::Stopwatch;

/// Milliseconds that a wait really takes when the test has started threads: they need time to do their part.
const SLICE_MS: i64 = 10;

/// Endless waits per test while threads of tests live; with [`SLICE_MS`] half a second.
const MOST_ENDLESS: u32 = 50;

/// Endless waits per test when no test ever started a thread. More than one, since the first may consume a permit.
const MOST_ENDLESS_ALONE: u32 = 3;

/// How waits of the test's thread are kept short.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    /// Whether any test ever started a thread, which may still live.
    threads: AtomicBool,
    /// Endless waits of this run.
    endless: AtomicU32,
    /// What ends a run.
    stop: OnceLock<Stop>,
}

impl Waiting {
    /// A run begins.
    pub(crate) fn reset(&self) {
        self.endless.store(0, Relaxed);
    }

    /// A thread was started by a test.
    pub(crate) fn thread_started(&self) {
        self.threads.store(true, Relaxed);
    }

    /// What ends a run, once there is a JVM.
    pub(crate) fn set_stop(&self, stop: Stop) {
        let _ = self.stop.set(stop);
    }

    /// A wait of the test's thread, for so many nanoseconds or without end. `wait` really waits for a number of
    /// milliseconds.
    pub(crate) fn slice(
        &self,
        process: &Process,
        env: *mut JNIEnv,
        asked: Option<i64>,
        wait: impl FnOnce(i64),
    ) {
        let has_threads = self.threads.load(Relaxed);
        let slice = if has_threads { SLICE_MS } else { 1 };
        if let Some(nanoseconds) = asked {
            process.touch(Touched::CLOCK);
            let most = nanoseconds.saturating_add(999_999) / 1_000_000;
            let slice = slice.min(most.max(1));
            let stopwatch = Stopwatch::start();
            wait(slice);
            // Woken up early: somebody notified, so the time asked for has not passed.
            let in_full = stopwatch.elapsed().as_millis() >= slice.unsigned_abs().into();
            process.clock.advance(if in_full { nanoseconds } else { 1_000_000 });
            return;
        }
        wait(slice);
        let waits = self.endless.fetch_add(1, Relaxed) + 1;
        let most = if has_threads { MOST_ENDLESS } else { MOST_ENDLESS_ALONE };
        if waits >= most {
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
