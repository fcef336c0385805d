//! What is asserted of calls that the code makes of the test's own objects.

use testcase::assertion::{ObservationTarget, ObservedValue, StubCall};
use testcase::cluster::StubId;
use testcase::statement::{Answers, Arguments, Script, Statement};
use testcase::value::Value;

use crate::assertions::{World, check, int, world};
use crate::common::{ClusterBuilder, TestBuilder, no_classes};

#[test]
fn what_the_last_statement_called_of_a_stub_is_asserted() {
    let mut builder = ClusterBuilder::new("p/Bag");
    let new = builder.constructor("Lp/Bag;", "()V", &[]);
    let each = builder.method("Lp/Bag;", "each", "(Lp/Visitor;)V");
    builder.stub("Lp/Visitor;", &[("visit", "(Ljava/lang/String;)V")]);
    builder.relate(&no_classes());
    let world = World { cluster: builder.cluster, new, ..world() };
    let mut test = TestBuilder::default();
    let bag = test.new_object(world.new, &[]);
    let script = Script { arguments: Arguments::new(), answers: vec![Answers::new()] };
    let stub = test.push(Statement::Stub { stub: StubId(0), script: Box::new(script) });
    let last = test.call(each, bag, &[stub]);
    let target = ObservationTarget::Calls(stub, StubId(0));
    let called = |texts: &[&str]| {
        let call = |text: &&str| StubCall::new(0, *text);
        ObservedValue::Calls(texts.iter().map(call).collect())
    };
    for (before, after, is_asserted) in [
        (called(&[]), called(&["visit(a)"]), true),
        (called(&["visit(a)"]), called(&["visit(a)", "visit(b)"]), true),
        (called(&[]), called(&[]), false),
        (called(&["visit(a)"]), called(&["visit(a)"]), false),
        (called(&[]), called(&["visit(Bag@1a2b3c)"]), false),
        (called(&[]), called(&["visit(a)"; 13]), false),
    ] {
        let asserted = check(&world, test.test.clone(), |_, point| match point.target {
            ObservationTarget::Calls(..) if point.after == last => Some(after.clone()),
            ObservationTarget::Calls(..) => Some(before.clone()),
            _ => None,
        });
        let expect = if is_asserted { vec![(target, after.clone())] } else { Vec::new() };
        assert_eq!(asserted, expect, "{before:?} {after:?}");
    }
}

/// A door that is asked whether it is open and told to close, by a method with a result or without.
#[test]
fn calls_that_only_ask_are_asserted_where_nothing_else_comes_of_them() {
    let mut builder = ClusterBuilder::new("p/Bag");
    let new = builder.constructor("Lp/Bag;", "()V", &[]);
    let each = builder.method("Lp/Bag;", "each", "(Lp/Door;)V");
    let count = builder.method("Lp/Bag;", "count", "(Lp/Door;)I");
    let methods = [
        ("findNext", "(Ljava/lang/String;)Ljava/lang/String;"),
        ("isOpen", "()Z"),
        ("lock", "()V"),
        ("mark", "(Ljava/lang/String;)I"),
    ];
    let id = builder.stub("Lp/Door;", &methods);
    builder.relate(&no_classes());
    let world = World { cluster: builder.cluster, new, ..world() };
    let calls = |texts: &[&str]| {
        let method = |text: &str| methods.iter().position(|(name, _)| text.starts_with(name)).unwrap() as u16;
        ObservedValue::Calls(texts.iter().map(|text| StubCall::new(method(text), *text)).collect())
    };
    let asked = &["isOpen()", "findNext(a)"][..];
    let busy = &["isOpen()", "lock()", "findNext(a)", "mark(b)", "isOpen()"][..];
    for (called, result, seen, expect) in [
        (each, None, asked, Some(asked)),
        (each, None, busy, Some(&["lock()", "mark(b)"][..])),
        (count, Some(3), asked, None),
        (count, Some(3), busy, Some(&["lock()", "mark(b)"][..])),
    ] {
        let mut test = TestBuilder::default();
        let bag = test.new_object(world.new, &[]);
        let script = Script { arguments: Arguments::new(), answers: vec![Answers::new(); methods.len()] };
        let stub = test.push(Statement::Stub { stub: id, script: Box::new(script) });
        let last = test.call(called, bag, &[stub]);
        let asserted = check(&world, test.test, |_, point| match point.target {
            ObservationTarget::Calls(..) => Some(calls(if point.after == last { seen } else { &[] })),
            ObservationTarget::Value(variable) if variable == last => result.map(int),
            _ => None,
        });
        let result = result.map(|result| (ObservationTarget::Value(last), int(result)));
        let calls = expect.map(|expect| (ObservationTarget::Calls(stub, id), calls(expect)));
        assert_eq!(asserted, result.into_iter().chain(calls).collect::<Vec<_>>(), "{seen:?}");
    }
}

#[test]
fn an_object_of_the_test_that_is_given_back_is_the_same() {
    let mut builder = ClusterBuilder::new("p/Bag");
    let new = builder.constructor("Lp/Bag;", "()V", &[]);
    let set = builder.method("Lp/Bag;", "setDoor", "(Lp/Door;)V");
    let get = builder.method("Lp/Bag;", "getDoor", "()Lp/Door;");
    let door = builder.stub("Lp/Door;", &[("lock", "()V")]);
    builder.relate(&no_classes());
    let world = World { cluster: builder.cluster, new, ..world() };
    let mut test = TestBuilder::default();
    let bag = test.new_object(world.new, &[]);
    let script = Script { arguments: Arguments::new(), answers: vec![Answers::new()] };
    let stub = test.push(Statement::Stub { stub: door, script: Box::new(script) });
    test.call(set, bag, &[stub]);
    let last = test.call(get, bag, &[]);
    let same = ObservationTarget::Same(last, stub);
    let is_same = ObservedValue::Primitive(Value::Boolean(true));
    let asserted = check(&world, test.test, |_, point| (point.target == same).then(|| is_same.clone()));
    assert_eq!(asserted, [(same, is_same)]);
}
