//! How build tools are run.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::environment::Environment;
use crate::failure::Failure;
use crate::jdk::Jdk;
use crate::project::Note;

/// What running a build tool takes.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// The environment.
    pub environment: &'a Environment,
    /// JDK that the tool runs on where the environment names none.
    pub jdk: &'a Jdk,
    /// What the user wants it to be told besides, such as `-Pfast`.
    pub words: &'a [String],
    /// Is told what takes time.
    pub note: Note<'a>,
}

impl std::fmt::Debug for Surroundings<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Surroundings").finish_non_exhaustive()
    }
}

/// Whether a tool may use the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Network {
    /// It must not: faster, and enough for what was built before.
    Offline,
    /// It may.
    Online,
}

/// A program that builds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Its file.
    file: PathBuf,
    /// Whether it lies in the project.
    is_wrapper: bool,
    /// Whether the file may not be executed itself, as wrappers that went through an archive.
    needs_shell: bool,
    /// What the user wants it to be told whenever it runs.
    words: Vec<String>,
}

impl Program {
    /// The wrapper that lies in the first of the folders to have one, else the program of this name on the path.
    pub fn find(
        wrapper: &str,
        name: &str,
        folders: &[&Path],
        surroundings: Surroundings<'_>,
    ) -> Option<Self> {
        let words = surroundings.words.to_vec();
        let wrappers = folders.iter().map(|folder| folder.join(wrapper));
        let found = wrappers.into_iter().find(|file| file.is_file());
        let executable = |file: &Path| rustix::fs::access(file, rustix::fs::Access::EXEC_OK).is_ok();
        let (file, is_wrapper) = match found {
            Some(file) => (file, true),
            None => (surroundings.environment.on_path(name)?, false),
        };
        Some(Self { needs_shell: is_wrapper && !executable(&file), is_wrapper, file, words })
    }

    /// Its name, for people.
    pub fn name(&self) -> String {
        self.file.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// How a person at the root of the project starts it.
    pub fn command(&self) -> String {
        let place = if self.is_wrapper { "./" } else { "" };
        let words: Vec<String> = self.words.iter().map(|word| format!(" {word}")).collect();
        format!("{place}{}{}", self.name(), words.concat())
    }

    /// What the user wants it to be told, as the end of a part of a sentence.
    pub(crate) fn given(&self) -> String {
        if self.words.is_empty() { String::new() } else { format!(", given {}", self.words.join(" ")) }
    }

    /// Runs it in a folder and waits for its end.
    ///
    /// # Errors
    /// It does not start.
    pub fn run(
        &self,
        folder: &Path,
        surroundings: Surroundings<'_>,
        arguments: &[String],
    ) -> Result<Output, Failure> {
        let mut command = if self.needs_shell {
            let mut shell = Command::new("sh");
            shell.arg(&self.file);
            shell
        } else {
            Command::new(&self.file)
        };
        command.args(&self.words).args(arguments).current_dir(folder).stdin(Stdio::null());
        command.envs(surroundings.environment.for_jvms().iter().copied());
        if surroundings.environment.java_home.is_none() {
            command.env("JAVA_HOME", &surroundings.jdk.home);
        }
        command.output().map_err(|error| {
            Failure::input(format!("{} does not start: {error}; check that it runs", self.name()))
        })
    }
}

/// A folder for what a tool is given and what it answers.
pub(crate) fn aside() -> Result<tempfile::TempDir, Failure> {
    tempfile::tempdir()
        .map_err(|error| Failure::output(format!("no temporary folder can be made: {error}; set TMPDIR")))
}

/// What a tool wrote, standard error behind standard output, without the sequences that colour terminals.
pub fn text_of(output: &Output) -> String {
    let text = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes)).join("\n");
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once("\x1b[") {
        plain.push_str(before);
        rest = after.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        rest = rest.strip_prefix(|c: char| c.is_ascii_alphabetic()).unwrap_or(rest);
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::ExitStatus;

    use super::*;

    #[test]
    fn colours_are_taken_away() {
        let output = Output {
            status: ExitStatus::from_raw(0),
            stdout: b"\x1b[0m[\x1b[1;31mERROR\x1b[m] no".to_vec(),
            stderr: b"late".to_vec(),
        };
        assert_eq!(text_of(&output), "[ERROR] no\nlate");
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "test set-up")]
    fn a_wrapper_comes_before_the_path_and_needs_not_be_executable() {
        let folder = tempfile::tempdir().unwrap();
        let environment = Environment { path: "/bin:/usr/bin".into(), ..Environment::default() };
        let jdk = Jdk { home: "/jdk".into(), version: 17, libjvm: "/jdk/libjvm.so".into() };
        let words = ["-Pfast".to_owned()];
        let surroundings =
            Surroundings { environment: &environment, jdk: &jdk, words: &words, note: &|_| () };
        let find = || Program::find("toolw", "sh", &[folder.path()], surroundings).unwrap();
        assert_eq!(find().name(), "sh");
        std::fs::write(folder.path().join("toolw"), "echo \"$* by $JAVA_HOME\"").unwrap();
        let output = find().run(folder.path(), surroundings, &["said".into()]).unwrap();
        assert_eq!(
            (find().command().as_str(), text_of(&output).trim()),
            ("./toolw -Pfast", "-Pfast said by /jdk")
        );
    }
}
