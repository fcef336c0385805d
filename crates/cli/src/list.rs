//! `covolve list`: what could be tested, and why the rest cannot.
//!
//! The reasons are those of `generate`: the same functions decide ([`project::targets`] from the head of a
//! class, the test cluster from its members).

use std::io::Write;
use std::num::NonZeroUsize;

use anyhow::anyhow;
use bytecode::name::ClassName;
use project::build::requests::requests;
use project::changes::Changes;
use project::environment::Environment;
use project::project::Project;
use project::request::Request;
use project::targets::{Candidate, Target};
use project::untestable::Untestable;
use serde::{Deserialize, Serialize};
use subject::examine::{Asked, examine};
use subject::nest::Weakened;

use crate::args::ListArgs;
use crate::exit_code::ExitCode;
use crate::generate::schedule::{Fate, side_by_side};
use crate::options::{self, Names};
use crate::since::changes;

/// A class of the list; with `--json` an object per line. Its schema is `docs/guide/list.schema.json`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListedClass {
    /// Binary name.
    pub class: String,
    /// Goals of the class and its nest, for the default criteria together; 0 where it cannot be tested.
    pub goals: usize,
    /// Constructors, methods and fields that a test would use as the test itself; 0 where it cannot be tested.
    pub members: usize,
    /// Why it cannot be tested ([`Untestable::name`]); null where it can.
    pub reason: Option<String>,
    /// The reason in a sentence; null where it can be tested.
    pub sentence: Option<String>,
    /// What tests could not use or make, one sentence each.
    pub left_out: Vec<String>,
}

impl ListedClass {
    fn untestable(class: &ClassName, reason: &Untestable) -> Self {
        Self {
            class: class.binary(),
            reason: Some(reason.name().to_owned()),
            sentence: Some(reason.to_string()),
            ..Self::default()
        }
    }

    /// The object on one line, without line end.
    fn to_line(&self) -> anyhow::Result<String> {
        Ok(serde_json::to_string(self)?)
    }
}

/// Runs `list`; the list goes to `out`.
///
/// # Errors
/// The class path cannot be used, or the list cannot be printed.
pub fn run(
    arguments: &ListArgs,
    environment: &Environment,
    names: Names<'_>,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let request = options::request(&arguments.targets)?;
    let criteria: Vec<String> = names.default_criteria.iter().map(|&name| name.to_owned()).collect();
    let changes = changes(arguments.since.as_deref(), &request.place, environment)?;
    let asked = requests(&request, environment, &|_| ())?;
    if let Some(failure) = asked.failures.into_iter().next() {
        return Err(failure.into());
    }
    let mut listed = Vec::new();
    for module in asked.modules {
        listed.extend(list(&module.request, changes.as_ref(), environment, &criteria)?);
    }
    if arguments.json {
        for row in &listed {
            writeln!(out, "{}", row.to_line()?)?;
        }
    } else {
        out.write_all(table(&listed).as_bytes())?;
    }
    out.flush()?;
    Ok(ExitCode::Success)
}

/// The rows of a module or class path.
fn list(
    request: &Request,
    changes: Option<&Changes>,
    environment: &Environment,
    criteria: &[String],
) -> anyhow::Result<Vec<ListedClass>> {
    let project = Project::open(request, environment, &|_| ())?;
    let mut found = project.list(request)?;
    if let Some(changes) = changes {
        keep_changed(&mut found, changes, &project);
    }
    let examiner = Examiner { project: &project, criteria };
    let cores = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let fates = side_by_side(cores, &found, &|| false, &|(class, target)| examiner.examine(class, target));
    let mut listed = Vec::new();
    for ((class, _), fate) in found.iter().zip(fates) {
        listed.push(match fate {
            Fate::Done(row) => row?,
            Fate::Panicked(message) => return Err(anyhow!("{}: {message}", class.binary())),
            Fate::Skipped => continue,
        });
    }
    Ok(listed)
}

/// Leaves the classes that `generate` would work on, and of those that cannot be tested the ones that have changed themselves.
fn keep_changed(found: &mut Vec<Candidate>, changes: &Changes, project: &Project) {
    let targets: Vec<Target> = found.iter().filter_map(|(_, target)| target.clone().ok()).collect();
    let changed = changes.narrow(project, &targets);
    found.retain(|(class, target)| match target {
        Ok(target) => changed.contains(target),
        Err(_) => changes.concern(project, class),
    });
}

/// Looks at the members of classes.
struct Examiner<'a> {
    project: &'a Project,
    criteria: &'a [String],
}

impl Examiner<'_> {
    fn examine(&self, class: &ClassName, target: &Result<Target, Untestable>) -> anyhow::Result<ListedClass> {
        let target = match target {
            Ok(target) => target,
            Err(reason) => return Ok(ListedClass::untestable(class, reason)),
        };
        let hierarchy = self.project.hierarchy_at(target.source_level())?;
        let examined = examine(
            &hierarchy,
            &target.class,
            &target.nest,
            &Asked::criteria(self.criteria),
            Weakened::new(),
        )?;
        Ok(match examined.cluster {
            Ok(cluster) => ListedClass {
                class: class.binary(),
                goals: examined.goals.len(),
                members: cluster.test_calls.len(),
                left_out: cluster.diagnostics,
                ..ListedClass::default()
            },
            Err(error) => ListedClass::untestable(class, &Untestable::from(error)),
        })
    }
}

/// The list as a table: what can be tested, with figures; then the rest, with the reasons.
fn table(listed: &[ListedClass]) -> String {
    let width = |row: &ListedClass| row.class.chars().count();
    let widest = listed.iter().map(width).max().unwrap_or(0).max("class".len());
    let (untestable, testable): (Vec<_>, Vec<_>) = listed.iter().partition(|row| row.sentence.is_some());
    let figures =
        |class: &str, goals: &str, members: &str| format!("{class:widest$}  {goals:>7}  {members:>7}\n");
    let head = (!testable.is_empty()).then(|| figures("class", "goals", "members"));
    let testable_rows =
        testable.iter().map(|row| figures(&row.class, &row.goals.to_string(), &row.members.to_string()));
    let untestable_rows = untestable
        .iter()
        .map(|row| format!("{:widest$}  {}\n", row.class, row.sentence.as_deref().unwrap_or_default()));
    let end = format!("{} can be tested, {} cannot\n", testable.len(), untestable.len());
    head.into_iter().chain(testable_rows).chain(untestable_rows).chain([end]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> [ListedClass; 2] {
        let testable = ListedClass {
            class: "p.Foo".into(),
            goals: 12,
            members: 3,
            left_out: vec!["p.Foo.run is left out: q.Gone is not on the class path".into()],
            ..ListedClass::default()
        };
        [ListedClass::untestable(&"p/Longer".into(), &Untestable::Annotation), testable]
    }

    #[test]
    fn the_table_puts_what_can_be_tested_first() {
        let expect = "\
class       goals  members
p.Foo          12        3
p.Longer  it is an annotation without code
1 can be tested, 1 cannot
";
        assert_eq!(table(&rows()), expect);
        assert_eq!(table(&[]), "0 can be tested, 0 cannot\n");
    }

    #[test]
    fn lines_follow_the_schema() {
        let schema = include_str!("../../../docs/guide/list.schema.json");
        let schema = jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap();
        for row in rows() {
            let line: serde_json::Value = serde_json::from_str(&row.to_line().unwrap()).unwrap();
            let errors: Vec<String> = schema.iter_errors(&line).map(|error| error.to_string()).collect();
            assert_eq!(errors, Vec::<String>::new());
        }
        assert!(!schema.is_valid(&serde_json::json!({ "class": "p.Foo" })));
    }
}
