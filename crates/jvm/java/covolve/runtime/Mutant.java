package covolve.runtime;

import java.util.Arrays;

/**
 * What instrumented code calls where mutants are: each call has the operands of one instruction, records how far every
 * mutant of it is from being infected, and gives what the instruction gives, or what it gives in the mutant that is
 * selected.
 *
 * <p>Parameters of all: {@code probe} is the probe of the point, {@code outcome} the outcome of its first mutant, and
 * the low 16 bits of {@code shape} tell its mutants: bit n is there for replacement number n, and outcomes follow each
 * other in the order of the bits. See {@code docs/design/mutants.md}.
 *
 * <p>Distances are recorded as those of branches are ({@code docs/design/probes.md}), only while no mutant is selected.
 * {@code Probe.counts} of a point is 1, and 2 as soon as all its mutants are infected: it has no more to tell then.
 */
public final class Mutant {
    /** The outcome of the mutant that is selected; -1 for none. */
    public static int active = -1;

    /** Replacements of numbers; one more undoes an increment twice, its amount is in the high bits. */
    private static final int ZERO = 0, ONE = 1, MINUS_ONE = 2, LESS = 3, MORE = 4, NEGATED = 5;

    private static final int MUTANTS = 0xFFFF, REACHED = 1, DONE = 2;

    /** By probe, the bits of mutants that the run has not infected. Only valid where the point was reached. */
    private static int[] open = new int[0];

    /**
     * By probe of a condition, four slots: the least differences of this run that came out below, at and above 0, NaN for
     * none. Only valid where the point was reached.
     */
    private static double[] nearest = new double[0];

    /** What the selected mutant makes of a division, between the division and what stands behind it. */
    private static long quotient;

    private Mutant() {}

    /** Makes room for that many probes. */
    static void install(int probes) {
        open = new int[probes];
        nearest = new double[4 * probes];
        active = -1;
    }

    // ---- life of a point

    /** Whether there is neither something to record nor a mutant selected. Small enough for every compiler to inline. */
    private static boolean isIdle(int probe) {
        return state(probe) == DONE;
    }

    /** The count of a point; 0 where a mutant is selected. A point that there is no room for has nothing to record. */
    private static int state(int probe) {
        int[] counts = Probe.counts;
        return active >= 0 ? 0 : probe < counts.length ? counts[probe] : DONE;
    }

    /** The mutants that are still to be infected, at first with this distance; none if this run does not record. */
    private static int opened(int probe, int outcome, int shape, double first) {
        if (active >= 0 || !Probe.records()) {
            return 0;
        }
        if (Probe.counts[probe] == 0) {
            // The count last: a stack overflow can only strike where a method begins, and then there is none.
            double[] all = Probe.distances;
            int at = outcome;
            for (int bits = shape & MUTANTS; bits != 0; bits &= bits - 1) {
                all[at++] = first;
            }
            open[probe] = shape & MUTANTS;
            int[] list = Probe.touched;
            list[++list[0]] = probe;
            Probe.counts[probe] = REACHED;
        }
        return open[probe];
    }

    /** These of the mutants left are infected. */
    private static void infect(int infected, int left, int probe, int outcome, int shape) {
        int at = outcome;
        for (int bits = shape & MUTANTS; bits != 0; bits &= bits - 1, at++) {
            if ((infected & bits & -bits) != 0) {
                Probe.distances[at] = 0.0;
            }
        }
        close(probe, left & ~infected);
    }

    private static void close(int probe, int left) {
        open[probe] = left;
        if (left == 0) {
            Probe.counts[probe] = DONE;
        }
    }

    /** The replacement that the selected mutant makes at a point; {@code none} where it is another point's. */
    private static int selected(int outcome, int shape, int none) {
        int before = active - outcome;
        if (active < 0 || before < 0) {
            return none;
        }
        int bits = shape & MUTANTS;
        for (; before > 0 && bits != 0; before--) {
            bits &= bits - 1;
        }
        return bits == 0 ? none : Integer.numberOfTrailingZeros(bits);
    }

    // ---- calls, variables

    /** Whether a call is left out. */
    public static boolean omits(int probe, int outcome, int shape) {
        if (isIdle(probe)) {
            return false;
        }
        if (opened(probe, outcome, shape, 1.0) != 0) {
            Probe.distances[outcome] = 0.0;
            close(probe, 0);
        }
        return active == outcome;
    }

    /** Whether a variable is as before: the same as the other one, or one that differed from it already. */
    private static boolean hasNothingNew(int probe, boolean isSame) {
        int state = state(probe);
        return state == DONE || (state == REACHED && isSame);
    }

    /** Infected when they differ. */
    private static void other(boolean differs, int probe, int outcome, int shape) {
        if (opened(probe, outcome, shape, 1.0) != 0 && differs) {
            Probe.distances[outcome] = 0.0;
            close(probe, 0);
        }
    }

    /** A variable, and the one that is read instead of it. */
    public static int variable(int own, int other, int probe, int outcome, int shape) {
        return hasNothingNew(probe, own == other) ? own : replaced(own, other, probe, outcome, shape);
    }

    private static int replaced(int own, int other, int probe, int outcome, int shape) {
        other(own != other, probe, outcome, shape);
        return active == outcome ? other : own;
    }

    /** A variable, and the one that is read instead of it. */
    public static long variable(long own, long other, int probe, int outcome, int shape) {
        return hasNothingNew(probe, own == other) ? own : replaced(own, other, probe, outcome, shape);
    }

    private static long replaced(long own, long other, int probe, int outcome, int shape) {
        other(own != other, probe, outcome, shape);
        return active == outcome ? other : own;
    }

    /** A variable, and the one that is read instead of it. */
    public static float variable(float own, float other, int probe, int outcome, int shape) {
        return hasNothingNew(probe, false) ? own : replaced(own, other, probe, outcome, shape);
    }

    private static float replaced(float own, float other, int probe, int outcome, int shape) {
        other(Float.compare(own, other) != 0, probe, outcome, shape);
        return active == outcome ? other : own;
    }

    /** A variable, and the one that is read instead of it. */
    public static double variable(double own, double other, int probe, int outcome, int shape) {
        return hasNothingNew(probe, false) ? own : replaced(own, other, probe, outcome, shape);
    }

    private static double replaced(double own, double other, int probe, int outcome, int shape) {
        other(Double.compare(own, other) != 0, probe, outcome, shape);
        return active == outcome ? other : own;
    }

    /** A variable, and the one that is read instead of it. */
    public static Object variable(Object own, Object other, int probe, int outcome, int shape) {
        return hasNothingNew(probe, own == other) ? own : replaced(own, other, probe, outcome, shape);
    }

    private static Object replaced(Object own, Object other, int probe, int outcome, int shape) {
        other(own != other, probe, outcome, shape);
        return active == outcome ? other : own;
    }

    // ---- values: constants, fields, variables, results

    /** A value that is replaced. */
    public static int value(int own, int probe, int outcome, int shape) {
        return isIdle(probe) ? own : replaced(own, probe, outcome, shape);
    }

    private static int replaced(int own, int probe, int outcome, int shape) {
        int left = opened(probe, outcome, shape, 1.0);
        int infected = 0;
        for (int number = 0, bits = left; bits != 0; number++, bits >>= 1) {
            if ((bits & 1) != 0 && replacement(own, number, shape) != own) {
                infected |= 1 << number;
            }
        }
        if (infected != 0) {
            infect(infected, left, probe, outcome, shape);
        }
        int chosen = selected(outcome, shape, -1);
        return chosen < 0 ? own : replacement(own, chosen, shape);
    }

    private static int replacement(int own, int chosen, int shape) {
        switch (chosen) {
            case ZERO:
                return 0;
            case ONE:
                return 1;
            case MINUS_ONE:
                return -1;
            case LESS:
                return own - 1;
            case MORE:
                return own + 1;
            case NEGATED:
                return -own;
            default:
                return own - 2 * (shape >> 16);
        }
    }

    /** A value that is replaced. */
    public static long value(long own, int probe, int outcome, int shape) {
        return isIdle(probe) ? own : replaced(own, probe, outcome, shape);
    }

    private static long replaced(long own, int probe, int outcome, int shape) {
        int left = opened(probe, outcome, shape, 1.0);
        int infected = 0;
        for (int number = 0, bits = left; bits != 0; number++, bits >>= 1) {
            if ((bits & 1) != 0 && replacement(own, number) != own) {
                infected |= 1 << number;
            }
        }
        if (infected != 0) {
            infect(infected, left, probe, outcome, shape);
        }
        int chosen = selected(outcome, shape, -1);
        return chosen < 0 ? own : replacement(own, chosen);
    }

    private static long replacement(long own, int chosen) {
        switch (chosen) {
            case ZERO:
                return 0;
            case ONE:
                return 1;
            case MINUS_ONE:
                return -1;
            case LESS:
                return own - 1;
            case MORE:
                return own + 1;
            default:
                return -own;
        }
    }

    /** A value that is replaced. */
    public static float value(float own, int probe, int outcome, int shape) {
        return isIdle(probe) ? own : (float) replaced((double) own, probe, outcome, shape, true);
    }

    /** A value that is replaced. */
    public static double value(double own, int probe, int outcome, int shape) {
        return isIdle(probe) ? own : replaced(own, probe, outcome, shape, false);
    }

    private static double replaced(double own, int probe, int outcome, int shape, boolean isFloat) {
        int left = opened(probe, outcome, shape, 1.0);
        int infected = 0;
        for (int number = 0, bits = left; bits != 0; number++, bits >>= 1) {
            if ((bits & 1) != 0) {
                double other = replacement(own, number, isFloat);
                infected |= Double.compare(other, own) != 0 ? 1 << number : 0;
            }
        }
        if (infected != 0) {
            infect(infected, left, probe, outcome, shape);
        }
        int chosen = selected(outcome, shape, -1);
        return chosen < 0 ? own : replacement(own, chosen, isFloat);
    }

    private static double replacement(double own, int chosen, boolean isFloat) {
        switch (chosen) {
            case ZERO:
                return 0.0;
            case ONE:
                return 1.0;
            case MINUS_ONE:
                return -1.0;
            case LESS:
                return isFloat ? (float) own - 1.0f : own - 1.0;
            case MORE:
                return isFloat ? (float) own + 1.0f : own + 1.0;
            default:
                return -own;
        }
    }

    /** A reference that is replaced. */
    public static Object value(Object own, int probe, int outcome, int shape) {
        return isIdle(probe) ? own : replaced(own, probe, outcome, shape);
    }

    private static Object replaced(Object own, int probe, int outcome, int shape) {
        int left = opened(probe, outcome, shape, 1.0);
        int infected = 0;
        for (int number = 0, bits = left; bits != 0; number++, bits >>= 1) {
            if ((bits & 1) != 0) {
                Object other = Reference.replacement(number);
                infected |= Reference.isSame(own, other) ? 0 : 1 << number;
            }
        }
        if (infected != 0) {
            infect(infected, left, probe, outcome, shape);
        }
        int chosen = selected(outcome, shape, -1);
        return chosen < 0 ? own : Reference.replacement(chosen);
    }

    // ---- conditions: operands that make a jump do what the mutant does

    /**
     * Whether a comparison that came out the same way was as near: it has told the same. Asked before {@link #compare},
     * without a call of that: what stands in loops has nearly always told all.
     */
    private static boolean wasAsNear(int result, double difference, int probe) {
        return Probe.counts[probe] == REACHED && Math.abs(difference) >= nearest[4 * probe + 1 + result];
    }

    /** Records a comparison that comes out below, at or above 0; NaN in the difference says that it is neither. */
    private static void compare(int result, double difference, int probe, int outcome, int shape) {
        boolean isFirst = Probe.counts[probe] == 0;
        int left = opened(probe, outcome, shape, Double.MAX_VALUE);
        if (left == 0) {
            return;
        }
        if (isFirst) {
            Arrays.fill(nearest, 4 * probe, 4 * probe + 3, Double.NaN);
        }
        nearest[4 * probe + 1 + result] = Math.abs(difference);
        int own = Condition.holds(shape >> 16 & 7);
        int now = Condition.sign(result);
        double[] all = Probe.distances;
        int infected = 0;
        for (int bits = left; bits != 0; bits &= bits - 1) {
            int differing = own ^ Condition.holds(Condition.first(bits));
            if ((differing & now) != 0) {
                infected |= bits & -bits;
            } else {
                int at = outcome + Condition.count(shape & (bits & -bits) - 1);
                double distance = Condition.distance(differing, difference);
                if (distance < all[at]) {
                    all[at] = distance;
                }
            }
        }
        if (infected != 0) {
            infect(infected, left, probe, outcome, shape);
        }
    }

    /** What compares with 0 as the selected mutant wants it; {@code Integer.MIN_VALUE} for no mutant of this point. */
    private static int decided(int result, int outcome, int shape) {
        int chosen = selected(outcome, shape, -1);
        if (chosen < 0) {
            return Integer.MIN_VALUE;
        }
        boolean isTaken = (Condition.holds(chosen) & Condition.sign(result)) != 0;
        return Condition.deciding(shape >> 16 & 7, isTaken);
    }

    /** The operand of a jump that compares with 0. */
    public static int condition(int own, int probe, int outcome, int shape) {
        return isIdle(probe) ? own : decide(own, probe, outcome, shape);
    }

    private static int decide(int own, int probe, int outcome, int shape) {
        int result = own < 0 ? -1 : own == 0 ? 0 : 1;
        if (active < 0) {
            if (!wasAsNear(result, own, probe)) {
                compare(result, own, probe, outcome, shape);
            }
            return own;
        }
        int decided = decided(result, outcome, shape);
        return decided == Integer.MIN_VALUE ? own : decided;
    }

    /** The operands of a jump that compares two numbers: the first one in the high half. */
    public static long condition(int first, int second, int probe, int outcome, int shape) {
        return isIdle(probe) ? pair(first, second) : decide(first, second, probe, outcome, shape);
    }

    private static long pair(int first, int second) {
        return (long) first << 32 | second & 0xFFFFFFFFL;
    }

    private static long decide(int first, int second, int probe, int outcome, int shape) {
        int result = first < second ? -1 : first == second ? 0 : 1;
        if (active < 0) {
            double difference = (double) first - second;
            if (!wasAsNear(result, difference, probe)) {
                compare(result, difference, probe, outcome, shape);
            }
            return pair(first, second);
        }
        int decided = decided(result, outcome, shape);
        return decided == Integer.MIN_VALUE ? pair(first, second) : pair(decided, 0);
    }

    /** The operand of a jump that compares with null. */
    public static Object condition(Object own, int probe, int outcome, int shape) {
        if (omits(probe, outcome, shape)) {
            return own == null ? "" : null;
        }
        return own;
    }

    /** The second operand of a jump that compares references. */
    public static Object condition(Object first, Object second, int probe, int outcome, int shape) {
        if (omits(probe, outcome, shape)) {
            return first != second ? first : first == null ? "" : null;
        }
        return second;
    }

    /** The first of two operands of a comparison in front of a jump. */
    public static long first(long first, long second, int probe, int outcome, int shape) {
        if (isIdle(probe)) {
            return first;
        }
        int result = first < second ? -1 : first == second ? 0 : 1;
        if (active < 0) {
            double difference = result == 0 ? 0.0 : (double) first - second;
            if (!wasAsNear(result, difference, probe)) {
                compare(result, difference, probe, outcome, shape);
            }
            return first;
        }
        int decided = decided(result, outcome, shape);
        return decided == Integer.MIN_VALUE ? first : decided;
    }

    /** The first of two operands of a comparison in front of a jump; bit 19 says what comes out of it for NaN. */
    public static float first(float first, float second, int probe, int outcome, int shape) {
        return isIdle(probe) ? first : (float) decide((double) first, second, probe, outcome, shape);
    }

    /** The first of two operands of a comparison in front of a jump; bit 19 says what comes out of it for NaN. */
    public static double first(double first, double second, int probe, int outcome, int shape) {
        return isIdle(probe) ? first : decide(first, second, probe, outcome, shape);
    }

    private static double decide(double first, double second, int probe, int outcome, int shape) {
        int neither = (shape & 1 << 19) != 0 ? 1 : -1;
        int result = first < second ? -1 : first == second ? 0 : first > second ? 1 : neither;
        if (active < 0) {
            double difference = result == 0 ? 0.0 : difference(first, second);
            if (!wasAsNear(result, difference, probe)) {
                compare(result, difference, probe, outcome, shape);
            }
            return first;
        }
        int decided = decided(result, outcome, shape);
        return decided == Integer.MIN_VALUE ? first : decided;
    }

    /** Never 0 of numbers that differ. */
    private static double difference(double first, double second) {
        double difference = first - second;
        return difference == 0.0 ? (first < second ? -Double.MIN_VALUE : Double.MIN_VALUE) : difference;
    }

    /** The second of two operands of a comparison in front of a jump. */
    public static long second(long second, int outcome, int shape) {
        return active >= 0 && selected(outcome, shape, -1) >= 0 ? 0 : second;
    }

    /** The second of two operands of a comparison in front of a jump. */
    public static float second(float second, int outcome, int shape) {
        return active >= 0 && selected(outcome, shape, -1) >= 0 ? 0 : second;
    }

    /** The second of two operands of a comparison in front of a jump. */
    public static double second(double second, int outcome, int shape) {
        return active >= 0 && selected(outcome, shape, -1) >= 0 ? 0 : second;
    }

    // ---- operators: each takes the place of an instruction, but for those that divide whole numbers

    /** {@code iadd}. */
    public static int iadd(int a, int b, int probe, int outcome, int shape) {
        return isIdle(probe) ? a + b : operate(a, b, Operator.ADD, probe, outcome, shape);
    }

    /** {@code isub}. */
    public static int isub(int a, int b, int probe, int outcome, int shape) {
        return isIdle(probe) ? a - b : operate(a, b, Operator.SUB, probe, outcome, shape);
    }

    /** {@code imul}. */
    public static int imul(int a, int b, int probe, int outcome, int shape) {
        return isIdle(probe) ? a * b : operate(a, b, Operator.MUL, probe, outcome, shape);
    }

    /** {@code ishl}. */
    public static int ishl(int a, int b, int probe, int outcome, int shape) {
        return isIdle(probe) ? a << b : operate(a, b, Operator.SHL, probe, outcome, shape);
    }

    /** {@code ishr}. */
    public static int ishr(int a, int b, int probe, int outcome, int shape) {
        return isIdle(probe) ? a >> b : operate(a, b, Operator.SHR, probe, outcome, shape);
    }

    /** {@code iushr}. */
    public static int iushr(int a, int b, int probe, int outcome, int shape) {
        return isIdle(probe) ? a >>> b : operate(a, b, Operator.USHR, probe, outcome, shape);
    }

    /** {@code iand}. */
    public static int iand(int a, int b, int probe, int outcome, int shape) {
        return isIdle(probe) ? a & b : operate(a, b, Operator.AND, probe, outcome, shape);
    }

    /** {@code ior}. */
    public static int ior(int a, int b, int probe, int outcome, int shape) {
        return isIdle(probe) ? a | b : operate(a, b, Operator.OR, probe, outcome, shape);
    }

    /** {@code ixor}. */
    public static int ixor(int a, int b, int probe, int outcome, int shape) {
        return isIdle(probe) ? a ^ b : operate(a, b, Operator.XOR, probe, outcome, shape);
    }

    /** {@code ladd}. */
    public static long ladd(long a, long b, int probe, int outcome, int shape) {
        return isIdle(probe) ? a + b : operate(a, b, Operator.ADD, probe, outcome, shape);
    }

    /** {@code lsub}. */
    public static long lsub(long a, long b, int probe, int outcome, int shape) {
        return isIdle(probe) ? a - b : operate(a, b, Operator.SUB, probe, outcome, shape);
    }

    /** {@code lmul}. */
    public static long lmul(long a, long b, int probe, int outcome, int shape) {
        return isIdle(probe) ? a * b : operate(a, b, Operator.MUL, probe, outcome, shape);
    }

    /** {@code lshl}. */
    public static long lshl(long a, int b, int probe, int outcome, int shape) {
        return isIdle(probe) ? a << b : operate(a, b, Operator.SHL, probe, outcome, shape);
    }

    /** {@code lshr}. */
    public static long lshr(long a, int b, int probe, int outcome, int shape) {
        return isIdle(probe) ? a >> b : operate(a, b, Operator.SHR, probe, outcome, shape);
    }

    /** {@code lushr}. */
    public static long lushr(long a, int b, int probe, int outcome, int shape) {
        return isIdle(probe) ? a >>> b : operate(a, b, Operator.USHR, probe, outcome, shape);
    }

    /** {@code land}. */
    public static long land(long a, long b, int probe, int outcome, int shape) {
        return isIdle(probe) ? a & b : operate(a, b, Operator.AND, probe, outcome, shape);
    }

    /** {@code lor}. */
    public static long lor(long a, long b, int probe, int outcome, int shape) {
        return isIdle(probe) ? a | b : operate(a, b, Operator.OR, probe, outcome, shape);
    }

    /** {@code lxor}. */
    public static long lxor(long a, long b, int probe, int outcome, int shape) {
        return isIdle(probe) ? a ^ b : operate(a, b, Operator.XOR, probe, outcome, shape);
    }

    /** {@code fadd}. */
    public static float fadd(float a, float b, int probe, int outcome, int shape) {
        return isIdle(probe) ? a + b : operate(a, b, Operator.ADD, probe, outcome, shape);
    }

    /** {@code fsub}. */
    public static float fsub(float a, float b, int probe, int outcome, int shape) {
        return isIdle(probe) ? a - b : operate(a, b, Operator.SUB, probe, outcome, shape);
    }

    /** {@code fmul}. */
    public static float fmul(float a, float b, int probe, int outcome, int shape) {
        return isIdle(probe) ? a * b : operate(a, b, Operator.MUL, probe, outcome, shape);
    }

    /** {@code fdiv}. */
    public static float fdiv(float a, float b, int probe, int outcome, int shape) {
        return isIdle(probe) ? a / b : operate(a, b, Operator.DIV, probe, outcome, shape);
    }

    /** {@code frem}. */
    public static float frem(float a, float b, int probe, int outcome, int shape) {
        return isIdle(probe) ? a % b : operate(a, b, Operator.REM, probe, outcome, shape);
    }

    /** {@code dadd}. */
    public static double dadd(double a, double b, int probe, int outcome, int shape) {
        return isIdle(probe) ? a + b : operate(a, b, Operator.ADD, probe, outcome, shape);
    }

    /** {@code dsub}. */
    public static double dsub(double a, double b, int probe, int outcome, int shape) {
        return isIdle(probe) ? a - b : operate(a, b, Operator.SUB, probe, outcome, shape);
    }

    /** {@code dmul}. */
    public static double dmul(double a, double b, int probe, int outcome, int shape) {
        return isIdle(probe) ? a * b : operate(a, b, Operator.MUL, probe, outcome, shape);
    }

    /** {@code ddiv}. */
    public static double ddiv(double a, double b, int probe, int outcome, int shape) {
        return isIdle(probe) ? a / b : operate(a, b, Operator.DIV, probe, outcome, shape);
    }

    /** {@code drem}. */
    public static double drem(double a, double b, int probe, int outcome, int shape) {
        return isIdle(probe) ? a % b : operate(a, b, Operator.REM, probe, outcome, shape);
    }

    /** The divisor of {@code idiv} or {@code irem}, whose replacement number is in the high bits. */
    public static int divisor(int a, int b, int probe, int outcome, int shape) {
        if (isIdle(probe)) {
            return b;
        }
        int own = shape >> 16;
        if (active < 0) {
            infect(a, b, own, probe, outcome, shape, true);
            return b;
        }
        int chosen = selected(outcome, shape, own);
        if (chosen == own || (b == 0 && Operator.divides(chosen))) {
            return b;
        }
        quotient = Operator.result(a, b, chosen);
        return 1;
    }

    /** As for {@code int}. */
    public static long divisor(long a, long b, int probe, int outcome, int shape) {
        if (isIdle(probe)) {
            return b;
        }
        int own = shape >> 16;
        if (active < 0) {
            infect(a, b, own, probe, outcome, shape, false);
            return b;
        }
        int chosen = selected(outcome, shape, own);
        if (chosen == own || (b == 0 && Operator.divides(chosen))) {
            return b;
        }
        quotient = Operator.result(a, b, chosen);
        return 1;
    }

    /** What comes out of a division. */
    public static int quotient(int own, int outcome, int shape) {
        return active >= 0 && selected(outcome, shape, -1) >= 0 ? (int) quotient : own;
    }

    /** What comes out of a division. */
    public static long quotient(long own, int outcome, int shape) {
        return active >= 0 && selected(outcome, shape, -1) >= 0 ? quotient : own;
    }

    private static int operate(int a, int b, int own, int probe, int outcome, int shape) {
        if (active < 0) {
            infect(a, b, own, probe, outcome, shape, true);
            return Operator.result(a, b, own);
        }
        return Operator.result(a, b, selected(outcome, shape, own));
    }

    private static long operate(long a, long b, int own, int probe, int outcome, int shape) {
        if (active < 0) {
            infect(a, b, own, probe, outcome, shape, false);
            return Operator.result(a, b, own);
        }
        return Operator.result(a, b, selected(outcome, shape, own));
    }

    /** Infected when the results differ, or when one of the two has none. */
    private static void infect(long a, long b, int own, int probe, int outcome, int shape, boolean isInt) {
        int left = opened(probe, outcome, shape, 1.0);
        int infected = 0;
        for (int number = 0, bits = left; bits != 0; number++, bits >>= 1) {
            if ((bits & 1) != 0 && Operator.differ(a, b, own, number, isInt)) {
                infected |= 1 << number;
            }
        }
        if (infected != 0) {
            infect(infected, left, probe, outcome, shape);
        }
    }

    private static float operate(float a, float b, int own, int probe, int outcome, int shape) {
        int left = opened(probe, outcome, shape, 1.0);
        int infected = 0;
        for (int number = 0, bits = left; bits != 0; number++, bits >>= 1) {
            if ((bits & 1) != 0) {
                float other = Operator.result(a, b, number);
                infected |= Float.compare(Operator.result(a, b, own), other) != 0 ? 1 << number : 0;
            }
        }
        if (infected != 0) {
            infect(infected, left, probe, outcome, shape);
        }
        return Operator.result(a, b, selected(outcome, shape, own));
    }

    private static double operate(double a, double b, int own, int probe, int outcome, int shape) {
        int left = opened(probe, outcome, shape, 1.0);
        int infected = 0;
        for (int number = 0, bits = left; bits != 0; number++, bits >>= 1) {
            if ((bits & 1) != 0) {
                double other = Operator.result(a, b, number);
                infected |= Double.compare(Operator.result(a, b, own), other) != 0 ? 1 << number : 0;
            }
        }
        if (infected != 0) {
            infect(infected, left, probe, outcome, shape);
        }
        return Operator.result(a, b, selected(outcome, shape, own));
    }
}
