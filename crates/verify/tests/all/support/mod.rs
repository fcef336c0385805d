//! Lanes with the machine's JDK and JUnit, and suites written as text. The tests of the command share the latter two files.

#![allow(unreachable_pub, reason = "a module of a program")]
#![allow(missing_docs, reason = "names say it")]

pub mod machine;
pub mod written;

use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use project::environment::Environment;
use project::junit::Junit;
use project::request::JunitChoice;
use verify::pool::{PoolSetup, VerifierPool};

/// What stands for the command.
fn launcher() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_launcher"))
}

pub fn pool_with(junit: Junit, environment: &Environment) -> VerifierPool {
    // Only tests that hang on purpose ever reach it.
    pool_for(junit, environment, Duration::from_secs(3))
}

pub fn pool_for(junit: Junit, environment: &Environment, test_limit: Duration) -> VerifierPool {
    noted_pool_for(junit, environment, test_limit, &|_| ())
}

pub fn noted_pool_for(
    junit: Junit,
    environment: &Environment,
    test_limit: Duration,
    note: &dyn Fn(&str),
) -> VerifierPool {
    let setup = PoolSetup { launcher: launcher(), jdk: machine::jdk(), junit, source_level: 8, test_limit };
    let pool = VerifierPool::new(setup, environment, note).expect("the runner can be installed");
    pool.start(1).expect("JVMs can be started");
    pool
}

/// A pool for each JUnit that the tests of a binary share: JVMs are slow to start. They end with the process.
pub fn pool(junit: JunitChoice) -> &'static VerifierPool {
    static JUPITER: OnceLock<VerifierPool> = OnceLock::new();
    static JUNIT4: OnceLock<VerifierPool> = OnceLock::new();
    let cell = match junit {
        JunitChoice::Auto | JunitChoice::Jupiter => &JUPITER,
        JunitChoice::Junit4 => &JUNIT4,
    };
    cell.get_or_init(|| pool_with(machine::junit(junit), &machine::environment()))
}
