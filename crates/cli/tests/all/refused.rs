//! Classes that the JVM refuses: with our probes in them, and as they were compiled.

#![expect(clippy::disallowed_methods, reason = "tests read and write files and start the command")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::support::covolve;
use cli::json::ClassReport;

/// A compiled class with other bytes in place of some of its own.
fn changed(source: &str, class: &str, change: impl FnOnce(&mut Vec<u8>)) -> tempfile::TempDir {
    let compiled = fixture::compile_with(source, &["-g:none", "--release", "8"]);
    let folder = tempfile::tempdir().expect("a folder");
    for name in compiled.classes() {
        write(&folder.path().join(format!("{name}.class")), &compiled.bytes(name.as_str()));
    }
    let mut bytes = compiled.bytes(class);
    change(&mut bytes);
    write(&folder.path().join(format!("{class}.class")), &bytes);
    folder
}

fn write(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
    fs::write(path, bytes).expect("it can be written");
}

/// Where the code of a method is in a class file: before and behind the bytes that may be any, it reads so.
fn find(bytes: &[u8], code: &[Option<u8>]) -> usize {
    let reads_so = |window: &&[u8]| {
        window.iter().zip(code).all(|(byte, expect)| expect.is_none_or(|expect| expect == *byte))
    };
    let mut found = bytes.windows(code.len()).enumerate().filter(|(_, window)| reads_so(window));
    let (at, _) = found.next().expect("the code is there");
    assert!(found.next().is_none(), "it is there once");
    at
}

fn generate(class: &str, folder: &Path, out: &Path) -> Output {
    let mut command = Command::new(covolve());
    command
        .args(["generate", "--json", "--class", class, "--budget", "500executions", "--out"])
        .arg(out)
        .arg("--cp")
        .arg(folder)
        .env("COVOLVE_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("covolve-cache"));
    command.output().expect("the command starts")
}

const FRESH: &str = "
//- /p/Fresh.java
package p;
public class Fresh {
    public static int fresh(int number) { Object unused = new Object(); return number > 3 ? 1 : 0; }
    public static int other(int number) { return number > 7 ? 1 : 0; }
}
";

#[test]
fn a_class_that_is_refused_with_probes_is_tested_with_less_of_them() {
    const BEFORE_FRAMES: u8 = 49;
    let folder = changed(FRESH, "p/Fresh", |bytes| {
        // new, dup, invokespecial, astore_1
        let code = [Some(0xBB), None, None, Some(0x59), Some(0xB7), None, None, Some(0x4C)];
        let at = find(bytes, &code);
        // new, ifnonnull to what follows, nop, nop: what has no constructor yet may be compared with null, and nothing
        // else may be done with it, such as measuring how far it is from null.
        bytes[at + 3..at + 8].copy_from_slice(&[0xC7, 0, 3, 0, 0]);
        bytes[7] = BEFORE_FRAMES;
    });
    let out = tempfile::tempdir().expect("a folder");
    let output = generate("p.Fresh", folder.path(), out.path());
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{told}");
    let text = String::from_utf8(output.stdout).expect("JSON is text");
    let report: ClassReport = serde_json::from_str(text.trim()).expect(&text);
    let expected = "p.Fresh.fresh(I)I cannot be instrumented: the JVM refuses its code with probes";
    assert!(report.diagnostics.iter().any(|said| said == expected), "{:#?}", report.diagnostics);
    assert!(!report.diagnostics.iter().any(|said| said.contains("cannot be initialized")));
    let file = report.file.expect("a file");
    let tests = fs::read_to_string(&file).expect("it can be read");
    assert!(tests.contains("Fresh.other("), "{tests}");
    let branches = report.criteria.iter().find(|criterion| criterion.name == "branch").expect("branches");
    assert_eq!((branches.goals, branches.covered), (3, 3), "the other method and the constructor");
}

const WRONG: &str = "
//- /p/Wrong.java
package p;
public class Wrong {
    public static int wrong(Object object, int number) { return number; }
}
";

#[test]
fn of_a_class_that_is_refused_as_it_was_compiled_that_is_said() {
    let folder = changed(WRONG, "p/Wrong", |bytes| {
        // iload_1, ireturn
        let at = find(bytes, &[Some(0x1B), Some(0xAC)]);
        bytes[at] = 0x2A; // aload_0
    });
    let out = tempfile::tempdir().expect("a folder");
    let output = generate("p.Wrong", folder.path(), out.path());
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{told}");
    let sentence = "p.Wrong cannot be tested: the JVM refuses it as it was compiled (java.lang.VerifyError: ";
    assert_eq!(told.lines().filter(|line| line.contains(sentence)).count(), 1, "{told}");
    assert!(!told.contains("fault of Covolve") && !told.contains("probes"), "{told}");
}
