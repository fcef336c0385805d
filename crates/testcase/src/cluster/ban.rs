//! Calls that turned out to be of no use are taken out of a cluster.

use super::{Call, TestCluster};

impl TestCluster {
    /// Offers these calls (ascending) no more: new tests do not have them. All ids stay what they are, and tests that
    /// have them mean what they did.
    pub fn ban(&mut self, banned: &[Call]) {
        let is_offered = |call: &Call| banned.binary_search(call).is_err();
        for calls in self.test_calls.iter_mut().chain(&mut self.modifiers) {
            calls.retain(is_offered);
        }
        // A group without calls would still be drawn.
        self.test_calls.retain(|group| !group.is_empty());
        for generators in &mut self.generators {
            generators.retain(|generator| generator.call().is_none_or(|call| is_offered(&call)));
        }
        for inspectors in &mut self.inspectors {
            inspectors.retain(|id| is_offered(&Call::Callable(*id)));
        }
        for settings in [&mut self.settings, &mut self.steadying] {
            settings.retain(|id| is_offered(&Call::Callable(*id)));
        }
        for fields in &mut self.public_fields {
            fields.retain(|id| is_offered(&Call::Read(*id)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::{CallableId, FieldId, Generator, StubId};

    #[test]
    fn what_is_banned_is_offered_nowhere() {
        let ids = [CallableId(1), CallableId(2)];
        let calls = || ids.map(Call::Callable).to_vec();
        let mut cluster = TestCluster {
            test_calls: vec![calls(), vec![Call::Callable(ids[0])]],
            modifiers: vec![vec![Call::Callable(ids[0]), Call::Read(FieldId(1))]],
            generators: vec![ids.map(Generator::Callable).to_vec(), vec![Generator::Stub(StubId(3))]],
            inspectors: vec![ids.to_vec()],
            settings: ids.to_vec(),
            public_fields: vec![vec![FieldId(1), FieldId(2)]],
            ..TestCluster::default()
        };
        cluster.ban(&[Call::Callable(ids[0]), Call::Read(FieldId(2)), Call::Implement(StubId(3))]);
        assert_eq!(cluster.test_calls, [[Call::Callable(ids[1])]]);
        assert_eq!(cluster.modifiers, [[Call::Read(FieldId(1))]]);
        assert_eq!(cluster.generators, [vec![Generator::Callable(ids[1])], Vec::new()]);
        assert_eq!(cluster.inspectors, [[ids[1]]]);
        assert_eq!(cluster.settings, [ids[1]]);
        assert_eq!(cluster.public_fields, [[FieldId(1)]]);
    }
}
