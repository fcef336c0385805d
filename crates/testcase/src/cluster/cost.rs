//! What it takes to make a value of a type: the number of statements of the shortest way.
//!
//! The shortest ways are well-founded, so whoever follows them comes to an end; types without one cannot be made.

use bytecode::lookup::Lookup;
use bytecode::signature::GenericType;

use super::generators::class_literal;
use super::{Callable, CallableKind, Field, Generator, Stub, TestCluster, Type, TypeId};

/// The cost of a type that cannot be made.
pub const UNMAKEABLE: u32 = u32::MAX;

/// What an anonymous class costs more than it has inputs: an implementation that is there says more, even when it
/// takes a few statements longer.
const CLASS_SURCHARGE: u32 = 4;

/// The parts of a cluster that costs follow from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parts<'a> {
    pub(super) types: &'a [Type],
    pub(super) callables: &'a [Callable],
    pub(super) fields: &'a [Field],
    /// None of them counts when this is empty.
    pub(super) stubs: &'a [Stub],
    pub(super) generators: &'a [Vec<Generator>],
}

/// For each type, the classes whose literals are of that type: `String.class` for `Class<String>`, `int.class` and
/// `Integer.class` for `Class<Integer>`.
pub fn class_literals(types: &[Type]) -> Vec<Vec<TypeId>> {
    let ids: Lookup<&GenericType, usize> =
        types.iter().enumerate().map(|(index, ty)| (&ty.generic, index)).collect();
    let mut literals = vec![Vec::new(); types.len()];
    for (index, ty) in types.iter().enumerate().filter(|(_, ty)| ty.accessible) {
        // `List<String>.class` does not exist, `List.class` does.
        if GenericType::from(&ty.erased) == ty.generic
            && let Some(&literal) = ids.get(&class_literal(&ty.generic))
        {
            literals[literal].push(TypeId::from(index));
        }
    }
    literals
}

/// Whether a literal that names `class` is of type `literal`.
pub fn is_class_literal(literal: &Type, class: &Type) -> bool {
    GenericType::from(&class.erased) == class.generic && class_literal(&class.generic) == literal.generic
}

/// The cost of each type. Where a parameter cannot be made, `null` is passed.
pub fn creation_costs(cluster: &TestCluster) -> Vec<u32> {
    costs(Parts {
        types: &cluster.types,
        callables: &cluster.callables,
        fields: &cluster.fields,
        stubs: &cluster.stubs,
        generators: &cluster.generators,
    })
}

/// The cost of a value by one generator, given the costs of all types.
pub fn cost_in(cluster: &TestCluster, costs: &[u32], generator: Generator) -> u32 {
    let parts = Parts {
        types: &cluster.types,
        callables: &cluster.callables,
        fields: &cluster.fields,
        stubs: &cluster.stubs,
        generators: &cluster.generators,
    };
    cost_of(parts, costs, generator, true)
}

/// As [`creation_costs`].
pub(super) fn costs(parts: Parts<'_>) -> Vec<u32> {
    let mut costs = costs_without_null(parts);
    // What can be made without `null` keeps its way.
    let open: Vec<bool> = costs.iter().map(|&cost| cost == UNMAKEABLE).collect();
    settle(parts, &mut costs, &open, true);
    costs
}

/// The same where everything that a call takes is made.
pub(super) fn costs_without_null(parts: Parts<'_>) -> Vec<u32> {
    let literals = class_literals(parts.types);
    let direct = |(index, ty): (usize, &Type)| {
        let simple = index < TypeId::WELL_KNOWN && TypeId::from(index) != TypeId::OBJECT;
        let by_itself =
            simple || ty.element.is_some() || !ty.enum_constants.is_empty() || !literals[index].is_empty();
        if by_itself { 1 } else { UNMAKEABLE }
    };
    let mut costs: Vec<u32> = parts.types.iter().enumerate().map(direct).collect();
    let open = vec![true; costs.len()];
    settle(parts, &mut costs, &open, false);
    costs
}

/// Lowers the costs of open types until none falls any more. With `with_null`, a parameter that cannot be made
/// costs 1.
fn settle(parts: Parts<'_>, costs: &mut [u32], open: &[bool], with_null: bool) {
    loop {
        let mut changed = false;
        for (index, generators) in parts.generators.iter().enumerate().filter(|(index, _)| open[*index]) {
            for &generator in generators {
                let cost = cost_of(parts, costs, generator, with_null);
                if cost < costs[index] {
                    costs[index] = cost;
                    changed = true;
                }
            }
        }
        if !changed {
            return;
        }
    }
}

/// The cost of one generator.
pub(super) fn cost_of(parts: Parts<'_>, costs: &[u32], generator: Generator, with_null: bool) -> u32 {
    match generator {
        Generator::Of(of) => costs[of.index()],
        Generator::Field(id) => {
            let field = &parts.fields[id.index()];
            if field.access.is_static() { 1 } else { costs[field.owner.index()].saturating_add(1) }
        }
        Generator::Callable(id) => {
            let callable = &parts.callables[id.index()];
            let receiver = match callable.kind {
                CallableKind::InstanceMethod => costs[callable.owner.index()],
                CallableKind::Constructor | CallableKind::StaticMethod => 0,
            };
            parameters_cost(costs, callable, with_null).saturating_add(receiver).saturating_add(1)
        }
        Generator::Stub(id) => {
            let Some(stub) = parts.stubs.get(id.index()) else {
                return UNMAKEABLE;
            };
            let surcharge = if stub.is_functional { 0 } else { CLASS_SURCHARGE };
            let arguments = stub
                .constructor()
                .map_or(0, |id| parameters_cost(costs, &parts.callables[id.index()], with_null));
            // A method answers with a value, or with null where no value can be made.
            let answers = stub.methods.iter().filter_map(|method| method.result).map(|result| {
                let cost = costs[result.index()];
                if cost == UNMAKEABLE && with_null { 1 } else { cost }
            });
            answers.fold(arguments.saturating_add(1 + surcharge), u32::saturating_add)
        }
    }
}

/// The cost of the arguments of a call.
fn parameters_cost(costs: &[u32], callable: &Callable, with_null: bool) -> u32 {
    let parameters = callable.parameters.iter().enumerate().map(|(position, parameter)| {
        let cost = costs[parameter.of.index()];
        let enclosing = callable.takes_enclosing_instance && position == 0;
        // Source code need not name a type to pass null for it.
        if cost == UNMAKEABLE && with_null && !enclosing { 1 } else { cost }
    });
    parameters.fold(0, u32::saturating_add)
}
