//! `cargo xtask bench instrument`: microseconds per class, one thread, everything from the bytes of a class to those of the
//! instrumented one.

#![expect(clippy::disallowed_methods, reason = "a chore writes files")]
#![expect(clippy::print_stdout, reason = "its result is printed")]

use std::collections::BTreeMap;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use bytecode::analysis::{AnalysisOptions, ProbeIds, analyze};
use bytecode::class_file::ClassFile;
use bytecode::instrument::{StaticFields, instrument_analyzed, instrument_full, instrument_light};
use clap::Parser;
use experiment::console::parse;
use rustix::time::{ClockId, clock_gettime};

use crate::class_sets::{ClassSet, Selection};

/// Options of `bench instrument`.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask bench instrument")]
struct Options {
    #[command(flatten)]
    selection: Selection,
    /// Times that each set is instrumented; the fastest counts.
    #[arg(long, default_value_t = 5)]
    rounds: u32,
    /// Write the classes with the full set of probes to this folder, one folder per module or jar.
    #[arg(long)]
    out: Option<PathBuf>,
}

/// What instrumenting a set came to.
#[derive(Debug, Default)]
struct Figures {
    classes: usize,
    bytes: usize,
    bytes_after: usize,
    parse: Duration,
    analyze: Duration,
    rewrite: Duration,
    full: Duration,
    light: Duration,
    failed: usize,
    skipped: BTreeMap<String, usize>,
}

/// Runs the benchmark.
pub(crate) fn run(words: &[String]) -> Result<()> {
    let Some(arguments) = parse::<Options>(words)? else { return Ok(()) };
    let mut total = Figures::default();
    println!(
        "{:<32} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7}",
        "µs/class", "classes", "parse", "analyze", "rewrite", "full", "light", "growth"
    );
    for set in arguments.selection.sets()? {
        let figures = measure(&set, arguments.rounds);
        print_row(&set.name, &figures);
        if let Some(out) = &arguments.out {
            write(&set, &out.join(&set.name))?;
        }
        total.add(figures);
    }
    print_row("total", &total);
    println!("no class files: {}", total.failed);
    for (reason, methods) in &total.skipped {
        println!("methods without probes, since {reason}: {methods}");
    }
    Ok(())
}

fn measure(set: &ClassSet, rounds: u32) -> Figures {
    let mut figures = Figures { classes: set.classes.len(), ..Figures::default() };
    figures.parse = fastest(set, rounds, |bytes| drop(black_box(ClassFile::parse(bytes))));
    let mut ids = ProbeIds::default();
    figures.analyze = fastest(set, rounds, |bytes| {
        if let Ok(class) = ClassFile::parse(bytes) {
            drop(black_box(analyze(&class, AnalysisOptions::default(), &mut ids)));
        }
    });
    let mut statics = StaticFields::new();
    figures.rewrite = rewriting(set, rounds, &mut statics);
    figures.light = fastest(set, rounds, |bytes| drop(black_box(instrument_light(bytes, &mut statics))));
    let mut ids = ProbeIds::default();
    figures.full = fastest(set, rounds, |bytes| {
        drop(black_box(instrument_full(bytes, AnalysisOptions::default(), &mut ids, &mut statics)));
    });
    let mut ids = ProbeIds::default();
    for (_, bytes) in &set.classes {
        match instrument_full(bytes, AnalysisOptions::default(), &mut ids, &mut statics) {
            Ok(done) => {
                figures.bytes += bytes.len();
                figures.bytes_after += done.bytes.len();
                for method in done.map.skipped {
                    *figures.skipped.entry(method.reason.to_string()).or_default() += 1;
                }
            }
            Err(_) => figures.failed += 1,
        }
    }
    figures
}

/// The full set without the analysis that it rests on, which is fresh in the caches.
fn rewriting(set: &ClassSet, rounds: u32, statics: &mut StaticFields) -> Duration {
    let mut of_class = |bytes: &[u8], ids: &mut ProbeIds| {
        let class = ClassFile::parse(bytes).ok()?;
        let analysis = analyze(&class, AnalysisOptions::default(), ids).ok()?;
        let start = processor_time();
        let done = black_box(instrument_analyzed(&class, analysis, statics));
        let spent = processor_time().saturating_sub(start);
        drop(done);
        Some(spent)
    };
    let mut round = || {
        let mut ids = ProbeIds::default();
        set.classes.iter().filter_map(|(_, bytes)| of_class(bytes, &mut ids)).sum()
    };
    (0..rounds.max(1)).map(|_| round()).min().unwrap_or_default()
}

fn fastest(set: &ClassSet, rounds: u32, mut work: impl FnMut(&[u8])) -> Duration {
    let round = |_| {
        let start = processor_time();
        set.classes.iter().for_each(|(_, bytes)| work(bytes));
        processor_time().saturating_sub(start)
    };
    (0..rounds.max(1)).map(round).min().unwrap_or_default()
}

/// What this thread used: other load on the machine does not count.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

fn write(set: &ClassSet, folder: &Path) -> Result<()> {
    let (mut ids, mut statics) = (ProbeIds::default(), StaticFields::new());
    for (name, bytes) in &set.classes {
        let done = instrument_full(bytes, AnalysisOptions::default(), &mut ids, &mut statics)?;
        let path = folder.join(format!("{name}.class"));
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, done.bytes)?;
    }
    Ok(())
}

fn print_row(name: &str, figures: &Figures) {
    let per_class = |time: Duration| time.as_secs_f64() * 1e6 / figures.classes.max(1) as f64;
    println!(
        "{name:<32} {:>7} {:>7.2} {:>7.2} {:>7.2} {:>7.2} {:>7.2} {:>7.2}",
        figures.classes,
        per_class(figures.parse),
        per_class(figures.analyze),
        per_class(figures.rewrite),
        per_class(figures.full),
        per_class(figures.light),
        figures.bytes_after as f64 / figures.bytes.max(1) as f64,
    );
}

impl Figures {
    fn add(&mut self, other: Self) {
        self.classes += other.classes;
        self.bytes += other.bytes;
        self.bytes_after += other.bytes_after;
        self.parse += other.parse;
        self.analyze += other.analyze;
        self.rewrite += other.rewrite;
        self.full += other.full;
        self.light += other.light;
        self.failed += other.failed;
        for (reason, methods) in other.skipped {
            *self.skipped.entry(reason).or_default() += methods;
        }
    }
}
