//! What a branch decides on, as far as the instructions right before it tell.

use super::method::{Method, Report};
use crate::flags::Decided;
use crate::opcode::*;
use crate::predicate::{self, PredicateKind};
use crate::probe_map::Branch;
use crate::string_switch::StringSwitch;

/// A branch that gets a probe.
#[derive(Debug)]
pub(crate) struct BranchSite<'m> {
    /// What is reported of it.
    pub(crate) branch: &'m Branch,
    /// Offset of the jump or switch.
    pub(crate) offset: u32,
    /// Its opcode.
    pub(crate) opcode: u8,
    /// Its probe.
    pub(crate) probe: u32,
    /// Its first outcome.
    pub(crate) outcome: u32,
    /// What it decides on.
    pub(crate) shape: BranchShape<'m>,
}

/// What a branch decides on. Instructions are given by their indices; each is run before every execution of the
/// branch, and nothing else between it and the branch.
#[derive(Debug, Clone, Copy)]
pub(crate) enum BranchShape<'m> {
    /// The operands of the jump, and no more is known.
    Jump,
    /// A comparison of `long`, `float` or `double`.
    Compare {
        /// The instruction that compares.
        at: usize,
    },
    /// A predicate.
    Predicate {
        /// The call.
        at: usize,
        /// Which one.
        kind: PredicateKind,
        /// Whether -1 is pushed behind the call, for the jump to compare with; else it compares with 0.
        with_minus_one: bool,
    },
    /// A value that was decided before.
    Flag {
        /// What decided on it.
        decided: &'m Decided,
        /// Probe of the method's entry.
        entry: u32,
    },
    /// `instanceof`.
    InstanceOf {
        /// The instruction.
        at: usize,
        /// Constant index of the class's name.
        class_name: u16,
    },
    /// The value of a switch.
    Switch,
    /// A string, by way of its hash code or the number of a case.
    StringSwitch {
        /// The strings.
        strings: &'m StringSwitch,
        /// Whether by way of the hash code.
        by_hash: bool,
        /// The call of `hashCode`.
        call: usize,
        /// Probe of the switch on the hash code.
        source: u32,
    },
}

impl<'m> BranchSite<'m> {
    /// Looks at a branch; `None` for one without outcomes or an instruction.
    pub(crate) fn of(method: &Method<'m>, report: &Report<'m>, branch: &'m Branch) -> Option<Self> {
        let index = branch.instruction.index();
        let opcode = method.opcode(index)?;
        let shape = if is_switch(opcode) {
            string_shape(method, report, index).unwrap_or(BranchShape::Switch)
        } else if is_conditional_jump(opcode) && branch.outcomes.len() == 2 {
            let shape = jump_shape(method, index, opcode).or_else(|| flag_shape(report, index));
            shape.unwrap_or(BranchShape::Jump)
        } else {
            return None;
        };
        let outcome = branch.outcomes.first()?.id.0;
        let offset = method.offset(index).ok()?;
        Some(Self { branch, offset, opcode, probe: branch.probe.0, outcome, shape })
    }
}

fn jump_shape<'m>(method: &Method<'m>, index: usize, opcode: u8) -> Option<BranchShape<'m>> {
    let at = method.only_predecessor(index)?;
    match method.opcode(at)? {
        LCMP | FCMPL | FCMPG | DCMPL | DCMPG if matches!(opcode, IFEQ..=IFLE) => {
            Some(BranchShape::Compare { at })
        }
        INSTANCEOF if matches!(opcode, IFEQ | IFNE) => {
            let class_name = method.class.constants.class_name_index(method.constant(at)?).ok()?;
            Some(BranchShape::InstanceOf { at, class_name })
        }
        ICONST_M1 => predicate_shape(method, method.only_predecessor(at)?, opcode, true),
        _ => predicate_shape(method, at, opcode, false),
    }
}

fn flag_shape<'m>(report: &Report<'m>, index: usize) -> Option<BranchShape<'m>> {
    let asks = &report.flags.asks;
    let place = asks.binary_search_by_key(&index, |ask| ask.jump.index()).ok()?;
    Some(BranchShape::Flag { decided: &asks.get(place)?.decided, entry: report.entry.0 })
}

fn predicate_shape<'m>(
    method: &Method<'m>,
    at: usize,
    jump: u8,
    with_minus_one: bool,
) -> Option<BranchShape<'m>> {
    predicate::is_candidate(method.opcode(at)?).then_some(())?;
    let (owner, name, descriptor) = method.class.constants.member_bytes(method.constant(at)?)?;
    let kind = predicate::find(owner, name, descriptor)?.kind;
    kind.decides(jump, with_minus_one).then_some(BranchShape::Predicate { at, kind, with_minus_one })
}

fn string_shape<'m>(method: &Method<'m>, report: &Report<'m>, index: usize) -> Option<BranchShape<'m>> {
    let is_of =
        |strings: &&StringSwitch| strings.switch.index() == index || strings.hash_switch.index() == index;
    let strings = report.string_switches.iter().find(is_of)?;
    let call = method.only_predecessor(strings.hash_switch.index())?;
    let source = report.branches.iter().find(|branch| branch.instruction == strings.hash_switch)?.probe.0;
    Some(BranchShape::StringSwitch { strings, by_hash: strings.hash_switch.index() == index, call, source })
}
