//! Negates conditions on booleans and references: `instanceof`, `== null`, `equals`. Those on numbers are among the
//! replaced comparisons.

use super::comparison::{SIGNS, is_compare};
use super::replacement::ONLY;
use super::site::Site;
use super::{Change, Kind, Means, Operator, Proposals, condition_of};
use crate::opcode::*;

pub(super) const OPERATOR: Operator = Operator { name: "negate condition", find };

fn find(site: &Site<'_>, index: usize, proposals: &mut Proposals) {
    let opcode = site.code.opcode(index);
    let Some(own) = condition_of(opcode) else { return };
    let before = site.code.only_predecessor(index);
    let is_wide = before.is_some_and(|before| is_compare(site.code.opcode(before)));
    match opcode {
        IFEQ | IFNE if !is_wide && site.is_boolean(index) => {
            let change = Change::new("condition", "negated condition").words("negated the condition");
            proposals.add(index, Means::Condition, Kind::Int, own ^ 1, change.always());
        }
        IF_ACMPEQ | IF_ACMPNE | IFNULL | IFNONNULL => {
            let null = if matches!(opcode, IFNULL | IFNONNULL) { " null" } else { "" };
            let sign = |condition: u8| format!("{}{null}", SIGNS[usize::from(condition)]);
            let change = Change::new(sign(own ^ 1), sign(own)).words("negated the condition");
            proposals.add(index, Means::Condition, Kind::Reference, ONLY, change.always());
        }
        _ => {}
    }
}
