//! Negates, decrements and increments a number that is read from a variable or a field: UOI of the papers.

use super::replacement::{LESS, MORE, NEGATED};
use super::site::Site;
use super::{Change, Kind, Means, Operator, Proposals};
use crate::opcode::*;

pub(super) const OPERATOR: Operator = Operator { name: "insert unary operator", find };

fn find(site: &Site<'_>, index: usize, proposals: &mut Proposals) {
    let opcode = general_form(site.code.opcode(index));
    if !matches!(opcode, ILOAD..=DLOAD | GETFIELD | GETSTATIC) {
        return;
    }
    let kind = match site.result(index).as_deref() {
        Some("I") => Kind::Int,
        Some("J") => Kind::Long,
        Some("F") => Kind::Float,
        Some("D") => Kind::Double,
        // Booleans, characters and the like are no numbers to calculate with; without its name a variable may be one.
        _ => return,
    };
    let name = match site.variable(index) {
        Some(variable) => variable.name.clone(),
        None => site.code.member(index).map_or_else(String::new, |field| field.name.into_owned()),
    };
    for (number, to) in
        [(NEGATED, format!("-{name}")), (LESS, format!("{name} - 1")), (MORE, format!("{name} + 1"))]
    {
        let change = Change::new(&name, to);
        // 0 has no sign, and large floating-point numbers and NaN stay what they are.
        let always = number != NEGATED && matches!(kind, Kind::Int | Kind::Long);
        proposals.add(index, Means::Result, kind, number, if always { change.always() } else { change });
    }
}
