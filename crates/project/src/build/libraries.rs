//! The libraries that the tests of a module may use, told by the names of jars.

use std::path::{Path, PathBuf};

/// A library on a class path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Library {
    /// Its name, for people.
    pub name: &'static str,
    /// Its version.
    pub version: String,
}

/// Name and artifact of what is told. `JUnit 4` is a `junit` of version 4.
const LIBRARIES: [(&str, &str); 6] = [
    ("JUnit 5", "junit-jupiter-api"),
    ("JUnit 4", "junit"),
    ("parameterized tests", "junit-jupiter-params"),
    ("Mockito", "mockito-core"),
    ("AssertJ", "assertj-core"),
    ("TestNG", "testng"),
];

/// The libraries among the jars, in the order of the table.
pub fn libraries(jars: &[PathBuf]) -> Vec<Library> {
    let found = LIBRARIES.iter().filter_map(|&(name, artifact)| {
        let version = jars.iter().find_map(|jar| version(jar, artifact))?;
        let first = version.split('.').next().and_then(|number| number.parse::<u16>().ok());
        let name = match (artifact, first) {
            ("junit", Some(3)) => "JUnit 3",
            ("junit-jupiter-api", Some(6..)) => "JUnit 6",
            _ => name,
        };
        Some(Library { name, version })
    });
    found.collect()
}

/// Names with which jars begin that only tests use.
const OF_TESTS: [&str; 12] = [
    "junit-",
    "hamcrest-",
    "mockito-",
    "assertj-",
    "opentest4j-",
    "apiguardian-",
    "byte-buddy-",
    "objenesis-",
    "testng-",
    "easymock-",
    "powermock-",
    "jmockit-",
];

/// The jars that only tests use, where nobody says which these are.
pub fn of_tests(jars: &[PathBuf]) -> Vec<PathBuf> {
    let is_of_tests = |jar: &&PathBuf| {
        let name = jar.file_name().unwrap_or_default().to_string_lossy();
        OF_TESTS.iter().any(|start| name.starts_with(start))
    };
    jars.iter().filter(is_of_tests).cloned().collect()
}

/// The version that the name of a jar of this artifact says.
fn version(jar: &Path, artifact: &str) -> Option<String> {
    let name = jar.file_name()?.to_str()?.strip_suffix(".jar")?;
    let version = name.strip_prefix(artifact)?.strip_prefix('-')?;
    version.starts_with(|c: char| c.is_ascii_digit()).then(|| version.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jars_of_tests_are_known_by_name() {
        let jars = ["/lib/junit-4.13.jar", "/lib/junitparser.jar", "/lib/guava-33.jar"].map(PathBuf::from);
        assert_eq!(of_tests(&jars), jars[..1]);
    }

    #[test]
    fn jars_tell_libraries_and_versions() {
        let check = |jars: &[&str], expect: &[&str]| {
            let jars: Vec<PathBuf> = jars.iter().map(|jar| PathBuf::from(format!("/repo/{jar}"))).collect();
            let found: Vec<String> = libraries(&jars)
                .iter()
                .map(|library| format!("{} {}", library.name, library.version))
                .collect();
            assert_eq!(found, expect);
        };
        check(&["junit-4.13.2.jar", "hamcrest-core-1.3.jar"], &["JUnit 4 4.13.2"]);
        check(&["junit-3.8.1.jar"], &["JUnit 3 3.8.1"]);
        check(
            &["mockito-core-5.2.0.jar", "junit-jupiter-params-5.10.0.jar", "junit-jupiter-api-5.10.0.jar"],
            &["JUnit 5 5.10.0", "parameterized tests 5.10.0", "Mockito 5.2.0"],
        );
        check(&["junit-jupiter-api-6.0.0.jar", "assertj-core-3.27.jar"], &["JUnit 6 6.0.0", "AssertJ 3.27"]);
        check(&["junit-platform-commons-1.10.0.jar", "junit-jupiter-5.10.0.jar", "classes"], &[]);
    }
}
