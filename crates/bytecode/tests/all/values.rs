//! Outcomes for the partitions of values: which methods get them, and for which values.

use bytecode::analysis::{AnalysisOptions, ProbeIds, analyze};
use bytecode::class_file::ClassFile;
use bytecode::probe_map::{MethodProbes, ProbeMap};
use bytecode::values::{ValueOf, ValueOptions, ValueProbes, add_value_probes};
use fixture::Compiled;

const KINDS: &str = include_str!("../../../../fixtures/values/Kinds.java");

const BOTH: ValueOptions = ValueOptions { inputs: true, outputs: true };

/// The maps of these classes, with outcomes for values, and the next free ids.
fn maps(compiled: &Compiled, classes: &[&str], options: ValueOptions) -> (Vec<ProbeMap>, ProbeIds) {
    let mut ids = ProbeIds::default();
    let mut maps: Vec<ProbeMap> = classes
        .iter()
        .map(|class| {
            let bytes = compiled.bytes(class);
            analyze(&ClassFile::parse(&bytes).unwrap(), AnalysisOptions::default(), &mut ids).unwrap().map
        })
        .collect();
    add_value_probes(&mut maps, &compiled.hierarchy(), options, &mut ids);
    (maps, ids)
}

fn describe(value: &ValueProbes) -> String {
    let of = match value.of {
        ValueOf::Parameter(parameter) => parameter.to_string(),
        ValueOf::Result => "result".to_owned(),
    };
    let inspector = value.inspector.as_ref().map_or(String::new(), |inspector| format!(".{inspector}"));
    let classes: Vec<String> = value.outcomes().map(|(class, _)| format!("{class:?}")).collect();
    format!("{of}{inspector}: {}", classes.join(" "))
}

/// The classes of the values of a method as comments of fixtures say them.
fn classes(method: &MethodProbes) -> String {
    let values: Vec<String> = method.values.iter().map(describe).collect();
    if values.is_empty() { "none".to_owned() } else { values.join("; ") }
}

/// Methods by their comment, in the order of the source.
fn expected(source: &str) -> Vec<(String, String)> {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let pairs = lines.windows(2).filter_map(|pair| {
        let comment = pair[0].strip_prefix("// ")?;
        let name = pair[1].split('(').next()?.split(' ').next_back()?;
        Some((name.to_owned(), comment.to_owned()))
    });
    pairs.collect()
}

#[test]
fn every_kind_of_value_has_its_classes() {
    let compiled = fixture::compile(&format!("//- /p/Kinds.java\n{KINDS}"));
    let (maps, _) = maps(&compiled, &["p/Kinds", "p/Kinds$Inner"], BOTH);
    let methods = || maps.iter().flat_map(|map| &map.methods);
    let expected = expected(KINDS);
    assert_eq!(expected.len(), methods().filter(|method| method.is_goal).count());
    let found = methods().filter(|method| method.is_goal).map(|method| {
        let class = if method.descriptor.starts_with("(Lp/Kinds;I)") { "Inner" } else { "Kinds" };
        let name = if &*method.name == "<init>" { class } else { &method.name };
        (name.to_owned(), classes(method))
    });
    assert_eq!(found.collect::<Vec<_>>(), expected);
}

#[test]
fn outcomes_are_dense_and_only_there_where_asked_for() {
    let compiled = fixture::compile(&format!("//- /p/Kinds.java\n{KINDS}"));
    let check = |options: ValueOptions, is_wanted: &dyn Fn(ValueOf) -> bool| {
        let (plain, before) = maps(&compiled, &["p/Kinds", "p/Kinds$Inner"], ValueOptions::default());
        assert!(plain.iter().flat_map(|map| &map.methods).all(|method| method.values.is_empty()));
        let (maps, after) = maps(&compiled, &["p/Kinds", "p/Kinds$Inner"], options);
        let values = || maps.iter().flat_map(|map| &map.methods).flat_map(|method| &method.values);
        assert!(values().count() > 0 && values().all(|value| is_wanted(value.of)));
        let ids: Vec<u32> = values().flat_map(ValueProbes::outcomes).map(|(_, id)| id.0).collect();
        assert_eq!(ids, (before.outcomes..after.outcomes).collect::<Vec<_>>());
        assert_eq!(before.probes, after.probes);
    };
    check(ValueOptions { inputs: true, outputs: false }, &|of| of != ValueOf::Result);
    check(ValueOptions { inputs: false, outputs: true }, &|of| of == ValueOf::Result);
}
