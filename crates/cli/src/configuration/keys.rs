//! The keys of options, derived from the definition of the command line: a new option of `generate` has its key at once.

use std::any::TypeId;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Arg, ArgAction};
use concolic::solver::SOLVERS;
use coverage::criterion::CRITERIA;
use coverage::selection::GoalSelection;
use output::assertion::oracles::SuiteSize;
use output::junit::naming::test_names::NameScheme;
use search::algorithm::ALGORITHMS;
use search::profiles::PROFILES;

use crate::args::{NO_KEYS, definition};
use crate::generate::engine::Engine;
use crate::options::Mocks;

/// The option whose values are parameters, `NAME=VALUE`: in a file, a table.
pub(super) const PARAMETERS_KEY: &str = "set";

/// What the values of an option are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// On or off.
    Switch,
    /// A whole number, or one of the words that the option takes in place of one.
    Number,
    /// Any text, or one of the words that the option takes.
    Text,
    /// A path.
    Path,
    /// Paths with colons between them.
    ClassPath,
    /// Parameters of the search.
    Parameters,
}

/// An option that can be set outside of the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Key {
    /// Its long name.
    pub name: String,
    /// What its values are.
    pub kind: Kind,
    /// Whether it may be given more than once.
    pub repeats: bool,
    /// What it is for.
    pub help: String,
    /// Its default, as help has it.
    pub default: Option<String>,
    /// Whether it may stand without a value.
    pub stands_alone: bool,
}

impl Key {
    fn new(argument: &Arg) -> Option<Self> {
        let name = argument.get_long().filter(|name| !NO_KEYS.contains(name))?;
        let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        let declared: Vec<String> =
            argument.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect();
        let told = help.rsplit_once("[default: ").and_then(|(_, rest)| rest.split(']').next());
        let default = declared.first().cloned().or(told.map(str::to_owned));
        let takes_value = argument.get_action().takes_values();
        Some(Self {
            name: name.to_owned(),
            kind: kind(argument, name),
            repeats: matches!(argument.get_action(), ArgAction::Append),
            default: default.filter(|_| !matches!(argument.get_action(), ArgAction::SetTrue)),
            stands_alone: takes_value && argument.get_num_args().is_some_and(|range| range.min_values() == 0),
            help,
        })
    }

    /// The variable of the environment that sets it.
    pub(super) fn variable(&self) -> String {
        format!("COVOLVE_{}", self.name.to_uppercase().replace('-', "_"))
    }

    /// Words that it takes; empty if it takes any.
    pub(super) fn choices(&self) -> Vec<&'static str> {
        choices(&self.name)
    }
}

fn kind(argument: &Arg, name: &str) -> Kind {
    if name == PARAMETERS_KEY {
        return Kind::Parameters;
    }
    if matches!(argument.get_action(), ArgAction::SetTrue) {
        return Kind::Switch;
    }
    let is = |of: TypeId| argument.get_value_parser().type_id() == of;
    let is_number = argument.get_value_names().is_some_and(|names| names.iter().any(|name| name == "N"));
    if is(TypeId::of::<PathBuf>()) {
        Kind::Path
    } else if is(TypeId::of::<OsString>()) {
        Kind::ClassPath
    } else if is_number {
        Kind::Number
    } else {
        Kind::Text
    }
}

/// Words that an option takes; empty where it takes any.
pub fn choices(name: &str) -> Vec<&'static str> {
    match name {
        "algorithm" => ALGORITHMS.iter().map(|row| row.name).collect(),
        "criterion" => CRITERIA.iter().map(|criterion| criterion.name()).collect(),
        "profile" => PROFILES.iter().map(|profile| profile.name).collect(),
        "goal-selection" => GoalSelection::ALL.iter().map(|selection| selection.name()).collect(),
        "solver" => SOLVERS.iter().map(|solver| solver.name).collect(),
        "junit" => vec!["auto", "5", "4"],
        "islands" => vec!["auto"],
        "suite" => SuiteSize::ALL.map(SuiteSize::name).to_vec(),
        "names" => NameScheme::ALL.map(NameScheme::name).to_vec(),
        "formatter" | "nested" | "parameterized" => vec!["auto", "never"],
        "mocks" => Mocks::ALL.map(Mocks::name).to_vec(),
        "engine" => Engine::NAMES.to_vec(),
        _ => Vec::new(),
    }
}

/// The keys: all options of `generate`, in the order of its help.
pub(super) fn keys() -> Vec<Key> {
    let definition = definition();
    let generate = definition.find_subcommand("generate");
    generate.into_iter().flat_map(clap::Command::get_arguments).filter_map(Key::new).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str) -> Key {
        keys().into_iter().find(|key| key.name == name).expect(name)
    }

    #[test]
    fn every_option_of_generate_has_its_key() {
        let definition = definition();
        let generate = definition.find_subcommand("generate").unwrap();
        let options: Vec<&str> = generate.get_arguments().filter_map(Arg::get_long).collect();
        let keys: Vec<String> = keys().into_iter().map(|key| key.name).collect();
        for option in options {
            let has_none = ["config", "no-config", "help"].contains(&option);
            assert_eq!(keys.iter().any(|key| key == option), !has_none, "{option}");
        }
        assert_eq!(generate.get_positionals().count(), 0, "what has no name has no key");
    }

    #[test]
    fn types_of_options_are_those_of_their_keys() {
        let check = |name: &str, kind: Kind, repeats: bool, default: Option<&str>| {
            let key = key(name);
            assert_eq!((key.kind, key.repeats, key.default.as_deref()), (kind, repeats, default), "{name}");
        };
        check("seed", Kind::Number, false, Some("0"));
        check(
            "jobs",
            Kind::Number,
            false,
            Some("as many as processors and memory have room for, by the number of islands if one is given"),
        );
        check("out", Kind::Path, false, key("out").default.as_deref());
        check("cp", Kind::ClassPath, true, None);
        check("criterion", Kind::Text, true, None);
        check("build", Kind::Switch, false, None);
        check("set", Kind::Parameters, true, None);
        assert!(key("timeline").stands_alone && !key("seed").stands_alone && !key("json").stands_alone);
        assert_eq!(key("line-threshold").variable(), "COVOLVE_LINE_THRESHOLD");
        assert!(key("junit").choices().contains(&"5"));
        assert_eq!(key("suite").choices(), ["compact", "complete"]);
        assert_eq!(key("names").choices(), ["camel", "snake"]);
    }
}
