//! Objects that stand in for others in a test: one made of numbers for one that holds the present, a class of the JDK for one that the test
//! implements, an array or an object of the test's own for one of static state, a collection that keeps its order for one that is hashed.

use testcase::cluster::{CallableId, CallableKind, Generator, TestCluster, TypeId};
use testcase::statement::{Arguments, Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::{JavaString, Value};

use super::statements::{REPLACEMENTS, made_by, with, without_unused};

/// Streams and collections that a test may have implemented itself, and the class of the JDK that a person would take. What is written to
/// a stream is seen by its text.
const OF_THE_JDK: [(&str, &str); 12] = [
    ("java/io/InputStream", "java/io/ByteArrayInputStream"),
    ("java/io/OutputStream", "java/io/ByteArrayOutputStream"),
    ("java/io/Reader", "java/io/StringReader"),
    ("java/io/Writer", "java/io/StringWriter"),
    ("java/lang/Iterable", "java/util/ArrayList"),
    ("java/util/AbstractList", "java/util/ArrayList"),
    ("java/util/AbstractMap", "java/util/HashMap"),
    ("java/util/Collection", "java/util/ArrayList"),
    ("java/util/List", "java/util/ArrayList"),
    ("java/util/Map", "java/util/HashMap"),
    ("java/util/Queue", "java/util/LinkedList"),
    ("java/util/Set", "java/util/HashSet"),
];
/// Lengths of arrays that are handed over to be written into: few elements, then more than a color or a point has.
const LENGTHS: [u16; 2] = [3, 16];
/// Most numbers that an object is made of in the place of another one: a date with its time.
const MOST_NUMBERS: usize = 5;
/// Collections in the order of hash codes, and those that keep the order in which they were filled.
const IN_ORDER: [(&str, &str); 2] =
    [("java/util/HashMap", "java/util/LinkedHashMap"), ("java/util/HashSet", "java/util/LinkedHashSet")];

/// The test with what may stand in for an object, what a reader would like best first.
pub(super) fn stand_ins(cluster: &TestCluster, test: &TestCase, variable: VarRef) -> Vec<TestCase> {
    let mut changed = made_of_numbers(cluster, test, variable);
    changed.extend(of_the_jdk(cluster, test, variable));
    changed.extend(written_into(cluster, test, variable));
    changed.extend(of_its_own(cluster, test, variable));
    changed.extend(in_order(cluster, test, variable));
    changed
}

/// The test with an object made of numbers in the place of one that holds the present moment or something random: `LocalDate.of(2, 3, 4)`
/// and not `LocalDate.now()`, of which little could be asserted. So too in the place of a value of the platform that a method of the project
/// gave: `addHours(parse("5-2-6"), 1)` is a test of two methods, and what `parse` gives may depend on a format that was cached in another
/// time zone, so that nothing can be asserted. The numbers differ, since what the code does to the first day of a year often
/// shows nothing.
fn made_of_numbers(cluster: &TestCluster, test: &TestCase, variable: VarRef) -> Vec<TestCase> {
    let statement = test.statement(variable);
    let is_platform = |id: CallableId| cluster.callable(id).declared_in.is_exported_by_platform();
    let Some(given_by) = statement.callable() else { return Vec::new() };
    let is_fleeting = cluster.is_fleeting(Generator::Callable(given_by));
    let is_given = matches!(statement, Statement::Method { .. }) && !is_platform(given_by);
    let of = cluster.type_of(statement).filter(|_| is_fleeting || is_given);
    let Some(of) = of else { return Vec::new() };
    let made = cluster.generators(of).iter().filter_map(|generator| {
        let Generator::Callable(id) = *generator else { return None };
        let callable = cluster.callable(id);
        let lasts = !cluster.is_fleeting(*generator) && (is_fleeting || is_platform(id));
        if !lasts || !(1..=MOST_NUMBERS).contains(&callable.parameters.len()) {
            return None;
        }
        let mut changed = test.clone();
        let mut arguments = Arguments::new();
        for (number, parameter) in (2..).zip(&callable.parameters) {
            let value = Value::from_integer(parameter.of.as_primitive()?, number);
            let place = variable.index() + arguments.len();
            changed.insert(place, Statement::Primitive { value, boxed: false });
            arguments.push(VarRef::from(place));
        }
        changed.statements_mut()[variable.index() + callable.parameters.len()] =
            made_by(cluster, id, arguments)?;
        Some(without_unused(&changed).unwrap_or(changed))
    });
    made.take(REPLACEMENTS).collect()
}

/// The test with an empty stream in memory or collection of the JDK in the place of one that it implements itself.
fn of_the_jdk(cluster: &TestCluster, test: &TestCase, variable: VarRef) -> Vec<TestCase> {
    let Statement::Stub { stub, .. } = test.statement(variable) else { return Vec::new() };
    let of = cluster.stub(*stub).of;
    let class = cluster.ty(of).generic.as_class().map(|class| class.name.as_str());
    let Some((_, plain)) = OF_THE_JDK.iter().find(|(of, _)| class == Some(of)) else { return Vec::new() };
    let made = cluster.generators(of).iter().filter_map(|generator| {
        let Generator::Callable(id) = *generator else { return None };
        let callable = cluster.callable(id);
        let is_plain = callable.kind == CallableKind::Constructor && callable.declared_in.as_str() == *plain;
        let input = match callable.parameters.as_slice() {
            [] => None,
            [parameter] => Some(nothing(cluster, parameter.of)?),
            _ => return None,
        };
        let mut changed = test.clone();
        let mut arguments = Arguments::new();
        let mut position = variable.index();
        if let Some(input) = input {
            changed.insert(position, input);
            arguments.push(VarRef::from(position));
            position += 1;
        }
        changed.statements_mut()[position] = Statement::Constructor { callable: id, arguments };
        is_plain.then(|| without_unused(&changed).unwrap_or(changed))
    });
    made.take(REPLACEMENTS).collect()
}

/// The test with an array of its own in the place of one that static state may hold, where methods without a result take it: they write
/// into it, and what a test writes into static state others read.
fn written_into(cluster: &TestCluster, test: &TestCase, variable: VarRef) -> Vec<TestCase> {
    let statement = test.statement(variable);
    let of = cluster
        .type_of(statement)
        .filter(|of| cluster.ty(*of).element.is_some_and(|element| element.as_primitive().is_some()));
    let Some(of) = of.filter(|_| may_be_static(cluster, test, statement)) else { return Vec::new() };
    let gives_nothing = |user: &Statement| {
        matches!(user, Statement::Method { callable, arguments, .. }
            if cluster.callable(*callable).result.is_none() && arguments.contains(&variable))
    };
    let mut users = test.statements().iter().filter(|user| user.uses(variable));
    if !users.all(gives_nothing) {
        return Vec::new();
    }
    LENGTHS.map(|length| with(test, variable, Statement::Array { of, length })).into()
}

/// The test with a new object in the place of one that a static field holds for all (`Status.NOMINAL`), where the test changes it: writes a
/// field of it, or calls what gives nothing. What it changes there would be there for all tests behind it, and none could say what it has.
fn of_its_own(cluster: &TestCluster, test: &TestCase, variable: VarRef) -> Option<TestCase> {
    let statement = test.statement(variable);
    let Statement::FieldRead { receiver: None, .. } = statement else { return None };
    let is_changing = |user: &Statement| user.receiver() == Some(variable) && cluster.type_of(user).is_none();
    let of = cluster.type_of(statement).filter(|_| test.statements().iter().any(is_changing))?;
    let is_plain = |id: &CallableId| {
        let callable = cluster.callable(*id);
        callable.kind == CallableKind::Constructor
            && callable.parameters.is_empty()
            && callable.result == Some(of)
    };
    let callable = (0..cluster.callables.len()).map(CallableId::from).find(is_plain)?;
    Some(with(test, variable, Statement::Constructor { callable, arguments: Arguments::new() }))
}

/// Whether what a statement gives may be held by a static field: it is read from one, or asked of nothing that the test made.
fn may_be_static(cluster: &TestCluster, test: &TestCase, statement: &Statement) -> bool {
    let receiver = match statement {
        Statement::FieldRead { receiver, .. } => *receiver,
        Statement::Method { callable, receiver, .. } => {
            receiver.filter(|_| cluster.callable(*callable).kind == CallableKind::InstanceMethod)
        }
        Statement::EnumConstant { .. } => None,
        Statement::Primitive { .. }
        | Statement::Null { .. }
        | Statement::ClassLiteral { .. }
        | Statement::Array { .. }
        | Statement::ArrayWrite { .. }
        | Statement::Constructor { .. }
        | Statement::FieldWrite { .. }
        | Statement::Stub { .. } => return false,
    };
    receiver.is_none_or(|receiver| may_be_static(cluster, test, test.statement(receiver)))
}

/// An empty text or array, where the type is one.
fn nothing(cluster: &TestCluster, of: TypeId) -> Option<Statement> {
    if of == TypeId::STRING {
        return Some(Statement::Primitive { value: Value::String(JavaString::from("")), boxed: false });
    }
    cluster.ty(of).element.is_some().then_some(Statement::Array { of, length: 0 })
}

/// The test with a collection that keeps its order in the place of one in the order of hash codes, where two objects are put into it that are
/// no literals. The hash code of an object that does not override `hashCode`, as of an enum constant, differs from run to run, and so would
/// what code does with the first of the two. Which objects override it is not asked: a collection in order is as good for those.
fn in_order(cluster: &TestCluster, test: &TestCase, variable: VarRef) -> Option<TestCase> {
    let class = |id: CallableId| cluster.callable(id).declared_in.as_str();
    let Statement::Constructor { callable, arguments } = test.statement(variable) else { return None };
    let (_, ordered) = IN_ORDER.iter().find(|(hashed, _)| *hashed == class(*callable))?;
    let is_literal =
        |one: VarRef| matches!(test.statement(one), Statement::Primitive { .. } | Statement::Null { .. });
    let takes = |user: &&Statement| {
        matches!(user, Statement::Method { receiver, arguments, .. }
            if *receiver == Some(variable) && arguments.first().is_some_and(|first| !is_literal(*first)))
    };
    if !arguments.is_empty() || test.statements().iter().filter(takes).count() < 2 {
        return None;
    }
    let is_plain = |id: &CallableId| {
        let callable = cluster.callable(*id);
        callable.kind == CallableKind::Constructor && class(*id) == *ordered && callable.parameters.is_empty()
    };
    let callable = (0..cluster.callables.len()).map(CallableId::from).find(is_plain)?;
    Some(with(test, variable, Statement::Constructor { callable, arguments: Arguments::new() }))
}

#[cfg(test)]
mod tests {
    use bytecode::descriptor::PrimitiveType;
    use bytecode::signature::GenericType;
    use testcase::cluster::testing::ClusterBuilder;
    use testcase::statement::{Answers, Script};

    use super::super::statements::simpler;
    use super::*;

    #[test]
    fn two_objects_are_kept_in_their_order() {
        let mut builder = ClusterBuilder::new("p/Chain");
        let [hashed, ordered] = ["java/util/HashSet", "java/util/LinkedHashSet"].map(|set| {
            let set = builder.class(set);
            builder.constructor(set, &[])
        });
        let set = builder.class("java/util/Set");
        let chain = builder.class_under_test();
        let add = builder.method(set, "add", &[chain], None);
        let new = builder.constructor(chain, &[]);
        let cluster = builder.build();
        let made = |callable| Statement::Constructor { callable, arguments: Arguments::new() };
        let add = |argument: u16| Statement::Method {
            callable: add,
            receiver: Some(VarRef(0)),
            arguments: [VarRef(argument)].into_iter().collect(),
        };
        let nothing = || Statement::Null { of: chain };
        let in_order = |statements| in_order(&cluster, &TestCase::new(statements), VarRef(0));
        let filled = |set| vec![made(set), made(new), made(new), add(1), add(2)];
        assert_eq!(in_order(filled(hashed)), Some(TestCase::new(filled(ordered))));
        assert_eq!(in_order(filled(ordered)), None);
        // One has no order, nor have literals one that differs.
        assert_eq!(in_order(vec![made(hashed), made(new), nothing(), add(1), add(2)]), None);
    }
    #[test]
    fn what_holds_the_present_gives_way_to_what_is_made_of_numbers() {
        let mut builder = ClusterBuilder::new("p/Diary");
        let diary = builder.class_under_test();
        let day = builder.class("p/Day");
        let int = builder.ty(GenericType::Primitive(PrimitiveType::Int));
        let now = builder.static_method(day, "now", &[], Some(day));
        let of = builder.static_method(day, "of", &[int, int], Some(day));
        let parse = builder.static_method(day, "parse", &[TypeId::STRING], Some(day));
        for made in [now, parse, of] {
            builder.generator(day, Generator::Callable(made));
        }
        let write = builder.static_method(diary, "write", &[day], None);
        let mut cluster = builder.build();
        cluster.fleeting = vec![now];
        let made = |callable, arguments: &[u16]| Statement::Method {
            callable,
            receiver: None,
            arguments: arguments.iter().copied().map(VarRef).collect(),
        };
        let number = |number| Statement::Primitive { value: Value::Int(number), boxed: false };
        let test = TestCase::new(vec![made(now, &[]), made(write, &[0])]);
        let lasting_test = TestCase::new(vec![number(2), number(3), made(of, &[0, 1]), made(write, &[2])]);
        assert_eq!(lasting_test.validate(&cluster), Ok(()));
        assert_eq!(made_of_numbers(&cluster, &test, VarRef(0)), std::slice::from_ref(&lasting_test));
        // Nothing goes back.
        assert_eq!(made_of_numbers(&cluster, &lasting_test, VarRef(2)), []);
        assert_eq!(simpler(&cluster, &lasting_test, VarRef(2)), []);
    }

    #[test]
    fn values_of_the_platform_that_the_project_gave_give_way_to_what_is_made_of_numbers() {
        let mut builder = ClusterBuilder::new("p/Dates");
        let dates = builder.class_under_test();
        let date = builder.class("java/util/Date");
        let long = builder.ty(GenericType::Primitive(PrimitiveType::Long));
        let make = builder.constructor(date, &[long]);
        let parse = builder.static_method(dates, "parse", &[TypeId::STRING], Some(date));
        let of = builder.static_method(dates, "of", &[long], Some(date));
        builder.generator(date, Generator::Callable(of));
        let add = builder.static_method(dates, "add", &[date], Some(date));
        let cluster = builder.build();
        let call = |callable, argument: u16| Statement::Method {
            callable,
            receiver: None,
            arguments: [VarRef(argument)].into_iter().collect(),
        };
        let literal = |value: Value| Statement::Primitive { value, boxed: false };
        let test = TestCase::new(vec![literal(Value::String("5-2-6".into())), call(parse, 0), call(add, 1)]);
        let made = Statement::Constructor { callable: make, arguments: [VarRef(0)].into_iter().collect() };
        let own = TestCase::new(vec![literal(Value::Long(2)), made, call(add, 1)]);
        assert_eq!(made_of_numbers(&cluster, &test, VarRef(1)), std::slice::from_ref(&own));
        assert_eq!(made_of_numbers(&cluster, &own, VarRef(1)), []);
    }

    #[test]
    fn streams_and_collections_that_a_test_implements_give_way_to_those_of_the_jdk() {
        let mut builder = ClusterBuilder::new("p/Pipe");
        let pipe = builder.class_under_test();
        let byte = builder.ty(GenericType::Primitive(PrimitiveType::Byte));
        let bytes = builder.array(byte);
        // The stream, what implements it, and what that is made of.
        let rows = [
            ("java/io/InputStream", "java/io/ByteArrayInputStream", Some(bytes)),
            ("java/io/OutputStream", "java/io/ByteArrayOutputStream", None),
            ("java/io/Reader", "java/io/StringReader", Some(TypeId::STRING)),
            ("java/io/Writer", "p/FileWriter", Some(TypeId::STRING)),
            ("java/util/List", "java/util/ArrayList", None),
            ("java/util/Set", "p/Names", None),
            ("p/Sink", "java/io/StringWriter", None),
        ];
        let made = rows.map(|(stream, class, of)| {
            let [stream, class] = [stream, class].map(|name| builder.class(name));
            let make = builder.constructor(class, of.as_slice());
            builder.generator(stream, Generator::Callable(make));
            let stub = builder.stub(stream, None, &[("write", &[], None)], &[]);
            (builder.static_method(pipe, "through", &[stream], None), make, stub)
        });
        let cluster = builder.build();
        for ((stream, class, of), (through, make, stub)) in rows.into_iter().zip(made) {
            let script = Box::new(Script { arguments: Arguments::new(), answers: vec![Answers::new()] });
            let pass = |variable: u16| Statement::Method {
                callable: through,
                receiver: None,
                arguments: [VarRef(variable)].into_iter().collect(),
            };
            let test = TestCase::new(vec![Statement::Stub { stub, script }, pass(0)]);
            let mut expect: Vec<Statement> = of.and_then(|of| nothing(&cluster, of)).into_iter().collect();
            let arguments = expect.iter().map(|_| VarRef(0)).collect();
            expect.push(Statement::Constructor { callable: make, arguments });
            expect.push(pass(u16::from(of.is_some())));
            let is_known = OF_THE_JDK.contains(&(stream, class));
            let expect: Vec<TestCase> = is_known.then(|| TestCase::new(expect)).into_iter().collect();
            assert_eq!(of_the_jdk(&cluster, &test, VarRef(0)), expect, "{stream}");
        }
    }

    #[test]
    fn what_a_static_field_holds_for_all_gives_way_where_a_test_changes_it() {
        let mut builder = ClusterBuilder::new("p/Status");
        let status = builder.class_under_test();
        let new = builder.constructor(status, &[]);
        let nominal = builder.static_field(status, "NOMINAL", status);
        let set = builder.method(status, "setLevel", &[TypeId::STRING], None);
        let equals = builder.method(status, "same", &[status], Some(status));
        let cluster = builder.build();
        let held = || Statement::FieldRead { field: nominal, receiver: None };
        let own = || Statement::Constructor { callable: new, arguments: Arguments::new() };
        let text = || Statement::Primitive { value: Value::String("a".into()), boxed: false };
        let call = |callable, receiver: u16, argument: u16| Statement::Method {
            callable,
            receiver: Some(VarRef(receiver)),
            arguments: [VarRef(argument)].into_iter().collect(),
        };
        // What is only compared stays, and what another variable reads of the same field.
        let changing = |first| vec![first, text(), call(set, 0, 1), held(), call(equals, 0, 3)];
        let test = TestCase::new(changing(held()));
        assert_eq!(test.validate(&cluster), Ok(()));
        assert_eq!(of_its_own(&cluster, &test, VarRef(0)), Some(TestCase::new(changing(own()))));
        for (variable, test) in [
            (3, test),
            (0, TestCase::new(changing(own()))),
            (0, TestCase::new(vec![held(), own(), call(equals, 0, 1)])),
        ] {
            assert_eq!(of_its_own(&cluster, &test, VarRef(variable)), None);
        }
    }

    #[test]
    fn arrays_that_static_state_may_hold_give_way_where_methods_without_a_result_take_them() {
        let mut builder = ClusterBuilder::new("p/Converter");
        let converter = builder.class_under_test();
        let floats = builder.ty(GenericType::Primitive(PrimitiveType::Float));
        let floats = builder.array(floats);
        let white = builder.enumeration("p/White", &["D50"]);
        let point = builder.method(white, "point", &[], Some(floats));
        let make = builder.constructor(white, &[]);
        let table = builder.static_method(converter, "table", &[], Some(floats));
        let fill = builder.static_method(converter, "fill", &[floats], None);
        let sum = builder.static_method(converter, "sum", &[floats], Some(floats));
        let cluster = builder.build();
        let constant = Statement::EnumConstant { field: cluster.ty(white).enum_constants[0] };
        let call = |callable, receiver: Option<u16>, arguments: &[u16]| Statement::Method {
            callable,
            receiver: receiver.map(VarRef),
            arguments: arguments.iter().map(|argument| VarRef(*argument)).collect(),
        };
        let made = Statement::Constructor { callable: make, arguments: Arguments::new() };
        let own = |length, position: u16| {
            TestCase::new(vec![Statement::Array { of: floats, length }, call(fill, None, &[position])])
        };
        let taken = LENGTHS.map(|length| own(length, 0)).to_vec();
        for (statements, array, expect) in [
            (vec![constant.clone(), call(point, Some(0), &[]), call(fill, None, &[1])], 1, taken.clone()),
            (vec![call(table, None, &[]), call(fill, None, &[0])], 0, taken),
            (vec![made, call(point, Some(0), &[]), call(fill, None, &[1])], 1, Vec::new()),
            (vec![call(table, None, &[]), call(sum, None, &[0])], 0, Vec::new()),
        ] {
            assert_eq!(written_into(&cluster, &TestCase::new(statements), VarRef(array)), expect);
        }
    }
}
