//! What changes an object, and what only tells of it.

use std::sync::Arc;

use bytecode::class_info::{ClassInfo, ClassKind, MethodInfo};
use bytecode::descriptor::{ErasedType, PrimitiveType};
use bytecode::name::ClassName;
use bytecode::purity::Effect;
use bytecode::signature::{ClassType, GenericType, Substitution, TypeArgument};

use super::build::Builder;
use super::jdk;
use super::members::Room;
use super::world::World;
use super::{Call, TypeId};
use crate::assertion::{OF_THE_RELEASE, SIZED};
use crate::jdk_values;

/// How names of methods begin that only tell. A capital letter or nothing must follow.
const TELLING_PREFIXES: &[&str] = &["get", "is", "has", "can", "as", "to", "contains"];

/// Names of methods without parameters that only tell.
const TELLING_NAMES: &[&str] = &[
    "bitCount",
    "booleanValue",
    "byteValue",
    "capacity",
    "cardinality",
    "charValue",
    "code",
    "count",
    "depth",
    "doubleValue",
    "floatValue",
    "height",
    "id",
    "index",
    "intValue",
    "key",
    "length",
    "longValue",
    "message",
    "name",
    "ordinal",
    "position",
    "scale",
    "shortValue",
    "signum",
    "size",
    "toString",
    "type",
    "value",
    "width",
];

/// How names of methods begin that change their object although their result looks like a fact.
const CHANGING_PREFIXES: &[&str] =
    &["getAnd", "getNext", "isNext", "getOrCreate", "hasNextMatch", "toNext", "toggle", "getAndRemove"];

/// Types of the JDK whose objects are seen by what they are and hold.
const SEEN_WHOLE: [&str; 9] = [
    "java/lang/CharSequence",
    "java/lang/Class",
    "java/lang/Comparable",
    "java/lang/Number",
    "java/lang/Object",
    "java/util/Optional",
    "java/util/OptionalDouble",
    "java/util/OptionalInt",
    "java/util/OptionalLong",
];

/// Types of the JDK that hold objects, with what gives one of these: the first of a list.
const GIVING: [(&str, &str, &str); 2] = [
    ("java/util/List", "get", "(I)Ljava/lang/Object;"),
    ("java/util/Optional", "get", "()Ljava/lang/Object;"),
];

/// Methods that every class has; what overrides them does not change the object.
pub(super) const OF_OBJECT: &[&str] = &["equals", "hashCode", "toString", "compareTo", "clone", "getClass"];

impl Builder<'_> {
    /// Looks up what changes and what tells of the values of a type.
    pub(super) fn modify(&mut self, ty: TypeId, depth: usize) {
        if ty.index() < TypeId::WELL_KNOWN || !self.members.types.get(ty).accessible {
            return;
        }
        let Some(class) = self.members.types.class(ty).cloned() else {
            return;
        };
        if self.world.is_project(&class.name) {
            self.modify_project_class(ty, &class, depth);
        } else {
            self.modify_platform_class(ty, &class, depth);
        }
    }

    /// Methods of the nearest type that has a row, and what a functional interface is for.
    fn modify_platform_class(&mut self, ty: TypeId, class: &ClassType, depth: usize) {
        let supertypes = self.world.lineage.supertypes(&class.name);
        let rows: Vec<&jdk::Row> = supertypes.iter().filter_map(jdk::row).collect();
        let room = self.members.room(depth, self.world.options.max_depth);
        if let Some(row) = rows.iter().find(|row| !row.modifiers.is_empty()) {
            for member in row.modifiers {
                self.add_modifier_by_name(ty, class, member, depth, room);
            }
        }
        self.fill_folder(ty, &class.name, depth);
        let of_release = supertypes.iter().any(|sup| OF_THE_RELEASE.contains(&sup.as_str()));
        if let Some(row) = rows.iter().find(|row| !of_release && !row.inspectors.is_empty()) {
            for member in row.inspectors {
                self.add_inspector_by_name(ty, class, member);
            }
        }
        self.tell_of_element(ty, class);
        if let Some((declared_in, name)) = self.world.functional_method(&class.name)
            && let Some(info) = self.world.class(&declared_in)
        {
            let method =
                info.methods.iter().find(|method| method.name == name && method.access.is_abstract());
            if let Some(method) = method.cloned() {
                self.add_modifier(ty, &info, &method, class, depth, room);
            }
        }
    }

    fn add_modifier_by_name(
        &mut self,
        ty: TypeId,
        class: &ClassType,
        member: &str,
        depth: usize,
        room: Room,
    ) {
        let (_, name, descriptor) = jdk::split(member);
        if let Some((info, method)) = self.world.declaration(&class.name, name, descriptor) {
            self.add_modifier(ty, &info, &method, class, depth, room);
        }
    }

    fn add_inspector_by_name(&mut self, ty: TypeId, class: &ClassType, member: &str) {
        let (_, name, descriptor) = jdk::split(member);
        if let Some((info, method)) = self.world.declaration(&class.name, name, descriptor) {
            self.add_inspector(ty, &info, &method, class);
        }
    }

    fn add_modifier(
        &mut self,
        ty: TypeId,
        info: &ClassInfo,
        method: &MethodInfo,
        owner: &ClassType,
        depth: usize,
        room: Room,
    ) -> bool {
        let arguments = self.world.instantiations_of_method(info, method, owner).into_iter().next();
        let Some(arguments) = arguments else {
            return false;
        };
        let Ok(id) = self.members.callable(info, method, owner, &arguments, room) else {
            return false;
        };
        self.belongings.push_modifier(ty, Call::Callable(id));
        self.want_inputs_of(Call::Callable(id), depth + 1);
        true
    }

    /// Adds a method that only tells, if tests can call it; gives the type of what it gives.
    fn add_inspector(
        &mut self,
        ty: TypeId,
        info: &ClassInfo,
        method: &MethodInfo,
        owner: &ClassType,
    ) -> Option<TypeId> {
        let id = self.members.callable(info, method, owner, &Substitution::new(), Room::Closed).ok()?;
        self.belongings.push_inspector(ty, id);
        self.members.callables[id.index()].result
    }

    /// Adds a method that only tells, with what tells of an element of what it gives; gives whether it does. What writes does not only tell,
    /// whatever it is called. What cannot be looked into may be asked: who asserts looks again.
    fn add_if_it_tells(
        &mut self,
        ty: TypeId,
        info: &ClassInfo,
        method: &MethodInfo,
        owner: &ClassType,
    ) -> bool {
        let is_inspector = self.is_inspector(&owner.name, info, method);
        if is_inspector
            && let Some(result) = self.add_inspector(ty, info, method, owner)
            && let Some(held) = self.members.types.class(result).cloned()
        {
            self.tell_of_element(result, &held);
        }
        is_inspector
    }

    /// What gives an element of a list or an optional of the JDK that holds objects of the class path, and what tells of that.
    fn tell_of_element(&mut self, ty: TypeId, class: &ClassType) {
        let [TypeArgument::Exact(GenericType::Class(held))] = class.arguments.as_slice() else { return };
        let supertypes = self.world.lineage.supertypes(&class.name);
        let giving = GIVING.iter().find(|(of, ..)| supertypes.iter().any(|sup| sup.as_str() == *of));
        let is_told = self.world.is_project(&held.name) && !self.world.is_project(&class.name);
        let Some((_, name, descriptor)) = giving.filter(|_| is_told) else { return };
        if let Some((info, method)) = self.world.declaration(&class.name, name, descriptor)
            && let Ok(id) = self.members.callable(&info, &method, class, &Substitution::new(), Room::Closed)
            && let Some(result) = self.members.callables[id.index()].result
        {
            self.belongings.push_element(ty, id);
            for (info, index) in self.catalogue.methods_of_objects(&held.name).to_vec() {
                let method = &info.methods[index];
                if self.is_inspector(&held.name, &info, method) {
                    self.add_inspector(result, &info, method, held);
                }
            }
        }
    }

    /// Methods of a class of the class path, inherited ones included. Those of goal classes are test calls already.
    fn modify_project_class(&mut self, ty: TypeId, class: &ClassType, depth: usize) {
        let room = self.members.room(depth, self.world.options.modifier_depth);
        let mut left = self.world.options.max_modifiers;
        let mut methods: Vec<(Arc<ClassInfo>, usize)> =
            self.catalogue.methods_of_objects(&class.name).to_vec();
        if methods.len() > left {
            // What sets what the code asks for must not be among those that there is no room for.
            methods
                .sort_by_key(|(info, index)| !self.world.uses().properties.is_set_by(&info.methods[*index]));
        }
        for (info, index) in &methods {
            let method = &info.methods[*index];
            let is_inspector = self.add_if_it_tells(ty, info, method, class);
            // A collection or array that it tells of may be its own, and be changed.
            let only_tells =
                is_inspector && method.erased.result.as_ref().is_some_and(|of| self.world.is_value(of));
            // What gives another object of a class that cannot be changed is a way to make one.
            let only_derives = self.catalogue.derives(&class.name, method);
            if !only_tells
                && !only_derives
                && !self.world.goals.contains(&info.name)
                && left > 0
                && !OF_OBJECT.contains(&&*method.name)
                && method.deprecated.is_none()
            {
                let is_asked = self.world.uses().properties.is_set_by(method);
                let room = if is_asked { self.members.room_to_set(depth) } else { room };
                left -= usize::from(self.add_modifier(ty, info, method, class, depth, room));
            }
        }
        let Some(info) = self.world.class(&class.name) else {
            return;
        };
        for field in &info.fields {
            let writable = !field.access.is_final()
                && !field.access.is_static()
                && self.world.access.member(field.access, &field.name, &info.name);
            if writable
                && left > 0
                && !self.world.goals.contains(&info.name)
                && let Ok(id) = self.members.field(&info, field, class, room)
            {
                let of = self.members.fields[id.index()].of;
                if self.world.lineage.is_erased_subtype(&self.members.types.get(of).erased, &field.erased) {
                    left -= 1;
                    self.belongings.push_modifier(ty, Call::Write(id));
                    self.want_inputs_of(Call::Write(id), depth + 1);
                }
            }
        }
        self.injected_of(&info, class, (depth + 1, room));
        for (declaring, field) in self.world.hierarchy.public_fields(&class.name) {
            if self.world.is_assertable(&field.erased)
                && self.world.access.member(field.access, &field.name, &declaring.name)
                && let Ok(id) = self.members.field(&declaring, &field, class, Room::Closed)
            {
                self.belongings.push_public_field(ty, id);
            }
        }
        // Collections and the like of the project are filled as those of the platform, and exceptions of the project say what those of the
        // platform say.
        let supertypes = self.world.lineage.supertypes(&class.name);
        let platform = supertypes.iter().filter(|sup| !self.world.is_project(sup));
        let rows: Vec<&jdk::Row> = platform.filter_map(jdk::row).collect();
        for member in rows.first().map_or(&[][..], |row| row.modifiers) {
            self.add_modifier_by_name(ty, class, member, depth, room);
        }
        let of_release = supertypes.iter().any(|sup| OF_THE_RELEASE.contains(&sup.as_str()));
        let is_asked = !of_release && !self.catalogue.is_changed_by_looking(&class.name);
        let telling = rows.iter().find(|row| is_asked && !row.inspectors.is_empty());
        for member in telling.map_or(&[][..], |row| row.inspectors) {
            self.add_inspector_by_name(ty, class, member);
        }
    }

    /// Whether a method of objects of a class only tells: no parameters, a result that a test can assert, a name that says so, and code that
    /// does not say otherwise. Where the code shows that it writes nothing and gives a value, the name does not matter; of a property that
    /// can be set, everybody asks what it is, whatever is written on the way (a cache, a counter of accesses).
    fn is_inspector(&mut self, class: &ClassName, info: &ClassInfo, method: &MethodInfo) -> bool {
        if !self.world.may_tell(method) {
            return false;
        }
        let says_so =
            tells(&method.name) || info.kind == ClassKind::Record && info.field(&method.name).is_some();
        let gives_value = method.erased.result.as_ref().is_some_and(|of| self.world.is_value(of));
        match self.catalogue.effect(class, method) {
            Effect::Pure { .. } => says_so || gives_value && !OF_OBJECT.contains(&&*method.name),
            Effect::Fills | Effect::Unknown => says_so,
            Effect::Writes => says_so && self.is_property(class, method),
        }
    }

    /// Whether objects of a class have a setter for what a method gets.
    fn is_property(&mut self, class: &ClassName, getter: &MethodInfo) -> bool {
        let Some(property) = ["get", "is"].iter().find_map(|prefix| getter.name.strip_prefix(prefix)) else {
            return false;
        };
        let sets = |method: &MethodInfo| {
            method.name.strip_prefix("set") == Some(property)
                && method.erased.parameters.iter().eq(getter.erased.result.iter())
        };
        !property.is_empty()
            && self
                .catalogue
                .methods_of_objects(class)
                .iter()
                .any(|(info, index)| sets(&info.methods[*index]))
    }
}

impl World<'_> {
    /// The nearest declaration of a method above a class.
    fn declaration(
        &self,
        class: &ClassName,
        name: &str,
        descriptor: &str,
    ) -> Option<(Arc<ClassInfo>, MethodInfo)> {
        self.lineage.supertypes(class).iter().find_map(|sup| {
            let info = self.class(sup)?;
            // A bridge stands for the method that it overrides, whose declaration comes further up.
            let method =
                info.method(name, descriptor).filter(|method| !method.access.is_synthetic()).cloned()?;
            Some((info, method))
        })
    }

    /// Whether a method has no parameters, and a result that a test can assert.
    fn may_tell(&self, method: &MethodInfo) -> bool {
        method.erased.parameters.is_empty()
            && method.generic.type_parameters.is_empty()
            && method.erased.result.as_ref().is_some_and(|result| self.is_assertable(result))
    }

    fn is_assertable(&self, result: &ErasedType) -> bool {
        match result {
            ErasedType::Primitive(_) => true,
            ErasedType::Array(element) => self.is_value(element),
            ErasedType::Class(name) => {
                let supertypes = self.lineage.supertypes(name);
                supertypes.iter().any(|sup| SIZED.contains(&sup.as_str()))
                    || SEEN_WHOLE.contains(&name.as_str())
                    || jdk_values::is_value(name)
                    || self.is_value(result)
                    || self.is_project(name) && self.access.class(name)
            }
        }
    }

    /// Whether a type is one whose values are compared whole.
    fn is_value(&self, result: &ErasedType) -> bool {
        match result {
            ErasedType::Primitive(_) => true,
            ErasedType::Array(_) => false,
            ErasedType::Class(name) => {
                name.as_str() == "java/lang/String"
                    || PrimitiveType::unboxed(name).is_some()
                    || self
                        .class(name)
                        .is_some_and(|class| class.kind == ClassKind::Enum && self.access.class(name))
            }
        }
    }
}

/// Whether the name of a method without parameters says that it only tells.
fn tells(name: &str) -> bool {
    let prefixed = |prefix: &&str| {
        let rest = name.strip_prefix(*prefix);
        rest.is_some_and(|rest| rest.chars().next().is_none_or(|next| !next.is_lowercase()))
    };
    let changing = CHANGING_PREFIXES.iter().any(|prefix| name.starts_with(prefix));
    !changing && (TELLING_NAMES.contains(&name) || TELLING_PREFIXES.iter().any(prefixed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_getters_from_mutators() {
        for name in
            ["getName", "isEmpty", "size", "hasNext", "toString", "length", "get", "asInt", "longValue"]
        {
            assert!(tells(name), "{name}");
        }
        for name in
            ["next", "read", "readInt", "poll", "pop", "removeFirst", "clear", "reset", "close", "iterator"]
        {
            assert!(!tells(name), "{name}");
        }
        for name in ["getAndIncrement", "issue", "together", "hashCode", "assemble", "getNextToken", "toggle"]
        {
            assert!(!tells(name), "{name}");
        }
    }
}
