//! Matchers of regular expressions that are made: they do not tell their text, which the distance of `matches` and
//! `find` needs.

use crate::instrument::code_editor::EditError;
use crate::instrument::insertions::Arrival;
use crate::instrument::method::{Edits, Method};
use crate::instrument::runtime::RuntimeMethod;
use crate::instrument::{Probe, ProbeSet, Sites};
use crate::opcode::{DUP, INVOKEVIRTUAL};

pub(crate) const PROBE: Probe =
    Probe { set: ProbeSet::Full, sites: Sites::Instructions(&[INVOKEVIRTUAL], place) };

const OWNER: &[u8] = b"java/util/regex/Pattern";
const DESCRIPTOR: &[u8] = b"(Ljava/lang/CharSequence;)Ljava/util/regex/Matcher;";

fn place(method: &Method<'_>, index: usize, edits: &mut Edits<'_>) -> Result<(), EditError> {
    let member = method.constant(index).and_then(|constant| method.class.constants.member_bytes(constant));
    if member != Some((OWNER, b"matcher", DESCRIPTOR)) {
        return Ok(());
    }
    edits.insert(method.offset(index)?, Arrival::Any, 1, |code| {
        code.op(DUP);
        code.call(RuntimeMethod::Matcher);
    });
    edits.insert(method.offset(index + 1)?, Arrival::Fallthrough, 1, |code| {
        code.op(DUP);
        code.call(RuntimeMethod::MatcherMade);
    });
    Ok(())
}
