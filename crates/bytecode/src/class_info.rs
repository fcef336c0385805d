//! What a test generator wants to know of a class: owned, decoded, without the code.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::access::Access;
use crate::class_file::{Attribute, ClassFile, ClassFileError, Member};
use crate::descriptor::{ErasedType, MethodDescriptor};
use crate::filters::{annotations, is_set};
use crate::injected::is_injecting;
use crate::name::ClassName;
use crate::signature::{ClassSignature, ClassType, GenericType, MethodSignature, TypeParameter, parse_type};

/// Kinds of class declarations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClassKind {
    /// An ordinary class.
    Class,
    /// An interface that is no annotation.
    Interface,
    /// An enum class.
    Enum,
    /// A record class.
    Record,
    /// An annotation interface.
    Annotation,
}

/// Where a class is declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Nesting {
    /// In a compilation unit.
    TopLevel,
    /// As a member of a class; `name` is its simple name.
    Member {
        /// The declaring class.
        outer: ClassName,
        /// Simple name.
        name: Arc<str>,
    },
    /// In a block, with a name.
    Local,
    /// In a block, without a name.
    Anonymous,
}

/// A class or interface.
#[derive(Debug, Clone)]
pub struct ClassInfo {
    /// Internal name.
    pub name: ClassName,
    /// Major version of its class file.
    pub version: u16,
    /// Access flags; for a nested class those of its declaration (`InnerClasses`), so `private`, `protected`
    /// and `static` are true to the source.
    pub access: Access,
    /// What it is.
    pub kind: ClassKind,
    /// Where it is declared.
    pub nesting: Nesting,
    /// Superclass, `None` for `java/lang/Object`, interfaces' is `java/lang/Object`.
    pub superclass: Option<ClassName>,
    /// Direct superinterfaces.
    pub interfaces: Vec<ClassName>,
    /// Type parameters and generic supertypes; derived from the erased ones where the class file has none.
    pub signature: ClassSignature,
    /// Fields in order, synthetic ones included.
    pub fields: Vec<FieldInfo>,
    /// Methods in order: constructors, initializers and synthetic ones included.
    pub methods: Vec<MethodInfo>,
    /// Member classes declared in it (from `InnerClasses`).
    pub member_classes: Vec<ClassName>,
    /// Classes that may extend a sealed class; empty for others.
    pub permitted: Vec<ClassName>,
    /// How it is marked deprecated, if it is.
    pub deprecated: Option<Deprecation>,
    /// Name of the source file, if it is recorded.
    pub source_file: Option<Arc<str>>,
}

/// How a class or member is marked deprecated (Java language specification §9.6.4.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Deprecation {
    /// Without more.
    Ordinary,
    /// It is to be removed, of which `javac` has a warning of its own.
    ForRemoval,
}

/// A field.
#[derive(Debug, Clone)]
pub struct FieldInfo {
    /// Name.
    pub name: Arc<str>,
    /// Access flags.
    pub access: Access,
    /// Erased type.
    pub erased: ErasedType,
    /// Generic type.
    pub generic: GenericType,
    /// How it is marked deprecated, if it is.
    pub deprecated: Option<Deprecation>,
    /// Whether it is final and its initializer a constant expression: it never has another value (Java language
    /// specification §4.12.4).
    pub is_constant: bool,
    /// Whether an annotation says that a container fills it by reflection, or a parser of options does.
    pub is_injected: bool,
}

/// A method, constructor (`<init>`) or class initializer (`<clinit>`).
#[derive(Debug, Clone)]
pub struct MethodInfo {
    /// Name.
    pub name: Arc<str>,
    /// Descriptor text.
    pub descriptor: Arc<str>,
    /// Access flags.
    pub access: Access,
    /// Parsed descriptor.
    pub erased: MethodDescriptor,
    /// Generic signature, with as many parameters as the descriptor has (synthetic leading ones are erased).
    pub generic: MethodSignature,
    /// Exceptions declared.
    pub exceptions: Vec<ClassName>,
    /// Parameter names where the class file tells (`MethodParameters`, else the local variable table), as
    /// many as there are parameters, or none.
    pub parameter_names: Vec<Arc<str>>,
    /// How it is marked deprecated, if it is.
    pub deprecated: Option<Deprecation>,
    /// Whether an annotation says that a container calls it, with what it has for its parameters.
    pub is_injected: bool,
}

impl MethodInfo {
    /// Whether it is a constructor.
    pub fn is_constructor(&self) -> bool {
        &*self.name == "<init>"
    }

    /// Whether it is a class initializer.
    pub fn is_class_initializer(&self) -> bool {
        &*self.name == "<clinit>"
    }
}

impl ClassInfo {
    /// Reads a class file.
    pub fn read(bytes: &[u8]) -> Result<Self, ClassFileError> {
        Self::from_class_file(&ClassFile::parse(bytes)?)
    }

    /// Decodes a located class file.
    pub fn from_class_file(class: &ClassFile<'_>) -> Result<Self, ClassFileError> {
        if Access(class.access).is_module() {
            return Err(ClassFileError::Malformed { what: "a module declares no class" });
        }
        let name = ClassName::new(&*class.name()?);
        let superclass = class.super_name()?.map(|name| ClassName::new(&*name));
        let interfaces: Vec<ClassName> = class
            .interfaces
            .iter()
            .map(|&index| class.constants.class(index).map(|name| ClassName::new(&*name)))
            .collect::<Result<_, _>>()?;
        let mut access = class.access(class.access, &class.attributes);
        let mut nesting = Nesting::TopLevel;
        let mut member_classes = Vec::new();
        for inner in inner_classes(class)? {
            if inner.class == name {
                access = Access(inner.access | access.0 & 0x1000);
                nesting = inner.nesting;
            } else if matches!(&inner.nesting, Nesting::Member { outer, .. } if *outer == name) {
                member_classes.push(inner.class);
            }
        }
        let signature = match class.attribute(&class.attributes, "Signature") {
            // A malformed signature is ignored, as the reflection of the JDK does only when asked for it.
            Some(mut reader) => ClassSignature::parse(&class.constants.utf8(reader.u2()?)?).ok(),
            None => None,
        };
        let signature = signature.unwrap_or_else(|| ClassSignature {
            parameters: Vec::new(),
            superclass: superclass.clone().map(ClassType::new),
            interfaces: interfaces.iter().cloned().map(ClassType::new).collect(),
        });
        let source_file = match class.attribute(&class.attributes, "SourceFile") {
            Some(mut reader) => Some(class.constants.utf8(reader.u2()?)?.into()),
            None => None,
        };
        Ok(Self {
            version: class.major,
            kind: kind(class, access, superclass.as_ref()),
            fields: class.fields.iter().map(|field| field_info(class, field)).collect::<Result<_, _>>()?,
            methods: class
                .methods
                .iter()
                .map(|method| method_info(class, method))
                .collect::<Result<_, _>>()?,
            permitted: class_table(class, "PermittedSubclasses")?,
            deprecated: deprecation(class, &class.attributes),
            name,
            access,
            nesting,
            superclass,
            interfaces,
            signature,
            member_classes,
            source_file,
        })
    }

    /// The method of this name and descriptor.
    pub fn method(&self, name: &str, descriptor: &str) -> Option<&MethodInfo> {
        self.methods.iter().find(|method| &*method.name == name && &*method.descriptor == descriptor)
    }

    /// The field of this name.
    pub fn field(&self, name: &str) -> Option<&FieldInfo> {
        self.fields.iter().find(|field| &*field.name == name)
    }

    /// Whether it is an interface or annotation.
    pub fn is_interface(&self) -> bool {
        self.access.is_interface()
    }

    /// Whether instances need an enclosing instance: a member class that is not static.
    pub fn is_inner(&self) -> bool {
        matches!(self.nesting, Nesting::Member { .. }) && !self.access.is_static() && !self.is_interface()
    }

    /// This class with its own type parameters as arguments (`List<E>` within `List`).
    pub fn this_type(&self) -> ClassType {
        let variable = |parameter: &TypeParameter| GenericType::Variable(parameter.name.clone());
        ClassType::of(self.name.clone(), self.signature.parameters.iter().map(variable))
    }
}

fn kind(class: &ClassFile<'_>, access: Access, superclass: Option<&ClassName>) -> ClassKind {
    if access.is_annotation() {
        ClassKind::Annotation
    } else if access.is_interface() {
        ClassKind::Interface
    } else if access.is_enum() {
        ClassKind::Enum
    } else if superclass.is_some_and(|name| name.as_str() == "java/lang/Record")
        && class.attribute(&class.attributes, "Record").is_some()
    {
        ClassKind::Record
    } else {
        ClassKind::Class
    }
}

struct InnerClass {
    class: ClassName,
    nesting: Nesting,
    access: u16,
}

fn inner_classes(class: &ClassFile<'_>) -> Result<Vec<InnerClass>, ClassFileError> {
    let Some(mut reader) = class.attribute(&class.attributes, "InnerClasses") else {
        return Ok(Vec::new());
    };
    let count = reader.u2()?;
    (0..count)
        .map(|_| {
            let (inner, outer, name, access) = (reader.u2()?, reader.u2()?, reader.u2()?, reader.u2()?);
            let nesting = match (outer, name) {
                (_, 0) => Nesting::Anonymous,
                (0, _) => Nesting::Local,
                (outer, name) => Nesting::Member {
                    outer: ClassName::new(&*class.constants.class(outer)?),
                    name: class.constants.utf8(name)?.into(),
                },
            };
            Ok(InnerClass { class: ClassName::new(&*class.constants.class(inner)?), nesting, access })
        })
        .collect()
}

fn class_table(class: &ClassFile<'_>, attribute: &str) -> Result<Vec<ClassName>, ClassFileError> {
    let Some(mut reader) = class.attribute(&class.attributes, attribute) else {
        return Ok(Vec::new());
    };
    reader.u2_table()?.into_iter().map(|index| Ok(ClassName::new(&*class.constants.class(index)?))).collect()
}

/// The `Deprecated` attribute is written by every compiler that knows the annotation or the doc tag.
fn deprecation(class: &ClassFile<'_>, attributes: &[Attribute]) -> Option<Deprecation> {
    class.attribute(attributes, "Deprecated")?;
    let is_for_removal = is_set(class, attributes, "Ljava/lang/Deprecated;", "forRemoval");
    Some(if is_for_removal { Deprecation::ForRemoval } else { Deprecation::Ordinary })
}

fn signature_text(class: &ClassFile<'_>, attributes: &[Attribute]) -> Result<Option<String>, ClassFileError> {
    match class.attribute(attributes, "Signature") {
        Some(mut reader) => Ok(Some(class.constants.utf8(reader.u2()?)?.into_owned())),
        None => Ok(None),
    }
}

fn is_injected(class: &ClassFile<'_>, attributes: &[Attribute]) -> bool {
    annotations(class, attributes).iter().any(|descriptor| is_injecting(descriptor))
}

fn field_info(class: &ClassFile<'_>, field: &Member) -> Result<FieldInfo, ClassFileError> {
    let erased = ErasedType::parse(&class.constants.utf8(field.descriptor)?)?;
    let signature = signature_text(class, &field.attributes)?;
    let generic = signature.and_then(|text| parse_type(&text).ok());
    let access = class.access(field.access, &field.attributes);
    Ok(FieldInfo {
        name: class.constants.utf8(field.name)?.into(),
        access,
        is_constant: access.is_final() && class.attribute(&field.attributes, "ConstantValue").is_some(),
        generic: generic.unwrap_or_else(|| GenericType::from(&erased)),
        erased,
        deprecated: deprecation(class, &field.attributes),
        is_injected: is_injected(class, &field.attributes),
    })
}

fn method_info(class: &ClassFile<'_>, method: &Member) -> Result<MethodInfo, ClassFileError> {
    let descriptor = class.constants.utf8(method.descriptor)?;
    let erased = MethodDescriptor::parse(&descriptor)?;
    let mut generic = signature_text(class, &method.attributes)?
        .and_then(|text| MethodSignature::parse(&text).ok())
        .filter(|signature| signature.parameters.len() <= erased.parameters.len())
        .unwrap_or_else(|| MethodSignature::from(&erased));
    // Compilers leave synthetic parameters (outer instance, enum name and ordinal) out, always leading ones.
    let missing = erased.parameters.len() - generic.parameters.len();
    let synthetic = erased.parameters[..missing].iter().map(GenericType::from);
    generic.parameters.splice(0..0, synthetic);
    Ok(MethodInfo {
        name: class.constants.utf8(method.name)?.into(),
        access: class.access(method.access, &method.attributes),
        exceptions: exceptions(class, method)?,
        parameter_names: parameter_names(class, method, &erased)?,
        deprecated: deprecation(class, &method.attributes),
        is_injected: is_injected(class, &method.attributes),
        descriptor: descriptor.into(),
        erased,
        generic,
    })
}

fn exceptions(class: &ClassFile<'_>, method: &Member) -> Result<Vec<ClassName>, ClassFileError> {
    let Some(mut reader) = class.attribute(&method.attributes, "Exceptions") else {
        return Ok(Vec::new());
    };
    reader.u2_table()?.into_iter().map(|index| Ok(ClassName::new(&*class.constants.class(index)?))).collect()
}

fn parameter_names(
    class: &ClassFile<'_>,
    method: &Member,
    erased: &MethodDescriptor,
) -> Result<Vec<Arc<str>>, ClassFileError> {
    if let Some(mut reader) = class.attribute(&method.attributes, "MethodParameters") {
        let count = usize::from(reader.u1()?);
        if count == erased.parameters.len() {
            let mut names: Vec<Arc<str>> = Vec::with_capacity(count);
            for _ in 0..count {
                let name = reader.u2()?;
                reader.u2()?;
                if name != 0 {
                    names.push(class.constants.utf8(name)?.into());
                }
            }
            if names.len() == count {
                return Ok(names);
            }
        }
    }
    Ok(names_of_locals(class, method, erased)?.unwrap_or_default())
}

/// Parameters are the local variables whose range starts at offset 0, in their slots (§4.7.13).
fn names_of_locals(
    class: &ClassFile<'_>,
    method: &Member,
    erased: &MethodDescriptor,
) -> Result<Option<Vec<Arc<str>>>, ClassFileError> {
    let Some(code) = class.code(method)? else {
        return Ok(None);
    };
    let mut by_slot: Vec<(u16, Arc<str>)> = Vec::new();
    for attribute in &code.attributes {
        if class.attribute_is(attribute, "LocalVariableTable") {
            let mut reader = class.content(attribute);
            for _ in 0..reader.u2()? {
                let (start, _length, name) = (reader.u2()?, reader.u2()?, reader.u2()?);
                let (_descriptor, slot) = (reader.u2()?, reader.u2()?);
                if start == 0 {
                    by_slot.push((slot, class.constants.utf8(name)?.into()));
                }
            }
        }
    }
    let mut slot = u16::from(!Access(method.access).is_static());
    let mut names = Vec::with_capacity(erased.parameters.len());
    for parameter in &erased.parameters {
        match by_slot.iter().find(|entry| entry.0 == slot) {
            Some((_, name)) => names.push(name.clone()),
            None => return Ok(None),
        }
        slot += parameter.slots();
    }
    Ok(Some(names))
}
