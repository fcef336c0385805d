//! What parent and worker say to each other. What searching and printing have to say is a payload here, encoded
//! by those who know it: this layer starts, watches and ends processes.

use serde::{Deserialize, Serialize};

/// What the parent says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ParentMessage {
    /// What to do; the first message.
    Job(WorkerJob),
    /// End the search and carry on with what follows it.
    Stop {
        /// Time for that, in milliseconds; `None` for as long as it takes.
        milliseconds: Option<u64>,
    },
    /// Make a suite of what the search has found, then go on with the search.
    Suite {
        /// Time for that suite, in milliseconds.
        milliseconds: u64,
        /// Whether it is to be of everything, whatever suites there were before.
        is_anew: bool,
    },
    /// Something for whoever does the job, who decodes it.
    Payload(Vec<u8>),
}

/// A worker's job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerJob {
    /// How often a worker of this class has died before: 0 for the first. Part of the random stream.
    pub restart: u32,
    /// The job itself.
    pub payload: Vec<u8>,
}

/// What the worker says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum WorkerEvent {
    /// Something the user should know, in one sentence.
    Warning(String),
    /// Progress, a test for the archive, a suite: decoded by whoever gave the job.
    Payload(Vec<u8>),
    /// The job cannot be done, for a reason that a restart does not change.
    Failed(String),
    /// The job is done; the worker ends.
    Finished,
}
