//! The folder that a test has to itself: what happens in it touches nothing, is the same in each run, and is gone in the next.

use std::os::unix::ffi::OsStrExt as _;

use crate::common::{Cluster, Worker, call, in_own_process, observed_string, string};
use testcase::assertion::{FileState, ObservationPoint, ObservationTarget, ObservedValue, SeenFile};
use testcase::cluster::folder::CLASS;
use testcase::execution::{Executor as _, Outcome, Touched};
use testcase::run_request::RunRequest;
use testcase::statement::VarRef;
use testcase::test_case::TestCase;

const SOURCES: &str = r#"
//- /p/Inside.java
package p;

import java.io.*;
import java.nio.channels.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;

public class Inside {
    private static File file(File folder) throws IOException {
        File file = new File(folder, "a.txt");
        Files.write(file.toPath(), "text".getBytes(StandardCharsets.UTF_8));
        return file;
    }

    public static String nothing(File folder) { return Arrays.toString(folder.list()); }
    public static String exists(File folder) throws IOException {
        return new File(folder, "a.txt").exists() + " " + file(folder).exists() + " " + folder.isDirectory();
    }
    public static String streams(File folder) throws IOException {
        try (OutputStream out = new FileOutputStream(new File(folder, "b"))) { out.write(65); }
        try (InputStream in = new FileInputStream(new File(folder, "b"))) { return "" + in.read(); }
    }
    public static String randomAccess(File folder) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(file(folder), "rw")) { file.seek(3); return "" + (char) file.read(); }
    }
    public static String channel(File folder) throws IOException {
        try (FileChannel channel = FileChannel.open(file(folder).toPath(), StandardOpenOption.APPEND)) { return "" + channel.size(); }
    }
    public static String length(File folder) throws IOException { return file(folder).length() + " " + Files.size(file(folder).toPath()); }
    public static String changes(File folder) throws IOException {
        File dir = new File(folder, "dir");
        boolean made = dir.mkdir() && new File(dir, "x").createNewFile() && new File(dir, "x").renameTo(new File(dir, "y"));
        return made + " " + Arrays.toString(dir.list()) + new File(dir, "y").delete() + dir.delete();
    }
    public static String nioChanges(File folder) throws IOException {
        Path dir = Files.createDirectory(folder.toPath().resolve("dir"));
        Path copy = Files.copy(file(folder).toPath(), dir.resolve("copy"));
        Path moved = Files.move(copy, dir.resolve("moved"));
        StringBuilder walked = new StringBuilder();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(dir)) {
            for (Path path : stream) { walked.append(path.getFileName()); }
        }
        Files.delete(moved);
        Files.delete(dir);
        return walked + " " + Files.exists(dir);
    }
    public static String names(File folder) throws IOException {
        for (String name : new String[] {"m", "z", "a", "k", "b"}) { new File(folder, name).createNewFile(); }
        return Arrays.toString(folder.list());
    }
    public static String canonical(File folder) throws IOException { return "" + file(folder).getCanonicalFile().equals(file(folder)); }
    public static String within(File folder) throws IOException { return "" + new File(folder, "dir/../a.txt").exists(); }
    public static String dated(File folder) throws IOException {
        File file = file(folder);
        return file.setLastModified(5000) + " " + file.lastModified() + " " + Files.getLastModifiedTime(file.toPath()).toMillis();
    }
    public static String moved(File folder) throws IOException {
        File dir = new File(folder, "dir");
        dir.mkdir();
        file(folder).setLastModified(7000);
        return new File(folder, "a.txt").renameTo(new File(dir, "b")) + " " + new File(dir, "b").lastModified();
    }
    public static String nioModified(File folder) throws IOException { return "" + Files.getLastModifiedTime(file(folder).toPath()).toMillis(); }
    public static String nioFolderSize(File folder) throws IOException { return "" + Files.size(folder.toPath()); }
    public static String removed(File folder) { return folder.delete() + " " + folder.exists(); }
    public static String resource(File folder) throws IOException {
        file(folder);
        try (Reader reader = new InputStreamReader(folder.toURI().resolve("a.txt").toURL().openStream())) { return "" + (char) reader.read(); }
    }

    public static String modified(File folder) throws IOException { return "" + file(folder).lastModified(); }
    public static String beside(File folder) throws IOException { return "" + new File(folder.getParentFile(), "x").createNewFile(); }
    public static String above(File folder) { return "" + new File(folder, "../x").exists(); }
    public static String relative(File folder) { return "" + new File("a.txt").exists(); }
    public static String link(File folder) throws IOException { return "" + Files.createSymbolicLink(folder.toPath().resolve("l"), Paths.get("/etc")); }
    public static String takenIn(File folder) throws IOException { return "" + new File(folder.getParentFile(), "x").renameTo(new File(folder, "x")); }
    public static String folderLength(File folder) { return "" + folder.length(); }
    public static String order(File folder) throws IOException {
        file(folder);
        Files.createDirectory(folder.toPath().resolve("b"));
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder.toPath())) { return "" + stream.iterator().next(); }
    }
    public static String nioDated(File folder) throws IOException {
        try { return "" + Files.setLastModifiedTime(file(folder).toPath(), java.nio.file.attribute.FileTime.fromMillis(5000)); } catch (IOException refused) { return ""; }
    }
    public static String nioCopied(File folder) throws IOException {
        return "" + Files.copy(file(folder).toPath(), folder.toPath().resolve("b"), StandardCopyOption.COPY_ATTRIBUTES);
    }
    public static String permission(File folder) throws IOException { return "" + file(folder).setReadOnly(); }
}
"#;

const OWNER: &str = "p/Inside";

/// Methods that use the folder, what calling them touches, and what they give, where that tells something.
const METHODS: &[(&str, Touched, &str)] = &[
    ("nothing", Touched(0), "[]"),
    ("exists", Touched(0), "false true true"),
    ("streams", Touched(0), "65"),
    ("randomAccess", Touched(0), "t"),
    ("channel", Touched(0), "4"),
    ("length", Touched(0), "4 4"),
    ("changes", Touched(0), "true [y]truetrue"),
    ("nioChanges", Touched(0), "moved false"),
    ("names", Touched(0), "[a, b, k, m, z]"),
    ("canonical", Touched(0), "true"),
    ("within", Touched(0), "false"),
    ("dated", Touched(0), "true 5000 5000"),
    ("moved", Touched(0), "true 7000"),
    ("nioModified", Touched(0), "1577880000000"),
    ("nioFolderSize", Touched(0), "4096"),
    ("removed", Touched(0), "true false"),
    ("resource", Touched(0), "t"),
    ("modified", Touched::CLOCK, "1577880000000"),
    ("beside", Touched::FILE_WRITE, ""),
    ("above", Touched::FILE_READ, ""),
    ("relative", Touched::FILE_READ, ""),
    ("link", Touched::FILE_WRITE, ""),
    ("nothing", Touched(0), "[]"),
    ("takenIn", Touched::FILE_WRITE, ""),
    ("nothing", Touched(0), "[]"),
    ("folderLength", Touched::FILE_READ, ""),
    ("order", Touched::FILE_READ, ""),
    ("permission", Touched::FILE_WRITE, ""),
    ("nioDated", Touched::FILE_WRITE, ""),
    ("nioCopied", Touched::FILE_WRITE, ""),
    // What the ones before have left is gone.
    ("nothing", Touched(0), "[]"),
];

#[test]
fn what_a_test_does_in_its_folder_touches_nothing_and_is_gone_in_the_next() {
    in_own_process("files::what_a_test_does_in_its_folder_touches_nothing_and_is_gone_in_the_next", || {
        let compiled = fixture::compile(SOURCES);
        let mut cluster = Cluster::default();
        let folder = cluster.static_method(CLASS, "folder", "()Ljava/io/File;");
        let of = |name: &str| cluster.static_method(OWNER, name, "(Ljava/io/File;)Ljava/lang/String;");
        let methods: Vec<_> = METHODS.iter().map(|(name, ..)| *name).map(of).collect();
        let mut worker = Worker::start_confined(&compiled, &[OWNER], cluster);
        let mut wrong = Vec::new();
        // Twice: caches of the JDK must not hide anything.
        for round in 0..2 {
            for (method, (name, expect, value)) in methods.iter().zip(METHODS) {
                let test = [call(folder, &[]), call(*method, &[0])];
                worker.run(&test);
                let touched = worker.result.touched;
                let is_right =
                    if *expect == Touched(0) { touched == *expect } else { touched.intersects(*expect) };
                let seen = worker.value(&test);
                if !is_right || !value.is_empty() && seen != observed_string(value) {
                    wrong.push(format!("{round} {name}: {touched:?} {seen:?}"));
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    });
}

#[test]
fn each_test_of_a_row_finds_the_folder_empty() {
    in_own_process("files::each_test_of_a_row_finds_the_folder_empty", || {
        let compiled = fixture::compile(SOURCES);
        let mut cluster = Cluster::default();
        let text = "(Ljava/lang/String;Ljava/lang/String;)Ljava/io/File;";
        let written = cluster.static_method(CLASS, "written", text);
        let made = cluster.static_method(CLASS, "made", "(Ljava/lang/String;)Ljava/io/File;");
        let mut worker = Worker::start_confined(&compiled, &[OWNER], cluster);
        // A folder of that name cannot be made where the file of the first test still is.
        let first = TestCase::new(vec![string("a"), string("text"), call(written, &[0, 1])]);
        let second = TestCase::new(vec![string("a"), call(made, &[0])]);
        for test in [&first, &second] {
            assert_eq!(worker.run(test.statements()), Outcome::Passed);
        }
        let mut trace = worker.result.trace.clone();
        let request = RunRequest::default();
        let completed = worker.executor.execute_in_order(&[&first, &second, &second], &request, &mut trace);
        assert_eq!(completed, Some(vec![3, 2, 2]));
    });
}

#[test]
fn a_test_that_knows_where_its_folder_is_touches_files() {
    in_own_process("files::a_test_that_knows_where_its_folder_is_touches_files", || {
        let compiled = fixture::compile(SOURCES);
        let mut cluster = Cluster::default();
        let new = cluster.constructor("java/io/File", "(Ljava/lang/String;)V");
        let exists = cluster.method("java/io/File", "exists", "()Z");
        let mut worker = Worker::start_confined(&compiled, &[OWNER], cluster);
        let folder =
            worker.scratch.path().canonicalize().expect("a folder").join("files/covolve-folder/a.txt");
        let path = std::str::from_utf8(folder.as_os_str().as_bytes()).expect("a path");
        worker.run(&[string(path), crate::common::new(new, &[0]), crate::common::call_on(1, exists, &[])]);
        assert!(worker.result.touched.intersects(Touched::FILE_READ));
    });
}

const WRITER: &str = r#"
//- /p/Writer.java
package p;

import java.io.*;
import java.nio.file.*;

public class Writer {
    private static void write(File folder, String name, String text) throws IOException {
        Files.write(folder.toPath().resolve(name), text.getBytes("UTF-8"));
    }

    public static void nothing(File folder) {}
    public static void file(File folder) throws IOException { write(folder, "b", "one\ntwo\n"); }
    public static void change(File folder) throws IOException { write(folder, "a.txt", "new"); }
    public static void same(File folder) throws IOException { write(folder, "a.txt", "text"); }
    public static void delete(File folder) { new File(folder, "a.txt").delete(); }
    public static void rename(File folder) { new File(folder, "a.txt").renameTo(new File(folder, "dir/b")); }
    public static void empty(File folder) throws IOException { new File(folder, "b").createNewFile(); }
    public static void folder(File folder) { new File(folder, "new").mkdir(); }
    public static void deep(File folder) throws IOException { new File(folder, "dir/x").mkdir(); write(folder, "dir/x/y", ""); }
    public static void bytes(File folder) throws IOException { Files.write(folder.toPath().resolve("b"), new byte[] {-1, 0}); }
    public static void large(File folder) throws IOException { Files.write(folder.toPath().resolve("b"), new byte[401]); }
    public static void many(File folder) throws IOException { for (int i = 0; i < 12; i++) { write(folder, "f" + i, ""); } }
    public static void name(File folder) throws IOException { write(folder, "\u00e9", ""); }
    public static void far(File folder) { new File(folder, "1/2/3/4/5").mkdirs(); }
    public static void gone(File folder) { new File(folder, "a.txt").delete(); new File(folder, "dir").delete(); folder.delete(); }
    public static void fails(File folder) throws IOException { write(folder, "b", "x"); throw new IllegalStateException(); }
}
"#;

/// What is in the folder of a test besides what it made itself.
type News = Vec<(&'static str, FileState)>;

#[test]
fn what_is_in_the_folder_is_seen_of_each_run_alone() {
    in_own_process("files::what_is_in_the_folder_is_seen_of_each_run_alone", || {
        let text = |text: &str| FileState::Text(text.into());
        let rows: [(&str, Option<News>); 17] = [
            ("nothing", Some(vec![])),
            ("file", Some(vec![("b", text("one\ntwo\n"))])),
            ("change", Some(vec![("a.txt", text("new"))])),
            ("same", Some(vec![])),
            ("delete", Some(vec![("a.txt", FileState::Absent)])),
            ("rename", Some(vec![("a.txt", FileState::Absent), ("dir/b", text("text"))])),
            ("empty", Some(vec![("b", text(""))])),
            ("folder", Some(vec![("new", FileState::Folder)])),
            ("deep", Some(vec![("dir/x/y", text(""))])),
            ("bytes", Some(vec![("b", FileState::Bytes(2))])),
            ("large", Some(vec![("b", FileState::Bytes(401))])),
            ("many", None),
            ("name", None),
            ("far", None),
            ("gone", Some(vec![("", FileState::Absent)])),
            ("fails", Some(vec![("b", text("x"))])),
            ("nothing", Some(vec![])),
        ];
        let compiled = fixture::compile(WRITER);
        let mut cluster = Cluster::default();
        let folder = cluster.static_method(CLASS, "folder", "()Ljava/io/File;");
        let two = "(Ljava/lang/String;Ljava/lang/String;)Ljava/io/File;";
        let written = cluster.static_method(CLASS, "written", two);
        let made = cluster.static_method(CLASS, "made", "(Ljava/lang/String;)Ljava/io/File;");
        let of = |(name, _): &(&str, _)| cluster.static_method("p/Writer", name, "(Ljava/io/File;)V");
        let methods: Vec<_> = rows.iter().map(of).collect();
        let mut worker = Worker::start_confined(&compiled, &["p/Writer"], cluster);
        for ((name, expect), method) in rows.into_iter().zip(methods) {
            let test = TestCase::new(vec![
                string("a.txt"),
                string("text"),
                call(written, &[0, 1]),
                string("dir"),
                call(made, &[3]),
                call(folder, &[]),
                call(method, &[5]),
            ]);
            let point = |after| ObservationPoint { after: VarRef(after), target: ObservationTarget::Files };
            let observed = worker.executor.observe(&test, &[point(5), point(6)]);
            let is_prepared = |value: &Option<ObservedValue>| {
                matches!(value, Some(ObservedValue::Files(files))
                if files.len() == 2 && files.iter().all(|file| file.is_prepared))
            };
            assert!(is_prepared(&observed.values[0]), "{name}: {observed:?}");
            let news = |files: &[SeenFile]| -> Vec<(String, FileState)> {
                let news = files.iter().filter(|file| !file.is_prepared);
                news.map(|file| (file.name.clone(), file.state.clone())).collect()
            };
            let told = if let Some(ObservedValue::Files(files)) = &observed.values[1] {
                Some(news(files))
            } else {
                None
            };
            let owned =
                |expect: News| expect.into_iter().map(|(name, state)| (name.to_owned(), state)).collect();
            assert_eq!(told, expect.map(owned), "{name}: {observed:?}");
        }
    });
}
