package covolve.runner;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Runs test classes of the project, with whatever JUnit finds in them, against classes that carry probes, and tells what each
 * test that passes covers.
 */
final class OwnTests {
    /** Parts of a test's time after which it is looked at again. */
    private static final int LOOKS = 50;

    private final Wire wire;
    private Jupiter jupiter;
    private Junit4 junit4;
    /** The class whose tests run; -1 for none. */
    private int current = -1;
    /** Milliseconds of the run that the JVM could use, when it was last looked at, and when a test began or ended last. */
    private long now;
    private long since;

    OwnTests(Wire wire) {
        this.wire = wire;
    }

    void run(Main.Measurement asked) throws IOException, InterruptedException {
        Surroundings here = Surroundings.current();
        Attempt attempt;
        try (ProjectLoader loader = new ProjectLoader(asked.classPath)) {
            attempt = new Attempt(asked, loader);
            // As under a build tool, tests run on a thread with a stack of the usual size.
            Thread thread = new Thread(attempt, "main");
            thread.setDaemon(true);
            thread.setContextClassLoader(loader);
            begin(-1);
            thread.start();
            watch(thread, asked);
        } finally {
            here.restore();
        }
        wire.done(attempt.problem);
    }

    private synchronized void begin(int testClass) {
        current = testClass;
        since = now;
    }

    /** Waits for the thread that runs the tests. One that hangs cannot be stopped, so the JVM ends with it. */
    private void watch(Thread thread, Main.Measurement asked) throws IOException, InterruptedException {
        long period = Math.max(asked.limitMillis / LOOKS, 1);
        Meter meter = new Meter(period);
        while (thread.isAlive()) {
            thread.join(period);
            if (thread.isAlive()) {
                meter.look();
                look(meter.busyMillis() + meter.waitedMillis(), thread, asked);
            }
        }
    }

    private synchronized void look(long usable, Thread thread, Main.Measurement asked) throws IOException {
        now = usable;
        if (now - since < asked.limitMillis) {
            return;
        }
        if (current >= 0) {
            wire.finished(current, Outcome.hung(thread, asked.classes.get(current), ""));
        }
        Runtime.getRuntime().halt(2);
    }

    /** Is told of the tests of a class. */
    interface Listener {
        void finished(boolean hasPassed) throws IOException;
    }

    private final class Attempt implements Runnable {
        private final Main.Measurement asked;
        private final ClassLoader loader;
        volatile String problem = "";

        Attempt(Main.Measurement asked, ClassLoader loader) {
            this.asked = asked;
            this.loader = loader;
        }

        @Override
        public void run() {
            try {
                Recorder recorder = new Recorder(asked, loader);
                for (int index = 0; index < asked.classes.size(); index++) {
                    run(index, recorder);
                }
            } catch (Throwable broken) {
                problem = String.valueOf(broken);
            }
        }

        private void run(int index, Recorder recorder) throws Exception {
            begin(index);
            wire.started(index);
            Outcome outcome;
            try {
                recorder.begin();
                run(index, hasPassed -> {
                    begin(index);
                    recorder.tell(index, hasPassed);
                });
                outcome = Outcome.passed();
            } catch (IOException unheard) {
                throw unheard;
            } catch (Throwable broken) {
                outcome = Outcome.failed(broken, asked.classes.get(index), "");
            }
            recorder.end();
            wire.finished(index, outcome);
            begin(-1);
        }

        private void run(int index, Listener listener) throws Exception {
            Class<?> testClass = Class.forName(asked.classes.get(index), false, loader);
            if (asked.jupiter.get(index)) {
                jupiter = jupiter == null ? new Jupiter() : jupiter;
                jupiter.runClass(testClass, listener);
            } else {
                junit4 = junit4 == null ? new Junit4() : junit4;
                junit4.runClass(testClass, listener);
            }
        }
    }

    /** Reads what probes record, by reflection: they are loaded beside the classes that call them. */
    private final class Recorder {
        private static final String PROBE = "covolve.runtime.Probe";
        private static final String CALLS = "covolve.runtime.Calls";

        private final Class<?> probe;
        private final int[] counts;
        private final int[] touched;
        private final double[] distances;
        /** Exceptions since the test began, as texts. */
        private final List<?> thrown;
        /** What was told before. */
        private final boolean[] hit;
        private final boolean[] taken;
        private final Set<Object> told = new HashSet<>();

        Recorder(Main.Measurement asked, ClassLoader loader) throws ReflectiveOperationException {
            probe = Class.forName(PROBE, true, loader);
            probe.getMethod("install", int.class, int.class, int.class)
                .invoke(null, asked.probes, asked.outcomes, asked.statics);
            set("loader", loader);
            set("initializerSteps", Integer.MAX_VALUE);
            if (asked.signatures.length > 0) {
                set("signatures", asked.signatures);
                set("shift", asked.shift);
            }
            if (asked.calls.isEmpty()) {
                thrown = new ArrayList<>();
            } else {
                Class<?> calls = Class.forName(CALLS, true, loader);
                calls.getMethod("install", String.class).invoke(null, asked.calls);
                thrown = (List<?>) calls.getField("THROWN").get(null);
            }
            counts = (int[]) get("counts");
            touched = (int[]) get("touched");
            distances = (double[]) get("distances");
            hit = new boolean[asked.probes];
            taken = new boolean[asked.outcomes];
        }

        private Object get(String field) throws ReflectiveOperationException {
            return probe.getField(field).get(null);
        }

        private void set(String field, Object value) throws ReflectiveOperationException {
            probe.getField(field).set(null, value);
        }

        /** Forgets what was recorded, and records for this thread. */
        void begin() throws ReflectiveOperationException {
            // A branch that was not reached leaves its distances as they are.
            Arrays.fill(distances, Double.MAX_VALUE);
            thrown.clear();
            probe.getMethod("begin", int.class).invoke(null, Integer.MAX_VALUE);
        }

        void end() throws ReflectiveOperationException {
            probe.getMethod("end").invoke(null);
        }

        /** Tells how a test of a class ended; of one that passed, what it covers and no test before it. */
        void tell(int testClass, boolean hasPassed) throws IOException {
            try {
                end();
                int[] probes = new int[0];
                int[] outcomes = new int[0];
                List<String> exceptions = new ArrayList<>();
                if (hasPassed) {
                    probes = newProbes();
                    outcomes = newOutcomes();
                    exceptions = newExceptions();
                }
                wire.measured(testClass, hasPassed, probes, outcomes, exceptions);
                begin();
            } catch (ReflectiveOperationException impossible) {
                throw new IOException(impossible);
            }
        }

        private int[] newProbes() {
            int[] found = new int[touched[0]];
            int length = 0;
            for (int index = 1; index <= touched[0]; index++) {
                int number = touched[index];
                if (!hit[number] && counts[number] > 0) {
                    hit[number] = true;
                    found[length++] = number;
                }
            }
            return Arrays.copyOf(found, length);
        }

        private List<String> newExceptions() {
            List<String> found = new ArrayList<>();
            for (Object exception : thrown) {
                if (told.add(exception)) {
                    found.add((String) exception);
                }
            }
            return found;
        }

        private int[] newOutcomes() {
            int[] found = new int[distances.length];
            int length = 0;
            for (int number = 0; number < distances.length; number++) {
                if (!taken[number] && distances[number] == 0.0) {
                    taken[number] = true;
                    found[length++] = number;
                }
            }
            return Arrays.copyOf(found, length);
        }
    }
}
