package org.eclipse.aether;

public interface RepositorySystemSession {}
