//! Queries to solvers and their answers, and the table of solvers.
//!
//! [`Solving`] is what stands before a solver: it leaves out what a query does not depend on, remembers answers, and
//! evaluates every model before anyone believes it.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fmt;
use std::fmt::Write as _;
use std::time::Duration;

use bytecode::lookup::Lookup;
use testcase::clock::Clock;

use crate::solvers;
use crate::term::{InputId, Model, Operator, Plan, Register, TermId, Terms, Value};

/// A solver.
pub trait Solver: fmt::Debug + Send {
    /// Does what may be refused later, where the process gives up rights: starts another one. What is not done here is done with the
    /// first problem.
    fn prepare(&mut self) {}

    /// Looks for values of the inputs under which all conditions hold.
    fn solve(&mut self, problem: &Problem<'_>) -> Answer;
}

/// A row of the table of solvers.
#[derive(Debug, Clone, Copy)]
pub struct SolverEntry {
    /// What it is called.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub about: &'static str,
    /// Makes one.
    pub make: fn() -> Box<dyn Solver>,
}

/// All solvers; the first is the default.
pub const SOLVERS: [SolverEntry; 4] =
    [solvers::built_in::ENTRY, solvers::search::ENTRY, solvers::bit_blasting::ENTRY, solvers::smt_lib::ENTRY];

/// A solver that is installed and reads SMT-LIB: z3, cvc5 or bitwuzla, by the name of its program, or whichever is found first; with a
/// limit for each query, which its row of the table sets to a second. One that is not there answers nothing.
pub fn installed(program: Option<&str>, limit: Duration) -> Box<dyn Solver> {
    solvers::smt_lib::installed(program, limit)
}

/// A query as solvers that read SMT-LIB get it, without what it does not depend on; what it cannot say otherwise.
pub fn in_smt_lib(query: &Query<'_>) -> Result<String, &'static str> {
    let conditions = cone(query).unwrap_or_default();
    solvers::smt_lib::written(&Plan::new(query.terms, &conditions))
}

/// How much a solver may do. Steps and conflicts make runs repeat; time is the second line.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Evaluations of the conditions by a search.
    pub steps: u64,
    /// Conflicts of a SAT solver on a circuit of some thousand gates; on larger ones as many fewer.
    pub conflicts: u64,
    /// When to stop in any case.
    pub deadline: Option<Deadline>,
}

impl Default for Limits {
    /// As much as takes about a second.
    fn default() -> Self {
        Self { steps: 40_000, conflicts: 40_000, deadline: None }
    }
}

/// A moment at which to stop.
#[derive(Debug, Clone, Copy)]
pub struct Deadline {
    /// The clock.
    pub clock: Clock,
    /// A moment on it.
    pub at: Duration,
}

impl Limits {
    /// Whether the deadline has passed.
    pub fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| deadline.clock.now() >= deadline.at)
    }
}

/// What solvers did, by what it takes on a usual machine: counted and not measured, so that runs repeat.
#[derive(Debug, Default)]
pub struct Work {
    nanoseconds: Cell<u64>,
}

impl Work {
    /// Counts so many things that take so many nanoseconds each.
    pub fn count(&self, things: u64, nanoseconds: u64) {
        self.nanoseconds.set(self.nanoseconds.get().saturating_add(things.saturating_mul(nanoseconds)));
    }

    /// What was counted.
    pub fn time(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds.get())
    }
}

/// A question: which inputs make all conditions hold?
#[derive(Debug, Clone, Copy)]
pub struct Query<'q> {
    /// The pool of the terms.
    pub terms: &'q Terms,
    /// Terms of sort Bool. The last one is the one wanted; the others hold for the seed.
    pub conditions: &'q [TermId],
    /// The values of the inputs in the recorded run.
    pub seed: &'q Model,
    /// How much may be done.
    pub limits: Limits,
}

/// What a solver gets: a query without what it does not depend on.
#[derive(Debug, Clone, Copy)]
pub struct Problem<'q> {
    /// The pool of the terms.
    pub terms: &'q Terms,
    /// Terms of sort Bool, none of them a constant.
    pub conditions: &'q [TermId],
    /// The values of the inputs in the recorded run.
    pub seed: &'q Model,
    /// How much may be done.
    pub limits: Limits,
    /// Counts what is done.
    pub work: &'q Work,
}

impl Problem<'_> {
    /// Whether a model makes all conditions hold.
    pub fn holds(&self, model: &Model) -> bool {
        let plan = Plan::new(self.terms, self.conditions);
        let values = plan.run(model);
        plan.roots().iter().all(|root| values[root.index()].truth())
    }
}

/// What a solver says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Values under which all conditions hold. From a [`Solver`] these are values of the inputs that the conditions depend
    /// on; from [`Solving`] also those of the seed for all others.
    Model(Model),
    /// There are none.
    Unsatisfiable,
    /// It could not be found out.
    Unknown(Why),
}

/// Why a solver has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// All steps are spent.
    Steps,
    /// All conflicts are spent.
    Conflicts,
    /// The deadline has passed.
    Time,
    /// The problem is too large to be encoded.
    TooLarge,
    /// There is no model with texts as short as were tried.
    Bounded,
    /// An operator that the solver does not model.
    NotModelled(&'static str),
    /// The solver returned a model under which a condition does not hold.
    WrongModel,
    /// The solver does not run here.
    Absent,
}

impl Why {
    /// In a word or two.
    pub fn name(self) -> &'static str {
        match self {
            Self::Steps => "steps",
            Self::Conflicts => "conflicts",
            Self::Time => "time",
            Self::TooLarge => "too large",
            Self::Bounded => "bounded texts",
            Self::NotModelled(_) => "operator",
            Self::WrongModel => "wrong model",
            Self::Absent => "no solver",
        }
    }
}

/// A solver with what stands before it.
#[derive(Debug)]
pub struct Solving {
    solver: Box<dyn Solver>,
    cache: Lookup<String, Cached>,
    defects: u64,
    hits: u64,
    /// Since it was taken.
    work: Duration,
}

#[derive(Debug)]
struct Cached {
    answer: CachedAnswer,
    steps: u64,
    conflicts: u64,
}

/// An answer without the numbers of inputs.
#[derive(Debug)]
enum CachedAnswer {
    /// Values of the inputs in the order of the normal form.
    Values(Vec<Value>),
    Unsatisfiable,
    Unknown(Why),
}

impl Solving {
    /// With a solver of the table.
    pub fn new(entry: &SolverEntry) -> Self {
        Self::with((entry.make)())
    }

    /// With any solver.
    pub fn with(solver: Box<dyn Solver>) -> Self {
        Self { solver, cache: Lookup::new(), defects: 0, hits: 0, work: Duration::ZERO }
    }

    /// How many models did not hold. They were not returned.
    pub fn defects(&self) -> u64 {
        self.defects
    }

    /// How many answers were remembered.
    pub fn hits(&self) -> u64 {
        self.hits
    }

    /// What was done since this was last asked for.
    pub fn take_work(&mut self) -> Duration {
        std::mem::take(&mut self.work)
    }

    /// Answers a query. Inputs that the wanted condition does not depend on keep the values of the seed.
    pub fn solve(&mut self, query: &Query<'_>) -> Answer {
        let Some(conditions) = cone(query) else { return Answer::Unsatisfiable };
        if conditions.is_empty() {
            return Answer::Model(query.seed.clone());
        }
        let Query { terms, seed, limits, .. } = *query;
        let work = Work::default();
        let problem = Problem { terms, conditions: &conditions, seed, limits, work: &work };
        let (normal_form, inputs) = normal_form(&problem);
        if let Some(answer) = self.remembered(&normal_form, &inputs, &problem) {
            return answer;
        }
        let answer = match self.solver.solve(&problem) {
            Answer::Model(found) => {
                let model = query.seed.with(&found);
                if problem.holds(&model) {
                    Answer::Model(model)
                } else {
                    self.defects += 1;
                    tracing::warn!(solver = ?self.solver, "a model does not hold");
                    Answer::Unknown(Why::WrongModel)
                }
            }
            Answer::Unsatisfiable => Answer::Unsatisfiable,
            Answer::Unknown(why) => Answer::Unknown(why),
        };
        self.work += work.time();
        self.remember(normal_form, &inputs, &answer, &query.limits);
        answer
    }

    fn remembered(&mut self, normal_form: &str, inputs: &[InputId], problem: &Problem<'_>) -> Option<Answer> {
        let cached = self.cache.get(normal_form)?;
        let answer = match &cached.answer {
            CachedAnswer::Values(values) => {
                let found = inputs.iter().copied().zip(values.iter().cloned()).collect();
                let model = problem.seed.with(&found);
                problem.holds(&model).then_some(Answer::Model(model))?
            }
            CachedAnswer::Unsatisfiable => Answer::Unsatisfiable,
            CachedAnswer::Unknown(why) => {
                let limits = &problem.limits;
                let is_less = limits.steps <= cached.steps && limits.conflicts <= cached.conflicts;
                is_less.then_some(Answer::Unknown(*why))?
            }
        };
        self.hits += 1;
        Some(answer)
    }

    fn remember(&mut self, normal_form: String, inputs: &[InputId], answer: &Answer, limits: &Limits) {
        let answer = match answer {
            Answer::Model(model) => {
                CachedAnswer::Values(inputs.iter().filter_map(|&input| model.get(input).cloned()).collect())
            }
            Answer::Unsatisfiable => CachedAnswer::Unsatisfiable,
            // The machine may be less busy next time.
            Answer::Unknown(Why::Time) => return,
            Answer::Unknown(why) => CachedAnswer::Unknown(*why),
        };
        // A model names the inputs that it was asked for, so that values and inputs go in pairs.
        let is_whole = !matches!(&answer, CachedAnswer::Values(values) if values.len() < inputs.len());
        if is_whole {
            let cached = Cached { answer, steps: limits.steps, conflicts: limits.conflicts };
            self.cache.insert(normal_form, cached);
        }
    }
}

/// The conditions that share inputs with the wanted one, directly or through others, without those that always hold;
/// `None` if one never holds.
fn cone(query: &Query<'_>) -> Option<Vec<TermId>> {
    let mut unique: Vec<TermId> = Vec::new();
    let mut known = BTreeSet::new();
    for &condition in query.conditions.iter().rev() {
        // tidy: the question is whether it is a constant
        match query.terms.operator(condition) {
            Operator::Bool(true) => {}
            Operator::Bool(false) => return None,
            _ => {
                if known.insert(condition) {
                    unique.push(condition);
                }
            }
        }
    }
    let is_wanted_constant =
        query.conditions.last().is_none_or(|&last| query.terms.operator(last).is_constant());
    if is_wanted_constant {
        return Some(Vec::new());
    }
    let inputs: Vec<Vec<InputId>> = unique
        .iter()
        .map(|&condition| {
            let plan = Plan::new(query.terms, &[condition]);
            plan.inputs().iter().map(|&(input, _, _)| input).collect()
        })
        .collect();
    let mut reached: BTreeSet<InputId> = inputs[0].iter().copied().collect();
    let mut is_taken = vec![false; unique.len()];
    is_taken[0] = true;
    loop {
        let before = reached.len();
        for place in 0..unique.len() {
            if !is_taken[place] && inputs[place].iter().any(|input| reached.contains(input)) {
                is_taken[place] = true;
                reached.extend(&inputs[place]);
            }
        }
        if reached.len() == before {
            break;
        }
    }
    let mut taken: Vec<TermId> = unique
        .into_iter()
        .zip(is_taken)
        .filter(|&(_, is_taken)| is_taken)
        .map(|(condition, _)| condition)
        .collect();
    taken.reverse();
    Some(taken)
}

/// The conditions written down so that equal problems of different pools and inputs read the same, and the inputs in the
/// order in which they come up: terms are numbered as a walk leaves them that goes through operands in their order.
fn normal_form(problem: &Problem<'_>) -> (String, Vec<InputId>) {
    let plan = Plan::new(problem.terms, problem.conditions);
    let mut text = String::new();
    let mut inputs = Vec::new();
    let mut numbers: Vec<Option<usize>> = vec![None; plan.len()];
    let mut count = 0;
    let mut open: Vec<Register> = plan.roots().iter().rev().copied().collect();
    while let Some(&register) = open.last() {
        if numbers[register.index()].is_some() {
            open.pop();
            continue;
        }
        let before = open.len();
        let operands = plan.operands(register).iter().rev();
        open.extend(operands.filter(|operand| numbers[operand.index()].is_none()));
        if open.len() > before {
            continue;
        }
        // tidy: the others are written as they are
        let written = match plan.operator(register) {
            Operator::Input(input, sort) => {
                inputs.push(input);
                write!(text, "input {sort:?}")
            }
            Operator::Text(constant) => write!(text, "{:?}", problem.terms.units(constant)),
            Operator::Matches(pattern) => {
                let (expression, number) = problem.terms.pattern(pattern).expression();
                write!(text, "matches {expression:?} {number}")
            }
            operator => write!(text, "{operator:?}"),
        };
        written.expect("a string takes what is written");
        for operand in plan.operands(register) {
            write!(text, " {}", numbers[operand.index()].unwrap_or(0))
                .expect("a string takes what is written");
        }
        text.push('\n');
        numbers[register.index()] = Some(count);
        count += 1;
    }
    for root in plan.roots() {
        write!(text, "{} ", numbers[root.index()].unwrap_or(0)).expect("a string takes what is written");
    }
    (text, inputs)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicUsize;
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;
    use crate::term::Sort;

    /// Says the same every time, and counts.
    #[derive(Debug)]
    struct Fixed(Answer, Arc<AtomicUsize>);

    impl Solver for Fixed {
        fn solve(&mut self, problem: &Problem<'_>) -> Answer {
            self.1.fetch_add(problem.conditions.len(), Relaxed);
            self.0.clone()
        }
    }

    /// `x > 5`, `y > 6`, `z > y` of three `int` inputs from a number on.
    fn conditions(terms: &mut Terms, first: u32) -> Vec<TermId> {
        let inputs: Vec<TermId> =
            (first..first + 3).map(|number| terms.input(InputId(number), Sort::Bits(32))).collect();
        let (five, six) = (terms.int(5), terms.int(6));
        [(five, inputs[0]), (six, inputs[1]), (inputs[1], inputs[2])]
            .map(|(low, high)| terms.apply(Operator::SignedLess, &[low, high]))
            .to_vec()
    }

    fn model(values: &[(u32, i32)]) -> Model {
        values.iter().map(|&(input, value)| (InputId(input), Value::int(value))).collect()
    }

    #[test]
    fn conditions_on_other_inputs_are_left_out_and_answers_remembered() {
        let mut terms = Terms::new();
        let first = conditions(&mut terms, 0);
        let second = conditions(&mut terms, 10);
        let asked = Arc::default();
        let answer = Answer::Model(model(&[(1, 7), (2, 8)]));
        let mut solving = Solving::with(Box::new(Fixed(answer, Arc::clone(&asked))));
        let seed = model(&[(0, 99), (1, 7), (2, 0)]);
        let query = Query { terms: &terms, conditions: &first, seed: &seed, limits: Limits::default() };
        assert_eq!(solving.solve(&query), Answer::Model(model(&[(0, 99), (1, 7), (2, 8)])));
        assert_eq!(asked.load(Relaxed), 2);
        let seed = model(&[(10, 98)]);
        let query = Query { terms: &terms, conditions: &second, seed: &seed, limits: Limits::default() };
        assert_eq!(solving.solve(&query), Answer::Model(model(&[(10, 98), (11, 7), (12, 8)])));
        assert_eq!((asked.load(Relaxed), solving.hits(), solving.defects()), (2, 1, 0));
    }

    #[test]
    fn a_model_that_does_not_hold_is_not_returned() {
        let mut terms = Terms::new();
        let conditions = conditions(&mut terms, 0);
        let answer = Answer::Model(model(&[(1, 7), (2, 7)]));
        let mut solving = Solving::with(Box::new(Fixed(answer, Arc::default())));
        let seed = Model::new();
        let query = Query { terms: &terms, conditions: &conditions, seed: &seed, limits: Limits::default() };
        assert_eq!(solving.solve(&query), Answer::Unknown(Why::WrongModel));
        assert_eq!(solving.defects(), 1);
    }

    #[test]
    fn what_is_decided_already_needs_no_solver() {
        let mut terms = Terms::new();
        let (no, yes) = (terms.bool(false), terms.bool(true));
        let answer = Answer::Unknown(Why::Absent);
        let mut solving = Solving::with(Box::new(Fixed(answer, Arc::default())));
        let seed = model(&[(0, 1)]);
        for (conditions, expected) in
            [([yes, no], Answer::Unsatisfiable), ([yes, yes], Answer::Model(seed.clone()))]
        {
            let query =
                Query { terms: &terms, conditions: &conditions, seed: &seed, limits: Limits::default() };
            assert_eq!(solving.solve(&query), expected);
        }
    }
}
