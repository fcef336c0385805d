//! Calls that turned out to be of no use are taken out of a cluster.

use super::{Call, CallableId, Generator, TestCluster};

impl TestCluster {
    /// Offers these callables (ascending) no more: new tests do not call them. All ids stay what they are, and tests
    /// that call them mean what they did.
    pub fn ban(&mut self, callables: &[CallableId]) {
        let is_banned = |id: &CallableId| callables.binary_search(id).is_ok();
        let is_offered = |call: &Call| !matches!(call, Call::Callable(id) if is_banned(id));
        for calls in self.test_calls.iter_mut().chain(&mut self.modifiers) {
            calls.retain(is_offered);
        }
        // A group without calls would still be drawn.
        self.test_calls.retain(|group| !group.is_empty());
        for generators in &mut self.generators {
            generators.retain(|generator| !matches!(generator, Generator::Callable(id) if is_banned(id)));
        }
        for inspectors in &mut self.inspectors {
            inspectors.retain(|id| !is_banned(id));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::FieldId;

    #[test]
    fn what_is_banned_is_offered_nowhere() {
        let ids = [CallableId(1), CallableId(2)];
        let calls = || ids.map(Call::Callable).to_vec();
        let mut cluster = TestCluster {
            test_calls: vec![calls(), vec![Call::Callable(ids[0])]],
            modifiers: vec![vec![Call::Callable(ids[0]), Call::Read(FieldId(1))]],
            generators: vec![ids.map(Generator::Callable).to_vec()],
            inspectors: vec![ids.to_vec()],
            ..TestCluster::default()
        };
        cluster.ban(&[ids[0]]);
        assert_eq!(cluster.test_calls, [[Call::Callable(ids[1])]]);
        assert_eq!(cluster.modifiers, [[Call::Read(FieldId(1))]]);
        assert_eq!(cluster.generators, [[Generator::Callable(ids[1])]]);
        assert_eq!(cluster.inspectors, [[ids[1]]]);
    }
}
