//! Where the classes of a run are worked on. A closed set: this machine, whose way is that of the module above, and a cluster.
//!
//! * [`slurm`]: the shards of a project as a job array

pub mod slurm;

use std::ffi::{OsStr, OsString};
use std::num::NonZeroUsize;

use project::failure::Failure;

use crate::args::{EngineArgs, GenerateArgs};
use crate::generate::shard::MOST_SHARDS;
use crate::options::{choose, number};

/// Where classes are worked on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Engine {
    /// On this machine.
    #[default]
    Local,
    /// On the machines of a Slurm cluster.
    Slurm(JobArray),
}

/// A job array that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobArray {
    /// Its tasks, at most.
    pub shards: NonZeroUsize,
    /// Options for `sbatch`.
    pub options: Vec<String>,
    /// How often shards that fail are run again.
    pub retries: u32,
    /// The words behind `generate` that every shard is run with.
    pub words: Vec<OsString>,
}

/// What is for [`Engine::Slurm`] alone.
const OF_SLURM: [&str; 3] = ["--shards", "--slurm-options", "--slurm-retries"];

/// Options of `sbatch` that the array needs for itself, or cannot do with, long and short.
const TAKEN: [(&str, &str); 12] = [
    ("--array", "-a"),
    ("--output", "-o"),
    ("--error", "-e"),
    ("--job-name", "-J"),
    ("--wrap", "--wrap"),
    ("--test-only", "--test-only"),
    ("--requeue", "--requeue"),
    ("--wait", "-W"),
    ("--quiet", "-Q"),
    ("--help", "-h"),
    ("--usage", "--usage"),
    ("--version", "-V"),
];

/// How often a shard that fails is run again where nothing is said.
const RETRIES: u32 = 1;

/// Most such times.
const MOST_RETRIES: u64 = 100;

impl Engine {
    /// What `--engine` takes, the default first.
    pub const NAMES: [&str; 2] = ["local", "slurm"];

    /// Reads the options.
    ///
    /// # Errors
    /// One is wrong, or makes no sense with another.
    pub fn new(arguments: &GenerateArgs) -> Result<Self, Failure> {
        let EngineArgs { engine, shards, slurm_options, slurm_retries, command_line } = &arguments.engine;
        let [local, _] = Self::NAMES;
        let name = choose("--engine", engine.as_deref().unwrap_or(local), &Self::NAMES)?;
        if name == local {
            let given = [shards.is_some(), slurm_options.is_some(), slurm_retries.is_some()];
            let lonely = OF_SLURM.into_iter().zip(given).find(|(_, is_given)| *is_given);
            // Who says `local` may have the others in a file for the cluster.
            return match lonely.filter(|_| engine.is_none()) {
                Some((option, _)) => Err(Failure::usage(format!(
                    "{option} is for a cluster; give --engine slurm as well, or leave it out"
                ))),
                None => Ok(Self::Local),
            };
        }
        if arguments.shard.is_some() {
            return Err(Failure::usage(
                "--shard is one part for this machine, and --engine slurm has all parts worked on; give their number with \
                 --shards in its place",
            ));
        }
        let Some(shards) = shards else {
            return Err(Failure::usage(
                "--engine slurm shares the classes among tasks of a job array; give their number with --shards",
            ));
        };
        let shards = number("--shards", shards, 1, MOST_SHARDS as u64)? as usize;
        let retries = slurm_retries.as_deref().map(|text| number("--slurm-retries", text, 0, MOST_RETRIES));
        Ok(Self::Slurm(JobArray {
            shards: NonZeroUsize::new(shards).unwrap_or(NonZeroUsize::MIN),
            options: slurm_options.as_deref().map_or(Ok(Vec::new()), options)?,
            retries: retries.transpose()?.map_or(RETRIES, |retries| retries as u32),
            words: command_line.iter().filter(|word| !is_own(word)).cloned().collect(),
        }))
    }
}

/// Splits options as a shell does.
fn options(text: &str) -> Result<Vec<String>, Failure> {
    let Some(words) = shlex::split(text) else {
        return Err(Failure::usage(format!(
            "--slurm-options {text} has a quotation that does not end; give options of sbatch as for a shell"
        )));
    };
    let is_taken = |word: &str| {
        let is = |option: &str| {
            word.strip_prefix(option).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
        };
        let is_short =
            |option: &str| !option.starts_with("--") && !word.starts_with("--") && word.starts_with(option);
        TAKEN.iter().any(|(long, short)| is(long) || is_short(short))
    };
    match words.iter().find(|word| is_taken(word)) {
        Some(taken) => Err(Failure::usage(format!(
            "--slurm-options {taken} is not for the job array, which sets or needs it itself; leave it out"
        ))),
        None => Ok(words),
    }
}

/// Options that each shard gets with values of its own, and those that are carried out once for all of them.
const OWN: [&str; 9] =
    ["engine", "shards", "slurm-options", "slurm-retries", "state", "report", "json", "build", "config"];

/// Whether a word, `--option` or `--option=value`, is not for shards.
fn is_own(word: &OsStr) -> bool {
    let word = word.to_string_lossy();
    let Some(option) = word.strip_prefix("--") else { return false };
    let name = option.split_once('=').map_or(option, |(name, _)| name);
    OWN.contains(&name) || name == "no-config"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine(arguments: EngineArgs, shard: Option<&str>) -> Result<Engine, String> {
        let arguments =
            GenerateArgs { engine: arguments, shard: shard.map(Into::into), ..GenerateArgs::default() };
        Engine::new(&arguments).map_err(|failure| failure.sentence)
    }

    /// The arguments of `--engine`, `--shards`, `--slurm-options` and `--slurm-retries`.
    fn arguments([engine, shards, options, retries]: [Option<&str>; 4]) -> EngineArgs {
        EngineArgs {
            engine: engine.map(Into::into),
            shards: shards.map(Into::into),
            slurm_options: options.map(Into::into),
            slurm_retries: retries.map(Into::into),
            command_line: Vec::new(),
        }
    }

    #[test]
    fn an_array_is_asked_for_by_name_and_number() {
        let check = |words: [Option<&str>; 4], expect: Option<(usize, &[&str], u32)>| {
            let found = match engine(arguments(words), None).unwrap() {
                Engine::Local => None,
                Engine::Slurm(JobArray { shards, options, retries, .. }) => {
                    Some((shards.get(), options, retries))
                }
            };
            let expect = expect.map(|(shards, options, retries)| {
                (shards, options.iter().map(|&option| option.to_owned()).collect(), retries)
            });
            assert_eq!(found, expect, "{words:?}");
        };
        check([None; 4], None);
        check([Some("local"), None, None, None], None);
        check([Some("local"), Some("4"), Some("--partition=long"), Some("2")], None);
        check([Some("slurm"), Some("4"), None, None], Some((4, &[], 1)));
        let options = Some("--partition=long -t 1:00:00 --comment='tests of us'");
        let split: &[&str] = &["--partition=long", "-t", "1:00:00", "--comment=tests of us"];
        check([Some("slurm"), Some("1000"), options, Some("0")], Some((1000, split, 0)));
    }

    #[test]
    fn what_makes_no_sense_is_one_sentence() {
        let check = |words: [Option<&str>; 4], shard: Option<&str>, expect: &str| {
            assert_eq!(engine(arguments(words), shard).unwrap_err(), expect);
        };
        let slurm = Some("slurm");
        check(
            [Some("slrm"), None, None, None],
            None,
            "--engine slrm is not known; give local or slurm; did you mean 'slurm'?",
        );
        let lonely =
            |option: &str| format!("{option} is for a cluster; give --engine slurm as well, or leave it out");
        check([None, Some("4"), None, None], None, &lonely("--shards"));
        check([None, None, Some("-p x"), None], None, &lonely("--slurm-options"));
        check([None, None, None, Some("4")], None, &lonely("--slurm-retries"));
        check(
            [slurm, Some("4"), None, None],
            Some("1/4"),
            "--shard is one part for this machine, and --engine slurm has all parts worked on; give their number with --shards \
             in its place",
        );
        check(
            [slurm, None, None, None],
            None,
            "--engine slurm shares the classes among tasks of a job array; give their number with --shards",
        );
        check(
            [slurm, Some("0"), None, None],
            None,
            "--shards 0 is not possible; give a whole number, 1 to 1000",
        );
        check(
            [slurm, Some("4"), None, Some("-1")],
            None,
            "--slurm-retries -1 is not possible; give a whole number, 0 to 100",
        );
        check(
            [slurm, Some("4"), Some("--comment='x"), None],
            None,
            "--slurm-options --comment='x has a quotation that does not end; give options of sbatch as for a shell",
        );
        for taken in ["--array=1-9", "-a1-9", "-o", "--output", "--wrap=ls", "-Jx", "-W", "--requeue"] {
            check(
                [slurm, Some("4"), Some(&format!("-p long {taken} x")), None],
                None,
                &format!(
                    "--slurm-options {taken} is not for the job array, which sets or needs it itself; leave it out"
                ),
            );
        }
    }

    #[test]
    fn shards_get_the_options_that_are_not_their_own() {
        let words = [
            "--class=a.B",
            "--engine=slurm",
            "--shards=4",
            "--slurm-options=-p x",
            "--slurm-retries=2",
            "--state=s",
            "--report=r",
            "--report-x=1",
            "--config=c.toml",
            "--set=population=7",
            "--build",
            "--json",
            "--no-config",
            "--fresh",
        ];
        let mut asked = arguments([Some("slurm"), Some("4"), None, None]);
        asked.command_line = words.map(OsString::from).to_vec();
        let Engine::Slurm(array) = engine(asked, None).unwrap() else { panic!("it is slurm") };
        assert_eq!(array.words, ["--class=a.B", "--report-x=1", "--set=population=7", "--fresh"]);
    }
}
