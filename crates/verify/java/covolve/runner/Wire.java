package covolve.runner;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What is said to and by the parent: big-endian numbers, strings as a length in bytes and UTF-8, lists as a length
 * and the elements. The Rust side is {@code verify/protocol.rs}.
 */
final class Wire {
    private static final int READY = 1;
    private static final int DIAGNOSTICS = 2;
    private static final int STARTED = 3;
    private static final int FINISHED = 4;
    private static final int DONE = 5;
    private static final int MEASURED = 6;

    /** Longer messages of exceptions and of javac are cut here. */
    private static final int LONGEST = 2000;

    private final DataInputStream in;
    private final DataOutputStream out;

    Wire(InputStream in, OutputStream out) {
        this.in = new DataInputStream(in);
        this.out = new DataOutputStream(out);
    }

    Main.Command command() throws IOException {
        Main.Command command = new Main.Command();
        command.kind = in.readUnsignedByte();
        if (command.kind == Main.COMPILE) {
            Main.Compilation compilation = new Main.Compilation();
            strings(compilation.options);
            strings(compilation.classPath);
            compilation.writes = in.readBoolean();
            compilation.folder = string();
            int files = in.readInt();
            for (int file = 0; file < files; file++) {
                compilation.paths.add(string());
                compilation.texts.add(string());
            }
            command.compilation = compilation;
        } else if (command.kind == Main.RUN) {
            Main.Run run = new Main.Run();
            run.jupiter = in.readBoolean();
            run.start = in.readUnsignedByte();
            run.limitMillis = in.readInt();
            int properties = in.readInt();
            for (int property = 0; property < properties; property++) {
                run.elsewhere.setProperty(string(), string());
            }
            strings(run.classPath);
            int tests = in.readInt();
            for (int test = 0; test < tests; test++) {
                run.classes.add(string());
                run.methods.add(string());
            }
            command.run = run;
        } else if (command.kind == Main.MEASURE) {
            command.measurement = measurement();
        } else if (command.kind != Main.QUIT) {
            throw new IOException("unknown command " + command.kind);
        }
        return command;
    }

    private Main.Measurement measurement() throws IOException {
        Main.Measurement measurement = new Main.Measurement();
        measurement.probes = in.readInt();
        measurement.outcomes = in.readInt();
        measurement.statics = in.readInt();
        measurement.shift = in.readInt();
        measurement.signatures = new int[in.readInt()];
        for (int index = 0; index < measurement.signatures.length; index++) {
            measurement.signatures[index] = in.readInt();
        }
        measurement.calls = string();
        measurement.limitMillis = in.readInt();
        strings(measurement.classPath);
        int classes = in.readInt();
        for (int index = 0; index < classes; index++) {
            measurement.classes.add(string());
            measurement.jupiter.add(in.readBoolean());
        }
        return measurement;
    }

    synchronized void ready(String version) throws IOException {
        out.writeByte(READY);
        string(version);
        out.flush();
    }

    synchronized void diagnostics(List<Compiler.Problem> problems) throws IOException {
        out.writeByte(DIAGNOSTICS);
        out.writeInt(problems.size());
        for (Compiler.Problem problem : problems) {
            string(problem.path);
            out.writeInt(problem.line);
            string(problem.message);
        }
        out.flush();
    }

    /** Sent before a test runs, at once, so that the parent knows which test ended the JVM. */
    synchronized void started(int test) throws IOException {
        out.writeByte(STARTED);
        out.writeInt(test);
        out.flush();
    }

    synchronized void finished(int test, Outcome outcome) throws IOException {
        out.writeByte(FINISHED);
        out.writeInt(test);
        out.writeByte(outcome.kind);
        string(outcome.exception);
        string(outcome.message);
        out.writeInt(outcome.line);
        out.flush();
    }

    /** How a test of a class ended, and what it is the first to cover. */
    synchronized void measured(int testClass, boolean hasPassed, int[] probes, int[] outcomes, List<String> thrown)
            throws IOException {
        out.writeByte(MEASURED);
        out.writeInt(testClass);
        out.writeBoolean(hasPassed);
        numbers(probes);
        numbers(outcomes);
        out.writeInt(thrown.size());
        for (String exception : thrown) {
            string(exception);
        }
        out.flush();
    }

    private void numbers(int[] numbers) throws IOException {
        out.writeInt(numbers.length);
        for (int number : numbers) {
            out.writeInt(number);
        }
    }

    /** The run is over; {@code problem} is empty unless it could not be carried out. */
    synchronized void done(String problem) throws IOException {
        out.writeByte(DONE);
        string(problem);
        out.flush();
    }

    private void strings(List<String> into) throws IOException {
        int count = in.readInt();
        for (int index = 0; index < count; index++) {
            into.add(string());
        }
    }

    private String string() throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private void string(String text) throws IOException {
        String shown = text == null ? "" : text.length() > LONGEST ? text.substring(0, LONGEST) : text;
        byte[] bytes = shown.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }
}
