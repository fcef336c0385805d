//! `cargo xtask subsumption`: the tables of subsuming mutants, put to an SMT solver claim by claim.
//!
//! The tables (`coverage::subsumption`) are derived from all pairs of 8 bits. Here each claim they rest on is written as
//! SMT-LIB 2 over operands of 32 and 64 bits, and any solver that reads a file of it and prints `sat` or `unsat` decides.

mod claim;
mod term;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use clap::Parser;
use experiment::console::parse;
use experiment::repository::output_of;
use experiment::runs;
use experiment::{machine, tools};

use claim::Claim;
use testcase::clock::Clock;

/// Options of `subsumption`.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask subsumption")]
struct Options {
    /// The solver: reads a file of SMT-LIB 2 as its last word, prints `sat`, `unsat` or something else.
    #[arg(long, default_value = "z3")]
    solver: PathBuf,
    /// Numbers of bits, powers of 2 up to 64.
    #[arg(long, value_delimiter = ',', default_value = "32,64")]
    widths: Vec<u32>,
    /// Seconds that a claim may take.
    #[arg(long, default_value_t = 120)]
    limit: u64,
    /// The second part of the name of the folder with the results.
    #[arg(long, default_value = "subsumption-smt")]
    what: String,
    /// Where the folder is made.
    #[arg(long, default_value = "eval/runs")]
    out: PathBuf,
}

/// What became of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Proved,
    Refuted,
    /// The solver gave up, or ran out of time.
    Unknown,
}

impl Verdict {
    fn name(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::Refuted => "refuted",
            Self::Unknown => "unknown",
        }
    }

    /// Of what a solver printed on a claim that holds where there are operands, or where there are none.
    fn of(printed: &str, expects_operands: bool) -> Self {
        match printed.lines().next().map(str::trim) {
            Some("sat") if expects_operands => Self::Proved,
            Some("unsat") if !expects_operands => Self::Proved,
            Some("sat" | "unsat") => Self::Refuted,
            _ => Self::Unknown,
        }
    }
}

/// Runs the task.
pub fn run(words: &[String]) -> Result<()> {
    let Some(options) = parse::<Options>(words)? else { return Ok(()) };
    if let Some(width) = options.widths.iter().find(|width| !width.is_power_of_two() || **width > 64) {
        bail!("{width} is no power of 2 up to 64");
    }
    let version = output_of(&options.solver.to_string_lossy(), &["--version"])?;
    let folder = runs::new_folder(&options.out, &options.what)?;
    let mut table = fs::File::create_new(folder.join("claims.csv"))?;
    writeln!(table, "bits,original,mutant,claim,verdict,seconds")?;
    let scratch = tempfile::tempdir()?;
    let claims = Claim::all();
    let mut tally = Tally::default();
    for &width in &options.widths {
        for &claim in &claims {
            let script = scratch.path().join("claim.smt2");
            fs::write(&script, claim.script(width))?;
            let clock = Clock::start();
            let printed = ask(&options.solver, &script, Duration::from_secs(options.limit))?;
            let seconds = clock.now().as_secs_f64();
            let verdict = Verdict::of(&printed, claim.expects_operands());
            tally.note(width, claim, verdict, seconds);
            let Claim { from, to, .. } = claim;
            writeln!(table, "{width},{from},{to},{claim},{},{seconds:.2}", verdict.name())?;
        }
    }
    let summary = format!(
        "# {}\n\nEach claim that the tables of subsuming mutants rest on (`crates/coverage/src/subsumption.rs`), asked of an SMT \
         solver.\n\n* {}\n* {}\n* {} claims a width, at most {} s each; the longest took {:.2} s\n\n\
         ```\ncargo xtask subsumption {}\n```\n\n{}",
        options.what,
        machine::commit()?,
        version.lines().next().unwrap_or("a solver that does not name itself"),
        claims.len(),
        options.limit,
        tally.longest,
        runs::shown(words),
        tally.table(&options.widths),
    );
    fs::write(folder.join("README.md"), format!("{summary}\n"))?;
    writeln!(std::io::stdout().lock(), "{summary}\n{}", folder.display())?;
    if tally.counts.keys().any(|(_, verdict)| *verdict == Verdict::Refuted) {
        bail!("the tables claim what is not so");
    }
    Ok(())
}

/// Verdicts so far.
#[derive(Debug, Default)]
struct Tally {
    counts: BTreeMap<(u32, Verdict), usize>,
    /// Seconds of the claim that took longest.
    longest: f64,
    /// Claims that were not proved, in words.
    failed: Vec<String>,
}

impl Tally {
    fn note(&mut self, width: u32, claim: Claim, verdict: Verdict, seconds: f64) {
        *self.counts.entry((width, verdict)).or_default() += 1;
        self.longest = self.longest.max(seconds);
        if verdict != Verdict::Proved {
            self.failed.push(format!("* {} at {width} bits: {claim}", verdict.name()));
        }
    }

    /// Verdicts by width, and what was not proved.
    fn table(&self, widths: &[u32]) -> String {
        let head = "| bits | proved | refuted | unknown |\n| --- | --- | --- | --- |".to_owned();
        let row = |width: &u32| {
            let count = |verdict| self.counts.get(&(*width, verdict)).copied().unwrap_or(0);
            let [proved, refuted, unknown] = [Verdict::Proved, Verdict::Refuted, Verdict::Unknown].map(count);
            format!("| {width} | {proved} | {refuted} | {unknown} |")
        };
        let mut lines: Vec<String> = std::iter::once(head).chain(widths.iter().map(row)).collect();
        if !self.failed.is_empty() {
            lines.push(String::new());
            lines.extend_from_slice(&self.failed);
        }
        lines.join("\n")
    }
}

/// What a solver prints on a script; nothing when its time is up.
fn ask(solver: &Path, script: &Path, limit: Duration) -> Result<String> {
    let printed = script.with_extension("printed");
    let mut child = Command::new(solver)
        .arg(script)
        .stdin(Stdio::null())
        .stdout(fs::File::create(&printed)?)
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| format!("{} does not start", solver.display()))?;
    if tools::wait(&mut child, limit)?.is_none() {
        return Ok(String::new());
    }
    Ok(fs::read_to_string(&printed)?)
}

#[cfg(test)]
mod tests {
    use bytecode::mutate::sign::Sign;

    use super::*;

    #[test]
    fn a_verdict_is_what_the_solver_said_about_what_was_claimed() {
        let check = |printed, expects_operands, expect| {
            assert_eq!(Verdict::of(printed, expects_operands), expect, "{printed}");
        };
        check("sat\n", true, Verdict::Proved);
        check("unsat\n", true, Verdict::Refuted);
        check("unsat\n", false, Verdict::Proved);
        check("sat\n", false, Verdict::Refuted);
        check("unknown\n", true, Verdict::Unknown);
        check("(error \"line 1\")\n", false, Verdict::Unknown);
        check("", false, Verdict::Unknown);
    }

    #[test]
    fn what_is_not_proved_is_named() {
        let claim = Claim { from: Sign::Less, to: Sign::True, kind: claim::Kind::Infectable };
        let mut tally = Tally::default();
        tally.note(32, claim, Verdict::Proved, 0.5);
        tally.note(64, claim, Verdict::Unknown, 0.1);
        let table = "| bits | proved | refuted | unknown |\n| --- | --- | --- | --- |\n| 32 | 1 | 0 | 0 |\n| 64 | 0 | 0 | 1 |\n\n\
                     * unknown at 64 bits: `<` to `true` can be infected";
        assert_eq!((tally.table(&[32, 64]), tally.longest), (table.to_owned(), 0.5));
    }

    #[test]
    fn a_solver_is_given_a_file_and_ended_when_its_time_is_up() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("claim.smt2");
        fs::write(&script, "unsat\n").unwrap();
        assert_eq!(ask(Path::new("cat"), &script, Duration::from_mins(1)).unwrap(), "unsat\n");
        let endless = folder.path().join("endless");
        fs::write(&endless, "#!/bin/sh\nexec sleep 600\n").unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(&endless, mode).unwrap();
        assert_eq!(ask(&endless, &script, Duration::ZERO).unwrap(), "");
        assert!(ask(Path::new("no-such-solver"), &script, Duration::ZERO).is_err());
    }
}
