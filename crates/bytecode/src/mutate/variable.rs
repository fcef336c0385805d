//! Reads another local variable of the same type that has a value there. Needs the `LocalVariableTable`, since the JVM
//! takes booleans, characters and numbers for the same.
//!
//! # Differences
//! The reference takes every variable and field of the type. Here it is the nearest variable before and behind, by slot:
//! loads are the most frequent instructions, and each alternative costs a call.

use super::replacement::ONLY;
use super::site::Site;
use super::{Change, Kind, Means, Operator, Proposals};
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
    let fits = |slot: u16| match (kind, frame.locals.get(usize::from(slot))) {
        (Kind::Int, Some(VerificationType::Int))
        | (Kind::Long, Some(VerificationType::Long))
        | (Kind::Float, Some(VerificationType::Float))
        | (Kind::Double, Some(VerificationType::Double))
        | (Kind::Reference, Some(VerificationType::Object(_))) => true,
        // Uninitialized, or not what its declaration says.
        _ => false,
    };
    let others = || {
        site.visible(index).filter(|other| {
            other.slot != own.slot
                && other.descriptor == own.descriptor
                && other.name != "this"
                && fits(other.slot)
        })
    };
    let before = others().filter(|other| other.slot < own.slot).last();
    let behind = others().find(|other| other.slot > own.slot);
    for other in before.into_iter().chain(behind) {
        let change = Change::new(&own.name, &other.name).class(own.class());
        proposals.add(index, Means::Variable(other.slot), kind, ONLY, change);
    }
}
