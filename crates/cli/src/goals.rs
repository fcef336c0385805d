//! `covolve goals`: the coverage goals of classes, and which depend on which. From class files alone: nothing runs.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;

use bytecode::name::ClassName;
use coverage::criterion::{Criterion, criterion};
use coverage::goal::{GoalId, GoalSet};
use coverage::goal_graph::GoalGraph;
use project::build::requests::requests;
use project::changes::Changes;
use project::environment::Environment;
use project::project::Project;
use project::request::Request;
use serde::{Deserialize, Serialize};
use subject::examine::{Asked, Examined, examine};
use subject::nest::Weakened;

use crate::args::GoalsArgs;
use crate::exit_code::ExitCode;
use crate::messages;
use crate::options::{GoalsOptions, Names};
use crate::since::changes;

/// The goals of a class; with `--json` an object per line. Its schema is `docs/guide/goals.schema.json`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClassGoals {
    /// Binary name of the class.
    pub class: String,
    /// The goals of the class and its nest, numbered from 0 in this order.
    pub goals: Vec<ListedGoal>,
    /// Criteria that were asked for and have no goal in it.
    pub without_goals: Vec<String>,
}

/// A goal.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListedGoal {
    /// A name that is the same in every run, as long as the class file is.
    pub id: String,
    /// The goal, in one sentence.
    pub goal: String,
    /// Its criterion.
    pub criterion: String,
    /// Binary name of the class that holds it.
    pub class: String,
    /// Its method, name and descriptor.
    pub method: String,
    /// Its source line; null where none is recorded.
    pub line: Option<u32>,
    /// Numbers of the goals on which it directly depends: it can only be covered after one of them. Empty for a goal
    /// that depends on none.
    pub after: Vec<usize>,
}

/// Runs `goals`; the list goes to `out`.
///
/// # Errors
/// The class path or a class cannot be used, or the list cannot be printed.
pub fn run(
    arguments: &GoalsArgs,
    environment: &Environment,
    names: Names<'_>,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let GoalsOptions { request, criteria } = GoalsOptions::new(arguments, names)?;
    let changes = changes(arguments.since.as_deref(), &request.place, environment)?;
    let asked = requests(&request, environment, &|_| ())?;
    if let Some(failure) = asked.failures.into_iter().next() {
        return Err(failure.into());
    }
    for module in asked.modules {
        print(arguments, &criteria, (&module.request, changes.as_ref()), environment, out)?;
    }
    out.flush()?;
    Ok(ExitCode::Success)
}

/// Prints the goals of the classes of a module or class path.
fn print(
    arguments: &GoalsArgs,
    criteria: &[String],
    (request, changes): (&Request, Option<&Changes>),
    environment: &Environment,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let project = Project::open(request, environment, &|_| ())?;
    let mut targets = project.targets(request)?.targets;
    if let Some(changes) = changes {
        targets = changes.narrow(&project, &targets);
    }
    for target in &targets {
        let hierarchy = project.hierarchy_at(target.source_level())?;
        let Examined { goals, nest, .. } =
            examine(&hierarchy, &target.class, &target.nest, &Asked::criteria(criteria), Weakened::new())?;
        let listed = ClassGoals {
            class: target.class.binary(),
            goals: list(&goals, &GoalGraph::new(&nest.maps, &goals, true), |goal| {
                messages::goal(goals.goal(goal), &nest.maps)
            }),
            without_goals: without_goals(criteria, &goals),
        };
        let text = match (arguments.json, arguments.dot) {
            (true, _) => serde_json::to_string(&listed)? + "\n",
            (false, true) => dot(&listed),
            (false, false) => table(&listed),
        };
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}

fn list(goals: &GoalSet, graph: &GoalGraph, words: impl Fn(GoalId) -> String) -> Vec<ListedGoal> {
    let listed = goals.ids().zip(goals.goals()).map(|(id, goal)| ListedGoal {
        id: goal.to_string(),
        goal: words(id),
        criterion: goal.criterion.to_string(),
        class: goal.class.binary(),
        method: goal.method.to_string(),
        line: goal.line,
        after: graph.parents(id).iter().map(|parent| parent.index()).collect(),
    });
    listed.collect()
}

/// The criteria that have no goal among these.
fn without_goals(criteria: &[String], goals: &GoalSet) -> Vec<String> {
    let has_goals = |name: &&String| goals.goals().iter().any(|goal| *goal.criterion == ***name);
    criteria.iter().filter(|name| !has_goals(name)).cloned().collect()
}

/// What to say of a class that has no goals of a criterion; `None` where goals only appear while tests run.
pub fn no_goals_of(name: &str) -> Option<String> {
    let appears_in_runs = criterion(name).is_ok_and(Criterion::appears_in_runs);
    (!appears_in_runs).then(|| format!("it has no goals of the criterion {name}"))
}

/// The goals as a table.
fn table(listed: &ClassGoals) -> String {
    let rows = listed.goals.iter().enumerate().map(|(number, goal)| {
        let after = match goal.after.as_slice() {
            [] => "-".to_owned(),
            parents => parents.iter().map(usize::to_string).collect::<Vec<_>>().join(","),
        };
        let line = goal.line.map_or_else(|| "-".to_owned(), |line| line.to_string());
        [number.to_string(), goal.criterion.clone(), line, after, goal.goal.clone()]
    });
    let head = ["number", "criterion", "line", "after", "goal"].map(str::to_owned);
    let rows: Vec<[String; 5]> = std::iter::once(head).chain(rows).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let [number, criterion, line, after] = [0, 1, 2, 3].map(width);
    let plural = if listed.goals.len() == 1 { "" } else { "s" };
    let mut text = format!("{}: {} goal{plural}\n", listed.class, listed.goals.len());
    for name in &listed.without_goals {
        let sentence = no_goals_of(name);
        let sentence =
            sentence.unwrap_or_else(|| format!("goals of the criterion {name} appear while tests run"));
        text.extend(["  ", &sentence, "\n"]);
    }
    if !listed.goals.is_empty() {
        for [a, b, c, d, e] in &rows {
            // Text cannot fail to grow.
            let _ = writeln!(text, "  {a:>number$}  {b:criterion$}  {c:>line$}  {d:after$}  {e}");
        }
    }
    text
}

/// The goals as a graph for Graphviz, methods as boxes around theirs.
fn dot(listed: &ClassGoals) -> String {
    let mut methods: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (number, goal) in listed.goals.iter().enumerate() {
        methods.entry((&goal.class, &goal.method)).or_default().push(number);
    }
    let mut text = format!("digraph {} {{\n  node [shape=box];\n", quoted(&listed.class));
    for (index, ((class, method), goals)) in methods.iter().enumerate() {
        let label = messages::method(&ClassName::from_binary(class), method);
        // Text cannot fail to grow.
        let _ = writeln!(text, "  subgraph cluster_{index} {{\n    label={};", quoted(&label));
        for &number in goals {
            let goal = &listed.goals[number];
            let label = format!("{}: {}", goal.criterion, goal.goal);
            let _ = writeln!(text, "    g{number} [label={}];", quoted(&label));
        }
        text.push_str("  }\n");
    }
    for (number, goal) in listed.goals.iter().enumerate() {
        for parent in &goal.after {
            let _ = writeln!(text, "  g{parent} -> g{number};");
        }
    }
    text.push_str("}\n");
    text
}

/// A quoted string of the DOT language, in which a backslash begins an escape of labels.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed() -> ClassGoals {
        let goal = |goal: &str, line, after: &[usize]| ListedGoal {
            id: format!("branch p/Foo#f()V@{goal}"),
            goal: goal.into(),
            criterion: "branch".into(),
            class: "p.Foo".into(),
            method: "f()V".into(),
            line,
            after: after.to_vec(),
        };
        ClassGoals {
            class: "p.Foo".into(),
            goals: vec![
                goal("says \"x\\\"", Some(12), &[]),
                goal("y", None, &[0]),
                goal("z", Some(3), &[0, 1]),
            ],
            without_goals: vec!["line".into(), "exception".into()],
        }
    }

    #[test]
    fn the_table_is_aligned() {
        let expect = "\
p.Foo: 3 goals
  it has no goals of the criterion line
  goals of the criterion exception appear while tests run
  number  criterion  line  after  goal
       0  branch       12  -      says \"x\\\"
       1  branch        -  0      y
       2  branch        3  0,1    z
";
        assert_eq!(table(&listed()), expect);
        let nothing = ClassGoals { class: "p.Foo".into(), ..ClassGoals::default() };
        assert_eq!(table(&nothing), "p.Foo: 0 goals\n");
    }

    #[test]
    fn the_graph_has_an_arrow_per_dependence() {
        let expect = r#"digraph "p.Foo" {
  node [shape=box];
  subgraph cluster_0 {
    label="p.Foo.f()";
    g0 [label="branch: says \"x\\\""];
    g1 [label="branch: y"];
    g2 [label="branch: z"];
  }
  g0 -> g1;
  g0 -> g2;
  g1 -> g2;
}
"#;
        assert_eq!(dot(&listed()), expect);
    }

    #[test]
    fn lines_follow_the_schema() {
        let schema = include_str!("../../../docs/guide/goals.schema.json");
        let schema = jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap();
        let line = serde_json::to_value(listed()).unwrap();
        let errors: Vec<String> = schema.iter_errors(&line).map(|error| error.to_string()).collect();
        assert_eq!(errors, Vec::<String>::new());
        let mut wrong = line.clone();
        wrong["goals"][0]["line"] = "12".into();
        assert!(!schema.is_valid(&wrong));
        let mut extra = line;
        extra["goals"][1]["status"] = "covered".into();
        assert!(!schema.is_valid(&extra));
    }
}
