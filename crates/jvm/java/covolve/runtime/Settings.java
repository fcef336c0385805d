package covolve.runtime;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.TimeZone;

/** Settings of the JVM that tests make, as the statements of the test file make them. */
public final class Settings {
    private Settings() {}

    /** Sets a system property. */
    public static void property(String name, String value) {
        System.setProperty(name, value);
    }

    /** Gives standard input this text. */
    public static void input(String text) {
        System.setIn(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Sets the default locale by its language tag. */
    public static void locale(String tag) {
        Locale.setDefault(Locale.forLanguageTag(tag));
    }

    /** Sets the default zone by its name. */
    public static void zone(String id) {
        TimeZone.setDefault(TimeZone.getTimeZone(id));
    }
}
