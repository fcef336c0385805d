//! Prints, for each solver and each problem that all solvers are asked, the answer and the median time of five runs.

#![expect(clippy::print_stdout, reason = "it is what it is for")]

#[path = "../tests/all/problems/mod.rs"]
mod problems;

use concolic::solver::{Answer, Limits, Query, SOLVERS, Solving};
use concolic::term::Terms;
use problems::{CASES, Expected, seed};
use testcase::clock::Clock;

const RUNS: usize = 5;

fn main() {
    for entry in &SOLVERS {
        let mut medians = Vec::new();
        for case in CASES {
            let mut times = Vec::new();
            let mut last = None;
            for _ in 0..RUNS {
                let mut terms = Terms::new();
                let conditions = (case.conditions)(&mut terms);
                let mut solving = Solving::new(entry);
                let seed = seed();
                let query =
                    Query { terms: &terms, conditions: &conditions, seed: &seed, limits: Limits::default() };
                let clock = Clock::start();
                last = Some(solving.solve(&query));
                times.push(clock.now());
            }
            times.sort_unstable();
            let said = match last {
                Some(Answer::Model(_)) => "model".to_owned(),
                Some(Answer::Unsatisfiable) => "unsatisfiable".to_owned(),
                Some(Answer::Unknown(why)) => format!("unknown: {why:?}"),
                None => String::new(),
            };
            let is_expected = match case.expected {
                Expected::Satisfiable => said == "model",
                Expected::Unsatisfiable => said == "unsatisfiable",
            };
            let milliseconds = times[RUNS / 2].as_secs_f64() * 1e3;
            println!("{:14} {:24} {milliseconds:9.2} ms  {said}", entry.name, case.name);
            if is_expected {
                medians.push(milliseconds);
            }
        }
        medians.sort_unstable_by(f64::total_cmp);
        let median = medians.get(medians.len() / 2).copied().unwrap_or(0.0);
        println!("{:14} solved {} of {}, median {median:.2} ms\n", entry.name, medians.len(), CASES.len());
    }
}
