//! `raw.csv`: a row per class, budget, seed and algorithm, written as soon as it is measured.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use serde_json::Value;

use crate::eval::trial::Trial;

/// Columns, with where they come from.
const COLUMNS: &[(&str, From)] = &[
    ("project", From::Trial),
    ("class", From::Trial),
    ("budget", From::Trial),
    ("seed", From::Trial),
    ("exit_code", From::Trial),
    ("wall", From::Trial),
    ("file_hash", From::Trial),
    ("branch_goals", From::Criterion("branch", "goals")),
    ("branch_covered", From::Criterion("branch", "covered")),
    ("line_goals", From::Criterion("line", "goals")),
    ("line_covered", From::Criterion("line", "covered")),
    ("tests", From::Report("/tests")),
    ("statements", From::Report("/statements")),
    ("executions", From::Report("/executions")),
    ("executions_per_second", From::Report("/executions_per_second")),
    ("start", From::Report("/seconds/start")),
    ("search", From::Report("/seconds/search")),
    ("minimize", From::Report("/seconds/minimize")),
    ("assertions", From::Report("/seconds/assertions")),
    ("verify", From::Report("/seconds/verify")),
    ("total", From::Report("/seconds/total")),
    ("first_covered", From::Report("/timeline/0/seconds")),
    ("archived", From::Report("/losses/archived")),
    ("minimized", From::Report("/losses/minimized")),
    ("compiled", From::Report("/losses/compiled")),
    ("verified", From::Report("/losses/verified")),
    ("budget_used", From::Report("/budget_used")),
    ("open_goals", From::Count("/open_goals")),
    ("judge_branch_cov", From::JudgeShare("/branch_cov", "/branch_total")),
    ("judge_line_cov", From::JudgeShare("/line_cov", "/line_total")),
    ("judge_test_files", From::Judge("/test_files")),
    ("judge_compiled_files", From::Judge("/compiled_files")),
    ("judge_tests", From::Judge("/tests")),
    ("judge_failing", From::Judge("/failing")),
    ("judge_flaky", From::Judge("/flaky")),
    ("judge_order_dependent", From::Judge("/order_dependent")),
    ("judge_mutation_score", From::JudgeShare("/mutation_score", "/mutants")),
    ("algorithm", From::Trial),
];

#[derive(Debug, Clone, Copy)]
enum From {
    /// The measurement itself.
    Trial,
    /// A JSON pointer into covolve's report.
    Report(&'static str),
    /// The length of a list of the report.
    Count(&'static str),
    /// A figure of a criterion of the report.
    Criterion(&'static str, &'static str),
    /// A JSON pointer into the judge's verdict.
    Judge(&'static str),
    /// Likewise to a share, and to what it is a share of: none of nothing is no share, and no miss.
    JudgeShare(&'static str, &'static str),
}

/// How a run ended, seen from outside.
#[derive(Debug, Clone, Default)]
pub(super) struct Ran {
    /// Exit code, `None` if a signal ended it.
    pub(super) code: Option<i32>,
    /// Seconds.
    pub(super) wall: f64,
    /// Tells test files with other bytes apart; empty if there is none.
    pub(super) file_hash: String,
}

/// A row: a cell per column, empty where nothing is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row(Vec<String>);

impl Row {
    pub(super) fn new(trial: &Trial<'_>, ran: &Ran, report: &Value, judged: &Value) -> Self {
        let criterion = |name: &str, figure: &str| {
            let criteria = report["criteria"].as_array()?;
            criteria.iter().find(|row| row["name"] == name).map(|row| cell(&row[figure]))
        };
        let cells = COLUMNS.iter().map(|(name, from)| match from {
            From::Trial => match *name {
                "project" => trial.subject.project.clone(),
                "class" => trial.subject.class.clone(),
                "budget" => trial.budget.to_owned(),
                "seed" => trial.seed.to_string(),
                "exit_code" => ran.code.map_or_else(|| "signal".to_owned(), |code| code.to_string()),
                "algorithm" => trial.algorithm.unwrap_or_default().to_owned(),
                "file_hash" => ran.file_hash.clone(),
                _ => format!("{:.3}", ran.wall),
            },
            From::Report(pointer) => report.pointer(pointer).map(cell).unwrap_or_default(),
            From::Count(pointer) => {
                let list = report.pointer(pointer).and_then(Value::as_array);
                list.map(|list| list.len().to_string()).unwrap_or_default()
            }
            From::Criterion(name, figure) => criterion(name, figure).unwrap_or_default(),
            From::Judge(pointer) => judged.pointer(pointer).map(cell).unwrap_or_default(),
            From::JudgeShare(_, of) if judged.pointer(of).and_then(Value::as_u64) == Some(0) => String::new(),
            From::JudgeShare(pointer, _) => judged.pointer(pointer).map(cell).unwrap_or_default(),
        });
        Self(cells.collect())
    }

    /// A row of a file with these columns.
    fn of_line(line: &str) -> Self {
        Self(line.split(',').map(str::to_owned).collect())
    }

    /// The cell of a column, `None` if it is empty or there is no such column.
    pub(crate) fn get(&self, column: &str) -> Option<&str> {
        let index = COLUMNS.iter().position(|(name, _)| *name == column)?;
        self.0.get(index).map(String::as_str).filter(|cell| !cell.is_empty())
    }

    /// The number in a column.
    pub(crate) fn number(&self, column: &str) -> Option<f64> {
        self.get(column)?.parse().ok()
    }

    /// The share of covered goals of a criterion.
    pub(crate) fn coverage(&self, criterion: &str) -> Option<f64> {
        let goals = self.number(&format!("{criterion}_goals")).filter(|goals| *goals > 0.0)?;
        Some(self.number(&format!("{criterion}_covered"))? / goals)
    }

    /// For a line of progress.
    pub(super) fn brief(&self) -> String {
        let percent =
            |share: Option<f64>| share.map_or("-".to_owned(), |share| format!("{:.1}%", 100.0 * share));
        format!(
            "exit {}, {} s, branch {}, judged {}",
            self.get("exit_code").unwrap_or("-"),
            self.get("wall").unwrap_or("-"),
            percent(self.coverage("branch")),
            percent(self.number("judge_branch_cov")),
        )
    }
}

/// A value as a cell: text without what separates cells.
fn cell(value: &Value) -> String {
    plain(value).replace([',', '\n', '"'], " ")
}

/// A value as text; nothing for null.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => value.to_string(),
    }
}

/// Reads the rows of a file that this or an older covolve wrote: cells that it has no column for are empty.
///
/// # Errors
/// It is no such file; the sentence does not name it.
pub(crate) fn read(text: &str) -> anyhow::Result<Vec<Row>> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let own = |name: &str| header.iter().position(|known| *known == name);
    if let Some(name) = ["class", "budget", "seed", "file_hash"].into_iter().find(|name| own(name).is_none())
    {
        bail!("it has no column {name}");
    }
    let places: Vec<Option<usize>> = COLUMNS.iter().map(|(name, _)| own(name)).collect();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let cell = |place: &Option<usize>| place.and_then(|place| cells.get(place)).copied().unwrap_or("");
        Row(places.iter().map(|place| cell(place).to_owned()).collect())
    };
    Ok(lines.filter(|line| !line.is_empty()).map(row).collect())
}

/// The file, with its rows in memory.
#[derive(Debug)]
pub(super) struct Raw {
    path: PathBuf,
    rows: Vec<Row>,
}

impl Raw {
    /// Opens a file, or begins a new one.
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        let header = COLUMNS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(",");
        let mut rows = Vec::new();
        if path.exists() {
            let text = fs::read_to_string(path)?;
            let mut lines = text.lines();
            if lines.next() != Some(&header) {
                bail!("{} has other columns; begin a new run", path.display());
            }
            rows.extend(lines.map(Row::of_line));
        } else {
            fs::write(path, format!("{header}\n"))
                .with_context(|| format!("{} cannot be written", path.display()))?;
        }
        Ok(Self { path: path.to_owned(), rows })
    }

    pub(super) fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Whether a trial has been measured.
    pub(super) fn has(&self, trial: &Trial<'_>) -> bool {
        let seed = trial.seed.to_string();
        self.rows.iter().any(|row| {
            row.get("class") == Some(&trial.subject.class)
                && row.get("budget") == Some(trial.budget)
                && row.get("seed") == Some(&seed)
                && row.get("algorithm") == trial.algorithm
        })
    }

    pub(super) fn add(&mut self, row: Row) -> anyhow::Result<()> {
        let mut file = OpenOptions::new().append(true).open(&self.path)?;
        writeln!(file, "{}", row.0.join(","))?;
        self.rows.push(row);
        Ok(())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use serde_json::json;

    use super::*;
    use crate::subject::Subject;

    pub(in crate::eval) fn row(
        class: &str,
        budget: &str,
        seed: u64,
        covered: u32,
        judged: Option<f64>,
    ) -> Row {
        let subject = Subject { project: "p".into(), coordinates: "g:a:1".into(), class: class.into() };
        let report = json!({
            "criteria": [{"name": "branch", "goals": 10, "covered": covered}], "executions_per_second": 1000.5,
            "seconds": {"total": 2.5}, "timeline": [{"seconds": 0.25}], "tests": 3,
            "budget_used": f64::from(covered) / 10.0, "open_goals": vec![json!({}); 10 - covered as usize],
        });
        let judged = judged.map_or(Value::Null, |share| {
            json!({"branch_cov": share, "test_files": 1, "compiled_files": 1, "failing": 0, "flaky": 1, "tests": 3})
        });
        let ran = Ran { code: Some(0), wall: 3.0, file_hash: String::new() };
        Row::new(&Trial { subject: &subject, budget, seed, algorithm: None }, &ran, &report, &judged)
    }

    #[test]
    fn a_share_of_nothing_is_no_miss() {
        let subject = Subject { project: "p".into(), coordinates: "g:a:1".into(), class: "p.C".into() };
        let trial = Trial { subject: &subject, budget: "10s", seed: 0, algorithm: None };
        let judged = json!({
            "branch_cov": 0.0, "branch_total": 0, "line_cov": 0.0, "line_total": 4, "mutation_score": 0.0, "mutants": 0
        });
        let row = Row::new(&trial, &Ran::default(), &Value::Null, &judged);
        let share = |column: &str| row.number(column);
        let shares = ["judge_branch_cov", "judge_line_cov", "judge_mutation_score"].map(share);
        assert_eq!(shares, [None, Some(0.0), None]);
    }

    #[test]
    fn rows_survive_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("raw.csv");
        let first = row("a.B", "10s", 0, 7, Some(0.65));
        Raw::open(&path).unwrap().add(first.clone()).unwrap();
        let raw = Raw::open(&path).unwrap();
        assert_eq!(raw.rows(), [first]);
        let subject = Subject { project: "p".into(), coordinates: "g:a:1".into(), class: "a.B".into() };
        let trial = |seed: u64, algorithm: Option<&'static str>| Trial {
            subject: &subject,
            budget: "10s",
            seed,
            algorithm,
        };
        assert!(raw.has(&trial(0, None)));
        assert!(!raw.has(&trial(1, None)) && !raw.has(&trial(0, Some("mio"))));
    }

    #[test]
    fn older_files_are_read_by_their_header() {
        let rows = read("seed,class,gone,budget,file_hash,tests\n3,a.B,x,10s,,7\n").unwrap();
        assert_eq!(
            (rows[0].get("class"), rows[0].get("seed"), rows[0].number("tests")),
            (Some("a.B"), Some("3"), Some(7.0))
        );
        assert_eq!((rows[0].get("algorithm"), rows[0].get("branch_goals")), (None, None));
        assert_eq!(read("class,jvm\n").unwrap_err().to_string(), "it has no column budget");
    }

    #[test]
    fn cells_are_found_by_column() {
        let row = row("a.B", "10s", 0, 7, Some(0.65));
        assert_eq!(row.coverage("branch"), Some(0.7));
        assert_eq!(row.number("judge_branch_cov"), Some(0.65));
        assert_eq!((row.get("line_goals"), row.get("total")), (None, Some("2.5")));
        assert_eq!((row.get("budget_used"), row.get("open_goals")), (Some("0.7"), Some("3")));
        assert_eq!(row.brief(), "exit 0, 3.000 s, branch 70.0%, judged 65.0%");
    }
}
