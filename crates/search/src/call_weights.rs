//! Which calls of the class under test still lead to open goals: the others are drawn less often.
//!
//! A call leads to the goals of its method, and to those of methods that a test cannot call itself and that it
//! reaches through calls: private helpers, bodies of lambdas, methods of local classes that it creates. Calls that
//! write a field which is read on the way to an open goal prepare such calls, and stand in between.

use std::collections::BTreeMap;

use bytecode::name::ClassName;
use bytecode::probe_map::FieldUse;
use coverage::method_table::{Method, MethodIndex, MethodTable};
use fixedbitset::FixedBitSet;
use testcase::cluster::{Call, TestCluster};

use crate::options::SearchOptions;

/// What the groups of [`TestCluster::test_calls`] reach and write. Computed once per class.
#[derive(Debug, Clone)]
pub struct CallWeights {
    groups: Vec<Group>,
    /// Fields that are read in a method or in what it calls, by method.
    reads: Vec<FixedBitSet>,
}

#[derive(Debug, Clone)]
struct Group {
    reached: FixedBitSet,
    writes: FixedBitSet,
}

impl CallWeights {
    /// Follows the calls of a cluster.
    pub fn new(cluster: &TestCluster, methods: &MethodTable) -> Self {
        let fields = Fields::new(cluster, methods);
        let calls = Calls::new(methods);
        let is_callable = callable_methods(cluster, methods);
        let groups = cluster
            .test_calls
            .iter()
            .map(|group| group_of(group, cluster, &calls, &fields, &is_callable))
            .collect();
        let reads = methods
            .ids()
            .map(|id| {
                let mut reached = FixedBitSet::with_capacity(methods.methods().len());
                calls.reach(vec![id], &mut reached, |_| true);
                Fields::used_in(&fields.read, &reached)
            })
            .collect();
        Self { groups, reads }
    }

    /// The groups that write a field which is read in a method or in what it calls.
    pub fn writers(&self, method: MethodIndex) -> Vec<usize> {
        let Some(reads) = self.reads.get(method.index()) else { return Vec::new() };
        let groups = self.groups.iter().enumerate();
        groups.filter(|(_, group)| !group.writes.is_disjoint(reads)).map(|(index, _)| index).collect()
    }

    /// The weight of each group, given the methods that hold open goals and the groups that are given up, which count as
    /// those that lead to none.
    pub fn weigh(&self, open: &FixedBitSet, given_up: &FixedBitSet, options: &SearchOptions) -> Vec<f64> {
        let mut wanted = FixedBitSet::new();
        for reads in open.ones().filter_map(|method| self.reads.get(method)) {
            wanted.union_with(reads);
        }
        let leads_there =
            |(index, group): (usize, &Group)| !given_up.contains(index) && !group.reached.is_disjoint(open);
        let weigh = |(index, group): (usize, &Group)| {
            if leads_there((index, group)) {
                1.0
            } else if given_up.contains(index) {
                options.covered_call_weight
            } else if !group.writes.is_disjoint(&wanted) {
                options.writer_call_weight
            } else {
                options.covered_call_weight
            }
        };
        let mut weights: Vec<f64> = self.groups.iter().enumerate().map(weigh).collect();
        let leading = self.groups.iter().enumerate().filter(|group| leads_there(*group)).count() as f64;
        let others = weights.iter().sum::<f64>() - leading;
        let share = options.open_call_share;
        if leading > 0.0 && leading < share * (leading + others) {
            let weight = share / (1.0 - share) * others / leading;
            let groups = self.groups.iter().enumerate();
            let to_raise = weights.iter_mut().zip(groups).filter(|(_, group)| leads_there(*group));
            to_raise.for_each(|(raised, _)| *raised = weight);
        }
        weights
    }
}

/// Methods that a test can call itself.
fn callable_methods(cluster: &TestCluster, methods: &MethodTable) -> FixedBitSet {
    let mut callable = FixedBitSet::with_capacity(methods.methods().len());
    for call in cluster.test_calls.iter().flatten() {
        for method in called(*call, cluster, methods) {
            callable.insert(method.index());
        }
    }
    callable
}

/// The methods with code that a call may run directly.
fn called<'a>(call: Call, cluster: &TestCluster, methods: &'a MethodTable) -> &'a [MethodIndex] {
    match call {
        Call::Callable(id) => {
            let callable = cluster.callable(id);
            methods.candidates(&callable.declared_in, &callable.name, &callable.descriptor)
        }
        Call::Implement(id) => match cluster.stub(id).constructor() {
            Some(constructor) => called(Call::Callable(constructor), cluster, methods),
            None => &[],
        },
        Call::Read(_) | Call::Write(_) => &[],
    }
}

fn group_of(
    group: &[Call],
    cluster: &TestCluster,
    calls: &Calls<'_>,
    fields: &Fields,
    is_callable: &FixedBitSet,
) -> Group {
    let methods = calls.methods;
    let mut reached = FixedBitSet::with_capacity(methods.methods().len());
    let direct = group.iter().flat_map(|&call| called(call, cluster, methods)).copied().collect();
    calls.reach(direct, &mut reached, |method| !is_callable.contains(method.index()));
    let mut writes = Fields::used_in(&fields.written, &reached);
    for call in group {
        if let Call::Write(id) = call {
            let field = cluster.field(*id);
            if let Some(&number) = fields.numbers.get(&(field.declared_in.clone(), field.name.to_string())) {
                writes.grow_and_insert(number);
            }
        }
    }
    Group { reached, writes }
}

/// What methods call.
struct Calls<'m> {
    methods: &'m MethodTable,
    /// Methods of a class that are not internal.
    members: BTreeMap<&'m ClassName, Vec<MethodIndex>>,
}

impl<'m> Calls<'m> {
    fn new(methods: &'m MethodTable) -> Self {
        let mut members: BTreeMap<&ClassName, Vec<MethodIndex>> = BTreeMap::new();
        for id in methods.ids().filter(|&id| !methods.method(id).is_internal) {
            members.entry(&methods.method(id).class).or_default().push(id);
        }
        Self { methods, members }
    }

    /// Adds methods and what they call as far as `follow` allows. Creating an object reaches all methods of its class
    /// that are not called by name: what is done with the object is not known.
    fn reach(
        &self,
        mut pending: Vec<MethodIndex>,
        reached: &mut FixedBitSet,
        follow: impl Fn(MethodIndex) -> bool,
    ) {
        while let Some(id) = pending.pop() {
            if reached.put(id.index()) {
                continue;
            }
            let method = self.methods.method(id);
            pending.extend(method.callees.iter().copied().filter(|&callee| follow(callee)));
            let created = method.callees.iter().map(|&callee| self.methods.method(callee));
            for created in created.filter(|callee| &*callee.name == "<init>" && callee.class != method.class)
            {
                let members = self.members.get(&created.class).into_iter().flatten().copied();
                pending.extend(members.filter(|&id| follow(id)));
            }
        }
    }
}

/// The fields that occur in the methods, numbered.
#[derive(Debug)]
struct Fields {
    numbers: BTreeMap<(ClassName, String), usize>,
    /// Those that each method reads.
    read: Vec<FixedBitSet>,
    /// Those that each method writes.
    written: Vec<FixedBitSet>,
}

impl Fields {
    fn new(cluster: &TestCluster, methods: &MethodTable) -> Self {
        let key = |field: &FieldUse| (field.owner.clone(), field.name.to_string());
        let mut numbers = BTreeMap::new();
        let used = methods.methods().iter().flat_map(|method| &method.fields).map(key);
        let written = cluster.fields.iter().map(|field| (field.declared_in.clone(), field.name.to_string()));
        for key in used.chain(written) {
            let next = numbers.len();
            numbers.entry(key).or_insert(next);
        }
        let of_methods = |written: bool| {
            let of_method = |method: &Method| {
                let mut used = FixedBitSet::with_capacity(numbers.len());
                let fields = method.fields.iter().filter(|field| field.written == written);
                used.extend(fields.filter_map(|field| numbers.get(&key(field)).copied()));
                used
            };
            methods.methods().iter().map(of_method).collect()
        };
        let (read, written) = (of_methods(false), of_methods(true));
        Self { numbers, read, written }
    }

    /// Fields that the methods use, of those that each uses.
    fn used_in(of_methods: &[FixedBitSet], reached: &FixedBitSet) -> FixedBitSet {
        let mut used = FixedBitSet::new();
        for fields in reached.ones().filter_map(|method| of_methods.get(method)) {
            used.union_with(fields);
        }
        used
    }
}

#[cfg(test)]
mod tests {
    use bytecode::access::Access;
    use bytecode::probe_map::{CallSite, FieldUse, MethodProbes, ProbeId, ProbeMap};
    use bytecode::signature::{ClassType, GenericType};
    use testcase::cluster::testing::{plain_callable, plain_type};
    use testcase::cluster::{CallableId, CallableKind, Field, FieldId, TypeId};

    use super::*;

    /// A method by class and name, whether a test can call it, the methods it calls, the fields it reads and writes.
    struct Sketch {
        name: &'static str,
        is_callable: bool,
        calls: &'static [&'static str],
        reads: &'static [&'static str],
        writes: &'static [&'static str],
    }

    const fn public(name: &'static str, calls: &'static [&'static str]) -> Sketch {
        Sketch { name, is_callable: true, calls, reads: &[], writes: &[] }
    }

    const fn hidden(name: &'static str, calls: &'static [&'static str]) -> Sketch {
        Sketch { is_callable: false, ..public(name, calls) }
    }

    fn split(name: &str) -> (ClassName, &str) {
        let (class, method) = name.split_once('.').unwrap();
        (class.into(), method)
    }

    fn probes(index: usize, sketch: &Sketch) -> MethodProbes {
        let call = |name: &&str| {
            let (owner, name) = split(name);
            CallSite { owner, name: name.into(), descriptor: "()V".into(), controlled_by: Vec::new() }
        };
        let used = |written| move |name: &&str| FieldUse { owner: "A".into(), name: (*name).into(), written };
        let is_private = !sketch.is_callable && sketch.name.starts_with("A.");
        MethodProbes {
            access: Access(if is_private { 2 } else { 1 }),
            calls: sketch.calls.iter().map(call).collect(),
            fields: sketch
                .reads
                .iter()
                .map(used(false))
                .chain(sketch.writes.iter().map(used(true)))
                .collect(),
            ..MethodProbes::new(split(sketch.name).1, "()V", ProbeId(index as u32))
        }
    }

    /// A cluster with the callable methods, and a group that writes the field `x`.
    fn cluster(sketches: &[Sketch]) -> TestCluster {
        let mut cluster = TestCluster::default();
        for sketch in sketches.iter().filter(|sketch| sketch.is_callable) {
            let (class, name) = split(sketch.name);
            let id = CallableId::from(cluster.callables.len());
            let kind = CallableKind::InstanceMethod;
            cluster.callables.push(plain_callable(id, kind, TypeId(0), class, (name, "()V")));
            cluster.test_calls.push(vec![Call::Callable(id)]);
        }
        let class = ClassName::new("A");
        let generic = ClassType { name: class.clone(), arguments: Vec::new(), outer: None };
        cluster.types.push(plain_type(GenericType::Class(generic), None));
        cluster.fields.push(Field {
            owner: TypeId(0),
            declared_in: class,
            name: "x".into(),
            descriptor: "I".into(),
            access: Access(1),
            of: TypeId(0),
            result_cast: None,
        });
        cluster.test_calls.push(vec![Call::Write(FieldId(0))]);
        cluster
    }

    /// Weights of the groups, in tenths, when these methods have open goals, where the open ones have no share for sure.
    fn check(sketches: &[Sketch], open: &[&str], expect: &[u32]) {
        check_with(0.0, sketches, open, &[], expect);
    }

    /// As [`check`], where open ones have that share at least, and groups are given up.
    fn check_with(
        open_call_share: f64,
        sketches: &[Sketch],
        open: &[&str],
        given_up: &[usize],
        expect: &[u32],
    ) {
        let mut maps: Vec<ProbeMap> = Vec::new();
        for (index, sketch) in sketches.iter().enumerate() {
            let (class, _) = split(sketch.name);
            if maps.last().is_none_or(|map| map.class != class) {
                maps.push(ProbeMap { class, hash: 0, methods: Vec::new(), skipped: Vec::new() });
            }
            maps.last_mut().unwrap().methods.push(probes(index, sketch));
        }
        let methods = MethodTable::new(&maps);
        let weights = CallWeights::new(&cluster(sketches), &methods);
        let mut open_methods = FixedBitSet::new();
        for name in open {
            let (class, name) = split(name);
            open_methods.grow_and_insert(methods.find(&class, name, "()V").unwrap().index());
        }
        let options = SearchOptions { open_call_share, ..SearchOptions::default() };
        let given_up = given_up.iter().copied().collect();
        let weighed = weights.weigh(&open_methods, &given_up, &options);
        let tenths: Vec<u32> = weighed.into_iter().map(|weight| (weight * 10.0).round() as u32).collect();
        assert_eq!(tenths, expect, "with {open:?} open");
    }

    #[test]
    fn a_call_leads_to_what_tests_cannot_call_themselves() {
        let sketches = &[
            public("A.run", &["A.helper", "A.other"]),
            public("A.other", &[]),
            hidden("A.helper", &["A.deep"]),
            hidden("A.deep", &["A.helper"]),
        ];
        check(sketches, &["A.deep"], &[10, 1, 1]);
        check(sketches, &["A.other"], &[1, 10, 1]);
        check(sketches, &["A.run"], &[10, 1, 1]);
        check(sketches, &[], &[1, 1, 1]);
    }

    #[test]
    fn creating_an_object_leads_to_its_methods() {
        let sketches = &[
            public("A.iterator", &["A$1.<init>"]),
            public("A.size", &[]),
            hidden("A$1.<init>", &[]),
            hidden("A$1.next", &["A$1.check"]),
            hidden("A$1.check", &[]),
        ];
        check(sketches, &["A$1.check"], &[10, 1, 1]);
    }

    #[test]
    fn writers_of_fields_read_on_the_way_stand_in_between() {
        let sketches = &[
            Sketch { writes: &["x"], ..public("A.setX", &[]) },
            Sketch { writes: &["y"], ..public("A.setY", &[]) },
            public("A.run", &["A.getX"]),
            Sketch { reads: &["x"], ..public("A.getX", &[]) },
        ];
        check(sketches, &["A.run"], &[5, 1, 10, 1, 5]);
    }

    #[test]
    fn what_is_given_up_counts_as_what_leads_nowhere() {
        let sketches = &[public("A.run", &[]), public("A.spin", &[]), public("A.done", &[])];
        check_with(0.0, sketches, &["A.run", "A.spin"], &[1], &[10, 1, 1, 1]);
        check_with(0.8, sketches, &["A.run", "A.spin"], &[1], &[12, 1, 1, 1]);
    }

    #[test]
    fn what_leads_to_open_goals_is_not_lost_among_many_others() {
        let writer = |name| Sketch { writes: &["x"], ..public(name, &[]) };
        let run = Sketch { reads: &["x"], ..public("A.run", &[]) };
        let setters =
            ["A.a", "A.b", "A.c", "A.d", "A.e", "A.f", "A.g", "A.h", "A.i", "A.j", "A.k"].map(writer);
        let mut sketches = vec![run, public("A.other", &[])];
        sketches.extend(setters);
        // Twelve writers of 0.5 and one other call of 0.1: 6.1 are a fifth, four times as much leads to open goals.
        let mut expect = vec![244, 1];
        expect.extend([5; 12]);
        check_with(0.8, &sketches, &["A.run"], &[], &expect);
        // Two of them share what is four times the writers.
        expect[..2].copy_from_slice(&[120, 120]);
        check_with(0.8, &sketches, &["A.run", "A.other"], &[], &expect);
    }
}
