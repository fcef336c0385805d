//! Everything that can be wrong with the input is found out here, before anything is started or written.

use std::num::NonZeroUsize;

use bytecode::name::ClassName;
use project::environment::Environment;
use project::failure::Failure;
use project::junit::Junit;
use project::project::{Note, Project};
use project::signed::RunPath;
use project::targets::{LEAST_LEVEL, Target};
use project::test_sources::TestSources;
use project::untestable::Untestable;

use crate::options::Options;

/// What a run works with.
#[derive(Debug)]
pub struct Prepared {
    /// The options.
    pub options: Options,
    /// The environment.
    pub environment: Environment,
    /// The JDK and the classes.
    pub project: Project,
    /// The class path as JVMs of ours get it.
    pub run_path: RunPath,
    /// What to test.
    pub targets: Vec<Target>,
    /// Classes of `--prefix` that are not tested, with the reason.
    pub skipped: Vec<(ClassName, Untestable)>,
    /// JUnit.
    pub junit: Junit,
    /// Classes side by side.
    pub jobs: NonZeroUsize,
    /// Workers that search a class side by side.
    pub islands: NonZeroUsize,
}

/// Most islands of a class whose number nobody gave: what more of them bring was not measured.
const MOST_ISLANDS: NonZeroUsize = NonZeroUsize::new(8).unwrap();

/// Islands of a class, and classes side by side, on so many processors: a class that is alone has an island on each, unless
/// its result is to repeat or to be compared with a paper's. Islands that were asked for take the place of classes.
fn side_by_side(options: &Options, classes: usize, cores: NonZeroUsize) -> (NonZeroUsize, NonZeroUsize) {
    let is_alone =
        classes == 1 && options.budget.time().is_some() && matches!(options.set_up.profile(), Ok(None));
    let most = if is_alone { cores.min(MOST_ISLANDS) } else { NonZeroUsize::MIN };
    let islands = options.islands.unwrap_or(most);
    let jobs = NonZeroUsize::new(cores.get() / options.islands.map_or(1, NonZeroUsize::get));
    (islands, options.jobs.or(jobs).unwrap_or(NonZeroUsize::MIN))
}

impl Prepared {
    /// Looks everything up. `note` is told what takes time.
    ///
    /// # Errors
    /// What is wrong, in one sentence.
    pub fn new(
        options: Options,
        environment: &Environment,
        test_sources: TestSources<'_>,
        note: Note<'_>,
    ) -> Result<Self, Failure> {
        let project = Project::open(&options.request, environment, note)?;
        project.jdk.check_source_level(options.source_level)?;
        let found = project.targets(&options.request)?;
        for target in &found.targets {
            test_sources.check(&target.test_file())?;
        }
        let junit = project.junit(options.junit, &options.junit_class_path, environment, note)?;
        let cores = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let (islands, jobs) = side_by_side(&options, found.targets.len(), cores);
        Ok(Self {
            targets: found.targets,
            skipped: found.skipped,
            options,
            environment: environment.clone(),
            run_path: project.run_path(environment, note),
            project,
            junit,
            jobs,
            islands,
        })
    }

    /// Source level of the tests for a class: the one asked for, 8 at least, else that of the class.
    pub fn source_level(&self, target: &Target) -> u16 {
        self.options.source_level.map_or(target.source_level(), |level| level.max(LEAST_LEVEL))
    }

    /// Verification lanes to start early: one per job that has something to do, up to a few, since each is two
    /// JVMs. More are started when they are needed.
    pub fn lanes(&self) -> usize {
        const EARLY: usize = 4;
        self.jobs.get().min(self.targets.len()).min(EARLY)
    }
}
