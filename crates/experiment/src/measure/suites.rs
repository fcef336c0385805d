//! Run time and heap of delivered suites in fresh JVMs, `adynamosa` beside `dynamosa` (Grano et al. 2019, section 4.2): per
//! class and algorithm the suite of median branch coverage, and only classes on whose branch coverage the algorithms do not
//! differ significantly.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Parser;
use statistics::{Comparison, median};

use super::delivered::Delivered;
use super::{Jdk, Results, SideBySide};
use crate::console::{parse, say};
use crate::maven;
use crate::options::Common;
use crate::subject::Subject;
use crate::suites::Bench;
use crate::suites::fresh::{Costs, Total, totals};
use crate::tools::side_by_side;

/// The one that looks at performance, and what it is compared with.
const ALGORITHMS: [&str; 2] = ["adynamosa", "dynamosa"];

const PROFILE: &str = "paper-003";

/// Run time and heap of delivered suites.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask measure suites")]
struct Options {
    #[command(flatten)]
    common: Common,

    /// JDK that runs the suites.
    #[arg(long)]
    java_home: PathBuf,

    #[command(flatten)]
    runs: SideBySide,

    /// Seeds.
    #[arg(long, value_delimiter = ',', default_value = "0,1,2,3,4")]
    seeds: Vec<u64>,

    /// Fresh JVMs per suite.
    #[arg(long, default_value_t = 10)]
    jvms: usize,
}

/// A figure of a suite, one value per JVM.
struct Figure {
    name: &'static str,
    of: fn(&Total) -> f64,
}

const FIGURES: &[Figure] = &[
    Figure { name: "run time (ms)", of: |total| total.clock },
    Figure { name: "thread (ms)", of: |total| total.thread },
    Figure { name: "allocated (KiB)", of: |total| total.allocated },
    Figure { name: "heap (KiB)", of: |total| total.heap },
];

/// What an algorithm did to a class: all coverages, and what the suite of median coverage took.
#[derive(Debug, Clone, Default)]
struct Side {
    /// Branches covered, by seed.
    branches: Vec<f64>,
    /// Of the suite that was measured.
    seed: u64,
    tests: u64,
    statements: u64,
    /// By JVM.
    totals: Vec<Total>,
}

/// A class: both algorithms, in their order.
#[derive(Debug)]
struct Pair {
    class: String,
    sides: [Side; 2],
}

impl Pair {
    /// How branch coverage compares.
    fn coverage(&self) -> Comparison {
        let [first, second] = &self.sides;
        Comparison::new(&first.branches, &second.branches)
    }

    /// Whether suites of these algorithms may be compared at all.
    fn is_comparable(&self) -> bool {
        self.coverage().p >= 0.05
    }

    /// How a figure compares.
    fn compare(&self, figure: &Figure) -> Comparison {
        let [first, second] = &self.sides;
        let values = |side: &Side| side.totals.iter().map(figure.of).collect::<Vec<f64>>();
        Comparison::new(&values(first), &values(second))
    }
}

pub(super) fn run(words: &[String]) -> anyhow::Result<()> {
    let Some(options) = parse::<Options>(words)? else { return Ok(()) };
    let subjects = options.common.list.read()?;
    let covolve = options.common.covolve.file()?;
    let jdk = Jdk { java_home: Some(options.java_home.clone()) };
    let results = Results::new(&options.common, "suites", words, &jdk.java())?;
    let mut coverage =
        results.table("coverage", "class,algorithm,seed,exit_code,branches,covered,tests,statements")?;
    let mut raw = results.table(
        "raw",
        "class,algorithm,seed,jvm,run_time_ms,thread_ms,allocated_kib,heap_kib,replaced,failed",
    )?;
    let (mut pairs, mut without) = (Vec::new(), Vec::new());
    for (number, subject) in subjects.iter().enumerate() {
        say(&format!("{}/{} {}", number + 1, subjects.len(), subject.class));
        let items: Vec<(usize, u64)> = (0..ALGORITHMS.len())
            .flat_map(|side| options.seeds.iter().map(move |seed| (side, *seed)))
            .collect();
        let runs = side_by_side(options.runs.jobs, &items, |(side, seed)| {
            Delivered::run(|tests| {
                let mut command = subject.generate(&covolve, &options.runs.budget, *seed, tests);
                command.args(["--profile", PROFILE, "--algorithm", ALGORITHMS[*side], "--jobs", "1"]);
                command.args(jdk.words()).args(&options.common.more);
                command
            })
        });
        let runs: Vec<Delivered> = runs.into_iter().collect::<anyhow::Result<_>>()?;
        for ((side, seed), run) in items.iter().zip(&runs) {
            let figures = [run.criterion("branch").map(|(covered, _)| covered), Some(run.covered())];
            let counts = [run.count("tests"), run.count("statements")];
            let figures =
                figures.iter().chain(&counts).map(|figure| figure.map_or(String::new(), |f| f.to_string()));
            let first =
                [subject.class.clone(), ALGORITHMS[*side].to_owned(), seed.to_string(), run.code.clone()];
            coverage.row(&first.into_iter().chain(figures).collect::<Vec<String>>())?;
        }
        let Some(pair) = measure(subject, &options, &items, &runs)? else {
            without.push(subject.class.clone());
            continue;
        };
        for (side, algorithm) in pair.sides.iter().zip(ALGORITHMS) {
            for (jvm, total) in side.totals.iter().enumerate() {
                let mut cells =
                    vec![subject.class.clone(), algorithm.to_owned(), side.seed.to_string(), jvm.to_string()];
                cells.extend(FIGURES.iter().map(|figure| format!("{:.3}", (figure.of)(total))));
                cells.extend([total.replaced.to_string(), total.failed.to_string()]);
                raw.row(&cells)?;
            }
        }
        pairs.push(pair);
        results.summarize(&summary(&pairs, &without))?;
    }
    results.finish(&summary(&pairs, &without))
}

/// Runs the suites of median coverage in turns; `None` if an algorithm delivered none in some run.
fn measure(
    subject: &Subject,
    options: &Options,
    items: &[(usize, u64)],
    runs: &[Delivered],
) -> anyhow::Result<Option<Pair>> {
    let work = tempfile::tempdir()?;
    let class_path = maven::resolve(&subject.coordinates)?;
    let mut bench = Bench::new(&options.java_home, work.path(), &subject.class, &class_path)?;
    let mut pair = Pair { class: subject.class.clone(), sides: Default::default() };
    let mut suites = Vec::new();
    for (own, side) in pair.sides.iter_mut().enumerate() {
        let delivered: Option<Vec<(u64, u64, u64, &Delivered)>> = (items.iter().zip(runs))
            .filter(|((side, _), _)| *side == own)
            .map(|((_, seed), run)| Some((run.criterion("branch")?.0, run.covered(), *seed, run)))
            .collect();
        let Some(delivered) = delivered else { return Ok(None) };
        side.branches = delivered.iter().map(|(branches, ..)| *branches as f64).collect();
        let keys: Vec<(u64, u64, u64)> = delivered.iter().map(|(a, b, c, _)| (*a, *b, *c)).collect();
        let (_, _, seed, run) = delivered[middle(&keys).context("there is a seed")?];
        let Some(suite) = bench.add(&run.tests())? else { return Ok(None) };
        side.seed = seed;
        side.tests = run.count("tests").unwrap_or(0);
        side.statements = run.count("statements").unwrap_or(0);
        suites.push(suite);
    }
    if !pair.is_comparable() {
        return Ok(Some(pair));
    }
    bench.compile()?;
    bench.prepare_fresh()?;
    let mut costs: BTreeMap<usize, Vec<Costs>> = BTreeMap::new();
    // In turns, so that what else the machine does meets both.
    for _ in 0..options.jvms {
        for (own, suite) in suites.iter().enumerate() {
            costs.entry(own).or_default().push(bench.fresh(suite)?);
        }
    }
    for (own, costs) in costs {
        pair.sides[own].totals = totals(&costs);
    }
    Ok(Some(pair))
}

/// Where the median is; of an even number the lower one.
fn middle(keys: &[(u64, u64, u64)]) -> Option<usize> {
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by_key(|&number| keys[number]);
    order.get(keys.len().saturating_sub(1) / 2).copied()
}

fn summary(pairs: &[Pair], without: &[String]) -> String {
    let mut text = format!(
        "Of the tests of a suite together, in a fresh JVM: medians of {0} with `{1}`, those of `{2}` in parentheses; **bold** where \
         p < 0.05 in the Mann-Whitney U test over the JVMs, with A12 that `{1}` has more. Per class and algorithm the suite of \
         median branch coverage.\n\n| class | branches covered | tests | statements |",
        pairs.iter().flat_map(|pair| &pair.sides).map(|side| side.totals.len()).max().unwrap_or(0),
        ALGORITHMS[0],
        ALGORITHMS[1],
    );
    let comparable: Vec<&Pair> = pairs.iter().filter(|pair| pair.is_comparable()).collect();
    for figure in FIGURES {
        let _ = write!(text, " {} | change |", figure.name);
    }
    let _ = writeln!(text, "\n| --- |{}", " ---: |".repeat(3 + 2 * FIGURES.len()));
    for pair in &comparable {
        text += &line(pair);
    }
    text += "\n| | less | more | no significant difference | mean change | mean change where less | median change |\n";
    let _ = writeln!(text, "| --- |{}", " ---: |".repeat(6));
    for figure in FIGURES {
        let all: Vec<Comparison> = comparable.iter().map(|pair| pair.compare(figure)).collect();
        let less: Vec<&Comparison> = all.iter().filter(|comparison| comparison.is_smaller()).collect();
        let more = all.iter().filter(|comparison| comparison.is_larger()).count();
        let changes: Vec<f64> = all.iter().filter_map(change).collect();
        let where_less: Vec<f64> = less.iter().filter_map(|comparison| change(comparison)).collect();
        let _ = writeln!(
            text,
            "| {} | {} | {more} | {} | {} | {} | {} |",
            figure.name,
            less.len(),
            all.len() - less.len() - more,
            percent(mean(&changes)),
            percent(mean(&where_less)),
            percent((!changes.is_empty()).then(|| median(&changes))),
        );
    }
    let other: Vec<&str> =
        pairs.iter().filter(|pair| !pair.is_comparable()).map(|pair| pair.class.as_str()).collect();
    let _ = writeln!(text, "\nLeft out for a significant difference in branch coverage: {}.", list(&other));
    let without: Vec<&str> = without.iter().map(String::as_str).collect();
    let _ = writeln!(text, "\nLeft out because a run delivered no suite: {}.", list(&without));
    let totals = || pairs.iter().flat_map(|pair| &pair.sides).flat_map(|side| &side.totals);
    let _ = writeln!(
        text,
        "\nTests whose growth of the heap was replaced for a collection: {}; tests that failed: {}.",
        totals().map(|total| total.replaced).sum::<usize>(),
        totals().map(|total| total.failed).sum::<usize>()
    );
    text
}

fn line(pair: &Pair) -> String {
    let [first, second] = &pair.sides;
    let name = pair.class.rsplit('.').next().unwrap_or_default();
    let (covered, other) = pair.coverage().medians;
    let mut line = format!(
        "| {name} | {covered} ({other}) | {} ({}) | {} ({}) |",
        first.tests, second.tests, first.statements, second.statements
    );
    for figure in FIGURES {
        let comparison = pair.compare(figure);
        let (ours, theirs) = comparison.medians;
        let bold = if comparison.p < 0.05 { "**" } else { "" };
        let change = percent(change(&comparison));
        let _ = write!(line, " {ours:.1} ({theirs:.1}) | {bold}{change}{bold}, {:.2} |", comparison.a12);
    }
    line + "\n"
}

/// How much more the first has than the second, as a share of the second.
fn change(comparison: &Comparison) -> Option<f64> {
    let (ours, theirs) = comparison.medians;
    (theirs > 0.0).then(|| ours / theirs - 1.0)
}

fn mean(figures: &[f64]) -> Option<f64> {
    (!figures.is_empty()).then(|| figures.iter().sum::<f64>() / figures.len() as f64)
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{:+.1} %", 100.0 * share))
}

fn list(names: &[&str]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_suite_in_the_middle_is_measured() {
        let check = |keys: &[(u64, u64, u64)], expect: Option<usize>| assert_eq!(middle(keys), expect);
        check(&[(5, 0, 0), (1, 0, 1), (3, 0, 2)], Some(2));
        // Equal branches: by goals of all criteria, then by seed.
        check(&[(3, 9, 0), (3, 1, 1), (3, 4, 2)], Some(2));
        check(&[(3, 9, 0), (1, 1, 1)], Some(1));
        check(&[], None);
    }

    fn side(branches: f64, clocks: [f64; 5]) -> Side {
        let total = |clock| Total { clock, thread: 1.0, allocated: 0.0, heap: 2.0, replaced: 1, failed: 0 };
        Side { branches: vec![branches; 5], totals: clocks.map(total).to_vec(), ..Side::default() }
    }

    #[test]
    fn classes_that_differ_in_coverage_are_left_out() {
        let fast = [1.0, 1.1, 1.2, 1.3, 1.4];
        let slow = fast.map(|clock| 2.0 * clock);
        let pair = |class: &str, branches, clocks| Pair {
            class: class.to_owned(),
            sides: [side(branches, clocks), side(7.0, slow)],
        };
        let text = summary(&[pair("p.Same", 7.0, fast), pair("p.Other", 6.0, fast)], &["p.None".to_owned()]);
        for expect in [
            "| Same | 7 (7) |",
            " 1.2 (2.4) | **-50.0 %**, 0.00 |",
            "| run time (ms) | 1 | 0 | 0 | -50.0 % | -50.0 % | -50.0 % |",
            "| thread (ms) | 0 | 0 | 1 | +0.0 % | - | +0.0 % |",
            "| allocated (KiB) | 0 | 0 | 1 | - | - | - |",
            "branch coverage: p.Other.",
            "no suite: p.None.",
            "for a collection: 20;",
        ] {
            assert!(text.contains(expect), "{expect}: {text}");
        }
    }
}
