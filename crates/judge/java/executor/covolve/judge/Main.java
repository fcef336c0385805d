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
import java.util.Collections;
import java.util.List;

/**
 * Runs tests of one class in a plain JVM and writes down what each shows.
 *
 * <p>Arguments: the file to write; a file with the names of the methods; a file with the binary names of the classes with
 * goals; the class path, tests first; the test class; "shared" for one class loader, "fresh" for one per test, "prepared"
 * for one per test in which the classes that the test loads are initialized before it begins; "values" or "coverage".
 */
public final class Main {
    private final List<String> goals;
    private final URL[] classPath;
    private final String tests;
    private final Coverage coverage;

    private Main(String[] arguments) throws Exception {
        goals = Files.readAllLines(Paths.get(arguments[2]));
        classPath = classPath(arguments[3]);
        tests = arguments[4];
        coverage = arguments[6].equals("coverage") ? new Coverage() : null;
    }

    public static void main(String[] arguments) throws Exception {
        Record.open(Paths.get(arguments[0]));
        Main main = new Main(arguments);
        String mode = arguments[5];
        Loader loader = null;
        for (String method : Files.readAllLines(Paths.get(arguments[1]))) {
            if (loader == null || !mode.equals("shared")) {
                loader = main.loader(Collections.emptyList(), loader == null);
            }
            if (mode.equals("prepared")) {
                Record.mute(true);
                main.run(loader, method);
                Record.mute(false);
                loader = main.loader(new ArrayList<>(loader.loaded), false);
            }
            main.run(loader, method);
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

    /** As in the executor, all classes with goals are initialized, in order, before a test. */
    private Loader loader(List<String> others, boolean first) throws Exception {
        Loader loader = new Loader(classPath);
        Thread.currentThread().setContextClassLoader(loader);
        if (coverage != null) {
            for (String goal : goals) {
                Coverage.hideMembers(Class.forName(goal, false, loader));
            }
        }
        initialize(goals, loader);
        if (coverage != null && first) {
            coverage.initialized(goals, loader);
        }
        Record.mute(true);
        initialize(others, loader);
        Record.mute(false);
        return loader;
    }

    private static void initialize(List<String> names, ClassLoader loader) {
        for (String name : names) {
            try {
                Class.forName(name, true, loader);
            } catch (Throwable failure) {
                Record.line("UNINITIALIZED", name, failure.toString());
            }
        }
    }

    private void run(ClassLoader loader, String name) throws Exception {
        Record.line("BEGIN", name);
        Class<?> type = loader.loadClass(tests);
        Constructor<?> constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        Method method = type.getDeclaredMethod(name);
        method.setAccessible(true);
        Object instance = constructor.newInstance();
        File folder = Folder.give(instance);
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
        Folder.remove(folder);
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

    /** Loads the class path, and knows what it loaded. */
    private static final class Loader extends URLClassLoader {
        private final List<String> loaded = Collections.synchronizedList(new ArrayList<>());

        Loader(URL[] classPath) {
            super(classPath, Main.class.getClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            Class<?> found = super.findClass(name);
            loaded.add(name);
            return found;
        }
    }
}
