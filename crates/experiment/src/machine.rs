//! What was measured on: machine, commit, tools.

use std::fs;
use std::process::Command;

use anyhow::Context as _;

use crate::repository::output_of;

/// Today, `2026-01-31`.
pub fn date() -> anyhow::Result<String> {
    output_of("date", &["-u", "+%Y-%m-%d"])
}

/// The commit of the tree, and whether it has changes.
pub fn commit() -> anyhow::Result<String> {
    let commit = output_of("git", &["rev-parse", "HEAD"])?;
    let changed = !output_of("git", &["status", "--porcelain", "--untracked-files=no"])?.is_empty();
    Ok(format!("commit {commit}{}", if changed { ", with changes" } else { "" }))
}

/// Machine, commit and tools as a list.
pub fn describe(java: &str) -> anyhow::Result<String> {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let memory = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let memory = memory.lines().find_map(|line| line.strip_prefix("MemTotal:")).map_or("unknown", str::trim);
    let processor = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let processor = processor
        .lines()
        .find_map(|line| line.strip_prefix("model name").and_then(|rest| rest.split_once(':')))
        .map_or("unknown", |(_, name)| name.trim());
    let version = java_version(java)?;
    Ok(format!(
        "* {}\n* {processor}, {cores} cores, {memory}, kernel {}\n* {version}\n* {}",
        commit()?,
        output_of("uname", &["-r"])?,
        output_of("rustc", &["--version"])?,
    ))
}

/// What a JDK says of itself, `openjdk version "17.0.15" 2025-04-15`.
pub fn java_version(java: &str) -> anyhow::Result<String> {
    // It speaks on standard error.
    let version =
        Command::new(java).arg("-version").output().with_context(|| format!("{java} does not start"))?;
    Ok(String::from_utf8_lossy(&version.stderr).lines().next().unwrap_or("unknown").to_owned())
}
