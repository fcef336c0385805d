//! Options from outside of the command line: each has a value from the highest of its layers, which are the default,
//! `covolve.toml`, the environment and the command line. What other layers say is put in front of the parser as words of the
//! command line, so that there is one definition of every option, and one check.
//!
//! * [`keys`](mod@keys) follow from the definition of the command line
//! * [`file`](mod@file) reads `covolve.toml`
//! * [`show`] is `covolve config`; [`schema`] is for editors

mod file;
pub mod keys;
pub mod schema;
pub mod show;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches};
use project::environment::Environment;
use project::failure::Failure;
use project::nearest::did_you_mean;

use crate::args::{self, Command, CommandLine, NoArguments};
use crate::exit_code::failure_of;
use keys::{Key, Kind, keys};

/// Commands whose options have layers.
const LAYERED: [&str; 8] = ["generate", "check", "list", "goals", "doctor", "config", "report", "merge"];

/// Options that are called as a key is and mean something else: command, option, and the key that it takes its value from, if any.
const OTHERWISE: [(&str, &str, Option<&str>); 3] =
    [("report", "out", None), ("report", "criterion", None), ("merge", "out", Some("state"))];

/// What stands for an option that is given without its value.
const ALONE: &str = "true";

/// The variable that names the file.
const CONFIG_VARIABLE: &str = "COVOLVE_CONFIG";

/// Options of which a higher layer replaces all: they say together which classes are meant.
const TOGETHER: [&str; 2] = ["class", "prefix"];

/// Where a value comes from, the lower layer first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Origin {
    /// A line of a file.
    File {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// A variable of the environment.
    Environment(String),
    /// The command line.
    Flag,
}

impl Origin {
    /// Which layer it is.
    fn layer(&self) -> &'static str {
        match self {
            Self::File { .. } => "file",
            Self::Environment(_) => "environment",
            Self::Flag => "flag",
        }
    }

    /// Where that is, for people.
    fn place(&self) -> String {
        match self {
            Self::File { path, line } => format!("{}:{line}", path.display()),
            Self::Environment(name) => format!("environment {name}"),
            Self::Flag => "flag".to_owned(),
        }
    }
}

/// A value and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Value {
    text: OsString,
    origin: Origin,
}

/// A command line with what the other layers add to it.
#[derive(Debug)]
pub struct Layered {
    /// What is to be done.
    pub line: CommandLine,
    /// Where the values come from.
    pub origins: Origins,
}

/// Where the values of options come from.
#[derive(Debug, Clone, Default)]
pub struct Origins {
    /// The file that was read.
    file: Option<PathBuf>,
    /// What is set, with one layer for all values of an option.
    settings: Vec<(Key, Vec<Value>)>,
    /// Whether `--json` is on the command line.
    asks_json: bool,
}

/// Parses a command line, the program's name first, and adds what the other layers say.
///
/// # Errors
/// The text of `--help` and `--version`, and one sentence on what is wrong, wherever it is.
pub fn parse(
    arguments: impl IntoIterator<Item = OsString>,
    environment: &Environment,
) -> Result<Layered, NoArguments> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let (line, matches) = args::parse_with_matches(&arguments)?;
    match matches.subcommand() {
        Some((name, matches)) if LAYERED.contains(&name) => add_layers(name, matches, environment),
        _ => Ok(Layered { line, origins: Origins::default() }),
    }
}

fn add_layers(name: &str, matches: &ArgMatches, environment: &Environment) -> Result<Layered, NoArguments> {
    let given = Given::new(name, matches);
    let origins = Origins::find(&given, environment).map_err(NoArguments::Wrong)?;
    let words = origins.words(&given);
    let mut line = args::parse(words.clone()).map_err(|wrong| match wrong {
        NoArguments::Wrong(failure) => NoArguments::Wrong(origins.told(failure)),
        NoArguments::Text(text) => NoArguments::Text(text),
    })?;
    if let Command::Generate(arguments) = &mut line.command {
        arguments.engine.command_line = words.into_iter().skip(2).collect();
    }
    Ok(Layered { line, origins })
}

/// What a command takes, and what of it is on the command line.
struct Given<'a> {
    command: &'a str,
    options: Vec<GivenOption>,
    /// What has no name.
    operands: Vec<OsString>,
}

/// An option of a command.
struct GivenOption {
    /// Its long name.
    name: String,
    /// The key that it takes its value from where nothing was given.
    key: Option<String>,
    /// Whether it is given without a value.
    is_switch: bool,
    /// The texts that were given, if any were.
    texts: Vec<OsString>,
}

impl<'a> Given<'a> {
    fn new(command: &'a str, matches: &ArgMatches) -> Self {
        let is_given = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
        let texts = |id: &str| -> Vec<OsString> {
            let raw = is_given(id).then(|| matches.get_raw(id)).flatten();
            raw.into_iter().flatten().map(OsStr::to_owned).collect()
        };
        let definition = args::definition();
        let arguments =
            definition.find_subcommand(command).into_iter().flat_map(clap::Command::get_arguments);
        let (mut options, mut operands) = (Vec::new(), Vec::new());
        for argument in arguments {
            let texts = |argument: &Arg| texts(argument.get_id().as_str());
            match argument.get_long() {
                // What clap adds itself ends the parse and holds no value.
                Some("help" | "version") => {}
                Some(name) => options.push(GivenOption {
                    name: name.to_owned(),
                    key: key_of(command, name).map(str::to_owned),
                    is_switch: !argument.get_action().takes_values(),
                    texts: texts(argument),
                }),
                None => operands.extend(texts(argument)),
            }
        }
        Self { command, options, operands }
    }

    /// What was given for an option; empty if it was not, or the command has no such option.
    fn texts(&self, name: &str) -> &[OsString] {
        self.options.iter().find(|option| option.name == name).map_or(&[], |option| &option.texts)
    }
}

/// The key that an option of a command takes its value from: the one that is called as it is, unless that means something else.
fn key_of<'a>(command: &str, option: &'a str) -> Option<&'a str> {
    let otherwise = OTHERWISE.iter().find(|(of, name, _)| (*of, *name) == (command, option));
    otherwise.map_or(Some(option), |(_, _, key)| *key)
}

impl Origins {
    fn find(given: &Given<'_>, environment: &Environment) -> Result<Self, Failure> {
        let keys = keys();
        check_variables(&keys, environment)?;
        let file = file(given, environment);
        let said = file.as_deref().map_or(Ok(Vec::new()), |file| file::read(file, &keys))?;
        // There `--json` says how to print, and is no value of its own.
        let is_shown = given.command == "config";
        let mut settings = Vec::new();
        for key in keys {
            let takes = |option: &&GivenOption| option.key.as_ref() == Some(&key.name);
            let Some(option) = given.options.iter().find(takes) else { continue };
            let of_flags = option.texts.iter().filter(|_| !(is_shown && key.name == "json"));
            let of_flags: Vec<Value> =
                of_flags.map(|text| Value { text: text.clone(), origin: Origin::Flag }).collect();
            let of_file = said.iter().find(|(name, _)| *name == key.name).map(|(_, values)| values);
            let values = if of_flags.is_empty() {
                match variable(&key, environment)? {
                    Some(values) => values,
                    None => of_file.cloned().unwrap_or_default(),
                }
            } else {
                of_flags
            };
            settings.push((Key { name: option.name.clone(), ..key }, values));
        }
        replace_together(&mut settings);
        Ok(Self { file, settings, asks_json: !given.texts("json").is_empty() })
    }

    /// The command line that says what all layers say.
    fn words(&self, given: &Given<'_>) -> Vec<OsString> {
        let mut words: Vec<OsString> = vec!["covolve".into(), given.command.into()];
        let mut word = |name: &str, text: &OsStr| {
            let mut word = OsString::from(format!("--{name}="));
            word.push(text);
            words.push(word);
        };
        let mut switches = Vec::new();
        for (key, values) in &self.settings {
            for value in values {
                if value.text == ALONE && (key.kind == Kind::Switch || key.stands_alone) {
                    switches.push(key.name.as_str());
                } else if key.kind != Kind::Switch {
                    word(&key.name, &value.text);
                }
            }
        }
        let is_key = |name: &str| self.settings.iter().any(|(key, _)| key.name == name);
        for GivenOption { name, is_switch, texts, .. } in given.options.iter().filter(|it| !is_key(&it.name))
        {
            match texts.as_slice() {
                [] => {}
                _ if *is_switch => switches.push(name.as_str()),
                texts => texts.iter().for_each(|text| word(name, text)),
            }
        }
        words.extend(switches.into_iter().map(|name| format!("--{name}").into()));
        if !given.operands.is_empty() {
            words.push("--".into());
            words.extend(given.operands.iter().cloned());
        }
        words
    }

    /// The failure, with where the options come from that it names and the command line does not.
    fn told(&self, failure: Failure) -> Failure {
        let places: Vec<String> = (self.settings.iter())
            .filter(|(key, _)| names_option(&failure.sentence, &key.name))
            .filter_map(|(key, values)| {
                let says = |value: &&Value| {
                    let text = value.text.to_string_lossy();
                    names_option(&failure.sentence, &format!("{} {text}", key.name))
                };
                let value = values.iter().find(says).or(values.first())?;
                (value.origin != Origin::Flag)
                    .then(|| format!("--{} comes from {}", key.name, value.origin.place()))
            })
            .collect();
        if places.is_empty() {
            return failure;
        }
        Failure { sentence: format!("{} ({})", failure.sentence, places.join(", ")), ..failure }
    }

    /// Likewise for an error that may be one.
    pub fn explain(&self, error: anyhow::Error) -> anyhow::Error {
        match failure_of(&error) {
            Some(failure) => {
                let whole = Failure { sentence: format!("{error:#}"), ..failure.clone() };
                self.told(whole).into()
            }
            None => error,
        }
    }
}

/// Whether a sentence names an option, and not only a longer one.
fn names_option(sentence: &str, name: &str) -> bool {
    let option = format!("--{name}");
    sentence.match_indices(&option).any(|(at, _)| {
        let next = sentence[at + option.len()..].chars().next();
        next.is_none_or(|next| !next.is_alphanumeric() && next != '-')
    })
}

/// The file to be read.
fn file(given: &Given<'_>, environment: &Environment) -> Option<PathBuf> {
    if !given.texts("no-config").is_empty() {
        return None;
    }
    let named = given.texts("config").first().or(environment.options.get(CONFIG_VARIABLE));
    if let Some(named) = named.filter(|named| !named.is_empty()) {
        return Some(named.into());
    }
    let project = given.texts("project").first().or(environment.options.get("COVOLVE_PROJECT"));
    file::find(project.map_or(Path::new("."), Path::new))
}

/// What the environment says of an option; an empty text says nothing.
fn variable(key: &Key, environment: &Environment) -> Result<Option<Vec<Value>>, Failure> {
    let name = key.variable();
    let Some(text) = environment.options.get(&name).filter(|text| !text.is_empty()) else { return Ok(None) };
    let value = |text: OsString| Value { text, origin: Origin::Environment(name.clone()) };
    let wrong = |expected: &str| {
        Err(Failure::usage(format!(
            "{name} is {expected}, not '{}'; give such a value",
            text.to_string_lossy()
        )))
    };
    match (key.kind, text.to_str()) {
        (Kind::Path | Kind::ClassPath, _) => Ok(Some(vec![value(text.clone())])),
        (Kind::Switch, Some("true" | "false")) => Ok(Some(vec![value(text.clone())])),
        (Kind::Switch, _) => wrong("true or false"),
        (_, None) => wrong("text in Unicode"),
        (_, Some(words)) if key.repeats => {
            Ok(Some(words.split_whitespace().map(|word| value(word.into())).collect()))
        }
        (_, Some(_)) => Ok(Some(vec![value(text.clone())])),
    }
}

/// Variables that are spelled nearly like those of options: who set them meant these.
fn check_variables(keys: &[Key], environment: &Environment) -> Result<(), Failure> {
    let mut known: Vec<String> = keys.iter().map(Key::variable).collect();
    known.push(CONFIG_VARIABLE.to_owned());
    let bare = |name: &str| name.trim_start_matches("COVOLVE_").to_owned();
    let known: Vec<String> = known.iter().map(|name| bare(name)).collect();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    for name in environment.options.keys().map(|name| bare(name)) {
        let near = did_you_mean(&name, &known);
        if !known.contains(&name.as_str()) && !near.is_empty() {
            return Err(Failure::usage(format!(
                "COVOLVE_{name} is no option of `covolve generate`{}",
                near.replacen('\'', "'COVOLVE_", 1)
            )));
        }
    }
    Ok(())
}

/// Of options that say one thing together, only the highest layer counts.
fn replace_together(settings: &mut [(Key, Vec<Value>)]) {
    let layer = |values: &[Value]| values.first().map(|value| value.origin.clone());
    let rank = |origin: &Origin| match origin {
        Origin::File { .. } => 0,
        Origin::Environment(_) => 1,
        Origin::Flag => 2,
    };
    let is_one = |key: &Key| TOGETHER.contains(&key.name.as_str());
    let of_them = settings.iter().filter(|(key, _)| is_one(key));
    let highest = of_them.filter_map(|(_, values)| layer(values)).map(|origin| rank(&origin)).max();
    for (_, values) in settings.iter_mut().filter(|(key, _)| is_one(key)) {
        values.retain(|value| Some(rank(&value.origin)) == highest);
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "test set-up")]
mod tests {
    use std::fs;

    use super::*;
    use crate::args::GenerateArgs;

    /// What `generate` gets of a command line, of variables and of a file in the project folder, in which `{}` stands for that
    /// folder.
    fn layered(
        line: &str,
        variables: &[(&str, &str)],
        file: &str,
    ) -> Result<(GenerateArgs, Origins), String> {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("covolve.toml"), file).unwrap();
        let options = variables.iter().map(|&(name, value)| (name.to_owned(), value.into())).collect();
        let environment = Environment { options, ..Environment::default() };
        let here = folder.path().to_str().unwrap();
        let line = line.replace("{}", here);
        let words = ["covolve", "generate"].into_iter().chain(line.split_whitespace()).map(OsString::from);
        match parse(words, &environment) {
            Ok(Layered { line: CommandLine { command: Command::Generate(arguments) }, origins }) => {
                Ok((*arguments, origins))
            }
            Ok(other) => panic!("{other:?}"),
            Err(NoArguments::Wrong(failure)) => {
                let here = fs::canonicalize(here).unwrap();
                Err(failure.sentence.replace(here.to_str().unwrap(), "{}"))
            }
            Err(NoArguments::Text(text)) => Err(text),
        }
    }

    #[test]
    fn the_highest_layer_that_says_anything_counts() {
        let check = |line: &str, variables: &[(&str, &str)], file: &str, expect: (Option<&str>, &str)| {
            let (arguments, _) = layered(&format!("--project {{}} {line}"), variables, file).unwrap();
            assert_eq!((arguments.budget.as_deref(), arguments.seed.as_str()), expect);
        };
        check("", &[], "", (None, "0"));
        check("", &[], "budget = \"1s\"\nseed = 1", (Some("1s"), "1"));
        check("", &[("COVOLVE_BUDGET", "2s")], "budget = \"1s\"\nseed = 1", (Some("2s"), "1"));
        check("", &[("COVOLVE_BUDGET", "")], "budget = \"1s\"", (Some("1s"), "0"));
        let variables = [("COVOLVE_BUDGET", "2s"), ("COVOLVE_SEED", "2")];
        check("--budget 3s", &variables, "budget = \"1s\"\nseed = 1", (Some("3s"), "2"));
        check("--no-config", &[], "budget = \"1s\"", (None, "0"));
        let (arguments, _) = layered("--project {}", &[], "report = \"r\"\ntimeline = true").unwrap();
        assert_eq!(arguments.report.timeline.as_deref(), Some("15"));
    }

    #[test]
    fn the_project_may_come_from_the_environment_and_the_file_from_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("other.toml"), "seed = 7").unwrap();
        let other = folder.path().join("other.toml");
        let (arguments, _) = layered(&format!("--config {}", other.display()), &[], "seed = 1").unwrap();
        assert_eq!(arguments.seed, "7");
        fs::rename(&other, folder.path().join("covolve.toml")).unwrap();
        let project = folder.path().to_str().unwrap();
        let (arguments, _) = layered("", &[("COVOLVE_PROJECT", project)], "seed = 1").unwrap();
        assert_eq!(arguments.seed, "7");
        let gone = layered("--config /gone.toml", &[], "").unwrap_err();
        assert_eq!(
            gone,
            "--config names /gone.toml, which does not exist; check the path, or leave --config out"
        );
    }

    #[test]
    fn reports_and_merges_take_what_they_have_in_common_with_runs() {
        let folder = tempfile::tempdir().unwrap();
        let here = fs::canonicalize(folder.path()).unwrap();
        // Their `out` and `criterion` are others.
        let file = "state = \"kept\"\nout = \"tests\"\ncriterion = \"line\"\nbudget = \"5s\"";
        fs::write(here.join("covolve.toml"), file).unwrap();
        let check = |line: &str, variables: &[(&str, &str)], expect: &str| {
            let options = variables.iter().map(|&(name, value)| (name.to_owned(), value.into())).collect();
            let environment = Environment { options, ..Environment::default() };
            let line = line.replace("{}", here.to_str().unwrap());
            let words = ["covolve"].into_iter().chain(line.split_whitespace()).map(OsString::from);
            let text =
                |path: Option<PathBuf>| path.map(|path| path.display().to_string()).unwrap_or_default();
            let found = match parse(words, &environment).unwrap().line.command {
                Command::Report(it) => {
                    format!("{}; {}; {}", text(it.state.state), text(it.out), it.criteria.join(","))
                }
                Command::Merge(it) => {
                    let states: Vec<String> = it.states.into_iter().map(|state| text(Some(state))).collect();
                    format!("{}; {}", text(it.out), states.join(" "))
                }
                other => panic!("{other:?}"),
            };
            assert_eq!(found.replace(here.to_str().unwrap(), "{}"), expect, "{line}");
        };
        let state = [("COVOLVE_STATE", "other"), ("COVOLVE_OUT", "x")];
        check("report --project {}", &[], "{}/kept; ; ");
        check("report --project {}", &state, "other; ; ");
        check("report --project {} --state s --out true --criterion branch", &state, "s; true; branch");
        check("report --project {} --no-config", &[], "; ; ");
        check("merge --config {}/covolve.toml a b", &[], "{}/kept; a b");
        check("merge --no-config -- --a b", &state, "other; --a b");
        check("merge --no-config --out m a", &state, "m; a");
        check("merge --no-config a", &[], "; a");
    }

    #[test]
    fn a_list_of_a_higher_layer_replaces_the_lower_one() {
        let check = |line: &str, variables: &[(&str, &str)], expect: [&[&str]; 3]| {
            let file = "exclude = [\"a\", \"b\"]\nprefix = \"p\"\n[set]\npopulation = 7\nstatic-pool = 0.5";
            let (arguments, _) = layered(&format!("--project {{}} {line}"), variables, file).unwrap();
            let found = [arguments.targets.exclude, arguments.targets.prefixes, arguments.set];
            assert_eq!(
                found,
                expect.map(|texts| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>())
            );
        };
        check("", &[], [&["a", "b"], &["p"], &["population=7", "static-pool=0.5"]]);
        check("--exclude c", &[], [&["c"], &["p"], &["population=7", "static-pool=0.5"]]);
        check(
            "--class p.A",
            &[("COVOLVE_SET", "population=8 proxies=loops,test-calls"), ("COVOLVE_EXCLUDE", "x")],
            [&["x"], &[], &["population=8", "proxies=loops,test-calls"]],
        );
    }

    #[test]
    fn what_all_layers_say_can_be_said_again_on_a_command_line() {
        let variables = [("COVOLVE_BUDGET", "2s"), ("COVOLVE_VERBOSE", "true")];
        let (arguments, _) =
            layered("--project {} --seed 3", &variables, "names = \"snake\"\n[set]\npopulation = 7").unwrap();
        let words: Vec<String> =
            arguments.engine.command_line.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let mut again = words[1..].to_vec();
        again.sort();
        assert!(words[0].starts_with("--project="), "{words:?}");
        assert_eq!(again, ["--budget=2s", "--names=snake", "--seed=3", "--set=population=7", "--verbose"]);
    }

    #[test]
    fn what_is_on_can_be_turned_off_above() {
        let check = |line: &str, variables: &[(&str, &str)], file: &str, expect: bool| {
            let (arguments, _) = layered(&format!("--project {{}} {line}"), variables, file).unwrap();
            assert_eq!(arguments.verbose, expect);
        };
        check("", &[], "verbose = true", true);
        check("", &[("COVOLVE_VERBOSE", "false")], "verbose = true", false);
        check("--verbose", &[("COVOLVE_VERBOSE", "false")], "", true);
    }

    #[test]
    fn wrong_variables_and_files_are_one_sentence() {
        let check = |line: &str, variables: &[(&str, &str)], file: &str, expect: &str| {
            assert_eq!(layered(&format!("--project {{}} {line}"), variables, file).unwrap_err(), expect);
        };
        check(
            "",
            &[],
            "bugdet = 1",
            "{}/covolve.toml:1: bugdet is no option of `covolve generate`; did you mean 'budget'?",
        );
        check(
            "",
            &[("COVOLVE_BUGDET", "5s")],
            "",
            "COVOLVE_BUGDET is no option of `covolve generate`; did you mean 'COVOLVE_BUDGET'?",
        );
        check(
            "",
            &[("COVOLVE_VERBOSE", "yes")],
            "",
            "COVOLVE_VERBOSE is true or false, not 'yes'; give such a value",
        );
        assert!(layered("", &[("COVOLVE_SOMETHING_ELSE", "1")], "").is_ok(), "whose that is nobody knows");
    }

    #[test]
    fn a_failure_names_the_layers_below_the_command_line() {
        let (_, origins) = layered(
            "--project {} --algorithm random",
            &[("COVOLVE_SEED", "x")],
            "profile = \"paper-000\"\n[set]\npopulation = 7\nproxies = \"loops\"",
        )
        .unwrap();
        let check = |sentence: &str, expect: &str| {
            let told = origins.told(Failure::usage(sentence)).sentence;
            let file = origins.file.as_ref().unwrap().to_str().unwrap();
            assert_eq!(told.replace(file, "F"), expect);
        };
        check(
            "--algorithm random contradicts --profile paper-000, which allows ma or ws; leave one of them out",
            "--algorithm random contradicts --profile paper-000, which allows ma or ws; leave one of them out \
             (--profile comes from F:1)",
        );
        check(
            "--seed x is not possible",
            "--seed x is not possible (--seed comes from environment COVOLVE_SEED)",
        );
        check(
            "--set proxies=loops contradicts it",
            "--set proxies=loops contradicts it (--set comes from F:4)",
        );
        check("--profiles is another", "--profiles is another");
    }
}
