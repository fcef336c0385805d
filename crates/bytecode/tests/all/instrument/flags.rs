//! Distances of values that are decided at one place and asked at another.

use crate::instrument::distances::{apart, case, check};

const FLAGS: &str = r#"
//- /Branches.java
import java.util.*;
class Branches {
    static int local(int a) { boolean is = a * 3 == 12; int b = a + 1; if (is) return b; return 0; }
    static int not(int a) { boolean is = a == 4; int b = a + 1; if (!is) return b; return 0; }
    static int both(int a, int b) { boolean are = a == 4 && b == 5; int c = a; return are ? c : 0; }
    static int either(int a, int b) { boolean is = a == 4 || b == 5; int c = a; return is ? c : 0; }
    static int loop(int a) { boolean found = false; for (int i = 0; i < 3; i++) { if (a == i + 10) found = true; } return found ? 1 : 2; }
    static int exit(int a) { boolean done = false; int n = 0; while (!done) { n++; if (n == a || n > 5) done = true; } return n; }
    static int twice(int a, int b) { boolean is = a == 4; int n = 0; if (is) n++; is = b == 9; if (is) n++; return n; }
    static int parameter(boolean is) { return is ? 1 : 2; }
    static int nested(int a, int b) { boolean is = false; if (a > 10) { if (b == 3) { is = true; } } return is ? 1 : 2; }
    static boolean isSeven(int a) { return a == 7; }
    static boolean isText(String a) { return a.equals("abc"); }
    static boolean isBoth(int a, String b) { return isSeven(a) && isText(b); }
    static boolean isKnown(int a) { if (a < 0) return false; if (a == 20) return true; return false; }
    static int callee(int a) { return isSeven(a) ? 1 : 2; }
    static int calleeText(String a) { return !isText(a) ? 1 : 2; }
    static int calleeBoth(int a, String b) { return isBoth(a, b) ? 1 : 2; }
    static int calleeKnown(int a) { boolean is = isKnown(a); int b = a; return is ? b : 2; }
    static int unused(int a, int b) { isSeven(a); return other(b) ? 1 : 2; }
    static boolean other(int b) { return Boolean.parseBoolean("" + (b == 3)); }
    static int stored(String a) { boolean is = a.startsWith("abc"); int b = a.length(); return is ? b : 2; }
    static int boxed(String a) { return Boolean.valueOf(a.equals("abc")).booleanValue() ? 1 : 2; }
    static Optional<String> find(int a) { if (a == 7) return Optional.of("x"); return Optional.empty(); }
    static int present(int a) { return find(a).isPresent() ? 1 : 2; }
    static int empty(int a) { Optional<String> found = find(a); return found.isEmpty() ? 1 : 2; }
    static String look(int a) { return a == 7 ? null : "x"; }
    static int isNull(int a) { return look(a) == null ? 1 : 2; }
    static int isNotNull(int a) { String found = look(a); int b = a; return found != null ? b : 2; }
    static int get(String key) { Map<String, String> map = new HashMap<>(); map.put("abc", "x"); String found = map.get(key); return found != null ? 1 : 2; }
    static int getNone(String key) { Map<String, String> map = new HashMap<>(); map.put("abc", "x"); return map.get(key) == null ? 1 : 2; }
    static String maybe(String a) { String result = null; if (a.length() == 3) { result = a; } if (result != null) return result; return "?"; }
}
"#;

/// Below 1, and in the order of the distances.
fn normal(distance: f64) -> f64 {
    distance.ln_1p() / (distance.ln_1p() + 1.0)
}

#[test]
fn flags_of_a_method_have_the_distance_of_what_decides_on_them() {
    check(
        &fixture::compile_with(FLAGS, &["-g", "--release", "17"]),
        &[
            case("local", "ifeq", &["0"], &[0.0, normal(12.0)]).operands(&[]),
            case("local", "ifeq", &["3"], &[0.0, normal(3.0)]),
            case("local", "ifeq", &["4"], &[normal(1.0), 0.0]),
            case("not", "ifne", &["1"], &[normal(3.0), 0.0]),
            // Each decision that is still to come is more than all that one can be off.
            case("both", "ifeq", &["1", "5"], &[0.0, 1.0 + normal(3.0)]),
            case("both", "ifeq", &["4", "7"], &[0.0, normal(2.0)]),
            case("both", "ifeq", &["4", "5"], &[normal(1.0), 0.0]),
            case("either", "ifeq", &["1", "9"], &[0.0, normal(3.0)]),
            case("either", "ifeq", &["0", "6"], &[0.0, normal(1.0)]),
            case("loop", "ifeq", &["4"], &[0.0, normal(6.0)]),
            case("loop", "ifeq", &["14"], &[0.0, normal(2.0)]),
            case("exit", "ifne", &["3"], &[0.0, 0.0]),
            case("twice", "ifeq", &["4", "2"], &[0.0, normal(7.0)]),
            case("twice", "ifeq", &["2", "9"], &[0.0, normal(2.0)]).first(),
            case("nested", "ifeq", &["4", "3"], &[0.0, 1.0 + normal(7.0)]),
            case("nested", "ifeq", &["11", "8"], &[0.0, normal(5.0)]),
            // What is not decided here is as flat as it was.
            case("parameter", "ifeq", &["false"], &[0.0, 1.0]).operands(&["0"]),
        ],
    );
}

#[test]
fn flags_that_calls_return_have_the_distance_that_the_callee_leaves() {
    check(
        &fixture::compile_with(FLAGS, &["-g", "--release", "17"]),
        &[
            case("callee", "ifeq", &["5"], &[0.0, normal(2.0)]),
            case("callee", "ifeq", &["7"], &[normal(1.0), 0.0]),
            case("calleeText", "ifne", &["\"abd"], &[normal(apart(1.0)), 0.0]),
            case("calleeBoth", "ifeq", &["4", "\"abc"], &[0.0, 1.0 + normal(normal(3.0))]),
            case("calleeBoth", "ifeq", &["7", "\"abe"], &[0.0, normal(normal(apart(2.0)))]),
            case("calleeKnown", "ifeq", &["17"], &[0.0, normal(3.0)]),
            case("calleeKnown", "ifeq", &["-2"], &[0.0, 1.0 + normal(3.0)]),
            // The callee is not known to decide; what another left is not taken for it.
            case("unused", "ifeq", &["4", "2"], &[0.0, 1.0]),
            case("stored", "ifeq", &["\"abd"], &[0.0, normal(apart(1.0))]),
            case("boxed", "ifeq", &["\"abd"], &[0.0, normal(apart(1.0))]),
        ],
    );
}

#[test]
fn absent_values_have_the_distance_of_what_makes_them() {
    check(
        &fixture::compile_with(FLAGS, &["-g", "--release", "17"]),
        &[
            case("present", "ifeq", &["5"], &[0.0, normal(2.0)]),
            case("present", "ifeq", &["7"], &[normal(1.0), 0.0]),
            case("empty", "ifeq", &["7"], &[0.0, normal(1.0)]),
            case("empty", "ifeq", &["5"], &[normal(2.0), 0.0]),
            case("isNull", "ifnonnull", &["5"], &[0.0, normal(2.0)]),
            case("isNotNull", "ifnull", &["5"], &[normal(2.0), 0.0]),
            case("get", "ifnull", &["\"abe"], &[0.0, normal(apart(2.0))]),
            case("getNone", "ifnonnull", &["\"abe"], &[normal(apart(2.0)), 0.0]),
            case("getNone", "ifnonnull", &["\"abc"], &[0.0, normal(1.0)]),
            case("maybe", "ifnull", &["\"abcde"], &[0.0, normal(2.0)]),
        ],
    );
}
