//! SARIF, Cobertura, LCOV and Markdown of a project made by hand.

use crate::support::{class, project};
use report::format::{Choice, FORMATS, format};
use report::model::{Goal, ProjectReport};

fn rendered(name: &str) -> String {
    (format(name).unwrap().render)(&project(), &Choice::default())
}

#[test]
fn the_same_report_gives_the_same_bytes_in_every_format() {
    let mut files: Vec<&str> = Vec::new();
    for format in FORMATS {
        let choice = Choice::default();
        assert_eq!(
            (format.render)(&project(), &choice),
            (format.render)(&project(), &choice),
            "{}",
            format.name
        );
        assert!(!files.contains(&format.file), "{}", format.file);
        files.push(format.file);
    }
}

#[test]
fn a_project_without_classes_is_no_fault_of_any_format() {
    for format in FORMATS {
        let text = (format.render)(&ProjectReport::default(), &Choice::default());
        assert!(!text.contains("NaN"), "{}: {text}", format.name);
    }
}

#[test]
fn reports_survive_being_written_and_read() {
    let text = serde_json::to_string(&project()).unwrap();
    assert_eq!(serde_json::from_str::<ProjectReport>(&text).unwrap(), project());
}

#[test]
fn lcov() {
    insta::assert_snapshot!(rendered("lcov"));
}

#[test]
fn cobertura() {
    insta::assert_snapshot!(rendered("cobertura"));
}

#[test]
fn markdown() {
    insta::assert_snapshot!(rendered("markdown"));
}

#[test]
fn sarif() {
    insta::assert_snapshot!(rendered("sarif"));
}

/// What the specification of SARIF 2.1.0 demands of the parts that are written.
const SARIF_SCHEMA: &str = include_str!("sarif.schema.json");

#[test]
fn sarif_has_the_structure_of_its_specification() {
    let schema = jsonschema::validator_for(&serde_json::from_str(SARIF_SCHEMA).unwrap()).unwrap();
    for annotated in [vec!["branch".to_owned()], vec!["line".to_owned(), "branch".to_owned()], Vec::new()] {
        let text = (format("sarif").unwrap().render)(&project(), &Choice { annotated: annotated.clone() });
        let log: serde_json::Value = serde_json::from_str(&text).unwrap();
        let errors: Vec<String> = schema.iter_errors(&log).map(|error| error.to_string()).collect();
        assert_eq!(errors, Vec::<String>::new());
        let run = &log["runs"][0];
        let is_noted = |goal: &&Goal| goal.open().is_some() && annotated.contains(&goal.criterion);
        let results = run["results"].as_array().unwrap();
        assert_eq!(
            results.len(),
            class().goals.iter().filter(is_noted).count(),
            "a result per open goal: {annotated:?}"
        );
        for result in results {
            let rule = result["ruleIndex"].as_u64().unwrap() as usize;
            assert_eq!(run["tool"]["driver"]["rules"][rule]["id"], result["ruleId"]);
        }
    }
}

/// The numbers that follow a word in a file.
fn sum(text: &str, prefix: &str) -> u64 {
    text.lines()
        .filter_map(|line| line.strip_prefix(prefix))
        .map(|number| number.parse::<u64>().unwrap())
        .sum()
}

#[test]
fn lcov_and_cobertura_count_the_same() {
    let lcov = rendered("lcov");
    let xml = rendered("cobertura");
    for (prefix, attribute) in [
        ("LF:", "lines-valid"),
        ("LH:", "lines-covered"),
        ("BRF:", "branches-valid"),
        ("BRH:", "branches-covered"),
    ] {
        let expect = format!("{attribute}=\"{}\"", sum(&lcov, prefix));
        assert!(xml.contains(&expect), "{expect}");
    }
}
