//! Contexts of other classes that tests cannot set back are left alone.
//!
//! A test file asks for what a context holds before each test, and sets that behind it ([`testcase::cluster::contexts`]). Some throw where
//! nobody has set anything, or where they are given what they gave. That shows in a test that does no more than this.

use jvm::executor::JvmExecutor;
use testcase::cluster::{Call, TestCluster};
use testcase::execution::{ExecutionResult, Executor as _, Outcome, Touched};
use testcase::run_request::RunRequest;
use testcase::statement::{Arguments, Statement, VarRef};
use testcase::test_case::TestCase;

/// What sets contexts that cannot be set back, ascending. `size`: how many probes and outcomes runs are recorded by.
pub(super) fn failing(executor: &mut JvmExecutor, cluster: &TestCluster, size: (usize, usize)) -> Vec<Call> {
    let mut result = ExecutionResult::new(size.0, size.1);
    let mut is_failing = |get, set| {
        let call = |callable, argument: Option<VarRef>| {
            let arguments: Arguments = argument.into_iter().collect();
            Statement::Method { callable, receiver: None, arguments }
        };
        let test = TestCase::new(vec![call(get, None), call(set, Some(VarRef(0)))]);
        executor.execute(&test, &RunRequest::default(), &mut result);
        result.outcome != Outcome::Passed || result.touched != Touched::default()
    };
    let offered = cluster.contexts.iter().filter(|context| cluster.settings.contains(&context.set));
    let mut failing: Vec<Call> = offered
        .filter(|context| context.get.is_some_and(|get| is_failing(get, context.set)))
        .map(|context| Call::Callable(context.set))
        .collect();
    failing.sort_unstable();
    failing
}
