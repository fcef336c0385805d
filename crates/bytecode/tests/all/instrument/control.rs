//! What keeps a run under control: steps, handlers, exits, class initializers, the undo log, threads.

use crate::instrument::driver::{Call, InstrumentedClasses, Run, call};
use bytecode::instrument::StaticFields;
use bytecode::probe_map::SkipReason;

const CONTROL: &str = "
//- /Control.java
class Control {
    static int number = 3; static long wide = -5; static float small = 0.5f; static double big = 2.5; static String text = \"old\"; static boolean flag = true;
    static int loop(int n) { int i = 0; while (i < n) { i++; } return i; }
    static int doLoop(int n) { do { n--; } while (n > 0); return n; }
    static void forever() { while (true) { } }
    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    static int catchesAll() { int caught = 0; while (true) { try { while (true) { caught++; } } catch (Throwable t) { caught = -1; } } }
    static int finallyLoops() { try { forever(); return 1; } finally { while (true) { number = 4; } } }
    static int locked() { synchronized (Control.class) { synchronized (text) { try { forever(); } catch (Throwable t) { return 7; } } } return 8; }
    static void retries() { for (;;) { try { throw new IllegalStateException(); } catch (IllegalStateException e) { } } }
    static String exits(int how) {
        try { if (how == 0) System.exit(3); if (how == 1) Runtime.getRuntime().exit(4); if (how == 2) Runtime.getRuntime().halt(5); }
        catch (Throwable t) { return \"caught\"; }
        return \"went on\";
    }
    static int sizes(int how, int n) {
        switch (how) {
            case 0: return new byte[n].length;
            case 1: return new String[n].length;
            case 2: return new int[2][n].length;
            case 3: return new java.util.ArrayList<String>(n).size();
            case 4: return java.math.BigInteger.ONE.pow(n).intValue();
            case 5: return java.math.BigDecimal.ONE.setScale(n, java.math.RoundingMode.UP).scale();
            case 6: return new java.math.BigDecimal(1).setScale(n).scale();
            default: return new byte[30000].length + new StringBuilder(n).length();
        }
    }
    static void writes() { number = 4; number++; wide = 1; small = 1; big = 1; text = null; flag = false; }
    static void writesSome() { text = \"new\"; text = \"newer\"; }
    static int viaSubclass() { Sub.inherited = 9; Super.inherited = 10; return Super.inherited; }
    static class Super { static int inherited = 8; }
    static class Sub extends Super { }
    static class Lazy { static int[] table; static int sum; static { fill(); } static void fill() { table = new int[50]; for (int i = 0; i < 50; i++) sum += i; } }
    static int lazy() { return Lazy.sum; }
    static class Endless { static int value = compute(); static int compute() { while (true) { } } }
    static int endless() { return Endless.value; }
    static class Failing { static { if (number > 0) throw new IllegalStateException(); } static int value; }
    static int failing() { try { return Failing.value; } catch (ExceptionInInitializerError e) { return -1; } }
    static int thrower(int how) {
        try {
            if (how == 0) throw new IllegalArgumentException();
            if (how == 1) return new int[0][0].length + (Integer) (Object) text;
            if (how == 2) return Integer.parseInt(text);
            if (how == 3) { try { return Integer.parseInt(text); } catch (NumberFormatException e) { throw e; } }
            if (how == 4) { try { return Integer.parseInt(text); } catch (NumberFormatException e) { throw new IllegalStateException(e); } }
            if (how == 5) synchronized (text) { return Integer.parseInt(text); }
        } finally {
            number = 5;
        }
        return 0;
    }
    static int threads() throws Exception {
        int[] result = {0};
        Thread thread = new Thread(() -> { result[0] = loop(10000); number = 17; });
        thread.start();
        thread.join();
        return result[0];
    }
}
";

fn run(calls: &[Call]) -> (InstrumentedClasses, Vec<Run>) {
    let classes = InstrumentedClasses::full(&fixture::compile(CONTROL));
    let runs = classes.run("Control", calls);
    (classes, runs)
}

#[test]
fn steps_are_spent_at_entries_and_back_edges() {
    let spent = |method: &str, arguments: &[&str]| {
        let runs = [run(&[call(method, arguments)]).1, light(&[call(method, arguments)])];
        let spent = |runs: &Vec<Run>| 1_000_000 - runs[0].steps;
        assert_eq!(spent(&runs[0]), spent(&runs[1]), "both sets spend the same");
        spent(&runs[0])
    };
    assert_eq!(spent("loop", &["0"]), 1);
    assert_eq!(spent("loop", &["10"]), 11);
    assert_eq!(spent("doLoop", &["10"]), 11);
    // Calls of fib(10): 2 * fib(11) - 1.
    assert_eq!(spent("fib", &["10"]), 177);
}

fn light(calls: &[Call]) -> Vec<Run> {
    InstrumentedClasses::light(&fixture::compile(CONTROL)).run("Control", calls)
}

#[test]
fn no_code_outlives_its_budget() {
    let endless = ["forever", "catchesAll", "finallyLoops", "locked", "retries"];
    let calls: Vec<Call> = endless.iter().map(|name| call(name, &[]).budget(1000)).collect();
    for runs in [run(&calls).1, light(&calls)] {
        for (name, run) in endless.iter().zip(runs) {
            assert_eq!(run.ending, "threw covolve.runtime.Stop", "{name}");
            assert_eq!((run.steps, &*run.flags), (-1, "true false"), "{name}");
        }
    }
}

#[test]
fn a_budget_is_exact() {
    let (_, runs) = run(&[call("loop", &["10"]).budget(11), call("loop", &["10"]).budget(10)]);
    assert_eq!((&*runs[0].ending, runs[0].steps), ("returned 10", 0));
    assert_eq!(runs[1].ending, "threw covolve.runtime.Stop");
}

#[test]
fn entries_are_counted_but_for_jumps_back_to_the_first_instruction() {
    let (classes, runs) = run(&[call("doLoop", &["10"]), call("fib", &["10"])]);
    let count = |run: &Run, method: &str| run.count(classes.method("Control", method).entry.0);
    assert_eq!(count(&runs[0], "doLoop"), 1);
    assert_eq!((count(&runs[1], "fib"), count(&runs[1], "doLoop")), (177, 0));
}

#[test]
fn a_call_that_would_end_the_jvm_ends_the_run() {
    let calls: Vec<Call> = ["0", "1", "2", "3"].iter().map(|how| call("exits", &[how])).collect();
    for runs in [run(&calls).1, light(&calls)] {
        for run in &runs[..3] {
            assert_eq!((&*run.ending, &*run.flags), ("threw covolve.runtime.Stop", "true true"));
        }
        assert_eq!((&*runs[3].ending, &*runs[3].flags), ("returned went on", "false false"));
    }
}

#[test]
fn work_of_the_jdk_that_grows_with_a_number_is_charged() {
    let memory = ["0", "1", "3", "7"].map(|how| [(how, "1023", 3), (how, "2048", 8), (how, "2000000", 1000)]);
    // Both rows of a matrix, and what holds them.
    let matrices = [("2", "1023", 8), ("2", "2048", 16), ("2", "2000000", 1000)];
    let numbers = ["4", "5", "6"].map(|how| [(how, "0", 0), (how, "500", 500), (how, "2000000000", 1000)]);
    let cases: Vec<(&str, &str, i64)> =
        memory.into_iter().chain(numbers).flatten().chain(matrices).chain([("0", "-1", 0)]).collect();
    let calls: Vec<Call> =
        cases.iter().map(|&(how, number, _)| call("sizes", &[how, number]).budget(1000)).collect();
    for runs in [run(&calls).1, light(&calls)] {
        for (case, run) in cases.iter().zip(runs) {
            // The entry is a step as well.
            assert_eq!(1000 - run.steps, case.2 + 1, "{case:?}");
            assert_eq!(
                run.ending == "threw covolve.runtime.Stop",
                case.2 == 1000,
                "{case:?}: {}",
                run.ending
            );
        }
    }
}

/// The undo log as `name=old value`.
fn saved(statics: &StaticFields, run: &Run) -> Vec<String> {
    let name = |number: u32| {
        let field = statics.get(number).unwrap();
        format!("{}.{}", field.class, field.name)
    };
    run.saved.iter().map(|(number, old)| format!("{}={old}", name(*number))).collect()
}

#[test]
fn the_value_before_the_first_write_of_a_run_is_saved() {
    let (classes, runs) = run(&[call("writes", &[]), call("writesSome", &[]), call("viaSubclass", &[])]);
    let (half, five_halves) = (0.5_f32.to_bits(), 2.5_f64.to_bits());
    assert_eq!(
        saved(&classes.statics, &runs[0]),
        [
            "Control.number=3/null".to_owned(),
            "Control.wide=-5/null".to_owned(),
            format!("Control.small={half}/null"),
            format!("Control.big={five_halves}/null"),
            "Control.text=0/old".to_owned(),
            "Control.flag=1/null".to_owned(),
        ]
    );
    // Nobody restored them between the runs.
    assert_eq!(saved(&classes.statics, &runs[1]), ["Control.text=0/null"]);
    let both = ["Control$Sub.inherited=8/null", "Control$Super.inherited=9/null"];
    assert_eq!(saved(&classes.statics, &runs[2]), both);
}

#[test]
fn class_initializers_have_steps_and_writes_of_their_own() {
    let calls = [
        call("lazy", &[]).budget(5),
        call("lazy", &[]).budget(5),
        call("failing", &[]).budget(100),
        call("endless", &[]).budget(5),
    ];
    let (_, runs) = run(&calls);
    for run in &runs[..2] {
        assert_eq!((&*run.ending, run.steps), ("returned 1225", 4));
        assert!(run.saved.is_empty());
    }
    assert_eq!(runs[2].ending, "returned -1");
    assert_eq!(runs[3].ending, "threw covolve.runtime.Stop");
}

#[test]
fn what_project_code_throws_is_told_from_what_it_throws_on() {
    let calls: Vec<Call> = ["0", "1", "2", "3", "4", "5"].iter().map(|how| call("thrower", &[how])).collect();
    for runs in [run(&calls).1, light(&calls)] {
        let thrown: Vec<&str> = runs.iter().map(|run| &*run.thrown).collect();
        let (argument, state) = ("java.lang.IllegalArgumentException", "java.lang.IllegalStateException");
        assert_eq!(thrown, [argument, "", "", "", state, ""]);
    }
}

#[test]
fn other_threads_do_not_record() {
    let (classes, runs) = run(&[call("threads", &[])]);
    assert_eq!(runs[0].ending, "returned 10000");
    assert_eq!(runs[0].count(classes.method("Control", "loop").entry.0), 0);
    assert!(runs[0].steps > 999_900 && runs[0].saved.is_empty());
}

#[test]
fn a_method_that_cannot_carry_its_probes_is_skipped_and_keeps_the_light_set() {
    let statements = "if (x == 1) y++; ".repeat(5000);
    let source = format!(
        "//- /Control.java\nclass Control {{
            static int small(int x) {{ return x > 3 ? 1 : 2; }}
            static int large(int x) {{ int y = 0; {statements} return y; }}
        }}"
    );
    let classes = InstrumentedClasses::full(&fixture::compile_with(&source, &["-g:none", "--release", "8"]));
    let map = classes.map("Control");
    let skipped: Vec<_> = map.skipped.iter().map(|skipped| (&*skipped.method, skipped.reason)).collect();
    assert_eq!(skipped, [("large(I)I", SkipReason::TooLarge)]);
    assert!(map.methods.iter().all(|method| &*method.name != "large"));
    let runs = classes.run("Control", &[call("large", &["1"]), call("small", &["1"])]);
    assert_eq!((&*runs[0].ending, runs[0].steps, runs[0].hits.len()), ("returned 5000", 999_999, 0));
    assert_eq!(runs[1].distances_of(&classes.method("Control", "small").branches[0]), [0.0, 3.0]);
}
