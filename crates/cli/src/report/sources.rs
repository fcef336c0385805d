//! Source files of a project: its modules are the folders with a build file, and their sources lie where builds have them by
//! convention. No build tool is asked: a report takes no longer than reading what it shows.

use std::path::{Path, PathBuf};

use project::failure::Failure;

/// Files that make a folder a module.
const BUILD_FILES: [&str; 3] = ["pom.xml", "build.gradle", "build.gradle.kts"];

/// Languages whose compilers make class files, by folder and ending.
const LANGUAGES: [(&str, &str); 4] =
    [("java", "java"), ("kotlin", "kt"), ("scala", "scala"), ("groovy", "groovy")];

/// Folders that hold no module, besides those whose names begin with a dot.
const NO_MODULES: [&str; 5] = ["target", "build", "src", "node_modules", "out"];

/// Folders below that of the project in which modules are looked for.
const DEEPEST: usize = 5;

/// The modules of a project with their roots of sources.
#[derive(Debug)]
pub struct SourceFolders {
    /// Folder of the project, absolute if the system tells.
    project: PathBuf,
    /// The project itself first, then by path.
    modules: Vec<Module>,
}

/// A module.
#[derive(Debug)]
struct Module {
    /// Below that of the project, with slashes; empty if it is the same.
    folder: String,
    roots: Vec<PathBuf>,
}

/// A source file that was found.
#[derive(Debug, PartialEq, Eq)]
pub struct Found {
    /// Folder of its module below that of the project.
    pub module: String,
    /// Its path below the folder of the module.
    pub path: String,
    /// Its text.
    pub text: String,
}

impl SourceFolders {
    /// Looks for the modules of a project; `more` are further roots of sources.
    ///
    /// # Errors
    /// A further root is no folder.
    pub fn find(project: &Path, more: &[PathBuf]) -> Result<Self, Failure> {
        let project = project.canonicalize().unwrap_or_else(|_| project.to_owned());
        let mut modules = Vec::new();
        look_for_modules(&project, &project, 0, &mut modules);
        for root in more {
            let found = root.canonicalize().ok().filter(|root| root.is_dir());
            let Some(root) = found else {
                return Err(Failure::input(format!("--sources {} is no folder", root.display())));
            };
            let holds = |module: &&mut Module| root.starts_with(project.join(&module.folder));
            // The innermost one that holds it; else the project.
            let module = modules.iter_mut().filter(holds).max_by_key(|module| module.folder.len());
            if let Some(module) = module {
                module.roots.push(root);
            } else if let Some(first) = modules.first_mut() {
                first.roots.push(root);
            }
        }
        Ok(Self { project, modules })
    }

    /// Folder of the project.
    pub fn project(&self) -> &Path {
        &self.project
    }

    /// The module that a file belongs to; `None` if it lies outside of the project.
    pub fn module_of(&self, file: &Path) -> Option<&str> {
        let file = file.canonicalize().unwrap_or_else(|_| file.to_owned());
        let holding =
            self.modules.iter().filter(|module| file.starts_with(self.project.join(&module.folder)));
        holding.max_by_key(|module| module.folder.len()).map(|module| module.folder.as_str())
    }

    /// The module that lies in a folder of its name, as `:a:b` of Gradle and artifacts of Maven do; `None` if that is not one.
    pub fn module_named(&self, name: &str) -> Option<&str> {
        let path = name.trim_start_matches(':').replace(':', "/");
        let folders = || self.modules.iter().map(|module| module.folder.as_str());
        if path.is_empty() {
            return None;
        }
        let mut called = folders().filter(|folder| folder.rsplit('/').next() == Some(path.as_str()));
        let only = called.next().filter(|_| called.next().is_none());
        folders().find(|folder| *folder == path).or(only)
    }

    /// The source file of a class, in this module before all others.
    pub fn source_of(&self, class: &str, module: Option<&str>) -> Option<Found> {
        let is_its = |other: &&Module| Some(other.folder.as_str()) == module;
        let (own, others): (Vec<&Module>, Vec<&Module>) = self.modules.iter().partition(is_its);
        own.into_iter().chain(others).find_map(|module| self.source_in(module, class))
    }

    fn source_in(&self, module: &Module, class: &str) -> Option<Found> {
        let folder = self.project.join(&module.folder);
        for name in names_of_files(class) {
            for (root, (_, ending)) in
                module.roots.iter().flat_map(|root| LANGUAGES.map(|language| (root, language)))
            {
                let path = root.join(format!("{name}.{ending}"));
                if let Some(text) = read_text(&path) {
                    let path = path.strip_prefix(&folder).unwrap_or(&path);
                    return Some(Found { module: module.folder.clone(), path: slashes(path), text });
                }
            }
        }
        None
    }
}

/// A text as it is, whatever its encoding; what cannot be read in UTF-8 shows as such.
#[expect(clippy::disallowed_methods, reason = "sources and tests are read for reports here")]
pub(super) fn read_text(path: &Path) -> Option<String> {
    std::fs::read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// A path with slashes.
pub(super) fn slashes(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Files that may hold a class, without ending, below a root of sources: those of the class and of the classes around it.
pub(super) fn names_of_files(class: &str) -> impl Iterator<Item = String> {
    let path = class.replace('.', "/");
    let package = path.rfind('/').map_or(0, |slash| slash + 1);
    let mut ends = vec![path.len()];
    ends.extend(path.rmatch_indices('$').map(|(at, _)| at).filter(|at| *at > package));
    ends.into_iter().map(move |end| path[..end].to_owned())
}

/// Adds the modules in a folder and below it; the project is one also without a build file.
fn look_for_modules(project: &Path, folder: &Path, depth: usize, modules: &mut Vec<Module>) {
    if depth == 0 || BUILD_FILES.iter().any(|file| folder.join(file).is_file()) {
        let below = folder.strip_prefix(project).unwrap_or(folder);
        modules.push(Module { folder: slashes(below), roots: roots(folder) });
    }
    if depth == DEEPEST {
        return;
    }
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries
        .filter(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            !name.starts_with('.') && !NO_MODULES.contains(&&*name)
        })
        // Links may lead round in circles.
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.path())
        .collect();
    folders.sort();
    for folder in folders {
        look_for_modules(project, &folder, depth + 1, modules);
    }
}

/// The roots of sources in the folder of a module.
fn roots(folder: &Path) -> Vec<PathBuf> {
    let main = folder.join("src/main");
    let mut roots: Vec<PathBuf> = if main.is_dir() {
        LANGUAGES.iter().map(|(language, _)| main.join(language)).collect()
    } else {
        vec![folder.join("src"), folder.to_owned()]
    };
    roots.retain(|root| root.is_dir());
    roots
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests write files")]
mod tests {
    use super::*;

    /// A folder with these files, each of which holds its own path.
    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, file).unwrap();
        }
        folder
    }

    fn check(files: &[&str], (class, module): (&str, Option<&str>), expect: Option<(&str, &str)>) {
        let folder = folder(files);
        let found = SourceFolders::find(folder.path(), &[]).unwrap().source_of(class, module);
        let found = found.as_ref().map(|found| {
            assert!(found.text.ends_with(&found.path), "{found:?}");
            (found.module.as_str(), found.path.as_str())
        });
        assert_eq!(found, expect, "{class} in {module:?} of {files:?}");
    }

    #[test]
    fn sources_lie_where_builds_have_them() {
        let plain = ["src/p/A.java"];
        check(&plain, ("p.A", None), Some(("", "src/p/A.java")));
        check(&plain, ("p.A$B$C", None), Some(("", "src/p/A.java")));
        check(&plain, ("p.B", None), None);
        check(
            &["src/main/kotlin/A.kt", "src/main/java/p/A.java"],
            ("A", None),
            Some(("", "src/main/kotlin/A.kt")),
        );
        check(&["src/main/java/p/A.java", "src/test/java/p/B.java"], ("p.B", None), None);
    }

    #[test]
    fn a_class_is_looked_for_in_its_own_module_first() {
        let modules = [
            "a/pom.xml",
            "a/src/main/java/p/A.java",
            "libs/b/build.gradle.kts",
            "libs/b/src/main/java/p/A.java",
            "c/src/main/java/p/C.java",
        ];
        check(&modules, ("p.A", None), Some(("a", "src/main/java/p/A.java")));
        check(&modules, ("p.A", Some("libs/b")), Some(("libs/b", "src/main/java/p/A.java")));
        check(&modules, ("p.A", Some("")), Some(("a", "src/main/java/p/A.java")));
        // A folder without a build file is no module.
        check(&modules, ("p.C", None), None);
    }

    #[test]
    fn a_file_belongs_to_the_innermost_module() {
        let folder = folder(&["pom.xml", "a/pom.xml", "a/b/pom.xml", "a/b/src/test/java/T.java"]);
        let folders = SourceFolders::find(folder.path(), &[]).unwrap();
        for (file, expect) in
            [("a/b/src/test/java/T.java", Some("a/b")), ("a/T.java", Some("a")), ("T.java", Some(""))]
        {
            assert_eq!(folders.module_of(&folders.project().join(file)), expect, "{file}");
        }
        assert_eq!(folders.module_of(Path::new("/elsewhere/T.java")), None);
    }

    #[test]
    fn a_module_is_found_by_its_name_in_the_build() {
        let folder = folder(&["pom.xml", "a/pom.xml", "a/b/pom.xml", "x/b/pom.xml", "x/c/pom.xml"]);
        let folders = SourceFolders::find(folder.path(), &[]).unwrap();
        for (name, expect) in [
            (":a:b", Some("a/b")),
            ("a", Some("a")),
            ("c", Some("x/c")),
            // Two folders are called so.
            ("b", None),
            ("a-core", None),
            ("", None),
        ] {
            assert_eq!(folders.module_named(name), expect, "{name}");
        }
    }

    #[test]
    fn further_roots_belong_to_the_module_around_them() {
        let folder = folder(&["a/pom.xml", "a/made/p/A.java"]);
        let made = folder.path().join("a/made");
        let folders = SourceFolders::find(folder.path(), std::slice::from_ref(&made)).unwrap();
        let found = folders.source_of("p.A", None).unwrap();
        assert_eq!((found.module.as_str(), found.path.as_str()), ("a", "made/p/A.java"));
        let missing = SourceFolders::find(folder.path(), &[made.join("none")]).unwrap_err();
        assert!(missing.sentence.ends_with("none is no folder"), "{missing}");
    }
}
