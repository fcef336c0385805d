//! `covolve completions` and `covolve man`: what shells and readers of manuals are told, from the definition of the command
//! line.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use clap::builder::PossibleValuesParser;
use clap_complete::Shell;
use clap_mangen::{Man, generate_to};
use project::failure::Failure;

use crate::args::{ManArgs, definition};
use crate::configuration::keys::choices;
use crate::options::choose;
use crate::reference::pages;

/// What manuals may be written as: for `man`, and for the guide.
const FORMATS: [&str; 2] = ["man", "markdown"];

/// The command as it is typed.
const NAME: &str = "covolve";

/// Writes the completions for a shell.
///
/// # Errors
/// The output is closed.
pub fn completions(shell: Shell, out: &mut dyn Write) -> io::Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut definition_with_words(), NAME, &mut text);
    out.write_all(&text)?;
    out.flush()
}

/// Writes the manual of the command, or a page per command into a folder; as Markdown the reference of the guide.
///
/// # Errors
/// The format is not known, the folder cannot be written, or the output is closed.
pub fn man(arguments: &ManArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let is_markdown = choose("--format", &arguments.format, &FORMATS)? == FORMATS[1];
    let Some(folder) = &arguments.out else {
        if is_markdown {
            return Ok(pages().iter().try_for_each(|page| writeln!(out, "{}", page.text))?);
        }
        return Ok(Man::new(definition()).render(out)?);
    };
    let written = fs::create_dir_all(folder)
        .and_then(|()| if is_markdown { write_pages(folder) } else { generate_to(definition(), folder) });
    written.map_err(|error| {
        Failure::output(format!("{} cannot hold manuals: {error}; give another --out", folder.display()))
    })?;
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "writes pages where the user wants them")]
fn write_pages(folder: &Path) -> io::Result<()> {
    pages().iter().try_for_each(|page| fs::write(folder.join(&page.file), &page.text))
}

/// The definition for people, with the words that options take, which are checked elsewhere.
fn definition_with_words() -> clap::Command {
    let all = definition();
    // Scripts for shells list what is hidden, too.
    let shown = all.get_subcommands().filter(|command| !command.is_hide_set()).cloned();
    let told = shown.map(|command| {
        command.mut_args(|argument| {
            let words = argument.get_long().map(choices).unwrap_or_default();
            if words.is_empty() { argument } else { argument.value_parser(PossibleValuesParser::new(words)) }
        })
    });
    clap::Command::new(NAME).version(env!("CARGO_PKG_VERSION")).subcommands(told)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests read files")]
mod tests {
    use std::path::PathBuf;

    use clap::ValueEnum as _;

    use super::*;

    #[test]
    fn every_shell_is_told_of_commands_options_and_words() {
        for shell in Shell::value_variants() {
            let mut text = Vec::new();
            completions(*shell, &mut text).unwrap();
            let text = String::from_utf8(text).unwrap();
            for word in ["doctor", "goal-selection"] {
                assert!(text.contains(word), "{shell}: {word}");
            }
            // The others complete no values.
            let has_words = [Shell::Bash, Shell::Zsh, Shell::Fish].contains(shell);
            assert_eq!(text.contains("dynamosa"), has_words, "{shell}");
            assert!(!text.contains("private-streams"), "{shell}: what is hidden");
        }
    }

    #[test]
    fn the_manual_has_every_option_of_a_command() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("new/man1");
        let of =
            |out: Option<&PathBuf>, format: &str| ManArgs { out: out.cloned(), format: format.to_owned() };
        man(&of(Some(&out), "man"), &mut Vec::new()).unwrap();
        let page = |name: &str| fs::read_to_string(out.join(name)).unwrap();
        let commands = definition();
        let generate = commands.find_subcommand("generate").unwrap();
        let text = page("covolve-generate.1").replace("\\-", "-");
        for option in generate.get_arguments().filter_map(clap::Arg::get_long) {
            assert!(text.contains(&format!("--{option}")), "{option}");
        }
        assert!(page("covolve.1").contains("covolve\\-doctor(1)"));
        assert!(!out.join("covolve-worker.1").exists());
        let mut text = Vec::new();
        man(&of(None, "man"), &mut text).unwrap();
        assert!(String::from_utf8(text).unwrap().contains(".TH covolve 1"));
        let out = folder.path().join("reference");
        man(&of(Some(&out), "markdown"), &mut Vec::new()).unwrap();
        assert_eq!(fs::read_dir(&out).unwrap().count(), pages().len());
        let wrong = man(&of(None, "pdf"), &mut Vec::new()).unwrap_err().to_string();
        assert_eq!(wrong, "--format pdf is not known; give man or markdown");
    }
}
