package covolve.runtime;

import java.util.ArrayList;

/**
 * A part of a regular expression.
 */
final class RegexNode {
    /** What a part is: others in a row, one of several, one several times, a character, an end of the text. */
    static final int SEQUENCE = 0, ALTERNATIVES = 1, REPEAT = 2, SET = 3, BEGIN = 4, END = 5;

    /** As {@link #most}: no limit. */
    static final int UNBOUNDED = Integer.MAX_VALUE;

    final int kind;
    final ArrayList<RegexNode> children = new ArrayList<RegexNode>();

    /** Of {@link #REPEAT}: how often, at least and at most. */
    int least;
    int most;

    /** Of {@link #SET}: pairs of first and last characters. */
    char[] set;

    RegexNode(int kind) {
        this.kind = kind;
    }

    static RegexNode set(char[] set) {
        RegexNode node = new RegexNode(SET);
        node.set = set;
        return node;
    }

    static RegexNode repeat(RegexNode body, int least, int most) {
        RegexNode node = new RegexNode(REPEAT);
        node.children.add(body);
        node.least = least;
        node.most = most;
        return node;
    }
}
