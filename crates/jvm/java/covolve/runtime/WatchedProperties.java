package covolve.runtime;

import java.util.Collection;
import java.util.Enumeration;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

/**
 * The system properties; tells when all of them are read, and when any may change.
 * The user, the working folder and the folder for temporary files have names that are the same in every run: what follows from them in a test is
 * judged by plain JVMs, which have others.
 */
public final class WatchedProperties extends Properties {
    private static final long serialVersionUID = 1L;

    private static final String TEMPORARY_FOLDER = "java.io.tmpdir";

    private final transient Properties snapshot = new Properties();
    /** The folder that there is. */
    private final transient String temporaryFolder;

    /** Takes over the properties of another object. */
    public WatchedProperties(Properties original) {
        temporaryFolder = original.getProperty(TEMPORARY_FOLDER);
        super.putAll(original);
        super.put("user.name", "user");
        super.put("user.home", "/users/user");
        super.put("user.dir", "/users/user/work");
        super.put(TEMPORARY_FOLDER, "/tmp");
        snapshot.putAll(this);
    }

    /**
     * A property. Two classes of the JDK make temporary files and ask for their folder once: they get the real one. They could be
     * initialized before the property has another value, but each starts a source of randomness, which takes a tenth of a second.
     */
    @Override
    public String getProperty(String name) {
        return TEMPORARY_FOLDER.equals(name) && isAskedForFiles() ? temporaryFolder : super.getProperty(name);
    }

    private static boolean isAskedForFiles() {
        for (StackTraceElement frame : new Throwable().getStackTrace()) {
            String name = frame.getClassName();
            if (name.equals("java.io.File$TempDirectory") || name.equals("java.nio.file.TempFileHelper")) {
                return true;
            }
            if (!name.startsWith("java.") && !name.startsWith("jdk.") && !name.startsWith("sun.") && !name.startsWith("covolve.runtime.")) {
                return false;
            }
        }
        return false;
    }

    /** Undoes every change. */
    public void restore() {
        super.clear();
        super.putAll(snapshot);
        World.propertiesChanged = false;
    }

    private static void changed() {
        World.propertiesChanged = true;
    }

    /** A view may be read through and removed from. */
    private static void viewed() {
        World.touch(World.ENVIRONMENT);
        changed();
    }

    @Override
    public Set<String> stringPropertyNames() {
        World.touch(World.ENVIRONMENT);
        return super.stringPropertyNames();
    }

    @Override
    public Enumeration<Object> elements() {
        World.touch(World.ENVIRONMENT);
        return super.elements();
    }

    @Override
    public synchronized String toString() {
        World.touch(World.ENVIRONMENT);
        return super.toString();
    }

    @Override
    public Set<Object> keySet() {
        viewed();
        return super.keySet();
    }

    @Override
    public Collection<Object> values() {
        viewed();
        return super.values();
    }

    @Override
    public Set<Map.Entry<Object, Object>> entrySet() {
        viewed();
        return super.entrySet();
    }

    @Override
    public synchronized Object put(Object name, Object value) {
        changed();
        return super.put(name, value);
    }

    @Override
    public synchronized void putAll(Map<?, ?> values) {
        changed();
        super.putAll(values);
    }

    @Override
    public synchronized Object putIfAbsent(Object name, Object value) {
        changed();
        return super.putIfAbsent(name, value);
    }

    @Override
    public synchronized Object remove(Object name) {
        changed();
        return super.remove(name);
    }

    @Override
    public synchronized boolean remove(Object name, Object value) {
        changed();
        return super.remove(name, value);
    }

    @Override
    public synchronized void clear() {
        changed();
        super.clear();
    }

    @Override
    public synchronized Object replace(Object name, Object value) {
        changed();
        return super.replace(name, value);
    }

    @Override
    public synchronized boolean replace(Object name, Object old, Object value) {
        changed();
        return super.replace(name, old, value);
    }

    @Override
    public synchronized void replaceAll(java.util.function.BiFunction<? super Object, ? super Object, ?> function) {
        changed();
        super.replaceAll(function);
    }

    @Override
    public synchronized Object merge(Object name, Object value,
            java.util.function.BiFunction<? super Object, ? super Object, ?> function) {
        changed();
        return super.merge(name, value, function);
    }

    @Override
    public synchronized Object compute(Object name,
            java.util.function.BiFunction<? super Object, ? super Object, ?> function) {
        changed();
        return super.compute(name, function);
    }

    @Override
    public synchronized Object computeIfAbsent(Object name,
            java.util.function.Function<? super Object, ?> function) {
        changed();
        return super.computeIfAbsent(name, function);
    }

    @Override
    public synchronized Object computeIfPresent(Object name,
            java.util.function.BiFunction<? super Object, ? super Object, ?> function) {
        changed();
        return super.computeIfPresent(name, function);
    }
}
