//! What several tests of a class begin with is written once, in files that JUnit runs.

use crate::support;
use crate::support::folder::{Folder, text};
use cli::check::CheckedClass;
use project::request::JunitChoice;

/// An engine takes a plan that is sealed; a method may be added.
fn engine(more: &str) -> String {
    format!(
        r#"
//- /p/Plan.java
package p;
public class Plan {{
    private boolean sealed;
    public void seal() {{ sealed = true; }}
    boolean sealed() {{ return sealed; }}
}}
//- /p/Engine.java
package p;
public class Engine {{
    private int turns;
    public Engine(Plan plan) {{
        if (!plan.sealed()) throw new IllegalArgumentException("not sealed");
    }}
    public String run(int load) {{
        turns++;
        if (load > 100) throw new IllegalStateException("overload");
        if (load > 50) return "hot";
        if (load > 10) return "warm";
        if (load < 0) return "reverse";
        return "cold";
    }}
    public int turns() {{ return turns; }}
    public boolean isNamed(String name) {{ return name.endsWith("ine"); }}
    {more}
}}
"#
    )
}

const MORE: &str = "public char grade(int load) { return load == 7 ? 'A' : 'B'; }";

fn generate(folder: &Folder, words: &[&str]) -> String {
    let class = ["generate", "--budget", "3000executions", "--class", "p.Engine"];
    let output = folder.covolve(&[&class, words].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    folder.test("Engine")
}

/// The test methods of a file, with their names and bodies.
fn methods(file: &str) -> Vec<&str> {
    file.split("    @Test\n")
        .skip(1)
        .filter_map(|rest| rest.split_once("\n    }\n"))
        .map(|(of, _)| of)
        .collect()
}

#[test]
fn tests_share_what_they_begin_with_and_keep_it_when_more_come() {
    let folder = Folder::new(&engine(""));
    let first = generate(&folder, &[]);
    // All but the test of the constructor begin with an engine that works.
    let set_up = "    private Engine engine;

    @BeforeEach
    void setUp() {
        Plan plan = new Plan();
        plan.seal();
        engine = new Engine(plan);
    }
";
    assert!(first.contains(set_up), "{first}");
    assert_eq!(first.matches("new Engine(").count(), 2, "{first}");
    let check = || {
        let output = folder.covolve(&["check", "--json"]);
        let checked = serde_json::from_str::<CheckedClass>(text(&output.stdout).trim());
        checked.unwrap_or_else(|error| panic!("{error}: {}", text(&output.stderr)))
    };
    let checked = check();
    assert_eq!((checked.tests, checked.changes.len()), (methods(&first).len(), 0), "{first}");
    // New tests change nothing of those that are there.
    folder.compile(&engine(MORE));
    let second = generate(&folder, &["--seed", "7"]);
    assert!(second.contains(".grade(") && second.contains(set_up), "{second}");
    for method in methods(&first) {
        assert!(second.contains(method), "{method}\n{second}");
    }
    assert_eq!(check().changes.len(), 0, "{second}");
}

#[test]
fn files_for_junit_4_hold_as_well() {
    let folder = Folder::new(&engine(""));
    let junit = support::junit(JunitChoice::Junit4);
    let class_path = std::env::join_paths(junit.class_path).unwrap().into_string().unwrap();
    let file = generate(&folder, &["--junit", "4", "--junit-cp", &class_path]);
    assert!(file.contains("import org.junit.Test;") && file.contains("    @Before\n"), "{file}");
}

#[test]
fn who_wants_all_tests_has_each_as_it_was_found() {
    let folder = Folder::new(&engine(""));
    let file = generate(&folder, &["--suite", "complete"]);
    assert!(!file.contains("    private ") && file.contains("plan.seal();"), "{file}");
}
