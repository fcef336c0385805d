//! What a build tool says of its modules, as JSON: the extension of Maven (`java/covolve/maven`) and the init script of Gradle
//! (`gradle/modules.gradle`) both write it.

use std::path::PathBuf;

use serde::Deserialize;

/// Packaging of what nothing builds.
pub const UNBUILT: &str = "classes";

/// All modules of a build.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// In the order of the build tool.
    pub modules: Vec<Described>,
}

/// A module as the build tool knows it: paths are absolute and need not exist.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Described {
    /// Its name in the build.
    pub name: String,
    /// Its folder.
    pub folder: PathBuf,
    /// What it makes: `jar`, `war` …; `pom` where it only holds other modules together, [`UNBUILT`]
    /// where nothing builds it.
    pub packaging: String,
    /// Roots of the sources of its main code.
    pub sources: Vec<PathBuf>,
    /// Folders below which sources are generated.
    pub generated: Vec<PathBuf>,
    /// Where the main code is compiled to.
    pub classes: Vec<PathBuf>,
    /// Roots of the sources of its tests.
    pub test_sources: Vec<PathBuf>,
    /// Where the tests are compiled to, and where their resources lie.
    #[serde(default)]
    pub test_classes: Vec<PathBuf>,
    /// What tests are run with besides the module's own classes: dependencies of every scope, in the order of the build tool.
    pub class_path: Vec<PathBuf>,
    /// Those of them that main code has not.
    pub test_only: Vec<PathBuf>,
    /// Java release as the build says it: `11`, `1.8`.
    pub release: Option<String>,
    /// Encoding of the sources.
    pub encoding: Option<String>,
    /// The property by which the build leaves its tests out, where Maven tells of it.
    #[serde(default)]
    pub skips_tests: Option<String>,
    /// Home of the JDK that the build takes from toolchains.
    pub jdk: Option<PathBuf>,
    /// Profiles that are active.
    pub profiles: Vec<String>,
    /// What the build tool could not resolve, in its own words.
    pub problem: Option<String>,
    /// Plugins of its build, where Maven tells of it.
    #[serde(default)]
    pub plugins: Vec<Plugin>,
    /// Tasks of its project, where Gradle tells of it.
    #[serde(default)]
    pub tasks: Vec<String>,
}

/// A plugin of a module's build with Maven.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plugin {
    /// Its group and name: `com.example:example-maven-plugin`.
    pub name: String,
    /// When it runs, in the order of the build.
    pub executions: Vec<Execution>,
}

/// One way in which a build runs a plugin.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Execution {
    /// Its name.
    pub id: String,
    /// What is run.
    pub goals: Vec<String>,
}

impl Answer {
    /// Reads what the extension of Maven writes.
    pub fn parse(json: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(json)
    }
}

impl Described {
    /// Reads what the task of a Gradle project writes.
    pub fn parse(json: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(json)
    }
}
