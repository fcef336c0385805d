//! What stays the same while a cluster is built, and what can be asked of it: classes, their relations, what a test may
//! name and call.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use bytecode::class_info::{ClassInfo, ClassKind, FieldInfo, MethodInfo};
use bytecode::descriptor::ErasedType;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use bytecode::signature::{GenericType, Substitution};

use super::access::AccessRules;
use super::build::{ClusterOptions, ClusterRequest};
use super::denied;
use super::types::Lineage;
use super::uses::Uses;

/// What stays the same while a cluster is built. Nothing of it depends on what the cluster has so far.
#[derive(Debug)]
pub(super) struct World<'a> {
    /// All classes.
    pub(super) hierarchy: &'a ClassHierarchy,
    /// What a test may name.
    pub(super) access: AccessRules<'a>,
    /// Supertypes.
    pub(super) lineage: Lineage<'a>,
    /// How far the cluster reaches.
    pub(super) options: &'a ClusterOptions,
    /// The class that the tests are for.
    pub(super) class_under_test: &'a ClassName,
    /// The classes whose code holds the goals.
    pub(super) goals: BTreeSet<ClassName>,
    /// Types that the code under test checks for.
    pub(super) referenced: &'a [ErasedType],
    /// Types that may stand for type variables, those to be preferred first.
    pub(super) arguments: Vec<GenericType>,
    /// Enum classes for variables that are bounded by `Enum`.
    pub(super) enums: Vec<GenericType>,
    /// For [`World::uses`].
    pub(super) uses: OnceCell<Uses>,
}

impl<'a> World<'a> {
    /// The world of the tests that are asked for; `referenced` are the types that the code under test checks for.
    pub(super) fn new(
        hierarchy: &'a ClassHierarchy,
        request: &'a ClusterRequest,
        referenced: &'a [ErasedType],
        options: &'a ClusterOptions,
    ) -> Self {
        let package = hierarchy.package_of_tests(&request.class_under_test);
        let mut world = Self {
            hierarchy,
            access: AccessRules::new(hierarchy, &package),
            lineage: Lineage::new(hierarchy),
            options,
            class_under_test: &request.class_under_test,
            goals: request.goal_classes.iter().cloned().collect(),
            referenced,
            arguments: Vec::new(),
            enums: Vec::new(),
            uses: OnceCell::new(),
        };
        world.collect_arguments(referenced);
        world
    }
}

impl World<'_> {
    /// The class, if it can be read.
    pub(super) fn class(&self, name: &ClassName) -> Option<Arc<ClassInfo>> {
        self.hierarchy.class(name)
    }

    /// Whether the class comes from the class path, not from the platform.
    pub(super) fn is_project(&self, name: &ClassName) -> bool {
        self.hierarchy.source().is_on_class_path(name)
    }

    /// The classes among what the code under test checks for.
    pub(super) fn referenced_classes(&self) -> Vec<ClassName> {
        let class = |ty: &ErasedType| match ty {
            ErasedType::Class(name) => Some(name.clone()),
            ErasedType::Primitive(_) | ErasedType::Array(_) => None,
        };
        self.referenced.iter().filter_map(class).collect()
    }

    /// What the code under test casts to or checks for, as types that can be made: generic classes with their
    /// first instantiation, arrays as they are.
    pub(super) fn referenced_types(&self) -> Vec<GenericType> {
        let mut seen = BTreeSet::new();
        let found = self.referenced.iter().filter_map(|of| self.any_of(of));
        found.filter(|generic| seen.insert(generic.clone())).collect()
    }

    /// A type that can be made of a type of code: a generic class with its first instantiation, an array as it is. None of a primitive
    /// type.
    pub(super) fn any_of(&self, of: &ErasedType) -> Option<GenericType> {
        match of {
            ErasedType::Primitive(_) => None,
            ErasedType::Array(_) => Some(GenericType::from(of)),
            ErasedType::Class(name) => {
                let class = self.class(name)?;
                let parameters = self.class_parameters(&class);
                let objects = self.complete(&parameters, Substitution::new(), true)?;
                Some(GenericType::Class(self.this_type(&class).substitute(&objects)))
            }
        }
    }

    /// Whether callers have to declare or catch an exception.
    pub(super) fn is_checked(&self, exception: &ClassName) -> bool {
        let unchecked = ["java/lang/RuntimeException", "java/lang/Error"].map(ClassName::from);
        !unchecked.iter().any(|sup| self.lineage.is_subclass(exception, sup))
    }

    /// Whether the objects of a class have fields, and none that can be changed.
    pub(super) fn is_immutable(&self, name: &ClassName) -> bool {
        let supertypes = self.lineage.supertypes(name);
        let classes: Vec<Arc<ClassInfo>> = supertypes.iter().filter_map(|sup| self.class(sup)).collect();
        let mut fields = classes
            .iter()
            .flat_map(|class| &class.fields)
            .filter(|field| !field.access.is_static())
            .peekable();
        fields.peek().is_some() && fields.all(|field| field.access.is_final())
    }

    /// Whether a test may read a static field.
    pub(super) fn is_readable_constant(&self, class: &ClassInfo, field: &FieldInfo) -> bool {
        field.access.is_static()
            && self.access.member(field.access, &field.name, &class.name)
            && self.access.class(&class.name)
            && !denied::is_denied_field(&class.name)
    }

    /// Whether all supertypes of a class are there.
    pub(super) fn is_loadable(&self, name: &ClassName) -> bool {
        self.lineage.supertypes(name).iter().all(|sup| self.class(sup).is_some())
    }

    /// Classes of a package of the class path that a test may name, sorted; none when there are too many.
    pub(super) fn classes_of_package(&self, package: &str) -> Vec<Arc<ClassInfo>> {
        let all = self.hierarchy.source().class_path_classes();
        let prefix = if package.is_empty() { String::new() } else { format!("{package}/") };
        let start = all.partition_point(|name| name.as_str() < prefix.as_str());
        let within: Vec<&ClassName> = all[start..]
            .iter()
            .take_while(|name| name.as_str().starts_with(&prefix))
            .filter(|name| name.package() == package)
            .take(self.options.max_package_classes + 1)
            .collect();
        if within.len() > self.options.max_package_classes {
            return Vec::new();
        }
        let named = within.into_iter().filter(|name| self.access.class(name));
        named.filter_map(|name| self.class(name)).collect()
    }

    /// Whether a test may call the method at all.
    pub(super) fn is_callable(&self, class: &ClassInfo, method: &MethodInfo) -> bool {
        let compiler_made = class.kind == ClassKind::Enum
            && (method.is_constructor()
                || method.access.is_static()
                    && (&*method.name == "values" && method.erased.parameters.is_empty()
                        || &*method.name == "valueOf"
                            && method.erased.parameters == [ErasedType::Class(ClassName::string())]));
        let finalizer = &*method.name == "finalize" && method.erased.parameters.is_empty();
        let makes_nothing = method.is_constructor() && class.access.is_abstract();
        !(method.is_class_initializer()
            || method.access.is_bridge()
            || compiler_made
            || finalizer
            || makes_nothing)
            && self.access.member(method.access, &method.name, &class.name)
    }

    /// The one abstract method of a functional interface (Java language specification §9.8): where it is declared,
    /// and its name.
    pub(super) fn functional_method(&self, name: &ClassName) -> Option<(ClassName, Arc<str>)> {
        let class = self.class(name).filter(|class| class.kind == ClassKind::Interface)?;
        let mut found: Option<(ClassName, &Arc<str>, usize)> = None;
        let supertypes = self.lineage.supertypes(&class.name);
        let infos: Vec<Arc<ClassInfo>> = supertypes.iter().filter_map(|name| self.class(name)).collect();
        let object = self.class(&ClassName::object())?;
        for method in infos.iter().filter(|info| info.is_interface()).flat_map(|info| {
            info.methods.iter().filter(|method| method.access.is_abstract()).map(move |method| (info, method))
        }) {
            let (info, method) = method;
            if object.method(&method.name, &method.descriptor).is_some() {
                continue;
            }
            match &found {
                None => found = Some((info.name.clone(), &method.name, method.erased.parameters.len())),
                Some((_, name, count))
                    if **name == method.name && *count == method.erased.parameters.len() => {}
                Some(_) => return None,
            }
        }
        found.map(|(class, name, _)| (class, name.clone()))
    }
}
