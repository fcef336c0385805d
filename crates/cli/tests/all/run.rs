//! A whole run of `generate` around a generator whose tests are written by hand.

#![expect(clippy::disallowed_methods, reason = "tests read and write files")]

use crate::support;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::support::written::Written;
use cli::args::{GenerateArgs, TargetArgs};
use cli::console::Console;
use cli::console::progress::ClassLine;
use cli::exit_code::ExitCode;
use cli::generate::shares::Share;
use cli::generate::{Generator, Report, Session, Start, run, run_from};
use cli::interrupt::Interrupt;
use cli::json::ClassReport;
use cli::options::{Names, Options};
use output::junit::printed::PrintedSuite;
use project::failure::Failure;
use project::request::JunitChoice;
use project::targets::Target;
use project::test_sources::Ownership;
use testcase::clock::Clock;
use verify::lane::{Compiled, Judges};
use verify::suite::{Selection, SuiteSource};
use verify::verifier::{Checked, Orders, verify};

const CLASSES: &str = "
//- /p/A.java
package p;
public class A { public static int one() { return 1; } }
//- /p/B.java
package p;
public class B { public static int two() { return 2; } static class Inner {} }
//- /p/C.java
package p;
public class C { public static void never() {} }
";

/// Knows a good and a bad test for `A` and `B`, panics at `C`. Notes what classes get.
#[derive(Default)]
struct ByHand {
    shares: Mutex<Vec<Share>>,
    /// Whether no file can be written.
    is_full: bool,
    /// A clock that is older than that of a session should be.
    clock: Option<Clock>,
}

impl ByHand {
    fn suite(target: &Target) -> Option<Written> {
        let (class, tests) = match target.class.as_str() {
            "p/A" => ("p.ACovolveTest", vec!["assertEquals(1, A.one());", "assertEquals(2, A.one());"]),
            "p/B" => ("p.BCovolveTest", vec!["assertEquals(2, B.two());", "B.three();"]),
            _ => return None,
        };
        Some(Written { class, junit: JunitChoice::Jupiter, tests })
    }
}

/// The suite with our header on top, on the line of the package.
struct WithHeader(Written);

impl SuiteSource for WithHeader {
    fn test_count(&self) -> usize {
        self.0.test_count()
    }

    fn print(&self, selection: &Selection) -> PrintedSuite {
        let mut printed = self.0.print(selection);
        printed.text = format!("/* by hand */ {}", printed.text);
        printed
    }
}

impl Generator for ByHand {
    type Class = ClassReport;

    fn names(&self) -> Names<'_> {
        Names { algorithms: &["by-hand"], criteria: &["none"], default_criteria: &["none"] }
    }

    fn ownership(&self, text: &str) -> Ownership {
        if text.starts_with("/* by hand */") { Ownership::Untouched } else { Ownership::Edited }
    }

    fn generate(
        &self,
        session: &Session<'_>,
        target: &Target,
        share: Share,
        _line: &ClassLine,
    ) -> anyhow::Result<ClassReport> {
        if let Some(now) = self.clock.map(|clock| clock.now()) {
            // tidy: compares two clocks, and no time with a limit
            assert!(session.clock.now() >= now, "the session's clock was started later");
        }
        self.shares.lock().unwrap().push(share);
        if self.is_full {
            return Err(Failure::output("the disk is full; make room").into());
        }
        let suite = WithHeader(Self::suite(target).expect("no tests for this class"));
        let mut lane = session.verifiers.take()?;
        let under_test = Compiled {
            class_path: session.prepared.run_path.entries.clone(),
            source_level: session.prepared.source_level(target),
        };
        let remaining = || Duration::from_mins(2);
        let verification = verify(
            &mut lane.bench(&under_test, Judges::Both, &remaining),
            &[&suite],
            Vec::new(),
            Orders { seed: 0, alone: false },
            &mut Checked::default(),
        )?;
        session.verifiers.put_back(lane);
        let printed = verification.suites[0].printed.as_ref().expect("a test is left");
        let file = session.test_sources.write(&target.test_file(), &printed.text)?;
        Ok(ClassReport {
            class: target.class.binary(),
            file: Some(file.to_str().expect("text").to_owned()),
            seed: session.prepared.options.seed,
            algorithm: session.prepared.options.algorithm.clone(),
            tests: printed.tests.len(),
            diagnostics: verification.dropped.iter().map(|dropped| dropped.cause.to_string()).collect(),
            ..ClassReport::default()
        })
    }

    fn verify_together(&self, _: &Session<'_>, classes: &mut [ClassReport]) -> anyhow::Result<()> {
        for class in classes {
            class.diagnostics.push("together".to_owned());
        }
        Ok(())
    }

    fn report(&self, _: &Options, class: &ClassReport) -> Report {
        Report {
            class: class.clone(),
            goals: Vec::new(),
            interrupted: false,
            stood_still: false,
            is_cut_short: false,
            file: None,
            suite: Vec::new(),
        }
    }
}

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Shared {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

/// Runs for these classes or packages; exit code, standard output, standard error without what is said on a machine where
/// nothing has run yet.
fn generate(out: &Path, json: bool, classes: &[&str], prefixes: &[&str]) -> (ExitCode, String, String) {
    generate_with(&ByHand::default(), out, |arguments| {
        arguments.targets.classes = classes.iter().map(|&class| class.into()).collect();
        arguments.targets.prefixes = prefixes.iter().map(|&prefix| prefix.into()).collect();
        arguments.json = json;
    })
}

/// Options for all classes of the fixture.
fn arguments(out: &Path) -> GenerateArgs {
    let junit = support::junit(JunitChoice::Jupiter);
    GenerateArgs {
        targets: TargetArgs {
            class_path: vec![fixture::compile(CLASSES).folder.into()],
            ..TargetArgs::default()
        },
        junit_class_path: vec![std::env::join_paths(junit.class_path).unwrap()],
        out: Some(out.to_owned()),
        budget: Some("20000executions".into()),
        seed: "5".into(),
        junit: "auto".into(),
        solver: "built-in".into(),
        names: "camel".into(),
        jobs: Some("2".into()),
        ..GenerateArgs::default()
    }
}

fn generate_with(
    by_hand: &ByHand,
    out: &Path,
    change: impl FnOnce(&mut GenerateArgs),
) -> (ExitCode, String, String) {
    let mut arguments = arguments(out);
    change(&mut arguments);
    let (results, notes) = (Shared::default(), Shared::default());
    let console = Console::plain(arguments.json, Box::new(results.clone()), Box::new(notes.clone()));
    let code = run(&arguments, &support::environment(), &support::covolve(), by_hand, &console).unwrap();
    let notes =
        notes.text().split_inclusive('\n').filter(|line| !line.contains("preparing the JVMs")).collect();
    (code, results.text(), notes)
}

#[test]
fn a_budget_may_count_from_before_anything_was_looked_at() {
    let out = tempfile::tempdir().unwrap();
    let (environment, covolve) = (support::environment(), support::covolve());
    let interrupt = Interrupt::default();
    let clock = Clock::start();
    let start =
        Start { environment: &environment, covolve: &covolve, interrupt: &interrupt, clock: Some(clock) };
    let console = Console::plain(false, Box::new(io::sink()), Box::new(io::sink()));
    let mut asked = arguments(out.path());
    asked.targets.classes = vec!["p.A".into()];
    let by_hand = ByHand { clock: Some(clock), ..ByHand::default() };
    let code = run_from(&start, &asked, &by_hand, &console).unwrap();
    assert_eq!(code, ExitCode::Success);
}

#[test]
fn a_class_gets_its_file_and_its_report() {
    let out = tempfile::tempdir().unwrap();
    let (code, results, notes) = generate(out.path(), true, &["p.A"], &[]);
    assert_eq!(code, ExitCode::Success);
    assert_eq!(notes, "covolve: p.A: started\n");
    let report: ClassReport = serde_json::from_str(&results).unwrap();
    assert_eq!(results.lines().count(), 1);
    let file = out.path().join("p/ACovolveTest.java");
    assert_eq!((report.class.as_str(), report.file.as_deref()), ("p.A", file.to_str()));
    assert_eq!((report.seed, report.algorithm.as_str(), report.tests), (5, "by-hand", 2));
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(
        text.contains("assertEquals(1, A.one());") && !text.contains("assertEquals(2, A.one());"),
        "{text}"
    );
    let (again, ..) = generate(out.path(), true, &["p.A"], &[]);
    assert_eq!(again, ExitCode::Success, "our own file is written anew");
}

#[test]
fn a_package_is_tested_class_by_class_and_a_fault_costs_one() {
    let out = tempfile::tempdir().unwrap();
    let (code, results, notes) = generate(out.path(), false, &[], &["p"]);
    assert_eq!(code, ExitCode::Internal);
    let lines: Vec<&str> = results.lines().filter(|line| line.starts_with("p.")).collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[0].starts_with("p.A: 2 tests, ") && lines[1].starts_with("p.B: 1 test, "), "{results}");
    assert_eq!(results.matches("\n  together\n").count(), 2, "{results}");
    assert!(notes.contains("covolve: p.C: a fault of Covolve: no tests for this class\n"), "{notes}");
    assert!(
        out.path().join("p/BCovolveTest.java").is_file() && !out.path().join("p/CCovolveTest.java").exists()
    );
}

#[test]
fn what_a_class_does_not_need_of_the_time_of_a_run_goes_to_the_others() {
    let (out, by_hand) = (tempfile::tempdir().unwrap(), ByHand::default());
    let (code, ..) = generate_with(&by_hand, out.path(), |arguments| {
        arguments.targets.classes = vec!["p.A".into(), "p.B".into()];
        (arguments.budget, arguments.total_budget) = (None, Some("10h".into()));
        arguments.jobs = Some("1".into());
    });
    assert_eq!(code, ExitCode::Success);
    let shares = by_hand.shares.into_inner().unwrap();
    let [first, second] = shares.as_slice() else { panic!("{shares:?}") };
    assert!(first.is_shared && second.is_shared);
    let minutes = [first, second].map(|share| share.budget.time().unwrap().as_secs() / 60);
    // Half of the time for each; the first needs seconds of it. The last minute and a half is for all files together.
    assert!((290..300).contains(&minutes[0]) && (580..600).contains(&minutes[1]), "{minutes:?}");
}

#[test]
fn a_class_that_gets_no_time_is_accounted_for() {
    let (out, by_hand) = (tempfile::tempdir().unwrap(), ByHand::default());
    let (code, results, _) = generate_with(&by_hand, out.path(), |arguments| {
        arguments.targets.prefixes = vec!["p".into()];
        (arguments.budget, arguments.total_budget) = (None, Some("1s".into()));
    });
    assert_eq!(code, ExitCode::NotAllWell);
    // The smallest comes first.
    let expect: String = ["C", "A", "B"]
        .map(|class| {
            format!(
                "p.{class}: no test (0.0 s)\n  it got no time: that of --total-budget was over; give more, or in a project run \
                 again to go on with what is left\n"
            )
        })
        .concat();
    let summary = "no time       3 classes: ";
    assert!(results.starts_with(&expect) && results.contains(summary), "{results}");
    assert_eq!(by_hand.shares.into_inner().unwrap(), []);
}

#[test]
fn where_no_file_can_be_written_nothing_more_is_begun() {
    let out = tempfile::tempdir().unwrap();
    let by_hand = ByHand { is_full: true, ..ByHand::default() };
    let (code, results, notes) = generate_with(&by_hand, out.path(), |arguments| {
        arguments.targets.prefixes = vec!["p".into()];
        arguments.jobs = Some("1".into());
    });
    assert_eq!((code, results.as_str()), (ExitCode::Output, ""));
    assert_eq!(by_hand.shares.into_inner().unwrap().len(), 2, "the third class is not begun");
    let end = "covolve: classes not begun: 1, since no file can be written; put that right and run again: what was written \
        and verified stays\n";
    assert!(notes.ends_with(end), "{notes}");
}
