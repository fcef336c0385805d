package covolve.runtime;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Array;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What tests that others wrote pass to methods with goals, get from them and see them throw, by partitions: calls in these tests are
 * led through methods that tell it (bridges of {@code bytecode::instrument}). A value takes an outcome of {@link Probe#distances}.
 */
public final class Calls {
    /** What was thrown since this was emptied last: class, method, exception and kind, with tabs in between. */
    public static final List<String> THROWN = new ArrayList<String>();

    /** Of a method that nothing is told of. */
    private static final int NONE = -1;

    /** The values that are looked at, by method. */
    private static final List<List<Value>> VALUES = new ArrayList<List<Value>>();

    /** Numbers of methods, by class, name and descriptor. */
    private static final Map<String, Integer> NUMBERS = new HashMap<String, Integer>();

    /** The methods that calls on objects of a class select. */
    private static final Map<Class<?>, Map<String, Integer>> SELECTED = new HashMap<Class<?>, Map<String, Integer>>();

    private Calls() {}

    /** A value of a method, or what a member tells of it. */
    private static final class Value {
        final int of;
        final char shape;
        final int first;
        /** Kind, class, name and descriptor of the member behind that; null where the value itself is looked at. */
        final String[] inspector;

        Value(String[] words) {
            of = Integer.parseInt(words[1]);
            shape = words[2].charAt(0);
            first = Integer.parseInt(words[3]);
            inspector = words.length > 4 ? new String[] {words[4], words[5], words[6]} : null;
        }

        void take(int partition) {
            if (partition >= 0) {
                Probe.distances[first + partition] = 0.0;
            }
        }
    }

    /** The methods that are looked at, as {@code bytecode::instrument::WatchedCalls} lists them. */
    public static void install(String table) {
        for (String line : table.split("\n")) {
            String[] words = line.split("\t");
            if (line.startsWith("\t")) {
                VALUES.get(VALUES.size() - 1).add(new Value(words));
            } else if (words.length == 2) {
                NUMBERS.put(words[0] + ' ' + words[1], VALUES.size());
                VALUES.add(new ArrayList<Value>());
            }
        }
    }

    // ---- what bridges call

    /** A call begins, on an object or on none, of a method of a class; gives the number of the one that it selects. */
    public static int begin(Object receiver, String owner, String member) {
        if (!Probe.records()) {
            return NONE;
        }
        Thread recorder = pause();
        try {
            Class<?> from = receiver == null ? load(owner) : receiver.getClass();
            Map<String, Integer> known = SELECTED.get(from);
            if (known == null) {
                known = new HashMap<String, Integer>();
                SELECTED.put(from, known);
            }
            Integer number = known.get(member);
            if (number == null) {
                number = number(declared(from, member), member);
                known.put(member, number);
            }
            return number;
        } catch (ClassNotFoundException gone) {
            return NONE;
        } catch (LinkageError broken) {
            return NONE;
        } finally {
            Probe.recorder = recorder;
        }
    }

    /** An argument by the number of its parameter, or the result as -1. */
    public static void saw(int value, int method, int of) {
        if (method == NONE) {
            return;
        }
        for (Value watched : VALUES.get(method)) {
            if (watched.of == of) {
                boolean isNumber = watched.shape == 'N';
                boolean isCharacter = watched.shape == 'C';
                watched.take(isNumber ? sign(value) : isCharacter ? letter((char) value) : value != 0 ? 1 : 0);
            }
        }
    }

    /** As above. */
    public static void saw(long value, int method, int of) {
        saw(Long.signum(value), method, of);
    }

    /** As above. */
    public static void saw(float value, int method, int of) {
        saw((double) value, method, of);
    }

    /** As above; what is no number is in no partition. */
    public static void saw(double value, int method, int of) {
        if (value == value) {
            saw(value < 0 ? -1 : value > 0 ? 1 : 0, method, of);
        }
    }

    /** As above. */
    public static void saw(Object value, int method, int of) {
        if (method == NONE) {
            return;
        }
        for (Value watched : VALUES.get(method)) {
            if (watched.of == of && watched.inspector == null) {
                watched.take(partition(watched.shape, value));
            } else if (watched.of == of && value != null) {
                inspect(watched, value);
            }
        }
    }

    /** A call of a method of a class has thrown. */
    public static void threw(Throwable thrown, String owner, String member) {
        if (!Probe.records() || thrown instanceof VirtualMachineError || thrown instanceof Stop) {
            return;
        }
        Thread recorder = pause();
        try {
            Executable method = declared(load(owner), member);
            if (method != null && number(method, member) != NONE) {
                String where = internal(method.getDeclaringClass()) + '\t' + member;
                THROWN.add(where + '\t' + lasting(thrown) + '\t' + kind(method, thrown));
            }
        } catch (ClassNotFoundException gone) {
            // Nothing is told of it.
        } catch (LinkageError broken) {
            // As above.
        } finally {
            Probe.recorder = recorder;
        }
    }

    // ---- which method it is

    /** What is done here is not done by the test. */
    private static Thread pause() {
        Thread recorder = Probe.recorder;
        Probe.recorder = null;
        return recorder;
    }

    private static Class<?> load(String name) throws ClassNotFoundException {
        return Class.forName(name.replace('/', '.'), false, Probe.loader);
    }

    private static String internal(Class<?> type) {
        return type.getName().replace('.', '/');
    }

    private static int number(Executable method, String member) {
        Integer number = method == null ? null : NUMBERS.get(internal(method.getDeclaringClass()) + ' ' + member);
        return number == null ? NONE : number;
    }

    /** The method of this name and descriptor that is meant in a class: its own, one of its superclasses, or of its interfaces. */
    private static Executable declared(Class<?> type, String member) {
        if (member.startsWith("<init>")) {
            return in(type.getDeclaredConstructors(), member);
        }
        Set<Class<?>> interfaces = new LinkedHashSet<Class<?>>();
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            Executable found = in(each.getDeclaredMethods(), member);
            if (found != null) {
                return found;
            }
            add(each, interfaces);
        }
        for (Class<?> each : interfaces) {
            Executable found = in(each.getDeclaredMethods(), member);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private static void add(Class<?> type, Set<Class<?>> interfaces) {
        for (Class<?> each : type.getInterfaces()) {
            if (interfaces.add(each)) {
                add(each, interfaces);
            }
        }
    }

    private static Executable in(Executable[] members, String member) {
        for (Executable each : members) {
            boolean isMethod = each instanceof Method;
            if (member.startsWith(isMethod ? each.getName() : "<init>") && member.endsWith(described(each))
                    && member.length() == (isMethod ? each.getName() : "<init>").length() + described(each).length()) {
                return each;
            }
        }
        return null;
    }

    private static String described(Executable method) {
        StringBuilder text = new StringBuilder("(");
        for (Class<?> parameter : method.getParameterTypes()) {
            text.append(described(parameter));
        }
        return text.append(')').append(method instanceof Method ? described(((Method) method).getReturnType()) : "V").toString();
    }

    private static String described(Class<?> type) {
        if (type == void.class) {
            return "V";
        }
        // That of an array is its name.
        String array = internal(Array.newInstance(type, 0).getClass());
        return array.substring(1);
    }

    // ---- partitions, in the order of bytecode::values::ValueShape::partitions

    private static int sign(long value) {
        return 1 + Long.signum(value);
    }

    private static int letter(char value) {
        return Character.isAlphabetic(value) ? 0 : value >= '0' && value <= '9' ? 1 : 2;
    }

    /** The partition that an object is in; -1 for none. */
    private static int partition(char shape, Object value) {
        if (value == null) {
            return 0;
        }
        switch (shape) {
            case 'z':
                return (Boolean) value ? 2 : 1;
            case 'c':
                return 1 + letter((Character) value);
            case 'n':
                double number = ((Number) value).doubleValue();
                return number != number ? -1 : 1 + sign(number < 0 ? -1 : number > 0 ? 1 : 0);
            case 's':
                int size = value.getClass().isArray() ? Array.getLength(value) : Values.size(value);
                return size < 0 ? -1 : size == 0 ? 1 : 2;
            default:
                return 1;
        }
    }

    /** Asks an object, as far as it can be asked. */
    private static void inspect(Value watched, Object value) {
        Thread recorder = pause();
        try {
            Class<?> owner = load(watched.inspector[1]);
            if (!owner.isInstance(value)) {
                return;
            }
            AccessibleObject member = watched.inspector[0].equals("F")
                    ? owner.getDeclaredField(watched.inspector[2])
                    : owner.getDeclaredMethod(watched.inspector[2]);
            member.setAccessible(true);
            Object told = member instanceof Field ? ((Field) member).get(value) : ((Method) member).invoke(value);
            // Primitive values are told as objects that are not null.
            boolean isPrimitive = Character.isUpperCase(watched.shape);
            int partition = partition(Character.toLowerCase(watched.shape), told);
            watched.take(isPrimitive ? partition - 1 : partition);
        } catch (ReflectiveOperationException untold) {
            // Nothing is known of it.
        } catch (RuntimeException closed) {
            // As above.
        } catch (LinkageError broken) {
            // As above.
        } finally {
            Probe.recorder = recorder;
        }
    }

    // ---- exceptions, as the executor judges them

    /** Where an exception comes from: declared, explicit or implicit. */
    private static char kind(Executable method, Throwable thrown) {
        for (Class<?> declared : method.getExceptionTypes()) {
            if (declared.isInstance(thrown)) {
                return 'D';
            }
        }
        if (Probe.thrown == thrown) {
            return 'E';
        }
        // Classes without probes do not tell what they throw.
        StackTraceElement[] stack = thrown.getStackTrace();
        return isMadeByJvm(thrown) || stack.length == 0 || isOfPlatform(stack[0].getClassName()) ? 'I' : 'E';
    }

    private static boolean isMadeByJvm(Throwable thrown) {
        return thrown instanceof NullPointerException || thrown instanceof ArithmeticException
                || thrown instanceof ClassCastException || thrown instanceof ArrayIndexOutOfBoundsException
                || thrown instanceof NegativeArraySizeException || thrown instanceof ArrayStoreException
                || thrown instanceof IllegalMonitorStateException || thrown instanceof LinkageError;
    }

    private static boolean isOfPlatform(String name) {
        return name.startsWith("java.") || name.startsWith("javax.") || name.startsWith("jdk.") || name.startsWith("sun.")
                || name.startsWith("com.sun.");
    }

    /** Its class; that of all exceptions of a class that could not be initialized is the same. */
    private static String lasting(Throwable thrown) {
        String message = thrown.getMessage();
        boolean isLater = thrown.getClass() == NoClassDefFoundError.class && message != null
                && message.startsWith("Could not initialize class");
        return isLater || thrown instanceof ExceptionInInitializerError
                ? "java/lang/LinkageError"
                : internal(thrown.getClass());
    }
}
