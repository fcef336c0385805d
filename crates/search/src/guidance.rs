//! What the search aims at, and what it draws tests from: targets, calls that lead to open goals, calls that are given up.

use bytecode::probe_map::ProbeId;
use coverage::goal::GoalId;
use fixedbitset::FixedBitSet;
use testcase::cluster::{Call, CallableKind, TestCluster};
use testcase::execution::{ExecutionResult, Outcome};
use testcase::test_case::TestCase;

use crate::archive::Archive;
use crate::call_weights::CallWeights;
use crate::context::ClassContext;
use crate::options::SearchOptions;
use crate::patience::Patience;
use crate::source::TestSource;
use crate::targets::Targets;

/// Guides the search.
#[derive(Debug)]
pub(crate) struct Guidance {
    pub(crate) targets: Targets,
    patience: Patience,
    /// None where the source of tests is not to know what is covered.
    call_weights: Option<CallWeights>,
    /// Callables that count as calls of the class under test.
    test_calls: FixedBitSet,
    /// Whether every goal that guides is covered.
    is_done: bool,
    /// Whether those guide as well that did not at first.
    all_guide: bool,
    /// Whether there is something that the executor and the source of tests do not know yet.
    has_news: bool,
    /// Goals that are aimed at no more.
    given_up: FixedBitSet,
}

impl Guidance {
    /// Nothing to aim at yet. With `is_blind` the source of tests is not to know what is covered.
    pub(crate) fn new(class: ClassContext<'_>, is_blind: bool) -> Self {
        let ClassContext { goals, graph, cluster } = class;
        Self {
            targets: Targets::new(goals.len()),
            patience: Patience::new(cluster.callables.len()),
            call_weights: (!is_blind).then(|| CallWeights::new(cluster, graph.methods())),
            test_calls: test_calls(cluster),
            is_done: false,
            all_guide: false,
            has_news: true,
            given_up: FixedBitSet::new(),
        }
    }

    /// Whether every goal that guides is covered.
    pub(crate) fn is_done(&self) -> bool {
        self.is_done
    }

    /// Whether those guide as well that did not at first.
    pub(crate) fn all_guide(&self) -> bool {
        self.all_guide
    }

    /// Whether a test calls the class under test, or other code with goals, directly.
    pub(crate) fn calls_class_under_test(&self, cluster: &TestCluster, test: &TestCase) -> bool {
        let mut callables = test.statements().iter().filter_map(|statement| cluster.called_by(statement));
        callables.any(|callable| self.test_calls.contains(callable.index()))
    }

    /// Calls of tests that write a field which the code of a goal reads.
    pub(crate) fn writers(&self, class: ClassContext<'_>, goal: GoalId) -> Vec<Call> {
        let (Some(weights), Some(method)) = (&self.call_weights, class.graph.method_of(goal)) else {
            return Vec::new();
        };
        // What makes an object or reads one writes nothing that is there already.
        let writes = |call: &&Call| match call {
            Call::Callable(id) => class.cluster.callable(*id).kind != CallableKind::Constructor,
            Call::Write(_) => true,
            Call::Read(_) | Call::Implement(_) => false,
        };
        let groups = weights.writers(method).into_iter();
        let calls = groups.filter_map(|group| class.cluster.test_calls.get(group)).flatten();
        calls.filter(writes).copied().collect()
    }

    /// There is something that the executor and the source of tests do not know yet.
    pub(crate) fn note_news(&mut self) {
        self.has_news = true;
    }

    /// These goals are not aimed at any more.
    pub(crate) fn give_up(&mut self, goals: impl IntoIterator<Item = GoalId>) {
        for goal in goals {
            self.targets.postpone([goal]);
            self.given_up.grow_and_insert(goal.index());
        }
        self.has_news = true;
    }

    /// The archive took tests for goals.
    pub(crate) fn note_covered(&mut self, newly_covered: &[GoalId]) {
        self.has_news |= !newly_covered.is_empty();
    }

    /// Whether there was something that the executor and the source of tests do not know yet.
    pub(crate) fn take_news(&mut self) -> bool {
        std::mem::take(&mut self.has_news)
    }

    /// Notes which calls of a test completed within few steps: those are not given up.
    pub(crate) fn note_completed(&mut self, cluster: &TestCluster, test: &TestCase, executed: usize) {
        self.has_news |= self.patience.note(cluster, test, executed);
    }

    /// Notes how a run ended: which calls are drawn how often depends on it.
    pub(crate) fn note_end(&mut self, cluster: &TestCluster, test: &TestCase, result: &ExecutionResult) {
        self.has_news |= match result.outcome {
            Outcome::TimedOut | Outcome::Exited => self.patience.note_end(cluster, test, result.executed),
            Outcome::Passed | Outcome::Threw(_) => false,
        };
    }

    /// Whether a test that was cut short is worth a run with all steps.
    pub(crate) fn is_worth_it(
        &mut self,
        cluster: &TestCluster,
        test: &TestCase,
        executed: usize,
        executions: u64,
    ) -> bool {
        self.patience.is_worth_it(cluster, test, executed, executions)
    }

    /// A run with all steps was in vain.
    pub(crate) fn pay(&mut self, executions: u64) {
        self.patience.pay(executions);
    }

    /// The open goals that guide. Where none is left, the other open ones are targets from now on, if options say so.
    pub(crate) fn open_goals(
        &mut self,
        class: ClassContext<'_>,
        archive: &Archive,
        options: &SearchOptions,
    ) -> Vec<GoalId> {
        let ClassContext { goals, graph, .. } = class;
        let is_open = |id: &GoalId| !archive.is_covered(*id) && !self.given_up.contains(id.index());
        let open: Vec<GoalId> = goals.ids().filter(is_open).collect();
        let guiding: Vec<GoalId> =
            open.iter().copied().filter(|&id| self.all_guide || graph.guides(id)).collect();
        if guiding.is_empty() && !open.is_empty() && options.rest_guides {
            self.all_guide = true;
            self.is_done = false;
            self.targets.activate(&open);
            return open;
        }
        self.is_done = guiding.is_empty();
        guiding
    }

    /// Tells the source of tests which calls and which compared values lead to open goals.
    pub(crate) fn guide(
        &self,
        class: ClassContext<'_>,
        open: &[GoalId],
        options: &SearchOptions,
        source: &mut dyn TestSource,
    ) {
        let Some(call_weights) = &self.call_weights else { return };
        let ClassContext { goals, graph, cluster } = class;
        let methods = graph.methods();
        let mut open_methods = FixedBitSet::with_capacity(methods.methods().len());
        let mut open_branches = FixedBitSet::new();
        let mut wanted: Vec<(ProbeId, i64)> = Vec::new();
        for &id in open {
            if let Some(method) = graph.method_of(id) {
                open_methods.insert(methods.method(method).original.index());
            }
            let Some(outcome) = goals.goal(id).outcome else { continue };
            if let Some(branch) = methods.branch(outcome) {
                open_branches.grow_and_insert(branch.probe.index());
                wanted.extend(methods.keys(outcome).iter().map(|&key| (branch.probe, i64::from(key))));
            }
        }
        let given_up = self.patience.given_up(cluster);
        let weights = call_weights.weigh(&open_methods, &given_up, options);
        source.set_call_weights(&weights);
        source.set_open_branches(&open_branches);
        source.set_wanted(&wanted);
    }
}

/// Callables that count as calls of the class under test.
fn test_calls(cluster: &TestCluster) -> FixedBitSet {
    let mut calls = FixedBitSet::with_capacity(cluster.callables.len());
    for call in cluster.test_calls.iter().flatten() {
        if let Call::Callable(id) = call {
            calls.insert(id.index());
        }
    }
    for (index, callable) in cluster.callables.iter().enumerate() {
        if cluster.goal_classes.contains(&callable.declared_in) {
            calls.insert(index);
        }
    }
    calls
}
