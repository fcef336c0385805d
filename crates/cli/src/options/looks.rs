//! How tests stand in a file.

use project::failure::Failure;
use search::profiles::Profile;

use super::choose;
use crate::args::LookArgs;

/// How tests stand in a file, where the version of JUnit has what that takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Looks {
    /// Whether tests that differ in literals alone become rows of one.
    pub parameterized: bool,
    /// Whether those of a method stand in a class of their own, where there are many.
    pub nested: bool,
    /// How they implement interfaces.
    pub mocks: Mocks,
    /// Whether they have sentences beside their names.
    pub display_names: bool,
}

/// What form new files have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Form {
    /// That of the build, where it has a formatter.
    #[default]
    OfBuild,
    /// The printed one.
    Printed,
}

/// How tests implement interfaces where no lambda does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Mocks {
    /// With Mockito where it is there.
    Auto,
    /// With Mockito, which must be there.
    Mockito,
    /// With classes of their own.
    #[default]
    None,
}

impl Mocks {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Mockito, Self::None];

    /// The word of the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Mockito => "mockito",
            Self::None => "none",
        }
    }
}

/// How tests stand in a file: with a profile as the search found them, in all of the time.
pub(super) fn looks(arguments: &LookArgs, profile: Option<&Profile>) -> Result<Looks, Failure> {
    let is_auto = |option: &str, asked: &Option<String>| match asked {
        Some(text) => choose(option, text, &["auto", "never"]).map(|name| name == "auto"),
        None => Ok(profile.is_none()),
    };
    Ok(Looks {
        parameterized: is_auto("--parameterized", &arguments.parameterized)?,
        nested: is_auto("--nested", &arguments.nested)?,
        mocks: mocks(arguments, profile)?,
        display_names: arguments.display_names,
    })
}

/// What form new files have.
pub(super) fn form(arguments: &LookArgs) -> Result<Form, Failure> {
    let asked = arguments.formatter.as_deref().unwrap_or("auto");
    let name = choose("--formatter", asked, &["auto", "never"])?;
    Ok(if name == "auto" { Form::OfBuild } else { Form::Printed })
}

/// How tests implement interfaces.
fn mocks(arguments: &LookArgs, profile: Option<&Profile>) -> Result<Mocks, Failure> {
    let default = if profile.is_some() { Mocks::None } else { Mocks::Auto };
    let Some(asked) = arguments.mocks.as_deref() else { return Ok(default) };
    let name = choose("--mocks", asked, &Mocks::ALL.map(Mocks::name))?;
    Ok(Mocks::ALL.into_iter().find(|mocks| mocks.name() == name).unwrap_or(default))
}

#[cfg(test)]
mod tests {
    use super::super::tests::options;
    use super::*;
    use crate::args::GenerateArgs;

    #[test]
    fn tests_are_put_together_unless_nobody_wants_it_or_a_profile_is_set_up() {
        let looks = |change: &dyn Fn(&mut GenerateArgs)| {
            options(change).map(|options| {
                [options.looks.parameterized, options.looks.nested, options.looks.display_names]
            })
        };
        let never = Some("never".to_owned());
        assert_eq!(looks(&|_| ()), Ok([true, true, false]));
        assert_eq!(
            looks(&|arguments| arguments.looks.parameterized.clone_from(&never)),
            Ok([false, true, false])
        );
        assert_eq!(looks(&|arguments| arguments.looks.nested.clone_from(&never)), Ok([true, false, false]));
        assert_eq!(looks(&|arguments| arguments.looks.display_names = true), Ok([true, true, true]));
        assert_eq!(
            looks(&|arguments| arguments.looks.parameterized = Some("always".into())),
            Err("--parameterized always is not known; give auto or never".to_owned())
        );
    }

    #[test]
    fn files_are_formatted_unless_nobody_wants_it() {
        let form = |asked: Option<&str>| {
            options(|arguments| arguments.looks.formatter = asked.map(str::to_owned))
                .map(|options| options.form)
        };
        assert_eq!(form(None), Ok(Form::OfBuild));
        assert_eq!(form(Some("never")), Ok(Form::Printed));
        assert_eq!(form(Some("black")), Err("--formatter black is not known; give auto or never".to_owned()));
    }

    #[test]
    fn mocks_are_made_with_what_is_there_unless_someone_says_how() {
        let mocks = |asked: Option<&str>| {
            options(|arguments| arguments.looks.mocks = asked.map(str::to_owned))
                .map(|options| options.looks.mocks)
        };
        assert_eq!(mocks(None), Ok(Mocks::Auto));
        assert_eq!(mocks(Some("mockito")), Ok(Mocks::Mockito));
        assert_eq!(mocks(Some("none")), Ok(Mocks::None));
        assert_eq!(
            mocks(Some("easymock")),
            Err("--mocks easymock is not known; give auto, mockito or none".to_owned())
        );
        let papers = options(|arguments| arguments.profile = Some(search::profiles::PROFILES[0].name.into()));
        assert_eq!(papers.map(|options| options.looks.mocks), Ok(Mocks::None));
    }
}
