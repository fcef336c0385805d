//! What the tables hold.

use coverage::criterion::{CRITERIA, Criterion, criterion};
use project::failure::Failure;
use project::nearest::did_you_mean;

use super::{Found, GoalRecord, GoalStatus, Run};
use crate::generate::Report;
use crate::json::{ClassReport, CriterionReport};
use crate::options::Budget;

/// Columns that tell runs apart, in every table.
const KEY: [&str; 4] = ["TARGET_CLASS", "configuration_id", "algorithm", "Random_Seed"];

fn key(run: &Run, report: &ClassReport) -> [String; 4] {
    [
        report.class.clone(),
        run.options.configuration_id.clone(),
        report.algorithm.clone(),
        report.seed.to_string(),
    ]
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// The column of a criterion.
fn column_of(name: &str) -> String {
    criterion(name).map_or_else(|_| name.to_owned(), Criterion::column)
}

/// The criterion of branches, and the end of the names of its goals that are methods without any.
const BRANCH: &str = "branch";
const ENTRY: &str = "@entry";

/// What stands for the columns of all intervals where columns are chosen.
const TIMELINE: &str = "CoverageTimeline";

/// Columns that are there only where they are asked for: what they say others say as well, or one of the other tables.
const ON_REQUEST: [&str; 13] = [
    "search_budget",
    "module",
    "Total_Branches",
    "Covered_Branches",
    "Branchless_Methods",
    "Covered_Branchless_Methods",
    "Lines",
    "Covered_Lines",
    "Total_Methods",
    "Covered_Methods",
    "Mutants",
    "Result_Size",
    "Result_Length",
];

/// What `--columns` takes in any run that has a timeline.
pub(super) fn column_names() -> Vec<String> {
    let criteria: Vec<String> = CRITERIA.iter().map(|criterion| criterion.name().to_owned()).collect();
    let mut names = names(&criteria, 0);
    names.push(TIMELINE.to_owned());
    names
}

/// Columns of `statistics.csv`: those asked for, else all.
pub(super) fn statistics_header(run: &Run) -> Vec<String> {
    let all = all_columns(run);
    columns(run, &all).into_iter().map(|column| all[column].clone()).collect()
}

/// Checks the columns that are asked for.
///
/// # Errors
/// One is none.
pub(super) fn check_columns(run: &Run) -> Result<(), Failure> {
    let all = all_columns(run);
    let mut names: Vec<&str> = all.iter().map(String::as_str).collect();
    if run.options.intervals > 0 {
        names.push(TIMELINE);
    }
    for column in &run.options.columns {
        if column == TIMELINE && run.options.intervals == 0 {
            return Err(Failure::usage(format!(
                "--columns {TIMELINE} stands for the columns of --timeline, and there are none; give --timeline as well"
            )));
        }
        if !names.contains(&column.as_str()) {
            return Err(Failure::usage(format!(
                "--columns {column} is no column of statistics.csv; docs/guide/tables.md lists them{}",
                did_you_mean(column, &names)
            )));
        }
    }
    Ok(())
}

/// Which of all columns are written, in this order.
fn columns(run: &Run, all: &[String]) -> Vec<usize> {
    let places = |chosen: &dyn Fn(&str) -> bool| -> Vec<usize> {
        (0..all.len()).filter(|column| chosen(&all[*column])).collect()
    };
    let asked = &run.options.columns;
    if asked.is_empty() {
        return places(&|name| !ON_REQUEST.contains(&name));
    }
    let of =
        |asked: &String| places(&|name| name == asked || asked == TIMELINE && name.starts_with(TIMELINE));
    asked.iter().flat_map(of).collect()
}

fn all_columns(run: &Run) -> Vec<String> {
    names(&run.all_criteria, run.options.intervals)
}

fn names(all_criteria: &[String], intervals: u32) -> Vec<String> {
    let mut header = owned(&KEY);
    header.extend(owned(&["criterion", "Coverage", "Total_Goals", "Covered_Goals"]));
    header.extend(all_criteria.iter().map(|name| column_of(name)));
    header.extend(owned(&[
        "Size",
        "Length",
        "Generations",
        "Fitness_Evaluations",
        "Tests_Executed",
        "Statements_Executed",
        "Total_Time",
        "Budget_Used",
    ]));
    header.extend((1..=intervals).map(|interval| format!("{TIMELINE}_T{interval}")));
    header.extend(owned(&ON_REQUEST));
    header
}

/// The row of a class.
pub(super) fn statistics_row(run: &Run, report: &Report) -> Vec<String> {
    let all = all_cells(run, report);
    columns(run, &all_columns(run)).into_iter().map(|column| all[column].clone()).collect()
}

/// What all columns hold: coverage from 0 to 1, empty for criteria that were not asked for or have no goals; the time in
/// milliseconds.
fn all_cells(run: &Run, report: &Report) -> Vec<String> {
    let Report { class: report, goals, .. } = report;
    let mut row = Vec::from(key(run, report));
    let (total, covered) = report.goals();
    row.extend([run.criteria.join(";"), coverage(&report.criteria), total.to_string(), covered.to_string()]);
    row.extend(run.all_criteria.iter().map(|name| {
        let criterion = report.criteria.iter().find(|criterion| criterion.name == *name);
        criterion.and_then(share).map_or_else(String::new, number)
    }));
    row.extend([
        report.tests.to_string(),
        report.statements.to_string(),
        report.generations.to_string(),
        report.fitness_evaluations.to_string(),
        report.executions.to_string(),
        report.statements_executed.to_string(),
        format!("{:.0}", report.seconds.total * 1000.0),
        format!("{:.3}", report.budget_used),
    ]);
    let intervals = run.options.intervals;
    row.extend((1..=intervals).map(|interval| {
        let covered = |record: &GoalRecord| {
            record.found.is_some_and(|found| was_found_by(found, run.budget, (interval, intervals)))
        };
        coverage(&covered_by(&report.criteria, goals, covered))
    }));
    row.extend(on_request(run, report, goals));
    row
}

/// What the columns of [`ON_REQUEST`] hold.
fn on_request(run: &Run, report: &ClassReport, goals: &[GoalRecord]) -> [String; ON_REQUEST.len()] {
    let asked = |name: &str| report.criteria.iter().find(|row| row.name == name);
    let of = |name: &str| {
        asked(name).map_or_else(Default::default, |row| [row.goals, row.covered].map(|n| n.to_string()))
    };
    // Methods without branches have goals of this criterion, and columns of their own.
    let branches = |is_entry: bool| -> [String; 2] {
        let is_meant = |goal: &&GoalRecord| {
            goal.criterion == BRANCH
                && goal.id.ends_with(ENTRY) == is_entry
                && goal.status != GoalStatus::Existing
        };
        let meant = || goals.iter().filter(is_meant);
        let covered = meant().filter(|goal| goal.status == GoalStatus::Covered).count();
        asked(BRANCH).map_or_else(Default::default, |_| [meant().count(), covered].map(|n| n.to_string()))
    };
    let ([entries, covered_entries], [branches, covered_branches]) = (branches(true), branches(false));
    let ([lines, covered_lines], [methods, covered_methods]) = (of("line"), of("method"));
    let mutants = ["strong-mutation", "weak-mutation"].into_iter().find_map(asked);
    [
        match run.budget {
            Budget::Time(time) => number(time.as_secs_f64()),
            Budget::Executions(executions) => executions.to_string(),
        },
        report.module.clone().unwrap_or_default(),
        branches,
        covered_branches,
        entries,
        covered_entries,
        lines,
        covered_lines,
        methods,
        covered_methods,
        mutants.map_or_else(String::new, |row| row.goals.to_string()),
        report.tests.to_string(),
        report.statements.to_string(),
    ]
}

/// Whether something happened by the end of an interval: `(2, 15)` for the second of 15.
fn was_found_by(found: Found, budget: Budget, (interval, intervals): (u32, u32)) -> bool {
    match budget {
        Budget::Time(time) => found.elapsed * intervals <= time * interval,
        Budget::Executions(executions) => {
            u128::from(found.executions) * u128::from(intervals)
                <= u128::from(executions) * u128::from(interval)
        }
    }
}

/// The criteria with other goals as those covered.
fn covered_by(
    criteria: &[CriterionReport],
    goals: &[GoalRecord],
    is_covered: impl Fn(&GoalRecord) -> bool,
) -> Vec<CriterionReport> {
    let count = |name: &str| goals.iter().filter(|goal| goal.criterion == name && is_covered(goal)).count();
    let criteria = criteria.iter();
    criteria.map(|row| CriterionReport { covered: count(&row.name), ..row.clone() }).collect()
}

/// Covered goals of a criterion, from 0 to 1; `None` where there are no goals.
fn share(criterion: &CriterionReport) -> Option<f64> {
    (criterion.goals > 0).then(|| criterion.covered as f64 / criterion.goals as f64)
}

/// The mean over the criteria that have goals.
fn coverage(criteria: &[CriterionReport]) -> String {
    let shares: Vec<f64> = criteria.iter().filter_map(share).collect();
    if shares.is_empty() { String::new() } else { number(shares.iter().sum::<f64>() / shares.len() as f64) }
}

/// A share in the fewest digits that mean it.
fn number(value: f64) -> String {
    value.to_string()
}

/// Columns of `goals.csv`.
pub(super) fn goal_header() -> Vec<String> {
    let mut header = owned(&KEY);
    header.extend(owned(&[
        "criterion",
        "id",
        "goal",
        "class",
        "method",
        "line",
        "status",
        "test",
        "fitness",
        "executions",
        "reason",
        "tests",
        "module",
        "killers",
    ]));
    header
}

/// What stands between the tests of a goal: no name of a method holds it.
pub(super) const BETWEEN_TESTS: &str = ";";

/// A row per goal of a class.
pub(super) fn goal_rows(run: &Run, report: &Report) -> Vec<Vec<String>> {
    let rows = report.goals.iter().map(|goal| {
        let mut row = Vec::from(key(run, &report.class));
        row.extend([
            goal.criterion.clone(),
            goal.id.clone(),
            goal.goal.clone(),
            goal.class.clone(),
            goal.method.clone(),
            goal.line.map_or_else(String::new, |line| line.to_string()),
            goal.status.name().to_owned(),
            goal.tests.first().cloned().unwrap_or_default(),
            goal.fitness.map_or_else(String::new, number),
            goal.found.map_or_else(String::new, |found| found.executions.to_string()),
            goal.reason.clone().unwrap_or_default(),
            goal.tests.join(BETWEEN_TESTS),
            report.class.module.clone().unwrap_or_default(),
            goal.killers.join(BETWEEN_TESTS),
        ]);
        row
    });
    rows.collect()
}

/// Columns of `timeline.csv`.
pub(super) fn timeline_header() -> Vec<String> {
    let mut header = owned(&KEY);
    header.extend(owned(&["executions", "milliseconds", "generation", "covered", "total"]));
    header
}

/// The points at which the search of a class covered more goals, and its end.
pub(super) fn timeline_rows(run: &Run, report: &Report) -> Vec<Vec<String>> {
    let (total, _) = report.class.goals();
    let rows = report.class.timeline.iter().map(|point| {
        let mut row = Vec::from(key(run, &report.class));
        row.extend([
            point.executions.to_string(),
            format!("{:.0}", point.seconds * 1000.0),
            point.generation.to_string(),
            point.covered.to_string(),
            total.to_string(),
        ]);
        row
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::json::{Seconds, TimelinePoint};
    use crate::options::ReportOptions;

    fn run(budget: Budget, intervals: u32) -> Run {
        let (folder, configuration_id, columns) = ("report".into(), "mine".into(), Vec::new());
        let options = ReportOptions { folder, configuration_id, intervals, columns };
        Run {
            options,
            budget,
            criteria: owned(&["branch", "line"]),
            all_criteria: owned(&["branch", "direct-branch", "line"]),
        }
    }

    fn goal(criterion: &str, status: GoalStatus, executions: Option<u64>) -> GoalRecord {
        GoalRecord {
            id: "branch p/Foo#f()V@3:0".into(),
            goal: "line 3 of p.Foo.f(): the comparison of numbers jumps".into(),
            criterion: criterion.into(),
            class: "p.Foo".into(),
            method: "f()V".into(),
            line: Some(3),
            status,
            tests: if status == GoalStatus::Covered { owned(&["f", "g"]) } else { Vec::new() },
            killers: if status == GoalStatus::Covered { owned(&["g"]) } else { Vec::new() },
            fitness: if executions.is_some() { Some(0.0) } else { Some(0.25) },
            reason: (status != GoalStatus::Covered).then(|| "no_value".into()),
            found: executions
                .map(|executions| Found { executions, elapsed: Duration::from_millis(executions) }),
        }
    }

    fn report() -> Report {
        let criterion = |name: &str, goals, covered| CriterionReport {
            name: name.into(),
            goals,
            covered,
            ..CriterionReport::default()
        };
        let class = ClassReport {
            class: "p.Foo".into(),
            module: Some("core".into()),
            seed: 7,
            algorithm: "dynamosa".into(),
            criteria: vec![criterion("branch", 2, 1), criterion("line", 2, 2)],
            tests: 3,
            statements: 12,
            executions: 100,
            generations: 2,
            fitness_evaluations: 99,
            statements_executed: 512,
            seconds: Seconds { total: 1.25, ..Seconds::default() },
            budget_used: 0.96,
            timeline: vec![TimelinePoint { seconds: 0.0105, executions: 9, generation: 1, covered: 3 }],
            ..ClassReport::default()
        };
        let goals = vec![
            goal("branch", GoalStatus::Covered, Some(50)),
            goal("branch", GoalStatus::Open, None),
            goal("line", GoalStatus::Covered, Some(50)),
            goal("line", GoalStatus::Covered, Some(51)),
        ];
        Report {
            class,
            goals,
            interrupted: false,
            stood_still: false,
            is_cut_short: false,
            file: None,
            suite: Vec::new(),
        }
    }

    #[test]
    fn a_class_has_a_row_as_wide_as_the_header() {
        let run = run(Budget::Executions(100), 2);
        let cells: Vec<(String, String)> =
            statistics_header(&run).into_iter().zip(statistics_row(&run, &report())).collect();
        let text: Vec<String> = cells.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(
            text.join(" "),
            "TARGET_CLASS=p.Foo configuration_id=mine algorithm=dynamosa Random_Seed=7 criterion=branch;line \
             Coverage=0.75 Total_Goals=4 Covered_Goals=3 BranchCoverage=0.5 CBranchCoverage= LineCoverage=1 Size=3 \
             Length=12 Generations=2 Fitness_Evaluations=99 Tests_Executed=100 Statements_Executed=512 \
             Total_Time=1250 Budget_Used=0.960 CoverageTimeline_T1=0.5 CoverageTimeline_T2=0.75"
        );
        assert_eq!(statistics_header(&run).len(), statistics_row(&run, &report()).len());
    }

    #[test]
    fn columns_are_those_asked_for_in_their_order() {
        let check = |columns: &[&str], intervals: u32, expect: Result<&str, &str>| {
            let mut run = run(Budget::Executions(100), intervals);
            run.options.columns = owned(columns);
            let table = check_columns(&run).map_err(|failure| failure.sentence).map(|()| {
                let cells = statistics_header(&run).into_iter().zip(statistics_row(&run, &report()));
                cells.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
            });
            assert_eq!(table, expect.map(str::to_owned).map_err(str::to_owned));
        };
        check(&["Coverage", "TARGET_CLASS"], 0, Ok("Coverage=0.75 TARGET_CLASS=p.Foo"));
        check(
            &["search_budget", "CoverageTimeline", "Size"],
            2,
            Ok("search_budget=100 CoverageTimeline_T1=0.5 CoverageTimeline_T2=0.75 Size=3"),
        );
        check(
            &[
                "Total_Branches",
                "Covered_Branches",
                "Branchless_Methods",
                "Lines",
                "Covered_Lines",
                "Total_Methods",
            ],
            0,
            Ok(
                "Total_Branches=2 Covered_Branches=1 Branchless_Methods=0 Lines=2 Covered_Lines=2 Total_Methods=",
            ),
        );
        check(
            &["module", "Result_Size", "Result_Length", "Mutants"],
            0,
            Ok("module=core Result_Size=3 Result_Length=12 Mutants="),
        );
        check(
            &["CoverageTimeline"],
            0,
            Err(
                "--columns CoverageTimeline stands for the columns of --timeline, and there are none; give --timeline as well",
            ),
        );
        check(
            &["Covrage"],
            0,
            Err(
                "--columns Covrage is no column of statistics.csv; docs/guide/tables.md lists them; did you mean 'Coverage'?",
            ),
        );
    }

    #[test]
    fn methods_without_branches_and_mutants_are_counted_for_themselves() {
        let mut report = report();
        report.goals[1].id = "branch p/Foo#g()V@entry".into();
        report.class.criteria.extend([("strong-mutation", 5), ("weak-mutation", 6)].map(|(name, goals)| {
            CriterionReport { name: name.into(), goals, covered: 1, ..CriterionReport::default() }
        }));
        let mut run = run(Budget::Executions(100), 0);
        run.options.columns =
            owned(&["Total_Branches", "Branchless_Methods", "Covered_Branchless_Methods", "Mutants"]);
        assert_eq!(statistics_row(&run, &report), ["1", "1", "0", "5"]);
    }

    #[test]
    fn intervals_are_parts_of_the_budget_whatever_it_counts() {
        let found = Found { executions: 3, elapsed: Duration::from_millis(50) };
        let check = |budget, interval, expect| {
            assert_eq!(was_found_by(found, budget, interval), expect, "{budget:?} {interval:?}");
        };
        check(Budget::Executions(6), (1, 2), true);
        check(Budget::Executions(6), (1, 3), false);
        check(Budget::Executions(6), (2, 3), true);
        check(Budget::Time(Duration::from_millis(100)), (1, 2), true);
        check(Budget::Time(Duration::from_millis(99)), (1, 2), false);
    }

    #[test]
    fn classes_without_goals_have_no_coverage() {
        let nothing =
            CriterionReport { name: "line".into(), goals: 0, covered: 0, ..CriterionReport::default() };
        assert_eq!(coverage(std::slice::from_ref(&nothing)), "");
        let half =
            CriterionReport { name: "branch".into(), goals: 2, covered: 1, ..CriterionReport::default() };
        assert_eq!(coverage(&[nothing, half]), "0.5");
    }

    #[test]
    fn goals_and_points_have_rows_as_wide_as_their_headers() {
        let run = run(Budget::Executions(100), 0);
        let rows = goal_rows(&run, &report());
        let goal = "p.Foo|mine|dynamosa|7|branch|branch p/Foo#f()V@3:0|line 3 of p.Foo.f(): the comparison of numbers jumps";
        assert_eq!(rows[0].join("|"), format!("{goal}|p.Foo|f()V|3|covered|f|0|50||f;g|core|g"));
        assert_eq!(rows[1].join("|"), format!("{goal}|p.Foo|f()V|3|open||0.25||no_value||core|"));
        assert!(rows.iter().all(|row| row.len() == goal_header().len()));
        let points = timeline_rows(&run, &report());
        assert_eq!(points, [owned(&["p.Foo", "mine", "dynamosa", "7", "9", "10", "1", "3", "4"])]);
        assert_eq!(points[0].len(), timeline_header().len());
    }
}
