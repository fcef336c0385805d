//! Coverage goals, numbered, and which of them a trace covers.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use bytecode::instruction::InstructionIndex;
use bytecode::mutate::operator::MutationOperator;
use bytecode::name::ClassName;
use bytecode::probe_map::{Evidence, MutantId, OutcomeId, ProbeId};
use bytecode::values::{Inspector, ValueOf, ValuePartition};
use serde::{Deserialize, Serialize};
use testcase::execution::{ExceptionKind, ExecutionTrace};
use testcase::run_request::MutantTarget;

/// A goal of a session, dense from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct GoalId(pub u32);

impl GoalId {
    /// As an index into the goals.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a goal asks for, as a person would say it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum GoalKind {
    /// Take an outcome of a branch: its place, and which outcome (0 is the jump of a conditional jump).
    Branch {
        /// The branch.
        instruction: InstructionIndex,
        /// Index of the outcome.
        outcome: u16,
    },
    /// Enter a method that has no branch.
    Entry,
    /// Execute a line.
    Line(u32),
    /// Execute the instructions of a line in one basic block.
    Statement {
        /// The first of them.
        instruction: InstructionIndex,
    },
    /// Call a method.
    Call,
    /// Call a method so that it returns, without an exception.
    Return,
    /// Execute an instruction so that a mutant of it does something else (infection), or so that a test kills it.
    Mutant {
        /// The mutant.
        mutant: MutantId,
        /// What made it.
        operator: MutationOperator,
        /// The change in words.
        change: Arc<str>,
        /// The outcome that says how far what it does otherwise gets, where a test must kill the mutant.
        propagation: Option<OutcomeId>,
    },
    /// Call a method so that it lets an exception through.
    Throw {
        /// Class of the exception.
        exception: ClassName,
        /// Where it comes from.
        kind: ExceptionKind,
    },
    /// Call the method so that a value of the call is in a partition.
    Value {
        /// Which value.
        of: ValueOf,
        /// What is asked of it; `None` when it is looked at itself.
        inspector: Option<Inspector>,
        /// The partition.
        partition: ValuePartition,
    },
}

impl GoalKind {
    /// Whether runs take longer for recording what covers such goals, so that they are asked for those that are open
    /// ([`testcase::run_request::RunRequest::outcomes`]).
    pub fn costs_time(&self) -> bool {
        matches!(self, Self::Mutant { .. } | Self::Value { inspector: Some(_), .. })
    }
}

/// A coverage goal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Goal {
    /// Name of the criterion that it belongs to.
    pub criterion: Arc<str>,
    /// Class that holds it.
    pub class: ClassName,
    /// Hash of that class file.
    pub hash: u64,
    /// Method: name and descriptor, `name(I)V`.
    pub method: Arc<str>,
    /// What it asks for.
    pub kind: GoalKind,
    /// Source line where it lies, that of the method for one that is about the whole of it; `None` where the class
    /// file records none.
    pub line: Option<u32>,
    /// Hit when the method is entered.
    pub entry: ProbeId,
    /// The outcome that guides to it, for goals of branches and values.
    pub outcome: Option<OutcomeId>,
    /// Any of these shows it covered.
    pub covered_by: Vec<Evidence>,
    /// Outcomes on which it directly control-depends; empty for a root of its method.
    pub controlled_by: Vec<OutcomeId>,
}

impl Goal {
    /// The mutant that a test must kill.
    pub fn mutant(&self) -> Option<MutantTarget> {
        let GoalKind::Mutant { propagation: Some(propagation), .. } = &self.kind else { return None };
        Some(MutantTarget { infection: self.outcome?, propagation: *propagation })
    }

    /// The mutant that a test must infect, and need not kill.
    pub fn infected_mutant(&self) -> Option<OutcomeId> {
        match &self.kind {
            GoalKind::Mutant { propagation: None, .. } => self.outcome,
            GoalKind::Mutant { propagation: Some(_), .. }
            | GoalKind::Branch { .. }
            | GoalKind::Entry
            | GoalKind::Line(_)
            | GoalKind::Statement { .. }
            | GoalKind::Call
            | GoalKind::Return
            | GoalKind::Throw { .. }
            | GoalKind::Value { .. } => None,
        }
    }

    /// Whether the trace covers it.
    pub fn is_covered(&self, trace: &ExecutionTrace) -> bool {
        self.covered_by.iter().any(|&evidence| trace.shows(evidence))
    }
}

/// Prints a stable, sortable name: `branch org/acme/Foo#bar(I)V@12:0`.
impl fmt::Display for Goal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}#{}", self.criterion, self.class, self.method)?;
        match &self.kind {
            GoalKind::Branch { instruction, outcome } => {
                write!(formatter, "@{}:{outcome}", instruction.0)
            }
            GoalKind::Entry => formatter.write_str("@entry"),
            GoalKind::Line(number) => write!(formatter, "@line{number}"),
            GoalKind::Statement { instruction } => write!(formatter, "@statement{}", instruction.0),
            GoalKind::Call => formatter.write_str("@call"),
            GoalKind::Return => formatter.write_str("@return"),
            GoalKind::Mutant { mutant, .. } => write!(formatter, "@mutant{}", mutant.0),
            GoalKind::Throw { exception, kind } => write!(formatter, "@{kind:?}:{exception}"),
            GoalKind::Value { of, inspector, partition } => {
                match of {
                    ValueOf::Parameter(parameter) => write!(formatter, "@{parameter}")?,
                    ValueOf::Result => formatter.write_str("@result")?,
                }
                if let Some(inspector) = inspector {
                    write!(formatter, ".{inspector}")?;
                }
                write!(formatter, ":{partition:?}")
            }
        }
    }
}

/// The goals of a session, with an index from evidence to goals.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct GoalSet {
    goals: Vec<Goal>,
    by_probe: Index,
    by_outcome: Index,
    /// Goals added later, by the probe that shows each covered.
    added: BTreeMap<ProbeId, GoalId>,
}

/// Goals by a dense number: those of number `n` lie in `goals[starts[n]..starts[n + 1]]`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Index {
    starts: Vec<u32>,
    goals: Vec<GoalId>,
}

impl Index {
    /// Sorts pairs of number and goal into the index.
    fn new(mut pairs: Vec<(usize, GoalId)>) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        let mut index = Self { starts: vec![0], goals: Vec::with_capacity(pairs.len()) };
        for (number, goal) in pairs {
            index.starts.resize(number + 1, index.goals.len() as u32);
            index.goals.push(goal);
        }
        index.starts.push(index.goals.len() as u32);
        index
    }

    fn get(&self, number: usize) -> &[GoalId] {
        match self.starts.get(number..number + 2) {
            Some(&[start, end]) => &self.goals[start as usize..end as usize],
            _ => &[],
        }
    }
}

impl GoalSet {
    /// Numbers the goals in the order given.
    pub fn new(goals: Vec<Goal>) -> Self {
        let mut by_probe = Vec::new();
        let mut by_outcome = Vec::new();
        for (number, goal) in goals.iter().enumerate() {
            let id = GoalId(number as u32);
            for evidence in &goal.covered_by {
                match evidence {
                    Evidence::Hit(probe) => by_probe.push((probe.index(), id)),
                    Evidence::Taken(outcome) => by_outcome.push((outcome.index(), id)),
                }
            }
        }
        let (by_probe, by_outcome) = (Index::new(by_probe), Index::new(by_outcome));
        Self { goals, by_probe, by_outcome, added: BTreeMap::new() }
    }

    /// The set without goals that are no aim, and these, ascending. Those that are left have other numbers, in the same order.
    /// Only for a set to which none was added.
    pub fn without(self, settled: &BTreeSet<GoalId>) -> (Self, Vec<Goal>) {
        if settled.is_empty() {
            return (self, Vec::new());
        }
        let (mut left, mut taken) = (Vec::new(), Vec::new());
        for (id, goal) in (0..).map(GoalId).zip(self.goals) {
            if settled.contains(&id) { &mut taken } else { &mut left }.push(goal);
        }
        (Self::new(left), taken)
    }

    /// The mutants that tests must kill, to be run by [`testcase::execution::Executor`].
    pub fn mutants(&self) -> Vec<MutantTarget> {
        self.goals.iter().filter_map(Goal::mutant).collect()
    }

    /// Adds a goal that became known while tests ran, covered by a hit of this probe.
    pub fn add(&mut self, goal: Goal, probe: ProbeId) -> GoalId {
        let id = GoalId(self.goals.len() as u32);
        self.goals.push(Goal { covered_by: vec![Evidence::Hit(probe)], ..goal });
        self.added.insert(probe, id);
        id
    }

    /// Number of goals that were added.
    pub fn added(&self) -> usize {
        self.added.len()
    }

    /// Whether a goal was added for this probe.
    pub fn knows(&self, probe: ProbeId) -> bool {
        self.added.contains_key(&probe)
    }

    /// The goals in order.
    pub fn goals(&self) -> &[Goal] {
        &self.goals
    }

    /// Number of goals.
    pub fn len(&self) -> usize {
        self.goals.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.goals.is_empty()
    }

    /// A goal.
    pub fn goal(&self, id: GoalId) -> &Goal {
        &self.goals[id.index()]
    }

    /// All ids in order.
    pub fn ids(&self) -> impl Iterator<Item = GoalId> + use<> {
        (0..self.goals.len() as u32).map(GoalId)
    }

    /// Calls `visit` on every goal that the trace covers, in no particular but a deterministic order and possibly
    /// more than once, in time proportional to what the run touched.
    pub fn for_each_covered(&self, trace: &ExecutionTrace, mut visit: impl FnMut(GoalId)) {
        for probe in trace.touched() {
            self.by_probe.get(probe.index()).iter().copied().for_each(&mut visit);
            if !self.added.is_empty()
                && let Some(&goal) = self.added.get(probe)
            {
                visit(goal);
            }
        }
        for outcome in trace.reached() {
            if trace.distance(*outcome) == 0.0 {
                self.by_outcome.get(outcome.index()).iter().copied().for_each(&mut visit);
            }
        }
    }

    /// Collects the goals that the trace covers, ascending, into `covered` (cleared first), in time
    /// proportional to what the run touched.
    pub fn covered(&self, trace: &ExecutionTrace, covered: &mut Vec<GoalId>) {
        covered.clear();
        self.for_each_covered(trace, |goal| covered.push(goal));
        covered.sort_unstable();
        covered.dedup();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::criterion::goals;
    use crate::goal::{Goal, GoalId};
    use crate::sample::ProgramBuilder;

    #[test]
    fn covered_goals_are_those_that_show_evidence() {
        let mut program = ProgramBuilder::new("Foo");
        let (left, right) = program.method("bar").branch(&[]);
        let probe = program.method("bar").evidence(1);
        program.method("bar").line(1, &[]);
        program.method("baz");
        let goals = goals(&["branch", "line"], &program.build()).unwrap();
        let mut trace = program.trace(&["bar", "baz"], &[(left, 0.0), (right, 0.0)]);
        let check = |trace: &_, expect: &[u32]| {
            let mut covered = vec![GoalId(77)];
            goals.covered(trace, &mut covered);
            assert_eq!(covered, expect.iter().copied().map(GoalId).collect::<Vec<_>>());
            for id in goals.ids() {
                assert_eq!(goals.goal(id).is_covered(trace), covered.contains(&id));
            }
        };
        check(&trace, &[0, 2]);
        trace.record_hits(probe, 1);
        check(&trace, &[0, 1, 2]);
        trace.clear();
        check(&trace, &[]);
    }

    #[test]
    fn what_is_left_of_goals_is_numbered_anew_and_covered_as_before() {
        let mut program = ProgramBuilder::new("Foo");
        let (left, right) = program.method("bar").branch(&[]);
        program.method("baz");
        let goals = goals(&["branch"], &program.build()).unwrap();
        let names = |goals: &[Goal]| goals.iter().map(ToString::to_string).collect::<Vec<_>>();
        let all = names(goals.goals());
        let (rest, taken) = goals.without(&BTreeSet::from([GoalId(0)]));
        assert_eq!((names(rest.goals()), names(&taken)), (all[1..].to_vec(), all[..1].to_vec()));
        let mut covered = Vec::new();
        rest.covered(&program.trace(&["bar"], &[(left, 0.0), (right, 1.0)]), &mut covered);
        assert_eq!(covered, []);
        rest.covered(&program.trace(&["bar"], &[(left, 1.0), (right, 0.0)]), &mut covered);
        assert_eq!(covered, [GoalId(0)]);
    }
}
