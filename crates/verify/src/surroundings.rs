//! How verification JVMs are started, and how the two that judge a test differ: a test whose outcome depends on
//! the zone, the locale, the encoding or identity hashes does not pass in both.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use project::jdk::Jdk;

/// A role in verification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Compiles, and runs the tests as the user's machine would.
    First,
    /// Runs them again elsewhere: another zone, locale, encoding, hash mode, name and version of JVM and machine.
    Second,
}

impl Role {
    /// The folder for temporary files below the one that a JVM may write. How deep it lies differs: tests must not count its
    /// parts.
    pub fn temporary_files(self, scratch: &Path) -> PathBuf {
        match self {
            Self::First => scratch.to_owned(),
            Self::Second => scratch.join("of-another").join("user"),
        }
    }

    /// For messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::First => "a plain JVM",
            Self::Second => "a JVM with another zone, locale and hash seed",
        }
    }

    /// Words for the runner: the second JVM says that it is another one, on another machine.
    pub fn words(self) -> &'static [&'static str] {
        match self {
            Self::First => &[],
            Self::Second => &["elsewhere"],
        }
    }

    /// System properties of its JVM, with `scratch` as the folder it may write. Whether there is a screen the second finds out
    /// by itself. A zone beyond the date line and not on a full hour, a locale with other separators of numbers.
    pub fn properties(self, scratch: &Path) -> Vec<(&'static str, String)> {
        let own: &[(&str, &str)] = match self {
            Self::First => &[("java.awt.headless", "true")],
            Self::Second => &[
                ("user.timezone", "Pacific/Chatham"),
                ("user.language", "de"),
                ("user.country", "DE"),
                ("file.encoding", "ISO-8859-1"),
                ("user.name", "someone"),
                ("user.home", "/elsewhere/someone"),
            ],
        };
        let folder = ("java.io.tmpdir", self.temporary_files(scratch).display().to_string());
        own.iter().map(|&(name, value)| (name, value.to_owned())).chain([folder]).collect()
    }

    /// Further options that make the difference: identity hashes from addresses in place of a generator per thread. Whether
    /// the verifier of the JVM refuses a class does not depend on surroundings: the first tells, and the second loads
    /// classes in two thirds of the time.
    fn options(self) -> &'static [&'static str] {
        match self {
            Self::First => &[],
            Self::Second => &[
                "-XX:+UnlockExperimentalVMOptions",
                "-XX:hashCode=1",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:-BytecodeVerificationRemote",
            ],
        }
    }
}

/// Processors of another machine.
const ELSEWHERE: usize = 3;

/// Options of a verification JVM, main class aside. `scratch` is the folder it may write.
///
/// The first compiler alone and the serial collector start faster, and a class data archive, where there is one, halves the rest. It
/// serves class after class, so its heap is bounded: by twice what a worker has, or what the machine would give it, and it begins with as much
/// as warming up takes.
pub fn jvm_options(role: Role, jdk: &Jdk, scratch: &Path, archive: Option<&Archive<'_>>) -> Vec<String> {
    let mut options: Vec<String> = [
        "-XX:+IgnoreUnrecognizedVMOptions",
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-XX:MaxRAM=4g",
        "-XX:InitialRAMPercentage=6.25",
        "-XX:-UsePerfData",
        "-XX:-OmitStackTraceInFastThrow",
        "-XX:-CreateCoredumpOnCrash",
        "-ea",
    ]
    .map(str::to_owned)
    .to_vec();
    if jdk.version >= 9 {
        options.push("-Xlog:disable".to_owned());
    }
    match archive {
        Some(Archive::Use(file)) => options.push(format!("-XX:SharedArchiveFile={}", file.display())),
        Some(Archive::Make(file)) => options.push(format!("-XX:ArchiveClassesAtExit={}", file.display())),
        None => {}
    }
    options.extend(role.properties(scratch).iter().map(|(name, value)| format!("-D{name}={value}")));
    options.push(format!("-XX:ErrorFile={}", scratch.join("hs_err.log").display()));
    options.extend(role.options().iter().map(|&option| option.to_owned()));
    if role == Role::Second {
        let here = std::thread::available_parallelism().map_or(1, NonZero::get);
        options.push(format!(
            "-XX:ActiveProcessorCount={}",
            if here == ELSEWHERE { ELSEWHERE + 2 } else { ELSEWHERE }
        ));
    }
    options
}

/// A class data archive.
#[derive(Debug, Clone, Copy)]
pub enum Archive<'a> {
    /// One that is there.
    Use(&'a Path),
    /// One to be written when the JVM ends.
    Make(&'a Path),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_roles_differ_in_what_tests_must_not_depend_on() {
        let jdk = Jdk { home: "/jdk".into(), version: 17, libjvm: "/jdk/libjvm.so".into() };
        let options = |role| jvm_options(role, &jdk, Path::new("/s"), None);
        let (first, second) = (options(Role::First), options(Role::Second));
        for difference in [
            "user.timezone",
            "user.language",
            "user.home",
            "file.encoding",
            "hashCode",
            "ActiveProcessorCount",
            "tmpdir",
        ] {
            let differs = |option: &String| option.contains(difference) && !first.contains(option);
            assert!(second.iter().any(differs), "{difference}");
        }
        assert!(!first.iter().any(|option| option.contains("BytecodeVerification")), "{first:?}");
        assert_ne!(Role::First.words(), Role::Second.words());
    }
}
