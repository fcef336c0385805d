//! What a test shows, and whether that depends on the moment or on chance.
//!
//! In a session all runs begin at the same moment, and sources of randomness with the same seed, so that two looks at a time or an
//! identifier agree. A run that reads the clock, or draws from a source that no seed fixes, runs again at other
//! moments and with other seeds. What static state of the classes took of them when it was initialized stays.

use testcase::assertable::in_common;
use testcase::assertion::ObservationPoint;
use testcase::execution::{Observations, Outcome, Touched};
use testcase::test_case::TestCase;

use super::JvmExecutor;
use super::isolation::{Isolation, OTHER_MOMENTS};
use super::mutant_runs::Askable;

impl JvmExecutor {
    /// Runs a test and reads values at points, with `lasting` only what other moments show of them as well: of a text it may be the beginning.
    /// That another run ends otherwise is seen when the suite is run again.
    pub(super) fn observed(
        &mut self,
        test: &TestCase,
        points: &[ObservationPoint],
        lasting: bool,
    ) -> Observations {
        self.recorder.ask_for(&self.jvm, &mut self.health, false);
        let Some(askable) = self.askable(test, points) else {
            return Observations { outcome: Outcome::TimedOut, values: vec![None; points.len()] };
        };
        let (touched, mut seen) = self.observe_asked(test, &askable);
        if lasting && touched.intersects(Touched::CLOCK) {
            for moment in OTHER_MOMENTS {
                if seen.values.iter().all(Option::is_none) {
                    break;
                }
                self.isolation.move_to(&self.jvm, moment);
                let (_, other) = self.observe_asked(test, &askable);
                for (value, other) in seen.values.iter_mut().zip(other.values) {
                    *value = value.as_ref().and_then(|value| in_common(value, other.as_ref()));
                }
            }
            self.isolation.move_back(&self.jvm);
        }
        seen
    }

    fn observe_asked(&mut self, test: &TestCase, askable: &Askable) -> (Touched, Observations) {
        Isolation::settle(&self.jvm);
        self.isolation.set_caches(&self.jvm, true);
        let (ended, values) = self.run_observed(test, self.limits.full, &askable.points);
        self.discard_trace();
        (ended.touched, Observations { outcome: ended.outcome, values: askable.spread(values) })
    }
}
