import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jacoco.agent.rt.IAgent;
import org.jacoco.agent.rt.RT;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.analysis.IClassCoverage;
import org.jacoco.core.analysis.ILine;
import org.jacoco.core.analysis.IMethodCoverage;
import org.jacoco.core.data.ExecutionDataReader;
import org.jacoco.core.data.ExecutionDataStore;
import org.jacoco.core.data.SessionInfoStore;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs suites one after the other under JaCoCo, each with classes of its own, and tells what each covers.
 *
 * <p>Arguments: file to write, class path, file with the classes to measure, file with the suites, a class on each line.
 */
final class Suites {
    private final IAgent agent = RT.getAgent();
    private final Map<String, byte[]> measured = new LinkedHashMap<>();
    private final PrintWriter out;

    private Suites(PrintWriter out) {
        this.out = out;
    }

    public static void main(String[] arguments) throws Exception {
        List<URL> path = new ArrayList<>();
        for (String entry : arguments[1].split(File.pathSeparator)) {
            path.add(new File(entry).toURI().toURL());
        }
        try (PrintWriter out = new PrintWriter(arguments[0], "UTF-8")) {
            Suites suites = new Suites(out);
            suites.read(path, Files.readAllLines(Path.of(arguments[2])));
            for (String suite : Files.readAllLines(Path.of(arguments[3]))) {
                suites.run(path, suite);
            }
            out.println("DONE");
        }
        System.exit(0);
    }

    private void read(List<URL> path, List<String> names) throws IOException {
        try (URLClassLoader loader = new URLClassLoader(path.toArray(new URL[0]))) {
            for (String name : names) {
                try (InputStream stream = loader.getResourceAsStream(name.replace('.', '/') + ".class")) {
                    measured.put(name, stream.readAllBytes());
                }
            }
        }
        report(new ExecutionDataStore(), true);
    }

    private void run(List<URL> path, String suite) throws Exception {
        out.println("SUITE\t" + suite);
        agent.reset();
        URLClassLoader loader = new URLClassLoader(path.toArray(new URL[0]), Suites.class.getClassLoader());
        Thread.currentThread().setContextClassLoader(loader);
        Class<?> tests = Class.forName(suite, false, loader);
        Launcher launcher = LauncherFactory.create();
        launcher.execute(
                LauncherDiscoveryRequestBuilder.request().selectors(DiscoverySelectors.selectClass(tests)).build(),
                new TestExecutionListener() {
                    @Override
                    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                        if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
                            String why = String.valueOf(result.getThrowable().orElse(null));
                            out.println("FAILED\t" + test.getDisplayName() + "\t" + why.replaceAll("\\s+", " "));
                        } else if (test.isTest()) {
                            out.println("PASSED\t" + test.getDisplayName());
                        }
                    }
                });
        ExecutionDataStore store = new ExecutionDataStore();
        ExecutionDataReader reader = new ExecutionDataReader(new ByteArrayInputStream(agent.getExecutionData(true)));
        reader.setExecutionDataVisitor(store);
        reader.setSessionInfoVisitor(new SessionInfoStore());
        reader.read();
        report(store, false);
        loader.close();
        out.flush();
    }

    private void report(ExecutionDataStore store, boolean all) throws IOException {
        CoverageBuilder builder = new CoverageBuilder();
        Analyzer analyzer = new Analyzer(store, builder);
        for (Map.Entry<String, byte[]> entry : measured.entrySet()) {
            analyzer.analyzeClass(entry.getValue(), entry.getKey());
        }
        for (IClassCoverage covered : builder.getClasses()) {
            String name = covered.getName().replace('/', '.');
            for (IMethodCoverage method : covered.getMethods()) {
                if (all || method.getInstructionCounter().getCoveredCount() > 0) {
                    out.println("METHOD\t" + name + "\t" + method.getName() + method.getDesc());
                }
            }
            for (int number = covered.getFirstLine(); number >= 0 && number <= covered.getLastLine(); number++) {
                ILine line = covered.getLine(number);
                int instructions = all ? line.getInstructionCounter().getTotalCount()
                        : line.getInstructionCounter().getCoveredCount();
                int branches = all ? line.getBranchCounter().getTotalCount()
                        : line.getBranchCounter().getCoveredCount();
                if (instructions > 0) {
                    out.println("LINE\t" + name + "\t" + number + "\t" + branches);
                }
            }
        }
    }
}
