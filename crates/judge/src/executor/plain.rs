//! The other side: the printed tests, compiled by `javac`, in plain JVMs, with and without JaCoCo.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use experiment::repository::root;
use experiment::tools;

use crate::suites::{JACOCO_AGENT, JACOCO_CORE, jar};

use super::record::{Cover, Covered, Job, Method, Place, Record};

const JUNIT: &str = "org.junit.platform:junit-platform-console-standalone:1.13.4";
/// To hide from reflection what JaCoCo adds to classes.
const EXPORT: &str = "--add-exports=java.base/jdk.internal.reflect=ALL-UNNAMED";
/// How long a JVM may take for the tests of a class before the one that is running counts as hanging.
const LIMIT: Duration = Duration::from_mins(4);
/// How often `javac` is asked again without what it refused.
const ROUNDS: usize = 6;

/// What the plain JVMs need, made once.
#[derive(Debug)]
pub(super) struct Tools {
    java_home: PathBuf,
    junit: PathBuf,
    agent: PathBuf,
    /// The judge's own classes and JaCoCo's.
    class_path: Vec<PathBuf>,
}

/// Which state of the classes tests meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Classes {
    /// One class loader for all tests: what tests before left.
    Shared,
    /// A class loader for each test: nothing was initialized but the classes with goals.
    Fresh,
    /// A class loader for each test, in which what the test loads was initialized before.
    Prepared,
}

/// How tests are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mode {
    pub(super) classes: Classes,
    /// Under JaCoCo, without assertions; else plain, with them.
    pub(super) coverage: bool,
}

/// What a test showed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Shown {
    /// Line, expected and actual value of assertions that failed.
    pub(super) failures: Vec<(u32, String, String)>,
    /// Class that the last `assertThrows` caught.
    pub(super) caught: Option<String>,
    /// Line, class and message of what ended it.
    pub(super) ended: Option<(u32, String, String)>,
    /// Whether it hung or ended the JVM.
    pub(super) died: bool,
    /// What it covered.
    pub(super) covered: BTreeMap<Place, Cover>,
    /// What it and the class initializers covered.
    pub(super) with_initializers: BTreeMap<Place, Cover>,
}

/// What a run showed.
#[derive(Debug, Default)]
pub(super) struct Run {
    pub(super) tests: BTreeMap<String, Shown>,
    /// What counts, by JaCoCo.
    pub(super) goals: BTreeMap<Place, Cover>,
    /// What class initializers covered.
    pub(super) initializers: BTreeMap<Place, Cover>,
    /// Classes that cannot be initialized.
    pub(super) uninitialized: Vec<String>,
}

impl Tools {
    pub(super) fn new(java_home: &Path, work: &Path) -> Result<Self> {
        let (junit, agent) = (jar(JUNIT)?, jar(JACOCO_AGENT)?);
        let own = work.join("judge-classes");
        fs::create_dir_all(&own)?;
        let class_path = vec![own.clone(), junit.clone(), jar(JACOCO_CORE)?];
        let mut sources = Vec::new();
        sources_below(&root().join("crates/judge/java/executor"), &mut sources)?;
        let mut javac = Command::new(java_home.join("bin/javac"));
        javac
            .args(["-Xlint:none", EXPORT])
            .arg("-cp")
            .arg(tools::joined(class_path.iter().chain([&agent])))
            .arg("-d")
            .arg(&own)
            .args(sources);
        tools::run(&mut javac)?;
        Ok(Self { java_home: java_home.to_owned(), junit, agent, class_path })
    }

    /// Compiles the printed tests of a folder. Those that `javac` refuses are blanked out of the source and given with
    /// its reasons.
    pub(super) fn compile<'r>(
        &self,
        job: &Job,
        folder: &str,
        source: &str,
        methods: &[&'r Method],
    ) -> Result<BTreeMap<&'r str, String>> {
        let folder = job.folder.join(folder);
        let (file, classes) = (folder.join("src").join(source), folder.join("classes"));
        fs::create_dir_all(&classes)?;
        let mut refused = BTreeMap::new();
        for _ in 0..ROUNDS {
            let class_path = job.class_path.iter().chain([&self.junit]);
            let mut javac = tools::javac_of_tests(&self.java_home, class_path, &classes);
            let output = javac.args(["-nowarn", "-Xlint:none", "-Xmaxerrs", "10000"]).arg(&file).output()?;
            if output.status.success() {
                return Ok(refused);
            }
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            let mut blank = BTreeSet::new();
            for (line, message) in errors(&text, &file) {
                let at = methods.iter().find(|it| (it.first_line..=it.last_line).contains(&line));
                let Some(method) = at else { bail!("javac, outside of tests: {message}") };
                refused.entry(method.name.as_str()).or_insert(message);
                blank.extend(method.first_line..=method.last_line);
            }
            ensure!(!blank.is_empty(), "javac: {text}");
            let kept: Vec<String> = fs::read_to_string(&file)?
                .lines()
                .zip(1..)
                .map(|(line, number)| if blank.contains(&number) { String::new() } else { line.to_owned() })
                .collect();
            fs::write(&file, kept.join("\n"))?;
        }
        bail!("javac refuses more each time")
    }

    /// Runs tests, in as many JVMs as it takes.
    pub(super) fn run(&self, job: &Job, record: &Record, mode: Mode, methods: &[&str]) -> Result<Run> {
        let mut run = Run::default();
        let mut left: Vec<&str> = methods.to_vec();
        while !left.is_empty() {
            let text = self.one_jvm(job, record, mode, &left)?;
            let done = run.read(&text)?;
            if done.finished {
                break;
            }
            let Some(begun) = done.begun else {
                bail!("a plain JVM ends before its first test:\n{}", done.errors);
            };
            let at = left.iter().position(|name| *name == begun).context("it was asked for")?;
            run.tests.entry(begun).or_default().died = true;
            left.drain(..=at);
        }
        Ok(run)
    }

    /// What one JVM writes.
    fn one_jvm(&self, job: &Job, record: &Record, mode: Mode, methods: &[&str]) -> Result<String> {
        let folder = job.folder.join(if mode.coverage { "bare" } else { "asserted" });
        let (out, list, goals) =
            (folder.join("shown.txt"), folder.join("methods.txt"), folder.join("goals.txt"));
        fs::write(&out, "")?;
        fs::write(&list, methods.join("\n"))?;
        fs::write(&goals, record.goal_classes.join("\n"))?;
        let mut java = Command::new(self.java_home.join("bin/java"));
        java.args(OPTIONS).current_dir(&folder);
        java.arg(format!("-Djava.io.tmpdir={}", job.folder.join("scratch").display()));
        if mode.coverage {
            let nest = format!("{0}:{0}$*", job.class);
            java.arg(EXPORT);
            java.arg(format!("-javaagent:{}=output=none,includes={nest}", self.agent.display()));
        }
        java.arg("-cp").arg(tools::joined(&self.class_path)).arg("covolve.judge.Main");
        java.arg(&out).arg(&list).arg(&goals);
        let classes = folder.join("classes");
        java.arg(tools::joined([&classes].into_iter().chain(&job.class_path))).arg(&record.test_class);
        java.arg(match mode.classes {
            Classes::Shared => "shared",
            Classes::Fresh => "fresh",
            Classes::Prepared => "prepared",
        });
        java.arg(if mode.coverage { "coverage" } else { "values" });
        let errors = fs::File::create(folder.join("stderr.txt"))?;
        java.stdin(Stdio::null()).stdout(Stdio::null()).stderr(errors);
        tools::wait(&mut java.spawn().context("java does not start")?, LIMIT)?;
        let mut text = fs::read_to_string(&out)?;
        if text.is_empty() {
            text = format!("STDERR\t{}", fs::read_to_string(folder.join("stderr.txt"))?.replace('\n', " "));
        }
        Ok(text)
    }
}

/// As the executor's JVM has them, as far as a plain one can.
const OPTIONS: [&str; 14] = [
    "-XX:+UnlockDiagnosticVMOptions",
    "-XX:+UnlockExperimentalVMOptions",
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-XX:-OmitStackTraceInFastThrow",
    "-XX:hashCode=2",
    "-Xmx768m",
    "-ea",
    "-Dfile.encoding=UTF-8",
    "-Duser.language=en",
    "-Duser.country=US",
    "-Duser.timezone=UTC",
    "-Djava.awt.headless=true",
    "-Xshare:auto",
];

/// How far a JVM came.
#[derive(Debug, Default)]
struct Done {
    finished: bool,
    /// The test that was begun and not ended.
    begun: Option<String>,
    errors: String,
}

impl Run {
    /// Adds what a JVM wrote.
    fn read(&mut self, text: &str) -> Result<Done> {
        let mut done = Done::default();
        let mut test = String::new();
        for line in text.lines() {
            let parts: Vec<&str> = line.split('\t').collect();
            match *parts.as_slice() {
                ["BEGIN", name] => {
                    name.clone_into(&mut test);
                    self.tests.insert(test.clone(), Shown::default());
                    done.begun = Some(test.clone());
                }
                ["END", line, class, message] => {
                    let shown = self.shown(&test);
                    if class != "nothing" {
                        shown.ended = Some((line.parse()?, class.to_owned(), message.to_owned()));
                    }
                    done.begun = None;
                }
                ["FAIL", line, expected, actual] => {
                    let failure = (line.parse()?, expected.to_owned(), actual.to_owned());
                    self.shown(&test).failures.push(failure);
                }
                ["THREW", _, class] => self.shown(&test).caught = Some(class.to_owned()),
                [kind @ ("COVER" | "WITH_INIT" | "INIT" | "GOALS"), class, number, line, branches] => {
                    let place = (class.to_owned(), number.parse()?);
                    let cover = Cover { line: line == "1", branches: branches.parse()? };
                    match kind {
                        "COVER" => self.shown(&test).covered.insert(place, cover),
                        "WITH_INIT" => self.shown(&test).with_initializers.insert(place, cover),
                        "INIT" => self.initializers.insert(place, cover),
                        _ => self.goals.insert(place, cover),
                    };
                }
                ["UNINITIALIZED", class, reason] => {
                    let text = format!("{class}: {reason}");
                    if !self.uninitialized.contains(&text) {
                        self.uninitialized.push(text);
                    }
                }
                ["DONE"] => done.finished = true,
                ["STDERR", errors] => errors.clone_into(&mut done.errors),
                // The JVM died while it wrote the last line.
                _ => {}
            }
        }
        Ok(done)
    }

    fn shown(&mut self, test: &str) -> &mut Shown {
        self.tests.entry(test.to_owned()).or_default()
    }
}

/// Covered lines by place.
pub(super) fn by_place(covered: &Covered) -> BTreeMap<Place, Cover> {
    covered.iter().cloned().collect()
}

fn sources_below(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            sources_below(&path, found)?;
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(())
}

/// Lines and messages of what `javac` refuses.
fn errors(text: &str, file: &Path) -> Vec<(u32, String)> {
    let name = file.display().to_string();
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some((number, message)) = line
            .strip_prefix(&name)
            .and_then(|rest| rest.strip_prefix(':'))
            .and_then(|rest| rest.split_once(':'))
        else {
            continue;
        };
        if let (Ok(number), Some(message)) = (number.parse(), message.trim().strip_prefix("error: ")) {
            let code = lines.get(index + 1).map_or("", |code| code.trim());
            found.push((number, format!("{message} | {code}")));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_jvm_writes_is_read_up_to_where_it_died() {
        let mut run = Run::default();
        let text = "INIT\tp/A\t3\t1\t2\nBEGIN\ta\nFAIL\t7\tint 1\tint 2\nTHREW\t8\tp.X\nEND\t0\tnothing\t\nBEGIN\tb\nCOV";
        let done = run.read(text).unwrap();
        assert_eq!((done.begun.as_deref(), done.finished), (Some("b"), false));
        assert_eq!(run.tests["a"].failures, [(7, "int 1".to_owned(), "int 2".to_owned())]);
        assert_eq!(run.tests["a"].caught.as_deref(), Some("p.X"));
        assert_eq!(run.initializers[&("p/A".to_owned(), 3)], Cover { line: true, branches: 2 });
    }

    #[test]
    fn errors_of_javac_have_lines() {
        let text =
            "/w/A.java:12: error: no such thing\n   foo();\n   ^\nNote: x\n/w/A.java:3: warning: w\n1 error";
        assert_eq!(errors(text, Path::new("/w/A.java")), [(12, "no such thing | foo();".to_owned())]);
    }
}
