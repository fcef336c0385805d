//! A run of `generate`: what is found out first, then the classes side by side, each within its budget.
//!
//! * [`prepare`]: everything that can be wrong is found out here, before anything is started
//! * [`generate`]: the run, over any [`generate::Generator`]
//! * [`time_plan`]: which phase of a class may last until when
//! * [`schedule`]: classes side by side

pub mod generate;
pub mod prepare;
pub mod schedule;
pub mod time_plan;
