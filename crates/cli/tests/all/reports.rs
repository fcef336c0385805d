//! `generate --report`: tables that agree with the JSON reports of the same runs, and grow run by run.

#![expect(clippy::disallowed_methods, reason = "tests read and write files")]

use crate::support;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use cli::json::ClassReport;

/// One goal of `square` is covered by nothing; `Bare` has no line numbers.
const CLASSES: &str = "
//- /p/Impossible.java
package p;
public class Impossible {
    public static int square(int x) { return x % 4 * (x % 4) == 3 ? 1 : 0; }
    public static int sign(int x) { return x < 0 ? -1 : x > 0 ? 1 : 0; }
}
";
const BARE: &str = "
//- /p/Bare.java
package p;
public class Bare {
    public static int sign(int x) { return x < 0 ? -1 : 1; }
}
";

/// Rows of a table, each by column.
fn rows(file: &Path) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(file).unwrap();
    reader.deserialize().map(|row| row.unwrap()).collect()
}

struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let to = folder.path().join("classes/p");
        fs::create_dir_all(&to).unwrap();
        let full = fixture::compile(CLASSES).folder.join("p/Impossible.class");
        let bare = fixture::compile_with(BARE, &["-g:none"]).folder.join("p/Bare.class");
        fs::copy(full, to.join("Impossible.class")).unwrap();
        fs::copy(bare, to.join("Bare.class")).unwrap();
        Self { folder }
    }

    fn generate(&self, words: &str) -> Output {
        let mut command = Command::new(support::covolve());
        command
            .args(["generate", "--json", "--cp", "classes", "--out", "out", "--report", "report"])
            .args(words.split(' '))
            .current_dir(self.folder.path())
            .env("COVOLVE_CACHE", support::environment().cache.unwrap());
        command.output().unwrap()
    }

    fn reports(&self, words: &str) -> Vec<ClassReport> {
        let output = self.generate(words);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn rows(&self, table: &str) -> Vec<BTreeMap<String, String>> {
        rows(&self.folder.path().join("report").join(table))
    }
}

#[test]
fn a_line_of_evosuite_writes_tests_and_the_columns_that_it_asks_for() {
    let project = Project::new();
    let evosuite = |words: &str| {
        let mut command = Command::new(support::covolve());
        command.arg("evosuite").args(words.split(' ')).current_dir(project.folder.path());
        command.env("COVOLVE_CACHE", support::environment().cache.unwrap());
        command.output().unwrap()
    };
    let line = "-target classes -class p.Bare -seed 3 -criterion BRANCH:EXCEPTION -base_dir base -Dalgorithm=MIO \
                -Dstopping_condition=MAXTESTS -Dsearch_budget=200 -Dconfiguration_id=mine";
    let words: Vec<&str> = line.split_whitespace().collect();
    let other = " -Dreport_dir=other -Doutput_variables=TARGET_CLASS,configuration_id,search_budget,Size,Result_Size,\
                 Total_Branches,Branchless_Methods,Mutants";
    for columns in ["", other] {
        let output = evosuite(&format!("{}{columns}", words.join(" ")));
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let base = project.folder.path().join("base");
    assert!(base.join("evosuite-tests/p/BareCovolveTest.java").is_file());
    let table = |folder: &str| fs::read_to_string(base.join(folder).join("statistics.csv")).unwrap();
    let usual = table("evosuite-report");
    assert!(
        usual.starts_with(
            "TARGET_CLASS,criterion,Coverage,Total_Goals,Covered_Goals\np.Bare,branch;exception,1,"
        ),
        "{usual}"
    );
    let asked = table("other");
    let row = asked.lines().last().and_then(|row| row.strip_prefix("p.Bare,mine,200,")).expect(&asked);
    let [size, result_size, branches, methods, mutants] = row.split(',').collect::<Vec<_>>()[..] else {
        panic!("{asked}")
    };
    assert_eq!((size, mutants), (result_size, ""), "{asked}");
    let goals: usize = [branches, methods].iter().map(|cell| cell.parse::<usize>().unwrap()).sum();
    assert!(goals > 0 && size != "0", "{asked}");
    let refused = evosuite("-class p.Bare -Dassertions=false");
    assert_eq!(refused.status.code(), Some(2));
    let said = "covolve: -Dassertions=false cannot be honoured: tests always have assertions; leave it out\n";
    assert_eq!(String::from_utf8(refused.stderr).unwrap(), said);
}

fn number(row: &BTreeMap<String, String>, column: &str) -> f64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column} of {row:?}"))
}

fn check_statistics(row: &BTreeMap<String, String>, report: &ClassReport, configuration: &str) {
    assert_eq!(row["TARGET_CLASS"], report.class);
    assert_eq!(row["configuration_id"], configuration);
    assert_eq!((&row["algorithm"], &row["criterion"]), (&report.algorithm, &"branch;line".to_owned()));
    let counts = [
        ("Random_Seed", report.seed),
        ("Size", report.tests as u64),
        ("Length", report.statements as u64),
        ("Generations", report.generations),
        ("Fitness_Evaluations", report.fitness_evaluations),
        ("Tests_Executed", report.executions),
        ("Statements_Executed", report.statements_executed),
        ("Total_Goals", report.goals().0 as u64),
        ("Covered_Goals", report.goals().1 as u64),
    ];
    for (column, expect) in counts {
        assert_eq!(row[column], expect.to_string(), "{column}");
    }
    assert!(report.generations > 0 && report.executions >= report.fitness_evaluations, "{report:?}");
    assert!(report.statements_executed > report.executions, "{report:?}");
    assert!(number(row, "Total_Time") > 0.0);
    let share = |name: &str| {
        let criterion = report.criteria.iter().find(|criterion| criterion.name == name).unwrap();
        (criterion.goals > 0).then(|| criterion.covered as f64 / criterion.goals as f64)
    };
    let (branch, line) = (share("branch"), share("line"));
    for (column, expect) in [("BranchCoverage", branch), ("LineCoverage", line)] {
        assert_eq!(row[column].parse().ok(), expect, "{column}");
    }
    let shares: Vec<f64> = branch.into_iter().chain(line).collect();
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    assert_eq!(number(row, "Coverage"), mean);
    let timeline = ["CoverageTimeline_T1", "CoverageTimeline_T2", "CoverageTimeline_T3"];
    let timeline = timeline.map(|column| number(row, column));
    assert!(timeline.is_sorted() && timeline[2] >= mean, "{timeline:?} {mean}");
}

fn check_goals(rows: &[BTreeMap<String, String>], report: &ClassReport, test: &str) {
    assert_eq!(rows.len(), report.goals().0);
    for criterion in &report.criteria {
        let covered = |row: &&BTreeMap<String, String>| {
            row["criterion"] == criterion.name && row["status"] == "covered"
        };
        assert_eq!(rows.iter().filter(covered).count(), criterion.covered, "{}", criterion.name);
    }
    for row in rows {
        if row["status"] == "covered" {
            assert!(row["tests"].split(';').all(|name| test.contains(&format!("void {name}("))), "{row:?}");
            assert_eq!(row["tests"].split(';').next(), Some(row["test"].as_str()));
            assert_eq!(row["fitness"], "0");
            assert!(number(row, "executions") <= report.executions as f64);
        } else {
            assert_eq!((row["status"].as_str(), row["test"].as_str()), ("open", ""), "{row:?}");
            assert_eq!(row["tests"], "");
            assert!(number(row, "fitness") > 0.0 && row["executions"].is_empty(), "{row:?}");
            let open = report.open_goals.iter().find(|open| open.goal == row["goal"]).unwrap();
            assert_eq!(
                (&open.reason, open.line.map(|line| line.to_string())),
                (&row["reason"], Some(row["line"].clone()))
            );
        }
    }
}

/// `covolve report` counts what the reports count, with the source beside it.
fn check_report(project: &Project, reports: &[ClassReport]) {
    let folder = project.folder.path();
    fs::create_dir_all(folder.join("src/p")).unwrap();
    fs::write(folder.join("src/p/Impossible.java"), CLASSES.split_once("java\n").unwrap().1).unwrap();
    let lines: Vec<String> = reports.iter().map(ClassReport::to_line).collect();
    fs::write(folder.join("report/classes.jsonl"), lines.join("\n")).unwrap();
    let mut command = Command::new(support::covolve());
    command.args(["report", "--from", "report", "--format", "lcov", "--out", "-"]).current_dir(folder);
    let output = command.output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let lcov = String::from_utf8(output.stdout).unwrap();
    let (bare, full) = lcov.split_once("end_of_record\n").unwrap();
    assert!(bare.contains("SF:p/Bare.java") && bare.contains("LF:0"), "no lines, no source: {bare}");
    assert!(full.contains("SF:src/p/Impossible.java"), "{full}");
    let count = |prefix: &str| {
        let line = full.lines().find_map(|line| line.strip_prefix(prefix)).unwrap();
        line.parse::<usize>().unwrap()
    };
    let criterion = |name: &str| reports[0].criteria.iter().find(|row| row.name == name).unwrap();
    let line = criterion("line");
    assert_eq!((count("LF:"), count("LH:")), (line.goals, line.covered), "{full}");
    // The constructor has no branch: its goal is to be entered.
    let branch = criterion("branch");
    assert_eq!((count("BRF:"), count("BRH:")), (branch.goals - 1, branch.covered - 1), "{full}");
}

#[test]
fn tables_agree_with_the_reports_and_grow() {
    let project = Project::new();
    let words =
        "--class p.Impossible --class p.Bare --budget 300executions --criterion branch,line --timeline=3";
    let first = project.reports(&format!("{words} --seed 1 --configuration-id one"));
    let second = project.reports(&format!("{words} --seed 2 --set population=10"));
    // The search of this class does not end before its budget: smaller populations have more generations.
    assert!(second[0].generations > 2 * first[0].generations, "{first:?} {second:?}");
    let all: Vec<(&ClassReport, &str)> =
        first.iter().map(|one| (one, "one")).chain(second.iter().map(|one| (one, ""))).collect();

    let statistics = project.rows("statistics.csv");
    assert_eq!(statistics.len(), 4);
    for (row, (report, configuration)) in statistics.iter().zip(&all) {
        check_statistics(row, report, configuration);
    }
    assert_eq!(statistics[1]["LineCoverage"], "", "a class file without line numbers");
    let said = &first[1].diagnostics;
    assert!(said.contains(&"it has no goals of the criterion line".to_owned()), "{said:?}");

    let goals = project.rows("goals.csv");
    let timeline = project.rows("timeline.csv");
    for (report, _) in &all {
        let of = |rows: &[BTreeMap<String, String>]| -> Vec<BTreeMap<String, String>> {
            let seed = report.seed.to_string();
            let is_its = |row: &&BTreeMap<String, String>| {
                row["TARGET_CLASS"] == report.class && row["Random_Seed"] == seed
            };
            rows.iter().filter(is_its).cloned().collect()
        };
        // The file of the second run has replaced that of the first.
        if report.seed == 2 {
            let file = project.folder.path().join(report.file.as_ref().unwrap());
            check_goals(&of(&goals), report, &fs::read_to_string(file).unwrap());
        }
        let points: Vec<[String; 3]> = of(&timeline)
            .iter()
            .map(|row| ["executions", "generation", "covered"].map(|column| row[column].clone()))
            .collect();
        let expect = report.timeline.iter().map(|point| {
            [point.executions.to_string(), point.generation.to_string(), point.covered.to_string()]
        });
        assert_eq!(points, expect.collect::<Vec<_>>());
    }
    let open = goals.iter().filter(|row| row["status"] == "open" && row["criterion"] == "branch").count();
    assert_eq!(open, 2, "the impossible outcome in each of two runs");

    check_report(&project, &second);

    let before = fs::read_to_string(project.folder.path().join("report/statistics.csv")).unwrap();
    let refused = project.generate("--class p.Bare --budget 300executions --timeline=4");
    assert_eq!(refused.status.code(), Some(4));
    assert_eq!(
        String::from_utf8(refused.stderr).unwrap(),
        format!(
            "covolve: report/statistics.csv has other columns than this run would write: column {} is none, not \
             'CoverageTimeline_T4'; give another --report, or move the file away\n",
            statistics[0].len() + 1
        )
    );
    let after = fs::read_to_string(project.folder.path().join("report/statistics.csv")).unwrap();
    assert_eq!(before, after);
}

#[test]
fn mutants_that_the_file_kills_are_told_with_the_tests_that_do() {
    let project = Project::new();
    let words = "--class p.Impossible --budget 1000executions --criterion branch,line,weak-mutation";
    let [report] = &project.reports(words)[..] else { panic!("one class was asked for") };
    let file = fs::read_to_string(project.folder.path().join(report.file.as_ref().unwrap())).unwrap();
    let mut infected = project.rows("goals.csv");
    infected.retain(|row| row["criterion"] == "weak-mutation" && row["status"] == "covered");
    let killed: Vec<_> = infected.iter().filter(|row| !row["killers"].is_empty()).collect();
    for row in &killed {
        assert!(row["killers"].split(';').all(|name| file.contains(&format!("void {name}("))), "{row:?}");
    }
    let told = report.criteria.iter().find(|row| row.name == "weak-mutation").unwrap();
    assert_eq!((told.covered, told.killed), (infected.len(), killed.len()));
    // Those of `sign`, but fewer than three of what is read, which are no reason for a test; not those of `square` that change nothing
    // of what it gives.
    let of = |rows: &mut dyn Iterator<Item = &BTreeMap<String, String>>, method: &str| {
        rows.filter(|row| row["method"].starts_with(method)).count()
    };
    let (signs, killed_signs) = (of(&mut infected.iter(), "sign"), of(&mut killed.iter().copied(), "sign"));
    assert!(signs > 10 && signs - killed_signs < 3, "{killed_signs} of {signs}: {file}");
    assert!(killed.len() < infected.len(), "{file}");
}
