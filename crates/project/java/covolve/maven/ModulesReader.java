package covolve.maven;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.maven.AbstractMavenLifecycleParticipant;
import org.apache.maven.MavenExecutionException;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.model.Build;
import org.apache.maven.model.Plugin;
import org.apache.maven.model.PluginExecution;
import org.apache.maven.project.DefaultDependencyResolutionRequest;
import org.apache.maven.project.DependencyResolutionException;
import org.apache.maven.project.DependencyResolutionResult;
import org.apache.maven.project.MavenProject;
import org.apache.maven.project.ProjectDependenciesResolver;
import org.apache.maven.toolchain.MisconfiguredToolchainException;
import org.apache.maven.toolchain.ToolchainManagerPrivate;
import org.apache.maven.toolchain.ToolchainPrivate;
import org.codehaus.plexus.util.xml.Xpp3Dom;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.graph.DependencyNode;

/**
 * Writes what Maven knows of the modules of a build, once it has read them all, and ends the build before any plugin
 * runs.
 *
 * <p>Maven makes the instance and fills in the fields, as {@code META-INF/plexus/components.xml} says.
 */
public final class ModulesReader extends AbstractMavenLifecycleParticipant {
    private static final String PLUGINS = "org.apache.maven.plugins";

    private ProjectDependenciesResolver resolver;
    private ToolchainManagerPrivate toolchains;

    @Override
    public void afterProjectsRead(MavenSession session) throws MavenExecutionException {
        Map<String, MavenProject> reactor = new LinkedHashMap<>();
        for (MavenProject project : session.getProjects()) {
            reactor.put(project.getGroupId() + ":" + project.getArtifactId() + ":" + project.getVersion(), project);
        }
        List<Object> modules = new ArrayList<>();
        for (MavenProject project : reactor.values()) {
            modules.add(describe(project, session, reactor));
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("modules", modules);
        File file = new File(System.getProperty("covolve.answer"));
        try {
            Files.write(file.toPath(), Json.write(answer).getBytes(StandardCharsets.UTF_8));
        } catch (java.io.IOException error) {
            throw new MavenExecutionException(error.toString(), file);
        }
        throw new MavenExecutionException("Covolve has read the modules and needs nothing more", file);
    }

    private Map<String, Object> describe(
            MavenProject project, MavenSession session, Map<String, MavenProject> reactor) {
        Build build = project.getBuild();
        Map<String, Object> module = new LinkedHashMap<>();
        module.put("name", project.getArtifactId());
        module.put("folder", project.getBasedir().getPath());
        module.put("packaging", project.getPackaging());
        module.put("sources", project.getCompileSourceRoots());
        module.put("generated", Arrays.asList(build.getDirectory() + File.separator + "generated-sources"));
        module.put("classes", Arrays.asList(build.getOutputDirectory()));
        module.put("testClasses", Arrays.asList(build.getTestOutputDirectory()));
        module.put("testSources", project.getTestCompileSourceRoots());
        module.put("release", release(project));
        module.put("encoding", encoding(project));
        module.put("skipsTests", skipsTests(project));
        module.put("jdk", jdk(project, session));
        Set<String> profiles = new LinkedHashSet<>();
        for (Collection<String> ofModel : project.getInjectedProfileIds().values()) {
            profiles.addAll(ofModel);
        }
        module.put("profiles", profiles);
        ClassPath classPath = new ClassPath(reactor);
        String problem = dependencies(project, session, reactor, classPath);
        module.put("classPath", classPath.all);
        module.put("testOnly", classPath.testOnly);
        module.put("problem", problem);
        module.put("plugins", plugins(project));
        return module;
    }

    /** The plugins of the build, with what each of their executions runs. */
    private static List<Object> plugins(MavenProject project) {
        List<Object> plugins = new ArrayList<>();
        for (Plugin plugin : project.getBuildPlugins()) {
            List<Object> executions = new ArrayList<>();
            for (PluginExecution execution : plugin.getExecutions()) {
                Map<String, Object> described = new LinkedHashMap<>();
                described.put("id", execution.getId());
                described.put("goals", execution.getGoals());
                executions.add(described);
            }
            Map<String, Object> described = new LinkedHashMap<>();
            described.put("name", plugin.getKey());
            described.put("executions", executions);
            plugins.add(described);
        }
        return plugins;
    }

    /** Adds the files of the test class path, without the module's own classes; what is wrong with it, or null. */
    private String dependencies(
            MavenProject project, MavenSession session, Map<String, MavenProject> reactor, ClassPath classPath) {
        DefaultDependencyResolutionRequest request =
                new DefaultDependencyResolutionRequest(project, session.getRepositorySession());
        // Modules of this build need not be installed, nor packaged: their class folders stand for them.
        request.setResolutionFilter((node, parents) -> moduleOf(node, reactor) == null);
        DependencyResolutionResult result;
        String problem = null;
        try {
            result = resolver.resolve(request);
        } catch (DependencyResolutionException error) {
            result = error.getResult();
            problem = error.getMessage();
        }
        if (result != null && result.getDependencyGraph() != null) {
            for (DependencyNode child : result.getDependencyGraph().getChildren()) {
                classPath.add(child);
            }
        }
        return problem;
    }

    /** A class path of tests. */
    private static final class ClassPath {
        final Map<String, MavenProject> reactor;
        /** In the order in which Maven builds class paths: each artifact before what it needs. */
        final Set<String> all = new LinkedHashSet<>();
        /** Those that main code has not. */
        final Set<String> testOnly = new LinkedHashSet<>();

        ClassPath(Map<String, MavenProject> reactor) {
            this.reactor = reactor;
        }

        void add(DependencyNode node) {
            String file = fileOf(node);
            if (file != null) {
                all.add(file);
                if ("test".equals(node.getDependency().getScope())) {
                    testOnly.add(file);
                }
            }
            for (DependencyNode child : node.getChildren()) {
                add(child);
            }
        }

        private String fileOf(DependencyNode node) {
            Artifact artifact = node.getArtifact();
            MavenProject module = moduleOf(node, reactor);
            if (module == null) {
                boolean isOnPath = Boolean.parseBoolean(artifact.getProperty("constitutesBuildPath", "false"));
                return isOnPath && artifact.getFile() != null ? artifact.getFile().getPath() : null;
            }
            boolean ofTests =
                    "tests".equals(artifact.getClassifier()) || "test-jar".equals(artifact.getProperty("type", ""));
            Build build = module.getBuild();
            String classes = ofTests ? build.getTestOutputDirectory() : build.getOutputDirectory();
            return "pom".equals(artifact.getExtension()) ? null : classes;
        }
    }

    private static MavenProject moduleOf(DependencyNode node, Map<String, MavenProject> reactor) {
        Artifact artifact = node.getArtifact();
        if (artifact == null) {
            return null;
        }
        String name = artifact.getGroupId() + ":" + artifact.getArtifactId() + ":" + artifact.getBaseVersion();
        return reactor.get(name);
    }

    /** What the compiler plugin is told, in the order in which it looks. */
    private static String release(MavenProject project) {
        Xpp3Dom configuration =
                project.getGoalConfiguration(PLUGINS, "maven-compiler-plugin", "default-compile", "compile");
        for (String name : new String[] {"release", "target", "source"}) {
            String value = child(configuration, name);
            value = value == null ? property(project, "maven.compiler." + name) : value;
            if (value != null) {
                return value;
            }
        }
        return null;
    }

    private static String encoding(MavenProject project) {
        Xpp3Dom configuration =
                project.getGoalConfiguration(PLUGINS, "maven-compiler-plugin", "default-compile", "compile");
        String value = child(configuration, "encoding");
        return value == null ? property(project, "project.build.sourceEncoding") : value;
    }

    /** The property by which the build leaves its tests out, or null. */
    private static String skipsTests(MavenProject project) {
        Xpp3Dom configuration =
                project.getGoalConfiguration(PLUGINS, "maven-surefire-plugin", "default-test", "test");
        String[][] all = {{"skipTests", "skipTests"}, {"skip", "maven.test.skip"}};
        for (String[] names : all) {
            String value = child(configuration, names[0]);
            if ("true".equals(value == null ? property(project, names[1]) : value)) {
                return names[1];
            }
        }
        return null;
    }

    /** Home of the JDK that the build takes from its toolchains, or null. */
    private String jdk(MavenProject project, MavenSession session) {
        Xpp3Dom asked = null;
        // Of the plugin, or of an execution that was given no name.
        for (String execution : new String[] {null, "default"}) {
            Xpp3Dom configuration =
                    project.getGoalConfiguration(PLUGINS, "maven-toolchains-plugin", execution, "toolchain");
            Xpp3Dom kinds = configuration == null ? null : configuration.getChild("toolchains");
            asked = asked == null && kinds != null ? kinds.getChild("jdk") : asked;
        }
        if (asked == null) {
            Xpp3Dom compiler =
                    project.getGoalConfiguration(PLUGINS, "maven-compiler-plugin", "default-compile", "compile");
            asked = compiler == null ? null : compiler.getChild("jdkToolchain");
        }
        if (asked == null) {
            return null;
        }
        Map<String, String> requirements = new LinkedHashMap<>();
        for (Xpp3Dom requirement : asked.getChildren()) {
            requirements.put(requirement.getName(), requirement.getValue());
        }
        try {
            for (ToolchainPrivate toolchain : toolchains.getToolchainsForType("jdk", session)) {
                String java = toolchain.matchesRequirements(requirements) ? toolchain.findTool("java") : null;
                if (java != null) {
                    return Paths.get(java).getParent().getParent().toString();
                }
            }
        } catch (MisconfiguredToolchainException error) {
            // Maven says so itself when it compiles; the JDK is then looked for as without toolchains.
            return null;
        }
        return null;
    }

    private static String child(Xpp3Dom configuration, String name) {
        Xpp3Dom child = configuration == null ? null : configuration.getChild(name);
        String value = child == null ? null : child.getValue();
        // What the plugin would replace itself; the property behind it is asked next.
        return value == null || value.trim().isEmpty() || value.contains("${") ? null : value.trim();
    }

    /** As a plugin sees it: what the command line says comes first. */
    private static String property(MavenProject project, String name) {
        String value = project.getProperties().getProperty(name);
        return value == null || value.trim().isEmpty() ? null : value.trim();
    }
}
