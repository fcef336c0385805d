//! `covolve config`: every option, its value, and where that comes from; as lines of a `covolve.toml` in which what is not set
//! is commented out.

use std::io::Write;

use search::parameters::PARAMETERS;
use serde::Serialize;

use super::keys::{Key, Kind, PARAMETERS_KEY};
use super::{Origins, Value, schema};
use crate::args::ConfigArgs;
use crate::exit_code::ExitCode;
use crate::options::{Budget, Form, Names, Options};

/// The columns from which on it is said where a value comes from.
const COLUMN: usize = 40;

/// A line of the answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Row {
    /// The option, or the parameter behind `set.`.
    key: String,
    /// Its value: texts in the order of the option; empty where there is none, and Covolve finds it out.
    values: Vec<String>,
    /// What it is where it has no value, in words; empty where that is nothing.
    words: String,
    /// What gives it: `default`, `profile`, `file`, `environment` or `flag`.
    layer: &'static str,
    /// Where that is.
    place: String,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Answer {
    /// The file that was read.
    file: Option<String>,
    /// All options.
    options: Vec<Row>,
}

/// Runs `config`.
///
/// # Errors
/// The output is closed. Values that are wrong or contradict each other are told behind those that are set.
pub fn run(
    arguments: &ConfigArgs,
    origins: &Origins,
    names: Names<'_>,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    if arguments.schema {
        out.write_all(schema::text().as_bytes())?;
        return Ok(ExitCode::Success);
    }
    let options = Options::new(&arguments.generate, names);
    let options_rows = rows(origins, options.as_ref().ok());
    if origins.asks_json {
        let file = origins.file.as_ref().map(|file| file.display().to_string());
        writeln!(out, "{}", serde_json::to_string(&Answer { file, options: options_rows })?)?;
    } else {
        out.write_all(page(origins, &options_rows).as_bytes())?;
    }
    out.flush()?;
    options.map(|_| ExitCode::Success).map_err(Into::into)
}

/// A row per option, and per parameter of the search.
fn rows(origins: &Origins, options: Option<&Options>) -> Vec<Row> {
    let mut rows = Vec::new();
    for (key, values) in &origins.settings {
        if key.kind == Kind::Parameters {
            rows.extend(parameters(values, options));
            continue;
        }
        let texts = |values: &[Value]| {
            values.iter().map(|value| value.text.to_string_lossy().into_owned()).collect::<Vec<_>>()
        };
        rows.push(match values.as_slice() {
            [] => by_default(key, options),
            [first, ..] => Row {
                key: key.name.clone(),
                values: texts(values),
                words: String::new(),
                layer: first.origin.layer(),
                place: first.origin.place(),
            },
        });
    }
    // As TOML has it: what is in no table comes first.
    rows.sort_by_key(|row| row.key.starts_with("set."));
    rows
}

/// What an option is where nothing sets it: what came of it, else what its help says.
fn by_default(key: &Key, options: Option<&Options>) -> Row {
    let effective = options.and_then(|options| effective(&key.name, options));
    let is_profiles = options.is_some_and(|options| options.profile_name().is_some()) && effective.is_some();
    let profile = options.and_then(Options::profile_name).unwrap_or_default();
    let (layer, place) = if is_profiles {
        ("profile", format!("profile {profile}"))
    } else {
        ("default", "default".to_owned())
    };
    let simple = |text: &String| !text.contains(' ');
    let (values, words) = match (effective, key.kind, &key.default) {
        (Some(values), _, _) => (values, String::new()),
        (None, Kind::Switch, _) => (vec!["false".to_owned()], String::new()),
        (None, _, Some(text)) if simple(text) && matches!(key.kind, Kind::Number | Kind::Text) => {
            (vec![text.clone()], String::new())
        }
        (None, _, text) => (Vec::new(), text.clone().unwrap_or_default()),
    };
    Row { key: key.name.clone(), values, words, layer, place }
}

/// What came of an option whose default depends on others.
fn effective(key: &str, options: &Options) -> Option<Vec<String>> {
    match key {
        "budget" => Some(vec![match options.budget {
            Budget::Time(time) if time.subsec_millis() == 0 => format!("{}s", time.as_secs()),
            Budget::Time(time) => format!("{}ms", time.as_millis()),
            Budget::Executions(executions) => format!("{executions}executions"),
        }]),
        "algorithm" => Some(vec![options.algorithm.clone()]),
        "criterion" => Some(options.criteria.clone()),
        "suite" => Some(vec![options.suite.name().to_owned()]),
        "goal-selection" => Some(vec![options.goal_selection.name().to_owned()]),
        "parameterized" => Some(vec![when(options.looks.parameterized)]),
        "nested" => Some(vec![when(options.looks.nested)]),
        "formatter" => Some(vec![when(options.form == Form::OfBuild)]),
        "mocks" => Some(vec![options.looks.mocks.name().to_owned()]),
        _ => None,
    }
}

fn when(is_auto: bool) -> String {
    if is_auto { "auto" } else { "never" }.to_owned()
}

/// A row per parameter of the search.
fn parameters(values: &[Value], options: Option<&Options>) -> Vec<Row> {
    let search_options = options.and_then(|options| options.set_up.search_options().ok());
    let profile = options.and_then(Options::profile_name);
    let row = |parameter: &search::parameters::Parameter| {
        let key = format!("{PARAMETERS_KEY}.{}", parameter.name);
        let assigned = |value: &Value| {
            let text = value.text.to_string_lossy().into_owned();
            text.split_once('=').filter(|(name, _)| *name == parameter.name).map(|(_, text)| text.to_owned())
        };
        // What is said last holds.
        if let Some((value, text)) = values.iter().rev().find_map(|value| Some((value, assigned(value)?))) {
            let (layer, place) = (value.origin.layer(), value.origin.place());
            return Row { key, values: vec![text], words: String::new(), layer, place };
        }
        let value =
            search_options.as_ref().map_or_else(|| parameter.default_text(), |all| parameter.value(all));
        let (layer, place) = match profile {
            Some(profile) if value != parameter.default_text() => ("profile", format!("profile {profile}")),
            Some(_) | None => ("default", "default".to_owned()),
        };
        Row { key, values: vec![value], words: String::new(), layer, place }
    };
    PARAMETERS.iter().map(row).collect()
}

/// The rows as lines of a file; those that nobody has set are comments, so that the rest can be read again.
fn page(origins: &Origins, rows: &[Row]) -> String {
    let mut page = match &origins.file {
        Some(file) => format!("# {}\n\n", file.display()),
        None => "# no covolve.toml\n\n".to_owned(),
    };
    let mut is_in_table = false;
    for row in rows {
        let name = row.key.strip_prefix("set.");
        if name.is_some() && !is_in_table {
            is_in_table = true;
            page.extend(["\n[", PARAMETERS_KEY, "]\n"]);
        }
        let key = origins.settings.iter().map(|(key, _)| key).find(|key| key.name == row.key);
        let is_set = !matches!(row.layer, "default" | "profile");
        let line = format!(
            "{}{} = {}",
            if is_set { "" } else { "# " },
            name.unwrap_or(&row.key),
            if row.words.is_empty() { text(key, &row.values) } else { row.words.clone() }
        );
        page.push_str(format!("{line:COLUMN$} # {}", row.place).trim_end());
        page.push('\n');
    }
    page
}

/// Values as TOML has them.
fn text(key: Option<&Key>, values: &[String]) -> String {
    let is_bare = |value: &str| {
        value.parse::<i64>().is_ok()
            || value.parse::<f64>().is_ok_and(f64::is_finite)
            || ["true", "false"].contains(&value)
    };
    let may_be_bare = |value: &str| match key.map(|key| key.kind) {
        // Parameters, which take any.
        None => is_bare(value),
        Some(Kind::Switch | Kind::Number) => is_bare(value),
        Some(Kind::Text | Kind::Path | Kind::ClassPath | Kind::Parameters) => false,
    };
    let one = |value: &String| if may_be_bare(value) { value.clone() } else { quoted(value) };
    match (key.is_some_and(|key| key.repeats), values) {
        (true, values) => format!("[{}]", values.iter().map(one).collect::<Vec<_>>().join(", ")),
        (false, [value]) => one(value),
        (false, values) => values.iter().map(one).collect::<Vec<_>>().join(", "),
    }
}

/// A text in quotes; TOML and JSON escape alike.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

impl Options {
    /// The profile asked for.
    fn profile_name(&self) -> Option<&'static str> {
        self.set_up.profile().ok().flatten().map(|profile| profile.name)
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use project::environment::Environment;

    use super::super::keys::keys;
    use super::super::{Layered, file, parse};
    use super::*;
    use crate::args::Command;

    const NAMES: Names<'_> = Names {
        algorithms: &["auto", "dynamosa", "ma", "ws"],
        criteria: &["branch", "line"],
        default_criteria: &["branch", "line"],
    };

    /// What `covolve config` prints for these words and variables, and what it says besides.
    fn shown(line: &str, variables: &[(&str, &str)]) -> (String, Option<String>) {
        let options = variables.iter().map(|&(name, value)| (name.to_owned(), value.into())).collect();
        let environment = Environment { options, ..Environment::default() };
        let words = ["covolve", "config", "--no-config"].into_iter().chain(line.split_whitespace());
        let Layered { line, origins } = parse(words.map(OsString::from), &environment).unwrap();
        let Command::Config(arguments) = line.command else { panic!("{line:?}") };
        let mut out = Vec::new();
        let said = run(&arguments, &origins, NAMES, &mut out).err();
        (String::from_utf8(out).unwrap(), said.map(|error| error.to_string()))
    }

    fn line(text: &str, start: &str) -> String {
        let line = text.lines().find(|line| line.trim_start_matches("# ").starts_with(&format!("{start} =")));
        line.expect(start).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn every_value_is_shown_with_where_it_comes_from() {
        let (text, said) = shown("--seed 7 --set population=9", &[("COVOLVE_EXCLUDE", "a b")]);
        assert_eq!(said, None);
        let check = |start: &str, expect: &str| assert_eq!(line(&text, start), expect);
        check("seed", "seed = 7 # flag");
        check("exclude", "exclude = [\"a\", \"b\"] # environment COVOLVE_EXCLUDE");
        check("population", "population = 9 # flag");
        check("budget", "# budget = \"60s\" # default");
        check("algorithm", "# algorithm = \"auto\" # default");
        check("criterion", "# criterion = [\"branch\", \"line\"] # default");
        check("json", "# json = false # default");
        check(
            "jobs",
            "# jobs = as many as processors and memory have room for, by the number of islands if one is given # default",
        );
        check("suite", "# suite = \"compact\" # default");
        check("out", "# out = that of the module, with a class path `covolve-tests` # default");
        let jdk =
            "in a project that of the build's toolchains, else `JAVA_HOME`, else the `java` on the path";
        check("java-home", &format!("# java-home = {jdk} # default"));
        check("shards", "# shards = # default");
        for key in keys().iter().filter(|key| key.kind != Kind::Parameters) {
            line(&text, &key.name);
        }
        for parameter in PARAMETERS {
            line(&text, parameter.name);
        }
    }

    #[test]
    fn what_a_profile_sets_comes_from_it() {
        let (text, _) = shown("--profile paper-000", &[]);
        let check = |start: &str, expect: &str| assert_eq!(line(&text, start), expect);
        check("budget", "# budget = \"600s\" # profile paper-000");
        check("algorithm", "# algorithm = \"ma\" # profile paper-000");
        check("suite", "# suite = \"complete\" # profile paper-000");
        check("static-pool", "# static-pool = 0.2 # profile paper-000");
    }

    #[test]
    fn what_is_shown_can_be_read_again() {
        let line =
            "--seed 7 --budget 5s --set population=9 --set proxies=loops --criterion line --build --junit 5";
        let (text, _) = shown(line, &[]);
        let said = file::read_text(&text, &keys()).unwrap();
        let said: Vec<String> = (said.into_iter())
            .map(|(name, values)| {
                let texts = values.into_iter().map(|value| value.text.into_string().unwrap());
                format!("{name} {}", texts.collect::<Vec<_>>().join(" "))
            })
            .collect();
        let expect = [
            "build true",
            "budget 5s",
            "seed 7",
            "criterion line",
            "junit 5",
            "set population=9 proxies=loops",
        ];
        assert_eq!(said, expect, "{text}");
    }

    #[test]
    fn contradictions_are_told_behind_the_values() {
        let (text, said) = shown("--algorithm ma --profile paper-004", &[]);
        assert_eq!(line(&text, "profile"), "profile = \"paper-004\" # flag");
        assert!(said.unwrap().starts_with("--algorithm ma contradicts --profile paper-004"));
    }

    #[test]
    fn json_says_the_same() {
        let (text, _) = shown("--json --seed 7", &[("COVOLVE_JSON", "false")]);
        let answer: serde_json::Value = serde_json::from_str(&text).unwrap();
        let options = answer["options"].as_array().unwrap();
        let of = |key: &str| options.iter().find(|row| row["key"] == key).unwrap().to_string();
        assert_eq!(of("seed"), r#"{"key":"seed","layer":"flag","place":"flag","values":["7"],"words":""}"#);
        assert_eq!(
            of("json"),
            r#"{"key":"json","layer":"environment","place":"environment COVOLVE_JSON","values":["false"],"words":""}"#
        );
        let jobs = answer["options"].as_array().unwrap().iter().find(|row| row["key"] == "jobs").unwrap();
        assert!(jobs["words"].as_str().unwrap().starts_with("as many as processors"), "{jobs}");
    }
}
