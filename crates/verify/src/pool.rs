//! Lanes of a session: some are started early, so that they wait warm; classes side by side get one each.

use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use project::environment::Environment;
use project::junit::Junit;

use crate::jvm::JvmSetup;
use crate::lane::Lane;
use crate::measure::Measurer;
use crate::{archive, runner_jar};

/// Time for making a class data archive; where that is too short, it is tried again the next time.
const ARCHIVE_LIMIT: Duration = Duration::from_secs(20);

/// The lanes that are not in use, and how to start more.
#[derive(Debug)]
pub struct VerifierPool {
    setup: JvmSetup,
    /// The class data archive.
    archive: Option<PathBuf>,
    idle: Mutex<Vec<Lane>>,
    /// Holds the runner's jar where there is no cache folder.
    _folder: Option<tempfile::TempDir>,
}

/// What a pool is made from besides the environment.
#[derive(Debug, Clone)]
pub struct PoolSetup {
    /// The program that starts another one inside of the sandbox: [`processes::sandboxed`].
    pub launcher: PathBuf,
    /// The user's JDK.
    pub jdk: project::jdk::Jdk,
    /// The user's JUnit.
    pub junit: Junit,
    /// Source level that most tests of the session have.
    pub source_level: u16,
    /// Time for one test; [`crate::jvm::test_limit`] says how much.
    pub test_limit: Duration,
}

impl VerifierPool {
    /// Installs the runner and, where there is none yet, makes the class data archive. That takes seconds, once for each JDK
    /// and JUnit of a machine, and `note` is told: it is to be done before anyone's time runs.
    ///
    /// # Errors
    /// No folder can be written.
    pub fn new(setup: PoolSetup, environment: &Environment, note: &dyn Fn(&str)) -> io::Result<Self> {
        let cache = environment.cache_folder("verifier");
        let cached = cache.as_deref().and_then(|folder| runner_jar::install(folder).ok());
        let (runner, folder) = if let Some(runner) = cached {
            (runner, None)
        } else {
            let folder = tempfile::tempdir()?;
            (runner_jar::install(folder.path())?, Some(folder))
        };
        let PoolSetup { launcher, jdk, junit, source_level, test_limit } = setup;
        let setup = JvmSetup {
            launcher,
            jdk,
            runner,
            junit,
            source_level,
            test_limit,
            working_folder: None,
            variables: environment.for_jvms(),
        };
        let archive = cache
            .filter(|_| folder.is_none())
            .and_then(|cache| archive::path(&cache, &setup.jdk, &setup.class_path()));
        if let Some(place) = archive.as_ref().filter(|place| !place.is_file()) {
            note(
                "preparing the JVMs that verify tests: once for this JDK and JUnit, before the budget begins",
            );
            // Without the archive a session is slower, nothing else.
            let _ = Lane::make_archive(setup.clone(), place, ARCHIVE_LIMIT);
        }
        let archive = archive.filter(|place| place.is_file());
        Ok(Self { setup, archive, idle: Mutex::default(), _folder: folder })
    }

    /// Starts so many lanes without waiting for them.
    ///
    /// # Errors
    /// A JVM cannot be started.
    pub fn start(&self, lanes: usize) -> io::Result<()> {
        for _ in 0..lanes {
            self.put_back(self.new_lane()?);
        }
        Ok(())
    }

    /// A lane for a class: one that waits, else a new one.
    ///
    /// # Errors
    /// A JVM cannot be started.
    pub fn take(&self) -> io::Result<Lane> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let Some(mut lane) = idle else { return self.new_lane() };
        lane.renew();
        Ok(lane)
    }

    /// Gives a lane back for the next class. Its JVMs stay up: every run has a class loader of its own.
    pub fn put_back(&self, lane: Lane) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(lane);
    }

    /// A JVM that runs tests of the project, with this JUnit and in this folder.
    ///
    /// # Errors
    /// There is no folder that it may write.
    pub fn measurer(&self, junit: Junit, working_folder: Option<PathBuf>) -> io::Result<Measurer> {
        Measurer::new(JvmSetup { junit, working_folder, ..self.setup.clone() })
    }

    fn new_lane(&self) -> io::Result<Lane> {
        Lane::start(self.setup.clone(), self.archive.as_deref())
    }
}
