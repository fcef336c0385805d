package covolve.runtime;

/**
 * What a switch decides, decoded from the constants that its probe passes: keys and strings with their outcomes.
 */
final class Switch {
    /** Number of outcomes, the default last. */
    final int outcomes;

    /** Ascending runs of keys with one outcome: first key, last key, outcome, 1 if no other key has it. */
    private final int[] runs;

    /** By run: first and last key of the keys without a gap around it. */
    private final int[] islands;

    /** Of a switch on strings: the strings, and the outcome that each leads to. */
    private String[] strings;
    private int[] leadsTo;

    /**
     * The table is a list of numbers: number of outcomes, number of runs; then by run of keys: keys left out since
     * the run before (the first time since -2^31), keys less one, outcome. Each number is written in characters
     * of 15 bits, the lowest first, with the highest bit set where another one follows.
     */
    Switch(String table) {
        int[] at = new int[1];
        outcomes = (int) number(table, at);
        runs = new int[4 * (int) number(table, at)];
        int[] keys = new int[outcomes];
        long next = Integer.MIN_VALUE;
        for (int i = 0; i < runs.length; i += 4) {
            long low = next + number(table, at);
            long high = low + number(table, at);
            runs[i] = (int) low;
            runs[i + 1] = (int) high;
            runs[i + 2] = (int) number(table, at);
            keys[runs[i + 2]] += low == high ? 1 : 2;
            next = high + 1;
        }
        for (int i = 0; i < runs.length; i += 4) {
            runs[i + 3] = keys[runs[i + 2]] == 1 ? 1 : 0;
        }
        islands = islands(runs);
    }

    /** With {@code cases}: the number of strings; then by string its outcome, its length, and its characters. */
    Switch(String table, String cases) {
        this(table);
        int[] at = new int[1];
        int count = (int) number(cases, at);
        strings = new String[count];
        leadsTo = new int[count];
        for (int i = 0; i < count; i++) {
            leadsTo[i] = (int) number(cases, at);
            int length = (int) number(cases, at);
            strings[i] = cases.substring(at[0], at[0] + length);
            at[0] += length;
        }
    }

    private static int[] islands(int[] runs) {
        int count = runs.length >> 2;
        int[] islands = new int[2 * count];
        for (int i = 0; i < count; i++) {
            boolean joins = i > 0 && runs[4 * i - 3] + 1 == runs[4 * i];
            islands[2 * i] = joins ? islands[2 * i - 2] : runs[4 * i];
        }
        for (int i = count - 1; i >= 0; i--) {
            boolean joins = i < count - 1 && runs[4 * i + 1] + 1 == runs[4 * i + 4];
            islands[2 * i + 1] = joins ? islands[2 * i + 3] : runs[4 * i + 1];
        }
        return islands;
    }

    /** Reads a number. */
    static long number(String text, int[] at) {
        long number = 0;
        int shift = 0;
        char next;
        do {
            next = text.charAt(at[0]++);
            number |= (long) (next & 0x7FFF) << shift;
            shift += 15;
        } while (next >= 0x8000);
        return number;
    }

    /** Index of the run that holds the value; negative if none does. */
    int runOf(int value) {
        int low = 0;
        int high = (runs.length >> 2) - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int at = middle << 2;
            if (value < runs[at]) {
                high = middle - 1;
            } else if (value > runs[at + 1]) {
                low = middle + 1;
            } else {
                return at;
            }
        }
        return -1;
    }

    /** Outcome of a run of {@link #runOf}. */
    int outcomeOf(int run) {
        return run < 0 ? outcomes - 1 : runs[run + 2];
    }

    /** Whether the outcome of the run has no other key: once taken, it was taken with this very value. */
    boolean isOnlyKey(int run) {
        return run >= 0 && runs[run + 3] != 0;
    }

    /** Lowers the distances from {@code first} on to those of the value, which is in that run. */
    void nearestKeys(int value, int run, double[] distances, int first) {
        for (int i = 0; i < runs.length; i += 4) {
            double distance = 0.0;
            if (value < runs[i]) {
                distance = (double) runs[i] - value;
            } else if (value > runs[i + 1]) {
                distance = (double) value - runs[i + 1];
            }
            int at = first + runs[i + 2];
            if (distance < distances[at]) {
                distances[at] = distance;
            }
        }
        double toDefault = run < 0 ? 0.0 : toGap(value, islands[run >> 1], islands[(run >> 1) + 1]);
        int last = first + outcomes - 1;
        if (toDefault < distances[last]) {
            distances[last] = toDefault;
        }
    }

    /** Distance to the nearest number that is no key, from within keys without a gap. */
    private static double toGap(int value, int low, int high) {
        double down = low == Integer.MIN_VALUE ? Double.MAX_VALUE : (double) value - low + 1.0;
        double up = high == Integer.MAX_VALUE ? Double.MAX_VALUE : (double) high - value + 1.0;
        return down < up ? down : up;
    }

    /** Lowers the distances from {@code first} on to those of the string, which led to the outcome taken. */
    void nearestStrings(String text, int taken, double[] distances, int first) {
        for (int i = 0; i < strings.length; i++) {
            int at = first + leadsTo[i];
            if (leadsTo[i] != taken && distances[at] != 0.0) {
                double distance = Distance.positive(Distance.toEqual(text, strings[i]));
                if (distance < distances[at]) {
                    distances[at] = distance;
                }
            }
        }
        int last = first + outcomes - 1;
        if (distances[last] > 1.0) {
            distances[last] = 1.0;
        }
        distances[first + taken] = 0.0;
    }
}
