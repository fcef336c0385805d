//! Options checked and given their meaning. Nothing here looks at files: a wrong value is told apart from a wrong
//! place before anything is opened.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use crate::args::{GenerateArgs, ListArgs};
use crate::failure::Failure;

/// How much may be spent on a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
    /// Time for everything, from the known class path to the file on disk; hard.
    Time(Duration),
    /// Executions of the search; all later phases are bounded by counts, so that the result repeats.
    Executions(u64),
}

/// Which JUnit the tests are written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JunitChoice {
    /// What the class path holds, Jupiter where it holds none.
    Auto,
    /// Jupiter (JUnit 5 and newer).
    Jupiter,
    /// JUnit 4.
    Junit4,
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

/// Coordinates of a Maven artifact, `group:artifact:version`, optionally with `:type` and `:classifier`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Coordinates {
    /// Group.
    pub group: String,
    /// Artifact.
    pub artifact: String,
    /// Version.
    pub version: String,
    /// Classifier, such as `tests`.
    pub classifier: Option<String>,
}

/// What `generate` is to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Binary names of the classes asked for, in order, without repetition.
    pub classes: Vec<String>,
    /// Packages whose classes are asked for.
    pub prefixes: Vec<String>,
    /// Entries of the class path as given, wildcards included.
    pub class_path: Vec<PathBuf>,
    /// Artifacts that extend it.
    pub maven: Vec<Coordinates>,
    /// Root of the test sources.
    pub out: PathBuf,
    /// Budget per class.
    pub budget: Budget,
    /// Seed.
    pub seed: u64,
    /// Algorithm, a name of the table.
    pub algorithm: String,
    /// Criteria, in the order of the table.
    pub criteria: Vec<String>,
    /// JUnit asked for.
    pub junit: JunitChoice,
    /// Where JUnit lies besides the class path.
    pub junit_class_path: Vec<PathBuf>,
    /// Source level of the tests, 8 or more; `None` for that of the class file.
    pub source_level: Option<u16>,
    /// JDK, `None` to look for one.
    pub java_home: Option<PathBuf>,
    /// Classes side by side; `None` for the number of cores.
    pub jobs: Option<NonZeroUsize>,
    /// Whether to print JSON.
    pub json: bool,
    /// Whether edited files may be overwritten.
    pub force: bool,
}

impl Options {
    /// Checks every value.
    ///
    /// # Errors
    /// The first that is wrong, with [`crate::exit_code::ExitCode::Usage`].
    pub fn new(arguments: &GenerateArgs, names: Names<'_>) -> Result<Self, Failure> {
        if arguments.classes.is_empty() && arguments.prefixes.is_empty() {
            return Err(Failure::usage("nothing to test is named; give --class or --prefix"));
        }
        if arguments.class_path.is_empty() && arguments.maven.is_empty() {
            return Err(Failure::usage("there is no class path; give --cp or --maven"));
        }
        let default_algorithm = names.algorithms.first().copied().unwrap_or_default();
        Ok(Self {
            classes: class_names("--class", &arguments.classes)?,
            prefixes: class_names("--prefix", &arguments.prefixes)?,
            class_path: split_paths(&arguments.class_path),
            maven: arguments.maven.iter().map(|text| Coordinates::parse(text)).collect::<Result<_, _>>()?,
            out: arguments.out.clone(),
            budget: Budget::parse(&arguments.budget)?,
            seed: number("--seed", &arguments.seed, 0, u64::MAX)?,
            algorithm: choose(
                "--algorithm",
                arguments.algorithm.as_deref().unwrap_or(default_algorithm),
                names.algorithms,
            )?,
            criteria: criteria(&arguments.criteria, names)?,
            junit: JunitChoice::parse(&arguments.junit)?,
            junit_class_path: split_paths(&arguments.junit_class_path),
            source_level: (arguments.source_level.as_deref())
                .map(|text| number("--source-level", text, 8, 99).map(|level| level as u16))
                .transpose()?,
            java_home: arguments.java_home.clone(),
            jobs: (arguments.jobs.as_deref())
                .map(|text| number("--jobs", text, 1, 1024))
                .transpose()?
                .and_then(|jobs| NonZeroUsize::new(jobs as usize)),
            json: arguments.json,
            force: arguments.force,
        })
    }
}

/// Options of `list`, checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListOptions {
    /// Binary names of classes asked for.
    pub classes: Vec<String>,
    /// Packages asked for; with no class either, everything is.
    pub prefixes: Vec<String>,
    /// Entries of the class path as given, wildcards included.
    pub class_path: Vec<PathBuf>,
    /// Artifacts that extend it.
    pub maven: Vec<Coordinates>,
}

impl ListOptions {
    /// Checks every value.
    ///
    /// # Errors
    /// The first that is wrong, with [`crate::exit_code::ExitCode::Usage`].
    pub fn new(arguments: &ListArgs) -> Result<Self, Failure> {
        if arguments.class_path.is_empty() && arguments.maven.is_empty() {
            return Err(Failure::usage("there is no class path; give --cp or --maven"));
        }
        Ok(Self {
            classes: class_names("--class", &arguments.classes)?,
            prefixes: class_names("--prefix", &arguments.prefixes)?,
            class_path: split_paths(&arguments.class_path),
            maven: arguments.maven.iter().map(|text| Coordinates::parse(text)).collect::<Result<_, _>>()?,
        })
    }
}

impl Budget {
    /// Reads `60s`, `500ms`, `2m`, `20000executions`.
    fn parse(text: &str) -> Result<Self, Failure> {
        let digits = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
        let (number, unit) = text.split_at(digits);
        let budget = number.parse().ok().filter(|number| *number > 0).and_then(|number: u64| match unit {
            "ms" => Some(Self::Time(Duration::from_millis(number))),
            "s" => Some(Self::Time(Duration::from_secs(number))),
            "m" => Some(Self::Time(Duration::from_secs(number.checked_mul(60)?))),
            "execution" | "executions" => Some(Self::Executions(number)),
            _ => None,
        });
        // A year is beyond every use and keeps sums of times from overflowing.
        let longest = Duration::from_hours(365 * 24);
        budget.filter(|budget| !matches!(budget, Self::Time(time) if *time > longest)).ok_or_else(|| {
            Failure::usage(format!(
                "--budget {text} is no budget; give a time such as 60s or 500ms, or executions such as \
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

impl JunitChoice {
    fn parse(text: &str) -> Result<Self, Failure> {
        match text {
            "auto" => Ok(Self::Auto),
            "5" => Ok(Self::Jupiter),
            "4" => Ok(Self::Junit4),
            _ => Err(Failure::usage(format!("--junit {text} is not known; give auto, 5 or 4"))),
        }
    }
}

impl Coordinates {
    /// Reads `group:artifact:version` or `group:artifact:version:classifier`.
    fn parse(text: &str) -> Result<Self, Failure> {
        let wrong = || {
            Failure::usage(format!(
                "--maven {text} names no artifact; give group:artifact:version, as commons-cli:commons-cli:1.2"
            ))
        };
        let legal = |part: &str| {
            !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || "._-+[](),".contains(c))
        };
        let parts: Vec<&str> = text.split(':').collect();
        if !parts.iter().all(|part| legal(part)) {
            return Err(wrong());
        }
        let (group, artifact, version, classifier) = match parts[..] {
            [group, artifact, version] => (group, artifact, version, None),
            [group, artifact, version, classifier] => (group, artifact, version, Some(classifier)),
            _ => return Err(wrong()),
        };
        Ok(Self {
            group: group.to_owned(),
            artifact: artifact.to_owned(),
            version: version.to_owned(),
            classifier: classifier.map(str::to_owned),
        })
    }

    /// Coordinates that are known to be right.
    pub fn of(group: &str, artifact: &str, version: &str) -> Self {
        Self { group: group.into(), artifact: artifact.into(), version: version.into(), classifier: None }
    }
}

impl std::fmt::Display for Coordinates {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}:{}:{}", self.group, self.artifact, self.version)?;
        self.classifier.iter().try_for_each(|classifier| write!(formatter, ":{classifier}"))
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

fn number(option: &str, text: &str, least: u64, most: u64) -> Result<u64, Failure> {
    text.parse().ok().filter(|number| (least..=most).contains(number)).ok_or_else(|| {
        let range = if most == u64::MAX { "0 or more".to_owned() } else { format!("{least} to {most}") };
        Failure::usage(format!("{option} {text} is not possible; give a whole number, {range}"))
    })
}

fn choose(option: &str, text: &str, names: &[&str]) -> Result<String, Failure> {
    if names.contains(&text) {
        return Ok(text.to_owned());
    }
    Err(Failure::usage(format!("{option} {text} is not known; give {}", one_of(names))))
}

fn one_of(names: &[&str]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => names.concat(),
    }
}

fn criteria(texts: &[String], names: Names<'_>) -> Result<Vec<String>, Failure> {
    let mut chosen = Vec::new();
    for text in texts.iter().flat_map(|text| text.split([',', ':'])) {
        chosen.push(choose("--criterion", text, names.criteria)?);
    }
    if chosen.is_empty() {
        return Ok(names.default_criteria.iter().map(|&name| name.to_owned()).collect());
    }
    let in_order = names.criteria.iter().filter(|name| chosen.iter().any(|chosen| chosen == *name));
    Ok(in_order.map(|&name| name.to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: Names<'_> = Names {
        algorithms: &["dynamosa", "random"],
        criteria: &["branch", "line", "exception"],
        default_criteria: &["branch", "line"],
    };

    fn arguments() -> GenerateArgs {
        GenerateArgs {
            classes: vec!["a.B".into()],
            class_path: vec!["x".into()],
            budget: "60s".into(),
            seed: "0".into(),
            junit: "auto".into(),
            ..GenerateArgs::default()
        }
    }

    fn options(change: impl FnOnce(&mut GenerateArgs)) -> Result<Options, String> {
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
    }

    #[test]
    fn budgets_are_times_or_executions() {
        let check = |text: &str, expect| assert_eq!(Budget::parse(text).ok(), expect, "{text}");
        check("60s", Some(Budget::Time(Duration::from_mins(1))));
        check("500ms", Some(Budget::Time(Duration::from_millis(500))));
        check("2m", Some(Budget::Time(Duration::from_mins(2))));
        check("20000executions", Some(Budget::Executions(20_000)));
        check("1execution", Some(Budget::Executions(1)));
        for wrong in
            ["", "60", "s", "0s", "-1s", "1.5s", "10 s", "10x", "99999999999999999999s", "9999999999s"]
        {
            check(wrong, None);
        }
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
            "--criterion lines is not known; give branch, line or exception"
        );
    }

    #[test]
    fn wrong_values_are_one_sentence() {
        let check = |change: &dyn Fn(&mut GenerateArgs), expect: &str| {
            assert_eq!(options(|arguments| change(arguments)).unwrap_err(), expect);
        };
        check(&|a| a.classes.clear(), "nothing to test is named; give --class or --prefix");
        check(&|a| a.class_path.clear(), "there is no class path; give --cp or --maven");
        check(&|a| a.seed = "x".into(), "--seed x is not possible; give a whole number, 0 or more");
        check(&|a| a.jobs = Some("0".into()), "--jobs 0 is not possible; give a whole number, 1 to 1024");
        check(
            &|a| a.source_level = Some("7".into()),
            "--source-level 7 is not possible; give a whole number, 8 to 99",
        );
        check(&|a| a.junit = "6".into(), "--junit 6 is not known; give auto, 5 or 4");
        check(
            &|a| a.algorithm = Some("nsga".into()),
            "--algorithm nsga is not known; give dynamosa or random",
        );
        check(
            &|a| a.maven = vec!["commons-cli".into()],
            "--maven commons-cli names no artifact; give group:artifact:version, as commons-cli:commons-cli:1.2",
        );
        check(
            &|a| a.classes = vec!["a/B".into()],
            "--class a/B is no name; give it as com.acme.Foo or 'com.acme.Outer$Inner'",
        );
    }

    #[test]
    fn class_paths_split_and_repeated_classes_count_once() {
        let options = options(|arguments| {
            arguments.class_path = vec!["a::b".into(), "c".into()];
            arguments.classes = vec!["a.B".into(), "a.C$D".into(), "a.B".into()];
        })
        .unwrap();
        assert_eq!(options.class_path, [PathBuf::from("a"), "b".into(), "c".into()]);
        assert_eq!(options.classes, ["a.B", "a.C$D"]);
    }
}
