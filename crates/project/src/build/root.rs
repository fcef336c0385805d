//! How far up a build reaches, told by files alone: no build tool is asked.

use std::fs;
use std::path::{Path, PathBuf};

use crate::build::tool::BUILD_TOOLS;

/// What marks the folder of a repository, above which no build reaches.
const REPOSITORY: &str = ".git";

/// The folder and those around it, up to the outermost that a build tool knows or that is a repository; the folder alone where
/// there is none.
pub fn up_to_root(folder: &Path) -> Vec<PathBuf> {
    let is_repository = |folder: &Path| folder.join(REPOSITORY).exists();
    let within = folder.ancestors().position(is_repository);
    let folders: Vec<&Path> = folder.ancestors().take(within.map_or(usize::MAX, |last| last + 1)).collect();
    let is_root = |folder: &&Path| is_repository(folder) || is_built(folder);
    let outermost = folders.iter().rposition(is_root).unwrap_or(0);
    folders[..=outermost].iter().map(|&folder| folder.to_owned()).collect()
}

/// The root of the build that a folder belongs to, absolute: the outermost folder around it, within its repository, that a build tool
/// knows. The folder as it is given where it is the root, or none of a build.
pub fn root_of_build(folder: &Path) -> PathBuf {
    let Ok(whole) = fs::canonicalize(folder) else { return folder.to_owned() };
    let root =
        is_built(&whole).then(|| up_to_root(&whole)).and_then(|all| all.into_iter().rfind(|it| is_built(it)));
    root.filter(|root| *root != whole).unwrap_or_else(|| folder.to_owned())
}

/// Whether the folder is one of a build, and not only one that holds classes.
fn is_built(folder: &Path) -> bool {
    BUILD_TOOLS.iter().any(|tool| tool.has_modules() && tool.detect(folder))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "test set-up")]
mod tests {
    use super::*;

    #[test]
    fn the_root_of_a_build_is_the_outermost_folder_that_a_build_tool_knows() {
        let check = |files: &[&str], folder: &str, expect: &str| {
            let around = tempfile::tempdir().unwrap();
            let at = fs::canonicalize(around.path()).unwrap();
            fs::create_dir_all(at.join(folder)).unwrap();
            for file in files {
                let file = at.join(file);
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, "").unwrap();
            }
            assert_eq!(root_of_build(&at.join(folder)), at.join(expect), "{files:?} {folder}");
        };
        check(&["a/pom.xml", "a/b/c/pom.xml"], "a/b/c", "a");
        check(&["a/pom.xml"], "a", "a");
        check(&["settings.gradle", "a/build.gradle"], "a", "");
        // A repository may hold several builds, and a build none but itself.
        check(&[".git/HEAD", "a/pom.xml", "a/b/pom.xml"], "a/b", "a");
        check(&["pom.xml", "a/.git/HEAD", "a/pom.xml"], "a", "a");
        // Classes that a build has made are none.
        check(&["pom.xml", "target/A.class"], "target", "target");
    }

    #[test]
    fn a_build_reaches_up_to_its_outermost_folder_but_not_out_of_the_repository() {
        let check = |files: &[&str], folder: &str, expect: &[&str]| {
            let root = tempfile::tempdir().unwrap();
            fs::create_dir_all(root.path().join(folder)).unwrap();
            for file in files {
                let file = root.path().join(file);
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, "").unwrap();
            }
            let found = up_to_root(&root.path().join(folder));
            let expect: Vec<PathBuf> = expect.iter().map(|part| root.path().join(part)).collect();
            assert_eq!(found, expect, "{files:?}");
        };
        check(&[], "a/b", &["a/b"]);
        check(&["a/pom.xml", "a/b/c/pom.xml"], "a/b/c", &["a/b/c", "a/b", "a"]);
        check(&["settings.gradle.kts"], "a", &["a", ""]);
        check(&["pom.xml", "a/.git/HEAD", "a/b/pom.xml"], "a/b", &["a/b", "a"]);
        check(&["lib.jar"], "a", &["a"]);
    }
}
