import covolve.runtime.Mutant;
import covolve.runtime.Probe;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;

/**
 * Runs static methods of an instrumented class as lines on standard input tell, each as a run of its own, and prints
 * what the probes recorded. Arguments: the class, numbers of probes, outcomes and static fields. A line: method, step
 * budget, behind an @ the mutant to be selected, and the arguments of the method, separated by tabs.
 */
public class Driver {
    public static void main(String[] arguments) throws Exception {
        Class<?> tested = Class.forName(arguments[0], false, Driver.class.getClassLoader());
        int outcomes = Integer.parseInt(arguments[2]);
        Probe.install(Integer.parseInt(arguments[1]), outcomes, Integer.parseInt(arguments[3]));
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] parts = line.split("\t", -1);
            Method method = find(tested, parts[0]);
            Object[] values = new Object[method.getParameterCount()];
            for (int i = 0; i < values.length; i++) {
                values[i] = value(method.getParameterTypes()[i], parts[i + 2]);
            }
            String ending;
            String[] budget = parts[1].split("@");
            Mutant.active = budget.length > 1 ? Integer.parseInt(budget[1]) : -1;
            Probe.begin(Integer.parseInt(budget[0]));
            try {
                Object result = method.invoke(null, values);
                Probe.end();
                ending = "returned " + result;
            } catch (InvocationTargetException thrown) {
                Probe.end();
                ending = "threw " + thrown.getCause().getClass().getName();
            }
            print(ending, outcomes);
        }
    }

    private static Method find(Class<?> tested, String name) {
        for (Method method : tested.getDeclaredMethods()) {
            if (method.getName().equals(name)) {
                method.setAccessible(true);
                return method;
            }
        }
        throw new AssertionError(name);
    }

    /** Values as text; of a reference: null, "a string, or the type's name and a text. */
    private static Object value(Class<?> type, String text) {
        if (type == int.class) {
            return Integer.valueOf(text);
        } else if (type == long.class) {
            return Long.valueOf(text);
        } else if (type == float.class) {
            return Float.valueOf(text);
        } else if (type == double.class) {
            return Double.valueOf(text);
        } else if (type == boolean.class) {
            return Boolean.valueOf(text);
        } else if (type == char.class) {
            return text.charAt(0);
        } else if (text.equals("null")) {
            return null;
        } else if (text.startsWith("\"")) {
            return new String(text.substring(1));
        }
        String content = text.substring(text.indexOf(' ') + 1);
        switch (text.substring(0, text.indexOf(' '))) {
            case "Integer":
                return new Integer(content);
            case "Long":
                return new Long(content);
            case "Double":
                return new Double(content);
            case "Character":
                return new Character(content.charAt(0));
            case "Boolean":
                return new Boolean(content);
            case "StringBuilder":
                return new StringBuilder(content);
            default:
                return new Object();
        }
    }

    private static void print(String ending, int outcomes) {
        StringBuilder out = new StringBuilder(ending).append("\t");
        for (int i = 1; i <= Probe.touched[0]; i++) {
            int probe = Probe.touched[i];
            out.append(probe).append('=').append(Probe.counts[probe]).append(' ');
        }
        out.append('\t');
        for (int i = 0; i < outcomes; i++) {
            out.append(Probe.distances[i]).append(' ');
        }
        out.append('\t');
        for (int i = 1; i <= Probe.touched[0]; i++) {
            for (int at = 2 * Probe.touched[i]; at < 2 * Probe.touched[i] + 2; at++) {
                out.append(operand(at));
            }
        }
        out.append('\t').append(Probe.steps);
        out.append('\t').append(Probe.stopped).append(' ').append(Probe.exited);
        out.append('\t').append(Probe.thrown == null ? "" : Probe.thrown.getClass().getName()).append('\t');
        for (int i = 1; i <= Probe.savedStatics[0]; i++) {
            int field = Probe.savedStatics[i];
            out.append(field).append('=').append(Probe.savedBits[field]).append('/');
            out.append(Probe.savedReferences[field]).append(' ');
        }
        System.out.println(out);
    }

    private static String operand(int at) {
        switch (Probe.operandKinds[at]) {
            case 0:
                return "";
            case 1:
                return at + "=" + Probe.operands[at] + ";";
            case 2:
                return at + "=" + Double.longBitsToDouble(Probe.operands[at]) + "d;";
            default:
                return at + "=\"" + Probe.texts[at] + ";";
        }
    }

    static {
        // Reflection is to be ready before the first run, so that it does not spend steps of initializers.
        Arrays.asList(Driver.class.getDeclaredMethods());
    }
}
