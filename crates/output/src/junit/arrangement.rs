//! How tests stand in a file, once it is known which of them it has: rows of parameterized tests, classes by method, which both are
//! of JUnit 5; and fixtures.

use std::collections::{BTreeMap, BTreeSet};

use super::naming::words::capitalized;
use super::part::Part;

/// What is put together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Arrangement {
    /// Tests of one shape become rows of a parameterized test.
    pub tables: bool,
    /// Tests of one method stand in a class of their own, where there are many methods and tests.
    pub nested: bool,
    /// What several tests begin with.
    pub fixtures: FixtureForm,
    /// Tests that stay methods of their own in spite of `tables`, and as they are in spite of `fixtures`, by number.
    pub apart: BTreeSet<usize>,
}

/// How several tests have what they begin with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FixtureForm {
    /// Each its own.
    #[default]
    Apart,
    /// In fields or methods that they share.
    Shared,
    /// The same, and mocks in fields with `@Mock`: with JUnit 5, for which Mockito has an extension.
    SharedWithMocks,
}

/// Most methods under test, and most test methods, of a test class without nested classes.
const MOST_METHODS: usize = 10;
const MOST_TESTS: usize = 30;
/// Fewest test methods that get a class.
const LEAST_NESTED: usize = 2;

/// Puts the tests of each method into a class of its own, where there are enough: the classes stand behind the tests that have
/// none, in the order of their first tests. None of them has a `reserved` name.
pub(super) fn nest(parts: Vec<Part>, reserved: &BTreeSet<String>) -> Vec<Part> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for part in &parts {
        *counts.entry(part.words.subject.clone()).or_default() += 1;
    }
    if counts.len() <= MOST_METHODS || parts.len() <= MOST_TESTS {
        return parts;
    }
    let stays = staying(&counts);
    let mut taken = BTreeSet::new();
    let mut classes: BTreeMap<String, String> = BTreeMap::new();
    let mut groups: Vec<(String, Vec<Part>)> = Vec::new();
    let mut nested = Vec::new();
    for mut part in parts {
        let subject = part.words.subject.clone();
        if stays.contains(&subject) {
            nested.push(part);
            continue;
        }
        let class =
            classes.entry(subject).or_insert_with_key(|subject| class_name(subject, reserved, &mut taken));
        part.method.nested = Some(class.clone());
        match groups.iter_mut().find(|(name, _)| name == class) {
            Some((_, parts)) => parts.push(part),
            None => groups.push((class.clone(), vec![part])),
        }
    }
    nested.extend(groups.into_iter().flat_map(|(_, parts)| parts));
    nested
}

/// The methods whose tests stay in the class itself: those with too few for a class of their own, else the one with the fewest. What runs
/// test classes that it finds by their tests (PIT) runs nested ones only through a class that has a test itself.
fn staying(counts: &BTreeMap<String, usize>) -> BTreeSet<String> {
    let few = counts.iter().filter(|&(_, &count)| count < LEAST_NESTED).map(|(subject, _)| subject.clone());
    let few: BTreeSet<String> = few.collect();
    let fewest = || counts.iter().min_by_key(|&(_, &count)| count).map(|(subject, _)| subject.clone());
    if few.is_empty() { fewest().into_iter().collect() } else { few }
}

/// The name of a class for the tests of a method; file systems may take names for the same that differ in case alone.
fn class_name(subject: &str, reserved: &BTreeSet<String>, taken: &mut BTreeSet<String>) -> String {
    let base = capitalized(subject);
    let is_free = |name: &str, taken: &BTreeSet<String>| {
        !reserved.contains(name) && !taken.contains(&name.to_lowercase())
    };
    let mut name = base.clone();
    let mut number = 1;
    while !is_free(&name, taken) {
        name = if number == 1 { format!("{base}Method") } else { format!("{base}Method{number}") };
        number += 1;
    }
    taken.insert(name.to_lowercase());
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_tests_stay_in_the_class_itself() {
        let check = |counts: &[(&str, usize)], expect: &[&str]| {
            let counts = counts.iter().map(|&(subject, count)| (subject.to_owned(), count)).collect();
            assert_eq!(staying(&counts), expect.iter().map(|&subject| subject.to_owned()).collect());
        };
        check(&[("add", 4), ("get", 1), ("set", 9)], &["get"]);
        check(&[("add", 4), ("get", 2), ("set", 2)], &["get"]);
    }

    #[test]
    fn classes_have_the_names_of_methods_unless_something_else_has() {
        let reserved = BTreeSet::from(["Splitter".to_owned()]);
        let mut taken = BTreeSet::new();
        let names =
            ["parse", "splitter", "PARSE", "Parse"].map(|subject| class_name(subject, &reserved, &mut taken));
        assert_eq!(names, ["Parse", "SplitterMethod", "PARSEMethod", "ParseMethod2"]);
    }
}
