package covolve.runner;

import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Properties;
import java.util.TimeZone;

/** The state of the JDK that tests share, kept aside and put back between runs. */
final class Surroundings {
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

    static void silence() {
        System.setIn(new ByteArrayInputStream(new byte[0]));
        System.setOut(new PrintStream(new Nothing()));
        System.setErr(new PrintStream(new Nothing()));
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
