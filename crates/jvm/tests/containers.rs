//! What collections, maps, optionals and texts that are built up show of themselves.

mod common;

use common::{Cluster, Worker, call, in_own_process};
use testcase::assertion::{Container, ObservedValue};
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
    public static Object failing() {
        return new AbstractList<String>() {
            @Override public String get(int index) { throw new IllegalStateException(); }
            @Override public int size() { return 1; }
        };
    }
}
"#;

// tidy: one table of values
#[test]
fn containers_are_seen_by_what_they_hold() {
    in_own_process("containers_are_seen_by_what_they_hold", || {
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
            ("failing", None),
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
