//! What classes keep in static fields: static methods that set one to what they are given, and static methods that give one.
//!
//! Of a setter and a getter everything is known where they do nothing else: `static void set(User user) { current = user; }`.

use std::collections::BTreeSet;

use crate::class_file::{ClassFile, MemberRef};
use crate::constants::methods;
use crate::method_code::MethodCode;
use crate::opcode::{ALOAD_0, ARETURN, GETSTATIC, PUTSTATIC, RETURN};

/// A static field of a reference type that a static method of its class sets to its one argument.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeptReference {
    /// Name of the method that sets it.
    pub setter: String,
    /// Its descriptor.
    pub descriptor: String,
    /// Name of a static method without parameters that gives it, the first in the class file.
    pub getter: Option<String>,
    /// Whether it is null until somebody sets it: the class initializer does not write it.
    pub begins_as_null: bool,
}

/// The static fields of a class that a setter sets, in the order of the setters in the class file.
pub fn kept_references(class: &ClassFile<'_>) -> Vec<KeptReference> {
    let mut setters = Vec::new();
    let mut getters: Vec<(String, String)> = Vec::new();
    let mut initialized = BTreeSet::new();
    for code in methods(class).filter(|code| code.access.is_static()) {
        if &*code.name == "<clinit>" {
            let written = (0..code.instructions.len()).filter_map(|at| own_field(&code, at, PUTSTATIC));
            initialized.extend(written.map(|field| field.name.into_owned()));
        } else if let Some(field) = only(&code, &[ALOAD_0, PUTSTATIC, RETURN]) {
            setters.push((field, code.name.to_string(), code.descriptor.to_string()));
        } else if let Some(field) = only(&code, &[GETSTATIC, ARETURN])
            && code.descriptor.starts_with("()")
        {
            getters.push((field, code.name.to_string()));
        }
    }
    let kept = setters.into_iter().map(|(field, setter, descriptor)| {
        let getter = getters.iter().find(|(of, _)| *of == field).map(|(_, getter)| getter.clone());
        KeptReference { setter, descriptor, getter, begins_as_null: !initialized.contains(&field) }
    });
    kept.collect()
}

/// The static field of its class that a method touches, if these are all its instructions.
fn only(code: &MethodCode<'_>, opcodes: &[u8]) -> Option<String> {
    if !code.instructions.iter().map(|it| it.opcode).eq(opcodes.iter().copied()) {
        return None;
    }
    let field = |at| own_field(code, at, PUTSTATIC).or_else(|| own_field(code, at, GETSTATIC));
    (0..opcodes.len()).find_map(field).map(|field| field.name.into_owned())
}

/// The static field of its class that an instruction with this opcode names.
fn own_field<'c>(code: &'c MethodCode<'_>, at: usize, opcode: u8) -> Option<MemberRef<'c>> {
    let is_meant = code.instructions[at].opcode == opcode;
    let field = code.member(at).filter(|_| is_meant)?;
    code.class.name().is_ok_and(|own| own == field.owner).then_some(field)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assembler::assemble;

    #[test]
    fn setters_are_found_with_their_getters_and_with_what_is_there_at_first() {
        let put = "aload_0\nputstatic p/T.";
        let bytes = assemble(&format!(
            ".class p/T java/lang/Object
             .method static setOwner (Lp/User;)V\n{put}owner:Lp/User;\nreturn
             .method static owner ()Lp/User;\ngetstatic p/T.owner:Lp/User;\nareturn
             .method static setHidden (Lp/User;)V\n{put}hidden:Lp/User;\nreturn
             .method static setFirst (Lp/User;)V\n{put}first:Lp/User;\nreturn
             .method static setOther (Lp/User;)V\naload_0\nputstatic p/Other.owner:Lp/User;\nreturn
             .method static setBoth (Lp/User;)V\n{put}owner:Lp/User;\n{put}hidden:Lp/User;\nreturn
             .method setLater (Lp/User;)V\n{put}owner:Lp/User;\nreturn
             .method static <clinit> ()V\naconst_null\nputstatic p/T.first:Lp/User;\nreturn"
        ));
        let kept = kept_references(&ClassFile::parse(&bytes).unwrap());
        let show = |kept: &KeptReference| {
            let getter = kept.getter.as_deref().unwrap_or("nothing");
            format!("{} {getter} {}", kept.setter, kept.begins_as_null)
        };
        let shown: Vec<String> = kept.iter().map(show).collect();
        assert_eq!(shown, ["setOwner owner true", "setHidden nothing true", "setFirst nothing false"]);
    }
}
