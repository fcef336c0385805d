//! Values that tell the same of one object: its text, and the text of a list in it that is all of its text; what it holds, and the
//! same as a map, or its size. Who asserts one of them need not assert the other.
//!
//! Numbers, flags, `null` and constants are equal by chance, so they never count as the same; nor do empty values. Texts that
//! the test itself gave in do not either, since two properties may have got the same one, unless one of them is a `toString`.

use testcase::assertion::{ObservationTarget, ObservedValue};
use testcase::cluster::TestCluster;
use testcase::statement::Statement;
use testcase::test_case::TestCase;
use testcase::value::{JavaString, Value};

/// Something that a test may look at, and what is there.
pub(super) type Shown<'a> = (ObservationTarget, &'a ObservedValue);

/// Whether one of two values says of an object what the other says of it.
pub(super) fn tell_the_same(
    cluster: &TestCluster,
    test: &TestCase,
    one: Shown<'_>,
    other: Shown<'_>,
) -> bool {
    if one.0 == other.0 || one.0.object().is_none() || one.0.object() != other.0.object() {
        return false;
    }
    let texts = text(one.1).zip(text(other.1));
    let is_same_text = texts.is_some_and(|(text, same)| {
        let is_whole = [one.0, other.0].into_iter().any(|target| is_text_of_all(cluster, target));
        *text == *same && text.len() > 1 && (is_whole || !is_input(test, text))
    });
    let held = elements(one.1).zip(elements(other.1));
    is_same_text
        || is_size_of(cluster, one, other)
        || is_size_of(cluster, other, one)
        || held.is_some_and(|(held, same)| !held.is_empty() && held == same)
}

/// Whether a value is the size of another, or whether that is empty: who looks at what a collection holds looks at that too.
fn is_size_of(cluster: &TestCluster, value: Shown<'_>, held: Shown<'_>) -> bool {
    let (ObservationTarget::Inspector(_, asked), ObservationTarget::Value(_)) = (value.0, held.0) else {
        return false;
    };
    let Some(size) = held.1.size() else { return false };
    match (&*cluster.callable(asked).name, value.1) {
        ("size", ObservedValue::Primitive(Value::Int(told))) => u32::try_from(*told) == Ok(size),
        ("isEmpty", ObservedValue::Primitive(Value::Boolean(told))) => *told == (size == 0),
        _ => false,
    }
}

/// Whether a value is the text of an object that says again what another value says of it: `<200 OK,[]>` beside the status `OK`. A
/// text changes with each property, and few readers see in it what the test is about. Numbers are looked for where they are no
/// defaults: a 0 is in many texts by chance.
pub(super) fn repeats(cluster: &TestCluster, of_all: Shown<'_>, other: Shown<'_>) -> bool {
    let is_of_one =
        other.0 != of_all.0 && other.0.object().is_some() && other.0.object() == of_all.0.object();
    if !is_of_one || !is_text_of_all(cluster, of_all.0) {
        return false;
    }
    let said = text(other.1).map(JavaString::to_string).or_else(|| word_of(other.1));
    let whole = text(of_all.1).map(JavaString::to_string);
    said.zip(whole).is_some_and(|(said, whole)| {
        !matches!(&*said, "" | "0") && said != whole && is_word_of(&said, &whole)
    })
}

/// A number, character or constant as it stands in a text.
fn word_of(value: &ObservedValue) -> Option<String> {
    if let ObservedValue::EnumConstant(_, name) = value {
        return Some(name.clone());
    }
    let (ObservedValue::Primitive(value) | ObservedValue::Boxed(value)) = value else { return None };
    match value {
        Value::Boolean(_) => None,
        Value::String(text) => Some(text.to_string()),
        Value::Char(unit) => Some(String::from_utf16_lossy(&[*unit])),
        Value::Float(number) => Some(number.to_string()),
        Value::Double(number) => Some(number.to_string()),
        Value::Byte(_) | Value::Short(_) | Value::Int(_) | Value::Long(_) => {
            value.as_integer().map(|number| number.to_string())
        }
    }
}

/// Whether a text is in another one, with no letter and no digit beside it.
fn is_word_of(word: &str, text: &str) -> bool {
    text.match_indices(word).any(|(start, _)| {
        let beside = [text[..start].chars().next_back(), text[start + word.len()..].chars().next()];
        !beside.into_iter().flatten().any(char::is_alphanumeric)
    })
}

fn is_text_of_all(cluster: &TestCluster, target: ObservationTarget) -> bool {
    matches!(target, ObservationTarget::Inspector(_, inspector)
        if &*cluster.callable(inspector).name == "toString")
}

fn text(value: &ObservedValue) -> Option<&JavaString> {
    match value {
        ObservedValue::Primitive(Value::String(text))
        | ObservedValue::Boxed(Value::String(text))
        | ObservedValue::Text { text, .. } => Some(text),
        ObservedValue::Null
        | ObservedValue::Primitive(_)
        | ObservedValue::Boxed(_)
        | ObservedValue::EnumConstant(..)
        | ObservedValue::Class(_)
        | ObservedValue::Array(_)
        | ObservedValue::Container(..)
        | ObservedValue::Beginning(_)
        | ObservedValue::Calls(_)
        | ObservedValue::Files(_)
        | ObservedValue::Object { .. } => None,
    }
}

fn elements(value: &ObservedValue) -> Option<&[ObservedValue]> {
    match value {
        ObservedValue::Array(elements) | ObservedValue::Container(_, elements) => Some(elements),
        ObservedValue::Null
        | ObservedValue::Primitive(_)
        | ObservedValue::Boxed(_)
        | ObservedValue::EnumConstant(..)
        | ObservedValue::Class(_)
        | ObservedValue::Text { .. }
        | ObservedValue::Beginning(_)
        | ObservedValue::Calls(_)
        | ObservedValue::Files(_)
        | ObservedValue::Object { .. } => None,
    }
}

fn is_input(test: &TestCase, text: &JavaString) -> bool {
    test.statements()
        .iter()
        .any(|statement| matches!(statement, Statement::Primitive { value: Value::String(input), .. } if input == text))
}

/// How far a target is from what a test is about, least first: what the name of the last method names, then what is shorter.
pub(super) fn distance(cluster: &TestCluster, test: &TestCase, target: ObservationTarget) -> (bool, usize) {
    let last = test.statements().last().and_then(Statement::callable);
    let is_named = last.is_some_and(|id| cluster.words_shared(target, &cluster.callable(id).name) > 0);
    let calls = match target {
        ObservationTarget::Nested(..) => 2,
        ObservationTarget::Inspector(..) | ObservationTarget::Field(..) | ObservationTarget::Elements(..) => {
            1
        }
        ObservationTarget::Value(_)
        | ObservationTarget::Same(..)
        | ObservationTarget::Calls(..)
        | ObservationTarget::Message
        | ObservationTarget::Cause
        | ObservationTarget::Printed(_)
        | ObservationTarget::Files => 0,
    };
    (!is_named, calls)
}

#[cfg(test)]
mod tests {
    use bytecode::descriptor::PrimitiveType;
    use bytecode::name::ClassName;
    use testcase::assertion::Container;
    use testcase::cluster::TypeId;
    use testcase::cluster::testing::ClusterBuilder;
    use testcase::statement::VarRef;

    use super::*;

    #[test]
    fn a_text_repeats_what_a_getter_says() {
        let mut builder = ClusterBuilder::new("p/Foo");
        let (class, int) = (builder.class("p/Status"), TypeId::primitive(PrimitiveType::Int));
        let [text, code, name] =
            ["toString", "getCode", "getName"].map(|name| builder.method(class, name, &[], Some(int)));
        let cluster = builder.build();
        let string = |text: &str| ObservedValue::Primitive(Value::String(JavaString::from(text)));
        let number = |number| ObservedValue::Primitive(Value::Int(number));
        let constant = ObservedValue::EnumConstant(ClassName::new("p/Code"), "OK".to_owned());
        for (of_all, asked, said, expect) in [
            (text, code, number(200), true),
            (text, code, number(404), false),
            (text, code, number(20), false),
            (text, code, number(0), false),
            (text, code, constant, true),
            (text, name, string("OK"), true),
            (text, name, string(""), false),
            (name, code, number(200), false),
        ] {
            let whole = string("<200 OK,[0]>");
            let [one, other] = [(of_all, &whole), (asked, &said)]
                .map(|(asked, value)| (ObservationTarget::Inspector(VarRef(0), asked), value));
            assert_eq!(repeats(&cluster, one, other), expect, "{one:?} beside {other:?}");
            let elsewhere = (ObservationTarget::Inspector(VarRef(1), asked), other.1);
            assert!(!repeats(&cluster, one, elsewhere), "another object");
        }
    }

    #[test]
    fn a_size_is_told_by_what_is_held() {
        let mut builder = ClusterBuilder::new("p/Foo");
        let (list, int) = (builder.class("p/List"), TypeId::primitive(PrimitiveType::Int));
        let [size, is_empty, other] =
            ["size", "isEmpty", "weight"].map(|name| builder.method(list, name, &[], Some(int)));
        let cluster = builder.build();
        let held = |count: usize| ObservedValue::Container(Container::Set, vec![ObservedValue::Null; count]);
        let of_size = |count| ObservedValue::Object { class: ClassName::new("p/List"), size: Some(count) };
        let number = |number| ObservedValue::Primitive(Value::Int(number));
        let flag = |flag| ObservedValue::Primitive(Value::Boolean(flag));
        for (asked, told, held, expect) in [
            (size, number(2), held(2), true),
            (size, number(1), of_size(1), true),
            (size, number(1), of_size(2), false),
            (is_empty, flag(true), held(0), true),
            (is_empty, flag(false), of_size(3), true),
            (other, number(2), held(2), false),
        ] {
            let shown = [
                (ObservationTarget::Inspector(VarRef(0), asked), &told),
                (ObservationTarget::Value(VarRef(0)), &held),
            ];
            for [one, other] in [shown, [shown[1], shown[0]]] {
                assert_eq!(tell_the_same(&cluster, &TestCase::default(), one, other), expect, "{shown:?}");
            }
        }
    }
}
