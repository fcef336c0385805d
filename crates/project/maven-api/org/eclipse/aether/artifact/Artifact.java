package org.eclipse.aether.artifact;

import java.io.File;

public interface Artifact {
    String getGroupId();

    String getArtifactId();

    String getBaseVersion();

    String getClassifier();

    String getExtension();

    String getProperty(String key, String defaultValue);

    File getFile();
}
