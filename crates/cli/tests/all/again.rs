//! A project again and again: what has not changed is not searched, what a person has edited is theirs.

#![expect(clippy::disallowed_methods, reason = "tests read and write files")]

use crate::support;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::folder::{Folder, text};
use cli::check::CheckedClass;
use cli::json::ClassReport;
use store::state::Store;

/// `Price` uses `Rate`; `Sign` is alone.
const CLASSES: &str = "
//- /p/Sign.java
package p;
public class Sign { public int of(int x) { return x < 0 ? -1 : 1; } }
//- /p/Rate.java
package p;
public class Rate { public static int percent() { return 7; } }
//- /p/Price.java
package p;
public class Price { public int of(int net) { return net + net * Rate.percent() / 100; } }
";

/// The same with one line that is another.
fn with(line: &str, other: &str) -> String {
    assert!(CLASSES.contains(line));
    CLASSES.replace(line, other)
}

#[test]
fn a_second_run_searches_nothing_and_changes_no_byte() {
    let folder = Folder::new(CLASSES);
    let (searched, said) = folder.generate(&[]);
    assert_eq!(searched, ["Price", "Rate", "Sign"], "{said}");
    let before = folder.all();
    let (searched, said) = folder.generate(&[]);
    assert_eq!(searched, [""; 0]);
    assert!(said.ends_with("covolve: 3 classes are unchanged since an earlier run\n"), "{said}");
    assert_eq!(folder.all(), before);
    // Their reports are there all the same.
    let output = folder.covolve(&["generate", "--budget", "100executions", "--json", "--class", "p.Sign"]);
    let report: ClassReport = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((report.class.as_str(), report.tests > 0), ("p.Sign", true));
    assert_eq!(report.file.map(PathBuf::from), Some(folder.test_path("Sign")));
    assert_eq!(folder.all(), before);
    // Other options are another result, and so is a run that is to be fresh.
    assert_eq!(folder.generate(&["--class", "p.Sign", "--seed", "1"]).0, ["Sign"]);
    assert_eq!(folder.generate(&["--class", "p.Rate", "--fresh"]).0, ["Rate"]);
}

#[test]
fn what_is_kept_can_be_reported() {
    let folder = Folder::new(CLASSES);
    folder.generate(&["--class", "p.Sign"]);
    let report = |format| {
        let words = ["report", "--format", format, "--out", "-"];
        let mut command = Command::new(support::covolve());
        let output = command.args(words).current_dir(folder.path("")).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    // Both branches are covered, as the goals that are kept say, and no open one is left.
    assert!(report("lcov").contains("BRF:2\nBRH:2\n"), "{}", report("lcov"));
    assert!(report("html").contains("p.Sign"));
}

#[test]
fn what_is_kept_can_be_read_by_others() {
    let folder = Folder::new(CLASSES);
    folder.generate(&["--class", "p.Sign"]);
    let store = Store::open_existing(&folder.path(".covolve")).unwrap().unwrap();
    let classes = store.classes().unwrap();
    let [sign] = classes.as_slice() else { panic!("{classes:?}") };
    let report: ClassReport = serde_json::from_str(&sign.report).unwrap();
    let file = sign.file.as_ref().unwrap();
    assert_eq!((file.root.as_str(), file.path.as_str()), ("covolve-tests", "p/SignCovolveTest.java"));
    assert_eq!((file.tests.len(), report.class.as_str()), (report.tests, "p.Sign"));
    assert_eq!(report.place().0, sign.module, "what is said of a class names its module");
    let goals = store.goals(&sign.module, "p.Sign").unwrap();
    assert_eq!(goals.len(), report.criteria.iter().map(|criterion| criterion.goals).sum::<usize>());
    for goal in &goals {
        assert_eq!(goal.is_covered, !goal.tests.is_empty(), "{goal:?}");
        assert_eq!(goal.is_covered, goal.reason.is_none(), "{goal:?}");
        assert!(goal.tests.iter().all(|test| file.tests.contains(test)), "{goal:?}");
    }
}

#[test]
fn a_class_that_changed_is_searched_alone() {
    let folder = Folder::new(CLASSES);
    folder.generate(&[]);
    let before = folder.all();
    folder.compile(&with("return 7;", "return Integer.valueOf(7);"));
    let (searched, said) = folder.generate(&[]);
    assert_eq!(searched, ["Rate"], "{said}");
    assert!(said.contains("covolve: 1 class is unchanged since an earlier run (p.Sign)\n"), "{said}");
    let confirmed = "covolve: 1 class is confirmed: all tests pass, and only code of other classes has changed (p.Price)\n";
    assert!(said.contains(confirmed), "{said}");
    for class in ["Price", "Sign"] {
        let file = folder.test_path(class);
        assert_eq!(folder.all().get(&file), before.get(&file));
    }
    let (searched, said) = folder.generate(&[]);
    assert_eq!(searched, [""; 0]);
    assert!(said.ends_with("covolve: 3 classes are unchanged since an earlier run\n"), "{said}");
}

#[test]
fn behaviour_that_changed_is_overwritten_on_demand_alone() {
    let folder = Folder::new(CLASSES);
    folder.generate(&["--class", "p.Sign"]);
    let first = tests_in(&folder.test("Sign"));
    folder.compile(&with("return x < 0 ? -1 : 1;", "return x < 0 ? -2 : 1;"));
    let run = |words: &[&str]| {
        let words = [&["generate", "--budget", "100executions", "--class", "p.Sign"], words].concat();
        let output = folder.covolve(&words);
        let said = text(&output.stderr);
        assert!(output.status.code() == Some(1) && said.contains(": expected -1, came -2\n"), "{said}");
        (said, folder.test("Sign"))
    };
    // All searched anew would lose what fails.
    let stay =
        "covolve: p.Sign behaves in another way, and its tests stay as they are; --update replaces them\n";
    let (said, file) = run(&["--fresh"]);
    assert!(said.contains(stay) && !said.contains("started"), "{said}");
    assert_eq!(tests_in(&file), first);
    // What fails stays, and a new test says what the class does now.
    let (said, file) = run(&[]);
    let expect = "covolve: p.Sign behaves in another way, and new tests come behind those that fail; --update replaces these\n";
    assert!(said.contains(expect) && said.contains("p.Sign: started"), "{said}");
    let tests = tests_in(&file);
    assert_eq!(tests.get(..first.len()), Some(&*first), "{file}");
    let says_so = |tests: &[String]| tests.concat().contains("assertEquals(-2,");
    assert!(!says_so(&first) && says_so(&tests[first.len()..]), "{file}");
    // It is told again as long as it is so, without another search.
    let (said, again) = run(&[]);
    assert!(said.contains(stay) && !said.contains("started"), "{said}");
    assert_eq!(again, file);
    let (searched, said) = folder.generate(&["--class", "p.Sign", "--update"]);
    assert_eq!(searched, ["Sign"]);
    assert!(
        said.contains("covolve: p.Sign behaves in another way, and the tests that fail are replaced\n"),
        "{said}"
    );
    let tests = tests_in(&folder.test("Sign")).concat();
    assert!(tests.contains("-2") && !tests.contains("(-1,"), "{tests}");
    assert_eq!(folder.generate(&["--class", "p.Sign"]).0, [""; 0]);
}

#[test]
fn what_fails_stays_where_the_search_for_more_was_interrupted() {
    // The last branch is never taken, so that the search goes on for as long as it may.
    let of = |negative: &str| {
        with("return x < 0 ? -1 : 1;", &format!("return x < 0 ? {negative} : x % 2 == 2 ? 3 : 1;"))
    };
    let folder = Folder::new(&of("-1"));
    folder.generate(&["--class", "p.Sign"]);
    let first = tests_in(&folder.test("Sign"));
    folder.compile(&of("-2"));
    let words = ["generate", "--budget", "100000000executions", "--class", "p.Sign"];
    let (code, said) = folder.interrupted(&words, &[], "covolve: p.Sign: started");
    assert_eq!(code, Some(5), "{said}");
    let output = folder.covolve(&["generate", "--budget", "100executions", "--class", "p.Sign"]);
    let said = text(&output.stderr);
    assert!(output.status.code() == Some(1) && said.contains(": expected -1, came -2\n"), "{said}");
    let tests = tests_in(&folder.test("Sign"));
    assert_eq!(tests.get(..first.len()), Some(&*first));
    assert!(tests[first.len()..].concat().contains("-2"), "{tests:?}");
}

/// The tests of a file, in their order.
fn tests_in(file: &str) -> Vec<String> {
    let tests = file.trim_end().trim_end_matches('}').split("    @Test\n").skip(1);
    tests.map(|test| test.trim_end().to_owned()).collect()
}

#[test]
fn a_file_that_is_gone_is_written_again_and_one_that_was_edited_is_left_alone() {
    let folder = Folder::new(CLASSES);
    folder.generate(&[]);
    fs::remove_file(folder.test_path("Sign")).unwrap();
    assert_eq!(folder.generate(&[]).0, ["Sign"]);
    let edited = folder.test("Sign").replace("class Sign", "/* mine */ class Sign");
    fs::write(folder.test_path("Sign"), &edited).unwrap();
    let (searched, said) = folder.generate(&["--fresh"]);
    assert_eq!(searched, ["Price", "Rate"]);
    let expect = format!(
        "covolve: p.Sign is left alone: {} has been edited, and --force would overwrite it",
        folder.test_path("Sign").display()
    );
    assert!(said.lines().any(|line| line == expect), "{said}");
    assert_eq!(folder.test("Sign"), edited);
    assert_eq!(folder.generate(&["--force"]).0, ["Sign"]);
}

/// What a formatter of a project may make of a file of ours: imports in another order, tabs, braces on lines of their own, broken
/// calls, annotations beside the methods.
fn formatted(text: &str) -> String {
    let is_import = |line: &&str| line.starts_with("import ");
    let mut imports: Vec<&str> = text.lines().filter(is_import).collect();
    assert!(imports.len() > 1, "{text}");
    imports.sort_by(|one, other| other.cmp(one));
    let mut lines: Vec<&str> = text.lines().filter(|line| !is_import(line)).collect();
    let package = lines.iter().position(|line| line.starts_with("package ")).unwrap();
    lines.splice(package + 1..=package, [&[""][..], &imports].concat());
    let replaced = lines.join("\r\n").replace("    ", "\t").replace("@Test\r\n\t", "@Test ");
    let formatted =
        replaced.replace(" {\r\n", "\r\n{\r\n").replace("assertEquals(", "assertEquals(\r\n\t\t\t\t");
    assert!(formatted.contains("@Test void") && formatted.contains("assertEquals(\r\n"), "{formatted}");
    formatted
}

#[test]
fn what_a_formatter_of_the_project_makes_of_a_file_is_no_edit() {
    let folder = Folder::new(CLASSES);
    folder.generate(&[]);
    for class in ["Price", "Rate", "Sign"] {
        fs::write(folder.test_path(class), formatted(&folder.test(class))).unwrap();
    }
    let before = folder.all();
    let (searched, said) = folder.generate(&[]);
    assert_eq!(searched, [""; 0], "{said}");
    assert!(said.ends_with("covolve: 3 classes are unchanged since an earlier run\n"), "{said}");
    let check = || {
        let output = folder.covolve(&["check"]);
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (code, found, said) = check();
    assert!(code == Some(0) && !said.contains("edited"), "{found}{said}");
    assert!(found.starts_with("3 test files, ") && found.ends_with(": everything is as it was\n"), "{found}");
    assert_eq!(folder.all(), before, "nothing was written");
    // Its tests are found in it: what another class does costs it nothing, and what fails is named.
    let first = text(&before[&folder.test_path("Sign")].1);
    folder.compile(
        &with("return x < 0 ? -1 : 1;", "return x < 0 ? -2 : 1;")
            .replace("return 7;", "return Integer.valueOf(7);"),
    );
    let (code, found, _) = check();
    assert_eq!(code, Some(1));
    let (_, failed) = found.split_once("/SignCovolveTest.java\n  ").unwrap();
    let (name, _) = failed.split_once(": expected -1, came -2\n").unwrap();
    assert!(first.contains(&format!("void {name}(")), "{found}");
    // A file that is written again keeps its tests, in our form.
    let generate = || text(&folder.covolve(&["generate", "--budget", "100executions"]).stderr);
    let said = generate();
    assert!(!said.contains("edited"), "{said}");
    let confirmed = "covolve: 1 class is confirmed: all tests pass, and only code of other classes has changed (p.Price)\n";
    assert!(said.contains(confirmed), "{said}");
    assert_eq!(folder.all()[&folder.test_path("Price")], before[&folder.test_path("Price")]);
    let again = folder.test("Sign");
    assert!(again.contains(&format!("    void {name}(")) && again.contains("-2"), "{again}");
    fs::write(folder.test_path("Rate"), formatted(&folder.test("Rate")).replace('7', "8")).unwrap();
    let said = generate();
    assert!(said.contains("covolve: p.Rate is left alone: "), "{said}");
}

#[test]
fn state_that_is_of_no_use_costs_a_run_and_a_sentence() {
    let folder = Folder::new(CLASSES);
    let harm = |file: &Path, expect: &str| {
        folder.generate(&["--class", "p.Rate"]);
        let bytes = fs::read(file).unwrap();
        fs::write(file, &bytes[..bytes.len() / 2]).unwrap();
        let (searched, said) = folder.generate(&["--class", "p.Rate"]);
        assert_eq!(searched, ["Rate"]);
        assert!(said.contains(expect), "{said}");
        assert_eq!(folder.generate(&["--class", "p.Rate"]).0, [""; 0]);
    };
    harm(
        &folder.path(".covolve/state.db"),
        "state.db is begun anew and all classes with it, since it is damaged",
    );
    // Nothing can be kept: the run goes on without.
    fs::remove_dir_all(folder.path(".covolve")).unwrap();
    fs::write(folder.path(".covolve"), "").unwrap();
    let (searched, said) = folder.generate(&["--class", "p.Rate"]);
    assert_eq!(searched, ["Rate"]);
    assert!(
        said.contains("covolve: the next run will know nothing of this one: ./.covolve cannot be used: "),
        "{said}"
    );
    // Elsewhere it can.
    assert_eq!(folder.generate(&["--class", "p.Rate", "--state", "elsewhere"]).0, ["Rate"]);
    assert_eq!(folder.generate(&["--class", "p.Rate", "--state", "elsewhere"]).0, [""; 0]);
}

#[test]
fn in_a_fresh_clone_tests_that_fail_are_named_and_stay() {
    let folder = Folder::new(CLASSES);
    folder.generate(&[]);
    for lost in [true, false] {
        fs::remove_dir_all(folder.path(".covolve")).unwrap();
        if !lost {
            // Nor can anything be kept.
            fs::write(folder.path(".covolve"), "").unwrap();
        }
        folder.compile(&with("return x < 0 ? -1 : 1;", "return x < 0 ? -2 : 1;"));
        let before = fs::read(folder.test_path("Sign")).unwrap();
        let output = folder.covolve(&["generate", "--budget", "100executions", "--class", "p.Sign"]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        for expect in [
            "covolve: 1 test file is of an earlier run of which nothing else is known here: the tests run first",
            "covolve: p.Sign behaves in another way, and its tests stay as they are; --update replaces them\n",
            ": expected -1, came -2\n",
        ] {
            assert!(said.contains(expect), "{expect}\n{said}");
        }
        assert_eq!(fs::read(folder.test_path("Sign")).unwrap(), before);
        // Those that hold are made anew, and those of the class that behaves in another way where they are to be.
        assert_eq!(folder.generate(&["--class", "p.Rate"]).0, ["Rate"]);
        folder.compile(CLASSES);
    }
    folder.compile(&with("return x < 0 ? -1 : 1;", "return x < 0 ? -2 : 1;"));
    assert_eq!(folder.generate(&["--class", "p.Sign", "--update"]).0, ["Sign"]);
    assert!(fs::read_to_string(folder.test_path("Sign")).unwrap().contains("-2"));
}

#[test]
fn nothing_is_kept_of_a_class_path_unless_asked_for() {
    let folder = Folder::new(CLASSES);
    let words = ["--cp", "classes", "--class", "p.Rate"];
    for _ in 0..2 {
        assert_eq!(folder.generate(&words).0, ["Rate"]);
    }
    assert!(!folder.path(".covolve").exists());
    let words = [&words[..], &["--state", "kept"]].concat();
    assert_eq!(folder.generate(&words).0, ["Rate"]);
    assert_eq!(folder.generate(&words).0, [""; 0]);
}

#[test]
fn behaviour_that_changed_is_named_and_so_is_what_is_gone() {
    let folder = Folder::new(CLASSES);
    folder.generate(&[]);
    let check = |words: &[&str]| {
        let output = folder.covolve(&[&["check"], words].concat());
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let before = folder.all();
    let (code, found, said) = check(&[]);
    assert_eq!(code, Some(0), "{found}{said}");
    assert!(
        found.starts_with("3 test files, ") && found.ends_with(" run: everything is as it was\n"),
        "{found}"
    );
    // One answers in another way, a method that tests call is gone, and so is a class.
    let changed = with("return x < 0 ? -1 : 1;", "return x < 0 ? -2 : 1;")
        .replace("int of(int net)", "int from(int net)");
    folder.compile(&changed);
    fs::remove_file(folder.path("classes/p/Rate.class")).unwrap();
    let (code, found, said) = check(&["--json"]);
    assert_eq!(code, Some(1), "{found}{said}");
    let classes: Vec<CheckedClass> = found.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [price, rate, sign] = classes.as_slice() else { panic!("{found}") };
    assert!(price.errors.iter().all(|error| error.message.contains("method of(int)")), "{price:?}");
    assert!(rate.errors.iter().any(|error| error.message.contains("variable Rate")), "{rate:?}");
    assert!(!price.errors.is_empty() && price.changes.is_empty());
    let changes: Vec<(Option<&str>, &str)> =
        sign.changes.iter().map(|change| (change.expected.as_deref(), change.actual.as_str())).collect();
    assert!(!changes.is_empty() && changes.iter().all(|change| *change == (Some("-1"), "-2")), "{sign:?}");
    let name = format!("void {}(", sign.changes[0].test);
    assert!(folder.test("Sign").contains(&name));
    // Nothing was written.
    let unchanged = |files: BTreeMap<PathBuf, (i64, Vec<u8>)>| -> BTreeMap<_, _> {
        files.into_iter().filter(|(path, _)| !path.starts_with(folder.path("classes"))).collect()
    };
    assert_eq!(unchanged(folder.all()), unchanged(before));
    // Without what is known of earlier runs the classes tell of their files; one that is gone cannot.
    fs::remove_dir_all(folder.path(".covolve")).unwrap();
    let (code, found, _) = check(&["--class", "p.Sign"]);
    assert_eq!(code, Some(1));
    assert!(found.contains(&format!("\n  {}: expected -1, came -2\n", sign.changes[0].test)), "{found}");
    let (code, _, said) = check(&["--class", "p.Rate"]);
    assert_eq!(code, Some(3));
    assert!(said.ends_with(
        "covolve: no class and no test file of p.Rate is known; check --class, and that its tests were generated\n"
    ), "{said}");
}

#[test]
fn a_changed_class_is_searched_from_its_earlier_tests() {
    let sources = |more: &str| {
        format!(
            "//- /p/Lock.java\npackage p;\npublic class Lock {{ public int of(int x) {{ return x * 3 + 1 == 144454 ? 1 : 0; }} {more} }}\n"
        )
    };
    let folder = Folder::new(CLASSES);
    folder.compile(&sources(""));
    let generate = |budget: &str, words: &[&str]| {
        let output = folder.covolve(&[&["generate", "--budget", budget], words].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        folder.test("Lock").contains("48151")
    };
    assert!(generate("3000executions", &[]));
    // So few do not find the key by themselves.
    folder.compile(&sources("public int two() { return 2; }"));
    assert!(generate("5executions", &[]));
    assert!(folder.test("Lock").contains("two()"));
    assert!(!generate("5executions", &["--fresh"]));
}

#[test]
fn slow_tests_hold_however_short_the_budget_is_of_the_next_run() {
    let sources = |more: &str| {
        format!(
            "//- /p/Slow.java\npackage p;\npublic class Slow {{ public int wait(int x) throws Exception {{ Thread.sleep(500); return x; }} \
             {more} }}\n"
        )
    };
    let folder = Folder::new(&sources(""));
    folder.generate(&[]);
    assert!(folder.test("Slow").contains("wait("));
    folder.compile(&sources("public int two() { return 2; }"));
    let said = text(&folder.covolve(&["generate", "--budget", "2s"]).stderr);
    assert!(!said.contains("behaves in another way"), "{said}");
    assert!(folder.test("Slow").contains("wait("));
}

#[test]
fn tests_that_hold_stay_as_they_are_when_their_class_changes() {
    const WORD: &str = "public String word(boolean b) { return b ? \"yes\" : \"no\"; }";
    let sources = |twice: &str, more: &str| {
        format!(
            "//- /p/Both.java\npackage p;\npublic class Both {{ public int sign(int x) {{ return x < 0 ? -1 : 1; }}\n\
             public int twice(int x) {{ return {twice}; }}\n{more} }}\n"
        )
    };
    let folder = Folder::new(&sources("x * 2", ""));
    let tests = || tests_in(&folder.test("Both"));
    folder.generate(&[]);
    let first = tests();
    // Another seed would make other tests, and so would the same one for another class.
    folder.compile(&sources("x * 2", WORD));
    let words = ["--seed", "7"];
    assert_eq!(folder.generate(&words).0, ["Both"]);
    let second = tests();
    assert_eq!(second.get(..first.len()), Some(&*first), "{second:#?}");
    let new = &second[first.len()..];
    assert!(!new.is_empty() && new.iter().all(|test| test.contains("word(")), "{new:#?}");
    // What fails stays until it is to be replaced.
    folder.compile(&sources("x * 2 + 1", WORD));
    let output = folder.covolve(&[&["generate", "--budget", "100executions"][..], &words].concat());
    let behind = tests();
    assert_eq!(
        (output.status.code(), behind.get(..second.len())),
        (Some(1), Some(&*second)),
        "{}",
        text(&output.stderr)
    );
    let second = behind;
    let (_, said) = folder.generate(&[&words[..], &["--update"]].concat());
    let name = |test: &String| test.split("void ").nth(1).unwrap().split('(').next().unwrap().to_owned();
    let holds = |test: &&String| !said.contains(&format!("  {}: expected ", name(test)));
    let held: Vec<String> = second.iter().filter(holds).cloned().collect();
    let third = tests();
    assert_eq!(third.get(..held.len()), Some(&*held), "{third:#?}");
    assert!(held.len() < second.len() && third.iter().any(|test| test.contains("twice(")), "{third:#?}");
    // A method that is gone takes its tests along, and no others; what kills more may come behind them.
    folder.compile(&sources("x * 2 + 1", ""));
    folder.generate(&words);
    let left: Vec<String> = third.into_iter().filter(|test| !test.contains("word(")).collect();
    let fourth = tests();
    assert_eq!(fourth.get(..left.len()), Some(&*left), "{fourth:#?}");
    assert!(fourth.iter().all(|test| !test.contains("word(")), "{fourth:#?}");
}
