//! Distances of predicates on collections, characters, indices, numbers and regular expressions.

use crate::instrument::distances::{MAX, apart, case, check};

const PREDICATES: &str = r#"
//- /Branches.java
import java.math.BigDecimal;
import java.util.*;
import java.util.regex.*;
class Branches {
    static class Odd extends ArrayList<String> { public boolean contains(Object o) { return true; } }
    static List<String> words(String all) { return new ArrayList<>(Arrays.asList(all.split(" "))); }
    static Map<String, Integer> map(String all) { Map<String, Integer> map = new HashMap<>(); for (String word : all.split(" ")) map.put(word, word.length()); return map; }
    static int has(String all, String word) { return words(all).contains(word) ? 1 : 2; }
    static int hasNo(String all, String word) { return !new HashSet<>(words(all)).contains(word) ? 1 : 2; }
    static int hasNone(String word) { return new ArrayList<String>().contains(word) ? 1 : 2; }
    static int odd(String word) { Collection<String> odd = new Odd(); return odd.contains(word) ? 1 : 2; }
    static int hasAll(String all, String some) { return words(all).containsAll(words(some)) ? 1 : 2; }
    static int noWords(String all) { List<String> words = words(all); words.remove("x"); return words.isEmpty() ? 1 : 2; }
    static int key(String all, String word) { return map(all).containsKey(word) ? 1 : 2; }
    static int value(String all, int length) { return map(all).containsValue(length) ? 1 : 2; }
    static int noKeys(String all) { Map<String, Integer> map = map(all); map.remove("x"); return map.isEmpty() ? 1 : 2; }
    static int place(String all, String word) { return words(all).indexOf(word) >= 0 ? 1 : 2; }
    static int sameWords(String a, String b) { return words(a).equals(words(b)) ? 1 : 2; }
    static int arrays(String a, String b) { return Arrays.equals(a.toCharArray(), b.toCharArray()) ? 1 : 2; }
    static int ints(int a, int b) { return Arrays.equals(new int[] {a, 5}, new int[] {b, 5}) ? 1 : 2; }
    static int digit(char a) { return Character.isDigit(a) ? 1 : 2; }
    static int upper(char a) { return Character.isUpperCase(a) ? 1 : 2; }
    static int letter(int a) { return Character.isLetter(a) ? 1 : 2; }
    static int found(String a, String b) { return a.indexOf(b) >= 0 ? 1 : 2; }
    static int notMissing(String a, String b) { return a.indexOf(b) != -1 ? 1 : 2; }
    static int later(String a, String b) { return a.indexOf(b) > 0 ? 1 : 2; }
    static int character(String a, char b) { return a.indexOf(b) == -1 ? 1 : 2; }
    static int from(String a, String b, int at) { return a.indexOf(b, at) < 0 ? 1 : 2; }
    static int compareInts(int a, int b) { return Integer.compare(a, b) > 0 ? 1 : 2; }
    static int compareLongs(long a, long b) { return Long.compare(a, b) == 0 ? 1 : 2; }
    static int compareDoubles(double a, double b) { return Double.compare(a, b) < 0 ? 1 : 2; }
    static int compareFloats(float a, float b) { return Float.compare(a, b) < 0 ? 1 : 2; }
    static int boxes(Integer a, Integer b) { return a.compareTo(b) < 0 ? 1 : 2; }
    static int big(String a, String b) { return new BigDecimal(a).compareTo(new BigDecimal(b)) == 0 ? 1 : 2; }
    static int matches(String a, String b) { return a.matches(b) ? 1 : 2; }
    static int pattern(String a, String b) { return Pattern.matches(b, a) ? 1 : 2; }
    static int whole(String a, String b) { return Pattern.compile(b).matcher(a).matches() ? 1 : 2; }
    static int part(String a, String b) { Matcher matcher = Pattern.compile(b).matcher(a); return matcher.find() ? 1 : 2; }
    static int start(String a, String b) { Matcher matcher = Pattern.compile(b, Pattern.CASE_INSENSITIVE).matcher(a); return matcher.lookingAt() ? 1 : 2; }
}
"#;

#[test]
fn collections_have_the_distance_of_their_nearest_element() {
    check(
        &fixture::compile(PREDICATES),
        &[
            case("has", "ifeq", &["\"red blue", "\"rod"], &[0.0, apart(10.0)]).operands(&["\"rod", "\"red"]),
            case("has", "ifeq", &["\"red blue", "\"blue"], &[1.0, 0.0]),
            case("has", "ifeq", &["\"red blue", "null"], &[0.0, MAX]),
            case("hasNo", "ifne", &["\"red blue", "\"bluf"], &[apart(1.0), 0.0]),
            case("hasNo", "ifne", &["\"red blue", "\"blue"], &[0.0, 1.0]),
            case("hasNone", "ifeq", &["\"red"], &[0.0, MAX]),
            case("odd", "ifeq", &["\"red"], &[1.0, 0.0]).operands(&["\"red"]),
            case("hasAll", "ifeq", &["\"red blue", "\"blue red"], &[1.0, 0.0]),
            case("hasAll", "ifeq", &["\"red blue", "\"bluf red"], &[0.0, apart(apart(1.0))]),
            case("noWords", "ifeq", &["\"red blue"], &[0.0, 2.0]),
            case("noWords", "ifeq", &["\"x"], &[1.0, 0.0]),
            case("key", "ifeq", &["\"red blue", "\"rod"], &[0.0, apart(10.0)]).operands(&["\"rod", "\"red"]),
            case("value", "ifeq", &["\"red blue", "7"], &[0.0, 3.0]).operands(&["7", "4"]),
            case("noKeys", "ifeq", &["\"red blue"], &[0.0, 2.0]),
            case("place", "iflt", &["\"red blue", "\"rod"], &[0.0, apart(10.0)]),
            case("place", "iflt", &["\"red blue", "\"blue"], &[2.0, 0.0]),
            case("sameWords", "ifeq", &["\"red blue", "\"rod blue x"], &[0.0, 1.0 + apart(apart(10.0))]),
            case("arrays", "ifeq", &["\"abc", "\"abe"], &[0.0, apart(2.0)]),
            case("arrays", "ifeq", &["\"abc", "\"ab"], &[0.0, 1.0]),
            case("arrays", "ifeq", &["\"abc", "\"abc"], &[1.0, 0.0]),
            case("ints", "ifeq", &["3", "7"], &[0.0, apart(4.0)]),
        ],
    );
}

#[test]
fn characters_have_the_distance_of_the_nearest_one_of_their_class() {
    check(
        &fixture::compile(PREDICATES),
        &[
            case("digit", "ifeq", &["5"], &[1.0, 0.0]),
            case("digit", "ifeq", &["a"], &[0.0, 40.0]).operands(&["97"]),
            case("digit", "ifeq", &["/"], &[0.0, 1.0]),
            case("upper", "ifeq", &["a"], &[0.0, 7.0]),
            case("upper", "ifeq", &["^"], &[0.0, 4.0]),
            case("letter", "ifeq", &["64"], &[0.0, 1.0]),
            case("letter", "ifeq", &["-2147483648"], &[0.0, 2_147_483_648.0 + 97.0 + 128.0]),
        ],
    );
}

#[test]
fn indices_have_the_distance_of_what_is_looked_for() {
    check(
        &fixture::compile(PREDICATES),
        &[
            case("found", "iflt", &["\"hello", "\"elk"], &[0.0, apart(1.0)]).operands(&["\"hello", "\"elk"]),
            case("found", "iflt", &["\"hello", "\"ell"], &[2.0, 0.0]),
            case("notMissing", "if_icmpeq", &["\"hello", "\"elk"], &[0.0, apart(1.0)]),
            case("notMissing", "if_icmpeq", &["\"hello", "\"lo"], &[4.0, 0.0]),
            case("later", "ifle", &["\"hello", "\"elk"], &[0.0, apart(1.0)]),
            case("later", "ifle", &["\"hello", "\"he"], &[0.0, 1.0]),
            case("character", "if_icmpne", &["\"hello", "p"], &[apart(1.0), 0.0])
                .operands(&["\"hello", "112"]),
            case("character", "if_icmpne", &["\"hello", "l"], &[0.0, 3.0]),
            case("from", "ifge", &["\"hello", "\"he", "2"], &[apart(4.0) + apart(7.0), 0.0]),
        ],
    );
}

#[test]
fn orders_of_numbers_have_the_distance_of_the_difference() {
    check(
        &fixture::compile(PREDICATES),
        &[
            case("compareInts", "ifle", &["3", "10"], &[0.0, 8.0]).operands(&["3", "10"]),
            case("compareInts", "ifle", &["10", "3"], &[8.0, 0.0]),
            case("compareLongs", "ifne", &["9223372036854775807", "9223372036854775806"], &[0.0, 1.0]),
            case("compareLongs", "ifne", &["4", "4"], &[1.0, 0.0]),
            case("compareDoubles", "ifge", &["2.5", "1"], &[0.0, 2.5]),
            case("compareDoubles", "ifge", &["NaN", "1"], &[0.0, 2.0]),
            case("compareDoubles", "ifge", &["-0.0", "0.0"], &[2.0, 0.0]),
            case("compareFloats", "ifge", &["1", "2.5"], &[2.5, 0.0]).operands(&["1.0d", "2.5d"]),
            case("boxes", "ifge", &["Integer 9", "Integer 4"], &[0.0, 6.0]).operands(&["9", "4"]),
            case("big", "ifne", &["\"10.5", "\"10.25"], &[0.0, 0.25]),
            case("big", "ifne", &["\"10.50", "\"10.5"], &[1.0, 0.0]),
        ],
    );
}

#[test]
fn regular_expressions_have_the_distance_of_the_nearest_match() {
    check(
        &fixture::compile(PREDICATES),
        &[
            case("matches", "ifeq", &["\"ab12", "\"[a-z]+\\d{2}"], &[1.0, 0.0])
                .operands(&["\"ab12", "\"a00"]),
            case("matches", "ifeq", &["\"ab1", "\"[a-z]+\\d{2}"], &[0.0, apart(41.0)]),
            case("matches", "ifeq", &["\"a1", "\"[a-z]+\\d{2}"], &[0.0, 1.0]),
            case("matches", "ifeq", &["\"a123", "\"[a-z]+\\d{2}"], &[0.0, apart(48.0)]),
            case("matches", "ifeq", &["\"", "\"(red|green)(,(red|green))*"], &[0.0, 3.0])
                .operands(&["\"", "\"red"]),
            // Of what matches already another example is given: by other alternatives, and going on.
            case("matches", "ifeq", &["\"red", "\"(red|green)(,(red|green))*"], &[1.0, 0.0])
                .operands(&["\"red", "\"green,green"]),
            case("matches", "ifeq", &["\"red,", "\"(red|green)(,(red|green))*"], &[0.0, 1.0]),
            case("matches", "ifeq", &["\"RED", "\"(?i)red"], &[1.0, 0.0]),
            case("matches", "ifeq", &["\"a-b", "\"[^a-c]-[^\\d\\s]"], &[0.0, 0.5]),
            // A look-ahead is left out, and a reference is another match of its group.
            case("matches", "ifeq", &["\"abc", "\"(?=x)abc"], &[0.0, 1.0]).operands(&["\"abc", "\"abc"]),
            case("matches", "ifeq", &["\"ab", "\"(?=.*\\d)(?<!x)a[b\\d]{3}"], &[0.0, 2.0])
                .operands(&["\"ab", "\"a000"]),
            case("matches", "ifeq", &["\"abb", "\"(?<x>a)\\1\\k<x>b{2}"], &[0.0, 2.0])
                .operands(&["\"abb", "\"aaabb"]),
            // What the JDK says of a set: a category of Unicode, an intersection.
            case("matches", "ifeq", &["\"a", "\"\\p{gc=Lu}"], &[0.0, apart(7.0)]).operands(&["\"a", "\"A"]),
            case("matches", "ifeq", &["\"c", "\"[a-e&&[^bc]]"], &[0.0, apart(1.0)]),
            // What is not understood stays flat.
            case("matches", "ifeq", &["\"abc", "\"(a)\\2bc"], &[0.0, 1.0]).operands(&["\"abc"]),
            case("pattern", "ifeq", &["\"2024-1-15", "\"\\d{4}-\\d{2}-\\d{2}"], &[0.0, 1.0])
                .operands(&["\"2024-1-15", "\"0000-00-00"]),
            case("whole", "ifeq", &["\"ab", "\"abc?d"], &[0.0, 1.0]),
            case("part", "ifeq", &["\"xxabxx", "\"ab+"], &[1.0, 0.0]),
            case("part", "ifeq", &["\"xxacxx", "\"ab+"], &[0.0, apart(1.0)]),
            case("part", "ifeq", &["\"xxab", "\"^ab$"], &[0.0, 2.0]),
            case("start", "ifeq", &["\"ABxyz", "\"ab"], &[1.0, 0.0]),
            case("start", "ifeq", &["\"xAByz", "\"ab"], &[0.0, 1.0]),
        ],
    );
}
