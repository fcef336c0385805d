//! Workers in earnest: this program starts itself as one.

use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::Ordering;

use processes::channel;
use processes::message::{ParentMessage, WorkerEvent, WorkerJob};
use processes::supervisor::{Client, Death, Decision, Ending, Launch, Loss, supervise};
use processes::worker;

fn main() {
    if std::env::args().nth(1).is_some_and(|role| role == "worker") {
        be_worker();
    } else {
        a_worker_does_its_job_away_from_the_standard_streams();
        a_worker_hears_the_stop();
        a_worker_that_dies_is_restarted_with_a_new_job();
        a_worker_ends_with_its_parent();
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
    fn job(&mut self, restart: u32, _is_last: bool) -> Option<Vec<u8>> {
        Some(self.payloads.get(restart as usize).copied().unwrap_or("well").into())
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
    let mut command = Command::new(this_program());
    command.arg("worker").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child: Child = command.spawn().expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    let job = ParentMessage::Job(WorkerJob { restart: 0, payload: "wait".into() });
    channel::send(&mut input, &job).expect("it reads");
    let mut output = child.stdout.take().expect("a pipe");
    let event: Option<WorkerEvent> = channel::receive(&mut output).expect("it speaks");
    assert_eq!(event, Some(WorkerEvent::Payload("wait 0 0".into())));
    drop(input);
    assert!(!child.wait().expect("it ends").success());
}
