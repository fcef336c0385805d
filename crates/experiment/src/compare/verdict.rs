//! Two sets of runs, paired.

use std::collections::BTreeMap;
use std::fmt;

use anyhow::ensure;
use statistics::{SignedRanks, a12, signed_ranks};

use super::column::{Better, COLUMNS, Column};
use crate::eval::raw::Row;

/// What is significant.
const LEVEL: f64 = 0.05;

/// Most classes or runs that a line names.
const NAMED: usize = 10;

/// Which run: class, budget, seed, algorithm.
type Key<'r> = (&'r str, &'r str, &'r str, &'r str);

/// How the second set of runs compares with the first.
#[derive(Debug, Default)]
pub(super) struct Verdict {
    pairs: usize,
    classes: usize,
    /// Runs of only the first, and of only the second.
    unpaired: [usize; 2],
    /// Runs whose files are the same.
    same: usize,
    /// Runs without a file in either.
    without: usize,
    /// Runs whose files differ.
    different: Vec<String>,
    /// Runs that had a file in the first only.
    missing: Vec<String>,
    changes: Vec<Change>,
}

/// What became of a column.
#[derive(Debug)]
struct Change {
    name: &'static str,
    better: Option<Better>,
    /// Means over classes.
    means: [f64; 2],
    /// Of the differences between both, class by class.
    ranks: SignedRanks,
    /// Above 0.5 where the second is larger.
    a12: f64,
    /// Classes that got worse and by how much, most of all first.
    losers: Vec<(String, f64)>,
}

impl Verdict {
    /// Compares rows.
    ///
    /// # Errors
    /// They have no run in common.
    pub(super) fn new(first: &[Row], second: &[Row]) -> anyhow::Result<Self> {
        let [first, second] = [first, second].map(by_key);
        let pairs: Vec<(Key<'_>, [&Row; 2])> =
            first.iter().filter_map(|(key, row)| Some((*key, [*row, *second.get(key)?]))).collect();
        ensure!(
            !pairs.is_empty(),
            "the folders have no run in common: none of the same class, budget and seed"
        );
        let mut verdict = Self {
            pairs: pairs.len(),
            unpaired: [first.len() - pairs.len(), second.len() - pairs.len()],
            ..Self::default()
        };
        let mut classes: BTreeMap<&str, Vec<[&Row; 2]>> = BTreeMap::new();
        for (key, rows) in pairs {
            classes.entry(key.0).or_default().push(rows);
            match rows.map(|row| row.get("file_hash")) {
                [None, None] => verdict.without += 1,
                [Some(_), None] => verdict.missing.push(shown(key)),
                [before, after] if before == after => verdict.same += 1,
                _ => verdict.different.push(shown(key)),
            }
        }
        verdict.classes = classes.len();
        verdict.changes = COLUMNS.iter().filter_map(|column| Change::new(column, &classes)).collect();
        Ok(verdict)
    }

    /// Why the second is worse, empty if it is not.
    pub(super) fn faults(&self, same_bytes: bool) -> Vec<String> {
        let worse = self.changes.iter().filter(|change| change.verdict() == "worse");
        let mut faults: Vec<String> =
            worse.map(|change| format!("{} got worse (p = {:.4})", change.name, change.ranks.p)).collect();
        if !self.missing.is_empty() {
            faults.push(format!("{} files are missing that were there", self.missing.len()));
        }
        if same_bytes && !self.different.is_empty() {
            faults.push(format!("{} files differ", self.different.len()));
        }
        if same_bytes && self.unpaired != [0, 0] {
            faults.push(format!("{} runs are in one folder only", self.unpaired.iter().sum::<usize>()));
        }
        faults
    }
}

/// Rows by what they are a run of.
fn by_key(rows: &[Row]) -> BTreeMap<Key<'_>, &Row> {
    let cell = |row, name| Row::get(row, name).unwrap_or_default();
    let key = |row| (cell(row, "class"), cell(row, "budget"), cell(row, "seed"), cell(row, "algorithm"));
    rows.iter().map(|row| (key(row), row)).collect()
}

fn shown((class, budget, seed, algorithm): Key<'_>) -> String {
    format!("{class} {budget} seed {seed} {algorithm}").trim_end().to_owned()
}

impl Change {
    /// `None` if one side knows no figure of the column.
    fn new(column: &Column, classes: &BTreeMap<&str, Vec<[&Row; 2]>>) -> Option<Self> {
        let all = || classes.values().flatten();
        if (0..2).any(|side| all().all(|rows| (column.of)(rows[side]).is_none())) {
            return None;
        }
        let means: Vec<(&str, [f64; 2])> =
            classes.iter().filter_map(|(class, pairs)| Some((*class, mean(column, pairs)?))).collect();
        if means.is_empty() {
            return None;
        }
        let [first, second] =
            [0, 1].map(|side| means.iter().map(|(_, mean)| mean[side]).collect::<Vec<f64>>());
        // Rounded: what sums of floats leave behind is no difference, and equal differences are equal.
        let differences: Vec<f64> = first.iter().zip(&second).map(|(a, b)| ((b - a) * 1e9).round()).collect();
        let loss = |difference: f64| match column.better {
            Some(Better::More) => -difference,
            Some(Better::Less) => difference,
            None => 0.0,
        };
        let mut losers: Vec<(String, f64)> = (means.iter().zip(&differences))
            .filter(|(_, difference)| loss(**difference) > 0.0)
            .map(|((class, mean), _)| ((*class).to_owned(), mean[1] - mean[0]))
            .collect();
        losers.sort_by(|one, other| other.1.abs().total_cmp(&one.1.abs()));
        let of_all = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        Some(Self {
            name: column.name,
            better: column.better,
            means: [of_all(&first), of_all(&second)],
            ranks: signed_ranks(&differences),
            a12: a12(&second, &first),
            losers,
        })
    }

    fn difference(&self) -> f64 {
        self.means[1] - self.means[0]
    }

    /// In a word; empty where nothing is significant.
    fn verdict(&self) -> &'static str {
        if self.ranks.p >= LEVEL {
            return "";
        }
        // Most classes say which way, not the one that changed most.
        match (self.better, self.ranks.positive > 0.5) {
            (None, true) => "more",
            (None, false) => "fewer",
            (Some(Better::More), true) | (Some(Better::Less), false) => "better",
            (Some(Better::More), false) | (Some(Better::Less), true) => "worse",
        }
    }
}

/// The means of a class over the runs that both sides know a figure of.
fn mean(column: &Column, pairs: &[[&Row; 2]]) -> Option<[f64; 2]> {
    let value = |row: &Row| {
        let zero = (column.is_zero_without_file && row.get("file_hash").is_none()).then_some(0.0);
        (column.of)(row).or(zero)
    };
    let known = |rows: &&[&Row; 2]| rows.iter().any(|row| (column.of)(row).is_some());
    let values: Vec<[f64; 2]> =
        pairs.iter().filter(known).filter_map(|[a, b]| Some([value(a)?, value(b)?])).collect();
    let of = |side: usize| values.iter().map(|pair| pair[side]).sum::<f64>() / values.len() as f64;
    (!values.is_empty()).then(|| [of(0), of(1)])
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pairs, classes, unpaired: [first, second], same, without, different, missing, changes } =
            self;
        writeln!(
            formatter,
            "{pairs} runs of {classes} classes are in both; {first} are only in the first, {second} only in the \
             second.\n\n\
             | column | first | second | difference | p | A12 | |\n| --- | --- | --- | --- | --- | --- | --- |"
        )?;
        for change in changes {
            let Change { name, means: [before, after], ranks: SignedRanks { p, .. }, a12, .. } = change;
            writeln!(
                formatter,
                "| {name} | {before:.2} | {after:.2} | {:+.2} | {p:.4} | {a12:.2} | {} |",
                change.difference(),
                change.verdict(),
            )?;
        }
        writeln!(formatter)?;
        let first_column = COLUMNS.first().map(|column| column.name);
        for change in changes {
            let names_losers = change.verdict() == "worse" || Some(change.name) == first_column;
            if names_losers && !change.losers.is_empty() {
                let losers =
                    change.losers.iter().map(|(class, by)| format!("{class} ({by:+.2})")).collect::<Vec<_>>();
                writeln!(formatter, "Lost in {}: {}.", change.name, some(&losers))?;
            }
        }
        if !missing.is_empty() {
            writeln!(formatter, "A file is missing: {}.", some(missing))?;
        }
        if !different.is_empty() {
            writeln!(formatter, "Files differ: {}.", some(different))?;
        }
        write!(formatter, "In {same} of {pairs} runs the files are the same, byte for byte")?;
        if *without > 0 {
            write!(formatter, "; {without} have a file in neither")?;
        }
        write!(formatter, ".")
    }
}

/// The first of some names, and how many more there are.
fn some(names: &[String]) -> String {
    let more = names.len().saturating_sub(NAMED);
    let named = names[..names.len() - more].join(", ");
    if more == 0 { named } else { format!("{named}, and {more} more") }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;
    use crate::eval::raw::read;

    const HEADER: &str = "class,budget,seed,file_hash,branch_goals,branch_covered,tests,executions_per_second,judge_failing,\
                          judge_flaky,algorithm\n";

    /// Rows of so many classes with two seeds: each covers this of 100 branches, and is this fast.
    fn runs(covered: &[u32], speed: &[u32]) -> String {
        let mut text = HEADER.to_owned();
        for (class, (covered, speed)) in covered.iter().zip(speed).enumerate() {
            for seed in 0..2 {
                writeln!(text, "p.C{class},10s,{seed},h{seed},100,{covered},5,{speed},0,0,").unwrap();
            }
        }
        text
    }

    fn verdict(first: &str, second: &str) -> Verdict {
        Verdict::new(&read(first).unwrap(), &read(second).unwrap()).unwrap()
    }

    #[track_caller]
    fn check(first: &str, second: &str, same_bytes: bool, faults: &[&str]) -> String {
        let verdict = verdict(first, second);
        assert_eq!(verdict.faults(same_bytes), faults, "{verdict}");
        verdict.to_string()
    }

    const COVERED: [u32; 8] = [10, 20, 30, 40, 50, 60, 70, 80];
    const SPEED: [u32; 8] = [1000; 8];

    #[test]
    fn a_column_gets_worse_by_its_own_direction() {
        let first = runs(&COVERED, &SPEED);
        let less = COVERED.map(|covered| covered - covered / 10);
        let text = check(&first, &runs(&less, &SPEED), false, &["branch coverage, % got worse (p = 0.0078)"]);
        assert!(
            text.contains("| branch coverage, % | 45.00 | 40.50 | -4.50 | 0.0078 | 0.44 | worse |"),
            "{text}"
        );
        assert!(text.contains("Lost in branch coverage, %: p.C7 (-8.00), p.C6 (-7.00)"), "{text}");
        assert!(text.contains("| tests | 5.00 | 5.00 | +0.00 | 1.0000 | 0.50 |  |"), "{text}");
        assert!(!text.contains("line coverage"), "{text}");
        let text = check(&runs(&less, &SPEED), &first, false, &[]);
        assert!(text.contains("| 0.0078 | 0.56 | better |"), "{text}");
        let slower = runs(&COVERED, &SPEED.map(|speed| speed - 1));
        check(&first, &slower, false, &["executions per second got worse (p = 0.0078)"]);
        // Too few classes to say so.
        check(&runs(&[50, 60], &[9, 9]), &runs(&[5, 6], &[9, 9]), false, &[]);
    }

    #[test]
    fn runs_are_paired_by_class_budget_seed_and_algorithm() {
        let rows = |rows: &str| HEADER.to_owned() + rows;
        let first = rows("a.B,10s,0,h,10,5,,,,,\na.B,60s,0,h,10,9,,,,,\na.B,10s,0,h,10,7,,,,,mio\n");
        let second = rows("a.B,10s,0,h,10,6,,,,,\na.B,10s,1,h,10,1,,,,,\n");
        let text = check(&first, &second, true, &["3 runs are in one folder only"]);
        assert!(
            text.starts_with("1 runs of 1 classes are in both; 2 are only in the first, 1 only in"),
            "{text}"
        );
        assert!(
            text.contains("| branch coverage, % | 50.00 | 60.00 | +10.00 | 1.0000 | 1.00 |  |"),
            "{text}"
        );
        check(&first, &first, true, &[]);
        let other = read(&rows("a.C,10s,0,h,10,5,,,,,\n")).unwrap();
        let error = Verdict::new(&read(&first).unwrap(), &other).unwrap_err().to_string();
        assert!(error.starts_with("the folders have no run in common"), "{error}");
    }

    #[test]
    fn files_are_compared_by_their_bytes() {
        let rows = |hashes: [&str; 3]| {
            let row = |(seed, hash)| format!("a.B,10s,{seed},{hash},10,5,,,,,\n");
            HEADER.to_owned() + &hashes.into_iter().enumerate().map(row).collect::<String>()
        };
        let text = check(&rows(["x", "y", ""]), &rows(["x", "z", ""]), true, &["1 files differ"]);
        assert!(text.contains("Files differ: a.B 10s seed 1."), "{text}");
        assert!(
            text.ends_with("In 1 of 3 runs the files are the same, byte for byte; 1 have a file in neither."),
            "{text}"
        );
        check(&rows(["x", "y", ""]), &rows(["x", "z", ""]), false, &[]);
        check(&rows(["x", "y", ""]), &rows(["x", "y", "z"]), true, &["1 files differ"]);
        let text = check(
            &rows(["x", "y", ""]),
            &rows(["", "y", ""]),
            false,
            &["1 files are missing that were there"],
        );
        assert!(text.contains("A file is missing: a.B 10s seed 0."), "{text}");
    }

    #[test]
    fn a_run_that_failed_covered_nothing_and_was_not_slow() {
        let first = HEADER.to_owned() + "a.B,10s,0,h,10,5,4,100,0,0,\na.B,10s,1,h,10,5,4,300,1,1,\n";
        let second = HEADER.to_owned() + "a.B,10s,0,,,,,,,,\na.B,10s,1,h,10,5,4,300,0,0,\n";
        let text = check(&first, &second, false, &["1 files are missing that were there"]);
        for expect in [
            "| branch coverage, % | 50.00 | 25.00 | -25.00 |",
            "| tests | 4.00 | 4.00 | +0.00 |",
            "| executions per second | 300.00 | 300.00 | +0.00 |",
            "| failing or flaky tests | 2.00 | 0.00 | -2.00 |",
            "| runs without a file, % | 0.00 | 50.00 | +50.00 |",
        ] {
            assert!(text.contains(expect), "{text}");
        }
    }
}
