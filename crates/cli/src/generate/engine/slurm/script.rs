//! What a task of the array does: the command with its shard, and a file with its exit code when it has ended.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::folder::RunFolder;

/// What all arrays of a run do.
#[derive(Debug)]
pub(super) struct Script {
    /// This program.
    pub covolve: PathBuf,
    /// The current folder, from where paths are said.
    pub here: PathBuf,
    /// The words behind `generate` that all shards have.
    pub words: Vec<OsString>,
    /// Variables that set options: their values are among the words.
    pub variables: Vec<String>,
    /// Parts of the classes.
    pub of: usize,
    /// Whether there are to be tables.
    pub has_report: bool,
}

impl Script {
    /// The text for an array.
    ///
    /// The shell goes on at SIGTERM, with which Slurm ends what has taken too long or is cancelled: the command delivers what it has
    /// found then, and its exit code is still to be written.
    pub(super) fn text(&self, folder: &RunFolder, number: u32) -> Vec<u8> {
        let Self { covolve, here, words, variables, of, has_report } = self;
        let mut text = Text::default();
        text.line(&[b"#!/bin/sh"]);
        text.line(&[b"trap : TERM INT"]);
        text.line(&[b"run=", &quoted(folder.path())]);
        text.line(&[b"shard=$run/$SLURM_ARRAY_TASK_ID"]);
        text.line(&[b"cd ", &quoted(here), b" || exit"]);
        // Others are no options of ours, and a shell may read anything in their names.
        let is_option = |name: &&String| {
            name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
        };
        let variables: Vec<&str> = variables.iter().filter(is_option).map(String::as_str).collect();
        if !variables.is_empty() {
            text.line(&[b"unset ", variables.join(" ").as_bytes()]);
        }
        let mut command: Vec<Vec<u8>> = vec![quoted(covolve), b"generate".to_vec()];
        command.extend(words.iter().map(quoted));
        command.push(b"--no-config --engine=local --json".to_vec());
        command.push(format!("--shard=\"$SLURM_ARRAY_TASK_ID/{of}\" --state=\"$shard/state\"").into_bytes());
        if *has_report {
            command.push(format!("--report=\"$shard/report-{number}\"").into_bytes());
        }
        command.push(format!(">\"$shard/classes-{number}.json\"").into_bytes());
        text.line(&[&command.join(b" ".as_slice())]);
        text.line(&[b"code=$?"]);
        text.line(&[format!("ended=$run/ended-{number}").as_bytes()]);
        // Seen whole or not at all.
        text.line(&[b"echo $code >\"$ended/.$SLURM_ARRAY_TASK_ID\""]);
        text.line(&[b"mv \"$ended/.$SLURM_ARRAY_TASK_ID\" \"$ended/$SLURM_ARRAY_TASK_ID\""]);
        text.line(&[b"exit $code"]);
        text.0
    }
}

#[derive(Default)]
struct Text(Vec<u8>);

impl Text {
    fn line(&mut self, parts: &[&[u8]]) {
        self.0.extend(parts.concat());
        self.0.push(b'\n');
    }
}

/// A word as a shell reads it. What comes from a command line or a path has no zero byte in it.
fn quoted(word: impl AsRef<OsStr>) -> Vec<u8> {
    let bytes = word.as_ref().as_bytes();
    shlex::bytes::try_quote(bytes).map_or_else(|_| bytes.to_vec(), std::borrow::Cow::into_owned)
}

/// The pattern for the log of each task. What is a symbol in it stands for itself.
pub(super) fn log_pattern(folder: &Path, number: u32) -> OsString {
    let mut pattern = Vec::new();
    for byte in folder.as_os_str().as_bytes() {
        pattern.push(*byte);
        if *byte == b'%' {
            pattern.push(b'%');
        }
    }
    pattern.extend_from_slice(format!("/%a/log-{number}.txt").as_bytes());
    OsStr::from_bytes(&pattern).to_owned()
}

/// Numbers as `--array` takes them: `1-3,7`.
pub(super) fn array(shards: &[usize]) -> String {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for &shard in shards {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == shard => *last = shard,
            Some(_) | None => ranges.push((shard, shard)),
        }
    }
    let text = |(first, last): (usize, usize)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    ranges.into_iter().map(text).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;

    #[test]
    fn a_task_runs_its_shard_and_leaves_its_exit_code() {
        let state = tempfile::tempdir().unwrap();
        let folder = RunFolder::new(state.path()).unwrap();
        let script = Script {
            covolve: "/opt/co volve".into(),
            here: "/shared/it's".into(),
            words: ["--class=a.B$C", "--slurm=a b"].map(Into::into).to_vec(),
            variables: vec!["COVOLVE_BUDGET".into(), "COVOLVE_$(ls)".into(), "COVOLVE_BUILD".into()],
            of: 4,
            has_report: true,
        };
        let text = String::from_utf8(script.text(&folder, 2)).unwrap();
        let text = text.replace(folder.path().to_str().unwrap(), "/RUN");
        assert_snapshot!(text, @r#"
        #!/bin/sh
        trap : TERM INT
        run=/RUN
        shard=$run/$SLURM_ARRAY_TASK_ID
        cd "/shared/it's" || exit
        unset COVOLVE_BUDGET COVOLVE_BUILD
        '/opt/co volve' generate '--class=a.B$C' '--slurm=a b' --no-config --engine=local --json --shard="$SLURM_ARRAY_TASK_ID/4" --state="$shard/state" --report="$shard/report-2" >"$shard/classes-2.json"
        code=$?
        ended=$run/ended-2
        echo $code >"$ended/.$SLURM_ARRAY_TASK_ID"
        mv "$ended/.$SLURM_ARRAY_TASK_ID" "$ended/$SLURM_ARRAY_TASK_ID"
        exit $code
        "#);
    }

    #[test]
    fn numbers_in_a_row_are_a_range() {
        let check = |shards: &[usize], expect: &str| assert_eq!(array(shards), expect);
        check(&[1], "1");
        check(&[1, 2, 3, 4], "1-4");
        check(&[1, 3, 4, 7, 8, 9], "1,3-4,7-9");
    }

    #[test]
    fn a_symbol_in_the_path_of_a_log_stands_for_itself() {
        assert_eq!(log_pattern(Path::new("/a%j/b"), 1), "/a%%j/b/%a/log-1.txt");
    }
}
