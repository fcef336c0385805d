//! What the page of a class is made of: JSON in which what repeats is said once, deflated and in base 64. The page unpacks it
//! when the class is looked at.

use std::collections::BTreeMap;
use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;

use super::chart;
use crate::model::{Class, GoalState, Module, OpenReason};
use crate::reasons;

/// A class as `class.js` reads it.
#[derive(Debug, Serialize)]
struct ClassData<'a> {
    name: &'a str,
    module: &'a str,
    /// Where its source is, and its text.
    source: (String, Option<&'a str>),
    /// Where its tests are, and their text.
    file: Option<(&'a str, &'a str)>,
    /// Name, covered, goals.
    criteria: Vec<(&'a str, usize, usize)>,
    diagnostics: &'a [String],
    seconds: f64,
    executions: u64,
    /// The chart of its timeline, as SVG.
    chart: Option<String>,
    /// Whether covered goals are known one by one.
    complete: bool,
    /// Name, first and last line.
    tests: Vec<(&'a str, u32, u32)>,
    /// Title of the kind, cause, sentence, the goal that comes first.
    reasons: Vec<(String, &'a str, &'a str, Option<String>)>,
    goals: Vec<GoalData>,
}

/// A goal: number of its criterion, line (0: none), sentence, numbers of the tests that cover it or that of its reason, and numbers of
/// the tests that kill its mutant, where these had to infect it.
type GoalData = (usize, u32, String, StateData, Vec<usize>);

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum StateData {
    Covered(Vec<usize>),
    Open(usize),
}

/// The packed data of a class.
pub(super) fn packed(module: &Module, class: &Class) -> String {
    // Plain data with string keys: there is nothing that could fail.
    let json = serde_json::to_vec(&data(module, class))
        .unwrap_or_else(|error| unreachable!("a class is JSON: {error}"));
    let mut packed = DeflateEncoder::new(Vec::new(), Compression::default());
    let bytes = packed.write_all(&json).and_then(|()| packed.finish());
    STANDARD.encode(bytes.unwrap_or_else(|error| unreachable!("a vector takes all bytes: {error}")))
}

fn data<'a>(module: &'a Module, class: &'a Class) -> ClassData<'a> {
    let criteria: BTreeMap<&str, usize> =
        class.criteria.iter().enumerate().map(|(number, row)| (row.name.as_str(), number)).collect();
    let tests: BTreeMap<&str, usize> =
        class.tests.iter().enumerate().map(|(number, test)| (test.name.as_str(), number)).collect();
    let mut known: BTreeMap<&OpenReason, usize> = BTreeMap::new();
    let mut reasons = Vec::new();
    let mut goals = Vec::new();
    let numbers =
        |names: &[String]| names.iter().filter_map(|name| tests.get(name.as_str()).copied()).collect();
    for goal in &class.goals {
        let Some(criterion) = criteria.get(goal.criterion.as_str()) else { continue };
        let state = match &goal.state {
            GoalState::Covered(by) => StateData::Covered(numbers(by)),
            GoalState::Open(reason) => StateData::Open(*known.entry(reason).or_insert_with(|| {
                reasons.push(reason);
                reasons.len() - 1
            })),
        };
        let text = here(class, goal.line, &goal.description);
        goals.push((*criterion, goal.line.unwrap_or(0), text, state, numbers(&goal.killers)));
    }
    ClassData {
        name: &class.name,
        module: &module.name,
        source: (module.path_of(&class.source), class.source.text.as_deref()),
        file: class.test_file.as_ref().map(|file| (file.path.as_str(), file.text.as_str())),
        criteria: class.criteria.iter().map(|row| (row.name.as_str(), row.covered, row.goals)).collect(),
        diagnostics: &class.diagnostics,
        seconds: (class.seconds * 10.0).round() / 10.0,
        executions: class.executions,
        chart: chart::of_class(class).map(maud::Markup::into_string),
        complete: class.has_all_goals(),
        tests: class.tests.iter().map(|test| (test.name.as_str(), test.first_line, test.last_line)).collect(),
        reasons: reasons.into_iter().map(|reason| reason_data(class, reason)).collect(),
        goals,
    }
}

fn reason_data<'a>(class: &Class, reason: &'a OpenReason) -> (String, &'a str, &'a str, Option<String>) {
    let behind = reason.behind.as_ref().map(|behind| in_package(class, behind));
    (reasons::title(&reason.kind), &reason.cause, &reason.detail, behind)
}

/// A goal as it is said where its line is shown beside it, on the page of its class.
fn here(class: &Class, line: Option<u32>, description: &str) -> String {
    let text = in_package(class, description);
    let prefix = line.map(|line| format!("line {line} of "));
    match prefix.and_then(|prefix| text.strip_prefix(&prefix).map(str::to_owned)) {
        Some(rest) => rest,
        None => text,
    }
}

/// A text without the package of the class.
fn in_package(class: &Class, text: &str) -> String {
    match class.package() {
        "" => text.to_owned(),
        package => text.replace(&format!("{package}."), ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_page_says_anyway_is_left_out_of_goals() {
        let class = Class { name: "p.q.Foo".into(), ..Class::default() };
        for (line, description, expect) in [
            (
                Some(3),
                "line 3 of p.q.Foo.f(int): the switch takes case 2",
                "Foo.f(int): the switch takes case 2",
            ),
            (Some(3), "line 3 of p.q.Foo.f() is executed", "Foo.f() is executed"),
            (Some(33), "line 3 of p.q.Foo.f() is executed", "line 3 of Foo.f() is executed"),
            (None, "the result of p.q.Foo.f() is null", "the result of Foo.f() is null"),
        ] {
            assert_eq!(here(&class, line, description), expect);
        }
    }
}
