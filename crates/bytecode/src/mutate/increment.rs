//! Turns increments of a local variable round: PIT's increments.

use super::replacement::OPPOSITE;
use super::site::Site;
use super::{Change, Kind, Means, Operator, Proposals};
use crate::instruction::Operand;

pub(super) const OPERATOR: Operator = Operator { name: "turn increment round", find };

fn find(site: &Site<'_>, index: usize, proposals: &mut Proposals) {
    let Operand::Increment(_, amount) = site.code.instructions[index].operand else { return };
    if amount != 0 {
        let change = Change::new(format!("+= {amount}"), format!("+= {}", -i32::from(amount))).always();
        proposals.add(index, Means::Increment, Kind::Int, OPPOSITE, change);
    }
}
