package covolve.runner;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.List;

/**
 * JUnit 4 by reflection, so that it is built without JUnit and runs with every release: {@code JUnitCore},
 * {@code Request.method} and {@code Result}, one test at a time.
 */
final class Junit4 implements TestRunner.Framework {
    private final Constructor<?> core;
    private final Method run;
    private final Method request;
    private final Method failures;
    private final Method ignored;
    private final Method exception;

    Junit4() throws ReflectiveOperationException {
        Class<?> coreClass = Class.forName("org.junit.runner.JUnitCore");
        Class<?> requestClass = Class.forName("org.junit.runner.Request");
        Class<?> resultClass = Class.forName("org.junit.runner.Result");
        core = coreClass.getConstructor();
        run = coreClass.getMethod("run", requestClass);
        request = requestClass.getMethod("method", Class.class, String.class);
        failures = resultClass.getMethod("getFailures");
        ignored = resultClass.getMethod("getIgnoreCount");
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
}
