//! The same as mocks of Mockito: what they are told, what is verified, and where classes stay.

use std::collections::BTreeSet;

use bytecode::signature::GenericType;
use output::asserted_test::AssertedTest;
use output::junit::arrangement::{Arrangement, FixtureForm};
use output::junit::style::JunitStyle;
use testcase::assertion::{Assertion, ObservationTarget, ObservedValue, StubCall};
use testcase::cluster::build::Mockable;
use testcase::cluster::{Callable, CallableId, CallableKind, StubMethod, TypeId};
use testcase::statement::{Answer, Arguments, Statement, VarRef};
use testcase::value::Value;

use crate::common::TestBuilder;
use crate::stubs::{World, called, check_counts, primitive, scripted, value, world, world_with};

/// A test whose stub answers by methods; the others have no answers. `inputs` come before it.
fn told(
    world: &World,
    name: &str,
    inputs: &[Statement],
    answers: &dyn Fn(&StubMethod) -> Vec<Answer>,
) -> AssertedTest {
    let stub = world.stub(name);
    let mut test = TestBuilder::default();
    for input in inputs {
        test.push(input.clone());
    }
    let answers: Vec<Vec<Answer>> = world.cluster.stub(stub).methods.iter().map(answers).collect();
    let answers: Vec<&[Answer]> = answers.iter().map(Vec::as_slice).collect();
    let made = test.push(scripted(stub, &[], &answers));
    test.call_static(world.taker(stub).expect("a method takes it"), &[made]);
    test.finish()
}

fn check_mocks(world: &World, suite: &[AssertedTest], apart: &[usize]) -> String {
    let printed = world.print_mocks(JunitStyle::Jupiter, suite, apart);
    let source = format!("//- /{}\n{}", printed.path(), printed.text);
    fixture::compile_strictly(&source, &["-cp", &world.folder]);
    printed.text
}

#[test]
fn mocks_are_told_what_they_would_not_answer_by_themselves() {
    let world = world("p/Rows");
    let inputs = [
        primitive(Value::Boolean(true), false),
        primitive(Value::Boolean(false), false),
        primitive(Value::String("five".into()), false),
        primitive(Value::Long(7), false),
        primitive(Value::Int(0), true),
        Statement::Null { of: TypeId::STRING },
    ];
    let test = told(&world, "Cursor<String>", &inputs, &|method| match &*method.name {
        "next" => vec![value(0), value(0), value(1)],
        "get" if method.descriptor.starts_with("(Ljava/lang/String;") => vec![value(2), value(5)],
        "part" => vec![value(3)],
        "first" => vec![Answer::Parameter(0)],
        "count" => vec![value(4)],
        "close" => vec![Answer::Return],
        "get" | "array" | "all" | "some" | "any" => vec![value(5)],
        name => panic!("{name}"),
    });
    let text = check_mocks(&world, &[test], &[]);
    let expect = "
    @SuppressWarnings({\"deprecation\", \"unchecked\"})
    void allCompletes() throws Exception {
        Cursor<String> cursor = mock(Cursor.class);
        doReturn(null).when(cursor).all();
        when(cursor.any()).thenReturn(null);
        when(cursor.count()).thenReturn(0);
        when(cursor.first(any())).thenAnswer(call -> call.getArgument(0));
        when(cursor.get(ArgumentMatchers.<String>any(), anyInt())).thenReturn(\"five\").thenReturn(null);
        when(cursor.next()).thenReturn(true, true, false);
        when(cursor.part(anyInt())).thenReturn(7L);
        when(cursor.some()).thenReturn(null);
        Rows.all(cursor);
    }
";
    let imports = "
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import org.junit.jupiter.api.Test;
import org.mockito.ArgumentMatchers;
";
    check_counts(&text, &[(expect, 1), (imports, 1)]);
}

#[test]
fn mocks_throw_keep_bodies_and_are_left_to_classes_where_tests_want_that() {
    let world = world("p/Rows");
    let inputs = [primitive(Value::Int(5), false), Statement::Null { of: TypeId::OBJECT }];
    let walker = told(&world, "Walker", &inputs, &|method| match &*method.name {
        "steps" => vec![Answer::Parameter(0), value(0), value(0)],
        _ => vec![value(1)],
    });
    let text = check_mocks(&world, &[walker.clone(), walker.clone()], &[1]);
    check_counts(
        &text,
        &[
            (
                "        Walker walker = mock(Walker.class, Answers.CALLS_REAL_METHODS);\n        when(walker.left()).thenReturn(null);\n        when(walker.steps(anyInt())).thenAnswer(call -> call.getArgument(0)).thenReturn(5, 5);\n",
                1,
            ),
            ("        Walker walker = new Walker() {\n", 1),
        ],
    );
    check_counts(&check_mocks(&world, &[walker.clone(), walker], &[0, 1]), &[("mockito", 0)]);
    // A body that nobody calls needs no keeping, and what a mock gives by itself no telling.
    let rider = told(&world, "Rider", &inputs, &|_| Vec::new());
    let text = check_mocks(&world, &[rider], &[]);
    check_counts(&text, &[("        Rider rider = mock(Rider.class);\n        Rows.ride(rider);\n", 1)]);
    let is_it = |callable: &Callable| {
        callable.kind == CallableKind::Constructor
            && callable.declared_in.as_str() == "java/io/IOException"
            && callable.parameters.iter().map(|parameter| parameter.of).eq([TypeId::STRING])
    };
    let made = world.cluster.callables.iter().position(is_it).map(CallableId::from);
    let arguments: Arguments = [VarRef(0)].into_iter().collect();
    let inputs = [
        primitive(Value::String("shut".into()), false),
        Statement::Constructor { callable: made.expect("what close declares"), arguments },
        primitive(Value::Boolean(false), false),
        primitive(Value::Long(0), false),
        Statement::Null { of: TypeId::STRING },
    ];
    let throws = told(&world, "Cursor<String>", &inputs, &|method| match &*method.name {
        "close" => vec![Answer::Throw(VarRef(1)), Answer::Return],
        "next" => vec![value(2), Answer::Throw(VarRef(1))],
        "part" => vec![value(3)],
        _ => vec![value(4)],
    });
    let text = check_mocks(&world, &[throws], &[]);
    check_counts(
        &text,
        &[
            (".doNothing().when(cursor).close();\n", 1),
            ("        doThrow(", 1),
            ("        when(cursor.next()).thenReturn(false).thenThrow(", 1),
            (".part(", 0),
        ],
    );
}

#[test]
fn stubs_that_are_mocks_share_no_class_of_the_file() {
    let world = world("p/Gauges");
    let test = |low: i32| {
        told(&world, "Gauges.Gauge", &[low, 0].map(|value| primitive(Value::Int(value), false)), &|method| {
            vec![value(u16::from(&*method.name != "low"))]
        })
    };
    let suite = [test(1), test(2), test(3)];
    let text = check_mocks(&world, &suite, &[]);
    check_counts(
        &text,
        &[("private static class", 0), ("when(gauge.low()).thenReturn(2);", 1), ("when(", 3)],
    );
    let text = check_mocks(&world, &suite, &[0, 2]);
    check_counts(&text, &[("private static class GaugeStub", 1), ("new GaugeStub() {", 2), ("when(", 1)]);
}

#[test]
fn an_object_whose_constructor_does_not_run_is_a_mock_whatever_others_are() {
    let world = world_with("p/Dials", Mockable::Final);
    let is_builder = |callable: &Callable| {
        callable.kind == CallableKind::Constructor
            && callable.declared_in.as_str() == "java/lang/StringBuilder"
            && callable.parameters.is_empty()
    };
    let builder = CallableId::from(world.cluster.callables.iter().position(is_builder).expect("it is made"));
    let inputs = [
        primitive(Value::Boolean(true), false),
        primitive(Value::Int(3), false),
        Statement::Null { of: world.cluster.stub(world.stub("Line")).of },
        primitive(Value::Long(0), false),
        Statement::Constructor { callable: builder, arguments: [].into_iter().collect() },
    ];
    let mut test = told(&world, "Line", &inputs, &|method| match &*method.name {
        "isOpen" => vec![value(0)],
        "mark" => vec![value(1)],
        "next" => vec![value(2)],
        "kept" => vec![Answer::Parameter(0)],
        _ => Vec::new(),
    });
    let (mock, stub) = (VarRef(5), world.stub("Line"));
    let number = |name: &str| {
        let methods = &world.cluster.stub(stub).methods;
        methods.iter().position(|method| &*method.name == name).unwrap() as u16
    };
    let calls = [("keep", "keep()"), ("send", "send(a)"), ("mark", "mark(b)"), ("keep", "keep()")];
    let mut calls = calls.map(|(name, text)| StubCall::new(number(name), text));
    calls[0].objects = vec![Some(VarRef(4))];
    calls[3].objects = vec![None];
    test.assertions.push(Assertion {
        after: VarRef(6),
        target: ObservationTarget::Calls(mock, stub),
        expected: ObservedValue::Calls(calls.to_vec()),
    });
    let expect = "
        StringBuilder stringBuilder = new StringBuilder();
        Line line = mock(Line.class);
        when(line.isOpen()).thenReturn(true);
        when(line.kept(anyLong())).thenAnswer(call -> call.getArgument(0));
        when(line.mark(anyChar())).thenReturn(3);
        Dials.all(line);

        InOrder inOrder = inOrder(line);
        inOrder.verify(line).keep(stringBuilder);
        inOrder.verify(line).send(\"a\");
        inOrder.verify(line).mark('b');
        inOrder.verify(line).keep(any());
    }
";
    // Where stubs have classes this one is a mock as well. Those who only ask are no matter.
    for text in [
        check_mocks(&world, &[test.clone()], &[]),
        check_mocks(&world, &[test.clone()], &[0]),
        world.print(JunitStyle::Jupiter, &[test]).text,
    ] {
        check_counts(&text, &[(expect, 1), ("verifyNoMoreInteractions", 0)]);
    }
}

#[test]
fn what_tests_are_about_is_set_up_before_its_mock_is_told_what_it_answers() {
    let world = world("p/Station");
    let find = |class: &str, name: &str| {
        let is_it = |callable: &Callable| &*callable.name == name && callable.declared_in == class.into();
        CallableId::from(world.cluster.callables.iter().position(is_it).expect("it is there"))
    };
    let stub = world.stub("Sensor");
    let test = |level: i32| {
        let mut test = TestBuilder::default();
        let answer = test.push(primitive(Value::Int(level), false));
        let sensor = test.push(scripted(stub, &[], &[&[Answer::Value(answer)], &[], &[]]));
        let item = test.new_object(find("p/Item", "<init>"), &[]);
        let station = test.new_object(find("p/Station", "<init>"), &[sensor, item]);
        let result = test.call(find("p/Station", "level"), station, &[]);
        test.assert_value(result, Value::Int(level));
        test.finish()
    };
    let arrangement = Arrangement { fixtures: FixtureForm::Shared, ..Arrangement::default() };
    let printed = world.print_as(JunitStyle::Jupiter, &[test(5), test(6), test(7)], |writer| {
        writer.with_mocks(BTreeSet::new()).arranged(arrangement)
    });
    let source = format!("//- /{}\n{}", printed.path(), printed.text);
    fixture::compile_strictly(&source, &["-cp", &world.folder]);
    let members = r"    private Sensor sensor;
    private Station station;

    @BeforeEach
    void setUp() {
        sensor = mock(Sensor.class);
        station = new Station(sensor, new Item());
    }

    @Test
    void levelReturnsFive() {
        when(sensor.level()).thenReturn(5);
        assertEquals(5, station.level());
    }
";
    check_counts(&printed.text, &[(members, 1), ("new Station(", 1), ("when(", 3)]);
}

#[test]
fn mocks_of_several_tests_are_fields_where_the_project_has_them_so() {
    let world = world("p/Rows");
    let inputs = [primitive(Value::Int(5), false), Statement::Null { of: TypeId::OBJECT }];
    let walker = told(&world, "Walker", &inputs, &|method| {
        vec![if &*method.name == "steps" { value(0) } else { value(1) }]
    });
    let no = told(&world, "Cursor<String>", &[primitive(Value::Boolean(false), false)], &|method| {
        if &*method.name == "next" { vec![value(0)] } else { Vec::new() }
    });
    let suite = [walker.clone(), no.clone(), walker.clone(), walker, no];
    let check = |style: JunitStyle, apart: &[usize], expect: &[(&str, usize)]| {
        let arrangement = Arrangement {
            fixtures: FixtureForm::SharedWithMocks,
            apart: apart.iter().copied().collect(),
            ..Arrangement::default()
        };
        let printed =
            world.print_as(style, &suite, |writer| writer.with_mocks(BTreeSet::new()).arranged(arrangement));
        let source = format!("//- /{}\n{}", printed.path(), printed.text);
        fixture::compile_strictly(&source, &["-cp", &world.folder]);
        check_counts(&printed.text, expect);
    };
    let head = "
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.Answers;
import org.mockito.Mock;
import org.mockito.junit.jupiter.MockitoExtension;

@ExtendWith(MockitoExtension.class)
";
    let fields = "
    @Mock
    private Cursor<String> cursor;

    @Mock(answer = Answers.CALLS_REAL_METHODS)
    private Walker walker;

    @Test
";
    check(JunitStyle::Jupiter, &[], &[(head, 1), (fields, 1), ("mock(", 0), ("when(walker.", 6)]);
    check(JunitStyle::Jupiter, &[1], &[("private Cursor", 0), ("= mock(Cursor.class)", 2), ("@Mock(", 1)]);
    check(JunitStyle::Junit4, &[], &[("@Mock", 0), ("mock(", 3)]);
}

#[test]
fn methods_with_type_parameters_of_their_own_are_told_and_verified() {
    let world = world("p/Stores");
    let (store, item) = (world.stub("Store<Item>"), GenericType::class("p/Item"));
    let item = TypeId::from(world.cluster.types.iter().position(|of| of.generic == item).expect("an item"));
    let is_new = |callable: &Callable| callable.kind == CallableKind::Constructor && callable.owner == item;
    let new = CallableId::from(world.cluster.callables.iter().position(is_new).expect("it is made"));
    let inputs = [
        Statement::Constructor { callable: new, arguments: [].into_iter().collect() },
        Statement::Null { of: TypeId::OBJECT },
    ];
    let mut test = told(&world, "Store<Item>", &inputs, &|method| match &*method.name {
        "save" => vec![Answer::Parameter(0)],
        "find" if method.descriptor.starts_with("(Ljava/lang/Class;") => vec![value(0)],
        "find" => vec![value(1)],
        _ => Vec::new(),
    });
    let methods = &world.cluster.stub(store).methods;
    let save = methods.iter().position(|method| &*method.name == "save").expect("it is there") as u16;
    let call = StubCall { objects: vec![Some(VarRef(0))], ..StubCall::new(save, "save()") };
    test.assertions.push(Assertion {
        after: VarRef(3),
        target: ObservationTarget::Calls(VarRef(2), store),
        expected: ObservedValue::Calls(vec![call]),
    });
    let expect = "
        Store<Item> store = mock(Store.class);
        doReturn(item).when(store).find(ArgumentMatchers.<Class<?>>any());
        doAnswer(call -> call.getArgument(0)).when(store).save(any());
        Stores.all(store);

        verify(store).save(item);
";
    check_counts(&check_mocks(&world, &[test], &[]), &[(expect, 1)]);
}

#[test]
fn what_a_mock_answers_is_made_where_it_is_told_so_unless_the_code_makes_it() {
    let world = world_with("p/Dials", Mockable::Final);
    let named = |class: &str, name: &str| {
        let is_it = |callable: &Callable| &*callable.name == name && callable.declared_in.as_str() == class;
        CallableId::from(world.cluster.callables.iter().position(is_it).expect(name))
    };
    let call = |callable: CallableId, arguments: &[u16]| Statement::Method {
        callable,
        receiver: None,
        arguments: arguments.iter().copied().map(VarRef).collect(),
    };
    let (of, made) = (named("java/util/Optional", "of"), named("p/Dials", "made"));
    for (first, expect) in [
        (primitive(Value::String("a".into()), false), "thenReturn(Optional.of(\"a\"));"),
        (call(made, &[]), "        String result = Dials.made();\n"),
    ] {
        let test = told(&world, "Line", &[first, call(of, &[0])], &|method| match &*method.name {
            "told" => vec![value(1)],
            _ => Vec::new(),
        });
        let text = check_mocks(&world, &[test], &[]);
        check_counts(&text, &[(expect, 1), ("when(line.told()).thenReturn(Optional.of(", 1)]);
    }
}

#[test]
fn calls_of_mocks_are_verified_where_their_texts_tell_all() {
    let world = world("p/Tells");
    let listener = |calls: &[(&str, &str)]| called(&world, "Listener", calls);
    let suite = [
        listener(&[("seen", "seen(1, c)"), ("ready", "ready(a, b)"), ("ready", "ready(a, b)")]),
        listener(&[("seen", "seen(-2, \\)")]),
        listener(&[("ready", "ready(null)")]),
        called(&world, "Pairing", &[("of", "of(a, b, c)")]),
        called(&world, "Consumer<String>", &[("accept", "accept(a)")]),
        called(&world, "IntPredicate", &[("test", "test(3)")]),
        called(
            &world,
            "Checking",
            &[("check", "check(class p.Item, 3)"), ("check", "check(null, 4)"), ("check", "check(int, 5)")],
        ),
        // Of which class an object is only words tell.
        called(&world, "Checking", &[("take", "take(a.key)"), ("take", "take(7)"), ("take", "take(null)")]),
        called(&world, "Checking", &[("take", "take(LOW_TIDE)")]),
    ];
    let printed = world.print_mocks(JunitStyle::Jupiter, &suite, &[]);
    let in_order = "
        when(listener.ready(any(), anyDouble())).thenReturn(true);
        Tells.all(listener);

        InOrder inOrder = inOrder(listener);
        inOrder.verify(listener).seen(1, 'c');
        inOrder.verify(listener, times(2)).ready(eq(\"a, b\"), anyDouble());
        verifyNoMoreInteractions(listener);
";
    let one = "
        verify(listener).seen(-2, '\\\\');
        verifyNoMoreInteractions(listener);
";
    let predicate = "
        IntPredicate intPredicate = mock(IntPredicate.class);
        when(intPredicate.test(anyInt())).thenReturn(true);
";
    let text = check_mocks(&world, &suite, &[]);
    check_counts(
        &text,
        &[
            (in_order, 1),
            (one, 1),
            (predicate, 1),
            ("inOrder.verify(checking).check(Item.class, 3L);", 1),
            ("inOrder.verify(checking).check(null, 4L);", 1),
            ("inOrder.verify(checking).check(int.class, 5L);", 1),
            ("inOrder.verify(checking).take(\"a.key\");", 1),
            ("inOrder.verify(checking).take(any());", 1),
            ("inOrder.verify(checking).take(null);", 1),
            ("        verify(checking).take(any());", 1),
            ("verify(intPredicate).test(3);", 1),
            ("verify(listener).ready(eq(null), anyDouble());", 1),
            ("assertEquals(List.of(\"of(a, b, c)\"), pairingCalls);", 1),
            ("= value -> consumerCalls.add(\"accept(\" + value + \")\");", 1),
        ],
    );
    // Its lines are those of one assertion.
    let assertions: Vec<(usize, u32)> = printed
        .tests
        .iter()
        .flat_map(|test| &test.assertions)
        .map(|printed| (printed.assertion, printed.lines.end() - printed.lines.start() + 1))
        .collect();
    assert_eq!(assertions, [(0, 4), (0, 2), (0, 2), (0, 1), (0, 1), (0, 2), (0, 5), (0, 5), (0, 2)]);
}
