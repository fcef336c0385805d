package covolve.runtime;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** A standard stream while somebody looks at what a test prints. It keeps the beginning, and closing it does nothing. */
public final class Printed extends PrintStream {
    /** Most bytes that are kept; longer texts are no assertion. */
    private static final int MOST = 4096;

    private static final Printed OUT = new Printed(), ERR = new Printed();

    private final byte[] bytes = new byte[MOST];

    /** Bytes printed so far; no more than one above those that are kept. */
    private int length;

    private Printed() {
        super(new ByteArrayOutputStream(0));
    }

    /** Forgets what was printed, and takes the place of the standard streams. */
    public static void capture() {
        OUT.length = 0;
        ERR.length = 0;
        System.setOut(OUT);
        System.setErr(ERR);
    }

    /** What was printed; null where that is nothing, too much, or anything but printable ASCII, tabs and line feeds. */
    public static String text(boolean isError) {
        return (isError ? ERR : OUT).text();
    }

    private synchronized String text() {
        return length == 0 || length > MOST ? null : plain(bytes, length);
    }

    /** These bytes as a text; null where they hold anything but printable ASCII, tabs and line feeds. */
    static String plain(byte[] bytes, int length) {
        for (int index = 0; index < length; index++) {
            byte one = bytes[index];
            if ((one < ' ' || one > '~') && one != '\n' && one != '\t') {
                return null;
            }
        }
        return new String(bytes, 0, length, StandardCharsets.US_ASCII);
    }

    @Override
    public synchronized void write(int one) {
        if (length < MOST) {
            bytes[length] = (byte) one;
        }
        length = Math.min(length + 1, MOST + 1);
    }

    @Override
    public synchronized void write(byte[] from, int offset, int count) {
        for (int index = 0; index < count; index++) {
            write(from[offset + index]);
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
