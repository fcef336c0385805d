//! `cargo xtask judge-instrumentation`: a library's own published tests as the judge of instrumentation.
//!
//! The tests run in plain JVMs, twice with the library as it is, once with all its classes instrumented and every test
//! recorded by the probes. What the first two runs agree on, the third must show as well.

#![expect(clippy::print_stdout, reason = "its result is printed")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use bytecode::analysis::{AnalysisOptions, ProbeIds};
use bytecode::class_path::ClassPath;
use bytecode::instrument::{StaticFields, instrument_full};
use bytecode::source::ClassSource as _;
use clap::Parser;
use experiment::console::parse;
use experiment::repository::root;
use experiment::{maven, tools};
use jvm::home::JavaHome;

use crate::setup::Setup;

const JUNIT: &str = "org.junit.platform:junit-platform-console-standalone:1.13.4";
const RUNNER: &str = include_str!("../java/instrumented/PublishedTests.java");

/// Where the source of the run-time class lies in the repository.
const RUNTIME: &str = "crates/jvm/java/covolve/runtime";

/// Run a library's published tests with its classes as they are and instrumented, and compare.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask judge-instrumentation")]
struct Options {
    /// The library, group:artifact:version.
    #[arg(long)]
    library: String,
    /// Classifier of its jar of tests.
    #[arg(long, default_value = "tests")]
    classifier: String,
    /// What its tests need. Repeatable.
    #[arg(long = "dependency")]
    dependencies: Vec<String>,
    /// Names of test classes, a regular expression.
    #[arg(long, default_value = r".*Test(Case)?|.*\.Test[^.]*")]
    pattern: String,
    #[command(flatten)]
    setup: Setup,
    /// Options of the JVM. Repeatable.
    #[arg(long = "jvm-option", allow_hyphen_values = true)]
    jvm: Vec<String>,
    /// CSV to which a row is added.
    #[arg(long)]
    out: Option<PathBuf>,
}

/// How tests ended, by their names: status, and class and message of what they threw.
type Ends = BTreeMap<String, (String, String)>;

/// What is run.
struct Trial<'a> {
    options: &'a Options,
    home: PathBuf,
    work: PathBuf,
    library: PathBuf,
    tests: PathBuf,
    /// What library and tests need, JUnit and the runner among it.
    rest: Vec<PathBuf>,
}

/// Runs the judge.
///
/// # Errors
/// Whatever keeps it from judging, and a test that ends differently.
pub fn run(words: &[String]) -> Result<()> {
    let Some(options) = parse::<Options>(words)? else { return Ok(()) };
    let trial = Trial::new(&options)?;
    let numbers = trial.instrument()?;
    let (first, second) = (trial.run("original", None)?, trial.run("again", None)?);
    let instrumented = trial.run("instrumented", Some(numbers))?;
    let stable: Vec<&String> = first.keys().filter(|name| first.get(*name) == second.get(*name)).collect();
    let passed = stable.iter().filter(|name| first[**name].0 == "SUCCESSFUL").count();
    let different: Vec<&&String> =
        stable.iter().filter(|name| !same(first.get(**name), instrumented.get(**name))).collect();
    let new = instrumented.keys().filter(|name| !first.contains_key(*name) && !second.contains_key(*name));
    let new: Vec<&String> = new.collect();
    for name in &different {
        println!("{name}\n  original {:?}\n  instrumented {:?}", first.get(**name), instrumented.get(**name));
    }
    for name in &new {
        println!("{name}\n  only instrumented {:?}", instrumented.get(*name));
    }
    let row = format!(
        "{},{},{},{passed},{},{}",
        options.library,
        first.len(),
        stable.len(),
        first.len() - stable.len(),
        different.len() + new.len()
    );
    println!("library,tests,stable,passed,unstable,different\n{row}");
    if let Some(out) = &options.out {
        let path = root().join(out);
        let mut text = fs::read_to_string(&path)
            .unwrap_or_else(|_| "library,tests,stable,passed,unstable,different\n".to_owned());
        text.push_str(&row);
        text.push('\n');
        fs::write(path, text)?;
    }
    ensure!(
        passed > 0,
        "no test passes with the library as it is; name what the tests need with --dependency"
    );
    ensure!(different.is_empty() && new.is_empty(), "{} tests end differently", different.len() + new.len());
    Ok(())
}

/// Of failures the class of the exception counts: messages hold hash codes and times.
fn same(one: Option<&(String, String)>, other: Option<&(String, String)>) -> bool {
    let class = |thrown: &str| thrown.split(' ').next().unwrap_or_default().to_owned();
    match (one, other) {
        (Some(one), Some(other)) => one.0 == other.0 && class(&one.1) == class(&other.1),
        _ => one == other,
    }
}

impl<'a> Trial<'a> {
    fn new(options: &'a Options) -> Result<Self> {
        let home = options.setup.jdk.home()?;
        let work = options.setup.folder("published").join(options.library.replace(':', "_"));
        if work.exists() {
            fs::remove_dir_all(&work)?;
        }
        fs::create_dir_all(work.join("runner"))?;
        let mut jars = maven::resolve(&options.library)?;
        ensure!(!jars.is_empty(), "{} has no jar", options.library);
        let library = jars.remove(0);
        let tests = maven::resolve(&format!("{}:jar:{}", options.library, options.classifier))?;
        let tests = tests.into_iter().next().context("the tests have a jar")?;
        let mut rest = vec![work.join("runner")];
        rest.extend(jars);
        for dependency in &options.dependencies {
            rest.extend(maven::resolve(dependency)?);
        }
        rest.extend(maven::resolve(JUNIT)?);
        let trial = Self { options, home, work, library, tests, rest };
        trial.compile_runner()?;
        Ok(trial)
    }

    fn compile_runner(&self) -> Result<()> {
        let source = self.work.join("PublishedTests.java");
        fs::write(&source, RUNNER)?;
        let mut javac = Command::new(self.home.join("bin/javac"));
        javac.arg("-cp").arg(tools::joined(&self.rest)).arg("-d").arg(self.work.join("runner")).arg(source);
        tools::run(&mut javac)?;
        let runtime = self.work.join("runtime");
        fs::create_dir_all(&runtime)?;
        compile_runtime(&self.home, &runtime)
    }

    /// Instruments the library; numbers of probes, outcomes and static fields.
    fn instrument(&self) -> Result<[usize; 3]> {
        let home = JavaHome::find(&self.home)?;
        let source = ClassPath::open(home.path(), home.version(), std::slice::from_ref(&self.library))?;
        let (mut ids, mut statics) = (ProbeIds::default(), StaticFields::new());
        for name in source.class_path_classes() {
            let bytes = source.class_bytes(name).context("a class of the class path has bytes")?;
            let done = instrument_full(&bytes, AnalysisOptions::default(), &mut ids, &mut statics)?;
            for skipped in &done.map.skipped {
                println!("{}.{}: {}", name.binary(), skipped.method, skipped.reason);
            }
            let path = self.work.join("instrumented").join(format!("{name}.class"));
            fs::create_dir_all(path.parent().context("a file has a folder")?)?;
            fs::write(path, done.bytes)?;
        }
        Ok([ids.probes as usize, ids.outcomes as usize, statics.len()])
    }

    fn run(&self, what: &str, instrumented: Option<[usize; 3]>) -> Result<Ends> {
        let out = self.work.join(format!("{what}.txt"));
        let folder = self.work.join(format!("{what}-folder"));
        fs::create_dir_all(&folder)?;
        let mut java = Command::new(self.home.join("bin/java"));
        java.args(["-Xmx1g", "-Duser.language=en", "-Duser.country=US", "-Djava.awt.headless=true"]);
        java.args(&self.options.jvm).current_dir(&folder);
        let mut class_path = Vec::new();
        if instrumented.is_some() {
            java.arg(format!("-Xbootclasspath/a:{}", self.work.join("runtime").display()));
            // In front of the jar, which keeps its resources.
            class_path.push(self.work.join("instrumented"));
        }
        class_path.extend([self.library.clone(), self.tests.clone()]);
        class_path.extend(self.rest.iter().cloned());
        java.arg("-cp").arg(tools::joined(&class_path)).arg("PublishedTests");
        java.arg(&out).arg(&self.tests).arg(&self.options.pattern);
        java.args(instrumented.iter().flatten().map(ToString::to_string));
        let errors = fs::File::create(self.work.join(format!("{what}-stderr.txt")))?;
        java.stdin(Stdio::null()).stdout(Stdio::null()).stderr(errors);
        let status = java.status().context("java does not start")?;
        let text = fs::read_to_string(&out).unwrap_or_default();
        ensure!(text.ends_with("DONE\n"), "{what}: the JVM ended with {status} before the tests did");
        Ok(read(&text))
    }
}

/// Compiles the classes that probes call.
///
/// # Errors
/// `javac` refuses them.
pub fn compile_runtime(home: &Path, to: &Path) -> Result<()> {
    let sources = fs::read_dir(root().join(RUNTIME))?;
    let sources: Vec<PathBuf> = sources.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    let mut javac = Command::new(home.join("bin/javac"));
    javac.args(["-nowarn", "-Xlint:-options", "--release", "8", "-d"]).arg(to).args(sources);
    tools::run(&mut javac)
}

fn read(text: &str) -> Ends {
    let mut ends = Ends::new();
    for line in text.lines() {
        let parts: Vec<&str> = line.split('\t').collect();
        // Containers that end well say nothing.
        if let [name, kind, status, thrown] = *parts.as_slice()
            && (kind == "test" || status != "SUCCESSFUL")
        {
            ends.insert(name.to_owned(), (status.to_owned(), thrown.to_owned()));
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_are_consistent() {
        use clap::CommandFactory as _;
        Options::command().debug_assert();
    }

    #[test]
    fn tests_and_failed_containers_are_kept() {
        let ends =
            read("a\ttest\tSUCCESSFUL\t\nb\tcontainer\tSUCCESSFUL\t\nc\tcontainer\tFAILED\tp.X at 1\nDONE\n");
        assert_eq!(ends.keys().collect::<Vec<_>>(), ["a", "c"]);
        let changed = ("FAILED".to_owned(), "p.X at 2".to_owned());
        assert!(same(ends.get("c"), Some(&changed)) && !same(ends.get("a"), Some(&changed)));
        assert!(!same(ends.get("a"), None));
    }
}
