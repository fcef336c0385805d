//! What there is to say at the end of a run, over all its classes.

use std::collections::BTreeMap;
use std::path::Path;

use project::request::Place;

use super::prepared::Prepared;
use crate::console::summary::Tally;
use crate::json::ClassReport;
use crate::options::Options;

/// What was found out before classes were worked on.
pub(super) struct Before<'a> {
    pub options: &'a Options,
    pub modules: &'a [Prepared],
    /// Classes that cannot be tested, by reason.
    pub untestable: BTreeMap<String, usize>,
    /// Classes that needed no work.
    pub unchanged: usize,
    /// What is wrong with modules that were worked on all the same.
    pub remarks: Vec<String>,
}

/// What has come of the classes that were worked on.
pub(super) struct Came<'a> {
    /// What is said of each.
    pub reports: Vec<&'a ClassReport>,
    /// Those for which no time was left.
    pub without_time: usize,
    /// Those that ended early, for nothing new came of them.
    pub stood_still: usize,
}

/// A run at its end.
pub(super) fn tally<'a>(before: Before<'_>, came: Came<'a>) -> Tally<'a> {
    let Before { options, modules, untestable, unchanged, remarks } = before;
    let Came { reports, without_time, stood_still } = came;
    let has_file = reports.iter().any(|report| report.file.is_some());
    let mut roots: Vec<String> = modules.iter().map(|module| module.out.display().to_string()).collect();
    roots.sort();
    roots.dedup();
    Tally {
        without_time,
        stood_still,
        unchanged,
        left_alone: modules.iter().map(|module| module.left_alone).sum(),
        untestable,
        remarks,
        roots: if has_file { roots } else { Vec::new() },
        next: if has_file { next(options, &|path| path.exists()) } else { Vec::new() },
        reports,
    }
}

/// What runs the tests of a build, by the file that tells of it.
const BUILDS: [(&str, &str); 6] = [
    ("mvnw", "./mvnw test"),
    ("pom.xml", "mvn test"),
    ("gradlew", "./gradlew test"),
    ("build.gradle", "gradle test"),
    ("build.gradle.kts", "gradle test"),
    ("settings.gradle", "gradle test"),
];

/// What can be done with the files: nothing of a class path is kept, and nobody knows what builds it.
fn next(options: &Options, exists: &dyn Fn(&Path) -> bool) -> Vec<(String, &'static str)> {
    let Place::Project { folder, .. } = &options.request.place else { return Vec::new() };
    let is_here = folder == Path::new(".");
    let in_folder = |command: &str| {
        if is_here { command.to_owned() } else { format!("cd {} && {command}", folder.display()) }
    };
    let build = BUILDS.iter().find(|(file, _)| exists(&folder.join(file)));
    let mut next: Vec<(String, &'static str)> =
        build.map(|(_, command)| (in_folder(command), "runs the tests with yours")).into_iter().collect();
    let of_project = if is_here { String::new() } else { format!(" --project {}", folder.display()) };
    let state = options
        .state
        .folder
        .as_ref()
        .map_or_else(String::new, |folder| format!(" --state {}", folder.display()));
    next.push((format!("covolve report{of_project}{state}"), "shows what is covered and open, and why"));
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{GenerateArgs, TargetArgs};
    use crate::options::Names;

    #[test]
    fn what_comes_next_is_told_as_it_is_typed() {
        let check = |project: Option<&str>, state: Option<&str>, files: &[&str], expect: &[&str]| {
            let targets = TargetArgs { project: project.map(Into::into), ..TargetArgs::default() };
            let mut arguments = GenerateArgs {
                targets,
                seed: "0".into(),
                junit: "auto".into(),
                solver: "built-in".into(),
                names: "camel".into(),
                ..GenerateArgs::default()
            };
            arguments.again.state.state = state.map(Into::into);
            let names =
                Names { algorithms: &["dynamosa"], criteria: &["branch"], default_criteria: &["branch"] };
            let options = Options::new(&arguments, names).unwrap();
            let exists = |path: &Path| files.iter().any(|file| path == Path::new(file));
            let commands: Vec<String> =
                next(&options, &exists).into_iter().map(|(command, _)| command).collect();
            assert_eq!(commands, expect);
        };
        check(None, None, &["./pom.xml"], &["mvn test", "covolve report"]);
        check(None, None, &["./pom.xml", "./mvnw"], &["./mvnw test", "covolve report"]);
        check(None, Some("kept"), &["./gradlew"], &["./gradlew test", "covolve report --state kept"]);
        check(Some("a"), None, &["a/build.gradle"], &["cd a && gradle test", "covolve report --project a"]);
        check(None, None, &[], &["covolve report"]);
    }
}
