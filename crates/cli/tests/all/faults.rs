//! What a class may do to its tester: all of `fixtures/faults` in one run, each class with the outcome that its comments
//! define. Nothing stops the tool, nothing outside of the scratch folder changes, nothing found is lost.

#![expect(clippy::disallowed_methods, reason = "tests read files and start the command")]

use crate::support;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::covolve;
use cli::json::{ClassReport, LostGoal};
use project::maven::Maven;
use project::request::Coordinates;
use testcase::random::Random;

/// What a fixture says of itself.
#[derive(Debug, Default)]
struct Expected {
    tested: Vec<String>,
    never: Vec<String>,
    says: Vec<String>,
    holds: Vec<String>,
    has_no_file: bool,
}

/// A comment of a fixture and what it asks for.
const COMMENT: &str = "//~ ";

impl Expected {
    fn read(source: &str) -> Self {
        let mut expected = Self::default();
        for (code, said) in source.lines().filter_map(|line| line.split_once(COMMENT)) {
            match said.trim() {
                "tested" => expected.tested.push(method(code)),
                "never" => expected.never.push(method(code)),
                "no file" => expected.has_no_file = true,
                said if said.starts_with("holds: ") => {
                    expected.holds.push(said.trim_start_matches("holds: ").to_owned());
                }
                said => expected.says.push(said.strip_prefix("says: ").expect(said).to_owned()),
            }
        }
        expected
    }

    /// Each way in which an outcome is another one.
    fn contradictions(&self, told: &[&str], text: Option<&str>) -> Vec<String> {
        let mut wrong = Vec::new();
        let calls = |method: &String| text.is_some_and(|text| text.contains(&format!(".{method}(")));
        if text.is_some() == self.has_no_file {
            wrong.push(format!("a file: {}", text.is_some()));
        }
        wrong.extend(self.tested.iter().filter(|method| !calls(method)).map(|method| format!("no {method}")));
        wrong
            .extend(self.never.iter().filter(|method| calls(method)).map(|method| format!("calls {method}")));
        let holds = |part: &String| text.is_some_and(|text| text.contains(part));
        wrong.extend(
            self.holds.iter().filter(|part| !holds(part)).map(|part| format!("does not hold {part}")),
        );
        for said in &self.says {
            if !told.iter().any(|told| told.contains(said)) {
                wrong.push(format!("does not say {said}"));
            }
        }
        wrong
    }
}

/// The name before the first parenthesis.
fn method(code: &str) -> String {
    let head = code.split('(').next().unwrap_or_default();
    head.rsplit(|character: char| !character.is_alphanumeric()).next().unwrap_or_default().to_owned()
}

/// All Java files below a folder, with their paths in it.
fn sources(root: &Path, folder: &Path, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(root, &path, found);
        } else if path.extension().is_some_and(|extension| extension == "java") {
            let name = path.strip_prefix(root).expect("it lies below").display().to_string();
            found.insert(name, fs::read_to_string(&path).expect("a source"));
        }
    }
}

/// The fixtures by the path that their package asks for.
fn fixtures() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/faults");
    let mut found = BTreeMap::new();
    sources(&folder, &folder, &mut found);
    let is_other = |name: &str| name.starts_with("lib/") || name.starts_with("absent/");
    let place = |name: String| if is_other(&name) { name } else { format!("faults/{name}") };
    let mut placed: BTreeMap<String, String> =
        found.into_iter().map(|(name, text)| (place(name), text)).collect();
    placed.insert("faults/Large.java".to_owned(), large());
    placed
}

/// A class with a method that fills what the JVM allows (65,535 bytes): with probes it is too large.
fn large() -> String {
    const TESTS: usize = 6_000;
    let tests: Vec<String> = (0..TESTS).map(|test| format!("if (x == {}) n++;", test % 100)).collect();
    let tests = tests.join("\n");
    format!(
        "package faults;\npublic class Large {{\n\
         public static int harmless(int x) {{ return x > 100 ? 1 : 0; }} //~ tested\n\
         public static int large(int x) {{ //~ says: too large to carry probes\nint n = 0;\n{tests}\nreturn n;\n}}\n}}\n"
    )
}

/// Copies a folder of classes.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("it can be copied");
        }
    }
}

/// Compiles the fixtures and damages what is to be damaged.
fn damaged(fixtures: &BTreeMap<String, String>, to: &Path) {
    let all: Vec<String> = fixtures.iter().map(|(name, text)| format!("//- /{name}\n{text}\n")).collect();
    copy(&fixture::compile_with(&all.concat(), &["-g", "-parameters", "--release", "17"]).folder, to);
    fs::remove_dir_all(to.join("absent")).expect("it was compiled");
    let damage = |class: &str, damage: &dyn Fn(&mut Vec<u8>)| {
        let path = to.join(format!("faults/{class}.class"));
        let mut bytes = fs::read(&path).expect("a class file");
        damage(&mut bytes);
        fs::write(&path, bytes).expect("it can be written");
    };
    damage("Truncated", &|bytes| bytes.truncate(bytes.len() / 2));
    damage("BadMagic", &|bytes| bytes[0] = 0);
    damage("TooNew", &|bytes| bytes[7] = 99);
    damage("Flipped", &|bytes| {
        // Beyond the magic number and the version, some bits of every seventh byte.
        (8..bytes.len()).step_by(7).for_each(|index| bytes[index] ^= 0x15);
    });
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries.map(|entry| entry.expect("an entry").file_name().display().to_string()).collect()
}

/// What a run left behind.
struct Generated {
    code: Option<i32>,
    reports: Vec<ClassReport>,
    stderr: String,
    out: PathBuf,
    _place: tempfile::TempDir,
}

/// Runs `generate` with these words where a file lies that nobody must touch.
fn generate(classes: &Path, words: &str) -> Generated {
    let place = tempfile::tempdir().expect("a folder");
    let folder = |name: &str| {
        let folder = place.path().join(name);
        fs::create_dir(&folder).expect("a folder");
        folder
    };
    let (home, scratch, out) = (folder("home"), folder("scratch"), folder("out"));
    fs::write(home.join("victim.txt"), "untouched").expect("a file");
    let output = Command::new(covolve())
        .args(["generate", "--json", "--out"])
        .arg(&out)
        .arg("--cp")
        .arg(classes)
        .args(words.split(' '))
        .current_dir(&home)
        .env("TMPDIR", &scratch)
        .env("COVOLVE_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("covolve-cache"))
        .output()
        .expect("the command starts");
    assert_eq!(names(&home), ["victim.txt"]);
    assert_eq!(fs::read_to_string(home.join("victim.txt")).expect("it is there"), "untouched");
    assert_eq!(names(&scratch), Vec::<String>::new());
    let text = String::from_utf8(output.stdout).expect("JSON is text");
    let reports = text.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let stderr = String::from_utf8(output.stderr).expect("sentences are text");
    Generated { code: output.status.code(), reports, stderr, out, _place: place }
}

/// Whether a goal of a fixture cannot but be lost.
fn may_be_lost(class: &str, lost: &LostGoal) -> bool {
    match class {
        // A test of state that other tests change on purpose holds in some orders only.
        "faults.State" => lost.cause == "order_dependent",
        // In a worker what it allocates ends in an exception soon; in a JVM without that limit it goes on for long.
        "faults.NativeMemory" => lost.goal.contains(".blocks()"),
        _ => false,
    }
}

#[test]
fn every_fault_has_its_outcome() {
    let fixtures = fixtures();
    let classes = tempfile::tempdir().expect("a folder");
    damaged(&fixtures, classes.path());
    let words = "--prefix faults --criterion branch,line --budget 300executions --jobs 2";
    let generated = generate(classes.path(), words);
    let mut wrong = Vec::new();
    for (path, source) in fixtures.iter().filter(|(path, _)| path.starts_with("faults/")) {
        let name = path.trim_end_matches(".java");
        let class = name.replace('/', ".");
        let text = fs::read_to_string(generated.out.join(format!("{name}CovolveTest.java"))).ok();
        let report = generated.reports.iter().find(|report| report.class == class);
        let mut told: Vec<&str> =
            generated.stderr.lines().filter(|line| line.contains(&format!(" {class}: "))).collect();
        told.extend(report.iter().flat_map(|report| &report.diagnostics).map(String::as_str));
        let mut contradictions = Expected::read(source).contradictions(&told, text.as_deref());
        let lost = report.iter().flat_map(|report| &report.losses.goals);
        contradictions.extend(lost.filter(|lost| !may_be_lost(&class, lost)).map(|lost| format!("{lost:?}")));
        if !contradictions.is_empty() {
            wrong.push(format!("{class}: {contradictions:?}; it says {told:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    // A class that cannot be read outweighs those of which nothing can be tested.
    assert_eq!(generated.code, Some(3));
}

/// Fixtures whose faults lie in static methods, so that they can stand side by side in one class.
const SIDE_BY_SIDE: [&str; 15] = [
    "Crash",
    "EndlessInTheJdk",
    "ExitInTheJdk",
    "Exits",
    "HugeArguments",
    "Locks",
    "Loops",
    "Memory",
    "NativeMemory",
    "Network",
    "Processes",
    "Recursion",
    "RogueFiles",
    "Streams",
    "Threads",
];

/// A method with four results, which only tests of it alone come to.
const HARMLESS: &str = r#"
    public static int harmless(int x, String text) { //~ tested
        if (x > 100) return text.startsWith("ab") ? 3 : 2;
        return text.length() == 3 && x < -7 ? 1 : 0;
    }
"#;

/// A class with all that these fixtures have, and one harmless method in the place of theirs.
fn side_by_side(fixtures: &BTreeMap<String, String>, class: &str, parts: &[&str]) -> String {
    let (mut imports, mut bodies) = (BTreeSet::new(), String::new());
    for part in parts {
        let source = &fixtures[&format!("faults/{part}.java")];
        let (head, body) = source.split_once(&format!("public class {part} {{")).expect("a class");
        imports.extend(head.lines().filter(|line| line.starts_with("import ")));
        let (body, _) = body.rsplit_once('}').expect("its end");
        // What a fixture says of its class is on the rest of the first line.
        let lines = body.lines().skip(1).filter(|line| !line.contains("int harmless("));
        lines.for_each(|line| bodies.extend([line, "\n"]));
    }
    let imports: Vec<&str> = imports.into_iter().collect();
    format!("package faults;\n{}\npublic class {class} {{{HARMLESS}{bodies}}}\n", imports.join("\n"))
}

/// Tests classes of several fixtures each, and gives what is wrong with what becomes of them and the files.
fn generate_side_by_side(classes: &[(String, Vec<&str>)], budget: &str) -> (Vec<String>, Vec<String>) {
    let mut sources = fixtures();
    for (class, parts) in classes {
        let source = side_by_side(&sources, class, parts);
        sources.insert(format!("faults/{class}.java"), source);
    }
    let all: Vec<String> = sources.iter().map(|(name, text)| format!("//- /{name}\n{text}\n")).collect();
    let compiled = fixture::compile_with(&all.concat(), &["-g", "-parameters", "--release", "17"]);
    let names: Vec<String> = classes.iter().map(|(class, _)| format!("--class faults.{class}")).collect();
    let words = format!("{} --criterion branch,line --budget {budget} --jobs 2", names.join(" "));
    let generated = generate(&compiled.folder, &words);
    let (mut wrong, mut files) = (Vec::new(), Vec::new());
    for (class, parts) in classes {
        let text = fs::read_to_string(generated.out.join(format!("faults/{class}CovolveTest.java"))).ok();
        let expected = Expected::read(&sources[&format!("faults/{class}.java")]);
        let mut contradictions = expected.contradictions(&[], text.as_deref());
        let text = text.unwrap_or_default();
        let report = generated.reports.iter().find(|report| report.class == format!("faults.{class}"));
        let open = report.iter().flat_map(|report| &report.open_goals);
        let open = open.filter(|goal| goal.method.starts_with("harmless("));
        contradictions.extend(open.map(|goal| format!("open: {}", goal.goal)));
        if !text.contains(&format!("{class}.harmless(")) {
            contradictions.push("no test of harmless".to_owned());
        }
        // Every worker that is lost is lost to a call that is known then.
        let unknown = report
            .iter()
            .flat_map(|report| &report.diagnostics)
            .filter(|said| said.contains("between two tests"));
        contradictions.extend(unknown.cloned());
        if !contradictions.is_empty() {
            let told = report.map(|report| (report.executions, &report.diagnostics));
            wrong.push(format!("{parts:?}: {contradictions:?}; it says {told:?}"));
        }
        files.push(text);
    }
    (wrong, files)
}

#[test]
fn faults_side_by_side_cost_their_calls_and_not_the_class() {
    let class = ("Everything".to_owned(), SIDE_BY_SIDE.to_vec());
    let (wrong, _) = generate_side_by_side(&[class], "6000executions");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn any_two_faults_cost_their_calls_and_not_the_class_and_the_same_ones_every_time() {
    let mut random = Random::new(15, 0);
    let mut draw = |number: usize| {
        let first = random.below(SIDE_BY_SIDE.len());
        let second = (first + 1 + random.below(SIDE_BY_SIDE.len() - 1)) % SIDE_BY_SIDE.len();
        (format!("Pair{number}"), vec![SIDE_BY_SIDE[first], SIDE_BY_SIDE[second]])
    };
    let pairs: Vec<(String, Vec<&str>)> = (0..3).map(&mut draw).collect();
    let (wrong, files) = generate_side_by_side(&pairs, "1000executions");
    assert!(wrong.is_empty(), "{wrong:#?}");
    // One that loses workers.
    let again = ("Pair0".to_owned(), vec!["ExitInTheJdk", "Crash"]);
    let runs = [(); 2].map(|()| generate_side_by_side(std::slice::from_ref(&again), "1000executions"));
    assert_eq!(runs[0], runs[1]);
    assert!(runs[0].0.is_empty() && !files.is_empty(), "{:#?}", runs[0].0);
}

#[test]
fn a_class_of_nothing_but_faults_is_over_early_and_says_so() {
    let source = "//- /deadly/Deadly.java\npackage deadly;\npublic class Deadly { private Deadly() { }\n\
                  public static void exit() throws Exception { System.class.getMethod(\"exit\", int.class).invoke(null, 3); }\n\
                  public static boolean endless() { return java.util.stream.LongStream.range(0, Long.MAX_VALUE).boxed()\n\
                  .noneMatch(java.util.Objects::isNull); } }";
    let compiled = fixture::compile_with(source, &["-g", "--release", "17"]);
    let generated =
        generate(&compiled.folder, "--class deadly.Deadly --criterion branch --budget 100000executions");
    let report = generated.reports.first().expect("a report");
    let sentence = "the search ended early: runs of every call of the class had to be ended";
    assert!(report.diagnostics.iter().any(|said| said == sentence), "{:?}", report.diagnostics);
    assert!(report.executions < 1000, "{}", report.executions);
}

#[test]
fn a_module_that_exports_nothing_is_tested_like_any_class_path_entry() {
    let sources = "//- /module-info.java\nmodule closed { }\n//- /closed/Closed.java\npackage closed;\n\
                   public class Closed { public static int value(int x) { return x > 100 ? 1 : 0; } }";
    let compiled = fixture::compile_with(sources, &["-g", "--release", "17"]);
    let generated = generate(&compiled.folder, "--class closed.Closed --budget 200executions");
    assert_eq!(generated.code, Some(0), "{}", generated.stderr);
    let text = fs::read_to_string(generated.out.join("closed/ClosedCovolveTest.java")).expect("a file");
    assert!(text.contains("assertEquals(1, Closed.value("), "{text}");
}

/// Tests a class of a library from Maven's repository and gives what was said of it.
fn of_library(coordinates: Coordinates, class: &str) -> ClassReport {
    let (environment, jdk) = (support::environment(), support::jdk());
    let artifact = coordinates.artifact.clone();
    let jars = Maven::new(&environment, &jdk, &|_| ()).resolve(&[coordinates]).expect("it can be had");
    let is_wanted =
        |jar: &&PathBuf| jar.file_name().is_some_and(|name| name.display().to_string().contains(&artifact));
    let jar = jars.iter().find(is_wanted).expect("its jar");
    let generated = generate(jar, &format!("--class {class} --criterion branch,line --budget 500executions"));
    assert_eq!(generated.code, Some(0), "{}", generated.stderr);
    generated.reports.into_iter().next().expect("a report")
}

#[test]
fn code_that_kotlin_scala_and_groovy_compiled_is_tested() {
    let check = |coordinates: Coordinates, class: &str, percent: usize| {
        let report = of_library(coordinates, class);
        let (covered, goals) = report.criteria.iter().fold((0, 0), |(covered, goals), criterion| {
            (covered + criterion.covered, goals + criterion.goals)
        });
        assert!(100 * covered >= percent * goals, "{class}: {report:?}");
    };
    check(Coordinates::of("org.jetbrains.kotlin", "kotlin-stdlib", "2.0.21"), "kotlin.Pair", 100);
    check(Coordinates::of("org.scala-lang", "scala-library", "2.13.15"), "scala.Some", 60);
    check(Coordinates::of("org.apache.groovy", "groovy", "4.0.24"), "groovy.lang.IntRange", 60);
}
