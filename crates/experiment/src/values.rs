//! The fixtures of values, `fixtures/values`: classes of which it is known what can be covered. `fixtures/values/README.md` says
//! how outcomes are marked that no input takes.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};

use crate::repository::root;
use crate::tools::compile_fixtures;

const FOLDER: &str = "fixtures/values";
/// Where calls lie that take all other outcomes.
const WITNESSES: &str = "fixtures/values/witnesses/Witnesses.java";
/// The class of these calls.
pub const WITNESSES_CLASS: &str = "values.Witnesses";
/// How a file begins that is one of them; others in the folder are not.
const PACKAGE: &str = "package values;";
const MARK: &str = "// never: ";

/// A fixture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fixture {
    /// Simple name of its class.
    pub name: String,
    /// Its source, line by line.
    pub lines: Vec<String>,
    /// Outcomes that no input takes.
    pub never: Vec<Never>,
}

/// An outcome that no input takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Never {
    /// Line of the condition, from 1.
    pub line: u32,
    /// What the condition never is.
    pub value: bool,
}

impl Never {
    /// The outcome by its number: 0 is the jump, which `javac` makes where a condition is false.
    #[must_use]
    pub fn outcome(self) -> usize {
        usize::from(self.value)
    }
}

impl Fixture {
    /// Binary name of the class.
    #[must_use]
    pub fn class(&self) -> String {
        format!("values.{}", self.name)
    }

    /// Whether a goal of branch coverage is an outcome that no input takes; `id` is that of `goals.csv`, which ends in the number of
    /// the outcome.
    #[must_use]
    pub fn is_never(&self, line: u32, id: &str) -> bool {
        let never = self.never.iter().find(|never| never.line == line);
        never.is_some_and(|never| id.ends_with(&format!(":{}", never.outcome())))
    }

    /// The source of a line without its indentation; empty if there is no such line.
    #[must_use]
    pub fn source(&self, line: u32) -> &str {
        let line = (line as usize).checked_sub(1).and_then(|index| self.lines.get(index));
        line.map_or("", |line| line.trim())
    }

    fn parse(name: &str, text: &str) -> Result<Self> {
        let mut never = Vec::new();
        for (line, number) in text.lines().zip(1..) {
            let Some((_, value)) = line.split_once(MARK) else { continue };
            let value =
                value.parse().with_context(|| format!("{name}, line {number}: {value} is no outcome"))?;
            never.push(Never { line: number, value });
        }
        Ok(Self { name: name.to_owned(), lines: text.lines().map(str::to_owned).collect(), never })
    }
}

/// All fixtures whose name contains `only`, by name.
///
/// # Errors
/// A file cannot be read, a mark is wrong, or none is left.
pub fn read(only: &str) -> Result<Vec<Fixture>> {
    let mut fixtures = Vec::new();
    for entry in fs::read_dir(root().join(FOLDER)).context("there are no fixtures of values")? {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".java")) else {
            continue;
        };
        let text = fs::read_to_string(&path)?;
        if text.starts_with(PACKAGE) && name.contains(only) {
            fixtures.push(Fixture::parse(name, &text)?);
        }
    }
    ensure!(!fixtures.is_empty(), "no fixture of values contains {only}");
    fixtures.sort_by(|first, second| first.name.cmp(&second.name));
    Ok(fixtures)
}

/// Compiles fixtures into a folder, and the witnesses where these are asked for.
///
/// # Errors
/// `javac` refuses one, or the folder holds classes already.
pub fn compile(home: &Path, fixtures: &[Fixture], with_witnesses: bool, classes: &Path) -> Result<()> {
    if classes.join("values").exists() {
        bail!("{} is not empty", classes.display());
    }
    let sources: Vec<String> = fixtures.iter().map(|it| format!("{FOLDER}/{}.java", it.name)).collect();
    let witnesses = with_witnesses.then_some(WITNESSES);
    compile_fixtures(home, sources.iter().map(String::as_str).chain(witnesses), classes)
}

#[cfg(test)]
mod tests {
    use bytecode::analysis::{AnalysisOptions, ProbeIds, analyze};
    use bytecode::class_file::ClassFile;

    use super::*;

    #[test]
    fn marks_are_read() {
        let text =
            "package values;\n  if (a < a) { // never: true\n  }\n  while (b == b) { // never: false\n";
        let fixture = Fixture::parse("Some", text).unwrap();
        assert_eq!(fixture.never, [Never { line: 2, value: true }, Never { line: 4, value: false }]);
        assert_eq!((fixture.class().as_str(), fixture.source(3)), ("values.Some", "}"));
        for (line, id, never) in [
            (2, "branch values/Some#a()V@7:1", true),
            (2, "branch values/Some#a()V@7:0", false),
            (4, "branch values/Some#a()V@9:0", true),
            (3, "branch values/Some#a()V@9:0", false),
        ] {
            assert_eq!(fixture.is_never(line, id), never, "{line} {id}");
        }
        assert!(Fixture::parse("Some", "if (a) { // never: jump").is_err());
    }

    /// Lines of the branches in the class files of all fixtures, by source file; a line appears as often as it branches.
    fn branches(classes: &Path) -> Vec<(String, u32, usize)> {
        let mut branches = Vec::new();
        for entry in fs::read_dir(classes.join("values")).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let bytes = fs::read(&path).unwrap();
            let analysis = analyze(
                &ClassFile::parse(&bytes).unwrap(),
                AnalysisOptions::default(),
                &mut ProbeIds::default(),
            );
            let file = name.split('$').next().unwrap_or_default().to_owned();
            for branch in analysis.unwrap().map.methods.iter().flat_map(|method| &method.branches) {
                branches.push((file.clone(), branch.line.unwrap(), branch.outcomes.len()));
            }
        }
        branches
    }

    #[test]
    fn every_marked_line_holds_one_condition() {
        let fixtures = read("").unwrap();
        let folder = tempfile::tempdir().unwrap();
        compile(&fixture::java_home(), &fixtures, true, folder.path()).unwrap();
        let branches = branches(folder.path());
        for fixture in &fixtures {
            let own = branches.iter().filter(|(file, ..)| *file == fixture.name);
            assert!(own.clone().count() > 0, "{} does not branch", fixture.name);
            for never in &fixture.never {
                let outcomes: Vec<usize> = own
                    .clone()
                    .filter(|(_, line, _)| *line == never.line)
                    .map(|(.., count)| *count)
                    .collect();
                assert_eq!(outcomes, [2], "{}, line {}", fixture.name, never.line);
            }
        }
    }

    #[test]
    fn the_page_names_every_fixture() {
        let page = fs::read_to_string(root().join(FOLDER).join("README.md")).unwrap();
        let named: Vec<&str> = (page.lines())
            .filter_map(|line| line.strip_prefix("| `")?.split_once(".java` |").map(|(name, _)| name))
            .collect();
        let names: Vec<String> = read("").unwrap().into_iter().map(|fixture| fixture.name).collect();
        assert_eq!(named, names);
    }
}
