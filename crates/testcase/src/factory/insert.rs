//! Insertion: calls of the class under test, and calls on objects that a test holds (Fraser and Arcuri 2013, §3.3).
//!
//! # Differences
//! By default a call of the class under test goes before the statement that threw, so that it runs
//! ([`super::options::FactoryOptions::calls_before_throw`]); the reference implementation puts it behind. Among the instantiations of a generic member, one is preferred whose receiver the test holds.

use super::TestFactory;
use super::edit::splice;
use super::plan::Fillers;
use super::satisfy::{Role, Slot};
use crate::cluster::{Call, CallableKind, TypeId};
use crate::random::Random;
use crate::statement::{Statement, VarRef};
use crate::test_case::TestCase;

/// Which test calls are drawn how often.
#[derive(Debug)]
pub(super) struct CallWeights {
    /// Sums of the weights up to each group; empty when all are equal.
    sums: Vec<f64>,
    groups: usize,
}

impl CallWeights {
    pub(super) fn uniform(groups: usize) -> Self {
        Self { sums: Vec::new(), groups }
    }

    /// Weights by group, those that are 0 raised to a share of the mean of the others.
    pub(super) fn new(weights: &[f64], groups: usize, closed: f64) -> Self {
        let weight = |index: usize| weights.get(index).copied().unwrap_or(0.0).max(0.0);
        let (open, total) = (0..groups)
            .map(weight)
            .filter(|weight| *weight > 0.0)
            .fold((0_u32, 0.0), |(count, total), weight| (count + 1, total + weight));
        if open == 0 || !f64::is_finite(total) {
            return Self::uniform(groups);
        }
        let least = closed * total / f64::from(open);
        let mut sum = 0.0;
        let sums = (0..groups).map(weight).map(|weight| {
            sum += if weight > 0.0 { weight } else { least };
            sum
        });
        Self { sums: sums.collect(), groups }
    }

    pub(super) fn draw(&self, random: &mut Random) -> Option<usize> {
        match self.sums.last() {
            _ if self.groups == 0 => None,
            None => Some(random.below(self.groups)),
            Some(total) => {
                let point = random.unit() * total;
                Some(self.sums.partition_point(|sum| *sum <= point).min(self.groups - 1))
            }
        }
    }
}

impl TestFactory<'_> {
    /// Inserts a call of the class under test, or a call on an object of the test, among the first `executed`
    /// statements or right behind them (and a call of the class under test behind the one that threw as well, if the
    /// options say so); `executed` is the number of statements that completed when the test ran
    /// ([`crate::execution::ExecutionResult::executed`]), or its length. Whether the test changed.
    pub fn insert_random(&mut self, test: &mut TestCase, executed: usize, random: &mut Random) -> bool {
        let executed = executed.min(test.len());
        let position = if self.options.calls_before_throw { executed } else { executed + 1 };
        let is_read = !self.cluster.settings.is_empty();
        let inserted = if is_read && random.chance(self.options.settings) {
            self.insert_setting(test, executed, random)
        } else if random.chance(self.options.test_call) {
            self.insert_test_call(test, position, random)
        } else {
            self.insert_on_variable(test, executed, random)
        };
        let inserted = inserted || self.insert_test_call(test, position, random);
        debug_assert_eq!(test.validate(self.cluster), Ok(()));
        inserted
    }

    /// Inserts a call of the class under test before the position, with whatever it needs.
    pub fn insert_test_call(&mut self, test: &mut TestCase, position: usize, random: &mut Random) -> bool {
        let position = position.min(test.len());
        let cluster = self.cluster;
        let Some(mut group) = self.weights.draw(random) else {
            return false;
        };
        let constructed = |call: &Call| match call {
            Call::Callable(id) => {
                let callable = cluster.callable(*id);
                (callable.kind == CallableKind::Constructor).then_some(callable.owner)
            }
            Call::Implement(id) => Some(cluster.stub(*id).of),
            Call::Read(_) | Call::Write(_) => None,
        };
        let mut draft = self.draft(test, position, random);
        // A second object of a class says less than a call on the first one.
        if let Some(owner) = cluster.test_calls[group].first().and_then(constructed)
            && draft.holds(owner)
        {
            group = self.weights.draw(random).unwrap_or(group);
            draft = self.draft(test, position, random);
        }
        let Some(call) = draft.preferred(&cluster.test_calls[group]) else {
            return false;
        };
        let added = draft.any_call(call, None);
        if added {
            splice(test, position, &mut self.scratch.pending);
        }
        added
    }

    /// Sets something of the JVM that the code under test reads, anywhere among the first `executed` statements.
    fn insert_setting(&mut self, test: &mut TestCase, executed: usize, random: &mut Random) -> bool {
        let position = random.below(executed + 1);
        let Some(setting) = random.choose(&self.cluster.settings).copied() else { return false };
        let added = self.draft(test, position, random).any_call(Call::Callable(setting), None);
        if added {
            splice(test, position, &mut self.scratch.pending);
        }
        added
    }

    /// A test that makes one call of a group of [`crate::cluster::TestCluster::test_calls`], and has nothing but what it
    /// needs for that; nothing if it cannot be made.
    pub fn single_call(&mut self, group: usize, random: &mut Random) -> Option<TestCase> {
        let cluster = self.cluster;
        let mut test = TestCase::default();
        let mut draft = self.draft(&test, 0, random);
        let call = draft.preferred(cluster.test_calls.get(group)?)?;
        let added = draft.any_call(call, None);
        added.then(|| {
            splice(&mut test, 0, &mut self.scratch.pending);
            test
        })
    }

    /// Calls a method of an object that the test holds, writes a field of it, or an element of an array, somewhere
    /// between its definition and its last use.
    fn insert_on_variable(&mut self, test: &mut TestCase, executed: usize, random: &mut Random) -> bool {
        let Some(variable) = self.modifiable_variable(test, executed, random) else {
            return false;
        };
        let used = test.statements()[..executed].iter().rposition(|statement| statement.uses(variable));
        let first = variable.index() + 1;
        let last = used.unwrap_or(executed).max(first);
        let position = first + random.below(last - first + 1);
        let cluster = self.cluster;
        let of = cluster.type_of(test.statement(variable)).unwrap_or(TypeId::OBJECT);
        let length =
            if let Statement::Array { length, .. } = test.statement(variable) { Some(*length) } else { None };
        let mut draft = self.draft(test, position, random);
        let Fillers { all, asked, .. } = draft.plan.fillers(of);
        draft.filled = Some(variable).filter(|_| !all.is_empty());
        let added = if let (Some(length), Some(element)) = (length, cluster.ty(of).element) {
            draft.write_element(variable, element, length)
        } else {
            let asked = draft.asked_call(asked).map(Call::Callable);
            let call = asked.or_else(|| draft.random.choose(cluster.modifiers(of)).copied());
            call.is_some_and(|call| draft.any_call(call, Some(variable)))
        };
        if added {
            splice(test, position, &mut self.scratch.pending);
        }
        added
    }

    /// An object with calls on it, or an array made by the test that has elements.
    fn modifiable_variable(
        &mut self,
        test: &TestCase,
        executed: usize,
        random: &mut Random,
    ) -> Option<VarRef> {
        let candidates = &mut self.scratch.candidates;
        candidates.clear();
        for (position, statement) in test.statements()[..executed].iter().enumerate() {
            let slot = Slot::of(self.cluster, statement);
            let modifiable = match (statement, slot.ty()) {
                (Statement::Array { length, .. }, _) => *length > 0,
                (_, Some(of)) => {
                    self.plan.is_modifiable(of) && !slot.is_null() && self.cluster.ty(of).element.is_none()
                }
                (_, None) => false,
            };
            if modifiable {
                candidates.push(position as u16);
            }
        }
        random.choose(candidates).map(|position| VarRef(*position))
    }
}

impl super::satisfy::Draft<'_> {
    /// Whether there is an object that fits.
    fn holds(&self, wanted: TypeId) -> bool {
        self.scratch.slots.iter().any(|slot| slot.fits(self.plan, wanted, Role::Receiver))
    }

    /// One call of a group: from a random start on, the first whose receiver is there, else the first.
    pub(super) fn preferred(&mut self, group: &[Call]) -> Option<Call> {
        if group.len() < 2 {
            return group.first().copied();
        }
        let start = self.random.below(group.len());
        let order = || group[start..].iter().chain(&group[..start]);
        let receiver_is_there = |call: &&Call| match call {
            Call::Callable(id) => {
                let callable = self.cluster.callable(*id);
                callable.kind == CallableKind::InstanceMethod && self.holds(callable.owner)
            }
            Call::Read(id) | Call::Write(id) => {
                let field = self.cluster.field(*id);
                !field.access.is_static() && self.holds(field.owner)
            }
            Call::Implement(_) => false,
        };
        order().find(receiver_is_there).or_else(|| order().next()).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::*;
    use super::*;

    #[test]
    fn groups_are_drawn_by_weight_and_closed_ones_seldom() {
        let weights = CallWeights::new(&[3.0, 0.0, 1.0], 4, 0.1);
        let mut random = Random::new(4, 0);
        let mut drawn = [0_u32; 4];
        for _ in 0..8800 {
            drawn[weights.draw(&mut random).unwrap()] += 1;
        }
        // 3 : 0.2 : 1 : 0.2
        assert!((5700..6300).contains(&drawn[0]) && (1800..2200).contains(&drawn[2]), "{drawn:?}");
        assert!((300..500).contains(&drawn[1]) && (300..500).contains(&drawn[3]), "{drawn:?}");
    }

    #[test]
    fn a_call_that_takes_the_object_is_given_it_beside_a_receiver() {
        let mut foo = Foo::new();
        foo.cluster.modifiers[foo.list.index()] = vec![Call::Callable(foo.take)];
        let mut factory = foo.factory();
        let mut random = Random::new(1, 0);
        for _ in 0..20 {
            let constructor =
                Statement::Constructor { callable: foo.new_list, arguments: [].into_iter().collect() };
            let mut test = test(vec![constructor]);
            assert!(factory.insert_on_variable(&mut test, 1, &mut random));
            let last = test.statements().last().unwrap();
            let Statement::Method { callable, receiver: Some(receiver), arguments } = last else {
                panic!("{last:?}")
            };
            assert_eq!((*callable, arguments[1]), (foo.take, VarRef(0)));
            assert_eq!(
                foo.cluster.type_of(test.statement(*receiver)),
                foo.cluster.callable(foo.construct).result
            );
        }
    }

    #[test]
    fn without_any_open_group_all_are_equal() {
        let weights = CallWeights::new(&[0.0, 0.0], 2, 0.1);
        let mut random = Random::new(4, 0);
        let first = (0..1000).filter(|_| weights.draw(&mut random) == Some(0)).count();
        assert!((400..600).contains(&first), "{first}");
        assert_eq!(CallWeights::uniform(0).draw(&mut random), None);
    }
}
