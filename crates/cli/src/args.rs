//! The command line as typed. What the values mean, and which are right, is decided in [`crate::options`].

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use clap_complete::Shell;
use project::failure::Failure;

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
    /// Run the generated tests against the classes as they are now: say what behaves in another way, and change nothing.
    Check(CheckArgs),
    /// Say what could be tested, and why the rest cannot; of all of the project or class path, unless classes are named.
    List(ListArgs),
    /// Say what the folder of a project holds, how that was found out, and what keeps tests from being generated.
    Doctor(DoctorArgs),
    /// Write tests as `generate` does, told with the switches of EvoSuite.
    #[command(disable_help_flag = true)]
    Evosuite(EvosuiteArgs),
    /// Write tests for the classes that the harness of the JUnit tool competition names, over its line protocol.
    #[command(name = "runtool")]
    RunTool(RunToolArgs),
    /// Print every option of `generate`, its value and where that comes from: the default, `covolve.toml`, the environment or
    /// the command line.
    Config(Box<ConfigArgs>),
    /// Write what tests cover, what they do not and why: as a page to look at, or for other tools.
    Report(WriteReportArgs),
    /// Put together what shards of a project came to know on several machines, for reports and later runs.
    Merge(MergeArgs),
    /// List the coverage goals of classes, and which depend on which.
    Goals(GoalsArgs),
    /// Explain the coverage criteria, with their sources.
    Criteria,
    /// Explain the search algorithms, with their papers.
    Algorithms,
    /// Explain the parameters of the search and the profiles that set them, with their sources.
    Parameters,
    /// Print completions for a shell, to be put where it looks for them.
    Completions(CompletionsArgs),
    /// Print the manual, or write a page per command into a folder.
    Man(ManArgs),
    /// Run the search for one class, as told over the standard streams. Started by `generate`.
    #[command(hide = true)]
    Worker,
    /// Run a command under the sandbox. Started by `generate`.
    #[command(hide = true)]
    Sandboxed(SandboxedArgs),
}

/// Options that are about the file of options, and not in it.
pub const NO_KEYS: [&str; 4] = ["config", "no-config", "help", "version"];

/// Options that say where options come from, of every command that looks at a project.
#[derive(Debug, Clone, Default, Args)]
pub struct FileArgs {
    /// File with options [default: `covolve.toml` in the folder of the project, or in the nearest one around it that belongs to
    /// the build].
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub config: Option<PathBuf>,

    /// Read no file with options.
    #[arg(long)]
    pub no_config: bool,
}

/// Options that say which classes are meant, of every command that looks at some.
#[derive(Debug, Clone, Default, Args)]
pub struct TargetArgs {
    /// Class, by its binary name (repeatable, or several with commas between them). A top-level class owns its nest: the goals
    /// of nested, anonymous and lambda code are its goals. `Outer$Inner` narrows to that class.
    #[arg(long = "class", value_name = "FQCN", value_delimiter = ',')]
    pub classes: Vec<String>,

    /// Every top-level class in this package and the packages below it (repeatable, or several with commas between them)
    /// [default: in a project, without --class, all its classes].
    #[arg(long = "prefix", value_name = "PKG", value_delimiter = ',')]
    pub prefixes: Vec<String>,

    /// Class or package, or name with `*` for any characters, that is left out unless --class names it (repeatable, or several
    /// with commas between them).
    #[arg(long, value_name = "PATTERN", value_delimiter = ',')]
    pub exclude: Vec<String>,

    /// Folder or jar that is put in front of the class path, and all of whose classes are meant unless some are named (repeatable).
    #[arg(long = "target", value_name = "PATH")]
    pub targets: Vec<PathBuf>,

    /// Folder of a Maven or Gradle build or of one of its modules, or of classes or jars, where no class path is given
    /// [default: the current folder].
    #[arg(long, value_name = "DIR")]
    pub project: Option<PathBuf>,

    /// Compile the main code of the project first.
    #[arg(long)]
    pub build: bool,

    /// Word for Maven or Gradle whenever it is run, such as `-Pfast` or `-Dx=y` (repeatable).
    #[arg(long = "build-arg", value_name = "WORD", allow_hyphen_values = true)]
    pub build_args: Vec<String>,

    /// Class path: folders and jars, separated by colons (repeatable).
    #[arg(long = "cp", value_name = "A:B")]
    pub class_path: Vec<OsString>,

    /// Artifact to put on the class path with its run-time dependencies, resolved by your Maven (repeatable).
    #[arg(long = "maven", value_name = "G:A:V")]
    pub maven: Vec<String>,

    /// JDK to use [default: in a project that of the build's toolchains, else `JAVA_HOME`, else the `java` on the path].
    #[arg(long, value_name = "DIR")]
    pub java_home: Option<PathBuf>,
}

/// Options of `generate`.
#[derive(Debug, Clone, Default, Args)]
pub struct GenerateArgs {
    /// The classes to test.
    #[command(flatten)]
    pub targets: TargetArgs,

    /// Which of them.
    #[command(flatten)]
    pub which: WhichArgs,

    /// Root of the test sources; files are `<package>/<Class>CovolveTest.java` in it [default: that of the module, with a
    /// class path `covolve-tests`].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Set-up of a paper's evaluation, complete: parameters, criteria, algorithm and budget; options that contradict it are
    /// refused. `covolve parameters` lists the profiles, and what their papers evaluated besides, which is allowed.
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,

    /// Parameter of the search or of how it makes tests (repeatable), such as `population=100`; `covolve parameters` explains them, with their
    /// defaults and sources.
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,

    /// Budget per class: a time (`60s`, `500ms`, `2m`) for everything from the start to the file on disk, or a
    /// number of executions (`20000executions`) for the search, which gives the same bytes every time [default: 60s,
    /// with a profile that of its paper].
    #[arg(long, value_name = "BUDGET")]
    pub budget: Option<String>,

    /// Time for the whole run (`30m`, `2h`), shared by size and progress: small classes come first, unless coverage says otherwise, one
    /// that stands still gives its time to others, and --budget is the most that a class gets.
    #[arg(long, value_name = "TIME")]
    pub total_budget: Option<String>,

    /// Seed of the random choices.
    #[arg(long, value_name = "N", default_value = "0")]
    pub seed: String,

    /// Search algorithm; `covolve algorithms` explains them [default: the first of them].
    #[arg(long, value_name = "NAME")]
    pub algorithm: Option<String>,

    /// Coverage criterion (repeatable, or a list with commas or colons); `covolve criteria` explains them and says
    /// which are the default.
    #[arg(long = "criterion", value_name = "NAME")]
    pub criteria: Vec<String>,

    /// Which goals guide the search: those that subsume the others (`smart`), these and mutants of returned values
    /// (`smart-returns`), all of them (`combine`), or those of one criterion per group (`representatives`). Once these are covered, the others guide too, but not with a profile. All are
    /// reported (Zhou et al. 2023, section 3) [default: smart-returns, with a profile combine].
    #[arg(long, value_name = "NAME")]
    pub goal_selection: Option<String>,

    /// Where the selection is `smart` or `smart-returns`: lines of basic blocks shorter than this do not guide (Zhou et al. 2023, section
    /// 4.1) [default: 8].
    #[arg(long, value_name = "N")]
    pub line_threshold: Option<String>,

    /// Which tests are kept: those that code or mutants depend on (`compact`), or all that cover a goal (`complete`)
    /// [default: compact, with a profile complete].
    #[arg(long, value_name = "SIZE")]
    pub suite: Option<String>,

    /// How tests are named: `camel` (`parseReturnsNullForEmptyString`) or `snake` (`parse_emptyString_returnsNull`).
    #[arg(long, value_name = "SCHEME", default_value = "camel")]
    pub names: String,

    /// How tests stand in a file.
    #[command(flatten)]
    pub looks: LookArgs,

    /// Solver of the conditions that symbolic execution negates: `built-in`, or another one for comparison; one that is installed
    /// (`smt-lib`: z3, cvc5 or bitwuzla on the path) is asked in place of it.
    #[arg(long, value_name = "NAME", default_value = "built-in")]
    pub solver: String,

    /// JUnit to write for: `5`, `4`, or `auto` for what the class path holds, 5 where it holds none.
    #[arg(long, value_name = "VERSION", default_value = "auto")]
    pub junit: String,

    /// Class path on which JUnit lies, if it is not on that of the classes.
    #[arg(long = "junit-cp", value_name = "A:B")]
    pub junit_class_path: Vec<OsString>,

    /// Java source level of the tests [default: that of the class file, 8 at least].
    #[arg(long, value_name = "N")]
    pub source_level: Option<String>,

    /// Classes side by side [default: as many as processors and memory have room for, by the number of islands if one is given].
    #[arg(long, value_name = "N")]
    pub jobs: Option<String>,

    /// Part of the classes, `K/N`: the K-th of N, which are the same on every machine and take about the same time each.
    /// `covolve merge` puts them together [default: all classes].
    #[arg(long, value_name = "K/N")]
    pub shard: Option<String>,

    /// Where classes are worked on.
    #[command(flatten)]
    pub engine: EngineArgs,

    /// Workers that search a class side by side and exchange tests, or `auto`: as many as there are processors, eight at
    /// most, where a single class has the machine to itself and a budget in time; otherwise, and with a profile, one
    /// [default: 1].
    #[arg(long, value_name = "N")]
    pub islands: Option<String>,

    /// Print one JSON object per class and line on standard output, and nothing else there.
    #[arg(long)]
    pub json: bool,

    /// Say of every goal that stays open why.
    #[arg(long)]
    pub verbose: bool,

    /// Overwrite test files that a person has edited.
    #[arg(long)]
    pub force: bool,

    /// What is written for statistics.
    #[command(flatten)]
    pub report: ReportArgs,

    /// What becomes of what is known of classes.
    #[command(flatten)]
    pub again: AgainArgs,

    /// Where options come from.
    #[command(flatten)]
    pub file: FileArgs,
}

/// Options of `generate` that say how tests stand in a file.
#[derive(Debug, Clone, Default, Args)]
pub struct LookArgs {
    /// Whether tests that differ in literals alone become rows of a `@ParameterizedTest`: where the class path has
    /// `junit-jupiter-params` (`auto`), or `never` [default: auto, with a profile never].
    #[arg(long, value_name = "WHEN")]
    pub parameterized: Option<String>,

    /// Whether the tests of a method stand in a `@Nested` class of their own: in JUnit 5, where a file has many methods and tests
    /// (`auto`), or `never` [default: auto, with a profile never].
    #[arg(long, value_name = "WHEN")]
    pub nested: Option<String>,

    /// How tests implement interfaces where no lambda does: with Mockito where the class path of the tests has it in version 2 or
    /// later (`auto`), with it or not at all (`mockito`), or with classes of their own (`none`) [default: auto, with a profile none].
    #[arg(long, value_name = "HOW")]
    pub mocks: Option<String>,

    /// Whether the formatter of the build (Spotless, spring-javaformat, google-java-format, Eclipse's) goes over new test files where a
    /// module has one (`auto`), or `never` [default: auto].
    #[arg(long, value_name = "WHEN")]
    pub formatter: Option<String>,

    /// Give tests a `@DisplayName`, a sentence that says what the name says; JUnit 5 only.
    #[arg(long)]
    pub display_names: bool,
}

/// Options of `generate` that say which machines work on classes.
#[derive(Debug, Clone, Default, Args)]
pub struct EngineArgs {
    /// What works on the classes: this machine (`local`), or a job array on the Slurm cluster that this machine belongs to and
    /// that shares its folders (`slurm`) [default: local].
    #[arg(long, value_name = "NAME")]
    pub engine: Option<String>,

    /// With `--engine slurm`: tasks of the array, each of which works on a part of the classes.
    #[arg(long, value_name = "N")]
    pub shards: Option<String>,

    /// With `--engine slurm`: options for `sbatch`, as for a shell, such as `--partition=long --time=2:00:00 --cpus-per-task=4`.
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true)]
    pub slurm_options: Option<String>,

    /// With `--engine slurm`: how often shards that fail are run again [default: 1].
    #[arg(long, value_name = "N")]
    pub slurm_retries: Option<String>,

    /// What all layers say, as the words behind `generate`: other machines are given them.
    #[arg(skip)]
    pub command_line: Vec<OsString>,
}

/// Options of `generate` that choose among the classes that are meant.
#[derive(Debug, Clone, Default, Args)]
pub struct WhichArgs {
    /// Only classes whose source lies otherwise in the work tree than in this commit, as git says, and those that use one of them
    /// directly.
    #[arg(long, value_name = "REF")]
    pub since: Option<String>,

    /// What JaCoCo measured of the project's own tests, its `exec` file or its report in XML: the classes that these cover least come
    /// first, unless --class names some (repeatable) [default: where Maven and Gradle put it, if it is as new as the classes].
    #[arg(long, value_name = "FILE")]
    pub coverage: Vec<PathBuf>,

    /// Leave to the project's own tests what they test: they run, compiled as they are, once for each class that they name; goals that they
    /// cover get no test, and constants and calls in them seed the search.
    #[arg(long)]
    pub existing: bool,
}

/// Options of `config`.
#[derive(Debug, Clone, Default, Args)]
pub struct ConfigArgs {
    /// What `generate` would be told. `json` is that of the other layers: on the command line it says how to print.
    #[command(flatten)]
    pub generate: GenerateArgs,

    /// Print the JSON schema of `covolve.toml`, for editors, and nothing else.
    #[arg(long)]
    pub schema: bool,
}

/// Options of `generate` that concern runs before it.
#[derive(Debug, Clone, Default, Args)]
pub struct AgainArgs {
    /// Where what is known of classes is kept.
    #[command(flatten)]
    pub state: StateArgs,

    /// Search all classes anew, those as well that have not changed since their tests were written.
    #[arg(long)]
    pub fresh: bool,

    /// Replace the tests that fail of classes that behave in another way than these say.
    #[arg(long)]
    pub update: bool,
}

/// Where what is known of classes is kept from run to run.
#[derive(Debug, Clone, Default, Args)]
pub struct StateArgs {
    /// Folder that keeps what is known of each class from run to run [default: `.covolve` at the root of the build; nothing is kept
    /// of a class path].
    #[arg(long, value_name = "DIR")]
    pub state: Option<PathBuf>,
}

/// Options of `generate` that concern tables for statistics.
#[derive(Debug, Clone, Default, Args)]
pub struct ReportArgs {
    /// Append to `statistics.csv` (a row per class), `goals.csv` (a row per goal) and `timeline.csv` in this folder.
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,

    /// What the column `configuration_id` of the tables says.
    #[arg(long, value_name = "TEXT")]
    pub configuration_id: Option<String>,

    /// Columns of `statistics.csv`, in this order (repeatable, or a list with commas); `CoverageTimeline` stands for those of
    /// --timeline [default: all].
    #[arg(long, value_name = "NAME")]
    pub columns: Vec<String>,

    /// Add columns `CoverageTimeline_T1` … to `statistics.csv`: the coverage at the ends of so many equal intervals of
    /// the budget (Panichella, Kifetew and Tonella 2018, Equation 10) [without a number: 15].
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "15")]
    pub timeline: Option<String>,
}

/// Options of `check`.
#[derive(Debug, Clone, Default, Args)]
pub struct CheckArgs {
    /// The classes whose tests are run.
    #[command(flatten)]
    pub targets: TargetArgs,

    /// Only classes whose source lies otherwise in the work tree than in this commit, as git says, and those that use one of them
    /// directly.
    #[arg(long, value_name = "REF")]
    pub since: Option<String>,

    /// Root of the test sources, where `generate` was given one.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// JUnit that the tests were written for: `5`, `4`, or `auto` for what the class path holds, 5 where it holds none.
    #[arg(long, value_name = "VERSION", default_value = "auto")]
    pub junit: String,

    /// Class path on which JUnit lies, if it is not on that of the classes.
    #[arg(long = "junit-cp", value_name = "A:B")]
    pub junit_class_path: Vec<OsString>,

    /// Where what is known of classes is kept.
    #[command(flatten)]
    pub state: StateArgs,

    /// Where options come from.
    #[command(flatten)]
    pub file: FileArgs,

    /// Print one JSON object per class and line on standard output, and nothing else there.
    #[arg(long)]
    pub json: bool,
}

/// Options of `list`.
#[derive(Debug, Clone, Default, Args)]
pub struct ListArgs {
    /// The classes to look at.
    #[command(flatten)]
    pub targets: TargetArgs,

    /// Only classes whose source lies otherwise in the work tree than in this commit, as git says, and those that use one of them
    /// directly.
    #[arg(long, value_name = "REF")]
    pub since: Option<String>,

    /// Where options come from.
    #[command(flatten)]
    pub file: FileArgs,

    /// Print one JSON object per class and line on standard output, and nothing else there.
    #[arg(long)]
    pub json: bool,
}

/// Options of `doctor`.
#[derive(Debug, Clone, Default, Args)]
pub struct DoctorArgs {
    /// Where options come from.
    #[command(flatten)]
    pub file: FileArgs,

    /// Folder of a Maven or Gradle build or of one of its modules, or of classes or jars [default: the current folder].
    #[arg(long, value_name = "DIR")]
    pub project: Option<PathBuf>,

    /// Compile the main code first.
    #[arg(long)]
    pub build: bool,

    /// Word for Maven or Gradle whenever it is run, such as `-Pfast` or `-Dx=y` (repeatable).
    #[arg(long = "build-arg", value_name = "WORD", allow_hyphen_values = true)]
    pub build_args: Vec<String>,

    /// JDK to use [default: that of the build's toolchains, else `JAVA_HOME`, else the `java` on the path].
    #[arg(long, value_name = "DIR")]
    pub java_home: Option<PathBuf>,
}

/// Options of `report`.
#[derive(Debug, Clone, Default, Args)]
pub struct WriteReportArgs {
    /// Folder of the project, in which sources are looked for and below which paths are said [default: the current folder].
    #[arg(long, value_name = "DIR")]
    pub project: Option<PathBuf>,

    /// Where what is known of the project is kept.
    #[command(flatten)]
    pub state: StateArgs,

    /// What `generate` wrote, in place of what is kept: a file with the output of `--json`, the `goals.csv` of `--report`, or a
    /// folder with such (repeatable).
    #[arg(long, value_name = "PATH")]
    pub from: Vec<PathBuf>,

    /// Root of further sources, beside those that builds have by convention (repeatable).
    #[arg(long, value_name = "DIR")]
    pub sources: Vec<PathBuf>,

    /// Formats: `html` (a page to look at), `markdown` (the summary of a job), `sarif` (annotations in reviews), `cobertura` and
    /// `lcov` (repeatable, or a list with commas) [default: html].
    #[arg(long = "format", value_name = "NAME")]
    pub formats: Vec<String>,

    /// Criteria whose open goals `sarif` notes (repeatable, or a list with commas) [default: branch].
    #[arg(long = "criterion", value_name = "NAME")]
    pub criteria: Vec<String>,

    /// File to write, `-` for standard output; with several formats a folder [default: `covolve-report.html`, and likewise for
    /// other formats, in the current folder].
    #[arg(long, value_name = "PATH")]
    pub out: Option<PathBuf>,

    /// Where options come from.
    #[command(flatten)]
    pub file: FileArgs,
}

/// Options of `merge`.
#[derive(Debug, Clone, Default, Args)]
pub struct MergeArgs {
    /// What shards have left: the folder `.covolve` of each, or that of the project with it.
    #[arg(required = true, value_name = "STATE")]
    pub states: Vec<PathBuf>,

    /// Folder that is to hold them together; what it holds already is what the shards began from [default: what `covolve.toml` or the
    /// environment says of `state`, else `.covolve` at the root of the build, or in the current folder where there is none].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Where options come from.
    #[command(flatten)]
    pub file: FileArgs,
}

/// Options of `goals`.
#[derive(Debug, Clone, Default, Args)]
pub struct GoalsArgs {
    /// The classes whose goals are listed.
    #[command(flatten)]
    pub targets: TargetArgs,

    /// Only classes whose source lies otherwise in the work tree than in this commit, as git says, and those that use one of them
    /// directly.
    #[arg(long, value_name = "REF")]
    pub since: Option<String>,

    /// Where options come from.
    #[command(flatten)]
    pub file: FileArgs,

    /// Coverage criterion (repeatable, or a list with commas or colons); `covolve criteria` explains them and says
    /// which are the default.
    #[arg(long = "criterion", value_name = "NAME")]
    pub criteria: Vec<String>,

    /// Print one JSON object per class and line on standard output, and nothing else there.
    #[arg(long)]
    pub json: bool,

    /// Print a graph per class for Graphviz: an arrow leads from a goal to those that can only be covered after it.
    #[arg(long, conflicts_with = "json")]
    pub dot: bool,
}

/// Options of `evosuite`.
#[derive(Debug, Clone, Args)]
pub struct EvosuiteArgs {
    /// Switches of EvoSuite and their values; `-help` lists those that are understood.
    #[arg(value_name = "SWITCH", trailing_var_arg = true, allow_hyphen_values = true)]
    pub words: Vec<OsString>,
}

/// Options of `runtool`.
#[derive(Debug, Clone, Args)]
pub struct RunToolArgs {
    /// Class path with the JUnit of the harness [default: JUnit 4.12 of the local Maven repository, or resolved by your Maven].
    #[arg(long = "junit-cp", value_name = "A:B")]
    pub junit_class_path: Vec<OsString>,

    /// JDK to use [default: `JAVA_HOME`, else the `java` on the path].
    #[arg(long, value_name = "DIR")]
    pub java_home: Option<PathBuf>,

    /// Seed of the random choices.
    #[arg(long, value_name = "N", default_value = "0")]
    pub seed: u64,
}

/// Options of `completions`.
#[derive(Debug, Clone, Args)]
pub struct CompletionsArgs {
    /// The shell.
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}

/// Options of `man`.
#[derive(Debug, Clone, Args)]
pub struct ManArgs {
    /// Folder for the pages.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// `man` for manuals, or `markdown` for the reference of the guide.
    #[arg(long, value_name = "NAME", default_value = "man")]
    pub format: String,
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
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    parse_with_matches(&arguments).map(|(line, _)| line)
}

/// As [`parse`], with what of it was given.
///
/// # Errors
/// As for [`parse`].
pub fn parse_with_matches(arguments: &[OsString]) -> Result<(CommandLine, ArgMatches), NoArguments> {
    let parsed = definition().try_get_matches_from(arguments);
    let parsed = parsed.and_then(|matches| Ok((CommandLine::from_arg_matches(&matches)?, matches)));
    parsed.map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            NoArguments::Text(error.render().to_string())
        }
        _ => NoArguments::Wrong(Failure::usage(sentence(&error, arguments.get(1)))),
    })
}

/// The definition of all commands and their options.
pub fn definition() -> clap::Command {
    CommandLine::command()
}

/// Clap's report, of several paragraphs, as one sentence; `command` is the word behind the program's name.
fn sentence(error: &clap::Error, command: Option<&OsString>) -> String {
    let definition = definition();
    let command = command.and_then(|word| definition.find_subcommand(word));
    let command = command.map_or("generate", clap::Command::get_name);
    let text = error.render().to_string();
    let first = text.split("\n\n").next().unwrap_or_default();
    let words: Vec<&str> = first.trim_start_matches("error: ").split_whitespace().collect();
    let sentence = words.join(" ");
    let commands = match error.kind() {
        ErrorKind::InvalidSubcommand => format!("; the commands are {}", commands()),
        _ => String::new(),
    };
    for kind in [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue] {
        let near = match error.get(kind) {
            Some(ContextValue::String(near)) => near.clone(),
            Some(ContextValue::Strings(near)) => near.join("' or '"),
            _ => continue,
        };
        return format!("{sentence}{commands}; did you mean '{near}'?");
    }
    if !commands.is_empty() {
        return format!("{sentence}{commands}");
    }
    format!("{sentence}; see `covolve {command} --help`")
}

/// The commands for people, in words.
fn commands() -> String {
    let definition = definition();
    let names: Vec<&str> = definition
        .get_subcommands()
        .filter(|command| !command.is_hide_set())
        .map(clap::Command::get_name)
        .collect();
    match names.as_slice() {
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
        [] => String::new(),
    }
}

#[cfg(test)]
mod tests {
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
        assert_eq!(arguments.targets.classes, ["a.B", "a.C$D"]);
        assert_eq!(arguments.targets.class_path, ["x:y", "z"]);
        assert_eq!(arguments.criteria, ["line,branch"]);
        assert_eq!((arguments.budget.as_deref(), &*arguments.seed, &*arguments.junit), (None, "0", "auto"));
        assert_eq!((arguments.out, arguments.targets.project), (None, None));
    }

    #[test]
    fn a_timeline_has_fifteen_intervals_unless_told_otherwise() {
        let check = |line: &str, expect: Option<&str>| {
            assert_eq!(generate(line).report.timeline.as_deref(), expect, "{line}");
        };
        check("covolve generate --class a.B", None);
        check("covolve generate --timeline --class a.B", Some("15"));
        check("covolve generate --timeline=4 --class a.B", Some("4"));
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
        let commands = "the commands are generate, check, list, doctor, evosuite, runtool, config, report, merge, goals, criteria, algorithms, parameters, completions and man";
        check(
            "covolve genrate",
            &format!("unrecognized subcommand 'genrate'; {commands}; did you mean 'generate'?"),
        );
        check("covolve x", &format!("unrecognized subcommand 'x'; {commands}"));
        check(
            "covolve generate --class",
            "a value is required for '--class <FQCN>' but none was supplied; see `covolve generate --help`",
        );
        check("covolve generate x", "unexpected argument 'x' found; see `covolve generate --help`");
        check("covolve goals x", "unexpected argument 'x' found; see `covolve goals --help`");
        check(
            "covolve goals --json --dot",
            "the argument '--json' cannot be used with '--dot'; see `covolve goals --help`",
        );
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
