//! Words of a command line, and lines for whoever waits.

use std::io::Write as _;

use anyhow::bail;
use clap::Parser;

/// Reads the words after a task's name. `None` when all that was asked for is help, which was given.
///
/// # Errors
/// The words are not what the task takes; why was said.
pub fn parse<T: Parser>(words: &[String]) -> anyhow::Result<Option<T>> {
    match T::try_parse_from(std::iter::once(&String::new()).chain(words)) {
        Ok(options) => Ok(Some(options)),
        Err(error) => {
            say(&error.render().to_string());
            if error.use_stderr() {
                bail!("nothing was done")
            }
            Ok(None)
        }
    }
}

/// Prints a line on standard error.
pub fn say(line: &str) {
    // Nobody may be listening; that stops nothing.
    let _ = writeln!(std::io::stderr(), "{line}");
}
