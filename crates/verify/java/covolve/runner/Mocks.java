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
            // Throws in a JVM without the agent, where Mockito would attach another process to this one.
            Class.forName("net.bytebuddy.agent.Installer", true, loader).getMethod("getInstrumentation").invoke(null);
            Class<?> mockito = Class.forName("org.mockito.Mockito", false, loader);
            Thread thread = new Thread(() -> makeOne(mockito), "covolve-mocks");
            thread.setDaemon(true);
            thread.setPriority(Thread.MIN_PRIORITY);
            thread.start();
        } catch (ReflectiveOperationException | LinkageError none) {
            // Then no test uses it, or the first that does waits for it.
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
