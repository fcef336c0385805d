//! Area under the curve of coverage over the budget.
//!
//! Panichella, Kifetew and Tonella 2018 (DynaMOSA), §4.6, Equation 10: the trapezoidal rule over equal intervals, so that
//! an algorithm that covers early has more than one that covers the same late.

use crate::budget::Limit;
use crate::event::{Progress, Timeline};

/// Equal intervals into which the budget is cut: 16 points of coverage.
const INTERVALS: u32 = 15;

/// The area from 0 to 100: 100 where everything was covered from the start of the budget. Between two points of the
/// timeline coverage is that of the earlier one; before the first, nothing is covered. A timeline that ends before the
/// budget keeps its last coverage: the search was done.
pub fn area_under_curve(timeline: &Timeline, limit: Limit) -> f64 {
    let covered =
        (0..=INTERVALS).map(|index| coverage_at(timeline, limit, f64::from(index) / f64::from(INTERVALS)));
    let covered: Vec<f64> = covered.collect();
    let interval = 1.0 / f64::from(INTERVALS);
    let sum: f64 = covered.windows(2).map(|pair| pair.iter().sum::<f64>()).sum();
    sum * interval / 2.0 * 100.0
}

/// Share of the goals that are covered when that share of the budget is used, 0 to 1.
fn coverage_at(timeline: &Timeline, limit: Limit, share: f64) -> f64 {
    let is_reached = |point: &&Progress| match limit {
        Limit::Time(limit) => point.elapsed.as_secs_f64() <= share * limit.as_secs_f64(),
        Limit::Executions(limit) => point.executions as f64 <= share * limit as f64,
    };
    let last = timeline.points().iter().take_while(is_reached).last();
    last.map_or(0.0, |point| if point.total == 0 { 1.0 } else { point.covered as f64 / point.total as f64 })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn point(executions: u64, covered: usize, total: usize, elapsed: Duration) -> Progress {
        let (statements, evaluations) = (executions, executions);
        Progress { executions, statements, evaluations, covered, total, generation: 0, elapsed }
    }

    /// Points of executions and covered goals out of 10; a second is 100 executions.
    fn check(points: &[(u64, usize)], expect: f64) {
        let mut timeline = Timeline::default();
        for &(executions, covered) in points {
            let elapsed = Duration::from_millis(10 * executions);
            timeline.record(point(executions, covered, 10, elapsed));
        }
        for limit in [Limit::Executions(1500), Limit::Time(Duration::from_secs(15))] {
            let area = area_under_curve(&timeline, limit);
            assert!((area - expect).abs() < 1e-9, "{area} in place of {expect} of {limit:?}");
        }
    }

    #[test]
    fn the_area_is_that_of_equation_10() {
        check(&[], 0.0);
        check(&[(0, 10)], 100.0);
        check(&[(0, 5)], 50.0);
        // All covered from the end on: half of the last of 15 intervals.
        check(&[(1500, 10)], 100.0 / 30.0);
        // Half covered at 300, all at 900: the points 3 to 8 count half, those from 9 on fully, the last one by half.
        check(&[(300, 5), (900, 10)], (6.0 * 0.5 + 6.0 + 0.5) / 15.0 * 100.0);
        // What happens between two points of the grid counts from the next one.
        check(&[(201, 5), (801, 10)], (6.0 * 0.5 + 6.0 + 0.5) / 15.0 * 100.0);
    }

    #[test]
    fn earlier_coverage_has_more_area() {
        let area = |at| {
            let mut timeline = Timeline::default();
            let elapsed = Duration::from_millis(at);
            timeline.record(point(at, 4, 4, elapsed));
            area_under_curve(&timeline, Limit::Executions(1000))
        };
        assert!([900, 600, 300, 10].map(area).is_sorted_by(|a, b| a < b));
    }
}
