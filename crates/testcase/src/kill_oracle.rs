//! By what a test kills a mutant: where it can look, and which values its assertions distinguish.

use crate::assertion::{
    FileState, ObservationPoint, ObservationTarget, ObservedValue, SeenFile, StandardStream, StubCall,
};
use crate::cluster::{TestCluster, TypeId};
use crate::statement::{Statement, VarRef};
use crate::test_case::TestCase;
use crate::value::Value;

/// Most inspectors and fields that may kill: asking costs a call in every run.
const MOST_ANSWERS: usize = 48;

/// Doubles that are nearer to each other than this part of them may pass for equal: so much tolerance do delivered
/// assertions have at most.
const TOLERANCE: f64 = 1.0e-12;

/// How far a test came that is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reach {
    /// Statements that completed.
    pub completed: usize,
    /// Whether the one behind them threw.
    pub throws: bool,
    /// Whether anything is called to see more.
    pub asks: bool,
    /// Whether it looks at the exception, at what that leaves, at what the objects of an object are like, at what iterators and
    /// streams give, at what is printed, and at what is in the folder of the test.
    pub further: bool,
}

/// Where a test can look: at what each statement that completed defines, behind it; at the exception that ended it; and, if it
/// asks, behind the last one at what was printed and at its files, at the calls of stubs and at what inspectors and public fields tell of the objects, one
/// of each in turn, of the latest first; in the end at what the last one gives, if looking uses that up. Ascending by position.
pub fn visible(cluster: &TestCluster, test: &TestCase, reach: Reach) -> Vec<ObservationPoint> {
    let Reach { completed: executed, further, .. } = reach;
    let throws = reach.throws && further;
    let asks = reach.asks && (further || !reach.throws);
    let typed = |variable: VarRef| Some((variable, test.variable_type(cluster, variable)?));
    let variables: Vec<(VarRef, TypeId)> = (0..executed).map(VarRef::from).filter_map(typed).collect();
    let is_given = |&&(variable, _): &&(VarRef, TypeId)| {
        !matches!(test.statement(variable), Statement::Primitive { .. } | Statement::Null { .. })
    };
    let mut points: Vec<ObservationPoint> = variables
        .iter()
        .filter(is_given)
        .map(|&(after, _)| ObservationPoint { after, target: ObservationTarget::Value(after) })
        .collect();
    let last = if throws { Some(executed) } else { executed.checked_sub(1) };
    let Some(after) = last.map(VarRef::from) else { return points };
    if throws {
        let of_exception = [ObservationTarget::Message, ObservationTarget::Cause];
        points.extend(of_exception.map(|target| ObservationPoint { after, target }));
    }
    if !asks {
        return points;
    }
    if further {
        // What is asked next may print and write as well.
        let outside = printed().chain(files(cluster, test));
        points.extend(outside.map(|target| ObservationPoint { after, target }));
    }
    points.extend(calls(test, executed).map(|target| ObservationPoint { after, target }));
    let mut states: Vec<Vec<ObservationTarget>> =
        variables.iter().rev().map(|&(variable, of)| cluster.state(variable, of, further)).collect();
    let is_cut = further && states.iter().map(Vec::len).sum::<usize>() > MOST_ANSWERS;
    if is_cut {
        let called = test.statement(after).callable();
        for state in &mut states {
            cluster.sort_by_relevance(state, called);
        }
    }
    // What the last one gives was looked at as a value.
    let is_news = |target: &ObservationTarget| *target != ObservationTarget::Value(after);
    points.extend(
        in_turn(&states).filter(is_news).take(MOST_ANSWERS).map(|target| ObservationPoint { after, target }),
    );
    let used_up = if throws || !further { None } else { elements(cluster, test, after) };
    points.extend(used_up.map(|target| ObservationPoint { after, target }));
    points
}

/// What the test printed.
pub fn printed() -> impl Iterator<Item = ObservationTarget> {
    StandardStream::ALL.into_iter().map(ObservationTarget::Printed)
}

/// What is in the folder of a test that uses it.
pub fn files(cluster: &TestCluster, test: &TestCase) -> Option<ObservationTarget> {
    cluster.uses_folder(test).then_some(ObservationTarget::Files)
}

/// What the last statement gives one after the other, which nothing behind it uses: it is looked at after all else.
pub fn elements(cluster: &TestCluster, test: &TestCase, last: VarRef) -> Option<ObservationTarget> {
    let statement = test.statement(last);
    let is_given = matches!(statement, Statement::Method { .. } | Statement::FieldRead { .. });
    let of = test.variable_type(cluster, last).filter(|_| is_given)?;
    cluster.sequence(of).map(|sequence| ObservationTarget::Elements(last, sequence))
}

/// The calls of all objects that the test implements itself, as far as it executed.
pub fn calls(test: &TestCase, executed: usize) -> impl Iterator<Item = ObservationTarget> {
    let statements = test.statements().iter().take(executed).enumerate();
    statements.filter_map(|(position, statement)| {
        let Statement::Stub { stub, script } = statement else { return None };
        let is_called = !script.answers.is_empty();
        is_called.then(|| ObservationTarget::Calls(VarRef::from(position), *stub))
    })
}

/// The first of each list, then the second of each: an object with many getters hides no other object.
pub(crate) fn in_turn(lists: &[Vec<ObservationTarget>]) -> impl Iterator<Item = ObservationTarget> {
    let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    (0..longest).flat_map(move |turn| lists.iter().filter_map(move |list| list.get(turn).copied()))
}

/// Whether the assertion of a value fails where a run shows another one, or throws or shows nothing where it is asked for.
/// Of an object the class is not asserted; its size is if `shows_size`, as the static type must say that it has one.
pub fn kills(expected: &ObservedValue, shown: Option<&ObservedValue>, shows_size: bool) -> bool {
    let Some(shown) = shown else { return true };
    match (expected, shown) {
        (ObservedValue::Primitive(one), ObservedValue::Primitive(other))
        | (ObservedValue::Boxed(one), ObservedValue::Boxed(other)) => !is_near(one, other),
        (ObservedValue::Array(expected), ObservedValue::Array(shown)) => {
            let killed = |(one, other): (&ObservedValue, &ObservedValue)| kills(one, Some(other), false);
            expected.len() != shown.len() || expected.iter().zip(shown).any(killed)
        }
        (ObservedValue::Text { text: expected, .. }, ObservedValue::Text { text: shown, .. }) => {
            expected != shown
        }
        (ObservedValue::Beginning(expected), ObservedValue::Primitive(Value::String(shown))) => {
            !shown.units().starts_with(expected.units())
        }
        // Of the shorter one no more is known.
        (ObservedValue::Beginning(expected), ObservedValue::Beginning(shown)) => {
            !shown.units().starts_with(expected.units()) && !expected.units().starts_with(shown.units())
        }
        (ObservedValue::Calls(expected), ObservedValue::Calls(shown)) => {
            // The test tells of the methods alone that it expects to be called.
            let is_told = |call: &&StubCall| expected.iter().any(|other| other.method == call.method);
            let shown: Vec<&StubCall> = shown.iter().filter(is_told).collect();
            let is_same = |(expected, shown): (&StubCall, &&StubCall)| expected.is_same(shown);
            expected.len() != shown.len() || !expected.iter().zip(&shown).all(is_same)
        }
        (ObservedValue::Files(expected), ObservedValue::Files(shown)) => {
            expected.iter().any(|file| file.state.fails_at(state_of(shown, &file.name)))
        }
        (ObservedValue::Object { .. }, ObservedValue::Null) => true,
        (ObservedValue::Object { size, .. }, _) => shows_size && size.is_some() && *size != shown.size(),
        (
            ObservedValue::Null
            | ObservedValue::Primitive(_)
            | ObservedValue::Boxed(_)
            | ObservedValue::EnumConstant(..)
            | ObservedValue::Class(_)
            | ObservedValue::Array(_)
            | ObservedValue::Container(..)
            | ObservedValue::Text { .. }
            | ObservedValue::Beginning(_)
            | ObservedValue::Calls(_)
            | ObservedValue::Files(_),
            _,
        ) => expected != shown,
    }
}

/// What is found where a file may be.
fn state_of<'a>(shown: &'a [SeenFile], name: &str) -> &'a FileState {
    let is_within = |file: &SeenFile| file.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('/'));
    match shown.iter().find(|file| file.name == name) {
        Some(file) => &file.state,
        // The folder of the test is there where it is not told.
        None if name.is_empty() || shown.iter().any(is_within) => &FileState::Folder,
        None => &FileState::Absent,
    }
}

/// Whether an assertion may take one value for the other.
fn is_near(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Double(one), Value::Double(other)) => is_near_number(*one, *other),
        (Value::Float(one), Value::Float(other)) => one == other || one.is_nan() && other.is_nan(),
        _ => one == other,
    }
}

fn is_near_number(one: f64, other: f64) -> bool {
    let is_within = one.is_finite() && other.is_finite() && (one - other).abs() <= one.abs() * TOLERANCE;
    one == other || one.is_nan() && other.is_nan() || is_within
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assertion::{Container, Sequence};
    use crate::cluster::CallableId;
    use crate::cluster::testing::ClusterBuilder;

    fn int(value: i32) -> ObservedValue {
        ObservedValue::Primitive(Value::Int(value))
    }

    fn double(value: f64) -> ObservedValue {
        ObservedValue::Primitive(Value::Double(value))
    }

    fn object(class: &str, size: Option<u32>) -> ObservedValue {
        ObservedValue::Object { class: class.into(), size }
    }

    #[test]
    fn objects_are_asked_in_turn() {
        let ask = |object, inspector| ObservationTarget::Inspector(VarRef(object), CallableId(inspector));
        let lists = [vec![ask(2, 0), ask(2, 1), ask(2, 2)], Vec::new(), vec![ask(0, 7)]];
        let asked: Vec<ObservationTarget> = in_turn(&lists).collect();
        assert_eq!(asked, [ask(2, 0), ask(0, 7), ask(2, 1), ask(2, 2)]);
    }

    #[test]
    fn exceptions_what_they_leave_and_objects_of_objects_are_looked_at_where_a_test_looks_further() {
        let mut builder = ClusterBuilder::new("p/Order");
        let [order, person] = ["p/Order", "p/Person"].map(|name| builder.class(name));
        let make = builder.constructor(order, &[]);
        let buyer = builder.method(order, "buyer", &[], Some(person));
        builder.inspector(order, buyer);
        let name = builder.method(person, "name", &[], Some(TypeId::STRING));
        builder.inspector(person, name);
        let cluster = builder.build();
        let made = Statement::Constructor { callable: make, arguments: [].into_iter().collect() };
        let test = TestCase::new(vec![made.clone(), made]);
        let check = |throws: bool, further: bool, expect: &[(u16, ObservationTarget)]| {
            let completed = if throws { 1 } else { 2 };
            let points = visible(&cluster, &test, Reach { completed, throws, asks: true, further });
            let points: Vec<_> = points.iter().map(|point| (point.after.0, point.target)).collect();
            assert_eq!(points, expect, "{throws} {further}");
        };
        let value = |variable: u16| (variable, ObservationTarget::Value(VarRef(variable)));
        let asked = |variable| (1, ObservationTarget::Inspector(VarRef(variable), buyer));
        let nested = |variable| (1, ObservationTarget::Nested(VarRef(variable), buyer, name));
        check(false, false, &[value(0), value(1), asked(1), asked(0)]);
        let [out, err] = StandardStream::ALL.map(|stream| (1, ObservationTarget::Printed(stream)));
        check(false, true, &[value(0), value(1), out, err, asked(1), asked(0), nested(1), nested(0)]);
        check(true, false, &[value(0)]);
        let [message, cause] =
            [ObservationTarget::Message, ObservationTarget::Cause].map(|target| (1, target));
        check(true, true, &[value(0), message, cause, out, err, asked(0), nested(0)]);
    }

    #[test]
    fn what_looking_uses_up_is_looked_at_in_the_end_and_behind_the_last_statement_alone() {
        let mut builder = ClusterBuilder::new("p/Foo");
        let foo = builder.class_under_test();
        let iterator = builder.class("java/util/Iterator");
        builder.sequence(iterator, Sequence::Iterator);
        let make = builder.constructor(foo, &[]);
        let each = builder.method(foo, "each", &[], Some(iterator));
        let size = builder.method(foo, "size", &[], Some(TypeId::STRING));
        builder.inspector(foo, size);
        let cluster = builder.build();
        let call = |callable| Statement::Method {
            callable,
            receiver: Some(VarRef(0)),
            arguments: [].into_iter().collect(),
        };
        let made = Statement::Constructor { callable: make, arguments: [].into_iter().collect() };
        let check = |last: CallableId, (throws, further): (bool, bool), expect: bool| {
            let test = TestCase::new(vec![made.clone(), call(each), call(last)]);
            let reach = Reach { completed: 3 - usize::from(throws), throws, asks: true, further };
            let targets: Vec<_> =
                visible(&cluster, &test, reach).into_iter().map(|point| point.target).collect();
            let elements = ObservationTarget::Elements(VarRef(2), Sequence::Iterator);
            assert_eq!(targets.last() == Some(&elements), expect, "{targets:?}");
            assert_eq!(targets.iter().filter(|target| target.uses_up()).count(), usize::from(expect));
        };
        check(each, (false, true), true);
        check(each, (false, false), false);
        check(each, (true, true), false);
        check(size, (false, true), false);
    }

    #[test]
    fn what_an_assertion_does_not_see_kills_nothing() {
        let check = |expected: &ObservedValue, shown: &ObservedValue, expect: bool| {
            assert_eq!(kills(expected, Some(shown), true), expect, "{expected:?} {shown:?}");
        };
        check(&int(1), &int(1), false);
        check(&int(1), &int(2), true);
        check(&int(1), &ObservedValue::Null, true);
        check(&ObservedValue::Null, &object("p/A", None), true);
        check(&object("p/A", None), &object("p/B", None), false);
        check(&object("p/A", None), &ObservedValue::Null, true);
        check(&object("p/A", Some(1)), &object("p/B", Some(1)), false);
        check(&object("p/A", Some(1)), &object("p/A", Some(2)), true);
        check(&object("p/A", Some(1)), &ObservedValue::Array(vec![int(1), int(2)]), true);
        check(&ObservedValue::Array(vec![int(1)]), &ObservedValue::Array(vec![int(2)]), true);
        check(&ObservedValue::Array(vec![int(1)]), &ObservedValue::Array(vec![int(1)]), false);
        let held =
            |of, values: &[i32]| ObservedValue::Container(of, values.iter().copied().map(int).collect());
        check(&held(Container::List, &[1, 2]), &held(Container::List, &[1, 2]), false);
        check(&held(Container::List, &[1, 2]), &held(Container::List, &[2, 1]), true);
        check(&held(Container::List, &[1]), &held(Container::Set, &[1]), true);
        check(&held(Container::List, &[1]), &object("p/A", Some(1)), true);
        check(&object("p/A", Some(1)), &held(Container::Map, &[1, 2]), false);
        check(&object("p/A", Some(1)), &held(Container::List, &[1, 2]), true);
        let text = |text: &str, size| ObservedValue::Text { text: text.into(), size };
        check(&text("[a]", Some(1)), &text("[a]", Some(1)), false);
        check(&text("[a]", Some(1)), &text("[b]", Some(1)), true);
        check(&object("p/A", Some(1)), &text("[b, c]", Some(2)), true);
        check(&text("a", None), &int(1), true);
        let beginning = |text: &str| ObservedValue::Beginning(text.into());
        let whole = |text: &str| ObservedValue::Primitive(Value::String(text.into()));
        check(&beginning("Foo{a, "), &beginning("Foo{a, b, "), false);
        check(&beginning("Foo{a, "), &beginning("Foo{"), false);
        check(&beginning("Foo{a, "), &beginning("Foo{b, "), true);
        check(&beginning("Foo{a, "), &whole("Foo{a, 1}"), false);
        check(&beginning("Foo{a, "), &whole(""), true);
        check(&beginning("Foo{a, "), &ObservedValue::Null, true);
        let calls = |calls: &[(u16, &str)]| {
            let call = |&(method, text): &(u16, &str)| StubCall::new(method, text);
            ObservedValue::Calls(calls.iter().map(call).collect())
        };
        check(&calls(&[(0, "f(1)")]), &calls(&[(0, "f(1)"), (1, "g()")]), false);
        check(&calls(&[(0, "f(1)")]), &calls(&[(0, "f(2)")]), true);
        check(&calls(&[(0, "f(1)")]), &calls(&[(0, "f(1)"), (0, "f(1)")]), true);
        let file =
            |name: &str, state: FileState| SeenFile { name: name.to_owned(), state, is_prepared: false };
        let text = |name: &str, text: &str| file(name, FileState::Text(text.into()));
        let files = |files: &[SeenFile]| ObservedValue::Files(files.to_vec());
        check(&files(&[text("a", "x")]), &files(&[text("a", "x"), text("b", "x")]), false);
        check(&files(&[text("a", "x")]), &files(&[text("a", "y")]), true);
        check(&files(&[text("a", "x")]), &files(&[text("b", "x")]), true);
        check(&files(&[file("a", FileState::Absent)]), &files(&[]), false);
        check(&files(&[file("a", FileState::Absent)]), &files(&[text("a", "")]), true);
        check(&files(&[file("a", FileState::Present)]), &files(&[text("a", "")]), false);
        check(&files(&[file("a", FileState::Present)]), &files(&[]), true);
        check(&files(&[file("a", FileState::Folder)]), &files(&[text("a/b", "")]), false);
        check(&files(&[file("a", FileState::Absent)]), &files(&[text("a/b", "")]), true);
        check(&files(&[file("a", FileState::Folder)]), &files(&[text("ab", "")]), true);
        check(&files(&[file("", FileState::Absent)]), &files(&[]), true);
        check(&files(&[file("", FileState::Absent)]), &files(&[file("", FileState::Absent)]), false);
        check(&files(&[text("a", "")]), &files(&[file("", FileState::Absent)]), true);
        check(&files(&[file("a", FileState::Bytes(2))]), &files(&[file("a", FileState::Bytes(3))]), true);
        for (one, other, expect) in [
            (0.1, 0.1 + 1.0e-17, false),
            (1.0, 1.0 + 1.0e-13, false),
            (1.0, 1.0 + 1.0e-11, true),
            (0.0, -0.0, false),
            (0.0, 1.0e-300, true),
            (f64::NAN, f64::NAN, false),
            (f64::NAN, 1.0, true),
            (f64::INFINITY, 1.0, true),
        ] {
            check(&double(one), &double(other), expect);
        }
        assert!(!kills(&object("p/A", Some(1)), Some(&object("p/A", Some(2))), false));
        assert!(kills(&int(1), None, true), "it throws when it is asked");
    }
}
