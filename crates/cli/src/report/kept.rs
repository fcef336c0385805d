//! A source of data: what `generate` keeps of a project from run to run.

use std::collections::BTreeSet;
use std::path::Path;

use project::failure::Failure;
use store::record::{StoredClass, StoredFile, StoredGoal};
use store::state::{Store, StoreError};

use super::RecordedClass;
use crate::messages::{EXISTING, LOST};
use crate::statistics::{GoalRecord, GoalStatus};

/// The classes that are kept in a folder, by module and name; `None` where nothing is. Their files are those below the root of the
/// build; where the project is a folder below it, the modules count that have files there.
///
/// # Errors
/// What is kept cannot be read.
pub fn read(folder: &Path, root: &Path, project: &Path) -> Result<Option<Vec<RecordedClass>>, Failure> {
    let unreadable = |error: StoreError| {
        Failure::input(format!(
            "what is known of {} cannot be read: {error}; `covolve generate` begins it anew",
            project.display()
        ))
    };
    let Some(store) = Store::open_existing(folder).map_err(unreadable)? else { return Ok(None) };
    let mut classes = store.classes().map_err(unreadable)?;
    if root != project {
        let whole = project.canonicalize().unwrap_or_else(|_| project.to_owned());
        let is_there = |file: &StoredFile| root.join(&file.root).starts_with(&whole);
        let there = classes.iter().filter(|class| class.file.as_ref().is_some_and(is_there));
        let modules: BTreeSet<String> = there.map(|class| class.module.clone()).collect();
        classes.retain(|class| modules.contains(&class.module));
    }
    let mut recorded = Vec::with_capacity(classes.len());
    for class in classes {
        let goals = store.goals(&class.module, &class.class).map_err(unreadable)?;
        recorded.extend(recorded_class(&class, goals, root));
    }
    Ok((!recorded.is_empty()).then_some(recorded))
}

/// A class as reports take it; none where its report is that of another version.
fn recorded_class(class: &StoredClass, goals: Vec<StoredGoal>, root: &Path) -> Option<RecordedClass> {
    let mut report: crate::json::ClassReport = serde_json::from_str(&class.report).ok()?;
    report.module = Some(class.module.clone()).filter(|module| !module.is_empty());
    let place = class.file.as_ref().map(|file| root.join(&file.root).join(&file.path));
    report.file = place.map(|file| file.display().to_string());
    Some(RecordedClass { class: report, goals: goals.into_iter().map(goal).collect() })
}

fn goal(goal: StoredGoal) -> GoalRecord {
    let status = match (goal.is_covered, goal.reason.as_deref()) {
        (true, Some(EXISTING)) => GoalStatus::Existing,
        (true, _) => GoalStatus::Covered,
        (false, Some(LOST)) => GoalStatus::Lost,
        (false, _) => GoalStatus::Open,
    };
    GoalRecord {
        id: goal.id,
        goal: goal.description,
        criterion: goal.criterion,
        class: goal.class,
        method: goal.method,
        line: goal.line,
        status,
        tests: goal.tests,
        killers: goal.killers,
        fitness: None,
        reason: goal.reason,
        found: None,
    }
}
