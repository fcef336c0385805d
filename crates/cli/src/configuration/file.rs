//! `covolve.toml`: found, read, and checked against the keys.

#![expect(clippy::disallowed_methods, reason = "the place where the configuration is read")]

use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path, PathBuf};

use project::build::root::up_to_root;
use project::failure::Failure;
use project::nearest::{did_you_mean, one_of};
use search::parameters::PARAMETERS;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::keys::{Key, Kind, PARAMETERS_KEY};
use super::{ALONE, Origin, Value};
use crate::args::NO_KEYS;

/// What the file is called.
pub(super) const NAME: &str = "covolve.toml";

/// What a file says: keys with their values, in its order.
pub(super) type Said = Vec<(String, Vec<Value>)>;

/// The file of a project: in its folder, or in the nearest one around it that still belongs to the build.
pub(super) fn find(project: &Path) -> Option<PathBuf> {
    let folder = fs::canonicalize(project).ok()?;
    up_to_root(&folder).into_iter().map(|folder| folder.join(NAME)).find(|file| file.is_file())
}

/// Reads a file.
///
/// # Errors
/// It cannot be read, is no TOML, or has a key or value that no option takes.
pub(super) fn read(path: &Path, keys: &[Key]) -> Result<Said, Failure> {
    let path = shown(path);
    let bytes = fs::read(&path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Failure::usage(format!(
            "--config names {}, which does not exist; check the path, or leave --config out",
            path.display()
        )),
        _ => Failure::usage(format!(
            "{} cannot be read: {error}; put that right, or give --no-config",
            path.display()
        )),
    })?;
    let text = String::from_utf8(bytes).map_err(|_| {
        Failure::usage(format!("{} is not in UTF-8, as TOML has to be; save it so", path.display()))
    })?;
    Reader { path: &path, text: &text, keys }.read()
}

/// The path as seen from the current folder, if it lies there.
fn shown(path: &Path) -> PathBuf {
    let here = std::env::current_dir().and_then(fs::canonicalize).ok();
    let within = here.and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned));
    within.unwrap_or_else(|| path.to_owned())
}

struct Reader<'a> {
    path: &'a Path,
    text: &'a str,
    keys: &'a [Key],
}

impl Reader<'_> {
    fn read(&self) -> Result<Said, Failure> {
        let table = DeTable::parse(self.text).map_err(|error| {
            let what = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
            let line = error.span().map_or(1, |span| self.line(&span));
            self.wrong(line, &format!("{what}; put that right as TOML has it"))
        })?;
        let mut entries: Vec<_> = table.get_ref().iter().collect();
        entries.sort_by_key(|(name, _)| name.span().start);
        entries.into_iter().map(|(name, value)| self.entry(name, value)).collect()
    }

    fn line(&self, span: &Range<usize>) -> usize {
        1 + self.text.bytes().take(span.start).filter(|byte| *byte == b'\n').count()
    }

    fn wrong(&self, line: usize, what: &str) -> Failure {
        Failure::usage(format!("{}:{line}: {what}", self.path.display()))
    }

    fn entry(
        &self,
        name: &Spanned<impl AsRef<str>>,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<(String, Vec<Value>), Failure> {
        let line = self.line(&name.span());
        let name = name.get_ref().as_ref();
        let Some(key) = self.keys.iter().find(|key| key.name == name) else {
            return Err(self.wrong(line, &self.unknown(name)));
        };
        let values = match (key.kind, value.get_ref()) {
            (Kind::Parameters, DeValue::Table(table)) => self.parameters(table)?,
            (Kind::Parameters, _) => {
                let what =
                    format!("{name} is a table of parameters; write [{name}] and below it population = 100");
                return Err(self.wrong(line, &what));
            }
            (_, DeValue::Array(items)) if key.repeats => {
                items.iter().map(|item| self.value(key, item)).collect::<Result<_, _>>()?
            }
            (_, DeValue::Array(_)) => {
                return Err(self.wrong(line, &format!("{name} has one value, not a list; give it alone")));
            }
            _ => vec![self.value(key, value)?],
        };
        Ok((name.to_owned(), values))
    }

    fn unknown(&self, name: &str) -> String {
        let names: Vec<&str> = self.keys.iter().map(|key| key.name.as_str()).collect();
        if PARAMETERS.iter().any(|parameter| parameter.name == name) {
            return format!("{name} is a parameter; put it below a line [{PARAMETERS_KEY}]");
        }
        if NO_KEYS.contains(&name) {
            return format!("{name} is for the command line alone; leave it out");
        }
        match did_you_mean(name, &names) {
            near if near.is_empty() => {
                format!("{name} is no option of `covolve generate`; `covolve config` lists them")
            }
            near => format!("{name} is no option of `covolve generate`{near}"),
        }
    }

    fn value(&self, key: &Key, value: &Spanned<DeValue<'_>>) -> Result<Value, Failure> {
        let line = self.line(&value.span());
        let choices = key.choices();
        let text = match (key.kind, value.get_ref()) {
            (Kind::Switch, DeValue::Boolean(on)) => Some(on.to_string()),
            (Kind::Number, DeValue::Integer(number)) => decimal(number),
            (Kind::Number, DeValue::Boolean(true)) => key.stands_alone.then(|| ALONE.to_owned()),
            (Kind::Number, DeValue::String(text)) => {
                let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
                (is_number || choices.contains(&text.as_ref())).then(|| text.to_string())
            }
            (Kind::Text, DeValue::String(text)) => {
                let is_list = key.repeats && text.contains([',', ':']);
                let is_known = choices.is_empty() || choices.contains(&text.as_ref()) || is_list;
                if !is_known {
                    let near = did_you_mean(text, &choices);
                    return Err(self.wrong(
                        line,
                        &format!("{} {text} is not known; give {}{near}", key.name, one_of(&choices)),
                    ));
                }
                Some(text.to_string())
            }
            (Kind::Text, DeValue::Integer(number)) => {
                decimal(number).filter(|number| choices.contains(&number.as_str()))
            }
            (Kind::Path, DeValue::String(text)) => Some(self.below(text)),
            (Kind::ClassPath, DeValue::String(text)) => {
                Some(text.split(':').map(|entry| self.below(entry)).collect::<Vec<_>>().join(":"))
            }
            (
                Kind::Switch | Kind::Number | Kind::Text | Kind::Path | Kind::ClassPath | Kind::Parameters,
                _,
            ) => None,
        };
        let text = text.ok_or_else(|| {
            self.wrong(line, &format!("{} is {}; give such a value", key.name, expected(key)))
        })?;
        Ok(self.found(text, line))
    }

    /// A path of the file, which is meant as seen from its folder.
    fn below(&self, path: &str) -> String {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        if path.is_empty() { String::new() } else { folder.join(path).to_string_lossy().into_owned() }
    }

    fn found(&self, text: String, line: usize) -> Value {
        Value { text: OsString::from(text), origin: Origin::File { path: self.path.to_owned(), line } }
    }

    fn parameters(&self, table: &DeTable<'_>) -> Result<Vec<Value>, Failure> {
        let names: Vec<&str> = PARAMETERS.iter().map(|parameter| parameter.name).collect();
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(name, _)| name.span().start);
        let mut values = Vec::new();
        for (name, value) in entries {
            let line = self.line(&name.span());
            let name = name.get_ref().as_ref();
            if !names.contains(&name) {
                let what = if self.keys.iter().any(|key| key.name == name) {
                    format!("{name} is an option and no parameter; put it above the line [{PARAMETERS_KEY}]")
                } else {
                    match did_you_mean(name, &names) {
                        near if near.is_empty() => {
                            format!("{name} is no parameter; `covolve parameters` lists them")
                        }
                        near => format!("{name} is no parameter{near}"),
                    }
                };
                return Err(self.wrong(line, &what));
            }
            let text = match value.get_ref() {
                DeValue::String(text) => Some(text.to_string()),
                DeValue::Integer(number) => decimal(number),
                DeValue::Float(number) => Some(number.as_str().replace('_', "")),
                DeValue::Boolean(on) => Some(on.to_string()),
                DeValue::Array(_) | DeValue::Table(_) | DeValue::Datetime(_) => None,
            };
            let text = text.ok_or_else(|| {
                self.wrong(line, &format!("{name} is a number, a text, true or false; give such a value"))
            })?;
            values.push(self.found(format!("{name}={text}"), line));
        }
        Ok(values)
    }
}

/// A whole number in digits, however the file writes it.
fn decimal(number: &toml::de::DeInteger<'_>) -> Option<String> {
    i128::from_str_radix(number.as_str(), number.radix()).ok().map(|number| number.to_string())
}

/// What an option takes, in words.
fn expected(key: &Key) -> String {
    let choices = key.choices();
    match key.kind {
        Kind::Switch => "true or false".to_owned(),
        Kind::Number if choices.is_empty() => "a whole number".to_owned(),
        Kind::Number => format!("a whole number or \"{}\"", choices.join("\" or \"")),
        Kind::Text if choices.is_empty() => "a text in quotes".to_owned(),
        Kind::Text => format!("one of {}, in quotes", one_of(&choices)),
        Kind::Path => "a path in quotes".to_owned(),
        Kind::ClassPath => "a class path in quotes".to_owned(),
        Kind::Parameters => "a table of parameters".to_owned(),
    }
}

/// Likewise from a text, of a file that lies nowhere.
#[cfg(test)]
pub(super) fn read_text(text: &str, keys: &[Key]) -> Result<Said, Failure> {
    Reader { path: Path::new(NAME), text, keys }.read()
}

#[cfg(test)]
mod tests {
    use super::super::keys::keys;
    use super::*;

    fn said(text: &str) -> Result<Said, String> {
        let path = Path::new("/x/covolve.toml");
        Reader { path, text, keys: &keys() }.read().map_err(|failure| failure.sentence)
    }

    fn check(text: &str, expect: &[(&str, &[(&str, usize)])]) {
        let expect: Said = (expect.iter())
            .map(|(name, values)| {
                let value = |&(text, line): &(&str, usize)| Value {
                    text: text.into(),
                    origin: Origin::File { path: "/x/covolve.toml".into(), line },
                };
                ((*name).to_owned(), values.iter().map(value).collect())
            })
            .collect();
        assert_eq!(said(text), Ok(expect), "{text}");
    }

    #[test]
    fn values_come_with_their_lines() {
        check("", &[]);
        check(
            "seed = 0x10\n\nbudget = \"5s\"\nbuild = true\n",
            &[("seed", &[("16", 1)]), ("budget", &[("5s", 3)]), ("build", &[("true", 4)])],
        );
        check(
            "exclude = [\n  \"*Dto\",\n  \"a.b\",\n]\ncriterion = \"line,branch\"",
            &[("exclude", &[("*Dto", 2), ("a.b", 3)]), ("criterion", &[("line,branch", 5)])],
        );
        check(
            "islands = \"auto\"\njunit = 5\njobs = \"3\"\ntimeline = true",
            &[
                ("islands", &[("auto", 1)]),
                ("junit", &[("5", 2)]),
                ("jobs", &[("3", 3)]),
                ("timeline", &[("true", 4)]),
            ],
        );
        check(
            "[set]\npopulation = 1_00\nstatic-pool = 0.5\nproxies = \"loops\"",
            &[("set", &[("population=100", 2), ("static-pool=0.5", 3), ("proxies=loops", 4)])],
        );
    }

    #[test]
    fn paths_are_meant_as_seen_from_the_file() {
        check(
            "out = \"t\"\nproject = \"/p\"\ncp = [\"a:/b\", \"lib/*\"]",
            &[("out", &[("/x/t", 1)]), ("project", &[("/p", 2)]), ("cp", &[("/x/a:/b", 3), ("/x/lib/*", 3)])],
        );
    }

    #[test]
    fn what_is_wrong_is_one_sentence_with_its_line() {
        let check = |text: &str, line: usize, expect: &str| {
            assert_eq!(said(text), Err(format!("/x/covolve.toml:{line}: {expect}")), "{text}");
        };
        check("\nbugdet = \"5s\"", 2, "bugdet is no option of `covolve generate`; did you mean 'budget'?");
        check("x = 1", 1, "x is no option of `covolve generate`; `covolve config` lists them");
        check("config = \"x\"", 1, "config is for the command line alone; leave it out");
        check("population = 7", 1, "population is a parameter; put it below a line [set]");
        check("[set]\nseed = 7", 2, "seed is an option and no parameter; put it above the line [set]");
        check("[set]\npopluation = 7", 2, "popluation is no parameter; did you mean 'population'?");
        check(
            "[set]\npopulation = [7]",
            2,
            "population is a number, a text, true or false; give such a value",
        );
        check(
            "set = [\"population=7\"]",
            1,
            "set is a table of parameters; write [set] and below it population = 100",
        );
        check("seed = \"x\"", 1, "seed is a whole number; give such a value");
        check("islands = \"x\"", 1, "islands is a whole number or \"auto\"; give such a value");
        check("junit = 6", 1, "junit is one of auto, 5 or 4, in quotes; give such a value");
        check("build = \"yes\"", 1, "build is true or false; give such a value");
        check(
            "goal-selection = \"smrt\"",
            1,
            "goal-selection smrt is not known; give smart-returns, smart, combine or representatives; did you mean 'smart'?",
        );
        check("budget = 60", 1, "budget is a text in quotes; give such a value");
        check("budget = [\"60s\"]", 1, "budget has one value, not a list; give it alone");
        check("exclude = [1]", 1, "exclude is a text in quotes; give such a value");
        check("out = 1", 1, "out is a path in quotes; give such a value");
        check("seed = 1\nseed = 2", 2, "duplicate key; put that right as TOML has it");
    }
}
