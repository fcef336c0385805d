//! What comes of a test, in words.

use bytecode::name::ClassName;
use testcase::assertion::{Assertion, FileState, ObservationTarget, ObservedValue};
use testcase::jdk_values;
use testcase::statement::{Statement, VarRef};
use testcase::value::Value;

use super::describer::Describer;
use super::inputs::MOST_ELEMENTS;
use super::value_words::{exact_word, kind_word, value_word};
use super::variables::type_word;
use super::words::{behind_verb, capitalized, humps, number, plain};
use crate::asserted_test::AssertedTest;
use crate::junit::layout::simple_name;

impl Describer<'_> {
    pub(super) fn outcome(&self, test: &AssertedTest, position: usize) -> String {
        if let Some(thrown) = &test.expected {
            let named = self.view.expected_class(&thrown.class);
            return format!("Throws{}", plain(&capitalized(&simple_name(self.view.hierarchy, &named))));
        }
        let subject = VarRef::from(position);
        let about_result = test.assertions.iter().find(|assertion| match assertion.target {
            ObservationTarget::Value(variable)
            | ObservationTarget::Same(variable, _)
            | ObservationTarget::Elements(variable, _) => variable == subject,
            ObservationTarget::Inspector(..)
            | ObservationTarget::Nested(..)
            | ObservationTarget::Field(..)
            | ObservationTarget::Calls(..)
            | ObservationTarget::Printed(_)
            | ObservationTarget::Files
            | ObservationTarget::Message
            | ObservationTarget::Cause => false,
        });
        if let Some(value) = self.value_set(test, subject) {
            return format!("Sets{value}");
        }
        if let Some(assertion) = about_result {
            return self.result(test, assertion);
        }
        let is_constructor =
            matches!(test.test.statement(subject), Statement::Constructor { .. } | Statement::Stub { .. });
        if let Some(called) = self.called(test) {
            return format!("Calls{called}");
        }
        if let Some(done) = done_to_files(test) {
            return done.to_owned();
        }
        if let Some(printed) = printed(test) {
            return format!("Prints{printed}");
        }
        let about_state = test
            .assertions
            .iter()
            .find_map(|assertion| self.state_of(test, assertion).map(|state| (assertion, state)));
        match about_state {
            Some((assertion, _)) if self.is_state_of(assertion, subject) && !is_constructor => {
                self.returns_declared(test, subject)
            }
            Some((_, state)) => {
                let verb = if is_constructor { "Sets" } else { "Leaves" };
                format!("{verb}{state}")
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

    /// What a setter set, as the getter of the same property says: `Five` of `setTimeout(5)` and `getTimeout()`, or the property where there is no
    /// word for its value.
    fn value_set(&self, test: &AssertedTest, subject: VarRef) -> Option<String> {
        let statement = test.test.statement(subject);
        let called = self.cluster.callable(statement.callable()?);
        let property = plain(&capitalized(called.name.strip_prefix("set")?));
        let is_null = |used: &VarRef| matches!(test.test.statement(*used), Statement::Null { .. });
        let mut arguments = statement.used().into_iter().filter(|used| Some(*used) != statement.receiver());
        let gets_something = arguments.any(|argument| !is_null(&argument));
        test.assertions.iter().find_map(|assertion| {
            let state = self.state_of(test, assertion)?;
            let value = state.strip_prefix(&*property)?;
            let is_word = value.starts_with(|first: char| first.is_ascii_uppercase());
            let is_set = gets_something || value == "Null";
            let word = if value.is_empty() { &property } else { value };
            (is_set && (is_word || value.is_empty()) && !property.is_empty()).then(|| word.to_owned())
        })
    }

    fn is_state_of(&self, assertion: &Assertion, subject: VarRef) -> bool {
        if let ObservationTarget::Nested(object, ..) = assertion.target {
            return object == subject;
        }
        self.cluster.member_of_state(assertion.target).is_some_and(|(object, _)| object == subject)
    }

    /// That an object comes of a call: all that can be said of one in a word.
    pub(super) fn returns_declared(&self, test: &AssertedTest, subject: VarRef) -> String {
        format!("Returns{}", self.type_of(test, subject))
    }

    /// What comes of tests of this kind: `ReturnsNumber`; `None` where no value tells.
    pub(super) fn kind_of_outcome(&self, test: &AssertedTest, position: usize) -> Option<String> {
        if test.expected.is_some() {
            return None;
        }
        let subject = VarRef::from(position);
        let of_subject = |assertion: &&Assertion| {
            let target = assertion.target;
            target == ObservationTarget::Value(subject)
                || matches!(target, ObservationTarget::Elements(variable, _) if variable == subject)
        };
        let word = match &test.assertions.iter().find(of_subject)?.expected {
            ObservedValue::Primitive(value) | ObservedValue::Boxed(value) => kind_word(value).to_owned(),
            ObservedValue::EnumConstant(class, _) => {
                plain(&capitalized(&simple_name(self.view.hierarchy, class)))
            }
            ObservedValue::Class(_) => "Class".to_owned(),
            ObservedValue::Text { .. } => self.kind_of_text(test, subject),
            ObservedValue::Beginning(_) => "Text".to_owned(),
            ObservedValue::Array(_) | ObservedValue::Container(..) => "Elements".to_owned(),
            ObservedValue::Null
            | ObservedValue::Calls(_)
            | ObservedValue::Files(_)
            | ObservedValue::Object { .. } => return None,
        };
        Some(format!("Returns{word}"))
    }

    /// What is asserted of the state of objects, in the order of the assertions; without `told`, of which a name says all.
    pub(super) fn effects(&self, test: &AssertedTest, told: Option<&Assertion>) -> Vec<String> {
        let others = test.assertions.iter().filter(|assertion| Some(*assertion) != told);
        others.filter_map(|assertion| self.state_of(test, assertion)).collect()
    }

    /// What an assertion tells of the state of an object, or of what was handed over: `SizeOne`, `ArrayOfOneAndTwo`.
    fn state_of(&self, test: &AssertedTest, assertion: &Assertion) -> Option<String> {
        let expected = &assertion.expected;
        if let ObservationTarget::Nested(_, outer, inner) = assertion.target {
            let [outer, inner] = [outer, inner].map(|inspector| &*self.cluster.callable(inspector).name);
            return Some(format!("{}{}", property(outer), state(inner, expected)));
        }
        if let ObservationTarget::Value(of) = assertion.target {
            return if let Statement::FieldRead { field, .. } = test.test.statement(of) {
                Some(state(&humps(&self.cluster.field(*field).name), expected))
            } else {
                content(expected)
            };
        }
        self.cluster.member_of_state(assertion.target).map(|(_, member)| state(member, expected))
    }

    /// The method of an object that the test implements itself, of which the first assertion of calls tells first.
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

    pub(super) fn result(&self, test: &AssertedTest, assertion: &Assertion) -> String {
        if let ObservationTarget::Same(result, other) = assertion.target {
            let same = assertion.expected == ObservedValue::Primitive(Value::Boolean(true));
            return if same { self.returned(test, result, other) } else { "ReturnsOther".to_owned() };
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
                let kind = || assertion.target.object().map(|object| self.kind_of_text(test, object));
                let word = value_word(&Value::String(text.clone())).or_else(kind);
                word.unwrap_or_else(|| "Text".to_owned())
            }
            ObservedValue::Beginning(text) => {
                value_word(&Value::String(text.clone())).unwrap_or_else(|| "Text".to_owned())
            }
            ObservedValue::Calls(_) => "Calls".to_owned(),
            ObservedValue::Files(_) => "Files".to_owned(),
            ObservedValue::Object { class, size: Some(_) } if *class == ClassName::string() => {
                "LongText".to_owned()
            }
            ObservedValue::Object { size: Some(size), .. } | ObservedValue::Text { size: Some(size), .. } => {
                self.sized(test, assertion, u64::from(*size))
            }
            ObservedValue::Object { class, size: None } => {
                let named = self.view.nearest_nameable(class);
                let simple = named
                    .map_or_else(|| "Object".to_owned(), |class| simple_name(self.view.hierarchy, &class));
                plain(&capitalized(&simple))
            }
        };
        format!("Returns{word}")
    }

    /// Which object the call that gave `result` returns: its own, or one that was handed over: `ReturnsGivenDate`.
    fn returned(&self, test: &AssertedTest, result: VarRef, object: VarRef) -> String {
        if let Statement::Method { receiver: Some(receiver), .. } = test.test.statement(result)
            && *receiver == object
        {
            return "ReturnsItself".to_owned();
        }
        format!("ReturnsGiven{}", self.type_of(test, object))
    }

    /// What a variable is that is known by its text: `LocalDate`, or `Text` of all that is no value of the JDK.
    fn kind_of_text(&self, test: &AssertedTest, variable: VarRef) -> String {
        let of = test.test.variable_type(self.cluster, variable);
        let class = of.and_then(|of| self.cluster.ty(of).generic.as_class());
        let is_value = class.is_some_and(|class| jdk_values::is_value(&class.name));
        if is_value { self.type_of(test, variable) } else { "Text".to_owned() }
    }

    /// The type of a variable in a word; empty where it has none.
    fn type_of(&self, test: &AssertedTest, variable: VarRef) -> String {
        let of = test.test.variable_type(self.cluster, variable);
        let word = of.map(|of| type_word(self.view.hierarchy, &self.cluster.ty(of).generic));
        plain(&capitalized(&word.unwrap_or_default()))
    }

    /// `EmptyList`, `TwoElements`.
    fn sized(&self, test: &AssertedTest, assertion: &Assertion, size: u64) -> String {
        let kind = self.cluster.type_of_target(&test.test, assertion.target);
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
}

/// What a test prints that asserts that.
fn printed(test: &AssertedTest) -> Option<String> {
    test.assertions.iter().find_map(|assertion| match (assertion.target, &assertion.expected) {
        (ObservationTarget::Printed(_), ObservedValue::Primitive(Value::String(text))) => {
            let word = value_word(&Value::String(text.to_string().trim_end().into()));
            Some(word.unwrap_or_else(|| "Text".to_owned()))
        }
        (ObservationTarget::Printed(_), ObservedValue::Object { .. }) => Some("LongText".to_owned()),
        _ => None,
    })
}

/// What the code does to files, of which a test asserts that.
fn done_to_files(test: &AssertedTest) -> Option<&'static str> {
    let told = test.assertions.iter().find_map(|assertion| {
        if let ObservedValue::Files(files) = &assertion.expected { Some(files) } else { None }
    })?;
    let words = told.iter().map(|file| match &file.state {
        FileState::Absent => "DeletesFile",
        FileState::Folder => "CreatesFolder",
        FileState::Text(text) if text.is_empty() => "CreatesFile",
        FileState::Text(_) | FileState::Bytes(_) | FileState::Present => "WritesFile",
    });
    // What is written says more than that something is there.
    words.min_by_key(|word| *word != "WritesFile")
}

/// The outcome more exactly, where it is a value of which [`Describer::outcome`] says little.
pub(super) fn exact_outcome(test: &AssertedTest, position: usize) -> Option<String> {
    if test.expected.is_some() {
        return None;
    }
    let subject = VarRef::from(position);
    let of_subject = |assertion: &&Assertion| {
        let target = assertion.target;
        target == ObservationTarget::Value(subject)
            || matches!(target, ObservationTarget::Elements(variable, _) if variable == subject)
    };
    let expected = &test.assertions.iter().find(of_subject)?.expected;
    let word = if let ObservedValue::Primitive(value) | ObservedValue::Boxed(value) = expected {
        exact_word(value)
    } else if let ObservedValue::Text { text, .. } = expected {
        exact_word(&Value::String(text.clone()))
    } else {
        content(expected)
    };
    word.map(|word| format!("Returns{word}"))
}

/// What something holds: `ArrayOfOneAndTwo`; `None` where nothing has a word.
fn content(value: &ObservedValue) -> Option<String> {
    match value {
        ObservedValue::Array(elements) => first_words(elements).map(|words| format!("ArrayOf{words}")),
        ObservedValue::Container(_, held) => first_words(held).map(|words| format!("ElementsOf{words}")),
        ObservedValue::Text { text, .. } => value_word(&Value::String(text.clone())),
        ObservedValue::Primitive(_)
        | ObservedValue::Boxed(_)
        | ObservedValue::Null
        | ObservedValue::EnumConstant(..)
        | ObservedValue::Class(_)
        | ObservedValue::Beginning(_)
        | ObservedValue::Calls(_)
        | ObservedValue::Files(_)
        | ObservedValue::Object { .. } => None,
    }
}

/// What the exception that ends a test says, where the test asserts that: `SaysNoSuchElement`.
pub(super) fn said(test: &AssertedTest) -> Option<String> {
    let message = test.assertions.iter().find(|assertion| assertion.target == ObservationTarget::Message)?;
    let (ObservedValue::Primitive(text) | ObservedValue::Boxed(text)) = &message.expected else {
        return None;
    };
    value_word(text).map(|word| format!("Says{word}"))
}

/// The first elements that have a word.
fn first_words(elements: &[ObservedValue]) -> Option<String> {
    let words = elements.iter().filter_map(|element| match element {
        ObservedValue::Primitive(value) | ObservedValue::Boxed(value) => value_word(value),
        ObservedValue::Null => Some("Null".to_owned()),
        ObservedValue::EnumConstant(_, name) => Some(plain(&humps(name))),
        ObservedValue::Class(_)
        | ObservedValue::Array(_)
        | ObservedValue::Container(..)
        | ObservedValue::Text { .. }
        | ObservedValue::Beginning(_)
        | ObservedValue::Calls(_)
        | ObservedValue::Files(_)
        | ObservedValue::Object { .. } => None,
    });
    let words: Vec<String> = words.take(MOST_ELEMENTS).collect();
    (!words.is_empty()).then(|| words.join("And"))
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
        | ObservedValue::Beginning(_)
        | ObservedValue::Calls(_)
        | ObservedValue::Files(_)
        | ObservedValue::Object { .. } => None,
    };
    word.unwrap_or_else(|| "Present".to_owned())
}

/// What an inspector or field tells of, without the verb of its name.
fn property(member: &str) -> String {
    plain(&capitalized(behind_verb(member, &["get", "is", "has"]).unwrap_or(member)))
}

/// What an inspector or field tells: `SizeOne`, `NameNull`, `Empty` or `NotEmpty`, and the words of a text alone.
fn state(member: &str, expected: &ObservedValue) -> String {
    if let ("toString", ObservedValue::Primitive(text)) = (member, expected) {
        return value_word(text).unwrap_or_else(|| "Text".to_owned());
    }
    let property = property(member);
    let word = match expected {
        ObservedValue::Primitive(Value::Boolean(true)) => return property,
        ObservedValue::Primitive(Value::Boolean(false)) => return format!("Not{property}"),
        ObservedValue::Null => "Null".to_owned(),
        ObservedValue::Primitive(value) | ObservedValue::Boxed(value) => {
            value_word(value).filter(|word| !word.ends_with("Number")).unwrap_or_default()
        }
        ObservedValue::EnumConstant(_, name) => plain(&humps(name)),
        ObservedValue::Class(_)
        | ObservedValue::Array(_)
        | ObservedValue::Container(..)
        | ObservedValue::Text { .. }
        | ObservedValue::Beginning(_)
        | ObservedValue::Calls(_)
        | ObservedValue::Files(_)
        | ObservedValue::Object { .. } => String::new(),
    };
    format!("{property}{word}")
}
