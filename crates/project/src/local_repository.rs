//! The user's local Maven repository, read as the folder it is.

#![expect(clippy::disallowed_methods, reason = "reads Maven's settings")]

use std::cmp::Ordering;
use std::fs;
use std::path::{Path, PathBuf};

use crate::environment::Environment;

/// A local repository: `<group as folders>/<artifact>/<version>/<artifact>-<version>.jar`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalRepository {
    root: PathBuf,
}

impl LocalRepository {
    /// Where Maven keeps it: `maven.repo.local` of `MAVEN_OPTS`, else `localRepository` of the user's settings,
    /// else `~/.m2/repository`. `None` without a home folder. It need not exist.
    pub fn find(environment: &Environment) -> Option<Self> {
        let options = &environment.maven_opts;
        if let Some(root) =
            options.split_whitespace().find_map(|word| word.strip_prefix("-Dmaven.repo.local="))
        {
            return Some(Self { root: PathBuf::from(root) });
        }
        let home = environment.home.as_ref()?;
        let settings = fs::read_to_string(home.join(".m2/settings.xml")).unwrap_or_default();
        let root = local_repository_of(&settings, home).unwrap_or_else(|| home.join(".m2/repository"));
        Some(Self { root })
    }

    /// The jar of an artifact, if it is there.
    pub fn jar(&self, group: &str, artifact: &str, version: &str) -> Option<PathBuf> {
        let folder = self.folder(group, artifact).join(version);
        Some(folder.join(format!("{artifact}-{version}.jar"))).filter(|jar| jar.is_file())
    }

    /// Versions of an artifact whose jar is there, newest first.
    pub fn versions(&self, group: &str, artifact: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.folder(group, artifact)) else {
            return Vec::new();
        };
        let mut versions: Vec<String> = entries
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|version| self.jar(group, artifact, version).is_some())
            .collect();
        versions.sort_by(|left, right| compare_versions(right, left));
        versions
    }

    fn folder(&self, group: &str, artifact: &str) -> PathBuf {
        self.root.join(group.replace('.', "/")).join(artifact)
    }
}

/// `localRepository` of a settings file; comments do not count. Of the expressions that Maven would replace only
/// the home folder is known here.
fn local_repository_of(settings: &str, home: &Path) -> Option<PathBuf> {
    let mut plain = String::new();
    let mut rest = settings;
    while let Some((before, comment)) = rest.split_once("<!--") {
        plain.push_str(before);
        rest = comment.split_once("-->").map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    let (_, value) = plain.split_once("<localRepository>")?;
    let value = value.split_once("</localRepository>")?.0.trim();
    let value = value.replace("${user.home}", home.to_str()?).replace("${env.HOME}", home.to_str()?);
    (!value.is_empty() && !value.contains("${")).then(|| PathBuf::from(value))
}

/// Orders versions by their numbers; a version with a qualifier (`-M1`, `-RC2`, `-beta`) comes before the one
/// without.
pub fn compare_versions(left: &str, right: &str) -> Ordering {
    let parts = |version: &str| -> (Vec<u64>, String) {
        let (numbers, qualifier) = version.split_once('-').unwrap_or((version, ""));
        let numbers = numbers.split('.').map(|part| part.parse().unwrap_or(0)).collect();
        (numbers, qualifier.to_owned())
    };
    let ((left, left_qualifier), (right, right_qualifier)) = (parts(left), parts(right));
    left.cmp(&right)
        .then(left_qualifier.is_empty().cmp(&right_qualifier.is_empty()))
        .then(left_qualifier.cmp(&right_qualifier))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_say_where_the_repository_is() {
        let home = Path::new("/users/ada");
        let check = |settings: &str, expect: Option<&str>| {
            assert_eq!(local_repository_of(settings, home), expect.map(PathBuf::from), "{settings}");
        };
        check("<settings><localRepository> /big/repo </localRepository></settings>", Some("/big/repo"));
        check("<localRepository>${user.home}/repo</localRepository>", Some("/users/ada/repo"));
        check("<!-- <localRepository>/no</localRepository> --><settings/>", None);
        check("<!-- a --><localRepository>/yes</localRepository><!-- b -->", Some("/yes"));
        check("<localRepository>${repo}/x</localRepository>", None);
        check("", None);
    }

    #[test]
    fn maven_opts_come_before_the_settings() {
        let environment = Environment {
            maven_opts: "-Xmx1g -Dmaven.repo.local=/elsewhere".into(),
            home: Some("/users/ada".into()),
            ..Environment::default()
        };
        assert_eq!(LocalRepository::find(&environment).unwrap().root, PathBuf::from("/elsewhere"));
    }

    #[test]
    fn versions_are_ordered_by_their_numbers() {
        let mut versions = ["5.9.1", "5.10.0", "5.10.0-M1", "4.13.2", "5.10.0-RC1", "6.0.0"];
        versions.sort_by(|left, right| compare_versions(left, right));
        assert_eq!(versions, ["4.13.2", "5.9.1", "5.10.0-M1", "5.10.0-RC1", "5.10.0", "6.0.0"]);
    }

    #[test]
    fn only_versions_with_a_jar_count() {
        let folder = tempfile::tempdir().unwrap();
        let repository = LocalRepository { root: folder.path().to_owned() };
        for (version, file) in [("1.2", "a-1.2.jar"), ("1.10", "a-1.10.jar"), ("2.0", "a-2.0.pom")] {
            let place = folder.path().join("org/acme/a").join(version);
            fs::create_dir_all(&place).unwrap();
            fs::write(place.join(file), "").unwrap();
        }
        assert_eq!(repository.versions("org.acme", "a"), ["1.10", "1.2"]);
        assert!(repository.jar("org.acme", "a", "2.0").is_none());
    }
}
