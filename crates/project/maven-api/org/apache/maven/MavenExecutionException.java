package org.apache.maven;

public class MavenExecutionException extends Exception {
    public MavenExecutionException(String message, java.io.File pomFile) {}
}
