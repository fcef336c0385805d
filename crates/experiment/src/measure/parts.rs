//! What each operator of local search, and symbolic execution, did in the runs of a configuration.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::Context as _;
use serde_json::Value;

/// What a part did in a run.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Part {
    name: String,
    tried: u64,
    improved: u64,
    covered: u64,
    executions: u64,
    seconds: f64,
}

pub(super) const COLUMNS: &str =
    "class,configuration,seed,part,tried,improved,covered,executions,seconds,all_executions,search_seconds";

/// The parts of a run, and what the run used.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Parts {
    each: Vec<Part>,
    /// Executions of the search.
    executions: u64,
    /// Seconds of the search.
    seconds: f64,
}

impl Parts {
    /// From the report of a class; nothing of one that tells nothing.
    pub(super) fn of(report: &Value) -> anyhow::Result<Self> {
        let part = |row: &Value| {
            Some(Part {
                name: row["name"].as_str()?.to_owned(),
                tried: row["tried"].as_u64()?,
                improved: row["improved"].as_u64()?,
                covered: row["covered"].as_u64()?,
                executions: row["executions"].as_u64()?,
                seconds: row["seconds"].as_f64()?,
            })
        };
        let rows = report["local_search"].as_array().into_iter().flatten();
        let parts = rows.map(|row| part(row).context("the report of local search is not as expected"));
        Ok(Self {
            each: parts.collect::<anyhow::Result<_>>()?,
            executions: report["executions"].as_u64().unwrap_or(0),
            seconds: report["seconds"]["search"].as_f64().unwrap_or(0.0),
        })
    }

    /// A row per part, after the cells that say which run it is.
    pub(super) fn cells(&self, run: &[String]) -> Vec<Vec<String>> {
        let own = |part: &Part| {
            let counts = [part.tried, part.improved, part.covered, part.executions].map(|it| it.to_string());
            let mut cells = run.to_vec();
            cells.push(part.name.clone());
            cells.extend(counts);
            cells.push(format!("{:.3}", part.seconds));
            cells.extend([self.executions.to_string(), format!("{:.3}", self.seconds)]);
            cells
        };
        self.each.iter().map(own).collect()
    }
}

/// A table of what each part did in all runs of each configuration, by name of the configuration.
pub(super) fn summary<'a>(runs: impl Iterator<Item = (&'a str, &'a Parts)>) -> String {
    let mut all = BTreeMap::<&str, (u64, f64, BTreeMap<&str, Part>)>::new();
    for (configuration, run) in runs {
        let (executions, seconds, parts) = all.entry(configuration).or_default();
        *executions += run.executions;
        *seconds += run.seconds;
        for part in &run.each {
            let none =
                Part { tried: 0, improved: 0, covered: 0, executions: 0, seconds: 0.0, ..part.clone() };
            let sum = parts.entry(&part.name).or_insert(none);
            sum.tried += part.tried;
            sum.improved += part.improved;
            sum.covered += part.covered;
            sum.executions += part.executions;
            sum.seconds += part.seconds;
        }
    }
    if all.values().all(|(_, _, parts)| parts.is_empty()) {
        return String::new();
    }
    let mut text = "\nWhat local search and symbolic execution did, in all runs of a configuration; goals are those of all criteria, shares \
                    are of the executions and of the time of the search:\n\n\
                    | configuration | part | tests | improved | goals | executions | time |\n\
                    | --- | --- | ---: | ---: | ---: | ---: | ---: |\n"
        .to_owned();
    for (configuration, (executions, seconds, parts)) in all {
        for (name, part) in parts {
            let _ = writeln!(
                text,
                "| `{configuration}` | {name} | {} | {:.1} % | {} | {:.2} % | {:.2} % |",
                part.tried,
                percent(part.improved as f64, part.tried as f64),
                part.covered,
                percent(part.executions as f64, executions as f64),
                percent(part.seconds, seconds),
            );
        }
    }
    text
}

fn percent(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { 100.0 * part / whole } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(improved: u64) -> Parts {
        let row = |name: &str| serde_json::json!({"name": name, "tried": 10, "improved": improved, "covered": 3, "executions": 25, "seconds": 0.5});
        let report = serde_json::json!({
            "executions": 500, "seconds": {"search": 5.0}, "local_search": [row("integers"), row("strings")],
        });
        Parts::of(&report).unwrap()
    }

    #[test]
    fn parts_add_up_over_the_runs_of_a_configuration() {
        let (one, other, none) = (parts(5), parts(7), Parts::default());
        let text = summary([("both", &one), ("none", &none), ("both", &other)].into_iter());
        assert!(text.contains("| `both` | integers | 20 | 60.0 % | 6 | 5.00 % | 10.00 % |"), "{text}");
        assert!(text.contains("| `both` | strings |") && !text.contains("`none`"), "{text}");
        assert_eq!(summary([("none", &none)].into_iter()), "");
    }

    #[test]
    fn rows_have_a_cell_per_column() {
        let cells = parts(1).cells(&["p.A", "both", "0"].map(str::to_owned));
        assert_eq!(cells.len(), 2);
        assert_eq!(cells[0].len(), COLUMNS.split(',').count());
        assert_eq!(Parts::of(&Value::Null).unwrap(), Parts::default());
        assert!(Parts::of(&serde_json::json!({"local_search": [{"name": "x"}]})).is_err());
    }
}
