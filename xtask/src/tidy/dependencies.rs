//! A crate may use those below it on the map, never one above, and only `jvm` knows the JVM.

use crate::tidy::Finding;
use crate::tidy::tree::Tree;

/// Crates through which a JVM could be reached.
const JVM_CRATES: [&str; 4] = ["jni", "jni-sys", "jvmti-bindings", "libloading"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let map = tree.file("ARCHITECTURE.md").map_or("", |map| &map.text);
    let rows: Vec<(&str, &str)> = map.lines().filter_map(row).collect();
    let rank = |name: &str| rows.iter().position(|(known, _)| *known == name);
    let mut findings = Vec::new();
    for (folder, manifest) in tree.manifests() {
        let name = folder.trim_start_matches("crates/");
        for Dependency { line, name: dependency, is_dev } in dependencies(&manifest.text) {
            let mut report =
                |what: String| findings.push(Finding { path: manifest.path.clone(), line, what });
            if let (Some(own), Some(other)) = (rank(name), rank(dependency)) {
                let uses = rows[own].1;
                if other <= own {
                    report(format!("{name} stands below {dependency} on the map and may not use it"));
                } else if !is_dev && uses != "all" && !uses.contains(&format!("`{dependency}`")) {
                    report(format!("the map does not say that {name} uses {dependency}"));
                }
            }
            if JVM_CRATES.contains(&dependency) && name != "jvm" {
                report(format!("{dependency} is for crates/jvm alone"));
            }
        }
    }
    findings
}

/// The crate of a row of the map's table, and what it uses: ``| `crates/cli` | … | all |``.
fn row(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.strip_prefix("| `crates/")?.split_once('`')?;
    let uses = rest.trim_end().trim_end_matches('|').rsplit('|').next()?;
    Some((name, uses.trim()))
}

/// A line of a manifest that names a package to be used.
pub(super) struct Dependency<'m> {
    /// From 1.
    pub(super) line: usize,
    pub(super) name: &'m str,
    /// Whether tests, benchmarks and examples alone use it.
    pub(super) is_dev: bool,
}

/// The packages of all tables of dependencies: of tests and build scripts, and of certain targets as well.
pub(super) fn dependencies(manifest: &str) -> Vec<Dependency<'_>> {
    let mut table = "";
    let mut found = Vec::new();
    for (number, line) in manifest.lines().enumerate() {
        if line.starts_with('[') {
            table = line.trim();
        } else if let Some(end) =
            line.find([' ', '.', '=']).filter(|&end| end > 0 && table.ends_with("dependencies]"))
        {
            let is_dev = table.ends_with("dev-dependencies]");
            found.push(Dependency { line: number + 1, name: &line[..end], is_dev });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_point_down_the_map() {
        let tree = Tree::of(&[
            (
                "ARCHITECTURE.md",
                "| crate | holds | uses |\n| `crates/top` | x | all |\n| `crates/high` | x | `low` |\n\
                 | `crates/middle` | x | `low` |\n| `crates/low` | y | nothing of ours |",
            ),
            ("crates/top/Cargo.toml", "[dependencies]\nlow.workspace = true\n"),
            (
                "crates/high/Cargo.toml",
                "[dependencies]\nlow.workspace = true\nmiddle.workspace = true\n\
                 [dev-dependencies]\nmiddle.workspace = true\n",
            ),
            (
                "crates/low/Cargo.toml",
                "[dependencies]\nhigh = { path = \"\" }\njni-sys.workspace = true\n[dev-dependencies]\n\
                 high.workspace = true\n[target.'cfg(unix)'.dependencies]\nlibloading = \"1\"\n",
            ),
        ]);
        let found: Vec<String> = check(&tree).iter().map(ToString::to_string).collect();
        assert_eq!(
            found,
            [
                "crates/high/Cargo.toml:3: the map does not say that high uses middle",
                "crates/low/Cargo.toml:2: low stands below high on the map and may not use it",
                "crates/low/Cargo.toml:3: jni-sys is for crates/jvm alone",
                "crates/low/Cargo.toml:5: low stands below high on the map and may not use it",
                "crates/low/Cargo.toml:7: libloading is for crates/jvm alone"
            ]
        );
    }
}
