// tidy: fixtures and what they give, to be read side by side
//! Test clusters of compiled fixtures, as text: `*` heads a group of test calls, `=` makes a value, `~` changes it,
//! `?` tells of it, `!` is a diagnostic.

use std::borrow::Cow;
use std::sync::Arc;

use bytecode::class_path::ClassPath;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use bytecode::source::ClassSource;

use crate::sections::{build_from, check, check_error, cluster, sections};
use crate::sources::*;

#[test]
fn public_protected_and_package_private_members_are_called() {
    check(
        PLAIN,
        "p/Plain",
        &["test calls", "Plain"],
        "
test calls
  * new Plain(String)
  * new Plain(int[])
  * static Plain.main(String[])
  * Plain.guarded(double): int
  * Plain.inPackage(char)
  * Plain.getSize(): int
  * Plain.isEmpty(): boolean
  * Plain.next(): Plain
  * Plain.compareTo(Plain): int
  * Plain.equals(Object): boolean
  * Plain.hashCode(): int
  * Plain.toString(): String
  * read Plain.EMPTY: Plain
    read Plain.stamp: long
  * write Plain.counter: int
    read Plain.counter: int
  * write Plain.name: String
    read Plain.name: String
Plain
  = new Plain(String)
  = new Plain(int[])
  = Plain.EMPTY: Plain
  = Plain.next(): Plain
  ~ Plain.guarded(double): int
  ~ Plain.inPackage(char)
  ~ Plain.getSize(): int
  ~ Plain.isEmpty(): boolean
  ~ Plain.next(): Plain
  ~ Plain.compareTo(Plain): int
  ~ Plain.equals(Object): boolean
  ~ Plain.hashCode(): int
  ~ Plain.toString(): String
  ~ write Plain.name: String
  ? Plain.getSize(): int
  ? Plain.isEmpty(): boolean
  ? Plain.toString(): String
  ? Plain.name: String
",
    );
}

#[test]
fn generic_members_are_instantiated_within_their_bounds() {
    check(
        BOX,
        "p/Box",
        &["test calls", "Box<String>"],
        "
test calls
  * new Box<String>(String)
    new Box<Integer>(Integer)
    new Box<Object>(Object)
  * Box<String>.get(): String cast Ljava/lang/String;
    Box<Integer>.get(): Integer cast Ljava/lang/Integer;
    Box<Object>.get(): Object
  * Box<String>.asList(): List<String>
    Box<Integer>.asList(): List<Integer>
    Box<Object>.asList(): List<Object>
  * Box<String>.putAll(Collection<? extends String>)
    Box<Integer>.putAll(Collection<? extends Integer>)
    Box<Object>.putAll(Collection<?>)
  * Box<String>.drainTo(Collection<? super String>)
    Box<Integer>.drainTo(Collection<? super Integer>)
    Box<Object>.drainTo(Collection<? super Object>)
  * Box<String>.<String>max(String[]): String cast Ljava/lang/String;
    Box<String>.<Integer>max(Integer[]): Integer cast Ljava/lang/Integer;
    Box<Integer>.<String>max(String[]): String cast Ljava/lang/String;
    Box<Integer>.<Integer>max(Integer[]): Integer cast Ljava/lang/Integer;
    Box<Object>.<String>max(String[]): String cast Ljava/lang/String;
    Box<Object>.<Integer>max(Integer[]): Integer cast Ljava/lang/Integer;
  * static Box.<Box.Color>all(Class<Box.Color>): Set<Box.Color>
    static Box.<TimeUnit>all(Class<TimeUnit>): Set<TimeUnit>
  * Box<String>.numbers(): Box<? extends Number>
    Box<Integer>.numbers(): Box<? extends Number>
    Box<Object>.numbers(): Box<? extends Number>
  * static Box.<String, Integer>sorted(Map<String, Integer>): Map<String, Integer>
    static Box.<Integer, String>sorted(Map<Integer, String>): Map<Integer, String>
    static Box.<Object, Double>sorted(Map<Object, Double>): Map<Object, Double>
  * write Box<String>.content: String
    read Box<String>.content: String
    write Box<Integer>.content: Integer
    read Box<Integer>.content: Integer
    write Box<Object>.content: Object
    read Box<Object>.content: Object
  * Box.Color.code(): int
  * read Box.Color.RED: Box.Color
    read Box.Color.GREEN: Box.Color
  * new Box<String>.Lid(Box<String>)
    new Box<Integer>.Lid(Box<Integer>)
    new Box<Object>.Lid(Box<Object>)
  * Box<String>.Lid.key(): String cast Ljava/lang/String;
    Box<Integer>.Lid.key(): Integer cast Ljava/lang/Integer;
    Box<Object>.Lid.key(): Object
Box<String>
  = new Box<String>(String)
  ~ Box<String>.get(): String cast Ljava/lang/String;
  ~ Box<String>.asList(): List<String>
  ~ Box<String>.putAll(Collection<? extends String>)
  ~ Box<String>.drainTo(Collection<? super String>)
  ~ Box<String>.<String>max(String[]): String cast Ljava/lang/String;
  ~ Box<String>.<Integer>max(Integer[]): Integer cast Ljava/lang/Integer;
  ~ Box<String>.numbers(): Box<? extends Number>
  ~ write Box<String>.content: String
  ? Box<String>.get(): String cast Ljava/lang/String;
  ? Box<String>.asList(): List<String>
  ? Box<String>.content: String
",
    );
}

#[test]
fn values_of_generic_types_are_made_from_the_wanted_arguments() {
    check(
        BOX,
        "p/Box",
        &["Collection<? super String>", "Box.Color", "Box<Integer>.Lid", "Map<String, Integer>"],
        "
Collection<? super String>
  = new ArrayList<String>()
  = new LinkedHashSet<String>()
  = static Arrays.<String>asList(String[]): List<String>
  = static Collections.<String>emptyList(): List<String>
  = Box<String>.asList(): List<String>
  = Box<Object>.asList(): List<Object>
  ~ Collection<? super String>.add(String): boolean
  ? Collection<? super String>.size(): int
  ? Collection<? super String>.isEmpty(): boolean
Box.Color
  = Box.Color.RED: Box.Color
  = Box.Color.GREEN: Box.Color
  ~ Box.Color.code(): int
  ? Box.Color.code(): int
Map<String, Integer>
  = new HashMap<String, Integer>()
  = new LinkedHashMap<String, Integer>()
  = static Collections.<String, Integer>emptyMap(): Map<String, Integer>
  = static Collections.<String, Integer>singletonMap(String, Integer): Map<String, Integer>
  = static Box.<String, Integer>sorted(Map<String, Integer>): Map<String, Integer>
  ~ Map<String, Integer>.put(String, Integer): Integer cast Ljava/lang/Integer;
  ? Map<String, Integer>.size(): int
  ? Map<String, Integer>.isEmpty(): boolean
Box<Integer>.Lid
  = new Box<Integer>.Lid(Box<Integer>)
  ~ Box<Integer>.Lid.key(): Integer cast Ljava/lang/Integer;
  ? Box<Integer>.Lid.key(): Integer cast Ljava/lang/Integer;
",
    );
}

#[test]
fn an_abstract_class_is_reached_through_its_subclasses() {
    check(
        SHAPE,
        "p/Shape",
        &["test calls", "Shape", "Circle", "Square"],
        "
test calls
  * Shape.doubled(): double
  * static Shape.unit(): Shape
  * stub Shape(double) {area(): double}
  * new Circle(double)
  * new Square()
Shape
  = static Shape.unit(): Shape
  = new Circle(double)
  = new Square()
  = stub Shape(double) {area(): double}
  ~ Shape.doubled(): double
Circle
  = new Circle(double)
  ~ Circle.grow(int)
  ~ Shape.doubled(): double
  ? Circle.area(): double
Square
  ~ Shape.doubled(): double
  ? Square.area(): double
",
    );
}

#[test]
fn private_classes_and_lambdas_are_reached_through_the_types_that_give_them_away() {
    check(
        WALK,
        "p/Walk",
        &["test calls", "Iterator<String>", "Comparator<String>"],
        "
test calls
  * new Walk<String>()
    new Walk<Integer>()
    new Walk<Object>()
  * Walk<String>.add(String)
    Walk<Integer>.add(Integer)
    Walk<Object>.add(Object)
  * Walk<String>.iterator(): Iterator<String>
    Walk<Integer>.iterator(): Iterator<Integer>
    Walk<Object>.iterator(): Iterator<Object>
  * Walk<String>.first(): Object
    Walk<Integer>.first(): Object
    Walk<Object>.first(): Object
  * Walk<String>.link(Walk.Node<String>)
    Walk<Integer>.link(Walk.Node<Integer>)
    Walk<Object>.link(Walk.Node<Object>)
  * static Walk.byLength(): Comparator<String>
  * static Walk.numbers(): Set<Integer>
  * Walk<String>.<String>map(Function<? super String, ? extends String>): Walk<String>
    Walk<String>.<Integer>map(Function<? super String, ? extends Integer>): Walk<Integer>
    Walk<Integer>.<String>map(Function<? super Integer, ? extends String>): Walk<String>
    Walk<Integer>.<Integer>map(Function<? super Integer, ? extends Integer>): Walk<Integer>
    Walk<Object>.<String>map(Function<? super Object, ? extends String>): Walk<String>
    Walk<Object>.<Integer>map(Function<? super Object, ? extends Integer>): Walk<Integer>
  * Iterator<String>.hasNext(): boolean
    Iterator<Integer>.hasNext(): boolean
    Iterator<Object>.hasNext(): boolean
  * Iterator<String>.next(): String cast Ljava/lang/String;
    Iterator<Integer>.next(): Integer cast Ljava/lang/Integer;
    Iterator<Object>.next(): Object
  * Comparator<String>.compare(String, String): int
  * Set<Integer>.size(): int
  * Set<Integer>.iterator(): Iterator<Integer>
Iterator<String>
  = List<String>.iterator(): Iterator<String>
  = static Collections.<String>emptyIterator(): Iterator<String>
  = Walk<String>.iterator(): Iterator<String>
  = stub Iterator<String> {hasNext(): boolean; next(): String}
  ~ Iterator<String>.hasNext(): boolean
  ~ Iterator<String>.next(): String cast Ljava/lang/String;
  ~ Iterator<String>.remove()
  ? Iterator<String>.hasNext(): boolean
Comparator<String>
  = static Comparator.<String>naturalOrder(): Comparator<String>
  = static Comparator.<String>reverseOrder(): Comparator<String>
  = static Collections.<String>reverseOrder(): Comparator<String>
  = String.CASE_INSENSITIVE_ORDER: Comparator<String>
  = static Walk.byLength(): Comparator<String>
  = lambda Comparator<String> {compare(String, String): int}
  ~ Comparator<String>.compare(String, String): int
! no value of type Walk.Node<String> can be made; only null is passed
! no value of type Walk.Node<Integer> can be made; only null is passed
! no value of type Walk.Node<Object> can be made; only null is passed
",
    );
}

#[test]
fn raw_types_stay_raw_and_take_collections_of_objects() {
    check(
        RAW,
        "p/Raw",
        &["test calls", "Object", "List", "Map", "Comparator", "Class"],
        "
test calls
  * new Raw(List, Map)
  * Raw.all(Comparator, Class): Collection
  * Raw.any(Object, Number, CharSequence, Comparable, Serializable)
  * Raw.convert(Object[], long[], Thread, Reader): Object[]
Object
  = any String
  = any Integer
  = new Object()
  = any Raw
  = any Object[]
List
  = new ArrayList<Object>()
  = new LinkedList<Object>()
  = static Arrays.<Object>asList(Object[]): List<Object>
  = static Collections.<Object>emptyList(): List<Object>
  = static Collections.<Object>singletonList(Object): List<Object>
  ~ List.add(Object): boolean
  ? List.size(): int
  ? List.isEmpty(): boolean
Map
  = new HashMap<Object, Object>()
  = new LinkedHashMap<Object, Object>()
  = static Collections.<Object, Object>emptyMap(): Map<Object, Object>
  = static Collections.<Object, Object>singletonMap(Object, Object): Map<Object, Object>
  ~ Map.put(Object, Object): Object
  ? Map.size(): int
  ? Map.isEmpty(): boolean
Comparator
  = static Comparator.<String>naturalOrder(): Comparator<String>
  = static Comparator.<String>reverseOrder(): Comparator<String>
  = static Collections.<Object>reverseOrder(): Comparator<Object>
  = String.CASE_INSENSITIVE_ORDER: Comparator<String>
  = lambda Comparator<Object> {compare(Object, Object): int}
  ~ Comparator.compare(Object, Object): int
Class
  = any Class<Raw>
  = any Class<String>
  = any Class<Integer>
  = any Class<Object>
  = any Class<List>
  = any Class<int[]>
  = any Class<TimeUnit>
",
    );
}

#[test]
fn interfaces_that_strings_and_numbers_implement_take_those() {
    check(
        RAW,
        "p/Raw",
        &["Number", "CharSequence", "Comparable", "Serializable", "Reader"],
        "
Number
  = any Integer
  = any Double
  = any Long
  = static BigInteger.valueOf(long): BigInteger
  = static BigDecimal.valueOf(double): BigDecimal
  ? Number.doubleValue(): double
CharSequence
  = any String
  = new StringBuilder(String)
  = stub CharSequence {charAt(int): char; length(): int; subSequence(int, int): CharSequence}
Comparable
  = any String
  = any Integer
  = any Double
  = any Long
  = lambda Comparable<Object> {compareTo(Object): int}
  ~ Comparable.compareTo(Object): int
Serializable
  = any String
  = any Integer
  = any Double
  = any Long
  = Raw.convert(Object[], long[], Thread, Reader): Object[]
Reader
  = new StringReader(String)
  = new BufferedReader(Reader)
  = new InputStreamReader(InputStream)
  = stub Reader() {close(); read(char[], int, int): int}
  ~ Reader.read(): int
  ~ Reader.close()
",
    );
}

#[test]
fn default_methods_are_called_on_what_a_factory_returns() {
    check(
        FACE,
        "p/Face",
        &["test calls", "Face"],
        "
test calls
  * Face.isEmpty(): boolean
  * static Face.of(String[]): Face
  * Face.size(): int
Face
  = static Face.of(String[]): Face
  = lambda Face {size(): int}
  ~ Face.isEmpty(): boolean
  ~ Face.size(): int
  ? Face.size(): int
  ? Face.isEmpty(): boolean
",
    );
}

#[test]
fn methods_of_superclasses_that_users_cannot_name_belong_to_the_class() {
    check(
        INHERIT,
        "p/Inherit",
        &["test calls", "Inherit", "Inherit.Nested"],
        "
test calls
  * new Inherit()
  * Inherit.order(): int
  * Inherit.hook()
  * Inherit.make(): Inherit.Nested
  * Inherit.template()
  * Inherit.getState(): int
  * Inherit.Nested.go(int)
  * stub Inherit.Nested() {go(int)}
Inherit
  = new Inherit()
  ~ Inherit.order(): int
  ~ Inherit.hook()
  ~ Inherit.make(): Inherit.Nested
  ~ Inherit.template()
  ~ Inherit.getState(): int
  ~ Inherit.before(Inherit): boolean
  ~ Inherit.library(String)
  ? Inherit.order(): int
  ? Inherit.getState(): int
Inherit.Nested
  = Inherit.make(): Inherit.Nested
  = stub Inherit.Nested() {go(int)}
  ~ Inherit.Nested.go(int)
",
    );
}

#[test]
fn a_class_of_constants_is_initialized_by_reading_them() {
    check(
        CONSTANTS,
        "p/Constants",
        &["test calls"],
        "
test calls
  * read Constants.A: String
    read Constants.B: int
",
    );
}

#[test]
fn what_the_code_looks_for_may_stand_where_object_is_wanted() {
    let referenced = ["[J", "Ljava/util/Map;", "Lp/Missing;", "Ljava/lang/Character;", "Lsun/misc/Unsafe;"];
    let cluster = cluster(RAW, "p/Raw", &referenced);
    let text = sections(&cluster, &["Object", "Serializable"]);
    assert_eq!(
        text.trim(),
        "
Object
  = any String
  = any Integer
  = new Object()
  = any Raw
  = any long[]
  = any Map<Object, Object>
  = any Character
  = any Object[]
Serializable
  = any String
  = any Integer
  = any Double
  = any Long
  = any Character
  = Raw.convert(Object[], long[], Thread, Reader): Object[]
"
        .trim(),
        "\n{text}"
    );
}

#[test]
// tidy: one listing, which says more in one piece than cut up
fn platform_types_are_made_without_clocks_capacities_and_the_world_outside() {
    let source = "
//- /p/Uses.java
package p;
public class Uses {
    public void all(java.util.Random random, java.util.Date date, java.util.Calendar calendar,
        java.io.FileInputStream file, Thread thread, java.util.concurrent.ArrayBlockingQueue<String> queue,
        java.net.Socket socket, java.util.UUID id, java.text.Format format, Exception exception,
        IllegalStateException state, java.util.Optional<? extends Number> some, java.net.URI uri) {}
}
";
    let wanted = [
        "Random",
        "Date",
        "Calendar",
        "FileInputStream",
        "Thread",
        "ArrayBlockingQueue<String>",
        "Socket",
        "UUID",
        "Format",
        "Exception",
        "IllegalStateException",
        "Optional<? extends Number>",
        "URI",
    ];
    check(
        source,
        "p/Uses",
        &wanted,
        "
Random
  = new Random(long)
Date
  = new Date(long)
  ~ Date.setTime(long)
  ? Date.getTime(): long
Calendar
  = new GregorianCalendar(int, int, int)
  = new GregorianCalendar(int, int, int, int, int)
  ~ Calendar.set(int, int)
  ~ Calendar.add(int, int)
  ~ Calendar.setTimeInMillis(long)
  ~ Calendar.setTimeZone(TimeZone)
  ? Calendar.getTimeInMillis(): long
FileInputStream
  ~ FileInputStream.read(): int
  ~ FileInputStream.close()
Thread
  = new Thread(String)
  = new Thread(Runnable, String)
ArrayBlockingQueue<String>
  ~ ArrayBlockingQueue<String>.add(String): boolean
  ? ArrayBlockingQueue<String>.size(): int
  ? ArrayBlockingQueue<String>.isEmpty(): boolean
UUID
  = new UUID(long, long)
  = static UUID.fromString(String): UUID
Format
  = new SimpleDateFormat(String, Locale)
  = new DecimalFormat(String, DecimalFormatSymbols)
  = new MessageFormat(String, Locale)
  = stub Format() {format(Object, StringBuffer, FieldPosition): StringBuffer; parseObject(String, ParsePosition): Object}
Exception
  = new Exception(String)
  = new RuntimeException(String)
  ? Exception.getMessage(): String
IllegalStateException
  = new IllegalStateException(String)
  ? IllegalStateException.getMessage(): String
Optional<? extends Number>
  = static Optional.<Integer>empty(): Optional<Integer>
  = static Optional.<Integer>of(Integer): Optional<Integer>
  ? Optional<? extends Number>.isPresent(): boolean
URI
  = static URI.create(String): URI
  = new URI(String)
! no value of type java.io.FileInputStream can be made; only null is passed
! no value of type ArrayBlockingQueue<String> can be made; only null is passed
! no value of type java.net.Socket can be made; only null is passed
",
    );
}

#[test]
fn exceptions_and_containers_of_the_class_path_tell_what_those_of_the_platform_tell() {
    let source = "
//- /p/Trouble.java
package p;
public class Trouble extends IllegalStateException {
    public Trouble(String message) { super(message); }
    public static void fill(Bag bag) { }
}
//- /p/Bag.java
package p;
public class Bag extends java.util.ArrayList<String> { }
";
    check(
        source,
        "p/Trouble",
        &["Trouble", "Bag"],
        "
Trouble
  ? Trouble.getMessage(): String
Bag
  = new Bag()
  ~ Bag.add(String): boolean
  ? Bag.size(): int
  ? Bag.isEmpty(): boolean
",
    );
}

#[test]
fn a_private_nested_class_is_tested_through_the_class_around_it() {
    check(
        WALK,
        "p/Walk$Node",
        &["test calls"],
        "
test calls
  * new Walk<String>()
    new Walk<Integer>()
    new Walk<Object>()
  * Walk<String>.add(String)
    Walk<Integer>.add(Integer)
    Walk<Object>.add(Object)
  * Walk<String>.iterator(): Iterator<String>
    Walk<Integer>.iterator(): Iterator<Integer>
    Walk<Object>.iterator(): Iterator<Object>
  * Walk<String>.first(): Object
    Walk<Integer>.first(): Object
    Walk<Object>.first(): Object
  * Walk<String>.link(Walk.Node<String>)
    Walk<Integer>.link(Walk.Node<Integer>)
    Walk<Object>.link(Walk.Node<Object>)
  * static Walk.byLength(): Comparator<String>
  * static Walk.numbers(): Set<Integer>
  * Walk<String>.<String>map(Function<? super String, ? extends String>): Walk<String>
    Walk<String>.<Integer>map(Function<? super String, ? extends Integer>): Walk<Integer>
    Walk<Integer>.<String>map(Function<? super Integer, ? extends String>): Walk<String>
    Walk<Integer>.<Integer>map(Function<? super Integer, ? extends Integer>): Walk<Integer>
    Walk<Object>.<String>map(Function<? super Object, ? extends String>): Walk<String>
    Walk<Object>.<Integer>map(Function<? super Object, ? extends Integer>): Walk<Integer>
! no value of type Walk.Node<String> can be made; only null is passed
! no value of type Walk.Node<Integer> can be made; only null is passed
! no value of type Walk.Node<Object> can be made; only null is passed
",
    );
}

#[test]
fn classes_without_anything_to_call_are_refused_with_the_reason() {
    let none = "p.A has no constructor, method or field that a test in its package may use";
    check_error(
        "//- /p/Tag.java\npackage p; public @interface Tag { int value(); }",
        "p/Tag",
        "p.Tag is an annotation, which has no code to test",
    );
    check_error(
        "//- /p/A.java\npackage p; abstract class A { private A() {} abstract void nothing(); }",
        "p/A",
        &format!("{none}: it is abstract, and no class on the class path extends it"),
    );
    check_error(
        "//- /p/A.java\npackage p; interface A { void nothing(); }",
        "p/A",
        &format!("{none}: it is an interface without code"),
    );
    check_error(
        "//- /p/A.java\npackage p; class A { private A() {} void run() {} private static int one() { return 1; } }",
        "p/A",
        &format!("{none}: no object of type p.A can be made"),
    );
    check_error(
        "//- /p/A.java\npackage p; class A { private A() {} private static int one() { return 1; } }",
        "p/A",
        none,
    );
    check_error(PLAIN, "p/Absent", "p.Absent is not on the class path");
}

/// A class path without one of its classes.
#[derive(Debug)]
struct Without {
    class_path: Arc<ClassPath>,
    missing: ClassName,
    names: Vec<ClassName>,
}

impl ClassSource for Without {
    fn class_bytes(&self, name: &ClassName) -> Option<Cow<'_, [u8]>> {
        if *name == self.missing { None } else { self.class_path.class_bytes(name) }
    }

    fn class_path_classes(&self) -> &[ClassName] {
        &self.names
    }
}

fn without(sources: &str, missing: &str) -> ClassHierarchy {
    let class_path = fixture::compile(sources).class_path();
    let missing = ClassName::from(missing);
    let names = class_path.class_path_classes().iter().filter(|name| **name != missing).cloned().collect();
    ClassHierarchy::new(Arc::new(Without { class_path, missing, names }))
}

#[test]
fn a_missing_superclass_is_an_error_and_a_missing_parameter_type_a_diagnostic() {
    let source = "
//- /p/User.java
package p;
public class User extends Sup { public User(int size) {} public User(Gone gone) {} public Gone back() { return null; } }
//- /p/Sup.java
package p;
public class Sup {}
//- /p/Gone.java
package p;
public class Gone {}
";
    let cluster = build_from(&without(source, "p/Gone"), "p/User", &[]).expect("a cluster is built");
    let text = sections(&cluster, &["test calls"]);
    assert_eq!(
        text.trim(),
        "
test calls
  * new User(int)
! p.User.<init>(Lp/Gone;)V is left out: p.Gone is not on the class path
! p.User.back()Lp/Gone; is left out: p.Gone is not on the class path
"
        .trim(),
        "\n{text}"
    );
    let error = build_from(&without(source, "p/Sup"), "p/User", &[]).expect_err("the JVM cannot load it");
    assert_eq!(error.to_string(), "p.User cannot be loaded: it needs p.Sup, which is not on the class path");
}

#[test]
fn classes_of_the_unnamed_package_cannot_be_named_from_another() {
    let source = "
//- /Loose.java
public class Loose extends p.Open {}
//- /p/Open.java
package p;
public abstract class Open { public void go() {} protected Open() {} static Open some() { return null; } }
";
    check(
        source,
        "p/Open",
        &["test calls", "Open"],
        "
test calls
  * Open.go()
  * static Open.some(): Open
  * stub Open() {}
Open
  = static Open.some(): Open
  = stub Open() {}
  ~ Open.go()
",
    );
}

#[test]
fn the_same_classes_give_the_same_bytes() {
    let encoded = |class: &str, source: &str| {
        postcard::to_allocvec(&cluster(source, class, &["[J", "Ljava/util/Map;"]))
            .expect("a cluster is encoded")
    };
    for (class, source) in [("p/Box", BOX), ("p/Walk", WALK), ("p/Raw", RAW), ("p/Builder", BUILDER)] {
        assert!(encoded(class, source) == encoded(class, source), "{class}");
    }
}

#[test]
fn abstract_classes_behind_factories_are_reached_through_the_types_that_these_give() {
    let source = "
//- /p/Part.java
package p;
public abstract class Part implements Runnable {
    protected Part() {}
    @Override public void run() {}
    public void other() {}
    abstract <R> R visit(R value);
}
//- /p/Wheel.java
package p;
public final class Wheel extends Part {
    private Wheel() {}
    @Override <R> R visit(R value) { return value; }
    public static Runnable wheel(int size) { return new Wheel(); }
    public static int count() { return 1; }
}
";
    check(
        source,
        "p/Part",
        &["test calls", "Part", "Runnable"],
        "
test calls
  * Part.run()
  * Part.other()
  * stub Part() {visit(Object): Object}
  * static Wheel.wheel(int): Runnable
  * Runnable.run()
Part
  = stub Part() {visit(Object): Object}
  ~ Part.run()
  ~ Part.other()
  ~ Runnable.run()
Runnable
  = any Part
  = static Wheel.wheel(int): Runnable
  = lambda Runnable {run()}
  ~ Runnable.run()
",
    );
}
