//! What is said at the end: totals, what became of how many classes, where files are, and what to do next.

use std::collections::BTreeMap;

use super::results::besides;
use super::shortened;
use crate::json::{ClassReport, CriterionReport};

/// A run at its end.
#[derive(Debug, Clone, Default)]
pub struct Tally<'a> {
    /// What is said of each class that was to be worked on.
    pub reports: Vec<&'a ClassReport>,
    /// Those for which no time was left.
    pub without_time: usize,
    /// Those that ended early, for nothing new came of them.
    pub stood_still: usize,
    /// Classes that needed no work.
    pub unchanged: usize,
    /// Classes whose test file a person has edited.
    pub left_alone: usize,
    /// Classes that cannot be tested, by reason.
    pub untestable: BTreeMap<String, usize>,
    /// What is wrong with the build but kept nothing from being done, such as classes that are older than their sources.
    pub remarks: Vec<String>,
    /// Roots of the test files.
    pub roots: Vec<String>,
    /// What can be done next: commands, each with what it does.
    pub next: Vec<(String, &'static str)>,
}

/// Classes with open goals that are named.
const MOST_NAMED: usize = 3;

/// Columns of what a line is about.
const TITLE: usize = 14;

/// The summary, on a terminal of so many columns.
pub fn summary(tally: &Tally<'_>, columns: usize) -> String {
    let with_file = tally.reports.iter().filter(|report| report.file.is_some());
    let (complete, open): (Vec<&ClassReport>, Vec<&ClassReport>) =
        with_file.partition(|report| report.open_goals.is_empty());
    let without_test = tally.reports.len() - complete.len() - open.len() - tally.without_time;
    let tests: usize = tally.reports.iter().map(|report| report.tests).sum();
    let mut rows: Vec<(&str, String)> = vec![
        ("tests", format!("{tests}, for {}", classes(complete.len() + open.len()))),
        ("coverage", coverage(&tally.reports)),
        ("complete", counted(complete.len(), "every goal is covered")),
        ("open goals", most_open(&open)),
        ("no test", counted(without_test, "what keeps them from it is said above")),
        ("no time", counted(tally.without_time, "give --total-budget more, or run again in a project")),
        ("stood still", counted(tally.stood_still, "nothing new came of them, and others had their time")),
        ("unchanged", counted(tally.unchanged, "their tests are as they were")),
        ("left alone", counted(tally.left_alone, "you have edited their tests; --force overwrites them")),
        ("not testable", untestable(&tally.untestable)),
        ("files", tally.roots.join(", ")),
    ];
    let remarks = tally.remarks.iter().enumerate();
    rows.extend(remarks.map(|(index, remark)| (if index == 0 { "but" } else { "" }, remark.clone())));
    let width = tally.next.iter().map(|(command, _)| command.chars().count()).max().unwrap_or(0);
    let next = tally.next.iter().enumerate();
    rows.extend(next.map(|(index, (command, what))| {
        (if index == 0 { "next" } else { "" }, format!("{command:width$}  {what}"))
    }));
    let rows = rows.into_iter().filter(|(_, text)| !text.is_empty());
    let lines = rows.flat_map(|(title, text)| {
        let wrapped = wrapped(&text, columns.saturating_sub(TITLE + 1));
        let line = |(index, part): (usize, String)| {
            format!("{:TITLE$}{part}", if index == 0 { title } else { "" }).trim_end().to_owned()
        };
        wrapped.into_iter().enumerate().map(line).collect::<Vec<_>>()
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn classes(number: usize) -> String {
    if number == 1 { "1 class".to_owned() } else { format!("{number} classes") }
}

/// A number of classes and what they have in common; empty where there is none.
fn counted(number: usize, what: &str) -> String {
    if number == 0 { String::new() } else { format!("{}: {what}", classes(number)) }
}

/// Coverage of all classes together, by criterion.
fn coverage(reports: &[&ClassReport]) -> String {
    let mut sums: Vec<CriterionReport> = Vec::new();
    for criterion in reports.iter().flat_map(|report| &report.criteria) {
        match sums.iter_mut().find(|sum| sum.name == criterion.name) {
            Some(sum) => {
                sum.goals += criterion.goals;
                sum.covered += criterion.covered;
                sum.existing += criterion.existing;
                sum.killed += criterion.killed;
            }
            None => sums.push(criterion.clone()),
        }
    }
    let with_goals = sums.iter().filter(|sum| sum.goals > 0);
    let texts = with_goals.map(|sum| {
        let CriterionReport { name, goals, covered, .. } = sum;
        // Rounded down: 100% means all.
        format!("{name} {}% ({covered} of {goals}{})", 100 * covered / goals, besides(sum))
    });
    texts.collect::<Vec<_>>().join(", ")
}

/// How many classes have open goals, and those with the most.
fn most_open(open: &[&ClassReport]) -> String {
    if open.is_empty() {
        return String::new();
    }
    let mut most = open.to_vec();
    // Stable: among equals the first that was worked on comes first.
    most.sort_by_key(|report| std::cmp::Reverse(report.open_goals.len()));
    let named = most.iter().take(MOST_NAMED);
    let named = named.map(|report| format!("{} ({})", shortened(&report.class, 50), report.open_goals.len()));
    let goals: usize = open.iter().map(|report| report.open_goals.len()).sum();
    let most = named.collect::<Vec<_>>().join(", ");
    format!("{goals} in {}, most in {most}", classes(open.len()))
}

/// How many classes cannot be tested, and why.
fn untestable(reasons: &BTreeMap<String, usize>) -> String {
    let all: usize = reasons.values().sum();
    let mut sorted: Vec<(&String, &usize)> = reasons.iter().collect();
    sorted.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let why: Vec<String> = sorted.iter().map(|(reason, count)| format!("{count} since {reason}")).collect();
    counted(all, &why.join(", "))
}

/// A text in lines of so many columns, broken between words; one that is longer has a line for itself.
fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    // Commands are told in columns: two spaces stay.
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= columns => {
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
    use insta::assert_snapshot;

    use super::*;
    use crate::json::OpenGoalReport;

    fn report(class: &str, tests: usize, open: usize) -> ClassReport {
        let criterion = |name: &str, goals, covered| CriterionReport {
            name: name.into(),
            goals,
            covered,
            ..CriterionReport::default()
        };
        ClassReport {
            class: class.into(),
            file: (tests > 0).then(|| format!("{class}CovolveTest.java")),
            criteria: vec![
                criterion("branch", 40, 40 - open),
                criterion("line", 100, 99),
                criterion("output", 0, 0),
            ],
            tests,
            open_goals: vec![OpenGoalReport::default(); open],
            ..ClassReport::default()
        }
    }

    fn project(reports: &[ClassReport]) -> Tally<'_> {
        Tally {
            reports: reports.iter().collect(),
            without_time: 1,
            stood_still: 2,
            unchanged: 12,
            left_alone: 1,
            untestable: [
                ("it is an interface without code".into(), 25),
                ("its source was generated".into(), 4),
            ]
            .into(),
            remarks: vec![
                "core: src/main/java/A.java is newer than its class; compile it, or give --build".into(),
                "web needs jars/classes, which does not exist; compile the whole build, or give --build"
                    .into(),
            ],
            roots: vec!["core/src/test/java".into(), "web/src/test/java".into()],
            next: vec![
                ("mvn test".into(), "runs the tests with yours"),
                ("covolve report".into(), "shows what is open, and why"),
            ],
        }
    }

    fn reports() -> [ClassReport; 6] {
        [
            report("a.Complete", 12, 0),
            report("org.apache.commons.lang3.text.StrTokenizer", 60, 9),
            report("org.springframework.beans.factory.config.AutowireCapableBeanFactory", 7, 20),
            report("a.Open", 1, 1),
            report("a.NoTest", 0, 3),
            report("a.NoTime", 0, 0),
        ]
    }

    #[test]
    fn a_summary_on_eighty_columns() {
        let reports = reports();
        let text = summary(&project(&reports), 80);
        assert!(text.lines().all(|line| line.chars().count() < 80), "{text}");
        assert_snapshot!(text, @"
        tests         80, for 4 classes
        coverage      branch 86% (207 of 240), line 99% (594 of 600)
        complete      1 class: every goal is covered
        open goals    30 in 3 classes, most in
                      org.springframew…config.AutowireCapableBeanFactory (20),
                      org.apache.commons.lang3.text.StrTokenizer (9), a.Open (1)
        no test       1 class: what keeps them from it is said above
        no time       1 class: give --total-budget more, or run again in a project
        stood still   2 classes: nothing new came of them, and others had their time
        unchanged     12 classes: their tests are as they were
        left alone    1 class: you have edited their tests; --force overwrites them
        not testable  29 classes: 25 since it is an interface without code, 4 since its
                      source was generated
        files         core/src/test/java, web/src/test/java
        but           core: src/main/java/A.java is newer than its class; compile it,
                      or give --build
                      web needs jars/classes, which does not exist; compile the whole
                      build, or give --build
        next          mvn test        runs the tests with yours
                      covolve report  shows what is open, and why
        ");
    }

    #[test]
    fn a_summary_on_a_hundred_and_twenty_columns() {
        let reports = reports();
        assert_snapshot!(summary(&project(&reports), 120), @"
        tests         80, for 4 classes
        coverage      branch 86% (207 of 240), line 99% (594 of 600)
        complete      1 class: every goal is covered
        open goals    30 in 3 classes, most in org.springframew…config.AutowireCapableBeanFactory (20),
                      org.apache.commons.lang3.text.StrTokenizer (9), a.Open (1)
        no test       1 class: what keeps them from it is said above
        no time       1 class: give --total-budget more, or run again in a project
        stood still   2 classes: nothing new came of them, and others had their time
        unchanged     12 classes: their tests are as they were
        left alone    1 class: you have edited their tests; --force overwrites them
        not testable  29 classes: 25 since it is an interface without code, 4 since its source was generated
        files         core/src/test/java, web/src/test/java
        but           core: src/main/java/A.java is newer than its class; compile it, or give --build
                      web needs jars/classes, which does not exist; compile the whole build, or give --build
        next          mvn test        runs the tests with yours
                      covolve report  shows what is open, and why
        ");
    }

    #[test]
    fn what_there_is_none_of_is_not_said() {
        let reports = [report("a.B", 3, 0)];
        let tally = Tally { reports: reports.iter().collect(), ..Tally::default() };
        assert_snapshot!(summary(&tally, 80), @"
        tests         3, for 1 class
        coverage      branch 100% (40 of 40), line 99% (99 of 100)
        complete      1 class: every goal is covered
        ");
    }
}
