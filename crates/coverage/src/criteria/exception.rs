//! Exception coverage: let calls throw every exception that they can be made to throw.
//!
//! Zhou et al. 2023 (smart selection), §2.1; Rojas et al. 2015 (combining multiple coverage criteria), §2.1.7. Nobody
//! knows beforehand what can be thrown: a goal is added when a test that calls a method of the class under test ends in
//! an exception of a class, or from a source, that was not seen of this method. Such a goal is covered from the
//! beginning, so it never keeps a search going, and never guides.

use std::sync::Arc;

use bytecode::probe_map::{ProbeId, ProbeMap};
use testcase::execution::SeenException;

use crate::criterion::{Correlation, Criterion, MethodWithGoals};
use crate::goal::{Goal, GoalId, GoalKind, GoalSet};

/// The criterion.
#[derive(Debug)]
pub(crate) struct Exception;

/// Its name.
pub const NAME: &str = "exception";

impl Criterion for Exception {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> &'static str {
        "let calls throw whatever they can be made to throw"
    }

    fn definition(&self) -> &'static str {
        "A goal per method that tests call, class of an exception that it let through, and where that comes from: declared \
         (checked, in the throws clause), explicit (a throw in code of the project) or implicit (the JVM or a library). \
         Goals appear when a test is the first to cover them; coverage is a count."
    }

    fn source(&self) -> &'static str {
        "Zhou et al. 2023 (coverage goal selector), section 2.1 (EC)."
    }

    fn correlation(&self) -> Correlation {
        Correlation::Alone
    }

    fn is_open_ended(&self) -> bool {
        true
    }

    fn is_default(&self) -> bool {
        true
    }

    fn appears_in_runs(&self) -> bool {
        true
    }

    fn goals(&self, _: &MethodWithGoals<'_>, _: &mut Vec<Goal>) {}
}

/// Adds the goals of exceptions from the one at index `known` on; `first` is the probe of the one at index 0
/// ([`testcase::execution::Executor::exceptions`]). Gives their ids.
pub fn add_exceptions(
    goals: &mut GoalSet,
    maps: &[ProbeMap],
    exceptions: &[SeenException],
    known: usize,
    first: usize,
) -> Vec<GoalId> {
    let criterion: Arc<str> = NAME.into();
    let add = |(index, seen): (usize, &SeenException)| {
        let probe = ProbeId((first + index) as u32);
        let map = maps.iter().find(|map| map.class == seen.class);
        let is_it = |name: &str, descriptor: &str| seen.method.strip_prefix(name) == Some(descriptor);
        let mut methods = map.iter().flat_map(|map| &map.methods);
        let method = methods.find(|method| is_it(&method.name, &method.descriptor));
        let goal = Goal {
            criterion: criterion.clone(),
            class: seen.class.clone(),
            hash: map.map_or(0, |map| map.hash),
            method: seen.method.clone(),
            kind: GoalKind::Throw { exception: seen.exception.clone(), kind: seen.kind },
            line: method.and_then(|method| method.first_line),
            // A method without code has no entry of its own.
            entry: method.map_or(probe, |method| method.entry),
            outcome: None,
            covered_by: Vec::new(),
            controlled_by: Vec::new(),
        };
        goals.add(goal, probe)
    };
    exceptions.iter().enumerate().skip(known).map(add).collect()
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
        assert_eq!(add_exceptions(&mut goals, &maps, &exceptions[..1], 0, 40), [GoalId(1)]);
        assert_eq!(add_exceptions(&mut goals, &maps, &exceptions, 1, 40), [GoalId(2), GoalId(3)]);
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
}
