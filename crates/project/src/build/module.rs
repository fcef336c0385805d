//! A module of a build.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::build::answer::{Described, UNBUILT};
use crate::build::formatters::{Formatter, formatters};
use crate::build::freshness::{Freshness, files_below, freshness, modified, newest_class};
use crate::build::libraries::{Library, libraries};
use crate::measured::usual_file;
use crate::style::habits::Habits;

/// Where tests lie in a module that does not say otherwise.
const USUAL_TESTS: &str = "src/test/java";

/// A module that has code: what it tells of itself, and where that lies on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    /// Its name in the build.
    pub name: String,
    /// Its folder.
    pub folder: PathBuf,
    /// Whether a build compiles its tests.
    pub is_built: bool,
    /// Roots of the sources of its main code that exist.
    pub sources: Vec<PathBuf>,
    /// Folders below which sources are generated, and that exist.
    pub generated: Vec<PathBuf>,
    /// Folders and jars of its main code, as the build names them: they need not exist.
    pub classes: Vec<PathBuf>,
    /// Where its tests belong; it need not exist.
    pub test_root: PathBuf,
    /// Where its tests are compiled to, and where their resources lie, as far as that exists.
    pub test_classes: Vec<PathBuf>,
    /// What tests are run with besides its own classes, without what does not exist.
    pub dependencies: Vec<PathBuf>,
    /// Those of them that main code has not.
    pub test_only: Vec<PathBuf>,
    /// Folders of that class path that do not exist: other modules that are not compiled, or have no resources.
    pub absent: Vec<PathBuf>,
    /// Java release that it is compiled for, if the build says.
    pub release: Option<u16>,
    /// Encoding of its sources, if the build says.
    pub encoding: Option<String>,
    /// The property by which its build leaves tests out.
    pub skips_tests: Option<String>,
    /// Home of the JDK that the build takes from toolchains.
    pub jdk: Option<PathBuf>,
    /// Profiles of the build that are active.
    pub profiles: Vec<String>,
    /// What the build tool could not resolve.
    pub problem: Option<String>,
    /// What its build formats source files with.
    pub formatters: Vec<Formatter>,
}

impl Module {
    /// The module as described; `None` where it has neither sources nor classes.
    pub fn new(described: Described) -> Option<Self> {
        let existing = |paths: Vec<PathBuf>| paths.into_iter().filter(|path| path.exists()).collect();
        let sources: Vec<PathBuf> = existing(described.sources);
        let has_classes = described.classes.iter().any(|classes| classes.exists());
        if described.packaging == "pom" || (sources.is_empty() && !has_classes) {
            return None;
        }
        let formatters = formatters(&described.plugins, (&described.name, &described.tasks));
        let roots = &described.test_sources;
        let told = roots.iter().find(|root| root.is_dir()).or(roots.first());
        let test_root = told.cloned().unwrap_or_else(|| described.folder.join(USUAL_TESTS));
        let (dependencies, absent) = described.class_path.into_iter().partition(|path| path.exists());
        Some(Self {
            name: described.name,
            folder: described.folder,
            is_built: described.packaging != UNBUILT,
            sources,
            generated: existing(described.generated),
            classes: described.classes,
            test_root,
            test_classes: existing(described.test_classes),
            dependencies,
            test_only: described.test_only,
            absent,
            release: described.release.as_deref().and_then(release),
            encoding: described.encoding,
            skips_tests: described.skips_tests,
            jdk: described.jdk,
            profiles: described.profiles,
            problem: described.problem,
            formatters,
        })
    }

    /// Folders and jars of its main code that exist: what may be tested.
    pub fn own_classes(&self) -> Vec<PathBuf> {
        self.classes.iter().filter(|classes| classes.exists()).cloned().collect()
    }

    /// The class path of its main code, with the versions that tests are run with. The classes of its tests and what these alone need
    /// are left out: generated tests do not lean on them, and make no arguments of what lies in test libraries.
    pub fn class_path(&self) -> Vec<PathBuf> {
        let mut class_path = self.own_classes();
        let of_main = self.dependencies.iter().filter(|entry| !self.test_only.contains(entry));
        class_path.extend(of_main.cloned());
        class_path
    }

    /// What only tests need: where JUnit lies.
    pub fn test_libraries(&self) -> Vec<PathBuf> {
        self.dependencies.iter().filter(|entry| self.test_only.contains(entry)).cloned().collect()
    }

    /// Whether its classes are those of its sources.
    pub fn freshness(&self) -> Freshness {
        freshness(&self.sources, &self.classes)
    }

    /// Where its build has put what JaCoCo measured of its classes as they are.
    pub fn measured(&self) -> Option<PathBuf> {
        let newest = self.classes.iter().filter_map(|classes| newest_class(classes)).max();
        usual_file(&self.folder, newest, modified)
    }

    /// How its source files look.
    pub fn habits(&self) -> Habits {
        Habits::of(&self.test_root, &self.sources, self.encoding.as_deref())
    }

    /// The libraries that its tests may use.
    pub fn libraries(&self) -> Vec<Library> {
        libraries(&self.dependencies)
    }

    /// Whether its main code is a module of the Java platform's module system.
    pub fn is_modular(&self) -> bool {
        let has = |folders: &[PathBuf], file: &str| folders.iter().any(|folder| folder.join(file).is_file());
        has(&self.sources, "module-info.java") || has(&self.classes, "module-info.class")
    }

    /// Whether it holds a class, by binary name. Only folders are looked into.
    pub fn holds_class(&self, binary: &str) -> bool {
        let path = format!("{}.class", binary.replace('.', "/"));
        self.classes.iter().any(|classes| classes.join(&path).is_file())
    }

    /// Whether it holds a package. Only folders are looked into.
    pub fn holds_package(&self, name: &str) -> bool {
        let path = name.replace('.', "/");
        self.classes.iter().any(|classes| classes.join(&path).is_dir())
    }

    /// The source files that were generated, each as the end of its path that package and name make.
    pub fn generated_sources(&self) -> GeneratedSources {
        let files = self.generated.iter().flat_map(|folder| {
            let files = files_below(folder);
            files.into_iter().filter_map(move |file| Some(reversed(file.strip_prefix(folder).ok()?)))
        });
        GeneratedSources { reversed: files.collect() }
    }
}

/// Source files that were generated.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GeneratedSources {
    /// Their paths from the last name to the first, so that those with one end lie side by side.
    reversed: BTreeSet<String>,
}

impl GeneratedSources {
    /// Those at these paths, below whichever folder.
    #[cfg(test)]
    pub(crate) fn of(paths: &[&str]) -> Self {
        Self { reversed: paths.iter().map(|path| reversed(Path::new(path))).collect() }
    }

    /// Whether the file of this name in this package (in internal form) is one: below whichever folder.
    pub fn hold(&self, package: &str, file: &str) -> bool {
        let end = reversed(&Path::new(package).join(file));
        let mut from = self.reversed.range(end.clone()..);
        from.next().is_some_and(|found| found.starts_with(&end))
    }
}

/// The names of a path from the last to the first, each with a slash behind it.
fn reversed(path: &Path) -> String {
    let mut names: Vec<String> =
        path.components().rev().map(|name| name.as_os_str().to_string_lossy().into_owned()).collect();
    names.push(String::new());
    names.join("/")
}

/// Reads `11` and `1.8`.
fn release(text: &str) -> Option<u16> {
    text.strip_prefix("1.").unwrap_or(text).parse().ok()
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "test set-up")]
mod tests {
    use super::*;

    #[test]
    fn releases_are_numbers() {
        assert_eq!(["1.8", "8", "17", "x"].map(release), [Some(8), Some(8), Some(17), None]);
    }

    #[test]
    fn a_module_is_what_exists_of_its_description() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["src/main/java", "target/generated-sources/annotations/p/q", "other/classes"] {
            std::fs::create_dir_all(path(name)).unwrap();
        }
        std::fs::write(path("src/main/java/module-info.java"), "").unwrap();
        std::fs::write(path("target/generated-sources/annotations/p/q/Made.java"), "").unwrap();
        let described = Described {
            name: "a".into(),
            packaging: "jar".into(),
            sources: vec![path("src/main/java"), path("src/main/kotlin")],
            generated: vec![path("target/generated-sources")],
            classes: vec![path("target/classes")],
            test_sources: vec![path("src/test/java")],
            class_path: vec![path("other/classes"), path("gone/classes"), path("src/main")],
            test_only: vec![path("src/main")],
            release: Some("1.8".into()),
            ..Described::default()
        };
        let module = Module::new(described.clone()).unwrap();
        assert_eq!(module.sources, [path("src/main/java")]);
        assert_eq!(
            (&module.dependencies, &module.absent),
            (&vec![path("other/classes"), path("src/main")], &vec![path("gone/classes")])
        );
        assert_eq!((module.release, module.is_modular()), (Some(8), true));
        assert_eq!(
            (module.test_root.clone(), module.class_path()),
            (path("src/test/java"), vec![path("other/classes")])
        );
        assert_eq!(module.test_libraries(), [path("src/main")]);
        let generated = module.generated_sources();
        assert!(generated.hold("p/q", "Made.java"));
        assert!(!generated.hold("q", "Made.jav") && !generated.hold("x/q", "Made.java"));
        let silent = Described { folder: "/m".into(), test_sources: Vec::new(), ..described.clone() };
        assert_eq!(Module::new(silent).map(|module| module.test_root), Some("/m/src/test/java".into()));
        assert_eq!(Module::new(Described { packaging: "pom".into(), ..described.clone() }), None);
        assert_eq!(Module::new(Described { sources: Vec::new(), ..described }), None, "nothing to test");
    }
}
