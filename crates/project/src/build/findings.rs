//! What is wrong with a module, and what to do about it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::build::freshness::{Freshness, files_below};
use crate::build::module::Module;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::jdk::Jdk;

/// Something that is wrong with a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What, and what to do.
    pub failure: Failure,
    /// What it keeps from being done.
    pub gravity: Gravity,
}

/// What a finding keeps from being done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gravity {
    /// Nothing.
    Note,
    /// Putting tests where the build finds them, since it would then fail.
    NotInBuild,
    /// Any tests.
    NoTests,
}

/// The JDK that the tests of a module run on: the one asked for, that of the build's toolchains, or the one of the environment.
///
/// # Errors
/// There is none, or it lacks a part.
pub fn jdk_of(module: &Module, asked: Option<&Path>, environment: &Environment) -> Result<Jdk, Failure> {
    Jdk::find(asked.or(module.jdk.as_deref()), environment)
}

/// What is wrong with a module whose tests run on this JDK; what stops tests comes first.
pub fn findings(module: &Module, jdk: &Jdk) -> Vec<Finding> {
    let without_junit_gravity = if module.is_built { Gravity::NotInBuild } else { Gravity::Note };
    let all = [
        (unresolved(module), Gravity::NoTests),
        (newer_than(module, jdk), Gravity::NoTests),
        (not_compiled(module), Gravity::NoTests),
        (without_junit(module), without_junit_gravity),
        (stale(module), Gravity::Note),
        (absent(module), Gravity::Note),
        (skipped(module), Gravity::Note),
    ];
    let finding = |(sentence, gravity): (Option<String>, Gravity)| {
        Some(Finding { failure: Failure::input(sentence?), gravity })
    };
    all.into_iter().filter_map(finding).collect()
}

fn unresolved(module: &Module) -> Option<String> {
    let problem = module.problem.as_deref()?;
    let first = problem.lines().next().unwrap_or(problem).trim_end_matches('.');
    Some(format!(
        "{} has dependencies that cannot be had: {first}; build it once where the network reaches them",
        module.name
    ))
}

fn newer_than(module: &Module, jdk: &Jdk) -> Option<String> {
    let release = module.release.filter(|release| *release > jdk.version)?;
    Some(format!(
        "{} is compiled for Java {release} and the JDK is {}; give a newer one with --java-home",
        module.name, jdk.version
    ))
}

fn not_compiled(module: &Module) -> Option<String> {
    matches!(module.freshness(), Freshness::Missing)
        .then(|| format!("{} is not compiled; compile it, or give --build", module.name))
}

fn stale(module: &Module) -> Option<String> {
    let Freshness::Stale { source, number } = module.freshness() else { return None };
    let source = source.strip_prefix(&module.folder).unwrap_or(&source);
    let which = match number {
        1 => format!("{} is newer than its class", source.display()),
        _ => format!("{number} source files, such as {}, are newer than their classes", source.display()),
    };
    Some(format!("{}: {which}; compile it, or give --build", module.name))
}

/// Folders of other modules that are not there. Those of resources often are not, and those that only tests need do not matter.
fn absent(module: &Module) -> Option<String> {
    let matters = |path: &&PathBuf| !path.ends_with("resources/main") && !module.test_only.contains(path);
    let path = module.absent.iter().find(matters)?;
    Some(format!(
        "{} needs {}, which does not exist; compile the whole build, or give --build",
        module.name,
        path.display()
    ))
}

/// The same sentence for all modules of a build, in which it mostly stands once.
fn skipped(module: &Module) -> Option<String> {
    let property = module.skips_tests.as_deref()?;
    Some(format!(
        "the build leaves its tests out ({property} is true), those that are made as well; run it with -D{property}=false, or take \
         that out of the pom.xml"
    ))
}

fn without_junit(module: &Module) -> Option<String> {
    let usable = ["JUnit 4", "JUnit 5", "JUnit 6"];
    let libraries = module.libraries();
    if libraries.iter().any(|library| usable.contains(&library.name)) {
        return None;
    }
    let known = libraries.iter().find(|library| ["JUnit 3", "TestNG"].contains(&library.name));
    let instead =
        known.map_or_else(String::new, |library| format!(" but {} {}", library.name, library.version));
    let consequence = if module.is_built {
        "add junit-jupiter to the build, or give --out a folder that it does not compile"
    } else {
        "the tests need another class path"
    };
    Some(format!(
        "{} has no JUnit 4 or newer on the class path of its tests{instead}; {consequence}",
        module.name
    ))
}

/// Top-level classes that several modules have, with the names of these modules.
pub fn duplicates(modules: &[Module]) -> BTreeMap<String, Vec<String>> {
    let mut holders: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for module in modules {
        for class in classes_of(module) {
            holders.entry(class).or_default().push(module.name.clone());
        }
    }
    holders.retain(|_, names| names.len() > 1);
    holders
}

/// The top-level classes in the folders of a module, by binary name.
pub fn classes_of(module: &Module) -> BTreeSet<String> {
    let folders = module.classes.iter().filter(|classes| classes.is_dir());
    let classes = folders.flat_map(|folder| {
        let files = files_below(folder).into_iter();
        files.filter_map(move |file| top_level_class(&file, folder))
    });
    classes.collect()
}

/// The binary name of the class of a class file, if its name is that of a top-level one.
fn top_level_class(file: &Path, folder: &Path) -> Option<String> {
    let path: PathBuf = file.strip_prefix(folder).ok()?.with_extension("");
    let is_class = file.extension().is_some_and(|extension| extension == "class");
    let name = path.to_str()?.replace('/', ".");
    let is_special = name.ends_with("package-info") || name.ends_with("module-info");
    (is_class && !name.contains('$') && !is_special).then_some(name)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "test set-up")]
mod tests {
    use std::fs;

    use super::*;
    use crate::build::answer::Described;

    /// What is found of a module with a source.
    fn check(change: impl FnOnce(&mut Described), classes: &[&str], expect: &[(&str, Gravity)]) {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("src/p")).unwrap();
        fs::write(path("src/p/A.java"), "").unwrap();
        fs::create_dir_all(path("out/p")).unwrap();
        for class in classes {
            fs::write(path("out").join(class), "").unwrap();
        }
        let junit = path("junit-4.12.jar");
        fs::write(&junit, "").unwrap();
        let mut described = Described {
            name: "m".into(),
            folder: folder.path().to_owned(),
            packaging: "jar".into(),
            sources: vec![path("src")],
            classes: vec![path("out")],
            test_sources: vec![path("test")],
            class_path: vec![junit],
            ..Described::default()
        };
        change(&mut described);
        let jdk = Jdk { home: "/jdk".into(), version: 17, libjvm: "/jdk/libjvm.so".into() };
        let found: Vec<(String, Gravity)> = findings(&Module::new(described).unwrap(), &jdk)
            .into_iter()
            .map(|finding| (finding.failure.sentence, finding.gravity))
            .collect();
        let expect: Vec<(String, Gravity)> =
            expect.iter().map(|(text, gravity)| ((*text).to_owned(), *gravity)).collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn what_is_wrong_is_told_with_what_to_do() {
        use Gravity::*;
        let compiled = ["p/A.class"];
        check(|_| (), &compiled, &[]);
        check(|_| (), &[], &[("m is not compiled; compile it, or give --build", NoTests)]);
        check(
            |module| module.release = Some("21".into()),
            &compiled,
            &[("m is compiled for Java 21 and the JDK is 17; give a newer one with --java-home", NoTests)],
        );
        check(
            |module| module.problem = Some("Could not resolve a:b:1.\nRequired by: m".into()),
            &compiled,
            &[(
                "m has dependencies that cannot be had: Could not resolve a:b:1; build it once where the network reaches \
                 them",
                NoTests,
            )],
        );
        check(
            |module| {
                let paths = ["/no/resources/main", "/no/test-classes", "/no/classes"];
                module.class_path.extend(paths.map(PathBuf::from));
                module.test_only.push("/no/test-classes".into());
            },
            &compiled,
            &[("m needs /no/classes, which does not exist; compile the whole build, or give --build", Note)],
        );
        check(
            |module| module.skips_tests = Some("skipTests".into()),
            &compiled,
            &[(
                "the build leaves its tests out (skipTests is true), those that are made as well; run it with -DskipTests=false, \
                 or take that out of the pom.xml",
                Note,
            )],
        );
    }

    #[test]
    fn tests_for_a_junit_that_a_build_lacks_would_break_it() {
        use Gravity::*;
        let jar = |name: &str, packaging: &str, expect: &[(&str, Gravity)]| {
            let jars = tempfile::tempdir().unwrap();
            let file = jars.path().join(name);
            fs::write(&file, "").unwrap();
            let change = |module: &mut Described| {
                module.packaging = packaging.into();
                module.class_path = vec![file];
            };
            check(change, &["p/A.class"], expect);
        };
        jar("junit-4.13.2.jar", "jar", &[]);
        jar("junit-jupiter-api-6.0.0.jar", "jar", &[]);
        let no_junit = "m has no JUnit 4 or newer on the class path of its tests";
        let add = "add junit-jupiter to the build, or give --out a folder that it does not compile";
        jar("guava-33.jar", "jar", &[(&format!("{no_junit}; {add}"), NotInBuild)]);
        jar("junit-3.8.1.jar", "jar", &[(&format!("{no_junit} but JUnit 3 3.8.1; {add}"), NotInBuild)]);
        jar("guava-33.jar", "classes", &[(&format!("{no_junit}; the tests need another class path"), Note)]);
    }

    #[test]
    fn classes_of_several_modules_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let module = |name: &str, files: &[&str]| {
            let classes = folder.path().join(name);
            for file in files {
                let file = classes.join(file);
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, "").unwrap();
            }
            let described = Described {
                name: name.into(),
                classes: vec![classes],
                test_sources: vec!["test".into()],
                ..Described::default()
            };
            Module::new(described).unwrap()
        };
        let modules = [
            module("a", &["p/A.class", "p/A$1.class", "module-info.class"]),
            module("b", &["p/A.class", "p/A$1.class", "p/B.class", "module-info.class"]),
        ];
        let expect = BTreeMap::from([("p.A".to_owned(), vec!["a".to_owned(), "b".to_owned()])]);
        assert_eq!(duplicates(&modules), expect);
    }
}
