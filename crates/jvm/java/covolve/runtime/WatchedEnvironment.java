package covolve.runtime;

import java.util.AbstractMap;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The environment variables as {@code System.getenv} gives them; tells when they are read.
 *
 * <p>That a variable of one's own is not set is no fact of a machine: the switches of a framework are set nowhere as a rule. What
 * is set here, or on many machines, is.
 */
public final class WatchedEnvironment extends AbstractMap<String, String> {
    /** Variables that shells, desktops, builds and operating systems set. */
    private static final Set<String> COMMON = new HashSet<>(Arrays.asList(
        "APPDATA", "CI", "CLASSPATH", "COMPUTERNAME", "COMSPEC", "DISPLAY", "EDITOR", "HOME", "HOMEDRIVE", "HOMEPATH",
        "HOST", "HOSTNAME", "HTTPS_PROXY", "HTTP_PROXY", "JAVA_HOME", "JAVA_OPTS", "JAVA_TOOL_OPTIONS", "JDK_HOME", "JDK_JAVA_OPTIONS",
        "LANG", "LANGUAGE", "LOCALAPPDATA", "LOGNAME", "M2_HOME", "MAIL", "MAVEN_HOME", "MAVEN_OPTS", "NO_PROXY",
        "NUMBER_OF_PROCESSORS", "OLDPWD", "OS", "PAGER", "PATH", "PATHEXT", "PROGRAMDATA", "PROGRAMFILES", "PWD",
        "SHELL", "SHLVL", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TERM", "TMP", "TMPDIR", "TZ", "USER", "USERDOMAIN",
        "USERNAME", "USERPROFILE", "VISUAL", "WINDIR", "_"));

    /** How the names of families of them begin. */
    private static final String[] FAMILIES = {
        "BUILD_", "CI_", "DBUS_", "DOCKER_", "GITHUB_", "GITLAB_", "GRADLE_", "JENKINS_", "KUBERNETES_", "LC_", "LD_",
        "PROCESSOR_", "SSH_", "SUDO_", "WAYLAND_", "XDG_"};

    private final Map<String, String> variables;

    /** Watches an unmodifiable map. */
    public WatchedEnvironment(Map<String, String> variables) {
        this.variables = variables;
    }

    @Override
    public String get(Object name) {
        touch(name);
        return variables.get(name);
    }

    @Override
    public boolean containsKey(Object name) {
        touch(name);
        return variables.containsKey(name);
    }

    private void touch(Object name) {
        if (!(name instanceof String) || variables.containsKey(name) || isCommon((String) name)) {
            World.touch(World.ENVIRONMENT);
        }
    }

    private static boolean isCommon(String name) {
        String upper = name.toUpperCase(java.util.Locale.ROOT);
        for (String family : FAMILIES) {
            if (upper.startsWith(family)) {
                return true;
            }
        }
        return COMMON.contains(upper);
    }

    @Override
    public Set<Map.Entry<String, String>> entrySet() {
        World.touch(World.ENVIRONMENT);
        return variables.entrySet();
    }
}
