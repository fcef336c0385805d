//! The summary of a run.

use std::collections::BTreeMap;

use crate::eval::raw::Row;

/// A table in Markdown: per budget and algorithm a row for each class, means over its seeds, and a row for all classes. The budget used is
/// that of the runs that left goals open.
pub(super) fn table(rows: &[Row]) -> String {
    let mut settings: Vec<(&str, Option<&str>)> = Vec::new();
    for row in rows {
        let setting = (row.get("budget").unwrap_or_default(), row.get("algorithm"));
        if !settings.contains(&setting) {
            settings.push(setting);
        }
    }
    let mut text = String::new();
    for (budget, algorithm) in settings {
        let is_of = |row: &&Row| row.get("budget") == Some(budget) && row.get("algorithm") == algorithm;
        let of_budget: Vec<&Row> = rows.iter().filter(is_of).collect();
        let named = algorithm.map(|name| format!(", {name}")).unwrap_or_default();
        let mut classes: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
        for row in &of_budget {
            classes.entry(row.get("class").unwrap_or_default()).or_default().push(row);
        }
        let head = format!(
            "## Budget {budget}{named}: {} runs of {} classes\n\n\
             | class | runs | branch | line | judged branch | judged line | mutants | tests | executions/s | seconds | used | invalid |\n\
             | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
            of_budget.len(),
            classes.len()
        );
        text.push_str(&head);
        for (class, rows) in &classes {
            text.push_str(&line(class, rows));
        }
        text.push_str(&line("**all**", &of_budget));
        text.push('\n');
    }
    text.trim_end().to_owned()
}

fn line(name: &str, rows: &[&Row]) -> String {
    let number = |column: &'static str| move |row: &&Row| row.number(column);
    let percent = |mean: Option<f64>| mean.map_or("-".to_owned(), |mean| format!("{:.1}", 100.0 * mean));
    let plain = |mean: Option<f64>| mean.map_or("-".to_owned(), |mean| format!("{mean:.1}"));
    // Where nothing is open, there is nothing to use the budget for.
    let open: Vec<&Row> =
        rows.iter().copied().filter(|row| row.number("open_goals").is_some_and(|open| open > 0.0)).collect();
    format!(
        "| {name} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n",
        rows.len(),
        percent(mean(rows, |row| row.coverage("branch"))),
        percent(mean(rows, |row| row.coverage("line"))),
        percent(mean(rows, number("judge_branch_cov"))),
        percent(mean(rows, number("judge_line_cov"))),
        percent(mean(rows, number("judge_mutation_score"))),
        plain(mean(rows, number("tests"))),
        plain(median(rows, number("executions_per_second"))),
        plain(mean(rows, number("wall"))),
        percent(mean(&open, number("budget_used"))),
        rows.iter().filter(|row| is_invalid(row)).count(),
    )
}

/// Whether the run failed, or the judge found a file that does not compile or a test that does not hold.
fn is_invalid(row: &Row) -> bool {
    let failed = !matches!(row.get("exit_code"), Some("0" | "1"));
    let broken = row.number("judge_test_files") != row.number("judge_compiled_files");
    let unstable = ["judge_failing", "judge_flaky", "judge_order_dependent"]
        .iter()
        .any(|column| row.number(column).is_some_and(|number| number > 0.0));
    failed || broken || unstable
}

/// The mean of what is known. A run without a figure counts 0 where another run has one: it covered nothing.
fn mean(rows: &[&Row], figure: impl Fn(&&Row) -> Option<f64>) -> Option<f64> {
    let known: Vec<f64> = rows.iter().filter_map(&figure).collect();
    (!known.is_empty()).then(|| known.iter().sum::<f64>() / rows.len() as f64)
}

fn median(rows: &[&Row], figure: impl Fn(&&Row) -> Option<f64>) -> Option<f64> {
    let mut known: Vec<f64> = rows.iter().filter_map(figure).collect();
    known.sort_by(f64::total_cmp);
    known.get(known.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::raw::tests::row;

    #[test]
    fn classes_are_summarized_per_budget() {
        let rows = [
            row("a.B", "10s", 0, 6, Some(0.5)),
            row("a.B", "10s", 1, 8, None),
            row("a.C", "10s", 0, 10, Some(1.0)),
            row("a.C", "60s", 0, 10, Some(1.0)),
        ];
        let text = table(&rows);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "## Budget 10s: 3 runs of 2 classes");
        assert_eq!(lines[4], "| a.B | 2 | 70.0 | - | 25.0 | - | - | 3.0 | 1000.5 | 3.0 | 70.0 | 1 |");
        assert_eq!(lines[6], "| **all** | 3 | 80.0 | - | 50.0 | - | - | 3.0 | 1000.5 | 3.0 | 70.0 | 2 |");
        assert_eq!(lines[8], "## Budget 60s: 1 runs of 1 classes");
    }
}
