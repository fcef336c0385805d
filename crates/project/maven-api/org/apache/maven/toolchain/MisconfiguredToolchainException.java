package org.apache.maven.toolchain;

public class MisconfiguredToolchainException extends Exception {}
