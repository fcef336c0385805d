//! The JUnit that the tests are written for and verified with.
//!
//! It comes from the class path, `--junit-cp`, the local Maven repository, or a pinned version resolved by Maven,
//! in this order. Parts that the first place lacks (the launcher is on no project's class path: build tools bring
//! it) are filled in with the version that fits those found.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use bytecode::class_path::ClassPath;
use bytecode::name::ClassName;

use crate::failure::Failure;
use crate::local_repository::{LocalRepository, compare_versions};
use crate::request::{Coordinates, JunitChoice};

/// The style of a test file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Framework {
    /// `org.junit.jupiter.api`: JUnit 5 and newer.
    Jupiter,
    /// `org.junit`: JUnit 4.
    Junit4,
}

/// A complete JUnit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Junit {
    /// Its style.
    pub framework: Framework,
    /// Version of `junit-jupiter-api` or of `junit`; empty if it is not known.
    pub version: String,
    /// Everything to compile and run tests with, launcher and engine included.
    pub class_path: Vec<PathBuf>,
    /// Whether the class path that JUnit was found on has what parameterized tests need; it is part of this one then.
    pub has_parameters: bool,
    /// The Mockito, 2 or later, on the class paths where JUnit was looked for; it is part of this one then.
    pub mockito: Option<Mockito>,
    /// What Spring has for tests, on the class paths where JUnit was looked for. It is no part of this one: it needs Spring itself, which comes
    /// with the project.
    pub spring_test: Option<PathBuf>,
    /// Whether the project's build runs test classes side by side.
    pub is_parallel: bool,
    /// Whether tests of the project have their mocks in fields with `@Mock`, and ours can.
    pub has_mock_fields: bool,
}

/// A Mockito with all that it needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mockito {
    /// Its version; empty if it is not known.
    pub version: String,
    /// The jar of the agent with which it changes classes. A JVM that is not started with it gets it by attaching to itself,
    /// which takes another process.
    pub agent: PathBuf,
    /// Whether its extension for Jupiter is there, which makes the mocks of fields with `@Mock`.
    pub has_extension: bool,
}

impl Mockito {
    /// Whether it makes mocks of final classes, and for final methods, without being told to: from version 5 on.
    pub fn mocks_final_classes(&self) -> bool {
        compare_versions(&self.version, "5").is_ge()
    }
}

impl Junit {
    /// Whether it has `assertThrows`: Jupiter always has, JUnit 4 from 4.13 on.
    pub fn has_assert_throws(&self) -> bool {
        match self.framework {
            Framework::Jupiter => true,
            Framework::Junit4 => compare_versions(&self.version, "4.13").is_ge(),
        }
    }

    /// Whether it has `assertDoesNotThrow`: Jupiter 5.2 or later.
    pub fn has_assert_does_not_throw(&self) -> bool {
        self.is_jupiter("5.2")
    }

    /// Whether a test class can ask to run while no other does: with Jupiter 5.7 or later.
    pub fn has_isolated(&self) -> bool {
        self.is_jupiter("5.7")
    }

    /// Whether it is Jupiter of this version or later.
    fn is_jupiter(&self, least: &str) -> bool {
        match self.framework {
            Framework::Jupiter => compare_versions(&self.version, least).is_ge(),
            Framework::Junit4 => false,
        }
    }
}

/// A JUnit with nothing beside it.
fn alone(framework: Framework, version: String, class_path: Vec<PathBuf>) -> Junit {
    Junit {
        framework,
        version,
        class_path,
        has_parameters: false,
        mockito: None,
        spring_test: None,
        is_parallel: false,
        has_mock_fields: false,
    }
}

/// A jar of JUnit.
#[derive(Debug)]
struct Part {
    group: &'static str,
    artifact: &'static str,
    /// A class that this jar and no other of JUnit has.
    marker: &'static str,
    numbering: Numbering,
}

/// How a part counts its versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Numbering {
    /// As the framework itself.
    Framework,
    /// As the JUnit platform: 1.x beside Jupiter 5.x, the same number from 6 on.
    Platform,
    /// On its own.
    Own,
    /// In one version, whatever the framework's is.
    Always(&'static str),
}

const JUPITER: [Part; 6] = [
    Part {
        group: "org.junit.jupiter",
        artifact: "junit-jupiter-api",
        marker: "org/junit/jupiter/api/Test",
        numbering: Numbering::Framework,
    },
    Part {
        group: "org.junit.jupiter",
        artifact: "junit-jupiter-engine",
        marker: "org/junit/jupiter/engine/JupiterTestEngine",
        numbering: Numbering::Framework,
    },
    Part {
        group: "org.junit.platform",
        artifact: "junit-platform-engine",
        marker: "org/junit/platform/engine/TestEngine",
        numbering: Numbering::Platform,
    },
    Part {
        group: "org.junit.platform",
        artifact: "junit-platform-commons",
        marker: "org/junit/platform/commons/JUnitException",
        numbering: Numbering::Platform,
    },
    Part {
        group: "org.junit.platform",
        artifact: "junit-platform-launcher",
        marker: "org/junit/platform/launcher/Launcher",
        numbering: Numbering::Platform,
    },
    Part {
        group: "org.opentest4j",
        artifact: "opentest4j",
        marker: "org/opentest4j/AssertionFailedError",
        numbering: Numbering::Own,
    },
];

const JUNIT4: [Part; 2] = [
    Part {
        group: "junit",
        artifact: "junit",
        marker: "org/junit/runner/JUnitCore",
        numbering: Numbering::Framework,
    },
    Part {
        group: "org.hamcrest",
        artifact: "hamcrest-core",
        marker: "org/hamcrest/SelfDescribing",
        // From 2 on it is an empty jar: its classes are in another one.
        numbering: Numbering::Always("1.3"),
    },
];

/// What parameterized tests need. Who has none gets none.
const PARAMETERS: Part = Part {
    group: "org.junit.jupiter",
    artifact: "junit-jupiter-params",
    marker: "org/junit/jupiter/params/ParameterizedTest",
    numbering: Numbering::Framework,
};

/// The first version whose `@CsvSource` has a word for `null`.
const LEAST_PARAMETERS: &str = "5.6";

/// The version resolved where the user has none: the newest that runs on Java 8.
const PINNED_JUPITER: &str = "5.13.4";
const PINNED_JUNIT4: &str = "4.13.2";

impl Framework {
    fn parts(self) -> &'static [Part] {
        match self {
            Self::Jupiter => &JUPITER,
            Self::Junit4 => &JUNIT4,
        }
    }

    /// The part whose presence decides that this is the JUnit of a class path.
    fn main_part(self) -> &'static Part {
        &self.parts()[0]
    }

    fn pinned(self) -> &'static str {
        match self {
            Self::Jupiter => PINNED_JUPITER,
            Self::Junit4 => PINNED_JUNIT4,
        }
    }

    /// What to ask Maven for: it brings the rest.
    fn artifacts(self, version: &str) -> Vec<Coordinates> {
        match self {
            Self::Jupiter => vec![
                Coordinates::of("org.junit.jupiter", "junit-jupiter-api", version),
                Coordinates::of("org.junit.jupiter", "junit-jupiter-engine", version),
                Coordinates::of("org.junit.platform", "junit-platform-launcher", &platform_version(version)),
            ],
            Self::Junit4 => vec![Coordinates::of("junit", "junit", version)],
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Jupiter => "JUnit 5",
            Self::Junit4 => "JUnit 4",
        }
    }
}

/// The jars of artifacts and of what they need.
pub type Resolve<'a> = &'a dyn Fn(&[Coordinates]) -> Result<Vec<PathBuf>, Failure>;

/// Where JUnit may come from.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    /// The project's class path: what it holds decides for `auto`.
    pub class_path: (&'a ClassPath, &'a [PathBuf]),
    /// `--junit-cp`.
    pub junit_class_path: (&'a ClassPath, &'a [PathBuf]),
    /// The local Maven repository.
    pub repository: Option<&'a LocalRepository>,
    /// Resolves artifacts with the user's Maven.
    pub resolve: Resolve<'a>,
    /// Version of the JDK: JUnit 6 needs 17.
    pub jdk_version: u16,
}

impl std::fmt::Debug for Sources<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Sources").finish_non_exhaustive()
    }
}

/// Finds a complete JUnit of the style asked for.
///
/// # Errors
/// None is anywhere, or what is there cannot be completed.
pub fn find(choice: JunitChoice, sources: Sources<'_>) -> Result<Junit, Failure> {
    let places = [sources.class_path, sources.junit_class_path];
    let holds = |framework: Framework| {
        move |place: &&(&ClassPath, &[PathBuf])| entry_with(place, framework.main_part()).is_some()
    };
    let framework = match choice {
        JunitChoice::Jupiter => Framework::Jupiter,
        JunitChoice::Junit4 => Framework::Junit4,
        JunitChoice::Auto => {
            let held = |place| {
                let both = [Framework::Jupiter, Framework::Junit4];
                both.into_iter().find(|framework| holds(*framework)(&place))
            };
            places.iter().find_map(held).unwrap_or(Framework::Jupiter)
        }
    };
    let junit = match places.iter().find(holds(framework)) {
        Some(place) => complete(framework, place, &places, sources),
        None => from_outside(framework, sources),
    };
    junit.map(|junit| {
        let spring_test = places.iter().find_map(|place| entry_of_class(place, SPRING_TEST));
        Junit { spring_test, ..with_mockito(junit, &places) }
    })
}

/// The class by which Spring's tests write private fields.
const SPRING_TEST: &str = "org/springframework/test/util/ReflectionTestUtils";

/// The classes of Mockito and of what it makes mocks with; the first came with its version 2.
const MOCKITO: [&str; 4] = [
    "org/mockito/ArgumentMatchers",
    "net/bytebuddy/ByteBuddy",
    "net/bytebuddy/agent/ByteBuddyAgent",
    "org/objenesis/Objenesis",
];

/// What makes the mocks of fields with `@Mock`.
const EXTENSION: &str = "org/mockito/junit/jupiter/MockitoExtension";

/// JUnit with Mockito, where the class paths have all of it.
fn with_mockito(mut junit: Junit, places: &[(&ClassPath, &[PathBuf])]) -> Junit {
    let entry_of = |marker: &&str| places.iter().find_map(|place| entry_of_class(place, marker));
    let entries: Option<Vec<PathBuf>> = MOCKITO.iter().map(entry_of).collect();
    let Some(mut entries) = entries else { return junit };
    if let [mockito, _, agent, _] = entries.as_slice() {
        let version = version_of_entry(mockito).unwrap_or_default();
        let extension = places.iter().find_map(|place| entry_of_class(place, EXTENSION));
        let extension = extension.filter(|_| junit.framework == Framework::Jupiter);
        junit.mockito = Some(Mockito { version, agent: agent.clone(), has_extension: extension.is_some() });
        entries.extend(extension);
    }
    for entry in entries {
        if !junit.class_path.contains(&entry) {
            junit.class_path.push(entry);
        }
    }
    junit
}

/// The entry that holds a part.
fn entry_with(place: &(&ClassPath, &[PathBuf]), part: &Part) -> Option<PathBuf> {
    entry_of_class(place, part.marker)
}

/// The entry that holds a class.
fn entry_of_class((class_path, entries): &(&ClassPath, &[PathBuf]), class: &str) -> Option<PathBuf> {
    entries.get(class_path.entry_of(&ClassName::new(class))?).cloned()
}

/// JUnit whose main part was found at `main`: other parts from the class paths where they have the right version,
/// the rest from outside.
fn complete(
    framework: Framework,
    main: &(&ClassPath, &[PathBuf]),
    places: &[(&ClassPath, &[PathBuf])],
    sources: Sources<'_>,
) -> Result<Junit, Failure> {
    let main_entry = entry_with(main, framework.main_part());
    let version = main_entry.as_deref().and_then(version_of_entry).unwrap_or_default();
    let mut class_path: Vec<PathBuf> = Vec::new();
    let mut missing = Vec::new();
    for part in framework.parts() {
        let entry = places.iter().filter_map(|place| entry_with(place, part)).find(|entry| {
            let found = version_of_entry(entry).unwrap_or_default();
            found.is_empty() || version.is_empty() || fits(part, &found, &version)
        });
        match entry {
            Some(entry) if class_path.contains(&entry) => {}
            Some(entry) => class_path.push(entry),
            None => missing.push(part),
        }
    }
    if !missing.is_empty() {
        let wanted = if version.is_empty() { framework.pinned() } else { &version };
        class_path.extend(fill(framework, wanted, &missing, sources)?);
    }
    let parameters = parameters(framework, &version, places);
    let has_parameters = parameters.is_some();
    class_path.extend(parameters.filter(|entry| !class_path.contains(entry)));
    Ok(Junit { has_parameters, ..alone(framework, version, class_path) })
}

/// What has the parameterized tests of this JUnit.
fn parameters(framework: Framework, version: &str, places: &[(&ClassPath, &[PathBuf])]) -> Option<PathBuf> {
    let is_usable = framework == Framework::Jupiter
        && (version.is_empty() || compare_versions(version, LEAST_PARAMETERS).is_ge());
    let mut entries = places.iter().filter_map(|place| entry_with(place, &PARAMETERS));
    entries.find(|entry| {
        let found = version_of_entry(entry).unwrap_or_default();
        is_usable && (found.is_empty() || version.is_empty() || fits(&PARAMETERS, &found, version))
    })
}

fn fits(part: &Part, found: &str, version: &str) -> bool {
    match part.numbering {
        Numbering::Framework => found == version,
        Numbering::Platform => found == platform_version(version),
        Numbering::Own | Numbering::Always(_) => true,
    }
}

/// JUnit from the local repository, else by Maven.
fn from_outside(framework: Framework, sources: Sources<'_>) -> Result<Junit, Failure> {
    let all: Vec<&Part> = framework.parts().iter().collect();
    let main = framework.main_part();
    if let Some(repository) = sources.repository {
        let mut versions = repository.versions(main.group, main.artifact);
        versions.retain(|version| is_usable(framework, version, sources.jdk_version));
        // The pinned version where it is there, so that machines agree; else the newest.
        versions.sort_by_key(|version| version != framework.pinned());
        for version in versions {
            if let Some(class_path) = parts_in(repository, &version, &all) {
                return Ok(alone(framework, version, class_path));
            }
        }
    }
    let version = framework.pinned();
    match (sources.resolve)(&framework.artifacts(version)) {
        Ok(class_path) => {
            let version = version.to_owned();
            Ok(alone(framework, version, class_path))
        }
        Err(failure) => Err(Failure::input(format!(
            "there is no {}: neither the class path, --junit-cp nor the local Maven repository has it, and {}; give \
             it with --junit-cp",
            framework.name(),
            failure.sentence
        ))),
    }
}

/// A version that has what our tests use and runs on this JDK.
fn is_usable(framework: Framework, version: &str, jdk_version: u16) -> bool {
    let is_release = !version.contains('-');
    let (least, next) = match framework {
        Framework::Jupiter if jdk_version >= 17 => ("5.4", "7"),
        Framework::Jupiter => ("5.4", "6"),
        Framework::Junit4 => ("4.13", "5"),
    };
    is_release && compare_versions(version, least).is_ge() && compare_versions(version, next).is_lt()
}

/// The missing parts in the version that fits, from the local repository, else by Maven.
fn fill(
    framework: Framework,
    version: &str,
    missing: &[&Part],
    sources: Sources<'_>,
) -> Result<Vec<PathBuf>, Failure> {
    if let Some(jars) = sources.repository.and_then(|repository| parts_in(repository, version, missing)) {
        return Ok(jars);
    }
    let names = missing.iter().map(|part| part.artifact).collect::<Vec<_>>().join(", ");
    let jars = (sources.resolve)(&framework.artifacts(version)).map_err(|failure| {
        Failure::input(format!(
            "{} {version} is there without {names}, and {}; give the rest with --junit-cp",
            framework.name(),
            failure.sentence
        ))
    })?;
    let is_missing = |jar: &PathBuf| {
        let name = jar.file_name().unwrap_or_default().to_string_lossy();
        missing.iter().any(|part| {
            name.strip_prefix(part.artifact)
                .and_then(|rest| rest.strip_prefix('-'))
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        })
    };
    Ok(jars.into_iter().filter(is_missing).collect())
}

/// The jars of parts in a repository, if all are there.
fn parts_in(repository: &LocalRepository, version: &str, parts: &[&Part]) -> Option<Vec<PathBuf>> {
    let jar = |part: &&Part| match part.numbering {
        Numbering::Framework => repository.jar(part.group, part.artifact, version),
        Numbering::Platform => repository.jar(part.group, part.artifact, &platform_version(version)),
        Numbering::Always(version) => repository.jar(part.group, part.artifact, version),
        Numbering::Own => {
            let newest = repository.versions(part.group, part.artifact).into_iter().next()?;
            repository.jar(part.group, part.artifact, &newest)
        }
    };
    parts.iter().map(jar).collect()
}

/// The version of the JUnit platform that belongs to one of Jupiter.
fn platform_version(jupiter: &str) -> String {
    jupiter.strip_prefix("5.").map_or_else(|| jupiter.to_owned(), |rest| format!("1.{rest}"))
}

/// The version of a jar: from its name, else from its manifest.
fn version_of_entry(entry: &Path) -> Option<String> {
    let name = entry.file_name()?.to_str()?;
    version_in_name(name.strip_suffix(".jar").unwrap_or(name)).or_else(|| version_in_manifest(entry))
}

/// `junit-jupiter-api-5.10.0-M1` → `5.10.0-M1`.
fn version_in_name(stem: &str) -> Option<String> {
    let starts = stem.match_indices('-').map(|(index, _)| index + 1);
    let version =
        starts.map(|start| &stem[start..]).find(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))?;
    version.contains('.').then(|| version.to_owned())
}

#[expect(clippy::disallowed_methods, reason = "reads the manifest of a jar")]
fn version_in_manifest(jar: &Path) -> Option<String> {
    let mut archive = zip::ZipArchive::new(File::open(jar).ok()?).ok()?;
    let mut text = String::new();
    archive.by_name("META-INF/MANIFEST.MF").ok()?.read_to_string(&mut text).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Implementation-Version:"))?;
    Some(line.trim().to_owned())
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "test set-up")]
mod tests {
    use super::*;

    /// A folder with an entry per name: folders that hold the marker classes given.
    struct Place {
        folder: tempfile::TempDir,
        entries: Vec<PathBuf>,
    }

    fn place(entries: &[(&str, &[&str])]) -> Place {
        let folder = tempfile::tempdir().unwrap();
        let entries = entries.iter().map(|(name, classes)| {
            let entry = folder.path().join(name);
            for class in *classes {
                let file = entry.join(format!("{class}.class"));
                std::fs::create_dir_all(file.parent().unwrap()).unwrap();
                std::fs::write(file, "").unwrap();
            }
            entry
        });
        let entries = entries.collect();
        Place { folder, entries }
    }

    fn class_path(place: &Place) -> ClassPath {
        let home = fixture::java_home();
        ClassPath::open(&home, fixture::java_version(&home), &place.entries).unwrap()
    }

    fn names(junit: &Junit) -> Vec<String> {
        junit.class_path.iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect()
    }

    fn search(
        choice: JunitChoice,
        project: &Place,
        junit: &Place,
        repository: Option<&LocalRepository>,
        resolved: &[&str],
    ) -> Result<Junit, Failure> {
        let (project_path, junit_path) = (class_path(project), class_path(junit));
        let resolve = |artifacts: &[Coordinates]| {
            if resolved.is_empty() {
                return Err(Failure::input("Maven is away"));
            }
            assert!(artifacts.iter().all(|artifact| !artifact.version.is_empty()));
            Ok(resolved.iter().map(PathBuf::from).collect())
        };
        find(
            choice,
            Sources {
                class_path: (&project_path, &project.entries),
                junit_class_path: (&junit_path, &junit.entries),
                repository,
                resolve: &resolve,
                jdk_version: 17,
            },
        )
    }

    const API: (&str, &[&str]) = ("junit-jupiter-api-5.10.1", &["org/junit/jupiter/api/Test"]);
    const ENGINE: (&str, &[&str]) =
        ("junit-jupiter-engine-5.10.1", &["org/junit/jupiter/engine/JupiterTestEngine"]);
    const PLATFORM: (&str, &[&str]) = (
        "junit-platform-1.10.1",
        &["org/junit/platform/engine/TestEngine", "org/junit/platform/commons/JUnitException"],
    );
    const OPENTEST: (&str, &[&str]) = ("opentest4j-1.3.0", &["org/opentest4j/AssertionFailedError"]);
    const LAUNCHER: (&str, &[&str]) =
        ("junit-platform-launcher-1.9.0", &["org/junit/platform/launcher/Launcher"]);
    const JUNIT: (&str, &[&str]) =
        ("junit-4.12", &["org/junit/runner/JUnitCore", "org/hamcrest/SelfDescribing"]);

    #[test]
    fn the_class_path_decides_and_the_fitting_launcher_is_added() {
        let project = place(&[JUNIT, API, ENGINE, PLATFORM, OPENTEST, LAUNCHER]);
        let resolved = ["/m/junit-jupiter-api-5.10.1.jar", "/m/junit-platform-launcher-1.10.1.jar"];
        let junit = search(JunitChoice::Auto, &project, &place(&[]), None, &resolved).unwrap();
        assert_eq!((junit.framework, &*junit.version), (Framework::Jupiter, "5.10.1"));
        assert_eq!(
            names(&junit),
            [
                "junit-jupiter-api-5.10.1",
                "junit-jupiter-engine-5.10.1",
                "junit-platform-1.10.1",
                "opentest4j-1.3.0",
                "junit-platform-launcher-1.10.1.jar"
            ]
        );
    }

    #[test]
    fn parameterized_tests_take_what_the_class_path_has() {
        const PARAMETERS: &[&str] = &["org/junit/jupiter/params/ParameterizedTest"];
        let check = |api: &str, parameters: Option<&str>, expect: bool| {
            let api = format!("junit-jupiter-api-{api}");
            let parameters = parameters.map(|version| format!("junit-jupiter-params-{version}"));
            let mut entries = vec![(&*api, API.1), JUNIT];
            entries.extend(parameters.as_deref().map(|name| (name, PARAMETERS)));
            let resolved = ["/m/junit-platform-launcher-1.10.1.jar"];
            let junit = search(JunitChoice::Jupiter, &place(&entries), &place(&[]), None, &resolved).unwrap();
            assert_eq!(junit.has_parameters, expect, "{entries:?}");
            assert_eq!(parameters.iter().any(|name| names(&junit).contains(name)), expect, "{entries:?}");
            let junit = search(JunitChoice::Junit4, &place(&entries), &place(&[]), None, &[]).unwrap();
            assert!(!junit.has_parameters);
        };
        check("5.10.1", Some("5.10.1"), true);
        check("5.10.1", Some("5.9.0"), false);
        check("5.10.1", None, false);
        check("5.5.2", Some("5.5.2"), false);
        check("5.6.0", Some("5.6.0"), true);
        check("6.0.1", Some("6.0.1"), true);
    }

    #[test]
    fn mockito_2_is_taken_with_all_that_it_needs_or_not_at_all() {
        let all = [
            ("mockito-core-3.12.4", &["org/mockito/ArgumentMatchers", "org/mockito/Mockito"][..]),
            ("byte-buddy-1.11.13", &["net/bytebuddy/ByteBuddy"]),
            ("byte-buddy-agent-1.11.13", &["net/bytebuddy/agent/ByteBuddyAgent"]),
            ("objenesis-3.2", &["org/objenesis/Objenesis"]),
        ];
        let old = ("mockito-all-1.10.19", &["org/mockito/Mockito", "org/objenesis/Objenesis"][..]);
        let check = |extra: &[(&str, &[&str])], expect: &[&str]| {
            let junit = search(JunitChoice::Auto, &place(&[JUNIT]), &place(extra), None, &[]).unwrap();
            assert_eq!(names(&junit)[1..], *expect, "{extra:?}");
            let found = junit.mockito.map(|mockito| (mockito.version, mockito.agent.ends_with(all[2].0)));
            assert_eq!(found, (!expect.is_empty()).then(|| ("3.12.4".into(), true)), "{extra:?}");
        };
        check(&all, &all.map(|(name, _)| name));
        check(&all[..3], &[]);
        let extension = ("mockito-junit-jupiter-3.12.4", &["org/mockito/junit/jupiter/MockitoExtension"][..]);
        let with_extension = place(&[&all[..], &[extension]].concat());
        let without_extension = place(&all);
        for (place, choice, expect) in [
            (&with_extension, JunitChoice::Jupiter, true),
            (&with_extension, JunitChoice::Junit4, false),
            (&without_extension, JunitChoice::Jupiter, false),
        ] {
            let jupiter = self::place(&[JUNIT, API, ENGINE, PLATFORM, OPENTEST]);
            let launcher = ["/m/junit-platform-launcher-1.10.1.jar"];
            let junit = search(choice, &jupiter, place, None, &launcher).unwrap();
            assert_eq!(
                junit.mockito.as_ref().map(|mockito| mockito.has_extension),
                Some(expect),
                "{choice:?}"
            );
            assert_eq!(names(&junit).iter().any(|name| name == extension.0), expect, "{choice:?}");
        }
        for (version, expect) in
            [("3.12.4", false), ("4.11.0", false), ("5.0.0", true), ("5.24.0", true), ("", false)]
        {
            let mockito =
                Mockito { version: version.to_owned(), agent: PathBuf::new(), has_extension: false };
            assert_eq!(mockito.mocks_final_classes(), expect, "{version}");
        }
        check(&[old], &[]);
    }

    #[test]
    fn an_old_junit_4_is_taken_as_it_is() {
        let junit = search(JunitChoice::Auto, &place(&[JUNIT]), &place(&[]), None, &[]).unwrap();
        assert_eq!((junit.framework, &*junit.version), (Framework::Junit4, "4.12"));
        assert!(!junit.has_assert_throws());
        assert_eq!(names(&junit), ["junit-4.12"]);
    }

    #[test]
    fn what_the_class_path_lacks_comes_from_the_junit_class_path() {
        let extra = place(&[API, ENGINE, PLATFORM, OPENTEST]);
        let resolved = ["/m/junit-platform-launcher-1.10.1.jar"];
        let junit = search(JunitChoice::Jupiter, &place(&[JUNIT]), &extra, None, &resolved).unwrap();
        assert_eq!(junit.version, "5.10.1");
        let auto = search(JunitChoice::Auto, &place(&[]), &extra, None, &resolved).unwrap();
        assert_eq!(auto, junit);
    }

    #[test]
    fn the_local_repository_comes_before_maven() {
        let folder = tempfile::tempdir().unwrap();
        for (version, hamcrest) in [("4.12", "1.3"), ("4.13.1", "2.2")] {
            for (group, artifact, version) in
                [("junit", "junit", version), ("org/hamcrest", "hamcrest-core", hamcrest)]
            {
                let jar =
                    folder.path().join(format!("{group}/{artifact}/{version}/{artifact}-{version}.jar"));
                std::fs::create_dir_all(jar.parent().unwrap()).unwrap();
                std::fs::write(jar, "").unwrap();
            }
        }
        let environment = crate::environment::Environment {
            maven_opts: format!("-Dmaven.repo.local={}", folder.path().display()),
            ..Default::default()
        };
        let repository = LocalRepository::find(&environment);
        let nothing = place(&[]);
        let junit = search(JunitChoice::Junit4, &nothing, &nothing, repository.as_ref(), &[]).unwrap();
        assert_eq!(names(&junit), ["junit-4.13.1.jar", "hamcrest-core-1.3.jar"]);
        assert!(junit.has_assert_throws());
        let resolved = ["/m/x.jar"];
        let junit = search(JunitChoice::Auto, &nothing, &nothing, repository.as_ref(), &resolved).unwrap();
        assert_eq!((junit.framework, &*junit.version), (Framework::Jupiter, PINNED_JUPITER));
        assert!(folder.path().exists() && nothing.folder.path().exists());
    }

    #[test]
    fn without_any_junit_the_sentence_names_every_place() {
        let sentence = search(JunitChoice::Auto, &place(&[]), &place(&[]), None, &[]).unwrap_err().sentence;
        assert_eq!(
            sentence,
            "there is no JUnit 5: neither the class path, --junit-cp nor the local Maven repository has it, and \
             Maven is away; give it with --junit-cp"
        );
    }

    #[test]
    fn versions_are_read_from_names() {
        let check = |stem: &str, expect: Option<&str>| assert_eq!(version_in_name(stem).as_deref(), expect);
        check("junit-jupiter-api-5.10.0-M1", Some("5.10.0-M1"));
        check("junit-4.13.2", Some("4.13.2"));
        check("junit", None);
        check("junit4-all", None);
    }

    #[test]
    fn platform_and_jupiter_count_differently_until_6() {
        assert_eq!(platform_version("5.13.4"), "1.13.4");
        assert_eq!(platform_version("6.0.1"), "6.0.1");
    }

    #[test]
    fn usable_versions_depend_on_the_jdk() {
        assert!(is_usable(Framework::Jupiter, "6.0.0", 17) && !is_usable(Framework::Jupiter, "6.0.0", 11));
        assert!(!is_usable(Framework::Junit4, "4.12", 17) && !is_usable(Framework::Jupiter, "5.13.0-M1", 17));
    }

    #[test]
    fn assert_throws_came_with_4_13() {
        let check = |version: &str, expect| {
            let junit = Junit {
                framework: Framework::Junit4,
                version: version.into(),
                class_path: Vec::new(),
                has_parameters: false,
                mockito: None,
                spring_test: None,
                is_parallel: false,
                has_mock_fields: false,
            };
            assert_eq!(junit.has_assert_throws(), expect, "{version}");
        };
        check("4.12", false);
        check("4.13", true);
        check("4.13.2", true);
        check("", false);
    }
}
