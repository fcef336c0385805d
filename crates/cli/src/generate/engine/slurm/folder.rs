//! The folder of a run, which the machines of the cluster share: what they are to do, and what they leave.
//!
//! ```text
//! .covolve/slurm/1/     a run
//!   job-1.sh            what the tasks of its first array do
//!   ended-1/3           the exit code of shard 3 there
//!   3/                  shard 3: state/, and of each array log-1.txt, classes-1.json, report-1/
//! ```

#![expect(
    clippy::disallowed_methods,
    reason = "the place where files of runs on clusters are read and written"
)]

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::json::ClassReport;

/// Where the folders of runs are.
const RUNS: &str = "slurm";

/// The folder of a run.
#[derive(Debug)]
pub(super) struct RunFolder {
    /// Absolute: other machines look there.
    path: PathBuf,
}

/// A shard, and which of its arrays is meant, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Attempt {
    pub shard: usize,
    pub number: u32,
}

impl RunFolder {
    /// Makes a folder for a run below the one that keeps what is known of a project.
    ///
    /// # Errors
    /// It cannot be made.
    pub(super) fn new(state: &Path) -> io::Result<Self> {
        let runs = std::path::absolute(state)?.join(RUNS);
        let mut number: usize = 1;
        loop {
            fs::create_dir_all(&runs)?;
            let path = runs.join(number.to_string());
            match fs::create_dir(&path) {
                Ok(()) => break fs::write(runs.join(".gitignore"), "*\n").map(|()| Self { path }),
                // Another run has it, or had.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
                // The last of other runs has just ended.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => break Err(error),
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The script of an array.
    pub(super) fn script(&self, number: u32) -> PathBuf {
        self.path.join(format!("job-{number}.sh"))
    }

    /// Writes the script of an array, and makes the folders that its tasks expect.
    ///
    /// # Errors
    /// They cannot be written.
    pub(super) fn prepare(&self, number: u32, shards: &[usize], script: &[u8]) -> io::Result<()> {
        fs::create_dir_all(self.path.join(format!("ended-{number}")))?;
        shards.iter().try_for_each(|shard| fs::create_dir_all(self.shard(*shard)))?;
        fs::write(self.script(number), script)
    }

    fn shard(&self, shard: usize) -> PathBuf {
        self.path.join(shard.to_string())
    }

    /// What a shard knows of classes.
    pub(super) fn state(&self, shard: usize) -> PathBuf {
        self.shard(shard).join("state")
    }

    /// What a shard says.
    pub(super) fn log(&self, Attempt { shard, number }: Attempt) -> PathBuf {
        self.shard(shard).join(format!("log-{number}.txt"))
    }

    /// The tables of a shard.
    pub(super) fn report(&self, Attempt { shard, number }: Attempt) -> PathBuf {
        self.shard(shard).join(format!("report-{number}"))
    }

    /// The exit codes of those shards of an array that have ended.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub(super) fn codes(&self, number: u32) -> io::Result<BTreeMap<usize, i32>> {
        let folder = self.path.join(format!("ended-{number}"));
        // On NFS what other machines do in a folder is seen late, unless this one changes it too.
        let seen = folder.join(".look");
        let _ = fs::write(&seen, "");
        let _ = fs::remove_file(&seen);
        let mut codes = BTreeMap::new();
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let shard = entry.file_name().to_str().and_then(|name| name.parse::<usize>().ok());
            let code = fs::read_to_string(entry.path()).ok().and_then(|text| text.trim().parse::<i32>().ok());
            codes.extend(shard.zip(code));
        }
        Ok(codes)
    }

    /// What a shard has reported of classes; what cannot be read, since it was cut off, is nothing.
    pub(super) fn classes(&self, Attempt { shard, number }: Attempt) -> Vec<ClassReport> {
        let text = fs::read_to_string(self.shard(shard).join(format!("classes-{number}.json")));
        let text = text.unwrap_or_default();
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// The lines of a shard's log; none where nothing is there.
    pub(super) fn lines(&self, attempt: Attempt) -> Vec<String> {
        let bytes = fs::read(self.log(attempt)).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        text.lines().map(|line| line.trim_end().to_owned()).collect()
    }

    /// Removes the folder, and those around it that hold nothing else.
    ///
    /// # Errors
    /// It cannot be removed.
    pub(super) fn remove(&self) -> io::Result<()> {
        fs::remove_dir_all(&self.path)?;
        let Some(runs) = self.path.parent() else { return Ok(()) };
        let is_alone = fs::read_dir(runs)?.flatten().all(|entry| entry.file_name() == ".gitignore");
        if is_alone {
            // They stay where there is something in them by now.
            let _ = fs::remove_file(runs.join(".gitignore"));
            let _ = fs::remove_dir(runs).and_then(|()| runs.parent().map_or(Ok(()), fs::remove_dir));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_run_has_its_folder_and_the_last_leaves_nothing() {
        let state = tempfile::tempdir().unwrap();
        let place = state.path().join(".covolve");
        let [first, second] = [(); 2].map(|()| RunFolder::new(&place).unwrap());
        assert_eq!((first.path(), second.path()), (&*place.join("slurm/1"), &*place.join("slurm/2")));
        first.remove().unwrap();
        assert!(place.join("slurm/2").exists() && !place.join("slurm/1").exists());
        second.remove().unwrap();
        assert!(!place.exists());
        let kept = RunFolder::new(&place).unwrap();
        fs::write(place.join("state.db"), "").unwrap();
        kept.remove().unwrap();
        assert_eq!(fs::read_dir(&place).unwrap().count(), 1);
    }

    #[test]
    fn codes_are_read_whole_or_not_at_all() {
        let state = tempfile::tempdir().unwrap();
        let folder = RunFolder::new(state.path()).unwrap();
        folder.prepare(1, &[1, 2, 3, 12], b"").unwrap();
        let ended = folder.path().join("ended-1");
        for (name, text) in [("1", "0\n"), ("12", "137\n"), ("2", ""), (".3", "0\n")] {
            fs::write(ended.join(name), text).unwrap();
        }
        assert_eq!(folder.codes(1).unwrap(), [(1, 0), (12, 137)].into());
        assert_eq!(fs::read_dir(ended).unwrap().count(), 4, "looking leaves nothing");
    }

    #[test]
    fn what_was_cut_off_is_left_out() {
        let state = tempfile::tempdir().unwrap();
        let folder = RunFolder::new(state.path()).unwrap();
        folder.prepare(2, &[7], b"").unwrap();
        let attempt = Attempt { shard: 7, number: 2 };
        assert_eq!((folder.classes(attempt), folder.lines(attempt)), (Vec::new(), Vec::new()));
        let report = ClassReport { class: "a.B".into(), ..ClassReport::default() };
        let line = report.to_line();
        fs::write(folder.path().join("7/classes-2.json"), format!("{line}\n{}", &line[..40])).unwrap();
        assert_eq!(folder.classes(attempt), [report]);
    }
}
