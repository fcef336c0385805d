//! Whether what a test shows depends on the moment or on chance.
//!
//! In a session all runs begin at the same moment, and sources of randomness with the same seed, so that the first two looks at a
//! time or an identifier agree. A run that reads the clock, or draws from a source that no seed fixes, runs once more at another
//! moment and with other seeds. What static state of the classes took of them when it was initialized stays.

use testcase::assertion::ObservationPoint;
use testcase::execution::{Observations, Outcome, Touched};
use testcase::test_case::TestCase;

use super::JvmExecutor;
use super::isolation::Isolation;
use super::mutant_runs::Askable;

impl JvmExecutor {
    /// What [`Executor::observe`](testcase::execution::Executor::observe) gives, and what the run touched.
    pub(super) fn observe_here(
        &mut self,
        test: &TestCase,
        points: &[ObservationPoint],
    ) -> (Touched, Observations) {
        self.recorder.ask_for(&self.jvm, &mut self.health, false);
        if let Some(askable) = self.askable(test, points) {
            return self.observe_asked(test, &askable);
        }
        let values = vec![None; points.len()];
        (Touched::default(), Observations { outcome: Outcome::TimedOut, values })
    }

    /// Leaves of what a run showed that touched these, what it shows at another moment as well. How it ended is not looked at: that
    /// another run ends otherwise is seen when the suite is run again.
    pub(super) fn leave_what_lasts(
        &mut self,
        test: &TestCase,
        points: &[ObservationPoint],
        touched: Touched,
        seen: &mut Observations,
    ) {
        if !touched.intersects(Touched::CLOCK) {
            return;
        }
        let Some(askable) = self.askable(test, points) else { return };
        self.isolation.move_to_another_moment(&self.jvm);
        let other = self.observe_asked(test, &askable).1;
        self.isolation.move_back(&self.jvm);
        for (value, other) in seen.values.iter_mut().zip(other.values) {
            if *value != other {
                *value = None;
            }
        }
    }

    fn observe_asked(&mut self, test: &TestCase, askable: &Askable) -> (Touched, Observations) {
        Isolation::settle(&self.jvm);
        self.isolation.set_caches(&self.jvm, true);
        let (ended, values) = self.run_observed(test, self.limits.full, &askable.points);
        self.discard_trace();
        (ended.touched, Observations { outcome: ended.outcome, values: askable.spread(values) })
    }
}
