//! Recording: arrays and objects that were made, and `this` behind the constructor that a constructor calls.
//!
//! A `new` belongs to the next call of a constructor of its class in code order that no later `new` belongs to: code nests
//! them as expressions are. Where that does not come out even, the method is not recorded.

use crate::instrument::code_editor::EditError;
use crate::instrument::insertions::Arrival;
use crate::instrument::method::{Edits, Method, NamedMember};
use crate::instrument::runtime::RuntimeMethod;
use crate::instrument::{Probe, ProbeSet, Sites};
use crate::opcode::*;

pub(crate) const PROBE: Probe = Probe { set: ProbeSet::Recorded, sites: Sites::Method(place) };

/// An object that was made, and whose constructor was not called yet.
struct Open<'m> {
    class: &'m [u8],
    /// Whether a copy of it lies below the arguments of its constructor.
    has_copy: bool,
}

fn place(method: &Method<'_>, edits: &mut Edits<'_>) -> Result<(), EditError> {
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut has_this = true;
    for index in 0..method.scan.starts.len() {
        let load = match method.opcode(index) {
            Some(NEWARRAY | ANEWARRAY | MULTIANEWARRAY) => DUP,
            Some(NEW) => {
                let has_copy = method.opcode(index + 1) == Some(DUP);
                open.push(Open { class: class_of(method, index)?, has_copy });
                continue;
            }
            Some(INVOKESPECIAL) => {
                let NamedMember { owner, name, .. } = method.member(index)?;
                if name != b"<init>" {
                    continue;
                }
                match open.pop() {
                    Some(made) if made.class == owner && made.has_copy => DUP,
                    Some(made) if made.class == owner => continue,
                    None if has_this && is_own(method, owner)? => ALOAD_0,
                    Some(_) | None => return Err(EditError::Untold),
                }
            }
            _ => {
                has_this &= method.local(index) != Some((ASTORE, 0));
                continue;
            }
        };
        edits.insert(method.behind(index)?, Arrival::Fallthrough, 1, |code| {
            code.op(load);
            code.log(RuntimeMethod::Made);
        });
    }
    Ok(())
}

fn class_of<'m>(method: &Method<'m>, index: usize) -> Result<&'m [u8], EditError> {
    let constants = &method.class.constants;
    let name = method.constant(index).ok_or(EditError::Untold)?;
    Ok(constants.utf8_bytes(constants.class_name_index(name)?)?)
}

/// Whether a constructor is one that a constructor of this class calls on `this`.
fn is_own(method: &Method<'_>, owner: &[u8]) -> Result<bool, EditError> {
    let class = method.class;
    let is = |name: Option<std::borrow::Cow<'_, str>>| name.is_some_and(|name| name.as_bytes() == owner);
    Ok(is(Some(class.name()?)) || is(class.super_name()?))
}
