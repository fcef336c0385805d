//! Files that a run may read without a trace: the JDK and the class path, where classes, resources and the JDK's
//! own data come from.

use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::PathBuf;

/// The folder that tests are said to work in, by the class `covolve.runtime.WatchedProperties`: there is none of that name.
pub(crate) const WORKING_FOLDER: &[u8] = b"/users/user/work";

/// Absolute paths of files, and of folders with everything beneath them.
#[derive(Debug, Default)]
pub(crate) struct KnownPaths {
    paths: Vec<Vec<u8>>,
    /// The folder that this process works in, absolute.
    working: Option<Vec<u8>>,
}

impl KnownPaths {
    /// These paths. Relative ones never match.
    pub(crate) fn new(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        let bytes = |path: PathBuf| {
            let mut bytes = path.as_os_str().as_bytes().to_vec();
            while bytes.len() > 1 && bytes.ends_with(b"/") {
                bytes.pop();
            }
            bytes
        };
        let paths = paths.into_iter().filter(|path| path.is_absolute() && path.parent().is_some());
        Self { paths: paths.map(bytes).collect(), working: None }
    }

    /// With the folder that this process works in.
    pub(crate) fn working_in(self, folder: PathBuf) -> Self {
        Self { working: Some(folder.into_os_string().into_vec()), ..self }
    }

    /// Whether the path is that of the folder that this process works in, or of the root: every JVM has both, and that they are
    /// there and folders tells nothing of this one.
    pub(crate) fn is_everywhere(&self, path: &[u8]) -> bool {
        matches!(path, b"/" | b".") || self.working.as_deref() == Some(path)
    }

    /// Whether the path is one of them or lies beneath one. A path that goes up again does not count.
    pub(crate) fn contain(&self, path: &[u8]) -> bool {
        let beneath = |known: &Vec<u8>| {
            path.strip_prefix(known.as_slice()).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
        };
        !path.split(|byte| *byte == b'/').any(|part| part == b"..") && self.paths.iter().any(beneath)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_working_folder_and_the_root_are_everywhere() {
        let known = KnownPaths::new([]).working_in("/folder/x".into());
        let check =
            |path: &str, expect: bool| assert_eq!(known.is_everywhere(path.as_bytes()), expect, "{path}");
        check("/folder/x", true);
        check(".", true);
        check("/", true);
        check("/folder/x/a.txt", false);
        check("/folder", false);
        check("", false);
        assert!(!known.contain(b"/folder/x"));
    }

    #[test]
    fn only_the_paths_themselves_and_what_lies_beneath_them_are_known() {
        let known = KnownPaths::new(["/jdk/".into(), "/lib/a.jar".into(), "classes".into(), "/".into()]);
        let check = |path: &str, expect: bool| assert_eq!(known.contain(path.as_bytes()), expect, "{path}");
        check("/jdk", true);
        check("/jdk/lib/tzdb.dat", true);
        check("/jdk-other/lib", false);
        check("/lib/a.jar", true);
        check("/lib/a.jar.bak", false);
        check("/jdk/../etc/passwd", false);
        check("classes/p/Foo.class", false);
        check("/etc/passwd", false);
        check("", false);
    }
}
