//! One verification JVM: started, told what to do, watched, ended.

use std::ffi::OsString;
use std::io::{self, BufReader, Write};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use processes::JVM_VARIABLES;
use processes::group::ChildGroup;
use processes::meter::Meter;
use processes::sandboxed;
use project::jdk::Jdk;
use project::junit::Junit;
use testcase::clock::Clock;
use thiserror::Error;

use crate::protocol::{self, Compilation, Event, Outcome, Problem, Run, Shown};
use crate::runner_jar::MAIN_CLASS;
use crate::surroundings::{Archive, Role, jvm_options};

/// Time for one test where executions are the budget, as far as the machine lets the JVM use it. One that took
/// microseconds in the worker stays far below it.
pub const TEST_LIMIT: Duration = Duration::from_secs(5);

/// Part of a budget in time that a test may take, and what it may take at least: one that waits for ever would cost all others
/// their file.
const TEST_SHARE: f64 = 0.05;
const LEAST_TEST_LIMIT: Duration = Duration::from_millis(300);

/// Time for one test with a budget in time, or in executions.
pub fn test_limit(budget: Option<Duration>) -> Duration {
    budget.map_or(TEST_LIMIT, |time| time.mul_f64(TEST_SHARE).clamp(LEAST_TEST_LIMIT, TEST_LIMIT))
}

/// Time that a JVM could use to carry out a command. One that has not by then never will: the runner itself ends what
/// hangs.
const LONGEST: Duration = Duration::from_mins(10);

/// How often one that says nothing is looked at.
const PERIOD: Duration = Duration::from_millis(200);

/// Variables that name a screen: tests must not need one.
const SCREENS: [&str; 2] = ["DISPLAY", "WAYLAND_DISPLAY"];

/// Everything that the JVMs of a session have in common.
#[derive(Debug, Clone)]
pub struct JvmSetup {
    /// The program that puts the sandbox around the JVM: [`sandboxed`].
    pub launcher: PathBuf,
    /// The user's JDK.
    pub jdk: Jdk,
    /// The runner's jar.
    pub runner: PathBuf,
    /// JUnit.
    pub junit: Junit,
    /// Source level that most tests of the session have; compiling for it is warmed up.
    pub source_level: u16,
    /// Time for one test.
    pub test_limit: Duration,
    /// Folder in which it is started; `None` for the one that it may write.
    pub working_folder: Option<PathBuf>,
    /// Variables that the JVM gets beside those of this process.
    pub variables: &'static [(&'static str, &'static str)],
}

impl JvmSetup {
    /// Class path of the JVM itself.
    pub fn class_path(&self) -> Vec<PathBuf> {
        std::iter::once(&self.runner).chain(&self.junit.class_path).cloned().collect()
    }

    /// The option that gives Mockito its agent: the sandbox keeps a JVM from attaching to itself. One that makes an archive
    /// takes none.
    fn agent(&self, archive: Option<&Archive<'_>>) -> Option<OsString> {
        let mockito = self.junit.mockito.as_ref()?;
        let is_made = matches!(archive, Some(Archive::Make(_)));
        // What follows a `=` would be words for the agent.
        let is_path = mockito.agent.is_file() && !mockito.agent.as_os_str().as_bytes().contains(&b'=');
        let mut option = OsString::from("-javaagent:");
        option.push(&mockito.agent);
        (is_path && !is_made).then_some(option)
    }
}

/// Why a JVM gave no answer.
#[derive(Debug, Error)]
pub enum JvmError {
    /// It could not be started, or its pipe is broken.
    #[error("the verification JVM cannot be reached: {0}")]
    Io(#[from] io::Error),
    /// It ended although no test was running.
    #[error("the verification JVM ended by itself")]
    Ended,
    /// The time of the session is over; the JVM may still be at what it was told to do: see [`VerificationJvm::comes_back`].
    #[error("the time for verification is over")]
    OutOfTime,
    /// It answered what was not asked, or could not carry out a run.
    #[error("the verification JVM failed: {0}")]
    Failed(String),
}

/// How a test of a run ended, or that it ended the JVM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TestEnd {
    /// As the runner says.
    Outcome(Outcome),
    /// The JVM ended while it ran.
    Died,
    /// Time was over before it had ended.
    Unreached,
}

/// How long an answer is waited for.
#[derive(Debug)]
struct Wait {
    clock: Clock,
    /// On the clock: a session may have to come to its end.
    limit: Duration,
    /// What the JVM could use of it.
    meter: Meter,
}

/// A running JVM. Dropping it kills it.
#[derive(Debug)]
pub struct VerificationJvm {
    child: ChildGroup,
    commands: ChildStdin,
    events: Receiver<Event>,
    /// Answers to commands of [`VerificationJvm::send_ahead`], and to one that nobody waits for any more, that have not come yet.
    ahead: usize,
    /// Whether there is such a command that nobody waits for any more.
    is_late: bool,
}

impl VerificationJvm {
    /// Starts one without waiting for it. `scratch` is an existing folder, the only one it may write.
    pub fn start(
        setup: &JvmSetup,
        role: Role,
        scratch: &Path,
        archive: Option<&Archive<'_>>,
    ) -> io::Result<Self> {
        // It may have to play both.
        std::fs::create_dir_all(Role::Second.temporary_files(scratch))?;
        let mut command = Command::new(&setup.launcher);
        sandboxed::prepare(&mut command, scratch, sandboxed::Streams::Private);
        let class_path = std::env::join_paths(setup.class_path()).map_err(io::Error::other)?;
        command
            .arg(setup.jdk.java())
            .args(jvm_options(role, &setup.jdk, scratch, archive))
            .args(setup.agent(archive))
            .arg("-cp")
            .arg(class_path)
            .args([MAIN_CLASS, sandboxed::COMMANDS, sandboxed::ANSWERS])
            .args(role.words())
            .current_dir(setup.working_folder.as_deref().unwrap_or(scratch))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // Ctrl-C is for the parent alone, which ends us in order.
            .process_group(0);
        for name in JVM_VARIABLES.iter().chain(&SCREENS) {
            command.env_remove(name);
        }
        command.envs(setup.variables.iter().copied());
        let mut child = command.spawn()?;
        let (Some(commands), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let (sender, events) = mpsc::channel();
        thread::spawn(move || {
            let mut answers = BufReader::new(answers);
            while let Ok(event) = protocol::read_event(&mut answers) {
                if sender.send(event).is_err() {
                    break;
                }
            }
        });
        Ok(Self { child: ChildGroup::new(child), commands, events, ahead: 0, is_late: false })
    }

    /// Gives commands whose answers nobody needs, to warm the JVM up. Returns at once; that the JVM has ended is
    /// noticed when it is used.
    pub fn send_ahead(&mut self, commands: &[protocol::Command]) {
        for command in commands {
            if self.send(command).is_err() {
                return;
            }
            self.ahead += 1;
        }
    }

    /// Waits for what was sent ahead.
    ///
    /// # Errors
    /// The JVM has ended, or does not answer within `limit`.
    pub fn settle(&mut self, limit: Duration) -> Result<(), JvmError> {
        self.settle_to(0, limit)
    }

    /// Waits until no more than so many answers to what was sent ahead are missing.
    ///
    /// # Errors
    /// As for [`VerificationJvm::settle`].
    pub fn settle_to(&mut self, missing: usize, limit: Duration) -> Result<(), JvmError> {
        let mut wait = self.wait(limit);
        while self.ahead > missing {
            match self.next(&mut wait)? {
                Event::Diagnostics(_) | Event::Done { .. } => self.ahead -= 1,
                // It does nothing more.
                Event::Finished(_, Outcome::Hung { .. }) => {
                    self.kill();
                    return Err(JvmError::Ended);
                }
                Event::Ready { .. } | Event::Started(_) | Event::Finished(..) | Event::Measured(_) => {}
            }
        }
        self.is_late &= self.ahead > 0;
        Ok(())
    }

    /// Whether it can be used: it runs, and what there was no time for is done within `limit`.
    pub fn comes_back(&mut self, limit: Duration) -> bool {
        if self.is_late {
            // What has not come by then is looked at below.
            let _ = self.settle(limit);
        }
        !self.is_late && self.is_alive()
    }

    /// Compiles; the errors, none if the class files are there.
    ///
    /// # Errors
    /// The JVM has ended, or does not answer within `limit`.
    pub fn compile(&mut self, compilation: Compilation, limit: Duration) -> Result<Vec<Problem>, JvmError> {
        let mut wait = self.wait(limit);
        self.settle(limit)?;
        self.send(&protocol::Command::Compile(compilation))?;
        loop {
            match self.answer(&mut wait)? {
                Event::Ready { .. } => {}
                Event::Diagnostics(problems) => return Ok(problems),
                event @ (Event::Started(_)
                | Event::Finished(..)
                | Event::Measured(_)
                | Event::Done { .. }) => {
                    return Err(JvmError::Failed(format!("{event:?} while compiling")));
                }
            }
        }
    }

    /// Runs tests; how each ended, `None` for those that did not start. The JVM may have ended afterwards: then
    /// one of the tests did it.
    ///
    /// # Errors
    /// The JVM ended between tests, or none of them ended within `limit`.
    pub fn run(&mut self, run: Run, limit: Duration) -> Result<Vec<Option<TestEnd>>, JvmError> {
        let number = run.tests.len();
        self.ends_of(&protocol::Command::Run(run), number, limit, &mut |_| ())
    }

    /// Runs test classes of the project; `told` gets what each test has shown as it ends. How each class ended, `None` for those
    /// that did not start. The JVM may have ended afterwards: then one of the classes did it.
    ///
    /// # Errors
    /// The JVM ended between classes, or does not answer within `limit`.
    pub fn measure(
        &mut self,
        measurement: protocol::Measurement,
        limit: Duration,
        told: &mut dyn FnMut(Shown),
    ) -> Result<Vec<Option<TestEnd>>, JvmError> {
        let number = measurement.classes.len();
        self.ends_of(&protocol::Command::Measure(measurement), number, limit, told)
    }

    /// Has so many tests or classes run, and hears how each ends.
    fn ends_of(
        &mut self,
        command: &protocol::Command,
        number: usize,
        limit: Duration,
        told: &mut dyn FnMut(Shown),
    ) -> Result<Vec<Option<TestEnd>>, JvmError> {
        let mut wait = self.wait(limit);
        self.settle(limit)?;
        let mut ends = vec![None; number];
        let mut current = None;
        self.send(command)?;
        loop {
            match self.answer(&mut wait) {
                Ok(Event::Started(test)) => current = Some(test),
                Ok(Event::Measured(shown)) => told(shown),
                Ok(Event::Finished(test, outcome)) => {
                    let is_end = matches!(outcome, Outcome::Hung { .. });
                    if let Some(end) = ends.get_mut(test) {
                        *end = Some(TestEnd::Outcome(outcome));
                    }
                    current = None;
                    if is_end {
                        self.kill();
                        return Ok(ends);
                    }
                }
                Ok(Event::Done { problem }) if problem.is_empty() => return Ok(ends),
                Ok(Event::Done { problem }) => return Err(JvmError::Failed(problem)),
                Ok(Event::Ready { .. }) => {}
                Ok(Event::Diagnostics(_)) => {
                    return Err(JvmError::Failed("diagnostics while running".into()));
                }
                Err(JvmError::Ended) => {
                    let Some(end) = current.and_then(|test| ends.get_mut(test)) else {
                        return Err(JvmError::Ended);
                    };
                    *end = Some(TestEnd::Died);
                    return Ok(ends);
                }
                // What is known by then is worth something, which a measurement of part of a class is not.
                Err(JvmError::OutOfTime)
                    if matches!(command, protocol::Command::Run(_)) && ends.iter().any(Option::is_some) =>
                {
                    for end in &mut ends {
                        end.get_or_insert(TestEnd::Unreached);
                    }
                    return Ok(ends);
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Whether it still runs.
    pub fn is_alive(&self) -> bool {
        self.child.is_alive()
    }

    /// Lets it end in good order, so that it writes a class data archive, and kills it after `limit`. Whether it
    /// ended well.
    pub fn quit(mut self, limit: Duration) -> bool {
        let mut wait = self.wait(limit);
        if self.settle(limit).is_err() || self.send(&protocol::Command::Quit).is_err() {
            return false;
        }
        // Nothing comes any more: the channel closes when the JVM closes its pipe, as it ends.
        while !matches!(self.next(&mut wait), Err(JvmError::Ended | JvmError::OutOfTime)) {}
        self.child.wait().is_ok_and(|status| status.success())
    }

    fn send(&mut self, command: &protocol::Command) -> Result<(), JvmError> {
        let sent = self.commands.write_all(&command.encode()).and_then(|()| self.commands.flush());
        sent.map_err(
            |error| if error.kind() == io::ErrorKind::BrokenPipe { JvmError::Ended } else { error.into() },
        )
    }

    fn wait(&self, limit: Duration) -> Wait {
        Wait { clock: Clock::start(), limit, meter: Meter::of(self.child.id(), PERIOD) }
    }

    /// The next that is said about a command that was just sent. Where time ends before all is said the JVM stays: it is warm, which
    /// the next class needs more than the time until this is done.
    fn answer(&mut self, wait: &mut Wait) -> Result<Event, JvmError> {
        let event = self.next(wait);
        if matches!(event, Err(JvmError::OutOfTime)) {
            (self.ahead, self.is_late) = (self.ahead + 1, true);
        }
        event
    }

    fn next(&mut self, wait: &mut Wait) -> Result<Event, JvmError> {
        let error = loop {
            let left = wait.limit.saturating_sub(wait.clock.now());
            match self.events.recv_timeout(left.min(PERIOD)) {
                Ok(event) => return Ok(event),
                Err(RecvTimeoutError::Disconnected) => break JvmError::Ended,
                Err(RecvTimeoutError::Timeout) if left <= PERIOD => return Err(JvmError::OutOfTime),
                // It is as good as ended.
                Err(RecvTimeoutError::Timeout) if wait.meter.look().usable >= LONGEST => {
                    break JvmError::Ended;
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        };
        // Silent for too long, or its pipe is closed: then it is ending.
        self.kill();
        Err(error)
    }

    fn kill(&mut self) {
        // What cannot be killed is gone already.
        let _ = self.child.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_may_take_a_small_part_of_a_budget() {
        let seconds = Duration::from_secs;
        let limit = |budget| test_limit(Some(budget));
        assert_eq!(limit(seconds(10)), Duration::from_millis(500));
        assert_eq!([limit(seconds(1)), limit(seconds(600))], [LEAST_TEST_LIMIT, TEST_LIMIT]);
        assert_eq!(test_limit(None), TEST_LIMIT);
    }
}
