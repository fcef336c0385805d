//! What the code under test looks for under keys is put there ([`crate::cluster::keyed`]), and what it casts the result of a call to or a
//! parameter is what a stub answers and a call is passed ([`crate::cluster::StubMethod::narrowed`]).

use super::plan::Plan;
use super::satisfy::{Draft, Role};
use crate::cluster::keyed::Entry;
use crate::cluster::{Callable, CallableId, CallableKind, StubMethod, TestCluster, TypeId};
use crate::statement::{Answer, VarRef};

/// Where a call takes a key that the code names, and what it looks for under it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// Position of the key among the parameters.
    pub(super) key: usize,
    /// Position of what lies under it, behind the key.
    pub(super) value: usize,
    /// Position among the entries of the cluster.
    entry: usize,
}

/// By callable: its places.
pub(super) fn places(cluster: &TestCluster, fits: impl Fn(TypeId, TypeId) -> bool) -> Vec<Vec<Place>> {
    if cluster.entries.is_empty() {
        return Vec::new();
    }
    let place = |callable: &Callable, (entry, Entry { key, of }): (usize, &Entry)| {
        if *of == TypeId::STRING && !puts(cluster, callable) {
            return None;
        }
        let parameters = &callable.parameters;
        let key_type = cluster.type_of(&cluster.key(key))?;
        let key = parameters.iter().position(|parameter| fits(parameter.of, key_type))?;
        let behind = parameters.iter().skip(key + 1);
        let value = key + 1 + behind.clone().position(|parameter| fits(parameter.of, *of))?;
        Some(Place { key, value, entry })
    };
    let of_callable =
        |it: &Callable| cluster.entries.iter().enumerate().filter_map(|entry| place(it, entry)).collect();
    cluster.callables.iter().map(of_callable).collect()
}

/// Whether a call puts something under a key, by its name and what it takes: two texts that a method takes mean anything.
fn puts(cluster: &TestCluster, callable: &Callable) -> bool {
    callable.kind == CallableKind::InstanceMethod
        && callable.parameters.len() == 2
        && !cluster.goal_classes.contains(&callable.declared_in)
        && ["put", "set", "add"].iter().any(|verb| callable.name.starts_with(verb))
}

impl Draft<'_> {
    /// A key and what lies under it, for a call that takes both: those asked for, or any as often as the options say.
    pub(super) fn place(&mut self, callable: CallableId, but: Option<usize>) -> Option<Place> {
        if let Some(place) = self.place.take() {
            return Some(place);
        }
        let places = self.plan.places(callable);
        let chance = self.options.entries;
        if places.is_empty() || chance <= 0.0 || !self.random.chance(chance) {
            return None;
        }
        let place = self.random.choose(places).copied()?;
        (but != Some(place.key) && but != Some(place.value)).then_some(place)
    }

    /// The argument of a call at a position, if it is one of a place.
    pub(super) fn placed(&mut self, place: Option<Place>, index: usize, depth: usize) -> Option<VarRef> {
        let place = place.filter(|place| [place.key, place.value].contains(&index))?;
        let Entry { key, of } = &self.cluster.entries[place.entry];
        if index == place.key {
            let key = self.cluster.key(key);
            self.push(key)
        } else {
            self.variable(*of, Role::Argument, depth + 1)
        }
    }

    /// What the code looks for under a key that a method of a stub is asked with, as often as the options say.
    pub(super) fn entry_answer(&mut self, method: &StubMethod, depth: usize) -> Option<Answer> {
        let result = method.result?;
        let chance = self.options.entries;
        if self.cluster.entries.is_empty() || chance <= 0.0 || !self.random.chance(chance) {
            return None;
        }
        let plan: &Plan = self.plan;
        let takes = |of: TypeId| method.parameters.iter().any(|parameter| plan.fits(parameter.of, of));
        let is_asked = |Entry { key, of }: &&Entry| {
            *of != result
                && plan.fits(result, *of)
                && self.cluster.type_of(&self.cluster.key(key)).is_some_and(takes)
        };
        let asked: Vec<TypeId> = self.cluster.entries.iter().filter(is_asked).map(|entry| entry.of).collect();
        let of = *self.random.choose(&asked)?;
        self.variable(of, Role::Argument, depth + 1).map(Answer::Value)
    }

    /// What the code casts the result of a method of a stub to, or an argument, as often as the options say.
    pub(super) fn narrowed(&mut self, to: &[TypeId], depth: usize) -> Option<VarRef> {
        let chance = self.options.entries;
        if to.is_empty() || chance <= 0.0 || !self.random.chance(chance) {
            return None;
        }
        let of = *self.random.choose(to)?;
        self.variable(of, Role::Argument, depth + 1)
    }
}
