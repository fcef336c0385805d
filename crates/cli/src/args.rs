//! The command line as typed. What the values mean, and which are right, is decided in [`crate::options`].

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, Parser, Subcommand};

use crate::failure::Failure;

/// Writes JUnit tests for compiled JVM classes.
#[derive(Debug, Parser)]
#[command(name = "covolve", version, about, max_term_width = 110)]
pub struct CommandLine {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Write verified JUnit tests for classes.
    Generate(Box<GenerateArgs>),
    /// Say what could be tested, and why the rest cannot.
    List(ListArgs),
    /// Run the search for one class, as told over the standard streams. Started by `generate`.
    #[command(hide = true)]
    Worker,
    /// Run a command under the sandbox. Started by `generate`.
    #[command(hide = true)]
    Sandboxed(SandboxedArgs),
}

/// Options of `generate`.
#[derive(Debug, Clone, Default, Args)]
pub struct GenerateArgs {
    /// Class to test, by its binary name (repeatable). A top-level class owns its nest: the goals of nested,
    /// anonymous and lambda code are its goals. `Outer$Inner` narrows to that class.
    #[arg(long = "class", value_name = "FQCN")]
    pub classes: Vec<String>,

    /// Test every top-level class in this package and the packages below it (repeatable).
    #[arg(long = "prefix", value_name = "PKG")]
    pub prefixes: Vec<String>,

    /// Class path: folders and jars, separated by colons (repeatable).
    #[arg(long = "cp", value_name = "A:B")]
    pub class_path: Vec<OsString>,

    /// Artifact to put on the class path with its run-time dependencies, resolved by your Maven (repeatable).
    #[arg(long = "maven", value_name = "G:A:V")]
    pub maven: Vec<String>,

    /// Root of the test sources; files are `<package>/<Class>CovolveTest.java` in it.
    #[arg(long, value_name = "DIR", default_value = "covolve-tests")]
    pub out: PathBuf,

    /// Budget per class: a time (`60s`, `500ms`, `2m`) for everything from the start to the file on disk, or a
    /// number of executions (`20000executions`) for the search, which gives the same bytes every time.
    #[arg(long, value_name = "BUDGET", default_value = "60s")]
    pub budget: String,

    /// Seed of the random choices.
    #[arg(long, value_name = "N", default_value = "0")]
    pub seed: String,

    /// Search algorithm [default: the first of the table in the guide].
    #[arg(long, value_name = "NAME")]
    pub algorithm: Option<String>,

    /// Coverage criterion (repeatable, or a list with commas or colons) [default: branch and line].
    #[arg(long = "criterion", value_name = "NAME")]
    pub criteria: Vec<String>,

    /// JUnit to write for: `5`, `4`, or `auto` for what the class path holds, 5 where it holds none.
    #[arg(long, value_name = "VERSION", default_value = "auto")]
    pub junit: String,

    /// Class path on which JUnit lies, if it is not on that of the classes.
    #[arg(long = "junit-cp", value_name = "A:B")]
    pub junit_class_path: Vec<OsString>,

    /// Java source level of the tests [default: that of the class file, 8 at least].
    #[arg(long, value_name = "N")]
    pub source_level: Option<String>,

    /// JDK to use [default: `JAVA_HOME`, else the `java` on the path].
    #[arg(long, value_name = "DIR")]
    pub java_home: Option<PathBuf>,

    /// Classes side by side [default: number of cores].
    #[arg(long, value_name = "N")]
    pub jobs: Option<String>,

    /// Print one JSON object per class and line on standard output, and nothing else there.
    #[arg(long)]
    pub json: bool,

    /// Say of every goal that stays open why.
    #[arg(long)]
    pub verbose: bool,

    /// Overwrite test files that a person has edited.
    #[arg(long)]
    pub force: bool,
}

/// Options of `list`.
#[derive(Debug, Clone, Default, Args)]
pub struct ListArgs {
    /// Class to look at, by its binary name (repeatable).
    #[arg(long = "class", value_name = "FQCN")]
    pub classes: Vec<String>,

    /// Look at every top-level class in this package and the packages below it (repeatable) [default, without
    /// --class: all of the class path].
    #[arg(long = "prefix", value_name = "PKG")]
    pub prefixes: Vec<String>,

    /// Class path: folders and jars, separated by colons (repeatable).
    #[arg(long = "cp", value_name = "A:B")]
    pub class_path: Vec<OsString>,

    /// Artifact to put on the class path with its run-time dependencies, resolved by your Maven (repeatable).
    #[arg(long = "maven", value_name = "G:A:V")]
    pub maven: Vec<String>,

    /// JDK to use [default: `JAVA_HOME`, else the `java` on the path].
    #[arg(long, value_name = "DIR")]
    pub java_home: Option<PathBuf>,

    /// Print one JSON object per class and line on standard output, and nothing else there.
    #[arg(long)]
    pub json: bool,
}

/// Options of `sandboxed`.
#[derive(Debug, Clone, Args)]
pub struct SandboxedArgs {
    /// The only folder that may be written.
    #[arg(long, value_name = "DIR")]
    pub scratch: PathBuf,

    /// Move the standard input and output to descriptors 3 and 4 and put the null device in their place.
    #[arg(long)]
    pub private_streams: bool,

    /// The command and its arguments.
    #[arg(required = true, last = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

/// What parsing gives besides arguments.
#[derive(Debug)]
pub enum NoArguments {
    /// Help or the version was asked for: print this and end well.
    Text(String),
    /// The command line is wrong.
    Wrong(Failure),
}

/// Parses a command line, the program's name first.
///
/// # Errors
/// The text of `--help` and `--version`, and one sentence on what is wrong.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<CommandLine, NoArguments> {
    CommandLine::try_parse_from(arguments).map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            NoArguments::Text(error.render().to_string())
        }
        _ => NoArguments::Wrong(Failure::usage(sentence(&error))),
    })
}

/// Clap's report, of several paragraphs, as one sentence.
fn sentence(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let first = text.split("\n\n").next().unwrap_or_default();
    let words: Vec<&str> = first.trim_start_matches("error: ").split_whitespace().collect();
    let sentence = words.join(" ");
    for kind in [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue] {
        let near = match error.get(kind) {
            Some(ContextValue::String(near)) => near.clone(),
            Some(ContextValue::Strings(near)) => near.join("' or '"),
            _ => continue,
        };
        return format!("{sentence}; did you mean '{near}'?");
    }
    format!("{sentence}; see `covolve generate --help`")
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    fn parse_words(line: &str) -> Result<CommandLine, NoArguments> {
        parse(line.split_whitespace().map(OsString::from))
    }

    fn generate(line: &str) -> GenerateArgs {
        match parse_words(line).expect("it parses").command {
            Command::Generate(arguments) => *arguments,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_definition_is_consistent() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn options_repeat_and_have_defaults() {
        let arguments =
            generate("covolve generate --class a.B --class a.C$D --cp x:y --cp z --criterion line,branch");
        assert_eq!(arguments.classes, ["a.B", "a.C$D"]);
        assert_eq!(arguments.class_path, ["x:y", "z"]);
        assert_eq!(arguments.criteria, ["line,branch"]);
        assert_eq!((&*arguments.budget, &*arguments.seed, &*arguments.junit), ("60s", "0", "auto"));
        assert_eq!(arguments.out, PathBuf::from("covolve-tests"));
    }

    #[test]
    fn a_wrong_command_line_is_one_sentence() {
        let check = |line: &str, expect: &str| match parse_words(line) {
            Err(NoArguments::Wrong(failure)) => assert_eq!(failure.sentence, expect),
            other => panic!("{line}: {other:?}"),
        };
        check(
            "covolve generate --bugdet 5s",
            "unexpected argument '--bugdet' found; did you mean '--budget'?",
        );
        check("covolve genrate", "unrecognized subcommand 'genrate'; did you mean 'generate'?");
        check(
            "covolve generate --class",
            "a value is required for '--class <FQCN>' but none was supplied; see `covolve generate --help`",
        );
        check("covolve generate x", "unexpected argument 'x' found; see `covolve generate --help`");
    }

    #[test]
    fn the_sandboxed_command_keeps_its_own_options() {
        let line = "covolve sandboxed --scratch /tmp --private-streams -- java -version --x";
        match parse_words(line).expect("it parses").command {
            Command::Sandboxed(arguments) => {
                assert!(arguments.private_streams);
                assert_eq!(arguments.command, ["java", "-version", "--x"]);
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn help_is_no_error() {
        for line in ["covolve --help", "covolve generate --help", "covolve --version", "covolve"] {
            assert!(matches!(parse_words(line), Err(NoArguments::Text(_))), "{line}");
        }
    }
}
