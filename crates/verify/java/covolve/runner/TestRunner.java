package covolve.runner;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipFile;

/** Runs tests in a class loader of their own, or each in one of its own, and tells the parent about each. */
final class TestRunner {
    private final Wire wire;
    /** The class loader of the last run, in which classes stay as its tests left them. */
    private ProjectLoader last;
    private List<String> lastClassPath = Collections.emptyList();
    /** The jars of the last class path, open: the JVM reads the directory of a jar anew for whoever opens it first. */
    private final Map<String, ZipFile> jars = new TreeMap<>();
    private Framework jupiter;
    private Framework junit4;

    TestRunner(Wire wire) {
        this.wire = wire;
    }

    void run(Main.Run run) throws IOException, InterruptedException {
        Surroundings here = Surroundings.current();
        if (!run.elsewhere.isEmpty()) {
            Surroundings.move(run.elsewhere);
        }
        Surroundings before = Surroundings.current();
        Progress progress = new Progress(wire, run);
        // Tests that ran just now need not run once more for their classes to be used.
        boolean areUsed = run.start == Main.Run.USED && last != null && lastClassPath.equals(run.classPath);
        if (!areUsed) {
            if (last != null) {
                last.close();
            }
            keepOpen(run.classPath);
            last = new ProjectLoader(run.classPath);
            lastClassPath = run.classPath;
        }
        Attempt attempt = new Attempt(run, last, areUsed, progress, before);
        try {
            // As under a build tool, tests run on a thread with a stack of the usual size.
            Thread thread = new Thread(attempt, "main");
            thread.setDaemon(true);
            thread.setContextClassLoader(last);
            thread.start();
            progress.watch(thread);
        } finally {
            here.restore();
        }
        wire.done(attempt.problem);
    }

    /** Opens the jars of a class path, and closes those of another one. */
    private void keepOpen(List<String> classPath) throws IOException {
        for (String gone : new ArrayList<>(jars.keySet())) {
            if (!classPath.contains(gone)) {
                jars.remove(gone).close();
            }
        }
        for (String entry : classPath) {
            if (new File(entry).isFile() && !jars.containsKey(entry)) {
                try {
                    jars.put(entry, new ZipFile(entry));
                } catch (IOException unreadable) {
                    // Class loaders pass over what they cannot read as well.
                }
            }
        }
    }

    private Framework framework(boolean wanted) throws ReflectiveOperationException {
        if (wanted) {
            jupiter = jupiter == null ? new Jupiter() : jupiter;
            return jupiter;
        }
        junit4 = junit4 == null ? new Junit4() : junit4;
        return junit4;
    }

    private final class Attempt implements Runnable {
        private final Main.Run run;
        private final ClassLoader loader;
        private final boolean areUsed;
        private final Progress progress;
        private final Surroundings before;
        volatile String problem = "";

        Attempt(Main.Run run, ClassLoader loader, boolean areUsed, Progress progress, Surroundings before) {
            this.run = run;
            this.loader = loader;
            this.areUsed = areUsed;
            this.progress = progress;
            this.before = before;
        }

        @Override
        public void run() {
            try {
                Framework framework = framework(run.jupiter);
                if (run.start == Main.Run.ALONE) {
                    runEachAlone(framework);
                    return;
                }
                if (run.start == Main.Run.USED && !areUsed) {
                    use(framework);
                }
                framework.run(run, loader, progress);
            } catch (Throwable broken) {
                problem = gaveUp(broken);
            }
        }

        /** Runs the tests for what they leave behind. */
        private void use(Framework framework) {
            progress.beSilent(true);
            try {
                framework.run(run, loader, progress);
            } catch (Throwable broken) {
                // The run that is told to the parent finds the test that did it.
            }
            progress.beSilent(false);
        }

        /**
         * JUnit 5 hands memory that is exhausted on to its caller and leaves out the tests behind. The test that ran has
         * failed, and the parent asks for the others again; what is left of a run without one is a problem.
         */
        private String gaveUp(Throwable broken) {
            Throwable cause = broken instanceof InvocationTargetException ? broken.getCause() : broken;
            try {
                return progress.gaveUp(cause) ? "" : String.valueOf(cause);
            } catch (IOException unheard) {
                return unheard.toString();
            }
        }

        private void runEachAlone(Framework framework) throws Exception {
            for (int test = 0; test < run.classes.size(); test++) {
                before.restore();
                progress.countFrom(test);
                try (ProjectLoader own = new ProjectLoader(run.classPath)) {
                    Thread.currentThread().setContextClassLoader(own);
                    framework.run(run.only(test), own, progress);
                }
            }
        }
    }

    /** Runs the tests of a run one after another, telling {@code progress} about each. */
    interface Framework {
        void run(Main.Run run, ClassLoader loader, Progress progress) throws Exception;
    }
}
