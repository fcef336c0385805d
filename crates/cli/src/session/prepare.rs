//! Everything that can be wrong with the input is found out here, before anything is started or written.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use bytecode::class_path::{ClassPath, ClassPathError};
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;

use crate::deliver::Delivery;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::{Options, TargetOptions};
use crate::project::class_path;
use crate::project::jdk::Jdk;
use crate::project::junit::{self, Junit};
use crate::project::local_repository::LocalRepository;
use crate::project::maven::Maven;
use crate::project::signed::RunPath;
use crate::project::targets::{self, Target};
use crate::project::untestable::Untestable;

/// What a run works with.
#[derive(Debug)]
pub struct Prepared {
    /// The options.
    pub options: Options,
    /// The environment.
    pub environment: Environment,
    /// The JDK.
    pub jdk: Jdk,
    /// Entries of the class path of the classes, absolute.
    pub class_path: Vec<PathBuf>,
    /// These as JVMs of ours get them.
    pub run_path: RunPath,
    /// The classes on it, and those of the JDK.
    pub hierarchy: Arc<ClassHierarchy>,
    /// What to test.
    pub targets: Vec<Target>,
    /// Classes of `--prefix` that are not tested, with the reason.
    pub skipped: Vec<(ClassName, Untestable)>,
    /// JUnit.
    pub junit: Junit,
    /// Classes side by side.
    pub jobs: NonZeroUsize,
}

impl Prepared {
    /// Looks everything up. `note` is told what takes time.
    ///
    /// # Errors
    /// What is wrong, in one sentence.
    pub fn new(
        options: Options,
        environment: &Environment,
        delivery: Delivery<'_>,
        note: &dyn Fn(&str),
    ) -> Result<Self, Failure> {
        let jdk = Jdk::find(options.targets.java_home.as_deref(), environment)?;
        check_source_level(options.source_level, &jdk)?;
        let maven = Maven::new(environment, &jdk, note);
        let Classes { entries, source, hierarchy } = Classes::open(&jdk, &maven, &options.targets)?;
        let found =
            targets::find(&hierarchy, jdk.version, &options.targets.classes, &options.targets.prefixes)
                .map_err(|failure| with_nested_jar(failure, &source, &entries))?;
        for target in &found.targets {
            delivery.check(&target.test_file())?;
        }
        let junit_entries = class_path::expand(&options.junit_class_path, "--junit-cp")?;
        let junit_source = open(&jdk, &junit_entries, "--junit-cp")?;
        let repository = LocalRepository::find(environment);
        let sources = junit::Sources {
            class_path: (&source, &entries),
            junit_class_path: (&junit_source, &junit_entries),
            repository: repository.as_ref(),
            resolve: &|artifacts| maven.resolve(artifacts),
            jdk_version: jdk.version,
        };
        let junit = junit::find(options.junit, sources)?;
        let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let jobs = options.jobs.unwrap_or_else(cores);
        Ok(Self {
            targets: found.targets,
            skipped: found.skipped,
            options,
            environment: environment.clone(),
            jdk: jdk.clone(),
            run_path: RunPath::new(&entries, &source, environment, note),
            class_path: entries,
            hierarchy,
            junit,
            jobs,
        })
    }

    /// Source level of the tests for a class: the one asked for, else that of the class file, 8 at least.
    pub fn source_level(&self, target: &Target) -> u16 {
        self.options.source_level.unwrap_or(target.java_version).max(8)
    }

    /// Verification lanes to start early: one per job that has something to do, up to a few, since each is two
    /// JVMs. More are started when they are needed.
    pub fn lanes(&self) -> usize {
        const EARLY: usize = 4;
        self.jobs.get().min(self.targets.len()).min(EARLY)
    }
}

/// The classes of a user.
#[derive(Debug)]
pub struct Classes {
    /// Entries of the class path, absolute.
    pub entries: Vec<PathBuf>,
    /// The class path.
    pub source: Arc<ClassPath>,
    /// The classes on it, and those of the JDK.
    pub hierarchy: Arc<ClassHierarchy>,
}

impl Classes {
    /// Opens the class path, extended by artifacts.
    ///
    /// # Errors
    /// An entry or artifact cannot be used.
    pub fn open(jdk: &Jdk, maven: &Maven<'_>, targets: &TargetOptions) -> Result<Self, Failure> {
        let mut entries = class_path::expand(&targets.class_path, "--cp")?;
        for jar in maven.resolve(&targets.maven)? {
            if !entries.contains(&jar) {
                entries.push(jar);
            }
        }
        let source = Arc::new(open(jdk, &entries, "--cp")?);
        let hierarchy = Arc::new(ClassHierarchy::new(source.clone()));
        Ok(Self { entries, source, hierarchy })
    }
}

/// Checks a source level asked for against the JDK.
///
/// # Errors
/// It is beyond the JDK.
pub fn check_source_level(asked: Option<u16>, jdk: &Jdk) -> Result<(), Failure> {
    match asked {
        Some(level) if level > jdk.version => Err(Failure::input(format!(
            "--source-level {level} is beyond the JDK, which is {}; give a newer one with --java-home",
            jdk.version
        ))),
        _ => Ok(()),
    }
}

/// Adds to what is missing that an entry holds jars, which nobody looks into.
fn with_nested_jar(failure: Failure, source: &ClassPath, entries: &[PathBuf]) -> Failure {
    let nested = entries.iter().enumerate().find_map(|(entry, path)| Some((path, source.nested_jar(entry)?)));
    match nested {
        Some((path, jar)) => Failure {
            sentence: format!(
                "{} ({} holds jars such as {jar}, and no JVM looks into those: unpack it)",
                failure.sentence,
                path.display()
            ),
            ..failure
        },
        None => failure,
    }
}

fn open(jdk: &Jdk, entries: &[PathBuf], option: &str) -> Result<ClassPath, Failure> {
    ClassPath::open(&jdk.home, jdk.version, entries).map_err(|error| match error {
        ClassPathError::Missing(_) | ClassPathError::Jar { .. } | ClassPathError::Io { .. } => {
            Failure::input(format!("{error}; check {option}"))
        }
        ClassPathError::Platform(_) | ClassPathError::Image { .. } => {
            Failure::input(format!("{error}; give another JDK with --java-home"))
        }
    })
}
