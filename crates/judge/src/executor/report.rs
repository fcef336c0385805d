//! What is kept: a row for each class, all differences, and a page that says how it was run.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Result;
use experiment::subject::Subject;

use super::record::Record;
use super::verdict::{Reason, Verdict};

/// What came out for a class.
#[derive(Debug)]
pub(super) struct Row {
    class: String,
    /// What kept it from being judged.
    failure: Option<String>,
    record: Record,
    verdict: Verdict,
}

impl Row {
    pub(super) fn new(subject: &Subject, record: &Record, verdict: Verdict) -> Self {
        Self { class: subject.class.clone(), failure: None, record: record.clone(), verdict }
    }

    pub(super) fn failed(subject: &Subject, failure: &str) -> Self {
        Self {
            class: subject.class.clone(),
            failure: Some(failure.to_owned()),
            record: Record::default(),
            verdict: Verdict::default(),
        }
    }

    /// Differences that nothing explains; a class that could not be judged counts as one.
    pub(super) fn unexplained(&self) -> usize {
        self.verdict.unexplained().count() + usize::from(self.failure.is_some())
    }

    fn aside(&self) -> usize {
        self.record.aside.values().sum()
    }

    /// For a line of progress.
    pub(super) fn brief(&self) -> String {
        let Verdict { compared, assertions, exceptions, lines, branches, .. } = &self.verdict;
        let mut text = format!(
            "{}: {compared} compared, {} set aside, {assertions} values, {exceptions} exceptions, {lines} lines, \
             {branches} branches, {} executions beyond limits, {} explained, {} unexplained",
            self.class,
            self.aside(),
            self.record.beyond_limits,
            Reason::ALL.iter().map(|&reason| self.verdict.explained(reason)).sum::<usize>(),
            self.unexplained(),
        );
        if let Some(failure) = &self.failure {
            let _ = write!(text, "\n  not judged: {failure}");
        }
        for sentence in &self.record.diagnostics {
            let _ = write!(text, "\n  {sentence}");
        }
        for difference in self.verdict.unexplained().take(8) {
            let what: String = difference.what.chars().take(600).collect();
            let _ = write!(text, "\n  {}: {what}", difference.method);
        }
        text
    }
}

/// Sums over all classes.
pub(super) fn summary(rows: &[Row]) -> String {
    let sum = |of: &dyn Fn(&Row) -> usize| rows.iter().map(of).sum::<usize>();
    let mut text = format!(
        "{} classes, {} tests compared, {} set aside; {} values, {} exceptions, {} covered lines and {} covered branches \
         compared; {} differences unexplained",
        rows.len(),
        sum(&|row| row.verdict.compared),
        sum(&Row::aside),
        sum(&|row| row.verdict.assertions),
        sum(&|row| row.verdict.exceptions),
        sum(&|row| row.verdict.lines),
        sum(&|row| row.verdict.branches as usize),
        sum(&Row::unexplained),
    );
    for reason in Reason::ALL {
        let _ = write!(text, ", {} explained: {}", sum(&|row| row.verdict.explained(reason)), reason.text());
    }
    text
}

/// Writes the folder anew.
pub(super) fn write(folder: &Path, rows: &[Row], words: &[String], home: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    let java = home.join("bin/java");
    let mut asides = std::collections::BTreeMap::<&str, usize>::new();
    for (reason, count) in rows.iter().flat_map(|row| &row.record.aside) {
        *asides.entry(reason).or_default() += count;
    }
    let asides: Vec<String> = asides.iter().map(|(reason, count)| format!("* {count}: {reason}")).collect();
    let asides = asides.join(
        "
",
    );
    let readme = format!(
        "{}\n{}\n\nTests set aside:\n\n{asides}\n\n\
         `raw.csv` has a row per class, `differences.txt` every difference with its reason.\n",
        experiment::runs::heading("The executor's judge", "judge-executor", words, &java)?,
        summary(rows),
    );
    fs::write(folder.join("README.md"), readme)?;
    let mut csv =
        String::from("class,beyond_limits,compared,set_aside,values,unsaid,exceptions,lines,branches,");
    csv.extend(Reason::ALL.iter().map(|reason| format!("{},", reason.text().replace(' ', "_"))));
    csv.push_str("unexplained\n");
    let mut text = String::new();
    for row in rows {
        let Verdict { compared, assertions, exceptions, lines, branches, .. } = &row.verdict;
        let explained: Vec<String> =
            Reason::ALL.iter().map(|&reason| row.verdict.explained(reason).to_string()).collect();
        let explained = explained.join(",");
        writeln!(
            csv,
            "{},{},{compared},{},{assertions},{},{exceptions},{lines},{branches},{explained},{}",
            row.class,
            row.record.beyond_limits,
            row.aside(),
            row.record.unsaid,
            row.unexplained()
        )?;
        describe(row, &mut text)?;
    }
    fs::write(folder.join("raw.csv"), csv)?;
    fs::write(folder.join("differences.txt"), text)?;
    Ok(())
}

fn describe(row: &Row, text: &mut String) -> Result<()> {
    writeln!(text, "{}", row.brief().lines().next().unwrap_or_default())?;
    for skipped in &row.record.skipped {
        writeln!(text, "  without probes: {skipped}")?;
    }
    for difference in &row.verdict.differences {
        let reason = difference.reason.map_or("UNEXPLAINED", Reason::text);
        writeln!(text, "  {} [{reason}]: {}", difference.method, difference.what)?;
        let twin = |it: &&super::record::TestRecord| {
            [&it.asserted.name, &it.bare.name].contains(&&difference.method)
        };
        if let (None, Some(test)) = (difference.reason, row.record.tests.iter().find(twin)) {
            text.extend(test.text.lines().map(|line| format!("      {line}\n")));
        }
    }
    Ok(())
}
