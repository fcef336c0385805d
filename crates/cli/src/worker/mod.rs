//! A worker: confines itself, starts the JVM, searches, and makes suites of what it finds.
//!
//! Start with [`work`].
//!
//! * [`class_worker`]: the phases of a class
//! * [`contexts`]: which contexts of other classes tests may set
//! * [`first_tests`]: what a search begins with that goes on where a worker was lost
//! * [`symbolic`]: symbolic execution, as the search has it
//! * [`suite`]: from an archive to a suite
//! * [`replay`]: the tests of a suite once more, in other surroundings

mod class_worker;
mod contexts;
mod first_tests;
mod replay;
mod suite;
mod symbolic;
mod variations;

use std::fs::OpenOptions;
use std::os::fd::AsFd as _;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use bytecode::probe_layout::ProbeLayout;
use concolic::solver::Solver;
use jvm::executor::JvmExecutor;
use jvm::home::JavaHome;
use jvm::options::JvmOptions;
use jvm::shared::SlotWriter;
use jvm::vm::run_on_big_stack;
use jvm::watchdog::{Exit, leave, leave_process};
use processes::message::WorkerEvent;
use processes::sandbox::{SandboxOptions, confine};
use processes::worker::Worker;
use testcase::clock::Clock;
use testcase::cluster::TestCluster;
use verify::jvm::test_limit;

use crate::job::{ClassJob, Surroundings, Task};
use class_worker::{ClassWorker, Ended};

/// Most memory of a worker in MiB: twice what heap, class metadata, compiled code and the command itself may take.
const MEMORY_MB: u64 = 2048;

/// Does the job and ends the process: the JVM in it cannot be left any other way.
///
/// # Errors
/// The job cannot be read, or the slot not opened.
pub fn work(worker: Worker) -> anyhow::Result<()> {
    let clock = Clock::start();
    let job: ClassJob = postcard::from_bytes(&worker.job.payload).context("the job cannot be read")?;
    let slot = OpenOptions::new().read(true).write(true).open(&job.places.slot);
    let slot = SlotWriter::open(slot.context("the slot cannot be opened")?.as_fd())?;
    let solver = (job.task == Task::Search).then(|| symbolic::solver(&job));
    // Before the JVM, whose threads are then confined as well.
    let options = SandboxOptions {
        memory_mb: Some(MEMORY_MB),
        writable: vec![job.places.files.clone()],
        ..SandboxOptions::new(job.places.scratch.clone())
    };
    for sentence in confine(&options).open {
        worker.events.send(&WorkerEvent::Warning(sentence))?;
    }
    let events = worker.events.clone();
    let last = match run_on_big_stack(move || run(worker, job, slot, (solver, clock)))? {
        Ok(Ended::Finished) => WorkerEvent::Finished,
        Ok(Ended::Tainted) => leave(Exit::Tainted),
        Err(error) => WorkerEvent::Failed(format!("{error:#}")),
    };
    // A parent that is gone needs no answer.
    let _ = events.send(&last);
    leave_process(0)
}

fn run(
    worker: Worker,
    mut job: ClassJob,
    slot: SlotWriter,
    (solver, clock): (Option<Box<dyn Solver>>, Clock),
) -> anyhow::Result<Ended> {
    let home = JavaHome::find(&job.places.java_home)?;
    let mut options = JvmOptions::new(home, job.places.class_path.clone(), job.places.scratch.clone());
    options.files.clone_from(&job.places.files);
    if job.surroundings == Surroundings::Second {
        replay::change_surroundings(&mut options);
    }
    options.test_class.clone_from(&job.code.test_class);
    options.unwatched = std::mem::take(&mut job.code.unwatched);
    if let Some(plan) = job.plan {
        options.limit_to(plan.deadline());
    }
    options.longest_sleep_ms = longest_sleep_ms(job.plan.map(|plan| plan.deadline()));
    let layout = ProbeLayout::new(&job.code.maps, job.code.ids);
    let mut cluster = std::mem::take(&mut job.code.cluster);
    cluster.ban(&job.earlier.faults.banned());
    let factory = job.search.set_up.search_options()?.factory;
    if factory.files <= 0.0 {
        cluster.ban(&cluster.folder_calls());
    }
    if factory.settings <= 0.0 {
        cluster.ban(&cluster.setting_calls());
    }
    if factory.inject <= 0.0 {
        cluster.ban(&cluster.hidden_writes());
    }
    let cluster = Arc::new(cluster);
    let size = (layout.probes(), layout.outcomes());
    let (classes, statics) = (std::mem::take(&mut job.code.classes), std::mem::take(&mut job.code.statics));
    let mut executor = JvmExecutor::start(&options, Arc::clone(&cluster), classes, layout, statics)?;
    executor.set_slot(slot);
    executor.set_faults(job.earlier.faults.clone());
    let failing = contexts::failing(&mut executor, &cluster, size);
    let cluster = if failing.is_empty() {
        cluster
    } else {
        let mut offered = TestCluster::clone(&cluster);
        offered.ban(&failing);
        Arc::new(offered)
    };
    ClassWorker::new(worker, &job, &cluster, executor, size, clock)?.run(solver)
}

/// How long a test may sleep in milliseconds: half of what it may take where it is verified, which sleeps for real.
fn longest_sleep_ms(budget: Option<Duration>) -> u32 {
    u32::try_from(test_limit(budget).as_millis() / 2).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_may_sleep_for_half_of_its_time() {
        let check = |seconds: Option<u64>, expect| {
            assert_eq!(longest_sleep_ms(seconds.map(Duration::from_secs)), expect, "{seconds:?}");
        };
        check(None, 2500);
        check(Some(60), 1500);
        check(Some(10), 250);
        check(Some(2), 150);
    }
}
