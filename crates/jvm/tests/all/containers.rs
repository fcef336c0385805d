//! What collections, maps, optionals and texts that are built up show of themselves, and what iterators and streams give.

use crate::common::{
    Cluster, Worker, call, call_on, in_own_process, int, new, observed_int, observed_string,
};
use testcase::assertion::{Container, ObservationPoint, ObservationTarget, ObservedValue, Sequence};
use testcase::execution::{Executor, Outcome};
use testcase::statement::VarRef;
use testcase::test_case::TestCase;
use testcase::value::Value;

const SHELF: &str = r#"
//- /p/Shelf.java
package p;

import java.util.*;

public class Shelf {
    enum Size { SMALL, LARGE }
    static class Book {
        private final String title;
        Book(String title) { this.title = title; }
        @Override public String toString() { return "Book " + title; }
    }
    static class Own extends ArrayList<String> {
        private static final long serialVersionUID = 1;
    }

    public static Object list() { return new ArrayList<>(Arrays.asList("b", null, "a")); }
    public static Object unmodifiable() { return Collections.unmodifiableList(Arrays.asList(2L, 'x')); }
    public static Object own() { Own own = new Own(); own.add("c"); return own; }
    public static Object none() { return Collections.emptyList(); }
    public static Object set() { return new LinkedHashSet<>(Arrays.asList(3, 1, 2)); }
    public static Object sizes() { return EnumSet.allOf(Size.class); }
    public static Object map() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("z", Arrays.asList(1, 2));
        map.put("a", Optional.empty());
        return map;
    }
    public static Object queue() { return new ArrayDeque<>(Arrays.asList("b", "a")); }
    public static Object values() { return new HashMap<>(Collections.singletonMap("k", "v")).values(); }
    public static Object optional() { return Optional.of("a"); }
    public static Object number() { return OptionalLong.of(7); }
    public static Object builder() { return new StringBuilder("text"); }
    public static Object books() { return Arrays.asList(new Book("one"), new Book("two")); }
    public static Object bookSet() { return new HashSet<>(Arrays.asList(new Book("one"), new Book("two"))); }
    public static Object objects() { return Arrays.asList(new Object()); }
    public static Object arrays() { return new ArrayList<>(Collections.singleton(new int[] { 1 })); }
    public static Object deep() { return Arrays.asList(Arrays.asList(Arrays.asList(1))); }
    public static Object large() { return new ArrayList<>(Collections.nCopies(33, "a")); }
    public static Object twice() {
        Map<String, Integer> map = new IdentityHashMap<>();
        map.put(new String("a"), 1);
        map.put(new String("a"), 2);
        return map;
    }
    public static Object cyclic() { List<Object> list = new ArrayList<>(); list.add(list); return list; }
    public static Object book() { return new Book("one"); }
    public static Object shelf() { return new Shelf(); }
    public static Object silent() {
        return new Shelf() { @Override public String toString() { throw new IllegalStateException(); } };
    }
    public static Object day() { return java.time.LocalDate.ofEpochDay(2); }
    public static Object charset() { return java.nio.charset.StandardCharsets.UTF_8; }
    public static Object failing() {
        return new AbstractList<String>() {
            @Override public String get(int index) { throw new IllegalStateException(); }
            @Override public int size() { return 1; }
        };
    }
    public static Object thread() { return new Thread("counter") { }; }
}
"#;

// tidy: one table of values
#[test]
fn containers_are_seen_by_what_they_hold() {
    in_own_process("containers::containers_are_seen_by_what_they_hold", || {
        let compiled = fixture::compile(SHELF);
        let primitive = |value: Value| ObservedValue::Primitive(value);
        let text = |text: &str| primitive(Value::String(text.into()));
        let boxed = |value: i32| ObservedValue::Boxed(Value::Int(value));
        let held = |of, held: &[ObservedValue]| Some(ObservedValue::Container(of, held.to_vec()));
        let list = |values: &[ObservedValue]| held(Container::List, values);
        let constant = |name: &str| ObservedValue::EnumConstant("p/Shelf$Size".into(), name.to_owned());
        let object = |class: &str, size| Some(ObservedValue::Object { class: class.into(), size });
        let printed = |text: &str, size| Some(ObservedValue::Text { text: text.into(), size });
        let rows = [
            ("list", list(&[text("b"), ObservedValue::Null, text("a")])),
            (
                "unmodifiable",
                list(&[ObservedValue::Boxed(Value::Long(2)), ObservedValue::Boxed(Value::Char(0x78))]),
            ),
            ("own", list(&[text("c")])),
            ("none", list(&[])),
            ("set", held(Container::Set, &[boxed(1), boxed(2), boxed(3)])),
            ("sizes", held(Container::Set, &[constant("LARGE"), constant("SMALL")])),
            (
                "map",
                held(
                    Container::Map,
                    &[
                        text("a"),
                        ObservedValue::Container(Container::Optional, Vec::new()),
                        text("z"),
                        ObservedValue::Container(Container::List, vec![boxed(1), boxed(2)]),
                    ],
                ),
            ),
            ("queue", held(Container::Ordered, &[text("b"), text("a")])),
            ("values", object("java/util/HashMap$Values", Some(1))),
            ("optional", held(Container::Optional, &[text("a")])),
            ("number", held(Container::OptionalLong, &[primitive(Value::Long(7))])),
            ("builder", printed("text", None)),
            ("books", printed("[Book one, Book two]", Some(2))),
            ("bookSet", object("java/util/HashSet", Some(2))),
            ("objects", object("java/util/Arrays$ArrayList", Some(1))),
            ("arrays", object("java/util/ArrayList", Some(1))),
            ("deep", printed("[[[1]]]", Some(1))),
            ("large", object("java/util/ArrayList", Some(33))),
            ("twice", object("java/util/IdentityHashMap", Some(2))),
            ("cyclic", printed("[(this Collection)]", Some(1))),
            ("book", printed("Book one", None)),
            ("shelf", object("p/Shelf", None)),
            ("silent", object("p/Shelf$1", None)),
            ("day", printed("1970-01-03", None)),
            ("charset", printed("UTF-8", None)),
            ("failing", None),
            // `Thread[counter,5,main]`, since Java 19 `Thread[#22,counter,5,main]`.
            ("thread", object("p/Shelf$3", None)),
        ];
        let mut cluster = Cluster::default();
        let methods: Vec<_> = rows
            .iter()
            .map(|(name, _)| cluster.static_method("p/Shelf", name, "()Ljava/lang/Object;"))
            .collect();
        let mut worker = Worker::start(&compiled, &["p/Shelf"], cluster);
        for ((name, expect), method) in rows.into_iter().zip(methods) {
            assert_eq!(worker.value(&[call(method, &[])]), expect, "{name}");
        }
    });
}

const FLOW: &str = r#"
//- /p/Flow.java
package p;

import java.util.*;
import java.util.stream.*;

public class Flow {
    private static int left = 2;

    public static Iterator<?> iterator() { return Arrays.asList("b", null, 7).iterator(); }
    public static Iterator<?> none() { return Collections.emptyIterator(); }
    public static Iterator<?> lists() { return Arrays.asList(Arrays.asList(1)).iterator(); }
    public static Iterator<?> objects() { return Arrays.asList(new Object()).iterator(); }
    public static Iterator<?> arrays() { return Collections.singleton(new int[1]).iterator(); }
    public static Iterator<?> failing() {
        return new Iterator<Object>() {
            @Override public boolean hasNext() { return true; }
            @Override public Object next() { throw new IllegalStateException(); }
        };
    }
    public static Iterator<?> endless() { return Stream.iterate(1, x -> x + 1).iterator(); }
    public static Enumeration<?> enumeration() { return Collections.enumeration(Arrays.asList('a')); }
    public static Iterable<?> iterable() { return (Iterable<Long>) () -> Arrays.asList(1L).iterator(); }
    public static Stream<?> stream() { return Stream.of("a", "b").map(String::toUpperCase); }
    public static Stream<?> many() { return Stream.generate(() -> "a").limit(33); }
    public static Stream<?> most() { return Stream.generate(() -> "a").limit(32); }
    public static Stream<?> closed() { Stream<?> stream = Stream.of(1); stream.count(); return stream; }
    public static IntStream ints() { return IntStream.range(1, 3); }
    public static LongStream longs() { return LongStream.empty(); }
    public static DoubleStream doubles() { return DoubleStream.of(0.5); }
    public static IntStream forever() { return IntStream.iterate(0, x -> x + 1); }
    public static IntStream stuck() { return IntStream.iterate(0, x -> x + 1).filter(x -> x < 0); }
    public static Iterator<?> once() {
        return new Iterator<Object>() {
            @Override public boolean hasNext() { return left > 0; }
            @Override public Object next() { return left--; }
        };
    }
}
"#;

// tidy: one table of values
#[test]
fn iterators_and_streams_are_seen_by_what_they_give_as_far_as_that_ends() {
    in_own_process(
        "containers::iterators_and_streams_are_seen_by_what_they_give_as_far_as_that_ends",
        || {
            let compiled = fixture::compile(FLOW);
            let primitive = |value: Value| ObservedValue::Primitive(value);
            let text = |text: &str| primitive(Value::String(text.into()));
            let boxed = |value: i32| ObservedValue::Boxed(Value::Int(value));
            let list =
                |held: &[ObservedValue]| Some(ObservedValue::Container(Container::List, held.to_vec()));
            let array = |values: &[ObservedValue]| Some(ObservedValue::Array(values.to_vec()));
            let inner = ObservedValue::Container(Container::List, vec![boxed(1)]);
            let rows = [
                ("iterator", Sequence::Iterator, list(&[text("b"), ObservedValue::Null, boxed(7)])),
                ("none", Sequence::Iterator, list(&[])),
                ("lists", Sequence::Iterator, list(&[inner])),
                ("objects", Sequence::Iterator, None),
                ("arrays", Sequence::Iterator, None),
                ("failing", Sequence::Iterator, None),
                ("endless", Sequence::Iterator, None),
                ("enumeration", Sequence::Enumeration, list(&[ObservedValue::Boxed(Value::Char(0x61))])),
                ("iterable", Sequence::Iterable, list(&[ObservedValue::Boxed(Value::Long(1))])),
                ("stream", Sequence::Stream, list(&[text("A"), text("B")])),
                ("many", Sequence::Stream, None),
                ("most", Sequence::Stream, list(&vec![text("a"); 32])),
                ("closed", Sequence::Stream, None),
                ("ints", Sequence::IntStream, array(&[1, 2].map(|number| primitive(Value::Int(number))))),
                ("longs", Sequence::LongStream, array(&[])),
                ("doubles", Sequence::DoubleStream, array(&[primitive(Value::Double(0.5))])),
                ("forever", Sequence::IntStream, None),
                // What it reads is static state, which is there again in the next run.
                ("once", Sequence::Iterator, list(&[boxed(2), boxed(1)])),
                ("once", Sequence::Iterator, list(&[boxed(2), boxed(1)])),
                ("stuck", Sequence::IntStream, None),
            ];
            let mut cluster = Cluster::default();
            let methods: Vec<_> = rows
                .iter()
                .map(|(name, sequence, _)| {
                    cluster.static_method("p/Flow", name, &format!("()L{};", sequence.interface()))
                })
                .collect();
            let mut worker = Worker::start(&compiled, &["p/Flow"], cluster);
            for ((name, sequence, expect), method) in rows.into_iter().zip(methods) {
                let (after, target) = (VarRef(0), ObservationTarget::Elements(VarRef(0), sequence));
                let test = TestCase::new(vec![call(method, &[])]);
                let observed = worker.executor.observe(&test, &[ObservationPoint { after, target }]);
                assert_eq!(observed.values, [expect], "{name}");
                let is_over = observed.outcome == Outcome::TimedOut;
                assert_eq!(is_over, name == "stuck", "{name}");
            }
        },
    );
}

#[test]
fn bytes_are_seen_as_a_text_where_every_charset_reads_the_same() {
    in_own_process("containers::bytes_are_seen_as_a_text_where_every_charset_reads_the_same", || {
        const BYTES: &str = "java/io/ByteArrayOutputStream";
        let compiled = fixture::compile(SHELF);
        let mut cluster = Cluster::default();
        let make = cluster.constructor(BYTES, "()V");
        let write = cluster.method(BYTES, "write", "(I)V");
        let [text, size] = [("toString", "()Ljava/lang/String;"), ("size", "()I")]
            .map(|(name, descriptor)| cluster.method(BYTES, name, descriptor));
        let mut worker = Worker::start(&compiled, &["p/Shelf"], cluster);
        for (byte, expect) in
            [(65, observed_string("A")), (10, observed_string("\n")), (200, None), (0, None)]
        {
            let test = TestCase::new(vec![new(make, &[]), int(byte), call_on(0, write, &[1])]);
            let point = |inspector| ObservationPoint {
                after: VarRef(2),
                target: ObservationTarget::Inspector(VarRef(0), inspector),
            };
            let observed = worker.executor.observe(&test, &[point(text), point(size)]);
            assert_eq!(observed.values, [expect, observed_int(1)], "{byte}");
        }
    });
}
