//! Gradle: asked by an init script that gives each project a task, which writes what Gradle knows of it.
//! `docs/design/builds.md` says why.

#![expect(clippy::disallowed_methods, reason = "hands Gradle its script and reads the answers")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::build::answer::Described;
use crate::build::command::{Network, Program, Surroundings, aside, text_of};
use crate::build::tool::{BuildTool, Told};
use crate::failure::Failure;

const SCRIPT: &str = include_str!("../../gradle/modules.gradle");
/// The task that the script adds.
const TASK: &str = "covolveModule";

/// Any of them makes a folder one of a Gradle build.
const FILES: [&str; 4] = ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"];

/// Builds with a `build.gradle` in Groovy or Kotlin.
#[derive(Debug)]
pub struct GradleBuild;

impl BuildTool for GradleBuild {
    fn name(&self) -> &'static str {
        "Gradle"
    }

    fn detect(&self, folder: &Path) -> bool {
        FILES.iter().any(|file| folder.join(file).is_file())
    }

    fn modules(&self, folder: &Path, surroundings: Surroundings<'_>) -> Result<Told, Failure> {
        let gradle = program(folder, surroundings)?;
        (surroundings.note)(&format!("asking {} for the modules of {}", gradle.name(), folder.display()));
        let asked = |network: Network| ask(&gradle, folder, network, surroundings);
        Told::offline_first(self.name(), (&gradle, folder), "projects", asked)
    }

    fn compile(&self, folder: &Path, surroundings: Surroundings<'_>) -> Result<(), Failure> {
        let gradle = program(folder, surroundings)?;
        (surroundings.note)(&format!("compiling {} with {}", folder.display(), gradle.name()));
        let mut said = String::new();
        for network in [Network::Offline, Network::Online] {
            let output = run(&gradle, folder, network, surroundings, &["classes".to_owned()])?;
            if output.status.success() {
                return Ok(());
            }
            said = text_of(&output);
            // What the compiler refuses it refuses with a network, too.
            if said.contains("Compilation failed") {
                break;
            }
        }
        Err(Failure::input(format!(
            "the build in {} does not compile: {}; run `{} classes` there and put right what it says",
            folder.display(),
            first_error(&said),
            gradle.command()
        )))
    }
}

/// The wrapper of the folder or of one around it, since it lies at the root of a build; else the `gradle` of the path.
fn program(folder: &Path, surroundings: Surroundings<'_>) -> Result<Program, Failure> {
    let folders: Vec<&Path> = folder.ancestors().collect();
    Program::find("gradlew", "gradle", &folders, surroundings.environment).ok_or_else(|| {
        Failure::input(format!(
            "{} is built with Gradle, and there is neither a gradlew nor a gradle on the path; install Gradle, or give \
             a class path with --cp",
            folder.display()
        ))
    })
}

fn run(
    gradle: &Program,
    folder: &Path,
    network: Network,
    surroundings: Surroundings<'_>,
    arguments: &[String],
) -> Result<Output, Failure> {
    let mut all = vec!["-q".to_owned(), "--console=plain".to_owned()];
    match network {
        Network::Offline => all.push("--offline".to_owned()),
        Network::Online => {}
    }
    all.extend_from_slice(arguments);
    gradle.run(folder, surroundings, &all)
}

/// Asks once: the modules in the folder, or why Gradle tells of none.
fn ask(
    gradle: &Program,
    folder: &Path,
    network: Network,
    surroundings: Surroundings<'_>,
) -> Result<Result<Vec<Described>, String>, Failure> {
    let aside = aside()?;
    let (script, answers) = (aside.path().join("modules.gradle"), aside.path().join("answers"));
    fs::create_dir(&answers).and_then(|()| fs::write(&script, SCRIPT)).map_err(|error| {
        Failure::output(format!("{} cannot be written: {error}; set TMPDIR", script.display()))
    })?;
    let arguments = [
        "--init-script".to_owned(),
        script.display().to_string(),
        format!("-Pcovolve.answers={}", answers.display()),
        // The script asks every project, and nothing of this run is worth remembering. Older ones pass over these.
        "-Dorg.gradle.configureondemand=false".to_owned(),
        "-Dorg.gradle.configuration-cache=false".to_owned(),
        "-Dorg.gradle.unsafe.configuration-cache=false".to_owned(),
        TASK.to_owned(),
    ];
    let output = run(gradle, folder, network, surroundings, &arguments)?;
    if !output.status.success() {
        return Ok(Err(first_error(&text_of(&output))));
    }
    Ok(read_answers(&answers))
}

/// The answers of all projects, by their paths in the build.
fn read_answers(folder: &Path) -> Result<Vec<Described>, String> {
    let entries = fs::read_dir(folder).map_err(|error| error.to_string())?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    let read = |file: &PathBuf| {
        let json = fs::read_to_string(file).map_err(|error| error.to_string())?;
        Described::parse(&json).map_err(|error| format!("its answer cannot be read: {error}"))
    };
    files.iter().map(read).collect()
}

/// What Gradle says to be wrong: a message of the compiler where there is one, else what stands below `What went wrong`.
fn first_error(log: &str) -> String {
    let compiler = log.lines().find(|line| line.contains(": error: "));
    let below = log.split_once("* What went wrong:").and_then(|(_, rest)| {
        let mut lines = rest.lines().map(str::trim).filter(|line| !line.is_empty());
        let (first, second) = (lines.next()?, lines.next());
        Some(match second.and_then(|line| line.strip_prefix("> ")) {
            Some(cause) => format!("{}: {cause}", first.trim_end_matches(['.', ':'])),
            None => first.to_owned(),
        })
    });
    let last = || log.lines().rfind(|line| !line.trim().is_empty()).map(|line| line.trim().to_owned());
    let found = compiler.map(|line| line.trim().to_owned()).or(below).or_else(last);
    found.unwrap_or_else(|| "it failed without saying why".to_owned()).trim_end_matches(['.', ':']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers as Gradle 4.4.1 gave them for two projects of which one needs the other; the folder is shortened.
    const RECORDED: [(&str, &str); 2] = [
        (
            "_a.json",
            r#"{"name":":a","folder":"/gr/a","packaging":"jar","sources":["/gr/a/src/main/java"],"generated":["/gr/a/build/generated"],"classes":["/gr/a/build/classes/java/main"],"testSources":["/gr/a/src/test/java"],"release":"1.8","encoding":"UTF-8","jdk":null,"profiles":[],"classPath":["/gr/a/build/resources/main"],"testOnly":[],"problem":null}"#,
        ),
        (
            "_b.json",
            r#"{"name":":b","folder":"/gr/b","packaging":"jar","sources":["/gr/b/src/main/java"],"generated":["/gr/b/build/generated"],"classes":["/gr/b/build/classes/java/main"],"testSources":["/gr/b/src/test/java"],"release":"1.8","encoding":"UTF-8","jdk":null,"profiles":[],"classPath":["/gr/b/build/resources/main","/gr/a/build/classes/java/main","/gr/a/build/resources/main","/repo/commons-cli/commons-cli/1.2/commons-cli-1.2.jar","/repo/junit/junit/4.13.2/junit-4.13.2.jar","/repo/org/hamcrest/hamcrest-core/1.3/hamcrest-core-1.3.jar"],"testOnly":["/repo/junit/junit/4.13.2/junit-4.13.2.jar","/repo/org/hamcrest/hamcrest-core/1.3/hamcrest-core-1.3.jar"],"problem":null}"#,
        ),
    ];

    #[test]
    fn recorded_answers_are_read() {
        let folder = tempfile::tempdir().unwrap();
        for (name, json) in RECORDED.iter().rev() {
            fs::write(folder.path().join(name), json).unwrap();
        }
        let modules = read_answers(folder.path()).unwrap();
        assert_eq!(modules.iter().map(|module| module.name.as_str()).collect::<Vec<_>>(), [":a", ":b"]);
        assert!(
            modules[1].class_path.contains(&"/gr/a/build/classes/java/main".into()),
            "the class folder of the other"
        );
        let names = |jars: &[PathBuf]| {
            jars.iter().filter_map(|jar| jar.file_name()?.to_str().map(str::to_owned)).collect::<Vec<_>>()
        };
        assert_eq!(names(&modules[1].test_only), ["junit-4.13.2.jar", "hamcrest-core-1.3.jar"]);
        assert!(modules.iter().all(|module| module.problem.is_none()));
        fs::write(folder.path().join("_c.json"), "{}").unwrap();
        assert!(
            read_answers(folder.path()).unwrap_err().starts_with("its answer cannot be read: missing field")
        );
    }

    #[test]
    fn what_went_wrong_is_one_sentence() {
        let check = |log: &str, expect: &str| assert_eq!(first_error(log), expect);
        check(
            "FAILURE: Build failed with an exception.\n\n* What went wrong:\nCould not determine java version from \
             '17.0.15'.\n\n* Try:\nRun with --stacktrace",
            "Could not determine java version from '17.0.15'",
        );
        check(
            "/gr/a/A.java:1: error: ';' expected\n1 error\n\nFAILURE: Build failed\n* What went wrong:\nExecution failed",
            "/gr/a/A.java:1: error: ';' expected",
        );
        check(
            "* What went wrong:\nA problem occurred evaluating root project 'x'.\n> No signature of method.\n\n* Try:\n",
            "A problem occurred evaluating root project 'x': No signature of method",
        );
        check("Exception in thread main\n", "Exception in thread main");
        check("", "it failed without saying why");
    }
}
