//! What several tests begin with stands in fields or in a method that they share.

use std::collections::BTreeSet;

use coverage::goal::GoalSet;
use output::asserted_test::AssertedTest;
use output::junit::arrangement::{Arrangement, FixtureForm};
use output::junit::injection::Injecting;
use output::junit::printed::PrintedSuite;
use output::junit::style::JunitStyle;
use output::junit::writer::JunitWriter;
use testcase::assertion::{ObservationTarget, ObservedValue, StandardStream};
use testcase::cluster::CallableId;
use testcase::statement::{Statement, VarRef};
use testcase::value::Value;

use crate::common::{ClusterBuilder, TestBuilder, no_classes};

const PARSER: &str = "Lp/Parser;";
const OPTIONS: &str = "Lp/Options;";

/// `new Options()` with a setter, `new Parser(Options, String)` with methods.
struct World {
    builder: ClusterBuilder,
    options: CallableId,
    strict: CallableId,
    parser: CallableId,
    parse: CallableId,
    reset: CallableId,
    size: CallableId,
}

fn world() -> World {
    let mut builder = ClusterBuilder::new("p/Parser");
    let options = builder.constructor(OPTIONS, "()V", &[]);
    let strict = builder.method(OPTIONS, "setStrict", "(Z)V");
    let parser = builder.constructor(PARSER, "(Lp/Options;Ljava/lang/String;)V", &["options", "name"]);
    let parse = builder.method(PARSER, "parse", "(Ljava/lang/String;)I");
    let reset = builder.method(PARSER, "reset", "()V");
    let size = builder.method(PARSER, "size", "()I");
    World { builder, options, strict, parser, parse, reset, size }
}

impl World {
    /// A parser of that name, strict if that is `x`.
    fn parser(&self, test: &mut TestBuilder, name: &str) -> VarRef {
        let options = test.new_object(self.options, &[]);
        let strict = test.value(Value::Boolean(name == "x"));
        test.call(self.strict, options, &[strict]);
        let name = test.string(name);
        test.new_object(self.parser, &[options, name])
    }

    /// A parser of that name parses a text to a number.
    fn parsing(&self, name: &str, text: &str, expected: i32) -> AssertedTest {
        let mut test = TestBuilder::default();
        let parser = self.parser(&mut test, name);
        let text = test.string(text);
        let result = test.call(self.parse, parser, &[text]);
        test.assert_value(result, Value::Int(expected));
        test.finish()
    }

    /// A parser of that name throws at a text.
    fn throwing(&self, name: &str, text: &str) -> AssertedTest {
        let mut test = TestBuilder::default();
        let parser = self.parser(&mut test, name);
        let text = test.string(text);
        test.call(self.parse, parser, &[text]);
        test.throws("java/lang/IllegalStateException");
        test.finish()
    }

    /// A parser of that name is reset, and its size asserted.
    fn resetting(&self, name: &str) -> AssertedTest {
        let mut test = TestBuilder::default();
        let parser = self.parser(&mut test, name);
        test.call(self.reset, parser, &[]);
        test.assert(ObservationTarget::Inspector(parser, self.size), ObservedValue::Primitive(Value::Int(0)));
        test.finish()
    }

    fn printed(&self, style: JunitStyle, suite: &[AssertedTest], arrangement: Arrangement) -> PrintedSuite {
        let (hierarchy, goals) = (no_classes(), GoalSet::default());
        let class = self.builder.cluster.class_under_test.clone().unwrap();
        let writer = JunitWriter::new(&self.builder.cluster, &hierarchy, &goals, class, style);
        writer.arranged(Arrangement { fixtures: FixtureForm::Shared, ..arrangement }).write(suite)
    }

    /// The members of the class of a suite.
    fn members(&self, suite: &[AssertedTest]) -> String {
        let printed = self.printed(JunitStyle::Jupiter, suite, Arrangement::default());
        printed.text.split_once("Test {\n").unwrap().1.strip_suffix("}\n").unwrap().to_owned()
    }

    /// Whether a suite has fields, and its helpers.
    fn shared(&self, suite: &[AssertedTest]) -> (bool, Vec<String>) {
        let members = self.members(suite);
        let heads = members.lines().filter_map(|line| line.strip_prefix("    private static "));
        (members.contains("void setUp()"), heads.map(str::to_owned).collect())
    }
}

#[test]
fn what_all_tests_begin_with_is_done_before_each() {
    let world = world();
    let suite = [world.parsing("x", "a", 1), world.throwing("x", "b"), world.resetting("x")];
    let expect = r#"    private Parser parser;

    @BeforeEach
    void setUp() {
        Options options = new Options();
        options.setStrict(true);
        parser = new Parser(options, "x");
    }

    @Test
    void parseReturnsOne() {
        assertEquals(1, parser.parse("a"));
    }

    @Test
    void parseThrowsIllegalStateExceptionForB() {
        assertThrows(IllegalStateException.class, () -> parser.parse("b"));
    }

    @Test
    void resetLeavesSizeZero() {
        parser.reset();
        assertEquals(0, parser.size());
    }
"#;
    assert_eq!(world.members(&suite), expect);
    let printed = world.printed(JunitStyle::Jupiter, &suite, Arrangement::default());
    assert!(printed.text.contains("import org.junit.jupiter.api.BeforeEach;\n"), "{}", printed.text);
    let lines: Vec<&str> = printed.text.lines().collect();
    for test in &printed.tests {
        let [assertion] = &test.assertions[..] else { continue };
        assert!(lines[*assertion.lines.start() as usize - 1].contains("assertEquals("), "{}", printed.text);
        assert_eq!(lines[*test.lines.start() as usize - 1].trim(), "@Test");
    }
    let junit_4 = world.printed(JunitStyle::Junit4, &suite, Arrangement::default()).text;
    assert!(junit_4.contains("    @Before\n    public void setUp() {\n"), "{junit_4}");
    assert!(junit_4.contains("import org.junit.Before;\n"), "{junit_4}");
}

#[test]
fn what_four_of_five_tests_begin_with_is_set_up_and_the_fifth_sets_another() {
    let world = world();
    let mut suite = vec![
        world.parsing("x", "a", 1),
        world.parsing("y", "a", 2),
        world.throwing("x", "b"),
        world.resetting("x"),
        world.parsing("x", "c", 3),
    ];
    let members = world.members(&suite);
    let set_up = "    private Parser parser;\n\n    @BeforeEach\n    void setUp() {\n";
    assert!(members.starts_with(set_up), "{members}");
    let other = r#"    @Test
    void parseReturnsTwo() {
        Options options = new Options();
        options.setStrict(false);
        parser = new Parser(options, "y");
        assertEquals(2, parser.parse("a"));
    }
"#;
    assert!(members.contains(other), "{members}");
    // What stays as it is has no set-up before it.
    let apart = BTreeSet::from([1]);
    let arrangement = Arrangement { apart, ..Arrangement::default() };
    assert!(!world.printed(JunitStyle::Jupiter, &suite, arrangement).text.contains("setUp"));
    suite.remove(4);
    assert!(!world.shared(&suite).0, "three of four");
}

#[test]
fn what_most_tests_put_into_a_private_field_is_set_up_and_the_others_fill_it_again_or_make_their_own_object()
{
    const PRIVATE: u16 = 0x2;
    let mut builder = ClusterBuilder::new("p/Parser");
    let options = builder.constructor(OPTIONS, "()V", &[]);
    let named = builder.constructor(OPTIONS, "(Ljava/lang/String;)V", &[]);
    let parser = builder.constructor(PARSER, "()V", &[]);
    let parse = builder.method(PARSER, "parse", "(Ljava/lang/String;)I");
    let field = builder.field(PARSER, "options", OPTIONS, PRIVATE);
    builder.cluster.injected = vec![field];
    builder.cluster.hidden = vec![field];
    let parsing = |made_by: Option<CallableId>, text: &str, expected: i32| {
        let mut test = TestBuilder::default();
        let made = test.new_object(parser, &[]);
        if let Some(constructor) = made_by {
            let name = (constructor == named).then(|| test.string("z"));
            let value = test.new_object(constructor, name.as_slice());
            test.push(Statement::FieldWrite { field, receiver: Some(made), value });
        }
        let text = test.string(text);
        let result = test.call(parse, made, &[text]);
        test.assert_value(result, Value::Int(expected));
        test.finish()
    };
    let suite = [
        parsing(Some(options), "a", 1),
        parsing(None, "a", 2),
        parsing(Some(options), "b", 3),
        parsing(Some(options), "c", 4),
        parsing(Some(options), "d", 5),
        parsing(Some(options), "e", 6),
        parsing(Some(options), "f", 7),
        parsing(Some(options), "g", 8),
        parsing(Some(options), "h", 9),
        parsing(Some(named), "a", 10),
    ];
    let (hierarchy, goals) = (no_classes(), GoalSet::default());
    let class = builder.cluster.class_under_test.clone().unwrap();
    let printed = |injecting| {
        let writer =
            JunitWriter::new(&builder.cluster, &hierarchy, &goals, class.clone(), JunitStyle::Jupiter);
        let arrangement = Arrangement { fixtures: FixtureForm::Shared, ..Arrangement::default() };
        writer.injecting(injecting).arranged(arrangement).write(&suite).text
    };
    let own = "        parser = new Parser();\n        assertEquals(2, parser.parse(\"a\"));\n";
    let by_method = "    @BeforeEach
    void setUp() throws Exception {
        parser = new Parser();
        inject(Parser.class, parser, \"options\", new Options());
    }
";
    let method = "    /** Gives an object what its container would. */
    private static void inject(Class<?> declaring, Object object, String name, Object value)
            throws ReflectiveOperationException {
        Field field = declaring.getDeclaredField(name);
        field.setAccessible(true);
        field.set(object, value);
    }
";
    let text = printed(Injecting::ByMethod);
    let again = "() throws Exception {
        inject(Parser.class, parser, \"options\", new Options(\"z\"));
        assertEquals(10, parser.parse(\"a\"));
";
    for expect in [own, again, by_method, method, "import java.lang.reflect.Field;\n"] {
        assert!(text.contains(expect), "{expect}\n{text}");
    }
    let text = printed(Injecting::BySpring);
    for expect in [
        own,
        "        ReflectionTestUtils.setField(parser, \"options\", new Options());\n    }\n",
        "import org.springframework.test.util.ReflectionTestUtils;\n",
    ] {
        assert!(text.contains(expect), "{expect}\n{text}");
    }
    assert!(!text.contains("inject(") && !text.contains("throws Exception"), "{text}");
}

#[test]
fn what_some_tests_begin_with_a_method_makes() {
    let world = world();
    let mut suite = [
        world.parsing("x", "a", 1),
        world.parsing("y", "a", 2),
        world.throwing("x", "b"),
        world.resetting("x"),
    ];
    let expect = r#"    @Test
    void parseReturnsOne() {
        Parser parser = newParser();
        assertEquals(1, parser.parse("a"));
    }

    @Test
    void parseReturnsTwo() {
        Options options = new Options();
        options.setStrict(false);
        Parser parser = new Parser(options, "y");
        assertEquals(2, parser.parse("a"));
    }

    @Test
    void parseThrowsIllegalStateExceptionForB() {
        Parser parser = newParser();
        assertThrows(IllegalStateException.class, () -> parser.parse("b"));
    }

    @Test
    void resetLeavesSizeZero() {
        Parser parser = newParser();
        parser.reset();
        assertEquals(0, parser.size());
    }

    private static Parser newParser() {
        Options options = new Options();
        options.setStrict(true);
        return new Parser(options, "x");
    }
"#;
    assert_eq!(world.members(&suite), expect);
    // Another test changes nothing of those that are there.
    for (test, name) in suite.iter_mut().zip(["one", "two", "three", "four"]) {
        test.name = Some(name.to_owned());
    }
    let before = world.members(&suite);
    let more = [&suite[..], &[world.resetting("z")]].concat();
    let (tests, helper) = before.split_once("\n    private static").unwrap();
    let after = world.members(&more);
    assert!(after.starts_with(tests) && after.ends_with(helper), "{after}");
}

#[test]
fn methods_are_told_apart_by_what_they_give_the_object() {
    let world = world();
    let of = |name: &str| [world.parsing(name, "a", 1), world.throwing(name, "b"), world.resetting(name)];
    let helpers = |names: &[&str]| {
        let suite: Vec<AssertedTest> = names.iter().flat_map(|name| of(name)).collect();
        world.shared(&suite).1
    };
    let heads = |names: &[&str]| names.iter().map(|name| format!("Parser {name}() {{")).collect::<Vec<_>>();
    assert_eq!(helpers(&["x", "comma"]), heads(&["newParser", "newParserWithComma"]));
    assert_eq!(helpers(&["x", "comma", "2-"]).len(), 3);
}

#[test]
fn nothing_is_shared_that_makes_tests_no_shorter_or_hides_what_they_are_about() {
    let mut world = world();
    let simple = world.builder.constructor(PARSER, "()V", &[]);
    let short = |expected: i32| {
        let mut test = TestBuilder::default();
        let parser = test.new_object(simple, &[]);
        let text = test.string("a");
        let result = test.call(world.parse, parser, &[text]);
        test.assert_value(result, Value::Int(expected));
        test.finish()
    };
    let nothing = (false, Vec::new());
    assert_eq!(world.shared(&[1, 2, 3, 4, 5, 6, 7].map(short)), nothing);
    // An object that is made of another one is more than that.
    let with_options = world.builder.constructor(PARSER, &format!("({OPTIONS})V"), &[]);
    let made_of_one = |expected: i32| {
        let mut test = TestBuilder::default();
        let options = test.new_object(world.options, &[]);
        let parser = test.new_object(with_options, &[options]);
        let text = test.string("a");
        let result = test.call(world.parse, parser, &[text]);
        test.assert_value(result, Value::Int(expected));
        test.finish()
    };
    assert_eq!(world.shared(&[1, 2, 3, 4, 5].map(made_of_one)), nothing);
    assert_eq!(world.shared(&[1, 2, 3, 4, 5, 6].map(made_of_one)), (true, Vec::new()));
    // Two are as short as the method.
    assert_eq!(world.shared(&[world.parsing("x", "a", 1), world.resetting("x")]), nothing);
    // The call that a test is about stays in it: here all of them are about `reset`.
    let resets: Vec<AssertedTest> = (0..3).map(|_| world.resetting("x")).collect();
    let members = world.members(&resets);
    assert_eq!(members.matches("    parser.reset();").count(), 3, "{members}");
    // Nor is anything shared behind something else that the tests use.
    let uses_both = |index: i32| {
        let mut test = TestBuilder::default();
        let parser = world.parser(&mut test, "x");
        let flag = test.value(Value::Boolean(index > 1));
        test.call(world.strict, VarRef(0), &[flag]);
        let text = test.string("a");
        let result = test.call(world.parse, parser, &[text]);
        test.assert_value(result, Value::Int(index));
        test.finish()
    };
    let all = [1, 2, 3].map(uses_both);
    let (has_set_up, helpers) = world.shared(&all);
    assert!(has_set_up && helpers.is_empty());
    let some = [&all[..], &[world.parsing("y", "a", 9)]].concat();
    assert_eq!(world.shared(&some), nothing);
}

#[test]
fn tests_that_stay_apart_share_nothing_and_what_is_printed_is_seen_from_the_start() {
    let world = world();
    let suite = [
        world.parsing("x", "a", 1),
        world.throwing("x", "b"),
        world.resetting("x"),
        world.parsing("x", "c", 4),
    ];
    let with = |apart: &[usize], suite: &[AssertedTest]| {
        let apart: BTreeSet<usize> = apart.iter().copied().collect();
        let text =
            world.printed(JunitStyle::Jupiter, suite, Arrangement { apart, ..Arrangement::default() }).text;
        (text.contains("void setUp()"), text.matches("= newParser()").count())
    };
    assert_eq!(with(&[], &suite), (true, 0));
    assert_eq!(with(&[2], &suite), (false, 3));
    assert_eq!(with(&[0, 2], &suite), (false, 0));
    let mut printing = suite.to_vec();
    let target = ObservationTarget::Printed(StandardStream::Out);
    let expected = ObservedValue::Primitive(Value::String("a".into()));
    let after = printing[2].assertions[0].after;
    printing[2].assertions.insert(0, testcase::assertion::Assertion { after, target, expected });
    assert_eq!(with(&[], &printing), (false, 4));
}

#[test]
fn a_method_that_throws_says_so_and_so_do_its_callers() {
    let mut world = world();
    world.builder.change(world.parser, |callable| callable.exceptions = vec!["java/io/IOException".into()]);
    let all = [world.parsing("x", "a", 1), world.throwing("x", "b"), world.resetting("x")];
    let members = world.members(&all);
    assert_eq!(members.matches("throws Exception").count(), 1, "{members}");
    assert!(members.contains("    void setUp() throws Exception {\n"), "{members}");
    let some = [&all[..], &[world.parsing("y", "a", 2)]].concat();
    let members = world.members(&some);
    assert_eq!(members.matches("throws Exception").count(), 5, "{members}");
    assert!(members.contains("    private static Parser newParser() throws Exception {\n"), "{members}");
}

#[test]
fn rows_begin_like_methods() {
    let world = world();
    let suite = [
        world.parsing("x", "a", 1),
        world.parsing("x", "b", 2),
        world.parsing("x", "c", 3),
        world.throwing("x", "d"),
        world.resetting("x"),
    ];
    let arrangement = Arrangement { tables: true, ..Arrangement::default() };
    let printed = world.printed(JunitStyle::Jupiter, &suite, arrangement);
    let expect = "
    void parseReturnsNumber(String text, int expected) {
        assertEquals(expected, parser.parse(text));
    }
";
    let text =
        printed.text.replace("(String string, ", "(String text, ").replace("parse(string)", "parse(text)");
    assert!(text.contains(expect) && text.contains("void setUp()"), "{}", printed.text);
    assert_eq!(printed.tests.iter().filter(|test| test.assertions.len() == 1).count(), 4);
}
