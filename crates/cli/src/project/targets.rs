//! The classes to test: what `--class` and `--prefix` name, found on the class path.

use std::collections::BTreeSet;

use bytecode::class_info::{ClassInfo, ClassKind, Nesting};
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;

use output::junit::writer::test_class;

use crate::failure::Failure;

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
}

impl Target {
    /// Path of its test file below the root of the test sources.
    pub fn test_file(&self) -> String {
        format!("{}.java", test_class(&self.class))
    }
}

/// What was found, and what was passed over with the reason.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Targets {
    /// Classes to test: those of `--class` in the order given, then those of `--prefix` by name.
    pub targets: Vec<Target>,
    /// Classes of `--prefix` that are not tested, with the reason.
    pub skipped: Vec<(ClassName, String)>,
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
            let Some(Ok(info)) = hierarchy.read(&name) else {
                found.skipped.push((name, "its class file cannot be read".to_owned()));
                continue;
            };
            if !matches!(info.nesting, Nesting::TopLevel) || info.access.is_synthetic() {
                continue; // belongs to the nest of its top-level class, or is the compiler's own
            }
            match usable(hierarchy, jdk_version, &info) {
                Ok(target) => found.targets.push(target),
                Err(reason) => found.skipped.push((name, reason)),
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

fn named(hierarchy: &ClassHierarchy, jdk_version: u16, binary: &str) -> Result<Target, Failure> {
    let name = ClassName::from_binary(binary);
    if !hierarchy.source().is_on_class_path(&name) {
        return Err(missing(hierarchy, &name));
    }
    match hierarchy.read(&name) {
        Some(Ok(info)) if info.name == name => usable(hierarchy, jdk_version, &info)
            .map_err(|reason| Failure::input(format!("{binary} cannot be tested: {reason}"))),
        Some(Ok(info)) => Err(Failure::input(format!(
            "the class file of {binary} holds {}; give the root of the class files with --cp",
            info.name.binary()
        ))),
        Some(Err(error)) => Err(Failure::input(format!(
            "the class file of {binary} cannot be read ({error}); compile the class anew"
        ))),
        None => Err(missing(hierarchy, &name)),
    }
}

/// The target of a class that was read, or why there is none.
fn usable(hierarchy: &ClassHierarchy, jdk_version: u16, info: &ClassInfo) -> Result<Target, String> {
    let java_version = java_version(info.version);
    if java_version > jdk_version {
        return Err(format!(
            "it was compiled for Java {java_version} and the JDK is {jdk_version}; give a newer one with --java-home"
        ));
    }
    let nest = nest(hierarchy, &info.name);
    let has_code = nest.iter().any(|name| hierarchy.class(name).is_some_and(|info| declares_code(&info)));
    if !has_code {
        let kind = match info.kind {
            ClassKind::Annotation => "an annotation",
            ClassKind::Interface => "an interface",
            ClassKind::Class | ClassKind::Enum | ClassKind::Record => "a class",
        };
        return Err(format!("it is {kind} without code"));
    }
    Ok(Target { class: info.name.clone(), nest, java_version })
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

/// Up to three candidates that are spelled nearly like the name: (spelling, what to show).
fn nearest<'a>(name: &str, candidates: impl Iterator<Item = (&'a str, String)>) -> Vec<String> {
    let name = name.replace('/', ".");
    let limit = (name.len() / 6).clamp(1, 4);
    let mut near: Vec<(usize, String)> = candidates
        .filter(|(spelling, _)| spelling.len().abs_diff(name.len()) <= limit)
        .map(|(spelling, shown)| (strsim::osa_distance(&spelling.replace('/', "."), &name), shown))
        .filter(|(distance, _)| *distance <= limit)
        .collect();
    near.sort();
    near.into_iter().map(|(_, shown)| shown).take(3).collect()
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
        let target = |name: &str| Target { class: name.into(), nest: Vec::new(), java_version: 8 };
        assert_eq!(target("com/acme/Foo").test_file(), "com/acme/FooCovolveTest.java");
        assert_eq!(target("com/acme/Outer$Inner").test_file(), "com/acme/Outer_InnerCovolveTest.java");
        assert_eq!(target("Foo").test_file(), "FooCovolveTest.java");
    }

    #[test]
    fn near_names_are_few_and_close() {
        let check = |name: &str, expect: &[&str]| {
            let known = ["com.acme.util", "com.acme.utils", "com.acme", "org.other"];
            assert_eq!(nearest(name, known.iter().map(|&known| (known, known.to_owned()))), expect);
        };
        check("com.acme.utl", &["com.acme.util", "com.acme.utils"]);
        check("com.acne", &["com.acme"]);
        check("net.nothing", &[]);
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
        assert_eq!(found.skipped, [("p/q/Empty".into(), "it is an interface without code".to_owned())]);
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
