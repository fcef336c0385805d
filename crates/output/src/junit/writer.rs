//! From a suite to the text of a test file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::RangeInclusive;

use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use bytecode::signature::GenericType;
use coverage::goal::GoalSet;
use testcase::cluster::TestCluster;
use testcase::test_case::CLASS_SUFFIX;

use crate::asserted_test::AssertedTest;

use super::access::Viewpoint;
use super::arrangement::{Arrangement, FixtureForm, nest};
use super::ast::{COMPLETES, Method, Unit, Warning, classes_of};
use super::fixtures::{Fixtures, Shared};
use super::folder::{self, FIELD};
use super::header::with_head;
use super::imports::{WELL_KNOWN, source_path};
use super::injection::Injecting;
use super::lower::shared_stubs::SharedStubs;
use super::lower::{Lowered, Lowering};
use super::naming::describer::Describer;
use super::naming::test_names::{NameScheme, TestWords, names};
use super::naming::words::sentence;
use super::part::{Part, Row, row_of};
use super::print::print;
use super::printed::{PrintedAssertion, PrintedSuite, PrintedTest, RefusedTest};
use super::style::JunitStyle;
use super::tables::Tables;
use super::{injection, settings, statics, streams};

/// What test classes are called behind the name of the class under test.
pub const SUFFIX: &str = CLASS_SUFFIX;
/// Names of methods that a test must not have: those of `Object`, and those imported from JUnit.
const RESERVED_TESTS: [&str; 23] = [
    "assertArrayEquals",
    COMPLETES,
    "assertEquals",
    "assertFalse",
    "assertNotNull",
    "assertNotSame",
    "assertNull",
    "assertSame",
    "assertThrows",
    "assertTrue",
    "clone",
    "equals",
    "fail",
    "finalize",
    "getClass",
    "hashCode",
    "notify",
    "notifyAll",
    "setUp",
    "tearDown",
    "test",
    "toString",
    "wait",
];
/// The same of Mockito.
const IMPORTED_FOR_MOCKS: [&str; 20] = [
    "any",
    "anyBoolean",
    "anyByte",
    "anyChar",
    "anyDouble",
    "anyFloat",
    "anyInt",
    "anyLong",
    "anyShort",
    "doAnswer",
    "doNothing",
    "doReturn",
    "doThrow",
    "eq",
    "inOrder",
    "mock",
    "times",
    "verify",
    "verifyNoMoreInteractions",
    "when",
];
/// Names that no variable gets: the parameter of our `catch`, and the first parts of common packages, which a
/// variable would obscure (Java language specification §6.4.2).
const RESERVED_VARIABLES: [&str; 9] = ["com", "edu", "expected", "io", "java", "javax", "net", "org", "test"];
/// Classes of JUnit and the platform that files name beside those of the tests.
const IMPORTED: [&str; 17] = [
    "Arguments",
    "Before",
    "BeforeEach",
    "CsvSource",
    "DisplayName",
    "ExtendWith",
    "Isolated",
    "MethodSource",
    "Mock",
    "MockitoExtension",
    "Nested",
    "Override",
    "ParameterizedTest",
    "Stream",
    "SuppressWarnings",
    "Test",
    "ValueSource",
];
/// From this share of tests on, a warning is suppressed once for the class.
const SHARED: (usize, usize) = (1, 2);

/// Writes suites for one class under test.
#[derive(Debug)]
pub struct JunitWriter<'a> {
    cluster: &'a TestCluster,
    hierarchy: &'a ClassHierarchy,
    later: Option<&'a ClassHierarchy>,
    goals: &'a GoalSet,
    class_under_test: ClassName,
    style: JunitStyle,
    reserved: BTreeSet<String>,
    part: usize,
    names: NameScheme,
    display_names: bool,
    isolates: bool,
    says_completion: bool,
    injecting: Injecting,
    arrangement: Arrangement,
    /// Where stubs are mocks: tests in which they are not.
    mocks: Option<BTreeSet<usize>>,
}

/// The test class of a class under test, in a package ([`ClassHierarchy::package_of_tests`]); nested names are joined by
/// `_`.
pub fn test_class(class_under_test: &ClassName, package: &str) -> ClassName {
    let base: String = class_under_test
        .base_name()
        .chars()
        .map(|character| if character == '$' || !character.is_alphanumeric() { '_' } else { character })
        .collect();
    let separator = if package.is_empty() { "" } else { "/" };
    ClassName::new(format!("{package}{separator}{base}{SUFFIX}"))
}

impl<'a> JunitWriter<'a> {
    /// A writer of tests for `class_under_test`, in their package ([`ClassHierarchy::package_of_tests`]).
    pub fn new(
        cluster: &'a TestCluster,
        hierarchy: &'a ClassHierarchy,
        goals: &'a GoalSet,
        class_under_test: ClassName,
        style: JunitStyle,
    ) -> Self {
        let reserved = reserved_names(cluster, hierarchy);
        Self {
            cluster,
            hierarchy,
            later: None,
            goals,
            class_under_test,
            style,
            reserved,
            part: 0,
            names: NameScheme::default(),
            display_names: false,
            isolates: false,
            says_completion: false,
            injecting: Injecting::default(),
            arrangement: Arrangement::default(),
            mocks: None,
        }
    }

    /// Writes a class whose name says which part of a suite it is, so that parts can run beside each other. Part 0 has the name
    /// of the whole.
    #[must_use]
    pub fn of_part(mut self, part: usize) -> Self {
        self.part = part;
        self
    }

    /// Gives tests names of this scheme.
    #[must_use]
    pub fn named_by(mut self, names: NameScheme) -> Self {
        self.names = names;
        self
    }

    /// Where JUnit has `assertDoesNotThrow`: tests that check nothing else say that their last call completes.
    #[must_use]
    pub fn saying_completion(mut self, says_completion: bool) -> Self {
        self.says_completion = says_completion;
        self
    }

    /// Gives private fields what a container puts there in this way.
    #[must_use]
    pub fn injecting(mut self, injecting: Injecting) -> Self {
        self.injecting = injecting;
        self
    }

    /// Gives tests sentences that JUnit 5 shows in place of their names.
    #[must_use]
    pub fn with_display_names(mut self, display_names: bool) -> Self {
        self.display_names = display_names && self.style == JunitStyle::Jupiter;
        self
    }

    /// Has a class whose tests look at what is printed run while no other does: JUnit, 5.7 or later, runs classes side by side.
    #[must_use]
    pub fn isolated(mut self, isolates: bool) -> Self {
        self.isolates = isolates && self.style == JunitStyle::Jupiter;
        self
    }

    /// Puts tests together, where the version of JUnit has what that takes.
    #[must_use]
    pub fn arranged(mut self, arrangement: Arrangement) -> Self {
        self.arrangement = match self.style {
            JunitStyle::Jupiter => arrangement,
            JunitStyle::Junit413 | JunitStyle::Junit4 => {
                let fixtures = match arrangement.fixtures {
                    FixtureForm::SharedWithMocks => FixtureForm::Shared,
                    form @ (FixtureForm::Apart | FixtureForm::Shared) => form,
                };
                Arrangement { tables: false, nested: false, fixtures, ..arrangement }
            }
        };
        self
    }

    /// Writes stubs as mocks of Mockito 2 or later, where these do the same; not in tests `apart`, by number.
    #[must_use]
    pub fn with_mocks(mut self, apart: BTreeSet<usize>) -> Self {
        self.mocks = Some(apart);
        self
    }

    /// Writes what also compiles where the classes of the platform are those of a later release: a build that names a
    /// source level and no release compiles against the JDK at hand. `hierarchy` holds the classes as seen there.
    #[must_use]
    pub fn compiled_against(mut self, hierarchy: &'a ClassHierarchy) -> Self {
        self.later = Some(hierarchy).filter(|later| !std::ptr::eq(*later, self.hierarchy));
        self
    }

    /// Writes a suite. Tests that Java cannot say are left out, with the reason.
    pub fn write(&self, suite: &[AssertedTest]) -> PrintedSuite {
        let package = self.hierarchy.package_of_tests(&self.class_under_test);
        let view = Viewpoint { hierarchy: self.hierarchy, package: &package };
        let later = self.later.map(|hierarchy| Viewpoint { hierarchy, package: &package });
        let (cluster, style, reserved) = (self.cluster, self.style, &self.reserved);
        let nothing_shared = SharedStubs::default();
        let (says_completion, injecting) = (self.says_completion, self.injecting);
        let (shared, mocks) = (&nothing_shared, false);
        let alone =
            Lowering { cluster, view, later, style, injecting, says_completion, reserved, shared, mocks };
        let mocks = |test: usize| self.mocks.as_ref().is_some_and(|apart| !apart.contains(&test));
        let shared = SharedStubs::new(&alone, suite, &mocks);
        let describer = Describer { cluster: self.cluster, view, goals: self.goals };
        let (mut parts, mut refused) = (Vec::new(), Vec::new());
        for (index, test) in suite.iter().enumerate() {
            let lowering = Lowering { shared: &shared, mocks: mocks(index), ..alone };
            match lowering.lower(test) {
                Ok(lowered) => {
                    parts.push(part(index, lowered, describer.describe(test), test.name.as_deref()));
                }
                Err(reason) => refused.push(RefusedTest { test: index, reason }),
            }
        }
        let tests: Vec<_> =
            parts.iter().flat_map(|part| &part.tests).map(|row| &suite[row.test].test).collect();
        let rows = parts.iter().flat_map(|part| &part.tests);
        let streams: BTreeSet<_> = rows.flat_map(|row| streams::asserted(&suite[row.test])).collect();
        let stubs = shared.of(&parts.iter().flat_map(|part| &part.tests).map(|row| row.test).collect());
        let mut parts = self.arrange(parts, suite);
        let form = self.arrangement.fixtures;
        let Shared { mock_fields, set_ups, helpers } = if form == FixtureForm::Apart {
            Shared::default()
        } else {
            let (apart, may_set_up) = (&self.arrangement.apart, streams.is_empty());
            let has_mock_fields = form == FixtureForm::SharedWithMocks && self.mocks.is_some();
            Fixtures { cluster, view, suite, apart, may_set_up, has_mock_fields }
                .taken_out(&mut parts, &self.reserved_methods())
        };
        let class = match (test_class(&self.class_under_test, &package), self.part) {
            (class, 0) => class,
            (class, part) => ClassName::new(format!("{class}_{part}")),
        };
        let (methods, rows) = parts.into_iter().map(apart).unzip();
        let mut unit = Unit {
            package: package.clone(),
            name: class.base_name().to_owned(),
            suppressed: BTreeSet::new(),
            is_isolated: false,
            streams,
            injects: injection::is_needed(cluster, self.injecting, &tests),
            has_folder: tests.iter().any(|test| cluster.uses_folder(test)),
            statics: Vec::new(),
            settings: tests.iter().flat_map(|test| cluster.settings_of(test)).collect(),
            mock_fields,
            set_ups,
            methods,
            helpers,
            stubs,
        };
        let contexts = tests.iter().flat_map(|test| cluster.contexts_of(test)).collect();
        let warnings;
        (unit.statics, warnings) = statics::changed(&unit, view, cluster, &contexts);
        unit.suppressed.extend(warnings);
        let is_alone = unit.streams.is_empty() && unit.statics.is_empty() && unit.settings.is_empty();
        unit.is_isolated = self.isolates && !is_alone;
        share_warnings(&mut unit);
        self.finish(&unit, class, rows, refused)
    }

    /// The methods in the order of the file, with their names.
    fn arrange(&self, mut parts: Vec<Part>, suite: &[AssertedTest]) -> Vec<Part> {
        let Arrangement { tables, nested, fixtures: _, apart } = &self.arrangement;
        if *tables {
            let (cluster, hierarchy, reserved) = (self.cluster, self.hierarchy, &self.reserved);
            parts = Tables { cluster, hierarchy, suite, reserved, apart }.merged(parts);
        } else {
            // A row cannot be a method by its name.
            let is_method = |name: &String| row_of(name).is_none();
            for part in &mut parts {
                part.given = part.given.take().filter(is_method);
            }
        }
        let words: Vec<TestWords> = parts.iter().map(|part| part.words.clone()).collect();
        let reserved = self.reserved_methods();
        let given: Vec<Option<String>> = parts.iter().map(|part| part.given.clone()).collect();
        let given: Vec<Option<&str>> = given.iter().map(Option::as_deref).collect();
        for (part, name) in parts.iter_mut().zip(names(&words, &given, &reserved, self.names)) {
            part.method.display_name = self.display_names.then(|| sentence(&part.words.subject, &name));
            part.method.name = name;
        }
        if *nested {
            let reserved = self.class_names(&parts);
            nest(parts, &reserved)
        } else {
            parts
        }
    }

    /// Names that no method of the file gets unless it is there for what they say.
    fn reserved_methods(&self) -> BTreeSet<String> {
        let may_mock = self.mocks.is_some() || self.cluster.has_mocks();
        let imported = IMPORTED_FOR_MOCKS.into_iter().filter(|_| may_mock);
        let ours = RESERVED_TESTS
            .into_iter()
            .chain(streams::METHODS)
            .chain([statics::METHOD, settings::METHOD, injection::METHOD])
            .chain(imported);
        ours.map(str::to_owned).collect()
    }

    /// Simple names of classes that the file may name: a class within it would hide them.
    fn class_names(&self, parts: &[Part]) -> BTreeSet<String> {
        let mut names = self.reserved.clone();
        names.extend(IMPORTED.iter().chain(&WELL_KNOWN).map(|&name| name.to_owned()));
        let mut add = |class: &ClassName| names.extend(class.base_name().split('$').map(str::to_owned));
        for Part { method, .. } in parts {
            method.expected.iter().chain(&method.throws).for_each(&mut add);
            method.body.iter().for_each(|line| line.statement.for_each_class(&mut add));
            method.table.iter().for_each(|table| table.for_each_class(&mut add));
        }
        folder::classes(self.style).iter().for_each(&mut add);
        streams::classes(self.style).iter().for_each(&mut add);
        add(&test_class(&self.class_under_test, ""));
        names
    }

    fn finish(
        &self,
        unit: &Unit,
        class: ClassName,
        rows: Vec<Vec<(String, Row)>>,
        refused: Vec<RefusedTest>,
    ) -> PrintedSuite {
        let (body, places) = print(unit, self.style, self.hierarchy);
        let body = ascii(&body);
        let methods = places.into_iter().zip(rows).zip(&unit.methods);
        let tests = methods.flat_map(|((place, rows), method)| {
            let printed = move |(name, row): (String, Row)| PrintedTest {
                test: row.test,
                method: name,
                nested: method.nested.clone(),
                lines: place.first..=place.last,
                assertions: printed_assertions(&row.assertions, &place.lines),
                unsaid: row.unsaid,
            };
            rows.into_iter().map(printed)
        });
        let tests = tests.collect();
        PrintedSuite { text: with_head(&body), class, tests, refused }
    }
}

/// The assertions of a test with the lines of each: several in a row may say it together.
fn printed_assertions(assertions: &[Option<usize>], lines: &[RangeInclusive<u32>]) -> Vec<PrintedAssertion> {
    let mut printed: Vec<PrintedAssertion> = Vec::new();
    for (assertion, lines) in assertions.iter().zip(lines) {
        let Some(assertion) = *assertion else { continue };
        match printed.last_mut().filter(|last| last.assertion == assertion) {
            Some(last) => last.lines = *last.lines.start()..=*lines.end(),
            None => printed.push(PrintedAssertion { assertion, lines: lines.clone() }),
        }
    }
    printed
}

/// The method of a test.
fn part(test: usize, lowered: Lowered, words: TestWords, given: Option<&str>) -> Part {
    let Lowered { method, unsaid } = lowered;
    let assertions = method.body.iter().map(|line| line.assertion).collect();
    Part { method, words, given: given.map(str::to_owned), tests: vec![Row { test, assertions, unsaid }] }
}

/// A method, and its tests with what the file calls each.
fn apart(part: Part) -> (Method, Vec<(String, Row)>) {
    let rows = part.tests.iter().enumerate().map(|(index, row)| (part.name_of(index), row.clone())).collect();
    (part.method, rows)
}

/// Names that variables must not have, because they would obscure a class or package that the file names.
fn reserved_names(cluster: &TestCluster, hierarchy: &ClassHierarchy) -> BTreeSet<String> {
    let reserved = RESERVED_VARIABLES.iter().chain(&streams::FIELDS);
    let mut names: BTreeSet<String> = reserved.map(|&name| name.to_owned()).collect();
    let mut add = |class: &ClassName| {
        let (top, _) = source_path(hierarchy, class);
        names.extend(top.package().split('/').next().map(str::to_owned));
        names.insert(top.base_name().to_owned());
    };
    if !cluster.folder_calls().is_empty() {
        add(&FIELD.into());
    }
    for of in &cluster.types {
        classes_of(&of.generic, &mut add);
        classes_of(&GenericType::from(&of.erased), &mut add);
    }
    cluster.callables.iter().map(|callable| &callable.declared_in).for_each(&mut add);
    cluster.fields.iter().map(|field| &field.declared_in).for_each(&mut add);
    names
}

/// Moves a warning that many tests suppress to the class. What the class suppresses, nothing in it does again.
fn share_warnings(unit: &mut Unit) {
    let mut counts: BTreeMap<Warning, usize> = BTreeMap::new();
    for warning in unit.methods.iter().flat_map(|method: &Method| &method.suppressed) {
        *counts.entry(*warning).or_default() += 1;
    }
    let is_shared = |count: usize| count > 1 && count * SHARED.1 >= unit.methods.len() * SHARED.0;
    unit.suppressed
        .extend(counts.into_iter().filter_map(|(warning, count)| is_shared(count).then_some(warning)));
    let Unit { suppressed: shared, methods, helpers, stubs, .. } = unit;
    let of_methods = methods.iter_mut().map(|method| &mut method.suppressed);
    let of_helpers = helpers.iter_mut().map(|helper| &mut helper.suppressed);
    let of_stubs = stubs.iter_mut().map(|class| &mut class.suppressed);
    of_methods
        .chain(of_helpers)
        .chain(of_stubs)
        .for_each(|own| own.retain(|warning| !shared.contains(warning)));
}

/// Characters outside ASCII (of identifiers) as Unicode escapes: the file means the same in every encoding.
fn ascii(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii() {
            escaped.push(character);
        } else {
            for unit in character.encode_utf16(&mut [0; 2]) {
                write!(escaped, "\\u{unit:04x}").expect("writing to a string does not fail");
            }
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_classes_live_beside_the_class_under_test() {
        for (class, expect) in [
            ("p/q/Foo", "p/q/FooCovolveTest"),
            ("p/Outer$Inner", "p/Outer_InnerCovolveTest"),
            ("Foo", "FooCovolveTest"),
        ] {
            let class = ClassName::new(class);
            assert_eq!(test_class(&class, class.package()).as_str(), expect);
        }
    }

    #[test]
    fn identifiers_outside_ascii_are_escaped() {
        assert_eq!(ascii("größe 𝒳"), "gr\\u00f6\\u00dfe \\ud835\\udcb3");
    }
}
