//! Resident memory of parent and worker over a run, and whether it is flat, as a budget of `1000000executions` shows. Pages that
//! both share count twice.

use std::time::Duration;

use clap::Parser;

use super::processes::{Resident, resident};
use super::{Alone, Jdk, Results, quantile, shown, watch};
use crate::console::{parse, say};
use crate::options::Common;

/// How often the processes are looked at.
const TICK: Duration = Duration::from_millis(50);

/// Points of the curve that a run leaves, at most.
const POINTS: usize = 200;

/// Resident memory of parent and worker over a run.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask measure memory")]
struct Options {
    #[command(flatten)]
    common: Common,

    #[command(flatten)]
    jdk: Jdk,

    #[command(flatten)]
    runs: Alone,
}

pub(super) fn run(words: &[String]) -> anyhow::Result<()> {
    let Some(options) = parse::<Options>(words)? else { return Ok(()) };
    let subjects = options.common.list.read()?;
    let covolve = options.common.covolve.file()?;
    let results = Results::new(&options.common, "memory", words, &options.jdk.java())?;
    let mut table = results.table(
        "raw",
        "class,executions,wall,exit_code,peak_parent_mb,peak_worker_mb,peak_searching_mb,peak_all_mb,early_mb,late_mb",
    )?;
    let mut curves = results.table("curves", "class,seconds,parent_mb,worker_mb,verification_mb")?;
    let mut lines = Vec::new();
    for (number, subject) in subjects.iter().enumerate() {
        let scratch = tempfile::tempdir()?;
        let tests = scratch.path().join("tests");
        let mut command = subject.generate(&covolve, &options.runs.budget, options.runs.seed, &tests);
        command.args(options.jdk.words()).args(&options.common.more);
        let mut curve: Vec<(f64, Resident)> = Vec::new();
        let watched = watch(command, scratch.path(), TICK, &mut |process, elapsed| {
            curve.push((elapsed, resident(process)));
            Ok(())
        })?;
        let executions = watched.reports().first().and_then(|report| report["executions"].as_u64());
        let peak =
            |of: &dyn Fn(Resident) -> u64| curve.iter().map(|(_, resident)| of(*resident)).max().unwrap_or(0);
        let (early, late) = (level(&curve, 0.4, 0.5), level(&curve, 0.9, 1.0));
        let cells = [
            subject.class.clone(),
            executions.map_or_else(String::new, |executions| executions.to_string()),
            format!("{:.3}", watched.wall),
            watched.code(),
            mb(peak(&|resident| resident.parent)),
            mb(peak(&|resident| resident.workers)),
            mb(peak(&Resident::searching)),
            mb(peak(&|resident| resident.searching() + resident.others)),
            shown(early),
            shown(late),
        ];
        say(&format!("{}/{} {}", number + 1, subjects.len(), cells.join(" ")));
        table.row(&cells)?;
        for (seconds, resident) in curve.iter().step_by(curve.len().div_ceil(POINTS).max(1)) {
            let cells = [mb(resident.parent), mb(resident.workers), mb(resident.others)];
            curves.row(&[&[subject.class.clone(), format!("{seconds:.2}")][..], &cells[..]].concat())?;
        }
        lines.push(format!(
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            cells[0], cells[1], cells[4], cells[5], cells[6], cells[7], cells[8], cells[9]
        ));
        results.summarize(&summary(&lines))?;
    }
    results.finish(&summary(&lines))
}

fn summary(lines: &[String]) -> String {
    format!(
        "Megabytes resident (2^20 bytes), looked at every {} ms; pages that processes share count in each. *Early* and *late* are \
         the medians of parent and worker from 40 to 50 % and from 90 to 100 % of the time that a worker ran.\n\n\
         | class | executions | parent | worker | both at once | with verification | early | late |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- |\n{}\n",
        TICK.as_millis(),
        lines.join("\n")
    )
}

/// The median of parent and workers in a part of the time in which there was a worker, in MB.
fn level(curve: &[(f64, Resident)], from: f64, to: f64) -> Option<f64> {
    let with_worker: Vec<f64> = curve
        .iter()
        .filter(|(_, resident)| resident.workers > 0)
        .map(|(_, resident)| resident.searching() as f64 / f64::from(1 << 20))
        .collect();
    let at = |share: f64| (share * with_worker.len() as f64) as usize;
    quantile(with_worker.get(at(from)..at(to))?, 0.5)
}

fn mb(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / f64::from(1 << 20))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_taken_while_there_is_a_worker() {
        let mut curve: Vec<(f64, Resident)> = (0..10)
            .map(|second| {
                (
                    f64::from(second),
                    Resident { parent: 1 << 20, workers: (2 << 20) * (second as u64 + 1), others: 5 },
                )
            })
            .collect();
        curve.push((10.0, Resident { parent: 1 << 20, workers: 0, others: 0 }));
        assert_eq!((level(&curve, 0.4, 0.5), level(&curve, 0.9, 1.0)), (Some(11.0), Some(21.0)));
        assert_eq!(level(&[], 0.4, 0.5), None);
    }
}
