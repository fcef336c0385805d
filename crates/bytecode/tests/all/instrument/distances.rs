//! Distances and operands of branches, by opcode and operands.

use crate::instrument::driver::{Call, InstrumentedClasses, Run, call};
use bytecode::class_file::ClassFile;
use bytecode::instruction::decode;
use bytecode::opcode::mnemonic;
use fixture::Compiled;

pub(crate) const MAX: f64 = f64::MAX;

/// A call whose method has one branch that matters, and what is expected of that branch.
pub(crate) struct Case {
    method: &'static str,
    /// Mnemonic of the branch.
    opcode: &'static str,
    arguments: Vec<&'static str>,
    distances: Vec<f64>,
    operands: Option<Vec<&'static str>>,
    /// Whether the first branch with that opcode matters, not the last one.
    first: bool,
}

pub(crate) fn case(
    method: &'static str,
    opcode: &'static str,
    arguments: &[&'static str],
    distances: &[f64],
) -> Case {
    let (arguments, distances) = (arguments.to_vec(), distances.to_vec());
    Case { method, opcode, arguments, distances, operands: None, first: false }
}

impl Case {
    pub(crate) fn operands(self, operands: &[&'static str]) -> Self {
        Self { operands: Some(operands.to_vec()), ..self }
    }

    pub(crate) fn first(self) -> Self {
        Self { first: true, ..self }
    }
}

/// Runs the cases in one JVM.
pub(crate) fn check(compiled: &Compiled, cases: &[Case]) {
    let classes = InstrumentedClasses::full(compiled);
    let calls: Vec<Call> = cases.iter().map(|case| call(case.method, &case.arguments)).collect();
    for (case, run) in cases.iter().zip(classes.run("Branches", &calls)) {
        let label = format!("{} {:?}: {}", case.method, case.arguments, run.ending);
        check_run(&classes, compiled, case, &run, &label);
    }
}

fn check_run(classes: &InstrumentedClasses, compiled: &Compiled, case: &Case, run: &Run, label: &str) {
    let opcodes = opcodes(&compiled.bytes("Branches"), case.method);
    let method = classes.method("Branches", case.method);
    let mut branches = method
        .branches
        .iter()
        .filter(|branch| opcodes[branch.instruction.index()] == case.opcode && run.count(branch.probe.0) > 0);
    let branch = if case.first { branches.next() } else { branches.next_back() };
    let branch = branch.unwrap_or_else(|| panic!("{label}: no {} was executed", case.opcode));
    assert_eq!(run.distances_of(branch), case.distances, "{label}");
    if let Some(operands) = &case.operands {
        assert_eq!(&run.operands_of(branch), operands, "{label}");
    }
}

fn opcodes(bytes: &[u8], method: &str) -> Vec<&'static str> {
    let class = ClassFile::parse(bytes).unwrap();
    let named = |member: &&bytecode::class_file::Member| class.constants.utf8(member.name).unwrap() == method;
    let code = class.code(class.methods.iter().find(named).unwrap()).unwrap().unwrap();
    let decoded = decode(code.code()).unwrap();
    decoded.iter().map(|instruction| mnemonic(instruction.opcode).unwrap()).collect()
}

/// The distance between characters that are that far apart.
pub(crate) fn apart(difference: f64) -> f64 {
    difference / (difference + 1.0)
}

const NUMBERS: &str = "
//- /Branches.java
class Branches {
    static boolean eq(int a) { return a == 0; }
    static boolean ne(int a) { return a != 0; }
    static boolean lt(int a) { return a < 0; }
    static boolean ge(int a) { return a >= 0; }
    static boolean gt(int a) { return a > 0; }
    static boolean le(int a) { return a <= 0; }
    static boolean eq2(int a, int b) { return a == b; }
    static boolean ne2(int a, int b) { return a != b; }
    static boolean lt2(int a, int b) { return a < b; }
    static boolean ge2(int a, int b) { return a >= b; }
    static boolean gt2(int a, int b) { return a > b; }
    static boolean le2(int a, int b) { return a <= b; }
    static boolean isNull(Object a) { return a == null; }
    static boolean isNotNull(Object a) { return a != null; }
    static boolean same(Object a, Object b) { return a == b; }
    static boolean other(Object a, Object b) { return a != b; }
    static boolean eqLong(long a, long b) { return a == b; }
    static boolean neLong(long a, long b) { return a != b; }
    static boolean ltLong(long a, long b) { return a < b; }
    static boolean geLong(long a, long b) { return a >= b; }
    static boolean gtLong(long a, long b) { return a > b; }
    static boolean leLong(long a, long b) { return a <= b; }
    static boolean eqDouble(double a, double b) { return a == b; }
    static boolean neDouble(double a, double b) { return a != b; }
    static boolean ltDouble(double a, double b) { return a < b; }
    static boolean geDouble(double a, double b) { return a >= b; }
    static boolean gtDouble(double a, double b) { return a > b; }
    static boolean leDouble(double a, double b) { return a <= b; }
    static boolean eqFloat(float a, float b) { return a == b; }
    static boolean ltFloat(float a, float b) { return a < b; }
    static boolean geFloat(float a, float b) { return a >= b; }
    static int least(int n) { int count = 0; for (int i = 0; i < n; i++) if (i * i == 20) count++; return count; }
}
";

#[test]
fn integers_have_the_distance_of_the_other_outcome() {
    let min = "-2147483648";
    let max = "2147483647";
    check(
        &fixture::compile(NUMBERS),
        &[
            // javac jumps over what is to be done: `a == 0` becomes `ifne`. First the distance to the jump.
            case("eq", "ifne", &["0"], &[1.0, 0.0]).operands(&["0"]),
            case("eq", "ifne", &["-7"], &[0.0, 7.0]).operands(&["-7"]),
            case("eq", "ifne", &[min], &[0.0, 2_147_483_648.0]),
            case("ne", "ifeq", &["0"], &[0.0, 1.0]),
            case("ne", "ifeq", &["9"], &[9.0, 0.0]),
            case("lt", "ifge", &["-1"], &[2.0, 0.0]),
            case("lt", "ifge", &["0"], &[0.0, 1.0]),
            case("lt", "ifge", &[max], &[0.0, 2_147_483_648.0]),
            case("ge", "iflt", &["5"], &[6.0, 0.0]),
            case("ge", "iflt", &[min], &[0.0, 2_147_483_649.0]),
            case("gt", "ifle", &["1"], &[2.0, 0.0]),
            case("gt", "ifle", &[min], &[0.0, 2_147_483_649.0]),
            case("le", "ifgt", &["0"], &[1.0, 0.0]),
            case("le", "ifgt", &["3"], &[0.0, 4.0]),
            case("eq2", "if_icmpne", &["3", "3"], &[1.0, 0.0]).operands(&["3", "3"]),
            case("eq2", "if_icmpne", &[min, max], &[0.0, 4_294_967_295.0]).operands(&[min, max]),
            case("ne2", "if_icmpeq", &["3", "5"], &[2.0, 0.0]),
            case("ne2", "if_icmpeq", &["3", "3"], &[0.0, 1.0]),
            case("lt2", "if_icmpge", &["3", "5"], &[3.0, 0.0]),
            case("lt2", "if_icmpge", &["5", "5"], &[0.0, 1.0]),
            case("lt2", "if_icmpge", &[max, min], &[0.0, 4_294_967_296.0]),
            case("ge2", "if_icmplt", &["3", "5"], &[0.0, 3.0]),
            case("ge2", "if_icmplt", &["5", "3"], &[3.0, 0.0]),
            case("gt2", "if_icmple", &["5", "3"], &[3.0, 0.0]),
            case("gt2", "if_icmple", &[min, max], &[0.0, 4_294_967_296.0]),
            case("le2", "if_icmpgt", &["3", "3"], &[1.0, 0.0]),
            case("le2", "if_icmpgt", &["9", "3"], &[0.0, 7.0]),
        ],
    );
}

#[test]
fn the_smallest_distance_of_a_run_is_kept() {
    check(
        &fixture::compile(NUMBERS),
        &[
            case("least", "if_icmpne", &["4"], &[0.0, 11.0]),
            case("least", "if_icmpne", &["6"], &[0.0, 4.0]).operands(&["25", "20"]),
            case("least", "if_icmpge", &["6"], &[0.0, 0.0]),
            case("least", "if_icmpge", &["0"], &[0.0, 1.0]),
        ],
    );
}

#[test]
fn references_are_near_or_far() {
    check(
        &fixture::compile(NUMBERS),
        &[
            case("isNull", "ifnonnull", &["null"], &[1.0, 0.0]).operands(&[]),
            case("isNull", "ifnonnull", &["\"a"], &[0.0, 1.0]),
            case("isNotNull", "ifnull", &["null"], &[0.0, 1.0]),
            case("isNotNull", "ifnull", &["\"a"], &[1.0, 0.0]),
            case("same", "if_acmpne", &["null", "null"], &[1.0, 0.0]),
            case("same", "if_acmpne", &["\"a", "\"a"], &[0.0, 1.0]),
            case("other", "if_acmpeq", &["null", "null"], &[0.0, 1.0]),
            case("other", "if_acmpeq", &["null", "\"a"], &[1.0, 0.0]),
        ],
    );
}

#[test]
fn longs_do_not_overflow_and_keep_apart_what_doubles_cannot() {
    let (min, max) = ("-9223372036854775808", "9223372036854775807");
    let huge = 18_446_744_073_709_551_616.0;
    check(
        &fixture::compile(NUMBERS),
        &[
            case("eqLong", "ifne", &["3", "3"], &[1.0, 0.0]).operands(&["3", "3"]),
            case("eqLong", "ifne", &[max, "9223372036854775806"], &[0.0, 1.0])
                .operands(&[max, "9223372036854775806"]),
            case("eqLong", "ifne", &[min, max], &[0.0, huge]),
            case("neLong", "ifeq", &["3", "8"], &[5.0, 0.0]),
            case("ltLong", "ifge", &["3", "8"], &[6.0, 0.0]),
            case("ltLong", "ifge", &["8", "8"], &[0.0, 1.0]),
            case("ltLong", "ifge", &[max, min], &[0.0, huge]),
            case("geLong", "iflt", &[min, "0"], &[0.0, 9_223_372_036_854_775_808.0]),
            case("gtLong", "ifle", &["8", "8"], &[0.0, 1.0]),
            case("gtLong", "ifle", &["9", "8"], &[2.0, 0.0]),
            case("leLong", "ifgt", &["9", "8"], &[0.0, 2.0]),
            case("leLong", "ifgt", &["7", "8"], &[2.0, 0.0]),
        ],
    );
}

#[test]
fn doubles_and_floats_know_infinity_and_nan() {
    check(
        &fixture::compile(NUMBERS),
        &[
            case("eqDouble", "ifne", &["0.5", "0.5"], &[1.0, 0.0]).operands(&["0.5d", "0.5d"]),
            case("eqDouble", "ifne", &["0.0", "-0.0"], &[1.0, 0.0]),
            case("eqDouble", "ifne", &["0.5", "0.75"], &[0.0, 0.25]),
            case("eqDouble", "ifne", &["NaN", "NaN"], &[0.0, MAX]).operands(&["NaNd", "NaNd"]),
            case("eqDouble", "ifne", &["Infinity", "Infinity"], &[1.0, 0.0]),
            case("eqDouble", "ifne", &["Infinity", "-Infinity"], &[0.0, MAX]),
            case("eqDouble", "ifne", &["4.9E-324", "0"], &[0.0, f64::from_bits(1)]),
            case("neDouble", "ifeq", &["NaN", "1"], &[MAX, 0.0]),
            case("neDouble", "ifeq", &["1", "3"], &[2.0, 0.0]),
            // `a < b` jumps away when not less: also for NaN.
            case("ltDouble", "ifge", &["1", "3"], &[3.0, 0.0]),
            case("ltDouble", "ifge", &["3", "1"], &[0.0, 3.0]),
            case("ltDouble", "ifge", &["NaN", "1"], &[0.0, MAX]),
            case("ltDouble", "ifge", &["-1.7976931348623157E308", "1.7976931348623157E308"], &[MAX, 0.0]),
            case("geDouble", "iflt", &["NaN", "1"], &[0.0, MAX]),
            case("geDouble", "iflt", &["1", "1"], &[1.0, 0.0]),
            case("gtDouble", "ifle", &["NaN", "1"], &[0.0, MAX]),
            case("gtDouble", "ifle", &["2", "1"], &[2.0, 0.0]),
            case("leDouble", "ifgt", &["1", "NaN"], &[0.0, MAX]),
            case("leDouble", "ifgt", &["Infinity", "1"], &[0.0, MAX]),
            case("eqFloat", "ifne", &["0.5", "0.25"], &[0.0, 0.25]).operands(&["0.5d", "0.25d"]),
            case("eqFloat", "ifne", &["NaN", "0.25"], &[0.0, MAX]),
            case("ltFloat", "ifge", &["NaN", "0.25"], &[0.0, MAX]),
            case("ltFloat", "ifge", &["1", "4"], &[4.0, 0.0]),
            case("geFloat", "iflt", &["3.4028235E38", "-3.4028235E38"], &[6.805_646_932_770_577e38, 0.0]),
        ],
    );
}

const SWITCHES: &str = "
//- /Branches.java
class Branches {
    enum Color { RED, GREEN, BLUE }
    static int sparse(int a) { switch (a) { case -5: return 1; case 10: case 12: return 2; case 1000: return 3; default: return 4; } }
    static int dense(int a) { switch (a) { case 1: return 1; case 2: case 3: return 2; case 5: return 3; default: return 4; } }
    static int ends(int a) { switch (a) { case -2147483648: case -2147483647: return 1; case 2147483647: return 2; default: return 3; } }
    static int inLoop(int n) { int sum = 0; for (int i = 0; i < n; i++) { switch (i) { case 0: sum++; break; case 90: sum--; break; default: sum += 2; } } return sum; }
    static int color(int a) { switch (Color.values()[a]) { case RED: return 1; case GREEN: return 2; default: return 3; } }
    static int string(String a) { switch (a) { case \"apple\": return 1; case \"pear\": case \"plum\": return 2; default: return 3; } }
    static int hash(String a) { switch (a) { case \"Aa\": return 1; case \"BB\": return 2; default: return 3; } }
}
";

#[test]
fn switches_have_a_distance_to_each_outcome() {
    check(
        &fixture::compile(SWITCHES),
        &[
            case("sparse", "lookupswitch", &["-5"], &[0.0, 15.0, 1005.0, 1.0]).operands(&["-5"]),
            case("sparse", "lookupswitch", &["11"], &[16.0, 1.0, 989.0, 0.0]),
            case("sparse", "lookupswitch", &["12"], &[17.0, 0.0, 988.0, 1.0]),
            case(
                "sparse",
                "lookupswitch",
                &["-2147483648"],
                &[2_147_483_643.0, 2_147_483_658.0, 2_147_484_648.0, 0.0],
            ),
            // 4 is no key of its own: javac fills the gap with the default.
            case("dense", "tableswitch", &["2"], &[1.0, 0.0, 3.0, 2.0]),
            case("dense", "tableswitch", &["3"], &[2.0, 0.0, 2.0, 1.0]),
            case("dense", "tableswitch", &["4"], &[3.0, 1.0, 1.0, 0.0]),
            case("dense", "tableswitch", &["0"], &[1.0, 2.0, 5.0, 0.0]),
            case("ends", "lookupswitch", &["-2147483648"], &[0.0, 4_294_967_295.0, 2.0]),
            case("ends", "lookupswitch", &["2147483647"], &[4_294_967_294.0, 0.0, 1.0]),
            case("ends", "lookupswitch", &["0"], &[2_147_483_647.0, 2_147_483_647.0, 0.0]),
            case("inLoop", "lookupswitch", &["1"], &[0.0, 90.0, 1.0]),
            case("inLoop", "lookupswitch", &["50"], &[0.0, 41.0, 0.0]),
            case("inLoop", "lookupswitch", &["99"], &[0.0, 0.0, 0.0]),
            case("color", "lookupswitch", &["0"], &[0.0, 1.0, 1.0]),
        ],
    );
}

#[test]
fn switches_on_strings_have_the_distance_of_the_string() {
    check(
        &fixture::compile(SWITCHES),
        &[
            case(
                "string",
                "tableswitch",
                &["\"apple"],
                &[0.0, 1.0 + apart(15.0) + apart(4.0) + apart(5.0) + apart(1.0), 1.0],
            ),
            case(
                "string",
                "tableswitch",
                &["\"pluq"],
                &[1.0 + apart(15.0) + apart(4.0) + apart(5.0) + apart(5.0), apart(4.0), 0.0],
            )
            .operands(&["\"pluq"]),
            case(
                "string",
                "tableswitch",
                &["\"pear"],
                &[1.0 + apart(15.0) + apart(11.0) + apart(15.0) + apart(6.0), 0.0, 1.0],
            ),
            // The switch on the hash code: pear, plum, apple, default.
            case(
                "string",
                "lookupswitch",
                &["\"plum"],
                &[
                    apart(7.0) + apart(20.0) + apart(5.0),
                    0.0,
                    1.0 + apart(15.0) + apart(4.0) + apart(5.0) + apart(1.0),
                    1.0,
                ],
            ),
            case("hash", "lookupswitch", &["\"Aa"], &[0.0, apart(1.0) + apart(31.0), 1.0]),
            case("hash", "lookupswitch", &["\"BB"], &[apart(1.0) + apart(31.0), 0.0, 1.0]),
            // Equal hash codes: the outcome of the switch on the hash code is taken.
            case("hash", "lookupswitch", &["\"BB"], &[0.0, 1.0]).first(),
            case("hash", "lookupswitch", &["\"Ab"], &[apart(1.0), 0.0]).first(),
        ],
    );
}

const PREDICATES: &str = "
//- /Branches.java
import java.util.Objects;
class Branches {
    static class Base {} static class Sub extends Base {} static class Leaf extends Sub {} static class Side extends Base {}
    static int equal(String a, Object b) { return a.equals(b) ? 1 : 2; }
    static int differ(String a, Object b) { return !a.equals(b) ? 1 : 2; }
    static int ignoreCase(String a, String b) { return a.equalsIgnoreCase(b) ? 1 : 2; }
    static int starts(String a, String b) { return a.startsWith(b) ? 1 : 2; }
    static int startsAt(String a, String b, int at) { return a.startsWith(b, at) ? 1 : 2; }
    static int ends(String a, String b) { return a.endsWith(b) ? 1 : 2; }
    static int contains(String a, String b) { return a.contains(b) ? 1 : 2; }
    static int empty(String a) { return a.isEmpty() ? 1 : 2; }
    static int content(String a, StringBuilder b) { return a.contentEquals(b) ? 1 : 2; }
    static int region(String a, int i, String b, int j, int n) { return a.regionMatches(i, b, j, n) ? 1 : 2; }
    static int regionCase(String a, int i, String b, int j, int n) { return a.regionMatches(true, i, b, j, n) ? 1 : 2; }
    static int order(String a, String b) { return a.compareTo(b) == 0 ? 1 : 2; }
    static int less(String a, String b) { return a.compareTo(b) < 0 ? 1 : 2; }
    static int boxed(Integer a, Object b) { return a.equals(b) ? 1 : 2; }
    static int boxedLong(Long a, Object b) { return a.equals(b) ? 1 : 2; }
    static int boxedDouble(Double a, Object b) { return a.equals(b) ? 1 : 2; }
    static int boxedChar(Character a, Object b) { return a.equals(b) ? 1 : 2; }
    static int objects(Object a, Object b) { return Objects.equals(a, b) ? 1 : 2; }
    static int isSub(int which) { return make(which) instanceof Sub ? 1 : 2; }
    static int isNotLeaf(int which) { return !(make(which) instanceof Leaf) ? 1 : 2; }
    static int isArray(Object a) { return a instanceof String[] ? 1 : 2; }
    static Object make(int which) { return which == 0 ? null : which == 1 ? new Leaf() : which == 2 ? new Side() : which == 3 ? new Base() : \"\"; }
}
";

#[test]
fn predicates_on_strings_tell_how_far_they_are_from_true() {
    check(
        &fixture::compile(PREDICATES),
        &[
            case("equal", "ifeq", &["\"abc", "\"abc"], &[1.0, 0.0]).operands(&["\"abc", "\"abc"]),
            case("equal", "ifeq", &["\"abc", "\"abd"], &[0.0, apart(1.0)]).operands(&["\"abc", "\"abd"]),
            case("equal", "ifeq", &["\"abc", "\"x"], &[0.0, 2.0 + apart(23.0)]),
            case("equal", "ifeq", &["\"abc", "null"], &[0.0, MAX]).operands(&["\"abc"]),
            case("equal", "ifeq", &["\"abc", "Integer 4"], &[0.0, MAX]).operands(&["\"abc", "4"]),
            case("differ", "ifne", &["\"abc", "\"abd"], &[apart(1.0), 0.0]),
            case("differ", "ifne", &["\"abc", "\"abc"], &[0.0, 1.0]),
            case("ignoreCase", "ifeq", &["\"aBc", "\"AbC"], &[1.0, 0.0]),
            case("ignoreCase", "ifeq", &["\"aBc", "\"AbD"], &[0.0, apart(1.0)]),
            case("ignoreCase", "ifeq", &["\"aBc", "null"], &[0.0, MAX]),
            case("starts", "ifeq", &["\"hello", "\"he"], &[1.0, 0.0]),
            case("starts", "ifeq", &["\"hello", "\"hf"], &[0.0, apart(1.0)]),
            case("starts", "ifeq", &["\"h", "\"hey"], &[0.0, 2.0]),
            case("startsAt", "ifeq", &["\"hello", "\"lp", "3"], &[0.0, apart(1.0)]),
            case("startsAt", "ifeq", &["\"hello", "\"lo", "3"], &[1.0, 0.0]),
            case("startsAt", "ifeq", &["\"hello", "\"lo", "7"], &[0.0, 4.0]),
            case("startsAt", "ifeq", &["\"hello", "\"he", "-3"], &[0.0, 3.0]),
            case("ends", "ifeq", &["\"hello", "\"mo"], &[0.0, apart(1.0)]),
            case("ends", "ifeq", &["\"o", "\"hello"], &[0.0, 4.0]),
            case("contains", "ifeq", &["\"hello", "\"elk"], &[0.0, apart(1.0)]),
            case("contains", "ifeq", &["\"hello", "\"ell"], &[1.0, 0.0]),
            case("contains", "ifeq", &["\"he", "\"hex"], &[0.0, 1.0]),
            case("empty", "ifeq", &["\"four"], &[0.0, 4.0]),
            case("empty", "ifeq", &["\""], &[1.0, 0.0]),
            case("content", "ifeq", &["\"ab", "StringBuilder ac"], &[0.0, apart(1.0)]),
            case("region", "ifeq", &["\"xabc", "1", "\"abd", "0", "3"], &[0.0, apart(1.0)]),
            case("region", "ifeq", &["\"xabc", "1", "\"abc", "0", "3"], &[1.0, 0.0]),
            case("region", "ifeq", &["\"xabc", "2", "\"bcd", "0", "3"], &[0.0, 1.0]),
            case("region", "ifeq", &["\"xabc", "-2", "\"bcd", "0", "3"], &[0.0, 2.0]),
            case("regionCase", "ifeq", &["\"xABC", "1", "\"abc", "0", "3"], &[1.0, 0.0]),
            case("regionCase", "ifeq", &["\"xABC", "1", "\"abe", "0", "3"], &[0.0, apart(2.0)]),
            case("order", "ifne", &["\"abc", "\"abe"], &[0.0, apart(2.0)]),
            case("order", "ifne", &["\"abc", "\"abc"], &[1.0, 0.0]),
            case("less", "ifge", &["\"abc", "\"abe"], &[3.0, 0.0]).operands(&["\"abc", "\"abe"]),
            case("less", "ifge", &["\"abc", "\"aba"], &[0.0, 3.0]),
        ],
    );
}

#[test]
fn predicates_on_boxed_values_compare_numbers() {
    check(
        &fixture::compile(PREDICATES),
        &[
            case("boxed", "ifeq", &["Integer 4", "Integer 9"], &[0.0, 5.0]).operands(&["4", "9"]),
            case("boxed", "ifeq", &["Integer 4", "Integer 4"], &[1.0, 0.0]),
            case("boxed", "ifeq", &["Integer 4", "Long 4"], &[0.0, MAX]),
            case("boxedLong", "ifeq", &["Long 9223372036854775807", "Long 9223372036854775806"], &[0.0, 1.0]),
            case("boxedDouble", "ifeq", &["Double NaN", "Double NaN"], &[1.0, 0.0]),
            case("boxedDouble", "ifeq", &["Double 0.0", "Double -0.0"], &[0.0, 1.0]),
            case("boxedDouble", "ifeq", &["Double 0.5", "Double 2"], &[0.0, 1.5]).operands(&["0.5d", "2.0d"]),
            case("boxedChar", "ifeq", &["Character a", "Character d"], &[0.0, 3.0]).operands(&["97", "100"]),
            case("objects", "ifeq", &["\"ab", "\"ac"], &[0.0, apart(1.0)]),
            case("objects", "ifeq", &["null", "\"ac"], &[0.0, MAX]),
            case("objects", "ifeq", &["null", "null"], &[1.0, 0.0]),
            case("objects", "ifeq", &["Boolean true", "Boolean false"], &[0.0, 1.0]),
            case("objects", "ifeq", &["Object x", "\"ac"], &[0.0, 1.0]),
        ],
    );
}

#[test]
fn instanceof_counts_steps_in_the_hierarchy() {
    check(
        &fixture::compile(PREDICATES),
        &[
            case("isSub", "ifeq", &["0"], &[0.0, MAX]).operands(&[]),
            case("isSub", "ifeq", &["1"], &[1.0, 0.0]),
            case("isSub", "ifeq", &["2"], &[0.0, 2.0]),
            case("isSub", "ifeq", &["3"], &[0.0, 1.0]),
            case("isSub", "ifeq", &["4"], &[0.0, 2.0]),
            case("isNotLeaf", "ifne", &["1"], &[0.0, 1.0]),
            case("isNotLeaf", "ifne", &["3"], &[1.0, 0.0]),
            case("isArray", "ifeq", &["\"a"], &[0.0, 2.0]).operands(&["\"a"]),
        ],
    );
}
