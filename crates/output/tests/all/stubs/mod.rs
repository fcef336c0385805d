//! What tests implement themselves, as source: its form, and that `javac` takes whatever the factory makes.

mod mocks;
mod shared;

use crate::common::{TestBuilder, body, junit_stub, random_tests};
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use coverage::goal::GoalSet;
use output::asserted_test::AssertedTest;
use output::junit::printed::PrintedSuite;
use output::junit::style::JunitStyle;
use output::junit::writer::JunitWriter;
use testcase::assertion::{ObservationTarget, ObservedValue, StubCall};
use testcase::cluster::build::{ClusterOptions, ClusterRequest, Mockable, build};
use testcase::cluster::{
    Callable, CallableId, CallableKind, Generator, StaticConstants, StubId, StubMethod, TestCluster,
};
use testcase::statement::{Answer, Script, Statement, VarRef};
use testcase::value::Value;

const FIXTURE: &str = r#"
//- /p/Steps.java
package p;
import java.io.IOException;
import java.util.*;
import java.util.concurrent.Callable;
import java.util.function.*;
public class Steps<K> {
    public interface Step<A, B> { B apply(A input, int depth) throws IOException; void close() throws Exception; }
    public interface Format { String format(String pattern, Object... values); default int width() { return 1; } }
    public interface Lists { @SuppressWarnings("unchecked") int all(List<String>... lists); @Deprecated int old(); }
    public static int calls;
    public Steps() {}
    public static <T> T first(Iterator<? extends T> items, Supplier<T> other) { return items.hasNext() ? items.next() : other.get(); }
    public K apply(Function<? super String, ? extends K> function, Predicate<? super K> test, BinaryOperator<K> both) { return null; }
    public String step(Step<List<? super Integer>, Map<String, K[]>> step, Comparator<K> order, Format format, Lists lists) { return format.format("a", order, lists); }
    public void run(Runnable task, Callable<? extends Number> callable, UnaryOperator<int[]> operator) throws Exception { task.run(); callable.call(); }
    public static void run(Callable<Integer> task) {}
    public static void run(Supplier<Integer> task) {}
    public void base(q.Base<String> base, q.Base<String>.Inner inner, Part part) { base.start(); }
    @SuppressWarnings("rawtypes") public static int raw(Comparable old, q.Raw raw) { return 1; }
    public static abstract class Part implements Cloneable { int step; protected Part(int step, String... names) throws IOException { this.step = step; } abstract int size(); protected abstract long[] sizes(long[] given); public int twice() { return 2 * size(); } }
}
//- /q/Base.java
package q;
import java.util.*;
public abstract class Base<T extends Comparable<T>> {
    public String string = "a";
    protected int number, value, calls, comparator;
    protected Base(T start, Collection<? extends T> more) {}
    public abstract T next(T value, T other);
    protected abstract boolean hasNext();
    public void start() { hasNext(); }
    public abstract class Inner { protected Inner(T inner) {} public abstract T inner(); }
}
//- /p/Keeper.java
package p;
import java.util.function.*;
public class Keeper {
    public static void keep(Predicate<String> first, Predicate<String> value) {}
}
//- /p/Wider.java
package p;
import java.util.*;
public class Wider {
    public static int of(Wide<String> wide) { Integer all = wide.get(Integer.class, "a"); return wide.size() + all; }
}
//- /p/Wide.java
package p;
import java.util.*;
public interface Wide<T extends CharSequence> {
    <R> R get(Class<R> of, T key);
    <E extends Exception> void fail(List<? extends E> all) throws E;
    <K extends T> Map<K, T> keys(K... all);
    int size(); boolean isOpen(); char first(); long[] longs(); String text(T of); List<T> all(); double real();
    void close(); void put(T key, Object... values); Map<T, ? extends Number> numbers(); @Deprecated byte small();
}
//- /p/Visits.java
package p;
public class Visits {
    public static Long count(Visitor<Long, String> visitor) throws Exception { return visitor.visit(1, "a"); }
    public static String name(Visitor<String, Integer> visitor) throws Exception { return visitor.visit(1, 2); }
    public static long size(Pair<Long> pair) { return pair.one() + pair.other(); }
}
//- /p/Visitor.java
package p;
import java.util.List;
public interface Visitor<R, A> extends Ended<A> {
    R visit(int node, A argument) throws java.io.IOException; Object clone(); R visit(long node, A argument); R visit(short node, A argument); R visit(byte node, A argument);
    R visit(char node, A argument); R visit(String node, A argument); R visit(List<A> node, A argument); R visit(int[] node, A argument);
    R visit(long[] node, A argument); R visit(short[] node, A argument); R visit(byte[] node, A argument); R visit(float node, A argument);
    R visit(A node, List<? super A> argument); R visit(double[] node, A... arguments); int depth();
}
//- /p/Ended.java
package p;
public interface Ended<T> { void end(T last); T last(); }
//- /p/Pair.java
package p;
import q.P;
public interface Pair<P> {
    P one(); P other(); q.P a(); q.P b(); q.P c(); q.P d(); q.P e(); q.P f(); q.P g(); q.P h(); q.P i(); q.P j(); q.P k();
}
//- /p/Tells.java
package p;
import java.util.function.Consumer;
public class Tells {
    public static void all(Listener listener) { listener.seen(1, 'c'); listener.ready("a", 0.5); }
    public static void one(Consumer<String> consumer) { consumer.accept("\"b\""); consumer.accept(null); }
    public static void pair(Pairing pairing) { pairing.of("a", "b, c"); }
    public static void check(Checking checking) { checking.check(Item.class, 3); checking.check(null, 4); checking.check(int.class, 5); }
    public static int at(Tide tide) { return tide.ordinal(); }
    public static boolean asked(java.util.function.IntPredicate predicate) { return predicate.test(3); }
}
//- /p/Listener.java
package p;
public interface Listener { void seen(int number, char sign); boolean ready(String name, double part); void unused(); }
//- /p/Pairing.java
package p;
public interface Pairing { void of(String one, String other); boolean isOpen(); }
//- /p/Checking.java
package p;
public interface Checking { void check(Class<?> of, long number); void end(); void take(Object any); }
//- /p/Tide.java
package p;
public enum Tide { LOW_TIDE, HIGH_TIDE }
//- /p/Saves.java
package p;
public class Saves { public static int size(Saved<String> saved) { return saved.size(); } }
//- /p/Saved.java
package p;
public interface Saved<T> extends java.io.Serializable {
    int size(); T a(); T b(); T c(); T d(); T e(); T f(); T g(); T h(); T i(); T j(); T k(); T l();
}
//- /p/Gauges.java
package p;
public class Gauges {
    public interface Gauge { int low(); int now(); int high(); }
    public static int of(Gauge gauge) { return gauge.high() - gauge.low() + gauge.now(); }
}
//- /p/Shapes.java
package p;
import java.io.IOException;
public class Shapes {
    public static abstract class Shape { protected int corners; @Deprecated protected Shape(String name, int corners, long... sides) throws IOException { this.corners = corners; }
        abstract int low(); abstract int now(); abstract int high(); }
    public static int of(Shape shape) { return shape.high() - shape.low() + shape.now() + shape.corners; }
    public static int all(Sheet<String> sheet) { return sheet.size(); }
}
//- /p/Sheet.java
package p;
public abstract class Sheet<T> {
    Sheet(T first) { } abstract int size(); abstract T a(); abstract T b(); abstract T c(); abstract T d(); abstract T e(); abstract T f(); abstract T g();
    abstract T h(); abstract T i(); abstract T j(); abstract T k(); abstract T l();
}
//- /p/Rows.java
package p;
import java.io.IOException;
public class Rows {
    public static int all(Cursor<String> cursor) throws IOException { int sum = 0; while (cursor.next()) { sum += cursor.get("a", 0).length() + cursor.part(0); } cursor.close(); return sum; }
    public static int walk(Walker walker) { return walker.twice() + walker.left().size(); }
    public static int ride(Rider rider) { return rider.pace().length() + rider.miles(); }
}
//- /p/Cursor.java
package p;
import java.io.IOException;
import java.util.*;
public interface Cursor<T> extends AutoCloseable {
    boolean next() throws IOException; T get(String column, int row); T get(Integer column, int row); long part(int index); @Deprecated Object first(T of);
    List<? extends T> all(); List<T> some(); Optional<T> any(); Integer count(); T[] array(); void close() throws IOException;
}
//- /p/Walker.java
package p;
import java.util.List;
public interface Walker { int steps(int most); List<String> left(); default int twice() { return 2 * steps(1); } }
//- /p/Rider.java
package p;
public interface Rider { String pace(); int miles(); default int twice(int miles) { return 2 * miles; } }
//- /p/Bags.java
package p;
public class Bags { public static int of(Bag<Integer> bag) { return bag.size() + bag.all().length + bag.most() - bag.least(); } }
//- /p/Bag.java
package p;
public interface Bag<T> {
    int size(); int least(); int most(); Object[] all(); <S> S[] toArray(S[] into); <S> S with(S of, T item);
    int a(); int b(); int c(); int d(); int e(); int f(); int g(); int h(); int i(); int j(); int k(); int l();
}
//- /p/Stores.java
package p;
public class Stores {
    public static void all(Store<Item> store) {
        store.save(new Item()); store.saveAll(java.util.List.of()); store.find(Item.class); store.find("a"); store.count();
    }
}
//- /p/Item.java
package p;
public class Item { }
//- /p/Store.java
package p;
import java.util.List;
public interface Store<T> {
    <S extends T> S save(S one); <S extends T> List<S> saveAll(List<S> all); <R> R find(Class<R> type); <R> R find(String name); int count();
}
//- /p/Asks.java
package p;
public class Asks {
    public static String of(Query<String> query) { return query.where("a", 1).limited().one(); }
    public static String step(Step step) { return step.next().next() == step ? "same" : "other"; }
}
//- /p/Query.java
package p;
public interface Query<T> { Query<T> where(String name, Object value); <R> Query<T> as(Class<R> type); Query<T> limited(); T one(); }
//- /p/Step.java
package p;
public interface Step { Step next(); }
//- /p/Dials.java
package p;
public class Dials {
    public static String made() { return "made"; }
    public static void all(Line line) throws java.io.IOException { line.told(); line.keep(new StringBuilder()); if (line.isOpen()) { line.send("a"); line.mark('b'); } line.next(); line.kept(1L); }
}
//- /p/Line.java
package p;
public final class Line {
    Line(java.net.Socket to) { throw new IllegalStateException(); }
    public final boolean isOpen() { return false; }
    public void send(String text) throws java.io.IOException { }
    public int mark(char sign) { return sign; }
    Line next() { return this; }
    public long kept(long of) { return of; }
    public java.util.Optional<String> told() { return null; }
    public void keep(StringBuilder text) { }
}
//- /p/Station.java
package p;
public class Station {
    private final Sensor sensor;
    public Station(Sensor sensor, Item item) { this.sensor = sensor; }
    public int level() { return sensor.level(); }
}
//- /p/Gone.java
package p;
@Deprecated(forRemoval = true) public class Gone {}
//- /p/Panel.java
package p;
public class Panel { public static int show(Lamp lamp) { return lamp.level() + lamp.most(); } }
//- /p/Lamp.java
package p;
@SuppressWarnings("removal") public interface Lamp { int level(); int most(); Gone gone(); Gone before(Gone of); }
//- /p/Sensor.java
package p;
public interface Sensor { int level(); int most(); String name(); }
//- /q/P.java
package q;
public class P {}
//- /q/Raw.java
package q;
@SuppressWarnings("rawtypes") public interface Raw extends java.util.concurrent.Callable { java.util.List list(java.util.Map map); }
"#;

struct World {
    hierarchy: ClassHierarchy,
    cluster: TestCluster,
    folder: String,
}

fn world(class: &str) -> World {
    world_with(class, Mockable::Nothing)
}

fn world_with(class: &str, mockable: Mockable) -> World {
    let sources = format!("{}\n{FIXTURE}", junit_stub::sources());
    let compiled = fixture::compile_with(&sources, &["-g", "-parameters"]);
    let hierarchy = compiled.hierarchy();
    let class_under_test = ClassName::from(class);
    let names = hierarchy.source().class_path_classes().iter();
    let goal_classes = names.filter(|name| name.is_in_nest_of(&class_under_test)).cloned().collect();
    let request = ClusterRequest { class_under_test, goal_classes };
    let options = ClusterOptions { mockable, ..ClusterOptions::default() };
    let cluster =
        build(&hierarchy, &request, StaticConstants::default(), &[], &options).expect("a cluster is built");
    let folder = compiled.folder.to_str().expect("a path in UTF-8").to_owned();
    World { hierarchy, cluster, folder }
}

impl World {
    fn print(&self, style: JunitStyle, suite: &[AssertedTest]) -> PrintedSuite {
        self.print_as(style, suite, |writer| writer)
    }

    /// With mocks in all tests but those `apart`.
    fn print_mocks(&self, style: JunitStyle, suite: &[AssertedTest], apart: &[usize]) -> PrintedSuite {
        self.print_as(style, suite, |writer| writer.with_mocks(apart.iter().copied().collect()))
    }

    fn print_as(
        &self,
        style: JunitStyle,
        suite: &[AssertedTest],
        set_up: impl FnOnce(JunitWriter<'_>) -> JunitWriter<'_>,
    ) -> PrintedSuite {
        let class = self.cluster.class_under_test.clone().expect("a class under test");
        let goals = GoalSet::default();
        set_up(JunitWriter::new(&self.cluster, &self.hierarchy, &goals, class, style)).write(suite)
    }

    /// The stub of a type, as the listing of a cluster names it.
    fn stub(&self, name: &str) -> StubId {
        let named = |id: &StubId| {
            let of = self.cluster.stub(*id).of;
            testcase::cluster::listing::TypeText(&self.cluster, of).to_string() == name
        };
        let generators = self.cluster.generators.iter().flatten();
        let stubs = generators.filter_map(|generator| match generator {
            Generator::Stub(id) => Some(*id),
            Generator::Callable(_) | Generator::Field(_) | Generator::Of(_) => None,
        });
        stubs.into_iter().find(named).unwrap_or_else(|| panic!("no stub of {name}"))
    }
}

impl World {
    /// The static method that takes a stub and nothing else, if there is one.
    fn taker(&self, stub: StubId) -> Option<CallableId> {
        let of = self.cluster.stub(stub).of;
        let takes = |callable: &Callable| {
            callable.kind == CallableKind::StaticMethod
                && callable.parameters.iter().map(|parameter| parameter.of).eq([of])
        };
        self.cluster.callables.iter().position(takes).map(CallableId::from)
    }
}

fn scripted(stub: StubId, arguments: &[VarRef], answers: &[&[Answer]]) -> Statement {
    let answers = answers.iter().map(|answers| answers.iter().copied().collect()).collect();
    let script = Script { arguments: arguments.iter().copied().collect(), answers };
    Statement::Stub { stub, script: Box::new(script) }
}

#[test]
fn javac_takes_whatever_the_factory_makes() {
    for class in ["p/Steps", "p/Wider", "p/Visits", "p/Saves", "p/Gauges", "p/Shapes", "p/Bags", "p/Asks"] {
        check_factory(&world(class));
    }
}

fn check_factory(world: &World) {
    let suite = random_tests(&world.cluster);
    let of_mocks = world.print_mocks(JunitStyle::Junit4, &suite, &[]);
    for printed in
        [world.print(JunitStyle::Junit4, &suite), world.print(JunitStyle::Jupiter, &suite), of_mocks]
    {
        let reasons: Vec<String> = printed.refused.iter().map(|refused| refused.reason.to_string()).collect();
        assert!(reasons.is_empty(), "{reasons:?}");
        let source = format!("//- /{}\n{}", printed.path(), printed.text);
        fixture::compile_strictly(&source, &["-cp", &world.folder]);
    }
}

/// `javac` looks once more at what an anonymous class inherits of the class of the file: a generic method, implemented as it is erased.
#[test]
fn calls_of_stubs_are_written_into_a_list_that_is_asserted() {
    let world = world("p/Tells");
    let test = |name: &str, calls: &[(&str, &str)]| called(&world, name, calls);
    let suite = [
        test("Listener", &[("seen", "seen(1, c)"), ("ready", "ready(a)")]),
        test("Consumer<String>", &[("accept", "accept(\"b\")"), ("accept", "accept(null)")]),
        test("IntPredicate", &[("test", "test(3)")]),
    ];
    for style in [JunitStyle::Junit4, JunitStyle::Junit413, JunitStyle::Jupiter] {
        let printed = world.print(style, &suite);
        let source = format!("//- /{}\n{}", printed.path(), printed.text);
        let tests = fixture::compile_strictly(&source, &["-cp", &world.folder]);
        let class_path = format!("{}:{}", world.folder, tests.folder.display());
        let output = std::process::Command::new(fixture::java_home().join("bin/java"))
            .args(["-cp", &class_path, "runner.Main", &printed.class.binary()])
            .output()
            .expect("java starts");
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}\n{}", printed.text);
        check_counts(
            &printed.text,
            &[
                ("List<String> listenerCalls = new ArrayList<>();", 1),
                ("listenerCalls.add(\"seen(\" + number + \", \" + sign + \")\");", 1),
                ("listenerCalls.add(\"ready(\" + name + \")\");\n                return true;", 1),
                ("assertEquals(List.of(\"seen(1, c)\", \"ready(a)\"), listenerCalls);", 1),
                ("-> consumerCalls.add(\"accept(\" + ", 1),
                ("assertEquals(List.of(\"accept(\\\"b\\\")\", \"accept(null)\"), consumerCalls);", 1),
                ("assertEquals(List.of(\"test(3)\"), intPredicateCalls);", 1),
                (" -> {\n            intPredicateCalls.add(\"test(\" + ", 1),
                ("            return true;\n        };\n", 1),
                ("Calls.add(", 4),
            ],
        );
    }
}

/// A test that asserts calls of a stub whose methods answer `true`.
fn called(world: &World, name: &str, calls: &[(&str, &str)]) -> AssertedTest {
    let stub = world.stub(name);
    let methods = &world.cluster.stub(stub).methods;
    let mut test = TestBuilder::default();
    test.push(primitive(Value::Boolean(true), false));
    let answer = |method: &StubMethod| {
        [if method.result.is_some() { Answer::Value(VarRef(0)) } else { Answer::Return }]
    };
    let answers: Vec<[Answer; 1]> = methods.iter().map(answer).collect();
    let answers: Vec<&[Answer]> = answers.iter().map(<[Answer; 1]>::as_slice).collect();
    let made = test.push(scripted(stub, &[], &answers));
    test.call_static(world.taker(stub).expect("a method takes it"), &[made]);
    let number =
        |method: &str| methods.iter().position(|other| &*other.name == method).expect("a method") as u16;
    let call = |&(method, text): &(&str, &str)| StubCall::new(number(method), text);
    let calls = ObservedValue::Calls(calls.iter().map(call).collect());
    test.assert(ObservationTarget::Calls(made, stub), calls);
    let test = test.finish();
    assert_eq!(test.test.validate(&world.cluster), Ok(()));
    test
}

/// Checks how often texts are in a file.
fn check_counts(text: &str, expected: &[(&str, usize)]) {
    for &(expect, times) in expected {
        assert_eq!(text.matches(expect).count(), times, "{expect}\n{text}");
    }
}

/// Prints a test that makes a stub and passes it to the static method `run` that takes one, or to none.
fn check(name: &str, inputs: &[Statement], arguments: &[u16], answers: &[&[Answer]], expect: &str) {
    let world = world("p/Steps");
    let stub = world.stub(name);
    let mut test = TestBuilder::default();
    for input in inputs {
        test.push(input.clone());
    }
    let arguments: Vec<VarRef> = arguments.iter().map(|argument| VarRef(*argument)).collect();
    let made = test.push(scripted(stub, &arguments, answers));
    if let Some(taker) = world.taker(stub) {
        test.call_static(taker, &[made]);
    }
    let test = test.finish();
    assert_eq!(test.test.validate(&world.cluster), Ok(()));
    assert_eq!(body(&world.print(JunitStyle::Jupiter, &[test])), expect.trim_matches('\n'));
}

fn primitive(value: Value, boxed: bool) -> Statement {
    Statement::Primitive { value, boxed }
}

fn value(variable: u16) -> Answer {
    Answer::Value(VarRef(variable))
}

#[test]
fn one_answer_of_a_functional_interface_is_a_lambda() {
    let five = [primitive(Value::Int(5), true)];
    check(
        "Callable<Integer>",
        &five,
        &[],
        &[&[value(0)]],
        "Callable<Integer> callable = () -> 5;\nSteps.run(callable);",
    );
}

#[test]
fn the_parameter_of_a_lambda_is_not_called_as_its_variable() {
    let world = world("p/Keeper");
    let stub = world.stub("Predicate<String>");
    let keep = world.cluster.callables.iter().position(|callable| &*callable.name == "keep");
    let mut test = TestBuilder::default();
    let no = test.push(primitive(Value::Boolean(false), false));
    let both = [(); 2].map(|()| test.push(scripted(stub, &[], &[&[Answer::Value(no)]])));
    test.call_static(CallableId::from(keep.expect("it can be called")), &both);
    let printed = world.print(JunitStyle::Jupiter, &[test.finish()]);
    let expect = "Predicate<String> predicate = value -> false;\nPredicate<String> value = value2 -> false;";
    assert!(body(&printed).starts_with(expect), "{}", body(&printed));
}

#[test]
fn several_answers_are_counted() {
    let numbers = [primitive(Value::Int(5), true), primitive(Value::Int(6), true)];
    check(
        "Callable<Integer>",
        &numbers,
        &[],
        &[&[value(0), value(1)]],
        "
Callable<Integer> callable = new Callable<Integer>() {
    private int calls;

    @Override
    public Integer call() {
        if (calls++ == 0) {
            return 5;
        }
        return 6;
    }
};
Steps.run(callable);
",
    );
    check(
        "Callable<Integer>",
        &numbers,
        &[],
        &[&[value(0), value(0), value(1)]],
        "
Callable<Integer> callable = new Callable<Integer>() {
    private int calls;

    @Override
    public Integer call() {
        switch (calls++) {
            case 0:
                return 5;
            case 1:
                return 5;
            default:
                return 6;
        }
    }
};
Steps.run(callable);
",
    );
}

#[test]
fn what_gives_itself_says_so() {
    let world = world("p/Asks");
    let test = |name: &str, methods: &[(&str, Answer)]| {
        let mut test = TestBuilder::default();
        test.push(primitive(Value::String("b".into()), false));
        let stub = world.stub(name);
        let answers = world.cluster.stub(stub).methods.iter().map(|method| {
            let told = methods.iter().filter(|(name, _)| *name == &*method.name);
            told.map(|(_, answer)| *answer).collect::<Vec<Answer>>()
        });
        let answers: Vec<Vec<Answer>> = answers.collect();
        let answers: Vec<&[Answer]> = answers.iter().map(Vec::as_slice).collect();
        let made = test.push(scripted(stub, &[], &answers));
        test.call_static(world.taker(stub).expect("a method takes it"), &[made]);
        let test = test.finish();
        assert_eq!(test.test.validate(&world.cluster), Ok(()));
        test
    };
    let methods = [("where", Answer::Itself), ("limited", Answer::Itself), ("one", value(0))];
    let suite = [test("Query<String>", &methods), test("Step", &[("next", Answer::Itself)])];
    let classes = "
        Step step = new Step() {
            @Override
            public Step next() {
                return this;
            }
        };
";
    let printed = world.print(JunitStyle::Jupiter, &suite);
    let where_method = "
            public Query<String> where(String name, Object value) {
                return this;
            }
";
    check_counts(&printed.text, &[(classes, 1), (where_method, 1), ("return this;", 3)]);
    let printed = world.print_mocks(JunitStyle::Jupiter, &suite, &[]);
    let mocks = "
        Query<String> query = mock(Query.class);
        when(query.limited()).thenReturn(query);
        when(query.one()).thenReturn(\"b\");
        when(query.where(any(), any())).thenReturn(query);
";
    check_counts(&printed.text, &[(mocks, 1), ("when(step.next()).thenReturn(step);", 1)]);
}

#[test]
fn an_abstract_class_is_an_anonymous_class_with_the_arguments_of_its_constructor() {
    let names = cluster_array_of_strings();
    check(
        "Steps.Part",
        &[primitive(Value::Int(3), false), names, primitive(Value::Int(4), false)],
        &[0, 1],
        &[&[value(2)], &[Answer::Parameter(0)]],
        "
Steps.Part part = new Steps.Part(3) {
    @Override
    int size() {
        return 4;
    }

    @Override
    protected long[] sizes(long[] given) {
        return given;
    }
};
",
    );
}

fn cluster_array_of_strings() -> Statement {
    let world = world("p/Steps");
    let of = world.cluster.types.iter().position(|ty| ty.erased.descriptor() == "[Ljava/lang/String;");
    Statement::Array { of: of.expect("an array of strings").into(), length: 0 }
}
