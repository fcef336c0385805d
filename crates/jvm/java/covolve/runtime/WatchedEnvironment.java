package covolve.runtime;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;

/** The environment variables as {@code System.getenv} gives them; tells when they are read. */
public final class WatchedEnvironment extends AbstractMap<String, String> {
    private final Map<String, String> variables;

    /** Watches an unmodifiable map. */
    public WatchedEnvironment(Map<String, String> variables) {
        this.variables = variables;
    }

    @Override
    public String get(Object name) {
        World.touch(World.ENVIRONMENT);
        return variables.get(name);
    }

    @Override
    public boolean containsKey(Object name) {
        World.touch(World.ENVIRONMENT);
        return variables.containsKey(name);
    }

    @Override
    public Set<Map.Entry<String, String>> entrySet() {
        World.touch(World.ENVIRONMENT);
        return variables.entrySet();
    }
}
