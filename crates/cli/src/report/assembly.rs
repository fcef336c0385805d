//! From recorded classes and source files to the report that all formats read.

use std::collections::{BTreeMap, VecDeque};
use std::ops::RangeInclusive;
use std::path::Path;

use ::report::model::{
    Class, Criterion, Goal, GoalState, Module, OpenReason, Outcome, Point, ProjectReport, SourceFile, Test,
    TestFile,
};
use verify::test_file;

use super::RecordedClass;
use super::sources::{SourceFolders, names_of_files, read_text, slashes};
use crate::json::{ClassReport, OpenGoalReport};
use crate::statistics::{GoalRecord, GoalStatus};

/// The name of a project: that of its folder.
pub(super) fn project_name(folder: &Path) -> String {
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    folder
        .file_name()
        .map_or_else(|| folder.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// The report of a project.
pub(super) fn assemble(
    project: String,
    classes: Vec<RecordedClass>,
    folders: &SourceFolders,
) -> ProjectReport {
    let mut modules: BTreeMap<String, Vec<Class>> = BTreeMap::new();
    for recorded in classes {
        let (module, class) = class(recorded, folders);
        modules.entry(module).or_default().push(class);
    }
    let modules = modules.into_iter().map(|(folder, mut classes)| {
        classes.sort_by(|a, b| a.name.cmp(&b.name));
        Module { name: if folder.is_empty() { project.clone() } else { folder.clone() }, folder, classes }
    });
    let modules = modules.collect();
    ProjectReport { project, covolve: env!("CARGO_PKG_VERSION").to_owned(), modules }
}

/// A class, and the folder of its module.
fn class(recorded: RecordedClass, folders: &SourceFolders) -> (String, Class) {
    let RecordedClass { class: report, goals } = recorded;
    let test_file = report.file.as_deref().map(|path| test_file(path, folders));
    // One folder may hold the tests of all modules.
    let of_file = report.file.as_deref().and_then(|path| folders.module_of(Path::new(path)));
    let named = || report.module.as_deref().and_then(|name| folders.module_named(name));
    let own = of_file.filter(|module| !module.is_empty()).or_else(named).or(of_file);
    let found = folders.source_of(&report.class, own);
    let module =
        found.as_ref().map(|found| found.module.clone()).or(own.map(str::to_owned)).unwrap_or_default();
    let source = match found {
        Some(found) => SourceFile { path: found.path, text: Some(found.text) },
        None => SourceFile { path: expected_path(&report.class), text: None },
    };
    let goals = if goals.is_empty() { open_goals(&report) } else { all_goals(&report, &goals) };
    let tests = test_file.as_ref().map(|file| tests(&file.text)).unwrap_or_default();
    let criterion = |row: crate::json::CriterionReport| Criterion {
        name: row.name,
        goals: row.goals,
        covered: row.covered,
    };
    let point = |point: &crate::json::TimelinePoint| Point {
        seconds: point.seconds,
        executions: point.executions,
        covered: point.covered,
    };
    let class = Class {
        name: report.class,
        source,
        test_file,
        criteria: report.criteria.into_iter().map(criterion).collect(),
        goals,
        tests,
        timeline: report.timeline.iter().map(point).collect(),
        seconds: report.seconds.total,
        executions: report.executions,
        diagnostics: report.diagnostics,
    };
    (module, class)
}

/// Where the source of a class would be, below a root of sources.
fn expected_path(class: &str) -> String {
    format!("{}.java", names_of_files(class).last().unwrap_or_default())
}

/// The test file at a path that `generate` gave: as it was seen from there, or from the folder of the project.
fn test_file(path: &str, folders: &SourceFolders) -> TestFile {
    let at = Path::new(path);
    let candidates = [at.to_owned(), folders.project().join(at)];
    let found = candidates.iter().find_map(|file| Some((file, read_text(file)?)));
    let Some((file, text)) = found else { return TestFile { path: path.to_owned(), text: String::new() } };
    let whole = file.canonicalize().unwrap_or_else(|_| file.clone());
    let below = whole.strip_prefix(folders.project()).map_or_else(|_| path.to_owned(), slashes);
    TestFile { path: below, text }
}

/// The open goals of a class, where nothing is known of the others.
fn open_goals(report: &ClassReport) -> Vec<Goal> {
    let goal = |open: &OpenGoalReport| Goal {
        criterion: open.criterion.clone(),
        class: open.class.clone(),
        method: open.method.clone(),
        line: open.line,
        description: open.goal.clone(),
        outcome: None,
        state: GoalState::Open(open_reason(open)),
        killers: Vec::new(),
    };
    report.open_goals.iter().map(goal).collect()
}

fn open_reason(open: &OpenGoalReport) -> OpenReason {
    OpenReason {
        kind: open.reason.clone(),
        cause: open.cause.clone(),
        detail: open.detail.clone(),
        behind: open.behind.clone(),
    }
}

/// The goals of the criteria that a class was tested by, each open one with its whole reason.
fn all_goals<'a>(report: &'a ClassReport, records: &'a [GoalRecord]) -> Vec<Goal> {
    // Sentences need not be unique; both lists are in the order of the goals.
    let mut reasons: BTreeMap<(&'a str, &'a str), VecDeque<OpenReason>> = BTreeMap::new();
    for open in &report.open_goals {
        reasons.entry((&open.criterion, &open.goal)).or_default().push_back(open_reason(open));
    }
    let is_asked = |record: &&GoalRecord| report.criteria.iter().any(|row| row.name == record.criterion);
    let goal = |record: &'a GoalRecord| Goal {
        criterion: record.criterion.clone(),
        class: record.class.clone(),
        method: record.method.clone(),
        line: record.line,
        description: record.goal.clone(),
        outcome: outcome(&record.id),
        killers: record.killers.clone(),
        state: match record.status {
            // What covers it is none of our tests, so none is named.
            GoalStatus::Covered | GoalStatus::Existing => GoalState::Covered(record.tests.clone()),
            GoalStatus::Lost | GoalStatus::Open => {
                let known = reasons.get_mut(&(record.criterion.as_str(), record.goal.as_str()));
                let kind = record.reason.clone().unwrap_or_default();
                let known = known.and_then(VecDeque::pop_front);
                GoalState::Open(known.unwrap_or_else(|| OpenReason { kind, ..OpenReason::default() }))
            }
        },
    };
    records.iter().filter(is_asked).map(goal).collect()
}

/// The outcome of a branch that the name of a goal ends in: `…@7:1`.
fn outcome(id: &str) -> Option<Outcome> {
    let (_, place) = id.rsplit_once('@')?;
    let (instruction, number) = place.split_once(':')?;
    Some(Outcome { instruction: instruction.parse().ok()?, number: number.parse().ok()? })
}

/// The tests of a file that was printed by us, or edited since.
fn tests(text: &str) -> Vec<Test> {
    let file = test_file::TestFile { path: String::new(), text: text.to_owned() };
    let test = |(name, lines): (String, RangeInclusive<u32>)| Test {
        name,
        first_line: *lines.start(),
        last_line: *lines.end(),
    };
    file.tests().into_iter().map(test).collect()
}

#[cfg(test)]
mod tests_of_texts {
    use super::*;

    #[test]
    fn tests_are_found_with_their_lines() {
        let text = "class T {\n    @Test\n    void a() {\n        new X() {\n            void inner() {\n            }\n        \
                    };\n    }\n\n    @Test(timeout = 4000)\n    public void b() throws Exception {\n    }\n\n    \
                    @ParameterizedTest\n    @ValueSource(ints = {1, 2})\n    void c(int number) {\n    }\n}\n";
        let found: Vec<(String, u32, u32)> =
            tests(text).into_iter().map(|test| (test.name, test.first_line, test.last_line)).collect();
        let expect = [("a", 2, 8), ("b", 10, 12), ("c[1]", 14, 17), ("c[2]", 14, 17)];
        assert_eq!(found, expect.map(|(name, first, last)| (name.to_owned(), first, last)));
        assert_eq!(tests(""), []);
    }

    #[test]
    fn outcomes_are_read_from_the_names_of_goals() {
        for (id, expect) in [
            ("branch p/Foo#f()V@3:1", Some((3, 1))),
            ("branch p/Foo#f()V@entry", None),
            ("line p/Foo#f()V@line12", None),
            ("output p/Foo#f()I@result:Zero", None),
            ("input p/Foo#f(I)V@0:Negative", None),
        ] {
            let found = outcome(id).map(|outcome| (outcome.instruction, outcome.number));
            assert_eq!(found, expect, "{id}");
        }
    }

    #[test]
    fn a_class_is_looked_for_in_the_files_of_the_classes_around_it() {
        let names = |class: &str| names_of_files(class).collect::<Vec<_>>().join(" ");
        assert_eq!(names("p.q.A$B$C"), "p/q/A$B$C p/q/A$B p/q/A");
        assert_eq!(names("p.$A"), "p/$A");
        assert_eq!(names("A"), "A");
        assert_eq!(expected_path("p.A$B"), "p/A.java");
    }
}
