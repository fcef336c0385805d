//! Goals, control dependence and evidence of compiled classes.

#![expect(clippy::disallowed_methods, reason = "test code reads files")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs::File;
use std::os::unix::fs::FileExt;

use bytecode::analysis::{AnalysisOptions, ClassAnalysis, ProbeIds, analyze};
use bytecode::class_file::ClassFile;
use bytecode::constants::{ConstantValue, constants, referenced_types};
use bytecode::descriptor::ErasedType;
use bytecode::jimage::JImage;
use bytecode::probe_map::{BranchKind, Evidence, MethodProbes, ProbeMap, SkipReason};

fn analysis_of(bytes: &[u8]) -> ClassAnalysis {
    analyze(&ClassFile::parse(bytes).unwrap(), AnalysisOptions::default(), &mut ProbeIds::default()).unwrap()
}

/// Compares goals with the comments `//~ branches` of a fixture.
fn check_goals(name: &str, text: &str, options: &[&str]) {
    let compiled = fixture::compile_with(&format!("//- /coverage/{name}.java\n{text}"), options);
    let mut found: BTreeMap<u32, usize> = BTreeMap::new();
    for class in compiled.classes() {
        let analysis = analysis_of(&compiled.bytes(class.as_str()));
        for method in analysis.map.methods.iter().filter(|method| method.is_goal) {
            for line in &method.lines {
                found.entry(line.number).or_default();
            }
            for branch in &method.branches {
                let goals = branch.outcomes.iter().filter(|outcome| outcome.is_goal).count();
                if goals > 0 {
                    *found.entry(branch.line.unwrap()).or_default() += goals;
                }
            }
        }
    }
    let marks = text.lines().zip(1..).filter_map(|(line, number)| {
        let (_, mark) = line.split_once("//~ ")?;
        Some((number, mark.trim().parse().unwrap()))
    });
    assert_eq!(found, marks.collect::<BTreeMap<u32, usize>>(), "{name}");
}

#[test]
fn goals_are_what_jacoco_counts() {
    let release_8 = ["-g", "-parameters", "--release", "8"];
    check_goals("Branches", include_str!("../../../../fixtures/coverage/Branches.java"), &release_8);
    check_goals("CompilerMade", include_str!("../../../../fixtures/coverage/CompilerMade.java"), &release_8);
    let modern = include_str!("../../../../fixtures/coverage/Modern.java");
    check_goals("Modern", modern, &["-g", "--release", "17"]);
    // Without debug information there are branches but no lines.
    check_goals("Plain", "class Plain { }", &["-g:none", "--release", "8"]);
    if fixture::java_version(&fixture::java_home()) >= 21 {
        let patterns = include_str!("../../../../fixtures/coverage/Patterns.java");
        check_goals("Patterns", patterns, &["-g", "--release", "21"]);
    }
}

fn method<'m>(analysis: &'m ClassAnalysis, name: &str) -> &'m MethodProbes {
    analysis.map.methods.iter().find(|method| &*method.name == name).unwrap()
}

/// Prints the branches of a method: kind, what controls it, and for each outcome its keys, whether it is a goal (`*`)
/// and its evidence. Outcomes are named `branch.outcome`, branches in code order; probes are `entry`, `branch n` and
/// `block n`.
fn print(analysis: &ClassAnalysis, name: &str) -> String {
    let index = analysis.map.methods.iter().position(|method| &*method.name == name).unwrap();
    let (method, placements) = (&analysis.map.methods[index], &analysis.placements[index]);
    let outcome_name = |id| {
        let branch = method.branches.iter().enumerate();
        let named = branch.flat_map(|(b, it)| it.outcomes.iter().zip(0..).map(move |(o, n)| (o.id, b, n)));
        named.into_iter().find(|it| it.0 == id).map_or("?".to_owned(), |(_, b, n)| format!("{b}.{n}"))
    };
    let evidence = |evidence: &Evidence| match evidence {
        Evidence::Taken(id) => outcome_name(*id),
        Evidence::Hit(probe) if *probe == method.entry => "entry".to_owned(),
        Evidence::Hit(probe) => {
            let branch = method.branches.iter().position(|branch| branch.probe == *probe);
            let block = placements.blocks.iter().position(|block| block.probe == *probe);
            branch.map(|n| format!("branch {n}")).or(block.map(|n| format!("block {n}"))).unwrap()
        }
    };
    let list = |items: Vec<String>| items.join(" ");
    let outcomes = |ids: &[_]| list(ids.iter().map(|&id| outcome_name(id)).collect());
    let covered_by = |all: &[Evidence]| all.iter().map(evidence).collect::<Vec<_>>().join(", ");
    let mut text = String::new();
    for (number, branch) in method.branches.iter().enumerate() {
        let _ = write!(text, "{number} {:?} [{}]", branch.kind, outcomes(&branch.controlled_by));
        for outcome in &branch.outcomes {
            let keys = list(outcome.keys.iter().map(i32::to_string).collect());
            let mark = if outcome.is_goal { "*" } else { "" };
            let _ = write!(text, " ({keys}{mark} {})", covered_by(&outcome.covered_by));
        }
        text.push('\n');
    }
    for line in &method.lines {
        let controls = outcomes(&line.controlled_by);
        let _ = writeln!(text, "line {} [{controls}] {}", line.number, covered_by(&line.covered_by));
    }
    text
}

fn check_method(body: &str, expect: &str) {
    let source = format!("//- /A.java\nclass A {{\n{body}\n}}\nclass B {{ int x; }}\n");
    let compiled = fixture::compile(&source);
    let printed = print(&analysis_of(&compiled.bytes("A")), "f");
    assert_eq!(printed.trim(), expect.trim().replace("\n        ", "\n"), "{body}\n{printed}");
}

#[test]
fn nested_branches_depend_on_the_outcome_around_them() {
    check_method(
        "int f(int a, int b) {
            if (a > 0) {
                if (b > 0) { return 1; }
                a = 2;
            }
            return a;
        }",
        "
        0 Integer [] (* 0.0) (* 0.1)
        1 Integer [0.1] (* 1.0) (* 1.1)
        line 3 [] branch 0
        line 4 [0.1 1.1] branch 1, 1.1
        line 5 [1.0] 1.0
        line 7 [0.0 1.0] block 0",
    );
}

#[test]
fn a_loop_does_not_depend_on_itself() {
    check_method(
        "int f(int a, int b) {
            while (a > 0 && b > 0) {
                if (a == b) { b--; }
                a--;
            }
            return a;
        }",
        "
        0 Integer [] (* 0.0) (* 0.1)
        1 Integer [0.1] (* 1.0) (* 1.1)
        2 Integer [1.1] (* 2.0) (* 2.1)
        line 3 [] branch 0, branch 1
        line 4 [1.1 2.1] branch 2, 2.1
        line 5 [1.1] block 0
        line 7 [] block 1",
    );
}

#[test]
fn the_body_of_a_do_loop_is_a_root() {
    check_method(
        "int f(int a, int b) {
            do {
                if (b > 0) { a--; }
            } while (a > 0);
            return a;
        }",
        "
        0 Integer [] (* 0.0) (* 0.1)
        1 Integer [] (* 1.0) (* 1.1)
        line 4 [] branch 0, 0.1
        line 5 [] branch 1
        line 6 [] 1.1",
    );
}

#[test]
fn an_endless_loop_has_control_dependence() {
    check_method(
        "void f(int a) {
            while (true) {
                if (a > 0) { a = 1; }
                else { a = 2; }
            }
        }",
        "
        0 Integer [] (* 0.0) (* 0.1)
        line 4 [] branch 0, 0.1
        line 5 [0.0] 0.0",
    );
}

#[test]
fn a_handler_depends_on_what_its_try_block_depends_on() {
    check_method(
        "int f(int[] a, int b) {
            if (b > 0) {
                try {
                    b = a[0];
                } catch (NullPointerException e) {
                    if (b > 5) { return 2; }
                    b = 3;
                }
            }
            return b;
        }",
        "
        0 Integer [] (* 0.0) (* 0.1)
        1 Integer [0.1] (* 1.0) (* 1.1)
        line 3 [] branch 0
        line 5 [0.1] block 0
        line 6 [0.1] branch 1
        line 7 [0.1 1.1] branch 1, 1.1
        line 8 [1.0] 1.0
        line 9 [0.1] block 0
        line 11 [] block 1",
    );
}

#[test]
fn what_a_call_can_cut_off_needs_a_probe_behind_it() {
    check_method(
        "int f(int a) {
            if (a > 0) {
                f(a - 1);
            }
            return a / 2;
        }",
        "
        0 Integer [] (* 0.0) (* 0.1)
        line 3 [] branch 0
        line 4 [0.1] block 0
        line 6 [] block 1",
    );
}

#[test]
fn a_switch_has_an_outcome_for_each_target() {
    check_method(
        "int f(int a) {
            switch (a) {
                case 3: return 1;
                case 1: case 5: return 2;
                case 2: default: return 3;
            }
        }",
        "
        0 Switch [] (1 5* 0.0) (3* 0.1) (2 4* 0.2)
        line 3 [] branch 0
        line 4 [0.1] 0.1
        line 5 [0.0] 0.0
        line 6 [0.2] 0.2",
    );
}

#[test]
fn a_switch_over_strings_counts_once() {
    check_method(
        "int f(String a) {
            switch (a) {
                case \"x\": return 1;
                default: return 2;
            }
        }",
        "
        0 Switch [] (120 0.0) ( 0.1)
        1 Predicate [0.0] ( 1.0) ( 1.1)
        2 StringSwitch [] (0* 2.0) (* 2.1)
        line 3 [] branch 1, branch 2, 0.1
        line 4 [2.0] 2.0
        line 5 [2.1] 2.1",
    );
}

#[test]
fn branches_know_what_they_decide_on() {
    let check = |condition: &str, expect: BranchKind| {
        let parameters = "String a, Object b, long c, double d, Integer e, char f, boolean g";
        let body = format!("boolean f({parameters}) {{ if ({condition}) return true; return false; }}");
        let compiled = fixture::compile(&format!("//- /A.java\nclass A {{ {body} }}"));
        let analysis = analysis_of(&compiled.bytes("A"));
        assert_eq!(method(&analysis, "f").branches[0].kind, expect, "{condition}");
    };
    check("a.equals(\"x\")", BranchKind::Predicate);
    check("!a.isEmpty()", BranchKind::Predicate);
    check("a.compareTo(\"y\") > 0", BranchKind::Predicate);
    check("e.equals(b)", BranchKind::Predicate);
    check("java.util.Objects.equals(a, b)", BranchKind::Predicate);
    check("b.equals(a)", BranchKind::Predicate);
    check("g ? a.isEmpty() : a.equals(b)", BranchKind::Integer);
    check("a.length() > 3", BranchKind::Integer);
    check("f == 'x'", BranchKind::Integer);
    check("c < 5", BranchKind::Wide);
    check("d < 0.5", BranchKind::Wide);
    check("b == null", BranchKind::Null);
    check("b != a", BranchKind::Reference);
    check("b instanceof String", BranchKind::InstanceOf);
}

#[test]
fn copies_of_a_finally_block_are_one_goal() {
    check_method(
        "int f(int a) {
            try {
                a = 10 / a;
            } finally {
                if (a > 5) a--;
            }
            return a;
        }",
        "
        0 Integer [] (* 0.0, 1.0) (* 0.1, 1.1)
        1 Integer [] ( 1.0) ( 1.1)
        line 4 [] branch 0
        line 6 [] branch 0, branch 1, 0.1, 1.1
        line 8 [] block 0",
    );
}

/// Class files of the run-time image, from packages that start with this path.
fn platform_classes(prefix: &str) -> Vec<Vec<u8>> {
    let file = File::open(fixture::java_home().join("lib/modules")).unwrap();
    let read = |offset: u64, length: usize| {
        let mut bytes = vec![0; length];
        file.read_exact_at(&mut bytes, offset).unwrap();
        bytes
    };
    let size = JImage::index_size(&read(0, JImage::HEADER)).unwrap();
    let image = JImage::parse(read(0, size)).unwrap();
    let wanted = |(module, path): &(&str, String)| {
        *module == "java.base" && path.starts_with(prefix) && path.strip_suffix(".class").is_some()
    };
    let names: Vec<_> = image.resources().filter(wanted).map(|it| format!("/{}/{}", it.0, it.1)).collect();
    let bytes = |name: &String| {
        image.resource(name, &|range| Some(read(range.start, (range.end - range.start) as usize))).unwrap()
    };
    names.iter().map(bytes).collect()
}

/// What holds for every probe map.
fn check_invariants(map: &ProbeMap, before: ProbeIds, after: ProbeIds) {
    let mut probes = BTreeSet::new();
    let mut outcomes = BTreeSet::new();
    for method in &map.methods {
        let own: BTreeSet<_> = method.branches.iter().flat_map(|it| &it.outcomes).map(|it| it.id).collect();
        probes.insert(method.entry);
        probes.extend(method.branches.iter().map(|branch| branch.probe));
        let evidence = method.branches.iter().flat_map(|it| &it.outcomes).flat_map(|it| &it.covered_by);
        for evidence in evidence.chain(method.lines.iter().flat_map(|line| &line.covered_by)) {
            match evidence {
                Evidence::Taken(id) => assert!(own.contains(id)),
                Evidence::Hit(probe) => assert!((before.probes..after.probes).contains(&probe.0)),
            }
        }
        for branch in &method.branches {
            assert!(branch.outcomes.len() > 1 || branch.kind == BranchKind::Switch);
            assert!(branch.outcomes.windows(2).all(|pair| pair[0].id.0 + 1 == pair[1].id.0));
            let ids: BTreeSet<_> = branch.outcomes.iter().map(|it| it.id).collect();
            assert!(branch.controlled_by.iter().all(|id| own.contains(id) && !ids.contains(id)));
        }
        assert!(method.lines.windows(2).all(|pair| pair[0].number < pair[1].number));
        assert!(method.lines.iter().all(|line| method.is_goal && !line.covered_by.is_empty()));
        let controls = method.calls.iter().map(|it| &it.controlled_by);
        let mut controls = controls.chain(method.lines.iter().map(|it| &it.controlled_by)).flatten();
        assert!(controls.all(|id| own.contains(id)));
        outcomes.extend(own);
    }
    assert_eq!(outcomes.len() as u32, after.outcomes - before.outcomes);
    assert!(probes.iter().all(|probe| (before.probes..after.probes).contains(&probe.0)));
}

#[test]
fn every_class_of_the_platform_can_be_analyzed() {
    let mut ids = ProbeIds::default();
    let mut methods = 0;
    for bytes in platform_classes("java/") {
        let class = ClassFile::parse(&bytes).unwrap();
        let before = ids;
        let analysis = analyze(&class, AnalysisOptions::default(), &mut ids).unwrap();
        assert_eq!(analysis.map.skipped, [], "{}", analysis.map.class);
        check_invariants(&analysis.map, before, ids);
        assert_eq!(analyze(&class, AnalysisOptions::default(), &mut before.clone()).unwrap(), analysis);
        let blocks = analysis.placements.iter().map(|it| it.blocks.len()).sum::<usize>();
        let branches = analysis.map.methods.iter().map(|it| it.branches.len()).sum::<usize>();
        let expect = before.probes as usize + analysis.map.methods.len() + branches + blocks;
        assert_eq!(ids.probes as usize, expect, "{}", analysis.map.class);
        constants(&class);
        referenced_types(&class);
        methods += analysis.map.methods.len();
    }
    assert!(methods > 20_000, "{methods}");
}

#[test]
fn a_broken_class_is_an_error_or_skips_methods_but_never_panics() {
    let source = include_str!("../../../../fixtures/coverage/Branches.java");
    let bytes =
        fixture::compile(&format!("//- /coverage/Branches.java\n{source}")).bytes("coverage/Branches");
    for position in 0..bytes.len() {
        for value in [0, 0x7F, 0xFF] {
            let mut broken = bytes.clone();
            broken[position] = value;
            if let Ok(class) = ClassFile::parse(&broken) {
                // Whatever it says, it must say it.
                let _ = analyze(&class, AnalysisOptions::default(), &mut ProbeIds::default());
                constants(&class);
                referenced_types(&class);
            }
        }
    }
}

#[test]
fn loops_and_handlers_are_placed() {
    let body = "void f(int a) { for (int i = 0; i < a; i++) { try { g(); } catch (Error e) { continue; } } }
        void g() { while (true) { try { g(); } catch (Error e) { } } }
        void h(int a) { do { a--; } while (a > 0); }";
    let bytes = fixture::compile(&format!("//- /A.java\nclass A {{ {body} }}")).bytes("A");
    let analysis = analysis_of(&bytes);
    let check = |name: &str, loops: usize, handlers: usize| {
        let index = analysis.map.methods.iter().position(|method| &*method.name == name).unwrap();
        let placements = &analysis.placements[index];
        assert_eq!((placements.back_edges.len(), placements.handlers.len()), (loops, handlers), "{name}");
    };
    check("f", 1, 1);
    check("g", 2, 1);
    check("h", 1, 0);
    check("<init>", 0, 0);
}

#[test]
fn calls_within_the_nest_and_fields_are_listed() {
    let compiled = fixture::compile(
        "//- /p/A.java
        package p;
        class A {
            int x; static int y;
            void f(int a) {
                if (a > 0) { g(); new B().h(); }
                Runnable r = () -> g();
                Runnable s = this::g;
                x = y; x = y + x;
                System.out.println();
                AB.i();
            }
            void g() { }
            static class B { void h() { } }
        }
        class AB { static void i() { } }",
    );
    let analysis = analysis_of(&compiled.bytes("p/A"));
    let method = method(&analysis, "f");
    let calls: Vec<_> = method
        .calls
        .iter()
        .map(|call| format!("{}.{} {}", call.owner, call.name, call.controlled_by.len()))
        .collect();
    assert_eq!(calls, ["p/A.g 1", "p/A$B.<init> 1", "p/A$B.h 1", "p/A.lambda$f$0 0", "p/A.g 0"]);
    let fields: Vec<_> = method
        .fields
        .iter()
        .map(|field| format!("{}.{}{}", field.owner, field.name, if field.written { "!" } else { "" }))
        .collect();
    assert_eq!(fields, ["p/A.y", "p/A.x!", "p/A.x", "java/lang/System.out"]);
}

#[test]
fn constants_and_types_of_compiled_code_are_found() {
    let body = "static final long BIG = 1L << 40;
        static final char LETTER = 'x';
        String f(Object a, String s) {
            switch (s) { case \"one\": return \"first\"; default: }
            Kind kind = Kind.PLAIN;
            if (s.equals(Kind.ROUND.name())) { return kind.name(); }
            try { return \"a=\" + a + \"!\"; } catch (IllegalStateException e) { return ((Integer) a) + 0.5 + \"\"; }
        }";
    let options = ["-g", "--release", "11"];
    let source = format!("//- /A.java\nclass A {{ {body} }} enum Kind {{ PLAIN, ROUND }}");
    let compiled = fixture::compile_with(&source, &options);
    let bytes = compiled.bytes("A");
    let class = ClassFile::parse(&bytes).unwrap();
    let text = |text: &str| ConstantValue::String(text.encode_utf16().collect());
    let expect = [
        ConstantValue::Int(-1),
        ConstantValue::Int(0),
        ConstantValue::Int(120),
        ConstantValue::Long(1 << 40),
        ConstantValue::Double(0.5),
        text("!"),
        text("ROUND"),
        text("a="),
        text("first"),
        text("one"),
    ];
    assert_eq!(constants(&class), expect);
    let types = referenced_types(&class).iter().map(ErasedType::descriptor).collect::<Vec<_>>();
    assert_eq!(types, ["Ljava/lang/IllegalStateException;", "Ljava/lang/Integer;"]);
}

#[test]
fn methods_with_subroutines_are_skipped() {
    // `jsr` to the next instruction, in place of `nop`s that the JVM would accept.
    let bytes =
        fixture::compile("//- /A.java\nclass A { int f(int a) { return a * 7 + a * 9; } }").bytes("A");
    let code = [0x1B, 0x10, 7, 0x68, 0x1B];
    let start = bytes.windows(code.len()).position(|window| window == code).unwrap();
    let mut changed = bytes;
    changed[start..start + 3].copy_from_slice(&[0xA8, 0, 3]);
    let analysis = analysis_of(&changed);
    assert_eq!(analysis.map.skipped.len(), 1);
    assert_eq!(&*analysis.map.skipped[0].method, "f(I)I");
    assert_eq!(analysis.map.skipped[0].reason, SkipReason::Subroutine);
    assert_eq!(analysis.map.methods.len(), 1);
}
