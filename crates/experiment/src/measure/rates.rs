//! Tests a second of the search with the default criteria, beside those with fewer: what watching more goals costs. Nothing
//! else may run on the machine; the two runs of a class follow each other.

use std::fmt::Write as _;

use clap::Parser;

use super::delivered::Delivered;
use super::{Alone, Jdk, Results, quantile, shown};
use crate::console::{parse, say};
use crate::options::Common;

/// Tests a second.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask measure rates")]
struct Options {
    #[command(flatten)]
    common: Common,

    #[command(flatten)]
    jdk: Jdk,

    #[command(flatten)]
    runs: Alone,

    /// The criteria that the default ones are compared with, as `generate` takes them.
    #[arg(long, default_value = "branch")]
    criterion: String,
}

/// Tests a second of a class: with the default criteria, and with those they are compared with.
#[derive(Debug, Clone, PartialEq)]
struct Row {
    class: String,
    rates: [Option<f64>; 2],
}

impl Row {
    /// The share that is left; `None` if a run failed.
    fn share(&self) -> Option<f64> {
        let [default, other] = self.rates;
        default.zip(other.filter(|rate| *rate > 0.0)).map(|(default, other)| default / other)
    }
}

pub(super) fn run(words: &[String]) -> anyhow::Result<()> {
    let Some(options) = parse::<Options>(words)? else { return Ok(()) };
    let subjects = options.common.list.read()?;
    let covolve = options.common.covolve.file()?;
    let results = Results::new(&options.common, "rates", words, &options.jdk.java())?;
    let mut table = results
        .table("raw", "class,criteria,exit_code,executions,executions_per_second,search_seconds,tests")?;
    let mut rows = Vec::new();
    for (number, subject) in subjects.iter().enumerate() {
        say(&format!("{}/{} {}", number + 1, subjects.len(), subject.class));
        let mut rates = [None, None];
        for (rate, criteria) in rates.iter_mut().zip([None, Some(&options.criterion)]) {
            let run = Delivered::run(|tests| {
                let mut command = subject.generate(&covolve, &options.runs.budget, options.runs.seed, tests);
                command.args(["--jobs", "1"]).args(options.jdk.words()).args(&options.common.more);
                command.args(criteria.into_iter().flat_map(|criteria| ["--criterion", criteria]));
                command
            })?;
            *rate = run.figure("/executions_per_second");
            let cell = |figure: &str| run.figure(figure).map_or_else(String::new, |it| it.to_string());
            table.row(&[
                subject.class.clone(),
                criteria.map_or("default", String::as_str).replace(',', "+"),
                run.code.clone(),
                cell("/executions"),
                cell("/executions_per_second"),
                cell("/seconds/search"),
                cell("/tests"),
            ])?;
        }
        rows.push(Row { class: subject.class.clone(), rates });
        results.summarize(&summary(&rows, &options))?;
    }
    results.finish(&summary(&rows, &options))
}

fn summary(rows: &[Row], options: &Options) -> String {
    let Options { criterion, runs: Alone { budget, .. }, .. } = options;
    let shares: Vec<f64> = rows.iter().filter_map(Row::share).collect();
    let mut text = format!(
        "Median over {} of {} classes of tests a second with the default criteria / with `{criterion}`, {budget} each: {}; least \
         {}, lower quartile {}. Classes where the second search is over before the JVM is warm have shares above 1.\n\n\
         | class | default | `{criterion}` | share |\n| --- | ---: | ---: | ---: |\n",
        shares.len(),
        rows.len(),
        shown(quantile(&shares, 0.5)),
        shown(quantile(&shares, 0.0)),
        shown(quantile(&shares, 0.25)),
    );
    let mut ordered: Vec<&Row> = rows.iter().collect();
    ordered
        .sort_by(|one, other| one.share().partial_cmp(&other.share()).unwrap_or(std::cmp::Ordering::Equal));
    for row in ordered {
        let class = row.class.rsplit('.').next().unwrap_or_default();
        let [default, other] =
            row.rates.map(|rate| rate.map_or_else(|| "-".to_owned(), |rate| format!("{rate:.0}")));
        let _ = writeln!(text, "| {class} | {default} | {other} | {} |", shown(row.share()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_of_classes_that_have_both() {
        let row = |class: &str, rates| Row { class: class.to_owned(), rates };
        let rows = [
            row("p.Fast", [Some(90.0), Some(100.0)]),
            row("p.Slow", [Some(20.0), Some(100.0)]),
            row("p.Even", [Some(50.0), Some(100.0)]),
            row("p.Failed", [None, Some(100.0)]),
        ];
        let options = Options::try_parse_from(["", "--what", "x", "--subjects", "s.csv"]).unwrap();
        let text = summary(&rows, &options);
        assert!(text.starts_with("Median over 3 of 4 classes"), "{text}");
        assert!(text.contains("10s each: 0.50; least 0.20"), "{text}");
        let table: Vec<&str> = text.lines().skip(4).collect();
        let expected = [
            "| Failed | - | 100 | - |",
            "| Slow | 20 | 100 | 0.20 |",
            "| Even | 50 | 100 | 0.50 |",
            "| Fast | 90 | 100 | 0.90 |",
        ];
        assert_eq!(table, expected);
    }
}
