//! Reflective objects: methods, fields, constructors, generic types and annotations, looked up in classes that have
//! them.
//!
//! `Class.getMethod` throws for nearly every name, so the names of members that a class has are offered as hints of the
//! call, and each class is a callable of its own: `Class<String>` has but one value. Looking members up needs no Java
//! caller frame; calling them does, and is left to the code under test.

use std::sync::Arc;

use bytecode::class_info::{ClassInfo, ClassKind};
use bytecode::signature::{ClassType, GenericType, Substitution};

use super::build::Builder;
use super::generators::class_literal;
use super::producers::Wanted;
use super::world::World;
use crate::value::{JavaString, Value};

/// Classes with members of many shapes: type variables, arrays of them, wildcards, overloads, constants.
const MODELS: &[&str] = &[
    "java/lang/String",
    "java/util/ArrayList",
    "java/lang/Class",
    "java/lang/Integer",
    "java/util/Properties",
];

/// Classes of the code under test beside which the models come.
const OWN_MODELS: usize = 3;

/// Names offered per class.
const MAX_NAMES: usize = 12;

/// An annotated class of the platform and the annotation that it bears at run time: a marker, one with an enum
/// constant, one with an array.
const ANNOTATED: &[(&str, &str)] = &[
    ("java/lang/Runnable", "java/lang/FunctionalInterface"),
    ("java/lang/FunctionalInterface", "java/lang/annotation/Retention"),
    ("java/lang/Deprecated", "java/lang/annotation/Documented"),
    ("java/lang/Override", "java/lang/annotation/Target"),
];

/// Methods of `Class` that look something up: name, descriptor.
const GET_METHOD: (&str, &str) =
    ("getMethod", "(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;");
const GET_FIELD: (&str, &str) = ("getField", "(Ljava/lang/String;)Ljava/lang/reflect/Field;");
const GET_DECLARED_FIELD: (&str, &str) =
    ("getDeclaredField", "(Ljava/lang/String;)Ljava/lang/reflect/Field;");
const GET_CONSTRUCTOR: (&str, &str) =
    ("getConstructor", "([Ljava/lang/Class;)Ljava/lang/reflect/Constructor;");
const GET_CLASS_LOADER: (&str, &str) = ("getClassLoader", "()Ljava/lang/ClassLoader;");
const GET_GENERIC_SUPERCLASS: (&str, &str) = ("getGenericSuperclass", "()Ljava/lang/reflect/Type;");

impl Builder<'_> {
    /// Adds ways to get a reflective object; nothing for other types.
    pub(super) fn make_reflective(&mut self, wanted: &Wanted) {
        let name = wanted.class.name.as_str();
        if name == "java/lang/annotation/Annotation" {
            return self.make_annotations(wanted);
        }
        let is_loader = name == "java/lang/ClassLoader";
        if !is_loader && !name.starts_with("java/lang/reflect/") {
            return;
        }
        let Some(class) = self.world.class(&"java/lang/Class".into()) else {
            return;
        };
        if is_loader {
            // That of the class path: the same for each of its classes.
            if let Some(own) = self.world.models().first().filter(|model| self.world.is_project(&model.name))
            {
                self.look_up(wanted, &class, own, GET_CLASS_LOADER, &[]);
            }
            return;
        }
        for model in self.world.models() {
            self.look_up(
                wanted,
                &class,
                &model,
                GET_METHOD,
                &[text(&method_names(self.world, &model)), vec![Value::Int(0)]],
            );
            let is_own = self.world.is_project(&model.name);
            let get_field = if is_own { GET_DECLARED_FIELD } else { GET_FIELD };
            self.look_up(wanted, &class, &model, get_field, &[text(&field_names(&model, is_own))]);
            if has_default_constructor(&model) {
                self.look_up(wanted, &class, &model, GET_CONSTRUCTOR, &[vec![Value::Int(0)]]);
            }
            if model.signature.superclass.as_ref().is_some_and(|class| !class.arguments.is_empty()) {
                self.look_up(wanted, &class, &model, GET_GENERIC_SUPERCLASS, &[]);
            }
        }
        if name == "java/lang/reflect/Type" {
            self.by_row(wanted, "java/lang/reflect/Method.getGenericReturnType()Ljava/lang/reflect/Type;");
            self.by_row(wanted, "java/lang/reflect/Field.getGenericType()Ljava/lang/reflect/Type;");
        }
    }

    /// A method of `Class<model>`, with hints per parameter; left out where the first parameter has none.
    fn look_up(
        &mut self,
        wanted: &Wanted,
        class: &Arc<ClassInfo>,
        model: &ClassInfo,
        (name, descriptor): (&str, &str),
        hints: &[Vec<Value>],
    ) {
        let named = GenericType::class(model.name.clone());
        let (GenericType::Class(owner), Some(method)) =
            (class_literal(&named), class.method(name, descriptor))
        else {
            return;
        };
        if hints.first().is_some_and(Vec::is_empty) {
            return;
        }
        self.members.intern(&named);
        self.members.intern(&GenericType::Class(owner.clone()));
        self.hinted_call(wanted, class, &method.clone(), &owner, &Substitution::new(), hints);
    }

    fn hinted_call(
        &mut self,
        wanted: &Wanted,
        class: &Arc<ClassInfo>,
        method: &bytecode::class_info::MethodInfo,
        owner: &ClassType,
        arguments: &Substitution,
        hints: &[Vec<Value>],
    ) {
        if self.by_method(wanted, class, method, owner, arguments)
            && let Ok(id) = self.members.callable(class, method, owner, arguments, wanted.room)
        {
            for (parameter, hints) in self.members.callables[id.index()].parameters.iter_mut().zip(hints) {
                parameter.hints.clone_from(hints);
            }
        }
    }

    /// `Runnable.class.getAnnotation(FunctionalInterface.class)` and the like.
    fn make_annotations(&mut self, wanted: &Wanted) {
        let Some(class) = self.world.class(&"java/lang/Class".into()) else {
            return;
        };
        let get =
            class.method("getAnnotation", "(Ljava/lang/Class;)Ljava/lang/annotation/Annotation;").cloned();
        let Some(method) = get else {
            return;
        };
        for &(annotated, annotation) in ANNOTATED {
            let (annotated, annotation) = (GenericType::class(annotated), GenericType::class(annotation));
            let (GenericType::Class(owner), [variable]) =
                (class_literal(&annotated), method.generic.type_parameters.as_slice())
            else {
                return;
            };
            for named in [&annotated, &annotation] {
                self.members.intern(named);
                self.members.intern(&class_literal(named));
            }
            let arguments = Substitution::from([(variable.name.clone(), annotation)]);
            self.hinted_call(wanted, &class, &method, &owner, &arguments, &[]);
        }
    }
}

impl World<'_> {
    /// Classes in which members are looked up: some of the code under test, then those of the platform.
    fn models(&self) -> Vec<Arc<ClassInfo>> {
        let own = self.goals.iter().cloned().chain(self.referenced_classes());
        let own = own.filter(|name| self.is_project(name) && self.access.class(name));
        let own: Vec<Arc<ClassInfo>> = own.filter_map(|name| self.class(&name)).take(OWN_MODELS).collect();
        let platform = MODELS.iter().filter_map(|&name| self.class(&name.into()));
        own.into_iter().chain(platform).collect()
    }
}

fn text(names: &[Arc<str>]) -> Vec<Value> {
    names.iter().map(|name| Value::String(JavaString::from(&**name))).collect()
}

/// Public methods without parameters, inherited ones included, each name once: those of the class first.
fn method_names(world: &World<'_>, model: &ClassInfo) -> Vec<Arc<str>> {
    let mut names: Vec<Arc<str>> = Vec::new();
    for name in world.lineage.supertypes(&model.name).iter() {
        let Some(class) = world.class(name) else { continue };
        for method in &class.methods {
            let found = method.access.is_public()
                && !method.access.is_synthetic()
                && !method.is_constructor()
                && method.erased.parameters.is_empty();
            if found && names.len() < MAX_NAMES && !names.contains(&method.name) {
                names.push(method.name.clone());
            }
        }
    }
    names
}

/// Fields of the class; of a class of the platform only public ones, since the others change from JDK to JDK.
fn field_names(model: &ClassInfo, any_access: bool) -> Vec<Arc<str>> {
    let found = |field: &&bytecode::class_info::FieldInfo| {
        !field.access.is_synthetic() && (any_access || field.access.is_public())
    };
    model.fields.iter().filter(found).take(MAX_NAMES).map(|field| field.name.clone()).collect()
}

fn has_default_constructor(model: &ClassInfo) -> bool {
    let constructor = model.method("<init>", "()V");
    model.kind == ClassKind::Class && constructor.is_some_and(|method| method.access.is_public())
}
