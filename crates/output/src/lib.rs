//! From an archive of test cases to a file that a person wants to keep: a small suite of short tests, the assertions
//! that say what they do, and their source as JUnit. It must never know the search, nor the JVM: tests run through
//! [`testcase::execution::Executor`].
//!
//! * [`junit`]: the source; start with [`junit::writer::JunitWriter`]

pub mod junit;
