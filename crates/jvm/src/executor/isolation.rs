//! Everything as before for the next test: what a run left in static state, in the JVM and in threads is undone, and what
//! initializers of classes left, which run once, stays.

use std::collections::BTreeSet;

use bytecode::settings::Setting;
use testcase::execution::Touched;

use crate::boot::Jvm;
use crate::caches::Caches;
use crate::environment::clock::Moment;
use crate::jni::Env;
use crate::lower::StaticWrite;
use crate::reset::{JvmState, forget_hosts};
use crate::statics::Statics;
use crate::threads::Threads;

/// Another year, month, day of the week and part of the day. What takes a millisecond in the first runs takes none that a clock of
/// milliseconds shows, as on a real machine.
const ANOTHER_MOMENT: Moment =
    Moment { later: ((1_207 * 24 + 9) * 3_600 + 1_234) * 1_000_000_000 + 567_091_234, tick: 100_000 };

/// The bits by which other seeds differ, about half of them.
const OTHER_SEEDS: i64 = 0x2545_F491_4F6C_DD1D;

/// What is set back after a run.
#[derive(Debug)]
pub(super) struct Isolation {
    state: JvmState,
    statics: Statics,
    caches: Caches,
    threads: Threads,
    /// Whether the state of the JDK that few classes can change is set back as well.
    has_rare_state: bool,
}

impl Isolation {
    /// Sets back to what the JVM and its threads are now.
    pub(super) fn new(state: JvmState, threads: Threads) -> Self {
        Self { state, statics: Statics::default(), caches: Caches::default(), threads, has_rare_state: false }
    }

    /// Whether so many threads were given up that the process should be replaced.
    pub(super) fn has_too_many_threads(&self) -> bool {
        self.threads.are_too_many()
    }

    /// Sets back what runs may have changed unseen. To be called before a run whose observations count.
    pub(super) fn settle(jvm: &Jvm) {
        jvm.process().checkpoints().settle(jvm.env());
    }

    /// Whether the next run finds caches filled, as late ones in a user's JVM do, or as class initializers left them.
    pub(super) fn set_caches(&mut self, jvm: &Jvm, are_filled: bool) {
        if are_filled {
            self.caches.fill(jvm.env());
        } else {
            self.caches.empty(jvm.env());
        }
    }

    /// Looks at what a run that took more steps than a brief one has wrote to static fields.
    pub(super) fn learn_caches(&mut self, jvm: &Jvm, env: Env<'_>) {
        let logged = self.statics.logged(env, jvm.jdk, &jvm.runtime, jvm.transformer());
        env.clear();
        if let Some(logged) = logged {
            self.caches.learn(env, &logged);
        }
    }

    /// Copies what static fields of newly initialized classes reach.
    pub(super) fn take_checkpoints(&mut self, jvm: &Jvm) {
        let transformer = jvm.transformer();
        if !self.has_rare_state && transformer.has_rare() {
            self.has_rare_state = true;
            self.state.take_rare(jvm.env());
        }
        let loaded = transformer.take_own();
        jvm.process().checkpoints().take(jvm.env(), jvm.agent, jvm.jdk, loaded);
    }

    /// Lets the next run begin at another moment, with other seeds.
    pub(super) fn move_to_another_moment(&self, jvm: &Jvm) {
        jvm.process().clock.begin_at(ANOTHER_MOMENT);
        self.state.change_seeds(jvm.env(), &jvm.runtime, OTHER_SEEDS);
    }

    /// Lets runs begin as ever.
    pub(super) fn move_back(&self, jvm: &Jvm) {
        jvm.process().clock.begin_at(Moment::FIRST);
        self.state.change_seeds(jvm.env(), &jvm.runtime, 0);
    }

    /// Sets back what a test has set of the JVM.
    pub(super) fn restore_settings(&self, env: Env<'_>, settings: &BTreeSet<Setting>) {
        self.state.restore_settings(env, settings);
        env.clear();
    }

    /// Sets back what a run changed; gives what that tells about the run, and whether threads of it ran on. `writes` are the
    /// static fields that statements wrote.
    pub(super) fn restore(
        &mut self,
        jvm: &Jvm,
        env: Env<'_>,
        touched: Touched,
        writes: &mut Vec<StaticWrite>,
    ) -> (Touched, bool) {
        let has_threads = touched.intersects(Touched::THREAD);
        let runs_on = has_threads && self.threads.end(env, jvm.agent, jvm.jdk, jvm.runtime.stop());
        if has_threads && self.threads.has_ended_all() {
            jvm.process().waiting.is_alone();
        }
        let transformer = jvm.transformer();
        jvm.process().checkpoints().restore(env);
        self.statics.restore(env, jvm.jdk, &jvm.runtime, transformer, writes);
        if jvm.process().take_machine_asked() || touched.intersects(Touched::NETWORK) {
            forget_hosts(env);
        }
        let told = self.state.restore(env, &jvm.runtime);
        env.clear();
        (told, runs_on)
    }
}
