//! Memory that a run took outside of the heap, which nobody takes back: the process dies for want of it later, in a run
//! that has nothing to do with it.

use std::os::fd::OwnedFd;

use rustix::fs::{Mode, OFlags, open};
use rustix::io::pread;
use rustix::param::page_size;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// A process with no more than one part in so many of its limit left is short of memory. The heap and all else that a JVM
/// needs take less than the half of the limit.
const LEFT: u64 = 3;

/// Who took one part in so many of the limit since the look before is to blame.
const BLAMED: u64 = 8;

/// Runs that passed between two looks: a look costs a system call.
const PASSED: u32 = 64;

/// What a look shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shortage {
    /// There is enough.
    None,
    /// Too little is left, and what took it ran some time before.
    Earlier,
    /// Too little is left, and much of it was taken since the look before.
    Sudden,
}

/// Looks at the memory that this process can write to.
#[derive(Debug)]
pub(super) struct NativeMemory {
    /// `/proc/self/statm`; none where the system has no such thing.
    file: Option<OwnedFd>,
    used: u64,
    passed: u32,
}

impl NativeMemory {
    pub(super) fn of_this_process() -> Self {
        let file = open("/proc/self/statm", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()).ok();
        Self { file, used: 0, passed: 0 }
    }

    /// To be called behind every run. A process that is short of memory gets what its limit held in reserve, so that it can
    /// tell what it knows.
    pub(super) fn look(&mut self, has_passed: bool) -> Shortage {
        if has_passed {
            self.passed += 1;
            if self.passed < PASSED {
                return Shortage::None;
            }
        }
        self.passed = 0;
        let limit = getrlimit(Resource::Data);
        let (Some(most), Some(used)) = (limit.current, self.read()) else { return Shortage::None };
        let taken = used.saturating_sub(std::mem::replace(&mut self.used, used));
        let shortage = judge(most, used, taken);
        if shortage != Shortage::None {
            // Where that is refused there is less to spare, no more.
            let _ = setrlimit(Resource::Data, Rlimit { current: limit.maximum, maximum: limit.maximum });
        }
        shortage
    }

    /// What the limit counts, in bytes.
    fn read(&self) -> Option<u64> {
        let mut text = [0; 128];
        let length = pread(self.file.as_ref()?, &mut text, 0).ok()?;
        let pages = data_pages(std::str::from_utf8(text.get(..length)?).ok()?)?;
        Some(pages.saturating_mul(page_size() as u64))
    }
}

/// The sixth number of `/proc/<process>/statm`: data and stack, in pages.
fn data_pages(statm: &str) -> Option<u64> {
    statm.split_ascii_whitespace().nth(5)?.parse().ok()
}

fn judge(most: u64, used: u64, taken: u64) -> Shortage {
    if used < most - most / LEFT {
        Shortage::None
    } else if taken < most / BLAMED {
        Shortage::Earlier
    } else {
        Shortage::Sudden
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_counts_the_sixth_number() {
        for (statm, expect) in [("1 2 3 4 0 77 0\n", Some(77)), ("1 2 3", None), ("", None)] {
            assert_eq!(data_pages(statm), expect, "{statm}");
        }
    }

    #[test]
    fn who_took_much_of_what_is_missing_is_to_blame() {
        let rows = [
            ((2048, 700, 600), Shortage::None),
            ((2048, 1364, 1300), Shortage::None),
            ((2048, 1400, 255), Shortage::Earlier),
            ((2048, 1400, 256), Shortage::Sudden),
            ((2048, 3000, 0), Shortage::Earlier),
        ];
        for ((most, used, taken), expect) in rows {
            assert_eq!(judge(most, used, taken), expect, "{used} of {most}, {taken} of it new");
        }
    }

    #[test]
    fn what_this_process_uses_can_be_read() {
        let memory = NativeMemory::of_this_process();
        let before = memory.read().unwrap();
        let block = std::hint::black_box(vec![1u8; 64 << 20]);
        assert!(memory.read().unwrap() >= before + (block.len() as u64) / 2);
    }
}
