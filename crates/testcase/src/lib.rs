//! Test cases and what they are made of: the test cluster, statements, the factory that writes and changes
//! tests, and the [`execution::Executor`] trait through which they run. It must never know the JVM that runs them,
//! nor goals, fitness or search.
//!
//! Start with [`test_case::TestCase`] and [`cluster::TestCluster`].
//!
//! * [`value`], [`statement`], [`test_case`]: tests as values
//! * [`cluster`]: the types, callables and fields that a test may use
//! * [`execution`]: running a test, and what a run reports; [`run_request`]: what a run is asked for; [`recording`]: what it
//!   logs for replays
//! * [`assertion`]: what is observed of a value, and asserted; [`kill_oracle`]: which mutants that kills
//! * [`factory`], [`constant_pools`]: making and changing tests
//! * [`formats`]: formats of text that code has read for it
//! * [`machine`]: the machine that tests see
//! * [`validate`]: whether a test is well-formed; [`transfer`]: tests of a class that has changed
//! * [`random`]: the seeded source of randomness; [`clock`]: the source of time

pub mod assertable;
pub mod assertion;
pub mod clock;
pub mod cluster;
pub mod constant_pools;
pub mod execution;
pub mod factory;
pub mod formats;
pub mod jdk_values;
pub mod kill_oracle;
pub mod machine;
pub mod random;
pub mod recording;
pub mod run_request;
pub mod statement;
pub mod test_case;
pub mod transfer;
pub mod validate;
pub mod value;
