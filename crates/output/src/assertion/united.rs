//! One test that does to its objects what two tests do to theirs: where one test sets an address and another a city before both call
//! `update`, a person sets both.

use std::collections::BTreeMap;

use testcase::cluster::TestCluster;
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;

/// The call that a test is about: the last one of a class with goals.
pub(crate) fn act(cluster: &TestCluster, test: &TestCase) -> Option<VarRef> {
    let position = test.statements().iter().rposition(|statement| is_of_goals(cluster, statement))?;
    Some(VarRef::from(position))
}

/// The host with what the guest does to the same objects before the call that both are about, and with objects of the guest where the
/// host passes null; `None` where that is nothing.
pub(super) fn united(cluster: &TestCluster, host: &TestCase, guest: &TestCase) -> Option<TestCase> {
    let (host_act, guest_act) = (act(cluster, host)?, act(cluster, guest)?);
    if host.statement(host_act).callable() != guest.statement(guest_act).callable() {
        return None;
    }
    let mut pairs = Pairs { host, guest, same: BTreeMap::new(), instead: BTreeMap::new() };
    pairs.pair_operands(guest_act, host_act);
    let Pairs { same, instead, .. } = pairs;
    let mut union = Union::new(cluster, (guest, guest_act), same);
    for position in 0..host_act.index() {
        union.keep(host, position, instead.get(&VarRef::from(position)).copied())?;
    }
    let before = union.made.len();
    union.add_missing(host, host_act)?;
    if union.made.len() == before && instead.is_empty() {
        return None;
    }
    for position in host_act.index()..host.len() {
        union.keep(host, position, None)?;
    }
    Some(union.made)
}

/// The host with objects of the guest where what the host passes to the call at a position, or to what that is made of, is null, and what the
/// guest passes at another one is not; with the new place of each statement. `None` where that is nothing. What stubs are made of stays.
pub(super) fn completed(
    cluster: &TestCluster,
    (host, host_at): (&TestCase, VarRef),
    (guest, guest_at): (&TestCase, VarRef),
) -> Option<(TestCase, Vec<VarRef>)> {
    let mut pairs = Pairs { host, guest, same: BTreeMap::new(), instead: BTreeMap::new() };
    pairs.pair_operands(guest_at, host_at);
    let Pairs { same, mut instead, .. } = pairs;
    instead.retain(|_, object| !needs_stub(guest, *object));
    if instead.is_empty() {
        return None;
    }
    let mut union = Union::new(cluster, (guest, guest_at), same);
    for position in 0..host.len() {
        union.keep(host, position, instead.get(&VarRef::from(position)).copied())?;
    }
    Some((union.made, union.new))
}

/// Whether an object is a stub, or is made of one.
fn needs_stub(test: &TestCase, object: VarRef) -> bool {
    let statement = test.statement(object);
    matches!(statement, Statement::Stub { .. })
        || statement.used().into_iter().any(|used| needs_stub(test, used))
}

fn is_of_goals(cluster: &TestCluster, statement: &Statement) -> bool {
    statement
        .callable()
        .is_some_and(|callable| cluster.goal_classes.contains(&cluster.callable(callable).declared_in))
}

/// The object that a statement does something to, if it is no object of a class with goals: what these are like is what tests differ in.
fn changed(cluster: &TestCluster, statement: &Statement) -> Option<VarRef> {
    match statement {
        Statement::Method { receiver, .. } | Statement::FieldWrite { receiver, .. } => {
            receiver.filter(|_| !is_of_goals(cluster, statement))
        }
        Statement::ArrayWrite { array, .. } => Some(*array),
        Statement::Primitive { .. }
        | Statement::Null { .. }
        | Statement::EnumConstant { .. }
        | Statement::ClassLiteral { .. }
        | Statement::Constructor { .. }
        | Statement::FieldRead { .. }
        | Statement::Array { .. }
        | Statement::Stub { .. } => None,
    }
}

/// Whether two statements do the same, but for what they use.
fn is_alike(one: &Statement, other: &Statement) -> bool {
    let mut other = other.clone();
    let mut uses = one.used().into_iter();
    other.for_each_use_mut(|used| *used = uses.next().unwrap_or(*used));
    uses.next().is_none() && *one == other
}

/// Which variables of two tests stand for the same.
struct Pairs<'a> {
    host: &'a TestCase,
    guest: &'a TestCase,
    /// By variable of the guest.
    same: BTreeMap<VarRef, VarRef>,
    /// Objects of the guest, by the null of the host in whose place they may stand.
    instead: BTreeMap<VarRef, VarRef>,
}

impl Pairs<'_> {
    fn pair_operands(&mut self, guest: VarRef, host: VarRef) {
        let (of_guest, of_host) = (self.guest.statement(guest).used(), self.host.statement(host).used());
        for (guest, host) in of_guest.into_iter().zip(of_host) {
            self.pair(guest, host);
        }
    }

    fn pair(&mut self, guest: VarRef, host: VarRef) {
        if self.same.contains_key(&guest) {
            return;
        }
        let (of_guest, of_host) = (self.guest.statement(guest), self.host.statement(host));
        if is_alike(of_guest, of_host) {
            self.same.insert(guest, host);
            self.pair_operands(guest, host);
        } else if matches!(of_host, Statement::Null { .. }) {
            self.instead.entry(host).or_insert(guest);
        }
    }
}

/// A test that is put together of two.
struct Union<'a> {
    cluster: &'a TestCluster,
    guest: &'a TestCase,
    guest_act: VarRef,
    /// By variable of the guest: that of the host which stands for the same.
    same: BTreeMap<VarRef, VarRef>,
    /// By variable of the host, as far as it is there: that of the new test.
    new: Vec<VarRef>,
    /// By variable of the guest: its copy.
    copied: BTreeMap<VarRef, VarRef>,
    made: TestCase,
}

impl<'a> Union<'a> {
    /// An empty test, which takes from the guest what stands before its call.
    fn new(
        cluster: &'a TestCluster,
        (guest, guest_act): (&'a TestCase, VarRef),
        same: BTreeMap<VarRef, VarRef>,
    ) -> Self {
        let (new, copied, made) = (Vec::new(), BTreeMap::new(), TestCase::default());
        Self { cluster, guest, guest_act, same, new, copied, made }
    }

    /// The next statement of the host, or an object of the guest in its place; `None` where that needs what comes later.
    fn keep(&mut self, host: &TestCase, position: usize, instead: Option<VarRef>) -> Option<()> {
        let kept = if let Some(object) = instead {
            self.copy(object)?
        } else {
            let mut statement = host.statement(VarRef::from(position)).clone();
            statement.for_each_use_mut(|used| *used = self.new[used.index()]);
            self.made.push(statement)
        };
        self.new.push(kept);
        Some(())
    }

    /// What the guest does to objects that the host has as well, and the host does not.
    fn add_missing(&mut self, host: &TestCase, host_act: VarRef) -> Option<()> {
        for position in 0..self.guest_act.index() {
            let position = VarRef::from(position);
            let statement = self.guest.statement(position);
            let object = changed(self.cluster, statement).and_then(|object| self.same.get(&object).copied());
            let Some(object) = object.filter(|_| !self.same.contains_key(&position)) else { continue };
            let does_so = |other: &Statement| {
                changed(self.cluster, other) == Some(object) && does_the_same(statement, other)
            };
            if !host.statements()[..host_act.index()].iter().any(does_so) {
                self.copy(position)?;
            }
        }
        Some(())
    }

    /// The variable of the new test that stands for one of the guest; a copy of it, with all that is done to that, where none does so
    /// far.
    fn copy(&mut self, of: VarRef) -> Option<VarRef> {
        if let Some(host) = self.same.get(&of) {
            return self.new.get(host.index()).copied();
        }
        if let Some(copy) = self.copied.get(&of) {
            return Some(*copy);
        }
        let mut statement = self.guest.statement(of).clone();
        let mut uses = Vec::new();
        for used in statement.used() {
            uses.push(self.copy(used)?);
        }
        let mut uses = uses.into_iter();
        statement.for_each_use_mut(|used| *used = uses.next().unwrap_or(*used));
        let copy = self.made.push(statement);
        self.copied.insert(of, copy);
        for later in of.index() + 1..self.guest_act.index() {
            let later = VarRef::from(later);
            if changed(self.cluster, self.guest.statement(later)) == Some(of) {
                self.copy(later)?;
            }
        }
        Some(copy)
    }
}

/// Whether two statements set the same of an object, to whatever.
fn does_the_same(one: &Statement, other: &Statement) -> bool {
    match (one, other) {
        (Statement::ArrayWrite { index, .. }, Statement::ArrayWrite { index: other, .. }) => index == other,
        _ => one.callable() == other.callable() && one.field() == other.field(),
    }
}

#[cfg(test)]
mod tests {
    use testcase::cluster::testing::ClusterBuilder;
    use testcase::cluster::{CallableId, TypeId};
    use testcase::statement::Arguments;
    use testcase::value::Value;

    use super::*;

    /// A desk with `update(Order)`, and orders with `setCity` and `setStreet`: the callables, in the order of the numbers in tests.
    fn cluster() -> TestCluster {
        let mut builder = ClusterBuilder::new("Desk");
        let (desk, order) = (builder.class_under_test(), builder.class("Order"));
        builder.constructor(desk, &[]);
        builder.constructor(order, &[]);
        builder.method(desk, "update", &[order], None);
        builder.method(order, "setCity", &[TypeId::OBJECT], None);
        builder.method(order, "setStreet", &[TypeId::OBJECT], None);
        builder.build()
    }

    fn new(callable: u32, arguments: &[usize]) -> Statement {
        let arguments: Arguments = arguments.iter().map(|&of| VarRef::from(of)).collect();
        Statement::Constructor { callable: CallableId(callable), arguments }
    }

    fn call(callable: u32, receiver: usize, argument: usize) -> Statement {
        let arguments: Arguments = [VarRef::from(argument)].into_iter().collect();
        let receiver = Some(VarRef::from(receiver));
        Statement::Method { callable: CallableId(callable), receiver, arguments }
    }

    fn int(value: i32) -> Statement {
        Statement::Primitive { value: Value::Int(value), boxed: false }
    }

    #[test]
    fn what_two_tests_do_to_their_objects_is_done_in_one() {
        let null = || Statement::Null { of: TypeId::OBJECT };
        let set = |setter: u32, value: i32| {
            vec![new(1, &[]), int(value), call(setter, 0, 1), new(0, &[]), call(2, 3, 0)]
        };
        let (city, street) = (set(3, 1), set(4, 2));
        let both =
            vec![new(1, &[]), int(1), call(3, 0, 1), new(0, &[]), int(2), call(4, 0, 4), call(2, 3, 0)];
        let of_null = vec![new(0, &[]), null(), call(2, 0, 1)];
        let instead = vec![new(0, &[]), new(1, &[]), int(2), call(4, 1, 2), call(2, 0, 1)];
        // In another order, with what comes behind the call.
        let behind = vec![new(0, &[]), new(1, &[]), call(2, 0, 1), int(7)];
        let city_behind = vec![new(0, &[]), new(1, &[]), int(1), call(3, 1, 2), call(2, 0, 1), int(7)];
        for (host, guest, expect) in [
            (&city, &street, Some(both)),
            (&city, &set(3, 5), None),
            (&of_null, &street, Some(instead)),
            (&street, &of_null, None),
            (&behind, &city, Some(city_behind)),
            (&city, &vec![new(0, &[])], None),
        ] {
            let (host, guest) = (TestCase::new(host.clone()), TestCase::new(guest.clone()));
            assert_eq!(united(&cluster(), &host, &guest), expect.map(TestCase::new), "{host:?} {guest:?}");
        }
    }
}
