//! A class with what tests may use of it, and its runs.

use std::sync::Arc;

use bytecode::descriptor::PrimitiveType;
use bytecode::hierarchy::ClassHierarchy;
use concolic::interpreter::{Code, Following, Limits};
use concolic::term::Terms;
use concolic::test_replay::{ReplayedTest, Replaying, TestEnd, replay_test};
use testcase::cluster::testing::ClusterBuilder;
use testcase::cluster::{CallableId, StubId, TestCluster, TypeId};
use testcase::recording::Recording;
use testcase::statement::{Answer, Script, Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::Value;

use crate::recordings::recorder::Recorder;

const SOURCES: &str = r#"
//- /p/Foo.java
package p;
import java.util.function.IntUnaryOperator;
public class Foo {
    static final int[] PRIMES = {2, 3, 5, 7};
    static Numbered given;
    private int state;
    public Foo(int state) { this.state = state; }
    public int magic(int x, String s) {
        if (s == null) return 1;
        if (state * 3 == x - 7 && s.startsWith("go")) return s.length() == 5 ? 42 : 2;
        return 0;
    }
    public static int sum(int[] a) {
        if (a.length == 3 && a[0] + a[1] == 17 && a[2] > 100) return 42;
        return 0;
    }
    public static int pick(int k) {
        switch (k) {
            case 3: return 1;
            case 900: return 42;
            default: return 0;
        }
    }
    public int apply(IntUnaryOperator f) { return f.applyAsInt(1) == 77 ? 42 : 0; }
    public static int boxed(Integer i) { return i == null ? 1 : i * 2 == 84 ? 42 : 0; }
    public static int text(int i) { return ("<" + i + ">").equals("<1234>") ? 42 : 0; }
    public static int caught(int i) {
        try {
            int[] copy = new int[PRIMES.length];
            copy[1] = PRIMES[i] / (i - 2);
            return copy[1] == -1 ? 42 : 0;
        } catch (ArithmeticException e) {
            return 3;
        }
    }
    static final java.util.regex.Pattern CODE = java.util.regex.Pattern.compile("[a-c]{2}-[x-z]{3,4}");
    public static int code(String s) {
        java.util.regex.Matcher code = CODE.matcher(s);
        if (!code.matches()) return CODE.matcher(s).find() ? 1 : 0;
        return s.charAt(0) == 'c' && s.endsWith("zy") ? 42 : 2;
    }
    public static int failing(int i) {
        try {
            if (i == 1) throw new AssertionError();
            int[] made = new int[PRIMES.length];
            return made.length == 4 ? 42 : 0;
        } catch (Error e) {
            return 3;
        }
    }
    public static int casts(int i) {
        Counter counter;
        String[] texts;
        try {
            if (i == 1) throw new ClassCastException();
            counter = i < 5 ? (Counter) given : null;
            texts = i < 5 ? null : (String[]) (Object) given;
        } catch (ClassCastException e) {
            return 3;
        }
        return counter == null ? texts.length : counter.number();
    }
    public static int numbered(int i) { return given.number() + i == 45 ? 42 : 0; }
    public static int lambda(int i) {
        IntUnaryOperator f = x -> x + i;
        return f.applyAsInt(3) == 50 ? 42 : 0;
    }
    public int touched(int x) {
        state = x;
        java.util.Collections.singletonList(this);
        return state == 5 ? 42 : 0;
    }
    public int read(java.io.InputStream in) throws java.io.IOException { return in.read() == 77 ? 42 : 0; }
    public int chain(Chain c) { return c.with("a").with("b").number() == 77 ? 42 : 0; }
    public int kind(IntUnaryOperator f) { return (Object) f.getClass() == Foo.class ? 42 : 0; }
    public static int root(double x) { return Math.sqrt(x) > 2 && x > 8 ? 42 : 0; }
    public static int date(String text) {
        if (text.length() != 10) return 0;
        if (text.charAt(4) != '-' || text.charAt(7) != '-') return 0;
        int year = number(text, 0, 4), month = number(text, 5, 7), day = number(text, 8, 10);
        if (year < 0 || month < 1 || month > 12 || day < 1) return 1;
        if (month != 2) return 2;
        boolean leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        return leap && day == 29 ? 42 : 3;
    }
    private static int number(String text, int from, int to) {
        int number = 0;
        for (int i = from; i < to; i++) {
            char digit = text.charAt(i);
            if (digit < '0' || digit > '9') return -1;
            number = 10 * number + digit - '0';
        }
        return number;
    }
    public static int hidden(int i) {
        if (Math.sqrt(i) > 3) return 1;
        return i == 42 ? 42 : 0;
    }
    public int twins(String one, String other) {
        if (one == other) return 42;
        return one.equals(other) ? 2 : 0;
    }
    public static int thrown(int i) {
        if (i > 1000) throw new IllegalStateException("large");
        return 0;
    }
}

interface Chain {
    Chain with(String text);
    int number();
}

interface Numbered {
    default int number() { return 4; }
}

class Counter implements Numbered {
    public int number() { return 4; }
}
"#;

pub(crate) struct Subject {
    pub(crate) hierarchy: Arc<ClassHierarchy>,
    code: Arc<Code>,
    pub(crate) cluster: TestCluster,
    constructor: CallableId,
    calls: Vec<(&'static str, CallableId)>,
    integers: TypeId,
    stub: StubId,
    constructed_stub: StubId,
    chained_stub: StubId,
}

pub(crate) fn int(value: i32) -> Statement {
    Statement::Primitive { value: Value::Int(value), boxed: false }
}

pub(crate) fn text(value: &str) -> Statement {
    Statement::Primitive { value: Value::String(value.into()), boxed: false }
}

impl Subject {
    pub(crate) fn compile() -> Self {
        let mut builder = ClusterBuilder::new("p/Foo");
        let class = builder.class_under_test();
        let number = TypeId::primitive(PrimitiveType::Int);
        let integers = builder.array(number);
        let function = builder.class("java/util/function/IntUnaryOperator");
        let stub = builder.stub(function, None, &[("applyAsInt", &[number], Some(number))], &[]);
        let constructor = builder.constructor(class, &[number]);
        let mut calls = vec![
            ("magic", builder.method(class, "magic", &[number, TypeId::STRING], Some(number))),
            ("twins", builder.method(class, "twins", &[TypeId::STRING, TypeId::STRING], Some(number))),
            ("apply", builder.method(class, "apply", &[function], Some(number))),
            ("kind", builder.method(class, "kind", &[function], Some(number))),
            ("touched", builder.method(class, "touched", &[number], Some(number))),
        ];
        let stream = builder.class("java/io/InputStream");
        let construct = builder.constructor(stream, &[]);
        let constructed_stub = builder.stub(stream, Some(construct), &[("read", &[], Some(number))], &[]);
        calls.push(("read", builder.method(class, "read", &[stream], Some(number))));
        let chain = builder.class("p/Chain");
        let methods = [("with", &[TypeId::STRING][..], Some(chain)), ("number", &[], Some(number))];
        let chained_stub = builder.stub(chain, None, &methods, &[]);
        calls.push(("chain", builder.method(class, "chain", &[chain], Some(number))));
        let boxed = TypeId::boxed(PrimitiveType::Int);
        let double = TypeId::primitive(PrimitiveType::Double);
        for (name, parameter) in [
            ("sum", integers),
            ("pick", number),
            ("boxed", boxed),
            ("text", number),
            ("caught", number),
            ("lambda", number),
            ("root", double),
            ("thrown", number),
            ("failing", number),
            ("numbered", number),
            ("casts", number),
            ("hidden", number),
            ("date", TypeId::STRING),
            ("code", TypeId::STRING),
        ] {
            calls.push((name, builder.static_method(class, name, &[parameter], Some(number))));
        }
        let hierarchy = Arc::new(fixture::compile(SOURCES).hierarchy());
        Self {
            hierarchy,
            code: Arc::default(),
            cluster: builder.build(),
            constructor,
            calls,
            integers,
            stub,
            constructed_stub,
            chained_stub,
        }
    }

    fn call(&self, name: &str) -> CallableId {
        self.calls.iter().find(|(known, _)| *known == name).expect("a method").1
    }

    /// `Foo.name(argument)`
    pub(crate) fn static_call(&self, name: &str, argument: Statement) -> TestCase {
        let callable = self.call(name);
        let arguments = [VarRef(0)].into_iter().collect();
        TestCase::new(vec![argument, Statement::Method { callable, receiver: None, arguments }])
    }

    /// `Foo.sum(new int[length])`
    pub(crate) fn array_call(&self, length: u16) -> TestCase {
        self.static_call("sum", Statement::Array { of: self.integers, length })
    }

    /// `new Foo(state).name(arguments)`
    pub(crate) fn instance_call(&self, state: i32, name: &str, arguments: &[Statement]) -> TestCase {
        let mut statements = vec![int(state)];
        let construct = [VarRef(0)].into_iter().collect();
        statements.push(Statement::Constructor { callable: self.constructor, arguments: construct });
        statements.extend(arguments.iter().cloned());
        let last = statements.len() as u16;
        let arguments = (last - arguments.len() as u16..last).map(VarRef).collect();
        let callable = self.call(name);
        statements.push(Statement::Method { callable, receiver: Some(VarRef(1)), arguments });
        TestCase::new(statements)
    }

    /// `new Foo(0).apply(x -> answer)`
    pub(crate) fn stub_call(&self, answer: i32) -> TestCase {
        self.call_with(self.stub, "apply", answer, &[])
    }

    /// `new Foo(0).kind(x -> 0)`
    pub(crate) fn kind_call(&self) -> TestCase {
        self.call_with(self.stub, "kind", 0, &[])
    }

    /// `new Foo(0).read(in)` with a stream of a class that the test implements: a constructor of the platform makes it.
    pub(crate) fn constructed_stub_call(&self, answer: i32) -> TestCase {
        self.call_with(self.constructed_stub, "read", answer, &[])
    }

    /// `new Foo(0).chain(c)`, where `c.with(…)` gives `c`, and `c.number()` the answer.
    pub(crate) fn chained_stub_call(&self, answer: i32) -> TestCase {
        self.call_with(self.chained_stub, "chain", answer, &[Answer::Itself])
    }

    /// With a stub whose first methods answer so, and the one behind them with a number.
    fn call_with(&self, stub: StubId, name: &str, answer: i32, before: &[Answer]) -> TestCase {
        let answers = before.iter().copied().chain([Answer::Value(VarRef(2))]);
        let answers = answers.map(|answer| [answer].into_iter().collect()).collect();
        let script = Box::new(Script { arguments: [].into_iter().collect(), answers });
        let mut test = self.instance_call(0, name, &[int(answer), Statement::Stub { stub, script }]);
        let last = test.len() - 1;
        if let Statement::Method { arguments, .. } = &mut test.statements_mut()[last] {
            *arguments = [VarRef(3)].into_iter().collect();
        }
        test
    }

    fn replaying(&self) -> Replaying<'_> {
        Replaying {
            cluster: &self.cluster,
            hierarchy: &self.hierarchy,
            code: &self.code,
            limits: Limits::default(),
        }
    }

    /// Runs a test and gives its recording and the replay that made it.
    pub(crate) fn record(&self, test: &TestCase) -> (Recording, ReplayedTest) {
        let mut recorder = Recorder::default();
        let replay = replay_test(test, test.len(), &self.replaying(), &mut recorder, &mut Terms::new());
        recorder.recording.is_complete = true;
        if let TestEnd::Stopped { statement, .. } = replay.end {
            panic!("{:?} at {statement}", replay.end);
        }
        (recorder.recording, replay)
    }

    /// Replays a recording.
    pub(crate) fn follow(&self, test: &TestCase, recording: &Recording) -> ReplayedTest {
        let mut following = Following::new(recording);
        let begun = recording.statements.len();
        replay_test(test, begun, &self.replaying(), &mut following, &mut Terms::new())
    }
}
