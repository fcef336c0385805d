//! `covolve report`: what `generate` left behind, in the formats of [`report`].
//!
//! * [`kept`]: a source of data: what is known of a project from run to run; [`files`]: another: what `generate --json` and
//!   `--report` wrote
//! * [`sources`]: source files of a project, by module
//! * [`assembly`]: data and source files together, as the formats take them

pub mod assembly;
pub mod files;
pub mod kept;
pub mod sources;

use std::io::Write;
use std::path::{Path, PathBuf};

use ::report::format::{Choice, FORMATS, Format, format};
use ::report::model::ProjectReport;
use project::build::root::root_of_build;
use project::failure::Failure;

use crate::args::WriteReportArgs;
use crate::exit_code::ExitCode;
use crate::json::ClassReport;
use crate::known::place::kept_of;
use crate::options::{self, Names};
use crate::statistics::GoalRecord;
use assembly::{assemble, project_name};
use sources::SourceFolders;

/// What is known of a class, wherever it was kept.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RecordedClass {
    /// What came out for it.
    pub class: ClassReport,
    /// What became of each of its goals; empty where that is not known.
    pub goals: Vec<GoalRecord>,
}

/// Where classes are kept.
#[derive(Debug)]
pub enum Source {
    /// In files of `generate --json` and `--report`, or in folders with such.
    Files(Vec<PathBuf>),
    /// In the folder that keeps what is known of a build.
    Kept {
        /// That folder.
        folder: PathBuf,
        /// Root of the build.
        root: PathBuf,
        /// Folder of the project, or of a module of it.
        project: PathBuf,
    },
}

impl Source {
    /// Where the arguments say, for the project in a folder.
    fn of(arguments: &WriteReportArgs, project: &Path) -> Self {
        if !arguments.from.is_empty() {
            return Self::Files(arguments.from.clone());
        }
        let folder = arguments.state.state.clone().unwrap_or_else(|| kept_of(project));
        Self::Kept { folder, root: root_of_build(project), project: project.to_owned() }
    }

    /// The classes, by name.
    ///
    /// # Errors
    /// They cannot be read, or there are none.
    fn classes(&self) -> Result<Vec<RecordedClass>, Failure> {
        match self {
            Self::Files(paths) => files::read(paths),
            Self::Kept { folder, root, project } => kept::read(folder, root, project)?.ok_or_else(|| {
                Failure::input(format!(
                    "nothing is known of tests for {} yet: run `covolve generate` there first, or give --from with what \
                     it wrote elsewhere",
                    project.display()
                ))
            }),
        }
    }
}

/// Runs `report`; what was written where is said on `out`.
///
/// # Errors
/// An option is wrong, nothing can be reported, or a file cannot be written.
pub fn run(arguments: &WriteReportArgs, names: Names<'_>, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let formats = formats(&arguments.formats)?;
    let choice = choice(&arguments.criteria, names)?;
    let folder = arguments.project.as_deref().unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Err(Failure::input(format!("--project {} is no folder", folder.display())).into());
    }
    let classes = Source::of(arguments, folder).classes()?;
    let folders = SourceFolders::find(folder, &arguments.sources)?;
    let report = assemble(project_name(folder), classes, &folders);
    for format in &formats {
        check_goals(format, &report)?;
    }
    match places(&formats, arguments.out.as_deref())? {
        Places::Output(format) => out.write_all((format.render)(&report, &choice).as_bytes())?,
        Places::Files(files) => {
            for (format, path) in files {
                write(&path, &(format.render)(&report, &choice))?;
                writeln!(out, "{}: {}", format.name, path.display())?;
            }
        }
    }
    out.flush()?;
    Ok(ExitCode::Success)
}

/// The formats of these names, each once; the first of the table where none is named.
fn formats(values: &[String]) -> Result<Vec<&'static Format>, Failure> {
    let mut chosen: Vec<&'static Format> = Vec::new();
    let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
    for name in values.iter().flat_map(|value| value.split(',')) {
        let Some(found) = format(&options::choose("--format", name, &names)?) else { continue };
        if chosen.iter().all(|other| other.name != found.name) {
            chosen.push(found);
        }
    }
    if chosen.is_empty() {
        chosen.extend(FORMATS.first());
    }
    Ok(chosen)
}

fn choice(criteria: &[String], names: Names<'_>) -> Result<Choice, Failure> {
    if criteria.is_empty() {
        return Ok(Choice::default());
    }
    Ok(Choice { annotated: options::criteria(criteria, names)? })
}

/// Whether a format would say something wrong of a class of which only open goals are known.
fn check_goals(format: &Format, report: &ProjectReport) -> Result<(), Failure> {
    let mut classes = report.modules.iter().flat_map(|module| &module.classes);
    match classes.find(|class| format.needs_all_goals && !class.has_all_goals()) {
        Some(class) => Err(Failure::input(format!(
            "{} needs every goal, and of {} only the open ones are known: give --from the goals.csv of \
             `covolve generate --report` as well",
            format.name, class.name
        ))),
        None => Ok(()),
    }
}

/// Where the text of each format goes.
#[derive(Debug)]
enum Places {
    /// To standard output.
    Output(&'static Format),
    Files(Vec<(&'static Format, PathBuf)>),
}

/// A file for a single format, a folder for several; `-` is standard output.
fn places(formats: &[&'static Format], out: Option<&Path>) -> Result<Places, Failure> {
    let in_folder = |folder: &Path| {
        Places::Files(formats.iter().map(|format| (*format, folder.join(format.file))).collect())
    };
    let Some(out) = out else { return Ok(in_folder(Path::new(""))) };
    let is_folder = out.is_dir() || out.as_os_str().as_encoded_bytes().ends_with(b"/");
    match formats {
        [format] if out == Path::new("-") => Ok(Places::Output(format)),
        [format] if !is_folder => Ok(Places::Files(vec![(*format, out.to_owned())])),
        _ if out == Path::new("-") || out.is_file() => Err(Failure::usage(format!(
            "--out {} takes one format, and {} are asked for: name a folder",
            out.display(),
            formats.len()
        ))),
        _ => Ok(in_folder(out)),
    }
}

#[expect(clippy::disallowed_methods, reason = "the place where reports are written")]
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let written = folder.map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(path, text));
    written.map_err(|error| {
        Failure::output(format!("{} cannot be written: {error}; give another --out", path.display()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(words: &[&str]) -> Vec<String> {
        words.iter().map(|&word| word.to_owned()).collect()
    }

    #[test]
    fn formats_are_listed_once_each_and_html_is_the_default() {
        let check = |words: &[&str], expect: Result<&[&str], &str>| {
            let found = formats(&strings(words));
            let names = found.as_ref().map(|all| all.iter().map(|one| one.name).collect::<Vec<_>>());
            let names = names.map_err(|failure| failure.sentence.as_str());
            assert_eq!(names, expect.map(<[&str]>::to_vec), "{words:?}");
        };
        check(&[], Ok(&["html"]));
        check(&["lcov,sarif", "lcov"], Ok(&["lcov", "sarif"]));
        check(
            &["htlm"],
            Err(
                "--format htlm is not known; give html, markdown, sarif, cobertura or lcov; did you mean 'html'?",
            ),
        );
    }

    #[test]
    fn a_format_goes_to_a_file_and_several_to_a_folder() {
        let check = |names: &[&str], out: Option<&str>, expect: &str| {
            let text = match places(&formats(&strings(names)).unwrap(), out.map(Path::new)) {
                Ok(Places::Output(format)) => format!("{} to standard output", format.name),
                Ok(Places::Files(files)) => {
                    let paths: Vec<String> =
                        files.iter().map(|(_, path)| path.display().to_string()).collect();
                    paths.join(" ")
                }
                Err(failure) => failure.sentence,
            };
            assert_eq!(text, expect, "{names:?} {out:?}");
        };
        check(&["html"], None, "covolve-report.html");
        check(&["html"], Some("a/b.html"), "a/b.html");
        check(&["html"], Some("a/"), "a/covolve-report.html");
        check(&["html,lcov"], Some("a"), "a/covolve-report.html a/covolve.info");
        check(&["markdown"], Some("-"), "markdown to standard output");
        check(&["html,lcov"], Some("-"), "--out - takes one format, and 2 are asked for: name a folder");
    }

    #[test]
    fn annotated_criteria_are_branches_unless_others_are_named() {
        let names = Names { algorithms: &[], criteria: &["branch", "line", "output"], default_criteria: &[] };
        let check = |words: &[&str], expect: &[&str]| {
            assert_eq!(choice(&strings(words), names).unwrap().annotated, expect);
        };
        check(&[], &["branch"]);
        check(&["output,line"], &["line", "output"]);
    }
}
