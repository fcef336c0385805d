//! Which classes are worked on, and in which order.

#![expect(clippy::disallowed_methods, reason = "tests read and write files")]

use crate::support;
use std::fs;
use std::process::Command;

use crate::support::folder::{Folder, text};
use project::request::JunitChoice;

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

fn git(folder: &Folder, words: &[&str]) {
    let identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
    let output =
        Command::new("git").args(identity).args(words).current_dir(folder.path("")).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn what_has_changed_since_a_commit_is_worked_on_with_what_uses_it() {
    let folder = Folder::new(CLASSES);
    let source = |name: &str, text: &str| fs::write(folder.path(name), text).unwrap();
    let refused = |expect: &str| {
        let output = folder.covolve(&["generate", "--since", "before"]);
        let said = text(&output.stderr);
        assert_eq!((output.status.code(), said.lines().count()), (Some(3), 1), "{said}");
        assert!(said.contains(expect), "{said}");
    };
    refused("is in no git work tree; give --project a folder that is in one, or leave --since out");
    for (name, text) in [("Rate.java", "package p;\n"), ("Sign.java", "package p;\n"), ("pom.txt", "")] {
        source(name, text);
    }
    source(".gitignore", "classes/\ncovolve-tests/\n");
    git(&folder, &["init", "-q"]);
    refused("git knows no commit before in ");
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "-q", "-m", "first"]);
    git(&folder, &["tag", "before"]);
    let since = |expect: &[&str], sentence: &str| {
        let (searched, said) = folder.generate(&["--since", "before"]);
        assert_eq!(searched, expect, "{said}");
        assert!(said.contains(sentence), "{said}");
    };
    since(&[], "covolve: nothing has changed since before: no class is worked on\n");
    source("pom.txt", "changed");
    since(
        &[],
        "covolve: 1 file has changed since before, and it is not the source of a class that is asked for (pom.txt): no class is \
         worked on; leave --since out if a resource or the build changes what classes do\n",
    );
    source("Rate.java", "package p;\n// changed\n");
    since(&["Price", "Rate"], "");
    for (words, expect) in [
        (&["list"][..], &["p.Price", "p.Rate"][..]),
        (&["goals", "--criterion", "branch"], &["p.Price", "p.Rate"]),
        (&["check"], &["p.Price", "p.Rate"]),
        (&["check", "--class", "p.Sign"], &[]),
    ] {
        let mut command = Command::new(support::covolve());
        command.args(words).args(["--since", "before", "--json"]).current_dir(folder.path(""));
        if words[0] == "check" {
            let junit = support::junit(JunitChoice::Jupiter);
            command.arg("--junit-cp").arg(std::env::join_paths(junit.class_path).unwrap());
            command.env("COVOLVE_CACHE", support::environment().cache.unwrap());
        }
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{words:?} {}", text(&output.stderr));
        let rows = text(&output.stdout);
        let rows = rows.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let mut classes: Vec<String> = rows.map(|row| row["class"].as_str().unwrap().to_owned()).collect();
        classes.sort();
        assert_eq!(classes, expect, "{words:?}");
    }
    let output = folder.covolve_with(&["generate", "--since", "before"], &[("PATH", "/nonexistent")]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    let expect = "covolve: --since asks git what has changed, and there is no git on the path; ";
    assert!(said.starts_with(expect), "{said}");
}

/// A report of JaCoCo with branches of classes of `p`: name, covered, missed.
fn report(classes: &[(&str, u32, u32)]) -> String {
    let class = |(name, covered, missed): &(&str, u32, u32)| {
        format!(
            "<class name=\"p/{name}\"><counter type=\"BRANCH\" missed=\"{missed}\" covered=\"{covered}\"/></class>"
        )
    };
    let classes: String = classes.iter().map(class).collect();
    format!("<report name=\"x\"><package name=\"p\">{classes}</package></report>")
}

#[test]
fn the_least_covered_classes_come_first() {
    let folder = Folder::new(CLASSES);
    let started = |words: &[&str]| {
        let output = folder.covolve(&[&["generate", "--fresh", "--jobs", "1"], words].concat());
        let said = text(&output.stderr);
        let names =
            said.lines().filter_map(|line| line.strip_prefix("covolve: p.")?.strip_suffix(": started"));
        (names.map(str::to_owned).collect::<Vec<_>>(), said)
    };
    let few = ["--budget", "100executions"];
    fs::create_dir_all(folder.path("target/site/jacoco")).unwrap();
    let usual = folder.path("target/site/jacoco/jacoco.xml");
    fs::write(&usual, report(&[("Rate", 1, 1), ("Price", 1, 3), ("Sign", 2, 0)])).unwrap();
    let (order, said) = started(&few);
    assert_eq!(order, ["Price", "Rate", "Sign"]);
    assert!(said.contains("covolve: the least covered come first, by "), "{said}");
    // A time that all share makes small ones come first of those alone that are covered alike.
    fs::write(folder.path("alike.xml"), report(&[("Rate", 1, 1), ("Price", 1, 1), ("Sign", 1, 3)])).unwrap();
    let shared = ["--total-budget", "1h", "--budget", "4s", "--coverage", "alike.xml"];
    assert_eq!(started(&shared).0, ["Sign", "Rate", "Price"]);
    // The one that is named goes before the usual one, and has to be right.
    fs::write(folder.path("mine.xml"), report(&[("Rate", 2, 0), ("Price", 1, 1)])).unwrap();
    assert_eq!(started(&[&few[..], &["--coverage", "mine.xml"]].concat()).0, ["Sign", "Price", "Rate"]);
    fs::write(folder.path("mine.exec"), [0x01, 0xC0, 0xC0, 0x10, 0x07, 0x11, 0x00]).unwrap();
    let output = folder.covolve(&["generate", "--coverage", "mine.exec"]);
    let said = text(&output.stderr);
    let expect = "covolve: mine.exec cannot be read as what JaCoCo measured: it ends in the middle; give its exec file or XML report \
                  with --coverage, or run the tests again\n";
    assert_eq!((output.status.code(), said.ends_with(expect)), (Some(3), true), "{said}");
    // A usual one that is damaged costs a sentence.
    fs::write(&usual, "<html/>").unwrap();
    let (order, said) = started(&[&few[..], &["--prefix", "p"]].concat());
    assert_eq!(order, ["Price", "Rate", "Sign"]);
    assert!(said.contains("covolve: the order is as ever: "), "{said}");
}
