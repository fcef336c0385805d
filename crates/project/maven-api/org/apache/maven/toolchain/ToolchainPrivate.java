package org.apache.maven.toolchain;

import java.util.Map;

public interface ToolchainPrivate extends Toolchain {
    boolean matchesRequirements(Map<String, String> requirements);
}
