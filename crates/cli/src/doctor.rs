//! `covolve doctor`: what a folder holds, how that was found out, and what keeps tests from being generated.

use std::io::Write;
use std::path::Path;

use project::build::command::Surroundings;
use project::build::findings::{Finding, Gravity, duplicates, findings, jdk_of};
use project::build::formatters::Formatter;
use project::build::freshness::Freshness;
use project::build::module::Module;
use project::build::tool::{Build, discover};
use project::environment::Environment;
use project::jdk::Jdk;
use project::test_sources::check_folder;

use crate::args::DoctorArgs;
use crate::exit_code::ExitCode;
use crate::generate::machine::Machine;

/// Runs `doctor`; what it says goes to `out`.
///
/// # Errors
/// There is no build, or none that can be read, or what is said cannot be printed.
pub fn run(
    arguments: &DoctorArgs,
    environment: &Environment,
    note: &dyn Fn(&str),
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let jdk = Jdk::find(arguments.java_home.as_deref(), environment)?;
    let folder = arguments.project.as_deref().unwrap_or(Path::new("."));
    let surroundings = Surroundings { environment, jdk: &jdk, words: &arguments.build_args, note };
    let build = discover(folder, arguments.build, surroundings)?;
    let machine = Machine::look(environment);
    let examined: Vec<Examined<'_>> = (build.modules.iter())
        .map(|module| Examined::new(module, arguments.java_home.as_deref(), environment))
        .collect();
    out.write_all(page(&build, &jdk, &machine.describe(&machine.room_for(None)), &examined).as_bytes())?;
    out.flush()?;
    let stops = examined.iter().flat_map(|module| &module.findings).filter(|finding| is_problem(finding));
    Ok(ExitCode::gravest(stops.map(|finding| finding.failure.kind.into())))
}

/// Whether it keeps `generate` from doing what it does where nothing else is said.
fn is_problem(finding: &Finding) -> bool {
    match finding.gravity {
        Gravity::Note => false,
        Gravity::NotInBuild | Gravity::NoTests => true,
    }
}

/// A module with what is wrong with it.
struct Examined<'a> {
    module: &'a Module,
    findings: Vec<Finding>,
}

impl<'a> Examined<'a> {
    fn new(module: &'a Module, java_home: Option<&Path>, environment: &Environment) -> Self {
        let mut found = match jdk_of(module, java_home, environment) {
            Ok(jdk) => findings(module, &jdk),
            Err(failure) => vec![Finding { failure, gravity: Gravity::NoTests }],
        };
        let root = &module.test_root;
        if let Err(failure) = check_folder(root, root, "test files", "--out") {
            found.push(Finding { failure, gravity: Gravity::NotInBuild });
        }
        Self { module, findings: found }
    }
}

/// All that is said.
fn page(build: &Build, jdk: &Jdk, room: &str, examined: &[Examined<'_>]) -> String {
    let mut lines = vec![
        format!("{} in {}, told by {}", build.tool, build.folder.display(), build.how),
        format!("JDK {} in {}", jdk.version, jdk.home.display()),
        room.to_owned(),
    ];
    for Examined { module, findings } in examined {
        lines.push(String::new());
        lines.push(format!("module {}", module.name));
        let facts = facts(module, &build.folder);
        lines.extend(facts.into_iter().map(|(name, fact)| format!("  {name:10}  {fact}")));
        lines.extend(findings.iter().map(|finding| {
            let gravity = if is_problem(finding) { "problem" } else { "note" };
            format!("  {gravity:10}  {}", finding.failure.sentence)
        }));
    }
    let twice = duplicates(&build.modules);
    if let Some((class, modules)) = twice.first_key_value() {
        let others =
            if twice.len() > 1 { format!(" and {} more classes", twice.len() - 1) } else { String::new() };
        lines.push(String::new());
        lines.push(format!(
            "{class}{others} in several modules ({}): where one is meant, name its folder with --project",
            modules.join(", ")
        ));
    }
    let stopped = examined.iter().filter(|module| module.findings.iter().any(is_problem)).count();
    lines.push(String::new());
    let modules = if examined.len() == 1 { "module" } else { "modules" };
    lines.push(format!(
        "{} {modules}: {} can have tests, {stopped} cannot",
        examined.len(),
        examined.len() - stopped
    ));
    lines.join("\n") + "\n"
}

/// What was found of a module, each with its name.
fn facts(module: &Module, folder: &Path) -> Vec<(&'static str, String)> {
    let path = |path: &Path| match path.strip_prefix(folder) {
        Ok(inside) if inside.as_os_str().is_empty() => ".".to_owned(),
        Ok(inside) => inside.display().to_string(),
        Err(_) => path.display().to_string(),
    };
    let paths = |folders: &[std::path::PathBuf]| {
        let paths: Vec<String> = folders.iter().map(|folder| path(folder)).collect();
        if paths.is_empty() { "none".to_owned() } else { paths.join(", ") }
    };
    let libraries: Vec<String> =
        module.libraries().iter().map(|library| format!("{} {}", library.name, library.version)).collect();
    let release = module.release.map(|release| release.to_string());
    let modular = module.is_modular().then(|| "a module-info".to_owned());
    let java: Vec<String> = release.into_iter().chain(module.encoding.clone()).chain(modular).collect();
    let state = match module.freshness() {
        Freshness::Fresh => ", up to date",
        Freshness::Missing => ", missing",
        Freshness::Stale { .. } => ", older than sources",
    };
    let exists = if module.test_root.is_dir() { "" } else { ", to be made" };
    let mut facts = vec![
        ("sources", paths(&module.sources)),
        ("classes", paths(&module.classes) + state),
        ("tests", path(&module.test_root) + exists),
        ("class path", entries(module.class_path().len())),
        ("for tests", entries(module.test_libraries().len())),
    ];
    let optional = [
        ("generated", if module.generated.is_empty() { String::new() } else { paths(&module.generated) }),
        ("libraries", libraries.join(", ")),
        ("Java", java.join(", ")),
        (
            "JDK",
            module.jdk.as_deref().map_or_else(String::new, |jdk| format!("{}, of toolchains", jdk.display())),
        ),
        ("profiles", module.profiles.join(", ")),
        ("formatter", module.formatters.iter().map(Formatter::name).collect::<Vec<_>>().join(", ")),
    ];
    facts.extend(optional.into_iter().filter(|(_, fact)| !fact.is_empty()));
    facts
}

fn entries(number: usize) -> String {
    if number == 1 { "1 entry".to_owned() } else { format!("{number} entries") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(name: &str) -> Module {
        Module {
            name: name.into(),
            folder: "/b".into(),
            is_built: true,
            sources: vec!["/b/src/main/java".into()],
            generated: Vec::new(),
            classes: vec!["/b/target/classes".into()],
            test_root: "/b/src/test/java".into(),
            test_classes: Vec::new(),
            dependencies: vec![
                "/repo/junit-jupiter-api-5.10.0.jar".into(),
                "/repo/mockito-core-5.2.0.jar".into(),
            ],
            test_only: vec!["/repo/mockito-core-5.2.0.jar".into()],
            absent: Vec::new(),
            release: Some(17),
            skips_tests: None,
            encoding: Some("UTF-8".into()),
            jdk: Some("/jdk-21".into()),
            profiles: vec!["ci".into()],
            problem: None,
            formatters: Vec::new(),
        }
    }

    #[test]
    fn a_page_tells_what_was_found_and_what_is_wrong() {
        let build = Build {
            folder: "/b".into(),
            tool: "Maven",
            how: "mvnw offline in /b".into(),
            modules: vec![module("one")],
        };
        let jdk = Jdk { home: "/jdk".into(), version: 17, libjvm: "/jdk/libjvm.so".into() };
        let finding = Finding {
            failure: project::failure::Failure::input("one is not compiled; compile it, or give --build"),
            gravity: Gravity::NoTests,
        };
        let examined = [Examined { module: &build.modules[0], findings: vec![finding] }];
        let expect = "\
Maven in /b, told by mvnw offline in /b
JDK 17 in /jdk
2 classes side by side, for 2 processors

module one
  sources     src/main/java
  classes     target/classes, up to date
  tests       src/test/java, to be made
  class path  1 entry
  for tests   1 entry
  libraries   JUnit 5 5.10.0, Mockito 5.2.0
  Java        17, UTF-8
  JDK         /jdk-21, of toolchains
  profiles    ci
  problem     one is not compiled; compile it, or give --build

1 module: 0 can have tests, 1 cannot
";
        assert_eq!(page(&build, &jdk, "2 classes side by side, for 2 processors", &examined), expect);
    }
}
