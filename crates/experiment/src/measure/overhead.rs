//! Seconds beside the search in a run over many small classes of one artifact.

use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::bail;
use clap::Parser;
use serde_json::Value;

use super::{Jdk, Results, quantile, shown, watch};
use crate::console::parse;
use crate::options::Common;
use crate::subject::Subject;

/// Seconds beside the search in runs over many classes. The subjects of the list that share the artifact of the first
/// are taken.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask measure overhead")]
struct Options {
    #[command(flatten)]
    common: Common,

    #[command(flatten)]
    jdk: Jdk,

    /// Classes at most.
    #[arg(long, default_value_t = 100)]
    classes: usize,

    /// Budget of each class, as `generate` takes it.
    #[arg(long, default_value = "200executions")]
    budget: String,

    /// Classes side by side.
    #[arg(long, default_value_t = 2)]
    jobs: u32,
}

pub(super) fn run(words: &[String]) -> anyhow::Result<()> {
    let Some(options) = parse::<Options>(words)? else { return Ok(()) };
    let mut subjects: Vec<Subject> = options.common.list.read()?;
    let artifact = subjects[0].coordinates.clone();
    subjects.retain(|subject| subject.coordinates == artifact);
    subjects.truncate(options.classes);
    let covolve = options.common.covolve.file()?;
    let results = Results::new(&options.common, "overhead", words, &options.jdk.java())?;
    let mut table =
        results.table("raw", "class,start,search,minimize,assertions,verify,total,tests,file,diagnostics")?;
    let scratch = tempfile::tempdir()?;
    let mut command = Command::new(&covolve);
    command.args(["generate", "--maven", &artifact, "--budget", &options.budget, "--json", "--out"]);
    command
        .arg(scratch.path().join("tests"))
        .args(["--jobs", &options.jobs.to_string()])
        .stdin(Stdio::null());
    for subject in &subjects {
        command.args(["--class", &subject.class]);
    }
    command.args(options.jdk.words()).args(&options.common.more);
    let watched = watch(command, scratch.path(), Duration::from_millis(20), &mut |_, _| Ok(()))?;
    let reports = watched.reports();
    if reports.is_empty() {
        bail!("the run ended with exit code {} and no report", watched.code());
    }
    for report in &reports {
        table.row(&cells(report))?;
    }
    let jobs = f64::from(options.jobs).min(reports.len() as f64);
    results.finish(&summary(&reports, watched.wall, jobs, &watched.code()))
}

fn cells(report: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let seconds = ["start", "search", "minimize", "assertions", "verify", "total"];
    let mut cells = vec![text(&report["class"])];
    cells.extend(seconds.map(|phase| text(&report["seconds"][phase])));
    let diagnostics: Vec<String> = report["diagnostics"].as_array().into_iter().flatten().map(text).collect();
    cells.extend([text(&report["tests"]), (!report["file"].is_null()).to_string(), diagnostics.join("; ")]);
    cells
}

fn summary(reports: &[Value], wall: f64, jobs: f64, code: &str) -> String {
    let searches: Vec<f64> =
        reports.iter().filter_map(|report| report["seconds"]["search"].as_f64()).collect();
    let totals: Vec<f64> = reports.iter().filter_map(|report| report["seconds"]["total"].as_f64()).collect();
    let search: f64 = searches.iter().sum();
    let beside: Vec<f64> = totals.iter().zip(&searches).map(|(total, search)| total - search).collect();
    let classes = reports.len() as f64;
    let files = reports.iter().filter(|report| !report["file"].is_null()).count();
    format!(
        "{} classes, {files} files, exit code {code}, {wall:.1} s in all, {search:.1} s of search in all classes.\n\n\
         | what | seconds |\n| --- | --- |\n\
         | beyond the search, per class and job: (all x jobs - search) / classes | {} |\n\
         | beyond the search, per class: (all - search / jobs) / classes | {} |\n\
         | of a class, from its turn to its file, without its search: median | {} |\n\
         | of a class, from its turn to its file, without its search: worst | {} |\n",
        reports.len(),
        shown(Some((wall * jobs - search) / classes)),
        shown(Some((wall - search / jobs) / classes)),
        shown(quantile(&beside, 0.5)),
        shown(quantile(&beside, 1.0)),
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_no_search_is_shared_among_the_classes() {
        let report = |class: &str, file: Value| {
            json!({"class": class, "seconds": {"search": 1.0, "total": 1.5}, "tests": 2, "file": file,
                "diagnostics": ["a", "b, c"]})
        };
        let reports = [report("A", json!("A.java")), report("B", Value::Null)];
        assert_eq!(cells(&reports[1])[7..], ["2", "false", "a; b, c"]);
        let text = summary(&reports, 3.0, 2.0, "0");
        for line in [
            "2 classes, 1 files",
            "jobs - search) / classes | 2.00 |",
            "jobs) / classes | 1.00 |",
            "median | 0.50 |",
        ] {
            assert!(text.contains(line), "{text}");
        }
    }
}
