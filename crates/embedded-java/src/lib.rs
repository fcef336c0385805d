//! Java inside of crates: a build script compiles it for Java 8 and writes a table of its class files, which the crate
//! embeds. For build scripts alone.
//!
//! Sources lie in the folder `java` of the crate, in the folder of their package.

#![expect(
    clippy::disallowed_methods,
    reason = "a build script reads its environment and writes what it makes"
)]
#![expect(clippy::print_stdout, reason = "cargo reads what a build script prints")]

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Whatever keeps a crate from being built, in one sentence.
pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Folder of the sources, in that of the crate.
const SOURCES: &str = "java";

/// A package of Java sources.
#[derive(Debug, Clone, Copy)]
pub struct Package<'a> {
    /// Its internal name, `covolve/runtime`.
    pub name: &'a str,
    /// Options of `javac` that say what it warns of.
    pub warnings: &'a [&'a str],
    /// Folder, in that of the crate, of Java that declares what the package uses and others bring at run time; it is compiled
    /// against and not embedded.
    pub declarations: Option<&'a str>,
}

impl Package<'_> {
    /// Compiles the package and writes `table`, below `OUT_DIR`: an expression, a slice of pairs of what `key` makes of the
    /// internal name of a class, as Rust, and the bytes of its class file. Sorted by file name.
    ///
    /// # Errors
    /// There is no JDK, `javac` refuses a source, or files cannot be read or written.
    pub fn embed(self, table: &str, key: impl Fn(&str) -> String) -> Result<()> {
        println!("cargo::rerun-if-changed={SOURCES}");
        if let Some(folder) = self.declarations {
            println!("cargo::rerun-if-changed={folder}");
        }
        println!("cargo::rerun-if-env-changed=JAVA_HOME");
        println!("cargo::rerun-if-env-changed=PATH");
        let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
        let class_root = out.join("classes");
        if class_root.exists() {
            fs::remove_dir_all(&class_root)?;
        }
        fs::create_dir_all(&class_root)?;
        self.compile(&class_root)?;
        fs::write(out.join(table), self.table(&class_root, key)?)?;
        Ok(())
    }

    /// Runs `javac` on every source of the package.
    fn compile(self, class_root: &Path) -> Result<()> {
        let sources = sorted(&Path::new(SOURCES).join(self.name), "java")?;
        let output = Command::new(javac()?)
            .args(["--release", "8", "-proc:none"])
            .args(self.warnings)
            .args(self.declarations.iter().flat_map(|folder| ["-implicit:none", "-sourcepath", folder]))
            .args(["-g:source,lines", "-d"])
            .arg(class_root)
            .args(&sources)
            .output()?;
        if output.status.success() {
            Ok(())
        } else {
            let said = String::from_utf8_lossy(&output.stderr);
            Err(format!("javac refused {}:\n{said}", self.name).into())
        }
    }

    fn table(self, class_root: &Path, key: impl Fn(&str) -> String) -> Result<String> {
        let mut text = String::from("&[\n");
        for file in sorted(&class_root.join(self.name), "class")? {
            let stem = file.file_stem().and_then(|stem| stem.to_str()).ok_or("class names are ASCII")?;
            let key = key(&format!("{}/{stem}", self.name));
            let file = file.to_str().ok_or("the build folder has a name in UTF-8")?;
            writeln!(text, "    ({key}, include_bytes!({file:?})),")?;
        }
        text.push_str("]\n");
        Ok(text)
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
