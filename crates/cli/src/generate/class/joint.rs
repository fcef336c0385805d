//! The files of all classes are verified together: side by side in one build, each still has to hold.

use coverage::goal::GoalId;
use verify::lane::{Compiled, Judges};
use verify::suite::SuiteSource;
use verify::verifier::{Checked, Orders, verify};

use super::TestedClass;
use crate::generate::Session;

/// What is said where time ended before all files had run together in every order.
const INCOMPLETE: &str = "each file was verified, and there was no time to run all of them together in every order: `covolve check` \
    runs them once more, and with a longer --total-budget there is time for it";

/// What came of a file when all were verified together.
#[derive(Debug)]
pub(super) enum Together {
    /// A test was dropped, or one of its assertions, which covers no goals.
    Dropped {
        /// What happened.
        how: String,
        /// The goals that the test covered.
        goals: Vec<GoalId>,
    },
    /// It could not be done: each file holds by itself, as it was verified before.
    Unverified(String),
}

/// Verifies the files of several classes together and writes again what had to lose something. A file that loses all its
/// tests is taken away.
///
/// # Errors
/// A file cannot be written, or no verification JVM can be had.
pub(super) fn verify_together(session: &Session<'_>, classes: &mut [TestedClass]) -> anyhow::Result<()> {
    let with_files = classes.iter_mut().filter(|class| class.test_file.on_disk.is_some());
    let mut classes: Vec<&mut TestedClass> = with_files.collect();
    if classes.len() < 2 {
        return Ok(());
    }
    let files = || classes.iter().filter_map(|class| class.test_file.on_disk.as_ref());
    let suites: Vec<_> = files().map(|file| file.file.verified_before()).collect();
    let sources: Vec<&dyn SuiteSource> = suites.iter().map(|suite| suite as _).collect();
    let selections = files().map(|file| file.selection.clone()).collect();
    let levels = classes.iter().map(|class| class.subject.identity.source_level);
    let compiled = Compiled {
        class_path: session.prepared.test_path.clone(),
        source_level: levels.max().unwrap_or_default(),
    };
    let mut lane = session.verifiers.take()?;
    // Each file is on disk: nothing could come too late but the end of the run.
    let remaining = || session.shares.remaining();
    let mut bench = lane.bench(&compiled, Judges::Both, &remaining);
    let orders = Orders { seed: session.prepared.options.seed, alone: false };
    let verification = match verify(&mut bench, &sources, selections, orders, &mut Checked::default()) {
        Ok(verification) => verification,
        Err(error) => {
            for class in classes {
                class.together.push(Together::Unverified(error.to_string()));
            }
            return Ok(());
        }
    };
    session.verifiers.put_back(lane);
    if !verification.is_complete {
        session.console.note(INCOMPLETE);
    }
    for dropped in &verification.dropped {
        if let Some(class) = classes.get_mut(dropped.suite) {
            let of_test = dropped.assertion.is_none().then_some(dropped.test);
            let goals = suites[dropped.suite].goals_of(of_test).into_iter().collect();
            class.together.push(Together::Dropped { how: dropped.cause.to_string(), goals });
        }
    }
    for (class, verified) in classes.into_iter().zip(verification.suites) {
        let Some(before) = class.test_file.on_disk.take() else { continue };
        match verified.printed {
            Some(printed) => {
                if printed.text != before.printed.text {
                    session.test_sources.write(&printed.path(), &printed.text)?;
                }
                class.test_file.on_disk = Some(before.with(verified.selection, printed));
            }
            None => session.test_sources.remove(&before.printed.path())?,
        }
    }
    Ok(())
}
