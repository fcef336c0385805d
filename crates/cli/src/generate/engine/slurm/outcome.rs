//! What the shards came to: what they report of classes, what they said, and what that means for the command.

use std::collections::{BTreeMap, BTreeSet};

use super::Ends;
use super::folder::{Attempt, RunFolder};
use super::watch::End;
use crate::console::progress::DONE;
use crate::console::{Console, STARTED};
use crate::exit_code::ExitCode;
use crate::generate::prepared::Prepared;
use crate::generate::shard::Shard;
use crate::generate::{NO_TIME, UNCHANGED};
use crate::json::ClassReport;

/// What the shards came to.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// What is said of classes.
    pub reports: Vec<ClassReport>,
    /// What the shards mean for the exit code.
    pub codes: Vec<ExitCode>,
}

/// Characters of the line that are shown which a shard that failed said last.
const LINE: usize = 300;

/// How we begin what we say on standard error.
const OWN: &str = "covolve: ";

impl Outcome {
    /// Reads what shards have left, and says again what they said that was not said here.
    pub(super) fn read(folder: &RunFolder, ends: &Ends, console: &Console) -> Self {
        let mut outcome = Self::default();
        for (&shard, (last, end)) in ends {
            outcome.codes.push(end.exit_code());
            // A class is reported by each array that its shard was in, and the last one is right.
            let mut reports: Vec<ClassReport> = Vec::new();
            for number in 1..=*last {
                let found = folder.classes(Attempt { shard, number });
                let classes: BTreeSet<_> = found.iter().map(ClassReport::place).collect();
                reports.retain(|report| !classes.contains(&report.place()));
                reports.extend(found);
            }
            outcome.reports.extend(reports);
            let mut lines = folder.lines(Attempt { shard, number: *last });
            if !end.is_well() {
                // It has been said why it failed.
                lines.truncate(lines.iter().rposition(|line| !line.is_empty()).unwrap_or(0));
            }
            let sentences = lines.iter().filter_map(|line| line.strip_prefix(OWN));
            sentences.filter(|sentence| !is_progress(sentence)).for_each(|sentence| {
                // What is indented belongs to the sentence before it.
                let say = if sentence.starts_with(' ') { Console::note } else { Console::note_once };
                say(console, sentence);
            });
        }
        outcome
    }

    /// Leaves those out that were known before, and puts the others in the order in which one machine has them.
    pub(super) fn settle(&mut self, modules: &[Prepared], unchanged: &[ClassReport]) {
        let known: BTreeSet<_> = unchanged.iter().map(ClassReport::place).collect();
        self.reports.retain(|report| !known.contains(&report.place()));
        let classes = modules.iter().flat_map(|prepared| {
            let module = prepared.module.clone().unwrap_or_default();
            prepared.targets.iter().map(move |target| (module.clone(), target.class.binary()))
        });
        let places: BTreeMap<_, usize> = classes.enumerate().map(|(place, class)| (class, place)).collect();
        self.reports.sort_by_key(|report| places.get(&report.place()).copied());
    }

    /// Classes for which no time was left.
    pub(super) fn without_time(&self) -> usize {
        let is_without =
            |report: &&ClassReport| report.diagnostics.iter().any(|sentence| sentence == NO_TIME);
        self.reports.iter().filter(is_without).count()
    }
}

/// Whether a sentence only tells how far a shard is.
fn is_progress(sentence: &str) -> bool {
    sentence.ends_with(STARTED)
        || sentence.starts_with("shard ")
        || sentence.contains(UNCHANGED)
        || sentence.contains(DONE)
}

/// What is said of a shard that has ended; whether it is not run again, and whether that is what the user wants.
pub(super) fn told(
    shard: Shard,
    attempt: Attempt,
    end: &End,
    folder: &RunFolder,
    is_last: bool,
    is_interrupted: bool,
) -> String {
    if end.is_well() {
        let classes = folder.classes(attempt).len();
        let classes = if classes == 1 { "1 class".to_owned() } else { format!("{classes} classes") };
        return format!("shard {shard} is done: {classes}");
    }
    if is_interrupted {
        return match end {
            End::Code(_) => format!("shard {shard} has ended early"),
            End::Lost(_) => format!("shard {shard} is cancelled"),
        };
    }
    let how = match end {
        End::Code(code) => format!("failed with exit code {code}"),
        End::Lost(Some(state)) => format!("has left no result, {state}"),
        End::Lost(None) => "has left no result".to_owned(),
    };
    let lines = folder.lines(attempt);
    let last = lines.iter().rfind(|line| !line.is_empty());
    let why = match last {
        Some(line) => {
            format!(": {}", line.strip_prefix(OWN).unwrap_or(line).chars().take(LINE).collect::<String>())
        }
        None => " and said nothing, as where the machines of the cluster do not share this folder".to_owned(),
    };
    let next = if is_last {
        format!("what it has written stays, and what it said is in {}", folder.log(attempt).display())
    } else {
        "it runs again".to_owned()
    };
    format!("shard {shard} {how}{why}; {next}")
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests write files")]
mod tests {
    use super::*;

    fn report(class: &str, tests: usize) -> ClassReport {
        let file = (tests > 0).then(|| format!("{class}Test.java"));
        ClassReport { class: class.into(), file, tests, ..ClassReport::default() }
    }

    /// A folder with what shards have reported and said, by shard and array.
    fn folder(left: &[(usize, u32, &[ClassReport], &str)]) -> (tempfile::TempDir, RunFolder) {
        let state = tempfile::tempdir().unwrap();
        let folder = RunFolder::new(state.path()).unwrap();
        for &(shard, number, reports, said) in left {
            folder.prepare(number, &[shard], b"").unwrap();
            let lines: Vec<String> = reports.iter().map(ClassReport::to_line).collect();
            let shard_folder = folder.path().join(shard.to_string());
            std::fs::write(shard_folder.join(format!("classes-{number}.json")), lines.join("\n")).unwrap();
            std::fs::write(folder.log(Attempt { shard, number }), said).unwrap();
        }
        (state, folder)
    }

    #[test]
    fn a_shard_that_has_ended_is_one_sentence() {
        let said = "covolve: a.B: started\ncovolve: a fault of Covolve: x\n\n";
        let (_state, folder) = folder(&[(2, 1, &[report("a.B", 1)], said), (3, 1, &[], "")]);
        let check = |shard: usize, end: End, is_last: bool, is_interrupted: bool, expect: &str| {
            let attempt = Attempt { shard, number: 1 };
            let said = told(Shard::new(shard, 4), attempt, &end, &folder, is_last, is_interrupted);
            assert_eq!(said.replace(folder.path().to_str().unwrap(), "RUN"), expect);
        };
        check(2, End::Code(0), false, false, "shard 2/4 is done: 1 class");
        check(2, End::Code(1), true, true, "shard 2/4 is done: 1 class");
        check(
            2,
            End::Code(70),
            false,
            false,
            "shard 2/4 failed with exit code 70: a fault of Covolve: x; it runs again",
        );
        check(
            2,
            End::Lost(Some("TIMEOUT".into())),
            true,
            false,
            "shard 2/4 has left no result, TIMEOUT: a fault of Covolve: x; what it has written stays, and what it said is in \
             RUN/2/log-1.txt",
        );
        check(
            3,
            End::Lost(None),
            false,
            false,
            "shard 3/4 has left no result and said nothing, as where the machines of the cluster do not share this folder; it \
             runs again",
        );
        check(2, End::Code(5), true, true, "shard 2/4 has ended early");
        check(3, End::Lost(Some("CANCELLED".into())), true, true, "shard 3/4 is cancelled");
    }

    #[test]
    fn the_last_array_of_a_shard_is_right_of_a_class_and_nothing_is_said_twice() {
        let other = ClassReport { module: Some("other".into()), ..report("a.B", 4) };
        let (_state, folder) = folder(&[
            (1, 1, &[report("a.A", 1), report("a.B", 0), other.clone()], "covolve: a.A: a fault"),
            (
                1,
                2,
                &[report("a.B", 2)],
                "covolve: shard 1/2: 2 of 3 classes\ncovolve: a.B: started\ncovolve: 1 of 2 classes done\ncovolve: x fails\nother",
            ),
            (
                2,
                1,
                &[report("a.C", 3)],
                "covolve: x fails\ncovolve: known\ncovolve: y fails\ncovolve: the end\n\n",
            ),
            (
                3,
                1,
                &[],
                "covolve: p.A behaves in another way:\ncovolve:   one: expected 1, came 2\ncovolve:   one: expected 1, came 2",
            ),
        ]);
        let ends = [(1, (2, End::Code(1))), (2, (1, End::Code(70))), (3, (1, End::Code(0)))].into();
        let notes = crate::console::Said::default();
        let console = Console::plain(false, Box::new(std::io::sink()), Box::new(notes.clone()));
        console.note("known");
        let outcome = Outcome::read(&folder, &ends, &console);
        assert_eq!(outcome.reports, [report("a.A", 1), other, report("a.B", 2), report("a.C", 3)]);
        assert_eq!(outcome.codes, [ExitCode::NotAllWell, ExitCode::Internal, ExitCode::Success]);
        let of_third = "covolve: p.A behaves in another way:\ncovolve:   one: expected 1, came 2\ncovolve:   one: expected 1, came 2\n";
        assert_eq!(notes.text(), format!("covolve: known\ncovolve: x fails\ncovolve: y fails\n{of_third}"));
    }
}
