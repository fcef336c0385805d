package covolve.runtime;

import java.io.InputStream;

/**
 * Standard input as a run finds it: at its end. Tells when it is read, since what the user's JVM finds there is typed by someone, or
 * belongs to the build.
 */
public final class WatchedInput extends InputStream {
    private WatchedInput() {}

    /** Puts one in the place of standard input. */
    public static void install() {
        System.setIn(new WatchedInput());
    }

    @Override
    public int read() {
        World.touch(World.ENVIRONMENT);
        return -1;
    }

    @Override
    public int available() {
        World.touch(World.ENVIRONMENT);
        return 0;
    }
}
