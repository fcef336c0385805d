//! The running test as the parent sees it.

use testcase::test_case::TestCase;

use crate::shared::SlotWriter;

/// Tells the parent which test runs and how far it has come, if there is a parent that looks.
#[derive(Debug, Default)]
pub(super) struct Slot {
    writer: Option<SlotWriter>,
}

impl Slot {
    /// From now on the parent looks here.
    pub(super) fn open(&mut self, writer: SlotWriter) {
        self.writer = Some(writer);
    }

    /// A test is about to run.
    pub(super) fn write(&mut self, test: &TestCase) {
        if let Some(writer) = &mut self.writer {
            writer.write(test);
        }
    }

    /// The test has come to this statement.
    pub(super) fn advance(&self, to: usize) {
        if let Some(writer) = &self.writer {
            writer.advance(to);
        }
    }

    /// No test runs any more.
    pub(super) fn clear(&mut self) {
        if let Some(writer) = &mut self.writer {
            writer.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::{SlotContent, SlotReader};

    #[test]
    fn the_parent_sees_the_test_that_runs_and_the_statement_that_it_has_come_to() {
        let reader = SlotReader::create().unwrap();
        let mut slot = Slot::default();
        let test = TestCase::default();
        slot.write(&test);
        assert_eq!(reader.read(), SlotContent::Idle);
        slot.open(SlotWriter::open(reader.file()).unwrap());
        slot.write(&test);
        slot.advance(3);
        assert_eq!(reader.read(), SlotContent::Test { test, position: 3 });
        slot.clear();
        assert_eq!(reader.read(), SlotContent::Idle);
    }
}
