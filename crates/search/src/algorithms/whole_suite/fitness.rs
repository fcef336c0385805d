//! Suite fitness, lower is better, 0 when every goal that counts is covered.
//!
//! Fraser, Arcuri and `McMinn` 2015, §3.2: the number of methods that are not executed, plus the sum of `d(b, T)` over
//! all branches `b`, which is 0 where the branch is covered, the normalized least distance where its predicate was
//! executed at least twice by the suite, and 1 otherwise. Several criteria: their sums are added (Zhou et al. 2023,
//! §2.3). Goals without a distance of their own count as `ν(number of those missing)`, and the branches on which they
//! depend guide (Equation 13 there); a distance that is not a branch's (to the infection of a mutant) counts from the
//! first execution on (Equation 14). A mutant that must be killed adds the distance to its propagation
//! (Panichella, Kifetew and Tonella 2018 (DynaMOSA), Equation 5).
//!
//! # Differences
//! * Guiding branches are those on which a goal that counts depends, not all of them; of mutants as well those on which it
//!   depends indirectly.
//! * Goals are covered as `JaCoCo` counts. A branch that was taken without the evidence has [`TAKEN`], not 0.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytecode::probe_map::{OutcomeId, ProbeId};
use coverage::distance::ratio;
use coverage::goal::{GoalId, GoalSet};
use coverage::goal_graph::GoalGraph;
use fixedbitset::FixedBitSet;
use testcase::execution::ExecutionTrace;

use super::suite::TestRun;

/// `d(b, T)` of a branch that was taken while the evidence of its coverage is missing: next to nothing, and yet not lost
/// in a sum.
pub(crate) const TAKEN: f64 = 1.0 / 1_048_576.0;

/// Executions of a predicate by a suite from which on its distance counts.
const ENOUGH_EXECUTIONS: u32 = 2;

/// Something that is added.
#[derive(Debug, Clone, Copy)]
struct Term {
    outcome: OutcomeId,
    /// The predicate; `None` of a distance that is no branch's.
    predicate: Option<ProbeId>,
}

/// What a goal contributes.
#[derive(Debug, Clone)]
struct Part {
    goal: GoalId,
    /// Hit when its method is entered.
    entry: ProbeId,
    /// Index of its criterion.
    criterion: usize,
    /// `None` of a goal without distance.
    term: Option<Term>,
    /// Of a mutant that must be killed.
    propagation: Option<OutcomeId>,
    /// The branches on which it depends, directly and indirectly; empty where the term itself is a branch.
    guides: Vec<Term>,
}

/// Computes suite fitness for the goals that count.
#[derive(Debug)]
pub(crate) struct SuiteFitness {
    parts: Vec<Part>,
    /// Indices of the parts that count.
    open: Vec<usize>,
    /// Entries of the methods that hold goals that count.
    methods: Vec<ProbeId>,
    /// Guiding branches of each criterion.
    guides: Vec<Vec<Term>>,
    /// What the tests of a suite did together.
    trace: ExecutionTrace,
    /// Probes and outcomes for which it has room: at least all that parts name.
    size: (usize, usize),
    covered: FixedBitSet,
    missing: Vec<u32>,
}

impl SuiteFitness {
    /// Prepares the goals; none counts yet.
    pub(crate) fn new(goals: &GoalSet, graph: &GoalGraph) -> Self {
        let mut criteria: Vec<&str> = Vec::new();
        let mut parts = Vec::with_capacity(goals.len());
        for (id, goal) in goals.ids().zip(goals.goals()) {
            let known = criteria.iter().position(|name| **name == *goal.criterion);
            let criterion = known.unwrap_or_else(|| {
                criteria.push(&goal.criterion);
                criteria.len() - 1
            });
            let term = goal.outcome.map(|outcome| term(outcome, graph));
            let is_branch = term.is_some_and(|term| term.predicate.is_some());
            let guides = if is_branch { Vec::new() } else { controlling(&goal.controlled_by, graph) };
            let propagation = goal.mutant().map(|mutant| mutant.propagation);
            parts.push(Part { goal: id, entry: goal.entry, criterion, term, propagation, guides });
        }
        let terms = || parts.iter().flat_map(|part: &Part| part.term.iter().chain(&part.guides));
        let probes = terms().filter_map(|term| term.predicate).chain(parts.iter().map(|part| part.entry));
        let propagations = parts.iter().filter_map(|part| part.propagation);
        let outcomes = terms().map(|term| term.outcome).chain(propagations);
        let size = (
            probes.map(|probe| probe.index() + 1).max().unwrap_or(0),
            outcomes.map(|outcome| outcome.index() + 1).max().unwrap_or(0),
        );
        Self {
            parts,
            open: Vec::new(),
            methods: Vec::new(),
            guides: vec![Vec::new(); criteria.len()],
            trace: ExecutionTrace::new(size.0, size.1),
            size,
            covered: FixedBitSet::with_capacity(goals.len()),
            missing: vec![0; criteria.len()],
        }
    }

    /// From now on these goals count.
    pub(crate) fn aim_at(&mut self, is_open: impl Fn(GoalId) -> bool) {
        let Self { parts, open, methods, guides, .. } = self;
        *open = (0..parts.len()).filter(|&index| is_open(parts[index].goal)).collect();
        let open_parts = || open.iter().map(|&index| &parts[index]);
        *methods = open_parts().map(|part| part.entry).collect();
        methods.sort_unstable();
        methods.dedup();
        for (criterion, guides) in guides.iter_mut().enumerate() {
            *guides = open_parts()
                .filter(|part| part.criterion == criterion)
                .flat_map(|part| part.guides.iter().copied())
                .collect();
            guides.sort_unstable_by_key(|term| term.outcome);
            guides.dedup_by_key(|term| term.outcome);
        }
    }

    /// The fitness of a suite.
    pub(crate) fn of(&mut self, tests: &[Arc<TestRun>]) -> f64 {
        self.collect(tests);
        let Self { parts, open, methods, guides, trace, covered, missing, .. } = self;
        let mut sum = methods.iter().filter(|&&entry| trace.count(entry) == 0).count() as f64;
        missing.fill(0);
        for part in open.iter().map(|&index| &parts[index]) {
            if covered.contains(part.goal.index()) {
                continue;
            }
            match part.term {
                Some(term) => sum += distance(term, part.propagation, trace).max(TAKEN),
                None => missing[part.criterion] += 1,
            }
        }
        sum += missing.iter().map(|&missing| ratio(f64::from(missing))).sum::<f64>();
        // A branch that was taken needs no evidence to have guided.
        sum + guides.iter().flatten().map(|&term| value(term, trace)).sum::<f64>()
    }

    /// What the tests did together.
    fn collect(&mut self, tests: &[Arc<TestRun>]) {
        let Self { trace, covered, size, .. } = self;
        let probes = tests.iter().flat_map(|run| &run.hits).map(|(probe, _)| probe.index() + 1).max();
        let outcomes = tests.iter().flat_map(|run| &run.distances).map(|(id, _)| id.index() + 1).max();
        if probes.is_some_and(|probes| probes > size.0) || outcomes.is_some_and(|outcomes| outcomes > size.1)
        {
            *size = (size.0.max(probes.unwrap_or(0)), size.1.max(outcomes.unwrap_or(0)));
            *trace = ExecutionTrace::new(size.0, size.1);
        }
        trace.clear();
        covered.clear();
        for run in tests {
            for &(probe, hits) in &run.hits {
                trace.record_hits(probe, hits);
            }
            for &(outcome, distance) in &run.distances {
                trace.record_distance(outcome, distance);
            }
            covered.extend(run.covered.iter().map(|goal| goal.index()));
        }
    }
}

fn term(outcome: OutcomeId, graph: &GoalGraph) -> Term {
    Term { outcome, predicate: graph.methods().branch(outcome).map(|branch| branch.probe) }
}

/// The branches on which a place depends, directly and indirectly, ascending.
fn controlling(controlled_by: &[OutcomeId], graph: &GoalGraph) -> Vec<Term> {
    let mut found = BTreeSet::new();
    let mut pending = controlled_by.to_vec();
    while let Some(outcome) = pending.pop() {
        if found.insert(outcome)
            && let Some(branch) = graph.methods().branch(outcome)
        {
            pending.extend(&branch.controlled_by);
        }
    }
    found.into_iter().map(|outcome| term(outcome, graph)).collect()
}

/// What a goal with a distance adds: that of its branch, or to the infection of its mutant, and to the propagation of what
/// was infected, which is 1 as long as no run of the mutant said how far that gets.
fn distance(term: Term, propagation: Option<OutcomeId>, trace: &ExecutionTrace) -> f64 {
    let propagation = propagation.map_or(0.0, |propagation| trace.distance(propagation).min(1.0));
    value(term, trace) + propagation
}

/// `d(b, T)`, 0 also where the branch was taken.
fn value(term: Term, trace: &ExecutionTrace) -> f64 {
    let distance = trace.distance(term.outcome);
    let counts = term.predicate.is_none_or(|predicate| trace.count(predicate) >= ENOUGH_EXECUTIONS);
    if counts || distance == 0.0 { ratio(distance) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use bytecode::instruction::InstructionIndex;
    use bytecode::mutate::operator::MutationOperator;
    use bytecode::probe_map::{
        Branch, BranchKind, Evidence, Line, MethodProbes, Mutant, MutantId, Outcome as MapOutcome, ProbeMap,
    };
    use coverage::criterion;
    use testcase::execution::ExecutionResult;
    use testcase::test_case::TestCase;

    use super::*;
    use crate::context::ClassContext;

    const PREDICATE: ProbeId = ProbeId(1);

    /// `void m(int x) { if (x == 17) { … line 1 … } }` and `void n()`. Probes: m, its branch, line 1, n.
    fn maps() -> Vec<ProbeMap> {
        let outcome = |id| MapOutcome {
            id: OutcomeId(id),
            keys: Vec::new(),
            is_goal: true,
            covered_by: vec![Evidence::Taken(OutcomeId(id))],
        };
        let branch = Branch {
            instruction: InstructionIndex(0),
            line: None,
            probe: PREDICATE,
            kind: BranchKind::Integer,
            outcomes: vec![outcome(0), outcome(1)],
            controlled_by: Vec::new(),
            in_loop: false,
        };
        let line = Line {
            number: 1,
            covered_by: vec![Evidence::Hit(ProbeId(2))],
            controlled_by: vec![OutcomeId(0)],
        };
        let m = MethodProbes {
            branches: vec![branch],
            lines: vec![line],
            ..MethodProbes::new("m", "(I)V", ProbeId(0))
        };
        let methods = vec![m, MethodProbes::new("n", "()V", ProbeId(3))];
        vec![ProbeMap { class: "Foo".into(), hash: 0, methods, skipped: Vec::new() }]
    }

    /// The distances to `x == 17` of calls of `m`, one test each; with `calls_n`, a call of `n` besides.
    fn suite(class: ClassContext<'_>, distances: &[f64], calls_n: bool) -> Vec<Arc<TestRun>> {
        let test =
            |result: &ExecutionResult| Arc::new(TestRun::new(TestCase::default(), result, class).unwrap());
        let mut tests = Vec::new();
        for &distance in distances {
            let mut result = ExecutionResult::new(4, 2);
            result.trace.record_hits(ProbeId(0), 1);
            result.trace.record_hits(PREDICATE, 1);
            result.trace.record_distance(OutcomeId(0), distance);
            result.trace.record_distance(OutcomeId(1), if distance == 0.0 { 1.0 } else { 0.0 });
            if distance == 0.0 {
                result.trace.record_hits(ProbeId(2), 1);
            }
            tests.push(test(&result));
        }
        if calls_n {
            let mut result = ExecutionResult::new(4, 2);
            result.trace.record_hits(ProbeId(3), 1);
            tests.push(test(&result));
        }
        tests
    }

    fn check(criteria: &[&str], distances: &[f64], calls_n: bool, covered: &[u32], expect: f64) {
        let maps = maps();
        let goals = criterion::goals(criteria, &maps).unwrap();
        let graph = GoalGraph::new(&maps, &goals, false);
        let cluster = testcase::cluster::TestCluster::default();
        let class = ClassContext { goals: &goals, graph: &graph, cluster: &cluster };
        let mut fitness = SuiteFitness::new(&goals, &graph);
        fitness.aim_at(|goal| !covered.contains(&goal.0));
        assert_eq!(fitness.of(&suite(class, distances, calls_n)), expect, "{criteria:?} {distances:?}");
    }

    #[test]
    fn a_predicate_counts_when_the_suite_executes_it_twice() {
        // Two methods, two outcomes and the entry of n, all missing.
        check(&["branch"], &[], false, &[], 2.0 + 2.0 + 0.5);
        // Once: the other outcome is covered, x == 17 counts 1 however near it is.
        check(&["branch"], &[7.0], true, &[], 1.0);
        // Twice, by two tests: the nearer one, 3 / (3 + 1).
        check(&["branch"], &[7.0, 3.0], true, &[], 0.75);
        check(&["branch"], &[3.0, 0.0], true, &[], 0.0);
        check(&["branch"], &[0.0], true, &[], 1.0);
    }

    #[test]
    fn lines_count_as_a_ratio_and_are_guided_by_their_branches() {
        // Two methods less the one executed would be 1; only m has a line.
        check(&["line"], &[], false, &[], 1.0 + 0.5 + 1.0);
        check(&["line"], &[7.0, 3.0], false, &[], 0.5 + 0.75);
        check(&["line"], &[7.0, 0.0], false, &[], 0.0);
        // Sums are added: branch, then line.
        check(&["branch", "line"], &[7.0, 3.0], true, &[], 0.75 + (0.5 + 0.75));
    }

    #[test]
    fn a_mutant_that_is_infected_counts_until_what_it_does_is_propagated() {
        // 004 Equation 5. Behind `x == 17`: infection is outcome 2, propagation 3.
        let mutant = Mutant {
            id: MutantId(0),
            instruction: InstructionIndex(1),
            line: None,
            operator: MutationOperator::Constant,
            from: "1".into(),
            to: "2".into(),
            signs: None,
            words: "replaced 1 by 2".into(),
            always_infected: false,
            probe: ProbeId(2),
            infection: OutcomeId(2),
            propagation: OutcomeId(3),
            controlled_by: vec![OutcomeId(0)],
        };
        let mut maps = maps();
        maps[0].methods[0].mutants.push(mutant);
        let goals = criterion::goals(&["strong-mutation"], &maps).unwrap();
        let graph = GoalGraph::new(&maps, &goals, false);
        let cluster = testcase::cluster::TestCluster::default();
        let class = ClassContext { goals: &goals, graph: &graph, cluster: &cluster };
        let mut fitness = SuiteFitness::new(&goals, &graph);
        fitness.aim_at(|_| true);
        // Each test: distances to `x == 17`, infection and propagation.
        let mut check = |tests: &[[Option<f64>; 3]], expect: f64| {
            let run = |distances: &[Option<f64>; 3]| {
                let mut result = ExecutionResult::new(4, 4);
                result.trace.record_hits(ProbeId(0), 1);
                result.trace.record_hits(PREDICATE, 1);
                for (outcome, distance) in [0, 2, 3].into_iter().zip(distances) {
                    if let Some(distance) = distance {
                        result.trace.record_distance(OutcomeId(outcome), *distance);
                    }
                }
                Arc::new(TestRun::new(TestCase::default(), &result, class).unwrap())
            };
            let suite: Vec<_> = tests.iter().map(run).collect();
            assert_eq!(fitness.of(&suite), expect, "{tests:?}");
        };
        let near = [Some(3.0), None, None];
        let reached = [Some(0.0), Some(1.0), None];
        let infected = [Some(0.0), Some(0.0), None];
        let noticed = |propagation| [Some(0.0), Some(0.0), Some(propagation)];
        // The branch that guides, the infection and the propagation.
        check(&[near, near], 0.75 + 1.0 + 1.0);
        check(&[near, reached], 0.0 + 0.5 + 1.0);
        check(&[near, infected], 0.0 + 0.0 + 1.0);
        check(&[noticed(0.5), infected], 0.5);
        check(&[noticed(0.5), noticed(0.25)], 0.25);
        check(&[noticed(0.5), noticed(0.0)], 0.0);
    }

    #[test]
    fn what_does_not_count_is_left_out() {
        // Goals of criterion branch: x == 17, x != 17, n. Without n its method is not missed.
        check(&["branch"], &[7.0, 3.0], false, &[2], 0.75);
        check(&["branch"], &[7.0, 3.0], true, &[0], 0.0);
        check(&["branch"], &[], false, &[0, 1, 2], 0.0);
    }
}
