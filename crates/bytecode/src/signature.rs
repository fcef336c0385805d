//! Generic types and signatures (JVM specification §4.7.9.1).

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::class_file::ClassFileError;
use crate::descriptor::{ErasedType, MethodDescriptor, PrimitiveType};
use crate::name::ClassName;

/// A Java type as source code can say it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum GenericType {
    /// A primitive type.
    Primitive(PrimitiveType),
    /// A class or interface, raw or with arguments.
    Class(ClassType),
    /// An array of the element type.
    Array(Arc<GenericType>),
    /// A type variable; absent from the concrete types of a test.
    Variable(Arc<str>),
}

/// A class type: `java/util/Map` with its arguments. Empty arguments mean not generic, or raw.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ClassType {
    /// The class.
    pub name: ClassName,
    /// Its type arguments, those of the class itself only.
    pub arguments: Vec<TypeArgument>,
    /// The enclosing type, where it has arguments of its own (`Outer<String>.Inner`).
    pub outer: Option<Arc<ClassType>>,
}

/// A type argument, wildcards included (Java language specification §4.5.1).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum TypeArgument {
    /// `T`
    Exact(GenericType),
    /// `? extends T`
    Extends(GenericType),
    /// `? super T`
    Super(GenericType),
    /// `?`
    Unbounded,
}

/// A type parameter with its bounds, the class bound first; no bounds means `Object`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypeParameter {
    /// Its name.
    pub name: Arc<str>,
    /// Its bounds.
    pub bounds: Vec<GenericType>,
}

/// The generic signature of a class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassSignature {
    /// Type parameters in order.
    pub parameters: Vec<TypeParameter>,
    /// Superclass; `None` for `java/lang/Object`.
    pub superclass: Option<ClassType>,
    /// Direct superinterfaces.
    pub interfaces: Vec<ClassType>,
}

/// The generic signature of a method.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MethodSignature {
    /// Type parameters of the method itself.
    pub type_parameters: Vec<TypeParameter>,
    /// Parameter types. May be shorter than the descriptor's: compilers leave out synthetic parameters of
    /// constructors (of enums and inner classes).
    pub parameters: Vec<GenericType>,
    /// Result, `None` for `void`.
    pub result: Option<GenericType>,
    /// Thrown types, where the signature lists any.
    pub exceptions: Vec<GenericType>,
}

/// What type variables stand for.
pub type Substitution = BTreeMap<Arc<str>, GenericType>;

impl GenericType {
    /// A class without arguments.
    pub fn class(name: impl Into<ClassName>) -> Self {
        Self::Class(ClassType::new(name.into()))
    }

    /// `java.lang.Object`.
    pub fn object() -> Self {
        Self::class(ClassName::object())
    }

    /// An array of this type.
    pub fn array_of(self) -> Self {
        Self::Array(Arc::new(self))
    }

    /// The class type, if it is one.
    pub fn as_class(&self) -> Option<&ClassType> {
        if let Self::Class(class) = self { Some(class) } else { None }
    }

    /// Whether no type variable occurs in it.
    pub fn is_concrete(&self) -> bool {
        match self {
            Self::Primitive(_) => true,
            Self::Class(class) => class.is_concrete(),
            Self::Array(element) => element.is_concrete(),
            Self::Variable(_) => false,
        }
    }

    /// Replaces type variables; those that the substitution does not name stay.
    pub fn substitute(&self, substitution: &Substitution) -> Self {
        match self {
            Self::Primitive(_) => self.clone(),
            Self::Class(class) => Self::Class(class.substitute(substitution)),
            Self::Array(element) => Self::Array(Arc::new(element.substitute(substitution))),
            Self::Variable(name) => substitution.get(name).cloned().unwrap_or_else(|| self.clone()),
        }
    }

    /// Erasure, with the bounds of the variables in scope (Java language specification §4.6); a variable out
    /// of scope erases to `Object`.
    pub fn erase(&self, scope: &[TypeParameter]) -> ErasedType {
        match self {
            Self::Primitive(primitive) => ErasedType::Primitive(*primitive),
            Self::Class(class) => ErasedType::Class(class.name.clone()),
            Self::Array(element) => ErasedType::Array(Box::new(element.erase(scope))),
            Self::Variable(name) => match scope.iter().rposition(|parameter| parameter.name == *name) {
                Some(index) => match scope[index].bounds.first() {
                    // Bounds may only name variables declared before or after, never in a cycle of their own;
                    // the rest of the scope is enough and bounds the recursion.
                    Some(bound) => bound.erase(&without(scope, index)),
                    None => ErasedType::Class(ClassName::object()),
                },
                None => ErasedType::Class(ClassName::object()),
            },
        }
    }
}

fn without(scope: &[TypeParameter], index: usize) -> Vec<TypeParameter> {
    let mut rest = scope.to_vec();
    rest.remove(index);
    rest
}

impl From<&ErasedType> for GenericType {
    fn from(erased: &ErasedType) -> Self {
        match erased {
            ErasedType::Primitive(primitive) => Self::Primitive(*primitive),
            ErasedType::Class(name) => Self::class(name.clone()),
            ErasedType::Array(element) => Self::from(&**element).array_of(),
        }
    }
}

impl ClassType {
    /// A class without arguments.
    pub fn new(name: ClassName) -> Self {
        Self { name, arguments: Vec::new(), outer: None }
    }

    /// A class with exact arguments.
    pub fn of(name: ClassName, arguments: impl IntoIterator<Item = GenericType>) -> Self {
        Self { name, arguments: arguments.into_iter().map(TypeArgument::Exact).collect(), outer: None }
    }

    fn is_concrete(&self) -> bool {
        self.arguments.iter().all(|argument| argument.bound().is_none_or(GenericType::is_concrete))
            && self.outer.as_ref().is_none_or(|outer| outer.is_concrete())
    }

    /// Replaces type variables; those that the substitution does not name stay.
    pub fn substitute(&self, substitution: &Substitution) -> Self {
        Self {
            name: self.name.clone(),
            arguments: self.arguments.iter().map(|argument| argument.substitute(substitution)).collect(),
            outer: self.outer.as_ref().map(|outer| Arc::new(outer.substitute(substitution))),
        }
    }
}

impl GenericType {
    /// The type as a signature has it (JVM specification §4.7.9.1).
    pub fn signature(&self) -> String {
        match self {
            Self::Primitive(primitive) => primitive.descriptor().to_string(),
            Self::Class(class) => class.signature(),
            Self::Array(element) => format!("[{}", element.signature()),
            Self::Variable(name) => format!("T{name};"),
        }
    }
}

impl ClassType {
    /// As [`GenericType::signature`].
    pub fn signature(&self) -> String {
        format!("L{};", self.inner_signature())
    }

    fn inner_signature(&self) -> String {
        let mut text = match &self.outer {
            Some(outer) => {
                let own = self.name.as_str().strip_prefix(outer.name.as_str());
                let simple = own.and_then(|own| own.strip_prefix('$')).unwrap_or(self.name.as_str());
                format!("{}.{simple}", outer.inner_signature())
            }
            None => self.name.as_str().to_owned(),
        };
        if !self.arguments.is_empty() {
            text.push('<');
            text.extend(self.arguments.iter().map(TypeArgument::signature));
            text.push('>');
        }
        text
    }
}

impl TypeArgument {
    fn signature(&self) -> String {
        match self {
            Self::Exact(of) => of.signature(),
            Self::Extends(bound) => format!("+{}", bound.signature()),
            Self::Super(bound) => format!("-{}", bound.signature()),
            Self::Unbounded => "*".to_owned(),
        }
    }

    /// The type named in it, if there is one.
    pub fn bound(&self) -> Option<&GenericType> {
        match self {
            Self::Exact(bound) | Self::Extends(bound) | Self::Super(bound) => Some(bound),
            Self::Unbounded => None,
        }
    }

    /// Replaces type variables. A wildcard put in the place of a variable inside a wildcard does not arise:
    /// substitutions hold types, and types are no wildcards.
    pub fn substitute(&self, substitution: &Substitution) -> Self {
        match self {
            Self::Exact(bound) => Self::Exact(bound.substitute(substitution)),
            Self::Extends(bound) => Self::Extends(bound.substitute(substitution)),
            Self::Super(bound) => Self::Super(bound.substitute(substitution)),
            Self::Unbounded => Self::Unbounded,
        }
    }
}

impl ClassSignature {
    /// Parses a class signature.
    pub fn parse(text: &str) -> Result<Self, ClassFileError> {
        Parser::whole(text, |parser| {
            let parameters = parser.type_parameters()?;
            let superclass = Some(parser.class_type()?);
            let mut interfaces = Vec::new();
            while !parser.rest.is_empty() {
                interfaces.push(parser.class_type()?);
            }
            Some(Self { parameters, superclass, interfaces })
        })
    }
}

impl MethodSignature {
    /// Parses a method signature.
    pub fn parse(text: &str) -> Result<Self, ClassFileError> {
        Parser::whole(text, |parser| {
            let type_parameters = parser.type_parameters()?;
            parser.expect('(')?;
            let mut parameters = Vec::new();
            while !parser.take(')') {
                parameters.push(parser.java_type()?);
            }
            let result = if parser.take('V') { None } else { Some(parser.java_type()?) };
            let mut exceptions = Vec::new();
            while parser.take('^') {
                exceptions.push(parser.java_type()?);
            }
            Some(Self { type_parameters, parameters, result, exceptions })
        })
    }
}

impl From<&MethodDescriptor> for MethodSignature {
    fn from(descriptor: &MethodDescriptor) -> Self {
        Self {
            type_parameters: Vec::new(),
            parameters: descriptor.parameters.iter().map(GenericType::from).collect(),
            result: descriptor.result.as_ref().map(GenericType::from),
            exceptions: Vec::new(),
        }
    }
}

/// Parses the signature of a field or record component.
pub fn parse_type(text: &str) -> Result<GenericType, ClassFileError> {
    Parser::whole(text, Parser::java_type)
}

struct Parser<'a> {
    rest: &'a str,
}

impl<'a> Parser<'a> {
    fn whole<T>(text: &'a str, parse: impl FnOnce(&mut Self) -> Option<T>) -> Result<T, ClassFileError> {
        let mut parser = Self { rest: text };
        let parsed = parse(&mut parser).filter(|_| parser.rest.is_empty());
        parsed.ok_or_else(|| ClassFileError::Signature { text: text.to_owned() })
    }

    fn take(&mut self, expected: char) -> bool {
        match self.rest.strip_prefix(expected) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, expected: char) -> Option<()> {
        self.take(expected).then_some(())
    }

    fn identifier(&mut self) -> Option<&'a str> {
        let end = self.rest.find(['.', ';', '[', '/', '<', '>', ':']).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!name.is_empty()).then_some(name)
    }

    fn java_type(&mut self) -> Option<GenericType> {
        match self.rest.chars().next()? {
            'L' => self.class_type().map(GenericType::Class),
            '[' => {
                self.take('[');
                Some(self.java_type()?.array_of())
            }
            'T' => {
                self.take('T');
                let name = self.identifier()?;
                self.expect(';')?;
                Some(GenericType::Variable(name.into()))
            }
            letter => {
                let primitive = PrimitiveType::from_descriptor(letter)?;
                self.take(letter);
                Some(GenericType::Primitive(primitive))
            }
        }
    }

    fn class_type(&mut self) -> Option<ClassType> {
        self.expect('L')?;
        let mut name = String::from(self.identifier()?);
        while self.take('/') {
            name.push('/');
            name.push_str(self.identifier()?);
        }
        let mut outer = None;
        loop {
            let arguments = self.type_arguments()?;
            let class = ClassType { name: ClassName::new(name.as_str()), arguments, outer };
            if self.take(';') {
                return Some(class);
            }
            self.expect('.')?;
            name.push('$');
            name.push_str(self.identifier()?);
            let generic = !class.arguments.is_empty() || class.outer.is_some();
            outer = generic.then(|| Arc::new(class));
        }
    }

    fn type_arguments(&mut self) -> Option<Vec<TypeArgument>> {
        let mut arguments = Vec::new();
        if self.take('<') {
            while !self.take('>') {
                arguments.push(if self.take('*') {
                    TypeArgument::Unbounded
                } else if self.take('+') {
                    TypeArgument::Extends(self.java_type()?)
                } else if self.take('-') {
                    TypeArgument::Super(self.java_type()?)
                } else {
                    TypeArgument::Exact(self.java_type()?)
                });
            }
        }
        Some(arguments)
    }

    fn type_parameters(&mut self) -> Option<Vec<TypeParameter>> {
        let mut parameters = Vec::new();
        if self.take('<') {
            while !self.take('>') {
                let name = self.identifier()?.into();
                let mut bounds = Vec::new();
                while self.take(':') {
                    if !self.rest.starts_with([':', '>']) && !self.at_next_parameter() {
                        bounds.push(self.java_type()?);
                    }
                }
                parameters.push(TypeParameter { name, bounds });
            }
        }
        Some(parameters)
    }

    /// Behind an empty class bound (`T:`) the next parameter's name may follow at once; a bound always starts
    /// with `L`, `T` or `[` and reaches its `;` or `<` before any `:`.
    fn at_next_parameter(&self) -> bool {
        let end = self.rest.find([':', ';', '<', '/', '>']);
        end.is_some_and(|end| self.rest[end..].starts_with(':'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_written_as_they_are_read() {
        for text in [
            "I",
            "[[D",
            "TT;",
            "Ljava/lang/String;",
            "Ljava/util/Map<Ljava/lang/String;[TK;>;",
            "Lp/A<*+Lp/B;-[I>;",
            "Lp/Outer<Ljava/lang/Long;>.Inner.Deep<TX;>;",
        ] {
            assert_eq!(parse_type(text).unwrap().signature(), text);
        }
    }

    #[test]
    fn class_signature_with_bounds_and_interfaces() {
        let text = "<K::Ljava/lang/Comparable<-TK;>;V:Ljava/lang/Object;>Ljava/util/AbstractMap<TK;TV;>;\
                    Ljava/util/SortedMap<TK;TV;>;";
        let signature = ClassSignature::parse(text).unwrap();
        assert_eq!(signature.parameters.len(), 2);
        assert_eq!(signature.parameters[0].bounds.len(), 1);
        assert_eq!(signature.superclass.unwrap().name.as_str(), "java/util/AbstractMap");
        assert_eq!(signature.interfaces[0].arguments.len(), 2);
    }

    #[test]
    fn method_signature_with_wildcards_arrays_and_throws() {
        let text = "<T:Ljava/lang/Object;X:Ljava/lang/Exception;>([TT;Ljava/util/List<+TT;>;I*)V^TX;";
        assert!(MethodSignature::parse(text).is_err());
        let signature = MethodSignature::parse(&text.replace('*', "")).unwrap();
        assert_eq!(signature.parameters.len(), 3);
        assert_eq!(signature.exceptions, [GenericType::Variable("X".into())]);
    }

    #[test]
    fn inner_classes_of_generic_classes_keep_their_outer_type() {
        let parsed = parse_type("Lp/Outer<Ljava/lang/String;>.Inner<TT;>;").unwrap();
        let class = parsed.as_class().unwrap();
        assert_eq!(class.name.as_str(), "p/Outer$Inner");
        assert_eq!(class.outer.as_ref().unwrap().arguments.len(), 1);
    }

    #[test]
    fn erasure_follows_the_first_bound() {
        let scope =
            ClassSignature::parse("<E:Ljava/lang/Number;T:TE;>Ljava/lang/Object;").unwrap().parameters;
        let erase = |text: &str| parse_type(text).unwrap().erase(&scope).descriptor();
        assert_eq!(erase("TT;"), "Ljava/lang/Number;");
        assert_eq!(erase("[TE;"), "[Ljava/lang/Number;");
        assert_eq!(erase("TX;"), "Ljava/lang/Object;");
    }

    #[test]
    fn substitution_reaches_arguments_and_elements() {
        let substitution = Substitution::from([("E".into(), GenericType::class("java/lang/String"))]);
        let parsed = parse_type("[Ljava/util/List<-TE;>;").unwrap();
        assert!(!parsed.is_concrete());
        let concrete = parsed.substitute(&substitution);
        assert!(concrete.is_concrete());
        assert_eq!(concrete, parse_type("[Ljava/util/List<-Ljava/lang/String;>;").unwrap());
    }
}
