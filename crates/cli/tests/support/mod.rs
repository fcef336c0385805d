//! What the tests of this crate share: the machine's JDK and JUnit, and suites written as text.

#![allow(dead_code, reason = "each test binary uses its part")]
#![allow(unreachable_pub, reason = "a module of several test binaries")]
#![allow(missing_docs, reason = "names say it")]

use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use cli::verify::pool::{PoolSetup, VerifierPool};
use cli::verify::suite::{PrintedAssertion, PrintedSuite, PrintedTest, Selection, SuiteSource};
use project::environment::Environment;
use project::jdk::Jdk;
use project::junit::{self, Junit, Sources};
use project::local_repository::LocalRepository;
use project::maven::Maven;
use project::request::JunitChoice;

/// The command under test.
pub fn covolve() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_covolve"))
}

/// The environment of the user, with a cache folder in the build folder: tests leave no trace outside.
pub fn environment() -> Environment {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("covolve-cache");
    Environment { cache: Some(cache), ..Environment::read() }
}

pub fn jdk() -> Jdk {
    Jdk::find(None, &environment()).expect("tests need a JDK")
}

/// JUnit as a user without one on the class path gets it.
pub fn junit(choice: JunitChoice) -> Junit {
    let (environment, jdk) = (environment(), jdk());
    let maven = Maven::new(&environment, &jdk, &|_| ());
    let nothing = fixture::class_path(&[]);
    let repository = LocalRepository::find(&environment);
    let sources = Sources {
        class_path: (&nothing, &[]),
        junit_class_path: (&nothing, &[]),
        repository: repository.as_ref(),
        resolve: &|artifacts| {
            // Tests run side by side; the local repository is not made for that.
            static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
            let _lock = ONE_AT_A_TIME.lock();
            maven.resolve(artifacts)
        },
        jdk_version: jdk.version,
    };
    junit::find(choice, sources).expect("JUnit can be had")
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
    let setup = PoolSetup { covolve: covolve(), jdk: jdk(), junit, source_level: 8, test_limit };
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
    cell.get_or_init(|| pool_with(self::junit(junit), &environment()))
}

/// Tests written as lines of Java; lines that begin with `assert` are assertions.
pub struct Written {
    pub class: &'static str,
    pub junit: JunitChoice,
    pub tests: Vec<&'static str>,
}

impl SuiteSource for Written {
    fn test_count(&self) -> usize {
        self.tests.len()
    }

    fn print(&self, selection: &Selection) -> PrintedSuite {
        let (test_import, assertions) = match self.junit {
            JunitChoice::Junit4 => ("org.junit.Test", "org.junit.Assert"),
            JunitChoice::Jupiter | JunitChoice::Auto => {
                ("org.junit.jupiter.api.Test", "org.junit.jupiter.api.Assertions")
            }
        };
        let (package, name) = self.class.rsplit_once('.').expect("a package");
        let mut lines = vec![
            format!("package {package};"),
            format!("import {test_import};"),
            format!("import static {assertions}.*;"),
            format!("public class {name} {{"),
        ];
        let mut tests = Vec::new();
        for (test, body) in self.tests.iter().enumerate().filter(|(test, _)| selection.keeps_test(*test)) {
            let method = format!("test{test}");
            let first = lines.len() as u32 + 1;
            lines.push("@Test".to_owned());
            lines.push(format!("public void {method}() throws Throwable {{"));
            let (mut assertions, mut assertion) = (Vec::new(), 0);
            for line in body.lines().map(str::trim) {
                if line.starts_with("assert") {
                    if selection.keeps_assertion(test, assertion) {
                        lines.push(line.to_owned());
                        let number = lines.len() as u32;
                        assertions.push(PrintedAssertion { assertion, lines: number..=number });
                    }
                    assertion += 1;
                } else {
                    lines.push(line.to_owned());
                }
            }
            lines.push("}".to_owned());
            let lines_of_test = first..=lines.len() as u32;
            tests.push(PrintedTest { test, method, runs_as: None, lines: lines_of_test, assertions });
        }
        lines.push("}\n".to_owned());
        let path = format!("{}.java", self.class.replace('.', "/"));
        PrintedSuite { class: self.class.to_owned(), path, text: lines.join("\n"), tests }
    }
}
