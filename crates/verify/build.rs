//! Compiles the runner of the verification JVM (`java/covolve/runner`) and lists its class files for embedding.

#![expect(clippy::disallowed_methods, reason = "a build script reads and writes files and the environment")]

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=JAVA_HOME");
    println!("cargo::rerun-if-changed=java");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let classes = out.join("runner");
    let _ = fs::remove_dir_all(&classes);
    fs::create_dir_all(&classes).expect("the build folder can be written");
    compile(&sorted(Path::new("java/covolve/runner")), &classes);
    let mut list = String::from("/// Member names and bytes of the runner's classes, sorted.\n");
    list.push_str("const CLASSES: &[(&str, &[u8])] = &[\n");
    for file in sorted(&classes.join("covolve/runner")) {
        let name =
            file.strip_prefix(&classes).expect("it lies there").to_str().expect("javac names it in ASCII");
        let file = file.to_str().expect("the build folder has a name that is text");
        writeln!(list, "    ({name:?}, include_bytes!({file:?})),").expect("a string can be written");
    }
    list.push_str("];\n");
    fs::write(out.join("runner_classes.rs"), list).expect("the build folder can be written");
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry can be read").path()).collect();
    files.sort();
    files
}

fn compile(sources: &[PathBuf], classes: &Path) {
    let javac = env::var_os("JAVA_HOME")
        .map(|home| Path::new(&home).join("bin/javac"))
        .filter(|javac| javac.is_file())
        .unwrap_or_else(|| PathBuf::from("javac"));
    let output = Command::new(&javac)
        .args(["--release", "8", "-proc:none", "-Xlint:-options", "-g:source,lines", "-d"])
        .arg(classes)
        .args(sources)
        .output()
        .unwrap_or_else(|error| panic!("building needs a JDK: {} does not start: {error}", javac.display()));
    assert!(output.status.success(), "javac: {}", String::from_utf8_lossy(&output.stderr));
}
