package org.apache.maven.model;

public class Build extends BuildBase {
    public native String getOutputDirectory();

    public native String getTestOutputDirectory();
}
