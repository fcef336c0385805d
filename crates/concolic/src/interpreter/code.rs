//! Methods made ready to be interpreted: owned, with the constants of each instruction resolved.

use std::ops::Range;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use bytecode::class_file::{ClassFile, Constant, tag};
use bytecode::descriptor::{ErasedType, MethodDescriptor};
use bytecode::hierarchy::ClassHierarchy;
use bytecode::instruction::{Instruction, Operand};
use bytecode::lookup::Lookup;
use bytecode::method_code::MethodCode;
use bytecode::name::ClassName;
use bytecode::opcode;

use crate::interpreter::heap::FieldName;
use crate::interpreter::selection::{Callee, Dispatch};
use crate::interpreter::slot::Concrete;
use crate::interpreter::{MethodName, Slot};

/// What replays have read of the classes of one hierarchy, so that the next replay does not read it again.
#[derive(Debug, Default)]
pub struct Code {
    methods: RwLock<Lookup<MethodName, Option<Arc<Method>>>>,
    constants: RwLock<Lookup<FieldName, Option<Resolved>>>,
    callees: RwLock<Lookup<(ClassName, MethodName, Dispatch), Arc<Callee>>>,
}

impl Code {
    /// The code of a method; `None` if it has none that can be read.
    pub(super) fn method(&self, hierarchy: &ClassHierarchy, name: &MethodName) -> Option<Arc<Method>> {
        if let Some(known) = self.methods.read().unwrap_or_else(PoisonError::into_inner).get(name) {
            return known.clone();
        }
        let bytes = hierarchy.source().class_bytes(&name.class);
        let method = bytes.and_then(|bytes| Method::read(&bytes, name)).map(Arc::new);
        let mut methods = self.methods.write().unwrap_or_else(PoisonError::into_inner);
        methods.insert(name.clone(), method.clone());
        method
    }

    /// What a call of a method runs on a class: that of the receiver, or the one that is named.
    pub(super) fn callee(
        &self,
        hierarchy: &ClassHierarchy,
        class: &ClassName,
        named: &MethodName,
        dispatch: Dispatch,
    ) -> Arc<Callee> {
        let call = (class.clone(), named.clone(), dispatch);
        if let Some(known) = self.callees.read().unwrap_or_else(PoisonError::into_inner).get(&call) {
            return known.clone();
        }
        let callee = Arc::new(Callee::of(hierarchy, class, named, dispatch));
        let mut callees = self.callees.write().unwrap_or_else(PoisonError::into_inner);
        callees.insert(call, callee.clone());
        callee
    }

    /// What `ConstantValue` says of a final static field (JVMS 4.7.2): a number or a text.
    pub(super) fn constant(&self, hierarchy: &ClassHierarchy, field: &FieldName) -> Option<Resolved> {
        if let Some(known) = self.constants.read().unwrap_or_else(PoisonError::into_inner).get(field) {
            return known.clone();
        }
        let constant = constant_value(hierarchy, field);
        let mut constants = self.constants.write().unwrap_or_else(PoisonError::into_inner);
        constants.insert(field.clone(), constant.clone());
        constant
    }
}

fn constant_value(hierarchy: &ClassHierarchy, field: &FieldName) -> Option<Resolved> {
    if !hierarchy.class(&field.0)?.field(&field.1)?.access.is_final() {
        return None;
    }
    let bytes = hierarchy.source().class_bytes(&field.0)?;
    let class = ClassFile::parse(&bytes).ok()?;
    let member = class.fields.iter().find(|member| class.constants.has_text(member.name, &field.1))?;
    let index = class.attribute(&member.attributes, "ConstantValue")?.u2().ok()?;
    loadable(&class, index).filter(|value| matches!(value, Resolved::Number(_) | Resolved::Text(_)))
}

/// The code of a method.
#[derive(Debug)]
pub(super) struct Method {
    pub(super) name: MethodName,
    pub(super) result: Option<ErasedType>,
    pub(super) instructions: Vec<Prepared>,
    pub(super) handlers: Vec<Catch>,
}

/// An entry of the exception table; no class catches all.
#[derive(Debug)]
pub(super) struct Catch {
    pub(super) range: Range<usize>,
    pub(super) handler: usize,
    pub(super) class: Option<ClassName>,
}

/// An instruction with what it names.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) opcode: u8,
    pub(super) operand: Operand,
    pub(super) constant: Resolved,
    /// The target of a jump, or the default of a switch.
    pub(super) target: usize,
    /// Keys and targets of a switch.
    pub(super) cases: Vec<(i32, usize)>,
}

/// What the constant of an instruction is.
#[derive(Debug, Clone)]
pub(super) enum Resolved {
    Nothing,
    Number(Slot),
    Text(Arc<[u16]>),
    Class(ErasedType),
    Member(Arc<Member>),
    Dynamic(Arc<Dynamic>),
    Unknown,
}

/// A field or a method that an instruction names.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) owner: ErasedType,
    pub(super) name: Arc<str>,
    pub(super) descriptor: Arc<str>,
    /// Parameters and result of a method.
    pub(super) method: Option<MethodDescriptor>,
    /// The type of a field.
    pub(super) field: Option<ErasedType>,
    /// The field that is meant, by the class that declares it, once it was asked for.
    declared: OnceLock<FieldName>,
}

impl Member {
    /// The field that is meant, by the class that declares it (JVMS 5.4.3.2); `None` of arrays.
    pub(super) fn declared(&self, hierarchy: &ClassHierarchy) -> Option<&FieldName> {
        let ErasedType::Class(owner) = &self.owner else { return None };
        Some(self.declared.get_or_init(|| {
            let declares = |class: &&ClassName| {
                hierarchy.class(class).is_some_and(|info| info.field(&self.name).is_some())
            };
            let chain: Vec<ClassName> =
                std::iter::once(owner.clone()).chain(hierarchy.superclasses(owner)).collect();
            let supertypes = hierarchy.supertypes(owner);
            let found = chain.iter().find(declares).or_else(|| supertypes.iter().find(declares));
            (found.unwrap_or(owner).clone(), self.name.clone())
        }))
    }
}

/// What an `invokedynamic` names (JVMS 4.7.23).
#[derive(Debug)]
pub(super) struct Dynamic {
    /// Class and name of the bootstrap method.
    pub(super) bootstrap: (String, String),
    pub(super) name: Arc<str>,
    pub(super) text: Arc<str>,
    pub(super) descriptor: MethodDescriptor,
    pub(super) arguments: Vec<Argument>,
}

/// A static argument of a bootstrap method.
#[derive(Debug)]
pub(super) enum Argument {
    Constant(Resolved),
    Handle { kind: u8, owner: ClassName, name: Arc<str>, descriptor: Arc<str> },
}

impl Method {
    /// The code of a method; `None` if it has none that can be read.
    pub(super) fn read(bytes: &[u8], name: &MethodName) -> Option<Self> {
        let class = ClassFile::parse(bytes).ok()?;
        let position = class.methods.iter().position(|method| {
            class.constants.has_text(method.name, &name.name)
                && class.constants.has_text(method.descriptor, &name.descriptor)
        })?;
        let code = MethodCode::read(&class, position).ok()??;
        let instructions = code
            .instructions
            .iter()
            .map(|instruction| prepared(&code, instruction))
            .collect::<Option<_>>()?;
        let handlers = code.handlers.iter().map(|entry| {
            let class = match entry.catch_type {
                0 => None,
                constant => Some(ClassName::new(&*class.constants.class(constant).ok()?)),
            };
            Some(Catch { range: entry.range.clone(), handler: entry.handler, class })
        });
        Some(Self {
            name: name.clone(),
            result: MethodDescriptor::parse(&name.descriptor).ok()?.result,
            handlers: handlers.collect::<Option<_>>()?,
            instructions,
        })
    }
}

/// Whether a `CONSTANT_Utf8` is this text.
trait HasText {
    fn has_text(&self, index: u16, text: &str) -> bool;
}

impl HasText for bytecode::class_file::ConstantPool<'_> {
    fn has_text(&self, index: u16, text: &str) -> bool {
        self.utf8(index).is_ok_and(|found| found == text)
    }
}

fn prepared(code: &MethodCode<'_>, instruction: &Instruction) -> Option<Prepared> {
    let class = code.class;
    let constant = match instruction.operand {
        Operand::Constant(index) | Operand::MultiArray(index, _) => match instruction.opcode {
            opcode::INVOKEDYNAMIC => Resolved::Dynamic(Arc::new(dynamic(class, index)?)),
            opcode::GETSTATIC..=opcode::INVOKEINTERFACE => Resolved::Member(Arc::new(member(class, index)?)),
            _ => loadable(class, index)?,
        },
        Operand::None
        | Operand::Immediate(_)
        | Operand::Local(_)
        | Operand::Increment(..)
        | Operand::Jump(_)
        | Operand::Switch(_)
        | Operand::ArrayType(_) => Resolved::Nothing,
    };
    let mut target = 0;
    let mut cases = Vec::new();
    if let Operand::Jump(offset) = &instruction.operand {
        target = code.at(*offset)?;
    }
    if let Operand::Switch(switch) = &instruction.operand {
        target = code.at(switch.default)?;
        for &(key, offset) in &switch.cases {
            cases.push((key, code.at(offset)?));
        }
    }
    Some(Prepared {
        opcode: instruction.opcode,
        operand: instruction.operand.clone(),
        constant,
        target,
        cases,
    })
}

fn member(class: &ClassFile<'_>, index: u16) -> Option<Member> {
    let member = class.constants.member(index).ok()?;
    Some(Member {
        owner: ErasedType::from_class_constant(&member.owner).ok()?,
        name: (&*member.name).into(),
        method: MethodDescriptor::parse(&member.descriptor).ok(),
        field: ErasedType::parse(&member.descriptor).ok(),
        declared: OnceLock::new(),
        descriptor: (&*member.descriptor).into(),
    })
}

fn loadable(class: &ClassFile<'_>, index: u16) -> Option<Resolved> {
    let number = |concrete| Resolved::Number(Slot::of(concrete));
    Some(match class.constants.loadable(index).ok()? {
        Constant::Integer(value) => number(Concrete::Int(value)),
        Constant::Float(value) => number(Concrete::Float(value)),
        Constant::Long(value) => number(Concrete::Long(value)),
        Constant::Double(value) => number(Concrete::Double(value)),
        Constant::String(units) => Resolved::Text(units.into()),
        Constant::Class(name) => Resolved::Class(ErasedType::from_class_constant(&name).ok()?),
        Constant::Other => Resolved::Unknown,
    })
}

fn dynamic(class: &ClassFile<'_>, index: u16) -> Option<Dynamic> {
    let (bootstrap, name, descriptor) = class.constants.invoke_dynamic(index).ok()?;
    let bootstrap = class.bootstrap_method(bootstrap)?;
    let (_, method) = class.constants.method_handle(bootstrap.handle).ok()?;
    let argument = |&index: &u16| match class.constants.tag(index)? {
        tag::METHOD_HANDLE => {
            let (kind, member) = class.constants.method_handle(index).ok()?;
            Some(Argument::Handle {
                kind,
                owner: ClassName::new(&*member.owner),
                name: (&*member.name).into(),
                descriptor: (&*member.descriptor).into(),
            })
        }
        _ => loadable(class, index).map(Argument::Constant),
    };
    Some(Dynamic {
        bootstrap: (method.owner.into_owned(), method.name.into_owned()),
        name: (&*name).into(),
        text: (&*descriptor).into(),
        descriptor: MethodDescriptor::parse(&descriptor).ok()?,
        arguments: bootstrap.arguments.iter().map(argument).collect::<Option<_>>()?,
    })
}
