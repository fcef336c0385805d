//! Leaves out the negation of a number: PIT's invert negatives.

use super::replacement::NEGATED;
use super::site::Site;
use super::{Change, Kind, Means, Operator, Proposals};
use crate::opcode::*;

pub(super) const OPERATOR: Operator = Operator { name: "remove negation", find };

fn find(site: &Site<'_>, index: usize, proposals: &mut Proposals) {
    let kind = match site.code.opcode(index) {
        INEG => Kind::Int,
        LNEG => Kind::Long,
        FNEG => Kind::Float,
        DNEG => Kind::Double,
        _ => return,
    };
    let change = Change::new("-x", "x").words("removed the negation");
    proposals.add(index, Means::Result, kind, NEGATED, change);
}
