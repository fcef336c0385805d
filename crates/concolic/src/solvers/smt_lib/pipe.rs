//! Solvers that are installed, by pipe: z3, cvc5 or bitwuzla, whichever is found first on the path. One process answers all queries, each
//! behind a `reset`, and is told how long it may take. An answer that comes later is passed over. One that cannot be started, ends, keeps
//! still or answers what is no answer is dropped, and all further answers are "absent": where a sandbox is around, it cannot be started again.
//!
//! Processes are started here and nowhere else in this crate, and without the helpers of `processes`, which it may not
//! use: a solver is no code under test and needs neither sandbox nor supervision.
//!
//! # Differences
//! Solvers count time and not steps, so that answers may differ from run to run.

use std::fmt;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use crate::solver::{Answer, Problem, Solver, SolverEntry, Why};
use crate::solvers::smt_lib::script::{Script, script};
use crate::solvers::smt_lib::values::read_values;
use crate::term::{Model, Plan, Sort};

/// The row of the table.
pub(crate) const ENTRY: SolverEntry = SolverEntry {
    name: "smt-lib",
    about: "a solver on the path (z3, cvc5 or bitwuzla) by pipe",
    make: || installed(None, Duration::from_secs(1)),
};

/// A solver that is installed, by the name of its program, or whichever is found first, with a limit for each query.
pub(crate) fn installed(program: Option<&str>, limit: Duration) -> Box<dyn Solver> {
    let known = COMMANDS.iter().filter(|command| program.is_none_or(|program| command.program == program));
    Box::new(SmtLib::new(known.copied().collect(), limit))
}

/// How solvers are called.
const COMMANDS: &[Command] = &[
    Command { program: "z3", words: &["-in", "-smt2"], limit: "timeout", reads_texts: true },
    Command {
        program: "cvc5",
        words: &["--lang=smt2", "--incremental", "--strings-exp"],
        limit: "tlimit-per",
        reads_texts: true,
    },
    Command { program: "bitwuzla", words: &[], limit: "time-limit-per", reads_texts: false },
];

/// How a solver is called.
#[derive(Debug, Clone, Copy)]
struct Command {
    program: &'static str,
    words: &'static [&'static str],
    /// Its option for how many milliseconds a query may take.
    limit: &'static str,
    /// Whether it has a theory of strings.
    reads_texts: bool,
}

/// How much longer an answer is waited for than solvers are given.
const PATIENCE: Duration = Duration::from_millis(100);

/// What a query is counted as, in nanoseconds: what another program does is not known, and what was measured would not repeat.
const QUERY: u64 = 5_000_000;

/// So many queries in a row without an answer in time, and a solver is taken for one that keeps still.
const MOST_LATE: u32 = 20;

/// What a solver says behind each answer.
const END: &str = "end-of-answer";

/// A solver by pipe.
#[derive(Debug)]
struct SmtLib {
    commands: Vec<Command>,
    limit: Duration,
    state: State,
    /// Queries in a row without an answer in time.
    late: u32,
}

#[derive(Debug)]
enum State {
    NotStarted,
    Running(Pipe),
    Dropped,
}

impl SmtLib {
    fn new(commands: Vec<Command>, limit: Duration) -> Self {
        Self { commands, limit, state: State::NotStarted, late: 0 }
    }

    fn start(&mut self) {
        let started = self.commands.iter().copied().find_map(Pipe::start);
        if started.is_none() {
            tracing::info!("no solver that reads SMT-LIB is installed");
        }
        self.state = started.map_or(State::Dropped, State::Running);
    }
}

impl Solver for SmtLib {
    fn prepare(&mut self) {
        if matches!(self.state, State::NotStarted) {
            self.start();
        }
    }

    fn solve(&mut self, problem: &Problem<'_>) -> Answer {
        let plan = Plan::new(problem.terms, problem.conditions);
        let script = match script(&plan) {
            Ok(script) => script,
            Err(what) => return Answer::Unknown(Why::NotModelled(what)),
        };
        self.prepare();
        let State::Running(pipe) = &mut self.state else { return Answer::Unknown(Why::Absent) };
        if script.has_texts && !pipe.command.reads_texts {
            return Answer::Unknown(Why::NotModelled("texts, which this solver does not read"));
        }
        let left = problem.limits.deadline.map(|deadline| deadline.at.saturating_sub(deadline.clock.now()));
        pipe.limit = left.map_or(self.limit, |left| left.min(self.limit));
        problem.work.count(1, QUERY);
        match pipe.answer((problem, &plan), &script) {
            Ok(answer) => {
                self.late = 0;
                return answer;
            }
            Err(Silence::Late) if self.late < MOST_LATE => {
                self.late += 1;
                return Answer::Unknown(Why::Time);
            }
            Err(Silence::Late | Silence::Broken) => {}
        }
        tracing::warn!("a solver that reads SMT-LIB gave no answer and is dropped");
        self.state = State::Dropped;
        Answer::Unknown(Why::Absent)
    }
}

/// A running solver.
struct Pipe {
    command: Command,
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    /// How long it may take for what it is asked.
    limit: Duration,
    /// Answers that did not come in time, and will come before that to the next question.
    owed: u32,
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Silence {
    /// It did not come in time.
    Late,
    /// The solver has ended, or what it says is no answer.
    Broken,
}

impl fmt::Debug for Pipe {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Pipe({})", self.child.id())
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        // It may have ended by itself. Where a sandbox allows no signal, the end of its input ends it.
        if self.child.kill().is_ok() {
            let _ = self.child.wait();
        }
    }
}

impl Pipe {
    fn start(command: Command) -> Option<Self> {
        let mut child = std::process::Command::new(command.program)
            .args(command.words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let (input, output) = (child.stdin.take()?, child.stdout.take()?);
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            let mut read = BufReader::new(output).lines().map_while(Result::ok);
            // The end of either side ends the thread.
            read.all(|line| sender.send(line).is_ok())
        });
        Some(Self { command, child, input, lines, limit: Duration::ZERO, owed: 0 })
    }

    /// What it prints for some commands.
    fn ask(&mut self, commands: &str) -> Result<String, Silence> {
        // Nothing is written before it has read what was: where it does not, the pipe would be full some day.
        while self.owed > 0 {
            self.read()?;
            self.owed -= 1;
        }
        let written = writeln!(self.input, "{commands}\n(echo \"{END}\")").and_then(|()| self.input.flush());
        written.map_err(|_| Silence::Broken)?;
        self.owed = 1;
        let answer = self.read()?;
        self.owed = 0;
        Ok(answer)
    }

    /// What it prints up to the end of an answer.
    fn read(&mut self) -> Result<String, Silence> {
        let mut answer = String::new();
        loop {
            let line = self.lines.recv_timeout(self.limit + PATIENCE).map_err(|error| match error {
                RecvTimeoutError::Timeout => Silence::Late,
                RecvTimeoutError::Disconnected => Silence::Broken,
            })?;
            if line.trim().trim_matches('"') == END {
                return Ok(answer);
            }
            answer.push_str(&line);
            answer.push('\n');
        }
    }

    fn answer(
        &mut self,
        (problem, plan): (&Problem<'_>, &Plan<'_>),
        script: &Script,
    ) -> Result<Answer, Silence> {
        let all = format!("{}{}", script.text, script.narrow);
        let mut answer = self.checked(plan, (&all, script.logic()))?;
        if let Answer::Model(model) = &answer
            && !script.units.is_empty()
            && !problem.holds(&problem.seed.with(model))
        {
            answer = self.checked(plan, (&format!("{all}{}", script.units), script.logic()))?;
        }
        if answer != Answer::Unsatisfiable || script.narrow.is_empty() {
            return Ok(answer);
        }
        // A model may not hold where operators are not said exactly, and is not asked for.
        let answer = match self.check(&script.text, script.logic())? {
            Checked::Satisfiable => Answer::Unknown(Why::Bounded),
            Checked::Unsatisfiable => Answer::Unsatisfiable,
            Checked::Unknown => Answer::Unknown(Why::Time),
        };
        Ok(answer)
    }

    fn checked(&mut self, plan: &Plan<'_>, (script, logic): (&str, &str)) -> Result<Answer, Silence> {
        Ok(match self.check(script, logic)? {
            Checked::Satisfiable => Answer::Model(self.model(plan)?),
            Checked::Unsatisfiable => Answer::Unsatisfiable,
            Checked::Unknown => Answer::Unknown(Why::Time),
        })
    }

    fn check(&mut self, script: &str, logic: &str) -> Result<Checked, Silence> {
        // Of z3, 0 is without end.
        let (option, limit) = (self.command.limit, self.limit.as_millis().max(1));
        let begin = format!(
            "(reset)\n(set-option :produce-models true)\n(set-option :{option} {limit})\n(set-logic {logic})"
        );
        let said = self.ask(&format!("{begin}\n{script}(check-sat)"))?;
        match said.trim() {
            "sat" => Ok(Checked::Satisfiable),
            "unsat" => Ok(Checked::Unsatisfiable),
            "unknown" | "timeout" => Ok(Checked::Unknown),
            _ => {
                tracing::debug!(said, script, "what a solver says is no answer");
                Err(Silence::Broken)
            }
        }
    }

    fn model(&mut self, plan: &Plan<'_>) -> Result<Model, Silence> {
        let inputs = plan.inputs();
        let names: Vec<String> =
            inputs.iter().map(|(_, _, register)| format!("i{}", register.index())).collect();
        let sorts: Vec<Sort> = inputs.iter().map(|&(_, sort, _)| sort).collect();
        let said = self.ask(&format!("(get-value ({}))", names.join(" ")))?;
        let values = read_values(&said, &sorts).ok_or(Silence::Broken)?;
        Ok(inputs.iter().map(|&(input, _, _)| input).zip(values).collect())
    }
}

/// What comes of a check.
#[derive(Debug, Clone, Copy)]
enum Checked {
    Satisfiable,
    Unsatisfiable,
    Unknown,
}

#[cfg(test)]
mod tests {
    use testcase::clock::Clock;

    use super::*;
    use crate::solver::{Deadline, Limits, Work};
    use crate::term::{InputId, Operator, Terms, Value};

    const NOBODY_HAS: Command = of("a-solver-that-nobody-has", &[]);

    const fn of(program: &'static str, words: &'static [&'static str]) -> Command {
        Command { program, words, limit: "timeout", reads_texts: true }
    }

    /// What commands make of `x < 0`, asked again and again, each time within these limits.
    fn check(commands: &[Command], expected: &[(Limits, &Answer)]) {
        let mut terms = Terms::new();
        let (x, zero) = (terms.input(InputId(0), Sort::Bits(32)), terms.int(0));
        let conditions = [terms.apply(Operator::SignedLess, &[x, zero])];
        let seed = Model::new();
        let mut solver = SmtLib::new(commands.to_vec(), Duration::from_secs(9));
        for &(limits, expected) in expected {
            let problem = Problem {
                terms: &terms,
                conditions: &conditions,
                seed: &seed,
                limits,
                work: &Work::default(),
            };
            assert_eq!(&solver.solve(&problem), expected, "{commands:?}");
        }
    }

    /// Limits of a deadline that has passed.
    fn late() -> Limits {
        let deadline = Some(Deadline { clock: Clock::start(), at: Duration::ZERO });
        Limits { deadline, ..Limits::default() }
    }

    #[test]
    fn a_solver_that_is_missing_ends_or_talks_nonsense_is_dropped() {
        let absent = &Answer::Unknown(Why::Absent);
        for command in [
            NOBODY_HAS,
            of("sh", &["-c", "exit 1"]),
            of("sh", &["-c", "echo maybe; echo end-of-answer; cat > /dev/null"]),
        ] {
            check(&[command], &[(Limits::default(), absent); 2]);
        }
    }

    #[test]
    fn a_solver_that_keeps_still_is_dropped_in_the_end() {
        let (time, absent) = (&Answer::Unknown(Why::Time), &Answer::Unknown(Why::Absent));
        let mut expected = vec![(late(), time); MOST_LATE as usize];
        expected.extend([(late(), absent); 2]);
        check(&[of("sh", &["-c", "cat > /dev/null"])], &expected);
    }

    /// Answers the first query when it gets the second: what comes late is not taken for the answer to another query.
    #[test]
    fn answers_that_come_late_are_passed_over() {
        const SCRIPT: &str = "while read line; do case $line in *check-sat*) [ $late ] && echo sat || echo unsat;; *get-value*) \
                              echo '((i0 #xfffffffe))';; *echo*) [ $late ] || sleep 0.25; late=yes; echo end-of-answer;; esac; \
                              done";
        let model = Answer::Model([(InputId(0), Value::int(-2))].into_iter().collect());
        let expected = [(late(), &Answer::Unknown(Why::Time)), (Limits::default(), &model)];
        check(&[of("sh", &["-c", SCRIPT])], &expected);
    }

    #[test]
    fn answers_are_read() {
        const SCRIPT: &str = "while read line; do case $line in *check-sat*) echo sat;; *get-value*) \
                              echo '((i0 #xfffffffe))';; *echo*) echo end-of-answer;; esac; done";
        let model = Answer::Model([(InputId(0), Value::int(-2))].into_iter().collect());
        check(&[NOBODY_HAS, of("sh", &["-c", SCRIPT])], &[(Limits::default(), &model); 2]);
    }
}
