//! Which classes are worked on, and in which order.

#![expect(clippy::disallowed_methods, reason = "tests read and write files")]

mod support;

use std::fs;
use std::process::Command;

use support::folder::{Folder, text};

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
    let output = folder.covolve_with(&["generate", "--since", "before"], &[("PATH", "/nonexistent")]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    let expect = "covolve: --since asks git what has changed, and there is no git on the path; ";
    assert!(said.starts_with(expect), "{said}");
}
