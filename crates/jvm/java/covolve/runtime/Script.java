package covolve.runtime;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Period;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The answers of a stub: an object that a test implements itself, by a class of {@code bytecode::stub_class}.
 *
 * <p>Each method has its answers in the order of its calls; the last one repeats. A call is a step like that of any
 * method under test, so that a loop of the JDK over a stub (an iterator that never ends) ends with the run.
 */
public final class Script {
    /**
     * What an answer does where it is not the number of a parameter: gives a value, throws it, or calls a method of a parameter. Of
     * the last there are two for each parameter, downwards from this one; the second one gives what the method gives.
     */
    static final int VALUE = -1, THROW = -2, CALL = -3;

    /** Where what a method is passed begins among what is told of its call: behind the method, and what is given. */
    private static final int PASSED = 2;

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

    /** What was passed in each of them. */
    private List<Object[]> passed;

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

    /** What was passed in the calls so far. */
    public Object[][] passed() {
        return passed == null ? new Object[0][] : passed.toArray(new Object[0][]);
    }

    private void record(int method, Object[] given) {
        Object[] arguments = given == null ? new Object[0] : given;
        if (recorded == null) {
            recorded = new ArrayList<String[]>();
            passed = new ArrayList<Object[]>();
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
        passed.add(arguments);
    }

    private static boolean isTold(Object argument) {
        return argument == null || argument instanceof String || argument instanceof Boolean || argument instanceof Character
                || argument instanceof Byte || argument instanceof Short || argument instanceof Integer
                || argument instanceof Long || argument instanceof Enum || argument instanceof Class && isWritten((Class<?>) argument);
    }

    /** Whether a class is there in every run: not one that is made on the way, for a lambda, a proxy or a stub. */
    private static boolean isWritten(Class<?> of) {
        String name = of.getName();
        return !of.isArray() && !name.contains("$$") && !name.contains("$Proxy") && name.indexOf('/') < 0;
    }

    /** What a mock gives from a method with such a result of which nobody told it anything: the same as Mockito's {@code ReturnsEmptyValues}. */
    public static Object empty(String of) {
        switch (of) {
            case "java/lang/Boolean": return false;
            case "java/lang/Byte": return (byte) 0;
            case "java/lang/Character": return (char) 0;
            case "java/lang/Double": return 0.0;
            case "java/lang/Float": return 0.0f;
            case "java/lang/Integer": return 0;
            case "java/lang/Long": return 0L;
            case "java/lang/Short": return (short) 0;
            case "java/lang/Iterable":
            case "java/util/ArrayList": return new ArrayList<Object>(0);
            case "java/util/Collection":
            case "java/util/LinkedList":
            case "java/util/List": return new LinkedList<Object>();
            case "java/util/HashMap":
            case "java/util/Map": return new HashMap<Object, Object>();
            case "java/util/HashSet":
            case "java/util/Set": return new HashSet<Object>();
            case "java/util/LinkedHashMap": return new LinkedHashMap<Object, Object>();
            case "java/util/LinkedHashSet": return new LinkedHashSet<Object>();
            case "java/util/SortedMap":
            case "java/util/TreeMap": return new TreeMap<Object, Object>();
            case "java/util/SortedSet": return new TreeSet<Object>();
            case "java/util/Optional": return Optional.empty();
            case "java/util/OptionalDouble": return OptionalDouble.empty();
            case "java/util/OptionalInt": return OptionalInt.empty();
            case "java/util/OptionalLong": return OptionalLong.empty();
            case "java/util/stream/Stream": return Stream.empty();
            case "java/time/Duration": return Duration.ZERO;
            case "java/time/Period": return Period.ZERO;
            default: return null;
        }
    }

    /** What a mock says to {@code equals}. */
    public static boolean isSame(Object mock, Object other) {
        return mock == other;
    }

    /** The text of a mock: that of {@code Object}. */
    public static String textOf(Object mock) {
        return mock.getClass().getName() + "@" + Integer.toHexString(System.identityHashCode(mock));
    }

    /** Whether there is an answer of a method. */
    public boolean tells(int method) {
        return layout[method + 1] > layout[method];
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
        return does <= CALL ? call(CALL - does, (Object[]) value, arguments) : value;
    }

    /** Calls a method of what was passed; it throws what that throws. */
    private static Object call(int kind, Object[] told, Object[] arguments) throws Throwable {
        Method method = (Method) told[0];
        method.setAccessible(true);
        Object given;
        try {
            given = method.invoke(arguments[kind / 2], Arrays.copyOfRange(told, PASSED, told.length));
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
        return kind % 2 == 1 ? given : told[1];
    }
}
