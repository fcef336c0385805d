package covolve.runner;

/** Mockito, where the JVM was started with its agent. */
final class Mocks {
    private Mocks() {}

    /**
     * Has a first mock made beside everything else: it takes a second, which a file whose tests use mocks would have to wait for at
     * the end of its time.
     */
    static void warmUp() {
        try {
            ClassLoader loader = ClassLoader.getSystemClassLoader();
            // The agent is on no class path but that which its JVM gives it.
            Class.forName("net.bytebuddy.agent.Installer", false, loader);
            Class<?> mockito = Class.forName("org.mockito.Mockito", false, loader);
            Thread thread = new Thread(() -> makeOne(mockito), "covolve-mocks");
            thread.setDaemon(true);
            thread.setPriority(Thread.MIN_PRIORITY);
            thread.start();
        } catch (ClassNotFoundException none) {
            // Then no test uses it.
        }
    }

    private static void makeOne(Class<?> mockito) {
        try {
            mockito.getMethod("mock", Class.class).invoke(null, Runnable.class);
        } catch (ReflectiveOperationException | LinkageError broken) {
            // Tests that use it tell what is wrong.
        }
    }
}
