import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

public class Java8 {
    @Target(ElementType.TYPE_USE)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Mark {
        int value() default 0;
        String[] names() default {};
    }

    interface Greeter {
        String NAME = make("interface");

        static String make(String text) {
            return text.length() > 3 ? text.substring(1) : text;
        }

        default String greet(int times) {
            String result = "";
            while (times-- > 0) {
                result += NAME;
            }
            return result;
        }
    }

    static class Base {
        final int value;

        Base(int value) {
            this.value = value;
        }
    }

    static class Derived extends Base implements Greeter {
        static int made;
        static long total = 5;
        static double share;
        static String last;
        static Object[] all = {};
        static boolean any;

        Derived(int value, Object other) {
            super(value > 0 ? value : other == null ? -value : other.hashCode() != 7 ? 8 : 9);
            made++;
            total += value;
            share = total / (double) made;
            last = "d" + value;
            all = Arrays.copyOf(all, all.length + 1);
            all[all.length - 1] = this;
            any = true;
        }
    }

    enum Color {
        RED, GREEN {
            @Override
            Color next() {
                return BLUE;
            }
        }, BLUE;

        Color next() {
            return this == RED ? GREEN : RED;
        }
    }

    static int loopFirst(int n) {
        do {
            n -= 3;
        } while (n > 0);
        return n;
    }

    static void forever(int[] count) {
        while (true) {
            if (count[0]++ > 4) {
                return;
            }
        }
    }

    static int labels(int[][] table) {
        int sum = 0;
        outer:
        for (int[] row : table) {
            for (int cell : row) {
                if (cell < 0) {
                    continue outer;
                }
                if (cell == 99) {
                    break outer;
                }
                sum += cell;
            }
            sum *= 2;
        }
        return sum;
    }

    static String switches(int a, String b, Color c) {
        StringBuilder out = new StringBuilder();
        switch (a) {
            case 1:
                out.append("one");
            case 2:
                out.append("two");
                break;
            case 3:
                out.append("three");
                break;
            default:
                out.append("many");
        }
        switch (b) {
            case "Aa":
                out.append(1);
                break;
            case "BB":
                out.append(2);
                break;
            case "":
                out.append(3);
                break;
            default:
                out.append(4);
        }
        switch (c) {
            case RED:
                out.append(c.next());
                break;
            case BLUE:
                out.append(c.next().next());
                break;
            default:
        }
        switch (a * 1000000) {
            case -1000000: out.append('-'); break;
            case 0: out.append('0'); break;
            case 2000000: out.append('+'); break;
        }
        return out.toString();
    }

    static int tries(int way) {
        int result = 0;
        for (int i = 0; i < 4; i++) {
            try {
                try {
                    if (way == i) {
                        throw new IllegalStateException("way " + i);
                    }
                    result += 10 / (way - i + 1);
                    if (way == 7) {
                        return result;
                    }
                } catch (ArithmeticException e) {
                    result += 100;
                    continue;
                } finally {
                    result++;
                    if (way == 9) {
                        break;
                    }
                }
            } catch (IllegalStateException | NullPointerException e) {
                result += 1000 + e.getStackTrace()[0].getLineNumber();
            }
        }
        return result;
    }

    static final Object LOCK = new Object();

    static int locked(int n) {
        int sum = 0;
        synchronized (LOCK) {
            for (int i = 0; i < n; i++) {
                synchronized (Java8.class) {
                    if (i == 5) {
                        throw new IllegalArgumentException();
                    }
                    sum += i;
                }
            }
        }
        return sum;
    }

    static synchronized boolean holds() {
        return !Thread.holdsLock(LOCK) && Thread.holdsLock(Java8.class);
    }

    static String numbers(long a, double b, float c, int d) {
        String result = "";
        if (a < d) result += "<"; else result += ">=";
        if (a == Long.MAX_VALUE) result += "max";
        if (b > a && b <= d || c != b) result += "b";
        result += b < c ? 1 : b == c ? 2 : b > c ? 3 : 4;
        boolean flag = a != 3 & b >= 2 ^ c < 1;
        int compared = Long.compare(a, d) + Double.compare(b, c);
        return result + flag + compared + (a > d == b > c);
    }

    static String predicates(String a, String b, Object c) {
        String result = "";
        if (a.equals(b)) result += 1;
        if (!a.equalsIgnoreCase(b)) result += 2;
        if (a.startsWith(b) || a.endsWith(b) && a.contains(b)) result += 3;
        if (a.startsWith(b, 1)) result += 4;
        if (a.isEmpty() ? b.isEmpty() : a.compareTo(b) > 0) result += 5;
        if (a.regionMatches(1, b, 0, 2) || a.regionMatches(true, 0, b, 0, 1)) result += 6;
        if (Objects.equals(a, c) != (c instanceof String)) result += 7;
        if (c instanceof Number && ((Number) c).equals(5)) result += 8;
        if (c instanceof int[][] || c == null) result += 9;
        while (a.compareToIgnoreCase(b) < 0) {
            a += "z";
            b = b.substring(1);
        }
        return result + a;
    }

    static Base nested(int a, boolean b) {
        return new Base(new Base(a > 3 ? b ? 1 : 2 : a).value + (b ? new int[a + 1].length : Math.max(a, new Base(a < 0 ? 1 : 2).value)));
    }

    static long wide(int n) {
        long a0=0,a1=1,a2=2,a3=3,a4=4,a5=5,a6=6,a7=7,a8=8,a9=9,b0=0,b1=1,b2=2,b3=3,b4=4,b5=5,b6=6,b7=7,b8=8,b9=9;
        long c0=0,c1=1,c2=2,c3=3,c4=4,c5=5,c6=6,c7=7,c8=8,c9=9,d0=0,d1=1,d2=2,d3=3,d4=4,d5=5,d6=6,d7=7,d8=8,d9=9;
        long e0=0,e1=1,e2=2,e3=3,e4=4,e5=5,e6=6,e7=7,e8=8,e9=9,f0=0,f1=1,f2=2,f3=3,f4=4,f5=5,f6=6,f7=7,f8=8,f9=9;
        long g0=0,g1=1,g2=2,g3=3,g4=4,g5=5,g6=6,g7=7,g8=8,g9=9,h0=0,h1=1,h2=2,h3=3,h4=4,h5=5,h6=6,h7=7,h8=8,h9=9;
        long i0=0,i1=1,i2=2,i3=3,i4=4,i5=5,i6=6,i7=7,i8=8,i9=9,j0=0,j1=1,j2=2,j3=3,j4=4,j5=5,j6=6,j7=7,j8=8,j9=9;
        long k0=0,k1=1,k2=2,k3=3,k4=4,k5=5,k6=6,k7=7,k8=8,k9=9,l0=0,l1=1,l2=2,l3=3,l4=4,l5=5,l6=6,l7=7,l8=8,l9=9;
        long m0=0,m1=1,m2=2,m3=3,m4=4,m5=5,m6=6,m7=7,m8=8,m9=9;
        String text = "text" + n;
        for (int i = 0; i < n; i += 300) {
            if (text.startsWith("xt", i)) {
                a0++;
            }
            m9 += i < 400 ? a5 : l9;
        }
        return m9 + a0;
    }

    static int recursion(int n) {
        return n < 2 ? n : recursion(n - 1) + recursion(n - 2);
    }

    static String annotated(Object input) {
        @Mark(1) String local = "";
        for (@Mark(2) int i = 0; i < 2; i++) {
            @Mark(names = {"a", "b"}) Object inner = new @Mark(3) Object();
            if (input instanceof @Mark(4) String && inner != null) {
                local += (@Mark(5) String) input;
            }
        }
        try {
            IntSupplier supplier = local::length;
            Supplier<Object> maker = @Mark(6) Object::new;
            input = input == null ? maker.get() : input;
            List<@Mark(7) Integer> list = new ArrayList<@Mark(8) Integer>();
            list.add(supplier.getAsInt());
            return list.get(0).toString() + (input instanceof Integer) + Objects.requireNonNull(local);
        } catch (@Mark(9) RuntimeException e) {
            return "none";
        }
    }

    static int asserted(int n) {
        assert n > 0 : "not positive: " + n;
        return n;
    }

    static void traces() {
        Comparator<Integer> comparator = (a, b) -> {
            if (a > 3) {
                throw new UnsupportedOperationException("compared " + a);
            }
            return a - b;
        };
        try {
            Arrays.asList(4, 2, 5).sort(comparator.reversed());
        } catch (UnsupportedOperationException e) {
            for (StackTraceElement element : e.getStackTrace()) {
                if (element.getClassName().startsWith("Java8")) {
                    System.out.println(element);
                }
            }
        }
        Object nothing = null;
        try {
            if (recursion(3) == 2
                    && nothing.hashCode() == 0) {
                System.out.println("never");
            }
        } catch (NullPointerException e) {
            System.out.println(e.getStackTrace()[0]);
        }
    }

    public static void main(String[] arguments) {
        System.out.println(loopFirst(10));
        int[] count = {0};
        forever(count);
        System.out.println(count[0]);
        System.out.println(labels(new int[][] {{1, 2}, {3, -1, 9}, {}, {4}, {5, 99}, {6}}));
        for (int i = 0; i < 5; i++) {
            System.out.println(switches(i - 1, new String[] {"Aa", "BB", "", "C#", "x"}[i], Color.values()[i % 3]));
        }
        for (int way : new int[] {0, 1, 3, 5, 7, 9}) {
            System.out.println(tries(way));
        }
        System.out.println(locked(5));
        try {
            locked(6);
        } catch (IllegalArgumentException e) {
            System.out.println("unlocked " + holds());
        }
        for (int i = -3; i < 6; i++) {
            System.out.println(numbers(i == 4 ? Long.MAX_VALUE : i, i == 3 ? Double.NaN : i / 2.0, i == 5 ? Float.NaN : i, 2));
        }
        Object[] objects = {"hello", "lo", null, 5, new int[0][], ""};
        for (String a : new String[] {"hello", "Hello", "", "lo"}) {
            for (String b : new String[] {"hello", "lo", "el", "H"}) {
                for (Object c : objects) {
                    System.out.println(predicates(a, b, c));
                }
            }
        }
        for (int i = -2; i < 6; i++) {
            System.out.println(nested(i, i % 2 == 0 && i >= 0).value);
            System.out.println(new Derived(i, i < 0 ? null : (Object) i).value + " " + Derived.total + " " + Derived.last);
        }
        System.out.println(new Derived(1, null).greet(2) + Derived.made + Derived.share + Derived.all.length + Derived.any);
        System.out.println(wide(1000) + " " + recursion(12));
        System.out.println(annotated("x") + annotated(4) + annotated(null));
        try {
            System.out.println(asserted(2) + asserted(-2));
        } catch (AssertionError e) {
            System.out.println(e.getMessage());
        }
        traces();
    }
}
