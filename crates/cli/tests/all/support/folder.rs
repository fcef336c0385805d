//! A folder with compiled classes in it, in which the command works as in a project.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use project::request::JunitChoice;
use rustix::process::{Pid, Signal, kill_process};

/// A folder with the compiled classes in it.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new(sources: &str) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        folder.compile(sources);
        folder
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        fs::canonicalize(self.0.path()).unwrap().join(below)
    }

    /// Puts classes compiled from these sources in place of those that are there.
    pub(crate) fn compile(&self, sources: &str) {
        let compiled = fixture::compile(sources);
        let classes = self.path("classes/p");
        let _ = fs::remove_dir_all(&classes);
        fs::create_dir_all(&classes).unwrap();
        for file in fs::read_dir(compiled.folder.join("p")).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), classes.join(file.file_name())).unwrap();
        }
    }

    pub(crate) fn covolve(&self, words: &[&str]) -> Output {
        self.covolve_with(words, &[])
    }

    /// As [`Folder::covolve`], with these variables.
    pub(crate) fn covolve_with(&self, words: &[&str], variables: &[(&str, &str)]) -> Output {
        self.command(words, variables).output().unwrap()
    }

    /// The same, with Ctrl-C when it says this line: the exit code, and what it said.
    pub(crate) fn interrupted(
        &self,
        words: &[&str],
        variables: &[(&str, &str)],
        at: &str,
    ) -> (Option<i32>, String) {
        let mut command = self.command(words, variables);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut said = String::new();
        for line in BufReader::new(child.stderr.take().unwrap()).lines() {
            let line = line.unwrap();
            if line == at {
                let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
                kill_process(pid, Signal::INT).unwrap();
            }
            said.push_str(&line);
            said.push('\n');
        }
        (child.wait().unwrap().code(), said)
    }

    fn command(&self, words: &[&str], variables: &[(&str, &str)]) -> Command {
        let junit = super::junit(JunitChoice::Jupiter);
        let mut command = Command::new(super::covolve());
        command.args(words).arg("--junit-cp").arg(std::env::join_paths(junit.class_path).unwrap());
        command.envs(variables.iter().copied());
        command.env("COVOLVE_CACHE", super::environment().cache.unwrap());
        command.current_dir(self.path(""));
        command
    }

    /// Generates tests; the classes that were searched, in order, and what was said.
    pub(crate) fn generate(&self, words: &[&str]) -> (Vec<String>, String) {
        let output =
            self.covolve(&[&["generate", "--budget", "100executions", "--jobs", "1"], words].concat());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{said}");
        let mut searched: Vec<String> = said
            .lines()
            .filter_map(|line| line.strip_prefix("covolve: p.")?.strip_suffix(": started"))
            .map(Into::into)
            .collect();
        searched.sort();
        (searched, said)
    }

    pub(crate) fn test(&self, class: &str) -> String {
        fs::read_to_string(self.test_path(class)).unwrap()
    }

    pub(crate) fn test_path(&self, class: &str) -> PathBuf {
        self.path("covolve-tests/p").join(format!("{class}CovolveTest.java"))
    }

    /// All files with their times and content.
    pub(crate) fn all(&self) -> BTreeMap<PathBuf, (i64, Vec<u8>)> {
        let mut files = BTreeMap::new();
        let mut folders = vec![self.path("")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let modified = fs::metadata(&path).unwrap().mtime_nsec();
                    let bytes = fs::read(&path).unwrap();
                    files.insert(path, (modified, bytes));
                }
            }
        }
        files
    }
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}
