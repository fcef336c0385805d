//! The user's JDK: where its JVM and compiler are, and which version it is.

use std::fs;
use std::path::{Path, PathBuf};

/// A JDK that can be used: it has a JVM library and a compiler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JavaHome {
    path: PathBuf,
    version: u16,
    libjvm: PathBuf,
}

/// Why a folder is no JDK that can be used. Each prints as one sentence that says what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HomeError {
    /// There is no such folder.
    #[error("there is no JDK at {}: set JAVA_HOME or --java-home to the folder of a JDK", .0.display())]
    Missing(PathBuf),
    /// The folder has neither a JVM nor a launcher.
    #[error("{} is no JDK: it has no bin/java; set JAVA_HOME or --java-home to the folder of a JDK", .0.display())]
    NotJava(PathBuf),
    /// There is a launcher but no JVM library for this machine.
    #[error("the JDK at {} has no libjvm for this machine: use a HotSpot JDK with the server VM", .0.display())]
    NoLibrary(PathBuf),
    /// A run-time environment without compiler.
    #[error("{} has no javac, so it is a JRE or a headless package: install a JDK", .0.display())]
    NoCompiler(PathBuf),
    /// The version cannot be told.
    #[error("the version of the JDK at {} cannot be told: its file `release` names none", .0.display())]
    NoVersion(PathBuf),
    /// Older than Java 8.
    #[error("the JDK at {} is version {version}: version 8 or later is needed", path.display())]
    TooOld {
        /// The JDK.
        path: PathBuf,
        /// Its version.
        version: u16,
    },
}

/// Where the JVM library lies: JDK 9 and later, then JDK 8 with its run-time folder, for the usual machines.
const LIBRARIES: [&str; 5] = [
    "lib/server/libjvm.so",
    "jre/lib/amd64/server/libjvm.so",
    "jre/lib/aarch64/server/libjvm.so",
    "lib/amd64/server/libjvm.so",
    "lib/aarch64/server/libjvm.so",
];

impl JavaHome {
    /// Checks a folder.
    pub fn find(path: &Path) -> Result<Self, HomeError> {
        let path = fs::canonicalize(path).map_err(|_| HomeError::Missing(path.to_owned()))?;
        // `JAVA_HOME` may point at the run-time folder of a JDK 8.
        let path = match (path.file_name(), path.parent()) {
            (Some(name), Some(parent)) if name == "jre" && parent.join("bin/javac").is_file() => {
                parent.to_owned()
            }
            _ => path,
        };
        let libjvm = LIBRARIES.iter().map(|library| path.join(library)).find(|library| library.is_file());
        let Some(libjvm) = libjvm else {
            let has_java = path.join("bin/java").is_file() || path.join("jre/bin/java").is_file();
            return Err(if has_java { HomeError::NoLibrary(path) } else { HomeError::NotJava(path) });
        };
        if !path.join("bin/javac").is_file() {
            return Err(HomeError::NoCompiler(path));
        }
        let release = release_file(&path).ok_or_else(|| HomeError::NoVersion(path.clone()))?;
        let version = version_of(&release).ok_or_else(|| HomeError::NoVersion(path.clone()))?;
        if version < 8 {
            return Err(HomeError::TooOld { path, version });
        }
        Ok(Self { path, version, libjvm })
    }

    /// The folder, without symbolic links.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Feature version: 8, 11, 17, 25.
    pub fn version(&self) -> u16 {
        self.version
    }

    /// The JVM library.
    pub fn libjvm(&self) -> &Path {
        &self.libjvm
    }

    /// The launcher `java`.
    pub fn java(&self) -> PathBuf {
        self.path.join("bin/java")
    }

    /// The compiler `javac`.
    pub fn javac(&self) -> PathBuf {
        self.path.join("bin/javac")
    }

    /// The file with the security providers, where there is one.
    pub(crate) fn security_properties(&self) -> Option<String> {
        ["conf/security/java.security", "jre/lib/security/java.security", "lib/security/java.security"]
            .iter()
            .find_map(|file| read(&self.path.join(file)))
    }
}

fn release_file(home: &Path) -> Option<String> {
    read(&home.join("release"))
}

#[expect(clippy::disallowed_methods, reason = "a JDK is described by two small text files of its own")]
fn read(file: &Path) -> Option<String> {
    fs::read_to_string(file).ok()
}

/// The feature version that a `release` file names: `1.8.0_402` is 8, `17.0.15` is 17, `25` is 25.
fn version_of(release: &str) -> Option<u16> {
    let line = release.lines().find_map(|line| line.trim().strip_prefix("JAVA_VERSION="))?;
    let version = line.trim().trim_matches('"');
    let version = version.strip_prefix("1.").unwrap_or(version);
    let digits = version.split(|character: char| !character.is_ascii_digit()).next()?;
    digits.parse().ok()
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests lay out folders")]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_read_as_jdks_of_all_ages_write_it() {
        let check = |line: &str, version: Option<u16>| assert_eq!(version_of(line), version, "{line}");
        check("IMPLEMENTOR=\"N/A\"\nJAVA_VERSION=\"17.0.15\"\n", Some(17));
        check("JAVA_VERSION=\"1.8.0_402\"", Some(8));
        check("JAVA_VERSION=\"25\"", Some(25));
        check("JAVA_VERSION=\"26-ea\"", Some(26));
        check("JAVA_VERSION=\"\"", None);
        check("MODULES=\"java.base\"", None);
    }

    #[test]
    fn each_way_in_which_a_folder_is_no_jdk_has_its_sentence() {
        let root = tempfile::tempdir().unwrap();
        let check = |files: &[(&str, &str)], expect: fn(&HomeError) -> bool| {
            let home = tempfile::tempdir_in(root.path()).unwrap();
            for (name, text) in files {
                let file = home.path().join(name);
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, text).unwrap();
            }
            let error = JavaHome::find(home.path()).unwrap_err();
            assert!(expect(&error), "{files:?}: {error}");
            assert!(!error.to_string().contains('\n'));
        };
        let library = ("lib/server/libjvm.so", "");
        let launcher = ("bin/java", "");
        let compiler = ("bin/javac", "");
        check(&[], |error| matches!(error, HomeError::NotJava(_)));
        check(&[launcher], |error| matches!(error, HomeError::NoLibrary(_)));
        check(&[launcher, library], |error| matches!(error, HomeError::NoCompiler(_)));
        check(&[launcher, library, compiler], |error| matches!(error, HomeError::NoVersion(_)));
        check(&[launcher, library, compiler, ("release", "JAVA_VERSION=\"1.7.0\"")], |error| {
            matches!(error, HomeError::TooOld { version: 7, .. })
        });
        let missing = JavaHome::find(&root.path().join("nothing")).unwrap_err();
        assert!(matches!(missing, HomeError::Missing(_)));
    }

    #[test]
    fn a_jdk_8_keeps_its_jvm_in_the_run_time_folder() {
        let home = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("jre/lib/amd64/server/libjvm.so", ""),
            ("bin/javac", ""),
            ("release", "JAVA_VERSION=\"1.8.0_402\""),
        ] {
            let file = home.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        let found = JavaHome::find(&home.path().join("jre")).unwrap();
        assert_eq!((found.version(), found.path()), (8, &*fs::canonicalize(home.path()).unwrap()));
        assert!(found.libjvm().ends_with("jre/lib/amd64/server/libjvm.so"));
    }
}
