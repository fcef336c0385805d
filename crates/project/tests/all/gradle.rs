//! Gradle builds: what Gradle is told, by one that writes it down, and how real builds are read where the machine has a Gradle.

#![expect(clippy::disallowed_methods, reason = "tests write builds")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use project::build::command::{Program, Surroundings};
use project::build::requests::requests;
use project::build::tool::{Build, discover};
use project::environment::Environment;
use project::failure::Failure;
use project::jdk::Jdk;
use project::request::{Place, Request};

/// Writes down its arguments, and answers with what the test has put beside it.
const FAKE: &str = "#!/bin/sh
here=$(dirname \"$0\")
for word in \"$@\"; do
    echo \"$word\" >>\"$here/arguments\"
    case $word in -Dcovolve.answers=*) cp -r \"$here/answers/.\" \"${word#*=}\" ;; esac
done
";

const ANSWER: &str = r#"{"name":"a","folder":"/a","packaging":"jar","sources":["/"],"generated":[],"classes":[],"testSources":[],
"release":null,"encoding":null,"jdk":null,"profiles":[],"classPath":[],"testOnly":[],"problem":null}"#;

fn write(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let file = folder.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
}

fn discovered(folder: &Path, compile: bool, environment: &Environment) -> Result<Build, Failure> {
    let jdk = Jdk::find(Some(&fixture::java_home()), environment).unwrap();
    let words = ["-Pfast".to_owned(), "-Dx=y".to_owned()];
    discover(folder, compile, Surroundings { environment, jdk: &jdk, words: &words, note: &|_| () })
}

/// What is read of a build whose Gradle answers with these files, and the words that Gradle was given.
fn faked(answers: &[(&str, &str)]) -> (Result<usize, String>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &[("bin/gradle", FAKE), ("project/build.gradle", ""), ("bin/answers/none", "")]);
    write(&folder.path().join("bin/answers"), answers);
    let bin = folder.path().join("bin");
    fs::set_permissions(bin.join("gradle"), fs::Permissions::from_mode(0o755)).unwrap();
    let environment = Environment { path: bin.clone().into(), ..Environment::read() };
    let found = discovered(&folder.path().join("project"), false, &environment);
    let words = fs::read_to_string(bin.join("arguments")).unwrap();
    let place =
        |text: String| text.replace(&fs::canonicalize(folder.path()).unwrap().display().to_string(), "");
    let found = found.map(|build| build.modules.len()).map_err(|failure| place(failure.sentence));
    (found, words.lines().map(str::to_owned).collect())
}

#[test]
fn what_gradle_remembers_of_being_asked_lies_outside_of_the_build() {
    let (found, words) = faked(&[("modules/a.json", ANSWER)]);
    assert_eq!(found, Ok(1));
    let place = words.iter().position(|word| word == "--project-cache-dir").expect("it is told where");
    let cache = Path::new(&words[place + 1]);
    assert!(cache.is_absolute() && !cache.ends_with("project/.gradle"), "{words:?}");
    assert!(words.contains(&"-Dorg.gradle.problems.report=false".to_owned()), "{words:?}");
    assert!(!cache.exists(), "it is temporary");
    assert_eq!(words[..2], ["-Pfast", "-Dx=y"], "what the user wants it to be told");
}

#[test]
fn builds_that_hold_nothing_for_tests_are_one_sentence() {
    let check = |answers: &[(&str, &str)], expect: &str| assert_eq!(faked(answers).0, Err(expect.to_owned()));
    check(
        &[],
        "no project of the Gradle build in /project has the Java plugin; name the folder of one that has with --project, or \
         give a class path with --cp",
    );
    check(
        &[("unread", "/project/settings.gradle.kts\n/project/a/build.gradle.kts\n")],
        "gradle does not read /project/settings.gradle.kts: scripts in Kotlin take Gradle 5 or newer; give the build a \
         wrapper, gradlew, of such a Gradle, or put one on the path",
    );
}

/// The environment, where its Gradle runs on its JDK.
fn with_gradle() -> Option<Environment> {
    let environment = Environment::read();
    let jdk = Jdk::find(None, &environment).unwrap();
    let surroundings = Surroundings { environment: &environment, jdk: &jdk, words: &[], note: &|_| () };
    let gradle = Program::find("gradlew", "gradle", &[], surroundings)?;
    let runs = gradle.run(&std::env::temp_dir(), surroundings, &["--version".to_owned()]);
    runs.is_ok_and(|output| output.status.success()).then_some(environment)
}

/// A build without a JVM that outlives it.
fn build(files: &[(&str, &str)]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let root = fs::canonicalize(folder.path()).unwrap();
    write(&root, &[("gradle.properties", "org.gradle.daemon=false\n")]);
    write(&root, files);
    (folder, root)
}

#[test]
fn projects_without_java_are_passed_over_and_included_builds_stay_on_class_paths() {
    let Some(environment) = with_gradle() else { return };
    let (_folder, root) = build(&[
        ("settings.gradle", "rootProject.name = 'root'\ninclude 'app', 'core', 'docs'\nincludeBuild 'inc'\n"),
        (
            "app/build.gradle",
            "apply plugin: 'java-library'\ndependencies { api project(':core'); api 'inc.group:lib:1' }\n",
        ),
        ("core/build.gradle", "apply plugin: 'java-library'\n"),
        ("docs/build.gradle", ""),
        ("inc/settings.gradle", "include 'lib'\n"),
        ("inc/lib/build.gradle", "apply plugin: 'java-library'\ngroup = 'inc.group'\nversion = '1'\n"),
        ("app/src/main/java/app/A.java", "package app; public class A {}"),
        ("core/src/main/java/core/C.java", "package core; public class C {}"),
        ("core/build/classes/java/main/core/C.class", ""),
        ("inc/lib/src/main/java/lib/L.java", "package lib; public class L {}"),
        ("inc/lib/build/classes/java/main/lib/L.class", ""),
    ]);
    let build = discovered(&root, false, &environment).unwrap();
    let names: Vec<&str> = build.modules.iter().map(|module| module.name.as_str()).collect();
    assert_eq!(names, [":app", ":core"]);
    assert_eq!(build.modules[0].problem, None);
    let expect =
        ["core/build/classes/java/main", "inc/lib/build/classes/java/main"].map(|name| root.join(name));
    assert_eq!(build.modules[0].class_path(), expect, "nothing of it is packaged");
    assert!(!root.join(".gradle").exists(), "nothing is written into the build");
}

#[test]
fn new_files_get_the_form_of_the_build_and_no_other_file_does() {
    let Some(environment) = with_gradle() else { return };
    let formatter = "apply plugin: 'java'\ntask spotlessApply { doLast {\nfileTree('src').each { it.text = \
                     it.text.replace('    ', '\\t') } } }\n";
    let (_folder, root) = build(&[
        ("settings.gradle", "rootProject.name = 'root'\ninclude 'app'\n"),
        ("app/build.gradle", formatter),
        ("app/src/main/java/app/A.java", "package app;\nclass A {\n    int a;\n}\n"),
        ("app/build/classes/java/main/app/A.class", ""),
        ("app/src/test/java/app/ATest.java", "class ATest {\n    int a;\n}\n"),
        ("app/src/test/java/app/HandTest.java", "class HandTest {\n    int a;\n}\n"),
    ]);
    let place = Place::Project { folder: root.clone(), build: false, words: Vec::new() };
    let asked = Request { place, java_home: Some(fixture::java_home()), ..Request::default() };
    let requests = requests(&asked, &environment, &|_| ()).unwrap();
    let form = requests.modules[0].form.as_ref().unwrap();
    assert_eq!(form.names(), "app:spotlessApply");
    let file = |name: &str| root.join("app/src/test/java/app").join(name);
    form.apply(&[file("ATest.java")], &|_| false, &environment, &|_| ()).unwrap();
    let text = |name: &str| fs::read_to_string(file(name)).unwrap();
    assert_eq!(text("ATest.java"), "class ATest {\n\tint a;\n}\n");
    assert_eq!(text("HandTest.java"), "class HandTest {\n    int a;\n}\n", "a person has written it");
    assert!(!root.join(".gradle").exists() && !root.join("app/.gradle").exists());
}

#[test]
fn a_build_without_java_is_told_as_such_when_it_is_compiled_as_well() {
    let Some(environment) = with_gradle() else { return };
    let (_folder, root) = build(&[("settings.gradle", "rootProject.name = 'root'\n"), ("build.gradle", "")]);
    for compile in [false, true] {
        let sentence = discovered(&root, compile, &environment).unwrap_err().sentence;
        assert!(sentence.starts_with("no project of the Gradle build in "), "{sentence}");
    }
}
