//! Instruments compiled fixtures, and runs them in a JVM.

#![expect(clippy::disallowed_methods, reason = "tests write files")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use bytecode::analysis::{AnalysisOptions, ProbeIds};
use bytecode::instrument::{
    Limits, StaticFields, instrument_again, instrument_full, instrument_light, instrument_limited,
};
use bytecode::probe_map::{Branch, MethodProbes, ProbeId, ProbeMap};
use fixture::Compiled;

const DRIVER: &str = include_str!("Driver.java");

fn driver() -> Compiled {
    let class_path = fixture::runtime().folder.display().to_string();
    fixture::compile_with(&format!("//- /Driver.java\n{DRIVER}"), &["--release", "8", "-cp", &class_path])
}

/// Classes with probes, in a folder.
pub(crate) struct InstrumentedClasses {
    folder: tempfile::TempDir,
    /// Of the classes with the full set, in the order of the names.
    pub(crate) maps: Vec<ProbeMap>,
    /// All static fields that are written.
    pub(crate) statics: StaticFields,
    ids: ProbeIds,
}

impl InstrumentedClasses {
    /// Gives all classes of a fixture the full set.
    pub(crate) fn full(compiled: &Compiled) -> Self {
        Self::full_with(compiled, AnalysisOptions::default())
    }

    /// Gives all classes of a fixture the full set, and what `options` ask for.
    pub(crate) fn full_with(compiled: &Compiled, options: AnalysisOptions) -> Self {
        Self::limited(compiled, options, &Limits::default())
    }

    /// As [`InstrumentedClasses::full_with`], within limits.
    pub(crate) fn limited(compiled: &Compiled, options: AnalysisOptions, limits: &Limits) -> Self {
        let (mut maps, mut ids) = (Vec::new(), ProbeIds::default());
        let mut made = Self::make(compiled, |bytes, statics| {
            let done = instrument_limited(bytes, options, &mut ids, statics, limits).unwrap();
            maps.push(done.map);
            done.bytes
        });
        (made.maps, made.ids) = (maps, ids);
        made
    }

    /// As [`InstrumentedClasses::full_with`], once more with some of the mutation points.
    pub(crate) fn again_with(
        compiled: &Compiled,
        options: AnalysisOptions,
        keeps: impl Fn(ProbeId) -> bool,
    ) -> Self {
        let (mut maps, mut ids) = (Vec::new(), ProbeIds::default());
        let mut made = Self::make(compiled, |bytes, statics| {
            let before = ids;
            maps.push(instrument_full(bytes, options, &mut ids, statics).unwrap().map);
            instrument_again(bytes, options, before, statics, (&Limits::default(), &keeps)).unwrap()
        });
        (made.maps, made.ids) = (maps, ids);
        made
    }

    /// Gives all classes of a fixture the light set.
    pub(crate) fn light(compiled: &Compiled) -> Self {
        Self::make(compiled, |bytes, statics| instrument_light(bytes, statics).unwrap())
    }

    fn make(compiled: &Compiled, mut instrument: impl FnMut(&[u8], &mut StaticFields) -> Vec<u8>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut statics = StaticFields::new();
        for class in compiled.classes() {
            let path = folder.path().join(format!("{class}.class"));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, instrument(&compiled.bytes(class.as_str()), &mut statics)).unwrap();
        }
        Self { folder, maps: Vec::new(), statics, ids: ProbeIds::default() }
    }

    /// Where the class files are.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The bytes of a class.
    pub(crate) fn bytes(&self, class: &str) -> Vec<u8> {
        fs::read(self.folder().join(format!("{class}.class"))).unwrap()
    }

    /// The map of a class.
    pub(crate) fn map(&self, class: &str) -> &ProbeMap {
        self.maps.iter().find(|map| map.class.as_str() == class).unwrap()
    }

    /// What is reported of a method.
    pub(crate) fn method(&self, class: &str, name: &str) -> &MethodProbes {
        self.map(class).methods.iter().find(|method| &*method.name == name).unwrap()
    }

    /// Calls static methods of a class, each in a run of its own.
    pub(crate) fn run(&self, class: &str, calls: &[Call]) -> Vec<Run> {
        let class_path = [self.folder().to_owned(), driver().folder];
        let arguments = [self.ids.probes, self.ids.outcomes, self.statics.len() as u32];
        let mut command = java(&class_path);
        command.args(["Driver", class]).args(arguments.map(|number| number.to_string()));
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let lines: String = calls.iter().map(Call::line).collect();
        let mut stdin = child.stdin.take().unwrap();
        // Beside reading: what many runs report does not fit into a pipe.
        let writer = std::thread::spawn(move || stdin.write_all(lines.as_bytes()).unwrap());
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        let runs: Vec<Run> = String::from_utf8(output.stdout).unwrap().lines().map(Run::parse).collect();
        assert_eq!(runs.len(), calls.len(), "the JVM ends before its work does");
        runs
    }
}

/// A command that starts a JVM whose verifier trusts nobody, with the run-time classes for all.
pub(crate) fn java(class_path: &[PathBuf]) -> Command {
    let mut command = Command::new(fixture::java_home().join("bin/java"));
    let entries: Vec<String> = class_path.iter().map(|entry| entry.display().to_string()).collect();
    command.arg(format!("-Xbootclasspath/a:{}", fixture::runtime().folder.display()));
    command.args(["-XX:TieredStopAtLevel=1", "-Xverify:all"]);
    command.args(["-cp", &entries.join(":")]);
    command
}

/// A call of a static method.
pub(crate) struct Call {
    method: String,
    arguments: Vec<String>,
    budget: u32,
    mutant: Option<u32>,
}

/// A call with these arguments as text, and more steps than it needs.
pub(crate) fn call(method: &str, arguments: &[&str]) -> Call {
    let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
    Call { method: method.to_owned(), arguments, budget: 1_000_000, mutant: None }
}

impl Call {
    fn line(&self) -> String {
        let mutant = self.mutant.map_or(String::new(), |outcome| format!("@{outcome}"));
        format!("{}\t{}{mutant}\t{}\n", self.method, self.budget, self.arguments.join("\t"))
    }

    /// With a mutant selected.
    pub(crate) fn mutant(self, outcome: u32) -> Self {
        Self { mutant: Some(outcome), ..self }
    }

    /// With another step budget.
    pub(crate) fn budget(self, budget: u32) -> Self {
        Self { budget, ..self }
    }
}

/// What a run reported.
#[derive(Debug)]
pub(crate) struct Run {
    /// `returned 5`, `threw java.lang.Error`.
    pub(crate) ending: String,
    /// Probes in the order of their first hit, with their counts.
    pub(crate) hits: Vec<(u32, u32)>,
    /// All distances; those of branches that were not executed mean nothing.
    pub(crate) distances: Vec<f64>,
    /// Operands of the probes that were hit, by twice the number of the probe, plus 1 for the second one.
    pub(crate) operands: Vec<(u32, String)>,
    /// Steps left.
    pub(crate) steps: i64,
    /// Whether it was stopped, and whether it tried to end the JVM.
    pub(crate) flags: String,
    /// What project code threw last.
    pub(crate) thrown: String,
    /// Static fields written, with the old values as `bits/reference`.
    pub(crate) saved: Vec<(u32, String)>,
}

impl Run {
    fn parse(line: &str) -> Self {
        let parts: Vec<&str> = line.split('\t').collect();
        let [ending, hits, distances, operands, steps, flags, thrown, saved] = parts[..] else {
            panic!("not a run: {line}")
        };
        let pairs = |text: &str, separator: char| -> Vec<(u32, String)> {
            let pair = |pair: &str| {
                let (number, value) = pair.split_once('=').unwrap();
                (number.parse().unwrap(), value.to_owned())
            };
            text.split(separator).filter(|pair| !pair.is_empty()).map(pair).collect()
        };
        let number = |(probe, count): (u32, String)| (probe, count.parse().unwrap());
        Self {
            ending: ending.to_owned(),
            hits: pairs(hits, ' ').into_iter().map(number).collect(),
            distances: distances.split_whitespace().map(|text| text.parse().unwrap()).collect(),
            operands: pairs(operands, ';'),
            steps: steps.parse().unwrap(),
            flags: flags.to_owned(),
            thrown: thrown.to_owned(),
            saved: pairs(saved, ' '),
        }
    }

    /// Hits of a probe.
    pub(crate) fn count(&self, probe: u32) -> u32 {
        self.hits.iter().find(|(hit, _)| *hit == probe).map_or(0, |(_, count)| *count)
    }

    /// Distances to the outcomes of a branch.
    pub(crate) fn distances_of(&self, branch: &Branch) -> Vec<f64> {
        assert!(self.count(branch.probe.0) > 0, "the branch was not executed");
        branch.outcomes.iter().map(|outcome| self.distances[outcome.id.index()]).collect()
    }

    /// Operands of a branch.
    pub(crate) fn operands_of(&self, branch: &Branch) -> Vec<&str> {
        let of = |(at, _): &&(u32, String)| at / 2 == branch.probe.0;
        self.operands.iter().filter(of).map(|(_, value)| &**value).collect()
    }
}
