//! Models and the platform's own code against the JVM: values of expressions, and what the terms of one run say of the others.

mod expressions;

use std::fmt::Write as _;
use std::process::Command;

use bytecode::descriptor::PrimitiveType;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use concolic::interpreter::{
    Concrete, Content, End, Heap, Interpreter, Limits, MethodName, Outside, Replay, Slot,
};
use concolic::term::{InputId, Model, Sort, Terms, Value};
use expressions::{INTERPRETED, MODELLED, PARTLY};

/// What expressions are about.
type Row = (&'static str, &'static str, i32, i32, char, i64, f64);

const ROWS: &[Row] = &[
    ("", "", 0, 0, 'a', 0, 0.0),
    ("a", "a", 0, 1, 'A', 1, -0.0),
    ("abcab", "ab", 1, 2, '5', -1, 0.5),
    ("aXb,c,,d,", "xb", 2, 3, 'z', 3, 1.5),
    (" -12 ", "12", -1, 4, ' ', i64::MAX, -2.5),
    ("-12", "", 3, 3, '\t', i64::MIN, 1e300),
    ("7f", "7F", 16, 2, '\u{e9}', 4_294_967_296, f64::NAN),
    ("0x1F", "A", 2, 0, '\u{ff}', 255, f64::INFINITY),
    ("TRUE", "true", 5, 5, '\u{b5}', -4_294_967_297, f64::NEG_INFINITY),
    ("2147483648", "2147483648", 10, -1, '_', 42, 4.5e15),
    ("127", "128", i32::MAX, 1, '\u{ad}', 7, -0.25),
    ("-129", "\u{e9}\u{c9}", i32::MIN, -1, '\u{df}', 8, 2.5),
    ("\u{e9}a", "\u{c9}A", 1, 1, '\u{d7}', 9, 9.007_199_254_740_993e15),
    ("a\u{2003}", " ", 4, 2, '\u{0}', 10, 0.499_999_999_999_999_94),
    ("\u{1f600}", "\u{1f600}", 0, 2, '\u{7f}', 100, -1.5),
    ("0", "0", 8, 8, 'F', -128, 1e-320),
];

const HELPERS: &str = r#"
    static String copied(String s, int i, int j) {
        char[] target = {'1', '2', '3', '4'};
        s.getChars(i, j, target, 1);
        return new String(target);
    }
    static String gotten(StringBuilder b, int i, int j) {
        char[] target = {'1', '2', '3', '4'};
        b.getChars(i, j, target, 0);
        return new String(target);
    }
    static String changed(StringBuilder b, int i, char c) { b.setCharAt(i, c); b.trimToSize(); return b.toString(); }
    static String lengthened(StringBuilder b, int i) { b.ensureCapacity(3); b.setLength(i % 50); return b.toString(); }
    static String sought(String s) {
        java.util.regex.Matcher matcher = java.util.regex.Pattern.compile("(-?)(\\d+)").matcher(s);
        return matcher.matches() + "," + matcher.reset().lookingAt() + "," + matcher.reset().find();
    }
    static int[] shifted(int[] a) { System.arraycopy(a, 0, a, 1, 3); return a; }
    static int sum(int first, int[] a) { for (int x : a) first = first * 31 + x; return first; }
    static int filled(int i) { int[] a = new int[3]; java.util.Arrays.fill(a, i); return a[0] + a[2]; }
    static String listed(int i, int j, String s) {
        java.util.List<Object> list = new java.util.ArrayList<>();
        list.add(i);
        list.add(s);
        list.add(0, j);
        list.remove(1);
        return list.get(0) + "" + list.get(1) + list.size() + list.contains("a");
    }
    static int linked(int i, int j) {
        java.util.LinkedList<Integer> list = new java.util.LinkedList<>();
        list.addLast(i);
        list.addFirst(j);
        return list.removeLast() * 2 + list.getFirst();
    }
    static String mapped(String s, String t, int i) {
        java.util.Map<String, Integer> map = new java.util.HashMap<>();
        map.put(s, i);
        map.put("ab", 2);
        return map.get(t) + "" + map.containsKey("a") + map.size();
    }
    static int iterated(int i, int j) {
        int sum = 0;
        for (int x : java.util.Arrays.asList(i, j, 3)) if (x > 2) sum += x;
        return sum;
    }
    static String split(String s) {
        StringBuilder all = new StringBuilder();
        for (String part : s.split(",")) all.append(part).append(';');
        return all.toString();
    }
"#;

/// Nothing is known but the arguments.
struct Nothing;

impl Outside for Nothing {
    fn static_field(&mut self, class: &ClassName, _: &str, heap: &mut Heap) -> Option<Slot> {
        Some(Slot::reference(heap.seen(class.clone())))
    }

    fn is_initialized(&mut self, _: &ClassName) -> Option<bool> {
        Some(false)
    }

    fn interprets_platform(&self) -> bool {
        true
    }
}

fn units(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

fn sources(expressions: &[&str]) -> String {
    let escaped = |text: &str| {
        units(text).into_iter().fold(String::new(), |mut all, unit| {
            let _ = write!(all, "\\u{unit:04x}");
            all
        })
    };
    let mut java = "//- /p/M.java\npackage p;\npublic class M {\n".to_owned();
    java.push_str(HELPERS);
    for (number, expression) in expressions.iter().enumerate() {
        let _ = writeln!(
            java,
            "static String m{number}(String s, String t, int i, int j, char c, long l, double d) {{ return \"\" + ({expression}); }}"
        );
    }
    java.push_str("public static void main(String[] none) throws Exception {\n");
    java.push_str("java.lang.reflect.Method[] all = M.class.getDeclaredMethods(); java.util.Map<String, java.lang.reflect.Method> by = new java.util.HashMap<>(); for (java.lang.reflect.Method m : all) by.put(m.getName(), m);\nObject[][] rows = {\n");
    for row in ROWS {
        let (character, double) = (u32::from(row.4), row.6.to_bits() as i64);
        // The compiler would read the escapes as what they stand for.
        let [one, other] = [row.0, row.1].map(|text| escaped(text).replace("\\u", "\\\\u"));
        let (int, second, long) = (row.2, row.3, row.5);
        let _ = writeln!(
            java,
            "{{u(\"{one}\"), u(\"{other}\"), {int}, {second}, (char) {character}, {long}L, Double.longBitsToDouble({double}L)}},"
        );
    }
    let _ =
        writeln!(java, "}};\nfor (int m = 0; m < {}; m++) for (Object[] row : rows) {{", expressions.len());
    java.push_str(
        "String result; try { result = (String) by.get(\"m\" + m).invoke(null, row); } catch (java.lang.reflect.InvocationTargetException e) { result = e.getCause().getClass().getName(); }\n",
    );
    java.push_str("StringBuilder b = new StringBuilder(); for (char x : result.toCharArray()) b.append(String.format(\"%04x\", (int) x)); System.out.println(b); } }\n");
    java.push_str("static String u(String s) { StringBuilder b = new StringBuilder(); for (int k = 0; k < s.length(); k += 6) b.append((char) Integer.parseInt(s.substring(k + 2, k + 6), 16)); return b.toString(); }\n}\n");
    java
}

/// What the JVM says, by expression and row.
fn judged(compiled: &fixture::Compiled) -> Vec<Vec<u16>> {
    let java = fixture::java_home().join("bin/java");
    let output =
        Command::new(java).arg("-cp").arg(&compiled.folder).arg("p.M").output().expect("java starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("digits");
    let unit = |digits: &[u8]| {
        let digits = std::str::from_utf8(digits).expect("digits");
        u16::from_str_radix(digits, 16).expect("a number")
    };
    text.lines().map(|line| line.as_bytes().chunks(4).map(unit).collect()).collect()
}

fn model(row: &Row) -> Model {
    let text = |text: &str| Value::Text(units(text).into());
    let values = [
        text(row.0),
        text(row.1),
        Value::int(row.2),
        Value::int(row.3),
        Value::bits(16, u64::from(u32::from(row.4))),
        Value::long(row.5),
        Value::Double(row.6),
    ];
    (0..).map(InputId).zip(values).collect()
}

fn replayed(hierarchy: &ClassHierarchy, number: usize, row: &Row, terms: &mut Terms) -> Replay {
    let mut heap = Heap::default();
    let mut arguments = Vec::new();
    for (input, string) in [(InputId(0), row.0), (InputId(1), row.1)] {
        let term = terms.input(input, Sort::Text);
        arguments.push(Slot::reference(heap.text(units(string).into(), Some(term))));
    }
    let numbers = [
        (PrimitiveType::Int, Concrete::Int(row.2)),
        (PrimitiveType::Int, Concrete::Int(row.3)),
        (PrimitiveType::Char, Concrete::Int(u32::from(row.4) as i32)),
        (PrimitiveType::Long, Concrete::Long(row.5)),
        (PrimitiveType::Double, Concrete::Double(row.6)),
    ];
    for (input, (primitive, concrete)) in (2..).map(InputId).zip(numbers) {
        arguments.push(Slot::input(terms, input, primitive, concrete));
    }
    let method = MethodName {
        class: ClassName::new("p/M"),
        name: format!("m{number}").into(),
        descriptor: "(Ljava/lang/String;Ljava/lang/String;IICJD)Ljava/lang/String;".into(),
    };
    Interpreter::new(terms, hierarchy, &mut Nothing, heap, Limits::default()).replay(&method, arguments)
}

/// What a replay came to under a model: its own, or another one under which its conditions hold. `None` if it did not come to an end.
fn result(replay: &Replay, terms: &Terms, model: &Model) -> Option<Vec<u16>> {
    match &replay.end {
        End::Returned(Some(Slot { concrete: Concrete::Reference(object), .. })) => {
            let Content::Text(text) = &replay.heap.get(*object).content else { return None };
            Some(match text.term {
                Some(term) => terms.value(term, model).units().to_vec(),
                None => text.units.to_vec(),
            })
        }
        End::Threw { class, .. } => Some(units(&class.binary())),
        End::Returned(_) | End::Unknown(_) | End::OutOfSteps | End::TooDeep | End::Diverged { .. } => None,
    }
}

/// Compares with the JVM: what differs, and what was not known.
fn compare(expressions: &[&str]) -> (Vec<String>, Vec<String>) {
    let compiled = fixture::compile_with(&sources(expressions), &["-nowarn", "--release", "11"]);
    let (judged, hierarchy) = (judged(&compiled), compiled.hierarchy());
    assert_eq!(judged.len(), expressions.len() * ROWS.len());
    let (mut wrong, mut unknown) = (Vec::new(), Vec::new());
    for (number, expression) in expressions.iter().enumerate() {
        let expected = &judged[number * ROWS.len()..];
        let mut known = 0;
        let mut why = None;
        for row in ROWS {
            let mut terms = Terms::new();
            let replay = replayed(&hierarchy, number, row, &mut terms);
            for (other, expected) in ROWS.iter().zip(expected) {
                let model = model(other);
                let holds = replay
                    .conditions
                    .iter()
                    .all(|condition| terms.value(condition.term, &model) == Value::Bool(true));
                assert!(holds || !std::ptr::eq(row, other), "{expression} {row:?}");
                if !holds {
                    continue;
                }
                match result(&replay, &terms, &model) {
                    Some(found) if found == *expected => known += usize::from(std::ptr::eq(row, other)),
                    Some(found) => wrong.push(format!(
                        "{expression} from {row:?} for {other:?}: {} instead of {}",
                        String::from_utf16_lossy(&found),
                        String::from_utf16_lossy(expected)
                    )),
                    None => why = Some(format!("{row:?} {:?}", replay.end)),
                }
            }
        }
        if let Some(why) = why
            && !(PARTLY.contains(expression) && known > 0)
        {
            unknown.push(format!("{expression}: known in {known} of {} runs: {why}", ROWS.len()));
        }
    }
    (wrong, unknown)
}

#[test]
fn models_compute_what_the_jvm_computes_for_all_inputs_that_fulfil_their_conditions() {
    let (wrong, unknown) = compare(MODELLED);
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(unknown.is_empty(), "{unknown:#?}");
}

#[test]
fn code_of_the_platform_is_interpreted_where_all_is_known() {
    let (wrong, unknown) = compare(INTERPRETED);
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(unknown.is_empty(), "{unknown:#?}");
}
