//! Coverage and area under the curve of algorithms, or of other configurations of the search, each compared with one of them over the
//! same classes and seeds (Panichella et al. 2018, section 5). Budgets are executions, so that runs may stand side by side.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::File;

use anyhow::{Context as _, bail};
use clap::Parser;
use search::algorithm::ALGORITHMS;
use search::profiles::profile;
use statistics::{Comparison, holm, median};

use super::configuration::Configuration;
use super::delivered::Delivered;
use super::parts::{self, Parts};
use super::{Jdk, Results, SideBySide};
use crate::console::{parse, say};
use crate::options::Common;
use crate::tools::side_by_side;

/// Coverage of algorithms.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask measure algorithms")]
struct Options {
    #[command(flatten)]
    common: Common,

    #[command(flatten)]
    jdk: Jdk,

    #[command(flatten)]
    runs: SideBySide,

    /// Seeds.
    #[arg(long, value_delimiter = ',', default_value = "0,1,2,3,4,5,6,7,8,9")]
    seeds: Vec<u64>,

    /// The profile of a paper: its own criteria, and its algorithms unless others are named.
    #[arg(long)]
    profile: Option<String>,

    /// Algorithms [default: those of the profile; all without one].
    #[arg(long, value_delimiter = ',')]
    algorithms: Vec<String>,

    /// Configuration in place of algorithms (repeatable): its name, `=`, and words between blanks; a word with `=` is for `--set`, one
    /// without is the algorithm.
    #[arg(long = "configuration", conflicts_with = "algorithms")]
    configurations: Vec<Configuration>,

    /// The algorithm, or the configuration, that the others are compared with.
    #[arg(long, default_value = "dynamosa")]
    baseline: String,

    /// Criteria, as `generate` takes them [default: those of the profile; branch without one].
    #[arg(long)]
    criterion: Option<String>,

    /// The column of `statistics.csv` that is compared.
    #[arg(long, default_value = "BranchCoverage")]
    column: String,
}

/// What the statistics of a run say.
#[derive(Debug, Clone, PartialEq)]
struct Figures {
    /// In percent.
    coverage: f64,
    /// Area under the curve of all criteria over executions, in percent.
    area: f64,
    tests: f64,
    statements: f64,
    generations: f64,
    milliseconds: f64,
}

/// A run of the measurement.
#[derive(Debug, Clone)]
struct Row {
    class: String,
    configuration: String,
    seed: u64,
    code: String,
    /// `None` if the run left no statistics.
    figures: Option<Figures>,
    parts: Parts,
}

const COLUMNS: &str =
    "class,configuration,seed,exit_code,coverage,area_under_curve,tests,statements,generations,milliseconds";

impl Row {
    fn cells(&self) -> Vec<String> {
        let figures = self.figures.as_ref();
        let cell = |of: fn(&Figures) -> f64| figures.map_or_else(String::new, |it| format!("{:.3}", of(it)));
        vec![
            self.class.clone(),
            self.configuration.clone(),
            self.seed.to_string(),
            self.code.clone(),
            cell(|figures| figures.coverage),
            cell(|figures| figures.area),
            cell(|figures| figures.tests),
            cell(|figures| figures.statements),
            cell(|figures| figures.generations),
            cell(|figures| figures.milliseconds),
        ]
    }

    fn cells_of_parts(&self) -> Vec<Vec<String>> {
        self.parts.cells(&[self.class.clone(), self.configuration.clone(), self.seed.to_string()])
    }
}

impl Options {
    /// Configurations and criteria as they were asked for, or else those of the profile.
    fn complete(mut self) -> anyhow::Result<Self> {
        let profile = self.profile.as_deref().map(profile).transpose()?;
        if self.configurations.is_empty() {
            let own: Vec<&str> = match profile {
                Some(profile) => profile.algorithms.to_vec(),
                None => ALGORITHMS.iter().map(|row| row.name).collect(),
            };
            let asked: Vec<&str> = self.algorithms.iter().map(String::as_str).collect();
            let names = if asked.is_empty() { own } else { asked };
            self.configurations = names.into_iter().map(Configuration::of_algorithm).collect();
        }
        let criteria =
            profile.map_or_else(|| "branch".to_owned(), |profile| profile.own_criteria().join(","));
        self.criterion.get_or_insert(criteria);
        Ok(self)
    }

    /// Words for `covolve generate` that all runs have.
    fn words(&self) -> Vec<OsString> {
        let profile = self.profile.iter().flat_map(|profile| ["--profile", profile.as_str()]);
        let criterion = self.criterion.iter().flat_map(|criterion| ["--criterion", criterion.as_str()]);
        let own = profile.chain(criterion).map(OsString::from);
        own.chain(self.jdk.words()).chain(self.common.more.iter().map(OsString::from)).collect()
    }
}

pub(super) fn run(words: &[String]) -> anyhow::Result<()> {
    let Some(options) = parse::<Options>(words)? else { return Ok(()) };
    let options = options.complete()?;
    if options.configurations.iter().all(|configuration| configuration.name != options.baseline) {
        bail!("--baseline {} is none of what is compared", options.baseline);
    }
    let subjects = options.common.list.read()?;
    let covolve = options.common.covolve.file()?;
    let results = Results::new(&options.common, "algorithms", words, &options.jdk.java())?;
    let mut table = results.table("raw", COLUMNS)?;
    let mut table_of_parts = results.table("parts", parts::COLUMNS)?;
    let mut rows = Vec::new();
    for (number, subject) in subjects.iter().enumerate() {
        say(&format!("{}/{} {}", number + 1, subjects.len(), subject.class));
        let items: Vec<(&Configuration, u64)> = (options.configurations.iter())
            .flat_map(|configuration| options.seeds.iter().map(move |seed| (configuration, *seed)))
            .collect();
        let runs = side_by_side(options.runs.jobs, &items, |(configuration, seed)| {
            let ran = Delivered::run(|tests| {
                let mut command = subject.generate(&covolve, &options.runs.budget, *seed, tests);
                command.args(&configuration.words).args(["--jobs", "1", "--timeline"]);
                command.arg("--report").arg(tests.with_file_name("report")).args(options.words());
                command
            })?;
            let statistics = ran.tests().with_file_name("report").join("statistics.csv");
            let figures = match File::open(statistics) {
                Ok(file) => figures(file, &options.column)?,
                Err(_) => None,
            };
            anyhow::Ok((ran.code.clone(), figures, Parts::of(&ran.report)?))
        });
        for ((configuration, seed), run) in items.into_iter().zip(runs) {
            let (code, figures, parts) = run?;
            let (class, configuration) = (subject.class.clone(), configuration.name.clone());
            let row = Row { class, configuration, seed, code, figures, parts };
            table.row(&row.cells())?;
            row.cells_of_parts().iter().try_for_each(|cells| table_of_parts.row(cells))?;
            rows.push(row);
        }
        results.summarize(&summary(&rows, &options))?;
    }
    results.finish(&summary(&rows, &options))
}

/// The figures of the last row of a `statistics.csv`; none where the class came to no search, and has no row.
fn figures(file: impl std::io::Read, column: &str) -> anyhow::Result<Option<Figures>> {
    let mut reader = csv::Reader::from_reader(file);
    let header = reader.headers()?.clone();
    let Some(row) = reader.records().last().transpose()? else { return Ok(None) };
    let number = |column: &str| -> anyhow::Result<f64> {
        let place = header.iter().position(|known| known == column);
        let cell = place.and_then(|place| row.get(place)).with_context(|| format!("no column {column}"))?;
        cell.parse().with_context(|| format!("no number in column {column}: {cell}"))
    };
    let timeline: Vec<f64> = (header.iter())
        .filter(|name| name.starts_with("CoverageTimeline_T"))
        .map(number)
        .collect::<anyhow::Result<_>>()?;
    Ok(Some(Figures {
        coverage: 100.0 * number(column)?,
        area: 100.0 * area(&timeline),
        tests: number("Size")?,
        statements: number("Length")?,
        generations: number("Generations")?,
        milliseconds: number("Total_Time")?,
    }))
}

/// The mean of a curve from 0 through points at equal distances (Panichella et al. 2018, Equation 10).
fn area(points: &[f64]) -> f64 {
    let before = std::iter::once(&0.0).chain(points);
    before.zip(points).map(|(from, to)| f64::midpoint(*from, *to)).sum::<f64>() / points.len().max(1) as f64
}

/// A figure of a run.
type Figure = fn(&Figures) -> f64;

/// Comparisons of a configuration with the baseline, class by class: A12 and p.
#[derive(Debug, Default, PartialEq)]
struct Compared(Vec<(f64, f64)>);

impl Compared {
    /// The mean of A12, then how many classes are better and how many are worse: all, those with p < 0.05, and those of them where that
    /// holds with Holm's correction over the classes.
    fn cells(&self) -> String {
        let (a12, p): (Vec<f64>, Vec<f64>) = self.0.iter().copied().unzip();
        let corrected = holm(&p);
        let classes = |is_meant: &dyn Fn(f64) -> bool| {
            let meant = || (0..a12.len()).filter(|&class| is_meant(a12[class]));
            let [all, surely, corrected] = [
                meant().count(),
                meant().filter(|&class| p[class] < 0.05).count(),
                meant().filter(|&class| corrected[class] < 0.05).count(),
            ];
            format!("{all} ({surely}, {corrected})")
        };
        format!("{:.2} | {} / {}", mean(&a12), classes(&|a12| a12 > 0.5), classes(&|a12| a12 < 0.5))
    }
}

/// The runs of each class, and of each configuration there.
struct Samples<'a>(BTreeMap<&'a str, BTreeMap<&'a str, Vec<&'a Figures>>>);

impl<'a> Samples<'a> {
    fn new(rows: &'a [Row]) -> Self {
        let mut classes = BTreeMap::<_, BTreeMap<_, Vec<_>>>::new();
        for row in rows {
            let Some(figures) = &row.figures else { continue };
            classes.entry(&*row.class).or_default().entry(&*row.configuration).or_default().push(figures);
        }
        Self(classes)
    }

    /// The figure in all runs of a configuration, class by class.
    fn of(&self, configuration: &str, figure: Figure) -> Vec<Vec<f64>> {
        let runs = self.0.values().filter_map(|configurations| configurations.get(configuration));
        runs.map(|runs| runs.iter().map(|run| figure(run)).collect()).collect()
    }

    fn compare(&self, configuration: &str, baseline: &str, figure: Figure) -> Compared {
        let mut compared = Compared::default();
        for configurations in self.0.values() {
            let (Some(own), Some(other)) = (configurations.get(configuration), configurations.get(baseline))
            else {
                continue;
            };
            let sample = |runs: &[&Figures]| runs.iter().map(|run| figure(run)).collect::<Vec<f64>>();
            let comparison = Comparison::new(&sample(own), &sample(other));
            compared.0.push((comparison.a12, comparison.p));
        }
        compared
    }
}

fn mean(figures: &[f64]) -> f64 {
    figures.iter().sum::<f64>() / figures.len().max(1) as f64
}

fn summary(rows: &[Row], options: &Options) -> String {
    let samples = Samples::new(rows);
    let Options { baseline, column, .. } = options;
    let failed = rows.iter().filter(|row| row.code != "0").count();
    let mut text = format!(
        "{} runs over {} classes, {failed} of them ended with an exit code other than 0. Coverage is `{column}` of the delivered \
         file as covolve counts it, in percent; the area under the curve is that of the search. A12 is the mean over classes of \
         that against `{baseline}`; a class is better above one half, in parentheses those with p < 0.05 (Mann-Whitney, two \
         sided), and those that stay with Holm's correction over the classes.\n\n",
        rows.len(),
        samples.0.len(),
    );
    if options.configurations.iter().any(|configuration| configuration.words.len() > 2) {
        text.extend(options.configurations.iter().map(Configuration::item));
        text.push('\n');
    }
    text += "| configuration | coverage | mean of medians | A12 | better / worse | area | A12 | better / worse | tests | statements |\n";
    let _ = writeln!(text, "| --- |{}", " ---: |".repeat(9));
    let mut ordered: Vec<(&String, f64)> = (options.configurations.iter())
        .map(|configuration| {
            (&configuration.name, mean(&samples.of(&configuration.name, |run| run.coverage).concat()))
        })
        .collect();
    ordered.sort_by(|(_, first), (_, second)| second.total_cmp(first));
    for (configuration, coverage) in &ordered {
        let of = |figure: Figure| samples.of(configuration, figure);
        let medians: Vec<f64> = of(|run| run.coverage).iter().map(|runs| median(runs)).collect();
        let compared = |figure: Figure| samples.compare(configuration, baseline, figure).cells();
        let _ = writeln!(
            text,
            "| `{configuration}` | {coverage:.2} | {:.2} | {} | {:.2} | {} | {:.1} | {:.0} |",
            mean(&medians),
            compared(|run| run.coverage),
            mean(&of(|run| run.area).concat()),
            compared(|run| run.area),
            mean(&of(|run| run.tests).concat()),
            mean(&of(|run| run.statements).concat()),
        );
    }
    text += "\nMedians of coverage:\n\n| class |";
    for (configuration, _) in &ordered {
        let _ = write!(text, " `{configuration}` |");
    }
    let _ = writeln!(text, "\n| --- |{}", " ---: |".repeat(ordered.len()));
    for (class, configurations) in &samples.0 {
        let _ = write!(text, "| {} |", class.rsplit('.').next().unwrap_or_default());
        for (configuration, _) in &ordered {
            let runs = configurations.get(configuration.as_str());
            let coverage = |runs: &Vec<&Figures>| {
                format!("{:.1}", median(&runs.iter().map(|run| run.coverage).collect::<Vec<_>>()))
            };
            let _ = write!(text, " {} |", runs.map_or_else(|| "-".to_owned(), coverage));
        }
        text.push('\n');
    }
    text += &parts::summary(rows.iter().map(|row| (row.configuration.as_str(), &row.parts)));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(class: &str, configuration: &str, seed: u64, coverage: f64) -> Row {
        let figures = Figures {
            coverage,
            area: 50.0,
            tests: 4.0,
            statements: 9.0,
            generations: 1.0,
            milliseconds: 1.0,
        };
        Row {
            class: class.to_owned(),
            configuration: configuration.to_owned(),
            seed,
            code: "0".to_owned(),
            figures: Some(figures),
            parts: Parts::default(),
        }
    }

    #[test]
    fn algorithms_are_compared_class_by_class() {
        let mut rows = Vec::new();
        for seed in 0..5_u32 {
            let noise = f64::from(seed) / 10.0;
            for (class, algorithm, coverage) in
                [("p.A", "x", 80.0), ("p.A", "base", 60.0), ("p.B", "x", 50.0), ("p.B", "base", 50.0)]
            {
                rows.push(row(class, algorithm, u64::from(seed), coverage + noise));
            }
        }
        rows.push(Row { figures: None, code: "2".to_owned(), ..row("p.B", "x", 9, 0.0) });
        let words =
            ["", "--what", "w", "--subjects", "s.csv", "--algorithms", "base,x", "--baseline", "base"];
        let text = summary(&rows, &Options::try_parse_from(words).unwrap().complete().unwrap());
        for expected in [
            "21 runs over 2 classes, 1 of them",
            "| `x` | 65.20 | 65.20 | 0.75 | 1 (1, 1) / 0 (0, 0) | 50.00 | 0.50 | 0 (0, 0) / 0 (0, 0) | 4.0 | 9 |",
            "| `base` | 55.20 |",
            "| class | `x` | `base` |",
            "| A | 80.2 | 60.2 |",
        ] {
            assert!(text.contains(expected), "{expected}: {text}");
        }
    }

    #[test]
    fn a_profile_brings_its_algorithms_and_criteria() {
        let completed = |more: &[&str]| {
            let words = ["", "--what", "w", "--subjects", "s.csv"];
            let options = Options::try_parse_from(words.iter().chain(more)).unwrap().complete().unwrap();
            let words = options.words().into_iter().map(|word| word.into_string().unwrap());
            let names: Vec<&str> = options.configurations.iter().map(|it| it.name.as_str()).collect();
            (names.join(","), words.collect::<Vec<String>>().join(" "))
        };
        let (all, words) = completed(&[]);
        assert_eq!((all.split(',').count(), words.as_str()), (ALGORITHMS.len(), "--criterion branch"));
        let seven = "branch,line,weak-mutation,method,input,output,exception";
        let of_003 =
            ("adynamosa,dynamosa,random".to_owned(), format!("--profile paper-003 --criterion {seven}"));
        assert_eq!(completed(&["--profile", "paper-003"]), of_003);
        let own =
            completed(&["--profile", "paper-004", "--criterion", "statement", "--algorithms", "mosa,ws"]);
        assert_eq!(own, ("mosa,ws".to_owned(), "--profile paper-004 --criterion statement".to_owned()));
    }

    #[test]
    fn figures_are_those_of_the_last_row() {
        let text = "BranchCoverage,Size,Length,Generations,Total_Time,CoverageTimeline_T1,CoverageTimeline_T2\n\
                    0,0,0,0,0,0,0\n0.5,3,7,11,900,0.2,0.4\n";
        let expected = Figures {
            coverage: 50.0,
            area: 20.0,
            tests: 3.0,
            statements: 7.0,
            generations: 11.0,
            milliseconds: 900.0,
        };
        let read = figures(text.as_bytes(), "BranchCoverage").unwrap().unwrap();
        assert!((read.area - expected.area).abs() < 1e-9, "{read:?}");
        assert_eq!(Figures { area: expected.area, ..read }, expected);
        let header = text.split_inclusive('\n').next().unwrap_or_default();
        assert_eq!(figures(header.as_bytes(), "BranchCoverage").unwrap(), None, "no search, no row");
        assert!(figures(text.as_bytes(), "LineCoverage").unwrap_err().to_string().contains("LineCoverage"));
    }

    #[test]
    fn rows_have_a_cell_per_column() {
        assert_eq!(row("p.A", "x", 0, 1.0).cells().len(), COLUMNS.split(',').count());
    }
}
