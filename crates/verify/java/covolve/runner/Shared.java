package covolve.runner;

import java.net.CookieHandler;
import java.net.ProxySelector;
import java.util.Arrays;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Objects of a project that the JDK calls for all tests of a JVM. A test that leaves one there makes others fail that have nothing to
 * do with it: a handler of the root logger, say, that writes to a folder that is not there.
 */
final class Shared {
    private static final Logger ROOT = Logger.getLogger("");

    private final Handler[] handlers = ROOT.getHandlers();
    private final Level level = ROOT.getLevel();
    private final Thread.UncaughtExceptionHandler uncaught = Thread.getDefaultUncaughtExceptionHandler();
    private final CookieHandler cookies = CookieHandler.getDefault();
    private final ProxySelector proxies = ProxySelector.getDefault();

    private Shared() {
    }

    static Shared current() {
        return new Shared();
    }

    /** Puts back what was there; what the test has left, in words, {@code null} if nothing. The level of a logger breaks nothing. */
    String restore() {
        String changed = null;
        if (!Arrays.equals(handlers, ROOT.getHandlers())) {
            restoreHandlers();
            changed = "the root logger with other handlers";
        }
        ROOT.setLevel(level);
        if (uncaught != Thread.getDefaultUncaughtExceptionHandler()) {
            Thread.setDefaultUncaughtExceptionHandler(uncaught);
            changed = "another default handler of uncaught exceptions";
        }
        if (cookies != CookieHandler.getDefault()) {
            CookieHandler.setDefault(cookies);
            changed = "another default handler of cookies";
        }
        if (proxies != ProxySelector.getDefault()) {
            ProxySelector.setDefault(proxies);
            changed = "another default selector of proxies";
        }
        return changed;
    }

    private void restoreHandlers() {
        for (Handler handler : ROOT.getHandlers()) {
            ROOT.removeHandler(handler);
        }
        for (Handler handler : handlers) {
            ROOT.addHandler(handler);
        }
    }
}
