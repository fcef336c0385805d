//! What reports tell of: a project with its modules, their classes, and of each its goals and tests.

use serde::{Deserialize, Serialize};

/// What is known of a project.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ProjectReport {
    /// Its name.
    pub project: String,
    /// Version of covolve.
    pub covolve: String,
    /// Its modules, in the order in which they are shown.
    pub modules: Vec<Module>,
}

/// A module of a project.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Module {
    /// Its name; may be empty where there is no other.
    pub name: String,
    /// Its folder below that of the project, with slashes; empty if it is the same.
    pub folder: String,
    /// Its classes, in the order in which they are shown.
    pub classes: Vec<Class>,
}

/// A class that tests were generated for, with its nest.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Class {
    /// Binary name.
    pub name: String,
    /// Its source file.
    pub source: SourceFile,
    /// Its test file; `None` if there is none.
    pub test_file: Option<TestFile>,
    /// Goals by criterion, in the order in which they are shown. These count all goals, [`Class::goals`] may lack covered ones.
    pub criteria: Vec<Criterion>,
    /// Its goals as far as they are known one by one.
    pub goals: Vec<Goal>,
    /// The tests of its file, in the order of their lines.
    pub tests: Vec<Test>,
    /// How coverage grew, first to last.
    pub timeline: Vec<Point>,
    /// Seconds from the known class path to the file on disk.
    pub seconds: f64,
    /// Executions of the search.
    pub executions: u64,
    /// What the user should know, one sentence each.
    pub diagnostics: Vec<String>,
}

/// The source file of a class.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFile {
    /// Its path below the folder of the module, with slashes; below a root of sources where it was not found.
    pub path: String,
    /// Its text, if it was found.
    pub text: Option<String>,
}

/// A file of tests.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestFile {
    /// Its path, below the folder of the project if it lies there.
    pub path: String,
    /// Its text; empty if it is not there any more.
    pub text: String,
}

/// Coverage by one criterion.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Criterion {
    /// Its name.
    pub name: String,
    /// Its goals.
    pub goals: usize,
    /// Those that are covered.
    pub covered: usize,
}

/// One thing to be covered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Goal {
    /// Its criterion.
    pub criterion: String,
    /// Binary name of the class that holds it: the class of the report, or one of its nest.
    pub class: String,
    /// Its method, name and descriptor.
    pub method: String,
    /// Its source line, from 1, if one is recorded.
    pub line: Option<u32>,
    /// The goal in one sentence.
    pub description: String,
    /// Which outcome of a branch it is, if it is one.
    pub outcome: Option<Outcome>,
    /// What became of it.
    pub state: GoalState,
    /// Of a mutant that tests had to infect: the tests of the file that are known to kill it, by name.
    pub killers: Vec<String>,
}

/// An outcome of a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Outcome {
    /// The instruction that branches, by its number in the method.
    pub instruction: u32,
    /// Which of its outcomes, from 0.
    pub number: u32,
}

/// What became of a goal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum GoalState {
    /// These tests of the file cover it, by name; none are named where that is not known.
    Covered(Vec<String>),
    /// No test of the file covers it.
    Open(OpenReason),
}

/// Why a goal is open.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct OpenReason {
    /// The kind of reason, a word such as `no_value`.
    pub kind: String,
    /// A cause that it may have in common with goals of other classes.
    pub cause: String,
    /// The reason, in one sentence.
    pub detail: String,
    /// The open goal that guards it, in one sentence.
    pub behind: Option<String>,
}

/// A test in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Test {
    /// Name of its method.
    pub name: String,
    /// Its first line, annotations included, from 1.
    pub first_line: u32,
    /// Its last line.
    pub last_line: u32,
}

/// A point of the timeline of a class.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Seconds since the class path was known.
    pub seconds: f64,
    /// Executions so far.
    pub executions: u64,
    /// Goals covered so far, all criteria together.
    pub covered: usize,
}

impl Module {
    /// The path of a source file of this module below the folder of the project.
    pub fn path_of(&self, source: &SourceFile) -> String {
        match (self.folder.as_str(), &source.text) {
            ("", _) | (_, None) => source.path.clone(),
            (folder, Some(_)) => format!("{folder}/{}", source.path),
        }
    }
}

impl Class {
    /// Its package; empty for the unnamed one.
    pub fn package(&self) -> &str {
        self.name.rsplit_once('.').map_or("", |(package, _)| package)
    }

    /// Its name without the package.
    pub fn simple_name(&self) -> &str {
        self.name.rsplit_once('.').map_or(&self.name, |(_, name)| name)
    }

    /// Whether every goal is known, the covered ones as well.
    pub fn has_all_goals(&self) -> bool {
        self.goals.len() >= self.criteria.iter().map(|criterion| criterion.goals).sum()
    }
}

impl Goal {
    /// Tests that cover it; `None` if it is open. A covered goal has one at least, also where its name is not known.
    pub fn hits(&self) -> Option<u64> {
        match &self.state {
            GoalState::Covered(tests) => Some(tests.len().max(1) as u64),
            GoalState::Open(_) => None,
        }
    }

    /// Why it is open.
    pub fn open(&self) -> Option<&OpenReason> {
        match &self.state {
            GoalState::Covered(_) => None,
            GoalState::Open(reason) => Some(reason),
        }
    }
}
