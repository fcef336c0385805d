//! `covolve evosuite`: the switches of EvoSuite's daily use, translated into options of `generate`. Each has a row in a table; what
//! has none, or cannot be honoured, is refused by its name.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use project::failure::Failure;
use project::nearest::did_you_mean;

use crate::statistics::column_names;

/// A switch, `-name`, or a property, `-Dname=value`.
struct Row {
    name: &'static str,
    meaning: Meaning,
}

/// What a switch or property means here.
enum Meaning {
    /// An option of `generate` that takes the same value.
    Same(&'static str),
    /// An option of `generate` whose value is said otherwise.
    Words(&'static str, fn(&str) -> Option<String>),
    /// A part of the budget, the folders or the columns, which are put together at the end.
    Part(Part),
    /// An option of `generate` with a value, for a switch that has none.
    Fixed(&'static str, &'static str),
    /// These values ask for what Covolve does; it cannot do otherwise.
    Only(&'static [&'static str], &'static str),
    /// Cannot be honoured: what to do instead.
    Refused(&'static str),
}

/// What several switches say together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Base,
    ReportFolder,
    TestFolder,
    Budget,
    Stop,
    Columns,
}

const fn row(name: &'static str, meaning: Meaning) -> Row {
    Row { name, meaning }
}

/// Switches.
const SWITCHES: [Row; 27] = [
    row("class", Meaning::Same("class")),
    row("prefix", Meaning::Same("prefix")),
    row("target", Meaning::Same("target")),
    row("projectCP", Meaning::Same("cp")),
    row("cp", Meaning::Same("cp")),
    row("criterion", Meaning::Words("criterion", criteria)),
    row("seed", Meaning::Same("seed")),
    row("base_dir", Meaning::Part(Part::Base)),
    row("generateMOSuite", Meaning::Fixed("algorithm", "dynamosa")),
    row("generateSuite", Meaning::Fixed("algorithm", "ws")),
    row("generateRandom", Meaning::Fixed("algorithm", "random")),
    row("generateSuiteUsingDSE", Meaning::Fixed("algorithm", "dse")),
    row("generateTests", Meaning::Refused("no algorithm here takes one goal at a time; leave it out")),
    row("generateNumRandom", Meaning::Refused("give -generateRandom and a budget")),
    row("mem", Meaning::Refused("the memory of a worker follows from the budget; leave it out")),
    row("parallel", Meaning::Refused("give `covolve generate --islands`, which exchanges tests, too")),
    row("listClasses", Meaning::Refused("use `covolve list`")),
    row("listParameters", Meaning::Refused("use `covolve parameters`")),
    row(
        "setup",
        Meaning::Refused("nothing need be set up: give -projectCP, or go to the folder of the project"),
    ),
    row(
        "measureCoverage",
        Meaning::Refused("measure with JaCoCo: the tests need no class loader of their own"),
    ),
    row("junit", Meaning::Refused("tests that exist are neither measured nor extended; leave it out")),
    row("continuous", Meaning::Refused("give `covolve generate --build` in the folder of the project")),
    row("evosuiteCP", Meaning::Refused("there is no other program to find; leave it out")),
    row("heapdump", Meaning::Refused("use the tools of the JDK; leave it out")),
    row("inheritanceTree", Meaning::Refused("class paths are read in a fraction of a second; leave it out")),
    row("printStats", Meaning::Refused("use `covolve goals`")),
    row("writeDependencies", Meaning::Refused("ask your build; leave it out")),
];

/// Properties.
const PROPERTIES: [Row; 28] = [
    row("search_budget", Meaning::Part(Part::Budget)),
    row("stopping_condition", Meaning::Part(Part::Stop)),
    row("algorithm", Meaning::Words("algorithm", algorithm)),
    row("criterion", Meaning::Words("criterion", criteria)),
    row("output_variables", Meaning::Part(Part::Columns)),
    row("configuration_id", Meaning::Same("configuration-id")),
    row("report_dir", Meaning::Part(Part::ReportFolder)),
    row("test_dir", Meaning::Part(Part::TestFolder)),
    row("random_seed", Meaning::Same("seed")),
    row("CP", Meaning::Same("cp")),
    row("TARGET_CLASS", Meaning::Same("class")),
    row("population", Meaning::Words("set", |value| Some(format!("population={value}")))),
    row("crossover_rate", Meaning::Words("set", |value| Some(format!("crossover-probability={value}")))),
    row("tournament_size", Meaning::Words("set", |value| Some(format!("tournament-size={value}")))),
    row("chromosome_length", Meaning::Words("set", |value| Some(format!("maximum-length={value}")))),
    row("max_size", Meaning::Words("set", |value| Some(format!("suite-maximum-tests={value}")))),
    row("test_format", Meaning::Words("junit", junit)),
    row("timeline_interval", Meaning::Only(&["60000"], "intervals are minutes")),
    row("show_progress", Meaning::Only(&["true", "false"], "bars are drawn on terminals alone")),
    row("no_runtime_dependency", Meaning::Only(&["true"], "tests need JUnit and your classes, nothing else")),
    row("use_separate_classloader", Meaning::Only(&["false"], "tests need no class loader of their own")),
    row("minimize", Meaning::Only(&["true"], "tests are always minimized")),
    row("assertions", Meaning::Only(&["true"], "tests always have assertions")),
    row("junit_check", Meaning::Only(&["true"], "tests are always verified")),
    row("sandbox", Meaning::Only(&["true"], "code under test is always confined")),
    row("virtual_fs", Meaning::Only(&["false"], "tests see the file system that there is")),
    row("virtual_net", Meaning::Only(&["false"], "tests reach no network")),
    row("group_id", Meaning::Refused("put it into -Dconfiguration_id")),
];

/// Columns that EvoSuite writes where none are asked for.
const COLUMNS: &str = "TARGET_CLASS,criterion,Coverage,Total_Goals,Covered_Goals";

/// The column that stands for one per interval.
const TIMELINE: &str = "CoverageTimeline";

/// Seconds of the search where none are said, in both tools.
const SECONDS: u64 = 60;

/// Criteria of EvoSuite under their names here.
const CRITERIA: [(&str, &str); 13] = [
    ("LINE", "line"),
    ("BRANCH", "branch"),
    ("EXCEPTION", "exception"),
    ("WEAKMUTATION", "weak-mutation"),
    ("OUTPUT", "output"),
    ("METHOD", "method"),
    ("METHODNOEXCEPTION", "method-no-exception"),
    ("CBRANCH", "direct-branch"),
    ("STATEMENT", "statement"),
    ("STRONGMUTATION", "strong-mutation"),
    ("MUTATION", "strong-mutation"),
    ("METHODTRACE", "method-trace"),
    ("INPUT", "input"),
];

/// Algorithms of EvoSuite under their names here.
const ALGORITHMS: [(&str, &str); 6] = [
    ("DYNAMOSA", "dynamosa"),
    ("MOSA", "mosa"),
    ("MIO", "mio"),
    ("NSGAII", "nsga2"),
    ("MONOTONIC_GA", "ws"),
    ("RANDOM_SEARCH", "random"),
];

fn known(table: &[(&str, &str)], name: &str) -> Option<String> {
    table.iter().find(|(theirs, _)| theirs.eq_ignore_ascii_case(name)).map(|(_, ours)| (*ours).to_owned())
}

fn criteria(value: &str) -> Option<String> {
    let names: Option<Vec<String>> = value.split(':').map(|name| known(&CRITERIA, name)).collect();
    names.map(|names| names.join(","))
}

fn algorithm(value: &str) -> Option<String> {
    known(&ALGORITHMS, value)
}

fn junit(value: &str) -> Option<String> {
    known(&[("JUNIT4", "4"), ("JUNIT5", "5")], value)
}

/// Writes what is understood.
///
/// # Errors
/// The output is closed.
pub fn help(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "Usage: covolve evosuite [-SWITCH [VALUE]]... [-DPROPERTY=VALUE]...\n")?;
    for (start, rows) in [("-", &SWITCHES[..]), ("-D", &PROPERTIES[..])] {
        for Row { name, meaning } in rows {
            let (value, means) = match meaning {
                Meaning::Same(option) | Meaning::Words(option, _) => (" VALUE", format!("--{option}")),
                Meaning::Part(_) => (" VALUE", "as EvoSuite has it".to_owned()),
                Meaning::Fixed(option, value) => ("", format!("--{option} {value}")),
                Meaning::Only(values, why) => (" VALUE", format!("{} alone: {why}", values.join(" or "))),
                Meaning::Refused(why) => ("", format!("refused: {why}")),
            };
            let value = if start == "-D" { value.replace(' ', "=") } else { value.to_owned() };
            writeln!(out, "  {:<36} {means}", format!("{start}{name}{value}"))?;
        }
    }
    out.flush()
}

/// Whether the words ask for [`help`].
pub fn asks_help(words: &[OsString]) -> bool {
    words.iter().any(|word| word == "-help" || word == "--help" || word == "-h")
}

/// The command line of `generate`, the program's name first, for these words of EvoSuite.
///
/// # Errors
/// A word that is not understood or cannot be honoured, in one sentence that names it.
pub fn translate(words: &[OsString]) -> Result<Vec<OsString>, Failure> {
    let mut translation = Translation::default();
    let mut words = words.iter().map(|word| word.to_string_lossy().into_owned());
    while let Some(word) = words.next() {
        if let Some(property) = word.strip_prefix("-D") {
            let (name, value) = property
                .split_once('=')
                .ok_or_else(|| Failure::usage(format!("{word} has no value; give -D{property}=VALUE")))?;
            let row = find(&PROPERTIES, name).ok_or_else(|| unknown("-D", name, &PROPERTIES))?;
            translation.add(&format!("-D{name}"), row, &mut || Some(value.to_owned()))?;
        } else {
            let name = word.trim_start_matches('-');
            let row =
                Some(name).filter(|name| name.len() < word.len()).and_then(|name| find(&SWITCHES, name));
            let row = row.ok_or_else(|| unknown("-", name, &SWITCHES))?;
            translation.add(&word, row, &mut || words.next())?;
        }
    }
    Ok(translation.finish()?.into_iter().map(OsString::from).collect())
}

fn find(table: &'static [Row], name: &str) -> Option<&'static Row> {
    table.iter().find(|row| row.name == name)
}

fn unknown(start: &str, name: &str, table: &[Row]) -> Failure {
    let names: Vec<&str> = table.iter().map(|row| row.name).collect();
    let near = did_you_mean(name, &names).replacen('\'', &format!("'{start}"), 1);
    Failure::usage(format!(
        "{start}{name} is not understood; leave it out: `covolve evosuite -help` lists what is{near}"
    ))
}

#[derive(Default)]
struct Translation {
    words: Vec<String>,
    parts: Vec<(Part, String)>,
}

impl Translation {
    fn add(
        &mut self,
        shown: &str,
        row: &Row,
        value: &mut dyn FnMut() -> Option<String>,
    ) -> Result<(), Failure> {
        let mut value =
            || value().ok_or_else(|| Failure::usage(format!("{shown} has no value; give one behind it")));
        match row.meaning {
            Meaning::Same(option) => self.words.push(format!("--{option}={}", value()?)),
            Meaning::Words(option, translated) => {
                let value = value()?;
                let word = translated(&value).ok_or_else(|| not_possible(shown, &value, option))?;
                self.words.push(format!("--{option}={word}"));
            }
            Meaning::Fixed(option, value) => self.words.push(format!("--{option}={value}")),
            Meaning::Part(part) => self.parts.push((part, value()?)),
            Meaning::Only(allowed, why) => {
                let value = value()?;
                if !allowed.contains(&value.as_str()) {
                    return Err(Failure::usage(format!(
                        "{shown}={value} cannot be honoured: {why}; leave it out"
                    )));
                }
            }
            Meaning::Refused(instead) => {
                return Err(Failure::usage(format!("{shown} cannot be honoured: {instead}")));
            }
        }
        Ok(())
    }

    /// What was said last of a part.
    fn part(&self, part: Part) -> Option<&str> {
        self.parts.iter().rev().find(|(said, _)| *said == part).map(|(_, value)| value.as_str())
    }

    fn finish(self) -> Result<Vec<String>, Failure> {
        let base = Path::new(self.part(Part::Base).unwrap_or(""));
        let folder =
            |part: Part, usual: &str| base.join(self.part(part).unwrap_or(usual)).display().to_string();
        let (out, report) =
            (folder(Part::TestFolder, "evosuite-tests"), folder(Part::ReportFolder, "evosuite-report"));
        let budget = self.part(Part::Budget).unwrap_or("60");
        let amount: u64 = budget.parse().ok().filter(|amount| *amount > 0).ok_or_else(|| {
            Failure::usage(format!(
                "-Dsearch_budget={budget} is not possible; give a whole number, 1 or more"
            ))
        })?;
        let (unit, seconds) = match self.part(Part::Stop) {
            None => ("s", amount),
            Some(stop) if stop.eq_ignore_ascii_case("MAXTIME") => ("s", amount),
            Some(stop) if stop.eq_ignore_ascii_case("MAXTESTS") => ("executions", SECONDS),
            Some(stop) => {
                return Err(Failure::usage(format!(
                    "-Dstopping_condition={stop} cannot be honoured: a search ends by time or by tests; give MAXTIME or \
                     MAXTESTS"
                )));
            }
        };
        let columns = columns(self.part(Part::Columns).unwrap_or(COLUMNS))?;
        let has_timeline = columns.split(',').any(|column| column == TIMELINE);
        let mut words = vec!["covolve".to_owned(), "generate".to_owned()];
        words.extend(self.words);
        words.push(format!("--budget={amount}{unit}"));
        words.push(format!("--out={out}"));
        words.push(format!("--report={report}"));
        words.push(format!("--columns={columns}"));
        if has_timeline {
            words.push(format!("--timeline={}", seconds.div_ceil(SECONDS)));
        }
        Ok(words)
    }
}

/// The columns of these variables.
fn columns(variables: &str) -> Result<String, Failure> {
    let known = column_names();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let asked: Vec<&str> =
        variables.split(',').map(str::trim).filter(|variable| !variable.is_empty()).collect();
    match asked.iter().find(|variable| !known.contains(variable)) {
        Some(variable) => Err(Failure::usage(format!(
            "-Doutput_variables {variable} cannot be honoured: there is no such figure here; leave it out: \
             docs/guide/tables.md lists those that there are{}",
            did_you_mean(variable, &known)
        ))),
        None if asked.is_empty() => Ok(COLUMNS.to_owned()),
        None => Ok(asked.join(",")),
    }
}

fn not_possible(shown: &str, value: &str, option: &str) -> Failure {
    let tables: [(&str, &[(&str, &str)]); 2] = [("criterion", &CRITERIA), ("algorithm", &ALGORITHMS)];
    let table = tables
        .iter()
        .find(|(of, _)| *of == option)
        .map_or(&[("JUNIT4", ""), ("JUNIT5", "")][..], |(_, rows)| rows);
    let names: Vec<&str> = table.iter().map(|(theirs, _)| *theirs).collect();
    let wrong = value.split(':').find(|name| known(table, name).is_none()).unwrap_or(value);
    let near = did_you_mean(&wrong.to_uppercase(), &names);
    Failure::usage(format!(
        "{shown} {wrong} cannot be honoured; give {}{near}",
        project::nearest::one_of(&names)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Command, parse};

    fn translated(line: &str) -> Result<String, String> {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let words = translate(&words).map_err(|failure| failure.sentence)?;
        let words: Vec<String> = words.into_iter().map(|word| word.into_string().unwrap()).collect();
        Ok(words[2..].join(" "))
    }

    #[test]
    fn daily_lines_are_options_of_generate() {
        let usual = "--budget=60s --out=evosuite-tests --report=evosuite-report \
                     --columns=TARGET_CLASS,criterion,Coverage,Total_Goals,Covered_Goals";
        let check = |line: &str, expect: &str| assert_eq!(translated(line), Ok(expect.to_owned()), "{line}");
        check("-class a.B -projectCP x:y.jar", &format!("--class=a.B --cp=x:y.jar {usual}"));
        check("-target x.jar -projectCP y", &format!("--target=x.jar --cp=y {usual}"));
        check("-prefix a -seed 7", &format!("--prefix=a --seed=7 {usual}"));
        check("-generateMOSuite", &format!("--algorithm=dynamosa {usual}"));
        check(
            "-criterion BRANCH:cbranch:STRONGMUTATION",
            &format!("--criterion=branch,direct-branch,strong-mutation {usual}"),
        );
        check("-Dalgorithm=NSGAII -Dtest_format=JUNIT5", &format!("--algorithm=nsga2 --junit=5 {usual}"));
        check("-Dpopulation=10 -Dassertions=true", &format!("--set=population=10 {usual}"));
        check(
            "-base_dir b -Dreport_dir=r -Dsearch_budget=90 -Doutput_variables=TARGET_CLASS,CoverageTimeline -Dconfiguration_id=x",
            "--configuration-id=x --budget=90s --out=b/evosuite-tests --report=b/r \
             --columns=TARGET_CLASS,CoverageTimeline --timeline=2",
        );
        assert!(
            translated("-Dstopping_condition=MaxTests -Dsearch_budget=500")
                .unwrap()
                .contains("--budget=500executions")
        );
    }

    #[test]
    fn what_cannot_be_honoured_is_refused_by_name() {
        let check = |line: &str, expect: &str| assert_eq!(translated(line), Err(expect.to_owned()), "{line}");
        check(
            "-mem 4000",
            "-mem cannot be honoured: the memory of a worker follows from the budget; leave it out",
        );
        check(
            "-Dassertions=false",
            "-Dassertions=false cannot be honoured: tests always have assertions; leave it out",
        );
        check(
            "-Dserch_budget=3",
            "-Dserch_budget is not understood; leave it out: `covolve evosuite -help` lists what is; did you mean \
             '-Dsearch_budget'?",
        );
        check(
            "-clas a.B",
            "-clas is not understood; leave it out: `covolve evosuite -help` lists what is; did you mean '-class'?",
        );
        check("a.B", "-a.B is not understood; leave it out: `covolve evosuite -help` lists what is");
        check("-class", "-class has no value; give one behind it");
        check("-Dsearch_budget", "-Dsearch_budget has no value; give -Dsearch_budget=VALUE");
        check("-Dsearch_budget=soon", "-Dsearch_budget=soon is not possible; give a whole number, 1 or more");
        check(
            "-Dalgorithm=SPEA2",
            "-Dalgorithm SPEA2 cannot be honoured; give DYNAMOSA, MOSA, MIO, NSGAII, MONOTONIC_GA or RANDOM_SEARCH",
        );
        check(
            "-Doutput_variables=TARGET_CLASS,Implicit_Branches",
            "-Doutput_variables Implicit_Branches cannot be honoured: there is no such figure here; leave it out: \
             docs/guide/tables.md lists those that there are",
        );
        assert!(
            translated("-Doutput_variables=Coverd_Goals")
                .unwrap_err()
                .ends_with("lists those that there are; did you mean 'Covered_Goals'?")
        );
        assert!(
            translated("-criterion BRANCH:DEFUSE")
                .unwrap_err()
                .starts_with("-criterion DEFUSE cannot be honoured; give LINE,")
        );
        assert!(
            translated("-Dstopping_condition=MAXGENERATIONS")
                .unwrap_err()
                .contains("give MAXTIME or MAXTESTS")
        );
    }

    #[test]
    fn every_row_is_an_option_that_there_is() {
        let all = SWITCHES.iter().map(|row| ("-", row)).chain(PROPERTIES.iter().map(|row| ("-D", row)));
        for (start, Row { name, meaning }) in all {
            let value = match (*name, meaning) {
                ("search_budget", _) => "7",
                ("stopping_condition", _) => "MAXTIME",
                ("criterion", _) => "BRANCH",
                ("algorithm", _) => "MIO",
                ("test_format", _) => "JUNIT4",
                ("output_variables", _) => "Coverage",
                (_, Meaning::Only(values, _)) => values[0],
                _ => "x",
            };
            let takes_value = !matches!(meaning, Meaning::Fixed(..) | Meaning::Refused(_));
            let words: Vec<String> = match (start, takes_value) {
                ("-D", _) => vec![format!("-D{name}={value}")],
                (_, true) => vec![format!("-{name}"), value.to_owned()],
                (_, false) => vec![format!("-{name}")],
            };
            let words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
            let refused = matches!(meaning, Meaning::Refused(_));
            match translate(&words) {
                Ok(words) => {
                    assert!(!refused, "{name}");
                    assert!(matches!(parse(words).unwrap().command, Command::Generate(_)), "{name}");
                }
                Err(failure) => assert!(refused, "{}", failure.sentence),
            }
        }
        let mut page = Vec::new();
        help(&mut page).unwrap();
        let page = String::from_utf8(page).unwrap();
        assert!(page.contains("  -class VALUE ") && page.contains("  -Dsearch_budget=VALUE "), "{page}");
    }

    #[test]
    fn variables_that_scripts_read_are_columns() {
        let variables = "TARGET_CLASS,criterion,Total_Branches,Covered_Branches,Branchless_Methods,\
                         Covered_Branchless_Methods,Lines,Covered_Lines,Total_Methods,Covered_Methods,Mutants,Size,Length,\
                         Result_Size,Result_Length,Total_Goals,Covered_Goals,Coverage,BranchCoverage,LineCoverage,\
                         WeakMutationScore,MutationScore,Total_Time,Generations,Fitness_Evaluations,Statements_Executed,\
                         Tests_Executed,Random_Seed,configuration_id,algorithm,search_budget,CoverageTimeline";
        assert_eq!(columns(variables).as_deref(), Ok(variables));
        assert_eq!(columns("Size, Lines,").as_deref(), Ok("Size,Lines"));
    }

    #[test]
    fn criteria_and_algorithms_are_those_of_the_tables() {
        for (_, ours) in CRITERIA {
            assert!(coverage::criterion::criterion(ours).is_ok(), "{ours}");
        }
        for (_, ours) in ALGORITHMS {
            assert!(search::algorithm::algorithm(ours).is_ok(), "{ours}");
        }
    }
}
