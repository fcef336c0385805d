//! Writes class files that no compiler made (JVM specification §4).
//!
//! The code of such a class runs straight on, so that the frame of every instruction follows from the one before it (§4.10.1). It may
//! go elsewhere at its beginning alone, where nothing but the parameters has a value ([`Code::or_else`]).

use std::collections::BTreeMap;

use crate::class_file::{ClassFileError, encode_modified_utf8, tag};
use crate::descriptor::{ErasedType, PrimitiveType};
use crate::opcode;

/// Class-file version of what is written: Java 8. The old verifier, to which the JVM falls back up to 50, never
/// sees it.
const MAJOR: u16 = 52;

/// Largest `constant_pool_count`: the index of a constant has 16 bits, and slot 0 counts.
const MOST_CONSTANTS: usize = 65_535;

/// Length of a branch in bytes.
const BRANCH: usize = 3;

/// Longest code of a method in bytes (JVM specification §4.7.3).
const LONGEST_CODE: usize = 65_535;

/// Appends a `u2`.
pub(crate) fn push_u2(bytes: &mut Vec<u8>, value: u16) {
    bytes.extend_from_slice(&value.to_be_bytes());
}

/// Appends bytes behind their length as a `u4`.
pub(crate) fn push_block(bytes: &mut Vec<u8>, block: &[u8]) {
    let length = u32::try_from(block.len()).unwrap_or(u32::MAX);
    bytes.extend_from_slice(&length.to_be_bytes());
    bytes.extend_from_slice(block);
}

/// A constant pool that grows. Equal constants share one entry; when there is no room for another one its index is
/// 0 and the class cannot be finished.
#[derive(Debug, Default)]
pub(crate) struct Constants {
    known: BTreeMap<Vec<u8>, u16>,
    bytes: Vec<u8>,
    overflowed: bool,
}

impl Constants {
    /// A constant as the class file has it: tag, then content. It takes one slot.
    pub(crate) fn add(&mut self, constant: Vec<u8>) -> u16 {
        if let Some(known) = self.known.get(&constant) {
            return *known;
        }
        let next = self.known.len() + 1;
        let Some(index) = u16::try_from(next).ok().filter(|_| next < MOST_CONSTANTS) else {
            self.overflowed = true;
            return 0;
        };
        self.bytes.extend_from_slice(&constant);
        self.known.insert(constant, index);
        index
    }

    /// A constant that names two others.
    pub(crate) fn pair(&mut self, tag: u8, first: u16, second: u16) -> u16 {
        let ([a, b], [c, d]) = (first.to_be_bytes(), second.to_be_bytes());
        self.add(vec![tag, a, b, c, d])
    }

    fn single(&mut self, tag: u8, text: &str) -> u16 {
        let [a, b] = self.utf8(text).to_be_bytes();
        self.add(vec![tag, a, b])
    }

    /// A `CONSTANT_Utf8`.
    pub(crate) fn utf8(&mut self, text: &str) -> u16 {
        let units: Vec<u16> = text.encode_utf16().collect();
        let encoded = encode_modified_utf8(&units);
        let Ok(length) = u16::try_from(encoded.len()) else {
            self.overflowed = true;
            return 0;
        };
        let mut constant = vec![tag::UTF8];
        push_u2(&mut constant, length);
        constant.extend_from_slice(&encoded);
        self.add(constant)
    }

    /// A `CONSTANT_Class` by its internal name, an array by its descriptor.
    pub(crate) fn class(&mut self, name: &str) -> u16 {
        self.single(tag::CLASS, name)
    }

    /// A `CONSTANT_String`.
    pub(crate) fn string(&mut self, text: &str) -> u16 {
        self.single(tag::STRING, text)
    }

    /// A `CONSTANT_NameAndType`.
    pub(crate) fn name_and_type(&mut self, name: &str, descriptor: &str) -> u16 {
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        self.pair(tag::NAME_AND_TYPE, name, descriptor)
    }

    /// A `CONSTANT_Fieldref`, `CONSTANT_Methodref` or `CONSTANT_InterfaceMethodref`.
    pub(crate) fn member(&mut self, tag: u8, owner: &str, name: &str, descriptor: &str) -> u16 {
        let (owner, member) = (self.class(owner), self.name_and_type(name, descriptor));
        self.pair(tag, owner, member)
    }

    /// A class file of these constants and what follows them.
    ///
    /// # Errors
    /// [`ClassFileError::Malformed`] when a constant found no room.
    pub(crate) fn finish(&self, body: &[u8]) -> Result<Vec<u8>, ClassFileError> {
        if self.overflowed {
            return Err(ClassFileError::Malformed { what: "more or longer constants than a class can have" });
        }
        let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0];
        push_u2(&mut bytes, MAJOR);
        push_u2(&mut bytes, u16::try_from(self.known.len() + 1).unwrap_or(u16::MAX));
        bytes.extend_from_slice(&self.bytes);
        bytes.extend_from_slice(body);
        Ok(bytes)
    }
}

/// Flag of JVM specification, Table 4.6-A.
const NATIVE: u16 = 0x0100;

/// A frame with the locals of the one before it, and no operands (JVM specification §4.7.4).
const SAME_FRAME_EXTENDED: u8 = 251;

/// A class under construction.
#[derive(Debug)]
pub(crate) struct ClassWriter {
    /// Its constants.
    pub(crate) constants: Constants,
    head: Vec<u8>,
    fields: Vec<u8>,
    field_count: u16,
    methods: Vec<u8>,
    method_count: u16,
    signature: Option<u16>,
    source_file: Option<u16>,
}

impl ClassWriter {
    /// A class with these access flags, internal names and nothing in it.
    pub(crate) fn new(access: u16, name: &str, superclass: &str, interface: Option<&str>) -> Self {
        let mut constants = Constants::default();
        let mut head = Vec::new();
        for value in [access, constants.class(name), constants.class(superclass)] {
            push_u2(&mut head, value);
        }
        push_u2(&mut head, u16::from(interface.is_some()));
        if let Some(interface) = interface {
            push_u2(&mut head, constants.class(interface));
        }
        Self {
            constants,
            head,
            fields: Vec::new(),
            field_count: 0,
            methods: Vec::new(),
            method_count: 0,
            signature: None,
            source_file: None,
        }
    }

    /// Says which source file it comes from.
    pub(crate) fn source_file(&mut self, name: &str) {
        self.source_file = Some(self.constants.utf8(name));
    }

    /// Gives it a generic signature.
    pub(crate) fn sign(&mut self, signature: &str) {
        self.signature = Some(self.constants.utf8(signature));
    }

    /// Adds a field without attributes.
    pub(crate) fn field(&mut self, access: u16, name: &str, descriptor: &str) {
        for value in [access, self.constants.utf8(name), self.constants.utf8(descriptor), 0] {
            push_u2(&mut self.fields, value);
        }
        self.field_count += 1;
    }

    /// Adds a native method.
    pub(crate) fn native_method(&mut self, access: u16, name: &str, descriptor: &str) {
        for value in [access | NATIVE, self.constants.utf8(name), self.constants.utf8(descriptor), 0] {
            push_u2(&mut self.methods, value);
        }
        self.method_count += 1;
    }

    /// Adds a method with this code, whose first locals are the receiver and the parameters.
    ///
    /// # Errors
    /// [`ClassFileError::Malformed`] when the code is too long.
    pub(crate) fn method(
        &mut self,
        access: u16,
        name: &str,
        descriptor: &str,
        code: &Code,
    ) -> Result<(), ClassFileError> {
        if code.bytes.len() > LONGEST_CODE {
            return Err(ClassFileError::Malformed { what: "a method longer than 65,535 bytes" });
        }
        let constants = &mut self.constants;
        for value in [access, constants.utf8(name), constants.utf8(descriptor), 1, constants.utf8("Code")] {
            push_u2(&mut self.methods, value);
        }
        let mut attribute = Vec::new();
        push_u2(&mut attribute, code.max_stack);
        push_u2(&mut attribute, code.locals);
        push_block(&mut attribute, &code.bytes);
        // No handlers.
        push_u2(&mut attribute, 0);
        push_u2(&mut attribute, u16::from(code.elsewhere.is_some()));
        if let Some(target) = code.elsewhere {
            push_u2(&mut attribute, constants.utf8("StackMapTable"));
            let [high, low] = target.to_be_bytes();
            push_block(&mut attribute, &[0, 1, SAME_FRAME_EXTENDED, high, low]);
        }
        push_block(&mut self.methods, &attribute);
        self.method_count += 1;
        Ok(())
    }

    /// The class file.
    ///
    /// # Errors
    /// As for [`Constants::finish`].
    pub(crate) fn finish(mut self) -> Result<Vec<u8>, ClassFileError> {
        let mut body = self.head;
        push_u2(&mut body, self.field_count);
        body.extend_from_slice(&self.fields);
        push_u2(&mut body, self.method_count);
        body.extend_from_slice(&self.methods);
        let attributes = [("Signature", self.signature), ("SourceFile", self.source_file)];
        let attributes = attributes.into_iter().filter_map(|(name, value)| Some((name, value?)));
        push_u2(&mut body, u16::try_from(attributes.clone().count()).unwrap_or(u16::MAX));
        for (name, value) in attributes {
            push_u2(&mut body, self.constants.utf8(name));
            push_block(&mut body, &value.to_be_bytes());
        }
        self.constants.finish(&body)
    }
}

/// The code of a method, straight on to its return.
#[derive(Debug)]
pub(crate) struct Code {
    bytes: Vec<u8>,
    locals: u16,
    max_stack: u16,
    /// Where it goes on otherwise: the one place that something else than the instruction before it leads to.
    elsewhere: Option<u16>,
}

impl Code {
    /// No instructions yet; room for these locals (the receiver counts) and this many operands.
    pub(crate) fn new(locals: u16, max_stack: u16) -> Self {
        Self { bytes: Vec::new(), locals, max_stack, elsewhere: None }
    }

    /// Its instructions.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Bytes so far.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// `max_stack` and `max_locals`.
    pub(crate) fn room(&self) -> [u16; 2] {
        [self.max_stack, self.locals]
    }

    /// An instruction without operands.
    pub(crate) fn op(&mut self, opcode: u8) {
        self.bytes.push(opcode);
    }

    /// An instruction that names a constant.
    pub(crate) fn with(&mut self, opcode: u8, constant: u16) {
        self.bytes.push(opcode);
        push_u2(&mut self.bytes, constant);
    }

    /// An instruction that loads or stores a local; a method has at most 255 slots of parameters (§4.3.3).
    pub(crate) fn local(&mut self, opcode: u8, local: u16) {
        if let Ok(local) = u8::try_from(local) {
            self.bytes.extend_from_slice(&[opcode, local]);
        } else {
            self.bytes.extend_from_slice(&[opcode::WIDE, opcode]);
            push_u2(&mut self.bytes, local);
        }
    }

    /// Does `first`, which must end by returning, where the `int` on the stack is 0, else what comes behind it. No other operand may be on the
    /// stack, and no local have a value but the receiver and the parameters. Once in a method.
    pub(crate) fn or_else(&mut self, first: &[u8]) {
        let start = self.bytes.len();
        let over = BRANCH + first.len();
        self.with(opcode::IFNE, u16::try_from(over).unwrap_or(u16::MAX));
        self.bytes.extend_from_slice(first);
        self.elsewhere = u16::try_from(start + over).ok();
    }

    /// Pushes a number that is not negative.
    pub(crate) fn number(&mut self, value: u16) {
        match u8::try_from(value) {
            Ok(small @ 0..=5) => self.op(opcode::ICONST_0 + small),
            Ok(_) | Err(_) => self.with(opcode::SIPUSH, value.min(i16::MAX as u16)),
        }
    }
}

/// The instruction that loads a variable of a type.
pub(crate) fn load_opcode(of: &ErasedType) -> u8 {
    match of {
        ErasedType::Class(_) | ErasedType::Array(_) => opcode::ALOAD,
        ErasedType::Primitive(primitive) => opcode::ILOAD + kind_offset(*primitive),
    }
}

/// The instruction that returns a result, or nothing.
pub(crate) fn return_opcode(result: Option<&ErasedType>) -> u8 {
    match result {
        None => opcode::RETURN,
        Some(ErasedType::Class(_) | ErasedType::Array(_)) => opcode::ARETURN,
        Some(ErasedType::Primitive(primitive)) => opcode::IRETURN + kind_offset(*primitive),
    }
}

/// Distance of an opcode from that for `int` in the order of the opcodes: `int`, `long`, `float`, `double`.
pub(crate) fn kind_offset(primitive: PrimitiveType) -> u8 {
    match primitive {
        PrimitiveType::Boolean
        | PrimitiveType::Byte
        | PrimitiveType::Short
        | PrimitiveType::Char
        | PrimitiveType::Int => 0,
        PrimitiveType::Long => 1,
        PrimitiveType::Float => 2,
        PrimitiveType::Double => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_constants_share_an_entry() {
        let mut constants = Constants::default();
        let first = constants.member(tag::METHOD, "p/A", "f", "()V");
        assert_eq!(constants.member(tag::METHOD, "p/A", "f", "()V"), first);
        assert_eq!(constants.member(tag::FIELD, "p/A", "f", "()V"), first + 1);
        assert_ne!(constants.class("p/A"), constants.string("p/A"));
    }

    #[test]
    fn too_many_or_too_long_constants_are_an_error() {
        let mut many = Constants::default();
        for number in 0..65_534 {
            many.add(vec![tag::INTEGER, 0, (number >> 16) as u8, (number >> 8) as u8, number as u8]);
        }
        assert!(many.finish(&[]).is_ok());
        assert_eq!(many.utf8("one more"), 0);
        assert!(many.finish(&[]).is_err());
        let mut long = Constants::default();
        long.utf8(&"\u{20AC}".repeat(30_000));
        assert!(long.finish(&[]).is_err());
    }
}
