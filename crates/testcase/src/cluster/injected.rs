//! Fields that a container fills by reflection, such as `@Autowired private OrderRepository orders;`: an object that nobody has given them
//! is of no use, and its class has no other way to get them.
//!
//! Setters marked alike (`@Inject public void setClock(Clock clock)`) are called by it.
//!
//! Tests fill them as well ([`crate::factory::options::FactoryOptions::inject`]). Where a test may write a field, it is written; all others
//! are hidden, and are written by reflection, as the container does.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytecode::class_info::{ClassInfo, FieldInfo, MethodInfo};
use bytecode::name::ClassName;
use bytecode::signature::{ClassType, Substitution};

use super::build::Builder;
use super::members::Room;
use super::{Call, Callable, CallableKind, Field, FieldId, TestCluster, TypeId};

/// Fields of an object that a container fills.
#[derive(Debug, Default)]
pub(super) struct Injected {
    /// All.
    all: BTreeSet<(ClassName, Arc<str>)>,
    /// Those that a test may not write itself.
    hidden: BTreeSet<(ClassName, Arc<str>)>,
    /// Methods that it calls with what it has, by the class that declares each, name and descriptor.
    setters: BTreeSet<(ClassName, Arc<str>, Arc<str>)>,
    /// Types of what a container hands to objects of the goals: to such fields, or to a constructor or method that it calls.
    handed_in: BTreeSet<TypeId>,
}

impl Injected {
    fn is_setter(&self, callable: &Callable) -> bool {
        let declared_in = callable.declared_in.clone();
        self.setters.contains(&(declared_in, callable.name.clone(), callable.descriptor.clone()))
    }

    /// Whether a container hands objects of a type to those of the goals.
    pub(super) fn is_handed_in(&self, ty: TypeId) -> bool {
        self.handed_in.contains(&ty)
    }

    /// Notes in a cluster which of its fields these are.
    pub(super) fn note_in(&self, cluster: &mut TestCluster) {
        let is_in = |names: &BTreeSet<(ClassName, Arc<str>)>, field: &Field| {
            names.contains(&(field.declared_in.clone(), field.name.clone()))
        };
        cluster.injected = cluster.fields_that(|field| is_in(&self.all, field));
        cluster.hidden = cluster.fields_that(|field| is_in(&self.hidden, field));
        cluster.injecting = cluster.callables_that(|callable| self.is_setter(callable));
    }
}

impl TestCluster {
    /// Whether a field can only be written by reflection.
    pub fn is_hidden(&self, field: FieldId) -> bool {
        self.hidden.binary_search(&field).is_ok()
    }

    /// How many fields of objects of the goals a container fills, and how many methods of theirs it calls for that.
    pub fn injected_into_goals(&self) -> usize {
        let is_of_goal = |owner: &TypeId| {
            let owner = self.ty(*owner).generic.as_class();
            owner.is_some_and(|owner| self.goal_classes.contains(&owner.name))
        };
        let fields = self.injected.iter().map(|field| self.field(*field).owner);
        let methods = self.injecting.iter().map(|method| self.callable(*method).owner);
        fields.chain(methods).filter(is_of_goal).count()
    }

    /// All calls that write hidden fields, ascending.
    pub fn hidden_writes(&self) -> Vec<Call> {
        self.hidden.iter().map(|field| Call::Write(*field)).collect()
    }
}

impl Builder<'_> {
    /// Finds the types of what a container hands to objects of the goals.
    pub(super) fn find_handed_in(&mut self) {
        let is_filled =
            |field: &&Field| self.injected.all.contains(&(field.declared_in.clone(), field.name.clone()));
        let fields = self.members.fields.iter().filter(is_filled).map(|field| field.of);
        let is_handed = |callable: &&Callable| {
            self.injected.is_setter(callable)
                || callable.kind == CallableKind::Constructor
                    && self.world.goals.contains(&callable.declared_in)
                    && self.world.class(&callable.declared_in).is_some_and(|class| {
                        let method = class.method(&callable.name, &callable.descriptor);
                        method.is_some_and(|constructor| constructor.is_injected)
                    })
        };
        let calls = self.members.callables.iter().filter(is_handed);
        let parameters = calls.flat_map(|it| &it.parameters).map(|parameter| parameter.of);
        self.injected.handed_in = fields.chain(parameters).collect();
    }

    /// Adds what is injected into objects of a class and its superclasses to what changes these objects.
    pub(super) fn injected_of(
        &mut self,
        class: &Arc<ClassInfo>,
        owner: &ClassType,
        (depth, room): (usize, Room),
    ) {
        let supers = self.world.hierarchy.superclasses(&class.name);
        let supers = supers.iter().filter(|name| self.world.is_project(name));
        let declaring: Vec<Arc<ClassInfo>> = std::iter::once(Arc::clone(class))
            .chain(supers.filter_map(|name| self.world.class(name)))
            .collect();
        for declaring in declaring.iter().filter(|declaring| self.world.access.class(&declaring.name)) {
            for field in declaring.fields.iter().filter(|field| is_filled(field)) {
                let Ok(id) = self.members.field(declaring, field, owner, room) else { continue };
                let of = self.members.fields[id.index()].owner;
                self.belongings.push_modifier(of, Call::Write(id));
                self.want_inputs_of(Call::Write(id), depth);
                let name = (declaring.name.clone(), field.name.clone());
                if !self.world.access.member(field.access, &field.name, &declaring.name) {
                    self.injected.hidden.insert(name.clone());
                }
                self.injected.all.insert(name);
            }
            for method in declaring.methods.iter().filter(|method| is_called_with_what_it_needs(method)) {
                if !self.world.access.member(method.access, &method.name, &declaring.name) {
                    continue;
                }
                let found = self.members.callable(declaring, method, owner, &Substitution::new(), room);
                let Ok(id) = found else { continue };
                let of = self.members.callables[id.index()].owner;
                self.belongings.push_modifier(of, Call::Callable(id));
                self.want_inputs_of(Call::Callable(id), depth);
                let setter = (declaring.name.clone(), method.name.clone(), method.descriptor.clone());
                self.injected.setters.insert(setter);
            }
        }
    }
}

fn is_filled(field: &FieldInfo) -> bool {
    field.is_injected && !field.access.is_static() && !field.access.is_final() && !field.access.is_synthetic()
}

/// Whether a container calls a method of an object with what it has for its parameters: `@Inject public void setClock(Clock clock)`.
fn is_called_with_what_it_needs(method: &MethodInfo) -> bool {
    method.is_injected
        && !method.is_constructor()
        && !method.access.is_static()
        && !method.access.is_synthetic()
        && method.erased.result.is_none()
        && !method.erased.parameters.is_empty()
        && method.generic.type_parameters.is_empty()
}
