//! One process per class, since a process can have one JVM: this program starts itself once more.

use std::fs::File;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Has a new process do `words` of this program, and reads the answer that it prints, one line of JSON.
pub(super) fn ask<T: DeserializeOwned>(words: &[String]) -> Result<T> {
    let mut command = Command::new(std::env::current_exe()?);
    let output = command.args(words).stdin(Stdio::null()).stderr(Stdio::inherit()).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        bail!("the process of the class ended with {}", output.status);
    }
    serde_json::from_str(text.trim()).context("the process of the class gives no answer")
}

/// Does the work of a process of its own and prints its answer. The code under test prints as well, so the standard
/// streams lead nowhere meanwhile.
pub(super) fn answer<T: Serialize + Send>(work: impl FnOnce() -> Result<T> + Send) -> Result<()> {
    let mut out = File::from(rustix::io::dup(rustix::stdio::stdout())?);
    let mut errors = File::from(rustix::io::dup(rustix::stdio::stderr())?);
    processes::streams::silence()?;
    let code = match jvm::vm::run_on_big_stack(work)? {
        Ok(answer) => {
            writeln!(out, "{}", serde_json::to_string(&answer)?)?;
            0
        }
        Err(error) => {
            writeln!(errors, "{error:#}")?;
            1
        }
    };
    // The JVM's own end would wait for threads of the code under test.
    jvm::watchdog::leave_process(code)
}

/// Processor time of the whole process: what its JVM compiles and collects counts, other load on the machine does
/// not.
pub(super) fn processor_time() -> Duration {
    time_of(ClockId::ProcessCPUTime)
}

/// Processor time of the calling thread.
pub(super) fn thread_time() -> Duration {
    time_of(ClockId::ThreadCPUTime)
}

/// What asking for it costs.
pub(super) fn cost_of_thread_time() -> Duration {
    const TIMES: u32 = 1000;
    let start = thread_time();
    for _ in 0..TIMES {
        std::hint::black_box(thread_time());
    }
    thread_time().saturating_sub(start) / TIMES
}

/// Time on the clock, from some moment on.
pub(super) fn wall_time() -> Duration {
    time_of(ClockId::Monotonic)
}

fn time_of(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// The middle of some figures: the mean of the middle two where their number is even; 0 of none.
pub(super) fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    let middle = figures.len() / 2;
    match (figures.get(middle), figures.len() % 2) {
        (Some(upper), 0) => f64::midpoint(figures[middle - 1], *upper),
        (Some(one), _) => *one,
        (None, _) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_figure() {
        let check = |figures: &[f64], expect: f64| assert_eq!(median(figures.to_vec()), expect);
        check(&[], 0.0);
        check(&[3.0], 3.0);
        check(&[4.0, 1.0], 2.5);
        check(&[9.0, 1.0, 2.0], 2.0);
    }
}
