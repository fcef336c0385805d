package covolve.runner;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Objects;

/**
 * Loads the tests and the classes under test: the JDK's own first, then the class path of the project, then JUnit.
 * JUnit itself comes from our side alone, so that the tests meet the classes that run them; all else comes from
 * the project even where one jar holds both, so that a test and its class share a package at run time. Mockito comes
 * from our side as well where the project has the same one, set up in the same way: its first mock takes most of a
 * second, which each run would take again.
 */
final class ProjectLoader extends URLClassLoader {
    private static final String[] FRAMEWORK = {
        "org.junit.", "junit.framework.", "org.hamcrest.", "org.opentest4j.", "org.apiguardian.",
    };

    /** The packages of Mockito and of what it makes mocks with. */
    private static final String[] MOCKS = {"org.mockito.", "net.bytebuddy.", "org.objenesis."};

    /** What is the same where Mockito is: where its classes lie, and what sets it up. */
    private static final String[] MARKS = {
        "org/mockito/Mockito.class", "net/bytebuddy/ByteBuddy.class", "org/objenesis/Objenesis.class",
        "org/mockito/configuration/MockitoConfiguration.class",
    };
    private static final String SETTINGS = "mockito-extensions/org.mockito.plugins.";
    private static final String[] SET = {
        "MockMaker", "MemberAccessor", "StackTraceCleanerProvider", "InstantiatorProvider2", "InstantiatorProvider",
        "AnnotationEngine", "MockitoLogger", "MockResolver", "DoNotMockEnforcer", "PluginSwitch",
    };

    private final List<String> classPath;
    /** Null as long as nobody asked for Mockito. */
    private Boolean sharesMocks;
    private final ClassLoader platform = ClassLoader.getSystemClassLoader().getParent();

    /** Of folders and jars, by their paths. */
    ProjectLoader(List<String> classPath) throws MalformedURLException {
        super(urls(classPath), ProjectLoader.class.getClassLoader());
        this.classPath = classPath;
        setDefaultAssertionStatus(true);
    }

    private static URL[] urls(List<String> classPath) throws MalformedURLException {
        URL[] urls = new URL[classPath.size()];
        for (int entry = 0; entry < urls.length; entry++) {
            urls[entry] = new File(classPath.get(entry)).toURI().toURL();
        }
        return urls;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        for (String prefix : FRAMEWORK) {
            if (name.startsWith(prefix)) {
                return super.loadClass(name, resolve);
            }
        }
        if (isOfMocks(name) && sharesMocks()) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known != null ? known : find(name);
        }
    }

    private static boolean isOfMocks(String name) {
        for (String prefix : MOCKS) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    /** Whether Mockito comes from our side. */
    private synchronized boolean sharesMocks() {
        if (sharesMocks == null) {
            sharesMocks = isSame();
        }
        return sharesMocks;
    }

    private boolean isSame() {
        for (String mark : MARKS) {
            if (!isSame(mark)) {
                return false;
            }
        }
        for (String set : SET) {
            if (!isSame(SETTINGS + set)) {
                return false;
            }
        }
        // Tests and classes of their packages are to share them at run time.
        for (String entry : classPath) {
            for (String prefix : MOCKS) {
                if (new File(entry, prefix.replace('.', '/')).exists()) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean isSame(String resource) {
        return Objects.equals(String.valueOf(findResource(resource)), String.valueOf(getParent().getResource(resource)));
    }

    /** As in a build, where the folder of the tests comes first, then the project, then JUnit. */
    @Override
    public URL getResource(String name) {
        URL ofTheJdk = platform.getResource(name);
        if (ofTheJdk != null) {
            return ofTheJdk;
        }
        URL ofTheProject = findResource(name);
        return ofTheProject != null ? ofTheProject : getParent().getResource(name);
    }

    /** The project's before those of its parents. */
    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        List<URL> found = Collections.list(findResources(name));
        found.addAll(Collections.list(getParent().getResources(name)));
        return Collections.enumeration(found);
    }

    private Class<?> find(String name) throws ClassNotFoundException {
        try {
            return platform.loadClass(name);
        } catch (ClassNotFoundException notOfTheJdk) {
            try {
                return findClass(name);
            } catch (ClassNotFoundException notOfTheProject) {
                return super.loadClass(name, false);
            }
        }
    }
}
