//! What a stub may call of what it is passed: the code under test hands a lambda, or an object of its own, to a collaborator, whose
//! matter it is to call it (`transactions.execute(() -> save(order))`, `client.connect(new Listener() { … })`). Where the
//! collaborator is a stub nobody else would, and no test would come into that code.
//!
//! A parameter counts if it is of an interface, or an abstract class, of which the code under test makes lambdas or is a subtype
//! itself ([`super::uses::Uses::handed_out`]). Every abstract method of it that takes little may be called; of the platform's types
//! only that of a functional interface: nobody passes a list to have one method of it called.

use std::sync::Arc;

use bytecode::class_info::ClassInfo;
use bytecode::signature::{ClassType, Substitution, TypeArgument};
use serde::{Deserialize, Serialize};

use super::members::{Members, Room};
use super::stubs::Declaration;
use super::{CallableId, Parameter, TypeId};
use crate::statement::MOST_PASSED_BACK;

/// Most methods of what is passed as one parameter that a stub may call.
const MAX_CALLED: usize = 4;

/// Types that the code under test is of so that others may compare it, or go through it; a collaborator is not told it for that.
const NOT_FOR_CALLS: [&str; 2] = ["java/lang/Comparable", "java/lang/Iterable"];

/// A method of what is passed to a method of a stub.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Callback {
    /// What it is a method of: that parameter of the stub's method, from 0.
    pub parameter: u8,
    /// The method, with at most [`MOST_PASSED_BACK`] parameters.
    pub callable: CallableId,
    /// Whether the stub's method gives what it gives.
    pub gives: bool,
}

impl Members<'_> {
    /// What a method of a stub with these parameters and this result may call.
    pub(super) fn callbacks(
        &mut self,
        parameters: &[Parameter],
        result: Option<TypeId>,
        room: Room,
    ) -> Vec<Callback> {
        let mut found = Vec::new();
        for (parameter, index) in parameters.iter().zip(0_u8..) {
            let Some(of) = self.types.class(parameter.of).cloned() else { continue };
            let handed_out = &self.world.uses().handed_out;
            if !handed_out.contains(&of.name) || NOT_FOR_CALLS.contains(&of.name.as_str()) {
                continue;
            }
            let Some(class) = self.world.class(&of.name) else { continue };
            for callable in self.called_back(&class, &without_wildcards(&of), room) {
                let given = self.callables[callable.index()].result;
                let gives =
                    matches!((given, result), (Some(given), Some(result)) if self.is_given_as(given, result));
                found.push(Callback { parameter: index, callable, gives });
            }
        }
        found
    }

    /// The abstract methods of a type that a stub may call.
    fn called_back(&mut self, class: &Arc<ClassInfo>, of: &ClassType, room: Room) -> Vec<CallableId> {
        let world = self.world;
        let Some((of, all)) = world.all_of_normal(class, of) else { return Vec::new() };
        let mut left: Vec<&Declaration> = all.iter().filter_map(|all| world.left_to_implement(all)).collect();
        if world.is_project(&class.name) {
            left.sort_by_cached_key(|one| (one.method().name.clone(), one.method().descriptor.clone()));
        } else if left.len() != 1 {
            return Vec::new();
        }
        let takes_little = |one: &&&Declaration| {
            let method = one.method();
            method.generic.type_parameters.is_empty()
                && method.erased.parameters.len() <= MOST_PASSED_BACK
                && method.access.is_public()
        };
        let called: Vec<Declaration> =
            left.iter().filter(takes_little).take(MAX_CALLED).map(|one| (*one).clone()).collect();
        let callables = called
            .iter()
            .map(|one| self.callable(&one.declared_in, one.method(), &of, &Substitution::new(), room).ok());
        callables.flatten().collect()
    }

    /// Whether a value of one type may be given as one of another without a conversion.
    fn is_given_as(&self, given: TypeId, wanted: TypeId) -> bool {
        given == wanted || given.as_primitive().is_none() && self.is_subtype(given, wanted)
    }
}

/// A parameterization whose arguments are what its wildcards are bounded by: what a `Consumer<? super Order>` takes is an `Order`.
fn without_wildcards(of: &ClassType) -> ClassType {
    let exact = |argument: &TypeArgument| match argument {
        TypeArgument::Extends(bound) | TypeArgument::Super(bound) => TypeArgument::Exact(bound.clone()),
        TypeArgument::Exact(_) | TypeArgument::Unbounded => argument.clone(),
    };
    ClassType { arguments: of.arguments.iter().map(exact).collect(), ..of.clone() }
}
