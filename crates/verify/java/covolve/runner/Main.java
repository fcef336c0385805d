package covolve.runner;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The verification JVM: compiles test files and runs them with the user's JUnit, on command.
 *
 * Commands come from and answers go to the two files named first on the command line, so that whatever a test does
 * with the standard streams disturbs nobody. A third word makes the JVM name itself another one. A reader thread of its own sees the end of the commands even while a test
 * hangs; the JVM then ends at once.
 */
public final class Main {
    static final int COMPILE = 1;
    static final int RUN = 2;
    static final int QUIT = 3;
    static final int MEASURE = 4;

    private Main() {
    }

    public static void main(String[] arguments) throws Exception {
        Wire wire = new Wire(
            new BufferedInputStream(new FileInputStream(arguments[0])),
            new BufferedOutputStream(new FileOutputStream(arguments[1])));
        Surroundings.silence();
        if (arguments.length > 2) {
            Surroundings.move();
        }
        Compiler compiler = new Compiler();
        TestRunner runner = new TestRunner(wire);
        OwnTests ownTests = new OwnTests(wire);
        BlockingQueue<Command> commands = new LinkedBlockingQueue<>();
        Thread reader = new Thread(() -> read(wire, commands), "covolve-commands");
        reader.setDaemon(true);
        reader.start();
        wire.ready(System.getProperty("java.specification.version"));
        Mocks.warmUp();
        for (Command command = commands.take(); command.kind != QUIT; command = commands.take()) {
            if (command.kind == COMPILE) {
                wire.diagnostics(compiler.compile(command.compilation));
            } else if (command.kind == MEASURE) {
                ownTests.run(command.measurement);
            } else {
                runner.run(command.run);
            }
        }
        // Not halt: the hooks of the JVM that write a class data archive must run. Threads that tests left
        // behind do not keep the JVM alive.
        System.exit(0);
    }

    private static void read(Wire wire, BlockingQueue<Command> commands) {
        try {
            while (true) {
                commands.add(wire.command());
            }
        } catch (EOFException closed) {
            Runtime.getRuntime().halt(0);
        } catch (IOException broken) {
            Runtime.getRuntime().halt(1);
        }
    }

    /** One command as read: the field of its kind is set. */
    static final class Command {
        int kind;
        Compilation compilation;
        Run run;
        Measurement measurement;
    }

    /** Test classes of the project whose tests are run for what they cover. */
    static final class Measurement {
        /** How many probes, outcomes of branches and static fields there are. */
        int probes;
        int outcomes;
        int statics;
        /** What second numbers are made with, and numbers of signatures by probe; empty where no direct calls are told apart. */
        int shift;
        int[] signatures;
        /** What {@code covolve.runtime.Calls} is to look at; empty for nothing. */
        String calls;
        /** Time for a test, and for what comes before the first. */
        int limitMillis;
        final List<String> classPath = new ArrayList<>();
        final List<String> classes = new ArrayList<>();
        /** Whether each is for JUnit 5. */
        final List<Boolean> jupiter = new ArrayList<>();
    }

    /** Source files to compile. */
    static final class Compilation {
        final List<String> options = new ArrayList<>();
        final List<String> classPath = new ArrayList<>();
        /** Whether class files are wanted, and not the errors alone. */
        boolean writes;
        String folder;
        final List<String> paths = new ArrayList<>();
        final List<String> texts = new ArrayList<>();
    }

    /** Tests to run, in this order. */
    static final class Run {
        /** In classes that nothing has used. */
        static final int FRESH = 0;
        /** In classes that all these tests have used before. */
        static final int USED = 1;
        /** Each in classes that nothing has used. */
        static final int ALONE = 2;

        boolean jupiter;
        int start;
        int limitMillis;
        /** What makes this JVM another one for the time of the run; empty if it stays what it is. */
        final Properties elsewhere = new Properties();
        final List<String> classPath = new ArrayList<>();
        final List<String> classes = new ArrayList<>();
        final List<String> methods = new ArrayList<>();

        /** One of the tests. */
        Run only(int test) {
            Run only = new Run();
            only.jupiter = jupiter;
            only.limitMillis = limitMillis;
            only.elsewhere.putAll(elsewhere);
            only.classPath.addAll(classPath);
            only.classes.add(classes.get(test));
            only.methods.add(methods.get(test));
            return only;
        }
    }
}
