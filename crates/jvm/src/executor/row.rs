//! Tests one after the other, as a user's JVM runs them: with nothing restored in between but the static fields that a test itself
//! writes, and the settings of the JVM and contexts that any of them sets, as their file does.

use std::collections::BTreeSet;
use std::ptr;

use bytecode::instrument::STOP_CLASS;
use bytecode::probe_map::ProbeId;
use bytecode::settings::Setting;
use testcase::cluster::CallableId;
use testcase::cluster::contexts::Context;
use testcase::execution::ExecutionTrace;
use testcase::test_case::TestCase;

use super::interpreter::Used;
use super::{JvmExecutor, as_test, isolation::Isolation};
use crate::jni::{Env, jvalue};
use crate::lower::Raised;
use crate::statics::put_back;
use crate::watchdog::Watched;

/// What tests in a row did.
struct Row {
    /// Statements that completed, by test.
    completed: Vec<usize>,
    /// Probes of the exceptions that ended tests.
    thrown: Vec<ProbeId>,
    /// Whether no limit ended it.
    is_whole: bool,
}

impl JvmExecutor {
    /// Runs tests in a row and reads what they recorded together; gives how many statements completed in each, or nothing if
    /// a limit ended the row.
    pub(super) fn run_in_order(
        &mut self,
        tests: &[&TestCase],
        trace: &mut ExecutionTrace,
    ) -> Option<Vec<usize>> {
        trace.clear();
        // All have run alone, so that their classes are there.
        if tests.iter().any(|test| self.limits.faults().is_fatal(test) || self.prepare(test).is_some()) {
            return None;
        }
        let contexts = self.contexts_of(tests);
        for context in &contexts {
            if let Some(get) = context.get {
                self.look_up(Used::Callable(get));
            }
        }
        let env = self.jvm.env();
        self.interpreter.tidy(env);
        self.isolation.take_checkpoints(&self.jvm);
        Isolation::settle(&self.jvm);
        self.isolation.set_caches(&self.jvm, false);
        self.begin(env, self.limits.full.times(tests.len()));
        let statements: usize = tests.iter().map(|test| test.len()).sum();
        let row = as_test(self.test_frame, env, statements, |env| self.row(env, tests, &contexts));
        self.raise_alarms();
        self.slot.clear();
        let executed = tests.iter().zip(&row.completed);
        let used = executed.flat_map(|(test, &executed)| self.interpreter.goal_classes(test, executed));
        self.recording.read(self.jvm.env(), used, trace);
        for probe in row.thrown {
            trace.record_hits(probe, 1);
        }
        row.is_whole.then_some(row.completed)
    }

    /// The contexts that any of the tests sets.
    fn contexts_of(&self, tests: &[&TestCase]) -> BTreeSet<Context> {
        tests.iter().flat_map(|test| self.interpreter.cluster().contexts_of(test)).collect()
    }

    /// The statements of tests, one after the other between one beginning and one end.
    fn row(&mut self, env: Env<'_>, tests: &[&TestCase], contexts: &BTreeSet<Context>) -> Row {
        let held = |context: &Context| {
            let original = match context.get {
                Some(get) => self.interpreter.call_static(env, get, &[])?,
                None => jvalue { l: ptr::null_mut() },
            };
            Some((context.set, original))
        };
        let originals: Vec<(CallableId, jvalue)> = contexts.iter().filter_map(held).collect();
        let mut completed = Vec::with_capacity(tests.len());
        let mut thrown = Vec::new();
        let mut is_whole = true;
        let settings: BTreeSet<Setting> =
            tests.iter().flat_map(|test| self.interpreter.cluster().settings_of(test)).collect();
        for test in tests {
            self.slot.write(test);
            self.jvm.process().folder.empty();
            let written = self.interpreter.static_writes().len();
            let (executed, raised) = self.statements(env, test, &mut ());
            if let (Some(exception), Some(Raised::Pending)) = (env.take_exception(), &raised) {
                self.catcher.begin();
                self.judge(env, test, executed, exception);
                thrown.extend(self.catcher.probe());
            }
            env.clear();
            self.isolation.restore_settings(env, &settings);
            put_back(env, self.interpreter.static_writes().iter().skip(written));
            for (set, original) in &originals {
                self.interpreter.call_static(env, *set, &[*original]);
            }
            completed.push(executed);
            let stopped = matches!(&raised, Some(Raised::Linkage(class)) if class.as_str() == STOP_CLASS);
            if stopped || self.jvm.runtime.stop().is_set(env) {
                is_whole = false;
                break;
            }
        }
        let (touched, watched) = self.end(env);
        let (_, runs_on) = self.restore(env, touched);
        Row { completed, thrown, is_whole: is_whole && watched == Watched::Ended && !runs_on }
    }
}
