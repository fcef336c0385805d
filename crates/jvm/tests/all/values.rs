//! Distances to partitions of values: what a test passes and gets, and whose method that counts for.

use crate::common::{
    Cluster, Worker, call, call_on, in_own_process, int, new, observed_int, observed_string, string,
};
use bytecode::analysis::AnalysisOptions;
use bytecode::probe_map::{MethodProbes, OutcomeId, ProbeMap};
use bytecode::values::{Inspector, ValueOf, ValueOptions, ValuePartition, ValueProbes};
use testcase::assertion::{ObservationPoint, ObservationTarget, ObservedValue};
use testcase::cluster::TypeId;
use testcase::execution::{Executor, Outcome};
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::Value;

const TEXT: &str = "Ljava/lang/String;";

const BOTH: ValueOptions = ValueOptions { inputs: true, outputs: true };

const SOURCE: &str = r#"
//- /p/Base.java
package p;

public class Base {
    public int both(int x) { return -x; }
    public int inherited(int x) { return x; }
    public static int refuse(int x) { throw new IllegalStateException(); }
    public static int inside(int x) { return refused(x); }
    public static int refused(int x) { return x; }
}
//- /p/Sub.java
package p;

public class Sub extends Base {
    private final int size;
    public Sub(int size) { this.size = size; }
    @Override public int both(int x) { return super.both(x) + 1; }
}
//- /p/Box.java
package p;

public class Box {
    private final int size;
    private final boolean breaks;
    Box(int size, boolean breaks) { this.size = size; this.breaks = breaks; }
    public int getSize() { if (breaks) throw new IllegalStateException(); return size; }
}
//- /p/Tank.java
package p;

public class Tank {
    private int level;
    public Tank(int level) { this.level = level; }
    public int getLevel() { if (level == 13) throw new IllegalStateException(); return level; }
    public int drain(Tank other) { int before = level; level = 0; other.level = 0; return before; }
}
//- /p/Spot.java
package p;

public class Spot extends Deep {
    public final int x;
    public String name;
    public Character letter;
    public Spot(int x, String name, Character letter) {
        this.x = x; this.name = name; this.letter = letter; this.depth = x / 2.0;
    }
    public static Spot mirrored(Spot of) {
        Spot spot = new Spot(-of.x, of.name, of.letter);
        of.name = "gone";
        return spot;
    }
}
//- /p/Deep.java
package p;

class Deep {
    public double depth;
}
//- /p/Fragile.java
package p;

public class Fragile {
    static final int SIZE = Integer.parseInt("none");
    public int getSize() { return SIZE; }
}
//- /p/Values.java
package p;

import java.util.*;

public class Values {
    public static int refuse(Fragile fragile) { return fragile == null ? 0 : fragile.getSize(); }
    public static char next(char c) { return (char) (c + 1); }
    public static Integer box(Long number, double real) { return number == null ? null : number.intValue(); }
    public static String cut(String text, CharSequence more) { return text.substring(1); }
    public static int[] array(int length) { return new int[length]; }
    public static Collection<String> list(int size) { return new ArrayList<>(Collections.nCopies(size, "a")); }
    public static Collection<String> own() { return new AbstractList<String>() {
        public String get(int index) { return null; }
        public int size() { throw new IllegalStateException(); }
    }; }
    public static Box wrap(int size, boolean breaks) { return new Box(size, breaks); }
    public static Optional<String> maybe(boolean there) { return there ? Optional.of("a") : Optional.empty(); }
}
"#;

/// Distances of the last run to the classes of a value of a method, `None` where there is none.
fn distances(
    worker: &Worker,
    class: &str,
    name: &str,
    wanted: ValueOf,
) -> Option<Vec<(ValuePartition, f64)>> {
    let map: &ProbeMap = worker.maps.iter().find(|map| map.class.as_str() == class).expect(class);
    let method = map.methods.iter().find(|method| &*method.name == name).expect(name);
    let value = method.values.iter().find(|value| value.of == wanted).expect("it is observed");
    let distances = value.outcomes().map(|(class, id)| (class, worker.result.trace.distance(id)));
    let found: Vec<(ValuePartition, f64)> = distances.collect();
    found.iter().all(|(_, distance)| distance.is_finite()).then_some(found)
}

fn literal(value: Value) -> Statement {
    Statement::Primitive { value, boxed: false }
}

#[test]
fn values_have_distances_to_their_classes() {
    in_own_process("values::values_have_distances_to_their_classes", || {
        use ValuePartition::*;
        let compiled = fixture::compile(SOURCE);
        let mut cluster = Cluster::default();
        let owner = "p/Values";
        let next = cluster.static_method(owner, "next", "(C)C");
        let boxed = cluster.static_method(owner, "box", "(Ljava/lang/Long;D)Ljava/lang/Integer;");
        let cut = cluster.static_method(
            owner,
            "cut",
            "(Ljava/lang/String;Ljava/lang/CharSequence;)Ljava/lang/String;",
        );
        let array = cluster.static_method(owner, "array", "(I)[I");
        let list = cluster.static_method(owner, "list", "(I)Ljava/util/Collection;");
        let own = cluster.static_method(owner, "own", "()Ljava/util/Collection;");
        let maybe = cluster.static_method(owner, "maybe", "(Z)Ljava/util/Optional;");
        let mut worker =
            Worker::start_analyzed(&compiled, &[owner], cluster, (AnalysisOptions::ALL, BOTH), |_| ());
        let mut check =
            |statements: &[Statement], name: &str, of: ValueOf, expect: &[(ValuePartition, f64)]| {
                worker.run(statements);
                assert_eq!(distances(&worker, owner, name, of).as_deref(), Some(expect), "{name} {of:?}");
            };
        let (first, second, result) = (ValueOf::Parameter(0), ValueOf::Parameter(1), ValueOf::Result);
        let letter = [literal(Value::Char(b'9'.into())), call(next, &[0])];
        check(&letter, "next", first, &[(Alphabetic, 8.0), (Digit, 0.0), (Other, 1.0)]);
        check(&letter, "next", result, &[(Alphabetic, 7.0), (Digit, 1.0), (Other, 0.0)]);
        let null = Statement::Null { of: TypeId::boxed(bytecode::descriptor::PrimitiveType::Long) };
        let far = f64::MAX;
        let nothing = [null, literal(Value::Double(-0.5)), call(boxed, &[0, 1])];
        check(&nothing, "box", first, &[(Null, 0.0), (Negative, far), (Zero, far), (Positive, far)]);
        check(&nothing, "box", second, &[(Negative, 0.0), (Zero, 0.5), (Positive, 1.5)]);
        check(&nothing, "box", result, &[(Null, 0.0), (Negative, far), (Zero, far), (Positive, far)]);
        let seven = Statement::Primitive { value: Value::Long(7), boxed: true };
        let some = [seven, literal(Value::Double(f64::NAN)), call(boxed, &[0, 1])];
        check(&some, "box", result, &[(Null, 1.0), (Negative, 8.0), (Zero, 7.0), (Positive, 0.0)]);
        check(&some, "box", second, &[(Negative, far), (Zero, far), (Positive, far)]);
        // The arguments of a call that throws count.
        let throws = [string(""), string("ab"), call(cut, &[0, 1])];
        check(&throws, "cut", first, &[(Null, 1.0), (Empty, 0.0), (NonEmpty, 1.0)]);
        check(&throws, "cut", second, &[(Null, 1.0), (Empty, 2.0), (NonEmpty, 0.0)]);
        // What a method never returns by its code has no class.
        check(&[int(3), call(array, &[0])], "array", result, &[(Empty, 3.0), (NonEmpty, 0.0)]);
        check(&[int(5), call(list, &[0])], "list", result, &[(Empty, 5.0), (NonEmpty, 0.0)]);
        // Nothing of the class under test is asked for a size.
        check(&[call(own, &[])], "own", result, &[(Empty, far), (NonEmpty, far)]);
        let there = [literal(Value::Boolean(true)), call(maybe, &[0])];
        check(&there, "maybe", result, &[(Null, 1.0), (Empty, 1.0), (NonEmpty, 0.0)]);
        // The nearest of several calls counts.
        let twice = [int(5), int(2), call(list, &[0]), call(list, &[1])];
        check(&twice, "list", result, &[(Empty, 2.0), (NonEmpty, 0.0)]);
    });
}

#[test]
fn objects_are_asked_without_a_trace() {
    in_own_process("values::objects_are_asked_without_a_trace", || {
        let compiled = fixture::compile(SOURCE);
        let mut cluster = Cluster::default();
        let make = cluster.static_method("p/Values", "wrap", "(IZ)Lp/Box;");
        let mut worker = Worker::start_analyzed(
            &compiled,
            &["p/Box", "p/Values"],
            cluster,
            (AnalysisOptions::ALL, BOTH),
            |_| (),
        );
        let method = |class: usize, name: &str| {
            let methods = &worker.maps[class].methods;
            methods.iter().find(|method| &*method.name == name).expect(name).clone()
        };
        let asked =
            method(1, "wrap").values.iter().find(|value| value.inspector.is_some()).expect("one").clone();
        let (get_size, boxed) = (method(0, "getSize"), method(1, "wrap"));
        let mut check = |size: i32, breaks: bool, expect: [f64; 3]| {
            let test = [int(size), literal(Value::Boolean(breaks)), call(make, &[0, 1])];
            worker.run(&test);
            let trace = &worker.result.trace;
            let found: Vec<f64> = asked.outcomes().map(|(_, id)| trace.distance(id)).collect();
            assert_eq!(found, expect, "{size} {breaks}");
            assert_eq!((trace.count(get_size.entry), trace.count(boxed.entry)), (0, 1));
        };
        check(6, false, [7.0, 6.0, 0.0]);
        check(-1, false, [0.0, 1.0, 2.0]);
        check(6, true, [f64::INFINITY; 3]);
        check(0, false, [1.0, 0.0, 1.0]);
    });
}

#[test]
fn arguments_are_asked_when_the_call_begins_without_a_trace() {
    in_own_process("values::arguments_are_asked_when_the_call_begins_without_a_trace", || {
        let compiled = fixture::compile(SOURCE);
        let mut cluster = Cluster::default();
        let make = cluster.constructor("p/Tank", "(I)V");
        let drain = cluster.method("p/Tank", "drain", "(Lp/Tank;)I");
        let tank = cluster.ty("Lp/Tank;");
        let mut worker =
            Worker::start_analyzed(&compiled, &["p/Tank"], cluster, (AnalysisOptions::ALL, BOTH), |_| ());
        let method = |name: &str| {
            let methods = &worker.maps[0].methods;
            methods.iter().find(|method| &*method.name == name).expect(name).clone()
        };
        let (get_level, drains) = (method("getLevel"), method("drain"));
        let direct = drains.direct.expect("its calls are told apart").probe(drains.entry);
        let asked = drains.values.iter().find(|value| value.inspector.is_some()).expect("one").clone();
        assert_eq!(asked.of, ValueOf::Parameter(0));
        let mut check = |other: Statement, expect: [f64; 3]| {
            let is_null = matches!(other, Statement::Null { .. });
            let outcome = worker.run(&[int(4), int(5), new(make, &[1]), other, call_on(2, drain, &[3])]);
            assert_eq!(matches!(outcome, Outcome::Passed), !is_null, "{outcome:?}");
            let trace = &worker.result.trace;
            let found: Vec<f64> = asked.outcomes().map(|(_, id)| trace.distance(id)).collect();
            assert_eq!(found, expect);
            let hits = [get_level.entry, drains.entry, direct].map(|probe| trace.count(probe));
            assert_eq!(hits, [0, 1, 1], "the test calls `drain`, and nobody `getLevel`");
        };
        // The level is 0 when the call ends.
        check(new(make, &[0]), [5.0, 4.0, 0.0]);
        check(Statement::Null { of: tank }, [f64::INFINITY; 3]);
        // Of an object that throws when it is asked nothing is known, and the call goes on.
        let thirteen = [int(13), new(make, &[0]), call_on(1, drain, &[1])];
        assert_eq!(worker.run(&thirteen), Outcome::Passed);
        let distances = asked.outcomes().map(|(_, id)| worker.result.trace.distance(id));
        assert_eq!(distances.collect::<Vec<_>>(), [f64::INFINITY; 3]);
    });
}

#[test]
fn inspectors_are_asked_while_one_of_their_outcomes_is_open() {
    in_own_process("values::inspectors_are_asked_while_one_of_their_outcomes_is_open", || {
        let compiled = fixture::compile(SOURCE);
        let mut cluster = Cluster::default();
        let make = cluster.constructor("p/Tank", "(I)V");
        let drain = cluster.method("p/Tank", "drain", "(Lp/Tank;)I");
        let mut worker =
            Worker::start_analyzed(&compiled, &["p/Tank"], cluster, (AnalysisOptions::ALL, BOTH), |_| ());
        let is_drain = |method: &&MethodProbes| &*method.name == "drain";
        let values = worker.maps[0].methods.iter().find(is_drain).expect("it is there").values.clone();
        let [asked, plain] = [true, false].map(|is_asked| {
            let is_one = |value: &&ValueProbes| {
                value.of == ValueOf::Parameter(0) && value.inspector.is_some() == is_asked
            };
            values.iter().find(is_one).expect("an argument and what it tells").clone()
        });
        let test = [int(4), new(make, &[0]), call_on(1, drain, &[1])];
        let mut check = |open: Option<Vec<OutcomeId>>, expect: [f64; 3]| {
            worker.request.outcomes = open.clone().map(Into::into);
            assert_eq!(worker.run(&test), Outcome::Passed);
            let distances = |value: &ValueProbes| {
                value.outcomes().map(|(_, id)| worker.result.trace.distance(id)).collect()
            };
            let (found, of_itself): (Vec<f64>, Vec<f64>) = (distances(&asked), distances(&plain));
            assert_eq!(found, expect, "{open:?}");
            assert_eq!(of_itself, [1.0, 0.0], "looking at the argument itself costs nothing");
        };
        let all = [5.0, 4.0, 0.0];
        check(None, all);
        check(Some(vec![]), [f64::INFINITY; 3]);
        for (_, id) in asked.outcomes() {
            check(Some(vec![id]), all);
        }
        let (OutcomeId(first), OutcomeId(last)) = (asked.first, asked.outcomes().last().expect("three").1);
        check(Some(vec![OutcomeId(first - 1), OutcomeId(last + 1)]), [f64::INFINITY; 3]);
        check(None, all);
    });
}

#[test]
fn public_fields_are_read() {
    in_own_process("values::public_fields_are_read", || {
        use ValuePartition::*;
        let compiled = fixture::compile(SOURCE);
        let mut cluster = Cluster::default();
        let make = cluster.constructor("p/Spot", "(ILjava/lang/String;Ljava/lang/Character;)V");
        let mirrored = cluster.static_method("p/Spot", "mirrored", "(Lp/Spot;)Lp/Spot;");
        let (x, name) = (cluster.field("p/Spot", "x", "I", 17), cluster.field("p/Spot", "name", TEXT, 1));
        let depth = cluster.field("p/Deep", "depth", "D", 1);
        let spot = cluster.ty("Lp/Spot;");
        let mut worker =
            Worker::start_analyzed(&compiled, &["p/Spot"], cluster, (AnalysisOptions::ALL, BOTH), |_| ());
        let methods = &worker.maps[0].methods;
        let values =
            methods.iter().find(|method| &*method.name == "mirrored").expect("it is there").values.clone();
        let told = |worker: &Worker, of: ValueOf, field: &str| -> Vec<(ValuePartition, f64)> {
            let is_field = |inspector: &Inspector| inspector.to_string() == field;
            let value = values.iter().find(|it| it.of == of && it.inspector.as_ref().is_some_and(is_field));
            let outcomes = value.expect(field).outcomes();
            outcomes.map(|(class, id)| (class, worker.result.trace.distance(id))).collect()
        };
        let letter = Statement::Primitive { value: Value::Char(b'7'.into()), boxed: true };
        let test = [int(3), string("spot"), letter, new(make, &[0, 1, 2]), call(mirrored, &[3])];
        // Twice: what a field is looked up as is kept.
        for _ in 0..2 {
            assert_eq!(worker.run(&test), Outcome::Passed);
            let of = ValueOf::Parameter(0);
            assert_eq!(told(&worker, of, "x"), [(Negative, 4.0), (Zero, 3.0), (Positive, 0.0)]);
            assert_eq!(told(&worker, of, "name"), [(Null, 1.0), (Empty, 4.0), (NonEmpty, 0.0)]);
            let of_letter = [(Null, 1.0), (Alphabetic, 10.0), (Digit, 0.0), (Other, 3.0)];
            assert_eq!(told(&worker, of, "letter"), of_letter);
            assert_eq!(told(&worker, of, "depth"), [(Negative, 2.5), (Zero, 1.5), (Positive, 0.0)]);
            let of = ValueOf::Result;
            assert_eq!(told(&worker, of, "x"), [(Negative, 0.0), (Zero, 3.0), (Positive, 4.0)]);
        }
        // Of null nothing is read.
        worker.run(&[Statement::Null { of: spot }, call(mirrored, &[0])]);
        assert!(told(&worker, ValueOf::Parameter(0), "x").iter().all(|(_, distance)| distance.is_infinite()));
        // A test reads them as well, when nobody else did before, and not of null.
        let after = VarRef(4);
        let targets = [(3, x), (3, name), (3, depth), (4, name)];
        let points = targets.map(|(variable, field)| ObservationPoint {
            after,
            target: ObservationTarget::Field(VarRef(variable), field),
        });
        let text = |text: &str| observed_string(text);
        let depth = Some(ObservedValue::Primitive(Value::Double(1.5)));
        let seen = worker.executor.observe(&TestCase::new(test.to_vec()), &points);
        assert_eq!(seen.values, [observed_int(3), text("gone"), depth, text("spot")]);
        let null = TestCase::new(vec![Statement::Null { of: spot }]);
        let point = ObservationPoint { after: VarRef(0), target: ObservationTarget::Field(VarRef(0), x) };
        assert_eq!(worker.executor.observe(&null, &[point]).values, [None]);
    });
}

/// A class that is initialized before the statement that uses it would throw something else there.
#[test]
fn looking_at_values_initializes_no_class() {
    in_own_process("values::looking_at_values_initializes_no_class", || {
        let compiled = fixture::compile(SOURCE);
        let mut cluster = Cluster::default();
        let refuse = cluster.static_method("p/Values", "refuse", "(Lp/Fragile;)I");
        let make = cluster.constructor("p/Fragile", "()V");
        let fragile = cluster.ty("Lp/Fragile;");
        let mut worker =
            Worker::start_analyzed(&compiled, &["p/Values"], cluster, (AnalysisOptions::ALL, BOTH), |_| ());
        let map = &worker.maps[0];
        let refuses = map.methods.iter().find(|method| &*method.name == "refuse").expect("it is there");
        assert!(refuses.values.iter().any(|value| value.inspector.is_some()));
        assert_eq!(worker.run(&[Statement::Null { of: fragile }, call(refuse, &[0])]), Outcome::Passed);
        let Outcome::Threw(thrown) = worker.run(&[new(make, &[])]) else { panic!("it throws") };
        assert_eq!(thrown.class.as_str(), "java/lang/LinkageError");
    });
}

#[test]
fn values_count_for_the_method_that_the_receiver_selects() {
    in_own_process("values::values_count_for_the_method_that_the_receiver_selects", || {
        let compiled = fixture::compile(SOURCE);
        let mut cluster = Cluster::default();
        let make_base = cluster.constructor("p/Base", "()V");
        let make_sub = cluster.constructor("p/Sub", "(I)V");
        let both = cluster.method("p/Base", "both", "(I)I");
        let both_of_sub = cluster.method("p/Sub", "both", "(I)I");
        let inherited = cluster.method("p/Base", "inherited", "(I)I");
        let refuse = cluster.static_method("p/Base", "refuse", "(I)I");
        let inside = cluster.static_method("p/Base", "inside", "(I)I");
        let mut worker = Worker::start_analyzed(
            &compiled,
            &["p/Base", "p/Sub"],
            cluster,
            (AnalysisOptions::ALL, BOTH),
            |options| {
                // A variable of the base class may hold a subclass.
                options.check_references = true;
            },
        );
        let mut check =
            |statements: &[Statement], (class, name): (&str, &str), of: ValueOf, is_seen: bool| {
                worker.run(statements);
                assert_eq!(distances(&worker, class, name, of).is_some(), is_seen, "{class} {name} {of:?}");
            };
        let (argument, result) = (ValueOf::Parameter(0), ValueOf::Result);
        let on_sub = [int(4), new(make_sub, &[0]), call_on(1, both, &[0])];
        // Twice: what a receiver selects is kept.
        for _ in 0..2 {
            check(&on_sub, ("p/Sub", "both"), result, true);
            check(&on_sub, ("p/Base", "both"), result, false);
            check(&on_sub, ("p/Sub", "<init>"), argument, true);
        }
        let on_base = [int(4), new(make_base, &[]), call_on(1, both, &[0])];
        check(&on_base, ("p/Base", "both"), argument, true);
        check(&on_base, ("p/Sub", "both"), argument, false);
        check(
            &[int(4), new(make_sub, &[0]), call_on(1, both_of_sub, &[0])],
            ("p/Sub", "both"),
            argument,
            true,
        );
        check(
            &[int(4), new(make_sub, &[0]), call_on(1, inherited, &[0])],
            ("p/Base", "inherited"),
            result,
            true,
        );
        check(&[int(4), call(refuse, &[0])], ("p/Base", "refuse"), argument, true);
        check(&[int(4), call(refuse, &[0])], ("p/Base", "refuse"), result, false);
        check(&[int(4), call(inside, &[0])], ("p/Base", "inside"), result, true);
        // Calls from within the class are none of the test's.
        check(&[int(4), call(inside, &[0])], ("p/Base", "refused"), argument, false);
    });
}
