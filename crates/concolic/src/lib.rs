//! Dynamic symbolic execution as a local search: symbolic values, path conditions, the interpreter that replays a
//! run, and the solvers that turn conditions into inputs. It must never know the JVM that produced the run, nor how
//! tests are printed.
//!
//! Start with [`term::Terms`], then [`solver::Solving`].
//!
//! * [`term`]: what was computed from inputs, with exactly Java's meaning
//! * [`interpreter`]: replays of runs, path conditions
//! * [`test_replay`]: replays of whole tests; from a model back to a test
//! * [`dse`]: the local search
//! * [`solver`]: queries, answers, the table of solvers; one file each in `solvers/`

pub mod dse;
pub mod interpreter;
pub mod solver;
mod solvers;
pub mod term;
pub mod test_replay;
