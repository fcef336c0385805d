//! Where values come from: constructors, static factories and constants of a class, its subtypes, its package.

use std::rc::Rc;
use std::sync::Arc;

use bytecode::class_info::{ClassInfo, ClassKind, FieldInfo, MethodInfo};
use bytecode::descriptor::ErasedType;
use bytecode::name::ClassName;
use bytecode::signature::{ClassType, GenericType, Substitution, TypeArgument};

use super::build::{Builder, Room};
use super::denied;
use super::{CallableKind, Generator, TypeId};

/// How many subtypes are read in search of concrete ones that a test may name.
const SUBTYPES_READ: usize = 200;

/// A static member of a package that gives an object.
#[derive(Debug, Clone)]
pub(super) struct Producer {
    pub(super) class: Arc<ClassInfo>,
    /// Position among the methods (or fields) of the class.
    pub(super) index: usize,
    pub(super) is_field: bool,
    pub(super) result: ClassName,
}

/// A type for which generators are being looked up.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    pub(super) ty: TypeId,
    pub(super) class: ClassType,
    /// Steps from a test call.
    pub(super) depth: usize,
    pub(super) room: Room,
}

impl Wanted {
    fn generic(&self) -> GenericType {
        GenericType::Class(self.class.clone())
    }

    /// Whether the type is raw, or has no arguments at all.
    fn is_plain(&self) -> bool {
        self.class.arguments.is_empty()
    }

    /// Whether any parameterization of its class would do.
    fn says_nothing(&self) -> bool {
        let mut arguments = self.class.arguments.iter();
        self.class.outer.is_none() && arguments.all(|argument| *argument == TypeArgument::Unbounded)
    }
}

impl Builder<'_> {
    /// Constructors of a class that make the wanted type.
    pub(super) fn by_constructors(&mut self, wanted: &Wanted, class: &Arc<ClassInfo>, limit: usize) {
        let is_goal = self.world.goals.contains(&class.name);
        let usable = |method: &&MethodInfo| {
            method.is_constructor()
                && self.is_callable(class, method)
                && !denied::is_denied(class, method, &self.world.lineage)
                && (is_goal || !method.deprecated)
        };
        let constructors: Vec<MethodInfo> =
            class.methods.iter().filter(usable).take(limit).cloned().collect();
        for constructor in &constructors {
            self.by_constructor(wanted, class, constructor);
        }
    }

    pub(super) fn by_constructor(&mut self, wanted: &Wanted, class: &Arc<ClassInfo>, method: &MethodInfo) {
        if !self.world.access.class(&class.name) {
            return;
        }
        let this = self.world.this_type(class);
        let owner = match self.inferred(wanted, class, &GenericType::Class(this.clone())) {
            Some(substitution) => this.substitute(&substitution),
            // No type lies within the bounds: the raw type, which fits where nothing is said of the arguments.
            None if wanted.says_nothing() => ClassType::new(class.name.clone()),
            None => return,
        };
        for arguments in self.instantiations_of_method(class, method, &owner).into_iter().take(1) {
            self.by_method(wanted, class, method, &owner, &arguments);
        }
    }

    /// What the type parameters of a class stand for when `made` (in its variables) is to be the wanted type.
    pub(super) fn inferred(
        &self,
        wanted: &Wanted,
        class: &ClassInfo,
        made: &GenericType,
    ) -> Option<Substitution> {
        let mut found = Substitution::new();
        if !self.world.infer(made, &wanted.generic(), &mut found) {
            return None;
        }
        self.world.complete(&self.world.class_parameters(class), found, wanted.is_plain())
    }

    /// Static methods and fields of a class that give the wanted type.
    pub(super) fn by_static_members(&mut self, wanted: &Wanted, class: &Arc<ClassInfo>, limit: usize) {
        let mut left = limit;
        for (index, method) in class.methods.iter().enumerate() {
            if left > 0 && self.gives(class, method, &wanted.class.name) {
                left -= usize::from(self.by_static_method(wanted, class, &class.methods[index]));
            }
        }
        for field in &class.fields {
            let fits = matches!(&field.erased, ErasedType::Class(name)
                if self.world.lineage.is_subclass(name, &wanted.class.name));
            if left > 0 && fits && self.is_readable_constant(class, field) {
                left -= usize::from(self.by_static_field(wanted, class, field));
            }
        }
    }

    /// Methods of objects that give one of the class: of another one if none of its fields can be changed, for then that is how
    /// to come by one that differs (`format.withHeader("a")`), and what its builders end in (`builder.build()`).
    pub(super) fn by_derivation(&mut self, wanted: &Wanted, class: &Arc<ClassInfo>) {
        // Test calls make those of goal classes.
        if self.world.goals.contains(&class.name) {
            return;
        }
        let most = self.options.max_generators.div_ceil(2);
        if self.is_immutable(&class.name) {
            let derives =
                |method: &&MethodInfo| method.erased.result == Some(ErasedType::Class(class.name.clone()));
            self.by_methods_of_objects(wanted, class, derives, most);
        }
        for member in class.member_classes.clone() {
            let Some(member) = self.class(&member).filter(|member| member.access.is_static()) else {
                continue;
            };
            let ends = |method: &&MethodInfo| {
                method.erased.parameters.is_empty()
                    && method.erased.result == Some(ErasedType::Class(class.name.clone()))
            };
            if self.world.access.class(&member.name) {
                self.by_methods_of_objects(wanted, &member, ends, most);
            }
        }
    }

    fn by_methods_of_objects(
        &mut self,
        wanted: &Wanted,
        class: &Arc<ClassInfo>,
        gives: impl Fn(&&MethodInfo) -> bool,
        most: usize,
    ) {
        let usable = |method: &&MethodInfo| {
            !method.access.is_static()
                && !method.deprecated
                && self.is_callable(class, method)
                && !denied::is_denied(class, method, &self.world.lineage)
        };
        let methods: Vec<MethodInfo> =
            class.methods.iter().filter(gives).filter(usable).take(most).cloned().collect();
        for method in &methods {
            self.by_instance_method(wanted, class, method);
        }
    }

    /// Whether the objects of a class have fields, and none that can be changed.
    pub(super) fn is_immutable(&self, name: &ClassName) -> bool {
        let supertypes = self.world.lineage.supertypes(name);
        let classes: Vec<Arc<ClassInfo>> = supertypes.iter().filter_map(|sup| self.class(sup)).collect();
        let mut fields = classes
            .iter()
            .flat_map(|class| &class.fields)
            .filter(|field| !field.access.is_static())
            .peekable();
        fields.peek().is_some() && fields.all(|field| field.access.is_final())
    }

    /// Whether a method is a static factory that a test may use for a class.
    fn gives(&self, class: &ClassInfo, method: &MethodInfo, wanted: &ClassName) -> bool {
        let result = match &method.erased.result {
            Some(ErasedType::Class(name)) => name,
            Some(ErasedType::Primitive(_) | ErasedType::Array(_)) | None => return false,
        };
        method.access.is_static()
            && self.world.lineage.is_subclass(result, wanted)
            && !matches!(method.generic.result, Some(GenericType::Variable(_)))
            && self.is_callable(class, method)
            && (self.world.goals.contains(&class.name) || !method.deprecated)
            && !denied::is_denied(class, method, &self.world.lineage)
    }

    pub(super) fn is_readable_constant(&self, class: &ClassInfo, field: &FieldInfo) -> bool {
        field.access.is_static()
            && self.world.access.member(field.access, &field.name, &class.name)
            && self.world.access.class(&class.name)
            && !denied::is_denied_field(&class.name)
    }

    pub(super) fn by_static_method(
        &mut self,
        wanted: &Wanted,
        class: &Arc<ClassInfo>,
        method: &MethodInfo,
    ) -> bool {
        let Some(result) = &method.generic.result else {
            return false;
        };
        let mut found = Substitution::new();
        if !self.world.infer(result, &wanted.generic(), &mut found) {
            return false;
        }
        let completed = self.world.complete(&method.generic.type_parameters, found, wanted.is_plain());
        completed.is_some_and(|arguments| {
            let owner = ClassType::new(class.name.clone());
            self.by_method(wanted, class, method, &owner, &arguments)
        })
    }

    pub(super) fn by_static_field(
        &mut self,
        wanted: &Wanted,
        class: &Arc<ClassInfo>,
        field: &FieldInfo,
    ) -> bool {
        let owner = ClassType::new(class.name.clone());
        let Ok(id) = self.field(class, field, &owner, wanted.room) else {
            return false;
        };
        let of = self.fields[id.index()].of;
        let fits = self.world.lineage.is_subtype(&self.types.get(of).generic, &wanted.generic());
        if fits {
            self.push_generator(wanted.ty, Generator::Field(id));
            self.know(of, wanted.depth + 1);
        }
        fits
    }

    /// An instance method that gives the wanted type; the type parameters of its class follow from it, and its own.
    pub(super) fn by_instance_method(
        &mut self,
        wanted: &Wanted,
        class: &Arc<ClassInfo>,
        method: &MethodInfo,
    ) {
        let Some(result) = &method.generic.result else {
            return;
        };
        let this = self.world.this_type(class);
        let (owner, arguments) = match self.inferred_of_method(wanted, class, method, result) {
            Some(substitution) => (this.substitute(&substitution), substitution),
            // The result does not tell, and no type lies within the bounds: an object of any parameterization.
            None if method.generic.type_parameters.is_empty() && self.is_plain_result(wanted, result) => {
                let any = class.signature.parameters.iter().map(|_| TypeArgument::Unbounded);
                let owner = ClassType { name: class.name.clone(), arguments: any.collect(), outer: None };
                (owner, Substitution::new())
            }
            None => return,
        };
        let own = |(name, _): &(&Arc<str>, &GenericType)| {
            method.generic.type_parameters.iter().any(|parameter| parameter.name == **name)
        };
        let arguments = arguments.iter().filter(own);
        let arguments = arguments.map(|(name, argument)| (name.clone(), argument.clone())).collect();
        self.by_method(wanted, class, method, &owner, &arguments);
    }

    /// As [`Builder::inferred`], with the type parameters of a method of that class, which may be bounded by those of the class.
    fn inferred_of_method(
        &self,
        wanted: &Wanted,
        class: &ClassInfo,
        method: &MethodInfo,
        result: &GenericType,
    ) -> Option<Substitution> {
        let mut parameters = self.world.class_parameters(class);
        for own in &method.generic.type_parameters {
            // A name that hides another stands for two things.
            if parameters.iter().any(|other| other.name == own.name) {
                return None;
            }
            parameters.push(own.clone());
        }
        let mut found = Substitution::new();
        if !self.world.infer(result, &wanted.generic(), &mut found) {
            return None;
        }
        // `<U extends V>`: as much as the result says of `U` is said of `V`.
        for own in &method.generic.type_parameters {
            for bound in &own.bounds {
                if let (GenericType::Variable(bound), Some(known)) = (bound, found.get(&own.name).cloned()) {
                    found.entry(bound.clone()).or_insert(known);
                }
            }
        }
        self.world.complete(&parameters, found, wanted.is_plain())
    }

    /// Whether a result fits without a look at type variables.
    fn is_plain_result(&self, wanted: &Wanted, result: &GenericType) -> bool {
        result.is_concrete() && self.world.lineage.is_subtype(result, &wanted.generic())
    }

    /// Adds a callable as generator if its result fits; queues what it needs.
    pub(super) fn by_method(
        &mut self,
        wanted: &Wanted,
        class: &ClassInfo,
        method: &MethodInfo,
        owner: &ClassType,
        arguments: &Substitution,
    ) -> bool {
        let Ok(id) = self.callable(class, method, owner, arguments, wanted.room) else {
            return false;
        };
        let fits = self.callables[id.index()].result.is_some_and(|result| {
            self.world.lineage.is_subtype(&self.types.get(result).generic, &wanted.generic())
        });
        if fits {
            self.push_generator(wanted.ty, Generator::Callable(id));
            self.want_inputs_of(super::Call::Callable(id), wanted.depth + 1);
        }
        fits
    }

    /// Test calls whose result fits.
    pub(super) fn by_test_calls(&mut self, wanted: &Wanted) {
        let calls: Vec<super::Call> = self.test_calls.iter().flatten().copied().collect();
        let mut left = self.options.max_generators;
        for call in calls {
            let (of, generator) = match call {
                super::Call::Callable(id) => {
                    let callable = &self.callables[id.index()];
                    // Constructors are found with their class.
                    let of = callable.result.filter(|_| callable.kind != CallableKind::Constructor);
                    (of, Generator::Callable(id))
                }
                super::Call::Read(id) => (Some(self.fields[id.index()].of), Generator::Field(id)),
                super::Call::Write(_) | super::Call::Implement(_) => continue,
            };
            let fits = of.is_some_and(|of| {
                of.index() >= TypeId::WELL_KNOWN
                    && self.world.lineage.is_subtype(&self.types.get(of).generic, &wanted.generic())
            });
            // Values of that type are one way already, which its own members share.
            let shared = of.is_some_and(|of| self.generators_of(wanted.ty).contains(&Generator::Of(of)));
            if fits && !shared && left > 0 {
                left -= 1;
                self.push_generator(wanted.ty, generator);
            }
        }
    }

    /// Concrete subtypes that a test may name, the class itself not included: enum classes and classes, those of
    /// the goals first, then those of the package, then by name; last of all those that need another object of the kind
    /// first, as decorators do: where there are many, nothing would be left to decorate.
    pub(super) fn concrete_subtypes(&mut self, name: &ClassName, limit: usize) -> Vec<Arc<ClassInfo>> {
        if let Some(known) = self.subtypes.get(name) {
            return known.iter().take(limit).cloned().collect();
        }
        let mut below: Vec<ClassName> = self.world.hierarchy.subtypes(name).into_iter().collect();
        below.sort_by_cached_key(|sub| {
            (
                !self.world.goals.contains(sub),
                !self.world.access.is_in_package(sub),
                sub.package() != name.package(),
                sub.clone(),
            )
        });
        let (mut found, mut decorators): (Vec<Arc<ClassInfo>>, Vec<Arc<ClassInfo>>) =
            (Vec::new(), Vec::new());
        for sub in below.into_iter().take(SUBTYPES_READ) {
            let concrete =
                |class: &Arc<ClassInfo>| !class.access.is_abstract() || class.kind == ClassKind::Enum;
            if self.world.access.class(&sub)
                && let Some(class) = self.class(&sub).filter(concrete)
                && self.is_loadable(&sub)
            {
                if !self.world.goals.contains(&sub) && self.needs_its_kind(&class, name) {
                    decorators.push(class);
                    continue;
                }
                found.push(class);
                if found.len() >= self.options.max_subtypes {
                    break;
                }
            }
        }
        found.extend(decorators);
        found.truncate(self.options.max_subtypes);
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

    /// Whether all supertypes of a class are there.
    pub(super) fn is_loadable(&self, name: &ClassName) -> bool {
        self.world.lineage.supertypes(name).iter().all(|sup| self.class(sup).is_some())
    }

    /// Static members of a package of the class path that give objects; none when the package is too large.
    pub(super) fn producers_of_package(&mut self, package: &str) -> Rc<[Producer]> {
        if let Some(known) = self.packages.get(package) {
            return known.clone();
        }
        let classes = self.classes_of_package(package);
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
                    && self.is_readable_constant(class, field)
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

    /// Classes of a package of the class path that a test may name, sorted; none when there are too many.
    pub(super) fn classes_of_package(&self, package: &str) -> Vec<Arc<ClassInfo>> {
        let all = self.world.hierarchy.source().class_path_classes();
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
        let named = within.into_iter().filter(|name| self.world.access.class(name));
        named.filter_map(|name| self.class(name)).collect()
    }

    /// Factories of a package for the wanted type.
    pub(super) fn by_package(&mut self, wanted: &Wanted, package: &str) {
        let mut left = self.options.max_generators;
        for producer in self.producers_of_package(package).iter() {
            let class = &producer.class;
            let fits = left > 0 && self.world.lineage.is_subclass(&producer.result, &wanted.class.name);
            // Members of the class itself and of its subtypes were found with them.
            if !fits || class.name == wanted.class.name {
                continue;
            }
            let added = if producer.is_field {
                self.by_static_field(wanted, class, &class.fields[producer.index])
            } else {
                let method = &class.methods[producer.index];
                self.gives(class, method, &wanted.class.name) && self.by_static_method(wanted, class, method)
            };
            left -= usize::from(added);
        }
    }
}
