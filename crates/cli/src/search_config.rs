//! How the search is set up: a profile and single parameters, as plain values of which a worker makes the options of its
//! search.

use coverage::criterion::CRITERIA;
use coverage::selection::{GoalSelection, LINE_THRESHOLD};
use project::failure::Failure;
use project::nearest::{did_you_mean, one_of};
use search::algorithm::{ALGORITHMS, SearchError};
use search::options::SearchOptions;
use search::parameters::{PARAMETERS, parameter};
use search::profiles::{CriteriaChoice, PROFILES, Profile, profile};
use serde::{Deserialize, Serialize};

use crate::args::GenerateArgs;

/// What was asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetUp {
    /// Name of a profile.
    profile: Option<String>,
    /// Names of parameters and their values, which the tables have.
    parameters: Vec<(String, String)>,
}

impl SetUp {
    /// Checks what was asked for, each by itself and together.
    ///
    /// # Errors
    /// The first that is wrong, or contradicts the profile, with [`crate::exit_code::ExitCode::Usage`].
    pub fn new(arguments: &GenerateArgs) -> Result<Self, Failure> {
        let set_up = Self {
            profile: arguments.profile.clone(),
            parameters: arguments.set.iter().map(|text| assignment(text)).collect::<Result<_, _>>()?,
        };
        let profile = set_up.checked_profile()?;
        if let Some(profile) = profile {
            set_up.check_against(profile)?;
            check_algorithm(profile, arguments.algorithm.as_deref())?;
            check_criteria(profile, &arguments.criteria)?;
            check_goal_selection(profile, arguments)?;
        }
        set_up.check_pools()?;
        Ok(set_up)
    }

    /// The options of the search.
    ///
    /// # Errors
    /// A name or value is not in the tables; what [`SetUp::new`] has checked is.
    pub fn search_options(&self) -> Result<SearchOptions, SearchError> {
        let mut options = match self.profile()? {
            Some(profile) => (profile.options)(),
            None => SearchOptions::default(),
        };
        for (name, value) in &self.parameters {
            parameter(name)?.set(&mut options, value)?;
        }
        Ok(options)
    }

    /// Whether goals of internal methods depend on the calls of them.
    ///
    /// # Errors
    /// As for [`SetUp::search_options`].
    pub fn has_call_dependences(&self) -> Result<bool, SearchError> {
        Ok(self.profile()?.is_none_or(|profile| profile.call_dependences))
    }

    /// The profile asked for.
    ///
    /// # Errors
    /// As for [`SetUp::search_options`].
    pub fn profile(&self) -> Result<Option<&'static Profile>, SearchError> {
        self.profile.as_deref().map(profile).transpose()
    }

    fn checked_profile(&self) -> Result<Option<&'static Profile>, Failure> {
        let names: Vec<&str> = PROFILES.iter().map(|profile| profile.name).collect();
        self.profile().map_err(|_| {
            let name = self.profile.as_deref().unwrap_or_default();
            let near = did_you_mean(name, &names);
            Failure::usage(format!("--profile {name} is not known; give {}{near}", one_of(&names)))
        })
    }

    /// Parameters may say again what the profile says, or what its paper tried besides, and no more.
    fn check_against(&self, profile: &Profile) -> Result<(), Failure> {
        for (name, value) in &self.parameters {
            let Ok(row) = parameter(name) else { continue };
            if !profile.allows(row, value) {
                let allowed = profile.values_of(row);
                return Err(contradiction(profile, &format!("--set {name}={value}"), &allowed));
            }
        }
        Ok(())
    }

    /// Values come from one pool, or from none.
    fn check_pools(&self) -> Result<(), Failure> {
        let Ok(options) = self.search_options() else { return Ok(()) };
        let (fixed, dynamic) = (options.factory.static_pool, options.factory.dynamic_pool);
        if fixed + dynamic <= 1.0 {
            return Ok(());
        }
        Err(Failure::usage(format!(
            "--set static-pool={fixed} and dynamic-pool={dynamic} are probabilities of which one excludes the other; give at \
             most 1 together"
        )))
    }
}

fn contradiction(profile: &Profile, option: &str, allowed: &[String]) -> Failure {
    let allowed: Vec<&str> = allowed.iter().map(String::as_str).collect();
    Failure::usage(format!(
        "{option} contradicts --profile {}, which allows {}; leave one of them out",
        profile.name,
        one_of(&allowed)
    ))
}

fn check_algorithm(profile: &Profile, asked: Option<&str>) -> Result<(), Failure> {
    // A name that is not known is another fault, told as such.
    let asked = asked.filter(|name| ALGORITHMS.iter().any(|row| row.name == *name));
    match asked {
        Some(asked) if !profile.algorithms.contains(&asked) => {
            let allowed: Vec<String> = profile.algorithms.iter().map(|&name| name.to_owned()).collect();
            Err(contradiction(profile, &format!("--algorithm {asked}"), &allowed))
        }
        _ => Ok(()),
    }
}

fn check_criteria(profile: &Profile, asked: &[String]) -> Result<(), Failure> {
    let mut asked: Vec<&str> = asked.iter().flat_map(|text| text.split([',', ':'])).collect();
    let is_known = |name: &&str| CRITERIA.iter().any(|criterion| criterion.name() == *name);
    if asked.is_empty() || !asked.iter().all(is_known) {
        return Ok(());
    }
    if profile.choice_of(&asked).is_some() {
        return Ok(());
    }
    asked.sort_unstable();
    asked.dedup();
    let allowed: Vec<String> = profile.criteria.iter().map(|choice| choice.names.join(",")).collect();
    Err(contradiction(profile, &format!("--criterion {}", asked.join(",")), &allowed))
}

fn check_goal_selection(profile: &Profile, arguments: &GenerateArgs) -> Result<(), Failure> {
    let asked = arguments.goal_selection.as_deref();
    // A name that is not known is another fault, told as such.
    if let Some(asked) = asked.and_then(GoalSelection::from_name)
        && !profile.goal_selections.contains(&asked)
    {
        let allowed: Vec<String> =
            profile.goal_selections.iter().map(|selection| selection.name().to_owned()).collect();
        return Err(contradiction(profile, &format!("--goal-selection {}", asked.name()), &allowed));
    }
    match arguments.line_threshold.as_deref().and_then(|text| text.parse::<u32>().ok()) {
        Some(threshold) if threshold != LINE_THRESHOLD && asked == Some(GoalSelection::Smart.name()) => Err(
            contradiction(profile, &format!("--line-threshold {threshold}"), &[LINE_THRESHOLD.to_string()]),
        ),
        _ => Ok(()),
    }
}

/// What a profile says of the criteria asked for, which it allows; of its own where none are.
pub fn choice<'p>(profile: &'p Profile, asked: &[String]) -> Option<&'p CriteriaChoice> {
    let asked: Vec<&str> = asked.iter().flat_map(|text| text.split([',', ':'])).collect();
    if asked.is_empty() { profile.criteria.first() } else { profile.choice_of(&asked) }
}

/// Reads `NAME=VALUE`, which a parameter must take.
fn assignment(text: &str) -> Result<(String, String), Failure> {
    let Some((name, value)) = text.split_once('=') else {
        return Err(Failure::usage(format!(
            "--set {text} sets nothing; give NAME=VALUE, where NAME is one of `covolve parameters`"
        )));
    };
    let names: Vec<&str> = PARAMETERS.iter().map(|parameter| parameter.name).collect();
    let Ok(row) = parameter(name) else {
        let near = did_you_mean(name, &names);
        return Err(Failure::usage(format!("--set {name} is not known; give {}{near}", one_of(&names))));
    };
    if row.set(&mut SearchOptions::default(), value).is_err() {
        return Err(Failure::usage(format!("--set {name}={value} is not possible; give {}", row.allowed)));
    }
    Ok((name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set_up(profile: Option<&str>, set: &[&str]) -> Result<SetUp, String> {
        let arguments = GenerateArgs {
            profile: profile.map(Into::into),
            set: set.iter().map(|&text| text.into()).collect(),
            ..GenerateArgs::default()
        };
        SetUp::new(&arguments).map_err(|failure| failure.sentence)
    }

    #[test]
    fn parameters_change_the_defaults_or_repeat_the_profile() {
        let check = |profile, set: &[&str], expect: SearchOptions| {
            assert_eq!(
                set_up(profile, set).unwrap().search_options().unwrap(),
                expect,
                "{profile:?} {set:?}"
            );
        };
        check(None, &[], SearchOptions::default());
        check(None, &["population=7"], SearchOptions { population: 7, ..SearchOptions::default() });
        check(Some("paper-004"), &[], SearchOptions::paper_004());
        let population = format!("population={}", SearchOptions::paper_004().population);
        check(Some("paper-004"), &[&population], SearchOptions::paper_004());
        let mut unseeded = SearchOptions::paper_000();
        unseeded.factory.static_pool = 0.0;
        check(Some("paper-000"), &["static-pool=0.0"], unseeded);
        let mut short = SearchOptions::default();
        short.factory.max_length = 5;
        check(None, &["maximum-length=5"], short);
        assert!(set_up(None, &[]).unwrap().has_call_dependences().unwrap());
        assert!(!set_up(Some("paper-004"), &[]).unwrap().has_call_dependences().unwrap());
    }

    #[test]
    fn what_is_wrong_or_contradicts_is_one_sentence() {
        let check = |profile, set: &[&str], expect: &str| {
            let said = set_up(profile, set).unwrap_err();
            assert!(said.contains(expect), "{said}");
        };
        check(None, &["population"], "--set population sets nothing; give NAME=VALUE, where NAME is one of");
        check(None, &["popluation=1"], "; did you mean 'population'?");
        check(None, &["population=many"], "--set population=many is not possible; give a number from 2 to");
        check(Some("paper-04"), &[], "or paper-004; did you mean 'paper-004'?");
        check(
            Some("paper-004"),
            &["population=7"],
            "--set population=7 contradicts --profile paper-004, which allows 50; leave one of them out",
        );
        check(
            Some("paper-000"),
            &["static-pool=0.5"],
            "--set static-pool=0.5 contradicts --profile paper-000, which allows 0.2 or 0; leave one of them out",
        );
        check(
            None,
            &["static-pool=0.8"],
            "--set static-pool=0.8 and dynamic-pool=0.25 are probabilities of which one excludes the other; give at most 1",
        );
    }

    #[test]
    fn profiles_come_with_their_algorithm_and_criteria() {
        let check = |algorithm: Option<&str>, criteria: &[&str], expect: Option<&str>| {
            let arguments = GenerateArgs {
                profile: Some("paper-000".into()),
                algorithm: algorithm.map(Into::into),
                criteria: criteria.iter().map(|&name| name.into()).collect(),
                ..GenerateArgs::default()
            };
            let said = SetUp::new(&arguments).err().map(|failure| failure.sentence);
            assert_eq!(said.as_deref(), expect);
        };
        check(None, &[], None);
        check(Some("ws"), &["branch"], None);
        check(
            Some("random"),
            &[],
            Some(
                "--algorithm random contradicts --profile paper-000, which allows ma or ws; leave one of them out",
            ),
        );
        check(
            None,
            &["line", "branch"],
            Some(
                "--criterion branch,line contradicts --profile paper-000, which allows branch; leave one of them out",
            ),
        );
    }

    #[test]
    fn what_a_paper_evaluated_is_allowed_and_all_else_is_refused_with_it() {
        let check = |words: &[(&str, &str)], expect: Option<&str>| {
            let mut arguments = GenerateArgs::default();
            for &(option, value) in words {
                match option {
                    "profile" => arguments.profile = Some(value.into()),
                    "criterion" => arguments.criteria.push(value.into()),
                    "goal-selection" => arguments.goal_selection = Some(value.into()),
                    "line-threshold" => arguments.line_threshold = Some(value.into()),
                    _ => arguments.set.push(value.into()),
                }
            }
            let said = SetUp::new(&arguments).err().map(|failure| failure.sentence);
            assert_eq!(said.as_deref(), expect, "{words:?}");
        };
        let paper_004 = ("profile", "paper-004");
        check(&[paper_004, ("criterion", "statement")], None);
        check(&[paper_004, ("criterion", "strong-mutation")], None);
        check(
            &[paper_004, ("criterion", "branch,statement")],
            Some(
                "--criterion branch,statement contradicts --profile paper-004, which allows branch, statement or \
                 strong-mutation; leave one of them out",
            ),
        );
        check(&[paper_004, ("goal-selection", "combine")], None);
        check(
            &[paper_004, ("goal-selection", "smart")],
            Some(
                "--goal-selection smart contradicts --profile paper-004, which allows combine; leave one of them out",
            ),
        );
        let paper_002 = ("profile", "paper-002");
        check(&[paper_002, ("goal-selection", "smart"), ("line-threshold", "8")], None);
        check(
            &[paper_002, ("goal-selection", "smart"), ("line-threshold", "4")],
            Some("--line-threshold 4 contradicts --profile paper-002, which allows 8; leave one of them out"),
        );
        check(&[paper_002, ("criterion", "exception:method-trace"), ("criterion", "branch")], None);
        let paper_003 = ("profile", "paper-003");
        check(&[paper_003, ("set", "secondary-heuristic=performance")], None);
        check(&[paper_003, ("set", "preference-tie=performance"), ("set", "proxies=loops,test-calls")], None);
        check(
            &[paper_003, ("set", "replaced-values=0.3")],
            Some(
                "--set replaced-values=0.3 contradicts --profile paper-003, which allows 0; leave one of them out",
            ),
        );
    }
}
