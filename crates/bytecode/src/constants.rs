//! Constants and types that occur in the code of a class: values and classes that its branches may ask for.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use crate::class_file::{ClassFile, Constant, MemberRef};
use crate::descriptor::{ErasedType, MethodDescriptor};
use crate::instruction::Operand;
use crate::method_code::MethodCode;
use crate::name::ClassName;
use crate::opcode::*;
use crate::string_switch::string_switches;

/// A constant of the code. `boolean`, `byte`, `short` and `char` are integers there.
///
/// Equality and order are those of the bits for `float` and `double`.
#[derive(Debug, Clone)]
pub enum ConstantValue {
    /// `int` and smaller types
    Int(i32),
    /// `long`
    Long(i64),
    /// `float`
    Float(f32),
    /// `double`
    Double(f64),
    /// `String`, as UTF-16 code units
    String(Vec<u16>),
}

impl Ord for ConstantValue {
    fn cmp(&self, other: &Self) -> Ordering {
        use ConstantValue::{Double, Float, Int, Long, String};
        let rank = |value: &Self| match value {
            Int(_) => 0,
            Long(_) => 1,
            Float(_) => 2,
            Double(_) => 3,
            String(_) => 4,
        };
        match (self, other) {
            (Int(a), Int(b)) => a.cmp(b),
            (Long(a), Long(b)) => a.cmp(b),
            (Float(a), Float(b)) => a.total_cmp(b),
            (Double(a), Double(b)) => a.total_cmp(b),
            (String(a), String(b)) => a.cmp(b),
            (Int(_) | Long(_) | Float(_) | Double(_) | String(_), _) => rank(self).cmp(&rank(other)),
        }
    }
}

impl PartialOrd for ConstantValue {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for ConstantValue {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for ConstantValue {}

/// Constants that the class uses, sorted, each once: operands of instructions, keys of switches, values of constant
/// fields, texts of string concatenations, constants that `invokedynamic` passes to its bootstrap method, and the names of enum
/// constants that are asked for (`Key.ID.name()`).
///
/// Increments of `iinc` are left out, and what compilers add: hash codes and numbers of a switch over strings, and
/// the code that deserializes lambda expressions. Methods that cannot be decoded contribute nothing.
pub fn constants(class: &ClassFile<'_>) -> Vec<ConstantValue> {
    let mut found = BTreeSet::new();
    for field in &class.fields {
        let index = class.attribute(&field.attributes, "ConstantValue").and_then(|mut it| it.u2().ok());
        found.extend(index.and_then(|index| loadable(class, index)));
    }
    for code in methods(class) {
        let skipped: Vec<usize> = string_switches(&code)
            .iter()
            .flat_map(|switch| [switch.switch.index(), switch.hash_switch.index()])
            .collect();
        for index in (0..code.len()).filter(|index| !skipped.contains(index)) {
            add_constants(&code, index, &mut found);
        }
    }
    found.into_iter().collect()
}

/// As [`constants`], of the methods with these names and descriptors alone, and without constant fields.
pub fn constants_of(class: &ClassFile<'_>, of: &[(String, String)]) -> Vec<ConstantValue> {
    let mut found = BTreeSet::new();
    for code in methods(class).filter(|code| is_one_of(code, of)) {
        (0..code.len()).for_each(|index| add_constants(&code, index, &mut found));
    }
    found.into_iter().collect()
}

pub(crate) fn is_one_of(code: &MethodCode<'_>, of: &[(String, String)]) -> bool {
    of.iter().any(|(name, descriptor)| code.name == *name && code.descriptor == *descriptor)
}

pub(crate) fn methods<'a>(class: &'a ClassFile<'a>) -> impl Iterator<Item = MethodCode<'a>> {
    let methods =
        (0..class.methods.len()).filter_map(|method| MethodCode::read(class, method).ok().flatten());
    methods.filter(|code| code.name != "$deserializeLambda$")
}

fn add_constants(code: &MethodCode<'_>, index: usize, found: &mut BTreeSet<ConstantValue>) {
    let instruction = &code.instructions[index];
    let opcode = instruction.opcode;
    match &instruction.operand {
        Operand::Immediate(value) => {
            found.insert(ConstantValue::Int(*value));
        }
        Operand::Constant(constant) if general_form(opcode) == LDC => {
            found.extend(loadable(code.class, *constant));
        }
        Operand::Constant(_) if opcode == INVOKEDYNAMIC => add_bootstrap_arguments(code, index, found),
        Operand::Switch(switch) => {
            let targets = code.switch_outcomes(switch);
            let keys = targets.split_last().map_or(&[][..], |(_, others)| others);
            found.extend(keys.iter().flat_map(|outcome| &outcome.keys).map(|&key| ConstantValue::Int(key)));
        }
        Operand::None => found.extend(short_constant(opcode)),
        Operand::Constant(_) if opcode == GETSTATIC => found.extend(name_of_enum_constant(code, index)),
        Operand::Constant(_)
        | Operand::Local(_)
        | Operand::Increment(..)
        | Operand::Jump(_)
        | Operand::ArrayType(_)
        | Operand::MultiArray(..) => {}
    }
}

/// The name of an enum constant that is read and asked for its name: that of the field.
fn name_of_enum_constant(code: &MethodCode<'_>, index: usize) -> Option<ConstantValue> {
    let (field, call) = (code.member(index)?, code.member(index + 1)?);
    let is_constant = field.descriptor == format!("L{};", field.owner);
    let is_name = matches!(&*call.name, "name" | "toString") && call.descriptor == "()Ljava/lang/String;";
    (is_constant && is_name).then(|| ConstantValue::String(field.name.encode_utf16().collect()))
}

fn short_constant(opcode: u8) -> Option<ConstantValue> {
    match opcode {
        ICONST_M1..=ICONST_5 => Some(ConstantValue::Int(i32::from(opcode) - i32::from(ICONST_0))),
        LCONST_0 | LCONST_1 => Some(ConstantValue::Long((opcode - LCONST_0).into())),
        FCONST_0..=FCONST_2 => Some(ConstantValue::Float((opcode - FCONST_0).into())),
        DCONST_0 | DCONST_1 => Some(ConstantValue::Double((opcode - DCONST_0).into())),
        _ => None,
    }
}

fn loadable(class: &ClassFile<'_>, index: u16) -> Option<ConstantValue> {
    match class.constants.loadable(index).ok()? {
        Constant::Integer(value) => Some(ConstantValue::Int(value)),
        Constant::Float(value) => Some(ConstantValue::Float(value)),
        Constant::Long(value) => Some(ConstantValue::Long(value)),
        Constant::Double(value) => Some(ConstantValue::Double(value)),
        Constant::String(units) => Some(ConstantValue::String(units)),
        Constant::Class(_) | Constant::Other => None,
    }
}

/// Constants among the arguments of a bootstrap method. The recipe of a string concatenation is cut at its
/// placeholders, U+0001 and U+0002.
fn add_bootstrap_arguments(code: &MethodCode<'_>, index: usize, found: &mut BTreeSet<ConstantValue>) {
    for argument in bootstrap_arguments(code, index) {
        match loadable(code.class, argument) {
            Some(ConstantValue::String(units)) => {
                let parts = units.split(|unit| matches!(unit, 1 | 2)).filter(|part| !part.is_empty());
                found.extend(parts.map(|part| ConstantValue::String(part.to_vec())));
            }
            other => found.extend(other),
        }
    }
}

fn bootstrap_arguments(code: &MethodCode<'_>, index: usize) -> Vec<u16> {
    let Operand::Constant(constant) = code.instructions[index].operand else { return Vec::new() };
    let site = code.class.constants.invoke_dynamic(constant).ok();
    let method = site.and_then(|(bootstrap, _, _)| code.class.bootstrap_method(bootstrap));
    method.map_or_else(Vec::new, |method| method.arguments)
}

/// Types that the code asks for, sorted, each once: those of casts, `instanceof`, `catch`, class literals, and
/// patterns of a switch. Those of annotations are left out.
pub fn referenced_types(class: &ClassFile<'_>) -> Vec<ErasedType> {
    let mut found = BTreeSet::new();
    let parse = |name: &str| ErasedType::from_class_constant(name).ok();
    for code in methods(class) {
        for entry in code.handlers.iter().filter(|entry| entry.catch_type != 0) {
            found.extend(class.constants.class(entry.catch_type).ok().and_then(|name| parse(&name)));
        }
        for (index, instruction) in code.instructions.iter().enumerate() {
            let Operand::Constant(constant) = instruction.operand else { continue };
            match general_form(instruction.opcode) {
                CHECKCAST | INSTANCEOF => {
                    found.extend(code.class_operand(index).and_then(|name| parse(&name)));
                }
                LDC => found.extend(class_literal(class, constant)),
                INVOKEDYNAMIC => {
                    let arguments = bootstrap_arguments(&code, index);
                    found.extend(arguments.into_iter().filter_map(|argument| class_literal(class, argument)));
                }
                _ => {}
            }
        }
    }
    found.into_iter().collect()
}

/// Methods that the code calls, sorted, each once: class named, name, descriptor.
pub fn called_methods(class: &ClassFile<'_>) -> BTreeSet<(String, String, String)> {
    methods(class).flat_map(|code| calls(&code)).collect()
}

/// As [`called_methods`], of the methods with these names and descriptors alone.
pub fn called_by(class: &ClassFile<'_>, of: &[(String, String)]) -> BTreeSet<(String, String, String)> {
    methods(class).filter(|code| is_one_of(code, of)).flat_map(|code| calls(&code)).collect()
}

/// Static fields that the code reads, sorted, each once: class named, field.
pub fn read_static_fields(class: &ClassFile<'_>) -> BTreeSet<(String, String)> {
    methods(class).flat_map(|code| static_reads(&code)).collect()
}

/// As [`read_static_fields`], of the methods with these names and descriptors alone.
pub fn static_fields_read_by(class: &ClassFile<'_>, of: &[(String, String)]) -> BTreeSet<(String, String)> {
    methods(class).filter(|code| is_one_of(code, of)).flat_map(|code| static_reads(&code)).collect()
}

/// The interfaces of which the code makes objects by lambdas and references to methods, sorted, each once.
pub fn lambda_interfaces(class: &ClassFile<'_>) -> BTreeSet<ClassName> {
    let mut found = BTreeSet::new();
    for code in methods(class) {
        for instruction in code.instructions.iter().filter(|it| it.opcode == INVOKEDYNAMIC) {
            let Operand::Constant(site) = instruction.operand else { continue };
            let made = class.constants.invoke_dynamic(site).ok();
            let made = made.and_then(|(_, _, descriptor)| MethodDescriptor::parse(&descriptor).ok());
            // Concatenations give strings, methods of records numbers or strings.
            if let Some(ErasedType::Class(of)) = made.and_then(|made| made.result)
                && of != ClassName::string()
            {
                found.insert(of);
            }
        }
    }
    found
}

/// Fields of objects that the code writes behind their construction, sorted, each once.
pub fn written_fields(class: &ClassFile<'_>) -> BTreeSet<String> {
    let later = methods(class).filter(|code| &*code.name != "<init>");
    later.flat_map(|code| writes(&code)).collect()
}

fn writes(code: &MethodCode<'_>) -> Vec<String> {
    members(code, PUTFIELD..=PUTFIELD).map(|member| member.name.into()).collect()
}

fn static_reads(code: &MethodCode<'_>) -> Vec<(String, String)> {
    let members = members(code, GETSTATIC..=GETSTATIC);
    members.map(|member| (member.owner.into(), member.name.into())).collect()
}

fn calls(code: &MethodCode<'_>) -> Vec<(String, String, String)> {
    let members = members(code, INVOKEVIRTUAL..=INVOKEINTERFACE);
    members.map(|member| (member.owner.into(), member.name.into(), member.descriptor.into())).collect()
}

/// The members that instructions with these opcodes name.
fn members<'c>(code: &'c MethodCode<'_>, opcodes: RangeInclusive<u8>) -> impl Iterator<Item = MemberRef<'c>> {
    let instructions = code.instructions.iter().enumerate();
    let named = instructions.filter(move |(_, it)| opcodes.contains(&it.opcode));
    named.filter_map(|(index, _)| code.member(index))
}

/// Types to which one method casts, and for which it checks by `instanceof`; none where it has no code.
pub fn checked_types(class: &ClassFile<'_>, name: &str, descriptor: &str) -> BTreeSet<ErasedType> {
    let mut found = BTreeSet::new();
    for code in methods(class).filter(|code| code.name == name && code.descriptor == descriptor) {
        for (index, instruction) in code.instructions.iter().enumerate() {
            if matches!(instruction.opcode, CHECKCAST | INSTANCEOF)
                && let Some(operand) = code.class_operand(index)
            {
                found.extend(ErasedType::from_class_constant(&operand));
            }
        }
    }
    found
}

fn class_literal(class: &ClassFile<'_>, constant: u16) -> Option<ErasedType> {
    match class.constants.loadable(constant) {
        Ok(Constant::Class(name)) => ErasedType::from_class_constant(&name).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assembler::assemble;

    fn text(value: &str) -> ConstantValue {
        ConstantValue::String(value.encode_utf16().collect())
    }

    fn check(source: &str, expect: &[ConstantValue]) {
        let bytes = assemble(&format!(".method static f ()V\n{source}"));
        assert_eq!(constants(&ClassFile::parse(&bytes).unwrap()), expect, "{source}");
    }

    #[test]
    fn lambdas_and_references_tell_their_interfaces_and_concatenations_none() {
        let sites = [
            "run:(Lp/Foo;)Ljava/lang/Runnable;",
            "apply:()Lp/Work;",
            "makeConcatWithConstants:(I)Ljava/lang/String;",
        ];
        let source = sites.map(|site| format!("invokedynamic {site} p/Boot.make:()V\npop\n")).concat();
        let bytes = assemble(&format!(".method static f ()V\n{source}return"));
        let found = lambda_interfaces(&ClassFile::parse(&bytes).unwrap());
        assert_eq!(found.iter().map(ClassName::as_str).collect::<Vec<_>>(), ["java/lang/Runnable", "p/Work"]);
    }

    #[test]
    fn every_form_of_a_constant_is_found_once() {
        check(
            "iconst_m1\nbipush -7\nsipush 300\nldc 70000\nldc \"a\"\nldc \"a\"\nlconst_1\nfconst_2\ndconst_0\nreturn",
            &[
                ConstantValue::Int(-7),
                ConstantValue::Int(-1),
                ConstantValue::Int(300),
                ConstantValue::Int(70000),
                ConstantValue::Long(1),
                ConstantValue::Float(2.0),
                ConstantValue::Double(0.0),
                text("a"),
            ],
        );
    }

    #[test]
    fn keys_of_a_switch_count_but_not_those_of_its_default() {
        check(
            "iload_0\nlookupswitch 5:L 9:M 7:L default:M\nL:\nnop\nM:\nreturn",
            &[ConstantValue::Int(5), ConstantValue::Int(7)],
        );
    }

    #[test]
    fn floats_are_told_apart_by_their_bits() {
        assert_ne!(ConstantValue::Double(0.0), ConstantValue::Double(-0.0));
        assert_eq!(ConstantValue::Float(f32::NAN), ConstantValue::Float(f32::NAN));
        assert!(ConstantValue::Long(0) < ConstantValue::Float(-1.0));
    }

    #[test]
    fn types_of_casts_checks_handlers_and_literals_are_found() {
        let bytes = assemble(
            ".method static f ()V\n.catch p/E a b b\na:\naload_0\ncheckcast [I\ninstanceof p/B\nldc p/C\nreturn\nb:\nathrow",
        );
        let found = referenced_types(&ClassFile::parse(&bytes).unwrap());
        let names: Vec<String> = found.iter().map(ErasedType::descriptor).collect();
        assert_eq!(names, ["Lp/B;", "Lp/C;", "Lp/E;", "[I"]);
    }

    #[test]
    fn what_one_method_checks_and_calls_is_found() {
        let bytes = assemble(
            ".method static f (Ljava/lang/Object;)V
aload_0
instanceof p/B
pop
aload_0
invokestatic q/H.g:(Ljava/lang/Object;)V
return
.method static g ()V
aconst_null
checkcast [I
pop
return",
        );
        let class = ClassFile::parse(&bytes).unwrap();
        let checked = checked_types(&class, "f", "(Ljava/lang/Object;)V");
        assert_eq!(checked.iter().map(ErasedType::descriptor).collect::<Vec<_>>(), ["Lp/B;"]);
        assert!(checked_types(&class, "f", "()V").is_empty());
        let [called] = Vec::from_iter(called_methods(&class)).try_into().unwrap();
        assert_eq!(called, ("q/H".into(), "g".into(), "(Ljava/lang/Object;)V".into()));
    }
}
