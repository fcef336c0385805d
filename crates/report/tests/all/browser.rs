//! The page in a headless browser, where there is one: what its scripts make of addresses. Without one nothing is checked here;
//! what does not need scripts is checked in `html.rs`.

#![expect(clippy::disallowed_methods, reason = "tests write files")]

use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Output};

use crate::support::{ordinary, project};
use report::format::{Choice, format};
use report::model::{Module, ProjectReport};

/// Names of the browser on different systems.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// The flags of a run that needs no display, no network and no rights, and that goes on until nothing is left to be done.
const FLAGS: [&str; 8] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--virtual-time-budget=20000",
];

const AWKWARD_CLASS: &str = "#class=p.Gr%C3%B6%C3%9Fe%3C%26%22%27%7C%60%24%3C%2Fscript%3E&module=core";

/// The first browser that there is, shown the page at an address, with more flags.
fn show(folder: &Path, address: &str, flags: &[&str]) -> Option<Output> {
    let page = format!("file://{}{address}", folder.join("page.html").display());
    BROWSERS.iter().find_map(|browser| {
        let mut command = Command::new(browser);
        command
            .args(FLAGS)
            .args(flags)
            .arg(format!("--user-data-dir={}", folder.join("browser").display()))
            .arg(&page);
        match command.output() {
            Ok(output) => Some(output),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => panic!("{browser}: {error}"),
        }
    })
}

/// Shows an address of a page with so many classes.
fn check(folder: &Path, classes: usize, address: &str, expect: &[&str]) {
    let flags = ["--enable-logging=stderr", "--dump-dom"];
    let Some(output) = show(folder, address, &flags) else { return };
    let (page, log) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(!log.contains("Uncaught") && !log.contains("Content Security Policy"), "{address}: {log}");
    for part in expect {
        assert!(page.contains(part), "{address} lacks {part}: {page}\n{log}");
    }
    let scripts = page.matches("<script").count();
    assert_eq!(scripts, classes + 2, "{address}: no text of the report has become a script");
}

#[test]
fn addresses_lead_to_classes_lines_and_tests() {
    let folder = tempfile::tempdir().unwrap();
    let page = (format("html").unwrap().render)(&project(), &Choice::default());
    std::fs::write(folder.path().join("page.html"), page).unwrap();
    let folder = folder.path();
    check(
        folder,
        2,
        "",
        &["<main id=\"overview\">", "<main id=\"class\" hidden=\"\"></main>", "Theme: system"],
    );
    check(
        folder,
        2,
        &format!("{AWKWARD_CLASS}&line=4"),
        &[
            "<main id=\"overview\" hidden=\"\">",
            "Größe&lt;&amp;\"'|`$&lt;/script&gt;</h1>",
            "<h3>Line 4</h3>",
            "in 20 runs it never came out so",
            "To be covered first: line 4 of another &lt;/script&gt; goal",
            "// naïve ☕ &lt;/script&gt; &lt;!-- &amp; \u{2028}",
            "data-line=\"4\" data-state=\"part\"",
            "<span class=\"state good\">Killed</span><span class=\"of\">Weak mutation</span>",
            "<th scope=\"row\">Mutants killed</th><td class=\"number\">1</td><td class=\"number\">2</td>",
        ],
    );
    check(
        folder,
        2,
        &format!("{AWKWARD_CLASS}&line=5"),
        &["<span class=\"state part\">Lives</span>", "; no test is known to kill it."],
    );
    check(
        folder,
        2,
        &format!("{AWKWARD_CLASS}&test=two"),
        &[
            "class=\"line by-test\"",
            "tabindex=\"-1\">two</h3>",
            "1 mutant killed, 1 of them by no other test.",
        ],
    );
    check(folder, 2, "#class=q.Bare&module=util", &["The source was not found", "There is no test file."]);
}

#[test]
fn a_class_can_be_printed_and_looked_at_in_the_dark() {
    let folder = tempfile::tempdir().unwrap();
    let page = (format("html").unwrap().render)(&project(), &Choice::default());
    std::fs::write(folder.path().join("page.html"), page).unwrap();
    let made = |name: &str, flags: &[&str]| -> Option<Vec<u8>> {
        let file = folder.path().join(name);
        let flag = if name.ends_with("pdf") { "--print-to-pdf" } else { "--screenshot" };
        let flag = format!("{flag}={}", file.display());
        let flags: Vec<&str> = flags.iter().copied().chain([flag.as_str()]).collect();
        show(folder.path(), AWKWARD_CLASS, &flags)?;
        Some(std::fs::read(file).expect("the browser makes it"))
    };
    let Some(printed) = made("page.pdf", &[]) else { return };
    assert!(printed.starts_with(b"%PDF") && printed.len() > 10_000, "{}", printed.len());
    let light = made("light.png", &["--blink-settings=preferredColorScheme=1"]);
    let dark = made("dark.png", &["--blink-settings=preferredColorScheme=0"]);
    assert!(light.is_some() && light != dark, "the page follows what the system prefers");
}

#[test]
fn two_thousand_classes_open() {
    let module = Module { classes: (0..2000).map(ordinary).collect(), ..Module::default() };
    let report = ProjectReport { modules: vec![module], ..ProjectReport::default() };
    let folder = tempfile::tempdir().unwrap();
    let page = (format("html").unwrap().render)(&report, &Choice::default());
    std::fs::write(folder.path().join("page.html"), page).unwrap();
    let of_one = "#class=com.example.part7.Class1607";
    check(folder.path(), 2000, "", &["<main id=\"overview\">", "com.example.part7.Class1607"]);
    check(folder.path(), 2000, of_one, &["Class1607</h1>", "what line 99 does"]);
}
