//! The line protocol of the competition: what a harness says, and when it is answered. Knows nothing of what is done for a class.
//!
//! ```text
//! in   BENCHMARK, source folder, classes folder, N, N class-path entries, number of classes
//! out  READY
//! in   [seconds]
//!      class name          as often as there are classes, each with a budget in front of it or the first alone
//! out  READY
//! ```

use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use project::failure::Failure;
use testcase::clock::Clock;

/// What begins a benchmark.
const BENCHMARK: &str = "BENCHMARK";
/// What every step is answered with.
const READY: &str = "READY";
/// What to do about lines that are not understood.
const ASKED: &str = "give the lines that the competition's protocol says";

/// What is said of a benchmark before its classes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Benchmark {
    /// Folder with its classes.
    pub classes: PathBuf,
    /// What they need.
    pub class_path: Vec<PathBuf>,
    /// Classes to come; none where another pass only measures tests that are there.
    pub count: usize,
}

/// A class to write tests for.
#[derive(Debug)]
pub struct Challenge<'a> {
    /// Where it is from.
    pub benchmark: &'a Benchmark,
    /// Its binary name.
    pub class: &'a str,
    /// The budget that was said last, if one was.
    pub budget: Option<Duration>,
    /// Runs since it was named.
    pub clock: Clock,
}

/// Whether there is to be another class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// As many as were announced.
    Class,
    /// None: the user wants an end.
    Nothing,
}

/// Lines of a harness, waited for in the way of the caller.
struct Lines<'a> {
    input: &'a mut dyn BufRead,
    wait: &'a dyn Fn(&mut dyn FnMut()),
    number: usize,
}

impl Lines<'_> {
    /// The next line without the blanks around it; `None` at the end.
    fn next(&mut self) -> io::Result<Option<String>> {
        let mut line = String::new();
        let mut read = Ok(0);
        (self.wait)(&mut || read = self.input.read_line(&mut line));
        self.number += 1;
        Ok((read? > 0).then(|| line.trim().to_owned()))
    }

    fn expect(&mut self, expected: &str) -> anyhow::Result<String> {
        let line = self.next().context("the harness cannot be heard")?;
        line.ok_or_else(|| Failure::input(format!("the input ends where {expected} belongs; {ASKED}")).into())
    }

    fn wrong(&self, found: &str, expected: &str) -> Failure {
        let line = self.number;
        Failure::input(format!("line {line} is `{found}` where {expected} belongs; {ASKED}"))
    }

    fn number(&mut self, expected: &str) -> anyhow::Result<usize> {
        let found = self.expect(expected)?;
        found.parse().map_err(|_| self.wrong(&found, expected).into())
    }

    fn benchmark(&mut self) -> anyhow::Result<Benchmark> {
        let found = self.expect(BENCHMARK)?;
        if found != BENCHMARK {
            return Err(self.wrong(&found, BENCHMARK).into());
        }
        self.expect("the folder of the sources")?;
        let classes = self.expect("the folder of the classes")?.into();
        let entries = self.number("the number of class-path entries")?;
        let class_path = (0..entries).map(|_| self.expect("a class-path entry").map(PathBuf::from));
        let class_path = class_path.collect::<anyhow::Result<_>>()?;
        Ok(Benchmark { classes, class_path, count: self.number("the number of classes")? })
    }
}

/// Talks with a harness over these streams: `answer` is called with each class that it names, and returns when its tests are
/// there. `wait` calls what it is given, which waits for a line.
///
/// A line of digits is a budget in seconds, for the classes behind it until another one comes; any other line names a class. So
/// both harnesses are understood, those that say the budget before each class and those that say it once. The conversation
/// ends behind the last class, or with the input; where no class is announced, with the input alone, since a harness that only
/// measures may still say a budget.
///
/// # Errors
/// A line is not what it must be, or the streams break.
pub fn converse(
    input: &mut dyn BufRead,
    output: &mut dyn Write,
    wait: &dyn Fn(&mut dyn FnMut()),
    answer: &mut dyn FnMut(&Challenge<'_>) -> Next,
) -> anyhow::Result<()> {
    let mut lines = Lines { input, wait, number: 0 };
    let benchmark = lines.benchmark()?;
    ready(output)?;
    let (mut budget, mut answered) = (None, 0);
    while let Some(line) = lines.next().context("the harness cannot be heard")? {
        let clock = Clock::start();
        if line.is_empty() {
            continue;
        }
        if let Ok(seconds) = line.parse() {
            budget = Some(Duration::from_secs(seconds));
            continue;
        }
        let next = answer(&Challenge { benchmark: &benchmark, class: &line, budget, clock });
        ready(output)?;
        answered += 1;
        if next == Next::Nothing || answered == benchmark.count {
            break;
        }
    }
    Ok(())
}

fn ready(output: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(output, "{READY}").and_then(|()| output.flush()).context("the harness does not listen")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is answered to these lines, and which classes are worked on with which budget in seconds.
    fn talk(lines: &str, next: Next) -> (Result<(), String>, String, Vec<String>) {
        let (mut output, mut classes) = (Vec::new(), Vec::new());
        let mut answer = |challenge: &Challenge<'_>| {
            let budget = challenge.budget.map(|budget| budget.as_secs());
            classes.push(format!("{} {budget:?}", challenge.class));
            next
        };
        let input = lines.replace(' ', "\n");
        let said = converse(&mut input.as_bytes(), &mut output, &|wait| wait(), &mut answer);
        (said.map_err(|error| error.to_string()), String::from_utf8(output).unwrap(), classes)
    }

    fn check(lines: &str, readies: usize, expect: &[&str]) {
        let (said, output, classes) = talk(lines, Next::Class);
        assert_eq!((said, output), (Ok(()), "READY\n".repeat(readies)), "{lines}");
        assert_eq!(classes, expect, "{lines}");
    }

    #[test]
    fn a_budget_may_be_said_once_or_before_each_class() {
        check("BENCHMARK src bin 1 a.jar 2 10 p.A p.B ", 3, &["p.A Some(10)", "p.B Some(10)"]);
        check("BENCHMARK src bin 1 a.jar 2 10 p.A 30 p.B ", 3, &["p.A Some(10)", "p.B Some(30)"]);
        check("BENCHMARK src bin 0 1 p.A ", 2, &["p.A None"]);
    }

    #[test]
    fn the_conversation_ends_behind_the_last_class_or_with_the_input() {
        check("BENCHMARK src bin 0 1 10 p.A p.B ", 2, &["p.A Some(10)"]);
        check("BENCHMARK src bin 0 2 10 p.A", 2, &["p.A Some(10)"]);
        check("BENCHMARK src bin 0 2\r\n 10\r\n p.A\r\n ", 2, &["p.A Some(10)"]);
    }

    #[test]
    fn a_pass_that_only_measures_is_listened_to_up_to_its_end() {
        check("BENCHMARK src bin 2 a.jar b 0 10 ", 1, &[]);
    }

    #[test]
    fn no_class_follows_where_the_user_wants_an_end() {
        let (said, output, classes) = talk("BENCHMARK src bin 0 2 10 p.A p.B ", Next::Nothing);
        assert_eq!((said, output, classes.len()), (Ok(()), "READY\nREADY\n".to_owned(), 1));
    }

    #[test]
    fn what_is_not_the_protocol_is_said_with_its_line() {
        let check = |lines: &str, expect: &str| {
            let (said, output, _) = talk(lines, Next::Class);
            assert_eq!((said, output), (Err(format!("{expect}; {ASKED}")), String::new()), "{lines}");
        };
        check("HELLO src ", "line 1 is `HELLO` where BENCHMARK belongs");
        check("", "the input ends where BENCHMARK belongs");
        check("BENCHMARK src", "the input ends where the folder of the classes belongs");
        check("BENCHMARK src bin x ", "line 4 is `x` where the number of class-path entries belongs");
        check("BENCHMARK src bin 2 a.jar ", "the input ends where a class-path entry belongs");
        check("BENCHMARK src bin 0 -1 ", "line 5 is `-1` where the number of classes belongs");
    }
}
