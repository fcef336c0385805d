//! Replays of whole tests that follow recordings, and what symbolic execution finds with them. The recordings are made by the
//! interpreter itself.

mod exploration;
mod recorder;
mod subject;

use bytecode::descriptor::ErasedType;
use bytecode::instruction::InstructionIndex;
use bytecode::name::ClassName;
use concolic::interpreter::{Difference, End};
use concolic::test_replay::TestEnd;
use subject::{Subject, int, text};
use testcase::cluster::TypeId;
use testcase::recording::{
    Event, LoggedEvent, RecordedContent, RecordedId, RecordedMethod, RecordedMethodId, RecordedObject,
    RecordedStatement, RecordedValue, Recording,
};
use testcase::statement::Statement;
use testcase::test_case::TestCase;
use testcase::value::Value;

fn tests(subject: &Subject) -> Vec<TestCase> {
    vec![
        subject.instance_call(3, "magic", &[int(16), text("gopher")]),
        subject.instance_call(1, "touched", &[int(5)]),
        subject.stub_call(5),
        subject.constructed_stub_call(5),
        subject.constructed_stub_call(77),
        subject.chained_stub_call(5),
        subject.array_call(3),
        subject.static_call("pick", int(3)),
        subject.static_call("pick", int(4)),
        subject.static_call("boxed", Statement::Primitive { value: Value::Int(4), boxed: true }),
        subject.static_call("text", int(7)),
        subject.static_call("caught", int(2)),
        subject.static_call("caught", int(1)),
        subject.static_call("lambda", int(1)),
        subject.static_call("root", Statement::Primitive { value: Value::Double(9.0), boxed: false }),
        subject.static_call("thrown", int(5)),
    ]
}

#[test]
fn a_replay_that_follows_a_recording_finds_the_same_conditions() {
    let subject = Subject::compile();
    for test in tests(&subject) {
        let (recording, run) = subject.record(&test);
        assert!(!run.conditions.is_empty(), "{test:?}");
        let replay = subject.follow(&test, &recording);
        assert_eq!(replay.end, TestEnd::Completed, "{test:?}");
        assert_eq!(replay.conditions, run.conditions, "{test:?}");
        assert_eq!(replay.inputs, run.inputs, "{test:?}");
    }
}

#[test]
fn a_statement_that_throws_is_followed() {
    let subject = Subject::compile();
    let test = subject.static_call("thrown", int(1001));
    let (recording, _) = subject.record(&test);
    assert!(recording.statements[1].exception.is_some());
    let replay = subject.follow(&test, &recording);
    assert_eq!((replay.end, replay.conditions.len()), (TestEnd::Completed, 1));
}

/// The recording of a test, in which its last statement threw this: behind its events, or behind the last entry of a method.
fn thrown(subject: &Subject, test: &TestCase, class: &str, is_cut: bool) -> Recording {
    let (mut recording, _) = subject.record(test);
    let id = RecordedId(recording.objects.len() as u32);
    let class = ErasedType::Class(ClassName::new(class));
    recording.objects.push(RecordedObject { class, content: RecordedContent::Other });
    let last = recording.statements.last_mut().expect("a statement");
    (last.result, last.exception) = (None, Some(id));
    let entered = recording.events.iter().rposition(|it| matches!(it.event, Event::Entered(_)));
    if is_cut {
        recording.events.truncate(entered.expect("a method is entered") + 1);
    }
    recording
}

#[test]
fn a_statement_may_throw_behind_its_call() {
    let subject = Subject::compile();
    let test = subject.static_call("pick", int(3));
    for class in ["java/lang/ClassCastException", "java/lang/NullPointerException"] {
        let replay = subject.follow(&test, &thrown(&subject, &test, class, false));
        assert_eq!((replay.end, replay.conditions.len()), (TestEnd::Completed, 1));
    }
    let replay = subject.follow(&test, &thrown(&subject, &test, "java/lang/ArithmeticException", false));
    assert!(matches!(replay.end, TestEnd::Stopped { end: End::Diverged { .. }, .. }), "{:?}", replay.end);
}

#[test]
fn what_a_statement_throws_at_a_null_receiver_is_no_object_of_the_recording() {
    let subject = Subject::compile();
    let mut test = subject.instance_call(1, "touched", &[int(5)]);
    test.statements_mut()[1] = Statement::Null { of: TypeId::OBJECT };
    let recording = Recording {
        statements: vec![RecordedStatement { first_event: 0, result: None, exception: None }; test.len()],
        is_complete: true,
        ..Recording::default()
    };
    assert_eq!(subject.follow(&test, &recording).end, TestEnd::Completed);
}

#[test]
fn a_modelled_call_may_throw_what_its_model_does_not_know() {
    let subject = Subject::compile();
    let test = subject.static_call("text", int(7));
    let replay = subject.follow(&test, &thrown(&subject, &test, "java/lang/OutOfMemoryError", true));
    assert_eq!((replay.end, replay.conditions.len()), (TestEnd::Completed, 0));
}

#[test]
fn the_class_of_a_stub_is_that_of_the_recording() {
    let subject = Subject::compile();
    let test = subject.kind_call();
    let (mut recording, _) = subject.record(&test);
    let function = ErasedType::Class(ClassName::new("java/util/function/IntUnaryOperator"));
    let stub = ErasedType::Class(ClassName::new("p/Stub"));
    for object in &mut recording.objects {
        if object.content == RecordedContent::Class(function.clone()) {
            object.content = RecordedContent::Class(stub.clone());
        }
    }
    assert!(recording.objects.iter().any(|object| object.content == RecordedContent::Class(stub.clone())));
    assert_eq!(subject.follow(&test, &recording).end, TestEnd::Completed);
}

#[test]
fn what_does_not_fit_is_reported_as_diverged_and_nothing_panics() {
    let subject = Subject::compile();
    for test in tests(&subject) {
        let (recording, _) = subject.record(&test);
        for place in 0..recording.events.len() {
            let mut shortened = recording.clone();
            shortened.events.remove(place);
            for logged in &mut shortened.events {
                logged.activation -= usize::from(logged.activation > place);
            }
            for statement in &mut shortened.statements {
                statement.first_event -= usize::from(statement.first_event > place);
            }
            subject.follow(&test, &shortened);
            let Event::Decided(decision) = recording.events[place].event else { continue };
            let mut changed = recording.clone();
            changed.events[place].event = Event::Decided(decision ^ 1 << 33 ^ 1);
            let replay = subject.follow(&test, &changed);
            let is_diverged = matches!(
                replay.end,
                TestEnd::Stopped { end: End::Diverged { difference: Difference::Decision { .. }, .. }, .. }
            );
            assert!(is_diverged, "{:?}", replay.end);
        }
    }
}

/// The recording of `touched(5)`, in which the state of the object is read as this behind the call of other code. The method behind
/// those that it has is one that other code calls back. Its events come with the place of their activation among them.
fn touched(
    subject: &Subject,
    test: &TestCase,
    state: i32,
    (name, descriptor, callback): (&str, &str, &[(usize, Event)]),
) -> Recording {
    let (mut recording, _) = subject.record(test);
    let read = recording.events.iter().rposition(|it| matches!(it.event, Event::Read(_)));
    let read = read.expect("the state is read");
    recording.events[read].event = Event::Read(RecordedValue::Int(state));
    // Different states decide differently, as `state == 5` compares two numbers.
    if let Event::Decided(decision) = &mut recording.events[read + 1].event {
        *decision = i64::from(state) << 32 | 5;
    }
    let result = if state == 5 { 42 } else { 0 };
    if let Some(last) = recording.statements.last_mut() {
        last.result = Some(RecordedValue::Int(result));
    }
    let class = recording.methods[0].class.clone();
    recording.methods.push(RecordedMethod { class, name: name.into(), descriptor: descriptor.into() });
    let returned = recording.events.iter().rposition(|it| matches!(it.event, Event::Returned(_)));
    let returned = returned.expect("a call returns");
    let mut behind = recording.events[returned..].iter();
    assert!(behind.all(|logged| logged.activation < returned), "nothing is entered behind the call");
    let callback = callback.iter().map(|&(began, event)| LoggedEvent { activation: returned + began, event });
    recording.events.splice(returned..returned, callback);
    recording
}

#[test]
fn what_other_code_changed_loses_its_term() {
    let subject = Subject::compile();
    let test = subject.instance_call(1, "touched", &[int(5)]);
    for (state, conditions) in [(5, 1), (6, 0)] {
        let replay = subject.follow(&test, &touched(&subject, &test, state, ("callback", "()V", &[])));
        assert_eq!(replay.end, TestEnd::Completed);
        assert_eq!(replay.conditions.len(), conditions);
    }
}

#[test]
fn what_other_code_calls_back_is_passed_over() {
    let subject = Subject::compile();
    let test = subject.instance_call(1, "touched", &[int(5)]);
    let (recording, _) = subject.record(&test);
    let method = RecordedMethodId(recording.methods.len() as u32);
    let callback = [
        (0, Event::Entered(method)),
        (0, Event::Decided(4)),
        (2, Event::Entered(method)),
        (2, Event::Returned(None)),
        (2, Event::Left),
        (0, Event::Returned(Some(RecordedValue::Int(1)))),
        (0, Event::Left),
    ];
    // The second one is called as the method of the platform that calls it.
    for (name, descriptor) in [("callback", "()V"), ("singletonList", "(Ljava/lang/Object;)Ljava/util/List;")]
    {
        let replay = subject.follow(&test, &touched(&subject, &test, 5, (name, descriptor, &callback)));
        assert_eq!((replay.end, replay.conditions.len()), (TestEnd::Completed, 1), "{name}");
    }
}

#[test]
fn callbacks_may_end_by_exceptions() {
    let subject = Subject::compile();
    let test = subject.instance_call(1, "touched", &[int(5)]);
    let (recording, _) = subject.record(&test);
    let method = RecordedMethodId(recording.methods.len() as u32);
    let entered = Event::Entered(method);
    let exception = RecordedId(recording.objects.len() as u32);
    let caught = Event::Caught { method, handler: InstructionIndex(9), exception };
    let callbacks: [&[(usize, Event)]; 4] = [
        // The second activation of the method throws where it has no handler; the first one catches that.
        &[(0, entered), (1, entered), (0, caught), (0, Event::Left)],
        // Twice.
        &[(0, entered), (1, entered), (2, entered), (1, caught), (1, Event::Returned(None)), (0, caught)],
        // Code that is not recorded catches it.
        &[(0, entered), (1, entered), (0, Event::Decided(4)), (0, Event::Left)],
        &[(0, entered), (0, Event::Returned(None)), (2, entered)],
    ];
    for callback in callbacks {
        let mut recording = touched(&subject, &test, 5, ("callback", "()V", callback));
        let class = ErasedType::Class(ClassName::new("java/lang/IllegalStateException"));
        recording.objects.push(RecordedObject { class, content: RecordedContent::Other });
        let replay = subject.follow(&test, &recording);
        assert_eq!((replay.end, replay.conditions.len()), (TestEnd::Completed, 1), "{callback:?}");
    }
}

/// The method and its handler, to which an exception comes that it makes itself when it is given a 1.
fn handler_of(subject: &Subject, name: &str) -> (RecordedMethod, InstructionIndex) {
    let (recording, _) = subject.record(&subject.static_call(name, int(1)));
    let caught = recording.events.iter().find_map(|logged| {
        let Event::Caught { method, handler, .. } = logged.event else { return None };
        Some((recording.methods[method.index()].clone(), handler))
    });
    caught.expect("it is caught")
}

#[test]
fn the_jvm_may_fail_to_execute_an_instruction() {
    let subject = Subject::compile();
    let (thrower, handler) = handler_of(&subject, "failing");
    let test = subject.static_call("failing", int(2));
    let is_read = |event: &Event| matches!(event, Event::Read(_));
    let is_made = |event: &Event| matches!(event, Event::Made(_));
    let check = |fails: fn(&Event) -> bool, class: &str, is_followed: bool| {
        let (mut recording, _) = subject.record(&test);
        let activation = recording.events.last().expect("there are events").activation;
        let method = RecordedMethodId(recording.methods.len() as u32);
        recording.methods.push(thrower.clone());
        let exception = RecordedId(recording.objects.len() as u32);
        let class = ErasedType::Class(ClassName::new(class));
        recording.objects.push(RecordedObject { class, content: RecordedContent::Other });
        let place = recording.events.iter().rposition(|logged| fails(&logged.event));
        recording.events.truncate(place.expect("there is such an event"));
        let caught = [Event::Caught { method, handler, exception }, Event::Left];
        recording.events.extend(caught.map(|event| LoggedEvent { activation, event }));
        recording.statements.last_mut().expect("a statement").result = Some(RecordedValue::Int(3));
        let replay = subject.follow(&test, &recording);
        assert_eq!(replay.end == TestEnd::Completed, is_followed, "{:?}", replay.end);
        assert_eq!(replay.conditions.len(), 1);
    };
    check(is_read, "java/lang/NoClassDefFoundError", true);
    check(is_read, "java/lang/ExceptionInInitializerError", true);
    check(is_made, "java/lang/OutOfMemoryError", true);
    check(is_read, "java/lang/AssertionError", false);
    check(is_made, "java/lang/AssertionError", false);
}

/// The recording of `numbered(3)`, in which the receiver of the call is of a class that no class file tells of. Its method is entered, or
/// other code calls it back, and the call returns a number.
fn numbered(subject: &Subject, test: &TestCase, receiver: &str, entered: &str, number: i32) -> Recording {
    let (mut recording, _) = subject.record(test);
    let read = recording.events.iter().rposition(|it| matches!(it.event, Event::Read(_)));
    let read = read.expect("the receiver is read");
    let activation = recording.events[read].activation;
    let given = RecordedId(recording.objects.len() as u32);
    let class = ErasedType::Class(ClassName::new(receiver));
    recording.objects.push(RecordedObject { class, content: RecordedContent::Other });
    let method = RecordedMethodId(recording.methods.len() as u32);
    let class = ClassName::new(entered);
    recording.methods.push(RecordedMethod { class, name: "number".into(), descriptor: "()I".into() });
    recording.events.truncate(read);
    recording.events.extend(
        [
            (activation, Event::Read(RecordedValue::Reference(given))),
            (read + 1, Event::Entered(method)),
            (read + 1, Event::Left),
            (activation, Event::Returned(Some(RecordedValue::Int(number)))),
            (activation, Event::Decided(i64::from(number + 3) << 32 | 0x2d)),
            (activation, Event::Left),
        ]
        .map(|(activation, event)| LoggedEvent { activation, event }),
    );
    let last = recording.statements.last_mut().expect("a statement");
    (last.result, last.exception) = (Some(RecordedValue::Int(0)), None);
    recording
}

#[test]
fn what_a_proxy_or_a_lambda_calls_back_is_not_its_own_method() {
    let subject = Subject::compile();
    let test = subject.static_call("numbered", int(3));
    // What is interpreted returns 4.
    for (receiver, entered, number, is_followed) in [
        ("jdk/proxy1/$Proxy", "p/Counter", 5, true),
        ("jdk/proxy1/$Proxy", "p/Numbered", 5, true),
        ("p/Foo$$Lambda", "p/Counter", 5, true),
        ("p/Foo$$Lambda", "p/Numbered", 4, true),
        ("p/Foo$$Lambda", "p/Numbered", 5, false),
        ("p/Generated", "p/Counter", 4, true),
        ("p/Generated", "p/Counter", 5, false),
    ] {
        let replay = subject.follow(&test, &numbered(&subject, &test, receiver, entered, number));
        let is_completed = replay.end == TestEnd::Completed;
        assert_eq!(is_completed, is_followed, "{receiver} {entered} {number}: {:?}", replay.end);
    }
}

#[test]
fn a_cast_fails_where_the_recording_says_so() {
    let subject = Subject::compile();
    let (thrower, handler) = handler_of(&subject, "casts");
    // To a class, and to an array.
    for given in [3, 7] {
        let test = subject.static_call("casts", int(given));
        let (mut recording, _) = subject.record(&test);
        let read = recording.events.iter().rposition(|it| matches!(it.event, Event::Read(_)));
        let read = read.expect("the object is read");
        let activation = recording.events[read].activation;
        let method = RecordedMethodId(recording.methods.len() as u32);
        recording.methods.push(thrower.clone());
        let object = RecordedId(recording.objects.len() as u32);
        let exception = RecordedId(object.0 + 1);
        for class in ["jdk/proxy1/$Proxy", "java/lang/ClassCastException"] {
            let class = ErasedType::Class(ClassName::new(class));
            recording.objects.push(RecordedObject { class, content: RecordedContent::Other });
        }
        recording.events.truncate(read);
        let reference = Event::Read(RecordedValue::Reference(object));
        let events = [reference, Event::Caught { method, handler, exception }, Event::Left];
        recording.events.extend(events.map(|event| LoggedEvent { activation, event }));
        let last = recording.statements.last_mut().expect("a statement");
        (last.result, last.exception) = (Some(RecordedValue::Int(3)), None);
        assert_eq!(subject.follow(&test, &recording).end, TestEnd::Completed, "{given}");
    }
}
