//! What classes have to offer to tests, each looked up once: subtypes, static members of packages, methods of objects.
//! It follows from class files alone, not from what the cluster has so far.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use bytecode::class_info::{ClassInfo, ClassKind, MethodInfo};
use bytecode::code_files::CodeFiles;
use bytecode::descriptor::ErasedType;
use bytecode::lookup::Lookup;
use bytecode::name::ClassName;
use bytecode::purity::{Effect, Purity};

use super::world::World;
use crate::assertion::SIZED;

/// How many subtypes are read in search of concrete ones that a test may name.
const SUBTYPES_READ: usize = 200;

/// Most classes that are asked for static factories of a class that nothing beside it makes.
const MAKERS: usize = 4;

/// Packages of classes that stand for those of a server in tests.
const FOR_TESTS: [&str; 1] = ["org/springframework/mock/"];

/// A static member of a package that gives an object.
#[derive(Debug, Clone)]
pub(super) struct Producer {
    pub(super) class: Arc<ClassInfo>,
    /// Position among the methods (or fields) of the class.
    pub(super) index: usize,
    pub(super) is_field: bool,
    pub(super) result: ClassName,
}

/// Methods: the class that declares each, and its position among the methods of that.
pub(super) type MethodsOfObjects = Rc<[(Arc<ClassInfo>, usize)]>;

/// What is called of a collection or map to see what it holds.
const LOOKS: [(&str, &str); 5] = [
    ("size", "()I"),
    ("isEmpty", "()Z"),
    ("iterator", "()Ljava/util/Iterator;"),
    ("toArray", "()[Ljava/lang/Object;"),
    ("entrySet", "()Ljava/util/Set;"),
];

/// What was looked up so far.
#[derive(Debug)]
pub(super) struct Catalogue<'a> {
    world: &'a World<'a>,
    purity: Purity<'a>,
    /// By class, what its methods give that a test may call on objects of it.
    giving: Lookup<ClassName, Rc<[(usize, ClassName)]>>,
    /// By class, what a test may call on objects of it.
    methods_of_objects: Lookup<ClassName, MethodsOfObjects>,
    packages: Lookup<String, Rc<[Producer]>>,
    subtypes: Lookup<ClassName, Rc<[Arc<ClassInfo>]>>,
}

impl<'a> Catalogue<'a> {
    /// Of these classes.
    pub(super) fn new(world: &'a World<'a>, files: Rc<CodeFiles<'a>>) -> Self {
        Self {
            world,
            purity: Purity::of(files),
            giving: Lookup::default(),
            methods_of_objects: Lookup::default(),
            packages: Lookup::default(),
            subtypes: Lookup::default(),
        }
    }

    /// What a call of a method on an object of a class does, as far as code shows.
    pub(super) fn effect(&mut self, class: &ClassName, method: &MethodInfo) -> Effect {
        self.purity.of_call(class, &method.name, &method.descriptor)
    }

    /// Whether a method of objects of a class gives another one, and changes nothing: none of the fields of the class can be changed, and as far
    /// as code shows it writes nothing either. Builders whose only field is the object that they build write into that.
    pub(super) fn derives(&mut self, class: &ClassName, method: &MethodInfo) -> bool {
        matches!(&method.erased.result, Some(ErasedType::Class(of)) if of == class)
            && self.world.is_immutable(class)
            && self.effect(class, method) != Effect::Writes
    }

    /// Whether a class is a collection or map of the class path that changes when somebody goes through it, as far as code shows: one
    /// that is built when it is first asked for what it holds.
    pub(super) fn is_changed_by_looking(&mut self, class: &ClassName) -> bool {
        let supertypes = self.world.lineage.supertypes(class);
        let is_sized = supertypes.iter().any(|sup| SIZED.contains(&sup.as_str()));
        let mut writes = |(name, descriptor): &(&str, &str)| {
            self.purity.of_call(class, name, descriptor) == Effect::Writes
        };
        is_sized && self.world.is_project(class) && LOOKS.iter().any(&mut writes)
    }

    /// Methods of objects of a class that a test may call and that give objects, by number, with what they give.
    pub(super) fn methods_that_give(&mut self, name: &ClassName) -> Rc<[(usize, ClassName)]> {
        if let Some(known) = self.giving.get(name) {
            return known.clone();
        }
        let class = if self.world.is_project(name) && self.world.access.class(name) {
            self.world.class(name)
        } else {
            None
        };
        let gives = |class: &Arc<ClassInfo>, method: &MethodInfo| match &method.erased.result {
            Some(ErasedType::Class(result))
                if !method.access.is_static() && self.world.is_callable(class, method) =>
            {
                Some(result.clone())
            }
            Some(ErasedType::Class(_) | ErasedType::Primitive(_) | ErasedType::Array(_)) | None => None,
        };
        let found: Rc<[(usize, ClassName)]> = class
            .iter()
            .flat_map(|class| {
                let methods = class.methods.iter().enumerate();
                methods
                    .filter_map(|(number, method)| Some((number, gives(class, method)?)))
                    .collect::<Vec<_>>()
            })
            .collect();
        self.giving.insert(name.clone(), found.clone());
        found
    }

    /// Instance methods that a test may call on objects of a class, as far as classes of the class path declare
    /// them: own ones first, overridden ones once.
    pub(super) fn methods_of_objects(&mut self, class: &ClassName) -> MethodsOfObjects {
        if let Some(known) = self.methods_of_objects.get(class) {
            return known.clone();
        }
        let supertypes = self.world.lineage.supertypes(class);
        let declaring = supertypes.iter().filter(|name| self.world.is_project(name));
        let declaring: Vec<Arc<ClassInfo>> = declaring.filter_map(|name| self.world.class(name)).collect();
        let mut found: Vec<(Arc<ClassInfo>, usize)> = Vec::new();
        let mut seen: BTreeSet<(&str, &[ErasedType])> = BTreeSet::new();
        for info in &declaring {
            for (index, method) in info.methods.iter().enumerate() {
                if method.is_constructor()
                    || method.access.is_static()
                    || !self.world.is_callable(info, method)
                {
                    continue;
                }
                if seen.insert((&method.name, &method.erased.parameters)) {
                    found.push((info.clone(), index));
                }
            }
        }
        let found: MethodsOfObjects = found.into();
        self.methods_of_objects.insert(class.clone(), found.clone());
        found
    }

    /// Concrete subtypes that a test may name, the class itself not included: enum classes and classes, those of
    /// the goals first, then those of the package, then by name; last of all those that need another object of the kind
    /// first, as decorators do: where there are many, nothing would be left to decorate. Where a library has one for tests,
    /// nothing else stands in: a request of a server is nothing without that server.
    pub(super) fn concrete_subtypes(&mut self, name: &ClassName, limit: usize) -> Vec<Arc<ClassInfo>> {
        if let Some(known) = self.subtypes.get(name) {
            return known.iter().take(limit).cloned().collect();
        }
        let mut below: Vec<ClassName> = self.world.hierarchy.subtypes(name).into_iter().collect();
        below.sort_by_cached_key(|sub| {
            (
                !self.world.goals.contains(sub),
                !is_for_tests(sub),
                !self.world.access.is_in_package(sub),
                sub.package() != name.package(),
                sub.clone(),
            )
        });
        let (mut found, mut decorators): (Vec<Arc<ClassInfo>>, Vec<Arc<ClassInfo>>) =
            (Vec::new(), Vec::new());
        for sub in below.into_iter().take(SUBTYPES_READ) {
            let has_one = || found.iter().any(|class| is_for_tests(&class.name));
            if !self.world.goals.contains(&sub) && !is_for_tests(&sub) && has_one() {
                break;
            }
            let concrete =
                |class: &Arc<ClassInfo>| !class.access.is_abstract() || class.kind == ClassKind::Enum;
            if self.world.access.class(&sub)
                && let Some(class) = self.world.class(&sub).filter(concrete)
                && self.world.is_loadable(&sub)
            {
                if !self.world.goals.contains(&sub) && self.needs_its_kind(&class, name) {
                    decorators.push(class);
                    continue;
                }
                found.push(class);
                if found.len() >= self.world.options.max_subtypes {
                    break;
                }
            }
        }
        found.extend(decorators);
        found.truncate(self.world.options.max_subtypes);
        let found: Rc<[Arc<ClassInfo>]> = found.into();
        self.subtypes.insert(name.clone(), found.clone());
        found.iter().take(limit).cloned().collect()
    }

    /// Whether each constructor that a test may call takes an object of this type or of one below it.
    fn needs_its_kind(&self, class: &ClassInfo, name: &ClassName) -> bool {
        let is_kind =
            |of: &ErasedType| matches!(of, ErasedType::Class(of) if self.world.lineage.is_subclass(of, name));
        let callable = |method: &&MethodInfo| {
            method.is_constructor() && self.world.access.member(method.access, &method.name, &class.name)
        };
        let mut constructors = class.methods.iter().filter(callable).peekable();
        constructors.peek().is_some()
            && constructors.all(|method| method.erased.parameters.iter().any(is_kind))
    }

    /// Classes anywhere on the class path whose static methods give objects of a class or of one below it: those of the goals' package first,
    /// then those that share more of their package with that class, then by name.
    pub(super) fn makers_anywhere(&self, name: &ClassName) -> Vec<Arc<ClassInfo>> {
        let hierarchy = self.world.hierarchy;
        let of_kind = std::iter::once(name.clone()).chain(hierarchy.below(name).take(SUBTYPES_READ));
        let makers: BTreeSet<ClassName> =
            of_kind.flat_map(|of| hierarchy.makers(&of).iter().cloned()).collect();
        let shared = |maker: &ClassName| {
            let parts = maker.package().split('/').zip(name.package().split('/'));
            parts.take_while(|(one, other)| one == other).count()
        };
        let mut makers: Vec<ClassName> = makers.into_iter().collect();
        makers.sort_by_cached_key(|maker| {
            (!self.world.access.is_in_package(maker), Reverse(shared(maker)), maker.clone())
        });
        let may_be_named = |maker: &ClassName| {
            (self.world.access.class(maker) && self.world.is_loadable(maker))
                .then(|| self.world.class(maker))?
        };
        makers.iter().filter_map(may_be_named).take(MAKERS).collect()
    }

    /// Static members of a package of the class path that give objects; none when the package is too large.
    pub(super) fn producers_of_package(&mut self, package: &str) -> Rc<[Producer]> {
        if let Some(known) = self.packages.get(package) {
            return known.clone();
        }
        let classes = self.world.classes_of_package(package);
        let mut found = Vec::new();
        for class in &classes {
            for (index, method) in class.methods.iter().enumerate() {
                if let Some(ErasedType::Class(result)) = &method.erased.result
                    && method.access.is_static()
                    && !method.access.is_private()
                {
                    let result = result.clone();
                    found.push(Producer { class: class.clone(), index, is_field: false, result });
                }
            }
            for (index, field) in class.fields.iter().enumerate() {
                if let ErasedType::Class(result) = &field.erased
                    && self.world.is_readable_constant(class, field)
                    && !field.access.is_enum()
                {
                    found.push(Producer {
                        class: class.clone(),
                        index,
                        is_field: true,
                        result: result.clone(),
                    });
                }
            }
        }
        let found: Rc<[Producer]> = found.into();
        self.packages.insert(package.to_owned(), found.clone());
        found
    }
}

fn is_for_tests(class: &ClassName) -> bool {
    FOR_TESTS.iter().any(|package| class.as_str().starts_with(package))
}
