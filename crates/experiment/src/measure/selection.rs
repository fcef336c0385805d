//! Coverage and size with `--goal-selection smart` beside `combine`, by algorithm and criterion, over classes with less than
//! 200 branches and with more (Zhou et al. 2023, sections 4.2 to 4.4).

use std::fmt::Write as _;

use clap::Parser;
use coverage::criteria::branch;
use coverage::criterion::CRITERIA;

use super::delivered::Delivered;
use super::{Jdk, Results, SideBySide};
use crate::console::{parse, say};
use crate::options::Common;
use crate::tools::side_by_side;

/// What is compared: the second with the first.
const SELECTIONS: [&str; 2] = ["combine", "smart"];

/// Coverage and size with smart selection.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask measure selection")]
struct Options {
    #[command(flatten)]
    common: Common,

    #[command(flatten)]
    jdk: Jdk,

    #[command(flatten)]
    runs: SideBySide,

    /// Seeds.
    #[arg(long, value_delimiter = ',', default_value = "0,1,2")]
    seeds: Vec<u64>,

    /// Algorithms.
    #[arg(long, value_delimiter = ',', default_value = "ws,mosa,dynamosa,auto")]
    algorithms: Vec<String>,

    /// A class with as many goals of branch coverage is a large one.
    #[arg(long, default_value_t = 200)]
    large: u64,
}

/// A run of the measurement.
#[derive(Debug, Clone, PartialEq)]
struct Row {
    class: String,
    algorithm: String,
    /// Into [`SELECTIONS`].
    selection: usize,
    seed: u64,
    code: String,
    tests: Option<u64>,
    statements: Option<u64>,
    /// Covered goals and all goals, by the order of [`CRITERIA`].
    criteria: Vec<Option<(u64, u64)>>,
}

impl Row {
    fn cells(&self) -> Vec<String> {
        let count = |count: Option<u64>| count.map_or_else(String::new, |count| count.to_string());
        let mut cells = vec![
            self.class.clone(),
            self.algorithm.clone(),
            SELECTIONS[self.selection].to_owned(),
            self.seed.to_string(),
            self.code.clone(),
            count(self.tests),
            count(self.statements),
        ];
        for criterion in &self.criteria {
            cells.extend([
                count(criterion.map(|(_, goals)| goals)),
                count(criterion.map(|(covered, _)| covered)),
            ]);
        }
        cells
    }

    /// What a line of the summary is about.
    fn figure(&self, figure: Figure) -> Option<f64> {
        match figure {
            Figure::Criterion(number) => {
                let (covered, goals) = (*self.criteria.get(number)?)?;
                // Goals that appear in runs have no total: their number counts, as in the paper.
                if CRITERIA[number].appears_in_runs() {
                    return Some(covered as f64);
                }
                (goals > 0).then(|| 100.0 * covered as f64 / goals as f64)
            }
            Figure::Tests => self.tests.map(|tests| tests as f64),
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Figure {
    /// Coverage in percent, or a count; by the order of [`CRITERIA`].
    Criterion(usize),
    /// Tests of the suite.
    Tests,
}

/// A line of the summary: means over classes, and how many classes have more and less with the second selection.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Compared {
    means: [f64; 2],
    better: usize,
    worse: usize,
}

pub(super) fn run(words: &[String]) -> anyhow::Result<()> {
    let Some(options) = parse::<Options>(words)? else { return Ok(()) };
    let subjects = options.common.list.read()?;
    let covolve = options.common.covolve.file()?;
    let results = Results::new(&options.common, "selection", words, &options.jdk.java())?;
    let columns: Vec<String> = CRITERIA
        .iter()
        .flat_map(|criterion| ["goals", "covered"].map(|figure| format!("{}_{figure}", criterion.name())))
        .collect();
    let mut table = results.table(
        "raw",
        &format!("class,algorithm,selection,seed,exit_code,tests,statements,{}", columns.join(",")),
    )?;
    let mut rows = Vec::new();
    for (number, subject) in subjects.iter().enumerate() {
        say(&format!("{}/{} {}", number + 1, subjects.len(), subject.class));
        let items: Vec<(&String, usize, u64)> = (options.algorithms.iter())
            .flat_map(|algorithm| (0..SELECTIONS.len()).map(move |selection| (algorithm, selection)))
            .flat_map(|(algorithm, selection)| {
                options.seeds.iter().map(move |seed| (algorithm, selection, *seed))
            })
            .collect();
        let runs = side_by_side(options.runs.jobs, &items, |(algorithm, selection, seed)| {
            Delivered::run(|tests| {
                let mut command = subject.generate(&covolve, &options.runs.budget, *seed, tests);
                command.args([
                    "--algorithm",
                    algorithm,
                    "--goal-selection",
                    SELECTIONS[*selection],
                    "--jobs",
                    "1",
                ]);
                command.args(options.jdk.words()).args(&options.common.more);
                command
            })
        });
        for ((algorithm, selection, seed), run) in items.into_iter().zip(runs) {
            let run = run?;
            let row = Row {
                class: subject.class.clone(),
                algorithm: algorithm.clone(),
                selection,
                seed,
                code: run.code.clone(),
                tests: run.count("tests"),
                statements: run.count("statements"),
                criteria: CRITERIA.iter().map(|criterion| run.criterion(criterion.name())).collect(),
            };
            table.row(&row.cells())?;
            rows.push(row);
        }
        results.summarize(&summary(&rows, &options))?;
    }
    results.finish(&summary(&rows, &options))
}

fn summary(rows: &[Row], options: &Options) -> String {
    let (large, small): (Vec<&Row>, Vec<&Row>) =
        rows.iter().partition(|row| branches(row, rows).is_some_and(|branches| branches >= options.large));
    let failed = rows.iter().filter(|row| row.code != "0").count();
    let mut text = format!(
        "Means over classes of the means over {} seeds: coverage in percent, triggered exceptions and tests as counts. A class is \
         better if its mean with `smart` is higher, however little; so few seeds allow no test of significance by class. \
         Of {} runs {failed} ended with an exit code other than 0.\n",
        options.seeds.len(),
        rows.len(),
    );
    for (about, rows) in [
        (format!("At least {} branches", options.large), large),
        (format!("Less than {} branches", options.large), small),
    ] {
        let mut classes: Vec<&str> =
            rows.iter().map(|row| row.class.rsplit('.').next().unwrap_or_default()).collect();
        classes.dedup();
        let _ = write!(text, "\n## {about}\n\n{} classes: {}.\n\n", classes.len(), classes.join(", "));
        text += "| algorithm | figure | combine | smart | difference | classes better | worse |\n";
        let _ = writeln!(text, "| --- | --- |{}", " ---: |".repeat(5));
        let figures = (0..CRITERIA.len()).map(Figure::Criterion).chain([Figure::Tests]);
        for (algorithm, figure) in options
            .algorithms
            .iter()
            .flat_map(|algorithm| figures.clone().map(move |figure| (algorithm, figure)))
        {
            let Some(Compared { means: [combine, smart], better, worse }) = compare(&rows, algorithm, figure)
            else {
                continue;
            };
            let name = match figure {
                Figure::Criterion(number) => CRITERIA[number].name(),
                Figure::Tests => "tests",
            };
            let _ = writeln!(
                text,
                "| {algorithm} | {name} | {combine:.2} | {smart:.2} | {:+.2} | {better} | {worse} |",
                smart - combine
            );
        }
    }
    text
}

/// Goals of branch coverage of the row's class, as any of its runs reports them.
fn branches(row: &Row, rows: &[Row]) -> Option<u64> {
    let branch = CRITERIA.iter().position(|criterion| criterion.name() == branch::NAME)?;
    let goals = |other: &Row| (*other.criteria.get(branch)?).map(|(_, goals)| goals);
    rows.iter().filter(|other| other.class == row.class).find_map(goals)
}

/// Compares the selections over the classes for which both have the figure; `None` if there are none.
fn compare(rows: &[&Row], algorithm: &str, figure: Figure) -> Option<Compared> {
    let mut classes: Vec<&str> = rows.iter().map(|row| row.class.as_str()).collect();
    classes.dedup();
    let mean = |class: &str, selection: usize| {
        let figures: Vec<f64> = (rows.iter())
            .filter(|row| row.class == class && row.algorithm == algorithm && row.selection == selection)
            .filter_map(|row| row.figure(figure))
            .collect();
        (!figures.is_empty()).then(|| figures.iter().sum::<f64>() / figures.len() as f64)
    };
    let pairs: Vec<(f64, f64)> =
        classes.iter().filter_map(|class| Some((mean(class, 0)?, mean(class, 1)?))).collect();
    if pairs.is_empty() {
        return None;
    }
    let over = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / pairs.len() as f64;
    Some(Compared {
        means: [over(|pair| pair.0), over(|pair| pair.1)],
        better: pairs.iter().filter(|(combine, smart)| smart > combine).count(),
        worse: pairs.iter().filter(|(combine, smart)| smart < combine).count(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `criteria` by name: covered and all.
    fn row(class: &str, selection: usize, seed: u64, criteria: &[(&str, u64, u64)]) -> Row {
        let of = |name: &str| criteria.iter().find(|(known, ..)| *known == name);
        Row {
            class: class.to_owned(),
            algorithm: "ws".to_owned(),
            selection,
            seed,
            code: "0".to_owned(),
            tests: Some(3 + seed),
            statements: None,
            criteria: CRITERIA
                .iter()
                .map(|criterion| of(criterion.name()).map(|(_, covered, goals)| (*covered, *goals)))
                .collect(),
        }
    }

    #[test]
    fn selections_are_compared_class_by_class() {
        let rows = [
            row("p.Large", 0, 0, &[("branch", 100, 400), ("exception", 3, 3)]),
            row("p.Large", 0, 1, &[("branch", 200, 400), ("exception", 5, 5)]),
            row("p.Large", 1, 0, &[("branch", 400, 400), ("exception", 3, 9)]),
            row("p.Small", 0, 0, &[("branch", 8, 10), ("line", 0, 0)]),
            row("p.Small", 1, 0, &[("branch", 7, 10)]),
        ];
        let words = ["", "--what", "x", "--subjects", "s.csv", "--algorithms", "ws,mosa"];
        let options = Options::try_parse_from(words).unwrap();
        assert_eq!(options.seeds, [0, 1, 2]);
        let text = summary(&rows, &options);
        let (large, small) = text.split_once("## Less than").unwrap();
        for (part, expect) in [
            (large, "| ws | branch | 37.50 | 100.00 | +62.50 | 1 | 0 |"),
            (large, "| ws | exception | 4.00 | 3.00 | -1.00 | 0 | 1 |"),
            (large, "| ws | tests | 3.50 | 3.00 | -0.50 | 0 | 1 |"),
            (small, "| ws | branch | 80.00 | 70.00 | -10.00 | 0 | 1 |"),
        ] {
            assert!(part.contains(expect), "{expect}: {text}");
        }
        assert!(!text.contains("| line |") && !text.contains("mosa"), "{text}");
    }

    #[test]
    fn rows_have_a_cell_per_column() {
        let row = row("p.C", 1, 2, &[("branch", 1, 4)]);
        assert_eq!(row.cells().len(), 7 + 2 * CRITERIA.len());
        assert_eq!(row.cells()[..9], ["p.C", "ws", "smart", "2", "0", "5", "", "4", "1"]);
    }
}
