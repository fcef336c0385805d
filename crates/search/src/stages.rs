//! When which goals become targets of `auto`: structure, then partitions of values and mutants to be infected, then mutants to
//! be killed. What comes later is mostly covered on the way to what comes earlier, and would share the population with it.

use coverage::goal::{Goal, GoalId, GoalKind};

use crate::context::{ClassContext, SearchContext};

/// Part of a stage without a covered goal after which it ends.
const STUCK: f64 = 0.5;

/// Share of the budget after which mutants to be killed are given up, where nothing else is open and none was killed meanwhile:
/// some mutants nothing can kill, and who has a small class does not want to wait for that.
const PATIENCE: f64 = 0.03;

/// The same as a part of the time until the last one was killed; the longer of both counts.
const PATIENCE_PART: f64 = 0.5;

/// A part of the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
enum Stage {
    /// Branches, lines, methods, exceptions.
    #[default]
    Structure,
    /// And partitions of values, and mutants to be infected.
    Values,
    /// And mutants to be killed.
    Kills,
    /// These no more.
    GivenUp,
}

impl Stage {
    /// The stage in which a goal becomes a target.
    fn of(goal: &Goal) -> Self {
        match goal.kind {
            GoalKind::Mutant { propagation: Some(_), .. } => Self::Kills,
            GoalKind::Mutant { propagation: None, .. } | GoalKind::Value { .. } => Self::Values,
            GoalKind::Branch { .. }
            | GoalKind::Entry
            | GoalKind::Line(_)
            | GoalKind::Statement { .. }
            | GoalKind::Call
            | GoalKind::Return
            | GoalKind::Throw { .. } => Self::Structure,
        }
    }
}

/// The stages of one search.
#[derive(Debug, Default)]
pub(crate) struct Stages {
    now: Stage,
    /// Share of the budget that was used when it began.
    start: f64,
    /// Covered goals, and the share of the budget that was used when they became so many.
    progress: (usize, f64),
}

impl Stages {
    /// The first stage of a search: what is no target yet is postponed.
    pub(crate) fn begin(context: &mut SearchContext<'_, '_>) -> Self {
        let ClassContext { goals, graph, .. } = context.class;
        let is_structure = |id: &GoalId| Stage::of(goals.goal(*id)) == Stage::Structure;
        let has_structure = goals.ids().any(|id| graph.guides(id) && is_structure(&id));
        let auto = context.options.auto;
        let now = if auto.structure_first > 0.0 && has_structure {
            Stage::Structure
        } else if auto.kills_from > 0.0 {
            Stage::Values
        } else {
            Stage::Kills
        };
        context.postpone(goals.ids().filter(|id| Stage::of(goals.goal(*id)) > now));
        Self { now, ..Self::default() }
    }

    /// Goes on to the next stage if it is time, also when nothing is left of what this one was for or when that has long been
    /// stuck. Whether runs from now on are with mutants that those so far were without.
    pub(crate) fn go_on(&mut self, context: &mut SearchContext<'_, '_>) -> bool {
        let used = context.environment.budget.used();
        let covered = context.state.archive().covered().len();
        if self.progress.0 < covered {
            self.progress = (covered, used);
        }
        let auto = context.options.auto;
        let (next, end) = match self.now {
            Stage::Structure => (Stage::Values, auto.structure_first),
            Stage::Values => (Stage::Kills, auto.kills_from.max(self.start)),
            Stage::Kills => {
                let last = self.progress.1.max(self.start);
                let patience = PATIENCE.max(PATIENCE_PART * (last - self.start));
                if auto.pursues && used >= last + patience && only_kills(context) {
                    self.now = Stage::GivenUp;
                    context.give_up(|goal| Stage::of(goal) == Stage::Kills);
                }
                return false;
            }
            Stage::GivenUp => return false,
        };
        let is_done = context.state.generation > 0 && context.state.objectives().is_empty();
        let is_stuck = used >= self.progress.1.max(self.start) + (end - self.start) * STUCK;
        if !is_done && used < end && !is_stuck {
            return false;
        }
        (self.now, self.start) = (next, used);
        let has_more = context.take_up(|goal| Stage::of(goal) <= next);
        let has_kills = next == Stage::Values && self.go_on(context);
        has_more || has_kills
    }
}

/// Whether nothing but mutants to be killed is aimed at.
fn only_kills(context: &SearchContext<'_, '_>) -> bool {
    let goals = context.class.goals;
    context.state.objectives().goals().iter().all(|&goal| Stage::of(goals.goal(goal)) == Stage::Kills)
}
