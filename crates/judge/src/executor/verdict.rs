//! Compares what the executor reported with what plain JVMs show, and explains what can be explained.

use std::collections::BTreeMap;

use anyhow::Result;

use super::plain::{Classes, Mode, Run, Shown, Tools, by_place};
use super::record::{Cover, Job, Method, Place, Record, TestRecord};

/// Why a difference is no fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reason {
    /// In a plain JVM of its own classes the test shows what the executor saw: tests before it left something in
    /// static fields, which the executor puts back and a plain JVM does not.
    LeftByTestsBefore,
    /// So it does once the classes that it loads are initialized before it begins: in the executor, tests before had
    /// initialized them.
    Initializers,
    /// Two plain JVMs show different things.
    PlainJvmsDiffer,
}

impl Reason {
    pub(super) const ALL: [Self; 3] = [Self::LeftByTestsBefore, Self::Initializers, Self::PlainJvmsDiffer];

    pub(super) fn text(self) -> &'static str {
        match self {
            Self::LeftByTestsBefore => "left by tests before",
            Self::Initializers => "initializers of other classes",
            Self::PlainJvmsDiffer => "plain JVMs differ",
        }
    }
}

/// A difference between the two sides.
#[derive(Debug, Clone)]
pub(super) struct Difference {
    /// The test's method; empty for what is not of one test.
    pub(super) method: String,
    pub(super) what: String,
    pub(super) reason: Option<Reason>,
}

/// What came out for a class.
#[derive(Debug, Default)]
pub(super) struct Verdict {
    pub(super) compared: usize,
    pub(super) assertions: usize,
    pub(super) exceptions: usize,
    /// Covered lines that were compared, over all tests.
    pub(super) lines: usize,
    pub(super) branches: u64,
    pub(super) differences: Vec<Difference>,
}

impl Verdict {
    pub(super) fn unexplained(&self) -> impl Iterator<Item = &Difference> {
        self.differences.iter().filter(|difference| difference.reason.is_none())
    }

    pub(super) fn explained(&self, reason: Reason) -> usize {
        self.differences.iter().filter(|difference| difference.reason == Some(reason)).count()
    }
}

/// Compiles, runs and compares.
pub(super) fn judge(tools: &Tools, job: &Job, record: &Record) -> Result<Verdict> {
    let mut verdict = Verdict {
        compared: record.tests.len(),
        assertions: record.tests.iter().map(|test| test.assertions).sum(),
        exceptions: record.tests.iter().filter(|test| test.thrown.is_some()).count(),
        lines: record.tests.iter().map(|test| test.covered.len()).sum(),
        branches: record
            .tests
            .iter()
            .flat_map(|test| &test.covered)
            .map(|(_, cover)| u64::from(cover.branches))
            .sum(),
        differences: Vec::new(),
    };
    for coverage in [false, true] {
        Side { tools, job, record, coverage }.judge(&mut verdict)?;
    }
    Ok(verdict)
}

/// Values or coverage.
struct Side<'a> {
    tools: &'a Tools,
    job: &'a Job,
    record: &'a Record,
    coverage: bool,
}

impl Side<'_> {
    fn method<'t>(&self, test: &'t TestRecord) -> &'t Method {
        if self.coverage { &test.bare } else { &test.asserted }
    }

    fn judge(&self, verdict: &mut Verdict) -> Result<()> {
        let folder = if self.coverage { "bare" } else { "asserted" };
        let methods: Vec<&Method> = self.record.tests.iter().map(|test| self.method(test)).collect();
        let refused = self.tools.compile(self.job, folder, &self.record.source, &methods)?;
        for (method, message) in &refused {
            verdict.differences.push(Difference {
                method: (*method).to_owned(),
                what: format!("does not compile: {message}"),
                reason: None,
            });
        }
        let names: Vec<&str> =
            methods.iter().map(|it| it.name.as_str()).filter(|name| !refused.contains_key(name)).collect();
        let run = self.run(Classes::Shared, &names)?;
        if self.coverage {
            self.compare_goals(&run, verdict);
        }
        let different = self.compare(&run, &names);
        let again: Vec<&str> = different.keys().map(String::as_str).collect();
        let (one, other) = (self.run(Classes::Fresh, &again)?, self.run(Classes::Fresh, &again)?);
        let alone = self.compare(&one, &again);
        let again: Vec<&str> = alone.keys().map(String::as_str).collect();
        let prepared = self.compare(&self.run(Classes::Prepared, &again)?, &again);
        for (method, what) in &different {
            let same = one.tests.get(method) == other.tests.get(method);
            let (what, reason) = match (alone.get(method), prepared.get(method)) {
                _ if !same => (what, Some(Reason::PlainJvmsDiffer)),
                (None, _) => (what, Some(Reason::LeftByTestsBefore)),
                (Some(what), None) => (what, Some(Reason::Initializers)),
                (Some(_), Some(what)) => (what, None),
            };
            verdict.differences.push(Difference { method: method.clone(), what: what.clone(), reason });
        }
        Ok(())
    }

    fn run(&self, classes: Classes, methods: &[&str]) -> Result<Run> {
        self.tools.run(self.job, self.record, Mode { classes, coverage: self.coverage }, methods)
    }

    /// Both sides count the same lines and branches.
    fn compare_goals(&self, run: &Run, verdict: &mut Verdict) {
        let ours = by_place(&self.record.goals);
        let different: Vec<String> = places(&ours, &run.goals)
            .filter(|place| at(&ours, place) != at(&run.goals, place))
            .map(|place| shown_place(&place, at(&ours, &place), at(&run.goals, &place)))
            .collect();
        if !different.is_empty() {
            let what = format!("what counts: {}", different.join("; "));
            verdict.differences.push(Difference { method: String::new(), what, reason: None });
        }
    }

    /// Tests that differ, with what differs.
    fn compare(&self, run: &Run, names: &[&str]) -> BTreeMap<String, String> {
        let mut different = BTreeMap::new();
        for test in &self.record.tests {
            let method = self.method(test);
            if !names.contains(&method.name.as_str()) {
                continue;
            }
            let found = match run.tests.get(&method.name) {
                None => vec!["was not run".to_owned()],
                Some(shown) => differences(test, shown, run),
            };
            if !found.is_empty() {
                different.insert(method.name.clone(), found.join("; "));
            }
        }
        different
    }
}

fn differences(test: &TestRecord, shown: &Shown, run: &Run) -> Vec<String> {
    let mut found = Vec::new();
    if shown.died {
        found.push("hangs or ends the JVM".to_owned());
        return found;
    }
    for (line, expected, actual) in &shown.failures {
        found.push(format!("line {line}: expected {expected}, found {actual}"));
    }
    if let Some((line, class, message)) = &shown.ended {
        found.push(format!("line {line}: ended with {class}: {message}"));
    }
    if let Some(thrown) = &test.thrown
        && !shown.caught.as_ref().is_some_and(|caught| is_caught_as(thrown, caught))
    {
        found.push(format!("threw {:?}, caught {:?}", test.thrown, shown.caught));
    }
    if !run.goals.is_empty() {
        let ours = by_place(&test.covered);
        let uncertain = |place: &Place| run.initializers.contains_key(place);
        let all = places(&ours, &shown.with_initializers);
        let different = all.filter(|place| {
            let (own, least, most) =
                (at(&ours, place), at(&shown.covered, place), at(&shown.with_initializers, place));
            // Where class initializers come by, only bounds are known: the executor counts those of the classes that
            // a test uses, JaCoCo those of the first test that uses them.
            if uncertain(place) { !(least.is_within(own) && own.is_within(most)) } else { own != least }
        });
        found.extend(
            different.map(|place| shown_place(&place, at(&ours, &place), at(&shown.covered, &place))),
        );
    }
    found
}

/// Whether an exception that the executor knows as one class may be of the other. A class that cannot be initialized throws one of two, depending
/// on what ran before (Java virtual machine specification §5.5), and the executor knows both by what they have in common.
fn is_caught_as(thrown: &str, caught: &str) -> bool {
    let is_of_initializer =
        ["java.lang.ExceptionInInitializerError", "java.lang.NoClassDefFoundError"].contains(&caught);
    thrown == caught || thrown == "java.lang.LinkageError" && is_of_initializer
}

fn at(covered: &BTreeMap<Place, Cover>, place: &Place) -> Cover {
    covered.get(place).copied().unwrap_or_default()
}

fn places(
    one: &BTreeMap<Place, Cover>,
    other: &BTreeMap<Place, Cover>,
) -> impl Iterator<Item = Place> + use<> {
    let mut all: Vec<Place> = one.keys().chain(other.keys()).cloned().collect();
    all.sort();
    all.dedup();
    all.into_iter()
}

fn shown_place((class, line): &Place, ours: Cover, theirs: Cover) -> String {
    let text = |cover: Cover| format!("{}+{}", u8::from(cover.line), cover.branches);
    format!("{class}:{line} is {} by probes, {} by JaCoCo", text(ours), text(theirs))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(line: u32) -> Place {
        ("p/A".to_owned(), line)
    }

    fn cover(branches: u32) -> Cover {
        Cover { line: true, branches }
    }

    fn test(thrown: Option<&str>, covered: &[(u32, u32)]) -> TestRecord {
        let method = Method { name: "a".to_owned(), first_line: 1, last_line: 2 };
        TestRecord {
            asserted: method.clone(),
            bare: method,
            thrown: thrown.map(str::to_owned),
            assertions: 0,
            covered: covered.iter().map(|&(line, branches)| (place(line), cover(branches))).collect(),
            text: String::new(),
        }
    }

    fn map(covered: &[(u32, u32)]) -> BTreeMap<Place, Cover> {
        covered.iter().map(|&(line, branches)| (place(line), cover(branches))).collect()
    }

    /// How many differences there are between a test and what a plain JVM shows of it, line 9 being of an initializer.
    fn check(test: &TestRecord, shown: &Shown, expect: usize) {
        let run = Run { goals: map(&[(1, 2)]), initializers: map(&[(9, 1)]), ..Run::default() };
        let found = differences(test, shown, &run);
        assert_eq!(found.len(), expect, "{found:?}");
    }

    #[test]
    fn coverage_must_be_the_same_but_for_initializers() {
        let shown =
            Shown { covered: map(&[(1, 1)]), with_initializers: map(&[(1, 1), (9, 1)]), ..Shown::default() };
        check(&test(None, &[(1, 1)]), &shown, 0);
        check(&test(None, &[(1, 1), (9, 1)]), &shown, 0);
        check(&test(None, &[(1, 1), (9, 2)]), &shown, 1);
        check(&test(None, &[(1, 2)]), &shown, 1);
        check(&test(None, &[]), &shown, 1);
        check(&test(None, &[(1, 1), (2, 0)]), &shown, 1);
    }

    #[test]
    fn exceptions_must_be_of_the_same_class() {
        let caught = |class: &str| Shown { caught: Some(class.to_owned()), ..Shown::default() };
        check(&test(Some("p.X"), &[]), &caught("p.X"), 0);
        check(&test(Some("p.X"), &[]), &caught("p.Y"), 1);
        check(&test(Some("p.X"), &[]), &Shown::default(), 1);
        let uninitialized = test(Some("java.lang.LinkageError"), &[]);
        check(&uninitialized, &caught("java.lang.NoClassDefFoundError"), 0);
        check(&uninitialized, &caught("java.lang.ExceptionInInitializerError"), 0);
        check(&uninitialized, &caught("java.lang.NoSuchMethodError"), 1);
        let ended = Shown { ended: Some((3, "p.X".to_owned(), String::new())), ..Shown::default() };
        check(&test(None, &[]), &ended, 1);
    }

    #[test]
    fn failed_assertions_and_hanging_tests_are_differences() {
        let failed = Shown { failures: vec![(3, "1".to_owned(), "2".to_owned())], ..Shown::default() };
        check(&test(None, &[]), &failed, 1);
        check(&test(None, &[]), &Shown { died: true, ..Shown::default() }, 1);
    }
}
