//! Nothing of the machine a file was written on: no paths of its users, no hosts of package registries.

use crate::tidy::Finding;
use crate::tidy::tree::Tree;

/// Beginnings of paths, in two halves so that this file does not hold them.
const PATHS: [(&str, &str); 3] = [("/ro", "ot/"), ("/ho", "me/"), ("/wo", "rk/")];

/// Parts of the names of registries' hosts.
const REGISTRIES: [&str; 6] = ["maven", "crates", "pypi", "npm", "debian", "rubygems"];

/// Written by cargo, which names its registry there.
const EXEMPT: [&str; 1] = ["Cargo.lock"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|file| !EXEMPT.contains(&file.path.as_str())) {
        for (number, line) in file.text.lines().enumerate() {
            let mut report = |what: &str| {
                findings.push(Finding { path: file.path.clone(), line: number + 1, what: what.to_owned() });
            };
            if PATHS.iter().any(|(head, tail)| has_path(line, &format!("{head}{tail}"))) {
                report("a path of a certain machine");
            }
            if hosts(line).any(|host| REGISTRIES.iter().any(|registry| host.contains(registry))) {
                report("the host of a package registry");
            }
        }
    }
    findings
}

/// Whether an absolute path begins so: not in the middle of another.
fn has_path(line: &str, path: &str) -> bool {
    line.match_indices(path)
        .any(|(at, _)| !line[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || "_-.}~*".contains(c)))
}

/// Hosts of the addresses in a line.
fn hosts(line: &str) -> impl Iterator<Item = &str> {
    line.split("://").skip(1).map(|rest| {
        let end =
            rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '-').unwrap_or(rest.len());
        &rest[..end]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machine_paths_and_registry_hosts_are_found() {
        let text = |line: &str| line.replace('~', "/").replace('@', "://");
        let check = |line: &str, expect: usize| {
            let text = text(line);
            assert_eq!(check(&Tree::of(&[("a.md", &text)])).len(), expect, "{text}");
        };
        check("in ~ho\u{6d}e~ada", 1);
        check("'~wor\u{6b}~x' and ~roo\u{74}~y", 1);
        check("target~work~x, $HOME/work~", 0);
        check("see https@repo.maven.example/x", 1);
        check("see https@doc.example/maven", 0);
    }
}
