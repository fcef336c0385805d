//! Goals of what only runs tell of: they are added when a run is the first to show it, behind all others.
//!
//! This is where they are numbered, for whoever keeps goals: the search, the worker that takes a job over, and the parent. All
//! come to the same numbers, since all add what was seen in the order in which it was first seen.

use bytecode::probe_map::{ProbeId, ProbeMap};
use testcase::execution::{SeenException, SeenProbes};

use crate::criteria::exception;
use crate::criterion::{Criterion, criterion};
use crate::goal::{Goal, GoalId, GoalSet};

/// Whether one of these criteria has goals that only runs tell of.
pub fn is_asked_for(criteria: &[impl AsRef<str>]) -> bool {
    criteria.iter().any(|name| criterion(name.as_ref()).is_ok_and(Criterion::appears_in_runs))
}

/// Adds the goals of what was seen and has none yet; `seen` is all of it, in the order in which it was first seen
/// ([`testcase::execution::Executor::exceptions`]), and `probes` the number of probes of the code. Gives their ids.
pub fn add_goals(
    goals: &mut GoalSet,
    maps: &[ProbeMap],
    seen: &[SeenException],
    probes: usize,
) -> Vec<GoalId> {
    let probes = SeenProbes::behind(probes);
    let known = goals.added();
    let add = |(number, seen): (usize, &SeenException)| {
        let probe = probes.probe(number);
        goals.add(exception::goal(maps, seen, probe), probe)
    };
    seen.iter().enumerate().skip(known).map(add).collect()
}

/// The goals of exceptions that are no aim; no test of ours shows them.
pub fn settled_goals(maps: &[ProbeMap], seen: &[SeenException]) -> Vec<Goal> {
    seen.iter().map(|seen| exception::goal(maps, seen, ProbeId(0))).collect()
}

#[cfg(test)]
mod tests {
    use testcase::execution::{ExceptionKind, ExecutionTrace};

    use super::*;
    use crate::sample::{ProgramBuilder, names};

    #[test]
    fn goals_appear_with_the_exceptions_that_were_seen() {
        let mut program = ProgramBuilder::new("Foo");
        program.method("bar");
        let maps = program.build();
        let mut goals = crate::criterion::goals(&["branch", "exception"], &maps).unwrap();
        let seen = |exception: &str, kind| SeenException {
            class: "Foo".into(),
            method: "bar()V".into(),
            exception: exception.into(),
            kind,
        };
        let exceptions = [
            seen("a/E", ExceptionKind::Explicit),
            seen("a/E", ExceptionKind::Implicit),
            seen("a/F", ExceptionKind::Declared),
        ];
        assert_eq!(add_goals(&mut goals, &maps, &exceptions[..1], 40), [GoalId(1)]);
        assert_eq!(add_goals(&mut goals, &maps, &exceptions, 40), [GoalId(2), GoalId(3)]);
        assert_eq!(add_goals(&mut goals, &maps, &exceptions, 40), []);
        assert_eq!(
            names(&goals)[1..],
            [
                "exception Foo#bar()V@Explicit:a/E",
                "exception Foo#bar()V@Implicit:a/E",
                "exception Foo#bar()V@Declared:a/F"
            ]
        );
        let mut trace = ExecutionTrace::new(1, 0);
        trace.record_hits(ProbeId(41), 1);
        let mut covered = Vec::new();
        goals.covered(&trace, &mut covered);
        assert_eq!(covered, [GoalId(2)]);
        assert!(goals.goal(GoalId(2)).is_covered(&trace));
    }

    #[test]
    fn they_are_asked_for_with_a_criterion_whose_goals_appear_in_runs() {
        let check =
            |criteria: &[&str], expect: bool| assert_eq!(is_asked_for(criteria), expect, "{criteria:?}");
        check(&["branch", "exception"], true);
        check(&["branch", "output"], false);
        check(&[], false);
    }
}
