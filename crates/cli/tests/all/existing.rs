//! What the project's own tests cover is left to them.

#![expect(clippy::disallowed_methods, reason = "tests read and write files")]

use crate::support;
use std::fs;
use std::process::Command;

use crate::support::folder::{Folder, text};
use cli::json::ClassReport;
use project::request::JunitChoice;

/// `Sign` has tests for both versions of JUnit, `Alone` has none.
const CLASSES: &str = "
//- /p/Sign.java
package p;
public class Sign {
    public int of(int x) { return x < 0 ? -1 : 1; }
    public int twice(int x) { return 2 * x; }
    public boolean isKey(String word) { return word.hashCode() == \"cabbage\".hashCode(); }
}
//- /p/Alone.java
package p;
public class Alone { public int one() { return 1; } }
";

/// The last of them fails, so that nothing is known of numbers that are not negative.
const FIVE: &str = "
package p;
import org.junit.jupiter.api.*;
class SignTest {
    @Test void negative() { Assertions.assertEquals(-1, new Sign().of(-5)); }
    @Test void other() { Assertions.assertEquals(0, new Sign().of(5)); }
}
";

const FOUR: &str = "
package p;
public class SignTwiceTest {
    @org.junit.Test public void twice() { org.junit.Assert.assertEquals(6, new Sign().twice(3)); }
}
";

impl Folder {
    /// Compiles tests of the project where the build would have put them.
    fn own_test(&self, class: &str, source: &str) {
        let mut class_path = vec![self.path("classes")];
        class_path.extend(
            [JunitChoice::Jupiter, JunitChoice::Junit4]
                .into_iter()
                .flat_map(|junit| support::junit(junit).class_path),
        );
        let file = self.path("sources").join(format!("{class}.java"));
        fs::create_dir_all(self.path("sources")).unwrap();
        fs::create_dir_all(self.path("test-classes")).unwrap();
        fs::write(&file, source).unwrap();
        let mut javac = Command::new(support::jdk().home.join("bin/javac"));
        javac.arg("-cp").arg(std::env::join_paths(class_path).unwrap());
        let output = javac.arg("-d").arg(self.path("test-classes")).arg(file).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
    }

    /// The report of `Sign`, and what was said.
    fn sign(&self, words: &[&str]) -> (ClassReport, String) {
        let criterion = if words.contains(&"--criterion") { &[][..] } else { &["--criterion", "branch"][..] };
        let always = ["generate", "--class", "p.Sign", "--budget", "300executions", "--json"];
        let always = [&always[..], criterion].concat();
        let output = self.covolve(&[&always[..], words].concat());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{said}");
        (serde_json::from_slice(&output.stdout).unwrap(), said)
    }
}

#[test]
fn goals_that_own_tests_cover_have_no_test() {
    let folder = Folder::new(CLASSES);
    folder.own_test("SignTest", FIVE);
    folder.own_test("SignTwiceTest", FOUR);
    let (all, _) = folder.sign(&[]);
    assert_eq!((all.criteria[0].goals, all.criteria[0].existing), (6, 0), "{all:?}");
    let (report, said) = folder.sign(&["--existing", "--fresh"]);
    let branch = &report.criteria[0];
    // Of `of` one way, `twice`, and the constructor.
    assert_eq!((branch.goals, branch.existing), (3, 3), "{said}");
    let told = "the project's own tests cover 3 goals, for which no test is made: 2 tests passed, 1 did not, which counts for nothing";
    assert!(report.diagnostics.iter().any(|sentence| sentence == told), "{:?}", report.diagnostics);
    let file = folder.test("Sign");
    assert!(file.contains(".of(") && file.contains(".isKey(") && !file.contains(".twice("), "{file}");
    assert!(report.open_goals.iter().all(|goal| !goal.method.starts_with("twice")), "{report:?}");
    // It stays so until a test of the project is another one.
    let again = |expect: &str| {
        let output = folder.covolve(&[
            "generate",
            "--class",
            "p.Sign",
            "--criterion",
            "branch",
            "--budget",
            "300executions",
            "--existing",
        ]);
        let said = text(&output.stderr);
        assert!(said.contains(expect), "{said}");
    };
    again("1 class is unchanged since an earlier run");
    folder.own_test("SignTwiceTest", &FOUR.replace("public void twice", "public void thrice"));
    again("p.Sign: started");
}

#[test]
fn values_and_exceptions_that_own_tests_show_have_no_test() {
    let folder = Folder::new(
        "
//- /p/Sign.java
package p;
public class Sign {
    public static int clamp(int x, int low, int high) {
        if (low > high) { throw new IllegalArgumentException(); }
        return x < low ? low : x > high ? high : x;
    }
}
",
    );
    folder.own_test(
        "SignTest",
        "
package p;
import static org.junit.jupiter.api.Assertions.*;
class SignTest {
    @org.junit.jupiter.api.Test void clamps() {
        assertEquals(5, Sign.clamp(5, 0, 10));
        assertThrows(IllegalArgumentException.class, () -> Sign.clamp(-1, 2, 1));
    }
}
",
    );
    let criteria = ["--criterion", "input,output,exception"];
    let (all, _) = folder.sign(&criteria);
    let rows = |report: &ClassReport| -> Vec<(String, usize, usize)> {
        let rows = report.criteria.iter();
        rows.map(|row| (row.name.clone(), row.goals, row.existing)).collect()
    };
    let row = |name: &str, goals, existing| (name.to_owned(), goals, existing);
    assert_eq!(rows(&all), [row("output", 3, 0), row("input", 9, 0), row("exception", 1, 0)]);
    let (report, said) = folder.sign(&[&criteria[..], &["--existing", "--fresh"]].concat());
    // Passed: 5 and -1, 0 and 2, 10 and 1; returned: 5.
    let expect = [row("output", 2, 1), row("input", 4, 5), row("exception", 0, 1)];
    assert_eq!(rows(&report), expect, "{said}");
    let file = folder.test("Sign");
    assert!(file.contains("clamp(") && !file.contains("IllegalArgumentException"), "{file}");
}

#[test]
fn a_class_that_is_tested_already_needs_no_file_and_one_without_tests_is_worked_on_as_ever() {
    let folder = Folder::new(CLASSES);
    let generate = |words: &[&str]| {
        let always = ["generate", "--criterion", "branch", "--budget", "100executions", "--jobs", "1"];
        let output = folder.covolve(&[&always[..], words].concat());
        (output.status.code(), text(&output.stderr) + &text(&output.stdout))
    };
    let (code, said) = generate(&["--existing", "--class", "p.Alone"]);
    let expect =
        ": no tests of the project are compiled; compile them, as your build does, or leave --existing out\n";
    assert!(code == Some(0) && said.contains(expect), "{said}");
    let four = FOUR
        .replace("SignTwice", "Alone")
        .replace("assertEquals(6, new Sign().twice(3))", "assertEquals(1, new Alone().one())");
    folder.own_test("AloneTest", &four);
    let (code, said) = generate(&["--existing", "--class", "p.Alone", "--fresh", "--state", "other"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("the project's own tests cover 2 goals, for which no test is made: 1 test passed"),
        "{said}"
    );
    let (code, said) = generate(&["--existing", "--cp", "classes", "--class", "p.Alone"]);
    assert_eq!((code, said.contains("--existing runs the tests of a project")), (Some(2), true), "{said}");
}
