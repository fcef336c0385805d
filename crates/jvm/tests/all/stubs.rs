//! Objects that a test implements itself: interfaces and abstract classes with scripted answers.

use crate::common::{
    Cluster, Worker, call, call_on, in_own_process, int, new, observed_int, observed_string, string,
};
use bytecode::access::Access;
use bytecode::descriptor::MethodDescriptor;
use bytecode::signature::GenericType;
use testcase::assertion::{ObservationPoint, ObservationTarget, ObservedValue, StubCall};
use testcase::cluster::callbacks::Callback;
use testcase::cluster::{CallableId, Parameter, SilentMethod, Stub, StubId, StubKind, StubMethod};
use testcase::execution::{Executor as _, Outcome, ThrowOrigin};
use testcase::statement::{Answer, Answers, MOST_PASSED_BACK, Script, Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::Value;

const SUBJECT: &str = r#"
//- /p/Subject.java
package p;

import java.io.InputStream;
import java.util.Comparator;
import java.util.function.IntUnaryOperator;

public class Subject {
    static Op kept;
    public static String three(IntUnaryOperator op) {
        return op.applyAsInt(1) + " " + op.applyAsInt(2) + " " + op.applyAsInt(3);
    }
    public static String packaged(Op op) { return op.text(1, "a") + op.text(2, "b") + op.text(3, "c"); }
    public static int compare(Comparator<String> order) { return order.compare("a", "b"); }
    @SuppressWarnings({"rawtypes", "unchecked"})
    public static int compareNumbers(Comparator order) { return order.compare(1, 2); }
    public static <T> String generic(Source<T> source, T seed) { return source.get(seed) + "!"; }
    public static String handed(Runner runner) {
        StringBuilder done = new StringBuilder();
        Object given = runner.run(n -> n > 3 ? "many" : "few");
        runner.go(() -> done.append(" gone"));
        return given + " " + runner.later(() -> done.append(" later")) + done;
    }
    public static Object none(Runner runner) { return runner.run(null); }
    public static Object fails(Runner runner) { return runner.run(n -> { throw new IllegalStateException("" + n); }); }
    public static String greet(Greeter greeter) { return greeter.greet(); }
    public static String all(All all) {
        all.v();
        return all.z() + " " + all.b() + " " + all.c() + " " + all.s() + " " + all.i() + " " + all.l() + " " + all.f()
            + " " + all.d() + " " + all.array().length;
    }
    public static String wide(All all) {
        all.v();
        return all.z() + " " + all.b() + " " + (int) all.c() + " " + all.s() + " " + all.i() + " " + all.l() + " "
            + all.f() + " " + all.d() + " " + all.array();
    }
    public static String widen(Widen widen) { return widen.of(7) + " " + widen.from('a') + " " + widen.same('b'); }
    public static int risk(Risky risky) throws Exception { risky.run(); risky.run(); return 1; }
    public static int translate(Risky risky) {
        try { return risk(risky); } catch (Exception e) { throw new IllegalStateException(e); }
    }
    public static String base(Base base) { return base.seen + base.describe(5) + base.weight(); }
    public static String keep(Op op) { String was = kept == null ? "none" : "one"; kept = op; return was; }
    public static int read(InputStream in) throws Exception {
        int sum = 0;
        for (int c = in.read(); c >= 0; c = in.read()) { sum += c; }
        return sum;
    }
    public static long skip(InputStream in) throws Exception { return in.skip(Long.MAX_VALUE); }
    public static void report(Listener to, int times) {
        to.started("a", 1.5);
        for (int i = 0; i < times; i++) { to.seen(i, 'c'); }
        if (times == 3) { to.odd((char) 55); }
    }
    public static void tell(Listener to, Object what) { to.told(what); }
    public static void hand(Listener to, Op op) { to.took(op); to.took(null); to.took((number, given) -> given); }
    public static void raise(Trouble trouble) { throw trouble; }
    public static String dial(q.Line line) { return line.next(2) + " " + line.last() + " " + line.hinted() + " " + line.made; }
    public static boolean same(q.Line line, q.Line other) {
        return line.equals(line) && !line.equals(other) && line.hashCode() == System.identityHashCode(line);
    }
    public static String silent(q.Line line) { return line.names() + " " + line.name() + " " + line.count() + " " + line.hinted(); }
    public static boolean isPlain(q.Line line) { return !line.toString().equals("line"); }
    public static String chain(Chain chain) {
        Chain next = chain.with("a").with("b");
        return (next == chain) + " " + next.with(null);
    }
    public static int entered(IntUnaryOperator op) { return op.applyAsInt(1) > 0 ? 1 : 0; }
}
//- /q/Line.java
package q;
public final class Line extends Source {
    public final String made = new String("made");
    public Line() { throw new IllegalStateException(); }
    public final int next(int count) { return 1 / (count - count); }
    String hint() { return "hint"; }
    public String hinted() { return hint() + "ed"; }
    public java.util.List<String> names() { return null; }
    public java.util.Optional<String> name() { return null; }
    public Long count() { return null; }
    @Override public boolean equals(Object other) { return true; }
    @Override public int hashCode() { return 7; }
    @Override public String toString() { return "line"; }
}
//- /q/Source.java
package q;
public abstract class Source { Source() { throw new IllegalStateException(); } public final int last() { return 5; } }
//- /p/Chain.java
package p;
public interface Chain { Chain with(String given); }
//- /p/Op.java
package p;
interface Op { String text(int number, String given); }
//- /p/Listener.java
package p;
public interface Listener { void started(String name, double part); void seen(int number, char sign); void told(Object what); boolean odd(char sign); void took(Op op); }
//- /p/Source.java
package p;
public interface Source<T> { T get(T seed); }
//- /p/TextSource.java
package p;
public interface TextSource extends Source<String> { String get(String seed); }
//- /p/Greeter.java
package p;
public interface Greeter { String name(); default String greet() { return "hi " + name(); } }
//- /p/All.java
package p;
public interface All {
    boolean z(); byte b(); char c(); short s(); int i(); long l(); float f(); double d(); int[] array(); void v();
}
//- /p/Widen.java
package p;
public interface Widen { long of(int x); double from(char c); char same(char c); }
//- /p/Risky.java
package p;
public interface Risky { void run() throws Exception; }
//- /p/Trouble.java
package p;
public abstract class Trouble extends RuntimeException {
    private static final long serialVersionUID = 1;
    public abstract int code();
}
//- /p/Base.java
package p;
public abstract class Base {
    final String seen;
    protected Base(int number, String text, double real) {
        if (number < 0) { throw new IllegalArgumentException(); }
        seen = text + real + describe(number);
    }
    abstract String describe(int number);
    protected abstract long weight();
    public abstract class Part {
        Part() { }
        public abstract int size();
        public String sized() { return seen + size(); }
    }
    public static String sized(Part part) { return part.sized(); }
}
//- /p/Meter.java
package p;
public class Meter {
    private int base;
    public Meter(int base) { this.base = base; }
    public long read(long by, double factor) { return (long) (base * by * factor); }
    protected String unit() { return "m"; }
    void reset() { base = 0; }
    public static String seen(Meter meter) { meter.reset(); return meter.read(2, 1.5) + meter.unit(); }
}
//- /p/Runner.java
package p;
import java.util.function.IntFunction;
public interface Runner { Object run(IntFunction<String> of); void go(Runnable what); long later(Runnable what); }
"#;

/// A method of a stub: name, descriptor, bridges, access; its types are those of the descriptor.
fn method(cluster: &mut Cluster, name: &str, descriptor: &str, bridges: &[&str], access: u16) -> StubMethod {
    let parsed = MethodDescriptor::parse(descriptor).unwrap();
    let parameters = parsed.parameters.iter().map(|erased| Parameter::new(cluster.ty(&erased.descriptor())));
    StubMethod {
        name: name.into(),
        descriptor: descriptor.into(),
        bridges: bridges.iter().map(|&bridge| bridge.into()).collect(),
        access: Access(access),
        parameters: parameters.collect(),
        result: parsed.result.map(|erased| cluster.ty(&erased.descriptor())),
        narrowed: Vec::new(),
        exceptions: Vec::new(),
        throws: Vec::new(),
        is_erased: false,
        has_body: false,
        callbacks: Vec::new(),
    }
}

fn add(cluster: &mut Cluster, of: &str, constructor: Option<CallableId>, methods: Vec<StubMethod>) -> StubId {
    add_as(cluster, of, constructor.map_or(StubKind::Interface, StubKind::Extension), methods)
}

fn add_as(cluster: &mut Cluster, of: &str, kind: StubKind, methods: Vec<StubMethod>) -> StubId {
    let of = cluster.ty(&format!("L{of};"));
    let silent = Vec::new();
    cluster.cluster.stubs.push(Stub {
        of,
        kind,
        is_functional: false,
        methods,
        silent,
        calls_default: false,
    });
    StubId::from(cluster.cluster.stubs.len() - 1)
}

/// A stub of an interface with public methods.
fn interface(cluster: &mut Cluster, of: &str, methods: &[(&str, &str)]) -> StubId {
    let methods = methods.iter().map(|(name, descriptor)| method(cluster, name, descriptor, &[], 0x401));
    let methods = methods.collect();
    add(cluster, of, None, methods)
}

fn stub(stub: StubId, arguments: &[u16], answers: &[&[Answer]]) -> Statement {
    let arguments = arguments.iter().copied().map(VarRef).collect();
    let answers = answers.iter().map(|answers| Answers::from_slice(answers)).collect();
    Statement::Stub { stub, script: Box::new(Script { arguments, answers }) }
}

fn value(variable: u16) -> Answer {
    Answer::Value(VarRef(variable))
}

fn literal(value: Value) -> Statement {
    Statement::Primitive { value, boxed: false }
}

fn started(mut cluster: Cluster) -> Worker {
    cluster.cluster.class_under_test = Some("p/Subject".into());
    Worker::start(&fixture::compile(SUBJECT), &["p/Subject"], cluster)
}

#[test]
fn interfaces_answer_in_the_order_of_calls() {
    in_own_process("stubs::interfaces_answer_in_the_order_of_calls", || {
        let mut cluster = Cluster::default();
        let operator =
            interface(&mut cluster, "java/util/function/IntUnaryOperator", &[("applyAsInt", "(I)I")]);
        let packaged =
            interface(&mut cluster, "p/Op", &[("text", "(ILjava/lang/String;)Ljava/lang/String;")]);
        let greeter = interface(&mut cluster, "p/Greeter", &[("name", "()Ljava/lang/String;")]);
        let text = "Ljava/lang/String;";
        let three = cluster.static_method(
            "p/Subject",
            "three",
            &format!("(Ljava/util/function/IntUnaryOperator;){text}"),
        );
        let use_op = cluster.static_method("p/Subject", "packaged", &format!("(Lp/Op;){text}"));
        let keep = cluster.static_method("p/Subject", "keep", &format!("(Lp/Op;){text}"));
        let greet = cluster.static_method("p/Subject", "greet", &format!("(Lp/Greeter;){text}"));
        let mut worker = started(cluster);
        for _ in 0..2 {
            let mut check = |answers: &[Answer], expect: &str| {
                let test = [int(10), int(20), stub(operator, &[], &[answers]), call(three, &[2])];
                assert_eq!(worker.value(&test), observed_string(expect));
            };
            check(&[value(0)], "10 10 10");
            check(&[value(0), value(1)], "10 20 20");
            check(&[Answer::Parameter(0)], "1 2 3");
            check(&[value(1), Answer::Parameter(0), value(0)], "20 2 10");
            let answers = [Answer::Parameter(1), value(0)];
            let test = [string("x"), stub(packaged, &[], &[&answers]), call(use_op, &[1])];
            assert_eq!(worker.value(&test), observed_string("axx"));
            let test = [string("you"), stub(greeter, &[], &[&[value(0)]]), call(greet, &[1])];
            assert_eq!(worker.value(&test), observed_string("hi you"));
            // What is kept in a static field is forgotten with the test.
            let test = [string("x"), stub(packaged, &[], &[&[value(0)]]), call(keep, &[1]), call(keep, &[1])];
            assert_eq!(worker.value(&test), observed_string("one"));
            let test = [string("x"), stub(packaged, &[], &[&[value(0)]]), call(keep, &[1])];
            assert_eq!(worker.value(&test), observed_string("none"));
        }
        assert_eq!(worker.executor.take_diagnostics(), Vec::<String>::new());
    });
}

#[test]
fn looking_at_a_stub_takes_none_of_its_answers() {
    in_own_process("stubs::looking_at_a_stub_takes_none_of_its_answers", || {
        let mut cluster = Cluster::default();
        let of = "java/util/Collection";
        let collection = interface(&mut cluster, of, &[("size", "()I")]);
        let size = cluster.method(of, "size", "()I");
        let mut worker = started(cluster);
        let test = [int(7), int(8), stub(collection, &[], &[&[value(0), value(1)]]), call_on(2, size, &[])];
        let at = |variable: u16| ObservationPoint {
            after: VarRef(variable),
            target: ObservationTarget::Value(VarRef(variable)),
        };
        let values = worker.executor.observe(&TestCase::new(test.to_vec()), &[at(2), at(3)]).values;
        let [Some(ObservedValue::Object { size: None, .. }), answer] = &values[..] else {
            panic!("{values:?}");
        };
        assert_eq!(*answer, observed_int(7));
    });
}

#[test]
fn calls_are_seen_by_method_and_by_arguments_whose_text_tells_what_they_are() {
    in_own_process("stubs::calls_are_seen_by_method_and_by_arguments_whose_text_tells_what_they_are", || {
        let mut cluster = Cluster::default();
        let of = "Lp/Listener;";
        let methods = [
            ("started", "(Ljava/lang/String;D)V"),
            ("seen", "(IC)V"),
            ("told", "(Ljava/lang/Object;)V"),
            ("odd", "(C)Z"),
            ("took", "(Lp/Op;)V"),
        ];
        let listener = interface(&mut cluster, "p/Listener", &methods);
        let report = cluster.static_method("p/Subject", "report", &format!("({of}I)V"));
        let tell = cluster.static_method("p/Subject", "tell", &format!("({of}Ljava/lang/Object;)V"));
        let hand = cluster.static_method("p/Subject", "hand", &format!("({of}Lp/Op;)V"));
        let op = interface(&mut cluster, "p/Op", &[("text", "(ILjava/lang/String;)Ljava/lang/String;")]);
        let [classes, named, array] = ["Ljava/lang/Class;", "Lp/Op;", "[I"].map(|of| cluster.ty(of));
        let mut worker = started(cluster);
        let nothing = [Answer::Return];
        let parameter = [Answer::Value(VarRef(0))];
        let made = || stub(listener, &[], &[&nothing, &nothing, &nothing, &parameter, &nothing]);
        // Of an object that is none of its stubs nothing is read.
        let other = TestCase::new(vec![literal(Value::Boolean(true)), made(), string("a")]);
        let target = ObservationTarget::Calls(VarRef(2), listener);
        let seen = worker.executor.observe(&other, &[ObservationPoint { after: VarRef(2), target }]);
        assert_eq!((seen.outcome, seen.values), (Outcome::Passed, vec![None]));
        let mut calls = |statements: &[Statement]| {
            let first = [literal(Value::Boolean(true)), made()];
            let test = TestCase::new([&first[..], statements].concat());
            let target = ObservationTarget::Calls(VarRef(1), listener);
            let points =
                [1, test.len() as u16 - 1].map(|after| ObservationPoint { after: VarRef(after), target });
            let values = worker.executor.observe(&test, &points).values;
            assert_eq!(values[0], Some(ObservedValue::Calls(Vec::new())), "{statements:?}");
            match &values[1] {
                Some(ObservedValue::Calls(calls)) => {
                    let told = |call: &StubCall| {
                        let passed = call.objects.iter().map(|of| format!(" {:?}", of.map(VarRef::index)));
                        format!("{}: {}{}", call.method, call.text, passed.collect::<String>())
                    };
                    Some(calls.iter().map(told).collect::<Vec<String>>())
                }
                Some(other) => panic!("{other:?}"),
                None => None,
            }
        };
        let seen = |calls: &[&str]| Some(calls.iter().map(ToString::to_string).collect::<Vec<String>>());
        let reported = |times| [int(times), call(report, &[1, 2])];
        let all = ["0: started(a) None", "1: seen(0, c)", "1: seen(1, c)", "1: seen(2, c)", "3: odd(7)"];
        assert_eq!(calls(&reported(0)), seen(&all[..1]));
        assert_eq!(calls(&reported(2)), seen(&all[..3]));
        assert_eq!(calls(&reported(3)), seen(&all));
        assert_eq!(calls(&reported(1000)), None);
        assert_eq!(calls(&[string("b"), call(tell, &[1, 2])]), seen(&["2: told(b)"]));
        for (class, expect) in [(named, seen(&["2: told(interface p.Op)"])), (array, None)] {
            let class = Statement::ClassLiteral { of: classes, class };
            assert_eq!(calls(&[class, call(tell, &[1, 2])]), expect);
        }
        let op = stub(op, &[], &[&[Answer::Value(VarRef(2))]]);
        assert_eq!(
            calls(&[string("c"), op, call(hand, &[1, 3])]),
            seen(&["4: took() Some(3)", "4: took() None", "4: took() None"])
        );
        let half = Statement::Primitive { value: Value::Double(0.5), boxed: true };
        assert_eq!(calls(&[half, call(tell, &[1, 2])]), None);
    });
}

#[test]
fn what_no_script_speaks_for_gives_null_zero_or_false() {
    in_own_process("stubs::what_no_script_speaks_for_gives_null_zero_or_false", || {
        let mut cluster = Cluster::default();
        let all = interface(&mut cluster, "p/All", &[("i", "()I")]);
        let others = ["array()[I", "b()B", "c()C", "d()D", "f()F", "l()J", "s()S", "v()V", "z()Z"];
        let silent = others.map(|method| {
            let (name, descriptor) = method.split_at(method.find('(').unwrap());
            let result = MethodDescriptor::parse(descriptor).unwrap().result;
            SilentMethod {
                name: name.into(),
                descriptor: descriptor.into(),
                bridges: Vec::new(),
                access: Access(0x401),
                parameters: Vec::new(),
                result: result.as_ref().map(GenericType::from),
                is_erased: false,
            }
        });
        cluster.cluster.stubs[all.index()].silent = silent.into();
        let wide = cluster.static_method("p/Subject", "wide", "(Lp/All;)Ljava/lang/String;");
        let mut worker = started(cluster);
        let test = [int(7), stub(all, &[], &[&[value(0)]]), call(wide, &[1])];
        assert_eq!(worker.value(&test), observed_string("false 0 0 0 7 0 0.0 0.0 null"));
        assert_eq!(worker.executor.take_diagnostics(), Vec::<String>::new());
    });
}

#[test]
fn every_type_can_be_answered() {
    in_own_process("stubs::every_type_can_be_answered", || {
        let mut cluster = Cluster::default();
        let methods = [
            ("array", "()[I"),
            ("b", "()B"),
            ("c", "()C"),
            ("d", "()D"),
            ("f", "()F"),
            ("i", "()I"),
            ("l", "()J"),
            ("s", "()S"),
            ("v", "()V"),
            ("z", "()Z"),
        ];
        let all = interface(&mut cluster, "p/All", &methods);
        let widen = interface(&mut cluster, "p/Widen", &[("from", "(C)D"), ("of", "(I)J"), ("same", "(C)C")]);
        let ints = cluster.ty("[I");
        let use_all = cluster.static_method("p/Subject", "all", "(Lp/All;)Ljava/lang/String;");
        let use_wide = cluster.static_method("p/Subject", "wide", "(Lp/All;)Ljava/lang/String;");
        let use_widen = cluster.static_method("p/Subject", "widen", "(Lp/Widen;)Ljava/lang/String;");
        let mut worker = started(cluster);
        let test = [
            Statement::Array { of: ints, length: 3 },
            literal(Value::Byte(-1)),
            literal(Value::Char(u16::from(b'c'))),
            literal(Value::Double(2.5)),
            literal(Value::Float(1.5)),
            int(-7),
            literal(Value::Short(9)),
            literal(Value::Boolean(true)),
            // An int for the long: it widens.
            stub(
                all,
                &[],
                &[
                    &[value(0)],
                    &[value(1)],
                    &[value(2)],
                    &[value(3)],
                    &[value(4)],
                    &[value(5)],
                    &[value(5)],
                    &[value(6)],
                    &[],
                    &[value(7)],
                ],
            ),
            call(use_all, &[8]),
        ];
        assert_eq!(worker.value(&test), observed_string("true -1 c 9 -7 -7 1.5 2.5 3"));
        let wide = [stub(all, &[], &[&[] as &[Answer]; 10]), call(use_wide, &[0])];
        assert_eq!(worker.value(&wide), observed_string("false 0 0 0 0 0 0.0 0.0 null"), "nothing is told");
        let parameter: &[Answer] = &[Answer::Parameter(0)];
        let test = [stub(widen, &[], &[parameter, parameter, parameter]), call(use_widen, &[0])];
        assert_eq!(worker.value(&test), observed_string("7 97.0 b"));
    });
}

#[test]
fn what_gives_itself_is_called_again() {
    in_own_process("stubs::what_gives_itself_is_called_again", || {
        let mut cluster = Cluster::default();
        let chain = interface(&mut cluster, "p/Chain", &[("with", "(Ljava/lang/String;)Lp/Chain;")]);
        let call_chain = cluster.static_method("p/Subject", "chain", "(Lp/Chain;)Ljava/lang/String;");
        let null = Statement::Null { of: cluster.ty("Lp/Chain;") };
        let mut worker = started(cluster);
        let answers = [Answer::Itself, Answer::Itself, value(0)];
        let test = [null, stub(chain, &[], &[&answers]), call(call_chain, &[1])];
        for _ in 0..2 {
            assert_eq!(worker.value(&test), observed_string("true null"));
        }
    });
}

#[test]
fn generic_methods_have_bridges_and_check_what_they_get() {
    in_own_process("stubs::generic_methods_have_bridges_and_check_what_they_get", || {
        let mut cluster = Cluster::default();
        let get = method(
            &mut cluster,
            "get",
            "(Ljava/lang/String;)Ljava/lang/String;",
            &["(Ljava/lang/Object;)Ljava/lang/Object;"],
            0x401,
        );
        let source = add(&mut cluster, "p/TextSource", None, vec![get]);
        let mut compare =
            method(&mut cluster, "compare", "(Ljava/lang/Object;Ljava/lang/Object;)I", &[], 0x401);
        let of = cluster.ty("Ljava/lang/String;");
        for parameter in &mut compare.parameters {
            parameter.of = of;
        }
        let order = add(&mut cluster, "java/util/Comparator", None, vec![compare]);
        let generic =
            cluster.static_method("p/Subject", "generic", "(Lp/Source;Ljava/lang/Object;)Ljava/lang/String;");
        let sorts = cluster.static_method("p/Subject", "compare", "(Ljava/util/Comparator;)I");
        let numbers = cluster.static_method("p/Subject", "compareNumbers", "(Ljava/util/Comparator;)I");
        let mut worker = started(cluster);
        let test = [string("s"), stub(source, &[], &[&[Answer::Parameter(0)]]), call(generic, &[1, 0])];
        assert_eq!(worker.value(&test), observed_string("s!"));
        let boxed = Statement::Primitive { value: Value::Int(1), boxed: true };
        let test = [boxed, stub(source, &[], &[&[Answer::Parameter(0)]]), call(generic, &[1, 0])];
        let check_cast = |outcome: Outcome| {
            let Outcome::Threw(thrown) = outcome else { panic!("{outcome:?}") };
            assert_eq!(thrown.class.as_str(), "java/lang/ClassCastException");
        };
        check_cast(worker.run(&test));
        let ordered = |method| [int(-1), stub(order, &[], &[&[value(0)]]), call(method, &[1])];
        assert_eq!(worker.value(&ordered(sorts)), observed_int(-1));
        check_cast(worker.run(&ordered(numbers)));
    });
}

#[test]
fn throwables_are_thrown_as_the_tests_own() {
    in_own_process("stubs::throwables_are_thrown_as_the_tests_own", || {
        let mut cluster = Cluster::default();
        let risky = interface(&mut cluster, "p/Risky", &[("run", "()V")]);
        let made = cluster.constructor("java/io/IOException", "()V");
        let exception = cluster.ty("Ljava/io/IOException;");
        let risk = cluster.static_method("p/Subject", "risk", "(Lp/Risky;)I");
        let translate = cluster.static_method("p/Subject", "translate", "(Lp/Risky;)I");
        let mut worker = started(cluster);
        let mut check = |calls: CallableId, answers: &[Answer], expect: Option<(&str, ThrowOrigin)>| {
            let thrown = Statement::Null { of: exception };
            let test = [new(made, &[]), thrown, stub(risky, &[], &[answers]), call(calls, &[2])];
            let found = match worker.run(&test) {
                Outcome::Passed => None,
                Outcome::Threw(thrown) => Some((thrown.class.to_string(), thrown.origin)),
                outcome @ (Outcome::TimedOut | Outcome::Exited) => panic!("{outcome:?}"),
            };
            assert_eq!(found, expect.map(|(class, origin)| (class.to_owned(), origin)));
        };
        let io = Some(("java/io/IOException", ThrowOrigin::Stub));
        check(risk, &[], None);
        check(risk, &[Answer::Return], None);
        check(risk, &[Answer::Throw(VarRef(0))], io);
        check(risk, &[Answer::Return, Answer::Throw(VarRef(0))], io);
        check(risk, &[Answer::Throw(VarRef(1))], Some(("java/lang/NullPointerException", ThrowOrigin::Jvm)));
        let translated = Some(("java/lang/IllegalStateException", ThrowOrigin::Project));
        check(translate, &[Answer::Throw(VarRef(0))], translated);
    });
}

#[test]
fn an_exception_that_is_a_stub_is_known_by_the_class_that_it_extends() {
    in_own_process("stubs::an_exception_that_is_a_stub_is_known_by_the_class_that_it_extends", || {
        let mut cluster = Cluster::default();
        let constructor = cluster.constructor("p/Trouble", "()V");
        let code = vec![method(&mut cluster, "code", "()I", &[], 0x401)];
        let trouble = add(&mut cluster, "p/Trouble", Some(constructor), code);
        let raise = cluster.static_method("p/Subject", "raise", "(Lp/Trouble;)V");
        let mut worker = started(cluster);
        let outcome = worker.run(&[stub(trouble, &[], &[&[]]), call(raise, &[0])]);
        let Outcome::Threw(thrown) = outcome else { panic!("{outcome:?}") };
        assert_eq!((thrown.class.as_str(), thrown.origin), ("p/Trouble", ThrowOrigin::Project));
    });
}

#[test]
fn abstract_classes_are_extended() {
    in_own_process("stubs::abstract_classes_are_extended", || {
        let mut cluster = Cluster::default();
        let constructor = cluster.constructor("p/Base", "(ILjava/lang/String;D)V");
        let methods = vec![
            method(&mut cluster, "describe", "(I)Ljava/lang/String;", &[], 0x400),
            method(&mut cluster, "weight", "()J", &[], 0x404),
        ];
        let base = add(&mut cluster, "p/Base", Some(constructor), methods);
        let inner = cluster.constructor("p/Base$Part", "(Lp/Base;)V");
        cluster.cluster.callables[inner.index()].takes_enclosing_instance = true;
        let size = vec![method(&mut cluster, "size", "()I", &[], 0x401)];
        let part = add(&mut cluster, "p/Base$Part", Some(inner), size);
        let base_type = cluster.ty("Lp/Base;");
        let describe = cluster.static_method("p/Subject", "base", "(Lp/Base;)Ljava/lang/String;");
        let sized = cluster.static_method("p/Base", "sized", "(Lp/Base$Part;)Ljava/lang/String;");
        let mut worker = started(cluster);
        let real = || literal(Value::Double(0.5));
        let answers: [&[Answer]; 2] = [&[value(1), value(3)], &[value(0)]];
        let start =
            |number| [int(number), string("a"), real(), string("b"), stub(base, &[0, 1, 2], &answers)];
        // The constructor got the first answer.
        let test = [&start(4)[..], &[call(describe, &[4])]].concat();
        assert_eq!(worker.value(&test), observed_string("a0.5ab4"));
        let Outcome::Threw(thrown) = worker.run(&start(-1)) else { panic!("the constructor throws") };
        assert_eq!((thrown.position, thrown.class.as_str()), (4, "java/lang/IllegalArgumentException"));
        assert_eq!(thrown.origin, ThrowOrigin::Project);
        let test = [&start(4)[..], &[stub(part, &[4], &[&[value(0)]]), call(sized, &[5])]].concat();
        assert_eq!(worker.value(&test), observed_string("a0.5a4"));
        let test = [Statement::Null { of: base_type }, int(1), stub(part, &[0], &[&[value(1)]])];
        let Outcome::Threw(thrown) = worker.run(&test) else { panic!("there is no enclosing instance") };
        assert_eq!(thrown.class.as_str(), "java/lang/NullPointerException");
    });
}

#[test]
fn no_constructor_of_a_mock_runs_and_all_of_its_methods_answer_for_it_final_ones_too() {
    in_own_process(
        "stubs::no_constructor_of_a_mock_runs_and_all_of_its_methods_answer_for_it_final_ones_too",
        || {
            let mut cluster = Cluster::default();
            let methods = [
                ("hint", "()Ljava/lang/String;", 0),
                ("hinted", "()Ljava/lang/String;", 1),
                ("last", "()I", 0x11),
                ("next", "(I)I", 0x11),
            ];
            let methods =
                methods.map(|(name, descriptor, access)| method(&mut cluster, name, descriptor, &[], access));
            let line = add_as(&mut cluster, "q/Line", StubKind::Mock, methods.to_vec());
            cluster.cluster.opened.extend(["q/Line", "q/Source"].map(Into::into));
            let dial = cluster.static_method("p/Subject", "dial", "(Lq/Line;)Ljava/lang/String;");
            let same = cluster.static_method("p/Subject", "same", "(Lq/Line;Lq/Line;)Z");
            let plain = cluster.static_method("p/Subject", "isPlain", "(Lq/Line;)Z");
            let silent_ones = cluster.static_method("p/Subject", "silent", "(Lq/Line;)Ljava/lang/String;");
            let results = [
                ("names", "()Ljava/util/List;"),
                ("name", "()Ljava/util/Optional;"),
                ("count", "()Ljava/lang/Long;"),
            ];
            let results = results.map(|(name, descriptor)| SilentMethod {
                name: name.into(),
                descriptor: descriptor.into(),
                bridges: Vec::new(),
                access: Access(1),
                parameters: Vec::new(),
                result: None,
                is_erased: false,
            });
            cluster.cluster.stubs[line.index()].silent.extend(results);
            let mut worker = started(cluster);
            let answers: [&[Answer]; 4] = [&[], &[value(1)], &[], &[Answer::Parameter(0)]];
            let test = [int(3), string("b"), stub(line, &[], &answers), call(dial, &[2])];
            assert_eq!(worker.value(&test), observed_string("2 0 b null"));
            let silent: [&[Answer]; 4] = [&[]; 4];
            let made = || stub(line, &[], &silent);
            let yes = || Some(ObservedValue::Primitive(Value::Boolean(true)));
            assert_eq!(worker.value(&[made(), made(), call(same, &[0, 1])]), yes());
            assert_eq!(worker.value(&[made(), call(plain, &[0])]), yes());
            assert_eq!(
                worker.value(&[made(), call(silent_ones, &[0])]),
                observed_string("[] Optional.empty 0 null"),
                "what nobody tells a mock of"
            );
        },
    );
}

#[test]
fn a_method_with_a_body_does_what_it_does_where_nothing_is_told_of_it() {
    in_own_process("stubs::a_method_with_a_body_does_what_it_does_where_nothing_is_told_of_it", || {
        let mut cluster = Cluster::default();
        let methods = [("read", "(JD)J", 0x1), ("reset", "()V", 0), ("unit", "()Ljava/lang/String;", 0x4)];
        let methods = methods.map(|(name, descriptor, access)| StubMethod {
            has_body: true,
            ..method(&mut cluster, name, descriptor, &[], access)
        });
        let constructor = cluster.constructor("p/Meter", "(I)V");
        let meter = add(&mut cluster, "p/Meter", Some(constructor), methods.to_vec());
        let seen = cluster.static_method("p/Meter", "seen", "(Lp/Meter;)Ljava/lang/String;");
        let mut worker = started(cluster);
        let mut check = |answers: [&[Answer]; 3], expect: &str| {
            let long = literal(Value::Long(7));
            let test = [int(5), long, string("ft"), stub(meter, &[0], &answers), call(seen, &[3])];
            assert_eq!(worker.value(&test), observed_string(expect), "{answers:?}");
        };
        check([&[], &[], &[]], "0m");
        check([&[], &[Answer::Return], &[]], "15m");
        check([&[value(1)], &[], &[value(2)]], "7ft");
        check([&[Answer::Parameter(0)], &[], &[]], "2m");
        assert_eq!(worker.executor.take_diagnostics(), Vec::<String>::new());
    });
}

#[test]
fn a_stub_adds_nothing_to_a_trace_and_a_loop_over_it_ends() {
    in_own_process("stubs::a_stub_adds_nothing_to_a_trace_and_a_loop_over_it_ends", || {
        let mut cluster = Cluster::default();
        let operator =
            interface(&mut cluster, "java/util/function/IntUnaryOperator", &[("applyAsInt", "(I)I")]);
        let constructor = cluster.constructor("java/io/InputStream", "()V");
        let read = vec![method(&mut cluster, "read", "()I", &[], 0x401)];
        let stream = add(&mut cluster, "java/io/InputStream", Some(constructor), read);
        let entered =
            cluster.static_method("p/Subject", "entered", "(Ljava/util/function/IntUnaryOperator;)I");
        let reads = cluster.static_method("p/Subject", "read", "(Ljava/io/InputStream;)I");
        let skips = cluster.static_method("p/Subject", "skip", "(Ljava/io/InputStream;)J");
        let mut worker = started(cluster);
        for (number, expect) in [(1, 1), (0, 0), (1, 1)] {
            let test = [int(number), stub(operator, &[], &[&[value(0)]]), call(entered, &[1])];
            assert_eq!(worker.run(&test), Outcome::Passed);
            assert_eq!(worker.value(&test), observed_int(expect));
            // Nothing but the entry of the method, its branch and one of the two blocks.
            assert!((2..=3).contains(&worker.result.trace.touched().len()), "{:?}", worker.result.trace);
        }
        let ended: [&[Answer]; 1] = [&[value(0), value(0), value(1)]];
        let test = [int(65), int(-1), stub(stream, &[], &ended), call(reads, &[2])];
        assert_eq!(worker.value(&test), observed_int(130));
        let endless: [&[Answer]; 1] = [&[value(0)]];
        for method in [reads, skips] {
            let test = [int(65), stub(stream, &[], &endless), call(method, &[1])];
            assert_eq!(worker.run(&test), Outcome::TimedOut);
            assert!(!worker.executor.is_tainted());
        }
    });
}

#[test]
fn a_stub_calls_what_it_is_passed() {
    in_own_process("stubs::a_stub_calls_what_it_is_passed", || {
        let mut cluster = Cluster::default();
        let apply = cluster.method("java/util/function/IntFunction", "apply", "(I)Ljava/lang/Object;");
        let run = cluster.method("java/lang/Runnable", "run", "()V");
        let methods = [
            ("run", "(Ljava/util/function/IntFunction;)Ljava/lang/Object;", apply, true),
            ("go", "(Ljava/lang/Runnable;)V", run, false),
            ("later", "(Ljava/lang/Runnable;)J", run, false),
        ];
        let methods = methods.map(|(name, descriptor, callable, gives)| StubMethod {
            callbacks: vec![Callback { parameter: 0, callable, gives }],
            ..method(&mut cluster, name, descriptor, &[], 0x401)
        });
        let runner = add(&mut cluster, "p/Runner", None, methods.to_vec());
        let [handed, none, fails] =
            [("handed", "String"), ("none", "Object"), ("fails", "Object")].map(|(name, gives)| {
                cluster.static_method("p/Subject", name, &format!("(Lp/Runner;)Ljava/lang/{gives};"))
            });
        let mut worker = started(cluster);
        let calls = |passed: &[u16]| {
            let mut all = [None; MOST_PASSED_BACK];
            all.iter_mut().zip(passed).for_each(|(place, passed)| *place = Some(VarRef(*passed)));
            Answer::CallBack(0, all)
        };
        let check = |worker: &mut Worker, answers: [&[Answer]; 3], expect: &str| {
            let test = [int(5), int(2), string("ft"), stub(runner, &[], &answers), call(handed, &[3])];
            assert_eq!(worker.value(&test), observed_string(expect), "{answers:?}");
        };
        check(&mut worker, [&[calls(&[0])], &[calls(&[])], &[calls(&[])]], "many 0 gone later");
        check(&mut worker, [&[calls(&[1])], &[], &[]], "few 0");
        check(&mut worker, [&[value(2)], &[calls(&[])], &[]], "ft 0 gone");
        let thrown = |worker: &mut Worker, callable| {
            let made = stub(runner, &[], &[&[calls(&[0])], &[], &[]]);
            worker.executor.observe(&TestCase::new(vec![int(5), made, call(callable, &[1])]), &[]).outcome
        };
        for (callable, exception) in [(none, "NullPointerException"), (fails, "IllegalStateException")] {
            let outcome = format!("{:?}", thrown(&mut worker, callable));
            assert!(outcome.contains(exception), "what is called throws it: {outcome}");
        }
        assert_eq!(worker.executor.take_diagnostics(), Vec::<String>::new());
    });
}
