//! Artifacts resolved by the machine's Maven.

use crate::support;
use std::cell::RefCell;

use project::environment::Environment;
use project::maven::Maven;
use project::request::Coordinates;

#[test]
fn an_artifact_is_resolved_once_and_then_remembered() {
    let cache = tempfile::tempdir().unwrap();
    let environment = Environment { cache: Some(cache.path().to_owned()), ..support::environment() };
    let jdk = support::jdk();
    let asked = RefCell::new(Vec::new());
    let note = |text: &str| asked.borrow_mut().push(text.to_owned());
    let maven = Maven::new(&environment, &jdk, &note);
    let artifact = [Coordinates::of("commons-cli", "commons-cli", "1.2")];
    let first = maven.resolve(&artifact).unwrap();
    assert_eq!(first.len(), 1);
    assert!(first[0].ends_with("commons-cli/commons-cli/1.2/commons-cli-1.2.jar"), "{first:?}");
    assert!(first[0].is_file());
    assert_eq!(maven.resolve(&artifact).unwrap(), first);
    assert_eq!(*asked.borrow(), ["resolving commons-cli:commons-cli:1.2 with Maven"]);
}

#[test]
fn an_artifact_that_does_not_exist_is_named() {
    let (environment, jdk) = (support::environment(), support::jdk());
    let artifact = [Coordinates::of("commons-cli", "commons-cli", "0.0.99")];
    let failure = Maven::new(&environment, &jdk, &|_| ()).resolve(&artifact).unwrap_err();
    assert!(
        failure.sentence.starts_with("Maven cannot resolve commons-cli:commons-cli:0.0.99: "),
        "{failure}"
    );
    assert!(failure.sentence.ends_with("check the coordinates"), "{failure}");
}
