//! Pairs of numbers: AVM for two at once, where a change of one alone is undone by what ties it to the other.
//!
//! A sum or a difference that must stay what it is leaves no way for one number, yet one for two: both up, or one up and the
//! other down. Conditions on whole numbers with other coefficients leave one in small multiples of such steps.
//!
//! # Differences
//! The paper moves one variable at a time. Rosenbrock 1960, "An Automatic Method for Finding the Greatest or Least Value of a
//! Function", turns its axes for the same reason; here the few directions that code most often has are tried as they are.

use testcase::statement::Statement;
use testcase::test_case::TestCase;
use testcase::value::Value;

use super::LocalSearch;
use super::avm::{Searched, alternate};
use super::climb::Climb;
use super::{floating_point, integers};

/// Numbers that one is paired with, at most.
const MOST_PARTNERS: usize = 6;

/// Directions that are tried first: both numbers the same way, or opposite ways.
const PLAIN: [(i128, i128); 2] = [(1, 1), (1, -1)];

/// Directions of whole numbers that are tried where the plain ones are felt and lead nowhere.
const SKEWED: [(i128, i128); 12] =
    [(1, 2), (1, -2), (2, 1), (2, -1), (1, 3), (1, -3), (3, 1), (3, -1), (2, 3), (2, -3), (3, 2), (3, -2)];

/// The operator.
#[derive(Debug)]
pub(super) struct Pairs;

impl LocalSearch for Pairs {
    fn name(&self) -> &'static str {
        "pairs"
    }

    fn applies(&self, statement: &Statement) -> bool {
        let Statement::Primitive { value, .. } = statement else { return false };
        is_number(value)
    }

    fn is_ours(&self) -> bool {
        true
    }

    fn improve(&self, position: usize, climb: &mut Climb<'_>) {
        for other in partners(position, climb) {
            while !climb.is_over() && move_together(position, other, climb) {
                // What ties them holds again at another place, from which each alone may go on.
                for number in [position, other] {
                    ascend(number, climb);
                }
            }
        }
    }
}

fn is_number(value: &Value) -> bool {
    integers::range(value).is_some() || floating_point::digits(value).is_some()
}

/// AVM along one number.
fn ascend(position: usize, climb: &mut Climb<'_>) {
    if climb.value(position).is_some_and(|value| integers::range(value).is_some()) {
        integers::ascend(position, climb);
    } else {
        floating_point::ascend(position, climb);
    }
}

/// The later numbers that this one is paired with: those that a statement uses together with it, then those nearest to it.
/// Later ones have been improved already.
fn partners(position: usize, climb: &Climb<'_>) -> Vec<usize> {
    let statements = climb.test().statements();
    let uses = |statement: &Statement, at: usize| {
        let mut found = false;
        statement.for_each_use(|used| found |= used.index() == at);
        found
    };
    let is_used_beside = |other: usize| {
        statements.iter().skip(other + 1).any(|user| uses(user, position) && uses(user, other))
    };
    let (mut beside, apart): (Vec<usize>, Vec<usize>) = (position + 1..climb.begun())
        .filter(|&other| climb.value(other).is_some_and(is_number))
        .partition(|&other| is_used_beside(other));
    beside.extend(apart);
    beside.truncate(MOST_PARTNERS);
    beside
}

/// Moves two numbers in every direction; whether any move helped.
fn move_together(one: usize, other: usize, climb: &mut Climb<'_>) -> bool {
    let before = climb.improvements();
    let mut felt = false;
    // The paper's units of floating-point numbers; whole numbers have the first one alone.
    let digits = [one, other].map(|at| climb.value(at).and_then(floating_point::digits));
    let finest = digits.into_iter().flatten().min().unwrap_or(0);
    for precision in 0..=finest {
        for (by_one, by_other) in PLAIN {
            let searched = alternate(climb, |climb, step| {
                both(
                    climb,
                    (one, step.saturating_mul(by_one)),
                    (other, step.saturating_mul(by_other)),
                    precision,
                )
            });
            felt |= searched != Searched::Flat;
        }
        if !felt || climb.is_over() {
            break;
        }
    }
    if felt && digits == [None; 2] && climb.improvements() == before {
        for (by_one, by_other) in SKEWED {
            alternate(climb, |climb, step| {
                both(climb, (one, step.saturating_mul(by_one)), (other, step.saturating_mul(by_other)), 0)
            });
            if climb.is_over() {
                break;
            }
        }
    }
    climb.improvements() > before
}

/// The best test with two numbers moved, each by so many units: 1 for whole numbers, else the one of the precision.
fn both(
    climb: &Climb<'_>,
    (one, by_one): (usize, i128),
    (other, by_other): (usize, i128),
    precision: i32,
) -> Option<TestCase> {
    let moved = |at: usize, by: i128| {
        let value = climb.value(at)?;
        integers::stepped(value, by)
            .or_else(|| floating_point::stepped(value, by as f64 * 10_f64.powi(-precision)))
    };
    let (first, second) = (moved(one, by_one)?, moved(other, by_other)?);
    let mut test = climb.with_value(one, first);
    if let Some(Statement::Primitive { value, .. }) = test.statements_mut().get_mut(other) {
        *value = second;
    }
    Some(test)
}

#[cfg(test)]
mod tests {
    use super::super::options::Operators;
    use super::super::testing::{Hill, number, values};
    use super::*;

    fn test(values: &[Value]) -> TestCase {
        let statement = |value: &Value| Statement::Primitive { value: value.clone(), boxed: false };
        TestCase::new(values.iter().map(statement).collect())
    }

    /// Checks that a pair is found at which a distance is 0, in so many attempts, and not by one number at a time.
    fn check(start: [i32; 2], distance: impl Fn(i64, i64) -> f64 + Copy + 'static, most: u32) {
        let start = test(&start.map(Value::Int));
        let of = move |test: &TestCase| {
            let values = values(test);
            distance(number(&values[0]), number(&values[1]))
        };
        for (operators, is_found) in [("pairs,integers", true), ("integers", false)] {
            let mut hill = Hill::new(start.clone(), of);
            hill.options.operators = Operators::parse(operators).unwrap();
            hill.improve(&testcase::cluster::TestCluster::default());
            assert_eq!(of(&hill.best) == 0.0, is_found, "{:?}", values(&hill.best));
            assert!(!is_found || hill.attempts <= most, "{} attempts", hill.attempts);
        }
    }

    #[test]
    fn two_numbers_that_are_tied_to_each_other_move_together() {
        // As long as the first condition holds the second one counts.
        let behind = |holds: bool, missed: i64, distance: i64| {
            if holds { distance.abs() as f64 } else { 1e9 + missed.abs() as f64 }
        };
        check([0, 0], move |a, b| behind(a + b == 600, a + b - 600, a - b - 128), 600);
        check([7, -9], move |a, b| behind(a - b == 1000, a - b - 1000, a - 5_000_000), 900);
        check([3, 4], move |a, b| behind(2 * a + 3 * b == 1009, 2 * a + 3 * b - 1009, a - b - 2), 1500);
    }

    #[test]
    fn numbers_that_do_not_matter_cost_a_few_moves() {
        let mut hill = Hill::new(test(&[Value::Int(1), Value::Long(2), Value::Double(3.0)]), |_| 1.0);
        hill.options.operators = Operators::parse("pairs").unwrap();
        hill.improve(&testcase::cluster::TestCluster::default());
        assert!(hill.attempts <= 12, "{}", hill.attempts);
    }

    #[test]
    fn floating_point_numbers_move_together_digit_by_digit() {
        let of = |test: &TestCase| {
            let [Value::Double(x), Value::Double(y)] = values(test)[..] else { panic!("{test:?}") };
            if (x + y - 10.5).abs() < 1e-9 {
                (x - y - 0.25).abs().max(1e-6) - 1e-6
            } else {
                1e9 + (x + y - 10.5).abs()
            }
        };
        let mut hill = Hill::new(test(&[Value::Double(3.5), Value::Double(7.0)]), of);
        hill.options.operators = Operators::parse("pairs").unwrap();
        hill.improve(&testcase::cluster::TestCluster::default());
        assert!(of(&hill.best) == 0.0, "{:?}", values(&hill.best));
    }
}
