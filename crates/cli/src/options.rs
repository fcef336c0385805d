//! Options checked and given their meaning. Nothing here looks at files: a wrong value is told apart from a wrong
//! place before anything is opened.

mod looks;

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use concolic::solver::SOLVERS;
use coverage::selection::{GoalSelection, LINE_THRESHOLD};
use output::assertion::oracles::SuiteSize;
use output::junit::naming::test_names::NameScheme;
use project::build::module::GeneratedSources;
use project::class_pattern::ClassPattern;
use project::failure::Failure;
use project::nearest::{did_you_mean, one_of};
use project::request::{Coordinates, JunitChoice, ModuleClasses, Place, Request};
use search::profiles::Profile;

pub use self::looks::{Form, Looks, Mocks};
use self::looks::{form, looks};
use crate::args::{AgainArgs, GenerateArgs, GoalsArgs, ReportArgs, TargetArgs, WhichArgs};
use crate::generate::engine::Engine;
use crate::generate::shard::Shard;
use crate::search_config::{SetUp, choice};

/// Time for a class where none is said.
const DEFAULT_BUDGET: Duration = Duration::from_mins(1);

/// How much may be spent on a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
    /// Time for everything, from the known class path to the file on disk; hard.
    Time(Duration),
    /// Executions of the search; all later phases are bounded by counts, so that the result repeats.
    Executions(u64),
}

/// Names that `--algorithm` and `--criterion` take: the tables of the crates that hold the things named.
#[derive(Debug, Clone, Copy)]
pub struct Names<'a> {
    /// Algorithms, the default first.
    pub algorithms: &'a [&'a str],
    /// Criteria, in the order in which they are reported.
    pub criteria: &'a [&'a str],
    /// The criteria used where none is named.
    pub default_criteria: &'a [&'a str],
}

/// What `generate` is to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The classes to test.
    pub request: Request,
    /// Which of them, and what of these.
    pub which: WhichOptions,
    /// Root of the test sources; `None` for that of the module.
    pub out: Option<PathBuf>,
    /// Budget per class.
    pub budget: Budget,
    /// Time of the whole run; `None` where each class has its budget.
    pub total_budget: Option<Duration>,
    /// Seed.
    pub seed: u64,
    /// Algorithm, a name of the table.
    pub algorithm: String,
    /// Solver of the conditions of paths.
    pub solver: String,
    /// Criteria, in the order of the table.
    pub criteria: Vec<String>,
    /// Profile and parameters of the search.
    pub set_up: SetUp,
    /// Which of their goals guide the search.
    pub goal_selection: GoalSelection,
    /// Lines of basic blocks shorter than this do not guide under [`GoalSelection::Smart`].
    pub line_threshold: u32,
    /// Which tests suites keep.
    pub suite: SuiteSize,
    /// How tests are named.
    pub names: NameScheme,
    /// How they stand in a file.
    pub looks: Looks,
    /// What form new files have.
    pub form: Form,
    /// JUnit asked for.
    pub junit: JunitChoice,
    /// Where JUnit lies besides the class path.
    pub junit_class_path: Vec<PathBuf>,
    /// Source level of the tests, 8 or more; `None` for that of the class file.
    pub source_level: Option<u16>,
    /// Where they are worked on.
    pub engine: Engine,
    /// Part of the classes; `None` for all.
    pub shard: Option<Shard>,
    /// Classes side by side; `None` for what the machine has room for.
    pub jobs: Option<NonZeroUsize>,
    /// Workers that search a class side by side; `None` for what suits classes and budget. One unless the user says
    /// otherwise: what more of them bring is yet to be measured.
    pub islands: Option<NonZeroUsize>,
    /// Whether to print JSON.
    pub json: bool,
    /// Whether more is said than what is needed.
    pub is_verbose: bool,
    /// Whether edited files may be overwritten.
    pub force: bool,
    /// Tables for statistics, if asked for.
    pub report: Option<ReportOptions>,
    /// What is known of earlier runs.
    pub state: StateOptions,
}

/// Which classes of those that are meant, in which order, and what of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WhichOptions {
    /// The commit since which they have changed.
    pub since: Option<String>,
    /// What JaCoCo measured of them; none for what the build has.
    pub coverage: Vec<PathBuf>,
    /// Whether the project's own tests run first, and what they cover is left to them.
    pub existing: bool,
}

/// What is known of earlier runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StateOptions {
    /// Where it is kept; `None` for a folder in that of the project.
    pub folder: Option<PathBuf>,
    /// Whether classes that have not changed are searched all the same.
    pub fresh: bool,
    /// Whether tests that fail are replaced.
    pub update: bool,
}

/// Tables for statistics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportOptions {
    /// Their folder.
    pub folder: PathBuf,
    /// What they say as `configuration_id`.
    pub configuration_id: String,
    /// Intervals of the budget at whose ends coverage is a column; 0 for no such columns.
    pub intervals: u32,
    /// Columns of the table of classes, as they were asked for; empty for all.
    pub columns: Vec<String>,
}

/// The classes that arguments ask for; none need be named.
///
/// # Errors
/// The first value that is wrong, with [`crate::exit_code::ExitCode::Usage`].
pub fn request(arguments: &TargetArgs) -> Result<Request, Failure> {
    Ok(Request {
        exclude: arguments.exclude.iter().map(|text| ClassPattern::parse(text)).collect::<Result<_, _>>()?,
        place: place(arguments)?,
        module: targets(&arguments.targets),
        classes: class_names("--class", &arguments.classes)?,
        prefixes: class_names("--prefix", &arguments.prefixes)?,
        class_path: arguments.targets.iter().cloned().chain(split_paths(&arguments.class_path)).collect(),
        maven: arguments.maven.iter().map(|text| Coordinates::parse(text)).collect::<Result<_, _>>()?,
        java_home: arguments.java_home.clone(),
    })
}

/// What is said to hold the classes that are meant.
fn targets(paths: &[PathBuf]) -> Option<ModuleClasses> {
    let entries = paths.iter().collect::<BTreeSet<_>>().len();
    let generated = GeneratedSources::default();
    (entries > 0).then_some(ModuleClasses { entries, generated, told_by: "--target" })
}

/// A class path that is given, or else the project.
fn place(arguments: &TargetArgs) -> Result<Place, Failure> {
    let given = [
        ("--target", !arguments.targets.is_empty()),
        ("--cp", !arguments.class_path.is_empty()),
        ("--maven", !arguments.maven.is_empty()),
    ];
    let Some((option, _)) = given.into_iter().find(|(_, is_given)| *is_given) else {
        let folder = arguments.project.clone().unwrap_or_else(|| PathBuf::from("."));
        return Ok(Place::Project { folder, build: arguments.build, words: arguments.build_args.clone() });
    };
    let of_projects = [
        ("--project", arguments.project.is_some()),
        ("--build", arguments.build),
        ("--build-arg", !arguments.build_args.is_empty()),
    ];
    match of_projects.into_iter().find(|(_, is_given)| *is_given) {
        Some((other, _)) => Err(Failure::usage(format!(
            "{other} is for a project, and {option} says that the classes are elsewhere; leave one of them out"
        ))),
        None => Ok(Place::ClassPath),
    }
}

/// As [`request`], where a class or package of a class path must be named: it may hold a world of classes.
///
/// # Errors
/// None is, or as for [`request`].
fn named(arguments: &TargetArgs) -> Result<Request, Failure> {
    let request = request(arguments)?;
    let is_bounded = request.place != Place::ClassPath || request.module.is_some();
    if !is_bounded && request.classes.is_empty() && request.prefixes.is_empty() {
        return Err(Failure::usage("no class is named; give --class, --prefix or --target"));
    }
    Ok(request)
}

impl Options {
    /// Checks every value.
    ///
    /// # Errors
    /// The first that is wrong, with [`crate::exit_code::ExitCode::Usage`].
    pub fn new(arguments: &GenerateArgs, names: Names<'_>) -> Result<Self, Failure> {
        let request = named(&arguments.targets)?;
        let set_up = SetUp::new(arguments)?;
        // Its names have just been checked.
        let profile = set_up.profile().ok().flatten();
        let (goal_selection, line_threshold) = goal_selection(arguments, profile)?;
        let algorithms = profile.map_or(names.algorithms, |profile| profile.algorithms);
        let default_algorithm = algorithms.first().copied().unwrap_or_default();
        let names = Names {
            default_criteria: profile.map_or(names.default_criteria, |profile| profile.own_criteria()),
            ..names
        };
        let (budget, total_budget) = budgets(arguments, profile)?;
        Ok(Self {
            request,
            which: which(arguments)?,
            out: arguments.out.clone(),
            budget,
            total_budget,
            seed: number("--seed", &arguments.seed, 0, u64::MAX)?,
            algorithm: choose(
                "--algorithm",
                arguments.algorithm.as_deref().unwrap_or(default_algorithm),
                names.algorithms,
            )?,
            criteria: criteria(&arguments.criteria, names)?,
            solver: choose("--solver", &arguments.solver, &SOLVERS.map(|solver| solver.name))?,
            set_up,
            goal_selection,
            line_threshold,
            suite: suite(arguments, profile)?,
            names: name_scheme(arguments)?,
            looks: looks(&arguments.looks, profile)?,
            form: form(&arguments.looks)?,
            junit: JunitChoice::parse(&arguments.junit)?,
            junit_class_path: split_paths(&arguments.junit_class_path),
            source_level: (arguments.source_level.as_deref())
                .map(|text| number("--source-level", text, 8, 99).map(|level| level as u16))
                .transpose()?,
            jobs: (arguments.jobs.as_deref())
                .map(|text| number("--jobs", text, 1, 1024))
                .transpose()?
                .and_then(|jobs| NonZeroUsize::new(jobs as usize)),
            engine: Engine::new(arguments)?,
            shard: arguments.shard.as_deref().map(Shard::parse).transpose()?,
            islands: arguments.islands.as_deref().map_or(Ok(Some(NonZeroUsize::MIN)), islands)?,
            json: arguments.json,
            is_verbose: arguments.verbose,
            force: arguments.force,
            report: report(&arguments.report)?,
            state: state(&arguments.again),
        })
    }
}

/// What a class gets, at most where there is a time for the whole run, and that time.
fn budgets(
    arguments: &GenerateArgs,
    profile: Option<&Profile>,
) -> Result<(Budget, Option<Duration>), Failure> {
    let of_class = arguments.budget.as_deref().map(|text| Budget::parse("--budget", text)).transpose()?;
    let of_profile = profile.and_then(|profile| choice(profile, &arguments.criteria));
    let of_profile = of_profile.map(|choice| Budget::Time(Duration::from_secs(choice.budget_seconds)));
    let total =
        arguments.total_budget.as_deref().map(|text| Budget::parse("--total-budget", text)).transpose()?;
    let Some(total) = total else {
        return Ok((of_class.or(of_profile).unwrap_or(Budget::Time(DEFAULT_BUDGET)), None));
    };
    let Some(time) = total.time() else {
        return Err(Failure::usage(
            "--total-budget shares time, and executions are none; give a time such as 30m",
        ));
    };
    if let Some(Budget::Executions(_)) = of_class {
        return Err(Failure::usage(
            "--total-budget shares time, and --budget is a number of executions; give --budget as a time, or leave one of them out",
        ));
    }
    Ok((of_class.or(of_profile).unwrap_or(total), Some(time)))
}

/// Which classes, in which order, and what of them: nobody knows where the project's own tests of a class path are.
fn which(arguments: &GenerateArgs) -> Result<WhichOptions, Failure> {
    let WhichArgs { since, coverage, existing } = arguments.which.clone();
    if existing && place(&arguments.targets)? == Place::ClassPath {
        return Err(Failure::usage(
            "--existing runs the tests of a project, and a class path has none that are known; give --project instead, or leave it out",
        ));
    }
    Ok(WhichOptions { since, coverage, existing })
}

fn state(arguments: &AgainArgs) -> StateOptions {
    StateOptions { folder: arguments.state.state.clone(), fresh: arguments.fresh, update: arguments.update }
}

/// Options of `goals`, checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoalsOptions {
    /// The classes whose goals are listed.
    pub request: Request,
    /// Criteria, in the order of the table.
    pub criteria: Vec<String>,
}

impl GoalsOptions {
    /// Checks every value.
    ///
    /// # Errors
    /// The first that is wrong, with [`crate::exit_code::ExitCode::Usage`].
    pub fn new(arguments: &GoalsArgs, names: Names<'_>) -> Result<Self, Failure> {
        Ok(Self { request: named(&arguments.targets)?, criteria: criteria(&arguments.criteria, names)? })
    }
}

impl Budget {
    /// Reads `60s`, `1.5s`, `500ms`, `2m`, `2h`, `20000executions`.
    fn parse(option: &str, text: &str) -> Result<Self, Failure> {
        let is_of_unit = |character: char| !character.is_ascii_digit() && character != '.';
        let (number, unit) = text.split_at(text.find(is_of_unit).unwrap_or(text.len()));
        let time = |unit: f64| {
            let time = Duration::try_from_secs_f64(number.parse::<f64>().ok()? * unit).ok();
            time.filter(|time| !time.is_zero()).map(Self::Time)
        };
        let budget = match unit {
            "ms" => time(0.001),
            "s" => time(1.0),
            "m" => time(60.0),
            "h" => time(3600.0),
            "execution" | "executions" => {
                number.parse().ok().filter(|number| *number > 0).map(Self::Executions)
            }
            _ => None,
        };
        // A year is beyond every use and keeps sums of times from overflowing.
        let longest = Duration::from_hours(365 * 24);
        budget.filter(|budget| !matches!(budget, Self::Time(time) if *time > longest)).ok_or_else(|| {
            Failure::usage(format!(
                "{option} {text} is no budget; give a time such as 60s or 500ms, or executions such as \
                 20000executions"
            ))
        })
    }

    /// The time, if it is one.
    pub fn time(self) -> Option<Duration> {
        match self {
            Self::Time(time) => Some(time),
            Self::Executions(_) => None,
        }
    }
}

/// Splits class paths at their colons; empty entries mean nothing.
fn split_paths(texts: &[std::ffi::OsString]) -> Vec<PathBuf> {
    texts.iter().flat_map(std::env::split_paths).filter(|path| !path.as_os_str().is_empty()).collect()
}

fn class_names(option: &str, texts: &[String]) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    for text in texts {
        let part_is_legal = |part: &str| {
            !part.is_empty()
                && !part.contains(|c: char| c.is_whitespace() || c.is_control() || ";[/<>:".contains(c))
        };
        if !text.split('.').all(part_is_legal) {
            let example =
                if option == "--class" { "com.acme.Foo or 'com.acme.Outer$Inner'" } else { "com.acme.util" };
            return Err(Failure::usage(format!("{option} {text} is no name; give it as {example}")));
        }
        if !names.contains(text) {
            names.push(text.clone());
        }
    }
    Ok(names)
}

pub(crate) fn number(option: &str, text: &str, least: u64, most: u64) -> Result<u64, Failure> {
    text.parse().ok().filter(|number| (least..=most).contains(number)).ok_or_else(|| {
        let range = if most == u64::MAX { "0 or more".to_owned() } else { format!("{least} to {most}") };
        Failure::usage(format!("{option} {text} is not possible; give a whole number, {range}"))
    })
}

/// Most islands of a class: each is a JVM.
const MOST_ISLANDS: usize = 64;

/// Reads a number of islands; `None` for `auto`.
fn islands(text: &str) -> Result<Option<NonZeroUsize>, Failure> {
    if text == "auto" {
        return Ok(None);
    }
    let number = text.parse().ok().filter(|number: &NonZeroUsize| number.get() <= MOST_ISLANDS);
    number.map(Some).ok_or_else(|| {
        Failure::usage(format!(
            "--islands {text} is not possible; give a whole number, 1 to {MOST_ISLANDS}, or auto"
        ))
    })
}

/// The name, if it is one of these; `option` is where it was given.
pub(crate) fn choose(option: &str, text: &str, names: &[&str]) -> Result<String, Failure> {
    if names.contains(&text) {
        return Ok(text.to_owned());
    }
    let near = did_you_mean(text, names);
    Err(Failure::usage(format!("{option} {text} is not known; give {}{near}", one_of(names))))
}

/// Which goals guide: where nothing is said as the profile has it.
fn goal_selection(
    arguments: &GenerateArgs,
    profile: Option<&Profile>,
) -> Result<(GoalSelection, u32), Failure> {
    let names: Vec<&str> = GoalSelection::ALL.iter().map(|selection| selection.name()).collect();
    let asked = arguments.goal_selection.as_deref();
    let asked = asked.map(|text| choose("--goal-selection", text, &names)).transpose()?;
    let own = profile.and_then(|profile| profile.goal_selections.first().copied());
    let default = own.unwrap_or_default();
    let selection = asked.and_then(|name| GoalSelection::from_name(&name)).unwrap_or(default);
    let threshold = match (&arguments.line_threshold, selection) {
        (None, _) => LINE_THRESHOLD,
        (Some(text), GoalSelection::Smart | GoalSelection::SmartReturns) => {
            number("--line-threshold", text, 0, u64::from(u16::MAX))? as u32
        }
        (Some(_), GoalSelection::Combine | GoalSelection::Representatives) => {
            return Err(Failure::usage(format!(
                "--line-threshold says which lines --goal-selection smart leaves out, and the goal selection is {}; give \
                 --goal-selection smart as well, or leave it out",
                selection.name()
            )));
        }
    };
    Ok((selection, threshold))
}

/// Which tests suites keep: with a profile all, since papers count goals.
fn suite(arguments: &GenerateArgs, profile: Option<&Profile>) -> Result<SuiteSize, Failure> {
    let default = if profile.is_some() { SuiteSize::Complete } else { SuiteSize::default() };
    let Some(asked) = arguments.suite.as_deref() else { return Ok(default) };
    let name = choose("--suite", asked, &SuiteSize::ALL.map(SuiteSize::name))?;
    Ok(SuiteSize::from_name(&name).unwrap_or(default))
}

/// How tests are named.
fn name_scheme(arguments: &GenerateArgs) -> Result<NameScheme, Failure> {
    let name = choose("--names", &arguments.names, &NameScheme::ALL.map(NameScheme::name))?;
    Ok(NameScheme::from_name(&name).unwrap_or_default())
}

/// Intervals of a timeline at most: columns are for people, too.
const MOST_INTERVALS: u64 = 10_000;

fn report(arguments: &ReportArgs) -> Result<Option<ReportOptions>, Failure> {
    let intervals = arguments.timeline.as_deref();
    let intervals = intervals.map(|text| number("--timeline", text, 1, MOST_INTERVALS)).transpose()?;
    let Some(folder) = &arguments.report else {
        let needless = [
            ("--timeline", arguments.timeline.is_some()),
            ("--configuration-id", arguments.configuration_id.is_some()),
            ("--columns", !arguments.columns.is_empty()),
        ];
        return match needless.into_iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) => Err(Failure::usage(format!(
                "{option} says what the tables of --report hold, and there is no --report; give --report DIR as well"
            ))),
            None => Ok(None),
        };
    };
    Ok(Some(ReportOptions {
        folder: folder.clone(),
        configuration_id: arguments.configuration_id.clone().unwrap_or_default(),
        intervals: intervals.unwrap_or(0) as u32,
        columns: arguments.columns.iter().flat_map(|text| text.split(',')).map(str::to_owned).collect(),
    }))
}

pub(crate) fn criteria(texts: &[String], names: Names<'_>) -> Result<Vec<String>, Failure> {
    let mut chosen = Vec::new();
    for text in texts.iter().flat_map(|text| text.split([',', ':'])) {
        chosen.push(choose("--criterion", text, names.criteria)?);
    }
    if chosen.is_empty() {
        chosen.extend(names.default_criteria.iter().map(|&name| name.to_owned()));
    }
    let in_order = names.criteria.iter().filter(|name| chosen.iter().any(|chosen| chosen == *name));
    Ok(in_order.map(|&name| name.to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: Names<'_> = Names {
        algorithms: &["dynamosa", "ma", "ws", "random"],
        criteria: &["branch", "line", "exception"],
        default_criteria: &["branch", "line"],
    };

    fn arguments() -> GenerateArgs {
        let targets =
            TargetArgs { classes: vec!["a.B".into()], class_path: vec!["x".into()], ..TargetArgs::default() };
        GenerateArgs {
            targets,
            seed: "0".into(),
            junit: "auto".into(),
            solver: "built-in".into(),
            names: "camel".into(),
            ..GenerateArgs::default()
        }
    }

    pub(super) fn options(change: impl FnOnce(&mut GenerateArgs)) -> Result<Options, String> {
        let mut arguments = arguments();
        change(&mut arguments);
        Options::new(&arguments, NAMES).map_err(|failure| failure.sentence)
    }

    #[test]
    fn defaults_are_those_of_the_tables() {
        let options = options(|_| ()).unwrap();
        assert_eq!(options.algorithm, "dynamosa");
        assert_eq!(options.criteria, ["branch", "line"]);
        assert_eq!((options.source_level, options.jobs), (None, None));
        assert_eq!(options.islands, Some(NonZeroUsize::MIN));
    }

    #[test]
    fn without_a_class_path_the_project_is_asked_and_nothing_need_be_named() {
        let options = options(|arguments| {
            let build_args = vec!["-Pfast".into()];
            arguments.targets = TargetArgs { build: true, build_args, ..TargetArgs::default() };
        });
        let options = options.unwrap();
        let (folder, words) = (".".into(), vec!["-Pfast".into()]);
        assert_eq!(options.request.place, Place::Project { folder, build: true, words });
        assert_eq!((options.request.classes.len(), options.out), (0, None));
    }

    #[test]
    fn a_target_bounds_the_class_path_so_that_nothing_need_be_named() {
        let options = options(|arguments| {
            arguments.targets = TargetArgs {
                targets: vec!["a.jar".into(), "b".into(), "a.jar".into()],
                class_path: vec!["c:d".into()],
                ..TargetArgs::default()
            };
        });
        let Request { class_path, module, place, .. } = options.unwrap().request;
        assert_eq!(class_path, ["a.jar", "b", "a.jar", "c", "d"].map(PathBuf::from));
        assert_eq!(
            (module.map(|module| (module.entries, module.told_by)), place),
            (Some((2, "--target")), Place::ClassPath)
        );
    }

    #[test]
    fn islands_are_a_number_or_left_to_the_machine() {
        let check = |text: &str, expect: Result<Option<usize>, &str>| {
            let found = islands(text).map(|islands| islands.map(NonZeroUsize::get));
            assert_eq!(found.map_err(|failure| failure.sentence), expect.map_err(str::to_owned), "{text}");
        };
        check("auto", Ok(None));
        check("1", Ok(Some(1)));
        check("64", Ok(Some(64)));
        check("65", Err("--islands 65 is not possible; give a whole number, 1 to 64, or auto"));
        check("0", Err("--islands 0 is not possible; give a whole number, 1 to 64, or auto"));
        check("Auto", Err("--islands Auto is not possible; give a whole number, 1 to 64, or auto"));
    }

    #[test]
    fn budgets_are_times_or_executions() {
        let check = |text: &str, expect| assert_eq!(Budget::parse("--budget", text).ok(), expect, "{text}");
        check("60s", Some(Budget::Time(Duration::from_mins(1))));
        check("500ms", Some(Budget::Time(Duration::from_millis(500))));
        check("3.4s", Some(Budget::Time(Duration::from_millis(3400))));
        check("0.5h", Some(Budget::Time(Duration::from_mins(30))));
        check("2m", Some(Budget::Time(Duration::from_mins(2))));
        check("2h", Some(Budget::Time(Duration::from_hours(2))));
        check("20000executions", Some(Budget::Executions(20_000)));
        check("1execution", Some(Budget::Executions(1)));
        for wrong in [
            "",
            "60",
            "s",
            "0s",
            "-1s",
            "1.5.0s",
            "1.5executions",
            "10 s",
            "10x",
            "99999999999999999999s",
            "9999999999s",
        ] {
            check(wrong, None);
        }
    }

    #[test]
    fn a_class_gets_no_more_than_its_budget_of_the_time_of_a_run() {
        let check = |budget: Option<&str>, total: Option<&str>, expect: Result<(u64, Option<u64>), &str>| {
            let found = options(|arguments| {
                arguments.budget = budget.map(Into::into);
                arguments.total_budget = total.map(Into::into);
            });
            let seconds = |options: Options| {
                (options.budget.time().unwrap().as_secs(), options.total_budget.map(|total| total.as_secs()))
            };
            assert_eq!(found.map(seconds), expect.map_err(str::to_owned), "{budget:?} {total:?}");
        };
        check(None, None, Ok((60, None)));
        check(None, Some("30m"), Ok((1800, Some(1800))));
        check(Some("20s"), Some("30m"), Ok((20, Some(1800))));
        check(
            Some("9executions"),
            Some("30m"),
            Err(
                "--total-budget shares time, and --budget is a number of executions; give --budget as a time, or leave one of \
                 them out",
            ),
        );
        check(
            None,
            Some("9executions"),
            Err("--total-budget shares time, and executions are none; give a time such as 30m"),
        );
        check(
            None,
            Some("30"),
            Err(
                "--total-budget 30 is no budget; give a time such as 60s or 500ms, or executions such as 20000executions",
            ),
        );
    }

    #[test]
    fn criteria_come_as_lists_and_in_the_order_of_the_table() {
        let criteria = |texts: &[&str]| {
            options(|arguments| arguments.criteria = texts.iter().map(|&text| text.into()).collect())
                .map(|options| options.criteria)
        };
        assert_eq!(criteria(&["line"]).unwrap(), ["line"]);
        assert_eq!(criteria(&["exception:line", "branch,line"]).unwrap(), ["branch", "line", "exception"]);
        assert_eq!(
            criteria(&["lines"]).unwrap_err(),
            "--criterion lines is not known; give branch, line or exception; did you mean 'line'?"
        );
    }

    #[test]
    fn wrong_values_are_one_sentence() {
        let check = |change: &dyn Fn(&mut GenerateArgs), expect: &str| {
            assert_eq!(options(|arguments| change(arguments)).unwrap_err(), expect);
        };
        check(&|a| a.targets.classes.clear(), "no class is named; give --class, --prefix or --target");
        check(
            &|a| a.targets.project = Some("x".into()),
            "--project is for a project, and --cp says that the classes are elsewhere; leave one of them out",
        );
        check(
            &|a| a.targets.build_args = vec!["-Pfast".into()],
            "--build-arg is for a project, and --cp says that the classes are elsewhere; leave one of them out",
        );
        check(
            &|a| a.targets.exclude = vec!["a/B".into()],
            "--exclude a/B is no pattern; give a class or package such as com.acme.gen, or with stars such as *Dto",
        );
        check(&|a| a.seed = "x".into(), "--seed x is not possible; give a whole number, 0 or more");
        check(&|a| a.jobs = Some("0".into()), "--jobs 0 is not possible; give a whole number, 1 to 1024");
        check(
            &|a| a.source_level = Some("7".into()),
            "--source-level 7 is not possible; give a whole number, 8 to 99",
        );
        let lonely = |option: &str| {
            format!(
                "{option} says what the tables of --report hold, and there is no --report; give --report DIR as well"
            )
        };
        check(&|a| a.report.timeline = Some("15".into()), &lonely("--timeline"));
        check(&|a| a.report.configuration_id = Some("x".into()), &lonely("--configuration-id"));
        check(
            &|a| a.report.timeline = Some("0".into()),
            "--timeline 0 is not possible; give a whole number, 1 to 10000",
        );
        check(
            &|a| a.suite = Some("compct".into()),
            "--suite compct is not known; give compact or complete; did you mean 'compact'?",
        );
        check(
            &|a| a.names = "snak".into(),
            "--names snak is not known; give camel or snake; did you mean 'snake'?",
        );
        check(
            &|a| a.goal_selection = Some("smrt".into()),
            "--goal-selection smrt is not known; give smart-returns, smart, combine or representatives; did you mean 'smart'?",
        );
        check(
            &|a| {
                a.goal_selection = Some("combine".into());
                a.line_threshold = Some("8".into());
            },
            "--line-threshold says which lines --goal-selection smart leaves out, and the goal selection is combine; \
             give --goal-selection smart as well, or leave it out",
        );
        check(&|a| a.junit = "6".into(), "--junit 6 is not known; give auto, 5 or 4");
        check(
            &|a| a.algorithm = Some("nsga".into()),
            "--algorithm nsga is not known; give dynamosa, ma, ws or random",
        );
        check(
            &|a| a.targets.maven = vec!["commons-cli".into()],
            "--maven commons-cli names no artifact; give group:artifact:version, as commons-cli:commons-cli:1.2",
        );
        check(
            &|a| a.targets.classes = vec!["a/B".into()],
            "--class a/B is no name; give it as com.acme.Foo or 'com.acme.Outer$Inner'",
        );
    }

    #[test]
    fn a_profile_sets_what_is_not_said() {
        let own = options(|arguments| arguments.profile = Some("paper-000".into())).unwrap();
        assert_eq!(
            (own.algorithm.as_str(), own.criteria.as_slice()),
            ("ma", ["branch".to_owned()].as_slice())
        );
        assert_eq!(own.budget, Budget::Time(Duration::from_mins(10)));
        assert_eq!(own.goal_selection, GoalSelection::Combine);
        assert_eq!(own.suite, SuiteSize::Complete);
        assert_eq!(options(|_| ()).unwrap().suite, SuiteSize::Compact);
        let other = options(|arguments| {
            arguments.profile = Some("paper-000".into());
            arguments.budget = Some("7executions".into());
        });
        assert_eq!(other.unwrap().budget, Budget::Executions(7));
        let mut asked = arguments();
        asked.profile = Some("paper-004".into());
        asked.criteria = vec!["strong-mutation".into()];
        let names = Names { criteria: &["branch", "strong-mutation"], ..NAMES };
        let mutation = Options::new(&asked, names).unwrap();
        assert_eq!(mutation.budget, Budget::Time(Duration::from_mins(8)));
        assert_eq!(mutation.criteria, ["strong-mutation"]);
        assert_eq!(options(|_| ()).unwrap().budget, Budget::Time(DEFAULT_BUDGET));
    }

    #[test]
    fn goals_are_selected_by_name() {
        let check = |name: Option<&str>, threshold: Option<&str>, expect: (GoalSelection, u32)| {
            let options = options(|arguments| {
                arguments.goal_selection = name.map(Into::into);
                arguments.line_threshold = threshold.map(Into::into);
            })
            .unwrap();
            assert_eq!((options.goal_selection, options.line_threshold), expect);
        };
        check(None, None, (GoalSelection::SmartReturns, 8));
        check(Some("combine"), None, (GoalSelection::Combine, 8));
        check(Some("representatives"), None, (GoalSelection::Representatives, 8));
        check(Some("smart"), Some("0"), (GoalSelection::Smart, 0));
    }

    #[test]
    fn class_paths_split_and_repeated_classes_count_once() {
        let options = options(|arguments| {
            arguments.targets.class_path = vec!["a::b".into(), "c".into()];
            arguments.targets.classes = vec!["a.B".into(), "a.C$D".into(), "a.B".into()];
        })
        .unwrap();
        assert_eq!(options.request.class_path, [PathBuf::from("a"), "b".into(), "c".into()]);
        assert_eq!(options.request.classes, ["a.B", "a.C$D"]);
    }
}
