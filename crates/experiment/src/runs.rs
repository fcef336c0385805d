//! The folders that results are kept in, and how a page of results begins.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use crate::machine;
use crate::repository::root;

/// The newest folder of results of that name below `out`.
pub fn last_folder(out: &Path, what: &str) -> anyhow::Result<PathBuf> {
    let runs = root().join(out);
    let suffix = format!("-{what}");
    let mut folders: Vec<PathBuf> = fs::read_dir(&runs)
        .with_context(|| format!("{} cannot be read", runs.display()))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.to_string_lossy().ends_with(&suffix))
        .collect();
    folders.sort();
    folders.pop().with_context(|| format!("there is no run {what} to take up"))
}

/// Makes a folder for results, `<date>-<what>` below `out`.
pub fn new_folder(out: &Path, what: &str) -> anyhow::Result<PathBuf> {
    let legal = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if what.is_empty() || !what.chars().all(legal) {
        bail!("--what {what} is no name for a folder; give letters, digits and dashes");
    }
    let folder = root().join(out).join(format!("{}-{what}", machine::date()?));
    if folder.exists() {
        bail!("{} is there already; name another --what", folder.display());
    }
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// How a page of results begins: its title, the machine and its tools, and the command line.
pub fn heading(title: &str, task: &str, words: &[String], java: &Path) -> anyhow::Result<String> {
    let machine = machine::describe(&java.to_string_lossy())?;
    Ok(format!("# {title}\n\n{machine}\n\n```\ncargo xtask {task} {}\n```\n", shown(words)))
}

/// The command line without the machine's own folders.
pub fn shown(words: &[String]) -> String {
    let last = |word: &String| match Path::new(word).file_name() {
        Some(name) if word.starts_with('/') => name.to_string_lossy().into_owned(),
        _ => word.clone(),
    };
    words.iter().map(last).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_the_machine_are_not_shown() {
        let words = ["--subjects".to_owned(), "/a/b/list.csv".to_owned(), "x/y".to_owned()];
        assert_eq!(shown(&words), "--subjects list.csv x/y");
    }
}
