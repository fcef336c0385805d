//! `cargo xtask judge-mutants`: what strong mutation says of mutants that PIT has as well, beside PIT's verdict.
//!
//! For each class covolve generates for the criterion strong mutation alone, and PIT judges the delivered file. Where our
//! mutants and PIT's do the same to the same instruction, both verdicts may be that a test kills it, only one of them, or none.
//!
//! One that we alone have killed is a claim that the file does not keep: the judge fails. Before it says so, PIT judges the class
//! again with a JVM for each mutant, since what earlier mutants leave in static fields hides later ones from it. One that PIT alone has killed is none: PIT
//! counts any delivered test that fails, also one whose run we do not look at for that mutant. What inspectors run that
//! assertions ask is not recorded, so that it covers nothing else either, and no test is run with mutants that only they
//! infect.

#![expect(clippy::print_stdout, reason = "its result is printed")]

mod verdict;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail, ensure};
use clap::Parser;
use experiment::console::{parse, say};
use experiment::options::{Covolve, OptionalSubjects, ResultFolder};
use experiment::suites::Bench;
use experiment::{maven, tools};

use self::verdict::Row;
use crate::setup::{Setup, Workplace};
use crate::suites::claims::{self, Claim};
use crate::suites::{matching, pit};

/// Fixtures with what the operators change.
const FIXTURES: &[(&str, &str)] = &[
    ("Operators", "fixtures/mutants/Operators.java"),
    ("bench.Account", "fixtures/bench/Account.java"),
    ("coverage.Branches", "fixtures/coverage/Branches.java"),
    ("distances.Contents", "fixtures/distances/Contents.java"),
    ("distances.Flags", "fixtures/distances/Flags.java"),
];

/// Compare what strong mutation says with PIT's verdict on the same mutants.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask judge-mutants")]
struct Options {
    #[command(flatten)]
    results: ResultFolder,
    #[command(flatten)]
    covolve: Covolve,
    #[command(flatten)]
    setup: Setup,
    #[command(flatten)]
    list: OptionalSubjects,
    /// Executions per class.
    #[arg(long, default_value_t = 10_000)]
    executions: u64,
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// More words for `covolve generate`.
    #[arg(last = true)]
    more: Vec<String>,
}

/// A class to test.
struct Subject {
    class: String,
    class_path: Vec<PathBuf>,
}

/// What all subjects are judged with.
struct Trial<'a> {
    options: &'a Options,
    place: Workplace,
}

/// Runs the judge.
///
/// # Errors
/// Whatever keeps it from judging, and a mutant that we claim to kill and that survives all delivered tests.
pub fn run(words: &[String]) -> Result<()> {
    let Some(options) = parse::<Options>(words)? else { return Ok(()) };
    let place = Workplace::new(&options.setup, &options.covolve, "mutants", false)?;
    let trial = Trial { options: &options, place };
    let mut rows = Vec::new();
    for subject in trial.subjects()? {
        let found = trial.judge(&subject).with_context(|| subject.class.clone())?;
        say(&format!("{}: {}", subject.class, verdict::brief(&found)));
        rows.extend(found);
    }
    ensure!(!rows.is_empty(), "no subject is left; check --subjects and --only");
    report(&rows, &options, words, &trial.place.home)
}

impl Trial<'_> {
    fn subjects(&self) -> Result<Vec<Subject>> {
        let classes = self.place.work.join("classes");
        tools::compile_fixtures(&self.place.home, FIXTURES.iter().map(|(_, source)| *source), &classes)?;
        let only = &self.options.list.only;
        let fixtures = FIXTURES.iter().filter(|(class, _)| class.contains(only));
        let mut subjects: Vec<Subject> = fixtures
            .map(|&(class, _)| Subject { class: class.to_owned(), class_path: vec![classes.clone()] })
            .collect();
        for subject in self.options.list.read()? {
            let class_path = maven::resolve(&subject.coordinates)?;
            subjects.push(Subject { class: subject.class, class_path });
        }
        Ok(subjects)
    }

    fn judge(&self, subject: &Subject) -> Result<Vec<Row>> {
        let folder = self.place.work.join(&subject.class);
        let claims = self.generate(subject, &folder)?;
        let mut bench =
            Bench::new(&self.place.home, &folder.join("bench"), &subject.class, &subject.class_path)?;
        let suite = bench.add(&folder.join("tests"))?.context("covolve wrote no test")?;
        bench.compile()?;
        let own = matching::own_mutants(&bench.nest)?;
        let claims: Vec<&Claim> = claims.iter().collect();
        let claims = claims::mutants(&claims, "strong-mutation");
        let verdict = |unit: pit::Unit| {
            let pit = pit::judge(&bench, unit)?;
            let pairs = matching::pair(&own, &pit);
            verdict::rows(&subject.class, &suite, &claims, (&pit, &own, &pairs))
        };
        let rows = verdict(pit::Unit::Many)?;
        if rows.iter().any(Row::is_denied) {
            say(&format!("{}: PIT denies claims; once more with a JVM for each mutant", subject.class));
            return verdict(pit::Unit::Single);
        }
        Ok(rows)
    }

    fn generate(&self, subject: &Subject, folder: &Path) -> Result<Vec<Claim>> {
        fs::create_dir_all(folder)?;
        let mut command = Command::new(&self.place.covolve);
        command
            .args(["generate", "--criterion", "strong-mutation", "--cp", &tools::joined(&subject.class_path)])
            .args(["--class", &subject.class, "--seed", &self.options.seed.to_string()])
            .args(["--budget", &format!("{}executions", self.options.executions), "--java-home"])
            .arg(&self.place.home)
            .arg("--out")
            .arg(folder.join("tests"))
            .arg("--report")
            .arg(folder.join("report"))
            .args(&self.options.more)
            .stdin(Stdio::null())
            .current_dir(folder);
        tools::run(&mut command)?;
        claims::read(&folder.join("report"))
    }
}

fn report(rows: &[Row], options: &Options, words: &[String], home: &Path) -> Result<()> {
    let folder = options.results.make()?;
    let mut table = csv::Writer::from_path(folder.join("mutants.csv"))?;
    for row in rows {
        table.serialize(row)?;
    }
    table.flush()?;
    let summary = verdict::summary(rows);
    let heading = options.results.heading("judge-mutants", words, &home.join("bin/java"))?;
    fs::write(folder.join("README.md"), format!("{heading}\n{summary}"))?;
    println!("{summary}\n{}", folder.display());
    let denied = rows.iter().filter(|row| row.is_denied()).count();
    if denied > 0 {
        bail!("{denied} mutants that we claim to kill survive all delivered tests");
    }
    Ok(())
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
