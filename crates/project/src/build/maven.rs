//! Maven: asked by an extension of ours that it loads for one run, which writes what Maven knows of each module and ends the run
//! before any plugin. `docs/design/builds.md` says why.

#![expect(clippy::disallowed_methods, reason = "hands Maven its extension and reads the answer")]

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::build::answer::{Answer, Described};
use crate::build::command::{Network, Program, Surroundings, aside, text_of};
use crate::build::tool::{BuildTool, Told};
use crate::failure::Failure;

/// Names and bytes of the classes of the extension, sorted.
const CLASSES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/maven_classes.rs"));
/// What tells Maven of them.
const COMPONENTS: &str = include_str!("../../java/components.xml");

const POM: &str = "pom.xml";

/// How main code is compiled, until one of them does it. Tests are compiled only where modules need tests of others, which Maven
/// finds in no earlier phase: tests of ours that do not compile any more must not keep new ones from being made.
const ATTEMPTS: [(Network, &str); 3] = [
    (Network::Offline, "process-classes"),
    (Network::Online, "process-classes"),
    (Network::Online, "test-compile"),
];

/// Builds with a `pom.xml`.
#[derive(Debug)]
pub struct MavenBuild;

impl BuildTool for MavenBuild {
    fn name(&self) -> &'static str {
        "Maven"
    }

    fn detect(&self, folder: &Path) -> bool {
        folder.join(POM).is_file()
    }

    fn modules(&self, folder: &Path, surroundings: Surroundings<'_>) -> Result<Told, Failure> {
        let mut failed = None;
        for root in roots(folder) {
            match modules_of(root, folder, surroundings) {
                Ok(told) if told.modules.is_empty() => {}
                Ok(told) => return Ok(told),
                // The build around the folder need not be one that its modules belong to.
                Err(failure) => failed = Some(failure),
            }
        }
        Err(failed.unwrap_or_else(|| {
            Failure::input(format!("Maven finds no module in {}; check its {POM}", folder.display()))
        }))
    }

    fn compile(&self, folder: &Path, surroundings: Surroundings<'_>) -> Result<(), Failure> {
        let root = root_of(folder, surroundings);
        let mvn = program(&[root, folder], folder, surroundings)?;
        (surroundings.note)(&format!("compiling {} with {}", folder.display(), mvn.name()));
        let part = folder.strip_prefix(root).ok().filter(|part| !part.as_os_str().is_empty());
        let mut said = String::new();
        for (network, phase) in ATTEMPTS {
            let mut arguments = options(network);
            if let Some(part) = part {
                arguments.extend(["-pl".to_owned(), part.display().to_string(), "-am".to_owned()]);
            }
            arguments.push(phase.to_owned());
            let output = mvn.run(root, surroundings, &arguments)?;
            if output.status.success() {
                return Ok(());
            }
            said = text_of(&output);
            // What the compiler refuses it refuses with a network, too.
            if said.contains("COMPILATION ERROR") {
                break;
            }
        }
        Err(Failure::input(format!(
            "the build in {} does not compile: {}; run `{} compile` there and put right what it says",
            root.display(),
            first_error(&said),
            mvn.command()
        )))
    }

    fn run_step(
        &self,
        folder: &Path,
        step: &[String],
        network: Network,
        surroundings: Surroundings<'_>,
    ) -> Result<Result<(), String>, Failure> {
        let folders: Vec<&Path> = folder.ancestors().collect();
        let mvn = program(&folders, folder, surroundings)?;
        let mut arguments = options(network);
        // Not the modules below it.
        arguments.push("-N".to_owned());
        arguments.extend_from_slice(step);
        let output = mvn.run(folder, surroundings, &arguments)?;
        Ok(if output.status.success() { Ok(()) } else { Err(first_error(&text_of(&output))) })
    }
}

/// The outermost build that the folder is a module of.
fn root_of<'a>(folder: &'a Path, surroundings: Surroundings<'_>) -> &'a Path {
    let roots = roots(folder);
    if let [only] = roots[..] {
        return only;
    }
    let has_folder =
        |root: &&Path| modules_of(root, folder, surroundings).is_ok_and(|told| !told.modules.is_empty());
    roots.into_iter().find(has_folder).unwrap_or(folder)
}

/// Folders whose build the folder may belong to, the outermost first: as long as there is a `pom.xml` on the way up.
fn roots(folder: &Path) -> Vec<&Path> {
    let mut roots: Vec<&Path> =
        folder.ancestors().take_while(|ancestor| ancestor.join(POM).is_file()).collect();
    roots.reverse();
    roots
}

/// The wrapper in one of these folders, the first that has one, else the `mvn` of the path, for what lies in `folder`.
fn program(folders: &[&Path], folder: &Path, surroundings: Surroundings<'_>) -> Result<Program, Failure> {
    Program::find("mvnw", "mvn", folders, surroundings).ok_or_else(|| {
        Failure::input(format!(
            "{} is built with Maven, and there is neither a mvnw nor a mvn on the path; install Maven, or give a class \
             path with --cp",
            folder.display()
        ))
    })
}

fn options(network: Network) -> Vec<String> {
    let network = match network {
        Network::Offline => "-o",
        // Maven remembers for a day what it did not find, an outage of the network included.
        Network::Online => "-U",
    };
    ["-q", "-B", network].map(str::to_owned).to_vec()
}

/// The modules of the build at `root` that lie in `folder`: as Maven tells of them offline, unless something is missing that
/// the network may have.
fn modules_of(root: &Path, folder: &Path, surroundings: Surroundings<'_>) -> Result<Told, Failure> {
    let mvn = program(&[root, folder], folder, surroundings)?;
    (surroundings.note)(&format!("asking {} for the modules of {}", mvn.name(), root.display()));
    let asked = |network: Network| ask(&mvn, root, folder, network, surroundings);
    Told::offline_first(MavenBuild.name(), (&mvn, root), "validate", asked)
}

/// Asks once: the modules in the folder, or why Maven tells of none.
fn ask(
    mvn: &Program,
    root: &Path,
    folder: &Path,
    network: Network,
    surroundings: Surroundings<'_>,
) -> Result<Result<Vec<Described>, String>, Failure> {
    let aside = aside()?;
    let (jar, answer) = (aside.path().join("covolve-maven.jar"), aside.path().join("modules.json"));
    write_extension(&jar).map_err(|error| {
        Failure::output(format!("{} cannot be written: {error}; set TMPDIR", jar.display()))
    })?;
    let mut arguments = options(network);
    arguments.push(format!("-Dmaven.ext.class.path={}", jar.display()));
    arguments.push(format!("-Dcovolve.answer={}", answer.display()));
    // Maven wants to be told of a phase; the extension ends the run before it begins.
    arguments.push("validate".to_owned());
    let output = mvn.run(root, surroundings, &arguments)?;
    let Ok(json) = fs::read_to_string(&answer) else {
        return Ok(Err(first_error(&text_of(&output))));
    };
    let parsed = Answer::parse(&json).map(|answer| {
        let mut modules = answer.modules;
        modules.retain(|module| is_below(&module.folder, folder));
        modules
    });
    Ok(parsed.map_err(|error| format!("its answer cannot be read: {error}")))
}

/// Whether a folder is the other one or lies below it; links on the way count as what they lead to.
fn is_below(module: &Path, folder: &Path) -> bool {
    let module: PathBuf = fs::canonicalize(module).unwrap_or_else(|_| module.to_owned());
    module.starts_with(folder)
}

fn write_extension(jar: &Path) -> io::Result<()> {
    let mut writer = ZipWriter::new(fs::File::create(jar)?);
    let components = ("META-INF/plexus/components.xml", COMPONENTS.as_bytes());
    for (name, bytes) in CLASSES.iter().copied().chain([components]) {
        writer.start_file(name, SimpleFileOptions::default()).map_err(io::Error::other)?;
        writer.write_all(bytes)?;
    }
    writer.finish().map_err(io::Error::other)?;
    Ok(())
}

/// The first thing that Maven's log says to be wrong.
fn first_error(log: &str) -> String {
    let errors = log.lines().filter_map(|line| {
        let line = line.trim();
        let text = line.strip_prefix("[ERROR]").or_else(|| line.strip_prefix("[FATAL]"))?;
        let text = text.trim().trim_start_matches("[ERROR]").trim();
        (!text.is_empty() && !text.ends_with(':')).then_some(text)
    });
    let first = errors.into_iter().next().or_else(|| log.lines().rfind(|line| !line.trim().is_empty()));
    let first = first.unwrap_or("it failed without saying why");
    let first = first.split(" -> [Help").next().unwrap_or(first);
    first.trim().trim_end_matches(['.', ':']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_of_a_log_is_said() {
        let check = |log: &str, expect: &str| assert_eq!(first_error(log), expect);
        check(
            "[ERROR] [ERROR] Some problems were encountered while processing the POMs:\n[FATAL] Non-resolvable parent POM \
             for x:a:1: Could not find artifact x:root:pom:1 @ line 1, column 9\n @ \n[ERROR] The build could not read 1 \
             project -> [Help 1]\n",
            "Non-resolvable parent POM for x:a:1: Could not find artifact x:root:pom:1 @ line 1, column 9",
        );
        check(
            "[ERROR] COMPILATION ERROR : \n[ERROR] /b/p/A.java:[1,30] cannot find symbol\n[ERROR] Failed to execute",
            "/b/p/A.java:[1,30] cannot find symbol",
        );
        check("[ERROR] No goals. -> [Help 1]", "No goals");
        check("wget: unable to resolve host\n\n", "wget: unable to resolve host");
        check("", "it failed without saying why");
    }

    #[test]
    fn builds_around_a_folder_come_first() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("gap/build/module");
        fs::create_dir_all(&inner).unwrap();
        for place in ["", "gap/build", "gap/build/module"] {
            fs::write(folder.path().join(place).join(POM), "").unwrap();
        }
        assert_eq!(roots(&inner), [inner.parent().unwrap(), &inner]);
    }
}
