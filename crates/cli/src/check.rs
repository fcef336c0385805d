//! `covolve check`: the delivered test files once more, against the classes as they are now. Nothing is searched, and nothing is
//! written; what behaves in another way is named.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use output::junit::header::{EditState, is_unedited};
use project::build::plain::OWN_TESTS;
use project::build::requests::{ModuleRequest, requests};
use project::changes::Changes;
use project::environment::Environment;
use project::failure::Failure;
use project::project::Project;
use project::request::{JunitChoice, Request};
use project::style::habits::Habits;
use project::targets::LEAST_LEVEL;
use project::test_sources::{Ownership, TestSources};
use serde::{Deserialize, Serialize};
use store::state::Store;
use verify::jvm::TEST_LIMIT;
use verify::lane::{Compiled, Judges};
use verify::pool::{PoolSetup, VerifierPool};
use verify::rerun::{Failed, NotCompiled, Rerun, rerun};
use verify::test_file::TestFile;

use crate::args::CheckArgs;
use crate::exit_code::ExitCode;
use crate::known::place::{folder_of, root_of};
use crate::options;
use crate::since::changes;

/// What came of the file of a class; with `--json` an object per line. Its schema is `docs/guide/check.schema.json`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckedClass {
    /// Binary name of the class.
    pub class: String,
    /// Name of its module; null for a class path.
    pub module: Option<String>,
    /// Its test file.
    pub file: String,
    /// Tests in it that were run: those that compile.
    pub tests: usize,
    /// Tests that fail now, in the order of the file: the behaviour of the class has changed.
    pub changes: Vec<Change>,
    /// What does not compile any more; empty where the file does.
    pub errors: Vec<CompileError>,
}

/// A test that fails now.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// Its method.
    pub test: String,
    /// What it expected; null where it does not say.
    pub expected: Option<String>,
    /// What came instead.
    pub actual: String,
}

/// Code of a test file that does not compile any more.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompileError {
    /// Method of the test that holds it; null for code outside of tests.
    pub test: Option<String>,
    /// What is gone, in the words of `javac`.
    pub message: String,
}

/// Runs `check`; what came of the files goes to `out`, what else is to be said to `note`.
///
/// # Errors
/// The project cannot be used, no class that was named has a file, or a JVM cannot be had.
pub fn run(
    arguments: &CheckArgs,
    environment: &Environment,
    covolve: &Path,
    note: &dyn Fn(&str),
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let asked = options::request(&arguments.targets)?;
    let junit = JunitChoice::parse(&arguments.junit)?;
    let changes = changes(arguments.since.as_deref(), &asked.place, environment)?;
    let known = known_files(arguments, &asked, note);
    // A class that is gone is in no module: its file tells of it.
    let of_all = Request { classes: Vec::new(), prefixes: Vec::new(), ..asked.clone() };
    let modules = requests(&of_all, environment, note)?;
    for failure in &modules.failures {
        note(&failure.sentence);
    }
    let mut run = Run {
        arguments,
        asked: &asked,
        environment,
        covolve,
        note,
        junit,
        changes,
        unchanged: BTreeSet::new(),
        known,
        checked: Vec::new(),
        without: Vec::new(),
        edited: 0,
    };
    for module in modules.modules {
        run.check(module)?;
    }
    run.tell(out)?;
    let is_same = run.checked.iter().all(|class| class.changes.is_empty() && class.errors.is_empty());
    Ok(if is_same { ExitCode::Success } else { ExitCode::NotAllWell })
}

/// Test files that the state knows, by module and class.
type KnownFiles = BTreeMap<(String, String), (PathBuf, String)>;

/// The test files of earlier runs: root of the test sources, and path below it.
fn known_files(arguments: &CheckArgs, asked: &Request, note: &dyn Fn(&str)) -> KnownFiles {
    let folder = folder_of(&asked.place, arguments.state.state.as_deref());
    let classes = match folder.as_deref().map(Store::open_existing) {
        Some(Ok(Some(store))) => store.classes(),
        Some(Err(error)) => Err(error),
        Some(Ok(None)) | None => Ok(Vec::new()),
    };
    let classes = classes.unwrap_or_else(|error| {
        note(&format!(
            "tests of classes that are gone are not looked for: {error}; `covolve generate` begins it anew"
        ));
        Vec::new()
    });
    let root = root_of(&asked.place).unwrap_or_default();
    let files = classes.into_iter().filter_map(|class| {
        let file = class.file?;
        Some(((class.module, class.class), (root.join(file.root), file.path)))
    });
    files.collect()
}

/// A run of `check`.
struct Run<'a> {
    arguments: &'a CheckArgs,
    asked: &'a Request,
    environment: &'a Environment,
    covolve: &'a Path,
    note: &'a dyn Fn(&str),
    junit: JunitChoice,
    /// What has changed since the commit that is named.
    changes: Option<Changes>,
    /// Classes that have not.
    unchanged: BTreeSet<String>,
    known: KnownFiles,
    checked: Vec<CheckedClass>,
    /// Classes without a file.
    without: Vec<String>,
    /// Files that a person has edited.
    edited: usize,
}

/// A file to be run, with its class and where it is.
struct Found {
    class: String,
    path: PathBuf,
    file: TestFile,
}

impl Run<'_> {
    /// Runs the test files of a module.
    fn check(&mut self, module: ModuleRequest) -> anyhow::Result<()> {
        let asked = module;
        let project = Project::open(&asked.request, self.environment, self.note)?;
        let root = match (&self.arguments.out, asked.test_root.clone()) {
            (Some(out), _) => Some(out.clone()),
            (None, Some(root)) => root.ok(),
            (None, None) => Some(PathBuf::from(OWN_TESTS)),
        };
        let found = self.find(&project, &asked, root.as_deref())?;
        if found.is_empty() {
            return Ok(());
        }
        let given: Vec<PathBuf> =
            self.arguments.junit_class_path.iter().flat_map(std::env::split_paths).collect();
        let junit = project.junit(
            self.junit,
            &[given, asked.junit_class_path.clone()].concat(),
            self.environment,
            self.note,
        )?;
        let setup = PoolSetup {
            launcher: self.covolve.to_owned(),
            jdk: project.jdk.clone(),
            junit: junit.clone(),
            source_level: LEAST_LEVEL,
            test_limit: TEST_LIMIT,
        };
        let pool = VerifierPool::new(setup, self.environment, self.note)
            .context("the verification JVMs cannot be prepared")?;
        let mut lane = pool.take().context("the verification JVMs cannot be started")?;
        lane.start_second();
        let main = project.run_path(self.environment, self.note);
        let compiled = Compiled {
            class_path: asked.class_path_of_tests(&main.entries, &junit),
            // What compiled at an earlier level compiles at that of the JDK.
            source_level: project.jdk.version,
        };
        let remaining = || Duration::MAX;
        let files: Vec<TestFile> = found.iter().map(|found| found.file.clone()).collect();
        let reruns = rerun(&mut lane.bench(&compiled, Judges::Both, &remaining), &files)?;
        let checked = found.into_iter().zip(reruns);
        self.checked.extend(checked.map(|(found, rerun)| checked_class(found, asked.module.clone(), rerun)));
        Ok(())
    }

    /// The files to be run: those of classes of the module that are asked for, then those of classes that are gone.
    fn find(
        &mut self,
        project: &Project,
        asked: &ModuleRequest,
        root: Option<&Path>,
    ) -> Result<Vec<Found>, Failure> {
        let mut places: BTreeMap<String, Option<(PathBuf, String)>> = BTreeMap::new();
        let targets = project.targets(&asked.request)?.targets;
        // Of this module: another one may have a class of the same name.
        let mut unchanged = BTreeSet::new();
        if let Some(changes) = &self.changes {
            let changed = changes.narrow(project, &targets);
            let as_they_were = targets.iter().filter(|target| !changed.contains(target));
            unchanged.extend(as_they_were.map(|target| target.class.binary()));
            self.unchanged.extend(unchanged.iter().cloned());
        }
        for target in targets {
            places.insert(target.class.binary(), root.map(|root| (root.to_owned(), target.test_file())));
        }
        for ((of_module, class), place) in &self.known {
            if of_module == asked.module.as_deref().unwrap_or_default() {
                places.insert(class.clone(), Some(place.clone()));
            }
        }
        let mut found = Vec::new();
        for (class, place) in places {
            // One that is gone is looked at in any case: its tests break the build.
            if !self.is_asked(&class) || unchanged.contains(&class) {
                continue;
            }
            let text = place.as_ref().and_then(|(root, path)| text_of(root, path, &asked.habits));
            match (place, text) {
                (Some((root, path)), Some(text)) => match is_unedited(&text) {
                    EditState::Unedited => {
                        let shown = root.join(&path);
                        found.push(Found { class, path: shown, file: TestFile { path, text } });
                    }
                    EditState::Edited => self.edited += 1,
                    EditState::Foreign => self.without.push(class),
                },
                (None, _) | (_, None) => self.without.push(class),
            }
        }
        Ok(found)
    }

    /// Whether a class is asked for, there or not.
    fn is_asked(&self, class: &str) -> bool {
        let Request { classes, prefixes, exclude, .. } = self.asked;
        let is_in =
            |package: &String| class.strip_prefix(package.as_str()).is_some_and(|rest| rest.starts_with('.'));
        let names_none = classes.is_empty() && prefixes.is_empty();
        classes.iter().any(|name| name == class)
            || ((names_none || prefixes.iter().any(is_in))
                && !exclude.iter().any(|pattern| pattern.matches(class)))
    }

    /// Says what came of the files.
    fn tell(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        if let Some(sentence) = without_file(&self.without) {
            (self.note)(&sentence);
        }
        if self.edited > 0 {
            let files = counted(self.edited, "file was", "files were");
            (self.note)(&format!(
                "{files} edited by a person and not checked: your build runs what is theirs"
            ));
        }
        let known = |class: &String| {
            self.checked.iter().any(|checked| checked.class == *class)
                || self.without.contains(class)
                || self.unchanged.contains(class)
        };
        if let Some(unknown) =
            self.asked.classes.iter().find(|class| !known(class)).filter(|_| self.edited == 0)
        {
            return Err(Failure::input(format!(
                "no class and no test file of {unknown} is known; check --class, and that its tests were generated"
            ))
            .into());
        }
        for class in &self.checked {
            if self.arguments.json {
                writeln!(out, "{}", serde_json::to_string(class)?)?;
            } else {
                out.write_all(lines(class).as_bytes())?;
            }
        }
        if !self.arguments.json {
            writeln!(out, "{}", summary(&self.checked))?;
        }
        out.flush()?;
        Ok(())
    }
}

fn text_of(root: &Path, path: &str, habits: &Habits) -> Option<String> {
    TestSources::new(root, false, &|_| Ownership::Edited).like(habits).text(path)
}

fn checked_class(found: Found, module: Option<String>, rerun: Rerun) -> CheckedClass {
    let change = |Failed { test, expected, actual }| Change { test, expected, actual };
    let error = |NotCompiled { test, message }| CompileError { test, message };
    CheckedClass {
        class: found.class,
        module,
        file: found.path.display().to_string(),
        tests: rerun.tests,
        changes: rerun.failed.into_iter().map(change).collect(),
        errors: rerun.not_compiled.into_iter().map(error).collect(),
    }
}

/// What there is to say of a class: nothing where it is as it was.
fn lines(class: &CheckedClass) -> String {
    let CheckedClass { class: name, file, changes, errors, .. } = class;
    let mut lines = Vec::new();
    if !changes.is_empty() {
        lines.push(format!("{name} behaves in another way: {file}"));
    }
    for Change { test, expected, actual } in changes {
        lines.push(match expected {
            Some(expected) => format!("  {test}: expected {expected}, came {actual}"),
            None => format!("  {test}: {actual}"),
        });
    }
    if !errors.is_empty() {
        lines.push(format!("{name} has tests that do not compile any more: {file}"));
    }
    for CompileError { test, message } in errors {
        lines.push(format!("  {}: {message}", test.as_deref().unwrap_or("outside of tests")));
    }
    lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
}

fn summary(checked: &[CheckedClass]) -> String {
    let files = counted(checked.len(), "test file", "test files");
    let tests: usize = checked.iter().map(|class| class.tests).sum();
    let tests = counted(tests, "test", "tests");
    let changed = checked.iter().filter(|class| !class.changes.is_empty()).count();
    let broken = checked.iter().filter(|class| !class.errors.is_empty()).count();
    let mut what = Vec::new();
    if changed > 0 {
        what.push(counted(changed, "class behaves in another way", "classes behave in another way"));
    }
    if broken > 0 {
        what.push(counted(broken, "file does not compile any more", "files do not compile any more"));
    }
    let what = if what.is_empty() { "everything is as it was".to_owned() } else { what.join(", ") };
    format!("{files}, {tests} run: {what}")
}

/// Classes without a test file, said once.
fn without_file(classes: &[String]) -> Option<String> {
    const NAMED: usize = 3;
    let names = || classes.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    match classes.len() {
        0 => None,
        1 => Some(format!("{} has no test file", names())),
        number if number <= NAMED => Some(format!("{number} classes have no test file: {}", names())),
        number => Some(format!("{number} classes have no test file: {} and others", names())),
    }
}

fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class() -> CheckedClass {
        CheckedClass {
            class: "p.A".into(),
            file: "t/p/ACovolveTest.java".into(),
            tests: 3,
            ..CheckedClass::default()
        }
    }

    fn changed() -> CheckedClass {
        let change = |test: &str, expected: Option<&str>, actual: &str| Change {
            test: test.into(),
            expected: expected.map(Into::into),
            actual: actual.into(),
        };
        CheckedClass {
            changes: vec![change("one", Some("1"), "2"), change("two", None, "java.lang.Error: x")],
            ..class()
        }
    }

    fn broken() -> CheckedClass {
        let error = |test: Option<&str>| CompileError {
            test: test.map(Into::into),
            message: "cannot find symbol".into(),
        };
        CheckedClass {
            tests: 0,
            module: Some("m".into()),
            errors: vec![error(Some("one")), error(None)],
            ..class()
        }
    }

    #[test]
    fn what_changed_is_named() {
        assert_eq!(lines(&class()), "");
        let expect = "p.A behaves in another way: t/p/ACovolveTest.java\n  one: expected 1, came 2\n  two: java.lang.Error: x\n";
        assert_eq!(lines(&changed()), expect);
        let expect = "p.A has tests that do not compile any more: t/p/ACovolveTest.java\n  one: cannot find symbol\n  \
                      outside of tests: cannot find symbol\n";
        assert_eq!(lines(&broken()), expect);
    }

    #[test]
    fn a_summary_counts() {
        assert_eq!(summary(&[class()]), "1 test file, 3 tests run: everything is as it was");
        assert_eq!(
            summary(&[class(), changed(), broken()]),
            "3 test files, 6 tests run: 1 class behaves in another way, 1 file does not compile any more"
        );
    }

    #[test]
    fn classes_without_a_file_are_said_once() {
        let check = |classes: &[&str], expect: Option<&str>| {
            let classes: Vec<String> = classes.iter().map(|&class| class.to_owned()).collect();
            assert_eq!(without_file(&classes).as_deref(), expect);
        };
        check(&[], None);
        check(&["a.A"], Some("a.A has no test file"));
        check(&["a.A", "a.B"], Some("2 classes have no test file: a.A, a.B"));
        check(&["A", "B", "C", "D"], Some("4 classes have no test file: A, B, C and others"));
    }

    #[test]
    fn objects_follow_the_schema() {
        let schema = serde_json::from_str(include_str!("../../../docs/guide/check.schema.json")).unwrap();
        let schema = jsonschema::validator_for(&schema).unwrap();
        for class in [class(), changed(), broken()] {
            let value = serde_json::to_value(&class).unwrap();
            let errors: Vec<String> = schema.iter_errors(&value).map(|error| error.to_string()).collect();
            assert_eq!(errors, Vec::<String>::new());
        }
        assert!(!schema.is_valid(&serde_json::json!({ "class": "p.A" })));
    }
}
