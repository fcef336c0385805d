//! A recorded run logs what `docs/design/recordings.md` says, and is otherwise the run that it would be.

use crate::common::{Cluster, Worker, call, call_on, in_own_process, int, new, observed_int, string};
use bytecode::analysis::AnalysisOptions;
use bytecode::values::ValueOptions;
use fixture::Compiled;
use jvm::options::{IdentityHash, JvmOptions};
use testcase::cluster::CallableId;
use testcase::execution::{ExecutionTrace, Outcome};
use testcase::recording::{Event, RecordedContent, RecordedId, RecordedValue, Recording};
use testcase::run_request::RunRequest;
use testcase::statement::Statement;
use testcase::value::Value;

/// Events in words: `Entered` as `>name`, `Left` as `<`, `Returned` as `=value`, `Read` as `@value`, `Made` as `+object`,
/// `Caught` as `!exception`, `Decided` as `?operands`. Objects are their numbers.
fn words(recording: &Recording) -> String {
    let value = |value: &RecordedValue| match value {
        RecordedValue::Int(value) => value.to_string(),
        RecordedValue::Long(value) => format!("{value}L"),
        RecordedValue::Float(value) => format!("{value}f"),
        RecordedValue::Double(value) => format!("{value}d"),
        RecordedValue::Null => "null".into(),
        RecordedValue::Reference(RecordedId(number)) => format!("#{number}"),
    };
    let event = |event: &Event| match event {
        Event::Entered(method) => format!(">{}", recording.methods[method.index()].name),
        Event::Left => "<".into(),
        Event::Returned(None) => "=".into(),
        Event::Returned(Some(returned)) => format!("={}", value(returned)),
        Event::Read(read) => format!("@{}", value(read)),
        Event::Made(RecordedId(number)) => format!("+#{number}"),
        Event::Caught { handler, exception, .. } => format!("!{}#{}", handler.0, exception.0),
        Event::Decided(operands) => format!("?{operands}"),
    };
    recording.events.iter().map(|logged| event(&logged.event)).collect::<Vec<_>>().join(" ")
}

/// A worker of which runs are recorded.
struct Recorded(Worker);

impl Recorded {
    fn start(compiled: &Compiled, goals: &[&str], cluster: Cluster) -> Self {
        let mut worker = Worker::start(compiled, goals, cluster);
        worker.request = RunRequest::default().recorded();
        Self(worker)
    }

    fn record(&mut self, statements: &[Statement]) -> Recording {
        self.0.run(statements);
        *self.0.result.recording.take().expect("the run was recorded")
    }

    #[track_caller]
    fn check(&mut self, statements: &[Statement], expect: &str) -> Recording {
        let recording = self.record(statements);
        assert_eq!(words(&recording), expect, "{recording:?}");
        assert!(recording.is_complete);
        recording
    }
}

const SIMPLE: &str = r#"
//- /p/Simple.java
package p;

public class Simple {
    int number = 3;
    static long total = 4;
    float part = 1.5f;
    double real = 2.5;
    Other other = new Other();

    public static int add(int one, int two) { return one + two; }
    public static int twice(int value) { return add(value, value); }
    public static int foreign(int value) { return Math.max(value, 2) + Other.one(); }
    public int fields() { return (int) (number + total + part + real) + other.value; }
    public static int elements() {
        int[] ints = { 5 };
        long[] longs = { 6 };
        Object[] objects = { "a" };
        byte[][] bytes = new byte[1][2];
        return ints[0] + (int) longs[0] + bytes[0][1] + (objects[0] == null ? 1 : 0);
    }
    public static boolean decide(int one, int two, Object object) {
        if (one == 0) { return false; }
        if (one < two) { return object != null; }
        if (object == Simple.class) { return true; }
        switch (two) {
            case 1: return true;
            default: return false;
        }
    }
    public static int wide(long one, double two) { return one < 5 && two > 1 ? 1 : 0; }
    public static String caught(int index) {
        try {
            return "ab".substring(index);
        } catch (IndexOutOfBoundsException thrown) {
            return "none";
        }
    }
    static final java.util.regex.Pattern CODE = java.util.regex.Pattern.compile("a+", 2);
    public static boolean coded(String text) { return CODE.matcher(text).matches(); }
    public static int raise() { throw new IllegalStateException("no"); }
    public static int passed() {
        try { return raise(); } finally { add(1, 2); }
    }
    public static int deep(int left) {
        if (left == 0) { raise(); }
        try { return deep(left - 1); } catch (IllegalStateException thrown) { return left; }
    }
}

class Other {
    int value = 7;
    static int one() { return 1; }
}
"#;

const OWNER: &str = "p/Simple";

#[test]
fn what_recorded_methods_do_is_logged_in_order() {
    in_own_process("recordings::what_recorded_methods_do_is_logged_in_order", || {
        let compiled = fixture::compile(SIMPLE);
        let mut cluster = Cluster::default();
        let mut method = |name: &str, descriptor: &str| cluster.static_method(OWNER, name, descriptor);
        let twice = method("twice", "(I)I");
        let foreign = method("foreign", "(I)I");
        let elements = method("elements", "()I");
        let decide = method("decide", "(IILjava/lang/Object;)Z");
        let caught = method("caught", "(I)Ljava/lang/String;");
        let coded = method("coded", "(Ljava/lang/String;)Z");
        let passed = method("passed", "()I");
        let make = cluster.constructor(OWNER, "()V");
        let fields = cluster.method(OWNER, "fields", "()I");
        let mut worker = Recorded::start(&compiled, &[OWNER], cluster);

        let run = worker.check(&[int(4), call(twice, &[0])], ">twice >add < =8 <");
        let results: Vec<_> = run.statements.iter().map(|it| (it.first_event, it.result)).collect();
        let value = |value| Some(RecordedValue::Int(value));
        assert_eq!(results, [(0, value(4)), (0, value(8))]);

        worker.check(&[int(4), call(foreign, &[0])], ">foreign =4 >one < =1 <");
        worker.check(
            &[new(make, &[]), call_on(0, fields, &[])],
            "><init> = +#0 ><init> = +#1 < = +#1 < >fields @3 @4L @1.5f @2.5d @#1 @7 <",
        );
        worker.check(&[call(elements, &[])], ">elements +#0 +#1 +#2 +#3 @5 @6L @#4 @0 @#5 ?0 <");
        let decisions = |one, two| vec![int(one), int(two), string("x"), call(decide, &[0, 1, 2])];
        worker.check(&decisions(0, 1), ">decide ?0 <");
        worker.check(&decisions(1, 2), &format!(">decide ?1 ?{} ?0 <", (1i64 << 32) | 2));
        worker.check(&decisions(2, 1), &format!(">decide ?2 ?{} ?0 ?1 <", (2i64 << 32) | 1));
        let run = worker.check(&[string("aA"), call(coded, &[0])], ">coded @#0 =#1 =1 <");
        let code = RecordedContent::Pattern { expression: "a+".encode_utf16().collect(), flags: 2 };
        assert_eq!(run.objects[0].content, code);
        assert_eq!(run.objects[1].content, RecordedContent::Other);
        worker.check(&[int(0), call(caught, &[0])], ">caught =#0 <");
        let run = worker.check(&[int(9), call(caught, &[0])], ">caught !4#0 <");
        let thrown = "java/lang/StringIndexOutOfBoundsException";
        assert_eq!(run.objects[0].class.descriptor(), format!("L{thrown};"));
        assert_eq!(run.objects[1].content, RecordedContent::Text("none".encode_utf16().collect()));
        assert_eq!(run.statements[1].result, Some(RecordedValue::Reference(RecordedId(1))));
        let run = worker.check(&[call(passed, &[])], ">passed >raise = +#0 !8#0 >add < =3");
        assert_eq!(run.statements[0].exception, Some(RecordedId(0)));
    });
}

#[test]
fn events_say_which_activation_logged_them() {
    in_own_process("recordings::events_say_which_activation_logged_them", || {
        let compiled = fixture::compile(SIMPLE);
        let mut cluster = Cluster::default();
        let deep = cluster.static_method(OWNER, "deep", "(I)I");
        let mut worker = Recorded::start(&compiled, &[OWNER], cluster);
        // The exception comes to the outer activation: the inner one throws where it has no handler.
        let run = worker.check(&[int(1), call(deep, &[0])], ">deep ?1 >deep ?0 >raise = +#0 !9#0 <");
        let activations: Vec<_> = run.events.iter().map(|logged| logged.activation).collect();
        assert_eq!(activations, [0, 0, 2, 2, 4, 4, 4, 0, 0]);
    });
}

const NESTED: &str = r#"
//- /p/Nested.java
package p;

import java.util.*;
import java.util.function.*;

public class Nested {
    static class Base { Base(Object given) { } }
    static class Derived extends Base {
        final int size;
        Derived(int size) { this(new Object(), size); }
        private Derived(Object given, int size) { super(new Base(given)); this.size = size; }
    }
    static class Late { static int made = Late.count(); static int count() { return 9; } }
    static class ByLength implements Comparator<String> {
        public int compare(String one, String two) { return one.length() - two.length(); }
    }

    public static int nested(boolean which) { return new Derived(which ? 2 : 3).size; }
    public static int late() { return Late.made; }
    public static int sorted() {
        List<String> list = new ArrayList<>();
        list.add("bb");
        list.add("a");
        Collections.sort(list, new ByLength());
        return list.size();
    }
    public static int lambda(int by) {
        IntUnaryOperator add = value -> value + by;
        return add.applyAsInt(1);
    }
    public static String joined(int number) { return "n" + number; }
    public static int named(String name) {
        switch (name) { case "one": return 1; default: return 0; }
    }
    public static int locked(Object lock) { synchronized (lock) { return 1; } }
    public static Object same(Object one, Object other) { return one == other ? one : other; }
    public static boolean less(long one, double other) { return one < 3L || other > 4.0; }
    public static int rethrown() {
        try {
            try { throw new Error(); } finally { Nested.named("x"); }
        } catch (Error thrown) { return 2; }
    }
}
"#;

#[test]
fn objects_callbacks_and_initializers_are_told_apart() {
    in_own_process("recordings::objects_callbacks_and_initializers_are_told_apart", || {
        let compiled = fixture::compile_with(NESTED, &["--release", "17"]);
        let owner = "p/Nested";
        let mut cluster = Cluster::default();
        let mut method = |name: &str, descriptor: &str| cluster.static_method(owner, name, descriptor);
        let nested = method("nested", "(Z)I");
        let late = method("late", "()I");
        let sorted = method("sorted", "()I");
        let lambda = method("lambda", "(I)I");
        let joined = method("joined", "(I)Ljava/lang/String;");
        let named = method("named", "(Ljava/lang/String;)I");
        let locked = method("locked", "(Ljava/lang/Object;)I");
        let same = method("same", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;");
        let less = method("less", "(JD)Z");
        let rethrown = method("rethrown", "()I");
        let mut worker = Recorded::start(&compiled, &[owner], cluster);

        let truth = |value: bool| Statement::Primitive { value: Value::Boolean(value), boxed: false };
        // An object, the base given to the constructor of the superclass, then what is made of it.
        let made = "><init> = +#0 ><init> ><init> = +#1 < = +#1 ><init> = +#2 < = +#2 < = +#2 < = +#2 @2 <";
        worker.check(&[truth(true), call(nested, &[0])], &format!(">nested ?1 {made}"));
        let run = worker.check(&[call(late, &[])], ">late ><clinit> >count < =9 < @9 <");
        assert_eq!(run.methods[1].class.as_str(), "p/Nested$Late");
        worker.check(&[call(late, &[])], ">late @9 <");
        // The JDK calls the bridge, which calls the method.
        let compared = ">compare >compare =1 =2 < =-1 <";
        let sort = format!(">sorted = +#0 =1 =1 ><init> = +#1 < = +#1 {compared} = =2 <");
        worker.check(&[call(sorted, &[])], &sort);
        worker.check(&[int(4), call(lambda, &[0])], ">lambda =#0 >lambda$lambda$0 < =5 <");
        let run = worker.check(&[int(4), call(joined, &[0])], ">joined =#0 <");
        assert_eq!(run.objects[0].content, RecordedContent::Text("n4".encode_utf16().collect()));
        let run = worker.record(&[string("one"), call(named, &[0])]);
        assert!(words(&run).starts_with(">named =110182 ?110182 =1 "), "{}", words(&run));
        worker.check(&[string("one"), call(locked, &[0])], ">locked <");
        let run = worker.check(&[string("a"), string("a"), call(same, &[0, 1])], ">same ?1 <");
        let results: Vec<_> = run.statements.iter().filter_map(|statement| statement.result).collect();
        assert_eq!(results, [RecordedValue::Reference(RecordedId(0)); 3]);
        let number = |value| Statement::Primitive { value, boxed: false };
        let numbers = [number(Value::Long(3)), number(Value::Double(4.5)), call(less, &[0, 1])];
        worker.check(&numbers, ">less ?0 ?1 <");
        let run = worker.record(&[call(rethrown, &[])]);
        assert!(words(&run).starts_with(">rethrown = +#0 !"), "{}", words(&run));
    });
}

const STATE: &str = r#"
//- /p/State.java
package p;

public class State {
    private static int runs;
    private static Object last = "none";
    public static int next() { last = new Helper(); return ++runs; }
    public static int hash() { return new Object().hashCode(); }
    public static int work(int rounds) {
        int sum = 0;
        for (int i = 0; i < rounds; i++) { sum += Helper.odd(i) ? i : 1; }
        return sum;
    }
    public static int endless() { int i = 0; while (true) { i++; } }
    public static boolean equal(String text) { return text.equals("abc") && text.length() < 7L; }
}

class Helper {
    static boolean odd(int number) { return number % 2 == 1; }
}
"#;

fn state(change: impl FnOnce(&mut JvmOptions)) -> (Worker, [CallableId; 5]) {
    let compiled = fixture::compile(STATE);
    let owner = "p/State";
    let mut cluster = Cluster::default();
    let mut method = |name: &str, descriptor: &str| cluster.static_method(owner, name, descriptor);
    let methods = [
        method("next", "()I"),
        method("hash", "()I"),
        method("work", "(I)I"),
        method("endless", "()I"),
        method("equal", "(Ljava/lang/String;)Z"),
    ];
    let asked = (AnalysisOptions::ALL, ValueOptions::default());
    (Worker::start_analyzed(&compiled, &[owner], cluster, asked, change), methods)
}

/// A trace without what mutation points report.
fn of_code(worker: &Worker, trace: &ExecutionTrace) -> (Vec<u32>, Vec<f64>) {
    let mut counts = Vec::new();
    let mut distances = Vec::new();
    for method in worker.maps.iter().flat_map(|map| &map.methods) {
        for branch in &method.branches {
            counts.push(trace.count(branch.probe));
            let outcomes = branch.outcomes.iter().map(|outcome| outcome.id);
            distances.extend(outcomes.map(|id| trace.distance(id)));
        }
        counts.push(trace.count(method.entry));
    }
    (counts, distances)
}

#[test]
fn results_before_during_and_after_recording_are_the_same() {
    in_own_process("recordings::results_before_during_and_after_recording_are_the_same", || {
        let (mut worker, [next, _, work, endless, equal]) = state(|_| ());
        let tests = [
            vec![call(next, &[]), call(next, &[])],
            vec![int(20), call(work, &[0])],
            vec![string("abd"), call(equal, &[0])],
            vec![string("abc"), call(equal, &[0])],
        ];
        let mut seen = Vec::new();
        for is_recorded in [false, true, true, false, true, false] {
            worker.request.recording = is_recorded;
            for test in &tests {
                worker.run(test);
                assert_eq!(worker.result.recording.is_some(), is_recorded);
                let trace = of_code(&worker, &worker.result.trace);
                let result = &worker.result;
                seen.push((result.outcome.clone(), result.executed, result.cost, result.touched, trace));
            }
            let first = &seen[..tests.len()];
            assert_eq!(&seen[seen.len() - tests.len()..], first, "recorded: {is_recorded}");
            worker.request.is_brief = true;
            assert_eq!(worker.run(&[call(endless, &[])]), Outcome::TimedOut);
            worker.request.is_brief = false;
        }
        worker.request.recording = true;
        worker.run(&tests[0]);
        // Values are read in runs that are not recorded.
        assert_eq!(worker.value(&tests[0]), observed_int(2));
        assert_eq!(worker.executor.take_diagnostics(), Vec::<String>::new());
        assert!(!worker.executor.is_tainted());
    });
}

#[test]
fn mutation_points_come_back_behind_recorded_runs() {
    in_own_process("recordings::mutation_points_come_back_behind_recorded_runs", || {
        let (mut worker, [_, _, work, _, _]) = state(|_| ());
        let test = [int(5), call(work, &[0])];
        worker.run(&test);
        let before = worker.result.trace.clone();
        worker.request.recording = true;
        worker.run(&test);
        worker.request.recording = false;
        worker.run(&test);
        let reached = |trace: &ExecutionTrace| -> Vec<(u32, f64)> {
            trace.reached().iter().map(|outcome| (outcome.0, trace.distance(*outcome))).collect()
        };
        assert_eq!(reached(&worker.result.trace), reached(&before));
    });
}

#[test]
fn recording_draws_no_identity_hash_codes() {
    in_own_process("recordings::recording_draws_no_identity_hash_codes", || {
        let (mut worker, [next, hash, ..]) = state(|options| options.identity_hash = IdentityHash::Counted);
        let test = [call(next, &[]), call(hash, &[])];
        let record = |worker: &mut Worker| {
            worker.request.recording = true;
            worker.run(&test);
            let recording = worker.result.recording.take().expect("the run was recorded");
            let Some(RecordedValue::Int(hash)) = recording.statements[1].result else {
                panic!("a hash code")
            };
            hash
        };
        record(&mut worker);
        let first = record(&mut worker);
        assert_eq!([record(&mut worker), record(&mut worker)], [first + 1, first + 2]);
    });
}

#[test]
fn what_does_not_fit_is_left_out_and_said() {
    in_own_process("recordings::what_does_not_fit_is_left_out_and_said", || {
        let (mut worker, [_, _, work, _, _]) = state(|_| ());
        worker.request.recording = true;
        assert_eq!(worker.run(&[int(300_000), call(work, &[0])]), Outcome::Passed);
        let recording = worker.result.recording.take().expect("the run was recorded");
        assert_eq!((recording.events.len(), recording.is_complete), (1_000_000, false));
    });
}
