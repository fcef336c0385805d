//! Calls of tests that others wrote: what they are about to call is told, as an executor tells it of the tests that it runs.

use crate::descriptor::MethodDescriptor;
use crate::instrument::code_editor::EditError;
use crate::instrument::insertions::Arrival;
use crate::instrument::method::{Edits, Method, NamedMember};
use crate::instrument::runtime::RuntimeMethod;
use crate::instrument::{Probe, ProbeSet, Sites};
use crate::opcode::{INVOKEINTERFACE, INVOKEVIRTUAL};
use crate::probe_layout::SignatureNumbers;

pub(crate) const PROBE: Probe = Probe { set: ProbeSet::Calls, sites: Sites::Method(place) };

fn place(method: &Method<'_>, edits: &mut Edits<'_>) -> Result<(), EditError> {
    let Some(signatures) = method.calls else { return Ok(()) };
    for (index, &offset) in method.scan.starts.iter().enumerate() {
        if method.opcode(index).is_some_and(|opcode| (INVOKEVIRTUAL..=INVOKEINTERFACE).contains(&opcode)) {
            // Calls of anything else are told as well: what they lead to is no call by the test itself.
            let number = number_of(method.member(index)?, signatures);
            edits.insert(offset, Arrival::Any, 1, |code| {
                code.push(number);
                code.call(RuntimeMethod::Calls);
            });
        }
    }
    Ok(())
}

/// The number of the signature of a member; 0 where it has none.
fn number_of(member: NamedMember<'_>, signatures: &SignatureNumbers) -> i32 {
    let name = std::str::from_utf8(member.name);
    let descriptor = std::str::from_utf8(member.descriptor).ok().map(MethodDescriptor::parse);
    let (Ok(name), Some(Ok(descriptor))) = (name, descriptor) else { return 0 };
    signatures.number(name, descriptor.parameters.len())
}
