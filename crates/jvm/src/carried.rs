//! Which mutation points the code of the goal classes carries.
//!
//! A mutation point costs time in every run, also while no mutant of it is left to be infected: its call is one to the
//! compiler, across which nothing stays in a register. In loops that compute that is a multiple of what they do themselves.
//! So a class is redefined without its points once most of those that it carries are at rest, and with them again when they
//! are asked about. What runs report is the same either way.

use std::ops::Range;

use bytecode::instrument::GoalClass;
use bytecode::name::ClassName;
use bytecode::probe_map::ProbeId;

/// Runs between a redefinition and the next one that only takes points out, since the code is interpreted again for a while
/// after each. Twice as many each time, until points come back.
const FIRST_PAUSE: u64 = 200;

/// What a class carries.
#[derive(Debug)]
struct ClassPoints {
    name: ClassName,
    /// All its mutation points, ascending.
    all: Vec<ProbeId>,
    /// Those that are in its code, ascending.
    carried: Vec<ProbeId>,
    /// The run from which on points may be taken out again.
    not_before: u64,
    pause: u64,
}

/// A class that is to be given other code.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Redefinition {
    /// Its name.
    pub(crate) class: ClassName,
    /// The mutation points that it is to carry, ascending.
    pub(crate) points: Vec<ProbeId>,
    /// Whether it lacks some of them until then.
    pub(crate) is_needed: bool,
}

/// What the goal classes carry.
#[derive(Debug, Default)]
pub(crate) struct CarriedPoints {
    classes: Vec<ClassPoints>,
    /// The run from which on there may be something to do: the next one when other points are at rest, the end of a pause
    /// when a class waits for that.
    due: Option<u64>,
}

impl CarriedPoints {
    /// The classes carry all of these points.
    pub(crate) fn new(classes: &[GoalClass], points: &[ProbeId]) -> Self {
        let mut points = points.to_vec();
        points.sort_unstable();
        let with_points = |class: &GoalClass| {
            let Range { start, end } = class.probes();
            let all: Vec<ProbeId> =
                points.iter().copied().filter(|point| (start..end).contains(&point.0)).collect();
            let carried = all.clone();
            let name = class.name.clone();
            (!all.is_empty()).then_some(ClassPoints {
                name,
                all,
                carried,
                not_before: 0,
                pause: FIRST_PAUSE / 2,
            })
        };
        Self { classes: classes.iter().filter_map(with_points).collect(), due: None }
    }

    /// Other points are at rest than before.
    pub(crate) fn note_change(&mut self) {
        self.due = Some(0);
    }

    /// What is to be done before a run. `runs` counts the runs so far, `idle` are the points at rest, ascending.
    pub(crate) fn redefinitions(&mut self, runs: u64, idle: &[ProbeId]) -> Vec<Redefinition> {
        if self.due.is_none_or(|due| runs < due) {
            return Vec::new();
        }
        self.due = None;
        let mut changes = Vec::new();
        for class in &mut self.classes {
            let is_awake = |point: &ProbeId| idle.binary_search(point).is_err();
            let awake: Vec<ProbeId> = class.all.iter().copied().filter(is_awake).collect();
            let lacks = awake.iter().any(|point| class.carried.binary_search(point).is_err());
            let is_mostly_idle = awake.len() * 2 <= class.carried.len() && awake.len() < class.carried.len();
            if is_mostly_idle && !lacks && runs < class.not_before {
                self.due = Some(self.due.map_or(class.not_before, |due| due.min(class.not_before)));
            } else if lacks || is_mostly_idle {
                class.pause = if lacks { FIRST_PAUSE } else { class.pause * 2 };
                class.not_before = runs + class.pause;
                class.carried.clone_from(&awake);
                let class = class.name.clone();
                changes.push(Redefinition { class, points: awake, is_needed: lacks });
            }
        }
        changes
    }

    /// A class could not be redefined: it stays as it is.
    pub(crate) fn give_up(&mut self, name: &ClassName) {
        self.classes.retain(|class| class.name != *name);
    }
}

#[cfg(test)]
mod tests {
    use bytecode::analysis::{AnalysisOptions, ProbeIds};
    use bytecode::instrument::Limits;

    use super::*;

    fn class(name: &str, probes: Range<u32>) -> GoalClass {
        let ids = |probes| ProbeIds { probes, ..ProbeIds::default() };
        GoalClass {
            name: ClassName::new(name),
            hash: 0,
            bytes: Vec::new(),
            options: AnalysisOptions::ALL,
            limits: Limits::default(),
            ids: (ids(probes.start), ids(probes.end)),
        }
    }

    fn ids(numbers: &[u32]) -> Vec<ProbeId> {
        numbers.iter().copied().map(ProbeId).collect()
    }

    /// Two classes with the points 1, 3, 5, 7 and 11, 12.
    fn carried() -> CarriedPoints {
        CarriedPoints::new(&[class("A", 0..10), class("B", 10..20)], &ids(&[7, 5, 1, 3, 12, 11]))
    }

    #[track_caller]
    fn check(carried: &mut CarriedPoints, runs: u64, idle: &[u32], expect: &[(&str, &[u32])]) {
        let found = carried.redefinitions(runs, &ids(idle));
        let found: Vec<_> = found.iter().map(|it| (it.class.as_str(), it.points.clone())).collect();
        let expect: Vec<_> = expect.iter().map(|&(name, points)| (name, ids(points))).collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn a_class_loses_its_points_once_half_of_them_are_at_rest() {
        let mut carried = carried();
        check(&mut carried, 0, &[1, 3], &[]);
        carried.note_change();
        check(&mut carried, 0, &[1], &[]);
        carried.note_change();
        check(&mut carried, 0, &[1, 3], &[("A", &[5, 7])]);
        check(&mut carried, 1, &[1, 3], &[]);
    }

    #[test]
    fn the_next_ones_leave_after_a_pause_and_come_back_at_once() {
        let mut carried = carried();
        carried.note_change();
        check(&mut carried, 0, &[1, 3, 11, 12], &[("A", &[5, 7]), ("B", &[])]);
        carried.note_change();
        check(&mut carried, 10, &[1, 3, 5, 11, 12], &[]);
        check(&mut carried, 199, &[1, 3, 5, 11, 12], &[]);
        check(&mut carried, 200, &[1, 3, 5, 11, 12], &[("A", &[7])]);
        carried.note_change();
        check(&mut carried, 201, &[1, 5], &[("A", &[3, 7]), ("B", &[11, 12])]);
    }
}
