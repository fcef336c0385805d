//! Generators per type: breadth first from what the test calls need.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytecode::class_info::{ClassInfo, ClassKind, MethodInfo};
use bytecode::descriptor::PrimitiveType;
use bytecode::hierarchy::Names;
use bytecode::name::ClassName;
use bytecode::signature::{ClassType, GenericType, Substitution};
use bytecode::subtyping::raw;

use super::build::Builder;
use super::cost;
use super::jdk;
use super::members::Room;
use super::producers::Wanted;
use super::{Call, Generator, TypeId};

/// Subtypes on the class path that are used to make a type of the platform.
const PROJECT_SUBTYPES_OF_PLATFORM: usize = 2;

/// Types that the code under test looks for among the ways to make an open type of the platform. With the strings and
/// numbers beside them, each still has a fair share of the draws.
const REFERENCED_SUBTYPES: usize = 4;

/// Constants that the code under test reads, among the values of a type of the class path; of one of the platform; of
/// `Object`.
const READ_KEYS: usize = 48;
const READ_CONSTANTS: usize = 8;
const READ_OBJECTS: usize = 3;

/// Instance methods of other classes that make a class under test whose constructors are not public.
const MADE_BY_OTHERS: usize = 4;

/// Rounds in which makers are sought for types that nothing could make so far. Each may need further types; what
/// three rounds do not find is far from the class under test.
const ROUNDS: usize = 3;

impl Builder<'_> {
    /// Looks up the generators of a type.
    pub(super) fn make(&mut self, ty: TypeId, depth: usize) {
        if let Some(element) = self.members.types.get(ty).element {
            self.needs.want(element, depth);
            self.make_text_array(ty, element, depth);
            return;
        }
        if ty == TypeId::OBJECT {
            self.make_object(depth);
        } else if ty.index() >= TypeId::WELL_KNOWN
            && let Some(class) = self.members.types.class(ty).cloned()
            && let Some(info) = self.world.class(&class.name)
        {
            let room = self.members.room_to_make(depth);
            self.make_class(&Wanted { ty, class, depth, room }, &info);
        }
    }

    /// Arrays of bytes and characters are texts more often than not, and a text says what is in them.
    fn make_text_array(&mut self, ty: TypeId, element: TypeId, depth: usize) {
        let (name, descriptor) = match element.as_primitive() {
            Some(PrimitiveType::Byte) => ("getBytes", "(Ljava/nio/charset/Charset;)[B"),
            Some(PrimitiveType::Char) => ("toCharArray", "()[C"),
            Some(_) | None => return,
        };
        let Some(string) = self.world.class(&ClassName::string()) else { return };
        let Some(method) = string.method(name, descriptor) else { return };
        let (owner, room) = (ClassType::new(string.name.clone()), self.members.room_to_make(depth));
        if let Ok(id) = self.members.callable(&string, method, &owner, &Substitution::new(), room) {
            self.belongings.push_generator(ty, Generator::Callable(id));
            self.want_inputs_of(Call::Callable(id), depth + 1);
        }
    }

    fn make_class(&mut self, wanted: &Wanted, info: &Arc<ClassInfo>) {
        match info.name.as_str() {
            "java/lang/Class" => return self.make_class_literals(wanted),
            "java/lang/Enum" => return self.make_any_enum(wanted),
            _ => {}
        }
        if info.kind == ClassKind::Enum {
            self.make_enum(wanted.ty, info);
            return;
        }
        if self.world.is_project(&info.name) {
            self.make_project_class(wanted, info);
        } else {
            self.make_platform_class(wanted, info);
        }
    }

    /// Enum constants, unless a test may not name the class.
    fn make_enum(&mut self, ty: TypeId, info: &Arc<ClassInfo>) {
        if !self.members.types.get(ty).accessible || !self.members.types.get(ty).enum_constants.is_empty() {
            return;
        }
        let owner = ClassType::new(info.name.clone());
        let mut constants = Vec::new();
        for field in info.fields.iter().filter(|field| field.access.is_enum()) {
            if self.world.access.member(field.access, &field.name, &info.name)
                && let Ok(id) = self.members.field(info, field, &owner, Room::Open)
            {
                constants.push(id);
            }
        }
        self.members.types.get_mut(ty).enum_constants = constants;
    }

    fn make_any_enum(&mut self, wanted: &Wanted) {
        let names: Vec<ClassName> =
            self.world.goals.iter().cloned().chain(self.world.referenced_classes()).collect();
        for name in names {
            let is_enum = self.world.class(&name).is_some_and(|class| class.kind == ClassKind::Enum);
            if is_enum && self.world.access.class(&name) {
                self.make_of(wanted, &GenericType::class(name));
            }
        }
        self.make_of(wanted, &GenericType::class("java/util/concurrent/TimeUnit"));
    }

    fn make_project_class(&mut self, wanted: &Wanted, info: &Arc<ClassInfo>) {
        let limit = self.world.options.max_generators;
        if info.is_interface() || info.access.is_abstract() {
            self.make_simple_values(wanted);
        } else {
            self.by_constructors(wanted, info, limit);
        }
        if self.world.access.class(&info.name) {
            self.by_static_members(wanted, info, limit);
            self.by_derivation(wanted, info);
        }
        self.by_read_fields(wanted, READ_KEYS);
        self.by_test_calls(wanted);
        self.make_referenced_subtypes(wanted);
        self.make_by_subtypes(wanted, self.world.options.max_subtypes, true);
        let package = self.world.class_under_test.package().to_owned();
        self.by_package(wanted, &package);
        // What is abstract is mostly made by a class beside it: `Unpooled.wrappedBuffer(bytes)` a `ByteBuf`.
        let is_abstract = info.is_interface() || info.access.is_abstract();
        let lacks_makers = self.belongings.generators_of(wanted.ty).is_empty();
        if (is_abstract || lacks_makers) && info.name.package() != package {
            let package = info.name.package().to_owned();
            self.by_package(wanted, &package);
        }
        self.by_others(wanted.ty, info);
        self.by_stubs(wanted, info);
    }

    /// Objects of a class under test whose constructors are not public come from classes of its package, with more in them than a test would
    /// think of: a record from its parser. What gives a subclass is not asked, since what lies below a class is not known before all others
    /// are read.
    fn by_others(&mut self, ty: TypeId, class: &ClassInfo) {
        let is_public = |method: &MethodInfo| method.is_constructor() && method.access.is_public();
        let is_under_test = self.world.goals.contains(&class.name);
        if !is_under_test || class.is_interface() || class.methods.iter().any(is_public) {
            return;
        }
        let package = self.world.classes_of_package(class.name.package());
        // Test calls are among the makers anyway.
        let others = package.iter().map(|other| other.name.clone());
        let others = others.filter(|other| !self.world.goals.contains(other)).collect();
        let fitting = Names::from_iter([class.name.clone()]);
        self.by_instance_methods_of_any(ty, others, &fitting, MADE_BY_OTHERS);
    }

    fn make_platform_class(&mut self, wanted: &Wanted, info: &Arc<ClassInfo>) {
        let is_open = info.is_interface() || info.access.is_abstract();
        if is_open {
            self.make_simple_values(wanted);
            self.make_referenced(wanted);
        }
        self.make_reflective(wanted);
        let throwable = ClassName::from("java/lang/Throwable");
        if let Some(row) = jdk::row(&info.name) {
            for maker in row.makers {
                self.by_row(wanted, maker);
            }
            self.make_in_folder(wanted.ty, &info.name, wanted.depth);
        } else if self.world.lineage.is_subclass(&info.name, &throwable) {
            self.make_platform_exception(wanted, info);
        } else if self.world.access.class(&info.name) {
            let limit = self.world.options.max_generators.div_ceil(2);
            if !is_open {
                self.by_constructors(wanted, info, limit);
            }
            self.by_static_members(wanted, info, limit);
        }
        if !is_open {
            // `Throwable` where the code checks for an `InterruptedException`, `Date` where it does for a `Timestamp`.
            self.make_referenced_subtypes(wanted);
        }
        self.by_read_fields(wanted, READ_CONSTANTS);
        self.by_test_calls(wanted);
        if is_open {
            self.make_by_subtypes(wanted, PROJECT_SUBTYPES_OF_PLATFORM, false);
            self.by_stubs(wanted, info);
        }
    }

    /// Exceptions of the platform are made with a message, as those who throw them do.
    fn make_platform_exception(&mut self, wanted: &Wanted, info: &Arc<ClassInfo>) {
        let with_message = info.method("<init>", "(Ljava/lang/String;)V").cloned();
        match with_message.filter(|method| method.access.is_public() && !info.access.is_abstract()) {
            Some(constructor) => self.by_constructor(wanted, info, &constructor),
            None => self.by_constructors(wanted, info, 1),
        }
    }

    /// A maker named in the table of the platform.
    pub(super) fn by_row(&mut self, wanted: &Wanted, maker: &str) {
        let (owner, name, descriptor) = jdk::split(maker);
        let Some(class) = self.world.class(&owner.into()) else {
            return;
        };
        if descriptor.is_empty() {
            if let Some(field) = class.field(name) {
                self.by_static_field(wanted, &class, field);
            }
        } else if let Some(method) = class.method(name, descriptor) {
            if !method.is_constructor() && !method.access.is_static() {
                return self.by_instance_method(wanted, &class, method);
            }
            // What makes an object of nothing asks for no type but its own. Without an `ArrayList`, the lists of a large class
            // could only be such as the test implements.
            let takes_nothing = method.erased.parameters.is_empty();
            let room = if takes_nothing { Room::Free } else { wanted.room };
            let wanted = &Wanted { room, ..wanted.clone() };
            if method.is_constructor() {
                self.by_constructor(wanted, &class, method);
            } else {
                self.by_static_method(wanted, &class, method);
            }
        }
    }

    /// Strings and boxed values, where they fit: the common ones, those that the code under test looks for, and
    /// the rest only when there are no others.
    fn make_simple_values(&mut self, wanted: &Wanted) {
        let common = [PrimitiveType::Int, PrimitiveType::Double, PrimitiveType::Long];
        let referenced = self.world.referenced_classes();
        let target = GenericType::Class(wanted.class.clone());
        let (mut first, mut rest) = (vec![TypeId::STRING], Vec::new());
        first.extend(common.map(TypeId::boxed));
        for primitive in PrimitiveType::ALL.into_iter().filter(|primitive| !common.contains(primitive)) {
            let list = if referenced.contains(&primitive.boxed()) { &mut first } else { &mut rest };
            list.push(TypeId::boxed(primitive));
        }
        let lineage = &self.world.lineage;
        let fits = |ty: &TypeId| lineage.is_subtype(&self.members.types.get(*ty).generic, &target);
        let mut simple: Vec<TypeId> = first.into_iter().filter(fits).collect();
        if simple.is_empty() {
            simple = rest.into_iter().filter(fits).collect();
        }
        for ty in simple {
            self.belongings.push_generator(wanted.ty, Generator::Of(ty));
        }
        // `Class` is a `Type`, an `AnnotatedElement`, a `GenericDeclaration` …
        let literal = class_literal(&GenericType::class(ClassName::string()));
        let reflective = wanted.class.name.as_str().starts_with("java/lang/reflect/");
        if reflective && self.world.lineage.is_subtype(&literal, &target) {
            self.make_of(wanted, &literal);
        }
    }

    fn make_by_subtypes(&mut self, wanted: &Wanted, limit: usize, statics: bool) {
        let members = self.world.options.max_generators.div_ceil(2);
        for sub in self.catalogue.concrete_subtypes(&wanted.class.name, limit) {
            let itself = self.members.types.id(&GenericType::class(sub.name.clone())).map(Generator::Of);
            if itself.is_some_and(|itself| self.belongings.generators_of(wanted.ty).contains(&itself)) {
                continue;
            }
            if sub.kind == ClassKind::Enum {
                self.make_of(wanted, &GenericType::class(sub.name.clone()));
                continue;
            }
            self.by_constructors(wanted, &sub, members);
            if statics {
                self.by_static_members(wanted, &sub, members);
            }
        }
    }

    /// Values of the class under test and of the types that its code looks for, where they fit an open type of the
    /// platform.
    fn make_referenced(&mut self, wanted: &Wanted) {
        let (mut left, throwable) = (REFERENCED_SUBTYPES, ClassName::from("java/lang/Throwable"));
        let own: Vec<TypeId> = self.instances_of_goals();
        let own =
            own.into_iter().map(|goal| self.members.types.get(goal).generic.clone()).collect::<Vec<_>>();
        for generic in own.into_iter().chain(self.world.referenced_types()) {
            let GenericType::Class(class) = &generic else { continue };
            // Casts to the type itself say nothing, and exceptions are serializable, yet never meant.
            let itself = class.name == wanted.class.name;
            if left > 0 && !itself && !self.world.lineage.is_subclass(&class.name, &throwable) {
                let before = self.belongings.generators_of(wanted.ty).len();
                self.make_of(wanted, &generic);
                left -= usize::from(self.belongings.generators_of(wanted.ty).len() > before);
            }
        }
    }

    /// Types below another one that the code under test casts to or checks for. The subtypes of a type of the class path are otherwise
    /// drawn by name, classes alone, and few of them; of a concrete class of the platform none are.
    fn make_referenced_subtypes(&mut self, wanted: &Wanted) {
        let mut left = REFERENCED_SUBTYPES;
        for generic in self.world.referenced_types() {
            let GenericType::Class(class) = &generic else { continue };
            let is_below = class.name != wanted.class.name
                && self.world.lineage.is_subclass(&class.name, &wanted.class.name);
            if left > 0 && is_below {
                let before = self.belongings.generators_of(wanted.ty).len();
                self.make_of(wanted, &generic);
                left -= self.belongings.generators_of(wanted.ty).len() - before;
            }
        }
    }

    /// Adds the values of another type as generator, if they fit.
    pub(super) fn make_of(&mut self, wanted: &Wanted, generic: &GenericType) {
        let target = GenericType::Class(wanted.class.clone());
        let Some(normal) = self.world.normal(generic) else {
            return;
        };
        if self.world.access.generic(&normal) && self.world.lineage.is_subtype(&normal, &target) {
            let id = self.members.intern(&normal);
            self.belongings.push_generator(wanted.ty, Generator::Of(id));
            self.needs.want(id, wanted.depth);
        }
    }

    /// Values where anything goes: what the code under test looks for, and what people pass.
    fn make_object(&mut self, depth: usize) {
        let object = Wanted {
            ty: TypeId::OBJECT,
            class: ClassType::new(ClassName::object()),
            depth,
            room: self.members.room_to_make(depth),
        };
        for simple in [TypeId::STRING, TypeId::boxed(PrimitiveType::Int)] {
            self.belongings.push_generator(TypeId::OBJECT, Generator::Of(simple));
        }
        self.by_row(&object, "java/lang/Object.<init>()V");
        for goal in self.instances_of_goals() {
            if self.belongings.generators_of(TypeId::OBJECT).len()
                < self.world.options.max_object_types.div_ceil(2)
            {
                let generic = self.members.types.get(goal).generic.clone();
                self.make_of(&object, &generic);
            }
        }
        for generic in self.world.referenced_types() {
            if self.belongings.generators_of(TypeId::OBJECT).len() < self.world.options.max_object_types {
                self.make_of(&object, &generic);
            }
        }
        self.by_read_fields(&object, READ_OBJECTS);
        self.make_of(&object, &GenericType::object().array_of());
    }

    fn make_class_literals(&mut self, wanted: &Wanted) {
        if let [bytecode::signature::TypeArgument::Exact(named)] = wanted.class.arguments.as_slice() {
            // The literal is made from the type itself, if there is one: `List<String>.class` does not exist.
            let raw_named = raw(named);
            if raw_named == *named && self.world.access.generic(named) {
                self.members.intern(&raw_named);
            }
            return;
        }
        let mut named: Vec<GenericType> = Vec::new();
        let referenced = self.world.referenced_classes();
        // Code that asks for the type arguments of a superclass, of which most classes have none.
        if referenced.contains(&"java/lang/reflect/ParameterizedType".into()) {
            named.push(GenericType::class("java/util/Properties"));
        }
        for class in self.world.goals.iter().cloned().chain(referenced) {
            named.push(GenericType::class(class));
        }
        let common = [TypeId::STRING, TypeId::boxed(PrimitiveType::Int), TypeId::OBJECT];
        named.extend(common.map(|id| self.members.types.get(id).generic.clone()));
        named.push(GenericType::class("java/util/List"));
        named.push(GenericType::Primitive(PrimitiveType::Int).array_of());
        named.push(GenericType::class("java/util/concurrent/TimeUnit"));
        let target = GenericType::Class(wanted.class.clone());
        for class in named {
            let literal = class_literal(&class);
            let fits =
                self.world.access.generic(&literal) && self.world.lineage.is_subtype(&literal, &target);
            if fits && self.belongings.generators_of(wanted.ty).len() < self.world.options.max_object_types {
                self.members.intern(&class);
                self.make_of(wanted, &literal);
            }
        }
    }

    /// Looks further for types that nothing made so far: static factories anywhere on the class path, instance methods (of builders, of what
    /// the test calls return, of classes of their package).
    pub(super) fn find_makers_of_the_rest(&mut self) {
        let mut looked_for = BTreeSet::new();
        for round in 0..ROUNDS {
            let costs = self.costs_without_stubs();
            let open: Vec<TypeId> = self
                .needs
                .made
                .iter()
                .copied()
                .filter(|ty| costs.get(ty.index()) == Some(&cost::UNMAKEABLE))
                .filter(|ty| {
                    self.members.types.class(*ty).is_some_and(|class| self.world.is_project(&class.name))
                })
                .collect();
            if open.is_empty() {
                return;
            }
            for ty in open {
                if looked_for.insert(ty) {
                    self.by_makers_anywhere(ty);
                }
                self.by_instance_methods(ty, round > 0);
            }
            self.drain();
        }
    }

    /// What is made far away: an entry point of a library (`EmailBuilder.startingBlank()`) whose classes cannot be named.
    fn by_makers_anywhere(&mut self, ty: TypeId) {
        let Some(class) = self.members.types.class(ty).cloned() else {
            return;
        };
        let makers = self.catalogue.makers_anywhere(&class.name);
        let wanted = Wanted { ty, class, depth: self.world.options.modifier_depth, room: Room::Open };
        // A few: what a stub can do, which is drawn as often as each of them, no real object does.
        let most = self.world.options.max_generators.div_ceil(2);
        for maker in makers {
            let left = most.saturating_sub(self.belongings.generators_of(ty).len());
            self.by_static_members(&wanted, &maker, left.min(most.div_ceil(2)));
        }
    }

    /// Methods of what the test calls return, of classes beside and around the type, of its whole package.
    fn by_instance_methods(&mut self, ty: TypeId, whole_package: bool) {
        let Some(class) = self.members.types.class(ty).cloned() else {
            return;
        };
        let used = self.needs.used.iter().filter_map(|used| self.members.types.class(*used));
        let mut names: Vec<ClassName> = used.map(|used| used.name.clone()).collect();
        if let Some(info) = self.world.class(&class.name) {
            names.extend(info.member_classes.iter().cloned());
            if let bytecode::class_info::Nesting::Member { outer, .. } = &info.nesting {
                names.push(outer.clone());
            }
        }
        if whole_package {
            names.extend(
                self.world.classes_of_package(class.name.package()).iter().map(|class| class.name.clone()),
            );
        }
        // Few results fit, and all results of all these classes are asked about.
        let mut fitting = self.world.hierarchy.subtypes(&class.name);
        fitting.insert(class.name);
        self.by_instance_methods_of_any(ty, names, &fitting, self.world.options.max_generators);
    }

    /// Up to `most` methods of these classes whose results are among `fitting`: the class of the type, and those below it.
    fn by_instance_methods_of_any(
        &mut self,
        ty: TypeId,
        names: Vec<ClassName>,
        fitting: &Names,
        most: usize,
    ) {
        let Some(class) = self.members.types.class(ty).cloned() else {
            return;
        };
        let room = self.members.room(1, self.world.options.max_depth);
        let wanted = Wanted { ty, class, depth: self.world.options.modifier_depth, room };
        let enough = most + self.belongings.generators_of(ty).len();
        let enough = enough.min(self.world.options.max_generators);
        let mut seen = BTreeSet::new();
        for name in names {
            if seen.insert(name.clone()) {
                self.by_instance_methods_of(&wanted, &name, fitting, enough);
            }
        }
    }

    /// `fitting` are the classes of results that will do; `enough` is a number of generators.
    fn by_instance_methods_of(&mut self, wanted: &Wanted, name: &ClassName, fitting: &Names, enough: usize) {
        for (number, result) in self.catalogue.methods_that_give(name).iter() {
            let full = self.belongings.generators_of(wanted.ty).len() >= enough;
            if !full
                && fitting.contains(result)
                && let Some(class) = self.world.class(name)
                && let Some(method) = class.methods.get(*number)
            {
                self.by_instance_method(wanted, &class, method);
            }
        }
    }
}

/// `Class<X>` for a class, with its raw and boxed form as argument.
pub(super) fn class_literal(named: &GenericType) -> GenericType {
    let argument = match named {
        GenericType::Primitive(primitive) => GenericType::class(primitive.boxed()),
        GenericType::Class(_) | GenericType::Array(_) | GenericType::Variable(_) => raw(named),
    };
    GenericType::Class(ClassType::of("java/lang/Class".into(), [argument]))
}
