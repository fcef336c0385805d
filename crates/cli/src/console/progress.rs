//! The line of a running class.

use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

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
    /// Executions per second.
    pub executions_per_second: f64,
}

/// A bar on the terminal; nothing elsewhere. It disappears when dropped.
#[derive(Debug)]
pub struct ClassLine {
    bar: ProgressBar,
    budget: Budget,
}

/// Steps of a bar.
const STEPS: u64 = 1000;

impl ClassLine {
    pub(super) fn new(bars: &MultiProgress, name: &str, budget: Budget) -> Self {
        let bar = bars.add(ProgressBar::new(STEPS));
        if let Ok(style) = ProgressStyle::with_template("{prefix} [{bar:24}] {msg}") {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_prefix(shortened(name));
        bar.set_message("starting");
        Self { bar, budget }
    }

    /// Shows how far the class is.
    pub fn show(&self, progress: &Progress) {
        self.bar.set_position((used(self.budget, progress) * STEPS as f64) as u64);
        self.bar.set_message(message(self.budget, progress));
    }
}

impl Drop for ClassLine {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// The part of the budget that is used, 0 to 1.
fn used(budget: Budget, progress: &Progress) -> f64 {
    let used = match budget {
        Budget::Time(time) => progress.elapsed.as_secs_f64() / time.as_secs_f64(),
        Budget::Executions(executions) => progress.executions as f64 / executions as f64,
    };
    used.clamp(0.0, 1.0)
}

fn message(budget: Budget, progress: &Progress) -> String {
    let coverage = match progress.goals {
        0 => String::new(),
        goals => format!("{:.0}% of {goals} goals, ", 100.0 * progress.covered as f64 / goals as f64),
    };
    let left = match budget {
        Budget::Time(time) => format!("{} s left", time.saturating_sub(progress.elapsed).as_secs()),
        Budget::Executions(executions) => {
            format!("{} executions left", executions.saturating_sub(progress.executions))
        }
    };
    let phase = match progress.phase {
        Phase::Start => "starting",
        Phase::Search => {
            return format!("{coverage}{:.0} executions/s, {left}", progress.executions_per_second);
        }
        Phase::Minimize => "minimizing",
        Phase::Assertions => "choosing assertions",
        Phase::Verify => "verifying",
    };
    format!("{coverage}{phase}, {left}")
}

/// The end of a long name: what tells classes apart.
fn shortened(name: &str) -> String {
    const WIDTH: usize = 30;
    let length = name.chars().count();
    if length <= WIDTH {
        return format!("{name:WIDTH$}");
    }
    format!("…{}", name.chars().skip(length - WIDTH + 1).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_shows_coverage_speed_and_what_is_left() {
        let progress = |phase| Progress {
            phase,
            elapsed: Duration::from_secs(15),
            goals: 200,
            covered: 150,
            executions: 30_000,
            executions_per_second: 2000.4,
        };
        let minute = Budget::Time(Duration::from_mins(1));
        let check = |budget, phase, expect| assert_eq!(message(budget, &progress(phase)), expect);
        check(minute, Phase::Search, "75% of 200 goals, 2000 executions/s, 45 s left");
        check(minute, Phase::Verify, "75% of 200 goals, verifying, 45 s left");
        check(
            Budget::Executions(40_000),
            Phase::Search,
            "75% of 200 goals, 2000 executions/s, 10000 executions left",
        );
        assert_eq!(used(minute, &progress(Phase::Search)), 0.25);
        assert_eq!(used(Budget::Executions(10), &progress(Phase::Search)), 1.0);
    }

    #[test]
    fn long_names_keep_their_end() {
        assert_eq!(shortened("a.B").chars().count(), 30);
        assert_eq!(shortened("org.apache.commons.lang3.text.StrTokenizer"), "…mmons.lang3.text.StrTokenizer");
    }
}
