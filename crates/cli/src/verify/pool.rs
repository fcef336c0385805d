//! Lanes of a session: some are started early, so that they wait warm; classes side by side get one each.

use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::environment::Environment;
use crate::verify::jvm::JvmSetup;
use crate::verify::lane::Lane;
use crate::verify::{archive, runner_jar};

/// Time for making a class data archive when a session ends; it is tried again the next time.
const ARCHIVE_LIMIT: Duration = Duration::from_secs(20);

/// The lanes that are not in use, and how to start more.
#[derive(Debug)]
pub struct VerifierPool {
    setup: JvmSetup,
    /// Place of the class data archive, and whether it was there when the session began.
    archive: Option<(PathBuf, bool)>,
    idle: Mutex<Vec<Lane>>,
    /// Holds the runner's jar where there is no cache folder.
    _folder: Option<tempfile::TempDir>,
}

/// What a pool is made from besides the environment.
#[derive(Debug, Clone)]
pub struct PoolSetup {
    /// This program.
    pub covolve: PathBuf,
    /// The user's JDK.
    pub jdk: crate::project::jdk::Jdk,
    /// The user's JUnit.
    pub junit: crate::project::junit::Junit,
    /// Source level that most tests of the session have.
    pub source_level: u16,
    /// Time for one test; [`crate::verify::jvm::TEST_LIMIT`] as a rule.
    pub test_limit: Duration,
}

impl VerifierPool {
    /// Installs the runner and starts `lanes` lanes without waiting for them.
    ///
    /// # Errors
    /// No folder can be written, or a JVM cannot be started.
    pub fn start(setup: PoolSetup, environment: &Environment, lanes: usize) -> io::Result<Self> {
        let cache = environment.cache_folder("verifier");
        let cached = cache.as_deref().and_then(|folder| runner_jar::install(folder).ok());
        let (runner, folder) = if let Some(runner) = cached {
            (runner, None)
        } else {
            let folder = tempfile::tempdir()?;
            (runner_jar::install(folder.path())?, Some(folder))
        };
        let PoolSetup { covolve, jdk, junit, source_level, test_limit } = setup;
        let setup = JvmSetup {
            covolve,
            jdk,
            runner,
            junit,
            source_level,
            test_limit,
            variables: environment.for_jvms(),
        };
        let archive = cache
            .filter(|_| folder.is_none())
            .and_then(|cache| archive::path(&cache, &setup.jdk, &setup.class_path()))
            .map(|place| (place.clone(), place.is_file()));
        let pool = Self { setup, archive, idle: Mutex::default(), _folder: folder };
        for _ in 0..lanes {
            let lane = pool.new_lane()?;
            pool.put_back(lane);
        }
        Ok(pool)
    }

    /// A lane for a class: one that waits, else a new one.
    ///
    /// # Errors
    /// A JVM cannot be started.
    pub fn take(&self) -> io::Result<Lane> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.map_or_else(|| self.new_lane(), Ok)
    }

    /// Gives a lane back for the next class. Its JVMs stay up: every run has a class loader of its own.
    pub fn put_back(&self, lane: Lane) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(lane);
    }

    /// Ends all lanes; where there is no class data archive yet, one is made for the next session.
    pub fn finish(self) {
        let mut idle = self.idle.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let (Some((place, false)), Some(lane)) = (&self.archive, idle.first_mut()) {
            // Without the archive the next session is slower, nothing else.
            let _ = lane.make_archive(place, ARCHIVE_LIMIT);
        }
    }

    fn new_lane(&self) -> io::Result<Lane> {
        let archive =
            self.archive.as_ref().filter(|(_, is_there)| *is_there).map(|(place, _)| place.as_path());
        Lane::start(self.setup.clone(), archive)
    }
}
