//! Symbolic execution for a search: the classes that it interprets, its solver, and how the search has it.

use std::sync::Arc;

use bytecode::class_path::ClassPath;
use bytecode::hierarchy::ClassHierarchy;
use concolic::dse::{ExplorationOptions, SymbolicExecution};
use concolic::solver::SOLVERS;
use jvm::home::JavaHome;
use search::options::SearchOptions;

use crate::job::ClassJob;

/// The symbolic execution of a job. Class files are read when it is first applied.
pub(super) fn symbolic_execution(job: &ClassJob, options: &SearchOptions) -> SymbolicExecution {
    let places = job.places.clone();
    let open = move || {
        let home = JavaHome::find(&places.java_home).ok()?;
        let opened = ClassPath::open(home.path(), home.version(), &places.class_path).ok()?;
        Some(Arc::new(ClassHierarchy::new(Arc::new(opened))))
    };
    let exploration = ExplorationOptions {
        is_filtered: job.search.algorithm == "hybrid" && options.hybrid.filter,
        prefers_open: options.local_search.extended,
        ..ExplorationOptions::default()
    };
    let solver = SOLVERS.iter().find(|solver| solver.name == job.search.solver);
    SymbolicExecution::new(open, exploration, solver.unwrap_or(&SOLVERS[0]))
}
