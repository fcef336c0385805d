import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.HashMap;
import java.util.Optional;

/** Flags of every kind, in all places where values are made and asked for. */
class Flags {
    static class Base {
        final boolean is;
        Base(boolean is) { this.is = is; }
        boolean accepts(String text) { return text != null && text.length() > 2; }
        Object self(int n) { if (n == 0) return null; return this; }
    }

    static class Sub extends Base {
        Sub(int n, String text) { super(n > 3 && text.equals("abc") || isOdd(n)); }
        @Override boolean accepts(String text) { return super.accepts(text) && text.startsWith("a"); }
        @Override Flags.Base self(int n) { Object found = super.self(n - 1); return found == null ? null : (Base) found; }
    }

    interface Question { boolean ask(int n); default boolean not(int n) { return !ask(n); } }

    static boolean isOdd(int n) { if (n < 0) return isOdd(-n); boolean result = n == 1; if (n > 1) result = !isOdd(n - 1); return result; }

    static String tries(String text) {
        boolean done = false;
        String result = null;
        int rounds = 0;
        while (!done) {
            try {
                rounds++;
                boolean small = rounds < 3;
                if (small) throw new IllegalStateException();
                result = text.substring(1);
                done = true;
            } catch (IllegalStateException again) {
                done = rounds > 5;
            } finally {
                if (done && result != null) result += rounds;
            }
        }
        return result;
    }

    static Optional<Integer> first(List<Integer> numbers, Question question) {
        for (Integer number : numbers) if (question.ask(number)) return Optional.of(number);
        return Optional.empty();
    }

    static boolean bits(int a, int b) { boolean is = a > 1; is &= b > 1; is |= a == b; boolean other = is ^ a < b; return is & !other; }

    static boolean wide(long a, double b, boolean c) { boolean is = c ? a > 3L : b > 3.0; long d = a; return is && d != 5L; }

    static String selects(Object value) {
        String text = value instanceof String ? (String) value : value == null ? null : value.toString();
        if (text == null) return "nothing";
        boolean isLong;
        switch (text) { case "a": isLong = false; break; case "long": isLong = true; break; default: isLong = text.length() > 4; }
        return isLong ? "long" : "short";
    }

    static synchronized boolean locked(Map<String, Boolean> known, String key) {
        Boolean is = known.get(key);
        if (is == null) { is = key.isEmpty(); known.put(key, is); }
        return is;
    }

    static Object cast(Object value) { Object result = null; if (value != null) result = value; if (result instanceof List) return result; return result == null ? "none" : null; }

    public static void main(String[] arguments) {
        String[] texts = {"abc", "abcd", "", "a", "long", "longer"};
        for (int n = -3; n < 6; n++) {
            System.out.println(n + " " + isOdd(n) + " " + bits(n, 2) + " " + wide(n, n, n > 0) + " " + wide(n, n, n < 0));
            for (String text : texts) {
                Base base = n % 2 == 0 ? new Base(n > 0) : new Sub(n, text);
                Base found = (Base) base.self(n);
                if (base.is && base.accepts(text)) System.out.println("accepts " + text);
                if (found != null && !found.accepts(null)) System.out.println("found");
            }
            int limit = n;
            Question question = number -> number > limit && isOdd(number);
            List<Integer> numbers = new ArrayList<>();
            for (int i = 0; i < 5; i++) numbers.add(i);
            Optional<Integer> first = first(numbers, question);
            if (first.isPresent() && question.not(n)) System.out.println("first " + first.get());
            if (!first(numbers, question::not).isPresent()) System.out.println("none");
        }
        Map<String, Boolean> known = new HashMap<>();
        for (String text : texts) {
            System.out.println(selects(text) + " " + locked(known, text) + " " + locked(known, text) + " " + cast(text));
            try { System.out.println(tries(text)); } catch (RuntimeException thrown) { System.out.println(thrown.getClass()); }
        }
        System.out.println(selects(null) + selects(12345) + cast(null) + cast(new ArrayList<String>()));
    }
}
