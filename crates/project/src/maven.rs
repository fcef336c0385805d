//! Artifacts and their run-time dependencies, resolved by the user's own Maven, with its settings, mirrors and
//! local repository. We never download anything ourselves.

#![expect(clippy::disallowed_methods, reason = "writes a pom for Maven and keeps its answers")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::environment::Environment;
use crate::failure::Failure;
use crate::jdk::Jdk;
use crate::request::Coordinates;

/// Resolves artifacts.
#[derive(Clone, Copy)]
pub struct Maven<'a> {
    environment: &'a Environment,
    jdk: &'a Jdk,
    note: &'a dyn Fn(&str),
}

impl std::fmt::Debug for Maven<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Maven").finish_non_exhaustive()
    }
}

/// How Maven may be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Network {
    Offline,
    Online,
}

impl<'a> Maven<'a> {
    /// Maven as this environment has it; it runs on `jdk` where the environment names none. `note` is told when
    /// it is asked, since that takes seconds.
    pub fn new(environment: &'a Environment, jdk: &'a Jdk, note: &'a dyn Fn(&str)) -> Self {
        Self { environment, jdk, note }
    }

    /// The jars of the artifacts and of their run-time dependencies, in class path order. The answer for fixed
    /// versions is remembered in the cache folder: the next run asks only whether the files are still there.
    ///
    /// # Errors
    /// There is no Maven, or it cannot resolve the artifacts.
    pub fn resolve(&self, artifacts: &[Coordinates]) -> Result<Vec<PathBuf>, Failure> {
        if artifacts.is_empty() {
            return Ok(Vec::new());
        }
        let fixed = !artifacts.iter().any(|artifact| is_moving(&artifact.version));
        let answer_file = self.answer_file(artifacts).filter(|_| fixed);
        if let Some(jars) = answer_file.as_deref().and_then(read_answer) {
            return Ok(jars);
        }
        let mvn = self.environment.on_path("mvn").ok_or_else(|| {
            Failure::input(format!(
                "Maven is needed to resolve {}, but no mvn is on the path; install Maven or give the jars with --cp",
                list(artifacts)
            ))
        })?;
        (self.note)(&format!("resolving {} with Maven", list(artifacts)));
        // Offline first: it is faster, and what has been resolved before needs no network.
        let offline = if fixed { self.ask(&mvn, artifacts, Network::Offline).ok() } else { None };
        let jars = match offline {
            Some(jars) => jars,
            None => self.ask(&mvn, artifacts, Network::Online).map_err(|reason| {
                Failure::input(format!("Maven cannot resolve {}: {reason}", list(artifacts)))
            })?,
        };
        if let Some(file) = answer_file {
            write_answer(&file, &jars);
        }
        Ok(jars)
    }

    fn ask(&self, mvn: &Path, artifacts: &[Coordinates], network: Network) -> Result<Vec<PathBuf>, String> {
        let folder =
            tempfile::tempdir().map_err(|error| format!("no temporary folder can be made: {error}"))?;
        let (pom_file, answer) = (folder.path().join("pom.xml"), folder.path().join("class-path"));
        fs::write(&pom_file, pom(artifacts))
            .map_err(|error| format!("its pom cannot be written: {error}"))?;
        let mut command = Command::new(mvn);
        command.args(["-q", "-B", "-f"]).arg(&pom_file).current_dir(folder.path());
        command.arg(match network {
            Network::Offline => "-o",
            // Maven remembers for a day what it did not find, an outage of the network included.
            Network::Online => "-U",
        });
        command.args(["dependency:build-classpath", "-DincludeScope=runtime", "-Dmdep.pathSeparator=:"]);
        command.arg(format!("-Dmdep.outputFile={}", answer.display()));
        if self.environment.java_home.is_none() {
            command.env("JAVA_HOME", &self.jdk.home);
        }
        let output =
            command.stdin(Stdio::null()).output().map_err(|error| format!("it does not start: {error}"))?;
        if !output.status.success() {
            return Err(reason(&String::from_utf8_lossy(&output.stdout)));
        }
        let text = fs::read_to_string(&answer).map_err(|_| "it gave no class path".to_owned())?;
        let jars: Vec<PathBuf> =
            text.trim().split(':').filter(|path| !path.is_empty()).map(PathBuf::from).collect();
        if jars.is_empty() { Err("the artifacts have no jar".to_owned()) } else { Ok(jars) }
    }

    fn answer_file(&self, artifacts: &[Coordinates]) -> Option<PathBuf> {
        let name: Vec<String> =
            artifacts.iter().map(|artifact| artifact.to_string().replace(':', "_")).collect();
        let name = name.join("__");
        // Beyond what file systems take for a name the answer is not worth keeping.
        (name.len() < 200).then(|| Some(self.environment.cache_folder("maven")?.join(name)))?
    }
}

/// Whether the version may mean another jar tomorrow.
fn is_moving(version: &str) -> bool {
    version.ends_with("-SNAPSHOT")
        || version == "LATEST"
        || version == "RELEASE"
        || version.contains(['[', ']', '(', ')', ','])
}

fn list(artifacts: &[Coordinates]) -> String {
    artifacts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// A project that depends on the artifacts and is nothing else. Coordinates hold no character that XML gives a
/// meaning to.
fn pom(artifacts: &[Coordinates]) -> String {
    let mut pom = String::from(
        "<project>\n<modelVersion>4.0.0</modelVersion>\n<groupId>covolve</groupId>\n\
         <artifactId>resolve</artifactId>\n<version>1</version>\n<packaging>pom</packaging>\n<dependencies>\n",
    );
    for Coordinates { group, artifact, version, classifier } in artifacts {
        let classifier =
            classifier.as_ref().map_or_else(String::new, |name| format!("<classifier>{name}</classifier>"));
        let dependency = format!(
            "<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId>\
             <version>{version}</version>{classifier}</dependency>\n"
        );
        pom.push_str(&dependency);
    }
    pom.push_str("</dependencies>\n</project>\n");
    pom
}

/// What went wrong, from Maven's log, with what to do.
fn reason(log: &str) -> String {
    let Some(first) = log.lines().find_map(|line| line.split_once("[ERROR]")).map(|(_, text)| text.trim())
    else {
        return "it failed without saying why; try `mvn dependency:get` on them".to_owned();
    };
    if let Some((_, after)) = first.split_once("Could not find artifact ") {
        let artifact = after.split_whitespace().next().unwrap_or_default();
        return format!("no repository has {artifact}; check the coordinates");
    }
    let text = first.split(" -> [Help").next().unwrap_or(first);
    let text = text.rsplit_once("resolve:pom:1: ").map_or(text, |(_, cause)| cause);
    format!("{}; check the network and Maven's settings", text.trim_end_matches('.'))
}

fn read_answer(file: &Path) -> Option<Vec<PathBuf>> {
    let text = fs::read_to_string(file).ok()?;
    let jars: Vec<PathBuf> = text.lines().map(PathBuf::from).collect();
    (!jars.is_empty() && jars.iter().all(|jar| jar.is_file())).then_some(jars)
}

/// Keeps an answer if it can be kept; a cache that cannot be written costs time only.
fn write_answer(file: &Path, jars: &[PathBuf]) {
    let Some(lines) = jars.iter().map(|jar| jar.to_str()).collect::<Option<Vec<_>>>() else {
        return;
    };
    let written = file.parent().and_then(|folder| tempfile::NamedTempFile::new_in(folder).ok()).and_then(
        |mut aside| {
            aside.write_all(lines.join("\n").as_bytes()).ok()?;
            aside.persist(file).ok()
        },
    );
    drop(written);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pom_names_each_artifact_once() {
        let mut tests = Coordinates::of("g", "b", "2");
        tests.classifier = Some("tests".into());
        let pom = pom(&[Coordinates::of("org.a", "a", "1.0"), tests]);
        assert!(pom.contains(
            "<dependency><groupId>org.a</groupId><artifactId>a</artifactId><version>1.0</version></dependency>\n"
        ));
        assert!(pom.contains("<version>2</version><classifier>tests</classifier></dependency>\n"));
    }

    #[test]
    fn the_reason_is_taken_from_the_log() {
        let check = |log: &str, expect: &str| assert_eq!(reason(log), expect);
        check(
            "[ERROR] Failed to execute goal on project resolve: Could not resolve dependencies for project \
             covolve:resolve:pom:1: Could not find artifact a:b:jar:9 in central (somewhere) -> [Help 1]\n[ERROR] \n",
            "no repository has a:b:jar:9; check the coordinates",
        );
        check(
            "\x1b[0m[ERROR] Failed to execute goal on project resolve: Could not resolve dependencies for project \
             covolve:resolve:pom:1: Failed to collect dependencies at a:b:jar:1. -> [Help 1]",
            "Failed to collect dependencies at a:b:jar:1; check the network and Maven's settings",
        );
        check("", "it failed without saying why; try `mvn dependency:get` on them");
    }

    #[test]
    fn versions_that_move_are_not_remembered() {
        for version in ["1.0-SNAPSHOT", "LATEST", "[1.0,2.0)"] {
            assert!(is_moving(version), "{version}");
        }
        assert!(!is_moving("1.0-beta-1"));
    }

    #[test]
    fn an_answer_holds_as_long_as_its_files_are_there() {
        let folder = tempfile::tempdir().unwrap();
        let (jar, file) = (folder.path().join("a.jar"), folder.path().join("answer"));
        fs::write(&jar, "").unwrap();
        write_answer(&file, std::slice::from_ref(&jar));
        assert_eq!(read_answer(&file), Some(vec![jar.clone()]));
        fs::remove_file(&jar).unwrap();
        assert_eq!(read_answer(&file), None);
    }

    #[test]
    fn without_maven_the_sentence_names_the_way_out() {
        let environment = Environment::default();
        let jdk = Jdk { home: "/jdk".into(), version: 17, libjvm: "/jdk/libjvm.so".into() };
        let failure =
            Maven::new(&environment, &jdk, &|_| ()).resolve(&[Coordinates::of("a", "b", "1")]).unwrap_err();
        assert_eq!(
            failure.sentence,
            "Maven is needed to resolve a:b:1, but no mvn is on the path; install Maven or give the jars with --cp"
        );
    }
}
