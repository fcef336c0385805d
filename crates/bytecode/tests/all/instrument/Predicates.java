import java.math.BigInteger;
import java.util.*;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Predicates of every kind with each outcome, exceptions included. */
class Predicates {
    /** A list of its own that tells who asks. */
    static class Loud extends ArrayList<Object> {
        @Override public boolean contains(Object value) { System.out.println("contains"); return super.contains(value); }
        @Override public boolean isEmpty() { System.out.println("isEmpty"); return super.isEmpty(); }
        @Override public int size() { System.out.println("size"); return super.size(); }
        @Override public Iterator<Object> iterator() { System.out.println("iterator"); return super.iterator(); }
    }

    /** An element that tells who asks. */
    static class LoudElement {
        @Override public boolean equals(Object other) { System.out.println("equals"); return other == this; }
        @Override public int hashCode() { System.out.println("hashCode"); return 7; }
        @Override public String toString() { System.out.println("toString"); return "loud"; }
    }

    public static void main(String[] arguments) {
        Object[] values = {null, "red", "", 5, 7L, 2.5, 'c', new LoudElement(), Arrays.asList("red", 5)};
        Collection<?>[] collections = {null, new ArrayList<>(Arrays.asList(values)), new LinkedHashSet<>(Arrays.asList("blue", 5)),
            Collections.unmodifiableList(new Loud()), new Loud(), new ArrayDeque<Object>(), Collections.emptyList(), new TreeSet<>(Arrays.asList("a", "b"))};
        for (Collection<?> collection : collections) for (Object value : values) attempt(() -> collection(collection, value));
        for (Object value : values) attempt(() -> map(new HashMap<>(Collections.singletonMap("red", value)), value));
        for (Object value : values) for (Object other : values) attempt(() -> objects(value, other));
        String[] texts = {null, "", "red", "a1", "2024-01-15", "(", "x\ny"};
        String[] patterns = {null, "", "r.d", "[a-z]\\d+", "\\d{4}(-\\d\\d){2}", "(", "(?<n>a|b)\\k<n>", "(?m)^y$", "((((a*)*)*)*)*", "[a&&b]", "a{99999}"};
        for (String text : texts) for (String pattern : patterns) attempt(() -> regex(text, pattern));
        for (char letter : new char[] {'a', 'Z', '0', ' ', '_', '\0', '\u00e9', '\u4e2d', '\uffff'}) attempt(() -> letter(letter));
        for (long first : new long[] {0, 5, Long.MIN_VALUE, Long.MAX_VALUE}) for (long second : new long[] {5, -1, Long.MAX_VALUE}) attempt(() -> numbers(first, second));
        for (double first : new double[] {0.0, -0.0, Double.NaN, 1.5}) attempt(() -> doubles(first, 0.0));
        for (String text : texts) for (String part : texts) attempt(() -> indices(text, part));
        int[][] arrays = {null, {}, {1}, {1, 2}};
        for (int[] first : arrays) for (int[] second : arrays) attempt(() -> Arrays.equals(first, second) ? "same" : "other");
    }

    interface Attempt { String run(); }

    static void attempt(Attempt attempt) {
        try {
            System.out.println(attempt.run());
        } catch (RuntimeException thrown) {
            System.out.println(thrown.getClass());
        }
    }

    static String collection(Collection<?> collection, Object value) {
        String result = collection.contains(value) ? "has " : "has not ";
        if (collection.isEmpty()) result += "empty ";
        if (!collection.containsAll(Arrays.asList(value, "red"))) result += "not all ";
        if (collection instanceof List && ((List<?>) collection).indexOf(value) != -1) result += "place ";
        return result;
    }

    static String map(Map<String, Object> map, Object value) {
        String result = map.containsValue(value) ? "value " : "no value ";
        if (map.containsKey("red")) result += "key ";
        if (map.containsKey("blue")) result += "other key ";
        map.clear();
        return map.isEmpty() ? result : result + "not empty";
    }

    static String objects(Object first, Object second) {
        String result = Objects.equals(first, second) ? "equal " : "different ";
        if (first.equals(second)) result += "again";
        return result;
    }

    static String regex(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        String result = text.matches(pattern) ? "matches " : "does not match ";
        if (Pattern.matches(pattern, text)) result += "again ";
        if (matcher.matches()) result += matcher.group() + " ";
        matcher.reset();
        while (matcher.find()) result += matcher.start() + " ";
        if (matcher.lookingAt()) result += matcher.end();
        StringBuilder other = new StringBuilder(text);
        if (Pattern.compile(pattern, Pattern.CASE_INSENSITIVE).matcher(other).find()) result += " builder";
        return result;
    }

    static String letter(char letter) {
        String result = Character.isDigit(letter) ? "digit " : "";
        if (Character.isLetter(letter)) result += "letter ";
        if (Character.isLetterOrDigit((int) letter)) result += "letter or digit ";
        if (Character.isUpperCase(letter)) result += "upper ";
        if (!Character.isLowerCase(letter)) result += "not lower ";
        if (Character.isWhitespace(letter)) result += "white ";
        if (Character.isJavaIdentifierStart(letter)) result += "identifier ";
        if (Character.isISOControl(letter)) result += "control ";
        return result;
    }

    static String numbers(long first, long second) {
        String result = Long.compare(first, second) < 0 ? "less " : "not less ";
        if (Integer.compare((int) first, (int) second) == 0) result += "equal ints ";
        if (Long.valueOf(first).compareTo(second) > 0) result += "greater ";
        if (BigInteger.valueOf(first).compareTo(BigInteger.valueOf(second)) != 0) result += "unequal ";
        if (Short.compare((short) first, (short) second) >= 0) result += "short ";
        return result;
    }

    static String doubles(double first, double second) {
        String result = Double.compare(first, second) < 0 ? "less " : "not less ";
        if (Float.compare((float) first, (float) second) == 0) result += "equal floats ";
        if (Double.valueOf(first).compareTo(second) <= 0) result += "at most ";
        return result;
    }

    static String indices(String text, String part) {
        String result = text.indexOf(part) >= 0 ? "found " : "not found ";
        if (text.indexOf(part) == -1) result += "missing ";
        if (text.lastIndexOf(part) > -1) result += "last ";
        if (text.indexOf('d') != -1) result += "d ";
        if (text.indexOf(part, 1) <= 0) result += "not later ";
        if (text.indexOf('1', -5) < 0) result += "no 1 ";
        if (new StringBuilder(text).indexOf(part) == 0) result += "starts ";
        return result;
    }
}
