//! A recorded run logs what `docs/design/recordings.md` says, and is otherwise the run that it would be.

mod common;

use common::{Cluster, Worker, call, call_on, in_own_process, int, new, string};
use fixture::Compiled;
use testcase::recording::{Event, RecordedContent, RecordedId, RecordedValue, Recording};
use testcase::run_request::RunRequest;
use testcase::statement::Statement;

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
    recording.events.iter().map(event).collect::<Vec<_>>().join(" ")
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
    public static int raise() { throw new IllegalStateException("no"); }
    public static int passed() {
        try { return raise(); } finally { add(1, 2); }
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
    in_own_process("what_recorded_methods_do_is_logged_in_order", || {
        let compiled = fixture::compile(SIMPLE);
        let mut cluster = Cluster::default();
        let mut method = |name: &str, descriptor: &str| cluster.static_method(OWNER, name, descriptor);
        let twice = method("twice", "(I)I");
        let foreign = method("foreign", "(I)I");
        let elements = method("elements", "()I");
        let decide = method("decide", "(IILjava/lang/Object;)Z");
        let caught = method("caught", "(I)Ljava/lang/String;");
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
