//! What a person sees: a bar per running class and a table on a terminal, plain lines elsewhere; with `--json` the
//! reports alone on standard output.
//!
//! * [`progress`]: running classes
//! * [`results`]: finished ones

pub mod progress;
pub mod results;

use std::io::{self, IsTerminal as _, Write};
use std::sync::{Mutex, PoisonError};

use indicatif::{MultiProgress, ProgressDrawTarget};

use crate::console::progress::ClassLine;
use crate::json::ClassReport;
use crate::options::Budget;

/// Where text goes.
pub type Sink = Box<dyn Write + Send>;

/// The console of a run.
pub struct Console {
    bars: MultiProgress,
    results: Results,
    /// Whether bars are drawn.
    draws: bool,
    /// Whether every open goal is listed.
    is_verbose: bool,
    out: Mutex<Sink>,
    notes: Mutex<Sink>,
}

/// How results are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Results {
    /// A table when all is done.
    Table,
    /// A line per class as it is done.
    Lines,
    /// A JSON object per class as it is done.
    Json,
}

impl std::fmt::Debug for Console {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Console").field("results", &self.results).finish_non_exhaustive()
    }
}

impl Console {
    /// The console for this process: bars if standard error is a terminal, a table if standard output is one.
    /// Results list every open goal when `verbose`.
    pub fn new(json: bool, verbose: bool) -> Self {
        let draws = io::stderr().is_terminal();
        let mut console = Self::plain(json, Box::new(io::stdout()), Box::new(io::stderr()));
        console.is_verbose = verbose;
        if !json && io::stdout().is_terminal() {
            console.results = Results::Table;
        }
        if draws {
            console.draws = true;
            console.bars.set_draw_target(ProgressDrawTarget::stderr());
        }
        console
    }

    /// A console without a terminal: results go to `out`, the rest to `notes`.
    pub fn plain(json: bool, out: Sink, notes: Sink) -> Self {
        Self {
            bars: MultiProgress::with_draw_target(ProgressDrawTarget::hidden()),
            results: if json { Results::Json } else { Results::Lines },
            draws: false,
            is_verbose: false,
            out: Mutex::new(out),
            notes: Mutex::new(notes),
        }
    }

    /// Says something on standard error, above the bars. One line, without line end.
    pub fn note(&self, text: &str) {
        self.bars.suspend(|| {
            let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
            // Nobody may be listening; that stops nothing.
            let _ = writeln!(notes, "covolve: {text}");
        });
    }

    /// Begins to show a class.
    pub fn class(&self, name: &str, budget: Budget) -> ClassLine {
        if !self.draws {
            self.note(&format!("{name}: started"));
        }
        ClassLine::new(&self.bars, name, budget)
    }

    /// Shows a result as soon as it is there.
    ///
    /// # Errors
    /// Standard output is closed.
    pub fn finished(&self, report: &ClassReport, budget: Budget) -> io::Result<()> {
        match self.results {
            Results::Table => Ok(()),
            Results::Lines => self.print(&results::line(report, budget, self.is_verbose)),
            Results::Json => self.print(&report.to_line()),
        }
    }

    /// Counts classes that are not worked on, and says how they are; with `--json` their reports are printed once more.
    ///
    /// # Errors
    /// Standard output is closed.
    pub fn unchanged(&self, reports: &[ClassReport], how: &str) -> io::Result<()> {
        match reports {
            [] => return Ok(()),
            [only] => self.note(&format!("1 class is {how} ({})", only.class)),
            _ => self.note(&format!("{} classes are {how}", reports.len())),
        }
        match self.results {
            Results::Table | Results::Lines => Ok(()),
            Results::Json => reports.iter().try_for_each(|report| self.print(&report.to_line())),
        }
    }

    /// Shows all results when everything is done.
    ///
    /// # Errors
    /// Standard output is closed.
    pub fn summary(&self, reports: &[&ClassReport], budget: Budget) -> io::Result<()> {
        match self.results {
            Results::Table => self.print(&results::table(reports, budget, self.is_verbose)),
            Results::Lines | Results::Json => Ok(()),
        }
    }

    fn print(&self, text: &str) -> io::Result<()> {
        self.bars.suspend(|| {
            let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
            writeln!(out, "{text}")?;
            out.flush()
        })
    }
}
