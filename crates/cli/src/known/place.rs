//! Where what is known of a project is kept: at the root of its build. A run over a module and one over all know the same then.

use std::path::{Path, PathBuf};

use project::build::root::root_of_build;
use project::request::Place;
use store::state::FOLDER;

/// Where what is known of a project is kept: the folder asked for, else one at the root of the build; of a class path nothing is.
pub fn folder_of(place: &Place, asked: Option<&Path>) -> Option<PathBuf> {
    match (asked, place) {
        (Some(folder), _) => Some(folder.to_owned()),
        (None, Place::Project { folder, .. }) => Some(kept_of(folder)),
        (None, Place::ClassPath) => None,
    }
}

/// Where it is kept of the project in a folder, unless another place is asked for.
pub fn kept_of(project: &Path) -> PathBuf {
    root_of_build(project).join(FOLDER)
}

/// Root of the build, absolute: paths below it are kept as they are from there, so that it can be moved.
pub fn root_of(place: &Place) -> Option<PathBuf> {
    match place {
        Place::Project { folder, .. } => std::fs::canonicalize(root_of_build(folder)).ok(),
        Place::ClassPath => None,
    }
}
