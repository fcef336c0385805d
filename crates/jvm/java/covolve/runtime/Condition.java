package covolve.runtime;

/**
 * Conditions on a difference: numbers 0 to 7 are ==, !=, &lt;, &gt;=, &gt;, &lt;=, true, false. Sets of three bits say for
 * which differences one holds: below 0, of 0, above 0.
 */
final class Condition {
    private static final int BELOW = 1, EQUAL = 2, ABOVE = 4;

    /** The sets by number, from the lowest bits on. */
    private static final int HOLDS = 2 | 5 << 3 | 1 << 6 | 6 << 9 | 4 << 12 | 3 << 15 | 7 << 18;

    /**
     * Number of the lowest bit, and of all bits, of what has eight: the compiler that runs here makes calls of the JDK's
     * methods.
     */
    private static final byte[] FIRST = new byte[256], COUNT = new byte[256];

    static {
        for (int bits = 1; bits < 256; bits++) {
            FIRST[bits] = (byte) Integer.numberOfTrailingZeros(bits);
            COUNT[bits] = (byte) Integer.bitCount(bits);
        }
    }

    private Condition() {}

    /** The set of differences for which a condition holds. */
    static int holds(int condition) {
        return HOLDS >> 3 * condition & 7;
    }

    /** The set that a comparison with this result is in. */
    static int sign(int result) {
        return result < 0 ? BELOW : result == 0 ? EQUAL : ABOVE;
    }

    /** The lowest of a set of conditions that is not empty. */
    static int first(int conditions) {
        return FIRST[conditions & 255];
    }

    /** How many conditions a set has. */
    static int count(int conditions) {
        return COUNT[conditions & 255];
    }

    /** How near a difference is to those of a set; {@code Double.MAX_VALUE} for NaN and for the empty set. */
    static double distance(int set, double difference) {
        if (difference != difference) {
            return Double.MAX_VALUE;
        }
        double distance;
        switch (set) {
            case BELOW:
                distance = difference < 0.0 ? 0.0 : difference + 1.0;
                break;
            case EQUAL:
                distance = difference < 0.0 ? -difference : difference;
                break;
            case BELOW | EQUAL:
                distance = difference <= 0.0 ? 0.0 : difference;
                break;
            case ABOVE:
                distance = difference > 0.0 ? 0.0 : 1.0 - difference;
                break;
            case BELOW | ABOVE:
                distance = difference == 0.0 ? 1.0 : 0.0;
                break;
            case EQUAL | ABOVE:
                distance = difference >= 0.0 ? 0.0 : -difference;
                break;
            case BELOW | EQUAL | ABOVE:
                distance = 0.0;
                break;
            default:
                return Double.MAX_VALUE;
        }
        return distance < Double.MAX_VALUE ? distance : Double.MAX_VALUE;
    }

    /** A number that stands in the condition to 0, or does not. */
    static int deciding(int condition, boolean holds) {
        int wanted = holds ? holds(condition) : 7 ^ holds(condition);
        return (wanted & EQUAL) != 0 ? 0 : (wanted & BELOW) != 0 ? -1 : 1;
    }
}
