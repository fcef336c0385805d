//! What the project's own tests cover of its classes, as JaCoCo has measured it: which classes need tests most.
//!
//! * [`exec`]: what its agent dumps; [`xml`]: its report

#![expect(clippy::disallowed_methods, reason = "reads what JaCoCo wrote")]

mod exec;
mod xml;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use bytecode::name::ClassName;
use bytecode::source::ClassSource;

use crate::build::freshness::Written;
use crate::failure::Failure;
use crate::targets::Target;

/// Where builds put what JaCoCo measures, below the folder of a module; the first tell more.
const PLACES: [&str; 4] = [
    "target/site/jacoco/jacoco.xml",
    "build/reports/jacoco/test/jacocoTestReport.xml",
    "target/jacoco.exec",
    "build/jacoco/test.exec",
];

/// What was measured of classes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Measured {
    /// By internal name; several where a class was measured in several states.
    classes: BTreeMap<String, Vec<OfClass>>,
}

/// What was measured of a class file.
#[derive(Debug, Clone, PartialEq, Eq)]
enum OfClass {
    /// The probes that were hit of the class file of this id.
    Probes { id: u64, hits: Vec<bool> },
    /// Counters, of whatever class file.
    Counters(xml::Counted),
}

/// How much of something is covered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Share {
    covered: u64,
    all: u64,
}

/// What came of ordering classes by what was measured.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ordered {
    /// Classes that were measured as they are.
    pub measured: usize,
    /// Classes that were another file when they were measured, and count as not covered.
    pub stale: Vec<ClassName>,
}

/// Where a build has put what JaCoCo measured of the module in a folder, if that is as new as the newest of its classes.
pub(crate) fn usual_file(
    folder: &Path,
    newest_class: Option<Written>,
    written: impl Fn(&Path) -> Option<Written>,
) -> Option<PathBuf> {
    let mut places = PLACES.iter().map(|place| folder.join(place));
    places.find(|file| written(file).is_some_and(|file| Some(file) >= newest_class))
}

impl Measured {
    /// Reads files, each what the agent dumped or a report in XML.
    ///
    /// # Errors
    /// One cannot be read.
    pub fn read(files: &[PathBuf]) -> Result<Self, Failure> {
        let mut measured = Self::default();
        for file in files {
            let wrong = |why: String| {
                Failure::input(format!(
                    "{} cannot be read as what JaCoCo measured: {why}; give its exec file or XML report with --coverage, or run the \
                     tests again",
                    file.display()
                ))
            };
            let bytes = fs::read(file).map_err(|error| wrong(error.to_string()))?;
            measured.add(&bytes).map_err(wrong)?;
        }
        Ok(measured)
    }

    fn add(&mut self, bytes: &[u8]) -> Result<(), String> {
        if exec::is_exec(bytes) {
            for loaded in exec::read(bytes).map_err(|error| error.to_string())? {
                self.add_hits(loaded);
            }
            return Ok(());
        }
        let text = str::from_utf8(bytes).map_err(|_| "it is neither an exec file nor XML".to_owned())?;
        for counted in xml::read(text)? {
            self.classes.entry(counted.name.clone()).or_default().push(OfClass::Counters(counted));
        }
        Ok(())
    }

    /// Adds the probes of a class; those that were hit before stay so.
    fn add_hits(&mut self, loaded: exec::Loaded) {
        let of_class = self.classes.entry(loaded.name).or_default();
        let same = of_class.iter_mut().find_map(|before| match before {
            OfClass::Probes { id, hits } if *id == loaded.id && hits.len() == loaded.hits.len() => Some(hits),
            OfClass::Probes { .. } | OfClass::Counters(_) => None,
        });
        match same {
            Some(hits) => hits.iter_mut().zip(&loaded.hits).for_each(|(hit, &now)| *hit |= now),
            None => of_class.push(OfClass::Probes { id: loaded.id, hits: loaded.hits }),
        }
    }

    /// Puts the targets least covered first; among those that are covered alike the order stays.
    pub fn order(&self, source: &dyn ClassSource, targets: &mut [Target]) -> Ordered {
        let mut ordered = Ordered::default();
        targets.sort_by_cached_key(|target| {
            if let Some(share) = self.share(source, &target.nest) {
                ordered.measured += 1;
                return share.in_millionths();
            }
            if target.nest.iter().any(|name| self.classes.contains_key(name.as_str())) {
                ordered.stale.push(target.class.clone());
            }
            0
        });
        ordered.stale.sort();
        ordered
    }

    /// How much is covered of a nest: branches, where it has some that were counted. `None` where nothing was measured of its
    /// class files as they are.
    fn share(&self, source: &dyn ClassSource, nest: &[ClassName]) -> Option<Share> {
        let (mut branches, mut code) = (Share::default(), Share::default());
        let mut is_measured = false;
        for name in nest {
            let Some(measured) = self.classes.get(name.as_str()) else { continue };
            let id = source.class_bytes(name).map(|bytes| exec::class_id(&bytes));
            for of_class in measured {
                match of_class {
                    OfClass::Probes { id: of, hits } if Some(*of) == id => {
                        let hit = hits.iter().filter(|&&hit| hit).count();
                        code.add([hit as u64, hits.len() as u64]);
                    }
                    OfClass::Probes { .. } => continue,
                    OfClass::Counters(counted) => {
                        branches.add(counted.branches);
                        code.add(counted.instructions);
                    }
                }
                is_measured = true;
            }
        }
        is_measured.then_some(if branches.all > 0 { branches } else { code })
    }
}

impl Share {
    fn add(&mut self, [covered, all]: [u64; 2]) {
        self.covered = self.covered.saturating_add(covered);
        self.all = self.all.saturating_add(all);
    }

    /// A class without code that counts lacks nothing.
    fn in_millionths(self) -> u64 {
        const WHOLE: u128 = 1_000_000;
        let share = (u128::from(self.covered) * WHOLE).checked_div(u128::from(self.all));
        share.unwrap_or(WHOLE).min(WHOLE) as u64
    }
}

impl Ordered {
    /// What there is to say of an order by these files; nothing where they tell of none of the classes.
    pub fn sentence(&self, files: &[PathBuf]) -> Option<String> {
        let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        let names = names.join(", ");
        let stale = match self.stale.as_slice() {
            [] => String::new(),
            [one] => format!("{} has changed since and counts as not covered", one.binary()),
            [first, others @ ..] => format!(
                "{} and {} more have changed since and count as not covered",
                first.binary(),
                others.len()
            ),
        };
        match (self.measured, stale.as_str()) {
            (0, "") => None,
            (0, _) => Some(format!(
                "{names} tells of other states of the classes than they are in; run the tests again, so that the least covered \
                 come first"
            )),
            (_, "") => Some(format!("the least covered come first, by {names}")),
            (_, stale) => Some(format!("the least covered come first, by {names}; {stale}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use bytecode::source::MemorySource;

    use super::*;

    /// Classes whose files are their names.
    fn source(names: &[&str]) -> MemorySource {
        let mut source = MemorySource::default();
        for &name in names {
            source.add(name.into(), name.as_bytes().to_vec());
        }
        source
    }

    fn targets(nests: &[&[&str]]) -> Vec<Target> {
        let target = |nest: &&[&str]| Target {
            class: nest[0].into(),
            nest: nest.iter().map(|&name| name.into()).collect(),
            java_version: 8,
            package_of_tests: String::new(),
        };
        nests.iter().map(target).collect()
    }

    fn check(bytes: &[&[u8]], expect: &[&str], sentence: Option<&str>) {
        let nests: [&[&str]; 4] = [&["p/A", "p/A$Inner"], &["p/B"], &["p/C"], &["p/D"]];
        let mut targets = targets(&nests);
        let mut measured = Measured::default();
        for bytes in bytes {
            measured.add(bytes).unwrap();
        }
        let ordered = measured.order(&source(&nests.concat()), &mut targets);
        let names: Vec<&str> = targets.iter().map(|target| target.class.as_str()).collect();
        assert_eq!((names.as_slice(), ordered.sentence(&["f".into()]).as_deref()), (expect, sentence));
    }

    #[test]
    fn the_least_covered_come_first_then_as_before() {
        let of = |name: &'static str, hits: &'static [bool]| (exec::class_id(name.as_bytes()), name, hits);
        let by_f = Some("the least covered come first, by f");
        check(&[], &["p/A", "p/B", "p/C", "p/D"], None);
        // Half of A with its nest, all of B, nothing is known of C, a third of D in two dumps.
        let first = exec::tests::exec(&[
            of("p/A", &[true, true]),
            of("p/A$Inner", &[false, false]),
            of("p/B", &[true]),
            of("p/D", &[true, false, false]),
        ]);
        let second = exec::tests::exec(&[of("p/D", &[true, false, false])]);
        check(&[&first, &second], &["p/C", "p/D", "p/A", "p/B"], by_f);
        // A report counts branches: three of four in A.
        let report = xml::tests::REPORT.as_bytes();
        let half = exec::tests::exec(&[of("p/B", &[true, false])]);
        check(&[report, &half], &["p/C", "p/D", "p/B", "p/A"], by_f);
    }

    #[test]
    fn what_was_measured_of_another_class_file_does_not_count() {
        let stale = exec::tests::exec(&[(1, "p/A", &[true]), (1, "p/B", &[true])]);
        let sentence = "f tells of other states of the classes than they are in; run the tests again, so that the least covered come first";
        check(&[&stale], &["p/A", "p/B", "p/C", "p/D"], Some(sentence));
        let some = exec::tests::exec(&[(1, "p/A", &[true]), (exec::class_id(b"p/B"), "p/B", &[true])]);
        let sentence = "the least covered come first, by f; p.A has changed since and counts as not covered";
        check(&[&some], &["p/A", "p/C", "p/D", "p/B"], Some(sentence));
    }

    #[test]
    fn a_file_that_is_none_is_one_sentence() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("jacoco.exec");
        let whole = exec::tests::exec(&[(1, "p/A", &[true])]);
        for (bytes, why) in [
            (&whole[..whole.len() - 1], "it ends in the middle"),
            (b"\xFF\xFE", "it is neither an exec file nor XML"),
            (b"<html/>", "it is no report of JaCoCo"),
        ] {
            fs::write(&file, bytes).unwrap();
            let sentence = Measured::read(std::slice::from_ref(&file)).unwrap_err().sentence;
            let expect = format!("{} cannot be read as what JaCoCo measured: {why}; give ", file.display());
            assert!(sentence.starts_with(&expect), "{sentence}");
        }
    }

    #[test]
    fn what_is_older_than_the_classes_is_not_looked_at() {
        let check = |files: &[(&str, i64)], expect: Option<&str>| {
            let written = |path: &Path| {
                let found = files.iter().find(|(name, _)| path == Path::new("m").join(name));
                found.map(|(_, second)| (*second, 0))
            };
            let found = usual_file(Path::new("m"), Some((5, 0)), written);
            assert_eq!(found, expect.map(|name| Path::new("m").join(name)), "{files:?}");
        };
        check(&[], None);
        check(&[("target/jacoco.exec", 4)], None);
        check(&[("target/jacoco.exec", 5)], Some("target/jacoco.exec"));
        check(&[("target/jacoco.exec", 9), (PLACES[0], 6)], Some(PLACES[0]));
        check(&[("target/jacoco.exec", 9), (PLACES[0], 4)], Some("target/jacoco.exec"));
    }
}
