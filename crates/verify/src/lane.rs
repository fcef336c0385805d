//! The bench of a class: two verification JVMs that start anew when a test has ended them. The first compiles as well:
//! a second `javac` takes more time to warm up than it saves. Where there is no time for two, the first is both.

use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use processes::scratch::Scratch;
use project::junit::Framework;
use testcase::clock::Clock;

use crate::jvm::{JvmError, JvmSetup, TestEnd, VerificationJvm};
use crate::protocol::{self, Compilation, Outcome, Problem, Run, Start};
use crate::suite::TestName;
use crate::surroundings::{Archive, Role};
use crate::verifier::Bench;

/// How long a JVM that is still at something when a class begins is waited for: compiling takes a part of that, and coming up anew
/// more.
const GRACE: Duration = Duration::from_millis(500);

/// What is verified in a lane.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// Class path of the classes under test, without JUnit.
    pub class_path: Vec<PathBuf>,
    /// Java source level of the tests.
    pub source_level: u16,
}

/// Which JVMs judge tests; the lesser judgement first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judges {
    /// The first alone, one run after another: in its own surroundings and in those of the second, as far as they can be
    /// changed from within. Starting a JVM takes half a second of a processor.
    First,
    /// Two, which differ in all that a JVM gets when it starts.
    Both,
}

/// Two JVMs and the folder they may write.
#[derive(Debug)]
pub struct Lane {
    setup: JvmSetup,
    scratch: Scratch,
    first: Slot,
    second: Slot,
    /// Whether the second was ever asked for.
    has_second: bool,
    compilations: usize,
}

#[derive(Debug)]
struct Slot {
    role: Role,
    archive: Option<PathBuf>,
    jvm: Option<VerificationJvm>,
}

impl Lane {
    /// Starts the first JVM without waiting for it; the second, which is needed later, follows when the first no longer
    /// wants a core for itself. `archive` is a class data archive that is there.
    pub fn start(setup: JvmSetup, archive: Option<&Path>) -> io::Result<Self> {
        let mut lane = Self::idle(setup, archive)?;
        lane.start_first()?;
        Ok(lane)
    }

    fn start_first(&mut self) -> io::Result<()> {
        self.first.start(&self.setup, self.scratch.path())?;
        self.warm_up_first()
    }

    /// A lane without JVMs.
    fn idle(setup: JvmSetup, archive: Option<&Path>) -> io::Result<Self> {
        let scratch = Scratch::new("verify")?;
        let slot = |role| Slot { role, archive: archive.map(Path::to_owned), jvm: None };
        let (first, second) = (slot(Role::First), slot(Role::Second));
        Ok(Self { setup, scratch, first, second, has_second: false, compilations: 0 })
    }

    /// Compiles and runs a small test in the first JVM, while nobody waits.
    fn warm_up_first(&mut self) -> io::Result<()> {
        let framework = self.setup.junit.framework;
        let folder = self.class_folder()?;
        let (class, _) = warm_test(framework);
        let mut commands = self.warm_compilations(&folder);
        commands.push(warm_run(framework, folder, vec![(class.to_owned(), "warm".to_owned())]));
        if let Some(jvm) = &mut self.first.jvm {
            jvm.send_ahead(&commands);
        }
        Ok(())
    }

    /// A small test compiled in all ways; the first writes its classes.
    fn warm_compilations(&self, folder: &Path) -> Vec<protocol::Command> {
        let (class, source) = warm_test(self.setup.junit.framework);
        let of_all = CompiledFiles {
            class_path: self.setup.junit.class_path.clone(),
            folder: folder.to_owned(),
            files: vec![(format!("{class}.java"), source)],
        };
        let ways = of_all.in_all_ways(self.setup.source_level, self.setup.jdk.version);
        ways.into_iter().map(protocol::Command::Compile).collect()
    }

    /// Brings JUnit up in the second JVM, which is started if it does not run.
    fn warm_up_second(&mut self) -> io::Result<()> {
        if self.second.jvm.is_some() {
            return Ok(());
        }
        let framework = self.setup.junit.framework;
        let folder = self.class_folder()?;
        self.second.start(&self.setup, self.scratch.path())?;
        if let Some(jvm) = &mut self.second.jvm {
            jvm.send_ahead(&[warm_run(framework, folder, Vec::new())]);
        }
        Ok(())
    }

    /// Starts the second JVM, if it does not run, without waiting for it.
    pub fn start_second(&mut self) {
        self.has_second = true;
        // What goes wrong here is noticed when it is used.
        let _ = self.warm_up_second();
    }

    /// Makes it ready for another class: a JVM that was ended by a test, or is still at something for which there was no time, starts
    /// anew now and not when it is needed.
    pub(crate) fn renew(&mut self) {
        let clock = Clock::start();
        for slot in [&mut self.first, &mut self.second] {
            if slot.jvm.as_mut().is_some_and(|jvm| !jvm.comes_back(GRACE.saturating_sub(clock.now()))) {
                slot.jvm = None;
            }
        }
        // What goes wrong here is noticed when it is used.
        if self.first.jvm.is_none() {
            let _ = self.start_first();
        }
        if self.has_second {
            let _ = self.warm_up_second();
        }
    }

    /// Who can judge without a JVM that nobody has asked for.
    pub fn judges(&self) -> Judges {
        if self.has_second { Judges::Both } else { Judges::First }
    }

    /// Waits until the JVMs that were started are warm, at most so long. One that does not come up is started again when it is
    /// needed.
    pub fn settle(&mut self, limit: Duration) {
        let clock = Clock::start();
        let left = || limit.saturating_sub(clock.now());
        // What goes wrong here is noticed when a JVM is used.
        if let Some(jvm) = &mut self.first.jvm {
            // Up to the run of its warm test.
            let _ = jvm.settle_to(1, left());
        }
        tracing::debug!(took = ?clock.now(), "the first JVM compiles");
        for slot in [&mut self.first, &mut self.second] {
            if let Some(jvm) = &mut slot.jvm {
                let _ = jvm.settle(left());
                tracing::debug!(role = ?slot.role, took = ?clock.now(), "a JVM runs tests");
            }
        }
    }

    /// A bench over this lane; nothing is waited for longer than `remaining()`.
    pub fn bench<'a>(
        &'a mut self,
        compiled: &'a Compiled,
        judges: Judges,
        remaining: &'a (dyn Fn() -> Duration + Sync),
    ) -> LaneBench<'a> {
        LaneBench { lane: self, compiled, judges, remaining, classes: None }
    }

    /// Makes a class data archive at a place where there is none, with a JVM of its own that runs nothing of the user's.
    ///
    /// # Errors
    /// The JVM cannot be started.
    pub fn make_archive(setup: JvmSetup, place: &Path, limit: Duration) -> io::Result<()> {
        let mut lane = Self::idle(setup, None)?;
        let fresh = lane.scratch.path().join("classes.jsa");
        let archive = Archive::Make(&fresh);
        lane.first.jvm =
            Some(VerificationJvm::start(&lane.setup, Role::First, lane.scratch.path(), Some(&archive))?);
        lane.warm_up_first()?;
        if lane.first.jvm.take().is_some_and(|jvm| jvm.quit(limit)) {
            crate::archive::keep(&fresh, place);
        }
        Ok(())
    }

    fn class_folder(&mut self) -> io::Result<PathBuf> {
        self.compilations += 1;
        let folder = self.scratch.path().join(format!("classes-{}", self.compilations));
        std::fs::create_dir(&folder)?;
        Ok(folder)
    }
}

impl Slot {
    fn start(&mut self, setup: &JvmSetup, scratch: &Path) -> io::Result<()> {
        let archive = self.archive.as_deref().map(Archive::Use);
        self.jvm = Some(VerificationJvm::start(setup, self.role, scratch, archive.as_ref())?);
        Ok(())
    }

    fn running(&mut self, setup: &JvmSetup, scratch: &Path) -> Result<&mut VerificationJvm, JvmError> {
        if !self.jvm.as_ref().is_some_and(VerificationJvm::is_alive) {
            self.start(setup, scratch)?;
        }
        self.jvm.as_mut().ok_or(JvmError::Ended)
    }

    /// Compiles in several ways, one after another; the errors of all.
    fn compile_all(
        &mut self,
        setup: &JvmSetup,
        scratch: &Path,
        ways: &[Compilation],
        remaining: &(dyn Fn() -> Duration + Sync),
    ) -> Result<Vec<Problem>, JvmError> {
        let mut problems = Vec::new();
        for way in ways {
            let found = match self.running(setup, scratch)?.compile(way.clone(), remaining()) {
                // By what ran in it before: see the runs of tests.
                Err(JvmError::Ended) => {
                    self.jvm = None;
                    self.running(setup, scratch)?.compile(way.clone(), remaining())
                }
                found => found,
            };
            problems.extend(found?);
        }
        Ok(problems)
    }

    /// Runs all tests in this order; each test that ends the JVM costs a restart, and the rest goes on.
    fn run_all(
        &mut self,
        setup: &JvmSetup,
        scratch: &Path,
        run: &Run,
        remaining: &(dyn Fn() -> Duration + Sync),
    ) -> Result<Vec<TestEnd>, JvmError> {
        let mut ends: Vec<Option<TestEnd>> = vec![None; run.tests.len()];
        let mut may_restart = true;
        loop {
            let open: Vec<usize> = (0..ends.len()).filter(|&test| ends[test].is_none()).collect();
            if open.is_empty() && !run.tests.is_empty() {
                return Ok(ends.into_iter().flatten().collect());
            }
            let tests = open.iter().map(|&test| run.tests[test].clone()).collect();
            let part = Run { tests, ..run.clone() };
            let jvm = self.running(setup, scratch)?;
            let new = match jvm.run(part, remaining()) {
                // It ended between two tests: by what ran in it before, as a rule, which a new one has not seen.
                Err(JvmError::Ended) if may_restart => {
                    tracing::debug!(role = ?self.role, "a JVM ended between two tests");
                    (self.jvm, may_restart) = (None, false);
                    continue;
                }
                // It does so when they run twice, and nobody can tell which of them does.
                Err(JvmError::Ended) if run.start == Start::Used => {
                    return Ok(vec![TestEnd::Outcome(Outcome::Passed); run.tests.len()]);
                }
                new => new?,
            };
            let mut progress = false;
            for (&test, end) in open.iter().zip(new) {
                progress |= end.is_some();
                if let Some(TestEnd::Died | TestEnd::Outcome(Outcome::Hung { .. })) = &end {
                    tracing::debug!(role = ?self.role, test = ?run.tests[test], ?end, "a test ended its JVM");
                }
                ends[test] = end;
            }
            if !progress {
                // JUnit ran none of them, although the JVM lives: it knows no such test.
                let unknown = Outcome::Skipped { reason: "JUnit found no such test".to_owned() };
                return Ok(ends
                    .into_iter()
                    .map(|end| end.unwrap_or(TestEnd::Outcome(unknown.clone())))
                    .collect());
            }
        }
    }
}

/// A lane with what is verified in it.
#[allow(missing_debug_implementations, reason = "holds a closure")]
pub struct LaneBench<'a> {
    lane: &'a mut Lane,
    compiled: &'a Compiled,
    judges: Judges,
    remaining: &'a (dyn Fn() -> Duration + Sync),
    /// Where the classes last compiled are.
    classes: Option<PathBuf>,
}

impl Bench for LaneBench<'_> {
    fn compile(&mut self, files: Vec<(String, String)>) -> Result<Vec<Problem>, JvmError> {
        let folder = self.lane.class_folder()?;
        let problems = self.compile_in(&folder, files, |ways| &ways[..1])?;
        let of_no_use = if problems.is_empty() { self.classes.replace(folder) } else { Some(folder) };
        if let Some(of_no_use) = of_no_use {
            // What cannot be removed goes with the scratch folder.
            let _ = std::fs::remove_dir_all(of_no_use);
        }
        Ok(problems)
    }

    fn check(&mut self, files: Vec<(String, String)>) -> Result<Vec<Problem>, JvmError> {
        // Nothing is written.
        let folder = self.lane.scratch.path().to_owned();
        self.compile_in(&folder, files, |ways| &ways[1..])
    }

    fn run_both(
        &mut self,
        orders: [&[TestName]; 2],
        starts: [Start; 2],
    ) -> Result<[Vec<TestEnd>; 2], JvmError> {
        let Some(classes) = self.classes.clone() else {
            return Err(JvmError::Failed("nothing was compiled".to_owned()));
        };
        self.run_in(&[classes], orders, starts)
    }
}

impl LaneBench<'_> {
    /// Where the classes are that were compiled last.
    pub fn classes(&self) -> Option<&Path> {
        self.classes.as_deref()
    }

    /// Runs tests of classes in these folders: see [`Bench::run_both`].
    ///
    /// # Errors
    /// A JVM cannot be had, or its time is over.
    pub fn run_in(
        &mut self,
        folders: &[PathBuf],
        orders: [&[TestName]; 2],
        starts: [Start; 2],
    ) -> Result<[Vec<TestEnd>; 2], JvmError> {
        let class_path: Vec<PathBuf> = folders.iter().chain(&self.compiled.class_path).cloned().collect();
        let elsewhere = match self.judges {
            Judges::Both => Vec::new(),
            Judges::First => Role::Second.properties(self.lane.scratch.path()),
        };
        let run = |order: &[TestName], start, elsewhere: &[(&'static str, String)]| Run {
            framework: self.lane.setup.junit.framework,
            start,
            limit_millis: self.lane.setup.test_limit.as_millis() as u32,
            elsewhere: elsewhere.to_vec(),
            class_path: class_path.clone(),
            tests: order.iter().map(|test| (test.class.clone(), test.method.clone())).collect(),
        };
        let (in_first, in_second) = (run(orders[0], starts[0], &[]), run(orders[1], starts[1], &elsewhere));
        let Lane { setup, scratch, first, second, .. } = &mut *self.lane;
        let (setup, scratch, remaining) = (&*setup, scratch.path(), self.remaining);
        let clock = Clock::start();
        let ends = match self.judges {
            Judges::Both => thread::scope(|scope| {
                let other = scope.spawn(|| second.run_all(setup, scratch, &in_second, remaining));
                let one = first.run_all(setup, scratch, &in_first, remaining);
                let other = joined(other);
                Ok([one?, other?])
            }),
            Judges::First => {
                let mut run = |run| first.run_all(setup, scratch, run, remaining);
                // Classes are used once more in the surroundings in which they were used before.
                if in_first.start == Start::Used {
                    let one = run(&in_first)?;
                    Ok([one, run(&in_second)?])
                } else {
                    let other = run(&in_second)?;
                    Ok([run(&in_first)?, other])
                }
            }
        };
        tracing::debug!(?starts, took = ?clock.now(), "tests were run");
        ends
    }

    /// Compiles in the ways that are chosen of those of [`compiler_options`].
    fn compile_in(
        &mut self,
        folder: &Path,
        files: Vec<(String, String)>,
        chosen: impl Fn(&[Compilation]) -> &[Compilation],
    ) -> Result<Vec<Problem>, JvmError> {
        let Lane { setup, scratch, first, .. } = &mut *self.lane;
        let class_path = self.compiled.class_path.iter().chain(&setup.junit.class_path).cloned().collect();
        let files = CompiledFiles { class_path, folder: folder.to_owned(), files };
        let ways = files.in_all_ways(self.compiled.source_level, setup.jdk.version);
        let clock = Clock::start();
        let problems = first.compile_all(setup, scratch.path(), chosen(&ways), self.remaining);
        tracing::debug!(took = ?clock.now(), "files were compiled");
        problems
    }
}

/// What a thread that waits for a JVM found out.
fn joined<T>(thread: thread::ScopedJoinHandle<'_, Result<T, JvmError>>) -> Result<T, JvmError> {
    thread.join().unwrap_or_else(|_| Err(JvmError::Failed("its watcher failed".to_owned())))
}

/// Files to be compiled in the ways of [`compiler_options`].
struct CompiledFiles {
    class_path: Vec<PathBuf>,
    folder: PathBuf,
    files: Vec<(String, String)>,
}

impl CompiledFiles {
    /// The first way writes the class files, the others look for errors.
    fn in_all_ways(&self, source_level: u16, jdk_version: u16) -> Vec<Compilation> {
        let ways = compiler_options(source_level, jdk_version).into_iter().enumerate();
        let compilation = |(way, options)| Compilation {
            options,
            class_path: self.class_path.clone(),
            writes: way == 0,
            folder: self.folder.clone(),
            files: self.files.clone(),
        };
        ways.map(compilation).collect()
    }
}

/// Options of `javac` for a source level, in the ways in which a build may ask for it that differ: by `--release`, which
/// also hides what the JDK has and that Java version has not, and not at all. JDK 8 does not know the first, and for its
/// own level there is one way.
///
/// A build may also give the level alone, by `-source` and `-target`: the language of the first way with the classes of
/// the second. The rules by which overloads and types are chosen are the same in all languages since 8, so that what
/// compiles in both compiles there.
pub fn compiler_options(source_level: u16, jdk_version: u16) -> Vec<Vec<String>> {
    let level = source_level.to_string();
    let ways: [&[&str]; 2] = [&["--release", &level], &[]];
    let has_release = source_level < jdk_version && jdk_version >= 9;
    let first = if has_release { 0 } else { ways.len() - 1 };
    let always = ["-proc:none", "-implicit:none", "-nowarn", "-g", "-Xlint:-options", "-Xmaxerrs", "100000"];
    let options = |way: &&[&str]| always.iter().chain(way.iter()).map(|&option| option.to_owned()).collect();
    ways[first..].iter().map(options).collect()
}

/// The run of tests that warms a JVM up.
fn warm_run(framework: Framework, folder: PathBuf, tests: Vec<(String, String)>) -> protocol::Command {
    let (start, limit_millis) = (Start::Fresh, 60_000);
    let elsewhere = Vec::new();
    protocol::Command::Run(Run { framework, start, limit_millis, elsewhere, class_path: vec![folder], tests })
}

/// A test that needs nothing but JUnit: class name and source.
fn warm_test(framework: Framework) -> (&'static str, String) {
    let (test, assertions) = match framework {
        Framework::Jupiter => ("org.junit.jupiter.api.Test", "org.junit.jupiter.api.Assertions"),
        Framework::Junit4 => ("org.junit.Test", "org.junit.Assert"),
    };
    let source = format!(
        "import static {assertions}.*;\nimport java.util.ArrayList;\nimport java.util.List;\nimport {test};\n\
         public class CovolveWarmUp {{\n@Test\npublic void warm() {{\nList<String> list = new ArrayList<>();\n\
         list.add(\"a\");\nString text = list.get(0) + list.size();\nassertEquals(\"a1\", text);\n\
         assertTrue(list.contains(\"a\"));\nassertNull(null);\ntry {{\nlist.get(7);\nfail();\n\
         }} catch (IndexOutOfBoundsException expected) {{\nassertNotNull(expected);\n}}\n}}\n}}\n"
    );
    ("CovolveWarmUp", source)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_source_level_is_given_in_all_ways_where_it_differs_from_the_jdk() {
        let levels = |source, jdk| {
            let ways = compiler_options(source, jdk);
            let after =
                |way: &[String]| way.iter().skip_while(|word| *word != "100000").skip(1).cloned().collect();
            ways.iter().map(|way| after(way)).collect::<Vec<Vec<String>>>()
        };
        assert_eq!(levels(8, 17), [vec!["--release", "8"], vec![]]);
        assert_eq!(levels(17, 17), [Vec::<String>::new()]);
        assert_eq!(levels(8, 8), [Vec::<String>::new()]);
    }
}
