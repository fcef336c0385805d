//! How a measurement has covolve search: an algorithm and parameters, under a name.

use std::str::FromStr;

use anyhow::Context as _;

/// A configuration of the search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Configuration {
    pub(super) name: String,
    /// Words for `covolve generate`.
    pub(super) words: Vec<String>,
}

impl Configuration {
    /// An algorithm with its defaults, under its own name.
    pub(super) fn of_algorithm(name: &str) -> Self {
        Self { name: name.to_owned(), words: vec!["--algorithm".to_owned(), name.to_owned()] }
    }

    /// Its name and its words, as an item of a list.
    pub(super) fn item(&self) -> String {
        format!("* {}: `{}`\n", self.name, self.words.join(" "))
    }
}

impl FromStr for Configuration {
    type Err = anyhow::Error;

    /// From a name, `=`, and words between blanks; a word with `=` is for `--set`, one without is the algorithm.
    fn from_str(text: &str) -> anyhow::Result<Self> {
        let (name, rest) = text.split_once('=').context("a configuration is <name>=<words>")?;
        let words = rest.split_whitespace().flat_map(|word| {
            let option = if word.contains('=') { "--set" } else { "--algorithm" };
            [option.to_owned(), word.to_owned()]
        });
        Ok(Self { name: name.trim().to_owned(), words: words.collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configurations_are_names_and_words() {
        let local: Configuration = "local=auto local-search-rate=1".parse().unwrap();
        assert_eq!(local.name, "local");
        assert_eq!(local.words, ["--algorithm", "auto", "--set", "local-search-rate=1"]);
        assert_eq!(local.item(), "* local: `--algorithm auto --set local-search-rate=1`\n");
        assert_eq!("none=".parse::<Configuration>().unwrap().words, [""; 0]);
        assert_eq!(
            "x=mosa".parse::<Configuration>().unwrap().words,
            Configuration::of_algorithm("mosa").words
        );
        assert!("auto".parse::<Configuration>().is_err());
    }
}
