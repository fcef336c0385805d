//! The search on landscapes that no JVM runs, in one program: linked once, and its tests run side by side.

mod equivalence;
mod fidelity;
mod invariants;
mod landscape;
mod landscapes;
mod open_goals;
mod open_outcomes;
mod operators;
mod proofs;
mod redundancy;
mod rest_of_goals;
mod same_results;
mod set_ups;
mod spending;
mod take_in;
mod test_searches;
