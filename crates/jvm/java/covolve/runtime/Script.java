package covolve.runtime;

import java.util.ArrayList;
import java.util.List;

/**
 * The answers of a stub: an object that a test implements itself, by a class of {@code bytecode::stub_class}.
 *
 * <p>Each method has its answers in the order of its calls; the last one repeats. A call is a step like that of any
 * method under test, so that a loop of the JDK over a stub (an iterator that never ends) ends with the run.
 */
public final class Script {
    /** What an answer does where it is not the number of a parameter: gives a value, throws it. */
    static final int VALUE = -1, THROW = -2;

    /** Most calls that are recorded. */
    private static final int MOST_RECORDED = 16;

    /** Whether calls are recorded: while somebody looks. */
    static boolean records;

    /** What a script threw last. */
    static Throwable thrown;

    private final Object[] values;

    /** First answer by method and their total, then what each answer does. */
    private final int[] layout;

    private final int[] calls;

    /** The calls so far, one too many if there were more; null where none was recorded. */
    private List<String[]> recorded;

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

    /**
     * The calls so far: number of the method, then the text of each argument, null where an argument is of a class whose text does
     * not tell what it is. Null if there were too many.
     */
    public String[][] recorded() {
        if (recorded == null) {
            return new String[0][];
        }
        return recorded.size() > MOST_RECORDED ? null : recorded.toArray(new String[0][]);
    }

    private void record(int method, Object[] given) {
        Object[] arguments = given == null ? new Object[0] : given;
        if (recorded == null) {
            recorded = new ArrayList<String[]>();
        }
        if (recorded.size() > MOST_RECORDED) {
            return;
        }
        String[] call = new String[1 + arguments.length];
        call[0] = Integer.toString(method);
        for (int index = 0; index < arguments.length; index++) {
            Object argument = arguments[index];
            call[1 + index] = isTold(argument) ? String.valueOf(argument) : null;
        }
        recorded.add(call);
    }

    private static boolean isTold(Object argument) {
        return argument == null || argument instanceof String || argument instanceof Boolean || argument instanceof Character
                || argument instanceof Byte || argument instanceof Short || argument instanceof Integer
                || argument instanceof Long || argument instanceof Enum;
    }

    /** What a mock says to {@code equals}. */
    public static boolean isSame(Object mock, Object other) {
        return mock == other;
    }

    /** The text of a mock: that of {@code Object}. */
    public static String textOf(Object mock) {
        return mock.getClass().getName() + "@" + Integer.toHexString(System.identityHashCode(mock));
    }

    /** Answers a call. */
    public Object next(int method, Object[] arguments) throws Throwable {
        Probe.step();
        if (records) {
            record(method, arguments);
        }
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
            Script.thrown = thrown;
            throw thrown;
        }
        return value;
    }
}
