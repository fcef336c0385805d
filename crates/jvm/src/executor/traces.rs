//! The traces of runs, with what the initializers of the classes in use cover.

use testcase::execution::ExecutionTrace;
use testcase::statement::Statement;
use testcase::test_case::TestCase;

use super::JvmExecutor;
use crate::resolve::Resolution;

impl JvmExecutor {
    /// Reads the trace of a run that nobody asks about.
    pub(super) fn discard_trace(&mut self) {
        let mut trace = std::mem::take(&mut self.buffers.trace);
        trace.clear();
        self.reader.read(self.vm.env(), &mut trace);
        self.buffers.trace = trace;
    }

    /// Reads the trace of the last run, with what the initializers of the classes in use cover.
    pub(super) fn read_trace(&mut self, test: &TestCase, executed: usize, trace: &mut ExecutionTrace) {
        self.reader.read(self.vm.env(), trace);
        self.values.take(trace);
        self.initializers.begin();
        self.note_initializers(test, executed);
        self.initializers.add_to(trace, self.reader.layout());
    }

    /// Notes which classes with goals a run used.
    pub(super) fn note_initializers(&mut self, test: &TestCase, executed: usize) {
        for statement in test.statements().iter().take(executed + 1) {
            let class = match statement {
                Statement::Constructor { callable, .. } | Statement::Method { callable, .. } => {
                    match self.handles.callable(*callable) {
                        Resolution::Found(handle) => handle.goal_class,
                        Resolution::Open | Resolution::Failed(_) => None,
                    }
                }
                Statement::EnumConstant { field }
                | Statement::FieldRead { field, .. }
                | Statement::FieldWrite { field, .. } => match self.handles.field(*field) {
                    Resolution::Found(handle) => handle.goal_class,
                    Resolution::Open | Resolution::Failed(_) => None,
                },
                Statement::Primitive { .. }
                | Statement::Null { .. }
                | Statement::ClassLiteral { .. }
                | Statement::Array { .. }
                | Statement::ArrayWrite { .. } => None,
                Statement::Stub { stub, .. } => match self.handles.stub(*stub) {
                    Resolution::Found(handle) => handle.constructor.goal_class,
                    Resolution::Open | Resolution::Failed(_) => None,
                },
            };
            self.initializers.note(class);
        }
    }
}
