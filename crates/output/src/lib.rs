//! From an archive of test cases to a file that a person wants to keep: a small suite of short tests, the assertions
//! that say what they do, and their source as JUnit. It must never know the search, nor the JVM: tests run through
//! [`testcase::execution::Executor`].
//!
//! * [`minimize`]: from the archive to the suite; start with [`minimize::suite::Minimizer`]
//! * [`asserted_test`]: a test with its assertions and goals; [`assertion`]: what tests assert; start with [`assertion::generator::AssertionGenerator`]
//! * [`junit`]: the source; start with [`junit::writer::JunitWriter`]
//! * [`ending`]: how tests end; [`cover`]: which of them are enough; [`inputs`]: the values that they pass
//! * [`steadying`]: tests that a locale or zone would change get a fixed one
//! * [`getters`]: tests that ask one object for several things, as one
//! * [`called_stubs`]: what stubs that are called say
//! * [`suite_order`]: what a suite covers as a whole; [`replay`]: a suite run once more elsewhere
//! * [`report`]: what became of the goals on the way

pub mod asserted_test;
pub mod assertion;
pub mod called_stubs;
mod cover;
mod ending;
pub mod getters;
mod inputs;
pub mod junit;
pub mod minimize;
pub mod replay;
pub mod report;
pub mod steadying;
pub mod suite_order;
