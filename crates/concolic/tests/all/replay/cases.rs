//! The Java sources, and what their methods do.

/// A method with arguments, its result, and further results that negated conditions must lead to.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) method: &'static str,
    pub(crate) arguments: &'static [&'static str],
    pub(crate) result: &'static str,
    pub(crate) others: &'static [&'static str],
}

const fn case(
    method: &'static str,
    arguments: &'static [&'static str],
    result: &'static str,
    others: &'static [&'static str],
) -> Case {
    Case { method, arguments, result, others }
}

pub(crate) const CASES: &[Case] = &[
    case("triangle(III)I", &["0", "0", "0"], "0", &["1", "2", "3"]),
    case("triangle(III)I", &["3", "4", "5"], "1", &[]),
    case("remainder(I)I", &["0"], "0", &["1", "2"]),
    case("remainder(I)I", &["-7"], "0", &[]),
    case("shift(II)I", &["1", "33"], "0", &["1"]),
    case("longs(J)I", &["5"], "0", &["1"]),
    case("doubles(D)I", &["0.5"], "2", &["0", "1", "3"]),
    case("doubles(D)I", &["NaN"], "3", &[]),
    case("divide(II)I", &["7", "2"], "3", &["ArithmeticException"]),
    case("divide(II)I", &["-2147483648", "-1"], "-2147483648", &[]),
    case("narrow(I)I", &["200"], "-56", &["100"]),
    case("at(I)I", &["1"], "20", &["ArrayIndexOutOfBoundsException", "-1"]),
    case("matrix(II)I", &["0", "0"], "0", &["6", "ArrayIndexOutOfBoundsException"]),
    case("sized(I)I", &["2"], "2", &["NegativeArraySizeException", "ArrayIndexOutOfBoundsException"]),
    case("sorted([I)I", &["3 1 2"], "0", &["1"]),
    case("greet(Ljava/lang/String;)I", &["x"], "0", &["1", "2", "3"]),
    case("day(Ljava/lang/String;)I", &["tue"], "2", &["1", "7", "0"]),
    case("code(Ljava/lang/String;)I", &[""], "-1", &["0", "42", "NumberFormatException"]),
    case("cut(Ljava/lang/String;I)I", &["abc", "1"], "2", &["StringIndexOutOfBoundsException", "9"]),
    case("pattern(Ljava/lang/String;)I", &["?"], "0", &["1"]),
    case("build(IC)I", &["1", "c"], "0", &["1"]),
    case("caught(I)I", &["1"], "1", &["-1", "-2"]),
    case("finallyDone(I)I", &["1"], "11", &["110"]),
    case("thrown(I)I", &["1"], "1", &["Own"]),
    case("message(I)I", &["1"], "4", &["3"]),
    case("table(I)I", &["5"], "0", &["10", "20", "30"]),
    case("sparse(I)I", &["5"], "0", &["1", "2"]),
    case("lambda(I)I", &["1"], "0", &["1"]),
    case("reference(Ljava/lang/String;)I", &["1"], "0", &["1"]),
    case("concatenation(I)I", &["1"], "0", &["1"]),
    case("shape(I)I", &["0"], "4", &["3"]),
    case("shape(I)I", &["1"], "3", &[]),
    case("defaulted(I)I", &["0"], "0", &["1"]),
    case("boxed(I)I", &["4"], "0", &["1"]),
    case("colour(I)I", &["1"], "20", &["ArrayIndexOutOfBoundsException"]),
    case("statics(I)I", &["1"], "0", &["1"]),
    case("absolute(I)I", &["4"], "0", &["1", "2"]),
    case("letters(C)I", &["?"], "0", &["1", "2"]),
    case("locked(I)I", &["1"], "1", &["2"]),
    case("nothing(I)I", &["1"], "1", &["NullPointerException"]),
    case("initialized(I)I", &["1"], "1", &["ExceptionInInitializerError"]),
    case("stack(JI)J", &["5", "2"], "17", &["-1"]),
    case("root(D)I", &["9.0"], "3", &[]),
];

pub(crate) const SOURCES: &str = r#"
//- /p/Puzzles.java
package p;
import java.util.function.*;
public class Puzzles {
    static int triangle(int a, int b, int c) {
        if (a <= 0 || b <= 0 || c <= 0) return 0;
        if ((long) a + b <= c || (long) a + c <= b || (long) b + c <= a) return 0;
        if (a == b && b == c) return 3;
        if (a == b || b == c || a == c) return 2;
        return 1;
    }
    static int remainder(int x) {
        if (x % 7 == 3) return 1;
        if (x % 11 == -5) return 2;
        return 0;
    }
    static int shift(int x, int y) { return (x << y) == 48 && (x >>> 1) != 24 ? 1 : 0; }
    static int longs(long x) { return x > 10_000_000_000L ? 1 : 0; }
    static int doubles(double x) {
        if (x < -1.5) return 0;
        if (x > 2.25) return 1;
        return x == x ? 2 : 3;
    }
    static int divide(int a, int b) { return a / b; }
    static int narrow(int x) { byte b = (byte) x; return b > 99 ? 100 : b; }
    static final int[] TABLE = {10, 20, 30, 40};
    static int at(int i) { return TABLE[i] == 30 ? -1 : TABLE[i]; }
    static int matrix(int i, int j) {
        int[][] m = new int[3][4];
        m[1][2] = 6;
        return m[i][j] == 6 ? 6 : 0;
    }
    static int sized(int n) { int[] a = new int[n]; a[1] = n; return a[1]; }
    static int sorted(int[] a) {
        for (int i = 1; i < a.length; i++) if (a[i - 1] > a[i]) return 0;
        return 1;
    }
    static int greet(String s) {
        if (s.startsWith("hello") && s.length() == 7) return 1;
        if (s.equals("bye")) return 2;
        if (s.trim().indexOf("needle") > 3) return 3;
        return 0;
    }
    static int day(String s) {
        switch (s) {
            case "mon": return 1;
            case "tue": return 2;
            case "sun": return 7;
            default: return 0;
        }
    }
    static int code(String s) {
        if (s.isEmpty()) return -1;
        return Integer.parseInt(s) == 4217 ? 42 : 0;
    }
    static int cut(String s, int i) { return s.substring(i).equals("zz") ? 9 : s.length() - i; }
    static int pattern(String s) { return s.matches("[a-c]+-[0-9]{2}") ? 1 : 0; }
    static int build(int i, char c) {
        StringBuilder b = new StringBuilder("<");
        b.append(i).append(c).append(true).append((Object) null);
        return b.toString().equals("<37xtruenull") ? 1 : 0;
    }
    static int caught(int x) {
        try {
            if (x == 5) throw new IllegalStateException("five");
            return 10 / x < 10 ? 0 : 1;
        } catch (ArithmeticException e) {
            return -1;
        } catch (RuntimeException e) {
            return -2;
        }
    }
    static int finallyDone(int x) {
        int r = 1;
        try { if (x == 9) throw new Own(x); r += 0; } catch (Own e) { r = 100; } finally { r += 10; }
        return r;
    }
    static class Own extends RuntimeException {
        final int number;
        Own(int number) { super("own " + number); this.number = number; }
    }
    static int thrown(int x) { return inner(x); }
    static int inner(int x) { if (x * 3 == 21) throw new Own(x); return x; }
    static int message(int x) {
        try { throw new IllegalArgumentException(x == 77 ? "abc" : "abcd"); }
        catch (IllegalArgumentException e) { return e.getMessage().length(); }
    }
    static int table(int x) {
        switch (x) { case 1: return 10; case 2: return 20; case 3: return 30; default: return 0; }
    }
    static int sparse(int x) {
        switch (x) { case -100000: return 1; case 77777: return 2; default: return 0; }
    }
    static int lambda(int x) {
        IntUnaryOperator twice = y -> y * 2 + x;
        Function<Integer, Integer> next = y -> y + 1;
        return next.apply(twice.applyAsInt(x)) == 31 ? 1 : 0;
    }
    static int reference(String s) {
        Function<String, Integer> parse = Integer::parseInt;
        Supplier<StringBuilder> make = StringBuilder::new;
        return make.get().append(s).length() == 3 && parse.apply(s) == 512 ? 1 : 0;
    }
    static int concatenation(int x) { return ("a" + x + '!').equals("a1234!") ? 1 : 0; }
    interface Sided { int sides(); default int doubled() { return sides() * 2; } }
    static abstract class Shape implements Sided {
        final int size;
        Shape(int size) { this.size = size; }
        abstract int area();
    }
    static class Square extends Shape {
        Square(int size) { super(size); }
        int area() { return size * size; }
        public int sides() { return 4; }
    }
    static class Circle extends Shape {
        Circle(int size) { super(size); }
        int area() { return 3 * size * size; }
        public int sides() { return size; }
        @Override public int doubled() { return -1; }
    }
    static int shape(int x) {
        Shape s = x == 0 ? new Square(2) : new Circle(1);
        if (s instanceof Square) return s.area();
        return ((Circle) s).area();
    }
    static int defaulted(int x) {
        Sided s = new Square(x);
        Sided c = new Circle(x);
        return s.doubled() + c.doubled() == 7 && c.sides() == 123 ? 1 : 0;
    }
    static int boxed(int x) {
        Integer b = x;
        Object o = b;
        return o.equals(815) ? 1 : 0;
    }
    enum Colour { RED, GREEN, BLUE }
    static int colour(int x) {
        switch (Colour.values()[x]) { case RED: return 10; case GREEN: return 20; default: return 30; }
    }
    static int counter = start();
    static int start() { return 40; }
    static int statics(int x) { counter += x; return counter == 1000 ? 1 : 0; }
    static int absolute(int x) {
        if (Math.abs(x) < 0) return 1;
        return Math.max(x, 5) == 99 ? 2 : 0;
    }
    static int letters(char c) {
        if (Character.isDigit(c)) return 1;
        return Character.isLetter(c) ? 2 : 0;
    }
    static synchronized int locked(int x) { synchronized (TABLE) { return x == 3 ? 2 : 1; } }
    static int nothing(int x) { String s = x == 8 ? null : "a"; return s.length(); }
    static class Broken { static int value = TABLE[4]; }
    static int initialized(int x) { return x == 2 ? Broken.value : 1; }
    static long stack(long x, int y) {
        long[] a = {x, y};
        a[1] += a[0]++;
        long z = a[1] = a[1] + 4;
        return x == 123456789012L ? -1 : z + a[0];
    }
    static int root(double x) { return (int) Math.sqrt(x); }
    static int forever(int x) { while (true) { x += 1; } }
    static int deep(int x) { return deep(x + 1); }
    static int grow(int x) {
        int y = x;
        for (int i = 0; i < 30; i++) { y = y * x + i; if (y == 17) return 1; }
        return 0;
    }
}
"#;
