//! Everything that can be wrong with the input is found out here, before anything is started or written.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use bytecode::name::ClassName;
use output::assertion::oracles::SuiteSize;
use output::junit::arrangement::{Arrangement, FixtureForm};
use project::build::form::BuildForm;
use project::build::plain::OWN_TESTS;
use project::build::requests::ModuleRequest;
use project::changes::Changes;
use project::environment::Environment;
use project::failure::Failure;
use project::junit::Junit;
use project::measured::Measured;
use project::project::{Note, Project};
use project::signed::RunPath;
use project::style::habits::Habits;
use project::targets::{LEAST_LEVEL, Target};
use project::test_sources::{Ownerships, TestSources};
use project::untestable::Untestable;
use testcase::cluster::build::Mockable;

use super::existing::Existing;
use super::machine::Machine;
use super::rewriting::{Kept, Rewriting};
use super::shares::Share;
use crate::options::{Form, Mocks, Options};

/// What test files are written with in the end. Who wants all tests has each as it was found.
pub fn arrangement(options: &Options, junit: &Junit) -> Arrangement {
    let fixtures = match options.suite {
        SuiteSize::Compact if junit.has_mock_fields => FixtureForm::SharedWithMocks,
        SuiteSize::Compact => FixtureForm::Shared,
        SuiteSize::Complete => FixtureForm::Apart,
    };
    let tables = options.looks.parameterized && junit.has_parameters;
    Arrangement { tables, fixtures, ..Arrangement::default() }
}

/// The classes whose tests no person has taken over, and those of them that are asked for by name.
fn not_taken_over(
    targets: Vec<Target>,
    named: &[String],
    test_sources: &TestSources<'_>,
    out: &Path,
    note: Note<'_>,
) -> Result<Vec<Target>, Failure> {
    let mut ours = Vec::with_capacity(targets.len());
    for target in targets {
        let (class, file) = (target.class.binary(), target.test_file());
        if !named.contains(&class) && test_sources.is_theirs(&file) {
            let file = out.join(&file);
            note(&format!(
                "{class} is left alone: {} has been edited, and --force would overwrite it",
                file.display()
            ));
            continue;
        }
        test_sources.check(&file)?;
        ours.push(target);
    }
    Ok(ours)
}

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
    /// How its build formats new files, if it is to.
    pub form: Option<BuildForm>,
    /// The environment.
    pub environment: Environment,
    /// The JDK and the classes.
    pub project: Project,
    /// The class path as JVMs of ours get it.
    pub run_path: RunPath,
    /// The class path with which the build runs tests, and these are verified.
    pub test_path: Vec<PathBuf>,
    /// What to test.
    pub targets: Vec<Target>,
    /// Sizes of all classes that were found, those that are left alone included, by binary name.
    pub sizes: BTreeMap<String, u64>,
    /// Number of classes that are left alone, since a person has edited their tests.
    pub left_alone: usize,
    /// Classes of packages and of the module that are not tested, with the reason.
    pub skipped: Skipped,
    /// JUnit.
    pub junit: Junit,
    /// The project's own tests, where they are asked.
    pub existing: Existing,
    /// Classes side by side.
    pub jobs: NonZeroUsize,
    /// Workers that search a class side by side.
    pub islands: NonZeroUsize,
}

/// What there is to do in a module or class path.
#[derive(Debug)]
pub enum Outlook {
    /// Work on these classes.
    Work(Box<Prepared>),
    /// Nothing: no class can be tested; those that were looked at.
    Untestable(Skipped),
    /// Nothing: what has changed concerns no class that can be tested.
    Unchanged,
}

/// Classes that are not tested, with the reasons.
pub type Skipped = Vec<(ClassName, Untestable)>;

/// Puts classes into the order in which they are worked on: with one time for all by size, and unless they are named those first that
/// are covered least.
fn put_in_order(
    targets: &mut [Target],
    options: &Options,
    (asked, project, sizes): (&ModuleRequest, &Project, &BTreeMap<String, u64>),
    note: Note<'_>,
) -> Result<(), Failure> {
    if options.total_budget.is_some() {
        // Files come early, and what small classes do not need is there for the large ones.
        targets.sort_by_cached_key(|target| sizes.get(&target.class.binary()).copied());
    }
    if asked.request.classes.is_empty() {
        // Those that are covered alike stay in their order.
        let which = &options.which.coverage;
        least_covered_first(which, asked.measured.clone(), project, targets, note)?;
    }
    Ok(())
}

impl Prepared {
    /// Looks everything up for a module or class path, of which only classes count that `changes` concern. `note` is told what
    /// takes time, `ownership` whose files are.
    ///
    /// # Errors
    /// What is wrong, in one sentence.
    pub fn look_up(
        options: &Options,
        asked: ModuleRequest,
        changes: Option<&Changes>,
        environment: &Environment,
        machine: Machine,
        ownership: Ownerships<'_>,
        note: Note<'_>,
    ) -> Result<Outlook, Failure> {
        let ModuleRequest { request, test_root, .. } = &asked;
        let out = match (&options.out, test_root.clone()) {
            (Some(out), _) => out.clone(),
            (None, Some(test_root)) => test_root?,
            (None, None) => PathBuf::from(OWN_TESTS),
        };
        let project = Project::open(request, environment, note)?;
        project.jdk.check_source_level(options.source_level)?;
        let mut found = project.targets(request)?;
        if found.targets.is_empty() {
            return Ok(Outlook::Untestable(found.skipped));
        }
        if let Some(changes) = changes {
            found.targets = changes.narrow(&project, &found.targets);
        }
        if found.targets.is_empty() {
            return Ok(Outlook::Unchanged);
        }
        let size = |target: &Target| (target.class.binary(), project.size_of(target));
        let sizes: BTreeMap<String, u64> = found.targets.iter().map(size).collect();
        put_in_order(&mut found.targets, options, (&asked, &project, &sizes), note)?;
        let test_sources = TestSources::new(&out, options.force, ownership).like(&asked.habits);
        let all = found.targets.len();
        let targets = not_taken_over(found.targets, &request.classes, &test_sources, &out, note)?;
        let left_alone = all - targets.len();
        let junit_class_path = [options.junit_class_path.as_slice(), &asked.junit_class_path].concat();
        let mut junit = project.junit(options.junit, &junit_class_path, environment, note)?;
        check_mocks(options, &junit)?;
        junit.is_parallel = asked.is_parallel();
        // Who makes no mocks waits for none; the project's own tests may make some.
        junit.mockito =
            junit.mockito.filter(|_| options.looks.mocks != Mocks::None || options.which.existing);
        let has_extension = junit.mockito.as_ref().is_some_and(|mockito| mockito.has_extension);
        junit.has_mock_fields = has_extension && asked.habits.mock_fields;
        let own_tests = (asked.test_classes.clone(), asked.folder.clone());
        let existing = Existing::find(options, own_tests, &junit_class_path, &targets);
        let run_path = project.run_path(environment, note);
        let test_path = asked.class_path_of_tests(&run_path.entries, &junit);
        let ModuleRequest { module, request, habits, form, .. } = asked;
        // Elsewhere no build looks at them.
        let form = form.filter(|_| options.form == Form::OfBuild && options.out.is_none());
        let lanes = machine.lanes(options, targets.len());
        if options.is_verbose {
            note(&machine.describe(&lanes));
        }
        Ok(Outlook::Work(Box::new(Self {
            targets,
            sizes,
            left_alone,
            skipped: found.skipped,
            options: Options { request, ..options.clone() },
            module,
            out,
            habits,
            form,
            environment: environment.clone(),
            run_path,
            test_path,
            project,
            junit,
            existing,
            jobs: lanes.jobs,
            islands: lanes.islands,
        })))
    }

    /// Source level of the tests for a class: the one asked for, 8 at least, else that of the class.
    pub fn source_level(&self, target: &Target) -> u16 {
        self.options.source_level.map_or(target.source_level(), |level| level.max(LEAST_LEVEL))
    }

    /// Whether tests that differ in literals alone become rows of one, or what several begin with is written once.
    pub fn is_arranged(&self) -> bool {
        let Arrangement { tables, fixtures, .. } = arrangement(&self.options, &self.junit);
        tables || fixtures != FixtureForm::Apart
    }

    /// Whether tests implement interfaces with Mockito.
    pub fn has_mocks(&self) -> bool {
        match self.options.looks.mocks {
            Mocks::Auto | Mocks::Mockito => self.junit.mockito.is_some(),
            Mocks::None => false,
        }
    }

    /// What tests may make mocks of.
    pub fn mockable(&self) -> Mockable {
        match self.junit.mockito.as_ref().filter(|_| self.has_mocks()) {
            Some(mockito) if mockito.mocks_final_classes() => Mockable::Final,
            Some(_) => Mockable::Open,
            None => Mockable::Nothing,
        }
    }

    /// What is kept of a share for writing the file in another form.
    pub fn rewriting(&self, share: Share) -> Rewriting {
        let Arrangement { tables, .. } = arrangement(&self.options, &self.junit);
        // Where others need what is left of it, a file with what tests share is worth less than one with more tests.
        let kept = Kept::of(share.budget, tables, self.has_mocks(), !share.is_shared);
        Rewriting::new(kept.filter(|_| self.is_arranged()))
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

    /// Classes that a verification lane serves, one after the other.
    pub fn targets_per_lane(&self) -> usize {
        self.targets.len() / self.jobs
    }
}

/// Whether Mockito is there where it was asked for.
fn check_mocks(options: &Options, junit: &Junit) -> Result<(), Failure> {
    if options.looks.mocks == Mocks::Mockito && junit.mockito.is_none() {
        return Err(Failure::input(
            "--mocks mockito asks for Mockito 2 or later, and neither the class path nor --junit-cp has it with Byte Buddy and \
             Objenesis; add it to the dependencies of the tests, or leave the option out",
        ));
    }
    Ok(())
}

/// Puts classes in the order of what JaCoCo measured in these files, or in that of the build: what is wrong with that stops nobody.
fn least_covered_first(
    given: &[PathBuf],
    of_build: Option<PathBuf>,
    project: &Project,
    targets: &mut [Target],
    note: Note<'_>,
) -> Result<(), Failure> {
    let files: Vec<PathBuf> = if given.is_empty() { of_build.into_iter().collect() } else { given.to_vec() };
    let measured = match Measured::read(&files) {
        Err(failure) if given.is_empty() => {
            note(&format!("the order is as ever: {}", failure.sentence));
            return Ok(());
        }
        measured => measured?,
    };
    if let Some(sentence) = measured.order(&*project.source, targets).sentence(&files) {
        note(&sentence);
    }
    Ok(())
}
