//! What is kept of a class.

/// What a run came to with a class, and what that depended on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoredClass {
    /// Name of its module; empty where there is but a class path.
    pub module: String,
    /// Binary name.
    pub class: String,
    /// Hash of everything that the result depended on.
    pub key: String,
    /// Hash of what it depended on besides the code of other classes.
    pub own: String,
    /// What was reported of it: the JSON object of `covolve generate --json`.
    pub report: String,
    /// Its test file; `None` where nothing of it could be tested.
    pub file: Option<StoredFile>,
    /// When it was kept, in seconds since 1970 (UTC); set by the store.
    pub stored_at: i64,
}

/// A test file as it was delivered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoredFile {
    /// Root of the test sources, below the folder of the project where it lies there, else absolute.
    pub root: String,
    /// Path below that root, with slashes.
    pub path: String,
    /// Hash of what its text says.
    pub hash: String,
    /// Its test methods, in the order of the file.
    pub tests: Vec<String>,
}

/// A coverage goal of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredGoal {
    /// A name that is the same in every run, as long as the class file is.
    pub id: String,
    /// The goal, in one sentence.
    pub description: String,
    /// Its criterion.
    pub criterion: String,
    /// Binary name of the class that holds it.
    pub class: String,
    /// Its method, name and descriptor.
    pub method: String,
    /// Its source line, if one is recorded.
    pub line: Option<u32>,
    /// Whether the test file covers it.
    pub is_covered: bool,
    /// The kind of reason why it does not.
    pub reason: Option<String>,
    /// The test methods of the file that cover it, in the order of the file.
    pub tests: Vec<String>,
    /// Of a mutant that tests had to infect: those that are known to kill it.
    pub killers: Vec<String>,
}
