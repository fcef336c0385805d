//! How many steps a test may take. Few at first: most tests that need more never end, and each costs its limit. Where
//! tests often reach it, now and then one gets more, and if that lets it end, so do all from then on.

/// A retry has so many times the steps of the try before it.
const FACTOR: u32 = 10;

/// The limit, and when to doubt it. Depends on the tests run so far alone.
#[derive(Debug)]
pub(crate) struct Patience {
    steps: u32,
    most: u32,
    reached: u32,
}

impl Patience {
    /// A limit of `steps` that may grow up to `most`.
    pub(crate) fn new(steps: u32, most: u32) -> Self {
        Self { steps, most: most.max(steps), reached: 0 }
    }

    /// Steps that a test may take.
    pub(crate) fn steps(&self) -> u32 {
        self.steps
    }

    /// A test reached the limit: the limits to try it with again, ascending. There are some for the first, the fourth,
    /// the sixteenth such test and so on.
    pub(crate) fn reached(&mut self) -> Vec<u32> {
        self.reached = self.reached.saturating_add(1);
        let is_due = self.reached.is_power_of_two() && self.reached.trailing_zeros().is_multiple_of(2);
        if !is_due {
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

    #[test]
    fn the_limit_is_doubted_ever_more_seldom() {
        let mut patience = Patience::new(100, 5_000);
        let tried: Vec<u32> = (1..=70).filter(|_| !patience.reached().is_empty()).collect();
        assert_eq!(tried, [1, 4, 16, 64]);
    }

    #[test]
    fn limits_grow_up_to_the_most() {
        let mut patience = Patience::new(100, 5_000);
        assert_eq!(patience.reached(), [1_000, 5_000]);
        patience.set(1_000);
        let again: Vec<u32> = (0..3).flat_map(|_| patience.reached()).collect();
        assert_eq!((patience.steps(), again), (1_000, vec![5_000]));
        patience.set(5_000);
        assert_eq!((0..12).flat_map(|_| patience.reached()).next(), None);
    }
}
