//! What a test does beside what it came near by goes before it is improved: most statements of a test that evolution
//! has grown say nothing to the goal, and each call and value among them costs its probes.
//!
//! # Differences
//! It is not in the paper. Zeller and Hildebrandt 2002, "Simplifying and Isolating Failure-Inducing Input", drop parts of halving
//! size; here statements go one by one from the last on, since what they alone needed goes with them.

use testcase::statement::VarRef;

use super::climb::{Climb, Reaction};

/// Drops every statement that nothing uses and without which the fitness is as good.
pub(super) fn focus(climb: &mut Climb<'_>) {
    // What never ran cannot matter.
    let mut test = climb.test().clone();
    test.truncate(climb.begun());
    let mut shorter = test.clone();
    let mut position = shorter.len();
    while position > 0 && !climb.is_over() {
        position -= 1;
        if position >= shorter.len() || shorter.is_used(VarRef::from(position)) {
            continue;
        }
        let mut without = shorter.clone();
        without.remove(position);
        climb.remove_unused(&mut without);
        if without.is_empty() {
            break;
        }
        match climb.attempt(without.clone()) {
            Reaction::Better | Reaction::Same => shorter = without,
            Reaction::Changed => {}
            Reaction::Over => return,
        }
    }
    if shorter != *climb.test() {
        climb.adopt(shorter);
    }
}

#[cfg(test)]
mod tests {
    use testcase::factory::TestFactory;
    use testcase::factory::options::FactoryOptions;
    use testcase::statement::Statement;

    use super::super::testing::{Hill, Things};
    use super::*;

    #[test]
    fn only_what_the_fitness_needs_is_left() {
        let things = Things::new();
        let take = things.take(0, 1).callable();
        let taken = move |statement: &Statement| statement.callable() == take;
        let start = things.everything();
        let mut hill =
            Hill::new(start.clone(), move |test| if test.statements().iter().any(taken) { 1.0 } else { 2.0 });
        hill = hill.with_source(TestFactory::new(&things.cluster, FactoryOptions::default()));
        let options = hill.options.clone();
        let mut climb = Climb::new(start, &mut hill, &things.cluster, &options);
        focus(&mut climb);
        let expect = [things.make_foo(), things.make_list(), things.take(0, 1)];
        assert_eq!((climb.test().statements(), climb.improvements()), (&expect[..], 0));
        assert!(hill.attempts <= 14, "{} attempts", hill.attempts);
    }
}
