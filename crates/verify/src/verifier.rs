//! Compile, run in several orders, drop what is at fault, and again, until what is left compiles and passes everywhere.
//!
//! No test may depend on what ran before it. The tests run in the order that JUnit takes by default, in a random one, in
//! that backwards; then in classes that all of them have used already, so that caches are full and pools hold what was
//! handed back; and, where there is time, each in classes that nothing has used.

mod compiling;
mod faults;

use std::collections::{BTreeMap, BTreeSet};

use output::junit::part::row_of;
use output::junit::printed::PrintedSuite;
use testcase::random::Random;

use crate::jvm::{JvmError, TestEnd};
use crate::protocol::{Problem, Start};
use crate::suite::{Cause, Dropped, Selection, SuiteSource, TestName, VerifiedSuite};
use crate::surroundings::Role;
pub use compiling::Checked;
use faults::{Fault, Faults, faults, is_cut, without_unreached};

/// Assertions that a test may lose one by one; at the next failure it loses all that are left, then itself goes.
const ASSERTIONS_LOST: usize = 3;

/// Rounds of dropping single assertions. After these a failing test goes as a whole, so that a bad suite costs a
/// bounded number of runs.
const PATIENT_ROUNDS: usize = 8;

/// Rounds in all. Every round but the last drops something; suites in which tests fail only because of others
/// could still go on for long.
const ROUNDS: usize = 30;

/// Compiles files and runs tests in two surroundings.
pub trait Bench {
    /// Compiles files (path, text) together; the errors, none if they compiled. What was compiled before stays what runs
    /// where there are errors, or no time.
    fn compile(&mut self, files: Vec<(String, String)>) -> Result<Vec<Problem>, JvmError>;

    /// Whether files compile in the other ways in which a build may do it; the errors of all. What was compiled last
    /// stays what runs.
    fn check(&mut self, files: Vec<(String, String)>) -> Result<Vec<Problem>, JvmError>;

    /// Runs tests of the files compiled last in a first and a second process, each in its own order and with classes
    /// that have seen what it says; how they ended, in these orders.
    fn run_both(
        &mut self,
        orders: [&[TestName]; 2],
        starts: [Start; 2],
    ) -> Result<[Vec<TestEnd>; 2], JvmError>;
}

/// In which orders the tests run, beside the one that JUnit takes by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Orders {
    /// Seed of a random order of classes and of the methods in each, which is taken backwards as well: whatever one
    /// test leaves behind meets every other test.
    pub seed: u64,
    /// Whether each test runs by itself as well.
    pub alone: bool,
}

/// What came out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verification {
    /// The suites, as many as were given.
    pub suites: Vec<VerifiedSuite>,
    /// What they lack now and did not before, in the order in which it went.
    pub dropped: Vec<Dropped>,
    /// Whether what is left has run in every order, and none of it failed; otherwise there was no time for that.
    pub is_complete: bool,
    /// Whether all that is left has run in the first two orders.
    pub is_reached: bool,
}

/// Verifies suites together: they are compiled at once and run in the same JVMs. `selections` says what is already
/// left out of each.
///
/// # Errors
/// The bench fails: a JVM cannot be had, or its time is over before any test ran in the first two orders. Nothing is known of
/// the suites then. Where time ends later, the tests that failed or were not reached go, and what passed beside them is left.
pub fn verify(
    bench: &mut dyn Bench,
    sources: &[&dyn SuiteSource],
    selections: Vec<Selection>,
    orders: Orders,
    checked: &mut Checked,
) -> Result<Verification, JvmError> {
    let mut state = State::new(sources, selections, checked);
    state.compile(bench)?;
    state.compiled =
        state.printed.iter().map(|suite| suite.tests.iter().map(|test| test.test).collect()).collect();
    let mut suspects: Option<Faults> = None;
    for round in 0..ROUNDS {
        let (faults, is_complete) = match (state.find_faults(bench, orders), suspects) {
            (Ok((mut faults, _)), Some(suspects)) if is_cut(&faults) => {
                // What was not reached now passed before, unless it was a suspect.
                without_unreached(&mut faults);
                faults.extend(suspects);
                (faults, false)
            }
            (Ok(found), _) => found,
            (Err(JvmError::OutOfTime), Some(suspects)) => return Ok(state.settle_for(suspects)),
            (Err(error), _) => return Err(error),
        };
        if !is_complete {
            return Ok(state.settle_for(faults));
        }
        if faults.is_empty() {
            return Ok(state.finish());
        }
        state.drop_failing(&faults, round < PATIENT_ROUNDS);
        state.print();
        match state.compile(bench) {
            Ok(()) => suspects = Some(faults),
            Err(JvmError::OutOfTime) => return Ok(state.settle_for(faults)),
            Err(error) => return Err(error),
        }
    }
    Err(JvmError::Failed("the tests did not become stable".to_owned()))
}

/// A test by suite and number.
type Place = (usize, usize);

struct State<'a> {
    sources: &'a [&'a dyn SuiteSource],
    selections: Vec<Selection>,
    printed: Vec<PrintedSuite>,
    compiled: Vec<BTreeSet<usize>>,
    /// What the tests of each are called in the classes compiled last.
    names: Vec<BTreeMap<usize, TestName>>,
    dropped: Vec<Dropped>,
    /// Assertions that tests have lost so far.
    lost: BTreeMap<Place, usize>,
    checked: &'a mut Checked,
}

impl<'a> State<'a> {
    fn new(sources: &'a [&'a dyn SuiteSource], selections: Vec<Selection>, checked: &'a mut Checked) -> Self {
        let mut state = Self {
            sources,
            selections,
            printed: Vec::new(),
            compiled: Vec::new(),
            names: Vec::new(),
            dropped: Vec::new(),
            lost: BTreeMap::new(),
            checked,
        };
        state.selections.resize_with(sources.len(), Selection::default);
        state.print();
        state
    }

    fn print(&mut self) {
        self.printed = self
            .sources
            .iter()
            .zip(&self.selections)
            .map(|(source, selection)| source.print(selection))
            .collect();
    }

    /// Runs all tests in one order after another; those that failed in one are left out of the next. Whether there was
    /// time for all orders: it is no reason to lose what passed in the default one and in a random one.
    fn find_faults(&self, bench: &mut dyn Bench, orders: Orders) -> Result<(Faults, bool), JvmError> {
        let by_default = self.default_order();
        if by_default.is_empty() {
            return Ok((Faults::new(), true));
        }
        let random = self.shuffled(&by_default, &mut Random::new(orders.seed, 0));
        let mut found = self.run(bench, [&by_default, &random])?;
        if is_cut(&found) {
            return Ok((found, false));
        }
        let (by_default, mut backwards) = (without(&by_default, &found), without(&random, &found));
        if random.len() == 1 {
            // All orders are the same.
            return Ok((found, true));
        }
        if !by_default.is_empty() {
            backwards.reverse();
            let names = [self.names(&by_default), self.names(&backwards)];
            let both = bench.run_both([&names[0], &names[1]], [Start::Used, Start::Fresh]);
            if matches!(both, Err(JvmError::OutOfTime)) {
                return Ok((found, false));
            }
            let [used, ends] = both?;
            let mut fresh = faults(&backwards, &ends, Role::Second)?;
            let mut again = faults(&by_default, &used, Role::First)?;
            let is_over = is_cut(&fresh) || is_cut(&again);
            without_unreached(&mut fresh);
            without_unreached(&mut again);
            found.extend(fresh);
            for (place, fault) in again {
                found.entry(place).or_insert(fault);
            }
            if is_over {
                return Ok((found, false));
            }
        }
        if orders.alone && found.is_empty() {
            found = self.run_alone(bench, &by_default);
        }
        Ok((found, true))
    }

    /// Runs tests in a first and a second process, in classes that nothing has used; why some failed.
    fn run(&self, bench: &mut dyn Bench, orders: [&[Place]; 2]) -> Result<Faults, JvmError> {
        let names = orders.map(|order| self.names(order));
        let [first, second] = bench.run_both([&names[0], &names[1]], [Start::Fresh; 2])?;
        let mut found = faults(orders[0], &first, Role::First)?;
        for (place, fault) in faults(orders[1], &second, Role::Second)? {
            found.entry(place).or_insert(fault);
        }
        Ok(found)
    }

    /// Runs each test by itself, half of them in each process. A suite that could not be run like this has passed what
    /// had to be passed.
    fn run_alone(&self, bench: &mut dyn Bench, tests: &[Place]) -> Faults {
        let (one, other) = tests.split_at(tests.len() / 2);
        let names = [self.names(one), self.names(other)];
        let Ok([first, second]) = bench.run_both([&names[0], &names[1]], [Start::Alone; 2]) else {
            return Faults::new();
        };
        let found = faults(one, &first, Role::First).and_then(|mut found| {
            found.extend(faults(other, &second, Role::Second)?);
            Ok(found)
        });
        let mut found = found.unwrap_or_default();
        without_unreached(&mut found);
        found
    }

    /// The order in which JUnit runs the tests of a class where nothing else is said: by the hash codes of the names of
    /// their methods, and by the names where these are the same. Jupiter and JUnit 4 agree. Classes within the class come behind
    /// its methods, rows in their order.
    fn default_order(&self) -> Vec<Place> {
        let mut tests = places(&self.printed);
        tests.retain(|&(suite, test)| self.sources.get(suite).is_none_or(|source| source.runs(test)));
        tests.sort_by_cached_key(|&(suite, test)| {
            let test = self.printed[suite].test(test);
            let name = test.map_or("", |test| test.method.as_str());
            let (method, row) = row_of(name).unwrap_or((name, 0));
            let nested = test.and_then(|test| test.nested.clone());
            (suite, nested, hash_code(method), method.to_owned(), row)
        });
        tests
    }

    /// Shuffles classes, and tests within each: JUnit runs a class at a time.
    fn shuffled(&self, tests: &[Place], random: &mut Random) -> Vec<Place> {
        let mut classes: Vec<(String, Vec<Place>)> = Vec::new();
        for (&test, TestName { class, .. }) in tests.iter().zip(self.names(tests)) {
            match classes.last_mut().filter(|(last, _)| *last == class) {
                Some((_, tests)) => tests.push(test),
                None => classes.push((class, vec![test])),
            }
        }
        for (_, tests) in &mut classes {
            random.shuffle(tests);
        }
        random.shuffle(&mut classes);
        classes.into_iter().flat_map(|(_, tests)| tests).collect()
    }

    fn names(&self, order: &[Place]) -> Vec<TestName> {
        let name = |&(suite, test): &Place| {
            let (source, printed) = (self.sources.get(suite)?, self.printed.get(suite)?);
            Some(source.name_of(printed, printed.test(test)?))
        };
        order.iter().filter_map(name).collect()
    }

    /// What is left when there is no time to run again what passed in all orders, after these had failed.
    fn settle_for(mut self, mut failed: Faults) -> Verification {
        let known = failed.len();
        failed.retain(|&(suite, test), fault| {
            fault.cause != Cause::Unreached || !self.sources[suite].was_verified(test)
        });
        let is_reached = failed.len() == known;
        for ((suite, test), Fault { cause, .. }) in failed {
            self.drop_test(suite, test, cause);
        }
        self.print();
        Verification { is_complete: false, is_reached, ..self.finish() }
    }

    /// Drops the failing assertion of each failing test, or the test.
    fn drop_failing(&mut self, faults: &Faults, patient: bool) {
        for (&(suite, test), Fault { line, cause }) in faults {
            tracing::debug!(test, line, %cause, "a test failed");
            let printed = self.printed[suite].test(test);
            let assertion = printed.and_then(|printed| printed.assertion_at(*line));
            let left: Vec<usize> = printed
                .map(|printed| printed.assertions.iter().map(|assertion| assertion.assertion).collect())
                .unwrap_or_default();
            let Some(assertion) = assertion.filter(|_| patient && matches!(cause, Cause::Failed { .. }))
            else {
                self.drop_test(suite, test, cause.clone());
                continue;
            };
            let lost = self.lost.entry((suite, test)).or_default();
            *lost += 1;
            if *lost <= ASSERTIONS_LOST {
                self.drop_assertion(suite, test, assertion, cause.clone());
            } else {
                for assertion in left {
                    self.drop_assertion(suite, test, assertion, cause.clone());
                }
            }
        }
    }

    fn drop_test(&mut self, suite: usize, test: usize, cause: Cause) {
        if self.selections[suite].dropped_tests.insert(test) {
            self.dropped.push(Dropped { suite, test, assertion: None, cause });
        }
    }

    fn drop_assertion(&mut self, suite: usize, test: usize, assertion: usize, cause: Cause) {
        if self.selections[suite].dropped_assertions.insert((test, assertion)) {
            self.dropped.push(Dropped { suite, test, assertion: Some(assertion), cause });
        } else {
            // Dropped and still blamed: the lines are not those of the assertion alone.
            self.drop_test(suite, test, cause);
        }
    }

    fn finish(self) -> Verification {
        let Self { printed, selections, compiled, names, dropped, .. } = self;
        let parts = printed.into_iter().zip(selections).zip(compiled).zip(names);
        let suites = parts
            .map(|(((printed, selection), compiled), names)| VerifiedSuite {
                printed: Some(printed).filter(|suite| !suite.tests.is_empty()),
                selection,
                compiled,
                names,
            })
            .collect();
        Verification { suites, dropped, is_complete: true, is_reached: true }
    }
}

/// An order without the tests that failed.
fn without(order: &[Place], found: &Faults) -> Vec<Place> {
    order.iter().filter(|test| !found.contains_key(*test)).copied().collect()
}

/// All tests of suites.
fn places(printed: &[PrintedSuite]) -> Vec<Place> {
    let all = printed.iter().enumerate();
    all.flat_map(|(suite, printed)| printed.tests.iter().map(move |test| (suite, test.test))).collect()
}

/// The hash code of a string, as Java has it.
fn hash_code(text: &str) -> i32 {
    text.encode_utf16().fold(0_i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(unit.into()))
}

#[cfg(test)]
mod tests {
    use bytecode::name::ClassName;
    use output::junit::printed::{PrintedAssertion, PrintedTest};

    use super::*;
    use crate::protocol::Outcome;

    /// A suite of tests with some assertions each. A test takes one line, then a line per assertion.
    struct Fake {
        class: &'static str,
        assertions: Vec<usize>,
    }

    impl SuiteSource for Fake {
        fn test_count(&self) -> usize {
            self.assertions.len()
        }

        fn print(&self, selection: &Selection) -> PrintedSuite {
            let (mut line, mut text, mut tests) = (1, String::from("import\n"), Vec::new());
            for test in (0..self.assertions.len()).filter(|&test| selection.keeps_test(test)) {
                let (start, method) = (line + 1, format!("t{test}"));
                text.extend([&method, "\n"]);
                line += 1;
                let mut assertions = Vec::new();
                for assertion in (0..self.assertions[test]).filter(|&a| selection.keeps_assertion(test, a)) {
                    line += 1;
                    text.extend([&method, "a", &assertion.to_string(), "\n"]);
                    assertions.push(PrintedAssertion { assertion, lines: line..=line });
                }
                let (lines, unsaid) = (start..=line, Vec::new());
                tests.push(PrintedTest { test, method, nested: None, lines, assertions, unsaid });
            }
            PrintedSuite { class: ClassName::new(self.class), text, tests, refused: Vec::new() }
        }
    }

    const BESIDES: Orders = Orders { seed: 1, alone: true };

    /// Whether a test fails in a run: how, and in which order.
    type Fails = fn(Start, &[String]) -> bool;

    /// A bench in which lines with these texts are wrong.
    #[derive(Default)]
    struct Script {
        uncompilable: Vec<&'static str>,
        /// Lines that are wrong in other ways of compiling.
        refused_elsewhere: Vec<&'static str>,
        /// Tests that were looked at in other ways, each time.
        looked_at: Vec<Vec<String>>,
        /// Errors without a line, as long as this text is there.
        unplaced: Vec<&'static str>,
        /// Lines that fail: in the first process, in the second.
        failing: [Vec<&'static str>; 2],
        dying: Vec<&'static str>,
        files: Vec<(String, String)>,
        compilations: usize,
        /// How and in which order each run went, since the last compilation.
        seen_orders: Vec<(Start, Vec<String>)>,
        /// When test 0 fails.
        fails: Option<Fails>,
        /// Runs of both processes after which its time is over.
        runs_left: Option<usize>,
        /// In which of the runs time is over behind so many tests.
        cut: Option<(usize, usize)>,
        runs: usize,
    }

    impl Bench for Script {
        fn compile(&mut self, files: Vec<(String, String)>) -> Result<Vec<Problem>, JvmError> {
            self.compilations += 1;
            self.seen_orders.clear();
            let mut problems = Vec::new();
            for (path, text) in &files {
                for (index, line) in text.lines().enumerate() {
                    if self.uncompilable.contains(&line) {
                        let message = format!("bad {line}");
                        problems.push(Problem { path: path.clone(), line: index as u32 + 1, message });
                    }
                    if self.unplaced.contains(&line) {
                        problems.push(Problem { path: path.clone(), line: 1, message: "import".into() });
                    }
                }
            }
            self.files = files;
            Ok(problems)
        }

        fn check(&mut self, files: Vec<(String, String)>) -> Result<Vec<Problem>, JvmError> {
            let (mut problems, mut tests) = (Vec::new(), Vec::new());
            for (path, text) in &files {
                for (index, line) in text.lines().enumerate() {
                    if line.starts_with('t') && !line.contains('a') {
                        tests.push(line.to_owned());
                    }
                    if self.refused_elsewhere.contains(&line) {
                        let message = format!("ambiguous {line}");
                        problems.push(Problem { path: path.clone(), line: index as u32 + 1, message });
                    }
                }
            }
            self.looked_at.push(tests);
            Ok(problems)
        }

        fn run_both(
            &mut self,
            orders: [&[TestName]; 2],
            starts: [Start; 2],
        ) -> Result<[Vec<TestEnd>; 2], JvmError> {
            if let Some(left) = &mut self.runs_left {
                *left = left.checked_sub(1).ok_or(JvmError::OutOfTime)?;
            }
            let name = |test: &TestName| format!("{}.{}", test.class, test.method);
            let end = |test: &TestName, failing: &[&str], start: Start, order: &[TestName]| {
                let order: Vec<String> = order.iter().map(name).collect();
                if test.method == "t0" && self.fails.is_some_and(|fails| fails(start, &order)) {
                    let (exception, message) = ("E".to_owned(), String::new());
                    return TestEnd::Outcome(Outcome::Failed { exception, message, line: 0 });
                }
                let path = format!("{}.java", test.class);
                let text = &self.files.iter().find(|file| file.0 == path).unwrap().1;
                for (index, line) in text.lines().enumerate() {
                    let is_of_test = line == test.method || line.starts_with(&format!("{}a", test.method));
                    if is_of_test && self.dying.contains(&line) {
                        return TestEnd::Died;
                    }
                    if is_of_test && failing.contains(&line) {
                        let (exception, message) = ("E".to_owned(), line.to_owned());
                        return TestEnd::Outcome(Outcome::Failed {
                            exception,
                            message,
                            line: index as u32 + 1,
                        });
                    }
                }
                TestEnd::Outcome(Outcome::Passed)
            };
            let ends = |which: usize| -> Vec<TestEnd> {
                let order = orders[which];
                order.iter().map(|test| end(test, &self.failing[which], starts[which], order)).collect()
            };
            let mut ends = [ends(0), ends(1)];
            if let Some((_, reached)) = self.cut.filter(|(run, _)| *run == self.runs) {
                for ends in &mut ends {
                    ends[reached..].fill(TestEnd::Unreached);
                }
            }
            self.runs += 1;
            for (order, start) in orders.into_iter().zip(starts) {
                self.seen_orders.push((start, order.iter().map(name).collect()));
            }
            Ok(ends)
        }
    }

    fn check(assertions: &[usize], mut bench: Script, expect_text: &str, expect_dropped: &[&str]) -> Script {
        let fake = Fake { class: "A", assertions: assertions.to_vec() };
        let verification =
            verify(&mut bench, &[&fake], Vec::new(), BESIDES, &mut Checked::default()).unwrap();
        let text = verification.suites[0].printed.as_ref().map_or("", |suite| &suite.text);
        assert_eq!(text.trim_start_matches("import\n").replace('\n', " ").trim(), expect_text);
        let dropped: Vec<String> = verification
            .dropped
            .iter()
            .map(|dropped| {
                let assertion =
                    dropped.assertion.map_or_else(String::new, |assertion| format!("a{assertion}"));
                format!("t{}{assertion}: {}", dropped.test, dropped.cause)
            })
            .collect();
        assert_eq!(dropped, expect_dropped);
        bench
    }

    #[test]
    fn a_good_suite_stays_as_it_is() {
        let bench = check(&[1, 2], Script::default(), "t0 t0a0 t1 t1a0 t1a1", &[]);
        assert_eq!(bench.compilations, 1);
        let starts: Vec<Start> = bench.seen_orders.iter().map(|(start, _)| *start).collect();
        let alone = [Start::Alone; 2];
        assert_eq!(starts[..4], [Start::Fresh, Start::Fresh, Start::Used, Start::Fresh]);
        assert_eq!(starts[4..], alone);
    }

    /// A suite whose last test is known to fail.
    struct WithFailing(Fake);

    impl SuiteSource for WithFailing {
        fn test_count(&self) -> usize {
            self.0.test_count()
        }

        fn print(&self, selection: &Selection) -> PrintedSuite {
            self.0.print(selection)
        }

        fn runs(&self, test: usize) -> bool {
            test + 1 < self.test_count()
        }
    }

    #[test]
    fn what_is_known_to_fail_stays_and_does_not_run() {
        for (assertions, dying, text) in
            [(vec![1, 1], "t1", "import\nt0\nt0a0\nt1\nt1a0\n"), (vec![1], "t0", "import\nt0\nt0a0\n")]
        {
            let mut bench = Script { dying: vec![dying], ..Script::default() };
            let suite = WithFailing(Fake { class: "A", assertions });
            let verified =
                verify(&mut bench, &[&suite], Vec::new(), BESIDES, &mut Checked::default()).unwrap();
            assert_eq!(verified.suites[0].printed.as_ref().map(|suite| suite.text.as_str()), Some(text));
            assert_eq!(verified.dropped, []);
            let ran = bench.seen_orders.iter().flat_map(|(_, order)| order);
            assert!(ran.clone().all(|test| !test.ends_with(dying)), "{:?}", ran.collect::<Vec<_>>());
        }
    }

    #[test]
    fn tests_run_in_the_order_that_junit_takes_by_default() {
        assert_eq!(["Aa", "BB", "polygenelubricants"].map(hash_code), [2112, 2112, i32::MIN]);
        let method = |test: usize| ["BB", "Aa", "polygenelubricants"][test].to_owned();
        let tests = (0..3).map(|test| PrintedTest {
            test,
            method: method(test),
            nested: None,
            lines: 1..=1,
            assertions: Vec::new(),
            unsaid: Vec::new(),
        });
        let (class, tests) = (ClassName::new("A"), tests.collect());
        let printed = PrintedSuite { class, text: String::new(), tests, refused: Vec::new() };
        let mut checked = Checked::default();
        let mut state = State::new(&[], Vec::new(), &mut checked);
        state.printed = vec![printed];
        assert_eq!(state.default_order(), [(0, 2), (0, 1), (0, 0)]);
    }

    #[test]
    fn a_test_that_fails_behind_all_others_or_where_it_ran_before_is_found() {
        let victims = |fails: Fails| {
            let mut bench = Script { fails: Some(fails), ..Script::default() };
            let fake = Fake { class: "A", assertions: vec![0; 3] };
            let dropped =
                verify(&mut bench, &[&fake], Vec::new(), BESIDES, &mut Checked::default()).unwrap().dropped;
            dropped.iter().map(|dropped| dropped.test).collect::<Vec<_>>()
        };
        // In no order but the one that it is asked for.
        assert_eq!(victims(|start, order| start == Start::Used || order == ["A.t1", "A.t2", "A.t0"]), [0]);
        assert_eq!(victims(|start, _| start == Start::Used), [0]);
        assert_eq!(victims(|start, _| start == Start::Alone), [0]);
    }

    #[test]
    fn errors_cost_the_assertion_or_the_test_they_are_in() {
        let bench = Script { uncompilable: vec!["t0a1", "t1"], ..Script::default() };
        check(&[2, 1, 0], bench, "t0 t0a0 t2", &["t0a1: javac: bad t0a1", "t1: javac: bad t1"]);
    }

    #[test]
    fn what_compiles_in_one_way_alone_is_dropped_and_what_was_looked_at_is_not_looked_at_again() {
        let mut bench = Script { refused_elsewhere: vec!["t0a1", "t2"], ..Script::default() };
        let mut checked = Checked::default();
        let mut verify_as = |class, tests: usize, bench: &mut Script| {
            let fake = Fake { class, assertions: vec![2; tests] };
            let verification = verify(bench, &[&fake], Vec::new(), BESIDES, &mut checked).unwrap();
            let printed = verification.suites[0].printed.as_ref().unwrap();
            printed.text.trim_start_matches("import\n").replace('\n', " ").trim().to_owned()
        };
        assert_eq!(verify_as("A", 3, &mut bench), "t0 t0a0 t1 t1a0 t1a1");
        assert_eq!(bench.looked_at, [vec!["t0", "t1", "t2"], vec!["t0", "t1"]]);
        bench.looked_at.clear();
        assert_eq!(verify_as("A", 4, &mut bench), "t0 t0a0 t1 t1a0 t1a1 t3 t3a0 t3a1");
        // The first is looked at once more: it came with the assertion that was dropped.
        assert_eq!(bench.looked_at, [vec!["t0", "t2", "t3"], vec!["t3"]]);
    }

    #[test]
    fn errors_outside_the_tests_cost_the_tests_that_cause_them() {
        let bench = Script { unplaced: vec!["t1"], ..Script::default() };
        check(&[0, 0, 0], bench, "t0 t2", &["t1: javac: import"]);
    }

    #[test]
    fn a_failing_assertion_goes_before_its_test() {
        let bench = Script { failing: [vec!["t0a0"], vec!["t1", "t0a1"]], ..Script::default() };
        check(
            &[3, 1, 0],
            bench,
            "t0 t0a2 t2",
            &[
                "t0a0: failed in a plain JVM: E: t0a0",
                "t1: failed in a JVM with another zone, locale and hash seed: E: t1",
                "t0a1: failed in a JVM with another zone, locale and hash seed: E: t0a1",
            ],
        );
    }

    #[test]
    fn a_test_that_keeps_failing_loses_all_assertions() {
        let failing = vec!["t0a0", "t0a1", "t0a2", "t0a3", "t0a4", "t0a5"];
        let bench = Script { failing: [failing, Vec::new()], ..Script::default() };
        let fake = Fake { class: "A", assertions: vec![6] };
        let mut bench = bench;
        let verification =
            verify(&mut bench, &[&fake], Vec::new(), BESIDES, &mut Checked::default()).unwrap();
        assert_eq!(verification.suites[0].printed.as_ref().unwrap().text, "import\nt0\n");
        assert_eq!(bench.compilations, 5);
    }

    #[test]
    fn a_test_that_ends_the_jvm_is_dropped_at_once() {
        let bench = Script { dying: vec!["t0a0"], ..Script::default() };
        check(&[1, 0], bench, "t1", &["t0: ended the JVM"]);
    }

    #[test]
    fn where_time_ends_what_passed_in_the_first_two_orders_is_left() {
        let fake = Fake { class: "A", assertions: vec![1, 1, 0] };
        let after = |runs| {
            let failing = [vec!["t0a0"], Vec::new()];
            let mut bench = Script { failing, runs_left: Some(runs), ..Script::default() };
            let verification = verify(&mut bench, &[&fake], Vec::new(), BESIDES, &mut Checked::default());
            verification.map(|verification| {
                let text = verification.suites[0].printed.as_ref().unwrap().text.clone();
                (text, verification.is_complete)
            })
        };
        assert!(after(0).is_err(), "in no order");
        for runs in [1, 2] {
            let left = ("import\nt1\nt1a0\nt2\n".to_owned(), false);
            assert_eq!(after(runs).unwrap(), left, "the failing one is not known to pass");
        }
        for (runs, is_complete) in [(3, false), (4, true), (5, true)] {
            let left = ("import\nt0\nt1\nt1a0\nt2\n".to_owned(), is_complete);
            assert_eq!(after(runs).unwrap(), left, "time for another round");
        }
    }

    #[test]
    fn where_time_ends_within_a_run_what_was_reached_holds_and_what_passed_before_stays() {
        let fake = Fake { class: "A", assertions: vec![1, 0, 0, 0] };
        let left = |run, failing: &[&'static str]| {
            let failing = [failing.to_vec(), Vec::new()];
            let mut bench = Script { failing, cut: Some((run, 2)), ..Script::default() };
            let verification =
                verify(&mut bench, &[&fake], Vec::new(), BESIDES, &mut Checked::default()).unwrap();
            let mut reached = bench.seen_orders[0].1[..2].to_vec();
            reached.retain(|test| bench.seen_orders[1].1[..2].contains(test));
            let printed = verification.suites[0].printed.clone();
            let kept = printed.map_or(0, |printed| printed.tests.len());
            let causes: BTreeSet<String> =
                verification.dropped.iter().map(|dropped| dropped.cause.to_string()).collect();
            assert!(verification.is_reached);
            (reached.len(), kept, causes.into_iter().collect::<Vec<_>>())
        };
        let (reached, kept, causes) = left(0, &[]);
        assert_eq!((kept, causes), (reached, vec!["there was no time for it".to_owned()]));
        let (.., kept, causes) = left(1, &[]);
        assert_eq!((kept, causes), (4, Vec::new()), "all had passed in the first two orders");
        // The first round drops what fails, and the second does not come to an end.
        let (.., kept, causes) = left(2, &["t1"]);
        assert_eq!((kept, causes), (3, vec!["failed in a plain JVM: E: t1".to_owned()]));
    }

    #[test]
    fn nothing_left_is_no_file() {
        let bench = Script { uncompilable: vec!["t0"], ..Script::default() };
        check(&[1], bench, "", &["t0: javac: bad t0"]);
    }

    #[test]
    fn suites_are_verified_together_in_random_orders() {
        let (a, b) =
            (Fake { class: "A", assertions: vec![0; 5] }, Fake { class: "B", assertions: vec![0; 5] });
        let mut bench = Script { uncompilable: vec!["t3"], ..Script::default() };
        let left_out = Selection { dropped_tests: [0].into(), ..Selection::default() };
        let verification =
            verify(&mut bench, &[&a, &b], vec![left_out], BESIDES, &mut Checked::default()).unwrap();
        let texts: Vec<String> = verification
            .suites
            .iter()
            .map(|suite| suite.printed.as_ref().unwrap().text.replace("import", "").replace('\n', " "))
            .collect();
        assert_eq!(texts, [" t1 t2 t4 ", " t0 t1 t2 t4 "]);
        let [(_, by_default), (_, random), _, (_, backwards), ..] = &bench.seen_orders[..] else {
            panic!("{:?}", bench.seen_orders)
        };
        assert!(by_default.is_sorted() && !random.is_sorted(), "{random:?}");
        assert!(random.iter().rev().eq(backwards), "{backwards:?}");
        let mut sorted = by_default.clone();
        sorted.extend(random.iter().cloned());
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), 7);
        assert_eq!(verification.suites[1].compiled, [0, 1, 2, 4].into());
    }
}
