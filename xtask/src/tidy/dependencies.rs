//! A crate may use those below it on the map, never one above, and only `jvm` knows the JVM.

use crate::tidy::Finding;
use crate::tidy::tree::Tree;

/// Crates through which a JVM could be reached.
const JVM_CRATES: [&str; 4] = ["jni", "jni-sys", "jvmti-bindings", "libloading"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let map = tree.file("ARCHITECTURE.md").map_or("", |map| &map.text);
    let order: Vec<&str> = map.lines().filter_map(crate_of_row).collect();
    let rank = |name: &str| order.iter().position(|known| *known == name);
    let mut findings = Vec::new();
    for (folder, manifest) in tree.manifests() {
        let name = folder.trim_start_matches("crates/");
        for (line, dependency) in dependencies(&manifest.text) {
            let mut report =
                |what: String| findings.push(Finding { path: manifest.path.clone(), line, what });
            if let (Some(own), Some(other)) = (rank(name), rank(dependency))
                && other <= own
            {
                report(format!("{name} stands below {dependency} on the map and may not use it"));
            }
            if JVM_CRATES.contains(&dependency) && name != "jvm" {
                report(format!("{dependency} is for crates/jvm alone"));
            }
        }
    }
    findings
}

/// The crate of a row of the map's table: ``| `crates/cli` | …``.
fn crate_of_row(line: &str) -> Option<&str> {
    line.strip_prefix("| `crates/")?.split_once('`').map(|(name, _)| name)
}

/// Names under `[dependencies]`, with their lines.
fn dependencies(manifest: &str) -> Vec<(usize, &str)> {
    let mut inside = false;
    let mut found = Vec::new();
    for (number, line) in manifest.lines().enumerate() {
        if line.starts_with('[') {
            inside = line.trim() == "[dependencies]";
        } else if let Some(end) = line.find([' ', '.', '=']).filter(|_| inside) {
            found.push((number + 1, &line[..end]));
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
            ("ARCHITECTURE.md", "| `crates/high` | x |\n| `crates/low` | y |"),
            ("crates/high/Cargo.toml", "[dependencies]\nlow.workspace = true\n"),
            (
                "crates/low/Cargo.toml",
                "[dependencies]\nhigh = { path = \"\" }\njni-sys.workspace = true\n[dev-dependencies]\nhigh.workspace = true\n",
            ),
        ]);
        let found: Vec<String> = check(&tree).iter().map(ToString::to_string).collect();
        assert_eq!(
            found,
            [
                "crates/low/Cargo.toml:2: low stands below high on the map and may not use it",
                "crates/low/Cargo.toml:3: jni-sys is for crates/jvm alone"
            ]
        );
    }
}
