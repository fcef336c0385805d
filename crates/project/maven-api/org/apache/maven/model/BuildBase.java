package org.apache.maven.model;

public class BuildBase {
    public native String getDirectory();
}
