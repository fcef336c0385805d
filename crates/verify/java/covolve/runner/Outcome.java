package covolve.runner;

/** How a test ended. */
final class Outcome {
    static final int PASSED = 0;
    static final int FAILED = 1;
    static final int SKIPPED = 2;
    static final int HUNG = 3;

    final int kind;
    final String exception;
    final String message;
    /** Line of the test file that was running, 0 if unknown. */
    final int line;

    private Outcome(int kind, String exception, String message, int line) {
        this.kind = kind;
        this.exception = exception;
        this.message = message;
        this.line = line;
    }

    static Outcome passed() {
        return new Outcome(PASSED, "", "", 0);
    }

    /** The test passed, and what it left behind makes others fail. */
    static Outcome left(String what) {
        return new Outcome(FAILED, what, "", 0);
    }

    static Outcome skipped(String reason) {
        return new Outcome(SKIPPED, "", reason, 0);
    }

    static Outcome hung(Thread thread, String testClass, String method) {
        return new Outcome(HUNG, "", "", line(thread.getStackTrace(), testClass, method));
    }

    static Outcome failed(Throwable thrown, String testClass, String method) {
        if (thrown == null) {
            return new Outcome(FAILED, "", "", 0);
        }
        String message;
        int line;
        try {
            // The exception may be the project's own: its methods can throw, too.
            message = message(thrown);
            line = line(thrown.getStackTrace(), testClass, method);
        } catch (Throwable worse) {
            message = "";
            line = 0;
        }
        return new Outcome(FAILED, thrown.getClass().getName(), message, line);
    }

    /** What an exception says: of a class that cannot be initialized its cause as well, which is all that tells why. */
    private static String message(Throwable thrown) {
        String message = thrown.getMessage();
        Throwable cause = thrown.getCause();
        if (!(thrown instanceof LinkageError) || cause == null) {
            return message;
        }
        return message == null ? cause.toString() : message + ": " + cause;
    }

    /** The line of the test method itself; of a lambda in it only where the method is not on the stack. */
    private static int line(StackTraceElement[] trace, String testClass, String method) {
        int inside = 0;
        for (int index = trace.length - 1; index >= 0; index--) {
            StackTraceElement frame = trace[index];
            if (frame.getClassName().equals(testClass)) {
                if (frame.getMethodName().equals(method)) {
                    return Math.max(frame.getLineNumber(), 0);
                }
                inside = inside == 0 ? Math.max(frame.getLineNumber(), 0) : inside;
            }
        }
        return inside;
    }
}
