package covolve.judge;

import java.io.File;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs tests of one class in a plain JVM and writes down what each shows.
 *
 * <p>Arguments: the file to write; a file with the names of the methods; a file with the binary names of the classes with
 * goals; the class path, tests first; the test class; "shared" for one class loader or "fresh" for one per test;
 * "values" or "coverage".
 */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws Exception {
        Record.open(Paths.get(arguments[0]));
        List<String> methods = Files.readAllLines(Paths.get(arguments[1]));
        List<String> goals = Files.readAllLines(Paths.get(arguments[2]));
        URL[] classPath = classPath(arguments[3]);
        boolean fresh = arguments[5].equals("fresh");
        Coverage coverage = arguments[6].equals("coverage") ? new Coverage() : null;
        ClassLoader loader = null;
        for (String method : methods) {
            if (loader == null || fresh) {
                boolean first = loader == null;
                loader = new URLClassLoader(classPath, Main.class.getClassLoader());
                Thread.currentThread().setContextClassLoader(loader);
                initialize(goals, loader);
                if (coverage != null) {
                    coverage.initialized(goals, loader, first);
                }
            }
            run(loader.loadClass(arguments[4]), method, coverage);
        }
        Record.line("DONE");
        System.exit(0);
    }

    private static URL[] classPath(String entries) throws Exception {
        List<URL> urls = new ArrayList<>();
        for (String entry : entries.split(File.pathSeparator)) {
            Path path = Paths.get(entry);
            urls.add(path.toUri().toURL());
        }
        return urls.toArray(new URL[0]);
    }

    /** As the executor does it: all classes with goals, in order, before the first test. */
    private static void initialize(List<String> goals, ClassLoader loader) {
        for (String goal : goals) {
            try {
                Class.forName(goal, true, loader);
            } catch (Throwable failure) {
                Record.line("UNINITIALIZED", goal, failure.toString());
            }
        }
    }

    private static void run(Class<?> tests, String name, Coverage coverage) throws Exception {
        Record.line("BEGIN", name);
        Constructor<?> constructor = tests.getDeclaredConstructor();
        constructor.setAccessible(true);
        Method method = tests.getDeclaredMethod(name);
        method.setAccessible(true);
        Object instance = constructor.newInstance();
        if (coverage != null) {
            coverage.begin();
        }
        Throwable thrown = null;
        try {
            method.invoke(instance);
        } catch (InvocationTargetException exception) {
            thrown = exception.getCause();
        }
        if (coverage != null) {
            coverage.end();
        }
        if (thrown == null) {
            Record.line("END", "0", "nothing", "");
        } else {
            Record.line("END", Record.lineOf(thrown), thrown.getClass().getName(), text(thrown));
        }
    }

    private static String text(Throwable thrown) {
        try {
            return String.valueOf(thrown.getMessage());
        } catch (Throwable failure) {
            return "?";
        }
    }
}
