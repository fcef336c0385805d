//! Interprets tests over a landscape.

use bytecode::name::ClassName;
use bytecode::probe_map::{DirectIds, Evidence, OutcomeId, ProbeId};
use testcase::assertion::ObservationPoint;
use testcase::execution::{
    ComparisonOperand, Cost, ExecutionResult, Executor, Observations, Outcome, ThrowOrigin, Thrown, Touched,
};
use testcase::run_request::RunRequest;
use testcase::statement::Statement;
use testcase::test_case::TestCase;
use testcase::value::Value;

use super::{Comparison, Landscape, MOST_ROUNDS, MethodOf, Node, Operand, mutants};

/// Runs tests over a landscape.
#[derive(Debug)]
pub(crate) struct FakeExecutor<'a> {
    landscape: &'a Landscape,
    /// Tests run.
    pub(crate) executions: u64,
    /// Steps that they cost: one for each call, and as many as a loop has instructions in each round.
    pub(crate) steps: u64,
    state: [i64; 4],
    /// Whether what runs is the method that the test itself called.
    is_direct: bool,
}

struct Crashed;

impl<'a> FakeExecutor<'a> {
    /// Nothing run yet.
    pub(crate) fn new(landscape: &'a Landscape) -> Self {
        Self { landscape, executions: 0, steps: 0, state: [0; 4], is_direct: true }
    }

    fn call(&mut self, index: usize, arguments: &[i64], result: &mut ExecutionResult) -> Result<(), Crashed> {
        let landscape = self.landscape;
        let probes = &landscape.maps[0].methods[index];
        self.hit(probes.entry, 1, result);
        result.cost.steps += 1;
        let MethodOf { body, .. } = &landscape.methods[index];
        let mut position = Position { branch: 0, line: 0, block: 1, mutant: 0 };
        self.body(index, body, arguments, &mut position, true, result)?;
        if let Some(returns) = &probes.returns {
            self.hit(returns.probe, 1, result);
        }
        Ok(())
    }

    /// Distances to infection of the mutants of one instruction, which come next.
    fn infect(
        &self,
        (method, position): (usize, &mut Position),
        (left, comparison, right): (i64, Option<Comparison>, i64),
        runs: bool,
        result: &mut ExecutionResult,
    ) {
        let mutants = &self.landscape.maps[0].methods[method].mutants[position.mutant..];
        let changes = &self.landscape.changes[method][position.mutant..];
        let count = mutants.iter().take_while(|mutant| mutant.probe == mutants[0].probe).count();
        position.mutant += count;
        for (mutant, change) in mutants[..count].iter().zip(changes).filter(|_| runs) {
            self.hit(mutant.probe, 1, result);
            self.come(mutant.infection, mutants::infection(*change, comparison, left, right), result);
        }
    }

    /// The second numbers, while a call by the test itself runs.
    fn direct(&self) -> Option<DirectIds> {
        self.landscape.direct.filter(|_| self.is_direct)
    }

    fn hit(&self, probe: ProbeId, hits: u32, result: &mut ExecutionResult) {
        result.trace.record_hits(probe, hits);
        if let Some(direct) = self.direct() {
            result.trace.record_hits(direct.probe(probe), hits);
        }
    }

    /// Records how near a run came to an outcome.
    fn come(&self, outcome: OutcomeId, distance: f64, result: &mut ExecutionResult) {
        result.trace.record_distance(outcome, distance);
        if let Some(direct) = self.direct() {
            result.trace.record_distance(direct.outcome(outcome), distance);
        }
    }

    /// Records that a branch compared values; the operands once for the test itself and once for other code.
    fn compare(&self, probe: ProbeId, values: &[i64], result: &mut ExecutionResult) {
        let hit = self.direct().map_or(probe, |direct| direct.probe(probe));
        let is_first = result.trace.count(hit) == 0;
        self.hit(probe, 1, result);
        for &value in values.iter().filter(|_| is_first) {
            result.trace.operands.push(ComparisonOperand { probe, hit, value: Value::Int(value as i32) });
        }
    }

    /// Passes a loop that is to run that often.
    fn turn(
        &self,
        method: usize,
        value: i64,
        position: &mut Position,
        runs: bool,
        result: &mut ExecutionResult,
    ) -> u32 {
        let probes = &self.landscape.maps[0].methods[method];
        let (head, block) = (&probes.branches[position.branch], probes.blocks[position.block]);
        position.branch += 1;
        position.block += 1;
        let rounds = if runs { value.clamp(0, MOST_ROUNDS) as u32 } else { 0 };
        if runs {
            self.hit(head.probe, rounds + 1, result);
            self.hit(block.probe, rounds, result);
            let to_enter = if rounds > 0 { 0.0 } else { (1 - value) as f64 };
            self.come(head.outcomes[0].id, to_enter, result);
            self.come(head.outcomes[1].id, 0.0, result);
        }
        rounds
    }

    /// Walks a body; what does not run is walked as well, to count branches and lines along.
    fn body(
        &mut self,
        method: usize,
        body: &[Node],
        arguments: &[i64],
        position: &mut Position,
        runs: bool,
        result: &mut ExecutionResult,
    ) -> Result<(), Crashed> {
        for node in body {
            match node {
                Node::If(left, comparison, right, then, otherwise) => {
                    let branch = &self.landscape.maps[0].methods[method].branches[position.branch];
                    position.branch += 1;
                    let (left, right) = (self.value(*left, arguments), self.value(*right, arguments));
                    self.infect((method, position), (left, Some(*comparison), right), runs, result);
                    let (to_true, to_false) = distances(left, *comparison, right);
                    if runs {
                        self.compare(branch.probe, &[left, right], result);
                        self.come(branch.outcomes[0].id, to_true, result);
                        self.come(branch.outcomes[1].id, to_false, result);
                    }
                    self.body(method, then, arguments, position, runs && to_true == 0.0, result)?;
                    self.body(method, otherwise, arguments, position, runs && to_false == 0.0, result)?;
                }
                Node::Switch(operand, cases) => {
                    let branch = &self.landscape.maps[0].methods[method].branches[position.branch];
                    position.branch += 1;
                    let value = self.value(*operand, arguments);
                    let taken = cases.iter().position(|(key, _)| i64::from(*key) == value);
                    if runs {
                        self.compare(branch.probe, &[value], result);
                        let nearest = cases.iter().map(|(key, _)| (i64::from(*key) - value).abs() as f64);
                        let default = (cases.len(), f64::from(u8::from(taken.is_some())));
                        for (index, distance) in nearest.enumerate().chain([default]) {
                            self.come(branch.outcomes[index].id, distance, result);
                        }
                    }
                    for (index, (_, body)) in cases.iter().enumerate() {
                        self.body(method, body, arguments, position, runs && taken == Some(index), result)?;
                    }
                }
                Node::Line => {
                    let line = &self.landscape.maps[0].methods[method].lines[position.line];
                    position.line += 1;
                    if let (true, [Evidence::Hit(probe)]) = (runs, line.covered_by.as_slice()) {
                        self.hit(*probe, 1, result);
                    }
                }
                Node::Block(lines) => {
                    let line = &self.landscape.maps[0].methods[method].lines[position.line];
                    position.line += *lines as usize;
                    if let (true, [Evidence::Hit(probe)]) = (runs, line.covered_by.as_slice()) {
                        self.hit(*probe, 1, result);
                    }
                }
                Node::Sum(left, right) | Node::Use(left, right) => {
                    let (left, right) = (self.value(*left, arguments), self.value(*right, arguments));
                    self.infect((method, position), (left, None, right), runs, result);
                }
                Node::Call(name) if runs => {
                    let methods = &self.landscape.methods;
                    let callee = methods.iter().position(|method| method.name == *name).unwrap();
                    let is_direct = std::mem::take(&mut self.is_direct);
                    let called = self.call(callee, arguments, result);
                    self.is_direct = is_direct;
                    called?;
                }
                Node::Add(slot, amount) if runs => self.state[*slot] += amount,
                Node::Touch(touched) if runs => result.touched = result.touched.union(*touched),
                Node::Crash if runs => return Err(Crashed),
                Node::Loop(operand, instructions, _) => {
                    let turned = self.turn(method, self.value(*operand, arguments), position, runs, result);
                    result.cost.steps += u64::from(turned) * u64::from(*instructions);
                }
                Node::Call(_) | Node::Add(..) | Node::Touch(_) | Node::Crash => {}
            }
        }
        Ok(())
    }

    fn value(&self, operand: Operand, arguments: &[i64]) -> i64 {
        match operand {
            Operand::Argument(index) => arguments[index],
            Operand::Constant(value) => value,
            Operand::State(slot) => self.state[slot],
        }
    }
}

struct Position {
    branch: usize,
    line: usize,
    /// Behind the block of the entry.
    block: usize,
    mutant: usize,
}

/// To true and to false (Korel 1990, with an offset of 1).
fn distances(left: i64, comparison: Comparison, right: i64) -> (f64, f64) {
    let difference = (left - right) as f64;
    match comparison {
        Comparison::Equal => (difference.abs(), f64::from(u8::from(left == right))),
        Comparison::Less if left < right => (0.0, -difference),
        Comparison::Less => (difference + 1.0, 0.0),
    }
}

impl Executor for FakeExecutor<'_> {
    fn execute(&mut self, test: &TestCase, _: &RunRequest, result: &mut ExecutionResult) {
        self.executions += 1;
        self.state = [0; 4];
        result.trace.clear();
        result.touched = Touched::default();
        result.outcome = Outcome::Passed;
        result.executed = 0;
        result.cost = Cost::default();
        let mut most = 0;
        for (position, statement) in test.statements().iter().enumerate() {
            if let Statement::Method { callable, arguments, .. } = statement {
                let arguments: Vec<i64> = arguments.iter().map(|&used| int(test.statement(used))).collect();
                let name = &self.landscape.cluster.callable(*callable).name;
                let methods = &self.landscape.methods;
                let method = methods.iter().position(|method| method.name == &**name).unwrap();
                self.is_direct = true;
                let before = result.cost.steps;
                let called = self.call(method, &arguments, result);
                let steps = result.cost.steps - before;
                if steps > most {
                    (most, result.cost.dearest) = (steps, position);
                }
                if called.is_err() {
                    let class = ClassName::new("java/lang/ArithmeticException");
                    result.outcome = Outcome::Threw(Thrown { position, class, origin: ThrowOrigin::Jvm });
                    break;
                }
            }
            result.executed += 1;
        }
        self.steps += result.cost.steps;
    }

    fn observe(&mut self, _: &TestCase, points: &[ObservationPoint]) -> Observations {
        Observations { outcome: Outcome::Passed, values: vec![None; points.len()] }
    }
}

/// Keeps every test that is run.
pub(crate) struct Recording<'a> {
    inner: FakeExecutor<'a>,
    pub(crate) tests: Vec<TestCase>,
}

impl<'a> Recording<'a> {
    pub(crate) fn new(landscape: &'a Landscape) -> Self {
        Self { inner: FakeExecutor::new(landscape), tests: Vec::new() }
    }
}

impl Executor for Recording<'_> {
    fn execute(&mut self, test: &TestCase, request: &RunRequest, result: &mut ExecutionResult) {
        self.tests.push(test.clone());
        self.inner.execute(test, request, result);
    }

    fn observe(&mut self, test: &TestCase, points: &[ObservationPoint]) -> Observations {
        self.inner.observe(test, points)
    }
}

/// The value of a primitive statement.
pub(crate) fn int(statement: &Statement) -> i64 {
    match statement {
        Statement::Primitive { value, boxed: false } => value.as_integer().expect("an int"),
        other => panic!("{other:?} is no int"),
    }
}
