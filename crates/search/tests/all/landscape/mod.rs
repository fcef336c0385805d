//! Landscapes for the search: small programs over `int`s with a fake executor that interprets them, and a fake source
//! of tests. Distances are real, so the search finds what it would find in code of the same shape.

#![allow(dead_code, reason = "the benchmark uses a part of it")]

pub(crate) mod executor;
mod mutants;
mod source;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use bytecode::access::Access;
use bytecode::analysis::{ProbeIds, number_direct};
use bytecode::descriptor::PrimitiveType;
use bytecode::instruction::InstructionIndex;
use bytecode::probe_map::{
    Block, Branch, BranchKind, CallSite, DirectIds, Evidence, FieldUse, Line, MethodProbes, Outcome,
    OutcomeId, ProbeId, ProbeMap, Returns, StatementRun,
};
use coverage::criterion;
use coverage::goal::GoalSet;
use coverage::goal_graph::GoalGraph;
use fixedbitset::FixedBitSet;
use search::budget::{Budget, Limit};
use search::context::SearchEnvironment;
use search::event::SearchEvent;
use search::local_search::options::LocalSearchOptions;
use search::options::SearchOptions;
use search::search::{SearchRequest, SearchResult};
use testcase::cluster::testing::ClusterBuilder;
use testcase::cluster::{TestCluster, TypeId};
use testcase::execution::{Executor, Touched};
use testcase::random::Random;
use testcase::test_case::TestCase;

pub(crate) use executor::FakeExecutor;
use mutants::{Change, Proposal};
pub(crate) use source::IntSource;

/// Something that is compared.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Operand {
    /// A parameter of the method.
    Argument(usize),
    /// A literal.
    Constant(i64),
    /// Static state, 0 before each test.
    State(usize),
}

/// A comparison.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Comparison {
    /// `==`
    Equal,
    /// `<`
    Less,
}

/// A statement of a program.
#[derive(Debug, Clone)]
pub(crate) enum Node {
    /// `if (left ? right) { … } else { … }`
    If(Operand, Comparison, Operand, Vec<Node>, Vec<Node>),
    /// `switch (operand) { case key: … }`, without a body for the default.
    Switch(Operand, Vec<(i32, Vec<Node>)>),
    /// A line that does nothing.
    Line,
    /// That many lines in a basic block of their own.
    Block(u32),
    /// Adds two operands, which says nothing but to mutants.
    Sum(Operand, Operand),
    /// Uses the first operand where the second one is at hand, which says nothing but to mutants.
    Use(Operand, Operand),
    /// A call that passes the arguments on.
    Call(&'static str),
    /// Adds to a state.
    Add(usize, i64),
    /// Touches the world outside.
    Touch(Touched),
    /// A loop that runs as often as the operand says, at most [`MOST_ROUNDS`] times, with that many instructions and
    /// allocations each time.
    Loop(Operand, u32, u32),
    /// Ends the test with an exception that the JVM made.
    Crash,
}

/// Rounds of a [`Node::Loop`], at most.
pub(crate) const MOST_ROUNDS: i64 = 1000;

/// A method of a program.
#[derive(Debug, Clone)]
pub(crate) struct MethodOf {
    /// Name.
    pub(crate) name: &'static str,
    /// Number of `int` parameters.
    pub(crate) parameters: usize,
    /// Whether tests cannot call it.
    pub(crate) is_private: bool,
    /// What it does.
    pub(crate) body: Vec<Node>,
}

/// A public method.
pub(crate) fn method(name: &'static str, parameters: usize, body: Vec<Node>) -> MethodOf {
    MethodOf { name, parameters, is_private: false, body }
}

/// A private method.
pub(crate) fn private(name: &'static str, parameters: usize, body: Vec<Node>) -> MethodOf {
    MethodOf { is_private: true, ..method(name, parameters, body) }
}

/// `if (argument == constant) { … }`
pub(crate) fn if_equal(argument: usize, constant: i64, then: Vec<Node>) -> Node {
    Node::If(Operand::Argument(argument), Comparison::Equal, Operand::Constant(constant), then, vec![])
}

/// A program with its probes and cluster.
#[derive(Debug)]
pub(crate) struct Landscape {
    /// The program.
    pub(crate) methods: Vec<MethodOf>,
    /// Its probes.
    pub(crate) maps: Vec<ProbeMap>,
    /// What tests may call.
    pub(crate) cluster: TestCluster,
    /// Its goals.
    pub(crate) goals: GoalSet,
    /// Number of probes.
    pub(crate) probes: usize,
    /// Number of outcomes.
    pub(crate) outcomes: usize,
    /// What calls of the test itself are told apart by, where criteria ask for it.
    pub(crate) direct: Option<DirectIds>,
    /// What the mutants of each method do, by method and mutant.
    pub(crate) changes: Vec<Vec<Change>>,
}

const CLASS: &str = "Landscape";

impl Landscape {
    /// Numbers a program.
    pub(crate) fn new(criteria: &[&str], methods: Vec<MethodOf>) -> Self {
        let needs = criterion::needs(criteria).unwrap();
        let mut numbering = Numbering {
            methods: &methods,
            ids: ProbeIds::default(),
            needs: (needs.direct, needs.mutants),
            changes: Vec::new(),
        };
        let probes_of: Vec<_> = methods.iter().map(|method| numbering.method(method)).collect();
        let (ids, changes) = (numbering.ids, numbering.changes);
        let mut maps =
            vec![ProbeMap { class: CLASS.into(), hash: 1, methods: probes_of, skipped: Vec::new() }];
        number_direct(&mut maps, ids);
        let direct = needs.direct.then(|| ids.direct());
        let size = |count: u32| (count + direct.map_or(0, |direct| direct.0)) as usize;
        let (probes, outcomes) = (size(ids.probes), size(ids.outcomes));
        let goals = criterion::goals(criteria, &maps).unwrap();
        let cluster = cluster(&methods);
        Self { methods, maps, cluster, goals, probes, outcomes, direct, changes }
    }

    /// A search of it without seeds.
    pub(crate) fn request<'a>(
        &'a self,
        algorithm: &'a str,
        graph: &'a GoalGraph,
        options: SearchOptions,
    ) -> SearchRequest<'a> {
        SearchRequest {
            algorithm,
            goals: self.goals.clone(),
            maps: &self.maps,
            graph,
            cluster: &self.cluster,
            probes: self.probes,
            outcomes: self.outcomes,
            seeds: Vec::new(),
            test_searches: Vec::new(),
            options,
        }
    }

    /// Its goal graph.
    pub(crate) fn graph(&self, call_dependences: bool) -> GoalGraph {
        GoalGraph::new(&self.maps, &self.goals, call_dependences)
    }

    /// Searches with a budget in executions, passing on what happens.
    pub(crate) fn search_with(
        &self,
        setup: Setup<'_>,
        source: &mut dyn search::source::TestSource,
        events: &mut dyn FnMut(SearchEvent<'_>),
    ) -> SearchResult {
        self.search_on(setup, &mut FakeExecutor::new(self), source, events)
    }

    /// As [`Landscape::search_with`], with an executor of its own.
    pub(crate) fn search_on(
        &self,
        setup: Setup<'_>,
        executor: &mut dyn Executor,
        source: &mut dyn search::source::TestSource,
        events: &mut dyn FnMut(SearchEvent<'_>),
    ) -> SearchResult {
        self.search_guided(setup, None, executor, source, events)
    }

    /// As [`Landscape::search_on`], where only some goals guide.
    pub(crate) fn search_guided(
        &self,
        setup: Setup<'_>,
        guides: Option<&FixedBitSet>,
        executor: &mut dyn Executor,
        source: &mut dyn search::source::TestSource,
        events: &mut dyn FnMut(SearchEvent<'_>),
    ) -> SearchResult {
        let mut graph = self.graph(setup.call_dependences);
        if let Some(guides) = guides {
            graph.guide_by(guides);
        }
        let request =
            SearchRequest { seeds: setup.seeds, ..self.request(setup.algorithm, &graph, setup.options) };
        let mut environment = SearchEnvironment {
            executor,
            source,
            random: &mut Random::new(setup.seed, 0),
            budget: &mut budget(setup.executions),
            events,
        };
        search::search::run(request, &mut environment).unwrap()
    }

    /// Searches with the fake source, without the dynamic pool: it would tell all constants at once.
    pub(crate) fn search(&self, setup: Setup<'_>) -> SearchResult {
        let mut source = IntSource::new(self);
        source.has_pool = false;
        self.search_with(setup, &mut source, &mut |_| ())
    }

    /// In how many of 20 seeds every goal is covered.
    pub(crate) fn many_seeds(&self, setup: &Setup<'_>) -> usize {
        let runs = (1_000..1_020).map(|seed| self.search(Setup { seed, ..setup.clone() }));
        runs.filter(|result| result.archive.is_complete()).count()
    }
}

/// How to search.
#[derive(Debug, Clone)]
pub(crate) struct Setup<'a> {
    /// Name of the algorithm.
    pub(crate) algorithm: &'a str,
    /// Seed of the randomness.
    pub(crate) seed: u64,
    /// Budget.
    pub(crate) executions: u64,
    /// Options.
    pub(crate) options: SearchOptions,
    /// Whether the goal graph has call dependences.
    pub(crate) call_dependences: bool,
    /// Tests to begin with.
    pub(crate) seeds: Vec<TestCase>,
}

/// Default options but for local search, which is off where it is no part of the algorithm: what evolution does is told apart
/// from it. Seed 0.
pub(crate) fn setup(algorithm: &str, executions: u64) -> Setup<'_> {
    let options = evolution_alone();
    Setup { algorithm, seed: 0, executions, options, call_dependences: true, seeds: Vec::new() }
}

/// Default options, without local search beside the algorithm.
pub(crate) fn evolution_alone() -> SearchOptions {
    let local_search = LocalSearchOptions { rate: 0, ..LocalSearchOptions::default() };
    SearchOptions { local_search, ..SearchOptions::default() }
}

/// A budget in executions.
pub(crate) fn budget(executions: u64) -> Budget {
    Budget::new(Limit::Executions(executions), Arc::new(AtomicBool::new(false)))
}

/// Numbers probes and outcomes in the order in which a program is written; the executor counts along.
struct Numbering<'a> {
    methods: &'a [MethodOf],
    ids: ProbeIds,
    /// Whether calls of the test itself are told apart, and whether there are mutants.
    needs: (bool, bool),
    /// By method and mutant.
    changes: Vec<Vec<Change>>,
}

impl Numbering<'_> {
    fn probe(&mut self) -> ProbeId {
        self.ids.probes += 1;
        ProbeId(self.ids.probes - 1)
    }

    fn outcome(&mut self) -> OutcomeId {
        self.ids.outcomes += 1;
        OutcomeId(self.ids.outcomes - 1)
    }

    fn method(&mut self, method: &MethodOf) -> MethodProbes {
        let mut probes = MethodProbes {
            access: Access(if method.is_private { 0x000A } else { 0x0009 }),
            ..MethodProbes::new(method.name, descriptor(method.parameters), self.probe())
        };
        probes.blocks.push(Block { probe: probes.entry, instructions: 1, allocations: 0 });
        if self.needs.0 {
            probes.direct = Some(DirectIds::default());
            probes.returns = Some(Returns { probe: self.probe(), controlled_by: Vec::new() });
        }
        self.changes.push(Vec::new());
        self.body(&method.body, &[], &mut probes);
        probes
    }

    /// Numbers the mutants of an instruction.
    fn mutants(&mut self, proposals: &[Proposal], controlled_by: &[OutcomeId], probes: &mut MethodProbes) {
        if !self.needs.1 {
            return;
        }
        let probe = self.probe();
        for proposal in proposals {
            let ids = (probe, self.outcome());
            let id = self.ids.mutants as usize;
            self.ids.mutants += 1;
            probes.mutants.push(mutants::mutant(proposal, id, ids, controlled_by));
            if let Some(changes) = self.changes.last_mut() {
                changes.push(proposal.change);
            }
        }
    }

    fn body(&mut self, body: &[Node], controlled_by: &[OutcomeId], probes: &mut MethodProbes) {
        for node in body {
            match node {
                Node::If(left, comparison, right, then, otherwise) => {
                    let outcomes = self.branch(controlled_by, probes);
                    self.mutants(&mutants::of_condition(*left, *comparison, *right), controlled_by, probes);
                    for operand in [left, right] {
                        if let Operand::State(slot) = operand {
                            probes.fields.push(field(*slot, false));
                        }
                    }
                    self.body(then, &outcomes[..1], probes);
                    self.body(otherwise, &outcomes[1..], probes);
                }
                Node::Switch(_, cases) => {
                    let keys = cases.iter().map(|(key, _)| vec![*key]).chain([Vec::new()]).collect();
                    let outcomes = self.decide(BranchKind::Switch, keys, controlled_by, probes);
                    for (outcome, (_, body)) in outcomes.iter().zip(cases) {
                        self.body(body, &[*outcome], probes);
                    }
                }
                Node::Line => {
                    let covered_by = vec![Evidence::Hit(self.probe())];
                    let controlled_by = controlled_by.to_vec();
                    probes.lines.push(Line { number: self.ids.probes, covered_by, controlled_by });
                }
                Node::Block(lines) => self.block(*lines, controlled_by, probes),
                Node::Sum(left, right) => {
                    self.mutants(&mutants::of_sum(*left, *right), controlled_by, probes);
                }
                Node::Use(left, _) => self.mutants(&mutants::of_use(*left), controlled_by, probes),
                Node::Call(name) => {
                    let callee = self.methods.iter().find(|method| method.name == *name).unwrap();
                    probes.calls.push(CallSite {
                        owner: CLASS.into(),
                        name: (*name).into(),
                        descriptor: descriptor(callee.parameters).into(),
                        controlled_by: controlled_by.to_vec(),
                    });
                }
                Node::Add(slot, _) => probes.fields.push(field(*slot, true)),
                Node::Loop(_, instructions, allocations) => {
                    self.branch(controlled_by, probes);
                    if let Some(head) = probes.branches.last_mut() {
                        head.in_loop = true;
                    }
                    let (instructions, allocations) = (*instructions, *allocations);
                    probes.blocks.push(Block { probe: self.probe(), instructions, allocations });
                }
                Node::Touch(_) | Node::Crash => {}
            }
        }
    }

    /// Lines that one probe shows covered.
    fn block(&mut self, lines: u32, controlled_by: &[OutcomeId], probes: &mut MethodProbes) {
        let covered_by = vec![Evidence::Hit(self.probe())];
        let first = probes.lines.last().map_or(1, |line| line.number + 1);
        let block = probes.statements.last().map_or(0, |last| last.block + 1);
        for number in first..first + lines {
            let (covered_by, controlled_by) = (covered_by.clone(), controlled_by.to_vec());
            probes.lines.push(Line {
                number,
                covered_by: covered_by.clone(),
                controlled_by: controlled_by.clone(),
            });
            let (instruction, line) = (InstructionIndex(number), Some(number));
            probes.statements.push(StatementRun { instruction, block, line, covered_by, controlled_by });
        }
    }

    fn branch(&mut self, controlled_by: &[OutcomeId], probes: &mut MethodProbes) -> Vec<OutcomeId> {
        self.decide(BranchKind::Integer, vec![Vec::new(); 2], controlled_by, probes)
    }

    /// A branch with an outcome for each of these keys.
    fn decide(
        &mut self,
        kind: BranchKind,
        keys: Vec<Vec<i32>>,
        controlled_by: &[OutcomeId],
        probes: &mut MethodProbes,
    ) -> Vec<OutcomeId> {
        let outcomes: Vec<Outcome> = keys
            .into_iter()
            .map(|keys| {
                let id = self.outcome();
                Outcome { id, keys, is_goal: true, covered_by: vec![Evidence::Taken(id)] }
            })
            .collect();
        let ids = outcomes.iter().map(|outcome| outcome.id).collect();
        probes.branches.push(Branch {
            instruction: InstructionIndex(probes.branches.len() as u32),
            line: None,
            probe: self.probe(),
            kind,
            outcomes,
            controlled_by: controlled_by.to_vec(),
            in_loop: false,
        });
        ids
    }
}

fn field(slot: usize, written: bool) -> FieldUse {
    FieldUse { owner: CLASS.into(), name: format!("state{slot}").into(), written }
}

fn descriptor(parameters: usize) -> String {
    format!("({})V", "I".repeat(parameters))
}

/// A cluster of static methods over `int`s; the callables of public methods come first, in order.
fn cluster(methods: &[MethodOf]) -> TestCluster {
    let mut builder = ClusterBuilder::new(CLASS);
    let class = builder.class_under_test();
    let int = TypeId::primitive(PrimitiveType::Int);
    for method in methods.iter().filter(|method| !method.is_private) {
        builder.static_method(class, method.name, &vec![int; method.parameters], None);
    }
    builder.build()
}
