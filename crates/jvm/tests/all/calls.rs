//! Calls by the test itself are told apart from those by other code.

use crate::common::{Cluster, Worker, call, call_on, in_own_process, int, new};
use bytecode::analysis::AnalysisOptions;
use bytecode::probe_map::{Evidence, MethodProbes};
use bytecode::values::ValueOptions;
use testcase::execution::Outcome;
use testcase::statement::Statement;

const CALLS: &str = "
//- /p/Calls.java
package p;
public class Calls extends Base<String> {
    private static final int MADE = inner(7);
    public Calls() { this(3); }
    public Calls(int size) { if (size > 3) hidden(); }
    public static int outer(int value) {
        long wide = 1L;
        for (double step = 0; step < 2; step++) wide += inner(value);
        return (int) wide;
    }
    public static int inner(int value) {
        if (value > 3) return 1;
        return 2;
    }
    public static int factorial(int value) {
        if (value < 2) return 1;
        return value * factorial(value - 1);
    }
    public static int positive(int value) {
        if (value <= 0) throw new IllegalArgumentException();
        return value;
    }
    private void hidden() { }
    @Override public int accept(String text) { return text == null ? 0 : 1; }
    public static String sorted() {
        java.util.List<String> texts = new java.util.ArrayList<>(java.util.Arrays.asList(\"b\", \"a\"));
        texts.sort((one, other) -> one.compareTo(other));
        return texts.get(0);
    }
}
abstract class Base<T> {
    public abstract int accept(T value);
    public int both(T value) { return accept(value) + accept(value); }
}
";

/// What a test shows of a method: hits of its entry and of its returns, then those by calls of the test itself; taken
/// outcomes of its branches, then those in such calls.
fn shown(worker: &Worker, name: &str, descriptor: &str) -> [Vec<u32>; 4] {
    let methods =
        worker.maps.iter().filter(|map| map.class.as_str() == "p/Calls").flat_map(|map| &map.methods);
    let is_it = |method: &&MethodProbes| &*method.name == name && &*method.descriptor == descriptor;
    let method = methods.into_iter().find(is_it).expect("it is there");
    let direct = method.direct.expect("its calls are told apart");
    let trace = &worker.result.trace;
    let returns = method.returns.as_ref().expect("it returns").probe;
    let hits = [method.entry, returns].map(|probe| [trace.count(probe), trace.count(direct.probe(probe))]);
    let outcomes = method.branches.iter().flat_map(|branch| &branch.outcomes);
    let taken = outcomes.map(|outcome| {
        [outcome.id, direct.outcome(outcome.id)].map(|id| u32::from(trace.shows(Evidence::Taken(id))))
    });
    let taken: Vec<[u32; 2]> = taken.collect();
    let column = |pairs: &[[u32; 2]], index: usize| pairs.iter().map(|pair| pair[index]).collect();
    [column(&hits, 0), column(&hits, 1), column(&taken, 0), column(&taken, 1)]
}

#[test]
fn what_the_test_calls_is_told_apart() {
    in_own_process("calls::what_the_test_calls_is_told_apart", || {
        let compiled = fixture::compile(CALLS);
        let mut cluster = Cluster::default();
        let outer = cluster.static_method("p/Calls", "outer", "(I)I");
        let inner = cluster.static_method("p/Calls", "inner", "(I)I");
        let factorial = cluster.static_method("p/Calls", "factorial", "(I)I");
        let positive = cluster.static_method("p/Calls", "positive", "(I)I");
        let made = cluster.constructor("p/Calls", "()V");
        let accept = cluster.method("p/Base", "accept", "(Ljava/lang/Object;)I");
        let both = cluster.method("p/Base", "both", "(Ljava/lang/Object;)I");
        let null = Statement::Null { of: cluster.ty("Ljava/lang/Object;") };
        let mut worker = Worker::start_analyzed(
            &compiled,
            &["p/Base", "p/Calls"],
            cluster,
            (AnalysisOptions::ALL, ValueOptions::default()),
            |_| (),
        );
        let mut check = |statements: &[Statement], method: (&str, &str), expect: [&[u32]; 4]| {
            let outcome = worker.run(statements);
            assert!(matches!(outcome, Outcome::Passed | Outcome::Threw(_)), "{outcome:?}");
            assert_eq!(shown(&worker, method.0, method.1), expect.map(<[u32]>::to_vec), "{method:?}");
        };
        let of_int = |name| (name, "(I)I");
        // The initializer has called it once, for every test that uses the class.
        check(&[int(9), call(outer, &[0])], of_int("inner"), [&[3, 3], &[0, 0], &[0, 1], &[0, 0]]);
        check(&[int(9), call(inner, &[0])], of_int("inner"), [&[2, 2], &[1, 1], &[0, 1], &[0, 1]]);
        check(
            &[int(9), call(outer, &[0]), int(1), call(inner, &[2])],
            of_int("inner"),
            [&[4, 4], &[1, 1], &[1, 1], &[1, 0]],
        );
        check(&[int(3), call(factorial, &[0])], of_int("factorial"), [&[3, 3], &[1, 1], &[1, 1], &[1, 0]]);
        check(&[int(0), call(positive, &[0])], of_int("positive"), [&[1, 0], &[1, 0], &[0, 1], &[0, 1]]);
        let constructors = [(("<init>", "()V"), 1), (("<init>", "(I)V"), 0)];
        for ((name, descriptor), direct) in constructors {
            worker.run(&[new(made, &[])]);
            assert_eq!(
                shown(&worker, name, descriptor)[..2],
                [vec![1, 1], vec![direct, direct]],
                "{descriptor}"
            );
        }
        // An override, through the bridge that the compiler made.
        let receiver = || vec![new(made, &[]), null.clone()];
        let accepted = ("accept", "(Ljava/lang/String;)I");
        for (called, hits, direct) in [(accept, 1, 1), (both, 2, 0)] {
            worker.run(&[receiver(), vec![call_on(0, called, &[1])]].concat());
            assert_eq!(
                shown(&worker, accepted.0, accepted.1)[..2],
                [vec![hits, hits], vec![direct, direct]],
                "{called:?}"
            );
        }
    });
}

#[test]
fn what_branches_compared_is_told_apart_as_well() {
    in_own_process("calls::what_branches_compared_is_told_apart_as_well", || {
        let compiled = fixture::compile(CALLS);
        let mut cluster = Cluster::default();
        let outer = cluster.static_method("p/Calls", "outer", "(I)I");
        let inner = cluster.static_method("p/Calls", "inner", "(I)I");
        let mut worker = Worker::start_analyzed(
            &compiled,
            &["p/Base", "p/Calls"],
            cluster,
            (AnalysisOptions::ALL, ValueOptions::default()),
            |_| (),
        );
        worker.run(&[int(9), call(outer, &[0]), int(1), call(inner, &[2])]);
        let mut methods = worker.maps.iter().flat_map(|map| &map.methods);
        let inner = methods.find(|method| &*method.name == "inner").expect("it is there");
        let direct = inner.direct.expect("its calls are told apart");
        let probe = inner.branches[0].probe;
        let compared = |hit| -> Vec<i64> {
            let operands = worker.result.trace.operands.iter();
            let at = operands.filter(|operand| operand.probe == probe && operand.hit == hit);
            at.filter_map(|operand| operand.value.as_integer()).collect()
        };
        assert_eq!([compared(probe), compared(direct.probe(probe))], [vec![9, 3], vec![1, 3]]);
    });
}
