//! Mutants in instrumented classes: what a call gives while each of them is selected, and that what tells a mutant from
//! the original was seen as infection in the original's run.

use std::collections::BTreeSet;

use bytecode::analysis::AnalysisOptions;
use bytecode::instrument::Limits;
use bytecode::mutate::operator::MutationOperator;
use bytecode::probe_map::{MethodProbes, Mutant, SkipReason};

use crate::instrument::driver::{Call, InstrumentedClasses, Run, call};

const OPERATORS: &str = include_str!("../../../../../fixtures/mutants/Operators.java");

const MUTANTS: AnalysisOptions =
    AnalysisOptions { mutants: true, direct: false, statements: false, blocks: false };

fn with_mutants(source: &str) -> InstrumentedClasses {
    InstrumentedClasses::full_with(&fixture::compile(source), MUTANTS)
}

/// What a comment expects: the call, what it gives, and by mutant what it gives.
struct Expectation<'s> {
    method: &'s str,
    arguments: Vec<&'s str>,
    result: &'s str,
    mutants: Vec<(&'s str, &'s str, &'s str)>,
}

impl Expectation<'_> {
    fn parse(line: &str) -> Option<Expectation<'_>> {
        let (original, mutants) = line.trim().strip_prefix("// ")?.split_once("; ")?;
        let (called, result) = original.split_once(" is ")?;
        let (method, arguments) = called.strip_suffix(')')?.split_once('(')?;
        let mutants = mutants.split("; ").map(|part| {
            let (change, result) = part.rsplit_once(" is ").unwrap();
            let (from, to) = change.split_once(" by ").unwrap();
            (from, to, result)
        });
        let arguments = arguments.split(',').filter(|argument| !argument.is_empty()).collect();
        Some(Expectation { method, arguments, result, mutants: mutants.collect() })
    }

    fn call(&self) -> Call {
        call(self.method, &self.arguments)
    }
}

fn ending(run: &Run) -> &str {
    match run.ending.strip_prefix("returned ") {
        Some(value) => value,
        None => run.ending.rsplit('.').next().unwrap(),
    }
}

fn find<'m>(method: &'m MethodProbes, from: &str, to: &str) -> &'m Mutant {
    let found = method.mutants.iter().find(|mutant| &*mutant.from == from && &*mutant.to == to);
    found.unwrap_or_else(|| {
        let all: Vec<_> =
            method.mutants.iter().map(|mutant| format!("{} by {}", mutant.from, mutant.to)).collect();
        panic!("{}: no {from} by {to} in {all:?}", method.name)
    })
}

#[test]
fn a_selected_mutant_does_what_its_operator_says() {
    check_operators(&with_mutants(&format!("//- /Operators.java\n{OPERATORS}")));
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a class file is written")]
fn in_a_class_file_from_before_there_were_frames_as_well() {
    const BEFORE_FRAMES: u8 = 49;
    let compiled = fixture::compile(&format!("//- /Operators.java\n{OPERATORS}"));
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = compiled.bytes("Operators");
    bytes[7] = BEFORE_FRAMES;
    std::fs::write(folder.path().join("Operators.class"), bytes).unwrap();
    let aged = fixture::Compiled { folder: folder.path().to_owned() };
    check_operators(&InstrumentedClasses::full_with(&aged, MUTANTS));
}

/// Runs what the comments of the fixture say.
fn check_operators(classes: &InstrumentedClasses) {
    let expectations: Vec<_> = OPERATORS.lines().filter_map(Expectation::parse).collect();
    assert!(expectations.len() > 30, "{}", expectations.len());
    let (mut calls, mut expected) = (Vec::new(), Vec::new());
    for one in &expectations {
        let method = classes.method("Operators", one.method);
        calls.push(one.call());
        expected.push((format!("{}{:?}", one.method, one.arguments), one.result));
        for &(from, to, result) in &one.mutants {
            calls.push(one.call().mutant(find(method, from, to).infection.0));
            expected.push((format!("{}{:?}, {from} by {to}", one.method, one.arguments), result));
        }
    }
    let runs = classes.run("Operators", &calls);
    for (run, (what, result)) in runs.iter().zip(&expected) {
        assert_eq!(ending(run), *result, "{what}");
    }
}

#[test]
fn what_a_mutant_changes_was_seen_as_infection() {
    let classes = with_mutants(&format!("//- /Operators.java\n{OPERATORS}"));
    let expectations: Vec<_> = OPERATORS.lines().filter_map(Expectation::parse).collect();
    let mutants = |one: &Expectation<'_>| &classes.method("Operators", one.method).mutants;
    let mut calls = Vec::new();
    for one in &expectations {
        calls.push(one.call());
        calls.extend(mutants(one).iter().map(|mutant| one.call().mutant(mutant.infection.0)));
    }
    let runs = classes.run("Operators", &calls);
    let mut rest = runs.iter();
    let mut infected = 0;
    for one in &expectations {
        let original = rest.next().unwrap();
        for (mutant, run) in mutants(one).iter().zip(rest.by_ref().take(mutants(one).len())) {
            let reached = original.count(mutant.probe.0) > 0;
            let distance = original.distances[mutant.infection.index()];
            let is_infected = reached && distance == 0.0;
            assert!(!reached || distance >= 0.0);
            assert!(!reached || !mutant.always_infected || is_infected, "{}: {}", one.method, mutant.words);
            if run.ending != original.ending {
                assert!(is_infected, "{}{:?}: {}", one.method, one.arguments, mutant.words);
            }
            infected += usize::from(is_infected);
        }
    }
    assert!(infected > 100, "{infected}");
}

#[test]
fn a_class_that_carries_some_of_its_places_tells_of_these_what_it_told_with_all() {
    let compiled = fixture::compile(&format!("//- /Operators.java\n{OPERATORS}"));
    let all = InstrumentedClasses::full_with(&compiled, MUTANTS);
    let again = InstrumentedClasses::again_with(&compiled, MUTANTS, |_| true);
    assert!(again.bytes("Operators") == all.bytes("Operators"));
    let none = InstrumentedClasses::again_with(&compiled, MUTANTS, |_| false);
    let calls_of_mutants = b"covolve/runtime/Mutant";
    let has_calls = |classes: &InstrumentedClasses| {
        classes.bytes("Operators").windows(calls_of_mutants.len()).any(|window| window == calls_of_mutants)
    };
    assert!(has_calls(&all) && !has_calls(&none));

    let some = InstrumentedClasses::again_with(&compiled, MUTANTS, |point| point.0 % 2 == 0);
    let calls: Vec<Call> =
        OPERATORS.lines().filter_map(|line| Some(Expectation::parse(line)?.call())).collect();
    let mutants = || all.map("Operators").methods.iter().flat_map(|method| &method.mutants);
    let points: BTreeSet<u32> = mutants().map(|mutant| mutant.probe.0).collect();
    for (all, some) in all.run("Operators", &calls).iter().zip(some.run("Operators", &calls)) {
        assert_eq!(all.ending, some.ending);
        let kept = |&&(probe, _): &&(u32, u32)| probe % 2 == 0 || !points.contains(&probe);
        assert!(all.hits.iter().filter(kept).eq(&some.hits));
        for mutant in mutants().filter(|mutant| some.count(mutant.probe.0) > 0) {
            let at = mutant.infection.index();
            assert!(all.distances[at].total_cmp(&some.distances[at]).is_eq(), "{}", mutant.words);
        }
    }
}

#[test]
fn mutants_of_a_comparison_in_a_loop_have_the_distance_of_the_round_that_came_nearest() {
    let classes = with_mutants(
        "
//- /Loop.java
public class Loop {
    public static int below(int first, int step, int rounds) {
        int found = 0;
        for (int round = 0, i = first; round < rounds; round++, i += step) if (i < 10) found++;
        return found;
    }
}
",
    );
    let method = classes.method("Loop", "below");
    let distances = |arguments: [&str; 3]| {
        let runs = classes.run("Loop", &[call("below", &arguments)]);
        let comparison = method.mutants.iter().filter(|mutant| mutant.line == Some(4)).collect::<Vec<_>>();
        // The second comparison of the line.
        let of = |to: &str| {
            let found = comparison.iter().rfind(|mutant| &*mutant.from == "<" && &*mutant.to == to).unwrap();
            runs[0].distances[found.infection.index()]
        };
        ["<=", "==", ">", "!=", ">="].map(of)
    };
    // Upward: each round nearer than the last one.
    assert_eq!(distances(["0", "3", "3"]), [4.0, 0.0, 0.0, 5.0, 0.0]);
    // Downward: the first one was the nearest.
    assert_eq!(distances(["6", "-3", "3"]), [4.0, 0.0, 0.0, 5.0, 0.0]);
    // On both sides, never equal: the nearer side counts.
    assert_eq!(distances(["13", "-4", "4"]), [1.0, 0.0, 0.0, 0.0, 0.0]);
    // From above, ever nearer.
    assert_eq!(distances(["20", "-4", "3"]), [2.0, 2.0, 0.0, 0.0, 0.0]);
    // Equal at last.
    assert_eq!(distances(["7", "1", "4"])[0], 0.0);
}

#[test]
fn mutants_of_a_comparison_have_the_distance_of_the_nearest_difference_that_tells_them_apart() {
    let classes = with_mutants(&format!("//- /Operators.java\n{OPERATORS}"));
    let method = classes.method("Operators", "less");
    let distances = |first: &str| {
        let runs = classes.run("Operators", &[call("less", &[first, "10"])]);
        ["<=", "==", ">", "!=", ">="].map(|to| runs[0].distances[find(method, "<", to).infection.index()])
    };
    assert_eq!(distances("7"), [3.0, 0.0, 0.0, 4.0, 0.0]);
    assert_eq!(distances("10"), [0.0, 0.0, 1.0, 1.0, 0.0]);
    assert_eq!(distances("14"), [4.0, 4.0, 0.0, 0.0, 0.0]);
    assert_eq!(distances("-2147483648")[0], 2_147_483_658.0);
}

#[test]
fn a_variable_takes_the_place_of_another_one_only_where_the_frames_that_follow_allow_it() {
    let classes = with_mutants(
        "
//- /Receivers.java
import java.util.*;
public class Receivers {
    interface Shape { int sum(int more, int most); }
    static class Round implements Shape { public int sum(int more, int most) { return more + most; } }
    static int one() { return 1; }
    static Shape given() { return (more, most) -> more - most; }
    // The verifier knows the receiver by its class, the other variable by its declaration.
    public static int receiver(int number) {
        Shape other = given();
        Shape own = new Round();
        return own.sum(number > 3 ? one() : 2, one());
    }
    public static int argument(int number) {
        List<Integer> other = Arrays.asList(number);
        List<Integer> own = new ArrayList<>();
        Collections.addAll(own, one(), number > 3 ? one() : 2);
        return own.size() + other.size();
    }
    public static String nothing(int number) {
        String other = \"x\";
        String own = null;
        return String.format(own, one(), number > 3 ? other : own);
    }
    // It knows the same of both.
    public static int same(int number) {
        Shape other = new Round();
        Shape own = new Round();
        return own.sum(number > 3 ? one() : 2, one());
    }
    public static int declared(int number, Shape other, Shape own) {
        return own.sum(number > 3 ? one() : 2, one());
    }
}
",
    );
    let replaced = |method: &str| {
        let all = classes.method("Receivers", method).mutants.iter();
        all.filter(|mutant| (&*mutant.from, &*mutant.to) == ("own", "other")).count()
    };
    assert_eq!([replaced("receiver"), replaced("argument"), replaced("nothing")], [0, 1, 1]);
    assert_eq!([replaced("same"), replaced("declared")], [1, 1]);
    let calls = ["receiver", "argument", "same"].map(|method| call(method, &["4"]));
    let endings: Vec<_> = classes.run("Receivers", &calls).iter().map(|run| run.ending.clone()).collect();
    assert_eq!(endings, ["returned 2", "returned 3", "returned 2"]);
    let mutant = find(classes.method("Receivers", "same"), "own", "other").infection.0;
    let run = &classes.run("Receivers", &[call("same", &["4"]).mutant(mutant)])[0];
    assert_eq!(run.ending, "returned 2");
}

#[test]
fn what_cannot_be_told_from_the_original_is_no_mutant() {
    let classes = with_mutants(
        "
//- /Same.java
class Same {
    static int f(int x, int[] all) { return (x + 0) * 1 + (x << 32) + (all.length == 0 ? 1 : 0); }
    static String empty() { return \"\"; }
    static int zero() { return 0; }
    static Object nothing() { return null; }
    static { System.getProperty(\"a\"); }
}
",
    );
    let words = |method: &str| {
        let mutants = &classes.method("Same", method).mutants;
        mutants.iter().map(|mutant| (&*mutant.from, &*mutant.to)).collect::<Vec<_>>()
    };
    let of_f = words("f");
    for missing in [("+", "-"), ("*", "/"), ("<<", ">>")] {
        let count = of_f.iter().filter(|change| **change == missing).count();
        // Two other sums are there.
        assert_eq!(count, if missing.0 == "+" { 2 } else { 0 }, "{missing:?}");
    }
    assert!(!of_f.contains(&("==", "<=")), "a length is not below 0");
    assert_eq!(words("empty"), []);
    assert_eq!(words("zero"), [("0", "1")]);
    assert_eq!(words("nothing"), []);
    assert_eq!(words("<clinit>"), []);
}

#[test]
fn a_method_that_cannot_carry_its_mutants_keeps_the_full_set_and_is_marked() {
    let line = "x += x * 3 - y; y ^= x; ";
    let source = format!(
        "//- /Large.java\nclass Large {{ static int f(int x, int y) {{ {} return x; }} }}",
        line.repeat(5400)
    );
    let classes = with_mutants(&source);
    let method = classes.method("Large", "f");
    assert!(method.lacks_mutants && !method.mutants.is_empty());
    assert_eq!(classes.run("Large", &[call("f", &["1", "2"])])[0].count(method.entry.0), 1);
}

#[test]
fn what_a_method_may_not_carry_is_left_out_and_the_others_carry_everything() {
    let compiled = fixture::compile(&format!("//- /Operators.java\n{OPERATORS}"));
    let all = InstrumentedClasses::full_with(&compiled, MUTANTS);
    let less = all.method("Operators", "less");
    let refused = format!("{}{}", less.name, less.descriptor);
    let mut limits = Limits::default();
    let others = |classes: &InstrumentedClasses| {
        let methods = classes.map("Operators").methods.iter().filter(|method| *method.name != *"less");
        methods.cloned().collect::<Vec<_>>()
    };
    for is_full in [true, false, false] {
        limits.weaken(Some(&refused)).unwrap();
        let limited = InstrumentedClasses::limited(&compiled, MUTANTS, &limits);
        assert_eq!(others(&limited), others(&all));
        let run = &limited.run("Operators", &[call("less", &["2", "3"])])[0];
        assert_eq!(run.ending, "returned true");
        assert_eq!((run.count(less.mutants[0].probe.0), run.count(less.entry.0)), (0, is_full.into()));
        let map = limited.map("Operators");
        let method = map.methods.iter().find(|method| *method.name == *"less");
        let mutants = method.map(|method| (method.lacks_mutants, method.mutants.len()));
        assert_eq!(mutants, is_full.then_some((true, less.mutants.len())));
        let skipped = map.skipped.iter().find(|skipped| *skipped.method == *refused);
        assert_eq!(skipped.map(|skipped| skipped.reason), (!is_full).then_some(SkipReason::Refused));
    }
    assert!(limits.is_as_compiled(Some(&refused)));
}

#[test]
fn mutants_say_which_operator_of_two_numbers_they_replace() {
    let classes = with_mutants(&format!("//- /Operators.java\n{OPERATORS}"));
    let mut with_signs = BTreeSet::new();
    for mutant in classes.maps.iter().flat_map(|map| &map.methods).flat_map(|method| &method.mutants) {
        if let Some((from, to)) = mutant.signs {
            assert_eq!((&*mutant.from, &*mutant.to), (from.text(), to.text()));
            with_signs.insert(mutant.operator);
        }
        let replaces =
            [MutationOperator::Comparison, MutationOperator::Arithmetic, MutationOperator::Bitwise];
        assert_eq!(mutant.signs.is_some(), replaces.contains(&mutant.operator), "{}", mutant.words);
    }
    assert_eq!(with_signs.len(), 3);
}
