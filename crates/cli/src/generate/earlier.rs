//! Before classes that have changed are searched, the tests that they have run once more: what they say that does not hold any more
//! is a change of behaviour, and is not overwritten without a word. Those that hold stay in the file of a class that is searched.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use project::targets::Target;
use verify::jvm::TEST_LIMIT;
use verify::lane::{Compiled, Judges};
use verify::rerun::{Failed, NotCompiled, Rerun, rerun};
use verify::test_file::TestFile;

use super::prepared::Prepared;
use super::verifiers;
use crate::known::Earlier;

/// What is done with a class that has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It is searched; tests that fail are replaced.
    Searched,
    /// It is searched; tests that fail stay until they are to be replaced.
    Extended,
    /// Its own code is as it was and its tests hold: they stay.
    Confirmed,
    /// Its tests fail, and there is no search that would go on from them: all stay.
    Left,
}

/// What came of the tests of classes that have changed.
#[derive(Debug, Default)]
pub(super) struct Looked {
    /// Classes whose tests stay since they hold, by binary name.
    pub confirmed: Vec<String>,
    /// Classes whose tests stay although some fail.
    pub left: usize,
    /// Of classes that are searched, the tests that hold, in the order of the file; by binary name.
    pub holding: BTreeMap<String, Vec<String>>,
    /// Likewise those that fail and stay.
    pub failing: BTreeMap<String, Vec<String>>,
}

/// Runs the tests of classes that have changed, says what fails, and takes classes whose tests stay from what is to be worked on;
/// with `update` failing tests are to be replaced. Where the tests cannot be run, that is said, and all classes are searched.
pub(super) fn look(
    prepared: &mut Prepared,
    earlier: &[Earlier],
    update: bool,
    covolve: &Path,
    note: &dyn Fn(&str),
) -> Looked {
    let mut looked = Looked::default();
    if earlier.is_empty() {
        return looked;
    }
    let unknown = earlier.iter().filter(|earlier| !earlier.is_known).count();
    if unknown > 0 {
        let files =
            if unknown == 1 { "1 test file is".to_owned() } else { format!("{unknown} test files are") };
        note(&format!(
            "{files} of an earlier run of which nothing else is known here: the tests run first, then their classes are searched \
             anew"
        ));
    }
    let reruns = match run(prepared, earlier, covolve, note) {
        Ok(reruns) => reruns,
        Err(error) => {
            note(&format!("whether the tests of changed classes still pass is not known: {error:#}"));
            return looked;
        }
    };
    let mut stay = Vec::new();
    for (earlier, rerun) in earlier.iter().zip(reruns) {
        let fate = fate(&rerun, [earlier.is_own_same, earlier.goes_on, update]);
        for line in sentences(&earlier.class, &rerun, fate) {
            note(&line);
        }
        match fate {
            Fate::Searched | Fate::Extended => {
                looked.holding.insert(earlier.class.clone(), rerun.passed);
                if fate == Fate::Extended {
                    let failing = rerun.failed.into_iter().map(|failed| failed.test);
                    looked.failing.insert(earlier.class.clone(), failing.collect());
                }
                continue;
            }
            Fate::Confirmed => looked.confirmed.push(earlier.class.clone()),
            Fate::Left => looked.left += 1,
        }
        stay.push(&earlier.class);
    }
    prepared.targets.retain(|target: &Target| !stay.contains(&&target.class.binary()));
    looked
}

fn run(
    prepared: &Prepared,
    earlier: &[Earlier],
    covolve: &Path,
    note: &dyn Fn(&str),
) -> anyhow::Result<Vec<Rerun>> {
    // However short the budget of a class: a test that was verified with more is not to fail now.
    let verifiers = verifiers((prepared, TEST_LIMIT), covolve, note)?;
    let mut lane = verifiers.take()?;
    lane.start_second();
    let compiled = Compiled {
        class_path: prepared.test_path.clone(),
        // What compiled at an earlier level compiles at that of the JDK.
        source_level: prepared.project.jdk.version,
    };
    let remaining = || Duration::MAX;
    let files: Vec<TestFile> = earlier.iter().map(|earlier| earlier.file.clone()).collect();
    Ok(rerun(&mut lane.bench(&compiled, Judges::Both, &remaining), &files)?)
}

/// What is done with a class: whether its own code is as it was, whether a search would go on from its tests, and whether those that
/// fail are to be replaced.
fn fate(rerun: &Rerun, [is_own_same, goes_on, update]: [bool; 3]) -> Fate {
    match (rerun.failed.is_empty(), rerun.holds()) {
        (false, _) if !update && goes_on => Fate::Extended,
        (false, _) if !update => Fate::Left,
        (_, true) if is_own_same => Fate::Confirmed,
        _ => Fate::Searched,
    }
}

/// What there is to say of the tests of a class.
fn sentences(class: &str, rerun: &Rerun, fate: Fate) -> Vec<String> {
    let mut lines = Vec::new();
    if !rerun.failed.is_empty() {
        let what = match fate {
            Fate::Left => "its tests stay as they are; --update replaces them",
            Fate::Extended => "new tests come behind those that fail; --update replaces these",
            Fate::Searched | Fate::Confirmed => "the tests that fail are replaced",
        };
        lines.push(format!("{class} behaves in another way, and {what}"));
    }
    lines.extend(rerun.failed.iter().map(|Failed { test, expected, actual }| match expected {
        Some(expected) => format!("  {test}: expected {expected}, came {actual}"),
        None => format!("  {test}: {actual}"),
    }));
    if !rerun.not_compiled.is_empty() {
        let what = match fate {
            Fate::Left => "stay all the same",
            Fate::Searched | Fate::Extended | Fate::Confirmed => "are left out",
        };
        lines.push(format!("tests of {class} do not compile any more, and {what}"));
    }
    lines.extend(rerun.not_compiled.iter().map(|NotCompiled { test, message }| {
        format!("  {}: {message}", test.as_deref().unwrap_or("outside of tests"))
    }));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failing_tests_stay_until_they_are_to_be_replaced() {
        let failed = || vec![Failed { test: "one".into(), expected: Some("1".into()), actual: "2".into() }];
        let gone = || vec![NotCompiled { test: Some("two".into()), message: "cannot find symbol".into() }];
        let check = |failed: Vec<Failed>, not_compiled: Vec<NotCompiled>, how: [bool; 3], expect| {
            let rerun = Rerun { tests: 1, failed, not_compiled, ..Rerun::default() };
            assert_eq!(fate(&rerun, how), expect, "{rerun:?} {how:?}");
        };
        for update in [false, true] {
            check(vec![], vec![], [true, true, update], Fate::Confirmed);
            check(vec![], vec![], [false, true, update], Fate::Searched);
            check(vec![], gone(), [true, true, update], Fate::Searched);
        }
        for is_own_same in [false, true] {
            check(failed(), vec![], [is_own_same, true, false], Fate::Extended);
            check(failed(), gone(), [is_own_same, true, false], Fate::Extended);
            check(failed(), vec![], [is_own_same, false, false], Fate::Left);
            check(failed(), vec![], [is_own_same, true, true], Fate::Searched);
        }
        let rerun = Rerun { tests: 1, failed: failed(), not_compiled: gone(), ..Rerun::default() };
        let expect = [
            "p.A behaves in another way, and its tests stay as they are; --update replaces them",
            "  one: expected 1, came 2",
            "tests of p.A do not compile any more, and stay all the same",
            "  two: cannot find symbol",
        ];
        assert_eq!(sentences("p.A", &rerun, Fate::Left), expect);
        assert!(sentences("p.A", &rerun, Fate::Searched)[0].ends_with("the tests that fail are replaced"));
        let extended = sentences("p.A", &rerun, Fate::Extended);
        assert!(extended[0].ends_with("new tests come behind those that fail; --update replaces these"));
        assert_eq!(sentences("p.A", &Rerun::default(), Fate::Confirmed), [""; 0]);
    }
}
