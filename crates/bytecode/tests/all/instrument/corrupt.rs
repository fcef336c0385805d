//! Whatever the bytes are, reading, analysing and instrumenting them ends with a result or an error.

use bytecode::analysis::{AnalysisOptions, ProbeIds, analyze};
use bytecode::class_file::ClassFile;
use bytecode::instrument::{StaticFields, instrument_full, instrument_light};
use fixture::Compiled;
use proptest::prelude::{ProptestConfig, any};
use proptest::test_runner::{TestCaseError, TestRunner};

const SOURCE: &str = include_str!("Java8.java");

fn compiled() -> Compiled {
    fixture::compile(&format!("//- /Java8.java\n{SOURCE}"))
}

/// Takes any bytes without a panic.
fn digest(bytes: &[u8]) {
    let (mut ids, mut statics) = (ProbeIds::default(), StaticFields::new());
    if let Ok(class) = ClassFile::parse(bytes) {
        let _ = analyze(&class, AnalysisOptions::default(), &mut ids);
    }
    let _ = instrument_full(bytes, AnalysisOptions::default(), &mut ids, &mut statics);
    let _ = instrument_light(bytes, &mut statics);
}

#[test]
fn changed_bytes_never_panic() {
    let compiled = compiled();
    let classes = ["Java8", "Java8$Color", "Java8$Greeter", "Java8$Derived"].map(|name| compiled.bytes(name));
    let mut runner = TestRunner::new_with_rng(
        ProptestConfig { cases: 3000, ..ProptestConfig::default() },
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    let changes = proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..8);
    let strategy = (0..classes.len(), changes);
    runner
        .run(&strategy, |(class, changes)| {
            let mut bytes = classes[class].clone();
            for (place, value) in changes {
                let place = place.index(bytes.len());
                bytes[place] = value;
            }
            digest(&bytes);
            Ok::<(), TestCaseError>(())
        })
        .unwrap();
}

#[test]
fn cut_classes_never_panic() {
    let bytes = compiled().bytes("Java8$Derived");
    (0..bytes.len()).for_each(|length| digest(&bytes[..length]));
}
