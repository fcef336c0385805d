//! Gradle: asked by an init script that gives each project a task, which writes what Gradle knows of it if it has Java.
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
        let told = Told::offline_first(self.name(), (&gradle, folder), "projects", asked)?;
        if told.modules.is_empty() {
            return Err(Failure::input(format!(
                "no project of the Gradle build in {} has the Java plugin; name the folder of one that has with --project, \
                 or give a class path with --cp",
                folder.display()
            )));
        }
        Ok(told)
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
            // No project has Java, or Gradle reads none: what there is to say is said where it is asked for the modules.
            if said.contains("Task 'classes' not found") {
                return Ok(());
            }
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

    fn run_step(
        &self,
        folder: &Path,
        step: &[String],
        network: Network,
        surroundings: Surroundings<'_>,
    ) -> Result<Result<(), String>, Failure> {
        let gradle = program(folder, surroundings)?;
        let aside = aside()?;
        let mut arguments = not_in_the_build(aside.path());
        arguments.extend_from_slice(step);
        let output = run(&gradle, folder, network, surroundings, &arguments)?;
        Ok(if output.status.success() { Ok(()) } else { Err(first_error(&text_of(&output))) })
    }
}

/// What keeps apart from the build what Gradle remembers of a run, and what it thinks of the build.
fn not_in_the_build(aside: &Path) -> Vec<String> {
    vec![
        "--project-cache-dir".to_owned(),
        aside.join("cache").display().to_string(),
        "-Dorg.gradle.problems.report=false".to_owned(),
    ]
}

/// The wrapper of the folder or of one around it, since it lies at the root of a build; else the `gradle` of the path.
fn program(folder: &Path, surroundings: Surroundings<'_>) -> Result<Program, Failure> {
    let folders: Vec<&Path> = folder.ancestors().collect();
    Program::find("gradlew", "gradle", &folders, surroundings).ok_or_else(|| {
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
    let modules = answers.join("modules");
    [&modules, &answers.join("archives")]
        .into_iter()
        .try_for_each(fs::create_dir_all)
        .and_then(|()| fs::write(&script, SCRIPT))
        .map_err(|error| {
            Failure::output(format!("{} cannot be written: {error}; set TMPDIR", script.display()))
        })?;
    let mut arguments = not_in_the_build(aside.path());
    arguments.extend([
        "--init-script".to_owned(),
        script.display().to_string(),
        format!("-Dcovolve.answers={}", answers.display()),
        // The script asks every project, and nothing of this run is worth remembering. Older ones pass over these.
        "-Dorg.gradle.configureondemand=false".to_owned(),
        "-Dorg.gradle.configuration-cache=false".to_owned(),
        "-Dorg.gradle.unsafe.configuration-cache=false".to_owned(),
        "-Dorg.gradle.unsafe.isolated-projects=false".to_owned(),
        TASK.to_owned(),
    ]);
    let output = run(gradle, folder, network, surroundings, &arguments)?;
    if let Ok(unread) = fs::read_to_string(answers.join("unread"))
        && let Some(script) = unread.lines().next()
    {
        return Err(Failure::input(format!(
            "{} does not read {script}: scripts in Kotlin take Gradle 5 or newer; give the build a wrapper, gradlew, of such \
             a Gradle, or put one on the path",
            gradle.name()
        )));
    }
    if !output.status.success() {
        return Ok(Err(first_error(&text_of(&output))));
    }
    Ok(read_answers(&modules))
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

    /// Answers as Gradle 4.4.1 gave them for a project that needs another, tests of that one, and one of an included build; the folder is
    /// shortened.
    const RECORDED: [(&str, &str); 2] = [
        (
            "_core.json",
            r#"{"name":":core","folder":"/gr/core","packaging":"jar","sources":["/gr/core/src/main/java"],"generated":["/gr/core/build/generated"],"classes":["/gr/core/build/classes/java/main"],"testClasses":["/gr/core/build/classes/java/test","/gr/core/build/resources/test"],"testSources":["/gr/core/src/test/java"],"release":"1.8","encoding":null,"jdk":null,"profiles":[],"classPath":["/gr/core/build/resources/main"],"testOnly":[],"problem":null}"#,
        ),
        (
            "_app.json",
            r#"{"name":":app","folder":"/gr/app","packaging":"jar","sources":["/gr/app/src/main/java"],"generated":["/gr/app/build/generated"],"classes":["/gr/app/build/classes/java/main"],"testClasses":["/gr/app/build/classes/java/test","/gr/app/build/resources/test"],"testSources":["/gr/app/src/test/java"],"release":"1.8","encoding":"UTF-8","jdk":null,"profiles":[],"classPath":["/gr/app/build/resources/main","/gr/core/build/classes/java/main","/gr/core/build/resources/main","/gr/core/build/classes/java/test","/gr/core/build/resources/test","/gr/inc/lib/build/classes/java/main","/gr/inc/lib/build/resources/main","/repo/junit/junit/4.13.2/junit-4.13.2.jar","/repo/org/hamcrest/hamcrest/debian/hamcrest-debian.jar"],"testOnly":["/gr/core/build/classes/java/test","/gr/core/build/resources/test","/repo/junit/junit/4.13.2/junit-4.13.2.jar","/repo/org/hamcrest/hamcrest/debian/hamcrest-debian.jar"],"problem":null}"#,
        ),
    ];

    /// As a build in Kotlin gives it, whose compiler is that of a toolchain: `javaCompiler` is Gradle's since 6.7, `release` since 6.6.
    const WITH_TOOLCHAIN: &str = r#"{"name":":service","folder":"/kt/service","packaging":"jar","sources":["/kt/service/src/main/java","/kt/service/src/main/kotlin"],"generated":["/kt/service/build/generated"],"classes":["/kt/service/build/classes/java/main","/kt/service/build/classes/kotlin/main"],"testClasses":["/kt/service/build/classes/java/test","/kt/service/build/classes/kotlin/test","/kt/service/build/resources/test"],"testSources":["/kt/service/src/test/java"],"release":"21","encoding":"UTF-8","jdk":"/jdks/temurin-21","profiles":[],"classPath":["/kt/service/build/resources/main","/repo/org.jetbrains.kotlin/kotlin-stdlib/2.1.0/kotlin-stdlib-2.1.0.jar","/repo/org.junit.jupiter/junit-jupiter-api/5.11.4/junit-jupiter-api-5.11.4.jar"],"testOnly":["/repo/org.junit.jupiter/junit-jupiter-api/5.11.4/junit-jupiter-api-5.11.4.jar"],"problem":null}"#;

    #[test]
    fn recorded_answers_are_read() {
        let folder = tempfile::tempdir().unwrap();
        for (name, json) in RECORDED {
            fs::write(folder.path().join(name), json).unwrap();
        }
        let modules = read_answers(folder.path()).unwrap();
        let [app, core] = &modules[..] else { panic!("{modules:?}") };
        assert_eq!((app.name.as_str(), core.name.as_str()), (":app", ":core"));
        let has = |path: &str| app.class_path.contains(&path.into());
        assert!(has("/gr/core/build/classes/java/main"), "the class folder of another project");
        assert!(has("/gr/inc/lib/build/classes/java/main"), "that of a project of an included build");
        assert_eq!(core.test_classes, app.test_only[..2], "the tests of another project");
        let names = |jars: &[PathBuf]| {
            jars.iter().filter_map(|jar| jar.file_name()?.to_str().map(str::to_owned)).collect::<Vec<_>>()
        };
        assert_eq!(names(&app.test_only[2..]), ["junit-4.13.2.jar", "hamcrest-debian.jar"]);
        assert!(modules.iter().all(|module| module.problem.is_none()));
        fs::write(folder.path().join("_z.json"), "{}").unwrap();
        assert!(
            read_answers(folder.path()).unwrap_err().starts_with("its answer cannot be read: missing field")
        );
    }

    #[test]
    fn a_toolchain_tells_the_jdk() {
        let module = Described::parse(WITH_TOOLCHAIN).unwrap();
        assert_eq!((module.jdk, module.release.as_deref()), (Some("/jdks/temurin-21".into()), Some("21")));
        assert_eq!((module.classes.len(), module.test_classes.len()), (2, 3));
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
