//! Local search: what evolution has brought near a goal is improved by small changes of single statements, as long as they
//! help.
//!
//! Fraser, Arcuri and `McMinn` 2015, "A Memetic Algorithm for Whole Test Suite Generation", §4.
//!
//! * [`climb`]: a test on its way up, and what judges it: what every operator works with
//! * [`avm`]: the alternating variable method, which most operators share
//! * [`booleans`], [`enumerations`], [`integers`], [`floating_point`], [`strings`], [`arrays`], [`references`]: the operators
//! * [`focus`]: what a test does beside goes before that
//! * [`string_moves`]: strings in larger steps
//! * [`pairs`], [`restarts`], [`swaps`], [`nulls`], [`identities`], [`writers`], [`stubs`], [`collections`]: operators that are not in the paper
//! * [`search_landscape`]: what all climbs of a search have in common
//! * [`test_search`]: what changes tests as a whole, given in by the caller
//! * [`tools`]: operators and test searches with what came of them
//! * [`expansion`]: every use of a value gets a value of its own
//! * [`options`]: which of them, how often, for how long
//! * [`purse`]: what it may use in vain
//! * [`scheduler`]: when, and where it begins
//!
//! Adding one: a file with a [`LocalSearch`], a line in [`LOCAL_SEARCHES`].
//!
//! # Differences
//! What is beyond the paper is said in each file, and off under its profile ([`options::LocalSearchOptions::extended`]).

mod arrays;
mod avm;
mod booleans;
pub mod climb;
mod collections;
mod enumerations;
pub mod expansion;
mod floating_point;
mod focus;
mod identities;
mod integers;
mod nulls;
pub mod options;
mod pairs;
mod purse;
mod references;
mod restarts;
pub mod scheduler;
pub(crate) mod search_landscape;
mod string_moves;
mod strings;
mod stubs;
mod swaps;
pub mod test_search;
#[cfg(test)]
mod testing;
pub mod tools;
mod writers;

use testcase::statement::Statement;

use climb::Climb;
use tools::{applies, is_on};

/// An operator: improves one kind of statement.
pub trait LocalSearch: std::fmt::Debug + Sync {
    /// Its name, in kebab case: users turn it on and off by it.
    fn name(&self) -> &'static str;

    /// Whether it changes statements of this kind.
    fn applies(&self, statement: &Statement) -> bool;

    /// Whether it is not in the paper, and off where options say that nothing of ours is wanted.
    fn is_ours(&self) -> bool {
        false
    }

    /// Changes the statement at this position of the test as long as that helps. Earlier statements stay where they are.
    fn improve(&self, position: usize, climb: &mut Climb<'_>);
}

/// All operators, in the order in which they are tried on a statement.
pub const LOCAL_SEARCHES: &[&dyn LocalSearch] = &[
    &booleans::Booleans,
    &enumerations::Enumerations,
    &integers::Integers,
    &floating_point::FloatingPoint,
    &strings::Strings,
    &arrays::Arrays,
    &references::References,
    &pairs::Pairs,
    &restarts::Restarts,
    &swaps::Swaps,
    &nulls::Nulls,
    &identities::Identities,
    &writers::Writers,
    &stubs::Stubs,
    &collections::Collections,
];

/// Improves one statement of a test by all operators of the paper that are on: one among many elements is not worth more.
fn improve_statement(position: usize, climb: &mut Climb<'_>) {
    for operator in LOCAL_SEARCHES {
        let is_meant = !operator.is_ours() && is_on(*operator, climb.options());
        if is_meant && !climb.is_over() && applies(*operator, position, climb) {
            operator.improve(position, climb);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use testcase::cluster::Call;
    use testcase::factory::TestFactory;
    use testcase::factory::options::FactoryOptions;

    use super::options::{LocalBudget, Operators};
    use super::testing::{Hill, Things};
    use super::*;

    /// Runs of a test with statements of all kinds that an operator makes, if it may use so much.
    fn runs(operator: &dyn LocalSearch, budget: LocalBudget) -> u32 {
        let things = Things::new();
        let start = things.everything();
        // Something is felt of every change, and nothing helps for long.
        let mut hill = Hill::new(start, |test| {
            let text = format!("{test:?}");
            1.0 + f64::from(
                text.bytes().fold(7_u32, |hash, byte| hash.wrapping_mul(31) ^ u32::from(byte)) % 97,
            )
        });
        hill = hill.with_source(TestFactory::new(&things.cluster, FactoryOptions::default()));
        hill.writers = vec![Call::Callable(things.add)];
        hill.options.operators = Operators::parse(operator.name()).unwrap();
        hill.options.budget = budget;
        hill.bound();
        hill.improve(&things.cluster);
        assert_eq!(hill.best.validate(&things.cluster), Ok(()), "{}", operator.name());
        hill.attempts
    }

    #[test]
    fn every_operator_ends_with_each_of_the_five_budgets() {
        for operator in LOCAL_SEARCHES {
            let name = operator.name();
            // The last individual is improved to the end, so that there is one.
            let all = runs(*operator, LocalBudget::Individuals(1));
            assert!(all > 0, "{name} does nothing to the test");
            for most in [0, 1, 2, 7, 30] {
                assert!(runs(*operator, LocalBudget::Executions(most)) <= most as u32, "{name}, {most}");
                assert!(runs(*operator, LocalBudget::Evaluations(most)) <= most as u32, "{name}, {most}");
                // Each run has at least ten.
                assert!(runs(*operator, LocalBudget::Statements(10 * most)) <= most as u32, "{name}, {most}");
            }
            assert_eq!(runs(*operator, LocalBudget::Time(Duration::ZERO)), 0, "{name}");
        }
    }

    #[test]
    fn what_is_not_in_the_paper_is_off_where_nothing_of_ours_is_wanted() {
        let paper =
            ["booleans", "enumerations", "integers", "floating-point", "strings", "arrays", "references"];
        let options = options::LocalSearchOptions::paper();
        let on = LOCAL_SEARCHES.iter().filter(|operator| is_on(**operator, &options));
        assert_eq!(on.map(|operator| operator.name()).collect::<Vec<_>>(), paper);
    }

    #[test]
    fn the_rows_of_the_table_have_names_of_their_own() {
        for (index, row) in LOCAL_SEARCHES.iter().enumerate() {
            assert!(LOCAL_SEARCHES[..index].iter().all(|other| other.name() != row.name()));
            assert!(row.name().bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'));
        }
    }
}
