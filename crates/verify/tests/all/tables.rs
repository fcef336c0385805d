//! Rows of parameterized tests, and tests in classes, in real JVMs with a real JUnit.

use std::time::Duration;

use bytecode::name::ClassName;
use output::junit::printed::{PrintedSuite, PrintedTest};
use verify::jvm::TestEnd;
use verify::lane::{Compiled, Judges, LaneBench};
use verify::protocol::{Outcome, Start};
use verify::rerun::rerun;
use verify::suite::{Selection, SuiteSource, TestName};
use verify::test_file::TestFile;
use verify::verifier::{Bench, Checked, Orders, verify};

const TEXT: &str = r#"package p;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowsTest {
    enum Color { RED, GREEN { } }

    @ParameterizedTest
    @CsvSource({
        "'', 0",
        "' a ', 3",
        "'it''s', 4",
        "'#,\\', 3",
        "'a\"b', 3",
        "two words, 9",
        "two, 3"
    })
    void first(String text, int expected) {
        assertEquals(expected, text.length());
    }

    @ParameterizedTest
    @CsvSource(value = {
        "null, RED, ' ', -2147483648",
        "a, GREEN, '''', 9223372036854775807"
    }, nullValues = "null")
    void second(String text, Color color, char letter, long number) {
        assertEquals(text == null ? Color.RED : Color.GREEN, color);
        assertEquals(text == null ? ' ' : '\'', letter);
        assertTrue(text == null ? number == Integer.MIN_VALUE : number == Long.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\ud800\n", "plain"})
    void third(String text) {
        assertEquals(text.length() == 2 ? 0xd800 : 'p', text.charAt(0));
    }

    @ParameterizedTest
    @CsvSource({"1.4E-45, NaN, -128", "3.4028235E38, -Infinity, 127"})
    void fourth(float small, double large, byte least) {
        assertTrue(least < 0 ? small == Float.MIN_VALUE : small == Float.MAX_VALUE);
        assertTrue(least < 0 ? large != large : large == Double.NEGATIVE_INFINITY);
    }

    @ParameterizedTest
    @CsvSource({"1", "x"})
    void fifth(int number) {
        assertEquals(1, number);
    }

    @Nested
    class Inner {
        @Test
        void sixth() {
        }

        @ParameterizedTest
        @MethodSource("p.RowsTest#seventhRows")
        void seventh(String text, byte number) {
            assertEquals(number, text.length());
        }
    }

    static Stream<Arguments> seventhRows() {
        return Stream.of(
                Arguments.of("a", (byte) 1),
                Arguments.of("b,", (byte) 2));
    }
}
"#;

fn name(class: &str, method: &str) -> TestName {
    TestName { class: class.into(), method: method.into() }
}

fn shown(ends: &[TestEnd]) -> Vec<String> {
    let show = |end: &TestEnd| match end {
        TestEnd::Outcome(Outcome::Passed) => "passed".to_owned(),
        TestEnd::Outcome(Outcome::Failed { line, message, .. }) => {
            format!("{line}: {}", message.split(';').next().unwrap_or_default())
        }
        other => format!("{other:?}"),
    };
    ends.iter().map(show).collect()
}

/// Gives a place to compile and run in, whose JUnit has parameterized tests.
fn on_a_bench(judge: impl FnOnce(&mut LaneBench<'_>)) {
    let junit = crate::support::machine::junit_with_parameters();
    let pool = crate::support::pool_with(junit, &crate::support::machine::environment());
    let mut lane = pool.take().unwrap();
    let compiled = Compiled {
        class_path: vec![fixture::compile("//- /p/A.java\npackage p;\nclass A {}\n").folder],
        source_level: 8,
    };
    let remaining = || Duration::from_mins(2);
    let mut bench = lane.bench(&compiled, Judges::Both, &remaining);
    judge(&mut bench);
    pool.put_back(lane);
}

#[test]
fn each_row_is_a_test_of_its_own_in_whatever_order() {
    on_a_bench(|bench| {
        let file = TestFile { path: "p/RowsTest.java".into(), text: TEXT.into() };
        let problems = bench.compile(vec![(file.path.clone(), file.text.clone())]).unwrap();
        assert!(problems.is_empty(), "{problems:?}");
        let outer = ["second[2]", "first[3]", "fifth[2]", "first[1]", "fifth[1]", "first[99]"];
        let mut order: Vec<TestName> = outer.iter().map(|method| name("p.RowsTest", method)).collect();
        order.extend(["seventh[2]", "sixth"].map(|method| name("p.RowsTest$Inner", method)));
        let backwards: Vec<TestName> = order.iter().rev().cloned().collect();
        for start in [Start::Fresh, Start::Used, Start::Alone] {
            let [ends, mut others] = bench.run_both([&order, &backwards], [start; 2]).unwrap();
            others.reverse();
            let ends = shown(&ends);
            assert_eq!(ends, shown(&others));
            assert!(ends[2].contains("Error converting parameter at index 0"), "{}", ends[2]);
            assert!(ends[5].contains("JUnit found no such test"), "{}", ends[5]);
            let passed = ends.iter().filter(|end| *end == "passed").count();
            assert_eq!(passed, 6, "{ends:?}");
        }
        let rerun = rerun(bench, &[file]).unwrap().remove(0);
        let failed: Vec<&str> = rerun.failed.iter().map(|failed| failed.test.as_str()).collect();
        assert_eq!((rerun.tests, failed), (18, vec!["fifth[2]"]));
    });
}

/// A table whose rows are numbers that the only assertion expects.
struct Numbers(Vec<i32>);

impl SuiteSource for Numbers {
    fn test_count(&self) -> usize {
        self.0.len()
    }

    fn print(&self, selection: &Selection) -> PrintedSuite {
        let left: Vec<usize> = (0..self.0.len()).filter(|&test| selection.keeps_test(test)).collect();
        let numbers: Vec<String> = left.iter().map(|&test| self.0[test].to_string()).collect();
        let text = format!(
            "package p;\nclass NumbersTest {{\n@org.junit.jupiter.params.ParameterizedTest\n\
             @org.junit.jupiter.params.provider.ValueSource(ints = {{{}}})\nvoid positive(int number) {{\n\
             if (number < 0) throw new IllegalStateException();\nif (number == 0) System.exit(0);\n}}\n}}\n",
            numbers.join(", ")
        );
        let test = |(row, &test): (usize, &usize)| PrintedTest {
            test,
            method: format!("positive[{}]", row + 1),
            nested: None,
            lines: 3..=8,
            assertions: Vec::new(),
            unsaid: Vec::new(),
        };
        let tests = left.iter().enumerate().map(test).collect();
        PrintedSuite { class: ClassName::new("p/NumbersTest"), text, tests, refused: Vec::new() }
    }
}

#[test]
fn rows_that_fail_go_alone() {
    on_a_bench(|bench| {
        let suite = Numbers(vec![1, -2, 3, 0, 5]);
        let orders = Orders { seed: 3, alone: true };
        let verification = verify(bench, &[&suite], Vec::new(), orders, &mut Checked::default()).unwrap();
        let mut dropped: Vec<(usize, String)> =
            verification.dropped.iter().map(|dropped| (dropped.test, dropped.cause.to_string())).collect();
        dropped.sort();
        assert_eq!(dropped.iter().map(|(test, _)| *test).collect::<Vec<_>>(), [1, 3]);
        assert!(dropped[0].1.ends_with("java.lang.IllegalStateException"), "{}", dropped[0].1);
        assert_eq!(dropped[1].1, "ended the JVM");
        let names = verification.suites[0].names.iter().map(|(test, name)| (*test, name.method.as_str()));
        assert_eq!(names.collect::<Vec<_>>(), [(0, "positive[1]"), (2, "positive[2]"), (4, "positive[3]")]);
    });
}
