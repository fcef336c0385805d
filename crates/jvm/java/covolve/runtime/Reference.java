package covolve.runtime;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What mutants put in place of a reference. */
final class Reference {
    private Reference() {}

    /** Replacement by its number. */
    static Object replacement(int chosen) {
        switch (chosen) {
            case 0:
                return null;
            case 1:
                return "";
            case 2:
                return Optional.empty();
            case 3:
                return Collections.emptyList();
            case 4:
                return Collections.emptySet();
            case 5:
                return Collections.emptyMap();
            case 6:
                return Stream.empty();
            case 7:
                return Integer.valueOf(0);
            case 8:
                return Short.valueOf((short) 0);
            case 9:
                return Long.valueOf(0);
            case 10:
                return Character.valueOf((char) 0);
            case 11:
                return Float.valueOf(0.0f);
            case 12:
                return Double.valueOf(0.0);
            case 13:
                return Boolean.FALSE;
            default:
                return Boolean.TRUE;
        }
    }

    /** Whether one is as good as the other, as far as classes of the JDK alone can tell. */
    static boolean isSame(Object own, Object other) {
        if (own == other) {
            return true;
        }
        if (own == null || other == null) {
            return false;
        }
        Class<?> type = own.getClass();
        if (type == other.getClass()) {
            // Strings and boxed values; all others have a class of their own in the JDK, and identity.
            return (type == String.class || other instanceof Number || other instanceof Character
                    || other instanceof Boolean) && own.equals(other);
        }
        if (type == ArrayList.class || type == LinkedList.class) {
            return other == Collections.EMPTY_LIST && ((Collection<?>) own).isEmpty();
        }
        if (type == HashSet.class || type == LinkedHashSet.class) {
            return other == Collections.EMPTY_SET && ((Collection<?>) own).isEmpty();
        }
        if (type == HashMap.class || type == LinkedHashMap.class) {
            return other == Collections.EMPTY_MAP && ((Map<?, ?>) own).isEmpty();
        }
        return false;
    }
}
