package covolve.runner;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Which test of a run is under way, since when; ends the JVM when one takes too long. */
final class Progress {
    /** Parts of a test's time after which it is looked at again. */
    private static final int LOOKS = 50;
    /** Milliseconds until the first test begins, at least: in a JVM that has just started JUnit and the project are loaded before. */
    private static final int LEAST_BEGINNING = 10_000;
    /**
     * A test that keeps a processor busy has so many times the limit of one that waits: the first of a class loader loads and
     * initializes what it uses, in cold code. One that waits does so for what never comes, as a rule.
     */
    private static final int BUSY = 4;
    /** Milliseconds that such a test has at most, unless one that waits has more. */
    private static final int MOST_BUSY = 5_000;
    private final Wire wire;
    private final Main.Run run;
    private final Map<String, Integer> indices = new HashMap<>();
    /** What tests share, as it was when the one under way began. */
    private Shared shared;
    private int current = -1;
    /** Whether a test has begun. */
    private boolean hasBegun;
    /** Number of the test that is test 0 of what runs now. */
    private int base;
    /** Whether the parent is told. */
    private boolean isSilent;
    /** Milliseconds of the run that the JVM was busy, when it was last looked at, and when the test began. */
    private long busy;
    private long busyBefore;
    /** Likewise those that it waited. */
    private long waited;
    private long waitedBefore;

    Progress(Wire wire, Main.Run run) {
        this.wire = wire;
        this.run = run;
        for (int index = 0; index < run.classes.size(); index++) {
            indices.put(run.classes.get(index) + "#" + run.methods.get(index), index);
        }
    }

    /** The method of a test: its name without the number of a row. */
    static String methodOf(String name) {
        int row = name.indexOf('[');
        return row < 0 ? name : name.substring(0, row);
    }

    /** What runs from now on counts its tests from this one of the run. */
    synchronized void countFrom(int test) {
        base = test;
    }

    /** What runs from now on is told to nobody, or to the parent again. */
    synchronized void beSilent(boolean silent) {
        isSilent = silent;
    }

    /** Number of a test in what runs now, -1 if it is none of the run. */
    int index(String testClass, String method) {
        Integer index = indices.get(testClass + "#" + method);
        return index == null ? -1 : index - base;
    }

    synchronized void started(int index) throws IOException {
        if (index >= 0) {
            beginAnew();
            hasBegun = true;
            // What ran before was not to blame, or has been told of.
            Surroundings.wereClosed();
            shared = Shared.current();
            if (!isSilent) {
                current = index + base;
                wire.started(current);
            }
        }
    }

    synchronized void passed(int index) throws IOException {
        String left = Surroundings.wereClosed() ? "standard input, output or error was closed" : leftBehind();
        finished(index, left == null ? Outcome.passed() : Outcome.left(left));
    }

    synchronized void skipped(int index, String reason) throws IOException {
        finished(index, Outcome.skipped(reason));
    }

    synchronized void failed(int index, Throwable thrown) throws IOException {
        if (index >= 0) {
            leftBehind();
            int test = index + base;
            finished(index, Outcome.failed(thrown, run.classes.get(test), methodOf(run.methods.get(test))));
        }
    }

    /** Puts back what tests share; what the one that has ended left there, in words, {@code null} if nothing. */
    private String leftBehind() {
        String changed = shared == null ? null : shared.restore();
        return changed == null ? null : "it leaves " + changed + ", which tests of other classes meet";
    }

    /** The run ended before its time; whether a test was under way, which has failed by that. */
    synchronized boolean gaveUp(Throwable thrown) throws IOException {
        if (current < 0) {
            return false;
        }
        int test = current;
        current = -1;
        wire.finished(test, Outcome.failed(thrown, run.classes.get(test), methodOf(run.methods.get(test))));
        return true;
    }

    private void finished(int index, Outcome outcome) throws IOException {
        if (index >= 0) {
            current = -1;
            beginAnew();
            if (!isSilent) {
                wire.finished(index + base, outcome);
            }
        }
    }

    /**
     * Waits for the thread that runs the tests. A thread that hangs cannot be stopped, so the JVM ends with it,
     * after telling the parent. Time between tests counts as well: a class initializer may hang before any test.
     */
    void watch(Thread thread) throws IOException, InterruptedException {
        long period = Math.max(run.limitMillis / LOOKS, 1);
        Meter meter = new Meter(period);
        while (thread.isAlive()) {
            thread.join(period);
            meter.look();
            if (thread.isAlive() && isOver(meter)) {
                hang(thread);
            }
        }
    }

    /** What comes from now on has all of its time. */
    private void beginAnew() {
        busyBefore = busy;
        waitedBefore = waited;
    }

    private synchronized boolean isOver(Meter meter) {
        busy = meter.busyMillis();
        waited = meter.waitedMillis();
        return isOver();
    }

    private boolean isOver() {
        long limit = hasBegun ? run.limitMillis : Math.max(run.limitMillis, LEAST_BEGINNING);
        long busyLimit = Math.max(limit, Math.min(BUSY * limit, MOST_BUSY));
        return waited - waitedBefore >= limit || busy - busyBefore >= busyLimit;
    }

    private synchronized void hang(Thread thread) throws IOException {
        if (!isOver()) {
            return; // it went on in the meantime
        }
        if (current >= 0) {
            wire.finished(current, Outcome.hung(thread, run.classes.get(current), methodOf(run.methods.get(current))));
        }
        Runtime.getRuntime().halt(2);
    }
}
