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
//! | infected a mutant that must be killed | 1 / (1 + impact); 1 more where it did not infect it |
//! | came within `n` control dependences | `n` + normalized distance there |
//! | entered the method only | number of control dependences to the method entry |
//! | did not enter the method | 1 more, and more the farther from the calls of an internal method |
//!
//! # Differences
//! * The papers say that a goal whose outcome was taken is covered. Goals here are covered as `JaCoCo` counts
//!   ([`crate::goal::Goal::covered_by`]), hence the second row.
//! * The distance of a goal without branch of its own (a line) is that of the outcome that directly controls it.

use std::sync::Arc;

use bytecode::probe_map::{OutcomeId, ProbeId};
use fixedbitset::FixedBitSet;
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
#[derive(Debug, Clone, Copy, PartialEq)]
struct Shape {
    method: MethodIndex,
    outcome: Option<OutcomeId>,
    /// Of a mutant that must be killed: counts once the outcome is taken.
    propagation: Option<OutcomeId>,
    approach: ApproachId,
    /// Control dependences up to the method entry, the own outcome included.
    depth: f64,
}

/// Goals for which vectors of fitness are computed, grouped so that methods a run did not enter cost next to nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Objectives {
    goals: Vec<GoalId>,
    shapes: Vec<Shape>,
    /// Fitness of a run that is as far away as can be.
    worst: Arc<[f64]>,
    groups: Vec<Group>,
    /// Column of a goal, by goal.
    columns: Vec<Option<u32>>,
}

/// The goals of one method: columns in a row, from where the group before ends.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Group {
    method: MethodIndex,
    end: usize,
    /// Distance to the entry of the method at worst.
    before: f64,
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

/// What of a run decides about its fitness for some goals.
#[derive(Debug, Clone, Default)]
pub struct Sight {
    /// Probes of method entries.
    pub probes: FixedBitSet,
    /// Outcomes.
    pub outcomes: FixedBitSet,
}

/// Fitness of one run for each objective. Holds the values for those objectives to which the run is nearer than one that
/// is as far away as can be: few of thousands.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FitnessVector {
    worst: Arc<[f64]>,
    reached: Vec<u64>,
    /// Values for the objectives reached, ascending by column.
    values: Vec<f64>,
    /// Where the values of each word of `reached` begin, and where the last ones end.
    starts: Vec<u32>,
}

impl FitnessVector {
    /// A vector by hand: `worst` is the fitness of a run that is as far away as can be, for every objective.
    pub fn of(values: Vec<f64>, worst: f64) -> Self {
        let mut vector = Self::default();
        vector.begin(&vec![worst; values.len()].into());
        for (column, value) in values.into_iter().enumerate().filter(|&(_, value)| value < worst) {
            vector.push(column, value);
        }
        vector.end();
        vector
    }

    /// Number of objectives.
    pub fn len(&self) -> usize {
        self.worst.len()
    }

    /// Whether there is no objective.
    pub fn is_empty(&self) -> bool {
        self.worst.is_empty()
    }

    /// Whether the run reached an objective, by column.
    pub fn is_reached(&self, column: usize) -> bool {
        self.reached[column / 64] >> (column % 64) & 1 == 1
    }

    /// The fitness for an objective, by column.
    pub fn value(&self, column: usize) -> f64 {
        let bit = 1 << (column % 64);
        match self.reached.get(column / 64) {
            Some(&word) if word & bit != 0 => self.reached_in(column / 64)[position(word, bit)],
            _ => self.worst[column],
        }
    }

    /// The fitness for each objective, by column.
    pub fn to_values(&self) -> Vec<f64> {
        let mut values = self.worst.to_vec();
        self.reached_values().for_each(|(column, value)| values[column] = value);
        values
    }

    /// The objectives for which the run is better than one that is as far away as can be: bit `c % 64` of word
    /// `c / 64` for column `c`. For all others all runs have the same fitness.
    pub fn reached(&self) -> &[u64] {
        &self.reached
    }

    /// The values for the objectives of a word of [`FitnessVector::reached`] whose bits are set, ascending.
    pub fn reached_in(&self, word: usize) -> &[f64] {
        &self.values[self.starts[word] as usize..self.starts[word + 1] as usize]
    }

    /// Columns of the objectives reached, ascending.
    pub fn reached_columns(&self) -> impl Iterator<Item = usize> + '_ {
        self.reached.iter().enumerate().flat_map(|(word, &bits)| ones(bits).map(move |bit| 64 * word + bit))
    }

    /// Columns of the objectives reached with the fitness for them, ascending.
    pub fn reached_values(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.reached_columns().zip(self.values.iter().copied())
    }

    /// Number of objectives reached.
    pub fn reached_number(&self) -> usize {
        self.values.len()
    }

    /// Starts anew, with nothing reached.
    fn begin(&mut self, worst: &Arc<[f64]>) {
        self.worst = worst.clone();
        self.reached.clear();
        self.reached.resize(worst.len().div_ceil(64), 0);
        self.values.clear();
    }

    /// Reaches an objective behind all that were reached before.
    fn push(&mut self, column: usize, value: f64) {
        self.reached[column / 64] |= 1 << (column % 64);
        self.values.push(value);
    }

    /// All objectives that are reached were pushed.
    fn end(&mut self) {
        self.starts.clear();
        let mut start = 0;
        for word in &self.reached {
            self.starts.push(start);
            start += word.count_ones();
        }
        self.starts.push(start);
    }

    /// Changes the value for an objective, or reaches it.
    fn set(&mut self, column: usize, value: f64) {
        let (word, bit) = (column / 64, 1 << (column % 64));
        let position = self.starts[word] as usize + position(self.reached[word], bit);
        if self.reached[word] & bit != 0 {
            self.values[position] = value;
        } else {
            self.reached[word] |= bit;
            self.values.insert(position, value);
            self.starts[word + 1..].iter_mut().for_each(|start| *start += 1);
        }
    }
}

/// Number of bits that are set below `bit`.
fn position(word: u64, bit: u64) -> usize {
    (word & (bit - 1)).count_ones() as usize
}

/// Bits that are set, ascending.
pub fn ones(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
        bits &= bits - 1;
        Some(bit)
    })
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
                let propagation = goal.mutant().map(|mutant| mutant.propagation);
                let own = u32::from(goal.outcome.is_some()) + u32::from(propagation.is_some());
                let depth = f64::from(approaches.depth(approach) + own);
                Shape { method, outcome: goal.outcome, propagation, approach, depth }
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
        let shapes: Vec<_> = goals.iter().map(|goal| self.goals[goal.index()]).collect();
        let mut objectives = Objectives { columns: vec![None; self.goals.len()], ..Objectives::default() };
        let mut worst = Vec::with_capacity(goals.len());
        for (column, (goal, shape)) in goals.iter().zip(&shapes).enumerate() {
            objectives.columns[goal.index()] = Some(column as u32);
            let end = column + 1;
            match objectives.groups.last_mut() {
                Some(group) if group.method == shape.method => group.end = end,
                _ => {
                    let before = self.approaches.farthest_before_method(shape.method);
                    objectives.groups.push(Group { method: shape.method, end, before });
                }
            }
            let before = objectives.groups.last().map_or(1.0, |group| group.before);
            worst.push(shape.depth + before);
        }
        Objectives { goals, shapes, worst: worst.into(), ..objectives }
    }

    /// What of a run decides about its fitness for these goals, unless it covers them.
    pub fn sight(&self, objectives: &Objectives) -> Sight {
        let mut sight = Sight::default();
        for group in &objectives.groups {
            if let Some(entry) = self.entries.get(group.method.index()) {
                sight.probes.grow_and_insert(entry.index());
            }
            self.approaches.see_before_method(group.method, &mut sight);
        }
        for shape in &objectives.shapes {
            for outcome in [shape.outcome, shape.propagation].into_iter().flatten() {
                sight.outcomes.grow_and_insert(outcome.index());
            }
            self.approaches.see_within_method(shape.approach, &mut sight);
        }
        sight
    }

    /// Fitness of a run for every objective, into `fitness` (overwritten), in the order of the columns.
    ///
    /// `covered` must hold the objectives that the run covers; others in it are ignored. (The caller knows them from
    /// updating its archive, at no cost for goals that are not covered.)
    pub fn evaluate(
        &mut self,
        trace: &ExecutionTrace,
        objectives: &Objectives,
        covered: &[GoalId],
        fitness: &mut FitnessVector,
    ) {
        self.run = self.run.wrapping_add(1);
        if self.run == 0 {
            self.memo.fill((0, 0.0));
            self.run = 1;
        }
        fitness.begin(&objectives.worst);
        let mut start = 0;
        for group in &objectives.groups {
            let columns = start..group.end;
            start = group.end;
            if self.is_entered(group.method, trace) {
                for column in columns {
                    fitness.push(column, self.within_method(objectives.shapes[column], trace));
                }
            } else if group.before > 1.0 {
                let before = self.approaches.before_method(group.method, trace, self.normalization);
                if before < group.before {
                    for column in columns {
                        fitness.push(column, objectives.shapes[column].depth + before);
                    }
                }
            }
        }
        fitness.end();
        for column in covered.iter().filter_map(|&goal| objectives.column(goal)) {
            fitness.set(column, 0.0);
        }
    }

    /// The vector of a run for `objectives`, each of which is among those of one of two vectors of the same run.
    pub fn rearrange(
        (old, old_vector): (&Objectives, &FitnessVector),
        (added, added_vector): (&Objectives, &FitnessVector),
        objectives: &Objectives,
    ) -> FitnessVector {
        let mut reached = Vec::with_capacity(old_vector.values.len() + added_vector.values.len());
        for (from, from_vector) in [(old, old_vector), (added, added_vector)] {
            reached.extend(from_vector.reached_values().filter_map(|(column, value)| {
                objectives.column(from.goals[column]).map(|column| (column, value))
            }));
        }
        reached.sort_unstable_by_key(|&(column, _)| column);
        let mut vector = FitnessVector::default();
        vector.begin(&objectives.worst);
        vector.values.reserve_exact(reached.len());
        for (column, value) in reached {
            vector.push(column, value);
        }
        vector.end();
        vector
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
            shape.depth + self.approaches.before_method(shape.method, trace, self.normalization)
        }
    }

    fn is_entered(&self, method: MethodIndex, trace: &ExecutionTrace) -> bool {
        self.entries.get(method.index()).is_some_and(|&entry| trace.count(entry) > 0)
    }

    fn within_method(&mut self, shape: Shape, trace: &ExecutionTrace) -> f64 {
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
        Some(distance) if distance.is_finite() => match shape.propagation {
            None => normalization.normalize(distance),
            // Not run, it is as far away as can be (Equation 9).
            Some(propagation) if distance == 0.0 => trace.distance(propagation).min(1.0),
            Some(_) => 1.0 + normalization.normalize(distance),
        },
        Some(_) => 1.0 + f64::from(u8::from(shape.propagation.is_some())) + approach(),
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
            let mut vector = FitnessVector::default();
            self.function.evaluate(trace, &objectives, &covered, &mut vector);
            for (column, &value) in vector.to_values().iter().enumerate() {
                let is_reached = vector.reached()[column / 64] >> (column % 64) & 1 == 1;
                assert_eq!(is_reached, value < objectives.worst[column]);
                assert_eq!(vector.value(column), value);
            }
            let column = |goal| objectives.column(goal).unwrap();
            let by_goal: Vec<_> = self.goals.ids().map(|goal| vector.value(column(goal))).collect();
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
    fn what_is_in_sight_is_enough() {
        let (fixture, valid) = with_helper(true);
        let runs = [
            (vec![], vec![]),
            (vec!["run"], vec![(valid, 1.0)]),
            (vec!["run", "helper"], vec![(valid, 0.0)]),
            (vec!["run", "helper", "deep"], vec![(valid, 0.0), (OutcomeId(2), 0.0), (OutcomeId(3), 5.0)]),
        ];
        for goal in fixture.goals.ids() {
            let objectives = fixture.function.objectives([goal]);
            let sight = fixture.function.sight(&objectives);
            for (entered, distances) in &runs {
                let whole = fixture.program.trace(entered, distances);
                let mut seen = ExecutionTrace::new(16, 16);
                for &probe in whole.touched().iter().filter(|probe| sight.probes.contains(probe.index())) {
                    seen.record_hits(probe, 1);
                }
                for &outcome in whole.reached().iter().filter(|id| sight.outcomes.contains(id.index())) {
                    seen.record_distance(outcome, whole.distance(outcome));
                }
                let fitness = |trace| {
                    let (mut function, mut vector) = (fixture.function.clone(), FitnessVector::default());
                    function.evaluate(trace, &objectives, &[], &mut vector);
                    vector.value(0)
                };
                assert_eq!(fitness(&seen), fitness(&whole), "{goal:?} {entered:?}");
            }
        }
    }

    #[test]
    fn a_vector_holds_what_was_reached_in_any_order() {
        let mut vector = FitnessVector::of([vec![9.0; 70], vec![3.0]].concat(), 9.0);
        for (column, value) in [(2, 5.0), (66, 4.0), (0, 6.0), (70, 1.0), (2, 0.0)] {
            vector.set(column, value);
        }
        let reached = [(0, 6.0), (2, 0.0), (66, 4.0), (70, 1.0)];
        assert!(vector.reached_values().eq(reached));
        assert!((0..71).map(|column| vector.value(column)).eq(vector.to_values()));
        assert_eq!((vector.value(1), vector.value(66), vector.len()), (9.0, 4.0, 71));
        assert_eq!((vector.reached_in(0), vector.reached_in(1)), (&[6.0, 0.0][..], &[4.0, 1.0][..]));
    }

    #[test]
    fn objectives_are_a_subset_with_columns_of_their_own() {
        let (mut fixture, valid) = with_helper(true);
        let objectives = fixture.function.objectives([GoalId(4), GoalId(0)]);
        assert_eq!(objectives.goals(), [GoalId(0), GoalId(4)]);
        assert_eq!((objectives.column(GoalId(4)), objectives.column(GoalId(1))), (Some(1), None));
        let trace = fixture.program.trace(&["run"], &[(valid, 1.0)]);
        let mut vector = FitnessVector::default();
        fixture.function.evaluate(&trace, &objectives, &[], &mut vector);
        assert_eq!(vector.to_values(), [0.5, 3.5]);
    }
}
