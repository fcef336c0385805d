//! What the tests of this crate share: the command, the machine's JDK and JUnit, and suites written as text.

#![allow(dead_code, unused_imports, reason = "each test binary uses its part")]
#![allow(unreachable_pub, reason = "a module of several test binaries")]
#![allow(missing_docs, reason = "names say it")]

#[path = "../../../verify/tests/support/machine.rs"]
mod machine;
#[path = "../../../verify/tests/support/written.rs"]
pub mod written;

use std::path::PathBuf;

pub use machine::{environment, jdk, junit};

/// The command under test.
pub fn covolve() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_covolve"))
}
