//! Classes that read and write files, end to end: tests prepare them in a folder of their own.

use crate::support::generated;
use cli::json::ClassReport;
use fixture::Compiled;

/// Asks whether there is a file, whether it is a folder, what is in it, and what its first line is.
const NOTES: &str = r#"
//- /p/Notes.java
package p;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

public class Notes {
    public static String look(File file) throws IOException {
        if (!file.exists()) { return "absent"; }
        if (file.isDirectory()) { return file.list().length == 0 ? "empty folder" : "folder"; }
        if (file.length() == 0) { return "empty"; }
        return Files.readAllLines(file.toPath()).get(0).equals("notes:") ? "notes" : "text";
    }
    public static int lines(Path file) throws IOException {
        if (Files.notExists(file)) {
            Files.createFile(file);
            return 0;
        }
        List<String> lines = Files.readAllLines(file);
        return lines.size() > 1 ? 2 : 1;
    }
}
"#;

/// Generates tests; gives the report and the delivered file.
fn generate(compiled: &Compiled, words: &str) -> (ClassReport, String) {
    let always = ["--class", "p.Notes", "--criterion", "branch,line"];
    generated(compiled, &[&always[..], &words.split(' ').collect::<Vec<_>>()].concat())
}

#[test]
fn a_class_that_reads_files_is_covered_by_tests_that_prepare_them() {
    let compiled = fixture::compile(NOTES);
    let files = ["--junit 5", "--junit 5", "--junit 4"].map(|junit| {
        let (report, file) = generate(&compiled, &format!("{junit} --budget 4000executions"));
        let (goals, covered) = report.goals();
        assert_eq!(covered, goals, "{:?}\n{file}", report.open_goals);
        assert_eq!(report.losses.verified, report.losses.archived, "{report:?}");
        for told in ["absent", "empty folder", "folder", "empty", "notes", "text"] {
            assert!(file.contains(&format!("assertEquals(\"{told}\", Notes.look(")), "{told}: {file}");
        }
        file
    });
    assert!(files[0].contains("    @TempDir\n    Path folder;\n"), "{}", files[0]);
    assert_eq!(files[0], files[1], "the same executions give the same bytes");
    let rule = "    @Rule\n    public final TemporaryFolder folder = new TemporaryFolder();\n";
    assert!(files[2].contains(rule), "{}", files[2]);
}

#[test]
fn without_the_parameter_tests_have_no_folder() {
    let compiled = fixture::compile(NOTES);
    let (report, file) = generate(&compiled, "--set files=0 --budget 300executions");
    assert!(!file.contains("folder"), "{file}");
    let reasons: Vec<&str> = report.open_goals.iter().map(|open| open.reason.as_str()).collect();
    assert!(reasons.contains(&"undeliverable"), "{reasons:?}");
}

/// Writes files, takes one away, and says nothing of that.
const JOURNAL: &str = r#"
//- /p/Journal.java
package p;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;

public class Journal {
    private final File file;

    public Journal(File file) { this.file = file; }

    public void open() throws IOException { Files.write(file.toPath(), "journal".getBytes(StandardCharsets.UTF_8)); }
    public void note(int number) throws IOException {
        String text = number > 10 ? "many" : "few";
        Files.write(file.toPath(), text.getBytes(StandardCharsets.UTF_8), StandardOpenOption.CREATE);
    }
    public void close() throws IOException { Files.delete(file.toPath()); }
}
"#;

#[test]
fn what_a_class_writes_to_files_is_asserted_and_kills() {
    let compiled = fixture::compile(JOURNAL);
    for junit in ["5", "4"] {
        let words = ["--class", "p.Journal", "--junit", junit, "--budget", "3000executions"];
        let (report, file) = generated(&compiled, &words);
        assert_eq!(report.losses.verified, report.losses.minimized, "{report:?}");
        for text in ["journal", "many", "few"] {
            let line = format!("assertEquals(\"{text}\", new String(Files.readAllBytes(");
            assert!(file.contains(&line), "{text}\n{file}");
        }
        assert!(file.contains("        assertFalse(file.exists());\n"), "{file}");
        for name in ["WritesFile", "DeletesFile"] {
            assert!(file.contains(name), "{name}\n{file}");
        }
    }
}
