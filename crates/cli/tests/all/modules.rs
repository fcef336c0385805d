//! `covolve generate` in the folder of a build of several modules, of which a Maven tells that only repeats a recorded answer.

#![expect(clippy::disallowed_methods, reason = "tests read and write files")]

use crate::support;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use project::request::JunitChoice;
use serde_json::{Value, json};

const CLASSES: &str = "
//- /p/Sign.java
package p;
public class Sign { public int of(int x) { return x < 0 ? -1 : 1; } }
//- /p/Twice.java
package p;
public class Twice { public int of(int x) { return 2 * x; } }
//- /p/UserDto.java
package p;
public class UserDto { public int name() { return 1; } }
//- /p/Marked.java
package p;
@Generated public class Marked { public int made() { return 1; } }
@interface Generated {}
//- /q/Next.java
package q;
public class Next { public int of(int x) { return x > 5 ? x : x + 1; } }
//- /q/Closed.java
package q;
public class Closed { private Closed() { } }
";

/// A wrapper of Maven that gives the recorded answer, and ends as Maven does when the extension has ended it. It can compile main
/// code and no tests.
const MVNW: &str = r#"
for word; do
    case "$word" in
        -Dcovolve.answer=*) cp modules.json "${word#*=}" ;;
        process-classes) cp -r compiled/one/target one; exit 0 ;;
        test-compile) echo "[ERROR] COMPILATION ERROR :"; exit 1 ;;
        *:apply@style) find src -name '*.java' -exec sed -i 's/^    /\t/' {} + ; exit 0 ;;
        *:format) find src -name '*.java' -exec sed -i 's/class /final class /' {} + ; exit 0 ;;
        *:sort) echo "[ERROR] No such import" ; exit 1 ;;
    esac
done
exit 1
"#;

/// A build with the modules `one` (JUnit 4), `two` (JUnit 5), which holds `p.Twice` as well, and `three`, which has no JUnit.
fn build() -> (tempfile::TempDir, PathBuf) {
    let compiled = fixture::compile(CLASSES);
    let folder = tempfile::tempdir().unwrap();
    let root = fs::canonicalize(folder.path()).unwrap();
    let classes = [
        ("one", "p/Sign"),
        ("one", "p/Twice"),
        ("one", "p/UserDto"),
        ("one", "p/Marked"),
        ("one", "p/Generated"),
        ("two", "q/Next"),
        ("two", "q/Closed"),
        ("two", "p/Twice"),
        ("three", "q/Next"),
    ];
    for (module, class) in classes {
        let file = root.join(module).join("target/classes").join(format!("{class}.class"));
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::copy(compiled.folder.join(format!("{class}.class")), file).unwrap();
    }
    let modules = [
        module(&root, "one", &support::junit(JunitChoice::Junit4).class_path),
        module(&root, "two", &support::junit(JunitChoice::Jupiter).class_path),
        module(&root, "three", &[]),
    ];
    fs::write(root.join("modules.json"), json!({ "modules": modules }).to_string()).unwrap();
    fs::write(root.join("mvnw"), MVNW).unwrap();
    fs::write(root.join("pom.xml"), "").unwrap();
    (folder, root)
}

fn module(root: &Path, name: &str, class_path: &[PathBuf]) -> Value {
    let folder = root.join(name);
    json!({
        "name": name, "folder": folder, "packaging": "jar", "sources": [folder.join("src/main/java")],
        "generated": [folder.join("target/generated-sources")], "classes": [folder.join("target/classes")],
        "testSources": [folder.join("src/test/java")], "classPath": class_path, "testOnly": class_path, "release": "8",
        "encoding": "UTF-8", "jdk": null, "profiles": [], "problem": null,
    })
}

fn generate(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(support::covolve());
    command.args(["generate", "--budget", "100executions"]).args(words).current_dir(folder);
    command.env("COVOLVE_CACHE", support::environment().cache.unwrap());
    command.output().unwrap()
}

fn notes(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The Java files below a folder.
fn tests_in(root: &Path) -> BTreeSet<PathBuf> {
    let mut files = BTreeSet::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "java") {
                files.insert(path.strip_prefix(root).unwrap().to_owned());
            }
        }
    }
    files
}

#[test]
fn every_module_gets_its_tests_for_its_junit() {
    let (_folder, root) = build();
    let output = generate(&root, &["--exclude", "*Dto"]);
    let said = notes(&output);
    let tests = [
        "one/src/test/java/p/SignCovolveTest.java",
        "one/src/test/java/p/TwiceCovolveTest.java",
        "two/src/test/java/p/TwiceCovolveTest.java",
        "two/src/test/java/q/NextCovolveTest.java",
    ];
    assert_eq!(tests_in(&root), tests.iter().map(PathBuf::from).collect(), "{said}");
    let text = |test: &str| fs::read_to_string(root.join(test)).unwrap();
    assert!(text(tests[0]).contains("import org.junit.Test;"));
    assert!(text(tests[3]).contains("import org.junit.jupiter.api.Test;"));
    // What cannot have tests is said, and is in the exit code.
    assert!(
        said.contains(
            "covolve: p.Marked is not tested: it was generated, as its annotation p.Generated says"
        ),
        "{said}"
    );
    assert!(
        said.contains("covolve: three has no JUnit 4 or newer on the class path of its tests; add"),
        "{said}"
    );
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn tests_look_like_those_that_people_wrote_and_are_replaced_all_the_same() {
    let (_folder, root) = build();
    let tests = root.join("one/src/test/java/p");
    fs::create_dir_all(&tests).unwrap();
    let licence = |year: u16| format!("/*\n * \u{a9} {year} Acme\n */\n\n");
    for year in [2019, 2020, 2020] {
        let name = format!("Hand{}Test.java", fs::read_dir(&tests).unwrap().count());
        let text = format!(
            "{}package p;\n\nclass Some {{\n\tint one() {{\n\t\treturn 1;\n\t}}\n}}\n",
            licence(year)
        );
        fs::write(tests.join(name), text).unwrap();
    }
    fs::write(root.join("one/.editorconfig"), "root = true\n[*.java]\nend_of_line = crlf\n").unwrap();
    for seed in ["1", "2"] {
        let output = generate(&root, &["--class", "p.Sign", "--seed", seed]);
        assert_eq!(output.status.code(), Some(0), "{}", notes(&output));
    }
    let text = fs::read_to_string(tests.join("SignCovolveTest.java")).unwrap();
    assert!(
        text.starts_with(
            &format!("{}package p;\n\n// Generated by Covolve", licence(2020)).replace('\n', "\r\n")
        ),
        "{text}"
    );
    assert!(text.contains("\r\n\t@Test\r\n\tpublic void ") && text.contains("\r\n\t\t"), "{text}");
    assert!(!text.contains("    ") && text.replace("\r\n", "").find('\n').is_none(), "{text}");
    fs::write(tests.join("SignCovolveTest.java"), text.replace("void ", "void my")).unwrap();
    assert_eq!(generate(&root, &["--class", "p.Sign"]).status.code(), Some(4), "it has been edited");
}

/// The build, whose module `one` has a plugin.
fn with_plugin(plugin: &str, goal: &str) -> (tempfile::TempDir, PathBuf) {
    let (folder, root) = build();
    let mut answer: Value = serde_json::from_slice(&fs::read(root.join("modules.json")).unwrap()).unwrap();
    let executions = if goal == "apply" { json!([{ "id": "style", "goals": ["check"] }]) } else { json!([]) };
    answer["modules"][0]["plugins"] = json!([{ "name": plugin, "executions": executions }]);
    fs::write(root.join("modules.json"), answer.to_string()).unwrap();
    (folder, root)
}

#[test]
fn new_files_are_formatted_as_the_build_wants_them_and_nothing_else_is() {
    let (_folder, root) = with_plugin("com.diffplug.spotless:spotless-maven-plugin", "apply");
    let tests = root.join("one/src/test/java/p");
    let hand = "package p;\nclass HandTest {\n    int one;\n}\n";
    fs::create_dir_all(&tests).unwrap();
    fs::write(tests.join("HandTest.java"), hand).unwrap();
    let sign = || fs::read_to_string(tests.join("SignCovolveTest.java")).unwrap();
    let output = generate(&root, &["--class", "p.Sign", "--formatter", "never"]);
    assert!(sign().contains("\n    @Test\n"), "{}", notes(&output));
    let words = ["--class", "p.Sign", "--seed", "1", "--class", "p.Twice"];
    let output = generate(&root.join("one"), &[&words[..4], &["--project", ".."]].concat());
    let said = notes(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("covolve: formatting 1 file with spotless-maven-plugin\n"), "{said}");
    assert!(sign().contains("\n\t@Test\n"), "{}", sign());
    assert_eq!(fs::read_to_string(tests.join("HandTest.java")).unwrap(), hand, "it is a person's");
    // It is no edit, and nothing that is done again.
    let before = sign();
    let said = notes(&generate(&root, &words[..4]));
    assert!(!said.contains("formatting") && said.contains("unchanged since an earlier run"), "{said}");
    assert_eq!(sign(), before);
}

#[test]
fn a_formatter_that_fails_or_does_more_is_told_of_and_changes_nothing() {
    let check = |plugin: &str, goal: &str, expect: &str| {
        let (_folder, root) = with_plugin(plugin, goal);
        let output = generate(&root, &["--class", "p.Sign"]);
        let said = notes(&output);
        assert!(said.replace(&root.display().to_string(), "").contains(expect), "{said}");
        let text = fs::read_to_string(root.join("one/src/test/java/p/SignCovolveTest.java")).unwrap();
        assert!(text.contains("public class SignCovolveTest"), "{text}");
    };
    check(
        "com.spotify.fmt:fmt-maven-plugin",
        "format",
        "covolve: /one/src/test/java/p/SignCovolveTest.java is not formatted as the build wants it: fmt-maven-plugin would \
         change more than its form",
    );
    check(
        "net.revelc.code:impsort-maven-plugin",
        "sort",
        "covolve: new test files in /one are not formatted as the build wants them: impsort-maven-plugin fails: No such \
         import; format them by hand, or give --formatter never to leave that to the build",
    );
}

#[test]
fn a_class_names_its_module_and_a_folder_names_one() {
    let (_folder, root) = build();
    let check = |folder: &str, words: &[&str], expect: &str| {
        let output = generate(&root.join(folder), words);
        let said = notes(&output);
        assert!(said.lines().any(|line| line == format!("covolve: {expect}")), "{said}");
        assert!(output.status.code().is_some_and(|code| code == 2 || code == 3));
        assert_eq!(tests_in(&root), BTreeSet::new(), "{words:?}");
    };
    let no_junit = "three has no JUnit 4 or newer on the class path of its tests; add junit-jupiter to the build, or give \
                    --out a folder that it does not compile";
    check("", &["--exclude", "*"], no_junit);
    check(
        "one",
        &["--project", "target", "--exclude", "*"],
        "no class of the project can be tested; name another with --project",
    );
    check(
        "one",
        &[
            "--project",
            "target",
            "--exclude",
            "p.Sign",
            "--exclude",
            "p.Twice",
            "--exclude",
            "*Dto",
            "--exclude",
            "p.Marked",
        ],
        "no class of the project can be tested (p.Generated is not tested: it is an annotation without code); name another \
         with --project",
    );
    check(
        "",
        &["--class", "p.Twice"],
        "p.Twice is in the modules one and two; name the folder of one of them with --project",
    );
    check(
        "",
        &["--class", "p.Nxt"],
        "no module has a class p.Nxt; check --class and that all is compiled (--build)",
    );
    check(
        "",
        &["--out", "tests"],
        "p.Twice is in several modules, and --out is one folder for the tests of all; leave --out out, or name the folder \
         of one module with --project",
    );
    fs::write(root.join("two/pom.xml"), "").unwrap();
    let output = generate(&root.join("two"), &["--class", "p.Twice"]);
    assert_eq!(output.status.code(), Some(0), "{}", notes(&output));
    let expect = BTreeSet::from([PathBuf::from("two/src/test/java/p/TwiceCovolveTest.java")]);
    assert_eq!(tests_in(&root), expect);
}

/// What another command says in a folder: output, then messages.
fn covolve(folder: &Path, words: &[&str]) -> (String, String) {
    let mut command = Command::new(support::covolve());
    command.args(words).current_dir(folder).env("COVOLVE_CACHE", support::environment().cache.unwrap());
    let output = command.output().unwrap();
    (String::from_utf8(output.stdout.clone()).unwrap(), notes(&output))
}

#[test]
fn a_module_and_the_whole_build_know_the_same() {
    let (_folder, root) = build();
    let two = root.join("two");
    fs::write(two.join("pom.xml"), "").unwrap();
    // `q.Closed` cannot be tested, which every run says.
    let check = |folder: &Path, expect: &[&str]| {
        let said = notes(&generate(folder, &["--exclude", "*Dto", "--jobs", "1"]));
        let started =
            said.lines().filter_map(|line| line.strip_prefix("covolve: ")?.strip_suffix(": started"));
        assert_eq!(started.collect::<BTreeSet<_>>(), expect.iter().copied().collect(), "{said}");
    };
    check(&root, &["p.Sign", "p.Twice", "q.Closed", "q.Next"]);
    check(&two, &["q.Closed"]);
    let next = two.join("src/test/java/q/NextCovolveTest.java");
    fs::remove_file(&next).unwrap();
    check(&two, &["q.Closed", "q.Next"]);
    assert!(next.is_file() && root.join(".covolve").is_dir() && !two.join(".covolve").exists());
    check(&root, &["q.Closed"]);
    // A module's report tells of it alone.
    let check = |folder: &Path, expect: &[&str]| {
        let (lcov, said) = covolve(folder, &["report", "--format", "lcov", "--out", "-"]);
        let files: BTreeSet<&str> = lcov.lines().filter_map(|line| line.strip_prefix("SF:")).collect();
        assert_eq!(files, expect.iter().copied().collect(), "{said}");
    };
    check(&two, &["p/Twice.java", "q/Next.java"]);
    check(&root, &["p/Sign.java", "p/Twice.java", "q/Next.java"]);
    let (rows, said) = covolve(&two, &["check", "--json"]);
    assert_eq!(rows.lines().count(), 2, "{said}");
}

#[test]
fn a_folder_of_classes_gets_tests_beside_them() {
    let (_folder, root) = build();
    let output = generate(&root.join("two/target"), &["--prefix", "q"]);
    assert_eq!(output.status.code(), Some(0), "{}", notes(&output));
    let expect = BTreeSet::from([PathBuf::from("two/target/covolve-tests/q/NextCovolveTest.java")]);
    assert_eq!(tests_in(&root), expect);
    // A class that nobody can test is an error only where it was asked for.
    let reason =
        "covolve: q.Closed: q.Closed has no constructor, method or field that a test in its package may use";
    assert!(notes(&output).contains(reason), "{}", notes(&output));
    let output = generate(&root.join("two/target"), &["--class", "q.Closed"]);
    assert_eq!(output.status.code(), Some(3), "{}", notes(&output));
}

#[test]
fn main_code_is_compiled_on_demand_and_tests_are_not() {
    let (_folder, root) = build();
    fs::create_dir_all(root.join("compiled/one")).unwrap();
    fs::rename(root.join("one/target"), root.join("compiled/one/target")).unwrap();
    fs::create_dir_all(root.join("one/src/main/java/p")).unwrap();
    fs::write(root.join("one/src/main/java/p/Sign.java"), "").unwrap();
    fs::write(root.join("one/pom.xml"), "").unwrap();
    let said = notes(&generate(&root.join("one"), &[]));
    assert!(said.contains("covolve: one is not compiled; compile it, or give --build\n"), "{said}");
    let output = generate(&root, &["--build", "--class", "p.Sign"]);
    assert_eq!(output.status.code(), Some(0), "{}", notes(&output));
    assert!(root.join("one/src/test/java/p/SignCovolveTest.java").is_file());
}

#[test]
fn classes_that_are_older_than_their_sources_are_told_of_at_the_end_as_well() {
    let (_folder, root) = build();
    fs::create_dir_all(root.join("one/src/main/java/p")).unwrap();
    fs::write(root.join("one/src/main/java/p/Sign.java"), "").unwrap();
    let output = generate(&root, &["--exclude", "*Dto"]);
    let one_line =
        |bytes: &[u8]| String::from_utf8_lossy(bytes).split_whitespace().collect::<Vec<_>>().join(" ");
    let stale = "one: src/main/java/p/Sign.java is newer than its class; compile it, or give --build";
    for (said, expect) in
        [(&output.stderr, format!("covolve: {stale}")), (&output.stdout, format!(" but {stale} "))]
    {
        let said = one_line(said);
        assert_eq!(said.matches(&expect).count(), 1, "{expect}: {said}");
    }
}

/// Does something else where its tests bring a plugin.
const HOST: &str = r#"
//- /p/Host.java
package p;
public class Host {
    public static String plugin() {
        try { Class.forName("t.Plugin"); return "plugged in"; } catch (ClassNotFoundException absent) { return "bare"; }
    }
    public static int twice(int x) { return 2 * x; }
}
"#;

const PLUGIN: &str = "
//- /t/Plugin.java
package t;
public class Plugin { }
";

#[test]
fn tests_are_verified_with_what_a_build_runs_them_with() {
    let (folder, root) = build();
    let (host, plugin) = (fixture::compile(HOST), fixture::compile(PLUGIN));
    let of_junit = support::junit(JunitChoice::Jupiter).class_path;
    let check = |libraries: &[PathBuf], test_classes: &[PathBuf], expect: bool| {
        let mut module = module(&root, "one", &[of_junit.as_slice(), libraries].concat());
        module["classes"] = json!([host.folder]);
        module["testClasses"] = json!(test_classes);
        fs::write(root.join("modules.json"), json!({ "modules": [module] }).to_string()).unwrap();
        let output = generate(folder.path(), &["--fresh", "--force"]);
        let text = fs::read_to_string(root.join("one/src/test/java/p/HostCovolveTest.java"));
        let text = text.unwrap_or_else(|error| panic!("{error}: {}", notes(&output)));
        assert!(text.contains("twice("), "{text}");
        assert_eq!(text.contains("\"bare\""), expect, "{text}");
        assert!(!text.contains("plugged"), "{text}");
    };
    check(&[], &[], true);
    check(std::slice::from_ref(&plugin.folder), &[], false);
    check(&[], std::slice::from_ref(&plugin.folder), false);
}

const SPEAKER: &str = r#"
//- /p/Speaker.java
package p;
public class Speaker { public static void greet() { System.out.println("Hello"); } }
"#;

/// Asks for a system property.
const ASKER: &str = r#"
//- /p/Speaker.java
package p;
public class Speaker { public static String greet() { return Boolean.getBoolean("loud") ? "HELLO" : "Hello"; } }
"#;

#[test]
fn tests_that_look_at_what_is_printed_or_set_what_is_the_jvms_run_alone_where_classes_run_side_by_side() {
    let (folder, root) = build();
    let resources = tempfile::tempdir().unwrap();
    let check = |sources: &str, shows: &str, (junit, parallel): (JunitChoice, &str), expect: bool| {
        let speaker = fixture::compile(sources);
        let settings = format!("junit.jupiter.execution.parallel.enabled = {parallel}\n");
        fs::write(resources.path().join("junit-platform.properties"), settings).unwrap();
        let mut module = module(&root, "one", &support::junit(junit).class_path);
        module["classes"] = json!([speaker.folder]);
        module["testClasses"] = json!([resources.path()]);
        fs::write(root.join("modules.json"), json!({ "modules": [module] }).to_string()).unwrap();
        let output = generate(folder.path(), &["--force"]);
        let text = fs::read_to_string(root.join("one/src/test/java/p/SpeakerCovolveTest.java"));
        let text = text.unwrap_or_else(|error| panic!("{error}: {}", notes(&output)));
        assert!(text.contains(shows), "{text}");
        let isolated = "import org.junit.jupiter.api.parallel.Isolated;\n";
        assert_eq!(text.contains(isolated), expect, "{text}");
        assert_eq!(text.contains("\n@Isolated\nclass SpeakerCovolveTest {\n"), expect, "{text}");
    };
    for (sources, shows) in [(SPEAKER, "printedOut"), (ASKER, "restoreSettings")] {
        check(sources, shows, (JunitChoice::Jupiter, "true"), true);
        check(sources, shows, (JunitChoice::Jupiter, "false"), false);
        check(sources, shows, (JunitChoice::Junit4, "true"), false);
    }
}

#[test]
fn another_version_of_what_only_tests_need_has_tests_made_anew() {
    let (folder, root) = build();
    let library = |version: &str| {
        let path = root.join(format!("plugin-{version}.jar"));
        zip::ZipWriter::new(fs::File::create(&path).unwrap()).finish().unwrap();
        path
    };
    let run = |version: &str| {
        let class_path = [support::junit(JunitChoice::Jupiter).class_path, vec![library(version)]].concat();
        let module = module(&root, "one", &class_path);
        fs::write(root.join("modules.json"), json!({ "modules": [module] }).to_string()).unwrap();
        notes(&generate(folder.path(), &["--class", "p.Sign"])).contains("unchanged since an earlier run")
    };
    assert_eq!(["1", "1", "2", "2"].map(run), [false, true, false, true]);
}
