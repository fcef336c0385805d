//! The members of a test class that see what tests print: for each test, streams that keep it stand in the place of the standard
//! streams.

use std::collections::BTreeSet;

use bytecode::name::ClassName;
use testcase::assertion::{ObservationTarget, StandardStream};

use super::imports::ClassNames;
use super::style::JunitStyle;
use crate::asserted_test::AssertedTest;

/// Names of the fields.
pub(crate) const FIELDS: [&str; 4] = ["systemOut", "systemErr", "printedOut", "printedErr"];
/// Names of the methods before and after each test.
pub(crate) const METHODS: [&str; 2] = ["redirectStreams", "restoreStreams"];

/// The field that holds what was printed.
pub(crate) fn printed(stream: StandardStream) -> &'static str {
    match stream {
        StandardStream::Out => "printedOut",
        StandardStream::Err => "printedErr",
    }
}

/// The field that holds the stream as it was.
fn system(stream: StandardStream) -> &'static str {
    match stream {
        StandardStream::Out => "systemOut",
        StandardStream::Err => "systemErr",
    }
}

/// The streams of which a test asserts what was printed.
pub(crate) fn asserted(test: &AssertedTest) -> impl Iterator<Item = StandardStream> {
    test.assertions.iter().filter_map(|assertion| match assertion.target {
        ObservationTarget::Printed(stream) => Some(stream),
        ObservationTarget::Value(_)
        | ObservationTarget::Inspector(..)
        | ObservationTarget::Nested(..)
        | ObservationTarget::Field(..)
        | ObservationTarget::Same(..)
        | ObservationTarget::Calls(..)
        | ObservationTarget::Message
        | ObservationTarget::Cause
        | ObservationTarget::Elements(..)
        | ObservationTarget::Files => None,
    })
}

/// Classes that the members name: of what is done before a test and after it, then of the platform.
pub(crate) fn classes(style: JunitStyle) -> [ClassName; 5] {
    let [before, after] = style.around_each();
    [before, after, "java/io/PrintStream", "java/io/ByteArrayOutputStream", "java/lang/System"]
        .map(ClassName::new)
}

/// The lines of the members, without their indentation; empty ones stand between them.
pub(crate) fn lines(
    streams: &BTreeSet<StandardStream>,
    style: JunitStyle,
    names: &dyn ClassNames,
) -> Vec<String> {
    let [before, after, print_stream, bytes, system_class] = classes(style).map(|class| names.class(&class));
    let public = if style.needs_public() { "public " } else { "" };
    let ([redirect, restore], indent) = (METHODS, "    ");
    let (mut fields, mut redirected, mut restored) = (Vec::new(), Vec::new(), Vec::new());
    for &stream in streams {
        let (system, printed) = (system(stream), printed(stream));
        let (name, setter) = match stream {
            StandardStream::Out => ("out", "setOut"),
            StandardStream::Err => ("err", "setErr"),
        };
        fields.push(format!("private final {print_stream} {system} = {system_class}.{name};"));
        fields.push(format!("private final {bytes} {printed} = new {bytes}();"));
        redirected.push(format!("{indent}{system_class}.{setter}(new {print_stream}({printed}, true));"));
        restored.push(format!("{indent}{system_class}.{setter}({system});"));
    }
    let method = |annotation: &str, name: &str, body: Vec<String>| {
        let head = [String::new(), format!("@{annotation}"), format!("{public}void {name}() {{")];
        head.into_iter().chain(body).chain(["}".to_owned()]).collect::<Vec<String>>()
    };
    fields.extend(method(&before, redirect, redirected));
    fields.extend(method(&after, restore, restored));
    fields
}
