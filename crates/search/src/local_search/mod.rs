//! Local search: what evolution has brought near a goal is improved by small changes of single statements, as long as they
//! help.
//!
//! Fraser, Arcuri and `McMinn` 2015, "A Memetic Algorithm for Whole Test Suite Generation", §4.
//!
//! * [`climb`]: a test on its way up, and what judges it: what every operator works with
//! * [`avm`]: the alternating variable method, which most operators share
//! * [`booleans`], [`enumerations`], [`integers`], [`floating_point`], [`strings`], [`arrays`], [`references`]: the operators
//! * [`search_landscape`]: what all climbs of a search have in common
//! * [`test_search`]: what changes tests as a whole, given in by the caller
//! * [`tools`]: operators and test searches with what came of them
//! * [`expansion`]: every use of a value gets a value of its own
//! * [`options`]: which of them, how often, for how long
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
mod enumerations;
pub mod expansion;
mod floating_point;
mod integers;
pub mod options;
mod references;
pub mod scheduler;
pub(crate) mod search_landscape;
mod strings;
pub mod test_search;
#[cfg(test)]
mod testing;
pub mod tools;

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
];

/// Improves one statement of a test by all operators that are on.
fn improve_statement(position: usize, climb: &mut Climb<'_>) {
    for operator in LOCAL_SEARCHES {
        if is_on(*operator, climb.options()) && !climb.is_over() && applies(*operator, position, climb) {
            operator.improve(position, climb);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_of_the_table_have_names_of_their_own() {
        for (index, row) in LOCAL_SEARCHES.iter().enumerate() {
            assert!(LOCAL_SEARCHES[..index].iter().all(|other| other.name() != row.name()));
            assert!(row.name().bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'));
        }
    }
}
