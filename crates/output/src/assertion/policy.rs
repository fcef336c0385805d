//! Which of the answers are asserted: the result of the last call or, where that is an object, its most telling state;
//! then what the call changed, and what the code had stubs do. `assertNotNull` only where nothing better can be said of a
//! result, state that was there before only where there is no result, and what the code asked stubs only where there is
//! nothing else.

use testcase::assertable::is_telling;
use testcase::assertion::{ObservationTarget, ObservedValue, Sequence};
use testcase::cluster::TestCluster;
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::Value;

use super::AssertionOptions;
use super::doubles::{distance, repeats, tell_the_same};
use super::points::{About, Question};

/// A question with its answers, both fit to be asserted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answer {
    pub question: Question,
    /// What was there before the last statement; `None` where it was not asked or could not be.
    pub before: Option<ObservedValue>,
    /// What is there behind it.
    pub after: ObservedValue,
}

/// Assertions about what is only connected with what is tested.
const MOST_CONNECTED: usize = 1;

/// Chooses answers to assert, in the order in which they are to be asserted.
pub(super) fn select<'a>(
    cluster: &TestCluster,
    test: &TestCase,
    answers: &'a [Answer],
    options: &AssertionOptions,
) -> Vec<&'a Answer> {
    let about = |about| answers.iter().filter(move |answer| answer.question.about == about);
    let mut kept: Vec<&Answer> = Vec::new();
    let identical = about(About::Identity).find(|answer| is_true(&answer.after));
    let results = || about(About::Result).filter(|answer| is_telling(&answer.after));
    let mut whole = results().filter(|answer| !is_empty_iterable(answer)).peekable();
    kept.extend(identical.or_else(|| whole.next_if(|answer| !is_text_of_object(&answer.after))));
    if kept.is_empty() {
        kept.extend(about(About::Held).find(|answer| is_true(&answer.after)));
    }
    if kept.is_empty() {
        kept.extend(whole.next());
    }
    let telling = |kept: &mut Vec<&'a Answer>, mut telling: Vec<&'a Answer>| {
        telling.retain(|answer| is_telling(&answer.after));
        telling.sort_by_key(|answer| {
            std::cmp::Reverse((informativeness(test, answer), directness(cluster, answer)))
        });
        add((cluster, test), kept, telling.into_iter(), options.informative);
    };
    if kept.is_empty() {
        telling(&mut kept, about(About::ResultState).collect());
    }
    if kept.is_empty() {
        kept.extend(results().next());
    }
    let changed = |answer: &&Answer| {
        is_telling(&answer.after) && answer.before.as_ref().is_some_and(|before| *before != answer.after)
    };
    let does = |answer: &&Answer| {
        let (ObservationTarget::Calls(_, stub), ObservedValue::Calls(calls)) =
            (answer.question.target, &answer.after)
        else {
            return false;
        };
        calls.iter().any(|call| call.is_command(cluster.stub(stub)))
    };
    let calls = || about(About::Calls).filter(changed);
    add((cluster, test), &mut kept, calls().filter(does), options.changed);
    add((cluster, test), &mut kept, about(About::Files).filter(changed), options.changed);
    add((cluster, test), &mut kept, about(About::State).filter(changed), options.changed);
    add((cluster, test), &mut kept, about(About::Connected).filter(changed), MOST_CONNECTED);
    if kept.is_empty() {
        kept.extend(about(About::Printed));
    }
    if kept.is_empty() {
        kept.extend(about(About::Result).next());
    }
    if kept.is_empty() {
        // What the code asked for, where nothing else comes of it.
        add((cluster, test), &mut kept, calls(), options.changed);
    }
    if kept.is_empty() {
        // State that nothing changed is asserted where it is known to its end.
        let known = about(About::State).filter(|answer| !matches!(answer.after, ObservedValue::Beginning(_)));
        telling(&mut kept, known.collect());
    }
    // What looking uses up is looked at last.
    kept.sort_by_key(|answer| answer.question.target.uses_up());
    kept
}

/// Whether a value is an object that is known by its text: that it is one which the test made says as much in a word.
fn is_text_of_object(value: &ObservedValue) -> bool {
    matches!(value, ObservedValue::Text { size: None, .. })
}

/// Whether an answer says no more than that an object, whose state may say more, has nothing to go through.
fn is_empty_iterable(answer: &Answer) -> bool {
    let is_empty = matches!(&answer.after, ObservedValue::Container(_, given) if given.is_empty());
    is_empty && matches!(answer.question.target, ObservationTarget::Elements(_, Sequence::Iterable))
}

/// Adds up to `most` answers that say something the others do not.
fn add<'a>(
    (cluster, test): (&TestCluster, &TestCase),
    kept: &mut Vec<&'a Answer>,
    answers: impl Iterator<Item = &'a Answer>,
    most: usize,
) {
    let start = kept.len();
    let answers: Vec<&Answer> = answers.collect();
    for &answer in &answers {
        if kept.len() - start == most {
            return;
        }
        if answers.iter().any(|other| is_emptiness_of(cluster, answer, other)) {
            continue; // the size says more
        }
        if answers.iter().any(|other| repeats(cluster, shown_by(answer), shown_by(other))) {
            continue; // what it is about says it better
        }
        let is_double = |other: &Answer| tell_the_same(cluster, test, shown_by(answer), shown_by(other));
        let rank = |answer: &Answer| distance(cluster, test, answer.question.target);
        if answers.iter().any(|other| is_double(other) && rank(other) < rank(answer)) {
            continue; // that one says it better
        }
        if !kept.iter().any(|other| is_implied(cluster, answer, other) || is_double(other)) {
            kept.push(answer);
        }
    }
}

/// What an answer shows behind the last statement.
fn shown_by(answer: &Answer) -> (ObservationTarget, &ObservedValue) {
    (answer.question.target, &answer.after)
}

/// Whether one answer follows from another about the same object: emptiness from size, `getX` from `x`.
fn is_implied(cluster: &TestCluster, answer: &Answer, other: &Answer) -> bool {
    let same = inspected(cluster, answer)
        .zip(inspected(cluster, other))
        .is_some_and(|((object, one), (other, two))| object == other && property(one) == property(two));
    same || is_emptiness_of(cluster, answer, other) || is_read_off(cluster, answer, other)
}

/// Whether the other tells all that a container or text of the JDK holds, and this one what its methods give; or what is in files
/// of the folder, and this one what a `java.io.File` says of them.
fn is_read_off(cluster: &TestCluster, answer: &Answer, other: &Answer) -> bool {
    let ObservationTarget::Inspector(object, inspector) = answer.question.target else { return false };
    if let ObservedValue::Files(_) = other.after {
        return cluster.callable(inspector).declared_in.as_str() == "java/io/File";
    }
    let of_the_platform = |id| cluster.callable(id).declared_in.as_str().starts_with("java/");
    if let ObservationTarget::Inspector(same, text) = other.question.target
        && same == object
        && of_the_platform(text)
        && &*cluster.callable(text).name == "toString"
    {
        return of_the_platform(inspector) && text != inspector;
    }
    let is_whole = match other.after {
        ObservedValue::Container(..) | ObservedValue::Text { .. } | ObservedValue::Array(_) => true,
        ObservedValue::Null
        | ObservedValue::Primitive(_)
        | ObservedValue::Boxed(_)
        | ObservedValue::EnumConstant(..)
        | ObservedValue::Class(_)
        | ObservedValue::Beginning(_)
        | ObservedValue::Calls(_)
        | ObservedValue::Files(_)
        | ObservedValue::Object { .. } => false,
    };
    is_whole && of_the_platform(inspector) && other.question.target == ObservationTarget::Value(object)
}

/// Whether an answer tells that the object is empty or not, of which the other tells the size.
fn is_emptiness_of(cluster: &TestCluster, answer: &Answer, other: &Answer) -> bool {
    inspected(cluster, answer)
        .zip(inspected(cluster, other))
        .is_some_and(|((object, one), (other, two))| object == other && one == "isEmpty" && is_size(two))
}

/// The object inspected, and the name of the inspector or field.
fn inspected<'a>(cluster: &'a TestCluster, answer: &Answer) -> Option<(VarRef, &'a str)> {
    cluster.member_of_state(answer.question.target)
}

/// What an inspector tells of. The conversions of `java.lang.Number` all tell of one number.
fn property(inspector: &str) -> String {
    if is_conversion(inspector) {
        return "number".to_owned();
    }
    let rest = ["get", "is", "has"]
        .iter()
        .find_map(|verb| inspector.strip_prefix(verb))
        .filter(|rest| !rest.is_empty());
    rest.unwrap_or(inspector).to_lowercase()
}

fn is_conversion(inspector: &str) -> bool {
    matches!(inspector, "byteValue" | "shortValue" | "intValue" | "longValue" | "floatValue" | "doubleValue")
}

/// How directly an inspector shows a property of the object: getters tell of one, conversions of a mixture that
/// several objects may share.
fn directness(cluster: &TestCluster, answer: &Answer) -> u8 {
    match inspected(cluster, answer) {
        Some((_, name)) if is_conversion(name) => 0,
        Some((_, name)) if name.starts_with("get") || is_size(name) => 2,
        Some(_) | None => 1,
    }
}

fn is_size(inspector: &str) -> bool {
    matches!(inspector, "size" | "length" | "count" | "getSize" | "getLength" | "getCount")
}

fn is_true(value: &ObservedValue) -> bool {
    *value == ObservedValue::Primitive(Value::Boolean(true))
}

/// How much a state says: most when it shows an input of the test again, least when it is a default.
fn informativeness(test: &TestCase, answer: &Answer) -> u8 {
    match &answer.after {
        ObservedValue::Primitive(value) | ObservedValue::Boxed(value) => {
            let is_input = test.statements().iter().any(
                |statement| matches!(statement, Statement::Primitive { value: input, .. } if input == value),
            );
            if let Value::Boolean(flag) = value {
                u8::from(*flag)
            } else if is_default(value) {
                0
            } else if is_input {
                3
            } else {
                2
            }
        }
        ObservedValue::Null => 0,
        ObservedValue::EnumConstant(..)
        | ObservedValue::Class(_)
        | ObservedValue::Calls(_)
        | ObservedValue::Files(_) => 2,
        ObservedValue::Text { text, .. } => {
            if text.is_empty() {
                0
            } else {
                2
            }
        }
        ObservedValue::Array(elements) | ObservedValue::Container(_, elements) => {
            if elements.is_empty() {
                0
            } else {
                2
            }
        }
        ObservedValue::Beginning(_) => 1,
        ObservedValue::Object { size, .. } => u8::from(size.is_some_and(|size| size > 0)),
    }
}

fn is_default(value: &Value) -> bool {
    match value {
        Value::String(text) => text.is_empty(),
        Value::Float(number) => *number == 0.0,
        Value::Double(number) => *number == 0.0,
        Value::Boolean(_)
        | Value::Byte(_)
        | Value::Short(_)
        | Value::Char(_)
        | Value::Int(_)
        | Value::Long(_) => value.as_integer() == Some(0),
    }
}
