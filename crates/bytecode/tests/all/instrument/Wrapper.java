import covolve.runtime.Probe;

/** Runs the main method of a class while its probes, if it has any, record. */
public class Wrapper {
    public static void main(String[] arguments) throws Throwable {
        Probe.install(100000, 200000, 10);
        java.lang.reflect.Method main = Class.forName(arguments[0]).getMethod("main", String[].class);
        Probe.begin(Integer.MAX_VALUE);
        Object[] none = {new String[0]};
        try {
            main.invoke(null, none);
        } finally {
            Probe.end();
        }
    }
}
