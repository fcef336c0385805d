//! The test factory on clusters of compiled fixtures: whatever it does, tests stay well-formed.

use std::collections::BTreeSet;

use bytecode::descriptor::ErasedType;
use bytecode::name::ClassName;
use proptest::prelude::*;
use testcase::cluster::build::{ClusterOptions, ClusterRequest, build};
use testcase::cluster::{Call, CallableId, CallableKind, StaticConstants, TestCluster};
use testcase::factory::TestFactory;
use testcase::factory::options::FactoryOptions;
use testcase::formats::{Asked, FORMATS};
use testcase::random::Random;
use testcase::statement::{Answer, Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::Value;

use crate::sources::*;

fn cluster(sources: &str, class: &str) -> TestCluster {
    let hierarchy = fixture::compile(sources).hierarchy_of_java_8();
    let class_under_test = ClassName::from(class);
    let names = hierarchy.source().class_path_classes().iter();
    let goal_classes = names.filter(|name| name.is_in_nest_of(&class_under_test)).cloned().collect();
    let request = ClusterRequest { class_under_test, goal_classes };
    let constants = StaticConstants {
        class_under_test: vec![Value::Int(42), Value::String("key".into())],
        ..Default::default()
    };
    let referenced = ["[J", "Ljava/util/Map;"].map(|text| ErasedType::parse(text).expect("a descriptor"));
    build(&hierarchy, &request, constants, &referenced, &ClusterOptions::default())
        .expect("a cluster is built")
}

fn clusters() -> Vec<TestCluster> {
    [
        (PLAIN, "p/Plain"),
        (BOX, "p/Box"),
        (SHAPE, "p/Shape"),
        (WALK, "p/Walk"),
        (BUILDER, "p/Builder"),
        (RAW, "p/Raw"),
        (FACE, "p/Face"),
        (INHERIT, "p/Inherit"),
        (LEVEL, "p/Level"),
        (MIX, "p/Mix"),
        (STEPS, "p/Steps"),
        (CALLBACKS, "p/Bank"),
        (SKETCH, "p/Sketch"),
        (declarations::PERSON, "p/Person"),
        (declarations::GIVEN, "p/Chain"),
    ]
    .map(|(sources, class)| cluster(sources, class))
    .into()
}

fn makes_a_test_call(cluster: &TestCluster, test: &TestCase) -> bool {
    let is_test_call = |statement: &Statement| {
        let call = match statement {
            Statement::FieldRead { field, .. } => Some(Call::Read(*field)),
            Statement::FieldWrite { field, .. } => Some(Call::Write(*field)),
            Statement::Stub { stub, .. } => Some(Call::Implement(*stub)),
            called => called.callable().map(Call::Callable),
        };
        call.is_some_and(|call| cluster.test_calls.iter().any(|group| group.contains(&call)))
    };
    test.statements().iter().any(is_test_call)
}

/// How many arguments with hints 400 random tests pass to methods of this name, and how many of them are literals that
/// the hints list.
fn hinted_arguments(cluster: &TestCluster, name: &str) -> (usize, usize) {
    let mut factory = TestFactory::new(cluster, FactoryOptions::default());
    let mut random = Random::new(7, 0);
    let (mut all, mut told) = (0, 0);
    for _ in 0..400 {
        let test = factory.random_test(&mut random);
        for statement in test.statements() {
            let Statement::Method { callable, arguments, .. } = statement else { continue };
            let callable = cluster.callable(*callable);
            let hinted = callable.parameters.iter().zip(arguments).filter(|(it, _)| !it.hints.is_empty());
            for (parameter, argument) in hinted.filter(|_| *callable.name == *name) {
                all += 1;
                told += usize::from(match test.statement(*argument) {
                    Statement::Primitive { value, .. } => parameter.hints.contains(value),
                    Statement::Array { length, .. } => {
                        parameter.hints.contains(&Value::Int((*length).into()))
                    }
                    _ => false,
                });
            }
        }
    }
    (all, told)
}

#[test]
fn calls_that_ask_for_certain_values_mostly_get_them() {
    let cluster = cluster(declarations::PERSON, "p/Person");
    for name in ["compile", "getMethod", "getInstance"] {
        let (all, told) = hinted_arguments(&cluster, name);
        assert!(all > 20 && told * 2 > all, "{name}: {told} of {all}");
        assert!(told < all, "{name}: the pools have their share");
    }
}

#[test]
fn a_changed_literal_stays_among_the_values_asked_for_now_and_then() {
    let cluster = cluster(declarations::PERSON, "p/Person");
    let compile = cluster.callables.iter().position(|callable| &*callable.name == "compile").expect("a row");
    let hints = cluster.callables[compile].parameters[0].hints.clone();
    let text = |text: &str| Statement::Primitive { value: Value::String(text.into()), boxed: false };
    let mut call = vec![text("]["), text("][")];
    call.push(Statement::Method {
        callable: CallableId::from(compile),
        receiver: None,
        arguments: [VarRef::from(1)].into_iter().collect(),
    });
    let mut factory = TestFactory::new(&cluster, FactoryOptions::default());
    let mut random = Random::new(3, 0);
    let mut told = |position: usize| {
        let changed = (0..300).filter(|_| {
            let mut test = TestCase::new(call.clone());
            factory.change(&mut test, position, &mut random);
            matches!(&test.statements()[position], Statement::Primitive { value, .. } if hints.contains(value))
        });
        changed.count()
    };
    assert!(told(1) > 30, "the literal that is passed");
    assert!(told(0) < 5, "the literal that is not");
}

/// One random operation; the test that comes out is well-formed and not too long.
fn step(factory: &mut TestFactory<'_>, tests: &mut [TestCase], operation: u8, random: &mut Random) {
    let longest = factory.options().max_length;
    let index = random.below(tests.len());
    let other = tests[random.below(tests.len())].clone();
    let mut test = tests[index].clone();
    let original = test.clone();
    let position = random.below(test.len().max(1));
    let executed = random.below(test.len() + 1);
    let changed = match operation % 8 {
        0 => {
            test = factory.random_test(random);
            true
        }
        1 => factory.insert_random(&mut test, executed, random),
        2 => factory.delete(&mut test, position, random),
        3 => factory.change(&mut test, position, random),
        4 => factory.mutate(&mut test, executed, random),
        5 => factory.append(&mut test, &other, random.below(other.len().max(1)), random),
        6 => {
            test.truncate(position);
            factory.append_tail(&mut test, &other, random.below(other.len() + 1), random);
            true
        }
        _ => factory.remove_unused(&mut test),
    };
    assert_eq!(test.validate(factory.cluster()), Ok(()), "operation {operation}: {original:?} -> {test:?}");
    assert!(test.len() <= longest, "operation {operation}: {} statements", test.len());
    assert!(changed || test == original, "operation {operation} changed a test without saying so");
    if !test.is_empty() {
        tests[index] = test;
    }
}

#[test]
fn every_operation_keeps_tests_well_formed_on_every_fixture() {
    for (number, cluster) in clusters().iter().enumerate() {
        let mut factory = TestFactory::new(cluster, FactoryOptions::default());
        let mut random = Random::new(7, number as u64);
        let mut tests: Vec<TestCase> = (0..6).map(|_| factory.random_test(&mut random)).collect();
        for _ in 0..3000 {
            let operation = random.below(8) as u8;
            step(&mut factory, &mut tests, operation, &mut random);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_sequence_of_operations_keeps_tests_well_formed(
        seed: u64,
        short in 1_usize..12,
        operations in prop::collection::vec(any::<u8>(), 1..200),
    ) {
        let cluster = cluster(MIX, "p/Mix");
        let options = FactoryOptions { max_length: if seed.is_multiple_of(2) { 40 } else { short }, ..Default::default() };
        let mut factory = TestFactory::new(&cluster, options);
        let mut random = Random::new(seed, 0);
        let mut tests: Vec<TestCase> = (0..4).map(|_| factory.random_test(&mut random)).collect();
        for operation in operations {
            step(&mut factory, &mut tests, operation, &mut random);
        }
    }
}

#[test]
fn random_tests_call_the_class_under_test_and_use_every_test_call() {
    for cluster in clusters() {
        let mut factory = TestFactory::new(&cluster, FactoryOptions::default());
        let mut random = Random::new(1, 0);
        let mut called = vec![false; cluster.callables.len()];
        for _ in 0..4000 {
            let test = factory.random_test(&mut random);
            assert!(makes_a_test_call(&cluster, &test), "{test:?}");
            for id in test.statements().iter().filter_map(Statement::callable) {
                called[id.index()] = true;
            }
        }
        let missed: Vec<String> = (0..called.len())
            .filter(|index| {
                let call = Call::Callable(CallableId::from(*index));
                !called[*index] && cluster.test_calls.iter().flatten().any(|test_call| *test_call == call)
            })
            .map(|index| cluster.callables[index].name.to_string())
            .collect();
        assert!(missed.is_empty(), "{:?} never called: {missed:?}", cluster.class_under_test);
    }
}

/// Values that cannot be changed, and a builder of them.
const STYLE: &str = r"
//- /p/Page.java
package p;
public class Page { public Page(Style style) { } }
//- /p/Style.java
package p;
public final class Style {
    public static final Style PLAIN = new Style(0);
    private final int width;
    private Style(int width) { this.width = width; }
    public Style wider(int by) { return new Style(width + by); }
    public static final class Builder {
        private int width;
        public Builder width(int width) { this.width = width; return this; }
        public Style build() { return new Style(width); }
    }
}
";

#[test]
fn values_are_derived_and_built_now_and_then_and_builders_are_told_what_to_build() {
    let cluster = cluster(STYLE, "p/Page");
    let mut factory = TestFactory::new(&cluster, FactoryOptions::default());
    let mut random = Random::new(5, 0);
    let tests: Vec<TestCase> = (0..600).map(|_| factory.random_test(&mut random)).collect();
    let number = |name: &str| {
        let calls = tests.iter().flat_map(TestCase::statements).filter_map(Statement::callable);
        calls.filter(|id| *cluster.callable(*id).name == *name).count()
    };
    let plain = tests.iter().flat_map(TestCase::statements);
    let plain = plain.filter(|statement| matches!(statement, Statement::FieldRead { .. })).count();
    let (wider, built, told) = (number("wider"), number("build"), number("width"));
    assert!(
        wider > 20 && built > 20 && plain > wider + built,
        "{plain} constants, {wider} derived, {built} built"
    );
    assert!(2 * told > built, "{told} calls before {built} values are built");
}

#[test]
fn the_same_seed_gives_the_same_tests() {
    let cluster = cluster(MIX, "p/Mix");
    let run = || {
        let mut factory = TestFactory::new(&cluster, FactoryOptions::default());
        let mut random = Random::new(11, 3);
        let mut tests: Vec<TestCase> = (0..20).map(|_| factory.random_test(&mut random)).collect();
        for round in 0..400 {
            let executed = tests[round % 20].len();
            factory.mutate(&mut tests[round % 20], executed, &mut random);
        }
        tests
    };
    assert_eq!(run(), run());
}

#[test]
fn calls_without_open_goals_are_seldom_drawn() {
    let cluster = cluster(PLAIN, "p/Plain");
    let mut factory = TestFactory::new(&cluster, FactoryOptions::default());
    let only = cluster.test_calls.iter().position(|group| match group[0] {
        Call::Callable(id) => &*cluster.callable(id).name == "guarded",
        Call::Read(_) | Call::Write(_) | Call::Implement(_) => false,
    });
    let mut weights = vec![0.0; cluster.test_calls.len()];
    weights[only.expect("the method is a test call")] = 1.0;
    factory.set_call_weights(&weights);
    let mut random = Random::new(1, 0);
    let (mut wanted, mut others) = (0, 0);
    for _ in 0..500 {
        let mut test = TestCase::default();
        factory.insert_test_call(&mut test, 0, &mut random);
        let last = test.statements().last().and_then(Statement::callable).map(|id| cluster.callable(id));
        if last.is_some_and(|callable| &*callable.name == "guarded") { wanted += 1 } else { others += 1 }
    }
    assert!(wanted > others, "{wanted} {others}");
}

#[test]
fn collections_and_arrays_are_carried_over_with_their_contents() {
    let cluster = cluster(MIX, "p/Mix");
    let mut factory = TestFactory::new(&cluster, FactoryOptions::default());
    let mut random = Random::new(5, 0);
    let mut seen = 0;
    while seen < 50 {
        let other = factory.random_test(&mut random);
        let last_call = other.statements().iter().rposition(|statement| {
            statement.callable().is_some_and(|id| &*cluster.callable(id).name == "sum")
        });
        let Some(last_call) = last_call else { continue };
        let arguments = match &other.statements()[last_call] {
            Statement::Method { arguments, .. } => arguments.clone(),
            _ => continue,
        };
        let written = |test: &TestCase, array: VarRef, before: usize| {
            let statements = &test.statements()[..before];
            let writes = statements.iter().filter(
                |statement| matches!(statement, Statement::ArrayWrite { array: of, .. } if *of == array),
            );
            writes.count()
        };
        let mut test = TestCase::default();
        assert!(factory.append(&mut test, &other, last_call, &mut random));
        let Some(Statement::Method { arguments: carried, .. }) = test.statements().last() else {
            panic!("the call comes last: {test:?}");
        };
        for (original, carried) in arguments.iter().zip(carried) {
            if let Statement::Array { .. } = other.statement(*original) {
                assert_eq!(written(&other, *original, last_call), written(&test, *carried, test.len()));
            }
        }
        seen += 1;
    }
}

#[test]
fn arrays_of_bytes_and_characters_are_texts_as_often_as_options_say() {
    let source = "
//- /p/Reads.java
package p;
public class Reads {
    public static int bytes(java.io.ByteArrayInputStream in) { return in.read(); }
    public static int characters(char[] in) { return in.length; }
    public static int numbers(short[] in) { return in.length; }
}
";
    let cluster = cluster(source, "p/Reads");
    for (text_arrays, is_text) in [(0.0, false), (1.0, true)] {
        let options = FactoryOptions { text_arrays, ..FactoryOptions::default() };
        let mut factory = TestFactory::new(&cluster, options);
        let mut random = Random::new(5, 0);
        let (mut arrays, mut texts) = (BTreeSet::new(), BTreeSet::new());
        for _ in 0..100 {
            let test = factory.random_test(&mut random);
            for statement in test.statements() {
                match statement {
                    Statement::Array { of, .. } => _ = arrays.insert(cluster.ty(*of).erased.clone()),
                    Statement::Method { callable, receiver: Some(text), arguments }
                        if matches!(test.statement(*text), Statement::Primitive { .. }) =>
                    {
                        let field = arguments.first().map(|charset| test.statement(*charset));
                        if let Some(Statement::FieldRead { field, .. }) = field {
                            assert_eq!(&*cluster.field(*field).name, "UTF_8");
                        }
                        texts.insert(cluster.callable(*callable).name.to_string());
                    }
                    // tidy: no other statement makes an array
                    _ => {}
                }
            }
        }
        let names: Vec<String> = arrays.iter().map(ErasedType::descriptor).collect();
        let texts: Vec<String> = texts.into_iter().collect();
        if is_text {
            assert_eq!(
                (names, texts),
                (vec!["[S".to_owned()], vec!["getBytes".into(), "toCharArray".into()])
            );
        } else {
            assert_eq!((names.len(), texts), (3, Vec::new()));
        }
    }
}

#[test]
fn unused_literals_and_arrays_go_and_everything_else_stays() {
    let cluster = cluster(MIX, "p/Mix");
    let mut factory = TestFactory::new(&cluster, FactoryOptions::default());
    let mut random = Random::new(8, 0);
    for _ in 0..300 {
        let mut test = factory.random_test(&mut random);
        let calls =
            |test: &TestCase| test.statements().iter().filter_map(Statement::callable).collect::<Vec<_>>();
        let before = calls(&test);
        factory.remove_unused(&mut test);
        assert_eq!(calls(&test), before);
        assert!(!factory.remove_unused(&mut test), "one pass is enough");
        let kinds = before.iter().filter(|id| cluster.callable(**id).kind == CallableKind::Constructor);
        assert!(kinds.count() <= before.len());
    }
}

#[test]
fn strings_are_in_the_formats_of_the_code_as_often_as_options_say() {
    let source = "
//- /p/Reads.java
package p;
public class Reads { public static int text(String text) { return text.length(); } }
";
    let mut cluster = cluster(source, "p/Reads");
    let xml = FORMATS.iter().position(|format| format.name == "xml").expect("a format");
    cluster.constants.formats = vec![Asked::new(xml, vec!["item".to_owned()])];
    let is_document = |text: &str| text.starts_with("<item") && text.ends_with('>');
    for (format_texts, all) in [(0.0, false), (1.0, true)] {
        let options =
            FactoryOptions { format_texts, null_probability: 0.0, replace: 0.0, ..FactoryOptions::default() };
        let mut factory = TestFactory::new(&cluster, options);
        let mut random = Random::new(5, 0);
        let (mut drawn, mut mutated, mut documents) = (0, 0, 0);
        for _ in 0..50 {
            let mut test = factory.random_test(&mut random);
            for _ in 0..10 {
                let texts: Vec<String> = test
                    .statements()
                    .iter()
                    .filter_map(|statement| match statement {
                        Statement::Primitive { value: Value::String(text), .. } => Some(text.to_string()),
                        // tidy: no other statement holds a text
                        _ => None,
                    })
                    .collect();
                drawn += texts.len();
                documents += texts.iter().filter(|text| is_document(text)).count();
                for position in 0..test.len() {
                    mutated += usize::from(factory.change(&mut test, position, &mut random));
                }
            }
        }
        assert!(drawn > 100 && mutated > 100, "{drawn} {mutated}");
        // A change that changes nothing gives way to one of any text.
        let most = documents * 10 > drawn * 8;
        assert_eq!((most, documents == 0), (all, !all), "{format_texts}: {documents} of {drawn}");
    }
}

#[test]
fn objects_that_hold_the_present_are_seldom_made_where_others_can_be() {
    let source = "
//- /p/Reads.java
package p;
public class Reads {
    public static long day(Day day) { return day.time; }
    public static long now(Now now) { return now.time; }
}
//- /p/Day.java
package p;
public class Day {
    final long time;
    public Day() { time = System.currentTimeMillis(); }
    public Day(int year) { time = year; }
}
//- /p/Now.java
package p;
public class Now {
    final long time;
    public Now() { time = System.currentTimeMillis(); }
}
";
    let cluster = cluster(source, "p/Reads");
    let options = FactoryOptions { null_probability: 0.0, ..FactoryOptions::default() };
    let mut factory = TestFactory::new(&cluster, options);
    let mut random = Random::new(5, 0);
    let (mut fleeting, mut others, mut only) = (0, 0, 0);
    for _ in 0..500 {
        for statement in factory.random_test(&mut random).statements() {
            let Some(callable) = statement.callable().map(|id| cluster.callable(id)) else { continue };
            match (callable.declared_in.as_str(), &*callable.name, &*callable.descriptor) {
                ("p/Day", "<init>", "()V") => fleeting += 1,
                ("p/Day", "<init>", _) => others += 1,
                ("p/Now", "<init>", _) => only += 1,
                _ => {}
            }
        }
    }
    assert!(fleeting > 0 && fleeting * 10 < others && only > 100, "{fleeting} {others} {only}");
}

#[test]
fn constants_that_the_code_reads_are_drawn_most_and_put_into_objects_that_take_them() {
    let constants = |prefix: char, make: &str| {
        let names = (0..30).map(|index| format!("{prefix}{index:02}"));
        names.map(|name| make.replace('#', &name)).collect::<String>()
    };
    let names = constants('N', "public static final Name # = new Name();");
    let levels = constants('L', "#,");
    let source = format!(
        "
//- /p/Reads.java
package p;
public class Reads {{
    public static boolean reads(q.Book book, q.Level level) {{
        return book.get(q.Name.N25) == null || level == q.Level.L07;
    }}
}}
//- /q/Name.java
package q;
public class Name {{ Name() {{}} {names} }}
//- /q/Level.java
package q;
public enum Level {{ {levels} }}
//- /q/Book.java
package q;
public class Book {{
    private final java.util.Map<Name, Object> entries = new java.util.HashMap<>();
    public Object get(Name name) {{ return entries.get(name); }}
    public void setEntry(Name name, Object entry) {{ entries.put(name, entry); }}
    public void setTitle(String title) {{ entries.clear(); }}
}}
"
    );
    let cluster = cluster(&source, "p/Reads");
    let drawn = |options: FactoryOptions| {
        let mut factory = TestFactory::new(&cluster, options);
        let mut random = Random::new(5, 0);
        let (mut names, mut levels, mut puts, mut books) = ((0, 0), (0, 0), 0, 0);
        for _ in 0..300 {
            for statement in factory.random_test(&mut random).statements() {
                match statement {
                    Statement::FieldRead { field, .. } => {
                        names.0 += u32::from(&*cluster.field(*field).name == "N25");
                        names.1 += 1;
                    }
                    Statement::EnumConstant { field } => {
                        levels.0 += u32::from(&*cluster.field(*field).name == "L07");
                        levels.1 += 1;
                    }
                    _ => {
                        let name = statement.callable().map(|id| &*cluster.callable(id).name);
                        puts += u32::from(name == Some("setEntry"));
                        books += u32::from(matches!(statement, Statement::Constructor { .. }));
                    }
                }
            }
        }
        assert!(names.1 > 50 && levels.1 > 50 && books > 50, "{names:?} {levels:?} {books}");
        [names.0 * 100 / names.1, levels.0 * 100 / levels.1, puts * 100 / books]
    };
    let [name, level, puts] = drawn(FactoryOptions::default());
    assert!(name > 40 && level > 40 && puts > 50, "{name} % {level} % {puts} %");
    let even = FactoryOptions { even_generators: true, ..FactoryOptions::default() };
    let [name, level, _] = drawn(even);
    assert!(name < 20 && level < 20, "{name} % {level} %");
}

#[test]
fn stubs_call_what_they_are_passed_as_often_as_wanted() {
    let cluster = cluster(CALLBACKS, "p/Bank");
    let drawn = |callback_answer: f64| {
        let options = FactoryOptions { callback_answer, ..FactoryOptions::default() };
        let mut factory = TestFactory::new(&cluster, options);
        let mut random = Random::new(7, 0);
        let (mut calls, mut stubs) = (0, 0);
        for _ in 0..200 {
            let test = factory.random_test(&mut random);
            for statement in test.statements() {
                let Statement::Stub { stub, script } = statement else { continue };
                let may_call = cluster.stub(*stub).methods.iter().any(|method| !method.callbacks.is_empty());
                stubs += u32::from(may_call);
                let is_call = |answer: &Answer| matches!(answer, Answer::CallBack(..));
                calls += u32::from(script.answers.iter().flatten().any(is_call));
            }
        }
        assert!(stubs > 100, "{stubs}");
        calls * 100 / stubs
    };
    let [never, half, always] = [0.0, 0.5, 1.0].map(drawn);
    assert!(never == 0 && (40..90).contains(&half) && always > half, "{never} % {half} % {always} %");
}
