package covolve.runner;

import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * JUnit 5 and newer through the launcher of the JUnit platform, by reflection, so that it is built without JUnit
 * and runs with every release. Methods are selected, and so run, in order. JUnit runs those of a class together, so that
 * all tests of a run are one plan only where a class does not come again behind another one. A test with a number, as
 * {@code parse[2]}, is that row of a parameterized test; JUnit runs the rows of one together, in their order.
 */
final class Jupiter implements TestRunner.Framework {
    private static final String LAUNCHER = "org.junit.platform.launcher.";
    /** What stands before the number of a row in JUnit's path to it. */
    private static final String INVOCATION = "[test-template-invocation:#";

    private final Object launcher;
    private final Method execute;
    private final Class<?> listenerClass;
    private final Method selectMethod;
    private final Method selectClass;
    private final Method selectUniqueId;
    private final Method forEngine;
    private final Method append;
    private final Method uniqueId;
    private final Class<?> selectorClass;
    private final Class<?> builderClass;
    private final Method source;
    private final Method isTest;
    private final Class<?> methodSource;
    private final Class<?> classSource;

    Jupiter() throws ReflectiveOperationException {
        Thread thread = Thread.currentThread();
        ClassLoader context = thread.getContextClassLoader();
        // Engines are found through the context class loader: only those of the JUnit we were started with.
        thread.setContextClassLoader(Jupiter.class.getClassLoader());
        try {
            launcher = Class.forName(LAUNCHER + "core.LauncherFactory").getMethod("create").invoke(null);
        } finally {
            thread.setContextClassLoader(context);
        }
        listenerClass = Class.forName(LAUNCHER + "TestExecutionListener");
        Class<?> requestClass = Class.forName(LAUNCHER + "LauncherDiscoveryRequest");
        execute = Class.forName(LAUNCHER + "Launcher").getMethod(
            "execute", requestClass, Array.newInstance(listenerClass, 0).getClass());
        builderClass = Class.forName(LAUNCHER + "core.LauncherDiscoveryRequestBuilder");
        selectorClass = Class.forName("org.junit.platform.engine.DiscoverySelector");
        Class<?> selectors = Class.forName("org.junit.platform.engine.discovery.DiscoverySelectors");
        selectMethod = selectors.getMethod("selectMethod", Class.class, String.class);
        Class<?> path = Class.forName("org.junit.platform.engine.UniqueId");
        selectUniqueId = selectors.getMethod("selectUniqueId", path);
        forEngine = path.getMethod("forEngine", String.class);
        append = path.getMethod("append", String.class, String.class);
        selectClass = selectors.getMethod("selectClass", Class.class);
        Class<?> identifier = Class.forName(LAUNCHER + "TestIdentifier");
        uniqueId = identifier.getMethod("getUniqueId");
        source = identifier.getMethod("getSource");
        isTest = identifier.getMethod("isTest");
        methodSource = Class.forName("org.junit.platform.engine.support.descriptor.MethodSource");
        classSource = Class.forName("org.junit.platform.engine.support.descriptor.ClassSource");
    }

    @Override
    public void run(Main.Run tests, ClassLoader loader, Progress progress) throws Exception {
        int from = 0;
        do {
            int to = endOfPlan(tests.classes, from);
            runPlan(tests, from, to, loader, progress);
            from = to;
        } while (from < tests.classes.size());
    }

    /** Where a plan ends that begins with a test: before a class comes again behind another one. */
    private static int endOfPlan(List<String> classes, int from) {
        Set<String> left = new HashSet<>();
        for (int index = from + 1; index < classes.size(); index++) {
            if (!classes.get(index).equals(classes.get(index - 1))) {
                left.add(classes.get(index - 1));
                if (left.contains(classes.get(index))) {
                    return index;
                }
            }
        }
        return classes.size();
    }

    private void runPlan(Main.Run tests, int from, int to, ClassLoader loader, Progress progress) throws Exception {
        List<Object> selectors = new ArrayList<>();
        Map<String, Throwable> broken = new LinkedHashMap<>();
        for (int index = from; index < to; index++) {
            String name = tests.classes.get(index);
            try {
                Class<?> test = Class.forName(name, false, loader);
                // JUnit only logs what keeps it from looking at the methods, and finds no test.
                test.getDeclaredMethods();
                selectors.add(selector(test, tests.methods.get(index)));
            } catch (ClassNotFoundException | LinkageError | SecurityException missing) {
                broken.put(name, missing);
            }
        }
        for (int index = from; index < to; index++) {
            if (broken.containsKey(tests.classes.get(index))) {
                progress.failed(index, broken.get(tests.classes.get(index)));
            }
        }
        Object builder = builderClass.getMethod("request").invoke(null);
        execute(builder, selectors, new Listener(tests, from, to, progress));
    }

    /** Runs all tests of a class, those of nested ones too, one after another, and tells how each ended. */
    void runClass(Class<?> testClass, OwnTests.Listener listener) throws Exception {
        Object builder = builderClass.getMethod("request").invoke(null);
        // What the tests of a project cover is told apart by when they end.
        builderClass.getMethod("configurationParameter", String.class, String.class)
            .invoke(builder, "junit.jupiter.execution.parallel.enabled", "false");
        List<Object> selectors = Collections.singletonList(selectClass.invoke(null, testClass));
        execute(builder, selectors, (proxy, method, arguments) -> {
            if (method.getDeclaringClass() == Object.class) {
                return ofObject(proxy, method, arguments);
            }
            if (method.getName().equals("executionFinished")) {
                boolean hasPassed = isSuccessful(arguments[1]);
                // A container that fails takes its tests with it, without naming them.
                if ((Boolean) isTest.invoke(arguments[0]) || !hasPassed) {
                    listener.finished(hasPassed);
                }
            }
            return null;
        });
    }

    private static boolean isSuccessful(Object result) throws ReflectiveOperationException {
        return result.getClass().getMethod("getStatus").invoke(result).toString().equals("SUCCESSFUL");
    }

    private static Object ofObject(Object proxy, Method method, Object[] arguments) {
        switch (method.getName()) {
            case "hashCode":
                return System.identityHashCode(proxy);
            case "equals":
                return proxy == arguments[0];
            default:
                return "Listener";
        }
    }

    private void execute(Object builder, List<Object> selectors, InvocationHandler listener)
            throws ReflectiveOperationException {
        Object array = Array.newInstance(selectorClass, selectors.size());
        for (int index = 0; index < selectors.size(); index++) {
            Array.set(array, index, selectors.get(index));
        }
        builderClass.getMethod("selectors", array.getClass()).invoke(builder, array);
        Object request = builderClass.getMethod("build").invoke(builder);
        Object listeners = Array.newInstance(listenerClass, 1);
        Array.set(listeners, 0, Proxy.newProxyInstance(
            Jupiter.class.getClassLoader(), new Class<?>[] {listenerClass}, listener));
        execute.invoke(launcher, request, listeners);
    }

    private Object selector(Class<?> test, String name) throws ReflectiveOperationException {
        String method = Progress.methodOf(name);
        if (method.equals(name)) {
            return selectMethod.invoke(null, test, name);
        }
        Object path = append.invoke(pathOf(test), "test-template", method + "(" + parameters(test, method) + ")");
        String row = name.substring(method.length() + 1, name.length() - 1);
        return selectUniqueId.invoke(null, append.invoke(path, "test-template-invocation", "#" + row));
    }

    /** Where JUnit has a class: those that it is nested in come first. */
    private Object pathOf(Class<?> test) throws ReflectiveOperationException {
        Class<?> outer = test.getEnclosingClass();
        if (outer == null || Modifier.isStatic(test.getModifiers())) {
            return append.invoke(forEngine.invoke(null, "junit-jupiter"), "class", test.getName());
        }
        return append.invoke(pathOf(outer), "nested-class", test.getSimpleName());
    }

    /** The parameter types of a method, as JUnit writes them. No other method of a test class has its name. */
    private static String parameters(Class<?> test, String name) {
        StringBuilder parameters = new StringBuilder();
        for (Method method : test.getDeclaredMethods()) {
            if (method.getName().equals(name)) {
                for (Class<?> parameter : method.getParameterTypes()) {
                    parameters.append(parameters.length() == 0 ? "" : ", ").append(parameter.getName());
                }
                return parameters.toString();
            }
        }
        return "";
    }

    private final class Listener implements InvocationHandler {
        private final Main.Run tests;
        private final int from;
        private final int to;
        private final Progress progress;

        Listener(Main.Run tests, int from, int to, Progress progress) {
            this.tests = tests;
            this.from = from;
            this.to = to;
            this.progress = progress;
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            if (method.getDeclaringClass() == Object.class) {
                return ofObject(proxy, method, arguments);
            }
            switch (method.getName()) {
                case "executionStarted":
                    progress.started(index(arguments[0]));
                    return null;
                case "executionSkipped":
                    progress.skipped(index(arguments[0]), (String) arguments[1]);
                    return null;
                case "executionFinished":
                    finished(arguments[0], arguments[1]);
                    return null;
                default:
                    return null;
            }
        }

        private int index(Object identifier) throws ReflectiveOperationException {
            Object place = ((Optional<?>) source.invoke(identifier)).orElse(null);
            if (!(Boolean) isTest.invoke(identifier) || !methodSource.isInstance(place)) {
                return -1;
            }
            return progress.index(
                (String) methodSource.getMethod("getClassName").invoke(place),
                methodSource.getMethod("getMethodName").invoke(place) + row((String) uniqueId.invoke(identifier)));
        }

        /** The row that a test of JUnit's is, in brackets; nothing for one that is a method. */
        private String row(String path) {
            int number = path.lastIndexOf(INVOCATION);
            return number < 0 ? "" : "[" + path.substring(number + INVOCATION.length());
        }

        private void finished(Object identifier, Object result) throws ReflectiveOperationException, IOException {
            String status = result.getClass().getMethod("getStatus").invoke(result).toString();
            Object thrown = ((Optional<?>) result.getClass().getMethod("getThrowable").invoke(result)).orElse(null);
            int index = index(identifier);
            if (status.equals("SUCCESSFUL")) {
                progress.passed(index);
            } else if (index >= 0 && status.equals("ABORTED")) {
                progress.skipped(index, "aborted");
            } else if (index >= 0) {
                progress.failed(index, (Throwable) thrown);
            } else {
                container(identifier, (Throwable) thrown);
            }
        }

        /** A class or parameterized test that does not start takes all its tests with it, without naming them. */
        private void container(Object identifier, Throwable thrown) throws ReflectiveOperationException, IOException {
            Object place = ((Optional<?>) source.invoke(identifier)).orElse(null);
            boolean isMethod = methodSource.isInstance(place);
            if (!isMethod && !classSource.isInstance(place)) {
                return;
            }
            String name = (String) place.getClass().getMethod("getClassName").invoke(place);
            Object method = isMethod ? methodSource.getMethod("getMethodName").invoke(place) : null;
            for (int index = from; index < to; index++) {
                String testClass = tests.classes.get(index);
                boolean isWithin = isMethod
                    ? testClass.equals(name) && Progress.methodOf(tests.methods.get(index)).equals(method)
                    : testClass.equals(name) || testClass.startsWith(name + "$");
                if (isWithin) {
                    progress.failed(index, thrown);
                }
            }
        }
    }
}
