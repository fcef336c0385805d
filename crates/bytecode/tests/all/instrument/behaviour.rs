//! Instrumented programs print what their originals print, stack traces with their lines included.

use std::path::PathBuf;

use crate::instrument::driver::{InstrumentedClasses, java};
use bytecode::analysis::AnalysisOptions;
use fixture::Compiled;

const WRAPPER: &str = include_str!("Wrapper.java");

/// Runs the main method of a class from a folder.
fn output(folder: PathBuf, class: &str) -> String {
    let class_path = fixture::runtime().folder.display().to_string();
    let wrapper = fixture::compile_with(
        &format!("//- /Wrapper.java\n{WRAPPER}"),
        &["--release", "8", "-cp", &class_path],
    );
    let output = java(&[folder, wrapper.folder]).arg("-ea").args(["Wrapper", class]).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    format!("{}{}{}", text(output.stdout), text(output.stderr), output.status)
}

fn check(compiled: &Compiled, class: &str) {
    let original = output(compiled.folder.clone(), class);
    assert!(original.contains("exit status: 0"), "{original}");
    let full = InstrumentedClasses::full(compiled);
    assert!(full.maps.iter().all(|map| map.skipped.is_empty()));
    assert_eq!(output(full.folder().to_owned(), class), original, "full set");
    let all = InstrumentedClasses::full_with(compiled, AnalysisOptions::ALL);
    assert!(all.maps.iter().all(|map| map.skipped.is_empty()));
    assert_eq!(output(all.folder().to_owned(), class), original, "everything that can be asked for");
    let light = InstrumentedClasses::light(compiled);
    assert_eq!(output(light.folder().to_owned(), class), original, "light set");
}

const JAVA_8: &str = include_str!("Java8.java");

#[test]
fn control_flow_of_java_8_is_left_as_it_is() {
    check(&fixture::compile(&format!("//- /Java8.java\n{JAVA_8}")), "Java8");
}

#[test]
fn control_flow_without_debug_information_is_left_as_it_is() {
    check(
        &fixture::compile_with(&format!("//- /Java8.java\n{JAVA_8}"), &["-g:none", "--release", "8"]),
        "Java8",
    );
}

const JAVA_17: &str = include_str!("Java17.java");

#[test]
fn control_flow_of_java_17_is_left_as_it_is() {
    let source = format!("//- /Java17.java\n{JAVA_17}");
    check(&fixture::compile_with(&source, &["-g", "--release", "17"]), "Java17");
}

const PREDICATES: &str = include_str!("Predicates.java");

#[test]
fn predicates_are_left_as_they_are() {
    check(&fixture::compile(&format!("//- /Predicates.java\n{PREDICATES}")), "Predicates");
}

const FLAGS: &str = include_str!("Flags.java");

#[test]
fn flags_are_left_as_they_are() {
    check(&fixture::compile(&format!("//- /Flags.java\n{FLAGS}")), "Flags");
}
