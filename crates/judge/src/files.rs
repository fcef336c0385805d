//! `cargo xtask judge-files`: whether files that covolve delivered hold in a user's build.
//!
//! Each file is compiled by the plain `javac` in four ways: with `--release N`, with `-source N -target N`, and with the
//! JDK's own default, where N is the level of the class under test; then by default once more with every warning an error, but those
//! of class files and options, of which no test is the cause. Its tests run on the JUnit platform in the order that
//! JUnit takes by default and in random ones, each time in a JVM of its own; `JaCoCo` says what branches the first of these
//! runs covers. Nothing of covolve takes part.
//!
//! The files are those that `cargo xtask eval --keep` left.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result};
use bytecode::class_path::ClassPath;
use bytecode::name::ClassName;
use bytecode::source::ClassSource as _;
use clap::Parser;
use experiment::console::{parse, say};
use experiment::maven;
use experiment::options::{ResultFolder, SubjectList};
use experiment::repository::root;
use experiment::subject::Subject;
use experiment::suites::JUNIT;
use experiment::tools::{Ended, javac_of_tests, joined, run_limited, side_by_side};
use jvm::home::JavaHome;

use crate::setup::Jdk;
use crate::suites::{JACOCO_AGENT, jar};

/// `JaCoCo`'s own program, which makes tables of what was covered.
pub(crate) const JACOCO: &str = "org.jacoco:org.jacoco.cli:0.8.14:jar:nodeps";

/// Ways in which files are compiled.
const WAYS: usize = 4;

/// The strict one.
const STRICTLY: [&str; 2] = ["-Xlint:all,-path,-processing,-classfile,-options", "-Werror"];

/// A suite that takes longer has failed.
const LIMIT: Duration = Duration::from_mins(2);

/// Judge delivered files: compiled in four ways, run in the default order and in random ones.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask judge-files")]
struct Options {
    #[command(flatten)]
    results: ResultFolder,

    #[command(flatten)]
    list: SubjectList,

    #[command(flatten)]
    jdk: Jdk,

    /// Folder with a folder of files for each class, as `eval --keep` leaves it.
    #[arg(long)]
    tests: PathBuf,

    /// Seeds of random orders.
    #[arg(long, value_delimiter = ',', default_value = "1,2,3,4,5,6,7,8,9,10")]
    orders: Vec<u64>,

    /// Classes side by side.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
}

/// Columns of `raw.csv`.
const COLUMNS: &str = "project,class,files,release,source_target,default,strict,tests,failing,flaky_or_ordered,\
    branch_covered,branches,what_fails";

/// Runs the judge.
///
/// # Errors
/// Whatever keeps it from judging.
pub fn run(words: &[String]) -> Result<()> {
    let Some(options) = parse::<Options>(words)? else { return Ok(()) };
    let subjects = options.list.read()?;
    let judge = Judge { home: options.jdk.home()?, orders: options.orders.clone() };
    let folder = options.results.make()?;
    let verdicts = side_by_side(options.jobs, &subjects, |subject| {
        let verdict = judge.judge(subject, &root().join(&options.tests).join(&subject.class))?;
        say(&verdict.row(subject));
        Ok(verdict)
    });
    let verdicts: Vec<Verdict> = verdicts.into_iter().collect::<Result<_>>()?;
    let rows: Vec<(&Subject, &Verdict)> = subjects.iter().zip(&verdicts).collect();
    let mut raw = fs::File::create_new(folder.join("raw.csv"))?;
    writeln!(raw, "{COLUMNS}")?;
    for (subject, verdict) in rows {
        writeln!(raw, "{}", verdict.row(subject))?;
    }
    let verdicts: Vec<&Verdict> = verdicts.iter().collect();
    let heading = options.results.heading("judge-files", words, &judge.home.join("bin/java"))?;
    fs::write(folder.join("README.md"), format!("{heading}\n{}\n", summary(&verdicts)))?;
    say(&folder.display().to_string());
    Ok(())
}

/// What became of the files of a class.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Verdict {
    files: usize,
    /// Whether they compile with `--release`, with `-source` and `-target`, by default, and so without a warning.
    compiles: [bool; WAYS],
    tests: usize,
    /// Tests that fail in the default order.
    failing: BTreeSet<String>,
    /// Tests that fail in another order only.
    elsewhere: BTreeSet<String>,
    /// Branches that are covered, and all of them.
    branches: (u64, u64),
    /// What `javac` said first, or why a run did not end.
    why: Option<String>,
}

impl Verdict {
    fn row(&self, subject: &Subject) -> String {
        let [release, source_target, default, strict] = self.compiles;
        let all: Vec<&str> = self.failing.union(&self.elsewhere).map(String::as_str).collect();
        let what = all.into_iter().chain(self.why.as_deref()).collect::<Vec<_>>().join(" ");
        format!(
            "{},{},{},{release},{source_target},{default},{strict},{},{},{},{},{},{}",
            subject.project,
            subject.class,
            self.files,
            self.tests,
            self.failing.len(),
            self.elsewhere.len(),
            self.branches.0,
            self.branches.1,
            what.replace([',', '\n', '"'], " ")
        )
    }

    fn coverage(&self) -> f64 {
        if self.branches.1 == 0 {
            f64::from(u8::from(self.files > 0))
        } else {
            self.branches.0 as f64 / self.branches.1 as f64
        }
    }
}

/// The verdicts in a few sentences.
fn summary(verdicts: &[&Verdict]) -> String {
    let count = |holds: &dyn Fn(&Verdict) -> bool| verdicts.iter().filter(|verdict| holds(verdict)).count();
    let delivered = |verdict: &Verdict| verdict.files > 0;
    let refused = |way: usize| count(&|verdict| delivered(verdict) && !verdict.compiles[way]);
    let covered: f64 = verdicts.iter().map(|verdict| verdict.coverage()).sum();
    format!(
        "{} classes, {} without a file. Refused with `--release`: {}, with `-source` and `-target`: {}, by default: {}, \
         with every warning an error: {}. Files with a test that fails in the default order: {}, in another order only: {}. \
         Branches covered ({}), mean over all classes, one without a file counts 0 and one without branches 1: {:.1} %.",
        verdicts.len(),
        count(&|verdict| !delivered(verdict)),
        refused(0),
        refused(1),
        refused(2),
        refused(3),
        count(&|verdict| !verdict.failing.is_empty()),
        count(&|verdict| !verdict.elsewhere.is_empty()),
        "`JaCoCo`",
        100.0 * covered / verdicts.len().max(1) as f64
    )
}

/// What a run of a suite showed.
#[derive(Debug, Default, PartialEq, Eq)]
struct Ran {
    tests: usize,
    failed: BTreeSet<String>,
}

struct Judge {
    home: PathBuf,
    orders: Vec<u64>,
}

impl Judge {
    fn judge(&self, subject: &Subject, tests: &Path) -> Result<Verdict> {
        let mut sources = Vec::new();
        java_files(tests, tests, &mut sources)?;
        let class_path = maven::resolve(&subject.coordinates)?;
        let nest = self.nest(subject, &class_path)?;
        let mut verdict = Verdict { files: sources.len(), ..Verdict::default() };
        let work = tempfile::tempdir()?;
        let nest_folder = write_nest(&nest, work.path())?;
        if sources.is_empty() {
            verdict.branches = self.branches(&nest_folder, None, work.path())?;
            return Ok(verdict);
        }
        let level = level(&nest).to_string();
        let ways: [&[&str]; WAYS] =
            [&["--release", &level], &["-source", &level, "-target", &level], &[], &STRICTLY];
        for (number, way) in ways.into_iter().enumerate() {
            let said =
                self.compile(way, tests, &sources, &class_path, &work.path().join(number.to_string()))?;
            verdict.compiles[number] = said.is_none();
            verdict.why = verdict.why.or(said);
        }
        let Some(compiled) = verdict.compiles.iter().position(|compiles| *compiles) else {
            verdict.branches = self.branches(&nest_folder, None, work.path())?;
            return Ok(verdict);
        };
        let compiled = work.path().join(compiled.to_string());
        let exec = work.path().join("exec");
        let agent = jar(JACOCO_AGENT)?;
        let measured = format!("{0}:{0}$*", subject.class);
        let agent = format!("-javaagent:{}=destfile={},includes={measured}", agent.display(), exec.display());
        let orders = std::iter::once(None).chain(self.orders.iter().copied().map(Some));
        for order in orders {
            let agent = order.is_none().then_some(agent.as_str());
            match self.play(&compiled, &sources, &class_path, order, agent)? {
                Ok(Ran { tests, failed }) if order.is_none() => {
                    (verdict.tests, verdict.failing) = (tests, failed);
                }
                Ok(ran) => verdict.elsewhere.extend(ran.failed),
                Err(why) => {
                    let failed = if order.is_none() { &mut verdict.failing } else { &mut verdict.elsewhere };
                    failed.insert(why);
                }
            }
        }
        verdict.elsewhere = verdict.elsewhere.difference(&verdict.failing).cloned().collect();
        verdict.branches =
            self.branches(&nest_folder, Some(&exec).filter(|exec| exec.is_file()), work.path())?;
        Ok(verdict)
    }

    /// The class under test and what is nested in it.
    fn nest(&self, subject: &Subject, class_path: &[PathBuf]) -> Result<Vec<(ClassName, Vec<u8>)>> {
        let home = JavaHome::find(&self.home)?;
        let source = ClassPath::open(home.path(), home.version(), class_path)?;
        let nested = format!("{}$", subject.class);
        let names = source.class_path_classes().iter();
        let own = names.filter(|name| name.binary() == subject.class || name.binary().starts_with(&nested));
        own.map(|name| {
            let bytes = source.class_bytes(name).context("a class of the class path has bytes")?;
            Ok((name.clone(), bytes.into_owned()))
        })
        .collect()
    }

    /// Compiles the sources; what `javac` says first if it refuses them.
    fn compile(
        &self,
        way: &[&str],
        tests: &Path,
        sources: &[PathBuf],
        class_path: &[PathBuf],
        out: &Path,
    ) -> Result<Option<String>> {
        fs::create_dir_all(out)?;
        let mut path = class_path.to_vec();
        path.extend(maven::resolve(JUNIT)?);
        let mut javac = javac_of_tests(&self.home, &path, out);
        let warnings: &[&str] = if way == STRICTLY { &[] } else { &["-nowarn", "-Xlint:none"] };
        javac.args(way).args(warnings).args(sources.iter().map(|source| tests.join(source)));
        Ok(match run_limited(&mut javac, LIMIT)? {
            Ended::WithCode(0, _) => None,
            Ended::WithCode(_, said) => Some(
                said.lines()
                    .find(|line| line.contains("error:") || line.contains("warning:"))
                    .unwrap_or("javac failed")
                    .to_owned(),
            ),
            Ended::TimedOut => Some("javac did not end".to_owned()),
        })
    }

    /// Runs the tests in JUnit's default order, or a random one; why they did not come to their end, if they did not.
    fn play(
        &self,
        compiled: &Path,
        sources: &[PathBuf],
        class_path: &[PathBuf],
        order: Option<u64>,
        agent: Option<&str>,
    ) -> Result<std::result::Result<Ran, String>> {
        let here = tempfile::tempdir()?;
        let mut path = vec![compiled.to_owned()];
        path.extend(maven::resolve(JUNIT)?);
        path.extend(class_path.iter().cloned());
        let mut java = Command::new(self.home.join("bin/java"));
        java.args(agent).args(["-ea", "-Djava.awt.headless=true", "-cp"]).arg(joined(&path));
        java.args(["org.junit.platform.console.ConsoleLauncher", "execute"]);
        java.args([
            "--details",
            "tree",
            "--details-theme",
            "ascii",
            "--disable-banner",
            "--disable-ansi-colors",
        ]);
        if let Some(seed) = order {
            java.args([
                "--config",
                "junit.jupiter.testmethod.order.default=org.junit.jupiter.api.MethodOrderer$Random",
            ]);
            java.arg("--config").arg(format!("junit.jupiter.execution.order.random.seed={seed}"));
        }
        for source in sources {
            let name = source.with_extension("").to_string_lossy().replace('/', ".");
            java.arg(format!("--select-class={name}"));
        }
        java.current_dir(here.path());
        Ok(match run_limited(&mut java, LIMIT)? {
            Ended::WithCode(_, said) => ran(&said).ok_or_else(|| "the JVM of the tests ended".to_owned()),
            Ended::TimedOut => Err("the tests did not end".to_owned()),
        })
    }

    /// Covered branches, and all of them.
    fn branches(&self, nest: &Path, exec: Option<&PathBuf>, work: &Path) -> Result<(u64, u64)> {
        let table = work.join("branches.csv");
        let mut java = Command::new(self.home.join("bin/java"));
        java.arg("-jar").arg(jar(JACOCO)?).arg("report").args(exec).arg("--classfiles").arg(nest);
        experiment::tools::run(java.arg("--csv").arg(&table).arg("--quiet"))?;
        branches(&fs::read_to_string(table)?)
    }
}

/// The source level of a nest: that of its class files, 8 at least.
fn level(nest: &[(ClassName, Vec<u8>)]) -> u16 {
    let major =
        nest.iter().filter_map(|(_, bytes)| Some(u16::from_be_bytes([*bytes.get(6)?, *bytes.get(7)?])));
    major.max().unwrap_or(52).saturating_sub(44).max(8)
}

fn write_nest(nest: &[(ClassName, Vec<u8>)], work: &Path) -> Result<PathBuf> {
    let folder = work.join("nest");
    for (name, bytes) in nest {
        let path = folder.join(format!("{}.class", name.binary().replace('.', "/")));
        fs::create_dir_all(path.parent().context("a file lies in a folder")?)?;
        fs::write(path, bytes)?;
    }
    Ok(folder)
}

/// Java files below a folder, relative to it, in a fixed order; none if it is not there.
fn java_files(root: &Path, folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            java_files(root, &path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "java") {
            found.push(path.strip_prefix(root)?.to_owned());
        }
    }
    Ok(())
}

/// Reads what the console of JUnit prints: a tree with a line for each test, then numbers.
fn ran(said: &str) -> Option<Ran> {
    let number = |what: &str| {
        let line = said.lines().find(|line| line.trim_start().starts_with('[') && line.contains(what))?;
        line.trim_start_matches(['[', ' ']).split(' ').next()?.parse::<usize>().ok()
    };
    let tests = number("tests found")?;
    let containers = number("containers failed")?;
    let is_failed = |line: &&str| line.contains("[X]");
    let name = |line: &str| {
        line.trim_start_matches(['|', '+', '-', '\'', '`', ' '])
            .split(' ')
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let failed: BTreeSet<String> = said.lines().filter(is_failed).map(name).collect();
    // A class that cannot be loaded is a container that failed.
    let lost = (containers > 0 && failed.is_empty()).then(|| "a class of tests does not start".to_owned());
    Some(Ran { tests, failed: failed.into_iter().chain(lost).collect() })
}

/// Sums the branches of `JaCoCo`'s table.
fn branches(table: &str) -> Result<(u64, u64)> {
    let mut lines = table.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let column =
        |name: &str| header.iter().position(|known| *known == name).context("the table has branches");
    let (missed, covered) = (column("BRANCH_MISSED")?, column("BRANCH_COVERED")?);
    let mut sums = (0, 0);
    for line in lines.filter(|line| !line.is_empty()) {
        let cells: Vec<&str> = line.split(',').collect();
        let cell = |column: usize| cells.get(column).and_then(|cell| cell.parse::<u64>().ok()).unwrap_or(0);
        sums = (sums.0 + cell(covered), sums.1 + cell(covered) + cell(missed));
    }
    Ok(sums)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_console_says_is_read() {
        let said = "\
'-- JUnit Jupiter [OK]
  '-- ACovolveTest [OK]
    +-- first() [OK]
    +-- second() [X] expected: <1> but was: <2>
    '-- third() [OK]

[         2 containers found      ]
[         0 containers failed     ]
[         3 tests found           ]
[         1 tests failed          ]
";
        let expect = Ran { tests: 3, failed: ["second()".to_owned()].into() };
        assert_eq!(ran(said), Some(expect));
        assert_eq!(ran("Error: Could not find or load main class"), None);
    }

    #[test]
    fn branches_are_summed() {
        let table = "GROUP,CLASS,BRANCH_MISSED,BRANCH_COVERED\ng,A,1,3\ng,A.B,2,0\n";
        assert_eq!(branches(table).unwrap(), (3, 6));
    }

    #[test]
    fn verdicts_are_counted() {
        let holds = Verdict { files: 1, compiles: [true; WAYS], branches: (3, 4), ..Verdict::default() };
        let fails = Verdict {
            files: 1,
            compiles: [true, true, false, false],
            failing: ["a()".to_owned()].into(),
            elsewhere: ["b()".to_owned()].into(),
            branches: (1, 4),
            ..Verdict::default()
        };
        let none = Verdict { branches: (0, 8), ..Verdict::default() };
        let said = summary(&[&holds, &fails, &none]);
        let expect = "3 classes, 1 without a file. Refused with `--release`: 0, with `-source` and `-target`: 0, by default: 1, \
            with every warning an error: 1. Files with a test that fails in the default order: 1, in another order only: 1. \
            Branches covered (`JaCoCo`), mean over all classes, one without a file counts 0 and one without branches 1: 33.3 %.";
        assert_eq!(said, expect);
    }
}
