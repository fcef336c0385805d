//! The default solver: a short search, then bit-blasting, then search with the steps that are left.

use crate::solver::{Answer, Limits, Problem, Solver, SolverEntry, Why};
use crate::solvers::bit_blasting::BitBlasting;
use crate::solvers::search::Search;

/// The row of the table.
pub(crate) const ENTRY: SolverEntry = SolverEntry {
    name: "built-in",
    about: "a short search, then bit-blasting, then search with the steps that are left",
    make: || Box::new(BuiltIn),
};

/// Steps of the search before bit-blasting: most conditions of real code fall to it sooner.
const FIRST_STEPS: u64 = 1500;

/// Search and bit-blasting.
#[derive(Debug)]
pub(crate) struct BuiltIn;

impl Solver for BuiltIn {
    fn solve(&mut self, problem: &Problem<'_>) -> Answer {
        let steps = problem.limits.steps;
        let with_steps = |steps: u64| Problem { limits: Limits { steps, ..problem.limits }, ..*problem };
        let first = Search.solve(&with_steps(steps.min(FIRST_STEPS)));
        if matches!(first, Answer::Model(_) | Answer::Unknown(Why::Time)) {
            return first;
        }
        let exact = BitBlasting.solve(problem);
        match exact {
            Answer::Model(_) | Answer::Unsatisfiable | Answer::Unknown(Why::Time) => exact,
            Answer::Unknown(why) => match Search.solve(&with_steps(steps.saturating_sub(FIRST_STEPS))) {
                Answer::Unknown(Why::Steps) => Answer::Unknown(why),
                last @ (Answer::Model(_) | Answer::Unsatisfiable | Answer::Unknown(_)) => last,
            },
        }
    }
}
