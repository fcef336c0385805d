//! Replaces `&`, `|` and `^` by each other, and so the shifts: BOR of the papers, the rest of PIT's math.

use super::site::Site;
use super::{Change, Kind, Means, Operator, Proposals, SIGNS, operator_of};
use crate::opcode::*;

pub(super) const OPERATOR: Operator = Operator { name: "replace bitwise operator", find };

fn find(site: &Site<'_>, index: usize, proposals: &mut Proposals) {
    let opcode = site.code.opcode(index);
    let ISHL..=LXOR = opcode else { return };
    let Some(own) = operator_of(opcode) else { return };
    let is_long = (opcode - ISHL) % 2 == 1;
    let kind = if is_long { Kind::Long } else { Kind::Int };
    let right = site.code.only_predecessor(index).and_then(|before| site.pushed(before)?.whole());
    let distance = if is_long { 63 } else { 31 };
    // Shifts by nothing, and `x | 0` and `x ^ 0`, are one as good as the other.
    let is_equivalent = |other: u8| match (own.min(other), own.max(other)) {
        (5..=7, 5..=7) => right.is_some_and(|right| right & distance == 0),
        (9, 10) => right == Some(0),
        _ => false,
    };
    let family = if own <= 7 { 5..=7 } else { 8..=10 };
    for number in family.filter(|&number| number != own && !is_equivalent(number)) {
        let change = Change::of_sign(SIGNS[usize::from(own)], SIGNS[usize::from(number)]);
        proposals.add(index, Means::Operator, kind, number, change);
    }
}
