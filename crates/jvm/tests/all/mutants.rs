//! Runs of mutants: which of them a test kills, and how far the others get.

use std::sync::Arc;

use crate::common::{Cluster, Worker, call, call_on, in_own_process, int, new};
use bytecode::analysis::AnalysisOptions;
use bytecode::probe_map::Mutant;
use bytecode::values::ValueOptions;
use testcase::cluster::CallableId;
use testcase::execution::{ExecutionTrace, Executor, Outcome, Touched};
use testcase::run_request::{MutantRuns, MutantTarget, RunRequest};
use testcase::test_case::TestCase;

const SOURCE: &str = "
//- /p/Maximum.java
package p;
public class Maximum {
    static int calls;
    public static int of(int a, int b) {
        note(a);
        if (a > b) return a;
        return b;
    }
    private static void note(int a) {
        if (a > 5) calls++;
    }
    public static int sum(int to) {
        int sum = 0;
        while (to > 0) { sum += to; to--; }
        return sum;
    }
}
";

#[test]
fn a_test_kills_what_it_tells_from_the_original_and_no_run_of_a_mutant_leaves_a_trace() {
    in_own_process(
        "mutants::a_test_kills_what_it_tells_from_the_original_and_no_run_of_a_mutant_leaves_a_trace",
        || {
            let compiled = fixture::compile(SOURCE);
            let mut cluster = Cluster::default();
            let of = cluster.static_method("p/Maximum", "of", "(II)I");
            let sum = cluster.static_method("p/Maximum", "sum", "(I)I");
            let mut worker = Worker::start_analyzed(
                &compiled,
                &["p/Maximum"],
                cluster,
                (AnalysisOptions::ALL, ValueOptions::default()),
                |_| (),
            );
            let mutants: Vec<Mutant> =
                worker.maps[0].methods.iter().flat_map(|method| method.mutants.clone()).collect();
            let find = |line: u32, from: &str, to: &str| -> Mutant {
                let is_it = |it: &&Mutant| (it.line, &*it.from, &*it.to) == (Some(line), from, to);
                mutants.iter().find(is_it).cloned().expect(to)
            };
            let target = |mutant: &Mutant| MutantTarget {
                infection: mutant.infection,
                propagation: mutant.propagation,
            };
            let all: Vec<_> = mutants.iter().map(target).collect();

            // Nobody asks: nothing is run again.
            assert_eq!(worker.run(&[int(7), int(3), call(of, &[0, 1])]), Outcome::Passed);
            assert_eq!(worker.result.mutant_runs, 0);

            worker.request = RunRequest::default().with_mutants(all, MutantRuns::Sparing);
            assert_eq!(worker.run(&[int(7), int(3), call(of, &[0, 1])]), Outcome::Passed);
            let trace = &worker.result.trace;
            let distances =
                |mutant: &Mutant| (trace.distance(mutant.infection), trace.distance(mutant.propagation));
            assert_eq!(distances(&find(6, ">", "<")), (0.0, 0.0));
            // Not infected: not run.
            assert_eq!(distances(&find(6, ">", ">=")), (4.0, f64::INFINITY));
            // Infected and propagated to other branches, but not to what the test sees.
            let (infection, propagation) = distances(&find(5, "call of note", "nothing"));
            assert!(infection == 0.0 && propagation > 0.0 && propagation < 1.0, "{propagation}");
            // Infected without any consequence.
            assert_eq!(distances(&find(10, "5", "6")), (0.0, 1.0));
            assert!(worker.result.mutant_runs > 5);
            let before = trace.clone();

            // The same again: nothing of a mutant is left.
            assert_eq!(worker.run(&[int(7), int(3), call(of, &[0, 1])]), Outcome::Passed);
            let again = &worker.result.trace;
            assert!(
                again.reached().iter().all(|&outcome| before.distance(outcome) == again.distance(outcome))
            );

            only_the_asked_say_something(&mut worker, of, &mutants, &find(6, ">", ">="), &before);

            // A mutant that does not end is not killed, and is given up after a while.
            let endless = find(14, "+= -1", "+= 1");
            worker.request = RunRequest::default().with_mutants(vec![target(&endless)], MutantRuns::Sparing);
            let mut runs = Vec::new();
            for _ in 0..4 {
                assert_eq!(worker.run(&[int(2), call(sum, &[0])]), Outcome::Passed);
                assert_ne!(worker.result.trace.distance(endless.propagation), 0.0);
                runs.push(worker.result.mutant_runs);
            }
            // With the original beside it.
            assert_eq!(runs, [2, 2, 2, 0]);
        },
    );
}

#[test]
fn mutants_of_a_test_that_takes_long_take_turns() {
    in_own_process("mutants::mutants_of_a_test_that_takes_long_take_turns", || {
        let compiled = fixture::compile(SOURCE);
        let mut cluster = Cluster::default();
        let sum = cluster.static_method("p/Maximum", "sum", "(I)I");
        let analyzed = (AnalysisOptions::ALL, ValueOptions::default());
        let mut worker = Worker::start_analyzed(&compiled, &["p/Maximum"], cluster, analyzed, |_| ());
        let mutants = worker.maps[0].methods.iter().flat_map(|method| method.mutants.clone());
        let target =
            |mutant: Mutant| MutantTarget { infection: mutant.infection, propagation: mutant.propagation };
        let all: Vec<_> = mutants.map(target).collect();
        let mut ran = |runs, times| {
            worker.request = RunRequest::default().with_mutants(all.clone(), runs);
            assert_eq!(worker.run(&[int(times), call(sum, &[0])]), Outcome::Passed);
            worker.result.mutant_runs
        };
        let short = ran(MutantRuns::All, 3);
        assert!(short > 10, "{short}");
        let (all, sparing) = (ran(MutantRuns::All, 1_500_000), ran(MutantRuns::Sparing, 1_500_000));
        assert!(all >= short - 2 && sparing < all / 2, "{sparing} of {all}");
    });
}

#[test]
fn what_an_inspector_tells_of_an_object_kills_as_well() {
    in_own_process("mutants::what_an_inspector_tells_of_an_object_kills_as_well", || {
        let compiled = fixture::compile(
            "
//- /p/Amount.java
package p;
public class Amount {
    private final int value;
    public Amount(int value) {
        this.value = value;
    }
    public Amount doubled() {
        return new Amount(value + value);
    }
    public int value() {
        return value;
    }
}
",
        );
        let mut cluster = Cluster::default();
        let make = cluster.constructor("p/Amount", "(I)V");
        let doubled = cluster.method("p/Amount", "doubled", "()Lp/Amount;");
        let value = cluster.method("p/Amount", "value", "()I");
        cluster.inspects(value);
        let mut worker = Worker::start_analyzed(
            &compiled,
            &["p/Amount"],
            cluster,
            (AnalysisOptions::ALL, ValueOptions::default()),
            |_| (),
        );
        let mutants = worker.maps[0].methods.iter().flat_map(|method| method.mutants.clone());
        let minus = mutants.into_iter().find(|it| (&*it.from, &*it.to) == ("+", "-")).expect("plus");
        let target = MutantTarget { infection: minus.infection, propagation: minus.propagation };
        worker.request = RunRequest::default().with_mutants(vec![target], MutantRuns::All);
        assert_eq!(worker.run(&[int(3), new(make, &[0]), call_on(1, doubled, &[])]), Outcome::Passed);
        assert_eq!(worker.result.trace.distance(minus.propagation), 0.0);
    });
}

#[test]
fn what_shows_nothing_is_asked_of_no_mutant() {
    in_own_process("mutants::what_shows_nothing_is_asked_of_no_mutant", || {
        let compiled = fixture::compile(
            "
//- /p/Sum.java
package p;
public class Sum {
    private int sum;
    public void add(int a, int b, int c) {
        if (sum < 8) sum = a + b * c;
    }
    public int sum() {
        return sum;
    }
    public int even() {
        if (sum % 2 != 0) throw new IllegalStateException();
        return sum;
    }
}
",
        );
        let mut cluster = Cluster::default();
        let make = cluster.constructor("p/Sum", "()V");
        let add = cluster.method("p/Sum", "add", "(III)V");
        for name in ["sum", "even"] {
            let inspector = cluster.method("p/Sum", name, "()I");
            cluster.inspects(inspector);
        }
        let analyzed = (AnalysisOptions::ALL, ValueOptions::default());
        let mut worker = Worker::start_analyzed(&compiled, &["p/Sum"], cluster, analyzed, |_| ());
        let mutants = worker.maps[0].methods.iter().flat_map(|method| method.mutants.clone());
        let all = mutants.map(|it| MutantTarget { infection: it.infection, propagation: it.propagation });
        let all: Vec<MutantTarget> = all.collect();
        worker.request = RunRequest::default().with_mutants(all.clone(), MutantRuns::All);
        // Beside those of mutants, the run without one comes twice where an inspector throws: with everything, and with what tells.
        for (to, originals) in [(4, 1), (5, 2)] {
            let test = [new(make, &[]), int(2), int(3), int(to), call_on(0, add, &[1, 2, 3])];
            assert_eq!(worker.run(&test), Outcome::Passed);
            let trace = &worker.result.trace;
            let infected = all.iter().filter(|mutant| trace.distance(mutant.infection) == 0.0).count();
            assert!(infected > 9, "{infected}");
            assert_eq!(worker.result.mutant_runs as usize, infected + originals);
        }
    });
}

#[test]
fn what_no_assertion_sees_tells_no_mutant() {
    in_own_process("mutants::what_no_assertion_sees_tells_no_mutant", || {
        let compiled = fixture::compile(
            "
//- /p/Parser.java
package p;
public class Parser {
    static class Wrong extends IllegalStateException { }
    static class VeryWrong extends Wrong { }
    public static Object parse(int text) {
        if (text > 5) throw new Wrong();
        if (text > 3) throw new VeryWrong();
        return text > 1 ? new Parser() : new Object();
    }
}
",
        );
        let mut cluster = Cluster::default();
        let parse = cluster.static_method("p/Parser", "parse", "(I)Ljava/lang/Object;");
        let mut worker = Worker::start_analyzed(
            &compiled,
            &["p/Parser"],
            cluster,
            (AnalysisOptions::ALL, ValueOptions::default()),
            |_| (),
        );
        let mutants: Vec<Mutant> =
            worker.maps[0].methods.iter().flat_map(|method| method.mutants.clone()).collect();
        let target = |line: u32, to: &str| {
            let is_it = |it: &&Mutant| (it.line, &*it.from, &*it.to) == (Some(line), ">", to);
            let mutant = mutants.iter().find(is_it).expect(to);
            MutantTarget { infection: mutant.infection, propagation: mutant.propagation }
        };
        let (first, second, third) = (target(6, "<"), target(7, "<"), target(8, "<"));
        worker.request = RunRequest::default().with_mutants(vec![first, second, third], MutantRuns::All);
        // What the test throws, or the class of what it gives, is another one with the mutant.
        for (text, mutant, is_told) in
            // Wrong by VeryWrong: a test that expects the one takes the other. No exception by one, and the class.
            [
                (7, first, false),
                (4, first, true),
                (4, second, true),
                (2, second, true),
                (2, third, false),
            ]
        {
            worker.run(&[int(text), call(parse, &[0])]);
            let distance = worker.result.trace.distance(mutant.propagation);
            assert_eq!(distance == 0.0, is_told, "{text}: {distance}");
            let test = TestCase::new(vec![int(text), call(parse, &[0])]);
            let original = worker.executor.observe(&test, &[]).outcome;
            let shown = worker.executor.observe_mutants(&test, &[mutant.infection], &[]);
            assert_eq!(shown[0].outcome != original, is_told, "{text}: {shown:?}");
        }
    });
}

#[test]
fn a_class_that_is_redefined_is_not_loaded_once_more() {
    in_own_process("mutants::a_class_that_is_redefined_is_not_loaded_once_more", || {
        let compiled = fixture::compile(
            "
//- /p/Timed.java
package p;
public class Timed {
    public static boolean isLate(int hours) {
        return System.currentTimeMillis() / 3600000 + hours > 0;
    }
}
",
        );
        let mut cluster = Cluster::default();
        let is_late = cluster.static_method("p/Timed", "isLate", "(I)Z");
        let mut worker = Worker::start_analyzed(
            &compiled,
            &["p/Timed"],
            cluster,
            (AnalysisOptions::ALL, ValueOptions::default()),
            |_| (),
        );
        let spend = |worker: &mut Worker| {
            let before = worker.executor.statistics();
            assert_eq!(worker.run(&[int(3), call(is_late, &[0])]), Outcome::Passed);
            assert!(worker.result.touched.intersects(Touched::CLOCK));
            let after = worker.executor.statistics();
            (after.runs - before.runs, after.redefinitions - before.redefinitions)
        };
        // What reads the clock runs once more where classes were loaded in it.
        spend(&mut worker);
        assert_eq!(spend(&mut worker), (1, 0));
        worker.request.outcomes = Some(Arc::new([]));
        assert_eq!(spend(&mut worker), (1, 1));
        worker.request.outcomes = None;
        assert_eq!(spend(&mut worker), (1, 1));
    });
}

#[test]
fn what_a_public_field_holds_kills_as_well() {
    in_own_process("mutants::what_a_public_field_holds_kills_as_well", || {
        let compiled = fixture::compile(
            "
//- /p/Sum.java
package p;
public class Sum {
    public int total;
    public void add(int value) {
        total = total + value;
    }
}
",
        );
        let mut cluster = Cluster::default();
        let make = cluster.constructor("p/Sum", "()V");
        let add = cluster.method("p/Sum", "add", "(I)V");
        let total = cluster.field("p/Sum", "total", "I", 1);
        cluster.tells(total);
        let asked = (AnalysisOptions::ALL, ValueOptions::default());
        let mut worker = Worker::start_analyzed(&compiled, &["p/Sum"], cluster, asked, |_| ());
        let mutants = worker.maps[0].methods.iter().flat_map(|method| method.mutants.clone());
        let minus = mutants.into_iter().find(|it| (&*it.from, &*it.to) == ("+", "-")).expect("plus");
        let target = MutantTarget { infection: minus.infection, propagation: minus.propagation };
        worker.request = RunRequest::default().with_mutants(vec![target], MutantRuns::All);
        assert_eq!(worker.run(&[new(make, &[]), int(3), call_on(0, add, &[1])]), Outcome::Passed);
        assert_eq!(worker.result.trace.distance(minus.propagation), 0.0);
    });
}

/// Mutation points that nobody asks about record nothing, the others what they recorded before, and all of them when all are
/// asked about.
fn only_the_asked_say_something(
    worker: &mut Worker,
    of: CallableId,
    mutants: &[Mutant],
    asked: &Mutant,
    before: &ExecutionTrace,
) {
    let test = [int(7), int(3), call(of, &[0, 1])];
    worker.request.outcomes = Some(Arc::new([asked.infection]));
    for _ in 0..2 {
        assert_eq!(worker.run(&test), Outcome::Passed);
        let trace = &worker.result.trace;
        let infectable: Vec<_> =
            mutants.iter().filter(|it| trace.distance(it.infection).is_finite()).collect();
        assert!(infectable.iter().all(|it| it.probe == asked.probe) && !infectable.is_empty());
        assert_eq!(trace.distance(asked.infection), before.distance(asked.infection));
    }
    worker.request.outcomes = None;
    assert_eq!(worker.run(&test), Outcome::Passed);
    let again = &worker.result.trace;
    assert!(again.reached().iter().all(|&outcome| before.distance(outcome) == again.distance(outcome)));
    assert_eq!(again.reached().len(), before.reached().len());
}
