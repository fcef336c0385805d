//! The worker's side of the protocol.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufReader};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use rustix::process::{Signal, getpid, kill_process, set_parent_process_death_signal};

use crate::channel;
use crate::message::{ParentMessage, WorkerEvent, WorkerJob};
use crate::streams;

/// No limit to the time for what follows the search.
pub const UNLIMITED: u64 = u64::MAX;

/// A worker that has its job.
#[derive(Debug)]
pub struct Worker {
    /// The job.
    pub job: WorkerJob,
    /// What the parent asks for meanwhile.
    pub requests: Requests,
    /// To the parent.
    pub events: EventSender,
}

/// What the parent asks for while a worker is at work; copies see the same.
#[derive(Debug, Clone)]
pub struct Requests {
    /// Set when the search must pause, for a suite, or end.
    pub stop: Arc<AtomicBool>,
    /// Set when it must end.
    ended: Arc<AtomicBool>,
    /// Time that is then left for the rest, in milliseconds; [`UNLIMITED`] for as long as it takes.
    rest: Arc<AtomicU64>,
    /// Time for a suite in between, in milliseconds; [`UNLIMITED`] as long as none is asked for.
    suite: Arc<AtomicU64>,
    /// Whether that suite is to be of everything.
    is_anew: Arc<AtomicBool>,
    /// Payloads that nobody has taken, with who is woken by one and by the end.
    told: Arc<(Mutex<VecDeque<Vec<u8>>>, Condvar)>,
}

/// A suite that a search makes in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WantedSuite {
    /// Time for it.
    pub time: Duration,
    /// Whether it is to be of everything, whatever suites there were before.
    pub is_anew: bool,
}

impl Default for Requests {
    fn default() -> Self {
        let unlimited = || Arc::new(AtomicU64::new(UNLIMITED));
        Self {
            stop: Arc::default(),
            ended: Arc::default(),
            rest: unlimited(),
            suite: unlimited(),
            is_anew: Arc::default(),
            told: Arc::default(),
        }
    }
}

impl Requests {
    /// Takes a message of the parent.
    fn hear(&self, message: ParentMessage) {
        let (told, news) = &*self.told;
        // Held throughout: who waits looks at the flags under it.
        let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
        match message {
            ParentMessage::Stop { milliseconds } => {
                self.rest.store(milliseconds.unwrap_or(UNLIMITED), Ordering::SeqCst);
                self.ended.store(true, Ordering::SeqCst);
                self.stop.store(true, Ordering::SeqCst);
            }
            ParentMessage::Suite { milliseconds, is_anew } => {
                self.is_anew.store(is_anew, Ordering::SeqCst);
                self.suite.store(milliseconds, Ordering::SeqCst);
                self.stop.store(true, Ordering::SeqCst);
            }
            ParentMessage::Payload(payload) => told.push_back(payload),
            ParentMessage::Job(_) => {}
        }
        drop(told);
        news.notify_all();
    }

    /// The next payload, if one has come.
    pub fn take_told(&self) -> Option<Vec<u8>> {
        self.told.0.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }

    /// The next payload, as soon as there is one.
    pub fn wait_told(&self) -> Vec<u8> {
        loop {
            // A parent that is gone ends this process.
            if let Some(payload) = self.wait_told_while(&|| true) {
                return payload;
            }
        }
    }

    /// The next payload; `None` where the search must end, or pause, before one comes.
    pub fn wait_told_or_stop(&self) -> Option<Vec<u8>> {
        self.wait_told_while(&|| !self.stop.load(Ordering::SeqCst))
    }

    fn wait_told_while(&self, may_wait: &dyn Fn() -> bool) -> Option<Vec<u8>> {
        let (told, news) = &*self.told;
        let told = told.lock().unwrap_or_else(PoisonError::into_inner);
        let waits = |told: &mut VecDeque<Vec<u8>>| told.is_empty() && may_wait();
        news.wait_while(told, waits).unwrap_or_else(PoisonError::into_inner).pop_front()
    }

    /// Time for the rest in milliseconds, or [`UNLIMITED`], if the search must end.
    pub fn end(&self) -> Option<u64> {
        self.ended.load(Ordering::SeqCst).then(|| self.rest.load(Ordering::SeqCst))
    }

    /// The suite in between, if one is wanted and the search is to go on after it; each is given once.
    pub fn take_suite(&self) -> Option<WantedSuite> {
        let milliseconds = self.suite.swap(UNLIMITED, Ordering::SeqCst);
        let is_anew = self.is_anew.load(Ordering::SeqCst);
        let is_wanted = milliseconds != UNLIMITED && self.end().is_none();
        is_wanted.then(|| WantedSuite { time: Duration::from_millis(milliseconds), is_anew })
    }

    /// Lets the search go on after a suite, unless it must end: the parent has said so, or `alarm` is raised.
    pub fn go_on(&self, alarm: &AtomicBool) {
        self.stop.store(false, Ordering::SeqCst);
        // Whoever wants an end raises its own flag before the common one, so that none is lost here.
        if self.ended.load(Ordering::SeqCst) || alarm.load(Ordering::SeqCst) {
            self.stop.store(true, Ordering::SeqCst);
        }
    }
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
    // The end of the stream, below, covers a parent that died before this line.
    end_with_parent()?;
    let streams = streams::make_private()?;
    let mut input = BufReader::new(File::from(streams.input));
    let Some(ParentMessage::Job(job)) = channel::receive(&mut input)? else {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "the first message is no job"));
    };
    let requests = Requests::default();
    let heard = requests.clone();
    thread::spawn(move || {
        while let Ok(Some(message)) = channel::receive::<ParentMessage>(&mut input) {
            heard.hear(message);
        }
        // The parent is gone, and nobody wants the result. No exit handlers: a JVM's would wait for the class
        // under test.
        let _ = kill_process(getpid(), Signal::KILL);
    });
    Ok(Worker { job, requests, events: EventSender(Arc::new(Mutex::new(File::from(streams.output)))) })
}

/// Has the kernel kill this process when its parent ends, more exactly the thread that started it: that one waits for it.
///
/// # Errors
/// The kernel refuses.
pub fn end_with_parent() -> io::Result<()> {
    Ok(set_parent_process_death_signal(Some(Signal::KILL))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(requests: &Requests) -> (bool, Option<u64>) {
        (requests.stop.load(Ordering::SeqCst), requests.end())
    }

    #[test]
    fn a_search_goes_on_after_each_suite_that_is_asked_for() {
        let (requests, alarm) = (Requests::default(), AtomicBool::new(false));
        assert_eq!((flags(&requests), requests.take_suite()), ((false, None), None));
        for (milliseconds, is_anew) in [(300, false), (0, true), (0, false)] {
            requests.hear(ParentMessage::Suite { milliseconds, is_anew });
            assert_eq!(flags(&requests), (true, None));
            let wanted = WantedSuite { time: Duration::from_millis(milliseconds), is_anew };
            assert_eq!(requests.take_suite(), Some(wanted));
            assert_eq!(requests.take_suite(), None, "once");
            requests.go_on(&alarm);
            assert_eq!(flags(&requests), (false, None));
        }
    }

    #[test]
    fn an_end_that_comes_while_a_suite_is_made_is_not_forgotten() {
        let (requests, alarm) = (Requests::default(), AtomicBool::new(false));
        requests.hear(ParentMessage::Suite { milliseconds: 300, is_anew: false });
        assert!(requests.take_suite().is_some());
        requests.hear(ParentMessage::Stop { milliseconds: Some(20) });
        requests.go_on(&alarm);
        assert_eq!(flags(&requests), (true, Some(20)));
        requests.hear(ParentMessage::Suite { milliseconds: 300, is_anew: false });
        assert_eq!(requests.take_suite(), None, "no suite in between comes after the end");
    }

    #[test]
    fn payloads_are_taken_in_order_and_waited_for_until_the_end() {
        let requests = Requests::default();
        let told = |text: &str| requests.hear(ParentMessage::Payload(text.into()));
        told("one");
        told("two");
        assert_eq!(requests.take_told(), Some(b"one".to_vec()));
        assert_eq!(requests.wait_told_or_stop(), Some(b"two".to_vec()));
        assert_eq!(requests.take_told(), None);
        thread::scope(|scope| {
            let waiting = scope.spawn(|| (requests.wait_told(), requests.wait_told_or_stop()));
            told("three");
            requests.hear(ParentMessage::Stop { milliseconds: None });
            assert_eq!(waiting.join().unwrap(), (b"three".to_vec(), None));
        });
        told("four");
        assert_eq!(requests.wait_told(), b"four", "what comes behind the end is waited for all the same");
    }

    #[test]
    fn a_raised_alarm_ends_the_search_too() {
        let (requests, alarm) = (Requests::default(), AtomicBool::new(true));
        requests.go_on(&alarm);
        assert_eq!(flags(&requests), (true, None));
    }
}
