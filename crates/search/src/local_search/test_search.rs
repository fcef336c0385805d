//! Local search on whole tests, given in by the caller: what needs more than this crate knows, such as symbolic execution.

use std::sync::Arc;

use bytecode::instruction::InstructionIndex;
use bytecode::name::ClassName;
use coverage::goal::{Goal, GoalKind};

use super::climb::Climb;

/// The names of all test searches that there are. This crate has none of them: it knows their names, so that users may ask for
/// them as for operators. One that the caller of a search did not give does nothing.
pub const TEST_SEARCHES: &[&str] = &["symbolic-execution"];

/// A local search that changes a test as a whole. It keeps what it knows from one application to the next.
pub trait TestSearch: std::fmt::Debug {
    /// Its name, in kebab case: users turn it on and off by it, as operators. One of [`TEST_SEARCHES`].
    fn name(&self) -> &'static str;

    /// Changes the test as long as that helps. Every test that it runs counts for every goal of the search. It is applied to the
    /// nearest test of a goal, after the operators; for suites, to each test of the best individual, where what is better is
    /// added to the suite and does not replace the test that it began with.
    fn improve(&mut self, climb: &mut Climb<'_>);
}

/// An outcome of a branch that is a goal and not covered.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct OpenOutcome {
    /// The class.
    pub class: ClassName,
    /// The method: name and descriptor, `name(I)V`.
    pub method: Arc<str>,
    /// The branch.
    pub instruction: InstructionIndex,
    /// Which outcome of it: 0 is the jump of a conditional jump, 1 that it goes on; of a switch one per distinct target in the
    /// order of the first key, the default last.
    pub outcome: u16,
}

impl OpenOutcome {
    /// The outcome that a goal asks for; `None` of a goal that asks for something else.
    pub(crate) fn of(goal: &Goal) -> Option<Self> {
        let GoalKind::Branch { instruction, outcome } = goal.kind else { return None };
        Some(Self { class: goal.class.clone(), method: Arc::clone(&goal.method), instruction, outcome })
    }
}
