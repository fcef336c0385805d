//! `--since`: which classes a branch has changed, for all commands that look at classes.

use std::path::Path;

use project::changes::Changes;
use project::environment::Environment;
use project::failure::Failure;
use project::request::Place;

/// What has changed since the commit that is named, if one is.
///
/// # Errors
/// Git cannot say.
pub fn changes(
    since: Option<&str>,
    place: &Place,
    environment: &Environment,
) -> Result<Option<Changes>, Failure> {
    let folder = match place {
        Place::Project { folder, .. } => folder,
        Place::ClassPath => Path::new("."),
    };
    since.map(|reference| Changes::since(reference, folder, environment)).transpose()
}
