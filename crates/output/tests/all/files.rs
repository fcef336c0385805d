//! Tests that prepare files in a folder of their own: `javac` and a plain JVM are the judges, in every style.

use std::process::Command;

use crate::common::{TestBuilder, junit_stub, random_tests};
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use coverage::goal::GoalSet;
use output::asserted_test::AssertedTest;
use output::junit::printed::PrintedSuite;
use output::junit::style::JunitStyle;
use output::junit::writer::JunitWriter;
use testcase::assertion::{FileState, ObservationTarget, ObservedValue, SeenFile};
use testcase::cluster::build::{ClusterOptions, ClusterRequest, build};
use testcase::cluster::folder::{Act, FolderCall, Form};
use testcase::cluster::{Callable, CallableId, StaticConstants, TestCluster};
use testcase::statement::{Statement, VarRef};
use testcase::value::Value;

const SOURCES: &str = r#"
//- /p/Reader.java
package p;

import java.io.*;
import java.nio.file.*;
import java.util.*;

public class Reader {
    public static String look(File file) throws IOException {
        if (!file.exists()) { return "absent"; }
        return file.isDirectory() ? Arrays.toString(file.list()) : Files.readAllLines(file.toPath()).toString();
    }
    public static void save(File folder) throws IOException {
        Path path = folder.toPath();
        Files.write(path.resolve("out.txt"), Arrays.asList("one", "two"));
        Files.write(path.resolve("word"), "word".getBytes());
        Files.write(path.resolve("bytes"), new byte[] {-1, 0});
        Files.createFile(path.resolve("empty"));
        Files.createDirectory(path.resolve("new"));
        Files.delete(path.resolve("old.txt"));
    }
    public static void write(File file) throws IOException { Files.write(file.toPath(), "word".getBytes()); }
    public static void remove(File folder) { folder.delete(); }
    public static void append(Path path) throws IOException { Files.write(path, "more".getBytes(), StandardOpenOption.APPEND); }
    public static String see(Path path) throws IOException { return look(path.toFile()); }
    public static String read(String name) throws IOException { return look(new File(name)); }
}
"#;

struct World {
    hierarchy: ClassHierarchy,
    cluster: TestCluster,
    folder: String,
}

/// With the classes of Java 8, or of the JDK at hand.
fn world(is_java_8: bool) -> World {
    let sources = format!("{}\n{SOURCES}", junit_stub::sources());
    let compiled = fixture::compile_with(&sources, &["-g", "-parameters"]);
    let hierarchy = if is_java_8 { compiled.hierarchy_of_java_8() } else { compiled.hierarchy() };
    let class_under_test = ClassName::from("p/Reader");
    let request = ClusterRequest { goal_classes: vec![class_under_test.clone()], class_under_test };
    let cluster = build(&hierarchy, &request, StaticConstants::default(), &[], &ClusterOptions::default())
        .expect("a cluster is built");
    World { hierarchy, cluster, folder: compiled.folder.to_str().expect("a path in UTF-8").to_owned() }
}

impl World {
    fn print(&self, style: JunitStyle, suite: &[AssertedTest]) -> PrintedSuite {
        let class = self.cluster.class_under_test.clone().expect("a class under test");
        let goals = GoalSet::default();
        let printed = JunitWriter::new(&self.cluster, &self.hierarchy, &goals, class, style).write(suite);
        assert!(printed.refused.is_empty(), "{:?}", printed.refused);
        printed
    }

    /// Compiles the file strictly, and gives its text and where its classes are.
    fn compile(&self, style: JunitStyle, suite: &[AssertedTest]) -> (PrintedSuite, fixture::Compiled) {
        let printed = self.print(style, suite);
        let source = format!("//- /{}\n{}", printed.path(), printed.text);
        let compiled = fixture::compile_strictly(&source, &["-cp", &self.folder]);
        (printed, compiled)
    }

    fn passes(&self, style: JunitStyle, suite: &[AssertedTest]) -> String {
        let (printed, compiled) = self.compile(style, suite);
        let class_path = format!("{}:{}", self.folder, compiled.folder.display());
        let mut command = Command::new(fixture::java_home().join("bin/java"));
        command.args(["-cp", &class_path, "runner.Main", &printed.class.binary()]);
        let output = command.output().expect("java starts");
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        assert!(output.status.success() && said.is_empty(), "{said}\n{}", printed.text);
        printed.text
    }

    fn of_folder(&self, act: Act, form: Form) -> CallableId {
        let callables = &self.cluster.callables;
        let is = |callable| FolderCall::of(callable) == Some(FolderCall { act, form });
        callables.iter().position(is).map(CallableId::from).expect("the cluster has it")
    }

    /// A test that does these things, the last of which gives a file, or none before the first fills it, and looks at the file.
    fn test(&self, form: Form, acts: &[(Act, &[&str])], expect: &str) -> AssertedTest {
        let mut test = TestBuilder::default();
        let mut file = None;
        for (act, texts) in acts {
            let mut arguments: Vec<VarRef> =
                file.into_iter().filter(|_| matches!(act, Act::Write | Act::Put)).collect();
            arguments.extend(texts.iter().map(|&text| test.value(Value::String(text.into()))));
            let made = test.call_static(self.of_folder(*act, form), &arguments);
            file = file.or(Some(made));
        }
        let name = match form {
            Form::File => "look",
            Form::Path => "see",
            Form::Name => "read",
        };
        let seen = test.call_static(self.method(name), &[file.expect("a file")]);
        let expect = ObservedValue::Primitive(Value::String(expect.into()));
        test.assert(ObservationTarget::Value(seen), expect);
        let test = test.finish();
        assert_eq!(test.test.validate(&self.cluster), Ok(()));
        test
    }

    fn method(&self, name: &str) -> CallableId {
        let method = self.cluster.callables.iter().position(|callable| &*callable.name == name);
        CallableId::from(method.expect("a method"))
    }

    fn suite(&self, form: Form) -> Vec<AssertedTest> {
        let test = |acts: &[(Act, &[&str])], expect: &str| self.test(form, acts, expect);
        let mut suite = vec![
            test(&[(Act::Folder, &[])], "[]"),
            test(&[(Act::File, &["a.txt"])], "absent"),
            test(&[(Act::Written, &["a.txt", "a\nb"])], "[a, b]"),
            test(&[(Act::Made, &["dir"])], "[]"),
        ];
        if form == Form::Name {
            // Nothing is done to a file by its name.
            return suite;
        }
        suite.extend([
            test(&[(Act::File, &["b.txt"]), (Act::Write, &["text"])], "[text]"),
            test(&[(Act::Folder, &[]), (Act::Put, &["c.txt", "text"])], "[c.txt]"),
            test(&[(Act::Folder, &[]), (Act::Written, &["d.txt", ""])], "[d.txt]"),
        ]);
        suite
    }
}

/// Checks that each of these lines is there.
fn check_lines(text: &str, lines: &[&str]) {
    for line in lines {
        assert!(text.lines().any(|known| known.trim() == *line), "{line}\n{text}");
    }
}

#[test]
fn files_are_prepared_as_a_person_does_it_in_a_folder_of_junit() {
    let world = world(false);
    for form in [Form::File, Form::Path, Form::Name] {
        let suite = world.suite(form);
        world.passes(JunitStyle::Junit4, &suite);
        let old = world.passes(JunitStyle::Junit413, &suite);
        let new = world.passes(JunitStyle::Jupiter, &suite);
        check_lines(&old, &["@Rule", "public final TemporaryFolder folder = new TemporaryFolder();"]);
        check_lines(&new, &["@TempDir", "Path folder;"]);
        match form {
            Form::Name => check_lines(
                &new,
                &[
                    "assertEquals(\"[]\", Reader.read(folder.toString()));",
                    "assertEquals(\"absent\", Reader.read(folder.resolve(\"a.txt\").toString()));",
                    "String name = Files.writeString(folder.resolve(\"a.txt\"), \"a\\nb\").toString();",
                ],
            ),
            Form::Path => check_lines(
                &new,
                &[
                    "assertEquals(\"[]\", Reader.see(folder));",
                    "Path path = Files.writeString(folder.resolve(\"a.txt\"), \"a\\nb\");",
                    "Path path = Files.createDirectory(folder.resolve(\"dir\"));",
                    "Files.writeString(path, \"text\");",
                ],
            ),
            Form::File => check_lines(
                &old,
                &[
                    "File file = Files.writeString(folder.getRoot().toPath().resolve(\"a.txt\"), \"a\\nb\").toFile();",
                    "File file = new File(folder.getRoot(), \"b.txt\");",
                    "Files.writeString(file.toPath().resolve(\"c.txt\"), \"text\");",
                    "Files.writeString(folder.getRoot().toPath().resolve(\"d.txt\"), \"\");",
                ],
            ),
        }
    }
}

#[test]
fn where_strings_cannot_be_written_bytes_are() {
    let world = world(true);
    let text = world.passes(JunitStyle::Jupiter, &world.suite(Form::File));
    let line = "Files.write(file.toPath(), \"text\".getBytes(StandardCharsets.UTF_8));";
    check_lines(&text, &[line, "import java.nio.charset.StandardCharsets;"]);
}

#[test]
fn a_file_whose_tests_use_no_folder_has_none() {
    let world = world(false);
    let looks = world.method("look");
    let mut test = TestBuilder::default();
    let of = world.cluster.callable(looks).parameters[0].of;
    let nothing = test.push(Statement::Null { of });
    test.call_static(looks, &[nothing]);
    let text = world.print(JunitStyle::Jupiter, &[test.finish()]).text;
    assert!(!text.contains("TempDir") && !text.contains("folder"), "{text}");
}

#[test]
fn javac_takes_whatever_the_factory_makes_of_files() {
    let world = world(false);
    let suite = random_tests(&world.cluster);
    for style in [JunitStyle::Junit4, JunitStyle::Jupiter] {
        let (printed, _) = world.compile(style, &suite);
        assert!(printed.text.matches("folder").count() > 100, "{}", printed.text);
    }
}

/// A test that names a file in the folder by the constructor of the JDK, and finds it written.
fn in_folder(world: &World) -> AssertedTest {
    let in_folder = |callable: &Callable| {
        callable.declared_in.as_str() == "java/io/File"
            && &*callable.descriptor == "(Ljava/io/File;Ljava/lang/String;)V"
    };
    let new = world.cluster.callables.iter().position(in_folder).expect("a constructor");
    let mut test = TestBuilder::default();
    let folder = test.call_static(world.of_folder(Act::Folder, Form::File), &[]);
    let name = test.value(Value::String("in".into()));
    let file = test.new_object(CallableId::from(new), &[folder, name]);
    test.call_static(world.method("write"), &[file]);
    let state = FileState::Text("word".into());
    let seen = SeenFile { name: "in".to_owned(), state, is_prepared: false };
    test.assert(ObservationTarget::Files, ObservedValue::Files(vec![seen]));
    test.finish()
}

/// What a test finds in its folder that calls a method with what these acts give, and the name of its last variable.
fn finding(
    world: &World,
    form: Form,
    acts: &[(Act, &[&str])],
    method: &str,
    files: &[(&str, FileState)],
) -> AssertedTest {
    let mut test = TestBuilder::default();
    let mut made = None;
    for (act, texts) in acts {
        let arguments: Vec<VarRef> =
            texts.iter().map(|&text| test.value(Value::String(text.into()))).collect();
        made = Some(test.call_static(world.of_folder(*act, form), &arguments));
    }
    test.call_static(world.method(method), &[made.expect("a file")]);
    let seen = |(name, state): &(&str, FileState)| SeenFile {
        name: (*name).to_owned(),
        state: state.clone(),
        is_prepared: false,
    };
    test.assert(ObservationTarget::Files, ObservedValue::Files(files.iter().map(seen).collect()));
    test.finish()
}

#[test]
fn what_the_code_leaves_in_the_folder_is_asserted_as_a_person_does_it() {
    let text = |text: &str| FileState::Text(text.into());
    let old: (Act, &[&str]) = (Act::Written, &["old.txt", "text"]);
    let folder: (Act, &[&str]) = (Act::Folder, &[]);
    for (is_java_8, lines) in [
        (
            false,
            [
                r#"Files.readString(folder.resolve("out.txt")).replace(System.lineSeparator(), "\n"));"#,
                r#"assertEquals("word", Files.readString(file.toPath()));"#,
                r#"assertEquals("textmore", Files.readString(path));"#,
            ],
        ),
        (
            true,
            [
                r#"assertEquals("word", new String(Files.readAllBytes(folder.resolve("word")), StandardCharsets.UTF_8));"#,
                r#"assertEquals("word", new String(Files.readAllBytes(file.toPath()), StandardCharsets.UTF_8));"#,
                r#"assertEquals("textmore", new String(Files.readAllBytes(path), StandardCharsets.UTF_8));"#,
            ],
        ),
    ] {
        let world = world(is_java_8);
        let saved = [
            ("bytes", FileState::Bytes(2)),
            ("empty", text("")),
            ("new", FileState::Folder),
            ("old.txt", FileState::Absent),
            ("out.txt", text("one\ntwo\n")),
            ("word", text("word")),
            ("word", FileState::Present),
        ];
        let suite = [
            finding(&world, Form::File, &[old, folder], "save", &saved),
            finding(&world, Form::File, &[(Act::File, &["a.txt"])], "write", &[("a.txt", text("word"))]),
            finding(
                &world,
                Form::Path,
                &[(Act::Written, &["b.txt", "text"])],
                "append",
                &[("b.txt", text("textmore"))],
            ),
            finding(&world, Form::File, &[folder], "remove", &[("", FileState::Absent)]),
            in_folder(&world),
        ];
        for style in [JunitStyle::Junit4, JunitStyle::Junit413] {
            world.passes(style, &suite);
        }
        let printed = world.passes(JunitStyle::Jupiter, &suite);
        check_lines(&printed, &lines);
        check_lines(
            &printed,
            &[
                "assertEquals(2, Files.size(folder.resolve(\"bytes\")));",
                "assertEquals(0, Files.size(folder.resolve(\"empty\")));",
                "assertTrue(Files.isDirectory(folder.resolve(\"new\")));",
                "assertFalse(file.exists());",
                "assertTrue(Files.exists(folder.resolve(\"word\")));",
                "File file = folder.toFile();",
                "File file = new File(folder.toFile(), \"in\");",
            ],
        );
        for name in ["saveWritesFile", "writeWritesFile", "appendWritesFile"] {
            assert!(printed.contains(&format!("void {name}")), "{name}\n{printed}");
        }
    }
}
