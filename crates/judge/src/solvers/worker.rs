//! The process with the JVM in it: records and replays, and asks both solvers.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use bytecode::name::ClassName;
use concolic::dse::{ExplorationOptions, Negations};
use concolic::interpreter::{Code, Following};
use concolic::solver::{Answer, Limits, Query, SOLVERS, Solving, Why, in_smt_lib, installed};
use concolic::term::{InputId, Model, Operator, Plan, Sort, TermId, Terms};
use concolic::test_replay::{Replaying, replay_test};
use search::local_search::expansion::expanded;
use testcase::clock::Clock;
use testcase::execution::ExecutionResult;
use testcase::factory::options::FactoryOptions;
use testcase::random::Random;
use testcase::recording::Recording;
use testcase::test_case::TestCase;

use super::tally::{Asked, Reply, Said};
use super::{Job, Row};
use crate::random_tests::{RandomTests, record};
use crate::started::{Started, World, as_process, start};

/// Stream of the random numbers that choose queries.
const QUERIES: u64 = 1;

/// Does the job in this process and writes the row into its folder.
pub(super) fn run(job: &Job) -> Result<()> {
    as_process(&job.folder.join("row.json"), || judge(job))
}

/// Whether the installed solver answers.
pub(super) fn is_installed(program: Option<&str>) -> bool {
    let mut terms = Terms::new();
    let condition = terms.input(InputId(0), Sort::Bool);
    let mut solver = Solving::with(installed(program, Duration::from_secs(2)));
    let seed = Model::new();
    let query = Query { terms: &terms, conditions: &[condition], seed: &seed, limits: Limits::default() };
    matches!(solver.solve(&query), Answer::Model(_))
}

fn judge(job: &Job) -> Result<Row> {
    // Before this process gives up the right to start programs.
    let mut external = installed(job.solver.as_deref(), Duration::from_millis(job.limit));
    external.prepare();
    let classes = std::slice::from_ref(&job.classes);
    let Started { world, mut executor, ids } = start(&job.class, classes, &job.java_home, &job.folder)?;
    let (probes, outcomes) = (ids.probes as usize, ids.outcomes as usize);
    let made = RandomTests { cluster: &world.cluster, probes, outcomes }.make(&mut executor, &job.choice);
    let longest = FactoryOptions::default().max_length;
    let tests: BTreeSet<TestCase> = made.tests.iter().map(|test| expanded(test, longest)).collect();
    let tests: Vec<TestCase> = tests.into_iter().collect();
    let recorded = record(&tests, &mut executor, ExecutionResult::new(probes, outcomes));
    let mut found = Found::new(&world);
    for (test, recording) in recorded {
        found.replay(test, &recording);
    }
    Ok(found.ask(job, Solving::with(external)))
}

/// Queries of a class.
struct Found<'w> {
    world: &'w World,
    code: Arc<Code>,
    terms: Terms,
    options: ExplorationOptions,
    paths: Vec<Negations>,
    /// By path and number.
    queries: Vec<(usize, usize)>,
    known: BTreeSet<Vec<TermId>>,
}

impl<'w> Found<'w> {
    fn new(world: &'w World) -> Self {
        Self {
            world,
            code: Arc::default(),
            terms: Terms::new(),
            options: ExplorationOptions::default(),
            paths: Vec::new(),
            queries: Vec::new(),
            known: BTreeSet::new(),
        }
    }

    fn replay(&mut self, test: &TestCase, recording: &Recording) {
        let World { cluster, hierarchy, .. } = self.world;
        let replaying = Replaying { cluster, hierarchy, code: &self.code, limits: self.options.replay };
        let begun = recording.statements.len();
        let mut following = Following::new(recording);
        let replayed = replay_test(test, begun, &replaying, &mut following, &mut self.terms);
        let is_platform = |class: &ClassName| !hierarchy.source().is_on_class_path(class);
        let path = Negations::new(test.clone(), replayed, is_platform, &self.options, &mut self.terms);
        for query in 0..path.len() {
            if self.known.insert(path.conditions(query, &mut self.terms)) {
                self.queries.push((self.paths.len(), query));
            }
        }
        self.paths.push(path);
    }

    /// Asks both solvers as many of the queries as are wanted.
    fn ask(mut self, job: &Job, mut external: Solving) -> Row {
        let mut random = Random::new(job.choice.seed, QUERIES);
        random.shuffle(&mut self.queries);
        let mut built_in = Solving::new(&SOLVERS[0]);
        let mut asked = Vec::new();
        for &(path, query) in &self.queries {
            if asked.len() == job.queries {
                break;
            }
            let path = &self.paths[path];
            let conditions = path.conditions(query, &mut self.terms);
            let limits = self.options.solver;
            let put = Query { terms: &self.terms, conditions: &conditions, seed: path.seed(), limits };
            let hits = built_in.hits();
            let first = reply(&mut built_in, &put);
            if built_in.hits() > hits {
                continue;
            }
            let second = reply(&mut external, &put);
            let plan = Plan::new(&self.terms, &conditions);
            let is_missed = second.said.is_answer() && !first.said.is_answer();
            asked.push(Asked {
                script: is_missed.then(|| in_smt_lib(&put).ok()).flatten(),
                site: format!("{} {:?}", path.site(query).method, path.site(query).instruction),
                terms: plan.len(),
                operators: operators(&plan),
                built_in: first,
                installed: second,
            });
        }
        Row {
            class: job.class.clone(),
            tests: self.paths.len(),
            conditions: self.queries.len(),
            asked,
            error: String::new(),
        }
    }
}

/// What a solver says, and how long it takes to.
fn reply(solving: &mut Solving, query: &Query<'_>) -> Reply {
    let clock = Clock::start();
    let answer = solving.solve(query);
    let microseconds = clock.now().as_micros() as u64;
    let said = match answer {
        Answer::Model(_) => Said::Model,
        Answer::Unsatisfiable => Said::Unsatisfiable,
        Answer::Unknown(Why::WrongModel) => Said::WrongModel,
        Answer::Unknown(Why::NotModelled(what)) => Said::Unknown(what.to_owned()),
        Answer::Unknown(why) => Said::Unknown(why.name().to_owned()),
    };
    Reply { said, microseconds, counted: solving.take_work().as_micros() as u64 }
}

/// The names of the operators of a query, each once.
fn operators(plan: &Plan<'_>) -> String {
    let names: BTreeSet<String> = plan
        .registers()
        .filter_map(|register| {
            let operator = plan.operator(register);
            let written = format!("{operator:?}");
            // Of inputs only the sort is of interest, and constants are left out.
            // tidy: all others are written by their names
            match operator {
                Operator::Input(_, sort) => Some(format!("Input {sort:?}")),
                _ => plan
                    .terms()
                    .constant_value(plan.term(register))
                    .is_none()
                    .then(|| written.split('(').next().unwrap_or_default().to_owned()),
            }
        })
        .collect();
    names.into_iter().collect::<Vec<_>>().join(" ")
}
