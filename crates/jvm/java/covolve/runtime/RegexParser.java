package covolve.runtime;

import java.nio.CharBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Reads the common subset of the syntax of {@link Pattern}: characters, classes, groups, alternatives, quantifiers of
 * every kind, ends of lines and of the text. What looks ahead or behind is left out, and a back reference stands for
 * another match of its group: distances only guide.
 */
final class RegexParser {
    /** Characters of an expression, groups in groups, and how often a quantifier may ask for something. */
    private static final int LONGEST = 1000, DEEPEST = 50, MOST_OFTEN = 100;

    /** Ranges of a set that the JDK is asked for, those of the lowest characters: each is looked at for each distance. */
    private static final int MOST_RANGES = 16;

    private static final int UNDERSTOOD = Pattern.CASE_INSENSITIVE | Pattern.DOTALL | Pattern.MULTILINE
            | Pattern.UNICODE_CASE | Pattern.LITERAL | Pattern.UNIX_LINES;

    private static final char[] ANY = {'\0', '\uffff'};
    private static final char[] DIGITS = {'0', '9'};
    private static final char[] WORD = {'a', 'z', 'A', 'Z', '_', '_', '0', '9'};
    private static final char[] SPACES = {'\t', '\r', ' ', ' '};
    private static final char[] LINE_ENDS = {'\n', '\n', '\r', '\r', '\u0085', '\u0085', '\u2028', '\u2029'};
    private static final char[] BLANKS = {'\t', '\t', ' ', ' '};
    private static final char[] LOWER = {'a', 'z'};
    private static final char[] UPPER = {'A', 'Z'};
    private static final char[] LETTERS = {'a', 'z', 'A', 'Z'};
    private static final char[] LETTERS_AND_DIGITS = {'a', 'z', 'A', 'Z', '0', '9'};
    private static final char[] HEX = {'0', '9', 'a', 'f', 'A', 'F'};
    private static final char[] PUNCTUATION = {'!', '/', ':', '@', '[', '`', '{', '~'};
    private static final char[] VISIBLE = {'!', '~'};
    private static final char[] PRINTED = {' ', '~'};
    private static final char[] CONTROLS = {'\0', '\u001f', '\u007f', '\u007f'};
    private static final char[] ASCII = {'\0', '\u007f'};

    private final String text;
    private int flags;
    private int at;
    private int depth;

    /** What capturing groups were closed, by number and by name; null where one is open. */
    private final ArrayList<RegexNode> groups = new ArrayList<RegexNode>();
    private final Map<String, RegexNode> namedGroups = new HashMap<String, RegexNode>();

    private RegexParser(String text, int flags) {
        this.text = text;
        this.flags = flags;
    }

    /** The expression as a tree; null if it is not understood. */
    static RegexNode parse(String text, int flags) {
        if (text.length() > LONGEST || (flags & ~UNDERSTOOD) != 0) {
            return null;
        }
        RegexParser parser = new RegexParser(text, flags);
        if ((flags & Pattern.LITERAL) != 0) {
            return parser.literal(text.length());
        }
        RegexNode tree = parser.alternatives();
        return parser.at == text.length() ? tree : null;
    }

    private boolean is(char character) {
        return at < text.length() && text.charAt(at) == character;
    }

    private boolean skip(String expected) {
        boolean found = text.startsWith(expected, at);
        at += found ? expected.length() : 0;
        return found;
    }

    private RegexNode literal(int end) {
        RegexNode sequence = new RegexNode(RegexNode.SEQUENCE);
        while (at < end) {
            sequence.children.add(RegexNode.set(cased(one(text.charAt(at++)))));
        }
        return sequence;
    }

    private RegexNode alternatives() {
        if (++depth > DEEPEST) {
            return null;
        }
        RegexNode all = new RegexNode(RegexNode.ALTERNATIVES);
        do {
            RegexNode sequence = sequence();
            if (sequence == null) {
                return null;
            }
            all.children.add(sequence);
        } while (skip("|"));
        depth--;
        return all.children.size() == 1 ? all.children.get(0) : all;
    }

    private RegexNode sequence() {
        RegexNode all = new RegexNode(RegexNode.SEQUENCE);
        while (at < text.length() && !is('|') && !is(')')) {
            if (skip("\\Q")) {
                int end = text.indexOf("\\E", at);
                all.children.add(literal(end < 0 ? text.length() : end));
                skip("\\E");
                continue;
            }
            RegexNode atom = atom();
            RegexNode repeated = atom == null ? null : quantified(atom);
            if (repeated == null) {
                return null;
            }
            all.children.add(repeated);
        }
        return all;
    }

    private RegexNode atom() {
        char character = text.charAt(at++);
        switch (character) {
            case '(':
                return group();
            case '[':
                char[] set = bracketed();
                return set == null ? null : RegexNode.set(set);
            case '.':
                boolean any = (flags & Pattern.DOTALL) != 0;
                return RegexNode.set(any ? ANY : complement(LINE_ENDS));
            case '^':
                return new RegexNode((flags & Pattern.MULTILINE) != 0 ? RegexNode.SEQUENCE : RegexNode.BEGIN);
            case '$':
                return new RegexNode((flags & Pattern.MULTILINE) != 0 ? RegexNode.SEQUENCE : RegexNode.END);
            case '\\':
                return escaped();
            case '*':
            case '+':
            case '?':
                return null;
            default:
                return RegexNode.set(cased(one(character)));
        }
    }

    private RegexNode group() {
        int outside = flags;
        int number = -1;
        String name = null;
        boolean looks = false;
        if (!is('?')) {
            number = groups.size();
            groups.add(null);
        } else if (skip("?=") || skip("?!") || skip("?<=") || skip("?<!")) {
            looks = true;
        } else if (skip("?")) {
            if (skip("<")) {
                int end = text.indexOf('>', at);
                if (end < 0) {
                    return null;
                }
                name = text.substring(at, end);
                number = groups.size();
                groups.add(null);
                at = end + 1;
            } else if (!skip(":") && !skip(">") && !flagsChange()) {
                return null;
            }
            if (text.charAt(at - 1) == ')') {
                // Flags for the rest of the group around.
                return new RegexNode(RegexNode.SEQUENCE);
            }
        }
        RegexNode inside = alternatives();
        flags = outside;
        if (inside == null || !skip(")")) {
            return null;
        }
        if (number >= 0) {
            groups.set(number, inside);
            namedGroups.put(name, inside);
        }
        return looks ? new RegexNode(RegexNode.SEQUENCE) : inside;
    }

    /** Reads a number or a name in angle brackets: the group that it refers to; null if there is none. */
    private RegexNode reference() {
        if (skip("k<")) {
            int end = text.indexOf('>', at);
            String name = end < 0 ? "" : text.substring(at, end);
            at = Math.max(at, end + 1);
            return namedGroups.get(name);
        }
        int number = text.charAt(at++) - '0';
        return number < 1 || number > groups.size() ? null : groups.get(number - 1);
    }

    /** Reads {@code i)}, {@code s:} and the like. */
    private boolean flagsChange() {
        while (at < text.length()) {
            switch (text.charAt(at++)) {
                case 'i':
                    flags |= Pattern.CASE_INSENSITIVE;
                    break;
                case 's':
                    flags |= Pattern.DOTALL;
                    break;
                case 'm':
                    flags |= Pattern.MULTILINE;
                    break;
                case 'u':
                    flags |= Pattern.UNICODE_CASE;
                    break;
                case ':':
                case ')':
                    return true;
                default:
                    return false;
            }
        }
        return false;
    }

    private RegexNode quantified(RegexNode atom) {
        RegexNode result = atom;
        while (at < text.length()) {
            if (skip("*")) {
                result = RegexNode.repeat(result, 0, RegexNode.UNBOUNDED);
            } else if (skip("+")) {
                result = RegexNode.repeat(result, 1, RegexNode.UNBOUNDED);
            } else if (skip("?")) {
                result = RegexNode.repeat(result, 0, 1);
            } else if (skip("{")) {
                int least = number();
                int most = !skip(",") ? least : is('}') ? RegexNode.UNBOUNDED : number();
                boolean isBounded = most == RegexNode.UNBOUNDED || most <= MOST_OFTEN;
                if (least < 0 || least > MOST_OFTEN || most < least || !isBounded || !skip("}")) {
                    return null;
                }
                result = RegexNode.repeat(result, least, most);
            } else {
                return result;
            }
            // Reluctant or possessive: what matches as a whole is the same, or nearly so.
            if (!skip("?")) {
                skip("+");
            }
        }
        return result;
    }

    /** -1 if there is none, or it is too large. */
    private int number() {
        int value = -1;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9' && value <= MOST_OFTEN) {
            value = Math.max(value, 0) * 10 + (text.charAt(at++) - '0');
        }
        return value;
    }

    private RegexNode escaped() {
        if (at == text.length()) {
            return null;
        }
        switch (text.charAt(at)) {
            case 'b':
            case 'B':
            case 'G':
                at++;
                return new RegexNode(RegexNode.SEQUENCE);
            case 'A':
                at++;
                return new RegexNode(RegexNode.BEGIN);
            case 'z':
            case 'Z':
                at++;
                return new RegexNode(RegexNode.END);
            case 'R':
                at++;
                return RegexNode.set(LINE_ENDS);
            case 'k':
            case '1':
            case '2':
            case '3':
            case '4':
            case '5':
            case '6':
            case '7':
            case '8':
            case '9':
                return reference();
            default:
                char[] set = escapedSet();
                return set == null ? null : RegexNode.set(set);
        }
    }

    // ---- sets of characters: pairs of first and last ones

    private static char[] one(char character) {
        return new char[] {character, character};
    }

    /** What stands behind a backslash; null if it is not understood, or no set. */
    private char[] escapedSet() {
        if (at == text.length()) {
            return null;
        }
        char character = text.charAt(at++);
        switch (character) {
            case 'd':
                return DIGITS;
            case 'D':
                return complement(DIGITS);
            case 'w':
                return WORD;
            case 'W':
                return complement(WORD);
            case 's':
                return SPACES;
            case 'S':
                return complement(SPACES);
            case 'h':
                return BLANKS;
            case 'v':
                return LINE_ENDS;
            case 'p':
            case 'P':
                char[] named = named();
                return named == null || character == 'p' ? named : complement(named);
            case 't':
                return one('\t');
            case 'n':
                return one('\n');
            case 'r':
                return one('\r');
            case 'f':
                return one('\f');
            case 'a':
                return one('\u0007');
            case 'e':
                return one('\u001b');
            case 'u':
                return hexadecimal(4);
            case 'x':
                return hexadecimal(2);
            default:
                boolean isLetter = character >= 'a' && character <= 'z' || character >= 'A' && character <= 'Z';
                boolean isDigit = character >= '0' && character <= '9';
                return isLetter || isDigit ? null : one(character);
        }
    }

    private char[] hexadecimal(int digits) {
        int value = 0;
        for (int i = 0; i < digits; i++) {
            int digit = at < text.length() ? Character.digit(text.charAt(at++), 16) : -1;
            if (digit < 0) {
                return null;
            }
            value = value * 16 + digit;
        }
        return cased(one((char) value));
    }

    /** The set behind {@code \p}. */
    private char[] named() {
        if (at == text.length()) {
            return null;
        }
        int end = is('{') ? text.indexOf('}', at) : at;
        if (end < 0) {
            return null;
        }
        int begin = at;
        String name = is('{') ? text.substring(at + 1, end) : text.substring(at, at + 1);
        at = end + 1;
        switch (name.startsWith("Is") ? name.substring(2) : name) {
            case "Lower":
            case "Ll":
            case "Lowercase":
            case "javaLowerCase":
                return cased(LOWER);
            case "Upper":
            case "Lu":
            case "Uppercase":
            case "javaUpperCase":
                return cased(UPPER);
            case "Alpha":
            case "L":
            case "Alphabetic":
            case "javaLetter":
                return LETTERS;
            case "Digit":
            case "N":
            case "Nd":
                return DIGITS;
            case "Alnum":
            case "javaLetterOrDigit":
                return LETTERS_AND_DIGITS;
            case "Punct":
            case "P":
            case "Punctuation":
                return PUNCTUATION;
            case "Graph":
                return VISIBLE;
            case "Print":
                return PRINTED;
            case "Blank":
            case "Zs":
                return BLANKS;
            case "Cntrl":
                return CONTROLS;
            case "XDigit":
                return HEX;
            case "Space":
            case "White_Space":
                return SPACES;
            case "ASCII":
                return ASCII;
            default:
                return members("\\p" + text.substring(begin, at));
        }
    }

    /** What a part of an expression stands for in the JDK, as far as {@link #MOST_RANGES}; null if that refuses it. */
    private char[] members(String part) {
        char[] all = new char[Character.MAX_VALUE + 1];
        for (int i = 0; i < all.length; i++) {
            all[i] = (char) i;
        }
        char[] set = new char[0];
        try {
            Matcher matcher = Pattern.compile("(?:" + part + ")+", flags).matcher(CharBuffer.wrap(all));
            while (set.length < 2 * MOST_RANGES && matcher.find()) {
                set = union(set, new char[] {(char) matcher.start(), (char) (matcher.end() - 1)});
            }
        } catch (PatternSyntaxException e) {
            return null;
        }
        return set.length == 0 ? null : set;
    }

    /** The set behind an opening bracket, unions included. */
    private char[] bracketed() {
        if (++depth > DEEPEST) {
            return null;
        }
        int begin = at;
        boolean isNegated = skip("^");
        char[] all = new char[0];
        for (boolean first = true; ; first = false) {
            if (at >= text.length()) {
                return null;
            }
            if (text.startsWith("&&", at)) {
                return closes() ? members("[" + text.substring(begin, at)) : null;
            }
            if (!first && skip("]")) {
                depth--;
                return isNegated ? complement(cased(all)) : cased(all);
            }
            char[] part;
            if (skip("[")) {
                part = bracketed();
            } else if (skip("\\")) {
                part = escapedSet();
            } else {
                part = one(text.charAt(at++));
            }
            if (part == null) {
                return null;
            }
            if (part.length == 2 && part[0] == part[1] && isRange()) {
                at++;
                char[] last = skip("\\") ? escapedSet() : one(text.charAt(at++));
                if (last == null || last.length != 2 || last[0] < part[0]) {
                    return null;
                }
                part = new char[] {part[0], last[0]};
            }
            all = union(all, part);
        }
    }

    /** Reads on behind the bracket that closes the set; false if none does. */
    private boolean closes() {
        int open = 1;
        while (at < text.length() && open > 0) {
            char character = text.charAt(at++);
            if (character == '\\') {
                at++;
            } else if (character == '[') {
                open++;
            } else if (character == ']') {
                open--;
            }
        }
        depth--;
        return open == 0;
    }

    /** Whether a hyphen stands between two characters here. */
    private boolean isRange() {
        return is('-') && at + 1 < text.length() && text.charAt(at + 1) != ']' && text.charAt(at + 1) != '[';
    }

    private static char[] union(char[] first, char[] second) {
        char[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }

    /** With the letters of the other case where case does not matter. */
    private char[] cased(char[] set) {
        if ((flags & Pattern.CASE_INSENSITIVE) == 0) {
            return set;
        }
        char[] all = set;
        for (int i = 0; i < set.length; i += 2) {
            for (char letter = 'a'; letter <= 'z'; letter++) {
                char capital = (char) (letter - 'a' + 'A');
                if (set[i] <= letter && letter <= set[i + 1]) {
                    all = union(all, one(capital));
                }
                if (set[i] <= capital && capital <= set[i + 1]) {
                    all = union(all, one(letter));
                }
            }
        }
        return all;
    }

    private static char[] complement(char[] set) {
        char[] all = new char[set.length + 2];
        int count = 0;
        int from = 0;
        while (from <= Character.MAX_VALUE) {
            int begin = Character.MAX_VALUE + 1;
            int end = begin;
            // The set's next range, with what it overlaps.
            for (int i = 0; i < set.length; i += 2) {
                if (set[i + 1] >= from && set[i] < begin) {
                    begin = set[i];
                    end = set[i + 1];
                }
            }
            if (begin > from) {
                all[count++] = (char) from;
                all[count++] = (char) (begin - 1);
            }
            from = end + 1;
        }
        return Arrays.copyOf(all, count);
    }
}
