package org.apache.maven.project;

import org.eclipse.aether.graph.DependencyNode;

public interface DependencyResolutionResult {
    DependencyNode getDependencyGraph();
}
