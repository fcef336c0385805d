//! The worker's side of the protocol.

use std::fs::File;
use std::io::{self, BufReader};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use rustix::process::{Signal, getpid, kill_process, set_parent_process_death_signal};

use crate::process::channel;
use crate::process::message::{ParentMessage, WorkerEvent, WorkerJob};
use crate::process::streams;

/// No limit to the time for what follows the search.
pub const UNLIMITED: u64 = u64::MAX;

/// A worker that has its job.
#[derive(Debug)]
pub struct Worker {
    /// The job.
    pub job: WorkerJob,
    /// Set when the parent wants the search to end.
    pub stop: Arc<AtomicBool>,
    /// Time that it then leaves for the rest, in milliseconds; [`UNLIMITED`] for as long as it takes.
    pub rest: Arc<AtomicU64>,
    /// To the parent.
    pub events: EventSender,
}

/// Sends events; copies send over the same stream.
#[derive(Debug, Clone)]
pub struct EventSender(Arc<Mutex<File>>);

impl EventSender {
    /// Sends an event.
    ///
    /// # Errors
    /// The parent is gone.
    pub fn send(&self, event: &WorkerEvent) -> io::Result<()> {
        channel::send(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), event)
    }
}

/// Takes the standard streams out of the way, ties this process to its parent's life, and waits for the job. Call
/// it first of all: before a second thread, before any foreign code.
///
/// # Errors
/// The streams cannot be moved, or no job comes.
pub fn open() -> io::Result<Worker> {
    // The signal comes when the thread that started us ends, which waits for us; the end of the stream, below,
    // covers a parent that died before this line.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    let streams = streams::make_private()?;
    let mut input = BufReader::new(File::from(streams.input));
    let Some(ParentMessage::Job(job)) = channel::receive(&mut input)? else {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "the first message is no job"));
    };
    let stop = Arc::new(AtomicBool::new(false));
    let rest = Arc::new(AtomicU64::new(UNLIMITED));
    let (heard, heard_rest) = (Arc::clone(&stop), Arc::clone(&rest));
    thread::spawn(move || {
        while let Ok(Some(message)) = channel::receive::<ParentMessage>(&mut input) {
            match message {
                ParentMessage::Stop { milliseconds } => {
                    heard_rest.store(milliseconds.unwrap_or(UNLIMITED), Ordering::Release);
                    heard.store(true, Ordering::Release);
                }
                ParentMessage::Job(_) => {}
            }
        }
        // The parent is gone, and nobody wants the result. No exit handlers: a JVM's would wait for the class
        // under test.
        let _ = kill_process(getpid(), Signal::KILL);
    });
    Ok(Worker { job, stop, rest, events: EventSender(Arc::new(Mutex::new(File::from(streams.output)))) })
}
