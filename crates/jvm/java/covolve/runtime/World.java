package covolve.runtime;

/** What a run did to the world where the JDK's native methods do not show it; read and reset by the executor. */
public final class World {
    /** Bits of {@link #touched}, those of the executor. */
    static final int ENVIRONMENT = 16, CLOCK = 128;

    /** What the run touched. */
    public static int touched;

    /** Whether system properties may have changed. */
    public static boolean propertiesChanged;

    private World() {}

    /** Threads beside the test's are told apart by {@code THREAD} alone. */
    static void touch(int what) {
        if (Probe.recorder == Thread.currentThread()) {
            touched |= what;
        }
    }
}
