//! A worker process as its parent starts it.

mod common;

use std::io::{Read as _, Write as _};
use std::process::Command;

use common::{Cluster, PASSED, Worker, call, in_own_process, int, is_child, observed_int};
use jvm::shared::SlotContent;
use jvm::worker_process::{inherited, prepare};
use testcase::execution::Outcome;
use testcase::test_case::TestCase;

const SOURCES: &str = r#"
//- /p/Talk.java
package p;

public class Talk {
    public static int echo(int value) {
        System.out.println(value);
        System.err.println(value);
        return value;
    }
    public static int listen() throws Exception { return System.in.read(); }
    public static void exit() throws Exception { System.class.getMethod("exit", int.class).invoke(null, 3); }
}
"#;

#[test]
fn parent_and_worker_talk_beside_the_code_under_test() {
    const NAME: &str = "parent_and_worker_talk_beside_the_code_under_test";
    let mut cluster = Cluster::default();
    let echo = cluster.static_method("p/Talk", "echo", "(I)I");
    let listen = cluster.static_method("p/Talk", "listen", "()I");
    let exit = cluster.static_method("p/Talk", "exit", "()V");
    if is_child(NAME) {
        in_own_process(NAME, || {
            let mut ends = inherited().expect("started by a parent");
            let mut request = [0; 5];
            ends.requests.read_exact(&mut request).expect("the parent asks");
            let compiled = fixture::compile(SOURCES);
            let mut worker = Worker::start_confined(&compiled, &["p/Talk"], cluster);
            worker.executor.set_slot(ends.slot);
            assert_eq!(worker.value(&[int(7), call(echo, &[0])]), observed_int(7));
            assert_eq!(worker.value(&[call(listen, &[])]), observed_int(-1));
            ends.events.write_all(&request).expect("the parent listens");
            assert_eq!(worker.run(&[call(exit, &[])]), Outcome::Exited);
        });
    }
    // Compiled here, where programs may be started.
    let _ = fixture::compile(SOURCES);
    let mut command = Command::new(std::env::current_exe().expect("a test knows its own path"));
    command.args([NAME, "--exact", "--nocapture", "--test-threads=1"]).env("COVOLVE_TEST_PROCESS", NAME);
    let ends = prepare(&mut command).expect("pipes");
    let mut process = command.spawn().expect("the worker starts");
    let (mut requests, mut events, slot) = ends.close_worker_ends();
    requests.write_all(b"hello").expect("the worker listens");
    let mut answer = Vec::new();
    // Until the worker ends.
    events.read_to_end(&mut answer).expect("the worker answers");
    assert_eq!(answer, b"hello");
    let status = process.wait().expect("the worker ends");
    assert_eq!(status.code(), Some(jvm::watchdog::Exit::Halted as i32));
    assert_eq!(slot.read(), SlotContent::Test(TestCase::new(vec![call(exit, &[])])));
}

#[test]
fn options_in_the_environment_do_not_reach_the_jvm() {
    const NAME: &str = "options_in_the_environment_do_not_reach_the_jvm";
    if is_child(NAME) {
        in_own_process(NAME, || {
            let mut cluster = Cluster::default();
            let echo = cluster.static_method("p/Talk", "echo", "(I)I");
            let mut worker = Worker::start(&fixture::compile(SOURCES), &["p/Talk"], cluster);
            assert_eq!(worker.value(&[int(7), call(echo, &[0])]), observed_int(7));
        });
    }
    let _ = fixture::compile(SOURCES);
    let options = "-Xmx1k -XX:NoSuchOption";
    let output = common::child(NAME, &[("JAVA_TOOL_OPTIONS", options), ("_JAVA_OPTIONS", options)]);
    assert_eq!(output.status.code(), Some(PASSED), "{}", common::text(&output));
}

#[test]
fn the_jvm_finds_no_fault_with_our_calls() {
    const NAME: &str = "the_jvm_finds_no_fault_with_our_calls";
    if is_child(NAME) {
        in_own_process(NAME, || {
            let mut cluster = Cluster::default();
            let echo = cluster.static_method("p/Talk", "echo", "(I)I");
            let compiled = fixture::compile(SOURCES);
            let mut worker = Worker::start_with(&compiled, &["p/Talk"], cluster, |options| {
                options.check_jni = true;
                options.check_references = true;
            });
            for _ in 0..3 {
                assert_eq!(worker.value(&[int(7), call(echo, &[0])]), observed_int(7));
                assert_eq!(worker.run(&[int(7), call(echo, &[0])]), Outcome::Passed);
            }
        });
    }
    let output = common::child(NAME, &[]);
    let said = common::text(&output);
    assert_eq!(output.status.code(), Some(PASSED), "{said}");
    assert!(!said.contains("WARNING") && !said.contains("FATAL"), "{said}");
}

#[test]
fn a_process_has_one_jvm() {
    in_own_process("a_process_has_one_jvm", || {
        let compiled = fixture::compile(SOURCES);
        let worker = Worker::start(&compiled, &[], Cluster::default());
        let home = jvm::home::JavaHome::find(&fixture::java_home()).expect("a JDK");
        let options =
            jvm::options::JvmOptions::new(home, vec![compiled.folder], worker.scratch.path().to_owned());
        let layout = bytecode::probe_layout::ProbeLayout::default();
        let statics = bytecode::instrument::StaticFields::new();
        let cluster = std::sync::Arc::new(Cluster::default().cluster);
        let second = jvm::executor::JvmExecutor::start(&options, cluster, Vec::new(), layout, statics);
        assert!(matches!(second, Err(jvm::error::JvmError::SecondJvm)));
    });
}
