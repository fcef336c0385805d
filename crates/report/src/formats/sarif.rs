//! SARIF 2.1.0: a note per open goal at its line, which code review tools show beside the code. The rules are criteria.
//!
//! Places are relative to `%SRCROOT%`, the folder of the project.

use std::collections::BTreeMap;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use crate::format::{Choice, Format};
use crate::model::{Goal, OpenReason, ProjectReport};
use crate::reasons;
use crate::tally::title;

/// SARIF.
pub const FORMAT: Format = Format {
    name: "sarif",
    summary: "a note at every open goal, for annotations in reviews",
    file: "covolve.sarif",
    needs_all_goals: false,
    render,
};

/// What a path of a URI holds as it is.
const PATH: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'$');

/// A note.
struct Note<'a> {
    path: String,
    goal: &'a Goal,
    reason: &'a OpenReason,
}

fn render(report: &ProjectReport, choice: &Choice) -> String {
    let mut notes = notes(report, choice);
    notes.sort_by(|a, b| {
        let key = |note: &Note<'_>| (note.path.clone(), note.goal.line);
        key(a).cmp(&key(b))
    });
    let rules: Vec<&str> = choice
        .annotated
        .iter()
        .map(String::as_str)
        .filter(|name| notes.iter().any(|note| note.goal.criterion == *name))
        .collect();
    let places: BTreeMap<&str, usize> =
        rules.iter().enumerate().map(|(place, name)| (*name, place)).collect();
    let results: Vec<Value> = notes.iter().map(|note| result(note, &places)).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "covolve",
                    "version": report.covolve,
                    "rules": rules.iter().map(|name| rule(name)).collect::<Vec<_>>(),
                }
            },
            "columnKind": "utf16CodeUnits",
            "results": results,
        }],
    });
    // Plain data with string keys: there is nothing that could fail.
    let mut text =
        serde_json::to_string_pretty(&log).unwrap_or_else(|error| unreachable!("a log is JSON: {error}"));
    text.push('\n');
    text
}

fn notes<'a>(report: &'a ProjectReport, choice: &Choice) -> Vec<Note<'a>> {
    let mut notes = Vec::new();
    for module in &report.modules {
        for class in &module.classes {
            let path = module.path_of(&class.source);
            for goal in class.goals.iter().filter(|goal| choice.annotated.contains(&goal.criterion)) {
                if let Some(reason) = goal.open() {
                    notes.push(Note { path: path.clone(), goal, reason });
                }
            }
        }
    }
    notes
}

fn rule(criterion: &str) -> Value {
    json!({
        "id": criterion,
        "name": title(criterion).replace(' ', ""),
        "shortDescription": { "text": format!("Goal of the criterion {criterion} that no generated test covers") },
        "help": { "text": format!("`covolve criteria` explains {criterion}.") },
        "defaultConfiguration": { "level": "note" },
    })
}

fn result(note: &Note<'_>, rules: &BTreeMap<&str, usize>) -> Value {
    let Note { path, goal, reason } = note;
    let mut sentences = vec![format!("Not covered: {}.", goal.description)];
    if !reason.detail.is_empty() {
        sentences.push(format!("{}: {}.", reasons::title(&reason.kind), reason.detail));
    }
    sentences.extend(reason.behind.iter().map(|behind| format!("To be covered first: {behind}.")));
    let mut physical = json!({
        "artifactLocation": { "uri": utf8_percent_encode(path, PATH).to_string(), "uriBaseId": "%SRCROOT%" },
    });
    if let Some(line) = goal.line.filter(|line| *line > 0) {
        physical["region"] = json!({ "startLine": line });
    }
    json!({
        "ruleId": goal.criterion,
        "ruleIndex": rules.get(goal.criterion.as_str()),
        "level": "note",
        "message": { "text": sentences.join(" ") },
        "locations": [{
            "physicalLocation": physical,
            "logicalLocations": [{
                "fullyQualifiedName": format!("{}.{}", goal.class, goal.method),
                "kind": "function",
            }],
        }],
    })
}
