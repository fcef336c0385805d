//! The page in a headless browser, where there is one: what its scripts make of addresses. Without one nothing is checked here;
//! what does not need scripts is checked in `html.rs`.

#![expect(clippy::disallowed_methods, reason = "tests write files")]

mod support;

use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Output};

use report::format::{Choice, format};
use support::project;

/// Names of the browser on different systems.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// The flags of a run that needs no display, no network and no rights, and that goes on until nothing is left to be done.
const FLAGS: [&str; 10] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-logging=stderr",
    "--virtual-time-budget=20000",
    "--dump-dom",
];

const AWKWARD_CLASS: &str = "#class=p.Gr%C3%B6%C3%9Fe%3C%26%22%27%7C%60%24%3C%2Fscript%3E&module=core";

/// The first browser that there is, shown the page at an address.
fn show(folder: &Path, address: &str) -> Option<Output> {
    let page = format!("file://{}{address}", folder.join("page.html").display());
    BROWSERS.iter().find_map(|browser| {
        let mut command = Command::new(browser);
        command.args(FLAGS).arg(format!("--user-data-dir={}", folder.join("browser").display())).arg(&page);
        match command.output() {
            Ok(output) => Some(output),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => panic!("{browser}: {error}"),
        }
    })
}

fn check(folder: &Path, address: &str, expect: &[&str]) {
    let Some(output) = show(folder, address) else { return };
    let (page, log) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(!log.contains("Uncaught") && !log.contains("Content Security Policy"), "{address}: {log}");
    for part in expect {
        assert!(page.contains(part), "{address} lacks {part}: {page}\n{log}");
    }
    assert_eq!(page.matches("<script").count(), 4, "{address}: no text of the report has become a script");
}

#[test]
fn addresses_lead_to_classes_lines_and_tests() {
    let folder = tempfile::tempdir().unwrap();
    let page = (format("html").unwrap().render)(&project(), &Choice::default());
    std::fs::write(folder.path().join("page.html"), page).unwrap();
    let folder = folder.path();
    check(folder, "", &["<main id=\"overview\">", "<main id=\"class\" hidden=\"\"></main>", "Theme: system"]);
    check(
        folder,
        &format!("{AWKWARD_CLASS}&line=4"),
        &[
            "<main id=\"overview\" hidden=\"\">",
            "Größe&lt;&amp;\"'|`$&lt;/script&gt;</h1>",
            "<h3>Line 4</h3>",
            "in 20 runs it never came out so",
            "To be covered first: line 4 of another &lt;/script&gt; goal",
            "// naïve ☕ &lt;/script&gt; &lt;!-- &amp; \u{2028}",
            "data-line=\"4\" data-state=\"part\"",
        ],
    );
    check(
        folder,
        &format!("{AWKWARD_CLASS}&test=two"),
        &["class=\"line by-test\"", "tabindex=\"-1\">two</h3>"],
    );
    check(folder, "#class=q.Bare&module=util", &["The source was not found", "There is no test file."]);
}
