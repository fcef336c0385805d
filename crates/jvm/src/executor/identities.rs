//! Whether what a test shows depends on identity hash codes.
//!
//! Where these are counted ([`crate::options::IdentityHash::Counted`]), the next one tells whether a run asked for any. Objects
//! that a test makes get others in each run; its strings are literals, which have theirs for the life of the JVM, so they are
//! made anew. One counted behind the other would stay in their order in most tables, so some are passed over. What enum
//! constants, classes and other objects of the classes have stays.

use testcase::assertion::ObservationPoint;
use testcase::execution::{Executor as _, Observations};
use testcase::test_case::TestCase;

use super::JvmExecutor;
use crate::strings::{Fresh, next_identity_hash};

impl JvmExecutor {
    /// Runs the test and reads values as [`Executor::observe`](testcase::execution::Executor::observe) does, with strings that
    /// are made anew and have identity hash codes that they had in no run before. `None` if the run asks for no identity hash
    /// code.
    pub(super) fn observe_again(
        &mut self,
        test: &TestCase,
        points: &[ObservationPoint],
    ) -> Option<Observations> {
        let before = next_identity_hash(self.jvm.env(), self.jvm.agent)?;
        self.observe_anew(Fresh::Plain, test, points);
        let asked = next_identity_hash(self.jvm.env(), self.jvm.agent)?.wrapping_sub(before);
        if asked <= 1 {
            return None;
        }
        let scattered = self.interpreter.scattered_strings(&self.jvm);
        Some(self.observe_anew(scattered, test, points))
    }

    fn observe_anew(&mut self, fresh: Fresh, test: &TestCase, points: &[ObservationPoint]) -> Observations {
        self.interpreter.make_strings_anew(Some(fresh));
        let seen = self.observe(test, points);
        self.interpreter.make_strings_anew(None);
        seen
    }
}
