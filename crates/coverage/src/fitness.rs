//! Fitness of a run for each goal: approach level plus normalized branch distance, 0 exactly when covered, lower is
//! better.
//!
//! Panichella, Kifetew and Tonella 2018 (DynaMOSA), Equations 7 and 8, for all goals that have evidence and control
//! dependence as data: branches, methods without branches, lines.
//!
//! | a run that | has the fitness |
//! | --- | --- |
//! | covers the goal | 0 |
//! | took its outcome, or one that controls it, but ended before the evidence | [`TAKEN`] |
//! | executed its branch | normalized distance, below 1 |
//! | came within `n` control dependences | `n` + normalized distance there |
//! | entered the method only | number of control dependences to the method entry |
//! | did not enter the method | 1 more, and more the farther from the calls of an internal method |
//!
//! # Differences
//! * The papers say that a goal whose outcome was taken is covered. Goals here are covered as `JaCoCo` counts
//!   ([`crate::goal::Goal::covered_by`]), hence the second row.
//! * The distance of a goal without branch of its own (a line) is that of the outcome that directly controls it.

use bytecode::probe_map::{OutcomeId, ProbeId};
use testcase::execution::ExecutionTrace;

use crate::approach_level::{ApproachId, ApproachTable};
use crate::distance::{Normalization, TAKEN};
use crate::goal::{Goal, GoalId, GoalSet};
use crate::goal_graph::GoalGraph;
use crate::method_table::MethodIndex;

/// Computes fitness. Everything that does not depend on a run is computed once.
#[derive(Debug, Clone)]
pub struct FitnessFunction {
    normalization: Normalization,
    approaches: ApproachTable,
    goals: Vec<Shape>,
    entries: Vec<ProbeId>,
    /// Values of approaches for the current run, valid where the stamp is that of the run.
    memo: Vec<(u32, f64)>,
    run: u32,
}

/// What fitness needs to know of a goal.
#[derive(Debug, Clone, Copy)]
struct Shape {
    method: MethodIndex,
    outcome: Option<OutcomeId>,
    approach: ApproachId,
    /// Control dependences up to the method entry, the own outcome included.
    depth: f64,
}

/// Goals for which vectors of fitness are computed, grouped so that methods a run did not enter cost next to nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Objectives {
    goals: Vec<GoalId>,
    /// Method, and where its goals end; they start where the ones before end.
    groups: Vec<(MethodIndex, usize)>,
    /// Column of a goal, by goal.
    columns: Vec<Option<u32>>,
}

impl Objectives {
    /// The goals; the position of a goal is its column in a vector of fitness.
    pub fn goals(&self) -> &[GoalId] {
        &self.goals
    }

    /// Number of goals.
    pub fn len(&self) -> usize {
        self.goals.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.goals.is_empty()
    }

    /// Column of a goal; `None` when it is not among them.
    pub fn column(&self, goal: GoalId) -> Option<usize> {
        self.columns.get(goal.index()).copied().flatten().map(|column| column as usize)
    }
}

impl FitnessFunction {
    /// Prepares the goals of a graph. The graph decides whether internal methods are approached through their calls.
    pub fn new(goals: &GoalSet, graph: &GoalGraph, normalization: Normalization) -> Self {
        let methods = graph.methods();
        let mut approaches = ApproachTable::new(methods, graph.has_call_dependences());
        let shapes: Vec<_> = goals
            .ids()
            .zip(goals.goals())
            .map(|(id, goal)| {
                // A goal of a class without a map is only known to be covered or not.
                let method = graph.method_of(id).unwrap_or(MethodIndex(u32::MAX));
                let approach = approaches.add(methods, method, &goal.controlled_by);
                let own = u32::from(goal.outcome.is_some());
                let depth = f64::from(approaches.depth(approach) + own);
                Shape { method, outcome: goal.outcome, approach, depth }
            })
            .collect();
        let entries = methods.methods().iter().map(|method| method.entry).collect();
        let memo = vec![(0, 0.0); approaches.len()];
        Self { normalization, approaches, goals: shapes, entries, memo, run: 0 }
    }

    /// Prepares vectors of fitness for these goals, ordered by method, then as given.
    pub fn objectives(&self, goals: impl IntoIterator<Item = GoalId>) -> Objectives {
        let mut goals: Vec<_> = goals.into_iter().collect();
        goals.sort_by_key(|goal| self.goals[goal.index()].method);
        let mut groups: Vec<(MethodIndex, usize)> = Vec::new();
        let mut columns = vec![None; self.goals.len()];
        for (column, goal) in goals.iter().enumerate() {
            columns[goal.index()] = Some(column as u32);
            let method = self.goals[goal.index()].method;
            match groups.last_mut() {
                Some((last, end)) if *last == method => *end = column + 1,
                _ => groups.push((method, column + 1)),
            }
        }
        Objectives { goals, groups, columns }
    }

    /// Fitness of a run for every objective, into `fitness` (cleared first), in the order of the columns.
    ///
    /// `covered` must hold the objectives that the run covers; others in it are ignored. (The caller knows them from
    /// updating its archive, at no cost for goals that are not covered.)
    pub fn evaluate(
        &mut self,
        trace: &ExecutionTrace,
        objectives: &Objectives,
        covered: &[GoalId],
        fitness: &mut Vec<f64>,
    ) {
        self.run = self.run.wrapping_add(1);
        if self.run == 0 {
            self.memo.fill((0, 0.0));
            self.run = 1;
        }
        fitness.clear();
        let mut start = 0;
        for &(method, end) in &objectives.groups {
            let group = &objectives.goals[start..end];
            if self.is_entered(method, trace) {
                fitness.extend(group.iter().map(|&goal| self.within_method(goal, trace)));
            } else {
                let before = self.before_method(method, trace);
                fitness.extend(group.iter().map(|goal| self.goals[goal.index()].depth + before));
            }
            start = end;
        }
        for column in covered.iter().filter_map(|&goal| objectives.column(goal)) {
            fitness[column] = 0.0;
        }
    }

    /// Fitness of a run for one goal of the set that this was made for.
    pub fn fitness(&self, id: GoalId, goal: &Goal, trace: &ExecutionTrace) -> f64 {
        if goal.is_covered(trace) {
            return 0.0;
        }
        let shape = self.goals[id.index()];
        if self.is_entered(shape.method, trace) {
            let approach = || self.approaches.within_method(shape.approach, trace, self.normalization);
            at_goal(shape, trace, self.normalization, approach)
        } else {
            shape.depth + self.before_method(shape.method, trace)
        }
    }

    fn is_entered(&self, method: MethodIndex, trace: &ExecutionTrace) -> bool {
        self.entries.get(method.index()).is_some_and(|&entry| trace.count(entry) > 0)
    }

    fn before_method(&self, method: MethodIndex, trace: &ExecutionTrace) -> f64 {
        if method.index() >= self.entries.len() {
            return 1.0;
        }
        self.approaches.before_method(method, trace, self.normalization)
    }

    fn within_method(&mut self, goal: GoalId, trace: &ExecutionTrace) -> f64 {
        let shape = self.goals[goal.index()];
        let slot = shape.approach.0 as usize;
        let Self { memo, approaches, run, .. } = self;
        let normalization = self.normalization;
        let approach = || {
            let (stamp, value) = memo[slot];
            if stamp == *run {
                return value;
            }
            let value = approaches.within_method(shape.approach, trace, normalization);
            memo[slot] = (*run, value);
            value
        };
        at_goal(shape, trace, normalization, approach)
    }
}

/// Fitness of a run that entered the method and does not cover the goal.
fn at_goal(
    shape: Shape,
    trace: &ExecutionTrace,
    normalization: Normalization,
    approach: impl FnOnce() -> f64,
) -> f64 {
    let fitness = match shape.outcome.map(|outcome| trace.distance(outcome)) {
        Some(distance) if distance.is_finite() => normalization.normalize(distance),
        Some(_) => 1.0 + approach(),
        None => approach(),
    };
    fitness.max(TAKEN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::criterion::goals;
    use crate::sample::ProgramBuilder;

    struct Fixture {
        program: ProgramBuilder,
        goals: GoalSet,
        function: FitnessFunction,
    }

    impl Fixture {
        fn new(program: ProgramBuilder, call_dependences: bool) -> Self {
            let maps = program.build();
            let goals = goals(&["branch", "line"], &maps).unwrap();
            let graph = GoalGraph::new(&maps, &goals, call_dependences);
            let function = FitnessFunction::new(&goals, &graph, Normalization::Ratio);
            Self { program, goals, function }
        }

        /// Checks the fitness of a run for one goal, and that single and vector evaluation agree on all of them.
        fn check(&mut self, goal: u32, entered: &[&str], distances: &[(OutcomeId, f64)], expect: f64) {
            let trace = self.program.trace(entered, distances);
            assert_eq!(self.fitness(&trace)[goal as usize], expect, "{entered:?} {distances:?}");
        }

        fn fitness(&mut self, trace: &ExecutionTrace) -> Vec<f64> {
            // In the order of the columns methods come first, so the goals are put back in their own order.
            let objectives = self.function.objectives(self.goals.ids());
            let mut covered = Vec::new();
            self.goals.covered(trace, &mut covered);
            let mut vector = Vec::new();
            self.function.evaluate(trace, &objectives, &covered, &mut vector);
            let by_goal: Vec<_> =
                self.goals.ids().map(|goal| vector[objectives.column(goal).unwrap()]).collect();
            for id in self.goals.ids() {
                let goal = self.goals.goal(id);
                assert_eq!(self.function.fitness(id, goal, trace), by_goal[id.index()], "{goal}");
                assert_eq!(by_goal[id.index()] == 0.0, goal.is_covered(trace), "{goal}");
            }
            by_goal
        }
    }

    /// Two nested branches; a line under each outcome that leads on.
    fn nested() -> (Fixture, OutcomeId, OutcomeId) {
        let mut program = ProgramBuilder::new("Foo");
        let mut bar = program.method("bar");
        let (outer, _) = bar.branch(&[]);
        let (inner, _) = bar.branch(&[outer]);
        bar.line(1, &[]).line(2, &[outer]).line(3, &[inner]);
        (Fixture::new(program, false), outer, inner)
    }

    #[test]
    fn nearer_runs_have_strictly_less_fitness() {
        let (mut fixture, outer, inner) = nested();
        fixture.check(2, &[], &[], 3.0);
        let nearer_and_nearer = [
            (vec![], 2.0),
            (vec![(outer, 3.0)], 1.75),
            (vec![(outer, 1.0)], 1.5),
            (vec![(outer, 0.0)], 1.0),
            (vec![(outer, 0.0), (inner, 3.0)], 0.75),
            (vec![(outer, 0.0), (inner, 1.0)], 0.5),
            (vec![(outer, 0.0), (inner, 0.0)], 0.0),
        ];
        for (distances, expect) in nearer_and_nearer {
            fixture.check(2, &["bar"], &distances, expect);
        }
    }

    #[test]
    fn a_line_has_the_distance_of_the_outcome_that_controls_it() {
        let (mut fixture, outer, inner) = nested();
        for (distances, expect) in [
            (vec![], [TAKEN, 1.0, 2.0]),
            (vec![(outer, 1.0)], [TAKEN, 0.5, 1.5]),
            (vec![(outer, 0.0)], [TAKEN, TAKEN, 1.0]),
            (vec![(outer, 0.0), (inner, 3.0)], [TAKEN, TAKEN, 0.75]),
        ] {
            for (goal, expect) in (4..).zip(expect) {
                fixture.check(goal, &["bar"], &distances, expect);
            }
        }
        fixture.check(6, &[], &[], 3.0);
    }

    #[test]
    fn an_outcome_taken_without_evidence_is_nearly_covered() {
        let mut program = ProgramBuilder::new("Foo");
        let (left, _) = program.method("bar").branch(&[]);
        let probe = program.method("bar").evidence(0);
        let mut fixture = Fixture::new(program, false);
        fixture.check(0, &["bar"], &[(left, 0.0)], TAKEN);
        let mut trace = fixture.program.trace(&["bar"], &[(left, 0.0)]);
        trace.record_hits(probe, 1);
        assert_eq!(fixture.fitness(&trace)[0], 0.0);
    }

    #[test]
    fn the_nearest_of_several_ways_counts() {
        let mut program = ProgramBuilder::new("Foo");
        let mut bar = program.method("bar");
        let (a, not_a) = bar.branch(&[]);
        let (b, _) = bar.branch(&[not_a]);
        bar.branch(&[a, b]);
        let mut fixture = Fixture::new(program, false);
        fixture.check(4, &["bar"], &[(a, 9.0)], 1.9);
        fixture.check(4, &["bar"], &[(a, 9.0), (not_a, 0.0), (b, 1.0)], 1.5);
        fixture.check(4, &["bar"], &[], 2.0);
        fixture.check(4, &[], &[], 3.0);
    }

    fn with_helper(call_dependences: bool) -> (Fixture, OutcomeId) {
        let mut program = ProgramBuilder::new("Foo");
        let (valid, _) = program.method("run").branch(&[]);
        program.method("run").call("helper", &[valid]);
        program.method("helper").private().call("deep", &[]);
        program.method("deep").private().branch(&[]);
        (Fixture::new(program, call_dependences), valid)
    }

    #[test]
    fn calls_guide_into_internal_methods() {
        let (mut fixture, valid) = with_helper(true);
        let deep = 3;
        fixture.check(deep, &[], &[], 5.0);
        fixture.check(deep, &["run"], &[], 4.0);
        fixture.check(deep, &["run"], &[(valid, 1.0)], 3.5);
        fixture.check(deep, &["run"], &[(valid, 0.0)], 3.0);
        fixture.check(deep, &["run", "helper"], &[(valid, 0.0)], 2.0);
        fixture.check(deep, &["run", "helper", "deep"], &[(valid, 0.0)], 1.0);
    }

    #[test]
    fn without_call_dependences_a_method_not_entered_has_one_fitness() {
        let (mut fixture, valid) = with_helper(false);
        fixture.check(3, &[], &[], 2.0);
        fixture.check(3, &["run"], &[(valid, 1.0)], 2.0);
        fixture.check(3, &["run", "helper", "deep"], &[], 1.0);
    }

    #[test]
    fn objectives_are_a_subset_with_columns_of_their_own() {
        let (mut fixture, valid) = with_helper(true);
        let objectives = fixture.function.objectives([GoalId(4), GoalId(0)]);
        assert_eq!(objectives.goals(), [GoalId(0), GoalId(4)]);
        assert_eq!((objectives.column(GoalId(4)), objectives.column(GoalId(1))), (Some(1), None));
        let trace = fixture.program.trace(&["run"], &[(valid, 1.0)]);
        let mut vector = Vec::new();
        fixture.function.evaluate(&trace, &objectives, &[], &mut vector);
        assert_eq!(vector, [0.5, 3.5]);
    }
}
