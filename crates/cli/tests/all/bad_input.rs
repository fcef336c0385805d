//! Bad input: one sentence on standard error, the right exit code, nothing on standard output, nothing written.

#![expect(clippy::disallowed_methods, reason = "tests read and write files")]

use crate::support;
use std::fs;
use std::path::Path;
use std::process::Command;

use cli::exit_code::ExitCode;
use coverage::criterion::CRITERIA;
use project::nearest::one_of;
use search::algorithm::ALGORITHMS;

const CLASSES: &str = "
//- /p/Outer.java
package p;
public class Outer {
    public static int one() { return 1; }
    public static class Inner { int two() { return 2; } }
    interface Nothing { void nothing(); }
}
//- /p/Marker.java
package p;
public @interface Marker {}
";

/// A folder with `good` (class files), `bad.jar` (no jar), `empty` and `file`.
fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(fixture::compile(CLASSES).folder, folder.path().join("good")).unwrap();
    fs::write(folder.path().join("bad.jar"), "no jar").unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    fs::create_dir_all(folder.path().join("empty")).unwrap();
    fs::create_dir_all(folder.path().join("broken/p")).unwrap();
    fs::write(folder.path().join("broken/p/Broken.class"), "no class file").unwrap();
    folder
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Runs `covolve generate` with these words in a project; `{}` in the expectation stands for the folder.
fn check(words: &str, code: ExitCode, expect: &str) {
    check_with(words, |_| (), code, expect);
}

fn check_with(words: &str, prepare: impl FnOnce(&mut Command), code: ExitCode, expect: &str) {
    let project = project();
    let before = names(project.path());
    let mut command = Command::new(support::covolve());
    command.arg("generate").args(words.split_whitespace()).current_dir(project.path());
    command.env("COVOLVE_CACHE", support::environment().cache.unwrap());
    prepare(&mut command);
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let folder = fs::canonicalize(project.path()).unwrap();
    let expect = expect.replace("{}", folder.to_str().unwrap());
    assert_eq!(text(&output.stderr), format!("covolve: {expect}\n"), "{words}");
    assert_eq!(text(&output.stdout), "", "{words}");
    assert_eq!(output.status.code(), Some(i32::from(code.number())), "{words}");
    assert_eq!(names(project.path()), before, "{words}");
}

#[test]
fn what_is_wrong_with_options_from_elsewhere_is_told_with_their_layer() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let path = file.path().to_str().unwrap();
    let check = |text: &str, variables: &[(&str, &str)], words: &str, expect: &str| {
        fs::write(file.path(), text).unwrap();
        let set = |command: &mut Command| {
            command.envs(variables.iter().copied());
        };
        let words = format!("--config {path} {words}");
        check_with(&words, set, ExitCode::Usage, &expect.replace("FILE", path));
    };
    check(
        "# ours\nbugdet = \"5s\"",
        &[],
        "",
        "FILE:2: bugdet is no option of `covolve generate`; did you mean 'budget'?",
    );
    check("seed = [1]", &[], "", "FILE:1: seed has one value, not a list; give it alone");
    check(
        "profile = \"paper-000\"",
        &[],
        "--cp good --class p.Outer --algorithm random",
        "--algorithm random contradicts --profile paper-000, which allows ma or ws; leave one of them out (--profile \
         comes from FILE:1)",
    );
    check(
        "class = \"p.Outer\"",
        &[("COVOLVE_SEED", "x")],
        "--cp good",
        "--seed x is not possible; give a whole number, 0 or more (--seed comes from environment COVOLVE_SEED)",
    );
}

#[test]
fn columns_that_are_none() {
    check(
        "--cp good --class p.Outer --report r --columns Coverage,Covrage",
        ExitCode::Usage,
        "--columns Covrage is no column of statistics.csv; docs/guide/tables.md lists them; did you mean 'Coverage'?",
    );
}

// tidy: one table of options and sentences
#[test]
fn wrong_options() {
    let usage = |words, expect| check(words, ExitCode::Usage, expect);
    check(
        "--class p.Outer --project empty",
        ExitCode::Input,
        "{}/empty holds no Maven or Gradle build and no compiled classes; go to the folder of a project or name it with \
         --project, or give a class path with --cp or --maven",
    );
    usage(
        "--cp good --class p.Outer --build",
        "--build is for a project, and --cp says that the classes are elsewhere; leave one of them out",
    );
    usage(
        "--maven a:b:1 --class p.Outer --project good",
        "--project is for a project, and --maven says that the classes are elsewhere; leave one of them out",
    );
    usage(
        "--cp good --prefix p --exclude a/b",
        "--exclude a/b is no pattern; give a class or package such as com.acme.gen, or with stars such as *Dto",
    );
    usage("--cp good", "no class is named; give --class, --prefix or --target");
    for islands in ["0", "65", "two", "-1"] {
        let words = format!("--cp good --class p.Outer --islands={islands}");
        let sentence = format!("--islands {islands} is not possible; give a whole number, 1 to 64, or auto");
        check(&words, ExitCode::Usage, &sentence);
    }
    usage("--bugdet 1s", "unexpected argument '--bugdet' found; did you mean '--budget'?");
    usage(
        "--cp good --class p.Outer --budget soon",
        "--budget soon is no budget; give a time such as 60s or 500ms, or executions such as 20000executions",
    );
    let criteria: Vec<&str> = CRITERIA.iter().map(|criterion| criterion.name()).collect();
    let algorithms: Vec<&str> = ALGORITHMS.iter().map(|row| row.name).collect();
    let (criteria, algorithms) = (one_of(&criteria), one_of(&algorithms));
    let unknown = |option: &str, word: &str, names: &str, near: &str| {
        let words = format!("--cp good --class p.Outer {option} {word}");
        check(&words, ExitCode::Usage, &format!("{option} {word} is not known; give {names}{near}"));
    };
    unknown("--algorithm", "simulated", &algorithms, "");
    unknown("--algorithm", "dynmosa", &algorithms, "; did you mean 'dynamosa'?");
    unknown("--criterion", "x", &criteria, "");
    unknown("--criterion", "brnach", &criteria, "; did you mean 'branch'?");
    unknown(
        "--goal-selection",
        "smrt",
        "smart-returns, smart, combine or representatives",
        "; did you mean 'smart'?",
    );
    unknown("--engine", "slrm", "local or slurm", "; did you mean 'slurm'?");
    usage(
        "--cp good --class p.Outer --shards 4",
        "--shards is for a cluster; give --engine slurm as well, or leave it out",
    );
    unknown("--solver", "smtlib", "built-in, search, bit-blasting or smt-lib", "; did you mean 'smt-lib'?");
    usage(
        "--cp good --class p.Outer --goal-selection combine --line-threshold 8",
        "--line-threshold says which lines --goal-selection smart leaves out, and the goal selection is combine; give \
         --goal-selection smart as well, or leave it out",
    );
    usage(
        "--cp good --class p.Outer --profile paper-000 --set population=7",
        "--set population=7 contradicts --profile paper-000, which allows 100, 5, 25, 50 or 75; leave one of them out",
    );
    usage(
        "--cp good --class p.Outer --profile paper-004 --criterion line",
        "--criterion line contradicts --profile paper-004, which allows branch, statement or strong-mutation; leave one of \
         them out",
    );
    usage(
        "--cp good --class p.Outer --set dynamic-pool=0.9",
        "--set static-pool=0.25 and dynamic-pool=0.9 are probabilities of which one excludes the other; give at most 1 \
         together",
    );
    usage(
        "--cp good --class p.Outer --timeline",
        "--timeline says what the tables of --report hold, and there is no --report; give --report DIR as well",
    );
    check(
        "--cp good --class p.Outer --report file",
        ExitCode::Output,
        "file cannot hold tables: it is no folder; give another --report",
    );
    usage("--cp good --class p.Outer --junit 3", "--junit 3 is not known; give auto, 5 or 4");
    usage(
        "--cp good --class p/Outer",
        "--class p/Outer is no name; give it as com.acme.Foo or 'com.acme.Outer$Inner'",
    );
}

#[test]
fn missing_classes() {
    let input = |words, expect| check(words, ExitCode::Input, expect);
    input("--cp good --class p.Outre", "the class path has no class p.Outre; did you mean p.Outer?");
    input("--cp good --class q.Outer", "the class path has no class q.Outer; did you mean p.Outer?");
    input(
        "--cp good --class p.Outer.Inner",
        "the class path has no class p.Outer.Inner; did you mean p.Outer$Inner?",
    );
    input(
        "--cp good --class org.acme.Foo",
        "the class path has no class org.acme.Foo; check --class and --cp",
    );
    input(
        "--cp good --class java.util.ArrayList",
        "java.util.ArrayList belongs to the JDK, not to the class path; only classes of --cp and --maven can be tested",
    );
    input("--cp good --class p.Marker", "p.Marker cannot be tested: it is an annotation without code");
    input(
        "--cp good --class p.Outer$Nothing",
        "p.Outer$Nothing cannot be tested: it is an interface without code",
    );
    input("--cp good --prefix org.acme", "the class path has no package org.acme; check --prefix and --cp");
    input(
        "--cp broken --class p.Broken",
        "the class file of p.Broken cannot be read (not a class file: it does not begin with the magic number); compile the class anew",
    );
}

#[test]
fn unusable_class_paths() {
    let input = |words, expect| check(words, ExitCode::Input, expect);
    input("--cp none --class p.Outer", "--cp names none, which does not exist; check the path");
    input("--cp good:none/* --class p.Outer", "--cp names none/*, which does not exist; check the path");
    input(
        "--cp good --class p.Outer --junit-cp none",
        "--junit-cp names none, which does not exist; check the path",
    );
}

#[test]
fn an_unreadable_jar() {
    let project = project();
    let output = Command::new(support::covolve())
        .args(["generate", "--cp", "bad.jar", "--class", "p.Outer"])
        .current_dir(project.path())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("bad.jar cannot be read as a jar: ") && text.ends_with("; check --cp\n"), "{text}");
    assert_eq!(text.lines().count(), 1);
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn unusable_jdks() {
    let input = |words, expect| check(words, ExitCode::Input, expect);
    input(
        "--cp good --class p.Outer --java-home none",
        "--java-home names none, which is no folder; give the home of a JDK",
    );
    input(
        "--cp good --class p.Outer --java-home empty",
        "--java-home names empty, which is no JDK: it has no bin/java; give the home of a JDK",
    );
    input(
        "--cp good --class p.Outer --source-level 98",
        &format!(
            "--source-level 98 is beyond the JDK, which is {}; give a newer one with --java-home",
            support::jdk().version
        ),
    );
    check_with(
        "--cp good --class p.Outer",
        |command| {
            command.env_remove("JAVA_HOME").env("PATH", "");
        },
        ExitCode::Input,
        "there is no JDK: no --java-home is given, JAVA_HOME is not set and no java is on the path; install a JDK (8 \
         or newer) or give --java-home",
    );
}

#[test]
fn no_junit_and_no_maven() {
    let home = support::jdk().home;
    let nobody = tempfile::tempdir().unwrap();
    check_with(
        "--cp good --class p.Outer --junit 4",
        |command| {
            command
                .env("JAVA_HOME", &home)
                .env("PATH", "")
                .env("HOME", nobody.path())
                .env_remove("MAVEN_OPTS");
            command.env("COVOLVE_CACHE", nobody.path().join("cache"));
        },
        ExitCode::Input,
        "there is no JUnit 4: neither the class path, --junit-cp nor the local Maven repository has it, and Maven is \
         needed to resolve junit:junit:4.13.2, but no mvn is on the path; install Maven or give the jars with --cp; \
         give it with --junit-cp",
    );
}

#[test]
fn unusable_output() {
    check(
        "--cp good --class p.Outer --out file",
        ExitCode::Output,
        "file cannot hold test files: it is no folder; give another --out",
    );
    let project = project();
    let out = project.path().join("out/p");
    fs::create_dir_all(&out).unwrap();
    let file = out.join("OuterCovolveTest.java");
    fs::write(&file, "package p; // mine").unwrap();
    let output = Command::new(support::covolve())
        .args(["generate", "--cp", "good", "--class", "p.Outer", "--out", "out"])
        .current_dir(project.path())
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "covolve: out/p/OuterCovolveTest.java has been edited; rename it, or give --force to overwrite it\n"
    );
    assert_eq!(output.status.code(), Some(4));
    assert_eq!(fs::read_to_string(&file).unwrap(), "package p; // mine");
}

/// A jar of these members.
fn jar(path: &Path, members: &[(&str, &[u8])]) {
    let mut writer = zip::ZipWriter::new(fs::File::create(path).unwrap());
    for (name, bytes) in members {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut writer, bytes).unwrap();
    }
    writer.finish().unwrap();
}

/// The class file of `p.Release` whose method gives this number.
fn release(number: u32) -> Vec<u8> {
    let source = format!(
        "//- /p/Release.java\npackage p;\npublic class Release {{ public static int number() {{ return {number}; }} }}\n"
    );
    fs::read(fixture::compile(&source).folder.join("p/Release.class")).unwrap()
}

/// Runs `covolve generate` on a class path of these entries; exit code, standard error and the files it wrote.
fn generate(
    class: &str,
    entries: &[String],
    prepare: impl FnOnce(&mut Command),
) -> (Option<i32>, String, Vec<String>) {
    let out = tempfile::tempdir().unwrap();
    let mut command = Command::new(support::covolve());
    command
        .args(["generate", "--class", class, "--budget", "50executions", "--cp", &entries.join(":"), "--out"])
        .arg(out.path())
        .env("COVOLVE_CACHE", support::environment().cache.unwrap());
    prepare(&mut command);
    let output = command.output().unwrap();
    let files = fs::read_dir(out.path().join("p")).into_iter().flatten();
    let files = files.map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap()).collect();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(said).unwrap(), files)
}

#[test]
fn long_class_paths_with_odd_names_in_a_locale_without_them() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("zwei Wörter");
    fs::create_dir(&folder).unwrap();
    let manifest = b"Manifest-Version: 1.0\r\nMulti-Release: true\r\n\r\n";
    // The first of many that define the class; the JDK of a test is 9 or newer, and no JDK is that new.
    jar(
        &folder.join("000 ß.jar"),
        &[
            ("META-INF/MANIFEST.MF", manifest),
            ("p/Release.class", &release(1)),
            ("META-INF/versions/8/p/Release.class", &release(8)),
            ("META-INF/versions/9/p/Release.class", &release(9)),
            ("META-INF/versions/999/p/Release.class", &release(999)),
        ],
    );
    for number in 1..300 {
        jar(&folder.join(format!("{number:03}.jar")), &[("p/Release.class", &release(1))]);
    }
    let entries = [folder.join("*").to_str().unwrap().to_owned()];
    let (code, said, files) = generate("p.Release", &entries, |command| {
        command.env("LC_ALL", "C");
    });
    let expect = if support::jdk().version < 9 { "(1," } else { "(9," };
    assert!(code == Some(0) && files.concat().contains(expect), "{said}{files:?}");
}

#[test]
fn jars_in_jars_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fat.jar");
    jar(&path, &[("BOOT-INF/lib/a.jar", b"")]);
    let (code, said, _) = generate("p.Release", &[path.to_str().unwrap().to_owned()], |_| ());
    assert_eq!(code, Some(3));
    assert_eq!(
        said,
        format!(
            "covolve: the class path has no class p.Release; check --class and --cp ({} holds jars such as \
             BOOT-INF/lib/a.jar, and no JVM looks into those: unpack it)\n",
            path.display()
        )
    );
}

#[test]
fn files_that_cannot_grow_end_in_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("p")).unwrap();
    fs::write(folder.path().join("p/Release.class"), release(1)).unwrap();
    // The cache is made before the limit holds.
    let entries = [folder.path().to_str().unwrap().to_owned()];
    let (code, _, _) = generate("p.Release", &entries, |_| ());
    assert_eq!(code, Some(0));
    let (code, said, files) = generate("p.Release", &entries, |command| {
        let limited = Command::new("/bin/sh");
        let inner = std::mem::replace(command, limited);
        command
            .args(["-c", "ulimit -f 0; exec \"$0\" \"$@\""])
            .arg(inner.get_program())
            .args(inner.get_args());
        command.env("COVOLVE_CACHE", support::environment().cache.unwrap());
    });
    assert_eq!((code, files.len()), (Some(4), 0), "{said}");
    assert!(said.contains("p.Release: no memory can be shared with the worker: File too large"), "{said}");
}

/// Has this thread, and what it starts, see a kernel without Landlock and seccomp.
fn hide_sandboxes() {
    use seccompiler::{
        BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
        SeccompRule,
    };
    let sets_filter = SeccompCondition::new(
        0,
        SeccompCmpArgLen::Dword,
        SeccompCmpOp::Eq,
        libc::PR_SET_SECCOMP.unsigned_abs().into(),
    );
    let rules = [
        (libc::SYS_landlock_create_ruleset, Vec::new()),
        (libc::SYS_seccomp, Vec::new()),
        (libc::SYS_prctl, vec![SeccompRule::new(vec![sets_filter.unwrap()]).unwrap()]),
    ];
    let missing = SeccompAction::Errno(libc::ENOSYS.unsigned_abs());
    let machine = std::env::consts::ARCH.try_into().unwrap();
    let filter = SeccompFilter::new(rules.into(), SeccompAction::Allow, missing, machine).unwrap();
    seccompiler::apply_filter(&BpfProgram::try_from(filter).unwrap()).unwrap();
}

#[test]
fn a_kernel_without_sandboxes_is_told_of_once() {
    hide_sandboxes();
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("p")).unwrap();
    fs::write(folder.path().join("p/Release.class"), release(7)).unwrap();
    let entries = [folder.path().to_str().unwrap().to_owned()];
    let (code, said, files) = generate("p.Release", &entries, |_| ());
    assert_eq!((code, files.len()), (Some(0), 1), "{said}");
    for sentence in [
        "files outside the scratch folder can be written: this kernel has no Landlock",
        "the network, signals to other processes and modes of files are not confined: seccomp: ",
    ] {
        assert_eq!(said.matches(sentence).count(), 1, "{sentence}: {said}");
    }
}
