package covolve.gradle;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import org.gradle.api.DefaultTask;
import org.gradle.api.GradleException;
import org.gradle.api.tasks.Input;
import org.gradle.api.tasks.TaskAction;

/**
 * Starts the program. Options are not known here: they become variables of its environment, which the program checks as it checks
 * {@code covolve.toml}.
 */
public class CovolveTask extends DefaultTask {
    /** Code of the program where nothing is wrong with it or its input, but not all is well with the classes. */
    private static final int NOT_ALL_WELL = 1;

    private String command;
    private String executable;
    private String folder;
    private Map<String, String> options = new TreeMap<>();
    private Map<String, String> report = new TreeMap<>();

    /** Starts the program and waits for its end. */
    @TaskAction
    public void start() {
        List<String> line = new ArrayList<>();
        line.add(executable);
        line.add(command);
        if (command.equals("report")) {
            report.forEach((key, value) -> line.add("--" + key + "=" + value));
        }
        ProcessBuilder process = new ProcessBuilder(line).directory(new File(folder)).redirectErrorStream(true);
        process.environment().put("COVOLVE_PROJECT", folder);
        options.forEach((key, value) -> process.environment().put(variable(key), value));
        int code = run(process);
        if (code == NOT_ALL_WELL && command.equals("generate")) {
            // Classes of which nothing can be tested are in every project; they are no reason to end the build.
            getLogger().warn("not every class has its tests: covolve says above why");
        } else if (code != 0) {
            throw new GradleException(
                    "covolve " + command + " ended with code " + code + ": it says above what is wrong");
        }
    }

    private int run(ProcessBuilder process) {
        Process started;
        try {
            started = process.start();
            started.getOutputStream().close();
        } catch (IOException missing) {
            throw new GradleException("there is no program " + executable
                    + " that can be started: put covolve on the path, or name it with -Pcovolve.executable");
        }
        // The streams of this process are those of a daemon: what is said there nobody sees.
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(started.getInputStream(), StandardCharsets.UTF_8))) {
            for (String text = said.readLine(); text != null; text = said.readLine()) {
                getLogger().quiet(text);
            }
            return started.waitFor();
        } catch (IOException | InterruptedException end) {
            started.destroy();
            throw new GradleException("covolve was interrupted", end);
        }
    }

    private static String variable(String key) {
        return "COVOLVE_" + key.replace('-', '_').toUpperCase(Locale.ROOT);
    }

    @Input
    public String getCommand() {
        return command;
    }

    public void setCommand(String command) {
        this.command = command;
    }

    @Input
    public String getExecutable() {
        return executable;
    }

    public void setExecutable(String executable) {
        this.executable = executable;
    }

    @Input
    public String getFolder() {
        return folder;
    }

    public void setFolder(String folder) {
        this.folder = folder;
    }

    @Input
    public Map<String, String> getOptions() {
        return options;
    }

    public void setOptions(Map<String, String> options) {
        this.options = options;
    }

    @Input
    public Map<String, String> getReport() {
        return report;
    }

    public void setReport(Map<String, String> report) {
        this.report = report;
    }
}
