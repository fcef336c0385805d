//! How much of what can be covered a search covers, on the fixtures of values, of which it is known ([`crate::values`]): each
//! fixture with each configuration of local search and dynamic symbolic execution. Budgets are executions, so that runs may stand
//! side by side.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};
use clap::Parser;
use statistics::median;

use super::configuration::Configuration;
use super::delivered::Delivered;
use super::{Jdk, Results};
use crate::console::{parse, say};
use crate::options::{Covolve, ResultFolder};
use crate::tools::{java_home, side_by_side};
use crate::values::{self, Fixture};

/// Coverage of the fixtures of values.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask measure values")]
struct Options {
    #[command(flatten)]
    results: ResultFolder,

    #[command(flatten)]
    covolve: Covolve,

    #[command(flatten)]
    jdk: Jdk,

    /// Only fixtures whose name contains this.
    #[arg(long, default_value = "")]
    only: String,

    /// Configuration (repeatable): its name, `=`, and words between blanks; a word with `=` is for `--set`, one without is the
    /// algorithm.
    #[arg(long = "configuration", default_values = ["plain=auto local-search-rate=0", "local=auto local-search-rate=1"])]
    configurations: Vec<Configuration>,

    /// Budget, as `generate` takes it.
    #[arg(long, default_value = "20000executions")]
    budget: String,

    /// Seeds.
    #[arg(long, value_delimiter = ',', default_value = "0,1,2")]
    seeds: Vec<u64>,

    /// Runs of `generate` side by side.
    #[arg(long, default_value_t = 1)]
    jobs: usize,

    /// More words for `covolve generate`.
    #[arg(last = true)]
    more: Vec<String>,
}

/// An outcome that a run left open.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Open {
    line: u32,
    /// In a sentence.
    goal: String,
    /// `open`, or `lost` if only the delivered file does not cover it.
    status: String,
    /// As in the JSON report.
    reason: String,
}

/// What a run covered of the outcomes that some input takes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Outcomes {
    coverable: usize,
    open: Vec<Open>,
    /// Outcomes, in sentences, that were covered though they are marked as impossible.
    refuted: Vec<String>,
}

impl Outcomes {
    fn covered(&self) -> usize {
        self.coverable - self.open.len()
    }
}

/// A run of the measurement.
#[derive(Debug, Clone)]
struct Row {
    /// Into the fixtures.
    fixture: usize,
    /// Into the configurations.
    configuration: usize,
    seed: u64,
    code: String,
    /// `None` if the run left no table of goals.
    outcomes: Option<Outcomes>,
    executions: Option<u64>,
    seconds: Option<f64>,
}

pub(super) fn run(words: &[String]) -> anyhow::Result<()> {
    let Some(options) = parse::<Options>(words)? else { return Ok(()) };
    let fixtures = values::read(&options.only)?;
    let covolve = options.covolve.file()?;
    let classes = tempfile::tempdir()?;
    values::compile(&java_home(options.jdk.java_home.as_deref())?, &fixtures, false, classes.path())?;
    let results = Results::in_folder(&options.results, "values", words, &options.jdk.java())?;
    let mut raw =
        results.table("raw", "fixture,configuration,seed,exit_code,coverable,covered,executions,seconds")?;
    let mut open = results.table("open", "fixture,configuration,seed,line,status,reason,goal,source")?;
    let mut rows = Vec::new();
    for (number, fixture) in fixtures.iter().enumerate() {
        say(&format!("{}/{} {}", number + 1, fixtures.len(), fixture.name));
        let items: Vec<(usize, u64)> = (0..options.configurations.len())
            .flat_map(|configuration| options.seeds.iter().map(move |seed| (configuration, *seed)))
            .collect();
        let runs = side_by_side(options.jobs, &items, |(configuration, seed)| {
            let configuration = &options.configurations[*configuration];
            let ran = Delivered::run(|tests| {
                let mut command = options.generate(&covolve, classes.path(), fixture, configuration, tests);
                command.args(["--seed", &seed.to_string()]);
                command
            })?;
            let goals = File::open(report_of(&ran.tests()).join("goals.csv")).ok();
            let outcomes = goals.map(|file| outcomes(file, fixture)).transpose()?;
            anyhow::Ok((ran, outcomes))
        });
        for ((configuration, seed), run) in items.into_iter().zip(runs) {
            let (ran, outcomes) = run?;
            let (executions, seconds) = (ran.count("executions"), ran.figure("/seconds/total"));
            let row = Row {
                fixture: number,
                configuration,
                seed,
                code: ran.code.clone(),
                outcomes,
                executions,
                seconds,
            };
            raw.row(&row.cells(fixture, &options.configurations[configuration]))?;
            for cells in row.open_cells(fixture, &options.configurations[configuration]) {
                open.row(&cells)?;
            }
            rows.push(row);
        }
        results.summarize(&summary(&rows, &fixtures, &options.configurations))?;
    }
    results.finish(&summary(&rows, &fixtures, &options.configurations))
}

impl Options {
    fn generate(
        &self,
        covolve: &Path,
        classes: &Path,
        fixture: &Fixture,
        configuration: &Configuration,
        tests: &Path,
    ) -> Command {
        let mut command = Command::new(covolve);
        command.args(["generate", "--class", &fixture.class(), "--cp"]).arg(classes);
        command.args(["--criterion", "branch", "--budget", &self.budget, "--jobs", "1", "--json", "--out"]);
        command.arg(tests).arg("--report").arg(report_of(tests));
        command.args(&configuration.words).args(self.jdk.words()).args(&self.more).stdin(Stdio::null());
        command
    }
}

/// Where a run has its tables, beside its tests.
fn report_of(tests: &Path) -> PathBuf {
    tests.with_file_name("report")
}

/// What a `goals.csv` says of the outcomes of a fixture.
fn outcomes(goals: impl std::io::Read, fixture: &Fixture) -> anyhow::Result<Outcomes> {
    let mut reader = csv::Reader::from_reader(goals);
    let header = reader.headers()?.clone();
    let column = |name: &str| {
        header.iter().position(|known| known == name).with_context(|| format!("there is no column {name}"))
    };
    let columns = (column("id")?, column("goal")?, column("line")?, column("status")?, column("reason")?);
    let mut outcomes = Outcomes::default();
    for row in reader.records() {
        let row = row?;
        let cell = |column: usize| row.get(column).unwrap_or_default().to_owned();
        let line = cell(columns.2).parse().unwrap_or(0);
        let (goal, status) = (cell(columns.1), cell(columns.3));
        let covered = match status.as_str() {
            "covered" => true,
            "lost" | "open" => false,
            other => bail!("{other} is no status of a goal"),
        };
        if fixture.is_never(line, &cell(columns.0)) {
            if status != "open" {
                outcomes.refuted.push(goal);
            }
            continue;
        }
        outcomes.coverable += 1;
        if !covered {
            outcomes.open.push(Open { line, goal, status, reason: cell(columns.4) });
        }
    }
    Ok(outcomes)
}

impl Row {
    fn cells(&self, fixture: &Fixture, configuration: &Configuration) -> Vec<String> {
        let count = |of: fn(&Outcomes) -> usize| self.outcomes.as_ref().map(|it| of(it).to_string());
        vec![
            fixture.name.clone(),
            configuration.name.clone(),
            self.seed.to_string(),
            self.code.clone(),
            count(|outcomes| outcomes.coverable).unwrap_or_default(),
            count(Outcomes::covered).unwrap_or_default(),
            self.executions.map_or_else(String::new, |count| count.to_string()),
            self.seconds.map_or_else(String::new, |seconds| format!("{seconds:.3}")),
        ]
    }

    fn open_cells(&self, fixture: &Fixture, configuration: &Configuration) -> Vec<Vec<String>> {
        let open = self.outcomes.iter().flat_map(|outcomes| &outcomes.open);
        let cells = |open: &Open| {
            vec![
                fixture.name.clone(),
                configuration.name.clone(),
                self.seed.to_string(),
                open.line.to_string(),
                open.status.clone(),
                open.reason.clone(),
                open.goal.clone(),
                fixture.source(open.line).to_owned(),
            ]
        };
        open.map(cells).collect()
    }
}

/// The median over seeds of what was covered; `None` without a run that left its goals.
fn median_covered(rows: &[Row], fixture: usize, configuration: usize) -> Option<f64> {
    let own = rows.iter().filter(|row| (row.fixture, row.configuration) == (fixture, configuration));
    let sample: Vec<f64> =
        own.filter_map(|row| row.outcomes.as_ref()).map(|outcomes| outcomes.covered() as f64).collect();
    (!sample.is_empty()).then(|| median(&sample))
}

fn summary(rows: &[Row], fixtures: &[Fixture], configurations: &[Configuration]) -> String {
    let failed = rows.iter().filter(|row| row.code != "0").count();
    let mut text = format!(
        "Outcomes of branches that the delivered file covers, of those that some input takes: medians over seeds. {failed} of {} \
         runs ended with an exit code other than 0.\n\n",
        rows.len(),
    );
    for configuration in configurations {
        text += &configuration.item();
    }
    text += "\n| fixture | coverable |";
    for configuration in configurations {
        let _ = write!(text, " {} |", configuration.name);
    }
    let _ = writeln!(text, "\n| --- |{}", " ---: |".repeat(configurations.len() + 1));
    let mut totals = vec![0.0; configurations.len() + 1];
    for (number, fixture) in fixtures.iter().enumerate() {
        let mut of_fixture = rows.iter().filter(|row| row.fixture == number);
        let Some(coverable) = of_fixture.find_map(|row| Some(row.outcomes.as_ref()?.coverable)) else {
            continue;
        };
        let _ = write!(text, "| {} | {coverable} |", fixture.name);
        totals[0] += coverable as f64;
        for (total, configuration) in totals[1..].iter_mut().zip(0..) {
            let covered = median_covered(rows, number, configuration);
            *total += covered.unwrap_or(0.0);
            let _ = write!(text, " {} |", covered.map_or_else(|| "-".to_owned(), |it| it.to_string()));
        }
        text.push('\n');
    }
    let totals: Vec<String> = totals.iter().map(|total| format!(" {total} |")).collect();
    let _ = writeln!(text, "| all |{}", totals.concat());
    text += &open_summary(rows, fixtures, configurations);
    text
}

/// The outcomes that some run left open, with the number of these runs by configuration, and those that refute a mark.
fn open_summary(rows: &[Row], fixtures: &[Fixture], configurations: &[Configuration]) -> String {
    let mut open = BTreeMap::<(usize, u32, &str), Vec<usize>>::new();
    let mut text = String::new();
    for row in rows {
        let Some(outcomes) = &row.outcomes else { continue };
        for goal in &outcomes.open {
            let runs = open.entry((row.fixture, goal.line, &goal.goal));
            runs.or_insert_with(|| vec![0; configurations.len()])[row.configuration] += 1;
        }
        for goal in &outcomes.refuted {
            let _ = writeln!(text, "\nMarked as impossible, and covered: {goal}");
        }
    }
    if open.is_empty() {
        return text;
    }
    text += "\nOutcomes that stayed open, and in how many runs:\n\n| outcome | source |";
    for configuration in configurations {
        let _ = write!(text, " {} |", configuration.name);
    }
    let _ = writeln!(text, "\n| --- | --- |{}", " ---: |".repeat(configurations.len()));
    for ((fixture, line, goal), runs) in open {
        let source = fixtures[fixture].source(line).replace('|', "\\|");
        let runs: Vec<String> = runs.iter().map(|runs| format!(" {runs} |")).collect();
        let _ = writeln!(text, "| {goal} | `{source}` |{}", runs.concat());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixture() -> Fixture {
        let lines =
            ["package values;", "if (a || b) {", "if (c) { // never: true"].map(str::to_owned).to_vec();
        let never = vec![values::Never { line: 3, value: true }];
        Fixture { name: "Some".to_owned(), lines, never }
    }

    const GOALS: &str = "id,goal,line,status,reason\n\
        branch values/Some#a()V@1:0,two jumps,2,covered,\n\
        branch values/Some#a()V@1:1,two does not jump,2,open,budget\n\
        branch values/Some#a()V@5:0,three jumps,3,lost,lost\n\
        branch values/Some#a()V@5:1,three does not jump,3,open,no_value\n\
        branch values/Some#b()V@entry,b is entered,,covered,\n";

    #[test]
    fn what_no_input_takes_is_not_asked_for() {
        let outcomes = outcomes(GOALS.as_bytes(), &fixture()).unwrap();
        assert_eq!((outcomes.coverable, outcomes.covered()), (4, 2));
        let open: Vec<(u32, &str)> =
            outcomes.open.iter().map(|open| (open.line, open.status.as_str())).collect();
        assert_eq!(open, [(2, "open"), (3, "lost")]);
        assert!(outcomes.refuted.is_empty());
    }

    #[test]
    fn a_mark_is_refuted_by_a_run_that_takes_it() {
        let goals = GOALS.replace("3,open,no_value", "3,covered,");
        assert_eq!(outcomes(goals.as_bytes(), &fixture()).unwrap().refuted, ["three does not jump"]);
        assert!(outcomes("id,goal\n".as_bytes(), &fixture()).is_err());
    }

    #[test]
    fn medians_are_over_seeds_and_open_outcomes_are_counted() {
        let configurations: Vec<Configuration> =
            ["plain=auto", "local=auto"].iter().map(|text| text.parse().unwrap()).collect();
        let open = |line: u32| Open {
            line,
            goal: format!("line {line}"),
            status: "open".to_owned(),
            reason: String::new(),
        };
        let row = |configuration: usize, lines: &[u32]| Row {
            fixture: 0,
            configuration,
            seed: 0,
            code: "0".to_owned(),
            outcomes: Some(Outcomes {
                coverable: 4,
                open: lines.iter().map(|line| open(*line)).collect(),
                refuted: Vec::new(),
            }),
            executions: None,
            seconds: None,
        };
        let rows = [row(0, &[2, 3]), row(0, &[2]), row(0, &[2]), row(1, &[])];
        let text = summary(&rows, &[fixture()], &configurations);
        assert!(text.contains("| Some | 4 | 3 | 4 |\n| all | 4 | 3 | 4 |"), "{text}");
        assert!(text.contains("| line 2 | `if (a \\|\\| b) {` | 3 | 0 |"), "{text}");
        assert!(text.contains("| line 3 | `if (c) { // never: true` | 1 | 0 |"), "{text}");
    }
}
