//! Time that a process could make use of, for limits that a loaded machine meets no sooner than an idle one.
//!
//! Time on the wall says nothing of a process that waits its turn: beside two builds, one with the lowest priority has a
//! hundredth of it. Time on the processors says nothing of one that waits for what does not come. So every look asks
//! whether a thread of the process could go on if the machine let it: then what counts of the time since the look before is
//! what the process had of the processors, and otherwise all of it.

use std::time::Duration;

use rustix::param::clock_ticks_per_second;
use rustix::thread::gettid;
use rustix::time::{ClockId, clock_gettime};
use testcase::clock::Clock;

/// Times the period between two looks that a look counts at most where nothing could go on. Who looks was kept from it for
/// the rest, as the process most likely was: stopped as a whole, say.
const LATE: u32 = 2;

/// Measures from its start, as often as it is looked at.
#[derive(Debug)]
pub struct Meter {
    /// Number of the process; 0 is this one.
    process: u32,
    /// The most that a look counts where nothing could go on.
    most: Duration,
    last: Clock,
    processor: Duration,
    spent: Spent,
}

/// What a meter shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spent {
    /// Time that the process could make use of.
    pub usable: Duration,
    /// Time that all its threads had on processors, together.
    pub processor: Duration,
}

impl Spent {
    /// What is left of it without a part of it.
    pub fn without(self, part: Self) -> Self {
        Self {
            usable: self.usable.saturating_sub(part.usable),
            processor: self.processor.saturating_sub(part.processor),
        }
    }
}

impl Meter {
    /// For this process, to be looked at about once in `period` by a thread that is no part of what is measured.
    pub fn of_this_process(period: Duration) -> Self {
        Self::of(0, period)
    }

    /// For a child, to be looked at about once in `period`.
    pub fn of(process: u32, period: Duration) -> Self {
        Self {
            process,
            most: period.saturating_mul(LATE),
            last: Clock::start(),
            processor: processor_time(process),
            spent: Spent::default(),
        }
    }

    /// What was spent from the start to now.
    pub fn look(&mut self) -> Spent {
        let elapsed = std::mem::replace(&mut self.last, Clock::start()).now();
        let processor = processor_time(self.process);
        // That of a process that is gone is 0.
        let used = processor.saturating_sub(self.processor);
        self.processor = self.processor.max(processor);
        self.spent.processor += used;
        self.spent.usable += if self.could_go_on() { used.min(elapsed) } else { elapsed.min(self.most) };
        self.spent
    }

    /// Whether a thread is on a processor or waits for one, for a page or for somebody to let the process go on. Where the
    /// system does not say, none is.
    fn could_go_on(&self) -> bool {
        let folder = match self.process {
            0 => "/proc/self/task".to_owned(),
            process => format!("/proc/{process}/task"),
        };
        let own = gettid().as_raw_nonzero().to_string();
        let Ok(threads) = std::fs::read_dir(folder) else { return false };
        let others = threads.flatten().filter(|thread| thread.file_name() != own.as_str());
        others.into_iter().any(|thread| {
            #[expect(clippy::disallowed_methods, reason = "the state of threads is no file of the user's")]
            let status = std::fs::read_to_string(thread.path().join("stat"));
            status.is_ok_and(|status| matches!(state(&status), Some('R' | 'D' | 'T' | 't')))
        })
    }
}

/// Time that all threads of a process had on processors, together; 0 stands for this process. Nothing for one that is gone.
/// That of another comes in ticks of the kernel, a hundredth of a second as a rule.
fn processor_time(process: u32) -> Duration {
    if process == 0 {
        let time = clock_gettime(ClockId::ProcessCPUTime);
        let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
        return Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or_default());
    }
    #[expect(clippy::disallowed_methods, reason = "what a process has used is no file of the user's")]
    let status = std::fs::read_to_string(format!("/proc/{process}/stat"));
    let ticks = status.ok().and_then(|status| ticks(&status)).unwrap_or_default();
    Duration::from_secs(ticks) / u32::try_from(clock_ticks_per_second()).unwrap_or(u32::MAX)
}

/// Ticks in user and kernel mode in `/proc/<process>/stat`: the fields 14 and 15, where the name is the second.
fn ticks(status: &str) -> Option<u64> {
    let mut fields = status.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut next = || fields.next()?.parse::<u64>().ok();
    Some(next()? + next()?)
}

/// The state in `/proc/<process>/task/<thread>/stat`: it follows the name, which may hold anything.
fn state(status: &str) -> Option<char> {
    status.rsplit_once(')')?.1.trim_start().chars().next()
}

#[cfg(test)]
mod tests {
    use std::process::{Child, Command};

    use super::*;

    const PERIOD: Duration = Duration::from_millis(10);

    fn child(script: &str) -> Child {
        Command::new("/bin/sh").args(["-c", script]).spawn().unwrap()
    }

    /// Looks at a child for so long on the wall.
    fn watch(child: &Child, milliseconds: u64) -> Spent {
        let mut meter = Meter::of(child.id(), PERIOD);
        let clock = Clock::start();
        let mut spent = Spent::default();
        while clock.now() < Duration::from_millis(milliseconds) {
            // tidy: the meter is to look while time passes
            std::thread::sleep(PERIOD);
            spent = meter.look();
        }
        spent
    }

    fn end(mut child: Child) {
        child.kill().unwrap();
        child.wait().unwrap();
    }

    #[test]
    fn the_state_follows_whatever_name() {
        for (status, expect) in [("1 (sh) R 1 2", Some('R')), ("1 (a) S (b) D 1", Some('D')), ("", None)] {
            assert_eq!(state(status), expect, "{status}");
        }
    }

    #[test]
    fn processor_time_is_that_in_user_and_in_kernel_mode() {
        let status = "7 (a b) c) S 1 7 7 0 -1 4194304 1 2 3 4 250 50 9 9 20 0 1 0 5";
        assert_eq!(ticks(status), Some(300));
        assert_eq!(ticks("7 (sh) S 1"), None);
        assert_eq!(processor_time(u32::MAX), Duration::ZERO);
    }

    #[test]
    fn who_waits_spends_all_of_the_time() {
        let waits = child("exec sleep 1000");
        // It has come to its wait.
        watch(&waits, 100);
        let spent = watch(&waits, 400);
        assert!(spent.usable >= Duration::from_millis(100), "{spent:?}");
        assert!(spent.processor < Duration::from_millis(50), "{spent:?}");
        end(waits);
    }

    #[test]
    fn who_computes_spends_what_the_processors_gave_it() {
        let computes = child("while :; do :; done");
        let spent = watch(&computes, 300);
        assert!(spent.usable > Duration::ZERO && spent.usable <= spent.processor, "{spent:?}");
        end(computes);
    }

    #[test]
    fn who_is_stopped_spends_nothing() {
        let stopped = child("kill -STOP $$; exec sleep 1000");
        while !Meter::of(stopped.id(), PERIOD).could_go_on_as('T') {
            // tidy: looks again at a process, which does not tell that it stands still
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(watch(&stopped, 200), Spent::default());
        end(stopped);
    }

    #[test]
    fn this_process_is_measured_without_the_thread_that_looks() {
        let mut meter = Meter::of_this_process(PERIOD);
        let clock = Clock::start();
        while clock.now() < Duration::from_millis(50) {}
        assert!(meter.look().processor >= Duration::from_millis(1));
    }

    impl Meter {
        /// Whether the first thread has this state.
        fn could_go_on_as(&self, expect: char) -> bool {
            #[expect(clippy::disallowed_methods, reason = "a test looks at its child")]
            let status = std::fs::read_to_string(format!("/proc/{}/stat", self.process)).unwrap();
            state(&status) == Some(expect)
        }
    }
}
