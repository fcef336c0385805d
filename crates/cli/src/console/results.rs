//! Results as text.

use super::shortened;
use crate::json::{ClassReport, Counted, CriterionReport, LocalSearchReport, OpenGoalReport, SymbolicReport};
use crate::options::Budget;

/// Groups of open goals that a summary names.
const MOST_GROUPS: usize = 3;

/// A result on one line, with what is to be said of it below: why goals are open, all of them when `verbose`.
pub fn line(report: &ClassReport, budget: Budget, verbose: bool) -> String {
    let what = match &report.file {
        Some(file) => {
            let plural = if report.tests == 1 { "" } else { "s" };
            format!("{} test{plural}, {}, {file}", report.tests, coverage(&report.criteria))
        }
        None => "no test".to_owned(),
    };
    let mut line = format!("{}: {what} ({:.1} s)", report.class, report.seconds.total);
    if let Some(hint) = repetition(report, budget) {
        line.push_str("; ");
        line.push_str(&hint);
    }
    let (shares, improved) = (islands(report), tools(report, verbose));
    let notes = shares.iter().chain(&report.diagnostics).chain(&improved);
    for note in notes.chain(&open_goals(&report.open_goals, verbose)) {
        line.push_str("\n  ");
        line.push_str(note);
    }
    line
}

/// What local search did, in one line, when `verbose` and there was any.
fn local_search(tools: &[LocalSearchReport], verbose: bool) -> Option<String> {
    if !verbose || tools.is_empty() {
        return None;
    }
    let tools: Vec<String> = tools
        .iter()
        .map(|tool| {
            let LocalSearchReport { name, tried, improved, covered, executions, .. } = tool;
            format!(
                "{name} improved {improved} of {tried} tests, covered {covered} (executions: {executions})"
            )
        })
        .collect();
    Some(format!("local search: {}", tools.join("; ")))
}

/// What came of symbolic execution, in one line, when `verbose` and there was any.
fn symbolic_execution(symbolic: Option<&SymbolicReport>, verbose: bool) -> Option<String> {
    let symbolic = symbolic.filter(|_| verbose)?;
    let SymbolicReport { queries, satisfiable, unsatisfiable, strayed, strayed_behind, replays, .. } =
        symbolic;
    let sum = |counts: &[Counted]| counts.iter().map(|counted| counted.count).sum::<u64>();
    let (unknown, ended) = (sum(&symbolic.unknown), sum(&symbolic.ended) + symbolic.diverged);
    let mut line = format!(
        "symbolic execution: {queries} queries, {satisfiable} satisfiable, {unsatisfiable} unsatisfiable, {unknown} unknown; \
         {strayed} strayed, {strayed_behind} behind what is not modelled; {ended} of {replays} replays ended early"
    );
    if !symbolic.unmodelled.is_empty() {
        let methods: Vec<String> =
            symbolic.unmodelled.iter().map(|Counted { name, count }| format!("{name} ({count})")).collect();
        line.push_str("; not modelled: ");
        line.push_str(&methods.join(", "));
    }
    Some(line)
}

/// What local search and symbolic execution did, when `verbose` and there was any.
fn tools(report: &ClassReport, verbose: bool) -> Vec<String> {
    let local = local_search(&report.local_search, verbose);
    local.into_iter().chain(symbolic_execution(report.symbolic_execution.as_ref(), verbose)).collect()
}

/// Why goals are open, a line each: all of them when `verbose`, else the most frequent reasons.
fn open_goals(open: &[OpenGoalReport], verbose: bool) -> Vec<String> {
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let mut lines = Vec::new();
    if open.is_empty() {
        return lines;
    }
    lines.push(format!("{} goal{} open:", open.len(), plural(open.len())));
    if verbose {
        lines.extend(open.iter().map(|goal| match &goal.behind {
            Some(root) => format!("  {}: behind {root}: {}", goal.goal, goal.detail),
            None => format!("  {}: {}", goal.goal, goal.detail),
        }));
        return lines;
    }
    let mut groups: Vec<(&str, usize)> = Vec::new();
    for goal in open {
        match groups.iter_mut().find(|(detail, _)| *detail == goal.detail) {
            Some((_, count)) => *count += 1,
            None => groups.push((&goal.detail, 1)),
        }
    }
    // Stable: among equals the first in the class comes first.
    groups.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    lines.extend(groups.iter().take(MOST_GROUPS).map(|(detail, count)| format!("  {count}: {detail}")));
    let others: usize = groups.iter().skip(MOST_GROUPS).map(|(_, count)| count).sum();
    if others > 0 {
        lines.push(format!("  {others}: for other reasons (--verbose says them all)"));
    }
    lines
}

/// Results as a table on a terminal of so many columns, with what is to be said of each below: why goals are open, all of them when
/// `verbose`. Of many classes that is only said when `verbose`, but for those without a test: it would take the table out of sight.
pub fn table(reports: &[&ClassReport], budget: Budget, verbose: bool, columns: usize) -> String {
    let mut text = fitted(reports, columns);
    let is_short = reports.len() > MOST_EXPLAINED && !verbose;
    if is_short {
        // One that was worked on has criteria.
        let without_test =
            reports.iter().filter(|report| report.file.is_none() && !report.criteria.is_empty());
        for (report, note) in
            without_test.flat_map(|report| report.diagnostics.iter().map(move |note| (report, note)))
        {
            text.extend(["\n", &report.class, ": ", note]);
        }
        return text;
    }
    for report in reports {
        let hint = repetition(report, budget);
        let (shares, improved) = (islands(report), tools(report, verbose));
        let notes = hint.iter().chain(&shares).chain(&report.diagnostics).chain(&improved);
        for note in notes.chain(&open_goals(&report.open_goals, verbose)) {
            text.extend(["\n", &report.class, ": ", note]);
        }
    }
    text
}

/// Classes of which it is said one by one why goals are open.
const MOST_EXPLAINED: usize = 20;

/// What of a class name is shown at least.
const LEAST_NAME: usize = 20;

/// The table, without columns for which there is no room: the file, which is named after the class, then the speed, then
/// criteria, the last first. What is still too wide is the name.
fn fitted(reports: &[&ClassReport], columns: usize) -> String {
    let mut criteria: Vec<&str> = Vec::new();
    for criterion in reports.iter().flat_map(|report| &report.criteria) {
        if !criteria.contains(&criterion.name.as_str()) {
            criteria.push(&criterion.name);
        }
    }
    let (mut has_file, mut has_speed) = (true, true);
    loop {
        let mut rows = rows(reports, &criteria, has_speed, has_file);
        let over = width(&rows).saturating_sub(columns);
        if over == 0 {
            return aligned(&rows, has_file);
        } else if has_file {
            has_file = false;
        } else if has_speed {
            has_speed = false;
        } else if criteria.len() > 1 {
            criteria.pop();
        } else {
            let longest = rows.iter().map(|row| row[0].chars().count()).max().unwrap_or(0);
            let room = longest.saturating_sub(over).max(LEAST_NAME);
            for row in &mut rows {
                row[0] = shortened(&row[0], room);
            }
            return aligned(&rows, has_file);
        }
    }
}

/// A row with titles, and one per class.
fn rows(reports: &[&ClassReport], criteria: &[&str], has_speed: bool, has_file: bool) -> Vec<Vec<String>> {
    let end = |speed: String, seconds: String, file: String| {
        has_speed.then_some(speed).into_iter().chain([seconds]).chain(has_file.then_some(file))
    };
    let mut titles = vec!["class".to_owned(), "tests".to_owned()];
    titles.extend(criteria.iter().map(|&name| name.to_owned()));
    titles.extend(end("executions/s".into(), "seconds".into(), "file".into()));
    let row = |report: &&ClassReport| {
        let mut row = vec![report.class.clone(), report.tests.to_string()];
        for &name in criteria {
            let criterion = report.criteria.iter().find(|criterion| criterion.name == name);
            row.push(criterion.map_or_else(String::new, percentage));
        }
        row.extend(end(
            format!("{:.0}", report.executions_per_second),
            format!("{:.1}", report.seconds.total),
            report.file.clone().unwrap_or_else(|| "none".to_owned()),
        ));
        row
    };
    [titles].into_iter().chain(reports.iter().map(row)).collect()
}

/// How to repeat a run that was limited by time.
fn repetition(report: &ClassReport, budget: Budget) -> Option<String> {
    match budget {
        Budget::Time(_) if report.executions > 0 => {
            let ClassReport { executions, seed, .. } = report;
            Some(match report.islands.len() {
                0 | 1 => format!("repeat with --budget {executions}executions --seed {seed}"),
                // When tests came from one island to another depended on time.
                islands => format!(
                    "a search as long that repeats: --budget {executions}executions --seed {seed} --islands {islands}"
                ),
            })
        }
        Budget::Time(_) | Budget::Executions(_) => None,
    }
}

/// What each island covered first, where there are several.
fn islands(report: &ClassReport) -> Option<String> {
    let first: Vec<String> = report.islands.iter().map(|island| island.covered_first.to_string()).collect();
    match first.as_slice() {
        [] | [_] => None,
        [others @ .., last] => Some(format!(
            "{} islands, which covered {} and {last} goals first",
            first.len(),
            others.join(", ")
        )),
    }
}

fn coverage(criteria: &[CriterionReport]) -> String {
    let parts: Vec<String> = criteria
        .iter()
        .map(|criterion| {
            let CriterionReport { name, goals, covered, .. } = criterion;
            format!("{name} {} ({covered} of {goals}{})", percentage(criterion), besides(criterion))
        })
        .collect();
    parts.join(", ")
}

/// What there is to say behind the goals that the file covers: mutants that it kills, and goals that the project's own tests cover.
pub(super) fn besides(criterion: &CriterionReport) -> String {
    let some = |number: usize, what: &str| {
        if number == 0 { String::new() } else { format!(", {number} {what}") }
    };
    some(criterion.killed, "killed") + &some(criterion.existing, "by the project's own tests")
}

fn percentage(criterion: &CriterionReport) -> String {
    match criterion.goals {
        0 => "-".to_owned(),
        // Rounded down: 100% means all.
        goals => format!("{}%", 100 * criterion.covered / goals),
    }
}

/// Widths of the columns of a table.
fn widths(rows: &[Vec<String>]) -> Vec<usize> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    (0..columns).map(width).collect()
}

/// What a table takes of a line.
fn width(rows: &[Vec<String>]) -> usize {
    let widths = widths(rows);
    widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1)
}

/// Columns of equal width, two spaces apart; texts to the left, numbers to the right. The first is text, and the last if said so.
fn aligned(rows: &[Vec<String>], ends_in_text: bool) -> String {
    let widths = widths(rows);
    let lines = rows.iter().map(|row| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            if column == 0 || (ends_in_text && column + 1 == widths.len()) {
                format!("{cell:<width$}")
            } else {
                format!("{cell:>width$}")
            }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::json::{IslandReport, Seconds};

    fn report(class: &str, tests: usize, covered: usize) -> ClassReport {
        let criterion = |name: &str, goals, covered| CriterionReport {
            name: name.into(),
            goals,
            covered,
            ..CriterionReport::default()
        };
        ClassReport {
            class: class.into(),
            file: (tests > 0).then(|| format!("out/{class}CovolveTest.java")),
            criteria: vec![criterion("branch", 40, covered), criterion("line", 0, 0)],
            tests,
            executions: 20_000,
            executions_per_second: 31_000.4,
            seconds: Seconds { total: 1.25, ..Seconds::default() },
            ..ClassReport::default()
        }
    }

    const MINUTE: Budget = Budget::Time(Duration::from_mins(1));

    #[test]
    fn a_line_tells_what_was_written_and_how_to_repeat_it() {
        assert_eq!(
            line(&report("a.B", 3, 39), MINUTE, false),
            "a.B: 3 tests, branch 97% (39 of 40), line - (0 of 0), out/a.BCovolveTest.java (1.2 s); repeat with \
             --budget 20000executions --seed 0"
        );
        let nothing =
            ClassReport { diagnostics: vec!["the class does not start".into()], ..report("a.B", 0, 0) };
        assert_eq!(
            line(&nothing, Budget::Executions(20_000), false),
            "a.B: no test (1.2 s)\n  the class does not start"
        );
    }

    #[test]
    fn what_is_killed_and_what_other_tests_cover_is_told_beside_what_is_covered() {
        let check = |killed: usize, existing: usize, expect: &str| {
            let criterion =
                CriterionReport { name: "weak-mutation".into(), goals: 10, covered: 9, existing, killed };
            assert_eq!(coverage(&[criterion]), format!("weak-mutation 90% (9 of 10{expect})"));
        };
        check(0, 0, "");
        check(7, 0, ", 7 killed");
        check(7, 2, ", 7 killed, 2 by the project's own tests");
    }

    #[test]
    fn islands_are_told_with_what_each_covered_first() {
        let check = |covered: &[usize], expect: Option<&str>| {
            let island = |&covered_first: &usize| IslandReport { executions: 1, covered_first };
            let report =
                ClassReport { islands: covered.iter().map(island).collect(), ..report("a.B", 3, 39) };
            assert_eq!(islands(&report).as_deref(), expect);
        };
        check(&[40], None);
        check(&[30, 9], Some("2 islands, which covered 30 and 9 goals first"));
        check(&[30, 9, 0], Some("3 islands, which covered 30, 9 and 0 goals first"));
    }

    #[test]
    fn a_table_is_aligned() {
        let reports = [report("a.B", 3, 40), report("a.LongName", 0, 0)];
        let text = table(&reports.each_ref(), Budget::Executions(20_000), false, 100);
        assert_eq!(
            text,
            "class       tests  branch  line  executions/s  seconds  file\n\
             a.B             3    100%     -         31000      1.2  out/a.BCovolveTest.java\n\
             a.LongName      0      0%     -         31000      1.2  none"
        );
        assert!(
            table(&reports.each_ref(), MINUTE, false, 100)
                .ends_with("\na.LongName: repeat with --budget 20000executions --seed 0")
        );
    }

    #[test]
    fn a_table_leaves_out_what_has_no_room() {
        let reports = [report("a.B", 3, 40), report("org.apache.commons.lang3.text.StrTokenizer", 7, 39)];
        let check = |columns, expect: &str| {
            let text = table(&reports.each_ref(), Budget::Executions(20_000), false, columns);
            assert_eq!(text, expect, "{columns}");
        };
        check(
            80,
            "class                                       tests  branch  line  seconds\n\
             a.B                                             3    100%     -      1.2\n\
             org.apache.commons.lang3.text.StrTokenizer      7     97%     -      1.2",
        );
        check(
            60,
            "class                                 tests  branch  seconds\n\
             a.B                                       3    100%      1.2\n\
             org.apache.….lang3.text.StrTokenizer      7     97%      1.2",
        );
    }

    #[test]
    fn of_many_classes_the_table_alone_is_shown() {
        let mut reports: Vec<ClassReport> =
            (0..30).map(|index| report(&format!("a.Class{index}"), 3, 40)).collect();
        reports[7] = ClassReport { diagnostics: vec!["it does not start".into()], ..report("a.None", 0, 0) };
        let reports: Vec<&ClassReport> = reports.iter().collect();
        let lines = |verbose| table(&reports, MINUTE, verbose, 100).lines().count();
        assert_eq!((lines(false), lines(true)), (32, 62));
        assert!(table(&reports, MINUTE, false, 100).ends_with("\na.None: it does not start"));
    }

    #[test]
    fn what_local_search_did_is_said_where_all_is_asked_for() {
        let tool = |name: &str, covered| LocalSearchReport {
            name: name.into(),
            tried: 9,
            improved: 4,
            covered,
            executions: 120,
            seconds: 0.5,
        };
        let tools = [tool("integers", 2), tool("strings", 0)];
        assert_eq!(local_search(&tools, false), None);
        assert_eq!(local_search(&[], true), None);
        let expect = "local search: integers improved 4 of 9 tests, covered 2 (executions: 120); \
            strings improved 4 of 9 tests, covered 0 (executions: 120)";
        assert_eq!(local_search(&tools, true).as_deref(), Some(expect));
    }

    #[test]
    fn what_came_of_symbolic_execution_is_said_where_all_is_asked_for() {
        let counted = |name: &str, count| Counted { name: name.into(), count };
        let mut symbolic = SymbolicReport {
            queries: 9,
            satisfiable: 4,
            unsatisfiable: 2,
            unknown: vec![counted("steps", 2), counted("conflicts", 1)],
            strayed: 1,
            strayed_behind: 2,
            replays: 6,
            ended: vec![counted("unknown", 2)],
            diverged: 1,
            ..SymbolicReport::default()
        };
        assert_eq!(symbolic_execution(Some(&symbolic), false), None);
        assert_eq!(symbolic_execution(None, true), None);
        let expect = "symbolic execution: 9 queries, 4 satisfiable, 2 unsatisfiable, 3 unknown; 1 strayed, \
            2 behind what is not modelled; 3 of 6 replays ended early";
        assert_eq!(symbolic_execution(Some(&symbolic), true).as_deref(), Some(expect));
        symbolic.unmodelled = vec![counted("java.lang.Math.sqrt(D)D", 5)];
        let expect = format!("{expect}; not modelled: java.lang.Math.sqrt(D)D (5)");
        assert_eq!(symbolic_execution(Some(&symbolic), true), Some(expect));
    }

    #[test]
    fn reasons_of_open_goals_are_grouped_unless_all_are_asked_for() {
        let open = |goal: &str, detail: &str, behind: Option<&str>| OpenGoalReport {
            goal: goal.into(),
            detail: detail.into(),
            behind: behind.map(Into::into),
            ..OpenGoalReport::default()
        };
        let check = |goals: &[OpenGoalReport], verbose, expect: &[&str]| {
            assert_eq!(open_goals(goals, verbose), expect);
        };
        let goals =
            [open("a", "v", None), open("b", "w", None), open("c", "w", Some("b")), open("d", "x", None)];
        check(&[], false, &[]);
        check(&goals, false, &["4 goals open:", "  2: w", "  1: v", "  1: x"]);
        check(&goals, true, &["4 goals open:", "  a: v", "  b: w", "  c: behind b: w", "  d: x"]);
        let many = ["1", "2", "3", "4", "5"].map(|detail| open("a", detail, None));
        let rest = "  2: for other reasons (--verbose says them all)";
        check(&many, false, &["5 goals open:", "  1: 1", "  1: 2", "  1: 3", rest]);
    }
}
