//! Replaces `+`, `-`, `*`, `/` and `%` by each other: AOR of the papers, the better part of PIT's math.

use super::site::Site;
use super::{Change, Kind, Means, Operator, Proposals, SIGNS, operator_of};
use crate::opcode::*;

pub(super) const OPERATOR: Operator = Operator { name: "replace arithmetic operator", find };

/// Numbers of `+` to `%`.
const LAST: u8 = 4;

fn find(site: &Site<'_>, index: usize, proposals: &mut Proposals) {
    let opcode = site.code.opcode(index);
    let IADD..=DREM = opcode else { return };
    let Some(own) = operator_of(opcode) else { return };
    let kind = [Kind::Int, Kind::Long, Kind::Float, Kind::Double][usize::from(opcode - IADD) % 4];
    let right = site.code.only_predecessor(index).and_then(|before| site.pushed(before)?.whole());
    for number in (0..=LAST).filter(|&number| number != own && !is_equivalent(own, number, right)) {
        let change = Change::of_sign(SIGNS[usize::from(own)], SIGNS[usize::from(number)]);
        proposals.add(index, Means::Operator, kind, number, change);
    }
}

/// Whether two operators give the same for every first operand: `x + 0` and `x - 0`, `x * 1` and `x / 1`.
fn is_equivalent(one: u8, other: u8, right: Option<i64>) -> bool {
    match (one.min(other), one.max(other)) {
        (0, 1) => right == Some(0),
        (2, 3) => matches!(right, Some(1 | -1)),
        _ => false,
    }
}
