//! Goals on what can be seen of values, end to end: listed as sentences, covered, and there in the delivered file.

use std::process::Command;

use crate::support::{covolve, generated};
use cli::goals::ClassGoals;
use cli::json::ClassReport;
use fixture::Compiled;

const TANK: &str = include_str!("../../../../fixtures/observers/Tank.java");
const POINT: &str = include_str!("../../../../fixtures/observers/Point.java");
const CELL: &str = include_str!("../../../../fixtures/observers/Cell.java");

fn compile(class: &str, source: &str) -> Compiled {
    fixture::compile(&format!("//- /observers/{class}.java\n{source}"))
}

/// A goal on a value: method, what is looked at, partition of values.
type ValueGoal = (String, String, String);

/// The goals of a class as the command lists them.
fn goals(compiled: &Compiled, class: &str, criteria: &str) -> Vec<ValueGoal> {
    let output = Command::new(covolve())
        .args(["goals", "--class", class, "--criterion", criteria, "--json", "--cp"])
        .arg(&compiled.folder)
        .output()
        .expect("it starts");
    let listed: ClassGoals = serde_json::from_slice(&output.stdout).expect("goals are JSON");
    let simple = class.rsplit('.').next().expect("a name");
    let parts = listed.goals.iter().map(|goal| {
        let (value, rest) = goal.goal.rsplit_once(" of ").expect("the value of a method");
        let (_, class) = rest.rsplit_once(" is ").expect("a partition of values");
        let name = goal.method.split('(').next().expect("a name").replace("<init>", simple);
        (name, value.to_owned(), class.to_owned())
    });
    parts.collect()
}

/// The goals that comments of a fixture promise for the methods below them.
fn promised(source: &str) -> Vec<ValueGoal> {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let mut goals = Vec::new();
    for pair in lines.windows(2) {
        let Some(comment) = pair[0].strip_prefix("// ") else { continue };
        let name = pair[1].split('(').next().and_then(|head| head.split(' ').next_back()).expect("a method");
        for value in comment.split("; ") {
            let (value, classes) = value.split_once(": ").expect("a value and its classes");
            let (asked, of) = value.split_at(value.rfind(' ').map_or(0, |space| space + 1));
            let of =
                of.parse::<u32>().map_or_else(|_| format!("the {of}"), |of| format!("argument {}", of + 1));
            for class in classes.split(", ") {
                goals.push((name.to_owned(), format!("{asked}{of}"), class.to_owned()));
            }
        }
    }
    goals
}

/// Generates tests with a criterion; gives the report and the delivered file.
fn generate(compiled: &Compiled, class: &str, criteria: &str) -> (ClassReport, String) {
    let always = ["--budget", "3000executions", "--algorithm", "dynamosa"];
    generated(compiled, &[&["--class", class, "--criterion", criteria], &always[..]].concat())
}

/// The strings that assertions of a file expect.
fn asserted_strings(file: &str) -> Vec<&str> {
    let expected = file.lines().filter_map(|line| line.trim().strip_prefix("assertEquals(\""));
    expected.filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn inspectors_of_arguments_are_goals_that_delivered_tests_cover() {
    let compiled = compile("Tank", TANK);
    let promised = promised(TANK);
    assert_eq!(goals(&compiled, "observers.Tank", "input"), promised);
    let (report, file) = generate(&compiled, "observers.Tank", "input");
    let [row] = &report.criteria[..] else { panic!("{:?}", report.criteria) };
    assert_eq!((row.goals, row.covered), (promised.len(), promised.len()), "{:?}", report.open_goals);
    // What the method was given, as it says itself.
    let told = asserted_strings(&file);
    for part in ["no tank", "below", "empty", "above", "open", "shut"] {
        assert!(told.iter().any(|told| told.contains(part)), "{part}: {file}");
    }
}

#[test]
fn public_fields_are_goals_that_delivered_tests_cover() {
    let compiled = compile("Point", POINT);
    let mut promised = promised(POINT);
    // The goals of one criterion come before those of the other.
    promised.sort_by_key(|(_, value, _)| !value.ends_with("result"));
    assert_eq!(goals(&compiled, "observers.Point", "output,input"), promised);
    let (report, file) = generate(&compiled, "observers.Point", "output,input");
    let open: Vec<&str> = report.open_goals.iter().map(|open| open.goal.as_str()).collect();
    let never =
        ["null", "empty"].map(|class| format!("the result of observers.Point.where(Point) is {class}"));
    assert_eq!(open, never);
    let told = asserted_strings(&file);
    for part in ["nowhere", "left", "middle", "right", "unnamed", "blank", " named"] {
        assert!(told.iter().any(|told| told.contains(part)), "{part}: {file}");
    }
    // What the result holds is asserted, for what nothing else tells of it.
    for (expected, field) in [("0, ", ".x)"), ("-", ".x)"), ("\"", ".name)"), ("\"\", ", ".name)")] {
        let asserted = format!("assertEquals({expected}");
        let is_read = |line: &str| line.trim().starts_with(&asserted) && line.contains(field);
        assert!(file.lines().any(is_read), "{expected} of {field}: {file}");
    }
}

#[test]
fn mutants_that_only_public_fields_show_are_killed_and_asserted() {
    let compiled = compile("Cell", CELL);
    let (report, file) = generate(&compiled, "observers.Cell", "strong-mutation");
    let [row] = &report.criteria[..] else { panic!("{:?}", report.criteria) };
    assert!(row.goals > 10, "{row:?}");
    assert_eq!(row.goals, row.covered, "{:?}", report.open_goals);
    for field in [".sum)", ".last.intValue())"] {
        let is_asserted = |line: &str| line.trim().starts_with("assertEquals(") && line.contains(field);
        assert!(file.lines().any(is_asserted), "{field}: {file}");
    }
}

/// Gives values of the JDK, and objects of which the declared type tells nothing.
const GIVES: &str = r#"
//- /observers/Gives.java
package observers;

import java.math.*;
import java.net.*;
import java.time.*;
import java.util.*;
import java.util.regex.Pattern;
import javax.xml.namespace.QName;

public class Gives {
    private Gives() { }
    public static BigDecimal decimal() { return new BigDecimal("10.50"); }
    public static BigInteger integer() { return BigInteger.TEN; }
    public static URI uri() { return URI.create("a/b"); }
    public static URL url() throws Exception { return new URL("http://example.com/a"); }
    public static Duration duration() { return Duration.ofSeconds(90); }
    public static Instant instant() { return Instant.ofEpochSecond(1); }
    public static LocalDate date() { return LocalDate.of(2020, 2, 29); }
    public static LocalDateTime dateTime() { return LocalDateTime.of(2020, 2, 29, 1, 2); }
    public static LocalTime time() { return LocalTime.of(1, 2); }
    public static MonthDay monthDay() { return MonthDay.of(2, 29); }
    public static OffsetDateTime offsetDateTime() { return OffsetDateTime.of(dateTime(), ZoneOffset.UTC); }
    public static OffsetTime offsetTime() { return OffsetTime.of(time(), ZoneOffset.ofHours(1)); }
    public static Period period() { return Period.ofDays(3); }
    public static YearMonth yearMonth() { return YearMonth.of(2020, 2); }
    public static ZoneId zone() { return ZoneId.of("Europe/Paris"); }
    public static ZoneOffset offset() { return ZoneOffset.ofHours(2); }
    public static ZonedDateTime zonedDateTime() { return ZonedDateTime.of(dateTime(), zone()); }
    public static Currency currency() { return Currency.getInstance("EUR"); }
    public static Locale locale() { return Locale.CANADA_FRENCH; }
    public static UUID uuid() { return new UUID(1, 2); }
    public static Pattern pattern() { return Pattern.compile("a+"); }
    public static QName qName() { return new QName("urn:x", "y"); }
    public static Object some() { return new Mark(3); }
    public static Money money() { return new Money(); }
    private static class Mark {
        private final int points;
        Mark(int points) { this.points = points; }
        @Override public String toString() { return points + " points"; }
    }
    public static class Money {
        public BigDecimal getAmount() { return new BigDecimal("1.20"); }
    }
}
"#;

#[test]
fn values_of_the_jdk_are_asserted_by_what_makes_them_and_others_by_what_they_say() {
    let compiled = fixture::compile(GIVES);
    let (_, file) = generated(&compiled, &["--class", "observers.Gives", "--budget", "1000executions"]);
    for asserted in [
        r#"(new BigDecimal("10.50"), Gives.decimal())"#,
        r#"(new BigInteger("10"), Gives.integer())"#,
        r#"(URI.create("a/b"), Gives.uri())"#,
        r#"("http://example.com/a", Gives.url().toString())"#,
        r#"(Duration.parse("PT1M30S"), Gives.duration())"#,
        r#"(Instant.parse("1970-01-01T00:00:01Z"), Gives.instant())"#,
        r#"(LocalDate.parse("2020-02-29"), Gives.date())"#,
        r#"(LocalDateTime.parse("2020-02-29T01:02"), Gives.dateTime())"#,
        r#"(LocalTime.parse("01:02"), Gives.time())"#,
        r#"(MonthDay.parse("--02-29"), Gives.monthDay())"#,
        r#"(OffsetDateTime.parse("2020-02-29T01:02Z"), Gives.offsetDateTime())"#,
        r#"(OffsetTime.parse("01:02+01:00"), Gives.offsetTime())"#,
        r#"(Period.parse("P3D"), Gives.period())"#,
        r#"("2020-02", Gives.yearMonth().toString())"#,
        r#"(ZoneId.of("Europe/Paris"), Gives.zone())"#,
        r#"(ZoneOffset.of("+02:00"), Gives.offset())"#,
        r#"(ZonedDateTime.parse("2020-02-29T01:02+01:00[Europe/Paris]"), Gives.zonedDateTime())"#,
        r#"(Currency.getInstance("EUR"), Gives.currency())"#,
        r#"("fr_CA", Gives.locale().toString())"#,
        r#"(UUID.fromString("00000000-0000-0001-0000-000000000002"), Gives.uuid())"#,
        r#"("a+", Gives.pattern().toString())"#,
        r#"(QName.valueOf("{urn:x}y"), Gives.qName())"#,
        r#"("3 points", Gives.some().toString())"#,
        r#"new BigDecimal("1.20"), "#,
    ] {
        assert!(file.contains(asserted), "{asserted}: {file}");
    }
    assert!(!file.contains("assertNotNull"), "{file}");
    // The name says what it is where the value has no word.
    assert!(file.contains("void dateReturnsLocalDate()"), "{file}");
}
