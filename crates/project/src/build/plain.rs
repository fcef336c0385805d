//! A plain folder: compiled classes wherever they lie in it, or jars, as IDEs and scripts leave them.

#![expect(clippy::disallowed_methods, reason = "reads class files")]

use std::fs;
use std::path::{Path, PathBuf};

use bytecode::class_info::ClassInfo;

use crate::build::answer::{Described, UNBUILT};
use crate::build::command::{Network, Surroundings};
use crate::build::libraries::of_tests;
use crate::build::tool::{BuildTool, Told};
use crate::failure::Failure;

/// Folders with classes or jars and nothing that builds them.
#[derive(Debug)]
pub struct PlainFolder;

/// Folders that are looked into for class files: deeper ones belong to something else.
const DEPTH: usize = 6;
/// Folders of class files that are tests.
const TESTS: [&str; 4] = ["test-classes", "test", "tests", "testClasses"];
/// Where jars lie that the classes need.
const LIBRARIES: [&str; 4] = ["lib", "libs", "target/dependency", "build/libs"];
/// Where sources and tests lie, the first that is there.
const SOURCES: [&str; 3] = ["src/main/java", "src/java", "src"];
const TEST_SOURCES: [&str; 4] = ["src/test/java", "test/java", "tests", "test"];
/// Where tests go otherwise.
pub const OWN_TESTS: &str = "covolve-tests";

impl BuildTool for PlainFolder {
    fn name(&self) -> &'static str {
        "plain folder"
    }

    fn has_modules(&self) -> bool {
        false
    }

    fn detect(&self, folder: &Path) -> bool {
        !class_roots(folder).is_empty() || !jars_in(folder).is_empty()
    }

    fn modules(&self, folder: &Path, _: Surroundings<'_>) -> Result<Told, Failure> {
        let classes = class_roots(folder);
        let libraries = LIBRARIES.iter().flat_map(|place| jars_in(&folder.join(place)));
        let (classes, class_path): (Vec<PathBuf>, Vec<PathBuf>) = if classes.is_empty() {
            (jars_in(folder), libraries.collect())
        } else {
            (classes, jars_in(folder).into_iter().chain(libraries).collect())
        };
        let how = format!(
            "{} in {}, which no Maven or Gradle builds",
            if classes.iter().any(|classes| classes.is_dir()) { "class files" } else { "jars" },
            folder.display()
        );
        let first =
            |places: &[&str]| places.iter().map(|place| folder.join(place)).find(|place| place.is_dir());
        let module = Described {
            name: folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            folder: folder.to_owned(),
            packaging: UNBUILT.to_owned(),
            sources: first(&SOURCES).into_iter().collect(),
            classes,
            test_classes: test_roots(folder),
            test_sources: vec![first(&TEST_SOURCES).unwrap_or_else(|| folder.join(OWN_TESTS))],
            test_only: of_tests(&class_path),
            class_path,
            ..Described::default()
        };
        Ok(Told { how, modules: vec![module] })
    }

    fn compile(&self, folder: &Path, _: Surroundings<'_>) -> Result<(), Failure> {
        Err(Failure::usage(format!(
            "--build needs a Maven or Gradle build, and {} holds none; compile the classes and leave it out",
            folder.display()
        )))
    }

    fn run_step(
        &self,
        folder: &Path,
        _: &[String],
        _: Network,
        _: Surroundings<'_>,
    ) -> Result<Result<(), String>, Failure> {
        Ok(Err(format!("{} has no build", folder.display())))
    }
}

/// The folders below which class files lie by their packages, sorted; those of tests are left out.
fn class_roots(folder: &Path) -> Vec<PathBuf> {
    let mut roots = Vec::new();
    find_roots(folder, DEPTH, &mut roots);
    roots.sort();
    roots.dedup();
    roots
}

/// The folders below which the class files of tests lie by their packages, sorted.
fn test_roots(folder: &Path) -> Vec<PathBuf> {
    let mut roots = Vec::new();
    let mut open = vec![(folder.to_owned(), DEPTH)];
    while let Some((folder, depth)) = open.pop() {
        for path in children(&folder).into_iter().filter(|path| path.is_dir()) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if TESTS.contains(&&*name) {
                find_roots(&path, depth, &mut roots);
            } else if depth > 0 && !name.starts_with('.') {
                open.push((path, depth - 1));
            }
        }
    }
    roots.sort();
    roots.dedup();
    roots
}

fn find_roots(folder: &Path, depth: usize, roots: &mut Vec<PathBuf>) {
    if roots.iter().any(|root| folder.starts_with(root)) {
        return;
    }
    let mut folders = Vec::new();
    for path in children(folder) {
        if path.extension().is_some_and(|extension| extension == "class") {
            // All class files of a folder are of one package; what is none has nothing to say.
            if let Some(root) = root_of(&path).filter(|root| !roots.contains(root)) {
                roots.push(root);
                return;
            }
        } else if path.is_dir() {
            folders.push(path);
        }
    }
    for path in folders {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if depth > 0 && !name.starts_with('.') && !TESTS.contains(&&*name) {
            find_roots(&path, depth - 1, roots);
        }
    }
}

/// The folder that a class file lies below by its own name.
fn root_of(file: &Path) -> Option<PathBuf> {
    let info = ClassInfo::read(&fs::read(file).ok()?).ok()?;
    let path = format!("{}.class", info.name.as_str());
    let up = path.split('/').count();
    file.ends_with(&path).then(|| file.ancestors().nth(up).map(Path::to_owned))?
}

fn jars_in(folder: &Path) -> Vec<PathBuf> {
    let is_jar =
        |path: &PathBuf| path.is_file() && path.extension().is_some_and(|extension| extension == "jar");
    children(folder).into_iter().filter(is_jar).collect()
}

fn children(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut children: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    children.sort();
    children
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::Environment;
    use crate::jdk::Jdk;

    fn module(folder: &Path) -> Described {
        let environment = Environment::default();
        let jdk = Jdk { home: "/jdk".into(), version: 17, libjvm: "/jdk/libjvm.so".into() };
        let surroundings = Surroundings { environment: &environment, jdk: &jdk, words: &[], note: &|_| () };
        PlainFolder.modules(folder, surroundings).unwrap().modules.remove(0)
    }

    /// A folder with these files; `.class` files are those of `p.q.A` and `p.B`, by their names.
    fn folder(files: &[&str]) -> tempfile::TempDir {
        let compiled = fixture::compile(
            "//- /p/q/A.java\npackage p.q; public class A {}\n//- /p/B.java\npackage p; public class B {}\n",
        );
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            match path.file_name().unwrap().to_str().unwrap() {
                "A.class" => fs::copy(compiled.folder.join("p/q/A.class"), path).map(drop),
                "B.class" => fs::copy(compiled.folder.join("p/B.class"), path).map(drop),
                _ => fs::write(path, ""),
            }
            .unwrap();
        }
        folder
    }

    fn check(files: &[&str], classes: &[&str], class_path: &[&str], tests: &str) -> Vec<PathBuf> {
        let folder = folder(files);
        let found = module(folder.path());
        let paths = |names: &[&str]| names.iter().map(|name| folder.path().join(name)).collect::<Vec<_>>();
        assert_eq!((found.classes, found.class_path), (paths(classes), paths(class_path)), "{files:?}");
        assert_eq!(found.test_sources, paths(&[tests]));
        found.test_classes
    }

    #[test]
    fn class_files_tell_where_their_packages_begin() {
        let test_classes = check(
            &["out/production/x/p/q/A.class", "out/test/x/p/B.class", "lib/b.jar", "test/p/T.java"],
            &["out/production/x"],
            &["lib/b.jar"],
            "test",
        );
        assert!(
            matches!(test_classes.as_slice(), [only] if only.ends_with("out/test/x")),
            "{test_classes:?}"
        );
        check(&["p/B.class", "p/q/A.class", "c.jar"], &[""], &["c.jar"], OWN_TESTS);
        check(&["bin/a/p/q/A.class", "bin/b/p/B.class"], &["bin/a", "bin/b"], &[], OWN_TESTS);
    }

    #[test]
    fn jars_are_the_classes_where_there_are_no_others() {
        check(&["a.jar", "libs/b.jar", "Broken.class"], &["a.jar"], &["libs/b.jar"], OWN_TESTS);
        assert!(!PlainFolder.detect(folder(&["lib/b.jar", "x/Broken.class"]).path()));
    }
}
