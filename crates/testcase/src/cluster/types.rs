//! Interning of concrete types, and which of them fit where.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytecode::descriptor::{ErasedType, PrimitiveType};
use bytecode::hierarchy::ClassHierarchy;
use bytecode::lookup::Lookup;
use bytecode::name::ClassName;
use bytecode::signature::{ClassType, GenericType, TypeArgument};
use fixedbitset::FixedBitSet;

use super::access::AccessRules;
use super::{Type, TypeId};

/// Subtyping as a test cluster sees it.
#[derive(Debug)]
pub(super) struct Lineage<'a> {
    hierarchy: &'a ClassHierarchy,
}

impl<'a> Lineage<'a> {
    /// Of these classes.
    pub(super) fn new(hierarchy: &'a ClassHierarchy) -> Self {
        Self { hierarchy }
    }

    /// As [`ClassHierarchy::supertypes`].
    pub(super) fn supertypes(&self, name: &ClassName) -> Arc<[ClassName]> {
        self.hierarchy.supertypes(name)
    }

    /// As [`ClassHierarchy::is_subclass`].
    pub(super) fn is_subclass(&self, sub: &ClassName, sup: &ClassName) -> bool {
        self.hierarchy.is_subclass(sub, sup)
    }

    /// Whether a value of type `sub` may stand where `sup` is asked for, without conversion and without a
    /// warning. A raw type fits where all arguments are `?` (Java language specification §5.1.9).
    pub(super) fn is_subtype(&self, sub: &GenericType, sup: &GenericType) -> bool {
        if sub == sup {
            return true;
        }
        match (sub, sup) {
            (GenericType::Class(sub_class), GenericType::Class(sup_class)) => {
                self.is_subclass(&sub_class.name, &sup_class.name)
                    && (only_unbounded(sup_class) || self.hierarchy.is_subtype(sub, sup))
            }
            (GenericType::Array(sub), GenericType::Array(sup)) => self.is_subtype(sub, sup),
            _ => self.hierarchy.is_subtype(sub, sup),
        }
    }

    /// Whether a value of the erased type needs no cast to be of the other.
    pub(super) fn is_erased_subtype(&self, sub: &ErasedType, sup: &ErasedType) -> bool {
        match (sub, sup) {
            (ErasedType::Class(sub), ErasedType::Class(sup)) => self.is_subclass(sub, sup),
            (ErasedType::Array(sub), ErasedType::Array(sup)) => self.is_erased_subtype(sub, sup),
            _ => self.hierarchy.is_erased_subtype(sub, sup),
        }
    }
}

fn only_unbounded(class: &ClassType) -> bool {
    class.outer.is_none() && class.arguments.iter().all(|argument| *argument == TypeArgument::Unbounded)
}

/// The types of a cluster under construction; the well-known ones are there from the start.
#[derive(Debug)]
pub(super) struct TypeTable {
    types: Vec<Type>,
    ids: Lookup<GenericType, TypeId>,
    parameterizations: Lookup<ClassName, usize>,
    /// How many types there were when the count began.
    counted_from: usize,
}

/// A class that a type names and that is not on the class path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MissingClass(pub(super) ClassName);

impl TypeTable {
    /// The well-known types at their fixed ids.
    pub(super) fn new() -> Self {
        let mut table = Self {
            types: Vec::new(),
            ids: Lookup::default(),
            parameterizations: Lookup::default(),
            counted_from: 0,
        };
        for generic in well_known() {
            table.add(generic, None, true);
        }
        table
    }

    /// Number of types.
    pub(super) fn len(&self) -> usize {
        self.types.len()
    }

    /// A type.
    pub(super) fn get(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }

    /// All types in order.
    pub(super) fn all(&self) -> &[Type] {
        &self.types
    }

    /// A type, to change.
    pub(super) fn get_mut(&mut self, id: TypeId) -> &mut Type {
        &mut self.types[id.index()]
    }

    /// Starts to count new types and parameterizations anew.
    pub(super) fn count_anew(&mut self) {
        self.parameterizations.clear();
        self.counted_from = self.types.len();
    }

    /// Number of types since the count began.
    pub(super) fn new_types(&self) -> usize {
        self.types.len() - self.counted_from
    }

    /// How many parameterizations there are of a class, since the count began.
    pub(super) fn parameterizations(&self, class: &ClassName) -> usize {
        self.parameterizations.get(class).copied().unwrap_or(0)
    }

    /// The class of a class type.
    pub(super) fn class(&self, id: TypeId) -> Option<&ClassType> {
        self.get(id).generic.as_class()
    }

    /// The id of a type that is known, after [`normalized`].
    pub(super) fn id(&self, generic: &GenericType) -> Option<TypeId> {
        self.ids.get(generic).copied()
    }

    /// The id of a concrete type, made when it is new.
    pub(super) fn intern(&mut self, access: &AccessRules<'_>, generic: &GenericType) -> TypeId {
        if let Some(id) = self.id(generic) {
            return id;
        }
        let element = match generic {
            GenericType::Array(element) => Some(self.intern(access, element)),
            GenericType::Primitive(_) | GenericType::Class(_) | GenericType::Variable(_) => None,
        };
        self.add(generic.clone(), element, access.generic(generic))
    }

    fn add(&mut self, generic: GenericType, element: Option<TypeId>, accessible: bool) -> TypeId {
        let id = TypeId::from(self.types.len());
        let erased = generic.erase(&[]);
        if let GenericType::Class(class) = &generic
            && !class.arguments.is_empty()
        {
            *self.parameterizations.entry(class.name.clone()).or_default() += 1;
        }
        self.ids.insert(generic.clone(), id);
        self.types.push(Type { generic, erased, element, enum_constants: Vec::new(), accessible });
        id
    }

    /// The types in order.
    pub(super) fn into_types(self) -> Vec<Type> {
        self.types
    }
}

/// The well-known types in the order of their ids.
pub(super) fn well_known() -> impl Iterator<Item = GenericType> {
    let primitives = PrimitiveType::ALL.into_iter().map(GenericType::Primitive);
    let boxed = PrimitiveType::ALL.into_iter().map(|primitive| GenericType::class(primitive.boxed()));
    primitives.chain(boxed).chain([GenericType::class(ClassName::string()), GenericType::object()])
}

/// The type with as many arguments per class as the class has parameters, or none; the first class that is
/// missing is the error.
pub(super) fn normalized(
    hierarchy: &ClassHierarchy,
    generic: &GenericType,
) -> Result<GenericType, MissingClass> {
    Ok(match generic {
        GenericType::Primitive(_) | GenericType::Variable(_) => generic.clone(),
        GenericType::Array(element) => normalized(hierarchy, element)?.array_of(),
        GenericType::Class(class) => GenericType::Class(normalized_class(hierarchy, class)?),
    })
}

fn normalized_class(hierarchy: &ClassHierarchy, class: &ClassType) -> Result<ClassType, MissingClass> {
    let Some(info) = hierarchy.class(&class.name) else {
        return Err(MissingClass(class.name.clone()));
    };
    if info.signature.parameters.len() != class.arguments.len() {
        return Ok(ClassType::new(class.name.clone()));
    }
    let argument = |argument: &TypeArgument| {
        Ok(match argument {
            // `? extends Object` says no more than `?`.
            TypeArgument::Extends(bound) if *bound == GenericType::object() => TypeArgument::Unbounded,
            TypeArgument::Exact(bound) => TypeArgument::Exact(normalized(hierarchy, bound)?),
            TypeArgument::Extends(bound) => TypeArgument::Extends(normalized(hierarchy, bound)?),
            TypeArgument::Super(bound) => TypeArgument::Super(normalized(hierarchy, bound)?),
            TypeArgument::Unbounded => TypeArgument::Unbounded,
        })
    };
    let outer = match &class.outer {
        Some(outer) => Some(normalized_class(hierarchy, outer)?).filter(|outer| !outer.arguments.is_empty()),
        None => None,
    };
    Ok(ClassType {
        name: class.name.clone(),
        arguments: class.arguments.iter().map(argument).collect::<Result<_, _>>()?,
        outer: outer.map(Into::into),
    })
}

/// How deep type arguments nest: 0 for `String`, 2 for `List<List<String>>`.
pub(super) fn nesting(generic: &GenericType) -> usize {
    match generic {
        GenericType::Primitive(_) | GenericType::Variable(_) => 0,
        GenericType::Array(element) => nesting(element),
        GenericType::Class(class) => {
            let inner = class.arguments.iter().map(|argument| 1 + argument.bound().map_or(0, nesting)).max();
            inner.unwrap_or(0)
        }
    }
}

/// The assignability matrix: row `a`, bit `b`, when a variable of type `a` may be passed as `b`.
pub(super) fn assignability(lineage: &Lineage<'_>, types: &[Type]) -> Vec<FixedBitSet> {
    let mut by_class: BTreeMap<&ClassName, Vec<usize>> = BTreeMap::new();
    let mut arrays = Vec::new();
    for (index, ty) in types.iter().enumerate() {
        match &ty.generic {
            GenericType::Class(class) => by_class.entry(&class.name).or_default().push(index),
            GenericType::Array(_) => arrays.push(index),
            GenericType::Primitive(_) | GenericType::Variable(_) => {}
        }
    }
    let object = ClassName::object();
    let row = |(index, ty): (usize, &Type)| {
        let mut row = FixedBitSet::with_capacity(types.len());
        row.insert(index);
        let mut insert = |candidates: &[usize]| {
            let fits = |&&sup: &&usize| lineage.is_subtype(&ty.generic, &types[sup].generic);
            row.extend(candidates.iter().filter(fits).copied());
        };
        match &ty.generic {
            GenericType::Class(class) => {
                let supertypes = lineage.supertypes(&class.name);
                for name in supertypes.iter().filter(|name| **name != object).chain([&object]) {
                    insert(by_class.get(name).map_or(&[], Vec::as_slice));
                }
            }
            GenericType::Array(_) => {
                insert(&arrays);
                for name in ["java/lang/Object", "java/lang/Cloneable", "java/io/Serializable"] {
                    insert(by_class.get(&ClassName::from(name)).map_or(&[], Vec::as_slice));
                }
            }
            GenericType::Primitive(_) | GenericType::Variable(_) => {}
        }
        row
    };
    types.iter().enumerate().map(row).collect()
}
