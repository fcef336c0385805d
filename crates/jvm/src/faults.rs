//! Calls that runs had to be ended in, and what follows from that: which tests are not run again.
//!
//! The account is kept over the lives of all workers of a class: the parent notes what a worker reports or dies of, and
//! hands the account to the next one.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use testcase::cluster::Call;
use testcase::statement::Statement;
use testcase::test_case::TestCase;

/// How much a call may be charged with before it is banned.
const MOST: u32 = 4;

/// How a run was ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Severity {
    /// It had used up its time before its steps, and stopped at a probe.
    Slow,
    /// An exception was thrown into the JDK, or the process ended.
    Damaging,
    /// Loading its classes does not end, and never will.
    Hopeless,
}

impl Severity {
    /// What a call is charged with: slow ones are forgiven four times, those that cost a JVM twice.
    fn charge(self) -> u32 {
        match self {
            Self::Slow => 1,
            Self::Damaging => 2,
            Self::Hopeless => MOST,
        }
    }
}

/// A run that had to be ended by other means than its steps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The test.
    pub test: TestCase,
    /// Position of the statement that ran.
    pub position: usize,
    /// How it was ended.
    pub severity: Severity,
}

/// The account of a class.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Faults {
    charged: BTreeMap<Call, u32>,
    fatal: BTreeSet<TestCase>,
}

impl Faults {
    /// Adds a fault; gives the call if it is banned from now on.
    pub fn note(&mut self, fault: Fault) -> Option<Call> {
        let call = fault.test.statements().get(fault.position).and_then(Statement::call);
        if fault.severity != Severity::Slow {
            self.fatal.insert(fault.test);
        }
        let charged = self.charged.entry(call?).or_default();
        let before = *charged;
        *charged = before.saturating_add(fault.severity.charge());
        call.filter(|_| before < MOST && *charged >= MOST)
    }

    /// Calls that no new test should have, ascending.
    pub fn banned(&self) -> Vec<Call> {
        self.charged.iter().filter(|(_, charged)| **charged >= MOST).map(|(call, _)| *call).collect()
    }

    /// Whether this very test cost a JVM.
    pub fn is_fatal(&self, test: &TestCase) -> bool {
        self.fatal.contains(test)
    }

    /// Whether a test has a call that is banned.
    pub(crate) fn has_banned(&self, test: &TestCase) -> bool {
        self.most_charged(test) >= MOST
    }

    /// Whether a test has a call that runs were ended in.
    pub(crate) fn has_charged(&self, test: &TestCase) -> bool {
        self.most_charged(test) > 0
    }

    fn most_charged(&self, test: &TestCase) -> u32 {
        if self.charged.is_empty() {
            return 0;
        }
        let calls = test.statements().iter().filter_map(Statement::call);
        calls.filter_map(|call| self.charged.get(&call)).copied().max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testcase::cluster::{CallableId, StubId};
    use testcase::statement::Script;

    fn test(calls: &[u32]) -> TestCase {
        let call = |id: &u32| Statement::Constructor {
            callable: CallableId(*id),
            arguments: [].into_iter().collect(),
        };
        TestCase::new(calls.iter().map(call).collect())
    }

    fn called(id: u32) -> Call {
        Call::Callable(CallableId(id))
    }

    fn fault(calls: &[u32], position: usize, severity: Severity) -> Fault {
        Fault { test: test(calls), position, severity }
    }

    #[test]
    fn a_call_is_banned_after_so_many_faults() {
        let check = |severity, expect: usize| {
            let mut faults = Faults::default();
            let count = (1..=10).find(|_| faults.note(fault(&[7, 8], 1, severity)) == Some(called(8)));
            assert_eq!((count, faults.banned()), (Some(expect), vec![called(8)]), "{severity:?}");
            assert_eq!(faults.note(fault(&[8], 0, severity)), None, "it is told once");
            assert!(faults.has_banned(&test(&[1, 8])) && !faults.has_charged(&test(&[7])));
        };
        check(Severity::Slow, 4);
        check(Severity::Damaging, 2);
        check(Severity::Hopeless, 1);
    }

    #[test]
    fn only_tests_that_cost_a_jvm_are_fatal() {
        let mut faults = Faults::default();
        faults.note(fault(&[1], 0, Severity::Slow));
        faults.note(fault(&[2], 0, Severity::Damaging));
        // Where it was is not known.
        assert_eq!(faults.note(fault(&[3], 5, Severity::Hopeless)), None);
        assert_eq!([1, 2, 3].map(|id| faults.is_fatal(&test(&[id]))), [false, true, true]);
        assert_eq!([1, 2, 3].map(|id| faults.has_charged(&test(&[id]))), [true, true, false]);
    }

    #[test]
    fn constructors_below_stubs_are_charged_to_these() {
        let script = Script { arguments: [].into_iter().collect(), answers: Vec::new() };
        let stub = Statement::Stub { stub: StubId(5), script: Box::new(script) };
        let test = TestCase::new(vec![stub]);
        let mut faults = Faults::default();
        let fault = Fault { test: test.clone(), position: 0, severity: Severity::Hopeless };
        assert_eq!(faults.note(fault), Some(Call::Implement(StubId(5))));
        assert!(faults.has_banned(&test));
    }
}
