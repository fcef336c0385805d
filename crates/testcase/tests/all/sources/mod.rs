//! Java sources that several tests share.

#![allow(dead_code, unreachable_pub, reason = "the benchmark uses some of them")]

pub mod declarations;

/// Members of every access, fields of every kind.
pub const PLAIN: &str = "
//- /p/Plain.java
package p;
public class Plain implements Comparable<Plain> {
    public static final int CONSTANT = 1;
    public static final Plain EMPTY = new Plain(\"\");
    static int counter;
    public String name;
    private int secret;
    final long stamp = 5L;
    public Plain(String name) { this.name = name; }
    Plain(int... numbers) { this(\"\"); }
    private Plain(long x) { this(\"\"); }
    public static void main(String[] arguments) {}
    protected int guarded(double d) { return 1; }
    void inPackage(char c) {}
    private void hidden() {}
    public int getSize() { return 1; }
    public boolean isEmpty() { return true; }
    public Plain next() { return this; }
    @Override public int compareTo(Plain other) { return 0; }
    @Override public boolean equals(Object other) { return false; }
    @Override public int hashCode() { return 1; }
    @Override public String toString() { return name; }
    @Override protected void finalize() {}
}
";

/// A generic class with wildcards, F-bounds, an inner class and an enum.
pub const BOX: &str = "
//- /p/Box.java
package p;
import java.util.*;
public class Box<T> {
    public T content;
    public Box(T content) {}
    public T get() { return content; }
    public List<T> asList() { return null; }
    public void putAll(Collection<? extends T> all) {}
    public void drainTo(Collection<? super T> target) {}
    public <R extends Comparable<R>> R max(R[] all) { return null; }
    public static <E extends Enum<E>> Set<E> all(Class<E> type) { return null; }
    public Box<? extends Number> numbers() { return null; }
    public class Lid { public T key() { return null; } }
    public static <K, V extends Comparable<? super V>> Map<K, V> sorted(Map<K, V> map) { return null; }
    enum Color { RED, GREEN { @Override int code() { return 2; } }; int code() { return 1; } }
}
";

/// An abstract class and its subclasses.
pub const SHAPE: &str = "
//- /p/Shape.java
package p;
public abstract class Shape {
    protected Shape(double size) {}
    public abstract double area();
    public double doubled() { return 2 * area(); }
    static Shape unit() { return new Circle(1); }
}
//- /p/Circle.java
package p;
public class Circle extends Shape {
    public Circle(double radius) { super(radius); }
    @Override public double area() { return 3; }
    public void grow(int by) {}
}
//- /p/Square.java
package p;
class Square extends Shape {
    Square() { super(1); }
    @Override public double area() { return 1; }
}
//- /q/Far.java
package q;
class Far extends p.Shape {
    Far() { super(1); }
    @Override public double area() { return 1; }
}
";

/// Private classes and lambdas behind interfaces of the platform.
pub const WALK: &str = "
//- /p/Walk.java
package p;
import java.util.*;
import java.util.function.*;
public class Walk<E> implements Iterable<E> {
    private Node<E> head;
    private static class Node<E> { E value; Node<E> next; @Override public String toString() { return \"n\"; } }
    public void add(E value) {}
    @Override public Iterator<E> iterator() { return new Steps(); }
    private class Steps implements Iterator<E> {
        @Override public boolean hasNext() { return false; }
        @Override public E next() { return null; }
    }
    Node<E> first() { return head; }
    void link(Node<E> node) {}
    public static Comparator<String> byLength() { return (a, b) -> a.length() - b.length(); }
    public static Set<Integer> numbers() { return new AbstractSet<Integer>() {
        @Override public int size() { return 0; }
        @Override public Iterator<Integer> iterator() { return null; } }; }
    public <R> Walk<R> map(Function<? super E, ? extends R> f) { return null; }
}
";

/// Builders, singletons and what cannot be made.
pub const BUILDER: &str = "
//- /p/Builder.java
package p;
public class Builder {
    public static void use(House house, Single single, Impossible nothing) {}
    public static void build(House.Maker maker) {}
}
//- /p/House.java
package p;
public class House {
    private House() {}
    public static Maker maker() { return new Maker(); }
    public static class Maker {
        private Maker() {}
        public Maker rooms(int count) { return this; }
        public House build() { return new House(); }
    }
}
//- /p/Single.java
package p;
public class Single {
    private static final Single INSTANCE = new Single();
    private Single() {}
    public static Single getInstance() { return INSTANCE; }
}
//- /p/Impossible.java
package p;
public class Impossible { private Impossible() {} public Impossible copy() { return this; } }
";

/// Builders whose methods have type parameters of their own.
pub const GENERIC_MAKERS: &str = "
//- /p/Shop.java
package p;
public class Shop { public static int count(Many<String, Integer> many, Table<?, ?> table) { return 0; } }
//- /p/Many.java
package p;
public class Many<K, V> {
    private Many() {}
    public static <W> Maker<W> with() { return new Maker<W>(); }
    public static class Maker<V> {
        Maker() {}
        public <K, U extends V> Many<K, U> empty() { return new Many<K, U>(); }
        public <V> Many<V, V> hidden() { return null; }
    }
}
//- /p/Table.java
package p;
public abstract class Table<R, C> {
    Table() {}
    public static <R0> Maker<R0> rows(java.util.Comparator<R0> order) { return new Maker<R0>(); }
    public static class Maker<R0> {
        Maker() {}
        public <R extends R0, C> Table<R, C> build() { return null; }
    }
}
";

/// Types without arguments, as libraries before Java 5 have them.
pub const RAW: &str = "
//- /p/Raw.java
package p;
import java.util.*;
public class Raw {
    public Raw(List list, Map map) {}
    public Collection all(Comparator order, Class type) { return null; }
    public void any(Object value, Number number, CharSequence text, Comparable c, java.io.Serializable s) {}
    public Object[] convert(Object[] values, long[] longs, Thread thread, java.io.Reader reader) { return null; }
}
";

/// An interface with a default method and a factory.
pub const FACE: &str = "
//- /p/Face.java
package p;
public interface Face {
    int MAX = 5;
    int size();
    default boolean isEmpty() { return size() == 0; }
    static Face of(String... parts) { return () -> parts.length; }
}
";

/// Superclasses that users cannot name.
pub const INHERIT: &str = "
//- /p/Inherit.java
package p;
public class Inherit extends Base implements Ordered<Inherit> {
    @Override public int order() { return 1; }
    @Override protected void hook() {}
    Private make() { return new Private(); }
    private static class Private extends Nested { @Override void go(int x) {} }
    static abstract class Nested { abstract void go(int x); }
}
//- /p/Base.java
package p;
abstract class Base extends q.Lib {
    public final void template() { hook(); }
    protected abstract void hook();
    public int getState() { return 1; }
}
//- /p/Ordered.java
package p;
public interface Ordered<T extends Ordered<T>> { int order(); default boolean before(T other) { return true; } static <S extends Ordered<S>> S first(S a, S b) { return a; } }
//- /q/Lib.java
package q;
public class Lib { public void library(String s) {} protected void invisible() {} void alsoInvisible() {} }
";

/// An enum without methods.
pub const LEVEL: &str = "
//- /p/Level.java
package p;
public enum Level { LOW, HIGH }
";

/// Nothing but constants.
pub const CONSTANTS: &str = "
//- /p/Constants.java
package p;
public final class Constants { private Constants() {} public static final String A = \"a\"; static final int B = \"x\".length(); }
";

/// Arrays of all kinds, varargs, class literals and collections: what factories must keep in order.
pub const MIX: &str = "
//- /p/Mix.java
package p;
import java.util.*;
public class Mix {
    public enum Mode { ON, OFF, AUTO }
    public int[] numbers = new int[2];
    public Mode mode;
    public static String label;
    public Mix(int[] numbers, String... names) {}
    public Mix(Mode mode, Class<?> type) {}
    public static Mix of(Collection<? extends Number> numbers, Map<String, List<Integer>> groups) { return null; }
    public int sum(byte[] bytes, char[] text, double[][] matrix, Object[] objects) { return 0; }
    public Mix with(Mix other, Integer boxed, Character letter, long wide, float f, boolean flag) { return this; }
    public <T extends Comparable<T>> T[] sort(T[] values, Comparator<? super T> order) { return values; }
    public Inner inner() { return new Inner(); }
    public class Inner { public Inner() {} public Inner(Inner next, short s) {} public Mix outer() { return Mix.this; } }
    public StringBuilder append(StringBuilder to, CharSequence text, Locale locale, Date date) { return to; }
    public void nothing(Thread thread, Object any, Class<Mode> mode) {}
}
";

/// Interfaces and abstract classes that a test has to implement itself.
pub const STEPS: &str = "
//- /p/Steps.java
package p;
import java.util.*;
import java.util.concurrent.Callable;
public class Steps {
    public interface Step<A, B> { B apply(A in) throws java.io.IOException; }
    public interface Ordering<E> extends Comparator<E> { String name(); int compare(E one, E two); }
    public interface Named { default String name() { return \"a\"; } }
    public interface Both<E> extends Ordering<E>, Named { String name(); boolean equals(Object other); }
    public interface Narrow extends Callable<Number> { Integer call(); }
    public interface Visitor { <R> R visit(R value); }
    public @interface Marker { int value(); }
    public static abstract class Base<K> implements Step<K, List<K>>, Runnable {
        protected Base(int size) {}
        Base(K key, List<? super K> keys) {}
        private Base() {}
        public void run() {}
        public abstract String toString();
        protected abstract K key();
        abstract void hidden();
    }
    public static abstract class Closed { private Closed() {} abstract int size(); }
    public Steps(Step<String, ? extends List<Integer>> step, Callable<?> callable) throws Exception { if (callable != null) callable.call(); }
    public <E> int order(Both<? super E> both, Narrow narrow, Comparator<E> order) { return 1; }
    public void lib(q.Half half, q.Whole<String> whole, Base<String> base, Closed closed, Visitor visitor, Marker marker) {}
    public int sum(Iterator<Integer> numbers, Thread.UncaughtExceptionHandler handler) {
        int sum = 0;
        try { while (numbers.hasNext()) sum += numbers.next(); } catch (IllegalStateException e) { handler.uncaughtException(null, e); }
        return sum;
    }
}
//- /q/Half.java
package q;
public abstract class Half { abstract int half(); }
//- /q/Whole.java
package q;
public abstract class Whole<T extends CharSequence> extends Part<T> { protected Whole(T start, String... rest) {} protected abstract T next(T[] given); protected void part() {} }
//- /q/Part.java
package q;
abstract class Part<P> { public P last; protected abstract void part(); public abstract java.util.Map<P, Integer> all(P p); }
";

/// An abstract class under test, and an interface with code.
pub const SKETCH: &str = "
//- /p/Sketch.java
package p;
public abstract class Sketch<T> {
    private final int size;
    protected Sketch(int size) { this.size = size; init(); }
    Sketch(Sketch<T> other) { this(other.size); }
    protected void init() {}
    protected abstract T make(int index);
    protected abstract boolean accepts(T value);
    public int count() { int count = 0; for (int i = 0; i < size; i++) if (accepts(make(i))) count++; return count; }
    public interface Shape { double area(); default boolean isFlat() { return area() == 0; } }
}
";

/// Code that is handed to collaborators, which call it.
pub const CALLBACKS: &str = "
//- /p/Bank.java
package p;
import java.util.*;
import java.util.function.*;
public class Bank implements Comparable<Bank>, Runnable {
    private final List<String> seen = new ArrayList<>();
    public String save(Transactions transactions, int amount) {
        return transactions.within(status -> status.isNew() ? \"new \" + amount : \"old\");
    }
    public int load(Store<Integer> store) { return store.each((key, value) -> seen.add(key + value)); }
    public void listen(Wire wire) { wire.open(\"bank\", new Reader()); wire.start(this); wire.weigh(this); wire.keep(seen); }
    public int compareTo(Bank other) { return 0; }
    public void run() { seen.add(\"run\"); }
    class Reader implements Wire.Listener {
        public void opened(String name) { seen.add(name); }
        public boolean closed(int code, Throwable why) throws Exception { return code > 3; }
        public void moved(int from, int to, String by) { }
    }
}
//- /p/Transactions.java
package p;
public interface Transactions { <T> T within(Work<T> work); interface Work<T> { T on(Status status); } interface Status { boolean isNew(); } }
//- /p/Store.java
package p;
import java.util.function.*;
public interface Store<V> { int each(BiConsumer<? super String, ? super V> of); }
//- /p/Wire.java
package p;
import java.util.*;
public interface Wire {
    void open(String name, Listener to); void start(Runnable what); void weigh(Comparable<Bank> what); void keep(List<String> what);
    interface Listener { void opened(String name); boolean closed(int code, Throwable why) throws Exception; void moved(int from, int to, String by); }
}
";
