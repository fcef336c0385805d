//! Reads another local variable of the same type that has a value there. Needs the `LocalVariableTable`, since the JVM
//! takes booleans, characters and numbers for the same.
//!
//! # Differences
//! The reference takes every variable and field of the type. Here it is the nearest variable before and behind, by slot:
//! loads are the most frequent instructions, and each alternative costs a call. Where the verifier knows a variable to be
//! of another class than its declaration says, only one of that class takes its place: the frames of the method were made
//! for it.

use super::replacement::ONLY;
use super::site::Site;
use super::{Change, Kind, Means, Operator, Proposals};
use crate::descriptor::ErasedType;
use crate::opcode::*;
use crate::verification::VerificationType;

pub(super) const OPERATOR: Operator = Operator { name: "replace variable", find };

fn find(site: &Site<'_>, index: usize, proposals: &mut Proposals) {
    let ILOAD..=ALOAD = general_form(site.code.opcode(index)) else { return };
    let (Some(own), Some(frame)) = (site.variable(index), site.frame(index)) else { return };
    let Some(kind) = Kind::of(&own.descriptor) else { return };
    if own.name == "this" {
        return;
    }
    let known = |slot: u16| frame.locals.get(usize::from(slot));
    let Some(required) = known(own.slot).filter(|known| holds(known, kind)) else { return };
    let fits = |slot: u16| known(slot).is_some_and(|other| holds(other, kind));
    // The code behind the load, and the frames where it comes together with other code, were made for what the verifier
    // knows of the variable, which may be less than its declaration allows: `List` holds what is an `ArrayList` there.
    let is_as_declared = kind != Kind::Reference || Some(required) == declared(&own.descriptor).as_ref();
    let others = || {
        site.visible(index).filter(|other| {
            other.slot != own.slot
                && other.descriptor == own.descriptor
                && other.name != "this"
                && fits(other.slot)
                && (is_as_declared || known(other.slot) == Some(required))
        })
    };
    let before = others().filter(|other| other.slot < own.slot).last();
    let behind = others().find(|other| other.slot > own.slot);
    for other in before.into_iter().chain(behind) {
        let change = Change::new(&own.name, &other.name).class(required.class());
        proposals.add(index, Means::Variable(other.slot), kind, ONLY, change);
    }
}

/// Whether a variable that the verifier knows this of has a value of a kind.
fn holds(known: &VerificationType, kind: Kind) -> bool {
    match kind {
        Kind::Int => *known == VerificationType::Int,
        Kind::Long => *known == VerificationType::Long,
        Kind::Float => *known == VerificationType::Float,
        Kind::Double => *known == VerificationType::Double,
        // Not uninitialized, and not known to be null.
        Kind::Reference => matches!(known, VerificationType::Object(_)),
    }
}

/// What the verifier knows of a value that has just been cast to the type of a variable.
fn declared(descriptor: &str) -> Option<VerificationType> {
    ErasedType::parse(descriptor).ok().as_ref().map(VerificationType::of)
}
