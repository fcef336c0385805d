package org.apache.maven.model;

import java.util.List;

public class PluginExecution extends ConfigurationContainer {
    public native String getId();

    public native List<String> getGoals();
}
