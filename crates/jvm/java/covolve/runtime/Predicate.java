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

    private Predicate() {}

    static void forget() {
        pendingProbe = -1;
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

    /** {@code equals} of strings and boxed values, {@code Objects.equals}, and {@code compareTo} of strings. */
    public static void equalTo(Object first, Object second, int probe) {
        if (Probe.records()) {
            operands(probe, first, second);
            double distance = Distance.toEqual(first, second);
            if (distance >= 0.0) {
                pend(probe, distance);
            }
        }
    }

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
