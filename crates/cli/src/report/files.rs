//! What `generate` wrote: objects of `--json`, one per line, and the `goals.csv` of `--report`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use project::failure::Failure;
use serde::Deserialize;

use super::RecordedClass;
use crate::json::ClassReport;
use crate::statistics::{GoalRecord, GoalStatus, split_tests};

/// The table of goals.
const GOALS: &str = "goals.csv";

/// The name of a module, empty where there is none, and that of a class in it.
type Place = (String, String);

/// What the rows of a class in a run have in common.
type Key = (Place, String, String);

/// The classes in these files, and in those of these folders, by module and name. Where there are several reports of a class, the last
/// one counts: files are read in the order of their names, and what is in them from the first line to the last.
///
/// # Errors
/// A file cannot be read, or none holds a class.
pub fn read(paths: &[PathBuf]) -> Result<Vec<RecordedClass>, Failure> {
    let mut classes: BTreeMap<Place, ClassReport> = BTreeMap::new();
    let mut goals: BTreeMap<Key, Goals> = BTreeMap::new();
    for path in paths {
        for file in files(path)? {
            if file.extension().is_some_and(|kind| kind == "csv") {
                read_goals(&file, &mut goals)?;
            } else {
                read_classes(&file, &mut classes)?;
            }
        }
    }
    if classes.is_empty() {
        let paths: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        return Err(Failure::input(format!(
            "{} holds no class: give --from a file, or a folder with one, that has the output of `covolve generate --json`",
            paths.join(", ")
        )));
    }
    let with_goals = classes.into_values().map(|class| {
        let key = (class.place(), class.algorithm.clone(), class.seed.to_string());
        RecordedClass { goals: goals.remove(&key).unwrap_or_default().records, class }
    });
    Ok(with_goals.collect())
}

/// The file itself, or what is to be read in a folder, by name.
fn files(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = path.read_dir().and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let entries = entries.map_err(|error| unreadable(path, &error.to_string()))?;
    let mut files: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    files.retain(|file| {
        let is_of = |kind: &str| file.extension().is_some_and(|own| own == kind);
        is_of("json") || is_of("jsonl") || file.file_name().is_some_and(|name| name == GOALS)
    });
    files.sort();
    Ok(files)
}

fn read_classes(path: &Path, classes: &mut BTreeMap<Place, ClassReport>) -> Result<(), Failure> {
    for (number, line) in BufReader::new(open(path)?).lines().enumerate() {
        let line = line.map_err(|error| unreadable(path, &error.to_string()))?;
        if line.trim().is_empty() {
            continue;
        }
        let class: ClassReport = serde_json::from_str(&line).map_err(|error| {
            let what = format!("line {} is no report of `covolve generate --json`: {error}", number + 1);
            unreadable(path, &what)
        })?;
        classes.insert(class.place(), class);
    }
    Ok(())
}

/// Goals of a class in a run.
#[derive(Debug, Default)]
struct Goals {
    records: Vec<GoalRecord>,
    ids: BTreeSet<String>,
}

/// A row of the table, as far as it is needed.
#[derive(Debug, Deserialize)]
struct Row {
    #[serde(rename = "TARGET_CLASS")]
    target: String,
    algorithm: String,
    #[serde(rename = "Random_Seed")]
    seed: String,
    criterion: String,
    id: String,
    goal: String,
    class: String,
    method: String,
    line: Option<u32>,
    status: String,
    fitness: Option<f64>,
    reason: Option<String>,
    tests: String,
    #[serde(default)]
    module: String,
    #[serde(default)]
    killers: String,
}

fn read_goals(path: &Path, goals: &mut BTreeMap<Key, Goals>) -> Result<(), Failure> {
    let mut reader = csv::Reader::from_reader(BufReader::new(open(path)?));
    for row in reader.deserialize() {
        let row: Row = row.map_err(|error| {
            unreadable(path, &format!("it is no goals.csv of `covolve generate --report`: {error}"))
        })?;
        let status = GoalStatus::named(&row.status)
            .ok_or_else(|| unreadable(path, &format!("'{}' is no status of a goal", row.status)))?;
        let of_class = goals.entry(((row.module, row.target), row.algorithm, row.seed)).or_default();
        // A run names each goal once: here another one of the same class, algorithm and seed begins.
        if !of_class.ids.insert(row.id.clone()) {
            of_class.records.clear();
            of_class.ids = BTreeSet::from([row.id.clone()]);
        }
        of_class.records.push(GoalRecord {
            id: row.id,
            goal: row.goal,
            criterion: row.criterion,
            class: row.class,
            method: row.method,
            line: row.line,
            status,
            tests: split_tests(&row.tests),
            killers: split_tests(&row.killers),
            fitness: row.fitness,
            reason: row.reason,
            // The table has the executions only.
            found: None,
        });
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "what generate wrote is read here")]
fn open(path: &Path) -> Result<File, Failure> {
    File::open(path).map_err(|error| unreadable(path, &error.to_string()))
}

fn unreadable(path: &Path, what: &str) -> Failure {
    Failure::input(format!("{} cannot be read: {what}", path.display()))
}
