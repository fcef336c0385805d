//! Which assertions tests get, from answers that a fake executor gives.

mod calls;

use crate::common::{ClusterBuilder, TestBuilder, no_classes};
use bytecode::name::ClassName;
use coverage::goal::GoalId;
use output::assertion::AssertionOptions;
use output::assertion::generator::{AssertionGenerator, KnownAssertions};
use output::minimize::MinimizedTest;
use testcase::assertion::{
    Assertion, Container, FileState, ObservationPoint, ObservationTarget, ObservedValue, SeenFile, Sequence,
    StandardStream,
};
use testcase::cluster::{CallableId, CallableKind, TestCluster, TypeId, folder};
use testcase::execution::{ExecutionResult, Executor, Observations, Outcome, ThrowOrigin, Thrown};
use testcase::run_request::RunRequest;
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::Value;

/// Answers each point by a function of the number of the run and the point.
struct Oracle<F> {
    runs: usize,
    /// What every test prints to the standard output.
    printed: Option<ObservedValue>,
    answer: F,
}

impl<F: FnMut(usize, &ObservationPoint) -> Option<ObservedValue>> Executor for Oracle<F> {
    fn execute(&mut self, _: &TestCase, _: &RunRequest, _: &mut ExecutionResult) {
        panic!("assertions only observe")
    }

    fn observe(&mut self, _: &TestCase, points: &[ObservationPoint]) -> Observations {
        assert!(points.is_sorted_by_key(|point| point.after));
        self.runs += 1;
        let answer = |point: &ObservationPoint| match point.target {
            ObservationTarget::Printed(StandardStream::Out) => self.printed.clone(),
            ObservationTarget::Printed(StandardStream::Err) => None,
            _ => (self.answer)(self.runs, point),
        };
        let values = points.iter().map(answer).collect();
        Observations { outcome: Outcome::Passed, values }
    }
}

/// Shows tests by a function of whether only what lasts is asked for, and of the points.
struct Shown<F>(F);

impl<F: FnMut(bool, &[ObservationPoint]) -> Observations> Executor for Shown<F> {
    fn execute(&mut self, _: &TestCase, _: &RunRequest, _: &mut ExecutionResult) {
        panic!("assertions only observe")
    }

    fn observe(&mut self, _: &TestCase, points: &[ObservationPoint]) -> Observations {
        (self.0)(false, points)
    }

    fn observe_lasting(&mut self, _: &TestCase, points: &[ObservationPoint]) -> Observations {
        (self.0)(true, points)
    }
}

/// What a test asserts by itself.
fn assert_alone(cluster: &TestCluster, test: TestCase, executor: &mut dyn Executor) -> Vec<Assertion> {
    let tests = [MinimizedTest { test, goals: vec![], thrown: None }];
    let generator = AssertionGenerator { cluster, options: AssertionOptions::default() };
    generator.assert_suite(&tests, executor, &mut KnownAssertions::new(), &mut || true).remove(0).assertions
}

struct World {
    cluster: TestCluster,
    new: CallableId,
    add: CallableId,
    then: CallableId,
    copy: CallableId,
    size: CallableId,
    is_empty: CallableId,
    name: CallableId,
}

fn world() -> World {
    let mut builder = ClusterBuilder::new("p/Bag");
    let bag = "Lp/Bag;";
    let new = builder.constructor(bag, "()V", &[]);
    let add = builder.method(bag, "add", "(Ljava/lang/String;)V");
    let then = builder.method(bag, "then", "(Ljava/lang/String;)Lp/Bag;");
    let copy = builder.method(bag, "copy", "([I)Ljava/lang/Object;");
    let size = builder.method(bag, "size", "()I");
    let is_empty = builder.method(bag, "isEmpty", "()Z");
    let name = builder.method(bag, "getName", "()Ljava/lang/String;");
    let inherited = builder.method(bag, "toString", "()Ljava/lang/String;");
    builder.change(inherited, |callable| callable.declared_in = ClassName::object());
    let checked = builder.method(bag, "load", "()I");
    builder.change(checked, |callable| callable.exceptions = vec!["java/io/IOException".into()]);
    let of = builder.ty(bag);
    builder.relate(&no_classes());
    let mut cluster = builder.cluster;
    cluster.inspectors = vec![Vec::new(); cluster.types.len()];
    cluster.inspectors[of.index()] = vec![is_empty, size, name, inherited, checked];
    World { cluster, new, add, then, copy, size, is_empty, name }
}

fn check(
    world: &World,
    test: TestCase,
    answer: impl FnMut(usize, &ObservationPoint) -> Option<ObservedValue>,
) -> Vec<(ObservationTarget, ObservedValue)> {
    check_printing(world, test, None, answer)
}

fn check_printing(
    world: &World,
    test: TestCase,
    printed: Option<ObservedValue>,
    answer: impl FnMut(usize, &ObservationPoint) -> Option<ObservedValue>,
) -> Vec<(ObservationTarget, ObservedValue)> {
    let last = VarRef::from(test.len() - 1);
    let tests = [MinimizedTest { test, goals: vec![GoalId(3)], thrown: None }];
    let generator = AssertionGenerator { cluster: &world.cluster, options: AssertionOptions::default() };
    let asserted = generator.assert_suite(
        &tests,
        &mut Oracle { runs: 0, printed, answer },
        &mut KnownAssertions::new(),
        &mut || true,
    );
    assert_eq!(asserted[0].goals, [GoalId(3)]);
    asserted[0]
        .assertions
        .iter()
        .map(|Assertion { after, target, expected }| {
            assert_eq!(*after, last);
            (*target, expected.clone())
        })
        .collect()
}

fn int(value: i32) -> ObservedValue {
    ObservedValue::Primitive(Value::Int(value))
}

fn flag(value: bool) -> ObservedValue {
    ObservedValue::Primitive(Value::Boolean(value))
}

fn text(value: &str) -> ObservedValue {
    ObservedValue::Primitive(Value::String(value.into()))
}

/// A bag, and a method with a string called on it.
fn calling(world: &World, method: CallableId) -> (TestCase, VarRef, VarRef) {
    let mut test = TestBuilder::default();
    let bag = test.new_object(world.new, &[]);
    let argument = test.string("a");
    let result = test.call(method, bag, &[argument]);
    (test.test, bag, result)
}

#[test]
fn what_the_last_call_changed_is_asserted_and_what_follows_from_it_is_not() {
    let world = world();
    let (test, bag, last) = calling(&world, world.add);
    let asserted = check(&world, test, |_, point| match point.target {
        ObservationTarget::Inspector(_, id) if id == world.size => Some(int(i32::from(point.after == last))),
        ObservationTarget::Inspector(_, id) if id == world.is_empty => Some(flag(point.after != last)),
        ObservationTarget::Inspector(_, id) if id == world.name => Some(text("bag")),
        other => panic!("{other:?}"),
    });
    let inspect = |id| ObservationTarget::Inspector(bag, id);
    assert_eq!(asserted, [(inspect(world.size), int(1))]);
}

#[test]
fn a_result_that_is_its_own_object_is_asserted_to_be_the_same() {
    let world = world();
    let (test, bag, result) = calling(&world, world.then);
    let asserted = check(&world, test, |_, point| match point.target {
        ObservationTarget::Same(..) => Some(flag(true)),
        ObservationTarget::Value(_) => {
            Some(ObservedValue::Object { class: ClassName::new("p/Bag"), size: None })
        }
        _ => Some(int(1)),
    });
    assert_eq!(asserted, [(ObservationTarget::Same(result, bag), flag(true))]);
}

#[test]
fn where_nothing_changed_the_most_telling_state_is_asserted() {
    let world = world();
    let (test, bag, _) = calling(&world, world.add);
    let asserted = check(&world, test, |_, point| match point.target {
        ObservationTarget::Inspector(_, id) if id == world.name => Some(text("a")),
        ObservationTarget::Inspector(_, id) if id == world.size => Some(int(5)),
        _ => Some(flag(false)),
    });
    let inspect = |id| ObservationTarget::Inspector(bag, id);
    assert_eq!(asserted, [(inspect(world.name), text("a")), (inspect(world.size), int(5))]);
}

#[test]
fn of_what_was_handed_over_before_what_the_last_call_changed_is_asserted_and_nothing_else() {
    let world = world();
    let mut test = TestBuilder::default();
    let [inner, outer] = [0, 1].map(|_| test.new_object(world.new, &[]));
    test.call(world.copy, outer, &[inner]);
    let argument = test.string("a");
    let last = test.call(world.add, outer, &[argument]);
    let inspect = |object, id| ObservationTarget::Inspector(object, id);
    for (changes, expect) in [
        (true, vec![(inspect(inner, world.size), int(1))]),
        (false, vec![(inspect(outer, world.name), text("a")), (inspect(outer, world.size), int(7))]),
    ] {
        let asserted = check(&world, test.test.clone(), |_, point| match point.target {
            ObservationTarget::Inspector(object, id) if object == inner && id == world.size => {
                Some(int(i32::from(changes && point.after == last)))
            }
            ObservationTarget::Inspector(_, id) if id == world.size => Some(int(7)),
            ObservationTarget::Inspector(_, id) if id == world.name => Some(text("a")),
            _ => Some(flag(false)),
        });
        assert_eq!(asserted, expect);
    }
}

#[test]
fn that_a_call_gives_what_was_handed_over_before_is_asserted_where_its_value_says_nothing() {
    let world = world();
    let mut test = TestBuilder::default();
    let [inner, outer] = [0, 1].map(|_| test.new_object(world.new, &[]));
    test.call(world.copy, outer, &[inner]);
    let argument = test.string("a");
    let result = test.call(world.then, outer, &[argument]);
    let object = ObservedValue::Object { class: ClassName::new("p/Bag"), size: None };
    let described = ObservedValue::Text { text: "[a]".into(), size: None };
    let same = (ObservationTarget::Same(result, inner), flag(true));
    let whole = |value: &ObservedValue| (ObservationTarget::Value(result), value.clone());
    for (value, is_held, expect) in [
        (object, true, same.clone()),
        (described.clone(), true, same),
        (described.clone(), false, whole(&described)),
        (text("ab"), true, whole(&text("ab"))),
    ] {
        let asserted = check(&world, test.test.clone(), |_, point| match point.target {
            ObservationTarget::Value(shown) if shown == result => Some(value.clone()),
            ObservationTarget::Same(_, other) => Some(flag(is_held && other == inner)),
            ObservationTarget::Inspector(_, id) if id == world.name => Some(text("a")),
            _ => Some(flag(false)),
        });
        assert_eq!(asserted, [expect]);
    }
}

#[test]
fn not_null_is_asserted_only_where_nothing_else_is_known() {
    let world = world();
    let mut test = TestBuilder::default();
    let bag = test.new_object(world.new, &[]);
    let ints = test.null(TypeId::OBJECT);
    let result = test.call(world.copy, bag, &[ints]);
    let object = ObservedValue::Object { class: ClassName::new("p/Other"), size: None };
    let asserted = check(&world, test.test, |_, point| match point.target {
        ObservationTarget::Value(_) => Some(object.clone()),
        ObservationTarget::Same(..) => Some(flag(false)),
        _ => None,
    });
    assert_eq!(asserted, [(ObservationTarget::Value(result), object)]);
}

#[test]
fn of_an_object_that_a_call_gave_the_state_is_asserted_and_not_that_of_its_own_object() {
    let world = world();
    let mut test = TestBuilder::default();
    let bag = test.new_object(world.new, &[]);
    let argument = test.string("a");
    let result = test.call(world.then, bag, &[argument]);
    let asserted = check(&world, test.test, |_, point| match point.target {
        ObservationTarget::Value(_) => {
            Some(ObservedValue::Object { class: ClassName::new("p/Bag"), size: None })
        }
        ObservationTarget::Same(..) => Some(flag(false)),
        ObservationTarget::Inspector(_, id) if id == world.name => Some(text("a")),
        ObservationTarget::Inspector(_, id) if id == world.size => Some(int(4)),
        _ => Some(flag(false)),
    });
    let inspect = |id| ObservationTarget::Inspector(result, id);
    assert_eq!(asserted, [(inspect(world.name), text("a")), (inspect(world.size), int(4))]);
}

#[test]
fn getters_are_asserted_before_conversions_and_one_conversion_says_what_all_say() {
    let mut builder = ClusterBuilder::new("p/Ratio");
    let ratio = "Lp/Ratio;";
    let new = builder.constructor(ratio, "(I)V", &[]);
    let double = builder.method(ratio, "doubleValue", "()D");
    let long = builder.method(ratio, "longValue", "()J");
    let top = builder.method(ratio, "getTop", "()I");
    let of = builder.ty(ratio);
    builder.relate(&no_classes());
    let mut cluster = builder.cluster;
    cluster.inspectors = vec![Vec::new(); cluster.types.len()];
    cluster.inspectors[of.index()] = vec![double, long, top];
    let world = World { cluster, new, ..world() };
    let mut test = TestBuilder::default();
    let number = test.int(9);
    let object = test.new_object(new, &[number]);
    let asserted = check(&world, test.test, |_, point| match point.target {
        ObservationTarget::Inspector(_, id) if id == top => Some(int(5)),
        ObservationTarget::Inspector(_, id) if id == double => {
            Some(ObservedValue::Primitive(Value::Double(2.5)))
        }
        _ => Some(ObservedValue::Primitive(Value::Long(2))),
    });
    let inspect = |id| ObservationTarget::Inspector(object, id);
    let expected = ObservedValue::Primitive(Value::Double(2.5));
    assert_eq!(asserted, [(inspect(top), int(5)), (inspect(double), expected)]);
}

/// A counter with a public field and a getter of the same property.
#[test]
fn public_fields_are_asserted_as_what_inspectors_tell() {
    let mut builder = ClusterBuilder::new("p/Counter");
    let counter = "Lp/Counter;";
    let new = builder.constructor(counter, "()V", &[]);
    let add = builder.method(counter, "add", "()V");
    let get = builder.method(counter, "getCount", "()I");
    let count = builder.field(counter, "count", "I", 0);
    let last = builder.field(counter, "last", "Ljava/lang/String;", 0);
    let of = builder.ty(counter);
    builder.relate(&no_classes());
    let mut cluster = builder.cluster;
    cluster.inspectors = vec![Vec::new(); cluster.types.len()];
    cluster.public_fields = vec![Vec::new(); cluster.types.len()];
    cluster.public_fields[of.index()] = vec![count, last];
    let mut world = World { cluster, new, ..world() };
    let mut test = TestBuilder::default();
    let object = test.new_object(new, &[]);
    let added = test.call(add, object, &[]);
    let answer = |_, point: &ObservationPoint| match point.target {
        ObservationTarget::Field(_, field) if field == last => Some(text("same before and after")),
        ObservationTarget::Field(..) | ObservationTarget::Inspector(..) => {
            Some(int(i32::from(point.after == added)))
        }
        _ => None,
    };
    // What the call changed is asserted.
    let field = ObservationTarget::Field(object, count);
    assert_eq!(check(&world, test.test.clone(), answer), [(field, int(1))]);
    // The getter says the same in a better way.
    world.cluster.inspectors[of.index()] = vec![get];
    let getter = ObservationTarget::Inspector(object, get);
    assert_eq!(check(&world, test.test.clone(), answer), [(getter, int(1))]);
    // Nobody asks what the test has just written.
    let mut test = TestBuilder::default();
    let object = test.new_object(new, &[]);
    let value = test.int(1);
    let write = Statement::FieldWrite { field: count, receiver: Some(object), value };
    test.push(write);
    world.cluster.inspectors[of.index()] = Vec::new();
    let asserted = check(&world, test.test, |_, point| match point.target {
        ObservationTarget::Field(_, field) if field == last => Some(text("written")),
        _ => Some(int(1)),
    });
    assert_eq!(asserted, [(ObservationTarget::Field(object, last), text("written"))]);
}

/// A patch whose text is that of its deltas, which are also had as a map, with two texts of its own.
#[test]
fn of_what_says_the_same_of_an_object_what_is_nearest_to_the_call_is_asserted() {
    let mut builder = ClusterBuilder::new("p/Patch");
    let patch = "Lp/Patch;";
    let new = builder.constructor(patch, "()V", &[]);
    let add = builder.method(patch, "addDelta", "(Ljava/lang/String;)V");
    let set = builder.method(patch, "set", "(Ljava/lang/String;)V");
    let string = builder.method(patch, "toString", "()Ljava/lang/String;");
    let deltas = builder.method(patch, "getDeltas", "()Lp/Deltas;");
    let deltas_string = builder.method("Lp/Deltas;", "toString", "()Ljava/lang/String;");
    let first = builder.method(patch, "getFirst", "()Ljava/lang/String;");
    let last = builder.method(patch, "getLast", "()Ljava/lang/String;");
    let map = builder.method(patch, "asMap", "()Ljava/util/Map;");
    let items = builder.method(patch, "items", "()Ljava/util/List;");
    let [of, held] = [patch, "Lp/Deltas;"].map(|of| builder.ty(of));
    builder.relate(&no_classes());
    let mut cluster = builder.cluster;
    cluster.inspectors = vec![Vec::new(); cluster.types.len()];
    cluster.inspectors[of.index()] = vec![string, deltas, first, last, map, items];
    cluster.inspectors[held.index()] = vec![deltas_string];
    let world = World { cluster, new, ..world() };
    let inspect = |id| ObservationTarget::Inspector(VarRef(0), id);
    let nested = ObservationTarget::Nested(VarRef(0), deltas, deltas_string);
    let list = |container| ObservedValue::Container(container, vec![text("b")]);
    let show = |values: &[(ObservationTarget, ObservedValue)], method| {
        let (test, _, behind) = calling(&world, method);
        check(&world, test, |_, point| {
            let (_, value) = values.iter().find(|(target, _)| *target == point.target)?;
            Some(if point.after == behind { value.clone() } else { ObservedValue::Null })
        })
    };
    for (method, values, expect) in [
        // What the name of the method names, else what is shorter.
        (add, vec![(inspect(string), text("[b]")), (nested, text("[b]"))], vec![nested]),
        (set, vec![(inspect(string), text("[b]")), (nested, text("[b]"))], vec![inspect(string)]),
        (set, vec![(inspect(string), text("[b]")), (nested, text("[c]"))], vec![inspect(string), nested]),
        // The same elements, whatever holds them.
        (
            set,
            vec![(inspect(map), list(Container::Map)), (inspect(items), list(Container::List))],
            vec![inspect(map)],
        ),
        // What the test gave in may be there twice, and numbers are equal by chance; a text of all tells both.
        (
            set,
            vec![(inspect(first), text("a")), (inspect(last), text("a"))],
            vec![inspect(first), inspect(last)],
        ),
        (set, vec![(inspect(first), text("bc")), (inspect(last), text("bc"))], vec![inspect(first)]),
        (set, vec![(inspect(first), int(3)), (inspect(last), int(3))], vec![inspect(first), inspect(last)]),
    ] {
        let asserted: Vec<_> = show(&values, method).into_iter().map(|(target, _)| target).collect();
        assert_eq!(asserted, expect, "{values:?}");
    }
}

#[test]
fn arrays_that_the_call_wrote_are_asserted() {
    let world = world();
    let mut test = TestBuilder::default();
    let bag = test.new_object(world.new, &[]);
    let of = TypeId::from(world.cluster.types.iter().position(|of| of.element.is_some()).unwrap());
    let array = test.array(of, 1);
    let last = test.call(world.copy, bag, &[array]);
    let asserted = check(&world, test.test, |_, point| match point.target {
        ObservationTarget::Value(variable) if variable == array => {
            Some(ObservedValue::Array(vec![int(i32::from(point.after == last) * 9)]))
        }
        ObservationTarget::Value(_) => Some(ObservedValue::Null),
        ObservationTarget::Same(..) => Some(flag(false)),
        _ => None,
    });
    let expected = ObservedValue::Array(vec![int(9)]);
    assert_eq!(
        asserted,
        [(ObservationTarget::Value(last), ObservedValue::Null), (ObservationTarget::Value(array), expected)]
    );
}

#[test]
fn the_length_of_an_array_that_the_test_made_is_not_asserted() {
    let world = world();
    let mut test = TestBuilder::default();
    let bag = test.new_object(world.new, &[]);
    let of = TypeId::from(world.cluster.types.iter().position(|of| of.element.is_some()).unwrap());
    let array = test.array(of, 1);
    test.call(world.copy, bag, &[array]);
    let shown = |told: ObservedValue| {
        check(&world, test.test.clone(), |_, point| match point.target {
            ObservationTarget::Value(variable) if variable == array => Some(told.clone()),
            _ => None,
        })
    };
    assert_eq!(shown(ObservedValue::Array(Vec::new())), []);
    assert_eq!(shown(ObservedValue::Array(vec![ObservedValue::Null; 20])), []);
    assert_eq!(shown(ObservedValue::Array(vec![int(9)])).len(), 1);
}

/// A list that the last call fills: what it holds says its size as well.
#[test]
fn of_a_list_that_the_call_filled_what_it_holds_is_asserted() {
    let list = "Ljava/util/List;";
    let mut builder = ClusterBuilder::new("p/Bag");
    let new = builder.constructor("Lp/Bag;", "()V", &[]);
    let drain = builder.method("Lp/Bag;", "drain", "(Ljava/util/List;)V");
    let make = builder.constructor("Ljava/util/ArrayList;", "()V", &[]);
    let size = builder.method(list, "size", "()I");
    let of = builder.ty("Ljava/util/ArrayList;");
    builder.relate(&no_classes());
    let mut cluster = builder.cluster;
    cluster.sized.grow(cluster.types.len());
    cluster.sized.insert(of.index());
    cluster.inspectors = vec![Vec::new(); cluster.types.len()];
    cluster.inspectors[of.index()] = vec![size];
    let world = World { cluster, new, ..world() };
    let mut test = TestBuilder::default();
    let bag = test.new_object(world.new, &[]);
    let list = test.new_object(make, &[]);
    let last = test.call(drain, bag, &[list]);
    let held = |values: &[&str]| {
        ObservedValue::Container(Container::List, values.iter().copied().map(text).collect())
    };
    let object = ObservedValue::Object { class: "java/util/ArrayList".into(), size: Some(1) };
    let (listed, target) = (held(&["a"]), ObservationTarget::Value(list));
    // Its size says what either of them says.
    for shown in [&listed, &object] {
        let asserted = check(&world, test.test.clone(), |_, point| match point.target {
            ObservationTarget::Value(_) if point.after == last => Some(shown.clone()),
            ObservationTarget::Value(_) => Some(held(&[])),
            ObservationTarget::Inspector(..) => Some(int(i32::from(point.after == last))),
            _ => None,
        });
        assert_eq!(asserted, [(target, shown.clone())]);
    }
}

#[test]
fn what_differs_from_run_to_run_is_not_asserted() {
    let world = world();
    let (test, _, _) = calling(&world, world.add);
    for unstable in 1..=3 {
        let asserted = check(&world, test.clone(), |run, point| match point.target {
            ObservationTarget::Inspector(_, id) if id == world.size => {
                Some(int(i32::from(run == unstable) + 7))
            }
            _ => None,
        });
        assert_eq!(asserted, [], "differs in run {unstable}");
    }
}

#[test]
fn a_test_that_throws_expects_that_and_nothing_else() {
    let world = world();
    let (test, _, last) = calling(&world, world.add);
    let thrown = Thrown {
        position: last.index(),
        class: "java/lang/IllegalStateException".into(),
        origin: ThrowOrigin::Project,
    };
    let tests = [MinimizedTest { test, goals: Vec::new(), thrown: Some(thrown.clone()) }];
    let generator = AssertionGenerator { cluster: &world.cluster, options: AssertionOptions::default() };
    let mut nobody = Oracle { runs: 0, printed: None, answer: |_, _: &ObservationPoint| None };
    let asserted = generator.assert_suite(&tests, &mut nobody, &mut KnownAssertions::new(), &mut || true);
    assert_eq!((nobody.runs, asserted[0].expected.as_ref()), (0, Some(&thrown)));
    assert!(asserted[0].assertions.is_empty());
}

#[test]
fn what_a_call_gives_one_after_the_other_is_asserted_behind_all_else() {
    let mut builder = ClusterBuilder::new("p/Bag");
    let new = builder.constructor("Lp/Bag;", "()V", &[]);
    let each = builder.method("Lp/Bag;", "each", "()Ljava/util/Iterator;");
    let size = builder.method("Lp/Bag;", "size", "()I");
    let of = builder.ty("Lp/Bag;");
    let iterator = builder.ty("Ljava/util/Iterator;");
    builder.relate(&no_classes());
    let mut cluster = builder.cluster;
    cluster.sequences = vec![(iterator, Sequence::Iterator)];
    cluster.inspectors = vec![Vec::new(); cluster.types.len()];
    cluster.inspectors[of.index()] = vec![size];
    let world = World { cluster, new, ..world() };
    let mut test = TestBuilder::default();
    let bag = test.new_object(world.new, &[]);
    let last = test.call(each, bag, &[]);
    let target = ObservationTarget::Elements(last, Sequence::Iterator);
    let size = ObservationTarget::Inspector(bag, size);
    let object = ObservedValue::Object { class: "java/util/Iterator".into(), size: None };
    let list =
        |texts: &[&str]| ObservedValue::Container(Container::List, texts.iter().copied().map(text).collect());
    let (two, long, path) = (list(&["a", "b"]), list(&["a"; 13]), list(&["Foo@1a2b3c"]));
    let null = (ObservationTarget::Value(last), ObservedValue::Null);
    let any = (ObservationTarget::Value(last), object.clone());
    for (result, given, changes, expect) in [
        (&object, Some(two.clone()), false, vec![(target, two.clone())]),
        (&object, Some(two.clone()), true, vec![(size, int(1)), (target, two)]),
        (&object, Some(list(&[])), false, vec![(target, list(&[]))]),
        (&object, Some(long), false, vec![any.clone()]),
        (&object, Some(path), false, vec![any.clone()]),
        (&object, None, false, vec![any]),
        (&ObservedValue::Null, None, false, vec![null]),
    ] {
        let asserted = check(&world, test.test.clone(), |_, point| match point.target {
            ObservationTarget::Value(_) => Some(result.clone()),
            ObservationTarget::Elements(..) => given.clone(),
            _ => Some(int(i32::from(changes && point.after == last))),
        });
        assert_eq!(asserted, expect, "{given:?}");
    }
}

#[test]
fn where_what_a_call_gives_does_not_end_all_else_is_asserted() {
    let mut endless = Shown(|_, points: &[ObservationPoint]| {
        let is_endless = points.iter().any(|point| point.target.uses_up());
        let outcome = if is_endless { Outcome::TimedOut } else { Outcome::Passed };
        let object = ObservedValue::Object { class: "java/util/Iterator".into(), size: None };
        let show = |point: &ObservationPoint| match point.target {
            ObservationTarget::Printed(_) => None,
            _ => Some(object.clone()),
        };
        Observations { outcome, values: points.iter().map(show).collect() }
    });
    let mut builder = ClusterBuilder::new("p/Bag");
    let each = builder.method("Lp/Bag;", "each", "()Ljava/util/Iterator;");
    let new = builder.constructor("Lp/Bag;", "()V", &[]);
    let iterator = builder.ty("Ljava/util/Iterator;");
    builder.relate(&no_classes());
    builder.cluster.sequences = vec![(iterator, Sequence::Iterator)];
    let mut test = TestBuilder::default();
    let bag = test.new_object(new, &[]);
    let last = test.call(each, bag, &[]);
    let asserted = assert_alone(&builder.cluster, test.test, &mut endless);
    let targets: Vec<_> = asserted.iter().map(|assertion| assertion.target).collect();
    assert_eq!(targets, [ObservationTarget::Value(last)]);
}

#[test]
fn what_a_test_asserts_in_a_suite_it_asserts_in_the_next_one_without_a_run() {
    let world = world();
    let mut test = TestBuilder::default();
    test.int(1);
    let tests = [MinimizedTest { test: test.test.clone(), goals: vec![], thrown: None }];
    let generator = AssertionGenerator { cluster: &world.cluster, options: AssertionOptions::default() };
    let assertion = Assertion {
        after: VarRef(0),
        target: ObservationTarget::Value(VarRef(0)),
        expected: ObservedValue::Null,
    };
    let mut known = KnownAssertions::from([(test.test, vec![assertion.clone()])]);
    let mut nobody = Oracle {
        runs: 0,
        printed: None,
        answer: |_: usize, _: &ObservationPoint| panic!("nothing is asked"),
    };
    let asserted = generator.assert_suite(&tests, &mut nobody, &mut known, &mut || false);
    assert_eq!(asserted[0].assertions, [assertion]);
}

#[test]
fn of_a_text_that_another_moment_shows_otherwise_its_beginning_is_asserted() {
    let mut stamped = Shown(|is_lasting: bool, points: &[ObservationPoint]| {
        let beginning = ObservedValue::Beginning("Stamp{at=".into());
        let value = if is_lasting { beginning } else { text("Stamp{at=12}") };
        Observations { outcome: Outcome::Passed, values: vec![Some(value); points.len()] }
    });
    let mut builder = ClusterBuilder::new("p/Stamp");
    let stamp = builder.static_method("Lp/Stamp;", "now", "()Ljava/lang/String;");
    builder.relate(&no_classes());
    builder.cluster.inspectors = vec![Vec::new(); builder.cluster.types.len()];
    let mut test = TestBuilder::default();
    test.call_static(stamp, &[]);
    let asserted = assert_alone(&builder.cluster, test.test, &mut stamped);
    let expected: Vec<_> = asserted.iter().map(|assertion| &assertion.expected).collect();
    assert_eq!(expected, [&ObservedValue::Beginning("Stamp{at=".into())]);
}

#[test]
fn what_another_moment_shows_otherwise_leaves_its_place_to_what_lasts() {
    let mut builder = ClusterBuilder::new("p/Token");
    let token = "Lp/Token;";
    let new = builder.constructor(token, "()V", &[]);
    let inspectors = ["getId", "getUses", "getVersion", "getWeight"];
    let inspectors = inspectors.map(|name| builder.method(token, name, "()I"));
    let of = builder.ty(token);
    builder.relate(&no_classes());
    builder.cluster.inspectors = vec![Vec::new(); builder.cluster.types.len()];
    builder.cluster.inspectors[of.index()] = inspectors.to_vec();
    let mut test = TestBuilder::default();
    let object = test.new_object(new, &[]);
    let [id, uses, version, _] = inspectors.map(|id| ObservationTarget::Inspector(object, id));
    // The identifier is another one at each moment.
    let mut hasty = Shown(|is_lasting: bool, points: &[ObservationPoint]| {
        let number = |point: &ObservationPoint| match point.target {
            ObservationTarget::Inspector(..) if point.target == id => (!is_lasting).then(|| int(3)),
            ObservationTarget::Inspector(..) => Some(int(1)),
            _ => None,
        };
        Observations { outcome: Outcome::Passed, values: points.iter().map(number).collect() }
    });
    let asserted = assert_alone(&builder.cluster, test.test, &mut hasty);
    let targets: Vec<_> = asserted.iter().map(|assertion| assertion.target).collect();
    assert_eq!(targets, [uses, version]);
}

#[test]
fn what_was_printed_is_asserted_where_it_is_all_there_is_to_say() {
    let world = world();
    let out = ObservationTarget::Printed(StandardStream::Out);
    for (printed, size, expect) in [
        (Some("added a\n"), 1, vec![(out, text("added a\n"))]),
        (Some("added a\n"), 2, vec![]),
        (Some("java.lang.Exception\n\tat p.Bag.add(Bag.java:3)\n"), 1, vec![]),
        (Some("Bag@1a2b3c"), 1, vec![]),
        (None, 1, vec![]),
    ] {
        let (test, bag, last) = calling(&world, world.add);
        let asserted = check_printing(&world, test, printed.map(text), |_, point| match point.target {
            ObservationTarget::Inspector(_, id) if id == world.size => {
                Some(int(if point.after == last { size } else { 1 }))
            }
            _ => None,
        });
        let state = (ObservationTarget::Inspector(bag, world.size), int(size));
        let expect = if expect.is_empty() { vec![state] } else { expect };
        assert_eq!(asserted, expect, "{printed:?}");
    }
}

/// What is found in the folder of a test.
type Seen<'a> = &'a [&'a SeenFile];

#[test]
fn files_are_asserted_where_the_last_call_made_changed_or_deleted_them() {
    let file = |name: &str, text: Option<&str>, is_prepared: bool| {
        let state = text.map_or(FileState::Absent, |text| FileState::Text(text.into()));
        SeenFile { name: name.to_owned(), state, is_prepared }
    };
    let (mine, made, gone) =
        (file("a", Some("x"), true), file("b", Some("y"), false), file("b", None, false));
    let machine =
        SeenFile { name: "c".to_owned(), state: FileState::Text("/tmp/x".into()), is_prepared: false };
    let present = SeenFile { state: FileState::Present, ..machine.clone() };
    let mut world = world();
    let bag = world.cluster.callable(world.new).owner;
    let mut callable = world.cluster.callable(world.new).clone();
    callable.kind = CallableKind::StaticMethod;
    callable.declared_in = folder::CLASS.into();
    callable.name = "folder".into();
    callable.descriptor = "()Ljava/io/File;".into();
    callable.result = Some(bag);
    world.cluster.callables.push(callable);
    let folder = CallableId::from(world.cluster.callables.len() - 1);
    let rows: [(Seen<'_>, Seen<'_>, Option<Seen<'_>>); 6] = [
        (&[&mine], &[&mine], None),
        (&[&mine], &[&mine, &made], Some(&[&made])),
        (&[&mine, &made], &[&mine, &made], None),
        (&[&mine, &made], &[&mine], Some(&[&gone])),
        (&[&mine, &made], &[&mine, &gone], Some(&[&gone])),
        (&[], &[&machine], Some(&[&present])),
    ];
    let files = |files: Seen<'_>| ObservedValue::Files(files.iter().map(|&file| file.clone()).collect());
    for uses_folder in [true, false] {
        for (before, after, expect) in rows {
            let mut test = TestBuilder::default();
            if uses_folder {
                test.call_static(folder, &[]);
            }
            let bag = test.new_object(world.new, &[]);
            let argument = test.string("a");
            let last = test.call(world.add, bag, &[argument]);
            let asserted = check(&world, test.test, |_, point| match point.target {
                ObservationTarget::Files => Some(files(if point.after == last { after } else { before })),
                ObservationTarget::Inspector(_, id) if id == world.size => Some(int(3)),
                _ => None,
            });
            let told: Vec<ObservedValue> = asserted
                .into_iter()
                .filter(|(target, _)| *target == ObservationTarget::Files)
                .map(|(_, value)| value)
                .collect();
            let expect: Vec<ObservedValue> = expect.filter(|_| uses_folder).map(files).into_iter().collect();
            assert_eq!(told, expect, "{uses_folder} {before:?} {after:?}");
        }
    }
}

#[test]
fn of_a_stream_of_bytes_with_a_text_only_that_is_asserted() {
    let mut builder = ClusterBuilder::new("p/Bag");
    let bytes = "Ljava/io/ByteArrayOutputStream;";
    let new = builder.constructor(bytes, "()V", &[]);
    let write = builder.method(bytes, "write", "(I)V");
    let text_of = builder.method(bytes, "toString", "()Ljava/lang/String;");
    let size = builder.method(bytes, "size", "()I");
    let of = builder.ty(bytes);
    builder.relate(&no_classes());
    let mut cluster = builder.cluster;
    cluster.inspectors = vec![Vec::new(); cluster.types.len()];
    cluster.inspectors[of.index()] = vec![text_of, size];
    let world = World { cluster, new, ..world() };
    for (shown, expect) in [(Some("A"), text_of), (None, size)] {
        let mut test = TestBuilder::default();
        let stream = test.new_object(new, &[]);
        let byte = test.value(Value::Int(65));
        let last = test.call(write, stream, &[byte]);
        let asserted = check(&world, test.test, |_, point| match point.target {
            ObservationTarget::Inspector(_, id) if id == text_of => {
                if point.after == last {
                    shown.map(text)
                } else {
                    Some(text(""))
                }
            }
            ObservationTarget::Inspector(_, id) if id == size => Some(int(i32::from(point.after == last))),
            _ => None,
        });
        let targets: Vec<ObservationTarget> = asserted.into_iter().map(|(target, _)| target).collect();
        assert_eq!(targets, [ObservationTarget::Inspector(stream, expect)]);
    }
}
