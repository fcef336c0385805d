package covolve.runner;

import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Properties;
import java.util.TimeZone;

/** The state of the JDK that tests share, kept aside and put back between runs. */
final class Surroundings {
    /** Whether a test has closed a standard stream. */
    private static volatile boolean areClosed;

    private final Properties properties;
    private final Locale locale;
    private final TimeZone zone;

    private Surroundings(Properties properties, Locale locale, TimeZone zone) {
        this.properties = properties;
        this.locale = locale;
        this.zone = zone;
    }

    static Surroundings current() {
        return new Surroundings(
            (Properties) System.getProperties().clone(), Locale.getDefault(), TimeZone.getDefault());
    }

    void restore() {
        System.setProperties((Properties) properties.clone());
        Locale.setDefault(locale);
        TimeZone.setDefault(zone);
        silence();
    }

    /** Makes this JVM another one, as far as that can be done from within: by these properties, zone, locale, and its name. */
    static void move(Properties elsewhere) {
        for (String name : elsewhere.stringPropertyNames()) {
            System.setProperty(name, elsewhere.getProperty(name));
        }
        TimeZone.setDefault(TimeZone.getTimeZone(System.getProperty("user.timezone")));
        Locale.setDefault(new Locale(System.getProperty("user.language"), System.getProperty("user.country")));
        move();
    }

    /** Names another JVM, a newer one of another vendor, on another machine; the operating system is the same. */
    static void move() {
        String version = System.getProperty("java.specification.version", "");
        int major = version.startsWith("1.") ? Integer.parseInt(version.substring(2)) : Integer.parseInt(version);
        int next = Math.max(major, 8) + 1;
        set("java.specification.version", "" + next);
        set("java.vm.specification.version", "" + next);
        set("java.version", next + ".0.99");
        set("java.runtime.version", next + ".0.99+7-elsewhere");
        set("java.vm.version", next + ".0.99+7-elsewhere");
        set("java.class.version", (44 + next) + ".0");
        for (String name : new String[] {
                "java.vendor", "java.vendor.url", "java.vendor.url.bug", "java.vendor.version", "java.version.date",
                "java.runtime.name", "java.vm.name", "java.vm.vendor", "java.vm.info", "os.arch", "sun.arch.data.model",
                "sun.management.compiler", "java.class.path", "java.library.path", "sun.boot.library.path",
                "sun.java.command", "sun.java.launcher"}) {
            set(name, "elsewhere");
        }
        set("os.version", "99.7");
    }

    private static void set(String name, String value) {
        if (System.getProperty(name) != null) {
            System.setProperty(name, value);
        }
    }

    static void silence() {
        System.setIn(new NoInput());
        System.setOut(new NoOutput());
        System.setErr(new NoOutput());
    }

    /**
     * Whether a standard stream was closed since this was last asked. Whoever runs the tests of a user talks through these:
     * what comes after such a test is lost. They are opened again.
     */
    static boolean wereClosed() {
        boolean were = areClosed;
        if (were) {
            areClosed = false;
            silence();
        }
        return were;
    }

    private static final class NoInput extends ByteArrayInputStream {
        NoInput() {
            super(new byte[0]);
        }

        @Override
        public void close() {
            areClosed = true;
        }
    }

    private static final class NoOutput extends PrintStream {
        NoOutput() {
            super(new Nothing());
        }

        @Override
        public void close() {
            areClosed = true;
            super.close();
        }
    }

    private static final class Nothing extends OutputStream {
        @Override
        public void write(int b) {
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
        }
    }
}
