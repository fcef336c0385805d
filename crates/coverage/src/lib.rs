//! What is to be covered and how far a run is from it: criteria, goals, the goal graph, branch distance, approach
//! level, fitness. It must never know how tests are searched, run or printed.
//!
//! Start with [`goal::GoalSet`].

pub mod goal;
