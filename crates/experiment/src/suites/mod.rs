//! Suites that covolve wrote for a class, many of them side by side, for measurements and for judges that are not ours.
//! [`fresh`] measures what a suite takes in a JVM of its own.
//!
//! Suites for one class have one name. Each gets a name of its own, so that all of them are compiled together and a
//! judge's JVM judges them all.

pub mod fresh;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use bytecode::class_path::ClassPath;
use bytecode::name::ClassName;
use bytecode::source::ClassSource as _;
use jvm::home::JavaHome;

use crate::maven;
use crate::tools::{javac_of_tests, run};

/// The JUnit that compiles and runs the suites.
pub const JUNIT: &str = "org.junit.platform:junit-platform-console-standalone:1.13.4";

/// A class with the suites for it.
#[derive(Debug)]
pub struct Bench {
    /// The JDK that compiles and runs the suites.
    pub java_home: PathBuf,
    /// Folder to work in.
    pub work: PathBuf,
    /// Binary name of the class under test.
    pub class: String,
    /// Where it and what it needs is.
    pub class_path: Vec<PathBuf>,
    /// It and the classes nested in it, with their bytes.
    pub nest: Vec<(ClassName, Vec<u8>)>,
    /// Binary names of the test classes.
    pub suites: Vec<String>,
}

impl Bench {
    /// A bench without suites; what was in `work` goes.
    pub fn new(java_home: &Path, work: &Path, class: &str, class_path: &[PathBuf]) -> Result<Self> {
        if work.exists() {
            fs::remove_dir_all(work)?;
        }
        fs::create_dir_all(work.join("tests"))?;
        let home = JavaHome::find(java_home)?;
        let source = ClassPath::open(home.path(), home.version(), class_path)?;
        let nested = format!("{class}$");
        let mut nest = Vec::new();
        for name in source.class_path_classes() {
            if name.binary() == class || name.binary().starts_with(&nested) {
                let bytes = source.class_bytes(name).context("a class of the class path has bytes")?;
                nest.push((name.clone(), bytes.into_owned()));
            }
        }
        ensure!(!nest.is_empty(), "{class} is not on the class path");
        Ok(Self {
            java_home: java_home.to_owned(),
            work: work.to_owned(),
            class: class.to_owned(),
            class_path: class_path.to_vec(),
            nest,
            suites: Vec::new(),
        })
    }

    /// Adds the suite that covolve wrote below a folder; the binary name that its class has here. `None` if it wrote none.
    pub fn add(&mut self, folder: &Path) -> Result<Option<String>> {
        let (package, simple) = self.class.rsplit_once('.').unwrap_or(("", &self.class));
        let below = PathBuf::from(package.replace('.', "/"));
        let old = format!("{simple}CovolveTest");
        let path = folder.join(&below).join(format!("{old}.java"));
        if !path.is_file() {
            return Ok(None);
        }
        let new = format!("{old}{}", self.suites.len());
        let text = fs::read_to_string(&path)?.replace(&old, &new);
        let copy = self.work.join("src").join(below);
        fs::create_dir_all(&copy)?;
        fs::write(copy.join(format!("{new}.java")), text)?;
        let name = if package.is_empty() { new } else { format!("{package}.{new}") };
        self.suites.push(name.clone());
        Ok(Some(name))
    }

    /// Compiles the suites.
    pub fn compile(&self) -> Result<()> {
        let source =
            |suite: &String| self.work.join("src").join(suite.replace('.', "/")).with_extension("java");
        let list: Vec<String> = self.suites.iter().map(|suite| source(suite).display().to_string()).collect();
        let files = self.work.join("files");
        fs::write(&files, list.join("\n"))?;
        let mut path = self.class_path.clone();
        path.extend(maven::resolve(JUNIT)?);
        let mut javac = javac_of_tests(&self.java_home, &path, &self.tests());
        run(javac.args(["-nowarn", "-Xlint:none"]).arg(format!("@{}", files.display())))
    }

    /// Where the class files of the suites are.
    pub fn tests(&self) -> PathBuf {
        self.work.join("tests")
    }
}
