//! What is tested already: the project's own tests run once, before any budget begins, against classes that carry our probes.
//! Goals that they cover are no aim, and what they say seeds the search.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use bytecode::instrument::{WatchedCalls, bridge_calls, instrument_calls};
use bytecode::name::ClassName;
use bytecode::probe_map::{DirectIds, Evidence};
use coverage::goal::{GoalId, GoalSet};
use coverage::seen::is_asked_for;
use jvm::probe_classes::probe_classes;
use project::failure::Failure;
use project::junit::{Framework, Junit};
use project::own_tests::{OwnTests, TestsOf};
use project::request::JunitChoice;
use project::targets::Target;
use subject::Subject;
use subject::examine::Seeds;
use subject::nest::{Nest, Weakened};
use testcase::clock::Clock;
use testcase::execution::{ExceptionKind, SeenException};
use verify::measure::{Asked, Measured, Measurer};

use super::class::subject_of;
use super::prepared::Prepared;
use super::verifiers;
use crate::interrupt::Interrupt;
use crate::options::Options;

/// Time for one of the project's own tests, as far as the machine lets the JVM use it: people write slower ones than we do.
const TEST_LIMIT: Duration = Duration::from_secs(10);

/// Time for all tests of a class under test.
const LIMIT: Duration = Duration::from_mins(1);

/// Part of the time of a whole run that all of them get, and part of that for the tests of one class.
const SHARE_OF_RUN: f64 = 0.1;
const SHARE_OF_CLASS: f64 = 0.25;

/// The project's own tests, by the binary name of the class that they are about.
#[derive(Debug, Default)]
pub struct Existing {
    tests: BTreeMap<String, TestsOf>,
    /// Where they are compiled to.
    class_path: Vec<PathBuf>,
    /// Whether there is a class of tests there.
    is_compiled: bool,
    /// What only they need, and JUnit.
    libraries: Vec<PathBuf>,
    /// Where a build runs them.
    folder: Option<PathBuf>,
    /// What they cover.
    measured: BTreeMap<String, Measured>,
}

impl Existing {
    /// The tests in the folders that a module compiles them to, which builds run in its folder, where they are asked.
    pub(super) fn find(
        options: &Options,
        (class_path, folder): (Vec<PathBuf>, Option<PathBuf>),
        libraries: &[PathBuf],
        targets: &[Target],
    ) -> Self {
        if !options.which.existing {
            return Self::default();
        }
        let own_tests = OwnTests::read(&class_path, targets);
        let of = |target: &Target| (target.class.binary(), own_tests.of(&target.nest));
        let tests = targets.iter().map(of).filter(|(_, tests)| !tests.is_empty()).collect();
        Self {
            tests,
            class_path,
            is_compiled: !own_tests.is_empty(),
            libraries: libraries.to_vec(),
            folder,
            measured: BTreeMap::new(),
        }
    }

    /// All that the tests of a class do, as a hash; empty where there are none.
    pub fn hash(&self, class: &ClassName) -> String {
        self.tests.get(&class.binary()).map(TestsOf::hash).unwrap_or_default()
    }

    /// What the tests of a class say that others may be made of.
    pub(super) fn seeds(&self, class: &ClassName) -> Seeds {
        let mut seeds = Seeds::default();
        let files = self.tests.get(&class.binary()).into_iter().flat_map(|tests| &tests.files);
        files.for_each(|(_, bytes)| seeds.add(bytes));
        seeds
    }

    /// The goals of a class that its tests cover.
    pub(super) fn covered(&self, class: &ClassName, goals: &GoalSet, nest: &Nest) -> BTreeSet<GoalId> {
        let Some(measured) = self.measured.get(&class.binary()) else { return BTreeSet::new() };
        let direct = nest.layout().direct();
        let is_covered = |id: &GoalId| {
            let evidence = &goals.goal(*id).covered_by;
            evidence.iter().any(|evidence| shows(measured, *evidence, direct))
        };
        goals.ids().filter(is_covered).collect()
    }

    /// The exceptions that calls of a class let through in its tests.
    pub(super) fn exceptions(&self, class: &ClassName) -> Vec<SeenException> {
        let measured = self.measured.get(&class.binary());
        measured.iter().flat_map(|measured| &measured.thrown).filter_map(|told| seen(told)).collect()
    }

    /// What there is to say of the tests of a class that cover so many goals; `None` where none was run.
    pub(super) fn sentence(&self, class: &ClassName, goals: usize) -> Option<String> {
        let Measured { passed, failed, incomplete, .. } = self.measured.get(&class.binary())?;
        let plural = |number: usize| if number == 1 { "" } else { "s" };
        let did_not = match failed {
            0 => String::new(),
            failed => format!(", {failed} did not, which counts for nothing"),
        };
        let incomplete: String = incomplete
            .iter()
            .flat_map(|(class, why)| ["; ", class, " did not run to its end: ", why])
            .collect();
        let sentence = format!(
            "the project's own tests cover {goals} goal{}, for which no test is made: {passed} test{} passed{did_not}{incomplete}",
            plural(goals),
            plural(*passed)
        );
        Some(sentence)
    }
}

/// Whether tests have shown evidence. What a method does that the test itself called is told by second numbers.
fn shows(measured: &Measured, evidence: Evidence, direct: Option<DirectIds>) -> bool {
    let (number, told) = match evidence {
        Evidence::Hit(probe) => (probe.0, &measured.hits),
        Evidence::Taken(outcome) => (outcome.0, &measured.taken),
    };
    told.contains(&number) || direct.is_some_and(|direct| told.contains(&(number + direct.0)))
}

/// An exception as the run time tells it.
fn seen(told: &str) -> Option<SeenException> {
    let words: Vec<&str> = told.split('\t').collect();
    let &[class, method, exception, kind] = words.as_slice() else { return None };
    let kind = match kind {
        "D" => ExceptionKind::Declared,
        "E" => ExceptionKind::Explicit,
        "I" => ExceptionKind::Implicit,
        _ => return None,
    };
    Some(SeenException { class: class.into(), method: method.into(), exception: exception.into(), kind })
}

/// Runs the tests of the classes that are to be worked on. What keeps them from it is said, and stops nothing.
pub(super) fn measure(modules: &mut [Prepared], covolve: &Path, interrupt: &Interrupt, note: &dyn Fn(&str)) {
    let clock = Clock::start();
    for prepared in modules {
        measure_module(prepared, clock, (covolve, interrupt), note);
    }
}

/// Runs those of a module; the clock began with the first module.
fn measure_module(
    prepared: &mut Prepared,
    clock: Clock,
    (covolve, interrupt): (&Path, &Interrupt),
    note: &dyn Fn(&str),
) {
    let has_tests = |target: &Target| prepared.existing.tests.contains_key(&target.class.binary());
    if !prepared.targets.iter().any(has_tests) {
        if prepared.options.which.existing && !prepared.targets.is_empty() {
            note(&none(prepared));
        }
        return;
    }
    note("running the project's own tests of each class, for what they cover");
    let mut measured = BTreeMap::new();
    let run = measurer(prepared, covolve, note).map(|mut measurer| {
        let targets = prepared.targets.iter().filter(|target| has_tests(target));
        for target in most_first(targets, &prepared.sizes, &prepared.existing.tests) {
            if interrupt.is_set() {
                return;
            }
            let class = target.class.binary();
            let limit = limit(prepared.options.total_budget, clock.now());
            if limit.is_zero() {
                note(&format!(
                    "a tenth of --total-budget is over: what the project's own tests cover of {class} and the classes behind it is \
                     not known, and tests are made for all of it"
                ));
                return;
            }
            match measure_class(prepared, target, limit, &mut measurer) {
                Ok(Some(found)) => {
                    measured.insert(class, found);
                }
                // Whoever works on it says why it cannot be tested.
                Ok(None) => {}
                Err(error) => note(&format!(
                    "what the project's own tests cover of {class} is not known, and tests are made for all of it: {error}"
                )),
            }
        }
    });
    if let Err(error) = run {
        note(&format!(
            "what the project's own tests cover is not known, and tests are made for everything: {error:#}"
        ));
    }
    prepared.existing.measured = measured;
}

/// The classes of which most is to be learned from one class of tests first: a run over a project may have no time for all, and
/// exceptions without a line of their own are named by half of its tests.
fn most_first<'a>(
    targets: impl Iterator<Item = &'a Target>,
    sizes: &BTreeMap<String, u64>,
    tests: &BTreeMap<String, TestsOf>,
) -> Vec<&'a Target> {
    let mut targets: Vec<&Target> = targets.collect();
    targets.sort_by_cached_key(|target| {
        let class = target.class.binary();
        let size = sizes.get(&class).copied().unwrap_or_default();
        let runs = tests.get(&class).map_or(0, |tests| tests.classes.len() as u64);
        std::cmp::Reverse(size / runs.max(1))
    });
    targets
}

/// Time for the tests of a class, of a run that has this time in all, when so much has gone into own tests.
fn limit(total: Option<Duration>, gone: Duration) -> Duration {
    total.map_or(LIMIT, |total| {
        let all = total.mul_f64(SHARE_OF_RUN);
        all.saturating_sub(gone).min(all.mul_f64(SHARE_OF_CLASS)).min(LIMIT)
    })
}

/// Says that there are no tests.
fn none(prepared: &Prepared) -> String {
    let module = prepared.module.as_ref().map(|module| format!("{module}: ")).unwrap_or_default();
    if prepared.existing.is_compiled {
        format!(
            "{module}no test of the project names a class that is asked for, and tests are made for all goals"
        )
    } else {
        format!(
            "{module}no tests of the project are compiled; compile them, as your build does, or leave --existing out"
        )
    }
}

/// A JVM with every JUnit that the tests are written for.
fn measurer(prepared: &Prepared, covolve: &Path, note: &dyn Fn(&str)) -> anyhow::Result<Measurer> {
    let Prepared { existing, environment, .. } = prepared;
    let all = existing.tests.values().flat_map(|tests| &tests.classes);
    let mut frameworks: Vec<Framework> = all.map(|(_, framework)| *framework).collect();
    frameworks.sort_unstable();
    frameworks.dedup();
    let mut together: Option<Junit> = None;
    for framework in frameworks {
        let found = if framework == prepared.junit.framework {
            prepared.junit.clone()
        } else {
            let choice = match framework {
                Framework::Jupiter => JunitChoice::Jupiter,
                Framework::Junit4 => JunitChoice::Junit4,
            };
            prepared.project.junit(choice, &existing.libraries, environment, note)?
        };
        match &mut together {
            Some(together) => together.class_path.extend(found.class_path),
            None => together = Some(found),
        }
    }
    let junit = together.unwrap_or_else(|| prepared.junit.clone());
    Ok(verifiers((prepared, TEST_LIMIT), covolve, note)?.measurer(junit, existing.folder.clone())?)
}

/// Runs the tests of a class; `None` where it cannot be tested.
fn measure_class(
    prepared: &Prepared,
    target: &Target,
    limit: Duration,
    measurer: &mut Measurer,
) -> anyhow::Result<Option<Measured>> {
    let Some(tests) = prepared.existing.tests.get(&target.class.binary()) else { return Ok(None) };
    let subject = match subject_of(prepared, target, Weakened::new()) {
        Ok(subject) => subject,
        Err(error) if error.is::<Failure>() => return Ok(None),
        Err(error) => return Err(error),
    };
    Ok(Some(measurer.measure(&asked(prepared, &subject, tests, limit))?))
}

/// What is to be run: classes with goals that carry probes, and tests that tell what they call.
fn asked(prepared: &Prepared, subject: &Subject, tests: &TestsOf, limit: Duration) -> Asked {
    let Prepared { existing, run_path, .. } = prepared;
    let layout = subject.nest.layout();
    let signatures = layout.signatures();
    let mut files: Vec<(String, Vec<u8>)> =
        probe_classes().map(|(path, bytes)| (path, bytes.to_vec())).collect();
    let of_nest = subject.nest.classes.iter();
    files.extend(of_nest.map(|class| (format!("{}.class", class.name.as_str()), class.bytes.clone())));
    let calls = WatchedCalls::of(&subject.nest.maps, is_asked_for(&subject.criteria));
    if !signatures.by_probe().is_empty() || !calls.is_empty() {
        for (path, bytes) in tests.files.iter().chain(&tests.helpers) {
            // What is malformed stays as it is.
            let bridged = bridge_calls(bytes, &calls);
            let told = bridged.and_then(|bytes| instrument_calls(&bytes, &signatures));
            files.extend(told.map(|bytes| (path.clone(), bytes)));
        }
    }
    let class_path = [&existing.class_path, &run_path.entries, &existing.libraries];
    Asked {
        files,
        sizes: [layout.probes() as u32, layout.outcomes() as u32, subject.nest.statics.len() as u32],
        shift: layout.direct().map_or(0, |direct| direct.0),
        signatures: signatures.by_probe().to_vec(),
        calls: calls.table().to_owned(),
        class_path: class_path.into_iter().flatten().cloned().collect(),
        classes: tests.classes.clone(),
        test_limit: TEST_LIMIT.min(limit),
        limit,
    }
}

#[cfg(test)]
mod tests {
    use bytecode::probe_map::{OutcomeId, ProbeId};

    use super::*;

    #[test]
    fn what_a_test_called_itself_shows_what_any_call_does_but_not_the_other_way_round() {
        let measured = Measured { hits: [3, 12].into(), taken: [14].into(), ..Measured::default() };
        let check = |evidence, expect: bool| {
            assert_eq!(shows(&measured, evidence, Some(DirectIds(10))), expect, "{evidence:?}");
        };
        check(Evidence::Hit(ProbeId(3)), true);
        check(Evidence::Hit(ProbeId(13)), false);
        check(Evidence::Hit(ProbeId(2)), true);
        check(Evidence::Hit(ProbeId(12)), true);
        check(Evidence::Taken(OutcomeId(4)), true);
        check(Evidence::Taken(OutcomeId(3)), false);
        assert!(!shows(&measured, Evidence::Hit(ProbeId(2)), None));
    }

    #[test]
    fn classes_of_which_a_test_tells_most_come_first() {
        let target = |name: &str| Target {
            class: name.into(),
            nest: vec![name.into()],
            java_version: 17,
            package_of_tests: "p".to_owned(),
        };
        let targets = ["p/Small", "p/Named", "p/Large"].map(target);
        let sizes = [("p.Small", 100), ("p.Named", 5_000), ("p.Large", 9_000)];
        let sizes = sizes.map(|(class, size)| (class.to_owned(), size)).into();
        let tests = |number: usize| TestsOf {
            classes: (0..number).map(|test| (format!("p.Test{test}"), Framework::Jupiter)).collect(),
            ..TestsOf::default()
        };
        let tests = [("p.Small", 1), ("p.Named", 90), ("p.Large", 3)]
            .map(|(class, number)| (class.to_owned(), tests(number)))
            .into();
        let found = most_first(targets.iter(), &sizes, &tests);
        assert_eq!(
            found.iter().map(|it| it.class.as_str()).collect::<Vec<_>>(),
            ["p/Large", "p/Small", "p/Named"]
        );
    }

    #[test]
    fn all_own_tests_together_get_a_tenth_of_the_time_of_a_run() {
        let check = |total: Option<u64>, gone: u64, expect: u64| {
            let limit = limit(total.map(Duration::from_secs), Duration::from_secs(gone));
            assert_eq!(limit, Duration::from_secs(expect), "{total:?} {gone}");
        };
        check(None, 500, 60);
        check(Some(3600), 0, 60);
        check(Some(1800), 0, 45);
        check(Some(1800), 150, 30);
        check(Some(1800), 200, 0);
    }

    #[test]
    fn the_sentence_says_what_did_not_count() {
        let measured = |failed, incomplete: &[(&str, &str)]| Measured {
            passed: 2,
            failed,
            incomplete: incomplete.iter().map(|(class, why)| ((*class).into(), (*why).into())).collect(),
            ..Measured::default()
        };
        let check = |measured: Measured, goals: usize, expect: &str| {
            let existing =
                Existing { measured: [("p.A".to_owned(), measured)].into(), ..Existing::default() };
            assert_eq!(existing.sentence(&"p/A".into(), goals).as_deref(), Some(expect));
        };
        check(
            measured(0, &[]),
            1,
            "the project's own tests cover 1 goal, for which no test is made: 2 tests passed",
        );
        check(
            measured(1, &[("p.ATest", "a test took too long")]),
            3,
            "the project's own tests cover 3 goals, for which no test is made: 2 tests passed, 1 did not, which counts for nothing; \
             p.ATest did not run to its end: a test took too long",
        );
        assert_eq!(Existing::default().sentence(&"p/A".into(), 0), None);
    }
}
