package org.eclipse.aether.graph;

import java.util.List;
import org.eclipse.aether.artifact.Artifact;

public interface DependencyNode {
    Artifact getArtifact();

    Dependency getDependency();

    List<DependencyNode> getChildren();
}
