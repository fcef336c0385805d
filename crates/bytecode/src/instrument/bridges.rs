//! Calls of tests that others wrote, led through methods of their own, which tell what is passed, returned and thrown. The code around
//! a call stays as it is, its frames and handlers included: one instruction gives way to another of the same length.
//!
//! Left as they are: calls of superclasses (`super.f()`, `super(…)`) and of the protected methods of `Object`, references to methods,
//! calls in interfaces, and constructors between whose `new` and whose call code branches.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::code_editor::patch;
use super::constants::NewConstants;
use super::runtime::RuntimeMethod;
use super::scan::{self, Scan};
use crate::class_file::{Attribute, ClassFile, ClassFileError};
use crate::class_writer::{Code, load_opcode, push_block, return_opcode};
use crate::descriptor::{ErasedType, MethodDescriptor, PrimitiveType};
use crate::opcode::*;
use crate::probe_map::ProbeMap;
use crate::values::{InspectorKind, ValueOf, ValueProbes, ValueShape};

/// The methods whose calls are told, and what is told of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WatchedCalls {
    /// Name and descriptor of each.
    members: BTreeSet<String>,
    table: String,
}

impl WatchedCalls {
    /// Those that have partitions of values; where exceptions count, all that tests can call.
    pub fn of(maps: &[ProbeMap], exceptions: bool) -> Self {
        let mut calls = Self::default();
        for map in maps {
            let is_called = |access: crate::access::Access| !access.is_private() && !access.is_synthetic();
            for method in map.methods.iter().filter(|method| method.is_goal && is_called(method.access)) {
                if &*method.name == "<clinit>" || (method.values.is_empty() && !exceptions) {
                    continue;
                }
                let member = format!("{}{}", method.name, method.descriptor);
                let _ = writeln!(calls.table, "{}\t{member}", map.class.as_str());
                for value in &method.values {
                    calls.add(value);
                }
                calls.members.insert(member);
            }
        }
        calls
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The text that `covolve.runtime.Calls.install` reads: a line per method, its class and its name with its descriptor; behind
    /// it, a line per value that is looked at, which begins with a tab: number of the parameter or -1, letter of the shape, first
    /// outcome, and of an inspector kind, class, name and descriptor.
    pub fn table(&self) -> &str {
        &self.table
    }

    fn add(&mut self, value: &ValueProbes) {
        let of = match value.of {
            ValueOf::Parameter(number) => i32::from(number),
            ValueOf::Result => -1,
        };
        let _ = write!(self.table, "\t{of}\t{}\t{}", letter(value.shape), value.first.0);
        if let Some(inspector) = &value.inspector {
            let kind = match inspector.kind {
                InspectorKind::Method => 'M',
                InspectorKind::Field => 'F',
            };
            let class = inspector.class.as_str();
            let _ = write!(self.table, "\t{kind}\t{class}\t{}\t{}", inspector.name, inspector.descriptor);
        }
        self.table.push('\n');
    }

    fn has(&self, name: &str, descriptor: &str) -> bool {
        self.members.contains(&format!("{name}{descriptor}"))
    }
}

/// By which letter the run time knows a shape: those of primitive types are capital, those of what may be null small.
fn letter(shape: ValueShape) -> char {
    let of = |primitive: PrimitiveType| match primitive {
        PrimitiveType::Boolean => 'Z',
        PrimitiveType::Char => 'C',
        PrimitiveType::Byte
        | PrimitiveType::Short
        | PrimitiveType::Int
        | PrimitiveType::Long
        | PrimitiveType::Float
        | PrimitiveType::Double => 'N',
    };
    match shape {
        ValueShape::Primitive(primitive) => of(primitive),
        ValueShape::Boxed(primitive) => of(primitive).to_ascii_lowercase(),
        ValueShape::Text | ValueShape::Array | ValueShape::Sized => 's',
        ValueShape::Object => 'o',
    }
}

/// Leads the calls of these methods through others that tell what is passed, returned and thrown. A class without such calls,
/// and one that has no room for them, stays as it is.
///
/// # Errors
/// Bytes that are no class file.
pub fn bridge_calls(bytes: &[u8], calls: &WatchedCalls) -> Result<Vec<u8>, ClassFileError> {
    let class = ClassFile::parse(bytes)?;
    let (Some(first), Some(last)) = (class.methods.first(), class.methods.last()) else {
        return Ok(bytes.to_vec());
    };
    // Their methods would have to be named in another way.
    if class.access & INTERFACE != 0 {
        return Ok(bytes.to_vec());
    }
    let mut bridges = Bridges {
        class: &class,
        calls,
        constants: NewConstants::behind(&class.constants),
        known: BTreeMap::new(),
        methods: Vec::new(),
        made: 0,
        scan: Scan::default(),
    };
    let mut out = bytes.to_vec();
    for method in &class.methods {
        let mut attributes = method.attributes.iter();
        if let Some(code) = attributes.find(|attribute| class.attribute_is(attribute, "Code")) {
            let Some(attribute) = class.code(method)? else { continue };
            if bridges.scan.read(&attribute, &UNWATCHED).is_ok() {
                bridges.lead(code, attribute.code(), &mut out);
            }
        }
    }
    let number = u16::try_from(class.methods.len() + bridges.made);
    let Some(number) = number.ok().filter(|_| !bridges.constants.overflowed()) else {
        return Ok(bytes.to_vec());
    };
    out.splice(last.range.end..last.range.end, bridges.methods);
    patch(&mut out, first.range.start - 2, &number.to_be_bytes());
    out.splice(class.body..class.body, bridges.constants.bytes().iter().copied());
    patch(&mut out, COUNT, &bridges.constants.count().to_be_bytes());
    Ok(out)
}

const INTERFACE: u16 = 0x0200;

/// `private static synthetic`
const ACCESS: u16 = 0x0002 | 0x0008 | 0x1000;

/// Offset of `constant_pool_count`.
const COUNT: usize = 8;

/// The code of a method lies so far behind the beginning of its attribute: stack, locals and its own length come first.
const CODE: usize = 8;

/// The first version whose code needs frames.
const WITH_FRAMES: u16 = 50;

/// Most slots of what is passed: one instruction loads any of them.
const MOST_SLOTS: u16 = 250;

const UNWATCHED: scan::Watch = scan::watch(&[false; 256]);

struct Bridges<'b> {
    class: &'b ClassFile<'b>,
    calls: &'b WatchedCalls,
    constants: NewConstants,
    /// By instruction and what it calls: the constant of the method that stands for it; `None` where there is none.
    known: BTreeMap<(u8, u16), Option<u16>>,
    /// The methods, as the class file has them, and how many there are.
    methods: Vec<u8>,
    made: usize,
    scan: Scan,
}

impl Bridges<'_> {
    /// Puts calls of bridges into the code of a method that was scanned.
    fn lead(&mut self, attribute: &Attribute, code: &[u8], out: &mut [u8]) {
        // `new` and `dup` of objects whose constructors are still to be called, innermost last; `None` where they are in
        // another form.
        let mut made: Vec<Option<(u32, u16)>> = Vec::new();
        let starts = std::mem::take(&mut self.scan.starts);
        let at = |offset: u32| attribute.content.start + CODE + offset as usize;
        for &start in &starts {
            let offset = start as usize;
            let Some(&opcode) = code.get(offset) else { continue };
            let operand = scan::u2(code, offset + 1).unwrap_or_default();
            // Frames there may tell of objects whose constructors have not been called.
            if self.scan.is_target(start) {
                made.clear();
            }
            match opcode {
                IFEQ..=RETURN | ATHROW | IFNULL..=JSR_W => made.clear(),
                NEW => made.push((code.get(offset + 3) == Some(&DUP)).then_some((start, operand))),
                INVOKESPECIAL if self.is_constructor(operand) => {
                    let object = made.pop().flatten();
                    let is_it = |(_, class): &(u32, u16)| self.is_of(operand, *class);
                    if let Some((new, _)) = object.filter(is_it)
                        && let Some(bridge) = self.bridge(opcode, operand)
                    {
                        patch(out, at(new), &[NOP; 4]);
                        patch(out, at(start), &call(bridge));
                    }
                }
                INVOKEVIRTUAL | INVOKESTATIC | INVOKEINTERFACE => {
                    if let Some(bridge) = self.bridge(opcode, operand) {
                        patch(out, at(start), &call(bridge));
                        if opcode == INVOKEINTERFACE {
                            patch(out, at(start) + 3, &[NOP; 2]);
                        }
                    }
                }
                _ => {}
            }
        }
        self.scan.starts = starts;
    }

    fn is_constructor(&self, member: u16) -> bool {
        self.class.constants.member_bytes(member).is_some_and(|(_, name, _)| name == b"<init>")
    }

    /// Whether a member is one of the class of this constant.
    fn is_of(&self, member: u16, class: u16) -> bool {
        let constants = &self.class.constants;
        let name = constants.class_name_index(class).and_then(|name| constants.utf8_bytes(name));
        constants.member_bytes(member).is_some_and(|(owner, ..)| name.is_ok_and(|name| name == owner))
    }

    /// The constant of the method that stands for a call; `None` where nothing is to be told of it.
    fn bridge(&mut self, opcode: u8, member: u16) -> Option<u16> {
        if let Some(known) = self.known.get(&(opcode, member)) {
            return *known;
        }
        let made = self.make(opcode, member);
        self.made += usize::from(made.is_some());
        self.known.insert((opcode, member), made);
        made
    }

    fn make(&mut self, opcode: u8, member: u16) -> Option<u16> {
        let called = self.class.constants.member(member).ok()?;
        if called.owner.starts_with('[')
            || is_protected_of_object(&called.owner, &called.name)
            || !self.calls.has(&called.name, &called.descriptor)
        {
            return None;
        }
        let descriptor = MethodDescriptor::parse(&called.descriptor).ok()?;
        let owner = ErasedType::from_class_constant(&called.owner).ok()?;
        let is_new = &*called.name == "<init>";
        let receiver = (!is_new && opcode != INVOKESTATIC).then(|| owner.clone());
        let passed: Vec<ErasedType> = receiver.iter().chain(&descriptor.parameters).cloned().collect();
        let result = if is_new { Some(owner) } else { descriptor.result.clone() };
        let slots: u16 = passed.iter().map(ErasedType::slots).sum();
        if slots > MOST_SLOTS {
            return None;
        }
        let name = format!("covolve$call${}", self.made);
        let types: String = passed.iter().map(ErasedType::descriptor).collect();
        let described =
            format!("({types}){}", result.as_ref().map_or("V".to_owned(), ErasedType::descriptor));
        // Beside what is passed: the object that is made twice, or a value of two slots with what is told of it.
        let code = Code::new(slots + 1, slots + 6);
        let mut bridge = Bridge { code, constants: &mut self.constants };
        let strings = [&*called.owner, &format!("{}{}", called.name, called.descriptor)];
        let strings = strings.map(|text| bridge.constants.string(&text.encode_utf16().collect::<Vec<_>>()));
        // Which method it is, in a variable behind all that is passed.
        if receiver.is_some() {
            bridge.code.local(ALOAD, 0);
        } else {
            bridge.code.op(ACONST_NULL);
        }
        bridge.called(RuntimeMethod::BeginCall, strings);
        bridge.code.local(ISTORE, slots);
        let mut at = u16::from(receiver.is_some());
        for (parameter, of) in (0..).zip(&descriptor.parameters) {
            bridge.code.local(load_opcode(of), at);
            bridge.saw(of, slots, parameter);
            at += of.slots();
        }
        let from = bridge.code.len();
        if is_new {
            let class = bridge.constants.class_named(&called.owner);
            bridge.code.with(NEW, class);
            bridge.code.op(DUP);
        }
        let mut at = 0;
        for of in &passed {
            bridge.code.local(load_opcode(of), at);
            at += of.slots();
        }
        bridge.code.with(opcode, member);
        if opcode == INVOKEINTERFACE {
            bridge.code.op(slots as u8);
            bridge.code.op(0);
        }
        let to = bridge.code.len();
        if let Some(of) = descriptor.result.as_ref().filter(|_| !is_new) {
            bridge.code.op(if of.slots() == 2 { DUP2 } else { DUP });
            bridge.saw(of, slots, -1);
        }
        bridge.code.op(return_opcode(result.as_ref()));
        let handler = bridge.code.len();
        bridge.code.op(DUP);
        bridge.called(RuntimeMethod::ThrewCall, strings);
        bridge.code.op(ATHROW);
        let code = bridge.code;
        self.add((&name, &described), &code, [from, to, handler]);
        let this = self.class.this_class;
        Some(self.constants.method_of(this, &name, &described))
    }

    /// Adds a method with one handler, which is given what its offsets are: begin and end of the code that it covers, and its own.
    fn add(&mut self, named: (&str, &str), code: &Code, handler: [usize; 3]) {
        /// Of `Code` without code and handlers, and of a handler.
        const LENGTHS: (usize, usize) = (12, 8);
        /// Of `StackMapTable` with its head; of its one frame, that of the handler: no variable, an exception on the stack.
        const FRAME: usize = 6 + 2 + 10;
        let constants = &mut self.constants;
        let names = [named.0, named.1, "Code"].map(|name| constants.utf8(name));
        let has_frame = self.class.major >= WITH_FRAMES;
        let length = LENGTHS.0 + LENGTHS.1 + code.len() + if has_frame { FRAME } else { 0 };
        let [from, to, handler] = handler.map(|offset| offset as u16);
        let out = &mut self.methods;
        let short = |out: &mut Vec<u8>, numbers: &[u16]| {
            out.extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
        };
        short(out, &[ACCESS, names[0], names[1], 1, names[2]]);
        out.extend((length as u32).to_be_bytes());
        short(out, &code.room());
        push_block(out, code.bytes());
        short(out, &[1, from, to, handler, 0, u16::from(has_frame)]);
        if has_frame {
            let (table, thrown) =
                (constants.utf8("StackMapTable"), constants.class_named("java/lang/Throwable"));
            short(out, &[table]);
            out.extend((FRAME as u32 - 6).to_be_bytes());
            short(out, &[1]);
            out.push(FULL_FRAME);
            short(out, &[handler, 0, 1]);
            out.push(OBJECT);
            short(out, &[thrown]);
        }
    }
}

/// `full_frame` and `Object_variable_info` (Java virtual machine specification §4.7.4).
const FULL_FRAME: u8 = 255;
const OBJECT: u8 = 7;

/// The instruction that calls a method by its constant.
fn call(constant: u16) -> [u8; 3] {
    let [high, low] = constant.to_be_bytes();
    [INVOKESTATIC, high, low]
}

/// Whether a method is one of `Object`'s that are protected: code names that class, whatever calls them, and may call them on objects
/// of its own class alone (JVMS §4.10.1.8), which a parameter of type `Object` does not say. All others are named by a class below.
fn is_protected_of_object(owner: &str, name: &str) -> bool {
    owner == "java/lang/Object" && matches!(name, "clone" | "finalize")
}

/// A method that is being written.
struct Bridge<'c> {
    code: Code,
    constants: &'c mut NewConstants,
}

impl Bridge<'_> {
    fn call(&mut self, method: RuntimeMethod) {
        let constant = self.constants.method(method);
        self.code.with(INVOKESTATIC, constant);
    }

    /// Calls a method with what is on the stack, and with the method that is called: its class, and its name with its descriptor.
    fn called(&mut self, method: RuntimeMethod, strings: [u16; 2]) {
        for text in strings {
            self.code.with(LDC_W, text);
        }
        self.call(method);
    }

    /// Tells the value on the stack: that of a parameter, or -1 for the result, of the method in this variable.
    fn saw(&mut self, of: &ErasedType, method: u16, parameter: i16) {
        self.code.local(ILOAD, method);
        self.code.with(SIPUSH, parameter as u16);
        self.call(match load_opcode(of) {
            ILOAD => RuntimeMethod::SawInt,
            LLOAD => RuntimeMethod::SawLong,
            FLOAD => RuntimeMethod::SawFloat,
            DLOAD => RuntimeMethod::SawDouble,
            _ => RuntimeMethod::SawReference,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assembler::assemble;

    #[test]
    fn protected_methods_of_object_are_called_as_they_were() {
        let calls = WatchedCalls {
            members: BTreeSet::from(["clone()Ljava/lang/Object;".to_owned()]),
            ..WatchedCalls::default()
        };
        for (owner, is_bridged) in [("java/lang/Object", false), ("p/Other", true)] {
            let call = format!(
                ".method static f (L{owner};)Ljava/lang/Object;\naload_0\ninvokevirtual {owner}.clone:()Ljava/lang/Object;\nareturn"
            );
            let bytes = assemble(&call);
            assert_eq!(bridge_calls(&bytes, &calls).unwrap() != bytes, is_bridged, "{owner}");
        }
    }
}
