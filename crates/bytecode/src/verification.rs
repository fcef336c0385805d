//! Types on the operand stack and in local variables before each instruction, as the verifier knows them
//! (JVM specification §4.10.1): from the frames of the `StackMapTable` on, through straight-line code.
//!
//! Code of class files without frames (before version 50) is followed up to its first jump target only.

use std::sync::Arc;

use crate::class_file::{ClassFileError, Constant, Reader};
use crate::descriptor::{ErasedType, MethodDescriptor, PrimitiveType};
use crate::instruction::Operand;
use crate::method_code::MethodCode;
use crate::opcode::*;

/// A verification type (§4.10.1.2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VerificationType {
    /// Nothing that may be used; also the second slot of a `long` or `double` variable.
    Top,
    /// `int` and all smaller types.
    Int,
    /// `float`
    Float,
    /// `long`, one entry on the stack.
    Long,
    /// `double`, one entry on the stack.
    Double,
    /// The type of `null`.
    Null,
    /// `this` before another constructor was called.
    UninitializedThis,
    /// A class by internal name, or an array by descriptor.
    Object(Arc<str>),
    /// What `new` at this offset made, before its constructor was called.
    Uninitialized(u32),
}

use VerificationType::{Double, Float, Int, Long, Null, Object, Top, Uninitialized, UninitializedThis};

impl VerificationType {
    /// That of values of a type.
    pub fn of(erased: &ErasedType) -> Self {
        match erased {
            ErasedType::Primitive(PrimitiveType::Long) => Long,
            ErasedType::Primitive(PrimitiveType::Float) => Float,
            ErasedType::Primitive(PrimitiveType::Double) => Double,
            ErasedType::Primitive(_) => Int,
            ErasedType::Class(name) => Object(name.as_str().into()),
            ErasedType::Array(_) => Object(erased.descriptor().into()),
        }
    }

    /// The name in a class constant of what a value of it can be cast to, if not `Object`.
    pub fn class(&self) -> Option<Arc<str>> {
        let Object(name) = self else { return None };
        (&**name != "java/lang/Object").then(|| name.clone())
    }

    /// Whether it takes two slots.
    pub fn is_wide(&self) -> bool {
        matches!(self, Long | Double)
    }
}

/// The first version of class files with frames.
pub const FIRST_WITH_FRAMES: u16 = 50;

/// What is known before an instruction.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Frame {
    /// By slot.
    pub locals: Vec<VerificationType>,
    /// One entry per value, the top last.
    pub stack: Vec<VerificationType>,
}

/// Ways in which code does not follow the rules: what comes behind is not known.
pub type Known<T> = Option<T>;

/// The frame with which a method begins, its variables without gaps: `this` and the parameters.
pub fn first_frame(code: &MethodCode<'_>) -> Known<Frame> {
    let mut locals = Vec::new();
    if !code.access.is_static() {
        let class = code.class.name().ok()?;
        locals.push(if &*code.name == "<init>" { UninitializedThis } else { Object((&*class).into()) });
    }
    for parameter in &MethodDescriptor::parse(&code.descriptor).ok()?.parameters {
        let found = VerificationType::of(parameter);
        let is_wide = found.is_wide();
        locals.push(found);
        if is_wide {
            locals.push(Top);
        }
    }
    Some(Frame { locals, stack: Vec::new() })
}

/// The frame before each instruction; `None` where it is not known or not reached.
pub fn frames(code: &MethodCode<'_>) -> Vec<Option<Frame>> {
    let declared = declared_frames(code).unwrap_or_default();
    let mut declared = declared.into_iter().peekable();
    let mut frames = Vec::with_capacity(code.len());
    let mut current = first_frame(code);
    for index in 0..code.len() {
        match declared.next_if(|&(at, _)| at == index) {
            Some((_, frame)) => current = Some(frame),
            None if code.is_join(index) => current = None,
            None => {}
        }
        frames.push(current.clone());
        let goes_on = !ends_flow(code.opcode(index));
        current = current.filter(|_| goes_on).and_then(|mut frame| {
            frame.execute(code, index)?;
            Some(frame)
        });
    }
    frames
}

/// The frames of the `StackMapTable` by instruction, ascending.
pub fn declared_frames(code: &MethodCode<'_>) -> Known<Vec<(usize, Frame)>> {
    let member = code.class.methods.get(code.method)?;
    let attribute = code.class.code(member).ok()??;
    let Some(mut reader) = code.class.attribute(&attribute.attributes, "StackMapTable") else {
        return Some(Vec::new());
    };
    let mut frames = Vec::new();
    let mut frame = first_frame(code)?;
    let mut offset = None;
    for _ in 0..reader.u2().ok()? {
        let delta = frame.read(code, &mut reader).ok()?;
        let place = offset.map_or(delta, |before: u32| before + delta + 1);
        offset = Some(place);
        frames.push((code.at(place)?, frame.clone()));
    }
    Some(frames)
}

impl Frame {
    /// Becomes the next frame of a table; gives its `offset_delta` (§4.7.4).
    fn read(&mut self, code: &MethodCode<'_>, reader: &mut Reader<'_>) -> Result<u32, ClassFileError> {
        const UNKNOWN: ClassFileError = ClassFileError::Malformed { what: "an unknown stack map frame" };
        let tag = reader.u1()?;
        self.stack.clear();
        let delta = match tag {
            0..=127 => u32::from(tag & 63),
            128..=246 => return Err(UNKNOWN),
            247..=255 => reader.u2()?.into(),
        };
        match tag {
            64..=127 | 247 => self.stack.push(read_type(code, reader)?),
            248..=250 => (0..251 - tag).for_each(|_| self.drop_local()),
            252..=254 => {
                for _ in 0..tag - 251 {
                    self.add_local(read_type(code, reader)?);
                }
            }
            255 => {
                self.locals.clear();
                for _ in 0..reader.u2()? {
                    self.add_local(read_type(code, reader)?);
                }
                for _ in 0..reader.u2()? {
                    self.stack.push(read_type(code, reader)?);
                }
            }
            _ => {}
        }
        Ok(delta)
    }

    /// What a call takes from the stack, and nothing else.
    pub fn of_call(code: &MethodCode<'_>, index: usize) -> Known<Self> {
        let mut frame = Self::default();
        if !matches!(code.opcode(index), INVOKESTATIC | INVOKEDYNAMIC) {
            frame.stack.push(Object((&*code.member(index)?.owner).into()));
        }
        let descriptor = MethodDescriptor::parse(&called_descriptor(code, index)?).ok()?;
        frame.stack.extend(descriptor.parameters.iter().map(VerificationType::of));
        Some(frame)
    }

    fn add_local(&mut self, found: VerificationType) {
        let is_wide = found.is_wide();
        self.locals.push(found);
        if is_wide {
            self.locals.push(Top);
        }
    }

    fn drop_local(&mut self) {
        let last = self.locals.pop();
        if last == Some(Top) && self.locals.last().is_some_and(VerificationType::is_wide) {
            self.locals.pop();
        }
    }

    fn pop(&mut self) -> Known<VerificationType> {
        self.stack.pop()
    }

    /// Takes so many values.
    fn drop(&mut self, count: usize) -> Known<()> {
        let rest = self.stack.len().checked_sub(count)?;
        self.stack.truncate(rest);
        Some(())
    }

    /// Takes so many values and leaves one.
    fn replace(&mut self, count: usize, result: VerificationType) -> Known<()> {
        self.drop(count)?;
        self.stack.push(result);
        Some(())
    }

    fn store(&mut self, variable: u16) -> Known<()> {
        let value = self.pop()?;
        let at = usize::from(variable);
        let is_wide = value.is_wide();
        let end = at + 1 + usize::from(is_wide);
        if self.locals.len() < end {
            self.locals.resize(end, Top);
        }
        // Half of what was there is of no use.
        if at > 0 && self.locals[at - 1].is_wide() {
            self.locals[at - 1] = Top;
        }
        if self.locals[end - 1].is_wide() && self.locals.len() > end {
            self.locals[end] = Top;
        }
        self.locals[at] = value;
        if is_wide {
            self.locals[at + 1] = Top;
        }
        Some(())
    }

    /// What an instruction makes of the frame before it (§4.10.1.9).
    pub fn execute(&mut self, code: &MethodCode<'_>, index: usize) -> Known<()> {
        let instruction = &code.instructions[index];
        match general_form(instruction.opcode) {
            NOP | GOTO | IINC | RETURN => Some(()),
            ACONST_NULL => self.replace(0, Null),
            ICONST_M1..=ICONST_5 | BIPUSH | SIPUSH => self.replace(0, Int),
            LCONST_0 | LCONST_1 => self.replace(0, Long),
            FCONST_0..=FCONST_2 => self.replace(0, Float),
            DCONST_0 | DCONST_1 => self.replace(0, Double),
            LDC => self.replace(0, loaded(code, &instruction.operand)?),
            ILOAD..=ALOAD => {
                let value = self.locals.get(usize::from(code.local(index)?))?.clone();
                self.replace(0, value)
            }
            ISTORE..=ASTORE => self.store(code.local(index)?),
            IALOAD | BALOAD | CALOAD | SALOAD => self.replace(2, Int),
            LALOAD => self.replace(2, Long),
            FALOAD => self.replace(2, Float),
            DALOAD => self.replace(2, Double),
            AALOAD => {
                self.drop(1)?;
                let element = element_of(&self.pop()?)?;
                self.replace(0, element)
            }
            IASTORE..=SASTORE => self.drop(3),
            POP..=SWAP => self.shuffle(instruction.opcode),
            opcode @ (IADD..=LXOR | I2L..=DCMPG) => self.calculate(opcode),
            IFEQ..=IFLE | IFNULL | IFNONNULL => self.drop(1),
            IF_ICMPEQ..=IF_ACMPNE => self.drop(2),
            TABLESWITCH | LOOKUPSWITCH | IRETURN..=ARETURN | ATHROW | MONITORENTER | MONITOREXIT => {
                self.drop(1)
            }
            GETSTATIC..=INVOKEDYNAMIC => self.access(code, index),
            NEW => self.replace(0, Uninitialized(instruction.offset)),
            NEWARRAY => self.replace(1, Object(array_of(&instruction.operand)?.into())),
            ANEWARRAY => {
                let element = code.class_operand(index)?;
                let name =
                    if element.starts_with('[') { format!("[{element}") } else { format!("[L{element};") };
                self.replace(1, Object(name.into()))
            }
            ARRAYLENGTH | INSTANCEOF => self.replace(1, Int),
            CHECKCAST => self.replace(1, Object((&*code.class_operand(index)?).into())),
            MULTIANEWARRAY => {
                let &Operand::MultiArray(class, dimensions) = &instruction.operand else { return None };
                let name = code.class.constants.class(class).ok()?;
                self.replace(usize::from(dimensions), Object((&*name).into()))
            }
            _ => None,
        }
    }

    /// Arithmetic, conversions and comparisons.
    fn calculate(&mut self, opcode: u8) -> Known<()> {
        let (taken, result) = match opcode {
            INEG | LNEG | FNEG | DNEG => return Some(()),
            IADD..=DREM => (2, [Int, Long, Float, Double][usize::from(opcode - IADD) % 4].clone()),
            ISHL..=LXOR => (2, [Int, Long][usize::from(opcode - ISHL) % 2].clone()),
            L2I | F2I | D2I | I2B | I2C | I2S => (1, Int),
            I2L | F2L | D2L => (1, Long),
            I2F | L2F | D2F => (1, Float),
            I2D | L2D | F2D => (1, Double),
            _ => (2, Int),
        };
        self.replace(taken, result)
    }

    /// `pop`, `pop2`, `dup` and its kin, `swap`.
    fn shuffle(&mut self, opcode: u8) -> Known<()> {
        let top_is_wide = self.stack.last()?.is_wide();
        match opcode {
            POP => return self.drop(1),
            POP2 => return self.drop(if top_is_wide { 1 } else { 2 }),
            SWAP => {
                let (top, below) = (self.pop()?, self.pop()?);
                self.stack.extend([top, below]);
                return Some(());
            }
            _ => {}
        }
        let copied = if opcode >= DUP2 && !top_is_wide { 2 } else { 1 };
        let slots_below = match opcode {
            DUP_X1 | DUP2_X1 => 1,
            DUP_X2 | DUP2_X2 => 2,
            _ => 0,
        };
        let start = self.stack.len().checked_sub(copied)?;
        let below = match slots_below {
            2 if self.stack.get(start.checked_sub(1)?)?.is_wide() => 1,
            slots => slots,
        };
        let copies: Vec<_> = self.stack[start..].to_vec();
        let at = start.checked_sub(below)?;
        self.stack.splice(at..at, copies);
        Some(())
    }

    /// Fields and calls.
    fn access(&mut self, code: &MethodCode<'_>, index: usize) -> Known<()> {
        let opcode = code.opcode(index);
        if let GETSTATIC..=PUTFIELD = opcode {
            let field = VerificationType::of(&ErasedType::parse(&code.member(index)?.descriptor).ok()?);
            return match opcode {
                GETSTATIC => self.replace(0, field),
                GETFIELD => self.replace(1, field),
                PUTSTATIC => self.drop(1),
                _ => self.drop(2),
            };
        }
        let descriptor = MethodDescriptor::parse(&called_descriptor(code, index)?).ok()?;
        self.drop(descriptor.parameters.len())?;
        if !matches!(opcode, INVOKESTATIC | INVOKEDYNAMIC) {
            let receiver = self.pop()?;
            if opcode == INVOKESPECIAL && &*code.member(index)?.name == "<init>" {
                self.initialize(code, index, &receiver)?;
            }
        }
        if let Some(result) = &descriptor.result {
            self.stack.push(VerificationType::of(result));
        }
        Some(())
    }

    fn initialize(&mut self, code: &MethodCode<'_>, index: usize, receiver: &VerificationType) -> Known<()> {
        let class = match receiver {
            UninitializedThis => code.class.name().ok()?,
            _ => code.member(index)?.owner,
        };
        let made = Object((&*class).into());
        for place in self.locals.iter_mut().chain(&mut self.stack).filter(|place| *place == receiver) {
            *place = made.clone();
        }
        Some(())
    }
}

/// The descriptor of the method that an instruction calls.
pub fn called_descriptor(code: &MethodCode<'_>, index: usize) -> Known<String> {
    match (code.opcode(index), &code.instructions[index].operand) {
        (INVOKEDYNAMIC, Operand::Constant(site)) => {
            Some(code.class.constants.invoke_dynamic(*site).ok()?.2.into_owned())
        }
        _ => Some(code.member(index)?.descriptor.into_owned()),
    }
}

fn read_type(code: &MethodCode<'_>, reader: &mut Reader<'_>) -> Result<VerificationType, ClassFileError> {
    Ok(match reader.u1()? {
        0 => Top,
        1 => Int,
        2 => Float,
        3 => Double,
        4 => Long,
        5 => Null,
        6 => UninitializedThis,
        7 => Object((&*code.class.constants.class(reader.u2()?)?).into()),
        8 => Uninitialized(reader.u2()?.into()),
        _ => return Err(ClassFileError::Malformed { what: "an unknown verification type" }),
    })
}

fn loaded(code: &MethodCode<'_>, operand: &Operand) -> Known<VerificationType> {
    let Operand::Constant(constant) = operand else { return None };
    Some(match code.class.constants.loadable(*constant).ok()? {
        Constant::Integer(_) => Int,
        Constant::Float(_) => Float,
        Constant::Long(_) => Long,
        Constant::Double(_) => Double,
        Constant::String(_) => Object("java/lang/String".into()),
        Constant::Class(_) => Object("java/lang/Class".into()),
        // Method handles, method types and dynamic constants: rare, and of several types.
        Constant::Other => return None,
    })
}

fn element_of(array: &VerificationType) -> Known<VerificationType> {
    match array {
        Null => Some(Null),
        Object(name) => Some(VerificationType::of(&ErasedType::parse(name.strip_prefix('[')?).ok()?)),
        Top | Int | Float | Long | Double | UninitializedThis | Uninitialized(_) => None,
    }
}

/// Descriptor of an array of primitive values (§6.5, `newarray`).
fn array_of(operand: &Operand) -> Known<&'static str> {
    let Operand::ArrayType(code) = operand else { return None };
    Some(match code {
        4 => "[Z",
        5 => "[C",
        6 => "[F",
        7 => "[D",
        8 => "[B",
        9 => "[S",
        10 => "[I",
        11 => "[J",
        _ => return None,
    })
}
