//! The alternating variable method (AVM) for one variable: exploratory moves find a direction, pattern moves go on in it in
//! steps that double, and from the best point it begins again (§4.1.1).

use testcase::test_case::TestCase;

use super::climb::{Climb, Reaction};

/// Most pattern moves in one direction: more would leave every range of 64 bits.
const MOST_DOUBLINGS: u32 = 64;

/// What came of searching along a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Searched {
    /// It was improved.
    Improved,
    /// Moves changed the fitness, none for the better.
    Felt,
    /// No move changed anything.
    Flat,
}

/// Searches along a variable: `moved` gives the best test with the variable moved by so many units, or as far as its range
/// goes; `None` where it cannot move that way.
pub(super) fn alternate(
    climb: &mut Climb<'_>,
    moved: impl Fn(&Climb<'_>, i128) -> Option<TestCase>,
) -> Searched {
    let mut found = Searched::Flat;
    loop {
        let mut direction = None;
        for step in [1, -1] {
            let Some(test) = moved(climb, step) else { continue };
            match climb.attempt(test) {
                Reaction::Better => {
                    direction = Some(step);
                    break;
                }
                Reaction::Changed if found == Searched::Flat => found = Searched::Felt,
                Reaction::Changed | Reaction::Same => {}
                Reaction::Over => return found,
            }
        }
        let Some(direction) = direction else { return found };
        found = Searched::Improved;
        for doubling in 1..MOST_DOUBLINGS {
            let test = moved(climb, direction << doubling);
            if !climb.is_better(test) {
                break;
            }
        }
    }
}
