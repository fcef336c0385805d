//! The user's JDK.

#![expect(clippy::disallowed_methods, reason = "reads the JDK's release file")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::environment::Environment;
use crate::failure::Failure;

/// A JDK with everything we need: `java`, `javac`, `libjvm`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Jdk {
    /// Its home, absolute.
    pub home: PathBuf,
    /// Feature version: 8, 17, 25 …
    pub version: u16,
    /// The JVM as a library.
    pub libjvm: PathBuf,
}

impl Jdk {
    /// Checks a source level asked for.
    ///
    /// # Errors
    /// It is beyond the JDK.
    pub fn check_source_level(&self, asked: Option<u16>) -> Result<(), Failure> {
        match asked {
            Some(level) if level > self.version => Err(Failure::input(format!(
                "--source-level {level} is beyond the JDK, which is {}; give a newer one with --java-home",
                self.version
            ))),
            _ => Ok(()),
        }
    }

    /// Finds the JDK: the one asked for, that of `JAVA_HOME`, or that of the `java` on the path.
    ///
    /// # Errors
    /// There is none, or it lacks a part.
    pub fn find(asked: Option<&Path>, environment: &Environment) -> Result<Self, Failure> {
        if let Some(home) = asked {
            return Self::open(home, "--java-home");
        }
        if let Some(home) = &environment.java_home {
            return Self::open(home, "JAVA_HOME");
        }
        let Some(java) = environment.on_path("java") else {
            return Err(Failure::input(
                "there is no JDK: no --java-home is given, JAVA_HOME is not set and no java is on the path; install \
                 a JDK (8 or newer) or give --java-home",
            ));
        };
        // A link leads home; a script that starts a java elsewhere has to be asked.
        let linked = fs::canonicalize(&java).ok().and_then(|java| Some(java.parent()?.parent()?.to_owned()));
        let home = linked.filter(|home| find_libjvm(home).is_some()).or_else(|| ask_for_home(&java));
        match home {
            Some(home) => Self::open(&home, "the java on the path"),
            None => Err(Failure::input(format!(
                "{} belongs to no JDK that can be found; set JAVA_HOME or give --java-home",
                java.display()
            ))),
        }
    }

    /// Opens the JDK at `home`, which `origin` names.
    fn open(home: &Path, origin: &str) -> Result<Self, Failure> {
        let shown = home.display();
        let home = fs::canonicalize(home).ok().filter(|home| home.is_dir()).ok_or_else(|| {
            Failure::input(format!("{origin} names {shown}, which is no folder; give the home of a JDK"))
        })?;
        // The run-time image inside a JDK 8 calls itself the home.
        let home = match home.parent() {
            Some(parent) if home.ends_with("jre") && parent.join("bin/javac").is_file() => parent.to_owned(),
            _ => home,
        };
        if !home.join("bin/java").is_file() {
            return Err(Failure::input(format!(
                "{origin} names {shown}, which is no JDK: it has no bin/java; give the home of a JDK"
            )));
        }
        if !home.join("bin/javac").is_file() {
            return Err(Failure::input(format!(
                "{origin} names {shown}, which has no javac: it is a run-time only; install the JDK that belongs to it \
                 or give --java-home"
            )));
        }
        let Some(libjvm) = find_libjvm(&home) else {
            return Err(Failure::input(format!(
                "{origin} names {shown}, which has no libjvm.so of a HotSpot server JVM; give --java-home of a JDK \
                 that has one"
            )));
        };
        let version =
            release_version(&home).or_else(|| ask(&home.join("bin/java"), "java.specification.version"));
        match version.as_deref().and_then(feature_version) {
            Some(version) if version >= 8 => Ok(Self { home, version, libjvm }),
            Some(version) => Err(Failure::input(format!(
                "{origin} names {shown}, a JDK {version}; JDK 8 or newer is needed, see --java-home"
            ))),
            None => Err(Failure::input(format!(
                "{origin} names {shown}, whose java does not say its version; give --java-home of a JDK that runs"
            ))),
        }
    }

    /// The launcher.
    pub fn java(&self) -> PathBuf {
        self.home.join("bin/java")
    }
}

/// Where `libjvm.so` is: one place since JDK 9, a folder per architecture before.
fn find_libjvm(home: &Path) -> Option<PathBuf> {
    let modern = home.join("lib/server/libjvm.so");
    if modern.is_file() {
        return Some(modern);
    }
    let mut found: Vec<PathBuf> = fs::read_dir(home.join("jre/lib"))
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path().join("server/libjvm.so")))
        .filter(|library| library.is_file())
        .collect();
    found.sort();
    found.into_iter().next()
}

fn release_version(home: &Path) -> Option<String> {
    let release = fs::read_to_string(home.join("release")).ok()?;
    let line = release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION="))?;
    Some(line.trim().trim_matches('"').to_owned())
}

/// `1.8.0_402`, `17.0.15`, `25-ea` → 8, 17, 25.
fn feature_version(version: &str) -> Option<u16> {
    let version = version.strip_prefix("1.").unwrap_or(version);
    let digits = version.find(|c: char| !c.is_ascii_digit()).unwrap_or(version.len());
    version.get(..digits)?.parse().ok()
}

fn ask_for_home(java: &Path) -> Option<PathBuf> {
    ask(java, "java.home").map(PathBuf::from)
}

/// A system property of a JVM started for the question.
fn ask(java: &Path, property: &str) -> Option<String> {
    let output = Command::new(java).args(["-XshowSettings:properties", "-version"]).output().ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    text.lines().find_map(|line| {
        let (name, value) = line.split_once(" = ")?;
        (name.trim() == property).then(|| value.trim().to_owned())
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn feature_versions_are_read_from_all_forms() {
        let check = |text: &str, expect| assert_eq!(feature_version(text), expect, "{text}");
        check("1.8.0_402", Some(8));
        check("17.0.15", Some(17));
        check("25-ea", Some(25));
        check("25", Some(25));
        check("unknown", None);
    }

    /// A folder with these (empty, executable) files, and a release file of the version.
    fn folder(files: &[&str], version: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        fs::write(folder.path().join("release"), format!("JAVA_VERSION=\"{version}\"\n")).unwrap();
        folder
    }

    #[test]
    fn a_jdk_lacking_a_part_is_named_with_the_part() {
        let check = |files: &[&str], version: &str, expect: &str| {
            let folder = folder(files, version);
            let sentence = Jdk::find(Some(folder.path()), &Environment::default()).unwrap_err().sentence;
            assert!(sentence.contains(expect), "{sentence}");
        };
        check(&[], "17", "which is no JDK: it has no bin/java");
        check(&["bin/java"], "17", "has no javac");
        check(&["bin/java", "bin/javac"], "17", "has no libjvm.so");
        check(
            &["bin/java", "bin/javac", "lib/server/libjvm.so"],
            "1.7.0",
            "a JDK 7; JDK 8 or newer is needed",
        );
    }

    #[test]
    fn both_layouts_are_known() {
        let modern = folder(&["bin/java", "bin/javac", "lib/server/libjvm.so"], "21.0.1");
        assert_eq!(Jdk::find(Some(modern.path()), &Environment::default()).unwrap().version, 21);
        let files = ["bin/java", "bin/javac", "jre/bin/java", "jre/lib/amd64/server/libjvm.so"];
        let old = folder(&files, "1.8.0_402");
        let jdk = Jdk::find(Some(&old.path().join("jre")), &Environment::default()).unwrap();
        assert_eq!((jdk.version, jdk.home), (8, fs::canonicalize(old.path()).unwrap()));
    }

    #[test]
    fn without_any_jdk_the_sentence_says_where_it_was_looked_for() {
        let sentence = Jdk::find(None, &Environment::default()).unwrap_err().sentence;
        assert!(sentence.starts_with("there is no JDK: no --java-home is given, JAVA_HOME is not set"));
    }

    #[test]
    fn the_java_on_the_path_leads_to_its_jdk() {
        let jdk = folder(&["bin/java", "bin/javac", "lib/server/libjvm.so"], "17.0.1");
        let bin = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(jdk.path().join("bin/java"), bin.path().join("java")).unwrap();
        let environment = Environment { path: bin.path().into(), ..Environment::default() };
        assert_eq!(Jdk::find(None, &environment).unwrap().home, fs::canonicalize(jdk.path()).unwrap());
    }
}
