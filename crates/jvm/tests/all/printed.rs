//! What tests print, run by run.

use crate::common::{Cluster, Worker, call, in_own_process, observed_string};
use testcase::assertion::{ObservationPoint, ObservationTarget, StandardStream};
use testcase::execution::Executor;
use testcase::statement::VarRef;
use testcase::test_case::TestCase;

const SPEAKER: &str = r#"
//- /p/Speaker.java
package p;

import java.io.PrintStream;

public class Speaker {
    private static final PrintStream EARLY = System.out;
    private static final PrintStream BEFORE = System.err;

    public static void say() { System.out.println("Hello"); System.err.print('x'); }
    public static void none() { EARLY.println("early"); }
    public static void empty() { System.out.print(""); }
    public static void large() { for (int i = 0; i < 4097; i++) { System.out.print('a'); } }
    public static void most() { for (int i = 0; i < 4096; i++) { System.out.print('a'); } }
    public static void wide() { System.out.print("\u00e9"); }
    public static void control() { System.out.print("\r"); }
    public static void bytes() throws Exception { System.out.write(65); System.out.write(new byte[] {66, 10}); }
    public static void closed() { System.out.close(); }
    public static void fails() { System.out.print("so"); throw new IllegalStateException(); }
    public static boolean same() { return System.out == EARLY && System.err == BEFORE; }
}
"#;

#[test]
fn what_is_printed_is_seen_of_each_run_alone() {
    in_own_process("printed::what_is_printed_is_seen_of_each_run_alone", || {
        let compiled = fixture::compile(SPEAKER);
        let most = "a".repeat(4096);
        let rows = [
            ("say", Some("Hello\n"), Some("x")),
            ("none", None, None),
            ("empty", None, None),
            ("large", None, None),
            ("most", Some(&*most), None),
            ("wide", None, None),
            ("control", None, None),
            ("bytes", Some("AB\n"), None),
            ("closed", None, None),
            ("fails", Some("so"), None),
            ("say", Some("Hello\n"), Some("x")),
        ];
        let mut cluster = Cluster::default();
        let methods: Vec<_> =
            rows.iter().map(|(name, ..)| cluster.static_method("p/Speaker", name, "()V")).collect();
        let same = cluster.static_method("p/Speaker", "same", "()Z");
        let mut worker = Worker::start(&compiled, &["p/Speaker"], cluster);
        for ((name, out, err), method) in rows.into_iter().zip(methods) {
            let point =
                |stream| ObservationPoint { after: VarRef(0), target: ObservationTarget::Printed(stream) };
            let points = StandardStream::ALL.map(point);
            let test = TestCase::new(vec![call(method, &[])]);
            let observed = worker.executor.observe(&test, &points);
            let expect = [out, err].map(|text| text.and_then(observed_string));
            assert_eq!(observed.values, expect, "{name}");
            // The streams are as they were.
            let is_same = worker.value(&[call(same, &[])]);
            assert_eq!(format!("{is_same:?}"), "Some(Primitive(Boolean(true)))", "{name}");
        }
    });
}
