//! What is to be covered and how far a run is from it: criteria, goals, the goal graph, branch distance, approach
//! level, fitness. It must never know how tests are searched, run or printed.
//!
//! Start with [`goal::GoalSet`].
//!
//! * [`criterion`]: the table of criteria; one file each in `criteria/`
//! * [`goal`]: goals, numbered, and which of them a trace covers
//! * [`seen`]: goals of what only runs tell of, and the only place that numbers them
//! * [`selection`]: which of the goals asked for guide the search; [`subsumption`]: which mutants subsume others
//! * [`method_table`]: methods, branches and calls of all classes with goals, indexed
//! * [`goal_graph`]: which goals control which
//! * [`approach_level`], [`distance`], [`fitness`]: how far a run is from a goal

pub mod approach_level;
pub mod criteria;
pub mod criterion;
pub mod distance;
pub mod fitness;
pub mod goal;
pub mod goal_graph;
pub mod method_table;
#[cfg(test)]
mod sample;
pub mod seen;
pub mod selection;
pub mod subsumption;
