//! A project made by hand that the tests of all formats render.

#![allow(unreachable_pub, reason = "a module of a program")]
#![allow(missing_docs, reason = "names say it")]

use report::model::{
    Class, Criterion, Goal, GoalState, Module, OpenReason, Outcome, Point, ProjectReport, SourceFile, Test,
    TestFile,
};

/// A name and texts with everything that means something in HTML, XML, Markdown, URIs or JSON.
pub const AWKWARD: &str = "p.Größe<&\"'|`$</script>";

fn covered(tests: &[&str]) -> GoalState {
    GoalState::Covered(tests.iter().map(|&test| test.to_owned()).collect())
}

fn open(kind: &str, cause: &str, detail: &str, behind: Option<&str>) -> GoalState {
    GoalState::Open(OpenReason {
        kind: kind.into(),
        cause: cause.into(),
        detail: detail.into(),
        behind: behind.map(str::to_owned),
    })
}

fn goal(
    criterion: &str,
    class: &str,
    at: (&str, Option<u32>),
    outcome: Option<(u32, u32)>,
    state: GoalState,
) -> Goal {
    let (method, line) = at;
    let what = match (criterion, outcome) {
        ("line", _) => "is executed".to_owned(),
        (_, Some((_, number))) => format!(": the comparison comes out as {number}"),
        (_, None) => ": the mutant that replaced + by - is killed".to_owned(),
    };
    let place = line.map_or_else(String::new, |line| format!("line {line} of "));
    Goal {
        criterion: criterion.into(),
        class: class.into(),
        method: format!("{method}(I)I"),
        line,
        description: format!("{place}{class}.{method}(int){what}"),
        outcome: outcome.map(|(instruction, number)| Outcome { instruction, number }),
        state,
        killers: Vec::new(),
    }
}

/// The class with its nest: a line that is covered, one that is partly covered, one that is open.
pub fn class() -> Class {
    let nested = format!("{AWKWARD}$Inner");
    let unmade = || open("no_object", "no way to make one", "no java.sql.ResultSet can be made", None);
    let never = || {
        open(
            "no_value",
            "comparison",
            "in 20 runs it never came out so",
            Some("line 4 of another </script> goal"),
        )
    };
    Class {
        name: AWKWARD.into(),
        source: SourceFile {
            path: "src/main/java/p/Größe.java".into(),
            text: Some("package p;\n// naïve ☕ </script> <!-- & \u{2028}\nclass Größe {\n  int f(int x) {\n}\n".into()),
        },
        test_file: Some(TestFile {
            path: "core/src/test/java/p/GCovolveTest.java".into(),
            text: "class GCovolveTest {\n    @Test\n    void one() {\n    }\n\n    @Test\n    void two() {\n    }\n}\n".into(),
        }),
        criteria: vec![
            Criterion { name: "branch".into(), goals: 4, covered: 1 },
            Criterion { name: "line".into(), goals: 3, covered: 2 },
            Criterion { name: "strong-mutation".into(), goals: 1, covered: 1 },
            Criterion { name: "weak-mutation".into(), goals: 2, covered: 2 },
            Criterion { name: "output".into(), goals: 0, covered: 0 },
        ],
        goals: vec![
            goal("branch", AWKWARD, ("f", Some(4)), Some((7, 0)), covered(&["one", "two"])),
            goal("branch", AWKWARD, ("f", Some(4)), Some((7, 1)), never()),
            goal("branch", &nested, ("g", Some(9)), Some((3, 0)), unmade()),
            goal("branch", &nested, ("g", None), Some((9, 0)), unmade()),
            goal("line", AWKWARD, ("f", Some(4)), None, covered(&["one", "two"])),
            goal("line", AWKWARD, ("f", Some(5)), None, covered(&["two"])),
            goal("line", &nested, ("g", Some(9)), None, unmade()),
            goal("strong-mutation", AWKWARD, ("f", Some(5)), None, covered(&["two"])),
            Goal {
                killers: vec!["two".into()],
                ..goal("weak-mutation", AWKWARD, ("f", Some(4)), None, covered(&["one", "two"]))
            },
            goal("weak-mutation", AWKWARD, ("f", Some(5)), None, covered(&["two"])),
        ],
        tests: vec![
            Test { name: "one".into(), first_line: 2, last_line: 4 },
            Test { name: "two".into(), first_line: 6, last_line: 8 },
        ],
        timeline: vec![
            Point { seconds: 0.25, executions: 10, covered: 2 },
            Point { seconds: 1.5, executions: 70, covered: 4 },
        ],
        seconds: 2.25,
        executions: 100,
        diagnostics: vec!["something </script> to know".into()],
    }
}

/// Two modules; in the second a class without tests, source and single goals.
pub fn project() -> ProjectReport {
    let bare = Class {
        name: "q.Bare".into(),
        source: SourceFile { path: "q/Bare.java".into(), text: None },
        criteria: vec![Criterion { name: "line".into(), goals: 0, covered: 0 }],
        ..Class::default()
    };
    ProjectReport {
        project: "A <project>".into(),
        covolve: "0.1.0".into(),
        modules: vec![
            Module { name: "core".into(), folder: "core".into(), classes: vec![class()] },
            Module { name: "util".into(), folder: "util".into(), classes: vec![bare] },
        ],
    }
}

/// A class like many: goals and tests of its own, a source of a hundred lines.
pub fn ordinary(number: usize) -> Class {
    let like = class();
    let name = format!("com.example.part{}.Class{number}", number % 80);
    let goals = (0..12_u32).flat_map(|turn| {
        like.goals.iter().map({
            let name = name.clone();
            move |goal| Goal {
                class: name.clone(),
                line: goal.line.map(|line| line + turn * 8),
                description: format!("{} ({turn})", goal.description.replace(AWKWARD, &name)),
                ..goal.clone()
            }
        })
    });
    let mut class = Class { goals: goals.collect(), name, ..like.clone() };
    class.criteria.iter_mut().for_each(|row| (row.goals, row.covered) = (row.goals * 12, row.covered * 12));
    let line = |line: usize| {
        format!("        int value{line} = compute({number}, {line}); // what line {line} does\n")
    };
    class.source.text = Some((0..100).map(line).collect());
    class
}
