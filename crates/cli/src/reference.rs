//! The reference of the guide: a page per command and one of exit codes, from the definition of the command line.

use clap::{Arg, ArgAction, Command};

use crate::args::{NO_KEYS, definition};
use crate::configuration::keys::choices;
use crate::exit_code::ExitCode;

/// Commands whose options are those of `covolve.toml`.
const OPTIONS_OF_FILE: &str = "generate";

/// A page of the guide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Name of its file.
    pub file: String,
    /// Its text, in Markdown.
    pub text: String,
}

/// All pages; the first has the names of the others.
pub fn pages() -> Vec<Page> {
    let definition = definition();
    let commands: Vec<&Command> =
        definition.get_subcommands().filter(|command| !command.is_hide_set()).collect();
    let mut pages = vec![contents(&commands)];
    pages.extend(commands.iter().map(|command| page(command)));
    pages.push(Page { file: "exit-codes.md".to_owned(), text: exit_codes() });
    pages
}

/// How each page begins that must not be edited.
fn heading(title: &str) -> String {
    format!(
        "<!-- Made by `covolve man --format markdown`; edit the definition of the command line. -->\n\n# {title}\n\n"
    )
}

fn contents(commands: &[&Command]) -> Page {
    let row = |command: &&Command| {
        let name = command.get_name();
        format!("| [`covolve {name}`]({name}.md) | {} |\n", about(command))
    };
    let rows: String = commands.iter().map(row).collect();
    let text = format!(
        "{}| command | what it does |\n| --- | --- |\n{rows}\n[Exit codes](exit-codes.md) are those of all commands.\n",
        heading("Reference")
    );
    Page { file: "README.md".to_owned(), text }
}

fn about(command: &Command) -> String {
    command.get_about().map(|about| sentence(&cell(&about.to_string()))).unwrap_or_default()
}

fn page(command: &Command) -> Page {
    let name = command.get_name();
    let positionals: Vec<&Arg> = command.get_positionals().collect();
    let options: Vec<&Arg> =
        command.get_arguments().filter(|argument| argument.get_long().is_some()).collect();
    let more = if options.is_empty() { "" } else { " [OPTION]..." };
    let operands: Vec<String> = positionals.iter().map(|operand| words_of(operand)).collect();
    let operands = if operands.is_empty() { String::new() } else { format!(" {}", operands.join(" ")) };
    let rows: String = positionals.into_iter().chain(options).map(row).collect();
    let table = if rows.is_empty() {
        rows
    } else {
        format!("\n| option | meaning | default |\n| --- | --- | --- |\n{rows}")
    };
    let layers = if name == OPTIONS_OF_FILE { layers() } else { String::new() };
    let title = heading(&format!("covolve {name}"));
    let text =
        format!("{title}{}\n\n```\ncovolve {name}{more}{operands}\n```\n{table}{layers}", about(command));
    Page { file: format!("{name}.md"), text }
}

/// Where else options come from.
fn layers() -> String {
    let none = NO_KEYS.iter().filter(|key| !["help", "version"].contains(key));
    let none: Vec<String> = none.map(|key| format!("`--{key}`")).collect();
    format!(
        "\nAll of them but {} can stand in `covolve.toml` under their long names, or in variables such as `COVOLVE_BUDGET`:\n\
         [configuration](../configuration.md).\n",
        none.join(" and ")
    )
}

/// The words of an argument as they are typed.
fn words_of(argument: &Arg) -> String {
    let takes_value = argument.get_action().takes_values();
    let values: Vec<String> = (argument.get_value_names().into_iter().flatten())
        .filter(|_| takes_value)
        .map(ToString::to_string)
        .collect();
    let may_be_left_out = argument.get_num_args().is_some_and(|range| range.min_values() == 0);
    let values = match (may_be_left_out && takes_value, values.join(" ")) {
        (_, none) if none.is_empty() => none,
        (true, values) => format!("[={values}]"),
        (false, values) if argument.is_positional() => values,
        (false, values) => format!(" {values}"),
    };
    let many = argument.get_num_args().is_some_and(|range| range.max_values() > 1);
    let more = if argument.is_positional() && many { "..." } else { "" };
    match argument.get_long() {
        Some(long) => format!("--{long}{values}"),
        None => format!("{values}{more}"),
    }
}

fn row(argument: &Arg) -> String {
    let help = argument.get_help().map(|help| cell(&help.to_string())).unwrap_or_default();
    let (meaning, told) = match help.rsplit_once("[default: ") {
        Some((meaning, rest)) => {
            (meaning.trim_end().to_owned(), rest.split(']').next().unwrap_or(rest).to_owned())
        }
        None => (help, String::new()),
    };
    let is_switch = matches!(argument.get_action(), ArgAction::SetTrue);
    let declared = argument.get_default_values().first().filter(|_| !is_switch);
    let default = declared.map_or(told, |value| format!("`{}`", value.to_string_lossy()));
    let words: Vec<String> =
        argument.get_long().map(choices).unwrap_or_default().iter().map(|word| format!("`{word}`")).collect();
    let words = if words.is_empty() { String::new() } else { format!(" Words: {}.", words.join(", ")) };
    format!("| `{}` | {}{words} | {default} |\n", words_of(argument), sentence(&meaning))
}

/// A text on one line, as the cell of a table takes it.
fn cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

/// With a full stop, which short texts of help have not.
fn sentence(text: &str) -> String {
    if text.is_empty() || text.ends_with(['.', ':']) { text.to_owned() } else { format!("{text}.") }
}

fn exit_codes() -> String {
    let rows = ExitCode::ALL.iter().map(|(code, meaning)| format!("| {code} | {meaning} |\n"));
    format!(
        "{}| code | meaning |\n| --- | --- |\n{}\nWith several classes the gravest one decides. What is wrong is said on standard \
         error in one sentence that also says what to\ndo; nothing is left half-written.\n",
        heading("Exit codes"),
        rows.collect::<String>()
    )
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests read files")]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    fn text_of(file: &str) -> String {
        pages().into_iter().find(|page| page.file == file).expect(file).text
    }

    #[test]
    fn the_reference_of_the_guide_is_up_to_date() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/reference");
        let again = "run `covolve man --format markdown --out docs/guide/reference`";
        for Page { file, text } in pages() {
            let there = fs::read_to_string(folder.join(&file)).unwrap_or_default();
            assert!(there == text, "{file} is not as the command line is defined; {again}");
        }
        let expect: BTreeSet<String> = pages().into_iter().map(|page| page.file).collect();
        let files = fs::read_dir(&folder).unwrap();
        let found: BTreeSet<String> =
            files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        assert_eq!(found, expect, "remove what is too much, and {again}");
    }

    #[test]
    fn every_option_has_its_row_with_meaning_words_and_default() {
        let generate = text_of("generate.md");
        let check = |row: &str| assert!(generate.contains(row), "{row} is not in\n{generate}");
        check("| `--seed N` | Seed of the random choices. | `0` |");
        check("| `--timeline[=N]` | Add columns");
        check("| `--force` | Overwrite test files that a person has edited. |  |");
        check("Words: `auto`, `5`, `4`. | `auto` |");
        check("| 60s, with a profile that of its paper |");
        assert!(text_of("completions.md").contains("```\ncovolve completions SHELL\n```"));
        assert!(text_of("criteria.md").ends_with("```\ncovolve criteria\n```\n"));
    }

    #[test]
    fn every_exit_code_is_told_once_and_in_order() {
        let text = text_of("exit-codes.md");
        assert!(
            ExitCode::ALL.iter().all(|(code, meaning)| text.contains(&format!("| {code} | {meaning} |")))
        );
        assert!(ExitCode::ALL.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
