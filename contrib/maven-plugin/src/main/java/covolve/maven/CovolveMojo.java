package covolve.maven;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;

/**
 * Starts the program for the module that is being built, or once for all where the goal is asked for by name. Options are not known
 * here: they become variables of its environment, which the program checks as it checks {@code covolve.toml}.
 */
abstract class CovolveMojo extends AbstractMojo {
    private static final String PREFIX = "covolve.";
    /** Code of the program where nothing is wrong with it or its input, but not all is well with the classes. */
    static final int NOT_ALL_WELL = 1;

    @Parameter(defaultValue = "${project}", readonly = true, required = true)
    private MavenProject project;

    @Parameter(defaultValue = "${session}", readonly = true, required = true)
    private MavenSession session;

    @Parameter(defaultValue = "${mojoExecution}", readonly = true, required = true)
    private MojoExecution execution;

    /** The program, where it is not on the path. */
    @Parameter(property = "covolve.executable", defaultValue = "covolve")
    private String executable;

    /** Whether to do nothing. */
    @Parameter(property = "covolve.skip", defaultValue = "false")
    private boolean skip;

    /** Options under their names in {@code covolve.toml}; properties such as {@code covolve.budget} go before them. */
    @Parameter
    private Map<String, String> options = new TreeMap<>();

    /** The command of the program. */
    abstract String command();

    /** Words behind the command. */
    List<String> words() {
        return new ArrayList<>();
    }

    /** What is done where the program ends with a code that is not 0. */
    void ended(int code) throws MojoExecutionException, MojoFailureException {
        String sentence = "covolve " + command() + " ended with code " + code + ": it says above what is wrong";
        if (code == NOT_ALL_WELL) {
            throw new MojoFailureException(sentence);
        }
        throw new MojoExecutionException(sentence);
    }

    @Override
    public void execute() throws MojoExecutionException, MojoFailureException {
        File folder = folder();
        if (skip || folder == null) {
            return;
        }
        List<String> line = new ArrayList<>();
        line.add(executable);
        line.add(command());
        line.addAll(words());
        ProcessBuilder process = new ProcessBuilder(line).directory(folder).inheritIO();
        process.environment().put("COVOLVE_PROJECT", folder.getPath());
        variables().forEach(process.environment()::put);
        int code = run(process);
        if (code != 0) {
            ended(code);
        }
    }

    private int run(ProcessBuilder process) throws MojoExecutionException {
        Process started;
        try {
            started = process.start();
        } catch (IOException missing) {
            throw new MojoExecutionException("there is no program " + executable
                    + " that can be started: put covolve on the path, or name it with -Dcovolve.executable");
        }
        try {
            return started.waitFor();
        } catch (InterruptedException end) {
            started.destroy();
            Thread.currentThread().interrupt();
            throw new MojoExecutionException("covolve was interrupted", end);
        }
    }

    /**
     * The folder to look at, or null where this module has nothing to do. A goal that was asked for by name looks at the whole
     * build, once, when the last module is there; one that belongs to a phase looks at its module.
     */
    private File folder() {
        List<MavenProject> all = session.getProjects();
        boolean isWhole = all.stream().anyMatch(MavenProject::isExecutionRoot);
        if (execution.getSource() == MojoExecution.Source.CLI && isWhole) {
            boolean isLast = project.equals(all.get(all.size() - 1));
            return isLast ? new File(session.getExecutionRootDirectory()) : null;
        }
        return project.getPackaging().equals("pom") ? null : project.getBasedir();
    }

    /** Options as the variables by which the program takes them: those of the project, of the plugin, of the command line. */
    private Map<String, String> variables() {
        Map<String, String> variables = new TreeMap<>();
        addProperties(project.getProperties(), variables);
        options.forEach((key, value) -> variables.put(variable(key), value == null ? "true" : value));
        addProperties(session.getUserProperties(), variables);
        return variables;
    }

    private static void addProperties(Properties properties, Map<String, String> variables) {
        for (String name : properties.stringPropertyNames()) {
            if (name.startsWith(PREFIX) && !isOwn(name)) {
                variables.put(variable(name.substring(PREFIX.length())), properties.getProperty(name));
            }
        }
    }

    /** Whether a property is one of this plugin. */
    private static boolean isOwn(String name) {
        return name.equals("covolve.executable") || name.equals("covolve.skip") || name.startsWith("covolve.report.");
    }

    private static String variable(String key) {
        return "COVOLVE_" + key.replace('-', '_').toUpperCase(Locale.ROOT);
    }
}
