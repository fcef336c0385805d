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

/// Moments with another year, month, day of the week and part of the day than the first, and bits by which seeds differ there, about
/// half of them. What takes a millisecond in the first runs takes none that a clock of milliseconds shows, as on a real
/// machine. They are several, since what is drawn of a few things is the same at one other moment by chance.
pub(super) const OTHER_MOMENTS: [(Moment, i64); 5] = [
    another(1_207, 9, 567_091_234, 0x2545_F491_4F6C_DD1D),
    another(409, 3, 123_456_789, 0x1B87_3593_CC9E_2D51),
    another(2_620, 14, 882_300_417, 0x4D59_5DF4_D0F3_3173),
    another(3_318, 20, 31_874_902, 0x6A09_E667_F3BC_C908),
    another(801, 6, 740_652_338, 0x3C6E_F372_FE94_F82B),
];

const fn another(days: i64, hours: i64, nanos: i64, seeds: i64) -> (Moment, i64) {
    (Moment { later: ((days * 24 + hours) * 3_600 + 1_234) * 1_000_000_000 + nanos, tick: 100_000 }, seeds)
}

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

    /// Lets the next run begin at another moment, with seeds that differ by these bits.
    pub(super) fn move_to(&self, jvm: &Jvm, (moment, seeds): (Moment, i64)) {
        jvm.process().clock.begin_at(moment);
        self.state.change_seeds(jvm.env(), &jvm.runtime, seeds);
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
