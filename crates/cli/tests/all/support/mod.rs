//! What the tests of this crate share: the command, the machine's JDK and JUnit, and suites written as text.

#![allow(clippy::disallowed_methods, reason = "tests read and write files")]
#![allow(missing_docs, reason = "names say it")]

pub(crate) mod folder;
#[allow(dead_code, unreachable_pub, reason = "shared with the tests of `verify`")]
#[path = "../../../../verify/tests/all/support/machine.rs"]
mod machine;
#[allow(dead_code, unreachable_pub, reason = "likewise")]
#[path = "../../../../verify/tests/all/support/written.rs"]
pub(crate) mod written;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use cli::json::ClassReport;
use fixture::Compiled;

pub(crate) use machine::{environment, jdk, junit, junit_with_parameters, mockito};

/// A class that kills its JVM wherever it is called with a longer word, in a way that nothing in the JVM can hold up.
pub(crate) const CRASH: &str = r#"
//- /q/Crash.java
package q;

import java.lang.reflect.Field;

public class Crash {
    public static int harmless(int x) { return x > 100 ? 1 : x == -55 ? 2 : 0; }
    public static void crash(String word) throws Exception {
        Class<?> unsafe = Class.forName("sun.misc.Unsafe");
        Field field = unsafe.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        Object memory = field.get(null);
        unsafe.getMethod("putAddress", long.class, long.class).invoke(memory, (long) word.length(), 0L);
    }
}
"#;

/// The command under test.
pub(crate) fn covolve() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_covolve"))
}

/// Generates tests for classes, with these further words; gives the report and the delivered file.
pub(crate) fn generated(compiled: &Compiled, words: &[&str]) -> (ClassReport, String) {
    let out = tempfile::tempdir().expect("a folder");
    let output = Command::new(covolve())
        .args(["generate", "--json", "--cp"])
        .arg(&compiled.folder)
        .arg("--out")
        .arg(out.path())
        .args(words)
        .env("COVOLVE_CACHE", environment().cache.expect("a folder"))
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr);
    let report: ClassReport =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{words:?}: {error}: {said}"));
    let file = fs::read_to_string(report.file.as_ref().expect("a file")).expect("it was written");
    (report, file)
}
