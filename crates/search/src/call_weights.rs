//! Which calls of the class under test still lead to open goals: the others are drawn less often.
//!
//! A call leads to the goals of its method, and to those of methods that a test cannot call itself and that it
//! reaches through calls: private helpers, bodies of lambdas, methods of local classes that it creates. Calls that
//! write a field which is read on the way to an open goal prepare such calls, and stand in between.

use std::collections::BTreeMap;

use bytecode::name::ClassName;
use coverage::method_table::{MethodIndex, MethodTable};
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
        let is_callable = callable_methods(cluster, methods);
        let groups = cluster
            .test_calls
            .iter()
            .map(|calls| group(calls, cluster, methods, &fields, &is_callable))
            .collect();
        let reads = methods
            .ids()
            .map(|id| {
                let mut reached = FixedBitSet::with_capacity(methods.methods().len());
                reach(methods, vec![id], &mut reached, |_| true);
                fields.used_in(methods, &reached, false)
            })
            .collect();
        Self { groups, reads }
    }

    /// The weight of each group, given the methods that hold open goals.
    pub fn weigh(&self, open: &FixedBitSet, options: &SearchOptions) -> Vec<f64> {
        let mut wanted = FixedBitSet::new();
        for reads in open.ones().filter_map(|method| self.reads.get(method)) {
            wanted.union_with(reads);
        }
        let weigh = |group: &Group| {
            if !group.reached.is_disjoint(open) {
                1.0
            } else if !group.writes.is_disjoint(&wanted) {
                options.writer_call_weight
            } else {
                options.covered_call_weight
            }
        };
        self.groups.iter().map(weigh).collect()
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
        Call::Read(_) | Call::Write(_) => &[],
    }
}

fn group(
    calls: &[Call],
    cluster: &TestCluster,
    methods: &MethodTable,
    fields: &Fields,
    is_callable: &FixedBitSet,
) -> Group {
    let mut reached = FixedBitSet::with_capacity(methods.methods().len());
    let direct = calls.iter().flat_map(|&call| called(call, cluster, methods)).copied().collect();
    reach(methods, direct, &mut reached, |method| !is_callable.contains(method.index()));
    let mut writes = fields.used_in(methods, &reached, true);
    for call in calls {
        if let Call::Write(id) = call {
            let field = cluster.field(*id);
            if let Some(&number) = fields.numbers.get(&(field.declared_in.clone(), field.name.to_string())) {
                writes.grow_and_insert(number);
            }
        }
    }
    Group { reached, writes }
}

/// Adds methods and what they call as far as `follow` allows. Creating an object reaches all methods of its class
/// that are not called by name: what is done with the object is not known.
fn reach(
    methods: &MethodTable,
    mut pending: Vec<MethodIndex>,
    reached: &mut FixedBitSet,
    follow: impl Fn(MethodIndex) -> bool,
) {
    while let Some(id) = pending.pop() {
        if reached.put(id.index()) {
            continue;
        }
        let method = methods.method(id);
        pending.extend(method.callees.iter().copied().filter(|&callee| follow(callee)));
        let created = method.callees.iter().map(|&callee| methods.method(callee));
        for created in created.filter(|callee| &*callee.name == "<init>" && callee.class != method.class) {
            let members = methods.ids().filter(|&id| {
                let member = methods.method(id);
                member.class == created.class && !member.is_internal
            });
            pending.extend(members.filter(|&id| follow(id)));
        }
    }
}

/// The fields that occur in the methods, numbered.
#[derive(Debug)]
struct Fields {
    numbers: BTreeMap<(ClassName, String), usize>,
}

impl Fields {
    fn new(cluster: &TestCluster, methods: &MethodTable) -> Self {
        let mut numbers = BTreeMap::new();
        let used = methods.methods().iter().flat_map(|method| &method.fields);
        let used = used.map(|field| (field.owner.clone(), field.name.to_string()));
        let written = cluster.fields.iter().map(|field| (field.declared_in.clone(), field.name.to_string()));
        for key in used.chain(written) {
            let next = numbers.len();
            numbers.entry(key).or_insert(next);
        }
        Self { numbers }
    }

    /// Fields that the methods write, or read.
    fn used_in(&self, methods: &MethodTable, reached: &FixedBitSet, written: bool) -> FixedBitSet {
        let mut used = FixedBitSet::with_capacity(self.numbers.len());
        for method in reached.ones().filter_map(|index| methods.methods().get(index)) {
            for field in method.fields.iter().filter(|field| field.written == written) {
                if let Some(&number) = self.numbers.get(&(field.owner.clone(), field.name.to_string())) {
                    used.insert(number);
                }
            }
        }
        used
    }
}
