//! `covolve merge`: what runs over parts of a project, on several machines, came to know of their classes, in one place.
//!
//! A class that several of them know must be the same in each. Where the place exists already they began from it, as machines do that
//! restore what an earlier run kept, and of a class the one counts that has changed it since.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use project::failure::Failure;
use store::record::{StoredClass, StoredGoal};
use store::state::{FOLDER, Opened, Store, StoreError};

use crate::args::MergeArgs;
use crate::exit_code::ExitCode;
use crate::json::ClassReport;
use crate::known::place::kept_of;

/// Runs `merge`; what it says goes to `out`.
///
/// # Errors
/// A state cannot be read or the merged one not be written, or they are of different runs. What was there before stays.
pub fn run(arguments: &MergeArgs, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let place = arguments.out.clone().unwrap_or_else(own_place);
    let states = arguments.states.iter().map(|path| State::read(path)).collect::<Result<Vec<_>, _>>()?;
    check_runs(&states)?;
    let merged = into_place(&place, &states)?;
    let counts: Vec<String> = states.iter().map(|state| state.classes.len().to_string()).collect();
    let classes = if merged == 1 { "1 class".to_owned() } else { format!("{merged} classes") };
    writeln!(out, "{classes} in {} ({})", place.display(), counts.join(" + "))?;
    out.flush()?;
    Ok(ExitCode::Success)
}

/// Where `generate` keeps what it knows of the project in the current folder.
fn own_place() -> PathBuf {
    let folder = kept_of(Path::new("."));
    // As it is typed.
    folder.strip_prefix(".").map(Path::to_owned).unwrap_or(folder)
}

/// Puts what the shards of one run have left, which have no class in common, into the place that they began from. Classes that
/// `is_untouched` of are left out: what is there may be newer.
///
/// # Errors
/// The place cannot be written, or what a shard has left not be read: that of the others is there all the same.
pub fn of_one_run(
    states: &[PathBuf],
    place: &Path,
    is_untouched: &dyn Fn(&StoredClass) -> bool,
) -> Result<(), Failure> {
    let Opened { store: mut merged, notice: _ } = Store::open(place).map_err(|error| unwritable(&error))?;
    let mut result = Ok(());
    for path in states {
        let state = match State::read(path) {
            Ok(state) => state,
            Err(failure) => {
                result = Err(failure);
                continue;
            }
        };
        for class in state.classes.iter().filter(|class| !is_untouched(class)) {
            let (goals, suite) = state.rest(class)?;
            merged.save(class, &goals, &suite).map_err(|error| unwritable(&error))?;
        }
    }
    result
}

/// Puts these states together in a place; the number of their classes.
fn into_place(place: &Path, states: &[State]) -> Result<usize, Failure> {
    let is_one_of_them = states.iter().any(|state| is_same(&state.folder, place));
    let before =
        if is_one_of_them { None } else { Store::open_existing(place).map_err(|error| unusable(&error))? };
    let before = before
        .map(|store| store.classes())
        .transpose()
        .map_err(|error| unusable(&error))?
        .unwrap_or_default();
    let merged = merge(&before, states)?;
    write(place, states, &merged)?;
    Ok(merged.len())
}

/// What a run came to know.
struct State {
    folder: PathBuf,
    store: Store,
    classes: Vec<StoredClass>,
}

impl State {
    /// Reads the state in a folder, or that of the project in it.
    fn read(path: &Path) -> Result<Self, Failure> {
        for folder in [path.to_owned(), path.join(FOLDER)] {
            if let Some(store) = Store::open_existing(&folder).map_err(|error| unusable(&error))? {
                let classes = store.classes().map_err(|error| unusable(&error))?;
                return Ok(Self { folder, store, classes });
            }
        }
        Err(Failure::input(format!(
            "{} holds nothing of a run; give the folder {FOLDER} that `covolve generate` has left in a project",
            path.display()
        )))
    }

    /// The goals and the tests of a class.
    fn rest(&self, class: &StoredClass) -> Result<(Vec<StoredGoal>, Vec<u8>), Failure> {
        let StoredClass { module, class, .. } = class;
        let goals = self.store.goals(module, class).map_err(|error| unusable(&error))?;
        let suite = self.store.suite(module, class).map_err(|error| unusable(&error))?;
        Ok((goals, suite.unwrap_or_default()))
    }
}

fn unwritable(error: &StoreError) -> Failure {
    Failure::output(format!(
        "{error}; make room or the place writable, and merge once more: what was merged before stays"
    ))
}

fn unusable(error: &StoreError) -> Failure {
    Failure::input(format!(
        "{error}; run all shards with this version of Covolve, and give what they have left"
    ))
}

fn is_same(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// Where a class is taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Taken {
    state: usize,
    class: usize,
}

/// Says so where runs differ in what their reports tell of options.
fn check_runs(states: &[State]) -> Result<(), Failure> {
    let mut first: Option<(String, &Path)> = None;
    for state in states {
        // One that holds classes of earlier runs as well may tell of several: nobody knows which was the last.
        let mut told: Vec<String> = state.classes.iter().filter_map(set_up).collect();
        told.sort();
        told.dedup();
        let [told] = told.as_slice() else { continue };
        match &first {
            Some((before, folder)) if before != told => {
                return Err(Failure::input(format!(
                    "{} is of a run with {before}, and {} of one with {told}; run all shards with the same options",
                    folder.display(),
                    state.folder.display()
                )));
            }
            Some(_) => {}
            None => first = Some((told.clone(), &state.folder)),
        }
    }
    Ok(())
}

/// What of the options the report of a class tells.
fn set_up(class: &StoredClass) -> Option<String> {
    let report: ClassReport = serde_json::from_str(&class.report).ok()?;
    let criteria: Vec<&str> = report.criteria.iter().map(|criterion| criterion.name.as_str()).collect();
    Some(format!(
        "--seed {} --algorithm {} --criterion {}",
        report.seed,
        report.algorithm,
        criteria.join(",")
    ))
}

/// Which state says what of each class, those left out that nobody has changed.
fn merge(before: &[StoredClass], states: &[State]) -> Result<BTreeMap<(String, String), Taken>, Failure> {
    let name = |class: &StoredClass| (class.module.clone(), class.class.clone());
    let before: BTreeMap<_, _> = before.iter().map(|class| (name(class), class)).collect();
    let mut merged: BTreeMap<(String, String), Taken> = BTreeMap::new();
    for (state, found) in states.iter().enumerate() {
        for (class, stored) in found.classes.iter().enumerate() {
            let taken = Taken { state, class };
            let Some(other) = merged.get(&name(stored)).copied() else {
                merged.insert(name(stored), taken);
                continue;
            };
            let known = &states[other.state].classes[other.class];
            let is_old =
                |class: &StoredClass| before.get(&name(stored)).is_some_and(|old| is_equal(old, class));
            if is_equal(known, stored) || is_old(stored) {
                continue;
            }
            if !is_old(known) {
                return Err(conflict(
                    stored,
                    &states[other.state].folder,
                    &found.folder,
                    known.key == stored.key,
                ));
            }
            merged.insert(name(stored), taken);
        }
    }
    Ok(merged)
}

/// Whether two runs say the same of a class, whenever they kept it.
fn is_equal(one: &StoredClass, other: &StoredClass) -> bool {
    let StoredClass { module, class, key, own, report, file, stored_at: _ } = one;
    (module, class, key, own, report, file)
        == (&other.module, &other.class, &other.key, &other.own, &other.report, &other.file)
}

fn conflict(class: &StoredClass, one: &Path, other: &Path, is_same_key: bool) -> Failure {
    let why = if is_same_key {
        "both have searched it; give each machine another --shard of the same number"
    } else {
        "its code or the options were others; run all shards of one state of the project with the same options, or, where they \
         began from what an earlier run kept, give that with --out"
    };
    Failure::input(format!(
        "{} and {} are of different runs, since they say different things of {}: {why}",
        one.display(),
        other.display(),
        class.class
    ))
}

fn write(place: &Path, states: &[State], merged: &BTreeMap<(String, String), Taken>) -> Result<(), Failure> {
    // All is read before anything is written: the place may be one of those that are read.
    let mut read: Vec<(&StoredClass, Vec<StoredGoal>, Vec<u8>)> = Vec::with_capacity(merged.len());
    for taken in merged.values() {
        let state = &states[taken.state];
        let class = &state.classes[taken.class];
        let (goals, suite) = state.rest(class)?;
        read.push((class, goals, suite));
    }
    let Opened { mut store, notice: _ } = Store::open(place).map_err(|error| unwritable(&error))?;
    read.iter()
        .try_for_each(|(class, goals, suite)| store.save(class, goals, suite))
        .map_err(|error| unwritable(&error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::CriterionReport;

    /// Writes `letter` of `key` for each class; a capital letter is a run with another seed.
    fn state(folder: &Path, classes: &[(&str, &str, char)]) {
        let mut store = Store::open(folder).unwrap().store;
        for &(class, key, letter) in classes {
            let criterion =
                CriterionReport { name: "branch".into(), goals: 2, covered: 1, ..CriterionReport::default() };
            let report = ClassReport {
                class: class.into(),
                seed: u64::from(letter.is_uppercase()),
                algorithm: "auto".into(),
                criteria: vec![criterion],
                diagnostics: vec![letter.to_string()],
                ..ClassReport::default()
            };
            let stored = StoredClass {
                class: class.into(),
                key: key.into(),
                report: report.to_line(),
                ..StoredClass::default()
            };
            store.save(&stored, &[], letter.to_string().as_bytes()).unwrap();
        }
    }

    /// What is said of these states where there was one before, or what the merged one holds: a letter per class.
    fn check(before: &[(&str, &str, char)], states: &[&[(&str, &str, char)]], expect: Result<&str, &str>) {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: String| folder.path().join(name);
        let places: Vec<PathBuf> = (1..=states.len()).map(|number| place(format!("s{number}"))).collect();
        for (classes, place) in states.iter().zip(&places) {
            // As what a checkout holds: `.covolve` in the folder.
            state(&place.join(FOLDER), classes);
        }
        let out = place("out".into());
        if !before.is_empty() {
            state(&out, before);
        }
        let arguments = MergeArgs { states: places, out: Some(out.clone()), ..MergeArgs::default() };
        let found = run(&arguments, &mut Vec::new()).map(|_| {
            let store = Store::open_existing(&out).unwrap().unwrap();
            let suite = |class: &StoredClass| store.suite("", &class.class).unwrap().unwrap();
            let suites: Vec<Vec<u8>> = store.classes().unwrap().iter().map(suite).collect();
            String::from_utf8(suites.concat()).unwrap()
        });
        let found = found.map_err(|error| {
            let held = Store::open_existing(&out).unwrap().map(|store| store.classes().unwrap().len());
            assert_eq!(held.unwrap_or_default(), before.len(), "what was there stays");
            format!("{error:#}").replace(&format!("{}/", folder.path().display()), "")
        });
        assert_eq!(found, expect.map(str::to_owned).map_err(str::to_owned));
    }

    #[test]
    fn states_are_put_together_class_by_class() {
        check(&[], &[&[("A", "1", 'a')], &[("B", "1", 'b')]], Ok("ab"));
        // What two say in the same way is no conflict.
        check(&[], &[&[("A", "1", 'a')], &[("A", "1", 'a'), ("B", "1", 'b')]], Ok("ab"));
        // What machines began from does not count where one of them has changed it, and stays where nobody knows of it.
        let old: &[(&str, &str, char)] = &[("A", "1", 'a'), ("B", "1", 'b'), ("C", "1", 'c')];
        let (first, second) = ([("A", "2", 'x'), old[1]], [old[0], ("B", "2", 'y')]);
        check(old, &[&first, &second], Ok("xyc"));
        check(old, &[&second, &first], Ok("xyc"));
    }

    #[test]
    fn different_runs_are_not_put_together() {
        let told = "s1/.covolve and s2/.covolve are of different runs, since they say different things of A:";
        check(
            &[],
            &[&[("A", "1", 'a')], &[("A", "1", 'b')]],
            Err(&format!(
                "{told} both have searched it; give each machine another --shard of the same number"
            )),
        );
        check(
            &[("B", "1", 'b')],
            &[&[("A", "1", 'a')], &[("A", "2", 'a')]],
            Err(&format!(
                "{told} its code or the options were others; run all shards of one state of the project with the same options, \
                 or, where they began from what an earlier run kept, give that with --out"
            )),
        );
        check(
            &[],
            &[&[("A", "1", 'a')], &[("B", "1", 'B')]],
            Err(
                "s1/.covolve is of a run with --seed 0 --algorithm auto --criterion branch, and s2/.covolve of one with --seed 1 \
                 --algorithm auto --criterion branch; run all shards with the same options",
            ),
        );
    }

    #[test]
    fn shards_of_one_run_change_what_they_worked_on_and_one_that_cannot_be_read_costs_its_classes_alone() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other, place] = ["1", "2", "3"].map(|name| folder.path().join(name));
        state(&place, &[("A", "1", 'a'), ("B", "1", 'b')]);
        // The project has a newer B by now than the shard began from.
        state(&one, &[("A", "2", 'x'), ("B", "0", 'o')]);
        std::fs::create_dir_all(&other).unwrap();
        let is_untouched = |class: &StoredClass| class.key == "0";
        let error = of_one_run(&[other.clone(), one], &place, &is_untouched).unwrap_err();
        assert!(error.sentence.starts_with(&format!("{} holds nothing", other.display())), "{error}");
        let merged = Store::open(&place).unwrap().store;
        let suites = ["A", "B"].map(|class| merged.suite("", class).unwrap().unwrap());
        assert_eq!(suites, [b"x", b"b"]);
    }

    #[test]
    fn what_holds_no_state_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let arguments = MergeArgs { states: vec![folder.path().to_owned()], ..MergeArgs::default() };
        let error = run(&arguments, &mut Vec::new()).unwrap_err().to_string();
        let expect =
            "holds nothing of a run; give the folder .covolve that `covolve generate` has left in a project";
        assert_eq!(error, format!("{} {expect}", folder.path().display()));
    }

    #[test]
    fn one_of_the_states_may_take_the_others() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = ["1", "2"].map(|name| folder.path().join(name));
        state(&one, &[("A", "1", 'a')]);
        state(&other, &[("B", "1", 'b')]);
        let arguments =
            MergeArgs { states: vec![one.clone(), other], out: Some(one.clone()), ..MergeArgs::default() };
        let mut said = Vec::new();
        run(&arguments, &mut said).unwrap();
        assert_eq!(String::from_utf8(said).unwrap(), format!("2 classes in {} (1 + 1)\n", one.display()));
    }
}
