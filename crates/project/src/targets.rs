//! The classes to test: what `--class` and `--prefix` name, found on the class path.

use std::collections::{BTreeMap, BTreeSet};

use bytecode::class_info::{ClassInfo, Nesting};
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;

use output::junit::writer::test_class;

use crate::failure::Failure;
use crate::nearest::nearest;
use crate::untestable::Untestable;

/// A class to test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The class asked for.
    pub class: ClassName,
    /// The classes whose goals are its goals: itself first, then by name what is nested in it, anonymous and
    /// local classes included. As the judges count it, the nest is what the name says.
    pub nest: Vec<ClassName>,
    /// Java version of the class file: 8, 17 … (at least 1).
    pub java_version: u16,
    /// Package of its tests, in internal form.
    pub package_of_tests: String,
}

/// The least source level of tests.
pub const LEAST_LEVEL: u16 = 8;

impl Target {
    /// Source level of its tests, where no other is asked for.
    pub fn source_level(&self) -> u16 {
        self.java_version.max(LEAST_LEVEL)
    }

    /// The class with its tests.
    pub fn test_class(&self) -> ClassName {
        test_class(&self.class, &self.package_of_tests)
    }

    /// Path of its test file below the root of the test sources.
    pub fn test_file(&self) -> String {
        format!("{}.java", self.test_class())
    }
}

/// What was found, and what was passed over with the reason.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Targets {
    /// Classes to test: those of `--class` in the order given, then those of `--prefix` by name.
    pub targets: Vec<Target>,
    /// Classes of `--prefix` that are not tested, with the reason.
    pub skipped: Vec<(ClassName, Untestable)>,
}

/// Finds the classes named (binary names) and those in the packages. `jdk_version` is the newest class file that
/// the JDK reads.
///
/// # Errors
/// A class named is missing, unreadable, of the platform, without code or too new; a package has no class.
pub fn find(
    hierarchy: &ClassHierarchy,
    jdk_version: u16,
    classes: &[String],
    prefixes: &[String],
) -> Result<Targets, Failure> {
    let mut found = Targets::default();
    let mut seen = BTreeSet::new();
    for binary in classes {
        let target = named(hierarchy, jdk_version, binary)?;
        if seen.insert(target.class.clone()) {
            found.targets.push(target);
        }
    }
    for prefix in prefixes {
        let names = in_package(hierarchy, prefix)?;
        for name in names {
            if !seen.insert(name.clone()) {
                continue;
            }
            match top_level(hierarchy, jdk_version, &name) {
                None | Some(Err(Untestable::Synthetic)) => {}
                Some(Ok(target)) => found.targets.push(target),
                Some(Err(reason)) => found.skipped.push((name, reason)),
            }
        }
    }
    if found.targets.is_empty() {
        let prefixes = prefixes.join(", ");
        return Err(Failure::input(format!(
            "no class in {prefixes} has code to test; check --prefix and --cp"
        )));
    }
    Ok(found)
}

/// A class that could be asked for, and what it is as a target or why it is none.
pub type Candidate = (ClassName, Result<Target, Untestable>);

/// Everything that could be asked for, in the order of the names: the classes named, and the top-level classes of
/// the packages; those of the whole class path when nothing is named.
///
/// # Errors
/// A class named is missing or of the platform; a package has no class.
pub fn list(
    hierarchy: &ClassHierarchy,
    jdk_version: u16,
    classes: &[String],
    prefixes: &[String],
) -> Result<Vec<Candidate>, Failure> {
    let mut found = BTreeMap::new();
    for binary in classes {
        let name = ClassName::from_binary(binary);
        if !hierarchy.source().is_on_class_path(&name) {
            return Err(missing(hierarchy, &name));
        }
        let examined = read(hierarchy, &name).and_then(|info| usable(hierarchy, jdk_version, &info));
        found.insert(name, examined);
    }
    let mut names = Vec::new();
    for prefix in prefixes {
        names.extend(in_package(hierarchy, prefix)?);
    }
    if classes.is_empty() && prefixes.is_empty() {
        names.extend_from_slice(hierarchy.source().class_path_classes());
    }
    for name in names {
        if let Some(examined) = top_level(hierarchy, jdk_version, &name) {
            found.entry(name).or_insert(examined);
        }
    }
    Ok(found.into_iter().collect())
}

/// The target of a top-level class; `None` for a nested one, which belongs to the nest of another, and for what
/// describes a package or module.
fn top_level(
    hierarchy: &ClassHierarchy,
    jdk_version: u16,
    name: &ClassName,
) -> Option<Result<Target, Untestable>> {
    if matches!(name.base_name(), "package-info" | "module-info") {
        return None;
    }
    match read(hierarchy, name) {
        Ok(info) if !matches!(info.nesting, Nesting::TopLevel) => None,
        Ok(info) if info.access.is_synthetic() => Some(Err(Untestable::Synthetic)),
        Ok(info) => Some(usable(hierarchy, jdk_version, &info)),
        Err(reason) => Some(Err(reason)),
    }
}

/// The class that a class file holds.
fn read(hierarchy: &ClassHierarchy, name: &ClassName) -> Result<ClassInfo, Untestable> {
    match hierarchy.read(name) {
        None => Err(Untestable::Missing),
        Some(Err(error)) => Err(error.into()),
        Some(Ok(info)) if info.name != *name => Err(Untestable::Misplaced(info.name.clone())),
        Some(Ok(info)) => Ok(info),
    }
}

fn named(hierarchy: &ClassHierarchy, jdk_version: u16, binary: &str) -> Result<Target, Failure> {
    let name = ClassName::from_binary(binary);
    if !hierarchy.source().is_on_class_path(&name) {
        return Err(missing(hierarchy, &name));
    }
    match read(hierarchy, &name) {
        Ok(info) => usable(hierarchy, jdk_version, &info)
            .map_err(|reason| Failure::input(format!("{binary} cannot be tested: {reason}"))),
        Err(Untestable::Misplaced(held)) => Err(Failure::input(format!(
            "the class file of {binary} holds {}; give the root of the class files with --cp",
            held.binary()
        ))),
        Err(Untestable::Corrupt(error) | Untestable::UnknownVersion(error)) => Err(Failure::input(format!(
            "the class file of {binary} cannot be read ({error}); compile the class anew"
        ))),
        Err(_) => Err(missing(hierarchy, &name)),
    }
}

/// The target of a class that was read, or why there is none.
fn usable(hierarchy: &ClassHierarchy, jdk_version: u16, info: &ClassInfo) -> Result<Target, Untestable> {
    let java_version = java_version(info.version);
    if java_version > jdk_version {
        return Err(Untestable::TooNew { class: java_version, jdk: jdk_version });
    }
    let nest = nest(hierarchy, &info.name);
    let has_code = nest.iter().any(|name| hierarchy.class(name).is_some_and(|info| declares_code(&info)));
    if !has_code {
        return Err(Untestable::without_code(info.kind));
    }
    let package_of_tests = hierarchy.package_of_tests(&info.name);
    Ok(Target { class: info.name.clone(), nest, java_version, package_of_tests })
}

/// Class file versions count from 45 for Java 1.1 (JVM specification §4.1).
fn java_version(major: u16) -> u16 {
    major.saturating_sub(44).max(1)
}

fn declares_code(info: &ClassInfo) -> bool {
    info.methods.iter().any(|method| !method.access.is_abstract() && !method.access.is_native())
}

/// The class, then the classes named after it, sorted.
fn nest(hierarchy: &ClassHierarchy, outer: &ClassName) -> Vec<ClassName> {
    let names = hierarchy.source().class_path_classes();
    let first = names.partition_point(|name| name < outer);
    let below = names[first..].iter().take_while(|name| name.as_str().starts_with(outer.as_str()));
    below.filter(|name| name.is_in_nest_of(outer)).cloned().collect()
}

/// Classes of the package and of those below it, sorted.
fn in_package(hierarchy: &ClassHierarchy, prefix: &str) -> Result<Vec<ClassName>, Failure> {
    let package = prefix.replace('.', "/");
    let is_below = |name: &str| {
        name.strip_prefix(&*package).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let names = hierarchy.source().class_path_classes();
    let found: Vec<ClassName> = names.iter().filter(|name| is_below(name.package())).cloned().collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let packages: BTreeSet<String> = names.iter().map(|name| name.package().replace('/', ".")).collect();
    let near = nearest(prefix, packages.iter().map(|name| (name.as_str(), name.clone())));
    Err(Failure::input(format!(
        "the class path has no package {prefix}; {}",
        advice(&near, "check --prefix and --cp")
    )))
}

fn missing(hierarchy: &ClassHierarchy, name: &ClassName) -> Failure {
    let binary = name.binary();
    if hierarchy.source().class_bytes(name).is_some() {
        return Failure::input(format!(
            "{binary} belongs to the JDK, not to the class path; only classes of --cp and --maven can be tested"
        ));
    }
    // `Outer.Inner`, as a source file would say it.
    let names = hierarchy.source().class_path_classes();
    let as_source = |name: &ClassName| name.as_str().replace('$', "/");
    let mut near: Vec<String> =
        names.iter().filter(|known| as_source(known) == name.as_str()).map(ClassName::binary).collect();
    if near.is_empty() {
        let same_simple =
            names.iter().filter(|known| known.base_name().eq_ignore_ascii_case(name.base_name()));
        near = same_simple.map(ClassName::binary).take(3).collect();
    }
    if near.is_empty() {
        let named = names.iter().filter(|known| !is_anonymous(known));
        near = nearest(&binary, named.map(|known| (known.as_str(), known.binary())));
    }
    Failure::input(format!(
        "the class path has no class {binary}; {}",
        advice(&near, "check --class and --cp")
    ))
}

fn is_anonymous(name: &ClassName) -> bool {
    name.base_name().rsplit('$').next().is_some_and(|last| last.starts_with(|c: char| c.is_ascii_digit()))
}

fn advice(near: &[String], otherwise: &str) -> String {
    match near {
        [] => otherwise.to_owned(),
        [one] => format!("did you mean {one}?"),
        [first @ .., last] => format!("did you mean {} or {last}?", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_file_versions_are_java_versions() {
        assert_eq!([46, 52, 61, 69].map(java_version), [2, 8, 17, 25]);
    }

    #[test]
    fn test_files_lie_in_the_package() {
        let target = |name: &str| {
            let class = ClassName::from(name);
            let package_of_tests = class.package().to_owned();
            Target { class, nest: Vec::new(), java_version: 8, package_of_tests }
        };
        assert_eq!(target("com/acme/Foo").test_file(), "com/acme/FooCovolveTest.java");
        assert_eq!(target("com/acme/Outer$Inner").test_file(), "com/acme/Outer_InnerCovolveTest.java");
        assert_eq!(target("Foo").test_file(), "FooCovolveTest.java");
    }

    const CLASSES: &str = "
//- /p/Outer.java
package p;
public class Outer {
    Runnable lambda = () -> { };
    Object anonymous = new Object() { };
    static class Inner { Object deeper = new Object() { }; }
}
//- /p/OuterOther.java
package p;
class OuterOther { }
//- /p/q/Below.java
package p.q;
class Below { }
//- /p/q/Empty.java
package p.q;
interface Empty { }
//- /pq/Beside.java
package pq;
class Beside { }
";

    /// Finds with the newest JDK; per target its nest.
    fn check(classes: &[&str], prefixes: &[&str], expect: &[&[&str]]) -> Targets {
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let hierarchy = fixture::compile(CLASSES).hierarchy();
        let found = find(&hierarchy, 25, &owned(classes), &owned(prefixes)).unwrap();
        let nests: Vec<Vec<String>> = found
            .targets
            .iter()
            .map(|target| target.nest.iter().map(ClassName::to_string).collect())
            .collect();
        assert_eq!(nests, expect);
        found
    }

    const NEST: &[&str] = &["p/Outer", "p/Outer$1", "p/Outer$Inner", "p/Outer$Inner$1"];

    #[test]
    fn a_class_owns_what_is_nested_in_it() {
        let found = check(&["p.Outer"], &[], &[NEST]);
        assert_eq!(found.targets[0].java_version, 8);
        check(&["p.Outer$Inner", "p.Outer"], &[], &[&NEST[2..], NEST]);
    }

    #[test]
    fn a_package_lists_its_top_level_classes_and_those_below() {
        let found = check(&["p.OuterOther"], &["p"], &[&["p/OuterOther"], NEST, &["p/q/Below"]]);
        assert_eq!(found.skipped, [("p/q/Empty".into(), Untestable::Interface)]);
    }

    #[test]
    fn everything_is_listed_with_the_reason_against_it() {
        let listed = |classes: &[&str], prefixes: &[&str]| -> Vec<String> {
            let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
            let hierarchy = fixture::compile(CLASSES).hierarchy();
            let found = list(&hierarchy, 25, &owned(classes), &owned(prefixes)).unwrap();
            let word = |examined: &Result<Target, Untestable>| match examined {
                Ok(target) => target.nest.len().to_string(),
                Err(reason) => reason.name().to_owned(),
            };
            found.iter().map(|(name, examined)| format!("{name} {}", word(examined))).collect()
        };
        let all = ["p/Outer 4", "p/OuterOther 1", "p/q/Below 1", "p/q/Empty interface", "pq/Beside 1"];
        assert_eq!(listed(&[], &[]), all);
        assert_eq!(listed(&["p.Outer$Inner"], &["p.q"]), ["p/Outer$Inner 2", all[2], all[3]]);
    }

    #[test]
    fn a_class_beyond_the_jdk_is_refused() {
        let hierarchy = fixture::compile(CLASSES).hierarchy();
        let failure = find(&hierarchy, 7, &["p.Outer".to_owned()], &[]).unwrap_err();
        assert_eq!(
            failure.sentence,
            "p.Outer cannot be tested: it was compiled for Java 8 and the JDK is 7; give a newer one with --java-home"
        );
    }
}
