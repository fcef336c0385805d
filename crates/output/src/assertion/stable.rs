//! What may be asserted at all: no identity hashes, no default `toString`, no names of generated classes, no paths of
//! this machine. What depends on the clock, the environment or hash orders in a way that no text shows is found by
//! verification in other processes.

use bytecode::name::ClassName;
use testcase::assertion::{FileState, ObservationTarget, ObservedValue, SeenFile, has_identity_hash};
use testcase::cluster::{TestCluster, folder};
use testcase::kill_oracle::kills;
use testcase::statement::Statement;
use testcase::test_case::TestCase;
use testcase::value::{JavaString, Value};

use super::AssertionOptions;
use crate::junit::writer::SUFFIX;

/// Parts of names that the JVM, a library or the executor makes up; the last are the test class, whose frames in a stack trace
/// are others where JUnit runs it, and the folder of a test, which JUnit makes elsewhere.
const MADE_UP: [&str; 8] =
    ["$$Lambda", "$Proxy", "/0x", "$$ByteBuddy", "$$EnhancerBy", "$$Stub", SUFFIX, folder::NAME];
/// What each line of a printed stack trace begins with: its other lines are of JUnit and the JDK.
const FRAME: &str = "\tat ";
/// Most files that one test tells of.
const MOST_FILES: usize = 4;
/// Folders in which files of a machine lie: what stands between two slashes in a path.
const FOLDERS: [&str; 6] = ["home", "tmp", "root", "Users", "usr", "var"];
/// Beginnings of other names of such files.
const FILES: [&str; 2] = [":\\Users\\", "file:/"];

/// What is read there as it may be asserted; `None` when it may not.
pub fn assertable_at(
    target: ObservationTarget,
    value: &ObservedValue,
    test: &TestCase,
    options: &AssertionOptions,
) -> Option<ObservedValue> {
    if let (ObservationTarget::Printed(_), ObservedValue::Primitive(Value::String(text))) = (target, value)
        && text.to_string().contains(FRAME)
    {
        return None;
    }
    // Of what is used up no size is left.
    assertable(value, test, options).filter(|value| !target.uses_up() || is_whole(value))
}

/// The value as it may be asserted; `None` when it may not.
pub fn assertable(
    value: &ObservedValue,
    test: &TestCase,
    options: &AssertionOptions,
) -> Option<ObservedValue> {
    match value {
        ObservedValue::Null | ObservedValue::EnumConstant(..) => Some(value.clone()),
        ObservedValue::Primitive(inner) | ObservedValue::Boxed(inner) => match inner {
            Value::String(text) => is_stable(text, test, options).then(|| value.clone()),
            Value::Boolean(_)
            | Value::Byte(_)
            | Value::Short(_)
            | Value::Char(_)
            | Value::Int(_)
            | Value::Long(_)
            | Value::Float(_)
            | Value::Double(_) => Some(value.clone()),
        },
        ObservedValue::Class(name) => {
            (!MADE_UP.iter().any(|part| name.contains(part))).then(|| value.clone())
        }
        ObservedValue::Array(elements) => {
            let all: Option<Vec<ObservedValue>> =
                elements.iter().map(|element| assertable(element, test, options)).collect();
            Some(match all {
                Some(all) if all.len() <= options.array_length => ObservedValue::Array(all),
                _ => ObservedValue::Object {
                    class: ClassName::object(),
                    size: u32::try_from(elements.len()).ok(),
                },
            })
        }
        ObservedValue::Container(of, held) => {
            let all: Option<Vec<ObservedValue>> =
                held.iter().map(|value| assertable(value, test, options).filter(is_whole)).collect();
            let size = of.size(held.len());
            match all {
                Some(all) if size <= options.array_length => Some(ObservedValue::Container(*of, all)),
                _ => Some(ObservedValue::Object {
                    class: ClassName::object(),
                    size: u32::try_from(size).ok().filter(|_| of.is_sized()),
                }),
            }
        }
        ObservedValue::Text { text, size } => Some(if is_stable(text, test, options) {
            value.clone()
        } else {
            ObservedValue::Object { class: ClassName::object(), size: *size }
        }),
        ObservedValue::Calls(calls) => {
            let is_short = (1..=options.array_length).contains(&calls.len());
            let is_stable = calls.iter().all(|call| is_stable(&call.text, test, options));
            (is_short && is_stable).then(|| value.clone())
        }
        ObservedValue::Files(files) => {
            let told = files.iter().filter(|file| !file.is_prepared);
            let told = told.filter(|file| is_stable(&file.name.as_str().into(), test, options));
            let files: Vec<SeenFile> =
                told.take(MOST_FILES).map(|file| tellable(file, test, options)).collect();
            (!files.is_empty()).then_some(ObservedValue::Files(files))
        }
        ObservedValue::Object { .. } => Some(value.clone()),
    }
}

/// A file as it may be asserted.
fn tellable(file: &SeenFile, test: &TestCase, options: &AssertionOptions) -> SeenFile {
    let is_kept = match &file.state {
        FileState::Text(text) => is_stable(text, test, options) && !text.to_string().contains(FRAME),
        FileState::Absent | FileState::Folder | FileState::Bytes(_) | FileState::Present => true,
    };
    let state = if is_kept { file.state.clone() } else { FileState::Present };
    SeenFile { state, ..file.clone() }
}

/// Whether what is read in another run agrees with what a test asserts. It tells no more of files than it expects.
pub fn still_shows(
    target: ObservationTarget,
    expected: &ObservedValue,
    value: Option<&ObservedValue>,
    test: &TestCase,
    options: &AssertionOptions,
) -> bool {
    if let ObservedValue::Files(_) = expected {
        return value.is_some() && !kills(expected, value, false);
    }
    value.and_then(|value| assertable_at(target, value, test, options)).as_ref() == Some(expected)
}

/// Whether a value can be said as a part of another one.
fn is_whole(value: &ObservedValue) -> bool {
    !matches!(
        value,
        ObservedValue::Object { .. }
            | ObservedValue::Text { .. }
            | ObservedValue::Calls(_)
            | ObservedValue::Files(_)
    )
}

/// Whether a value says more than that there is an object.
pub(super) fn is_telling(value: &ObservedValue) -> bool {
    !matches!(value, ObservedValue::Object { size: None, .. })
}

fn is_stable(text: &JavaString, test: &TestCase, options: &AssertionOptions) -> bool {
    let shown = text.to_string();
    text.len() <= options.string_length
        && !has_identity_hash(&shown)
        && !MADE_UP.iter().any(|part| shown.contains(part))
        && FOLDERS.iter().all(|folder| is_no_secret(&format!("/{folder}/"), &shown, test))
        && FILES.iter().all(|start| is_no_secret(start, &shown, test))
}

/// Whether a text tells nothing of the machine by holding this part.
fn is_no_secret(part: &str, shown: &str, test: &TestCase) -> bool {
    !shown.contains(part) || is_given(test, part)
}

/// Whether a literal of the test holds the text, so that it says nothing of the machine.
fn is_given(test: &TestCase, part: &str) -> bool {
    test.statements().iter().any(|statement| {
        matches!(statement, Statement::Primitive { value: Value::String(text), .. } if text.to_string().contains(part))
    })
}

/// Whether the method asked or called gives the identity hash of an object. Of its default text the value tells.
pub fn is_inherited_from_object(cluster: &TestCluster, test: &TestCase, target: ObservationTarget) -> bool {
    let callable = match target {
        ObservationTarget::Value(variable) => test.statement(variable).callable(),
        ObservationTarget::Inspector(_, inspector) | ObservationTarget::Nested(_, _, inspector) => {
            Some(inspector)
        }
        ObservationTarget::Field(..)
        | ObservationTarget::Same(..)
        | ObservationTarget::Calls(..)
        | ObservationTarget::Elements(..)
        | ObservationTarget::Printed(_)
        | ObservationTarget::Files
        | ObservationTarget::Message
        | ObservationTarget::Cause => None,
    };
    callable.is_some_and(|id| {
        let callable = cluster.callable(id);
        let identity = callable.declared_in.as_str() == "java/lang/Object"
            || callable.declared_in.as_str() == "java/lang/Enum"
            || &*callable.name == "identityHashCode";
        identity && matches!(&*callable.name, "hashCode" | "identityHashCode")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: bool) {
        let value = ObservedValue::Primitive(Value::String(text.into()));
        let options = AssertionOptions::default();
        assert_eq!(assertable(&value, &TestCase::default(), &options).is_some(), expect, "{text}");
    }

    #[test]
    fn default_texts_of_objects_and_names_made_up_by_the_jvm_are_not_asserted() {
        let path = format!("/{}/me/x", FOLDERS[0]);
        for text in [
            "Foo@1a2b3c",
            "[Foo@7f, Foo@80]",
            "[I@1540e19d",
            "p.Foo$$Lambda/0x01",
            "Foo$$Stub3[]",
            "at p.FooCovolveTest.test(Native Method)",
            "covolve-folder/a.txt is a folder",
            &path,
        ] {
            check(text, false);
        }
        for text in ["me@example.org", "a@b", "@Test", "1 @ 2", "x@12345678901", "/etc is short"] {
            check(text, text != "a@b");
        }
    }

    #[test]
    fn a_path_that_the_test_gave_may_come_back() {
        let literal = Statement::Primitive { value: Value::String("/usr/share".into()), boxed: false };
        let value = ObservedValue::Primitive(Value::String("/usr/".into()));
        let options = AssertionOptions::default();
        assert!(assertable(&value, &TestCase::new(vec![literal]), &options).is_some());
        assert!(assertable(&value, &TestCase::default(), &options).is_none());
    }

    #[test]
    fn of_long_or_unstable_arrays_only_the_length_is_asserted() {
        let long = ObservedValue::Array(vec![ObservedValue::Null; 20]);
        let options = AssertionOptions::default();
        let object = Some(ObservedValue::Object { class: ClassName::object(), size: Some(20) });
        assert_eq!(assertable(&long, &TestCase::default(), &options), object);
    }
}
