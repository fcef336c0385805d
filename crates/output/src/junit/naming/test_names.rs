//! Names of tests: the call that the test is about, what is special about its inputs, and what comes of it. Where that
//! is not enough to tell it from its siblings, the detail in which they differ most is told as well, and so on. A
//! number only for tests that differ in nothing that has a word.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::words::decapitalized;

/// Longest name of a test, and of one that else had a number.
const LONGEST: usize = 70;
const LONGEST_OF_ALIKE: usize = 100;
/// Most details that a name tells to be different from others.
const MOST_DETAILS: usize = 4;

/// How names are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum NameScheme {
    /// `parseReturnsNullForEmptyString`
    #[default]
    Camel,
    /// `parse_emptyString_returnsNull`
    Snake,
}

impl NameScheme {
    /// All, the default first.
    pub const ALL: [Self; 2] = [Self::Camel, Self::Snake];

    /// The name that the user gives.
    pub fn name(self) -> &'static str {
        match self {
            Self::Camel => "camel",
            Self::Snake => "snake",
        }
    }

    /// The one of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scheme| scheme.name() == name)
    }
}

/// How a name is put together, and how long it may be.
#[derive(Debug, Clone, Copy)]
struct Form {
    scheme: NameScheme,
    longest: usize,
}

/// Something that can be told of a test. Where two tell siblings apart equally well, the first in this order does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Detail {
    /// Which of the overloads is called: `IntArrays`.
    Overload,
    /// An argument: `NullName`.
    Argument(u8),
    /// What was done to an argument: `InfoWithTitle`.
    Prepared(u8),
    /// The class of the object, where it is not the class under test.
    Owner,
    /// What the object was made by: `CSVInstance`.
    Receiver,
    /// What a field of the object was given: `MockEnvironment`.
    Field,
    /// How arguments relate to one another: `LowerAboveUpper`.
    Relation,
    /// The last call before on the same object: `Add`.
    Before,
    /// The result, more exactly: takes the place of the outcome.
    Result,
    /// What is asserted besides.
    Effect(u8),
    /// What the exception says: `SaysNoSuchElement`.
    Message,
    /// The type of an argument, where it is not that of the parameter.
    Type(u8),
    /// An argument, more exactly.
    Exact(u8),
    /// What the last call before got.
    BeforeWith,
    /// How many calls came before.
    Calls,
    /// What the object was made from.
    Origin,
}

/// The part of a name in which a detail stands, in the order of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Outcome,
    For,
    With,
    On,
    After,
    And,
}

impl Detail {
    /// Whether it reads well. The others are told where these are the same.
    fn is_plain(self) -> bool {
        match self {
            Self::Overload
            | Self::Argument(_)
            | Self::Prepared(_)
            | Self::Owner
            | Self::Receiver
            | Self::Field
            | Self::Relation
            | Self::Before
            | Self::Result => true,
            Self::Effect(_)
            | Self::Message
            | Self::Type(_)
            | Self::Exact(_)
            | Self::BeforeWith
            | Self::Calls
            | Self::Origin => false,
        }
    }

    fn place(self) -> Place {
        match self {
            Self::Result => Place::Outcome,
            Self::Overload
            | Self::Argument(_)
            | Self::Prepared(_)
            | Self::Type(_)
            | Self::Exact(_)
            | Self::Relation => Place::For,
            Self::Field => Place::With,
            Self::Owner | Self::Receiver | Self::Origin => Place::On,
            Self::Before | Self::BeforeWith | Self::Calls => Place::After,
            Self::Effect(_) | Self::Message => Place::And,
        }
    }
}

/// What the name of a test can be made of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TestWords {
    /// What is called: `parse`.
    pub subject: String,
    /// What comes of it: `ReturnsTrue`.
    pub outcome: String,
    /// The same of all tests of that kind: `ReturnsNumber`. Empty where nothing says it.
    pub kind: String,
    /// Whether the outcome tells no more than the declaration of what is called: `ReturnsOrder`.
    pub is_declared: bool,
    /// What else can be told.
    pub details: BTreeMap<Detail, String>,
    /// What is told in any case, as far as there is room.
    pub special: BTreeSet<Detail>,
}

impl TestWords {
    /// What several tests have in common: the call, what comes of it, as far as it is the same or of one kind, and details that
    /// are the same.
    pub(crate) fn common(tests: &[&Self]) -> Self {
        let Some((&first, others)) = tests.split_first() else { return Self::default() };
        let is_common = |of: &dyn Fn(&Self) -> &str| others.iter().all(|other| of(other) == of(first));
        let outcome = if is_common(&|words| &words.outcome) {
            first.outcome.clone()
        } else if is_common(&|words| &words.kind) && !first.kind.is_empty() {
            first.kind.clone()
        } else {
            match common_humps(tests).as_str() {
                "" => "HasEffect".to_owned(),
                verb @ ("Returns" | "Throws") => format!("{verb}AsExpected"),
                "Sets" => "SetsValue".to_owned(),
                humps => humps.to_owned(),
            }
        };
        let is_shared = |detail: &Detail, word: &String| {
            others.iter().all(|other| other.details.get(detail) == Some(word))
        };
        let mut details = first.details.clone();
        details.retain(|detail, word| is_shared(detail, word));
        let special = first.special.iter().copied().filter(|detail| details.contains_key(detail)).collect();
        let is_declared = tests.iter().all(|words| words.is_declared);
        Self {
            subject: first.subject.clone(),
            outcome,
            kind: first.kind.clone(),
            is_declared,
            details,
            special,
        }
    }

    /// The name with these details. Where there is no room for more, exceptions are called by their stem, and an outcome that tells
    /// no more than the declaration makes room for details.
    fn name(&self, told: &BTreeSet<Detail>, Form { scheme, longest }: Form) -> String {
        let name = self.name_with(&self.outcome, told, scheme);
        if name.len() <= longest {
            return name;
        }
        if self.is_declared && !told.is_empty() {
            return self.name_with("", told, scheme);
        }
        self.outcome.strip_suffix("Exception").map_or(name, |stem| self.name_with(stem, told, scheme))
    }

    fn name_with(&self, outcome: &str, told: &BTreeSet<Detail>, scheme: NameScheme) -> String {
        let within = |place: Place| -> Vec<&str> {
            let details = self.details.iter().filter(|(detail, _)| detail.place() == place);
            let mut words: Vec<&str> = Vec::new();
            for word in details.filter(|(detail, _)| told.contains(detail)).map(|(_, word)| word.as_str()) {
                // What was said already, or is about to be said more exactly, is not said twice.
                if !words.iter().any(|said| said.contains(word)) {
                    words.retain(|said| !word.contains(said));
                    words.push(word);
                }
            }
            words
        };
        let outcome = within(Place::Outcome).first().map_or(outcome, |exact| exact);
        let list = |preposition: &str, words: &[&str]| {
            if words.is_empty() { String::new() } else { format!("{preposition}{}", words.join("And")) }
        };
        let inputs = within(Place::For);
        let on = format!("{}{}", list("With", &within(Place::With)), list("On", &within(Place::On)));
        let after = list("After", &within(Place::After));
        let outcome = format!("{outcome}{}", list("And", &within(Place::And)));
        match scheme {
            NameScheme::Camel => format!("{}{outcome}{}{on}{after}", self.subject, list("For", &inputs)),
            NameScheme::Snake => {
                let state = decapitalized(&format!("{}{on}{after}", inputs.join("And")));
                let parts = [self.subject.clone(), state, decapitalized(&outcome)];
                parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("_")
            }
        }
    }

    /// Whether a name with one more detail stays short enough.
    fn has_room_for(&self, told: &BTreeSet<Detail>, detail: Detail, form: Form) -> bool {
        let mut longer = told.clone();
        longer.insert(detail);
        self.name(&longer, form).len() <= form.longest
    }

    /// The details that are told in any case.
    fn to_begin_with(&self, form: Form) -> BTreeSet<Detail> {
        let mut told = BTreeSet::new();
        for &detail in &self.special {
            if self.details.contains_key(&detail) && self.has_room_for(&told, detail, form) {
                told.insert(detail);
            }
        }
        told
    }
}

/// The words with which all outcomes begin: `LeavesSize` of `LeavesSizeOne` and `LeavesSizeTwo`.
fn common_humps(tests: &[&TestWords]) -> String {
    let Some((first, others)) = tests.split_first() else { return String::new() };
    let ends = (1..=first.outcome.len()).rev().filter(|&end| {
        let is_start = |text: &str| text.chars().next().is_none_or(char::is_uppercase);
        let is_shared =
            |other: &&TestWords| other.outcome.strip_prefix(&first.outcome[..end]).is_some_and(is_start);
        is_start(&first.outcome[end..]) && others.iter().all(is_shared)
    });
    ends.map(|end| first.outcome[..end].to_owned()).next().unwrap_or_default()
}

/// Names for tests in their order: those that some have already, for the others new ones, all different and none `reserved`.
pub(crate) fn names(
    tests: &[TestWords],
    given: &[Option<&str>],
    reserved: &BTreeSet<String>,
    scheme: NameScheme,
) -> Vec<String> {
    let taken: BTreeSet<String> = given.iter().flatten().map(|&name| name.to_owned()).collect();
    let new = tests.iter().zip(given).filter(|(_, given)| given.is_none());
    let new: Vec<TestWords> = new.map(|(words, _)| words.clone()).collect();
    let mut new = unique_names(&new, &taken, reserved, scheme).into_iter();
    given.iter().filter_map(|given| given.map(str::to_owned).or_else(|| new.next())).collect()
}

/// Names for tests in their order, all different, none of them `reserved`, nor of those that other tests have.
fn unique_names(
    tests: &[TestWords],
    others: &BTreeSet<String>,
    reserved: &BTreeSet<String>,
    scheme: NameScheme,
) -> Vec<String> {
    let form = Form { scheme, longest: LONGEST };
    let told = tests.iter().map(|words| words.to_begin_with(form)).collect();
    let mut names = Names { tests, forms: vec![form; tests.len()], told };
    for group in names.alike(&(0..tests.len()).collect::<Vec<_>>()) {
        names.tell_apart(&group, MOST_DETAILS);
    }
    // Details of one group may have made names of another.
    for group in names.alike(&(0..tests.len()).collect::<Vec<_>>()) {
        names.tell_apart(&group, 1);
    }
    for group in names.alike(&(0..tests.len()).collect::<Vec<_>>()) {
        for &index in &group {
            names.forms[index].longest = LONGEST_OF_ALIKE;
        }
        names.tell_apart(&group, MOST_DETAILS);
    }
    for index in 0..tests.len() {
        names.tell_from(index, others);
    }
    let mut taken: BTreeSet<String> = reserved.union(others).cloned().collect();
    let mut given = Vec::with_capacity(tests.len());
    for index in 0..tests.len() {
        let full = names.name(index);
        let longest = names.forms[index].longest;
        let mut name = cut(&full, longest).to_owned();
        let mut next = 2;
        while !taken.insert(name.clone()) {
            name = format!("{}{next}", cut(&full, longest - 4));
            next += 1;
        }
        given.push(name);
    }
    given
}

/// A name of ASCII, cut where a word begins if it is longer than this.
fn cut(name: &str, longest: usize) -> &str {
    if name.len() <= longest {
        return name;
    }
    let is_start =
        |&end: &usize| name[end..].starts_with(|first: char| first.is_ascii_uppercase() || first == '_');
    &name[..(longest / 2..=longest).rev().find(is_start).unwrap_or(longest)]
}

struct Names<'a> {
    tests: &'a [TestWords],
    forms: Vec<Form>,
    /// What is told of each test.
    told: Vec<BTreeSet<Detail>>,
}

impl Names<'_> {
    fn name(&self, index: usize) -> String {
        self.tests[index].name(&self.told[index], self.forms[index])
    }

    /// Groups of more than one test with the same name.
    fn alike(&self, group: &[usize]) -> Vec<Vec<usize>> {
        let mut alike: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for &index in group {
            alike.entry(self.name(index)).or_default().push(index);
        }
        alike.into_values().filter(|group| group.len() > 1).collect()
    }

    /// The name of a test that told one more detail, where it has it and there is room.
    fn longer(&self, index: usize, detail: Detail) -> Option<String> {
        let (words, told, form) = (&self.tests[index], &self.told[index], self.forms[index]);
        let is_new = words.details.contains_key(&detail) && !told.contains(&detail);
        (is_new && words.has_room_for(told, detail, form)).then(|| {
            let mut longer = told.clone();
            longer.insert(detail);
            words.name(&longer, form)
        })
    }

    /// Tells the first detail that makes the name of a test another one than those of others.
    fn tell_from(&mut self, index: usize, others: &BTreeSet<String>) {
        if !others.contains(&self.name(index)) {
            return;
        }
        let details: Vec<Detail> = self.tests[index].details.keys().copied().collect();
        let is_other =
            |&detail: &Detail| self.longer(index, detail).is_some_and(|longer| !others.contains(&longer));
        let plain = details.iter().copied().filter(|detail| detail.is_plain()).find(is_other);
        let detail = plain.or_else(|| details.iter().copied().find(is_other));
        self.told[index].extend(detail);
    }

    /// Starts again without what is special: there may have been no room beside it for what tells tests apart.
    fn make_room(&mut self, group: &[usize], most: usize) {
        if group.iter().all(|&index| self.told[index].is_empty()) {
            return;
        }
        let before: Vec<BTreeSet<Detail>> =
            group.iter().map(|&index| std::mem::take(&mut self.told[index])).collect();
        let shortest = group.iter().map(|&index| self.name(index)).collect::<BTreeSet<String>>();
        self.tell_apart(group, most);
        let told_apart = group.iter().map(|&index| self.name(index)).collect::<BTreeSet<String>>();
        if told_apart.len() <= shortest.len() {
            for (&index, before) in group.iter().zip(before) {
                self.told[index] = before;
            }
        }
    }

    /// The detail that makes most different names of a group with one name; the first of several.
    fn most_telling(&self, group: &[usize], details: impl Iterator<Item = Detail>) -> Option<Detail> {
        let mut best: Option<(usize, Detail)> = None;
        for detail in details {
            let names: BTreeSet<Option<String>> =
                group.iter().map(|&index| self.longer(index, detail)).collect();
            if names.len() > best.map_or(1, |(different, _)| different) {
                best = Some((names.len(), detail));
            }
        }
        best.map(|(_, detail)| detail)
    }

    /// Tells the detail in which tests with one name differ most, then goes on with those that are still alike.
    fn tell_apart(&mut self, group: &[usize], most: usize) {
        if most == 0 {
            return;
        }
        let details: BTreeSet<Detail> =
            group.iter().flat_map(|&index| self.tests[index].details.keys().copied()).collect();
        let best = self.most_telling(group, details.iter().copied().filter(|detail| detail.is_plain()));
        let best = best.or_else(|| self.most_telling(group, details.into_iter()));
        let Some(detail) = best else {
            self.make_room(group, most - 1);
            return;
        };
        for &index in group {
            if self.longer(index, detail).is_some() {
                self.told[index].insert(detail);
            }
        }
        for group in self.alike(group) {
            self.tell_apart(&group, most - 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(subject: &str, outcome: &str, details: &[(Detail, &str)]) -> TestWords {
        TestWords {
            subject: subject.to_owned(),
            outcome: outcome.to_owned(),
            details: details.iter().map(|(detail, word)| (*detail, (*word).to_owned())).collect(),
            ..TestWords::default()
        }
    }

    fn check(tests: &[TestWords], expect: &[&str]) {
        check_in(NameScheme::Camel, tests, expect);
    }

    fn check_in(scheme: NameScheme, tests: &[TestWords], expect: &[&str]) {
        let given = vec![None; tests.len()];
        assert_eq!(names(tests, &given, &BTreeSet::from(["equals".to_owned()]), scheme), expect);
    }

    const FIRST: Detail = Detail::Argument(0);
    const SECOND: Detail = Detail::Argument(1);

    #[test]
    fn detail_is_added_only_where_names_would_be_alike() {
        check(
            &[
                words("add", "ReturnsTrue", &[(FIRST, "One")]),
                words("add", "ReturnsFalse", &[(FIRST, "Null"), (Detail::Before, "Add")]),
                words("add", "ReturnsFalse", &[(FIRST, "Two")]),
                words("get", "Completes", &[(Detail::Before, "Add")]),
                words("get", "Completes", &[(Detail::Before, "Clear")]),
            ],
            &[
                "addReturnsTrue",
                "addReturnsFalseForNull",
                "addReturnsFalseForTwo",
                "getCompletesAfterAdd",
                "getCompletesAfterClear",
            ],
        );
    }

    #[test]
    fn the_detail_in_which_most_siblings_differ_is_told_and_more_only_of_those_still_alike() {
        check(
            &[
                words("append", "ReturnsItself", &[(Detail::Overload, "Ints"), (SECOND, "One")]),
                words("append", "ReturnsItself", &[(Detail::Overload, "Ints"), (SECOND, "Two")]),
                words("append", "ReturnsItself", &[(Detail::Overload, "Longs"), (SECOND, "Two")]),
                words("append", "ReturnsItself", &[(Detail::Overload, "Bytes"), (SECOND, "One")]),
            ],
            &[
                "appendReturnsItselfForIntsAndOne",
                "appendReturnsItselfForIntsAndTwo",
                "appendReturnsItselfForLongs",
                "appendReturnsItselfForBytes",
            ],
        );
    }

    #[test]
    fn what_is_special_is_told_in_any_case() {
        let mut test = words("parse", "ReturnsNull", &[(FIRST, "EmptyString"), (SECOND, "True")]);
        test.special.insert(FIRST);
        check(&[test.clone()], &["parseReturnsNullForEmptyString"]);
        check_in(NameScheme::Snake, &[test], &["parse_emptyString_returnsNull"]);
    }

    #[test]
    fn the_result_may_say_more_and_so_may_what_is_left_behind() {
        let text = |exact, effect| {
            words("toString", "ReturnsText", &[(Detail::Result, exact), (Detail::Effect(0), effect)])
        };
        check(
            &[text("ReturnsOpen", "Empty"), text("ReturnsClosed", "Empty"), text("ReturnsClosed", "SizeOne")],
            &["toStringReturnsOpen", "toStringReturnsClosedAndEmpty", "toStringReturnsClosedAndSizeOne"],
        );
    }

    #[test]
    fn snake_names_say_the_state_before_the_outcome() {
        let after = words("add", "ReturnsTrue", &[(FIRST, "One"), (Detail::Before, "Clear")]);
        let plain = words("add", "ReturnsTrue", &[(FIRST, "One")]);
        check_in(NameScheme::Snake, &[after, plain], &["add_afterClear_returnsTrue", "add_returnsTrue"]);
    }

    #[test]
    fn numbers_are_the_last_resort() {
        let same = words("run", "Completes", &[]);
        check(&[same.clone(), same.clone(), same], &["runCompletes", "runCompletes2", "runCompletes3"]);
        check(&[words("equals", "", &[])], &["equals2"]);
    }

    #[test]
    fn exceptions_lose_their_suffix_before_a_detail_is_left_out() {
        let of = |word: &str| {
            words("toBooleanObject", "ThrowsIllegalArgumentException", &[(Detail::Relation, word)])
        };
        check(
            &[of("ValueAboveTrueValue"), of("ValueBelowFalseValue")],
            &[
                "toBooleanObjectThrowsIllegalArgumentExceptionForValueAboveTrueValue",
                "toBooleanObjectThrowsIllegalArgumentExceptionForValueBelowFalseValue",
            ],
        );
        check(
            &[of("ValueAboveTrueValueAndMore"), of("Null")],
            &[
                "toBooleanObjectThrowsIllegalArgumentForValueAboveTrueValueAndMore",
                "toBooleanObjectThrowsIllegalArgumentExceptionForNull",
            ],
        );
    }

    #[test]
    fn names_that_tests_have_stay_and_are_no_others() {
        let check = |tests: &[TestWords], given: &[Option<&str>], expect: &[&str]| {
            assert_eq!(names(tests, given, &BTreeSet::new(), NameScheme::Camel), expect);
        };
        let add = |argument| words("add", "ReturnsTrue", &[(FIRST, argument)]);
        check(
            &[add("One"), add("Two"), add("Three")],
            &[Some("addReturnsTrue"), Some("addReturnsTrueForThree"), None],
            &["addReturnsTrue", "addReturnsTrueForThree", "addReturnsTrue2"],
        );
        check(
            &[add("One"), add("Two")],
            &[Some("addReturnsTrue"), None],
            &["addReturnsTrue", "addReturnsTrueForTwo"],
        );
        check(
            &[add("One"), words("get", "Completes", &[])],
            &[Some("anything"), None],
            &["anything", "getCompletes"],
        );
    }

    #[test]
    fn what_tells_tests_apart_takes_the_room_of_what_is_special() {
        let of = |word: &str| {
            let special = "x".repeat(45);
            let mut test = words("toBoolean", "ReturnsTrue", &[(FIRST, special.as_str()), (SECOND, word)]);
            test.special.insert(FIRST);
            test
        };
        check(
            &[of("Zero"), of("MaxValue")],
            &["toBooleanReturnsTrueForZero", "toBooleanReturnsTrueForMaxValue"],
        );
        check(
            &[of("Zero"), of("Zero")],
            &[
                &format!("toBooleanReturnsTrueFor{}", "x".repeat(45)),
                &format!("toBooleanReturnsTrueFor{}2", "x".repeat(45)),
            ],
        );
    }

    #[test]
    fn tests_are_named_together_by_what_they_have_in_common() {
        let check = |outcomes: [(&str, &str); 2], expect: &str| {
            let of = |(outcome, kind): (&str, &str), second: &str| TestWords {
                kind: kind.to_owned(),
                special: BTreeSet::from([FIRST, SECOND]),
                ..words("parse", outcome, &[(FIRST, "Null"), (SECOND, second)])
            };
            let common = TestWords::common(&[&of(outcomes[0], "One"), &of(outcomes[1], "Two")]);
            assert_eq!(common.special, BTreeSet::from([FIRST]));
            assert_eq!(
                common.name(&common.special, Form { scheme: NameScheme::Camel, longest: LONGEST }),
                expect
            );
        };
        check([("ReturnsTrue", ""), ("ReturnsTrue", "")], "parseReturnsTrueForNull");
        check(
            [("ReturnsOne", "ReturnsNumber"), ("ReturnsTwo", "ReturnsNumber")],
            "parseReturnsNumberForNull",
        );
        check([("LeavesSizeOne", ""), ("LeavesSizeTwo", "")], "parseLeavesSizeForNull");
        check([("LeavesSizeOne", ""), ("LeavesSize", "")], "parseLeavesSizeForNull");
        check([("ReturnsOne", ""), ("ReturnsNull", "")], "parseReturnsAsExpectedForNull");
        check([("SetsOne", ""), ("SetsTwo", "")], "parseSetsValueForNull");
        check([("ReturnsOne", ""), ("Completes", "")], "parseHasEffectForNull");
    }

    #[test]
    fn names_stay_short() {
        let long = words(&"x".repeat(60), "ReturnsTrue", &[(FIRST, &"y".repeat(20))]);
        let names = names(&[long.clone(), long], &[None, None], &BTreeSet::new(), NameScheme::Camel);
        assert!(names.iter().all(|name| name.len() <= LONGEST_OF_ALIKE) && names[0] != names[1], "{names:?}");
    }

    #[test]
    fn names_are_longer_rather_than_numbered() {
        let set = |details| words("setExpirationTimeOfTheLock", "LeavesExpirationTimeOfTheLock", details);
        check(
            &[set(&[(Detail::Before, "SetOwner")]), set(&[]), set(&[(Detail::Before, "SetOwner")])],
            &[
                "setExpirationTimeOfTheLockLeavesExpirationTimeOfTheLockAfterSetOwner",
                "setExpirationTimeOfTheLockLeavesExpirationTimeOfTheLock",
                "setExpirationTimeOfTheLockLeavesExpirationTimeOfTheLockAfterSetOwner2",
            ],
        );
        let before = "SetTheOwnerOfTheLock";
        check(
            &[set(&[(Detail::Before, before)]), set(&[])],
            &[
                "setExpirationTimeOfTheLockLeavesExpirationTimeOfTheLockAfterSetTheOwnerOfTheLock",
                "setExpirationTimeOfTheLockLeavesExpirationTimeOfTheLock",
            ],
        );
    }

    #[test]
    fn names_that_are_too_long_lose_what_says_least_and_then_whole_words() {
        let long = |is_declared, argument: &str| TestWords {
            is_declared,
            ..words("createAttributesByTypeOfRegion", "ReturnsRegionAttributesType", &[(FIRST, argument)])
        };
        let check = |is_declared, expect: [&str; 2]| {
            let tests =
                ["PartitionRedundant", "PartitionRedundantPersistent"].map(|it| long(is_declared, it));
            assert_eq!(names(&tests, &[None, None], &BTreeSet::new(), NameScheme::Camel), expect);
        };
        check(
            true,
            [
                "createAttributesByTypeOfRegionForPartitionRedundant",
                "createAttributesByTypeOfRegionForPartitionRedundantPersistent",
            ],
        );
        check(
            false,
            [
                "createAttributesByTypeOfRegionReturnsRegionAttributesTypeForPartitionRedundant",
                "createAttributesByTypeOfRegionReturnsRegionAttributesTypeForPartitionRedundantPersistent",
            ],
        );
        let name = "abcDefGhi";
        assert_eq!([9, 8, 6, 5].map(|longest| cut(name, longest)), [name, "abcDef", "abcDef", "abc"]);
        assert_eq!(cut("abcdefgh", 6), "abcdef");
    }
}
