//! What a reader of delivered files stumbles over: names that end in a number, tests that assert nothing, literals as the
//! search left them, and how long tests are.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Parser;

use super::Results;
use crate::console::parse;
use crate::options::ResultFolder;

/// What a reader of delivered files stumbles over.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask measure readability")]
struct Options {
    #[command(flatten)]
    results: ResultFolder,

    /// Folder of delivered files.
    #[arg(long)]
    tests: PathBuf,
}

pub(super) fn run(words: &[String]) -> anyhow::Result<()> {
    let Some(options) = parse::<Options>(words)? else { return Ok(()) };
    let mut files = Vec::new();
    find(&options.tests, &mut files)?;
    if files.is_empty() {
        bail!("there is no test file in {}", options.tests.display());
    }
    files.sort();
    let results = Results::in_folder(&options.results, "readability", words, Path::new("java"))?;
    let columns: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).collect();
    let mut table = results.table("raw", &format!("file,{}", columns.join(",")))?;
    let mut all = Figures::default();
    for file in &files {
        let text = fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?;
        let figures = Figures::of(&text);
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        table.row(&std::iter::once(name).chain(figures.cells()).collect::<Vec<_>>())?;
        all.add(&figures);
    }
    results.finish(&all.summary(files.len()))
}

fn find(folder: &Path, found: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("{} cannot be read", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "java") {
            found.push(path);
        }
    }
    Ok(())
}

/// What is counted of a test.
type Column = (&'static str, fn(&Test<'_>) -> usize);

/// All that is counted.
const COLUMNS: [Column; 8] = [
    ("tests", |_| 1),
    ("numbered_names", |test| usize::from(test.name.ends_with(|last: char| last.is_ascii_digit()))),
    ("without_assertion", |test| usize::from(!test.asserts())),
    ("null_for_null", |test| usize::from(test.expects_null_pointer())),
    ("unsimplified", |test| usize::from(test.lines.iter().any(|line| has_unsimplified(line)))),
    ("numbered_variables", |test| test.lines.iter().filter(|line| declares_numbered(line)).count()),
    ("anonymous_classes", |test| test.lines.iter().filter(|line| opens_anonymous(line)).count()),
    ("lines", |test| test.lines.iter().filter(|line| !line.is_empty()).count()),
];

/// Counts over tests.
#[derive(Debug, Default, PartialEq, Eq)]
struct Figures(BTreeMap<&'static str, usize>);

impl Figures {
    fn of(text: &str) -> Self {
        let mut figures = Self::default();
        for test in tests(text) {
            for (name, count) in COLUMNS {
                *figures.0.entry(name).or_default() += count(&test);
            }
        }
        figures
    }

    fn add(&mut self, other: &Self) {
        for (name, count) in &other.0 {
            *self.0.entry(name).or_default() += count;
        }
    }

    fn count(&self, name: &str) -> usize {
        self.0.get(name).copied().unwrap_or_default()
    }

    fn cells(&self) -> Vec<String> {
        COLUMNS.iter().map(|(name, _)| self.count(name).to_string()).collect()
    }

    fn summary(&self, files: usize) -> String {
        let tests = self.count("tests");
        let mut text = format!(
            "{tests} tests in {files} files\n\n| what | count | per 100 tests |\n| --- | --- | --- |\n"
        );
        for (name, _) in COLUMNS.iter().skip(1) {
            let count = self.count(name);
            let share = 100.0 * count as f64 / tests.max(1) as f64;
            // A string takes what is written.
            let _ = writeln!(text, "| {} | {count} | {share:.1} |", name.replace('_', " "));
        }
        text
    }
}

/// A test method as it is written.
#[derive(Debug, PartialEq, Eq)]
struct Test<'a> {
    annotation: &'a str,
    name: &'a str,
    /// Its body, without indentation.
    lines: Vec<&'a str>,
}

/// The tests of a file as covolve lays it out, whatever its indentation: a method ends where a brace is indented as its head.
fn tests(text: &str) -> Vec<Test<'_>> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let is_test = |name| {
            line.trim_start().strip_prefix(name).is_some_and(|rest| !rest.starts_with(char::is_alphabetic))
        };
        if !is_test("@Test") && !is_test("@ParameterizedTest") {
            continue;
        }
        let Some(head) = lines.find(|line| !line.trim_start().starts_with('@') && line.contains("void "))
        else {
            break;
        };
        let indent = head.len() - head.trim_start().len();
        let name = head.split("void ").nth(1).and_then(|rest| rest.split('(').next()).unwrap_or_default();
        let is_end = |line: &&str| line.trim() == "}" && line.len() - line.trim_start().len() == indent;
        let body = lines.by_ref().take_while(|line| !is_end(line)).map(str::trim).collect();
        found.push(Test { annotation: line.trim(), name, lines: body });
    }
    found
}

impl Test<'_> {
    fn asserts(&self) -> bool {
        self.annotation.contains("expected")
            || self.lines.iter().any(|line| {
                let is_call = |name| line.starts_with(name) || line.contains(&format!(".{name}"));
                line.contains("assert") || line.starts_with("fail(") || is_call("verify(")
            })
    }

    fn expects_null_pointer(&self) -> bool {
        let expects = self.annotation.contains("NullPointerException")
            || self.lines.iter().any(|line| line.contains("NullPointerException"));
        expects && self.lines.iter().any(|line| line.contains("null"))
    }
}

/// Whether a line declares a variable whose name ends in a number.
fn declares_numbered(line: &str) -> bool {
    let Some((declared, _)) = line.split_once(" = ") else { return false };
    let mut words = declared.rsplit(' ');
    let name = words.next().unwrap_or_default();
    words.next().is_some() && name.ends_with(|last: char| last.is_ascii_digit())
}

fn opens_anonymous(line: &str) -> bool {
    line.contains("new ") && line.ends_with(") {")
}

/// Whether a line has a literal that no person would write. What is expected is not chosen by anyone: the first argument of
/// `assertEquals` does not count.
fn has_unsimplified(line: &str) -> bool {
    let is_expectation = line.starts_with("assertEquals(") || line.starts_with("assertArrayEquals(");
    let mut literals = string_literals(line);
    if is_expectation
        && line.split('(').nth(1).is_some_and(|rest| rest.starts_with('"'))
        && !literals.is_empty()
    {
        literals.remove(0);
    }
    literals.iter().any(|text| is_odd(text))
}

/// The texts between quotes, with their escapes.
fn string_literals(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match character {
            '\'' => {
                // A character literal may be a quote.
                if characters.next() == Some('\\') {
                    characters.next();
                }
                characters.next();
            }
            '"' => {
                let mut text = String::new();
                while let Some(inside) = characters.next().filter(|inside| *inside != '"') {
                    text.push(inside);
                    if inside == '\\' {
                        text.extend(characters.next());
                    }
                }
                found.push(text);
            }
            _ => {}
        }
    }
    found
}

/// Whether a text is neither short nor made of words: less than half of it is words of three letters, and it has two or more
/// different other characters.
fn is_odd(text: &str) -> bool {
    let length = text.chars().count();
    let mut odd: Vec<char> =
        text.chars().filter(|character| !character.is_ascii_alphanumeric() && *character != ' ').collect();
    odd.sort_unstable();
    odd.dedup();
    let words = text.split(|character: char| !character.is_ascii_alphabetic());
    let in_words: usize = words.filter(|word| word.len() >= 3).map(str::len).sum();
    length > 4 && odd.len() >= 2 && in_words * 2 < length
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\
class FooCovolveTest {
    @Test
    void splitThrows2() {
        Splitter splitter2 = Splitter.on(\"yLL[zt]}1X\\\\\");

        assertThrows(NullPointerException.class, () -> splitter2.split(null));
    }

    @Test(expected = IllegalStateException.class)
    @SuppressWarnings(\"unchecked\")
    public void runs() {
        Runnable runnable = new Runnable() {
            @Override
            public void run() {
            }
        };
        runnable.run();
    }

    @Test
    void completes() throws Exception {
        new Foo().bar(\"Ranges have a nonempty intersection: \", '\"');
    }
}
";

    #[test]
    fn a_file_is_read_test_by_test() {
        let names: Vec<(&str, usize)> =
            tests(FILE).iter().map(|test| (test.name, test.lines.len())).collect();
        assert_eq!(names, [("splitThrows2", 3), ("runs", 6), ("completes", 1)]);
        let figures: Vec<(&str, usize)> =
            COLUMNS.iter().map(|(name, _)| (*name, Figures::of(FILE).count(name))).collect();
        assert_eq!(
            figures,
            [
                ("tests", 3),
                ("numbered_names", 1),
                ("without_assertion", 1),
                ("null_for_null", 1),
                ("unsimplified", 1),
                ("numbered_variables", 1),
                ("anonymous_classes", 1),
                ("lines", 9),
            ]
        );
    }

    #[test]
    fn what_is_expected_is_nobodys_choice() {
        for (line, expect) in [
            ("assertEquals(\"n[0&|W\", range.toString());", false),
            ("assertEquals(\"a\", escape(\"n[0&|W\"));", true),
            ("Range.atLeast(\"n[0&|W\");", true),
            ("parse(\"2024-01-01\");", false),
            ("parse(\"a b c\");", false),
        ] {
            assert_eq!(has_unsimplified(line), expect, "{line}");
        }
    }
}
