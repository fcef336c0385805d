//! Class paths of artifacts, by the Maven of the path; answers are kept in the build folder.

#![expect(clippy::disallowed_methods, reason = "a chore keeps files")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

/// The jar of an artifact (`group:artifact:version`) and those of its run-time dependencies. `cache` is a folder for
/// answers; it is made.
///
/// # Errors
/// There is no Maven, or it does not find the artifact.
pub(super) fn class_path(coordinates: &str, cache: &Path) -> Result<Vec<PathBuf>> {
    let [group, artifact, version] = coordinates.split(':').collect::<Vec<_>>()[..] else {
        bail!("{coordinates} is not group:artifact:version");
    };
    let folder = cache.join(coordinates.replace(':', "_"));
    let answer = folder.join("class-path.txt");
    if let Some(entries) = read(&answer) {
        return Ok(entries);
    }
    fs::create_dir_all(&folder)?;
    let project = folder.join("pom.xml");
    fs::write(
        &project,
        format!(
            "<project><modelVersion>4.0.0</modelVersion><groupId>bench</groupId><artifactId>bench</artifactId>\
             <version>1</version><dependencies><dependency><groupId>{group}</groupId>\
             <artifactId>{artifact}</artifactId><version>{version}</version></dependency></dependencies></project>"
        ),
    )?;
    let output = Command::new("mvn")
        .args(["-q", "-B", "dependency:build-classpath", "-DincludeScope=runtime", "-f"])
        .arg(&project)
        .arg(format!("-Dmdep.outputFile={}", answer.display()))
        .output()
        .context("mvn does not start")?;
    let said = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success(), "mvn does not resolve {coordinates}: {}", said.trim());
    read(&answer).with_context(|| format!("mvn names no jar for {coordinates}"))
}

/// Entries of a class path in a file, if all are there.
fn read(answer: &Path) -> Option<Vec<PathBuf>> {
    let text = fs::read_to_string(answer).ok()?;
    let entries: Vec<PathBuf> = text.trim().split(':').map(PathBuf::from).collect();
    entries.iter().all(|entry| entry.is_file()).then_some(entries)
}
