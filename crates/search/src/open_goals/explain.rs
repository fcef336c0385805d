//! From goals, test cluster and near misses to reasons: [`Explanation`].
//!
//! A goal behind another open goal has the reason of that goal. A goal whose method no run entered is asked who may
//! call the method, and with what. For all others the test that came nearest is run once more, to see how it ends.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytecode::descriptor::ErasedType;
use bytecode::probe_map::{Branch, BranchKind, OutcomeId, ProbeId, ProbeMap};
use coverage::distance::TAKEN;
use coverage::goal::{GoalId, GoalSet};
use coverage::goal_graph::GoalGraph;
use coverage::method_table::{Method, MethodIndex};
use coverage::selection::uncarried;
use fixedbitset::FixedBitSet;
use testcase::cluster::cost::{UNMAKEABLE, creation_costs};
use testcase::cluster::{Callable, CallableId, CallableKind, Generator, TestCluster, TypeId};
use testcase::execution::{ComparisonOperand, ExecutionResult, Executor, Outcome, StackFrame};
use testcase::run_request::{MutantRuns, RunRequest};
use testcase::test_case::TestCase;
use testcase::value::Value;

use super::near_misses::NearMisses;
use super::{Barrier, Comparison, OpenGoal, Raised, Reason, Undeliverable, Unfinished, Unmade, Unmet};

/// Tests that are run once more; the other goals are explained without. A run takes microseconds, its stack trace
/// some tens of them.
const MOST_RUNS: usize = 128;

/// Runs of a comparison from which on the search can be said to have tried.
const ENOUGH_RUNS: u64 = 100;

/// Part of the search in which an improvement counts as recent.
const RECENT: f64 = 0.2;

/// Private methods that serialization calls.
const SERIALIZATION: &[&str] =
    &["readObject", "writeObject", "readObjectNoData", "readResolve", "writeReplace"];

/// What reasons are drawn from.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
    /// The goals.
    pub goals: &'a GoalSet,
    /// Their control dependence.
    pub graph: &'a GoalGraph,
    /// What the probes mean: the maps that goals and graph were made from.
    pub maps: &'a [ProbeMap],
    /// What tests may use.
    pub cluster: &'a TestCluster,
    /// What the search kept; empty where no search came to its end.
    pub near_misses: &'a NearMisses,
    /// Executions of the search; 0 where no search came to its end.
    pub executions: u64,
    /// Goals that are covered, by number.
    pub covered: &'a FixedBitSet,
}

/// Runs tests once more.
pub struct Rerun<'a> {
    /// Runs them.
    pub executor: &'a mut dyn Executor,
    /// Overwritten by each run.
    pub result: &'a mut ExecutionResult,
    /// Whether there is time for another run: a test may take long.
    pub has_time: &'a mut dyn FnMut() -> bool,
}

impl std::fmt::Debug for Rerun<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Rerun").finish_non_exhaustive()
    }
}

/// Explains every open goal, in the order of their numbers. Without `rerun`, exceptions and compared values are
/// missing.
pub fn explain(facts: Facts<'_>, rerun: Option<Rerun<'_>>) -> Vec<OpenGoal> {
    let open: Vec<GoalId> = facts.goals.ids().filter(|goal| !facts.covered.contains(goal.index())).collect();
    let open_mutants = open.iter().filter_map(|&goal| facts.goals.goal(goal).mutant()).collect();
    let mut explanation = Explanation {
        facts,
        costs: creation_costs(facts.cluster),
        branches: branches(facts.maps),
        uncarried: uncarried(facts.goals, facts.maps),
        rerun,
        request: RunRequest { frames: true, ..RunRequest::default() }
            .with_mutants(open_mutants, MutantRuns::Sparing),
        seen: BTreeMap::new(),
        roots: BTreeMap::new(),
        unentered: BTreeMap::new(),
    };
    open.into_iter().map(|goal| explanation.open_goal(goal)).collect()
}

/// The branches by outcome.
fn branches(maps: &[ProbeMap]) -> BTreeMap<OutcomeId, &Branch> {
    let branches = maps.iter().flat_map(|map| &map.methods).flat_map(|method| &method.branches);
    branches.flat_map(|branch| branch.outcomes.iter().map(move |outcome| (outcome.id, branch))).collect()
}

/// What a run showed that came near.
#[derive(Debug, Clone)]
struct Seen {
    outcome: Outcome,
    frames: Vec<StackFrame>,
    operands: Vec<ComparisonOperand>,
    distances: BTreeMap<OutcomeId, f64>,
}

impl Seen {
    /// What a branch compared last: within one way in which its method was reached, where there were several.
    fn compared_at(&self, probe: ProbeId) -> Vec<Value> {
        let at = || self.operands.iter().filter(move |operand| operand.probe == probe);
        let hit = at().map(|operand| operand.hit).next();
        at().filter(|operand| Some(operand.hit) == hit).map(|operand| operand.value.clone()).collect()
    }
}

/// Reasons of the goals of a class, as they are found.
struct Explanation<'a, 'r> {
    facts: Facts<'a>,
    costs: Vec<u32>,
    branches: BTreeMap<OutcomeId, &'a Branch>,
    uncarried: FixedBitSet,
    rerun: Option<Rerun<'r>>,
    /// What these runs are asked for.
    request: RunRequest,
    seen: BTreeMap<Arc<TestCase>, Option<Seen>>,
    /// Reasons of goals that guard others.
    roots: BTreeMap<GoalId, Reason>,
    /// Why no run entered a method, where none did.
    unentered: BTreeMap<MethodIndex, Option<Reason>>,
}

impl Explanation<'_, '_> {
    fn open_goal(&mut self, goal: GoalId) -> OpenGoal {
        if self.uncarried.contains(goal.index()) {
            return OpenGoal { goal, behind: None, fitness: None, reason: Reason::Uncarried };
        }
        let root = self.root_of(goal);
        let known = self.roots.get(&root).cloned();
        let reason = known.unwrap_or_else(|| self.reason_of(root));
        self.roots.entry(root).or_insert_with(|| reason.clone());
        let miss = self.facts.near_misses.of(goal).and_then(|miss| miss.best.as_ref());
        let fitness = miss.map(|(fitness, _)| *fitness);
        OpenGoal { goal, behind: (root != goal).then_some(root), fitness, reason }
    }

    fn is_open(&self, goal: GoalId) -> bool {
        !self.facts.covered.contains(goal.index())
    }

    /// Whether a run covered it, or executed its comparison or what controls it.
    fn was_near(&self, goal: GoalId) -> bool {
        let best = self.facts.near_misses.of(goal).and_then(|miss| miss.best.as_ref());
        self.facts.near_misses.undeliverable(goal).is_some()
            || best.is_some_and(|(fitness, _)| *fitness < 1.0)
    }

    /// The open goal that has to be covered first; the goal itself where nothing open guards it.
    fn root_of(&self, goal: GoalId) -> GoalId {
        let graph = self.facts.graph;
        let mut visited = vec![goal];
        let mut at = goal;
        loop {
            let parents = graph.parents(at);
            let is_free = self.was_near(at)
                || graph.roots().binary_search(&at).is_ok()
                || parents.iter().any(|&parent| !self.is_open(parent));
            if is_free {
                return at;
            }
            match self.nearest_of(parents, &visited) {
                Some(parent) => {
                    visited.push(parent);
                    at = parent;
                }
                None => return at,
            }
        }
    }

    /// The open goal that a run came nearest to, the first of equals.
    fn nearest_of(&self, goals: &[GoalId], visited: &[GoalId]) -> Option<GoalId> {
        let fitness = |goal: GoalId| {
            let best = self.facts.near_misses.of(goal).and_then(|miss| miss.best.as_ref());
            best.map_or(f64::INFINITY, |(fitness, _)| *fitness)
        };
        let open = goals.iter().copied().filter(|goal| self.is_open(*goal) && !visited.contains(goal));
        open.min_by(|&a, &b| fitness(a).total_cmp(&fitness(b)))
    }

    /// Why a goal is open that nothing else guards.
    fn reason_of(&mut self, goal: GoalId) -> Reason {
        if let Some(why) = self.facts.near_misses.undeliverable(goal) {
            return Reason::Undeliverable(why);
        }
        if let Some(method) = self.facts.graph.method_of(goal)
            && let Some(reason) = self.why_unentered(method)
        {
            return reason;
        }
        let miss = self.facts.near_misses.of(goal).filter(|miss| miss.best.is_some()).cloned();
        let Some(miss) = miss else {
            return Reason::Budget(if self.facts.executions == 0 {
                Unfinished::Unknown
            } else if self.facts.graph.guides(goal) || self.facts.near_misses.aimed_at_all {
                Unfinished::NotReached
            } else {
                Unfinished::NotAimedAt
            });
        };
        let Some((fitness, test)) = miss.best else { return Reason::Budget(Unfinished::NotReached) };
        let seen = self.run(&test);
        let outcome = self.facts.goals.goal(goal).outcome;
        let branch = outcome.and_then(|outcome| self.branches.get(&outcome).copied());
        if let (Some(outcome), true) = (outcome, fitness > TAKEN && fitness < 1.0) {
            if let Some(reason) = branch.and_then(|branch| self.null_argument(&test, branch.kind)) {
                return reason;
            }
            if miss.varied && is_recent(miss.improved_at, self.facts.executions) {
                return Reason::Budget(Unfinished::Improving);
            }
            if miss.runs < ENOUGH_RUNS {
                return Reason::Budget(Unfinished::Rare(miss.runs));
            }
            let distance = seen.as_ref().and_then(|seen| seen.distances.get(&outcome).copied());
            let Some(branch) = branch else {
                return Reason::Unmet(Unmet { distance, runs: miss.runs, varied: miss.varied });
            };
            return Reason::NoValue(Comparison {
                kind: branch.kind,
                line: branch.line,
                distance,
                operands: seen.map_or_else(Vec::new, |seen| seen.compared_at(branch.probe)),
                runs: miss.runs,
                varied: miss.varied,
            });
        }
        self.stopped(goal, &test, seen.as_ref())
    }

    /// Why no run came to a place in a method that runs enter.
    fn stopped(&mut self, goal: GoalId, test: &TestCase, seen: Option<&Seen>) -> Reason {
        if let Some(Seen { outcome: Outcome::Threw(thrown), frames, .. }) = seen {
            let statement = test.statements().get(thrown.position);
            let call = statement.and_then(|statement| self.facts.cluster.called_by(statement));
            if let Some(of) = call.and_then(|call| self.unmakeable_parameter(call)) {
                return Reason::NoObject { of: self.type_name(of), why: Unmade::NoWay };
            }
            let class_of = |frame: &&StackFrame| self.facts.cluster.goal_classes.contains(&frame.class);
            let is_known = !frames.is_empty() && !self.facts.cluster.goal_classes.is_empty();
            if !is_known || frames.iter().any(|frame| class_of(&frame)) {
                return Reason::Exception(self.raised(goal, thrown.class.clone(), frames));
            }
        }
        let parents = self.facts.graph.parents(goal).to_vec();
        match self.nearest_of(&parents, &[goal]) {
            // Its other way is open; that it has one in common with a covered goal does not help.
            Some(parent) if !self.roots.contains_key(&parent) && self.root_of(parent) == parent => {
                // Taken as found while its own reason is looked for: dependences may go round in circles.
                self.roots.insert(parent, Reason::Budget(Unfinished::NotReached));
                let reason = self.reason_of(parent);
                self.roots.insert(parent, reason.clone());
                reason
            }
            Some(parent) => {
                self.roots.get(&parent).cloned().unwrap_or(Reason::Budget(Unfinished::NotReached))
            }
            None => Reason::Budget(Unfinished::NotReached),
        }
    }

    fn raised(&self, goal: GoalId, class: bytecode::name::ClassName, frames: &[StackFrame]) -> Raised {
        let of_goal = self.facts.goals.goal(goal);
        let name = of_goal.method.split('(').next().unwrap_or_default();
        let left_at = frames.iter().find(|frame| frame.class == of_goal.class && &*frame.method == name);
        Raised { class, thrown_at: frames.first().cloned(), left_at: left_at.cloned() }
    }

    /// Runs a test once more; `None` where there is no executor, or enough was run.
    fn run(&mut self, test: &Arc<TestCase>) -> Option<Seen> {
        if let Some(seen) = self.seen.get(test) {
            return seen.clone();
        }
        let is_wanted = |rerun: &mut Rerun<'_>| self.seen.len() < MOST_RUNS && (rerun.has_time)();
        let seen = self.rerun.as_mut().and_then(|rerun| is_wanted(rerun).then_some(rerun)).map(|rerun| {
            rerun.executor.execute(test, &self.request, rerun.result);
            let trace = &rerun.result.trace;
            Seen {
                outcome: rerun.result.outcome.clone(),
                frames: rerun.result.frames.clone(),
                operands: trace.operands.clone(),
                distances: trace.reached().iter().map(|&id| (id, trace.distance(id))).collect(),
            }
        });
        self.seen.insert(test.clone(), seen.clone());
        seen
    }

    /// Where a comparison depends on which object there is: a type that tests can only give as `null`.
    fn null_argument(&self, test: &TestCase, kind: BranchKind) -> Option<Reason> {
        match kind {
            BranchKind::Null | BranchKind::Reference | BranchKind::InstanceOf | BranchKind::Predicate => {}
            BranchKind::Integer | BranchKind::Wide | BranchKind::Switch | BranchKind::StringSwitch => {
                return None;
            }
        }
        let goal_classes = &self.facts.cluster.goal_classes;
        let calls = test.statements().iter();
        let calls = calls.filter_map(|statement| self.facts.cluster.called_by(statement));
        let mut calls =
            calls.filter(|&call| goal_classes.contains(&self.facts.cluster.callable(call).declared_in));
        let of = calls.find_map(|call| self.unmakeable_parameter(call))?;
        Some(Reason::NoObject { of: self.type_name(of), why: Unmade::NoWay })
    }

    fn unmakeable_parameter(&self, call: CallableId) -> Option<TypeId> {
        let parameters = self.facts.cluster.callable(call).parameters.iter().map(|parameter| parameter.of);
        parameters.into_iter().find(|of| !self.is_makeable(*of))
    }

    fn is_makeable(&self, of: TypeId) -> bool {
        self.costs.get(of.index()).is_some_and(|&cost| cost != UNMAKEABLE)
    }

    fn type_name(&self, of: TypeId) -> Arc<str> {
        type_name(&self.facts.cluster.ty(of).erased).into()
    }

    /// As [`Self::unentered`], found out once.
    fn why_unentered(&mut self, method: MethodIndex) -> Option<Reason> {
        if !self.unentered.contains_key(&method) {
            let reason = self.unentered(method, &mut Vec::new());
            self.unentered.insert(method, reason);
        }
        self.unentered.get(&method).cloned().flatten()
    }

    /// Why no run entered a method; `None` where one did. `asked` are methods on the way.
    fn unentered(&self, method: MethodIndex, asked: &mut Vec<MethodIndex>) -> Option<Reason> {
        let facts = self.facts;
        let of = facts.graph.methods().method(method);
        if facts.near_misses.is_entered(of.entry) {
            return None;
        }
        if let Some(why) = facts.near_misses.undeliverable_entry(of.entry) {
            return Some(Reason::Undeliverable(why));
        }
        if asked.contains(&method) {
            return Some(Reason::NoCall(Barrier::NeverCalled));
        }
        asked.push(method);
        let calls = self.calls_of(of);
        if !calls.is_empty() {
            return Some(self.uncalled(&calls));
        }
        let callers = self.callers_of(method);
        if callers.is_empty() {
            return Some(self.unreachable(of, asked));
        }
        if callers
            .iter()
            .any(|&caller| facts.near_misses.is_entered(facts.graph.methods().method(caller).entry))
        {
            // What keeps the caller from calling is seen in the run that came nearest.
            let is_unknown = facts.executions == 0;
            return is_unknown.then_some(Reason::Budget(Unfinished::Unknown));
        }
        callers.first().and_then(|&caller| self.unentered(caller, asked))
    }

    /// What tests may call that runs exactly this method.
    fn calls_of(&self, of: &Method) -> Vec<CallableId> {
        let is_it = |callable: &Callable| {
            callable.declared_in == of.class
                && callable.name == of.name
                && callable.descriptor == of.descriptor
        };
        let callables = self.facts.cluster.callables.iter().enumerate();
        callables.filter(|(_, callable)| is_it(callable)).map(|(index, _)| CallableId::from(index)).collect()
    }

    /// Other methods with goals that may call it.
    fn callers_of(&self, method: MethodIndex) -> Vec<MethodIndex> {
        let methods = self.facts.graph.methods();
        let of = methods.method(method);
        if of.is_internal {
            let mut callers: Vec<_> = of.call_sites.iter().map(|site| site.caller).collect();
            callers.retain(|&caller| caller != method);
            return callers;
        }
        let calls = |caller: &MethodIndex| methods.method(*caller).callees.contains(&method);
        methods.ids().filter(|caller| *caller != method && calls(caller)).collect()
    }

    /// Why nothing enters a method that no test may call and no other method calls.
    fn unreachable(&self, of: &Method, asked: &mut Vec<MethodIndex>) -> Reason {
        if of.is_internal {
            let is_serialization = SERIALIZATION.contains(&&*of.name);
            let barrier = if is_serialization { Barrier::Serialization } else { Barrier::NeverCalled };
            return Reason::NoCall(barrier);
        }
        let methods = self.facts.graph.methods();
        let is_constructor = |id: &MethodIndex| {
            let method = methods.method(*id);
            method.class == of.class && &*method.name == "<init>"
        };
        // A method that is called from outside, through a supertype: its object comes first.
        if let Some(constructor) = methods.ids().find(is_constructor)
            && let Some(reason) = self.unentered(constructor, asked)
        {
            return reason;
        }
        let is_nameable =
            self.facts.cluster.types.iter().any(|ty| {
                ty.accessible && matches!(&ty.erased, ErasedType::Class(name) if *name == of.class)
            });
        Reason::NoCall(if is_nameable { Barrier::LeftOut } else { Barrier::Inaccessible })
    }

    /// Why no run entered a method although tests may call it.
    fn uncalled(&self, calls: &[CallableId]) -> Reason {
        let facts = self.facts;
        let reasons = calls.iter().map(|&call| {
            let callable = facts.cluster.callable(call);
            if callable.kind == CallableKind::InstanceMethod
                && let Some(why) = self.unmade(callable.owner)
            {
                return Reason::NoObject { of: self.type_name(callable.owner), why };
            }
            if let Some(of) = self.unmakeable_parameter(call).filter(|_| callable.takes_enclosing_instance) {
                return Reason::NoObject { of: self.type_name(of), why: Unmade::NoWay };
            }
            if let Some(class) = facts.near_misses.exception_of(call) {
                let raised = Raised { class: class.clone(), thrown_at: None, left_at: None };
                return Reason::Exception(raised);
            }
            if facts.near_misses.was_cut_short(call) {
                return Reason::Undeliverable(Undeliverable::TimedOut);
            }
            let is_unknown = facts.executions == 0;
            Reason::Budget(if is_unknown { Unfinished::Unknown } else { Unfinished::NotCalled })
        });
        // Of several instances of a generic method, one that could be called tells more.
        let reasons: Vec<Reason> = reasons.collect();
        let could_be_called = reasons.iter().find(|reason| !matches!(reason, Reason::NoObject { .. }));
        let told = could_be_called.or_else(|| reasons.first()).cloned();
        told.unwrap_or(Reason::Budget(Unfinished::NotCalled))
    }

    /// Why there is no object of a type; `None` where one was made, or might have been.
    fn unmade(&self, of: TypeId) -> Option<Unmade> {
        if !self.is_makeable(of) {
            return Some(Unmade::NoWay);
        }
        let mut thrown = None;
        for generator in self.facts.cluster.generators(of) {
            match generator {
                Generator::Callable(call) if self.facts.near_misses.has_completed(*call) => return None,
                Generator::Callable(call) => {
                    thrown = thrown.or_else(|| self.facts.near_misses.exception_of(*call));
                }
                Generator::Field(_) | Generator::Of(_) | Generator::Stub(_) => return None,
            }
        }
        thrown.map(|class| Unmade::Throws(class.clone()))
    }
}

fn is_recent(at: u64, executions: u64) -> bool {
    at as f64 >= (1.0 - RECENT) * executions as f64
}

/// A type as source code writes it, without arguments.
fn type_name(erased: &ErasedType) -> String {
    match erased {
        ErasedType::Primitive(primitive) => primitive.keyword().to_owned(),
        ErasedType::Class(name) => name.binary().replace('$', "."),
        ErasedType::Array(element) => format!("{}[]", type_name(element)),
    }
}
