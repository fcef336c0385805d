//! What is asked for.

use std::path::PathBuf;

use crate::build::module::GeneratedSources;
use crate::class_pattern::ClassPattern;
use crate::failure::Failure;

/// Which classes are meant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Request {
    /// Binary names of the classes asked for, in order, without repetition.
    pub classes: Vec<String>,
    /// Packages whose classes are asked for.
    pub prefixes: Vec<String>,
    /// Entries of the class path as given, wildcards included.
    pub class_path: Vec<PathBuf>,
    /// Artifacts that extend it.
    pub maven: Vec<Coordinates>,
    /// JDK, `None` to look for one.
    pub java_home: Option<PathBuf>,
    /// Classes that are not asked for after all, unless they are named.
    pub exclude: Vec<ClassPattern>,
    /// Where to look for classes.
    pub place: Place,
    /// Which classes of the class path are those of a module; `None` where the class path is none of a module.
    pub module: Option<ModuleClasses>,
}

/// Where to look for classes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Place {
    /// On the class path that is given.
    #[default]
    ClassPath,
    /// In what a folder builds.
    Project {
        /// The folder.
        folder: PathBuf,
        /// Whether to compile it first.
        build: bool,
        /// What its build tool is told besides, such as `-Pfast`.
        words: Vec<String>,
    },
}

/// The classes on a class path that are looked at where nothing is named: those of a module, or of what the user says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleClasses {
    /// So many entries in front hold them.
    pub entries: usize,
    /// Their source files that were generated.
    pub generated: GeneratedSources,
    /// What says so, for people: the build, or an option.
    pub told_by: &'static str,
}

/// Which JUnit the tests are written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JunitChoice {
    /// What the class path holds, Jupiter where it holds none.
    Auto,
    /// Jupiter (JUnit 5 and newer).
    Jupiter,
    /// JUnit 4.
    Junit4,
}

impl JunitChoice {
    /// Reads `auto`, `5` or `4`.
    ///
    /// # Errors
    /// It is another text.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        match text {
            "auto" => Ok(Self::Auto),
            "5" => Ok(Self::Jupiter),
            "4" => Ok(Self::Junit4),
            _ => Err(Failure::usage(format!("--junit {text} is not known; give auto, 5 or 4"))),
        }
    }
}

/// Coordinates of a Maven artifact, `group:artifact:version`, optionally with `:type` and `:classifier`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Coordinates {
    /// Group.
    pub group: String,
    /// Artifact.
    pub artifact: String,
    /// Version.
    pub version: String,
    /// Classifier, such as `tests`.
    pub classifier: Option<String>,
}

impl Coordinates {
    /// Reads `group:artifact:version` or `group:artifact:version:classifier`.
    ///
    /// # Errors
    /// It is another text.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let wrong = || {
            Failure::usage(format!(
                "--maven {text} names no artifact; give group:artifact:version, as commons-cli:commons-cli:1.2"
            ))
        };
        let legal = |part: &str| {
            !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || "._-+[](),".contains(c))
        };
        let parts: Vec<&str> = text.split(':').collect();
        if !parts.iter().all(|part| legal(part)) {
            return Err(wrong());
        }
        let (group, artifact, version, classifier) = match parts[..] {
            [group, artifact, version] => (group, artifact, version, None),
            [group, artifact, version, classifier] => (group, artifact, version, Some(classifier)),
            _ => return Err(wrong()),
        };
        Ok(Self {
            group: group.to_owned(),
            artifact: artifact.to_owned(),
            version: version.to_owned(),
            classifier: classifier.map(str::to_owned),
        })
    }

    /// Coordinates that are known to be right.
    pub fn of(group: &str, artifact: &str, version: &str) -> Self {
        Self { group: group.into(), artifact: artifact.into(), version: version.into(), classifier: None }
    }
}

impl std::fmt::Display for Coordinates {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}:{}:{}", self.group, self.artifact, self.version)?;
        self.classifier.iter().try_for_each(|classifier| write!(formatter, ":{classifier}"))
    }
}
