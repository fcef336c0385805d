//! Compiles `java/covolve/runtime` for Java 8 and embeds the class files, and lets tests, benches and examples of
//! this crate export the agent.

#![expect(
    clippy::disallowed_methods,
    reason = "a build script reads its environment and writes what it makes"
)]

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let sources_root = PathBuf::from("java");
    println!("cargo::rerun-if-changed={}", sources_root.display());
    println!("cargo::rerun-if-env-changed=JAVA_HOME");
    println!("cargo::rerun-if-env-changed=PATH");
    // HotSpot looks the agent up as a dynamic symbol of the running program.
    println!("cargo::rustc-link-arg=-rdynamic");

    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    let class_root = out.join("runtime-classes");
    if class_root.exists() {
        fs::remove_dir_all(&class_root)?;
    }
    fs::create_dir_all(&class_root)?;
    compile(&sources_root.join("covolve/runtime"), &class_root)?;
    embed(&class_root.join("covolve/runtime"), &out.join("runtime_classes.rs"))
}

/// Runs `javac` on every source of the folder.
fn compile(folder: &Path, class_root: &Path) -> Result<()> {
    let sources = sorted(folder, "java")?;
    let output = Command::new(javac()?)
        .args([
            "--release",
            "8",
            "-proc:none",
            "-Xlint:all",
            "-Xlint:-options",
            "-Werror",
            "-g:source,lines",
            "-d",
        ])
        .arg(class_root)
        .args(&sources)
        .output()?;
    if output.status.success() {
        Ok(())
    } else {
        Err(format!("javac refused the runtime classes:\n{}", String::from_utf8_lossy(&output.stderr)).into())
    }
}

/// `javac` of `JAVA_HOME`, else the one on the path.
fn javac() -> Result<PathBuf> {
    let name = format!("javac{}", env::consts::EXE_SUFFIX);
    if let Some(home) = env::var_os("JAVA_HOME").filter(|home| !home.is_empty()) {
        let javac = Path::new(&home).join("bin").join(&name);
        return if javac.is_file() {
            Ok(javac)
        } else {
            Err(format!(
                "JAVA_HOME is {}, but {} is missing: a JDK of version 9 or later is needed to build",
                Path::new(&home).display(),
                javac.display()
            )
            .into())
        };
    }
    let path: OsString = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).map(|folder| folder.join(&name)).find(|javac| javac.is_file()).ok_or_else(|| {
        "no javac: set JAVA_HOME to a JDK of version 9 or later, or put its bin folder on the path".into()
    })
}

/// Writes a table of the compiled classes: internal name and bytes.
fn embed(folder: &Path, table: &Path) -> Result<()> {
    let mut text = String::from("&[\n");
    for file in sorted(folder, "class")? {
        let stem = file.file_stem().and_then(|stem| stem.to_str()).ok_or("class names are ASCII")?;
        let file = file.to_str().ok_or("the build folder has a name in UTF-8")?;
        writeln!(text, "    (c\"covolve/runtime/{stem}\", include_bytes!({file:?})),")?;
    }
    text.push_str("]\n");
    fs::write(table, text)?;
    Ok(())
}

fn sorted(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|found| found == extension) {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(format!("{} holds no .{extension} file", folder.display()).into());
    }
    Ok(files)
}
