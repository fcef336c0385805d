package org.apache.maven.execution;

import java.util.List;
import org.apache.maven.project.MavenProject;
import org.eclipse.aether.RepositorySystemSession;

public class MavenSession {
    public native List<MavenProject> getProjects();

    public native RepositorySystemSession getRepositorySession();
}
