package covolve.runtime;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.stream.BaseStream;

/** What the executor asks of values that tests pass and get. */
public final class Values {
    /** Collections and maps whose size is a field of theirs, or of others that are listed here. */
    private static final Set<String> PLAIN = new HashSet<String>(Arrays.asList(
            "java.util.ArrayDeque", "java.util.ArrayList", "java.util.Arrays$ArrayList",
            "java.util.Collections$EmptyList", "java.util.Collections$EmptyMap", "java.util.Collections$EmptySet",
            "java.util.Collections$SingletonList", "java.util.Collections$SingletonMap",
            "java.util.Collections$SingletonSet", "java.util.EnumMap", "java.util.HashMap", "java.util.HashSet",
            "java.util.Hashtable", "java.util.IdentityHashMap", "java.util.ImmutableCollections$List12",
            "java.util.ImmutableCollections$ListN", "java.util.ImmutableCollections$Map1",
            "java.util.ImmutableCollections$MapN", "java.util.ImmutableCollections$Set12",
            "java.util.ImmutableCollections$SetN", "java.util.JumboEnumSet", "java.util.LinkedHashMap",
            "java.util.LinkedHashSet", "java.util.LinkedList", "java.util.PriorityQueue", "java.util.Properties",
            "java.util.RegularEnumSet", "java.util.Stack", "java.util.TreeMap", "java.util.TreeSet",
            "java.util.Vector", "java.util.concurrent.ConcurrentHashMap",
            "java.util.concurrent.ConcurrentLinkedQueue", "java.util.concurrent.ConcurrentSkipListMap",
            "java.util.concurrent.CopyOnWriteArrayList", "java.util.concurrent.LinkedBlockingDeque",
            "java.util.concurrent.LinkedBlockingQueue"));

    /** Texts that are built up; what they hold is seen as a string. */
    private static final Set<String> TEXTS = new HashSet<String>(Arrays.asList(
            "java.io.CharArrayWriter", "java.io.StringWriter", "java.lang.StringBuffer", "java.lang.StringBuilder"));

    /** Numbers of containers. */
    private static final int LIST = 0, SET = 1, MAP = 2, ORDERED = 3, OPTIONAL = 4, OPTIONAL_INT = 5,
            OPTIONAL_LONG = 6, OPTIONAL_DOUBLE = 7;

    /** Numbers of sequences; those of streams lie between them. */
    private static final int ITERATOR = 0, ENUMERATION = 1, ITERABLE = 6;

    /** Most elements of a container that is seen as a text. */
    private static final int MOST_PRINTED = 12;

    private Values() {}

    /**
     * Number of the container that an object is, by what its {@code equals} goes; -1 of everything else. No method of the object
     * is called.
     */
    public static int container(Object value) {
        if (value instanceof List) {
            return LIST;
        }
        if (value instanceof Set) {
            return SET;
        }
        if (value instanceof Map) {
            return MAP;
        }
        if (value instanceof Optional) {
            return OPTIONAL;
        }
        if (value instanceof OptionalInt) {
            return OPTIONAL_INT;
        }
        if (value instanceof OptionalLong) {
            return OPTIONAL_LONG;
        }
        if (value instanceof OptionalDouble) {
            return OPTIONAL_DOUBLE;
        }
        return value instanceof Collection && isOrdered(value) ? ORDERED : -1;
    }

    /**
     * What a container of this number holds, keys and values of a map in turn; null where there is more than so much, and where
     * its methods contradict each other.
     */
    public static Object[] held(Object value, int container, int most) {
        switch (container) {
            case LIST:
            case SET:
            case ORDERED:
                Collection<?> collection = (Collection<?>) value;
                int size = collection.size();
                return size > most || (size == 0) != collection.isEmpty() ? null : collection.toArray();
            case MAP:
                return entries((Map<?, ?>) value, most);
            case OPTIONAL:
                Optional<?> optional = (Optional<?>) value;
                return optional.isPresent() ? new Object[] {optional.get()} : new Object[0];
            case OPTIONAL_INT:
                OptionalInt number = (OptionalInt) value;
                return number.isPresent() ? new Object[] {number.getAsInt()} : new Object[0];
            case OPTIONAL_LONG:
                OptionalLong wide = (OptionalLong) value;
                return wide.isPresent() ? new Object[] {wide.getAsLong()} : new Object[0];
            case OPTIONAL_DOUBLE:
                OptionalDouble real = (OptionalDouble) value;
                return real.isPresent() ? new Object[] {real.getAsDouble()} : new Object[0];
            default:
                return null;
        }
    }

    private static Object[] entries(Map<?, ?> map, int most) {
        int size = map.size();
        if (2 * size > most || (size == 0) != map.isEmpty()) {
            return null;
        }
        Object[] held = new Object[2 * size];
        int next = 0;
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            if (next == held.length) {
                return null; // its size is not what it says
            }
            held[next++] = entry.getKey();
            held[next++] = entry.getValue();
        }
        return next == held.length ? held : null;
    }

    /**
     * What a sequence of this number gives, one after the other, which uses it up; null where that is more than so much. Of an
     * endless one no more is asked for.
     */
    public static Object[] elements(Object value, int sequence, int most) {
        List<Object> given = new ArrayList<Object>();
        if (sequence == ENUMERATION) {
            Enumeration<?> enumeration = (Enumeration<?>) value;
            while (enumeration.hasMoreElements()) {
                if (given.size() == most) {
                    return null;
                }
                given.add(enumeration.nextElement());
            }
            return given.toArray();
        }
        Iterator<?> iterator = iterator(value, sequence);
        while (iterator.hasNext()) {
            if (given.size() == most) {
                return null;
            }
            given.add(iterator.next());
        }
        return given.toArray();
    }

    private static Iterator<?> iterator(Object value, int sequence) {
        switch (sequence) {
            case ITERATOR:
                return (Iterator<?>) value;
            case ITERABLE:
                return ((Iterable<?>) value).iterator();
            default:
                return ((BaseStream<?, ?>) value).iterator();
        }
    }

    /**
     * What {@code toString} gives of a text that is built up, and of a container whose order is always the same; null of
     * everything else.
     */
    public static String text(Object value) {
        if (value == null) {
            return null;
        }
        if (TEXTS.contains(value.getClass().getName())) {
            return value.toString();
        }
        if (value instanceof Collection && isOrdered(value)) {
            return ((Collection<?>) value).size() <= MOST_PRINTED ? value.toString() : null;
        }
        if (value instanceof Map && isOrdered(value)) {
            return ((Map<?, ?>) value).size() <= MOST_PRINTED ? value.toString() : null;
        }
        return value instanceof Optional && ((Optional<?>) value).isPresent() ? value.toString() : null;
    }

    /** What {@code toString} gives of a value of the JDK. */
    public static String print(Object value) {
        return value.toString();
    }

    /**
     * What {@code toString} gives of an object whose class lies on the class path; null of one that was made while the program ran, and
     * of collections and maps, which are seen by what they hold. Of threads no two releases of the JDK give the same.
     */
    public static String describe(Object value) {
        if (value instanceof Collection || value instanceof Map || value instanceof Thread) {
            return null;
        }
        Class<?> of = value.getClass();
        boolean isOfClassPath = of.getClassLoader() == ClassLoader.getSystemClassLoader() && !Proxy.isProxyClass(of);
        return isOfClassPath ? value.toString() : null;
    }

    /** Whether a collection or map of the JDK goes through what it holds in an order that no hash code decides. */
    private static boolean isOrdered(Object value) {
        String name = value.getClass().getName();
        if (!name.startsWith("java.util.")) {
            return false;
        }
        return value instanceof List || value instanceof Queue || value instanceof SortedMap || value instanceof SortedSet
                || name.startsWith("java.util.Linked") || name.startsWith("java.util.TreeMap$");
    }

    /** Number of elements or characters of an object of an exact JDK class; -1 of everything else. Only JDK code is called. */
    public static int size(Object value) {
        if (value instanceof Collection) {
            return PLAIN.contains(value.getClass().getName()) ? ((Collection<?>) value).size() : -1;
        }
        if (value instanceof Map) {
            return PLAIN.contains(value.getClass().getName()) ? ((Map<?, ?>) value).size() : -1;
        }
        if (value instanceof String || value instanceof StringBuilder || value instanceof StringBuffer) {
            return ((CharSequence) value).length();
        }
        if (value instanceof Optional) {
            return ((Optional<?>) value).isPresent() ? 1 : 0;
        }
        if (value instanceof OptionalInt) {
            return ((OptionalInt) value).isPresent() ? 1 : 0;
        }
        if (value instanceof OptionalLong) {
            return ((OptionalLong) value).isPresent() ? 1 : 0;
        }
        if (value instanceof OptionalDouble) {
            return ((OptionalDouble) value).isPresent() ? 1 : 0;
        }
        return -1;
    }
}
