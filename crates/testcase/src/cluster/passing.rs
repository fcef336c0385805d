//! Calls that objects of the goal classes are passed to.
//!
//! What an object does may depend on where it was put: a node has a parent once it was appended to one, a listener an
//! event source. No method of its own class brings it there.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use bytecode::class_info::{ClassInfo, MethodInfo};
use bytecode::descriptor::ErasedType;
use bytecode::lookup::Lookup;
use bytecode::name::ClassName;
use bytecode::signature::ClassType;

use super::build::Builder;
use super::denied;
use super::members::Room;
use super::modifiers::OF_OBJECT;
use super::{Call, CallableKind, TypeId};

/// Such calls per type. They stand among the calls on the object itself and must not outnumber them.
const MAX_CALLS: usize = 12;

/// Classes outside the goals that are looked through.
const MAX_CLASSES: usize = 200;

/// A method that takes an object.
#[derive(Debug)]
struct Taking {
    /// How far above the object's class the type is that it asks for.
    distance: usize,
    declared_in: Arc<ClassInfo>,
    /// Position among the methods of that class.
    index: usize,
}

/// By class, the first parameterization of it of which there are variables.
#[derive(Debug, Default)]
struct Owners {
    found: Lookup<ClassName, ClassType>,
    /// How many types were used when they were looked up.
    of: usize,
}

impl Builder<'_> {
    /// Adds to the calls that change an object of a goal class the methods of other classes of the project that it may
    /// be passed to: those of classes that the cluster knows, then those of its package; first the ones that ask for
    /// its very class.
    pub(super) fn find_calls_to_pass_to(&mut self) {
        let goals: Vec<TypeId> = self
            .needs
            .used
            .iter()
            .copied()
            .filter(|of| {
                self.members.types.class(*of).is_some_and(|class| self.world.goals.contains(&class.name))
            })
            .filter(|of| self.members.types.get(*of).accessible)
            .collect();
        // The same for all parameterizations of a class.
        let mut taking: BTreeMap<ClassName, Rc<[Taking]>> = BTreeMap::new();
        let mut owners = Owners::default();
        for of in goals {
            let Some(name) = self.members.types.class(of).map(|class| class.name.clone()) else { continue };
            let found = taking.entry(name).or_insert_with_key(|name| self.methods_that_take(name)).clone();
            let mut left = MAX_CALLS;
            for Taking { declared_in, index, .. } in found.iter() {
                if left == 0 {
                    break;
                }
                self.look_up_owners(&mut owners);
                let known = owners.found.get(&declared_in.name);
                if self.pass_to(of, declared_in, &declared_in.methods[*index], known) {
                    left -= 1;
                }
            }
        }
    }

    /// Looks them up again where types were added.
    fn look_up_owners(&self, owners: &mut Owners) {
        if owners.of == self.needs.used.len() {
            return;
        }
        owners.of = self.needs.used.len();
        owners.found.clear();
        for class in self.needs.used.iter().filter_map(|used| self.members.types.class(*used)) {
            if !owners.found.contains_key(&class.name) {
                owners.found.insert(class.name.clone(), class.clone());
            }
        }
    }

    /// Methods that take an object of a class as what it is or extends, those that ask for its very class first.
    fn methods_that_take(&self, name: &ClassName) -> Rc<[Taking]> {
        let supertypes = self.world.lineage.supertypes(name);
        let wanted: Vec<&ClassName> = supertypes.iter().filter(|sup| self.world.is_project(sup)).collect();
        let mut owners: Vec<ClassName> = Vec::new();
        let known = self
            .needs
            .used
            .iter()
            .filter_map(|used| self.members.types.class(*used))
            .map(|class| class.name.clone());
        let of_package = self.world.classes_of_package(name.package());
        for owner in known.chain(of_package.iter().map(|class| class.name.clone())) {
            let is_other = !self.world.goals.contains(&owner) && !supertypes.contains(&owner);
            if is_other
                && self.world.is_project(&owner)
                && owners.len() < MAX_CLASSES
                && !owners.contains(&owner)
            {
                owners.push(owner);
            }
        }
        let mut found = Vec::new();
        for info in owners.iter().filter_map(|owner| self.world.class(owner)) {
            for (index, method) in info.methods.iter().enumerate() {
                let taken = method.erased.parameters.iter().filter_map(|of| match of {
                    ErasedType::Class(of) => wanted.iter().position(|wanted| *wanted == of),
                    ErasedType::Primitive(_) | ErasedType::Array(_) => None,
                });
                let usable = !method.is_constructor()
                    && method.deprecated.is_none()
                    && !OF_OBJECT.contains(&&*method.name)
                    && self.world.access.class(&info.name)
                    && self.world.is_callable(&info, method)
                    && !denied::is_denied(&info, method, &self.world.lineage);
                if let Some(distance) = taken.min().filter(|_| usable) {
                    found.push(Taking { distance, declared_in: info.clone(), index });
                }
            }
        }
        found.sort_by_key(|taking| taking.distance);
        found.into()
    }

    /// `known` is the first parameterization of the method's class of which there are variables.
    fn pass_to(
        &mut self,
        of: TypeId,
        info: &ClassInfo,
        method: &MethodInfo,
        known: Option<&ClassType>,
    ) -> bool {
        let plain = || info.signature.parameters.is_empty().then(|| ClassType::new(info.name.clone()));
        let Some(owner) = known.cloned().or_else(plain) else { return false };
        let Some(arguments) = self.world.instantiations_of_method(info, method, &owner).into_iter().next()
        else {
            return false;
        };
        let Ok(id) = self.members.callable(info, method, &owner, &arguments, Room::Open) else {
            return false;
        };
        let callable = &self.members.callables[id.index()];
        let takes_it = callable.parameters.iter().any(|parameter| {
            let (sub, sup) =
                (&self.members.types.get(of).generic, &self.members.types.get(parameter.of).generic);
            self.world.lineage.is_subtype(sub, sup)
        });
        if takes_it && callable.kind != CallableKind::Constructor {
            self.belongings.push_modifier(of, Call::Callable(id));
            self.want_inputs_of(Call::Callable(id), self.world.options.modifier_depth);
        }
        takes_it
    }
}
