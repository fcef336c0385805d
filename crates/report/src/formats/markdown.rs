//! Markdown for the summary of a job: what is covered, the classes with most open goals, and what to do next.

use std::cmp::Reverse;
use std::fmt::Write as _;

use crate::format::{Choice, Format};
use crate::model::{Class, ProjectReport};
use crate::reasons;
use crate::tally::{Tally, by_criterion, classes, shown_criteria, title};

/// Markdown.
pub const FORMAT: Format = Format {
    name: "markdown",
    summary: "totals, the classes with most open goals and what to do next, for the summary of a job",
    file: "covolve.md",
    needs_all_goals: false,
    render,
};

/// Classes that are listed.
const MOST_CLASSES: usize = 10;

/// Causes that are named of a kind of reason.
const MOST_CAUSES: usize = 3;

fn render(report: &ProjectReport, _: &Choice) -> String {
    let all: Vec<&Class> = classes(report).collect();
    let with_file = all.iter().filter(|class| class.test_file.is_some()).count();
    let tests: usize = all.iter().map(|class| class.tests.len()).sum();
    let mut text = format!(
        "## Tests of {}\n\n{}, {}; {} of them without a test file. Written by covolve {}.\n",
        escaped(&report.project),
        counted(all.len(), "class", "classes"),
        counted(tests, "test", "tests"),
        all.len() - with_file,
        escaped(&report.covolve),
    );
    totals(&mut text, report);
    worst(&mut text, report, all);
    next(&mut text, report);
    text
}

/// Appends a line; a string takes everything.
fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    let _ = writeln!(text, "{line}");
}

fn totals(text: &mut String, report: &ProjectReport) {
    text.push_str("\n| criterion | covered | goals | share |\n| :-- | --: | --: | --: |\n");
    for (name, tally) in by_criterion(report) {
        let Tally { goals, covered } = tally;
        let name = escaped(&title(&name));
        line(text, format_args!("| {name} | {covered} | {goals} | {} |", tally.percent()));
    }
}

/// The classes with most open goals.
fn worst(text: &mut String, report: &ProjectReport, mut all: Vec<&Class>) {
    all.retain(|class| Tally::of(class).open() > 0);
    if all.is_empty() {
        text.push_str("\nEvery goal is covered.\n");
        return;
    }
    all.sort_by_key(|class| Reverse(Tally::of(class).open()));
    let shown = shown_criteria(report);
    let mut heads = vec!["class".to_owned(), "open".to_owned(), "tests".to_owned()];
    heads.extend(shown.iter().map(|name| title(name).to_lowercase()));
    line(text, format_args!("\n### Most open goals\n\n| {} |", heads.join(" | ")));
    line(text, format_args!("| :-- |{}", " --: |".repeat(heads.len() - 1)));
    for class in all.iter().take(MOST_CLASSES) {
        let open = Tally::of(class).open().to_string();
        let mut cells = vec![escaped(&class.name), open, class.tests.len().to_string()];
        cells.extend(shown.iter().map(|name| Tally::by(class, name).percent()));
        line(text, format_args!("| {} |", cells.join(" | ")));
    }
    if all.len() > MOST_CLASSES {
        line(text, format_args!("\nand {} more.", counted(all.len() - MOST_CLASSES, "class", "classes")));
    }
}

/// Why goals are open, each kind of reason with its causes and what may help.
fn next(text: &mut String, report: &ProjectReport) {
    let summaries = reasons::summaries(report);
    if summaries.is_empty() {
        return;
    }
    text.push_str("\n### What to do next\n\n");
    for summary in summaries {
        let what = escaped(&reasons::title(&summary.kind));
        let causes = escaped(&summary.causes_in_words(MOST_CAUSES));
        let goals = counted(summary.goals, "goal", "goals");
        let classes = counted(summary.classes, "class", "classes");
        let mut sentences = vec![format!("**{what}**: {goals} in {classes}.")];
        sentences.extend((!causes.is_empty()).then(|| format!("Causes: {causes}.")));
        sentences.extend(reasons::kind(&summary.kind).map(|kind| escaped(kind.advice)));
        line(text, format_args!("* {}", sentences.join(" ")));
    }
}

fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Text that means itself in Markdown, also in a cell of a table.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '<' => escaped.push_str("&lt;"),
            '&' => escaped.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' => escaped.extend(['\\', letter]),
            '\n' | '\r' => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}
