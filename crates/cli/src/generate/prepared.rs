//! Everything that can be wrong with the input is found out here, before anything is started or written.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use bytecode::name::ClassName;
use project::build::plain::OWN_TESTS;
use project::build::requests::ModuleRequest;
use project::environment::Environment;
use project::failure::Failure;
use project::junit::Junit;
use project::project::{Note, Project};
use project::signed::RunPath;
use project::style::habits::Habits;
use project::targets::{LEAST_LEVEL, Target};
use project::test_sources::{Ownerships, TestSources};
use project::untestable::Untestable;

use crate::options::Options;

/// What a run works with.
#[derive(Debug)]
pub struct Prepared {
    /// The options.
    pub options: Options,
    /// Name of the module; `None` for a class path.
    pub module: Option<String>,
    /// Root of the test sources.
    pub out: PathBuf,
    /// How source files of the module look.
    pub habits: Habits,
    /// The environment.
    pub environment: Environment,
    /// The JDK and the classes.
    pub project: Project,
    /// The class path as JVMs of ours get it.
    pub run_path: RunPath,
    /// What to test.
    pub targets: Vec<Target>,
    /// Sizes of all classes that were found, those that are left alone included, by binary name.
    pub sizes: BTreeMap<String, u64>,
    /// Classes of packages and of the module that are not tested, with the reason.
    pub skipped: Skipped,
    /// JUnit.
    pub junit: Junit,
    /// Classes side by side.
    pub jobs: NonZeroUsize,
    /// Workers that search a class side by side.
    pub islands: NonZeroUsize,
}

/// Classes that are not tested, with the reasons.
pub type Skipped = Vec<(ClassName, Untestable)>;

/// Most islands of `--islands auto`: what more of them bring was not measured.
const MOST_ISLANDS: NonZeroUsize = NonZeroUsize::new(8).unwrap();

/// Islands of a class, and classes side by side, on so many processors. Islands whose number was given take the place of
/// classes. With `auto` a class that is alone has an island on each processor, unless its result is to repeat or to be compared
/// with a paper's.
fn side_by_side(options: &Options, classes: usize, cores: NonZeroUsize) -> (NonZeroUsize, NonZeroUsize) {
    let is_alone =
        classes == 1 && options.budget.time().is_some() && matches!(options.set_up.profile(), Ok(None));
    let most = if is_alone { cores.min(MOST_ISLANDS) } else { NonZeroUsize::MIN };
    let islands = options.islands.unwrap_or(most);
    let jobs = NonZeroUsize::new(cores.get() / options.islands.map_or(1, NonZeroUsize::get));
    (islands, options.jobs.or(jobs).unwrap_or(NonZeroUsize::MIN))
}

impl Prepared {
    /// Looks everything up for a module or class path; if all of it is asked for and none can be tested, the classes with the
    /// reasons. `note` is told what takes time, `ownership` whose files are.
    ///
    /// # Errors
    /// What is wrong, in one sentence.
    pub fn new(
        options: &Options,
        asked: ModuleRequest,
        environment: &Environment,
        ownership: Ownerships<'_>,
        note: Note<'_>,
    ) -> Result<Result<Self, Skipped>, Failure> {
        let ModuleRequest { module, request, junit_class_path, test_root, habits } = asked;
        let out = match (&options.out, test_root) {
            (Some(out), _) => out.clone(),
            (None, Some(test_root)) => test_root?,
            (None, None) => PathBuf::from(OWN_TESTS),
        };
        let project = Project::open(&request, environment, note)?;
        project.jdk.check_source_level(options.source_level)?;
        let found = project.targets(&request)?;
        if found.targets.is_empty() {
            return Ok(Err(found.skipped));
        }
        let size = |target: &Target| (target.class.binary(), project.size_of(target));
        let sizes = found.targets.iter().map(size).collect();
        let test_sources = TestSources::new(&out, options.force, ownership).like(&habits);
        let mut targets = Vec::new();
        for target in found.targets {
            let (class, file) = (target.class.binary(), target.test_file());
            // Who asks for all classes does not ask for those whose tests a person has taken over.
            if !request.classes.contains(&class) && test_sources.is_theirs(&file) {
                note(&format!(
                    "{class} is left alone: {} has been edited, and --force would overwrite it",
                    out.join(&file).display()
                ));
                continue;
            }
            test_sources.check(&file)?;
            targets.push(target);
        }
        let junit_class_path = [options.junit_class_path.as_slice(), &junit_class_path].concat();
        let junit = project.junit(options.junit, &junit_class_path, environment, note)?;
        let cores = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let (islands, jobs) = side_by_side(options, targets.len(), cores);
        Ok(Ok(Self {
            targets,
            sizes,
            skipped: found.skipped,
            options: Options { request, ..options.clone() },
            module,
            out,
            habits,
            environment: environment.clone(),
            run_path: project.run_path(environment, note),
            project,
            junit,
            jobs,
            islands,
        }))
    }

    /// Source level of the tests for a class: the one asked for, 8 at least, else that of the class.
    pub fn source_level(&self, target: &Target) -> u16 {
        self.options.source_level.map_or(target.source_level(), |level| level.max(LEAST_LEVEL))
    }

    /// Whether a class was asked for by its name.
    pub fn names(&self, target: &Target) -> bool {
        self.options.request.classes.contains(&target.class.binary())
    }

    /// Verification lanes to start early: one per job that has something to do, up to a few, since each is two
    /// JVMs. More are started when they are needed.
    pub fn lanes(&self) -> usize {
        const EARLY: usize = 4;
        self.jobs.get().min(self.targets.len()).min(EARLY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{GenerateArgs, TargetArgs};
    use crate::options::Names;

    const NAMES: Names<'_> =
        Names { algorithms: &["dynamosa"], criteria: &["branch"], default_criteria: &["branch"] };

    /// Islands and classes side by side for options that the words say, so many classes, and so many processors.
    fn check(change: impl FnOnce(&mut GenerateArgs), classes: usize, cores: usize, expect: (usize, usize)) {
        let targets =
            TargetArgs { classes: vec!["a.B".into()], class_path: vec!["x".into()], ..TargetArgs::default() };
        let mut arguments = GenerateArgs {
            targets,
            seed: "0".into(),
            junit: "auto".into(),
            solver: "built-in".into(),
            ..GenerateArgs::default()
        };
        change(&mut arguments);
        let options = Options::new(&arguments, NAMES).unwrap();
        let (islands, jobs) = side_by_side(&options, classes, NonZeroUsize::new(cores).unwrap());
        assert_eq!((islands.get(), jobs.get()), expect);
    }

    fn islands(number: &str) -> impl FnOnce(&mut GenerateArgs) {
        move |arguments| arguments.islands = Some(number.into())
    }

    #[test]
    fn a_class_has_one_island_unless_more_are_asked_for() {
        check(|_| (), 1, 8, (1, 8));
        check(islands("1"), 1, 8, (1, 8));
        check(islands("3"), 1, 8, (3, 2));
        check(islands("12"), 9, 8, (12, 1));
    }

    #[test]
    fn auto_gives_a_class_that_is_alone_the_processors() {
        check(islands("auto"), 1, 4, (4, 4));
        check(islands("auto"), 1, 1, (1, 1));
        check(islands("auto"), 1, 96, (8, 96));
        check(islands("auto"), 2, 4, (1, 4));
    }

    #[test]
    fn auto_is_one_where_results_repeat_or_are_compared_with_a_papers() {
        let with = |change: fn(&mut GenerateArgs)| {
            move |arguments: &mut GenerateArgs| {
                islands("auto")(arguments);
                change(arguments);
            }
        };
        check(with(|arguments| arguments.budget = Some("100executions".into())), 1, 4, (1, 4));
        check(with(|arguments| arguments.profile = Some("paper-004".into())), 1, 4, (1, 4));
    }
}
