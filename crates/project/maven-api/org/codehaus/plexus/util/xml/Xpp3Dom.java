package org.codehaus.plexus.util.xml;

public class Xpp3Dom {
    public native String getName();

    public native String getValue();

    public native Xpp3Dom getChild(String name);

    public native Xpp3Dom[] getChildren();
}
