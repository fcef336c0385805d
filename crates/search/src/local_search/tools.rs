//! What improves tests: the operators and the test searches of the caller, each with what came of it. One that does not pay is
//! tried less and less.
//!
//! # Differences
//! The papers have one probability for local search as a whole. Here each operator and each test search has one besides
//! ([`super::options::LocalSearchOptions::operator_adaptation`], 1 in the papers' set-ups).

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::climb::{Climb, Used};
use super::options::LocalSearchOptions;
use super::purse::{Earnings, Purse};
use super::test_search::TestSearch;
use super::{LOCAL_SEARCHES, LocalSearch};

/// What an operator, a test search, or local search as a whole did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Applied {
    /// Tests that were to be improved; for suites, individuals where it is local search as a whole.
    pub tried: u64,
    /// Those of them that were.
    pub improved: u64,
    /// Goals that were covered by it.
    pub covered: u64,
    /// Executions that it took.
    pub executions: u64,
    /// Time that it took.
    pub time: Duration,
}

impl Applied {
    /// Adds what another one did.
    fn add(&mut self, other: Self) {
        self.tried += other.tried;
        self.improved += other.improved;
        self.covered += other.covered;
        self.executions += other.executions;
        self.time += other.time;
    }

    /// Adds what was used and covered between two moments.
    pub(crate) fn add_between(&mut self, before: Used, after: Used) {
        self.covered += after.covered.saturating_sub(before.covered);
        self.executions += after.executions.saturating_sub(before.executions);
        self.time += after.time.saturating_sub(before.time);
    }
}

/// What an operator or a test search did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AppliedTool {
    /// Its name.
    pub name: String,
    /// What came of it.
    pub applied: Applied,
}

impl AppliedTool {
    /// What two searches did together, in the order of the first.
    pub fn together(one: &[Self], other: &[Self]) -> Vec<Self> {
        let mut all = one.to_vec();
        for tool in other {
            match all.iter_mut().find(|known| known.name == tool.name) {
                Some(known) => known.applied.add(tool.applied),
                None => all.push(tool.clone()),
            }
        }
        all
    }
}

/// The two kinds of tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// What changes a statement: [`LOCAL_SEARCHES`].
    Operators,
    /// What changes a test as a whole: [`super::test_search::TEST_SEARCHES`].
    Searches,
}

/// The operators and the test searches.
#[derive(Debug)]
pub(crate) struct Tools<'a> {
    /// Of each operator, in the order of [`LOCAL_SEARCHES`].
    operators: Vec<Record>,
    searches: Vec<(Box<dyn TestSearch + 'a>, Record)>,
    earnings: Earnings,
    /// What operators may use in vain, and test searches.
    purses: [Purse; 2],
}

/// What is known of an operator or a test search.
#[derive(Debug, Clone, Copy)]
struct Record {
    applied: Applied,
    /// Probability that it is tried on the next test.
    probability: f64,
    /// Whether it is tried on this test.
    is_on: bool,
    /// Whether this test has something that it changes.
    has_run: bool,
    /// Whether this test got better by it, or something was covered.
    has_helped: bool,
}

impl Record {
    const fn new() -> Self {
        Self {
            applied: Applied { tried: 0, improved: 0, covered: 0, executions: 0, time: Duration::ZERO },
            probability: 1.0,
            is_on: false,
            has_run: false,
            has_helped: false,
        }
    }

    /// Draws whether it is tried on a test; no chance is used up by what is certain.
    fn begin(&mut self, is_allowed: bool, climb: &mut Climb<'_>) {
        (self.has_run, self.has_helped) = (false, false);
        self.is_on = is_allowed && (self.probability >= 1.0 || climb.chance(self.probability));
    }

    /// Applies it, and counts what came of that.
    fn run(&mut self, climb: &mut Climb<'_>, improve: impl FnOnce(&mut Climb<'_>)) {
        let (before, improvements) = (climb.used(), climb.improvements());
        improve(climb);
        let after = climb.used();
        self.has_run = true;
        self.has_helped |= climb.improvements() > improvements || after.covered > before.covered;
        self.applied.add_between(before, after);
    }

    /// The probability follows success.
    fn end(&mut self, options: &LocalSearchOptions) {
        if !self.has_run {
            return;
        }
        self.applied.tried += 1;
        self.applied.improved += u64::from(self.has_helped);
        let by = options.operator_adaptation;
        let adapted = if self.has_helped { self.probability * by } else { self.probability / by };
        self.probability = adapted.clamp(options.least_operator_probability.min(1.0), 1.0);
    }
}

impl<'a> Tools<'a> {
    /// All operators, and the test searches of the caller; nothing done yet.
    pub(crate) fn new(searches: Vec<Box<dyn TestSearch + 'a>>) -> Self {
        let operators = vec![Record::new(); LOCAL_SEARCHES.len()];
        let searches = searches.into_iter().map(|search| (search, Record::new())).collect();
        Self { operators, searches, earnings: Earnings::default(), purses: [Purse::default(); 2] }
    }

    /// Earns what may be used in vain, after so large a share of the budget with so many covered goals.
    pub(crate) fn earn(&mut self, used: f64, covered: u64, options: &LocalSearchOptions) {
        let earned = self.earnings.since(used, covered, options);
        self.purses.iter_mut().for_each(|purse| purse.earn(earned));
    }

    /// What tools of a kind may use in vain; `None` if they may not begin.
    pub(crate) fn allowed(&self, kind: Kind, options: &LocalSearchOptions) -> Option<f64> {
        let purse = &self.purses[kind as usize];
        let is_bounded = options.most_in_vain < 1.0;
        let allowed = if is_bounded { purse.is_open().then(|| purse.allows()) } else { Some(1.0) };
        allowed.filter(|_| self.has(kind, options))
    }

    /// In which share of the budget the search covers so many goals of late.
    pub(crate) fn worth(&self, covered: u64) -> f64 {
        self.earnings.worth(covered)
    }

    /// Takes off what was used since a moment, less what the goals that were covered are worth.
    fn pay(&mut self, kind: Kind, before: Used, climb: &Climb<'_>) {
        let after = climb.used();
        let worth = self.worth(after.covered.saturating_sub(before.covered));
        self.purses[kind as usize].pay(after.share - before.share - worth);
    }

    /// Whether a tool of a kind is on.
    pub(crate) fn has(&self, kind: Kind, options: &LocalSearchOptions) -> bool {
        match kind {
            Kind::Operators => LOCAL_SEARCHES.iter().any(|operator| is_on(*operator, options)),
            Kind::Searches => self.searches.iter().any(|(search, _)| options.operators.has(search.name())),
        }
    }

    /// Improves a test statement by statement, the last one first (000 §4.1), up to the one at which its run ended, by all
    /// operators that are on. `is_meant` says which statements.
    ///
    /// # Differences
    /// The paper looks at all statements: what stands behind the one that threw never ran, and no change of it shows.
    pub(crate) fn improve(&mut self, climb: &mut Climb<'_>, is_meant: impl Fn(usize) -> bool) {
        let (options, before) = (climb.options(), climb.used());
        for (operator, record) in LOCAL_SEARCHES.iter().zip(&mut self.operators) {
            let is_allowed = is_on(*operator, options) && (climb.is_thorough() || !operator.is_ours());
            record.begin(is_allowed, climb);
        }
        for position in (0..climb.begun()).rev().filter(|position| is_meant(*position)) {
            for (operator, record) in LOCAL_SEARCHES.iter().zip(&mut self.operators) {
                if record.is_on && !climb.is_over() && applies(*operator, position, climb) {
                    record.run(climb, |climb| operator.improve(position, climb));
                }
            }
        }
        self.operators.iter_mut().for_each(|record| record.end(options));
        self.pay(Kind::Operators, before, climb);
    }

    /// Has a test changed as a whole by the test searches that are on.
    pub(crate) fn search(&mut self, climb: &mut Climb<'_>) {
        let (options, before) = (climb.options(), climb.used());
        for (search, record) in &mut self.searches {
            record.begin(options.operators.has(search.name()), climb);
            if record.is_on && !climb.is_over() {
                record.run(climb, |climb| search.improve(climb));
            }
            record.end(options);
        }
        self.pay(Kind::Searches, before, climb);
    }

    /// What came of each that did anything, operators first.
    pub(crate) fn applied(&self) -> Vec<AppliedTool> {
        let operators = LOCAL_SEARCHES.iter().map(|operator| operator.name()).zip(&self.operators);
        let searches = self.searches.iter().map(|(search, record)| (search.name(), record));
        let tried = operators.chain(searches).filter(|(_, record)| record.applied.tried > 0);
        tried.map(|(name, record)| AppliedTool { name: name.to_owned(), applied: record.applied }).collect()
    }
}

/// Whether options allow an operator.
pub(super) fn is_on(operator: &dyn LocalSearch, options: &LocalSearchOptions) -> bool {
    options.operators.has(operator.name()) && (options.extended || !operator.is_ours())
}

/// Whether an operator changes statements as the one at this position.
pub(super) fn applies(operator: &dyn LocalSearch, position: usize, climb: &Climb<'_>) -> bool {
    climb.test().statements().get(position).is_some_and(|statement| operator.applies(statement))
}

#[cfg(test)]
mod tests {
    use testcase::cluster::TestCluster;
    use testcase::statement::Statement;
    use testcase::test_case::TestCase;
    use testcase::value::Value;

    use super::super::options::Operators;
    use super::super::testing::Hill;
    use super::*;

    /// Sets the first number of a test to 7 where it is told to, and counts how often it is asked.
    #[derive(Debug)]
    struct Seven<'a> {
        asked: &'a std::cell::Cell<u32>,
        finds: bool,
    }

    impl TestSearch for Seven<'_> {
        fn name(&self) -> &'static str {
            "symbolic-execution"
        }

        fn improve(&mut self, climb: &mut Climb<'_>) {
            self.asked.set(self.asked.get() + 1);
            if self.finds {
                climb.attempt(climb.with_value(0, Value::Int(7)));
            }
        }
    }

    fn numbers(values: &[i32]) -> TestCase {
        let number = |&value: &i32| Statement::Primitive { value: Value::Int(value), boxed: false };
        TestCase::new(values.iter().map(number).collect())
    }

    /// How often a test search is asked in so many tests, and what is told of it.
    fn asked(finds: bool, tests: u32, change: impl Fn(&mut LocalSearchOptions)) -> (u32, Vec<AppliedTool>) {
        let asked = std::cell::Cell::new(0);
        let mut tools = Tools::new(vec![Box::new(Seven { asked: &asked, finds })]);
        let cluster = TestCluster::default();
        let mut random = testcase::random::Random::new(5, 0);
        for _ in 0..tests {
            let mut hill = Hill::of_value(&Value::Int(0), |value| {
                1.0 + f64::from(u8::from(value.as_integer() != Some(7)))
            });
            hill.draw_from(&mut random);
            let mut options = LocalSearchOptions::default();
            change(&mut options);
            tools.search(&mut Climb::new(numbers(&[0]), &mut hill, &cluster, &options));
        }
        (asked.get(), tools.applied())
    }

    #[test]
    fn a_test_search_that_does_not_pay_is_tried_less_and_less() {
        let (often, told) = asked(true, 200, |_| ());
        assert_eq!((often, told[0].applied.tried, told[0].applied.improved), (200, 200, 200));
        let (seldom, told) = asked(false, 200, |_| ());
        assert!((5..60).contains(&seldom), "{seldom}");
        assert_eq!((told[0].applied.tried, told[0].applied.improved), (u64::from(seldom), 0));
        // As in the papers, which know no such probability.
        assert_eq!(asked(false, 200, |options| options.operator_adaptation = 1.0).0, 200);
        assert_eq!(asked(true, 9, |options| options.operators = Operators::parse("arrays").unwrap()).0, 0);
    }

    #[test]
    fn what_two_searches_did_adds_up_by_name() {
        let told = |name: &str, tried| {
            let applied = Applied { tried, time: Duration::from_secs(tried), ..Applied::default() };
            AppliedTool { name: name.to_owned(), applied }
        };
        let sum = AppliedTool::together(&[told("a", 1), told("b", 2)], &[told("c", 4), told("b", 3)]);
        assert_eq!(sum, [told("a", 1), told("b", 5), told("c", 4)]);
    }

    #[test]
    fn each_operator_has_its_own_account() {
        let mut tools = Tools::new(Vec::new());
        let cluster = TestCluster::default();
        for wanted in [5, -90] {
            let mut hill = Hill::of_value(&Value::Int(0), move |value| {
                value.as_integer().unwrap().abs_diff(wanted) as f64
            });
            let options = hill.options.clone();
            tools.improve(&mut Climb::new(numbers(&[0]), &mut hill, &cluster, &options), |_| true);
        }
        let told = tools.applied();
        assert_eq!(told.len(), 1, "{told:?}");
        assert_eq!((told[0].name.as_str(), told[0].applied.improved), ("integers", 2));
    }

    #[test]
    fn only_the_statements_that_are_meant_are_changed() {
        let mut tools = Tools::new(Vec::new());
        let cluster = TestCluster::default();
        let sum = |test: &TestCase| {
            super::super::testing::values(test)
                .iter()
                .map(|value| (value.as_integer().unwrap() - 3).abs())
                .sum::<i64>()
        };
        let mut hill = Hill::new(numbers(&[0, 0]), move |test| sum(test) as f64);
        let options = hill.options.clone();
        let mut climb = Climb::new(numbers(&[0, 0]), &mut hill, &cluster, &options);
        tools.improve(&mut climb, |position| position == 1);
        assert_eq!(*climb.test(), numbers(&[0, 3]));
    }
}
