//! The types to which code casts what a call gives, or what a method is passed, or for which it checks it: `(User) context.getPrincipal()`,
//! `event.getSource() instanceof Button`, `storage.find(Device.class)` assigned to a `Device`, `(ByteBuf) message` of a parameter.
//!
//! Values are followed through the variables of one method. What is found is a hint for who answers such a call or makes it, no proof.

use std::collections::BTreeSet;

use crate::class_file::ClassFile;
use crate::code_files::CodeFiles;
use crate::constants::{is_one_of, methods};
use crate::descriptor::{ErasedType, MethodDescriptor};
use crate::method_code::MethodCode;
use crate::name::ClassName;
use crate::opcode::*;
use crate::slots::{Known, Slots, called, follow};

/// Longest method that is looked into, in instructions.
const LONGEST_METHOD: usize = 4000;

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

/// The parameters that a method of a class narrows, by position, with the types.
pub fn narrowed_parameters(
    files: &CodeFiles<'_>,
    class: &ClassName,
    (name, descriptor): (&str, &str),
) -> BTreeSet<(usize, ErasedType)> {
    files.look(class, name, descriptor, parameters_of_code).unwrap_or_default()
}

/// What a slot holds: the result of the call at an instruction, a parameter by its position, or anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Held {
    Nothing,
    Parameter(usize),
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
    narrowings(code, |held, of| {
        let Held::ResultOf(call) = held else { return Some(()) };
        let member = code.member(call)?;
        if called(code, call)?.result.as_ref() != Some(&of) {
            let (name, descriptor) = (member.name.to_string(), member.descriptor.to_string());
            found.insert(NarrowedResult { name, descriptor, of });
        }
        Some(())
    });
    found
}

fn parameters_of_code(code: &MethodCode<'_>) -> BTreeSet<(usize, ErasedType)> {
    let mut found = BTreeSet::new();
    narrowings(code, |held, of| {
        if let Held::Parameter(position) = held {
            found.insert((position, of));
        }
        Some(())
    });
    found
}

/// Calls a function with what code narrows, and the type.
fn narrowings(code: &MethodCode<'_>, mut found: impl FnMut(Held, ErasedType) -> Option<()>) {
    follow_narrowing(code, Held::Parameter, |slots, index| match code.opcode(index) {
        CHECKCAST | INSTANCEOF => {
            if let Some(of) = type_at(code, index) {
                found(slots.peek(0)?, of)?;
            }
            Some(Held::Nothing)
        }
        INVOKEVIRTUAL..=INVOKEINTERFACE => {
            let is_reference =
                matches!(called(code, index)?.result, Some(ErasedType::Class(_) | ErasedType::Array(_)));
            Some(if is_reference { Held::ResultOf(index) } else { Held::Nothing })
        }
        _ => Some(Held::Nothing),
    });
}

/// Follows the values of a method that casts any or checks their type, as [`follow_values`] does.
fn follow_narrowing<K: Known>(
    code: &MethodCode<'_>,
    parameter: impl Fn(usize) -> K,
    look: impl FnMut(&Slots<K>, usize) -> Option<K>,
) {
    if code.instructions.iter().any(|it| matches!(it.opcode, CHECKCAST | INSTANCEOF)) {
        follow_values(code, parameter, look);
    }
}

/// Follows the values of a method that is not too long, from what is known of its parameters by their position. What was found on the way to
/// code that cannot be followed holds as well.
pub(crate) fn follow_values<K: Known>(
    code: &MethodCode<'_>,
    parameter: impl Fn(usize) -> K,
    look: impl FnMut(&Slots<K>, usize) -> Option<K>,
) {
    if code.len() <= LONGEST_METHOD
        && let Ok(descriptor) = MethodDescriptor::parse(&code.descriptor)
    {
        let this = (!code.access.is_static()).then_some(K::NOTHING);
        let entry = Slots::at_entry(&descriptor, this, |position, _| parameter(position));
        let _ = follow(code, entry, look);
    }
}

/// The type that a `checkcast` or `instanceof` names.
pub(crate) fn type_at(code: &MethodCode<'_>, index: usize) -> Option<ErasedType> {
    ErasedType::from_class_constant(&code.class_operand(index)?).ok()
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

    #[test]
    fn a_parameter_is_narrowed_until_something_else_lies_in_its_variable() {
        let bytes = assemble(
            ".method static f (ILjava/lang/Object;)V\naload_1\ncheckcast p/User\npop\naconst_null\nastore_1\naload_1\ncheckcast p/Guest\npop\nreturn",
        );
        let class = ClassFile::parse(&bytes).unwrap();
        let found: Vec<_> = methods(&class).flat_map(|code| parameters_of_code(&code)).collect();
        assert_eq!(found, [(1, ErasedType::Class("p/User".into()))]);
    }
}
