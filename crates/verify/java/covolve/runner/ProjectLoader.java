package covolve.runner;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;

/**
 * Loads the tests and the classes under test: the JDK's own first, then the class path of the project, then JUnit.
 * JUnit itself comes from our side alone, so that the tests meet the classes that run them; all else comes from
 * the project even where one jar holds both, so that a test and its class share a package at run time.
 */
final class ProjectLoader extends URLClassLoader {
    private static final String[] FRAMEWORK = {
        "org.junit.", "junit.framework.", "org.hamcrest.", "org.opentest4j.", "org.apiguardian.",
    };

    private final ClassLoader platform = ClassLoader.getSystemClassLoader().getParent();

    /** Of folders and jars, by their paths. */
    ProjectLoader(List<String> classPath) throws MalformedURLException {
        super(urls(classPath), ProjectLoader.class.getClassLoader());
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
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known != null ? known : find(name);
        }
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
