package covolve.runtime;

import java.util.Optional;

/**
 * What instrumented code calls around flags: values that are decided at one place and asked at another.
 *
 * <p>A jump that asks for a flag takes as distance to its other outcome that to the code which would have decided
 * otherwise: the branches before it have left their distances of this call of the method. Where the method calls
 * itself in between, those of the inner call stand in their place, which may mislead but never counts as taken.
 * Calls leave the distance of what they return under the name of the method, taken only by who has just called it.
 */
public final class Flag {
    /** By outcome: the smallest distance since the method began; valid by {@link #decidedAt}. */
    private static double[] nearest = new double[0];

    /** By probe: when the branch was last executed, the method begun, and the distance of a call kept. */
    private static long[] decidedAt = new long[0];
    private static long[] enteredAt = new long[0];
    private static long[] keptAt = new long[0];

    /** By probe: the distance of a call to its other value, and its value. */
    private static double[] kept = new double[0];
    private static boolean[] keptValue = new boolean[0];

    /** By probe: decoded tables. */
    private static Object[] tables = new Object[0];

    /** Counts methods begun; only compared. */
    private static long clock;

    /** What was returned last: the name of the method, the value and the distance. */
    private static boolean isReturned;
    private static int returnedTag;
    private static boolean returnedValue;
    private static double returnedDistance;

    private Flag() {}

    static void install(int probes, int outcomes) {
        nearest = new double[outcomes];
        decidedAt = new long[probes];
        enteredAt = new long[probes];
        keptAt = new long[probes];
        kept = new double[probes];
        keptValue = new boolean[probes];
        tables = new Object[probes];
    }

    /** A run begins: nothing that was left before it is taken, as every method begins anew. */
    static void forget() {
        isReturned = false;
    }

    // ---- what decides

    /** A method with flags begins. */
    public static void enter(int entry) {
        if (Probe.records()) {
            enteredAt[entry] = ++clock;
        }
    }

    /** Behind the probe of a conditional jump that decides on flags. */
    public static void decided(int probe, int outcome, int entry) {
        if (Probe.records()) {
            double[] all = nearest;
            if (decidedAt[probe] < enteredAt[entry]) {
                all[outcome] = Probe.taken;
                all[outcome + 1] = Probe.other;
            } else {
                all[outcome] = Math.min(all[outcome], Probe.taken);
                all[outcome + 1] = Math.min(all[outcome + 1], Probe.other);
            }
            decidedAt[probe] = clock;
        }
    }

    /** Before a call whose result becomes a flag. */
    public static void call() {
        if (Probe.records()) {
            isReturned = false;
        }
    }

    /** Behind it, for booleans. */
    public static void keep(boolean value, int probe, int tag) {
        if (Probe.records()) {
            double distance = Predicate.take(probe);
            if (distance < 0.0 && isReturned && returnedTag == tag && returnedValue == value) {
                distance = returnedDistance;
            } else if (distance >= 0.0) {
                distance = normal(distance);
            }
            isReturned = false;
            kept[probe] = distance;
            keptValue[probe] = value;
            keptAt[probe] = clock;
        }
    }

    /** Behind it, for references. */
    public static void keep(Object value, int probe, int tag) {
        keep(isThere(value), probe, tag);
    }

    // ---- what asks

    /** {@code ifeq}. */
    public static void ifeq(int value, int probe, int outcome, int entry, String table) {
        if (Probe.records()) {
            Probe.operandKinds[probe << 1] = Probe.NONE;
            asked(value == 0, value != 0, probe, outcome, entry, table);
        }
    }

    /** {@code ifne}. */
    public static void ifne(int value, int probe, int outcome, int entry, String table) {
        if (Probe.records()) {
            Probe.operandKinds[probe << 1] = Probe.NONE;
            asked(value != 0, value != 0, probe, outcome, entry, table);
        }
    }

    /** {@code ifnull}. */
    public static void ifnull(Object value, int probe, int outcome, int entry, String table) {
        if (Probe.records()) {
            asked(value == null, isThere(value), probe, outcome, entry, table);
        }
    }

    /** {@code ifnonnull}. */
    public static void ifnonnull(Object value, int probe, int outcome, int entry, String table) {
        if (Probe.records()) {
            asked(value != null, isThere(value), probe, outcome, entry, table);
        }
    }

    private static void asked(boolean taken, boolean value, int probe, int outcome, int entry, String table) {
        double distance = distance(value, probe, outcome, entry, table);
        double other = distance > 0.0 ? distance : 1.0;
        if (taken) {
            Probe.jump(probe, outcome, 0.0, other);
        } else {
            Probe.jump(probe, outcome, other, 0.0);
        }
    }

    /** Before a boolean is returned. */
    public static void returned(boolean value, int entry, int outcome, int tag, String table) {
        if (Probe.records()) {
            double distance = distance(value, entry, outcome, entry, table);
            isReturned = distance > 0.0;
            returnedTag = tag;
            returnedValue = value;
            returnedDistance = distance;
        }
    }

    /** Before a reference is returned. */
    public static void returned(Object value, int entry, int outcome, int tag, String table) {
        returned(isThere(value), entry, outcome, tag, table);
    }

    /** Not null, and no empty {@code Optional}; that class is final. */
    private static boolean isThere(Object value) {
        return value instanceof Optional ? ((Optional<?>) value).isPresent() : value != null;
    }

    // ---- distances

    /** Distance to the other value, above 0; negative when it cannot be told. */
    private static double distance(boolean value, int probe, int outcome, int entry, String table) {
        int[] known = (int[]) tables[probe];
        if (known == null) {
            known = decode(table);
            tables[probe] = known;
        }
        boolean flag = value != (known[0] == 1);
        long entered = enteredAt[entry];
        double least = Double.MAX_VALUE;
        int at = 2;
        for (int end = at + known[1]; at < end; at++) {
            int call = probe + known[at];
            if (keptAt[call] >= entered && keptValue[call] == flag && kept[call] > 0.0) {
                least = Math.min(least, kept[call]);
            }
        }
        for (; at < known.length; at += 4) {
            int branch = probe + known[at + 2];
            if ((known[at] == 1) != flag && decidedAt[branch] >= entered) {
                double distance = known[at + 1] + normal(nearest[outcome + known[at + 3]]);
                if (distance > 0.0) {
                    least = Math.min(least, distance);
                }
            }
        }
        return least == Double.MAX_VALUE ? -1.0 : least;
    }

    /** Below 1, and in the order of the distances; steeper far out than the usual, for large numbers. */
    private static double normal(double distance) {
        double small = Math.log1p(distance);
        return small / (small + 1.0);
    }

    /**
     * Whether it is negated (1); the number of calls, their probes; by branch the value that it leads to, its level,
     * its probe and its outcome. Probes and outcomes are less those of the asker; numbers that may be negative are
     * doubled, and odd if they are.
     */
    private static int[] decode(String table) {
        int[] at = new int[1];
        int[] numbers = new int[table.length()];
        int count = 0;
        while (at[0] < table.length()) {
            int number = (int) Switch.number(table, at);
            numbers[count++] = (number >>> 1) ^ -(number & 1);
        }
        return java.util.Arrays.copyOf(numbers, count);
    }
}
