//! `cargo xtask verify-instrumented`: the JVM's verifier as the judge of instrumentation.
//!
//! Every class is instrumented, loaded and linked by a JVM whose verifier is switched on for all loaders. Classes of
//! the JDK are put into their modules by `--patch-module`, the run-time class of the probes into `java.base`; those of
//! a jar take the place of the jar. What cannot be linked although the original can be is rejected, and so is a class
//! for which the JVM fails over to its old verifier.

#![expect(clippy::disallowed_methods, reason = "a chore writes files and starts processes")]
#![expect(clippy::print_stdout, reason = "its result is printed")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use bytecode::analysis::{AnalysisOptions, ProbeIds};
use bytecode::instrument::{StaticFields, instrument_again, instrument_full, instrument_light};
use bytecode::name::ClassName;
use bytecode::probe_map::ProbeId;
use clap::Parser;

use crate::class_sets::{ClassSet, Selection};
use crate::{parse, root, tools};

/// Options of `verify-instrumented`.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask verify-instrumented")]
struct Options {
    #[command(flatten)]
    selection: Selection,
    /// Further jars that the classes of the jars need.
    #[arg(long = "dependency")]
    dependencies: Vec<PathBuf>,
    /// Give the classes the light set of probes instead of the full one.
    #[arg(long)]
    light: bool,
    /// Leave out every second place with mutants, as classes have it that were given other code while they ran.
    #[arg(long, conflicts_with = "light")]
    some_mutants: bool,
    /// Folder to work in, emptied first.
    #[arg(long, default_value = "target/verify-instrumented")]
    work: PathBuf,
}

const LINK: &str = include_str!("../java/Link.java");

/// Where the source of the run-time class lies in the repository.
const RUNTIME: &str = "crates/jvm/java/covolve/runtime";

/// What a JVM said of classes that it was to link.
#[derive(Debug, Default)]
struct Verdict {
    failed: BTreeMap<String, String>,
    verified: BTreeSet<String>,
    failed_over: BTreeSet<String>,
    ended: bool,
    rest: Vec<String>,
}

/// Runs the judge.
///
/// # Errors
/// Whatever keeps it from judging, and a class that is rejected.
pub(crate) fn run(words: &[String]) -> Result<()> {
    let Some(arguments) = parse::<Options>(words)? else { return Ok(()) };
    let home = arguments.selection.java_home()?;
    let sets = arguments.selection.sets()?;
    let work = &arguments.work;
    if work.exists() {
        fs::remove_dir_all(work)?;
    }
    fs::create_dir_all(work)?;
    let is_jdk = arguments.selection.jars.is_empty();
    let runtime = work.join(if is_jdk { "classes/java.base" } else { "runtime" });
    compile(&home, work, &runtime)?;
    for set in &sets {
        instrument(set, &arguments, &work.join("classes").join(&set.name))?;
    }
    let mut rejected = 0;
    let groups: Vec<&[ClassSet]> =
        if is_jdk { vec![&sets] } else { sets.iter().map(std::slice::from_ref).collect() };
    for group in groups {
        let list = work.join("list.txt");
        fs::write(&list, list_of(group, is_jdk))?;
        let judge = |options: Vec<String>| link(&home, work, &list, &options);
        let (before, after) = if is_jdk {
            (judge(modules(group))?, judge(patched(group, work))?)
        } else {
            let class_path = |first: &Path| class_path(first, &arguments.dependencies, &runtime, work);
            let jar = arguments.selection.jars.iter().find(|jar| jar.ends_with(&group[0].name));
            let jar = jar.context("a set has a jar")?;
            (judge(class_path(jar))?, judge(class_path(&work.join("classes").join(&group[0].name)))?)
        };
        rejected += report(group, &before, &after);
    }
    ensure!(rejected == 0, "{rejected} classes are rejected");
    Ok(())
}

fn compile(home: &Path, work: &Path, runtime: &Path) -> Result<()> {
    let link = work.join("Link.java");
    fs::write(&link, LINK)?;
    fs::create_dir_all(runtime)?;
    javac(home, &[], work, vec![link])?;
    compile_runtime(home, runtime)
}

/// Compiles the classes that probes call.
pub(crate) fn compile_runtime(home: &Path, to: &Path) -> Result<()> {
    let sources = fs::read_dir(root().join(RUNTIME))?;
    let sources = sources.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    javac(home, &["-nowarn", "-Xlint:-options", "--release", "8"], to, sources)
}

fn javac(home: &Path, options: &[&str], to: &Path, sources: Vec<PathBuf>) -> Result<()> {
    let mut command = Command::new(home.join("bin/javac"));
    command.args(options).arg("-d").arg(to).args(sources);
    tools::run(&mut command)
}

fn instrument(set: &ClassSet, arguments: &Options, folder: &Path) -> Result<()> {
    let mut without_mutants = 0;
    let (mut ids, mut statics) = (ProbeIds::default(), StaticFields::new());
    for (name, bytes) in &set.classes {
        // The JVM does not verify it, and takes it for granted that `Object.finalize` is empty.
        if name.as_str() == "java/lang/Object" {
            continue;
        }
        let before = ids;
        let done = if arguments.light {
            instrument_light(bytes, &mut statics)
        } else {
            instrument_full(bytes, AnalysisOptions::ALL, &mut ids, &mut statics).and_then(|done| {
                without_mutants += done.map.methods.iter().filter(|method| method.lacks_mutants).count();
                if !arguments.some_mutants {
                    return Ok(done.bytes);
                }
                let methods = done.map.methods.iter();
                let every_second: BTreeSet<ProbeId> = methods
                    .flat_map(|method| &method.mutants)
                    .map(|mutant| mutant.probe)
                    .filter(|point| point.0 % 2 == 0)
                    .collect();
                let keeps = |point| every_second.contains(&point);
                instrument_again(bytes, AnalysisOptions::ALL, before, &mut statics, keeps)
            })
        };
        let path = folder.join(format!("{name}.class"));
        fs::create_dir_all(path.parent().context("a file has a folder")?)?;
        fs::write(path, done.with_context(|| format!("{name} cannot be instrumented"))?)?;
    }
    if !arguments.light {
        println!("{}: {} mutants, {without_mutants} methods too large for theirs", set.name, ids.mutants);
    }
    Ok(())
}

fn list_of(sets: &[ClassSet], is_jdk: bool) -> String {
    let of_set = |set: &ClassSet| -> String {
        let module = if is_jdk { &set.name } else { "-" };
        let of_class = |(name, _): &(ClassName, _)| format!("{module} {}\n", name.as_str().replace('/', "."));
        set.classes.iter().map(of_class).collect()
    };
    sets.iter().map(of_set).collect()
}

fn modules(sets: &[ClassSet]) -> Vec<String> {
    let names: Vec<&str> = sets.iter().map(|set| &*set.name).collect();
    vec!["--add-modules".to_owned(), names.join(",")]
}

fn patched(sets: &[ClassSet], work: &Path) -> Vec<String> {
    let mut options = modules(sets);
    for set in sets {
        let folder = work.join("classes").join(&set.name);
        options.push(format!("--patch-module={}={}", set.name, folder.display()));
        if set.name != "java.base" {
            options.push(format!("--add-exports=java.base/covolve.runtime={}", set.name));
        }
    }
    if !sets.iter().any(|set| set.name == "java.base") {
        options.push(format!("--patch-module=java.base={}", work.join("classes/java.base").display()));
    }
    options
}

fn class_path(first: &Path, dependencies: &[PathBuf], runtime: &Path, work: &Path) -> Vec<String> {
    let entries = std::iter::once(first).chain(dependencies.iter().map(PathBuf::as_path)).chain([work]);
    let entries: Vec<String> = entries.map(|path| path.display().to_string()).collect();
    vec![format!("-Xbootclasspath/a:{}", runtime.display()), "-cp".to_owned(), entries.join(":")]
}

fn link(home: &Path, work: &Path, list: &Path, options: &[String]) -> Result<Verdict> {
    let mut command = Command::new(home.join("bin/java"));
    command.args(["-XX:+UnlockDiagnosticVMOptions", "-XX:+BytecodeVerificationLocal", "-Xshare:off"]);
    command.args(["-XX:+BytecodeVerificationRemote", "-Xlog:class+init=info:stdout", "-Xmx1g"]);
    command.arg(format!("-XX:ErrorFile={}", work.join("crash.log").display()));
    if !options.iter().any(|option| option == "-cp") {
        command.arg("-cp").arg(work);
    }
    command.args(options).arg("Link").arg(list);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().context("java starts")?;
    let stdout = child.stdout.take().context("a pipe")?;
    let mut verdict = Verdict::default();
    for line in BufReader::new(stdout).lines() {
        verdict.read(&line?);
    }
    child.wait()?;
    if !verdict.ended {
        bail!("the JVM did not get to the end:\n{}", verdict.rest.join("\n"));
    }
    Ok(verdict)
}

impl Verdict {
    fn read(&mut self, line: &str) {
        let class_in = |line: &str| line.rsplit("for: ").next().map(str::to_owned).unwrap_or_default();
        if let Some(failure) = line.strip_prefix("FAIL ") {
            let (class, reason) = failure.split_once(' ').unwrap_or((failure, ""));
            self.failed.insert(class.to_owned(), reason.to_owned());
        } else if line.contains("] End class verification for: ") {
            self.verified.insert(class_in(line));
        } else if line.contains("] Fail over class verification") {
            self.failed_over.insert(class_in(line));
        } else if line.starts_with("DONE ") {
            self.ended = true;
        } else if !line.contains("[class,init") && self.rest.len() < 40 {
            self.rest.push(line.to_owned());
        }
    }
}

/// Prints what came out; returns how many classes are rejected.
fn report(sets: &[ClassSet], before: &Verdict, after: &Verdict) -> usize {
    let names: Vec<String> =
        sets.iter().flat_map(|set| &set.classes).map(|(name, _)| name.as_str().replace('/', ".")).collect();
    let verified = |verdict: &Verdict| names.iter().filter(|name| verdict.verified.contains(*name)).count();
    let broken: Vec<_> = after.failed.iter().filter(|(name, _)| !before.failed.contains_key(*name)).collect();
    let failed_over: Vec<_> = after.failed_over.difference(&before.failed_over).collect();
    for (name, reason) in &broken {
        println!("rejected: {name}: {reason}");
    }
    for name in &failed_over {
        println!("left to the old verifier: {name}");
    }
    let label = if sets.len() == 1 { sets[0].name.clone() } else { format!("{} modules", sets.len()) };
    let lost: Vec<_> = names
        .iter()
        .filter(|name| before.verified.contains(*name) && !after.verified.contains(*name))
        .filter(|name| !after.failed.contains_key(*name))
        .collect();
    for name in &lost {
        println!("verified only as the original: {name}");
    }
    let rejected = broken.len() + failed_over.len() + lost.len();
    println!(
        "{label}: {} classes, verified {} (originals {}), not linked even as originals {}, rejected {rejected}",
        names.len(),
        verified(after),
        verified(before),
        before.failed.len(),
    );
    rejected
}
