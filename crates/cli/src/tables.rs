//! `covolve criteria`, `covolve algorithms` and `covolve parameters`: the rows of the tables, explained.

use std::io::{self, Write};

use coverage::criterion::CRITERIA;
use search::algorithm::ALGORITHMS;
use search::options::SearchOptions;
use search::parameters::PARAMETERS;
use search::profiles::PROFILES;

use crate::options::Names;

/// Columns of the text.
const WIDTH: usize = 100;

/// Columns by which explanations are set in.
const INDENT: usize = 4;

/// A row of a table, for people.
struct Row<'a> {
    name: &'a str,
    is_default: bool,
    summary: &'a str,
    paragraphs: Vec<String>,
}

/// Explains every criterion.
///
/// # Errors
/// The output is closed.
pub fn criteria(names: Names<'_>, out: &mut dyn Write) -> io::Result<()> {
    let rows = CRITERIA.iter().map(|criterion| Row {
        name: criterion.name(),
        is_default: names.default_criteria.contains(&criterion.name()),
        summary: criterion.summary(),
        paragraphs: vec![criterion.definition().to_owned(), format!("Source: {}", criterion.source())],
    });
    print(rows, out)
}

/// Explains every algorithm.
///
/// # Errors
/// The output is closed.
pub fn algorithms(names: Names<'_>, out: &mut dyn Write) -> io::Result<()> {
    let rows = ALGORITHMS.iter().map(|row| Row {
        name: row.name,
        is_default: names.algorithms.first() == Some(&row.name),
        summary: row.summary,
        paragraphs: vec![row.explanation.to_owned(), format!("Paper: {}.", row.paper.trim_end_matches('.'))],
    });
    print(rows, out)
}

/// Explains every parameter of `--set`, then every `--profile`.
///
/// # Errors
/// The output is closed.
pub fn parameters(out: &mut dyn Write) -> io::Result<()> {
    for row in PARAMETERS {
        writeln!(out, "{}={}: {}", row.name, row.default_text(), row.summary)?;
        writeln!(out, "{:INDENT$}{}; {}", "", row.allowed, row.source)?;
    }
    for profile in PROFILES {
        writeln!(out, "\n--profile {}: {}", profile.name, profile.summary)?;
        let algorithms = profile.algorithms.join(", ");
        let selections: Vec<&str> =
            profile.goal_selections.iter().map(|selection| selection.name()).collect();
        let set = format!(
            "Algorithms: {algorithms}. Goal selection: {}. Parameters: {}.",
            selections.join(", "),
            changed(&(profile.options)()).join(", ")
        );
        let mut paragraphs = vec![set];
        paragraphs.extend(profile.criteria.iter().map(|choice| {
            format!("Criteria: {}; {}s ({}).", choice.names.join(", "), choice.budget_seconds, choice.source)
        }));
        paragraphs.extend(profile.variations.iter().map(|variation| {
            let values = variation.values.join(if variation.may_be_combined { " and " } else { " or " });
            format!("Also: {}={values} ({}).", variation.parameter, variation.source)
        }));
        paragraphs.push(format!("Paper: {}.", profile.paper));
        for paragraph in paragraphs {
            for line in wrapped(&paragraph, WIDTH - INDENT) {
                writeln!(out, "{:INDENT$}{line}", "")?;
            }
        }
    }
    out.flush()
}

/// The parameters that differ from their defaults, as `--set` takes them.
fn changed(options: &SearchOptions) -> Vec<String> {
    let differing = PARAMETERS.iter().filter(|row| row.value(options) != row.default_text());
    differing.map(|row| format!("{}={}", row.name, row.value(options))).collect()
}

fn print<'a>(rows: impl Iterator<Item = Row<'a>>, out: &mut dyn Write) -> io::Result<()> {
    for (index, row) in rows.enumerate() {
        let Row { name, is_default, summary, paragraphs } = row;
        let gap = if index == 0 { "" } else { "\n" };
        let default = if is_default { " (default)" } else { "" };
        writeln!(out, "{gap}{name}{default}: {summary}")?;
        for paragraph in paragraphs {
            for line in wrapped(&paragraph, WIDTH - INDENT) {
                writeln!(out, "{:INDENT$}{line}", "")?;
            }
        }
    }
    out.flush()
}

/// The words of a text on lines of at most so many characters; a longer word has a line of its own.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            Some(_) | None => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: Names<'_> = Names { algorithms: &["auto"], criteria: &[], default_criteria: &["branch"] };

    fn text(print: impl FnOnce(Names<'_>, &mut dyn Write) -> io::Result<()>) -> String {
        let mut out = Vec::new();
        print(NAMES, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_criterion_has_its_definition_and_source() {
        let text = text(criteria);
        assert!(text.starts_with("branch (default): take every outcome"), "{text}");
        let rows: Vec<&str> = text.split("\n\n").collect();
        assert_eq!(rows.len(), CRITERIA.len());
        for (row, criterion) in rows.iter().zip(CRITERIA) {
            let words = row.split_whitespace().collect::<Vec<_>>().join(" ");
            for part in [criterion.name(), criterion.summary(), criterion.definition(), criterion.source()] {
                assert!(words.contains(part), "{part}: {words}");
            }
            assert!(row.lines().skip(1).all(|line| line.chars().count() <= WIDTH), "{row}");
        }
    }

    #[test]
    fn every_algorithm_has_its_explanation_and_paper() {
        let text = text(algorithms);
        assert!(text.starts_with("auto (default): "), "{text}");
        let rows: Vec<&str> = text.split("\n\n").collect();
        assert_eq!(rows.len(), ALGORITHMS.len());
        for (printed, row) in rows.iter().zip(ALGORITHMS) {
            let words = printed.split_whitespace().collect::<Vec<_>>().join(" ");
            for part in [row.name, row.summary, row.explanation, row.paper.trim_end_matches('.')] {
                assert!(words.contains(part), "{part}: {words}");
            }
        }
    }

    #[test]
    fn every_parameter_and_profile_is_told_with_what_it_sets() {
        let text = text(|_, out| parameters(out));
        for row in PARAMETERS {
            assert!(
                text.contains(&format!("{}={}: {}\n", row.name, row.default_text(), row.summary)),
                "{text}"
            );
        }
        for profile in PROFILES {
            let row = text.split("\n\n").find(|row| row.contains(&format!("--profile {}:", profile.name)));
            let words = row.unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
            let criteria = profile.criteria.iter().map(|choice| choice.names.join(", "));
            let varied = profile.variations.iter().map(|variation| variation.source.to_owned());
            for part in changed(&(profile.options)()).into_iter().chain(criteria).chain(varied) {
                assert!(words.contains(&part), "{part}: {words}");
            }
        }
        assert_eq!(changed(&SearchOptions::default()), Vec::<String>::new());
    }

    #[test]
    fn long_texts_are_wrapped_between_words() {
        assert_eq!(wrapped("a bc def ghijklmn o", 6), ["a bc", "def", "ghijklmn", "o"]);
        assert_eq!(wrapped("", 6), Vec::<String>::new());
    }
}
