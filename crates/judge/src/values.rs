//! What is said of the fixtures of values: that no input takes the outcomes which are marked, and that all others can be taken.
//! Their witnesses run in a plain JVM, and `JaCoCo` counts what they miss.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use clap::Parser;
use experiment::console::{parse, say};
use experiment::tools::run as run_command;
use experiment::values::{self, Fixture, WITNESSES_CLASS};

use crate::files::JACOCO;
use crate::setup::Jdk;
use crate::suites::{JACOCO_AGENT, jar};

/// Judge the marks of the fixtures of values.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask judge-values")]
struct Options {
    #[command(flatten)]
    jdk: Jdk,
}

/// Branches of a line: missed, and covered.
type Counts = BTreeMap<(String, u32), (u32, u32)>;

/// Runs the judge.
///
/// # Errors
/// Whatever keeps it from judging, or the first lines of which something else is true than their marks say.
pub fn run(words: &[String]) -> Result<()> {
    let Some(options) = parse::<Options>(words)? else { return Ok(()) };
    let home = options.jdk.home()?;
    let fixtures = values::read("")?;
    let work = tempfile::tempdir()?;
    let (classes, table) = (work.path().join("classes"), work.path().join("table.xml"));
    values::compile(&home, &fixtures, true, &classes)?;
    let seen = work.path().join("seen");
    let agent = format!("-javaagent:{}=destfile={}", jar(JACOCO_AGENT)?.display(), seen.display());
    run_command(
        Command::new(home.join("bin/java")).arg(agent).arg("-cp").arg(&classes).arg(WITNESSES_CLASS),
    )?;
    let mut report = Command::new(home.join("bin/java"));
    report.arg("-jar").arg(jar(JACOCO)?).arg("report").arg(&seen).arg("--classfiles").arg(&classes);
    run_command(report.arg("--xml").arg(&table).arg("--quiet"))?;
    let counts = counts(&read(&table)?)?;
    let wrong = wrong(&fixtures, &counts)?;
    ensure!(wrong.is_empty(), "marks and witnesses disagree:\n{}", wrong.join("\n"));
    let marks: usize = fixtures.iter().map(|fixture| fixture.never.len()).sum();
    let is_fixture = |file: &str| fixtures.iter().any(|fixture| file == format!("{}.java", fixture.name));
    // The witnesses branch as well.
    let own = counts.iter().filter(|((file, _), _)| is_fixture(file));
    let branches: u32 = own.map(|(_, (missed, covered))| missed + covered).sum();
    say(&format!(
        "{} fixtures, {branches} outcomes, {marks} of them marked: none of these is taken, all others are",
        fixtures.len()
    ));
    Ok(())
}

fn read(table: &Path) -> Result<String> {
    fs::read_to_string(table).context("JaCoCo wrote no table")
}

/// The lines of `JaCoCo`'s table that hold branches, by source file. Source files come after the classes of the package, each with
/// its lines in order; nothing else has the tags `sourcefile` and `line`.
fn counts(table: &str) -> Result<Counts> {
    let mut counts = Counts::new();
    let mut file = String::new();
    for tag in table.split('<') {
        if let Some(rest) = tag.strip_prefix("sourcefile ") {
            attribute(rest, "name")?.clone_into(&mut file);
        } else if let Some(rest) = tag.strip_prefix("line ") {
            let number = |name: &str| Ok::<u32, anyhow::Error>(attribute(rest, name)?.parse()?);
            let (missed, covered) = (number("mb")?, number("cb")?);
            if missed + covered > 0 {
                counts.insert((file.clone(), number("nr")?), (missed, covered));
            }
        }
    }
    Ok(counts)
}

/// The value of an attribute in the inside of a tag.
fn attribute<'t>(tag: &'t str, name: &str) -> Result<&'t str> {
    let value = tag.split_once(&format!("{name}=\"")).and_then(|(_, rest)| rest.split_once('"'));
    value.map(|(value, _)| value).with_context(|| format!("a tag without {name}: {tag}"))
}

/// What is wrong, line by line.
fn wrong(fixtures: &[Fixture], counts: &Counts) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    for fixture in fixtures {
        let file = format!("{}.java", fixture.name);
        let own: Vec<(u32, u32)> = (counts.iter())
            .filter(|((of, _), _)| *of == file)
            .map(|((_, line), (missed, _))| (*line, *missed))
            .collect();
        ensure!(!own.is_empty(), "JaCoCo knows no branch of {file}");
        for (line, missed) in own {
            let marked = fixture.never.iter().filter(|never| never.line == line).count();
            if marked != missed as usize {
                wrong.push(format!(
                    "{file}, line {line}: {missed} missed, {marked} marked: {}",
                    fixture.source(line)
                ));
            }
        }
    }
    Ok(wrong)
}

#[cfg(test)]
mod tests {
    use experiment::values::Never;

    use super::*;

    const TABLE: &str = "<report name=\"r\"><package name=\"values\"><class name=\"values/Some\"><method name=\"a\" line=\"2\"/>\
        </class><sourcefile name=\"Some.java\"><line nr=\"2\" mi=\"0\" ci=\"3\" mb=\"0\" cb=\"2\"/><line nr=\"3\" mi=\"0\" ci=\"3\" \
        mb=\"1\" cb=\"1\"/><line nr=\"4\" mi=\"1\" ci=\"0\" mb=\"0\" cb=\"0\"/></sourcefile></package></report>";

    fn wrong_of(line: u32) -> Vec<String> {
        let lines = vec!["a".to_owned(); 4];
        let fixture = Fixture { name: "Some".to_owned(), lines, never: vec![Never { line, value: true }] };
        wrong(&[fixture], &counts(TABLE).unwrap()).unwrap()
    }

    #[test]
    fn branches_are_read_by_source_file_and_line() {
        let expected = [(("Some.java".to_owned(), 2), (0, 2)), (("Some.java".to_owned(), 3), (1, 1))];
        assert_eq!(counts(TABLE).unwrap(), Counts::from(expected));
    }

    #[test]
    fn what_is_missed_must_be_what_is_marked() {
        assert_eq!(wrong_of(3), [""; 0]);
        let missing =
            ["Some.java, line 2: 0 missed, 1 marked: a", "Some.java, line 3: 1 missed, 0 marked: a"];
        assert_eq!(wrong_of(2), missing);
    }
}
