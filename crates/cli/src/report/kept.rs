//! A source of data: what `generate` keeps of a project from run to run.

use std::path::Path;

use project::failure::Failure;
use store::record::{StoredClass, StoredGoal};
use store::state::{Store, StoreError};

use super::RecordedClass;
use crate::messages::{EXISTING, LOST};
use crate::statistics::{GoalRecord, GoalStatus};

/// The classes that are kept in a folder, by module and name; `None` where nothing is. Their files are those below the folder
/// of the project.
///
/// # Errors
/// What is kept cannot be read.
pub fn read(folder: &Path, project: &Path) -> Result<Option<Vec<RecordedClass>>, Failure> {
    let unreadable = |error: StoreError| {
        Failure::input(format!(
            "what is known of {} cannot be read: {error}; `covolve generate` begins it anew",
            project.display()
        ))
    };
    let Some(store) = Store::open_existing(folder).map_err(unreadable)? else { return Ok(None) };
    let classes = store.classes().map_err(unreadable)?;
    let mut recorded = Vec::with_capacity(classes.len());
    for class in classes {
        let goals = store.goals(&class.module, &class.class).map_err(unreadable)?;
        recorded.extend(recorded_class(&class, goals, project));
    }
    Ok((!recorded.is_empty()).then_some(recorded))
}

/// A class as reports take it; none where its report is that of another version.
fn recorded_class(class: &StoredClass, goals: Vec<StoredGoal>, project: &Path) -> Option<RecordedClass> {
    let mut report: crate::json::ClassReport = serde_json::from_str(&class.report).ok()?;
    let place = class.file.as_ref().map(|file| project.join(&file.root).join(&file.path));
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
        fitness: None,
        reason: goal.reason,
        found: None,
    }
}
