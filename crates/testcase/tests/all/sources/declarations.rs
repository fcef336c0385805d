//! Declarations of every kind, for clusters of today's Java.

#![allow(dead_code, unreachable_pub, reason = "the benchmark uses some of them")]

/// Type variables, wildcards, bounds, recursive and intersection bounds, raw types.
pub const TRICKY: &str = "
//- /p/Tricky.java
package p;
import java.util.*;
import java.util.function.*;
public class Tricky<T extends Comparable<? super T>> {
    public Tricky(T first) {}
    public static <T extends Comparable<? super T>> T max(Collection<? extends T> all) { return null; }
    public static <E> void literal(Class<? extends E> type, E value) {}
    public static <K, V> void nested(Map<? super K, ? extends List<V>> map, K key) {}
    public static void raw(List list, Map.Entry entry, Comparable any) {}
    public static <T extends Number & Comparable<T>> T both(T left, T right) { return left; }
    public static <E extends Enum<E>> E constant(Class<E> type, String name) { return null; }
    public static <E extends Enum<E>> EnumSet<E> set(EnumMap<E, String> map) { return null; }
    public static <A extends Node<A>> A recursive(A node) { return node; }
    public static <N extends Node<N>, L extends List<N>> L dependent(L list) { return list; }
    public static <T> T[] array(T[] elements, List<? super T>[] lists) { return elements; }
    public void self(Tricky<T> other, Tricky<? extends T> lower, Tricky<?> any) {}
    public static void wild(List<?> any, List<? extends Number> numbers, List<? super Integer> sink) {}
    public static void deep(Map<String, Map<Integer, List<Set<String>>>> deep) {}
    public static Comparator<? super String> wildResult() { return null; }
}
abstract class Node<N extends Node<N>> { abstract N next(); }
class Leaf extends Node<Leaf> { Leaf next() { return this; } }
";

/// Inner classes of generic classes.
pub const OUTER: &str = "
//- /p/Outer.java
package p;
public class Outer<T> {
    public class Inner<U> {
        public Inner(T outer, U own) {}
        public T outer() { return null; }
        public U own() { return null; }
        public class Deep { public T t() { return null; } public U u() { return null; } }
    }
    public static class Nested<V> { public V value; public Nested(V value) {} }
    public Inner<String> make() { return null; }
    public static void take(Outer<Integer>.Inner<String> inner, Outer<String>.Inner<Long>.Deep deep, Outer.Inner raw) {}
    public <T> T shadow(T value) { return value; }
}
";

/// Generic classes that only their own members give: self types and private constructors.
pub const GIVEN: &str = "
//- /p/Chain.java
package p;
public class Chain<B extends Chain<B>> {
    public Chain() {}
    public B with(String text) { return null; }
    public static Chain<?> start() { return null; }
    public Result finish() { return null; }
    static class Result { private Result() {} }
    static void take(Result result) {}
}
//- /p/Given.java
package p;
import java.util.*;
public class Given<T> {
    private Given() {}
    public static Given<Boolean> flag() { return null; }
    public static final Given<List<String>> NAMES = new Given<>();
    public T get() { return null; }
    public void set(T value) {}
}
";

/// Builders, factories, singletons, enum constants with bodies, records, sealed types, deprecated and inner classes.
pub const WAYS: &str = "
//- /p/Ways.java
package p;
import java.util.*;
public class Ways {
    public Ways(Config config, Fluent fluent, Animal animal, Singleton singleton, Holder holder, Op op, Point point,
        Shape shape, Old old, Hidden hidden, Loaded loaded, Http http) {}
    public int run(Shape shape) { return 0; }
}
class Config {
    private Config(Builder builder) {}
    public static Builder newBuilder() { return new Builder(); }
    public static class Builder {
        private Builder() {}
        public Builder name(String name) { return this; }
        public Builder limit(int limit) { return this; }
        public Config build() { return new Config(this); }
    }
}
class Fluent {
    private Fluent() {}
    static class FluentBuilder<B extends FluentBuilder<B>> {
        public B with(String text) { return (B) this; }
        public Fluent create() { return new Fluent(); }
    }
    static FluentBuilder<?> builder() { return new FluentBuilder<>(); }
}
interface Animal { String sound(); }
class Dog implements Animal { public String sound() { return \"\"; } }
abstract class Cat implements Animal { }
class Lion extends Cat { Lion(int age) {} public String sound() { return \"\"; } }
class Singleton { static final Singleton INSTANCE = new Singleton(); private Singleton() {} void reset(int to) {} }
class Holder {
    private Holder() {}
    private static final Holder ONE = new Holder();
    static Holder getInstance() { return ONE; }
}
enum Op { ADD { int apply(int a, int b) { return a + b; } }, SUB { int apply(int a, int b) { return a - b; } };
    abstract int apply(int a, int b); }
record Point(int x, List<String> names) { static Point origin() { return null; } }
sealed interface Shape permits Circle, Square, Group { }
final class Circle implements Shape { Circle(double r) {} }
record Square(int side) implements Shape { }
non-sealed abstract class Group implements Shape { }
class Pair extends Group { Pair(Shape a, Shape b) {} }
@Deprecated class Old { @Deprecated Old(int x) {} Old(String s) {} @Deprecated static Old of() { return null; } }
class Hidden {
    private Hidden() {}
    private static class Impl extends Hidden { }
    static Hidden impl() { return new Impl(); }
}
class Loaded {
    public final Inside inside = new Inside();
    Loaded() {}
    class Inside { private Inside() {} void poke(int x) {} }
}
class Http {
    private Http() {}
    static final Http GET = new Http();
    static final Http POST = new Http();
}
";

/// Two packages: what is protected, package-private, private.
pub const ACCESS: &str = "
//- /a/Base.java
package a;
public abstract class Base {
    protected Base() {}
    protected int inherited(int x) { return x; }
    protected static int helped(int x) { return x; }
    protected int field;
    public int shown() { return 1; }
    int hidden() { return 2; }
    protected static class Prot { public Prot() {} public int go() { return 1; } }
    protected abstract void hook(Prot prot);
}
//- /a/Open.java
package a;
public class Open extends Concealed {
    public void take(Concealed concealed) {}
    public static class Secret { private static class Deep { } public void deep(Deep deep) {} public Deep give() { return null; } }
}
class Concealed { public int shared() { return 1; } public static int util() { return 1; } public int value; }
//- /b/Derived.java
package b;
import a.*;
public class Derived extends Base {
    public Derived() {}
    public int use(Open open) { return inherited(1); }
    @Override protected void hook(Base.Prot prot) {}
    @Override protected int inherited(int x) { return x + 1; }
    public Base.Prot prot() { return null; }
}
";

/// Types of the platform, and code that tells arguments apart.
pub const PERSON: &str = "
//- /p/Person.java
package p;
import java.util.*;
public class Person {
    public void when(java.time.LocalDate date, java.time.ZoneId zone, Calendar calendar, Locale locale) {}
    public void text(java.util.regex.Pattern pattern, java.text.DecimalFormat format, java.net.URI uri, Currency currency) {}
    public void reflect(java.lang.reflect.Method method, java.lang.reflect.Field field,
        java.lang.reflect.Constructor<?> constructor, java.lang.reflect.Type type,
        java.lang.annotation.Annotation annotation, java.lang.reflect.AnnotatedElement element) {}
    public void misc(java.util.stream.Stream<String> stream, Iterator<Integer> iterator, ResourceBundle bundle, EnumSet<Color> colors,
        EnumMap<Color, String> map, java.io.File file, Thread thread, java.util.concurrent.Future<String> future,
        java.security.MessageDigest digest, org.w3c.dom.NodeList nodes, java.util.concurrent.ExecutorService service) {}
    public boolean same(Object other, Number number, Comparable<?> comparable, CharSequence text, java.io.Serializable any) {
        if (number instanceof java.math.BigDecimal) return true;
        if (text instanceof StringBuffer) return true;
        if (other instanceof Date) return true;
        return any instanceof Thing || comparable instanceof Thing;
    }
    public int secret;
    private String name;
    public enum Color { RED, GREEN }
}
class Thing implements Comparable<Thing>, java.io.Serializable { public int compareTo(Thing other) { return 0; } }
";

/// A class whose type parameters bound each other: what its subclasses extend is all that there is.
pub const ENTANGLED: &str = r"
//- /p/Reader.java
package p;
import java.util.*;
public class Reader<T, S extends Reader<T, S, I>, I extends Iterator<? extends T>> {
    protected int read;
    public S read(I from) { read++; return null; }
    public T last() { return null; }
    public static class OfNumber extends Reader<Number, OfNumber, ListIterator<Integer>> {
        public int count() { return read; }
    }
    public static class OfText extends Reader<String, OfText, Iterator<String>> { }
}
";
