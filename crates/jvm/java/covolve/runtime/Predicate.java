package covolve.runtime;

/**
 * What instrumented code calls before a predicate whose result goes straight into a conditional jump, and before that
 * jump: the distance is computed from the operands of the predicate, and taken by the jump.
 *
 * <p>The distance is tagged with the branch that it is for, and taken only once: a predicate that throws leaves it
 * behind, and one that calls code under test ({@code Objects.equals}) comes to other predicates.
 */
public final class Predicate {
    /** Branch whose predicate is next, and the distance to the outcome that it will not have. */
    private static int pendingProbe = -1;
    private static double pendingDistance;

    /** The matchers made last in a run, with their texts. */
    private static final Object[] matchers = new Object[8];
    private static final String[] matched = new String[8];
    private static int nextMatcher;
    private static String textOfNext;

    private Predicate() {}

    static void forget() {
        pendingProbe = -1;
        textOfNext = null;
        while (nextMatcher > 0) {
            matchers[--nextMatcher & 7] = null;
            matched[nextMatcher & 7] = null;
        }
    }

    /** Distance to true, 0 if true; of a true predicate any change is a step to false. */
    private static void pend(int probe, double distance) {
        pendingProbe = probe;
        pendingDistance = distance == 0.0 ? 1.0 : distance;
    }

    private static double consume(int probe) {
        if (pendingProbe != probe) {
            return 1.0;
        }
        pendingProbe = -1;
        return pendingDistance;
    }

    /** For a flag: the distance, or a negative one. */
    static double take(int probe) {
        if (pendingProbe != probe) {
            return -1.0;
        }
        pendingProbe = -1;
        return pendingDistance;
    }

    // ---- before the jump

    /** {@code ifeq}. */
    public static void ifeq(int result, int probe, int outcome) {
        if (Probe.records()) {
            double other = consume(probe);
            if (result == 0) {
                Probe.jump(probe, outcome, 0.0, other);
            } else {
                Probe.jump(probe, outcome, other, 0.0);
            }
        }
    }

    /** {@code ifne}. */
    public static void ifne(int result, int probe, int outcome) {
        if (Probe.records()) {
            double other = consume(probe);
            if (result == 0) {
                Probe.jump(probe, outcome, other, 0.0);
            } else {
                Probe.jump(probe, outcome, 0.0, other);
            }
        }
    }

    /** The jump {@code ifeq + jump} on the result of a {@code compareTo}, which is a distance of orders itself. */
    public static void order(int result, int jump, int probe, int outcome) {
        if (Probe.records()) {
            double unequal = consume(probe);
            if (jump < 2 && result != 0) {
                Probe.compared(jump, probe, outcome, unequal);
            } else {
                Probe.compared(jump, probe, outcome, result);
            }
        }
    }

    /** The jump {@code ifeq + jump} on the result of comparing numbers, whose difference tells more. */
    public static void ordered(int result, int jump, int probe, int outcome) {
        if (Probe.records()) {
            double difference = pendingProbe == probe ? pendingDistance : result;
            pendingProbe = -1;
            boolean agrees = Math.signum(difference) == Math.signum((double) result);
            Probe.compared(jump, probe, outcome, agrees ? difference : result);
        }
    }

    /** The jump {@code ifeq + jump} on an index that is compared with 0 or -1; -1 if nothing was found. */
    public static void index(int result, int constant, int jump, int probe, int outcome) {
        if (Probe.records()) {
            double other = consume(probe);
            if (result >= 0) {
                Probe.compared(jump, probe, outcome, (double) result - constant);
            } else if (result == constant ? jump == 0 || jump == 3 || jump == 5 : jump == 1 || jump == 2 || jump == 5) {
                Probe.jump(probe, outcome, 0.0, other);
            } else {
                Probe.jump(probe, outcome, other, 0.0);
            }
        }
    }

    // ---- before the predicate, with its operands

    private static void operands(int probe, Object first, Object second) {
        operand(probe << 1, first);
        operand((probe << 1) + 1, second);
    }

    private static void operand(int at, Object value) {
        if (value instanceof String) {
            Probe.operandKinds[at] = Probe.TEXT;
            Probe.texts[at] = value;
        } else if (Distance.isDouble(value)) {
            Probe.operand(at, ((Number) value).doubleValue());
        } else if (Distance.isWhole(value)) {
            Probe.operand(at, Distance.wholeOf(value));
        } else {
            Probe.operandKinds[at] = Probe.NONE;
        }
    }

    /** {@code equals} of strings, boxed values and lists, {@code Objects.equals}, and {@code compareTo} of strings. */
    public static void equalTo(Object first, Object second, int probe) {
        if (Probe.records()) {
            operands(probe, first, second);
            double distance = Distance.toEqual(first, second);
            if (distance < 0.0) {
                try {
                    distance = Contents.toSame(first, second);
                } catch (RuntimeException changing) {
                    return;
                }
            }
            pendIfTold(probe, distance);
        }
    }

    private static void pendIfTold(int probe, double distance) {
        if (distance >= 0.0) {
            pend(probe, distance);
        }
    }

    // ---- collections and arrays; other threads may change them, which is no matter of the test's

    /** {@code Collection.contains} and {@code List.indexOf} (what 0), keys (1) and values (2) of maps. */
    public static void element(Object collection, Object value, int what, int probe) {
        if (Probe.records()) {
            try {
                double distance = what == 0
                        ? Contents.toElement(collection, value)
                        : Contents.toEntry(collection, value, what == 1);
                operands(probe, value, Contents.nearest);
                Contents.nearest = null;
                pendIfTold(probe, distance);
            } catch (RuntimeException changing) {
                Contents.nearest = null;
            }
        }
    }

    /** {@code Collection.containsAll}. */
    public static void elements(Object collection, Object parts, int probe) {
        if (Probe.records()) {
            try {
                pendIfTold(probe, Contents.toAll(collection, parts));
            } catch (RuntimeException changing) {
                return;
            } finally {
                Contents.nearest = null;
            }
        }
    }

    /** {@code isEmpty} of collections and maps. */
    public static void isEmpty(Object collection, int probe) {
        if (Probe.records()) {
            pendIfTold(probe, Contents.size(collection));
        }
    }

    /** {@code Arrays.equals}. */
    public static void sameArrays(Object first, Object second, int probe) {
        if (Probe.records()) {
            pendIfTold(probe, Contents.toSameArray(first, second));
        }
    }

    // ---- characters

    /** {@code Character.isDigit} and the like, by their numbers. */
    public static void letter(int character, int kind, int probe) {
        if (Probe.records()) {
            Probe.operand(probe << 1, character);
            Probe.operandKinds[(probe << 1) + 1] = Probe.NONE;
            pend(probe, Letters.distance(character, kind));
        }
    }

    // ---- order of numbers

    private static void pendDifference(int probe, double difference) {
        if (difference == difference) {
            pendingProbe = probe;
            pendingDistance = difference;
        }
    }

    /** {@code Integer.compare} and others on whole numbers of up to 32 bits. */
    public static void compare(int first, int second, int probe) {
        if (Probe.records()) {
            Probe.operand(probe << 1, first);
            Probe.operand((probe << 1) + 1, second);
            pendDifference(probe, (double) first - second);
        }
    }

    /** {@code Long.compare}. */
    public static void compare(long first, long second, int probe) {
        if (Probe.records()) {
            Probe.operand(probe << 1, first);
            Probe.operand((probe << 1) + 1, second);
            pendDifference(probe, Distance.difference(first, second));
        }
    }

    /** {@code Float.compare}. */
    public static void compare(float first, float second, int probe) {
        compare((double) first, (double) second, probe);
    }

    /** {@code Double.compare}. */
    public static void compare(double first, double second, int probe) {
        if (Probe.records()) {
            Probe.operand(probe << 1, first);
            Probe.operand((probe << 1) + 1, second);
            pendDifference(probe, Distance.difference(first, second, Double.NaN));
        }
    }

    /** {@code compareTo} of boxed values and big numbers. */
    public static void compare(Object first, Object second, int probe) {
        if (Probe.records()) {
            operands(probe, first, second);
            pendDifference(probe, Distance.difference(first, second));
        }
    }

    // ---- regular expressions

    /** {@code String.matches}. */
    public static void matches(String text, String pattern, int probe) {
        if (Probe.records() && text != null && pattern != null) {
            regex(text, pattern, 0, Regex.WHOLE, probe);
        }
    }

    /** {@code Pattern.matches}. */
    public static void patternMatches(String pattern, CharSequence text, int probe) {
        if (Probe.records() && pattern != null && text instanceof String) {
            regex((String) text, pattern, 0, Regex.WHOLE, probe);
        }
    }

    /** {@code Pattern.matcher} comes: no matcher tells its text. */
    public static void matcher(CharSequence text) {
        if (Probe.records()) {
            textOfNext = text instanceof String ? (String) text : null;
        }
    }

    /** {@code Pattern.matcher} was called. */
    public static void matcherMade(java.util.regex.Matcher matcher) {
        if (Probe.records() && textOfNext != null) {
            matchers[nextMatcher & 7] = matcher;
            matched[nextMatcher & 7] = textOfNext;
            // Counts up to twice the size, so that both halves are forgotten.
            nextMatcher = nextMatcher == 15 ? 8 : nextMatcher + 1;
            textOfNext = null;
        }
    }

    /** {@code Matcher.matches}, {@code find} and {@code lookingAt}. */
    public static void matcherMatches(java.util.regex.Matcher matcher, int mode, int probe) {
        if (!Probe.records() || matcher == null) {
            return;
        }
        for (int i = 0; i < 8; i++) {
            if (matchers[i] == matcher) {
                String text = matched[i];
                boolean isWhole = matcher.regionStart() == 0 && matcher.regionEnd() == text.length();
                java.util.regex.Pattern pattern = matcher.pattern();
                if (isWhole) {
                    regex(text, pattern.pattern(), pattern.flags(), mode, probe);
                }
            }
        }
    }

    /** The operands are the text and another one that matches. */
    private static void regex(String text, String pattern, int flags, int mode, int probe) {
        Object known = Probe.tables[probe];
        if (!(known instanceof Regex) || !((Regex) known).is(pattern, flags)) {
            known = new Regex(pattern, flags);
            Probe.tables[probe] = known;
        }
        Regex regex = (Regex) known;
        operands(probe, text, regex.example(text));
        pendIfTold(probe, regex.distance(text, mode));
    }

    // ---- strings

    /** {@code String.equalsIgnoreCase} and {@code compareToIgnoreCase}. */
    public static void equalsIgnoreCase(String first, String second, int probe) {
        if (Probe.records()) {
            operands(probe, first, second);
            if (first == null || second == null) {
                pend(probe, Double.MAX_VALUE);
            } else {
                pend(probe, Distance.toEqualIgnoringCase(first, second));
            }
        }
    }

    /** {@code String.contentEquals}. */
    public static void contentEquals(String first, CharSequence second, int probe) {
        if (Probe.records()) {
            // Any other class may be one under test.
            boolean isPlain = second instanceof String
                    || second instanceof StringBuilder
                    || second instanceof StringBuffer;
            String text = isPlain ? second.toString() : null;
            operands(probe, first, text);
            if (first != null && text != null) {
                pend(probe, Distance.toEqual(first, text));
            }
        }
    }

    /** {@code String.startsWith}. */
    public static void startsWith(String text, String prefix, int probe) {
        startsWith(text, prefix, 0, probe);
    }

    /** {@code String.startsWith} at an index. */
    public static void startsWith(String text, String prefix, int from, int probe) {
        if (Probe.records()) {
            operands(probe, text, prefix);
            if (text != null && prefix != null) {
                pend(probe, Distance.toStart(text, prefix, from));
            }
        }
    }

    /** {@code String.endsWith}. */
    public static void endsWith(String text, String suffix, int probe) {
        if (Probe.records()) {
            operands(probe, text, suffix);
            if (text != null && suffix != null) {
                pend(probe, Distance.toEnd(text, suffix));
            }
        }
    }

    /** {@code String.contains}. */
    public static void contains(String text, CharSequence part, int probe) {
        if (Probe.records()) {
            operands(probe, text, part);
            if (text != null && part instanceof String) {
                pend(probe, Distance.toPart(text, (String) part));
            }
        }
    }

    /** {@code indexOf} of strings, from an index on. */
    public static void indexOf(CharSequence text, String part, int from, int probe) {
        if (Probe.records() && text != null && part != null) {
            boolean isPlain = text instanceof String || text instanceof StringBuilder;
            if (isPlain && text.length() <= 1 << 16) {
                String whole = text.toString();
                operands(probe, whole, part);
                pend(probe, Distance.toPart(whole.substring(Math.max(0, Math.min(from, whole.length()))), part));
            }
        }
    }

    /** {@code indexOf} of strings. */
    public static void indexOf(CharSequence text, String part, int probe) {
        indexOf(text, part, 0, probe);
    }

    /** {@code indexOf} of characters, from an index on. */
    public static void indexOf(String text, int character, int from, int probe) {
        if (Probe.records() && text != null) {
            operand(probe << 1, text);
            Probe.operand((probe << 1) + 1, character);
            pend(probe, Distance.toPart(text.substring(Math.max(0, Math.min(from, text.length()))), character));
        }
    }

    /** {@code indexOf} of characters. */
    public static void indexOf(String text, int character, int probe) {
        indexOf(text, character, 0, probe);
    }

    /** {@code String.isEmpty}. */
    public static void isEmpty(String text, int probe) {
        if (Probe.records()) {
            operands(probe, text, null);
            if (text != null) {
                pend(probe, text.length());
            }
        }
    }

    /** {@code String.isBlank}. */
    public static void isBlank(String text, int probe) {
        if (Probe.records()) {
            operands(probe, text, null);
            if (text != null) {
                pend(probe, Distance.toBlank(text));
            }
        }
    }

    /** {@code String.regionMatches}. */
    public static void regionMatches(String text, int from, String other, int at, int length, int probe) {
        regionMatches(text, false, from, other, at, length, probe);
    }

    /** {@code String.regionMatches} that may ignore case. */
    public static void regionMatches(
            String text, boolean ignoreCase, int from, String other, int at, int length, int probe) {
        if (Probe.records()) {
            operands(probe, text, other);
            if (text != null && other != null) {
                pend(probe, Distance.toRegion(text, ignoreCase, from, other, at, length));
            }
        }
    }

    /** {@code instanceof}; the class by its internal name or array descriptor. */
    public static void instanceOf(Object value, String name, int probe) {
        if (Probe.records()) {
            operands(probe, value, null);
            if (value == null) {
                pend(probe, Double.MAX_VALUE);
                return;
            }
            Object target = Probe.tables[probe];
            if (target == null) {
                target = resolve(name);
                Probe.tables[probe] = target;
            }
            pend(probe, target instanceof Class ? Distance.toInstance(value, (Class<?>) target) : 1.0);
        }
    }

    /**
     * The class, or the name if it cannot be had. The {@code instanceof} behind the probe loads the class as well,
     * since its value is not null: to do so a moment earlier changes nothing.
     */
    private static Object resolve(String name) {
        try {
            ClassLoader from = Probe.loader == null ? ClassLoader.getSystemClassLoader() : Probe.loader;
            return Class.forName(name.replace('/', '.'), false, from);
        } catch (ClassNotFoundException absent) {
            return name;
        } catch (LinkageError broken) {
            return name;
        }
    }
}
