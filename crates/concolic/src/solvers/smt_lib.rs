//! Solvers that are installed, by pipe: z3, cvc5 or bitwuzla, whichever is found first on the path, in the language of SMT-LIB
//! 2.6 (`QF_BVFP`). One process answers all queries between `push` and `pop`. One that cannot be started, ends, keeps still or
//! answers what is no answer is dropped, and all further answers are "absent".
//!
//! Processes are started here and nowhere else in this crate, and without the helpers of `processes`, which it may not
//! use: a solver is no code under test and needs neither sandbox nor supervision.
//!
//! # Differences
//! Solvers count time and not steps, so that answers may differ from run to run. Texts and remainders of floats are not
//! printed.

use std::fmt;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::solver::{Answer, Problem, Solver, SolverEntry, Why};
use crate::solvers::smt_lib_text::{read_numbers, script};
use crate::term::{Model, Plan, Sort, Value};

/// The row of the table.
pub(crate) const ENTRY: SolverEntry = SolverEntry {
    name: "smt-lib",
    about: "a solver on the path (z3, cvc5 or bitwuzla) by pipe, for bits and floats",
    make: || Box::new(SmtLib::new(COMMANDS)),
};

/// How solvers are called, with a limit of a second for each query.
const COMMANDS: &[&[&str]] = &[
    &["z3", "-in", "-smt2", "-t:1000"],
    &["cvc5", "--lang=smt2", "--incremental", "--tlimit-per=1000"],
    &["bitwuzla", "--time-limit-per", "1000"],
];

/// How long an answer is waited for: more than solvers are given.
const PATIENCE: Duration = Duration::from_secs(4);

/// What a solver says behind each answer.
const END: &str = "end-of-answer";

/// A solver by pipe.
#[derive(Debug)]
struct SmtLib {
    commands: &'static [&'static [&'static str]],
    state: State,
}

#[derive(Debug)]
enum State {
    NotStarted,
    Running(Pipe),
    Dropped,
}

impl SmtLib {
    fn new(commands: &'static [&'static [&'static str]]) -> Self {
        Self { commands, state: State::NotStarted }
    }

    fn start(&mut self) {
        let started = self.commands.iter().find_map(|command| Pipe::start(command));
        if started.is_none() {
            tracing::info!("no solver that reads SMT-LIB is installed");
        }
        self.state = started.map_or(State::Dropped, State::Running);
    }
}

impl Solver for SmtLib {
    fn solve(&mut self, problem: &Problem<'_>) -> Answer {
        let plan = Plan::new(problem.terms, problem.conditions);
        let script = match script(&plan) {
            Ok(script) => script,
            Err(what) => return Answer::Unknown(Why::NotModelled(what)),
        };
        if matches!(self.state, State::NotStarted) {
            self.start();
        }
        let State::Running(pipe) = &mut self.state else { return Answer::Unknown(Why::Absent) };
        let left = problem.limits.deadline.map(|deadline| deadline.at.saturating_sub(deadline.clock.now()));
        let patience = left.map_or(PATIENCE, |left| left.min(PATIENCE));
        if let Some(answer) = pipe.answer(&plan, &script, patience) {
            return answer;
        }
        tracing::warn!("a solver that reads SMT-LIB gave no answer and is dropped");
        self.state = State::Dropped;
        Answer::Unknown(Why::Absent)
    }
}

/// A running solver.
struct Pipe {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl fmt::Debug for Pipe {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Pipe({})", self.child.id())
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Pipe {
    fn start(command: &[&str]) -> Option<Self> {
        let (program, arguments) = command.split_first()?;
        let mut child = Command::new(program)
            .args(arguments)
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
        let mut pipe = Self { child, input, lines };
        writeln!(pipe.input, "(set-option :produce-models true)\n(set-logic QF_BVFP)").ok()?;
        Some(pipe)
    }

    /// What it prints for some commands; `None` if it does not come to their end in time.
    fn ask(&mut self, commands: &str, patience: Duration) -> Option<String> {
        writeln!(self.input, "{commands}\n(echo \"{END}\")").ok()?;
        self.input.flush().ok()?;
        let mut answer = String::new();
        loop {
            let line = self.lines.recv_timeout(patience).ok()?;
            if line.trim().trim_matches('"') == END {
                return Some(answer);
            }
            answer.push_str(&line);
            answer.push('\n');
        }
    }

    fn answer(&mut self, plan: &Plan<'_>, script: &str, patience: Duration) -> Option<Answer> {
        let said = self.ask(&format!("(push 1)\n{script}(check-sat)"), patience)?;
        let answer = match said.trim() {
            "sat" => Answer::Model(self.model(plan, patience)?),
            "unsat" => Answer::Unsatisfiable,
            "unknown" | "timeout" => Answer::Unknown(Why::Time),
            _ => return None,
        };
        self.ask("(pop 1)", patience)?;
        Some(answer)
    }

    fn model(&mut self, plan: &Plan<'_>, patience: Duration) -> Option<Model> {
        let names: Vec<String> =
            plan.inputs().iter().map(|(_, _, register)| format!("i{}", register.index())).collect();
        let said = self.ask(&format!("(get-value ({}))", names.join(" ")), patience)?;
        let numbers = read_numbers(&said, names.len())?;
        let inputs = plan.inputs().iter().zip(numbers);
        Some(inputs.map(|(&(input, sort, _), number)| (input, of_number(sort, number))).collect())
    }
}

/// The value of a sort that is printed as a number: truth, bits, raw bits.
fn of_number(sort: Sort, number: u64) -> Value {
    match sort {
        Sort::Bool => Value::Bool(number != 0),
        Sort::Bits(width) => Value::bits(width, number),
        Sort::Float => Value::Float(f32::from_bits(number as u32)),
        Sort::Double => Value::Double(f64::from_bits(number)),
        Sort::Text => Value::zero(sort),
    }
}

#[cfg(test)]
mod tests {
    use testcase::clock::Clock;

    use super::*;
    use crate::solver::{Deadline, Limits};
    use crate::term::{InputId, Operator, Terms};

    /// What a command makes of `x < 0`, twice.
    fn check(commands: &'static [&'static [&'static str]], expected: [&Answer; 2], limits: Limits) {
        let mut terms = Terms::new();
        let (x, zero) = (terms.input(InputId(0), Sort::Bits(32)), terms.int(0));
        let conditions = [terms.apply(Operator::SignedLess, &[x, zero])];
        let seed = Model::new();
        let mut solver = SmtLib::new(commands);
        for expected in expected {
            let problem = Problem { terms: &terms, conditions: &conditions, seed: &seed, limits };
            assert_eq!(&solver.solve(&problem), expected, "{commands:?}");
        }
    }

    #[test]
    fn a_solver_that_is_missing_ends_or_talks_nonsense_is_dropped() {
        let absent = &Answer::Unknown(Why::Absent);
        let commands: [&[&[&str]]; 3] = [
            &[&["a-solver-that-nobody-has"]],
            &[&["sh", "-c", "exit 1"]],
            &[&["sh", "-c", "echo maybe; echo end-of-answer; cat > /dev/null"]],
        ];
        for command in commands {
            check(command, [absent, absent], Limits::default());
        }
    }

    #[test]
    fn a_solver_that_keeps_still_is_dropped_at_the_deadline() {
        let deadline = Some(Deadline { clock: Clock::start(), at: Duration::ZERO });
        let absent = &Answer::Unknown(Why::Absent);
        check(
            &[&["sh", "-c", "cat > /dev/null"]],
            [absent, absent],
            Limits { deadline, ..Limits::default() },
        );
    }

    #[test]
    fn answers_are_read() {
        const SCRIPT: &str = "while read line; do case $line in *check-sat*) echo sat;; *get-value*) \
                              echo '((i0 #xfffffffe))';; *echo*) echo end-of-answer;; esac; done";
        let model = Answer::Model([(InputId(0), Value::int(-2))].into_iter().collect());
        check(&[&["a-solver-that-nobody-has"], &["sh", "-c", SCRIPT]], [&model, &model], Limits::default());
    }
}
