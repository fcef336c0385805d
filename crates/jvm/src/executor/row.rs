//! Tests one after the other, as a user's JVM runs them: with nothing restored in between.

use bytecode::instrument::STOP_CLASS;
use bytecode::probe_map::ProbeId;
use testcase::test_case::TestCase;

use super::{Buffers, JvmExecutor};
use crate::jni::Env;
use crate::lower::Raised;
use crate::watchdog::Watched;

/// What tests in a row did.
pub(super) struct Row {
    /// Statements that completed, by test.
    pub(super) completed: Vec<usize>,
    /// Probes of the exceptions that ended tests.
    pub(super) thrown: Vec<ProbeId>,
    /// Whether no limit ended it.
    pub(super) is_whole: bool,
}

impl JvmExecutor {
    /// The statements of tests, one after the other between one beginning and one end; gives how many completed in each
    /// test, what ended them, and whether no limit ended the row.
    pub(super) fn row(&mut self, env: Env<'_>, tests: &[&TestCase], buffers: &mut Buffers) -> Row {
        let mut completed = Vec::with_capacity(tests.len());
        let mut thrown = Vec::new();
        let mut is_whole = true;
        for test in tests {
            if let Some(slot) = &mut self.slot {
                slot.write(test);
            }
            let (executed, raised) = self.statements(env, test, buffers, |_, _| ());
            if let (Some(exception), Some(Raised::Pending)) = (env.take_exception(), &raised) {
                self.thrown = None;
                self.judge(env, test, executed, exception);
                thrown.extend(self.thrown);
            }
            env.clear();
            completed.push(executed);
            let stopped = matches!(&raised, Some(Raised::Linkage(class)) if class.as_str() == STOP_CLASS);
            if stopped || self.runtime.stop().is_set(env) {
                is_whole = false;
                break;
            }
        }
        let (touched, watched) = self.end(env);
        let (_, runs_on) = self.restore(env, touched, buffers);
        Row { completed, thrown, is_whole: is_whole && watched == Watched::Ended && !runs_on }
    }
}
