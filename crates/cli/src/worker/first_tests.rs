//! What a search begins with that goes on where a worker was lost.
//!
//! Of a class in which many calls cost a worker, nearly every random test has one of them, and nothing else would come of
//! it. So every call that no archived test makes is made once alone: what ends well is there, whatever comes after it.

use std::collections::BTreeSet;

use coverage::goal::GoalSet;
use coverage::goal_graph::GoalGraph;
use testcase::cluster::{Call, TestCluster};
use testcase::factory::TestFactory;
use testcase::random::Random;
use testcase::statement::Statement;
use testcase::test_case::TestCase;

/// A test for each group of test calls that these tests have none of. Those in whose methods most goals lie come first:
/// they have most to lose.
pub(super) fn single_calls(
    goals: &GoalSet,
    graph: &GoalGraph,
    factory: &mut TestFactory<'_>,
    tests: &[TestCase],
    random: &mut Random,
) -> Vec<TestCase> {
    let cluster = factory.cluster();
    let made: BTreeSet<Call> =
        tests.iter().flat_map(TestCase::statements).filter_map(Statement::call).collect();
    let mut goals_of = vec![0_usize; graph.methods().methods().len()];
    for method in goals.ids().filter_map(|goal| graph.method_of(goal)) {
        goals_of[graph.methods().method(method).original.index()] += 1;
    }
    let is_new = |calls: &[Call]| !calls.iter().any(|call| made.contains(call));
    let groups = cluster.test_calls.iter().enumerate().filter(|(_, calls)| is_new(calls));
    let mut groups: Vec<(usize, usize)> =
        groups.map(|(group, calls)| (goals_in(calls, cluster, graph, &goals_of), group)).collect();
    groups.sort_by_key(|&(goals, group)| (std::cmp::Reverse(goals), group));
    groups.into_iter().filter_map(|(_, group)| factory.single_call(group, random)).collect()
}

/// Goals in the methods that calls of a group run directly.
fn goals_in(calls: &[Call], cluster: &TestCluster, graph: &GoalGraph, goals_of: &[usize]) -> usize {
    let of_call = |call: &Call| match call {
        Call::Callable(id) => {
            let callable = cluster.callable(*id);
            let methods =
                graph.methods().candidates(&callable.declared_in, &callable.name, &callable.descriptor);
            methods.iter().map(|method| goals_of[method.index()]).sum()
        }
        Call::Read(_) | Call::Write(_) | Call::Implement(_) => 0,
    };
    calls.iter().map(of_call).max().unwrap_or(0)
}
