//! Classes of signed jars and of sealed packages, into whose packages class loaders let no other class.

#![expect(clippy::disallowed_methods, reason = "tests read files and start commands")]

use crate::support;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use cli::json::ClassReport;

const GATE: &str = "
//- /p/Gate.java
package p;

public class Gate {
    private boolean open;

    public boolean isOpen() { return open; }
    public Gate push(int strength) {
        if (strength > 10) { open = true; }
        return this;
    }
    static int hidden(int x) { return x > 0 ? 1 : 2; }
}
";

/// Runs a tool of the JDK in a folder.
fn tool(name: &str, folder: &Path, words: &str) {
    let mut command = Command::new(fixture::java_home().join("bin").join(name));
    let output = command.args(words.split(' ')).current_dir(folder).output().expect("the tool starts");
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stdout));
}

/// Makes tests for the class of a jar.
fn generate(jar: &Path, out: &Path, cache: &Path) -> Output {
    let words = "generate --json --class p.Gate --budget 500executions --criterion branch";
    let mut command = Command::new(support::covolve());
    command.args(words.split(' ')).arg("--out").arg(out).arg("--cp").arg(jar).env("COVOLVE_CACHE", cache);
    command.output().expect("the command starts")
}

/// The file is in a package below that of the class, and uses what is public.
fn check_beside(out: &Path) {
    let text = fs::read_to_string(out.join("p/covolve/GateCovolveTest.java")).expect("a file");
    assert!(text.contains("package p.covolve;") && text.contains("import p.Gate;"), "{text}");
    assert!(text.contains(".push(") && !text.contains("hidden("), "{text}");
}

#[test]
fn a_class_of_a_sealed_package_is_tested_from_a_package_beside_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let classes = fixture::compile(GATE).folder.display().to_string();
    fs::write(folder.path().join("manifest"), "Name: p/\nSealed: true\n").expect("a file");
    tool("jar", folder.path(), &format!("cfm gate.jar manifest -C {classes} ."));
    let [out, cache] = ["out", "cache"].map(|name| folder.path().join(name));
    let output = generate(&folder.path().join("gate.jar"), &out, &cache);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    check_beside(&out);
}

#[test]
fn a_class_of_a_signed_jar_is_tested_from_a_package_beside_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let classes = fixture::compile(GATE).folder.display().to_string();
    tool("jar", folder.path(), &format!("cf gate.jar -C {classes} ."));
    let store = "-keystore keys -storepass secret -alias one";
    tool("keytool", folder.path(), &format!("-genkeypair -keyalg EC -dname CN=one {store}"));
    tool("jarsigner", folder.path(), "-keystore keys -storepass secret gate.jar one");
    let out = folder.path().join("out");
    let cache = folder.path().join("cache");
    let output = generate(&folder.path().join("gate.jar"), &out, &cache);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("gate.jar without its signatures"), "{said}");
    let report: ClassReport = serde_json::from_slice(&output.stdout).expect("a report");
    check_beside(&out);
    let (goals, covered) = report.goals();
    assert!(covered > 0 && covered < goals, "what is not public stays out of reach: {report:?}");
    let copies: Vec<_> = fs::read_dir(cache.join("unsigned")).expect("a folder").flatten().collect();
    let [copy] = &copies[..] else { panic!("{copies:?}") };
    let listed = Command::new(fixture::java_home().join("bin/jar")).arg("tf").arg(copy.path()).output();
    let listed = String::from_utf8(listed.expect("the tool starts").stdout).expect("text");
    assert!(listed.contains("p/Gate.class") && !listed.contains(".SF"), "{listed}");
}
