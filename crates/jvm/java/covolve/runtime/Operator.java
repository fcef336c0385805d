package covolve.runtime;

/** Operators on numbers, by the numbers that they have as replacements. */
final class Operator {
    static final int ADD = 0, SUB = 1, MUL = 2, DIV = 3, REM = 4;
    static final int SHL = 5, SHR = 6, USHR = 7, AND = 8, OR = 9, XOR = 10;

    private Operator() {}

    /** Whether whole numbers have no result where the second one is 0. */
    static boolean divides(int operator) {
        return operator == DIV || operator == REM;
    }

    /** Whether results differ, or one of the two operators has none. */
    static boolean differ(long a, long b, int own, int other, boolean isInt) {
        if (b == 0 && (divides(own) || divides(other))) {
            return divides(own) != divides(other);
        }
        return isInt ? result((int) a, (int) b, own) != result((int) a, (int) b, other)
                : result(a, b, own) != result(a, b, other);
    }

    static int result(int a, int b, int operator) {
        switch (operator) {
            case ADD:
                return a + b;
            case SUB:
                return a - b;
            case MUL:
                return a * b;
            case DIV:
                return a / b;
            case REM:
                return a % b;
            case SHL:
                return a << b;
            case SHR:
                return a >> b;
            case USHR:
                return a >>> b;
            case AND:
                return a & b;
            case OR:
                return a | b;
            default:
                return a ^ b;
        }
    }

    static long result(long a, long b, int operator) {
        switch (operator) {
            case ADD:
                return a + b;
            case SUB:
                return a - b;
            case MUL:
                return a * b;
            case DIV:
                return a / b;
            case REM:
                return a % b;
            case SHL:
                return a << b;
            case SHR:
                return a >> b;
            case USHR:
                return a >>> b;
            case AND:
                return a & b;
            case OR:
                return a | b;
            default:
                return a ^ b;
        }
    }

    static float result(float a, float b, int operator) {
        switch (operator) {
            case ADD:
                return a + b;
            case SUB:
                return a - b;
            case MUL:
                return a * b;
            case DIV:
                return a / b;
            default:
                return a % b;
        }
    }

    static double result(double a, double b, int operator) {
        switch (operator) {
            case ADD:
                return a + b;
            case SUB:
                return a - b;
            case MUL:
                return a * b;
            case DIV:
                return a / b;
            default:
                return a % b;
        }
    }
}
