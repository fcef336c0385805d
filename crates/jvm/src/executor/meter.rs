//! What a run cost, and which statement of it cost the most.

use testcase::execution::Cost;

/// Looks at the steps that are left behind every statement.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct CostMeter {
    left: i32,
    most: i32,
    dearest: usize,
}

impl CostMeter {
    /// A run begins with so many steps.
    pub(super) fn start(&mut self, steps: i32) {
        *self = Self { left: steps, most: 0, dearest: 0 };
    }

    /// The statement at a position has ended, and left so many.
    pub(super) fn note(&mut self, position: usize, left: i32) {
        let spent = self.left.saturating_sub(left);
        self.left = left;
        if spent > self.most {
            (self.most, self.dearest) = (spent, position);
        }
    }

    /// What a run of so many steps cost that is charged some more for threads and waits, which began at the statement
    /// `starter`.
    pub(super) fn cost(self, steps: i32, charge: u64, starter: usize) -> Cost {
        let steps = u64::try_from(steps).unwrap_or_default();
        let is_most = charge > u64::try_from(self.most).unwrap_or_default();
        Cost { steps: steps + charge, dearest: if is_most { starter } else { self.dearest } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dearest_statement_is_the_one_that_spent_the_most_steps() {
        let mut meter = CostMeter::default();
        meter.start(100);
        meter.note(0, 100);
        meter.note(1, 40);
        meter.note(2, 30);
        assert_eq!(meter.cost(70, 0, 2), Cost { steps: 70, dearest: 1 });
        assert_eq!(meter.cost(70, 1000, 2), Cost { steps: 1070, dearest: 2 });
        meter.start(5);
        assert_eq!(meter.cost(0, 0, 7), Cost::default());
    }
}
