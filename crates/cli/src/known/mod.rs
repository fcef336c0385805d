//! What is known of classes from earlier runs: those that have not changed are not worked on, and what came of the others is kept.
//!
//! * [`key`]: what the result of a class depends on
//! * [`place`]: where that is kept

mod key;
pub mod place;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use output::junit::header::{EditState, is_unedited};
use project::dependencies::{Dependencies, hash_of};
use project::failure::Failure;
use project::style::habits::Habits;
use project::targets::Target;
use project::test_sources::{Ownership, TestSources, hash_of_text};
use store::record::{StoredClass, StoredFile, StoredGoal};
use store::state::{Opened, Store};
use verify::test_file::TestFile;

use crate::generate::Report;
use crate::generate::prepared::Prepared;
use crate::json::ClassReport;
use crate::options::Options;
use crate::statistics::{GoalRecord, GoalStatus};
use key::Key;
use place::{folder_of, root_of};

/// What is known of the classes of a project.
#[derive(Debug, Default)]
pub struct Known {
    /// `None` where nothing is kept, or nothing can be.
    store: Mutex<Option<Store>>,
    /// Root of the build, absolute.
    root: Option<PathBuf>,
    /// Whether classes that have not changed are worked on all the same.
    is_fresh: bool,
}

/// What is known of the classes of a module, and which of them are worked on.
#[derive(Debug)]
pub struct KnownModule<'a> {
    known: &'a Known,
    /// Its name; empty for a class path.
    module: String,
    /// Root of its test sources, as it is kept.
    test_root: String,
    /// The same root, and what its files are like.
    out: PathBuf,
    habits: Habits,
    /// By binary name.
    keys: BTreeMap<String, Key>,
    /// Classes that have changed and have the file that was delivered.
    pub earlier: Vec<Earlier>,
    /// Of those that are searched, the tests that hold, in the order of the file; by binary name.
    pub holding: BTreeMap<String, Vec<String>>,
    /// Likewise the tests that fail and stay.
    pub failing: BTreeMap<String, Vec<String>>,
    /// What was kept last, by binary name: hash of the report.
    kept: Mutex<BTreeMap<String, String>>,
}

/// The tests of a class that has changed since, or of which some fail.
#[derive(Debug, Clone, PartialEq)]
pub struct Earlier {
    /// Binary name of the class.
    pub class: String,
    /// Its test file, as it was delivered.
    pub file: TestFile,
    /// Whether only other classes have changed, which it uses.
    pub is_own_same: bool,
    /// Whether a search goes on from its tests, those that fail included: something has changed, and not all is to be searched anew.
    pub goes_on: bool,
    /// Whether anything is known of it but its file.
    pub is_known: bool,
    /// What was reported of it.
    report: ClassReport,
}

/// What is known of a class.
enum Knowledge {
    /// It has not changed.
    Unchanged(Box<ClassReport>),
    /// It has, or some of its tests fail, and it has the file that was delivered.
    Changed(Box<Earlier>),
}

impl Known {
    /// What is known where these options say; `note` is told what is wrong with it, which stops nothing.
    pub fn open(options: &Options, note: &dyn Fn(&str)) -> Self {
        let place = &options.request.place;
        let Some(folder) = folder_of(place, options.state.folder.as_deref()) else { return Self::default() };
        let store = match Store::open(&folder) {
            Ok(Opened { store, notice }) => {
                if let Some(notice) = notice {
                    note(&notice);
                }
                Some(store)
            }
            Err(error) => {
                note(&format!(
                    "the next run will know nothing of this one: {error}; make {} a folder that can be written, or give \
                     another with --state",
                    folder.display()
                ));
                None
            }
        };
        Self {
            store: Mutex::new(store),
            root: root_of(place),
            // The tables of a run tell of its searches.
            is_fresh: options.state.fresh || options.report.is_some(),
        }
    }

    /// Takes the classes of a module that have not changed since their results were kept from what is to be worked on; what was
    /// reported of them.
    ///
    /// # Errors
    /// A jar of the class path cannot be read.
    pub fn of_module(&self, prepared: &mut Prepared) -> Result<(KnownModule<'_>, Vec<ClassReport>), Failure> {
        let out = std::path::absolute(&prepared.out).unwrap_or_else(|_| prepared.out.clone());
        let root = self.root.as_ref().and_then(|root| out.strip_prefix(root).ok());
        let mut module = KnownModule {
            known: self,
            module: prepared.module.clone().unwrap_or_default(),
            test_root: root.unwrap_or(&out).display().to_string(),
            out: out.clone(),
            habits: prepared.habits.clone(),
            keys: BTreeMap::new(),
            earlier: Vec::new(),
            holding: BTreeMap::new(),
            failing: BTreeMap::new(),
            kept: Mutex::default(),
        };
        if self.root.is_none() && self.with_store(|_| ()).is_none() {
            return Ok((module, Vec::new()));
        }
        let dependencies = Dependencies::new(&prepared.project)?;
        for target in &prepared.targets {
            module.keys.insert(target.class.binary(), key::key(prepared, &dependencies, target));
        }
        let mut unchanged = Vec::new();
        let targets = std::mem::take(&mut prepared.targets);
        for target in targets {
            match module.knowledge_of(&target, &prepared.out) {
                Some(Knowledge::Unchanged(report)) if !self.is_fresh => unchanged.push(*report),
                Some(Knowledge::Changed(earlier)) => {
                    let is_own_same = earlier.is_own_same && !self.is_fresh;
                    let goes_on = earlier.goes_on && !self.is_fresh;
                    module.earlier.push(Earlier { is_own_same, goes_on, ..*earlier });
                    prepared.targets.push(target);
                }
                Some(Knowledge::Unchanged(_)) | None => prepared.targets.push(target),
            }
        }
        Ok((module, unchanged))
    }

    /// Asks the store, if there is one.
    fn with_store<T>(&self, ask: impl FnOnce(&mut Store) -> T) -> Option<T> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner).as_mut().map(ask)
    }
}

impl KnownModule<'_> {
    /// What is known of a class, if its file is as it was delivered.
    fn knowledge_of(&self, target: &Target, out: &Path) -> Option<Knowledge> {
        let class = target.class.binary();
        let key = self.keys.get(&class)?;
        // What cannot be read is not known.
        let stored =
            self.known.with_store(|store| store.class(&self.module, &class).ok().flatten()).flatten();
        let path = target.test_file();
        let Some(stored) = stored else {
            return self.known_by_file(class, path).map(Box::new).map(Knowledge::Changed);
        };
        let mut text = None;
        if let Some(file) = &stored.file {
            let found = self.test_sources().text(&path);
            text = Some(found.filter(|_| self.test_sources().is_written(&path, &file.hash))?);
        }
        let mut report: ClassReport = serde_json::from_str(&stored.report).ok()?;
        report.module = Some(self.module.clone()).filter(|module| !module.is_empty());
        // As it is reached from here.
        report.file = stored.file.is_some().then(|| out.join(&path).display().to_string());
        // What fails is told at every run.
        let is_same = key.all == stored.key;
        if is_same && report.failing.is_empty() {
            return Some(Knowledge::Unchanged(Box::new(report)));
        }
        let (file, is_own_same) = (TestFile { path, text: text? }, key.own == stored.own);
        let goes_on = !is_same;
        Some(Knowledge::Changed(Box::new(Earlier {
            class,
            file,
            is_own_same,
            goes_on,
            is_known: true,
            report,
        })))
    }

    /// A class of which nothing is known but the file that an earlier run wrote, as in a fresh clone.
    fn known_by_file(&self, class: String, path: String) -> Option<Earlier> {
        let text = self.test_sources().text(&path).filter(|text| is_unedited(text) == EditState::Unedited)?;
        let (file, report) = (TestFile { path, text }, ClassReport::default());
        Some(Earlier { class, file, is_own_same: false, goes_on: false, is_known: false, report })
    }

    /// The tests of a class as they were kept, unless all is to be searched anew.
    pub fn suite(&self, class: &str) -> Option<Vec<u8>> {
        let suite = self.known.with_store(|store| store.suite(&self.module, class).ok().flatten()).flatten();
        suite.filter(|_| !self.known.is_fresh)
    }

    /// The tests of a class that stay in its file, unless all is to be searched anew.
    pub fn holding(&self, class: &str) -> &[String] {
        self.holding.get(class).filter(|_| !self.known.is_fresh).map_or(&[], Vec::as_slice)
    }

    /// The tests of a class that fail and stay in its file.
    pub fn failing(&self, class: &str) -> &[String] {
        self.failing.get(class).map_or(&[], Vec::as_slice)
    }

    /// Notes that classes hold as they are, although others that they use have changed; what was reported of them.
    pub fn confirm(&self, classes: &[String]) -> Vec<ClassReport> {
        let is_confirmed = |earlier: &&Earlier| classes.contains(&earlier.class);
        let confirmed = self.earlier.iter().filter(is_confirmed);
        let report = |earlier: &Earlier| {
            let report = ClassReport { failing: Vec::new(), ..earlier.report.clone() };
            if let Some(key) = self.keys.get(&earlier.class) {
                // What cannot be noted is found out again by the next run.
                let now = (key.all.as_str(), report.to_line());
                self.known
                    .with_store(|store| store.confirm(&self.module, &earlier.class, (now.0, &now.1)).ok());
            }
            report
        };
        confirmed.map(report).collect()
    }

    /// Keeps what came of a class, unless that was done already; says what keeps it from that, after which nothing is kept any
    /// more. Of a class whose search was interrupted its file is kept, so that the next run goes on from it, and nothing where it
    /// has none. Nor is anything kept where a search came to no file and that of an earlier run stands.
    pub fn keep(&self, report: &Report, note: &dyn Fn(&str)) {
        let nothing = Key::default();
        let has_earlier = self.earlier.iter().any(|earlier| earlier.class == report.class.class);
        let key = match (report.interrupted, &report.file) {
            (true, Some(_)) => Some(&nothing),
            (false, None) if has_earlier => None,
            (true, None) => None,
            (false, Some(_) | None) => self.keys.get(&report.class.class),
        };
        let Some(key) = key.filter(|_| self.keys.contains_key(&report.class.class)) else { return };
        let class = self.stored(report, key);
        let hash = hash_of(format!("{} {:?}", class.report, class.file));
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.insert(class.class.clone(), hash.clone()) == Some(hash) {
            return;
        }
        let goals: Vec<StoredGoal> = report.goals.iter().map(stored_goal).collect();
        let mut store = self.known.store.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Err(error)) = store.as_mut().map(|store| store.save(&class, &goals, &report.suite)) {
            *store = None;
            note(&format!(
                "the next run will know nothing of {} and the classes behind it: {error}; make room or the file writable, and \
                 run again",
                class.class
            ));
        }
    }

    fn test_sources(&self) -> TestSources<'_> {
        TestSources::new(&self.out, false, &|_| Ownership::Edited).like(&self.habits)
    }

    fn stored(&self, report: &Report, key: &Key) -> StoredClass {
        let file = report.file.as_ref().map(|file| StoredFile {
            root: self.test_root.clone(),
            path: file.path.clone(),
            hash: hash_of_text(&file.text),
            tests: file.tests.clone(),
        });
        StoredClass {
            module: self.module.clone(),
            class: report.class.class.clone(),
            key: key.all.clone(),
            own: key.own.clone(),
            report: report.class.to_line(),
            file,
            stored_at: 0,
        }
    }
}

fn stored_goal(record: &GoalRecord) -> StoredGoal {
    StoredGoal {
        id: record.id.clone(),
        description: record.goal.clone(),
        criterion: record.criterion.clone(),
        class: record.class.clone(),
        method: record.method.clone(),
        line: record.line,
        is_covered: matches!(record.status, GoalStatus::Covered | GoalStatus::Existing),
        reason: record.reason.clone(),
        tests: record.tests.clone(),
        killers: record.killers.clone(),
    }
}
