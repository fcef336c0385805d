package covolve.runtime;

import java.util.Collection;
import java.util.Iterator;
import java.util.Map;

/**
 * What collections and arrays of the JDK hold, and how far that is from something else. Collections of other classes,
 * or views that may hide one, are left alone: their iterators may be code under test.
 */
final class Contents {
    /** Elements that are looked at. */
    private static final int MOST = 64;

    /** What the nearest element was, for who asks next. */
    static Object nearest;

    private Contents() {}

    /** Whether a collection or map is one whose elements can be had without code under test. */
    static boolean isPlain(Object value) {
        if (value == null) {
            return false;
        }
        String name = value.getClass().getName();
        if (!name.startsWith("java.util.")) {
            return false;
        }
        switch (name.substring(10)) {
            case "ArrayList":
            case "LinkedList":
            case "Vector":
            case "Stack":
            case "ArrayDeque":
            case "PriorityQueue":
            case "HashSet":
            case "LinkedHashSet":
            case "TreeSet":
            case "HashMap":
            case "LinkedHashMap":
            case "TreeMap":
            case "Hashtable":
            case "EnumMap":
            case "Arrays$ArrayList":
            case "Collections$EmptyList":
            case "Collections$EmptySet":
            case "Collections$EmptyMap":
            case "Collections$SingletonList":
            case "Collections$SingletonSet":
            case "Collections$SingletonMap":
            case "HashMap$KeySet":
            case "HashMap$Values":
            case "LinkedHashMap$LinkedKeySet":
            case "LinkedHashMap$LinkedValues":
            case "concurrent.ConcurrentHashMap":
            case "concurrent.CopyOnWriteArrayList":
                return true;
            default:
                return name.startsWith("ImmutableCollections$", 10);
        }
    }

    /** Number of elements; negative when it cannot be told. */
    static double size(Object value) {
        if (!isPlain(value)) {
            return -1.0;
        }
        return value instanceof Map ? ((Map<?, ?>) value).size() : ((Collection<?>) value).size();
    }

    /** Distance of the nearest element to a value; negative when it cannot be told. */
    static double toElement(Object collection, Object value) {
        nearest = null;
        return isPlain(collection) ? toElementOf((Collection<?>) collection, value) : -1.0;
    }

    /** Distance of the nearest key or value of a map to a value; negative when it cannot be told. */
    static double toEntry(Object map, Object value, boolean isKey) {
        nearest = null;
        if (!isPlain(map)) {
            return -1.0;
        }
        Map<?, ?> entries = (Map<?, ?>) map;
        return toElementOf(isKey ? entries.keySet() : entries.values(), value);
    }

    private static double toElementOf(Collection<?> elements, Object value) {
        if (elements.isEmpty()) {
            // Nothing is as far as this: any element is better than none.
            return Double.MAX_VALUE;
        }
        double least = Double.MAX_VALUE;
        boolean isTold = false;
        Iterator<?> all = elements.iterator();
        for (int i = 0; i < MOST && all.hasNext(); i++) {
            Object element = all.next();
            double distance = Distance.toEqual(value, element);
            isTold |= distance >= 0.0;
            if (distance >= 0.0 && distance < least) {
                least = distance;
                nearest = element;
            }
        }
        return isTold ? least : -1.0;
    }

    /** Distance to {@code containsAll}: the sum over what is to be contained, each below 1. */
    static double toAll(Object collection, Object parts) {
        if (!isPlain(collection) || !isPlain(parts)) {
            return -1.0;
        }
        double sum = 0.0;
        Iterator<?> all = ((Collection<?>) parts).iterator();
        for (int i = 0; i < MOST && all.hasNext(); i++) {
            double distance = toElement(collection, all.next());
            sum += distance < 0.0 ? 1.0 : Distance.normal(distance);
        }
        return sum;
    }

    /** Distance to {@code Collection.equals}, in the order of the elements; negative when it cannot be told. */
    static double toSame(Object first, Object second) {
        boolean areLists = first instanceof java.util.List && second instanceof java.util.List;
        if (!areLists || !isPlain(first) || !isPlain(second)) {
            return -1.0;
        }
        double sum = Math.abs(((Collection<?>) first).size() - ((Collection<?>) second).size());
        Iterator<?> left = ((Collection<?>) first).iterator();
        Iterator<?> right = ((Collection<?>) second).iterator();
        for (int i = 0; i < MOST && left.hasNext() && right.hasNext(); i++) {
            double distance = Distance.toEqual(left.next(), right.next());
            sum += distance < 0.0 ? 1.0 : Distance.normal(distance);
        }
        return sum;
    }

    /** Distance to {@code Arrays.equals}; negative when it cannot be told. */
    static double toSameArray(Object first, Object second) {
        if (first == second) {
            return 0.0;
        }
        if (first == null || second == null || first.getClass() != second.getClass()) {
            return Double.MAX_VALUE;
        }
        int left = java.lang.reflect.Array.getLength(first);
        int right = java.lang.reflect.Array.getLength(second);
        double sum = Math.abs((double) left - right);
        int end = Math.min(Math.min(left, right), 1024);
        for (int i = 0; i < end; i++) {
            sum += apart(first, second, i);
        }
        return sum;
    }

    private static double apart(Object first, Object second, int i) {
        double distance;
        if (first instanceof int[]) {
            distance = Math.abs((double) ((int[]) first)[i] - ((int[]) second)[i]);
        } else if (first instanceof byte[]) {
            distance = Math.abs(((byte[]) first)[i] - ((byte[]) second)[i]);
        } else if (first instanceof char[]) {
            distance = Math.abs(((char[]) first)[i] - ((char[]) second)[i]);
        } else if (first instanceof Object[]) {
            distance = Distance.toEqual(((Object[]) first)[i], ((Object[]) second)[i]);
        } else {
            distance = Distance.toEqual(
                    java.lang.reflect.Array.get(first, i), java.lang.reflect.Array.get(second, i));
        }
        return distance < 0.0 ? 1.0 : Distance.normal(distance);
    }
}
