//! Symbolic execution for a search: the classes that it interprets, its solver, how the search has it, and what is told of it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bytecode::class_path::ClassPath;
use bytecode::hierarchy::ClassHierarchy;
use concolic::dse::{ExplorationOptions, Statistics, SymbolicExecution};
use concolic::solver::{SOLVERS, Solver};
use jvm::home::JavaHome;
use search::options::SearchOptions;

use crate::job::ClassJob;
use crate::json::{Counted, SymbolicReport};

/// How long a solver takes for one condition at most, where time is the budget.
const QUERY_TIME: Duration = Duration::from_millis(50);

/// The solver of a job. To be called before the process gives up rights: one that is installed is another process.
pub(super) fn solver(job: &ClassJob) -> Box<dyn Solver> {
    let entry = SOLVERS.iter().find(|solver| solver.name == job.search.solver);
    let mut solver = (entry.unwrap_or(&SOLVERS[0]).make)();
    solver.prepare();
    solver
}

/// The symbolic execution of a job. Class files are read when it is first applied.
pub(super) fn symbolic_execution(
    job: &ClassJob,
    options: &SearchOptions,
    solver: Box<dyn Solver>,
) -> SymbolicExecution {
    let places = job.places.clone();
    let open = move || {
        let home = JavaHome::find(&places.java_home).ok()?;
        let opened = ClassPath::open(home.path(), home.version(), &places.class_path).ok()?;
        Some(Arc::new(ClassHierarchy::new(Arc::new(opened))))
    };
    let exploration = ExplorationOptions {
        is_filtered: job.search.algorithm == "hybrid" && options.hybrid.filter,
        prefers_open: options.local_search.extended,
        // Where executions are the budget, what comes of it must not depend on time.
        query_time: job.plan.is_some().then_some(QUERY_TIME),
        ..ExplorationOptions::default()
    };
    SymbolicExecution::with_solver(open, exploration, solver)
}

/// What is told of it; `None` where it was never applied.
pub(super) fn symbolic_report(statistics: &Statistics) -> Option<SymbolicReport> {
    let counted = |(name, count): (String, u64)| Counted { name, count };
    let by_reason = |reasons: &BTreeMap<&'static str, u64>| {
        let mut all: Vec<Counted> =
            reasons.iter().map(|(&reason, &count)| counted((reason.to_owned(), count))).collect();
        all.sort_by_key(|reason| std::cmp::Reverse(reason.count));
        all
    };
    let unmodelled = statistics.unmodelled(SymbolicReport::MOST_METHODS).into_iter();
    let report = SymbolicReport {
        applications: statistics.applications,
        runs: statistics.runs,
        replays: statistics.replays,
        ended: by_reason(&statistics.stopped),
        diverged: statistics.diverged,
        queries: statistics.negated,
        satisfiable: statistics.solved,
        unsatisfiable: statistics.unsatisfiable,
        unknown: by_reason(&statistics.unknown),
        unwritten: statistics.unwritten,
        repeated: statistics.repeated,
        strayed: statistics.strayed,
        strayed_behind: statistics.strayed_behind,
        oversized: statistics.oversized,
        solver_seconds: statistics.solver_time.as_secs_f64(),
        unmodelled: unmodelled.map(|(method, calls)| counted((method.to_string(), calls))).collect(),
    };
    (statistics.applications > 0).then_some(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_never_applied_has_no_report_and_reasons_are_in_order() {
        let mut statistics = Statistics::default();
        assert_eq!(symbolic_report(&statistics), None);
        statistics.applications = 2;
        statistics.negated = 9;
        statistics.unknown = [("conflicts", 1), ("steps", 4)].into_iter().collect();
        let report = symbolic_report(&statistics).expect("it was applied");
        let reasons: Vec<_> =
            report.unknown.iter().map(|reason| (reason.name.as_str(), reason.count)).collect();
        assert_eq!((report.queries, reasons), (9, vec![("steps", 4), ("conflicts", 1)]));
    }
}
