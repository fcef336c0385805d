//! `cargo xtask judge-executor`: plain JVMs as the judge of the executor, of printing and of instrumentation.
//!
//! For each class of a list, random tests are run through JNI in an instrumented JVM and all that can be read of them is
//! read. The same tests, printed with an assertion for each value read, are compiled by `javac` and run in a plain JVM;
//! printed without assertions, they are run under JaCoCo. Exceptions, values, and covered lines and branches of each
//! test must agree.
//!
//! * [`worker`]: the executor's side, a process per class; [`observed`], [`covered`]: its parts
//! * [`record`]: what it tells
//! * [`plain`]: the other side
//! * [`verdict`]: what differs, and why; [`report`]: what is kept

mod covered;
mod observed;
mod plain;
mod record;
mod report;
mod verdict;
mod worker;

use std::fs;
use std::path::Path;

use anyhow::{Result, bail, ensure};
use clap::Parser;
use experiment::console::{parse, say};
use experiment::maven;
use experiment::options::OptionalSubjects;
use experiment::repository::root;
use experiment::subject::Subject;

use self::plain::Tools;
use self::record::{Job, Record};
use self::report::Row;
use crate::random_tests::RandomTestOptions;
use crate::started::in_a_process;

/// Run random tests through the executor and, printed, in a plain JVM, and compare.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask judge-executor")]
struct Options {
    #[command(flatten)]
    list: OptionalSubjects,
    #[command(flatten)]
    random: RandomTestOptions,
}

/// Runs the judge.
///
/// # Errors
/// Whatever keeps it from judging, and a difference that nothing explains.
pub fn run(words: &[String]) -> Result<()> {
    let Some(options) = parse::<Options>(words)? else { return Ok(()) };
    if let Some(job) = &options.random.worker {
        return worker::run(&serde_json::from_str(job)?);
    }
    let subjects = options.list.read()?;
    ensure!(!subjects.is_empty(), "no subject is left; give --subjects and check --only");
    let home = options.random.setup.jdk.home()?;
    let work = options.random.setup.folder("work");
    fs::create_dir_all(&work)?;
    let tools = Tools::new(&home, &work)?;
    let mut rows = Vec::new();
    for subject in &subjects {
        let row = judge(subject, &options, &home, &work, &tools)
            .unwrap_or_else(|error| Row::failed(subject, &format!("{error:#}")));
        say(&row.brief());
        rows.push(row);
        if let Some(out) = &options.random.out {
            report::write(&root().join(out), &rows, words, &home)?;
        }
    }
    say(&report::summary(&rows));
    let unexplained: usize = rows.iter().map(Row::unexplained).sum();
    if unexplained > 0 {
        bail!("{unexplained} differences are unexplained");
    }
    Ok(())
}

fn judge(subject: &Subject, options: &Options, home: &Path, work: &Path, tools: &Tools) -> Result<Row> {
    let folder = work.join(&subject.class);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let job = Job {
        class: subject.class.clone(),
        class_path: maven::resolve(&subject.coordinates)?,
        java_home: home.to_owned(),
        choice: options.random.choice(350, 10_000),
        folder,
    };
    let record: Record = in_a_process("judge-executor", &job, &job.folder.join("record.json"))?;
    let verdict = verdict::judge(tools, &job, &record)?;
    Ok(Row::new(subject, &record, verdict))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_are_consistent() {
        use clap::CommandFactory as _;
        Options::command().debug_assert();
    }
}
