package covolve.runtime;

/**
 * What instrumented code calls: each probe is one static method that records into preallocated arrays.
 *
 * <p>Layout of the arrays and life of a run: {@code docs/design/probes.md}. Until {@link #install} every array is
 * empty and {@link #recorder} is null, so that probes do nothing. Only JDK code is called from here, never code
 * under test; nothing here needs string concatenation, lambdas or a class that is not there from the start.
 *
 * <p>What a run counts and what it lists in {@link #touched} changes together, without a call in between: a stack
 * overflow can only strike where a method begins.
 */
public final class Probe {
    /** Kinds of operands. */
    static final byte NONE = 0, WHOLE = 1, DOUBLE = 2, TEXT = 3;

    /** Hits by probe. */
    public static int[] counts = new int[0];

    /** Smallest distance by outcome; only valid where the branch's count is above 0. */
    public static double[] distances = new double[0];

    /** Number of probes hit, then the probes in the order of their first hit. */
    public static int[] touched = new int[1];

    /** Kind of the operand at {@code 2 * probe} and {@code 2 * probe + 1}. */
    public static byte[] operandKinds = new byte[0];

    /** Operands that are whole numbers, or doubles as bits. */
    public static long[] operands = new long[0];

    /** Operands that are strings. */
    public static Object[] texts = new Object[0];

    /** Steps left. */
    public static int steps;

    /** Steps that the class initializers which a run triggers may spend, each chain of them for itself. */
    public static int initializerSteps = 10000000;

    /** Whether the run is over. Volatile, since another thread may end it. */
    public static volatile boolean stopped;

    /** Whether the run tried to end the JVM. */
    public static volatile boolean exited;

    /** The thread whose probes record; null between runs. */
    public static Thread recorder;

    /** What project code threw last. */
    public static Throwable thrown;

    /** Whether the executor has bound the native methods; in other JVMs there are none. */
    public static boolean isDriven;

    /** Class initializers that the recorder is in. */
    public static int initializing;

    /** Number of fields written, then their numbers in order; -1 when the arrays of fields were replaced. */
    public static int[] savedStatics = new int[1];

    /** Whether a field is in the log. */
    public static boolean[] isSaved = new boolean[0];

    /** Old values by field: whole numbers, {@code float} and {@code double} as bits. */
    public static long[] savedBits = new long[0];

    /** Old values by field: references. */
    public static Object[] savedReferences = new Object[0];

    /** Loader that knows the classes under test; null for the system class loader. */
    public static ClassLoader loader;

    /** Distances of the conditional jump executed last, for flags that it decides on. */
    static double taken;
    static double other;

    private static boolean installed;

    /** Steps of the run while a class initializer spends its own. */
    private static int stepsOfRun;

    /** What the test is about to call, as a number of a signature; 0 when nothing is to be told apart. */
    public static int calling;

    /** Numbers of signatures by entry probe; 0 for methods whose direct calls are not told apart. */
    public static int[] signatures = new int[0];

    /** What is added to the numbers of probes and outcomes in a method that the test itself called. */
    public static int shift;

    /** Decoded tables of switches and resolved classes of {@code instanceof}, by probe. */
    static Object[] tables = new Object[0];

    private Probe() {}

    // ---- life of a run

    /** Makes room for that many probes, outcomes of branches and static fields (those grow by themselves). */
    public static void install(int probes, int outcomes, int statics) {
        recorder = null;
        counts = new int[probes];
        distances = new double[outcomes];
        touched = new int[probes + 1];
        operandKinds = new byte[2 * probes];
        operands = new long[2 * probes];
        texts = new Object[2 * probes];
        tables = new Object[probes];
        savedStatics = new int[statics + 1];
        isSaved = new boolean[statics];
        savedBits = new long[statics];
        savedReferences = new Object[statics];
        Flag.install(probes, outcomes);
        Mutant.install(probes);
        installed = true;
    }

    /** Forgets the last run, whose static fields must be restored by now, and records for the calling thread. */
    public static void begin(int budget) {
        int[] hit = touched;
        for (int i = hit[0]; i > 0; i--) {
            counts[hit[i]] = 0;
        }
        hit[0] = 0;
        int[] saved = savedStatics;
        for (int i = saved[0]; i > 0; i--) {
            isSaved[saved[i]] = false;
            savedReferences[saved[i]] = null;
        }
        saved[0] = 0;
        steps = budget;
        initializing = 0;
        calling = 0;
        Predicate.forget();
        Flag.forget();
        thrown = null;
        exited = false;
        stopped = false;
        recorder = Thread.currentThread();
    }

    /** Ends the recording. */
    public static void end() {
        recorder = null;
    }

    /** The null check comes first: {@code Thread} may not be initialized before {@link #begin}. */
    static boolean records() {
        Thread thread = recorder;
        return thread != null && thread == Thread.currentThread();
    }

    // ---- flow

    /** A method begins. */
    public static void entry(int probe) {
        if (records()) {
            spend();
            hit(probe);
        } else {
            otherThread();
        }
    }

    /** A method that tests can call begins; gives what is to be added to the numbers of its probes. */
    public static int enter(int probe) {
        if (!records()) {
            otherThread();
            return 0;
        }
        spend();
        int called = calling;
        int add = 0;
        // An initializer that the call triggers comes before the method.
        if (called != 0 && initializing == 0) {
            calling = 0;
            if (signatures[probe] == called) {
                add = shift;
            }
        }
        hit(probe + add);
        return add;
    }

    /** Stands before a call in a test that others wrote: the number of the signature, 0 for what has none. */
    public static void calls(int signature) {
        if (records()) {
            calling = signature;
        }
    }

    /** A block is reached. */
    public static void block(int probe) {
        if (records()) {
            hit(probe);
        }
    }

    private static void hit(int probe) {
        if (counts[probe]++ == 0) {
            int[] list = touched;
            list[++list[0]] = probe;
        }
    }

    /** A loop goes back, or a method without counts begins. */
    public static void step() {
        if (records()) {
            spend();
        } else {
            otherThread();
        }
    }

    /** A handler that may have caught a {@link Stop} begins. */
    public static void handler() {
        step();
    }

    /** Stands before work of the JDK that grows with a number, of which so much is a step. */
    public static void size(int size, int unit) {
        if (size >= unit && records()) {
            // Not below what an int can hold, however often code under test catches what ends it.
            steps -= Math.min(size / unit, Math.max(steps, 0) + 1);
            if (steps < 0 || stopped) {
                over();
            }
        }
    }

    /** As {@link #size}, before an array is filled with so many rows, each of which takes room of its own as well. */
    public static void matrix(int rows, int columns, int unit) {
        if (rows > 0 && columns >= 0) {
            size((int) Math.min(rows * (columns + 8L), Integer.MAX_VALUE), unit);
        }
    }

    private static void spend() {
        if (--steps < 0 || stopped) {
            over();
        }
    }

    private static void otherThread() {
        if (stopped) {
            throw Stop.INSTANCE;
        }
    }

    /** A class initializer has its own budget and goes on after the end of the run: stopped, it would be lost. */
    private static void over() {
        if (initializing > 0 && steps >= 0) {
            return;
        }
        steps = -1;
        stopped = true;
        throw Stop.INSTANCE;
    }

    /** A class initializer begins. */
    public static void enterInitializer() {
        if (records() && initializing++ == 0) {
            stepsOfRun = steps;
            steps = initializerSteps;
            if (isDriven) {
                initializerBegins();
            }
        }
    }

    /** A class initializer returns. One that throws is never left, and the class is lost anyway. */
    public static void leaveInitializer() {
        if (records() && initializing > 0 && --initializing == 0) {
            steps = stepsOfRun;
            if (isDriven) {
                initializerEnds();
            }
        }
    }

    /** The first of a chain of initializers begins: copies what older ones left, where the test changed it. */
    private static native void initializerBegins();

    /** It ends: copies what it left. */
    private static native void initializerEnds();

    /** Stands before a call that would end the JVM. */
    public static void exit() {
        if (installed) {
            exited = true;
            stopped = true;
            throw Stop.INSTANCE;
        }
    }

    /** Stands before {@code athrow}. */
    public static void thrown(Throwable exception) {
        if (records()) {
            thrown = exception;
        }
    }

    // ---- static fields: the old value before the first write of a run

    /** {@code boolean}, {@code byte}, {@code char}, {@code short}, {@code int}. */
    public static void saveStatic(int old, int field) {
        if (saves(field)) {
            savedBits[field] = old;
        }
    }

    /** {@code long}. */
    public static void saveStatic(long old, int field) {
        if (saves(field)) {
            savedBits[field] = old;
        }
    }

    /** {@code float}. */
    public static void saveStatic(float old, int field) {
        if (saves(field)) {
            savedBits[field] = Float.floatToRawIntBits(old);
        }
    }

    /** {@code double}. */
    public static void saveStatic(double old, int field) {
        if (saves(field)) {
            savedBits[field] = Double.doubleToRawLongBits(old);
        }
    }

    /** References. */
    public static void saveStatic(Object old, int field) {
        if (saves(field)) {
            savedReferences[field] = old;
        }
    }

    /** Writes on behalf of a class initializer are not undone: it runs only once. */
    private static boolean saves(int field) {
        if (!records() || initializing > 0) {
            return false;
        }
        if (field >= isSaved.length) {
            growStatics(field);
        }
        if (isSaved[field]) {
            return false;
        }
        isSaved[field] = true;
        int[] list = savedStatics;
        list[++list[0]] = field;
        return true;
    }

    private static void growStatics(int field) {
        int length = Math.max(2 * isSaved.length, field + 1);
        int[] list = new int[length + 1];
        boolean[] saved = new boolean[length];
        long[] bits = new long[length];
        Object[] references = new Object[length];
        System.arraycopy(savedStatics, 0, list, 0, savedStatics.length);
        System.arraycopy(isSaved, 0, saved, 0, isSaved.length);
        System.arraycopy(savedBits, 0, bits, 0, savedBits.length);
        System.arraycopy(savedReferences, 0, references, 0, savedReferences.length);
        savedStatics[0] = -1;
        savedStatics = list;
        isSaved = saved;
        savedBits = bits;
        savedReferences = references;
    }

    // ---- conditional jumps: distances to "taken" (at outcome) and "not taken" (at outcome + 1)

    static void jump(int probe, int outcome, double taken, double other) {
        Probe.taken = taken;
        Probe.other = other;
        double[] all = distances;
        if (counts[probe]++ == 0) {
            int[] list = touched;
            list[++list[0]] = probe;
            all[outcome] = taken;
            all[outcome + 1] = other;
        } else {
            if (taken < all[outcome]) {
                all[outcome] = taken;
            }
            if (other < all[outcome + 1]) {
                all[outcome + 1] = other;
            }
        }
    }

    /** Taken when the difference is 0. */
    private static void equal(int probe, int outcome, double difference) {
        if (difference == 0.0) {
            jump(probe, outcome, 0.0, 1.0);
        } else {
            jump(probe, outcome, Math.abs(difference), 0.0);
        }
    }

    /** Taken when the difference is not 0. */
    private static void unequal(int probe, int outcome, double difference) {
        if (difference == 0.0) {
            jump(probe, outcome, 1.0, 0.0);
        } else {
            jump(probe, outcome, 0.0, Math.abs(difference));
        }
    }

    /** Taken when the difference is below 0. */
    private static void below(int probe, int outcome, double difference) {
        if (difference < 0.0) {
            jump(probe, outcome, 0.0, 1.0 - difference);
        } else {
            jump(probe, outcome, difference + 1.0, 0.0);
        }
    }

    /** Taken when the difference is not below 0. */
    private static void notBelow(int probe, int outcome, double difference) {
        if (difference < 0.0) {
            jump(probe, outcome, 1.0 - difference, 0.0);
        } else {
            jump(probe, outcome, 0.0, difference + 1.0);
        }
    }

    static void operand(int at, long value) {
        operandKinds[at] = WHOLE;
        operands[at] = value;
    }

    static void operand(int at, double value) {
        operandKinds[at] = DOUBLE;
        operands[at] = Double.doubleToRawLongBits(value);
    }

    private static void whole(int probe, long value) {
        operand(probe << 1, value);
    }

    private static void wholes(int probe, long first, long second) {
        operand(probe << 1, first);
        operand((probe << 1) + 1, second);
    }

    private static void doubles(int probe, double first, double second) {
        operand(probe << 1, first);
        operand((probe << 1) + 1, second);
    }

    /** {@code ifeq}. */
    public static void ifeq(int value, int probe, int outcome) {
        if (records()) {
            whole(probe, value);
            equal(probe, outcome, value);
        }
    }

    /** {@code ifne}. */
    public static void ifne(int value, int probe, int outcome) {
        if (records()) {
            whole(probe, value);
            unequal(probe, outcome, value);
        }
    }

    /** {@code iflt}. */
    public static void iflt(int value, int probe, int outcome) {
        if (records()) {
            whole(probe, value);
            below(probe, outcome, value);
        }
    }

    /** {@code ifge}. */
    public static void ifge(int value, int probe, int outcome) {
        if (records()) {
            whole(probe, value);
            notBelow(probe, outcome, value);
        }
    }

    /** {@code ifgt}. */
    public static void ifgt(int value, int probe, int outcome) {
        if (records()) {
            whole(probe, value);
            below(probe, outcome, -(double) value);
        }
    }

    /** {@code ifle}. */
    public static void ifle(int value, int probe, int outcome) {
        if (records()) {
            whole(probe, value);
            notBelow(probe, outcome, -(double) value);
        }
    }

    /** {@code if_icmpeq}. */
    public static void ificmpeq(int first, int second, int probe, int outcome) {
        if (records()) {
            wholes(probe, first, second);
            equal(probe, outcome, (double) first - second);
        }
    }

    /** {@code if_icmpne}. */
    public static void ificmpne(int first, int second, int probe, int outcome) {
        if (records()) {
            wholes(probe, first, second);
            unequal(probe, outcome, (double) first - second);
        }
    }

    /** {@code if_icmplt}. */
    public static void ificmplt(int first, int second, int probe, int outcome) {
        if (records()) {
            wholes(probe, first, second);
            below(probe, outcome, (double) first - second);
        }
    }

    /** {@code if_icmpge}. */
    public static void ificmpge(int first, int second, int probe, int outcome) {
        if (records()) {
            wholes(probe, first, second);
            notBelow(probe, outcome, (double) first - second);
        }
    }

    /** {@code if_icmpgt}. */
    public static void ificmpgt(int first, int second, int probe, int outcome) {
        if (records()) {
            wholes(probe, first, second);
            below(probe, outcome, (double) second - first);
        }
    }

    /** {@code if_icmple}. */
    public static void ificmple(int first, int second, int probe, int outcome) {
        if (records()) {
            wholes(probe, first, second);
            notBelow(probe, outcome, (double) second - first);
        }
    }

    /** {@code if_acmpeq}. */
    public static void ifacmpeq(Object first, Object second, int probe, int outcome) {
        if (records()) {
            equal(probe, outcome, first == second ? 0.0 : 1.0);
        }
    }

    /** {@code if_acmpne}. */
    public static void ifacmpne(Object first, Object second, int probe, int outcome) {
        if (records()) {
            unequal(probe, outcome, first == second ? 0.0 : 1.0);
        }
    }

    /** {@code ifnull}. */
    public static void ifnull(Object value, int probe, int outcome) {
        if (records()) {
            equal(probe, outcome, value == null ? 0.0 : 1.0);
        }
    }

    /** {@code ifnonnull}. */
    public static void ifnonnull(Object value, int probe, int outcome) {
        if (records()) {
            unequal(probe, outcome, value == null ? 0.0 : 1.0);
        }
    }

    // ---- long, float, double: these stand for the compare instruction before a jump and have its result

    /** {@code lcmp}, followed by the jump {@code ifeq + jump}. */
    public static int lcmp(long first, long second, int jump, int probe, int outcome) {
        if (records()) {
            wholes(probe, first, second);
            compared(jump, probe, outcome, Distance.difference(first, second));
        }
        return first < second ? -1 : first == second ? 0 : 1;
    }

    /** {@code fcmpl}, followed by the jump {@code ifeq + jump}. */
    public static int fcmpl(float first, float second, int jump, int probe, int outcome) {
        return dcmpl(first, second, jump, probe, outcome);
    }

    /** {@code fcmpg}, followed by the jump {@code ifeq + jump}. */
    public static int fcmpg(float first, float second, int jump, int probe, int outcome) {
        return dcmpg(first, second, jump, probe, outcome);
    }

    /** {@code dcmpl}, followed by the jump {@code ifeq + jump}: NaN is less. */
    public static int dcmpl(double first, double second, int jump, int probe, int outcome) {
        if (records()) {
            doubles(probe, first, second);
            compared(jump, probe, outcome, Distance.difference(first, second, -Double.MAX_VALUE));
        }
        return first > second ? 1 : first == second ? 0 : -1;
    }

    /** {@code dcmpg}, followed by the jump {@code ifeq + jump}: NaN is greater. */
    public static int dcmpg(double first, double second, int jump, int probe, int outcome) {
        if (records()) {
            doubles(probe, first, second);
            compared(jump, probe, outcome, Distance.difference(first, second, Double.MAX_VALUE));
        }
        return first < second ? -1 : first == second ? 0 : 1;
    }

    /** The jump as its opcode minus that of {@code ifeq}; adding 1 to the largest double leaves it as it is. */
    static void compared(int jump, int probe, int outcome, double difference) {
        switch (jump) {
            case 0:
                equal(probe, outcome, difference);
                break;
            case 1:
                unequal(probe, outcome, difference);
                break;
            case 2:
                below(probe, outcome, difference);
                break;
            case 3:
                notBelow(probe, outcome, difference);
                break;
            case 4:
                below(probe, outcome, -difference);
                break;
            default:
                notBelow(probe, outcome, -difference);
        }
    }

    // ---- switches: distances to each outcome, the default last

    /** A switch; the table as {@link Switch#Switch(String)} reads it. */
    public static void select(int value, int probe, int outcome, String table) {
        if (records()) {
            whole(probe, value);
            Switch known = (Switch) tables[probe];
            if (known == null) {
                known = new Switch(table);
                tables[probe] = known;
            }
            int run = known.runOf(value);
            boolean first = begins(probe, outcome, known.outcomes);
            if (first || !known.isOnlyKey(run) || distances[outcome + known.outcomeOf(run)] != 0.0) {
                known.nearestKeys(value, run, distances, outcome);
            }
        }
    }

    /** The string whose hash code, or whose number among the cases, is what a switch is about. */
    public static void text(String text, int probe) {
        if (records()) {
            operandKinds[probe << 1] = TEXT;
            texts[probe << 1] = text;
        }
    }

    /**
     * A switch on what was made of the string that {@link #text} got for the probe {@code source}; the constants
     * as {@link Switch#Switch(String, String)} reads them.
     */
    public static void select(int value, int probe, int outcome, String table, String cases, int source) {
        if (records()) {
            String text = (String) texts[source << 1];
            text(text, probe);
            Switch known = (Switch) tables[probe];
            if (known == null) {
                known = new Switch(table, cases);
                tables[probe] = known;
            }
            int taken = known.outcomeOf(known.runOf(value));
            begins(probe, outcome, known.outcomes);
            known.nearestStrings(text, taken, distances, outcome);
        }
    }

    /** Counts; whether this is the first time in a run, in which case the distances are the largest now. */
    private static boolean begins(int probe, int outcome, int outcomes) {
        double[] all = distances;
        if (counts[probe]++ != 0) {
            return false;
        }
        int[] list = touched;
        list[++list[0]] = probe;
        for (int i = 0; i < outcomes; i++) {
            all[outcome + i] = Double.MAX_VALUE;
        }
        return true;
    }
}
