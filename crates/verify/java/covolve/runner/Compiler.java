package covolve.runner;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * The javac of this JDK, kept warm: the file manager remembers the jars it has opened. Where no class files are wanted
 * it stops before it makes any.
 */
final class Compiler {
    private JavaCompiler javac;
    private StandardJavaFileManager files;

    /** Compiles into the folder; returns the errors, none if all is right and the class files that are wanted are there. */
    List<Problem> compile(Main.Compilation compilation) {
        List<Problem> problems = new ArrayList<>();
        try {
            DiagnosticCollector<JavaFileObject> collector = new DiagnosticCollector<>();
            StringWriter rest = new StringWriter();
            JavaCompiler.CompilationTask task = task(compilation, collector, rest);
            boolean compiled = compilation.writes ? task.call() : analyze(task);
            for (Diagnostic<? extends JavaFileObject> diagnostic : collector.getDiagnostics()) {
                if (diagnostic.getKind() == Diagnostic.Kind.ERROR) {
                    problems.add(problem(diagnostic));
                }
            }
            if (!compiled && problems.isEmpty()) {
                problems.add(new Problem("", 0, "javac failed without naming an error " + rest));
            }
        } catch (IOException | ReflectiveOperationException | RuntimeException | StackOverflowError broken) {
            // javac overflows its stack on deeply nested expressions: that is a fault of the file.
            problems.add(new Problem("", 0, "javac: " + broken));
        }
        return problems;
    }

    private JavaCompiler.CompilationTask task(Main.Compilation compilation,
            DiagnosticCollector<JavaFileObject> collector, StringWriter rest) throws IOException {
        if (javac == null) {
            javac = ToolProvider.getSystemJavaCompiler();
            if (javac == null) {
                throw new IOException("this JDK has no compiler");
            }
            files = javac.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8);
        }
        List<File> classPath = new ArrayList<>();
        for (String entry : compilation.classPath) {
            classPath.add(new File(entry));
        }
        files.setLocation(StandardLocation.CLASS_PATH, classPath);
        // Else sources that lie in a jar beside their classes are compiled as well.
        files.setLocation(StandardLocation.SOURCE_PATH, Collections.<File>emptyList());
        files.setLocation(StandardLocation.CLASS_OUTPUT, Collections.singleton(new File(compilation.folder)));
        List<Source> sources = new ArrayList<>();
        for (int file = 0; file < compilation.paths.size(); file++) {
            sources.add(new Source(compilation.paths.get(file), compilation.texts.get(file)));
        }
        return javac.getTask(rest, files, collector, compilation.options, null, sources);
    }

    /** All that javac checks, without class files; what it finds is said to the listener. */
    private static boolean analyze(JavaCompiler.CompilationTask task) throws ReflectiveOperationException {
        ClassLoader loader = task.getClass().getClassLoader();
        Class.forName("com.sun.source.util.JavacTask", false, loader).getMethod("analyze").invoke(task);
        return true;
    }

    private static Problem problem(Diagnostic<? extends JavaFileObject> diagnostic) {
        JavaFileObject source = diagnostic.getSource();
        String path = source instanceof Source ? ((Source) source).path : "";
        return new Problem(path, (int) Math.max(diagnostic.getLineNumber(), 0), diagnostic.getMessage(Locale.ROOT));
    }

    /** An error; {@code path} is empty and {@code line} 0 where javac blames no place. */
    static final class Problem {
        final String path;
        final int line;
        final String message;

        Problem(String path, int line, String message) {
            this.path = path;
            this.line = line;
            this.message = message;
        }
    }

    private static final class Source extends SimpleJavaFileObject {
        final String path;
        private final String text;

        Source(String path, String text) {
            super(URI.create("string:///" + path), Kind.SOURCE);
            this.path = path;
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
