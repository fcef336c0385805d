//! Replaces the comparison of two numbers by every other one, and by true and false: ROR of the papers, PIT's
//! conditionals boundary and negate conditionals.
//!
//! A replacement that is equivalent to the original or to an earlier one, since a size is never negative, is left
//! out.

use super::sign::Sign;
use super::site::Site;
use super::{Change, Kind, Means, Operator, Proposals, condition_of};
use crate::opcode::*;

pub(super) const OPERATOR: Operator = Operator { name: "replace comparison operator", find };

/// By condition: whether it holds below (1), at (2) and above (4) the second operand.
pub(super) const HOLDS: [u8; 8] = [2, 5, 1, 6, 4, 3, 7, 0];

/// By condition, what compares.
pub(super) const SIGNS: [Sign; 8] = [
    Sign::Equal,
    Sign::NotEqual,
    Sign::Less,
    Sign::GreaterOrEqual,
    Sign::Greater,
    Sign::LessOrEqual,
    Sign::True,
    Sign::False,
];

fn find(site: &Site<'_>, index: usize, proposals: &mut Proposals) {
    let code = site.code;
    let opcode = code.opcode(index);
    let before = site.code.only_predecessor(index);
    let wide = before.filter(|&before| matches!(opcode, IFEQ..=IFLE) && is_compare(code.opcode(before)));
    let (at, kind) = match opcode {
        IFEQ..=IFLE => match wide {
            Some(compare) => (compare, kind_of(code.opcode(compare))),
            None if site.is_boolean(index) => return,
            None => (index, Kind::Int),
        },
        IF_ICMPEQ..=IF_ICMPLE => (index, Kind::Int),
        _ => return,
    };
    let Some(own) = condition_of(opcode) else { return };
    let is_size = matches!(opcode, IFEQ..=IFLE) && before.is_some_and(|before| site.is_size(before));
    let possible = if is_size { 6 } else { 7 };
    let mut known = vec![HOLDS[usize::from(own)] & possible];
    for (number, holds) in (0..).zip(HOLDS) {
        if !known.contains(&(holds & possible)) {
            known.push(holds & possible);
            let (from, to) = (in_source(site, index, own), in_source(site, index, number));
            let always = HOLDS[usize::from(own)] ^ holds == 7;
            let change = Change::of_sign(from, to);
            proposals.add(at, Means::Condition, kind, number, if always { change.always() } else { change });
        }
    }
}

/// The condition as the source most likely has it: compilers jump forward over what a condition guards.
pub(super) fn in_source(site: &Site<'_>, jump: usize, condition: u8) -> Sign {
    let goes_back = site.code.jump_target(jump).is_some_and(|target| target <= jump);
    // Conditions and their opposites follow each other.
    SIGNS[usize::from(if goes_back { condition } else { condition ^ 1 })]
}

/// Whether the opcode compares `long`, `float` or `double`.
pub(super) fn is_compare(opcode: u8) -> bool {
    matches!(opcode, LCMP..=DCMPG)
}

fn kind_of(compare: u8) -> Kind {
    match compare {
        LCMP => Kind::Long,
        FCMPL | FCMPG => Kind::Float,
        _ => Kind::Double,
    }
}
