package covolve.judge;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.reflect.Array;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a run shows, a line each, its parts separated by tabs. Flushed at once, since the JVM may die. */
public final class Record {
    private static PrintWriter out;
    private static boolean muted;

    private Record() {}

    static void open(Path file) throws IOException {
        out = new PrintWriter(Files.newBufferedWriter(file));
    }

    /** Whether what follows is only tried. */
    static void mute(boolean on) {
        muted = on;
    }

    static synchronized void line(String... parts) {
        if (muted) {
            return;
        }
        StringBuilder text = new StringBuilder();
        for (String part : parts) {
            text.append(text.length() == 0 ? "" : "\t").append(escaped(part));
        }
        out.println(text);
        out.flush();
    }

    /** An assertion; those that hold leave no line. */
    public static void check(boolean holds, Object expected, Object actual) {
        if (!holds) {
            line("FAIL", caller(), show(expected), show(actual));
        }
    }

    /** The exception that an assertion waited for, or null. */
    public static void thrown(Throwable thrown) {
        line("THREW", caller(), thrown == null ? "nothing" : thrown.getClass().getName());
    }

    /** The line of the test that called the assertion. */
    private static String caller() {
        for (StackTraceElement frame : new Throwable().getStackTrace()) {
            if (frame.getClassName().endsWith("CovolveTest")) {
                return Integer.toString(frame.getLineNumber());
            }
        }
        return "0";
    }

    /** The line of the test that an exception came through. */
    static String lineOf(Throwable thrown) {
        for (StackTraceElement frame : thrown.getStackTrace()) {
            if (frame.getClassName().endsWith("CovolveTest")) {
                return Integer.toString(frame.getLineNumber());
            }
        }
        return "0";
    }

    private static String show(Object value) {
        if (value == null) {
            return "null";
        }
        if (value.getClass().isArray()) {
            StringBuilder text = new StringBuilder("{");
            for (int index = 0; index < Array.getLength(value) && text.length() < 500; index++) {
                text.append(index == 0 ? "" : ", ").append(show(Array.get(value, index)));
            }
            return text.append('}').toString();
        }
        String text;
        try {
            text = String.valueOf(value);
        } catch (Throwable thrown) {
            text = "?";
        }
        return value.getClass().getName() + " " + (text.length() > 500 ? text.substring(0, 500) : text);
    }

    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        for (char unit : text.toCharArray()) {
            if (unit >= ' ' && unit < 127 && unit != '\\') {
                escaped.append(unit);
            } else {
                escaped.append(String.format("\\u%04x", (int) unit));
            }
        }
        return escaped.toString();
    }
}
