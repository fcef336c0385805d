//! Tests whose results depend on the default locale or the default zone get a fixed one: what they assert would otherwise hold on this
//! machine alone, and could not be delivered.

use coverage::goal::GoalSet;
use testcase::cluster::settings::{setting_of, steady};
use testcase::cluster::{CallableId, TestCluster};
use testcase::execution::{ExecutionResult, Executor};
use testcase::statement::{Statement, VarRef};
use testcase::value::Value;

use crate::asserted_test::AssertedTest;
use crate::assertion::AssertionOptions;
use crate::replay::{Replay, Replayed};

/// What tests are judged by.
#[derive(Debug, Clone, Copy)]
pub struct Steadying<'a> {
    /// Types and members.
    pub cluster: &'a TestCluster,
    /// What is to be covered.
    pub goals: &'a GoalSet,
    /// What the assertions of the tests were made with.
    pub options: AssertionOptions,
}

impl Steadying<'_> {
    /// Puts a fixed locale or zone before all else in each test that does something else where these are strange ones, and does the same
    /// with fixed ones. Goes on as long as it may.
    pub fn steady(
        &self,
        tests: &mut [AssertedTest],
        executor: &mut dyn Executor,
        result: &mut ExecutionResult,
        may_go_on: &mut dyn FnMut() -> bool,
    ) {
        if self.cluster.steadying.is_empty() {
            return;
        }
        let replay = Replay::new(self.goals, self.options);
        let mut agrees = |test: &AssertedTest| replay.run(test, executor, result) == Replayed::Agrees;
        for test in tests {
            for &callable in &self.cluster.steadying {
                let Some(setting) = setting_of(self.cluster.callable(callable)) else { continue };
                let Some(values) = steady(setting) else { continue };
                if test.fails || self.cluster.settings_of(&test.test).contains(&setting) {
                    continue;
                }
                if !may_go_on() {
                    return;
                }
                let mut strange = values.strange.iter();
                if strange.all(|value| agrees(&test.behind(&setting_to(callable, value)))) {
                    continue;
                }
                let fixed = test.behind(&setting_to(callable, values.fixed));
                if agrees(&fixed) {
                    *test = fixed;
                }
            }
        }
    }
}

/// A setting as statements.
fn setting_to(callable: CallableId, value: &str) -> [Statement; 2] {
    let argument = Statement::Primitive { value: Value::String(value.into()), boxed: false };
    [argument, Statement::Method { callable, receiver: None, arguments: [VarRef(0)].into_iter().collect() }]
}
