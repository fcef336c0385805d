package org.apache.maven.project;

import java.io.File;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.maven.model.Build;
import org.apache.maven.model.Plugin;
import org.codehaus.plexus.util.xml.Xpp3Dom;

public class MavenProject {
    public native String getGroupId();

    public native String getArtifactId();

    public native String getVersion();

    public native String getPackaging();

    public native File getBasedir();

    public native Build getBuild();

    public native List<Plugin> getBuildPlugins();

    public native List<String> getCompileSourceRoots();

    public native List<String> getTestCompileSourceRoots();

    public native Properties getProperties();

    public native Map<String, List<String>> getInjectedProfileIds();

    public native Xpp3Dom getGoalConfiguration(
            String pluginGroupId, String pluginArtifactId, String executionId, String goalId);
}
