//! The tables of `--report`: `statistics.csv`, `goals.csv` and `timeline.csv`, to which every run appends its rows.
//!
//! Names of columns are those of the field's reference tool wherever it has them, so that scripts written for its
//! `statistics.csv` read ours. Coverage is that of the delivered file; what has a moment (timelines, the execution at which
//! a goal was covered) is told of the search, before minimization and verification.
//!
//! * [`rows`]: columns and rows
//! * [`table`]: a file with a header that rows are appended to

mod rows;
mod table;

use std::path::Path;
use std::time::Duration;

use project::failure::Failure;
use project::test_sources::check_folder;

use crate::generate::Report;
use crate::options::{Budget, Names, Options, ReportOptions};
use rows::{
    check_columns, goal_header, goal_rows, statistics_header, statistics_row, timeline_header, timeline_rows,
};
use table::Table;

/// A goal at the end of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct GoalRecord {
    /// A name that is the same in every run, as long as the class file is.
    pub id: String,
    /// The goal, in one sentence.
    pub goal: String,
    /// Its criterion.
    pub criterion: String,
    /// Binary name of the class that holds it.
    pub class: String,
    /// Its method, name and descriptor.
    pub method: String,
    /// Its source line, if one is recorded.
    pub line: Option<u32>,
    /// What became of it.
    pub status: GoalStatus,
    /// The test methods of the file that cover it, first to last.
    pub tests: Vec<String>,
    /// Of a mutant that tests had to infect: those that kill it, as far as that was looked at.
    pub killers: Vec<String>,
    /// The best fitness of a run of the search: 0 where one covered it; `None` where no run came nearer than any run is.
    pub fitness: Option<f64>,
    /// The kind of reason why the file does not cover it, one of those in the schema of the JSON report.
    pub reason: Option<String>,
    /// When the search covered it first.
    pub found: Option<Found>,
}

/// A moment of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// Executions so far, that one included.
    pub executions: u64,
    /// Time since the class path was known.
    pub elapsed: Duration,
}

/// What became of a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GoalStatus {
    /// The delivered file covers it.
    Covered,
    /// The search covered it, the file does not.
    Lost,
    /// Nothing covered it.
    Open,
    /// The project's own tests cover it: no test was made for it.
    Existing,
}

impl GoalStatus {
    const ALL: [Self; 4] = [Self::Covered, Self::Lost, Self::Open, Self::Existing];

    /// How tables say it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Covered => "covered",
            Self::Lost => "lost",
            Self::Open => "open",
            Self::Existing => "existing",
        }
    }

    /// The status that tables say so.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }
}

/// What `--columns` takes in any run that has a timeline.
pub fn column_names() -> Vec<String> {
    rows::column_names()
}

/// The tests of a goal, from the columns `tests` and `killers` of `goals.csv`.
pub fn split_tests(cell: &str) -> Vec<String> {
    cell.split(rows::BETWEEN_TESTS).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// The tables of a run.
#[derive(Debug)]
pub struct Statistics {
    run: Run,
    classes: Table,
    goals: Table,
    timeline: Table,
}

/// What all rows of a run have in common.
#[derive(Debug)]
struct Run {
    options: ReportOptions,
    budget: Budget,
    /// Criteria asked for, in the order of the table.
    criteria: Vec<String>,
    /// All criteria that there are: each has a column, so that runs with different ones fit into a file.
    all_criteria: Vec<String>,
}

impl Statistics {
    /// Checks that the tables asked for can take the rows of this run. Nothing is written.
    ///
    /// # Errors
    /// The folder cannot be written, or a file in it has other columns.
    pub fn new(options: &Options, names: Names<'_>) -> Result<Option<Self>, Failure> {
        let Some(report) = &options.report else { return Ok(None) };
        let folder = &report.folder;
        let run = Run {
            options: report.clone(),
            budget: options.budget,
            criteria: options.criteria.clone(),
            all_criteria: names.criteria.iter().map(|&name| name.to_owned()).collect(),
        };
        check_columns(&run)?;
        check_folder(folder, folder, "tables", "--report")?;
        let statistics = Self {
            classes: Table::new(folder.join("statistics.csv"), statistics_header(&run)),
            goals: Table::new(folder.join("goals.csv"), goal_header()),
            timeline: Table::new(folder.join("timeline.csv"), timeline_header()),
            run,
        };
        for table in [&statistics.classes, &statistics.goals, &statistics.timeline] {
            table.check()?;
        }
        Ok(Some(statistics))
    }

    /// Appends the rows of these classes.
    ///
    /// # Errors
    /// A file cannot be written, or has got other columns meanwhile.
    pub fn append(&self, reports: &[Report]) -> Result<(), Failure> {
        let run = &self.run;
        self.classes.append(reports.iter().map(|report| statistics_row(run, report)))?;
        self.goals.append(reports.iter().flat_map(|report| goal_rows(run, report)))?;
        self.timeline.append(reports.iter().flat_map(|report| timeline_rows(run, report)))
    }

    /// Appends the rows of the tables that another run has written into this folder, with the same options; none where it has not
    /// come to that.
    ///
    /// # Errors
    /// They cannot be read, or as for [`Statistics::append`].
    pub fn append_from(&self, folder: &Path) -> Result<(), Failure> {
        [&self.classes, &self.goals, &self.timeline]
            .into_iter()
            .try_for_each(|table| table.append_from(folder))
    }
}
