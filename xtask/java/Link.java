import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.List;

/**
 * Loads and links the classes that a file lists, a module (or -) and a class in each line, without initializing
 * them. Linking runs the verifier. Prints what cannot be linked.
 */
public class Link {
    public static void main(String[] arguments) throws Exception {
        List<String> lines = Files.readAllLines(Paths.get(arguments[0]));
        for (String line : lines) {
            String[] parts = line.split(" ");
            try {
                Class<?> loaded = load(parts[0], parts[1]);
                if (loaded == null) {
                    throw new ClassNotFoundException(parts[1]);
                }
                link(loaded);
            } catch (ClassNotFoundException | LinkageError error) {
                report(parts[1], error);
            }
        }
        System.out.println("DONE " + lines.size());
    }

    private static Class<?> load(String module, String name) throws ClassNotFoundException {
        if (module.equals("-")) {
            return Class.forName(name, false, Link.class.getClassLoader());
        }
        return Class.forName(ModuleLayer.boot().findModule(module).get(), name);
    }

    /** Asking for its methods links a class first; that a type in a signature is missing is no matter of linking. */
    private static void link(Class<?> loaded) {
        try {
            loaded.getDeclaredMethods();
        } catch (NoClassDefFoundError missing) {
            StackTraceElement[] trace = missing.getStackTrace();
            if (trace.length == 0 || !trace[0].getMethodName().equals("getDeclaredMethods0")) {
                throw missing;
            }
        }
    }

    private static void report(String name, Throwable error) {
        String message = String.valueOf(error.getMessage()).split("\n")[0];
        System.out.println("FAIL " + name + " " + error.getClass().getName() + ": " + message);
    }
}
