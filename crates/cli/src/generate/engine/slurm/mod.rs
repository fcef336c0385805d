//! The shards of a project as a job array on a Slurm cluster whose machines share the folder of the project.
//!
//! Everything that can be wrong is found out here, and a build is compiled once, before anything is submitted. Each task is `covolve
//! generate --shard`, with a state of its own that begins as the project's: many machines do not write one database. Files of tests
//! go where they belong at once, since no two shards have the same class. What the shards came to know is merged, and what
//! they report of classes is said as if it had been found out here.
//!
//! * [`cluster`]: Slurm's commands; [`watch`]: waiting for them
//! * [`folder`]: what is shared for the time of a run; [`script`]: what tasks do
//! * [`outcome`]: what the shards came to

mod cluster;
mod folder;
mod outcome;
mod script;
mod watch;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use project::failure::Failure;
use store::record::StoredClass;
use store::state::{FOLDER, Store};

use super::JobArray;
use crate::console::Console;
use crate::exit_code::ExitCode;
use crate::generate::closing::{Before, Came, tally};
use crate::generate::modules::{self, Found};
use crate::generate::prepared::Prepared;
use crate::generate::shard::{Shard, deal, pieces};
use crate::generate::{Generator, Start, UNCHANGED, code};
use crate::interrupt::Interrupt;
use crate::json::ClassReport;
use crate::known::Known;
use crate::known::place::folder_of;
use crate::options::Options;
use crate::statistics::Statistics;
use cluster::{Cluster, NotSubmitted};
use folder::{Attempt, RunFolder};
use outcome::{Outcome, told};
use script::{Script, array, log_pattern};
use watch::{Awaited, End, wait};

/// Has the classes worked on as this array; the exit code, once all that there is to say has been said.
///
/// # Errors
/// What kept the run from beginning, or from reporting.
pub(in crate::generate) fn run<G: Generator>(
    start: &Start<'_>,
    options: &Options,
    asked: &JobArray,
    generator: &G,
    console: &Console,
) -> anyhow::Result<ExitCode> {
    let cluster = Cluster::find(start.environment)?;
    let statistics = Statistics::new(options, generator.names())?;
    let ownership = |text: &str| generator.ownership(text);
    let Found { mut modules, mut codes, untestable, remarks } =
        modules::prepare(options, start.environment, &ownership, console)?;
    if modules.is_empty() {
        return Ok(ExitCode::gravest(codes));
    }
    let pieces = pieces(&modules);
    let of = asked.shards.get().min(pieces.len()).max(1);
    let dealt = pieces.iter().map(|piece| (piece.module.clone(), piece.class.clone())).zip(deal(of, &pieces));
    let dealt: BTreeMap<(String, String), usize> = dealt.collect();
    let of_modules = ExitCode::gravest(codes.iter().copied());
    let unchanged = take_unchanged(options, &mut modules, console)?;
    codes.extend(unchanged.iter().map(|report| code(false, report)));
    let shards = with_work(&modules, &dealt);
    let mut outcome = Outcome::default();
    if !shards.is_empty() {
        let state = folder_of(&options.request.place, options.state.folder.as_deref());
        let folder = RunFolder::new(state.as_deref().unwrap_or(Path::new(FOLDER)))
            .map_err(|error| unwritable(&error))?;
        let (interrupt, retries) = (start.interrupt, asked.retries);
        let script = script(start, options, asked, of)?;
        let run = Run { cluster, folder, script, asked, retries, state, of_modules, interrupt, console };
        let handed_out = run.hand_out_state(&dealt).inspect_err(|_| run.leave_nothing())?;
        let ends = run.work(shards)?;
        let is_gathered;
        (outcome, is_gathered) = run.gather(&ends, &handed_out, statistics.as_ref());
        outcome.settle(&modules, &unchanged);
        run.end(&ends, is_gathered);
    }
    outcome.reports.iter().try_for_each(|report| console.finished(report, options.budget))?;
    let reports: Vec<&ClassReport> = outcome.reports.iter().collect();
    let came = Came { without_time: outcome.without_time(), stood_still: 0, reports };
    let before = Before { options, modules: &modules, untestable, unchanged: unchanged.len(), remarks };
    console.summary(&tally(before, came), options.budget)?;
    Ok(ExitCode::gravest(codes.into_iter().chain(outcome.codes)))
}

/// Takes the classes from what is to be worked on that are as an earlier run left them; what was reported of them.
fn take_unchanged(
    options: &Options,
    modules: &mut [Prepared],
    console: &Console,
) -> anyhow::Result<Vec<ClassReport>> {
    let known = Known::open(options, &|text| console.note(text));
    let mut unchanged = Vec::new();
    for prepared in modules {
        unchanged.extend(known.of_module(prepared)?.1);
    }
    console.unchanged(&unchanged, UNCHANGED)?;
    Ok(unchanged)
}

/// The shards that have a class to work on, ascending.
fn with_work(modules: &[Prepared], dealt: &BTreeMap<(String, String), usize>) -> Vec<usize> {
    let of_module = |prepared: &Prepared| -> Vec<usize> {
        let module = prepared.module.clone().unwrap_or_default();
        let names = prepared.targets.iter().map(|target| (module.clone(), target.class.binary()));
        names.filter_map(|name| dealt.get(&name).copied()).collect()
    };
    let shards: BTreeSet<usize> = modules.iter().flat_map(of_module).collect();
    shards.into_iter().collect()
}

fn script(start: &Start<'_>, options: &Options, asked: &JobArray, of: usize) -> anyhow::Result<Script> {
    Ok(Script {
        covolve: fs::canonicalize(start.covolve).context("this program is not found")?,
        here: std::env::current_dir().context("the current folder is not known")?,
        words: asked.words.clone(),
        variables: start.environment.options.keys().cloned().collect(),
        of,
        has_report: options.report.is_some(),
    })
}

fn unwritable(error: &std::io::Error) -> Failure {
    Failure::output(format!(
        "what the cluster is to do cannot be written: {error}; make {FOLDER} a folder that can be written, or give another with \
         --state"
    ))
}

/// How shards ended, and in which of the arrays.
type Ends = BTreeMap<usize, (u32, End)>;

/// A run on a cluster.
struct Run<'a> {
    cluster: Cluster,
    folder: RunFolder,
    script: Script,
    asked: &'a JobArray,
    retries: u32,
    /// Where it is kept what is known of the project, if it is.
    state: Option<PathBuf>,
    /// What modules without tests mean for the exit code, here as in each shard.
    of_modules: ExitCode,
    interrupt: &'a Interrupt,
    console: &'a Console,
}

/// What shards began from, by module and class: key, and when it was kept.
type HandedOut = BTreeMap<(String, String), (String, i64)>;

impl Run<'_> {
    /// Has these shards worked on, those that fail several times.
    fn work(&self, mut shards: Vec<usize>) -> anyhow::Result<Ends> {
        let mut ends = Ends::new();
        for number in 1..=self.retries + 1 {
            if shards.is_empty() || self.interrupt.is_set() {
                break;
            }
            let job = match self.submit(number, &shards) {
                Ok(job) => job,
                Err(NotSubmitted { failure, may_run }) if number == 1 => {
                    if !may_run {
                        self.leave_nothing();
                    }
                    return Err(failure.into());
                }
                Err(NotSubmitted { failure, .. }) => {
                    self.console
                        .note(&format!("the shards that failed are not run again: {}", failure.sentence));
                    break;
                }
            };
            let mut on_end = |shard: usize, end: End| {
                let is_last = number > self.retries || self.interrupt.is_set();
                let attempt = Attempt { shard, number };
                let end = self.without_modules(end, attempt);
                let shard_of = Shard::new(shard, self.script.of);
                self.console.note(&told(
                    shard_of,
                    attempt,
                    &end,
                    &self.folder,
                    is_last,
                    self.interrupt.is_set(),
                ));
                ends.insert(shard, (number, end));
            };
            let awaited =
                Awaited { cluster: &self.cluster, job: &job, folder: &self.folder, number, shards: &shards };
            wait(awaited, self.interrupt, self.console, &mut on_end);
            shards.retain(|shard| !ends.get(shard).is_some_and(|(_, end)| end.is_well()));
        }
        Ok(ends)
    }

    /// How a shard ended, without what it says of modules that have no tests: that is said here.
    fn without_modules(&self, end: End, attempt: Attempt) -> End {
        let is_theirs =
            |code: i32| self.of_modules != ExitCode::Success && code == i32::from(self.of_modules.number());
        match end {
            End::Code(code) if is_theirs(code) && !self.folder.classes(attempt).is_empty() => End::Code(0),
            End::Code(_) | End::Lost(_) => end,
        }
    }

    /// Gives each shard what is known of its classes.
    fn hand_out_state(&self, dealt: &BTreeMap<(String, String), usize>) -> Result<HandedOut, Failure> {
        // A state that is of no use is begun anew, which has been said.
        let store = self.state.as_deref().map(Store::open_existing).and_then(Result::ok).flatten();
        let mut handed_out = HandedOut::new();
        let Some(store) = store else { return Ok(handed_out) };
        let mut by_shard: BTreeMap<usize, Vec<&(String, String)>> = BTreeMap::new();
        for (class, shard) in dealt {
            by_shard.entry(*shard).or_default().push(class);
        }
        for (shard, classes) in by_shard {
            let copied = store.copy_to(&self.folder.state(shard), classes);
            let copied = copied.map_err(|error| {
                Failure::output(format!("{error}; make room, or give another place with --state"))
            })?;
            handed_out.extend(
                copied.into_iter().map(|class| ((class.module, class.class), (class.key, class.stored_at))),
            );
        }
        Ok(handed_out)
    }

    fn submit(&self, number: u32, shards: &[usize]) -> Result<cluster::Job, NotSubmitted> {
        let script = self.script.text(&self.folder, number);
        self.folder.prepare(number, shards, &script).map_err(|error| unwritable(&error))?;
        let logs = log_pattern(self.folder.path(), number);
        let job =
            self.cluster.submit(&array(shards), &logs, &self.asked.options, &self.folder.script(number))?;
        let tasks = if shards.len() == 1 { "1 shard".to_owned() } else { format!("{} shards", shards.len()) };
        self.console.note(&format!("job {} is submitted, of {tasks}", job.id));
        Ok(job)
    }

    /// What the shards came to, in one place; whether all of it is there.
    fn gather(
        &self,
        ends: &Ends,
        handed_out: &HandedOut,
        statistics: Option<&Statistics>,
    ) -> (Outcome, bool) {
        let mut outcome = Outcome::read(&self.folder, ends, self.console);
        if self.interrupt.is_set() {
            outcome.codes.push(ExitCode::Interrupted);
        }
        let mut is_gathered = true;
        let mut check = |result: Result<(), Failure>| {
            if let Err(failure) = result {
                is_gathered = false;
                outcome.codes.push(failure.kind.into());
                self.console.note(&failure.sentence);
            }
        };
        if let Some(place) = &self.state {
            let states = ends.keys().map(|shard| self.folder.state(*shard));
            let states: Vec<PathBuf> = states.filter(|state| state.exists()).collect();
            let is_untouched = |class: &StoredClass| {
                let began = handed_out.get(&(class.module.clone(), class.class.clone()));
                began.is_some_and(|(key, at)| *key == class.key && *at == class.stored_at)
            };
            check(crate::merge::of_one_run(&states, place, &is_untouched));
        }
        if let Some(statistics) = statistics {
            for (&shard, &(last, _)) in ends {
                // Where the last array left none, those of an earlier one tell of the classes that it was done with.
                let mut tables = (1..=last).rev().map(|number| self.folder.report(Attempt { shard, number }));
                if let Some(tables) = tables.find(|folder| folder.exists()) {
                    check(statistics.append_from(&tables));
                }
            }
        }
        (outcome, is_gathered)
    }

    /// Takes the folder away, unless there is something to be looked at in it.
    fn end(&self, ends: &Ends, is_gathered: bool) {
        if is_gathered && ends.values().all(|(_, end)| end.is_well()) {
            self.leave_nothing();
        } else if !is_gathered {
            let folder = self.folder.path().display();
            self.console.note(&format!(
                "what the shards have left is in {folder}; covolve merge {folder}/*/state puts it together"
            ));
        }
    }

    fn leave_nothing(&self) {
        // What stays is ignored by git, and by the next run.
        let _ = self.folder.remove();
    }
}
