//! Coverage goals, numbered, and which of them a trace covers.

use std::fmt;
use std::sync::Arc;

use bytecode::instruction::InstructionIndex;
use bytecode::name::ClassName;
use bytecode::probe_map::{Evidence, OutcomeId, ProbeId};
use serde::{Deserialize, Serialize};
use testcase::execution::ExecutionTrace;

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
        /// Source line, if recorded.
        line: Option<u32>,
    },
    /// Enter a method that has no branch.
    Entry,
    /// Execute a line.
    Line(u32),
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
    /// Hit when the method is entered.
    pub entry: ProbeId,
    /// The outcome that guides to it, for branch goals.
    pub outcome: Option<OutcomeId>,
    /// Any of these shows it covered.
    pub covered_by: Vec<Evidence>,
    /// Outcomes on which it directly control-depends; empty for a root of its method.
    pub controlled_by: Vec<OutcomeId>,
}

impl Goal {
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
            GoalKind::Branch { instruction, outcome, .. } => {
                write!(formatter, "@{}:{outcome}", instruction.0)
            }
            GoalKind::Entry => formatter.write_str("@entry"),
            GoalKind::Line(number) => write!(formatter, "@line{number}"),
        }
    }
}

/// The goals of a session, with an index from evidence to goals.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct GoalSet {
    goals: Vec<Goal>,
    by_probe: Vec<Vec<GoalId>>,
    by_outcome: Vec<Vec<GoalId>>,
}

impl GoalSet {
    /// Numbers the goals in the order given.
    pub fn new(goals: Vec<Goal>) -> Self {
        let mut set = Self { goals: Vec::new(), by_probe: Vec::new(), by_outcome: Vec::new() };
        for (index, goal) in goals.iter().enumerate() {
            let id = GoalId(index as u32);
            for evidence in &goal.covered_by {
                let (table, slot) = match evidence {
                    Evidence::Hit(probe) => (&mut set.by_probe, probe.index()),
                    Evidence::Taken(outcome) => (&mut set.by_outcome, outcome.index()),
                };
                if table.len() <= slot {
                    table.resize_with(slot + 1, Vec::new);
                }
                table[slot].push(id);
            }
        }
        set.goals = goals;
        set
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

    /// Collects the goals that the trace covers, ascending, into `covered` (cleared first), in time
    /// proportional to what the run touched.
    pub fn covered(&self, trace: &ExecutionTrace, covered: &mut Vec<GoalId>) {
        covered.clear();
        for probe in trace.touched() {
            covered.extend(self.by_probe.get(probe.index()).into_iter().flatten());
        }
        for outcome in trace.reached() {
            if trace.distance(*outcome) == 0.0 {
                covered.extend(self.by_outcome.get(outcome.index()).into_iter().flatten());
            }
        }
        covered.sort_unstable();
        covered.dedup();
    }
}
