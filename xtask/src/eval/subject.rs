//! A class to measure, and one measurement of it.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, bail};
use serde_json::Value;

use crate::eval::Options;
use crate::eval::raw::{Ran, Row};
use crate::root;

/// A class of an artifact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Subject {
    pub(crate) project: String,
    /// `group:artifact:version`.
    pub(crate) coordinates: String,
    pub(crate) class: String,
}

/// Reads a list of subjects; those whose class contains `only`.
pub(crate) fn read(list: &Path, only: &str) -> anyhow::Result<Vec<Subject>> {
    let text = std::fs::read_to_string(root().join(list))
        .with_context(|| format!("{} cannot be read", list.display()))?;
    parse(&text, only).with_context(|| format!("{} is no list of subjects", list.display()))
}

fn parse(text: &str, only: &str) -> anyhow::Result<Vec<Subject>> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let column = |name: &str| {
        header.iter().position(|known| *known == name).with_context(|| format!("there is no column {name}"))
    };
    let (project, coordinates, class) = (column("project")?, column("coords")?, column("class")?);
    let mut subjects = Vec::new();
    for line in lines.filter(|line| !line.trim().is_empty()) {
        let cells: Vec<&str> = line.split(',').collect();
        let cell = |column: usize| {
            cells.get(column).map(|cell| cell.trim().to_owned()).context("a row is too short")
        };
        let subject =
            Subject { project: cell(project)?, coordinates: cell(coordinates)?, class: cell(class)? };
        if subject.class.contains(only) {
            subjects.push(subject);
        }
    }
    Ok(subjects)
}

impl Subject {
    /// Has covolve generate tests into `out`; the caller adds what else it wants.
    pub(crate) fn generate(&self, covolve: &Path, budget: &str, seed: u64, out: &Path) -> Command {
        let mut command = Command::new(covolve);
        command
            .args(["generate", "--maven", &self.coordinates, "--class", &self.class])
            .args(["--budget", budget, "--seed", &seed.to_string(), "--json", "--out"])
            .arg(out)
            .stdin(Stdio::null());
        command
    }
}

/// One measurement.
#[derive(Debug, Clone, Copy)]
pub(super) struct Trial<'a> {
    pub(super) subject: &'a Subject,
    pub(super) budget: &'a str,
    pub(super) seed: u64,
}

impl Trial<'_> {
    /// Generates, and judges if there is a judge; the row, and covolve's report, null where there is none.
    pub(super) fn measure(&self, covolve: &Path, options: &Options) -> anyhow::Result<(Row, Value)> {
        let scratch = tempfile::tempdir()?;
        let tests = match &options.keep {
            Some(keep) => root().join(keep).join(&self.subject.class),
            None => scratch.path().join("tests"),
        };
        let mut command = self.subject.generate(covolve, self.budget, self.seed, &tests);
        command.args(&options.more).current_dir(scratch.path());
        if let Some(home) = &options.java_home {
            command.arg("--java-home").arg(home);
        }
        let start = Instant::now();
        let output = command.output().with_context(|| format!("{} does not start", covolve.display()))?;
        let wall = start.elapsed().as_secs_f64();
        let text = String::from_utf8_lossy(&output.stdout);
        // A run that failed has no report: the row says so by its exit code.
        let report =
            text.lines().next().and_then(|line| serde_json::from_str(line).ok()).unwrap_or(Value::Null);
        let judged = match &options.judge {
            Some(judge) if tests.is_dir() => self.judge(judge, &tests, options)?,
            _ => Value::Null,
        };
        let ran = Ran { code: output.status.code(), wall, file_hash: hash(&tests) };
        Ok((Row::new(self, &ran, &report, &judged), report))
    }

    fn judge(&self, folder: &Path, tests: &Path, options: &Options) -> anyhow::Result<Value> {
        let folder = root().join(folder);
        let python = |script: &str, arguments: &[&str]| -> anyhow::Result<String> {
            let output = Command::new("python3")
                .arg(folder.join(script))
                .args(arguments)
                .output()
                .context("python3 does not start")?;
            if !output.status.success() {
                bail!("{script}: {}", String::from_utf8_lossy(&output.stderr).trim());
            }
            Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
        };
        let class_path = python("subjects.py", &["classpath", &self.subject.coordinates])?;
        let tests = tests.to_str().context("the scratch folder has a name that is no text")?;
        let runs = options.judge_runs.to_string();
        let mut arguments =
            vec!["--cp", &class_path, "--class", &self.subject.class, "--tests", tests, "--runs", &runs];
        let home = options.java_home.as_deref().map(Path::to_string_lossy);
        if let Some(home) = &home {
            arguments.extend(["--java-home", home]);
        }
        if options.pit {
            arguments.push("--pit");
        }
        let text = python("judge.py", &arguments)?;
        let line = text.lines().last().unwrap_or_default();
        serde_json::from_str(line).context("the judge says no JSON")
    }
}

/// A hash of the names and bytes of all files below a folder; empty if there is none.
pub(crate) fn hash(root: &Path) -> String {
    let (mut open, mut files) = (vec![root.to_owned()], Vec::new());
    while let Some(folder) = open.pop() {
        for path in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            if path.is_dir() { open.push(path) } else { files.push(path) }
        }
    }
    if files.is_empty() {
        return String::new();
    }
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        file.strip_prefix(root).ok().hash(&mut hasher);
        std::fs::read(&file).ok().hash(&mut hasher);
    }
    format!("{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_apart_by_name_and_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let of = |name: &str, text: &str| {
            let below = folder.path().join("p");
            let _ = std::fs::remove_dir_all(&below);
            std::fs::create_dir(&below).unwrap();
            std::fs::write(below.join(name), text).unwrap();
            hash(folder.path())
        };
        assert_eq!(hash(folder.path()), "");
        assert_eq!(of("A.java", "x"), of("A.java", "x"));
        assert_ne!(of("A.java", "x"), of("A.java", "y"));
        assert_ne!(of("A.java", "x"), of("B.java", "x"));
    }

    #[test]
    fn lists_are_read_by_their_header() {
        let list = "project,coords,class,branches\np,g:a:1,x.Y,3\n\nq,g:b:2,x.Z,4\n";
        let names = |only: &str| -> Vec<String> {
            parse(list, only)
                .unwrap()
                .into_iter()
                .map(|s| format!("{} {} {}", s.project, s.coordinates, s.class))
                .collect()
        };
        assert_eq!(names(""), ["p g:a:1 x.Y", "q g:b:2 x.Z"]);
        assert_eq!(names("x.Z"), ["q g:b:2 x.Z"]);
        assert!(parse("class\nx.Y\n", "").is_err());
        assert!(parse("project,coords,class\na,b\n", "").is_err());
    }
}
