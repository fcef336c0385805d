package org.apache.maven.toolchain;

public interface Toolchain {
    String findTool(String toolName);
}
