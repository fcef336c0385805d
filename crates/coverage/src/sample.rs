//! Hand-made probe maps for the tests of this crate.

use bytecode::access::Access;
use bytecode::analysis::{ProbeIds, number_direct};
use bytecode::instruction::InstructionIndex;
use bytecode::mutate::operator::MutationOperator;
use bytecode::mutate::sign::Sign;
use bytecode::probe_map::{
    Branch, BranchKind, CallSite, DirectIds, Evidence, Line, MethodProbes, Mutant, MutantId, Outcome,
    OutcomeId, ProbeId, ProbeMap, Returns, StatementRun,
};
use bytecode::values::{ValueOf, ValueProbes, ValueShape};
use testcase::execution::ExecutionTrace;

use crate::goal::{Goal, GoalSet};

/// Names of all goals in order.
pub(crate) fn names(goals: &GoalSet) -> Vec<String> {
    goals.goals().iter().map(Goal::to_string).collect()
}

/// Writes probe maps class by class and method by method; ids are given in order.
#[derive(Debug)]
pub(crate) struct ProgramBuilder {
    maps: Vec<ProbeMap>,
    probes: u32,
    outcomes: u32,
}

impl ProgramBuilder {
    /// Starts with one class.
    pub(crate) fn new(class: &str) -> Self {
        let mut builder = Self { maps: Vec::new(), probes: 0, outcomes: 0 };
        builder.class(class);
        builder
    }

    /// Starts another class; methods are added to it from now on.
    pub(crate) fn class(&mut self, name: &str) -> &mut Self {
        self.maps.push(ProbeMap { class: name.into(), hash: 1, methods: Vec::new(), skipped: Vec::new() });
        self
    }

    /// The public method of that name and no parameters in the current class, made when it is not there yet.
    pub(crate) fn method(&mut self, name: &str) -> MethodBuilder<'_> {
        let map = self.maps.last_mut().unwrap();
        let index = map.methods.iter().position(|method| &*method.name == name).unwrap_or_else(|| {
            map.methods.push(MethodProbes::new(name, "()V", ProbeId(self.probes)));
            self.probes += 1;
            map.methods.len() - 1
        });
        let class = map.class.as_str().to_owned();
        MethodBuilder {
            class,
            method: &mut map.methods[index],
            probes: &mut self.probes,
            outcomes: &mut self.outcomes,
        }
    }

    /// The maps.
    pub(crate) fn build(&self) -> Vec<ProbeMap> {
        let mut maps = self.maps.clone();
        number_direct(
            &mut maps,
            ProbeIds { probes: self.probes, outcomes: self.outcomes, ..ProbeIds::default() },
        );
        maps
    }

    /// What second numbers are made with.
    pub(crate) fn direct(&self) -> DirectIds {
        ProbeIds { probes: self.probes, outcomes: self.outcomes, ..ProbeIds::default() }.direct()
    }

    /// As [`ProgramBuilder::trace`], with room for second numbers; the methods in `direct` were called by the test
    /// itself.
    pub(crate) fn trace_of_calls(
        &self,
        entered: &[&str],
        direct: &[&str],
        distances: &[(OutcomeId, f64)],
    ) -> ExecutionTrace {
        let shift = self.direct();
        let size = 2 * shift.0 as usize;
        let mut trace = ExecutionTrace::new(size, size);
        for method in self.maps.iter().flat_map(|map| &map.methods) {
            if entered.contains(&&*method.name) {
                trace.record_hits(method.entry, 1);
            }
            if direct.contains(&&*method.name) {
                trace.record_hits(shift.probe(method.entry), 1);
            }
        }
        for &(outcome, distance) in distances {
            trace.record_distance(outcome, distance);
        }
        trace
    }

    /// A trace in which these methods of any class were entered, and these outcomes have these distances.
    pub(crate) fn trace(&self, entered: &[&str], distances: &[(OutcomeId, f64)]) -> ExecutionTrace {
        let mut trace = ExecutionTrace::new(self.probes as usize, self.outcomes as usize);
        for method in self.maps.iter().flat_map(|map| &map.methods) {
            if entered.contains(&&*method.name) {
                trace.record_hits(method.entry, 1);
            }
        }
        for &(outcome, distance) in distances {
            trace.record_distance(outcome, distance);
        }
        trace
    }
}

/// Adds to one method.
#[derive(Debug)]
pub(crate) struct MethodBuilder<'a> {
    class: String,
    method: &'a mut MethodProbes,
    probes: &'a mut u32,
    outcomes: &'a mut u32,
}

impl MethodBuilder<'_> {
    /// Makes it private.
    pub(crate) fn private(&mut self) -> &mut Self {
        self.method.access = Access(2);
        self
    }

    /// Tells calls by the test itself apart.
    pub(crate) fn direct(&mut self) -> &mut Self {
        self.method.direct = Some(DirectIds::default());
        self
    }

    /// Makes it return, depending on these outcomes.
    pub(crate) fn returns(&mut self, controlled_by: &[OutcomeId]) -> &mut Self {
        self.method.returns = Some(Returns { probe: self.probe(), controlled_by: controlled_by.to_vec() });
        self
    }

    /// A statement with a probe of its own.
    pub(crate) fn statement(&mut self, instruction: u32, controlled_by: &[OutcomeId]) -> &mut Self {
        self.statement_in(instruction, None, instruction, controlled_by)
    }

    /// A statement of a line in a basic block, with a probe of its own.
    pub(crate) fn statement_in(
        &mut self,
        block: u32,
        line: Option<u32>,
        instruction: u32,
        controlled_by: &[OutcomeId],
    ) -> &mut Self {
        let statement = StatementRun {
            instruction: InstructionIndex(instruction),
            block,
            line,
            covered_by: vec![Evidence::Hit(self.probe())],
            controlled_by: controlled_by.to_vec(),
        };
        self.method.statements.push(statement);
        self
    }

    /// Makes its code no goal.
    pub(crate) fn generated(&mut self) -> &mut Self {
        self.method.is_goal = false;
        self
    }

    fn probe(&mut self) -> ProbeId {
        *self.probes += 1;
        ProbeId(*self.probes - 1)
    }

    /// A jump; taken, not taken.
    pub(crate) fn branch(&mut self, controlled_by: &[OutcomeId]) -> (OutcomeId, OutcomeId) {
        let outcomes = self.switch(2, controlled_by);
        (outcomes[0], outcomes[1])
    }

    /// A switch.
    pub(crate) fn switch(&mut self, targets: u32, controlled_by: &[OutcomeId]) -> Vec<OutcomeId> {
        let ids: Vec<_> = (*self.outcomes..*self.outcomes + targets).map(OutcomeId).collect();
        *self.outcomes += targets;
        let branch = Branch {
            instruction: InstructionIndex(self.method.branches.len() as u32),
            line: None,
            probe: self.probe(),
            kind: BranchKind::Integer,
            outcomes: ids
                .iter()
                .map(|&id| Outcome {
                    id,
                    keys: Vec::new(),
                    is_goal: true,
                    covered_by: vec![Evidence::Taken(id)],
                })
                .collect(),
            controlled_by: controlled_by.to_vec(),
            in_loop: false,
        };
        self.method.branches.push(branch);
        ids
    }

    /// Makes an outcome of the last branch no goal.
    pub(crate) fn compiler_made_outcome(&mut self, index: usize) -> &mut Self {
        self.method.branches.last_mut().unwrap().outcomes[index].is_goal = false;
        self
    }

    /// Makes an outcome of the last branch covered only by a probe of its own.
    pub(crate) fn evidence(&mut self, index: usize) -> ProbeId {
        let probe = self.probe();
        self.method.branches.last_mut().unwrap().outcomes[index].covered_by = vec![Evidence::Hit(probe)];
        probe
    }

    /// Mutants of one instruction; gives their infections.
    pub(crate) fn mutants(&mut self, count: u32, controlled_by: &[OutcomeId]) -> Vec<OutcomeId> {
        let (probe, first) = (self.probe(), *self.outcomes);
        *self.outcomes += 2 * count;
        for place in 0..count {
            self.method.mutants.push(Mutant {
                id: MutantId(self.method.mutants.len() as u32),
                instruction: InstructionIndex(0),
                line: None,
                operator: MutationOperator::Arithmetic,
                from: "+".into(),
                to: "-".into(),
                signs: Some((Sign::Add, Sign::Subtract)),
                words: "replaced + by -".into(),
                always_infected: false,
                probe,
                infection: OutcomeId(first + place),
                propagation: OutcomeId(first + count + place),
                controlled_by: controlled_by.to_vec(),
            });
        }
        (first..first + count).map(OutcomeId).collect()
    }

    /// A mutant of an operator; whether every run that reaches it infects it.
    pub(crate) fn mutant(
        &mut self,
        operator: MutationOperator,
        signs: Option<(Sign, Sign)>,
        always_infected: bool,
    ) -> &mut Self {
        self.mutants(1, &[]);
        let mutant = self.method.mutants.last_mut().unwrap();
        (mutant.operator, mutant.signs) = (operator, signs);
        mutant.always_infected = always_infected;
        self
    }

    /// A line with a probe of its own.
    pub(crate) fn line(&mut self, number: u32, controlled_by: &[OutcomeId]) -> &mut Self {
        let covered_by = vec![Evidence::Hit(self.probe())];
        self.method.lines.push(Line { number, covered_by, controlled_by: controlled_by.to_vec() });
        self
    }

    /// A value; the outcome of its first class.
    pub(crate) fn value(&mut self, of: ValueOf, shape: ValueShape) -> OutcomeId {
        let first = OutcomeId(*self.outcomes);
        *self.outcomes += shape.partitions().len() as u32;
        self.method.values.push(ValueProbes { of, inspector: None, shape, first, is_never_null: false });
        first
    }

    /// A call of a method of the same class.
    pub(crate) fn call(&mut self, name: &str, controlled_by: &[OutcomeId]) -> &mut Self {
        self.method.calls.push(CallSite {
            owner: self.class.as_str().into(),
            name: name.into(),
            descriptor: "()V".into(),
            controlled_by: controlled_by.to_vec(),
        });
        self
    }
}
