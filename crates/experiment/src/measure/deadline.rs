//! Seconds from the start of a run until the first verified file of its class is on disk.

use std::path::Path;
use std::time::Duration;

use clap::Parser;

use super::{Jdk, Results, quantile, shown, watch};
use crate::console::{parse, say};
use crate::options::Common;

/// How often the folder is looked at: far below the tenths of a second that are compared.
const TICK: Duration = Duration::from_millis(2);

/// Seconds until a verified file is on disk.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask measure deadline")]
struct Options {
    #[command(flatten)]
    common: Common,

    #[command(flatten)]
    jdk: Jdk,

    /// Budget, as `generate` takes it.
    #[arg(long, default_value = "2s")]
    budget: String,

    /// Runs: the subjects in turn, each time with another seed.
    #[arg(long, default_value_t = 100)]
    runs: usize,
}

pub(super) fn run(words: &[String]) -> anyhow::Result<()> {
    let Some(options) = parse::<Options>(words)? else { return Ok(()) };
    let subjects = options.common.list.read()?;
    let covolve = options.common.covolve.file()?;
    let results = Results::new(&options.common, "deadline", words, &options.jdk.java())?;
    let mut table = results.table("raw", "class,seed,first_file,wall,exit_code")?;
    let (mut first_files, mut without) = (Vec::new(), 0);
    for number in 0..options.runs {
        let subject = &subjects[number % subjects.len()];
        let seed = (number / subjects.len()) as u64;
        let scratch = tempfile::tempdir()?;
        let tests = scratch.path().join("tests");
        let mut command = subject.generate(&covolve, &options.budget, seed, &tests);
        command.args(options.jdk.words()).args(&options.common.more);
        let mut first = None;
        let watched = watch(command, scratch.path(), TICK, &mut |_, elapsed| {
            if first.is_none() && has_file(&tests) {
                first = Some(elapsed);
            }
            Ok(())
        })?;
        // One that came with the very end was not seen while the run was looked at.
        let first = first.or_else(|| has_file(&tests).then_some(watched.wall));
        match first {
            Some(seconds) => first_files.push(seconds),
            None => without += 1,
        }
        let cells = [
            subject.class.clone(),
            seed.to_string(),
            first.map_or_else(String::new, |seconds| format!("{seconds:.3}")),
            format!("{:.3}", watched.wall),
            watched.code(),
        ];
        say(&format!("{}/{} {}", number + 1, options.runs, cells.join(" ")));
        table.row(&cells)?;
        results.summarize(&summary(&first_files, without))?;
    }
    results.finish(&summary(&first_files, without))
}

fn summary(first_files: &[f64], without: usize) -> String {
    format!(
        "| runs | without a file | median | 95 % | worst |\n| --- | --- | --- | --- | --- |\n| {} | {without} | {} | {} | {} |\n\n\
         Seconds from the start of the process until the first verified file is on disk, of the runs with a file.\n",
        first_files.len() + without,
        shown(quantile(first_files, 0.5)),
        shown(quantile(first_files, 0.95)),
        shown(quantile(first_files, 1.0)),
    )
}

/// Whether there is a test file below a folder; files that are being written have hidden names.
fn has_file(folder: &Path) -> bool {
    std::fs::read_dir(folder).into_iter().flatten().flatten().any(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_file = Path::new(&*name).extension().is_some_and(|extension| extension == "java");
        (is_file && !name.starts_with('.')) || has_file(&entry.path())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_files_count() {
        let folder = tempfile::tempdir().unwrap();
        let package = folder.path().join("a/b");
        std::fs::create_dir_all(&package).unwrap();
        std::fs::write(package.join(".covolve-1.tmp"), "").unwrap();
        assert!(!has_file(folder.path()));
        std::fs::write(package.join("CTest.java"), "").unwrap();
        assert!(has_file(folder.path()));
        assert!(!has_file(&folder.path().join("nothing")));
    }

    #[test]
    fn runs_without_a_file_are_counted_apart() {
        let text = summary(&[1.0, 1.5], 1);
        assert!(text.contains("| 3 | 1 | 1.00 | 1.50 | 1.50 |"), "{text}");
    }
}
