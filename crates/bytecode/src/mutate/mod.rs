//! Mutants: small changes of code that a good suite notices, found in a method before it is instrumented.
//!
//! An [`Operator`] proposes replacements at instructions; one file and one variant of
//! [`MutationOperator`] each. Replacements of
//! one instruction by the same means make a [`MutationPoint`], which gets one probe and an outcome per mutant. How
//! instrumented code carries them, and what infects a mutant, is described in `docs/design/mutants.md`.

mod arithmetic;
mod bitwise;
mod call;
mod comparison;
mod condition;
mod constant;
mod field;
mod increment;
mod negative;
pub mod operator;
mod returns;
pub mod sign;
mod site;
mod unary;
mod variable;

use std::sync::Arc;

use crate::analysis::ProbeIds;
use crate::instruction::InstructionIndex;
use crate::method_code::{MethodCode, instruction_index};
use crate::opcode::*;
use crate::probe_map::{Mutant, MutantId, OutcomeId, ProbeId};
use crate::verification::Frame;
use operator::MutationOperator;
use sign::Sign;
use site::Site;

/// Mutants of one method at most, as `EvoSuite` has it: beyond, a method says little that the others do not, and outgrows
/// what a class file can hold.
const MOST: usize = 700;

/// A way to change code.
#[derive(Debug)]
pub(crate) struct Operator {
    /// Its name in reports.
    pub(crate) name: &'static str,
    /// Proposes replacements at an instruction.
    find: fn(&Site<'_>, usize, &mut Proposals),
}

/// By what means mutants act on an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Means {
    /// The operands of a conditional jump, or of the comparison in front of it.
    Condition,
    /// Another operator in place of the instruction.
    Operator,
    /// Another value than the one on top of the stack behind the instruction.
    Result,
    /// Another value of a local variable behind an `iinc`.
    Increment,
    /// Another value than the one that is returned.
    Return,
    /// Another local variable than the one that is loaded.
    Variable(u16),
    /// A call that does not happen.
    Call,
}

/// What kind of value an instruction is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `int` and smaller types.
    Int,
    /// `long`
    Long,
    /// `float`
    Float,
    /// `double`
    Double,
    /// A reference.
    Reference,
}

impl Kind {
    /// Of values with such a descriptor; `None` for `void`.
    pub(crate) fn of(descriptor: &str) -> Option<Self> {
        Some(match descriptor.as_bytes().first()? {
            b'J' => Self::Long,
            b'F' => Self::Float,
            b'D' => Self::Double,
            b'L' | b'[' => Self::Reference,
            b'V' => return None,
            _ => Self::Int,
        })
    }
}

/// Numbers of replacements: bits of a point's mask, as `covolve.runtime.Mutant` has them.
pub(crate) mod replacement {
    /// 0.
    pub(crate) const ZERO: u8 = 0;
    /// 1.
    pub(crate) const ONE: u8 = 1;
    /// -1.
    pub(crate) const MINUS_ONE: u8 = 2;
    /// The value less 1.
    pub(crate) const LESS: u8 = 3;
    /// The value plus 1.
    pub(crate) const MORE: u8 = 4;
    /// The value with the other sign.
    pub(crate) const NEGATED: u8 = 5;
    /// The value as if the increment had gone the other way.
    pub(crate) const OPPOSITE: u8 = 6;
    /// `null`, of references.
    pub(crate) const NULL: u8 = 0;
    /// The empty string, of references.
    pub(crate) const EMPTY_STRING: u8 = 1;
    /// The only replacement of a point that has one.
    pub(crate) const ONLY: u8 = 0;
}

/// A replacement that an operator proposes.
#[derive(Debug)]
struct Proposal {
    at: (usize, Means),
    number: u8,
    kind: Kind,
    operator: MutationOperator,
    change: Change,
}

/// What operators propose for a method.
#[derive(Debug)]
pub(crate) struct Proposals {
    found: Vec<Proposal>,
    /// Whose turn it is.
    operator: MutationOperator,
}

impl Proposals {
    /// Proposes replacement `number` at an instruction, of a value of this kind.
    fn add(&mut self, instruction: usize, means: Means, kind: Kind, number: u8, change: Change) {
        let at = (instruction, means);
        self.found.push(Proposal { at, number, kind, operator: self.operator, change });
    }
}

/// What a replacement is, in words.
#[derive(Debug)]
struct Change {
    from: String,
    to: String,
    /// The operators, where one is replaced by another.
    signs: Option<(Sign, Sign)>,
    words: String,
    /// The class that a reference has, if not `Object`.
    class: Option<Arc<str>>,
    always_infected: bool,
}

impl Change {
    fn new(from: impl Into<String>, to: impl Into<String>) -> Self {
        let (from, to) = (from.into(), to.into());
        let words = format!("replaced {from} by {to}");
        Self { from, to, signs: None, words, class: None, always_infected: false }
    }

    /// One operator by another.
    fn of_sign(from: Sign, to: Sign) -> Self {
        Self { signs: Some((from, to)), ..Self::new(from.text(), to.text()) }
    }

    fn words(self, words: impl Into<String>) -> Self {
        Self { words: words.into(), ..self }
    }

    fn class(self, class: Option<Arc<str>>) -> Self {
        Self { class, ..self }
    }

    fn always(self) -> Self {
        Self { always_infected: true, ..self }
    }
}

/// A place where mutants act on one instruction by the same means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MutationPoint {
    /// The instruction.
    pub(crate) instruction: InstructionIndex,
    /// How.
    pub(crate) means: Means,
    /// On what.
    pub(crate) kind: Kind,
    /// The class that a reference must have for the code behind it, if not `Object`.
    pub(crate) class: Option<Arc<str>>,
    /// The numbers of its replacements as bits: mutants follow each other in their order.
    pub(crate) mask: u16,
    /// Hit when it is executed.
    pub(crate) probe: ProbeId,
    /// The outcome of its first mutant.
    pub(crate) first: OutcomeId,
    /// What is known before and behind a call; only for [`Means::Call`].
    pub(crate) frames: Option<Box<(Frame, Frame)>>,
}

/// The mutants of a method, and where they are.
#[derive(Debug, Default)]
pub(crate) struct MethodMutants {
    /// By instruction and means.
    pub(crate) points: Vec<MutationPoint>,
    /// In the order of their ids; what controls them is not set yet.
    pub(crate) mutants: Vec<Mutant>,
}

/// Finds the mutants of a method in the instructions that `counts`, and numbers them.
///
/// Class initializers have none: they run once in the life of a JVM, mostly before a mutant could be selected.
pub(crate) fn find(
    code: &MethodCode<'_>,
    counts: impl Fn(usize) -> bool,
    ids: &mut ProbeIds,
) -> MethodMutants {
    if &*code.name == "<clinit>" {
        return MethodMutants::default();
    }
    let site = Site::new(code);
    let mut found = Vec::new();
    for &operator in MutationOperator::ALL {
        let mut proposals = Proposals { found, operator };
        for index in (0..code.len()).filter(|&index| counts(index)) {
            (operator.row().find)(&site, index, &mut proposals);
        }
        found = proposals.found;
    }
    // Stable, so that the first operator keeps what several propose.
    found.sort_by_key(|proposal| (proposal.at, proposal.number));
    found.dedup_by_key(|proposal| (proposal.at, proposal.number));
    drop_repeated_returns(&site, &mut found);
    found.truncate(MOST);
    let mut mutants = MethodMutants::default();
    for group in found.chunk_by(|a, b| a.at == b.at) {
        number(&site, group, ids, &mut mutants);
    }
    mutants
}

/// What a `return` makes of a value that the instruction before it alone gives, that instruction's mutants make already.
fn drop_repeated_returns(site: &Site<'_>, found: &mut Vec<Proposal>) {
    let results: Vec<(usize, u8)> =
        found.iter().filter(|it| it.at.1 == Means::Result).map(|it| (it.at.0, it.number)).collect();
    found.retain(|proposal| {
        let before = site.code.only_predecessor(proposal.at.0).filter(|_| proposal.at.1 == Means::Return);
        before.is_none_or(|before| results.binary_search(&(before, proposal.number)).is_err())
    });
}

fn number(site: &Site<'_>, group: &[Proposal], ids: &mut ProbeIds, to: &mut MethodMutants) {
    let Some(proposal) = group.first() else { return };
    let (index, means) = proposal.at;
    let frames = match means {
        Means::Call => {
            let Some(frames) = site.frames_around(index) else { return };
            Some(Box::new(frames))
        }
        Means::Condition
        | Means::Operator
        | Means::Result
        | Means::Increment
        | Means::Return
        | Means::Variable(_) => None,
    };
    let probe = ids.probe();
    let first = OutcomeId(ids.outcomes);
    // Infections first, then propagations, so that those of a point follow each other.
    let count = group.len() as u32;
    ids.outcomes += 2 * count;
    to.points.push(MutationPoint {
        instruction: instruction_index(index),
        means,
        kind: proposal.kind,
        class: proposal.change.class.clone(),
        mask: group.iter().fold(0, |mask, proposal| mask | 1 << proposal.number),
        probe,
        first,
        frames,
    });
    for (place, proposal) in (0..).zip(group) {
        let change = &proposal.change;
        to.mutants.push(Mutant {
            id: MutantId(ids.mutants),
            instruction: instruction_index(index),
            line: site.code.lines[index].map(u32::from),
            operator: proposal.operator,
            from: change.from.as_str().into(),
            to: change.to.as_str().into(),
            signs: change.signs,
            words: change.words.as_str().into(),
            always_infected: change.always_infected,
            probe,
            infection: OutcomeId(first.0 + place),
            propagation: OutcomeId(first.0 + count + place),
            controlled_by: Vec::new(),
        });
        ids.mutants += 1;
    }
}

/// The condition of a conditional jump on numbers, from 0 for `==` in the order of the opcodes.
pub(crate) fn condition_of(opcode: u8) -> Option<u8> {
    match opcode {
        IFEQ..=IFLE => Some(opcode - IFEQ),
        IF_ICMPEQ..=IF_ICMPLE => Some(opcode - IF_ICMPEQ),
        IF_ACMPEQ | IF_ACMPNE => Some(opcode - IF_ACMPEQ),
        IFNULL | IFNONNULL => Some(opcode - IFNULL),
        _ => None,
    }
}

/// The number of an arithmetic or bitwise operator on two operands, as `covolve.runtime.Operator` has them.
pub(crate) fn operator_of(opcode: u8) -> Option<u8> {
    match opcode {
        IADD..=DREM => Some((opcode - IADD) / 4),
        ISHL..=LXOR => Some(5 + (opcode - ISHL) / 2),
        _ => None,
    }
}

/// Operators by their numbers.
const SIGNS: [Sign; 11] = [
    Sign::Add,
    Sign::Subtract,
    Sign::Multiply,
    Sign::Divide,
    Sign::Remainder,
    Sign::ShiftLeft,
    Sign::ShiftRight,
    Sign::UnsignedShiftRight,
    Sign::And,
    Sign::Or,
    Sign::Xor,
];
