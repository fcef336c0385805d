//! What operators look at: the code of a method, what is known of its values, its variables by name.

use std::sync::Arc;

use super::Kind;
use crate::class_file::Constant;
use crate::instruction::Operand;
use crate::method_code::MethodCode;
use crate::opcode::*;
use crate::verification::{FIRST_WITH_FRAMES, Frame, called_descriptor, frames};

/// A method in which mutants are looked for.
#[derive(Debug)]
pub(crate) struct Site<'c> {
    pub(crate) code: &'c MethodCode<'c>,
    frames: Vec<Option<Frame>>,
    variables: Vec<Variable>,
}

/// A local variable of the source.
#[derive(Debug, Clone)]
pub(crate) struct Variable {
    /// Offsets at which it has a value.
    start: u32,
    end: u32,
    /// Its name.
    pub(crate) name: String,
    /// Its descriptor.
    pub(crate) descriptor: String,
    /// Its slot.
    pub(crate) slot: u16,
}

/// The name in a class constant of what has this descriptor: `None` for `Object` and for what is no reference.
pub(crate) fn class_of(descriptor: &str) -> Option<Arc<str>> {
    let name = match descriptor.as_bytes().first()? {
        b'L' => descriptor.strip_prefix('L')?.strip_suffix(';')?,
        b'[' => descriptor,
        _ => return None,
    };
    (name != "java/lang/Object").then(|| name.into())
}

impl<'c> Site<'c> {
    /// Looks at a method.
    pub(crate) fn new(code: &'c MethodCode<'c>) -> Self {
        Self { code, frames: frames(code), variables: variables(code).unwrap_or_default() }
    }

    /// What is known before an instruction.
    pub(crate) fn frame(&self, index: usize) -> Option<&Frame> {
        self.frames.get(index)?.as_ref()
    }

    /// What is known before a call and behind it; in a class file without frames, where inserted jumps need none, only what
    /// the call takes and gives.
    pub(crate) fn frames_around(&self, index: usize) -> Option<(Frame, Frame)> {
        let has_frames = self.code.class.major >= FIRST_WITH_FRAMES;
        let before = if has_frames { self.frame(index)?.clone() } else { Frame::of_call(self.code, index)? };
        let mut behind = before.clone();
        behind.execute(self.code, index)?;
        Some((before, behind))
    }

    /// The variable that an instruction loads or increments.
    pub(crate) fn variable(&self, index: usize) -> Option<&Variable> {
        let slot = self.code.local(index)?;
        self.visible(index).find(|variable| variable.slot == slot)
    }

    /// Variables that have a value at an instruction, by slot.
    pub(crate) fn visible(&self, index: usize) -> impl Iterator<Item = &Variable> {
        let offset = self.code.instructions[index].offset;
        self.variables.iter().filter(move |variable| (variable.start..variable.end).contains(&offset))
    }

    /// Descriptor of what an instruction leaves on the stack, as far as it names one.
    pub(crate) fn result(&self, index: usize) -> Option<String> {
        match general_form(self.code.opcode(index)) {
            GETSTATIC | GETFIELD => Some(self.code.member(index)?.descriptor.into_owned()),
            INVOKEVIRTUAL..=INVOKEDYNAMIC => {
                let descriptor = called_descriptor(self.code, index)?;
                Some(descriptor.split_once(')')?.1.to_owned())
            }
            INSTANCEOF => Some("Z".to_owned()),
            ILOAD..=ALOAD => Some(self.variable(index)?.descriptor.clone()),
            _ => None,
        }
    }

    /// Whether what a jump compares with 0 is a boolean. What comes together from several ways is taken for one: that is
    /// how compilers put `&&`, `||` and `?:` together.
    pub(crate) fn is_boolean(&self, jump: usize) -> bool {
        self.code.only_predecessor(jump).is_none_or(|before| self.result(before).as_deref() == Some("Z"))
    }

    /// Whether what an instruction leaves on the stack is never negative.
    pub(crate) fn is_size(&self, index: usize) -> bool {
        const SIZES: [(&str, &str); 3] = [("length", "()I"), ("size", "()I"), ("ordinal", "()I")];
        match self.code.opcode(index) {
            ARRAYLENGTH | CALOAD => true,
            INVOKEVIRTUAL | INVOKEINTERFACE => self.code.member(index).is_some_and(|method| {
                method.owner.starts_with("java/") && SIZES.contains(&(&method.name, &method.descriptor))
            }),
            _ => false,
        }
    }

    /// The number that an instruction pushes.
    pub(crate) fn pushed(&self, index: usize) -> Option<Pushed> {
        let instruction = &self.code.instructions[index];
        Some(match (instruction.opcode, &instruction.operand) {
            (opcode @ ICONST_M1..=ICONST_5, _) => Pushed::Int(i32::from(opcode) - i32::from(ICONST_0)),
            (opcode @ (LCONST_0 | LCONST_1), _) => Pushed::Long((opcode - LCONST_0).into()),
            (opcode @ FCONST_0..=FCONST_2, _) => Pushed::Float((opcode - FCONST_0).into()),
            (opcode @ (DCONST_0 | DCONST_1), _) => Pushed::Double((opcode - DCONST_0).into()),
            (BIPUSH | SIPUSH, Operand::Immediate(value)) => Pushed::Int(*value),
            (LDC | LDC_W | LDC2_W, Operand::Constant(constant)) => {
                match self.code.class.constants.loadable(*constant).ok()? {
                    Constant::Integer(value) => Pushed::Int(value),
                    Constant::Long(value) => Pushed::Long(value),
                    Constant::Float(value) => Pushed::Float(value),
                    Constant::Double(value) => Pushed::Double(value),
                    Constant::String(units) => Pushed::String(units.is_empty()),
                    Constant::Class(_) | Constant::Other => return None,
                }
            }
            _ => return None,
        })
    }
}

/// A constant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Pushed {
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    /// Whether it is empty.
    String(bool),
}

impl Pushed {
    /// What kind of value it is.
    pub(crate) fn kind(self) -> Kind {
        match self {
            Self::Int(_) => Kind::Int,
            Self::Long(_) => Kind::Long,
            Self::Float(_) => Kind::Float,
            Self::Double(_) => Kind::Double,
            Self::String(_) => Kind::Reference,
        }
    }

    /// As a whole number, if it is one.
    pub(crate) fn whole(self) -> Option<i64> {
        match self {
            Self::Int(value) => Some(value.into()),
            Self::Long(value) => Some(value),
            Self::Float(_) | Self::Double(_) | Self::String(_) => None,
        }
    }
}

/// The variables of the `LocalVariableTable`, by slot.
fn variables(code: &MethodCode<'_>) -> Option<Vec<Variable>> {
    let class = code.class;
    let attribute = class.code(class.methods.get(code.method)?).ok()??;
    let mut reader = class.attribute(&attribute.attributes, "LocalVariableTable")?;
    let mut variables = Vec::new();
    for _ in 0..reader.u2().ok()? {
        let mut next = || reader.u2().ok();
        let (start, length, name, descriptor, slot) = (next()?, next()?, next()?, next()?, next()?);
        variables.push(Variable {
            start: start.into(),
            end: u32::from(start) + u32::from(length),
            name: class.constants.utf8(name).ok()?.into_owned(),
            descriptor: class.constants.utf8(descriptor).ok()?.into_owned(),
            slot,
        });
    }
    variables.sort_by_key(|variable| (variable.slot, variable.start));
    Some(variables)
}
