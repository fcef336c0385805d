//! What PIT says each test of each suite covers and kills: one run with the full matrix of mutants and tests.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use experiment::maven;
use experiment::suites::Bench;
use experiment::tools::{joined, run};

/// As the outside judge of `cargo xtask eval` has them.
const PIT: [&str; 2] = ["org.pitest:pitest-command-line:1.30.0", "org.pitest:pitest-junit5-plugin:1.2.3"];
const JUNIT: [&str; 2] =
    ["org.junit.platform:junit-platform-launcher:1.13.4", "org.junit.jupiter:junit-jupiter:5.13.4"];

/// What PIT does when it is not told, and the removal of calls that give something, which we have as well: so lines without
/// another mutant are judged, too. (What it calls `DEFAULTS` removes conditionals in place of negating them.)
const MUTATORS: &str = "CONDITIONALS_BOUNDARY,INCREMENTS,INVERT_NEGS,MATH,NEGATE_CONDITIONALS,VOID_METHOD_CALLS,EMPTY_RETURNS,\
    FALSE_RETURNS,TRUE_RETURNS,NULL_RETURNS,PRIMITIVE_RETURNS,NON_VOID_METHOD_CALLS";

/// A test: the binary name of its class, and its method.
pub(crate) type TestName = (String, String);

/// A mutant of PIT, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PitMutant {
    /// Binary name.
    pub(crate) class: String,
    /// Name and descriptor.
    pub(crate) method: String,
    pub(crate) line: u32,
    /// Simple name of the mutator's class.
    pub(crate) mutator: String,
    pub(crate) description: String,
    /// Where it is in the code, more than once where the compiler copied a `finally`. Ascending.
    pub(crate) indexes: Vec<u32>,
    pub(crate) status: String,
    pub(crate) killing: BTreeSet<TestName>,
    pub(crate) covering: BTreeSet<TestName>,
}

impl PitMutant {
    /// Whether every test that covers it was run and told: not so of mutants that hang or break the JVM.
    pub(crate) fn is_decided(&self) -> bool {
        matches!(self.status.as_str(), "KILLED" | "SURVIVED" | "NO_COVERAGE")
    }

    /// Whether a test of the suite reaches it.
    pub(crate) fn is_covered_by(&self, suite: &str) -> bool {
        self.covering.iter().any(|(class, _)| class == suite)
    }

    /// Whether a test of the suite fails with it.
    pub(crate) fn is_killed_by(&self, suite: &str) -> bool {
        self.killing.iter().any(|(class, _)| class == suite)
    }
}

/// How many mutants PIT tries one after the other in one JVM.
///
/// What a mutant leaves behind in static fields stays for the next ones: of a class whose mutants change an array that all
/// objects share, PIT may call a mutant a survivor that is killed where it is the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Forty, as the outside judge has it: seconds a class.
    Many,
    /// One: about a second a mutant.
    Single,
}

/// Runs PIT over all suites of a bench.
pub(crate) fn judge(bench: &Bench, unit: Unit) -> Result<Vec<PitMutant>> {
    let mut launch = Vec::new();
    for coordinates in PIT.iter().chain(&JUNIT) {
        launch.extend(maven::resolve(coordinates)?);
    }
    let mut path = vec![bench.tests()];
    for coordinates in JUNIT {
        path.extend(maven::resolve(coordinates)?);
    }
    path.extend(bench.class_path.iter().cloned());
    let home = bench.class_path.first().context("a class has a class path")?;
    let report = bench.work.join("pit");
    let mut java = Command::new(bench.java_home.join("bin/java"));
    java.arg("-Xmx1g").arg("-cp").arg(joined(&launch));
    java.arg("org.pitest.mutationtest.commandline.MutationCoverageReport");
    let commas = |text: String| text.replace(':', ",");
    let options = [
        ("--reportDir", report.display().to_string()),
        ("--sourceDirs", bench.work.join("src").display().to_string()),
        ("--targetClasses", format!("{0},{0}$*", bench.class)),
        ("--targetTests", bench.suites.join(",")),
        ("--mutableCodePaths", home.display().to_string()),
        ("--classPath", commas(joined(&path))),
        ("--mutators", MUTATORS.to_owned()),
        ("--includeLaunchClasspath", "false".to_owned()),
        ("--outputFormats", "XML".to_owned()),
        ("--fullMutationMatrix", "true".to_owned()),
        ("--threads", "1".to_owned()),
        ("--mutationUnitSize", if unit == Unit::Many { "40" } else { "1" }.to_owned()),
        ("--timeoutConst", "2000".to_owned()),
        ("--timestampedReports", "false".to_owned()),
        ("--skipFailingTests", "true".to_owned()),
        ("--jvmArgs", "-Xmx1g,-ea,-Djava.awt.headless=true,-Duser.language=en,-Duser.country=US".to_owned()),
    ];
    for (name, value) in options {
        java.args([name, &value]);
    }
    run(java.current_dir(&bench.work))?;
    let text = fs::read_to_string(report.join("mutations.xml")).context("PIT wrote no report")?;
    let mutants = read(&text)?;
    ensure!(!mutants.is_empty(), "PIT has no mutant of {}", bench.class);
    Ok(mutants)
}

fn read(text: &str) -> Result<Vec<PitMutant>> {
    text.lines().filter(|line| line.starts_with("<mutation ")).map(mutant).collect()
}

fn mutant(line: &str) -> Result<PitMutant> {
    let cell = |tag: &str| -> Result<String> {
        let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
        let rest = line.split_once(&open).with_context(|| format!("a mutant has no {tag}"))?.1;
        let text = rest.split_once(&close).with_context(|| format!("{tag} does not end"))?.0;
        Ok(plain(text))
    };
    let status = line.split_once("status='").and_then(|(_, rest)| rest.split_once('\''));
    let (status, _) = status.context("a mutant has a status")?;
    let tests = |tag: &str| -> Result<BTreeSet<TestName>> {
        cell(tag)?.split('|').filter_map(test).map(Ok).collect()
    };
    let mut indexes = Vec::new();
    for part in cell("indexes")?.split("<index>").skip(1) {
        indexes.push(part.trim_end_matches("</index>").parse()?);
    }
    indexes.sort_unstable();
    let mutator = cell("mutator")?;
    Ok(PitMutant {
        class: cell("mutatedClass")?,
        method: format!("{}{}", cell("mutatedMethod")?, cell("methodDescription")?),
        line: cell("lineNumber")?.parse()?,
        mutator: mutator.rsplit('.').next().unwrap_or_default().to_owned(),
        description: cell("description")?,
        indexes,
        status: status.to_owned(),
        killing: tests("killingTests")?,
        covering: tests("coveringTests")?,
    })
}

/// `p.T.[engine:junit-jupiter]/[class:p.T]/[method:name()]`.
fn test(name: &str) -> Option<TestName> {
    let class = name.split_once("[class:")?.1.split_once(']')?.0;
    let method = name.split_once("[method:")?.1.split_once('(')?.0;
    Some((class.to_owned(), method.to_owned()))
}

/// Text of XML.
fn plain(text: &str) -> String {
    const NAMES: [(&str, &str); 7] = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&#60;", "<"),
        ("&#62;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&amp;", "&"),
    ];
    NAMES.iter().fold(text.to_owned(), |text, (name, letter)| text.replace(name, letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mutant_is_read_from_its_line() {
        let line = "<mutation detected='true' status='KILLED' numberOfTestsRun='2'><sourceFile>A.java</sourceFile>\
                    <mutatedClass>p.A</mutatedClass><mutatedMethod>&#60;init&#62;</mutatedMethod>\
                    <methodDescription>(I)V</methodDescription><lineNumber>7</lineNumber><mutator>org.x.MathMutator</mutator>\
                    <indexes><index>9</index><index>5</index></indexes><blocks><block>0</block></blocks>\
                    <killingTests>p.T1.[engine:j]/[class:p.T1]/[method:a()]</killingTests><succeedingTests></succeedingTests>\
                    <coveringTests>p.T1.[engine:j]/[class:p.T1]/[method:a()]|p.T2.[engine:j]/[class:p.T2]/[method:b()]\
                    </coveringTests><description>Replaced x</description></mutation>";
        let found = read(&format!("<mutations>\n{line}\n</mutations>")).unwrap();
        let [mutant] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(
            (mutant.method.as_str(), mutant.line, mutant.mutator.as_str()),
            ("<init>(I)V", 7, "MathMutator")
        );
        assert_eq!(mutant.indexes, [5, 9]);
        assert!(mutant.is_killed_by("p.T1") && !mutant.is_killed_by("p.T2") && mutant.is_covered_by("p.T2"));
        assert!(mutant.is_decided());
    }
}
