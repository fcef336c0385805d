//! Where values come from: constructors, static factories and constants of a class, its subtypes, its package.

use std::sync::Arc;

use bytecode::class_info::{ClassInfo, FieldInfo, MethodInfo};
use bytecode::descriptor::ErasedType;
use bytecode::name::ClassName;
use bytecode::signature::{ClassType, GenericType, Substitution, TypeArgument};

use super::build::Builder;
use super::denied;
use super::members::Room;
use super::world::World;
use super::{CallableKind, Generator, TypeId};

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
                && self.world.is_callable(class, method)
                && !denied::is_denied(class, method, &self.world.lineage)
                && (is_goal || method.deprecated.is_none())
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
        let owner = match self.world.inferred(wanted, class, &GenericType::Class(this.clone())) {
            Some(substitution) => this.substitute(&substitution),
            // No type lies within the bounds: the raw type, which fits where nothing is said of the arguments.
            None if wanted.says_nothing() => ClassType::new(class.name.clone()),
            None => return,
        };
        for arguments in self.world.instantiations_of_method(class, method, &owner).into_iter().take(1) {
            self.by_method(wanted, class, method, &owner, &arguments);
        }
    }

    /// Static methods and fields of a class that give the wanted type: where there are too many, those that ask for the least.
    pub(super) fn by_static_members(&mut self, wanted: &Wanted, class: &Arc<ClassInfo>, limit: usize) {
        let mut left = limit;
        let gives = |method: &&MethodInfo| self.world.gives(class, method, &wanted.class.name);
        let mut methods: Vec<&MethodInfo> = class.methods.iter().filter(gives).collect();
        if methods.len() > limit {
            methods.sort_by_key(|method| method.erased.parameters.len());
        }
        for method in methods {
            if left > 0 {
                left -= usize::from(self.by_static_method(wanted, class, method));
            }
        }
        for field in &class.fields {
            let fits = matches!(&field.erased, ErasedType::Class(name)
                if self.world.lineage.is_subclass(name, &wanted.class.name));
            if left > 0 && fits && self.world.is_readable_constant(class, field) {
                left -= usize::from(self.by_static_field(wanted, class, field));
            }
        }
    }

    /// Methods of objects that give one of the class: another one if it cannot be changed, for then that is how to come by one that
    /// differs (`format.withHeader("a")`), and what its builders end in (`builder.build()`).
    pub(super) fn by_derivation(&mut self, wanted: &Wanted, class: &Arc<ClassInfo>) {
        // Test calls make those of goal classes.
        if self.world.goals.contains(&class.name) {
            return;
        }
        let derives = |method: &&MethodInfo| self.catalogue.derives(&class.name, method);
        let derived: Vec<MethodInfo> = class.methods.iter().filter(derives).cloned().collect();
        self.by_methods_of_objects(wanted, class, &derived);
        // A builder is as good as a constructor, and one type more.
        let wanted = &Wanted { room: Room::Open, ..wanted.clone() };
        for member in class.member_classes.clone() {
            let Some(member) = self.world.class(&member).filter(|member| member.access.is_static()) else {
                continue;
            };
            let ends = |method: &&MethodInfo| {
                method.erased.parameters.is_empty()
                    && method.erased.result == Some(ErasedType::Class(class.name.clone()))
            };
            if self.world.access.class(&member.name) {
                let ending: Vec<MethodInfo> = member.methods.iter().filter(ends).cloned().collect();
                self.by_methods_of_objects(wanted, &member, &ending);
            }
        }
    }

    fn by_methods_of_objects(&mut self, wanted: &Wanted, class: &Arc<ClassInfo>, methods: &[MethodInfo]) {
        let most = self.world.options.max_generators.div_ceil(2);
        let usable = |method: &&MethodInfo| {
            !method.access.is_static()
                && method.deprecated.is_none()
                && self.world.is_callable(class, method)
                && !denied::is_denied(class, method, &self.world.lineage)
        };
        let methods: Vec<&MethodInfo> = methods.iter().filter(usable).take(most).collect();
        for method in methods {
            self.by_instance_method(wanted, class, method);
        }
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
        let Ok(id) = self.members.field(class, field, &owner, wanted.room) else {
            return false;
        };
        let of = self.members.fields[id.index()].of;
        let fits = self.world.lineage.is_subtype(&self.members.types.get(of).generic, &wanted.generic());
        if fits {
            self.belongings.push_generator(wanted.ty, Generator::Field(id));
            self.needs.know(of, wanted.depth + 1);
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
        let (owner, arguments) = match self.world.inferred_of_method(wanted, class, method, result) {
            Some(substitution) => (this.substitute(&substitution), substitution),
            // The result does not tell, and no type lies within the bounds: an object of any parameterization.
            None if method.generic.type_parameters.is_empty()
                && self.world.is_plain_result(wanted, result) =>
            {
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

    /// Adds a callable as generator if its result fits; queues what it needs.
    pub(super) fn by_method(
        &mut self,
        wanted: &Wanted,
        class: &ClassInfo,
        method: &MethodInfo,
        owner: &ClassType,
        arguments: &Substitution,
    ) -> bool {
        let Ok(id) = self.members.callable(class, method, owner, arguments, wanted.room) else {
            return false;
        };
        let fits = self.members.callables[id.index()].result.is_some_and(|result| {
            self.world.lineage.is_subtype(&self.members.types.get(result).generic, &wanted.generic())
        });
        if fits {
            self.belongings.push_generator(wanted.ty, Generator::Callable(id));
            self.want_inputs_of(super::Call::Callable(id), wanted.depth + 1);
        }
        fits
    }

    /// Test calls whose result fits.
    pub(super) fn by_test_calls(&mut self, wanted: &Wanted) {
        let calls: Vec<super::Call> = self.test_calls.groups.iter().flatten().copied().collect();
        let mut left = self.world.options.max_generators;
        for call in calls {
            let (of, generator) = match call {
                super::Call::Callable(id) => {
                    let callable = &self.members.callables[id.index()];
                    // Constructors are found with their class.
                    let of = callable.result.filter(|_| callable.kind != CallableKind::Constructor);
                    (of, Generator::Callable(id))
                }
                super::Call::Read(id) => (Some(self.members.fields[id.index()].of), Generator::Field(id)),
                super::Call::Write(_) | super::Call::Implement(_) => continue,
            };
            let fits = of.is_some_and(|of| {
                of.index() >= TypeId::WELL_KNOWN
                    && self.world.lineage.is_subtype(&self.members.types.get(of).generic, &wanted.generic())
            });
            // Values of that type are one way already, which its own members share.
            let shared =
                of.is_some_and(|of| self.belongings.generators_of(wanted.ty).contains(&Generator::Of(of)));
            if fits && !shared && left > 0 {
                left -= 1;
                self.belongings.push_generator(wanted.ty, generator);
            }
        }
    }

    /// Factories of a package for the wanted type.
    pub(super) fn by_package(&mut self, wanted: &Wanted, package: &str) {
        let mut left = self.world.options.max_generators;
        for producer in self.catalogue.producers_of_package(package).iter() {
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
                self.world.gives(class, method, &wanted.class.name)
                    && self.by_static_method(wanted, class, method)
            };
            left -= usize::from(added);
        }
    }
}

impl World<'_> {
    /// What the type parameters of a class stand for when `made` (in its variables) is to be the wanted type.
    pub(super) fn inferred(
        &self,
        wanted: &Wanted,
        class: &ClassInfo,
        made: &GenericType,
    ) -> Option<Substitution> {
        let mut found = Substitution::new();
        if !self.infer(made, &wanted.generic(), &mut found) {
            return None;
        }
        self.complete(&self.class_parameters(class), found, wanted.is_plain())
    }

    /// Whether a method is a static factory that a test may use for a class.
    fn gives(&self, class: &ClassInfo, method: &MethodInfo, wanted: &ClassName) -> bool {
        let result = match &method.erased.result {
            Some(ErasedType::Class(name)) => name,
            Some(ErasedType::Primitive(_) | ErasedType::Array(_)) | None => return false,
        };
        method.access.is_static()
            && self.lineage.is_subclass(result, wanted)
            && !matches!(method.generic.result, Some(GenericType::Variable(_)))
            && self.is_callable(class, method)
            && (self.goals.contains(&class.name) || method.deprecated.is_none())
            && !denied::is_denied(class, method, &self.lineage)
    }

    /// As [`World::inferred`], with the type parameters of a method of that class, which may be bounded by those of the class.
    fn inferred_of_method(
        &self,
        wanted: &Wanted,
        class: &ClassInfo,
        method: &MethodInfo,
        result: &GenericType,
    ) -> Option<Substitution> {
        let mut parameters = self.class_parameters(class);
        for own in &method.generic.type_parameters {
            // A name that hides another stands for two things.
            if parameters.iter().any(|other| other.name == own.name) {
                return None;
            }
            parameters.push(own.clone());
        }
        let mut found = Substitution::new();
        if !self.infer(result, &wanted.generic(), &mut found) {
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
        self.complete(&parameters, found, wanted.is_plain())
    }

    /// Whether a result fits without a look at type variables.
    fn is_plain_result(&self, wanted: &Wanted, result: &GenericType) -> bool {
        result.is_concrete() && self.lineage.is_subtype(result, &wanted.generic())
    }
}
