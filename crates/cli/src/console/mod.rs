//! What a person sees: a line per running class and a table on a terminal, plain lines elsewhere; with `--json` the
//! reports alone on standard output. No colour is used.
//!
//! * [`progress`]: running classes
//! * [`results`]: finished ones; [`summary`]: all of them

pub mod progress;
pub mod results;
pub mod summary;

use std::collections::BTreeSet;
use std::io::{self, IsTerminal as _, Write};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ::console::Term;
use indicatif::{MultiProgress, ProgressDrawTarget};

use crate::console::progress::{ClassLine, Lines};
use crate::console::summary::{Tally, summary};
use crate::generate::shares::Standing;
use crate::json::ClassReport;
use crate::options::Budget;

/// Where text goes.
pub type Sink = Box<dyn Write + Send>;

/// The console of a run.
pub struct Console {
    bars: MultiProgress,
    lines: Lines,
    results: Results,
    /// Whether lines are drawn.
    draws: bool,
    /// How often it was told how far all classes are.
    ticks: AtomicU32,
    /// Whether every open goal is listed.
    is_verbose: bool,
    out: Mutex<Sink>,
    notes: Mutex<Sink>,
    /// What was said there.
    said: Mutex<BTreeSet<String>>,
}

/// How it is said that a class is begun.
pub const STARTED: &str = ": started";

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

/// How often lines are drawn in a second: more is more than anybody reads, and flickers on slow terminals.
const HERTZ: u8 = 4;

/// Columns where nobody knows how many there are.
const COLUMNS: usize = 80;

/// How often [`Console::tick`] is to be called.
pub const TICK: Duration = Duration::from_millis(500);

/// Without a terminal it is said once in so many calls how far all classes are: a minute.
const TICKS_PER_LINE: u32 = 120;

/// Columns of the terminal, if there is one.
fn columns() -> usize {
    Term::stderr().size_checked().map_or(COLUMNS, |(_, columns)| usize::from(columns))
}

/// A name in so many columns. The middle is left out of a longer one: its package begins it, and its end tells it apart.
fn shortened(name: &str, columns: usize) -> String {
    let length = name.chars().count();
    if length <= columns {
        return name.to_owned();
    }
    let shown = columns.saturating_sub(1);
    let head = shown / 3;
    let start: String = name.chars().take(head).collect();
    let end: String = name.chars().skip(length - (shown - head)).collect();
    format!("{start}…{end}")
}

impl std::fmt::Debug for Console {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Console").field("results", &self.results).finish_non_exhaustive()
    }
}

impl Console {
    /// The console for this process: lines that move if standard error is a terminal, a table if standard output is one.
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
            console.bars.set_draw_target(ProgressDrawTarget::stderr_with_hz(HERTZ));
        }
        console
    }

    /// A console without a terminal: results go to `out`, the rest to `notes`.
    pub fn plain(json: bool, out: Sink, notes: Sink) -> Self {
        let bars = MultiProgress::with_draw_target(ProgressDrawTarget::hidden());
        // Lines are written over, not taken away first: a slow terminal would show that.
        bars.set_move_cursor(true);
        Self {
            lines: Lines::new(bars.clone()),
            bars,
            ticks: AtomicU32::new(0),
            results: if json { Results::Json } else { Results::Lines },
            draws: false,
            is_verbose: false,
            out: Mutex::new(out),
            notes: Mutex::new(notes),
            said: Mutex::default(),
        }
    }

    /// Says something on standard error, above the lines of classes. One line, without line end.
    pub fn note(&self, text: &str) {
        self.bars.suspend(|| {
            let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
            // Nobody may be listening; that stops nothing.
            let _ = writeln!(notes, "covolve: {text}");
        });
        self.said.lock().unwrap_or_else(PoisonError::into_inner).insert(text.to_owned());
    }

    /// As [`Console::note`], unless that was said before.
    pub fn note_once(&self, text: &str) {
        if !self.said.lock().unwrap_or_else(PoisonError::into_inner).contains(text) {
            self.note(text);
        }
    }

    /// Begins to show a class.
    pub fn class(&self, name: &str, budget: Budget) -> ClassLine {
        if !self.draws {
            self.note(&format!("{name}{STARTED}"));
        }
        self.lines.class(name, budget)
    }

    /// Shows how far all classes are; to be called once in [`TICK`]. Without a terminal a line is said of it now and then.
    pub fn tick(&self, standing: &Standing) {
        if standing.all < 2 {
            return;
        }
        if self.draws {
            self.lines.total(standing);
        } else if (self.ticks.fetch_add(1, Ordering::Relaxed) + 1).is_multiple_of(TICKS_PER_LINE) {
            self.note(&progress::total(standing));
        }
    }

    /// Takes the lines of classes away.
    pub fn clear(&self) {
        self.lines.clear();
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

    /// Shows all results when everything is done, and where there is more than one, what they come to.
    ///
    /// # Errors
    /// Standard output is closed.
    pub fn summary(&self, tally: &Tally<'_>, budget: Budget) -> io::Result<()> {
        self.clear();
        let columns = match self.results {
            Results::Json => return Ok(()),
            Results::Table => {
                Term::stdout().size_checked().map_or(COLUMNS, |(_, columns)| usize::from(columns))
            }
            Results::Lines => COLUMNS,
        };
        if self.results == Results::Table && !tally.reports.is_empty() {
            self.print(&results::table(&tally.reports, budget, self.is_verbose, columns))?;
        }
        if tally.reports.len() > 1 { self.print(&format!("\n{}", summary(tally, columns))) } else { Ok(()) }
    }

    fn print(&self, text: &str) -> io::Result<()> {
        self.bars.suspend(|| {
            let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
            writeln!(out, "{text}")?;
            out.flush()
        })
    }
}

/// What tests of this crate read again.
#[cfg(test)]
#[derive(Clone, Default)]
pub(crate) struct Said(std::sync::Arc<Mutex<Vec<u8>>>);

#[cfg(test)]
impl Said {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

#[cfg(test)]
impl Write for Said {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_keep_their_ends() {
        assert_eq!(shortened("a.B", 30), "a.B");
        assert_eq!(
            shortened("org.apache.commons.lang3.text.StrTokenizer", 30),
            "org.apach…g3.text.StrTokenizer"
        );
        assert_eq!(shortened("org.apache", 1), "…");
    }

    #[test]
    fn without_a_terminal_it_is_said_once_a_minute_how_far_all_are() {
        let notes = Said::default();
        let console = Console::plain(false, Box::new(io::sink()), Box::new(notes.clone()));
        let standing = |done| Standing { done, all: 9, left: Some(Duration::from_secs(200)) };
        for tick in 1..=300 {
            console.tick(&standing(tick / 60));
        }
        let expect = "covolve: 2 of 9 classes done, 4 min left at most\ncovolve: 4 of 9 classes done, 4 min left at most\n";
        assert_eq!(notes.text(), expect);
    }
}
