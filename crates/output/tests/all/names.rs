//! Names of tests: what tells each from its siblings.

use output::asserted_test::AssertedTest;
use output::junit::naming::test_names::NameScheme;
use output::junit::style::JunitStyle;
use output::junit::writer::JunitWriter;
use testcase::assertion::{ObservationTarget, ObservedValue};
use testcase::cluster::{CallableId, CallableKind};
use testcase::statement::Statement;
use testcase::value::Value;

use bytecode::probe_map::ProbeId;
use coverage::goal::{Goal, GoalId, GoalKind, GoalSet};

use crate::common::{ClusterBuilder, TestBuilder, no_classes};

const FOO: &str = "Lp/Foo;";

fn check_in(scheme: NameScheme, builder: &ClusterBuilder, suite: &[AssertedTest], expect: &[&str]) {
    check_with(&GoalSet::default(), scheme, builder, suite, expect);
}

fn check_with(
    goals: &GoalSet,
    scheme: NameScheme,
    builder: &ClusterBuilder,
    suite: &[AssertedTest],
    expect: &[&str],
) {
    let hierarchy = no_classes();
    let class = builder.cluster.class_under_test.clone().unwrap();
    let writer = JunitWriter::new(&builder.cluster, &hierarchy, goals, class, JunitStyle::Jupiter);
    let printed = writer.named_by(scheme).write(suite);
    let names: Vec<&str> = printed.tests.iter().map(|test| test.method.as_str()).collect();
    assert_eq!(names, expect);
}

fn check(builder: &ClusterBuilder, suite: &[AssertedTest], expect: &[&str]) {
    check_in(NameScheme::Camel, builder, suite, expect);
}

/// `Foo.is(String)`, `Foo.is(String, int)`, `Foo.is(Boolean)`, `Foo.is(boolean)`.
fn predicates() -> (ClusterBuilder, [CallableId; 4]) {
    let mut builder = ClusterBuilder::new("p/Foo");
    let mut is = |parameters: &str, names: &[&str]| {
        builder.callable(CallableKind::StaticMethod, FOO, "is", &format!("({parameters})Z"), names)
    };
    let text = is("Ljava/lang/String;", &["text"]);
    let limited = is("Ljava/lang/String;I", &["text", "limit"]);
    let (boxed, flag) = (is("Ljava/lang/Boolean;", &["flag"]), is("Z", &["flag"]));
    (builder, [text, limited, boxed, flag])
}

fn is_true(callable: CallableId, values: &[Value]) -> AssertedTest {
    let mut test = TestBuilder::default();
    let boxes = values.len() == 2 && values[0] == values[1];
    let values = if boxes { &values[..1] } else { values };
    let arguments: Vec<_> = values
        .iter()
        .map(|value| if boxes { test.boxed(value.clone()) } else { test.value(value.clone()) })
        .collect();
    let result = test.call_static(callable, &arguments);
    test.assert_value(result, Value::Boolean(true));
    test.finish()
}

#[test]
fn an_exception_of_a_class_that_nothing_is_known_of_is_called_what_the_test_expects() {
    let (builder, [text, ..]) = predicates();
    let test = |class: &str| {
        let mut test = TestBuilder::default();
        let argument = test.string("abc");
        test.call_static(text, &[argument]);
        test.throws(class);
        test.finish()
    };
    check(&builder, &[test("p/Foo$$Made2")], &["isThrowsThrowableForAbc"]);
    check(&builder, &[test("p/TroubleException")], &["isThrowsTroubleExceptionForAbc"]);
}

#[test]
fn inputs_tell_tests_apart() {
    let (builder, [text, ..]) = predicates();
    let suite = ["", "abc", "-q", ".", "y", "Y", "12", "it isn't: supported"]
        .map(|value| is_true(text, &[Value::String(value.into())]));
    check(
        &builder,
        &suite,
        &[
            "isReturnsTrueForEmptyString",
            "isReturnsTrueForAbc",
            "isReturnsTrueForDashQ",
            "isReturnsTrueForDot",
            "isReturnsTrueForLowercaseY",
            "isReturnsTrueForUppercaseY",
            "isReturnsTrueForTwelve",
            "isReturnsTrueForIsnSupported",
        ],
    );
}

#[test]
fn overloads_tell_tests_apart_by_the_types_in_which_they_differ() {
    let (builder, [text, limited, boxed, flag]) = predicates();
    let value = Value::String("a".into());
    let suite = [
        is_true(text, std::slice::from_ref(&value)),
        is_true(limited, &[value, Value::Int(1)]),
        is_true(flag, &[Value::Boolean(true)]),
        is_true(boxed, &[Value::Boolean(true), Value::Boolean(true)]),
    ];
    check(
        &builder,
        &suite,
        &[
            "isReturnsTrueForString",
            "isReturnsTrueForStringAndInt",
            "isReturnsTrueForBoolean",
            "isReturnsTrueForBoxedBoolean",
        ],
    );
}

#[test]
fn what_was_called_before_and_what_made_the_object_tell_tests_apart() {
    let mut builder = ClusterBuilder::new("p/Foo");
    let [open, closed] = ["getOpen", "getClosed"].map(|name| builder.static_method(FOO, name, "()Lp/Foo;"));
    let [close, is_open] =
        [("close", "()V"), ("isOpen", "()Z")].map(|(name, descriptor)| builder.method(FOO, name, descriptor));
    let test = |made: CallableId, closes: bool| {
        let mut test = TestBuilder::default();
        let object = test.call_static(made, &[]);
        if closes {
            test.call(close, object, &[]);
        }
        let result = test.call(is_open, object, &[]);
        test.assert_value(result, Value::Boolean(false));
        test.finish()
    };
    let suite = [test(open, true), test(closed, false)];
    check(&builder, &suite, &["isOpenReturnsFalseOnOpen", "isOpenReturnsFalseOnClosed"]);
    let suite = [test(open, true), test(open, false)];
    check(&builder, &suite, &["isOpenReturnsFalseAfterClose", "isOpenReturnsFalse"]);
    check_in(NameScheme::Snake, &builder, &suite, &["isOpen_afterClose_returnsFalse", "isOpen_returnsFalse"]);
}

#[test]
fn what_was_done_to_an_argument_and_what_led_to_the_object_tell_tests_apart() {
    let mut builder = ClusterBuilder::new("p/Foo");
    let new = builder.constructor(FOO, "()V", &[]);
    let is_same = builder.method(FOO, "isSame", "(Lp/Foo;)Z");
    let [title, mark, reset] =
        [("setTitle", "(Ljava/lang/String;)V"), ("mark", "(Ljava/lang/String;)Lp/Foo;"), ("reset", "()V")]
            .map(|(name, descriptor)| builder.method(FOO, name, descriptor));
    let compared = |done: Option<(CallableId, bool)>| {
        let mut test = TestBuilder::default();
        let (foo, other) = (test.new_object(new, &[]), test.new_object(new, &[]));
        if let Some((callable, is_told)) = done {
            let told = is_told.then(|| test.string("a"));
            test.call(callable, other, &told.into_iter().collect::<Vec<_>>());
        }
        let result = test.call(is_same, foo, &[other]);
        test.assert_value(result, Value::Boolean(false));
        test.finish()
    };
    let done = [Some((title, true)), Some((mark, true)), Some((reset, false))];
    check(
        &builder,
        &done.map(compared),
        &[
            "isSameReturnsFalseForFooWithTitle",
            "isSameReturnsFalseForFooWithMark",
            "isSameReturnsFalseForFooAfterReset",
        ],
    );
    // The method that gave it, which says nothing where it is `getInstance`.
    let given = ["getInstance", "getOpen"].map(|name| {
        let maker = builder.static_method(FOO, name, "()Lp/Foo;");
        let mut test = TestBuilder::default();
        let (foo, other) = (test.new_object(new, &[]), test.call_static(maker, &[]));
        let result = test.call(is_same, foo, &[other]);
        test.assert_value(result, Value::Boolean(false));
        test.finish()
    });
    check(&builder, &given, &["isSameReturnsFalseForFoo", "isSameReturnsFalseForOpen"]);
    // What an argument is made of was changed.
    let copy = builder.constructor(FOO, "(Lp/Foo;)V", &["other"]);
    let made_of = |change: CallableId| {
        let mut test = TestBuilder::default();
        let (foo, other, told) = (test.new_object(new, &[]), test.new_object(new, &[]), test.string("a"));
        test.call(change, other, &[told]);
        let copied = test.new_object(copy, &[other]);
        let result = test.call(is_same, foo, &[copied]);
        test.assert_value(result, Value::Boolean(false));
        test.finish()
    };
    check(
        &builder,
        &[title, mark].map(made_of),
        &["isSameReturnsFalseForFooWithTitle", "isSameReturnsFalseForFooWithMark"],
    );
    let of =
        builder.callable(CallableKind::StaticMethod, FOO, "of", "(Ljava/lang/String;)Lp/Foo;", &["text"]);
    let size = builder.method(FOO, "size", "()I");
    let build = builder.method(FOO, "build", "()Lp/Foo;");
    let built = |text: &str| {
        let mut test = TestBuilder::default();
        let text = test.string(text);
        let started = test.call_static(of, &[text]);
        let foo = test.call(build, started, &[]);
        let result = test.call(size, foo, &[]);
        test.assert_value(result, Value::Int(1));
        test.finish()
    };
    check(&builder, &["up", "down"].map(built), &["sizeReturnsOneOnOfUp", "sizeReturnsOneOnOfDown"]);
}

#[test]
fn what_a_field_was_given_tells_tests_apart() {
    let mut builder = ClusterBuilder::new("p/Foo");
    let new = builder.constructor(FOO, "()V", &[]);
    let load = builder.method(FOO, "load", "()Z");
    let field = builder.field(FOO, "env", "Lp/Environment;", 0);
    let makers =
        ["Lp/MockEnvironment;", "Lp/SystemEnvironment;"].map(|of| builder.constructor(of, "()V", &[]));
    let test = |given: Option<CallableId>| {
        let mut test = TestBuilder::default();
        let foo = test.new_object(new, &[]);
        if let Some(given) = given {
            let value = test.new_object(given, &[]);
            test.push(Statement::FieldWrite { field, receiver: Some(foo), value });
        }
        let result = test.call(load, foo, &[]);
        test.assert_value(result, Value::Boolean(true));
        test.finish()
    };
    let suite = [Some(makers[0]), Some(makers[1]), None].map(test);
    let expect =
        ["loadReturnsTrueWithMockEnvironment", "loadReturnsTrueWithSystemEnvironment", "loadReturnsTrue"];
    check(&builder, &suite, &expect);
}

#[test]
fn a_setter_sets_what_the_getter_of_its_property_says() {
    let mut builder = ClusterBuilder::new("p/Foo");
    let new = builder.constructor(FOO, "()V", &[]);
    let [timeout, url] = [("setTimeout", "(I)V"), ("setUrl", "(Ljava/net/URI;)V")]
        .map(|(name, of)| builder.method(FOO, name, of));
    let [get_timeout, get_url] = [("getTimeout", "()I"), ("getUrl", "()Ljava/net/URI;")]
        .map(|(name, of)| builder.method(FOO, name, of));
    let uri = builder.constructor("Ljava/net/URI;", "()V", &[]);
    let uri_type = builder.ty("Ljava/net/URI;");
    let test = |given: Option<Statement>, setter, getter, shown: Value| {
        let mut test = TestBuilder::default();
        let foo = test.new_object(new, &[]);
        let value = match given {
            Some(given) => test.push(given),
            None => test.new_object(uri, &[]),
        };
        test.call(setter, foo, &[value]);
        test.assert(ObservationTarget::Inspector(foo, getter), ObservedValue::Primitive(shown));
        test.finish()
    };
    let five = Statement::Primitive { value: Value::Int(5), boxed: false };
    // For which there is no word.
    let shown = || Value::Long(81_234_567);
    let suite = [
        test(Some(five), timeout, get_timeout, Value::Int(5)),
        test(None, url, get_url, shown()),
        // What is there was there before.
        test(Some(Statement::Null { of: uri_type }), url, get_url, shown()),
    ];
    check(&builder, &suite, &["setTimeoutSetsFive", "setUrlSetsUrl", "setUrlLeavesUrlForNull"]);
}

#[test]
fn a_test_is_about_what_it_asks_an_object_that_another_class_made() {
    let mut builder = ClusterBuilder::new("p/Foo");
    let new = builder.constructor("Lp/Parser;", "()V", &[]);
    let next = builder.method("Lp/Parser;", "next", "()Lp/Foo;");
    let get_number = builder.method(FOO, "getNumber", "()I");
    let is_first = builder.method(FOO, "isFirst", "()Z");
    let test = |asked: &[(CallableId, Value)]| {
        let mut test = TestBuilder::default();
        let parser = test.new_object(new, &[]);
        let foo = test.call(next, parser, &[]);
        for (inspector, shown) in asked {
            let target = ObservationTarget::Inspector(foo, *inspector);
            test.assert(target, ObservedValue::Primitive(shown.clone()));
        }
        test.finish()
    };
    let one = || (get_number, Value::Int(1));
    let first = |is_first_one| (is_first, Value::Boolean(is_first_one));
    let suite = [test(&[one()]), test(&[first(true), one()])];
    check(&builder, &suite, &["getNumberReturnsOne", "isFirstReturnsTrue"]);
    // What is asserted besides tells tests apart.
    let suite = [test(&[one(), first(true)]), test(&[one(), first(false)])];
    check(&builder, &suite, &["getNumberReturnsOneAndFirst", "getNumberReturnsOneAndNotFirst"]);
}

#[test]
fn a_test_without_a_call_is_about_what_it_shows_of_a_constant() {
    let mut builder = ClusterBuilder::new("p/Foo");
    let constant = builder.field(FOO, "UTF_16", FOO, 0x9);
    let count = builder.field(FOO, "SECTION_COUNT", "I", 0x9);
    let get_name = builder.method(FOO, "getName", "()Ljava/lang/String;");
    let read = |test: &mut TestBuilder, field| test.push(Statement::FieldRead { field, receiver: None });
    let mut named = TestBuilder::default();
    let foo = read(&mut named, constant);
    let shown = ObservedValue::Primitive(Value::String("utf".into()));
    named.assert(ObservationTarget::Inspector(foo, get_name), shown);
    let mut counted = TestBuilder::default();
    let sections = read(&mut counted, count);
    counted.assert_value(sections, Value::Int(4));
    let suite = [named.finish(), counted.finish()];
    check(&builder, &suite, &["getNameReturnsUtf", "sectionCountIsFour"]);
}

#[test]
fn a_constructor_sets_the_field_that_is_asserted_of_its_object() {
    let mut builder = ClusterBuilder::new("p/Foo");
    let new = builder.constructor(FOO, "()V", &[]);
    let field = builder.field(FOO, "MAX_SUGGESTIONS", "I", 0);
    let mut test = TestBuilder::default();
    let foo = test.new_object(new, &[]);
    let read = test.push(Statement::FieldRead { field, receiver: Some(foo) });
    test.assert_value(read, Value::Int(10));
    check(&builder, &[test.finish()], &["constructorSetsMaxSuggestionsTen"]);
}

#[test]
fn an_exception_comes_with_how_the_arguments_relate() {
    let mut builder = ClusterBuilder::new("p/Foo");
    let range = builder.callable(CallableKind::StaticMethod, FOO, "range", "(II)V", &["lower", "upper"]);
    let test = |lower: i32, upper: i32| {
        let mut test = TestBuilder::default();
        let arguments = [test.int(lower), test.int(upper)];
        test.call_static(range, &arguments);
        test.throws("java/lang/IllegalArgumentException");
        test.finish()
    };
    check(
        &builder,
        &[test(2, 1), test(3, 3), test(0, i32::MAX)],
        &[
            "rangeThrowsIllegalArgumentExceptionForLowerAboveUpper",
            "rangeThrowsIllegalArgumentExceptionForEqualInts",
            "rangeThrowsIllegalArgumentExceptionForMaxValue",
        ],
    );
}

#[test]
fn what_an_array_holds_what_an_exception_says_and_which_text_bytes_are_of_tell_tests_apart() {
    let mut builder = ClusterBuilder::new("p/Foo");
    let [split, read] = ["split", "read"].map(|name| builder.static_method(FOO, name, "([B)[I"));
    let bytes = builder.method("Ljava/lang/String;", "getBytes", "()[B");
    let test = |called: CallableId, text: &str| {
        let mut test = TestBuilder::default();
        let text = test.string(text);
        let bytes = test.call(bytes, text, &[]);
        let result = test.call_static(called, &[bytes]);
        (test, result)
    };
    let giving = |elements: &[i32]| {
        let (mut test, result) = test(split, "a");
        let elements = elements.iter().map(|&element| ObservedValue::Primitive(Value::Int(element)));
        test.assert(ObservationTarget::Value(result), ObservedValue::Array(elements.collect()));
        test.finish()
    };
    check(
        &builder,
        &[giving(&[1, 2, 3]), giving(&[1, 5, 3])],
        &["splitReturnsArrayOfOneAndTwo", "splitReturnsArrayOfOneAndFive"],
    );
    let throwing = |text: &str, message: Option<&str>| {
        let (mut test, _) = test(read, text);
        test.throws("java/lang/IllegalStateException");
        if let Some(message) = message {
            let said = ObservedValue::Primitive(Value::String(message.into()));
            test.assert(ObservationTarget::Message, said);
        }
        test.finish()
    };
    check(
        &builder,
        &[throwing("a", Some("no end")), throwing("a", Some("no beginning"))],
        &[
            "readThrowsIllegalStateExceptionAndSaysNoEndForBytes",
            "readThrowsIllegalStateExceptionAndSaysNoBeginningForBytes",
        ],
    );
    check(
        &builder,
        &[throwing("foo", None), throwing("bar", None)],
        &["readThrowsIllegalStateExceptionForBytesFoo", "readThrowsIllegalStateExceptionForBytesBar"],
    );
    // Those of what the object was made from as well.
    let new = builder.constructor(FOO, "([B)V", &[]);
    let next = builder.method(FOO, "next", "()I");
    let on = |text: &str| {
        let mut test = TestBuilder::default();
        let text = test.string(text);
        let bytes = test.call(bytes, text, &[]);
        let object = test.new_object(new, &[bytes]);
        let result = test.call(next, object, &[]);
        test.assert_value(result, Value::Int(1));
        test.finish()
    };
    check(
        &builder,
        &[on("foo"), on("(f")],
        &["nextReturnsOneOnBytesFoo", "nextReturnsOneOnBytesOpeningParenthesisF"],
    );
}

#[test]
fn what_was_handed_over_and_what_comes_of_it_is_told() {
    let mut builder = ClusterBuilder::new("p/Foo");
    let new = builder.constructor(FOO, "(Lp/Foo;)V", &["next"]);
    let first = builder.static_method(FOO, "first", "()Lp/Foo;");
    let [next, fill] =
        [("getNext", "()Lp/Foo;"), ("fill", "([I)V")].map(|(name, of)| builder.method(FOO, name, of));
    let bag = builder.constructor("Lp/Bag;", "()V", &[]);
    let collect = builder.method(FOO, "collect", "(Lp/Bag;)V");
    let ints = builder.ty("[I");
    let yes = ObservedValue::Primitive(Value::Boolean(true));
    let mut given = TestBuilder::default();
    let held = given.call_static(first, &[]);
    let holder = given.new_object(new, &[held]);
    let result = given.call(next, holder, &[]);
    given.assert(ObservationTarget::Same(result, held), yes);
    let mut filled = TestBuilder::default();
    let object = filled.call_static(first, &[]);
    let array = filled.array(ints, 2);
    filled.call(fill, object, &[array]);
    let elements = [3, 4].map(|element| ObservedValue::Primitive(Value::Int(element)));
    filled.assert(ObservationTarget::Value(array), ObservedValue::Array(elements.to_vec()));
    // What the call left in an object that the test made is no result of its constructor.
    let mut collected = TestBuilder::default();
    let object = collected.call_static(first, &[]);
    let made = collected.new_object(bag, &[]);
    collected.call(collect, object, &[made]);
    collected.assert(ObservationTarget::Value(made), ObservedValue::Array(elements.to_vec()));
    check(
        &builder,
        &[given.finish(), filled.finish(), collected.finish()],
        &["getNextReturnsGivenFoo", "fillLeavesArrayOfThreeAndFour", "collectLeavesArrayOfThreeAndFour"],
    );
}

#[test]
fn a_test_is_about_the_constructor_only_where_nothing_is_called_behind_it() {
    let mut builder = ClusterBuilder::new("p/Foo");
    builder.cluster.goal_classes = vec!["p/Foo".into()];
    let new = builder.constructor(FOO, "()V", &[]);
    let [open, is_open] =
        [("open", "()V"), ("isOpen", "()Z")].map(|(name, of)| builder.method(FOO, name, of));
    let close = builder.method("Lp/Base;", "close", "()V");
    let entry = Goal {
        criterion: "any".into(),
        class: "p/Foo".into(),
        hash: 0,
        method: "<init>()V".into(),
        kind: GoalKind::Entry,
        line: None,
        entry: ProbeId(0),
        outcome: None,
        covered_by: Vec::new(),
        controlled_by: Vec::new(),
    };
    let test = |called: Option<CallableId>| {
        let mut test = TestBuilder::default();
        let object = test.new_object(new, &[]);
        if let Some(called) = called {
            test.call(called, object, &[]);
        }
        let shown = ObservedValue::Primitive(Value::Boolean(called == Some(open)));
        test.assert(ObservationTarget::Inspector(object, is_open), shown);
        AssertedTest { goals: vec![GoalId(0)], ..test.finish() }
    };
    check_with(
        &GoalSet::new(vec![entry]),
        NameScheme::Camel,
        &builder,
        &[test(Some(open)), test(None), test(Some(close))],
        &["openLeavesOpen", "constructorSetsNotOpen", "closeLeavesNotOpen"],
    );
}

#[test]
fn the_object_that_a_test_is_about_is_called_by_what_it_is_and_one_before_it_the_other() {
    let mut builder = ClusterBuilder::new("p/Foo");
    let plain = builder.constructor(FOO, "()V", &[]);
    let copy = builder.constructor(FOO, "(Lp/Foo;)V", &["source"]);
    let add = builder.callable(CallableKind::InstanceMethod, FOO, "add", "(Lp/Foo;)I", &["item"]);
    let hierarchy = no_classes();
    let class = builder.cluster.class_under_test.clone().unwrap();
    // `first.add(second)`, or `second.add(first)`, where the second is a copy of the first.
    for (receiver, expect) in [
        (0, ["Foo foo = new Foo();", "assertEquals(2, foo.add(new Foo(foo)));"]),
        (1, ["Foo source = new Foo();", "Foo foo = new Foo(source);\n"]),
    ] {
        let mut test = TestBuilder::default();
        let first = test.new_object(plain, &[]);
        let second = test.new_object(copy, &[first]);
        let objects = [first, second];
        let sum = test.call(add, objects[receiver], &[objects[1 - receiver]]);
        test.assert_value(sum, Value::Int(2));
        let (goals, class) = (GoalSet::default(), class.clone());
        let writer = JunitWriter::new(&builder.cluster, &hierarchy, &goals, class, JunitStyle::Jupiter);
        let text = writer.write(&[test.finish()]).text;
        for line in expect {
            assert!(text.contains(line), "{line}\n{text}");
        }
    }
}
