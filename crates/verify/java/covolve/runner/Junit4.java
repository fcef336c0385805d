package covolve.runner;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/**
 * JUnit 4 by reflection, so that it is built without JUnit and runs with every release: {@code JUnitCore},
 * {@code Request.method} and {@code Result}, one test at a time.
 */
final class Junit4 implements TestRunner.Framework {
    private final Constructor<?> core;
    private final Method run;
    private final Method request;
    private final Method requestOfClass;
    private final Method filter;
    private final Method runner;
    private final Method description;
    private final Method children;
    private final Method failures;
    private final Method ignored;
    private final Method assumptions;
    private final Method exception;

    Junit4() throws ReflectiveOperationException {
        Class<?> coreClass = Class.forName("org.junit.runner.JUnitCore");
        Class<?> requestClass = Class.forName("org.junit.runner.Request");
        Class<?> resultClass = Class.forName("org.junit.runner.Result");
        core = coreClass.getConstructor();
        run = coreClass.getMethod("run", requestClass);
        request = requestClass.getMethod("method", Class.class, String.class);
        Class<?> descriptionClass = Class.forName("org.junit.runner.Description");
        requestOfClass = requestClass.getMethod("aClass", Class.class);
        filter = requestClass.getMethod("filterWith", descriptionClass);
        runner = requestClass.getMethod("getRunner");
        description = Class.forName("org.junit.runner.Describable").getMethod("getDescription");
        children = descriptionClass.getMethod("getChildren");
        failures = resultClass.getMethod("getFailures");
        ignored = resultClass.getMethod("getIgnoreCount");
        assumptions = assumptions(resultClass);
        exception = Class.forName("org.junit.runner.notification.Failure").getMethod("getException");
    }

    @Override
    public void run(Main.Run tests, ClassLoader loader, Progress progress) throws Exception {
        for (int index = 0; index < tests.classes.size(); index++) {
            progress.started(index);
            Object result;
            try {
                Class<?> testClass = Class.forName(tests.classes.get(index), true, loader);
                result = run.invoke(core.newInstance(), request.invoke(null, testClass, tests.methods.get(index)));
            } catch (ClassNotFoundException | LinkageError | SecurityException broken) {
                progress.failed(index, broken);
                continue;
            }
            List<?> failed = (List<?>) failures.invoke(result);
            if (!failed.isEmpty()) {
                progress.failed(index, (Throwable) exception.invoke(failed.get(0)));
            } else if ((Integer) ignored.invoke(result) > 0) {
                progress.skipped(index, "ignored");
            } else {
                progress.passed(index);
            }
        }
    }

    /** Runs all tests of a class, one at a time, and tells how each ended. */
    void runClass(Class<?> testClass, OwnTests.Listener listener) throws Exception {
        List<Object> tests = new ArrayList<>();
        addTests(description.invoke(runner.invoke(requestOfClass.invoke(null, testClass))), tests);
        for (Object test : tests) {
            // A request keeps its runner, and filters of one runner add up.
            Object one = filter.invoke(requestOfClass.invoke(null, testClass), test);
            Object result = run.invoke(core.newInstance(), one);
            boolean hasRun = (Integer) ignored.invoke(result) == 0 && assumedWrongly(result) == 0;
            listener.finished(hasRun && ((List<?>) failures.invoke(result)).isEmpty());
        }
    }

    private int assumedWrongly(Object result) throws ReflectiveOperationException {
        return assumptions == null ? 0 : (Integer) assumptions.invoke(result);
    }

    /** Gives the number of tests that assumed what does not hold; null before JUnit 4.13, which does not count them. */
    private static Method assumptions(Class<?> resultClass) {
        try {
            return resultClass.getMethod("getAssumptionFailureCount");
        } catch (NoSuchMethodException old) {
            return null;
        }
    }

    private void addTests(Object described, List<Object> tests) throws ReflectiveOperationException {
        List<?> below = (List<?>) children.invoke(described);
        if (below.isEmpty()) {
            tests.add(described);
        }
        for (Object child : below) {
            addTests(child, tests);
        }
    }
}
