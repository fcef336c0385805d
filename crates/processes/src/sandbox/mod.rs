//! The sandbox of a worker and of the verification JVM: no write outside a scratch folder, no network, no signal to
//! another process.
//!
//! Landlock holds the file system, seccomp the network, signals and what Landlock has no right for (modes, owners,
//! times), resource limits the rest. It binds the calling thread and all threads and processes made later, so it
//! is applied before the JVM starts. It cannot be taken back.

mod confine;
mod files;
mod limits;
mod system_calls;

pub use confine::{SandboxOptions, SandboxReport, confine};
