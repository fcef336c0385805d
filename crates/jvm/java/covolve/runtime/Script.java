package covolve.runtime;

/**
 * The answers of a stub: an object that a test implements itself, by a class of {@code bytecode::stub_class}.
 *
 * <p>Each method has its answers in the order of its calls; the last one repeats. A call is a step like that of any
 * method under test, so that a loop of the JDK over a stub (an iterator that never ends) ends with the run.
 */
public final class Script {
    /** What an answer does where it is not the number of a parameter: gives a value, throws it. */
    static final int VALUE = -1, THROW = -2;

    private final Object[] values;

    /** First answer by method and their total, then what each answer does. */
    private final int[] layout;

    private final int[] calls;

    /**
     * @param values values of all answers, of one method after the other
     * @param layout number of the first answer by method, then their total, then by answer what it does
     * @param methods number of methods
     */
    public Script(Object[] values, int[] layout, int methods) {
        this.values = values;
        this.layout = layout;
        calls = new int[methods];
    }

    /** A call of a method that no script speaks for. */
    public static void silent() {
        Probe.step();
    }

    /** Answers a call. */
    public Object next(int method, Object[] arguments) throws Throwable {
        Probe.step();
        int first = layout[method];
        int answers = layout[method + 1] - first;
        if (answers == 0) {
            return null;
        }
        int call = calls[method];
        if (call < answers - 1) {
            calls[method] = call + 1;
        }
        int does = layout[calls.length + 1 + first + call];
        if (does >= 0) {
            return arguments[does];
        }
        Object value = values[first + call];
        if (does == THROW) {
            Throwable thrown = (Throwable) value;
            Probe.thrown(thrown);
            throw thrown;
        }
        return value;
    }
}
