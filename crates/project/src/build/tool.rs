//! The table of build tools.

use std::fs;
use std::path::{Path, PathBuf};

use crate::build::answer::Described;
use crate::build::command::{Network, Program, Surroundings};
use crate::build::gradle::GradleBuild;
use crate::build::maven::MavenBuild;
use crate::build::module::Module;
use crate::build::plain::PlainFolder;
use crate::failure::Failure;

/// A tool that builds what lies in a folder.
pub trait BuildTool: Sync {
    /// Its name, for people.
    fn name(&self) -> &'static str;

    /// Whether what it knows is a build, which may be a module of one further up.
    fn has_modules(&self) -> bool {
        true
    }

    /// Whether the folder is built with it.
    fn detect(&self, folder: &Path) -> bool;

    /// The modules in this folder and below it.
    ///
    /// # Errors
    /// The tool is missing, or does not understand the build.
    fn modules(&self, folder: &Path, surroundings: Surroundings<'_>) -> Result<Told, Failure>;

    /// Compiles the main code in this folder and below it.
    ///
    /// # Errors
    /// The tool is missing, or the code does not compile.
    fn compile(&self, folder: &Path, surroundings: Surroundings<'_>) -> Result<(), Failure>;

    /// Runs a step of the module in this folder alone, with its arguments; what went wrong, if something did.
    ///
    /// # Errors
    /// The tool is missing.
    fn run_step(
        &self,
        folder: &Path,
        step: &[String],
        network: Network,
        surroundings: Surroundings<'_>,
    ) -> Result<Result<(), String>, Failure>;
}

/// What a tool says of the modules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// How it was asked, for people.
    pub how: String,
    /// The modules, in its order.
    pub modules: Vec<Described>,
}

impl Told {
    /// Asks a program without the network, and with it if modules are missing something that the network may have. `asked` asks
    /// once: for the modules, or for why the program tells of none. `check` is what a person is to run where it tells of none at
    /// all.
    ///
    /// # Errors
    /// The program does not start, or does not understand the build.
    pub(crate) fn offline_first(
        tool: &str,
        (program, root): (&Program, &Path),
        check: &str,
        asked: impl Fn(Network) -> Result<Result<Vec<Described>, String>, Failure>,
    ) -> Result<Self, Failure> {
        let offline = asked(Network::Offline)?;
        let told = |network: &str, modules: Vec<Described>| Self {
            how: format!("{}{network} in {}{}", program.name(), root.display(), program.given()),
            modules,
        };
        if let Ok(modules) = &offline
            && modules.iter().all(|module| module.problem.is_none())
        {
            return Ok(told(" offline", modules.clone()));
        }
        match (asked(Network::Online)?, offline) {
            (Ok(modules), _) => Ok(told("", modules)),
            (Err(_), Ok(modules)) => Ok(told(" offline", modules)),
            (Err(reason), Err(_)) => Err(Failure::input(format!(
                "{tool} cannot read the build in {}: {reason}; run `{} {check}` there and put right what it says",
                root.display(),
                program.command()
            ))),
        }
    }
}

/// All build tools. The first that knows a folder is asked.
pub static BUILD_TOOLS: [&dyn BuildTool; 3] = [&MavenBuild, &GradleBuild, &PlainFolder];

/// A build that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Build {
    /// Folder that was asked for, absolute.
    pub folder: PathBuf,
    /// Name of the build tool.
    pub tool: &'static str,
    /// How it was asked.
    pub how: String,
    /// The modules that may have classes, in the order of the build tool.
    pub modules: Vec<Module>,
}

/// Finds the build of a folder; with `compile` it is compiled first.
///
/// # Errors
/// There is none, the tool fails, the code does not compile, or no module has code.
pub fn discover(folder: &Path, compile: bool, surroundings: Surroundings<'_>) -> Result<Build, Failure> {
    let folder = fs::canonicalize(folder).ok().filter(|folder| folder.is_dir()).ok_or_else(|| {
        Failure::input(format!("--project names {}, which is no folder; check the path", folder.display()))
    })?;
    let tool = BUILD_TOOLS.iter().find(|tool| tool.detect(&folder)).ok_or_else(|| {
        Failure::input(format!(
            "{} holds no Maven or Gradle build and no compiled classes; go to the folder of a project or name it with \
             --project, or give a class path with --cp or --maven",
            folder.display()
        ))
    })?;
    if let Some(word) = surroundings.words.first().filter(|_| !tool.has_modules()) {
        return Err(Failure::usage(format!(
            "--build-arg {word} needs a Maven or Gradle build, and {} holds none; leave it out",
            folder.display()
        )));
    }
    if compile {
        tool.compile(&folder, surroundings)?;
    }
    let told = tool.modules(&folder, surroundings)?;
    let modules: Vec<Module> = told.modules.into_iter().filter_map(Module::new).collect();
    if modules.is_empty() {
        return Err(Failure::input(format!(
            "no module of the {} build in {} has sources or classes; give the folder of another with --project",
            tool.name(),
            folder.display()
        )));
    }
    Ok(Build { folder, tool: tool.name(), how: told.how, modules })
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "test set-up")]
mod tests {
    use super::*;

    /// The tool of a folder with these files.
    fn check(files: &[&str], expect: Option<&str>) {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let file = folder.path().join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "").unwrap();
        }
        let tool = BUILD_TOOLS.iter().find(|tool| tool.detect(folder.path()));
        assert_eq!(tool.map(|tool| tool.name()), expect, "{files:?}");
    }

    #[test]
    fn files_tell_the_build_tool() {
        check(&["pom.xml"], Some("Maven"));
        check(&["build.gradle"], Some("Gradle"));
        check(&["settings.gradle.kts"], Some("Gradle"));
        check(&["pom.xml", "build.gradle.kts"], Some("Maven"));
        check(&["lib/a.jar"], None);
        check(&["a.jar"], Some("plain folder"));
        check(&["README.md"], None);
    }
}
