//! What judges that are not ours say of suites that covolve wrote ([`experiment::suites`]), and what covolve says of
//! them.
//!
//! * [`jacoco`]: which lines, branches and methods each suite covers
//! * [`pit`]: which mutants each test of each suite covers and kills
//! * [`claims`]: what covolve says of the same suites
//! * [`matching`]: which of our mutants are PIT's

pub(crate) mod claims;
pub(crate) mod jacoco;
pub(crate) mod matching;
pub(crate) mod pit;

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use experiment::maven;

pub(crate) const JACOCO_AGENT: &str = "org.jacoco:org.jacoco.agent:0.8.14:jar:runtime";
/// With the libraries that it needs under other names: code under test may ask for ASM, which is not there for it.
pub(crate) const JACOCO_CORE: &str = "org.jacoco:org.jacoco.ant:0.8.14:jar:nodeps";

/// The jar of an artifact itself.
pub(crate) fn jar(coordinates: &str) -> Result<PathBuf> {
    let jars = maven::resolve(coordinates)?;
    maven::own_jar(&jars, coordinates).cloned().context("an artifact has a jar")
}
