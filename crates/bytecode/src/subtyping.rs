//! Subtyping among generic types (Java language specification §4.10, §4.5.1).

use std::sync::Arc;

use crate::class_info::ClassInfo;
use crate::descriptor::ErasedType;
use crate::hierarchy::ClassHierarchy;
use crate::name::ClassName;
use crate::signature::{ClassType, GenericType, Substitution, TypeArgument, TypeParameter};

impl ClassHierarchy {
    /// What the type parameters of `class` stand for in `parameterization`; `None` when it is raw.
    pub fn substitution_of(&self, class: &ClassInfo, parameterization: &ClassType) -> Option<Substitution> {
        if parameterization.arguments.len() != class.signature.parameters.len() {
            return None;
        }
        let mut substitution = match &parameterization.outer {
            Some(outer) => self.substitution_of(&*self.class(&outer.name)?, outer)?,
            None => Substitution::new(),
        };
        for (parameter, argument) in class.signature.parameters.iter().zip(&parameterization.arguments) {
            substitution.insert(parameter.name.clone(), upper_bound(argument, parameter));
        }
        Some(substitution)
    }

    /// The parameterization of `target` that `class` inherits: for `ArrayList<String>` and `Collection`,
    /// `Collection<String>`. Raw types have raw supertypes. `None` when `target` is no supertype.
    ///
    /// # Differences
    /// Wildcard arguments are not captured (§5.1.10): a supertype of `List<? extends T>` is written with
    /// `? extends T` where the argument is passed on as it is, and with its upper bound elsewhere.
    pub fn as_super(&self, class: &ClassType, target: &ClassName) -> Option<ClassType> {
        if class.name == *target {
            return Some(class.clone());
        }
        if target.as_str() == "java/lang/Object" {
            return Some(ClassType::new(target.clone()));
        }
        if !self.is_subclass(&class.name, target) {
            return None;
        }
        let info = self.class(&class.name)?;
        let direct = info.signature.superclass.iter().chain(&info.signature.interfaces);
        for sup in direct.filter(|sup| self.is_subclass(&sup.name, target)) {
            let sup = self.instantiate_super(&info, class, sup);
            if let Some(found) = self.as_super(&sup, target) {
                return Some(found);
            }
        }
        None
    }

    fn instantiate_super(&self, info: &ClassInfo, class: &ClassType, sup: &ClassType) -> ClassType {
        let Some(substitution) = self.substitution_of(info, class) else {
            return ClassType::new(sup.name.clone());
        };
        let mut instantiated = sup.substitute(&substitution);
        for (argument, original) in instantiated.arguments.iter_mut().zip(&sup.arguments) {
            if let TypeArgument::Exact(GenericType::Variable(name)) = original
                && let Some(index) =
                    info.signature.parameters.iter().position(|parameter| parameter.name == *name)
            {
                argument.clone_from(&class.arguments[index]);
            }
        }
        instantiated
    }

    /// Whether a value of type `sub` may stand where `sup` is asked for, without conversion and without an
    /// unchecked warning. Primitive types are only related to themselves.
    pub fn is_subtype(&self, sub: &GenericType, sup: &GenericType) -> bool {
        match (sub, sup) {
            (GenericType::Array(sub), GenericType::Array(sup)) => self.is_subtype(sub, sup),
            (GenericType::Array(_), GenericType::Class(sup)) => is_array_supertype(&sup.name),
            (GenericType::Class(sub), GenericType::Class(sup)) => self.is_class_subtype(sub, sup),
            _ => sub == sup,
        }
    }

    fn is_class_subtype(&self, sub: &ClassType, sup: &ClassType) -> bool {
        let Some(found) = self.as_super(sub, &sup.name) else {
            return false;
        };
        if sup.arguments.is_empty() {
            // A raw or plain supertype. An outer type is compared only where both have one.
            return match (&found.outer, &sup.outer) {
                (Some(found), Some(outer)) => self.contains_all(outer, found),
                _ => true,
            };
        }
        self.contains_all(sup, &found)
    }

    /// Whether each argument contains its counterpart, those of outer types included.
    fn contains_all(&self, sup: &ClassType, found: &ClassType) -> bool {
        let own = sup.arguments.len() == found.arguments.len()
            && sup.arguments.iter().zip(&found.arguments).all(|(sup, sub)| self.contains(sup, sub));
        own && match (&found.outer, &sup.outer) {
            (Some(found), Some(outer)) => self.contains_all(outer, found),
            (None, None) => true,
            _ => false,
        }
    }

    /// Whether the type argument `sup` contains `sub` (Java language specification §4.5.1).
    pub fn contains(&self, sup: &TypeArgument, sub: &TypeArgument) -> bool {
        use TypeArgument::{Exact, Extends, Super, Unbounded};
        match (sup, sub) {
            (Unbounded, _) => true,
            (Extends(bound), Exact(sub) | Extends(sub)) => self.is_subtype(sub, bound),
            (Extends(bound), Super(_) | Unbounded) => *bound == GenericType::object(),
            (Super(bound), Exact(sub) | Super(sub)) => self.is_subtype(bound, sub),
            (Exact(sup), Exact(sub)) => sup == sub,
            (Super(_), Extends(_) | Unbounded) | (Exact(_), _) => false,
        }
    }

    /// Whether a reference of erased type `sub` needs no cast to be used as `sup`. Primitives only match
    /// themselves.
    pub fn is_erased_subtype(&self, sub: &ErasedType, sup: &ErasedType) -> bool {
        match (sub, sup) {
            (ErasedType::Array(sub), ErasedType::Array(sup)) => self.is_erased_subtype(sub, sup),
            (ErasedType::Array(_), ErasedType::Class(sup)) => is_array_supertype(sup),
            (ErasedType::Class(sub), ErasedType::Class(sup)) => self.is_subclass(sub, sup),
            _ => sub == sup,
        }
    }
}

/// Supertypes of every array (Java language specification §4.10.3).
fn is_array_supertype(name: &ClassName) -> bool {
    matches!(name.as_str(), "java/lang/Object" | "java/lang/Cloneable" | "java/io/Serializable")
}

/// The type that values of an argument surely have.
pub fn upper_bound(argument: &TypeArgument, parameter: &TypeParameter) -> GenericType {
    match argument {
        TypeArgument::Exact(exact) | TypeArgument::Extends(exact) => exact.clone(),
        TypeArgument::Super(_) | TypeArgument::Unbounded => match parameter.bounds.first() {
            Some(bound) if bound.is_concrete() => bound.clone(),
            Some(bound) => GenericType::from(&bound.erase(&[])),
            None => GenericType::object(),
        },
    }
}

/// Raw form of a generic type: the erasure as a type of source code.
pub fn raw(generic: &GenericType) -> GenericType {
    match generic {
        GenericType::Class(class) => GenericType::class(class.name.clone()),
        GenericType::Array(element) => GenericType::Array(Arc::new(raw(element))),
        GenericType::Primitive(_) | GenericType::Variable(_) => generic.clone(),
    }
}
