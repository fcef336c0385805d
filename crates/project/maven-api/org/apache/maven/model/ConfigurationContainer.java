package org.apache.maven.model;

public class ConfigurationContainer {}
