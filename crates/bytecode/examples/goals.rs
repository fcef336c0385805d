//! Counts the goals of classes, and compares them with a report of JaCoCo.
//!
//! ```text
//! cargo run --release -p bytecode --example goals -- <jar, folder or run-time image> [--class a.b.C]… [--all] [--report jacoco.xml]
//! ```
//!
//! Without `--class` it takes all classes; with it, it prints for each class and those nested in it the branches, the
//! lines summed over the classes, and the distinct lines, which JaCoCo counts for the source file. `--all` prints each class and method with its branches and lines. With `--report` it prints each method whose branches or lines differ from
//! the XML report, which JaCoCo's command line makes of the same classes without execution data:
//! `java -jar jacococli.jar report --classfiles <jar or folder> --xml jacoco.xml`.

#![expect(clippy::disallowed_methods, reason = "a tool: it reads files and takes the time")]
#![expect(clippy::print_stdout, reason = "a tool: it prints")]

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bytecode::access::Access;
use bytecode::analysis::{AnalysisOptions, ClassAnalysis, ProbeIds, analyze};
use bytecode::class_file::ClassFile;
use bytecode::jimage::JImage;
use bytecode::name::ClassName;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Branches and lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Counts {
    branches: usize,
    lines: usize,
}

/// Counts by class and by method (`name(I)V`); the class's own under the empty method.
type Totals = BTreeMap<(String, String), Counts>;

/// Lines by class.
type Lines = BTreeMap<String, BTreeSet<u32>>;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let mut path = None;
    let (mut classes, mut report, mut all) = (Vec::new(), None, false);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--class" => {
                classes.push(ClassName::from_binary(&arguments.next().ok_or("--class needs a name")?));
            }
            "--all" => all = true,
            "--report" => report = Some(PathBuf::from(arguments.next().ok_or("--report needs a file")?)),
            _ => path = Some(PathBuf::from(argument)),
        }
    }
    let files = class_files(&path.ok_or("which jar, folder or run-time image?")?)?;
    let files: Vec<_> = files
        .into_iter()
        .filter(|(name, _)| {
            let name = ClassName::new(name.as_str());
            classes.is_empty() || classes.iter().any(|class| name.is_in_nest_of(class))
        })
        .collect();
    let (totals, lines_by_class, summary) = count(&files);
    if let Some(report) = report {
        compare(&totals, &read_report(&std::fs::read_to_string(report)?), &files);
    }
    for ((class, method), counts) in totals.iter().filter(|_| all) {
        println!("{class} {method} {} {}", counts.branches, counts.lines);
    }
    for class in &classes {
        let nest = |name: &str| ClassName::new(name).is_in_nest_of(class);
        let own = totals.iter().filter(|((name, method), _)| method.is_empty() && nest(name));
        let (branches, lines) =
            own.fold((0, 0), |sum, (_, counts)| (sum.0 + counts.branches, sum.1 + counts.lines));
        let distinct: BTreeSet<u32> =
            lines_by_class.iter().filter(|it| nest(it.0)).flat_map(|it| it.1).copied().collect();
        println!("{},{branches},{lines},{}", class.binary(), distinct.len());
    }
    println!("{summary}");
    Ok(())
}

fn class_files(path: &Path) -> Result<Vec<(String, Vec<u8>)>> {
    let mut files = Vec::new();
    if path.is_dir() {
        folder(path, path, &mut files)?;
    } else if path.extension().is_some_and(|extension| extension == "jar") {
        let mut archive = zip::ZipArchive::new(File::open(path)?)?;
        for index in 0..archive.len() {
            let mut entry = archive.by_index(index)?;
            let Some(name) = entry.name()?.strip_suffix(".class").map(str::to_owned) else { continue };
            if name.starts_with("META-INF/") || name.ends_with("module-info") {
                continue;
            }
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes)?;
            files.push((name, bytes));
        }
    } else {
        let file = File::open(path)?;
        let read = |offset: u64, length: usize| {
            let mut bytes = vec![0; length];
            file.read_exact_at(&mut bytes, offset).map(|()| bytes)
        };
        let size = JImage::index_size(&read(0, JImage::HEADER)?)?;
        let image = JImage::parse(read(0, size)?)?;
        for (module, resource) in image.resources() {
            let Some(name) = resource.strip_suffix(".class") else { continue };
            if name.ends_with("module-info") {
                continue;
            }
            let bytes = image.resource(&format!("/{module}/{resource}"), &|range| {
                read(range.start, (range.end - range.start) as usize).ok()
            });
            files.extend(bytes.map(|bytes| (name.to_owned(), bytes)));
        }
    }
    files.sort();
    Ok(files)
}

fn folder(root: &Path, path: &Path, files: &mut Vec<(String, Vec<u8>)>) -> Result<()> {
    for entry in std::fs::read_dir(path)? {
        let path = entry?.path();
        if path.is_dir() {
            folder(root, &path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "class") {
            let name = path.strip_prefix(root)?.with_extension("");
            files.push((name.to_string_lossy().into_owned(), std::fs::read(&path)?));
        }
    }
    Ok(())
}

fn count(files: &[(String, Vec<u8>)]) -> (Totals, Lines, String) {
    let (mut totals, mut lines) = (Totals::new(), Lines::new());
    let (mut methods, mut skipped, mut evidence, mut most, mut blocks) = (0, 0, 0, (0, String::new()), 0);
    let mut longest = (Duration::ZERO, String::new());
    let mut ids = ProbeIds::default();
    let mut spent = Duration::ZERO;
    for (name, bytes) in files {
        let start = Instant::now();
        let class = match ClassFile::parse(bytes) {
            Ok(class) => class,
            Err(error) => {
                println!("{name}: {error}");
                continue;
            }
        };
        let analysis = match analyze(&class, AnalysisOptions::default(), &mut ids) {
            Ok(analysis) => analysis,
            Err(error) => {
                println!("{name}: {error}");
                continue;
            }
        };
        let time = start.elapsed();
        spent += time;
        longest = longest.max((time, name.clone()));
        methods += analysis.map.methods.len();
        for method in &analysis.map.skipped {
            println!("{name}.{}: {}", method.method, method.reason);
            skipped += 1;
        }
        let size = evidence_size(&analysis);
        evidence += size;
        most = most.max((size, name.clone()));
        blocks += analysis.placements.iter().map(|placement| placement.blocks.len()).sum::<usize>();
        if !Access(class.access).is_synthetic() {
            lines.insert(name.clone(), add(&analysis, &mut totals));
        }
    }
    let summary = format!(
        "{} classes, {methods} methods, {skipped} skipped, {} probes ({blocks} in straight-line code), {} outcomes\n\
         {:.1} µs a class, most {:?} for {}; {evidence} pieces of evidence, most {} for {}",
        files.len(),
        ids.probes,
        ids.outcomes,
        spent.as_secs_f64() * 1e6 / files.len().max(1) as f64,
        longest.0,
        longest.1,
        most.0,
        most.1,
    );
    (totals, lines, summary)
}

fn evidence_size(analysis: &ClassAnalysis) -> usize {
    let method = |method: &bytecode::probe_map::MethodProbes| {
        let lines: usize = method.lines.iter().map(|line| line.covered_by.len()).sum();
        let outcomes = method.branches.iter().flat_map(|branch| &branch.outcomes);
        lines + outcomes.map(|outcome| outcome.covered_by.len()).sum::<usize>()
    };
    analysis.map.methods.iter().map(method).sum()
}

/// Adds the counts of a class and returns its lines.
fn add(analysis: &ClassAnalysis, totals: &mut Totals) -> BTreeSet<u32> {
    let class = analysis.map.class.as_str().to_owned();
    let mut lines = BTreeSet::new();
    let mut all = Counts::default();
    for method in analysis.map.methods.iter().filter(|method| method.is_goal) {
        let outcomes = method.branches.iter().flat_map(|branch| &branch.outcomes);
        let branches = outcomes.filter(|outcome| outcome.is_goal).count();
        lines.extend(method.lines.iter().map(|line| line.number));
        all.branches += branches;
        let name = format!("{}{}", method.name, method.descriptor);
        totals.insert((class.clone(), name), Counts { branches, lines: method.lines.len() });
    }
    all.lines = lines.len();
    totals.insert((class, String::new()), all);
    lines
}

/// Reads the counters of classes and methods; the report has them as the last children of both.
fn read_report(xml: &str) -> Totals {
    let mut totals = Totals::new();
    let (mut class, mut method) = (String::new(), None);
    for element in xml.split('<') {
        let attribute = |name: &str| {
            let start = element.find(&format!(" {name}=\""))? + name.len() + 3;
            let value = element[start..].split('"').next()?;
            Some(value.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
        };
        match element.split([' ', '>']).next() {
            Some("class") if element.trim_end().ends_with("/>") => class.clear(),
            Some("class") => class = attribute("name").unwrap_or_default(),
            Some("method") => {
                method = Some(attribute("name").unwrap_or_default() + &attribute("desc").unwrap_or_default());
            }
            Some("/method") => method = None,
            Some("/class" | "/package") => class.clear(),
            Some("counter") if !class.is_empty() => {
                let number =
                    |name| attribute(name).and_then(|value| value.parse::<usize>().ok()).unwrap_or(0);
                let total = number("missed") + number("covered");
                let key = (class.clone(), method.clone().unwrap_or_default());
                let counts = totals.entry(key).or_default();
                match attribute("type").as_deref() {
                    Some("BRANCH") => counts.branches = total,
                    Some("LINE") => counts.lines = total,
                    _ => {}
                }
            }
            _ => {}
        }
    }
    totals
}

fn compare(ours: &Totals, theirs: &Totals, files: &[(String, Vec<u8>)]) {
    let names: BTreeSet<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    let (mut same, mut different) = (0, 0);
    let keys: BTreeSet<_> = ours.keys().chain(theirs.keys()).collect();
    for key in keys.into_iter().filter(|key| names.contains(key.0.as_str())) {
        let (ours, theirs) = (ours.get(key).copied(), theirs.get(key).copied());
        let (ours, theirs) = (ours.unwrap_or_default(), theirs.unwrap_or_default());
        if ours == theirs {
            same += usize::from(key.1.is_empty());
            continue;
        }
        different += usize::from(key.1.is_empty());
        println!(
            "{} {}: branches {} (JaCoCo {}), lines {} (JaCoCo {})",
            key.0, key.1, ours.branches, theirs.branches, ours.lines, theirs.lines
        );
    }
    println!("{same} classes as in the report, {different} not");
}
