//! A page that states a formula says which function computes it, or at least where: a path in backticks stands in the same
//! paragraph, or in the one before a table. That the path exists is another rule.

use crate::tidy::Finding;
use crate::tidy::tree::{Tree, is_of_kind};

/// The pages.
const PAGES: &str = "docs/";

/// What formulas of distances, fitness and costs have that sentences have not.
const SIGNS: [&str; 5] = [" / (", "log1p(", "ln(", "\\|a", "geometric mean"];

/// What a path to the code begins with.
const PATH: &str = "`crates/";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|file| file.path.starts_with(PAGES) && is_of_kind(&file.path, "md"))
    {
        let mut is_cited = false;
        let mut number = 1;
        for paragraph in file.text.split("\n\n") {
            // A table is explained by what stands before it.
            is_cited = paragraph.contains(PATH) || is_cited && paragraph.starts_with('|');
            for (line, text) in (number..).zip(paragraph.lines()).filter(|_| !is_cited) {
                if SIGNS.iter().any(|sign| text.contains(sign)) {
                    let what = "a formula; name the file and the function that compute it".to_owned();
                    findings.push(Finding { path: file.path.clone(), line, what });
                }
            }
            number += paragraph.matches('\n').count() + 2;
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_say_where_they_are_computed() {
        let text = "# A\n\nIt is `x / (x + 1)`.\n\nIt is `x / (x + 1)`,\nsee `crates/a/src/a.rs`.\n\n\
                    | a |\n| 1 / (1 + x) |\n\nNo formula: 1 / 2, a (b).\n\n| b |\n| log1p(x) |\n";
        let tree = Tree::of(&[("docs/design/a.md", text), ("eval/a.md", text), ("docs/a.txt", text)]);
        let found: Vec<usize> = check(&tree).iter().map(|finding| finding.line).collect();
        assert_eq!(found, [3, 14]);
    }
}
