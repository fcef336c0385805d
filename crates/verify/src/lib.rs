//! Verification: every delivered file was compiled by the user's `javac` and run with the user's JUnit in plain,
//! un-instrumented JVMs, in two processes, two orders and two surroundings. What does not compile, pass, and pass
//! again is dropped here, with the cause. It must never know how tests were found, nor what covers what.
//!
//! Start with [`verifier::verify`].
//!
//! * [`suite`]: what is verified, and what remains of it
//! * [`verifier`]: the algorithm, over any [`verifier::Bench`]
//! * [`lane`]: the bench of two JVMs; [`pool`]: lanes started early and shared by classes
//! * [`rerun`]: delivered files once more, against the classes as they are now; [`test_file`]: which tests a text has
//! * [`measure`]: what the project's own tests cover of classes that carry probes
//! * [`apart`]: tests that were compiled apart run together as they are
//! * [`jvm`]: one JVM; [`protocol`]: what is said to it; [`surroundings`]: how the two differ
//! * [`runner_jar`], [`archive`]: what is made once and kept in the cache folder

pub mod apart;
pub mod archive;
pub mod jvm;
pub mod lane;
pub mod measure;
pub mod pool;
pub mod protocol;
pub mod rerun;
pub mod runner_jar;
pub mod suite;
pub mod surroundings;
pub mod test_file;
pub mod verifier;
