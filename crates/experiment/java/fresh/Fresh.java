import com.sun.management.ThreadMXBean;
import java.io.PrintWriter;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs a suite once in this JVM and tells what each of its tests took: name, whether it passed, time of the clock and of
 * the thread in ns, bytes that the thread allocated, growth of the used heap in bytes, collections meanwhile.
 *
 * <p>Arguments: file to write, test class.
 */
final class Fresh implements TestExecutionListener {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final MemoryMXBean MEMORY = ManagementFactory.getMemoryMXBean();
    private static final List<GarbageCollectorMXBean> COLLECTORS = ManagementFactory.getGarbageCollectorMXBeans();

    private final List<String> lines = new ArrayList<>();
    private long collections;
    private long heap;
    private long allocated;
    private long ofThread;
    private long clock;

    public static void main(String[] arguments) throws Exception {
        // JUnit's own classes are loaded before anything is measured.
        run(Nothing.class, new Fresh());
        Fresh suite = new Fresh();
        run(Class.forName(arguments[1], false, Fresh.class.getClassLoader()), suite);
        try (PrintWriter out = new PrintWriter(arguments[0], "UTF-8")) {
            suite.lines.forEach(out::println);
            out.println("DONE");
        }
        // A test may have left threads behind.
        System.exit(0);
    }

    private static void run(Class<?> tests, Fresh listener) {
        LauncherFactory.create().execute(
                LauncherDiscoveryRequestBuilder.request().selectors(DiscoverySelectors.selectClass(tests)).build(),
                listener);
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        collections = collections();
        heap = MEMORY.getHeapMemoryUsage().getUsed();
        allocated = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
        ofThread = THREADS.getCurrentThreadCpuTime();
        clock = System.nanoTime();
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        clock = System.nanoTime() - clock;
        ofThread = THREADS.getCurrentThreadCpuTime() - ofThread;
        allocated = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - allocated;
        heap = MEMORY.getHeapMemoryUsage().getUsed() - heap;
        collections = collections() - collections;
        if (test.isTest()) {
            boolean passed = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
            lines.add(test.getDisplayName() + "\t" + passed + "\t" + clock + "\t" + ofThread + "\t" + allocated + "\t"
                    + heap + "\t" + collections);
        }
    }

    private static long collections() {
        long sum = 0;
        for (GarbageCollectorMXBean collector : COLLECTORS) {
            sum += collector.getCollectionCount();
        }
        return sum;
    }

    static final class Nothing {
        @Test
        void nothing() {}
    }
}
