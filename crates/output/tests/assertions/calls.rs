//! What is asserted of calls that the code makes of the test's own objects.

use bytecode::access::Access;
use testcase::assertion::{ObservationTarget, ObservedValue, StubCall};
use testcase::cluster::{Parameter, Stub, StubId, StubKind, StubMethod, TypeId};
use testcase::statement::{Answers, Arguments, Script, Statement};

use crate::common::{ClusterBuilder, TestBuilder, no_classes};
use crate::{World, check, int, world};

fn stub_method(name: &str, descriptor: &str, parameters: &[TypeId], result: Option<TypeId>) -> StubMethod {
    StubMethod {
        name: name.into(),
        descriptor: descriptor.into(),
        bridges: Vec::new(),
        access: Access(0x401),
        parameters: parameters.iter().copied().map(Parameter::new).collect(),
        result,
        exceptions: Vec::new(),
        throws: Vec::new(),
        is_erased: false,
    }
}

fn stub_of(of: TypeId, methods: Vec<StubMethod>) -> Stub {
    let is_functional = methods.len() == 1;
    Stub { of, kind: StubKind::Interface, is_functional, methods, silent: Vec::new(), calls_default: false }
}

#[test]
fn what_the_last_statement_called_of_a_stub_is_asserted() {
    let mut builder = ClusterBuilder::new("p/Bag");
    let new = builder.constructor("Lp/Bag;", "()V", &[]);
    let each = builder.method("Lp/Bag;", "each", "(Lp/Visitor;)V");
    let of = builder.ty("Lp/Visitor;");
    let methods = vec![stub_method("visit", "(Ljava/lang/String;)V", &[TypeId::STRING], None)];
    builder.cluster.stubs.push(stub_of(of, methods));
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
    let door = builder.ty("Lp/Door;");
    let text = TypeId::STRING;
    let methods = vec![
        stub_method("findNext", "(Ljava/lang/String;)Ljava/lang/String;", &[text], Some(text)),
        stub_method("isOpen", "()Ljava/lang/String;", &[], Some(text)),
        stub_method("lock", "()V", &[], None),
        stub_method("mark", "(Ljava/lang/String;)Ljava/lang/String;", &[text], Some(text)),
    ];
    let id = StubId::from(builder.cluster.stubs.len());
    builder.cluster.stubs.push(stub_of(door, methods.clone()));
    builder.relate(&no_classes());
    let world = World { cluster: builder.cluster, new, ..world() };
    let calls = |texts: &[&str]| {
        let method = |text: &str| methods.iter().position(|of| text.starts_with(&*of.name)).unwrap() as u16;
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
