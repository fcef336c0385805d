import java.io.IOException;
import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Collections;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the tests of a jar and writes down how each ends.
 *
 * <p>Arguments: the file to write; the jar; the pattern of test classes; numbers of probes, outcomes and static fields
 * when the classes are instrumented: each test is then a run that the probes record.
 */
public final class PublishedTests implements TestExecutionListener {
    private final PrintWriter out;
    private Method begin;
    private Method end;

    private PublishedTests(String[] arguments) throws IOException, ReflectiveOperationException {
        out = new PrintWriter(Files.newBufferedWriter(Paths.get(arguments[0])));
        if (arguments.length > 3) {
            Class<?> probe = Class.forName("covolve.runtime.Probe");
            probe.getMethod("install", int.class, int.class, int.class)
                    .invoke(null, number(arguments[3]), number(arguments[4]), number(arguments[5]));
            begin = probe.getMethod("begin", int.class);
            end = probe.getMethod("end");
        }
    }

    private static int number(String text) {
        return Integer.parseInt(text);
    }

    public static void main(String[] arguments) throws Exception {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClasspathRoots(Collections.singleton(Paths.get(arguments[1]))))
                .filters(ClassNameFilter.includeClassNamePatterns(arguments[2]))
                .build();
        PublishedTests listener = new PublishedTests(arguments);
        LauncherFactory.create().execute(request, listener);
        listener.out.println("DONE");
        listener.out.close();
        // What tests have started must not keep the JVM alive; with probes in place no call ends it.
        listener.call(listener.end);
        Runtime.getRuntime().halt(0);
    }

    private void call(Method method, Object... arguments) {
        if (method == null) {
            return;
        }
        try {
            method.invoke(null, arguments);
        } catch (IllegalAccessException | InvocationTargetException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (test.isTest()) {
            call(begin, Integer.MAX_VALUE);
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (test.isTest()) {
            call(end);
        }
        String thrown = result.getThrowable().map(it -> it.getClass().getName() + " " + it.getMessage()).orElse("");
        write(test, result.getStatus().name(), thrown);
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        write(test, "SKIPPED", "");
    }

    private void write(TestIdentifier test, String status, String thrown) {
        out.println(clean(test.getUniqueId()) + "\t" + (test.isTest() ? "test" : "container") + "\t" + status + "\t"
                + clean(thrown));
        out.flush();
    }

    private static String clean(String text) {
        String clean = text.replaceAll("[^ -~]", "?");
        return clean.length() > 400 ? clean.substring(0, 400) : clean;
    }
}
