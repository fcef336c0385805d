package covolve.runtime;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** What the executor asks of values that tests pass and get. Only JDK code is called, never code under test. */
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

    private Values() {}

    /** Number of elements or characters of an object of an exact JDK class; -1 of everything else. */
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
