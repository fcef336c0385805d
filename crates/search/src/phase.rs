//! Where the time of a search goes. Measured in one generation of [`SAMPLED`], so that measuring costs nothing that
//! matters; it never influences the search.

use testcase::clock::Clock;

/// One generation of this many is measured.
pub const SAMPLED: u64 = 8;

/// A part of the work on a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Selection, crossover, mutation, new tests.
    Generation,
    /// Running the test.
    Execution,
    /// Updating archive, pools and weights of calls.
    Archive,
    /// Computing fitness.
    Fitness,
    /// Updating the targets, ranking, survival.
    Ranking,
}

impl Phase {
    /// All of them, in the order of a generation.
    pub const ALL: [Self; 5] =
        [Self::Generation, Self::Execution, Self::Archive, Self::Fitness, Self::Ranking];

    /// Its name, for reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Generation => "generation",
            Self::Execution => "execution",
            Self::Archive => "archive",
            Self::Fitness => "fitness",
            Self::Ranking => "ranking",
        }
    }
}

/// Time by phase over the measured generations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PhaseTimes {
    nanoseconds: [u64; Phase::ALL.len()],
    tests: u64,
}

impl PhaseTimes {
    /// Share of a phase, 0 to 1; 0 when nothing was measured.
    pub fn share(&self, phase: Phase) -> f64 {
        let total: u64 = self.nanoseconds.iter().sum();
        if total == 0 { 0.0 } else { self.nanoseconds[phase as usize] as f64 / total as f64 }
    }

    /// Microseconds per test in a phase; 0 when nothing was measured.
    pub fn microseconds_per_test(&self, phase: Phase) -> f64 {
        if self.tests == 0 {
            0.0
        } else {
            self.nanoseconds[phase as usize] as f64 / 1000.0 / self.tests as f64
        }
    }

    /// Tests in the measured generations.
    pub fn tests(&self) -> u64 {
        self.tests
    }
}

/// Measures phases.
#[derive(Debug, Default)]
pub struct PhaseClock {
    times: PhaseTimes,
    running: Option<(Phase, Clock)>,
    is_sampling: bool,
}

impl PhaseClock {
    /// Starts a generation; whether it is measured depends on its number.
    pub fn start_generation(&mut self, generation: u64) {
        self.is_sampling = generation.is_multiple_of(SAMPLED);
        self.running = None;
    }

    /// Ends the phase that runs and starts another.
    pub fn enter(&mut self, phase: Phase) {
        if self.is_sampling
            && let Some((running, clock)) = self.running.replace((phase, Clock::start()))
        {
            self.times.nanoseconds[running as usize] += clock.now().as_nanos() as u64;
        }
    }

    /// Counts a test that was run.
    pub fn count_test(&mut self) {
        self.times.tests += u64::from(self.is_sampling);
    }

    /// Ends the generation.
    pub fn end_generation(&mut self) {
        if let Some((running, _)) = self.running {
            self.enter(running);
        }
        self.running = None;
        self.is_sampling = false;
    }

    /// What was measured.
    pub fn times(&self) -> PhaseTimes {
        self.times
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_generation_of_some_is_measured() {
        let mut clock = PhaseClock::default();
        for generation in 0..2 * SAMPLED {
            clock.start_generation(generation);
            clock.enter(Phase::Generation);
            clock.enter(Phase::Execution);
            clock.count_test();
            clock.end_generation();
        }
        assert_eq!(clock.times().tests(), 2);
        assert_eq!(clock.times().share(Phase::Ranking), 0.0);
    }

    #[test]
    fn shares_add_up() {
        let times = PhaseTimes { nanoseconds: [3000, 4000, 1000, 0, 2000], tests: 2 };
        assert_eq!(Phase::ALL.map(|phase| times.share(phase)), [0.3, 0.4, 0.1, 0.0, 0.2]);
        assert_eq!(times.microseconds_per_test(Phase::Ranking), 1.0);
        assert_eq!(PhaseTimes::default().microseconds_per_test(Phase::Ranking), 0.0);
    }
}
