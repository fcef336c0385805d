//! The goals that the search aims at right now.
//!
//! Panichella, Kifetew and Tonella 2018 (DynaMOSA), Algorithm 7 (UPDATE-TARGETS).
//!
//! # Differences
//! * The listing marks an edge as visited only where it stops; edges are marked on entry here, so that a cycle ends.
//!   The marks last for one call.
//! * A target whose outcome was taken without the evidence that it counts as covered also lets its children in, and
//!   stays a target: nothing else keeps them from being reached.
//! * So does a goal that was covered before it became a target, by a run that took its parents likewise.

use coverage::fitness::Objectives;
use coverage::goal::GoalId;
use coverage::goal_graph::GoalGraph;
use fixedbitset::FixedBitSet;

/// The current targets: U* of the paper.
#[derive(Debug, Clone, Default)]
pub struct Targets {
    active: FixedBitSet,
    /// Targets whose outcome was taken.
    passed: FixedBitSet,
    visited: FixedBitSet,
    /// Goals covered or passed since the last update.
    news: Vec<GoalId>,
    is_fresh: bool,
    /// Whether covered goals stay targets.
    keeps_covered: bool,
    /// Goals that do not become targets yet.
    postponed: FixedBitSet,
    /// Those of them that would be targets.
    waiting: FixedBitSet,
    /// Their fitness vectors.
    pub(crate) objectives: Objectives,
}

impl Targets {
    /// Nothing to aim at yet, out of that many goals.
    pub fn new(goals: usize) -> Self {
        let set = || FixedBitSet::with_capacity(goals);
        Self { active: set(), passed: set(), visited: set(), ..Self::default() }
    }

    /// Aims at these goals as well; not at those that were added later, for which there is no fitness.
    pub fn activate(&mut self, goals: &[GoalId]) {
        let known = self.active.len();
        for goal in goals.iter().filter(|goal| goal.index() < known) {
            self.open(*goal);
        }
        self.is_fresh = true;
    }

    /// From now on these goals wait when they would become targets, until [`Targets::take_up`]; those that are targets do so at once.
    pub fn postpone(&mut self, goals: impl IntoIterator<Item = GoalId>) {
        for goal in goals {
            self.postponed.grow_and_insert(goal.index());
            if self.active.contains(goal.index()) {
                self.active.set(goal.index(), false);
                self.waiting.grow_and_insert(goal.index());
                self.is_fresh = true;
            }
        }
    }

    /// What was postponed and is due waits no longer; gives these goals, ascending.
    pub fn take_up(&mut self, is_due: impl Fn(GoalId) -> bool) -> Vec<GoalId> {
        let postponed = self.postponed.ones().map(|goal| GoalId(goal as u32));
        let due: Vec<GoalId> = postponed.filter(|&goal| is_due(goal)).collect();
        for goal in &due {
            self.postponed.set(goal.index(), false);
            if self.waiting.contains(goal.index()) {
                self.waiting.set(goal.index(), false);
                self.active.insert(goal.index());
            }
        }
        self.is_fresh = true;
        due
    }

    /// Whether a goal is to wait.
    pub fn is_postponed(&self, goal: GoalId) -> bool {
        self.postponed.contains(goal.index())
    }

    /// Makes a goal a target, now or later.
    fn open(&mut self, goal: GoalId) {
        if self.is_postponed(goal) {
            self.waiting.grow_and_insert(goal.index());
        } else {
            self.active.insert(goal.index());
        }
    }

    /// Keeps targets when they are covered, from now on.
    pub fn keep_covered(&mut self) {
        self.keeps_covered = true;
    }

    /// Whether covered goals stay targets.
    pub fn keeps_covered(&self) -> bool {
        self.keeps_covered
    }

    /// Notes that the outcome of a target was taken.
    pub fn pass(&mut self, goal: GoalId) {
        if self.active.contains(goal.index()) && !self.passed.put(goal.index()) {
            self.news.push(goal);
        }
    }

    /// Notes that goals were covered for the first time.
    pub fn cover(&mut self, goals: &[GoalId]) {
        self.news.extend_from_slice(goals);
    }

    /// The targets, ascending.
    pub fn goals(&self) -> impl Iterator<Item = GoalId> + '_ {
        self.active.ones().map(|goal| GoalId(goal as u32))
    }

    /// The columns of the fitness vectors.
    pub fn objectives(&self) -> &Objectives {
        &self.objectives
    }

    /// UPDATE-TARGETS: drops covered targets and aims at the nearest uncovered goals behind them. Whether anything
    /// changed.
    pub fn update(&mut self, graph: &GoalGraph, is_covered: impl Fn(GoalId) -> bool) -> bool {
        let was_fresh = std::mem::take(&mut self.is_fresh);
        if !was_fresh && self.news.is_empty() {
            return false;
        }
        if self.keeps_covered {
            self.news.clear();
            return self.active.count_ones(..) != self.objectives.len();
        }
        let before = self.active.clone();
        let mut pending = std::mem::take(&mut self.news);
        for goal in before.ones().map(|goal| GoalId(goal as u32)).filter(|&goal| is_covered(goal)) {
            self.active.set(goal.index(), false);
            pending.push(goal);
        }
        self.visited.clear();
        while let Some(goal) = pending.pop() {
            for &child in graph.children(goal) {
                if self.visited.put(child.index()) {
                    continue;
                }
                if is_covered(child) {
                    pending.push(child);
                } else {
                    self.open(child);
                }
            }
        }
        // What was activated since the last time is in both.
        self.active != before || (was_fresh && self.active.count_ones(..) != self.objectives.len())
    }
}

#[cfg(test)]
mod tests {
    use bytecode::instruction::InstructionIndex;
    use bytecode::probe_map::{
        Branch, BranchKind, Evidence, MethodProbes, Outcome, OutcomeId, ProbeId, ProbeMap,
    };
    use coverage::criterion;

    use super::*;

    /// One method of branches with two outcomes; branch `n` has outcomes `2n` and `2n + 1`, which are its goals.
    fn graph(controlled_by: &[&[u32]]) -> (GoalGraph, usize) {
        let outcome = |id| Outcome {
            id: OutcomeId(id),
            keys: Vec::new(),
            is_goal: true,
            covered_by: vec![Evidence::Taken(OutcomeId(id))],
        };
        let branches = (0..).zip(controlled_by).map(|(index, controlled_by)| Branch {
            instruction: InstructionIndex(index),
            line: None,
            probe: ProbeId(index + 1),
            kind: BranchKind::Integer,
            outcomes: vec![outcome(2 * index), outcome(2 * index + 1)],
            controlled_by: controlled_by.iter().copied().map(OutcomeId).collect(),
            in_loop: false,
        });
        let method =
            MethodProbes { branches: branches.collect(), ..MethodProbes::new("m", "()V", ProbeId(0)) };
        let map = ProbeMap { class: "Foo".into(), hash: 0, methods: vec![method], skipped: Vec::new() };
        let maps = [map];
        let goals = criterion::goals(&["branch"], &maps).unwrap();
        (GoalGraph::new(&maps, &goals, false), goals.len())
    }

    struct Session {
        graph: GoalGraph,
        targets: Targets,
        covered: Vec<GoalId>,
    }

    impl Session {
        fn new(controlled_by: &[&[u32]]) -> Self {
            let (graph, goals) = graph(controlled_by);
            let mut targets = Targets::new(goals);
            targets.activate(graph.roots());
            Self { graph, targets, covered: Vec::new() }
        }

        fn cover(&mut self, goals: &[u32], expect: &[u32]) {
            let goals: Vec<_> = goals.iter().copied().map(GoalId).collect();
            self.covered.extend_from_slice(&goals);
            self.targets.cover(&goals);
            self.check(expect);
        }

        fn check(&mut self, expect: &[u32]) {
            self.targets.update(&self.graph, |goal| self.covered.contains(&goal));
            assert_eq!(self.targets.goals().map(|goal| goal.0).collect::<Vec<_>>(), expect);
        }
    }

    #[test]
    fn covering_a_target_lets_in_what_it_controls() {
        let mut session = Session::new(&[&[], &[0], &[3], &[]]);
        session.check(&[0, 1, 6, 7]);
        session.cover(&[0], &[1, 2, 3, 6, 7]);
        session.cover(&[6], &[1, 2, 3, 7]);
        session.cover(&[3], &[1, 2, 4, 5, 7]);
    }

    #[test]
    fn what_is_postponed_waits_until_it_is_taken_up() {
        let mut session = Session::new(&[&[], &[0], &[3]]);
        session.targets.postpone([GoalId(1), GoalId(2)]);
        session.targets.activate(&[]);
        session.check(&[0]);
        session.cover(&[0], &[3]);
        assert_eq!(session.targets.take_up(|goal| goal == GoalId(2)), [GoalId(2)]);
        session.check(&[2, 3]);
        assert_eq!(session.targets.take_up(|_| true), [GoalId(1)]);
        session.check(&[1, 2, 3]);
        assert_eq!(session.targets.take_up(|_| true), []);
        session.cover(&[3], &[1, 2, 4, 5]);
    }

    #[test]
    fn the_first_targets_are_news_though_nothing_was_covered() {
        let mut session = Session::new(&[&[], &[0]]);
        assert!(session.targets.update(&session.graph, |_| false));
        assert!(!session.targets.update(&session.graph, |_| false));
    }

    #[test]
    fn figure_3_starts_with_b1_and_b4_and_goes_on_with_b2_and_b3() {
        // if (a == b) { if (a > c) … else … }  if (b == c) …: 0 is b1, 2 and 3 are b2 and b3, 4 is b4.
        let mut session = Session::new(&[&[], &[0], &[]]);
        session.check(&[0, 1, 4, 5]);
        // Nothing depends on b4, nor on what b1 is not.
        session.cover(&[1, 4], &[0, 5]);
        session.cover(&[0], &[2, 3, 5]);
        session.cover(&[2, 3, 5], &[]);
    }

    #[test]
    fn covered_goals_are_passed_through_to_the_nearest_uncovered_ones() {
        let mut session = Session::new(&[&[], &[0], &[3], &[4]]);
        session.cover(&[0, 3, 4], &[1, 2, 5, 6, 7]);
    }

    #[test]
    fn any_covered_parent_is_enough() {
        let mut session = Session::new(&[&[], &[], &[0, 2]]);
        session.cover(&[2], &[0, 1, 3, 4, 5]);
    }

    #[test]
    fn a_cycle_ends() {
        let mut session = Session::new(&[&[2], &[0]]);
        session.cover(&[0, 2], &[1, 3]);
    }

    #[test]
    fn a_target_that_was_taken_lets_its_children_in_and_stays() {
        let mut session = Session::new(&[&[], &[0]]);
        session.targets.pass(GoalId(0));
        session.targets.pass(GoalId(2));
        session.check(&[0, 1, 2, 3]);
    }

    #[test]
    fn a_goal_covered_before_it_was_a_target_lets_its_children_in() {
        let mut session = Session::new(&[&[], &[0], &[2]]);
        session.cover(&[2], &[0, 1, 4, 5]);
    }

    #[test]
    fn covered_targets_stay_where_they_are_kept() {
        let mut session = Session::new(&[&[], &[0]]);
        session.targets.activate(&[0, 1, 2, 3].map(GoalId));
        session.targets.keep_covered();
        session.cover(&[0, 3], &[0, 1, 2, 3]);
    }

    #[test]
    fn nothing_new_changes_nothing() {
        let (graph, goals) = graph(&[&[]]);
        let mut targets = Targets::new(goals);
        targets.activate(graph.roots());
        targets.update(&graph, |_| false);
        assert!(!targets.update(&graph, |_| panic!("nobody asks")));
    }
}
