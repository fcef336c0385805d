//! A class to measure or to judge, and lists of them.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Context as _;

use crate::repository::root;

/// A class of an artifact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// Its library, by a short name.
    pub project: String,
    /// `group:artifact:version`.
    pub coordinates: String,
    /// Its binary name.
    pub class: String,
}

/// Reads a list of subjects; those whose class contains `only`.
pub fn read(list: &Path, only: &str) -> anyhow::Result<Vec<Subject>> {
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
    pub fn generate(&self, covolve: &Path, budget: &str, seed: u64, out: &Path) -> Command {
        let mut command = Command::new(covolve);
        command
            .args(["generate", "--maven", &self.coordinates, "--class", &self.class])
            .args(["--budget", budget, "--seed", &seed.to_string(), "--json", "--out"])
            .arg(out)
            .stdin(Stdio::null());
        command
    }
}

/// A hash of the names and bytes of all files below a folder; empty if there is none.
pub fn hash(root: &Path) -> String {
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
