//! Solvers that are installed, by pipe: z3, cvc5 or bitwuzla, whichever is found first on the path. One process answers all queries, each
//! behind a `reset`. One that cannot be started, ends, keeps still or answers what is no answer is dropped, and all further answers are "absent".
//!
//! Processes are started here and nowhere else in this crate, and without the helpers of `processes`, which it may not
//! use: a solver is no code under test and needs neither sandbox nor supervision.
//!
//! # Differences
//! Solvers count time and not steps, so that answers may differ from run to run.

use std::fmt;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
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
    let commands = known.map(|command| command.called(limit)).collect();
    Box::new(SmtLib::new(commands, limit))
}

/// How solvers are called.
const COMMANDS: &[Command] = &[
    Command { program: "z3", words: &["-in", "-smt2", "-t:"], reads_texts: true },
    Command {
        program: "cvc5",
        words: &["--lang=smt2", "--incremental", "--strings-exp", "--tlimit-per="],
        reads_texts: true,
    },
    Command { program: "bitwuzla", words: &["--time-limit-per", ""], reads_texts: false },
];

/// How a solver is called.
#[derive(Debug)]
struct Command {
    program: &'static str,
    /// Behind the last one comes the limit for a query, in milliseconds.
    words: &'static [&'static str],
    /// Whether it has a theory of strings.
    reads_texts: bool,
}

impl Command {
    fn called(&self, limit: Duration) -> Called {
        let words = std::iter::once(&self.program).chain(self.words);
        let mut words: Vec<String> = words.map(|&word| word.to_owned()).collect();
        if let Some(last) = words.last_mut() {
            last.push_str(&limit.as_millis().to_string());
        }
        Called { words, reads_texts: self.reads_texts }
    }
}

/// A command line, and what it reads.
#[derive(Debug)]
struct Called {
    words: Vec<String>,
    reads_texts: bool,
}

/// How much longer an answer is waited for than solvers are given.
const PATIENCE: Duration = Duration::from_secs(3);

/// What a solver says behind each answer.
const END: &str = "end-of-answer";

/// A solver by pipe.
#[derive(Debug)]
struct SmtLib {
    commands: Vec<Called>,
    limit: Duration,
    state: State,
}

#[derive(Debug)]
enum State {
    NotStarted,
    Running(Pipe),
    Dropped,
}

impl SmtLib {
    fn new(commands: Vec<Called>, limit: Duration) -> Self {
        Self { commands, limit, state: State::NotStarted }
    }

    fn start(&mut self) {
        let started = self.commands.iter().find_map(Pipe::start);
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
        if script.has_texts && !pipe.reads_texts {
            return Answer::Unknown(Why::NotModelled("texts, which this solver does not read"));
        }
        let left = problem.limits.deadline.map(|deadline| deadline.at.saturating_sub(deadline.clock.now()));
        let patience = self.limit + PATIENCE;
        let patience = left.map_or(patience, |left| left.min(patience));
        if let Some(answer) = pipe.answer((problem, &plan), &script, patience) {
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
    reads_texts: bool,
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
    fn start(command: &Called) -> Option<Self> {
        let (program, arguments) = command.words.split_first()?;
        let mut child = std::process::Command::new(program)
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
        Some(Self { child, input, lines, reads_texts: command.reads_texts })
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

    fn answer(
        &mut self,
        (problem, plan): (&Problem<'_>, &Plan<'_>),
        script: &Script,
        patience: Duration,
    ) -> Option<Answer> {
        let all = format!("{}{}", script.text, script.narrow);
        let mut answer = self.checked(plan, (&all, script.logic()), patience)?;
        if let Answer::Model(model) = &answer
            && !script.units.is_empty()
            && !problem.holds(&problem.seed.with(model))
        {
            answer = self.checked(plan, (&format!("{all}{}", script.units), script.logic()), patience)?;
        }
        if answer != Answer::Unsatisfiable || script.narrow.is_empty() {
            return Some(answer);
        }
        // A model may not hold where operators are not said exactly, and is not asked for.
        let answer = match self.check(&script.text, script.logic(), patience)? {
            Checked::Satisfiable => Answer::Unknown(Why::Bounded),
            Checked::Unsatisfiable => Answer::Unsatisfiable,
            Checked::Unknown => Answer::Unknown(Why::Time),
        };
        Some(answer)
    }

    fn checked(
        &mut self,
        plan: &Plan<'_>,
        (script, logic): (&str, &str),
        patience: Duration,
    ) -> Option<Answer> {
        Some(match self.check(script, logic, patience)? {
            Checked::Satisfiable => Answer::Model(self.model(plan, patience)?),
            Checked::Unsatisfiable => Answer::Unsatisfiable,
            Checked::Unknown => Answer::Unknown(Why::Time),
        })
    }

    fn check(&mut self, script: &str, logic: &str, patience: Duration) -> Option<Checked> {
        let begin = format!("(reset)\n(set-option :produce-models true)\n(set-logic {logic})");
        let said = self.ask(&format!("{begin}\n{script}(check-sat)"), patience)?;
        match said.trim() {
            "sat" => Some(Checked::Satisfiable),
            "unsat" => Some(Checked::Unsatisfiable),
            "unknown" | "timeout" => Some(Checked::Unknown),
            _ => {
                tracing::debug!(said, script, "what a solver says is no answer");
                None
            }
        }
    }

    fn model(&mut self, plan: &Plan<'_>, patience: Duration) -> Option<Model> {
        let inputs = plan.inputs();
        let names: Vec<String> =
            inputs.iter().map(|(_, _, register)| format!("i{}", register.index())).collect();
        let sorts: Vec<Sort> = inputs.iter().map(|&(_, sort, _)| sort).collect();
        let said = self.ask(&format!("(get-value ({}))", names.join(" ")), patience)?;
        let values = read_values(&said, &sorts)?;
        Some(inputs.iter().map(|&(input, _, _)| input).zip(values).collect())
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
    use crate::solver::{Deadline, Limits};
    use crate::term::{InputId, Operator, Terms, Value};

    /// What a command makes of `x < 0`, twice.
    fn check(commands: &[&[&str]], expected: [&Answer; 2], limits: Limits) {
        let mut terms = Terms::new();
        let (x, zero) = (terms.input(InputId(0), Sort::Bits(32)), terms.int(0));
        let conditions = [terms.apply(Operator::SignedLess, &[x, zero])];
        let seed = Model::new();
        let owned = commands.iter().map(|words| Called {
            words: words.iter().map(|&word| word.to_owned()).collect(),
            reads_texts: true,
        });
        let mut solver = SmtLib::new(owned.collect(), Duration::from_secs(1));
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
