//! Two verdicts on one mutant.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Context as _, Result, ensure};
use serde::Serialize;

use crate::suites::claims::Claim;
use crate::suites::matching::{OwnMutant, Pair};
use crate::suites::pit::PitMutant;

/// A mutant of PIT, a row of `mutants.csv`.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Row {
    target: String,
    class: String,
    method: String,
    line: u32,
    mutator: String,
    description: String,
    pit_status: String,
    /// Tests that cover it, and those that fail with it.
    pit_covering: usize,
    pit_killing: usize,
    /// What we call it; empty where none of ours does the same.
    ours: String,
    our_status: &'static str,
    our_test: String,
    /// Whether the test that we name fails with it by PIT.
    our_test_kills: bool,
    verdict: &'static str,
}

/// Columns of the summary.
const VERDICTS: [&str; 8] =
    ["both", "only ours", "only PIT", "neither", "not covered", "endless", "no counterpart", "ambiguous"];

impl Row {
    /// Whether we claim to kill it and it survives all tests of the suite.
    pub(super) fn is_denied(&self) -> bool {
        self.verdict == "only ours"
    }
}

/// A row for each mutant of PIT.
pub(super) fn rows(
    target: &str,
    suite: &str,
    claims: &BTreeMap<(String, String), Vec<&Claim>>,
    (pit, own, pairs): (&[PitMutant], &[OwnMutant], &[Pair]),
) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (mutant, pair) in pit.iter().zip(pairs) {
        let ours = match pair {
            Pair::Own(index) => own.get(*index),
            Pair::Missing | Pair::Ambiguous => None,
        };
        let claim = match ours {
            None => None,
            Some(ours) => {
                let of_method = claims.get(&(ours.class.clone(), ours.method.clone()));
                let claim = of_method.and_then(|claims| claims.get(ours.ordinal));
                let claim =
                    *claim.with_context(|| format!("{}.{} has no such goal", ours.class, ours.method))?;
                ensure!(claim.goal.contains(&ours.words), "{} is not {}", claim.goal, ours.words);
                Some(claim)
            }
        };
        let is_ours = claim.is_some_and(Claim::is_covered);
        let test = claim.map(|claim| claim.test.clone()).unwrap_or_default();
        rows.push(Row {
            target: target.to_owned(),
            class: mutant.class.clone(),
            method: mutant.method.clone(),
            line: mutant.line,
            mutator: mutant.mutator.trim_end_matches("Mutator").to_owned(),
            description: mutant.description.clone(),
            pit_status: mutant.status.clone(),
            pit_covering: mutant.covering.len(),
            pit_killing: mutant.killing.len(),
            ours: ours.map(|ours| ours.words.clone()).unwrap_or_default(),
            our_status: match claim {
                None => "",
                Some(_) if is_ours => "covered",
                Some(_) => "open",
            },
            our_test_kills: mutant.killing.contains(&(suite.to_owned(), test.clone())),
            our_test: test,
            verdict: verdict(mutant, pair, is_ours),
        });
    }
    Ok(rows)
}

fn verdict(mutant: &PitMutant, pair: &Pair, is_ours: bool) -> &'static str {
    match (pair, mutant.status.as_str(), is_ours) {
        (Pair::Missing, ..) => "no counterpart",
        (Pair::Ambiguous, ..) => "ambiguous",
        (Pair::Own(_), "KILLED", true) => "both",
        (Pair::Own(_), "KILLED", false) => "only PIT",
        // Its judge has a clock, ours has none.
        (Pair::Own(_), "TIMED_OUT" | "MEMORY_ERROR" | "RUN_ERROR", _) => "endless",
        (Pair::Own(_), _, true) => "only ours",
        (Pair::Own(_), "NO_COVERAGE", false) => "not covered",
        (Pair::Own(_), _, false) => "neither",
    }
}

/// The figures in a line.
pub(super) fn brief(rows: &[Row]) -> String {
    let count = |verdict: &str| rows.iter().filter(|row| row.verdict == verdict).count();
    VERDICTS.map(|verdict| format!("{} {verdict}", count(verdict))).join(", ")
}

/// Tables by class and by mutator.
pub(super) fn summary(rows: &[Row]) -> String {
    let mut text = String::new();
    table(&mut text, "class", rows, |row| &row.target);
    table(&mut text, "mutator", rows, |row| &row.mutator);
    text
}

fn table(text: &mut String, what: &str, rows: &[Row], key: impl Fn(&Row) -> &str) {
    let mut counts: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    for row in rows {
        for group in [key(row), "~"] {
            *counts.entry(group).or_default().entry(row.verdict).or_default() += 1;
        }
    }
    let _ =
        writeln!(text, "| {what} | {} |\n| --- |{}", VERDICTS.join(" | "), " ---: |".repeat(VERDICTS.len()));
    for (group, counts) in counts {
        let cells = VERDICTS.map(|verdict| counts.get(verdict).copied().unwrap_or_default().to_string());
        // Behind all names.
        let group = if group == "~" { "all" } else { group };
        let _ = writeln!(text, "| {group} | {} |", cells.join(" | "));
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn what_hangs_is_nobodys_verdict() {
        let check = |status: &str, is_ours: bool, expect: &str| {
            let mutant = PitMutant {
                class: "A".to_owned(),
                method: "m()V".to_owned(),
                line: 1,
                mutator: "MathMutator".to_owned(),
                description: String::new(),
                indexes: vec![1],
                status: status.to_owned(),
                killing: BTreeSet::new(),
                covering: BTreeSet::new(),
            };
            assert_eq!(verdict(&mutant, &Pair::Own(0), is_ours), expect);
            assert_eq!(verdict(&mutant, &Pair::Missing, is_ours), "no counterpart");
        };
        check("KILLED", true, "both");
        check("KILLED", false, "only PIT");
        check("SURVIVED", true, "only ours");
        check("NO_COVERAGE", true, "only ours");
        check("SURVIVED", false, "neither");
        check("NO_COVERAGE", false, "not covered");
        check("TIMED_OUT", true, "endless");
    }
}
