//! From what is asked for to what is asked of each module of a build.

use std::fs;
use std::path::PathBuf;

use crate::build::command::Surroundings;
use crate::build::findings::{Finding, Gravity, classes_of, findings, jdk_of};
use crate::build::form::BuildForm;
use crate::build::module::Module;
use crate::build::tool::{Build, discover};
use crate::environment::Environment;
use crate::failure::Failure;
use crate::jdk::Jdk;
use crate::junit::Junit;
use crate::nearest::nearest;
use crate::project::Note;
use crate::request::{ModuleClasses, Place, Request};
use crate::style::habits::Habits;

/// What is asked of a module, or of a class path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModuleRequest {
    /// Name of the module; `None` for a class path.
    pub module: Option<String>,
    /// What is asked for, with the class path.
    pub request: Request,
    /// Where JUnit may lie besides: what only the tests of the module need.
    pub junit_class_path: Vec<PathBuf>,
    /// Where the module's own tests are compiled to; empty for a class path.
    pub test_classes: Vec<PathBuf>,
    /// Folder of the module, in which a build runs its tests; `None` for a class path.
    pub folder: Option<PathBuf>,
    /// Where tests of the module belong, or why they cannot lie there; `None` for a class path.
    pub test_root: Option<Result<PathBuf, Failure>>,
    /// How its source files look.
    pub habits: Habits,
    /// How its build formats source files; `None` where it does not.
    pub form: Option<BuildForm>,
    /// What JaCoCo measured of its classes, where the build puts that.
    pub measured: Option<PathBuf>,
}

impl ModuleRequest {
    /// The class path that the build runs tests with, from that of main code as JVMs of ours get it: the classes and resources of the
    /// project's own tests first, what only tests need last. A driver or a configuration that lies there alone makes code
    /// do something else. What the JVM has beside it, JUnit and Mockito, is left out.
    pub fn class_path_of_tests(&self, main: &[PathBuf], junit: &Junit) -> Vec<PathBuf> {
        let is_beside = |entry: &&PathBuf| !main.contains(entry) && !junit.class_path.contains(entry);
        let libraries = self.junit_class_path.iter().filter(is_beside);
        self.test_classes.iter().chain(main).chain(libraries).cloned().collect()
    }

    /// Whether JUnit 5 runs test classes side by side, as a file among the resources of tests says.
    #[expect(clippy::disallowed_methods, reason = "reads the settings of JUnit")]
    pub fn is_parallel(&self) -> bool {
        let of_sources = self.folder.iter().map(|folder| folder.join(TEST_RESOURCES));
        let mut folders = self.test_classes.iter().cloned().chain(of_sources);
        folders
            .any(|folder| fs::read_to_string(folder.join(SETTINGS)).is_ok_and(|text| is_on(&text, PARALLEL)))
    }
}

/// Where resources of tests lie as a rule.
const TEST_RESOURCES: &str = "src/test/resources";
/// The settings of JUnit 5, and the one that lets test classes run side by side.
const SETTINGS: &str = "junit-platform.properties";
const PARALLEL: &str = "junit.jupiter.execution.parallel.enabled";

/// Whether the text of a file of properties says that this is true.
fn is_on(text: &str, key: &str) -> bool {
    let says = |line: &str| {
        let told = line.trim_start().strip_prefix(key).map(str::trim);
        told.is_some_and(|told| told.trim_start_matches(['=', ':']).trim() == "true")
    };
    text.lines().any(says)
}

/// What is asked of all modules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Requests {
    /// In the order of the build; never empty.
    pub modules: Vec<ModuleRequest>,
    /// Why there are not more.
    pub failures: Vec<Failure>,
    /// What is wrong with modules but stops nothing: it is to be said at the end once more, where somebody looks.
    pub remarks: Vec<String>,
}

/// Looks at the place that a request names: a class path is taken as it is, a project is discovered. `note` is told what takes
/// time, and what is wrong with modules but stops nothing.
///
/// # Errors
/// There is no build, it fails, no module holds what is asked for, or none that does can have tests.
pub fn requests(asked: &Request, environment: &Environment, note: Note<'_>) -> Result<Requests, Failure> {
    match &asked.place {
        Place::ClassPath => {
            let request = ModuleRequest { request: asked.clone(), ..ModuleRequest::default() };
            Ok(Requests { modules: vec![request], ..Requests::default() })
        }
        Place::Project { folder, build, words } => {
            let jdk = Jdk::find(asked.java_home.as_deref(), environment)?;
            let build = discover(folder, *build, Surroundings { environment, jdk: &jdk, words, note })?;
            let form = |module: &Module| BuildForm::of(module, build.tool, &jdk, words);
            assign(&build, &form, asked, environment, note)
        }
    }
}

/// Gives each module what is asked of it, and the form of its files.
fn assign(
    build: &Build,
    form: &dyn Fn(&Module) -> Option<BuildForm>,
    asked: &Request,
    environment: &Environment,
    note: Note<'_>,
) -> Result<Requests, Failure> {
    let mut requests = Requests::default();
    for (module, classes, prefixes) in shares(&build.modules, asked)? {
        let jdk = match jdk_of(module, asked.java_home.as_deref(), environment) {
            Ok(jdk) => jdk,
            Err(failure) => {
                requests.failures.push(failure);
                continue;
            }
        };
        let mut test_root = Ok(module.test_root.clone());
        let mut stops = None;
        for Finding { failure, gravity } in findings(module, &jdk) {
            match gravity {
                Gravity::Note if requests.remarks.contains(&failure.sentence) => {}
                Gravity::Note => {
                    note(&failure.sentence);
                    requests.remarks.push(failure.sentence);
                }
                Gravity::NotInBuild => test_root = Err(failure),
                Gravity::NoTests => stops = stops.or(Some(failure)),
            }
        }
        if let Some(failure) = stops {
            requests.failures.push(failure);
            continue;
        }
        let request = Request {
            classes,
            prefixes,
            class_path: module.class_path(),
            java_home: Some(jdk.home),
            module: Some(ModuleClasses {
                entries: module.own_classes().len(),
                generated: module.generated_sources(),
                told_by: "the build",
            }),
            place: Place::ClassPath,
            ..asked.clone()
        };
        requests.modules.push(ModuleRequest {
            module: Some(module.name.clone()),
            request,
            junit_class_path: module.test_libraries(),
            test_classes: module.test_classes.clone(),
            folder: Some(module.folder.clone()),
            test_root: Some(test_root),
            habits: module.habits(),
            form: form(module),
            measured: module.measured(),
        });
    }
    match requests.failures.first() {
        Some(failure) if requests.modules.is_empty() => Err(failure.clone()),
        _ => Ok(requests),
    }
}

/// A module with the classes and packages that are asked of it.
type Share<'a> = (&'a Module, Vec<String>, Vec<String>);

/// The modules that hold what is asked for: all of them, if nothing is named. Where there is but one it gets everything, and says
/// itself what it has not.
fn shares<'a>(modules: &'a [Module], asked: &Request) -> Result<Vec<Share<'a>>, Failure> {
    if let [only] = modules {
        return Ok(vec![(only, asked.classes.clone(), asked.prefixes.clone())]);
    }
    let mut shares: Vec<Share<'a>> = modules.iter().map(|module| (module, Vec::new(), Vec::new())).collect();
    for class in &asked.classes {
        let mut holders: Vec<&mut Share<'a>> =
            shares.iter_mut().filter(|share| share.0.holds_class(class)).collect();
        match holders.as_mut_slice() {
            [] => return Err(held_by_none(modules, class)),
            [(_, classes, _)] => classes.push(class.clone()),
            [(first, ..), .., (last, ..)] => {
                return Err(Failure::input(format!(
                    "{class} is in the modules {} and {}; name the folder of one of them with --project",
                    first.name, last.name
                )));
            }
        }
    }
    for prefix in &asked.prefixes {
        let holders = shares.iter_mut().filter(|share| share.0.holds_package(prefix));
        let mut is_held = false;
        for (_, _, prefixes) in holders {
            prefixes.push(prefix.clone());
            is_held = true;
        }
        if !is_held {
            return Err(Failure::input(format!(
                "no module has a package {prefix}{}; check --prefix and that all is compiled (--build)",
                missing_classes(modules)
            )));
        }
    }
    let names_any = !asked.classes.is_empty() || !asked.prefixes.is_empty();
    shares.retain(|(_, classes, prefixes)| !names_any || !classes.is_empty() || !prefixes.is_empty());
    Ok(shares)
}

fn held_by_none(modules: &[Module], class: &str) -> Failure {
    let all: Vec<String> = modules.iter().flat_map(classes_of).collect();
    let simple = |name: &str| name.rsplit('.').next().unwrap_or_default().to_lowercase();
    let same = all.iter().filter(|known| simple(known) == simple(class)).take(3).cloned();
    let mut near: Vec<String> = same.collect();
    if near.is_empty() {
        near = nearest(class, all.iter().map(|known| (known.as_str(), known.clone())));
    }
    let advice = match near.as_slice() {
        [] => "check --class and that all is compiled (--build)".to_owned(),
        near => format!("did you mean {}?", near.join(" or ")),
    };
    Failure::input(format!("no module has a class {class}{}; {advice}", missing_classes(modules)))
}

/// Which modules have no classes at all, as a part of a sentence.
fn missing_classes(modules: &[Module]) -> String {
    let names: Vec<&str> = (modules.iter())
        .filter(|module| module.own_classes().is_empty())
        .map(|module| module.name.as_str())
        .collect();
    match names.as_slice() {
        [] => String::new(),
        names => format!(" (nothing is compiled of {})", names.join(", ")),
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "test set-up")]
mod tests {
    use super::*;

    #[test]
    fn settings_of_junit_tell_whether_classes_run_side_by_side() {
        let check = |text: &str, expect: bool| assert_eq!(is_on(text, PARALLEL), expect, "{text}");
        check("junit.jupiter.execution.parallel.enabled = true\n", true);
        check("# JUnit\n  junit.jupiter.execution.parallel.enabled:true", true);
        check("junit.jupiter.execution.parallel.enabled=false", false);
        check("#junit.jupiter.execution.parallel.enabled=true", false);
        check("junit.jupiter.execution.parallel.enabled.x=true", false);
        check("", false);
    }
    use crate::build::answer::Described;

    /// Modules `a` (`p.A`, `p.Both`), `b` (`q.B`, `q.B$Inner`, `p.Both`) and `c`, which is not compiled; what each is asked for.
    fn check(classes: &[&str], prefixes: &[&str], expect: Result<&[&str], &str>) {
        let folder = tempfile::tempdir().unwrap();
        let module = |name: &str, classes: &[&str]| {
            let path = |part: &str| folder.path().join(name).join(part);
            fs::create_dir_all(path("src")).unwrap();
            for class in classes {
                let file = path("out").join(class);
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, "").unwrap();
            }
            let described = Described {
                name: name.into(),
                sources: vec![path("src")],
                classes: vec![path("out")],
                test_sources: vec![path("test")],
                ..Described::default()
            };
            Module::new(described).unwrap()
        };
        let modules = [
            module("a", &["p/A.class", "p/Both.class"]),
            module("b", &["q/B.class", "q/B$Inner.class", "p/Both.class"]),
            module("c", &[]),
        ];
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let asked = Request { classes: owned(classes), prefixes: owned(prefixes), ..Request::default() };
        let found = shares(&modules, &asked).map(|shares| {
            let share = |(module, classes, prefixes): Share<'_>| {
                format!("{} {} {}", module.name, classes.join(","), prefixes.join(","))
            };
            shares.into_iter().map(share).collect::<Vec<_>>()
        });
        let expect = expect.map(|shares| shares.iter().map(|&share| share.to_owned()).collect::<Vec<_>>());
        assert_eq!(found.map_err(|failure| failure.sentence), expect.map_err(str::to_owned));
    }

    #[test]
    fn each_module_is_asked_for_what_it_holds() {
        check(&[], &[], Ok(&["a  ", "b  ", "c  "]));
        check(&["p.A", "q.B$Inner"], &[], Ok(&["a p.A ", "b q.B$Inner "]));
        check(&["q.B"], &["p"], Ok(&["a  p", "b q.B p"]));
    }

    #[test]
    fn what_no_module_holds_or_two_do_is_one_sentence() {
        check(
            &["p.Both"],
            &[],
            Err("p.Both is in the modules a and b; name the folder of one of them with --project"),
        );
        check(&["x.b"], &[], Err("no module has a class x.b (nothing is compiled of c); did you mean q.B?"));
        check(
            &[],
            &["x"],
            Err(
                "no module has a package x (nothing is compiled of c); check --prefix and that all is compiled (--build)",
            ),
        );
    }
}
