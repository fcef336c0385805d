//! What is left of a suite where time ends while its tests run for the first time.

use project::request::JunitChoice;
use verify::jvm::{JvmError, TestEnd};
use verify::protocol::{Outcome, Problem, Start};
use verify::suite::{Selection, SuiteSource, TestName};
use verify::verifier::{Bench, Checked, Orders, verify};

use crate::support::written::Written;
use output::junit::printed::PrintedSuite;

/// A bench on which everything compiles, one test passes, and nothing else is reached.
struct OneTest;

impl Bench for OneTest {
    fn compile(&mut self, _: Vec<(String, String)>) -> Result<Vec<Problem>, JvmError> {
        Ok(Vec::new())
    }

    fn check(&mut self, _: Vec<(String, String)>) -> Result<Vec<Problem>, JvmError> {
        Ok(Vec::new())
    }

    fn run_both(&mut self, orders: [&[TestName]; 2], _: [Start; 2]) -> Result<[Vec<TestEnd>; 2], JvmError> {
        let end = |test: &TestName| {
            let is_reached = test.method.ends_with('0');
            if is_reached { TestEnd::Outcome(Outcome::Passed) } else { TestEnd::Unreached }
        };
        Ok(orders.map(|order| order.iter().map(end).collect()))
    }
}

/// A suite some of whose tests were verified before.
struct Known(Written, &'static [usize]);

impl SuiteSource for Known {
    fn test_count(&self) -> usize {
        self.0.test_count()
    }

    fn print(&self, selection: &Selection) -> PrintedSuite {
        self.0.print(selection)
    }

    fn was_verified(&self, test: usize) -> bool {
        self.1.contains(&test)
    }
}

#[test]
fn tests_that_were_verified_before_stay_where_time_ends() {
    let check = |known: &'static [usize], expect: &[usize]| {
        let written =
            Written { class: "p.ATest", junit: JunitChoice::Jupiter, tests: vec!["assertTrue(true);"; 3] };
        let orders = Orders { seed: 1, alone: false };
        let suite = Known(written, known);
        let found = verify(&mut OneTest, &[&suite], Vec::new(), orders, &mut Checked::default()).unwrap();
        let printed = found.suites[0].printed.as_ref().unwrap();
        let left: Vec<usize> = printed.tests.iter().map(|test| test.test).collect();
        assert_eq!(left, expect);
        assert_eq!((found.is_complete, found.is_reached), (false, known.is_empty()));
        assert!(found.dropped.iter().all(|dropped| dropped.cause.to_string() == "there was no time for it"));
    };
    check(&[], &[0]);
    check(&[2], &[0, 2]);
    check(&[0, 1, 2], &[0, 1, 2]);
}
