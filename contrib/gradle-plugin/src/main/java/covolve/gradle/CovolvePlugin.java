package covolve.gradle;

import java.util.Map;
import java.util.TreeMap;

import org.gradle.api.Plugin;
import org.gradle.api.Project;

/**
 * Tasks that start the program for the folder of the project: {@code covolveGenerate}, {@code covolveCheck} and {@code covolveReport}.
 */
public final class CovolvePlugin implements Plugin<Project> {
    private static final String PREFIX = "covolve.";

    @Override
    public void apply(Project project) {
        CovolveExtension extension = project.getExtensions().create("covolve", CovolveExtension.class);
        add(project, "Generate", "Writes verified JUnit tests.");
        add(project, "Check", "Runs the generated tests against the classes as they are now.");
        add(project, "Report", "Writes what the tests cover, and what they do not.");
        // Tasks get values and no project, so that builds can be kept with their configuration.
        project.afterEvaluate(evaluated -> {
            for (CovolveTask task : evaluated.getTasks().withType(CovolveTask.class)) {
                set(task, evaluated, extension);
            }
        });
    }

    private static void add(Project project, String command, String description) {
        CovolveTask task = project.getTasks().create("covolve" + command, CovolveTask.class);
        task.setGroup("verification");
        task.setDescription(description);
        task.setCommand(command.toLowerCase(java.util.Locale.ROOT));
    }

    /** Properties of the build, as {@code -Pcovolve.budget=30s} gives them, go before what the extension says. */
    private static void set(CovolveTask task, Project project, CovolveExtension extension) {
        Map<String, String> options = new TreeMap<>();
        extension.getOptions().forEach((key, value) -> options.put(key, String.valueOf(value)));
        Map<String, String> report = new TreeMap<>();
        extension.getReport().forEach((key, value) -> report.put(key, String.valueOf(value)));
        String executable = extension.getExecutable();
        for (Map.Entry<String, ?> property : project.getProperties().entrySet()) {
            if (!property.getKey().startsWith(PREFIX)) {
                continue;
            }
            String key = property.getKey().substring(PREFIX.length());
            String value = String.valueOf(property.getValue());
            if (key.equals("executable")) {
                executable = value;
            } else if (key.startsWith("report.")) {
                report.put(key.substring("report.".length()), value);
            } else {
                options.put(key, value);
            }
        }
        task.setExecutable(executable);
        task.setFolder(project.getProjectDir().getPath());
        task.setOptions(options);
        task.setReport(report);
    }
}
