//! Claims and judges side by side.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde::Serialize;

use super::cells::{ALL, Cell, Fixture};
use crate::suites::claims::{self, Claim};
use crate::suites::jacoco::{Judged, Shown};
use crate::suites::matching::{OwnMutant, Pair};
use crate::suites::pit::PitMutant;

/// What the judges said of all suites of a fixture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Judges<'a> {
    pub(super) covered: &'a Judged,
    pub(super) pit: &'a [PitMutant],
    pub(super) own: &'a [OwnMutant],
    /// For each mutant of PIT.
    pub(super) pairs: &'a [Pair],
}

/// A row of `criteria.csv`.
#[derive(Debug, Default, Serialize)]
pub(super) struct Cells {
    algorithm: String,
    criterion: String,
    class: String,
    exit: String,
    panicked: bool,
    deterministic: bool,
    tests: usize,
    failing: usize,
    /// Goals of the criterion, by covolve.
    covered: usize,
    total: usize,
    /// Lines with a claim of the criteria line, statement and weak mutation.
    lines_claimed: usize,
    jacoco_lines: usize,
    jacoco_lines_total: usize,
    /// Outcomes of branches that the criterion branch claims.
    branches_claimed: usize,
    jacoco_branches: u32,
    jacoco_branches_total: u32,
    /// Strong mutants that PIT has as well and decided.
    mutants_claimed: usize,
    pit_covered: usize,
    pit_killed: usize,
    pit_total: usize,
    /// Claims that a judge could look at.
    judged: usize,
    /// Claims that a judge denies.
    denied: usize,
    /// Strong mutants that we claim to kill, and that survive PIT's tests.
    unasserted: usize,
}

/// A claim that a judge does not confirm.
#[derive(Debug, Serialize)]
pub(super) struct Difference {
    algorithm: String,
    criterion: String,
    class: String,
    goal: String,
    claim: String,
    judge: &'static str,
    says: String,
}

/// A cell for one fixture, judged.
#[derive(Debug, Default)]
pub(super) struct Row {
    pub(super) cells: Cells,
    pub(super) differences: Vec<Difference>,
}

/// The suite of a cell, and what is claimed of it.
struct Case<'a> {
    cell: &'a Cell,
    fixture: &'a Fixture,
    suite: &'a str,
    shown: &'a Shown,
    /// Covered ones.
    claims: Vec<&'a Claim>,
}

impl Row {
    pub(super) fn is_right(&self) -> bool {
        let cells = &self.cells;
        cells.exit == "0" && !cells.panicked && cells.deterministic && cells.failing == 0 && cells.denied == 0
    }
}

impl Judges<'_> {
    /// Judges a cell for one fixture; `suite` is what its test class is called here, if it wrote one.
    pub(super) fn row(&self, cell: &Cell, fixture: &Fixture, suite: Option<&str>) -> Row {
        let of_class: Vec<&Claim> =
            cell.claims.iter().filter(|claim| claim.target == fixture.class).collect();
        let nothing = Shown::default();
        let suite = suite.unwrap_or_default();
        let shown = self.covered.suites.get(suite).unwrap_or(&nothing);
        let claims: Vec<&Claim> = of_class.iter().copied().filter(|claim| claim.is_covered()).collect();
        let asked = |claim: &&&Claim| cell.criterion == ALL || claim.criterion == cell.criterion;
        let cells = Cells {
            algorithm: cell.algorithm.to_owned(),
            criterion: cell.criterion.clone(),
            class: fixture.class.to_owned(),
            exit: cell.exit.clone(),
            panicked: cell.panicked,
            deterministic: cell.is_deterministic,
            tests: shown.passed + shown.failed.len(),
            failing: shown.failed.len(),
            covered: claims.iter().filter(asked).count(),
            total: of_class.iter().filter(asked).count(),
            jacoco_lines: shown.cover.lines.len(),
            jacoco_lines_total: self.covered.all.lines.len(),
            jacoco_branches: shown.cover.branches(),
            jacoco_branches_total: self.covered.all.branches(),
            ..Cells::default()
        };
        let mut row = Row { cells, differences: Vec::new() };
        let case = Case { cell, fixture, suite, shown, claims };
        self.lines(&case, &mut row);
        branches(&case, &mut row);
        methods(&case, &mut row);
        self.mutants(&case, &of_class, &mut row);
        row
    }

    /// A line with a goal that is covered must be covered, by `JaCoCo` or, where an exception ends the run on it, by PIT.
    fn lines(&self, case: &Case<'_>, row: &mut Row) {
        let mut claimed = BTreeSet::new();
        for claim in &case.claims {
            let Some(place) = claim.place() else { continue };
            if !matches!(claim.criterion.as_str(), "line" | "statement" | "weak-mutation") {
                continue;
            }
            row.cells.judged += 1;
            claimed.insert(place.clone());
            let by_pit = || {
                claim.criterion == "weak-mutation"
                    && self.pit.iter().any(|mutant| {
                        (&mutant.class, mutant.line) == (&place.0, place.1)
                            && mutant.is_covered_by(case.suite)
                    })
            };
            if !case.shown.cover.lines.contains_key(&place) && !by_pit() {
                row.deny(case, claim, "JaCoCo", "the line is not covered");
            }
        }
        row.cells.lines_claimed = claimed.len();
    }

    /// A strong mutant that PIT has as well must be covered by the suite; whether a test kills it is noted.
    fn mutants(&self, case: &Case<'_>, of_class: &[&Claim], row: &mut Row) {
        let strong = claims::mutants(of_class, "strong-mutation");
        if strong.is_empty() {
            return;
        }
        for (mutant, pair) in self.pit.iter().zip(self.pairs) {
            let Pair::Own(own) = pair else { continue };
            let Some(own) = self.own.get(*own) else { continue };
            let claims = strong.get(&(own.class.clone(), own.method.clone()));
            let Some(claim) = claims.and_then(|claims| claims.get(own.ordinal)) else { continue };
            let (covered, killed) = (mutant.is_covered_by(case.suite), mutant.is_killed_by(case.suite));
            if mutant.is_decided() {
                row.cells.pit_total += 1;
                row.cells.pit_covered += usize::from(covered);
                row.cells.pit_killed += usize::from(killed);
            }
            if !claim.is_covered() {
                continue;
            }
            row.cells.judged += 1;
            if !covered {
                row.deny(case, claim, "PIT", "no test covers the mutant");
            } else if mutant.is_decided() {
                row.cells.mutants_claimed += 1;
                if !killed {
                    row.cells.unasserted += 1;
                    row.note(case, claim, "PIT", "no test fails with the mutant");
                }
            }
        }
    }
}

/// No more outcomes of branches of a line may be claimed than `JaCoCo` counts there.
fn branches(case: &Case<'_>, row: &mut Row) {
    for criterion in ["branch", "direct-branch"] {
        let mut claimed: BTreeMap<(String, u32), Vec<&Claim>> = BTreeMap::new();
        for &claim in case.claims.iter().filter(|claim| claim.criterion == criterion) {
            row.cells.judged += 1;
            if claim.id.ends_with("@entry") {
                if !case.shown.cover.methods.contains(&claim.method()) {
                    row.deny(case, claim, "JaCoCo", "the method is not covered");
                }
            } else if let Some(place) = claim.place() {
                claimed.entry(place).or_default().push(claim);
            }
        }
        if criterion == "branch" {
            row.cells.branches_claimed = claimed.values().map(Vec::len).sum();
        }
        for (place, claims) in claimed {
            let counted = case.shown.cover.lines.get(&place).copied().unwrap_or(0) as usize;
            for &claim in claims.iter().skip(counted) {
                row.deny(case, claim, "JaCoCo", &format!("{counted} branches of the line are covered"));
            }
        }
    }
}

/// A method that returned must be covered. One that an exception ended may be none for `JaCoCo`.
fn methods(case: &Case<'_>, row: &mut Row) {
    for &claim in &case.claims {
        if !matches!(claim.criterion.as_str(), "method-no-exception" | "output") {
            continue;
        }
        row.cells.judged += 1;
        if !case.shown.cover.methods.contains(&claim.method()) {
            row.deny(case, claim, "JaCoCo", "the method is not covered");
        }
    }
}

impl Row {
    fn deny(&mut self, case: &Case<'_>, claim: &Claim, judge: &'static str, says: &str) {
        self.cells.denied += 1;
        self.note(case, claim, judge, says);
    }

    fn note(&mut self, case: &Case<'_>, claim: &Claim, judge: &'static str, says: &str) {
        self.differences.push(Difference {
            algorithm: case.cell.algorithm.to_owned(),
            criterion: case.cell.criterion.clone(),
            class: case.fixture.class.to_owned(),
            goal: claim.id.clone(),
            claim: claim.goal.clone(),
            judge,
            says: says.to_owned(),
        });
    }
}

/// All rows in a few lines, and a table of what is covered.
pub(super) fn summary(rows: &[Row]) -> String {
    let count = |is: fn(&Cells) -> bool| rows.iter().filter(|row| is(&row.cells)).count();
    let sum = |of: fn(&Cells) -> usize| rows.iter().map(|row| of(&row.cells)).sum::<usize>();
    let mut text = format!(
        "| cells | |\n| --- | ---: |\n| all | {} |\n| that fail | {} |\n| with a panic | {} |\n| with other bytes the second \
         time | {} |\n| tests that fail in a plain JVM | {} |\n| claims that a judge looked at | {} |\n| claims that a judge \
         denies | {} |\n| strong mutants claimed killed that PIT has too and decided | {} |\n| ... with which no \
         delivered test fails | {} |\n\n",
        rows.len(),
        count(|cells| cells.exit != "0"),
        count(|cells| cells.panicked),
        count(|cells| !cells.deterministic),
        sum(|cells| cells.failing),
        sum(|cells| cells.judged),
        sum(|cells| cells.denied),
        sum(|cells| cells.mutants_claimed),
        sum(|cells| cells.unasserted),
    );
    let mut criteria: Vec<&str> = rows.iter().map(|row| row.cells.criterion.as_str()).collect();
    criteria.dedup();
    let mut seen = BTreeSet::new();
    criteria.retain(|criterion| seen.insert(*criterion));
    let mut table: BTreeMap<&str, BTreeMap<&str, (usize, usize)>> = BTreeMap::new();
    for Row { cells, .. } in rows {
        let sum = table.entry(&cells.algorithm).or_default().entry(&cells.criterion).or_default();
        *sum = (sum.0 + cells.covered, sum.1 + cells.total);
    }
    let _ = writeln!(
        text,
        "Goals covered, all classes together, in percent:\n\n| algorithm | {} |",
        criteria.join(" | ")
    );
    let _ = writeln!(text, "| --- |{}", " ---: |".repeat(criteria.len()));
    for (algorithm, cells) in table {
        let _ = write!(text, "| {algorithm} |");
        for criterion in &criteria {
            let (covered, total) = cells.get(criterion).copied().unwrap_or_default();
            let _ = write!(text, " {:.1} |", 100.0 * covered as f64 / total.max(1) as f64);
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(criterion: &str, id: &str, line: u32) -> Claim {
        let text = format!(
            "TARGET_CLASS,criterion,id,goal,class,method,line,status,test\nA,{criterion},{id},g,A,m()V,{line},covered,t\n"
        );
        csv::Reader::from_reader(text.as_bytes()).deserialize().next().unwrap().unwrap()
    }

    #[test]
    fn claims_beyond_what_the_judge_counts_are_denied() {
        let mut cell = Cell::new("mosa", "branch");
        cell.claims = vec![
            claim("branch", "branch A#m()V@1:0", 3),
            claim("branch", "branch A#m()V@1:1", 3),
            claim("line", "line 4", 4),
            claim("output", "o", 3),
        ];
        let fixture = Fixture { class: "A", source: "" };
        let check = |branches: u32, lines: &[u32], denied: usize| {
            let mut judged = Judged::default();
            let mut shown = Shown { passed: 1, ..Shown::default() };
            shown.cover.methods.insert(("A".to_owned(), "m()V".to_owned()));
            shown.cover.lines = lines.iter().map(|&line| (("A".to_owned(), line), 0)).collect();
            shown.cover.lines.insert(("A".to_owned(), 3), branches);
            judged.suites.insert("T0".to_owned(), shown);
            let judges = Judges { covered: &judged, pit: &[], own: &[], pairs: &[] };
            let row = judges.row(&cell, &fixture, Some("T0"));
            assert_eq!((row.cells.denied, row.cells.judged, row.cells.covered), (denied, 4, 2));
            let without = judges.row(&cell, &fixture, None);
            assert_eq!(without.cells.denied, 4);
        };
        check(2, &[4], 0);
        check(1, &[4], 1);
        check(0, &[], 3);
    }
}
