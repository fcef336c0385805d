//! How many steps a test may take. Few: most tests that need more never end, and each costs its limit, which steps that
//! fill memory can make very long. But where most tests reach the limit nothing would come of the class; then now and
//! then one gets more, and if that lets it end, so do all from then on.

/// A retry has so many times the steps of the try before it.
const FACTOR: u32 = 10;
/// Tests that must have reached the limit before one is tried again.
const ENOUGH: u64 = 16;

/// The limit, and when to doubt it. Depends on the tests run so far alone.
#[derive(Debug)]
pub(crate) struct Patience {
    steps: u32,
    most: u32,
    runs: u64,
    reached: u64,
}

impl Patience {
    /// A limit of `steps` that may grow up to `most`.
    pub(crate) fn new(steps: u32, most: u32) -> Self {
        Self { steps, most: most.max(steps), runs: 0, reached: 0 }
    }

    /// Steps that a test may take.
    pub(crate) fn steps(&self) -> u32 {
        self.steps
    }

    /// A test was run.
    pub(crate) fn count(&mut self) {
        self.runs += 1;
    }

    /// A test reached the limit: the limits to try it with again, ascending. There are some for the 16th such test,
    /// the 64th, the 256th and so on, if these are more than half of all.
    pub(crate) fn reached(&mut self) -> Vec<u32> {
        self.reached += 1;
        let is_due = self.reached.is_power_of_two() && self.reached.trailing_zeros().is_multiple_of(2);
        if !is_due || self.reached < ENOUGH || self.reached * 2 <= self.runs {
            return Vec::new();
        }
        let next = |&steps: &u32| (steps < self.most).then(|| steps.saturating_mul(FACTOR).min(self.most));
        std::iter::successors(Some(self.steps), next).skip(1).collect()
    }

    /// Sets the limit: of a retry, and back when no retry ended.
    pub(crate) fn set(&mut self, steps: u32) {
        self.steps = steps;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Limits tried by each of so many tests that reach the limit, with as many others before each as `others`.
    fn tried(patience: &mut Patience, tests: u32, others: u32) -> Vec<(u32, Vec<u32>)> {
        let test = |test| {
            (0..=others).for_each(|_| patience.count());
            (test, patience.reached())
        };
        (1..=tests).map(test).filter(|(_, limits)| !limits.is_empty()).collect()
    }

    #[test]
    fn the_limit_is_doubted_ever_more_seldom() {
        let tried = tried(&mut Patience::new(100, 5_000), 300, 0);
        let limits = vec![1_000, 5_000];
        assert_eq!(tried, [16, 64, 256].map(|test| (test, limits.clone())));
    }

    #[test]
    fn more_is_tried_only_where_most_tests_need_it() {
        assert_eq!(tried(&mut Patience::new(100, 5_000), 300, 1), []);
    }

    #[test]
    fn what_was_set_is_where_retries_begin() {
        let mut patience = Patience::new(100, 10_000);
        patience.set(1_000);
        assert_eq!(tried(&mut patience, 16, 0), [(16, vec![10_000])]);
        patience.set(10_000);
        assert_eq!(tried(&mut patience, 64, 0), []);
    }
}
