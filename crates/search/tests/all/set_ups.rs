//! Set-ups reach what they set: the tests that are run, and the source that makes them.

use crate::landscape::executor::Recording;
use crate::landscape::{Landscape, Node, Setup, if_equal, method, setup};
use bytecode::probe_map::ProbeId;
use fixedbitset::FixedBitSet;
use search::algorithm::ALGORITHMS;
use search::options::SearchOptions;
use search::parameters::parameter;
use search::profiles::{PROFILES, Profile};
use search::source::TestSource;
use testcase::execution::ComparisonOperand;
use testcase::factory::TestFactory;
use testcase::factory::options::FactoryOptions;
use testcase::random::Random;
use testcase::test_case::TestCase;

/// A factory that counts what it is told of open goals.
struct Told<'a> {
    inner: TestFactory<'a>,
    times: usize,
}

impl TestSource for Told<'_> {
    fn random_test(&mut self, random: &mut Random) -> TestCase {
        self.inner.random_test(random)
    }

    fn mutate(&mut self, test: &mut TestCase, executed: usize, random: &mut Random) -> bool {
        self.inner.mutate(test, executed, random)
    }

    fn append(
        &mut self,
        test: &mut TestCase,
        other: &TestCase,
        position: usize,
        random: &mut Random,
    ) -> bool {
        TestSource::append(&mut self.inner, test, other, position, random)
    }

    fn insert_random(&mut self, test: &mut TestCase, executed: usize, random: &mut Random) -> bool {
        self.inner.insert_random(test, executed, random)
    }

    fn remove_unused(&mut self, test: &mut TestCase) {
        self.inner.remove_unused(test);
    }

    fn set_call_weights(&mut self, weights: &[f64]) {
        self.times += 1;
        self.inner.set_call_weights(weights);
    }

    fn set_open_branches(&mut self, open: &FixedBitSet) {
        self.times += 1;
        self.inner.set_open_branches(open);
    }

    fn set_wanted(&mut self, wanted: &[(ProbeId, i64)]) {
        self.times += 1;
        self.inner.set_wanted(wanted);
    }

    fn observe(&mut self, operands: &[ComparisonOperand]) {
        TestSource::observe(&mut self.inner, operands);
    }
}

/// Two methods, one with a branch that is not found soon.
fn methods(criteria: &[&str]) -> Landscape {
    let hard = if_equal(0, 300, vec![if_equal(1, -77_777, vec![Node::Line])]);
    Landscape::new(criteria, vec![method("hard", 2, vec![hard]), method("easy", 1, vec![Node::Line])])
}

#[test]
fn no_test_is_longer_than_allowed_whatever_the_algorithm() {
    let landscape = methods(&["branch"]);
    for algorithm in ALGORITHMS {
        let factory = FactoryOptions { max_length: 7, ..FactoryOptions::default() };
        let options = SearchOptions { population: 20, factory, ..SearchOptions::default() };
        let mut source = TestFactory::new(&landscape.cluster, options.factory.clone());
        let mut executor = Recording::new(&landscape);
        let setup = Setup { options, ..setup(algorithm.name, 1500) };
        landscape.search_on(setup, &mut executor, &mut source, &mut |_| ());
        assert_eq!(executor.tests.iter().map(TestCase::len).max(), Some(7), "{}", algorithm.name);
    }
}

#[test]
fn who_is_blind_tells_the_source_of_tests_nothing_of_coverage() {
    let landscape = methods(&["branch"]);
    for algorithm in ALGORITHMS {
        let setup = setup(algorithm.name, 500);
        let inner = TestFactory::new(&landscape.cluster, setup.options.factory.clone());
        let mut source = Told { inner, times: 0 };
        landscape.search_with(setup, &mut source, &mut |_| ());
        assert_eq!(source.times == 0, algorithm.is_blind, "{}", algorithm.name);
        assert_eq!(algorithm.is_blind, ["random", "nsga2", "dse"].contains(&algorithm.name));
    }
}

/// Runs a profile with one of its criteria and algorithms, with a parameter set as its paper varies it.
fn run(profile: &Profile, criteria: &[&str], algorithm: &str, set: Option<(&str, &str)>) {
    let what = format!("{} {criteria:?} {algorithm} {set:?}", profile.name);
    let mut options = (profile.options)();
    if let Some((name, value)) = set {
        parameter(name).unwrap().set(&mut options, value).unwrap();
    }
    let landscape = methods(criteria);
    let mut source = TestFactory::new(&landscape.cluster, options.factory.clone());
    let setup = Setup { options, call_dependences: profile.call_dependences, ..setup(algorithm, 200) };
    let result = landscape.search_with(setup, &mut source, &mut |_| ());
    let goals = landscape.goals.len();
    assert!(result.executions == 200 || result.archive.is_complete(), "{what}: {}", result.executions);
    assert!(goals == 0 || !result.archive.covered().is_empty(), "{what}");
}

#[test]
fn what_a_paper_evaluated_runs_in_its_profile() {
    for profile in PROFILES {
        for algorithm in profile.algorithms {
            for choice in profile.criteria {
                run(profile, choice.names, algorithm, None);
            }
            for variation in profile.variations {
                for value in variation.values {
                    run(profile, profile.own_criteria(), algorithm, Some((variation.parameter, value)));
                }
                // The last ones are no words for all and none.
                if let (true, [.., one, other]) = (variation.may_be_combined, variation.values) {
                    let values = [*one, *other].join(",");
                    run(profile, profile.own_criteria(), algorithm, Some((variation.parameter, &values)));
                }
            }
        }
    }
}
