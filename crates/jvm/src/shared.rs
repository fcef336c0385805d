//! The test slot: memory shared with the parent in which the running test lies, so that the parent knows which test
//! a worker died of.
//!
//! A sequence lock (Lameter 2005, "Effective synchronization on Linux/NUMA systems") of one writer: the number is
//! odd while the slot is written, and a reader that sees it change, or odd, has read nothing.

use std::os::fd::{AsFd, AsRawFd as _, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicU64, Ordering::Acquire, Ordering::Relaxed, Ordering::Release, fence};

use memmap2::{MmapOptions, MmapRaw};
use rustix::fs::{MemfdFlags, ftruncate, memfd_create};
use testcase::test_case::TestCase;

use crate::error::JvmError;

/// Words of a slot, 64 KiB in all: sequence number, number of bytes, statement, bytes.
const WORDS: usize = 8192;
const HEAD: usize = 3;
/// Most bytes of a test. One of 40 statements has some hundred, unless a string is long.
const MOST_BYTES: usize = (WORDS - HEAD) * 8;
/// In place of a length: a test too large for the slot.
const TOO_LARGE: u64 = u64::MAX;

/// What a slot holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SlotContent {
    /// No test runs.
    Idle,
    /// This test runs, or ran when the process ended.
    Test {
        /// The test.
        test: TestCase,
        /// Position of the statement that runs, or whose classes are being loaded.
        position: usize,
    },
    /// A test runs that is too large to be kept.
    TooLarge,
    /// The process ended while it wrote the slot, before the test began.
    Torn,
}

/// The memory of a slot.
#[derive(Debug)]
struct Memory {
    map: MmapRaw,
}

// SAFETY: the memory is used through atomic words only.
unsafe impl Send for Memory {}

impl Memory {
    fn new(file: BorrowedFd<'_>) -> std::io::Result<Self> {
        let map = MmapOptions::new().len(WORDS * 8).map_raw(file.as_raw_fd())?;
        Ok(Self { map })
    }

    #[expect(clippy::cast_ptr_alignment, reason = "mappings start at pages")]
    fn words(&self) -> &[AtomicU64] {
        // SAFETY: the mapping has that many words, is aligned to pages, and lives as long as `self`; both processes
        // use it through atomic words only.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast::<AtomicU64>(), WORDS) }
    }
}

/// The parent's end.
#[derive(Debug)]
pub struct SlotReader {
    memory: Memory,
    file: OwnedFd,
}

impl SlotReader {
    /// Makes a slot.
    pub fn create() -> Result<Self, JvmError> {
        let failed = JvmError::system("no memory can be shared with the worker");
        let file = memfd_create("covolve-slot", MemfdFlags::CLOEXEC).map_err(&failed)?;
        ftruncate(&file, (WORDS * 8) as u64).map_err(&failed)?;
        let memory = Memory::new(file.as_fd())
            .map_err(|reason| JvmError::System { what: "no memory can be shared with the worker", reason })?;
        Ok(Self { memory, file })
    }

    /// The file behind it, to be handed to the worker.
    pub fn file(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }

    /// What it holds. Meant for a worker that ended or hangs; beside one that runs, tries a few times.
    pub fn read(&self) -> SlotContent {
        const TRIES: usize = 64;
        for _ in 0..TRIES {
            if let Some(content) = self.try_read() {
                return content;
            }
            std::hint::spin_loop();
        }
        SlotContent::Torn
    }

    fn try_read(&self) -> Option<SlotContent> {
        let Parts { sequence, length, position, words } = parts(self.memory.words())?;
        let before = sequence.load(Acquire);
        if before % 2 == 1 {
            return None;
        }
        let length = length.load(Relaxed);
        let position = position.load(Relaxed) as usize;
        let count = usize::try_from(length).ok().filter(|length| *length <= MOST_BYTES);
        let mut bytes = Vec::new();
        for word in words.iter().take(count.unwrap_or(0).div_ceil(8)) {
            bytes.extend(word.load(Relaxed).to_le_bytes());
        }
        fence(Acquire);
        if sequence.load(Relaxed) != before {
            return None;
        }
        Some(match (length, count) {
            (0, _) => SlotContent::Idle,
            (TOO_LARGE, _) | (_, None) => SlotContent::TooLarge,
            (_, Some(count)) => {
                bytes.truncate(count);
                postcard::from_bytes(&bytes)
                    .map_or(SlotContent::Torn, |test| SlotContent::Test { test, position })
            }
        })
    }

    /// Empties the slot before another worker gets it.
    pub fn clear(&self) {
        if let Some(Parts { sequence, length, .. }) = parts(self.memory.words()) {
            length.store(0, Relaxed);
            sequence.store(0, Release);
        }
    }
}

/// The worker's end.
#[derive(Debug)]
pub struct SlotWriter {
    memory: Memory,
    buffer: Vec<u8>,
    sequence: u64,
}

impl SlotWriter {
    /// The slot behind a file that the parent handed over.
    pub fn open(file: BorrowedFd<'_>) -> Result<Self, JvmError> {
        let memory = Memory::new(file).map_err(|reason| JvmError::System {
            what: "the memory shared with the parent cannot be used",
            reason,
        })?;
        Ok(Self { memory, buffer: vec![0; MOST_BYTES], sequence: 0 })
    }

    /// Puts the test in that is about to run.
    pub fn write(&mut self, test: &TestCase) {
        let encoded = postcard::to_slice(test, &mut self.buffer).map(|bytes| bytes.len());
        let Some(Parts { sequence, length, position, words }) = parts(self.memory.words()) else { return };
        sequence.store(self.sequence + 1, Relaxed);
        fence(Release);
        position.store(0, Relaxed);
        if let Ok(count) = encoded {
            for (word, bytes) in words.iter().zip(self.buffer.chunks_exact(8)).take(count.div_ceil(8)) {
                word.store(u64::from_le_bytes(bytes.try_into().unwrap_or_default()), Relaxed);
            }
            length.store(count as u64, Relaxed);
        } else {
            length.store(TOO_LARGE, Relaxed);
        }
        self.sequence += 2;
        sequence.store(self.sequence, Release);
    }

    /// The test has come to this statement.
    pub fn advance(&self, to: usize) {
        if let Some(Parts { position, .. }) = parts(self.memory.words()) {
            position.store(to as u64, Relaxed);
        }
    }

    /// No test runs any more.
    pub fn clear(&mut self) {
        let Some(Parts { sequence, length, .. }) = parts(self.memory.words()) else { return };
        sequence.store(self.sequence + 1, Relaxed);
        fence(Release);
        length.store(0, Relaxed);
        self.sequence += 2;
        sequence.store(self.sequence, Release);
    }
}

/// The words of a slot by what they mean.
struct Parts<'a> {
    sequence: &'a AtomicU64,
    length: &'a AtomicU64,
    position: &'a AtomicU64,
    /// The words of the bytes.
    words: &'a [AtomicU64],
}

fn parts(words: &[AtomicU64]) -> Option<Parts<'_>> {
    let (head, words) = words.split_at_checked(HEAD)?;
    let [sequence, length, position] = head else { return None };
    Some(Parts { sequence, length, position, words })
}

#[cfg(test)]
mod tests {
    use testcase::statement::Statement;
    use testcase::value::Value;

    use super::*;

    fn text(length: usize) -> TestCase {
        let value = Value::String("x".repeat(length).as_str().into());
        TestCase::new(vec![Statement::Primitive { value, boxed: false }])
    }

    #[test]
    fn the_reader_sees_what_the_writer_wrote_last() {
        let reader = SlotReader::create().unwrap();
        assert_eq!(reader.read(), SlotContent::Idle);
        let mut writer = SlotWriter::open(reader.file()).unwrap();
        for length in [0, 1, 7, 500] {
            writer.write(&text(length));
            assert_eq!(reader.read(), SlotContent::Test { test: text(length), position: 0 });
            writer.advance(3);
            assert_eq!(reader.read(), SlotContent::Test { test: text(length), position: 3 });
        }
        writer.clear();
        assert_eq!(reader.read(), SlotContent::Idle);
        writer.write(&text(MOST_BYTES));
        assert_eq!(reader.read(), SlotContent::TooLarge);
    }

    #[test]
    fn a_slot_left_in_the_middle_of_a_write_is_torn() {
        let reader = SlotReader::create().unwrap();
        let mut writer = SlotWriter::open(reader.file()).unwrap();
        writer.write(&text(3));
        let parts = parts(writer.memory.words()).unwrap();
        parts.sequence.fetch_add(1, Relaxed);
        assert_eq!(reader.read(), SlotContent::Torn);
        reader.clear();
        assert_eq!(reader.read(), SlotContent::Idle);
    }

    #[test]
    fn a_reader_beside_a_writer_never_sees_a_mixture() {
        let reader = SlotReader::create().unwrap();
        let mut writer = SlotWriter::open(reader.file()).unwrap();
        let tests = [text(3), text(300)];
        writer.write(&tests[0]);
        std::thread::scope(|scope| {
            scope.spawn(|| (0..20_000).for_each(|round| writer.write(&tests[round % 2])));
            for _ in 0..2000 {
                match reader.read() {
                    SlotContent::Test { test, .. } => assert!(tests.contains(&test)),
                    SlotContent::Torn => {}
                    other => panic!("{other:?}"),
                }
            }
        });
    }
}
