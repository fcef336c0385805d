package org.eclipse.aether.graph;

public class Dependency {
    public native String getScope();
}
