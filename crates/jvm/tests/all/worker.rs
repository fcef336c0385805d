//! A worker process as its parent starts it.

#![expect(clippy::disallowed_methods, reason = "a test hands its child a place through the environment")]

use std::fs::OpenOptions;
use std::os::fd::{AsFd as _, AsRawFd as _};

use crate::common::{Cluster, PASSED, Worker, call, in_own_process, int, is_child, observed_int};
use jvm::shared::{SlotContent, SlotReader, SlotWriter};
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
fn the_parent_sees_the_test_that_ended_its_worker_and_nothing_that_tests_print() {
    const NAME: &str = "worker::the_parent_sees_the_test_that_ended_its_worker_and_nothing_that_tests_print";
    const SLOT: &str = "COVOLVE_TEST_SLOT";
    let mut cluster = Cluster::default();
    let echo = cluster.static_method("p/Talk", "echo", "(I)I");
    let listen = cluster.static_method("p/Talk", "listen", "()I");
    let exit = cluster.static_method("p/Talk", "exit", "()V");
    if is_child(NAME) {
        in_own_process(NAME, || {
            let path = std::env::var_os(SLOT).expect("started by a parent");
            let slot = OpenOptions::new().read(true).write(true).open(path).expect("the parent's slot");
            let slot = SlotWriter::open(slot.as_fd()).expect("a slot");
            processes::streams::silence().expect("the null device");
            let compiled = fixture::compile(SOURCES);
            let mut worker = Worker::start_confined(&compiled, &["p/Talk"], cluster);
            worker.executor.set_slot(slot);
            assert_eq!(worker.value(&[int(76_543), call(echo, &[0])]), observed_int(76_543));
            assert_eq!(worker.value(&[call(listen, &[])]), observed_int(-1));
            assert_eq!(worker.run(&[call(exit, &[])]), Outcome::Exited);
        });
    }
    // Compiled here, where programs may be started.
    let _ = fixture::compile(SOURCES);
    let slot = SlotReader::create().expect("shared memory");
    let path = format!("/proc/{}/fd/{}", std::process::id(), slot.file().as_raw_fd());
    let output = crate::common::child(NAME, &[(SLOT, &path)]);
    assert_eq!(
        output.status.code(),
        Some(jvm::watchdog::Exit::Halted as i32),
        "{}",
        crate::common::text(&output)
    );
    assert!(!crate::common::text(&output).contains("76543"), "{}", crate::common::text(&output));
    assert_eq!(slot.read(), SlotContent::Test { test: TestCase::new(vec![call(exit, &[])]), position: 0 });
}

#[test]
fn options_in_the_environment_do_not_reach_the_jvm() {
    const NAME: &str = "worker::options_in_the_environment_do_not_reach_the_jvm";
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
    let output = crate::common::child(NAME, &[("JAVA_TOOL_OPTIONS", options), ("_JAVA_OPTIONS", options)]);
    assert_eq!(output.status.code(), Some(PASSED), "{}", crate::common::text(&output));
}

#[test]
fn the_jvm_finds_no_fault_with_our_calls() {
    const NAME: &str = "worker::the_jvm_finds_no_fault_with_our_calls";
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
    let output = crate::common::child(NAME, &[]);
    let said = crate::common::text(&output);
    assert_eq!(output.status.code(), Some(PASSED), "{said}");
    assert!(!said.contains("WARNING") && !said.contains("FATAL"), "{said}");
}

#[test]
fn a_process_has_one_jvm() {
    in_own_process("worker::a_process_has_one_jvm", || {
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
