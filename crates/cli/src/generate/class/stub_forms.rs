//! Tests with mocks, and with classes of their own where mocks do something else.

use std::collections::{BTreeMap, BTreeSet};

use verify::jvm::JvmError;
use verify::lane::Lane;
use verify::suite::Cause::Unreached;
use verify::suite::{Dropped, Selection};

use super::suite_file::SuiteFile;
use super::verification::{SuiteVerifier, TestFile, TriedOut};

impl SuiteVerifier<'_> {
    /// As [`Self::try_out`], with the file that was tried out last. Where a test with a mock does not hold, or not all that it asserts, a
    /// mock may do something else than the stub did in the search: such tests are tried with classes, if there is time, and have
    /// them where more of them holds so.
    pub(super) fn try_out_as_mocks(
        &self,
        file: &SuiteFile,
        selection: &Selection,
        lane: &mut Lane,
        test_file: &mut TestFile,
    ) -> Result<(SuiteFile, TriedOut), JvmError> {
        let known = test_file.refuted.as_classes(&file.suite().tests);
        let file = &file.with_classes(&known);
        let tried = self.try_out(file, selection.clone(), lane, test_file)?;
        let lost = losses(&tried.dropped);
        let failed: BTreeSet<usize> = lost.keys().copied().filter(|&test| file.has_mock(test)).collect();
        let has_time = || self.plan().is_none() || self.verification_of(file.len()) <= self.remaining();
        if failed.is_empty() || !has_time() {
            return Ok((file.clone(), tried));
        }
        let with_classes = file.with_classes(&failed);
        let Ok(tried_again) = self.try_out(&with_classes, selection.clone(), lane, test_file) else {
            return Ok((file.clone(), tried));
        };
        let better = better(&failed, &lost, &losses(&tried_again.dropped));
        tracing::debug!(?failed, ?better, dropped = ?tried.dropped, "tests with mocks were tried with classes");
        test_file.refuted.note_classes(&file.suite().tests, &better);
        if better.is_empty() {
            return Ok((file.clone(), tried));
        }
        if better.len() < failed.len() && has_time() {
            let mixed = file.with_classes(&better);
            if let Ok(tried) = self.try_out(&mixed, selection.clone(), lane, test_file) {
                return Ok((mixed, tried));
            }
        }
        Ok((with_classes, tried_again))
    }
}

/// What a test lost: all of it, or so many assertions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Loss {
    Assertions(usize),
    Whole,
}

/// By test what was dropped of it, as far as it was looked at.
fn losses(dropped: &[Dropped]) -> BTreeMap<usize, Loss> {
    let mut lost = BTreeMap::new();
    for Dropped { test, assertion, .. } in dropped.iter().filter(|dropped| dropped.cause != Unreached) {
        let of_test = lost.entry(*test).or_insert(Loss::Assertions(0));
        *of_test = match (*of_test, assertion) {
            (Loss::Assertions(count), Some(_)) => Loss::Assertions(count + 1),
            (Loss::Whole, _) | (_, None) => Loss::Whole,
        };
    }
    lost
}

/// Of these tests those that lost less afterwards.
fn better(
    tests: &BTreeSet<usize>,
    before: &BTreeMap<usize, Loss>,
    after: &BTreeMap<usize, Loss>,
) -> BTreeSet<usize> {
    let of = |losses: &BTreeMap<usize, Loss>, test| losses.get(test).copied().unwrap_or(Loss::Assertions(0));
    tests.iter().filter(|test| of(after, test) < of(before, test)).copied().collect()
}

#[cfg(test)]
mod tests {
    use verify::suite::Cause;

    use super::*;

    #[test]
    fn tests_have_classes_where_they_lose_less_with_them() {
        let dropped = |all: &[(usize, Option<usize>)]| {
            let cause = Cause::Hung;
            let one = |&(test, assertion)| Dropped { suite: 0, test, assertion, cause: cause.clone() };
            losses(&all.iter().map(one).collect::<Vec<_>>())
        };
        let tests = BTreeSet::from([1, 2, 3, 4]);
        let before = dropped(&[(1, None), (2, Some(0)), (3, Some(0)), (3, Some(1)), (4, None)]);
        let after = dropped(&[(2, Some(0)), (3, Some(1)), (4, None), (4, Some(0))]);
        assert_eq!(better(&tests, &before, &after), BTreeSet::from([1, 3]));
    }
}
