package org.apache.maven.project;

public interface DependencyResolutionRequest {}
