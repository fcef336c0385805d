package covolve.runtime;

/**
 * Ends a run: thrown by probes when the step budget is used up or the test called {@code System.exit}.
 *
 * <p>An {@link Error}, since fewer handlers catch it, without message, cause or stack trace, and one object for
 * all, since it may be thrown a thousand times on its way out.
 */
public final class Stop extends Error {
    private static final long serialVersionUID = 1L;

    /** The only one. */
    public static final Stop INSTANCE = new Stop();

    private Stop() {
        super(null, null, false, false);
    }
}
