//! The parent's side of a worker: start it, hand its events on, start it again when it dies, kill it when its time
//! is over. The archive of record is with the caller, who makes the job of each restart from it.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, BufReader, Read};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::JVM_VARIABLES;
use crate::channel;
use crate::group::ChildGroup;
use crate::message::{ParentMessage, WorkerEvent, WorkerJob};
use crate::worker::WantedSuite;

/// Workers that may die of a class without a word about what they died of. What comes after them only makes a suite of
/// what was found. Those of which it is known do not count here: nothing of the kind is run again, and what they cost is
/// the client's to reckon.
pub const MOST_DEATHS: u32 = 3;

/// Workers of a class that may ask to be replaced for no call in particular, likewise. They cost less than a death, since they end at a moment of
/// their own choice with everything told; yet each costs the start of a JVM. Those that ran [`ENOUGH_WORK`] before do not
/// count.
pub const MOST_REPLACED: u32 = 8;

/// Executions of a worker beside which the start of another JVM is little: half a second of most classes, as that takes.
pub const ENOUGH_WORK: u64 = 1_000;

/// How often the caller is asked for a decision while nothing happens.
const TICK: Duration = Duration::from_millis(20);

/// Time for a worker that is done to leave.
const LEAVE: Duration = Duration::from_millis(200);

/// What is kept of a worker's standard error, in bytes: the end of it.
const STDERR_KEPT: usize = 8 * 1024;

/// How to start a worker.
#[derive(Debug, Clone)]
pub struct Launch {
    /// This program.
    pub covolve: PathBuf,
    /// Its arguments, `worker` first.
    pub arguments: Vec<OsString>,
    /// Variables that it gets beside those of this process.
    pub environment: Vec<(OsString, OsString)>,
}

/// What the parent wants of a running worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Go on.
    GoOn,
    /// Go on, and let others go first where processors are few.
    GiveWay,
    /// End the search, go on with what follows for so long; `None` for as long as it takes.
    Stop(Option<Duration>),
    /// Make a suite of what was found, then go on. A client says so once for each suite.
    Suite(WantedSuite),
    /// End at once.
    Kill,
}

/// How a worker died.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Death {
    /// Number of the restart that died: 0 for the first worker.
    pub restart: u32,
    /// `exit code 1`, `signal 11`.
    pub status: String,
    /// The exit code, if it has one.
    pub code: Option<i32>,
    /// The end of its standard error.
    pub stderr: String,
}

/// What the end of a worker counts as that had not done its job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// Of a call that no later worker makes: a step forward, at a price.
    Call,
    /// It died: one of [`MOST_DEATHS`].
    Death,
    /// It asked to be replaced: one of [`MOST_REPLACED`].
    Replacement,
    /// It asked to be replaced behind [`ENOUGH_WORK`]: another one goes on.
    Worked,
}

impl Loss {
    /// That of a worker that asked to be replaced after so many executions.
    ///
    /// ```
    /// use processes::supervisor::{ENOUGH_WORK, Loss, Losses};
    ///
    /// let mut losses = Losses::default();
    /// for executions in [0, ENOUGH_WORK - 1, ENOUGH_WORK, 50 * ENOUGH_WORK] {
    ///     losses.count(Loss::replaced_after(executions));
    /// }
    /// assert_eq!(losses, Losses { deaths: 0, replaced: 2 });
    /// ```
    pub fn replaced_after(executions: u64) -> Self {
        if executions < ENOUGH_WORK { Self::Replacement } else { Self::Worked }
    }
}

/// How often workers were lost, as far as it is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Losses {
    /// Those that died.
    pub deaths: u32,
    /// Those that asked to be replaced.
    pub replaced: u32,
}

impl Losses {
    /// Counts a loss.
    pub fn count(&mut self, loss: Loss) {
        match loss {
            Loss::Call | Loss::Worked => {}
            Loss::Death => self.deaths += 1,
            Loss::Replacement => self.replaced += 1,
        }
    }
}

/// The way to a running worker: what is said here arrives, in order, unless the worker ends before. Copies lead to the same
/// one. Nobody waits for it to be read.
#[derive(Debug, Clone)]
pub struct Line(Sender<ParentMessage>);

impl Line {
    /// A line and its other end, where what is said arrives.
    pub fn new() -> (Self, Receiver<ParentMessage>) {
        let (line, messages) = mpsc::channel();
        (Self(line), messages)
    }

    /// Tells the worker something that it decodes.
    pub fn tell(&self, payload: Vec<u8>) {
        self.send(ParentMessage::Payload(payload));
    }

    fn send(&self, message: ParentMessage) {
        // That a worker is gone is noticed while it is watched.
        let _ = self.0.send(message);
    }
}

/// Whoever gave the job: knows the class, its archive of record and its deadline.
pub trait Client {
    /// The payload of the job, for the first start and for each restart. The last worker is to bring home what was
    /// found, not to look for more. `None` where there is nothing left for another worker to do.
    fn job(&mut self, restart: u32, is_last: bool) -> Option<Vec<u8>>;

    /// A worker has its job; the line leads to it. As it stands for clients that have nothing to tell.
    fn started(&mut self, _line: Line) {}

    /// Losses that count beside those of this client's workers. None as it stands.
    fn lost_elsewhere(&self) -> Losses {
        Losses::default()
    }

    /// Takes an event of the worker.
    fn event(&mut self, event: WorkerEvent);

    /// The worker died; the next job must leave out what killed it. Gives what that counts as.
    fn died(&mut self, death: &Death) -> Loss;

    /// What to do now; asked after each event and while nothing happens.
    fn decide(&mut self) -> Decision;
}

/// How it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// The job was done.
    Finished,
    /// The worker said why it cannot be done.
    Failed(String),
    /// The client decided to kill it.
    Killed,
    /// It died too often.
    Dead,
    /// The client had no job for another worker.
    Idle,
}

/// Runs a job to its end.
///
/// The calling thread must outlive the worker: the kernel ends the worker with the thread that started it.
///
/// # Errors
/// A worker cannot be started.
pub fn supervise(launch: &Launch, client: &mut dyn Client) -> io::Result<Ending> {
    let (mut restart, mut losses) = (0, Losses::default());
    loop {
        let elsewhere = client.lost_elsewhere();
        let is_last = losses.deaths + elsewhere.deaths >= MOST_DEATHS
            || losses.replaced + elsewhere.replaced >= MOST_REPLACED;
        let Some(payload) = client.job(restart, is_last) else { return Ok(Ending::Idle) };
        let mut process = WorkerProcess::start(launch, WorkerJob { restart, payload })?;
        client.started(process.line.clone());
        if let Some(ending) = process.watch(client) {
            return Ok(ending);
        }
        losses.count(client.died(&process.bury(restart)));
        if client.decide() == Decision::Kill {
            return Ok(Ending::Killed);
        }
        if is_last {
            return Ok(Ending::Dead);
        }
        restart += 1;
    }
}

struct WorkerProcess {
    child: ChildGroup,
    line: Line,
    events: Receiver<WorkerEvent>,
    stderr: Option<JoinHandle<String>>,
}

impl WorkerProcess {
    fn start(launch: &Launch, job: WorkerJob) -> io::Result<Self> {
        let mut command = Command::new(&launch.covolve);
        command
            .args(&launch.arguments)
            .envs(launch.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // Ctrl-C is for the parent alone, which decides what becomes of the search.
            .process_group(0);
        for name in JVM_VARIABLES {
            command.env_remove(name);
        }
        let mut child = command.spawn()?;
        let (Some(mut input), Some(output), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let (sender, events) = mpsc::channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Ok(Some(event)) = channel::receive(&mut output) {
                if sender.send(event).is_err() {
                    break;
                }
            }
        });
        let stderr = thread::spawn(move || end_of(stderr));
        let (line, messages) = Line::new();
        // A worker that does not read holds up nobody but this thread.
        thread::spawn(move || {
            while let Ok(message) = messages.recv() {
                if channel::send(&mut input, &message).is_err() {
                    break;
                }
            }
        });
        line.send(ParentMessage::Job(job));
        Ok(Self { child: ChildGroup::new(child), line, events, stderr: Some(stderr) })
    }

    /// Hands events on until the job ends; `None` when the worker died.
    fn watch(&mut self, client: &mut dyn Client) -> Option<Ending> {
        let mut stopped = false;
        loop {
            match self.events.recv_timeout(TICK) {
                Ok(WorkerEvent::Finished) => {
                    self.leave();
                    return Some(Ending::Finished);
                }
                Ok(WorkerEvent::Failed(reason)) => {
                    self.leave();
                    return Some(Ending::Failed(reason));
                }
                Ok(event) => {
                    client.event(event);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
            match client.decide() {
                Decision::GoOn => {}
                Decision::GiveWay => self.child.give_way(),
                Decision::Stop(_) if stopped => {}
                Decision::Stop(rest) => {
                    stopped = true;
                    let milliseconds = rest.map(|rest| rest.as_millis() as u64);
                    self.line.send(ParentMessage::Stop { milliseconds });
                }
                Decision::Suite(WantedSuite { time, is_anew }) => {
                    let milliseconds = time.as_millis() as u64;
                    self.line.send(ParentMessage::Suite { milliseconds, is_anew });
                }
                Decision::Kill => return Some(Ending::Killed), // dropping kills
            }
        }
    }

    /// Gives it a moment to end by itself.
    fn leave(&mut self) {
        // Its output closes as it ends.
        while let Ok(_late) = self.events.recv_timeout(LEAVE) {}
    }

    fn bury(mut self, restart: u32) -> Death {
        // Its output is closed but it may still be there, and what it started may hold its standard error open.
        let status = self.child.end();
        let stderr = self.stderr.take().and_then(|reader| reader.join().ok()).unwrap_or_default();
        let code = status.as_ref().ok().and_then(ExitStatus::code);
        let status = status.map_or_else(|error| error.to_string(), describe);
        Death { restart, status, code, stderr }
    }
}

fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit code {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => status.to_string(),
    }
}

/// Reads to the end and keeps the last part.
fn end_of(mut stream: impl Read) -> String {
    let mut kept = VecDeque::new();
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = stream.read(&mut buffer) {
        kept.extend(&buffer[..count]);
        let surplus = kept.len().saturating_sub(STDERR_KEPT);
        kept.drain(..surplus);
    }
    String::from_utf8_lossy(kept.make_contiguous()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    type Rule = Box<dyn FnMut(&[String]) -> Decision>;

    /// A client that notes what it sees and decides by a rule.
    struct Notes {
        seen: Vec<String>,
        decide: Rule,
        /// Losses elsewhere.
        elsewhere: Losses,
        /// Jobs that there are.
        jobs: u32,
        /// What each worker is told at once.
        tells: Option<&'static str>,
    }

    impl Client for Notes {
        fn job(&mut self, restart: u32, is_last: bool) -> Option<Vec<u8>> {
            if restart >= self.jobs {
                return None;
            }
            self.seen.push(format!("job {restart}{}", if is_last { ", the last" } else { "" }));
            Some(vec![restart as u8])
        }

        fn started(&mut self, line: Line) {
            if let Some(payload) = self.tells {
                line.tell(payload.into());
            }
        }

        fn lost_elsewhere(&self) -> Losses {
            self.elsewhere
        }

        fn event(&mut self, event: WorkerEvent) {
            self.seen.push(format!("{event:?}"));
        }

        fn died(&mut self, death: &Death) -> Loss {
            self.seen.push(format!("died {}: {} [{}]", death.restart, death.status, death.stderr.trim()));
            match death.code {
                Some(94) => Loss::Replacement,
                Some(95) => Loss::Call,
                _ => Loss::Death,
            }
        }

        fn decide(&mut self) -> Decision {
            (self.decide)(&self.seen)
        }
    }

    fn notes(decide: impl FnMut(&[String]) -> Decision + 'static) -> Notes {
        Notes {
            seen: Vec::new(),
            decide: Box::new(decide),
            elsewhere: Losses::default(),
            jobs: u32::MAX,
            tells: None,
        }
    }

    fn check(
        script: &str,
        decide: impl FnMut(&[String]) -> Decision + 'static,
        expect: &Ending,
        seen: &[&str],
    ) {
        check_notes(script, notes(decide), expect, seen);
    }

    /// Supervises a shell script in place of a worker. `$finished` prints the event.
    fn check_notes(script: &str, mut notes: Notes, expect: &Ending, seen: &[&str]) {
        let event = |event: &WorkerEvent| {
            let mut bytes = Vec::new();
            channel::send(&mut bytes, event).unwrap();
            bytes.iter().map(|byte| format!("\\{byte:03o}")).collect::<Vec<_>>().concat()
        };
        let script = script
            .replace("$finished", &format!("printf '{}'", event(&WorkerEvent::Finished)))
            .replace("$warning", &format!("printf '{}'", event(&WorkerEvent::Warning("w".into()))));
        let launch = Launch {
            covolve: "/bin/sh".into(),
            arguments: vec!["-c".into(), script.into()],
            environment: Vec::new(),
        };
        assert_eq!(supervise(&launch, &mut notes).unwrap(), *expect);
        assert_eq!(notes.seen, seen);
    }

    #[test]
    fn events_are_handed_on_until_the_end() {
        check("$warning; $finished", |_| Decision::GoOn, &Ending::Finished, &["job 0", "Warning(\"w\")"]);
    }

    #[test]
    fn a_worker_that_gives_way_is_behind_others_and_goes_on() {
        check(
            "while [ $(nice) -lt 10 ]; do sleep 0.01; done; $warning; $finished",
            |_| Decision::GiveWay,
            &Ending::Finished,
            &["job 0", "Warning(\"w\")"],
        );
    }

    #[test]
    fn after_so_many_deaths_or_replacements_a_last_worker_brings_home_what_there_is() {
        for (code, most) in [(3, MOST_DEATHS), (94, MOST_REPLACED)] {
            let lives = (0..=most).flat_map(|life| {
                let last = if life == most { ", the last" } else { "" };
                [format!("job {life}{last}"), format!("died {life}: exit code {code} [why]")]
            });
            let lives: Vec<String> = lives.collect();
            let seen: Vec<&str> = lives.iter().map(String::as_str).collect();
            check(&format!("echo why >&2; exit {code}"), |_| Decision::GoOn, &Ending::Dead, &seen);
        }
    }

    #[test]
    fn a_worker_that_was_lost_with_its_call_is_not_counted() {
        const ENOUGH: usize = 20;
        let lives =
            (0..ENOUGH).flat_map(|life| [format!("job {life}"), format!("died {life}: exit code 95 []")]);
        let lives: Vec<String> = lives.collect();
        let seen: Vec<&str> = lives.iter().map(String::as_str).collect();
        let decide = |seen: &[String]| if seen.len() < 2 * ENOUGH { Decision::GoOn } else { Decision::Kill };
        check("exit 95", decide, &Ending::Killed, &seen);
    }

    #[test]
    fn losses_elsewhere_count_as_well() {
        let elsewhere = Losses { deaths: 0, replaced: MOST_REPLACED - 1 };
        let notes = Notes { elsewhere, ..notes(|_| Decision::GoOn) };
        let seen = ["job 0", "died 0: exit code 94 []", "job 1, the last", "died 1: exit code 94 []"];
        check_notes("exit 94", notes, &Ending::Dead, &seen);
    }

    #[test]
    fn without_a_job_no_worker_comes() {
        let notes = Notes { jobs: 1, ..notes(|_| Decision::GoOn) };
        check_notes("exit 3", notes, &Ending::Idle, &["job 0", "died 0: exit code 3 []"]);
    }

    #[test]
    fn a_worker_hears_what_it_is_told_behind_its_job() {
        // The job is 8 bytes; then length (4), variant, length of the payload and payload.
        let script = "head -c 8 >/dev/null; told=$(head -c 8 | od -An -tx1 | tr -d ' \\n'); \
                      [ \"$told\" = 0400000003026869 ] && $finished";
        let notes = Notes { tells: Some("hi"), ..notes(|_| Decision::GoOn) };
        check_notes(script, notes, &Ending::Finished, &["job 0"]);
    }

    #[test]
    fn signals_are_named() {
        let kill_after_death = |seen: &[String]| if seen.len() > 1 { Decision::Kill } else { Decision::GoOn };
        check("kill -11 $$", kill_after_death, &Ending::Killed, &["job 0", "died 0: signal 11 []"]);
    }

    #[test]
    fn a_worker_is_told_to_stop_once() {
        // The job is 8 bytes: length (4), variant, restart, payload length and byte; then comes the stop: length (4),
        // variant, no time.
        let script = "head -c 8 >/dev/null; stop=$(head -c 6 | od -An -tx1 | tr -d ' \\n'); \
                      [ \"$stop\" = 020000000100 ] && $finished";
        check(script, |_| Decision::Stop(None), &Ending::Finished, &["job 0"]);
    }

    #[test]
    fn a_worker_is_asked_for_suites_until_it_is_told_to_stop() {
        // After the job, for each suite: length (4), variant, milliseconds, and whether it is of everything; then the stop.
        let script = "head -c 8 >/dev/null; asked=$(head -c 20 | od -An -tx1 | tr -d ' \\n'); \
                      [ \"$asked\" = 0300000002050003000000020701020000000100 ] && $finished";
        let suite = |milliseconds, is_anew| {
            Decision::Suite(WantedSuite { time: Duration::from_millis(milliseconds), is_anew })
        };
        let mut asked = 0;
        let decide = move |_: &[String]| {
            asked += 1;
            match asked {
                1 => suite(5, false),
                2 => Decision::GoOn,
                3 => suite(7, true),
                _ => Decision::Stop(None),
            }
        };
        check(script, decide, &Ending::Finished, &["job 0"]);
    }

    #[test]
    fn a_worker_that_hangs_is_killed() {
        let mut asked = 0;
        let third_time = move |_: &[String]| {
            asked += 1;
            if asked < 3 { Decision::GoOn } else { Decision::Kill }
        };
        check("sleep 1000", third_time, &Ending::Killed, &["job 0"]);
    }

    #[test]
    fn of_long_output_the_end_is_kept() {
        let text = format!("{}end", "x".repeat(20_000));
        let kept = end_of(text.as_bytes());
        assert!(kept.len() == STDERR_KEPT && kept.ends_with("xend"));
    }
}
