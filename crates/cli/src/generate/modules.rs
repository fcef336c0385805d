//! The modules of a run: each has its own class path, JUnit and test sources, and they are worked on one after the other.

use std::collections::{BTreeMap, BTreeSet};

use project::build::requests::requests;
use project::changes::Changes;
use project::environment::Environment;
use project::failure::Failure;
use project::test_sources::Ownerships;

use crate::console::Console;
use crate::exit_code::ExitCode;
use crate::generate::machine::Machine;
use crate::generate::prepared::{Outlook, Prepared, Skipped};
use crate::generate::shard::{Shard, pieces};
use crate::options::Options;
use crate::since::changes;

/// What is to be worked on, and what was said of the rest.
#[derive(Debug, Default)]
pub struct Found {
    /// Modules that have something to test.
    pub modules: Vec<Prepared>,
    /// The exit codes of those that cannot have tests.
    pub codes: Vec<ExitCode>,
    /// Classes that cannot be tested, by reason.
    pub untestable: BTreeMap<String, usize>,
    /// What is wrong with modules that are worked on all the same.
    pub remarks: Vec<String>,
}

/// Prepares each module that has something to test, or the class path, and says why others cannot have tests. None is left where
/// nothing has changed, which is said.
///
/// # Errors
/// What is wrong, in one sentence, if nothing at all can be tested.
pub fn prepare(
    options: &Options,
    environment: &Environment,
    ownership: Ownerships<'_>,
    console: &Console,
) -> Result<Found, Failure> {
    let note = |text: &str| console.note(text);
    let changes = changes(options.which.since.as_deref(), &options.request.place, environment)?;
    if let Some(nothing) = changes.as_ref().and_then(Changes::nothing) {
        note(&nothing);
        return Ok(Found::default());
    }
    let asked = requests(&options.request, environment, &note)?;
    let machine = Machine::look(environment);
    let (mut modules, mut failures, mut skipped) = (Vec::new(), asked.failures, Skipped::new());
    let mut is_unchanged = false;
    for request in asked.modules {
        match Prepared::look_up(options, request, changes.as_ref(), environment, machine, ownership, &note) {
            Ok(Outlook::Work(prepared)) => {
                skipped.extend(prepared.skipped.iter().cloned());
                modules.push(*prepared);
            }
            Ok(Outlook::Untestable(none)) => skipped.extend(none),
            Ok(Outlook::Unchanged) => is_unchanged = true,
            Err(failure) => failures.push(failure),
        }
    }
    let reasons = reasons(&skipped);
    match &changes {
        Some(changes) if modules.is_empty() && is_unchanged => note(&changes.no_class()),
        Some(_) | None => {}
    }
    if modules.is_empty() && !is_unchanged {
        let because = reasons.first().map_or_else(String::new, |first| format!(" ({first})"));
        let nothing = format!("no class of the project can be tested{because}; name another with --project");
        return Err(failures.into_iter().next().unwrap_or_else(|| Failure::input(nothing)));
    }
    for reason in &reasons {
        console.note(reason);
    }
    for failure in &failures {
        console.note(&failure.sentence);
    }
    check_files(&modules)?;
    if let Some(shard) = options.shard {
        console.note(&keep_shard(shard, &mut modules));
    }
    let mut untestable = BTreeMap::new();
    for (_, reason) in &skipped {
        *untestable.entry(reason.to_string()).or_insert(0) += 1;
    }
    Ok(Found {
        modules,
        codes: failures.iter().map(|failure| failure.kind.into()).collect(),
        untestable,
        remarks: asked.remarks,
    })
}

/// Why classes are not tested: a sentence for each, or for all that have the same reason where these are many.
fn reasons(skipped: &Skipped) -> Vec<String> {
    const MANY: usize = 4;
    let mut by_reason: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (class, reason) in skipped {
        by_reason.entry(reason.to_string()).or_default().push(class.binary());
    }
    let sentences = by_reason.into_iter().flat_map(|(reason, classes)| match classes.as_slice() {
        [first, others @ ..] if classes.len() >= MANY => {
            vec![format!("{first} and {} more classes are not tested, each because {reason}", others.len())]
        }
        classes => classes.iter().map(|class| format!("{class} is not tested: {reason}")).collect(),
    });
    sentences.collect()
}

/// Takes the classes away that belong to other shards; what there is to say of that.
fn keep_shard(shard: Shard, modules: &mut [Prepared]) -> String {
    let pieces = pieces(modules);
    let ours = pieces.iter().zip(shard.deal(&pieces)).filter(|(_, is_ours)| *is_ours);
    let ours: BTreeSet<(&str, &str)> =
        ours.map(|(piece, _)| (piece.module.as_str(), piece.class.as_str())).collect();
    for prepared in modules {
        let module = prepared.module.clone().unwrap_or_default();
        prepared.targets.retain(|target| ours.contains(&(module.as_str(), &target.class.binary())));
    }
    format!("shard {shard}: {} of {} classes", ours.len(), pieces.len())
}

/// Each test file must be the file of one class, which it may not be where one folder takes the tests of several modules.
fn check_files(modules: &[Prepared]) -> Result<(), Failure> {
    let mut files = BTreeSet::new();
    for module in modules {
        for target in &module.targets {
            if !files.insert((&module.out, target.test_file())) {
                return Err(Failure::usage(format!(
                    "{} is in several modules, and --out is one folder for the tests of all; leave --out out, or name the \
                     folder of one module with --project",
                    target.class.binary()
                )));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use project::untestable::Untestable;

    use super::*;

    #[test]
    fn classes_with_one_reason_are_told_together_where_they_are_many() {
        let of = |number: usize, reason: &Untestable| -> Skipped {
            (0..number)
                .map(|index| (format!("p/{}{index}", reason.name()).as_str().into(), reason.clone()))
                .collect()
        };
        let skipped = [of(1, &Untestable::NoCode), of(30, &Untestable::Interface)].concat();
        let expect = [
            "p.no-code0 is not tested: it is a class without code",
            "p.interface0 and 29 more classes are not tested, each because it is an interface without code",
        ];
        assert_eq!(reasons(&skipped), expect);
    }
}
