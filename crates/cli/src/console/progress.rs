//! The lines of running classes, and the line of all together.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use super::{columns, shortened};
use crate::generate::shares::Standing;
use crate::options::Budget;

/// What a class is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// The JVM starts, the class is analysed.
    Start,
    /// The search.
    Search,
    /// Minimization.
    Minimize,
    /// Assertions.
    Assertions,
    /// Printing, compiling, running.
    Verify,
}

/// How far a class is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// What it is doing.
    pub phase: Phase,
    /// Time since its class path was known.
    pub elapsed: Duration,
    /// Goals.
    pub goals: usize,
    /// Goals covered so far.
    pub covered: usize,
    /// Executions so far.
    pub executions: u64,
}

/// The lines on the terminal. A class that begins takes the first line that is free, and no other line moves.
#[derive(Debug, Clone)]
pub(super) struct Lines {
    all: MultiProgress,
    /// The lines, with whether a class is shown there.
    of_classes: Arc<Mutex<Vec<(ProgressBar, bool)>>>,
    total: ProgressBar,
}

/// A line on the terminal; nothing elsewhere. It is free for another class when dropped.
#[derive(Debug)]
pub struct ClassLine {
    lines: Lines,
    number: usize,
    bar: ProgressBar,
    name: String,
    budget: Budget,
}

impl Lines {
    pub(super) fn new(all: MultiProgress) -> Self {
        let total = all.add(line());
        Self { all, of_classes: Arc::default(), total }
    }

    /// Shows a class.
    pub(super) fn class(&self, name: &str, budget: Budget) -> ClassLine {
        let mut lines = self.of_classes.lock().unwrap_or_else(PoisonError::into_inner);
        let number = lines.iter().position(|(_, is_taken)| !is_taken).unwrap_or(lines.len());
        if number == lines.len() {
            lines.push((self.all.insert_before(&self.total, line()), true));
        }
        lines[number].1 = true;
        let bar = lines[number].0.clone();
        drop(lines);
        let shown = ClassLine { lines: self.clone(), number, bar, name: name.to_owned(), budget };
        let start =
            Progress { phase: Phase::Start, elapsed: Duration::ZERO, goals: 0, covered: 0, executions: 0 };
        shown.show(&start);
        shown
    }

    /// Shows how far all classes are.
    pub(super) fn total(&self, standing: &Standing) {
        self.total.set_message(total(standing));
    }

    /// Takes all lines away.
    pub(super) fn clear(&self) {
        self.of_classes.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.total.set_message("");
        // A terminal that is gone shows nothing any more.
        let _ = self.all.clear();
    }
}

/// A line that holds what it is told.
fn line() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{msg}") {
        bar.set_style(style);
    }
    bar
}

impl ClassLine {
    /// Shows how far the class is.
    pub fn show(&self, progress: &Progress) {
        if !self.bar.is_hidden() {
            self.bar.set_message(class(&self.name, self.budget, progress, columns()));
        }
    }
}

impl Drop for ClassLine {
    fn drop(&mut self) {
        self.bar.set_message("");
        let mut lines = self.lines.of_classes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, is_taken)) = lines.get_mut(self.number) {
            *is_taken = false;
        }
    }
}

/// The line of a class, on a terminal of so many columns: what it is doing, its goals and the time left stand below those of the others.
fn class(name: &str, budget: Budget, progress: &Progress, columns: usize) -> String {
    let Progress { phase, elapsed, goals, covered, executions } = *progress;
    let phase = match phase {
        Phase::Start => "starting",
        Phase::Search => "searching",
        Phase::Minimize => "minimizing",
        Phase::Assertions => "asserting",
        Phase::Verify => "verifying",
    };
    let goals = if goals == 0 { String::new() } else { format!("{covered} of {goals}") };
    let left = match budget {
        Budget::Time(time) => format!("{} left", words(time.saturating_sub(elapsed))),
        Budget::Executions(all) => format!("{} runs left", all.saturating_sub(executions)),
    };
    let told = format!("{phase:10}  {goals:>14}  {left:>15}");
    // In the last column some terminals go on to the next line.
    let room = columns.saturating_sub(told.chars().count() + 3).max(LEAST_NAME);
    let name = shortened(name, room);
    format!("{name:room$}  {told}").chars().take(columns.saturating_sub(1)).collect()
}

/// What of a name is shown on the narrowest terminal.
const LEAST_NAME: usize = 12;

/// What is behind the numbers of [`total`].
pub(crate) const DONE: &str = " classes done";

/// How far all classes are.
pub(super) fn total(standing: &Standing) -> String {
    let Standing { done, all, left } = standing;
    let left = left.map_or_else(String::new, |left| format!(", {} left at most", words(left)));
    format!("{done} of {all}{DONE}{left}")
}

/// A time that is left, in words: whole units, rounded up.
fn words(time: Duration) -> String {
    let seconds = time.as_secs() + u64::from(time.subsec_nanos() > 0);
    let minutes = seconds.div_ceil(60);
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{minutes} min"),
        _ => format!("{} h {:02} min", minutes / 60, minutes % 60),
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;

    /// Classes in all phases on a terminal of so many columns.
    fn screen(columns: usize) -> String {
        let minute = Budget::Time(Duration::from_mins(1));
        let at = |phase, seconds, goals, covered| Progress {
            phase,
            elapsed: Duration::from_secs(seconds),
            goals,
            covered,
            executions: 7_000,
        };
        let classes = [
            ("a.B", minute, at(Phase::Start, 0, 0, 0)),
            ("org.apache.commons.lang3.text.StrTokenizer", minute, at(Phase::Search, 15, 2000, 1500)),
            (
                "org.springframework.beans.factory.config.AutowireCapableBeanFactory",
                Budget::Time(Duration::from_mins(90)),
                at(Phase::Minimize, 60, 12_345, 12_000),
            ),
            ("a.Executions", Budget::Executions(20_000), at(Phase::Assertions, 9, 9, 8)),
            ("a.Late", minute, at(Phase::Verify, 75, 9, 9)),
        ];
        let lines = classes.iter().map(|(name, budget, progress)| class(name, *budget, progress, columns));
        let standing = Standing { done: 12, all: 1000, left: Some(Duration::from_secs(1741)) };
        lines.chain([total(&standing)]).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn running_classes_on_eighty_columns() {
        let screen = screen(80);
        assert!(screen.lines().all(|line| line.chars().count() < 80));
        assert_snapshot!(screen, @"
        a.B                                 starting                         1 min left
        org.apache.…ang3.text.StrTokenizer  searching     1500 of 2000        45 s left
        org.springf…wireCapableBeanFactory  minimizing  12000 of 12345  1 h 29 min left
        a.Executions                        asserting           8 of 9  13000 runs left
        a.Late                              verifying           9 of 9         0 s left
        12 of 1000 classes done, 30 min left at most
        ");
    }

    #[test]
    fn running_classes_on_a_hundred_and_twenty_columns() {
        assert_snapshot!(screen(120), @"
        a.B                                                                         starting                         1 min left
        org.apache.commons.lang3.text.StrTokenizer                                  searching     1500 of 2000        45 s left
        org.springframework.beans.factory.config.AutowireCapableBeanFactory         minimizing  12000 of 12345  1 h 29 min left
        a.Executions                                                                asserting           8 of 9  13000 runs left
        a.Late                                                                      verifying           9 of 9         0 s left
        12 of 1000 classes done, 30 min left at most
        ");
    }

    #[test]
    fn a_narrow_terminal_cuts_lines_and_never_breaks_them() {
        assert!(screen(20).lines().take(5).all(|line| line.chars().count() == 19));
    }

    #[test]
    fn times_are_rounded_up() {
        let check = |milliseconds, expect| assert_eq!(words(Duration::from_millis(milliseconds)), expect);
        check(0, "0 s");
        check(1, "1 s");
        check(59_000, "59 s");
        check(59_001, "1 min");
        check(61_000, "2 min");
        check(3_540_000, "59 min");
        check(3_600_000, "1 h 00 min");
        check(5_340_001, "1 h 30 min");
    }

    #[test]
    fn where_nobody_knows_how_long_it_takes_nothing_is_said_of_it() {
        assert_eq!(total(&Standing { done: 1, all: 2, left: None }), "1 of 2 classes done");
    }

    #[test]
    fn a_class_takes_the_place_of_the_one_that_is_done() {
        let lines = Lines::new(MultiProgress::with_draw_target(indicatif::ProgressDrawTarget::hidden()));
        let begin = |name: &str| lines.class(name, Budget::Executions(1));
        let (first, second) = (begin("a"), begin("b"));
        assert_eq!((first.number, second.number), (0, 1));
        drop(first);
        let (third, fourth) = (begin("c"), begin("d"));
        assert_eq!((third.number, fourth.number), (0, 2));
    }
}
