//! What this process has one of: the JVM, and everything that its callbacks need.
//!
//! HotSpot calls native methods and agent callbacks without a word about whom they belong to, and a process can
//! create one JVM in its life. So there is one static handle, the only one in the project.

use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use testcase::execution::Touched;

use crate::agent::Agent;
use crate::checkpoint::Checkpoints;
use crate::environment::clock::VirtualClock;
use crate::environment::folder::TestFolder;
use crate::environment::machine::Machine;
use crate::environment::natives::Natives;
use crate::environment::paths::KnownPaths;
use crate::environment::waiting::Waiting;
use crate::jdk::Jdk;
use crate::jni::{Env, JNIEnv};
use crate::transform::Transformer;

/// The handle of the JVM of this process.
static PROCESS: OnceLock<Process> = OnceLock::new();

/// What callbacks of the JVM work with.
#[derive(Debug)]
pub(crate) struct Process {
    /// Time as the test sees it.
    pub(crate) clock: VirtualClock,
    /// Native methods of the JDK that were replaced.
    pub(crate) natives: Natives,
    /// Sleeping and waiting.
    pub(crate) waiting: Waiting,
    /// Files that may be read without a trace.
    pub(crate) known_paths: KnownPaths,
    /// The folder of the test that runs.
    pub(crate) folder: TestFolder,
    /// The machine that tests see.
    pub(crate) machine: Machine,
    /// Instruments classes on their way into the JVM.
    pub(crate) transformer: Transformer,
    /// The agent, once it was loaded.
    pub(crate) agent: OnceLock<Agent>,
    /// The classes of the JDK, once they were looked up.
    pub(crate) jdk: OnceLock<Jdk>,
    /// Copies of what static fields reach, made between tests and where class initializers end.
    pub(crate) checkpoints: Mutex<Checkpoints>,
    /// Whether the machine has been asked for since that was looked at last.
    is_machine_asked: AtomicBool,
    /// What the run has touched so far.
    touched: AtomicU32,
    /// JNI environment of the thread that runs tests, while it runs one; otherwise null.
    test_thread: AtomicPtr<JNIEnv>,
}

impl Process {
    /// A process in which nothing runs yet.
    pub(crate) fn new(
        clock: VirtualClock,
        waiting: Waiting,
        natives: Natives,
        known_paths: KnownPaths,
        folder: TestFolder,
        machine: Machine,
        transformer: Transformer,
    ) -> Self {
        Self {
            clock,
            natives,
            waiting,
            known_paths,
            folder,
            machine,
            transformer,
            agent: OnceLock::new(),
            jdk: OnceLock::new(),
            checkpoints: Mutex::default(),
            is_machine_asked: AtomicBool::new(false),
            touched: AtomicU32::new(0),
            test_thread: AtomicPtr::new(ptr::null_mut()),
        }
    }

    /// Makes this the process; `None` when there is one already.
    pub(crate) fn install(self) -> Option<&'static Self> {
        PROCESS.set(self).ok()?;
        PROCESS.get()
    }

    /// The process, once it was installed.
    pub(crate) fn get() -> Option<&'static Self> {
        PROCESS.get()
    }

    /// The copies of what static fields reach. No code under test may run while they are held.
    pub(crate) fn checkpoints(&self) -> MutexGuard<'_, Checkpoints> {
        self.checkpoints.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A run begins on this thread.
    pub(crate) fn begin_run(&self, env: Env<'_>) {
        self.clock.reset();
        self.waiting.reset();
        self.touched.store(0, Relaxed);
        self.folder.empty();
        self.test_thread.store(env.raw(), Relaxed);
    }

    /// The run ends; gives what it touched.
    pub(crate) fn end_run(&self) -> Touched {
        self.test_thread.store(ptr::null_mut(), Relaxed);
        let clock = if self.clock.readings() > 0 { Touched::CLOCK } else { Touched::default() };
        let wait = if self.clock.has_slept_long() { Touched::WAIT } else { Touched::default() };
        self.touched().union(clock).union(wait)
    }

    /// The machine has been asked for.
    pub(crate) fn ask_machine(&self) {
        self.is_machine_asked.store(true, Relaxed);
    }

    /// Whether the machine has been asked for since the last look.
    pub(crate) fn take_machine_asked(&self) -> bool {
        self.is_machine_asked.swap(false, Relaxed)
    }

    /// Whether this is the thread that runs a test right now.
    pub(crate) fn is_test_thread(&self, env: *mut JNIEnv) -> bool {
        self.test_thread.load(Relaxed) == env
    }

    /// Whether a test runs right now.
    pub(crate) fn is_running(&self) -> bool {
        !self.test_thread.load(Relaxed).is_null()
    }

    /// Notes what a run does, on whatever thread.
    pub(crate) fn touch(&self, what: Touched) {
        if self.is_running() {
            self.touched.fetch_or(u32::from(what.0), Relaxed);
        }
    }

    /// Does something within a run; what it gave, and what it touched.
    pub(crate) fn touched_by<R>(&self, act: impl FnOnce() -> R) -> (R, Touched) {
        let before = self.touched.swap(0, Relaxed);
        let given = act();
        (given, Touched(self.touched.fetch_or(before, Relaxed) as u16))
    }

    /// What the run has touched so far.
    pub(crate) fn touched(&self) -> Touched {
        Touched(self.touched.load(Relaxed) as u16)
    }
}
