//! Tests of one shape as rows of a parameterized test, and what else puts tests together.

use std::collections::BTreeSet;

use coverage::goal::GoalSet;
use output::asserted_test::AssertedTest;
use output::junit::arrangement::Arrangement;
use output::junit::naming::test_names::NameScheme;
use output::junit::printed::PrintedSuite;
use output::junit::style::JunitStyle;
use output::junit::writer::JunitWriter;
use testcase::assertion::{ObservationTarget, ObservedValue};
use testcase::cluster::{CallableId, CallableKind, TypeId};
use testcase::value::{JavaString, Value};

use crate::common::{ClusterBuilder, TestBuilder, no_classes};

const FOO: &str = "Lp/Foo;";

/// `Foo.parse(String text, int limit)`.
fn parse() -> (ClusterBuilder, CallableId) {
    let mut builder = ClusterBuilder::new("p/Foo");
    let descriptor = "(Ljava/lang/String;I)I";
    let parse = builder.callable(CallableKind::StaticMethod, FOO, "parse", descriptor, &["text", "limit"]);
    (builder, parse)
}

/// `parse` of a text, null or not, and a limit gives a number.
fn parsed(parse: CallableId, text: Option<JavaString>, limit: i32, expected: i32) -> AssertedTest {
    let mut test = TestBuilder::default();
    let text = match text {
        Some(text) => test.value(Value::String(text)),
        None => test.null(TypeId::STRING),
    };
    let limit = test.int(limit);
    let result = test.call_static(parse, &[text, limit]);
    test.assert_value(result, Value::Int(expected));
    test.finish()
}

fn tables() -> Arrangement {
    Arrangement { tables: true, ..Arrangement::default() }
}

fn printed(builder: &ClusterBuilder, suite: &[AssertedTest], arrangement: Arrangement) -> PrintedSuite {
    let (hierarchy, goals) = (no_classes(), GoalSet::default());
    let class = builder.cluster.class_under_test.clone().unwrap();
    let writer = JunitWriter::new(&builder.cluster, &hierarchy, &goals, class, JunitStyle::Jupiter);
    writer.arranged(arrangement).write(suite)
}

/// The members of a printed class.
fn members(printed: &PrintedSuite) -> &str {
    printed.text.split_once("CovolveTest {\n").unwrap().1.strip_suffix("}\n").unwrap()
}

fn names(printed: &PrintedSuite) -> Vec<&str> {
    printed.tests.iter().map(|test| test.method.as_str()).collect()
}

#[test]
fn literals_in_which_tests_differ_are_columns_and_the_others_stay() {
    let (builder, parse) = parse();
    let test = |text: &str, expected| parsed(parse, Some(text.into()), 1, expected);
    let suite = [test("a", 3), test("b, c", 4), test("", 0), test("it's \"5\"", 7)];
    let printed = printed(&builder, &suite, tables());
    let expect = r#"    @ParameterizedTest
    @CsvSource({
        "a, 3",
        "'b, c', 4",
        "'', 0",
        "'it''s \"5\"', 7"
    })
    void parseReturnsNumber(String text, int expected) {
        assertEquals(expected, Foo.parse(text, 1));
    }
"#;
    assert_eq!(members(&printed), expect);
    assert_eq!(
        names(&printed),
        ["parseReturnsNumber[1]", "parseReturnsNumber[2]", "parseReturnsNumber[3]", "parseReturnsNumber[4]"]
    );
    let imports: Vec<&str> = printed.text.lines().filter(|line| line.starts_with("import ")).collect();
    assert_eq!(
        imports,
        [
            "import static org.junit.jupiter.api.Assertions.assertEquals;",
            "import org.junit.jupiter.params.ParameterizedTest;",
            "import org.junit.jupiter.params.provider.CsvSource;",
        ]
    );
    let assertions: Vec<_> = printed.tests.iter().map(|test| test.assertions.clone()).collect();
    assert!(assertions.iter().all(|assertions| assertions.len() == 1 && *assertions == assertions[0..1]));
    assert!(assertions.iter().all(|of_row| *of_row == assertions[0]));
}

#[test]
fn what_csv_cannot_carry_comes_from_a_method() {
    let (builder, parse) = parse();
    let test = |text: JavaString, expected| parsed(parse, Some(text), 2, expected);
    let suite = [test("a\nb".into(), 3), test(JavaString::new([0xd800]), 1), test(" é ".into(), 0)];
    let printed = printed(&builder, &suite, tables());
    let expect = r#"    @ParameterizedTest
    @MethodSource("parseReturnsNumberRows")
    void parseReturnsNumber(String text, int expected) {
        assertEquals(expected, Foo.parse(text, 2));
    }

    static Stream<Arguments> parseReturnsNumberRows() {
        return Stream.of(
                Arguments.of("a\nb", 3),
                Arguments.of("\ud800", 1),
                Arguments.of(" \u00e9 ", 0));
    }
"#;
    assert_eq!(members(&printed), expect);
}

#[test]
fn null_is_a_word_unless_it_is_a_text_as_well() {
    let (builder, parse) = parse();
    let test = |text: Option<&str>| parsed(parse, text.map(Into::into), 5, 5);
    let with_null = printed(&builder, &[test(None), test(Some("a")), test(Some("b"))], tables());
    let rows = r#"    @CsvSource(value = {
        "null",
        "a",
        "b"
    }, nullValues = "null")
    void parseReturnsFive(String text) {
        assertEquals(5, Foo.parse(text, 5));
"#;
    assert!(members(&with_null).contains(rows), "{}", members(&with_null));
    let both = printed(&builder, &[test(None), test(Some("null")), test(Some("b"))], tables());
    assert!(members(&both).contains("Arguments.of((String) null),"), "{}", members(&both));
    let text_alone = printed(&builder, &[test(Some("null")), test(Some("a")), test(Some("b"))], tables());
    assert!(
        members(&text_alone).contains(r#"@ValueSource(strings = {"null", "a", "b"})"#),
        "{}",
        members(&text_alone)
    );
}

#[test]
fn literals_that_are_equal_in_each_row_share_a_parameter() {
    let (builder, parse) = parse();
    let suite = [3, 4, 5].map(|number| parsed(parse, Some("a".into()), number, number));
    let printed = printed(&builder, &suite, tables());
    let expect = "    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void parseReturnsNumberForA(int limit) {
        assertEquals(limit, Foo.parse(\"a\", limit));
    }
";
    assert_eq!(members(&printed).replace("ForA(", "("), expect.replace("ForA(", "("));
}

#[test]
fn tests_that_throw_the_same_are_rows_and_others_are_not_among_them() {
    let (builder, parse) = parse();
    let throwing = |text: &str, class: &str| {
        let mut test = parsed(parse, Some(text.into()), 1, 1);
        let mut thrower = TestBuilder { test: std::mem::take(&mut test.test), ..TestBuilder::default() };
        thrower.throws(class);
        thrower.finish()
    };
    let [bad, worse] = ["java/lang/IllegalArgumentException", "java/lang/IllegalStateException"];
    let suite = [throwing("a", bad), throwing("b", worse), throwing("c", bad), throwing("d", bad)];
    let printed = printed(&builder, &suite, tables());
    let expect = r#"    @ParameterizedTest
    @ValueSource(strings = {"a", "c", "d"})
    void parseThrowsIllegalArgumentException(String text) {
        assertThrows(IllegalArgumentException.class, () -> Foo.parse(text, 1));
    }
"#;
    assert!(members(&printed).starts_with(expect), "{}", members(&printed));
    let numbers: Vec<usize> = printed.tests.iter().map(|test| test.test).collect();
    assert_eq!(numbers, [0, 2, 3, 1]);
}

#[test]
fn few_tests_and_those_that_stay_apart_are_methods() {
    let (builder, parse) = parse();
    let test = |text: &str, expected| parsed(parse, Some(text.into()), 1, expected);
    let suite = ["a", "b", "c", "d"].map(|text| test(text, 3));
    let rows = |suite: &[AssertedTest], apart: &[usize]| {
        let apart: BTreeSet<usize> = apart.iter().copied().collect();
        let printed = printed(&builder, suite, Arrangement { apart, ..tables() });
        names(&printed).iter().filter(|name| name.ends_with(']')).count()
    };
    assert_eq!(rows(&suite, &[]), 4);
    assert_eq!(rows(&suite, &[1]), 3);
    assert_eq!(rows(&suite, &[1, 2]), 0);
    assert_eq!(rows(&suite[..2], &[]), 0);
    let long = ["a", "b", "c"].map(|text| test(&text.repeat(60), 3));
    assert_eq!(rows(&long, &[]), 0);
    let many: Vec<AssertedTest> = (0..50).map(|number| test(&format!("a{number}"), 3)).collect();
    let printed = printed(&builder, &many, tables());
    assert_eq!((printed.tests.len(), printed.text.matches("@ParameterizedTest").count()), (50, 3));
}

#[test]
fn tests_that_a_file_has_stay_what_they_are_and_new_rows_come_behind() {
    let (builder, parse) = parse();
    let test = |text: &str, name: Option<&str>| AssertedTest {
        name: name.map(Into::into),
        ..parsed(parse, Some(text.into()), 1, 3)
    };
    let suite = [
        test("new", None),
        test("c", Some("kept[3]")),
        test("a", Some("kept[1]")),
        test("method", Some("alone")),
    ];
    let both = printed(&builder, &suite, tables());
    assert_eq!(names(&both), ["kept[1]", "kept[2]", "kept[3]", "alone"]);
    assert!(members(&both).contains(r#"@ValueSource(strings = {"a", "c", "new"})"#), "{}", members(&both));
    let one = printed(&builder, &suite[2..3], tables());
    assert_eq!(names(&one), ["kept"]);
    let apart = printed(&builder, &suite, Arrangement::default());
    assert!(names(&apart).iter().all(|name| !name.contains('[')), "{:?}", names(&apart));
}

#[test]
fn a_variable_that_is_nothing_else_becomes_a_parameter() {
    let mut builder = ClusterBuilder::new("p/Foo");
    let echo = builder.callable(
        CallableKind::StaticMethod,
        FOO,
        "echo",
        "(Ljava/lang/String;)Ljava/lang/String;",
        &["text"],
    );
    let test = |text: &str| {
        let mut test = TestBuilder::default();
        let value = test.boxed(Value::String(text.into()));
        let result = test.call_static(echo, &[value]);
        test.assert(ObservationTarget::Same(result, value), ObservedValue::Primitive(Value::Boolean(true)));
        test.finish()
    };
    let printed = printed(&builder, &["a", "b", "c"].map(test), tables());
    let expect = "    @ParameterizedTest
    @ValueSource(strings = {\"a\", \"b\", \"c\"})
    void echoReturnsGivenString(String text2) {
        String text = new String(text2);
        assertSame(text, Foo.echo(text));
    }
";
    assert_eq!(members(&printed), expect);
}

#[test]
fn many_methods_have_classes_of_their_own() {
    let mut builder = ClusterBuilder::new("p/Foo");
    let methods: Vec<CallableId> = (0..12)
        .map(|number| {
            let letter = char::from(b'a' + number);
            let name =
                if number == 0 { "string".to_owned() } else { format!("get{}", letter.to_ascii_uppercase()) };
            builder.callable(CallableKind::StaticMethod, FOO, &name, "(I)I", &["index"])
        })
        .collect();
    let test = |method: CallableId, index: i32| {
        let mut test = TestBuilder::default();
        let argument = test.int(index);
        let result = test.call_static(method, &[argument]);
        test.assert_value(result, Value::Int(7));
        test.finish()
    };
    let mut suite: Vec<AssertedTest> = (0..3)
        .flat_map(|index| methods[..11].iter().map(move |&method| (method, index)))
        .map(|(method, index)| test(method, index))
        .collect();
    suite.push(test(methods[11], 0));
    let nested = Arrangement { nested: true, ..Arrangement::default() };
    let printed_nested = printed(&builder, &suite, nested.clone());
    let text = members(&printed_nested);
    let expect = "    @Test
    void getLReturnsSeven() {
        assertEquals(7, Foo.getL(0));
    }

    @Nested
    class StringMethod {
        @Test
        void stringReturnsSevenForZero() {
            assertEquals(7, Foo.string(0));
        }
";
    assert!(text.starts_with(expect), "{text}");
    assert_eq!(text.matches("@Nested").count(), 11);
    let of = |test: usize| printed_nested.tests[test].nested.as_deref();
    assert_eq!([of(0), of(1), of(4)], [None, Some("StringMethod"), Some("GetB")]);
    let few = printed(&builder, &suite[..30], nested.clone());
    assert!(!few.text.contains("@Nested"));
    let both = printed(&builder, &suite, Arrangement { tables: true, ..nested });
    // One parameterized test per method needs no class.
    assert!(
        !both.text.contains("@Nested") && both.text.matches("@ParameterizedTest").count() == 11,
        "{}",
        both.text
    );
}

#[test]
fn display_names_say_what_names_say() {
    let (builder, parse) = parse();
    let (hierarchy, goals) = (no_classes(), GoalSet::default());
    let suite = [parsed(parse, Some("".into()), 1, 3)];
    let of = |style: JunitStyle, names: NameScheme| {
        let class = builder.cluster.class_under_test.clone().unwrap();
        let writer = JunitWriter::new(&builder.cluster, &hierarchy, &goals, class, style);
        writer.named_by(names).with_display_names(true).write(&suite).text
    };
    let camel = of(JunitStyle::Jupiter, NameScheme::Camel);
    assert!(
        camel.contains("    @Test\n    @DisplayName(\"parse returns three for empty text\")\n    void "),
        "{camel}"
    );
    assert!(camel.contains("import org.junit.jupiter.api.DisplayName;\n"));
    let snake = of(JunitStyle::Jupiter, NameScheme::Snake);
    assert!(snake.contains("@DisplayName(\"parse: empty text, returns three\")"), "{snake}");
    assert!(!of(JunitStyle::Junit4, NameScheme::Camel).contains("DisplayName"));
}
