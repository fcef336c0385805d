package covolve.maven;

import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;

/** Runs the generated tests against the classes as they are now: {@code covolve check}. */
@Mojo(name = "check", defaultPhase = LifecyclePhase.VERIFY)
public final class CheckMojo extends CovolveMojo {
    @Override
    String command() {
        return "check";
    }
}
