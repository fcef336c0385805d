package covolve.runtime;

/**
 * How far a text is from a match of a regular expression: the least number of characters to put in, to take out and
 * to replace, over the automaton of the expression (Thompson 1968; distances as Myers and Miller 1989, "Approximate
 * matching of regular expressions"). A replaced character costs below 1, the less the nearer it is to one that fits.
 *
 * <p>Expressions with more than the common subset and those that are too large are not understood. Boundaries of words
 * and lines and what looks ahead or behind count as met, which is of no matter to who knows the outcome: distances only
 * guide.
 */
final class Regex {
    /** What a match is asked for: the whole text, a part of it, its beginning. */
    static final int WHOLE = 0, PART = 1, START = 2;

    /** States of an automaton, states times characters of a text, and characters of an example. */
    private static final int MOST_STATES = 400, MOST_CELLS = 1 << 14, LONGEST_EXAMPLE = 100;

    private static final byte ACCEPT = 0, SET = 1, SPLIT = 2, BEGIN = 3, END = 4;

    /** Characters that an example prefers, each of another kind. */
    private static final String EXAMPLES = "a0A -_.@b1B";

    private final String pattern;
    private final int flags;

    /** By state: what it is, where it leads, and for sets the characters. State 0 accepts. */
    private final byte[] kinds = new byte[MOST_STATES];
    private final int[] next = new int[MOST_STATES];
    private final int[] other = new int[MOST_STATES];
    private final char[][] sets = new char[MOST_STATES][];
    private int states = 1;
    private int start;
    private boolean isUnderstood;

    /** A short text that matches, and one that takes other alternatives and repeats more; null if none was found. */
    private final String example, another;

    /** With the flags of {@link java.util.regex.Pattern}. */
    Regex(String pattern, int flags) {
        this.pattern = pattern;
        this.flags = flags;
        RegexNode tree = RegexParser.parse(pattern, flags);
        if (tree != null) {
            start = compile(tree, 0);
            isUnderstood = start >= 0;
        }
        double[] rest = isUnderstood ? rests() : null;
        example = rest == null ? null : example(rest, false);
        another = rest == null ? null : example(rest, true);
    }

    /** A text that matches and is another one than this; null if none was found. */
    String example(String text) {
        return another != null && text.equals(example) ? another : example;
    }

    /** Whether it was made of these. */
    boolean is(String otherPattern, int otherFlags) {
        return flags == otherFlags && pattern.equals(otherPattern);
    }

    // ---- the automaton, made from its end: each part knows where it leads

    /** The state where a part begins that leads to another state; -1 if there are too many. */
    private int compile(RegexNode node, int to) {
        switch (node.kind) {
            case RegexNode.SET:
                return add(SET, to, -1, node.set);
            case RegexNode.BEGIN:
                return add(BEGIN, to, -1, null);
            case RegexNode.END:
                return add(END, to, -1, null);
            case RegexNode.ALTERNATIVES:
                return alternatives(node, to);
            case RegexNode.REPEAT:
                return repeat(node, to);
            default:
                int at = to;
                for (int i = node.children.size() - 1; i >= 0 && at >= 0; i--) {
                    at = compile(node.children.get(i), at);
                }
                return at;
        }
    }

    private int alternatives(RegexNode node, int to) {
        int at = -1;
        for (int i = node.children.size() - 1; i >= 0; i--) {
            int begin = compile(node.children.get(i), to);
            at = begin < 0 || at < 0 ? begin : add(SPLIT, begin, at, null);
            if (at < 0) {
                return -1;
            }
        }
        return at;
    }

    private int repeat(RegexNode node, int to) {
        RegexNode body = node.children.get(0);
        int at = to;
        if (node.most == RegexNode.UNBOUNDED) {
            at = add(SPLIT, -1, to, null);
            if (at >= 0) {
                next[at] = compile(body, at);
                at = next[at] < 0 ? -1 : at;
            }
        } else {
            for (int i = node.least; i < node.most && at >= 0; i++) {
                int begin = compile(body, at);
                at = begin < 0 ? -1 : add(SPLIT, begin, to, null);
            }
        }
        for (int i = 0; i < node.least && at >= 0; i++) {
            at = compile(body, at);
        }
        return at;
    }

    private int add(byte kind, int to, int otherwise, char[] set) {
        if (states == MOST_STATES) {
            return -1;
        }
        kinds[states] = kind;
        next[states] = to;
        other[states] = otherwise;
        sets[states] = set;
        return states++;
    }

    // ---- distances

    /** Distance of a text to a match; negative when it cannot be told. */
    double distance(String text, int mode) {
        int length = text.length();
        if (!isUnderstood || (length + 1) * (long) states > MOST_CELLS) {
            return -1.0;
        }
        double[] costs = new double[states];
        double[] behind = new double[states];
        java.util.Arrays.fill(costs, Double.MAX_VALUE);
        costs[start] = 0.0;
        double least = Double.MAX_VALUE;
        for (int i = 0; ; i++) {
            close(costs, i, length);
            if (mode != WHOLE || i == length) {
                least = Math.min(least, costs[0]);
            }
            if (i == length) {
                return least;
            }
            step(costs, behind, text.charAt(i));
            if (mode == PART) {
                behind[start] = 0.0;
            }
            double[] free = costs;
            costs = behind;
            behind = free;
        }
    }

    /** Follows what takes no character of the text: a set then costs a character put in. */
    private void close(double[] costs, int position, int length) {
        boolean changed = true;
        // What a part leads to has a lower number, but for loops: most of the time the second round changes nothing.
        while (changed) {
            changed = false;
            for (int state = states - 1; state > 0; state--) {
                double cost = costs[state];
                if (cost == Double.MAX_VALUE) {
                    continue;
                }
                switch (kinds[state]) {
                    case SET:
                        changed |= lower(costs, next[state], cost + 1.0);
                        break;
                    case SPLIT:
                        changed |= lower(costs, next[state], cost) | lower(costs, other[state], cost);
                        break;
                    case BEGIN:
                        changed |= position == 0 && lower(costs, next[state], cost);
                        break;
                    default:
                        changed |= position == length && lower(costs, next[state], cost);
                }
            }
        }
    }

    private static boolean lower(double[] costs, int state, double cost) {
        if (cost < costs[state]) {
            costs[state] = cost;
            return true;
        }
        return false;
    }

    /** Takes a character: out, or for one of a set. */
    private void step(double[] costs, double[] behind, char character) {
        for (int state = 0; state < states; state++) {
            behind[state] = costs[state] == Double.MAX_VALUE ? Double.MAX_VALUE : costs[state] + 1.0;
        }
        for (int state = 1; state < states; state++) {
            if (kinds[state] == SET && costs[state] != Double.MAX_VALUE) {
                lower(behind, next[state], costs[state] + apart(character, sets[state]));
            }
        }
    }

    /** Below 1; 0 if the set, which is pairs of first and last characters, has the character. */
    private static double apart(char character, char[] set) {
        double least = Double.MAX_VALUE;
        for (int i = 0; i < set.length; i += 2) {
            double difference = character < set[i] ? set[i] - character : character - set[i + 1];
            if (difference <= 0.0) {
                return 0.0;
            }
            least = Math.min(least, difference);
        }
        return least == Double.MAX_VALUE ? 1.0 : least / (least + 1.0);
    }

    // ---- examples

    /** By state, the least number of characters from there to a match; null if there are too many from the start. */
    private double[] rests() {
        double[] rest = new double[states];
        java.util.Arrays.fill(rest, Double.MAX_VALUE);
        rest[0] = 0.0;
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int state = 1; state < states; state++) {
                changed |= lower(rest, state, restFrom(state, rest));
            }
        }
        return rest[start] > LONGEST_EXAMPLE ? null : rest;
    }

    /** The shortest text that matches; or one that goes the other way at each choice that it meets, once. */
    private String example(double[] rest, boolean isOther) {
        StringBuilder text = new StringBuilder();
        boolean[] met = new boolean[states];
        int state = start;
        // A loop around something empty may be gone round without end.
        for (int steps = 0; state != 0; steps++) {
            if (steps > 2 * MOST_STATES || text.length() > 2 * LONGEST_EXAMPLE) {
                return null;
            }
            if (kinds[state] == SET) {
                text.append(member(sets[state]));
            }
            boolean leaves = false;
            if (kinds[state] == SPLIT) {
                leaves = rest[other[state]] <= rest[next[state]];
                boolean isOpen = Math.max(rest[other[state]], rest[next[state]]) != Double.MAX_VALUE;
                leaves ^= isOther && isOpen && !met[state];
                met[state] = true;
            }
            state = leaves ? other[state] : next[state];
        }
        return text.toString();
    }

    private double restFrom(int state, double[] rest) {
        switch (kinds[state]) {
            case SET:
                return sets[state].length == 0 ? Double.MAX_VALUE : rest[next[state]] + 1.0;
            case SPLIT:
                return Math.min(rest[next[state]], rest[other[state]]);
            default:
                return rest[next[state]];
        }
    }

    private static char member(char[] set) {
        for (int i = 0; i < EXAMPLES.length(); i++) {
            if (apart(EXAMPLES.charAt(i), set) == 0.0) {
                return EXAMPLES.charAt(i);
            }
        }
        return set[0] < ' ' && set[1] >= '!' ? '!' : set[0];
    }
}
