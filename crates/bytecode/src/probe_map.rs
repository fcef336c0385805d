//! What instrumentation reports of a class: which probe stands where, and what its reports mean.
//!
//! The map is made together with the instrumented class and is all that the rest of the tool knows of the code:
//! goals, control dependence and fitness are computed from it alone. It is data, so tests can write one by hand.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::access::Access;
use crate::instruction::InstructionIndex;
use crate::mutate::operator::MutationOperator;
use crate::mutate::sign::Sign;
use crate::name::ClassName;
use crate::values::ValueProbes;

/// A point that counts its hits, dense over all instrumented classes of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ProbeId(pub u32);

/// One outcome of a branch, dense over all instrumented classes of a run; a trace has a distance for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct OutcomeId(pub u32);

impl ProbeId {
    /// As an index into the counts of a trace.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl OutcomeId {
    /// As an index into the distances of a trace.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A mutant; ascending over all classes with goals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct MutantId(pub u32);

/// The probes of one class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbeMap {
    /// The class.
    pub class: ClassName,
    /// Hash of the original class file (FNV-1a, 64 bits): goals are only comparable between equal hashes.
    pub hash: u64,
    /// Methods with code that were instrumented, in class-file order.
    pub methods: Vec<MethodProbes>,
    /// Methods left alone, with the reason.
    pub skipped: Vec<SkippedMethod>,
}

/// A method that was not instrumented.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkippedMethod {
    /// Name and descriptor, `name(I)V`.
    pub method: Arc<str>,
    /// Why.
    pub reason: SkipReason,
}

/// Why a method was not instrumented.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SkipReason {
    /// With probes it would exceed 65,535 bytes of code, or a jump or an operand its range.
    TooLarge,
    /// It has subroutines (`jsr`, `ret`), which compilers stopped making with Java 6.
    Subroutine,
    /// The code cannot be decoded.
    Malformed,
    /// A JVM has refused the code with the probes in it.
    Refused,
}

impl fmt::Display for SkipReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::TooLarge => "it is too large to carry probes",
            Self::Subroutine => "it has jsr subroutines",
            Self::Malformed => "its code cannot be decoded",
            Self::Refused => "the JVM refuses its code with probes",
        })
    }
}

/// The probes of one method.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MethodProbes {
    /// Name.
    pub name: Arc<str>,
    /// Descriptor.
    pub descriptor: Arc<str>,
    /// Access flags.
    pub access: Access,
    /// Hit once per call, before anything else.
    pub entry: ProbeId,
    /// Whether its branches and lines are goals; false for what the compiler made (and JaCoCo filters).
    pub is_goal: bool,
    /// First source line, if recorded.
    pub first_line: Option<u32>,
    /// Conditional jumps and switches in code order, also those that are no goals: they guide.
    pub branches: Vec<Branch>,
    /// Source lines that are goals, ascending: those with code that JaCoCo counts. Empty without a line number
    /// table, and for a method that is no goal.
    pub lines: Vec<Line>,
    /// Runs of instructions of one line within one basic block that JaCoCo counts, in code order; empty unless asked for
    /// ([`crate::analysis::AnalysisOptions::statements`]).
    pub statements: Vec<StatementRun>,
    /// The second numbers of its probes and outcomes, for calls by the test itself; `None` where these are not told
    /// apart.
    pub direct: Option<DirectIds>,
    /// Hit when it returns, and what its `return` instructions directly control-depend on; only if asked for
    /// ([`crate::analysis::AnalysisOptions::direct`]) and if there is such an instruction.
    pub returns: Option<Returns>,
    /// Basic blocks with a probe each, in code order; empty unless asked for
    /// ([`crate::analysis::AnalysisOptions::blocks`]).
    pub blocks: Vec<Block>,
    /// Calls of methods of instrumented classes, in code order.
    pub calls: Vec<CallSite>,
    /// Fields that the method reads and writes, in code order without repetition.
    pub fields: Vec<FieldUse>,
    /// Its mutants, by instruction; empty unless asked for ([`crate::analysis::AnalysisOptions::mutants`]).
    pub mutants: Vec<Mutant>,
    /// Whether its code does not carry its mutants: it would be too large with them, or a JVM has refused it.
    pub lacks_mutants: bool,
    /// Whether its code shows that its result is never `null`.
    pub never_returns_null: bool,
    /// Outcomes for the classes of its arguments and its result, where asked for
    /// ([`crate::values::add_value_probes`]): a test that calls the method itself has distances to them.
    pub values: Vec<ValueProbes>,
}

impl MethodProbes {
    /// A public method that is a goal, with an entry and nothing else.
    pub fn new(name: impl Into<Arc<str>>, descriptor: impl Into<Arc<str>>, entry: ProbeId) -> Self {
        Self {
            name: name.into(),
            descriptor: descriptor.into(),
            access: Access(0x0001),
            entry,
            is_goal: true,
            first_line: None,
            branches: Vec::new(),
            lines: Vec::new(),
            statements: Vec::new(),
            direct: None,
            returns: None,
            blocks: Vec::new(),
            calls: Vec::new(),
            fields: Vec::new(),
            mutants: Vec::new(),
            lacks_mutants: false,
            never_returns_null: false,
            values: Vec::new(),
        }
    }
}

/// A conditional jump or switch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Branch {
    /// Where it stands.
    pub instruction: InstructionIndex,
    /// Source line, if recorded.
    pub line: Option<u32>,
    /// Hit each time the branch is executed.
    pub probe: ProbeId,
    /// What it decides on.
    pub kind: BranchKind,
    /// Two outcomes of a jump (taken, not taken), one per distinct target of a switch in order of the first
    /// key, the default last. Their [`OutcomeId`]s are consecutive.
    pub outcomes: Vec<Outcome>,
    /// Outcomes on which it directly control-depends (Ferrante, Ottenstein and Warren 1987); empty when it
    /// is reached on every way through the method. A loop head's dependence on itself is left out.
    pub controlled_by: Vec<OutcomeId>,
    /// Whether it can be executed again and again in one call; only known where blocks were asked for
    /// ([`crate::analysis::AnalysisOptions::blocks`]).
    pub in_loop: bool,
}

/// What a branch compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum BranchKind {
    /// Integers, also booleans, characters and comparisons of `long` with zero.
    Integer,
    /// `long`, `float` or `double`.
    Wide,
    /// A reference with `null`.
    Null,
    /// Two references.
    Reference,
    /// The result of a predicate: on strings, collections, characters, numbers.
    Predicate,
    /// The result of `instanceof`.
    InstanceOf,
    /// A switch on integers, characters or enum ordinals.
    Switch,
    /// A switch on strings.
    StringSwitch,
}

/// One way out of a branch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// Its place in the distances of a trace. A distance of exactly 0.0 means taken.
    pub id: OutcomeId,
    /// Keys of the switch that lead here; empty for jumps and for a pure default.
    pub keys: Vec<i32>,
    /// Whether it is a goal. Compiler-made outcomes are not, but still guide.
    pub is_goal: bool,
    /// Any of these shows that it counts as covered. JaCoCo's semantics: taking the outcome is not always
    /// enough, the code behind it must reach the next probe. Of an outcome that is no goal: that it was taken.
    pub covered_by: Vec<Evidence>,
}

/// A source line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// Its number.
    pub number: u32,
    /// Any of these shows that at least one of its instructions counts as covered.
    pub covered_by: Vec<Evidence>,
    /// Outcomes on which its instructions directly control-depend, those of all its blocks together; empty
    /// when one of them is reached on every way through the method.
    pub controlled_by: Vec<OutcomeId>,
}

/// Instructions of one source line in one basic block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatementRun {
    /// The first of them.
    pub instruction: InstructionIndex,
    /// Number of the basic block, ascending in code order.
    pub block: u32,
    /// Source line, if recorded.
    pub line: Option<u32>,
    /// Any of these shows that they count as covered.
    pub covered_by: Vec<Evidence>,
    /// Outcomes on which they directly control-depend.
    pub controlled_by: Vec<OutcomeId>,
}

/// How a method comes to return: without an exception.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Returns {
    /// Hit before each `return` instruction.
    pub probe: ProbeId,
    /// Outcomes on which these instructions directly control-depend, all together; empty when one of them is reached on
    /// every way through the method that ends in no `throw`.
    pub controlled_by: Vec<OutcomeId>,
}

/// A basic block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// Hit each time it begins.
    pub probe: ProbeId,
    /// Number of its instructions.
    pub instructions: u32,
    /// Number of instructions among them that make an object or array.
    pub allocations: u32,
}

/// The second numbers of probes and outcomes, for methods that the test itself called ([`MethodProbes::direct`]): the
/// first ones plus a constant that is beyond all of them, the same for all classes of a run
/// ([`crate::analysis::number_direct`]). What such a call does is reported under both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct DirectIds(pub u32);

impl DirectIds {
    /// The second number of a probe.
    pub fn probe(self, probe: ProbeId) -> ProbeId {
        ProbeId(probe.0 + self.0)
    }

    /// The second number of an outcome.
    pub fn outcome(self, outcome: OutcomeId) -> OutcomeId {
        OutcomeId(outcome.0 + self.0)
    }

    /// What shows the same of a call by the test itself.
    pub fn evidence(self, evidence: Evidence) -> Evidence {
        match evidence {
            Evidence::Hit(probe) => Evidence::Hit(self.probe(probe)),
            Evidence::Taken(outcome) => Evidence::Taken(self.outcome(outcome)),
        }
    }
}

/// A small change of the code that a good suite notices: a copy of the class has it in itself, to be selected at run time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mutant {
    /// Its number.
    pub id: MutantId,
    /// The instruction that it changes.
    pub instruction: InstructionIndex,
    /// Source line, if recorded.
    pub line: Option<u32>,
    /// What made it.
    pub operator: MutationOperator,
    /// What it replaces, `+`.
    pub from: Arc<str>,
    /// What it puts there, `-`.
    pub to: Arc<str>,
    /// The operators, where it replaces one of two numbers by another.
    pub signs: Option<(Sign, Sign)>,
    /// The change in words, `replaced + by -`.
    pub words: Arc<str>,
    /// Whether every run that reaches it infects it.
    pub always_infected: bool,
    /// Hit when the instruction is executed.
    pub probe: ProbeId,
    /// Its distance is that to infection: 0 exactly when the original and the mutant differ right behind the instruction.
    /// The mutant is selected by this outcome.
    pub infection: OutcomeId,
    /// Its distance is that to propagation: 0 when a run of the mutant was told from that of the original. Only recorded
    /// for mutants that were run.
    pub propagation: OutcomeId,
    /// Outcomes on which the instruction directly control-depends.
    pub controlled_by: Vec<OutcomeId>,
}

/// Something in a trace that shows coverage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Evidence {
    /// The probe was hit.
    Hit(ProbeId),
    /// The outcome was taken: its distance is 0.
    Taken(OutcomeId),
}

/// A call of a method of an instrumented class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallSite {
    /// Class named in the call.
    pub owner: ClassName,
    /// Name of the method.
    pub name: Arc<str>,
    /// Its descriptor.
    pub descriptor: Arc<str>,
    /// Outcomes on which the call directly control-depends.
    pub controlled_by: Vec<OutcomeId>,
}

/// A use of a field.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FieldUse {
    /// Class named in the access.
    pub owner: ClassName,
    /// Name of the field.
    pub name: Arc<str>,
    /// Whether the method writes it.
    pub written: bool,
}
