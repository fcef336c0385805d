package covolve.runner;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;

/**
 * Time that this JVM could make use of, so that a loaded machine ends no test that an idle one does not.
 *
 * Every look asks whether a thread could go on if the machine let it: then what counts of the time since the look
 * before is what the JVM had of the processors, and it was busy; otherwise all of it counts, and it waited. To be looked at
 * by one thread, which is no part of what is measured.
 */
final class Meter {
    private static final File THREADS = new File("/proc/self/task");
    /** The unit of processor time in {@code /proc}, which Linux has the same on every machine. */
    private static final long MILLIS_PER_TICK = 10;
    /** Periods that a look counts at most where nothing could go on: for the rest, who looks was kept from it as well. */
    private static final int LATE = 2;

    private final String own = ownThread();
    private final long periodMillis;
    private long last = System.nanoTime();
    private long processor = processorMillis();
    private long busy;
    private long waited;

    Meter(long periodMillis) {
        this.periodMillis = periodMillis;
    }

    /** Looks once more. */
    void look() {
        long now = System.nanoTime();
        long elapsed = (now - last) / 1_000_000;
        last += elapsed * 1_000_000;
        long had = processorMillis();
        long used = had - processor;
        processor = had;
        if (couldGoOn()) {
            busy += Math.min(used, elapsed);
        } else {
            waited += Math.min(elapsed, LATE * periodMillis);
        }
    }

    /** Milliseconds that it was busy, from the start to the last look. */
    long busyMillis() {
        return busy;
    }

    /** Milliseconds that it waited, from the start to the last look. */
    long waitedMillis() {
        return waited;
    }

    /** Whether another thread is on a processor, or waits for one, for a page, or for somebody to let the JVM go on. */
    private boolean couldGoOn() {
        String[] threads = THREADS.list();
        if (threads == null) {
            return false;
        }
        for (String thread : threads) {
            String[] words = thread.equals(own) ? null : status(new File(THREADS, thread));
            if (words != null && "RDTt".contains(words[0])) {
                return true;
            }
        }
        return false;
    }

    /** Of the user's code and the kernel's together. */
    private static long processorMillis() {
        String[] words = status(new File("/proc/self"));
        return words == null ? 0 : (Long.parseLong(words[11]) + Long.parseLong(words[12])) * MILLIS_PER_TICK;
    }

    /** What the system tells of a thread or process behind its name, the state first; null if it is gone. */
    private static String[] status(File folder) {
        try {
            byte[] bytes = Files.readAllBytes(new File(folder, "stat").toPath());
            String text = new String(bytes, StandardCharsets.ISO_8859_1);
            return text.substring(text.lastIndexOf(')') + 2).split(" ");
        } catch (IOException gone) {
            return null;
        }
    }

    private static String ownThread() {
        try {
            return Files.readSymbolicLink(Paths.get("/proc/thread-self")).getFileName().toString();
        } catch (IOException unknown) {
            return "";
        }
    }
}
