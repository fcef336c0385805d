//! The project's own tests, as their class files tell: which of them are about a class, by which JUnit they run, and what they say.

#![expect(clippy::disallowed_methods, reason = "reads the user's class files")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use bytecode::class_file::ClassFile;
use bytecode::class_info::{ClassInfo, Nesting};
use bytecode::name::ClassName;
use output::junit::writer::SUFFIX;

use crate::build::freshness::files_below;
use crate::dependencies::{hash_of, named_in};
use crate::junit::Framework;
use crate::targets::Target;

/// The classes in the folders that a build compiles tests to, by internal name.
#[derive(Debug, Default)]
pub struct OwnTests {
    classes: BTreeMap<String, TestClass>,
    /// Those that JUnit can be given.
    runnable: Vec<Runnable>,
    /// By internal name: which of these name it.
    naming: BTreeMap<String, BTreeSet<usize>>,
}

/// A test class that JUnit can be given.
#[derive(Debug)]
struct Runnable {
    name: String,
    framework: Framework,
    /// It, what it extends among the classes of tests, and what is nested in these.
    parts: BTreeSet<String>,
}

#[derive(Debug)]
struct TestClass {
    bytes: Arc<[u8]>,
    /// Classes that it names, of tests and of those that are to be tested.
    named: BTreeSet<String>,
    superclass: Option<String>,
    /// Which JUnit its annotations, or its superclass, are of.
    framework: Option<Framework>,
    /// Whether JUnit can be given it: no other class holds it, and there can be objects of it.
    can_run: bool,
}

/// The tests of a class.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestsOf {
    /// The test classes to be run, by binary name, sorted.
    pub classes: Vec<(String, Framework)>,
    /// The class files of these, of what is nested in them and of what they extend: path below a root, and bytes, sorted.
    pub files: Vec<(String, Arc<[u8]>)>,
    /// Likewise of the other classes of tests that these use.
    pub helpers: Vec<(String, Arc<[u8]>)>,
}

impl TestsOf {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// All that the tests do, as a hash.
    pub fn hash(&self) -> String {
        let files = self.files.iter().chain(&self.helpers);
        let lines: Vec<String> = files.map(|(path, bytes)| format!("{path} {}", hash_of(bytes))).collect();
        hash_of(lines.join("\n"))
    }
}

impl OwnTests {
    /// Reads class files below these folders; what we wrote is none of the project's. What cannot be read tells nothing.
    pub fn read(folders: &[PathBuf], targets: &[Target]) -> Self {
        let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        for folder in folders {
            for path in files_below(folder) {
                let is_class = path.extension().is_some_and(|extension| extension == "class");
                let bytes = if is_class { fs::read(&path).unwrap_or_default() } else { continue };
                let name =
                    ClassFile::parse(&bytes).ok().and_then(|file| Some(file.name().ok()?.into_owned()));
                if let Some(name) = name.filter(|name| !is_ours(name)) {
                    files.entry(name).or_insert(bytes);
                }
            }
        }
        let of_targets = targets.iter().flat_map(|target| &target.nest).map(ClassName::as_str);
        let known: BTreeSet<&str> = files.keys().map(String::as_str).chain(of_targets).collect();
        let classes = files.iter().filter_map(|(name, bytes)| Some((name.clone(), read(bytes, &known)?)));
        let tests = Self { classes: classes.collect(), ..Self::default() };
        let mut runnable = Vec::new();
        let mut naming: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        for (name, class) in tests.classes.iter().filter(|(_, class)| class.can_run) {
            let parts = tests.parts(name, class);
            let of_part = |part: &&str| tests.classes.get(*part);
            let Some(framework) = parts.iter().filter_map(|part| of_part(part)?.framework).min() else {
                continue;
            };
            for named in parts.iter().filter_map(of_part).flat_map(|part| &part.named) {
                naming.entry(named.clone()).or_default().insert(runnable.len());
            }
            let parts = parts.into_iter().map(str::to_owned).collect();
            runnable.push(Runnable { name: name.clone(), framework, parts });
        }
        Self { runnable, naming, ..tests }
    }

    /// Whether there is no class of tests.
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// The tests that name a class, or one of its nest.
    pub fn of(&self, nest: &[ClassName]) -> TestsOf {
        let mut tests = TestsOf::default();
        let (mut own, mut reached) = (BTreeSet::new(), BTreeSet::new());
        let naming = nest.iter().filter_map(|class| self.naming.get(class.as_str()));
        for number in naming.flatten().collect::<BTreeSet<_>>() {
            let Runnable { name, framework, parts } = &self.runnable[*number];
            tests.classes.push((name.replace('/', "."), *framework));
            self.reach(parts, &mut reached);
            own.extend(parts.iter().map(String::as_str));
        }
        let file = |name: &&str| {
            let bytes =
                self.classes.get(*name).map_or_else(|| Arc::from([]), |class| Arc::clone(&class.bytes));
            (format!("{name}.class"), bytes)
        };
        tests.files = own.iter().map(file).collect();
        tests.helpers = reached.difference(&own).map(file).collect();
        tests
    }

    /// A test class with what it extends among the classes of tests, and what is nested in these.
    fn parts<'a>(&'a self, name: &'a str, class: &'a TestClass) -> BTreeSet<&'a str> {
        let mut parts = BTreeSet::new();
        let mut next = Some((name, class));
        while let Some((name, class)) = next {
            // Class files may say anything, such as that two classes extend each other.
            if !parts.insert(name) {
                break;
            }
            let from = format!("{name}$");
            let nested = self.classes.range(from.clone()..).map(|(nested, _)| nested.as_str());
            parts.extend(nested.take_while(|nested| nested.starts_with(&from)));
            let superclass = class.superclass.as_ref().and_then(|name| self.classes.get_key_value(name));
            next = superclass.map(|(name, class)| (name.as_str(), class));
        }
        parts
    }

    /// Adds the classes of tests that these use.
    fn reach<'a>(&'a self, from: &'a BTreeSet<String>, reached: &mut BTreeSet<&'a str>) {
        let mut open: Vec<&str> = from.iter().map(String::as_str).collect();
        while let Some(name) = open.pop() {
            let Some((name, class)) = self.classes.get_key_value(name) else { continue };
            if reached.insert(name) {
                open.extend(class.named.iter().map(String::as_str));
            }
        }
    }
}

/// Whether a class holds tests that we wrote, or is nested in one that does.
fn is_ours(name: &str) -> bool {
    let simple = name.rsplit('/').next().unwrap_or_default();
    simple.split('$').next().unwrap_or_default().ends_with(SUFFIX)
}

fn read(bytes: &[u8], known: &BTreeSet<&str>) -> Option<TestClass> {
    let file = ClassFile::parse(bytes).ok()?;
    let info = ClassInfo::from_class_file(&file).ok()?;
    let mut named = BTreeSet::new();
    let mut markers = Vec::new();
    named_in(&file.constants, &mut |name| {
        if known.contains(name) && name != info.name.as_str() {
            named.insert(name.to_owned());
        }
        markers.extend(framework_of(name));
    });
    Some(TestClass {
        bytes: bytes.into(),
        named,
        superclass: info.superclass.as_ref().map(|name| name.as_str().to_owned()),
        framework: markers.into_iter().min(),
        can_run: info.nesting == Nesting::TopLevel && !info.is_interface() && !info.access.is_abstract(),
    })
}

/// The JUnit whose annotation or superclass a constant names.
fn framework_of(constant: &str) -> Option<Framework> {
    let is_annotation = constant.ends_with(';');
    match constant {
        "Lorg/junit/Test;" | "Lorg/junit/runner/RunWith;" | "junit/framework/TestCase" => {
            Some(Framework::Junit4)
        }
        jupiter if is_annotation && jupiter.starts_with("Lorg/junit/jupiter/") => Some(Framework::Jupiter),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What stands for both versions of JUnit: nothing here runs.
    const CLASSES: &str = "
//- /org/junit/Test.java
package org.junit;
import java.lang.annotation.*;
@Retention(RetentionPolicy.RUNTIME) public @interface Test {}
//- /org/junit/jupiter/api/Test.java
package org.junit.jupiter.api;
import java.lang.annotation.*;
@Retention(RetentionPolicy.RUNTIME) public @interface Test {}
//- /p/A.java
package p;
public class A { public static class In { public int one() { return 1; } } }
//- /p/B.java
package p;
public class B {}
//- /p/FourTest.java
package p;
public class FourTest { @org.junit.Test public void one() { Maker.make().one(); } }
//- /p/Maker.java
package p;
public class Maker { static A.In make() { return new A.In(); } }
//- /p/FiveTest.java
package p;
class FiveTest extends Base { void helper() {} static class Part { Object b() { return new B(); } } }
//- /p/Base.java
package p;
abstract class Base { @org.junit.jupiter.api.Test void one() { new A(); } }
//- /p/ACovolveTest.java
package p;
public class ACovolveTest { @org.junit.Test public void one() { new A(); } }
//- /p/Plain.java
package p;
public class Plain { A a = new A(); }
";

    fn check(nest: &[&str], classes: &[(&str, Framework)], files: &[&str], helpers: &[&str]) {
        let names = ["p/A", "p/A$In", "p/B"].map(ClassName::from);
        let target = |class: &ClassName| Target {
            class: class.clone(),
            nest: vec![class.clone()],
            java_version: 8,
            package_of_tests: "p".into(),
        };
        let targets: Vec<Target> = names.iter().map(target).collect();
        let tests = OwnTests::read(&[fixture::compile(CLASSES).folder.clone()], &targets);
        let found = tests.of(&nest.iter().map(|name| ClassName::from(*name)).collect::<Vec<_>>());
        let paths =
            |files: &[(String, Arc<[u8]>)]| files.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>();
        let expect: Vec<(String, Framework)> =
            classes.iter().map(|(name, framework)| ((*name).to_owned(), *framework)).collect();
        let named = |names: &[&str]| names.iter().map(|name| format!("p/{name}.class")).collect::<Vec<_>>();
        assert_eq!(found.classes, expect, "{nest:?}");
        assert_eq!(paths(&found.files), named(files), "{nest:?}");
        // The classes under test lie in the same folder here, and the annotations.
        let mut found = paths(&found.helpers);
        found.retain(|path| helpers.iter().any(|name| *path == format!("p/{name}.class")));
        assert_eq!(found, named(helpers), "{nest:?}");
    }

    #[test]
    fn tests_that_name_a_class_are_its_tests_with_what_they_use() {
        let five = ["Base", "FiveTest", "FiveTest$Part"];
        // By the type that a method returns which another class declares.
        check(
            &["p/A", "p/A$In"],
            &[("p.FiveTest", Framework::Jupiter), ("p.FourTest", Framework::Junit4)],
            &["Base", "FiveTest", "FiveTest$Part", "FourTest"],
            &["Maker"],
        );
        check(&["p/B"], &[("p.FiveTest", Framework::Jupiter)], &five, &[]);
        check(&["p/C"], &[], &[], &[]);
    }
}
