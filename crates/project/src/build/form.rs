//! The form that a build gives its source files, put on new ones by its own formatters.

#![expect(
    clippy::disallowed_methods,
    reason = "keeps source files, and puts back what a formatter must not change"
)]

use std::fs;
use std::path::{Path, PathBuf};

use crate::build::command::{Network, Surroundings};
use crate::build::formatters::Formatter;
use crate::build::freshness::files_below;
use crate::build::module::Module;
use crate::build::tool::{BUILD_TOOLS, BuildTool};
use crate::environment::Environment;
use crate::failure::Failure;
use crate::jdk::Jdk;
use crate::project::Note;

/// How source files of a module are formatted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildForm {
    /// The build tool.
    tool: &'static str,
    /// JDK that it runs on where the environment names none.
    jdk: Jdk,
    /// What the user wants it to be told besides.
    words: Vec<String>,
    /// The folder of the module.
    folder: PathBuf,
    /// Roots of its sources, those of its tests among them.
    roots: Vec<PathBuf>,
    /// What is run, one after the other.
    formatters: Vec<Formatter>,
}

impl BuildForm {
    /// The form of a module's files; `None` where its build has no formatter.
    pub(crate) fn of(module: &Module, tool: &'static str, jdk: &Jdk, words: &[String]) -> Option<Self> {
        if module.formatters.is_empty() {
            return None;
        }
        let mut roots = module.sources.clone();
        roots.push(module.test_root.clone());
        Some(Self {
            tool,
            jdk: jdk.clone(),
            words: words.to_vec(),
            folder: module.folder.clone(),
            roots,
            formatters: module.formatters.clone(),
        })
    }

    /// The names of the formatters, for people.
    pub fn names(&self) -> String {
        let names: Vec<&str> = self.formatters.iter().map(Formatter::name).collect();
        names.join(" and ")
    }

    /// Has files of the module formatted. What formatters change besides is put back, but where `is_ours` says that nobody has written it
    /// by hand, since another run may be writing it.
    ///
    /// # Errors
    /// The build tool is missing, or a formatter fails, with and without the network.
    pub fn apply(
        &self,
        files: &[PathBuf],
        is_ours: &dyn Fn(&Path) -> bool,
        environment: &Environment,
        note: Note<'_>,
    ) -> Result<(), Failure> {
        let Some(tool) = BUILD_TOOLS.iter().find(|tool| tool.name() == self.tool) else { return Ok(()) };
        let surroundings = Surroundings { environment, jdk: &self.jdk, words: &self.words, note };
        let all = self.roots.iter().flat_map(|root| files_below(root));
        let others = all.filter(|file| !files.contains(file) && !is_ours(file));
        let kept: Vec<(PathBuf, Vec<u8>)> =
            others.filter_map(|file| fs::read(&file).ok().map(|bytes| (file, bytes))).collect();
        let done =
            self.formatters.iter().try_for_each(|formatter| self.run(*tool, formatter, files, surroundings));
        for (file, bytes) in kept {
            if fs::read(&file).is_ok_and(|now| now != bytes) {
                fs::write(&file, bytes).map_err(|error| {
                    Failure::output(format!("{} cannot be put back as it was: {error}", file.display()))
                })?;
            }
        }
        done
    }

    fn run(
        &self,
        tool: &dyn BuildTool,
        formatter: &Formatter,
        files: &[PathBuf],
        surroundings: Surroundings<'_>,
    ) -> Result<(), Failure> {
        let step = formatter.arguments(files, &self.roots);
        let mut wrong = String::new();
        for network in [Network::Offline, Network::Online] {
            match tool.run_step(&self.folder, &step, network, surroundings)? {
                Ok(()) => return Ok(()),
                Err(said) => wrong = said,
            }
        }
        Err(Failure::output(format!(
            "new test files in {} are not formatted as the build wants them: {} fails: {wrong}; format them by \
             hand, or give --formatter never to leave that to the build",
            self.folder.display(),
            formatter.name(),
        )))
    }
}
