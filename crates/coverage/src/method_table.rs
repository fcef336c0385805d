//! All methods, branches and calls of the classes with goals, flat and indexed: what goal graph, approach levels
//! and the weighting of calls look things up in.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytecode::name::ClassName;
use bytecode::probe_map::{Block, BranchKind, FieldUse, MethodProbes, OutcomeId, ProbeId, ProbeMap};

/// A method of the table, dense from 0 in the order of the maps and their methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodIndex(pub u32);

impl MethodIndex {
    /// As an index into the methods.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A method with code.
#[derive(Debug, Clone)]
pub struct Method {
    /// Class that declares it.
    pub class: ClassName,
    /// Name.
    pub name: Arc<str>,
    /// Descriptor.
    pub descriptor: Arc<str>,
    /// Hit when it is entered.
    pub entry: ProbeId,
    /// Whether it is entered only from code of its nest: private methods and constructors, and methods that the
    /// compiler made, such as the bodies of lambdas. Bridges are not among them: libraries call them.
    pub is_internal: bool,
    /// Fields it reads and writes.
    pub fields: Vec<FieldUse>,
    /// The method itself, or, of the calls by the test itself that are told apart, the method that these call.
    pub original: MethodIndex,
    /// Its basic blocks, where they have probes; empty for calls by the test itself, which are also reported as any other.
    pub blocks: Vec<Block>,
    /// Methods of the table that it may call, ascending: the one that a call names, or, where the class named has
    /// none with code, every one of that name and descriptor (inherited ones, implementations).
    pub callees: Vec<MethodIndex>,
    /// Places that call exactly this method, in the order of the table; only filled when it is internal.
    pub call_sites: Vec<CallingSite>,
}

/// A place in a method that calls another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallingSite {
    /// The method that calls.
    pub caller: MethodIndex,
    /// Outcomes on which the call directly control-depends; empty when every way through the caller leads there.
    pub controlled_by: Vec<OutcomeId>,
}

/// A branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableBranch {
    /// The method that holds it.
    pub method: MethodIndex,
    /// Hit each time it is executed, whoever called its method: its first number.
    pub probe: ProbeId,
    /// Of calls by the test itself that are told apart, hit by these alone: its second number. Else as
    /// [`TableBranch::probe`].
    pub hit: ProbeId,
    /// Whether it is known to be in a loop.
    pub in_loop: bool,
    /// Its outcomes.
    pub outcomes: Vec<OutcomeId>,
    /// The keys of each outcome of a switch over numbers; empty for what is the default, and for other branches.
    pub keys: Vec<Vec<i32>>,
    /// Outcomes on which it directly control-depends.
    pub controlled_by: Vec<OutcomeId>,
}

impl TableBranch {
    /// Whether a run that executed `probe`, hit under the number `hit`, executed this branch: of calls by the test itself that
    /// are told apart, only these.
    pub fn is_executed(&self, probe: ProbeId, hit: ProbeId) -> bool {
        let is_direct = self.hit != self.probe;
        if is_direct { self.hit == hit } else { self.probe == probe }
    }
}

/// The table: all methods, then once more those of which calls by the test itself are told apart
/// ([`MethodProbes::direct`]), with the second numbers of their probes and outcomes. These call nothing and are not found
/// by name.
#[derive(Debug, Clone, Default)]
pub struct MethodTable {
    methods: Vec<Method>,
    branches: Vec<TableBranch>,
    /// Index of a branch by outcome.
    branch_of: Vec<Option<u32>>,
    /// Index of a branch by its first number.
    branch_at: Vec<Option<u32>>,
    /// Method by the probe of its entry.
    method_of: Vec<Option<MethodIndex>>,
    /// Methods by class, name and descriptor.
    by_name: Vec<MethodIndex>,
    /// Methods that are not internal.
    by_signature: BTreeMap<(Arc<str>, Arc<str>), Vec<MethodIndex>>,
}

impl MethodTable {
    /// Builds the table of these classes.
    pub fn new(maps: &[ProbeMap]) -> Self {
        let mut table = Self::default();
        for (map, probes) in maps.iter().flat_map(|map| map.methods.iter().map(move |probes| (map, probes))) {
            table.add(&map.class, probes);
        }
        table.add_direct(maps);
        let Self { methods, by_name, .. } = &mut table;
        let own = (0..).map(MethodIndex).zip(&*methods).filter(|(id, method)| method.original == *id);
        by_name.extend(own.map(|(id, _)| id));
        by_name.sort_by_key(|&id| key(&methods[id.index()]));
        for (id, method) in (0..)
            .map(MethodIndex)
            .zip(&table.methods)
            .filter(|(id, method)| !method.is_internal && method.original == *id)
        {
            let signature = (method.name.clone(), method.descriptor.clone());
            table.by_signature.entry(signature).or_default().push(id);
        }
        let probes = maps.iter().flat_map(|map| &map.methods);
        for (caller, probes) in probes.enumerate() {
            table.add_calls(MethodIndex(caller as u32), probes);
        }
        table
    }

    /// Adds the calls by the test itself.
    fn add_direct(&mut self, maps: &[ProbeMap]) {
        let own = maps.iter().flat_map(|map| map.methods.iter().map(move |probes| (&map.class, probes)));
        for (original, (class, probes)) in (0..).map(MethodIndex).zip(own) {
            let Some(direct) = probes.direct else { continue };
            let id = MethodIndex(self.methods.len() as u32);
            let second =
                |outcomes: &[OutcomeId]| outcomes.iter().map(|&id| direct.outcome(id)).collect::<Vec<_>>();
            self.methods.push(Method {
                class: class.clone(),
                name: probes.name.clone(),
                descriptor: probes.descriptor.clone(),
                entry: direct.probe(probes.entry),
                is_internal: false,
                fields: Vec::new(),
                blocks: Vec::new(),
                original,
                callees: Vec::new(),
                call_sites: Vec::new(),
            });
            put(&mut self.method_of, direct.probe(probes.entry).index(), id);
            let first = self.branches.partition_point(|branch| branch.method < original);
            let count = probes.branches.len();
            for index in first..first + count {
                let branch = &self.branches[index];
                let copy = TableBranch {
                    method: id,
                    hit: direct.probe(branch.probe),
                    outcomes: second(&branch.outcomes),
                    controlled_by: second(&branch.controlled_by),
                    ..branch.clone()
                };
                for outcome in &copy.outcomes {
                    put(&mut self.branch_of, outcome.index(), self.branches.len() as u32);
                }
                self.branches.push(copy);
            }
        }
    }

    fn add(&mut self, class: &ClassName, probes: &MethodProbes) {
        let id = MethodIndex(self.methods.len() as u32);
        let access = probes.access;
        self.methods.push(Method {
            class: class.clone(),
            name: probes.name.clone(),
            descriptor: probes.descriptor.clone(),
            entry: probes.entry,
            is_internal: access.is_private() || (access.is_synthetic() && !access.is_bridge()),
            fields: probes.fields.clone(),
            blocks: probes.blocks.clone(),
            original: id,
            callees: Vec::new(),
            call_sites: Vec::new(),
        });
        put(&mut self.method_of, probes.entry.index(), id);
        for branch in &probes.branches {
            for outcome in &branch.outcomes {
                put(&mut self.branch_of, outcome.id.index(), self.branches.len() as u32);
            }
            put(&mut self.branch_at, branch.probe.index(), self.branches.len() as u32);
            self.branches.push(TableBranch {
                method: id,
                probe: branch.probe,
                hit: branch.probe,
                in_loop: branch.in_loop,
                outcomes: branch.outcomes.iter().map(|outcome| outcome.id).collect(),
                keys: match branch.kind {
                    BranchKind::Switch => {
                        branch.outcomes.iter().map(|outcome| outcome.keys.clone()).collect()
                    }
                    BranchKind::Integer
                    | BranchKind::Wide
                    | BranchKind::Null
                    | BranchKind::Reference
                    | BranchKind::Predicate
                    | BranchKind::InstanceOf
                    | BranchKind::StringSwitch => Vec::new(),
                },
                controlled_by: branch.controlled_by.clone(),
            });
        }
    }

    fn add_calls(&mut self, caller: MethodIndex, probes: &MethodProbes) {
        let mut callees = Vec::new();
        for call in &probes.calls {
            callees.extend_from_slice(self.candidates(&call.owner, &call.name, &call.descriptor));
            if let Some(callee) = self.find(&call.owner, &call.name, &call.descriptor) {
                let callee = &mut self.methods[callee.index()];
                if callee.is_internal {
                    let controlled_by = call.controlled_by.clone();
                    callee.call_sites.push(CallingSite { caller, controlled_by });
                }
            }
        }
        callees.sort_unstable();
        callees.dedup();
        self.methods[caller.index()].callees = callees;
    }

    /// All methods in order.
    pub fn methods(&self) -> &[Method] {
        &self.methods
    }

    /// All ids in order.
    pub fn ids(&self) -> impl Iterator<Item = MethodIndex> + use<> {
        (0..self.methods.len() as u32).map(MethodIndex)
    }

    /// A method.
    pub fn method(&self, id: MethodIndex) -> &Method {
        &self.methods[id.index()]
    }

    /// All branches, by method and code order.
    pub fn branches(&self) -> &[TableBranch] {
        &self.branches
    }

    /// The branch of an outcome; `None` of an outcome that no map has.
    pub fn branch(&self, outcome: OutcomeId) -> Option<&TableBranch> {
        let index = self.branch_of.get(outcome.index()).copied().flatten()?;
        self.branches.get(index as usize)
    }

    /// The branch of a probe, by its first number; `None` of a probe that is of no branch.
    pub fn branch_at(&self, probe: ProbeId) -> Option<&TableBranch> {
        let index = self.branch_at.get(probe.index()).copied().flatten()?;
        self.branches.get(index as usize)
    }

    /// The keys by which a switch over numbers comes to an outcome; none for the default and for other branches.
    pub fn keys(&self, outcome: OutcomeId) -> &[i32] {
        let keys = self.branch(outcome).and_then(|branch| {
            let position = branch.outcomes.iter().position(|one| *one == outcome)?;
            branch.keys.get(position)
        });
        keys.map_or(&[], Vec::as_slice)
    }

    /// The method that hits a probe when it is entered.
    pub fn entered_by(&self, probe: ProbeId) -> Option<MethodIndex> {
        self.method_of.get(probe.index()).copied().flatten()
    }

    /// The method that a class itself declares.
    pub fn find(&self, class: &ClassName, name: &str, descriptor: &str) -> Option<MethodIndex> {
        self.candidates_declared(class, name, descriptor).first().copied()
    }

    /// The methods that a call may run: the one that the class itself declares, or else every one of that name and
    /// descriptor that is not internal.
    pub fn candidates(&self, class: &ClassName, name: &Arc<str>, descriptor: &Arc<str>) -> &[MethodIndex] {
        match self.candidates_declared(class, name, descriptor) {
            [] => self.by_signature.get(&(name.clone(), descriptor.clone())).map_or(&[], Vec::as_slice),
            declared => declared,
        }
    }

    fn candidates_declared(&self, class: &ClassName, name: &str, descriptor: &str) -> &[MethodIndex] {
        let wanted = (class.as_str(), name, descriptor);
        match self.by_name.binary_search_by(|&id| key_of(self.method(id)).cmp(&wanted)) {
            Ok(found) => &self.by_name[found..=found],
            Err(_) => &[],
        }
    }
}

fn key_of(method: &Method) -> (&str, &str, &str) {
    (method.class.as_str(), &method.name, &method.descriptor)
}

fn key(method: &Method) -> (ClassName, Arc<str>, Arc<str>) {
    (method.class.clone(), method.name.clone(), method.descriptor.clone())
}

fn put<T: Clone>(table: &mut Vec<Option<T>>, index: usize, value: T) {
    if table.len() <= index {
        table.resize(index + 1, None);
    }
    table[index] = Some(value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::ProgramBuilder;

    #[test]
    fn calls_are_resolved_exactly_or_else_by_name() {
        let mut program = ProgramBuilder::new("Base");
        let guard = program.method("run").branch(&[]).0;
        program.method("run").call("helper", &[guard]).call("step", &[]);
        program.method("helper").private();
        program.class("One").method("step");
        program.class("Two").method("step");
        let table = MethodTable::new(&program.build());
        let ids = |numbers: &[u32]| numbers.iter().copied().map(MethodIndex).collect::<Vec<_>>();
        let run = table.find(&"Base".into(), "run", "()V").unwrap();
        assert_eq!(table.method(run).callees, ids(&[1, 2, 3]));
        let site = CallingSite { caller: run, controlled_by: vec![guard] };
        assert_eq!(table.method(MethodIndex(1)).call_sites, [site]);
        assert_eq!(table.find(&"Two".into(), "step", "()V"), Some(MethodIndex(3)));
        assert_eq!(table.find(&"Two".into(), "step", "(I)V"), None);
        assert!(table.method(MethodIndex(3)).call_sites.is_empty(), "step can be called from outside");
        assert_eq!(table.entered_by(table.method(run).entry), Some(run));
        assert_eq!(table.branch(guard).unwrap().method, run);
        assert!(table.branch(OutcomeId(99)).is_none());
    }
}
