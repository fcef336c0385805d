package org.apache.maven.project;

import org.eclipse.aether.RepositorySystemSession;
import org.eclipse.aether.graph.DependencyFilter;

public class DefaultDependencyResolutionRequest implements DependencyResolutionRequest {
    public DefaultDependencyResolutionRequest(MavenProject project, RepositorySystemSession session) {}

    public native DependencyResolutionRequest setResolutionFilter(DependencyFilter filter);
}
