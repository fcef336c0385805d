//! Names of tests: the call that the test is about, its outcome, and, where that is not enough to tell it from its
//! siblings, its arguments and what was called before. A number only as the last resort.

use std::collections::{BTreeMap, BTreeSet};

use coverage::goal::GoalSet;
use testcase::assertion::{Assertion, ObservationTarget, ObservedValue};
use testcase::cluster::{Callable, TestCluster};
use testcase::statement::{Statement, VarRef};
use testcase::value::Value;

use super::variables::{parameter_name, type_word};
use super::words::{capitalized, decapitalized, humps, number, words_of_text};
use crate::asserted_test::AssertedTest;
use crate::junit::access::Viewpoint;
use crate::junit::layout::simple_name;

/// Longest name of a test.
const LONGEST: usize = 70;
/// Longest text whose words go into a name.
const LONGEST_TEXT: usize = 20;
/// Most arguments that a name speaks of.
const MOST_ARGUMENTS: usize = 3;

/// What the name of a test can be made of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TestWords {
    /// What is called: `parse`.
    pub subject: String,
    /// What comes of it: `ReturnsTrue`.
    pub outcome: String,
    /// With what: `ForNull`.
    pub arguments: String,
    /// After what: `AfterClose`.
    pub context: String,
    /// Whether even the plainest name speaks of the arguments.
    pub throws: bool,
}

impl TestWords {
    /// The name with as much detail as the level asks for, as long as it stays short enough.
    fn name(&self, level: usize) -> String {
        let level = level + usize::from(self.throws);
        let mut name = format!("{}{}", self.subject, self.outcome);
        for detail in [(level >= 1).then_some(&self.arguments), (level >= 2).then_some(&self.context)] {
            let detail = detail.map_or("", String::as_str);
            if name.len() + detail.len() <= LONGEST {
                name.push_str(detail);
            }
        }
        name.truncate(LONGEST); // ASCII
        name
    }
}

/// Highest level of detail.
const LEVELS: usize = 2;

/// Names for tests in their order: those that some have already, for the others new ones, all different and none `reserved`.
pub(crate) fn names(tests: &[TestWords], given: &[Option<&str>], reserved: &BTreeSet<String>) -> Vec<String> {
    let taken: BTreeSet<String> = given.iter().flatten().map(|&name| name.to_owned()).collect();
    let new = tests.iter().zip(given).filter(|(_, given)| given.is_none());
    let new: Vec<TestWords> = new.map(|(words, _)| words.clone()).collect();
    let mut new = unique_names(&new, &taken, reserved).into_iter();
    given.iter().filter_map(|given| given.map(str::to_owned).or_else(|| new.next())).collect()
}

/// Names for tests in their order, all different, none of them `reserved`, nor of those that other tests have.
fn unique_names(tests: &[TestWords], others: &BTreeSet<String>, reserved: &BTreeSet<String>) -> Vec<String> {
    let mut levels = vec![0; tests.len()];
    for level in 1..=LEVELS {
        let mut alike: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, words) in tests.iter().enumerate() {
            alike.entry(words.name(levels[index])).or_default().push(index);
        }
        let is_ambiguous = |(name, group): &(String, Vec<usize>)| group.len() > 1 || others.contains(name);
        for (_, group) in alike.into_iter().filter(is_ambiguous) {
            for index in group {
                levels[index] = level;
            }
        }
    }
    let mut taken: BTreeSet<String> = reserved.union(others).cloned().collect();
    let mut names = Vec::with_capacity(tests.len());
    for (words, &level) in tests.iter().zip(&levels) {
        let base = words.name(level);
        let mut name = base.clone();
        let mut next = 2;
        while !taken.insert(name.clone()) {
            name = format!("{}{next}", &base[..base.len().min(LONGEST - 4)]);
            next += 1;
        }
        names.push(name);
    }
    names
}

/// Makes the words of a test's name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Describer<'a> {
    /// Types and members.
    pub cluster: &'a TestCluster,
    /// The test's package.
    pub view: Viewpoint<'a>,
    /// The session's goals.
    pub goals: &'a GoalSet,
}

impl Describer<'_> {
    /// The words of a test.
    pub(crate) fn describe(&self, test: &AssertedTest) -> TestWords {
        let Some(position) = self.subject(test) else {
            return TestWords { subject: "test".to_owned(), ..TestWords::default() };
        };
        let statement = test.test.statement(VarRef::from(position));
        let (subject, arguments) = match statement {
            Statement::Constructor { callable, arguments } => {
                let callable = self.cluster.callable(*callable);
                let skipped = usize::from(callable.takes_enclosing_instance).min(arguments.len());
                (self.constructor(callable), self.arguments(test, callable, &arguments[skipped..], skipped))
            }
            Statement::Method { callable, arguments, .. } => {
                let callable = self.cluster.callable(*callable);
                (decapitalized(&plain(&callable.name)), self.arguments(test, callable, arguments, 0))
            }
            Statement::FieldRead { field, .. } | Statement::FieldWrite { field, .. } => {
                (decapitalized(&plain(&self.cluster.field(*field).name)), String::new())
            }
            Statement::Stub { stub, script } => match self.cluster.stub(*stub).constructor {
                Some(constructor) => {
                    let callable = self.cluster.callable(constructor);
                    let skipped = usize::from(callable.takes_enclosing_instance).min(script.arguments.len());
                    let arguments = self.arguments(test, callable, &script.arguments[skipped..], skipped);
                    (self.constructor(callable), arguments)
                }
                None => ("test".to_owned(), String::new()),
            },
            Statement::Primitive { .. }
            | Statement::Null { .. }
            | Statement::EnumConstant { .. }
            | Statement::ClassLiteral { .. }
            | Statement::Array { .. }
            | Statement::ArrayWrite { .. } => ("test".to_owned(), String::new()),
        };
        TestWords {
            subject: if subject.is_empty() { "test".to_owned() } else { subject },
            outcome: self.outcome(test, position),
            arguments,
            context: self.context(test, position),
            throws: test.expected.is_some(),
        }
    }

    /// The statement that the test is about: the one that throws, else the last call of a method that holds goals
    /// of the test, else the last call of a class with goals, else the last call. When no result of that is asserted
    /// but that of another call is, it is the other one.
    fn subject(&self, test: &AssertedTest) -> Option<usize> {
        if test.expected.is_some() {
            return test.test.len().checked_sub(1);
        }
        let asserted = test.assertions.iter().filter_map(|assertion| match assertion.target {
            ObservationTarget::Value(variable) | ObservationTarget::Same(variable, _) => Some(variable),
            ObservationTarget::Inspector(..)
            | ObservationTarget::Field(..)
            | ObservationTarget::Calls(..) => None,
        });
        let asserted: BTreeSet<usize> = asserted
            .filter(|&variable| test.test.statement(variable).callable().is_some())
            .map(VarRef::index)
            .collect();
        let called = self.last_call(test);
        match called {
            Some(call) if asserted.contains(&call) => called,
            _ => asserted.last().copied().or(called),
        }
    }

    fn last_call(&self, test: &AssertedTest) -> Option<usize> {
        let goal_methods: BTreeSet<(&str, &str)> = test
            .goals
            .iter()
            .filter(|&&goal| goal.index() < self.goals.len())
            .map(|&goal| self.goals.goal(goal))
            .map(|goal| (goal.class.as_str(), &*goal.method))
            .collect();
        let calls: Vec<(usize, &Callable)> = test
            .test
            .statements()
            .iter()
            .enumerate()
            .filter_map(|(position, statement)| {
                Some((position, self.cluster.callable(self.cluster.called_by(statement)?)))
            })
            .collect();
        let holds_goal = |callable: &Callable| {
            let method = format!("{}{}", callable.name, callable.descriptor);
            goal_methods.contains(&(callable.declared_in.as_str(), method.as_str()))
        };
        let in_goal_class =
            |callable: &Callable| self.cluster.goal_classes.binary_search(&callable.declared_in).is_ok();
        let last = |wanted: &dyn Fn(&Callable) -> bool| {
            calls.iter().rev().find(|(_, callable)| wanted(callable)).map(|(position, _)| *position)
        };
        last(&holds_goal).or_else(|| last(&in_goal_class)).or_else(|| last(&|_| true))
    }

    fn constructor(&self, callable: &Callable) -> String {
        if self.cluster.class_under_test.as_ref() == Some(&callable.declared_in) {
            return "constructor".to_owned();
        }
        let simple = simple_name(self.view.hierarchy, &callable.declared_in);
        format!("{}Constructor", decapitalized(&plain(&simple)))
    }

    fn outcome(&self, test: &AssertedTest, position: usize) -> String {
        if let Some(thrown) = &test.expected {
            let named = self.view.nearest_nameable(&thrown.class).unwrap_or_else(|| thrown.class.clone());
            return format!("Throws{}", plain(&capitalized(&simple_name(self.view.hierarchy, &named))));
        }
        let subject = VarRef::from(position);
        let about_result = test.assertions.iter().find(|assertion| match assertion.target {
            ObservationTarget::Value(variable) | ObservationTarget::Same(variable, _) => variable == subject,
            ObservationTarget::Inspector(..)
            | ObservationTarget::Field(..)
            | ObservationTarget::Calls(..) => false,
        });
        if let Some(assertion) = about_result {
            return self.result(test, assertion);
        }
        let is_constructor =
            matches!(test.test.statement(subject), Statement::Constructor { .. } | Statement::Stub { .. });
        if let Some(called) = self.called(test) {
            return format!("Calls{called}");
        }
        let about_state = test.assertions.iter().find_map(|assertion| {
            let (object, member) = self.cluster.member_of_state(assertion.target)?;
            Some((object, member, &assertion.expected))
        });
        match about_state {
            Some((object, ..)) if object == subject && !is_constructor => {
                let of = test.test.variable_type(self.cluster, subject);
                let word = of.map(|of| type_word(self.view.hierarchy, &self.cluster.ty(of).generic));
                format!("Returns{}", plain(&capitalized(&word.unwrap_or_default())))
            }
            Some((_, member, expected)) => {
                let verb = if is_constructor { "Sets" } else { "Leaves" };
                format!("{verb}{}", state(member, expected))
            }
            None if test.assertions.is_empty() => {
                if is_constructor {
                    "CreatesObject".to_owned()
                } else {
                    "Completes".to_owned()
                }
            }
            None => "HasEffect".to_owned(),
        }
    }

    /// The method of an object that the test implements itself, which the first assertion of calls tells of first.
    fn called(&self, test: &AssertedTest) -> Option<String> {
        test.assertions.iter().find_map(|assertion| match (&assertion.target, &assertion.expected) {
            (ObservationTarget::Calls(_, stub), ObservedValue::Calls(calls)) => {
                let method = usize::from(calls.first()?.method);
                let method = self.cluster.stub(*stub).methods.get(method)?;
                Some(plain(&capitalized(&method.name)))
            }
            _ => None,
        })
    }

    fn result(&self, test: &AssertedTest, assertion: &Assertion) -> String {
        if let ObservationTarget::Same(..) = assertion.target {
            let same = assertion.expected == ObservedValue::Primitive(Value::Boolean(true));
            return if same { "ReturnsItself".to_owned() } else { "ReturnsOther".to_owned() };
        }
        let word = match &assertion.expected {
            ObservedValue::Null => "Null".to_owned(),
            ObservedValue::Primitive(value) | ObservedValue::Boxed(value) => {
                value_word(value).unwrap_or_else(|| kind_word(value).to_owned())
            }
            ObservedValue::EnumConstant(_, name) => plain(&humps(name)),
            ObservedValue::Class(name) => {
                let simple = name.rsplit(['.', '$']).next().unwrap_or("");
                format!("{}Class", plain(&capitalized(simple)))
            }
            ObservedValue::Array(elements) => self.sized(test, assertion, elements.len() as u64),
            ObservedValue::Container(of, held) => match held.as_slice() {
                [value] if !of.is_sized() => held_word(value),
                _ => self.sized(test, assertion, of.size(held.len()) as u64),
            },
            ObservedValue::Text { text, size: None } => {
                value_word(&Value::String(text.clone())).unwrap_or_else(|| "Text".to_owned())
            }
            ObservedValue::Object { size: Some(size), .. } | ObservedValue::Text { size: Some(size), .. } => {
                self.sized(test, assertion, u64::from(*size))
            }
            ObservedValue::Calls(_) => "Calls".to_owned(),
            ObservedValue::Object { class, size: None } => {
                let named = self.view.nearest_nameable(class);
                let simple = named
                    .map_or_else(|| "Object".to_owned(), |class| simple_name(self.view.hierarchy, &class));
                plain(&capitalized(&simple))
            }
        };
        format!("Returns{word}")
    }

    /// `EmptyList`, `TwoElements`.
    fn sized(&self, test: &AssertedTest, assertion: &Assertion, size: u64) -> String {
        let kind = match assertion.target {
            ObservationTarget::Value(variable) => test.test.variable_type(self.cluster, variable),
            ObservationTarget::Inspector(_, inspector) => self.cluster.callable(inspector).result,
            ObservationTarget::Field(_, field) => Some(self.cluster.field(field).of),
            ObservationTarget::Same(..) | ObservationTarget::Calls(..) => None,
        };
        let generic = kind.map(|kind| &self.cluster.ty(kind).generic);
        match (size, number(size)) {
            (0, _) => {
                let is_array = matches!(generic, Some(bytecode::signature::GenericType::Array(_)));
                let noun = match generic {
                    Some(generic) if !is_array => capitalized(&type_word(self.view.hierarchy, generic)),
                    _ => "Array".to_owned(),
                };
                format!("Empty{}", plain(&noun))
            }
            (1, _) => "OneElement".to_owned(),
            (_, Some(word)) => format!("{word}Elements"),
            (_, None) => "ManyElements".to_owned(),
        }
    }

    /// `ForNullAndEmptyString`: the arguments that can be told in a word.
    fn arguments(
        &self,
        test: &AssertedTest,
        callable: &Callable,
        arguments: &[VarRef],
        skipped: usize,
    ) -> String {
        let parameters = callable.parameters.get(skipped..).unwrap_or(&[]);
        let told: Vec<String> = arguments
            .iter()
            .enumerate()
            .filter_map(|(index, &argument)| {
                let word = self.argument(test, argument)?;
                let name = parameters.get(index).and_then(parameter_name).filter(|_| arguments.len() > 1);
                Some(match name {
                    Some(name) if word == "Null" => format!("Null{}", plain(&capitalized(&name))),
                    _ => word,
                })
            })
            .take(MOST_ARGUMENTS)
            .collect();
        if told.is_empty() { String::new() } else { format!("For{}", told.join("And")) }
    }

    fn argument(&self, test: &AssertedTest, argument: VarRef) -> Option<String> {
        match test.test.statement(argument) {
            Statement::Null { .. } => Some("Null".to_owned()),
            Statement::Primitive { value, .. } => value_word(value),
            Statement::EnumConstant { field } => Some(plain(&humps(&self.cluster.field(*field).name))),
            Statement::ClassLiteral { class, .. } => {
                let word = type_word(self.view.hierarchy, &self.cluster.ty(*class).generic);
                Some(format!("{}Class", plain(&capitalized(&word))))
            }
            Statement::Array { length: 0, .. } => Some("EmptyArray".to_owned()),
            Statement::Array { .. }
            | Statement::Constructor { .. }
            | Statement::Method { .. }
            | Statement::FieldRead { .. }
            | Statement::FieldWrite { .. }
            | Statement::ArrayWrite { .. }
            | Statement::Stub { .. } => None,
        }
    }

    /// `AfterAdd`: the last call before on the same object.
    fn context(&self, test: &AssertedTest, position: usize) -> String {
        let Statement::Method { receiver: Some(subject), .. } = test.test.statement(VarRef::from(position))
        else {
            return String::new();
        };
        let before = test.test.statements()[..position].iter().rev().find_map(|statement| {
            let Statement::Method { callable, receiver, .. } = statement else { return None };
            (*receiver == Some(*subject)).then_some(*callable)
        });
        before.map_or_else(String::new, |callable| {
            format!("After{}", plain(&capitalized(&self.cluster.callable(callable).name)))
        })
    }
}

/// What an inspector or field tells: `SizeOne`, `NameNull`, `Empty` or `NotEmpty`.
fn state(member: &str, expected: &ObservedValue) -> String {
    let rest = ["get", "is", "has"].iter().find_map(|verb| {
        member.strip_prefix(verb).filter(|rest| rest.starts_with(|first: char| first.is_uppercase()))
    });
    let property = plain(&capitalized(rest.unwrap_or(member)));
    let word = match expected {
        ObservedValue::Primitive(Value::Boolean(true)) => return property,
        ObservedValue::Primitive(Value::Boolean(false)) => return format!("Not{property}"),
        ObservedValue::Null => "Null".to_owned(),
        ObservedValue::Primitive(value) | ObservedValue::Boxed(value) => {
            value_word(value).unwrap_or_default()
        }
        ObservedValue::EnumConstant(_, name) => plain(&humps(name)),
        ObservedValue::Class(_)
        | ObservedValue::Array(_)
        | ObservedValue::Container(..)
        | ObservedValue::Text { .. }
        | ObservedValue::Calls(_)
        | ObservedValue::Object { .. } => String::new(),
    };
    format!("{property}{word}")
}

/// What an `Optional` holds.
fn held_word(value: &ObservedValue) -> String {
    let word = match value {
        ObservedValue::Primitive(value) | ObservedValue::Boxed(value) => value_word(value),
        ObservedValue::Null
        | ObservedValue::EnumConstant(..)
        | ObservedValue::Class(_)
        | ObservedValue::Array(_)
        | ObservedValue::Container(..)
        | ObservedValue::Text { .. }
        | ObservedValue::Calls(_)
        | ObservedValue::Object { .. } => None,
    };
    word.unwrap_or_else(|| "Present".to_owned())
}

/// A value in a word or two; `None` when it is too much for a name.
fn value_word(value: &Value) -> Option<String> {
    match value {
        Value::Boolean(value) => Some(if *value { "True" } else { "False" }.to_owned()),
        Value::Char(unit) => {
            let character = char::from_u32(u32::from(*unit))?;
            character.is_ascii_alphanumeric().then(|| character.to_ascii_uppercase().to_string())
        }
        Value::Int(i32::MAX) | Value::Long(i64::MAX) => Some("MaxValue".to_owned()),
        Value::Int(i32::MIN) | Value::Long(i64::MIN) => Some("MinValue".to_owned()),
        Value::Byte(_) | Value::Short(_) | Value::Int(_) | Value::Long(_) => Some(whole(value.as_integer()?)),
        Value::Float(number) => fraction(f64::from(*number)),
        Value::Double(number) => fraction(*number),
        Value::String(text) if text.is_empty() => Some("EmptyString".to_owned()),
        Value::String(text) => words_of_text(&text.to_string(), LONGEST_TEXT),
    }
}

fn whole(value: i64) -> String {
    let size = value.unsigned_abs();
    let digits = match number(size) {
        Some(word) => word.to_owned(),
        None if size < 10_000 => size.to_string(),
        None => return if value < 0 { "Negative" } else { "Large" }.to_owned(),
    };
    if value < 0 { format!("Minus{digits}") } else { digits }
}

fn fraction(value: f64) -> Option<String> {
    if value.is_nan() {
        Some("NaN".to_owned())
    } else if value.is_infinite() {
        Some(if value < 0.0 { "NegativeInfinity" } else { "Infinity" }.to_owned())
    } else if value == value.trunc() && value.abs() < 10_000.0 {
        Some(whole(value as i64))
    } else {
        None
    }
}

/// What kind of value it is.
fn kind_word(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "Text",
        Value::Char(_) => "Character",
        Value::Boolean(_)
        | Value::Byte(_)
        | Value::Short(_)
        | Value::Int(_)
        | Value::Long(_)
        | Value::Float(_)
        | Value::Double(_) => "Number",
    }
}

/// A name reduced to the ASCII letters and digits that every tool can print.
fn plain(name: &str) -> String {
    let name = if name.contains(['_', '$']) { humps(name) } else { name.to_owned() };
    name.chars().filter(char::is_ascii_alphanumeric).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(subject: &str, outcome: &str, arguments: &str, context: &str) -> TestWords {
        TestWords {
            subject: subject.to_owned(),
            outcome: outcome.to_owned(),
            arguments: arguments.to_owned(),
            context: context.to_owned(),
            throws: false,
        }
    }

    fn check(tests: &[TestWords], expect: &[&str]) {
        check_with(tests, &vec![None; tests.len()], expect);
    }

    fn check_with(tests: &[TestWords], given: &[Option<&str>], expect: &[&str]) {
        assert_eq!(names(tests, given, &BTreeSet::from(["equals".to_owned()])), expect);
    }

    #[test]
    fn detail_is_added_only_where_names_would_be_alike() {
        check(
            &[
                words("add", "ReturnsTrue", "ForOne", ""),
                words("add", "ReturnsFalse", "ForNull", "AfterAdd"),
                words("add", "ReturnsFalse", "ForTwo", ""),
                words("get", "Completes", "", "AfterAdd"),
                words("get", "Completes", "", "AfterClear"),
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
    fn numbers_are_the_last_resort() {
        let same = words("run", "Completes", "", "");
        check(&[same.clone(), same.clone(), same], &["runCompletes", "runCompletes2", "runCompletes3"]);
        check(&[words("equals", "", "", "")], &["equals2"]);
    }

    #[test]
    fn names_that_tests_have_stay_and_are_no_others() {
        let add = |arguments| words("add", "ReturnsTrue", arguments, "");
        check_with(
            &[add("ForOne"), add("ForTwo"), add("ForThree")],
            &[Some("addReturnsTrue"), Some("addReturnsTrueForThree"), None],
            &["addReturnsTrue", "addReturnsTrueForThree", "addReturnsTrueForThree2"],
        );
        check_with(
            &[add("ForOne"), words("get", "Completes", "", "")],
            &[Some("anything"), None],
            &["anything", "getCompletes"],
        );
    }

    #[test]
    fn names_stay_short() {
        let long = words(&"x".repeat(60), "ReturnsTrue", &"y".repeat(20), "");
        let names = names(&[long.clone(), long], &[None, None], &BTreeSet::new());
        assert!(names.iter().all(|name| name.len() <= LONGEST) && names[0] != names[1], "{names:?}");
    }

    #[test]
    fn values_are_told_in_a_word() {
        for (value, expect) in [
            (Value::Int(0), Some("Zero")),
            (Value::Int(-1), Some("MinusOne")),
            (Value::Long(250), Some("250")),
            (Value::Int(-123_456), Some("Negative")),
            (Value::Double(f64::NAN), Some("NaN")),
            (Value::Double(2.0), Some("Two")),
            (Value::Double(0.5), None),
            (Value::Char(0x61), Some("A")),
            (Value::String("".into()), Some("EmptyString")),
            (Value::String("foo bar".into()), Some("FooBar")),
            (Value::String("-x".into()), None),
        ] {
            assert_eq!(value_word(&value).as_deref(), expect, "{value:?}");
        }
    }
}
