//! The types to which code casts what a call gives, or for which it checks it: `(User) context.getPrincipal()`,
//! `event.getSource() instanceof Button`, `storage.find(Device.class)` assigned to a `Device`.
//!
//! Values are followed through the variables of one method. What is found is a hint for who answers such a call, no proof.

use std::collections::BTreeSet;

use crate::class_file::ClassFile;
use crate::constants::{is_one_of, methods};
use crate::descriptor::{ErasedType, MethodDescriptor};
use crate::method_code::MethodCode;
use crate::opcode::*;
use crate::slots::{Known, Slots, called, follow};

/// Longest method that is looked into, in instructions.
const LONGEST_METHOD: usize = 1000;

/// A call, and a type to which the code narrows its result.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct NarrowedResult {
    /// Name of the method.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
    /// A type that the code casts the result to, or checks it for by `instanceof`; not that of the descriptor.
    pub of: ErasedType,
}

/// Those of the methods of a class.
pub fn narrowed_results(class: &ClassFile<'_>) -> BTreeSet<NarrowedResult> {
    methods(class).flat_map(|code| of_code(&code)).collect()
}

/// As [`narrowed_results`], of the methods with these names and descriptors alone.
pub fn narrowed_results_of(class: &ClassFile<'_>, of: &[(String, String)]) -> BTreeSet<NarrowedResult> {
    methods(class).filter(|code| is_one_of(code, of)).flat_map(|code| of_code(&code)).collect()
}

/// What a slot holds: the result of the call at an instruction, or anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Held {
    Nothing,
    ResultOf(usize),
}

impl Known for Held {
    const NOTHING: Self = Self::Nothing;

    fn join(self, other: Self) -> Self {
        if self == other { self } else { Self::Nothing }
    }
}

fn of_code(code: &MethodCode<'_>) -> BTreeSet<NarrowedResult> {
    let mut found = BTreeSet::new();
    let narrows = code.instructions.iter().any(|it| matches!(it.opcode, CHECKCAST | INSTANCEOF));
    if narrows
        && code.len() <= LONGEST_METHOD
        && let Ok(descriptor) = MethodDescriptor::parse(&code.descriptor)
    {
        let this = (!code.access.is_static()).then_some(Held::Nothing);
        let entry = Slots::at_entry(&descriptor, this, |_, _| Held::Nothing);
        // What was found on the way to code that cannot be followed holds as well.
        let _ = follow(code, entry, |slots, index| look(code, slots, index, &mut found));
    }
    found
}

/// Takes note of what an instruction narrows, and gives what its result is.
fn look(
    code: &MethodCode<'_>,
    slots: &Slots<Held>,
    index: usize,
    found: &mut BTreeSet<NarrowedResult>,
) -> Option<Held> {
    match code.opcode(index) {
        CHECKCAST | INSTANCEOF => {
            if let Held::ResultOf(call) = slots.peek(0)?
                && let Some(of) = code.class_operand(index)
                && let Ok(of) = ErasedType::from_class_constant(&of)
            {
                let member = code.member(call)?;
                if called(code, call)?.result.as_ref() != Some(&of) {
                    let (name, descriptor) = (member.name.to_string(), member.descriptor.to_string());
                    found.insert(NarrowedResult { name, descriptor, of });
                }
            }
            Some(Held::Nothing)
        }
        INVOKEVIRTUAL..=INVOKEINTERFACE => {
            let is_reference =
                matches!(called(code, index)?.result, Some(ErasedType::Class(_) | ErasedType::Array(_)));
            Some(if is_reference { Held::ResultOf(index) } else { Held::Nothing })
        }
        _ => Some(Held::Nothing),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assembler::assemble;

    fn check(source: &str, expect: &[&str]) {
        let bytes = assemble(&format!(".method static f (Lp/Context;)V\n{source}\nreturn"));
        let show = |NarrowedResult { name, descriptor, of }: &NarrowedResult| {
            format!("{name}{descriptor} {}", of.descriptor())
        };
        let found: Vec<String> =
            narrowed_results(&ClassFile::parse(&bytes).unwrap()).iter().map(show).collect();
        assert_eq!(found, expect, "{source}");
    }

    const ASK: &str = "aload_0\ninvokeinterface p/Context.user:()Lp/Principal;";

    #[test]
    fn a_result_is_narrowed_where_it_is_cast_or_checked_for() {
        check(&format!("{ASK}\ncheckcast p/User\npop"), &["user()Lp/Principal; Lp/User;"]);
        let kept =
            format!("{ASK}\nastore_1\naload_1\ninstanceof p/Guest\npop\naload_1\ncheckcast p/User\npop");
        check(&kept, &["user()Lp/Principal; Lp/Guest;", "user()Lp/Principal; Lp/User;"]);
    }

    #[test]
    fn a_cast_to_what_a_call_gives_anyway_or_of_something_else_says_nothing() {
        check(&format!("{ASK}\ncheckcast p/Principal\npop"), &[]);
        check(&format!("{ASK}\npop\naload_0\ncheckcast p/User\npop"), &[]);
    }
}
