package covolve.runtime;

/**
 * What instrumented code calls while runs are recorded: each event of a run takes the next place in preallocated arrays.
 *
 * <p>Which instruction logs what: {@code docs/design/recordings.md}; the arrays: {@code docs/design/probes.md}. An event is
 * written without a call in between, and counted last: a stack overflow can only strike where a method begins.
 */
public final class Record {
    /** Kinds of events. */
    static final byte ENTERED = 0, LEFT = 1, RETURNED = 2, READ = 3, MADE = 4, CAUGHT = 5, DECIDED = 6;

    /** Kinds of values, added to the kind of an event that has one. */
    static final byte INT = 1 << 3, LONG = 2 << 3, FLOAT = 3 << 3, DOUBLE = 4 << 3, REFERENCE = 5 << 3;

    /** Kinds of the events, with those of their values. */
    public static byte[] kinds = new byte[0];

    /** Numbers of the events: methods, what is decided on, values of primitive types (floats as bits). */
    public static long[] values = new long[0];

    /** Objects of the events. */
    public static Object[] references = new Object[0];

    /** Activations that logged the events, each by the place of the event with which it began. */
    public static int[] activations = new int[0];

    /** Number of events. */
    public static int count;

    /** Whether there was no room for an event. */
    public static boolean full;

    /** Whether the run is recorded. */
    public static boolean on;

    /** Two objects in turn: shows how references lie in an array. */
    public static final Object[] PATTERN = new Object[4];

    static {
        PATTERN[0] = PATTERN[2] = "a";
        PATTERN[1] = PATTERN[3] = PATTERN;
    }

    private Record() {}

    /** From now on events are logged, at most so many. */
    public static void begin(int most) {
        if (kinds.length != most) {
            kinds = new byte[most];
            values = new long[most];
            references = new Object[most];
            activations = new int[most];
        }
        count = 0;
        full = false;
        on = true;
    }

    /** Lets go of the objects of the last run. */
    public static void forget() {
        Object[] held = references;
        for (int i = count - 1; i >= 0; i--) {
            held[i] = null;
        }
        count = 0;
    }

    /** Whether an event of this thread is to be logged. */
    private static boolean isOn() {
        return on && Thread.currentThread() == Probe.recorder;
    }

    private static void log(int kind, long value, int activation) {
        int at = count;
        if (at < kinds.length) {
            kinds[at] = (byte) kind;
            values[at] = value;
            activations[at] = activation;
            count = at + 1;
        } else {
            full = true;
        }
    }

    private static void log(int kind, long value, Object reference, int activation) {
        int at = count;
        if (at < kinds.length) {
            kinds[at] = (byte) kind;
            values[at] = value;
            activations[at] = activation;
            references[at] = reference;
            count = at + 1;
        } else {
            full = true;
        }
    }

    /** The method with this number begins; gives the activation that all its other events name. */
    public static int entered(int method) {
        int activation = count;
        if (isOn()) {
            log(ENTERED, method, activation);
        }
        return activation;
    }

    /** A method is about to return. */
    public static void left(int activation) {
        if (isOn()) {
            log(LEFT, 0, activation);
        }
    }

    /** A call returned nothing. */
    public static void returned(int activation) {
        if (isOn()) {
            log(RETURNED, 0, activation);
        }
    }

    /** A call returned an {@code int}, or what the JVM takes for one. */
    public static void returned(int value, int activation) {
        if (isOn()) {
            log(RETURNED | INT, value, activation);
        }
    }

    /** A call returned a {@code long}. */
    public static void returned(long value, int activation) {
        if (isOn()) {
            log(RETURNED | LONG, value, activation);
        }
    }

    /** A call returned a {@code float}. */
    public static void returned(float value, int activation) {
        if (isOn()) {
            log(RETURNED | FLOAT, Float.floatToRawIntBits(value), activation);
        }
    }

    /** A call returned a {@code double}. */
    public static void returned(double value, int activation) {
        if (isOn()) {
            log(RETURNED | DOUBLE, Double.doubleToRawLongBits(value), activation);
        }
    }

    /** A call returned a reference. */
    public static void returned(Object value, int activation) {
        if (isOn()) {
            log(RETURNED | REFERENCE, 0, value, activation);
        }
    }

    /** An {@code int} was read, or what the JVM takes for one. */
    public static void read(int value, int activation) {
        if (isOn()) {
            log(READ | INT, value, activation);
        }
    }

    /** A {@code long} was read. */
    public static void read(long value, int activation) {
        if (isOn()) {
            log(READ | LONG, value, activation);
        }
    }

    /** A {@code float} was read. */
    public static void read(float value, int activation) {
        if (isOn()) {
            log(READ | FLOAT, Float.floatToRawIntBits(value), activation);
        }
    }

    /** A {@code double} was read. */
    public static void read(double value, int activation) {
        if (isOn()) {
            log(READ | DOUBLE, Double.doubleToRawLongBits(value), activation);
        }
    }

    /** A reference was read. */
    public static void read(Object value, int activation) {
        if (isOn()) {
            log(READ | REFERENCE, 0, value, activation);
        }
    }

    /** An array was made, or the constructor of an object has ended. */
    public static void made(Object made, int activation) {
        if (isOn()) {
            log(MADE | REFERENCE, 0, made, activation);
        }
    }

    /** An exception came to a handler of a method: its first instruction. */
    public static void caught(Object exception, int method, int handler, int activation) {
        if (isOn()) {
            log(CAUGHT | REFERENCE, (long) method << 32 | handler, exception, activation);
        }
    }

    /** A jump or a switch decides on an {@code int}. */
    public static void decided(int operand, int activation) {
        if (isOn()) {
            log(DECIDED, operand, activation);
        }
    }

    /** A jump decides on two of them. */
    public static void decided(int one, int other, int activation) {
        if (isOn()) {
            log(DECIDED, (long) one << 32 | other & 0xffffffffL, activation);
        }
    }

    /** A jump decides on whether a reference is null. */
    public static void decided(Object operand, int activation) {
        if (isOn()) {
            log(DECIDED, operand == null ? 1 : 0, activation);
        }
    }

    /** A jump decides on whether two references are the same. */
    public static void decided(Object one, Object other, int activation) {
        if (isOn()) {
            log(DECIDED, one == other ? 1 : 0, activation);
        }
    }
}
