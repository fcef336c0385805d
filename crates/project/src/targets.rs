//! The classes to test: what `--class` and `--prefix` name, found on the class path.

use std::collections::{BTreeMap, BTreeSet};

use bytecode::access::Access;
use bytecode::class_info::{ClassInfo, Nesting};
use bytecode::generated::generated_by;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;

use output::junit::writer::test_class;

use crate::build::module::GeneratedSources;
use crate::class_pattern::ClassPattern;
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

/// What is asked of a class path.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// Classes by binary name.
    pub classes: &'a [String],
    /// Packages.
    pub prefixes: &'a [String],
    /// Classes that no package brings.
    pub exclude: &'a [ClassPattern],
    /// The newest class file that the JDK reads.
    pub jdk_version: u16,
    /// Whether a class of the class path is of the module that is asked, and not of what that needs.
    pub is_own: &'a dyn Fn(&ClassName) -> bool,
    /// Source files of the module that were generated; `None` where the class path is none of a module.
    pub generated: Option<&'a GeneratedSources>,
    /// What says where classes are, for people.
    pub told_by: &'static str,
}

impl std::fmt::Debug for Asked<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Asked").field("classes", &self.classes).finish_non_exhaustive()
    }
}

impl Asked<'_> {
    /// Whether all classes are meant.
    fn is_for_all(&self) -> bool {
        self.classes.is_empty() && self.prefixes.is_empty()
    }

    /// The classes of the packages, or all if nothing is named, without those that are left out.
    ///
    /// # Errors
    /// A package has no class.
    fn unnamed(&self, hierarchy: &ClassHierarchy) -> Result<Vec<ClassName>, Failure> {
        let mut names = Vec::new();
        for prefix in self.prefixes {
            names.extend(in_package(hierarchy, self, prefix)?);
        }
        if self.is_for_all() {
            names.extend(
                hierarchy.source().class_path_classes().iter().filter(|name| (self.is_own)(name)).cloned(),
            );
        }
        names.retain(|name| !self.exclude.iter().any(|pattern| pattern.matches(&name.binary())));
        Ok(names)
    }
}

/// Finds the classes named and those in the packages; if nothing is named all of the module, the smallest first, which may be
/// none.
///
/// # Errors
/// A class named is missing, unreadable, of the platform, without code or too new; a package has no class, or none with code.
pub fn find(hierarchy: &ClassHierarchy, asked: &Asked<'_>) -> Result<Targets, Failure> {
    let mut found = Targets::default();
    let mut seen = BTreeSet::new();
    for binary in asked.classes {
        let target = named(hierarchy, asked, binary)?;
        if seen.insert(target.class.clone()) {
            found.targets.push(target);
        }
    }
    for name in asked.unnamed(hierarchy)? {
        if !seen.insert(name.clone()) {
            continue;
        }
        match top_level(hierarchy, asked, &name) {
            None | Some(Err(Untestable::Synthetic)) => {}
            Some(Ok(target)) => found.targets.push(target),
            Some(Err(reason)) => found.skipped.push((name, reason)),
        }
    }
    if asked.is_for_all() {
        let size = |class: &ClassName| hierarchy.source().class_bytes(class).map_or(0, |bytes| bytes.len());
        found.targets.sort_by_cached_key(|target| target.nest.iter().map(size).sum::<usize>());
    } else if found.targets.is_empty() {
        let prefixes = asked.prefixes.join(", ");
        return Err(Failure::input(format!(
            "no class in {prefixes} has code to test; check --prefix and {}",
            asked.told_by
        )));
    }
    Ok(found)
}

/// A class that could be asked for, and what it is as a target or why it is none.
pub type Candidate = (ClassName, Result<Target, Untestable>);

/// Everything that could be asked for, in the order of the names: the classes named, and the top-level classes of
/// the packages; those of the whole class path, or of the module, when nothing is named.
///
/// # Errors
/// A class named is missing or of the platform; a package has no class.
pub fn list(hierarchy: &ClassHierarchy, asked: &Asked<'_>) -> Result<Vec<Candidate>, Failure> {
    let mut found = BTreeMap::new();
    for binary in asked.classes {
        let name = ClassName::from_binary(binary);
        if !hierarchy.source().is_on_class_path(&name) {
            return Err(missing(hierarchy, asked, &name));
        }
        let examined = read(hierarchy, &name).and_then(|info| usable(hierarchy, asked.jdk_version, &info));
        found.insert(name, examined);
    }
    for name in asked.unnamed(hierarchy)? {
        if let Some(examined) = top_level(hierarchy, asked, &name) {
            found.entry(name).or_insert(examined);
        }
    }
    Ok(found.into_iter().collect())
}

/// The target of a top-level class; `None` for a nested one, which belongs to the nest of another, and for what
/// describes a package or module.
fn top_level(
    hierarchy: &ClassHierarchy,
    asked: &Asked<'_>,
    name: &ClassName,
) -> Option<Result<Target, Untestable>> {
    if matches!(name.base_name(), "package-info" | "module-info") {
        return None;
    }
    match read(hierarchy, name) {
        Ok(info) if !matches!(info.nesting, Nesting::TopLevel) => None,
        Ok(info) if info.access.is_synthetic() => Some(Err(Untestable::Synthetic)),
        Ok(info) => Some(match generated(hierarchy, asked, &info) {
            Some(reason) => Err(reason),
            None => usable(hierarchy, asked.jdk_version, &info),
        }),
        Err(reason) => Some(Err(reason)),
    }
}

/// Nested classes that only programs write: `MyBatis` Generator has one in each of its classes of conditions, a method for each column and
/// comparison, and mostly neither an annotation nor a folder of their own.
const GENERATED_MEMBERS: [&str; 1] = ["GeneratedCriteria"];

/// What tells that a program wrote the source of a class.
fn generated(hierarchy: &ClassHierarchy, asked: &Asked<'_>, info: &ClassInfo) -> Option<Untestable> {
    let by_annotation = hierarchy.source().class_bytes(&info.name).and_then(|bytes| generated_by(&bytes));
    let is_source = |sources: &GeneratedSources| {
        info.source_file.as_deref().is_some_and(|file| sources.hold(info.name.package(), file))
    };
    let by_source = asked.generated.is_some_and(is_source).then_some(Untestable::GeneratedSource);
    let is_generated = |member: &&ClassName| {
        GENERATED_MEMBERS.iter().any(|name| member.binary() == format!("{}${name}", info.name.binary()))
    };
    let by_member = info.member_classes.iter().find(is_generated).cloned().map(Untestable::NamedGenerated);
    by_annotation.map(Untestable::MarkedGenerated).or(by_source).or(by_member)
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

fn named(hierarchy: &ClassHierarchy, asked: &Asked<'_>, binary: &str) -> Result<Target, Failure> {
    let name = ClassName::from_binary(binary);
    if !hierarchy.source().is_on_class_path(&name) {
        return Err(missing(hierarchy, asked, &name));
    }
    match read(hierarchy, &name) {
        Ok(info) => usable(hierarchy, asked.jdk_version, &info)
            .map_err(|reason| Failure::input(format!("{binary} cannot be tested: {reason}"))),
        Err(Untestable::Misplaced(held)) => Err(Failure::input(format!(
            "the class file of {binary} holds {}; give the root of the class files with --cp",
            held.binary()
        ))),
        Err(Untestable::Corrupt(error) | Untestable::UnknownVersion(error)) => Err(Failure::input(format!(
            "the class file of {binary} cannot be read ({error}); compile the class anew"
        ))),
        Err(_) => Err(missing(hierarchy, asked, &name)),
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

/// Whether there is anything that a person wrote: a bridge, which a compiler puts into interfaces as well, is none.
fn declares_code(info: &ClassInfo) -> bool {
    let is_code = |access: Access| !access.is_abstract() && !access.is_native() && !access.is_bridge();
    info.methods.iter().any(|method| is_code(method.access))
}

/// The class, then the classes named after it, sorted.
fn nest(hierarchy: &ClassHierarchy, outer: &ClassName) -> Vec<ClassName> {
    let names = hierarchy.source().class_path_classes();
    let first = names.partition_point(|name| name < outer);
    let below = names[first..].iter().take_while(|name| name.as_str().starts_with(outer.as_str()));
    below.filter(|name| name.is_in_nest_of(outer)).cloned().collect()
}

/// Classes of the package and of those below it, sorted.
fn in_package(
    hierarchy: &ClassHierarchy,
    asked: &Asked<'_>,
    prefix: &str,
) -> Result<Vec<ClassName>, Failure> {
    let package = prefix.replace('.', "/");
    let is_below = |name: &str| {
        name.strip_prefix(&*package).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let names = hierarchy.source().class_path_classes();
    let own = || names.iter().filter(|name| (asked.is_own)(name));
    let found: Vec<ClassName> = own().filter(|name| is_below(name.package())).cloned().collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let packages: BTreeSet<String> = own().map(|name| name.package().replace('/', ".")).collect();
    let near = nearest(prefix, packages.iter().map(|name| (name.as_str(), name.clone())));
    Err(Failure::input(format!(
        "the class path has no package {prefix}; {}",
        advice(&near, &format!("check --prefix and {}", asked.told_by))
    )))
}

fn missing(hierarchy: &ClassHierarchy, asked: &Asked<'_>, name: &ClassName) -> Failure {
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
        advice(&near, &format!("check --class and {}", asked.told_by))
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
interface Empty extends java.util.concurrent.Callable<String> { String call(); }
//- /pq/Beside.java
package pq;
class Beside { }
";

    fn asked<'a>(classes: &'a [String], prefixes: &'a [String], jdk_version: u16) -> Asked<'a> {
        let is_own = &|_: &ClassName| true;
        Asked { classes, prefixes, exclude: &[], jdk_version, is_own, generated: None, told_by: "--cp" }
    }

    #[test]
    fn all_of_a_module_are_its_own_without_what_is_left_out_or_generated_the_smallest_first() {
        let classes = fixture::compile(
            "
//- /p/Large.java
package p;
class Large { int a() { return 1; } int b() { return 2; } int c() { return 3; } String d() { return \"d\"; } }
//- /p/Small.java
package p;
class Small { int a() { return 1; } }
//- /p/Marked.java
package p;
@Generated class Marked { int a() { return 1; } }
@interface Generated {}
//- /p/Made.java
package p;
class Made { int a() { return 1; } }
//- /p/OrderExample.java
package p;
class OrderExample { int a() { return 1; } static abstract class GeneratedCriteria { int b() { return 1; } } }
//- /lib/Library.java
package lib;
class Library { int a() { return 1; } }
//- /p/out/Dto.java
package p.out;
class Dto { int a() { return 1; } }
",
        );
        let hierarchy = classes.hierarchy();
        let (exclude, generated) =
            ([ClassPattern::parse("p.out").unwrap()], GeneratedSources::of(&["x/p/Made.java"]));
        let own = Asked {
            exclude: &exclude,
            is_own: &|name| name.package() != "lib",
            generated: Some(&generated),
            told_by: "the build",
            ..asked(&[], &[], 25)
        };
        let found = find(&hierarchy, &own).unwrap();
        let names: Vec<String> = found.targets.iter().map(|target| target.class.binary()).collect();
        assert_eq!(names, ["p.Small", "p.Large"]);
        let skipped: Vec<String> =
            found.skipped.iter().map(|(name, reason)| format!("{name} {}", reason.name())).collect();
        assert_eq!(
            skipped,
            ["p/Generated annotation", "p/Made generated", "p/Marked generated", "p/OrderExample generated",]
        );
        // Who names it means it.
        let named = ["p.Marked".to_owned()];
        assert_eq!(find(&hierarchy, &Asked { classes: &named, ..own }).unwrap().targets.len(), 1);
        let prefix = ["lib".to_owned()];
        let sentence = find(&hierarchy, &Asked { prefixes: &prefix, ..own }).unwrap_err().sentence;
        assert_eq!(sentence, "the class path has no package lib; check --prefix and the build");
    }

    /// Finds with the newest JDK; per target its nest.
    fn check(classes: &[&str], prefixes: &[&str], expect: &[&[&str]]) -> Targets {
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let hierarchy = fixture::compile(CLASSES).hierarchy();
        let found = find(&hierarchy, &asked(&owned(classes), &owned(prefixes), 25)).unwrap();
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
            let found = list(&hierarchy, &asked(&owned(classes), &owned(prefixes), 25)).unwrap();
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
        let failure = find(&hierarchy, &asked(&["p.Outer".to_owned()], &[], 7)).unwrap_err();
        assert_eq!(
            failure.sentence,
            "p.Outer cannot be tested: it was compiled for Java 8 and the JDK is 7; give a newer one with --java-home"
        );
    }
}
