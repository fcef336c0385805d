//! The JSON object per class that `--json` prints. Its schema is `docs/guide/json.schema.json`.

use output::report::Stage;
use serde::{Deserialize, Serialize};

/// What came out for a class.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClassReport {
    /// Binary name of the class.
    pub class: String,
    /// Name of its module in the build; absent where it is of a class path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
    /// The test file; null if there is none.
    pub file: Option<String>,
    /// Seed.
    pub seed: u64,
    /// Algorithm.
    pub algorithm: String,
    /// Goals per criterion.
    pub criteria: Vec<CriterionReport>,
    /// Tests in the file.
    pub tests: usize,
    /// Those of them that failed before the search, and stay until they are to be replaced.
    #[serde(default)]
    pub failing: Vec<String>,
    /// Statements in the file.
    pub statements: usize,
    /// The workers that searched side by side, first to last.
    pub islands: Vec<IslandReport>,
    /// Executions of the search: as a budget they repeat it.
    pub executions: u64,
    /// Generations of the search.
    pub generations: u64,
    /// Evaluations of fitness in the search.
    pub fitness_evaluations: u64,
    /// Statements of tests that the search executed.
    pub statements_executed: u64,
    /// Executions per second of the search phase.
    pub executions_per_second: f64,
    /// Where the time went.
    pub seconds: Seconds,
    /// The part of the budget after which nothing searched or improved any more, 0 to 1: the search ended, or the file was
    /// written for the last time.
    pub budget_used: f64,
    /// How coverage grew, first to last.
    pub timeline: Vec<TimelinePoint>,
    /// What each operator of local search and each test search did, those that did nothing left out.
    pub local_search: Vec<LocalSearchReport>,
    /// What came of symbolic execution; null where it was not applied.
    pub symbolic_execution: Option<SymbolicReport>,
    /// Goals that were reached and lost again.
    pub losses: Losses,
    /// Goals that the file does not cover, and why.
    pub open_goals: Vec<OpenGoalReport>,
    /// What the user should know, one sentence each.
    pub diagnostics: Vec<String>,
}

/// A worker that searched, with those that replaced it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IslandReport {
    /// Its executions.
    pub executions: u64,
    /// Goals that it was the first of all to cover.
    pub covered_first: usize,
}

/// Coverage by one criterion.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CriterionReport {
    /// Its name.
    pub name: String,
    /// Its goals in the class and its nest, without those of `existing`.
    pub goals: usize,
    /// Those that the delivered file covers.
    pub covered: usize,
    /// Further goals, which the project's own tests cover: no test is made for them.
    #[serde(default)]
    pub existing: usize,
    /// Of mutants that tests had to infect: those covered that the file is known to kill as well.
    #[serde(default)]
    pub killed: usize,
}

/// Wall-clock time of the phases, in seconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seconds {
    /// From the known class path to the first execution.
    pub start: f64,
    /// Search.
    pub search: f64,
    /// Minimization.
    pub minimize: f64,
    /// Assertions.
    pub assertions: f64,
    /// Printing, compiling, running, writing.
    pub verify: f64,
    /// From the known class path to the file on disk.
    pub total: f64,
}

/// A point of the timeline.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimelinePoint {
    /// Seconds since the class path was known.
    pub seconds: f64,
    /// Executions so far.
    pub executions: u64,
    /// Generations completed so far.
    pub generation: u64,
    /// Goals covered so far, all criteria together.
    pub covered: usize,
}

/// What an operator of local search or a test search did.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LocalSearchReport {
    /// Its name, as in the parameter `local-search-operators`.
    pub name: String,
    /// Tests that it was to improve.
    pub tried: u64,
    /// Those of them that it did.
    pub improved: u64,
    /// Goals that it covered.
    pub covered: u64,
    /// Executions that it took.
    pub executions: u64,
    /// Time that it took, in seconds.
    pub seconds: f64,
}

/// What came of symbolic execution. What a worker did that was lost, or ended without notice as islands are that only search, is
/// missing.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SymbolicReport {
    /// Tests that it was applied to.
    pub applications: u64,
    /// Runs of tests, those to begin with included.
    pub runs: u64,
    /// Replays of their recordings.
    pub replays: u64,
    /// Replays that ended before their run did, by reason, the most frequent first.
    pub ended: Vec<Counted>,
    /// Replays that did something else than the run: a defect.
    pub diverged: u64,
    /// Negated conditions that a solver was asked about.
    pub queries: u64,
    /// Those of them that some inputs fulfil.
    pub satisfiable: u64,
    /// Those that none fulfil.
    pub unsatisfiable: u64,
    /// Those that no answer is known to, by reason, the most frequent first.
    pub unknown: Vec<Counted>,
    /// Inputs that no test has.
    pub unwritten: u64,
    /// Inputs whose test was run before.
    pub repeated: u64,
    /// Inputs whose test did not take the way that was asked for: a defect.
    pub strayed: u64,
    /// Those that did not, where the branch lies behind code that was given the inputs and is not modelled.
    pub strayed_behind: u64,
    /// Values that became concrete because their terms were too large.
    pub oversized: u64,
    /// Time that solvers took, in seconds.
    pub solver_seconds: f64,
    /// Methods that are not modelled, with the calls that were given values which depend on inputs; those with most calls first, at
    /// most [`SymbolicReport::MOST_METHODS`].
    pub unmodelled: Vec<Counted>,
}

/// How often something happened.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counted {
    /// What.
    pub name: String,
    /// How often.
    pub count: u64,
}

impl Counted {
    /// The numbers of two lists by name, the largest first, then by name.
    fn together(one: &[Self], other: &[Self]) -> Vec<Self> {
        let mut all = one.to_vec();
        for Self { name, count } in other {
            match all.iter_mut().find(|known| known.name == *name) {
                Some(known) => known.count += count,
                None => all.push(Self { name: name.clone(), count: *count }),
            }
        }
        all.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.name.cmp(&b.name)));
        all
    }
}

impl SymbolicReport {
    /// Methods that a report names.
    pub const MOST_METHODS: usize = 10;

    /// Adds what a worker did to what those before it did.
    pub fn add(before: &mut Option<Self>, report: Self) {
        *before = Some(match before.take() {
            Some(before) => before.together(&report),
            None => report,
        });
    }

    /// What two workers did together.
    #[must_use]
    pub fn together(&self, other: &Self) -> Self {
        let mut unmodelled = Counted::together(&self.unmodelled, &other.unmodelled);
        unmodelled.truncate(Self::MOST_METHODS);
        Self {
            applications: self.applications + other.applications,
            runs: self.runs + other.runs,
            replays: self.replays + other.replays,
            ended: Counted::together(&self.ended, &other.ended),
            diverged: self.diverged + other.diverged,
            queries: self.queries + other.queries,
            satisfiable: self.satisfiable + other.satisfiable,
            unsatisfiable: self.unsatisfiable + other.unsatisfiable,
            unknown: Counted::together(&self.unknown, &other.unknown),
            unwritten: self.unwritten + other.unwritten,
            repeated: self.repeated + other.repeated,
            strayed: self.strayed + other.strayed,
            strayed_behind: self.strayed_behind + other.strayed_behind,
            oversized: self.oversized + other.oversized,
            solver_seconds: self.solver_seconds + other.solver_seconds,
            unmodelled,
        }
    }
}

/// Goals on their way from the archive to the file, all criteria together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Losses {
    /// Goals covered by the archive.
    pub archived: usize,
    /// Goals covered after minimization.
    pub minimized: usize,
    /// Goals covered by the tests that compile.
    pub compiled: usize,
    /// Goals covered by the tests that were verified.
    pub verified: usize,
    /// What goals were lost by.
    pub causes: Vec<Loss>,
    /// The goals that were lost, one by one.
    pub goals: Vec<LostGoal>,
}

/// A goal that was lost.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LostGoal {
    /// The goal, in one sentence.
    pub goal: String,
    /// The stage that did not keep it.
    pub stage: Stage,
    /// The kind of cause.
    pub cause: String,
    /// The cause, in one sentence.
    pub detail: String,
}

/// A goal that the file does not cover.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenGoalReport {
    /// The goal, in one sentence.
    pub goal: String,
    /// Its criterion.
    pub criterion: String,
    /// Binary name of the class that holds it.
    pub class: String,
    /// Its method, name and descriptor.
    pub method: String,
    /// Its source line; null where none is recorded.
    pub line: Option<u32>,
    /// The kind of reason why it is open.
    pub reason: String,
    /// A cause that it may have in common with goals of other classes.
    pub cause: String,
    /// The reason, in one sentence.
    pub detail: String,
    /// The open goal that guards it, whose reason it has; null where none does.
    pub behind: Option<String>,
}

/// Goals lost by one cause.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Loss {
    /// The cause, in one sentence.
    pub cause: String,
    /// Number of goals.
    pub goals: usize,
}

impl ClassReport {
    /// The object on one line, without line end. Times are rounded to milliseconds, speeds to tenths.
    pub fn to_line(&self) -> String {
        let mut report = self.clone();
        let seconds = &mut report.seconds;
        for time in [
            &mut seconds.start,
            &mut seconds.search,
            &mut seconds.minimize,
            &mut seconds.assertions,
            &mut seconds.verify,
            &mut seconds.total,
        ] {
            *time = round(*time, 1000.0);
        }
        report.timeline.iter_mut().for_each(|point| point.seconds = round(point.seconds, 1000.0));
        report.executions_per_second = round(report.executions_per_second, 10.0);
        report.budget_used = round(report.budget_used, 1000.0);
        if let Some(symbolic) = &mut report.symbolic_execution {
            symbolic.solver_seconds = round(symbolic.solver_seconds, 1000.0);
        }
        serde_json::to_string(&report).unwrap_or_else(|error| {
            // Plain data with string keys: there is nothing that could fail.
            unreachable!("a report is JSON: {error}")
        })
    }

    /// What tells a class from those of the same name in other modules, whose name is empty where there is none.
    pub fn place(&self) -> (String, String) {
        (self.module.clone().unwrap_or_default(), self.class.clone())
    }

    /// Whether the project's own tests cover all of its goals, so that it needs no file.
    pub fn is_tested_already(&self) -> bool {
        let existing: usize = self.criteria.iter().map(|row| row.existing).sum();
        existing > 0 && self.goals().0 == 0
    }

    /// Goals and covered goals of all criteria.
    pub fn goals(&self) -> (usize, usize) {
        self.criteria.iter().fold((0, 0), |(goals, covered), row| (goals + row.goals, covered + row.covered))
    }
}

/// Rounds for printing; what is no number counts as 0, which JSON can say.
fn round(value: f64, scale: f64) -> f64 {
    if value.is_finite() { (value * scale).round() / scale } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> ClassReport {
        ClassReport {
            class: "a.B$C".into(),
            module: Some("core".into()),
            file: Some("out/a/B_CCovolveTest.java".into()),
            seed: u64::MAX,
            algorithm: "dynamosa".into(),
            criteria: vec![CriterionReport {
                name: "branch".into(),
                goals: 10,
                covered: 9,
                ..CriterionReport::default()
            }],
            tests: 3,
            failing: vec!["f".into()],
            statements: 12,
            islands: vec![IslandReport { executions: 20_000, covered_first: 9 }],
            executions: 20_000,
            generations: 400,
            fitness_evaluations: 19_990,
            statements_executed: 300_000,
            executions_per_second: 31_234.567,
            seconds: Seconds { start: 0.123_456, total: 1.0, ..Seconds::default() },
            budget_used: 0.959_876,
            timeline: vec![TimelinePoint { seconds: 0.3, executions: 1, generation: 0, covered: 4 }],
            local_search: vec![LocalSearchReport {
                name: "integers".into(),
                tried: 7,
                improved: 3,
                covered: 2,
                executions: 150,
                seconds: 0.25,
            }],
            symbolic_execution: Some(SymbolicReport {
                queries: 3,
                solver_seconds: 0.012_345,
                unmodelled: counted(&[("java.lang.Math.sqrt(D)D", 2)]),
                ..SymbolicReport::default()
            }),
            losses: Losses {
                archived: 10,
                minimized: 10,
                compiled: 9,
                verified: 9,
                causes: vec![Loss { cause: "javac: x".into(), goals: 1 }],
                goals: vec![LostGoal {
                    goal: "line 3 of a.B.f() is executed".into(),
                    stage: Stage::Compiled,
                    cause: "not_compiled".into(),
                    detail: "javac: x".into(),
                }],
            },
            open_goals: vec![OpenGoalReport {
                goal: "line 3 of a.B.f() is executed".into(),
                criterion: "line".into(),
                class: "a.B".into(),
                method: "f()V".into(),
                line: Some(3),
                reason: "lost".into(),
                ..OpenGoalReport::default()
            }],
            diagnostics: vec!["a \"note\"\nin two lines".into()],
        }
    }

    fn counted(counts: &[(&str, u64)]) -> Vec<Counted> {
        counts.iter().map(|&(name, count)| Counted { name: name.into(), count }).collect()
    }

    fn schema() -> serde_json::Value {
        serde_json::from_str(include_str!("../../../docs/guide/json.schema.json")).unwrap()
    }

    fn value(report: &ClassReport) -> serde_json::Value {
        serde_json::from_str(&report.to_line()).unwrap()
    }

    #[test]
    fn reports_follow_the_schema() {
        let schema = jsonschema::validator_for(&schema()).unwrap();
        for report in
            [report(), ClassReport { algorithm: "random".into(), class: "A".into(), ..Default::default() }]
        {
            let value = value(&report);
            let errors: Vec<String> = schema.iter_errors(&value).map(|error| error.to_string()).collect();
            assert_eq!(errors, Vec::<String>::new());
        }
    }

    #[test]
    fn the_schema_refuses_what_no_report_says() {
        let schema = jsonschema::validator_for(&schema()).unwrap();
        let change = |change: &dyn Fn(&mut serde_json::Value)| {
            let mut value = value(&report());
            change(&mut value);
            schema.is_valid(&value)
        };
        assert!(change(&|_| ()));
        assert!(!change(&|value| value["extra"] = 1.into()));
        assert!(!change(&|value| value["tests"] = (-1).into()));
        assert!(!change(&|value| value["seconds"]["verify"] = "1".into()));
        assert!(!change(&|value| drop(value.as_object_mut().unwrap().remove("losses"))));
        assert!(!change(&|value| drop(value["losses"].as_object_mut().unwrap().remove("causes"))));
        assert!(!change(&|value| value["losses"]["goals"][0]["stage"] = "printed".into()));
        assert!(!change(&|value| drop(value["islands"][0].as_object_mut().unwrap().remove("covered_first"))));
        assert!(!change(&|value| value["open_goals"][0]["reason"] = "bad luck".into()));
        assert!(!change(&|value| drop(value["open_goals"][0].as_object_mut().unwrap().remove("line"))));
        assert!(!change(&|value| drop(
            value["symbolic_execution"].as_object_mut().unwrap().remove("queries")
        )));
        assert!(!change(&|value| value["symbolic_execution"]["unmodelled"][0]["count"] = "two".into()));
        assert!(!change(&|value| drop(value["timeline"][0].as_object_mut().unwrap().remove("covered"))));
    }

    #[test]
    fn a_report_is_one_line_with_rounded_times() {
        let line = report().to_line();
        assert!(!line.contains('\n'));
        assert!(
            line.contains("\"start\":0.123,") && line.contains("\"executions_per_second\":31234.6,"),
            "{line}"
        );
        let odd = ClassReport { executions_per_second: f64::NAN, ..ClassReport::default() };
        assert!(odd.to_line().contains("\"executions_per_second\":0.0"));
    }

    #[test]
    fn what_two_workers_did_symbolically_is_added() {
        let one = SymbolicReport {
            queries: 5,
            unknown: counted(&[("steps", 3), ("conflicts", 1)]),
            unmodelled: counted(&[("a", 9), ("b", 1)]),
            ..SymbolicReport::default()
        };
        let many: Vec<(String, u64)> = (0..12).map(|number| (format!("m{number:02}"), 2)).collect();
        let many: Vec<(&str, u64)> = many.iter().map(|(name, count)| (name.as_str(), *count)).collect();
        let other = SymbolicReport {
            queries: 2,
            unknown: counted(&[("conflicts", 4)]),
            unmodelled: counted(&[&many[..], &[("b", 7)]].concat()),
            ..SymbolicReport::default()
        };
        let both = one.together(&other);
        assert_eq!((both.queries, both.unknown), (7, counted(&[("conflicts", 5), ("steps", 3)])));
        assert_eq!(both.unmodelled.len(), SymbolicReport::MOST_METHODS);
        assert_eq!(both.unmodelled[..3], counted(&[("a", 9), ("b", 8), ("m00", 2)]));
    }
}
