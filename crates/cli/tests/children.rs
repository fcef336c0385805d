//! Children of the command in earnest: this program starts itself as a worker and as something to interrupt.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::Ordering;

use cli::exit_code::ExitCode;
use cli::interrupt::Interrupt;
use cli::process::message::WorkerEvent;
use cli::process::supervisor::{Client, Death, Decision, Ending, Launch, Loss, supervise};
use cli::process::worker;
use rustix::process::{Pid, Signal, kill_process};

fn main() {
    let role = std::env::args().nth(1).unwrap_or_default();
    match role.as_str() {
        "worker" => be_worker(),
        "interrupt" => be_interrupted(),
        _ => {
            a_worker_does_its_job_away_from_the_standard_streams();
            a_worker_hears_the_stop();
            a_worker_that_dies_is_restarted_with_a_new_job();
            a_worker_ends_with_its_parent();
            the_first_signal_asks_and_the_second_ends();
        }
    }
}

fn this_program() -> PathBuf {
    std::env::current_exe().expect("a program knows its path")
}

/// Does what the payload says.
fn be_worker() {
    let worker = worker::open().expect("there is a job");
    // What foreign code does with the standard streams disturbs nobody.
    let mut stdin = Vec::new();
    std::io::stdin().read_to_end(&mut stdin).expect("the null device can be read");
    writeln!(std::io::stdout(), "noise").expect("the null device can be written");
    let payload = String::from_utf8(worker.job.payload.clone()).expect("text");
    let restart = worker.job.restart;
    worker
        .events
        .send(&WorkerEvent::Payload(format!("{payload} {restart} {}", stdin.len()).into()))
        .expect("heard");
    match payload.as_str() {
        "die" => std::process::abort(),
        "wait" => {
            while !worker.requests.stop.load(Ordering::Acquire) {
                std::thread::yield_now();
            }
        }
        _ => {}
    }
    worker.events.send(&WorkerEvent::Finished).expect("the parent listens");
}

/// Gives the payloads in turn, then `well`; decides `Stop` once the worker has spoken, if so told.
struct Jobs {
    payloads: Vec<&'static str>,
    stops: bool,
    seen: Vec<String>,
}

impl Client for Jobs {
    fn job(&mut self, restart: u32, _is_last: bool) -> Vec<u8> {
        self.payloads.get(restart as usize).copied().unwrap_or("well").into()
    }

    fn event(&mut self, event: WorkerEvent) {
        let WorkerEvent::Payload(text) = event else { panic!("{event:?}") };
        self.seen.push(String::from_utf8(text).expect("text"));
    }

    fn died(&mut self, death: &Death) -> Loss {
        self.seen.push(death.status.clone());
        Loss::Death
    }

    fn decide(&mut self) -> Decision {
        if self.stops && !self.seen.is_empty() { Decision::Stop(None) } else { Decision::GoOn }
    }
}

fn check(payloads: &[&'static str], stops: bool, expect: &[&str]) {
    let launch =
        Launch { covolve: this_program(), arguments: vec!["worker".into()], environment: Vec::new() };
    let mut jobs = Jobs { payloads: payloads.to_vec(), stops, seen: Vec::new() };
    assert_eq!(supervise(&launch, &mut jobs).expect("a worker starts"), Ending::Finished);
    assert_eq!(jobs.seen, expect);
}

fn a_worker_does_its_job_away_from_the_standard_streams() {
    check(&["well"], false, &["well 0 0"]);
}

fn a_worker_hears_the_stop() {
    check(&["wait"], true, &["wait 0 0"]);
}

fn a_worker_that_dies_is_restarted_with_a_new_job() {
    check(&["die", "die"], false, &["die 0 0", "signal 6", "die 1 0", "signal 6", "well 2 0"]);
}

/// A parent that is gone closes the pipe; the worker must not wait for its own job to end.
fn a_worker_ends_with_its_parent() {
    use cli::process::channel;
    use cli::process::message::{ParentMessage, WorkerJob};
    let mut child = start("worker");
    let mut input = child.stdin.take().expect("a pipe");
    let job = ParentMessage::Job(WorkerJob { restart: 0, payload: "wait".into() });
    channel::send(&mut input, &job).expect("it reads");
    let mut output = child.stdout.take().expect("a pipe");
    let event: Option<WorkerEvent> = channel::receive(&mut output).expect("it speaks");
    assert_eq!(event, Some(WorkerEvent::Payload("wait 0 0".into())));
    drop(input);
    assert!(!child.wait().expect("it ends").success());
}

fn start(role: &str) -> Child {
    let mut command = Command::new(this_program());
    command.arg(role).stdin(Stdio::piped()).stdout(Stdio::piped());
    command.spawn().expect("it starts")
}

/// Says that it listens, says when it is asked to end, and goes on.
fn be_interrupted() {
    let interrupt = Interrupt::listen().expect("signals can be listened to");
    assert!(!interrupt.is_set());
    let mut out = std::io::stdout();
    writeln!(out, "listening").expect("the parent listens");
    while !interrupt.is_set() {
        std::thread::yield_now();
    }
    writeln!(out, "asked").expect("the parent listens");
    loop {
        std::thread::park();
    }
}

fn the_first_signal_asks_and_the_second_ends() {
    for signals in [[Signal::INT, Signal::INT], [Signal::TERM, Signal::INT]] {
        let mut child = start("interrupt");
        let pid = Pid::from_raw(i32::try_from(child.id()).expect("a small number")).expect("a process");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let mut expect = |text: &str| assert_eq!(lines.next().expect("a line").expect("text"), text);
        expect("listening");
        kill_process(pid, signals[0]).expect("it lives");
        expect("asked");
        kill_process(pid, signals[1]).expect("it lives");
        assert_eq!(child.wait().expect("it ends").code(), Some(i32::from(ExitCode::Killed.number())));
    }
}
