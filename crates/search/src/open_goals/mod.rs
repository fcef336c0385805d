//! Why goals stay open: the reason that a person would give, for each goal that no test covers.
//!
//! * [`near_misses`]: what the search keeps of its runs for that
//! * [`explain`]: from goals, test cluster and near misses to reasons
//!
//! Reasons are data: what is said of them is the caller's.

pub mod explain;
pub mod near_misses;

use std::sync::Arc;

use bytecode::name::ClassName;
use bytecode::probe_map::BranchKind;
use coverage::goal::GoalId;
use serde::{Deserialize, Serialize};
use testcase::execution::{ExecutionResult, Outcome, StackFrame, Touched};
use testcase::value::Value;

/// A goal that stayed open.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OpenGoal {
    /// The goal.
    pub goal: GoalId,
    /// The open goal that guards it, as far out as there is one: covering that comes first. `None` when nothing but
    /// the reason keeps the goal open.
    pub behind: Option<GoalId>,
    /// The best fitness of a run that came nearer than any run is; `None` where none did.
    pub fitness: Option<f64>,
    /// Why it is open, or, where it is guarded, why the goal is that guards it.
    pub reason: Reason,
}

/// Why a goal is open.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Reason {
    /// No object of a type could be made that has to be there.
    NoObject {
        /// The type, as source code writes it.
        of: Arc<str>,
        /// Why none could be made.
        why: Unmade,
    },
    /// A comparison was made and never came out this way.
    NoValue(Comparison),
    /// A mutant was executed and never killed, or a value seen and never in the partition.
    Unmet(Unmet),
    /// No test may make the call.
    NoCall(Barrier),
    /// An exception ends the runs that come near.
    Exception(Raised),
    /// Runs cover it, and their tests cannot be delivered.
    Undeliverable(Undeliverable),
    /// The code of its method does not carry its mutants, so that no run can show it.
    Uncarried,
    /// Nothing speaks against it: the budget was spent first.
    Budget(Unfinished),
}

/// Why no object could be made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unmade {
    /// There is no constructor, factory, field or literal that a test may use.
    NoWay,
    /// Every way to make one that was tried threw an exception, one of this class to begin with.
    Throws(ClassName),
}

/// The run of a comparison that came nearest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// What is compared.
    pub kind: BranchKind,
    /// Source line, if recorded.
    pub line: Option<u32>,
    /// The least distance of a run, raw and above 0; `None` where it is not known.
    pub distance: Option<f64>,
    /// The values that were compared last in that run, as far as they are recorded: two at most.
    pub operands: Vec<Value>,
    /// Runs that made the comparison.
    pub runs: u64,
    /// Whether those runs differed in their distance: if not, the outcome may be impossible.
    pub varied: bool,
}

/// The run that came nearest where nothing is compared in the code.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Unmet {
    /// The least distance of a run, raw; `None` where it is not known.
    pub distance: Option<f64>,
    /// Runs that executed the mutant or showed the value.
    pub runs: u64,
    /// Whether those runs differed in their distance: if not, the goal may be impossible.
    pub varied: bool,
}

/// What keeps tests from making a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Barrier {
    /// A private member, or code made by the compiler, that nothing in the class calls: no run can ever get there.
    NeverCalled,
    /// A private member that only serialization calls.
    Serialization,
    /// The class or the member may not be named by a test, and nothing that a test may call leads there.
    Inaccessible,
    /// It could be called as Java has it, and the test cluster leaves it out: it needs a caller of its own, acts on
    /// the process or the world outside, or its result differs from run to run.
    LeftOut,
}

/// An exception that comes first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Raised {
    /// Its class.
    pub class: ClassName,
    /// Where it was thrown, if known.
    pub thrown_at: Option<StackFrame>,
    /// Where it left the method of the goal, if it came through it.
    pub left_at: Option<StackFrame>,
}

/// Why tests that cover a goal cannot be delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Undeliverable {
    /// They use up the steps or the time of a test, or the stack.
    TimedOut,
    /// They end the JVM.
    Exited,
    /// They touch files.
    Files,
    /// They touch the network.
    Network,
    /// They start processes.
    Processes,
    /// They read the environment.
    Environment,
    /// They sleep or wait for long.
    Waits,
}

impl Undeliverable {
    /// What is wrong with a run; `None` where nothing is.
    pub fn of(result: &ExecutionResult) -> Option<Self> {
        match result.outcome {
            Outcome::TimedOut => return Some(Self::TimedOut),
            Outcome::Exited => return Some(Self::Exited),
            Outcome::Passed | Outcome::Threw(_) => {}
        }
        let kinds = [
            (Touched::EXIT, Self::Exited),
            (Touched::PROCESS, Self::Processes),
            (Touched::NETWORK, Self::Network),
            (Touched::FILE_READ.union(Touched::FILE_WRITE), Self::Files),
            (Touched::ENVIRONMENT, Self::Environment),
            (Touched::WAIT, Self::Waits),
        ];
        kinds.into_iter().find(|(touched, _)| result.touched.intersects(*touched)).map(|(_, kind)| kind)
    }
}

/// How far the search was when the budget was spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unfinished {
    /// A nearer run was found not long ago: within the last fifth of the search.
    Improving,
    /// So few runs made its comparison, executed the mutant or showed the value.
    Rare(u64),
    /// Its method was entered, and no run came to this place, though none was kept from it by what can be told.
    NotReached,
    /// It does not guide the search, and no run covered it on the way to others.
    NotAimedAt,
    /// Its method could be called and never was.
    NotCalled,
    /// The search ended before it could tell: its worker was lost.
    Unknown,
}
