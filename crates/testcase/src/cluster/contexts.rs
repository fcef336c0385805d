//! Contexts that a class keeps for the thread or for all: `UserHolder.getUser()`, which gives what somebody has set by
//! `UserHolder.setUser(user)`. Code that asks for one finds nothing in a test, and ends there.
//!
//! Where code under test, or what it calls, calls a static method without parameters of another class of the class path, and that class
//! has a static method that takes what it gives, tests may set it ([`TestCluster::settings`]). A test file sets it back behind each test to what
//! was there before, as it does with the settings of the JVM ([`super::settings`]).
//!
//! What a class under test keeps itself is set by test calls: `JobQueue.setScheduler(scheduler)`. It is set back as well, or one test would run
//! otherwise behind another: to what a getter gave, or to null where nothing was there and nothing gives it
//! ([`bytecode::static_state`]).

use std::collections::BTreeSet;
use std::sync::Arc;

use bytecode::class_info::{ClassInfo, MethodInfo};
use bytecode::name::ClassName;
use bytecode::signature::{ClassType, Substitution};
use bytecode::static_state::{KeptReference, kept_references};
use serde::{Deserialize, Serialize};

use super::build::Builder;
use super::members::Room;
use super::uses::Member;
use super::{Call, CallableId, TestCluster};
use crate::statement::Statement;
use crate::test_case::TestCase;

/// Most contexts of one class under test.
const MOST: usize = 6;

/// How names begin of methods that set something, best first. What pushes onto a stack or registers one more is not set back by the value
/// that was there.
const SETTING: [&str; 4] = ["set", "save", "put", "bind"];

/// A context: static methods of one class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Context {
    /// Takes what is set, and nothing else.
    pub set: CallableId,
    /// Takes nothing and gives what is set; `None` where nothing does, and null is what was there.
    pub get: Option<CallableId>,
}

impl TestCluster {
    /// The contexts that a test sets.
    pub fn contexts_of(&self, test: &TestCase) -> BTreeSet<Context> {
        let called = test.statements().iter().filter_map(Statement::callable);
        called.filter_map(|id| self.contexts.iter().find(|context| context.set == id)).copied().collect()
    }
}

impl Builder<'_> {
    /// Contexts that the code under test, or what it calls, asks for; what it takes to set them is queued.
    pub(super) fn find_contexts(&mut self) {
        self.find_own_contexts();
        let called: Vec<Member> = self.world.uses().suppliers.clone();
        for (owner, name, descriptor) in called {
            let others = self.contexts.iter().filter(|context| !self.is_own(context));
            if others.count() == MOST {
                return;
            }
            if let Some(context) = self.context(&ClassName::new(owner), &name, &descriptor)
                && !self.contexts.iter().any(|known| known.set == context.set)
            {
                self.want_inputs_of(Call::Callable(context.set), 1);
                self.contexts.push(context);
            }
        }
    }

    fn context(&mut self, owner: &ClassName, name: &str, descriptor: &str) -> Option<Context> {
        let world = self.world;
        let is_other = world.is_project(owner) && !world.goals.contains(owner) && world.access.class(owner);
        let class = world.class(owner).filter(|_| is_other)?;
        let get = class.method(name, descriptor).filter(|method| self.is_usable(&class, method))?;
        let kept = get.generic.result.as_ref().filter(|kept| world.access.generic(kept))?;
        let is_setter = |method: &&MethodInfo| {
            matches!(&*method.generic.parameters, [taken] if taken == kept)
                && rank(&method.name).is_some()
                && self.is_usable(&class, method)
        };
        let set = class.methods.iter().filter(is_setter).min_by_key(|method| rank(&method.name))?;
        let [set, get] = [set, get].map(|method| {
            let owner = ClassType::new(class.name.clone());
            self.members.callable(&class, method, &owner, &Substitution::new(), Room::Free).ok()
        });
        Some(Context { set: set?, get: Some(get?) })
    }

    /// What classes under test keep in static fields that test calls set.
    fn find_own_contexts(&mut self) {
        for goal in &self.world.goals {
            let Some(class) = self.world.class(goal).filter(|_| self.world.access.class(goal)) else {
                continue;
            };
            let kept = self.members.files.look_at_class(goal, kept_references);
            for KeptReference { setter, descriptor, getter, begins_as_null } in kept.unwrap_or_default() {
                let set = class.method(&setter, &descriptor).filter(|method| self.is_usable(&class, method));
                let Some(set) = set else { continue };
                // The field of the test file that holds it is of the type that the setter takes.
                let get = class.methods.iter().find(|method| {
                    Some(&*method.name) == getter.as_deref()
                        && method.generic.parameters.is_empty()
                        && method.generic.result.as_ref() == set.generic.parameters.first()
                        && method.generic.result.as_ref().is_some_and(|of| self.world.access.generic(of))
                        && self.is_usable(&class, method)
                });
                // `set(null)` says which method is meant if it is the only one of its name.
                let is_only = class.methods.iter().filter(|method| *method.name == *setter).count() == 1;
                if get.is_none() && !(begins_as_null && is_only) {
                    continue;
                }
                let owner = ClassType::new(class.name.clone());
                let mut callable = |method: &MethodInfo| {
                    self.members.callable(&class, method, &owner, &Substitution::new(), Room::Free).ok()
                };
                if let Some(set) = callable(set) {
                    self.contexts.push(Context { set, get: get.and_then(&mut callable) });
                }
            }
        }
    }

    /// Whether a class under test keeps it.
    pub(super) fn is_own(&self, context: &Context) -> bool {
        self.world.goals.contains(&self.members.callables[context.set.index()].declared_in)
    }

    /// Whether a test may call a static method as it is: without type arguments, and with no exception to declare.
    fn is_usable(&self, class: &Arc<ClassInfo>, method: &MethodInfo) -> bool {
        method.access.is_static()
            && method.generic.type_parameters.is_empty()
            && method.exceptions.is_empty()
            && self.world.access.member(method.access, &method.name, &class.name)
    }
}

/// How well a name says that a method sets something, 0 best; `None` where it does not.
fn rank(name: &str) -> Option<usize> {
    SETTING.iter().position(|verb| {
        let rest = name.strip_prefix(verb);
        rest.is_some_and(|rest| !rest.starts_with(char::is_lowercase))
    })
}
