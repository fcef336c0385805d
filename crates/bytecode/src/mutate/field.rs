//! Reads 0, `false` or `null` instead of a field: delete field of the reference.

use super::replacement::{NULL, ZERO};
use super::site::{Site, class_of};
use super::{Change, Kind, Means, Operator, Proposals};
use crate::opcode::*;

pub(super) const OPERATOR: Operator = Operator { name: "delete field", find };

fn find(site: &Site<'_>, index: usize, proposals: &mut Proposals) {
    let (GETFIELD | GETSTATIC) = site.code.opcode(index) else { return };
    let Some(field) = site.code.member(index) else { return };
    // Fields that the compiler made: `$VALUES`, `$SwitchMap$…`, `this$0`, `val$x`.
    if field.name.contains('$') {
        return;
    }
    let Some(kind) = Kind::of(&field.descriptor) else { return };
    let (number, to) = match kind {
        Kind::Reference => (NULL, "null"),
        Kind::Int if &*field.descriptor == "Z" => (ZERO, "false"),
        Kind::Int | Kind::Long | Kind::Float | Kind::Double => (ZERO, "0"),
    };
    let change = Change::new(&*field.name, to).class(class_of(&field.descriptor));
    proposals.add(index, Means::Result, kind, number, change);
}
