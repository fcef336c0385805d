//! How the search is set up: a profile and single parameters, as plain values of which a worker makes the options of its
//! search.

use coverage::criterion::CRITERIA;
use search::algorithm::{ALGORITHMS, SearchError};
use search::options::SearchOptions;
use search::parameters::{PARAMETERS, parameter};
use search::profiles::{PROFILES, Profile, profile};
use serde::{Deserialize, Serialize};

use crate::args::GenerateArgs;
use crate::failure::Failure;
use crate::nearest::{did_you_mean, one_of};

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
        }
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

    /// Parameters may say again what the profile says, and no more.
    fn check_against(&self, profile: &Profile) -> Result<(), Failure> {
        let base = (profile.options)();
        for (name, value) in &self.parameters {
            let Ok(row) = parameter(name) else { continue };
            let mut changed = base.clone();
            if row.set(&mut changed, value).is_ok() && changed != base {
                return Err(contradiction(profile, &format!("--set {name}={value}"), &row.value(&base)));
            }
        }
        Ok(())
    }
}

fn contradiction(profile: &Profile, option: &str, own: &str) -> Failure {
    Failure::usage(format!(
        "{option} contradicts --profile {}, which has {own}; leave one of them out",
        profile.name
    ))
}

fn check_algorithm(profile: &Profile, asked: Option<&str>) -> Result<(), Failure> {
    // A name that is not known is another fault, told as such.
    let asked = asked.filter(|name| ALGORITHMS.iter().any(|row| row.name == *name));
    match asked {
        Some(asked) if !profile.algorithms.contains(&asked) => {
            Err(contradiction(profile, &format!("--algorithm {asked}"), &one_of(profile.algorithms)))
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
    let mut own = profile.criteria.to_vec();
    for names in [&mut asked, &mut own] {
        names.sort_unstable();
        names.dedup();
    }
    if asked == own {
        return Ok(());
    }
    Err(contradiction(profile, &format!("--criterion {}", asked.join(",")), &profile.criteria.join(",")))
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
            "--set population=7 contradicts --profile paper-004, which has 50; leave one of them out",
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
            Some("--algorithm random contradicts --profile paper-000, which has ws; leave one of them out"),
        );
        check(
            None,
            &["line", "branch"],
            Some(
                "--criterion branch,line contradicts --profile paper-000, which has branch; leave one of them out",
            ),
        );
    }
}
