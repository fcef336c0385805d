package org.junit.jupiter.api;

import covolve.judge.Record;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.function.ThrowingSupplier;

/**
 * Stands in for JUnit's class of this name while the judge runs tests: the same methods, as far as printed tests use
 * them, but an assertion that fails is written down, and the test goes on. Tests are compiled against JUnit's own class.
 */
public final class Assertions {
    private Assertions() {}

    public static void assertTrue(boolean condition) {
        Record.check(condition, true, condition);
    }

    public static void assertFalse(boolean condition) {
        Record.check(!condition, false, condition);
    }

    public static void assertNull(Object actual) {
        Record.check(actual == null, null, actual);
    }

    public static void assertNotNull(Object actual) {
        Record.check(actual != null, "not null", actual);
    }

    public static void assertSame(Object expected, Object actual) {
        Record.check(expected == actual, expected, actual);
    }

    public static void assertNotSame(Object unexpected, Object actual) {
        Record.check(unexpected != actual, "another object", actual);
    }

    public static void assertEquals(Object expected, Object actual) {
        Record.check(Objects.equals(expected, actual), expected, actual);
    }

    /** The class thrown is written down as well: a test may only be able to name a superclass. */
    public static <T extends Throwable> T assertThrows(Class<T> expected, Executable executable) {
        Throwable thrown = null;
        try {
            executable.execute();
        } catch (Throwable exception) {
            thrown = exception;
        }
        Record.thrown(thrown);
        Record.check(expected.isInstance(thrown), expected, thrown);
        return expected.isInstance(thrown) ? expected.cast(thrown) : null;
    }

    public static <T extends Throwable> T assertThrows(Class<T> expected, Executable executable, String message) {
        return assertThrows(expected, executable);
    }

    /** What is thrown all the same ends the test as it would without the assertion. */
    public static void assertDoesNotThrow(Executable executable) {
        assertDoesNotThrow(() -> {
            executable.execute();
            return null;
        });
    }

    public static <T> T assertDoesNotThrow(ThrowingSupplier<T> supplier) {
        try {
            return supplier.get();
        } catch (Throwable thrown) {
            throw Assertions.<RuntimeException>unchecked(thrown);
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> T unchecked(Throwable thrown) throws T {
        throw (T) thrown;
    }

    public static void assertEquals(byte expected, byte actual) {
        Record.check(Objects.equals((Byte) expected, (Byte) actual), expected, actual);
    }

    public static void assertEquals(byte expected, Byte actual) {
        Record.check(Objects.equals((Byte) expected, (Byte) actual), expected, actual);
    }

    public static void assertEquals(Byte expected, byte actual) {
        Record.check(Objects.equals((Byte) expected, (Byte) actual), expected, actual);
    }

    public static void assertEquals(Byte expected, Byte actual) {
        Record.check(Objects.equals((Byte) expected, (Byte) actual), expected, actual);
    }

    public static void assertEquals(short expected, short actual) {
        Record.check(Objects.equals((Short) expected, (Short) actual), expected, actual);
    }

    public static void assertEquals(short expected, Short actual) {
        Record.check(Objects.equals((Short) expected, (Short) actual), expected, actual);
    }

    public static void assertEquals(Short expected, short actual) {
        Record.check(Objects.equals((Short) expected, (Short) actual), expected, actual);
    }

    public static void assertEquals(Short expected, Short actual) {
        Record.check(Objects.equals((Short) expected, (Short) actual), expected, actual);
    }

    public static void assertEquals(int expected, int actual) {
        Record.check(Objects.equals((Integer) expected, (Integer) actual), expected, actual);
    }

    public static void assertEquals(int expected, Integer actual) {
        Record.check(Objects.equals((Integer) expected, (Integer) actual), expected, actual);
    }

    public static void assertEquals(Integer expected, int actual) {
        Record.check(Objects.equals((Integer) expected, (Integer) actual), expected, actual);
    }

    public static void assertEquals(Integer expected, Integer actual) {
        Record.check(Objects.equals((Integer) expected, (Integer) actual), expected, actual);
    }

    public static void assertEquals(long expected, long actual) {
        Record.check(Objects.equals((Long) expected, (Long) actual), expected, actual);
    }

    public static void assertEquals(long expected, Long actual) {
        Record.check(Objects.equals((Long) expected, (Long) actual), expected, actual);
    }

    public static void assertEquals(Long expected, long actual) {
        Record.check(Objects.equals((Long) expected, (Long) actual), expected, actual);
    }

    public static void assertEquals(Long expected, Long actual) {
        Record.check(Objects.equals((Long) expected, (Long) actual), expected, actual);
    }

    public static void assertEquals(char expected, char actual) {
        Record.check(Objects.equals((Character) expected, (Character) actual), expected, actual);
    }

    public static void assertEquals(char expected, Character actual) {
        Record.check(Objects.equals((Character) expected, (Character) actual), expected, actual);
    }

    public static void assertEquals(Character expected, char actual) {
        Record.check(Objects.equals((Character) expected, (Character) actual), expected, actual);
    }

    public static void assertEquals(Character expected, Character actual) {
        Record.check(Objects.equals((Character) expected, (Character) actual), expected, actual);
    }

    public static void assertEquals(float expected, float actual) {
        Record.check(Objects.equals((Float) expected, (Float) actual), expected, actual);
    }

    public static void assertEquals(float expected, Float actual) {
        Record.check(Objects.equals((Float) expected, (Float) actual), expected, actual);
    }

    public static void assertEquals(Float expected, float actual) {
        Record.check(Objects.equals((Float) expected, (Float) actual), expected, actual);
    }

    public static void assertEquals(Float expected, Float actual) {
        Record.check(Objects.equals((Float) expected, (Float) actual), expected, actual);
    }

    public static void assertEquals(double expected, double actual) {
        Record.check(Objects.equals((Double) expected, (Double) actual), expected, actual);
    }

    public static void assertEquals(double expected, Double actual) {
        Record.check(Objects.equals((Double) expected, (Double) actual), expected, actual);
    }

    public static void assertEquals(Double expected, double actual) {
        Record.check(Objects.equals((Double) expected, (Double) actual), expected, actual);
    }

    public static void assertEquals(Double expected, Double actual) {
        Record.check(Objects.equals((Double) expected, (Double) actual), expected, actual);
    }

    public static void assertArrayEquals(boolean[] expected, boolean[] actual) {
        Record.check(Arrays.equals(expected, actual), expected, actual);
    }

    public static void assertArrayEquals(char[] expected, char[] actual) {
        Record.check(Arrays.equals(expected, actual), expected, actual);
    }

    public static void assertArrayEquals(byte[] expected, byte[] actual) {
        Record.check(Arrays.equals(expected, actual), expected, actual);
    }

    public static void assertArrayEquals(short[] expected, short[] actual) {
        Record.check(Arrays.equals(expected, actual), expected, actual);
    }

    public static void assertArrayEquals(int[] expected, int[] actual) {
        Record.check(Arrays.equals(expected, actual), expected, actual);
    }

    public static void assertArrayEquals(long[] expected, long[] actual) {
        Record.check(Arrays.equals(expected, actual), expected, actual);
    }

    public static void assertArrayEquals(float[] expected, float[] actual) {
        Record.check(Arrays.equals(expected, actual), expected, actual);
    }

    public static void assertArrayEquals(double[] expected, double[] actual) {
        Record.check(Arrays.equals(expected, actual), expected, actual);
    }

    public static void assertArrayEquals(Object[] expected, Object[] actual) {
        Record.check(Arrays.deepEquals(expected, actual), expected, actual);
    }

    /** Exact whatever the tolerance: the judge wants the very number. */
    public static void assertEquals(float expected, float actual, float delta) {
        assertEquals(expected, actual);
    }

    public static void assertEquals(double expected, double actual, double delta) {
        assertEquals(expected, actual);
    }

    public static void assertArrayEquals(float[] expected, float[] actual, float delta) {
        assertArrayEquals(expected, actual);
    }

    public static void assertArrayEquals(double[] expected, double[] actual, double delta) {
        assertArrayEquals(expected, actual);
    }
}
