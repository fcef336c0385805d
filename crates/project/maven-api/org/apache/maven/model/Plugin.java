package org.apache.maven.model;

import java.util.List;

public class Plugin extends ConfigurationContainer {
    public native String getKey();

    public native List<PluginExecution> getExecutions();
}
