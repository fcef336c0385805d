//! What all solvers have in common: no wrong answer, no model that does not hold, the same answer every time.

use crate::problems::{CASES, Case, Expected, seed};
use concolic::solver::{Answer, Limits, Query, SOLVERS, SolverEntry, Solving};
use concolic::term::Terms;

fn answer(entry: &SolverEntry, case: &Case) -> (Answer, u64) {
    let mut terms = Terms::new();
    let conditions = (case.conditions)(&mut terms);
    let mut solving = Solving::new(entry);
    let seed = seed();
    let limits = Limits { steps: 8000, conflicts: 20_000, deadline: None };
    let query = Query { terms: &terms, conditions: &conditions, seed: &seed, limits };
    (solving.solve(&query), solving.defects())
}

#[test]
fn no_solver_contradicts_what_is_known() {
    for entry in &SOLVERS {
        for case in CASES {
            let (answer, defects) = answer(entry, case);
            let contradicts = match case.expected {
                Expected::Satisfiable => answer == Answer::Unsatisfiable,
                Expected::Unsatisfiable => matches!(answer, Answer::Model(_)),
            };
            assert!(!contradicts, "{} {} {answer:?}", entry.name, case.name);
            assert_eq!(defects, 0, "{} {}", entry.name, case.name);
        }
    }
}

#[test]
fn the_default_solver_solves_them() {
    for case in CASES {
        let (answer, _) = answer(&SOLVERS[0], case);
        let is_solved = match case.expected {
            Expected::Satisfiable => matches!(answer, Answer::Model(_)),
            Expected::Unsatisfiable => answer == Answer::Unsatisfiable,
        };
        assert!(is_solved, "{} {answer:?}", case.name);
    }
}

#[test]
fn an_answer_is_the_same_every_time() {
    for case in CASES {
        assert_eq!(answer(&SOLVERS[0], case), answer(&SOLVERS[0], case), "{}", case.name);
    }
}
