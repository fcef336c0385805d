//! What class files alone say of a class to be tested: its nest, instrumented, what tests may use of it and around it, and
//! its goals. It must never know that there is a JVM or a search.
//!
//! Start with [`Subject::new`].
//!
//! * [`nest`]: the classes that hold goals, with probes
//! * `pools`: constants and types that their code and the code around it holds
//! * `formats`: formats that their code, and what it calls, has texts read in
//! * [`examine`](mod@examine): cluster, goals and nest of a class
//! * [`shelf`]: where a cluster lies while nobody asks it
//! * [`Subject`]: all that, and what becomes known while tests run

pub mod examine;
mod formats;
pub mod nest;
mod pools;
pub mod shelf;
mod subject;

pub use subject::{Identity, Settled, Subject, SubjectError};
