package org.apache.maven.project;

public class DependencyResolutionException extends Exception {
    public native DependencyResolutionResult getResult();
}
