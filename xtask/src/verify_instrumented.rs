//! `cargo xtask verify-instrumented`: the JVM's verifier as the judge of instrumentation.
//!
//! Every class is instrumented, loaded and linked by a JVM whose verifier is switched on for all loaders. Classes of
//! the JDK are put into their modules by `--patch-module`, the run-time class of the probes into `java.base`; those of
//! a jar take the place of the jar. What cannot be linked although the original can be is rejected, and so is a class
//! for which the JVM fails over to its old verifier. Each set of probes is judged for itself; a set that carries all does not
//! show what is wrong with a part of it.

#![expect(clippy::disallowed_methods, reason = "a chore writes files and starts processes")]
#![expect(clippy::print_stdout, reason = "its result is printed")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use bytecode::analysis::{AnalysisOptions, ProbeIds, number_direct};
use bytecode::class_file::ClassFileError;
use bytecode::instrument::{
    Limits, LoggedMethods, StaticFields, WatchedCalls, bridge_calls, instrument_again, instrument_calls,
    instrument_full, instrument_light, instrument_recorded,
};
use bytecode::name::ClassName;
use bytecode::probe_layout::ProbeLayout;
use bytecode::probe_map::ProbeId;
use clap::{Parser, ValueEnum as _};
use experiment::console::parse;
use experiment::tools;
use judge::instrumentation::compile_runtime;

use crate::class_sets::{ClassSet, Selection};

/// Options of `verify-instrumented`.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask verify-instrumented")]
struct Options {
    #[command(flatten)]
    selection: Selection,
    /// Further jars that the classes of the jars need.
    #[arg(long = "dependency")]
    dependencies: Vec<PathBuf>,
    /// Sets of probes to give the classes. Repeatable. Default: each of them.
    #[arg(long = "probes", value_enum)]
    probes: Vec<ProbeSet>,
    /// File to write the figures to as a table.
    #[arg(long)]
    table: Option<PathBuf>,
    /// Folder to work in, emptied first.
    #[arg(long, default_value = "target/verify-instrumented")]
    work: PathBuf,
}

/// What classes are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ProbeSet {
    /// What the other classes of the class path get.
    Light,
    /// The full set without anything that must be asked for.
    Plain,
    /// With two copies of the numbers, for calls by the test itself.
    Direct,
    /// With what shows the blocks of each method.
    Blocks,
    /// With the statements.
    Statements,
    /// With mutants.
    Mutants,
    /// With everything.
    Everything,
    /// With everything but every second mutation point, as classes have it that were given other code while they ran.
    SomeMutants,
    /// The light set with the probes that log.
    RecordedLight,
    /// Everything but mutants, with the probes that log.
    Recorded,
    /// What tests that others wrote get: each call is told, and led through a method that tells what is passed, returned and
    /// thrown, by the signatures of all classes of the jar or module.
    Calls,
}

impl ProbeSet {
    /// What is asked for; `None` for the light set.
    fn options(self) -> Option<AnalysisOptions> {
        let none = AnalysisOptions::default();
        Some(match self {
            Self::Light | Self::RecordedLight => return None,
            Self::Plain => none,
            Self::Direct | Self::Calls => AnalysisOptions { direct: true, ..none },
            Self::Blocks => AnalysisOptions { blocks: true, ..none },
            Self::Statements => AnalysisOptions { statements: true, ..none },
            Self::Mutants => AnalysisOptions { mutants: true, ..none },
            Self::Everything | Self::SomeMutants | Self::Recorded => AnalysisOptions::ALL,
        })
    }

    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

const LINK: &str = include_str!("../java/Link.java");

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
    let probes = if arguments.probes.is_empty() {
        ProbeSet::value_variants().to_vec()
    } else {
        arguments.probes.clone()
    };
    let mut table = String::from(HEAD);
    let mut rejected = 0;
    let groups: Vec<&[ClassSet]> =
        if is_jdk { vec![&sets] } else { sets.iter().map(std::slice::from_ref).collect() };
    for group in groups {
        let list = work.join("list.txt");
        fs::write(&list, list_of(group, is_jdk))?;
        let judge = |options: Vec<String>| link(&home, work, &list, &options);
        let class_path = |first: &Path| class_path(first, &arguments.dependencies, &runtime, work);
        let before = if is_jdk {
            judge(modules(group))?
        } else {
            let jar = arguments.selection.jars.iter().find(|jar| jar.ends_with(&group[0].name));
            judge(class_path(jar.context("a set has a jar")?))?
        };
        for &probes in &probes {
            let (mut mutants, mut without_mutants) = (0, 0);
            for set in group {
                let done = instrument(set, probes, &work.join("classes").join(&set.name))?;
                mutants += done.0;
                without_mutants += done.1;
            }
            let after = if is_jdk {
                judge(patched(group, work))?
            } else {
                judge(class_path(&work.join("classes").join(&group[0].name)))?
            };
            let figures = report(group, probes, &before, &after);
            rejected += figures.rejected;
            table += &figures.row(&home, probes, (mutants, without_mutants));
            if let Some(path) = &arguments.table {
                fs::write(path, &table)?;
            }
        }
        if !is_jdk {
            fs::remove_dir_all(work.join("classes").join(&group[0].name))?;
        }
    }
    ensure!(rejected == 0, "{rejected} classes are rejected");
    Ok(())
}

/// Columns of the table.
const HEAD: &str = "judge,classes_of,probes,classes,originals_verified,verified,originals_not_linked,mutants,\
                    methods_without_mutants,rejected\n";

/// What came out for a set of classes with a set of probes.
#[derive(Debug)]
struct Figures {
    label: String,
    classes: usize,
    originals_verified: usize,
    verified: usize,
    originals_not_linked: usize,
    rejected: usize,
}

impl Figures {
    fn row(&self, home: &Path, probes: ProbeSet, (mutants, without_mutants): (u32, usize)) -> String {
        let Self { label, classes, originals_verified, verified, originals_not_linked, rejected } = self;
        let home = home.file_name().map_or_else(String::new, |name| name.display().to_string());
        format!(
            "{home},{label},{},{classes},{originals_verified},{verified},{originals_not_linked},{mutants},\
             {without_mutants},{rejected}\n",
            probes.name()
        )
    }
}

fn compile(home: &Path, work: &Path, runtime: &Path) -> Result<()> {
    let link = work.join("Link.java");
    fs::write(&link, LINK)?;
    fs::create_dir_all(runtime)?;
    tools::run(Command::new(home.join("bin/javac")).arg("-d").arg(work).arg(link))?;
    compile_runtime(home, runtime)
}

/// Writes the classes with their probes; gives the number of mutants, and of methods that do not carry theirs.
fn instrument(set: &ClassSet, probes: ProbeSet, folder: &Path) -> Result<(u32, usize)> {
    let mut without_mutants = 0;
    let (mut ids, mut statics) = (ProbeIds::default(), StaticFields::new());
    let mut logged = LoggedMethods::new();
    let mut maps = Vec::new();
    for (name, bytes) in classes_of(set) {
        let before = ids;
        let done = match probes.options() {
            None if probes == ProbeSet::RecordedLight => {
                instrument_recorded(bytes, None, &mut statics, &mut logged)
            }
            None => instrument_light(bytes, &mut statics),
            Some(options) => instrument_full(bytes, options, &mut ids, &mut statics).and_then(|done| {
                without_mutants += done.map.methods.iter().filter(|method| method.lacks_mutants).count();
                if probes == ProbeSet::Recorded {
                    let goals = Some((options, before, &Limits::default()));
                    return instrument_recorded(bytes, goals, &mut statics, &mut logged);
                }
                if probes != ProbeSet::SomeMutants {
                    maps.push(done.map);
                    return Ok(done.bytes);
                }
                let keeps = |point: ProbeId| point.0.is_multiple_of(2);
                instrument_again(bytes, options, before, &mut statics, (&Limits::default(), keeps))
            }),
        };
        write(folder, name, done)?;
    }
    if probes == ProbeSet::Calls {
        // Which calls are told is known when all classes are.
        number_direct(&mut maps, ids);
        let (signatures, calls) = (ProbeLayout::new(&maps, ids).signatures(), WatchedCalls::of(&maps, true));
        // Methods of `java.base` look at the frame above theirs to know who calls them, and no JVM starts where that is another.
        let calls = if set.name == "java.base" { WatchedCalls::default() } else { calls };
        for (name, bytes) in classes_of(set) {
            let bridged = bridge_calls(bytes, &calls);
            write(folder, name, bridged.and_then(|bytes| instrument_calls(&bytes, &signatures)))?;
        }
    }
    Ok((ids.mutants, without_mutants))
}

/// The classes of a set, without `Object`: the JVM does not verify it, and takes it for granted that `Object.finalize` is empty.
fn classes_of(set: &ClassSet) -> impl Iterator<Item = (&ClassName, &[u8])> {
    let classes = set.classes.iter().map(|(name, bytes)| (name, bytes.as_slice()));
    classes.filter(|(name, _)| name.as_str() != "java/lang/Object")
}

fn write(folder: &Path, name: &ClassName, done: Result<Vec<u8>, ClassFileError>) -> Result<()> {
    let path = folder.join(format!("{name}.class"));
    fs::create_dir_all(path.parent().context("a file has a folder")?)?;
    fs::write(path, done.with_context(|| format!("{name} cannot be instrumented"))?)?;
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

/// Prints what came out.
fn report(sets: &[ClassSet], probes: ProbeSet, before: &Verdict, after: &Verdict) -> Figures {
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
    let figures = Figures {
        label,
        classes: names.len(),
        originals_verified: verified(before),
        verified: verified(after),
        originals_not_linked: before.failed.len(),
        rejected: broken.len() + failed_over.len() + lost.len(),
    };
    println!(
        "{}, {}: {} classes, verified {} (originals {}), not linked even as originals {}, rejected {}",
        figures.label,
        probes.name(),
        figures.classes,
        figures.verified,
        figures.originals_verified,
        figures.originals_not_linked,
        figures.rejected,
    );
    figures
}
