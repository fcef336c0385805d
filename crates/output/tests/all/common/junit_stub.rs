//! Sources with the classes of JUnit that generated tests use: the same packages, names and overloads, so that
//! `javac` resolves calls as it would with JUnit itself, and bodies that check.

use std::fmt::Write as _;

const PRIMITIVES: [(&str, &str); 7] = [
    ("byte", "Byte"),
    ("short", "Short"),
    ("int", "Integer"),
    ("long", "Long"),
    ("char", "Character"),
    ("float", "Float"),
    ("double", "Double"),
];
const ARRAYS: [&str; 9] = ["boolean", "byte", "short", "int", "long", "char", "float", "double", "Object"];

const COMMON: &str = r"
    private static void check(boolean holds) { if (!holds) { throw new AssertionError(); } }
    public static void assertTrue(boolean condition) { check(condition); }
    public static void assertTrue(boolean condition, String message) { check(condition); }
    public static void assertFalse(boolean condition) { check(!condition); }
    public static void assertNull(Object actual) { check(actual == null); }
    public static void assertNotNull(Object actual) { check(actual != null); }
    public static void assertSame(Object expected, Object actual) { check(expected == actual); }
    public static void assertNotSame(Object expected, Object actual) { check(expected != actual); }
    public static void assertEquals(Object expected, Object actual) {
        check(java.util.Objects.equals(expected, actual));
    }
";

/// Sources for `fixture::compile`: Jupiter, JUnit 4.13, and a runner.
pub(crate) fn sources() -> String {
    let mut text = String::new();
    let annotation = "import java.lang.annotation.*;\n@Retention(RetentionPolicy.RUNTIME)\n\
                      @Target(ElementType.METHOD)\n";
    write!(
        text,
        "//- /org/junit/jupiter/api/Test.java\npackage org.junit.jupiter.api;\n{annotation}public @interface Test {{}}\n\
         //- /org/junit/jupiter/api/function/Executable.java\npackage org.junit.jupiter.api.function;\n\
         public interface Executable {{ void execute() throws Throwable; }}\n\
         //- /org/junit/Test.java\npackage org.junit;\n{annotation}public @interface Test {{\n\
         class None extends Throwable {{ private static final long serialVersionUID = 1; }}\n\
         Class<? extends Throwable> expected() default None.class;\n}}\n\
         //- /org/junit/function/ThrowingRunnable.java\npackage org.junit.function;\n\
         public interface ThrowingRunnable {{ void run() throws Throwable; }}\n"
    )
    .unwrap();
    for name in ["jupiter.api.BeforeEach", "jupiter.api.AfterEach", "Before", "After"] {
        let name = format!("org.junit.{name}");
        let (package, simple) = name.rsplit_once('.').unwrap();
        writeln!(
            text,
            "//- /{}.java\npackage {package};\n{annotation}public @interface {simple} {{}}",
            name.replace('.', "/")
        )
        .unwrap();
    }
    text.push_str(FOLDERS);
    text.push_str(&jupiter());
    text.push_str(&junit4());
    text.push_str(PARAMETERS);
    text.push_str(MOCKITO);
    text.push_str(RUNNER);
    text
}

fn jupiter() -> String {
    let mut text = format!(
        "//- /org/junit/jupiter/api/Assertions.java\npackage org.junit.jupiter.api;\n\
         import org.junit.jupiter.api.function.Executable;\npublic class Assertions {{{COMMON}\
         public static void assertTrue(java.util.function.BooleanSupplier condition) {{ check(condition.getAsBoolean()); }}\n\
         public static void assertFalse(java.util.function.BooleanSupplier condition) {{ check(!condition.getAsBoolean()); }}\n"
    );
    for (primitive, boxed) in PRIMITIVES {
        for expected in [primitive, boxed] {
            for actual in [primitive, boxed] {
                writeln!(
                    text,
                    "public static void assertEquals({expected} expected, {actual} actual) {{ \
                     check(((Object) expected).equals(actual)); }}"
                )
                .unwrap();
            }
        }
    }
    for floating in ["float", "double"] {
        writeln!(
            text,
            "public static void assertEquals({floating} expected, {floating} actual, {floating} delta) {{ \
             if (!(delta > 0)) {{ throw new AssertionError(\"delta\"); }} check(Math.abs(expected - actual) <= delta); }}"
        )
        .unwrap();
    }
    text.push_str(&arrays(false));
    text.push_str(&throws("Executable", "execute"));
    text.push_str(COMPLETES);
    text.push_str("}\n");
    text
}

fn junit4() -> String {
    let mut text = format!(
        "//- /org/junit/Assert.java\npackage org.junit;\nimport org.junit.function.ThrowingRunnable;\n\
         public class Assert {{{COMMON}\
         public static void fail(String message) {{ throw new AssertionError(message); }}\n\
         public static void assertEquals(long expected, long actual) {{ check(expected == actual); }}\n\
         @Deprecated public static void assertEquals(double expected, double actual) {{ check(false); }}\n\
         @Deprecated public static void assertEquals(Object[] expected, Object[] actual) {{ check(false); }}\n\
         public static void assertEquals(String message, Object expected, Object actual) {{ check(false); }}\n"
    );
    for (floating, boxed) in [("float", "Float"), ("double", "Double")] {
        writeln!(
            text,
            "public static void assertEquals({floating} expected, {floating} actual, {floating} delta) {{ \
             check({boxed}.compare(expected, actual) == 0 || Math.abs(expected - actual) <= delta); }}"
        )
        .unwrap();
    }
    text.push_str(&arrays(true));
    text.push_str(&throws("ThrowingRunnable", "run"));
    text.push_str("}\n");
    text
}

fn arrays(delta: bool) -> String {
    let mut text = String::new();
    for element in ARRAYS {
        let floating = matches!(element, "float" | "double");
        let extra = if floating && delta { format!(", {element} delta") } else { String::new() };
        let equal = if element == "Object" { "deepEquals" } else { "equals" };
        writeln!(
            text,
            "public static void assertArrayEquals({element}[] expected, {element}[] actual{extra}) {{ \
             check(java.util.Arrays.{equal}(expected, actual)); }}"
        )
        .unwrap();
    }
    text
}

fn throws(interface: &str, method: &str) -> String {
    format!(
        "public static <T extends Throwable> T assertThrows(Class<T> expected, {interface} action) {{\n\
         try {{ action.{method}(); }} catch (Throwable thrown) {{ return expected.cast(thrown); }}\n\
         throw new AssertionError(\"nothing thrown\"); }}\n\
         public static <T extends Throwable> T assertThrows(Class<T> expected, {interface} action, String message) {{\n\
         return assertThrows(expected, action); }}\n"
    )
}

/// The two that tell a statement from an expression.
const COMPLETES: &str = "
public interface ThrowingSupplier<T> { T get() throws Throwable; }
public static void assertDoesNotThrow(Executable action) {
    try { action.execute(); } catch (Throwable thrown) { throw new AssertionError(thrown); } }
public static <T> T assertDoesNotThrow(ThrowingSupplier<T> action) {
    try { return action.get(); } catch (Throwable thrown) { throw new AssertionError(thrown); } }
";

/// What puts tests together in Jupiter. The runner leaves out parameterized tests, which take JUnit itself.
const PARAMETERS: &str = "
//- /org/junit/jupiter/api/Nested.java
package org.junit.jupiter.api;
public @interface Nested {}
//- /org/junit/jupiter/api/DisplayName.java
package org.junit.jupiter.api;
public @interface DisplayName { String value(); }
//- /org/junit/jupiter/params/ParameterizedTest.java
package org.junit.jupiter.params;
public @interface ParameterizedTest {}
//- /org/junit/jupiter/params/provider/CsvSource.java
package org.junit.jupiter.params.provider;
public @interface CsvSource { String[] value(); String[] nullValues() default {}; }
//- /org/junit/jupiter/params/provider/MethodSource.java
package org.junit.jupiter.params.provider;
public @interface MethodSource { String[] value() default \"\"; }
//- /org/junit/jupiter/params/provider/ValueSource.java
package org.junit.jupiter.params.provider;
public @interface ValueSource {
    short[] shorts() default {}; byte[] bytes() default {}; int[] ints() default {}; long[] longs() default {};
    float[] floats() default {}; double[] doubles() default {}; char[] chars() default {}; boolean[] booleans() default {};
    String[] strings() default {}; Class<?>[] classes() default {};
}
//- /org/junit/jupiter/params/provider/Arguments.java
package org.junit.jupiter.params.provider;
public interface Arguments {
    Object[] get();
    static Arguments of(Object... arguments) { return () -> arguments; }
}
";

/// What of Mockito mocks are made with, as `javac` sees it: nothing of it runs.
const MOCKITO: &str = "
//- /org/mockito/Mock.java
package org.mockito;
public @interface Mock { Answers answer() default Answers.RETURNS_DEFAULTS; }
//- /org/mockito/junit/jupiter/MockitoExtension.java
package org.mockito.junit.jupiter;
public class MockitoExtension {}
//- /org/junit/jupiter/api/extension/ExtendWith.java
package org.junit.jupiter.api.extension;
public @interface ExtendWith { Class<?>[] value(); }
//- /org/mockito/ArgumentMatchers.java
package org.mockito;
public class ArgumentMatchers {
    public static <T> T any() { return null; }
    public static <T> T any(Class<T> type) { return null; }
    public static boolean anyBoolean() { return false; }
    public static byte anyByte() { return 0; }
    public static char anyChar() { return 0; }
    public static int anyInt() { return 0; }
    public static long anyLong() { return 0; }
    public static float anyFloat() { return 0; }
    public static double anyDouble() { return 0; }
    public static short anyShort() { return 0; }
    public static boolean eq(boolean value) { return false; }
    public static byte eq(byte value) { return 0; }
    public static char eq(char value) { return 0; }
    public static int eq(int value) { return 0; }
    public static long eq(long value) { return 0; }
    public static float eq(float value) { return 0; }
    public static double eq(double value) { return 0; }
    public static short eq(short value) { return 0; }
    public static <T> T eq(T value) { return null; }
}
//- /org/mockito/Mockito.java
package org.mockito;
import org.mockito.stubbing.*;
public class Mockito extends ArgumentMatchers {
    @SafeVarargs public static <T> T mock(T... reified) { return null; }
    public static <T> T mock(Class<T> type) { return null; }
    public static <T> T mock(Class<T> type, Answer<?> other) { return null; }
    @SafeVarargs public static <T> T mock(Answer<?> other, T... reified) { return null; }
    public static <T> OngoingStubbing<T> when(T call) { return null; }
    public static InOrder inOrder(Object... mocks) { return null; }
    public static <T> T verify(T mock) { return mock; }
    public static <T> T verify(T mock, org.mockito.verification.VerificationMode mode) { return mock; }
    public static org.mockito.verification.VerificationMode times(int times) { return null; }
    public static void verifyNoMoreInteractions(Object... mocks) {}
    public static Stubber doThrow(Throwable... thrown) { return null; }
    public static Stubber doThrow(Class<? extends Throwable> thrown) { return null; }
    public static Stubber doReturn(Object value) { return null; }
    public static Stubber doReturn(Object value, Object... next) { return null; }
    public static Stubber doAnswer(Answer<?> answer) { return null; }
    public static Stubber doNothing() { return null; }
}
//- /org/mockito/verification/VerificationMode.java
package org.mockito.verification;
public interface VerificationMode {}
//- /org/mockito/InOrder.java
package org.mockito;
public interface InOrder { <T> T verify(T mock); <T> T verify(T mock, org.mockito.verification.VerificationMode mode); }
//- /org/mockito/Answers.java
package org.mockito;
import org.mockito.invocation.InvocationOnMock;
import org.mockito.stubbing.Answer;
public enum Answers implements Answer<Object> {
    RETURNS_DEFAULTS, CALLS_REAL_METHODS;
    public Object answer(InvocationOnMock call) { return null; }
}
//- /org/mockito/invocation/InvocationOnMock.java
package org.mockito.invocation;
public interface InvocationOnMock { <T> T getArgument(int index); <T> T getArgument(int index, Class<T> type); }
//- /org/mockito/stubbing/Answer.java
package org.mockito.stubbing;
import org.mockito.invocation.InvocationOnMock;
public interface Answer<T> { T answer(InvocationOnMock call) throws Throwable; }
//- /org/mockito/stubbing/OngoingStubbing.java
package org.mockito.stubbing;
public interface OngoingStubbing<T> {
    OngoingStubbing<T> thenReturn(T value);
    @SuppressWarnings(\"unchecked\") OngoingStubbing<T> thenReturn(T value, T... values);
    OngoingStubbing<T> thenThrow(Throwable... thrown);
    OngoingStubbing<T> thenThrow(Class<? extends Throwable> thrown);
    OngoingStubbing<T> thenAnswer(Answer<?> answer);
}
//- /org/mockito/stubbing/Stubber.java
package org.mockito.stubbing;
public interface Stubber {
    <T> T when(T mock);
    Stubber doThrow(Throwable... thrown);
    Stubber doThrow(Class<? extends Throwable> thrown);
    Stubber doReturn(Object value);
    Stubber doReturn(Object value, Object... next);
    Stubber doAnswer(Answer<?> answer);
    Stubber doNothing();
}
";

/// Folders of tests, and who makes and removes them.
const FOLDERS: &str = r"//- /org/junit/jupiter/api/parallel/Isolated.java
package org.junit.jupiter.api.parallel;
import java.lang.annotation.*;
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Isolated {}
//- /org/junit/jupiter/api/io/TempDir.java
package org.junit.jupiter.api.io;
import java.lang.annotation.*;
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.PARAMETER})
public @interface TempDir {}
//- /org/junit/Rule.java
package org.junit;
import java.lang.annotation.*;
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD})
public @interface Rule {}
//- /org/junit/rules/TemporaryFolder.java
package org.junit.rules;
public class TemporaryFolder {
    public java.io.File made;
    public java.io.File getRoot() { return made; }
}
//- /runner/Folders.java
package runner;
import java.io.File;
import java.lang.reflect.*;
import java.nio.file.Files;
public class Folders {
    public static File make(Object test) throws Exception {
        File folder = Files.createTempDirectory(null).toFile();
        for (Field field : test.getClass().getDeclaredFields()) {
            field.setAccessible(true);
            if (field.getAnnotation(org.junit.jupiter.api.io.TempDir.class) != null) { field.set(test, folder.toPath()); }
            if (field.getAnnotation(org.junit.Rule.class) != null) { ((org.junit.rules.TemporaryFolder) field.get(test)).made = folder; }
        }
        return folder;
    }
    public static void remove(File file) {
        File[] inside = file.listFiles();
        if (inside != null) { for (File one : inside) { remove(one); } }
        file.delete();
    }
}
";

/// Runs every method of the classes named that has a `Test` annotation; prints the names of those that fail.
const RUNNER: &str = r#"//- /runner/Main.java
package runner;
import java.lang.annotation.Annotation;
import java.lang.reflect.*;
public class Main {
    private static void around(
            Object test, Class<? extends Annotation> old, Class<? extends Annotation> now) throws Exception {
        for (Method method : test.getClass().getDeclaredMethods()) {
            if (method.getAnnotation(old) != null || method.getAnnotation(now) != null) {
                method.setAccessible(true);
                method.invoke(test);
            }
        }
    }
    public static void main(String[] names) throws Exception {
        for (String name : names) {
            Constructor<?> constructor = Class.forName(name).getDeclaredConstructor();
            constructor.setAccessible(true);
            for (Method method : Class.forName(name).getDeclaredMethods()) {
                org.junit.Test old = method.getAnnotation(org.junit.Test.class);
                if (old == null && method.getAnnotation(org.junit.jupiter.api.Test.class) == null) {
                    continue;
                }
                method.setAccessible(true);
                Throwable thrown = null;
                Object test = constructor.newInstance();
                java.io.File folder = Folders.make(test);
                around(test, org.junit.Before.class, org.junit.jupiter.api.BeforeEach.class);
                try {
                    method.invoke(test);
                } catch (InvocationTargetException exception) {
                    thrown = exception.getCause();
                }
                around(test, org.junit.After.class, org.junit.jupiter.api.AfterEach.class);
                Folders.remove(folder);
                boolean expects = old != null && old.expected() != org.junit.Test.None.class;
                if (expects ? !old.expected().isInstance(thrown) : thrown != null) {
                    System.out.println(method.getName() + ": " + thrown);
                }
            }
        }
    }
}
"#;
