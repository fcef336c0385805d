package covolve.runtime;

/**
 * How far two values are from a relation: 0 if it holds, else more, at most the largest double.
 */
final class Distance {
    /** Characters of a string that distances look at. */
    private static final int LONGEST = 1024;

    /** Character comparisons spent on finding the best place for {@code contains}. */
    private static final int MOST_COMPARISONS = 1 << 14;

    private Distance() {}

    // ---- numbers

    /** Has the sign of the comparison: the conversion to double must not make unequal numbers equal. */
    static double difference(long first, long second) {
        long difference = first - second;
        boolean overflow = ((first ^ second) & (first ^ difference)) < 0;
        return overflow ? (double) first - (double) second : (double) difference;
    }

    /** Has the sign of the comparison, {@code unordered} if one is NaN. */
    static double difference(double first, double second, double unordered) {
        if (first == second) {
            return 0.0;
        }
        double difference = first - second;
        if (difference != difference) {
            return unordered;
        }
        return Math.max(-Double.MAX_VALUE, Math.min(difference, Double.MAX_VALUE));
    }

    /** As {@link Double#equals}: NaN equals itself, and 0.0 is not -0.0. */
    private static double toEqual(double first, double second) {
        if (Double.doubleToLongBits(first) == Double.doubleToLongBits(second)) {
            return 0.0;
        }
        return positive(Math.abs(difference(first, second, Double.MAX_VALUE)));
    }

    /** A distance that must not be 0, since the relation does not hold. */
    static double positive(double distance) {
        return distance == 0.0 ? 1.0 : distance;
    }

    /** Below 1, and in the order of the distances. */
    static double normal(double distance) {
        return distance == Double.MAX_VALUE ? 1.0 : distance / (distance + 1.0);
    }

    /** First less second of numbers that boxed values or the classes of big numbers hold; NaN if they do not. */
    static double difference(Object first, Object second) {
        if (first == null || second == null || first.getClass() != second.getClass()) {
            return Double.NaN;
        }
        if (isWhole(first)) {
            return difference(wholeOf(first), wholeOf(second));
        }
        // Their subclasses may be under test.
        Class<?> type = first.getClass();
        if (isDouble(first) || type == java.math.BigInteger.class || type == java.math.BigDecimal.class) {
            return difference(((Number) first).doubleValue(), ((Number) second).doubleValue(), Double.NaN);
        }
        return Double.NaN;
    }

    // ---- objects

    /** Distance to equality of strings and boxed values; negative when it cannot be told. */
    static double toEqual(Object first, Object second) {
        if (first == second) {
            return 0.0;
        }
        if (first == null) {
            return Double.MAX_VALUE;
        }
        if (first instanceof String) {
            return second instanceof String ? toEqual((String) first, (String) second) : Double.MAX_VALUE;
        }
        boolean isDouble = isDouble(first);
        if (!isDouble && !isWhole(first)) {
            return -1.0;
        }
        if (second == null || first.getClass() != second.getClass()) {
            return Double.MAX_VALUE;
        }
        return isDouble
                ? toEqual(((Number) first).doubleValue(), ((Number) second).doubleValue())
                : Math.abs(difference(wholeOf(first), wholeOf(second)));
    }

    /** Whether it is a boxed {@code float} or {@code double}. */
    static boolean isDouble(Object value) {
        return value instanceof Double || value instanceof Float;
    }

    /** Whether it is a boxed value of any other type. */
    static boolean isWhole(Object value) {
        return value instanceof Integer || value instanceof Long || value instanceof Short
                || value instanceof Byte || value instanceof Character || value instanceof Boolean;
    }

    /** The value of what {@link #isWhole}; {@code true} is 1. */
    static long wholeOf(Object value) {
        if (value instanceof Character) {
            return ((Character) value).charValue();
        }
        if (value instanceof Boolean) {
            return ((Boolean) value).booleanValue() ? 1 : 0;
        }
        return ((Number) value).longValue();
    }

    /** Steps from the class of a value up to the nearest class that is also one of the target's, and one more. */
    static double toInstance(Object value, Class<?> target) {
        if (target.isInstance(value)) {
            return 0.0;
        }
        double steps = 1.0;
        Class<?> from = value.getClass();
        while (from != null && !from.isAssignableFrom(target)) {
            steps += 1.0;
            from = from.getSuperclass();
        }
        return steps;
    }

    // ---- strings: one for each missing character, below 1 for each that differs

    private static double toEqual(String first, String second) {
        double distance = apart(first, second, false);
        return distance != 0.0 || first.equals(second) ? distance : 1.0;
    }

    /** Distance to {@code equalsIgnoreCase}; only 0 if no difference was found. */
    static double toEqualIgnoringCase(String first, String second) {
        return apart(first, second, true);
    }

    private static double apart(String first, String second, boolean ignoreCase) {
        int shorter = Math.min(first.length(), second.length());
        double sum = Math.abs(first.length() - second.length());
        int end = Math.min(shorter, LONGEST);
        for (int i = 0; i < end; i++) {
            char a = first.charAt(i);
            char b = second.charAt(i);
            if (a != b) {
                sum += ignoreCase ? apartIgnoringCase(a, b) : apart(a, b);
            }
        }
        return sum;
    }

    private static double apart(char first, char second) {
        double difference = first < second ? second - first : first - second;
        return difference / (difference + 1.0);
    }

    /** Equal as in {@link String#equalsIgnoreCase}: in upper case, or in lower case of upper case. */
    private static double apartIgnoringCase(char first, char second) {
        char a = Character.toUpperCase(first);
        char b = Character.toUpperCase(second);
        return Math.min(apart(a, b), apart(Character.toLowerCase(a), Character.toLowerCase(b)));
    }

    /** Distance to {@code startsWith(prefix, from)}; an index outside the text is as far off as it is outside. */
    static double toStart(String text, String prefix, int from) {
        int start = Math.max(0, Math.min(from, text.length()));
        return Math.abs((double) from - start) + apartAt(text, start, prefix, Double.MAX_VALUE);
    }

    /** Distance to {@code endsWith}. */
    static double toEnd(String text, String suffix) {
        int there = Math.min(text.length(), suffix.length());
        double sum = suffix.length() - there;
        int end = Math.min(there, LONGEST);
        for (int i = 1; i <= end; i++) {
            char a = text.charAt(text.length() - i);
            char b = suffix.charAt(suffix.length() - i);
            if (a != b) {
                sum += apart(a, b);
            }
        }
        return sum;
    }

    /** Distance to {@code contains}: that of the best place. */
    static double toPart(String text, String part) {
        if (text.contains(part)) {
            return 0.0;
        }
        int work = Math.max(1, Math.min(part.length(), LONGEST));
        int places = Math.min(Math.max(0, text.length() - part.length()), MOST_COMPARISONS / work);
        double least = Double.MAX_VALUE;
        for (int from = 0; from <= places; from++) {
            least = apartAt(text, from, part, least);
        }
        return positive(least);
    }

    /** Distance to a text that has the character, below 1 if it has any. */
    static double toPart(String text, int character) {
        if (text.indexOf(character) >= 0) {
            return 0.0;
        }
        double least = 1.0;
        int end = Math.min(text.length(), LONGEST);
        for (int i = 0; i < end; i++) {
            least = Math.min(least, apart(text.charAt(i), (char) character));
        }
        return positive(least);
    }

    /** Distance to {@code isBlank}: one for each character to be replaced. */
    static double toBlank(String text) {
        int end = Math.min(text.length(), LONGEST);
        double sum = 0.0;
        for (int i = 0; i < end; i++) {
            if (!Character.isWhitespace(text.charAt(i))) {
                sum += 1.0;
            }
        }
        return sum;
    }

    /** Distance to {@code first.regionMatches(ignoreCase, from, second, at, length)}. */
    static double toRegion(String first, boolean ignoreCase, int from, String second, int at, int length) {
        double sum = outside(first, from, length) + outside(second, at, length);
        if (from < 0 || at < 0) {
            return sum;
        }
        int there = Math.min(length, Math.min(first.length() - from, second.length() - at));
        int end = Math.min(there, LONGEST);
        for (int i = 0; i < end; i++) {
            char a = first.charAt(from + i);
            char b = second.charAt(at + i);
            if (a != b) {
                sum += ignoreCase ? apartIgnoringCase(a, b) : apart(a, b);
            }
        }
        return sum;
    }

    private static double outside(String text, int from, int length) {
        return from < 0 ? -(double) from : Math.max(0.0, (double) from + length - text.length());
    }

    /** How far the text is from having the part at the index, or the limit if it is farther. */
    private static double apartAt(String text, int from, String part, double limit) {
        int there = Math.min(text.length() - from, part.length());
        double sum = part.length() - there;
        int end = Math.min(there, LONGEST);
        for (int i = 0; i < end && sum < limit; i++) {
            char a = text.charAt(from + i);
            char b = part.charAt(i);
            if (a != b) {
                sum += apart(a, b);
            }
        }
        return Math.min(sum, limit);
    }
}
