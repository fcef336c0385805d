//! Leaves out a call; what it would give is 0, `false` or `null`. Of `void` methods this is PIT's operator as well.

use super::replacement::ONLY;
use super::site::{Site, class_of};
use super::{Change, Kind, Means, Operator, Proposals};
use crate::opcode::*;

pub(super) const OPERATOR: Operator = Operator { name: "delete call", find };

fn find(site: &Site<'_>, index: usize, proposals: &mut Proposals) {
    let (INVOKEVIRTUAL | INVOKESPECIAL | INVOKESTATIC | INVOKEINTERFACE) = site.code.opcode(index) else {
        return;
    };
    let Some(method) = site.code.member(index) else { return };
    // Constructors, bridges to private members, and what the compiler checks for null.
    let is_compiler_made = method.name.contains('$')
        || (&*method.owner, &*method.name) == ("java/util/Objects", "requireNonNull");
    if method.name.starts_with('<') || is_compiler_made || site.frames_around(index).is_none() {
        return;
    }
    let Some((_, result)) = method.descriptor.rsplit_once(')') else { return };
    let kind = Kind::of(result);
    let to = match kind {
        None => "nothing",
        Some(Kind::Reference) => "null",
        Some(Kind::Int) if result == "Z" => "false",
        Some(Kind::Int | Kind::Long | Kind::Float | Kind::Double) => "0",
    };
    let from = format!("call of {}", method.name);
    let words =
        if kind.is_none() { format!("removed the {from}") } else { format!("replaced the {from} by {to}") };
    let change = Change::new(from, to).words(words).class(class_of(result)).always();
    proposals.add(index, Means::Call, kind.unwrap_or(Kind::Int), ONLY, change);
}
