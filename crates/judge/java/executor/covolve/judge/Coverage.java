package covolve.judge;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jdk.internal.reflect.Reflection;
import org.jacoco.agent.rt.IAgent;
import org.jacoco.agent.rt.RT;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.analysis.IClassCoverage;
import org.jacoco.core.analysis.ILine;
import org.jacoco.core.data.ExecutionDataReader;
import org.jacoco.core.data.ExecutionDataStore;
import org.jacoco.core.data.SessionInfoStore;

/** What JaCoCo saw covered, by line: whether any of its instructions is, and how many of its branches are. */
final class Coverage {
    private final IAgent agent = RT.getAgent();
    private final Map<String, byte[]> classes = new LinkedHashMap<>();
    private byte[] initializers = new byte[0];

    /**
     * Keeps what JaCoCo adds to a class from reflection. Before anything reflects on the class.
     */
    static void hideMembers(Class<?> loaded) {
        Reflection.registerFieldsToFilter(loaded, Collections.singleton("$jacocoData"));
        Reflection.registerMethodsToFilter(loaded, Collections.singleton("$jacocoInit"));
    }

    /** The classes with goals were initialized: what that covered is kept apart. */
    void initialized(List<String> goals, ClassLoader loader) throws IOException {
        for (String goal : goals) {
            String name = goal.replace('.', '/') + ".class";
            try (InputStream stream = loader.getResourceAsStream(name)) {
                classes.put(goal, stream.readAllBytes());
            }
        }
        initializers = agent.getExecutionData(true);
        List<byte[]> nothing = new ArrayList<>();
        report("GOALS", nothing, true);
        nothing.add(initializers);
        report("INIT", nothing, false);
    }

    void begin() {
        agent.reset();
    }

    void end() throws IOException {
        List<byte[]> data = new ArrayList<>();
        data.add(agent.getExecutionData(true));
        report("COVER", data, false);
        data.add(initializers);
        report("WITH_INIT", data, false);
    }

    private void report(String kind, List<byte[]> data, boolean all) throws IOException {
        ExecutionDataStore store = new ExecutionDataStore();
        for (byte[] bytes : data) {
            ExecutionDataReader reader = new ExecutionDataReader(new ByteArrayInputStream(bytes));
            reader.setExecutionDataVisitor(store);
            reader.setSessionInfoVisitor(new SessionInfoStore());
            reader.read();
        }
        CoverageBuilder builder = new CoverageBuilder();
        Analyzer analyzer = new Analyzer(store, builder);
        for (Map.Entry<String, byte[]> entry : classes.entrySet()) {
            if (all || store.contains(entry.getKey().replace('.', '/'))) {
                analyzer.analyzeClass(entry.getValue(), entry.getKey());
            }
        }
        for (IClassCoverage covered : builder.getClasses()) {
            if (covered.getFirstLine() < 0) {
                continue;
            }
            for (int number = covered.getFirstLine(); number <= covered.getLastLine(); number++) {
                ILine line = covered.getLine(number);
                int instructions = all ? line.getInstructionCounter().getTotalCount()
                        : line.getInstructionCounter().getCoveredCount();
                int branches = all ? line.getBranchCounter().getTotalCount()
                        : line.getBranchCounter().getCoveredCount();
                if (instructions > 0 || branches > 0) {
                    Record.line(kind, covered.getName(), Integer.toString(number),
                            instructions > 0 ? "1" : "0", Integer.toString(branches));
                }
            }
        }
    }
}
