//! What may be asserted at all: no identity hashes, no default `toString`, no names of generated classes, no paths of
//! this machine. What depends on the clock, the environment or hash orders in a way that no text shows is found by
//! verification in other processes.

use bytecode::name::ClassName;

use crate::assertion::{
    FileState, ObservationTarget, ObservedValue, SeenFile, has_identity_hash, identity_hash,
};
use crate::cluster::{TestCluster, folder};
use crate::kill_oracle::kills;
use crate::machine;
use crate::statement::Statement;
use crate::test_case::{CLASS_SUFFIX, TestCase};
use crate::value::{JavaString, Value};

/// What is asserted at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lengths {
    /// Longest string that is asserted, in code units; longer ones bury what they test.
    pub string: usize,
    /// Longest array that is asserted by its elements; of longer ones the length is.
    pub array: usize,
}

impl Default for Lengths {
    fn default() -> Self {
        Self { string: 300, array: 12 }
    }
}

/// Parts of names that the JVM, a library or the executor makes up; the last are the test class, whose frames in a stack trace
/// are others where JUnit runs it, the folder of a test, which JUnit makes elsewhere, the user's
/// folders, and the machine.
const MADE_UP: [&str; 11] = [
    "$$Lambda",
    "$Proxy",
    "/0x",
    "$$ByteBuddy",
    "$$EnhancerBy",
    "$$Stub",
    CLASS_SUFFIX,
    folder::NAME,
    machine::USER_FOLDER,
    machine::NAME,
    machine::PRINTED_ADDRESS,
];
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
    lengths: Lengths,
) -> Option<ObservedValue> {
    if let (ObservationTarget::Printed(_), ObservedValue::Primitive(Value::String(text))) = (target, value)
        && text.to_string().contains(FRAME)
    {
        // What the test leaves says more than that a trace was printed.
        return None;
    }
    if let Some(length) = length_of_long_text(value, test, lengths) {
        // Beside what a call gives or prints it says nothing.
        let is_result = matches!(target, ObservationTarget::Value(_) | ObservationTarget::Printed(_));
        return is_result.then(|| ObservedValue::Object { class: ClassName::string(), size: Some(length) });
    }
    // Of what is used up no size is left.
    assertable(value, test, lengths).filter(|value| !target.uses_up() || is_whole(value))
}

/// The value as it may be asserted; `None` when it may not.
pub fn assertable(value: &ObservedValue, test: &TestCase, lengths: Lengths) -> Option<ObservedValue> {
    match value {
        ObservedValue::Null | ObservedValue::EnumConstant(..) => Some(value.clone()),
        ObservedValue::Primitive(inner) | ObservedValue::Boxed(inner) => match inner {
            Value::String(text) if is_stable(text, test, lengths) => Some(value.clone()),
            Value::String(text) => beginning(text, test, lengths),
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
                elements.iter().map(|element| assertable(element, test, lengths).filter(is_known)).collect();
            Some(match all {
                Some(all) if all.len() <= lengths.array => ObservedValue::Array(all),
                _ => ObservedValue::Object {
                    class: ClassName::object(),
                    size: u32::try_from(elements.len()).ok(),
                },
            })
        }
        ObservedValue::Container(of, held) => {
            let all: Option<Vec<ObservedValue>> =
                held.iter().map(|value| assertable(value, test, lengths).filter(is_whole)).collect();
            let size = of.size(held.len());
            match all {
                Some(all) if size <= lengths.array => Some(ObservedValue::Container(*of, all)),
                _ => Some(ObservedValue::Object {
                    class: ClassName::object(),
                    size: u32::try_from(size).ok().filter(|_| of.is_sized()),
                }),
            }
        }
        ObservedValue::Text { text, size } => Some(if is_stable(text, test, lengths) {
            value.clone()
        } else {
            ObservedValue::Object { class: ClassName::object(), size: *size }
        }),
        ObservedValue::Calls(calls) => {
            let is_short = (1..=lengths.array).contains(&calls.len());
            let is_stable = calls.iter().all(|call| is_stable(&call.text, test, lengths));
            (is_short && is_stable).then(|| value.clone())
        }
        ObservedValue::Files(files) => {
            let told = files.iter().filter(|file| !file.is_prepared);
            let told = told.filter(|file| is_stable(&file.name.as_str().into(), test, lengths));
            let files: Vec<SeenFile> =
                told.take(MOST_FILES).map(|file| tellable(file, test, lengths)).collect();
            (!files.is_empty()).then_some(ObservedValue::Files(files))
        }
        ObservedValue::Beginning(text) => is_stable(text, test, lengths).then(|| value.clone()),
        ObservedValue::Object { .. } => Some(value.clone()),
    }
}

/// A file as it may be asserted.
fn tellable(file: &SeenFile, test: &TestCase, lengths: Lengths) -> SeenFile {
    let is_kept = match &file.state {
        FileState::Text(text) => is_stable(text, test, lengths) && !text.to_string().contains(FRAME),
        FileState::Absent | FileState::Folder | FileState::Bytes(_) | FileState::Present => true,
    };
    let state = if is_kept { file.state.clone() } else { FileState::Present };
    SeenFile { state, ..file.clone() }
}

/// Whether what is read in another run agrees with what a test asserts. It tells no more of files, and of calls, than it expects.
pub fn still_shows(
    target: ObservationTarget,
    expected: &ObservedValue,
    value: Option<&ObservedValue>,
    test: &TestCase,
    lengths: Lengths,
) -> bool {
    let tells_less = matches!(expected, ObservedValue::Files(_) | ObservedValue::Calls(_));
    if tells_less || is_left_of_others(expected) {
        return value.is_some() && !kills(expected, value, false);
    }
    value.and_then(|value| assertable_at(target, value, test, lengths)).as_ref() == Some(expected)
}

/// Whether a value is what [`in_common`] leaves of others: it tells less than what is read.
pub fn is_left_of_others(value: &ObservedValue) -> bool {
    matches!(value, ObservedValue::Beginning(_) | ObservedValue::Object { size: None, .. })
}

/// Whether a value can be said as a part of another one.
fn is_whole(value: &ObservedValue) -> bool {
    !matches!(
        value,
        ObservedValue::Object { .. }
            | ObservedValue::Text { .. }
            | ObservedValue::Beginning(_)
            | ObservedValue::Calls(_)
            | ObservedValue::Files(_)
    )
}

/// Whether a value is known to its end.
fn is_known(value: &ObservedValue) -> bool {
    !matches!(value, ObservedValue::Beginning(_))
}

/// Whether a value says more than that there is an object.
pub fn is_telling(value: &ObservedValue) -> bool {
    !matches!(value, ObservedValue::Object { size: None, .. })
}

/// The length of a text that is too long to be asserted; `None` of all else, and where it tells of this machine.
fn length_of_long_text(value: &ObservedValue, test: &TestCase, lengths: Lengths) -> Option<u32> {
    if let ObservedValue::Object { class, size } = value {
        return size.filter(|_| *class == ClassName::string());
    }
    let ObservedValue::Primitive(Value::String(text)) = value else { return None };
    let is_meant = text.len() > lengths.string && is_the_same_elsewhere(text, test);
    u32::try_from(text.len()).ok().filter(|_| is_meant)
}

fn is_stable(text: &JavaString, test: &TestCase, lengths: Lengths) -> bool {
    text.len() <= lengths.string && is_the_same_elsewhere(text, test)
}

/// Whether nothing in a text is of this run or this machine.
fn is_the_same_elsewhere(text: &JavaString, test: &TestCase) -> bool {
    let shown = text.to_string();
    !has_identity_hash(&shown)
        && !MADE_UP.iter().any(|part| shown.contains(part))
        && FOLDERS.iter().all(|folder| is_no_secret(&shown, test, |text| folder_in(text, folder).is_some()))
        && FILES.iter().all(|start| is_no_secret(&shown, test, |text| text.contains(start)))
}

/// Where a text holds the name of a folder between two slashes, in bytes.
fn folder_in(text: &str, folder: &str) -> Option<usize> {
    let is_within = |at: &usize| text[..*at].ends_with('/') && text[at + folder.len()..].starts_with('/');
    text.match_indices(folder).map(|(at, _)| at).find(is_within)
}

/// A text as far as it is the same in each run and on each machine, where that says more than the name of a class. Of a stack trace
/// nothing behind its first line is: which frames it has depends on the code around.
fn beginning(text: &JavaString, test: &TestCase, lengths: Lengths) -> Option<ObservedValue> {
    let shown = text.to_string();
    if is_the_same_elsewhere(text, test) && !shown.contains(FRAME) {
        return None;
    }
    let word = |at: usize| word_at(&shown, at);
    let parts = MADE_UP.iter().filter_map(|part| shown.find(part));
    let files = FILES.iter().filter_map(|start| shown.find(start));
    let folders = FOLDERS.iter().filter_map(|folder| folder_in(&shown, folder));
    let words = parts.chain(files).chain(folders).map(word);
    let frame = shown.find(FRAME);
    let end = words.chain(identity_hash(&shown)).chain(frame).min()?;
    let kept = if Some(end) == frame { shown[..end].trim_end() } else { &shown[..end] };
    (Some(end) == frame || is_more_than_a_name(kept)).then(|| as_beginning(kept, lengths)).flatten()
}

/// A text as the beginning of another one, where a test can hold it.
fn as_beginning(kept: &str, lengths: Lengths) -> Option<ObservedValue> {
    let is_whole = !kept.contains(char::REPLACEMENT_CHARACTER);
    let is_short = !kept.is_empty() && kept.len() <= lengths.string;
    (is_whole && is_short).then(|| ObservedValue::Beginning(kept.into()))
}

/// Whether the beginning of a text says more than the name of a class.
fn is_more_than_a_name(kept: &str) -> bool {
    let is_name =
        |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '$' | '@' | ';' | '[');
    kept.trim_start_matches(['[', '(', '{']).trim_end().contains(|letter| !is_name(letter))
}

/// What a value and the one that is seen in its place at another moment have in common: the value where both are equal, the words with
/// which both texts begin, where these say more than a name, and else that there is an object.
pub fn in_common(value: &ObservedValue, other: Option<&ObservedValue>) -> Option<ObservedValue> {
    let other = other?;
    if value == other {
        return Some(value.clone());
    }
    let is_object = is_an_object(value) && is_an_object(other);
    common_beginning(value, other)
        .or_else(|| is_object.then(|| ObservedValue::Object { class: ClassName::object(), size: None }))
}

/// Whether it is a reference to something.
fn is_an_object(value: &ObservedValue) -> bool {
    let is_number = matches!(value, ObservedValue::Primitive(value) if !matches!(value, Value::String(_)));
    let is_none = matches!(value, ObservedValue::Null | ObservedValue::Calls(_) | ObservedValue::Files(_));
    !is_number && !is_none
}

/// The words with which two texts begin; `None` where one is no text, and where that says no more than a name.
fn common_beginning(value: &ObservedValue, other: &ObservedValue) -> Option<ObservedValue> {
    // tidy: all else is no text
    let text = |value: &ObservedValue| match value {
        ObservedValue::Primitive(Value::String(text)) | ObservedValue::Beginning(text) => {
            Some(text.to_string())
        }
        _ => None,
    };
    let (one, other) = (text(value)?, text(other)?);
    let is_same = |((_, one), other): &((usize, char), char)| one == other;
    let same = one.char_indices().zip(other.chars()).take_while(is_same).last();
    let same = same.map_or(0, |((at, letter), _)| at + letter.len_utf8());
    // The beginning that was left of other texts ends where a word does; a word of which half is the same says nothing.
    let is_all_of_a_beginning = same == one.len() && !is_known(value);
    let end = if is_all_of_a_beginning { same } else { word_at(&one, same) };
    let kept = &one[..end];
    is_more_than_a_name(kept).then(|| as_beginning(kept, Lengths::default())).flatten()
}

/// Where the word begins that goes on at a place of a text, in bytes.
fn word_at(text: &str, at: usize) -> usize {
    text[..at].rfind(is_between_words).map_or(0, |last| last + 1)
}

/// Whether a word, such as a path, neither begins nor goes on with a character.
fn is_between_words(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '"' | '\'' | '(' | '[' | '{' | '<' | '=' | ',')
}

/// Whether a text tells nothing of the machine by holding a part: it holds none, or a literal of the test does.
fn is_no_secret(shown: &str, test: &TestCase, holds: impl Fn(&str) -> bool) -> bool {
    let is_given = |statement: &Statement| matches!(statement, Statement::Primitive { value: Value::String(text), .. } if holds(&text.to_string()));
    !holds(shown) || test.statements().iter().any(is_given)
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
        assert_eq!(assertable(&value, &TestCase::default(), Lengths::default()).is_some(), expect, "{text}");
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
    fn of_texts_that_another_moment_shows_otherwise_the_first_words_are_left_and_of_objects_that_there_is_one()
     {
        let text = |text: &str| ObservedValue::Primitive(Value::String(text.into()));
        let beginning = |text: &str| ObservedValue::Beginning(text.into());
        let object = || ObservedValue::Object { class: ClassName::object(), size: None };
        for (one, other, expect) in [
            (text("same"), text("same"), Some(text("same"))),
            (text("Order{at=12, of=a}"), text("Order{at=17, of=a}"), Some(beginning("Order{at="))),
            (text("it took 12 ms"), text("it took 17 ms"), Some(beginning("it took "))),
            (beginning("Order{at="), text("Order{at=2, of=a}"), Some(beginning("Order{at="))),
            (beginning("Order{at="), text("Order{by=2, of=a}"), Some(beginning("Order{"))),
            (text("1577880000000"), text("1577880000001"), Some(object())),
            (text("machine-a1"), text("machine-b2"), Some(object())),
            (text("[p.A, 1]"), text("[p.B, 1]"), Some(object())),
            (ObservedValue::Boxed(Value::Long(1)), ObservedValue::Boxed(Value::Long(2)), Some(object())),
            (object(), text("it took 12 ms"), Some(object())),
            (ObservedValue::Primitive(Value::Long(1)), ObservedValue::Primitive(Value::Long(2)), None),
            (ObservedValue::Null, object(), None),
            (text("took 12 ms"), ObservedValue::Null, None),
            (ObservedValue::Null, text("took 12 ms"), None),
        ] {
            assert_eq!(in_common(&one, Some(&other)), expect, "{one:?} {other:?}");
        }
        assert_eq!(in_common(&text("same"), None), None);
    }

    #[test]
    fn a_text_is_asserted_as_far_as_it_is_the_same_in_each_run() {
        for (text, expect) in [
            ("Foo{name=a, next=p.Bar@1b2c3d}", "Foo{name=a, next=p.Bar@"),
            ("no p.Foo@7f here", "no p.Foo@"),
            ("saved to /x/covolve-folder/a.txt", "saved to "),
            ("on 'machine.invalid' since noon", "on '"),
            (
                "java.lang.Exception: a\n\tat p.FooCovolveTest.test(Unknown Source)\n",
                "java.lang.Exception: a",
            ),
            ("java.lang.Exception\n\tat p.FooCovolveTest.test(Unknown Source)\n", "java.lang.Exception"),
        ] {
            let value = ObservedValue::Primitive(Value::String(text.into()));
            let told = assertable(&value, &TestCase::default(), Lengths::default());
            assert_eq!(told, Some(ObservedValue::Beginning(expect.into())), "{text}");
            // It is no part of another value.
            let array = ObservedValue::Array(vec![value]);
            let told = assertable(&array, &TestCase::default(), Lengths::default());
            assert!(matches!(told, Some(ObservedValue::Object { .. })), "{text}");
        }
    }

    #[test]
    fn a_path_that_the_test_gave_may_come_back() {
        let literal = Statement::Primitive { value: Value::String("/usr/share".into()), boxed: false };
        let value = ObservedValue::Primitive(Value::String("/usr/".into()));
        assert!(assertable(&value, &TestCase::new(vec![literal]), Lengths::default()).is_some());
        assert!(assertable(&value, &TestCase::default(), Lengths::default()).is_none());
    }

    #[test]
    fn of_long_texts_that_a_call_gives_the_length_is_asserted() {
        let (result, lengths) = (crate::statement::VarRef(0), Lengths::default());
        let test = TestCase::default();
        let told = |target, text: String| {
            let value = ObservedValue::Primitive(Value::String(text.as_str().into()));
            assertable_at(target, &value, &test, lengths)
        };
        let length = |length| Some(ObservedValue::Object { class: ClassName::string(), size: Some(length) });
        let value = ObservationTarget::Value(result);
        assert_eq!(told(value, "x".repeat(400)), length(400));
        assert_eq!(told(value, format!("{} java.lang.Object@1b2c3d4e", "x".repeat(400))), None);
        assert_eq!(told(ObservationTarget::Message, "x".repeat(400)), None);
        let unread = length(9000).unwrap();
        assert_eq!(assertable_at(value, &unread, &test, lengths), Some(unread));
    }

    #[test]
    fn of_long_or_unstable_arrays_only_the_length_is_asserted() {
        let long = ObservedValue::Array(vec![ObservedValue::Null; 20]);
        let object = Some(ObservedValue::Object { class: ClassName::object(), size: Some(20) });
        assert_eq!(assertable(&long, &TestCase::default(), Lengths::default()), object);
    }
}
