//! Further tests for mutants that tests infect and that none kills.
//!
//! A test is kept for a mutant because it infects it, and minimization takes out all that is not needed for that: often the
//! call in which the difference would have shown. The search aimed at tests that kill mutants (Panichella, Kifetew and Tonella
//! 2018, Equation 9): those of mutants that live are taken, as short as they can be. What is left then is looked for once more:
//! tests that infect live mutants are varied, and what kills one is kept; what is missing there is mostly one more call.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use coverage::goal::GoalId;
use testcase::assertable::still_shows;
use testcase::assertion::ObservationPoint;
use testcase::cluster::TestCluster;
use testcase::execution::{ExecutionResult, Executor, Outcome, ThrowOrigin, Thrown, Touched};
use testcase::run_request::RunRequest;
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::Value;

use super::beginnings::asserted_objects;
use super::generator::{AssertionGenerator, KnownAssertions};
use super::mutants::{Mutant, kills_of};
use super::oracles::Oracles;
use super::telling::{Numbers, telling};
use crate::asserted_test::AssertedTest;
use crate::minimize::anything;
use crate::minimize::roles::{is_named, named};
use crate::minimize::scripts::shorter_scripts;
use crate::minimize::statements::literal;
use crate::minimize::values::{alike_before, plainer, spelled};
use crate::minimize::{MinimizeOptions, MinimizedTest};

/// Rounds in which each test is varied once, or as often as it infects live mutants, up to [`MOST_IN_ROUND`].
const ROUNDS: usize = 12;
/// Variations of one test in a round.
const MOST_IN_ROUND: usize = 3;
/// Mutants that a variation runs at most.
const MOST_MUTANTS: usize = 12;
/// Mutants of one method that a test is kept for at most.
const MOST_OF_METHOD: usize = 48;
/// Mutants that a test runs beside those that it is for.
const MOST_OTHERS: usize = 48;
/// Tests varied for one mutant: those with the fewest statements. What these do not show is hardly shown by a longer one.
const MOST_TESTS: usize = 3;

/// Plainer values and shorter scripts that are tried in one test.
const MOST_PLAINER: usize = 48;

/// Proposes tests.
pub trait Variations: std::fmt::Debug {
    /// A test like this one with something more in it, or something else; `None` where nothing comes to mind.
    fn vary(&mut self, test: &TestCase) -> Option<TestCase>;
}

/// Nothing is proposed.
impl Variations for () {
    fn vary(&mut self, _: &TestCase) -> Option<TestCase> {
        None
    }
}

/// The search for tests that kill what lives.
pub(super) struct Pursuit<'a> {
    /// Chooses assertions.
    pub oracles: &'a Oracles<'a>,
    pub variations: &'a mut dyn Variations,
    pub executor: &'a mut dyn Executor,
    /// What runs are told in.
    pub result: &'a mut ExecutionResult,
    pub may_continue: &'a mut dyn FnMut() -> bool,
}

impl Pursuit<'_> {
    /// Tests that the search found to kill some of these mutants, each with which: what they kill of those that are open, with
    /// assertions that do so. Each is about one method: it kills all that it can there, since the search keeps the shortest test of
    /// each mutant, which is seldom the one that kills most, and it is as short as it can be for that. What it kills elsewhere comes
    /// free.
    pub(super) fn found(
        &mut self,
        found: &[(&TestCase, Vec<Mutant>)],
        open: &mut BTreeSet<GoalId>,
    ) -> Vec<AssertedTest> {
        let all: Vec<Mutant> = found.iter().flat_map(|(_, mutants)| still(mutants, open)).collect();
        let mut kept: Vec<AssertedTest> = Vec::new();
        for (test, mutants) in self.by_method(found, &all) {
            for mutants in mutants.chunks(MOST_OF_METHOD) {
                let mutants = still(mutants, open);
                if mutants.is_empty() {
                    continue;
                }
                if !(self.may_continue)() {
                    return kept;
                }
                let Some(killing) = self.killing(test.clone(), &mutants, &still(&all, open)) else {
                    continue;
                };
                killing.goals.iter().for_each(|goal| _ = open.remove(goal));
                if !is_among(&killing.test, &kept) {
                    kept.push(killing);
                }
            }
        }
        kept
    }

    /// Tests up to the accident that ends them, as they are and with telling numbers, each with the mutants of one method that it is
    /// kept for and others of `all` that it infects there; those that infect most first, and of these those that tell most.
    fn by_method(
        &mut self,
        found: &[(&TestCase, Vec<Mutant>)],
        all: &[Mutant],
    ) -> Vec<(TestCase, Vec<Mutant>)> {
        let goals = self.oracles.killer.goals;
        let method = |mutant: &Mutant| {
            let goal = goals.goal(mutant.0);
            (&goal.class, &goal.method)
        };
        let mut tests = Vec::new();
        let with_variants = found.iter().filter(|(_, own)| !own.is_empty()).flat_map(|(test, own)| {
            let telling = Numbers::ALL.into_iter().filter_map(|numbers| telling(test, numbers));
            let variants = telling.map(move |test| (test, own, true));
            variants.chain(std::iter::once(((*test).clone(), own, false)))
        });
        for (test, own, tells) in with_variants {
            if !(self.may_continue)() {
                break;
            }
            let before = self.before_accident(&test);
            self.executor.execute(&before, &RunRequest::default(), self.result);
            let trace = &self.result.trace;
            let infected = all.iter().filter(|(_, infection)| trace.distance(*infection) == 0.0);
            let mut of_methods: BTreeMap<_, Vec<Mutant>> = BTreeMap::new();
            for mutant in own {
                of_methods.entry(method(mutant)).or_default().push(*mutant);
            }
            for mutant in infected {
                if let Some(mutants) = of_methods.get_mut(&method(mutant))
                    && !mutants.contains(mutant)
                {
                    mutants.push(*mutant);
                }
            }
            tests.extend(of_methods.into_values().map(|mutants| (before.clone(), mutants, tells)));
        }
        tests.sort_by_key(|(test, mutants, tells)| (Reverse(mutants.len()), !tells, test.len()));
        tests.into_iter().map(|(test, mutants, _)| (test, mutants)).collect()
    }

    /// Adds to the goals of a test all wanted ones that it covers on its way, but for mutants that are to be killed.
    pub(super) fn tell_covered(&mut self, test: &mut AssertedTest, is_wanted: &dyn Fn(&GoalId) -> bool) {
        let goals = self.oracles.killer.goals;
        self.executor.execute(&test.test, &RunRequest::default(), self.result);
        let mut covered = Vec::new();
        goals.covered(&self.result.trace, &mut covered);
        covered.retain(|goal| is_wanted(goal) && goals.goal(*goal).mutant().is_none());
        test.goals.extend(covered);
        test.goals.sort_unstable();
        test.goals.dedup();
    }

    /// Tests that kill some of the mutants which live so far, by variations of the tests that infect them.
    pub(super) fn tests(&mut self, tests: &[AssertedTest], open: &mut BTreeSet<GoalId>) -> Vec<AssertedTest> {
        let bases = self.bases(tests, open);
        let mut found: Vec<AssertedTest> = Vec::new();
        for _ in 0..ROUNDS {
            for (test, infected) in &bases {
                for _ in 0..still(infected, open).len().min(MOST_IN_ROUND) {
                    if !(self.may_continue)() {
                        return found;
                    }
                    let mut mutants = still(infected, open);
                    mutants.truncate(MOST_MUTANTS);
                    if mutants.is_empty() {
                        break;
                    }
                    let Some(varied) = self.variations.vary(&tests[*test].test) else { continue };
                    if varied == tests[*test].test {
                        continue;
                    }
                    let Some(killing) = self.killing(varied, &mutants, &[]) else { continue };
                    if !is_among(&killing.test, &found) {
                        killing.goals.iter().for_each(|goal| _ = open.remove(goal));
                        found.push(killing);
                    }
                }
            }
        }
        found
    }

    /// The test up to the call that ends it by accident, if one does: that is no end for a test to keep.
    fn before_accident(&mut self, test: &TestCase) -> TestCase {
        let mut before = test.clone();
        self.executor.execute(test, &RunRequest::brief(), self.result);
        if let Outcome::Threw(thrown) = &self.result.outcome
            && !is_meant(thrown)
        {
            before.truncate(thrown.position);
        }
        before
    }

    /// The tests that are varied, with the live mutants that they infect.
    fn bases(&self, tests: &[AssertedTest], live: &BTreeSet<GoalId>) -> Vec<(usize, Vec<Mutant>)> {
        let mut shortest_first: Vec<usize> = (0..tests.len()).collect();
        shortest_first.sort_by_key(|&test| (tests[test].expected.is_some(), tests[test].test.len(), test));
        let mut varied: BTreeMap<GoalId, usize> = BTreeMap::new();
        let mut bases = Vec::new();
        for test in shortest_first {
            let mutants = still(&self.oracles.mutants(&tests[test]), live);
            if mutants.iter().any(|(goal, _)| varied.get(goal).is_none_or(|&times| times < MOST_TESTS)) {
                for (goal, _) in &mutants {
                    *varied.entry(*goal).or_default() += 1;
                }
                bases.push((test, mutants));
            }
        }
        bases
    }

    /// A test that kills what this one can kill of these mutants, with its assertions, and of others what it kills then: calls that are
    /// not needed for these mutants are taken out, all that the last one does not use at once, then the last first. `None` where it kills none
    /// of them, where it is no test to keep ([`Self::bare`]), and where the time is over on the way.
    fn killing(&mut self, test: TestCase, mutants: &[Mutant], others: &[Mutant]) -> Option<AssertedTest> {
        let mut shortest = self.bare(test)?;
        let killed = self.killed(&shortest, mutants)?;
        let mut mutants = mutants.to_vec();
        mutants.retain(|(goal, _)| killed.contains(goal));
        if let Some(bare) = needed_by_the_last(&shortest.test).and_then(|needed| self.bare(needed))
            && self.kills_all(&bare, &mutants)
        {
            shortest = bare;
        }
        shortest = self.shorter(shortest, &mutants)?;
        // What plainer values do not need any more goes as well.
        let plain = self.plain(shortest.clone(), &mutants);
        let plain = if plain == shortest { plain } else { self.shorter(plain, &mutants)? };
        self.executor.execute(&plain.test, &RunRequest::default(), self.result);
        let trace = &self.result.trace;
        let is_new =
            |(goal, infection): &&Mutant| !killed.contains(goal) && trace.distance(*infection) == 0.0;
        mutants.extend(others.iter().filter(is_new).take(MOST_OTHERS));
        let mut killing = self.asserted(&plain, &mutants)?;
        while let Some(shorter) = self.without_last(&killing) {
            killing = shorter;
        }
        Some(killing)
    }

    /// The test without its last statement, if what it asserts then kills the same mutants. Which inspectors are asked depends on the last
    /// call, so a test may have been found by a call that none of its assertions needs.
    fn without_last(&mut self, killing: &AssertedTest) -> Option<AssertedTest> {
        let (killer, goals) = (self.oracles.killer, &killing.goals);
        let asserted = asserted_objects(killing);
        let mut test = killing.test.clone();
        let is_needed = |test: &TestCase| asserted.contains(&VarRef::from(test.len() - 1));
        if killing.expected.is_some() || test.len() < 2 || is_needed(&test) || !(self.may_continue)() {
            return None;
        }
        test.truncate(test.len() - 1);
        let is_input =
            |last: &Statement| matches!(last, Statement::Primitive { .. } | Statement::Null { .. });
        while test.len() > 1 && test.statements().last().is_some_and(is_input) && !is_needed(&test) {
            test.truncate(test.len() - 1);
        }
        let last = VarRef::from(test.len() - 1);
        let mut shorter = AssertedTest { test, ..killing.clone() };
        shorter.assertions.iter_mut().for_each(|assertion| assertion.after = assertion.after.min(last));
        let points =
            shorter.assertions.iter().map(|of| ObservationPoint { after: of.after, target: of.target });
        let seen = self.executor.observe(&shorter.test, &points.collect::<Vec<_>>());
        let mut values = seen.values.iter();
        let (of, lengths) = (shorter.test.clone(), killer.options.lengths);
        shorter.assertions.retain(|it| {
            let value = values.next().and_then(Option::as_ref);
            still_shows(it.target, &it.expected, value, &of, lengths)
        });
        if seen.outcome != Outcome::Passed || shorter.assertions.is_empty() {
            return None;
        }
        let mutants: Vec<Mutant> =
            goals.iter().filter_map(|goal| Some((*goal, self.oracles.infected(*goal)?))).collect();
        let seen = killer.look_at(&shorter, &mutants, Vec::new(), self.executor)?;
        if goals.iter().any(|goal| !seen.kills(*goal)) {
            return None;
        }
        shorter.kills = kills_of(goals, &seen);
        Some(shorter)
    }

    /// The test without what is not needed for killing all of these mutants, the last first; `None` where the time is over on the way: a
    /// test that still holds what it does not need is none to keep.
    fn shorter(&mut self, test: AssertedTest, mutants: &[Mutant]) -> Option<AssertedTest> {
        let mut shortest = test;
        for position in (0..shortest.test.len()).rev() {
            if shortest.test.is_used(VarRef::from(position)) {
                continue;
            }
            if !(self.may_continue)() {
                return None;
            }
            let mut shorter = shortest.test.clone();
            shorter.remove(position);
            let Some(shorter) = self.bare(shorter) else { continue };
            if self.kills_all(&shorter, mutants) {
                shortest = shorter;
            }
        }
        Some(shortest)
    }

    /// The test with plainer values in the place of those that nobody would have written, and stubs that are told less, as far as
    /// it kills all of these mutants so.
    fn plain(&mut self, mut test: AssertedTest, mutants: &[Mutant]) -> AssertedTest {
        for other in self.named(&test.test) {
            if !(self.may_continue)() {
                return test;
            }
            if let Some(other) = self.bare(other)
                && self.kills_all(&other, mutants)
            {
                test = other;
                break;
            }
        }
        if let Some(plainer) = anything::plain(self.oracles.killer.cluster, &test.test)
            && (self.may_continue)()
            && let Some(plainer) = self.bare(plainer)
            && self.kills_all(&plainer, mutants)
        {
            test = plainer;
        }
        let mut attempts = MOST_PLAINER;
        let mut position = 0;
        while position < test.test.len() {
            let mut accepted = None;
            for simpler in simpler(self.oracles.killer.cluster, &test.test, position) {
                if attempts == 0 || !(self.may_continue)() {
                    return test;
                }
                attempts -= 1;
                let Some(simpler) = self.bare(simpler) else { continue };
                if self.kills_all(&simpler, mutants) {
                    accepted = Some(simpler);
                    break;
                }
            }
            // What became simpler may become simpler still, and stand elsewhere once what it needed is gone.
            match accepted {
                Some(simpler) => {
                    position = position.saturating_sub(test.test.len().saturating_sub(simpler.test.len()));
                    test = simpler;
                }
                None => position += 1,
            }
        }
        test
    }

    /// The test with texts that say what they are, and letters in the place of others that nobody would have written; then with letters
    /// alone.
    pub(super) fn named(&self, test: &TestCase) -> Vec<TestCase> {
        let cluster = self.oracles.killer.cluster;
        let named = named(cluster, test);
        let with_letters = named.iter().flat_map(|named| spelled(cluster, named)).next();
        with_letters.or(named).into_iter().chain(spelled(cluster, test)).collect()
    }

    /// Whether assertions of this test could kill all of these mutants: most changes of a test keep it from killing some of the first.
    fn kills_all(&mut self, test: &AssertedTest, mutants: &[Mutant]) -> bool {
        mutants
            .chunks(MOST_MUTANTS)
            .all(|some| self.killed(test, some).is_some_and(|killed| killed.len() == some.len()))
    }

    /// The mutants that assertions of this test could kill; `None` where there is none.
    fn killed(&mut self, test: &AssertedTest, mutants: &[Mutant]) -> Option<BTreeSet<GoalId>> {
        let killer = self.oracles.killer;
        let as_it_is = killer.look_at(test, mutants, Vec::new(), self.executor)?;
        let wide = killer.look_everywhere(test, mutants, &as_it_is, self.executor)?;
        let killed: BTreeSet<GoalId> = wide.killable().collect();
        (!killed.is_empty()).then_some(killed)
    }

    /// The test with what it is about asserted.
    pub(super) fn with_usual_assertions(&mut self, test: &AssertedTest) -> Option<AssertedTest> {
        let killer = self.oracles.killer;
        let generator = AssertionGenerator { cluster: killer.cluster, options: killer.options };
        let minimized =
            MinimizedTest { test: test.test.clone(), thrown: test.expected.clone(), goals: Vec::new() };
        generator.assert_suite(&[minimized], self.executor, &mut KnownAssertions::new(), &mut || true).pop()
    }

    /// The test with what it is about asserted, and what it takes to kill these mutants.
    pub(super) fn asserted(&mut self, test: &AssertedTest, mutants: &[Mutant]) -> Option<AssertedTest> {
        let killer = self.oracles.killer;
        let usual = self.with_usual_assertions(test)?;
        let as_it_is = killer.look_at(&usual, mutants, Vec::new(), self.executor)?;
        let mut open = mutants.to_vec();
        open.retain(|(goal, _)| !as_it_is.kills(*goal));
        let (mut killing, seen) = if open.is_empty() {
            (usual, as_it_is)
        } else {
            let wide = killer.look_everywhere(&usual, &open, &as_it_is, self.executor)?;
            let chosen = wide.cover(&open.iter().map(|(goal, _)| *goal).collect());
            killer.extended(&usual, &wide, &chosen, mutants, self.executor)?
        };
        killing.goals = seen.killed().collect();
        killing.kills = kills_of(&killing.goals, &seen);
        killing.killed.clone_from(&killing.goals);
        (!killing.goals.is_empty()).then_some(killing)
    }

    /// The test without assertions, up to the exception that ends it; `None` where it ends in a way that no test is kept for, and
    /// where it does what another machine may answer otherwise.
    pub(super) fn bare(&mut self, mut test: TestCase) -> Option<AssertedTest> {
        self.executor.execute(&test, &RunRequest::brief(), self.result);
        if self.result.touched.intersects(MinimizeOptions::default().forbidden.union(Touched::THREAD)) {
            return None;
        }
        let expected = match &self.result.outcome {
            Outcome::Passed => None,
            Outcome::Threw(thrown) if is_meant(thrown) => {
                test.truncate(thrown.position + 1);
                Some(thrown.clone())
            }
            Outcome::Threw(_) | Outcome::TimedOut | Outcome::Exited => return None,
        };
        Some(AssertedTest { expected, ..AssertedTest::new(test) })
    }
}

/// The test with a plainer value at a position, with a literal in the place of a call there, or with less told to the stub, most wanted first.
fn simpler(cluster: &TestCluster, test: &TestCase, position: usize) -> Vec<TestCase> {
    let variable = VarRef::from(position);
    let Statement::Primitive { value, .. } = test.statement(variable) else {
        // An answer of a stub goes as a whole.
        let is_answer =
            |statement: &Statement| matches!(statement, Statement::Stub { .. }) && statement.uses(variable);
        let is_passed = test.is_used(variable) && !test.statements().iter().any(is_answer);
        let literals = if is_passed { literal(cluster, test, variable) } else { Vec::new() };
        return literals.into_iter().chain(shorter_scripts(cluster, test, position)).collect();
    };
    if is_named(cluster, test, position) {
        return Vec::new();
    }
    let with = |other: Value| {
        let mut changed = test.clone();
        if let Some(Statement::Primitive { value, .. }) = changed.statements_mut().get_mut(position) {
            *value = other;
        }
        changed
    };
    plainer(cluster, value, alike_before(test, position, value)).into_iter().map(with).collect()
}

/// The test without what its last statement does not use, directly or not; `None` where it uses everything.
fn needed_by_the_last(test: &TestCase) -> Option<TestCase> {
    let mut needed = vec![false; test.len()];
    *needed.last_mut()? = true;
    for position in (0..test.len()).rev() {
        if needed[position] {
            test.statement(VarRef::from(position)).for_each_use(|used| needed[used.index()] = true);
        }
    }
    let mut bare = test.clone();
    for position in (0..test.len()).rev().filter(|&position| !needed[position]) {
        bare.remove(position);
    }
    (bare.len() < test.len()).then_some(bare)
}

/// Those of these mutants that are open.
fn still(mutants: &[Mutant], open: &BTreeSet<GoalId>) -> Vec<Mutant> {
    mutants.iter().filter(|(goal, _)| open.contains(goal)).copied().collect()
}

fn is_among(test: &TestCase, tests: &[AssertedTest]) -> bool {
    tests.iter().any(|known| known.test == *test)
}

/// Whether the code, and no accident, threw this.
fn is_meant(thrown: &Thrown) -> bool {
    thrown.origin == ThrowOrigin::Project
}

#[cfg(test)]
mod tests {
    use bytecode::mutate::operator::MutationOperator;
    use bytecode::probe_map::{Evidence, MutantId, OutcomeId, ProbeId};
    use coverage::goal::{Goal, GoalKind, GoalSet};
    use testcase::assertion::{Assertion, ObservationTarget, ObservedValue};
    use testcase::cluster::TypeId;
    use testcase::cluster::testing::ClusterBuilder;
    use testcase::execution::Observations;

    use super::*;
    use crate::assertion::AssertionOptions;
    use crate::assertion::mutants::MutantKiller;
    use crate::assertion::oracles::SuiteSize;

    /// Every value is 1, and 2 with a mutant, where a test has so many statements at least.
    struct Shown(usize);

    impl Executor for Shown {
        fn execute(&mut self, _: &TestCase, _: &RunRequest, _: &mut ExecutionResult) {}

        fn observe(&mut self, _: &TestCase, points: &[ObservationPoint]) -> Observations {
            Observations { outcome: Outcome::Passed, values: vec![Some(int(1)); points.len()] }
        }

        fn observe_mutants(
            &mut self,
            test: &TestCase,
            infections: &[OutcomeId],
            points: &[ObservationPoint],
        ) -> Vec<Observations> {
            let shown = int(if test.len() < self.0 { 1 } else { 2 });
            let values = vec![Some(shown); points.len()];
            vec![Observations { outcome: Outcome::Passed, values }; infections.len()]
        }
    }

    fn int(value: i32) -> ObservedValue {
        ObservedValue::Primitive(Value::Int(value))
    }

    #[test]
    fn what_stands_behind_all_that_kills_goes() {
        let mut builder = ClusterBuilder::new("Order");
        let order = builder.class_under_test();
        let new = builder.constructor(order, &[]);
        let fill = builder.method(order, "fill", &[TypeId::STRING], None);
        let size = builder.method(order, "size", &[], None);
        let cluster = builder.build();
        let goal = Goal {
            criterion: "any".into(),
            class: "Order".into(),
            hash: 0,
            method: "size()I".into(),
            kind: GoalKind::Mutant {
                mutant: MutantId(0),
                operator: MutationOperator::Arithmetic,
                change: "+ by -".into(),
                propagation: None,
            },
            line: None,
            entry: ProbeId(0),
            outcome: Some(OutcomeId(0)),
            covered_by: vec![Evidence::Hit(ProbeId(0))],
            controlled_by: Vec::new(),
        };
        let goals = GoalSet::new(vec![goal]);
        let killer = MutantKiller { cluster: &cluster, goals: &goals, options: AssertionOptions::default() };
        let oracles = Oracles { killer, size: SuiteSize::Compact };
        let object = VarRef(0);
        let text = Statement::Primitive { value: Value::String("a".into()), boxed: false };
        let call = |of, arguments: Vec<VarRef>| Statement::Method {
            callable: of,
            receiver: Some(object),
            arguments: arguments.into(),
        };
        let made = Statement::Constructor { callable: new, arguments: Vec::new().into() };
        let test = vec![made, call(size, vec![]), text, call(fill, vec![VarRef(2)])];
        let assertions = vec![Assertion {
            after: VarRef(3),
            target: ObservationTarget::Inspector(object, size),
            expected: int(1),
        }];
        let killing = AssertedTest {
            assertions,
            goals: vec![GoalId(0)],
            kills: vec![(GoalId(0), vec![0])],
            ..AssertedTest::new(TestCase::new(test))
        };
        for (needed, expect) in [(2, Some(2)), (4, None)] {
            let mut pursuit = Pursuit {
                oracles: &oracles,
                variations: &mut (),
                executor: &mut Shown(needed),
                result: &mut ExecutionResult::new(0, 0),
                may_continue: &mut || true,
            };
            let shorter = pursuit.without_last(&killing);
            assert_eq!(shorter.as_ref().map(|test| test.test.len()), expect);
            assert!(
                shorter
                    .is_none_or(|test| test.assertions[0].after == VarRef(1) && test.kills == killing.kills)
            );
        }
    }

    #[test]
    fn what_the_last_statement_does_not_use_goes_at_once() {
        let input = |number| Statement::Primitive { value: Value::Int(number), boxed: false };
        let array = Statement::Array { of: TypeId::OBJECT, length: 3 };
        let write = |array: usize, value: usize| {
            let (array, value) = (VarRef::from(array), VarRef::from(value));
            Statement::ArrayWrite { array, index: 0, value }
        };
        let test =
            TestCase::new(vec![input(1), array.clone(), array.clone(), write(1, 0), input(2), write(2, 4)]);
        let expect = TestCase::new(vec![array, input(2), write(0, 1)]);
        assert_eq!(needed_by_the_last(&test), Some(expect.clone()));
        assert_eq!(needed_by_the_last(&expect), None);
        assert_eq!(needed_by_the_last(&TestCase::default()), None);
    }
}
