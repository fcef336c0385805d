//! What the environment says, read once at the start and passed down as a value.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// The environment variables that matter.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// `HOME`.
    pub home: Option<PathBuf>,
    /// `JAVA_HOME`, unless it is empty.
    pub java_home: Option<PathBuf>,
    /// `PATH`.
    pub path: OsString,
    /// `MAVEN_OPTS`.
    pub maven_opts: String,
    /// Folder for what may be made anew: `COVOLVE_CACHE`, else `covolve` in `XDG_CACHE_HOME` or `~/.cache`.
    pub cache: Option<PathBuf>,
    /// `COVOLVE_LOG`, unless it is empty: what is logged to standard error, in the words of `tracing`'s `EnvFilter`.
    pub log: Option<String>,
    /// Processors of this machine that a cluster gives this process: `SLURM_CPUS_ON_NODE`.
    pub allotted: Option<NonZeroUsize>,
    /// Whether file names are UTF-8 by the locale (`LC_ALL`, `LC_CTYPE`, `LANG`, the first that is not empty).
    pub is_utf8: bool,
    /// What begins with `COVOLVE_` and is none of the above, by name.
    pub options: BTreeMap<String, OsString>,
}

/// How variables of ours begin.
const PREFIX: &str = "COVOLVE_";

/// Those of them that are no options.
const NO_OPTIONS: [&str; 2] = ["COVOLVE_CACHE", "COVOLVE_LOG"];

impl Environment {
    /// Reads the variables of this process.
    #[expect(clippy::disallowed_methods, reason = "the one place where the environment is read")]
    pub fn read() -> Self {
        let path_of =
            |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let home = path_of("HOME");
        let user_cache = path_of("XDG_CACHE_HOME").or_else(|| home.as_ref().map(|home| home.join(".cache")));
        Self {
            java_home: path_of("JAVA_HOME"),
            path: std::env::var_os("PATH").unwrap_or_default(),
            maven_opts: std::env::var("MAVEN_OPTS").unwrap_or_default(),
            cache: path_of("COVOLVE_CACHE").or_else(|| user_cache.map(|cache| cache.join("covolve"))),
            home,
            log: std::env::var("COVOLVE_LOG").ok().filter(|filter| !filter.is_empty()),
            allotted: std::env::var("SLURM_CPUS_ON_NODE").ok().and_then(|number| number.parse().ok()),
            is_utf8: ["LC_ALL", "LC_CTYPE", "LANG"]
                .iter()
                .find_map(|name| std::env::var_os(name).filter(|value| !value.is_empty()))
                .is_some_and(|locale| is_utf8(&locale.to_string_lossy())),
            options: std::env::vars_os()
                .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
                .filter(|(name, _)| name.starts_with(PREFIX) && !NO_OPTIONS.contains(&name.as_str()))
                .collect(),
        }
    }

    /// Variables that programs with a JVM get beside those of this process. A JVM takes the encoding of file names from
    /// the locale, and in one like `C` it finds no file whose name is not ASCII.
    pub fn for_jvms(&self) -> &'static [(&'static str, &'static str)] {
        if self.is_utf8 { &[] } else { &[("LC_ALL", "C.UTF-8")] }
    }

    /// The first file of this name in the folders of `PATH`.
    pub fn on_path(&self, name: &str) -> Option<PathBuf> {
        let candidates = std::env::split_paths(&self.path).map(|folder| folder.join(name));
        candidates.into_iter().find(|file| is_executable(file))
    }

    /// A folder in the cache, made if need be; `None` where there is no cache that can be written.
    pub fn cache_folder(&self, name: &str) -> Option<PathBuf> {
        let folder = self.cache.as_ref()?.join(name);
        std::fs::create_dir_all(&folder).ok().map(|()| folder)
    }
}

/// Whether a locale, `de_DE.UTF-8@euro`, names that encoding.
fn is_utf8(locale: &str) -> bool {
    let encoding = locale.split_once('.').map_or("", |(_, rest)| rest.split('@').next().unwrap_or_default());
    ["utf-8", "utf8"].iter().any(|name| encoding.eq_ignore_ascii_case(name))
}

fn is_executable(file: &Path) -> bool {
    file.is_file() && rustix::fs::access(file, rustix::fs::Access::EXEC_OK).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locales_tell_their_encoding() {
        let check = |locale: &str, expect: bool| assert_eq!(is_utf8(locale), expect, "{locale}");
        check("C", false);
        check("de_DE.ISO-8859-1", false);
        check("de_DE@euro", false);
        check("C.UTF-8", true);
        check("en_US.utf8@x", true);
    }
}
