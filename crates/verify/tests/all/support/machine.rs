//! The machine's JDK and JUnit.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use project::environment::Environment;
use project::jdk::Jdk;
use project::junit::{self, Junit, Sources};
use project::local_repository::LocalRepository;
use project::maven::Maven;
use project::request::{Coordinates, JunitChoice};

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

/// JUnit 5 with what parameterized tests need, as a project with `junit-jupiter` has it.
pub fn junit_with_parameters() -> Junit {
    let mut junit = junit(JunitChoice::Jupiter);
    junit.class_path.push(parameters(&junit.version));
    Junit { has_parameters: true, ..junit }
}

/// The jar that parameterized tests need beside JUnit 5 of this version.
pub fn parameters(version: &str) -> PathBuf {
    let (environment, jdk) = (environment(), jdk());
    let (group, artifact) = ("org.junit.jupiter", "junit-jupiter-params");
    let repository = LocalRepository::find(&environment);
    repository.and_then(|repository| repository.jar(group, artifact, version)).unwrap_or_else(|| {
        let wanted = [Coordinates::of(group, artifact, version)];
        let jars = Maven::new(&environment, &jdk, &|_| ()).resolve(&wanted).expect("it can be had");
        let is_it = |jar: &PathBuf| jar.to_string_lossy().contains(artifact);
        jars.into_iter().find(is_it).expect("it is among what it needs")
    })
}

/// The jars of Mockito with its extension for JUnit 5, as a project that depends on it has them.
pub fn mockito() -> Vec<PathBuf> {
    const PARTS: [(&str, &str, &str); 5] = [
        ("org.mockito", "mockito-junit-jupiter", "5.24.0"),
        ("org.mockito", "mockito-core", "5.24.0"),
        ("net.bytebuddy", "byte-buddy", "1.17.7"),
        ("net.bytebuddy", "byte-buddy-agent", "1.17.7"),
        ("org.objenesis", "objenesis", "3.3"),
    ];
    let (environment, jdk) = (environment(), jdk());
    let found = LocalRepository::find(&environment).and_then(|repository| {
        PARTS.iter().map(|(group, artifact, version)| repository.jar(group, artifact, version)).collect()
    });
    found.unwrap_or_else(|| {
        let (group, artifact, version) = PARTS[0];
        let wanted = [Coordinates::of(group, artifact, version)];
        Maven::new(&environment, &jdk, &|_| ()).resolve(&wanted).expect("it can be had")
    })
}
