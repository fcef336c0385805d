//! Jars, resolved by Maven.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};

use crate::console::say;
use crate::repository::root;

/// The jar of an artifact, `group:artifact:version[:type[:classifier]]`, and of what it needs at run time, in class
/// path order. Answers are kept in the build folder.
///
/// # Errors
/// Maven does not start or cannot resolve it.
pub fn resolve(coordinates: &str) -> Result<Vec<PathBuf>> {
    let memory = root().join("target/judge/class-paths").join(coordinates.replace(':', "_"));
    let known = fs::read_to_string(&memory).map_or_else(|_| Vec::new(), |text| split(&text));
    if !known.is_empty() && known.iter().all(|jar| jar.is_file()) {
        return Ok(known);
    }
    say(&format!("resolving {coordinates} with Maven"));
    let folder = tempfile::tempdir()?;
    let answer = folder.path().join("class-path");
    fs::write(folder.path().join("pom.xml"), pom(coordinates)?)?;
    let output = Command::new("mvn")
        .args(["-q", "-B", "dependency:build-classpath", "-DincludeScope=runtime", "-Dmdep.pathSeparator=:"])
        .arg(format!("-Dmdep.outputFile={}", answer.display()))
        .current_dir(folder.path())
        .output()
        .context("mvn does not start")?;
    ensure!(
        output.status.success(),
        "Maven cannot resolve {coordinates}: {}",
        String::from_utf8_lossy(&output.stdout).trim()
    );
    let text = fs::read_to_string(&answer).context("Maven gave no class path")?;
    keep(&memory, &text)?;
    Ok(split(&text))
}

fn keep(file: &Path, text: &str) -> Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(file, text)?;
    Ok(())
}

fn split(text: &str) -> Vec<PathBuf> {
    text.trim().split(':').filter(|path| !path.is_empty()).map(PathBuf::from).collect()
}

fn pom(coordinates: &str) -> Result<String> {
    let parts: Vec<&str> = coordinates.split(':').collect();
    if !(3..=5).contains(&parts.len()) {
        bail!("{coordinates} is not group:artifact:version[:type[:classifier]]");
    }
    let names = ["groupId", "artifactId", "version", "type", "classifier"];
    let tags: Vec<String> =
        names.iter().zip(parts).map(|(name, part)| format!("<{name}>{part}</{name}>")).collect();
    let tags = tags.concat();
    Ok(format!(
        "<project><modelVersion>4.0.0</modelVersion><groupId>covolve</groupId><artifactId>judge</artifactId>\
         <version>1</version><packaging>pom</packaging><dependencies><dependency>{tags}</dependency>\
         </dependencies></project>"
    ))
}

/// The jar of an artifact itself, which Maven does not always name before those that it needs.
pub fn own_jar<'j>(jars: &'j [PathBuf], coordinates: &str) -> Option<&'j PathBuf> {
    let start = coordinates.split(':').skip(1).take(2).collect::<Vec<_>>().join("-");
    let name = |jar: &PathBuf| jar.file_name().map(|name| name.to_string_lossy().into_owned());
    jars.iter().find(|jar| name(jar).is_some_and(|name| name.starts_with(&start)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_artifact_is_known_by_the_name_of_its_jar() {
        let jars = ["/r/core/1/tool.core-1.jar", "/r/cli/1/tool.cli-1-nodeps.jar"].map(PathBuf::from);
        for (coordinates, own) in [
            ("org.tool:tool.cli:1:jar:nodeps", Some(&jars[1])),
            ("org.tool:tool.core:1", Some(&jars[0])),
            ("org.tool:tool.core:2", None),
        ] {
            assert_eq!(own_jar(&jars, coordinates), own, "{coordinates}");
        }
    }

    #[test]
    fn coordinates_become_a_dependency() {
        let pom = pom("a:b:1:jar:tests").unwrap();
        assert!(pom.contains("<version>1</version><type>jar</type><classifier>tests</classifier>"), "{pom}");
        assert!(super::pom("a:b").is_err());
    }
}
